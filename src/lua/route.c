/* SPDX-License-Identifier: MIT */
/* graph:route: a query from position to position. A route is a flat list of points with the fields
 *   cost         of the whole
 *   nodes        the ids of the nodes it goes by
 *   dimensions   2 or 3
 *   partial      true where it ends at a node, short of the goal */
#include <string.h>

#include "lwend.h"

enum { OPT_MAX_DISTANCE, OPT_ENTER, OPT_CLEAR, OPT_JITTER, OPT_SEARCH };
static const char *const route_options[] = {"max_distance", "enter", "clear", "jitter", LWEND_SEARCH_OPTIONS, NULL};

/* What is asked for besides a path. */
typedef struct request {
  double from[3], to[3], max_distance, jitter;
  uint64_t seed;
  bool by_edge;
} request;

static bool ask_clear(void *ud, const double *a, const double *b) {
  const lwend_query *query = ud;
  return lwend_is_clear(query->L, query->g, LWEND_TO, a, b, wend_graph_dimensions(query->g->graph));
}

/* Adds a spot, unless the last one is there already: that is then not moved farther than both may be. */
static void add_spot(lwend_spot *spots, uint32_t *count, int dimensions, const double *point, double reach, wend_id id) {
  lwend_spot *spot = &spots[*count];
  int same = 0;
  while (*count > 0 && same < dimensions && spot[-1].point[same] == point[same]) same++;
  if (same == dimensions) {
    if (reach < spot[-1].reach) spot[-1].reach = reach;
    return;
  }
  memcpy(spot->point, point, (size_t)dimensions * sizeof *point);
  spot->reach = reach;
  spot->id = id;
  spot->wide = INFINITY;
  ++*count;
}

/* Pushes the points of a route: a userdata. */
static lwend_spot *push_spots(lua_State *L, const lwend_query *query, const wend_route *route, const wend_id *nodes,
                              uint32_t node_count, uint32_t *count) {
  const request *asked = query->subject;
  const wend_graph *graph = query->g->graph;
  const int dimensions = wend_graph_dimensions(graph);
  lwend_spot *spots = lua_newuserdata(L, ((size_t)node_count + 4) * sizeof *spots);
  *count = 0;
  add_spot(spots, count, dimensions, asked->from, 0, WEND_NO_ID);
  if (route->kind != WEND_ROUTE_STRAIGHT && asked->by_edge) add_spot(spots, count, dimensions, route->on, 0, WEND_NO_ID);
  for (uint32_t i = 0; i < node_count; i++) {
    const double *position = wend_graph_position(graph, nodes[i]);
    if (position == NULL) continue; /* it is nowhere, but on the way */
    add_spot(spots, count, dimensions, position, lwend_node_reach(graph, nodes[i], asked->jitter), nodes[i]);
  }
  if (!route->partial) {
    if (route->kind != WEND_ROUTE_STRAIGHT && asked->by_edge) add_spot(spots, count, dimensions, route->off, 0, WEND_NO_ID);
    add_spot(spots, count, dimensions, asked->to, 0, WEND_NO_ID);
  }
  if (asked->jitter > 0) lwend_move_spots(L, query->g, spots, *count, dimensions, asked->seed, LWEND_TO);
  return spots;
}

/* Makes the table at `route` hold a list of ids in its field `nodes`. */
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

static int push_route(lua_State *L, lwend_query *query, const wend_route *route) {
  const int dimensions = wend_graph_dimensions(query->g->graph);
  const wend_id *nodes = NULL, *edges;
  double cost;
  lwend_spot *spots;
  uint32_t count, node_count = 0;
  int into;
  if (route->kind == WEND_ROUTE_NODES) node_count = wend_search_path(query->searcher->search, &nodes, &edges, &cost);
  spots = push_spots(L, query, route, nodes, node_count, &count);
  if (lua_isnil(L, LWEND_INTO))
    lua_createtable(L, (int)count * dimensions, 4);
  else
    lua_pushvalue(L, LWEND_INTO);
  into = lua_gettop(L);
  lwend_set_spots(L, into, spots, count, dimensions, (int)lua_rawlen(L, into));
  set_nodes(L, into, nodes, node_count);
  lua_pushnumber(L, route->cost);
  lwend_setraw(L, into, "cost");
  lua_pushinteger(L, dimensions);
  lwend_setraw(L, into, "dimensions");
  if (route->partial)
    lua_pushboolean(L, 1);
  else
    lua_pushnil(L);
  lwend_setraw(L, into, "partial");
  return 1;
}

/* "(1, 2)". Pushes it. */
static const char *push_point_text(lua_State *L, const double *point, int dimensions) {
  int first = lua_gettop(L) + 1;
  for (int d = 0; d < dimensions; d++) lua_pushnumber(L, point[d]);
  if (dimensions == 2)
    lua_pushfstring(L, "(%s, %s)", lua_tostring(L, first), lua_tostring(L, first + 1));
  else
    lua_pushfstring(L, "(%s, %s, %s)", lua_tostring(L, first), lua_tostring(L, first + 1), lua_tostring(L, first + 2));
  lua_replace(L, first);
  lua_settop(L, first);
  return lua_tostring(L, first);
}

static int push_no_route(lua_State *L, lwend_query *query) {
  const request *asked = query->subject;
  const int dimensions = wend_graph_dimensions(query->g->graph), into = LWEND_INTO;
  const char *from, *to;
  if (lua_istable(L, into)) {
    static const char *const fields[] = {"cost", "nodes", "dimensions", "partial"};
    lwend_set_spots(L, into, NULL, 0, dimensions, (int)lua_rawlen(L, into));
    for (int i = 0; i < 4; i++) {
      lua_pushnil(L);
      lwend_setraw(L, into, fields[i]);
    }
  }
  if (query->status == WEND_STALE) return lwend_push_failure(L, query);
  lua_pushnil(L);
  from = push_point_text(L, asked->from, dimensions);
  to = push_point_text(L, asked->to, dimensions);
  if (query->status == WEND_BUDGET) {
    lua_pushfstring(L, "no route from %s to %s within the budget", from, to);
  } else if (asked->max_distance < INFINITY) {
    lua_pushnumber(L, asked->max_distance);
    lua_pushfstring(L, "no route from %s to %s (with max_distance %s)", from, to, lua_tostring(L, -1));
    lua_remove(L, -2);
  } else {
    lua_pushfstring(L, "no route from %s to %s", from, to);
  }
  lua_remove(L, -2);
  lua_remove(L, -2);
  lua_pushstring(L, wend_status_code(query->status));
  return 3;
}

/* `clear` is at LWEND_TO. */
static int protected_route(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  const request *asked = query->subject;
  wend_route_opts opts = wend_route_opts_default();
  wend_route route;
  wend_stats stats;
  if (!lwend_query_ready(L, query)) return push_no_route(L, query);
  lwend_costs_push(L, query);
  opts.search = query->opts;
  opts.max_distance = asked->max_distance;
  opts.by_edge = asked->by_edge;
  opts.clear = lua_isnil(L, LWEND_TO) ? NULL : ask_clear;
  opts.clear_ud = query;
  query->status = wend_route_find(query->searcher->search, query->g->graph, asked->from, asked->to, &opts, &route);
  if (query->status == WEND_NO_MEMORY) lwend_no_memory(L);
  stats = wend_search_stats(query->searcher->search);
  lwend_set_stats(L, &stats);
  return query->status == WEND_OK ? push_route(L, query, &route) : push_no_route(L, query);
}

/* A position, or that of a node. */
static void check_end(lua_State *L, int index, lwend_map *g, const char *what, double *point) {
  const int dimensions = wend_graph_dimensions(lwend_check_alive(L, g)->graph); /* the other end may have run a script */
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
static int graph_route(lua_State *L) {
  static const char *const ways[] = {"node", "edge", NULL};
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_graph(L, 1);
  request asked;
  lwend_query query;
  int o, values, results, seed;
  /* Read and check: a position may run a script, but the numbers read so far depend on no map. */
  lua_settop(L, 4);
  memset(&asked, 0, sizeof asked);
  lwend_query_start(L, &query, state, g);
  query.subject = &asked;
  check_end(L, 2, g, "from", asked.from);
  check_end(L, 3, g, "to", asked.to);
  o = lwend_options(L, 4, route_options);
  seed = o + OPT_SEARCH + LWEND_SEARCH_SEED;
  asked.max_distance = INFINITY;
  if (!lua_isnil(L, o + OPT_MAX_DISTANCE))
    asked.max_distance = lwend_check_number(L, o + OPT_MAX_DISTANCE, "max_distance", 0, INFINITY);
  if (!lua_isnil(L, o + OPT_ENTER)) asked.by_edge = lwend_check_choice(L, o + OPT_ENTER, "enter", ways, "") == 1;
  lwend_check_clear(L, o + OPT_CLEAR);
  if (!lua_isnil(L, o + OPT_JITTER)) {
    asked.jitter = lwend_check_number(L, o + OPT_JITTER, "jitter", 0, WEND_COORDINATE_MAX);
    if (lua_isnil(L, seed)) luaL_error(L, "jitter needs a seed: the points depend on it");
    asked.seed = lwend_check_seed(L, seed);
  }
  lwend_check_search_options(L, &query, o + OPT_SEARCH);
  values = lwend_search_values(L, &query, o + OPT_CLEAR, o + OPT_SEARCH);
  /* Act. */
  results = lwend_call(L, &query, state->route_ref, values, lwend_forget_search);
  lwend_gc_step(L, state);
  return results;
}

/* Adds it to graphs. */
void lwend_open_route(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"route", graph_route}, {NULL, NULL}};
  state->route_ref = lwend_protected(L, state, protected_route);
  lwend_add_methods(L, state, state->graph_ref, methods);
}
