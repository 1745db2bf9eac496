/* SPDX-License-Identifier: MIT */
/* The option `clear`: it tells whether the straight line between two points is free. It is a function, walls, a grid, or
 * anything with a method `clear`. Walls and grids are tested directly, without a call into Lua. */
#include "lua/base/query.h"

wend_walls *lwend_towalls(lua_State *L, int index) {
  wend_walls **walls = lwend_toobject(L, index, &lwend_state_of(L)->types.walls);
  if (walls != NULL && *walls == NULL) luaL_error(L, "the walls are gone");
  return walls == NULL ? NULL : *walls;
}

/* Pushes the method `clear` of the value at index; nil if it has none. */
static void push_method(lua_State *L, int index) {
  if (lua_istable(L, index)) {
    lwend_getfield(L, index, "clear");
  } else if (lua_isuserdata(L, index) && luaL_getmetafield(L, index, "__index")) {
    lua_pop(L, 1);
    lwend_getfield(L, index, "clear");
  } else {
    lua_pushnil(L);
  }
}

static const lwend_map *to_grid(lua_State *L, int index) { return lwend_toobject(L, index, &lwend_state_of(L)->types.grid); }

void lwend_check_clear(lua_State *L, int index, const char *what) {
  bool good;
  lwend_check_squares(L, to_grid(L, index), what);
  if (lua_isnil(L, index) || lwend_towalls(L, index) != NULL || to_grid(L, index) != NULL || lwend_is_callable(L, index))
    return;
  push_method(L, index);
  good = lwend_is_callable(L, -1);
  lua_pop(L, 1);
  if (!good) lwend_type_error(L, index, what, "a function, walls or a grid");
}

/* Walls with a clearance: a closure of the two, which only lwend_is_clear reads. No script gets it. */
static int with_clearance(lua_State *L) { return luaL_error(L, "walls with a clearance are not called"); }

void lwend_set_clearance(lua_State *L, int clear, int index) {
  const double clearance = lwend_check_number(L, index, "clearance", 0, 1e308);
  if (lwend_towalls(L, clear) == NULL) luaL_error(L, "clearance is a distance from walls: give the option clear = walls");
  lua_pushvalue(L, clear);
  lua_pushnumber(L, clearance);
  lua_pushcclosure(L, with_clearance, 2);
  lua_replace(L, clear);
}

/* The walls that the option `clear` at index is; NULL: it is something else. *clearance: the distance from them. */
static wend_walls *walls_at(lua_State *L, int index, double *clearance) {
  wend_walls *walls;
  *clearance = 0;
  if (lua_tocfunction(L, index) != with_clearance) return lwend_towalls(L, index);
  (void)lua_getupvalue(L, index, 1);
  (void)lua_getupvalue(L, index, 2);
  walls = lwend_towalls(L, lua_gettop(L) - 1);
  *clearance = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return walls;
}

bool lwend_is_grid_clear(const lwend_map *grid, const double *a, const double *b) {
  const wend_costs costs = {NULL, NULL, NULL, 0, NULL, 0};
  double from[2], to[2];
  bool clear = false;
  lwend_point_in_cells(grid, a, from);
  lwend_point_in_cells(grid, b, to);
  (void)wend_grid_line_clear(grid->grid, &costs, from, to, &clear);
  return clear;
}

double lwend_room(lua_State *L, int index, const double *point) {
  double clearance, distance = INFINITY;
  wend_walls *walls;
  lwend_check_stack(L, 10);
  walls = walls_at(L, index, &clearance);
  if (walls == NULL) return INFINITY;
  if (wend_walls_distance(walls, point, point, &distance) != WEND_OK) lwend_no_memory(L);
  return distance - clearance;
}

bool lwend_is_clear(lua_State *L, const lwend_map *map, int index, const double *a, const double *b, int dimensions) {
  const lwend_map *grid;
  wend_walls *walls;
  double clearance;
  int arguments = 2 * dimensions;
  bool clear = false;
  lwend_check_stack(L, 10);
  walls = walls_at(L, index, &clearance);
  if (walls != NULL) {
    if (wend_walls_clear(walls, a, b, clearance, &clear) != WEND_OK) lwend_no_memory(L);
    return clear;
  }
  grid = to_grid(L, index);
  if (grid != NULL) {
    if (grid->map == NULL) luaL_error(L, "clear: the grid is gone");
    return lwend_is_grid_clear(grid, a, b);
  }
  if (lwend_is_callable(L, index)) {
    lua_pushvalue(L, index);
  } else {
    push_method(L, index);
    lua_pushvalue(L, index);
    arguments++;
  }
  for (int d = 0; d < dimensions; d++) lua_pushnumber(L, a[d]);
  for (int d = 0; d < dimensions; d++) lua_pushnumber(L, b[d]);
  lwend_ask(L, map, arguments, 1);
  clear = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return clear;
}

bool lwend_ask_clear(void *ud, const double *a, const double *b) {
  const lwend_clear *clear = ud;
  return lwend_is_clear(clear->L, clear->map, clear->index, a, b, clear->dimensions);
}
