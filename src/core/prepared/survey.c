/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid, in slices: survey.h has the stages. */
#include "core/prepared/survey.h"

#include <string.h>

#include "core/base/random.h"
#include "core/map/bounds.h"

WEND_NO_FUSING

#define WIDE_SWEEPS 2u
/* Grouping or fitting so many cells takes about as long as expanding one. */
#define FITTED_PER_EXPANSION 4u

bool wend_survey_begin(wend_survey *v, const wend_grid *grid, wend_prepared *made) {
  const wend_costs costs = {made->tags, NULL, NULL};
  const double cheapest = wend_grid_summarize(grid, &costs).cheapest;
  v->grid = grid;
  v->made = made;
  made->unit = (cheapest > 1e-190 && cheapest < 1e190 ? cheapest : 1) / SWEEP_UNITS;
  return wend_planes_begin(grid, made, made->landmarks) && wend_sweep_init(&v->sweep, grid, made, &grid->map.alloc) &&
         wend_planes_note_links(&v->sweep, made->planes);
}

void wend_survey_free(wend_survey *v) {
  if (v->grid == NULL) return;
  WEND_FREE(&v->sweep.alloc, v->nearest, v->nearest_capacity);
  v->nearest = NULL;
  v->nearest_capacity = 0;
  wend_sweep_free(&v->sweep);
}

/* A cell at random that can be entered: the first one from a random place on. WEND_NONE: there is none. */
static uint32_t random_cell(wend_survey *v) {
  const uint32_t places = v->grid->place_count;
  uint32_t place;
  v->seed = wend_mix(v->seed + 1);
  place = (uint32_t)(v->seed % places);
  for (uint32_t i = 0; i < places; i++, place = place + 1 < places ? place + 1 : 0)
    if (wend_prepared_enters(v->grid, v->made, place)) return place;
  return WEND_NONE;
}

/* The group of a cell. */
static uint32_t group_of_cell(const wend_survey *v, uint32_t place) {
  return wend_planes_group(v->made->planes, place % v->grid->stride - 1, place / v->grid->stride - 1);
}

/* A cell of a group. Groups are numbered in the order of blocks. */
static uint32_t cell_of_group(const wend_survey *v, uint32_t group) {
  const wend_planes *planes = v->made->planes;
  const uint32_t shift = planes->shift, cells = 1u << 2 * shift;
  uint32_t at = 0;
  for (uint32_t block = 0; block < planes->block_count; block++) {
    const uint32_t item = planes->blocks[block];
    if (item == GROUP_NONE) continue;
    if (((item & BLOCK_SPLIT) != 0 ? planes->firsts[item & ~BLOCK_SPLIT] : item) > group) break;
    at = block;
  }
  for (uint32_t i = 0; i < cells; i++) {
    const uint32_t x = (at % planes->columns << shift) + (i & ((1u << shift) - 1)),
                   y = (at / planes->columns << shift) + (i >> shift);
    const uint32_t place = (y + 1) * v->grid->stride + x + 1;
    if (x >= v->grid->width || y >= v->grid->height) continue;
    if (wend_planes_group(planes, x, y) == group && wend_prepared_enters(v->grid, v->made, place)) return place;
  }
  return v->sweep.farthest; /* does not happen: each group has a cell */
}

/* The farthest cell from all landmarks. */
static uint32_t farthest_cell(const wend_survey *v) {
  uint32_t best = WEND_NONE, most = 0;
  for (uint32_t group = 0; group < v->made->planes->group_count; group++)
    if (v->nearest[group] != SWEEP_NONE && v->nearest[group] > most) best = group, most = v->nearest[group];
  return best != WEND_NONE ? cell_of_group(v, best) : v->sweep.farthest;
}

/* Makes room for the distances of groups. False: no memory. */
static bool begin_nearest(wend_survey *v) {
  const uint32_t groups = v->made->planes->group_count;
  if (!WEND_RESIZE(&v->sweep.alloc, v->nearest, v->nearest_capacity, groups)) return false;
  for (uint32_t group = 0; group < groups; group++) v->nearest[group] = SWEEP_NONE;
  return true;
}

static uint32_t row_count(const wend_survey *v) { return v->made->planes->block_count / v->made->planes->columns; }

/* Ends a stage, and begins the next one. False: no memory. */
static bool end_survey_stage(wend_survey *v) {
  uint32_t root;
  switch (v->stage) {
    case SURVEY_GROUPS:
      root = random_cell(v);
      v->stage = root == WEND_NONE ? SURVEY_DONE : SURVEY_WIDE;
      if (root != WEND_NONE) wend_sweep_begin(&v->sweep, root);
      return begin_nearest(v);
    case SURVEY_WIDE:
      if (v->sweep.reached < (uint64_t)v->grid->width * v->grid->height / 4 && ++v->tried < WIDE_SWEEPS) {
        wend_sweep_begin(&v->sweep, random_cell(v));
        return true;
      }
      v->stage = SURVEY_SWEEP;
      wend_sweep_begin(&v->sweep, v->sweep.farthest);
      return true;
    case SURVEY_SWEEP:
      v->stage = SURVEY_FIT;
      v->row = 0;
      wend_planes_begin_landmark(v->made->planes, &v->sweep, v->landmark);
      return true;
    case SURVEY_FIT:
      if (++v->landmark == v->made->landmarks) {
        v->stage = SURVEY_DONE;
        return true;
      }
      root = random_cell(v);
      if (v->nearest[group_of_cell(v, root)] != SWEEP_NONE) root = farthest_cell(v);
      v->stage = SURVEY_SWEEP;
      wend_sweep_begin(&v->sweep, root);
      return true;
    case SURVEY_DONE: break;
  }
  return true;
}

wend_status wend_survey_run(wend_survey *v, uint64_t *places) {
  const uint64_t per_row = ((uint64_t)v->grid->width << v->made->planes->shift) / FITTED_PER_EXPANSION + 1;
  while (v->stage != SURVEY_DONE && *places > 0) {
    bool over;
    if (v->stage == SURVEY_GROUPS || v->stage == SURVEY_FIT) {
      if (v->stage == SURVEY_FIT) wend_planes_fit_row(v->made->planes, &v->sweep, v->landmark, v->row, v->nearest);
      else if (!wend_planes_group_row(v->grid, v->made, v->row)) return WEND_NO_MEMORY;
      *places -= *places < per_row ? *places : per_row;
      over = ++v->row == row_count(v);
    } else {
      over = wend_sweep_run(&v->sweep, places);
      if (v->sweep.failed) return WEND_NO_MEMORY;
    }
    if (over && !end_survey_stage(v)) return WEND_NO_MEMORY;
  }
  return v->stage == SURVEY_DONE ? WEND_OK : WEND_RUNNING;
}

double wend_survey_progress(const wend_survey *v) {
  const double cells = v->grid->place_count, all = 2 + 2.0 * v->made->landmarks;
  double done = v->stage == SURVEY_GROUPS ? 0 : v->stage == SURVEY_WIDE ? 1 : 2 + 2.0 * v->landmark;
  if (v->stage == SURVEY_WIDE || v->stage == SURVEY_SWEEP) done += v->sweep.reached < cells ? v->sweep.reached / cells : 1;
  if (v->stage == SURVEY_FIT) done += 1;
  if (v->stage == SURVEY_GROUPS || v->stage == SURVEY_FIT) done += (double)v->row / row_count(v);
  return done / all < 1 ? done / all : 1;
}
