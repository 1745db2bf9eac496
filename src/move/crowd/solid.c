/* SPDX-License-Identifier: MIT */
/* Walls and closed cells near a walker, as segments.
 *
 * Walls are found by an R-tree. The sides of closed cells that face an open cell are found by reading the cells around the
 * walker, except in blocks where no cell is solid and none has a wall; a block is read when it is needed, and again after an edit
 * in it. A walker
 * remembers the segments within a distance of it, and looks again only
 * when it has moved so far that others could matter:
 *
 *     |<------ reach ------>|       remembered: all segments that the disc around (x, y) touches
 *     |<-- moved -->|<-  radius ->|      enough while moved + radius <= reach
 *
 * The result is sorted by distance, then by coordinates. So it does not depend on the shape of the tree. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

#include <string.h>

WEND_NO_FUSING

/* How much farther a walker looks than it must, in radii: it then looks again after that distance. */
#define LOOK_FARTHER 3.0
/* Closed cells further away than this, in cells, are no exit. */
#define EXIT_RINGS 32
/* Two walls are opposite each other if the cosine of the angle between their directions is less. A passage is narrow if both
 * together are nearer than so many radii. */
#define OPPOSITE (-0.5)
#define NARROW 4.0
#define FIRST_CELLS 16.0 /* see offer_cells_around */
#define PUSHES_MOST 16   /* a point between two walls may need many */
#define SOLID_BLOCK 32u  /* cells on a side of a block */
#define EDITS_BESIDE 2.0 /* cells: an edit so far beyond what a walker remembers may change it */

/* What is known of a block. */
enum { BLOCK_UNKNOWN, BLOCK_FREE, BLOCK_SOLID };

bool wend_solid_any(const struct wend_crowd *crowd) { return crowd->wall_count > 0 || crowd->grid != NULL; }

/* ---- Blocks of cells --------------------------------------------------------------------------------------- */

static uint32_t blocks_along(uint32_t cells) { return (cells + SOLID_BLOCK - 1) / SOLID_BLOCK; }

/* Whether a cell is solid for walkers with a closed set, or lies outside the grid. */
static bool is_solid_cell(const struct wend_crowd *crowd, uint32_t set, int64_t x, int64_t y) {
  return wend_grid_is_solid_for(crowd->grid, x, y, &crowd->closed_sets[set].tags);
}

static uint8_t read_solid_block(const struct wend_crowd *crowd, uint32_t set, uint32_t column, uint32_t row) {
  const struct wend_grid *grid = crowd->grid;
  const uint32_t right = column * SOLID_BLOCK + SOLID_BLOCK, bottom = row * SOLID_BLOCK + SOLID_BLOCK;
  for (uint32_t y = row * SOLID_BLOCK; y < bottom && y < grid->height; y++) {
    for (uint32_t x = column * SOLID_BLOCK; x < right && x < grid->width; x++) {
      if (is_solid_cell(crowd, set, x, y)) return BLOCK_SOLID;
      if (grid->wall_count > 0 && wend_grid_has_wall_at(grid, (y + 1) * grid->stride + x + 1)) return BLOCK_SOLID;
    }
  }
  return BLOCK_FREE;
}

bool wend_solid_add_blocks(struct wend_crowd *crowd, wend_closed_set *set) {
  const struct wend_grid *grid = crowd->grid;
  const uint64_t count = (uint64_t)blocks_along(grid->width) * blocks_along(grid->height);
  if (!WEND_GROW(&crowd->alloc, set->blocks, set->blocks_capacity, count)) return false;
  memset(set->blocks, BLOCK_UNKNOWN, set->blocks_capacity);
  return true;
}

/* Forgets what walkers remember near cells that are marked as edited. */
static void forget_near_edits(struct wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_solids *solids = &crowd->solids[i];
    const double far = solids->reach + EDITS_BESIDE;
    if (solids->version != crowd->solid_version || solids->reach < 0) continue;
    if (wend_crowd_is_edited(crowd, solids->x - far, solids->y - far, solids->x + far, solids->y + far)) solids->version = 0;
  }
}

/* Forgets the blocks that edits of the grid have changed, and what walkers remember near these edits. False: no memory. */
static bool forget_edits(struct wend_crowd *crowd) {
  const struct wend_grid *grid = crowd->grid;
  const uint32_t columns = blocks_along(grid->width);
  uint64_t noted = crowd->blocks_noted;
  wend_changes changes, again;
  uint32_t place;
  const bool known = wend_read_changes(&grid->map.journal, &noted, &changes);
  if (!wend_crowd_begin_edits(crowd)) return false;
  for (uint32_t i = 0; i < crowd->closed_count; i++) {
    wend_closed_set *set = &crowd->closed_sets[i];
    if ((!known || set->blocks == NULL) && !wend_solid_add_blocks(crowd, set)) return false;
  }
  crowd->blocks_noted = noted;
  if (!known) {
    crowd->solid_version++;
    return true;
  }
  again = changes;
  while (wend_next_change(&changes, &place)) {
    const uint32_t x = place % grid->stride - 1, y = place / grid->stride - 1;
    const size_t block = (size_t)(y / SOLID_BLOCK) * columns + x / SOLID_BLOCK;
    if (x >= grid->width || y >= grid->height) continue;
    for (uint32_t i = 0; i < crowd->closed_count; i++) crowd->closed_sets[i].blocks[block] = BLOCK_UNKNOWN;
  }
  wend_crowd_mark_edits(crowd, again, true);
  forget_near_edits(crowd);
  wend_crowd_mark_edits(crowd, again, false);
  return true;
}

/* Whether the block of a cell has nothing solid. Outside the grid everything is solid. */
static bool is_block_free(const struct wend_crowd *crowd, uint32_t set, int64_t x, int64_t y) {
  const struct wend_grid *grid = crowd->grid;
  uint8_t *block;
  if (x < 0 || y < 0 || x >= (int64_t)grid->width || y >= (int64_t)grid->height) return false;
  block = crowd->closed_sets[set].blocks;
  if (block == NULL || crowd->grid_version != grid->map.version) return false; /* they are not up to date */
  block += (size_t)((uint32_t)y / SOLID_BLOCK) * blocks_along(grid->width) + (uint32_t)x / SOLID_BLOCK;
  if (*block == BLOCK_UNKNOWN) *block = read_solid_block(crowd, set, (uint32_t)x / SOLID_BLOCK, (uint32_t)y / SOLID_BLOCK);
  return *block == BLOCK_FREE;
}

/* The last cell of a block in a row or column: the `size` cells of the grid may end before it. */
static int64_t end_of_block(int64_t cell, uint32_t size) {
  const int64_t end = cell | (int64_t)(SOLID_BLOCK - 1);
  return end < (int64_t)size ? end : (int64_t)size - 1;
}

bool wend_solid_ready(struct wend_crowd *crowd) {
  if (crowd->grid != NULL && (crowd->closed_sets[0].blocks == NULL || crowd->grid->map.version != crowd->grid_version)) {
    if (!forget_edits(crowd)) return false;
    crowd->grid_version = crowd->grid->map.version;
  }
  if (crowd->tree.ready || crowd->wall_count == 0) return true;
  if (!wend_rtree_begin(&crowd->tree, &crowd->alloc, 2, crowd->wall_count)) return false;
  for (uint32_t i = 0; i < crowd->wall_count; i++) {
    const wend_segment *s = &crowd->walls[i];
    const wend_box box = {{wend_least(s->x1, s->x2), wend_least(s->y1, s->y2), 0},
                          {wend_most(s->x1, s->x2), wend_most(s->y1, s->y2), 0}};
    wend_rtree_collect(&crowd->tree, i, &box);
  }
  return wend_rtree_finish(&crowd->tree, &crowd->alloc);
}

/* The walls of the grid at the right and at the bottom of a cell, as segments. Returns how many there are, at most 2. Walls
 * that block a diagonal step only are no segments. */
static int walls_of_cell(const struct wend_grid *grid, int64_t x, int64_t y, wend_segment *segments) {
  const double l = (double)x, t = (double)y;
  int count = 0;
  uint8_t walls;
  if (x < 0 || y < 0 || x >= (int64_t)grid->width || y >= (int64_t)grid->height) return 0;
  walls = grid->walls[(uint32_t)(y + 1) * grid->stride + (uint32_t)x + 1];
  if ((walls & 1u << EAST) != 0) {
    const wend_segment s = {l + 1, t, l + 1, t + 1};
    segments[count++] = s;
  }
  if ((walls & 1u << SOUTH) != 0) {
    const wend_segment s = {l, t + 1, l + 1, t + 1};
    segments[count++] = s;
  }
  return count;
}

/* The cell of a coordinate; those far outside the grid count as just outside. */
static int64_t cell_at(double x, uint32_t size) {
  if (!(x >= 0)) return -1;
  return x >= (double)size ? (int64_t)size : (int64_t)x;
}

bool wend_solid_inside(const struct wend_crowd *crowd, uint32_t set, double x, double y) {
  const struct wend_grid *grid = crowd->grid;
  int64_t column, row;
  if (grid == NULL) return false;
  column = cell_at(x, grid->width), row = cell_at(y, grid->height);
  if (is_solid_cell(crowd, set, column, row)) return true;
  /* A point on a side belongs to the cells on both sides. */
  return (x == (double)column && is_solid_cell(crowd, set, column - 1, row)) ||
         (y == (double)row && is_solid_cell(crowd, set, column, row - 1)) ||
         (x == (double)column && y == (double)row && is_solid_cell(crowd, set, column - 1, row - 1));
}

bool wend_solid_exit(const struct wend_crowd *crowd, uint32_t set, double x, double y, double margin, double *exit_x,
                     double *exit_y) {
  const struct wend_grid *grid = crowd->grid;
  const int64_t cx = cell_at(x, grid->width), cy = cell_at(y, grid->height);
  const double inset = wend_least(margin, 0.5);
  double best = INFINITY;
  for (int64_t ring = 0; ring <= EXIT_RINGS && best > (double)((ring - 1) * (ring - 1)); ring++) {
    for (int64_t row = cy - ring; row <= cy + ring; row++) {
      const int64_t by = row == cy - ring || row == cy + ring ? 1 : 2 * ring;
      for (int64_t column = cx - ring; column <= cx + ring; column += by) {
        double px, py, distance;
        if (is_solid_cell(crowd, set, column, row)) continue;
        px = wend_most((double)column + inset, wend_least(x, (double)column + 1 - inset));
        py = wend_most((double)row + inset, wend_least(y, (double)row + 1 - inset));
        distance = wend_square(px - x, py - y);
        if (distance < best) best = distance, *exit_x = px, *exit_y = py;
      }
    }
  }
  return best < INFINITY;
}

/* ---- Segments near a point --------------------------------------------------------------------------------- */

typedef struct solid_question {
  const struct wend_crowd *crowd;
  uint32_t set;                 /* the closed set */
  double x, y, most;            /* only what is at most this far */
  double far[WEND_SOLIDS_NEAR]; /* squares of distances */
  wend_solids *found;
} solid_question;

/* Whether a segment comes before another one: the order of what is equally far. */
static bool is_segment_before(const wend_segment *a, const wend_segment *b) {
  if (a->x1 != b->x1) return a->x1 < b->x1;
  if (a->y1 != b->y1) return a->y1 < b->y1;
  if (a->x2 != b->x2) return a->x2 < b->x2;
  return a->y2 < b->y2;
}

/* Adds a segment to the sorted ones, if it is near enough. The farthest one goes if there are too many. */
static void offer_segment(solid_question *q, const wend_segment *s) {
  double dx, dy;
  const double far = wend_solid_from(s, q->x, q->y, &dx, &dy);
  wend_solids *found = q->found;
  uint32_t at = found->count;
  if (far > q->most * q->most) return;
  while (at > 0 && (far < q->far[at - 1] || (far == q->far[at - 1] && is_segment_before(s, &found->segments[at - 1])))) at--;
  if (at == WEND_SOLIDS_NEAR) {
    q->most = wend_least(q->most, wend_sqrt(far));
    return;
  }
  if (found->count == WEND_SOLIDS_NEAR) {
    q->most = wend_least(q->most, wend_sqrt(q->far[WEND_SOLIDS_NEAR - 1]));
  } else {
    found->count++;
  }
  for (uint32_t i = found->count - 1; i > at; i--) q->far[i] = q->far[i - 1], found->segments[i] = found->segments[i - 1];
  q->far[at] = far, found->segments[at] = *s;
}

/* ud: the address of a pointer to the question. */
static bool offer_wall(const void *ud, uint32_t item) {
  solid_question *q = *(solid_question *const *)ud;
  offer_segment(q, &q->crowd->walls[item]);
  return false;
}

/* Offers the sides of closed cells that face an open cell: those between columns, or between rows. across, along: the first and
 * the last column and row that are read, or the first and the last row and column. Sides in a line are joined. */
static void offer_sides(solid_question *q, bool columns, const int64_t *across, const int64_t *along) {
  const struct wend_grid *grid = q->crowd->grid;
  for (int64_t line = across[0]; line <= across[1] + 1; line++) {
    int64_t from = -2;
    for (int64_t at = along[0]; at <= along[1] + 1; at++) {
      const int64_t x = columns ? line : at, y = columns ? at : line, left = columns ? x - 1 : x, top = columns ? y : y - 1;
      const bool free = at <= along[1] && is_block_free(q->crowd, q->set, left, top) && is_block_free(q->crowd, q->set, x, y);
      const bool side =
          at <= along[1] && !free && is_solid_cell(q->crowd, q->set, left, top) != is_solid_cell(q->crowd, q->set, x, y);
      if (side && from == -2) from = at;
      if (!side && from != -2) {
        const double far = (double)line, begin = (double)from, end = (double)at;
        const wend_segment vertical = {far, begin, far, end}, horizontal = {begin, far, end, far};
        offer_segment(q, columns ? &vertical : &horizontal);
        from = -2;
      }
      if (free) at = end_of_block(at, columns ? grid->height : grid->width);
    }
  }
}

/* Offers the sides of cells, and the walls between cells, within the rectangle that is read. */
static void offer_cells(solid_question *q) {
  const struct wend_grid *grid = q->crowd->grid;
  const int64_t x[2] = {cell_at(q->x - q->most, grid->width), cell_at(q->x + q->most, grid->width)};
  const int64_t y[2] = {cell_at(q->y - q->most, grid->height), cell_at(q->y + q->most, grid->height)};
  offer_sides(q, false, y, x);
  offer_sides(q, true, x, y);
  if (grid->wall_count == 0) return;
  for (int64_t row = y[0]; row <= y[1]; row++) {
    for (int64_t column = x[0]; column <= x[1]; column++) {
      wend_segment walls[2];
      const int count = walls_of_cell(grid, column, row, walls);
      for (int i = 0; i < count; i++) offer_segment(q, &walls[i]);
      if (is_block_free(q->crowd, q->set, column, row)) column = end_of_block(column, grid->width);
    }
  }
}

/* The same. A wide walker reads few cells first, and twice as far again until it finds more sides than it remembers. So among
 * many closed cells it does not read all that are within its reach in each step. */
static void offer_cells_around(solid_question *q) {
  const double most = q->most;
  for (double far = wend_least(most, FIRST_CELLS);; far = wend_least(most, 2 * far)) {
    q->most = far, q->found->count = 0;
    offer_cells(q);
    if (q->most < far || far >= most) return;
  }
}

/* Looks up what is at most this far from a point. */
static void look_up(const struct wend_crowd *crowd, uint32_t set, double x, double y, double most, wend_solids *found) {
  solid_question q = {crowd, set, x, y, most, {0}, found}, *question = &q;
  found->count = 0, found->x = x, found->y = y, found->version = crowd->solid_version;
  if (crowd->grid != NULL) offer_cells_around(&q);
  if (crowd->wall_count > 0) {
    const double point[2] = {x, y};
    (void)wend_rtree_line(&crowd->tree, point, point, q.most, offer_wall, &question);
  }
  found->inside = wend_solid_inside(crowd, set, x, y);
  found->reach = found->inside ? -1 : q.most; /* inside something solid it looks in every step */
}

const wend_solids *wend_solid_near(struct wend_crowd *crowd, uint32_t place, double x, double y, double radius) {
  wend_solids *found = &crowd->solids[place];
  if (found->version == crowd->solid_version && radius <= found->reach) {
    const double left = found->reach - radius;
    if (wend_square(x - found->x, y - found->y) <= left * left) return found;
  }
  look_up(crowd, crowd->walkers[place].closed, x, y, radius + LOOK_FARTHER * crowd->walkers[place].radius, found);
  return found;
}

double wend_solid_square(const wend_solids *solids, double x, double y) {
  double least = INFINITY, dx, dy;
  for (uint32_t i = 0; i < solids->count; i++) least = wend_least(least, wend_solid_from(&solids->segments[i], x, y, &dx, &dy));
  return least;
}

bool wend_solid_push(const wend_solids *solids, double radius, double least, double *x, double *y) {
  bool pushed = false;
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy;
    const double distance = wend_sqrt(wend_solid_from(&solids->segments[i], *x, *y, &dx, &dy));
    if (distance >= least || !(distance > 0)) continue;
    *x += dx / distance * (radius - distance), *y += dy / distance * (radius - distance);
    pushed = true;
  }
  return pushed;
}

bool wend_solid_make_room(const struct wend_crowd *crowd, uint32_t set, double radius, double *x, double *y) {
  wend_solids solids;
  double px = *x, py = *y;
  int pushes = 0;
  look_up(crowd, set, *x, *y, 2 * radius, &solids);
  if (solids.inside || solids.count == 0) return false;
  while (wend_solid_push(&solids, radius, radius * (1 - WEND_IN_WALL), &px, &py)) {
    if (++pushes > PUSHES_MOST) return false;
  }
  if (pushes == 0 || wend_square(px - *x, py - *y) > radius * radius || solids.reach < 2 * radius) return false;
  if (!wend_solid_clear(crowd, set, *x, *y, px, py, 0)) return false;
  *x = px, *y = py;
  return true;
}

void wend_solid_fit_goal(const struct wend_crowd *crowd, uint32_t set, double radius, double *x, double *y) {
  const wend_grid *grid = crowd->grid;
  if (wend_solid_make_room(crowd, set, radius, x, y)) return;
  if (wend_solid_clear(crowd, set, *x, *y, *x, *y, (1 - WEND_IN_WALL) * radius)) return;
  if (grid == NULL || radius >= WEND_FIT_MIN || !(*x >= 0 && *y >= 0 && *x < grid->width && *y < grid->height)) return;
  if (is_solid_cell(crowd, set, (int64_t)*x, (int64_t)*y)) return;
  *x = (uint32_t)*x + 0.5, *y = (uint32_t)*y + 0.5;
}

bool wend_solid_narrow(struct wend_crowd *crowd, uint32_t place, double x, double y, double radius) {
  const wend_solids *found = wend_solid_near(crowd, place, x, y, (NARROW - 1) * radius);
  for (uint32_t i = 1; i < found->count; i++) {
    double ax, ay;
    const double a = wend_sqrt(wend_solid_from(&found->segments[i], x, y, &ax, &ay));
    for (uint32_t j = 0; j < i; j++) {
      double bx, by;
      const double b = wend_sqrt(wend_solid_from(&found->segments[j], x, y, &bx, &by));
      if (a + b < NARROW * radius && ax * bx + ay * by < OPPOSITE * a * b) return true;
    }
  }
  return false;
}

/* ---- Lines ------------------------------------------------------------------------------------------------- */

/* Whether two segments cross, or are nearer to each other than `radius`. */
static bool are_near(const wend_segment *a, const wend_segment *b, double radius) {
  const double most = radius * radius;
  double dx, dy;
  const double p = wend_area_of(a->x1, a->y1, a->x2, a->y2, b->x1, b->y1);
  const double q = wend_area_of(a->x1, a->y1, a->x2, a->y2, b->x2, b->y2);
  const double r = wend_area_of(b->x1, b->y1, b->x2, b->y2, a->x1, a->y1);
  const double s = wend_area_of(b->x1, b->y1, b->x2, b->y2, a->x2, a->y2);
  if (((p > 0 && q < 0) || (p < 0 && q > 0)) && ((r > 0 && s < 0) || (r < 0 && s > 0))) return true;
  return wend_solid_from(a, b->x1, b->y1, &dx, &dy) < most || wend_solid_from(a, b->x2, b->y2, &dx, &dy) < most ||
         wend_solid_from(b, a->x1, a->y1, &dx, &dy) < most || wend_solid_from(b, a->x2, a->y2, &dx, &dy) < most;
}

typedef struct solid_line {
  const struct wend_crowd *crowd;
  uint32_t set; /* the closed set */
  wend_segment line;
  double radius;
} solid_line;

static bool hits_wall(const void *ud, uint32_t item) {
  const solid_line *line = ud;
  return are_near(&line->line, &line->crowd->walls[item], line->radius);
}

/* Whether a line is nearer than its radius to the box of a closed cell. */
static bool hits_cell(const solid_line *line, int64_t x, int64_t y) {
  const double l = (double)x, t = (double)y;
  const wend_segment sides[4] = {{l, t, l + 1, t}, {l, t + 1, l + 1, t + 1}, {l, t, l, t + 1}, {l + 1, t, l + 1, t + 1}};
  if (line->line.x1 >= l && line->line.x1 < l + 1 && line->line.y1 >= t && line->line.y1 < t + 1) return true;
  for (int i = 0; i < 4; i++) {
    if (are_near(&line->line, &sides[i], line->radius)) return true;
  }
  return false;
}

/* Whether a line leaves the cell at x and y by a step that a directed wall closes. shut: those steps, as bits. */
static bool goes_against(const wend_segment *line, unsigned shut, double x, double y) {
  const double dx = line->x2 - line->x1, dy = line->y2 - line->y1, right = x + 1, below = y + 1;
  const double out_x = dx > 0 ? right : x, out_y = dy > 0 ? below : y;
  if ((shut & 1u << (dx > 0 ? EAST : WEST)) != 0 && (line->x1 < out_x) != (line->x2 <= out_x)) {
    const double at = line->y1 + (out_x - line->x1) / dx * dy;
    if (at >= y && at <= below) return true;
  }
  if ((shut & 1u << (dy > 0 ? SOUTH : NORTH)) != 0 && (line->y1 < out_y) != (line->y2 <= out_y)) {
    const double at = line->x1 + (out_y - line->y1) / dy * dx;
    if (at >= x && at <= right) return true;
  }
  return false;
}

/* Whether a line hits a closed cell, or crosses a directed wall against it. It reads, row by row, the cells that the line with its
 * radius can touch. */
static bool hits_cells(const solid_line *line) {
  const struct wend_grid *grid = line->crowd->grid;
  const double x1 = line->line.x1, y1 = line->line.y1, x2 = line->line.x2, y2 = line->line.y2, r = line->radius;
  const int64_t top = cell_at(wend_least(y1, y2) - r, grid->height), bottom = cell_at(wend_most(y1, y2) + r, grid->height);
  for (int64_t y = top; y <= bottom; y++) {
    /* The part of the line within `r` of the row. */
    double low = 0, high = 1, from, to;
    wend_clip_way(y1, y2, (double)y - r, (double)y + 1 + r, &low, &high);
    from = x1 + low * (x2 - x1), to = x1 + high * (x2 - x1);
    for (int64_t x = cell_at(wend_least(from, to) - r, grid->width); x <= cell_at(wend_most(from, to) + r, grid->width); x++) {
      if (is_block_free(line->crowd, line->set, x, y)) {
        x = end_of_block(x, grid->width);
        continue;
      }
      if (is_solid_cell(line->crowd, line->set, x, y) && hits_cell(line, x, y)) return true;
      if (grid->wall_count > 0) {
        wend_segment walls[2];
        const int count = walls_of_cell(grid, x, y, walls);
        for (int i = 0; i < count; i++) {
          if (are_near(&line->line, &walls[i], r)) return true;
        }
      }
      if (grid->directed != NULL) {
        const unsigned shut = grid->directed[(uint32_t)(y + 1) * grid->stride + (uint32_t)x + 1];
        if (goes_against(&line->line, shut, (double)x, (double)y)) return true;
      }
    }
  }
  return false;
}

static bool hits_walls(const solid_line *line) {
  const double a[2] = {line->line.x1, line->line.y1}, b[2] = {line->line.x2, line->line.y2};
  const struct wend_crowd *crowd = line->crowd;
  return crowd->wall_count > 0 && wend_rtree_line(&crowd->tree, a, b, line->radius, hits_wall, line);
}

bool wend_solid_walled(const struct wend_crowd *crowd, double x, double y, double radius) {
  const solid_line line = {crowd, 0, {x, y, x, y}, radius};
  return hits_walls(&line);
}

bool wend_solid_clear(const struct wend_crowd *crowd, uint32_t set, double x1, double y1, double x2, double y2, double radius) {
  const solid_line line = {crowd, set, {x1, y1, x2, y2}, radius};
  return !hits_walls(&line) && (crowd->grid == NULL || !hits_cells(&line));
}
