/* SPDX-License-Identifier: MIT */
/* What ways over dear ground cost. A walker that was sent along a plan must not cut corners over ground that the plan avoids. So
 * before it leaves out a point of its route, it compares the straight way with the one over the point:
 *
 *     walker . . . . . p             . . .  over p, its next point
 *            \         .             \ \ \  straight to q, the point after it
 *              \  mud  .
 *                \     .             Straight is allowed if it costs no more, and crosses no cell that is dearer than all
 *                  \   .             those on the way over p. On ground of one price that is always so: a side of a
 *                    \ q             triangle is shorter than the other two.
 *
 * So what is left of the way never costs more than the rest of the plan. The price of a cell is its weight x times + plus of its
 * tag, and what the layers of the route add, for each cell's width of way. Functions about edges are not part of it. */
#include "move/crowd/step.h"
#include "core/views/fit.h"

#include "core/map/grid.h"
#include "core/cost/step.h"

#include <string.h>

WEND_NO_FUSING

#define KINDS_READ 256u /* a palette with more kinds than that counts as mixed: reading it takes time after each edit */
#define CROSSED 1e-6    /* in cells: less of a way counts as passing the corner of a cell */
#define GROUND_ROUNDING 1e-9
#define PATIENT 5.0 /* seconds in a jam, after which a walker takes every way that is open for its agent */

static bool is_mixed(const wend_grid *grid) {
  double weight = -1;
  uint32_t tag = 0;
  if (grid->kinds == NULL || grid->kind_count > KINDS_READ) return true;
  for (uint32_t i = KIND_FIRST; i < grid->kind_count; i++) {
    const wend_kind *kind = &grid->palette[i];
    if (kind->count == 0 || !(kind->weight < INFINITY)) continue;
    if (weight >= 0 && (kind->weight != weight || kind->tag != tag)) return true;
    weight = kind->weight, tag = kind->tag;
  }
  return false;
}

/* The row or column of a coordinate; those outside of the grid count as the nearest one. */
static uint32_t line_of(double x, uint32_t size) {
  if (!(x > 0)) return 0;
  return x >= (double)size ? size - 1 : (uint32_t)x;
}

/* The speed of a walker where it is. Ground that is closed for all has no weight: one that was pushed there leaves it. */
static double pace_of(const struct wend_crowd *crowd, const wend_walker *w) {
  const struct wend_grid *grid = crowd->grid;
  const wend_region region = wend_grid_region(grid);
  const uint32_t x = line_of(w->x, grid->width), y = line_of(w->y, grid->height);
  const wend_cell cell = wend_region_get(&region, grid, wend_region_place(&region, x, y));
  double speed = w->speed;
  if (w->crossing) return speed;
  if (cell.tag < w->factor_count) speed *= w->factors[cell.tag];
  if (w->weighed && cell.weight > 0 && cell.weight < INFINITY) speed /= cell.weight;
  return wend_least(speed, WEND_WALKER_MAX);
}

void wend_ground_ready(struct wend_crowd *crowd) {
  for (uint32_t i = 0; crowd->paced && i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    if (w->factor_count > 0 || w->weighed) w->going = pace_of(crowd, w);
  }
  if (crowd->grid == NULL || crowd->grid->map.version == crowd->ground_version) return;
  crowd->ground_version = crowd->grid->map.version;
  crowd->mixed = is_mixed(crowd->grid);
}

/* The price of a cell. What is closed for all has none: it is solid. */
static double ground_price_at(const wend_region *region, const wend_grid *grid, const wend_walker *walker, uint32_t x,
                              uint32_t y) {
  const uint32_t place = wend_region_place(region, x, y);
  const wend_cell cell = wend_region_get(region, grid, place);
  double price = cell.weight;
  if (!(price < INFINITY)) return 0;
  if (cell.tag < walker->tag_count) {
    const double *tag = walker->points + 2 * ((size_t)walker->point_count + cell.tag);
    price = price * tag[0] + tag[1];
  }
  for (uint32_t i = 0; i < walker->layer_count; i++) price += wend_influence_onto(&walker->layers[i], place);
  return wend_least(price, WEND_GROUND_CLOSED);
}

wend_ground wend_ground_of(const struct wend_crowd *crowd, const wend_walker *walker, double x1, double y1, double x2,
                           double y2) {
  const struct wend_grid *grid = crowd->grid;
  const wend_region region = wend_grid_region(grid);
  const double length = wend_sqrt(wend_square(x2 - x1, y2 - y1));
  const uint32_t bottom = line_of(wend_most(y1, y2), grid->height);
  wend_ground sum = {0, 0};
  for (uint32_t y = line_of(wend_least(y1, y2), grid->height); y <= bottom; y++) {
    /* The part of the way in this row, from 0 to 1, and the columns that it crosses there. */
    double low = 0, high = 1, from, to;
    uint32_t right;
    wend_clip_way(y1, y2, (double)y, (double)y + 1, &low, &high);
    from = x1 + low * (x2 - x1), to = x1 + high * (x2 - x1);
    right = line_of(wend_most(from, to), grid->width);
    for (uint32_t x = line_of(wend_least(from, to), grid->width); x <= right; x++) {
      double first = low, last = high, price;
      wend_clip_way(x1, x2, (double)x, (double)x + 1, &first, &last);
      if (!((last - first) * length > CROSSED)) continue;
      price = ground_price_at(&region, grid, walker, x, y);
      sum.cost += price * ((last - first) * length);
      sum.dearest = wend_most(sum.dearest, price);
    }
  }
  return sum;
}

bool wend_ground_is_pressed(const wend_walker *walker) { return walker->queue_time > PATIENT; }

double wend_ground_at(const struct wend_crowd *crowd, const wend_walker *walker, double x, double y) {
  const struct wend_grid *grid = crowd->grid;
  const wend_region region = wend_grid_region(grid);
  return ground_price_at(&region, grid, walker, line_of(x, grid->width), line_of(y, grid->height));
}

bool wend_ground_may_skip(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t later) {
  const double *p = walker->points + 2 * (size_t)walker->next, *end = walker->points + 2 * (size_t)later;
  const wend_ground straight = wend_ground_of(crowd, walker, walker->x, walker->y, end[0], end[1]);
  wend_ground way = wend_ground_of(crowd, walker, walker->x, walker->y, p[0], p[1]);
  for (; p < end; p += 2) {
    const wend_ground leg = wend_ground_of(crowd, walker, p[0], p[1], p[2], p[3]);
    way.cost += leg.cost, way.dearest = wend_most(way.dearest, leg.dearest);
  }
  if (straight.dearest > way.dearest) return wend_ground_is_pressed(walker) && straight.dearest < WEND_GROUND_CLOSED;
  return straight.cost <= way.cost + GROUND_ROUNDING * (1 + way.cost) || wend_ground_is_pressed(walker);
}

/* ---- Edits ---- */

static bool has_bit(const uint64_t *bits, uint64_t at) { return (bits[at / 64] >> at % 64 & 1) != 0; }

/* Whether one of the bits from `first` to `last` is set. */
static bool has_bit_between(const uint64_t *bits, uint64_t first, uint64_t last) {
  for (uint64_t word = first / 64; word <= last / 64; word++) {
    uint64_t part = bits[word];
    if (word == first / 64) part &= UINT64_MAX << first % 64;
    if (word == last / 64) part &= UINT64_MAX >> (63 - last % 64);
    if (part != 0) return true;
  }
  return false;
}

/* The bits of the cells beside edited ones follow those of the edited ones. */
static uint64_t edited_words(const wend_grid *grid) { return ((uint64_t)grid->width * grid->height + 63) / 64; }

bool wend_crowd_begin_edits(wend_crowd *crowd) {
  const uint64_t words = 2 * edited_words(crowd->grid);
  if (crowd->edited_capacity >= words) return true;
  if (!WEND_RESIZE(&crowd->alloc, crowd->edited, crowd->edited_capacity, words)) return false;
  memset(crowd->edited, 0, crowd->edited_capacity * sizeof *crowd->edited);
  return true;
}

void wend_crowd_mark_edits(wend_crowd *crowd, wend_changes changes, bool marked) {
  const wend_grid *grid = crowd->grid;
  uint64_t *beside = crowd->edited + edited_words(grid);
  uint32_t place, count = 0;
  while (wend_next_change(&changes, &place)) {
    const uint32_t x = place % grid->stride - 1, y = place / grid->stride - 1; /* huge: outside */
    const uint64_t cell = (uint64_t)y * grid->width + x;
    if (x >= grid->width || y >= grid->height) continue;
    if (count < WEND_EDITS_FEW) crowd->edits_x[count] = (int32_t)x, crowd->edits_y[count] = (int32_t)y;
    count++;
    if (marked) crowd->edited[cell / 64] |= (uint64_t)1 << cell % 64;
    else crowd->edited[cell / 64] = 0;
    for (uint32_t row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++) {
      for (uint32_t column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++) {
        const uint64_t near = (uint64_t)row * grid->width + column;
        if (marked) beside[near / 64] |= (uint64_t)1 << near % 64;
        else beside[near / 64] = 0;
      }
    }
  }
  crowd->edit_count = count;
  for (; count < WEND_EDITS_FEW; count++)
    crowd->edits_x[count] = crowd->edits_y[count] = INT32_MIN / 2; /* far from all cells */
}

bool wend_crowd_is_edited(const wend_crowd *crowd, double left, double top, double right, double bottom) {
  const wend_grid *grid = crowd->grid;
  const double x = wend_most(floor(left), 0), to_x = wend_least(floor(right), grid->width - 1.0);
  if (!(x <= to_x)) return false;
  for (double y = wend_most(floor(top), 0); y <= wend_least(floor(bottom), grid->height - 1.0); y++) {
    const uint64_t row = (uint64_t)y * grid->width;
    if (has_bit_between(crowd->edited, row + (uint64_t)x, row + (uint64_t)to_x)) return true;
  }
  return false;
}

/* Whether an edit touches a step: the cell that it enters, or one beside a diagonal step. */
static bool is_step_touched(const wend_crowd *crowd, wend_id from, wend_id to) {
  const uint64_t width = crowd->grid->width, a = from - 1, b = to - 1;
  const uint64_t x1 = a % width, y1 = a / width, x2 = b % width, y2 = b / width;
  const uint64_t dx = x1 > x2 ? x1 - x2 : x2 - x1, dy = y1 > y2 ? y1 - y2 : y2 - y1;
  if (has_bit(crowd->edited, b)) return true;
  return dx == 1 && dy == 1 && (has_bit(crowd->edited, y1 * width + x2) || has_bit(crowd->edited, y2 * width + x1));
}

/* After a cell, so many steps of a path of neighbours lead to no cell within `reach` of an edited one. */
static uint32_t steps_without_edits(const wend_crowd *crowd, uint32_t cell, int32_t reach) {
  const int32_t x = (int32_t)(cell % crowd->grid->width), y = (int32_t)(cell / crowd->grid->width);
  int32_t least = INT32_MAX;
  if (crowd->edit_count > WEND_EDITS_FEW) return 0;
  for (uint32_t i = 0; i < WEND_EDITS_FEW; i++) {
    const int32_t dx = crowd->edits_x[i] - x, dy = crowd->edits_y[i] - y;
    const int32_t across = dx < 0 ? -dx : dx, along = dy < 0 ? -dy : dy, far = across > along ? across : along;
    least = far < least ? far : least;
  }
  return least > reach + 1 ? (uint32_t)(least - reach - 1) : 0;
}

void wend_crowd_mark_path(wend_walker *w) {
  const double *path = wend_crowd_path(w);
  double *marks = w->points + (path - w->points) + w->cell_count;
  for (uint32_t i = 0; i < w->cell_count; i += WEND_PATH_PIECE) *marks++ = path[i];
}

/* Whether a marked edit touches a step of a path to one of the cells from `first` to `last`. */
static bool is_piece_edited(const wend_crowd *crowd, const double *path, uint32_t first, uint32_t last, int64_t reach) {
  const uint64_t *beside = crowd->edited + edited_words(crowd->grid);
  for (uint32_t i = first; i <= last; i++) {
    const wend_id to = (wend_id)path[i];
    if (has_bit(beside, to - 1) && is_step_touched(crowd, (wend_id)path[i - 1], to)) return true;
    if (reach > 0) {
      const double x = (double)((to - 1) % crowd->grid->width), y = (double)((to - 1) / crowd->grid->width),
                   far = (double)reach;
      if (wend_crowd_is_edited(crowd, x - far, y - far, x + far, y + far)) return true;
    }
  }
  return false;
}

bool wend_crowd_is_path_edited(const wend_crowd *crowd, const wend_walker *w) {
  const double *path = wend_crowd_path(w), *marks = path + w->cell_count;
  const int64_t reach = w->radius >= WEND_FIT_MIN ? wend_fit_reach(w->radius) : 0;
  const int32_t near = reach > 0 ? (int32_t)reach : 1;
  uint32_t i = 0;
  while (i + 1 < w->cell_count) {
    const uint32_t last = i + WEND_PATH_PIECE < w->cell_count ? i + WEND_PATH_PIECE : w->cell_count - 1;
    uint32_t pieces = 0; /* that need not be read. A link may lead anywhere */
    if (w->link_count == 0)
      pieces = steps_without_edits(crowd, (uint32_t)marks[i / WEND_PATH_PIECE] - 1, near) / WEND_PATH_PIECE;
    if (pieces == 0 && is_piece_edited(crowd, path, i + 1, last, reach)) return true;
    i += WEND_PATH_PIECE * (pieces > 0 ? pieces : 1);
  }
  return false;
}
