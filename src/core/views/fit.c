/* SPDX-License-Identifier: MIT */
/* How a disc fits between the closed cells and the walls of a grid.
 *
 * In each cell the disc has a spot, and a step leads from spot to spot, straight or over a third point. It is denied if the disc
 * would touch something solid on the way. So a plan over such steps can be walked. Mostly the spot is the middle of the cell.
 * Beside a wall, where the disc does not fit into the middle, it is one of eight points on the sides and corners. So a disc of
 * radius 0.9 goes along the middle of a corridor two cells wide, between the middles of its cells:
 *
 *        # # # # # # #
 *        . . . . . . .        all spots of these cells lie on the line between them. From the middles the disc would touch the
 *        . . . . . . .        walls
 *        # # # # # # #
 *
 * A cell without a spot is not entered. One that starts in such a cell, because others have pushed it there, moves like a point as
 * far as the first spot.
 *
 * A step also has to be one of the grid for points. What is known of steps is kept, 2 bytes for each cell, and forgotten around
 * edits. */
#include "core/views/fit.h"

#include <string.h>

WEND_NO_FUSING

/* What is kept of a cell: bits 0 to 7, the directions that are denied, if FIT_KNOWN is set; from FIT_SPOT_SHIFT on, 0 if the spot
 * is not known, or 1 + its number; 1 + SPOTS: there is none; whether it is solid and has walls, if FIT_GROUND is set. */
#define FIT_KNOWN 256u
#define FIT_SPOT_SHIFT 9
#define FIT_SPOT_MASK 15u
#define FIT_GROUND 8192u
#define FIT_SOLID 16384u
#define FIT_WALLED 32768u
#define SPOTS 9
#define FIT_ROUNDING 1e-6 /* of the radius: gaps may be narrower by that. Crowds take ten times that for rounding */

typedef struct fit_box {
  double left, top, right, bottom;
} fit_box;

/* A straight leg; or a point, if both ends are the same. */
typedef struct fit_leg {
  double x1, y1, x2, y2;
} fit_leg;

/* The square of the distance from a point to a box. */
static double gap_to_box(const fit_box *box, double x, double y) {
  const double dx = wend_most(wend_most(box->left - x, x - box->right), 0),
               dy = wend_most(wend_most(box->top - y, y - box->bottom), 0);
  return dx * dx + dy * dy;
}

/* The square of the distance from a point to a leg that is longer than 0. */
static double gap_to_leg(const fit_leg *leg, double x, double y) {
  const double ex = leg->x2 - leg->x1, ey = leg->y2 - leg->y1, px = x - leg->x1, py = y - leg->y1;
  const double along = wend_most(0, wend_least(1, (px * ex + py * ey) / (ex * ex + ey * ey)));
  const double dx = px - along * ex, dy = py - along * ey;
  return dx * dx + dy * dy;
}

/* The square of the distance between a leg and a box. Where they cross, it is that to a corner: boxes are at most one cell wide, so
 * that is at most 0.5. */
static double gap_between(const fit_leg *leg, const fit_box *box) {
  double least = gap_to_box(box, leg->x1, leg->y1);
  if (leg->x1 == leg->x2 && leg->y1 == leg->y2) return least;
  least = wend_least(least, gap_to_box(box, leg->x2, leg->y2));
  least = wend_least(least, wend_least(gap_to_leg(leg, box->left, box->top), gap_to_leg(leg, box->right, box->top)));
  return wend_least(least, wend_least(gap_to_leg(leg, box->left, box->bottom), gap_to_leg(leg, box->right, box->bottom)));
}

/* The ground that a disc meets. */
typedef struct fit_ground {
  const wend_grid *grid;
  const wend_closed_tags *closed;
  uint16_t *cells; /* where what is found out is kept; NULL: nowhere */
} fit_ground;

/* What a cell has of FIT_SOLID and FIT_WALLED. */
static unsigned ground_at(const fit_ground *ground, int64_t x, int64_t y) {
  const wend_grid *grid = ground->grid;
  uint32_t place;
  unsigned found;
  if (x < 0 || y < 0 || x >= (int64_t)grid->width || y >= (int64_t)grid->height) return FIT_SOLID;
  place = (uint32_t)(y + 1) * grid->stride + (uint32_t)x + 1;
  if (ground->cells != NULL && (ground->cells[place] & FIT_GROUND) != 0) return ground->cells[place] & (FIT_SOLID | FIT_WALLED);
  found = wend_grid_is_solid_for(grid, x, y, ground->closed) ? FIT_SOLID : 0;
  if (grid->wall_count > 0 && grid->walls[place] != 0) found |= FIT_WALLED;
  if (ground->cells != NULL) ground->cells[place] |= (uint16_t)(found | FIT_GROUND);
  return found;
}

/* The square of the distance from a leg to what is solid. What is farther than `reach` may be left out; INFINITY: nothing is near. */
static double gap_around(const fit_ground *ground, const fit_leg *leg, double reach) {
  const wend_grid *grid = ground->grid;
  const int64_t left = (int64_t)floor(wend_least(leg->x1, leg->x2) - reach);
  const int64_t right = (int64_t)floor(wend_most(leg->x1, leg->x2) + reach);
  const int64_t top = (int64_t)floor(wend_least(leg->y1, leg->y2) - reach);
  const int64_t bottom = (int64_t)floor(wend_most(leg->y1, leg->y2) + reach);
  double least = INFINITY;
  for (int64_t y = top; y <= bottom; y++) {
    for (int64_t x = left; x <= right; x++) {
      const unsigned found = ground_at(ground, x, y);
      const double l = (double)x, t = (double)y;
      const fit_box cell = {l, t, l + 1, t + 1}, east = {l + 1, t, l + 1, t + 1}, south = {l, t + 1, l + 1, t + 1};
      if (found == 0) continue;
      if ((found & FIT_SOLID) != 0) least = wend_least(least, gap_between(leg, &cell));
      if ((found & FIT_WALLED) != 0) {
        const unsigned walls = grid->walls[(uint32_t)(y + 1) * grid->stride + (uint32_t)x + 1];
        if ((walls & 1u << EAST) != 0) least = wend_least(least, gap_between(leg, &east));
        if ((walls & 1u << SOUTH) != 0) least = wend_least(least, gap_between(leg, &south));
      }
    }
  }
  return least;
}

static double square_of_fit(double radius) { return radius * radius * (1 - 2 * FIT_ROUNDING); }

/* The points of a cell that may be its spot. */
static const double spots[SPOTS][2] = {{0.5, 0.5}, {0.5, 0}, {0, 0.5}, {1, 0.5}, {0.5, 1}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};

/* The number of the spot of a cell; SPOTS: there is none. */
static int find_spot(const fit_ground *ground, double radius, uint32_t place) {
  const uint32_t column = place % ground->grid->stride - 1, row = place / ground->grid->stride - 1;
  double best = 0;
  int found = SPOTS;
  if ((ground_at(ground, column, row) & FIT_SOLID) != 0) return SPOTS;
  for (int i = 0; i < SPOTS && (i != 1 || best < square_of_fit(radius)); i++) {
    const double sx = (double)column + spots[i][0], sy = (double)row + spots[i][1];
    const fit_leg point = {sx, sy, sx, sy};
    const double gap = gap_around(ground, &point, i == 0 ? radius : radius + 1);
    if (gap > best) best = gap, found = i;
  }
  return best < square_of_fit(radius) ? SPOTS : found;
}

/* Gives a spot of a cell by its number. */
static void place_spot(const wend_grid *grid, uint32_t place, int spot, double *x, double *y) {
  *x = (double)(place % grid->stride - 1) + spots[spot][0], *y = (double)(place / grid->stride - 1) + spots[spot][1];
}

bool wend_fit_spot(const wend_grid *grid, const wend_closed_tags *closed, double radius, uint32_t place, double *x, double *y) {
  const fit_ground ground = {grid, closed, NULL};
  const int spot = find_spot(&ground, radius < WEND_FIT_MAX ? radius : WEND_FIT_MAX, place);
  if (spot == SPOTS) return false;
  place_spot(grid, place, spot, x, y);
  return true;
}

static fit_ground ground_of(const wend_grid *grid) {
  const fit_ground ground = {grid, &grid->fit->closed, grid->fit->cells};
  return ground;
}

/* The same for the disc of the grid. What is found is kept. */
static bool spot_of(const wend_grid *grid, uint32_t place, double *x, double *y) {
  wend_fit *fit = grid->fit;
  int spot = (int)(fit->cells[place] >> FIT_SPOT_SHIFT & FIT_SPOT_MASK) - 1;
  if (spot < 0) {
    const fit_ground ground = ground_of(grid);
    spot = find_spot(&ground, fit->radius, place);
    fit->cells[place] |= (uint16_t)((unsigned)(spot + 1) << FIT_SPOT_SHIFT);
  }
  if (spot == SPOTS) return false;
  place_spot(grid, place, spot, x, y);
  return true;
}

int64_t wend_fit_reach(double radius) { return (int64_t)(radius < WEND_FIT_MAX ? radius : WEND_FIT_MAX) + 3; }

/* Whether nothing is solid around a cell, as far as its steps can tell. */
static bool is_free_around(const fit_ground *ground, int64_t column, int64_t row, int64_t reach) {
  for (int64_t y = row - reach; y <= row + reach; y++) {
    for (int64_t x = column - reach; x <= column + reach; x++) {
      if (ground_at(ground, x, y) != 0) return false;
    }
  }
  return true;
}

/* Whether a disc gets from one end of a leg to the other: straight, or over a point of the cell at one of the ends. */
static bool fits_leg(const wend_grid *grid, const fit_leg *leg, uint32_t from, uint32_t to) {
  const fit_ground ground = ground_of(grid);
  const double radius = grid->fit->radius, least = square_of_fit(radius);
  if (gap_around(&ground, leg, radius) >= least) return true;
  for (int i = 0; i < 2 * SPOTS; i++) {
    const uint32_t place = i < SPOTS ? from : to;
    fit_leg first = *leg, second = *leg;
    place_spot(grid, place, i % SPOTS, &first.x2, &first.y2);
    second.x1 = first.x2, second.y1 = first.y2;
    if (gap_around(&ground, &first, radius) >= least && gap_around(&ground, &second, radius) >= least) return true;
  }
  return false;
}

/* Finds out which steps from a cell the disc cannot take. */
static uint16_t find_denied(const wend_grid *grid, uint32_t from) {
  const fit_ground ground = ground_of(grid);
  uint16_t denied = FIT_KNOWN;
  fit_leg leg;
  if (is_free_around(&ground, from % grid->stride - 1, from / grid->stride - 1, wend_fit_reach(grid->fit->radius)))
    return denied;
  if (!spot_of(grid, from, &leg.x1, &leg.y1)) return denied;
  for (int d = 0; d < 8; d++) {
    const uint32_t to = (uint32_t)(from + wend_offset(grid->stride, d));
    if (!spot_of(grid, to, &leg.x2, &leg.y2) || !fits_leg(grid, &leg, from, to)) { denied |= (uint16_t)(1u << d); }
  }
  return denied;
}

/* Forgets what edits of the grid may have changed. */
static void forget_edited(const wend_grid *grid, wend_fit *fit) {
  const int64_t reach = wend_fit_reach(fit->radius);
  wend_changes changes;
  uint32_t place;
  fit->version = grid->map.version;
  if (!wend_read_changes_of(&grid->map, &fit->noted, &changes)) {
    memset(fit->cells, 0, grid->place_count * sizeof *fit->cells);
    return;
  }
  while (wend_next_change(&changes, &place)) {
    const int64_t column = place % grid->stride, row = place / grid->stride;
    const int64_t first = column < reach ? 0 : column - reach;
    const int64_t last = column + reach < (int64_t)grid->stride ? column + reach : (int64_t)grid->stride - 1;
    for (int64_t y = row < reach ? 0 : row - reach; y <= row + reach && y < (int64_t)grid->height + 2; y++) {
      memset(fit->cells + y * grid->stride + first, 0, (size_t)(last - first + 1) * sizeof *fit->cells);
    }
  }
}

static bool disc_passes(const wend_grid *grid, uint32_t from, int direction) {
  wend_fit *fit = grid->fit;
  double x, y;
  if (fit->version != grid->map.version) forget_edited(grid, fit);
  if (direction < 0) return spot_of(grid, from, &x, &y);
  if ((fit->cells[from] & FIT_KNOWN) == 0) fit->cells[from] |= find_denied(grid, from);
  return (fit->cells[from] >> direction & 1) == 0;
}

wend_status wend_grid_fit(wend_grid *grid, double radius) {
  const wend_alloc *alloc = &grid->map.alloc;
  if (radius > WEND_FIT_MAX) radius = WEND_FIT_MAX;
  if (!(radius >= 0.5)) return WEND_INVALID;
  if (!wend_map_can_edit(&grid->map)) return WEND_NO_MEMORY;
  if (radius < WEND_FIT_MIN && grid->fit == NULL) { /* such a disc is stopped only by corners that diagonals cut */
    if (grid->diagonals != WEND_NEVER) grid->diagonals = WEND_BOTH_OPEN;
    grid->map.version++;
    wend_map_note_all(&grid->map);
    return WEND_OK;
  }
  if (grid->fit == NULL) {
    wend_fit *fit = wend_new_part(alloc, sizeof *fit);
    if (fit == NULL) return WEND_NO_MEMORY;
    if (!WEND_RESIZE(alloc, fit->cells, fit->cells_capacity, grid->place_count)) {
      alloc->resize(alloc->ud, fit, sizeof *fit, 0);
      return WEND_NO_MEMORY;
    }
    grid->fit = fit;
  }
  grid->fit->radius = radius, grid->fit->passes = disc_passes;
  grid->map.version++;
  wend_map_note_all(&grid->map);
  forget_edited(grid, grid->fit);
  return WEND_OK;
}

wend_status wend_fit_close(wend_grid *grid, const wend_closed_tags *closed) {
  wend_fit *fit = grid->fit;
  if (fit == NULL) return WEND_OK;
  if (!WEND_GROW(&grid->map.alloc, fit->closed.marks, fit->closed.capacity, closed->count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < closed->count; i++) fit->closed.marks[i] = closed->marks[i];
  fit->closed.count = closed->count;
  grid->map.version++;
  wend_map_note_all(&grid->map);
  forget_edited(grid, fit);
  return WEND_OK;
}
