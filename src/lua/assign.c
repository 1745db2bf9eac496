/* SPDX-License-Identifier: MIT */
/* Values of cells, as scripts write them. And grid:assign: cells from the numbers of a host, in a string, a Data of LÖVE or memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid_object.h"

/* ---- Values of cells --------------------------------------------------------------------------------------- */

/* Reads the field weight of a cell value at index: a number >= 0, or false: closed. The result false: something else. */
static bool to_weight(lua_State *L, int index, double *weight) {
  if (lua_type(L, index) == LUA_TNUMBER) {
    *weight = lua_tonumber(L, index);
    return *weight >= 0;
  }
  *weight = INFINITY;
  return lua_isboolean(L, index) && !lua_toboolean(L, index);
}

/* The value of a cell from the table at index: { weight =, tag =, closed = }. May add a tag to the map at map_index. */
static wend_cell check_fields(lua_State *L, int index, int map_index, const char *what) {
  static const char *const options[] = {"weight", "tag", "closed", NULL};
  wend_cell cell = {1, WEND_UNTAGGED};
  int top = lua_gettop(L), o = lwend_options(L, index, options);
  if (!lua_isnil(L, o) && !to_weight(L, o, &cell.weight)) {
    lua_pushfstring(L, "%s: weight", what);
    lwend_type_error(L, o, lua_tostring(L, -1), "a number >= 0 or false");
  }
  if (!lua_isnil(L, o + 1) || !lua_isnil(L, o + 2)) {
    char name[64]; /* not a Lua string: pushing one may run finalizers, and the cell was checked already */
    bool closed;
    snprintf(name, sizeof name, "%s: closed", what);
    closed = lwend_check_boolean(L, o + 2, name);
    snprintf(name, sizeof name, "%s: tag", what);
    cell.tag = lwend_check_tag(L, o + 1, map_index, name);
    if (closed) cell.tag |= WEND_CELL_CLOSED;
  }
  lua_settop(L, top);
  return cell;
}

/* The value of a cell at index: a weight, false, a tag, or { weight =, tag =, closed = }. Part of acting: it may add a tag. */
wend_cell lwend_check_cell_value(lua_State *L, int index, int map_index, const char *what) {
  wend_cell cell = {1, WEND_UNTAGGED};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      cell.weight = lua_tonumber(L, index);
      if (cell.weight >= 0) return cell;
      break;
    case LUA_TBOOLEAN:
      cell.weight = INFINITY;
      if (!lua_toboolean(L, index)) return cell;
      break;
    case LUA_TSTRING: cell.tag = lwend_check_tag(L, index, map_index, what); return cell;
    case LUA_TTABLE: return check_fields(L, index, map_index, what);
    default: break;
  }
  lwend_type_error(L, index, what, "a number >= 0, false, a tag or { weight =, tag = }");
  return cell;
}

/* ---- grid:assign ------------------------------------------------------------------------------------------- */

/* The greatest stride and length, in bytes. */
#define STRIDE_MAX 4294967295u
#define LENGTH_MAX ((uint64_t)1 << 53)
/* So many values are read into memory that no collector sees. */
#define VALUES_FEW 64

static int by_number(const void *a, const void *b) {
  const wend_numbered *one = a, *other = b;
  return one->number < other->number ? -1 : one->number > other->number;
}

/* Pushes a number as text. */
static const char *text(lua_State *L, uint64_t number) { return lwend_pushwhole(L, number), lua_tostring(L, -1); }

/* Reads a whole number of a range. */
static void check_number(lua_State *L, int index, const char *what, uint64_t least, uint64_t most, uint64_t *number) {
  char wanted[80];
  snprintf(wanted, sizeof wanted, "a whole number in %.0f .. %.0f", (double)least, (double)most);
  if (!lwend_towhole(L, index, number) || *number < least || *number > most) lwend_type_error(L, index, what, wanted);
}

/* The rectangle of the option area at index: { x1, y1, x2, y2 }; default: the whole grid. */
static void check_area(lua_State *L, int index, const wend_grid *grid, wend_assign_opts *opts) {
  const uint64_t most[2] = {wend_grid_width(grid), wend_grid_height(grid)};
  const int top = lua_gettop(L);
  uint64_t n[4] = {1, 1, most[0], most[1]};
  if (!lua_isnil(L, index)) {
    if (!lua_istable(L, index) || lua_rawlen(L, index) != 4)
      lwend_type_error(L, index, "area", "a rectangle { x1, y1, x2, y2 }");
    for (int i = 0; i < 4; i++) {
      lua_rawgeti(L, index, i + 1);
      check_number(L, top + 1, lua_pushfstring(L, "area[%d]", i + 1), 1, most[i % 2], &n[i]);
      lua_settop(L, top);
    }
  }
  opts->x1 = (uint32_t)(n[0] < n[2] ? n[0] : n[2]) - 1, opts->x2 = (uint32_t)(n[0] < n[2] ? n[2] : n[0]) - 1;
  opts->y1 = (uint32_t)(n[1] < n[3] ? n[1] : n[3]) - 1, opts->y2 = (uint32_t)(n[1] < n[3] ? n[3] : n[1]) - 1;
}

/* Reads `values` at index. few: room for VALUES_FEW of them; more are read into a new userdata, which is pushed. */
static void read_values(lua_State *L, int index, wend_numbered *few, wend_assign_opts *opts) {
  wend_numbered *values = few;
  size_t count = 0, read = 0;
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) count++;
  if (count > VALUES_FEW) values = lua_newuserdata(L, count * sizeof *values);
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    uint64_t number = 0;
    char what[40];
    check_number(L, lua_gettop(L) - 1, "a key of values", 0, UINT32_MAX, &number);
    if (read == count) luaL_error(L, "values must not change while it is read");
    snprintf(what, sizeof what, "values[%.0f]", (double)number);
    values[read].number = (uint32_t)number;
    values[read++].value = lwend_check_cell_value(L, lua_gettop(L), 1, what);
  }
  qsort(values, read, sizeof *values, by_number);
  opts->values = values, opts->count = (uint32_t)read;
}

/* grid:assign(data, values[, { area, bytes, stride, length }]) -> grid */
int lwend_grid_assign(lua_State *L) {
  static const char *const options[] = {"area", "bytes", "stride", "length", NULL};
  enum { AREA, BYTES, STRIDE, LENGTH };
  lwend_map *g = lwend_check_editable(L, lwend_check_grid(L, 1));
  wend_numbered few[VALUES_FEW];
  wend_assign_opts opts = {0, 0, 0, 0, 1, 0, NULL, 0};
  uint64_t length = UINT64_MAX, bytes = 1, stride, needed, width;
  bool measured;
  lwend_host_data from;
  wend_id cell;
  uint32_t number;
  wend_status status;
  int o;
  /* Read. */
  lua_settop(L, 4);
  if (!lua_istable(L, 3)) lwend_type_error(L, 3, "values", "a table of cell values by number");
  o = lwend_options(L, 4, options);
  check_area(L, o + AREA, g->grid, &opts);
  if (!lua_isnil(L, o + BYTES) && (!lwend_towhole(L, o + BYTES, &bytes) || (bytes != 1 && bytes != 2 && bytes != 4)))
    lwend_type_error(L, o + BYTES, "bytes", "1, 2 or 4");
  opts.bytes = (uint32_t)bytes;
  stride = width = (opts.x2 - opts.x1 + 1) * bytes;
  measured = !lua_isnil(L, o + STRIDE) || !lua_isnil(L, o + LENGTH);
  if (!lua_isnil(L, o + STRIDE)) check_number(L, o + STRIDE, "stride", width, STRIDE_MAX, &stride);
  opts.stride = (size_t)stride;
  if (!lua_isnil(L, o + LENGTH)) check_number(L, o + LENGTH, "length", 0, LENGTH_MAX, &length);
  read_values(L, 3, few, &opts);
  from = lwend_find_host_data(L, 2, "data", "a string, a Data of LÖVE, or a pointer with the option length");
  /* Check. */
  g = lwend_check_editable(L, lwend_check_grid(L, 1));
  if (!from.exact && length == UINT64_MAX) luaL_error(L, "a pointer needs the option 'length', in bytes");
  if (length == UINT64_MAX) length = from.size;
  needed = (uint64_t)(opts.y2 - opts.y1) * stride + width;
  if (length > from.size)
    luaL_error(L, "length must be at most %s, the bytes of the data, got %s", text(L, from.size), text(L, length));
  if (length < needed || (length > needed && !measured))
    luaL_error(L, "data must have %s%s bytes, got %s", measured ? "at least " : "", text(L, needed), text(L, length));
  /* Act. */
  status = wend_grid_assign(g->grid, from.at, &opts, &cell, &number);
  if (status != WEND_INVALID) return lwend_edited(L, status);
  return luaL_error(L, "values has nothing for %s, the number of cell %s", text(L, number), lwend_push_id_text(L, g, cell));
}
