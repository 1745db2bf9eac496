/* SPDX-License-Identifier: MIT */
/* Things as strings, and back. Files themselves are read and written by lua/wend/file.lua. */
#include "core/codec/file.h"
#include "lwend.h"

static int push_stale(lua_State *L, const char *message) {
  lua_pushnil(L);
  lua_pushstring(L, message);
  lua_pushstring(L, wend_status_code(WEND_STALE));
  return 3;
}

/* The object is at 1. It and its map are locked: a finalizer cannot change them between measuring and writing. */
static int protected_encode(lua_State *L) {
  const lwend_map *g = lwend_tomap(L, 1);
  if (g != NULL && g->graph != NULL) {
    lwend_push_encoded_graph(L, g);
  } else if (g != NULL) {
    lwend_push_encoded_grid(L, g);
  } else if (lwend_is_field(L, 1)) {
    if (lwend_push_encoded_field(L) != WEND_OK) return push_stale(L, "the map has changed since the field was made");
  } else {
    if (lwend_push_encoded_routes(L) != WEND_OK)
      return push_stale(L, "the graph or the costs have changed since the routes were worked out");
  }
  return 1;
}

static int encode(lua_State *L, lwend_map *g, int *readers) {
  lwend_state *state = lwend_state_of(L);
  lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->encode_ref);
  lua_pushvalue(L, 1);
  lwend_protect_locked(L, state, g, readers, 1, LUA_MULTRET);
  return lua_gettop(L) - 1;
}

/* graph:encode(), grid:encode() -> string */
static int graph_encode(lua_State *L) { return encode(L, lwend_check_graph(L, 1), NULL); }
static int grid_encode(lua_State *L) { return encode(L, lwend_check_grid(L, 1), NULL); }

/* field:encode(), routes:encode() -> string; or nil, message, "stale" */
static int field_encode(lua_State *L) {
  int *readers;
  lwend_map *g = lwend_check_field_readers(L, 1, &readers);
  return encode(L, g, readers);
}

static int routes_encode(lua_State *L) {
  int *readers;
  lwend_map *g = lwend_check_routes_readers(L, 1, &readers);
  return encode(L, g, readers);
}

static int push_damaged(lua_State *L, const char *what) {
  lua_pushnil(L);
  lua_pushfstring(L, "%s: damaged, or of a version that is not known", what);
  lua_pushstring(L, wend_status_code(WEND_FORMAT));
  return 3;
}

/* wend.decode(string[, opts]) -> graph, grid, field or routes; or nil, message, "format" or "stale" */
static int core_decode(lua_State *L) {
  static const char *const options[] = {"map", "costs", "agent", "cost", "at_least", NULL};
  size_t size;
  const char *bytes, *what = "a graph";
  wend_status status;
  wend_file_kind kind;
  int o;
  if (lua_type(L, 1) != LUA_TSTRING) lwend_type_error(L, 1, "string", "a string that encode has made");
  bytes = lua_tolstring(L, 1, &size);
  lua_settop(L, 2);
  o = lwend_options(L, 2, options);
  if (!lua_isnil(L, o) && lwend_tomap(L, o) == NULL) lwend_type_error(L, o, "map", "a graph or a grid");
  if (!lua_isnil(L, o)) (void)lwend_check_alive(L, lwend_tomap(L, o));
  kind = wend_file_kind_of(bytes, size);
  if ((kind == WEND_FILE_FIELD || kind == WEND_FILE_ROUTE_TABLE) && lua_isnil(L, o)) {
    wend_reader r;
    what = kind == WEND_FILE_FIELD ? "a field" : "a route table";
    if (!wend_file_open(&r, (const uint8_t *)bytes, size, kind)) return push_damaged(L, what);
    luaL_error(L, "map must be given: %s belongs to one", what);
  }
  switch (kind) {
    case WEND_FILE_GRAPH: status = lwend_push_decoded_graph(L, bytes, size); break;
    case WEND_FILE_GRID: what = "a grid", status = lwend_push_decoded_grid(L, bytes, size); break;
    case WEND_FILE_FIELD: what = "a field", status = lwend_push_decoded_field(L, bytes, size, o); break;
    case WEND_FILE_ROUTE_TABLE: what = "a route table", status = lwend_push_decoded_routes(L, bytes, size, o); break;
    default:
      lua_pushnil(L);
      lua_pushliteral(L, "this is nothing that wend has saved");
      lua_pushstring(L, wend_status_code(WEND_FORMAT));
      return 3;
  }
  if (status == WEND_STALE) {
    lua_pushfstring(L, "%s: it belongs to another map, or this one has changed since", what);
    return push_stale(L, lua_tostring(L, -1));
  }
  if (status != WEND_OK) return push_damaged(L, what);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}

/* Adds encode to graphs, grids, fields and routes, and decode to the table at the top. */
void lwend_open_file(lua_State *L, lwend_state *state) {
  static const luaL_Reg of_graph[] = {{"encode", graph_encode}, {NULL, NULL}};
  static const luaL_Reg of_grid[] = {{"encode", grid_encode}, {NULL, NULL}};
  static const luaL_Reg of_field[] = {{"encode", field_encode}, {NULL, NULL}};
  static const luaL_Reg of_routes[] = {{"encode", routes_encode}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"decode", core_decode}, {NULL, NULL}};
  lwend_add_methods(L, state, state->graph_ref, of_graph);
  lwend_add_methods(L, state, state->grid_ref, of_grid);
  lwend_add_methods(L, state, state->field_ref, of_field);
  lwend_add_methods(L, state, state->routes_ref, of_routes);
  lwend_register(L, state, functions);
  state->encode_ref = lwend_protected(L, state, protected_encode);
}
