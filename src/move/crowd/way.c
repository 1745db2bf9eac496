/* SPDX-License-Identifier: MIT */
/* Ways that are given. A way over cells says which cells lie under it. One over points of the grid, such as a route, does not:
 * its points need not be neighbours. So the cells under its legs are found here, in the order of the way:
 *
 *     +---+---+---+---+
 *     | a |   |   |   |        a leg from a to b: the cells a, 1, 2, 3 and b. A leg through a corner of four cells leads
 *     +---+---+---+---+        diagonally there, as a step does
 *     | 1 | 2 | 3 | b |
 *     +---+---+---+---+
 *
 * From then on it is known, as of a plan, what the ground under the way costs, and which edits touch it. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

WEND_NO_FUSING

#define CROSSED 1e-6 /* in cells: less of a leg counts as passing the corner of a cell, as in ground.c */

/* Walks over the cells under a way. */
typedef struct way_walk {
  const wend_crowd_way *way;
  const struct wend_grid *grid;
  uint32_t point, link; /* the point to which the leg leads; the next link */
  uint32_t x, y;        /* the cell on the leg, */
  double t;             /* and where the leg gets into it: 0 .. 1 */
  wend_id cell;         /* the cell that was found last */
} way_walk;

/* The row or column of a coordinate; those outside of the grid count as the nearest one. */
static uint32_t way_line(double x, uint32_t size) {
  if (!(x > 0)) return 0;
  return x >= (double)size ? size - 1 : (uint32_t)x;
}

/* The rows or columns that a coordinate touches: two on a border. Returns their number. */
static uint32_t lines_at(double x, uint32_t size, uint32_t *lines) {
  lines[0] = way_line(x, size);
  if (!(lines[0] > 0) || x > (double)lines[0]) return 1;
  lines[1] = lines[0] - 1;
  return 2;
}

/* The cells that a point touches; a point outside of the grid the nearest one. Returns their number. */
static uint32_t cells_at(const wend_grid *grid, const double *p, wend_id *cells) {
  uint32_t columns[2], rows[2], count = 0;
  const uint32_t across = lines_at(p[0], grid->width, columns), down = lines_at(p[1], grid->height, rows);
  for (uint32_t y = 0; y < down; y++) {
    for (uint32_t x = 0; x < across; x++) cells[count++] = wend_grid_cell(grid, columns[x], rows[y]);
  }
  return count;
}

/* Whether a walker may take links with this tag. */
static bool is_link_open(const wend_crowd *crowd, const wend_walker *w, uint32_t tag) {
  const wend_closed_tags *tags = &crowd->closed_sets[w->closed].tags;
  return tag >= tags->count || tags->marks[tag] == 0;
}

bool wend_way_find_link(const wend_crowd *crowd, const wend_walker *w, const double *from, const double *to, double *weight,
                        uint32_t *tag) {
  wend_id starts[4], ends[4];
  const uint32_t start_count = cells_at(crowd->grid, from, starts), end_count = cells_at(crowd->grid, to, ends);
  for (uint32_t i = 0; i < start_count; i++) {
    for (uint32_t k = 0; k < end_count; k++) {
      if (wend_grid_find_portal(crowd->grid, starts[i], ends[k], weight, tag)) return w == NULL || is_link_open(crowd, w, *tag);
    }
  }
  return false;
}

/* Where a leg leaves a row or column: 0 .. 1. INFINITY: it ends there. */
static double leave_line_at(double from, double to, uint32_t line, uint32_t last) {
  if (line == last) return INFINITY;
  return ((last > line ? line + 1.0 : (double)line) - from) / (to - from);
}

/* Goes on along the leg. Returns whether it has more than a corner in the cell where it was. */
static bool leave_way_cell(way_walk *walk, const double *p, uint32_t to_x, uint32_t to_y) {
  const double length = wend_sqrt(wend_square(p[0] - p[-2], p[1] - p[-1])), t = walk->t;
  const double by_x = leave_line_at(p[-2], p[0], walk->x, to_x), by_y = leave_line_at(p[-1], p[1], walk->y, to_y);
  const bool last = by_x == INFINITY && by_y == INFINITY;
  const double out = last ? 1 : wend_least(by_x, by_y);
  if (by_x < INFINITY && (by_x - out) * length <= CROSSED) walk->x = to_x > walk->x ? walk->x + 1 : walk->x - 1;
  if (by_y < INFINITY && (by_y - out) * length <= CROSSED) walk->y = to_y > walk->y ? walk->y + 1 : walk->y - 1;
  walk->t = wend_most(t, out);
  if (last) walk->point++, walk->t = 0;
  return (out - t) * length > CROSSED || (last && walk->point == walk->way->count);
}

/* Finds the next cell under a way. False: there is none. */
static bool next_way_cell(way_walk *walk) {
  const wend_crowd_way *way = walk->way;
  while (walk->point < way->count) {
    const double *p = way->points + 2 * (size_t)walk->point;
    const uint32_t to_x = way_line(p[0], walk->grid->width), to_y = way_line(p[1], walk->grid->height);
    uint32_t x = walk->x, y = walk->y;
    bool found = true;
    if (walk->point == 0 || (walk->link < way->link_count && way->links[walk->link] + 1 == walk->point)) {
      if (walk->point > 0) walk->link++;
      walk->x = x = to_x, walk->y = y = to_y, walk->t = 0, walk->point++;
    } else {
      found = leave_way_cell(walk, p, to_x, to_y);
    }
    if (!found || walk->cell == wend_grid_cell(walk->grid, x, y)) continue;
    walk->cell = wend_grid_cell(walk->grid, x, y);
    return true;
  }
  return false;
}

uint32_t wend_way_cells(const struct wend_crowd *crowd, const wend_crowd_way *way, double *cells) {
  way_walk walk = {way, crowd->grid, 0, 0, 0, 0, 0, WEND_NO_ID};
  uint32_t count = 0;
  for (; way->on_grid && next_way_cell(&walk); count++) {
    if (cells != NULL) cells[count] = (double)walk.cell;
  }
  if (way->cells == NULL) return count;
  for (uint32_t i = 0; cells != NULL && i < way->cell_count; i++) cells[i] = (double)way->cells[i];
  return way->cell_count;
}

/* ---- Whether a way is open ------------------------------------------------------------------------------------ */

/* Whether a cell is closed for a walker. */
static bool is_way_cell_closed(const wend_crowd *crowd, const wend_walker *w, wend_id cell) {
  const uint32_t x = (uint32_t)(cell - 1) % crowd->grid->width, y = (uint32_t)(cell - 1) / crowd->grid->width;
  return wend_grid_is_solid_for(crowd->grid, x, y, &crowd->closed_sets[w->closed].tags);
}

static void middle_of_cell(const wend_grid *grid, wend_id cell, double *point) {
  point[0] = (double)((uint32_t)(cell - 1) % grid->width) + 0.5, point[1] = (double)((uint32_t)(cell - 1) / grid->width) + 0.5;
}

/* Whether a walker gets along the leg that ends at point i. */
static bool is_leg_open(const wend_crowd *crowd, const wend_walker *w, const wend_crowd_way *way, uint32_t i, bool link) {
  double from[2], to[2], weight;
  uint32_t tag;
  if (way->cells != NULL) {
    if (link)
      return wend_grid_find_portal(crowd->grid, way->cells[i - 1], way->cells[i], &weight, &tag) && is_link_open(crowd, w, tag);
    middle_of_cell(crowd->grid, way->cells[i - 1], from), middle_of_cell(crowd->grid, way->cells[i], to);
  } else {
    const double *p = way->points + 2 * (size_t)i;
    from[0] = p[-2], from[1] = p[-1], to[0] = p[0], to[1] = p[1];
    if (link) return wend_way_find_link(crowd, w, from, to, &weight, &tag);
  }
  return wend_solid_clear(crowd, w->closed, from[0], from[1], to[0], to[1], 0);
}

bool wend_way_is_open(const wend_crowd *crowd, const wend_walker *w, const wend_crowd_way *way) {
  way_walk walk = {way, crowd->grid, 0, 0, 0, 0, 0, WEND_NO_ID};
  const uint32_t count = way->cells != NULL ? way->cell_count : way->count;
  uint32_t at = 0;
  for (uint32_t i = 1; i < way->cell_count; i++) {
    if (is_way_cell_closed(crowd, w, way->cells[i])) return false;
  }
  for (uint32_t i = 0; way->on_grid && next_way_cell(&walk); i++) {
    if (i > 0 && is_way_cell_closed(crowd, w, walk.cell)) return false;
  }
  for (uint32_t i = 1; i < count; i++) {
    const bool link = way->cells != NULL ? wend_grid_is_jump(crowd->grid, way->cells[i - 1], way->cells[i], way->legs, 0)
                                         : at < way->link_count && way->links[at] + 1 == i;
    if (link) at++;
    if (!is_leg_open(crowd, w, way, i, link)) return false;
  }
  return true;
}
