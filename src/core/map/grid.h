/* SPDX-License-Identifier: MIT */
/* The inside of a grid.
 *
 * Cells lie row by row with a margin around them, so that every cell has eight neighbours and nothing has to be
 * compared with an edge:
 *
 *        m m m m m        place = (y + 1) * stride + x + 1      stride = width + 1
 *        m a b c d        The margin on the right of a row is the one on the left of the next.
 *        m e f g h
 *        m m m m m m      count = (height + 2) * stride + 1
 *
 * What a cell is, its kind, is a number into a palette of weights and tags: 2 bytes a cell. Kinds nobody has any more are
 * given out again; where there are more than 65,536 of them, every cell gets a weight and a tag of its own instead (10
 * bytes), for good. `touched` is made with the first edit, `walls` with the first wall. */
#ifndef WEND_GRID_H
#define WEND_GRID_H

#include <math.h>

#include "core/base/bits.h"
#include "core/map/map.h"

#define WEND_KINDS_MAX 65536u
#define WEND_DIAGONAL 1.4142135623730951 /* the square root of 2 */
#define KIND_OUTSIDE 0u /* the margin's */
#define KIND_FIRST 1u   /* what a new grid is full of: open, weight 1 */

typedef struct wend_kind {
  double weight; /* INFINITY: closed; NaN: outside */
  uint32_t tag;
  uint32_t count; /* of the cells; 0: it can be given out again */
} wend_kind;

/* One that was removed stays, so that paths can tell that they took it. */
typedef struct wend_portal {
  uint32_t from, to; /* places */
  uint32_t tag;
  bool removed;
  double weight;
  uint64_t made, changed; /* versions of the grid that it came with, and got with the last change of it */
} wend_portal;

/* A grid, or a stretch of it, as a search reads it. */
typedef struct wend_region {
  const uint16_t *kinds; /* NULL: weights and tags */
  const double *weights;
  const uint16_t *tags;
  const uint8_t *walls;  /* NULL: there are none */
  const uint8_t *inside; /* NULL: nothing is shut out but the margin; else 0 where a place cannot be gone to */
  uint32_t width, height, stride;
  uint32_t left, top; /* the grid's cell at its upper left corner, from 0 */
} wend_region;

/* Directions in reading order; the opposite of d is 7 - d. */
enum { NORTH_WEST, NORTH, NORTH_EAST, WEST, EAST, SOUTH_WEST, SOUTH, SOUTH_EAST };
#define IS_DIAGONAL(d) ((0xa5u >> (d) & 1u) != 0)
/* The two straight directions that a diagonal is made of. */
static inline int wend_beside(int diagonal) { return diagonal == NORTH_WEST || diagonal == SOUTH_WEST ? WEST : EAST; }
static inline int wend_above(int diagonal) { return diagonal <= NORTH_EAST ? NORTH : SOUTH; }

struct wend_grid {
  wend_map map;
  uint32_t width, height, stride, place_count;
  wend_diagonals diagonals;

  /* By place. */
  uint16_t *kinds; /* NULL: weights and tags instead */
  double *weights;
  uint16_t *tags;
  uint8_t *walls; /* a bit for each direction in which there is a wall */
  uint32_t *touched;
  uint32_t kinds_capacity, weights_capacity, tags_capacity, walls_capacity, touched_capacity;
  uint64_t all_touched; /* the version that changed all cells last */
  uint64_t walls_changed; /* the version with the last wall put up or taken away */
  uint32_t wall_count;

  wend_kind *palette;
  uint32_t palette_capacity, kind_count;
  uint32_t *kind_table; /* open addressing, linear probing; WEND_NONE: unused */
  uint32_t kind_table_capacity;
  uint32_t live_kinds; /* that some cell has */
  uint32_t free_kind;  /* the first of those to be given out again, linked by their tags; WEND_NONE: there is none */
  uint32_t recent[2];  /* the kinds that were asked for last: an open one, a closed one */

  wend_portal *out, *in; /* by from, then to; by to, then from */
  uint32_t out_capacity, in_capacity, portal_count, live_portals;

  /* The journal: the places whose kind changed last, so that an agent view (agent_view.h) can catch up. Change number i is in
   * journal[i & (journal_capacity - 1)]; those before journal_first are not told. */
  uint32_t *journal;
  uint32_t journal_capacity;
  uint64_t journal_first, journal_end;
  uint64_t palette_changes; /* how often a kind got another weight or tag */
  uint64_t serial;          /* no other map has it */
};

static inline uint32_t wend_place_count(uint32_t width, uint32_t height) {
  return (height + 2) * (width + 1) + 1;
}

/* From one place to the next in a direction. */
static inline int64_t wend_offset(uint32_t stride, int direction) {
  static const int8_t dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
  return (int64_t)dy[direction] * stride + dx[direction];
}

static inline uint32_t wend_region_place(const wend_region *region, uint32_t x, uint32_t y) {
  return (y + 1) * region->stride + x + 1;
}

static inline uint32_t wend_region_x(const wend_region *region, uint32_t place) { return place % region->stride - 1; }
static inline uint32_t wend_region_y(const wend_region *region, uint32_t place) { return place / region->stride - 1; }

wend_region wend_grid_region(const wend_grid *grid);
/* The place of a cell in a view of its grid; WEND_NONE: it lies outside. */
uint32_t wend_region_find(const wend_region *region, const wend_grid *grid, wend_id cell);
wend_id wend_region_cell(const wend_region *region, const wend_grid *grid, uint32_t place);

static inline bool wend_region_has(const wend_region *region, uint32_t place) {
  return region->inside != NULL ? region->inside[place] != 0
         : region->kinds != NULL ? region->kinds[place] != KIND_OUTSIDE : region->weights[place] >= 0;
}

/* What a place is: weight (INFINITY: closed; NaN: outside) and tag. */
static inline wend_cell wend_region_get(const wend_region *region, const wend_grid *grid, uint32_t place) {
  wend_cell cell;
  if (region->kinds != NULL) {
    const wend_kind *kind = &grid->palette[region->kinds[place]];
    cell.weight = kind->weight, cell.tag = kind->tag;
  } else {
    cell.weight = region->weights[place], cell.tag = region->tags[place];
  }
  return cell;
}

/* Whether walls keep a step from being taken: for a diagonal, `ways` gets which of the two ways round they leave, 1: over
 * the cell beside, 2: over the cell above or below. */
bool wend_region_walled(const wend_region *region, uint32_t place, int direction, int *ways);

/* The links that leave a place, or with `back` that lead to it, removed ones too: the first, and how many. */
const wend_portal *wend_grid_portals(const wend_grid *grid, uint32_t place, bool back, uint32_t *count);

/* For file_grid.c. The kind of a value, WEND_NONE: no memory, or no more kinds. Then all cells are taken out of the counts of
 * kinds, and put in again, runs of them that lie in a row at a time. */
uint32_t wend_grid_kind_of(wend_grid *grid, wend_cell value);
void wend_grid_uncount(wend_grid *grid);
void wend_grid_count(wend_grid *grid, uint32_t place, uint32_t places, uint32_t kind);
/* From the palette to a weight and a tag for every cell. False: no memory, all as it was. */
bool wend_grid_give_up_palette(wend_grid *grid);
/* For file_grid.c: the same, but no cell counts until it is given its value, once. False: no memory. */
bool wend_grid_begin_cells(wend_grid *grid);
bool wend_grid_file_cell(wend_grid *grid, uint32_t place, wend_cell value);

#endif
