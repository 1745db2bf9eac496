/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid, in slices: plane_maker.h has the stages. */
#include "core/prepared/plane_maker.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/cost/bounds.h"

WEND_NO_FUSING

#define WIDE_FLOODS 2u
/* Grouping or fitting so many cells takes about as long as expanding one. */
#define FITTED_PER_EXPANSION 4u
/* While threads work, a flood has room for a chunk for so many places. It seldom needs more. */
#define PLACES_PER_CHUNK 4096u

bool wend_plane_maker_begin(wend_plane_maker *v, const wend_grid *grid, wend_prepared *made) {
  const wend_costs costs = {made->tags, NULL, NULL, 0, NULL, 0};
  const double cheapest = wend_grid_summarize(grid, &costs).cheapest;
  v->grid = grid;
  v->made = made;
  v->side_by_side = 1;
  made->unit = (cheapest > 1e-190 && cheapest < 1e190 ? cheapest : 1) / FLOOD_UNITS;
  return wend_planes_begin(grid, made, made->landmarks) && wend_grid_flood_init(&v->flood[0], grid, made, &grid->map.alloc) &&
         wend_planes_note_links(&v->flood[0], made->planes);
}

void wend_plane_maker_free(wend_plane_maker *v) {
  if (v->grid == NULL) return;
  WEND_FREE(&v->flood[0].alloc, v->nearest, v->nearest_capacity);
  v->nearest = NULL;
  v->nearest_capacity = 0;
  for (int i = 0; i < 2; i++) wend_grid_flood_free(&v->flood[i]);
}

/* A cell at random that can be entered: the first one from a random place on. WEND_NONE: there is none. */
static uint32_t random_cell(wend_plane_maker *v) {
  const uint32_t places = v->grid->place_count;
  uint32_t place;
  v->seed = wend_mix(v->seed + 1);
  place = (uint32_t)(v->seed % places);
  for (uint32_t i = 0; i < places; i++, place = place + 1 < places ? place + 1 : 0)
    if (wend_prepared_enters(v->grid, v->made, place)) return place;
  return WEND_NONE;
}

/* The column and the row of a place, from 0. */
static uint32_t place_column(const wend_plane_maker *v, uint32_t place) { return place % v->grid->stride - 1; }
static uint32_t place_row(const wend_plane_maker *v, uint32_t place) { return place / v->grid->stride - 1; }

/* The group of a cell. */
static uint32_t group_of_cell(const wend_plane_maker *v, uint32_t place) {
  return wend_planes_group(v->made->planes, place_column(v, place), place_row(v, place));
}

static void clear_nearest(wend_plane_maker *v) {
  for (uint32_t group = 0; group < v->made->planes->group_count; group++) v->nearest[group] = FLOOD_NONE;
}

/* Begins a flood from the present landmark. */
static void begin_floods(wend_plane_maker *v) {
  v->stage = MAKER_FLOOD;
  v->side_by_side = 1;
  wend_grid_flood_begin(&v->flood[0], v->roots[v->landmark % 2]);
}

/* A cell of a group of a block. */
static uint32_t cell_of_group(const wend_plane_maker *v, uint32_t block, uint32_t group) {
  const wend_planes *planes = v->made->planes;
  const uint32_t shift = planes->shift, cells = 1u << 2 * shift;
  for (uint32_t i = 0; i < cells; i++) {
    const uint32_t x = (block % planes->columns << shift) + (i & ((1u << shift) - 1)),
                   y = (block / planes->columns << shift) + (i >> shift);
    const uint32_t place = (y + 1) * v->grid->stride + x + 1;
    if (x >= v->grid->width || y >= v->grid->height) continue;
    if (wend_planes_group(planes, x, y) == group && wend_prepared_enters(v->grid, v->made, place)) return place;
  }
  return v->roots[0]; /* does not happen: each group has a cell */
}

/* How far two cells are from each other by straight and diagonal steps, about. */
static double steps_apart(double x1, double y1, double x2, double y2) {
  const double x = fabs(x1 - x2), y = fabs(y1 - y2);
  return x > y ? x + y / 2 : y + x / 2;
}

/* How far two groups are from each other, about: by the planes of the first `count` landmarks, or by that many steps, each at the
 * price of the longest path of stage WIDE. */
static double guess_distance(const wend_plane_maker *v, uint32_t a, uint32_t b, double steps, uint32_t count) {
  const wend_planes *planes = v->made->planes;
  const wend_plane *from = &planes->at[(size_t)a * planes->landmarks];
  const wend_plane *to = &planes->at[(size_t)b * planes->landmarks];
  double most = steps * v->straight;
  for (uint32_t l = 0; l < count; l++) {
    const double apart =
        fabs((double)wend_plane_at(planes, &from[l], l, 0, 0) - (double)wend_plane_at(planes, &to[l], l, 0, 0));
    if ((from[l].error == PLANE_UNREACHED) != (to[l].error == PLANE_UNREACHED)) return INFINITY;
    if (from[l].error != PLANE_UNREACHED && apart > most) most = apart;
  }
  return most;
}

/* The farthest cell from all landmarks, and from the cell `other`; WEND_NONE: there is no other one. */
static uint32_t farthest_cell(const wend_plane_maker *v, uint32_t other) {
  const wend_planes *planes = v->made->planes;
  const bool first_pair = v->stage == MAKER_VIEW;
  const uint32_t count = first_pair ? 1 : v->landmark;
  const uint32_t x = place_column(v, other), y = place_row(v, other), near = other != WEND_NONE ? group_of_cell(v, other) : 0;
  uint32_t best = WEND_NONE, best_block = 0, block = 0, next = 0;
  double most = 0;
  for (uint32_t group = 0; group < planes->group_count; group++) {
    double far = first_pair ? INFINITY : v->nearest[group];
    for (; next < planes->block_count; next++) { /* groups are numbered in the order of blocks */
      const uint32_t item = planes->blocks[next];
      if (item == GROUP_NONE) continue;
      if (((item & BLOCK_SPLIT) != 0 ? planes->firsts[item & ~BLOCK_SPLIT] : item) > group) break;
      block = next;
    }
    if (v->nearest[group] == FLOOD_NONE || far <= most) continue;
    if (other != WEND_NONE) {
      const uint32_t left = block % planes->columns << planes->shift, top = block / planes->columns << planes->shift;
      far = fmin(far, guess_distance(v, group, near, steps_apart(left, top, x, y), count));
    }
    if (far > most) best = group, best_block = block, most = far;
  }
  return best != WEND_NONE ? cell_of_group(v, best_block, best) : v->roots[0];
}

/* Chooses a pair of landmarks, and begins with the first. */
static void begin_pair(wend_plane_maker *v) {
  bool island = false;
  if (v->stage == MAKER_VIEW) v->roots[0] = v->flood[0].farthest;
  for (uint32_t i = v->stage == MAKER_VIEW ? 1 : 0; i < 2; i++) {
    const uint32_t root = random_cell(v);
    const bool reached = v->nearest[group_of_cell(v, root)] != FLOOD_NONE;
    v->roots[i] = reached || island ? farthest_cell(v, i == 1 ? v->roots[0] : WEND_NONE) : root;
    island = !reached;
  }
  if (v->stage == MAKER_VIEW) clear_nearest(v);
  begin_floods(v);
}

/* Makes room for the distances of groups. False: no memory. */
static bool begin_nearest(wend_plane_maker *v) {
  if (!WEND_RESIZE(&v->flood[0].alloc, v->nearest, v->nearest_capacity, v->made->planes->group_count)) return false;
  clear_nearest(v);
  return true;
}

static uint32_t row_count(const wend_plane_maker *v) { return v->made->planes->block_count / v->made->planes->columns; }

/* Begins the rows of a stage. */
static void begin_rows(wend_plane_maker *v, maker_stage stage) {
  v->stage = stage;
  v->row = 0;
  for (uint32_t i = 0; i < v->side_by_side; i++) wend_planes_begin_landmark(v->made->planes, &v->flood[i], v->landmark + i);
}

/* Ends a stage, and begins the next one. False: no memory. */
static bool end_maker_stage(wend_plane_maker *v) {
  wend_grid_flood *flood = &v->flood[0];
  uint32_t root;
  switch (v->stage) {
    case MAKER_GROUPS:
      root = random_cell(v);
      v->stage = root == WEND_NONE ? MAKER_DONE : MAKER_WIDE;
      if (root != WEND_NONE) wend_grid_flood_begin(flood, root);
      return begin_nearest(v);
    case MAKER_WIDE:
      if (flood->reached < (uint64_t)v->grid->width * v->grid->height / 4 && ++v->tried < WIDE_FLOODS) {
        wend_grid_flood_begin(flood, random_cell(v));
        return true;
      }
      v->straight = wend_grid_flood_count(flood, flood->farthest) /
                    (steps_apart(place_column(v, flood->root), place_row(v, flood->root), place_column(v, flood->farthest),
                                 place_row(v, flood->farthest)) +
                     1);
      begin_rows(v, MAKER_VIEW);
      return true;
    case MAKER_VIEW: begin_pair(v); return true;
    case MAKER_FLOOD: begin_rows(v, MAKER_FIT); return true;
    case MAKER_FIT:
      v->landmark += v->side_by_side;
      if (v->landmark == v->made->landmarks) v->stage = MAKER_DONE;
      else if (v->landmark % 2 == 0) begin_pair(v);
      else begin_floods(v);
      return true;
    case MAKER_DONE: break;
  }
  return true;
}

static bool is_in_rows(const wend_plane_maker *v) {
  return v->stage == MAKER_GROUPS || v->stage == MAKER_VIEW || v->stage == MAKER_FIT;
}

static void fit_row(wend_plane_maker *v, uint32_t row) {
  for (uint32_t i = 0; i < v->side_by_side; i++)
    wend_planes_fit_row(v->made->planes, &v->flood[i], v->landmark + i, row, v->nearest);
}

wend_status wend_plane_maker_run(wend_plane_maker *v, uint64_t *places) {
  const uint64_t per_row = ((uint64_t)v->grid->width << v->made->planes->shift) / FITTED_PER_EXPANSION + 1;
  v->opened = false;
  if (v->failed) return WEND_NO_MEMORY;
  while (v->stage != MAKER_DONE && *places > 0) {
    bool over;
    if (is_in_rows(v)) {
      if (v->stage != MAKER_GROUPS) fit_row(v, v->row);
      else if (!wend_planes_group_row(v->grid, v->made, v->row)) return WEND_NO_MEMORY;
      *places -= *places < per_row ? *places : per_row;
      over = ++v->row == row_count(v);
    } else {
      over = true;
      for (uint32_t i = 0; i < v->side_by_side && over; i++) {
        over = wend_grid_flood_run(&v->flood[i], places);
        if (!over && !wend_grid_flood_reserve(&v->flood[i], 0)) return WEND_NO_MEMORY;
      }
    }
    if (over && !end_maker_stage(v)) return WEND_NO_MEMORY;
  }
  return v->stage == MAKER_DONE ? WEND_OK : WEND_RUNNING;
}

/* ---- Two threads -------------------------------------------------------------------------------------------- */

/* Ends what two threads have done, unless a flood has stopped for lack of room. False: no memory. */
static bool end_work(wend_plane_maker *v) {
  bool over = v->opened;
  uint64_t none = 0;
  v->opened = false;
  for (uint32_t i = 0; i < v->side_by_side && over && !is_in_rows(v); i++) over = wend_grid_flood_run(&v->flood[i], &none);
  return !over || end_maker_stage(v);
}

/* Begins the flood from the second landmark of a pair beside the first, if there is memory. */
static void begin_beside_first(wend_plane_maker *v) {
  wend_grid_flood *second = &v->flood[1];
  if (v->stage != MAKER_FLOOD || v->side_by_side == 2 || v->landmark % 2 == 1 || v->landmark + 1 == v->made->landmarks) return;
  if (second->labels == NULL && !wend_grid_flood_init(second, v->grid, v->made, &v->flood[0].alloc)) {
    wend_grid_flood_free(second);
    return;
  }
  wend_grid_flood_begin(second, v->roots[1]);
  v->side_by_side = 2;
}

uint32_t wend_plane_maker_open(wend_plane_maker *v) {
  bool enough = !v->failed && end_work(v);
  while (v->stage == MAKER_GROUPS && enough)
    enough = wend_planes_group_row(v->grid, v->made, v->row) && (++v->row < row_count(v) || end_maker_stage(v));
  if (v->stage == MAKER_DONE) return 0;
  begin_beside_first(v);
  for (uint32_t i = 0; i < v->side_by_side && enough; i++)
    enough = wend_grid_flood_reserve(&v->flood[i], v->grid->place_count / PLACES_PER_CHUNK);
  v->failed = !enough;
  v->opened = enough;
  return !enough ? 0 : is_in_rows(v) ? 2 : v->side_by_side;
}

void wend_plane_maker_work(wend_plane_maker *v, uint32_t number) {
  const uint32_t half = row_count(v) / 2;
  uint64_t all = UINT64_MAX;
  if (!is_in_rows(v)) (void)wend_grid_flood_run(&v->flood[number], &all);
  else
    for (uint32_t row = number == 0 ? 0 : half; row < (number == 0 ? half : row_count(v)); row++) fit_row(v, row);
}

double wend_plane_maker_progress(const wend_plane_maker *v) {
  const double cells = v->grid->place_count, all = 2 + 2.0 * v->made->landmarks;
  double done = v->stage == MAKER_GROUPS ? 0 : v->stage == MAKER_WIDE ? 1 : 2 + 2.0 * v->landmark, part = 0;
  if (v->stage == MAKER_WIDE || v->stage == MAKER_FLOOD) part = v->flood[0].reached / cells;
  if (v->stage == MAKER_FIT) done += v->side_by_side;
  if (v->stage == MAKER_GROUPS || v->stage == MAKER_FIT) part = (double)v->row / row_count(v);
  done += v->side_by_side * (part < 1 ? part : 1);
  return done / all < 1 ? done / all : 1;
}
