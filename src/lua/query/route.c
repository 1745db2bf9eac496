/* SPDX-License-Identifier: MIT */
/* graph:route and grid:route: paths from any position to any position, whole or in slices (search.c). The core finds them
 * (src/core/query/route.c). A route is a flat list of points with the fields
 *   cost         the cost of the whole route
 *   dimensions   2 or 3
 *   map          the graph or the grid
 *   partial      true if it does not reach the goal
 *   nodes        graphs: the ids of the nodes that it passes, in order
 *   edges        graphs: for each leg the id of its edge, or false
 *   links        grids: a table with true at the number of each leg that is a link; nil if there is none
 *
 * With the option `into`, the table and its lists are used again, and the other memory belongs to the searcher. So a call makes
 * no garbage. Calls inside callbacks use the searchers of their own depth. */
#include <math.h>
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/query/slices.h"

/* ---- Pushing a route ---------------------------------------------------------------------------------------- */

/* Pushes the table at LWEND_INTO, or a new one with room for `count` points. Returns its stack index. */
static int push_into(lua_State *L, uint32_t count, int dimensions) {
  lwend_leave_path(L, LWEND_INTO);
  if (lua_isnil(L, LWEND_INTO)) lua_createtable(L, (int)count * dimensions, 6);
  else lua_pushvalue(L, LWEND_INTO);
  return lua_gettop(L);
}

/* Removes a field. nil is stored only where there is a value: in Lua 5.1 it would take a slot of the table, which could then be
 * allocated again. */
static void clear_field(lua_State *L, int route, const char *key) {
  lwend_getraw(L, route, key);
  if (!lua_isnil(L, -1)) lwend_setraw_flag(L, route, key, false);
  lua_pop(L, 1);
}

/* Fills the list in a field with ids. WEND_NO_ID becomes false. */
static void set_ids(lua_State *L, int route, const char *key, const wend_id *ids, uint32_t count) {
  const int list = lwend_push_list(L, route, key, count);
  for (uint32_t i = 0; i < count; i++) {
    if (ids[i] == WEND_NO_ID) lua_pushboolean(L, 0);
    else lwend_pushwhole(L, ids[i]);
    lua_rawseti(L, list, (int)i + 1);
  }
  lwend_cut_list(L, list, count);
  lua_pop(L, 1);
}

static int dimensions_of(const lwend_map *g) { return g->graph != NULL ? wend_graph_dimensions(g->graph) : 2; }

/* Fills the table in the field `links` of the route at stack index `into`, or removes it. */
static void set_links(lua_State *L, int into, const wend_route *route) {
  uint32_t first = 0;
  int links;
  while (first + 1 < route->count && route->legs[first] == WEND_NO_ID) first++;
  if (first + 1 == route->count) {
    clear_field(L, into, "links");
    return;
  }
  links = lwend_push_list(L, into, "links", 0);
  lua_pushnil(L);
  while (lua_next(L, links)) { /* empty it */
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, links);
  }
  for (uint32_t i = first; i + 1 < route->count; i++) {
    if (route->legs[i] == WEND_NO_ID) continue;
    lua_pushboolean(L, 1);
    lua_rawseti(L, links, (int)i + 1);
  }
  lua_pop(L, 1);
}

/* Whether the route over a grid ends at the position that the script has given. */
static bool is_whole(const lwend_request *request) {
  return !((const lwend_slices *)request->subject)->route.partial && !request->ranged;
}

/* Whether it has one point for two positions that are the same in cells, by rounding: they stay two points. */
static bool is_tiny(const lwend_request *request) {
  return request->g->grid != NULL && ((const lwend_slices *)request->subject)->route.count == 1 && is_whole(request) &&
         memcmp(request->start, request->end, 2 * sizeof *request->end) != 0;
}

/* Pushes the route: the table at LWEND_INTO, or a new one. The graph may have changed since the route was found. */
static int push_route(lua_State *L, const lwend_request *request) {
  const lwend_slices *work = request->subject;
  const wend_route *route = &work->route;
  const int dimensions = dimensions_of(request->g);
  const bool tiny = is_tiny(request);
  const int into = push_into(L, route->count + tiny, dimensions);
  lwend_set_points(L, into, route->points, route->count, dimensions);
  for (int d = 0; d < dimensions && tiny; d++) {
    lua_pushnumber(L, request->end[d]);
    lua_rawseti(L, into, dimensions + d + 1);
  }
  if (request->g->graph != NULL) {
    const wend_id *nodes, *edges;
    double cost;
    const uint32_t count = wend_search_path(request->searcher->search, &nodes, &edges, &cost);
    set_ids(L, into, "nodes", nodes, count);
    set_ids(L, into, "edges", route->legs, route->count - 1);
    clear_field(L, into, "links");
  } else {
    set_links(L, into, route);
    clear_field(L, into, "nodes");
    clear_field(L, into, "edges");
  }
  lua_pushnumber(L, route->cost);
  lwend_setraw(L, into, "cost");
  lua_pushinteger(L, dimensions);
  lwend_setraw(L, into, "dimensions");
  lua_pushvalue(L, LWEND_MAP);
  lwend_setraw(L, into, "map");
  if (route->partial) lwend_setraw_flag(L, into, "partial", true);
  else clear_field(L, into, "partial");
  return 1;
}

/* Pushes a text such as "(1.0, 2.0)". Returns it. */
static const char *push_point_text(lua_State *L, const double *point, int dimensions) {
  int first = lua_gettop(L) + 1;
  for (int d = 0; d < dimensions; d++) lua_pushnumber(L, point[d]);
  if (dimensions == 2) lua_pushfstring(L, "(%s, %s)", lua_tostring(L, first), lua_tostring(L, first + 1));
  else lua_pushfstring(L, "(%s, %s, %s)", lua_tostring(L, first), lua_tostring(L, first + 1), lua_tostring(L, first + 2));
  lua_replace(L, first);
  lua_settop(L, first);
  return lua_tostring(L, first);
}

/* Pushes why there is no route over a grid, as the end of a message; "" if that is not known, and for graphs. */
static void push_grid_cause(lua_State *L, lwend_request *request) {
  const lwend_map *g = request->g;
  const lwend_slices *work = request->subject;
  double start[2], end[2];
  if (g->grid == NULL) {
    lua_pushliteral(L, "");
    return;
  }
  lwend_point_in_cells(g, request->start, start);
  lwend_point_in_cells(g, request->end, end);
  if (lwend_cell_under(g, start) == WEND_NO_ID) {
    lua_pushliteral(L, ": the start is outside the grid");
  } else if (lwend_cell_under(g, end) == WEND_NO_ID) {
    lua_pushliteral(L, ": the goal is outside the grid");
  } else {
    request->from = lwend_cell_under(g, work->from), request->to = lwend_cell_under(g, work->to);
    lwend_push_cause(L, request);
  }
}

/* Empties the table at LWEND_INTO and pushes nil, a message and a code. Returns 3. */
static int push_no_route(lua_State *L, lwend_request *request) {
  const int dimensions = dimensions_of(request->g);
  const char *from, *to, *cause;
  int top;
  lwend_leave_path(L, LWEND_INTO);
  lwend_empty_result(L, LWEND_INTO);
  if (request->status == WEND_STALE) return lwend_push_failure(L, request);
  top = lua_gettop(L);
  lua_pushnil(L);
  from = push_point_text(L, request->start, dimensions);
  to = push_point_text(L, request->end, dimensions);
  push_grid_cause(L, request);
  cause = lua_tostring(L, -1);
  if (request->status == WEND_BUDGET) {
    lua_pushfstring(L, "no route from %s to %s within the budget", from, to);
  } else if (request->ranged) {
    lua_pushfstring(L, "no route from %s to a place in range of %s%s", from, to, cause);
  } else if (request->max_distance < INFINITY) {
    lua_pushnumber(L, request->max_distance);
    lua_pushfstring(L, "no route from %s to %s (with max_distance %s)", from, to, lua_tostring(L, -1));
  } else {
    lua_pushfstring(L, "no route from %s to %s%s", from, to, cause);
  }
  lua_insert(L, top + 2);
  lua_settop(L, top + 2);
  lua_pushstring(L, wend_status_code(request->status));
  return 3;
}

/* ---- Grids -------------------------------------------------------------------------------------------------- */

/* Converts an end of the route to cells: to where the agent's cell is if its centre is there. The centre of a cell becomes exactly
 * that, whatever rounding does. */
static void end_in_cells(const lwend_request *request, const double *point, double *cells) {
  const lwend_map *g = request->g;
  const double size = request->search.costs.size;
  double x, y, centre[2];
  wend_id cell;
  lwend_point_in_cells(g, point, cells);
  cells[0] -= lwend_body_shift(size), cells[1] -= lwend_body_shift(size);
  x = floor(cells[0]), y = floor(cells[1]);
  cell = lwend_cell_under(g, cells);
  if (cell == WEND_NO_ID) return;
  lwend_body_point(g, cell, size, &centre[0], &centre[1]);
  if (g->frame.isometric) { /* each coordinate of the world depends on both of the cell */
    if (centre[0] == point[0] && centre[1] == point[1]) cells[0] = x + 0.5, cells[1] = y + 0.5;
    return;
  }
  if (centre[0] == point[0]) cells[0] = x + 0.5;
  if (centre[1] == point[1]) cells[1] = y + 0.5;
}

/* Converts a point of the route to the world: the ends to exactly the points that the script gave. */
static void point_in_world(const lwend_request *request, const double *cells, double *point) {
  const lwend_slices *work = request->subject;
  const lwend_map *g = request->g;
  if (cells[0] == work->from[0] && cells[1] == work->from[1]) {
    memcpy(point, request->start, 2 * sizeof *point);
  } else if (cells[0] == work->to[0] && cells[1] == work->to[1]) {
    memcpy(point, request->end, 2 * sizeof *point);
  } else {
    const double shift = lwend_body_shift(request->search.costs.size);
    lwend_to_world(&g->frame, cells[0] + shift, cells[1] + shift, point);
  }
}

/* wend_route_opts.clear */
static bool ask_clear(void *ud, const double *a, const double *b) {
  const lwend_request *request = ud;
  lwend_slices *work = request->subject;
  double from[2], to[2];
  if (request->g->graph != NULL) return lwend_ask_clear(&work->clear, a, b);
  point_in_world(request, a, from);
  point_in_world(request, b, to);
  return lwend_ask_clear(&work->clear, from, to);
}

/* ---- Finding a route ---------------------------------------------------------------------------------------- */

/* Prepares the calls of the option clear. They run on the thread of the current slice. */
static void prepare_clear(lua_State *L, const lwend_request *request) {
  const lwend_clear clear = {L, request->g, LWEND_CLEAR, dimensions_of(request->g)};
  ((lwend_slices *)request->subject)->clear = clear;
}

static void begin_route(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  wend_route_opts opts = wend_route_opts_default();
  prepare_clear(L, request);
  memcpy(work->from, request->start, sizeof work->from);
  memcpy(work->to, request->end, sizeof work->to);
  if (request->g->grid != NULL) {
    end_in_cells(request, request->start, work->from);
    end_in_cells(request, request->end, work->to);
  }
  opts.search = request->search;
  opts.max_distance = request->max_distance;
  opts.by_edge = request->by_edge;
  opts.straighten = request->straighten;
  opts.jitter = request->jitter;
  opts.clear = lua_isnil(L, LWEND_CLEAR) ? NULL : ask_clear;
  opts.clear_ud = request;
  if (wend_route_begin(request->searcher->search, work->map, work->from, work->to, &opts) != WEND_OK) lwend_no_memory(L);
}

static uint64_t run_route(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  wend_route *route = &work->route;
  uint64_t used;
  prepare_clear(L, request);
  request->status = lwend_check_memory(L, wend_route_step(request->searcher->search, request->slice, &used, route));
  for (uint32_t i = 0; request->status == WEND_OK && request->g->grid != NULL && i < route->count; i++) {
    double *point = route->points[i].point;
    if (i == 0) memcpy(point, request->start, 2 * sizeof *point);
    else if (i + 1 == route->count && is_whole(request)) memcpy(point, request->end, 2 * sizeof *point);
    else point_in_world(request, point, point);
  }
  return used;
}

static int answer_route(lua_State *L, lwend_request *request) {
  return request->status == WEND_OK ? push_route(L, request) : push_no_route(L, request);
}

/* Reads an end of the route at index: a position, or a node, which means its position. May run scripts. */
static void check_graph_end(lua_State *L, int index, lwend_map *g, const char *what, double *point) {
  const int dimensions = wend_graph_dimensions(lwend_check_alive(L, g)->graph); /* reading `from` may have run a script */
  if (lua_type(L, index) == LUA_TNUMBER || lua_type(L, index) == LUA_TSTRING) {
    const wend_id node = lwend_check_node(L, index, g, what);
    const double *position = wend_graph_position(g->graph, node);
    if (position == NULL) luaL_error(L, "%s: node %s has no position", what, lwend_push_node_text(L, g, node));
    memcpy(point, position, (size_t)dimensions * sizeof *point);
  } else {
    lwend_check_position(L, index, what, dimensions, point);
  }
}

/* Reading a position may run a script; the numbers that were read before do not depend on the map. */
static void read_graph_route(lua_State *L, lwend_request *request, unsigned more) {
  check_graph_end(L, 2, request->g, "from", request->start);
  check_graph_end(L, 3, request->g, "to", request->end);
  lwend_read_options(L, request, 4, LWEND_FOR_ROUTE | more);
  if (request->straighten && lua_isnil(L, request->frame + LWEND_CLEAR))
    luaL_error(L, "straighten needs clear: it tells where shortcuts can be walked");
  lwend_check_costs(L, request);
}

/* Reads an end of the route: two numbers, or one position. Returns the index after it. */
static int check_grid_end(lua_State *L, int index, const char *what, const char *x_name, const char *y_name, double *point) {
  if (lua_type(L, index) != LUA_TNUMBER) {
    lwend_check_position(L, index, what, 2, point);
    return index + 1;
  }
  point[0] = lwend_check_coordinate(L, index, x_name);
  point[1] = lwend_check_coordinate(L, index + 1, y_name);
  return index + 2;
}

/* As above. lwend_call checks again that the grid is alive. */
static void read_grid_route(lua_State *L, lwend_request *request, unsigned more) {
  int at = 2;
  request->straighten = true;
  at = check_grid_end(L, at, "from", "x1", "y1", request->start);
  at = check_grid_end(L, at, "to", "x2", "y2", request->end);
  lwend_read_options(L, request, at, LWEND_FOR_GRID_ROUTE | more);
  lwend_check_costs(L, request);
}

static void read_route(lua_State *L, lwend_request *request, unsigned more) {
  lwend_check_squares(L, request->g, "grid:route");
  if (request->g->graph != NULL) read_graph_route(L, request, more);
  else read_grid_route(L, request, more);
}

const lwend_sliced_kind lwend_route_kind = {false, false, NULL, read_route, begin_route, run_route, answer_route};

static int protected_route(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_slices work;
  return lwend_search_at_once(L, request, &lwend_route_kind, &work);
}

/* map:route(from, to[, opts]) -> route; or nil, message, code */
int lwend_map_route(lua_State *L) {
  lwend_map *g = lwend_check_map(L);
  lwend_request request;
  int results;
  lua_settop(L, LWEND_PATH_ARGUMENTS);
  lwend_request_start(L, &request, g, 1);
  read_route(L, &request, 0);
  results = lwend_call(L, &request, protected_route, lwend_forget_search);
  lwend_gc_step(L, request.state);
  return results;
}
