/* SPDX-License-Identifier: MIT */
/* Variation: the cheapest path, with a detour in place of a part of it, the stretch.
 *
 *      start ------------x========x-------- goal      The seed decides where the stretch is.
 *                         \______/
 *                          detour
 *
 *   1  a search finds the cheapest path                            keep_path
 *   2  the seed chooses the stretch                                choose_stretch
 *   3  a second search between its ends, at perturbed costs,       begin_detour
 *      finds the detour
 *   4  the detour replaces the stretch; loops are cut out          splice, cut_loops
 *   5  the cost of the result is summed at the true costs          take_detour
 *
 * Perturbed costs: each step of the stretch costs 1 + w times its true cost. All other steps cost 1 to 1 + ROUGHNESS x w times
 * their true cost, by patches of the map, whose factors come from the seed.
 *
 * The detour costs at most 1 + w times the stretch: its perturbed cost is at most that of the stretch, which is 1 + w times the
 * true cost of the stretch. w is chosen so that this uses up the extra cost that the whole path may have.
 *
 * An example. The cheapest path costs 20 and the option `variation` is 0.1, so the result may cost 22, 2 more. The stretch
 * costs 6:
 *
 *      start ---- 8 ---- x == 6 == y ---- 6 ---- goal      w = 2 / 6 = 1/3. The stretch costs 6 x 4/3 = 8 in the second
 *                        \__ 7.5 __/                       search; a step elsewhere costs 1 to 1 + 0.3/3 = 1.1 times as
 *                        \___ 9 ____/                      much as otherwise.
 *
 * In a patch with the factor 1.05, the detour of 7.5 costs 7.875 in the second search, less than 8: it is taken, and the path
 * costs 8 + 7.5 + 6 = 21.5. In a patch with the factor 1.1 it costs 8.25, and the stretch stays. The detour of 9 is never
 * taken: with it the path would cost 23. */
#include "core/pathfinder/pathfinder.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

/* In paths of up to this many nodes, the stretch is the whole path. */
#define STRETCH_NODES 10u
/* The share of the path that the stretch has, by cost: STRETCH_LEAST to STRETCH_LEAST + STRETCH_MORE. */
#define STRETCH_LEAST 0.2
#define STRETCH_MORE 0.3
/* The share of the searches that keep the cheapest path. Without it, the result would be the cheapest path only where there is
 * no detour. */
#define KEPT_SHARE 0.1
/* The factor of the roughest patch is 1 + ROUGHNESS x w. */
#define ROUGHNESS 0.3
/* The straight distance between the ends of the stretch is this many patches. */
#define STRETCH_PATCHES 3

/* The random numbers that a seed gives, each for one purpose. DRAW_OFFSET has one for each dimension. */
typedef enum draw { DRAW_KEPT, DRAW_SLACK, DRAW_WIDE, DRAW_FROM, DRAW_PATCHES, DRAW_OFFSET } draw;

/* Random number `what` of the seed: 64 bits, and as a number from 0 up to 1. */
static uint64_t draw_bits(const wend_search *s, int what) { return wend_mix(wend_mix(s->detour.opts.seed) + (uint64_t)what); }

static double draw_unit(const wend_search *s, int what) { return wend_random_unit(draw_bits(s, what)); }

/* The cost of a step of a path that was found by jump points. */
static double cost_of_jump(wend_search *s, uint32_t i) {
  const uint64_t a = s->path_nodes[i - 1] - 1, b = s->path_nodes[i] - 1, width = s->grid->width;
  if (s->weighted) return wend_step_between(&s->stepper, a + 1, b + 1);
  return a % width == b % width || a / width == b / width ? s->jump_cost : s->jump_cost * s->grid->diagonal_length;
}

/* 1. Copies the cheapest path, with the cost up to each node. */
static wend_status keep_path(wend_search *s) {
  wend_detour *d = &s->detour;
  const uint64_t room = s->path_length;
  if (!WEND_GROW(&s->alloc, d->nodes, d->nodes_capacity, room) || !WEND_GROW(&s->alloc, d->edges, d->edges_capacity, room) ||
      !WEND_GROW(&s->alloc, d->along, d->along_capacity, room))
    return WEND_NO_MEMORY;
  d->opts = s->opts;
  d->length = s->path_length;
  memcpy(d->nodes, s->path_nodes, d->length * sizeof *d->nodes);
  if (s->graph != NULL) memcpy(d->edges, s->path_edges, (d->length - 1) * sizeof *d->edges);
  d->before = wend_marks_of(&s->marks, wend_search_place(s, d->nodes[0]))->g;
  d->beyond = wend_kernel_cost_beyond(s, wend_search_place(s, d->nodes[d->length - 1]));
  for (uint32_t i = 0; i < d->length; i++)
    d->along[i] = s->expansion != EXPAND_JUMPS ? wend_marks_of(&s->marks, wend_search_place(s, d->nodes[i]))->g - d->before
                  : i == 0                     ? 0
                                               : d->along[i - 1] + cost_of_jump(s, i);
  return WEND_OK;
}

/* The first node of the path whose cost is at least `along`. */
static uint32_t node_along(const wend_detour *d, double along) {
  uint32_t i = 0;
  while (i + 1 < d->length && d->along[i] < along) i++;
  return i;
}

/* 2. Chooses the stretch. Returns w; 0: the path stays as it is. */
static double choose_stretch(wend_search *s) {
  wend_detour *d = &s->detour;
  const double whole = d->along[d->length - 1], total = d->before + whole + d->beyond;
  double slack = d->opts.variation * total, cost;
  if (slack > d->opts.max_cost - total) slack = d->opts.max_cost - total;
  d->first = 0, d->last = d->length - 1;
  if (draw_unit(s, DRAW_KEPT) < KEPT_SHARE) return 0;
  if (d->length <= STRETCH_NODES) {
    slack *= 0.25 + 0.75 * draw_unit(s, DRAW_SLACK); /* short paths have few detours: vary which of them are allowed */
  } else {
    const double wide = whole * (STRETCH_LEAST + STRETCH_MORE * draw_unit(s, DRAW_WIDE));
    /* It may reach beyond an end of the path, so steps near the ends are in the stretch as often as others. */
    const double from = whole * draw_unit(s, DRAW_FROM) - wide / 2;
    d->first = from > 0 ? node_along(d, from) : 0;
    d->last = from + wide < whole ? node_along(d, from + wide) : d->length - 1;
  }
  cost = d->along[d->last] - d->along[d->first];
  return d->first < d->last && cost > 0 && slack > 0 ? slack * (1 - 1e-9) / cost : 0; /* room for rounding */
}

/* Sets the patches: their factors, and on maps with positions their size and offset. */
static void set_patches(const wend_search *s, wend_id first, wend_id last, wend_perturbation *perturbation) {
  double a[3], b[3], size = 0;
  int dimensions;
  perturbation->seed = draw_bits(s, DRAW_PATCHES);
  if (s->grid == NULL && (s->graph->points == NULL || s->graph->unplaced > 0)) return;
  dimensions = wend_point_of(&s->estimator, wend_search_place(s, first), a);
  (void)wend_point_of(&s->estimator, wend_search_place(s, last), b);
  for (int i = 0; i < dimensions; i++) size += (a[i] - b[i]) * (a[i] - b[i]);
  size = wend_sqrt(size) / STRETCH_PATCHES;
  if (s->grid != NULL && size < 2) size = 2;
  if (size > 1e-100 && size < 1e100) perturbation->per_patch = 1 / size;
  for (int i = 0; i < dimensions; i++) perturbation->offset[i] = draw_unit(s, DRAW_OFFSET + i) - a[i] * perturbation->per_patch;
}

/* 3. Prepares the second search. */
static wend_status begin_detour(wend_search *s, double w) {
  const wend_detour *d = &s->detour;
  const wend_end from = {d->nodes[d->first], 0}, to = {d->nodes[d->last], 0};
  const wend_penalized penalized = {d->nodes, d->edges, d->first, d->last};
  const wend_stats stats = s->stats;
  wend_search_opts opts = d->opts;
  wend_perturbation perturbation;
  wend_status status;
  memset(&perturbation, 0, sizeof perturbation);
  perturbation.penalty = 1 + w;
  perturbation.noise = w * ROUGHNESS;
  set_patches(s, from.at, to.at, &perturbation);
  opts.max_cost = INFINITY;
  opts.partial = false;
  if (opts.heuristic == WEND_CUSTOM) opts.heuristic = WEND_ZERO; /* the caller's function may know only the caller's goals */
  status = wend_pathfinder_begin(s, s->map, &from, 1, &to, 1, &opts, &perturbation, &penalized);
  s->stats = stats;
  return status;
}

/* 4. Puts the detour in place of the stretch. */
static wend_status splice(wend_search *s) {
  wend_detour *d = &s->detour;
  const uint32_t rest = d->length - d->last; /* nodes from its end on */
  const uint64_t length = (uint64_t)d->first + s->path_length - 1 + rest;
  if (!WEND_GROW(&s->alloc, d->nodes, d->nodes_capacity, length) || !WEND_GROW(&s->alloc, d->edges, d->edges_capacity, length))
    return WEND_NO_MEMORY;
  memmove(d->nodes + length - rest, d->nodes + d->last, rest * sizeof *d->nodes);
  memcpy(d->nodes + d->first, s->path_nodes, s->path_length * sizeof *d->nodes);
  if (s->graph != NULL) {
    memmove(d->edges + length - rest, d->edges + d->last, (rest - 1) * sizeof *d->edges);
    memcpy(d->edges + d->first, s->path_edges, (s->path_length - 1) * sizeof *d->edges);
  }
  d->length = (uint32_t)length;
  return WEND_OK;
}

/* 4. Where the detour meets the rest of the path, a node occurs twice: drops the nodes between the two. For example, a b c d b
 * e becomes a b e. While this runs, the parent of a mark is the index of the node in the shortened path. A mark counts only if
 * that index still has the node: in the example, c and d are dropped, and their marks point at e or past the end. */
static wend_status cut_loops(wend_search *s) {
  wend_detour *d = &s->detour;
  uint32_t length = 0;
  wend_marks_clear(&s->marks);
  for (uint32_t i = 0; i < d->length; i++) {
    const uint32_t place = wend_search_place(s, d->nodes[i]);
    const bool known = wend_marks_has(&s->marks, place);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
    if (mark == NULL) return WEND_NO_MEMORY;
    if (known && mark->parent < length && d->nodes[mark->parent] == d->nodes[i]) length = mark->parent;
    mark->stamp = s->marks.epoch;
    mark->g = INFINITY;
    mark->parent = length;
    d->nodes[length] = d->nodes[i];
    if (i + 1 < d->length) d->edges[length] = d->edges[i];
    length++;
  }
  d->length = length;
  return WEND_OK;
}

/* 5. Stores the path as the result, with its true cost. */
static wend_status take_detour(wend_search *s) {
  const wend_detour *d = &s->detour;
  double cost;
  if (!wend_search_reserve_path(s, d->length)) return WEND_NO_MEMORY;
  s->path_length = d->length;
  memcpy(s->path_nodes, d->nodes, d->length * sizeof *d->nodes);
  if (s->graph != NULL) memcpy(s->path_edges, d->edges, (d->length - 1) * sizeof *d->edges);
  cost = wend_pathfinder_sum(s);
  s->path_cost = d->before + cost + d->beyond;
  return cost >= 0 ? WEND_OK : WEND_ABORTED;
}

wend_status wend_variation_continue(wend_search *s, wend_status status) {
  wend_detour *d = &s->detour;
  double w;
  if (d->under_way) {
    if (status == WEND_OK) status = splice(s);
    if (status == WEND_OK) status = cut_loops(s);
    return status == WEND_OK || status == WEND_NO_PATH || status == WEND_BUDGET ? take_detour(s) : status;
  }
  if (status == WEND_OK) status = keep_path(s);
  if (status != WEND_OK) return status;
  if (wend_search_reads(s, &s->opts.costs) != WEND_OK) return WEND_STALE; /* an edge function has named a tag */
  w = choose_stretch(s);
  if (w == 0) return WEND_OK;
  d->under_way = true;
  status = begin_detour(s, w);
  return status == WEND_OK ? WEND_RUNNING : status;
}
