/* SPDX-License-Identifier: MIT */
/* wend.decode: reads maps, overlays, walls, levels, fields, route tables and paths from strings, and what extensions
 * read. The file of each type has its encoder. lua/wend/file.lua reads and writes files. */
#include "base/trail.h"
#include "query/field.h"

/* The decoder of an extension for a kind; NULL: there is none. */
static const lwend_decoder *find_decoder(const lwend_state *state, wend_file_kind kind) {
  const lwend_decoder *at = state->extension != NULL ? state->extension->decoders : NULL;
  while (at != NULL && at->what != NULL && at->kind != kind) at++;
  return at != NULL && at->what != NULL ? at : NULL;
}

/* Pushes nil, a message and "format". what: "a graph" and so on. */
static int push_damaged(lua_State *L, const char *what) {
  lua_pushfstring(L, "%s: damaged, or of a version that is not known", what);
  return lwend_push_failed(L, lua_tostring(L, -1), WEND_FORMAT);
}

/* wend.decode(string[, opts]) -> graph, grid, overlay, walls, level, field, routes, path, or an object of an extension; or nil,
 * message, "format" or "stale" */
int lwend_core_decode(lua_State *L) {
  lwend_request request;
  size_t size;
  const char *bytes, *what = "a graph";
  wend_status status;
  wend_file_kind kind;
  const lwend_decoder *extended;
  if (lua_type(L, 1) != LUA_TSTRING) lwend_type_error(L, 1, "string", "a string that encode has made");
  bytes = lua_tolstring(L, 1, &size);
  lua_settop(L, 2);
  kind = wend_file_kind_of(bytes, size);
  extended = find_decoder(lwend_state_of(L), kind);
  if (extended != NULL && extended->push == NULL) return extended->whole(L);
  lwend_request_start(L, &request, NULL, 0);
  lwend_read_options(L, &request, 2, LWEND_FOR_DECODE);
  if (kind == WEND_FILE_FIELD || kind == WEND_FILE_ROUTE_TABLE || kind == WEND_FILE_PATH || kind == WEND_FILE_OVERLAY ||
      kind == WEND_FILE_INFLUENCE) {
    what = kind == WEND_FILE_FIELD       ? "a field"
           : kind == WEND_FILE_PATH      ? "a path"
           : kind == WEND_FILE_OVERLAY   ? "an overlay"
           : kind == WEND_FILE_INFLUENCE ? "an influence layer"
                                         : "a route table";
    if (request.g != NULL) lwend_request_set_map(L, &request, request.g, request.frame + LWEND_MAP);
    else if (!wend_file_is_whole(bytes, size)) return push_damaged(L, what);
    else luaL_error(L, "map must be given: %s belongs to one", what);
  }
  switch (kind) {
    case WEND_FILE_GRAPH: status = lwend_push_decoded_graph(L, bytes, size); break;
    case WEND_FILE_GRID: what = "a grid", status = lwend_push_decoded_grid(L, bytes, size); break;
    case WEND_FILE_FIELD: status = lwend_push_decoded_field(L, &request, bytes, size); break;
    case WEND_FILE_ROUTE_TABLE: status = lwend_push_decoded_route_table(L, &request, bytes, size); break;
    case WEND_FILE_PATH: status = lwend_push_decoded_path(L, &request, bytes, size); break;
    case WEND_FILE_OVERLAY: status = lwend_push_decoded_overlay(L, request.frame + LWEND_MAP, bytes, size); break;
    case WEND_FILE_INFLUENCE: status = lwend_push_decoded_influence(L, request.frame + LWEND_MAP, bytes, size); break;
    case WEND_FILE_WALLS: what = "walls", status = lwend_push_decoded_walls(L, bytes, size); break;
    case WEND_FILE_LEVEL: what = "a level", status = lwend_push_decoded_level(L, bytes, size); break;
    default:
      if (extended == NULL) return lwend_push_failed(L, "these are not bytes that wend has saved", WEND_FORMAT);
      what = extended->what, status = extended->push(L, &request, bytes, size);
  }
  if (status == WEND_STALE) {
    lua_pushfstring(L, "%s: it belongs to another map, or this one has changed since", what);
    return lwend_push_failed(L, lua_tostring(L, -1), status);
  }
  if (status != WEND_OK) return push_damaged(L, what);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}
