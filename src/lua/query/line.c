/* SPDX-License-Identifier: MIT */
/* grid:clear, grid:clear_points and grid:straighten: queries without a search. src/core/lines/line.c has the algorithms. */
#include "lua/base/costs.h"
#include "lua/base/trail.h"

static int protected_clear(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  double cost = 0;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  lwend_check_memory(L, wend_grid_leg(request->g->grid, &request->search.costs, request->from, request->to, INFINITY, &cost));
  return lwend_flag(L, cost < INFINITY);
}

/* grid:clear(x1, y1, x2, y2[, opts]) -> boolean; or nil, message, "stale" */
int lwend_grid_clear(lua_State *L) {
  const wend_costs plain = {0};
  lwend_map *g = lwend_check_grid(L, 1);
  lwend_request request;
  wend_id from, to;
  double cost = 0;
  lwend_spread_cell(L, 2, g, "x1");
  lwend_spread_cell(L, 4, g, "x2");
  lua_settop(L, 6);
  from = lwend_check_cell(L, 2, g, "x1", "y1"), to = lwend_check_cell(L, 4, g, "x2", "y2");
  if (lua_isnil(L, 6)) { /* without options no script runs: nothing needs protection */
    lwend_check_memory(L, wend_grid_leg(g->grid, &plain, from, to, INFINITY, &cost));
    return lwend_flag(L, cost < INFINITY);
  }
  lwend_request_start(L, &request, g, 1);
  request.from = from, request.to = to;
  lwend_read_options(L, &request, 6, LWEND_FOR_COSTS);
  lwend_check_costs(L, &request);
  return lwend_call(L, &request, protected_clear, NULL);
}

static int protected_clear_points(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const double *given = request->subject;
  double ends[4];
  bool clear;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  for (int i = 0; i < 4; i++) ends[i] = given[i] - lwend_body_shift(request->search.costs.size);
  lwend_check_memory(L, wend_grid_line_clear(request->g->grid, &request->search.costs, ends, ends + 2, &clear));
  return lwend_flag(L, clear);
}

/* grid:clear_points(x1, y1, x2, y2[, opts]) -> boolean; or nil, message, "stale" */
int lwend_grid_clear_points(lua_State *L) {
  const wend_costs plain = {0};
  static const char *const names[] = {"x1", "y1", "x2", "y2"};
  lwend_map *g = lwend_check_grid(L, 1);
  double points[4], ends[4];
  bool clear = false;
  lwend_request request;
  lwend_check_squares(L, g, "grid:clear_points");
  lwend_spread(L, 2, 2, "x1");
  lwend_spread(L, 4, 2, "x2");
  lua_settop(L, 6);
  for (int i = 0; i < 4; i++) points[i] = lwend_check_finite(L, 2 + i, names[i]);
  lwend_point_in_cells(g, points, ends);
  lwend_point_in_cells(g, points + 2, ends + 2);
  if (lua_isnil(L, 6)) {
    lwend_check_alive(L, g);
    lwend_check_memory(L, wend_grid_line_clear(g->grid, &plain, ends, ends + 2, &clear));
    return lwend_flag(L, clear);
  }
  lwend_request_start(L, &request, g, 1);
  request.subject = ends;
  lwend_read_options(L, &request, 6, LWEND_FOR_COSTS);
  lwend_check_costs(L, &request);
  return lwend_call(L, &request, protected_clear_points, NULL);
}

static int protected_straighten(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_searcher *searcher = request->searcher;
  uint32_t count = (uint32_t)(lua_rawlen(L, LWEND_GIVEN_PATH) / 2);
  double cost = 0, before = INFINITY;
  if (!lwend_request_ready(L, request)) {
    lwend_empty_result(L, LWEND_INTO);
    return lwend_push_stale(L, request);
  }
  if (count == 0) luaL_error(L, "path must be a path of this grid, got one without cells");
  LWEND_GROW(L, request->state, searcher->goals, searcher->goals_capacity, count);
  for (uint32_t i = 0; i < count; i++)
    searcher->goals[i] = lwend_check_listed(L, LWEND_GIVEN_PATH, request->g, "path", (size_t)i + 1);
  request->from = searcher->goals[0];
  request->to = searcher->goals[count - 1];
  request->status =
      wend_grid_straighten(request->g->grid, &request->search.costs, request->search.ends.closed ? request->to : WEND_NO_ID,
                           searcher->goals, &count, &cost);
  if (request->status != WEND_OK) {
    lwend_empty_result(L, LWEND_INTO);
    return lwend_push_failure(L, request);
  }
  lwend_getraw(L, LWEND_GIVEN_PATH, "cost");
  if (lua_type(L, -1) == LUA_TNUMBER) before = lua_tonumber(L, -1);
  /* The costs were added in another order, so rounding may make the same steps slightly more expensive. */
  if (cost > before && cost <= before * (1 + 1e-12)) cost = before;
  request->legs = WEND_STRAIGHT;
  lwend_getraw(L, LWEND_GIVEN_PATH, "goal"); /* now, as the new path may be the same table */
  lwend_push_path_of(L, request, searcher->goals, NULL, count, cost);
  lua_pushvalue(L, -2);
  lwend_setraw(L, lua_gettop(L) - 1, "goal");
  return 1;
}

/* grid:straighten(path[, opts]) -> path; or nil, message, "stale". Options that are not given come from the path. */
int lwend_grid_straighten(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const lwend_trail *trail;
  lwend_request request;
  lwend_check_squares(L, g, "grid:straighten");
  lua_settop(L, 3);
  if (lwend_path_map(L, 2) != g) lwend_type_error(L, 2, "path", "a path of this grid");
  lwend_getraw(L, 2, "dimensions");
  if (!lua_isnil(L, -1)) luaL_error(L, "path must be a path of this grid, got a route: its points are not cells");
  lua_settop(L, 3);
  lwend_request_start(L, &request, g, 1);
  lwend_request_set(L, &request, LWEND_GIVEN_PATH, 2);
  lwend_read_options(L, &request, 3, LWEND_FOR_STRAIGHTEN);
  lwend_request_inherit(L, &request, 2);
  lwend_check_costs(L, &request);
  trail = lwend_find_trail(L, 2);
  request.search.ends.closed = trail != NULL && trail->age.goal != WEND_NO_ID;
  return lwend_call(L, &request, protected_straighten, NULL);
}
