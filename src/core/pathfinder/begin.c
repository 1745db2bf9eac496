/* SPDX-License-Identifier: MIT */
/* Before the kernel runs: prepares a search, in this order: the map, the expansion, the marks, the goals, the heuristic,
 * the variation, the tables, the queue, the starts. Each of these reads what those before it have set.
 *
 * The expansion decides how the kernel runs on a grid:
 *
 *   EXPAND_JUMPS   around most cells all cells cost the same: jump point search
 *   EXPAND_CELLS   weights and tags alone decide the costs: a table of costs by kind, or the weight of each cell; layers may add
 *   EXPAND_GRID    everything else: step.h computes each cost
 *
 * On a prepared map, begin_landmarks chooses between its tables and the straight distance. A trip that the tables know to be
 * short does without them. */
#include "core/pathfinder/begin.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/map/neighbours.h"
#include "core/pathfinder/walk.h"
#include "core/search/ends.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

/* Prepares the marks. False: no memory. */
static bool begin_marks(wend_search *s) {
  const uint32_t places = s->graph != NULL ? s->graph->place_count : wend_place_count(s->region.width, s->region.height);
  const unsigned columns = (s->graph != NULL ? MARKS_ARRIVALS : 0) | (s->weighted ? MARKS_DIRECTIONS : 0);
  return wend_marks_begin(&s->marks, &s->alloc, places, columns, s->opts.compact);
}

/* The next greater number; the same one if there is none. */
static double next_above(double number) { return number < INFINITY ? nextafter(number, INFINITY) : number; }

/* Sets the bounds from the greatest cost in the world of the search. */
static void set_bounds(wend_search *s, double most) {
  const double max_cost = wend_search_turns_on(s) ? wend_turn_points(&s->turn_rule, most) : most;
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
  s->walked = false;
  s->near = false;
  set_bounds(s, s->opts.max_cost * (1 + s->noise.most)); /* a path of that cost may come to so much */
  s->goals.any_cost = false;
}

/* The first part of the preparation, which all searches share. */
static wend_status begin_map(wend_search *s, wend_map *map, const wend_region *region, const wend_search_opts *opts) {
  wend_status status;
  wend_search_clear(s);
  s->graph = map->is_grid ? NULL : (wend_graph *)map;
  s->grid = map->is_grid ? (wend_grid *)map : NULL;
  s->view = NULL;
  if (s->graph != NULL) {
    status = wend_graph_sync(s->graph);
    if (status != WEND_OK) return status;
    s->expansion = EXPAND_GRAPH;
  } else {
    s->whole = wend_grid_region(s->grid);
    s->region = region != NULL ? *region : s->whole;
  }
  s->opts = *opts;
  /* A partial path may end anywhere, so only the true costs on the way tell whether max_cost allows it. */
  s->noise.same = s->settles = false;
  s->noise.most = opts->partial && opts->max_cost < INFINITY ? 0 : opts->variation;
  s->edge_given = opts->costs.edge;
  if (s->grid != NULL && !wend_grid_asks(s->grid, &opts->costs)) s->opts.costs.edge = NULL;
  memset(&s->stats, 0, sizeof s->stats);
  if (!wend_heap_reserve(&s->heap, &s->alloc, 1)) return WEND_NO_MEMORY;
  s->map = map, s->tables = map;
  if (s->reading.body != WEND_NONE && map == wend_search_eroded(s)) s->tables = s->reading.map;
  s->estimator.graph = s->graph, s->estimator.grid = map->is_grid ? (const wend_grid *)s->tables : NULL;
  s->estimator.squares = map->is_grid && s->grid->shape == WEND_SQUARES;
  s->estimator.region = &s->region, s->estimator.goals = &s->goals;
  s->estimator.fn = opts->heuristic_fn, s->estimator.ud = opts->heuristic_ud;
  s->stepper = s->graph != NULL ? wend_graph_stepper(s->graph, &s->opts.costs) : wend_grid_stepper(s->grid, &s->opts.costs);
  if (s->grid != NULL) s->stepper.region = s->region;
  if (s->tables != map && s->opts.costs.edge != NULL) s->stepper.base = (const wend_grid *)s->tables;
  s->stepper.callbacks = &s->stats.callbacks;
  (void)wend_turns_tags(map, &s->opts.costs, &s->passing);
  s->turn_rule = wend_turn_rule_of(&opts->turns);
  begin_progress(s);
  return WEND_OK;
}

/* Whether a path may end at a place; beyond: at a closed goal one step beyond it. */
static bool may_end_at(const wend_search *s, uint32_t place, bool beyond) {
  return !s->passing || beyond || !wend_turn_passes(&s->stepper, place);
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
  goals->count = goals->aims = count;
  goals->steps = ends == s->ends.list ? s->ends.steps : NULL;
  for (uint32_t k = 0; k < count; k++, point += dimensions) {
    const uint32_t place = wend_search_place(s, ends[k].at);
    const bool known = wend_marks_has(&s->marks, place);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
    if (mark == NULL) return WEND_NO_MEMORY;
    goals->places[k] = place;
    goals->costs[k] = ends[k].cost;
    if (ends[k].cost > 0) goals->any_cost = true;
    mark->stamp = s->marks.epoch | (known ? mark->stamp & MARK_GOAL : 0);
    if (!goals->tested && may_end_at(s, place, goals->steps != NULL && goals->steps[k].goal != ends[k].at))
      mark->stamp |= MARK_GOAL;
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
static bool allows_jumps(const wend_search *s, uint32_t goal_count) {
  const wend_search_opts *opts = &s->opts;
  return s->grid->kinds != NULL && s->grid->shape == WEND_SQUARES && s->grid->fit == NULL && s->stepper.body == 1 &&
         opts->costs.influence_count == 0 && (opts->costs.edge == NULL || asks_freely(s)) && goal_count > 0 &&
         !s->goals.tested && opts->heuristic == WEND_AUTO &&
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
          (rule == WEND_BOTH_OPEN && s->grid->diagonal_length <= WEND_JUMP_DIAGONAL_MAX));
}

/* Makes room for patterns. False: no memory. */
static bool begin_patterns(wend_search *s) {
  if (s->patterns != NULL) return true;
  s->pattern_bits = s->opts.compact ? PATTERNS_BITS_COMPACT : PATTERNS_BITS;
  if (!WEND_RESIZE(&s->alloc, s->patterns, s->patterns_capacity, 1u << s->pattern_bits)) return false;
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
static wend_status begin_grid(wend_search *s, uint32_t goal_count, wend_shortcuts *shortcuts) {
  const wend_grid *grid = s->grid;
  const wend_search_opts *opts = &s->opts;
  const bool plain = wend_grid_is_plain(grid, &opts->costs) && s->stepper.body == 1, jumps = allows_jumps(s, goal_count);
  bool uniform;
  s->expansion = EXPAND_GRID;
  if (jumps || (plain && opts->heuristic != WEND_CUSTOM && notes_nearest(s) && goal_count > 0)) {
    s->view = wend_search_view(s, grid, &opts->costs, BITS_NONE, true);
    if (s->view == NULL) return WEND_NO_MEMORY;
    if (plain && notes_nearest(s)) s->expansion = EXPAND_CELLS;
  }
  s->summary = plain && s->view != NULL ? s->view->summary : summarize(s, shortcuts);
  s->width = wend_bucket_width(s->summary.typical);
  s->jump_cost = s->summary.uniform;
  s->noise.same = s->summary.uniform > 0 && plain && opts->costs.influence_count == 0;
  uniform = jumps && !(s->noise.most > 0) && is_uniform(s, goal_count);
  s->weighted = jumps && !uniform && (s->noise.same || !(s->noise.most > 0)) && is_weighted(s);
  if (s->weighted && !begin_patterns(s)) return WEND_NO_MEMORY;
  if (s->weighted || uniform) s->expansion = EXPAND_JUMPS;
  if (s->expansion == EXPAND_GRID) s->view = NULL;
  return WEND_OK;
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

/* Where the cost of the path is summed again, wend_pathfinder_finish checks the exact cost. */
static void raise_ceiling(wend_search *s) {
  if ((s->summed || s->noise.most > 0) && s->goals.count > 0) s->g_ceiling = next_above(s->g_ceiling * (1 + 1e-9));
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

/* Lets the estimator know the shortcuts. least: the least cost per length of all steps, which counts if they are too many. */
static void take_shortcuts(wend_search *s, const wend_end *starts, uint32_t start_count, wend_shortcuts *shortcuts,
                           double least) {
  wend_estimator *e = &s->estimator;
  const wend_heuristic_kind kind = e->kind;
  double point[3] = {0, 0, 0};
  const double straight = estimate_starts(s, starts, start_count);
  if (start_count == 1) (void)wend_point_of(e, wend_search_place(s, starts[0].at), point);
  e->kind = HEURISTIC_GENERAL;
  if (wend_estimator_take(e, shortcuts, straight, start_count == 1 ? point : NULL)) {
    e->knows_shortcuts = e->way_in_count > 0 || e->most < INFINITY || e->saved > 0;
    s->stats.shortcuts = e->way_in_count, s->stats.lowered = e->saved;
  } else {
    e->scale = least / wend_metric_excess(e, e->metric);
    s->stats.bound = least;
  }
  if (!e->knows_shortcuts) e->kind = e->scale > 0 ? kind : HEURISTIC_ZERO;
}

/* Chooses the kind of the estimate and its scale. */
static void begin_heuristic(wend_search *s, const wend_end *starts, uint32_t start_count, wend_shortcuts *shortcuts) {
  wend_estimator *e = &s->estimator;
  const wend_heuristic metric = s->opts.heuristic;
  const size_t dimensions = s->grid != NULL ? 2 : (size_t)s->graph->dimensions;
  const double all = least_cost(s, metric, &s->summary);
  const bool hexes = s->grid != NULL && s->grid->shape != WEND_SQUARES;
  double least = all;
  e->knows_shortcuts = false;
  e->way_in_count = 0;
  e->most = INFINITY, e->saved = 0;
  if (!(wend_search_distance(s) < INFINITY)) least = 0; /* ends may be anywhere */
  if (s->goals.count == 0 || !(wend_search_distance(s) < INFINITY)) shortcuts->count = 0;
  else least = find_shortcuts(s, least, shortcuts);
  /* One step along an edge or a portal may lower an estimate by any amount, and yet add little to g: see turns.h. */
  if (s->turn_rule.any && (s->graph != NULL || s->grid->live_portals > 0)) least = 0, shortcuts->count = 0;
  e->metric = metric == WEND_AUTO || (hexes && metric != WEND_CUSTOM && metric != WEND_ZERO) ? default_metric(s) : metric;
  e->kind = metric == WEND_CUSTOM && !s->goals.tested ? HEURISTIC_GENERAL : HEURISTIC_ZERO;
  e->scale = 0;
  s->stats.bound = least;
  if (least > 0) {
    e->scale = least / wend_metric_excess(e, e->metric);
    e->kind = HEURISTIC_GENERAL;
    if (s->goals.count == 1 && !s->goals.tested && s->expansion != EXPAND_GRID && wend_counts_squares(e, e->metric))
      e->kind = HEURISTIC_CELLS;
    if (s->goals.count == 1 && !s->goals.tested && s->graph != NULL && e->metric == WEND_EUCLIDEAN)
      e->kind = dimensions == 2 ? HEURISTIC_EUCLIDEAN_2D : HEURISTIC_EUCLIDEAN_3D;
  }
  if (s->turn_rule.any && least > 0) {
    s->turn_rule.length += least * fmax(1, s->grid->diagonal_length);
    set_bounds(s, s->opts.max_cost * (1 + s->noise.most));
  }
  e->around = false;
  e->nearer = least > 0 ? wend_search_distance(s) * wend_metric_most(e, e->metric) : 0;
  if (s->goals.steps != NULL && s->ends.around && least > 0) wend_estimator_around(e);
  if (s->goals.count == 1 && (least > 0 || s->expansion == EXPAND_JUMPS))
    memcpy(e->target, s->goals.points + 2 * dimensions, dimensions * sizeof *e->target);
  if (shortcuts->count > 0) take_shortcuts(s, starts, start_count, shortcuts, all);
  if (e->kind == HEURISTIC_GENERAL && s->goals.count == 1 && least > 0 && e->nearer == 0 && !e->knows_shortcuts &&
      wend_counts_hexes(e, e->metric))
    e->kind = HEURISTIC_HEXES;
  s->fewest_edges = s->graph != NULL && e->kind == HEURISTIC_ZERO;
  s->summed = s->grid != NULL && s->opts.costs.edge == NULL;
  s->slack = s->summed ? s->summary.least * WEND_SLACK : 0;
  if (s->weighted && !(s->summary.least > 0)) s->slack = s->summary.cheapest * WEND_SLACK;
  raise_ceiling(s);
  if (wend_search_turns_on(s)) s->summed = false; /* wend_turns_count does it */
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
  const bool hexes = s->grid != NULL && s->grid->shape != WEND_SQUARES; /* their planes are of squares */
  const bool none = s->turn_rule.any || s->goals.tested || hexes;
  const wend_prepared *prepared = none ? NULL : wend_prepared_choose(s->tables, &s->opts.costs);
  if (prepared != NULL && !is_short_trip(s, prepared, starts, start_count)) begin_landmarks(s, prepared, starts, start_count);
  leave_jumps(s);
}

bool wend_pathfinder_find_tables(wend_search *s) {
  if (s->grid != NULL) return wend_plane_bounds_find(&s->estimator.plane_bounds, s->tables);
  return wend_goal_bounds_find(&s->estimator.goal_bounds, s->map);
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
  if (wend_search_has_tables(s)) s->width /= FINER;
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

/* The straight distance of a trip is this many large blocks. */
#define BLOCKS_OF_TRIP 12
/* The side of the large blocks of floods, which are for trips of all distances. */
#define FLOOD_BLOCK 16.0

/* The side of the large blocks for a trip from a start to the nearest goal. */
static double block_of_trip(const wend_search *s, uint32_t start) {
  return wend_goal_distance(&s->estimator, WEND_EUCLIDEAN, start) / BLOCKS_OF_TRIP;
}

/* The same for a flood: in cells, or in mean lengths of edges. */
static double block_of_flood(const wend_search *s) {
  const wend_graph *graph = s->graph;
  double sum = 0, count = 0;
  if (graph == NULL) return FLOOD_BLOCK;
  for (uint32_t slot = 0; slot < graph->nodes.count; slot++) {
    const uint32_t place = graph->nodes.value[slot];
    if (place == WEND_NONE) continue;
    for (uint32_t i = graph->out[place].first; i < graph->out[place].end; i++, count++)
      sum += wend_graph_distance(graph, place, graph->arc_to[i]);
  }
  return count > 0 ? sum / count * FLOOD_BLOCK : 0;
}

/* Sets the blocks of the variation, for a trip from a place, or with WEND_NONE for a flood. NO_MEMORY. */
static wend_status begin_noise(wend_search *s, uint32_t start) {
  wend_noise *noise = &s->noise;
  const bool placed = s->grid != NULL || (s->graph->points != NULL && s->graph->unplaced == 0);
  double large = 0;
  if (!(noise->most > 0)) return WEND_OK;
  if (noise->known == NULL && !WEND_RESIZE(&s->alloc, noise->known, noise->known_capacity, WEND_KNOWN_FACTORS))
    return WEND_NO_MEMORY;
  memset(noise->known, 0, WEND_KNOWN_FACTORS * sizeof *noise->known);
  if (placed) large = start != WEND_NONE ? block_of_trip(s, start) : block_of_flood(s);
  wend_set_noise(noise, s->opts.seed, large, s->grid != NULL ? &s->region : NULL);
  return WEND_OK;
}

/* Whether no path ends at a goal: paths may only pass all of them, or no step leads to the only one, because its cell is closed.
 * Then the search need not run. */
static bool is_goal_closed(const wend_search *s, const wend_end *starts, uint32_t start_count) {
  const uint32_t goal = s->goals.places[0];
  uint32_t k = 0;
  if (s->goals.tested) return false;
  while (s->passing && k < s->goals.count && !wend_search_ends_path(s, s->goals.places[k])) k++;
  if (s->passing && k == s->goals.count && !s->opts.partial) return true;
  if (s->view == NULL || s->goals.count > 1 || start_count > 1 || s->opts.partial) return false;
  return wend_search_place(s, starts[0].at) != goal &&
         wend_agent_view_cost(s->view, s->grid, &s->region, goal).straight == INFINITY;
}

/* Bounds f by the cost of a walk forward, if there is one (walk.c). What is dropped costs more than the path, and the order of the
 * rest stays, so ties are the same. */
static void bound_near(wend_search *s, const wend_end *starts) {
  double bound;
  if (!s->walk_tried || s->replaced > WEND_REPLACED_MAX || s->opts.partial || s->expansion != EXPAND_JUMPS || s->weighted)
    return;
  bound = starts[0].cost + wend_estimate(&s->estimator, wend_search_place(s, starts[0].at));
  bound += s->replaced * (2 - s->grid->diagonal_length) * s->jump_cost;
  s->near = bound < s->f_ceiling;
  if (s->near) s->f_ceiling = bound * (1 + 1e-9); /* rounding must not drop the walk itself */
}

/* Whether the direct walk may be tried. */
static bool allows_walk(const wend_search *s, uint32_t start_count, uint32_t goal_count) {
  return !s->walk_tried && s->grid != NULL && start_count == 1 && goal_count == 1 && allows_jumps(s, 1) &&
         s->summary.least > 0 && !(s->noise.most > 0) && !s->opts.reach_only;
}

/* Whether a walk from that start to that goal needs nothing that is prepared later: a promise does, and so do ends, and shortcuts,
 * which statistics show. */
static bool walks_first(const wend_search *s, const wend_end *goal, const wend_shortcuts *shortcuts) {
  const wend_costs *costs = &s->opts.costs;
  return (costs->tags == NULL || costs->tags != s->promises.least) && costs->edge == NULL && !wend_search_has_ends(&s->opts) &&
         shortcuts->count == 0 && may_end_at(s, wend_search_place(s, goal->at), false);
}

wend_status wend_pathfinder_begin_again(wend_search *s) {
  wend_goals *goals = &s->goals;
  const wend_end *ends = goals->tested ? s->ends.near.goals : s->ends.list;
  const bool weighted = s->weighted;
  wend_status status;
  if (goals->tested) s->ends.count = 0, s->ends.place = WEND_NONE;
  if (goals->steps == NULL && !goals->tested) {
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
  s->weighted = weighted;
  raise_ceiling(s);
  if (!begin_marks(s)) return WEND_NO_MEMORY;
  status = begin_goals(s, ends, goals->aims);
  return status == WEND_OK ? begin_starts(s, s->promises.starts, s->promises.start_count) : status;
}

/* Begins all that needs no function of the caller. Not inlined: the list of shortcuts is large, and functions of the caller may
 * begin searches in searches. */
static WEND_NOINLINE wend_status begin_quietly(wend_search *s, const wend_end *starts, uint32_t start_count,
                                               const wend_end *goals, uint32_t goal_count) {
  wend_status status = WEND_OK;
  wend_shortcuts shortcuts;
  bool walks, first;
  shortcuts.count = 0, shortcuts.least = 0;
  if (s->grid != NULL) status = begin_grid(s, goal_count, &shortcuts);
  walks = status == WEND_OK && allows_walk(s, start_count, goal_count);
  first = walks && walks_first(s, goals, &shortcuts);
  if (first) {
    status = wend_find_walk(s, starts, goals);
    s->walked = status == WEND_OK;
    s->stats.bound = least_cost(s, WEND_AUTO, &s->summary);
    if (status != WEND_RUNNING) return status;
    status = WEND_OK;
  }
  if (status == WEND_OK && !begin_marks(s)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) status = begin_goals(s, goals, goal_count);
  if (status == WEND_OK && walks && !first && wend_search_ends_path(s, s->goals.places[0])) s->walk_from = starts[0].at;
  if (status == WEND_OK && !begin_goal_lines(s)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) begin_heuristic(s, starts, start_count, &shortcuts);
  return status;
}

wend_status wend_pathfinder_prepare(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                    const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts) {
  wend_status status = begin_map(s, map, NULL, opts);
  s->back = false;
  s->goals.tested = goals == s->ends.near.goals && s->ends.tested;
  if (status == WEND_OK) status = begin_quietly(s, starts, start_count, goals, goal_count);
  if (status == WEND_OK && !s->walked) status = begin_noise(s, wend_search_place(s, starts[0].at));
  if (status != WEND_OK) {
    wend_search_clear(s);
    return status;
  }
  s->status = WEND_RUNNING;
  if (s->walked) return WEND_OK;
  begin_tables(s, starts, start_count);
  if (is_goal_closed(s, starts, start_count)) {
    begin_queue(s, 0);
    return WEND_OK;
  }
  bound_near(s, starts);
  status = begin_starts(s, starts, start_count);
  if (status == WEND_ABORTED) s->status = status;
  return status;
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
  s->goals.count = 0;
  s->goals.tested = false;
  s->back = back;
  set_bounds(s, opts->max_cost);
  s->f_ceiling = s->g_ceiling;
  if (status == WEND_OK && s->grid != NULL) status = begin_grid(s, 0, &shortcuts);
  if (status == WEND_OK && !begin_marks(s)) status = WEND_NO_MEMORY;
  if (status == WEND_OK && !wend_heap_reserve(&s->heap, &s->alloc, root_count)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) status = begin_noise(s, WEND_NONE);
  if (status != WEND_OK) {
    wend_search_clear(s);
    return status;
  }
  begin_heuristic(s, NULL, 0, &shortcuts);
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
