/* SPDX-License-Identifier: MIT */
/* Runs requests, in this order:
 *
 *   1. The caller has read and checked the arguments, when the map had the version request->version.
 *   2. lwend_call checks the ids again if a finalizer has edited the map since. It locks the map.
 *   3. One protected call does everything that runs callbacks or allocates Lua memory.
 *   4. lwend_call unlocks the map. If the protected call raised, for example in a callback in the middle of a search, the
 *      caller's function `undo` resets what was begun. Then on_error is called and step 3 runs again without the failed
 *      rule; or the error is raised again, with the name of the rule in front. */
#include "lua/base/costs.h"
#include "lua/base/meter.h"

/* ---- Failures ----------------------------------------------------------------------------------------------- */

int lwend_push_failed(lua_State *L, const char *message, wend_status status) {
  lua_pushnil(L);
  lua_pushstring(L, message);
  lua_pushstring(L, wend_status_code(status));
  return 3;
}

/* Why there is no path, as far as that is known without another search. */
typedef struct known_cause {
  wend_cause of_goal; /* why no step can enter the goal, or the first of several goals if none can be entered */
  uint32_t tag;       /* of the goal, for WEND_CAUSE_TAG and pass_only */
  bool all;           /* there are several goals */
  bool pass_only;     /* no path may end at the goal */
  bool no_way_out, no_way_in;
} known_cause;

/* Whether an id names a node or cell of the map. */
static bool is_there(const lwend_request *request, wend_id id) {
  return id != WEND_NO_ID && (request->g->graph == NULL || wend_graph_has_node(request->g->graph, id));
}

/* Whether an edit has removed the start or the only goal. */
static bool is_lost(const lwend_request *request, wend_id id) { return id != WEND_NO_ID && !is_there(request, id); }

/* Looks at the ends of a request that has ended with NO_PATH. Runs no script and allocates no Lua memory. */
static known_cause find_cause(const lwend_request *request) {
  known_cause known = {WEND_CAUSE_NONE, WEND_UNTAGGED, false, false, false, false};
  const wend_costs *costs = &request->search.costs;
  const lwend_searcher *searcher = request->searcher;
  wend_map *map = request->g->map;
  /* If the map has changed, the reason may be another now. */
  if (request->status != WEND_NO_PATH || map == NULL || wend_map_version(map) != request->version) return known;
  if (request->ranged) {
    /* The goals may be closed. */
  } else if (is_there(request, request->to)) {
    known.of_goal = wend_map_enter_cause(map, costs, request->to);
    known.tag = request->g->grid != NULL ? wend_grid_get(request->g->grid, request->to).tag
                                         : wend_graph_node_tag(request->g->graph, request->to);
    known.pass_only = costs->tags != NULL && costs->tags[known.tag].pass_only;
    if (known.of_goal == WEND_CAUSE_NONE) (void)wend_map_is_shut(map, costs, request->to, true, &known.no_way_in);
  } else if (request->to == WEND_NO_ID && searcher != NULL && request->goal_count <= searcher->goals_capacity) {
    for (uint32_t i = 0; i < request->goal_count; i++) {
      const wend_cause cause = is_there(request, searcher->goals[i]) ? wend_map_enter_cause(map, costs, searcher->goals[i]) : 0;
      if (i == 0 || cause == WEND_CAUSE_NONE || cause == WEND_CAUSE_TAG) known.of_goal = cause;
      if (cause == WEND_CAUSE_NONE) break;
    }
    known.all = true;
  }
  if (known.of_goal == WEND_CAUSE_NONE && !known.no_way_in && is_there(request, request->from))
    (void)wend_map_is_shut(map, costs, request->from, false, &known.no_way_out);
  return known;
}

void lwend_push_cause(lua_State *L, const lwend_request *request) {
  const known_cause known = find_cause(request);
  const char *step = request->g->graph != NULL ? "edge" : "step";
  if (known.of_goal != WEND_CAUSE_NONE && known.all) {
    lua_pushfstring(L, ": all goals are closed%s", known.of_goal == WEND_CAUSE_TAG ? " for this agent" : "");
  } else if (known.pass_only) {
    lwend_push_tag(L, LWEND_MAP, known.tag);
    lua_pushfstring(L, ": pass_only forbids the goal (tag '%s')", lua_tostring(L, -1));
  } else if (known.of_goal == WEND_CAUSE_TAG) {
    lwend_push_tag(L, LWEND_MAP, known.tag);
    lua_pushfstring(L, ": the goal is closed for this agent (tag '%s')", lua_tostring(L, -1));
  } else if (known.of_goal != WEND_CAUSE_NONE) {
    lua_pushliteral(L, ": the goal is closed");
  } else if (known.no_way_in) {
    lua_pushfstring(L, ": no open %s leads to the goal", step);
  } else if (known.no_way_out) {
    lua_pushfstring(L, ": no open %s leads out of the start", step);
  } else {
    lua_pushliteral(L, "");
  }
}

int lwend_push_failure(lua_State *L, const lwend_request *request) {
  int top = lua_gettop(L);
  /* A stale request does not name its nodes: they may have been removed. */
  const bool stale = request->status == WEND_STALE;
  const bool none = request->to == WEND_NO_ID && request->goal_count == 0 && !lua_isnil(L, LWEND_GOALS);
  const char *from =
      stale || request->from == WEND_NO_ID ? "any of the goals" : lwend_push_id_text(L, request->g, request->from);
  const char *to = stale || request->to == WEND_NO_ID ? "any of the goals" : lwend_push_id_text(L, request->g, request->to);
  if (request->ranged) to = lua_pushfstring(L, "a place in range of %s", to);
  switch (request->status) {
    case WEND_STALE:
      if (is_lost(request, request->from)) lua_pushliteral(L, "the start was removed since the search began");
      else if (is_lost(request, request->to)) lua_pushliteral(L, "the goal was removed since the search began");
      else if (request->lost) lua_pushliteral(L, "a node of the path was removed since the search began");
      else lua_pushfstring(L, "the %s or the costs have changed since the search began", request->g->noun);
      break;
    case WEND_BUDGET: lua_pushfstring(L, "no path from %s to %s within the budget", from, to); break;
    default:
      if (none) lua_pushliteral(L, ": the list of goals is empty");
      else lwend_push_cause(L, request);
      lua_pushfstring(L, "no path from %s to %s%s", from, to, lua_tostring(L, -1));
      break;
  }
  lua_insert(L, top + 1);
  lua_settop(L, top + 1);
  lua_pushnil(L);
  lua_insert(L, top + 1);
  lua_pushstring(L, wend_status_code(request->status));
  return 3;
}

int lwend_push_stale(lua_State *L, lwend_request *request) {
  request->status = WEND_STALE;
  return lwend_push_failure(L, request);
}

/* ---- Inside of the protected call --------------------------------------------------------------------------- */

/* wend_search_opts.heuristic_fn: calls the script's heuristic function. */
static double estimate(void *ud, wend_id node, wend_id goal) {
  lwend_request *request = ud;
  lua_State *L = request->L;
  double estimate;
  request->callee = CALLEE_HEURISTIC;
  lua_pushvalue(L, LWEND_HEURISTIC);
  lwend_ask(L, request->g, lwend_push_id(L, request->g, node) + lwend_push_id(L, request->g, goal), 1);
  estimate = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(estimate >= 0)) luaL_error(L, "wanted a number >= 0, got %s", lwend_describe(L, -1));
  lua_pop(L, 1);
  request->callee = CALLEE_NONE;
  return estimate;
}

bool lwend_request_ready(lua_State *L, lwend_request *request) {
  request->L = L;
  request->status = WEND_STALE;
  request->partial_path = false;
  request->search.heuristic_fn = estimate;
  request->search.heuristic_ud = request;
  lwend_check_alive(L, request->g);
  if (wend_map_version(request->g->map) != request->version) return false;
  lwend_costs_resolve(L, request);
  lwend_costs_push(L, request);
  return true;
}

void lwend_set_stats(lua_State *L, const lwend_request *request, const wend_stats *given) {
  static const char *const loops[] = {[WEND_LOOP_WALK] = "walk",   [WEND_LOOP_JUMPS] = "jumps", [WEND_LOOP_FLOOD] = "flood",
                                      [WEND_LOOP_CELLS] = "cells", [WEND_LOOP_STEPS] = "steps", [WEND_LOOP_GRAPH] = "graph"};
  wend_stats stats;
  if (!lwend_has(L, request, LWEND_STATS)) return;
  stats = given != NULL ? *given : wend_search_stats(request->searcher->search);
  lwend_pushwhole(L, stats.expanded), lwend_setraw(L, LWEND_STATS, "expanded");
  lwend_pushwhole(L, stats.pushed), lwend_setraw(L, LWEND_STATS, "pushed");
  lwend_pushwhole(L, stats.callbacks), lwend_setraw(L, LWEND_STATS, "callbacks");
  lua_pushnumber(L, stats.bound), lwend_setraw(L, LWEND_STATS, "bound");
  if (stats.lowered > 0) lua_pushnumber(L, stats.lowered);
  else lua_pushnil(L);
  lwend_setraw(L, LWEND_STATS, "lowered");
  if (stats.shortcuts > 0) lwend_pushwhole(L, stats.shortcuts);
  else lua_pushnil(L);
  lwend_setraw(L, LWEND_STATS, "shortcuts");
  lwend_setraw_flag(L, LWEND_STATS, "known", stats.known);
  lwend_setraw_flag(L, LWEND_STATS, "landmarks", stats.landmarks);
  lua_pushstring(L, loops[stats.loop]), lwend_setraw(L, LWEND_STATS, "loop"); /* no loop: nil */
  lwend_spent_push(L, request), lwend_setraw(L, LWEND_STATS, "rules");
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

/* Handles the error at the top of the stack. If there is an on_error for it: calls that, and returns; the rule is left
 * out from now on. Otherwise raises the error with the name of the rule and the line of the caller. A lack of memory is not the
 * rule's fault. */
static void handle_error(lua_State *L, lwend_request *request, int frame) {
  int error = lua_gettop(L), failed;
  uint64_t number;
  if (request->callee == CALLEE_NONE || lwend_is_no_memory(L, error)) lua_error(L);
  number = lwend_costs_push_callee(L, request, frame + LWEND_MAP, frame + LWEND_COMPILED); /* error + 1: label, 2: rule */
  request->callee = CALLEE_NONE;
  if (number != 0) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, request->state->failed_ref);
    lua_pushvalue(L, frame + LWEND_COSTS);
    lua_pushvalue(L, error + 2);
    if (lua_isstring(L, error)) lua_pushvalue(L, error);
    else lwend_describe(L, error);
    request->running = true; /* on_error may edit the map, but cannot use or free a search that goes on afterwards */
    failed = lwend_protect(L, request->state, 3, 1);
    request->running = false;
    if (failed) lua_error(L);
    if (lua_toboolean(L, -1)) {
      if (!lwend_given(L, request, LWEND_FAILED)) {
        lua_newtable(L);
        lwend_request_put(L, request, LWEND_FAILED);
      }
      lua_pushvalue(L, error + 2);
      lua_pushboolean(L, 1);
      lua_rawset(L, frame + LWEND_FAILED);
      lua_settop(L, error - 1);
      return;
    }
  }
  if (lua_type(L, error) != LUA_TSTRING) {
    lua_settop(L, error); /* an error that is not a string is raised again unchanged */
    lua_error(L);
  }
  luaL_error(L, "%s: %s", lua_tostring(L, error + 1), lua_tostring(L, error));
}

void lwend_forget_search(lwend_request *request) {
  wend_search_reset(request->searcher->search);
  request->begun = false;
}

/* Checks from and to again: a finalizer may have removed a node while other arguments were read. */
static void check_ends_again(lua_State *L, lwend_request *request) {
  const wend_id ends[2] = {request->from, request->to};
  lwend_check_alive(L, request->g);
  if (request->begun || request->status == WEND_STALE || wend_map_version(request->g->map) == request->version) return;
  for (int i = 0; i < 2 && request->g->graph != NULL; i++) {
    if (ends[i] == WEND_NO_ID || wend_graph_has_node(request->g->graph, ends[i])) continue;
    lwend_pushwhole(L, ends[i]);
    luaL_error(L, "there is no node %s", lua_tostring(L, -1));
  }
  request->version = wend_map_version(request->g->map);
}

/* Pushes the slots of a request as arguments. function: the stack index of what is called. */
static void push_slots(lua_State *L, const lwend_request *request, int function) {
  int next = LWEND_MAP;
  uint32_t slots = request->slots >> LWEND_MAP;
  for (int slot = LWEND_MAP; slots != 0 && slot <= LWEND_LAST; slot++, slots >>= 1) {
    if ((slots & 1) == 0) continue;
    if (slot > next) lua_settop(L, function + slot - 1); /* those between are nil */
    lua_pushvalue(L, request->frame + slot);
    next = slot + 1;
  }
  if (next <= LWEND_LAST) lua_settop(L, function + LWEND_LAST);
}

int lwend_call(lua_State *L, lwend_request *request, lua_CFunction run, void (*undo)(lwend_request *)) {
  lwend_state *state = request->state;
  const int top = lua_gettop(L), frame = request->frame;
  lwend_check_stack(L, LWEND_LAST + LUA_MINSTACK);
  lwend_check_depth(L, state);
  check_ends_again(L, request);
  for (;;) {
    int failed;
    request->callee = CALLEE_NONE;
    request->job.run = run;
    lwend_push_job(L, state, &request->job);
    push_slots(L, request, top + 1);
    if (request->limit.most > 0) lwend_limit_begin(L, request);
    request->running = true;
    request->g->searching++;
    failed = lwend_protect(L, state, LWEND_LAST, LUA_MULTRET);
    request->g->searching--;
    request->running = false;
    if (request->layers != NULL) lwend_leave_layers(request);
    if (request->limit.most > 0) lwend_limit_end(L, request, failed != 0);
    if (request->timed) lwend_spent_sum(L, request, frame + LWEND_COMPILED);
    if (!failed) return lua_gettop(L) - top;
    if (undo != NULL) undo(request);
    handle_error(L, request, frame);
    lua_settop(L, top);
  }
}

/* Ends a query of lwend_ask_map; also after an error. */
static void end_query(lwend_request *request) {
  if (request->query->free_subject != NULL) request->query->free_subject(request);
  request->subject = NULL;
  lwend_forget_search(request);
}

int lwend_ask_map(lua_State *L, lwend_map *g, const lwend_query *query) {
  lwend_request request;
  int results;
  if (query->ends && g->grid != NULL) lwend_spread_ends(L, g);
  lua_settop(L, query->ends ? LWEND_PATH_ARGUMENTS : 2);
  lwend_request_start(L, &request, g, 1);
  if (query->ends) lwend_read_ends(L, &request, query->options);
  else lwend_read_options(L, &request, 2, query->options);
  lwend_check_costs(L, &request);
  request.query = query;
  results = lwend_call(L, &request, query->run, end_query);
  if (query->free_subject != NULL) end_query(&request);
  lwend_gc_step(L, request.state);
  return results;
}
