/* SPDX-License-Identifier: MIT */
/* graph:nearest and graph:nearest_edge. The core finds what is near; the other conditions are tested here, nearest
 * first, with the graph locked. */
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
  bool picky;       /* there are conditions besides the distance */
  int clear, costs; /* where they lie on the stack, `costs` with the three that follow it */
  struct lwend_field *to, *from;
  bool stale; /* on_error has edited the graph */
} lookup;

/* Raises where the value at index is no node, no list of nodes and no field. */
static void check_reach(lua_State *L, const lookup *look, int index, bool outward, const char *what) {
  if (lua_isnil(L, index)) return;
  if (lwend_is_field(L, index)) {
    (void)lwend_check_reach(L, index, look->g, outward, what);
  } else if (lua_istable(L, index)) {
    const size_t count = lua_rawlen(L, index);
    if (count == 0) luaL_error(L, "%s must be a node, a list of nodes or a field, got an empty list", what);
    for (size_t i = 1; i <= count; i++) (void)lwend_check_listed_node(L, index, look->g, what, i);
  } else {
    (void)lwend_check_node(L, index, look->g, what);
  }
}

/* Puts a field of what can reach the nodes at index, or be reached from them, in their place; a field stays. False: it is
 * stale, and nil, a message and a code are pushed. */
static bool make_reach(lua_State *L, const lookup *look, int index, bool outward) {
  static const char *const passed[] = {"costs", "agent", "cost", "at_least"};
  if (lua_isnil(L, index) || lwend_is_field(L, index)) return true;
  lua_getfield(L, 1, "field");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, index);
  lua_createtable(L, 0, 5);
  for (int i = 0; i < 4; i++) {
    lua_pushvalue(L, look->costs + i);
    lua_setfield(L, -2, passed[i]);
  }
  lua_pushboolean(L, outward);
  lua_setfield(L, -2, "outward");
  lua_call(L, 3, 3);
  if (lua_isnil(L, -3)) return false;
  lua_pop(L, 2);
  lua_replace(L, index);
  return true;
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
    query->status = WEND_OK;
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

static passage find_passage(lua_State *L, lookup *look, wend_id edge) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L), o = look->costs;
  passage asked = {edge, false, false};
  lwend_query query;
  int values;
  lwend_query_start(L, &query, state, look->g);
  query.subject = &asked;
  query.locks = 1; /* the one of this lookup */
  values = lwend_query_values(L, &query, 1, 0, o, o + 1, o + 2, o + 3, 0, 0, 0);
  lwend_call(L, &query, state->passage_ref, values, lwend_forget_search);
  look->stale = query.status == WEND_STALE;
  lua_settop(L, top);
  return asked;
}

/* Whether one that is near is what was asked for. */
static bool is_wanted(lua_State *L, lookup *look, const wend_near *near) {
  if (look->edges) {
    wend_edge edge;
    if (look->to != NULL || look->from != NULL) {
      const passage can = find_passage(L, look, near->id);
      if (look->stale) return false;
      if (wend_graph_edge(look->g->graph, near->id, &edge) != WEND_OK) lwend_no_memory(L);
      if (!(can.forth && lwend_reaches(look->to, edge.to)) && !(can.back && lwend_reaches(look->to, edge.from))) return false;
      if (!(can.forth && lwend_reaches(look->from, edge.from)) && !(can.back && lwend_reaches(look->from, edge.to)))
        return false;
    }
  } else {
    if (!lwend_reaches(look->to, near->id) || !lwend_reaches(look->from, near->id)) return false;
  }
  return lua_isnil(L, look->clear) || lwend_is_clear(L, look->g, look->clear, look->point, near->point, look->dimensions);
}

static uint32_t ask(lua_State *L, const lookup *look, uint32_t most, wend_near *found) {
  uint32_t count;
  wend_status status =
      (look->edges ? wend_graph_nearest_edges : wend_graph_nearest)(look->g->graph, look->point, look->max_distance, most, found, &count);
  if (status != WEND_OK) lwend_no_memory(L);
  return count;
}

/* Pushes a userdata with the wanted ones, nearest first: how many. The graph is locked. */
static uint32_t find(lua_State *L, lookup *look, wend_near **list) {
  const uint32_t all = look->edges ? wend_graph_edge_count(look->g->graph) : wend_graph_node_count(look->g->graph);
  uint32_t most = look->picky && look->k < FIRST_LOOK ? FIRST_LOOK : look->k, tested = 0, kept = 0;
  for (int top = lua_gettop(L);; most = most > all / 4 ? all : most * 4) {
    uint32_t count;
    wend_near *found;
    if (most > all) most = all;
    found = lua_newuserdata(L, ((size_t)most + 1) * sizeof *found);
    count = most > 0 ? ask(L, look, most, found) : 0;
    if (tested > 0) { /* what was wanted so far */
      for (uint32_t i = 0; i < kept; i++) found[i] = (*list)[i];
      lua_remove(L, top + 1);
    }
    *list = found;
    if (!look->picky) return count;
    for (; tested < count && kept < look->k; tested++) {
      if (is_wanted(L, look, &found[tested])) found[kept++] = found[tested];
      if (look->stale) return 0;
    }
    if (kept == look->k || count < most || most == all) return kept;
  }
}

/* The same values as its caller's, from 1 on: the indices in the lookup, which comes last, hold for both. -> a userdata
 * and how many it holds */
static int protected_nearest(lua_State *L) {
  lookup *look = lua_touserdata(L, -1);
  wend_near *list = NULL;
  uint32_t count = find(L, look, &list);
  lwend_pushwhole(L, count);
  return 2;
}

/* How many there are; *found holds them until the stack is popped. 0 and look->stale: nil, a message and a code are
 * pushed. */
static uint32_t find_locked(lua_State *L, lookup *look, wend_near *only, wend_near **found) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L);
  uint64_t count = 0;
  int failed;
  lwend_check_alive(L, look->g);
  if (look->k == 1 && !look->picky) return ask(L, look, 1, *found = only); /* runs no script */
  luaL_checkstack(L, top + LUA_MINSTACK, "too much nesting");
  lwend_check_depth(L, state);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->nearest_ref);
  for (int i = 1; i <= top; i++) lua_pushvalue(L, i);
  lua_pushlightuserdata(L, look);
  look->g->searching++;
  if (look->to != NULL) ++*lwend_field_readers(look->to);
  if (look->from != NULL) ++*lwend_field_readers(look->from);
  failed = lwend_protect(L, state, top + 1, 2);
  look->g->searching--;
  if (look->to != NULL) --*lwend_field_readers(look->to);
  if (look->from != NULL) --*lwend_field_readers(look->from);
  if (failed) lua_error(L);
  (void)lwend_towhole(L, -1, &count);
  *found = lua_touserdata(L, -2);
  return (uint32_t)count;
}

static int push_stale(lua_State *L) {
  lua_pushnil(L);
  lua_pushliteral(L, "the graph or the costs have changed since the search began");
  lua_pushstring(L, wend_status_code(WEND_STALE));
  return 3;
}

/* Reads the arguments from 2 on; returns where the options lie, 0: there are none. False in *ready: a field is stale, and
 * the failure is pushed. */
static int check_lookup(lua_State *L, lookup *look, bool edges, bool *ready) {
  int at, o, to, from, options[OPT_AT_LEAST + 1];
  look->g = lwend_check_graph(L, 1);
  look->edges = edges;
  look->dimensions = wend_graph_dimensions(look->g->graph);
  look->max_distance = INFINITY;
  look->k = 1;
  look->clear = look->costs = 0;
  look->to = look->from = NULL;
  look->picky = look->stale = false;
  *ready = true;
  at = lwend_check_point(L, 2, look->dimensions, look->point);
  if (lua_isnoneornil(L, at)) return 0;
  lua_settop(L, at);
  o = lwend_options(L, at, edges ? edge_options : node_options);
  for (int i = 0; i <= OPT_AT_LEAST; i++) options[i] = o + i - (edges && i > OPT_K);
  if (!lua_isnil(L, options[OPT_MAX_DISTANCE]))
    look->max_distance = lwend_check_number(L, options[OPT_MAX_DISTANCE], "max_distance", 0, INFINITY);
  lwend_check_clear(L, options[OPT_CLEAR]);
  look->clear = options[OPT_CLEAR];
  if (!edges && !lua_isnil(L, o + OPT_K)) {
    uint64_t k = 0;
    if (!lwend_towhole(L, o + OPT_K, &k) || k < 1) lwend_type_error(L, o + OPT_K, "k", "a whole number >= 1");
    look->k = k < WEND_NONE / 2 ? (uint32_t)k : WEND_NONE / 2;
  }
  look->costs = options[OPT_COSTS];
  to = options[OPT_CAN_REACH], from = options[OPT_REACHABLE_FROM];
  check_reach(L, look, to, false, "can_reach");
  check_reach(L, look, from, true, "reachable_from");
  *ready = make_reach(L, look, to, false) && make_reach(L, look, from, true);
  if (!*ready) return o;
  /* Making fields runs scripts: what was checked is checked again. */
  lwend_check_alive(L, look->g);
  if (!lua_isnil(L, to)) look->to = lwend_check_reach(L, to, look->g, false, "can_reach");
  if (!lua_isnil(L, from)) look->from = lwend_check_reach(L, from, look->g, true, "reachable_from");
  look->picky = !lua_isnil(L, look->clear) || look->to != NULL || look->from != NULL;
  return o;
}

/* graph:nearest(x, y[, z][, opts]) -> node, distance, or nil; with k lists of both; or nil, message, "stale" */
static int graph_nearest(lua_State *L) {
  lookup look;
  wend_near one, *found = &one;
  uint32_t count;
  bool ready;
  int o = check_lookup(L, &look, false, &ready);
  if (!ready) return 3;
  count = find_locked(L, &look, &one, &found);
  if (look.stale) return push_stale(L);
  lwend_gc_step(L, lwend_state_of(L));
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

/* graph:nearest_edge(x, y[, z][, opts]) -> edge, x, y[, z], distance, or nil; or nil, message, "stale" */
static int graph_nearest_edge(lua_State *L) {
  lookup look;
  wend_near one, *found = &one;
  uint32_t count;
  bool ready;
  (void)check_lookup(L, &look, true, &ready);
  if (!ready) return 3;
  count = find_locked(L, &look, &one, &found);
  if (look.stale) return push_stale(L);
  lwend_gc_step(L, lwend_state_of(L));
  if (count == 0) return lua_pushnil(L), 1;
  lwend_pushwhole(L, found->id);
  for (int d = 0; d < look.dimensions; d++) lua_pushnumber(L, found->point[d]);
  lua_pushnumber(L, found->distance);
  return 2 + look.dimensions;
}

/* Adds them to graphs. */
void lwend_open_nearest(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"nearest", graph_nearest}, {"nearest_edge", graph_nearest_edge}, {NULL, NULL}};
  state->nearest_ref = lwend_protected(L, state, protected_nearest);
  state->passage_ref = lwend_protected(L, state, protected_passage);
  lwend_add_methods(L, state, state->graph_ref, methods);
}
