/* SPDX-License-Identifier: MIT */
/* graph:why_not and grid:why_not. The core finds the obstacles (src/core/query/why.c). This file names the tags and rules
 * that close them, rule by rule, and makes the report. lua/wend/why.lua writes its sentences. */
#include <string.h>

#include "lua/base/costs.h"

/* Sets a field of the table at the top of the stack to the id of a node, or to { x =, y = } of a cell. */
static void set_place(lua_State *L, const lwend_map *g, const char *key, wend_id id) {
  if (g->graph != NULL) {
    lwend_pushwhole(L, id);
  } else {
    lua_createtable(L, 0, 2);
    lwend_set_id(L, g, id, NULL, "x", "y");
  }
  lua_setfield(L, -2, key);
}

/* Sets where an obstacle is, in the table at the top of the stack. */
static void set_where(lua_State *L, const lwend_map *g, const wend_obstacle *o) {
  if (o->place) {
    lwend_set_id(L, g, o->to, "node", "x", "y");
  } else if (o->from != WEND_NO_ID) {
    lwend_set_id(L, g, o->from, "from", "x", "y");
    lwend_set_id(L, g, o->to, "to", "to_x", "to_y");
    if (g->grid != NULL && o->portal) lwend_set_flag(L, "link", true);
  }
  if (g->graph != NULL && o->edge != WEND_NO_ID) lwend_set_whole(L, "edge", o->edge);
}

/* Moves the value of a field of the table at the top of the stack to a field of the table at stack index `item`. */
static void move_field(lua_State *L, const char *from, int item, const char *to) {
  lua_getfield(L, -1, from);
  lua_setfield(L, item, to);
}

/* Sets cause, tag, rule and mod of the table at stack index `item`. closer: the description of what closes the step, at the top of
 * the stack, or nil. */
static void set_cause(lua_State *L, int item, wend_cause cause, uint32_t tag) {
  lua_pushstring(L, wend_cause_name(cause));
  lua_setfield(L, item, "cause");
  if (cause == WEND_CAUSE_TAG || cause == WEND_CAUSE_RULE) {
    lwend_push_tag(L, LWEND_MAP, tag);
    lua_setfield(L, item, "tag");
  }
  if (!lua_istable(L, -1)) return;
  move_field(L, "mod", item, "mod");
  if (cause == WEND_CAUSE_TAG) { /* the value of a tag has the name of the tag, which is no rule */
    bool is_rule;
    lua_getfield(L, -1, "name");
    is_rule = lua_type(L, -1) == LUA_TSTRING && strncmp(lua_tostring(L, -1), "tag ", 4) != 0;
    lua_pop(L, 1);
    if (!is_rule) return;
  }
  move_field(L, "name", item, "rule");
}

/* Pushes an obstacle: { cause =, ..., also = { { cause = }, ... } }. `also` has the causes after the first one. */
static void push_obstacle(lua_State *L, lwend_request *request, const wend_obstacle *o) {
  const bool by_tag = (o->causes >> WEND_CAUSE_TAG & 1u) != 0, by_rule = (o->causes >> WEND_CAUSE_RULE & 1u) != 0;
  const int item = lua_gettop(L) + 1, closers = item + 1, also = item + 2;
  int next_closer = 1, more = 0;
  bool first = true;
  lua_createtable(L, 0, 6);
  set_where(L, request->g, o);
  if (by_tag || by_rule) {
    wend_step step = {o->from, o->to, o->edge, o->weight, o->tag, WEND_UNTAGGED};
    if (request->g->graph != NULL && !o->place) step.node_tag = wend_graph_node_tag(request->g->graph, o->to);
    if (lwend_costs_price(request, &step, o->weight) < INFINITY) step.cost = lwend_costs_price(request, &step, o->weight);
    lwend_costs_push_closers(L, request, &step, o->weight, by_tag, by_rule);
  } else {
    lua_newtable(L);
  }
  lua_newtable(L);
  for (int cause = 1; o->causes >> cause != 0; cause++) {
    const bool named = cause == WEND_CAUSE_TAG || cause == WEND_CAUSE_RULE;
    if ((o->causes >> cause & 1u) == 0) continue;
    do { /* one entry for each rule that closes the step */
      if (!first) lua_createtable(L, 0, 4);
      if (named) lua_rawgeti(L, closers, next_closer++);
      else lua_pushnil(L);
      set_cause(L, first ? item : lua_gettop(L) - 1, (wend_cause)cause, o->tag);
      lua_pop(L, 1);
      if (!first) lua_rawseti(L, also, ++more);
      first = false;
    } while (cause == WEND_CAUSE_RULE && next_closer <= (int)lua_rawlen(L, closers));
  }
  if (more > 0) lua_setfield(L, item, "also");
  lua_settop(L, item);
}

/* Pushes the report. */
static void push_report(lua_State *L, lwend_request *request, const wend_reasons *r) {
  const int report = lua_gettop(L) + 1;
  const wend_id to = request->to != WEND_NO_ID ? request->to : r->goal;
  const wend_cause first = r->obstacle_count > 0 ? r->obstacles[0].cause : WEND_CAUSE_NONE;
  const bool unconnected =
      first == WEND_CAUSE_NO_EDGE || first == WEND_CAUSE_OUTSIDE || (r->obstacle_count == 0 && to == WEND_NO_ID);
  lua_createtable(L, 0, 8);
  set_place(L, request->g, "from", request->from);
  if (to != WEND_NO_ID) set_place(L, request->g, "to", to);
  if (!unconnected) lwend_set_number(L, "cost", r->cost);
  if (r->limit == WEND_BUDGET) {
    lua_pushstring(L, r->cost > request->search.max_cost ? "max_cost" : "max_expanded");
    lua_setfield(L, report, "limit");
  } else {
    lwend_set_whole(L, "reached", r->reached);
    lwend_set_whole(L, "reaching", r->reaching);
  }
  lua_createtable(L, (int)r->obstacle_count, 0);
  for (uint32_t i = 0; i < r->obstacle_count; i++) {
    push_obstacle(L, request, &r->obstacles[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, report, "obstacles");
}

static int protected_why(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const wend_reasons *r;
  uint32_t goal_count;
  wend_why *why;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  goal_count = lwend_read_goals(L, request);
  if (request->obstacles.closed == 0) request->obstacles = wend_obstacle_costs_default();
  request->subject = why = wend_why_create(&request->state->alloc);
  if (why == NULL) return lwend_no_memory(L);
  request->status =
      lwend_check_memory(L, wend_why_find(why, request->searcher->search, request->g->map, request->from,
                                          request->searcher->goals, goal_count, &request->search, &request->obstacles));
  if (request->status != WEND_OK) return lwend_push_stale(L, request);
  r = wend_why_get(why);
  lwend_set_stats(L, request, &r->stats);
  if (!lua_isnil(L, LWEND_STATS)) lwend_pushwhole(L, r->searches), lwend_setraw(L, LWEND_STATS, "searches");
  if (r->has_path) lua_pushnil(L);
  else push_report(L, request, r);
  return 1;
}

static void free_why(lwend_request *request) { wend_why_destroy(request->subject); }

/* Gives the report at the top of the stack its sentences. */
static void finish_report(lua_State *L, const lwend_state *state) {
  if (state->report_ref == LUA_NOREF) return;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->report_ref);
  lua_getfield(L, -1, "finish");
  lua_remove(L, -2);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, 1);
  lua_call(L, 2, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->report_ref);
  lua_setmetatable(L, -2);
}

/* map:why_not(from, to[, opts]), with ends as map:path has them -> report; nil: there is a path; or nil, message, "stale" */
int lwend_map_why_not(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_PATH | LWEND_FOR_WHY, true, protected_why, free_why};
  const int results = lwend_ask_map(L, lwend_check_map(L), &query);
  if (results == 1 && lua_istable(L, -1)) finish_report(L, lwend_state_of(L));
  return results;
}
