/* SPDX-License-Identifier: MIT */
/* Queries: map:path, map:search and path:explain, for graphs and grids.
 *
 * The arguments of a query are read and checked first. Then lwend_call locks the map, and one protected call does all
 * that runs callbacks or needs memory of Lua. An error in there, for example of a callback in the middle of the search,
 * returns to lwend_call, which unlocks the map, resets the search and raises the error again, with the name of the
 * rule. Ids were checked when the map had the version `query->version`; lwend_call checks them again if a finalizer has
 * edited the map since. */
#include <stddef.h>
#include <string.h>

#include "core/base/memory.h"
#include "lwend.h"

enum { OPT_COSTS, OPT_AGENT, OPT_COST, OPT_AT_LEAST, OPT_ALGORITHM, OPT_HEURISTIC, OPT_MAX_EXPANDED, OPT_MAX_COST,
       OPT_PARTIAL, OPT_VARIATION, OPT_SEED, OPT_INTO, OPT_STATS };
static const char *const path_options[] = {LWEND_SEARCH_OPTIONS, NULL};

int lwend_push_failure(lua_State *L, const lwend_query *query) {
  int top = lua_gettop(L);
  /* Node names are of no use to a stale query: the nodes may be gone. */
  const bool stale = query->status == WEND_STALE;
  const char *from = stale || query->from == WEND_NO_ID ? "any of the goals" : lwend_push_place_text(L, query->g, query->from);
  const char *to = stale || query->to == WEND_NO_ID ? "any of the goals" : lwend_push_place_text(L, query->g, query->to);
  switch (query->status) {
    case WEND_STALE:
      lua_pushfstring(L, "the %s or the costs have changed since the search began", query->g->noun);
      break;
    case WEND_BUDGET: lua_pushfstring(L, "no path from %s to %s within the budget", from, to); break;
    default: lua_pushfstring(L, "no path from %s to %s", from, to); break;
  }
  lua_insert(L, top + 1);
  lua_settop(L, top + 1);
  lua_pushnil(L);
  lua_insert(L, top + 1);
  lua_pushstring(L, wend_status_code(query->status));
  return 3;
}

int lwend_push_stale(lua_State *L, lwend_query *query) {
  query->status = WEND_STALE;
  return lwend_push_failure(L, query);
}

/* ---- What runs protected: LWEND_QUERY .. LWEND_COMPILED are on the stack ------------------------------------ */

/* A heuristic of the script. */
static double estimate(void *ud, wend_id node, wend_id goal) {
  lwend_query *query = ud;
  lua_State *L = query->L;
  double estimate;
  query->callee = CALLEE_HEURISTIC;
  lua_pushvalue(L, LWEND_HEURISTIC);
  lwend_ask(L, query->g, lwend_push_place(L, query->g, node) + lwend_push_place(L, query->g, goal), 1);
  estimate = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(estimate >= 0)) luaL_error(L, "wanted a number >= 0, got %s", lwend_describe(L, -1));
  lua_pop(L, 1);
  query->callee = CALLEE_NONE;
  return estimate;
}

/* How many goals the list at index holds; raises where there are none. */
static uint32_t count_goals(lua_State *L, const lwend_map *g, int index, const char *what) {
  size_t count = lua_rawlen(L, index);
  if (count > 0 && g->grid != NULL) count = lwend_check_list(L, index, what, 2, "numbers");
  if (count == 0 || count >= WEND_NONE)
    luaL_error(L, g->grid != NULL ? "%s must be a cell or a list of cells, got an empty list"
                                  : "%s must be a node or a list of nodes, got an empty list", what);
  return (uint32_t)count;
}

/* The goal number i, from 1, of the list at index. */
static wend_id goal_at(lua_State *L, const lwend_map *g, int index, const char *what, uint32_t i) {
  return g->grid == NULL ? lwend_check_listed_node(L, index, g, what, i) : lwend_check_listed_cell(L, index, g, what, i);
}

/* The goals, where they are a list: how many. */
uint32_t lwend_read_goals(lua_State *L, lwend_query *query) {
  lwend_searcher *searcher = query->searcher;
  uint32_t count = query->to == WEND_NO_ID ? count_goals(L, query->g, LWEND_TO, "goals") : 1;
  if (!WEND_GROW(&query->state->alloc, searcher->goals, searcher->goals_capacity, count)) lwend_no_memory(L);
  searcher->goals[0] = query->to;
  for (uint32_t i = 0; query->to == WEND_NO_ID && i < count; i++)
    searcher->goals[i] = goal_at(L, query->g, LWEND_TO, "goals", i + 1);
  return count;
}

bool lwend_query_ready(lua_State *L, lwend_query *query) {
  query->L = L;
  query->status = WEND_STALE;
  query->partial_path = false;
  query->opts.estimate = estimate;
  query->opts.heuristic_ud = query;
  if (lwend_check_alive(L, query->g), wend_map_version(query->g->map) != query->version) return false;
  lwend_costs_resolve(L, query);
  return true;
}

static void begin(lua_State *L, lwend_query *query) {
  wend_status status;
  uint32_t goal_count;
  if (!lwend_query_ready(L, query)) return;
  goal_count = lwend_read_goals(L, query);
  status = wend_search_begin(query->searcher->search, query->g->map, query->from, query->searcher->goals, goal_count,
                             &query->opts);
  if (status != WEND_OK) lwend_no_memory(L);
  query->status = WEND_RUNNING;
  query->begun = true;
}

static void set_number(lua_State *L, int index, const char *key, double number, bool whole) {
  lua_pushstring(L, key);
  if (whole)
    lwend_pushwhole(L, (uint64_t)number);
  else
    lua_pushnumber(L, number);
  lua_rawset(L, index);
}

void lwend_set_stats(lua_State *L, const wend_stats *stats) {
  if (lua_isnil(L, LWEND_STATS)) return;
  set_number(L, LWEND_STATS, "expanded", (double)stats->expanded, true);
  set_number(L, LWEND_STATS, "pushed", (double)stats->pushed, true);
  set_number(L, LWEND_STATS, "callbacks", (double)stats->callbacks, true);
  set_number(L, LWEND_STATS, "bound", stats->bound, false);
}

static void run(lua_State *L, lwend_query *query) {
  wend_search *search = query->searcher->search;
  wend_stats stats;
  query->L = L;
  if (query->status != WEND_RUNNING) return;
  lwend_costs_push(L, query);
  query->status = wend_search_step(search, query->slice);
  if (query->status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (query->opts.partial && (query->status == WEND_NO_PATH || query->status == WEND_BUDGET)) {
    if (wend_search_partial(search) != WEND_OK) lwend_no_memory(L);
    query->partial_path = true;
  }
  stats = wend_search_stats(search);
  lwend_set_stats(L, &stats);
}

/* Pushes the path, or nil, message, code. */
static int answer(lua_State *L, lwend_query *query) {
  if (query->status == WEND_OK || query->partial_path) {
    lwend_push_path(L, query);
    return 1;
  }
  lwend_empty_path(L, LWEND_INTO);
  return lwend_push_failure(L, query);
}

lwend_query *lwend_to_query(lua_State *L) { return lua_touserdata(L, LWEND_QUERY); }

static int protected_whole(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  begin(L, query);
  run(L, query);
  return answer(L, query);
}

static int protected_begin(lua_State *L) {
  begin(L, lwend_to_query(L));
  return 0;
}

static int protected_step(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  if (!query->begun) begin(L, query); /* once more, after a rule has failed */
  run(L, query);
  return 0;
}

static int protected_answer(lua_State *L) { return answer(L, lwend_to_query(L)); }

/* ---- Calling them ------------------------------------------------------------------------------------------ */

/* An error is at the top of the stack. Reports it to on_error and returns, with the rule left out from now on, or
 * raises it with the name of the rule and the caller's line. */
static void handle_error(lua_State *L, lwend_query *query, int values) {
  int error = lua_gettop(L), failed;
  int compiled = values + LWEND_COMPILED - LWEND_MAP, costs = values + LWEND_COSTS - LWEND_MAP;
  uint64_t rule;
  if (query->callee == CALLEE_NONE) lua_error(L);
  rule = lwend_costs_callee(L, query, values, compiled); /* error + 1: label, error + 2: name */
  query->callee = CALLEE_NONE;
  if (rule != 0 && query->failed_count < LWEND_FAILED_MAX) {
    lwend_costs_push_on_error(L, costs);
    if (!lua_isnil(L, -1)) {
      query->failed[query->failed_count++] = rule;
      lua_pushvalue(L, error + 2);
      if (lua_isstring(L, error))
        lua_pushvalue(L, error);
      else
        lwend_describe(L, error);
      query->g->searching -= query->locks; /* on_error may edit the map: the query is stale then */
      failed = lwend_protect(L, query->state, 2, 0);
      query->g->searching += query->locks;
      if (failed) lua_error(L);
      lua_settop(L, error - 1);
      return;
    }
  }
  if (lua_type(L, error) != LUA_TSTRING) {
    lua_settop(L, error); /* the script's own kind of error goes through as it is */
    lua_error(L);
  }
  luaL_error(L, "%s: %s", lua_tostring(L, error + 1), lua_tostring(L, error));
}

void lwend_forget_search(lwend_query *query) {
  wend_search_reset(query->searcher->search);
  query->begun = false;
}

/* Reading the other arguments may have run a finalizer that removed a node. */
static void check_ends_again(lua_State *L, lwend_query *query) {
  const wend_id ends[2] = {query->from, query->to};
  lwend_check_alive(L, query->g);
  if (query->begun || query->status == WEND_STALE || wend_map_version(query->g->map) == query->version) return;
  for (int i = 0; i < 2 && query->g->graph != NULL; i++) {
    if (ends[i] == WEND_NO_ID || wend_graph_has_node(query->g->graph, ends[i])) continue;
    lwend_pushwhole(L, ends[i]);
    luaL_error(L, "there is no node %s", lua_tostring(L, -1));
  }
  query->version = wend_map_version(query->g->map);
}

int lwend_call(lua_State *L, lwend_query *query, int function_ref, int values, void (*undo)(lwend_query *)) {
  lwend_state *state = query->state;
  int top = lua_gettop(L);
  luaL_checkstack(L, LWEND_COMPILED + LUA_MINSTACK, "too much nesting");
  lwend_check_depth(L, state);
  check_ends_again(L, query);
  for (;;) {
    int failed;
    query->callee = CALLEE_NONE;
    lua_rawgeti(L, LUA_REGISTRYINDEX, function_ref);
    lua_pushlightuserdata(L, query);
    for (int i = 0; i < LWEND_VALUES; i++) lua_pushvalue(L, values + i);
    query->running = true;
    query->g->searching++;
    failed = lwend_protect(L, state, 1 + LWEND_VALUES, LUA_MULTRET);
    query->g->searching--;
    query->running = false;
    if (!failed) return lua_gettop(L) - top;
    undo(query);
    handle_error(L, query, values);
    lua_settop(L, top);
  }
}

/* ---- Reading the arguments --------------------------------------------------------------------------------- */

void lwend_searcher_free(lwend_searcher *searcher, const wend_alloc *alloc) {
  wend_search_destroy(searcher->search);
  WEND_FREE(alloc, searcher->tags, searcher->tags_capacity);
  WEND_FREE(alloc, searcher->applies, searcher->applies_capacity);
  WEND_FREE(alloc, searcher->goals, searcher->goals_capacity);
  memset(searcher, 0, sizeof *searcher);
}

static void ready_searcher(lua_State *L, lwend_query *query) {
  if (query->searcher->search == NULL) query->searcher->search = wend_search_create(&query->state->alloc);
  if (query->searcher->search == NULL) lwend_no_memory(L);
}

void lwend_check_table(lua_State *L, int index, const char *what) {
  if (!lua_isnil(L, index) && !lua_istable(L, index)) lwend_type_error(L, index, what, "a table");
}

uint32_t lwend_check_goals(lua_State *L, lwend_query *query, int index, const char *what) {
  uint32_t count = count_goals(L, query->g, index, what);
  query->to = WEND_NO_ID;
  for (uint32_t i = 1; i <= count; i++) goal_at(L, query->g, index, what, i);
  return count;
}

/* Checks (map, from, to, opts), or (map, x1, y1, x2, y2, opts), or (map, x1, y1, goals, opts) at 1 and after. Where the
 * goals are, and the options. */
static void check_ends(lua_State *L, lwend_query *query, int *to, int *options) {
  const lwend_map *g = query->g;
  *to = g->graph != NULL ? 3 : 4;
  *options = *to + 1;
  if (g->graph != NULL)
    query->from = lwend_check_node(L, 2, g, "from");
  else
    query->from = lwend_check_cell(L, 2, g, "x1", "y1");
  if (lua_istable(L, *to)) {
    lwend_check_goals(L, query, *to, g->graph != NULL ? "to" : "goals");
  } else if (g->graph != NULL) {
    query->to = lwend_check_node(L, *to, g, "to");
  } else {
    query->to = lwend_check_cell(L, *to, g, "x2", "y2");
    *options = *to + 2;
  }
}

static double check_at_least(lua_State *L, int at_least, int cost) {
  if (at_least == 0 || lua_isnil(L, at_least)) return 0;
  if (lua_isnil(L, cost)) luaL_error(L, "at_least is the promise of the option 'cost', which is not given");
  return lwend_check_number(L, at_least, "at_least", 0, 1);
}

void lwend_check_budget(lua_State *L, lwend_query *query, int max_expanded, int max_cost) {
  if (!lua_isnil(L, max_expanded) && !(lua_type(L, max_expanded) == LUA_TNUMBER && lua_tonumber(L, max_expanded) == INFINITY)) {
    if (!lwend_towhole(L, max_expanded, &query->opts.max_expanded))
      lwend_type_error(L, max_expanded, "max_expanded", "a whole number >= 0");
  }
  if (!lua_isnil(L, max_cost)) query->opts.max_cost = lwend_check_number(L, max_cost, "max_cost", 0, INFINITY);
}

/* More makes no difference: any path will do. */
#define VARIATION_MAX 1e9

uint64_t lwend_check_seed(lua_State *L, int index) {
  /* The same number in every Lua, be it an integer or not. */
  const double seed = lwend_check_finite(L, index, "seed") + 0.0;
  uint64_t bits;
  memcpy(&bits, &seed, sizeof bits);
  return bits;
}

static void check_variation(lua_State *L, lwend_query *query, int variation, int seed) {
  if (!lua_isnil(L, seed)) query->opts.seed = lwend_check_seed(L, seed);
  if (lua_isnil(L, variation)) return;
  query->opts.variation = lwend_check_number(L, variation, "variation", 0, 1e308);
  if (query->opts.variation > VARIATION_MAX) query->opts.variation = VARIATION_MAX;
  if (lua_isnil(L, seed)) luaL_error(L, "variation needs a seed: the path depends on it");
}

/* Only what has a position is near or far. */
static void check_placed(lua_State *L, const lwend_query *query, int to) {
  uint32_t count = query->to == WEND_NO_ID ? count_goals(L, query->g, to, "to") : 1;
  for (uint32_t i = 1; i <= count && query->g->graph != NULL; i++) {
    wend_id goal = query->to == WEND_NO_ID ? goal_at(L, query->g, to, "to", i) : query->to;
    if (wend_graph_position(query->g->graph, goal) == NULL)
      luaL_error(L, "partial needs to know how far the goal is: node %s has no position",
                 lwend_push_node_text(L, query->g, goal));
  }
}

void lwend_query_start(lua_State *L, lwend_query *query, lwend_state *state, lwend_map *g) {
  memset(query, 0, offsetof(lwend_query, failed));
  query->state = state;
  query->g = g;
  query->searcher = &state->searchers[state->depth];
  query->opts = wend_search_opts_default();
  query->slice = UINT64_MAX;
  query->failed_count = 0;
  query->version = wend_map_version(lwend_check_alive(L, g)->map);
  ready_searcher(L, query);
}

static void push_or_nil(lua_State *L, int index) {
  if (index != 0)
    lua_pushvalue(L, index);
  else
    lua_pushnil(L);
}

int lwend_query_values(lua_State *L, lwend_query *query, int map, int to, int costs, int agent, int cost, int at_least,
                       int heuristic, int into, int stats) {
  const int given[] = {map, to, costs, agent, cost, heuristic, into, stats};
  int values;
  lwend_check_callable(L, cost, "cost");
  query->at_least = check_at_least(L, at_least, cost);
  values = lua_gettop(L) + 1;
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) push_or_nil(L, given[i]);
  lwend_costs_push_compiled(L, query->state, values + LWEND_COSTS - LWEND_MAP);
  return values;
}

void lwend_set_values(lua_State *L, int values) {
  for (int i = 0; i < LWEND_VALUES; i++) {
    lua_pushvalue(L, values + i);
    lua_rawseti(L, -2, i + 1);
  }
}

void lwend_push_values(lua_State *L, int values) {
  lua_createtable(L, LWEND_VALUES, 0);
  lwend_set_values(L, values);
}

void lwend_check_search_options(lua_State *L, lwend_query *query, int o) {
  static const char *const algorithms[] = {"astar", "dijkstra", NULL};
  static const char *const heuristics[] = {"auto", "zero", "euclidean", "manhattan", "chebyshev", "octile", NULL};
  if (lua_isfunction(L, o + OPT_HEURISTIC)) {
    query->opts.heuristic = WEND_CUSTOM;
  } else if (!lua_isnil(L, o + OPT_HEURISTIC)) {
    query->opts.heuristic = (wend_heuristic)lwend_check_choice(L, o + OPT_HEURISTIC, "heuristic", heuristics, ", or a function");
  }
  if (!lua_isnil(L, o + OPT_ALGORITHM) && lwend_check_choice(L, o + OPT_ALGORITHM, "algorithm", algorithms, "") == 1) {
    if (query->opts.heuristic != WEND_AUTO && query->opts.heuristic != WEND_ZERO)
      luaL_error(L, "algorithm 'dijkstra' has no heuristic: leave one of the two options out");
    query->opts.heuristic = WEND_ZERO;
  }
  lwend_check_budget(L, query, o + OPT_MAX_EXPANDED, o + OPT_MAX_COST);
  query->opts.partial = lwend_check_boolean(L, o + OPT_PARTIAL, "partial");
  check_variation(L, query, o + OPT_VARIATION, o + OPT_SEED);
  lwend_check_table(L, o + OPT_INTO, "into");
  lwend_check_table(L, o + OPT_STATS, "stats");
}

int lwend_search_values(lua_State *L, lwend_query *query, int to, int o) {
  return lwend_query_values(L, query, 1, to, o + OPT_COSTS, o + OPT_AGENT, o + OPT_COST, o + OPT_AT_LEAST,
                            o + OPT_HEURISTIC, o + OPT_INTO, o + OPT_STATS);
}

/* Reads the arguments of path and search into a query that was started; returns where its values lie. */
static int check_query(lua_State *L, lwend_query *query) {
  int o, to, options;
  check_ends(L, query, &to, &options);
  o = lwend_options(L, options, path_options);
  lwend_check_search_options(L, query, o);
  if (query->opts.partial) check_placed(L, query, to);
  return lwend_search_values(L, query, query->to == WEND_NO_ID ? to : 0, o);
}

/* So many arguments at most: (grid, x1, y1, x2, y2, opts). */
#define ARGUMENTS 6

static int path_of(lua_State *L, lwend_map *g) {
  lwend_state *state = lwend_state_of(L);
  lwend_query query;
  int values, results;
  lua_settop(L, ARGUMENTS);
  lwend_query_start(L, &query, state, g);
  values = check_query(L, &query);
  results = lwend_call(L, &query, state->whole_ref, values, lwend_forget_search);
  lwend_gc_step(L, state);
  return results;
}

/* graph:path(from, to[, opts]) -> path; or nil, message, code */
static int graph_path(lua_State *L) { return path_of(L, lwend_check_graph(L, 1)); }
/* grid:path(x1, y1, x2, y2[, opts]), grid:path(x1, y1, goals[, opts]) -> path; or nil, message, code */
static int grid_path(lua_State *L) { return path_of(L, lwend_check_grid(L, 1)); }

/* ---- wend.Search ------------------------------------------------------------------------------------------- */

/* A search a slice at a time. Its anchor is the list of its values. */
typedef struct lwend_sliced {
  lwend_query query;
  lwend_searcher searcher;
  lwend_state *state; /* NULL: it is gone, or not made yet */
} lwend_sliced;

static int search_gc(lua_State *L) {
  lwend_sliced *sliced = lwend_toobject(L, 1, lwend_state_of(L)->search_mt);
  if (sliced == NULL) return lwend_type_error(L, 1, "self", "a search");
  if (sliced->state == NULL) return 0;
  if (sliced->query.running) return luaL_error(L, "the search is running: its own callbacks cannot use it");
  lwend_searcher_free(&sliced->searcher, &sliced->state->alloc);
  sliced->state = NULL;
  return 0;
}

static int new_search(lua_State *L, lwend_map *g, wend_queue queue) {
  lwend_state *state = lwend_state_of(L);
  lwend_sliced *sliced;
  int values, self = ARGUMENTS + 1;
  lua_settop(L, ARGUMENTS);
  sliced = lwend_new(L, sizeof *sliced, state->search_ref);
  sliced->state = state;
  lwend_query_start(L, &sliced->query, state, g);
  sliced->query.searcher = &sliced->searcher;
  ready_searcher(L, &sliced->query);
  values = check_query(L, &sliced->query);
  sliced->query.opts.queue = queue;
  if (queue == WEND_QUEUE_HEAP && sliced->query.opts.variation > 0) luaL_error(L, "a trace is of the cheapest path: leave variation out");
  if (lua_isnil(L, values + LWEND_AGENT - LWEND_MAP)) { /* the same one for all slices */
    lua_newtable(L);
    lua_replace(L, values + LWEND_AGENT - LWEND_MAP);
  }
  lwend_push_values(L, values);
  lwend_setanchor(L, self);
  lwend_call(L, &sliced->query, state->begin_ref, values, lwend_forget_search);
  lua_settop(L, self);
  lwend_gc_step(L, state);
  return 1;
}

/* graph:search(from, to[, opts]) -> search; grid:search as grid:path */
static int graph_search(lua_State *L) { return new_search(L, lwend_check_graph(L, 1), WEND_QUEUE_BUCKETS); }
static int grid_search(lua_State *L) { return new_search(L, lwend_check_grid(L, 1), WEND_QUEUE_BUCKETS); }
/* core.watch(graph, from, to[, opts]) -> a search that settles nodes in order, for wend.trace */
static int core_watch(lua_State *L) { return new_search(L, lwend_check_graph(L, 1), WEND_QUEUE_HEAP); }

static lwend_sliced *check_search(lua_State *L, int index) {
  lwend_sliced *sliced = lwend_toobject(L, index, lwend_state_of(L)->search_mt);
  if (sliced == NULL) lwend_type_error(L, index, "self", "a search (call it with a colon: search:method())");
  if (sliced->state == NULL) luaL_error(L, "the search is gone");
  if (sliced->query.running) luaL_error(L, "the search is running: its own callbacks cannot use it");
  lwend_check_alive(L, sliced->query.g);
  return sliced;
}

/* Pushes the values of a search. */
static int push_values(lua_State *L, int index) {
  int values = lua_gettop(L) + 1;
  lwend_pushanchor(L, index);
  for (int i = 1; i <= LWEND_VALUES; i++) lua_rawgeti(L, values, i);
  lua_remove(L, values);
  return values;
}

/* search:step(n) -> "running", "found" or "failed" */
static int search_step(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1);
  lwend_query *query = &sliced->query;
  uint64_t slice = 0;
  int values;
  bool changed;
  /* Read. */
  if (!lwend_towhole(L, 2, &slice) || slice == 0) lwend_type_error(L, 2, "n", "a whole number >= 1");
  values = push_values(L, 1);
  changed = !lwend_costs_are_current(L, values + LWEND_COSTS - LWEND_MAP, values + LWEND_COMPILED - LWEND_MAP);
  /* Check: a finalizer may have used it, or freed it. */
  (void)check_search(L, 1);
  /* Act. */
  query->slice = slice;
  if (query->status == WEND_RUNNING && changed) {
    wend_search_reset(query->searcher->search);
    query->status = WEND_STALE;
  } else if (query->status == WEND_RUNNING) {
    lwend_call(L, query, sliced->state->step_ref, values, lwend_forget_search);
    lwend_gc_step(L, lwend_state_of(L));
  }
  lua_pushstring(L, query->status == WEND_RUNNING                           ? "running"
                    : query->status == WEND_OK || query->partial_path ? "found"
                                                                            : "failed");
  return 1;
}

/* search:path() -> path; or nil, message, code */
static int search_path(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1);
  int values = push_values(L, 1);
  if (sliced->query.status == WEND_RUNNING)
    luaL_error(L, "the search is not over: call step until it returns \"found\" or \"failed\"");
  return lwend_call(L, &sliced->query, sliced->state->answer_ref, values, lwend_forget_search);
}

/* core.label(search, node) -> visit number or 0, cost, node before; nil: not reached */
static int core_label(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1);
  wend_label label;
  wend_id node;
  if (sliced->query.g->graph == NULL) luaL_error(L, "only a search of a graph has labels");
  node = lwend_check_node(L, 2, sliced->query.g, "node");
  if (wend_map_version(sliced->query.g->map) != sliced->query.version) luaL_error(L, "the graph has changed");
  label = wend_search_label(sliced->searcher.search, node);
  if (!label.reached) return 0;
  lwend_pushwhole(L, label.visit);
  lua_pushnumber(L, label.cost);
  if (label.previous == WEND_NO_ID) return 2;
  lwend_pushwhole(L, label.previous);
  return 3;
}

/* ---- path:explain ------------------------------------------------------------------------------------------ */

/* What path:explain works on: a copy of the path's edges, and whether the path was straightened. */
typedef struct explained {
  const wend_id *edges;
  uint32_t count;
  bool straight;
} explained;

/* The path is at LWEND_INTO, a list to put the steps in at `list`. */
static void explain_edges(lua_State *L, lwend_query *query, const wend_id *edges, uint32_t count, int list) {
  wend_step step;
  step.to = query->from;
  for (uint32_t i = 0; i < count; i++) {
    wend_edge edge;
    if (wend_graph_edge(query->g->graph, edges[i], &edge) != WEND_OK) lwend_no_memory(L);
    step.from = step.to;
    step.to = edge.from == step.from ? edge.to : edge.from;
    step.edge = edges[i];
    step.tag = edge.tag;
    lwend_costs_explain(L, query, &step, edge.weight);
    lua_rawseti(L, list, (int)i + 1);
  }
}

wend_id lwend_path_cell(lua_State *L, int index, const lwend_map *g, int i) {
  return lwend_check_listed_cell(L, index, g, "path", (size_t)i + 1);
}

/* Pushes what the link from one cell to another came to, and its cost; false: there is none. */
static bool explain_link(lua_State *L, lwend_query *query, wend_id from, wend_id to, double *cost) {
  wend_step step = {from, to, WEND_NO_ID, 0, WEND_UNTAGGED};
  double weight;
  wend_cell onto = wend_grid_get(query->g->grid, to);
  const wend_tag_cost *tags = query->opts.costs.tags;
  if (!wend_grid_find_portal(query->g->grid, from, to, &weight, &step.tag)) return false;
  if (tags != NULL && tags[onto.tag].plus == INFINITY) return false; /* the cell is closed: a link does not lead there */
  lwend_costs_explain(L, query, &step, weight);
  *cost = step.cost;
  return true;
}

/* Of a link and the way without it, a step, or, after straighten, a line, the cheaper was taken. */
static void explain_cells(lua_State *L, lwend_query *query, bool straight, int list) {
  const wend_grid *grid = query->g->grid;
  int count = (int)lua_rawlen(L, LWEND_INTO) / 2, items = 0;
  wend_id before = lwend_path_cell(L, LWEND_INTO, query->g, 0);
  for (int i = 1; i < count; i++) {
    wend_id cell = lwend_path_cell(L, LWEND_INTO, query->g, i);
    wend_step step = {before, before, WEND_NO_ID, 0, WEND_UNTAGGED};
    wend_line line = wend_line_begin(grid, before, cell), first = line;
    bool neighbours = lwend_are_neighbours(grid, before, cell);
    double link_cost = INFINITY, cost = INFINITY;
    bool linked = explain_link(L, query, before, cell, &link_cost);
    if (!linked && !neighbours && !straight) luaL_error(L, "a link of the path was removed");
    if (linked && straight)
      wend_grid_leg(grid, &query->opts.costs, before, cell, link_cost, &cost);
    else if (linked && neighbours && wend_line_next(&first))
      wend_grid_step(grid, &query->opts.costs, before, first.direction, &cost);
    if (linked && link_cost < cost) {
      lua_rawseti(L, list, ++items);
    } else {
      if (linked) lua_pop(L, 1);
      while (wend_line_next(&line)) {
        wend_cell value = wend_grid_get(grid, step.to = wend_grid_cell(grid, line.x, line.y));
        step.tag = value.tag;
        lwend_costs_explain(L, query, &step, line.length * value.weight);
        lua_rawseti(L, list, ++items);
        step.from = step.to;
      }
    }
    before = cell;
  }
}

static int protected_explain(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  const explained *path = query->subject;
  const lwend_map *g = query->g;
  if (!lwend_query_ready(L, query)) return lwend_push_stale(L, query);
  for (uint32_t i = 0; i < path->count; i++)
    if (g->graph == NULL || !wend_graph_has_edge(g->graph, path->edges[i])) luaL_error(L, "an edge of the path was removed");
  lwend_costs_push(L, query);
  lua_createtable(L, (int)path->count, 0);
  if (g->graph != NULL)
    explain_edges(L, query, path->edges, path->count, lua_gettop(L));
  else
    explain_cells(L, query, path->straight, lua_gettop(L));
  return 1;
}

void lwend_push_or_field(lua_State *L, int index, int path, const char *field) {
  if (!lua_isnil(L, index)) {
    lua_pushvalue(L, index);
  } else {
    lua_pushstring(L, field);
    lua_rawget(L, path);
  }
}

/* path:explain([opts]) -> list */
static int path_explain(lua_State *L) {
  static const char *const options[] = {"costs", "agent", "cost", "at_least", NULL};
  lwend_state *state = lwend_state_of(L);
  const lwend_trail *t;
  lwend_query query;
  explained path;
  lwend_map *g;
  int o, map, first, values;
  /* Read. */
  lua_settop(L, 2);
  t = lwend_push_trail(L, 1);
  path.edges = lwend_push_trail_edges(L, t, &path.count);
  path.straight = lwend_is_straight(t);
  g = lwend_trail_map(L, t);
  lwend_push_trail_map(L, 3);
  map = lua_gettop(L);
  lwend_query_start(L, &query, state, g);
  query.subject = &path;
  o = lwend_options(L, 2, options);
  first = lua_gettop(L);
  lwend_push_or_field(L, o, 1, "costs");
  lwend_push_or_field(L, o + 1, 1, "agent");
  lwend_push_or_field(L, o + 2, 1, "callback");
  values = lwend_query_values(L, &query, map, 0, first + 1, first + 2, first + 3, o + 3, 0, 1, 0);
  /* Check. */
  if (g->graph != NULL) query.from = lwend_check_listed_node(L, 1, g, "path", 1);
  /* Act. */
  return lwend_call(L, &query, state->explain_ref, values, lwend_forget_search);
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

int lwend_protected(lua_State *L, lwend_state *state, lua_CFunction function) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushcclosure(L, function, 1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void lwend_add_methods(lua_State *L, lwend_state *state, int metatable_ref, const luaL_Reg *methods) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable_ref);
  lua_getfield(L, -1, "__index");
  lwend_register(L, state, methods);
  lua_pop(L, 2);
}

/* Adds the searching methods to graphs, explain to paths, and core.watch and core.label to the table at the top. */
void lwend_open_query(lua_State *L, lwend_state *state) {
  static const luaL_Reg graph_methods[] = {{"path", graph_path}, {"search", graph_search}, {NULL, NULL}};
  static const luaL_Reg grid_methods[] = {{"path", grid_path}, {"search", grid_search}, {NULL, NULL}};
  static const luaL_Reg path_methods[] = {{"explain", path_explain}, {NULL, NULL}};
  static const luaL_Reg search_methods[] = {{"step", search_step}, {"path", search_path}, {NULL, NULL}};
  static const luaL_Reg watching[] = {{"watch", core_watch}, {"label", core_label}, {NULL, NULL}};
  state->whole_ref = lwend_protected(L, state, protected_whole);
  state->begin_ref = lwend_protected(L, state, protected_begin);
  state->step_ref = lwend_protected(L, state, protected_step);
  state->answer_ref = lwend_protected(L, state, protected_answer);
  state->explain_ref = lwend_protected(L, state, protected_explain);
  lwend_register(L, state, watching);
  lua_newtable(L);
  lwend_register(L, state, search_methods);
  state->search_ref = lwend_metatable(L, "wend.Search", state, search_gc, &state->search_mt);
  lwend_add_methods(L, state, state->graph_ref, graph_methods);
  lwend_add_methods(L, state, state->grid_ref, grid_methods);
  lwend_add_methods(L, state, state->path_ref, path_methods);
}
