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

void lwend_pay(lua_State *L, lwend_state *state) {
  size_t debt = state->debt;
  if (debt < DEBT_MAX) return;
  state->debt = 0;
  lua_gc(L, LUA_GCSTEP, (int)(debt >> 10 < 1 << 20 ? debt >> 10 : 1 << 20));
}

int lwend_no_memory(lua_State *L) { return luaL_error(L, "not enough memory"); }

void lwend_register(lua_State *L, lwend_state *state, const luaL_Reg *functions) {
  for (; functions->name != NULL; functions++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, functions->func, 1);
    lua_setfield(L, -2, functions->name);
  }
}

void *lwend_new(lua_State *L, size_t bytes, int metatable_ref) {
  void *object = lwend_newuserdata(L, bytes);
  memset(object, 0, bytes);
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable_ref);
  lua_setmetatable(L, -2);
  return object;
}

int lwend_metatable(lua_State *L, const char *name, lua_CFunction gc, const void **identity) {
  lua_createtable(L, 0, 4);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  if (gc != NULL) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  *identity = lua_topointer(L, -1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void lwend_open_memory(lua_State *L, lwend_state *state) {
  state->host = lua_getallocf(L, &state->host_ud);
  lua_getglobal(L, "jit");
  if (!lua_isnil(L, -1)) state->host = malloc_resize; /* LuaJIT's own heap may be limited to 2 GiB */
  lua_pop(L, 1);
  state->alloc.resize = counting_resize;
  state->alloc.ud = state;
}
