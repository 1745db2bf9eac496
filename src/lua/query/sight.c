/* SPDX-License-Identifier: MIT */
/* grid:sees and grid:visible: straight lines of sight over a grid. src/core/views/sight.c has the algorithms. */
#include "lua/base/query.h"

/* grid:sees(x1, y1, x2, y2[, { opaque, transparent }]) -> boolean */
int lwend_grid_sees(lua_State *L) {
  static const char *const names[] = {"opaque", "transparent", NULL};
  lwend_map *g = lwend_check_grid(L, 1);
  wend_sight *sight;
  wend_id from, to;
  lwend_spread_cell(L, 2, g, "x1");
  lwend_spread_cell(L, 4, g, "x2");
  lua_settop(L, 6);
  from = lwend_check_cell(L, 2, g, "x1", "y1");
  to = lwend_check_cell(L, 4, g, "x2", "y2");
  sight = lwend_push_sight(L, g, lwend_options(L, 6, names));
  return lwend_flag(L, wend_sight_sees(sight, lwend_check_grid(L, 1)->map, from, to));
}

/* grid:visible(x, y, radius[, { opaque, transparent, into }]) -> flat list of cells */
int lwend_grid_visible(lua_State *L) {
  static const char *const names[] = {"opaque", "transparent", "into", NULL};
  lwend_map *g = lwend_check_grid(L, 1);
  const wend_sight *sight;
  int list, length = 0;
  double radius;
  wend_id from;
  /* Read. */
  lwend_spread_cell(L, 2, g, "x");
  lua_settop(L, 5);
  from = lwend_check_cell(L, 2, g, "x", "y");
  radius = lwend_check_number(L, 4, "radius", 0, INFINITY);
  list = lwend_options(L, 5, names) + 2;
  lwend_check_into(L, list);
  sight = lwend_push_sight(L, g, list - 2);
  /* Check again. From here on nothing allocates Lua memory but the list. */
  g = lwend_check_grid(L, 1);
  /* Act. */
  for (wend_id cell = WEND_NO_ID; (cell = wend_sight_next(sight, g->grid, from, radius, cell)) != WEND_NO_ID;)
    lwend_add_cell(L, list, &length, g, cell);
  lwend_cut_list(L, list, (uint32_t)length);
  lua_settop(L, list);
  return 1;
}
