/* SPDX-License-Identifier: MIT */
/* The base of the binding: calls into Lua, and the state that all functions share. Invariant: state->depth is the number of
 * running protected calls, and searchers[depth] is not used by any of them. */
#include <stdlib.h>
#include <string.h>

#include "lua/base/query.h"

/* The arrays of a searcher; each has a capacity. */
#define ARRAYS(each) each(tags) each(applies) each(rules) each(goals) each(waypoints) each(legs) each(influences) each(spent)

void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc) {
#define FREE_ARRAY(array)      \
  if (searcher->array != NULL) \
    alloc->resize(alloc->ud, searcher->array, searcher->array##_capacity * sizeof *searcher->array, 0);
  ARRAYS(FREE_ARRAY)
  wend_search_destroy(searcher->search);
  wend_finder_destroy(searcher->finder);
  memset(searcher, 0, sizeof *searcher);
}

size_t lwend_searcher_bytes(const lwend_searcher *searcher) {
  size_t bytes = searcher->search != NULL ? wend_search_bytes(searcher->search) : 0;
#define ADD_BYTES(array) bytes += searcher->array##_capacity * sizeof *searcher->array;
  ARRAYS(ADD_BYTES)
  return bytes;
}

void lwend_searcher_ready(lua_State *L, lwend_state *state, lwend_searcher *searcher) {
  if (state->views == NULL) state->views = wend_views_create(&state->alloc);
  if (state->views == NULL) lwend_no_memory(L);
  searcher->search = wend_search_create(&state->alloc);
  if (searcher->search == NULL) lwend_no_memory(L);
  wend_search_share(searcher->search, state->views);
}

/* ---- Calls into Lua ---------------------------------------------------------------------------------------- */

int lwend_protect(lua_State *L, lwend_state *state, int arguments, int results) {
  int failed;
  lwend_check_depth(L, state);
  state->depth++;
  failed = lua_pcall(L, arguments, results, 0);
  state->depth--;
  return failed;
}

void lwend_ask(lua_State *L, const lwend_map *map, int arguments, int results) {
  const uint64_t version = map != NULL ? wend_map_version(map->map) : 0;
  lua_call(L, arguments, results);
  /* Locks prevent changes. If a lock were missing somewhere, continuing here would read freed memory. */
  if (map == NULL) return;
  if (map->map == NULL || wend_map_version(map->map) != version) luaL_error(L, "the %s was changed by a callback", map->noun);
}

/* Runs a job in a protected call. */
static int run_job(lua_State *L) { return ((lwend_job *)lua_touserdata(L, 1))->run(L); }

/* job, value, key -> value.key */
static int protected_getfield(lua_State *L) {
  lua_gettable(L, 2);
  return 1;
}

void lwend_getfield(lua_State *L, int index, const char *key) {
  lwend_state *state = lwend_state_of(L);
  lwend_job job = {protected_getfield};
  index = lua_absindex(L, index);
  if (lua_istable(L, index)) {
    lwend_getraw(L, index, key);
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
  lwend_push_job(L, state, &job);
  lua_pushvalue(L, index);
  lua_pushstring(L, key);
  if (lwend_protect(L, state, 3, 1)) lua_error(L);
}

void lwend_getraw(lua_State *L, int index, const char *key) {
  lua_pushstring(L, key);
  lua_rawget(L, index);
}

void lwend_setraw(lua_State *L, int index, const char *key) {
  lua_pushstring(L, key);
  lua_insert(L, -2);
  lua_rawset(L, index);
}

void lwend_setraw_flag(lua_State *L, int index, const char *key, bool flag) {
  lua_pushstring(L, key);
  if (flag) lua_pushboolean(L, 1);
  else lua_pushnil(L);
  lua_rawset(L, index);
}

void lwend_set_whole(lua_State *L, const char *key, uint64_t number) {
  lwend_pushwhole(L, number);
  lua_setfield(L, -2, key);
}

void lwend_set_number(lua_State *L, const char *key, double number) {
  lua_pushnumber(L, number);
  lua_setfield(L, -2, key);
}

void lwend_set_flag(lua_State *L, const char *key, bool flag) {
  lua_pushboolean(L, flag);
  lua_setfield(L, -2, key);
}

int lwend_push_list(lua_State *L, int index, const char *key, uint32_t count) {
  lwend_getraw(L, index, key);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, (int)count, 0);
    lua_pushvalue(L, -1);
    lwend_setraw(L, index, key);
  }
  return lua_gettop(L);
}

void lwend_cut_list(lua_State *L, int list, uint32_t count) {
  for (size_t i = lua_rawlen(L, list); i > count; i--) {
    lua_pushnil(L);
    lua_rawseti(L, list, (int)i);
  }
}

void lwend_register(lua_State *L, lwend_state *state, const luaL_Reg *functions) {
  for (; functions->name != NULL; functions++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, functions->func, 1);
    lua_setfield(L, -2, functions->name);
  }
}

typedef struct encoding {
  lwend_job job;
  lwend_encoder *encode;
  void *object;
  wend_status status;
} encoding;

static int protected_encode(lua_State *L) {
  encoding *asked = lua_touserdata(L, 1);
  size_t size;
  void *bytes;
  asked->status = asked->encode(asked->object, NULL, &size);
  if (asked->status != WEND_OK) return 0;
  bytes = lua_newuserdata(L, size);
  asked->status = asked->encode(asked->object, bytes, &size);
  if (asked->status != WEND_OK) return 0;
  lua_pushlstring(L, bytes, size);
  return 1;
}

wend_status lwend_push_encoded(lua_State *L, lwend_map *map, int *readers, lwend_encoder *encode, void *object) {
  lwend_state *state = lwend_state_of(L);
  encoding asked = {{protected_encode}, encode, object, WEND_OK};
  int failed, nobody = 0;
  if (readers == NULL) readers = &nobody;
  lwend_check_depth(L, state);
  lwend_push_job(L, state, &asked.job);
  map->searching++, ++*readers;
  failed = lwend_protect(L, state, 1, 1);
  map->searching--, --*readers;
  if (failed) lua_error(L);
  if (asked.status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (asked.status != WEND_OK) lua_pop(L, 1);
  return asked.status;
}

int lwend_push_bytes(lua_State *L, lwend_byte_encoder *encode, void *object) {
  const int top = lua_gettop(L);
  size_t size, room;
  void *bytes;
  (void)encode(L, object, NULL, &size);
  do {
    room = size;
    lua_settop(L, top);
    bytes = lua_newuserdata(L, room);
    (void)encode(L, object, NULL, &size); /* a finalizer may have changed it */
  } while (size > room);
  if (encode(L, object, bytes, &size) != WEND_OK) return lwend_no_memory(L);
  lua_pushlstring(L, bytes, size);
  return 1;
}

void *lwend_new(lua_State *L, size_t bytes, const lwend_class *type) {
  void *object = lwend_newuserdata(L, bytes);
  memset(object, 0, bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, type->ref);
  lua_setmetatable(L, -2);
  return object;
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

void lwend_open_state(lua_State *L, lwend_state *state) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushcclosure(L, run_job, 1);
  state->run_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  state->level_ref = state->report_ref = LUA_NOREF;
}
