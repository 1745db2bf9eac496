/* SPDX-License-Identifier: MIT */
/* Opening the module. */
#include <string.h>

#include "lwend.h"

static int state_gc(lua_State *L) {
  lwend_state *state = lua_touserdata(L, 1);
  for (int i = 0; i < LWEND_DEPTH_MAX; i++) lwend_searcher_free(&state->searchers[i], &state->alloc);
  return 0;
}

/* core.search_bytes() -> bytes of search state a node */
static int core_search_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_search_node_bytes());
  return 1;
}

static const luaL_Reg functions[] = {{"search_bytes", core_search_bytes}, {NULL, NULL}};

LWEND_EXPORT int luaopen_wend_core(lua_State *L);

/* require "wend.core" */
LWEND_EXPORT int luaopen_wend_core(lua_State *L) {
  lwend_state *state = lwend_newuserdata(L, sizeof *state);
  memset(state, 0, sizeof *state);
  lwend_open_memory(L, state);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, state_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, state); /* by its own address: the functions hold it from now on */

  lua_createtable(L, 0, 8);
  lwend_register(L, state, functions);
  lwend_open_graph(L, state);
  lwend_open_grid(L, state);
  lwend_open_path(L, state);
  lwend_open_query(L, state);
  lwend_open_field(L, state);
  lwend_open_line(L, state);
  lwend_open_walls(L, state);
  lwend_open_nearest(L, state);
  lwend_open_route(L, state);
  lwend_open_link(L, state);
  lwend_open_components(L, state);
  lwend_open_routes(L, state);
  lwend_open_file(L, state);
  lwend_open_unpack(L, state);
  lua_pushliteral(L, WEND_VERSION);
  lua_setfield(L, -2, "version");
  return 1;
}
