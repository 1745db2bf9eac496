/* SPDX-License-Identifier: MIT */
/* graph:route and grid:route: paths from any position to any position, whole or in slices (search.c). The core finds them
 * (src/core/query/route.c, grid_route.c). A route is a flat list of points with the fields
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

/* Sets the fields that all routes have. */
static void set_fields(lua_State *L, int route, double cost, bool partial, int dimensions) {
  lua_pushnumber(L, cost);
  lwend_setraw(L, route, "cost");
  lua_pushinteger(L, dimensions);
  lwend_setraw(L, route, "dimensions");
  lua_pushvalue(L, LWEND_MAP);
  lwend_setraw(L, route, "map");
  if (partial) lwend_setraw_flag(L, route, "partial", true);
  else clear_field(L, route, "partial");
}

static int dimensions_of(const lwend_map *g) { return g->graph != NULL ? wend_graph_dimensions(g->graph) : 2; }

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

/* ---- Graphs ------------------------------------------------------------------------------------------------- */

/* Fills the waypoints and the legs of the searcher with those of a route. Returns the number of points, which the option
 * jitter may have moved. */
static uint32_t list_waypoints(lua_State *L, const lwend_request *request, const wend_route *route, const wend_id *nodes,
                               const wend_id *edges, uint32_t node_count) {
  lwend_searcher *searcher = request->searcher;
  const wend_graph *graph = wend_map_graph(((const lwend_slices *)request->subject)->map);
  const int dimensions = wend_graph_dimensions(graph);
  uint32_t count;
  LWEND_GROW(L, request->state, searcher->waypoints, searcher->waypoints_capacity, (uint64_t)node_count + 4);
  LWEND_GROW(L, request->state, searcher->legs, searcher->legs_capacity, (uint64_t)node_count + 4);
  count = wend_route_legs(graph, route, request->start, request->end, nodes, edges, node_count, request->by_edge,
                          request->jitter, searcher->waypoints, searcher->legs);
  if (request->jitter > 0) {
    lwend_clear clear = {L, request->g, LWEND_CLEAR, dimensions};
    wend_jitter_points(searcher->waypoints, count, dimensions, request->search.seed,
                       lua_isnil(L, LWEND_CLEAR) ? NULL : lwend_ask_clear, &clear);
  }
  return count;
}

/* Pushes the route: the table at LWEND_INTO, or a new one. Its points were listed when it was found: the graph may have changed
 * since. */
static int push_route(lua_State *L, const lwend_request *request) {
  const lwend_slices *work = request->subject;
  const lwend_searcher *searcher = request->searcher;
  const int dimensions = dimensions_of(request->g);
  const wend_id *nodes = NULL, *edges = NULL;
  double cost;
  int into;
  if (work->node_count > 0) (void)wend_search_path(searcher->search, &nodes, &edges, &cost);
  into = push_into(L, work->point_count, dimensions);
  lwend_set_points(L, into, searcher->waypoints, work->point_count, dimensions);
  set_ids(L, into, "nodes", nodes, work->node_count);
  set_ids(L, into, "edges", searcher->legs, work->point_count - 1);
  clear_field(L, into, "links");
  set_fields(L, into, work->route.cost, work->route.partial, dimensions);
  return 1;
}

/* Prepares the calls of the option clear. They run on the thread of the current slice. */
static void prepare_clear(lua_State *L, const lwend_request *request) {
  lwend_slices *work = request->subject;
  work->clear.L = L;
  work->clear.map = request->g;
  work->clear.index = LWEND_CLEAR;
  work->clear.dimensions = dimensions_of(request->g);
}

static void begin_route(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  wend_route_opts opts = wend_route_opts_default();
  prepare_clear(L, request);
  opts.search = request->search;
  opts.max_distance = request->max_distance;
  opts.by_edge = request->by_edge;
  opts.straighten = request->straighten;
  opts.clear = lua_isnil(L, LWEND_CLEAR) ? NULL : lwend_ask_clear;
  opts.clear_ud = &work->clear;
  if (wend_route_begin(request->searcher->search, wend_map_graph(work->map), request->start, request->end, &opts) != WEND_OK)
    lwend_no_memory(L);
}

static uint64_t run_route(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  wend_search *search = request->searcher->search;
  const wend_id *nodes = NULL, *edges = NULL;
  uint64_t used;
  double cost;
  prepare_clear(L, request);
  request->status = lwend_check_memory(L, wend_route_step(search, request->slice, &used, &work->route));
  if (request->status != WEND_OK) return used;
  work->node_count = work->route.kind == WEND_ROUTE_NODES ? wend_search_path(search, &nodes, &edges, &cost) : 0;
  work->point_count = list_waypoints(L, request, &work->route, nodes, edges, work->node_count);
  return used;
}

static int answer_route(lua_State *L, lwend_request *request) {
  return request->status == WEND_OK ? push_route(L, request) : push_no_route(L, request);
}

/* Reads an end of the route at index: a position, or a node, which means its position. May run scripts. */
static void check_end(lua_State *L, int index, lwend_map *g, const char *what, double *point) {
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
static void read_route(lua_State *L, lwend_request *request, unsigned more) {
  check_end(L, 2, request->g, "from", request->start);
  check_end(L, 3, request->g, "to", request->end);
  lwend_read_options(L, request, 4, LWEND_FOR_ROUTE | more);
  if (request->straighten && lua_isnil(L, request->frame + LWEND_CLEAR))
    luaL_error(L, "straighten needs clear: it tells where shortcuts can be walked");
  lwend_check_costs(L, request);
}

const lwend_sliced_kind lwend_route_kind = {false, false, NULL, read_route, begin_route, run_route, answer_route};

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
    memcpy(point, request->start, sizeof work->from);
  } else if (cells[0] == work->to[0] && cells[1] == work->to[1]) {
    memcpy(point, request->end, sizeof work->to);
  } else {
    const double shift = lwend_body_shift(request->search.costs.size);
    lwend_to_world(&g->frame, cells[0] + shift, cells[1] + shift, point);
  }
}

/* wend_grid_route_opts.clear */
static bool ask_clear(void *ud, const double *a, const double *b) {
  const lwend_request *request = ud;
  lwend_slices *work = request->subject;
  double from[2], to[2];
  point_in_world(request, a, from);
  point_in_world(request, b, to);
  return lwend_ask_clear(&work->clear, from, to);
}

/* Fills the table in the field `links` of the route at stack index `into`, or removes it. */
static void set_links(lua_State *L, int into, const wend_grid_route *route) {
  int links;
  if (route->link_count == 0) {
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
  for (uint32_t i = 0; i + 1 < route->count; i++) {
    if (!route->links[i]) continue;
    lua_pushboolean(L, 1);
    lua_rawseti(L, links, (int)i + 1);
  }
  lua_pop(L, 1);
}

/* Pushes the route: the table at LWEND_INTO, or a new one. */
static int push_grid_route(lua_State *L, const lwend_request *request) {
  const wend_grid_route *route = &((const lwend_slices *)request->subject)->grid_route;
  const bool whole = !route->partial && !request->ranged; /* it ends at the position that the script has given */
  /* Two positions that are the same in cells, by rounding, stay two points. */
  const bool tiny = route->count == 1 && whole && memcmp(request->start, request->end, 2 * sizeof *request->end) != 0;
  const uint32_t count = route->count + tiny;
  const int into = push_into(L, count, 2);
  for (uint32_t i = 0; i < count; i++) {
    double point[2];
    if (i == 0) memcpy(point, request->start, sizeof point);
    else if (i + 1 == count && whole) memcpy(point, request->end, sizeof point);
    else point_in_world(request, route->points + 2 * (size_t)i, point);
    for (int d = 0; d < 2; d++) {
      lua_pushnumber(L, point[d]);
      lua_rawseti(L, into, 2 * (int)i + d + 1);
    }
  }
  lwend_cut_list(L, into, 2 * count);
  set_links(L, into, route);
  clear_field(L, into, "nodes");
  clear_field(L, into, "edges");
  set_fields(L, into, route->cost, route->partial, 2);
  return 1;
}

static void begin_grid_route(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  wend_grid_route_opts opts = wend_grid_route_opts_default();
  prepare_clear(L, request);
  end_in_cells(request, request->start, work->from);
  end_in_cells(request, request->end, work->to);
  opts.search = request->search;
  opts.straighten = request->straighten;
  opts.clear = lua_isnil(L, LWEND_CLEAR) ? NULL : ask_clear;
  opts.clear_ud = request;
  if (wend_grid_route_begin(request->searcher->search, wend_map_grid(work->map), work->from, work->to, &opts) != WEND_OK)
    lwend_no_memory(L);
}

static uint64_t run_grid_route(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  uint64_t used;
  prepare_clear(L, request);
  request->status =
      lwend_check_memory(L, wend_grid_route_step(request->searcher->search, request->slice, &used, &work->grid_route));
  return used;
}

static int answer_grid_route(lua_State *L, lwend_request *request) {
  return request->status == WEND_OK ? push_grid_route(L, request) : push_no_route(L, request);
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

const lwend_sliced_kind lwend_grid_route_kind = {
    false, false, NULL, read_grid_route, begin_grid_route, run_grid_route, answer_grid_route};

/* ---- Whole routes ------------------------------------------------------------------------------------------- */

static const lwend_sliced_kind *kind_of(const lwend_map *g) {
  return g->graph != NULL ? &lwend_route_kind : &lwend_grid_route_kind;
}

static int protected_route(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_slices work;
  return lwend_search_at_once(L, request, kind_of(request->g), &work);
}

/* map:route(from, to[, opts]) -> route; or nil, message, code */
int lwend_map_route(lua_State *L) {
  lwend_map *g = lwend_check_map(L);
  lwend_request request;
  int results;
  lua_settop(L, LWEND_PATH_ARGUMENTS);
  lwend_request_start(L, &request, g, 1);
  kind_of(g)->read(L, &request, 0);
  results = lwend_call(L, &request, protected_route, lwend_forget_search);
  lwend_gc_step(L, request.state);
  return results;
}
