/* SPDX-License-Identifier: MIT */
/* wend.Grid: cells, walls and portals, which scripts call links.
 *
 * In Lua, cells are x and y from 1. In the core, a cell is an id: id - 1 is y * width + x with x and y from 0. The binding
 * keeps what the core does not need: the position of the grid in the world, and the characters of its legend (glyphs),
 * with which text.c draws it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/query.h"
#include "utf8.h"
#include "grid_object.h"

/* The grid at 1. Raises if it may not be changed now. */
static lwend_map *check_editable(lua_State *L) { return lwend_check_editable(L, lwend_check_grid(L, 1)); }

/* ---- Making ------------------------------------------------------------------------------------------------ */

static const char *const policies[] = {"both_open", "one_open", "always", "never", NULL};
static const char *const projections[] = {"orthogonal", "isometric", NULL};
static const char *const shapes[] = {"square", "hex", NULL};
static const char *const shifts[] = {"odd", "even", NULL};
static const char *const grid_options[] = {"diagonals", "diagonal_length", "projection", "cell", "origin",
                                           "shape",     "shift",           "flat",       "side", NULL};

/* Pushes a part of an option at index: the field `key`, or item i of a list. May run scripts. */
static void push_part(lua_State *L, int index, int i, const char *key) {
  lwend_getfield(L, index, key);
  if (lua_isnil(L, -1) && lua_istable(L, index)) {
    lua_pop(L, 1);
    lua_rawgeti(L, index, i);
  }
}

/* A coordinate of the option origin at index. May run scripts. */
static double origin_field(lua_State *L, int index, int i, const char *key) {
  int value = lua_gettop(L) + 1;
  double number;
  push_part(L, index, i, key);
  lua_pushfstring(L, "origin: %s", key);
  number = lwend_check_coordinate(L, value, lua_tostring(L, -1));
  lua_settop(L, value - 1);
  return number;
}

/* A size of a cell at index. */
static double cell_size(lua_State *L, int index, const char *what) {
  const double size = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  if (!(size > 0 && size <= LWEND_CELL_MAX)) lwend_type_error(L, index, what, "a finite number > 0");
  return size;
}

/* Whether the value at index may have fields. */
static bool has_parts(lua_State *L, int index) {
  return lua_istable(L, index) || lua_isuserdata(L, index) || lua_type(L, index) > LUA_TTHREAD; /* above: a cdata of LuaJIT */
}

/* Reads the option cell at index: a number, or a width and a height. May run scripts. */
static void cell_field(lua_State *L, int index, lwend_frame *frame) {
  const int top = lua_gettop(L);
  if (!lua_istable(L, index)) {
    lwend_set_cell(frame, cell_size(L, index, "cell"));
    if (fmax(frame->wide, frame->high) > LWEND_CELL_MAX) lwend_type_error(L, index, "cell", "a finite number > 0");
    return;
  }
  push_part(L, index, 1, "x");
  push_part(L, index, 2, "y");
  frame->wide = cell_size(L, top + 1, "cell: x");
  frame->high = cell_size(L, top + 2, "cell: y");
  lua_settop(L, top);
}

/* Reads the option side at index, or sets the one of a regular hex. */
static void side_field(lua_State *L, int index, lwend_frame *frame) {
  const double along = frame->shape >= WEND_ODD_COLUMNS ? frame->wide : frame->high;
  frame->side = lua_isnil(L, index) ? along / 2 : lwend_check_number(L, index, "side", 0, along) + 0.0; /* not -0 */
}

/* The options that make hexes, from index o on: shape, shift, flat and side. squares: the index of the three that are for squares
 * only. */
static wend_shape shape_options(lua_State *L, int o, int squares) {
  const bool hexes = !lua_isnil(L, o) && lwend_check_choice(L, o, "shape", shapes, "") == 1;
  const int even = lua_isnil(L, o + 1) ? 0 : lwend_check_choice(L, o + 1, "shift", shifts, "");
  const bool flat = lwend_check_boolean(L, o + 2, "flat");
  if (!hexes && !lua_isnil(L, o + 3)) (void)lwend_check_number(L, o + 3, "side", 0, LWEND_CELL_MAX);
  for (int i = 0; hexes && i <= 2; i++)
    if (!lua_isnil(L, squares + i)) luaL_error(L, "the option '%s' is not for hexes", grid_options[i]);
  for (int i = 1; !hexes && i <= 3; i++)
    if (!lua_isnil(L, o + i))
      luaL_error(L, "the option '%s' is for hexes: give shape = \"hex\"", grid_options[o - squares + i]);
  if (!hexes) return WEND_SQUARES;
  return (wend_shape)((flat ? WEND_ODD_COLUMNS : WEND_ODD_ROWS) + even);
}

/* Reads the options of wend.grid at index. */
lwend_grid_opts lwend_grid_options(lua_State *L, int index) {
  lwend_grid_opts opts = {WEND_BOTH_OPEN, 0, {1, 1, 0, 0, false, WEND_SQUARES, 0}};
  int o = lwend_options(L, index, grid_options);
  opts.frame.shape = shape_options(L, o + 5, o);
  lwend_set_cell(&opts.frame, 1);
  if (!lua_isnil(L, o)) opts.diagonals = (wend_diagonals)lwend_check_choice(L, o, "diagonals", policies, "");
  if (!lua_isnil(L, o + 1)) opts.diagonal_length = lwend_check_number(L, o + 1, "diagonal_length", 1, 2);
  if (!lua_isnil(L, o + 2)) opts.frame.isometric = lwend_check_choice(L, o + 2, "projection", projections, "") == 1;
  if (!lua_isnil(L, o + 3)) cell_field(L, o + 3, &opts.frame);
  if (opts.frame.shape != WEND_SQUARES) side_field(L, o + 8, &opts.frame);
  if (!lua_isnil(L, o + 4)) {
    if (!has_parts(L, o + 4)) lwend_type_error(L, o + 4, "origin", "a position ({ x, y })");
    opts.frame.left = origin_field(L, o + 4, 1, "x");
    opts.frame.top = origin_field(L, o + 4, 2, "y");
  }
  return opts;
}

/* Pushes a new grid with room for a number of glyphs. width, height: in cells. */
lwend_grid *lwend_push_grid(lua_State *L, uint32_t width, uint32_t height, const lwend_grid_opts *opts, int glyphs) {
  lwend_state *state = lwend_state_of(L);
  lwend_grid *g = lwend_push_grid_object(L, glyphs);
  g->base.frame = opts->frame;
  if (opts->frame.shape != WEND_SQUARES) g->base.grid = wend_grid_create_hexes(&state->alloc, width, height, opts->frame.shape);
  else g->base.grid = wend_grid_create(&state->alloc, width, height, opts->diagonals);
  if (g->base.grid == NULL) lwend_no_memory(L);
  else g->base.map = wend_grid_map(g->base.grid);
  if (opts->diagonal_length > 0) wend_grid_set_diagonal_length(g->base.grid, opts->diagonal_length);
  return g;
}

/* The width or height at index. */
static uint32_t check_size(lua_State *L, int index, const char *what) {
  uint64_t size = 0;
  if (!lwend_towhole(L, index, &size) || size < 1 || size > WEND_CELLS_MAX)
    lwend_type_error(L, index, what, "a whole number in 1 .. 2147483647");
  return (uint32_t)size;
}

/* Raises if the grid would be too large. The core stores a margin of closed cells around it. */
void lwend_check_grid_size(lua_State *L, uint64_t width, uint64_t height) {
  if ((width + 1) * (height + 2) + 1 > WEND_CELLS_MAX) luaL_error(L, "a grid has at most 2147483647 cells, margins included");
}

/* wend.grid(width, height[, { diagonals, diagonal_length, cell, origin, projection, shape, shift, flat, side }]) -> grid */
int lwend_core_grid(lua_State *L) {
  uint32_t width = check_size(L, 1, "width"), height = check_size(L, 2, "height");
  lwend_grid_opts opts;
  lwend_check_grid_size(L, width, height);
  lua_settop(L, 3);
  opts = lwend_grid_options(L, 3);
  lwend_push_grid(L, width, height, &opts, 0);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}

/* ---- Values of cells --------------------------------------------------------------------------------------- */

/* Pushes a weight; false for a closed cell. */
static void push_weight(lua_State *L, double weight) {
  if (weight < INFINITY) lua_pushnumber(L, weight);
  else lua_pushboolean(L, 0);
}

/* Raises if there is an argument from index up to `last`. after: the name of the last one that may be there. */
static void check_last(lua_State *L, int index, int last, const char *after) {
  for (; index <= last; index++) {
    if (lua_isnil(L, index)) continue;
    lua_pushfstring(L, "the argument after %s", after);
    lwend_type_error(L, index, lua_tostring(L, -1), "nil");
  }
}

/* The same for the value at index and the tag that may follow a weight or false: the two results of grid:get. They are the last
 * arguments of a call, up to index `last`. */
static wend_cell check_last_value(lua_State *L, int index, int last) {
  int type;
  wend_cell cell;
  if (last <= index) return lwend_check_cell_value(L, index, 1, "value"); /* the usual case */
  type = lua_type(L, index);
  check_last(L, index + 2, last, "tag");
  if (lua_isnil(L, index + 1)) return lwend_check_cell_value(L, index, 1, "value");
  if (type == LUA_TSTRING || type == LUA_TTABLE) lwend_type_error(L, index + 1, "tag", "nil after a tag or a table");
  cell = lwend_check_cell_value(L, index, 1, "value");
  cell.tag = lwend_check_tag(L, index + 1, 1, "tag");
  return cell;
}

/* Spreads the two cells of a call (map, x1, y1, x2, y2, ...): each may be one value with fields x and y. */
static void spread_cells(lua_State *L, const lwend_map *g) {
  lwend_spread_cell(L, 2, g, "x1");
  lwend_spread_cell(L, 4, g, "x2");
}

/* Reads these two cells. */
static void check_two_cells(lua_State *L, const lwend_map *g, wend_id *ends) {
  spread_cells(L, g);
  ends[0] = lwend_check_cell(L, 2, g, "x1", "y1");
  ends[1] = lwend_check_cell(L, 4, g, "x2", "y2");
}

/* The cell at 2 of the grid at 1: x and y, or one value with these fields. */
static wend_id check_one_cell(lua_State *L, const lwend_map *g) {
  lwend_spread_cell(L, 2, g, "x");
  return lwend_check_cell(L, 2, g, "x", "y");
}

/* A rectangle of cells, from 0, corners included. */
typedef struct rectangle {
  uint32_t x1, y1, x2, y2;
} rectangle;

/* The rectangle between two cells. */
static rectangle between(const lwend_map *g, wend_id a, wend_id b) {
  const uint32_t width = wend_grid_width(g->grid), i = (uint32_t)a - 1, j = (uint32_t)b - 1;
  rectangle r = {i % width, i / width, j % width, j / width};
  if (r.x1 > r.x2) r.x1 = j % width, r.x2 = i % width;
  if (r.y1 > r.y2) r.y1 = j / width, r.y2 = i / width;
  return r;
}

/* grid:set(x, y, value), grid:set(x, y, weight or false, tag); grid:set(cell, ...) -> grid */
static int grid_set(lua_State *L) {
  lwend_map *g = check_editable(L);
  const wend_id cell = check_one_cell(L, g);
  return lwend_edited(L, wend_grid_set(g->grid, cell, check_last_value(L, 4, lua_gettop(L))));
}

/* grid:get(x, y), grid:get(cell) -> weight or false: closed, tag or nil */
static int grid_get(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const wend_id at = check_one_cell(L, g);
  const wend_cell cell = wend_grid_get(g->grid, at);
  push_weight(L, cell.weight);
  lwend_push_tag(L, 1, cell.tag);
  return 2;
}

static int check_filled(lua_State *L, const lwend_map *g, rectangle *r) {
  const rectangle all = {0, 0, wend_grid_width(g->grid) - 1, wend_grid_height(g->grid) - 1};
  int count = lua_gettop(L);
  wend_id ends[2];
  *r = all;
  while (count > 2 && lua_isnil(L, count)) count--;
  if (count <= 4 && (count <= 2 || lua_type(L, 3) == LUA_TSTRING)) return 2; /* a value, perhaps with a tag */
  check_two_cells(L, g, ends);
  *r = between(g, ends[0], ends[1]);
  return 6;
}

/* grid:fill(value), grid:fill(x1, y1, x2, y2, value), grid:fill(a, b, value); value: also a weight or false, and a tag -> grid */
static int grid_fill(lua_State *L) {
  lwend_map *g = check_editable(L);
  rectangle r;
  const int value = check_filled(L, g, &r);
  return lwend_edited(L, wend_grid_fill(g->grid, r.x1, r.y1, r.x2, r.y2, check_last_value(L, value, lua_gettop(L))));
}

static rectangle check_rectangle(lua_State *L, const lwend_map *g) {
  wend_id a, b;
  if (lua_gettop(L) != 3 || lua_type(L, 2) != LUA_TNUMBER) { /* else: x and y, the usual case */
    spread_cells(L, g);
    check_last(L, 6, lua_gettop(L), "y2");
  }
  a = b = lwend_check_cell(L, 2, g, "x", "y");
  if (lua_isnoneornil(L, 4) && !lua_isnoneornil(L, 5)) lwend_type_error(L, 5, "y2", "nil without x2");
  if (!lua_isnoneornil(L, 4)) b = lwend_check_cell(L, 4, g, "x2", "y2");
  return between(g, a, b);
}

/* grid:close and grid:open. */
static int close_cells(lua_State *L, bool closed) {
  lwend_map *g = check_editable(L);
  const rectangle r = check_rectangle(L, g);
  return lwend_edited(L, wend_grid_close(g->grid, r.x1, r.y1, r.x2, r.y2, closed));
}

/* grid:close(x, y[, x2, y2]), grid:close(a[, b]) -> grid */
static int grid_close(lua_State *L) { return close_cells(L, true); }
/* grid:open(x, y[, x2, y2]), grid:open(a[, b]) -> grid */
static int grid_open(lua_State *L) { return close_cells(L, false); }

/* ---- grid:map ---------------------------------------------------------------------------------------------- */

/* grid:map fills a second grid, the draft, and exchanges it with the first when all cells are set. So an error leaves the
 * grid unchanged. New tags are added to the draft first, for the same reason. */

typedef struct mapping {
  lwend_job job;
  bool ours; /* whether an error comes from protected_map and not from the script's function */
} mapping;

enum { MAPPING = 1, MAP_GRID, MAP_FUNCTION, MAP_DRAFT }; /* the slots of protected_map */

/* Fills the draft. */
static int protected_map(lua_State *L) {
  const lwend_map *g = lua_touserdata(L, MAP_GRID), *draft = lua_touserdata(L, MAP_DRAFT);
  uint32_t width = wend_grid_width(g->grid), height = wend_grid_height(g->grid);
  bool *ours = &((mapping *)lua_touserdata(L, MAPPING))->ours;
  wend_cell *row = lua_newuserdata(L, width * sizeof *row);
  int top = lua_gettop(L);
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      *ours = false;
      lua_pushvalue(L, MAP_FUNCTION);
      lwend_pushwhole(L, x + 1);
      lwend_pushwhole(L, y + 1);
      lwend_ask(L, g, 2, 1);
      *ours = true;
      if (lua_isnil(L, -1)) {
        row[x] = wend_grid_kept(g->grid, wend_grid_cell(g->grid, x, y));
      } else if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) >= 0) {
        row[x].weight = lua_tonumber(L, -1);
        row[x].tag = WEND_UNTAGGED;
      } else {
        char what[64];
        snprintf(what, sizeof what, "the value of cell (%u,%u)", (unsigned)x + 1, (unsigned)y + 1);
        row[x] = lwend_check_cell_value(L, top + 1, MAP_DRAFT, what);
      }
      lua_settop(L, top);
    }
    if (wend_grid_set_row(draft->grid, y, row) != WEND_OK) lwend_no_memory(L);
  }
  return 0;
}

/* Adds the tags of one map to another. Both have the same tags with the same numbers up to the smaller count, and equal
 * tags afterwards, which are the map's own: also tags that only its overlays had. */
static void copy_tags(lua_State *L, const wend_map *from, wend_map *to) {
  for (uint32_t tag = 1; tag <= wend_map_tag_count(from); tag++) {
    size_t length;
    const char *name = wend_map_tag_name(from, tag, &length);
    uint32_t number;
    if (wend_map_tag(to, name, length, &number) != WEND_OK) lwend_no_memory(L);
  }
}

/* grid:map(fn) -> grid; fn(x, y) -> value of the cell, or nil: no change */
static int grid_map(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_grid(L, 1), *draft;
  lwend_grid_opts opts = {WEND_BOTH_OPEN, 0, {1, 1, 0, 0, false, WEND_SQUARES, 0}};
  mapping asked = {{protected_map}, false};
  int failed;
  /* Read. */
  lua_settop(L, 2);
  if (!lwend_is_callable(L, 2)) lwend_type_error(L, 2, "fn", "a function");
  draft = &lwend_push_grid(L, wend_grid_width(g->grid), wend_grid_height(g->grid), &opts, 0)->base;
  lwend_push_job(L, state, &asked.job);
  for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
  /* Check. */
  (void)check_editable(L);
  lwend_check_depth(L, state);
  /* Act. */
  copy_tags(L, g->map, draft->map);
  g->mapping = true;
  failed = lwend_protect(L, state, 4, 0);
  g->mapping = false;
  if (failed && asked.ours && lua_type(L, -1) == LUA_TSTRING && !lwend_is_no_memory(L, -1))
    return luaL_error(L, "%s", lua_tostring(L, -1));
  if (failed) return lua_error(L);
  copy_tags(L, draft->map, g->map);
  return lwend_edited(L, wend_grid_exchange(g->grid, draft->grid));
}

/* ---- Walls and portals --------------------------------------------------------------------------------------- */

/* grid:wall(x1, y1, x2, y2[, closed[, { directed }]]) -> grid */
static int grid_wall(lua_State *L) {
  static const char *const options[] = {"directed", NULL};
  lwend_map *g = check_editable(L);
  wend_id ends[2];
  bool closed, directed;
  int o;
  check_two_cells(L, g, ends);
  lua_settop(L, 7);
  o = lwend_options(L, 7, options);
  if (!wend_grid_are_neighbours(g->grid, ends[0], ends[1]))
    luaL_error(L, "a wall must be between two neighbouring cells, got %s and %s", lwend_push_id_text(L, g, ends[0]),
               lwend_push_id_text(L, g, ends[1]));
  closed = lwend_check_boolean(L, 6, "closed") || lua_isnil(L, 6);
  directed = lwend_check_boolean(L, o, "directed");
  return lwend_edited(L, (directed ? wend_grid_wall_directed : wend_grid_wall)(g->grid, ends[0], ends[1], closed));
}

/* grid:link(x1, y1, x2, y2[, { weight, tag, directed }]) -> grid */
static int grid_link(lua_State *L) {
  static const char *const options[] = {"weight", "tag", "directed", NULL};
  lwend_map *g = lwend_check_own(L, lwend_check_grid(L, 1));
  wend_id ends[2];
  double weight = 1;
  bool directed;
  int o;
  check_two_cells(L, g, ends);
  lua_settop(L, 6);
  o = lwend_options(L, 6, options);
  if (!lua_isnil(L, o)) weight = lwend_check_number(L, o, "weight", 0, 1e308);
  directed = lwend_check_boolean(L, o + 2, "directed");
  return lwend_edited(L,
                      wend_grid_set_portal(g->grid, ends[0], ends[1], weight, lwend_check_tag(L, o + 1, 1, "tag"), directed));
}

/* grid:unlink(x1, y1, x2, y2) -> grid */
static int grid_unlink(lua_State *L) {
  lwend_map *g = lwend_check_own(L, lwend_check_grid(L, 1));
  wend_id ends[2];
  check_two_cells(L, g, ends);
  wend_grid_remove_portals(g->grid, ends[0], ends[1]);
  return lwend_self(L);
}

/* grid:reset() -> overlay; grid:reset(x, y[, x2, y2]), grid:reset(a[, b]): only these cells, and the walls around them */
static int grid_reset(lua_State *L) {
  lwend_map *g = check_editable(L);
  lwend_check_derived(L, g);
  if (lua_gettop(L) == 1) {
    wend_overlay_reset(g->map);
  } else {
    const rectangle r = check_rectangle(L, g);
    (void)check_editable(L);
    wend_overlay_reset_cells(g->grid, r.x1, r.y1, r.x2, r.y2);
  }
  return lwend_self(L);
}

/* The grid at 1, an overlay with unknown cells. */
static lwend_map *check_fog(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const lwend_map *base = g->base;
  if (wend_overlay_is_fog(g->map)) return g;
  while (base != NULL && !wend_overlay_is_fog(base->map)) base = base->base;
  luaL_error(L, "self must be an overlay with unknown cells: grid:overlay { unknown = weight }%s",
             base != NULL ? ", got an overlay of one: ask that" : "");
  return NULL;
}

/* grid:reveal(x, y[, x2, y2]), grid:reveal(a[, b]) -> overlay */
static int grid_reveal(lua_State *L) {
  lwend_map *g = lwend_check_editable(L, check_fog(L));
  const rectangle r = check_rectangle(L, g);
  (void)check_editable(L);
  return lwend_edited(L, wend_overlay_reveal(g->grid, r.x1, r.y1, r.x2, r.y2));
}

/* grid:is_known(x, y), grid:is_known(cell) -> whether the cell was revealed */
static int grid_is_known(lua_State *L) {
  lwend_map *g = check_fog(L);
  const wend_id cell = check_one_cell(L, g);
  return lwend_flag(L, wend_overlay_knows(g->grid, cell));
}

/* grid:frontier([{ into }]) -> flat list of cells */
static int grid_frontier(lua_State *L) {
  static const char *const names[] = {"into", NULL};
  const lwend_map *g;
  int list, length = 0;
  /* Read. */
  (void)check_fog(L);
  lua_settop(L, 2);
  list = lwend_options(L, 2, names);
  lwend_check_into(L, list);
  /* Check again: a finalizer may have freed it. From here on nothing allocates Lua memory but the list. */
  g = check_fog(L);
  /* Act. */
  for (wend_id cell = WEND_NO_ID; (cell = wend_overlay_frontier(g->grid, cell)) != WEND_NO_ID;)
    lwend_add_cell(L, list, &length, g, cell);
  lwend_cut_list(L, list, (uint32_t)length);
  lua_settop(L, list);
  return 1;
}

/* ---- Looking ----------------------------------------------------------------------------------------------- */

/* grid:width() -> number of columns */
static int grid_width(lua_State *L) { return lwend_whole(L, wend_grid_width(lwend_check_grid(L, 1)->grid)); }

/* grid:height() -> number of rows */
static int grid_height(lua_State *L) { return lwend_whole(L, wend_grid_height(lwend_check_grid(L, 1)->grid)); }

/* grid:bytes() -> number of bytes that the grid uses */
static int grid_bytes(lua_State *L) { return lwend_whole(L, wend_grid_bytes(lwend_check_grid(L, 1)->grid)); }

/* grid:is_closed(x, y), grid:is_closed(cell) -> whether the cell is closed */
static int grid_is_closed(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const wend_id cell = check_one_cell(L, g);
  return lwend_flag(L, wend_grid_is_closed(g->grid, cell));
}

/* grid:weight(x, y), grid:weight(cell) -> the weight of the cell, also that which a closed cell keeps */
static int grid_weight(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const wend_id cell = check_one_cell(L, g);
  return lwend_number(L, wend_grid_kept(g->grid, cell).weight);
}

/* grid:has(x, y), grid:has(cell) -> whether the grid has such a cell */
static int grid_has(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  uint64_t x = 0, y = 0;
  lwend_spread_cell(L, 2, g, "x");
  if (lua_type(L, 2) != LUA_TNUMBER) lwend_type_error(L, 2, "x", "a number");
  if (lua_type(L, 3) != LUA_TNUMBER) lwend_type_error(L, 3, "y", "a number");
  lwend_check_alive(L, g);
  return lwend_flag(L, lwend_towhole(L, 2, &x) && lwend_towhole(L, 3, &y) && x - 1 < wend_grid_width(g->grid) &&
                           y - 1 < wend_grid_height(g->grid));
}

/* grid:position(x, y), grid:position(cell) -> px, py: the centre of the cell in the world */
static int grid_position(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const wend_id cell = check_one_cell(L, g);
  double x, y;
  lwend_body_point(g, cell, 1, &x, &y);
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  return 2;
}

/* grid:cell_at(px, py), grid:cell_at(position) -> x, y of the cell at a point of the world, or nil: outside */
static int grid_cell_at(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  double point[2], cells[2];
  wend_id cell;
  lwend_spread(L, 2, 2, "px");
  point[0] = lwend_check_finite(L, 2, "px"), point[1] = lwend_check_finite(L, 3, "py");
  lwend_point_in_cells(lwend_check_alive(L, g), point, cells);
  cell = lwend_cell_under(g, cells);
  return cell != WEND_NO_ID ? lwend_push_id(L, g, cell) : lwend_nil(L);
}

/* tostring(grid) -> "wend.Grid (30 x 20)" */
static int grid_tostring(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  lua_pushfstring(L, "wend.Grid (%d x %d%s)", (int)wend_grid_width(g->grid), (int)wend_grid_height(g->grid),
                  g->base != NULL ? ", overlay" : "");
  return 1;
}

/* ---- Iterators of walls and links. Upvalues: 1 the state, 2 and 3 the two ends that were returned last, 4 the grid */

enum { ITERATED = 4 };

/* Pushes x1, y1, x2, y2 of the next wall or link. Returns the number of values; 0: there is no more. */
static int next_ends(lua_State *L, const lwend_map *g, bool (*next)(const wend_grid *, wend_id *, wend_id *), wend_id *ends) {
  (void)lwend_towhole(L, lua_upvalueindex(2), &ends[0]);
  (void)lwend_towhole(L, lua_upvalueindex(3), &ends[1]);
  if (!next(g->grid, &ends[0], &ends[1])) return 0;
  for (int i = 0; i < 2; i++) {
    lwend_pushwhole(L, ends[i]);
    lua_replace(L, lua_upvalueindex(2 + i));
  }
  return lwend_push_id(L, g, ends[0]) + lwend_push_id(L, g, ends[1]);
}

static int next_grid_wall(lua_State *L) {
  wend_id ends[2];
  const lwend_map *g = lwend_check_grid(L, lua_upvalueindex(ITERATED));
  if (next_ends(L, g, wend_grid_next_wall, ends) == 0) return 0;
  lua_pushboolean(L, wend_grid_is_wall_directed(g->grid, ends[0], ends[1]));
  return 5;
}

static int next_portal(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, lua_upvalueindex(ITERATED));
  wend_id ends[2];
  double weight = 0;
  uint32_t tag = WEND_UNTAGGED;
  if (next_ends(L, g, wend_grid_next_portal, ends) == 0) return 0;
  (void)wend_grid_find_portal(g->grid, ends[0], ends[1], &weight, &tag);
  lua_pushnumber(L, weight);
  lwend_push_tag(L, lua_upvalueindex(ITERATED), tag);
  return 6;
}

/* Pushes an iterator over the grid at 1. */
static int push_iterator(lua_State *L, lua_CFunction next) {
  (void)lwend_check_grid(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, 0);
  lua_pushinteger(L, 0);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, next, ITERATED);
  return 1;
}

/* grid:walls() -> iterator: x1, y1, x2, y2, directed */
static int grid_walls(lua_State *L) { return push_iterator(L, next_grid_wall); }
/* grid:links() -> iterator: x1, y1, x2, y2, weight, tag */
static int grid_links(lua_State *L) { return push_iterator(L, next_portal); }

/* grid:diagonal_length() -> number */
static int grid_diagonal_length(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  lwend_check_squares(L, g, "grid:diagonal_length");
  lua_pushnumber(L, wend_grid_diagonal_length(g->grid));
  return 1;
}

/* grid:diagonals() -> "both_open", "one_open", "always" or "never" */
static int grid_diagonals(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  lwend_check_squares(L, g, "grid:diagonals");
  lua_pushstring(L, policies[wend_grid_diagonals(g->grid)]);
  return 1;
}

/* grid:shape() -> "square"; or "hex", "odd" or "even", whether columns are shifted */
static int grid_shape(lua_State *L) {
  const wend_shape shape = wend_grid_shape(lwend_check_grid(L, 1)->grid);
  lua_pushstring(L, shapes[shape != WEND_SQUARES]);
  if (shape == WEND_SQUARES) return 1;
  lua_pushstring(L, shifts[shape == WEND_EVEN_ROWS || shape == WEND_EVEN_COLUMNS]);
  lua_pushboolean(L, shape >= WEND_ODD_COLUMNS);
  return 3;
}

/* grid:cell_size() -> width and height of a cell in the world, and the side of a hex */
static int grid_cell_size(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  lua_pushnumber(L, g->frame.wide);
  lua_pushnumber(L, g->frame.high);
  if (g->frame.shape == WEND_SQUARES) return 2;
  lua_pushnumber(L, g->frame.side);
  return 3;
}

/* grid:origin() -> x, y of the first corner of cell (1,1) in the world */
static int grid_origin(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  lua_pushnumber(L, g->frame.left);
  lua_pushnumber(L, g->frame.top);
  return 2;
}

/* grid:projection() -> "orthogonal" or "isometric" */
static int grid_projection(lua_State *L) {
  lua_pushstring(L, projections[lwend_check_grid(L, 1)->frame.isometric]);
  return 1;
}

void lwend_open_grid(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      LWEND_MAP_METHODS,
      {"assign", lwend_grid_assign},
      {"bytes", grid_bytes},
      {"cell_at", grid_cell_at},
      {"cell_size", grid_cell_size},
      {"clear", lwend_grid_clear},
      {"clear_points", lwend_grid_clear_points},
      {"close", grid_close},
      {"diagonals", grid_diagonals},
      {"diagonal_length", grid_diagonal_length},
      {"encode", lwend_grid_encode},
      {"fill", grid_fill},
      {"frontier", grid_frontier},
      {"get", grid_get},
      {"has", grid_has},
      {"height", grid_height},
      {"is_closed", grid_is_closed},
      {"link", grid_link},
      {"links", grid_links},
      {"map", grid_map},
      {"nearest", lwend_grid_nearest},
      {"open", grid_open},
      {"origin", grid_origin},
      {"position", grid_position},
      {"projection", grid_projection},
      {"reset", grid_reset},
      {"reveal", grid_reveal},
      {"is_known", grid_is_known},
      {"sees", lwend_grid_sees},
      {"set", grid_set},
      {"shape", grid_shape},
      {"straighten", lwend_grid_straighten},
      {"unlink", grid_unlink},
      {"visible", lwend_grid_visible},
      {"wall", grid_wall},
      {"walls", grid_walls},
      {"weight", grid_weight},
      {"width", grid_width},
      {NULL, NULL},
  };
  lwend_type(L, "wend.Grid", "a grid", state, methods, lwend_map_gc, grid_tostring, &state->types.grid);
}
