/* SPDX-License-Identifier: MIT */
/* grid:clear, grid:clear_points and grid:straighten: queries without a search. */
#include "core/base/memory.h"
#include "lwend.h"

static void no_undo(lwend_query *query) { (void)query; }

static void check_status(lua_State *L, wend_status status) {
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
}

/* What costs are for this agent, and the way to ask its rules; NULL: the query is stale. */
static const wend_costs *make_costs(lua_State *L, lwend_query *query) {
  if (!lwend_query_ready(L, query)) return NULL;
  lwend_costs_push(L, query);
  return &query->opts.costs;
}

static const char *const line_options[] = {"costs", "agent", "cost", "at_least", NULL};

static int protected_clear(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  const wend_costs *costs = make_costs(L, query);
  double cost = 0;
  if (costs == NULL) return lwend_push_stale(L, query);
  check_status(L, wend_grid_leg(query->g->grid, costs, query->from, query->to, INFINITY, &cost));
  lua_pushboolean(L, cost < INFINITY);
  return 1;
}

/* grid:clear(x1, y1, x2, y2[, opts]) -> boolean */
static int grid_clear(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_grid(L, 1);
  lwend_query query;
  int o, values;
  lua_settop(L, 6);
  lwend_query_start(L, &query, state, g);
  query.from = lwend_check_cell(L, 2, g, "x1", "y1");
  query.to = lwend_check_cell(L, 4, g, "x2", "y2");
  o = lwend_options(L, 6, line_options);
  values = lwend_query_values(L, &query, 1, 0, o, o + 1, o + 2, o + 3, 0, 0, 0);
  return lwend_call(L, &query, state->clear_ref, values, no_undo);
}

static int protected_clear_points(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  const wend_costs *costs = make_costs(L, query);
  const double *ends = query->subject;
  bool clear;
  if (costs == NULL) return lwend_push_stale(L, query);
  check_status(L, wend_grid_line_clear(query->g->grid, costs, ends, ends + 2, &clear));
  lua_pushboolean(L, clear);
  return 1;
}

/* grid:clear_points(x1, y1, x2, y2[, opts]) -> boolean */
static int grid_clear_points(lua_State *L) {
  static const char *const names[] = {"x1", "y1", "x2", "y2"};
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_grid(L, 1);
  double points[4], ends[4];
  lwend_query query;
  int o, values;
  lua_settop(L, 6);
  for (int i = 0; i < 4; i++) points[i] = lwend_check_finite(L, 2 + i, names[i]);
  lwend_point_in_cells(g, points, ends);
  lwend_point_in_cells(g, points + 2, ends + 2);
  lwend_query_start(L, &query, state, g);
  query.subject = ends;
  o = lwend_options(L, 6, line_options);
  values = lwend_query_values(L, &query, 1, 0, o, o + 1, o + 2, o + 3, 0, 0, 0);
  return lwend_call(L, &query, state->clear_points_ref, values, no_undo);
}

/* The path is at LWEND_TO. */
static int protected_straighten(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  lwend_searcher *searcher = query->searcher;
  const wend_costs *costs = make_costs(L, query);
  uint32_t count = (uint32_t)(lua_rawlen(L, LWEND_TO) / 2);
  double cost = 0, before = INFINITY;
  if (costs == NULL) {
    lwend_empty_path(L, LWEND_INTO);
    return lwend_push_stale(L, query);
  }
  if (count == 0) luaL_error(L, "path must be a path of this grid, got one without cells");
  if (!WEND_GROW(&query->state->alloc, searcher->goals, searcher->goals_capacity, count)) lwend_no_memory(L);
  for (uint32_t i = 0; i < count; i++) searcher->goals[i] = lwend_path_cell(L, LWEND_TO, query->g, (int)i);
  query->from = searcher->goals[0];
  query->to = searcher->goals[count - 1];
  query->status = wend_grid_straighten(query->g->grid, costs, searcher->goals, &count, &cost);
  check_status(L, query->status);
  if (query->status != WEND_OK) {
    lwend_empty_path(L, LWEND_INTO);
    return lwend_push_failure(L, query);
  }
  lua_pushliteral(L, "cost");
  lua_rawget(L, LWEND_TO);
  if (lua_type(L, -1) == LUA_TNUMBER) before = lua_tonumber(L, -1);
  /* The same steps, summed in another order, may come to a last bit more. */
  if (cost > before && cost <= before * (1 + 1e-12)) cost = before;
  query->straight = true;
  lwend_push_path_of(L, query, searcher->goals, NULL, count, cost);
  return 1;
}

/* grid:straighten(path[, opts]) -> path; or nil, message, "stale". Without costs of its own it goes by those that the path
 * was found with. */
static int grid_straighten(lua_State *L) {
  static const char *const options[] = {"costs", "agent", "cost", "at_least", "into", NULL};
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_grid(L, 1);
  lwend_query query;
  int o, first, values;
  lua_settop(L, 3);
  if (lwend_path_map(L, 2) != g) lwend_type_error(L, 2, "path", "a path of this grid");
  lwend_query_start(L, &query, state, g);
  o = lwend_options(L, 3, options);
  lwend_check_table(L, o + 4, "into");
  first = lua_gettop(L) + 1;
  lwend_push_or_field(L, o, 2, "costs");
  lwend_push_or_field(L, o + 1, 2, "agent");
  lwend_push_or_field(L, o + 2, 2, "callback");
  values = lwend_query_values(L, &query, 1, 2, first, first + 1, first + 2, o + 3, 0, o + 4, 0);
  return lwend_call(L, &query, state->straighten_ref, values, no_undo);
}

/* Adds them to grids. */
void lwend_open_line(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"clear", grid_clear}, {"clear_points", grid_clear_points}, {"straighten", grid_straighten}, {NULL, NULL}};
  state->clear_ref = lwend_protected(L, state, protected_clear);
  state->clear_points_ref = lwend_protected(L, state, protected_clear_points);
  state->straighten_ref = lwend_protected(L, state, protected_straighten);
  lwend_add_methods(L, state, state->grid_ref, methods);
}
