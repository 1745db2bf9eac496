/* SPDX-License-Identifier: MIT */
/* One search: its preparation before the kernel runs, and its result afterwards.
 *
 *   begin    prepares, in this order: the map, the expansion, the marks, the penalties, the goals, the heuristic, the tables,
 *            the queue, the starts. Each of these reads what those before it have set.
 *   run      runs the kernel in slices
 *   finish   extracts the path, by following parents from the goal, and its cost
 *
 * The expansion decides how the kernel runs on a grid:
 *
 *   EXPAND_JUMPS   around most cells all cells cost the same: jump point search
 *   EXPAND_CELLS   weights and tags alone decide the costs: a table of costs by kind, and what layers add
 *   EXPAND_GRID    everything else: step.h computes each cost
 *
 * On a prepared map, begin_landmarks chooses between its tables and the straight distance. A trip that the tables know to be
 * short does without them.
 *
 * The invariant: while s->status is WEND_RUNNING, each goal that is looked for, and where paths may end, has a mark with
 * MARK_GOAL, and all places are those of version s->version of the map.
 *
 * On grids the sums of the kernel may be off in the last bits (WEND_SLACK), so the cost is summed again along the path. */
#include "core/search/pathfinder.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/neighbours.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

/* ---- Beginning --------------------------------------------------------------------------------------------- */

/* Prepares the marks. False: no memory. */
static bool begin_marks(wend_search *s) {
  const uint32_t places = s->graph != NULL ? s->graph->place_count : wend_place_count(s->region.width, s->region.height);
  const unsigned columns =
      (s->graph != NULL ? MARKS_ARRIVALS : 0) | (s->detour.wanted ? MARKS_PENALIZED : 0) | (s->weighted ? MARKS_DIRECTIONS : 0);
  return wend_marks_begin(&s->marks, &s->alloc, places, columns, s->opts.compact);
}

/* The next greater number; the same one if there is none. */
static double next_above(double number) { return number < INFINITY ? nextafter(number, INFINITY) : number; }

/* Sets the bounds from max_cost. */
static void set_bounds(wend_search *s) {
  const double most = s->opts.max_cost, max_cost = wend_search_turns_on(s) ? wend_turn_points(&s->stretch.rule, most) : most;
  s->watched = s->opts.partial || max_cost < INFINITY;
  s->g_ceiling = next_above(max_cost); /* a path that costs exactly max_cost is allowed */
  /* Estimates are rounded, and may exceed the true cost by a little. */
  s->f_ceiling = s->opts.partial ? INFINITY : max_cost * (1 + 1e-9) + DBL_MIN;
}

/* Resets the progress, and sets the bounds. */
static void begin_progress(wend_search *s) {
  s->found = s->pruned = s->weighted = false;
  s->held = WEND_NONE;
  s->repeated = s->steps = s->diagonal_steps = 0;
  s->nearest = WEND_NONE;
  s->walk_from = WEND_NO_ID;
  s->walk_blocked[0] = s->walk_blocked[1] = WEND_NONE;
  set_bounds(s);
  s->perturbation.penalty = 0;
  s->goals.any_cost = false;
}

/* The first part of the preparation, which all searches share. */
static wend_status begin_map(wend_search *s, wend_map *map, const wend_region *region, const wend_search_opts *opts) {
  wend_status status;
  wend_search_reset(s);
  s->graph = map->is_grid ? NULL : (wend_graph *)map;
  s->grid = map->is_grid ? (wend_grid *)map : NULL;
  s->agent = NULL;
  if (s->graph != NULL) {
    status = wend_graph_sync(s->graph);
    if (status != WEND_OK) return status;
    s->expansion = EXPAND_GRAPH;
  } else {
    s->whole = wend_grid_region(s->grid);
    s->region = region != NULL ? *region : s->whole;
  }
  s->opts = *opts;
  s->edge_given = opts->costs.edge;
  if (s->grid != NULL && !wend_grid_asks(s->grid, &opts->costs)) s->opts.costs.edge = NULL;
  memset(&s->stats, 0, sizeof s->stats);
  if (!wend_heap_reserve(&s->heap, &s->alloc, 1)) return WEND_NO_MEMORY;
  s->map = map, s->tables = map;
  if (s->held_body != WEND_NONE && map == wend_search_eroded(s)) s->tables = s->base;
  s->estimator.graph = s->graph, s->estimator.grid = map->is_grid ? (const wend_grid *)s->tables : NULL;
  s->estimator.region = &s->region, s->estimator.goals = &s->goals;
  s->estimator.fn = opts->heuristic_fn, s->estimator.ud = opts->heuristic_ud;
  s->version = map->version;
  s->stepper = s->graph != NULL ? wend_graph_stepper(s->graph, &s->opts.costs) : wend_grid_stepper(s->grid, &s->opts.costs);
  if (s->grid != NULL) s->stepper.region = s->region;
  s->stepper.callbacks = &s->stats.callbacks;
  (void)wend_turns_tags(map, &s->opts.costs, &s->passing);
  s->stretch.alloc = &s->alloc, s->stretch.stepper = &s->stepper;
  s->stretch.rule = wend_turn_rule_of(&opts->turns), s->stretch.back = false;
  wend_keys_clear(&s->stretch.places);
  begin_progress(s);
  return WEND_OK;
}

/* Whether a path may end at a place; beyond: at a closed goal one step beyond it. */
static bool may_end_at(const wend_search *s, uint32_t place, bool beyond) {
  return !s->passing || beyond || s->perturbation.penalty > 0 || !wend_turn_passes(&s->stepper, place);
}

/* Whether a place is a goal where paths may end. */
static bool ends_path(const wend_search *s, uint32_t place) {
  return (wend_marks_of(&s->marks, place)->stamp & MARK_GOAL) != 0;
}

/* Copies the goals, marks their places, and finds the box around them. */
static wend_status begin_goals(wend_search *s, const wend_end *ends, uint32_t count) {
  const uint32_t dimensions = s->grid != NULL ? 2 : (uint32_t)s->graph->dimensions;
  wend_goals *goals = &s->goals;
  double *low, *high, *point;
  if (!WEND_GROW(&s->alloc, goals->places, goals->places_capacity, count) ||
      !WEND_GROW(&s->alloc, goals->costs, goals->costs_capacity, count) ||
      !WEND_GROW(&s->alloc, goals->points, goals->points_capacity, ((uint64_t)count + 2) * dimensions))
    return WEND_NO_MEMORY;
  low = goals->points, high = low + dimensions, point = high + dimensions;
  goals->count = count;
  goals->steps = ends == s->closed_goals.ends ? s->closed_goals.steps : NULL;
  for (uint32_t k = 0; k < count; k++, point += dimensions) {
    const uint32_t place = wend_search_place(s, ends[k].at);
    const bool known = wend_marks_has(&s->marks, place);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
    if (mark == NULL) return WEND_NO_MEMORY;
    goals->places[k] = place;
    goals->costs[k] = ends[k].cost;
    if (ends[k].cost > 0) goals->any_cost = true;
    mark->stamp = s->marks.epoch | (known ? mark->stamp & (MARK_GOAL | MARK_PENALIZED) : 0);
    if (may_end_at(s, place, goals->steps != NULL && goals->steps[k].goal != ends[k].at)) mark->stamp |= MARK_GOAL;
    mark->g = INFINITY;
    mark->parent = WEND_NONE;
    if (s->graph != NULL) wend_marks_arrival(&s->marks, place)->edge_count = 0;
    if (s->graph != NULL && s->graph->points == NULL) continue;
    (void)wend_point_of(&s->estimator, place, point);
    for (uint32_t d = 0; d < dimensions; d++) {
      if (k == 0 || point[d] < low[d]) low[d] = point[d];
      if (k == 0 || point[d] > high[d]) high[d] = point[d];
    }
  }
  return WEND_OK;
}

static int compare_goal_lines(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorts several goals by row, and by column, for jump points. False: no memory. */
static bool begin_goal_lines(wend_search *s) {
  wend_goals *goals = &s->goals;
  const uint32_t stride = s->region.stride;
  if (!s->weighted || goals->count == 1) return true;
  if (!WEND_GROW(&s->alloc, goals->lines, goals->lines_capacity, (uint64_t)goals->count * 2)) return false;
  for (uint32_t k = 0; k < goals->count; k++) {
    const uint64_t x = goals->places[k] % stride, y = goals->places[k] / stride;
    goals->lines[k] = y << 32 | x;
    goals->lines[goals->count + k] = x << 32 | y;
  }
  qsort(goals->lines, goals->count, sizeof *goals->lines, compare_goal_lines);
  qsort(goals->lines + goals->count, goals->count, sizeof *goals->lines, compare_goal_lines);
  return true;
}

/* The summary of a grid with its portals, and the shortcuts among them. */
static wend_cost_summary summarize(const wend_search *s, wend_shortcuts *shortcuts) {
  wend_cost_summary summary = wend_grid_summarize(s->grid, &s->opts.costs);
  summary.least = wend_grid_shortcuts(s->grid, &s->opts.costs, summary.least, shortcuts);
  return summary;
}

/* The longest diagonal steps that jump points take where all cells cost the same. Of two straight steps and the diagonal between
 * them, they take the diagonal; it must be cheaper. If both cost the same, paths may leave a cell to each other in a circle. Just
 * below 2, rounding makes them cost the same. Of two diagonals and two straight steps to the same cell they take the straight
 * ones; these may cost the same. */
#define JUMP_DIAGONAL_MAX 1.99

/* Whether a search without estimates asks a function, and only for cells of some tags. With a promise for each of them the search
 * has estimates and perhaps trusts the promise: then jump points would call the function more often. */
static bool asks_freely(const wend_search *s) {
  const wend_tag_cost *tags = s->opts.costs.tags;
  bool freely = false;
  for (uint32_t i = 0; i < s->grid->portal_count; i++)
    if (!s->grid->out[i].removed && tags[s->grid->out[i].tag].asks) return false;
  for (uint32_t tag = 0; tag <= wend_map_tag_count(s->map) && !freely; tag++)
    freely = tags[tag].asks && !(tags[tag].at_least > 0);
  return freely;
}

/* Whether a search may use jump points. Of the cells that a scan passes, the one nearest to one point is found at once. */
static bool allows_jumps(const wend_search *s, uint32_t goal_count, bool perturbed) {
  const wend_search_opts *opts = &s->opts;
  return s->grid->kinds != NULL && s->grid->fit == NULL && s->stepper.body == 1 && opts->costs.influence_count == 0 &&
         (opts->costs.edge == NULL || asks_freely(s)) && goal_count > 0 && opts->heuristic == WEND_AUTO && !perturbed &&
         (!opts->partial || ((opts->toward != NULL || goal_count == 1) && !s->passing)) && !wend_search_turns_on(s);
}

/* The share of plain cells from which on jump points pay: without planes, and with them, whose estimates cost more than steps; and
 * without diagonals, where a search cell by cell is fast; and without estimates. */
#define PLAIN_ENOUGH 0.75
#define PLAIN_ENOUGH_PREPARED 0.35
#define PLAIN_ENOUGH_CROSSWISE 0.95
#define PLAIN_ENOUGH_BLIND 0.9

/* Whether enough cells are plain. */
static bool is_plain_enough(wend_search *s) {
  const bool prepared = s->tables->prepared != NULL && s->tables->prepared->planes != NULL;
  return wend_search_plain_share(s) >= (s->grid->diagonals == WEND_NEVER ? PLAIN_ENOUGH_CROSSWISE
                                        : !(s->summary.least > 0)        ? PLAIN_ENOUGH_BLIND
                                        : prepared                       ? PLAIN_ENOUGH_PREPARED
                                                                         : PLAIN_ENOUGH);
}

/* Whether jump points need no directions: all open cells cost the same, and one goal is to be found. */
static bool is_uniform(wend_search *s, uint32_t goal_count) {
  const wend_diagonals rule = s->grid->diagonals;
  return s->summary.uniform > 0 && goal_count == 1 && wend_grid_is_plain(s->grid, &s->opts.costs) &&
         ((rule == WEND_NEVER && is_plain_enough(s)) ||
          (rule == WEND_BOTH_OPEN && s->grid->diagonal_length <= JUMP_DIAGONAL_MAX));
}

/* Makes room for patterns, unless memory is scarce. False: no memory. */
static bool begin_patterns(wend_search *s) {
  if (s->opts.compact || s->patterns != NULL) return true;
  if (!WEND_RESIZE(&s->alloc, s->patterns, s->patterns_capacity, 1u << PATTERNS_BITS)) return false;
  memset(s->patterns, 0, s->patterns_capacity * sizeof *s->patterns);
  return true;
}

/* Whether jump points of a weighted search pay. */
static bool is_weighted(wend_search *s) {
  const wend_cost_summary *summary = &s->summary;
  if (s->opts.costs.edge != NULL && summary->least > 0) return false; /* as in asks_freely */
  return summary->cheapest >= WEND_LEAST_MIN && summary->cheapest < INFINITY && is_plain_enough(s);
}

/* Whether a search over plain cells can note the nearest one if it has the option `partial`. With limits, the result would depend on
 * the order in which it reaches them. */
static bool notes_nearest(const wend_search *s) {
  const wend_search_opts *opts = &s->opts;
  return !opts->partial || (opts->max_expanded == UINT64_MAX && opts->max_cost == INFINITY &&
                            opts->costs.influence_count == 0 && !wend_search_turns_on(s));
}

/* The costs of a grid for this agent, and how the kernel expands it. */
static wend_status begin_grid(wend_search *s, uint32_t goal_count, bool perturbed, wend_shortcuts *shortcuts) {
  const wend_grid *grid = s->grid;
  const wend_search_opts *opts = &s->opts;
  const bool plain = wend_grid_is_plain(grid, &opts->costs) && s->stepper.body == 1,
             jumps = allows_jumps(s, goal_count, perturbed);
  s->expansion = EXPAND_GRID;
  if (jumps || (plain && opts->heuristic != WEND_CUSTOM && notes_nearest(s) && goal_count > 0)) {
    s->agent = wend_search_view(s, grid, &opts->costs, BITS_NONE, true);
    if (s->agent == NULL) return WEND_NO_MEMORY;
    if (plain && notes_nearest(s)) s->expansion = EXPAND_CELLS;
  }
  s->summary = plain && s->agent != NULL ? s->agent->summary : summarize(s, shortcuts);
  s->width = wend_bucket_width(s->summary.typical);
  s->jump_cost = s->summary.uniform;
  s->weighted = jumps && !is_uniform(s, goal_count) && is_weighted(s);
  if (s->weighted && !begin_patterns(s)) return WEND_NO_MEMORY;
  if (jumps && (s->weighted || is_uniform(s, goal_count))) s->expansion = EXPAND_JUMPS;
  if (s->expansion == EXPAND_GRID) s->agent = NULL;
  return WEND_OK;
}

/* The bits of the agent view that the search needs. */
static wend_view_bits bits_of(const wend_search *s) {
  return s->expansion != EXPAND_JUMPS ? BITS_NONE : s->weighted ? BITS_MIXED : BITS_OPEN;
}

wend_status wend_pathfinder_resume(wend_search *s, uint64_t *left) {
  if (s->expansion != EXPAND_CELLS && s->expansion != EXPAND_JUMPS) return WEND_OK;
  s->agent = wend_search_view(s, s->grid, &s->opts.costs, bits_of(s), true);
  if (s->agent == NULL) return WEND_NO_MEMORY;
  return s->expansion == EXPAND_CELLS || wend_search_fill_view(s, left) ? WEND_OK : WEND_RUNNING;
}

/* The metric for WEND_AUTO. */
static wend_heuristic default_metric(const wend_search *s) {
  if (s->graph != NULL) return WEND_EUCLIDEAN;
  return s->grid->diagonals == WEND_NEVER ? WEND_MANHATTAN : WEND_OCTILE;
}

/* The least cost per length for the heuristic; 0: unknown, no estimates. summary: of a grid. */
static double least_cost(const wend_search *s, wend_heuristic metric, const wend_cost_summary *summary) {
  double least = 0;
  if (metric == WEND_CUSTOM || metric == WEND_ZERO) return 0;
  if (s->grid != NULL) least = summary->least;
  else if (s->graph->points != NULL && s->graph->unplaced == 0) least = wend_graph_least(s->graph, &s->opts.costs);
  return least < WEND_LEAST_MIN ? 0 : least;
}

/* Finds the shortcuts of a graph; those of a grid are known by now. Returns the least cost per length of all other steps.
 * least: that of all steps. */
static double find_shortcuts(const wend_search *s, double least, wend_shortcuts *shortcuts) {
  const wend_heuristic metric = s->opts.heuristic;
  if (metric == WEND_CUSTOM || metric == WEND_ZERO) shortcuts->least = 0;
  else if (s->graph != NULL && s->graph->points != NULL && s->graph->unplaced == 0)
    wend_graph_shortcuts(s->graph, &s->opts.costs, least, shortcuts);
  if (shortcuts->least >= WEND_LEAST_MIN && shortcuts->least > least) return shortcuts->least;
  shortcuts->count = 0;
  return least;
}

/* Chooses the kind of the estimate and its scale. */
static void begin_heuristic(wend_search *s, wend_shortcuts *shortcuts) {
  wend_estimator *e = &s->estimator;
  const wend_heuristic metric = s->opts.heuristic;
  const size_t dimensions = s->grid != NULL ? 2 : (size_t)s->graph->dimensions;
  double least = least_cost(s, metric, &s->summary);
  e->way_in_count = 0;
  if (s->goals.count == 0) shortcuts->count = 0;
  else least = find_shortcuts(s, least, shortcuts);
  /* One step along an edge or a portal may lower an estimate by any amount, and yet add little to g: see turns.h. */
  if (s->stretch.rule.any && (s->graph != NULL || s->grid->live_portals > 0)) least = 0, shortcuts->count = 0;
  e->metric = metric == WEND_AUTO ? default_metric(s) : metric;
  e->kind = metric == WEND_CUSTOM ? HEURISTIC_GENERAL : HEURISTIC_ZERO;
  e->scale = 0;
  s->stats.bound = least;
  if (least > 0) {
    e->scale = least / wend_metric_excess(e, e->metric);
    e->kind = HEURISTIC_GENERAL;
    if (s->goals.count == 1 && s->grid != NULL && s->expansion != EXPAND_GRID && e->metric != WEND_EUCLIDEAN)
      e->kind = HEURISTIC_CELLS;
    if (s->goals.count == 1 && s->graph != NULL && e->metric == WEND_EUCLIDEAN)
      e->kind = dimensions == 2 ? HEURISTIC_EUCLIDEAN_2D : HEURISTIC_EUCLIDEAN_3D;
  }
  if (s->stretch.rule.any && least > 0) {
    s->stretch.rule.length += least * fmax(1, s->grid->diagonal_length);
    set_bounds(s);
  }
  e->around = false;
  if (s->goals.steps != NULL && wend_range_given(&s->opts.range) && least > 0) wend_estimator_around(e);
  if (s->goals.count == 1 && (least > 0 || s->expansion == EXPAND_JUMPS))
    memcpy(e->target, s->goals.points + 2 * dimensions, dimensions * sizeof *e->target);
  if (shortcuts->count > 0) {
    const wend_heuristic_kind kind = e->kind;
    e->kind = HEURISTIC_GENERAL;
    wend_estimator_take(e, shortcuts);
    if (e->way_in_count == 0) e->kind = kind; /* none leads toward the goals */
  }
  s->fewest_edges = s->graph != NULL && e->kind == HEURISTIC_ZERO;
  s->summed = s->grid != NULL && s->opts.costs.edge == NULL;
  s->slack = s->summed ? s->summary.least * WEND_SLACK : 0;
  if (s->weighted && !(s->summary.least > 0)) s->slack = s->summary.cheapest * WEND_SLACK;
  if (s->summed && s->goals.count > 0)
    s->g_ceiling = next_above(s->g_ceiling * (1 + 1e-9)); /* wend_pathfinder_finish checks the exact cost */
  if (wend_search_turns_on(s)) s->summed = false;         /* wend_turns_count does it */
}

/* Searches use the tables of a prepared map where these say clearly more than the straight distance, and only for long trips:
 * for a short one, what reading the tables costs is not gained again. An expansion with tables takes up to twice as long. After
 * edits most of what the tables said more must be left, or the search expands more than half of what it would without. */
#define CLEARLY_ON_GRAPHS 1.05
#define CLEARLY_ON_GRIDS 1.1 /* there the straight distance is often exact */
#define LONG_TRIP 10.0       /* typical steps */
#define LEFT_AFTER_EDITS 0.7

/* The cost of a typical step. */
static double typical_cost(const wend_search *s) {
  return s->graph != NULL ? wend_graph_typical(s->graph, &s->opts.costs) : s->summary.typical;
}

/* Whether the planes of a prepared grid tell that a trip is short. straight: its estimate by distance. */
static bool is_short_on_grid(wend_search *s, const wend_prepared *prepared, uint32_t start, double straight, double most) {
  wend_estimator *e = &s->estimator;
  const wend_heuristic_kind kind = e->kind;
  double bound;
  if (straight > most ||
      !wend_plane_bounds_begin(&e->plane_bounds, &s->alloc, s->estimator.grid, prepared, &s->opts.costs, &s->goals))
    return false;
  e->kind = HEURISTIC_PLANES;
  bound = wend_estimate(e, start);
  e->kind = kind;
  e->plane_bounds.stamp = 0;
  return bound <= most;
}

/* Whether the tables of a prepared map tell that a trip is short. Then the search does without them. */
static bool is_short_trip(wend_search *s, const wend_prepared *prepared, const wend_end *starts, uint32_t start_count) {
  double share, most;
  uint32_t place;
  if ((prepared->rows == NULL && prepared->planes == NULL) || start_count != 1 || s->goals.count != 1) return false;
  if (s->opts.heuristic != WEND_AUTO) return false;
  most = typical_cost(s) * LONG_TRIP;
  place = wend_search_place(s, starts[0].at);
  if (s->grid != NULL) return is_short_on_grid(s, prepared, place, wend_estimate(&s->estimator, place), most);
  share = wend_prepared_share(s->map, prepared, &s->opts.costs);
  if (!(share > 0) || prepared->unit * share * wend_prepared_difference(prepared, place, s->goals.places[0]) > most)
    return false;
  return wend_estimate(&s->estimator, place) <= most;
}

/* The least estimate of the starts. */
static double estimate_starts(const wend_search *s, const wend_end *starts, uint32_t count) {
  double least = INFINITY;
  for (uint32_t k = 0; k < count; k++) {
    const double estimate = wend_estimate(&s->estimator, wend_search_place(s, starts[k].at));
    if (estimate < least) least = estimate;
  }
  return least;
}

/* Chooses between the straight distance and the tables of a prepared map, by their estimates for the starts. */
static void begin_landmarks(wend_search *s, const wend_prepared *prepared, const wend_end *starts, uint32_t start_count) {
  wend_estimator *e = &s->estimator;
  const wend_heuristic_kind kind = e->kind;
  double straight, bound, left;
  if (s->opts.heuristic != WEND_AUTO || (s->expansion == EXPAND_JUMPS && !s->weighted)) return;
  if (s->grid != NULL
          ? !wend_plane_bounds_begin(&e->plane_bounds, &s->alloc, s->estimator.grid, prepared, &s->opts.costs, &s->goals)
          : !wend_goal_bounds_begin(&e->goal_bounds, s->map, prepared, &s->opts.costs, &s->goals))
    return;
  straight = estimate_starts(s, starts, start_count);
  e->straight = kind;
  e->kind = s->grid != NULL ? HEURISTIC_PLANES : HEURISTIC_LANDMARKS;
  left = bound = estimate_starts(s, starts, start_count);
  if (s->grid != NULL) bound += wend_plane_bounds_lowered(&e->plane_bounds);
  else if (wend_goal_bounds_lower(&e->goal_bounds, prepared)) left = estimate_starts(s, starts, start_count);
  if (!(left > straight * (s->graph != NULL ? CLEARLY_ON_GRAPHS : CLEARLY_ON_GRIDS) && left > typical_cost(s) * LONG_TRIP &&
        left - straight >= LEFT_AFTER_EDITS * (bound - straight))) {
    e->kind = kind;
    e->goal_bounds.stamp = e->plane_bounds.stamp = 0;
    return;
  }
  s->stats.landmarks = true;
  s->fewest_edges = false;
}

/* Goes without jump points after all if they pay only with planes, and the search uses none. */
static void leave_jumps(wend_search *s) {
  if (!s->weighted || s->estimator.kind == HEURISTIC_PLANES || wend_search_plain_share(s) >= PLAIN_ENOUGH) return;
  if (s->opts.partial || !wend_grid_is_plain(s->grid, &s->opts.costs)) return; /* the search that remains is far slower */
  s->weighted = false;
  s->expansion = EXPAND_CELLS;
}

/* Chooses what the search uses of a prepared map. */
static void begin_tables(wend_search *s, const wend_end *starts, uint32_t start_count) {
  const wend_prepared *prepared = s->stretch.rule.any ? NULL : wend_prepared_choose(s->tables, &s->opts.costs);
  if (prepared != NULL && !is_short_trip(s, prepared, starts, start_count)) begin_landmarks(s, prepared, starts, start_count);
  leave_jumps(s);
}

/* Whether no estimate exceeds the cost of a shortcut and the estimate at its end. Then the estimates are consistent, if no other
 * step costs less per length than their bound, and so they are admissible. */
static bool are_consistent(const wend_search *s, const wend_shortcuts *shortcuts) {
  for (uint32_t i = 0; i < shortcuts->count; i++) {
    const wend_shortcut *taken = &shortcuts->at[i];
    const double least = taken->cost + wend_estimate(&s->estimator, taken->to);
    if (wend_estimate(&s->estimator, taken->from) > least * (1 + 1e-11)) return false;
  }
  return true;
}

/* Whether the search uses tables of a prepared map; and whether they still hold. */
static bool has_tables(const wend_search *s) {
  return s->estimator.kind == HEURISTIC_LANDMARKS || s->estimator.kind == HEURISTIC_PLANES;
}
static bool tables_hold(wend_search *s, bool edited) {
  if (s->grid != NULL) return wend_plane_bounds_hold(&s->estimator.plane_bounds, s->tables, &s->opts.costs, edited);
  return wend_goal_bounds_hold(&s->estimator.goal_bounds, s->map, &s->opts.costs, edited);
}

wend_status wend_pathfinder_holds(wend_search *s) {
  wend_cost_summary summary = s->summary;
  wend_shortcuts shortcuts;
  double least;
  shortcuts.count = 0, shortcuts.least = 0;
  if (s->grid != NULL && s->expansion == EXPAND_GRID) {
    summary = summarize(s, &shortcuts);
  } else if (s->grid != NULL) {
    s->agent = wend_search_view(s, s->grid, &s->opts.costs, bits_of(s), true);
    if (s->agent == NULL) return WEND_NO_MEMORY;
    summary = wend_grid_is_plain(s->grid, &s->opts.costs) ? s->agent->summary : summarize(s, &shortcuts);
    if (s->expansion == EXPAND_JUMPS) {
      s->summary = summary;
      if (s->weighted ? is_uniform(s, s->goals.count) || !is_weighted(s) : summary.uniform != s->jump_cost) return WEND_STALE;
    }
  }
  if (has_tables(s) && !tables_hold(s, true)) return WEND_STALE;
  if (s->estimator.kind == HEURISTIC_LANDMARKS) return WEND_OK;
  least = least_cost(s, s->opts.heuristic, &summary);
  if (least >= s->stats.bound) return WEND_OK;
  return find_shortcuts(s, least, &shortcuts) >= s->stats.bound && are_consistent(s, &shortcuts) ? WEND_OK : WEND_STALE;
}

/* With landmarks the bounds are so good that buckets must be this much narrower, or places are expanded repeatedly. */
#define FINER 4
#define FINER_ASKED 16 /* with jump points, so that a function is not called again for a cell that is expanded repeatedly */

/* Prepares the queue. least: the least f of any start. */
static void begin_queue(wend_search *s, double least) {
  s->use_heap = false;
  if (s->graph != NULL) {
    s->use_heap = (s->fewest_edges && s->map->scales.zeros > s->graph->edges.live / 8);
    s->width = wend_bucket_width(wend_graph_typical(s->graph, &s->opts.costs));
  }
  if (has_tables(s)) s->width /= FINER;
  if (s->weighted && s->opts.costs.edge != NULL) s->width /= FINER_ASKED;
  wend_buckets_start(&s->buckets, least, s->width);
}

/* Pushes the starts. It uses the heuristic. ABORTED: an estimate is invalid. */
static wend_status begin_starts(wend_search *s, const wend_end *starts, uint32_t count) {
  const double used = s->opts.turns.per_turn - s->opts.turns.rest; /* of the first turn */
  double least = INFINITY, h = 0;
  for (uint32_t k = 0; k < count; k++) {
    h = wend_estimate(&s->estimator, wend_search_place(s, starts[k].at));
    if (h != h) return WEND_ABORTED;
    if (starts[k].cost + used + h < least) least = starts[k].cost + used + h;
  }
  begin_queue(s, least);
  if (!wend_heap_reserve(&s->heap, &s->alloc, count)) return WEND_NO_MEMORY;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t place = wend_search_place(s, starts[k].at);
    if (count > 1) h = wend_estimate(&s->estimator, place);
    wend_kernel_open(s, place, starts[k].cost + used, starts[k].cost + used + h);
    if (s->opts.partial) wend_kernel_note_nearest(s, place, starts[k].cost + used, WEND_NONE);
  }
  return s->buckets.failed ? WEND_NO_MEMORY : WEND_OK;
}

/* Sets the perturbation, and marks the places that penalized steps leave. */
static wend_status begin_penalties(wend_search *s, const wend_perturbation *perturbation, const wend_penalized *penalized) {
  s->perturbation = *perturbation;
  for (uint32_t i = penalized->first; i < penalized->last; i++) {
    const uint32_t place = wend_search_place(s, penalized->nodes[i]);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
    if (mark == NULL) return WEND_NO_MEMORY;
    *wend_marks_penalized(&s->marks, place) =
        s->graph != NULL ? (uint32_t)penalized->edges[i] - 1u : wend_search_place(s, penalized->nodes[i + 1]);
    mark->g = INFINITY;
    mark->stamp = s->marks.epoch | NO_WAY << MARK_WAY_SHIFT | MARK_PENALIZED;
    mark->parent = WEND_NONE;
    if (s->graph != NULL) wend_marks_arrival(&s->marks, place)->edge_count = 0;
  }
  return WEND_OK;
}

/* Notes what edits.c compares later. */
static void begin_edits(wend_search *s) {
  s->cursor = s->map->journal.end;
  s->tag_count = wend_map_tag_count(s->map);
  s->place_count = s->graph != NULL ? s->graph->place_count : s->grid->place_count;
  if (!s->opts.survive_edits || s->expansion != EXPAND_JUMPS) return;
  wend_scans_begin(&s->lines_read.rows, s->grid->height + 2);
  wend_scans_begin(&s->lines_read.columns, s->grid->width + 2);
}

/* Whether no path ends at a goal: paths may only pass all of them, or no step leads to the only one, because its cell is closed.
 * Then the search need not run. */
static bool is_goal_closed(const wend_search *s, const wend_end *starts, uint32_t start_count) {
  const uint32_t goal = s->goals.places[0];
  uint32_t k = 0;
  while (s->passing && k < s->goals.count && !ends_path(s, s->goals.places[k])) k++;
  if (s->passing && k == s->goals.count && !s->opts.partial) return true;
  if (s->agent == NULL || s->goals.count > 1 || start_count > 1 || s->opts.partial) return false;
  return wend_search_place(s, starts[0].at) != goal && s->agent->costs[s->region.kinds[goal]].straight == INFINITY;
}

/* Whether the direct walk may be tried. */
static bool allows_walk(const wend_search *s) {
  const wend_search_opts *opts = &s->opts;
  return s->grid != NULL && s->goals.count == 1 && allows_jumps(s, 1, s->perturbation.penalty > 0) && s->summary.least > 0 &&
         !s->detour.wanted && !opts->reach_only && ends_path(s, s->goals.places[0]);
}

/* ---- Promises ---------------------------------------------------------------------------------------------- */

/* Promises: an edge function with `at_least` is asked along one path only, if that is enough.
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

/* Whether the edge function makes a promise for each tag that it is asked for. */
static bool is_promised(const wend_search *s) {
  const wend_tag_cost *tags = s->opts.costs.tags;
  const uint32_t count = wend_map_tag_count(s->map) + 1;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!tags[i].asks) continue;
    if (!(tags[i].at_least > 0)) return false;
    any = true;
  }
  return any;
}

/* Lets a search trust what its edge function promises, if it can. NO_MEMORY. */
static wend_status begin_promises(wend_search *s, const wend_end *starts, uint32_t count) {
  wend_promises *p = &s->promises;
  const wend_search_opts *opts = &s->opts;
  if (s->stepper.kind != COSTS_ASKED || s->detour.wanted || opts->partial || opts->max_expanded < UINT64_MAX ||
      opts->max_cost < INFINITY || s->stepper.body > 1 || wend_search_turns_on(s) || !is_promised(s))
    return WEND_OK;
  if (!WEND_GROW(&s->alloc, p->starts, p->starts_capacity, count)) {
    wend_search_reset(s);
    return WEND_NO_MEMORY;
  }
  memcpy(p->starts, starts, count * sizeof *starts);
  p->start_count = count;
  s->stepper.asking = ASKING_SAMPLES;
  return WEND_OK;
}

/* Begins the same search again. */
static wend_status search_again(wend_search *s) {
  wend_goals *goals = &s->goals;
  const wend_end *ends = s->closed_goals.ends;
  wend_status status;
  if (goals->steps == NULL) {
    if (!WEND_GROW(&s->alloc, goals->ends, goals->ends_capacity, goals->count)) return WEND_NO_MEMORY;
    for (uint32_t k = 0; k < goals->count; k++) {
      goals->ends[k].at = wend_search_id(s, goals->places[k]);
      goals->ends[k].cost = goals->costs[k];
    }
    ends = goals->ends;
  }
  wend_buckets_empty(&s->buckets);
  wend_heap_empty(&s->heap);
  begin_progress(s);
  if (!begin_marks(s)) return WEND_NO_MEMORY;
  status = begin_goals(s, ends, goals->count);
  return status == WEND_OK ? begin_starts(s, s->promises.starts, s->promises.start_count) : status;
}

wend_status wend_pathfinder_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                  const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts,
                                  const wend_perturbation *perturbation, const wend_penalized *penalized) {
  wend_status status = begin_map(s, map, NULL, opts);
  wend_shortcuts shortcuts;
  shortcuts.count = 0, shortcuts.least = 0;
  s->back = false;
  if (status == WEND_OK && s->grid != NULL) status = begin_grid(s, goal_count, perturbation != NULL, &shortcuts);
  if (status == WEND_OK && !begin_marks(s)) status = WEND_NO_MEMORY;
  if (status == WEND_OK && perturbation != NULL) status = begin_penalties(s, perturbation, penalized);
  if (status == WEND_OK) status = begin_goals(s, goals, goal_count);
  if (status == WEND_OK && !begin_goal_lines(s)) status = WEND_NO_MEMORY;
  if (status != WEND_OK) {
    wend_search_reset(s);
    return status;
  }
  begin_heuristic(s, &shortcuts);
  begin_tables(s, starts, start_count);
  begin_edits(s);
  if (start_count == 1 && allows_walk(s)) s->walk_from = starts[0].at;
  s->status = WEND_RUNNING;
  if (is_goal_closed(s, starts, start_count)) {
    begin_queue(s, 0);
    return WEND_OK;
  }
  status = begin_starts(s, starts, start_count);
  if (status == WEND_ABORTED) s->status = status;
  return status == WEND_OK ? begin_promises(s, starts, start_count) : status;
}

void wend_pathfinder_miss_goals(wend_search *s) {
  for (uint32_t k = 0; k < s->goals.count; k++) wend_marks_of(&s->marks, s->goals.places[k])->stamp &= ~MARK_GOAL;
  s->walk_from = WEND_NO_ID;
}

wend_status wend_pathfinder_begin_flood(wend_search *s, wend_map *map, const wend_region *region, bool back,
                                        const wend_root *roots, uint32_t root_count, const wend_search_opts *opts) {
  wend_status status = begin_map(s, map, region, opts);
  wend_shortcuts shortcuts;
  double least = INFINITY;
  shortcuts.count = 0, shortcuts.least = 0;
  s->detour.wanted = s->detour.under_way = false;
  s->goals.count = 0;
  s->back = s->stretch.back = back;
  s->f_ceiling = s->g_ceiling;
  if (status == WEND_OK && s->grid != NULL) status = begin_grid(s, 0, false, &shortcuts);
  if (status == WEND_OK && !begin_marks(s)) status = WEND_NO_MEMORY;
  if (status == WEND_OK && !wend_heap_reserve(&s->heap, &s->alloc, root_count)) status = WEND_NO_MEMORY;
  if (status != WEND_OK) {
    wend_search_reset(s);
    return status;
  }
  begin_heuristic(s, &shortcuts);
  s->status = WEND_RUNNING;
  for (uint32_t i = 0; i < root_count; i++)
    if (roots[i].value < least) least = roots[i].value;
  begin_queue(s, least);
  for (uint32_t i = 0; i < root_count; i++)
    if (roots[i].value < s->g_ceiling) wend_kernel_open(s, roots[i].place, roots[i].value, roots[i].value);
  return WEND_OK;
}

void wend_pathfinder_enter(wend_search *s, uint32_t place, double value, uint32_t root, uint32_t arc) {
  if (!(value < s->g_ceiling) || (wend_marks_has(&s->marks, place) && wend_marks_of(&s->marks, place)->g <= value)) return;
  if (!wend_heap_reserve(&s->heap, &s->alloc, 1)) s->buckets.failed = true;
  if (!s->buckets.failed) wend_kernel_open(s, place, value, value);
  if (s->buckets.failed) return;
  wend_marks_of(&s->marks, place)->parent = root;
  if (s->graph == NULL) return;
  wend_marks_arrival(&s->marks, place)->via = arc;
  wend_marks_arrival(&s->marks, place)->edge_count = 1;
}

/* ---- Ending ------------------------------------------------------------------------------------------------ */

/* Steps in one direction. */
typedef struct leg {
  uint32_t steps, places; /* places: how far a step moves in the region */
  wend_id cells;          /* the same by ids, modulo 2^64 */
} path_leg;

/* The leg between two places in one row, column or diagonal. */
static path_leg leg_between(const wend_search *s, uint32_t from, uint32_t to) {
  const uint32_t stride = s->region.stride;
  const int64_t dx = (int64_t)(to % stride) - from % stride, dy = (int64_t)(to / stride) - from / stride;
  const int64_t x = (dx > 0) - (dx < 0), y = (dy > 0) - (dy < 0);
  path_leg made;
  made.steps = (uint32_t)(dx != 0 ? dx * x : dy * y);
  made.places = (uint32_t)(y * stride + x);
  made.cells = (wend_id)(y * s->grid->width + x);
  return made;
}

/* The corner of the way from the parent of a jump point, which is a diagonal, then a straight: where the two meet. For example,
 * from the parent (0,0) to (5,2): (2,2). Without diagonals the way is a vertical, then a horizontal. One of the ends: there is no
 * corner. */
static uint32_t corner_of_jump(const wend_search *s, uint32_t parent, uint32_t place) {
  const uint32_t stride = s->region.stride;
  const int64_t dx = (int64_t)(place % stride) - parent % stride, dy = (int64_t)(place / stride) - parent / stride;
  const int64_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy, diagonal = ax < ay ? ax : ay;
  if (s->grid->diagonals == WEND_NEVER) return (uint32_t)(parent + dy * (int64_t)stride);
  return (uint32_t)(parent + (dx < 0 ? -diagonal : diagonal) + (dy < 0 ? -diagonal : diagonal) * (int64_t)stride);
}

/* Whether the agent view has the costs of the resulting path: no portal may be on it. */
static bool has_legs(const wend_search *s) { return s->agent != NULL && s->grid->live_portals == 0; }

/* The cost of the step onto a place, by the agent view. step: how far it moves in the region. */
static inline double cost_of_cell_step(const wend_search *s, uint32_t to, uint32_t step) {
  const wend_cell_cost *onto = &s->agent->costs[s->region.kinds[to]];
  const uint32_t stride = s->region.stride;
  const bool straight = step + 1 <= 2 || step == stride || step == 0 - stride;
  const double cost = straight ? onto->straight : onto->diagonal;
  if (WEND_LIKELY(s->opts.costs.influence_count == 0)) return cost;
  return cost + (straight ? 1 : s->grid->diagonal_length) * wend_influence_onto_cell(&s->opts.costs, to);
}

/* The cost of the resulting path over a grid, summed in the order of travel; NaN: a cost is invalid. */
static double sum_cells(wend_search *s) {
  double cost = 0;
  if (!has_legs(s)) {
    for (uint32_t i = 1; i < s->path_length; i++)
      cost += wend_step_between(&s->stepper, s->path_nodes[i - 1], s->path_nodes[i]);
    return s->stepper.invalid ? NAN : cost;
  }
  for (uint32_t i = 1, before = wend_search_place(s, s->path_nodes[0]); i < s->path_length; i++) {
    const uint32_t place = wend_search_place(s, s->path_nodes[i]);
    cost += cost_of_cell_step(s, place, place - before);
    before = place;
  }
  return cost;
}

/* The same over a graph. */
static double sum_edges(wend_search *s) {
  const wend_graph *graph = s->graph;
  double cost = 0;
  for (uint32_t i = 0; i + 1 < s->path_length; i++) {
    const uint32_t edge = wend_slots_find(&graph->edges, s->path_edges[i]);
    const uint32_t from = graph->edges.value[edge]; /* the node that the edge comes from */
    cost += wend_edge_cost(&s->stepper, edge, from != wend_slots_find(&graph->nodes, s->path_nodes[i]));
  }
  return s->stepper.invalid ? NAN : cost;
}

double wend_pathfinder_sum(wend_search *s) { return s->graph != NULL ? sum_edges(s) : sum_cells(s); }

/* Turns a list of ids around. */
static void reverse(wend_id *ids, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    const wend_id id = ids[i];
    ids[i] = ids[count - 1 - i];
    ids[count - 1 - i] = id;
  }
}

/* Appends a place to those from which lay_cells makes the path. path_nodes has at least as much room. False: no memory. */
static bool append_place(wend_search *s, uint32_t place) {
  if (s->path_length >= s->path_edges_capacity && !wend_search_reserve_path(s, (uint64_t)s->path_length + 1)) return false;
  s->path_edges[s->path_length++] = place;
  return true;
}

/* Adds the costs of a leg that begins at a place and a cell, step by step. */
static double add_leg(wend_search *s, const path_leg *taken, uint32_t place, wend_id cell, double cost) {
  if (has_legs(s)) {
    for (uint32_t i = 0; i < taken->steps; i++) cost += cost_of_cell_step(s, place += taken->places, taken->places);
  } else if (s->summed) {
    for (uint32_t i = 0; i < taken->steps; i++, cell += taken->cells)
      cost += wend_step_between(&s->stepper, cell, cell + taken->cells);
  }
  return cost;
}

/* Makes the path over a grid from the places in path_edges, which come from its end back: those of its steps, or the ends of its
 * legs. Sums its cost in the order of travel; NaN: a cost is invalid. False: no memory. */
static bool lay_cells(wend_search *s, double *cost) {
  const bool legs = has_legs(s), filled = !s->opts.corners || s->detour.wanted;
  uint32_t left = s->path_length - 1, place = (uint32_t)s->path_edges[left], length = 1;
  wend_id cell = wend_search_id(s, place);
  *cost = 0;
  s->path_nodes[0] = cell;
  while (left-- > 0) {
    const uint32_t to = (uint32_t)s->path_edges[left];
    const path_leg next = legs ? leg_between(s, place, to) : (path_leg){1, to - place, wend_search_id(s, to) - cell};
    *cost = add_leg(s, &next, place, cell, *cost);
    if (legs && filled) {
      if (!wend_search_reserve_path(s, (uint64_t)length + next.steps)) return false;
      for (uint32_t i = 1; i < next.steps; i++) s->path_nodes[length++] = cell + i * next.cells;
    }
    s->path_nodes[length++] = cell += next.steps * next.cells;
    place = to;
  }
  s->path_length = length;
  if (s->stepper.invalid) *cost = NAN;
  return true;
}

/* Appends the places between two in one row, column or diagonal. False: no memory. */
static bool append_between(wend_search *s, uint32_t from, uint32_t to) {
  const path_leg way = leg_between(s, from, to);
  for (uint32_t i = 1; i < way.steps; i++)
    if (!append_place(s, from + i * way.places)) return false;
  return true;
}

/* Appends what is between a jump point and its parent: the corner, or on a grid with portals all cells. False: no memory. */
static bool append_jump(wend_search *s, uint32_t parent, uint32_t place) {
  const uint32_t bend = corner_of_jump(s, parent, place);
  const bool all = !has_legs(s);
  if ((wend_marks_of(&s->marks, place)->stamp & MARK_LINKED) != 0) return true;
  if (all && !append_between(s, place, bend)) return false;
  if (bend != place && bend != parent && !append_place(s, bend)) return false;
  return !all || append_between(s, bend, parent);
}

/* Appends the places of the stretch between two places, from its end back. STALE: there is none any more. NO_MEMORY. */
static wend_status append_stretch(wend_search *s, uint32_t from, uint32_t to) {
  const uint32_t arc = s->graph != NULL ? wend_marks_arrival(&s->marks, to)->via : WEND_NONE;
  const uint32_t last = wend_stretch_find(&s->stretch, from, wend_marks_of(&s->marks, from)->g, to, arc);
  if (last == WEND_NONE) return s->stretch.failed ? WEND_NO_MEMORY : WEND_STALE;
  for (uint32_t n = last; n != 0; n = s->stretch.items[n].before) {
    const wend_stretch_item *item = &s->stretch.items[n];
    if (!append_place(s, item->place)) return WEND_NO_MEMORY;
    if (s->graph == NULL) continue;
    s->path_nodes[s->path_length - 1] = wend_search_id(s, item->place);
    s->path_edges[s->path_length - 1] = wend_search_edge(s, item->via);
  }
  return WEND_OK;
}

/* Follows parents from s->traced on, and appends the places to the path, which is turned around at the end. Steps over cells that
 * go on in one direction become one leg. *left: how many places it may visit; subtracts those that it has visited. RUNNING, OK,
 * NO_MEMORY. */
static wend_status trace_path(wend_search *s, uint64_t *left) {
  uint32_t place = s->traced, before = place, step = WEND_NONE, parent;
  double cost = 0;
  for (;; before = place, place = parent) {
    if (*left == 0) return s->traced = place, WEND_RUNNING;
    --*left;
    parent = wend_marks_of(&s->marks, place)->parent;
    if (s->expansion == EXPAND_CELLS && place - before == step && !wend_search_stretches(s))
      s->path_edges[s->path_length - 1] = place;
    else if (!append_place(s, place)) return WEND_NO_MEMORY;
    step = place - before;
    if (s->graph != NULL) s->path_nodes[s->path_length - 1] = wend_search_id(s, place);
    if (parent == WEND_NONE) break;
    if (s->graph != NULL) s->path_edges[s->path_length - 1] = wend_search_edge(s, wend_marks_arrival(&s->marks, place)->via);
    if (s->expansion == EXPAND_JUMPS && !append_jump(s, parent, place)) return WEND_NO_MEMORY;
    if (wend_search_stretches(s)) {
      const wend_status status = append_stretch(s, parent, place);
      if (status != WEND_OK) return status;
    }
  }
  s->traced = WEND_NONE;
  if (s->graph != NULL) {
    reverse(s->path_nodes, s->path_length);
    reverse(s->path_edges, s->path_length - 1);
  } else if (!lay_cells(s, &cost)) {
    return WEND_NO_MEMORY;
  }
  s->path_cost = s->summed ? wend_marks_of(&s->marks, place)->g + cost : wend_marks_of(&s->marks, s->trace_end)->g;
  s->path_cost = wend_kernel_beyond_goal(s, s->trace_end, s->path_cost);
  return WEND_OK;
}

/* Begins to store the path to a place. */
static void begin_trace(wend_search *s, uint32_t place) {
  s->traced = s->trace_end = place;
  s->path_length = 0;
}

wend_status wend_pathfinder_take_path(wend_search *s, uint32_t place) {
  uint64_t all = UINT64_MAX;
  begin_trace(s, place);
  return trace_path(s, &all);
}

wend_status wend_pathfinder_take_nearest(wend_search *s) {
  if (s->expansion == EXPAND_JUMPS) {
    const bool known = wend_marks_has(&s->marks, s->nearest);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, s->nearest);
    if (mark == NULL) return WEND_NO_MEMORY;
    if (!known || s->nearest_cost < mark->g) { /* a scan has passed it */
      mark->g = s->nearest_cost;
      mark->parent = s->nearest_parent;
      mark->stamp = s->marks.epoch;
    }
    s->agent = NULL; /* the search has ended, and no longer holds it */
  }
  return wend_pathfinder_take_path(s, s->nearest);
}

int wend_leg_direction(const wend_grid *grid, wend_id from, wend_id to) {
  const int64_t width = grid->width, a = (int64_t)from - 1, b = (int64_t)to - 1;
  const int64_t dx = b % width - a % width, dy = b / width - a / width;
  double weight;
  uint32_t tag;
  const int direction = 3 * ((dy > 0) - (dy < 0)) + (dx > 0) - (dx < 0) + 4;
  if (dx != 0 && dy != 0 && dx != dy && dx != -dy) return -1;
  if (grid->portal_count > 0 && wend_grid_find_portal(grid, from, to, &weight, &tag)) return -1;
  return direction - (direction > 4);
}

/* A leg does not go on to a cell to which a portal leads from its first one: the two would mean the portal. */
uint32_t wend_keep_corners(const wend_grid *grid, wend_id *cells, uint32_t length) {
  uint32_t kept = length > 0;
  int before = -1;
  for (uint32_t i = 1; i < length; i++) {
    const int direction = wend_leg_direction(grid, cells[kept - 1], cells[i]);
    if (direction >= 0 && direction == before && wend_leg_direction(grid, cells[kept - 2], cells[i]) >= 0) kept--;
    cells[kept++] = cells[i];
    before = direction;
  }
  return kept;
}

void wend_search_keep_corners(wend_search *s, const wend_grid *grid) {
  s->path_length = wend_keep_corners(grid, s->path_nodes, s->path_length);
}

uint32_t wend_pathfinder_best_goal(const wend_search *s) {
  uint32_t best = s->goals.places[0];
  for (uint32_t k = 1; k < s->goals.count; k++) {
    uint32_t goal = s->goals.places[k];
    double a = wend_kernel_beyond_goal(s, goal, wend_marks_of(&s->marks, goal)->g);
    double b = ends_path(s, best) ? wend_kernel_beyond_goal(s, best, wend_marks_of(&s->marks, best)->g) : INFINITY;
    uint32_t a_edges = s->graph != NULL ? wend_marks_arrival(&s->marks, goal)->edge_count : 0;
    uint32_t b_edges = s->graph != NULL ? wend_marks_arrival(&s->marks, best)->edge_count : 0;
    if (!ends_path(s, goal) || a > b || (a == b && a_edges > b_edges)) continue;
    if (a < b || a_edges < b_edges || wend_search_id(s, goal) < wend_search_id(s, best)) best = goal;
  }
  return best;
}

/* Ends a search whose path is stored, if it has one. */
static wend_status end_search(wend_search *s, wend_status status) {
  /* Rounding, or the costs at the ends, may put the path above max_cost only now. */
  if (status == WEND_OK && s->path_cost > (wend_search_turns_on(s) ? s->g_ceiling : s->opts.max_cost)) status = WEND_BUDGET;
  if (status == WEND_NO_PATH && s->goals.count == 0) status = WEND_OK; /* a search without a goal ends with an empty queue */
  if (status == WEND_NO_PATH && s->pruned && s->opts.max_cost < INFINITY) status = WEND_BUDGET;
  wend_buckets_empty(&s->buckets);
  wend_heap_empty(&s->heap);
  s->traced = WEND_NONE;
  wend_search_drop_view(s);
  return s->status = status;
}

/* ---- The direct walk ---------------------------------------------------------------------------------------- */

/* From a start to a goal nearby most ways are open, and cost the same all along. So before the first slice the search tries a
 * walk: diagonal steps, then straight ones, or the straight ones first. If each cell on it costs the least price of the map, the walk
 * costs what the estimate says, and no path costs less. No cell is expanded then, and the size of the map does not matter.
 *
 *        . . . . G        From S to G: two diagonal steps, then two straight ones. If a cell on this walk is closed, or
 *        . . x x .        costs more, the search tries the straight ones first: x x.
 *        S . . . .                                                                     */
#define WALK_STEPS_MAX 32

/* Whether a step of the walk is open, and costs the least price. */
static bool is_walk_step(wend_search *s, uint32_t from, int direction, double least) {
  const uint32_t to = (uint32_t)(from + wend_offset(s->region.stride, direction));
  const wend_cell_cost *cost = &s->agent->costs[s->region.kinds[to]];
  if (!(cost->straight <= least * (1 + 1e-12) && cost->diagonal <= least * s->grid->diagonal_length * (1 + 1e-12)))
    return false;
  return (!IS_DIAGONAL(direction) && s->grid->wall_count == 0 && s->grid->fit == NULL) ||
         wend_step_cell(&s->stepper, from, direction, 0, INFINITY, NULL) < INFINITY;
}

/* Walks, and stores the cells as the path. x, y: the goal's distance. least: the price. Returns the place that it cannot enter;
 * WEND_NONE: it has arrived. */
static uint32_t take_walk(wend_search *s, uint32_t place, int x, int y, double least, bool straight_first) {
  const int across = x < 0 ? WEST : EAST, down = y < 0 ? NORTH : SOUTH;
  const int diagonal = y < 0 ? (x < 0 ? NORTH_WEST : NORTH_EAST) : x < 0 ? SOUTH_WEST : SOUTH_EAST;
  const int wide = x < 0 ? -x : x, high = y < 0 ? -y : y, longer = wide > high ? wide : high, shorter = wide + high - longer;
  s->path_length = 0;
  for (int i = 0;; i++) {
    int direction = wide > high ? across : down;
    s->path_nodes[s->path_length++] = wend_search_id(s, place);
    if (i == (s->grid->diagonals == WEND_NEVER ? wide + high : longer)) return WEND_NONE;
    if (s->grid->diagonals == WEND_NEVER) direction = (straight_first ? i < high : i >= wide) ? down : across;
    else if (straight_first ? i >= longer - shorter : i < shorter) direction = diagonal;
    if (!is_walk_step(s, place, direction, least)) return (uint32_t)(place + wend_offset(s->region.stride, direction));
    place = (uint32_t)(place + wend_offset(s->region.stride, direction));
  }
}

wend_status wend_pathfinder_walk(wend_search *s) {
  const uint32_t stride = s->region.stride, from = wend_search_place(s, s->walk_from), to = s->goals.places[0];
  const int64_t x = (int64_t)(to % stride) - from % stride, y = (int64_t)(to / stride) - from / stride;
  wend_shortcuts shortcuts;
  double least;
  s->walk_from = WEND_NO_ID;
  if (x < -WALK_STEPS_MAX || x > WALK_STEPS_MAX || y < -WALK_STEPS_MAX || y > WALK_STEPS_MAX) return WEND_RUNNING;
  s->agent = wend_search_view(s, s->grid, &s->opts.costs, BITS_NONE, true);
  if (s->agent == NULL || !wend_search_reserve_path(s, 2 * WALK_STEPS_MAX + 1))
    return wend_pathfinder_finish(s, WEND_NO_MEMORY);
  least = wend_grid_is_plain(s->grid, &s->opts.costs) ? s->agent->summary.least : summarize(s, &shortcuts).least;
  for (int order = 0; order < 2; order++) {
    s->walk_blocked[order] = take_walk(s, from, (int)x, (int)y, least, order == 1);
    if (s->walk_blocked[order] != WEND_NONE) continue;
    s->path_cost = wend_marks_of(&s->marks, from)->g + sum_cells(s) + wend_kernel_cost_beyond(s, to);
    if (s->opts.partial && s->path_cost > s->opts.max_cost) break; /* the search finds the nearest cell */
    return end_search(s, WEND_OK);
  }
  s->path_length = 0;
  if (s->expansion == EXPAND_GRID) s->agent = NULL;
  return WEND_RUNNING;
}

wend_status wend_pathfinder_finish(wend_search *s, wend_status status) {
  if (s->opts.reach_only) s->path_length = 0, s->path_cost = 0;
  else if (status == WEND_OK) status = wend_pathfinder_take_path(s, wend_pathfinder_best_goal(s));
  return end_search(s, status);
}

wend_status wend_pathfinder_trace(wend_search *s, uint64_t *left) {
  const uint64_t before = *left;
  const wend_status status = trace_path(s, left);
  s->stats.tables += before - *left;
  return status == WEND_RUNNING ? status : end_search(s, status);
}

/* The candidate may cost this share more than assumed, by rounding: its steps are added in another order. */
#define PROMISE_ROUNDING 1e-12

/* After the kernel has found a goal: asks along the path to it, if the search trusts. OK: its path is the result. RUNNING: it is not,
 * and the search has begun again. ABORTED, NO_MEMORY. */
static wend_status check_promises(wend_search *s) {
  wend_status status;
  uint32_t goal;
  double cost, before;
  if (s->stepper.asking != ASKING_NEVER) return WEND_OK;
  s->stepper.asking = ASKING_ALWAYS;
  goal = wend_pathfinder_best_goal(s);
  status = wend_pathfinder_take_path(s, goal);
  if (status != WEND_OK) return status;
  cost = wend_pathfinder_sum(s);
  if (!(cost >= 0)) return WEND_ABORTED;
  before = wend_marks_of(&s->marks, wend_search_place(s, s->path_nodes[0]))->g;
  if (before + cost <= wend_marks_of(&s->marks, goal)->g * (1 + PROMISE_ROUNDING)) return WEND_OK;
  status = search_again(s);
  return status == WEND_OK ? WEND_RUNNING : status;
}

wend_status wend_pathfinder_run(wend_search *s, uint64_t limit) {
  wend_status status;
  /* The tables may lie elsewhere now, or be gone. */
  if (has_tables(s) && !tables_hold(s, false)) return wend_pathfinder_finish(s, WEND_STALE);
  do {
    status = wend_kernel_run(s, limit);
    if (s->buckets.failed) status = WEND_NO_MEMORY; /* a node was lost, so the result may be wrong */
    if (status == WEND_OK) status = check_promises(s);
    if (status == WEND_OK && s->slice_tables && !s->opts.reach_only && !s->detour.wanted)
      return begin_trace(s, wend_pathfinder_best_goal(s)), WEND_RUNNING;
    if (status != WEND_RUNNING) return wend_pathfinder_finish(s, status);
    /* Below the limit, RUNNING means that the search has changed to the heap, or begun again. */
  } while (s->stats.expanded < limit);
  return s->stats.expanded < s->opts.max_expanded ? WEND_RUNNING : wend_pathfinder_finish(s, WEND_BUDGET);
}
