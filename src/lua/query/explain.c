/* SPDX-License-Identifier: MIT */
/* path:explain and map:explain: the cost of each step of a path or of a list, and the rules that changed it. The edges of a path
 * come from the trail, the cells from the list. The functions of the profile run again. */
#include "lua/base/costs.h"
#include "lua/base/trail.h"

/* The subject of the request: a copy of the path's edges, and what else its trail says of it. */
typedef struct explained {
  const wend_id *edges;
  uint32_t count;
  wend_legs legs;
  wend_id goal; /* it may be closed; WEND_NO_ID: none */
} explained;

/* Appends the edges to the list at stack index `list`. The path begins at request->from. */
static void explain_edges(lua_State *L, lwend_request *request, const wend_id *edges, uint32_t count, int list) {
  wend_step step;
  step.to = request->from;
  for (uint32_t i = 0; i < count; i++) {
    wend_edge edge;
    if (wend_graph_edge(request->g->graph, edges[i], &edge) != WEND_OK) lwend_no_memory(L);
    step.from = step.to;
    step.to = edge.from == step.from ? edge.to : edge.from;
    step.edge = edges[i];
    step.tag = edge.tag;
    lwend_costs_explain(L, request, &step, edge.weight);
    lua_rawseti(L, list, (int)i + 1);
  }
}

/* Pushes the description of the portal from one cell to another. *cost: its cost. false: nobody can take it, or there is
 * none; then nothing is pushed. */
static bool explain_portal(lua_State *L, lwend_request *request, wend_id from, wend_id to, double *cost) {
  wend_step step = {from, to, WEND_NO_ID, 0, WEND_UNTAGGED};
  double weight;
  wend_cell onto = wend_grid_get(request->g->grid, to);
  const wend_tag_cost *tags = request->search.costs.tags;
  if (!wend_grid_find_portal(request->g->grid, from, to, &weight, &step.tag)) return false;
  if (tags != NULL && tags[onto.tag].plus == INFINITY) return false; /* the cell where it ends is closed for the agent */
  lwend_costs_explain(L, request, &step, weight);
  *cost = step.cost;
  return true;
}

/* The cost of the step between two neighbours. opened: the second counts as open. */
static double step_cost(lua_State *L, const lwend_request *request, wend_id from, wend_id to, bool opened) {
  wend_way way;
  if (wend_map_way(request->g->map, &request->search.costs, from, to, opened, &way) != WEND_OK) lwend_no_memory(L);
  return way.portal ? INFINITY : way.cost;
}

/* Appends the steps of a grid path to the list at stack index `list`. Between two cells of the path there is a step, a
 * portal or, if it is straight or has only corners, a leg of several steps. If there is a portal and another way, the path takes the
 * cheaper one. */
static void explain_cells(lua_State *L, lwend_request *request, wend_legs legs, wend_id goal, int list) {
  const wend_grid *grid = request->g->grid;
  const wend_costs *costs = &request->search.costs;
  int count = (int)lua_rawlen(L, LWEND_GIVEN_PATH) / 2, items = 0;
  wend_id before = lwend_check_listed(L, LWEND_GIVEN_PATH, request->g, "path", 1);
  for (int i = 1; i < count; i++) {
    wend_id cell = lwend_check_listed(L, LWEND_GIVEN_PATH, request->g, "path", (size_t)i + 1);
    wend_step step = {before, before, WEND_NO_ID, 0, WEND_UNTAGGED};
    wend_line line = wend_line_begin(grid, before, cell);
    const bool neighbours = before == cell || wend_grid_direction(grid, before, cell) >= 0;
    double portal_cost = INFINITY, cost = INFINITY;
    const bool portal = explain_portal(L, request, before, cell, &portal_cost);
    if (!portal && !neighbours && legs == WEND_STEPS) luaL_error(L, "a link of the path was removed");
    if (portal && legs == WEND_STRAIGHT) wend_grid_leg(grid, costs, before, cell, portal_cost, &cost);
    else if (portal && neighbours) cost = step_cost(L, request, before, cell, cell == goal);
    if (portal && portal_cost < cost) {
      lua_rawseti(L, list, ++items);
    } else {
      if (portal) lua_pop(L, 1);
      while (wend_line_next(&line)) {
        wend_cell value = wend_grid_get(grid, step.to = wend_grid_cell(grid, line.x, line.y));
        if (step.to == goal) value.weight = wend_grid_kept(grid, goal).weight;
        step.tag = value.tag;
        lwend_costs_explain(L, request, &step, line.length * value.weight);
        lua_rawseti(L, list, ++items);
        step.from = step.to;
      }
    }
    before = cell;
  }
}

static int protected_explain(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const explained *path = request->subject;
  const lwend_map *g = request->g;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  for (uint32_t i = 0; i < path->count; i++)
    if (g->graph == NULL || !wend_graph_has_edge(g->graph, path->edges[i])) luaL_error(L, "an edge of the path was removed");
  lua_createtable(L, (int)path->count, 0);
  if (g->graph != NULL) explain_edges(L, request, path->edges, path->count, lua_gettop(L));
  else explain_cells(L, request, path->legs, path->goal, lua_gettop(L));
  return 1;
}

/* path:explain([{ costs, agent, cost, at_least }]) -> list of steps; or nil, message, "stale" */
int lwend_path_explain(lua_State *L) {
  const lwend_trail *t;
  lwend_request request;
  explained path;
  lwend_map *g;
  /* Read. */
  lua_settop(L, 2);
  t = lwend_push_trail(L, 1); /* at 3 */
  path.edges = lwend_push_trail_edges(L, t, &path.count);
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
  if (g->graph != NULL) request.from = lwend_check_listed(L, 1, g, "path", 1);
  /* Act. */
  return lwend_call(L, &request, protected_explain, lwend_forget_search);
}

/* ---- Lists that no search has found ------------------------------------------------------------------------- */

/* Appends the description of a way to the list at stack index `list`, and adds its cost to *sum. */
static void append_way(lua_State *L, lwend_request *request, wend_id from, wend_id to, const wend_way *way, int list,
                       double *sum) {
  const wend_tag_cost *tags = request->search.costs.tags;
  wend_step step = {from, to, way->edge, INFINITY, way->tag};
  wend_cause cause = way->cause;
  /* A portal may end on a cell that is closed by its tag: then the rules about the portal do not matter. */
  const bool asked = cause == WEND_CAUSE_NONE || cause == WEND_CAUSE_RULE || (cause == WEND_CAUSE_TAG && !way->portal);
  if (asked) {
    lwend_costs_explain(L, request, &step, way->weight);
    cause = step.cost < INFINITY                              ? WEND_CAUSE_NONE
            : tags != NULL && tags[way->tag].plus == INFINITY ? WEND_CAUSE_TAG
                                                              : WEND_CAUSE_RULE;
  } else {
    lua_newtable(L); /* the map does not allow the step: no function runs */
    lwend_costs_push_step(L, request, &step, way->weight);
  }
  if (cause != WEND_CAUSE_NONE) {
    lua_pushstring(L, wend_cause_name(cause));
    lua_setfield(L, -2, "cause");
  }
  lua_rawseti(L, list, (int)lua_rawlen(L, list) + 1);
  *sum += step.cost;
}

/* Whether two cells of a straight path are the ends of a leg: no step and no portal leads from one to the other. */
static bool is_leg(const wend_grid *grid, wend_id from, wend_id to) {
  double weight;
  uint32_t tag;
  return wend_grid_direction(grid, from, to) < 0 && !wend_grid_find_portal(grid, from, to, &weight, &tag);
}

/* Appends the pieces of a straight leg. closed_goal: it ends on a cell that may be closed. */
static void append_leg(lua_State *L, lwend_request *request, wend_id from, wend_id to, bool closed_goal, int list,
                       double *sum) {
  const wend_grid *grid = request->g->grid;
  wend_line line = wend_line_begin(grid, from, to);
  while (wend_line_next(&line)) {
    const wend_id next = wend_grid_cell(grid, line.x, line.y);
    wend_way way;
    if (wend_grid_stretch(grid, &request->search.costs, from, line.direction, line.length, closed_goal && next == to, &way) !=
        WEND_OK)
      lwend_no_memory(L);
    append_way(L, request, from, next, &way, list, sum);
    from = next;
  }
}

static int protected_explain_list(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const explained *asked = request->subject;
  double sum = 0;
  wend_id before = WEND_NO_ID;
  int list;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  lua_createtable(L, (int)asked->count, 1);
  list = lua_gettop(L);
  for (uint32_t i = 1; i <= asked->count; i++) {
    const wend_id to = lwend_check_listed(L, LWEND_GIVEN_PATH, request->g, request->g->grid != NULL ? "cells" : "nodes", i);
    wend_way way;
    const bool closed_goal = request->search.closed_goals && i == asked->count;
    if (i > 1 && asked->legs != WEND_STEPS && is_leg(request->g->grid, before, to)) {
      append_leg(L, request, before, to, closed_goal, list, &sum);
    } else if (i > 1) {
      if (wend_map_way(request->g->map, &request->search.costs, before, to, closed_goal, &way) != WEND_OK) lwend_no_memory(L);
      append_way(L, request, before, to, &way, list, &sum);
    }
    before = to;
  }
  lua_pushnumber(L, sum);
  lwend_setraw(L, list, "cost");
  return 1;
}

/* The trail of the table at index, if it is a path of this map; otherwise NULL. */
static const lwend_trail *trail_at(lua_State *L, int index, const lwend_state *state, const lwend_map *g) {
  const lwend_trail *t;
  lwend_getraw(L, index, "trail");
  t = lwend_toobject(L, -1, &state->types.trail);
  lua_pop(L, 1); /* the path keeps it */
  return t != NULL && t->map == g ? t : NULL;
}

/* graph:explain(nodes[, opts]), grid:explain(cells[, opts]) -> list of steps, with the field cost; or nil, message, "stale" */
int lwend_map_explain(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_map(L);
  const char *what = g->grid != NULL ? "cells" : "nodes";
  lwend_request request;
  explained asked = {NULL, 0, WEND_STEPS, WEND_NO_ID};
  const lwend_trail *trail;
  /* Read. */
  lua_settop(L, 3);
  if (!lua_istable(L, 2)) lwend_type_error(L, 2, what, g->grid != NULL ? "a list of cells" : "a list of nodes");
  lwend_request_start(L, &request, g, 1);
  request.subject = &asked;
  lwend_read_options(L, &request, 3, LWEND_FOR_COSTS | LWEND_FOR_LAST_STEP);
  lwend_check_costs(L, &request);
  lwend_request_set(L, &request, LWEND_GIVEN_PATH, 2);
  trail = trail_at(L, 2, state, g);
  if (trail != NULL) {
    asked.legs = trail->age.legs;
    if (trail->age.goal != WEND_NO_ID) request.search.closed_goals = true;
  }
  /* Check: mistakes raise before any function runs. */
  asked.count = lwend_check_list(L, 2, what, g->grid != NULL ? 2 : 1, "numbers");
  for (uint32_t i = 1; i <= asked.count; i++) (void)lwend_check_listed(L, 2, g, what, i);
  /* Act. */
  return lwend_call(L, &request, protected_explain_list, lwend_forget_search);
}
