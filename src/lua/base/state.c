/* SPDX-License-Identifier: MIT */
/* The base of the binding: calls into Lua, and the state that all functions share. Invariant: state->depth is the number of
 * running protected calls, and searchers[depth] is not used by any of them. */
#include <stdlib.h>
#include <string.h>

#include "lua/lwend.h"

/* Frees an array, which may be NULL. */
static void release(const wend_alloc *alloc, void *array, size_t bytes) {
  if (array != NULL) alloc->resize(alloc->ud, array, bytes, 0);
}

void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc) {
  wend_search_destroy(searcher->search);
  wend_finder_destroy(searcher->finder);
  release(alloc, searcher->tags, searcher->tags_capacity * sizeof *searcher->tags);
  release(alloc, searcher->applies, searcher->applies_capacity * sizeof *searcher->applies);
  release(alloc, searcher->goals, searcher->goals_capacity * sizeof *searcher->goals);
  release(alloc, searcher->waypoints, searcher->waypoints_capacity * sizeof *searcher->waypoints);
  release(alloc, searcher->legs, searcher->legs_capacity * sizeof *searcher->legs);
  release(alloc, searcher->spent, searcher->spent_capacity * sizeof *searcher->spent);
  memset(searcher, 0, sizeof *searcher);
}

size_t lwend_searcher_bytes(const lwend_searcher *searcher) {
  return (searcher->search != NULL ? wend_search_bytes(searcher->search) : 0) +
         searcher->tags_capacity * sizeof *searcher->tags + searcher->applies_capacity * sizeof *searcher->applies +
         searcher->goals_capacity * sizeof *searcher->goals + searcher->waypoints_capacity * sizeof *searcher->waypoints +
         searcher->legs_capacity * sizeof *searcher->legs + searcher->spent_capacity * sizeof *searcher->spent;
}

void lwend_searcher_ready(lua_State *L, lwend_state *state, lwend_searcher *searcher) {
  if (searcher->search != NULL) return;
  if (state->views == NULL) state->views = wend_views_create(&state->alloc);
  if (state->views == NULL) lwend_no_memory(L);
  searcher->search = wend_search_create(&state->alloc);
  if (searcher->search == NULL) lwend_no_memory(L);
  wend_search_share(searcher->search, state->views);
}

/* ---- Calls into Lua ---------------------------------------------------------------------------------------- */

void lwend_check_depth(lua_State *L, const lwend_state *state) {
  if (state->depth >= LWEND_DEPTH_MAX - 1) luaL_error(L, "too many searches inside each other's callbacks");
}

int lwend_protect(lua_State *L, lwend_state *state, int arguments, int results) {
  int failed;
  lwend_check_depth(L, state);
  state->depth++;
  failed = lua_pcall(L, arguments, results, 0);
  state->depth--;
  return failed;
}

void lwend_protect_locked(lua_State *L, lwend_state *state, lwend_map *map, int *readers, int arguments, int results) {
  int failed, nobody = 0;
  if (readers == NULL) readers = &nobody;
  lwend_check_depth(L, state);
  map->searching++, ++*readers;
  failed = lwend_protect(L, state, arguments, results);
  map->searching--, --*readers;
  if (failed) lua_error(L);
}

void lwend_ask(lua_State *L, const lwend_map *map, int arguments, int results) {
  const uint64_t version = wend_map_version(map->map);
  lua_call(L, arguments, results);
  /* Locks prevent changes. If a lock were missing somewhere, continuing here would read freed memory. */
  if (map->map == NULL || wend_map_version(map->map) != version) luaL_error(L, "the %s was changed by a callback", map->noun);
}

/* value, key -> value.key */
static int protected_getfield(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

void lwend_getfield(lua_State *L, int index, const char *key) {
  lwend_state *state = lwend_state_of(L);
  index = lua_absindex(L, index);
  if (lua_istable(L, index)) {
    lua_pushstring(L, key);
    lua_rawget(L, index);
    if (!lua_isnil(L, -1) || !lua_getmetatable(L, index)) return; /* metamethods are asked only about missing fields */
    lua_pop(L, 2);
  } else if (lua_getmetatable(L, index)) {
    lua_pop(L, 1);
  } else {
    lua_pushstring(L, key);
    lua_gettable(L, index); /* raises */
    return;
  }
  lwend_check_stack(L, LUA_MINSTACK);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->getfield_ref);
  lua_pushvalue(L, index);
  lua_pushstring(L, key);
  if (lwend_protect(L, state, 2, 1)) lua_error(L);
}

void lwend_register(lua_State *L, lwend_state *state, const luaL_Reg *functions) {
  for (; functions->name != NULL; functions++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, functions->func, 1);
    lua_setfield(L, -2, functions->name);
  }
}

int lwend_protected(lua_State *L, lwend_state *state, lua_CFunction function) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushcclosure(L, function, 1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

int lwend_encode(lua_State *L, lwend_state *state, int function_ref, lwend_map *map, int *readers, bool prepared) {
  lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, function_ref);
  lua_pushvalue(L, 1);
  lua_pushboolean(L, prepared);
  lwend_protect_locked(L, state, map, readers, 2, LUA_MULTRET);
  return lua_gettop(L) - 1;
}

void *lwend_new(lua_State *L, size_t bytes, int metatable_ref) {
  void *object = lwend_newuserdata(L, bytes);
  memset(object, 0, bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable_ref);
  lua_setmetatable(L, -2);
  return object;
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

void lwend_open_state(lua_State *L, lwend_state *state) { state->getfield_ref = lwend_protected(L, state, protected_getfield); }
