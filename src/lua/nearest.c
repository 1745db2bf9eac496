/* SPDX-License-Identifier: MIT */
/* graph:nearest and graph:nearest_edge. The core finds what is near; what else is asked of it is asked here, nearest
 * first, with nothing of the core at work: functions of the script may do what they like. */
#include "lwend.h"

enum { OPT_MAX_DISTANCE, OPT_K, OPT_CAN_REACH, OPT_REACHABLE_FROM, OPT_CLEAR, OPT_COSTS, OPT_AGENT, OPT_COST, OPT_AT_LEAST };
static const char *const node_options[] = {"max_distance", "k",     "can_reach", "reachable_from", "clear",
                                           "costs",        "agent", "cost",      "at_least",       NULL};
static const char *const edge_options[] = {"max_distance", "can_reach", "reachable_from", "clear",
                                           "costs",        "agent",     "cost",           "at_least", NULL};

/* So many are looked at first, and then four times as many, where some are not wanted. */
#define FIRST_LOOK 4u

typedef struct lookup {
  lwend_map *g;
  bool edges;
  int dimensions;
  double point[3], max_distance;
  uint32_t k;
  int clear, costs; /* where they lie on the stack, `costs` with the three that follow it; 0: none */
  const wend_field *to, *from;
} lookup;

/* Pushes a field of what can reach the places at index, or be reached from them; where it is one already, that. */
static const wend_field *push_reach(lua_State *L, const lookup *look, int index, bool outward, const char *what, int costs) {
  static const char *const passed[] = {"costs", "agent", "cost", "at_least"};
  if (lua_isnil(L, index)) return NULL;
  if (lwend_is_field(L, index)) {
    lua_pushvalue(L, index);
    return lwend_check_reach(L, -1, look->g, outward, what);
  }
  if (lua_istable(L, index)) {
    const int count = (int)lua_rawlen(L, index);
    if (count == 0) luaL_error(L, "%s must be a node, a list of nodes or a field, got an empty list", what);
    for (int i = 1; i <= count; i++) {
      lua_rawgeti(L, index, i);
      lua_pushfstring(L, "%s[%d]", what, i);
      (void)lwend_check_node(L, -2, look->g, lua_tostring(L, -1));
      lua_pop(L, 2);
    }
  } else {
    (void)lwend_check_node(L, index, look->g, what);
  }
  lua_getfield(L, 1, "field");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, index);
  lua_createtable(L, 0, 5);
  for (int i = 0; i < 4; i++) {
    lua_pushvalue(L, costs + i);
    lua_setfield(L, -2, passed[i]);
  }
  lua_pushboolean(L, outward);
  lua_setfield(L, -2, "outward");
  lua_call(L, 3, 1);
  return lwend_check_reach(L, -1, look->g, outward, what);
}

/* An edge as an agent sees it. */
typedef struct passage {
  wend_id edge;
  bool forth, back; /* whether it can be taken */
} passage;

static int protected_passage(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  passage *asked = query->subject;
  double forth = INFINITY, back = INFINITY;
  if (lwend_query_ready(L, query)) {
    const wend_costs *costs = &query->opts.costs;
    lwend_costs_push(L, query);
    if (wend_graph_edge_cost(query->g->graph, costs, asked->edge, false, &forth) == WEND_NO_MEMORY ||
        wend_graph_edge_cost(query->g->graph, costs, asked->edge, true, &back) == WEND_NO_MEMORY)
      lwend_no_memory(L);
  }
  asked->forth = forth < INFINITY;
  asked->back = back < INFINITY;
  return 0;
}

static passage find_passage(lua_State *L, const lookup *look, wend_id edge) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L), o = look->costs;
  passage asked = {edge, false, false};
  lwend_query query;
  lwend_query_start(L, &query, state, look->g);
  query.subject = &asked;
  lwend_call(L, &query, state->passage_ref, lwend_query_values(L, &query, 1, 0, o, o + 1, o + 2, o + 3, 0, 0, 0),
             lwend_forget_search);
  lua_settop(L, top);
  return asked;
}

static bool reaches(const wend_field *field, wend_id node) {
  double cost;
  return field == NULL || wend_field_cost(field, node, &cost);
}

/* `clear` may have removed it. */
static bool is_there(const lookup *look, wend_id id) {
  return look->edges ? wend_graph_has_edge(look->g->graph, id) : wend_graph_has_node(look->g->graph, id);
}

/* Whether one that is near is what was asked for. */
static bool is_wanted(lua_State *L, const lookup *look, const wend_near *near) {
  if (!is_there(look, near->id)) return false;
  if (look->edges) {
    wend_edge edge;
    if (look->to != NULL || look->from != NULL) {
      const passage can = find_passage(L, look, near->id);
      if (wend_graph_edge(look->g->graph, near->id, &edge) != WEND_OK) lwend_no_memory(L);
      if (!(can.forth && reaches(look->to, edge.to)) && !(can.back && reaches(look->to, edge.from))) return false;
      if (!(can.forth && reaches(look->from, edge.from)) && !(can.back && reaches(look->from, edge.to))) return false;
    }
  } else {
    if (!reaches(look->to, near->id) || !reaches(look->from, near->id)) return false;
  }
  if (look->clear == 0) return true;
  return lwend_is_clear(L, look->clear, look->point, near->point, look->dimensions) && is_there(look, near->id);
}

static uint32_t ask(lua_State *L, const lookup *look, uint32_t most, wend_near *found) {
  uint32_t count;
  wend_status status =
      (look->edges ? wend_graph_nearest_edges : wend_graph_nearest)(look->g->graph, look->point, look->max_distance, most, found, &count);
  if (status != WEND_OK) lwend_no_memory(L);
  return count;
}

/* Fills in the wanted ones, nearest first, and pushes a userdata with them, or leaves the one in *only: how many. */
static uint32_t find(lua_State *L, const lookup *look, wend_near *only, wend_near **list) {
  const bool picky = look->clear != 0 || look->to != NULL || look->from != NULL;
  const uint32_t all = look->edges ? wend_graph_edge_count(look->g->graph) : wend_graph_node_count(look->g->graph);
  uint32_t most = picky && look->k < FIRST_LOOK ? FIRST_LOOK : look->k, tested = 0, kept = 0;
  if (look->k == 1 && !picky) return ask(L, look, 1, *list = only);
  if (all == 0) return 0;
  for (int top = lua_gettop(L);; most = most > all / 4 ? all : most * 4) {
    uint32_t count;
    wend_near *found;
    if (most > all) most = all;
    found = lua_newuserdata(L, most * sizeof *found);
    count = ask(L, look, most, found);
    if (!picky) return *list = found, count;
    if (tested > 0) { /* what was wanted so far */
      for (uint32_t i = 0; i < kept; i++) found[i] = (*list)[i];
      lua_remove(L, top + 1);
    }
    *list = found;
    for (; tested < count && kept < look->k; tested++)
      if (is_wanted(L, look, &found[tested])) found[kept++] = found[tested];
    if (kept == look->k || count < most || most == all) return kept;
  }
}

/* Reads the arguments from 2 on; returns where the options lie. */
static int check_lookup(lua_State *L, lookup *look, bool edges) {
  int at, o, options[OPT_AT_LEAST + 1];
  look->g = lwend_check_graph(L, 1);
  look->edges = edges;
  look->dimensions = wend_graph_dimensions(look->g->graph);
  look->max_distance = INFINITY;
  look->k = 1;
  look->clear = look->costs = 0;
  look->to = look->from = NULL;
  at = lwend_check_point(L, 2, look->dimensions, look->point);
  if (lua_isnoneornil(L, at)) return 0;
  lua_settop(L, at);
  o = lwend_options(L, at, edges ? edge_options : node_options);
  for (int i = 0; i <= OPT_AT_LEAST; i++) options[i] = o + i - (edges && i > OPT_K);
  if (!lua_isnil(L, options[OPT_MAX_DISTANCE]))
    look->max_distance = lwend_check_number(L, options[OPT_MAX_DISTANCE], "max_distance", 0, INFINITY);
  lwend_check_clear(L, options[OPT_CLEAR]);
  if (!lua_isnil(L, options[OPT_CLEAR])) look->clear = options[OPT_CLEAR];
  if (!edges && !lua_isnil(L, o + OPT_K)) {
    uint64_t k = 0;
    if (!lwend_towhole(L, o + OPT_K, &k) || k < 1) lwend_wanted(L, o + OPT_K, "k", "a whole number >= 1");
    look->k = k < WEND_NONE / 2 ? (uint32_t)k : WEND_NONE / 2;
  }
  look->costs = options[OPT_COSTS];
  look->to = push_reach(L, look, options[OPT_CAN_REACH], false, "can_reach", options[OPT_COSTS]);
  look->from = push_reach(L, look, options[OPT_REACHABLE_FROM], true, "reachable_from", options[OPT_COSTS]);
  return o;
}

/* graph:nearest(x, y[, z][, opts]) -> node, distance, or nil; with k lists of both */
static int graph_nearest(lua_State *L) {
  lookup look;
  wend_near one, *found = &one;
  int o = check_lookup(L, &look, false);
  uint32_t count = find(L, &look, &one, &found);
  lwend_pay(L, lwend_state_of(L));
  if (o == 0 || lua_isnil(L, o + OPT_K)) {
    if (count == 0) return lua_pushnil(L), 1;
    lwend_pushwhole(L, found->id);
    lua_pushnumber(L, found->distance);
    return 2;
  }
  lua_createtable(L, (int)count, 0);
  lua_createtable(L, (int)count, 0);
  for (uint32_t i = 0; i < count; i++) {
    lwend_pushwhole(L, found[i].id);
    lua_rawseti(L, -3, (int)i + 1);
    lua_pushnumber(L, found[i].distance);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 2;
}

/* graph:nearest_edge(x, y[, z][, opts]) -> edge, x, y[, z], distance, or nil */
static int graph_nearest_edge(lua_State *L) {
  lookup look;
  wend_near one, *found = &one;
  (void)check_lookup(L, &look, true);
  uint32_t count = find(L, &look, &one, &found);
  lwend_pay(L, lwend_state_of(L));
  if (count == 0) return lua_pushnil(L), 1;
  lwend_pushwhole(L, found->id);
  for (int d = 0; d < look.dimensions; d++) lua_pushnumber(L, found->point[d]);
  lua_pushnumber(L, found->distance);
  return 2 + look.dimensions;
}

/* Adds them to graphs. */
void lwend_open_nearest(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"nearest", graph_nearest}, {"nearest_edge", graph_nearest_edge}, {NULL, NULL}};
  state->passage_ref = lwend_protected(L, state, protected_passage);
  lwend_add_methods(L, state, state->graph_ref, methods);
}
