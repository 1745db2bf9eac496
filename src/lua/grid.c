/* SPDX-License-Identifier: MIT */
/* wend.Grid: cells, walls and portals, which scripts call links; and parse_grid, which makes grids from text.
 *
 * In Lua, cells are x and y from 1. In the core, a cell is an id: id - 1 is y * width + x with x and y from 0. The binding
 * keeps what the core does not need: the position of the grid in the world, and the characters of its legend (glyphs),
 * with which tostring draws it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lwend.h"

/* The character for cells of one weight and tag, for tostring. */
typedef struct glyph {
  wend_cell cell;
  char text;
} glyph;

typedef struct grid_object {
  lwend_map base;
  int glyph_count;
  glyph glyphs[1];
} grid_object;

/* tostring draws no grid with more cells: the text would be too long to read. */
#define DRAWN_MAX 65536
/* A glyph is one byte: there are no more. */
#define GLYPHS_MAX 256

/* The grid at 1. Raises if it may not be changed now. */
static lwend_map *check_editable(lua_State *L) { return lwend_check_editable(L, lwend_check_grid(L, 1)); }

/* ---- Making ------------------------------------------------------------------------------------------------ */

static const char *const policies[] = {"both_open", "one_open", "always", "never", NULL};
static const char *const grid_options[] = {"diagonals", "cell", "origin", NULL};

typedef struct grid_opts {
  wend_diagonals diagonals;
  double cell, left, top;
} grid_opts;

/* A coordinate of the option origin at index: the field `key`, or item i of a list. May run scripts. */
static double origin_field(lua_State *L, int index, int i, const char *key) {
  int value = lua_gettop(L) + 1;
  double number;
  lwend_getfield(L, index, key);
  if (lua_isnil(L, value) && lua_istable(L, index)) {
    lua_rawgeti(L, index, i);
    lua_replace(L, value);
  }
  lua_pushfstring(L, "origin: %s", key);
  number = lwend_check_coordinate(L, value, lua_tostring(L, -1));
  lua_settop(L, value - 1);
  return number;
}

/* Reads the options of wend.grid at index. */
static grid_opts check_options(lua_State *L, int index) {
  grid_opts opts = {WEND_BOTH_OPEN, 1, 0, 0};
  int o = lwend_options(L, index, grid_options);
  if (!lua_isnil(L, o)) opts.diagonals = (wend_diagonals)lwend_check_choice(L, o, "diagonals", policies, "");
  if (!lua_isnil(L, o + 1)) {
    opts.cell = lua_type(L, o + 1) == LUA_TNUMBER ? lua_tonumber(L, o + 1) : 0;
    if (!(opts.cell > 0 && opts.cell <= 1e100)) lwend_type_error(L, o + 1, "cell", "a finite number > 0");
  }
  if (!lua_isnil(L, o + 2)) {
    if (!lua_istable(L, o + 2) && !lua_isuserdata(L, o + 2)) lwend_type_error(L, o + 2, "origin", "a position ({ x, y })");
    opts.left = origin_field(L, o + 2, 1, "x");
    opts.top = origin_field(L, o + 2, 2, "y");
  }
  return opts;
}

static grid_object *to_object(const lwend_map *g) { return (grid_object *)(uintptr_t)g; }

/* Pushes a new grid with room for a number of glyphs. width, height: in cells. */
static grid_object *push_grid(lua_State *L, uint32_t width, uint32_t height, const grid_opts *opts, int glyphs) {
  lwend_state *state = lwend_state_of(L);
  grid_object *g = lwend_new(L, sizeof *g + (size_t)glyphs * sizeof *g->glyphs, state->grid_ref);
  g->base.noun = "grid";
  lwend_anchor_map(L, -1);
  g->base.cell = opts->cell, g->base.left = opts->left, g->base.top = opts->top;
  g->base.grid = wend_grid_create(&state->alloc, width, height, opts->diagonals);
  if (g->base.grid == NULL) lwend_no_memory(L);
  else g->base.map = wend_grid_map(g->base.grid);
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
static void check_sizes(lua_State *L, uint64_t width, uint64_t height) {
  if ((width + 1) * (height + 2) + 1 > WEND_CELLS_MAX) luaL_error(L, "a grid has at most 2147483647 cells, margins included");
}

/* wend.grid(width, height[, { diagonals, cell, origin }]) -> grid */
int lwend_core_grid(lua_State *L) {
  uint32_t width = check_size(L, 1, "width"), height = check_size(L, 2, "height");
  grid_opts opts;
  check_sizes(L, width, height);
  lua_settop(L, 3);
  opts = check_options(L, 3);
  push_grid(L, width, height, &opts, 0);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}

static int grid_gc(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_closing(L, state->grid_mt);
  for (int i = 0; i < LWEND_DEPTH_MAX && g->map != NULL; i++)
    if (state->searchers[i].search != NULL) wend_search_forget(state->searchers[i].search, g->map);
  wend_grid_destroy(g->grid);
  g->grid = NULL;
  g->map = NULL;
  return 0;
}

/* ---- Bytes ------------------------------------------------------------------------------------------------- */

/* The file of a grid ends with bytes that belong to the binding. Numbers are stored with the lowest byte first:
 *   size of a cell, left, top   doubles
 *   count                       4 bytes
 *   glyphs                      weight (double), tag (2 bytes), character */
#define EXTRA_BYTES 28u
#define GLYPH_BYTES 11u

static uint8_t *store_number(uint8_t *at, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) *at++ = (uint8_t)(number >> 8 * i);
  return at;
}

static uint8_t *store_double(uint8_t *at, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return store_number(at, bits, 8);
}

static uint64_t load_number(const uint8_t *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

static double load_double(const uint8_t *at) {
  const uint64_t bits = load_number(at, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static void store_extra(uint8_t *at, const grid_object *object) {
  at = store_double(at, object->base.cell);
  at = store_double(at, object->base.left);
  at = store_double(at, object->base.top);
  at = store_number(at, (uint64_t)object->glyph_count, 4);
  for (int i = 0; i < object->glyph_count; i++) {
    at = store_double(at, object->glyphs[i].cell.weight);
    at = store_number(at, object->glyphs[i].cell.tag, 2);
    at = store_number(at, (uint8_t)object->glyphs[i].text, 1);
  }
}

static int protected_encode_grid(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  const grid_object *object = to_object(g);
  const size_t extra_size = EXTRA_BYTES + (size_t)object->glyph_count * GLYPH_BYTES;
  uint8_t *extra = lua_newuserdata(L, extra_size), *bytes;
  size_t size;
  store_extra(extra, object);
  if (wend_grid_encode(g->grid, extra, extra_size, NULL, &size) != WEND_OK) return lwend_no_memory(L);
  bytes = lua_newuserdata(L, size);
  if (wend_grid_encode(g->grid, extra, extra_size, bytes, &size) != WEND_OK) return lwend_no_memory(L);
  lua_pushlstring(L, (const char *)bytes, size);
  return 1;
}

/* grid:encode() -> string */
static int grid_encode(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  lwend_state *state = lwend_state_of(L);
  return lwend_encode(L, state, state->grid_encode_ref, g, NULL);
}

/* Reads these bytes into a grid object. false: a value is out of range. */
static bool load_extra(const uint8_t *at, grid_object *object, uint32_t glyphs) {
  const uint32_t tags = wend_map_tag_count(object->base.map);
  lwend_map *g = &object->base;
  g->cell = load_double(at), g->left = load_double(at + 8), g->top = load_double(at + 16);
  at += EXTRA_BYTES;
  for (uint32_t i = 0; i < glyphs; i++, at += GLYPH_BYTES) {
    glyph *made = &object->glyphs[i];
    made->cell.weight = load_double(at);
    made->cell.tag = (uint32_t)load_number(at + 8, 2);
    made->text = (char)at[10];
    if (!(made->cell.weight >= 0) || made->cell.tag > tags) return false;
  }
  object->glyph_count = (int)glyphs;
  return g->cell > 0 && g->cell <= 1e100 && fabs(g->left) <= WEND_COORDINATE_MAX && fabs(g->top) <= WEND_COORDINATE_MAX;
}

wend_status lwend_push_decoded_grid(lua_State *L, const void *bytes, size_t size) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L);
  grid_object *object;
  const void *extra;
  size_t extra_size;
  uint64_t glyphs = 0;
  lwend_map *first = lwend_new(L, sizeof *first, state->grid_ref); /* holds the grid until the number of glyphs is known */
  wend_status status;
  first->noun = "grid";
  status = wend_grid_decode(&state->alloc, bytes, size, &first->grid, &extra, &extra_size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status == WEND_OK) {
    if (extra_size >= EXTRA_BYTES) glyphs = load_number((const uint8_t *)extra + EXTRA_BYTES - 4, 4);
    if (extra_size < EXTRA_BYTES || glyphs > GLYPHS_MAX || extra_size != EXTRA_BYTES + glyphs * GLYPH_BYTES)
      status = WEND_FORMAT;
  }
  if (status != WEND_OK) {
    lua_settop(L, top);
    return status;
  }
  object = lwend_new(L, sizeof *object + (size_t)glyphs * sizeof *object->glyphs, state->grid_ref);
  object->base.noun = "grid";
  lwend_anchor_map(L, -1);
  object->base.grid = first->grid;
  object->base.map = wend_grid_map(first->grid);
  first->grid = NULL;
  if (!load_extra(extra, object, (uint32_t)glyphs)) {
    lua_settop(L, top);
    return WEND_FORMAT;
  }
  lwend_note_tags(L, -1, &object->base);
  lua_replace(L, top + 1);
  return WEND_OK;
}

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

/* The value of a cell from the table at index: { weight =, tag = }. May add a tag to the map at map_index. */
static wend_cell check_fields(lua_State *L, int index, int map_index, const char *what) {
  static const char *const options[] = {"weight", "tag", NULL};
  wend_cell cell = {1, WEND_UNTAGGED};
  int top = lua_gettop(L), o = lwend_options(L, index, options);
  if (!lua_isnil(L, o) && !to_weight(L, o, &cell.weight)) {
    lua_pushfstring(L, "%s: weight", what);
    lwend_type_error(L, o, lua_tostring(L, -1), "a number >= 0 or false");
  }
  if (!lua_isnil(L, o + 1)) {
    char tag[64]; /* not a Lua string: pushing one may run finalizers, and the cell was checked already */
    snprintf(tag, sizeof tag, "%s: tag", what);
    cell.tag = lwend_check_tag(L, o + 1, map_index, tag);
  }
  lua_settop(L, top);
  return cell;
}

/* The value of a cell at index: a weight, false, a tag, or { weight =, tag = }. Part of acting: it may add a tag. */
static wend_cell check_value(lua_State *L, int index, int map_index, const char *what) {
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

/* Pushes a weight; false for a closed cell. */
static void push_weight(lua_State *L, double weight) {
  if (weight < INFINITY) lua_pushnumber(L, weight);
  else lua_pushboolean(L, 0);
}

/* grid:set(x, y, value) -> grid */
static int grid_set(lua_State *L) {
  lwend_map *g = check_editable(L);
  wend_id cell = lwend_check_cell(L, 2, g, "x", "y");
  lwend_check_edited(L, wend_grid_set(g->grid, cell, check_value(L, 4, 1, "value")));
  lua_settop(L, 1);
  return 1;
}

/* grid:get(x, y), grid:get(cell) -> weight or false: closed, tag or nil */
static int grid_get(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  wend_cell cell;
  lwend_spread(L, 2, 2);
  cell = wend_grid_get(g->grid, lwend_check_cell(L, 2, g, "x", "y"));
  push_weight(L, cell.weight);
  lwend_push_tag(L, 1, cell.tag);
  return 2;
}

/* grid:fill(value), grid:fill(x1, y1, x2, y2, value) -> grid */
static int grid_fill(lua_State *L) {
  lwend_map *g = check_editable(L);
  uint32_t width = wend_grid_width(g->grid), x1 = 0, y1 = 0, x2 = width - 1, y2 = wend_grid_height(g->grid) - 1;
  int value = 2;
  if (lua_gettop(L) > 2) {
    uint32_t a = (uint32_t)lwend_check_cell(L, 2, g, "x1", "y1") - 1, b = (uint32_t)lwend_check_cell(L, 4, g, "x2", "y2") - 1;
    x1 = a % width < b % width ? a % width : b % width, x2 = a % width + b % width - x1;
    y1 = a / width < b / width ? a / width : b / width, y2 = a / width + b / width - y1;
    value = 6;
  }
  lua_settop(L, value);
  lwend_check_edited(L, wend_grid_fill(g->grid, x1, y1, x2, y2, check_value(L, value, 1, "value")));
  lua_settop(L, 1);
  return 1;
}

/* ---- grid:map ---------------------------------------------------------------------------------------------- */

/* grid:map fills a second grid, the draft, and exchanges it with the first when all cells are set. So an error leaves the
 * grid unchanged. New tags are added to the draft first, for the same reason. */

enum { MAP_GRID = 1, MAP_FUNCTION, MAP_DRAFT, MAP_OURS }; /* the slots of protected_map */

/* Fills the draft. *ours: whether an error comes from this function and not from the script's. */
static int protected_map(lua_State *L) {
  const lwend_map *g = lua_touserdata(L, MAP_GRID), *draft = lua_touserdata(L, MAP_DRAFT);
  uint32_t width = wend_grid_width(g->grid), height = wend_grid_height(g->grid);
  bool *ours = lua_touserdata(L, MAP_OURS);
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
        row[x] = wend_grid_get(g->grid, wend_grid_cell(g->grid, x, y));
      } else if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) >= 0) {
        row[x].weight = lua_tonumber(L, -1);
        row[x].tag = WEND_UNTAGGED;
      } else {
        char what[64];
        snprintf(what, sizeof what, "the value of cell (%u,%u)", (unsigned)x + 1, (unsigned)y + 1);
        row[x] = check_value(L, top + 1, MAP_DRAFT, what);
      }
      lua_settop(L, top);
    }
    if (wend_grid_set_row(draft->grid, y, row) != WEND_OK) lwend_no_memory(L);
  }
  return 0;
}

/* Adds the tags of one map to another. Both have the same tags with the same numbers up to the smaller count, and equal
 * tags afterwards. */
static void copy_tags(lua_State *L, const wend_map *from, wend_map *to) {
  for (uint32_t tag = wend_map_tag_count(to) + 1; tag <= wend_map_tag_count(from); tag++) {
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
  grid_opts opts = {WEND_BOTH_OPEN, 1, 0, 0};
  bool ours = false;
  int failed;
  /* Read. */
  lua_settop(L, 2);
  if (!lwend_is_callable(L, 2)) lwend_type_error(L, 2, "fn", "a function");
  draft = &push_grid(L, wend_grid_width(g->grid), wend_grid_height(g->grid), &opts, 0)->base;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->map_ref);
  for (int i = MAP_GRID; i <= MAP_DRAFT; i++) lua_pushvalue(L, i);
  lua_pushlightuserdata(L, &ours);
  /* Check. */
  (void)check_editable(L);
  lwend_check_depth(L, state);
  /* Act. */
  copy_tags(L, g->map, draft->map);
  g->mapping = true;
  failed = lwend_protect(L, state, 4, 0);
  g->mapping = false;
  if (failed && ours && lua_type(L, -1) == LUA_TSTRING) return luaL_error(L, "%s", lua_tostring(L, -1));
  if (failed) return lua_error(L);
  copy_tags(L, draft->map, g->map);
  lwend_check_edited(L, wend_grid_exchange(g->grid, draft->grid));
  lua_settop(L, 1);
  return 1;
}

/* ---- Walls and portals --------------------------------------------------------------------------------------- */

/* grid:wall(x1, y1, x2, y2[, closed]) -> grid */
static int grid_wall(lua_State *L) {
  lwend_map *g = check_editable(L);
  wend_id a = lwend_check_cell(L, 2, g, "x1", "y1"), b = lwend_check_cell(L, 4, g, "x2", "y2");
  int64_t width = wend_grid_width(g->grid), dx, dy;
  lua_settop(L, 6);
  dx = (int64_t)(a - 1) % width - (int64_t)(b - 1) % width, dy = (int64_t)(a - 1) / width - (int64_t)(b - 1) / width;
  if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0))
    return luaL_error(L, "a wall must be between two neighbouring cells, got %s and %s", lwend_push_id_text(L, g, a),
                      lwend_push_id_text(L, g, b));
  lwend_check_edited(L, wend_grid_wall(g->grid, a, b, lwend_check_boolean(L, 6, "closed") || lua_isnil(L, 6)));
  lua_settop(L, 1);
  return 1;
}

/* grid:link(x1, y1, x2, y2[, { weight, tag, directed }]) -> grid */
static int grid_link(lua_State *L) {
  static const char *const options[] = {"weight", "tag", "directed", NULL};
  lwend_map *g = check_editable(L);
  wend_id from = lwend_check_cell(L, 2, g, "x1", "y1"), to = lwend_check_cell(L, 4, g, "x2", "y2");
  double weight = 1;
  bool directed;
  int o;
  lua_settop(L, 6);
  o = lwend_options(L, 6, options);
  if (!lua_isnil(L, o)) weight = lwend_check_number(L, o, "weight", 0, 1e308);
  directed = lwend_check_boolean(L, o + 2, "directed");
  lwend_check_edited(L, wend_grid_set_portal(g->grid, from, to, weight, lwend_check_tag(L, o + 1, 1, "tag"), directed));
  lua_settop(L, 1);
  return 1;
}

/* grid:unlink(x1, y1, x2, y2) -> grid */
static int grid_unlink(lua_State *L) {
  lwend_map *g = check_editable(L);
  wend_id a = lwend_check_cell(L, 2, g, "x1", "y1"), b = lwend_check_cell(L, 4, g, "x2", "y2");
  wend_grid_remove_portals(g->grid, a, b);
  lua_settop(L, 1);
  return 1;
}

/* ---- Looking ----------------------------------------------------------------------------------------------- */

/* grid:width() -> number of columns */
static int grid_width(lua_State *L) {
  lwend_pushwhole(L, wend_grid_width(lwend_check_grid(L, 1)->grid));
  return 1;
}

/* grid:height() -> number of rows */
static int grid_height(lua_State *L) {
  lwend_pushwhole(L, wend_grid_height(lwend_check_grid(L, 1)->grid));
  return 1;
}

/* grid:bytes() -> number of bytes that the grid uses */
static int grid_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_grid_bytes(lwend_check_grid(L, 1)->grid));
  return 1;
}

/* grid:cell_at(px, py) -> x, y of the cell at a point of the world, or nil: outside */
static int grid_cell_at(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const double point[2] = {lwend_check_finite(L, 2, "px"), lwend_check_finite(L, 3, "py")};
  double cells[2], x, y;
  lwend_point_in_cells(g, point, cells);
  x = floor(cells[0]), y = floor(cells[1]);
  if (!(x >= 0 && y >= 0 && x < wend_grid_width(g->grid) && y < wend_grid_height(g->grid))) return lua_pushnil(L), 1;
  lwend_pushwhole(L, (uint64_t)x + 1);
  lwend_pushwhole(L, (uint64_t)y + 1);
  return 2;
}

/* Whether a glyph stands for such a cell. */
static bool is_glyph(const glyph *g, wend_cell cell) { return g->cell.weight == cell.weight && g->cell.tag == cell.tag; }

/* Whether a character has a meaning already. */
static bool is_taken(const glyph *glyphs, int count, char text) {
  for (int i = 0; i < count; i++)
    if (glyphs[i].text == text) return true;
  return text == '#' || text == '.' || text == '?';
}

/* The character for a cell that is not in the legend; '?': none is free. */
static char choose_glyph(const lwend_map *g, const glyph *glyphs, int count, wend_cell cell) {
  size_t length;
  const char *name;
  if (cell.tag == WEND_UNTAGGED) {
    if (cell.weight == INFINITY) return '#';
    if (cell.weight == 1) return '.';
    if (cell.weight >= 2 && cell.weight <= 9 && cell.weight == floor(cell.weight) &&
        !is_taken(glyphs, count, (char)('0' + (int)cell.weight)))
      return (char)('0' + (int)cell.weight);
    return '?';
  }
  name = wend_map_tag_name(g->map, cell.tag, &length);
  for (size_t i = 0; i < length; i++)
    if (name[i] > ' ' && name[i] < 127 && !is_taken(glyphs, count, name[i])) return name[i];
  return '?';
}

/* tostring(grid) -> the grid as text, row by row */
static int grid_tostring(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const grid_object *object = to_object(g);
  uint32_t width = wend_grid_width(g->grid), height = wend_grid_height(g->grid);
  glyph glyphs[GLYPHS_MAX];
  int count = object->glyph_count < GLYPHS_MAX ? object->glyph_count : GLYPHS_MAX, recent = 0;
  char *text;
  size_t length = 0;
  if ((uint64_t)width * height > DRAWN_MAX) {
    lua_pushfstring(L, "wend.Grid (%d x %d)", (int)width, (int)height);
    return 1;
  }
  memcpy(glyphs, object->glyphs, (size_t)count * sizeof *glyphs);
  text = lua_newuserdata(L, ((size_t)width + 1) * height);
  lwend_check_alive(L, g);
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      wend_cell cell = wend_grid_get(g->grid, wend_grid_cell(g->grid, x, y));
      if (recent >= count || !is_glyph(&glyphs[recent], cell)) {
        recent = 0;
        while (recent < count && !is_glyph(&glyphs[recent], cell)) recent++;
      }
      if (recent == count && count < GLYPHS_MAX) {
        glyph made = {cell, 0};
        made.text = choose_glyph(g, glyphs, count, cell);
        glyphs[count++] = made;
      }
      text[length++] = recent < count ? glyphs[recent].text : '?';
    }
    text[length++] = '\n';
  }
  lua_pushlstring(L, text, length - 1);
  return 1;
}

/* ---- Text -------------------------------------------------------------------------------------------------- */

typedef struct line {
  const char *text;
  size_t length;
} line;

/* Whether a line holds only blanks. */
static bool is_blank(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') return false;
  return true;
}

/* A line without a carriage return at its end. */
static line make_line(const char *text, size_t length) {
  line made = {text, length};
  if (length > 0 && text[length - 1] == '\r') made.length--;
  return made;
}

/* Splits a text into lines. Removes blank lines at both ends, and the common indentation. Returns the number of lines. */
static uint32_t split_text(const char *text, size_t length, line *lines) {
  const char *end = text + length;
  uint32_t count = 0, first = 0;
  size_t indent = (size_t)-1;
  while (text <= end) {
    const char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    if (stop == NULL) stop = end;
    lines[count++] = make_line(text, (size_t)(stop - text));
    text = stop + 1;
  }
  while (count > 0 && is_blank(lines[count - 1].text, lines[count - 1].length)) count--;
  while (first < count && is_blank(lines[first].text, lines[first].length)) first++;
  count -= first;
  memmove(lines, lines + first, count * sizeof *lines);
  for (uint32_t i = 0; i < count; i++) {
    size_t margin = 0;
    while (margin < lines[i].length && margin < indent && (lines[i].text[margin] == ' ' || lines[i].text[margin] == '\t'))
      margin++;
    indent = margin;
  }
  for (uint32_t i = 0; i < count; i++) lines[i].text += indent, lines[i].length -= indent;
  return count;
}

/* Pushes a userdata with the lines of the text or list at index. They point into Lua strings, which stay on the stack. */
static line *push_lines(lua_State *L, int index, uint32_t *count) {
  line *lines;
  if (lua_type(L, index) == LUA_TSTRING) {
    size_t length, most = 1;
    const char *text = lua_tolstring(L, index, &length);
    for (size_t i = 0; i < length; i++) most += text[i] == '\n';
    if (most >= WEND_CELLS_MAX) lwend_no_memory(L);
    lines = lua_newuserdata(L, most * sizeof *lines);
    *count = split_text(text, length, lines);
  } else {
    if (!lua_istable(L, index)) lwend_type_error(L, index, "text", "a string or a list of rows");
    int rows;
    *count = lwend_check_list(L, index, "text", 1, "rows");
    lua_createtable(L, (int)*count, 0); /* keeps the strings alive: a script may empty its list */
    rows = lua_gettop(L);
    lines = lua_newuserdata(L, (*count + 1) * sizeof *lines);
    for (uint32_t i = 0; i < *count; i++) {
      size_t length;
      const char *text;
      if (LWEND_RAWGETI(L, index, (int)i + 1) != LUA_TSTRING) {
        lua_pushfstring(L, "text[%d]", (int)i + 1);
        lwend_type_error(L, -2, lua_tostring(L, -1), "a string (a row)");
      }
      text = lua_tolstring(L, -1, &length);
      lines[i] = make_line(text, length);
      lua_rawseti(L, rows, (int)i + 1);
    }
  }
  if (*count == 0) luaL_error(L, "text must hold at least one row");
  return lines;
}

/* Replaces the legend at index by a copy that no script can change: item c + 1 is the value of character c. Raises if a key
 * is not a character. Returns the number of characters. */
static int copy_legend(lua_State *L, int index) {
  int count = 0, copy;
  if (lua_isnil(L, index)) return 0;
  if (!lua_istable(L, index)) lwend_type_error(L, index, "legend", "a table");
  lua_createtable(L, GLYPHS_MAX, 0);
  copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) { /* the list has room for all: nothing here allocates, so no script runs */
    const char *key;
    if (lua_type(L, -2) != LUA_TSTRING || lua_rawlen(L, -2) != 1)
      lwend_type_error(L, -2, "each key of legend", "a string of one character");
    key = lua_tostring(L, -2);
    lua_rawseti(L, copy, (unsigned char)key[0] + 1);
    count++;
  }
  lua_replace(L, index);
  return count;
}

/* Fills in the values of all known characters: "#" and ".", then the copied legend at index. Adds the glyphs of the legend
 * to the grid, which has room for them. */
static void read_legend(lua_State *L, int index, grid_object *g, int grid_index, wend_cell *values, bool *known) {
  const wend_cell closed = {INFINITY, WEND_UNTAGGED}, open = {1, WEND_UNTAGGED};
  memset(known, 0, 256 * sizeof *known);
  values['#'] = closed, known['#'] = true;
  values['.'] = open, known['.'] = true;
  if (!lua_istable(L, index)) return;
  for (int c = 0; c < 256; c++) { /* in this order, so that tags get the same numbers in every Lua */
    char key = (char)c, what[24];
    if (LWEND_RAWGETI(L, index, c + 1) != LUA_TNIL) {
      memcpy(what, "legend['.']", sizeof "legend['.']");
      if (c >= ' ' && c < 127) what[8] = key;
      values[c] = check_value(L, lua_gettop(L), grid_index, what);
      known[c] = true;
      g->glyphs[g->glyph_count].cell = values[c];
      g->glyphs[g->glyph_count++].text = key;
    }
    lua_pop(L, 1);
  }
}

/* Raises: a character has no value. x, y: from 0. */
static int unknown_character(lua_State *L, const bool *known, char c, uint32_t x, uint32_t y) {
  luaL_Buffer buffer;
  bool first = true;
  lua_pushlstring(L, &c, 1);
  luaL_buffinit(L, &buffer);
  for (int i = 0; i < 256; i++) {
    char text[3] = {'\'', (char)i, '\''};
    if (!known[i]) continue;
    if (!first) luaL_addlstring(&buffer, " ", 1);
    luaL_addlstring(&buffer, text, 3);
    first = false;
  }
  luaL_pushresult(&buffer);
  return luaL_error(L, "unknown character '%s' in row %d, column %d (legend: %s)", lua_tostring(L, -2), (int)y + 1, (int)x + 1,
                    lua_tostring(L, -1));
}

/* wend.parse_grid(text or list of rows[, legend][, { diagonals, cell, origin }]) -> grid */
int lwend_core_parse_grid(lua_State *L) {
  uint32_t count, width;
  line *lines;
  grid_opts opts;
  int glyphs, grid_index;
  grid_object *g;
  wend_cell values[256], *row;
  bool known[256];
  /* Read. */
  lua_settop(L, 3);
  opts = check_options(L, 3);
  glyphs = copy_legend(L, 2);
  lines = push_lines(L, 1, &count);
  /* Check. */
  width = lines[0].length < WEND_CELLS_MAX ? (uint32_t)lines[0].length : WEND_CELLS_MAX;
  if (width == 0) luaL_error(L, "row 1 is empty");
  for (uint32_t y = 1; y < count; y++)
    if (lines[y].length != width)
      luaL_error(L, "row %d is %d wide, row 1 is %d wide", (int)y + 1, (int)lines[y].length, (int)width);
  check_sizes(L, width, count);
  /* Act. */
  row = lua_newuserdata(L, width * sizeof *row);
  g = push_grid(L, width, count, &opts, glyphs);
  grid_index = lua_gettop(L);
  read_legend(L, 2, g, grid_index, values, known);
  for (uint32_t y = 0; y < count; y++) {
    for (uint32_t x = 0; x < width; x++) {
      unsigned char c = (unsigned char)lines[y].text[x];
      if (!known[c]) unknown_character(L, known, (char)c, x, y);
      row[x] = values[c];
    }
    if (wend_grid_set_row(g->base.grid, y, row) != WEND_OK) lwend_no_memory(L);
  }
  lua_settop(L, grid_index);
  lwend_gc_step(L, lwend_state_of(L));
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
  return next_ends(L, lwend_check_grid(L, lua_upvalueindex(ITERATED)), wend_grid_next_wall, ends);
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

/* grid:walls() -> iterator: x1, y1, x2, y2 */
static int grid_walls(lua_State *L) { return push_iterator(L, next_grid_wall); }
/* grid:links() -> iterator: x1, y1, x2, y2, weight, tag */
static int grid_links(lua_State *L) { return push_iterator(L, next_portal); }

/* grid:diagonals() -> "both_open", "one_open", "always" or "never" */
static int grid_diagonals(lua_State *L) {
  lua_pushstring(L, policies[wend_grid_diagonals(lwend_check_grid(L, 1)->grid)]);
  return 1;
}

/* grid:cell_size() -> size of a cell in the world */
static int grid_cell_size(lua_State *L) {
  lua_pushnumber(L, lwend_check_grid(L, 1)->cell);
  return 1;
}

/* grid:origin() -> x, y of the upper left corner of cell (1,1) in the world */
static int grid_origin(lua_State *L) {
  const lwend_map *g = lwend_check_grid(L, 1);
  lua_pushnumber(L, g->left);
  lua_pushnumber(L, g->top);
  return 2;
}

void lwend_open_grid(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"bytes", grid_bytes},
      {"cell_at", grid_cell_at},
      {"cell_size", grid_cell_size},
      {"check", lwend_grid_check},
      {"clear", lwend_grid_clear},
      {"clear_points", lwend_grid_clear_points},
      {"diagonals", grid_diagonals},
      {"encode", grid_encode},
      {"field", lwend_grid_field},
      {"fill", grid_fill},
      {"get", grid_get},
      {"height", grid_height},
      {"link", grid_link},
      {"links", grid_links},
      {"map", grid_map},
      {"origin", grid_origin},
      {"path", lwend_grid_path},
      {"search", lwend_grid_search},
      {"set", grid_set},
      {"route", lwend_grid_route},
      {"straighten", lwend_grid_straighten},
      {"unlink", grid_unlink},
      {"wall", grid_wall},
      {"walls", grid_walls},
      {"width", grid_width},
      {NULL, NULL},
  };
  state->map_ref = lwend_protected(L, state, protected_map);
  state->grid_encode_ref = lwend_protected(L, state, protected_encode_grid);
  state->grid_ref = lwend_type(L, "wend.Grid", state, methods, grid_gc, grid_tostring, &state->grid_mt);
}
