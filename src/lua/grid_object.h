/* SPDX-License-Identifier: MIT */
/* The grid as the binding holds it. grid.c makes grids; text.c reads and draws them; grid_file.c makes bytes of them; assign.c has
 * the values of cells. */
#ifndef WEND_LUA_GRID_OBJECT_H
#define WEND_LUA_GRID_OBJECT_H

#include "lwend.h"

/* The character for cells of one weight and tag, for grid:text. */
typedef struct lwend_glyph {
  wend_cell cell;
  uint32_t text; /* see base/utf8.c */
} lwend_glyph;

/* A legend has at most so many characters. */
#define LWEND_GLYPHS_MAX 256

typedef struct lwend_grid {
  lwend_map base;
  int glyph_count;
  lwend_glyph glyphs[1];
} lwend_grid;

/* The options of wend.grid and wend.parse_grid. */
typedef struct lwend_grid_opts {
  wend_diagonals diagonals;
  double diagonal_length; /* 0: the square root of 2 */
  lwend_frame frame;      /* has the shape */
} lwend_grid_opts;

static inline lwend_grid *lwend_to_grid(const lwend_map *g) { return (lwend_grid *)(uintptr_t)g; }

/* Reads the options at index. May run scripts. */
lwend_grid_opts lwend_grid_options(lua_State *L, int index);
/* Raises if the grid would be too large. The core stores a margin of closed cells around it. */
void lwend_check_grid_size(lua_State *L, uint64_t width, uint64_t height);
/* The greatest size of a cell in the world. */
#define LWEND_CELL_MAX 1e100

/* Pushes a grid without cells, with room for a number of glyphs. */
static inline lwend_grid *lwend_push_grid_object(lua_State *L, int glyphs) {
  const size_t bytes = sizeof(lwend_grid) + (size_t)glyphs * sizeof(lwend_glyph);
  return lwend_to_grid(lwend_push_map(L, bytes, &lwend_state_of(L)->types.grid, 0));
}
/* Pushes a new grid with room for a number of glyphs. width, height: in cells. */
lwend_grid *lwend_push_grid(lua_State *L, uint32_t width, uint32_t height, const lwend_grid_opts *opts, int glyphs);
/* The value of a cell at index: a weight, false, a tag, or { weight =, tag =, closed = }. Part of acting: it may add a tag to
 * the map at map_index, as lwend_check_tag. */
wend_cell lwend_check_cell_value(lua_State *L, int index, int map_index, const char *what);

/* grid:assign(data, values[, { area, bytes, stride, length }]) -> grid */
int lwend_grid_assign(lua_State *L);
/* grid:encode([opts]) -> string */
int lwend_grid_encode(lua_State *L);

#endif
