/* SPDX-License-Identifier: MIT */
/* graph:route: a path from any position to any position. The core finds it (src/core/query/route.c). A route is a flat list
 * of points with the fields
 *   cost         the cost of the whole route
 *   nodes        the ids of the nodes that it passes, in order
 *   dimensions   2 or 3
 *   partial      true if it ends at a node and not at the goal */
#include <string.h>

#include "lwend.h"

/* Fills the list in the field `nodes` of the table at stack index `route`; makes the list if there is none. */
static void set_nodes(lua_State *L, int route, const wend_id *nodes, uint32_t count) {
  int list, old;
  lua_pushliteral(L, "nodes");
  lua_rawget(L, route);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, (int)count, 0);
    lua_pushvalue(L, -1);
    lwend_setraw(L, route, "nodes");
  }
  list = lua_gettop(L);
  old = (int)lua_rawlen(L, list);
  for (uint32_t i = 0; i < count; i++) {
    lwend_pushwhole(L, nodes[i]);
    lua_rawseti(L, list, (int)i + 1);
  }
  for (int i = old; i > (int)count; i--) {
    lua_pushnil(L);
    lua_rawseti(L, list, i);
  }
  lua_pop(L, 1);
}

/* Pushes a userdata with the points of a route, moved by the option jitter. Returns it; *count is their number. */
static const wend_waypoint *push_waypoints(lua_State *L, const lwend_request *request, const wend_route *route,
                                           const wend_id *nodes, uint32_t node_count, uint32_t *count) {
  const wend_graph *graph = request->g->graph;
  const int dimensions = wend_graph_dimensions(graph);
  wend_waypoint *waypoints = lua_newuserdata(L, ((size_t)node_count + 4) * sizeof *waypoints);
  *count = wend_route_waypoints(graph, route, request->start, request->end, nodes, node_count, request->by_edge,
                                request->jitter, waypoints);
  if (request->jitter > 0) {
    lwend_clear clear = {L, request->g, LWEND_CLEAR, dimensions};
    wend_jitter_points(waypoints, *count, dimensions, request->search.seed, lua_isnil(L, LWEND_CLEAR) ? NULL : lwend_ask_clear,
                       &clear);
  }
  return waypoints;
}

/* Pushes the route: the table at LWEND_INTO, or a new one. */
static int push_route(lua_State *L, lwend_request *request, const wend_route *route) {
  const int dimensions = wend_graph_dimensions(request->g->graph);
  const wend_id *nodes = NULL, *edges;
  const wend_waypoint *waypoints;
  double cost;
  uint32_t count, node_count = 0;
  int into;
  if (route->kind == WEND_ROUTE_NODES) node_count = wend_search_path(request->searcher->search, &nodes, &edges, &cost);
  waypoints = push_waypoints(L, request, route, nodes, node_count, &count);
  if (lua_isnil(L, LWEND_INTO)) lua_createtable(L, (int)count * dimensions, 4);
  else lua_pushvalue(L, LWEND_INTO);
  into = lua_gettop(L);
  lwend_set_points(L, into, waypoints, count, dimensions, (int)lua_rawlen(L, into));
  set_nodes(L, into, nodes, node_count);
  lua_pushnumber(L, route->cost);
  lwend_setraw(L, into, "cost");
  lua_pushinteger(L, dimensions);
  lwend_setraw(L, into, "dimensions");
  if (route->partial) lua_pushboolean(L, 1);
  else lua_pushnil(L);
  lwend_setraw(L, into, "partial");
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

/* Empties the table at LWEND_INTO and pushes nil, a message and a code. Returns 3. */
static int push_no_route(lua_State *L, lwend_request *request) {
  const int dimensions = wend_graph_dimensions(request->g->graph), into = LWEND_INTO;
  const char *from, *to;
  if (lua_istable(L, into)) {
    static const char *const fields[] = {"cost", "nodes", "dimensions", "partial"};
    lwend_set_points(L, into, NULL, 0, dimensions, (int)lua_rawlen(L, into));
    for (int i = 0; i < 4; i++) {
      lua_pushnil(L);
      lwend_setraw(L, into, fields[i]);
    }
  }
  if (request->status == WEND_STALE) return lwend_push_failure(L, request);
  lua_pushnil(L);
  from = push_point_text(L, request->start, dimensions);
  to = push_point_text(L, request->end, dimensions);
  if (request->status == WEND_BUDGET) {
    lua_pushfstring(L, "no route from %s to %s within the budget", from, to);
  } else if (request->max_distance < INFINITY) {
    lua_pushnumber(L, request->max_distance);
    lua_pushfstring(L, "no route from %s to %s (with max_distance %s)", from, to, lua_tostring(L, -1));
    lua_remove(L, -2);
  } else {
    lua_pushfstring(L, "no route from %s to %s", from, to);
  }
  lua_remove(L, -2);
  lua_remove(L, -2);
  lua_pushstring(L, wend_status_code(request->status));
  return 3;
}

static int protected_route(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  wend_route_opts opts = wend_route_opts_default();
  lwend_clear clear;
  wend_route route;
  wend_stats stats;
  if (!lwend_request_ready(L, request)) return push_no_route(L, request);
  lwend_costs_push(L, request);
  clear.L = L;
  clear.map = request->g;
  clear.index = LWEND_CLEAR;
  clear.dimensions = wend_graph_dimensions(request->g->graph);
  opts.search = request->search;
  opts.max_distance = request->max_distance;
  opts.by_edge = request->by_edge;
  opts.clear = lua_isnil(L, LWEND_CLEAR) ? NULL : lwend_ask_clear;
  opts.clear_ud = &clear;
  request->status = wend_route_find(request->searcher->search, request->g->graph, request->start, request->end, &opts, &route);
  if (request->status == WEND_NO_MEMORY) lwend_no_memory(L);
  stats = wend_search_stats(request->searcher->search);
  lwend_set_stats(L, &stats);
  return request->status == WEND_OK ? push_route(L, request, &route) : push_no_route(L, request);
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

/* graph:route(from, to[, opts]) -> route; or nil, message, code */
int lwend_graph_route(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_graph(L, 1);
  lwend_request request;
  int results;
  /* Read and check. Reading a position may run a script; the numbers that were read before do not depend on the map. */
  lua_settop(L, 4);
  lwend_request_start(L, &request, state, g, 1);
  check_end(L, 2, g, "from", request.start);
  check_end(L, 3, g, "to", request.end);
  lwend_read_options(L, &request, 4, LWEND_FOR_ROUTE);
  lwend_check_costs(L, &request);
  /* Act. */
  results = lwend_call(L, &request, state->route_ref, lwend_forget_search);
  lwend_gc_step(L, state);
  return results;
}

void lwend_open_route(lua_State *L, lwend_state *state) { state->route_ref = lwend_protected(L, state, protected_route); }
