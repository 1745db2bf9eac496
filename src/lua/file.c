/* SPDX-License-Identifier: MIT */
/* Things as strings, and back. Files themselves are read and written by lua/wend/file.lua. */
#include "lwend.h"

/* graph:encode(), grid:encode() -> string */
static int graph_encode(lua_State *L) {
  lwend_push_encoded_graph(L, lwend_check_graph(L, 1));
  return 1;
}

static int grid_encode(lua_State *L) {
  lwend_push_encoded_grid(L, lwend_check_grid(L, 1));
  return 1;
}

static int push_damaged(lua_State *L, const char *what) {
  lua_pushnil(L);
  lua_pushfstring(L, "%s: damaged, or of a version that is not known", what);
  lua_pushstring(L, wend_status_code(WEND_FORMAT));
  return 3;
}

/* wend.decode(string) -> graph or grid; or nil, message, "format" */
static int core_decode(lua_State *L) {
  size_t size;
  const char *bytes;
  if (lua_type(L, 1) != LUA_TSTRING) lwend_wanted(L, 1, "string", "a string that encode has made");
  bytes = lua_tolstring(L, 1, &size);
  lua_settop(L, 2);
  switch (wend_file_kind_of(bytes, size)) {
    case WEND_FILE_GRAPH:
      if (lwend_push_decoded_graph(L, bytes, size) != WEND_OK) return push_damaged(L, "a graph");
      break;
    case WEND_FILE_GRID:
      if (lwend_push_decoded_grid(L, bytes, size) != WEND_OK) return push_damaged(L, "a grid");
      break;
    default:
      lua_pushnil(L);
      lua_pushliteral(L, "this is nothing that wend has saved");
      lua_pushstring(L, wend_status_code(WEND_FORMAT));
      return 3;
  }
  lwend_pay(L, lwend_state_of(L));
  return 1;
}

/* Adds encode to graphs and grids, and decode to the table at the top. */
void lwend_open_file(lua_State *L, lwend_state *state) {
  static const luaL_Reg graph_methods[] = {{"encode", graph_encode}, {NULL, NULL}};
  static const luaL_Reg grid_methods[] = {{"encode", grid_encode}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"decode", core_decode}, {NULL, NULL}};
  lwend_add_methods(L, state, state->graph_ref, graph_methods);
  lwend_add_methods(L, state, state->grid_ref, grid_methods);
  lwend_register(L, state, functions);
}
