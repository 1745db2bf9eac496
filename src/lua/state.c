/* SPDX-License-Identifier: MIT */
/* What all of the binding stands on: memory, metatables, the state that its functions share. */
#include <stdlib.h>
#include <string.h>

#include "lwend.h"

/* So much may be allocated before the collector is told: a step for every small graph would cost more than it saves. */
#define DEBT_MAX ((size_t)256 << 10)

/* The host's allocator, with an eye on how much was taken. */
static void *counting_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  lwend_state *state = ud;
  void *moved = state->host(state->host_ud, block, old_bytes, new_bytes);
  if (moved != NULL && new_bytes > old_bytes) state->debt += new_bytes - old_bytes;
  return moved;
}

static void *malloc_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  (void)ud;
  (void)old_bytes;
  if (new_bytes > 0) return realloc(block, new_bytes);
  free(block);
  return NULL;
}

void lwend_gc_step(lua_State *L, lwend_state *state) {
  size_t debt = state->debt;
  if (debt < DEBT_MAX) return;
  state->debt = 0;
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, debt); /* a size_t of bytes */
#else
  lua_gc(L, LUA_GCSTEP, (int)(debt >> 10 < 1 << 20 ? debt >> 10 : 1 << 20)); /* an int of kilobytes */
#endif
}

int lwend_no_memory(lua_State *L) { return luaL_error(L, "not enough memory"); }

/* It grows by half as much again, so that appending is amortised O(1). */
void lwend_grow(lua_State *L, lwend_state *state, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes) {
  uint64_t room = *capacity + (uint64_t)*capacity / 2 + 8;
  void *old, *moved;
  if (wanted <= *capacity) return;
  if (room >= WEND_NONE) room = WEND_NONE - 1;
  if (room < wanted) room = wanted;
  if (room >= WEND_NONE || room > SIZE_MAX / item_bytes) lwend_no_memory(L);
  memcpy(&old, array, sizeof old); /* *array is a pointer of another type */
  moved = state->alloc.resize(state->alloc.ud, old, *capacity * item_bytes, (size_t)room * item_bytes);
  if (moved == NULL) lwend_no_memory(L);
  memcpy(array, &moved, sizeof moved);
  *capacity = (uint32_t)room;
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
  /* Locks keep it as it is. Were one forgotten, going on would read freed memory. */
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
  if (!lua_getmetatable(L, index)) {
    lua_pushstring(L, key);
    if (lua_istable(L, index))
      lua_rawget(L, index);
    else
      lua_gettable(L, index); /* raises */
    return;
  }
  lua_pop(L, 1);
  luaL_checkstack(L, LUA_MINSTACK, "too much nesting");
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

int lwend_encode(lua_State *L, lwend_state *state, int function_ref, lwend_map *map, int *readers) {
  lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, function_ref);
  lua_pushvalue(L, 1);
  lwend_protect_locked(L, state, map, readers, 1, LUA_MULTRET);
  return lua_gettop(L) - 1;
}

void *lwend_new(lua_State *L, size_t bytes, int metatable_ref) {
  void *object = lwend_newuserdata(L, bytes);
  memset(object, 0, bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable_ref);
  lua_setmetatable(L, -2);
  return object;
}

/* ---- Types ------------------------------------------------------------------------------------------------- */

/* The types that scripts get to see: what wend.type calls them, and what messages do. */
static const struct { const char *type, *name; } types[] = {
    {"graph", "wend.Graph"}, {"grid", "wend.Grid"},   {"search", "wend.Search"}, {"path", "wend.Path"},
    {"field", "wend.Field"}, {"walls", "wend.Walls"}, {"routes", "wend.Routes"}, {"costs", "wend.Costs"},
    /* made in Lua: */
    {"follower", "wend.Follower"}, {"trace", "wend.Trace"}, {"trace_step", "wend.TraceStep"},
};
enum { FIRST_CLASS = 8 };
enum { TYPES = sizeof types / sizeof *types };

/* The key of a metatable's type. No script has this address. */
static const int type_key;

/* Gives the metatable at the top its type, and hides it from scripts. */
static void lock(lua_State *L, const char *name) {
  const char *type = NULL;
  for (int i = 0; i < TYPES; i++)
    if (strcmp(types[i].name, name) == 0) type = types[i].type;
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  if (type != NULL) {
    lua_pushstring(L, type);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, &type_key);
  } else {
    lua_pushboolean(L, 0); /* internal: wend.type does not know it */
  }
  lua_setfield(L, -2, "__metatable");
}

int lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, const void **identity) {
  lua_createtable(L, 0, 5);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lock(L, name);
  if (gc != NULL) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, gc, 1);
    lua_setfield(L, -2, "__gc");
  }
  *identity = lua_topointer(L, -1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

int lwend_type(lua_State *L, const char *name, lwend_state *state, const luaL_Reg *methods, lua_CFunction gc,
               lua_CFunction tostring, const void **identity) {
  const luaL_Reg meta[] = {{"__tostring", tostring}, {NULL, NULL}};
  int ref;
  lua_newtable(L);
  lwend_register(L, state, methods);
  ref = lwend_metatable(L, name, state, gc, identity);
  if (tostring == NULL) return ref;
  lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
  lwend_register(L, state, meta);
  lua_pop(L, 1);
  return ref;
}

/* wend.type(value) -> name of its type; nil: it is none of wend's */
int lwend_core_type(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (lua_getmetatable(L, 1))
    lua_rawgetp(L, -1, &type_key);
  else
    lua_pushnil(L);
  return 1;
}

/* core.class(name) -> metatable of a type that is made in Lua; each name once, so that no script can forge one */
int lwend_core_class(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  const char *wanted = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
  for (int i = FIRST_CLASS; i < TYPES; i++) {
    if (strcmp(types[i].type, wanted) != 0) continue;
    if (state->classes_taken & 1u << i) luaL_error(L, "class '%s' is taken: load wend.core anew as well", wanted);
    state->classes_taken |= 1u << i;
    lua_createtable(L, 0, 5);
    lock(L, types[i].name);
    return 1;
  }
  return lwend_type_error(L, 1, "name", "the name of a class");
}

/* core.methods() -> tables of the methods of graphs, grids, fields and routes, once: for what is added in Lua */
int lwend_core_methods(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  const int metatables[] = {state->graph_ref, state->grid_ref, state->field_ref, state->route_table_ref};
  enum { COUNT = sizeof metatables / sizeof *metatables };
  if (state->methods_taken) luaL_error(L, "the methods are taken: load wend.core anew as well");
  state->methods_taken = true;
  luaL_checkstack(L, COUNT + LUA_MINSTACK, "no room for methods");
  for (int i = 0; i < COUNT; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, metatables[i]);
    lua_getfield(L, -1, "__index");
    lua_remove(L, -2);
  }
  return COUNT;
}

void lwend_open_memory(lua_State *L, lwend_state *state) {
  state->host = lua_getallocf(L, &state->host_ud);
  lua_getglobal(L, "jit");
  if (!lua_isnil(L, -1)) state->host = malloc_resize; /* LuaJIT's own heap may be limited to 2 GiB */
  lua_pop(L, 1);
  state->alloc.resize = counting_resize;
  state->alloc.ud = state;
  state->getfield_ref = lwend_protected(L, state, protected_getfield);
}
