/* SPDX-License-Identifier: MIT */
/* The data of a grid.
 *
 * The place of a cell is its index in the arrays of the grid. Cells are stored row by row with a margin around them. So every
 * cell has eight neighbours, and no loop must check for the edge of the grid. A grid of 4 x 2 cells a .. h, and its places:
 *
 *        m m m m m             0  1  2  3  4      place = (y + 1) * stride + x + 1, stride = width + 1; x, y: from 0
 *        m a b c d             5  6  7  8  9      The margin to the right of a row is also the margin to the left of the
 *        m e f g h            10 11 12 13 14      next row: 10 is to the right of d and to the left of e.
 *        m m m m m m          15 16 17 18 19 20   count of places = (height + 2) * stride + 1 = 21
 *
 * Each cell has a kind, an index into a palette of weights and tags: 2 bytes a cell. If a grid needs more than 65,536 kinds at
 * once, it gives up the palette for good: each cell then has its own weight and tag, 10 bytes a cell. A palette of as many kinds as
 * cells would take 50. What searches read then is in views/agent_view.h. grid.c has an example.
 *
 * A closed cell keeps a weight, which searches never see. A kind has both weights. Without a palette the sign bit of the weight
 * is set in a closed cell, and wend_region_get makes INFINITY of it.
 *
 * A page of `touched` is allocated with the first edit of one of its cells, `walls` with the first wall, `directed` with the first
 * directed one.
 *
 * A grid of hexes is stored as one of squares with the rule WEND_ALWAYS and diagonals of length 1. A hex has the four straight
 * neighbours and two of the diagonal ones: which ones depends on its row or column. The steps in the other two directions are
 * closed by walls that no edit removes (wend_lacking). So loops that know walls need not know hexes. Nothing passes by corners, so
 * walls beside a diagonal step do not matter. */
#ifndef WEND_GRID_H
#define WEND_GRID_H

#include <assert.h>
#include <math.h>

#include "core/base/bits.h"
#include "core/map/map.h"

#define WEND_KINDS_MAX 65536u            /* what 16 bits of a cell can name */
#define WEND_DIAGONAL 1.4142135623730951 /* the square root of 2: the length of a diagonal step, unless the grid has another */
#define TOUCHED_PAGE 1024u
#define KIND_OUTSIDE 0u /* of the margin */
#define KIND_FIRST 1u   /* of all cells of a new grid: open, weight 1 */

typedef struct wend_kind {
  double weight; /* INFINITY: closed; NaN: outside, or a kind in the list of kinds to reuse */
  double kept;   /* the weight that a closed cell keeps; otherwise the same weight */
  uint32_t tag;
  uint32_t count; /* of cells that have it; 0: it can be reused */
} wend_kind;

/* A portal: an extra step from one cell to another, which need not be a neighbour. A removed portal stays in the list, so that
 * a path that takes it can find out that it was removed, and when. */
typedef struct wend_portal {
  uint32_t from, to; /* places */
  uint32_t tag;
  bool removed;
  double weight;
  uint64_t changed; /* the version of the grid when it was added, changed or removed last */
} wend_portal;

/* The part of a grid that a search reads: the whole grid, or a copy of a window of it. It has its own places. */
typedef struct wend_region {
  const uint16_t *kinds; /* NULL: weights and tags instead */
  const double *weights;
  const uint16_t *tags;
  const uint8_t *walls;     /* NULL: there are none */
  const uint16_t *directed; /* NULL: there are none, or they do not count */
  uint32_t width, height, stride;
  uint32_t left, top; /* the cell of the grid at its upper left corner, from 0 */
  bool hexes;
} wend_region;

/* Directions in reading order; the opposite of d is 7 - d. */
enum { NORTH_WEST, NORTH, NORTH_EAST, WEST, EAST, SOUTH_WEST, SOUTH, SOUTH_EAST };
#define IS_DIAGONAL(d) ((0xa5u & 1u << (d)) != 0)
/* The two straight directions that a diagonal is made of: wend_beside gives WEST or EAST, wend_above NORTH or SOUTH. */
static inline int wend_beside(int diagonal) { return diagonal == NORTH_WEST || diagonal == SOUTH_WEST ? WEST : EAST; }
static inline int wend_above(int diagonal) { return diagonal <= NORTH_EAST ? NORTH : SOUTH; }

struct wend_grid {
  wend_map map;
  uint32_t width, height, stride, place_count;
  wend_diagonals diagonals;
  wend_shape shape;
  double diagonal_length; /* of a diagonal step, 1 .. 2; of a straight one: 1 */

  /* By place. */
  uint16_t *kinds; /* NULL: weights and tags instead */
  double *weights;
  uint16_t *tags;
  uint8_t *walls; /* a bit for each direction in which there is a wall; stored at both of its cells */
  /* Directed walls: 1 << d if one closes the step in direction d; 0x100 << d if it closes the step back from there. A border has
   * both only as a wall. NULL: there are none. Otherwise `walls` is there too. */
  uint16_t *directed;
  uint32_t *
      *touched; /* pages of TOUCHED_PAGE places: the version that changed the cell last: see wend_touched_since. NULL: none
                         of the page was edited */
  uint32_t kinds_capacity, weights_capacity, tags_capacity, walls_capacity, directed_capacity, touched_capacity;
  uint64_t all_touched;                /* the version that changed all cells last */
  uint64_t walls_changed;              /* the version that added or removed a wall last */
  uint32_t wall_count, directed_count; /* wall_count: of both sorts; of hexes, with those of wend_lacking */

  wend_kind *palette;
  uint32_t palette_capacity, kind_count;
  uint32_t *kind_table; /* open addressing, linear probing; WEND_NONE: unused */
  uint32_t kind_table_capacity;
  uint32_t live_kinds; /* the number of kinds that some cell has */
  uint32_t free_kind;  /* the first kind to reuse; each one's tag is the next; WEND_NONE: there is none */
  uint32_t recent[2];  /* the kinds that wend_grid_kind_of returned last: an open one, a closed one */

  wend_portal *out, *in; /* the same portals twice: sorted by from, then to; sorted by to, then from */
  uint32_t out_capacity, in_capacity, portal_count, live_portals;

  uint64_t palette_changes; /* counts how often a kind got another weight or tag */

  wend_fit *fit; /* NULL: the steps are those of a point */
  uint32_t body; /* of an eroded grid (views/body.h): each cell stands for a body of so many cells in a row; otherwise 0 */
};

/* The directions in which a hex has no neighbour, as bits: by the shape of the grid, then of a column or row with an even number,
 * from 0, and of one with an odd number. */
static const uint8_t wend_lacks[5][2] = {{0, 0}, {0x21, 0x84}, {0x84, 0x21}, {0x05, 0xa0}, {0xa0, 0x05}};
/* The same of the cell at a column and row from 0, and of a place. 0: of a square. */
static inline unsigned wend_lacking_at(wend_shape shape, uint32_t x, uint32_t y) {
  return wend_lacks[shape][(shape >= WEND_ODD_COLUMNS ? x : y) & 1];
}
static inline unsigned wend_lacking(const wend_grid *grid, uint32_t place) {
  return wend_lacking_at(grid->shape, place % grid->stride - 1, place / grid->stride - 1);
}
/* The directions in which a cell shares a side with another one, as bits. */
static inline unsigned wend_sides(const wend_grid *grid, uint32_t place) {
  return grid->shape == WEND_SQUARES ? 0x5a : ~wend_lacking(grid, place) & 0xff;
}
/* How many pairs of cells they part: in each block of 2 x 2 cells one. */
static inline uint32_t wend_lacking_count(const wend_grid *grid) {
  return grid->shape == WEND_SQUARES ? 0 : (grid->width - 1) * (grid->height - 1);
}

/* Where a hex lies, in hexes: half a hex is added to the column or row of a shifted one. */
static inline void wend_hex_point(wend_shape shape, uint32_t x, uint32_t y, double *point) {
  const unsigned lacks = wend_lacking_at(shape, x, y);
  point[0] = x + (lacks == 0x21 ? 0.5 : 0), point[1] = y + (lacks == 0x05 ? 0.5 : 0);
}
/* The number of steps between hexes that lie so far apart. Of rows: each leads to the next row and half a column on, so rows give half
 * as many columns for nothing. */
static inline double wend_steps_along(double along, double across) {
  along = fabs(along), across = fabs(across);
  return along > across / 2 ? along + across / 2 : across;
}
static inline double wend_hex_steps(wend_shape shape, double x, double y) {
  return shape >= WEND_ODD_COLUMNS ? wend_steps_along(y, x) : wend_steps_along(x, y);
}

/* The same as wend_grid_create or wend_grid_create_hexes. diagonals: of hexes WEND_ALWAYS. */
wend_grid *wend_grid_create_shaped(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_diagonals diagonals,
                                   wend_shape shape);

/* The number of places of a grid or a region, with the margin. */
static inline uint32_t wend_place_count(uint32_t width, uint32_t height) { return (height + 2) * (width + 1) + 1; }

/* Whether any wall was added or removed after the grid had a version. */
static inline bool wend_grid_walls_changed(const wend_grid *grid, uint64_t version) { return grid->walls_changed > version; }
/* Whether the cell at a place may have changed after a version, by an edit of it alone. */
static inline bool wend_grid_place_touched(const wend_grid *grid, uint32_t place, uint64_t version) {
  const uint32_t *page = grid->touched_capacity > 0 ? grid->touched[place / TOUCHED_PAGE] : NULL;
  return wend_touched_since(page, page != NULL ? TOUCHED_PAGE : 0, place % TOUCHED_PAGE, version, grid->map.version);
}

/* The corner rule for lines. On a grid without diagonal steps a line may still pass a corner between open cells. */
static inline wend_diagonals wend_line_rule(const wend_grid *grid) {
  return grid->diagonals == WEND_NEVER ? WEND_BOTH_OPEN : grid->diagonals;
}

/* The place of a cell. */
static inline uint32_t wend_grid_place(const wend_grid *grid, wend_id cell) {
  const uint32_t number = (uint32_t)(cell - 1);
  assert(cell >= 1 && cell - 1 < (uint64_t)grid->width * grid->height);
  return number + number / grid->width + grid->stride + 1; /* the margin: a place for each row above, the first row, one more */
}

/* Writes a change of a place into the journal. */
static inline void wend_grid_note(wend_grid *grid, uint32_t place) { wend_map_note_only(&grid->map, place, grid->place_count); }

/* The length of a step in a direction. */
static inline double wend_step_length(const wend_grid *grid, int direction) {
  return IS_DIAGONAL(direction) ? grid->diagonal_length : 1;
}

/* The difference between a place and its neighbour in a direction. */
static inline int64_t wend_offset(uint32_t stride, int direction) {
  static const int8_t dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
  return (int64_t)dy[direction] * stride + dx[direction];
}

/* The direction of a step by its columns and its rows, each -1, 0 or 1; not both 0. */
static inline int wend_direction(int x, int y) {
  const int direction = 3 * (y + 1) + x + 1; /* 4 would be the cell itself */
  return direction - (direction > 4);
}

/* The line between the centres of two cells, found by integers alone: which cells it enters, one after the other. */
typedef struct wend_cell_line {
  uint32_t place, end;
  int64_t width, height; /* how many columns and rows it crosses */
  int64_t order;         /* below 0: the column ends first; above 0: the row; 0: both, at a corner */
  int64_t down;          /* how far a row lies from the next one, in places, with its sign */
  int step_x, step_y, direction;
} wend_cell_line;

static inline wend_cell_line wend_cell_line_between(uint32_t stride, uint32_t from, uint32_t to) {
  wend_cell_line line = {from, to, (int64_t)(to % stride) - from % stride, (int64_t)(to / stride) - from / stride, 0, 0, 1,
                         1,    0};
  if (line.width < 0) line.width = -line.width, line.step_x = -1;
  if (line.height < 0) line.height = -line.height, line.step_y = -1;
  line.order = line.height - line.width;
  line.down = line.step_y * (int64_t)stride;
  return line;
}

/* Enters the next cell: its place, and the direction from the one before. False: the line has come to its end. */
static inline bool wend_cell_line_next(wend_cell_line *line) {
  const bool across = line->order <= 0, along = line->order >= 0;
  if (line->place == line->end) return false;
  line->order += (across ? 2 * line->height : 0) - (along ? 2 * line->width : 0);
  line->place = (uint32_t)(line->place + (across ? line->step_x : 0) + (along ? line->down : 0));
  line->direction = wend_direction(across ? line->step_x : 0, along ? line->step_y : 0);
  return true;
}

/* Writes the places that a step reads: the one that it enters, and of a diagonal those beside it. Returns how many. */
static inline uint32_t wend_step_places(uint32_t stride, uint32_t from, int direction, uint32_t *places) {
  places[0] = (uint32_t)(from + wend_offset(stride, direction));
  if (!IS_DIAGONAL(direction)) return 1;
  places[1] = (uint32_t)(from + wend_offset(stride, wend_above(direction)));
  places[2] = (uint32_t)(from + wend_offset(stride, wend_beside(direction)));
  return 3;
}

/* The place of a cell of the region, and its column and row; from 0, relative to the region's corner. */
static inline uint32_t wend_region_place(const wend_region *region, uint32_t x, uint32_t y) {
  return (y + 1) * region->stride + x + 1;
}

static inline uint32_t wend_region_x(const wend_region *region, uint32_t place) { return place % region->stride - 1; }
static inline uint32_t wend_region_y(const wend_region *region, uint32_t place) { return place / region->stride - 1; }

/* Where the hex at a place of a region lies, in the whole grid; and the number of steps between two, if all is open. */
static inline void wend_region_hex(const wend_region *region, wend_shape shape, uint32_t place, double *point) {
  wend_hex_point(shape, wend_region_x(region, place) + region->left, wend_region_y(region, place) + region->top, point);
}
static inline double wend_hex_distance(const wend_region *region, wend_shape shape, uint32_t from, uint32_t to) {
  double a[2], b[2];
  wend_region_hex(region, shape, from, a);
  wend_region_hex(region, shape, to, b);
  return wend_hex_steps(shape, a[0] - b[0], a[1] - b[1]);
}

/* The number of cells in a row of the body of an agent with a size; 1: it is a point. */
static inline uint32_t wend_body_of_size(double size) { return size >= 2 && size <= WEND_SIZE_MAX ? (uint32_t)size : 1; }
/* How far a body reaches to the left of its cell, and upwards; to the right and downwards it is body / 2. */
static inline uint32_t wend_body_before(uint32_t body) { return (body - 1) / 2; }
/* Cell number i, from 0, of the body x body cells that a body covers if its cell is `cell`. WEND_NO_ID: it is outside the grid. */
static inline wend_id wend_covered_cell(const wend_grid *grid, uint32_t body, wend_id cell, uint32_t i) {
  const uint32_t x = (uint32_t)((cell - 1) % grid->width) + i % body - wend_body_before(body);
  const uint32_t y = (uint32_t)((cell - 1) / grid->width) + i / body - wend_body_before(body);
  return x < grid->width && y < grid->height ? (wend_id)y * grid->width + x + 1 : WEND_NO_ID;
}

/* The whole grid as a region. It borrows the arrays of the grid, until the next edit. */
wend_region wend_grid_region(const wend_grid *grid);
/* The place of a cell in a region; WEND_NONE: the cell is outside the region. */
uint32_t wend_region_find(const wend_region *region, const wend_grid *grid, wend_id cell);
/* The id of the cell at a place of the region, which must be a cell. */
wend_id wend_region_cell(const wend_region *region, const wend_grid *grid, uint32_t place);

/* Whether a place is a cell of the region. */
static inline bool wend_region_has(const wend_region *region, uint32_t place) {
  return region->kinds != NULL ? region->kinds[place] != KIND_OUTSIDE : !isnan(region->weights[place]);
}

/* The weight that searches see of a place without a palette. stored: its weight; NaN: outside. */
static inline double wend_weight_seen(double stored) { return stored <= 0 && signbit(stored) ? INFINITY : stored; }

/* The weight (INFINITY: closed; NaN: outside) and the tag of a place, without WEND_CELL_CLOSED. kinds: NULL: without a palette. */
static inline wend_cell wend_cell_seen(const wend_kind *palette, const uint16_t *kinds, const double *weights,
                                       const uint16_t *tags, uint32_t place) {
  wend_cell cell;
  if (kinds != NULL) {
    const wend_kind *kind = &palette[kinds[place]];
    cell.weight = kind->weight, cell.tag = kind->tag;
  } else {
    cell.weight = wend_weight_seen(weights[place]), cell.tag = tags[place];
  }
  return cell;
}
/* The same of a region, and of the whole grid. */
static inline wend_cell wend_region_get(const wend_region *region, const wend_grid *grid, uint32_t place) {
  return wend_cell_seen(grid->palette, region->kinds, region->weights, region->tags, place);
}
static inline wend_cell wend_grid_seen_at(const wend_grid *grid, uint32_t place) {
  return wend_cell_seen(grid->palette, grid->kinds, grid->weights, grid->tags, place);
}

/* The directions in which walls of both sorts close the steps from a place of a region that has walls, as bits. */
static inline unsigned wend_region_shut(const wend_region *region, uint32_t place) {
  return region->walls[place] | (region->directed != NULL ? region->directed[place] & 0xffu : 0);
}
/* Whether a wall of any sort is at a place of a grid that has walls. */
static inline bool wend_grid_has_wall_at(const wend_grid *grid, uint32_t place) {
  return (grid->walls[place] | (grid->directed != NULL ? grid->directed[place] : 0)) != 0;
}
/* Whether a wall blocks the step from a place in a direction. *ways: of a diagonal step, the ways around its corner that no
 * wall crosses: 1 over the cell beside, plus 2 over the cell above or below. Of a straight step, and between hexes, always 3. */
bool wend_region_walled(const wend_region *region, uint32_t place, int direction, int *ways);
/* Whether walls leave a step to a neighbour, if both are open. */
static inline bool wend_region_leads(const wend_region *region, uint32_t place, int direction) {
  int ways;
  return !wend_region_walled(region, place, direction, &ways) && ways != 0;
}
/* The directions in which open cells are joined, as bits: the other rules for diagonals allow a diagonal step only where two straight
 * ones lead around the corner. */
static inline unsigned wend_grid_ways(const wend_grid *grid) {
  return grid->diagonals == WEND_ALWAYS ? 0xffu : 1u << NORTH | 1u << WEST | 1u << EAST | 1u << SOUTH;
}

/* For loops that read cells themselves: by place, the directions in which hexes have no neighbour. NULL: of squares. */
static inline const uint8_t *wend_region_bars(const wend_region *region) { return region->hexes ? region->walls : NULL; }

/* Which steps the border of a place in a direction closes: the one out of the place, the one back, or both, as a wall does. */
enum { BORDER_OPEN, BORDER_OUT, BORDER_BACK, BORDER_WALL };
unsigned wend_grid_border(const wend_grid *grid, uint32_t place, int direction);
/* Gives a border what it closes. NO_MEMORY. */
wend_status wend_grid_set_border(wend_grid *grid, uint32_t from, int direction, unsigned closes);

/* The portals that leave a place, or with `back` lead to it, removed ones included. Returns the first, borrowed until the next
 * edit; the others follow it. *count: how many there are. NULL: the grid never had any. By binary search. */
const wend_portal *wend_grid_portals(const wend_grid *grid, uint32_t place, bool back, uint32_t *count);
/* The portal from one place to another, perhaps a removed one, borrowed as above. NULL: there never was one. */
const wend_portal *wend_grid_portal(const wend_grid *grid, uint32_t from, uint32_t to);
/* The same for portals that are not removed. */
const wend_portal *wend_grid_live_portal(const wend_grid *grid, uint32_t from, uint32_t to);

/* Whether a cell is closed for all, or outside the grid. */
bool wend_grid_is_solid(const wend_grid *grid, int64_t x, int64_t y);
/* The same, or whether the cell has one of these tags. tags: NULL: none. */
bool wend_grid_is_solid_for(const wend_grid *grid, int64_t x, int64_t y, const wend_closed_tags *tags);

/* Whether a cell was changed after the grid had a version. Also true if the grid has changed 2^32 times or more since. */
bool wend_grid_touched(const wend_grid *grid, wend_id cell, uint64_t version);
/* Whether the portal from one cell to another was added, removed, or given another weight or tag, since then. */
bool wend_grid_portal_touched(const wend_grid *grid, wend_id from, wend_id to, uint64_t version);

/* For grids that follow another one, their base: gives the places from first to last the portals of the base that leave them, or
 * with NULL none; and gives a new grid all of them. False: no memory. */
wend_status wend_grid_follow_portals(wend_grid *grid, const wend_grid *base, uint32_t first, uint32_t last);
/* Gives the borders of a place the walls of the base, or with NULL none, but for the directions in `hidden`. NO_MEMORY. */
wend_status wend_grid_follow_walls(wend_grid *grid, const wend_grid *base, uint32_t place, unsigned hidden);
/* Gives the cells of a rectangle the values of the base; and all of it: values, walls and portals. NO_MEMORY: nothing has changed. */
wend_status wend_grid_follow_cells(wend_grid *grid, const wend_grid *base, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2);
wend_status wend_grid_follow_part(wend_grid *grid, const wend_grid *base, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2);
bool wend_grid_copy_portals(wend_grid *grid, const wend_grid *base);

/* The value of a kind and of a place in the form that the three functions below take: a closed cell has the weight that it
 * keeps, and WEND_CELL_CLOSED in its tag. */
wend_cell wend_kind_value(const wend_kind *kind);
wend_cell wend_grid_value_at(const wend_grid *grid, uint32_t place);
/* For codec/grid.c, which loads the cells of a grid with a palette: wend_grid_uncount sets the counts of all kinds of cells to
 * 0. Then wend_grid_count sets the kind of `places` consecutive places, until each cell has one. */
void wend_grid_uncount(wend_grid *grid);
void wend_grid_count(wend_grid *grid, uint32_t place, uint32_t places, uint32_t kind);
/* The kind of a value, a new one if there is none. A new kind has no cells: the next new kind may replace it before a cell gets
 * it. WEND_NONE: no memory, or no more kinds. */
uint32_t wend_grid_kind_of(wend_grid *grid, wend_cell value);
/* A value of a caller, written in one way: a closed cell has the weight that it keeps, and -0 becomes 0. So equal values have equal
 * bits. */
wend_cell wend_grid_tidy(wend_cell value);
/* The first step of every change of cells: arrays that no version shares, and the pages of `touched` for these places. False: no
 * memory. */
bool wend_grid_ready_places(wend_grid *grid, uint32_t first, uint32_t last);
/* For assign.c, all with a palette. The kind of a tidy value that some cell has. WEND_NONE: no cell has it. */
uint32_t wend_grid_live_kind(const wend_grid *grid, wend_cell value);
/* The kind of a value, which then stays until it is released, as if one more cell had it. WEND_NONE: as wend_grid_kind_of. */
uint32_t wend_grid_hold_kind(wend_grid *grid, wend_cell value);
void wend_grid_release_kind(wend_grid *grid, uint32_t kind);
/* Gives `count` places from `first` on, which are ready, kinds that live or are held. The version stays for the caller to raise. */
void wend_grid_put_kinds(wend_grid *grid, uint32_t first, uint32_t count, const uint16_t *kinds);
/* For new grids of codec/grid.c and views/body.c: changes from the palette to a weight and a tag for each cell. False: no memory,
 * and nothing has changed. */
bool wend_grid_begin_cells(wend_grid *grid);
/* Then the caller sets the value of each cell once. False: no memory for the statistics. */
bool wend_grid_file_cell(wend_grid *grid, uint32_t place, wend_cell value);

#endif
