/* SPDX-License-Identifier: MIT */
/* Positions and cells as one value: anything with fields x, y[, z]. What moves counts as the cell in which it is, where a cell
 * is meant. */
#include "lua/base/query.h"

static const char *const axes[] = {"x", "y", "z"};

/* Whether a script can read fields of the value at index: a table, a cdata of LuaJIT, or a userdata with __index. */
static bool has_fields(lua_State *L, int index) {
  if (lua_istable(L, index) || lua_type(L, index) > LUA_TTHREAD) return true;
  if (!lua_isuserdata(L, index) || !luaL_getmetafield(L, index, "__index")) return false;
  lua_pop(L, 1);
  return true;
}

/* Whether the value at index is a list: a table with an item 1 and without a field x of its own, but nothing that moves, in
 * which a script may keep items too. Runs no script. */
static bool is_list(lua_State *L, int index) {
  const int top = lua_gettop(L);
  bool listed;
  if (!lua_istable(L, index) || lwend_moves(L, index)) return false;
  lwend_getraw(L, index, "x");
  listed = lua_isnil(L, -1) && LWEND_RAWGETI(L, index, 1) != LUA_TNIL;
  lua_settop(L, top);
  return listed;
}

/* Pushes coordinate d, from 0, of the position at index: item d + 1 if it is a list, otherwise the field x, y or z. */
static void push_axis(lua_State *L, int index, bool listed, int d) {
  if (listed) lua_rawgeti(L, index, d + 1);
  else lwend_getfield(L, index, axes[d]);
}

void lwend_check_position(lua_State *L, int index, const char *what, int dimensions, double *point) {
  bool listed;
  index = lua_absindex(L, index);
  if (!has_fields(L, index))
    lwend_type_error(L, index, what,
                     dimensions == 2 ? "a position: { x, y }, or something with fields x and y"
                                     : "a position: { x, y, z }, or something with fields x, y and z");
  listed = is_list(L, index);
  for (int d = 0; d < dimensions; d++) {
    push_axis(L, index, listed, d);
    point[d] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!(point[d] >= -WEND_COORDINATE_MAX && point[d] <= WEND_COORDINATE_MAX)) {
      if (listed) lua_pushfstring(L, "%s[%d]", what, d + 1);
      else lua_pushfstring(L, "%s.%c", what, 'x' + d);
      lwend_check_coordinate(L, -2, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
  }
}

bool lwend_spread(lua_State *L, int index, int dimensions, const char *what) {
  if (lua_type(L, index) == LUA_TNUMBER || !has_fields(L, index)) return false;
  if (what == NULL && is_list(L, index)) return false;
  lwend_getfield(L, index, axes[0]);
  if (lua_isnil(L, -1)) {
    if (is_list(L, index))
      luaL_error(L, "%s must be a number, got a list: use %s", what,
                 dimensions == 2 ? "x, y or { x = , y = }" : "x, y, z or { x = , y = , z = }");
    lua_pop(L, 1);
    return false;
  }
  lua_insert(L, index + 1);
  for (int d = 1; d < dimensions; d++) {
    lwend_getfield(L, index, axes[d]);
    lua_insert(L, index + 1 + d);
  }
  lua_remove(L, index);
  return true;
}

bool lwend_spread_cell(lua_State *L, int index, const lwend_map *grid, const char *what) {
  double point[2], cells[2], at[2];
  lwend_frame frame;
  bool moves;
  if (lua_type(L, index) == LUA_TNUMBER) return false;
  frame = grid->frame; /* a finalizer may free the grid */
  moves = lwend_moves(L, index);
  if (!lwend_spread(L, index, 2, what)) return false;
  if (!moves) {
    if (!lwend_is_plain_frame(&frame))
      luaL_error(L,
                 "%s must be given in numbers: fields x and y are a cell only on grids with cell 1 and origin 0,0 "
                 "(grid:cell_at finds the cell of a position)",
                 what != NULL ? what : "a cell");
    return true;
  }
  point[0] = lwend_check_finite(L, index, "x"), point[1] = lwend_check_finite(L, index + 1, "y");
  wend_frame_point_in_cells(&frame, point, cells);
  wend_frame_cell(&frame, cells, at);
  for (int d = 0; d < 2; d++) {
    const double cell = at[d] + 1;
    if (fabs(cell) < INT32_MAX) lua_pushinteger(L, (lua_Integer)cell);
    else lua_pushnumber(L, cell);
    lua_replace(L, index + d);
  }
  return true;
}

int lwend_check_point(lua_State *L, int index, int dimensions, double *point) {
  if (lua_type(L, index) != LUA_TNUMBER && !lua_isnoneornil(L, index)) {
    lwend_check_position(L, index, "position", dimensions, point);
    return index + 1;
  }
  for (int d = 0; d < dimensions; d++) point[d] = lwend_check_coordinate(L, index + d, axes[d]);
  return index + dimensions;
}
