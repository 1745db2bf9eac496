/* SPDX-License-Identifier: MIT */
/* graph:nearest and graph:nearest_edge. The core finds the nearest nodes and edges that meet the conditions
 * (src/core/query/finder.c). The options can_reach and reachable_from become fields first: `can_reach` a field toward the
 * nodes, `reachable_from` a field made with `outward`. But if labels tell what leads to the nodes (wend_search_can_reach), the
 * core asks these, and no field is made for can_reach. The same holds for grid:nearest and map:random (choice.c). */
#include "lua/lwend.h"

/* The subject of the request. */
typedef struct lookup {
  bool edges;
  int dimensions;
  double point[3];
  struct lwend_field *to, *from; /* of the options can_reach and reachable_from; NULL: not given */
  lwend_leads leads;             /* in place of `to` */
} lookup;

/* ---- Conditions --------------------------------------------------------------------------------------------- */

/* lwend_check_reach_option for a grid, unless the value is a field. */
static void check_reached_cells(lua_State *L, int index, const lwend_map *g, const char *what) {
  const int top = lua_gettop(L);
  lua_pushvalue(L, index);
  lwend_spread(L, top + 1, 2);
  if (lua_gettop(L) == top + 2) { /* a cell */
    const char *x_name, *y_name;
    x_name = lua_pushfstring(L, "%s.x", what);
    y_name = lua_pushfstring(L, "%s.y", what);
    (void)lwend_check_cell(L, top + 1, g, x_name, y_name);
    lua_createtable(L, 2, 0);
    for (int i = 1; i <= 2; i++) {
      lua_pushvalue(L, top + i);
      lua_rawseti(L, -2, i);
    }
    lua_replace(L, index);
  } else {
    uint32_t count;
    if (!lua_istable(L, index)) lwend_type_error(L, index, what, "a cell, a list of cells or a field");
    count = lwend_check_list(L, index, what, 2, "numbers");
    if (count == 0) luaL_error(L, "%s must be a cell, a list of cells or a field, got an empty list", what);
    for (uint32_t i = 1; i <= count; i++) (void)lwend_check_listed_cell(L, index, g, what, i);
  }
  lua_settop(L, top);
}

void lwend_check_reach_option(lua_State *L, int index, const lwend_map *g, bool outward, const char *what) {
  if (lua_isnil(L, index)) return;
  if (lwend_is_field(L, index)) {
    (void)lwend_check_reach(L, index, g, outward, what);
  } else if (g->grid != NULL) {
    check_reached_cells(L, index, g, what);
  } else if (lua_istable(L, index)) {
    const size_t count = lua_rawlen(L, index);
    if (count == 0) luaL_error(L, "%s must be a node, a list of nodes or a field, got an empty list", what);
    for (size_t i = 1; i <= count; i++) (void)lwend_check_listed_node(L, index, g, what, i);
  } else {
    (void)lwend_check_node(L, index, g, what);
  }
}

bool lwend_make_reach_field(lua_State *L, int frame, int index, bool outward) {
  static const struct {
    const char *name;
    int slot;
  } passed[] = {{"costs", LWEND_COSTS}, {"agent", LWEND_AGENT}, {"cost", LWEND_COST}, {"at_least", LWEND_AT_LEAST}};
  enum { PASSED = sizeof passed / sizeof *passed };
  if (lua_isnil(L, index) || lwend_is_field(L, index)) return true;
  lua_getfield(L, 1, "field");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, index);
  lua_createtable(L, 0, PASSED + 1);
  for (int i = 0; i < PASSED; i++) {
    lua_pushvalue(L, frame + passed[i].slot);
    lua_setfield(L, -2, passed[i].name);
  }
  lua_pushboolean(L, outward);
  lua_setfield(L, -2, "outward");
  lua_call(L, 3, 3);
  if (lua_isnil(L, -3)) return false;
  lua_pop(L, 2);
  lua_replace(L, index);
  return true;
}

bool lwend_begin_leads(lua_State *L, lwend_leads *leads, lwend_request *request, lwend_map *g, int slot) {
  const int to = request->frame + slot;
  leads->tried = !lua_isnil(L, to) && !lwend_is_field(L, to) && lua_isnil(L, request->frame + LWEND_COST);
  leads->known = leads->failed = false;
  if (!leads->tried) return false;
  lwend_request_set_map(L, request, g, 1);
  if (lua_istable(L, to)) lwend_request_set(L, request, LWEND_GOALS, to);
  else request->to = lwend_check_node(L, to, g, "can_reach");
  return true;
}

bool lwend_know_leads(lua_State *L, lwend_leads *leads, lwend_request *request) {
  leads->request = request;
  leads->count = lwend_read_goals(L, request);
  leads->known = wend_search_knows_reach(request->searcher->search, request->g->map, &request->search.costs);
  return leads->known;
}

bool lwend_ask_leads(void *ud, wend_id from) {
  lwend_leads *leads = ud;
  const lwend_request *request = leads->request;
  bool reached = false;
  if (wend_search_can_reach(request->searcher->search, request->g->map, from, request->searcher->goals, leads->count,
                            &request->search.costs, &reached) != WEND_OK)
    leads->failed = true;
  return reached;
}

/* In which directions the agent can take an edge: from its first end, and from its second. */
typedef struct passage {
  wend_id edge;
  bool forth, back;
} passage;

static int protected_passage(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  passage *asked = request->subject;
  double forth = INFINITY, back = INFINITY;
  if (lwend_request_ready(L, request)) {
    const wend_costs *costs = &request->search.costs;
    request->status = WEND_OK;
    lwend_costs_push(L, request);
    if (wend_graph_edge_cost(request->g->graph, costs, asked->edge, false, &forth) == WEND_NO_MEMORY ||
        wend_graph_edge_cost(request->g->graph, costs, asked->edge, true, &back) == WEND_NO_MEMORY)
      lwend_no_memory(L);
  }
  asked->forth = forth < INFINITY;
  asked->back = back < INFINITY;
  return 0;
}

/* The callback passage of the core. Each edge has a request of its own: if a rule fails, only this edge is tested again. */
static wend_status find_passage(void *ud, wend_id edge, bool *forth, bool *back) {
  lwend_request *outer = ud, request;
  lua_State *L = outer->L;
  const int top = lua_gettop(L);
  passage asked = {edge, false, false};
  lwend_request_start(L, &request, outer->state, outer->g, LWEND_MAP);
  request.subject = &asked;
  request.locks = 1; /* that of the outer request */
  for (int slot = LWEND_COSTS; slot <= LWEND_AT_LEAST; slot++)
    if (!lua_isnil(L, slot)) lwend_request_set(L, &request, slot, slot);
  lwend_check_costs(L, &request);
  lwend_call(L, &request, outer->state->passage_ref, lwend_forget_search);
  lua_settop(L, top);
  *forth = asked.forth;
  *back = asked.back;
  return request.status;
}

/* Checks the option into at index: a table whose items 1 and 2 are nil or two tables. */
static void check_into(lua_State *L, const lwend_request *request, int index) {
  if (lua_isnil(L, index)) return;
  if (!request->listed) luaL_error(L, "into needs k: without k the results are numbers");
  for (int i = 1; i <= 2; i++) {
    lua_rawgeti(L, index, i);
    if (!lua_isnil(L, -1) && !lua_istable(L, -1)) lwend_type_error(L, -1, i == 1 ? "into[1]" : "into[2]", "a table");
  }
  if (!lua_isnil(L, -1) && lua_rawequal(L, -1, -2)) luaL_error(L, "into must hold two tables, got one table twice");
  lua_pop(L, 2);
}

/* ---- The lookup --------------------------------------------------------------------------------------------- */

static void begin_looking(lwend_request *request) {
  const lookup *look = request->subject;
  if (look->to != NULL) ++*lwend_field_readers(look->to);
  if (look->from != NULL) ++*lwend_field_readers(look->from);
  request->reading = true;
}

static void end_looking(lwend_request *request) {
  const lookup *look = request->subject;
  if (!request->reading) return;
  if (look->to != NULL) --*lwend_field_readers(look->to);
  if (look->from != NULL) --*lwend_field_readers(look->from);
  request->reading = false;
}

/* Pushes node and distance, or edge, point and distance. Returns the number of values. */
static int push_near(lua_State *L, const lookup *look, const wend_near *near) {
  const int numbers = look->edges ? look->dimensions : 0;
  lwend_pushwhole(L, near->id);
  for (int d = 0; d < numbers; d++) lua_pushnumber(L, near->point[d]);
  lua_pushnumber(L, near->distance);
  return 2 + numbers;
}

/* Pushes list i of the option into, 1 or 2. Pushes a new list if there is none, which the option keeps. Returns its index. */
static int push_into_list(lua_State *L, int i, uint32_t count) {
  const bool fresh = lua_isnil(L, LWEND_INTO);
  if (!fresh) {
    lua_rawgeti(L, LWEND_INTO, i);
    if (lua_istable(L, -1)) return lua_gettop(L);
    lua_pop(L, 1);
  }
  lua_createtable(L, (int)count, 0);
  if (!fresh) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, LWEND_INTO, i);
  }
  return lua_gettop(L);
}

/* Sets the items of a list after the first `count` to nil. */
static void cut_list(lua_State *L, int list, uint32_t count) {
  for (int i = (int)lua_rawlen(L, list); i > (int)count; i--) {
    lua_pushnil(L);
    lua_rawseti(L, list, i);
  }
}

/* Pushes the results: one result or nil; with the option k, lists of nodes and distances. Returns the number of values. */
static int push_results(lua_State *L, const lwend_request *request, const wend_near *found, uint32_t count) {
  int nodes, distances;
  if (!request->listed && count == 0) return lua_pushnil(L), 1;
  if (!request->listed) return push_near(L, request->subject, found);
  nodes = push_into_list(L, 1, count);
  distances = push_into_list(L, 2, count);
  for (uint32_t i = 0; i < count; i++) {
    lwend_pushwhole(L, found[i].id);
    lua_rawseti(L, nodes, (int)i + 1);
    lua_pushnumber(L, found[i].distance);
    lua_rawseti(L, distances, (int)i + 1);
  }
  cut_list(L, nodes, count);
  cut_list(L, distances, count);
  return 2;
}

static int protected_nearest(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_searcher *searcher = request->searcher;
  lookup *asked = request->subject;
  const lookup *look = asked;
  wend_find_opts opts = wend_find_opts_default();
  lwend_clear clear = {L, request->g, LWEND_CLEAR, look->dimensions};
  const wend_near *found;
  uint32_t count;
  request->L = L;
  if (asked->leads.tried) {
    if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
    request->status = WEND_OK;
    if (!lwend_know_leads(L, &asked->leads, request)) return 0;
    opts.leads = lwend_ask_leads;
    opts.leads_ud = &asked->leads;
  }
  begin_looking(request);
  if (searcher->finder == NULL) searcher->finder = wend_finder_create(&request->state->alloc);
  if (searcher->finder == NULL) return lwend_no_memory(L);
  opts.max_distance = request->max_distance;
  opts.k = request->k;
  if (look->to != NULL) opts.can_reach = lwend_field_of(look->to);
  if (look->from != NULL) opts.reachable_from = lwend_field_of(look->from);
  opts.passage = find_passage;
  opts.passage_ud = request;
  opts.clear = lua_isnil(L, LWEND_CLEAR) ? NULL : lwend_ask_clear;
  opts.clear_ud = &clear;
  request->status = (look->edges ? wend_finder_edges : wend_finder_nodes)(searcher->finder, request->g->graph, look->point,
                                                                          &opts, &found, &count);
  if (request->status == WEND_NO_MEMORY || asked->leads.failed) lwend_no_memory(L);
  end_looking(request);
  if (request->status == WEND_STALE) return lwend_push_stale(L, request);
  return push_results(L, request, found, count);
}

/* Finds one node or edge without conditions. Runs no script. */
static int find_one(lua_State *L, const lookup *look, const lwend_map *g, double max_distance) {
  wend_near near;
  uint32_t count;
  if ((look->edges ? wend_graph_nearest_edges : wend_graph_nearest)(g->graph, look->point, max_distance, 1, &near, &count) !=
      WEND_OK)
    return lwend_no_memory(L);
  lwend_gc_step(L, lwend_state_of(L));
  if (count == 0) return lua_pushnil(L), 1;
  return push_near(L, look, &near);
}

/* by_labels: tries labels for the option can_reach. *unknown: they do not tell; nothing was done. */
static int look_up(lua_State *L, bool edges, bool by_labels, bool *unknown) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_graph(L, 1);
  lwend_request request;
  lookup look;
  int at, to, from, results;
  *unknown = false;
  look.edges = edges;
  look.dimensions = wend_graph_dimensions(g->graph);
  look.to = look.from = NULL;
  /* Read. */
  at = lwend_check_point(L, 2, look.dimensions, look.point);
  if (lua_isnoneornil(L, at)) return find_one(L, &look, lwend_check_alive(L, g), INFINITY);
  lua_settop(L, at);
  lwend_request_init(L, &request, state);
  lwend_read_options(L, &request, at, edges ? LWEND_FOR_NEAREST_EDGE : LWEND_FOR_NEAREST);
  to = request.frame + LWEND_CAN_REACH, from = request.frame + LWEND_REACHABLE_FROM;
  check_into(L, &request, request.frame + LWEND_INTO);
  lwend_check_reach_option(L, to, g, false, "can_reach");
  lwend_check_reach_option(L, from, g, true, "reachable_from");
  look.leads.tried = look.leads.failed = false;
  if (by_labels && lwend_begin_leads(L, &look.leads, &request, g, LWEND_CAN_REACH)) lwend_check_costs(L, &request);
  else if (!lwend_make_reach_field(L, request.frame, to, false)) return 3;
  if (!lwend_make_reach_field(L, request.frame, from, true)) return 3;
  /* Check again: making fields runs scripts. */
  lwend_check_alive(L, g);
  if (!lua_isnil(L, to) && !look.leads.tried) look.to = lwend_check_reach(L, to, g, false, "can_reach");
  if (!lua_isnil(L, from)) look.from = lwend_check_reach(L, from, g, true, "reachable_from");
  /* Act. */
  if (!request.listed && look.to == NULL && !look.leads.tried && look.from == NULL && lua_isnil(L, request.frame + LWEND_CLEAR))
    return find_one(L, &look, g, request.max_distance);
  if (!look.leads.tried) lwend_request_set_map(L, &request, g, 1);
  request.subject = &look;
  results = lwend_call(L, &request, state->nearest_ref, end_looking);
  lwend_gc_step(L, state);
  *unknown = look.leads.tried && request.status == WEND_OK && !look.leads.known;
  return results;
}

static int nearest(lua_State *L, bool edges) {
  const int top = lua_gettop(L);
  bool unknown;
  int results = look_up(L, edges, true, &unknown);
  if (!unknown) return results;
  lua_settop(L, top);
  return look_up(L, edges, false, &unknown);
}

/* graph:nearest(x, y[, z][, opts]), graph:nearest(position[, opts]) -> node, distance, or nil; with k: list of nodes, list
 * of distances; or nil, message, "stale" */
int lwend_graph_nearest(lua_State *L) { return nearest(L, false); }
/* graph:nearest_edge(x, y[, z][, opts]), graph:nearest_edge(position[, opts]) -> edge, x, y[, z], distance, or nil; or nil,
 * message, "stale" */
int lwend_graph_nearest_edge(lua_State *L) { return nearest(L, true); }

void lwend_open_nearest(lua_State *L, lwend_state *state) {
  state->nearest_ref = lwend_protected(L, state, protected_nearest);
  state->passage_ref = lwend_protected(L, state, protected_passage);
}
