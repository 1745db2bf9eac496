/* SPDX-License-Identifier: MIT */
/* Choosing a cell or a node that meets conditions: the cell nearest to a point, and one at random.
 *
 * The nearest cell. Cells are tested in squares around the cell nearest to the point. A square has four sides. The bound of a
 * side is the distance of the point from the nearest centre that the side could have. It grows from square to square, so a side
 * whose bound exceeds the best distance so far ends the search in its direction. All distances are computed by the same
 * formula, whose rounding is monotone: so bounds and distances can be compared exactly.
 *
 *     3 3 3 3 3     The point is in the cell 1. Square 2 has an open cell: at a corner, 1.41 away. The sides of square 3 have
 *     3 2 2 2 3     bounds of about 2, so the search ends after square 2. If only square 3 had an open cell, at a corner 2.83
 *     3 2 1 2 3     away, square 4 would be tested as well: its bounds are about 3, so it has nothing nearer, and each of its
 *     3 2 2 2 3     sides is skipped.
 *     3 3 3 3 3
 *
 * Cells that are not square have other distances. On isometric grids the cell that contains the point need not have the nearest
 * centre, and the centre of a side that is nearest may be anywhere on it. The cell that contains the point is tested first, and
 * is the result if it meets the conditions. Otherwise the squares are around the cell with the nearest centre of all, and the
 * bound of a side is the least distance of the points of its row or column between the borders of the grid. The same holds for
 * hexes, but that the squares stay around the cell that contains the point.
 *
 * A random one. A cell, or a slot of a node, is drawn until one meets the conditions, at most DRAWS times. If none of them does,
 * cells that do are counted, and one of these is drawn. Either way all of them are equally likely. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/floats.h"
#include "core/base/random.h"
#include "core/map/graph_store.h"
#include "core/cost/step.h"
#include "core/field/field.h"
#include "core/space/frame.h"

WEND_NO_FUSING

wend_choice_opts wend_choice_opts_default(void) {
  const wend_choice_opts opts = {NULL, 0, NULL, NULL, NULL, NULL, INFINITY, NULL};
  return opts;
}

/* Whether the fields allow a cell or a node. */
static inline bool is_reached(const wend_choice_opts *opts, wend_id id) {
  return (opts->can_reach == NULL || wend_field_has(opts->can_reach, id)) &&
         (opts->leads == NULL || opts->leads(opts->leads_ud, id)) &&
         (opts->reachable_from == NULL || wend_field_has(opts->reachable_from, id));
}

/* Whether a cell meets the conditions. x, y: from 0. */
static bool is_choice(const wend_grid *grid, const wend_region *region, const wend_choice_opts *opts, uint32_t x, uint32_t y) {
  const wend_cell cell = wend_region_get(region, grid, wend_region_place(region, x, y));
  if (!(cell.weight < INFINITY) || (opts->tags != NULL && opts->tags[cell.tag].plus == INFINITY)) return false;
  if (wend_body_of_size(opts->size) > 1) {
    const wend_costs costs = {opts->tags, NULL, NULL, opts->size, NULL, 0};
    const wend_stepper stepper = wend_grid_stepper(grid, &costs);
    if (!wend_step_enters(&stepper, wend_region_place(region, x, y))) return false;
  }
  return is_reached(opts, wend_grid_cell(grid, x, y));
}

/* ---- The nearest cell -------------------------------------------------------------------------------------- */

typedef struct nearest_search {
  const wend_grid *grid;
  wend_region region;
  const wend_choice_opts *opts;
  wend_frame frame;
  double px, py;  /* the point, in cells */
  double unit;    /* how far columns lie apart */
  double high;    /* how far rows lie apart, in the same */
  double skew;    /* on an isometric grid: the nearest point of a row is this x per y away; and of a column y per x */
  double more[2]; /* how far the last centre of a column, and of a row, lies from the first one, across it: of hexes 0.5 or 0 */
  uint32_t bx, by; /* the cell nearest to it */
  uint32_t x, y;   /* the best cell so far, if `found` */
  double best;     /* the square of its distance */
  bool found;
} nearest_search;

/* The square of the length of a vector of cells, in widths of a cell. */
static inline double square_of_vector(const nearest_search *n, double dx, double dy) {
  double x = dx, y = dy;
  if (n->frame.isometric) x = (dx - dy) / 2, y = (dx + dy) / 2;
  y *= n->high;
  return x * x + y * y;
}

/* The square of the distance of the point from the centre of a cell. */
static inline double square_to(const nearest_search *n, uint32_t x, uint32_t y) {
  double at[2] = {x, y};
  if (n->frame.shape != WEND_SQUARES) wend_hex_point(n->frame.shape, x, y, at);
  return square_of_vector(n, at[0] + 0.5 - n->px, at[1] + 0.5 - n->py);
}

static double distance_of(const nearest_search *n, double square) { return wend_sqrt(square) * n->unit; }

static inline double limited(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

/* The share of a bound that counts where cells are not in rows and columns: bounds are computed by another formula than distances. */
#define OTHER_SHARE (1 - 1e-9)
static inline bool in_rows(const nearest_search *n) { return !n->frame.isometric && n->frame.shape == WEND_SQUARES; }

/* At most the square of the distance of the point from each centre in a row. */
static double row_bound(const nearest_search *n, uint32_t y) {
  if (!in_rows(n)) {
    const double dy = limited(0, y + 0.5 - n->py, y + 0.5 + n->more[1] - n->py);
    const double dx = limited(n->skew * dy, 0.5 - n->px, n->grid->width - 0.5 + n->more[0] - n->px);
    return square_of_vector(n, dx, dy) * OTHER_SHARE;
  }
  return square_to(n, n->bx, y);
}

static double column_bound(const nearest_search *n, uint32_t x) {
  if (!in_rows(n)) {
    const double dx = limited(0, x + 0.5 - n->px, x + 0.5 + n->more[0] - n->px);
    const double dy = limited(n->skew * dx, 0.5 - n->py, n->grid->height - 0.5 + n->more[1] - n->py);
    return square_of_vector(n, dx, dy) * OTHER_SHARE;
  }
  return square_to(n, x, n->by);
}

/* Tests one cell. Of equally near ones, the first in reading order is the best. */
static void test_cell(nearest_search *n, uint32_t x, uint32_t y) {
  const double square = square_to(n, x, y);
  if (n->found && (square > n->best || (square == n->best && (y > n->y || (y == n->y && x > n->x))))) return;
  if (!is_choice(n->grid, &n->region, n->opts, x, y) || distance_of(n, square) > n->opts->max_distance) return;
  n->x = x, n->y = y, n->best = square, n->found = true;
}

/* Whether a side with this bound can have the result. */
static bool is_promising(const nearest_search *n, double bound) {
  return !(n->found && bound > n->best) && distance_of(n, bound) <= n->opts->max_distance;
}

/* Tests the part of row number `at`, or of that column, that lies inside the grid. low, high: its ends, which may lie outside. False:
 * it can have no result, and neither can those beyond it. */
static bool test_side(nearest_search *n, bool row, int64_t at, int64_t low, int64_t high) {
  const int64_t count = row ? n->grid->height : n->grid->width, last = (int64_t)(row ? n->grid->width : n->grid->height) - 1;
  if (at < 0 || at >= count || !is_promising(n, row ? row_bound(n, (uint32_t)at) : column_bound(n, (uint32_t)at))) return false;
  if (low < 0) low = 0;
  if (high > last) high = last;
  for (int64_t i = low; i <= high; i++) test_cell(n, (uint32_t)(row ? i : at), (uint32_t)(row ? at : i));
  return true;
}

/* The column or row of a coordinate in cells; the first or last one if it lies outside. */
static uint32_t clamp(double coordinate, uint32_t size) {
  return !(coordinate >= 0) ? 0 : coordinate >= size ? size - 1 : (uint32_t)coordinate;
}

/* Prepares the search on an isometric grid. The point of the grid that is nearest to the point lies in its own cell, or on one
 * of the four borders of the area of all centres. */
static void begin_diamonds(nearest_search *n) {
  const double left = 0.5 - n->px, right = n->grid->width - 0.5 - n->px;
  const double top = 0.5 - n->py, bottom = n->grid->height - 0.5 - n->py;
  const double flat = n->high < 1 ? n->high : 1 / n->high, skew = (1 - flat * flat) / (1 + flat * flat);
  double best = INFINITY;
  n->skew = n->high < 1 ? skew : -skew;
  if (left <= 0 && right >= 0 && top <= 0 && bottom >= 0) return;
  for (int side = 0; side < 4; side++) {
    const double x = side == 0 ? left : right, y = side == 2 ? top : bottom;
    const double dx = side < 2 ? x : limited(n->skew * y, left, right);
    const double dy = side < 2 ? limited(n->skew * x, top, bottom) : y;
    const double square = square_of_vector(n, dx, dy);
    if (square > best) continue;
    best = square;
    n->bx = clamp(dx + n->px, n->grid->width);
    n->by = clamp(dy + n->py, n->grid->height);
  }
}

wend_id wend_grid_nearest(const wend_grid *grid, const double *point, const wend_choice_opts *opts, double *distance) {
  nearest_search n;
  double vector[2] = {0, 0}, steps[2], cell[2];
  bool up = true, down = true, left = true, right = true; /* whether the search goes on in this direction */
  bool inside;
  memset(&n, 0, sizeof n);
  n.grid = grid, n.region = wend_grid_region(grid), n.opts = opts, n.best = INFINITY;
  n.frame = wend_frame_or_cells(opts->frame);
  n.px = point[0], n.py = point[1];
  wend_frame_cell(&n.frame, point, cell);
  inside = cell[0] >= 0 && cell[1] >= 0 && cell[0] < grid->width && cell[1] < grid->height;
  n.bx = clamp(cell[0], grid->width);
  n.by = clamp(cell[1], grid->height);
  if (n.frame.isometric) {
    n.unit = n.frame.wide, n.high = n.frame.high / n.frame.wide;
  } else {
    vector[0] = n.frame.wide, vector[1] = n.frame.high;
    wend_frame_in_cells(&n.frame, vector, steps);
    n.unit = n.frame.wide / steps[0], n.high = n.frame.high / steps[1] / n.unit;
  }
  if (n.frame.shape != WEND_SQUARES) n.more[n.frame.shape >= WEND_ODD_COLUMNS] = 0.5;
  if (inside || !n.frame.isometric) test_cell(&n, n.bx, n.by);
  if (n.frame.isometric && !n.found) {
    begin_diamonds(&n);
    test_cell(&n, n.bx, n.by);
  }
  for (int64_t r = 1; (up || down || left || right) && !(n.found && inside && r == 1); r++) {
    const int64_t x = n.bx, y = n.by;
    up = up && test_side(&n, true, y - r, x - r, x + r);
    left = left && test_side(&n, false, x - r, y - r + 1, y + r - 1);
    right = right && test_side(&n, false, x + r, y - r + 1, y + r - 1);
    down = down && test_side(&n, true, y + r, x - r, x + r);
  }
  if (!n.found) return WEND_NO_ID;
  *distance = distance_of(&n, n.best);
  return wend_grid_cell(grid, n.x, n.y);
}

/* ---- A random one ------------------------------------------------------------------------------------------ */

/* How often a cell or a node is drawn before all are counted. This costs a few microseconds at most, and nearly always succeeds
 * where a tenth or more of them meet the conditions. */
#define DRAWS 64u

/* The cell number i in reading order, or the node in slot i, if it meets the conditions; otherwise WEND_NO_ID. */
static wend_id candidate(const wend_map *map, const wend_region *region, const wend_choice_opts *opts, uint32_t i) {
  if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    const uint32_t x = i % grid->width, y = i / grid->width;
    return is_choice(grid, region, opts, x, y) ? wend_grid_cell(grid, x, y) : WEND_NO_ID;
  } else {
    const wend_graph *graph = (const wend_graph *)map;
    wend_id id;
    if (graph->nodes.value[i] == WEND_NONE || (graph->flags[graph->nodes.value[i]] & PLACE_CLOSED) != 0) return WEND_NO_ID;
    id = wend_slots_id(&graph->nodes, i);
    return is_reached(opts, id) ? id : WEND_NO_ID;
  }
}

/* A whole number from 0 up to, but below, `count`: draw number i of a seed. */
static uint32_t draw_index(uint64_t seed, uint32_t i, uint32_t count) {
  const uint32_t number = (uint32_t)(wend_random_unit(wend_mix(wend_mix(seed) + i)) * count);
  return number < count ? number : count - 1; /* rounding */
}

wend_id wend_map_random(const wend_map *map, uint64_t seed, const wend_choice_opts *opts) {
  const wend_grid *grid = (const wend_grid *)map;
  const uint32_t all = map->is_grid ? grid->width * grid->height : ((const wend_graph *)map)->nodes.count;
  wend_region region;
  wend_id id = WEND_NO_ID;
  uint32_t count = 0, rest;
  if (all == 0) return WEND_NO_ID;
  if (map->is_grid) region = wend_grid_region(grid);
  for (uint32_t i = 0; i < DRAWS && id == WEND_NO_ID; i++) id = candidate(map, &region, opts, draw_index(seed, i, all));
  if (id != WEND_NO_ID) return id;
  for (uint32_t i = 0; i < all; i++) count += candidate(map, &region, opts, i) != WEND_NO_ID;
  if (count == 0) return WEND_NO_ID;
  rest = draw_index(seed, DRAWS, count);
  for (uint32_t i = 0;; i++) {
    id = candidate(map, &region, opts, i);
    if (id != WEND_NO_ID && rest-- == 0) return id;
  }
}
