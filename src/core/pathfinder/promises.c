/* SPDX-License-Identifier: MIT */
/* Promises: an edge function with `at_least` is asked along one path only, if that is enough.
 *
 * On grids without walls and links the search has the least that is promised instead of the costs (wend_promises_trust). So it needs
 * no function, and runs as fast as one without: cell by cell, by jump points, or by the direct walk.
 *
 *   1  When it ends, its path is a candidate: all costs were lower bounds.
 *   2  The function is asked along the candidate (wend_promises_confirm). If no step costs more than assumed, no path costs less.
 *   3  If few do, the search begins again, and knows what these steps cost: expand_asked in search/expand_cells.inl.
 *   4  If more than one in WEND_DEARER_MOST does, or after ROUNDS_MAX searches, it begins again and asks as it goes on. Where few cells
 *      are asked about, the search begins with this; and a long one asks along the path to a place now and then, to learn that early.
 *
 * The search that asks as it goes on relaxes steps at the least that is promised, and asks for the step to a cell when the cell is
 * popped (B. Cohen, M. Phillips, M. Likhachev, "Planning single-arm manipulations with n-arm robots", 2014: lazy weighted A*):
 * settle_step in search/expand_cells.inl. So it asks about once for each cell that it expands. It does not ask for corners before it
 * has a path, unless the function closes steps. If a corner on the path is closed, it begins again and asks for corners as well. A
 * small table keeps the last answers.
 *
 * On graphs and on other grids:
 *
 *   1  The search begins as if there were no promise. The first steps that it asks for (WEND_SAMPLE) tell whether the function
 *      makes many of them dearer than it promises. Then the search goes on like this.
 *   2  Otherwise it asks no more: a step costs the least that is promised. So its costs are lower bounds, and when it ends it has
 *      a candidate, not yet a result.
 *   3  The function is asked along the candidate. If that costs what was assumed, no path costs less: it is the result.
 *   4  If not, the search begins again, and asks for every step that could make a place cheaper.
 *
 * Where the function changes nothing on the way, this takes about a hundred calls instead of thousands. Otherwise the first
 * search was in vain; without calls it is the cheaper one of the two. */
#include "core/pathfinder/promises.h"

#include <stdlib.h>
#include <string.h>

#include "core/cost/bounds.h"
#include "core/pathfinder/begin.h"
#include "core/pathfinder/trace.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

/* Whether the edge function makes a promise for each tag that it is asked for. */
static bool is_promised(const wend_map *map, const wend_costs *costs) {
  const wend_tag_cost *tags = costs->tags;
  const uint32_t count = wend_map_tag_count(map) + 1;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!tags[i].asks) continue;
    if (!(tags[i].at_least > 0)) return false;
    any = true;
  }
  return any;
}

/* For a search that may begin again. */
static wend_status keep_starts(wend_search *s, const wend_end *starts, uint32_t count) {
  wend_promises *p = &s->promises;
  if (!WEND_GROW(&s->alloc, p->starts, p->starts_capacity, count)) {
    wend_search_clear(s);
    return WEND_NO_MEMORY;
  }
  memcpy(p->starts, starts, count * sizeof *starts);
  p->start_count = count;
  return WEND_OK;
}

/* After so many expansions, and each time that they are four times as many, a search that trusts asks along the path to the next place,
 * so that it does not run to its end in vain. */
#define PROBE_AFTER 256u
#define PROBED_MIN 16u /* fewer steps tell nothing */

wend_status wend_promises_begin(wend_search *s, const wend_end *starts, uint32_t count, const wend_costs *given) {
  const wend_search_opts *opts = &s->opts;
  if (given != NULL) {
    s->promises.given = given->tags;
    s->promises.probe_at = PROBE_AFTER;
    s->edge_given = given->edge;
    return keep_starts(s, starts, count);
  }
  if (s->noise.most > 0 && opts->max_cost < INFINITY) return keep_starts(s, starts, count);
  if (s->stepper.kind != COSTS_ASKED || s->noise.most > 0 || opts->partial || opts->max_expanded < UINT64_MAX ||
      opts->max_cost < INFINITY || s->stepper.body > 1 || s->stepper.base != NULL || wend_search_turns_on(s) ||
      !is_promised(s->map, &s->opts.costs))
    return WEND_OK;
  s->stepper.asking = ASKING_SAMPLES;
  return keep_starts(s, starts, count);
}

/* ---- With the least costs ------------------------------------------------------------------------------------- */

/* The candidate, or a step, may cost this share more than assumed, by rounding. */
#define PROMISE_ROUNDING 1e-12
/* So many searches with the least costs, at most: another one costs about as much as the one before, and often is in vain too. */
#define ROUNDS_MAX 2u

wend_status wend_promises_trust(wend_search *s, const wend_map *map, const wend_search_opts *opts, bool tested,
                                wend_search_opts *least) {
  const wend_grid *grid = (const wend_grid *)map;
  const uint32_t count = map->is_grid ? wend_map_tag_count(map) + 1 : 0;
  wend_promises *p = &s->promises;
  *least = *opts;
  least->costs.edge = NULL;
  if (!map->is_grid || tested || !wend_grid_asks(grid, &opts->costs) || !wend_grid_is_plain(grid, &least->costs) ||
      opts->costs.influence_count > 0 || s->reading.body != WEND_NONE || wend_body_size(&opts->costs) > 1 || opts->partial ||
      opts->variation > 0 || opts->max_expanded < UINT64_MAX || opts->max_cost < INFINITY || opts->turns.per_turn > 0 ||
      opts->heuristic == WEND_CUSTOM || !is_promised(map, &opts->costs)) {
    least->costs.edge = opts->costs.edge;
    return WEND_OK;
  }
  if (!WEND_GROW(&s->alloc, p->least, p->least_capacity, count)) {
    wend_search_clear(s);
    return WEND_NO_MEMORY;
  }
  memcpy(p->least, opts->costs.tags, count * sizeof *p->least);
  for (uint32_t i = 0; i < count; i++) {
    wend_tag_cost *tag = &p->least[i];
    if (tag->asks) tag->times *= tag->at_least, tag->plus *= tag->at_least, tag->asks = false;
  }
  least->costs.tags = p->least;
  return WEND_OK;
}

/* Begins again, with what is known about asked steps. */
static wend_status search_again(wend_search *s) {
  const wend_promises *p = &s->promises;
  wend_status status = wend_search_reads(s, &s->opts.costs); /* the function may have named a tag */
  if (status != WEND_OK) return status;
  wend_search_find_view(s);
  s->expansion = EXPAND_CELLS;
  s->weighted = false;
  s->slack = s->summary.least * WEND_SLACK;
  status = wend_pathfinder_begin_again(s);
  for (uint32_t i = 0; i < p->asked_count && status == WEND_OK; i++) {
    const uint32_t place = (uint32_t)(p->asked[i].key / 8);
    const bool known = wend_marks_has(&s->marks, place);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
    if (mark == NULL) return WEND_NO_MEMORY;
    if (!known) mark->stamp = s->marks.epoch, mark->g = INFINITY, mark->parent = WEND_NONE;
    mark->stamp |= MARK_ASKED;
  }
  return status == WEND_OK ? WEND_RUNNING : status;
}

/* Sets the costs by kind for a search that asks. False: no memory. */
static bool set_costs(wend_search *s) {
  wend_promises *p = &s->promises;
  const wend_grid *grid = s->grid;
  if (!WEND_GROW(&s->alloc, p->costs, p->costs_capacity, grid->kind_count)) return false;
  for (uint32_t k = 0; k < grid->kind_count; k++) {
    const wend_kind *kind = &grid->palette[k];
    p->costs[k] = s->view->costs[k];
    if (p->costs[k].straight == p->costs[k].straight) continue;
    p->costs[k].straight = -wend_stepper_price(&s->stepper, kind->tag, kind->weight).least;
    p->costs[k].diagonal = -wend_stepper_price(&s->stepper, kind->tag, grid->diagonal_length * kind->weight).least;
  }
  return true;
}

/* If the function closes a step before so many expansions, beginning again costs less than a path that passes a closed corner. */
#define REGRETS_MAX 256u

/* The same with the costs of the caller. */
static wend_status ask_always(wend_search *s) {
  wend_promises *p = &s->promises;
  wend_status status = wend_search_reads(s, &s->opts.costs);
  if (status != WEND_OK) return status;
  wend_search_end_trust(s);
  wend_search_drop_view(s);
  s->view = s->grid->kinds != NULL ? wend_search_view(s, s->grid, &s->opts.costs, BITS_NONE, true) : NULL;
  if (s->grid->kinds != NULL && (s->view == NULL || !set_costs(s))) return WEND_NO_MEMORY;
  s->expansion = s->view != NULL ? EXPAND_CELLS : EXPAND_GRID;
  if (!WEND_GROW(&s->alloc, p->recent, p->recent_capacity, 1u << WEND_RECENT_BITS)) return WEND_NO_MEMORY;
  memset(p->recent, 0, sizeof *p->recent << WEND_RECENT_BITS);
  s->stepper.recent = p->recent;
  s->stepper.passes_corners = p->passed_corners = s->view != NULL && !p->passed_corners;
  p->regrets = false;
  p->regrets_until = s->stats.expanded + REGRETS_MAX;
  s->weighted = s->summed = false;
  s->slack = s->view != NULL ? s->summary.least * WEND_SLACK : 0;
  status = wend_pathfinder_begin_again(s);
  return status == WEND_OK ? WEND_RUNNING : status;
}

/* After the search has found a goal without asking for corners: asks for those on the path to it. */
static wend_status check_corners(wend_search *s, uint32_t goal) {
  const wend_diagonals diagonals = s->grid->diagonals;
  uint32_t place = goal, before;
  s->stepper.passes_corners = false;
  for (; (before = wend_marks_of(&s->marks, place)->parent) != WEND_NONE; place = before) {
    const int direction = wend_stepper_direction(&s->stepper, before, place);
    if (IS_DIAGONAL(direction) && !wend_step_corners(&s->stepper, before, direction, 3, diagonals, NULL, CORNERS_BOTH))
      return s->stepper.invalid ? WEND_ABORTED : ask_always(s);
  }
  return s->stepper.invalid ? WEND_ABORTED : WEND_OK;
}

/* If so few of the cells are asked about, asking for all that could improve something costs less than a search in vain. */
#define FEW_ASKED 0.0625

wend_status wend_promises_start(wend_search *s) {
  wend_costs costs;
  if (s->promises.given == NULL || s->stats.expanded > 0 || s->expansion != EXPAND_CELLS || s->grid->kinds == NULL)
    return WEND_RUNNING;
  (void)wend_search_given(s, &costs);
  return wend_grid_asked_share(s->grid, &costs) <= FEW_ASKED ? ask_always(s) : WEND_RUNNING;
}

static int compare_asked(const void *a, const void *b) {
  const uint64_t x = ((const wend_asked_step *)a)->key, y = ((const wend_asked_step *)b)->key;
  return x < y ? -1 : x > y;
}

/* The stepper of a search that trusts, with the costs of the caller. */
static wend_stepper stepper_of_caller(wend_search *s, wend_costs *costs) {
  wend_stepper asker;
  (void)wend_search_given(s, costs);
  asker = wend_grid_stepper(s->grid, costs);
  asker.callbacks = &s->stats.callbacks;
  return asker;
}

uint64_t wend_promises_limit(const wend_search *s, uint64_t limit) {
  const uint64_t next = s->promises.probe_at;
  return s->promises.given != NULL && s->expansion == EXPAND_CELLS && next < limit ? next : limit;
}

wend_status wend_promises_probe(wend_search *s) {
  wend_costs costs;
  wend_stepper asker;
  uint32_t count = 0, dearer = 0, place = s->held, before;
  if (s->promises.regrets) return ask_always(s);
  if (s->promises.given == NULL || s->expansion != EXPAND_CELLS || s->stats.expanded < s->promises.probe_at ||
      place == WEND_NONE)
    return WEND_RUNNING;
  s->promises.probe_at *= 4;
  asker = stepper_of_caller(s, &costs);
  for (; (before = wend_marks_of(&s->marks, place)->parent) != WEND_NONE && count < WEND_SAMPLE; place = before, count++) {
    const int direction = wend_stepper_direction(&asker, before, place);
    const double least = wend_step_cell(&s->stepper, before, direction, 0, INFINITY, NULL),
                 cost = wend_step_cell(&asker, before, direction, 0, INFINITY, NULL);
    if (asker.invalid) return WEND_ABORTED;
    if (cost > least * (1 + PROMISE_ROUNDING)) dearer++;
  }
  wend_search_find_view(s);
  return count >= PROBED_MIN && dearer * WEND_DEARER_MOST > count ? ask_always(s) : WEND_RUNNING;
}

wend_status wend_promises_confirm(wend_search *s, uint32_t goal) {
  wend_promises *p = &s->promises;
  wend_costs costs;
  wend_stepper asker;
  uint32_t count = p->asked_count, dearer = p->dearer, place = wend_search_place(s, s->path_nodes[0]);
  double sum = wend_marks_of(&s->marks, place)->g;
  if (p->given == NULL) return WEND_OK;
  asker = stepper_of_caller(s, &costs);
  if (!WEND_GROW(&s->alloc, p->asked, p->asked_capacity, (uint64_t)count + s->path_length)) return WEND_NO_MEMORY;
  for (uint32_t i = 1; i < s->path_length; i++) {
    const uint32_t to = wend_search_place(s, s->path_nodes[i]);
    const int direction = wend_stepper_direction(&asker, place, to);
    double cost = wend_search_asked(s, place, direction);
    if (!(cost == cost)) {
      const double least = wend_step_cell(&s->stepper, place, direction, 0, INFINITY, NULL);
      p->asked[count].key = (uint64_t)place * 8 + (unsigned)direction;
      p->asked[count++].cost = cost = wend_step_cell(&asker, place, direction, 0, INFINITY, NULL);
      if (asker.invalid) return WEND_ABORTED;
      if (cost > least * (1 + PROMISE_ROUNDING)) p->dearer++;
    }
    sum += cost;
    place = to;
  }
  s->path_cost = wend_kernel_beyond_goal(s, goal, sum);
  p->asked_count = count;
  qsort(p->asked, count, sizeof *p->asked, compare_asked);
  if (p->dearer == dearer) return WEND_OK;
  if (++p->rounds == ROUNDS_MAX || (count >= WEND_SAMPLE && p->dearer * WEND_DEARER_MOST > count)) return ask_always(s);
  return search_again(s);
}

/* After the kernel has found a goal. */
static wend_status check_path(wend_search *s) {
  const uint32_t goal = wend_pathfinder_best_goal(s);
  const bool corners = s->opts.corners;
  wend_status status;
  s->opts.corners = false; /* all cells are needed */
  status = wend_pathfinder_take_path(s, goal);
  s->opts.corners = corners;
  if (status == WEND_OK) status = wend_promises_confirm(s, goal);
  return status;
}

/* ---- In the kernel ---------------------------------------------------------------------------------------------- */

wend_status wend_promises_check(wend_search *s) {
  wend_status status;
  uint32_t goal;
  double cost, before;
  if (s->promises.given != NULL) return check_path(s);
  if (s->promises.passed_corners) return check_corners(s, wend_pathfinder_best_goal(s));
  if (s->stepper.asking != ASKING_NEVER) return WEND_OK;
  s->stepper.asking = ASKING_ALWAYS;
  goal = wend_pathfinder_best_goal(s);
  status = wend_pathfinder_take_path(s, goal);
  if (status != WEND_OK) return status;
  cost = wend_pathfinder_sum(s);
  if (!(cost >= 0)) return WEND_ABORTED;
  before = wend_marks_of(&s->marks, wend_search_place(s, s->path_nodes[0]))->g;
  if (before + cost <= wend_marks_of(&s->marks, goal)->g * (1 + PROMISE_ROUNDING)) return WEND_OK;
  status = wend_pathfinder_begin_again(s);
  return status == WEND_OK ? WEND_RUNNING : status;
}
