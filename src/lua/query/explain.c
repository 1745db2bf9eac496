/* SPDX-License-Identifier: MIT */
/* path:explain and map:explain: the cost of each step of a path or of a list, and the rules that changed it. The edges of a path
 * come from the trail, the cells from the list. The functions of the profile run again. */
#include "lua/base/costs.h"
#include "lua/base/trail.h"

/* The subject of the request. */
typedef struct explained {
  const wend_id *edges; /* a copy of the edges of a path over a graph; NULL: the ways between the places are looked up */
  uint32_t edge_count;
  uint32_t count; /* nodes or cells; 0: the list at LWEND_GIVEN_PATH tells */
  bool found;     /* it is a path that was found, and not a list of a script */
  wend_legs legs;
  wend_id goal; /* it may be closed; WEND_NO_ID: none */
} explained;

/* Appends the description of a way to the list at stack index `list`, and adds its cost to *sum. */
static void append_way(lua_State *L, lwend_request *request, wend_id from, wend_id to, const wend_way *way, int list,
                       double *sum) {
  const wend_graph *graph = request->g->graph;
  const bool body = way->to != WEND_NO_ID;
  wend_step step = {body ? way->from : from,
                    body ? way->to : to,
                    way->edge,
                    INFINITY,
                    way->tag,
                    graph != NULL ? wend_graph_node_tag(graph, to) : WEND_UNTAGGED};
  wend_cause cause = way->cause;
  /* A portal may end on a cell that is closed by its tag: then the rules about the portal do not matter. */
  const bool asked = cause == WEND_CAUSE_NONE || cause == WEND_CAUSE_RULE || (cause == WEND_CAUSE_TAG && !way->portal);
  if (asked) {
    lwend_costs_explain(L, request, &step, way->weight, way->added);
    cause = step.cost < INFINITY                                         ? WEND_CAUSE_NONE
            : lwend_costs_price(request, &step, way->weight) == INFINITY ? WEND_CAUSE_TAG
                                                                         : WEND_CAUSE_RULE;
  } else {
    lua_newtable(L); /* the map does not allow the step: no function runs */
    lwend_costs_push_step(L, request, &step, way->weight);
  }
  if (body) { /* the step is that of the agent's cell */
    lwend_set_id(L, request->g, from, "from", "from_x", "from_y");
    lwend_set_id(L, request->g, to, "to", "to_x", "to_y");
    lwend_set_id(L, request->g, way->to, "", "covered_x", "covered_y");
  }
  if (cause != WEND_CAUSE_NONE) {
    lua_pushstring(L, wend_cause_name(cause));
    lua_setfield(L, -2, "cause");
  }
  lua_rawseti(L, list, (int)lua_rawlen(L, list) + 1);
  *sum += step.cost;
}

/* Appends the pieces of a straight leg. */
static void append_leg(lua_State *L, lwend_request *request, wend_id from, wend_id to, int list, double *sum) {
  const explained *asked = request->subject;
  const wend_grid *grid = request->g->grid;
  wend_line line = wend_line_begin(grid, from, to);
  while (wend_line_next(&line)) {
    const wend_id next = wend_grid_cell(grid, line.x, line.y);
    wend_way way;
    if (wend_grid_stretch(grid, &request->search.costs, from, line.direction, line.length, &way) != WEND_OK) lwend_no_memory(L);
    if (next == asked->goal && way.cause == WEND_CAUSE_CLOSED) way.cause = WEND_CAUSE_NONE;
    append_way(L, request, from, next, &way, list, sum);
    from = next;
  }
}

/* Whether the straight line between two cells of a path is taken: there is nothing else, or it is straightened, and this is not
 * dearer. */
static bool takes_leg(const lwend_request *request, wend_id from, wend_id to, const wend_way *way) {
  const wend_legs legs = ((const explained *)request->subject)->legs;
  double cost = INFINITY, weight;
  uint32_t tag;
  if (legs == WEND_STEPS) return false;
  if (!way->portal) return way->cause == WEND_CAUSE_NO_EDGE;
  if (legs == WEND_CORNERS) return !wend_grid_find_portal(request->g->grid, from, to, &weight, &tag);
  (void)wend_grid_leg(request->g->grid, &request->search.costs, from, to, way->cost, &cost);
  return !(way->cost < cost);
}

/* Appends what leads from one place to the next. Between two cells there is a step, a portal or, if it has legs, a straight leg
 * of several steps; if there is a portal and another way, the cheaper one counts. opened: `to` counts as open. */
static void append_next(lua_State *L, lwend_request *request, wend_id from, wend_id to, bool opened, int list, double *sum) {
  const explained *asked = request->subject;
  wend_way way;
  if (from == to && (asked->found || asked->legs != WEND_STEPS)) return;
  if (wend_map_way(request->g->map, &request->search.costs, from, to, opened, &way) != WEND_OK) lwend_no_memory(L);
  if (takes_leg(request, from, to, &way)) append_leg(L, request, from, to, list, sum);
  else if (asked->found && way.cause != WEND_CAUSE_NONE && wend_grid_direction(request->g->grid, from, to) < 0 &&
           (!way.portal || way.cause == WEND_CAUSE_ONE_WAY))
    luaL_error(L, "a link of the path was removed");
  else append_way(L, request, from, to, &way, list, sum);
}

/* Appends the edges of a path over a graph, which begins at request->from. */
static void append_edges(lua_State *L, lwend_request *request, int list, double *sum) {
  const explained *asked = request->subject;
  wend_id from = request->from;
  for (uint32_t i = 0; i < asked->edge_count; i++) {
    wend_way way = {asked->edges[i], false, 0, WEND_UNTAGGED, 0, WEND_CAUSE_NONE, WEND_NO_ID, WEND_NO_ID, 0};
    wend_edge edge;
    wend_id to;
    if (wend_graph_edge(request->g->graph, way.edge, &edge) != WEND_OK) lwend_no_memory(L);
    way.weight = edge.weight, way.tag = edge.tag;
    if (edge.width < request->search.costs.size) way.cause = WEND_CAUSE_WIDTH;
    if (edge.closed) way.cause = WEND_CAUSE_CLOSED;
    to = edge.from == from ? edge.to : edge.from;
    way.added = wend_influence_sum(&request->search.costs, to);
    append_way(L, request, from, to, &way, list, sum);
    from = to;
  }
}

static int protected_explain(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const explained *asked = request->subject;
  const lwend_map *g = request->g;
  const char *what = asked->found ? "path" : g->grid != NULL ? "cells" : "nodes";
  const uint32_t count = asked->found ? (uint32_t)lua_rawlen(L, LWEND_GIVEN_PATH) / 2 : asked->count;
  wend_id before = WEND_NO_ID;
  double sum = 0;
  int list;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  for (uint32_t i = 0; i < asked->edge_count; i++)
    if (g->graph == NULL || !wend_graph_has_edge(g->graph, asked->edges[i])) luaL_error(L, "an edge of the path was removed");
  lua_createtable(L, (int)asked->edge_count, 1);
  list = lua_gettop(L);
  if (asked->found && g->graph != NULL) {
    append_edges(L, request, list, &sum);
    return 1;
  }
  for (uint32_t i = 1; i <= count; i++) {
    const wend_id to = lwend_check_listed(L, LWEND_GIVEN_PATH, g, what, i);
    if (i > 1) append_next(L, request, before, to, to == asked->goal && (asked->found || i == count), list, &sum);
    before = to;
  }
  if (asked->found) return 1;
  lua_pushnumber(L, sum);
  lwend_setraw(L, list, "cost");
  return 1;
}

/* path:explain([{ costs, agent, cost, at_least }]) -> list of steps; or nil, message, "stale" */
int lwend_path_explain(lua_State *L) {
  const lwend_trail *t;
  lwend_request request;
  explained path = {NULL, 0, 0, true, WEND_STEPS, WEND_NO_ID};
  lwend_map *g;
  /* Read. */
  lua_settop(L, 2);
  t = lwend_push_trail(L, 1); /* at 3 */
  path.edges = lwend_push_trail_edges(L, t, &path.edge_count);
  path.legs = t->age.legs;
  path.goal = t->age.goal;
  g = lwend_trail_map(L, t);
  lwend_push_trail_map(L, 3);
  lwend_request_start(L, &request, g, lua_gettop(L));
  request.subject = &path;
  lwend_read_options(L, &request, 2, LWEND_FOR_COSTS);
  lwend_request_inherit(L, &request, 1);
  lwend_check_costs(L, &request);
  lwend_request_set(L, &request, LWEND_GIVEN_PATH, 1);
  /* Check. */
  request.from = lwend_check_listed(L, 1, g, "path", 1);
  /* Act. */
  return lwend_call(L, &request, protected_explain, lwend_forget_search);
}

/* graph:explain(nodes[, opts]), grid:explain(cells[, opts]) -> list of steps, with the field cost; or nil, message, "stale" */
int lwend_map_explain(lua_State *L) {
  lwend_map *g = lwend_check_map(L);
  const char *what = g->grid != NULL ? "cells" : "nodes";
  lwend_request request;
  explained asked = {NULL, 0, 0, false, WEND_STEPS, WEND_NO_ID};
  const lwend_trail *trail;
  /* Read. */
  lua_settop(L, 3);
  if (!lua_istable(L, 2)) lwend_type_error(L, 2, what, g->grid != NULL ? "a list of cells" : "a list of nodes");
  lwend_request_start(L, &request, g, 1);
  request.subject = &asked;
  lwend_read_options(L, &request, 3, LWEND_FOR_COSTS | LWEND_FOR_LAST_STEP);
  lwend_check_costs(L, &request);
  lwend_request_set(L, &request, LWEND_GIVEN_PATH, 2);
  trail = lwend_find_trail(L, 2);
  if (trail != NULL && lwend_are_related(trail->map, g)) {
    asked.legs = trail->age.legs;
    if (trail->age.goal != WEND_NO_ID) request.search.ends.closed = true;
  }
  /* Check: mistakes raise before any function runs. */
  asked.count = lwend_check_list(L, 2, what, g->grid != NULL ? 2 : 1, "numbers");
  for (uint32_t i = 1; i <= asked.count; i++) {
    const wend_id id = lwend_check_listed(L, 2, g, what, i);
    if (request.search.ends.closed) asked.goal = id; /* the last one */
  }
  /* Act. */
  return lwend_call(L, &request, protected_explain, lwend_forget_search);
}
