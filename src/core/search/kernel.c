/* SPDX-License-Identifier: MIT */
/* The search kernel: label-correcting A* (P. Hart, N. Nilsson, B. Raphael, "A formal basis for the heuristic determination of
 * minimum cost paths", 1968). Without a heuristic it is Dijkstra's algorithm (E. W. Dijkstra, "A note on two problems in
 * connexion with graphs", 1959). The textbook loop, and the function below that does each line:
 *
 *     for each start s: push s with f = g(s) + h(s)                 wend_kernel_open
 *     while the queue is not empty                                  run
 *       pop a node n with the least f                               open_places.inl
 *       if n is a goal: lower the bound on f to the cost of n       decide_special, reach_goal
 *       for each step from n to m                                   expand_cells.inl, expand_graph.inl, expand_jumps.inl
 *         g = g(n) + cost(n, m)                                     step.h computes the cost
 *         if g < g(m)                                               relax
 *           g(m) = g, parent(m) = n
 *           push m with f = g + h(m), if f is below the bound       h: estimate
 *
 * The kernel differs from the textbook in four ways.
 *
 *   1  The queue pops nodes of nearly equal f in any order. So a node can be expanded again when it gets cheaper, and the loop
 *      continues after a goal until no f below the bound is left. The result is still exact.
 *   2  A search can pause before any expansion and continue later: run() returns WEND_RUNNING.
 *   3  On graphs, rules decide between paths of equal cost (settle_tie), so the path does not depend on the order of the queue.
 *      Over a grid, floods prefer straight steps (prefer_straight), and bends.c takes bends out of a path that was found.
 *   4  The loop is compiled once for each kind of map, costs and heuristic (VARIANTS). So the simple cases run no code of the
 *      others. Parameters of type `const bool` and `const wend_..._kind` are constants in each variant.
 *
 * An example of 1, without a heuristic and with buckets of width 1. The edges are s-b 10.2, s-a 10.7, b-a 0.3 and a-t 5.
 *
 *     expand s    b: g 10.2, a: g 10.7. Both are in bucket 10, and a is on top of this stack
 *     expand a    t: g 15.7. This is too early: a cheaper path to a exists
 *     expand b    a: g 10.5, which is less than 10.7, so a is pushed again
 *     expand a    again. t: g 15.5, which is less than 15.7
 *     pop t       a goal: the bound on f becomes 15.5
 *
 * The invariant: the mark of a place (marks.h) holds the cost of the cheapest path found so far, and the place before on that
 * path. A place whose mark has MARK_OPEN is in the queue, or is held by a paused search.
 *
 * The result is a function of the map and not of its history: nothing here depends on how places are numbered. */
#include "core/search/kernel.h"
#include "core/search/ends.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/map/neighbours.h"

WEND_NO_FUSING
#if defined(__GNUC__) && !defined(__clang__)
/* GCC would combine the stores to the members of a mark into one vector store. That is slower. The end of the file restores
 * the options. */
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

/* The search changes from buckets to the heap if the repeated expansions exceed this number plus a quarter of all expansions.
 * The number keeps short searches from changing. */
#define REPEATED_MAX 256u
/* The factor by which buckets that are too narrow become wider. */
#define WIDEN 8.0

/* ---- Hot state --------------------------------------------------------------------------------------------- */

/* A copy of the members of the search that the inner loops use. Stores through `marks` may alias the search, so without the
 * copy the compiler would load these members again after each store to a mark. load_hot() fills it and store_hot() writes it
 * back. */
typedef struct hot_state {
  wend_mark *marks;
  wend_sheet **sheets; /* see marks.h */
  uint32_t epoch;
  const double *points;
  const wend_span *spans; /* of graphs: the arcs to relax, by place; and their columns */
  const double *weights;
  const uint32_t *targets;
  double x, y, z, scale;               /* the position of the goal; the cost per distance */
  const wend_goal_bounds *goal_bounds; /* HEURISTIC_LANDMARKS */
  const uint16_t *rows;
  double unit;
  double minor;     /* HEURISTIC_CELLS: the estimate is scale x the longer side + minor x the shorter side */
  double f_ceiling; /* the bound on f */
  double slack;
  wend_ring ring;
  uint64_t limit, expanded, pushed;
  const uint16_t *kinds; /* by place: the kind of the cell; NULL: `own` instead */
  const wend_cell_cost *kind_costs;
  const uint8_t *kind_states, *around, *bars;
  ptrdiff_t stride;
  wend_own_prices own;
} hot_state;

/* Fills the copy. limit: as for run(). */
WEND_INLINE void load_hot(const wend_search *s, hot_state *hot, uint64_t limit, const wend_expansion expansion) {
  hot->limit = s->found || s->goals.tested || s->opts.visited ? 0 : limit; /* decide_special() decides about every node */
  hot->marks = s->marks.at, hot->sheets = s->marks.sheets;
  hot->epoch = s->marks.epoch;
  hot->x = s->estimator.target[0], hot->y = s->estimator.target[1], hot->z = s->estimator.target[2];
  hot->scale = s->estimator.scale;
  hot->goal_bounds = &s->estimator.goal_bounds, hot->rows = s->estimator.goal_bounds.rows;
  hot->unit = s->estimator.goal_bounds.scale;
  hot->f_ceiling = s->f_ceiling;
  hot->slack = s->slack;
  hot->ring = s->buckets.ring;
  hot->expanded = s->stats.expanded, hot->pushed = s->stats.pushed;
  hot->points = expansion == EXPAND_GRAPH ? s->graph->points : NULL;
  if (expansion == EXPAND_GRAPH) {
    hot->spans = s->back ? s->graph->in : s->graph->out;
    hot->weights = s->graph->arc_weight, hot->targets = s->graph->arc_to;
  }
  if (expansion == EXPAND_GRAPH || expansion == EXPAND_GRID) {
    hot->minor = 0;
    hot->kinds = NULL, hot->kind_costs = NULL, hot->kind_states = NULL, hot->around = NULL, hot->bars = NULL;
    hot->stride = 0;
    return;
  }
  hot->minor = s->estimator.scale * wend_metric_minor(&s->estimator, s->estimator.metric);
  hot->kinds = s->region.kinds;
  hot->kind_costs = s->view->costs;
  hot->kind_states = s->view->states;
  hot->around = wend_around[s->grid->diagonals];
  hot->bars = wend_region_bars(&s->region);
  hot->stride = (ptrdiff_t)s->region.stride;
  hot->own = wend_agent_view_own(s->view, s->grid, &s->region);
}

/* Writes the changed members back. Call it before other code reads the search. */
WEND_INLINE void store_hot(wend_search *s, const hot_state *hot) {
  s->stats.expanded = hot->expanded, s->stats.pushed = hot->pushed;
  s->buckets.ring = hot->ring;
}

/* ---- Marks ------------------------------------------------------------------------------------------------- */

/* The mark of a place. paged: the layout of the marks. */
WEND_INLINE wend_mark *mark_of(const hot_state *hot, uint32_t place, const bool paged) {
  return paged ? wend_paged_mark(hot->sheets, place) : &hot->marks[place];
}

WEND_INLINE wend_arrival *arrival_of(const wend_search *s, const hot_state *hot, uint32_t place, const bool paged) {
  return paged ? wend_paged_arrival(hot->sheets, place) : &s->marks.arrivals[place];
}

/* The mark of a place that has no page yet. NULL: no memory; the node is lost. */
static WEND_NOINLINE wend_mark *add_mark(wend_search *s, uint32_t place) {
  wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
  if (mark == NULL) s->buckets.failed = true;
  return mark;
}

/* Whether the mark of a place lies in the page of places without marks. */
WEND_INLINE bool is_of_no_page(const wend_mark *mark, uint32_t place) { return mark == wend_no_page + place % MARKS_PAGE; }

/* The same mark, which is set next. NULL: no memory. */
WEND_INLINE wend_mark *mark_to_set(wend_search *s, uint32_t place, wend_mark *mark, const bool paged) {
  return paged && WEND_UNLIKELY(is_of_no_page(mark, place)) ? add_mark(s, place) : mark;
}

/* ---- Estimates --------------------------------------------------------------------------------------------- */

/* The estimate for a cell at an offset from the goal: `scale` x the longer side + `minor` x the shorter side. */
WEND_INLINE double estimate_offset(double x, double y, double scale, double minor) {
  x = fabs(x), y = fabs(y);
  return x > y ? x * scale + y * minor : y * scale + x * minor;
}

/* HEURISTIC_CELLS, for the cell at a column and a row, which count the margin. */
WEND_INLINE double estimate_cell(const hot_state *hot, uint32_t column, uint32_t row) {
  return estimate_offset((double)(int32_t)(column - 1) - hot->x, (double)(int32_t)(row - 1) - hot->y, hot->scale, hot->minor);
}

/* The estimate by planes: of one goal, on a grid where weights and tags alone decide the costs. */
static double estimate_by_plane(const wend_search *s, uint32_t place) {
  const wend_estimator *e = &s->estimator;
  const uint32_t row = place / s->region.stride, column = place - row * s->region.stride;
  const wend_cell cell = wend_grid_seen_at(e->grid, place); /* of a body, its own cells count */
  const double price = wend_prepared_price(e->plane_bounds.prepared, cell.tag, cell.weight);
  const double bound = wend_plane_bounds_of(&e->plane_bounds, column - 1, row - 1, price);
  const double x = (double)(int32_t)(column - 1) - e->target[0], y = (double)(int32_t)(row - 1) - e->target[1];
  const double distance = estimate_offset(x, y, e->scale, e->scale * wend_metric_minor(e, e->metric));
  return bound > distance ? bound : distance;
}

/* The estimates of cells that are not inlined. The function gets no pointer to the hot state, so that this lies in registers. */
static WEND_NOINLINE double estimate_rarely(const wend_search *s, uint32_t place, wend_heuristic_kind heuristic) {
  return heuristic == HEURISTIC_PLANES ? estimate_by_plane(s, place) : wend_estimate(&s->estimator, place);
}

/* The same of nodes. Where arcs are relaxed, the hot state is better left in memory: other values need the registers. */
static WEND_NOINLINE double estimate_node(const wend_search *s, const hot_state *hot, uint32_t node,
                                          wend_heuristic_kind heuristic) {
  if (heuristic != HEURISTIC_LANDMARKS) return wend_estimate(&s->estimator, node);
  return hot->unit * wend_goal_bounds_bound(hot->goal_bounds, hot->rows + (size_t)node * hot->goal_bounds->stride);
}

/* The estimate of the cost from a place to the goals: wend_estimate, inlined for the common kinds on graphs. */
WEND_INLINE double estimate(const wend_search *s, const hot_state *hot, uint32_t place, const wend_heuristic_kind heuristic) {
  if (heuristic == HEURISTIC_EUCLIDEAN_2D) {
    const double *p = hot->points + (size_t)place * 2;
    const double x = p[0] - hot->x, y = p[1] - hot->y;
    return wend_sqrt(x * x + y * y) * hot->scale;
  }
  if (heuristic == HEURISTIC_ZERO) return 0;
  if (heuristic == HEURISTIC_EUCLIDEAN_3D) {
    const double *p = hot->points + (size_t)place * 3;
    const double x = p[0] - hot->x, y = p[1] - hot->y, z = p[2] - hot->z;
    return wend_sqrt(x * x + y * y + z * z) * hot->scale;
  }
  if (heuristic == HEURISTIC_CELLS) {
    const uint32_t row = place / (uint32_t)hot->stride, column = place - row * (uint32_t)hot->stride;
    return estimate_cell(hot, column, row);
  }
  return estimate_node(s, hot, place, heuristic);
}

/* ---- Queue ------------------------------------------------------------------------------------------------- */

#include "core/search/open_places.inl"

void wend_kernel_open(wend_search *s, uint32_t place, double g, double f) {
  const bool known = wend_marks_has(&s->marks, place);
  wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, place);
  if (mark == NULL) {
    s->buckets.failed = true;
    return;
  }
  if (known && mark->g <= g) return;
  mark->stamp = s->marks.epoch | NO_WAY << MARK_WAY_SHIFT | MARK_OPEN | (known ? mark->stamp & MARK_GOAL : 0);
  mark->g = g;
  mark->parent = WEND_NONE;
  if (s->weighted) *wend_marks_directions(&s->marks, place) = ALL_DIRECTIONS;
  if (s->graph != NULL) {
    wend_marks_arrival(&s->marks, place)->via = WEND_NONE;
    wend_marks_arrival(&s->marks, place)->edge_count = 0;
  }
  s->stats.pushed++;
  if (s->use_heap) {
    wend_heap_entry entry = {f, place, 0};
    wend_heap_push(&s->heap, entry);
  } else {
    wend_buckets_push(&s->buckets, &s->buckets.ring, &s->alloc, f, place);
  }
}

/* ---- Relaxing ---------------------------------------------------------------------------------------------- */

/* The distance from a place to opts.toward. */
static double distance_toward(const wend_search *s, uint32_t place) {
  double p[3], sum = 0;
  for (int d = 0, dimensions = wend_point_of(&s->estimator, place, p); d < dimensions; d++)
    sum += (p[d] - s->opts.toward[d]) * (p[d] - s->opts.toward[d]);
  return wend_sqrt(sum);
}

/* Prefers the place nearest to a goal, then the cheapest, then the smallest id. */
WEND_NOINLINE void wend_kernel_note_nearest(wend_search *s, uint32_t place, double g, uint32_t parent) {
  double d;
  if (s->passing && parent != WEND_NONE && wend_turn_passes(&s->stepper, place)) return; /* no path ends there */
  d = s->opts.toward == NULL ? wend_goal_distance(&s->estimator, WEND_EUCLIDEAN, place) : distance_toward(s, place);
  if (!(d == d)) d = INFINITY; /* no position */
  if (s->nearest != WEND_NONE) {
    const double best = s->nearest_cost;
    if (d > s->nearest_distance) return;
    if (d == s->nearest_distance && (g > best || (g == best && wend_search_id(s, place) > wend_search_id(s, s->nearest))))
      return;
  }
  s->nearest = place, s->nearest_parent = parent;
  s->nearest_distance = d, s->nearest_cost = g;
}

/* Whether one of two steps comes first: the one from the smaller id, then the one along the smaller edge. */
static bool is_earlier_step(const wend_search *s, wend_id from, uint32_t via, wend_id other, uint32_t other_via) {
  return from < other || (from == other && wend_search_edge(s, via) < wend_search_edge(s, other_via));
}

/* Decides between two paths of equal cost to a node: fewer edges win, then the smaller id of the parent, then the smaller id of
 * the last edge. True: the node has fewer edges now, and its successors must be relaxed again. With s->settles the parent that
 * costs least wins, and then the smaller ids: that depends on the costs alone. Where a step adds nothing, edges are counted.
 *
 *        1 --e1-- 2        All edges cost 1, except e6, from 1 to 4, which costs 2. So four paths from 1 to 4 cost 2:
 *        | \      ||
 *       e2   e6   e4,e5      1 e6 4          wins: one edge
 *        |      \ ||         1 e1 2 e4 4     wins without e6: its parent 2 is less than 3, and e4 is less than e5
 *        3 --e3-- 4          1 e1 2 e5 4
 *                            1 e2 3 e3 4 */
static WEND_NOINLINE bool settle_tie(wend_search *s, uint32_t to, uint32_t from, wend_arrival by) {
  wend_mark *mark = wend_marks_of(&s->marks, to);
  wend_arrival *known = wend_marks_arrival(&s->marks, to);
  bool fewer = by.edge_count < known->edge_count;
  const double from_g = wend_marks_of(&s->marks, from)->g;
  if (mark->parent == WEND_NONE && !(from_g < mark->g)) return false; /* a start stays a start */
  if (s->settles && mark->parent != WEND_NONE) {
    const double parent_g = wend_marks_of(&s->marks, mark->parent)->g;
    const wend_id before = wend_search_id(s, from), best = wend_search_id(s, mark->parent);
    if (from_g > parent_g) return false;
    if (from_g < parent_g || (from_g < mark->g && is_earlier_step(s, before, by.via, best, known->via))) {
      *known = by;
      mark->parent = from;
    }
    if (from_g < mark->g) return false;
  }
  if (!fewer && mark->parent != WEND_NONE) {
    const wend_id before = wend_search_id(s, from), best = wend_search_id(s, mark->parent);
    if (by.edge_count > known->edge_count || is_earlier_step(s, best, known->via, before, by.via)) return false;
  }
  if (fewer && !s->fewest_edges && (mark->stamp & MARK_OPEN) == 0) return false; /* A*: its successors are relaxed already */
  *known = by;
  mark->parent = from;
  return fewer && s->fewest_edges;
}

/* Costs that differ by less than this share are equal, where the slack is 0: rounding alone makes the difference. */
#define EQUAL_SHARE 1e-12

/* Of a flood over a grid: a path by another step costs g, which is about what `to` costs. A straight step is preferred to others,
 * and then the smaller cell, so that an agent that follows the parents turns seldom. Costs fall along them. */
static WEND_NOINLINE void prefer_straight(const wend_search *s, uint32_t from, double from_g, wend_mark *to, uint32_t place) {
  const uint32_t stride = s->region.stride, other = to->parent;
#define STRAIGHT(a) ((a) + 1 == place || (a)-1 == place || (a) + stride == place || (a)-stride == place)
  if (s->goals.count > 0 || s->settles || other == WEND_NONE || !STRAIGHT(from) || !(from_g < to->g)) return;
  if (!STRAIGHT(other) || from < other) to->parent = from;
#undef STRAIGHT
}

/* The greatest cost that is about the same as a known one. */
WEND_INLINE double about(double known) { return known < INFINITY ? known + fabs(known) * EQUAL_SHARE : known; }

/* What a step is compared with that need not be taken if it costs more. A flood over a grid also needs those that cost about the
 * same. */
static double worth_of(const wend_search *s, double known) {
  return s->grid != NULL && s->goals.count == 0 && !s->settles ? about(known) : known;
}

/* Whether a path that costs g costs about the same as a known one. */
WEND_INLINE bool is_as_cheap(const hot_state *hot, double g, double known) {
  return g - hot->slack <= about(known) && g < INFINITY;
}

/* Relaxes the step between two places, after which a path costs g: if that makes `to` cheaper, stores its new cost and parent and
 * pushes it. from_g: the cost before the step. by: graphs only.
 * Precondition: the heap has room. False: the estimate is invalid.
 *
 * On grids a path counts as cheaper only by more than the slack (WEND_SLACK). For example, a straight and two diagonal steps
 * cost 3.8284271247461898 if the straight step comes first, and 3.8284271247461903 if it comes last. The path found first
 * stays. On graphs, sums are compared exactly, and settle_tie decides if they are equal. */
WEND_INLINE bool relax(wend_search *s, hot_state *hot, uint32_t from, double from_g, uint32_t to, double g, wend_arrival by,
                       const wend_expansion expansion, const wend_heuristic_kind heuristic, const bool heap, const bool paged) {
  wend_mark *mark = mark_of(hot, to, paged);
  const uint32_t known = mark->stamp - hot->epoch; /* the flags if the mark is of this search, else a greater number */
  uint32_t kept = WEND_NONE;                       /* the parent before, if rounding alone makes the difference */
  double f;
  if (WEND_LIKELY(known <= MARK_FLAGS)) {
    if (expansion != EXPAND_GRAPH) {
      if (g + hot->slack >= mark->g) {
        /* A start can be reached at its own cost from a cheaper start: then the path goes through both. */
        if (mark->parent == WEND_NONE && from_g < mark->g && g - hot->slack <= mark->g) mark->parent = from;
        else if (is_as_cheap(hot, g, mark->g)) prefer_straight(s, from, from_g, mark, to);
        return true;
      }
      if (hot->slack == 0 && is_as_cheap(hot, mark->g, g)) kept = mark->parent;
    } else {
      if (g > mark->g) return true;
      if (WEND_UNLIKELY(g == mark->g) && (!(g < INFINITY) || !settle_tie(s, to, from, by))) return true;
    }
  }
  f = g + estimate(s, hot, to, heuristic);
  if (WEND_UNLIKELY(!(f < hot->f_ceiling))) {
    if (f < INFINITY) s->pruned = true;
    return f == f;
  }
  if (WEND_UNLIKELY(s->watched) && !(g < s->g_ceiling)) {
    if (g < INFINITY) s->pruned = true;
    return g == g;
  }
  if ((mark = mark_to_set(s, to, mark, paged)) == NULL) return true;
  mark->g = g;
  mark->stamp = hot->epoch | MARK_OPEN | (known <= MARK_FLAGS ? known : 0);
  if (expansion == EXPAND_CELLS) /* the parent is perhaps no neighbour */
    mark->stamp = (mark->stamp & ~(15u << MARK_WAY_SHIFT)) | NO_WAY << MARK_WAY_SHIFT;
  mark->parent = from;
  if (expansion != EXPAND_GRAPH && WEND_UNLIKELY(kept != WEND_NONE))
    prefer_straight(s, kept, wend_marks_of(&s->marks, kept)->g, mark, to);
  if (expansion == EXPAND_GRAPH) *arrival_of(s, hot, to, paged) = by;
  hot->pushed++;
  if (WEND_UNLIKELY(s->watched) && s->opts.partial) wend_kernel_note_nearest(s, to, g, from);
  if (heap) {
    wend_heap_entry entry = {f, to, by.edge_count};
    if (s->fewest_edges && g == from_g) s->heap.level[s->heap.level_count++] = entry;
    else wend_heap_push(&s->heap, entry);
    return true;
  }
  wend_buckets_push(&s->buckets, &hot->ring, &s->alloc, f, to);
  if (expansion == EXPAND_GRAPH) { /* the arcs of `to`, which are read when it is expanded */
    const uint32_t first = hot->spans[to].first;
    WEND_PREFETCH(hot->weights + first);
    WEND_PREFETCH(hot->targets + first);
  }
  return true;
}

/* The same, not inlined: where a step takes much longer than a call. */
static WEND_NOINLINE bool relax_rarely(wend_search *s, hot_state *hot, uint32_t from, double from_g, uint32_t to, double g,
                                       wend_arrival by, wend_expansion expansion, bool heap, bool paged) {
  return relax(s, hot, from, from_g, to, g, by, expansion, HEURISTIC_GENERAL, heap, paged);
}

/* Relaxes a closed place in a backward search. It can be left but not entered, so it gets a mark and is not pushed. */
static WEND_NOINLINE void relax_closed(wend_search *s, hot_state *hot, uint32_t from, double from_g, uint32_t to, double cost) {
  wend_mark *mark = wend_marks_of(&s->marks, to);
  const double g = from_g + cost;
  const uint32_t known = mark->stamp - hot->epoch;
  if (known <= MARK_FLAGS) {
    if (g + hot->slack >= mark->g) {
      if (mark->parent == WEND_NONE && from_g < mark->g && g - hot->slack <= mark->g) mark->parent = from;
      else if (is_as_cheap(hot, g, mark->g)) prefer_straight(s, from, from_g, mark, to);
      return;
    }
  }
  if (!(g < s->g_ceiling) || (mark = mark_to_set(s, to, mark, s->marks.paged)) == NULL) return;
  mark->g = g;
  mark->stamp = hot->epoch | (known <= MARK_FLAGS ? known : 0);
  mark->parent = from;
}

/* ---- Expanding --------------------------------------------------------------------------------------------- */

#include "core/search/factors.inl"
#include "core/search/expand_cells.inl"
#include "core/search/expand_graph.inl"
#include "core/search/expand_jumps.inl"

/* Relaxes a place at a cost, for which the heap may have no room. False: no memory, or an estimate is invalid. */
static WEND_NOINLINE bool relax_turn(wend_search *s, hot_state *hot, uint32_t from, double from_g, uint32_t to, double g,
                                     wend_arrival by, wend_expansion expansion, const bool heap, const bool paged) {
  if (heap && (!wend_heap_reserve(&s->heap, &s->alloc, 1) || !wend_heap_reserve_level(&s->heap, &s->alloc, 1)))
    return s->buckets.failed = true, false;
  return relax(s, hot, from, from_g, to, g, by, expansion != EXPAND_GRAPH ? EXPAND_CELLS : EXPAND_GRAPH, HEURISTIC_GENERAL,
               heap, paged);
}

/* The cost of a place, for wend_turn_steps. */
static double known_turns(const void *ud, uint32_t place) {
  const wend_search *s = ud;
  return wend_marks_has(&s->marks, place) ? worth_of(s, wend_marks_of(&s->marks, place)->g) : INFINITY;
}

/* Expands a place of a search that counts its costs in turns (core/turns): relaxes the steps from it, or in a backward search those
 * that lead to it. False: no memory, or a cost or an estimate is invalid. */
static bool expand_turns(wend_search *s, hot_state *hot, uint32_t from, const wend_mark *mark, wend_expansion expansion,
                         bool heap, bool paged) {
  wend_turn_steps steps = {&s->stepper, &s->turn_rule, s->back, from, 0, mark->g, known_turns, s, {{0}}};
  wend_arrival by = {0, expansion == EXPAND_GRAPH ? arrival_of(s, hot, from, paged)->edge_count + 1 : 0};
  wend_turn_step step;
  wend_memo_clear(&steps.memo);
  while (wend_turn_next(&steps, &step)) {
    const double after = wend_turn_after(steps.rule, steps.g, step.cost, step.ends, s->back);
    by.via = step.via;
    if (after < INFINITY && !relax_turn(s, hot, from, steps.g, step.to, after, by, expansion, heap, paged)) return false;
  }
  return !s->stepper.invalid;
}

/* ---- The loop ---------------------------------------------------------------------------------------------- */

double wend_kernel_cost_beyond(const wend_search *s, uint32_t place) {
  double least = INFINITY;
  if (!s->goals.any_cost) return 0;
  for (uint32_t k = 0; k < s->goals.count; k++)
    if (s->goals.places[k] == place && s->goals.costs[k] < least) least = s->goals.costs[k];
  return least < INFINITY ? least : 0;
}

double wend_kernel_beyond_goal(const wend_search *s, uint32_t place, double g) {
  const double beyond = wend_kernel_cost_beyond(s, place);
  return wend_search_turns_on(s) ? wend_turn_after(&s->turn_rule, g, beyond, false, false) : g + beyond;
}

/* Lowers the bound on f to the cost of a path that ends at this goal. From then on, nodes at or above the bound are dropped. */
static void reach_goal(wend_search *s, uint32_t place) {
  double g = wend_kernel_beyond_goal(s, place, wend_marks_of(&s->marks, place)->g);
  s->found = true;
  /* Without a heuristic, nodes of the same cost are still expanded: they may lead to a path with fewer edges. */
  if (s->fewest_edges) g = nextafter(g, INFINITY);
  g -= s->slack; /* rounding would leave nodes of equal cost just below the bound */
  if (s->stepper.asking == ASKING_SAMPLES) s->stepper.asking = ASKING_ALWAYS; /* it is nearly done */
  if (g < s->f_ceiling) s->f_ceiling = g;
}

/* What run() does with a popped node. */
typedef enum verdict {
  EXPAND,
  SKIP,   /* drop the node and pop the next one */
  PAUSE,  /* return WEND_RUNNING; the node is expanded when the search continues */
  FINISH, /* the goals are settled */
  OUT_OF_MEMORY
} verdict;

/* Counts an expansion of a node that was expanded before. Whether they are so many that the search must change: from buckets to
 * the heap, where nodes come in the order of f; or, if bounds of planes do not fit together, to the straight distance: a heap would
 * not help, and bounds from a file may be anything. */
static bool is_repeated_often(wend_search *s) {
  const bool planes = s->estimator.kind == HEURISTIC_PLANES;
  if (!planes && (s->expansion == EXPAND_JUMPS || s->opts.costs.edge != NULL)) return false;
  return ++s->repeated > REPEATED_MAX + s->stats.expanded / (planes ? 2 : 4);
}

/* Goes on without planes: the open nodes get other estimates, and so other buckets. node: it is expanded next. */
static verdict leave_planes(wend_search *s, uint32_t node) {
  s->estimator.kind = s->estimator.straight;
  s->estimator.plane_bounds.stamp = 0;
  widen_buckets(s);
  s->held = node;
  return s->buckets.failed ? OUT_OF_MEMORY : PAUSE;
}

/* With opts.visited: keeps a place that is expanded next. False: no memory. */
static bool note_visit(wend_search *s, uint32_t place, double g) {
  const wend_visited_node visited = {wend_search_id(s, place), g};
  if (!WEND_GROW(&s->alloc, s->visits, s->visits_capacity, (uint64_t)s->visit_count + 1)) return false;
  s->visits[s->visit_count++] = visited;
  return true;
}

/* Decides about the nodes that need more than an expansion: goals, nodes after a goal or after the limit, nodes that were
 * expanded before, and with opts.visited all; and expands those with MARK_ASKED. */
static WEND_NOINLINE verdict decide_special(wend_search *s, uint32_t node, uint64_t limit, const bool heap) {
  wend_mark *mark = wend_marks_of(&s->marks, node);
  if (s->goals.tested && !wend_ends_test(s, node)) {
    s->held = node;
    return PAUSE;
  }
  /* One jump point stands for many cells, so the slice ends before a goal too, unless it is the last one. */
  if (s->expansion == EXPAND_JUMPS && s->stats.expanded >= limit && limit < s->opts.max_expanded && !s->found) {
    s->held = node;
    return PAUSE;
  }
  if ((mark->stamp & MARK_GOAL) != 0) {
    reach_goal(s, node);
    if (!s->goals.any_cost) {
      mark->stamp &= ~MARK_OPEN;
      /* The heap pops by cost, then by edges: no place that is left leads to a goal with fewer edges, or to another parent. */
      return heap && s->fewest_edges ? FINISH : SKIP;
    } /* otherwise the goal is expanded: a path to a goal with a lower cost may lead through it */
  }
  if (s->found && !(mark->g + wend_estimate(&s->estimator, node) < s->f_ceiling)) {
    mark->stamp &= ~MARK_OPEN;
    return heap ? FINISH : SKIP;
  }
  if (s->stats.expanded >= limit) {
    s->held = node;
    return PAUSE;
  }
  if ((mark->stamp & MARK_EXPANDED) != 0 && !heap && is_repeated_often(s)) {
    if (s->estimator.kind == HEURISTIC_PLANES) return leave_planes(s, node);
    if (!switch_to_heap(s)) return OUT_OF_MEMORY;
    move_to_heap(s, node);
    return PAUSE;
  }
  if (s->opts.visited && !note_visit(s, node, mark->g)) return OUT_OF_MEMORY;
  if ((mark->stamp & MARK_ASKED) == 0) return EXPAND;
  mark->stamp = (mark->stamp & ~MARK_OPEN) | MARK_EXPANDED;
  s->stats.expanded++;
  return expand_asked(s, node, heap) == WEND_OK ? SKIP : OUT_OF_MEMORY;
}

/* Relaxes the steps from a place. jump: for EXPAND_JUMPS. WEND_ABORTED: a cost or an estimate is invalid. */
WEND_INLINE wend_status expand_place(wend_search *s, hot_state *hot, jumper *jump, uint32_t place, wend_mark *mark,
                                     uint32_t stamp, const wend_expansion expansion, const wend_cost_kind costs,
                                     const wend_heuristic_kind heuristic, const bool back, const bool heap,
                                     const bool perturbed, const bool paged) {
  wend_span span = {0, 0}; /* the arcs of a node */
  bool done = true;
  if (expansion == EXPAND_GRAPH) span = hot->spans[place];
  if (heap) {
    const uint32_t steps = expansion == EXPAND_GRAPH ? span.end - span.first : 8 + 2 * s->grid->portal_count;
    if (!wend_heap_reserve(&s->heap, &s->alloc, steps)) return WEND_NO_MEMORY;
    if (s->fewest_edges && !wend_heap_reserve_level(&s->heap, &s->alloc, steps)) return WEND_NO_MEMORY;
  }
  hot->expanded++;
  if (expansion == EXPAND_CELLS) done = expand_cells(s, hot, place, mark, stamp, costs, heuristic, perturbed, paged);
  else if (perturbed && wend_search_turns_on(s)) done = expand_turns(s, hot, place, mark, expansion, heap, paged);
  else if (expansion == EXPAND_JUMPS)
    done = (s->weighted ? expand_directions : s->near ? expand_near_jumps : expand_jumps)(jump, place, mark);
  else if (expansion == EXPAND_GRID) done = expand_grid(s, hot, place, mark, heap, paged);
  else if (!back || (s->graph->flags[place] & PLACE_CLOSED) == 0) /* no step leads to a closed node */
    done = expand_graph(s, hot, place, mark, span, costs, heuristic, back, heap, perturbed, paged);
  return done ? WEND_OK : WEND_ABORTED;
}

/* The loop. limit: the number of expansions, of all slices together, after which the search pauses. */
WEND_INLINE wend_status run(wend_search *s, uint64_t limit, const wend_expansion expansion, const wend_cost_kind costs,
                            const wend_heuristic_kind heuristic, const bool back, const bool heap, const bool perturbed,
                            const bool paged) {
  uint32_t node = s->held;
  bool decided = false; /* decide_special() has decided about the node: expand it */
  hot_state hot;
  jumper jump;
  s->held = WEND_NONE;
  if (expansion == EXPAND_JUMPS) jump = load_jumper(s, &hot, paged);
  for (;; node = decided ? node : WEND_NONE) {
    wend_status status = WEND_OK;
    verdict v;
    load_hot(s, &hot, limit, expansion);
    if (costs == COSTS_ASKED && expansion == EXPAND_CELLS) hot.kind_costs = s->promises.costs;
    for (;; node = WEND_NONE, decided = false) {
      wend_mark *mark;
      uint32_t stamp;
      if (node == WEND_NONE) node = next_open(s, &hot, expansion, heap, paged);
      if (WEND_UNLIKELY(node == WEND_NONE)) break;
      mark = mark_of(&hot, node, paged);
      stamp = mark->stamp;
      if (WEND_UNLIKELY((stamp & (MARK_GOAL | MARK_EXPANDED | MARK_ASKED)) != 0 || hot.expanded >= hot.limit) && !decided)
        break;
      mark->stamp = (stamp & ~MARK_OPEN) | MARK_EXPANDED;
      status = expand_place(s, &hot, &jump, node, mark, stamp, expansion, costs, heuristic, back, heap, perturbed, paged);
      if (WEND_UNLIKELY(status != WEND_OK)) break;
    }
    store_hot(s, &hot);
    if (node == WEND_NONE) return s->found ? WEND_OK : WEND_NO_PATH;
    if (expansion == EXPAND_CELLS && costs == COSTS_ASKED) {
      bool settled = false;
      status = status == WEND_ABORTED ? ask_onward(s, node) : status == WEND_OK ? settle_step(s, node, &settled) : status;
      decided = false;
      if (status == WEND_OK && !settled) node = WEND_NONE;
      if (node == WEND_NONE) continue;
      decided = status == WEND_OK && (wend_marks_of(&s->marks, node)->stamp & (MARK_GOAL | MARK_EXPANDED)) == 0 &&
                hot.expanded < hot.limit;
      if (decided) continue;
    }
    if (status != WEND_OK) return status;
    v = decide_special(s, node, limit, heap);
    if (v == PAUSE) return WEND_RUNNING;
    if (v == OUT_OF_MEMORY) return WEND_NO_MEMORY;
    if (v == FINISH) return WEND_OK;
    decided = v == EXPAND;
  }
}

/* ---- Variants ---------------------------------------------------------------------------------------------- */

/* The kind of costs, for the kernel: of a search of a graph, and of a search over cells. */
static wend_cost_kind graph_costs(const wend_search *s) {
  return wend_has_more_costs(s->graph, &s->opts.costs) ? COSTS_ALL : s->stepper.kind;
}
static wend_cost_kind cell_costs(const wend_search *s) {
  return s->opts.costs.influence_count > 0 || wend_search_turns_on(s) ? COSTS_ALL : COSTS_TAGS;
}

/* The kind of the estimates. Those by planes are for one goal. */
static wend_heuristic_kind any_heuristic(const wend_search *s) {
  return s->estimator.kind == HEURISTIC_PLANES && s->goals.count > 1 ? HEURISTIC_GENERAL : s->estimator.kind;
}

/* The same where it is neither HEURISTIC_CELLS nor HEURISTIC_HEXES. */
static wend_heuristic_kind other_heuristic(const wend_search *s) {
  if (s->estimator.kind == HEURISTIC_ZERO) return HEURISTIC_ZERO;
  return s->estimator.kind == HEURISTIC_PLANES && s->goals.count == 1 ? HEURISTIC_PLANES : HEURISTIC_GENERAL;
}

/* A variant is a function for a kind of map, costs and heuristic. What the table gives as an expression is tested as the variant
 * runs; `cells_rare` also tests whether there is a palette. COSTS_ASKED includes COSTS_TAGS. COSTS_ALL includes all costs of
 * graphs; of cells also the option `partial`.
 *
 * A variant is 3 to 13 KB of code. `make instructions` measures what one saves. */
#define GRAPH_COSTS graph_costs(s)
#define CELL_COSTS cell_costs(s)
#define ANY any_heuristic(s)
#define OTHER other_heuristic(s)
#define PAGED s->marks.paged
/* Columns: name, expansion, costs, heuristic, back, heap, perturbed, paged. */
#define VARIANTS(X)                                                                       \
  X(flood, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_ZERO, s->back, false, false, false)     \
  X(weights, EXPAND_GRAPH, COSTS_WEIGHTS, ANY, s->back, false, false, false)              \
  X(tags, EXPAND_GRAPH, COSTS_ASKED, ANY, s->back, false, false, false)                   \
  X(all, EXPAND_GRAPH, COSTS_ALL, ANY, s->back, false, false, false)                      \
  X(paged, EXPAND_GRAPH, GRAPH_COSTS, ANY, s->back, false, false, true)                   \
  X(graph, EXPAND_GRAPH, GRAPH_COSTS, ANY, s->back, s->use_heap, true, PAGED)             \
  X(cells_toward, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_CELLS, false, false, false, false)  \
  X(hexes_toward, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_HEXES, false, false, false, false)  \
  X(cells, EXPAND_CELLS, COSTS_TAGS, OTHER, false, false, false, false)                   \
  X(paged_toward, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_CELLS, false, false, false, true)   \
  X(paged_cells, EXPAND_CELLS, COSTS_TAGS, ANY, false, false, false, true)                \
  X(cells_all, EXPAND_CELLS, COSTS_ALL, ANY, false, false, false, PAGED)                  \
  X(asked_toward, EXPAND_CELLS, COSTS_ASKED, HEURISTIC_CELLS, false, false, false, false) \
  X(cells_asked, EXPAND_CELLS, COSTS_ASKED, ANY, false, false, false, PAGED)              \
  X(cells_rare, EXPAND_CELLS, CELL_COSTS, ANY, false, false, true, PAGED)                 \
  X(jumps, EXPAND_JUMPS, COSTS_TAGS, HEURISTIC_CELLS, false, false, false, PAGED)         \
  X(grid, EXPAND_GRID, COSTS_ASKED, HEURISTIC_GENERAL, false, s->use_heap, true, PAGED)

#define VARIANT(name, expansion, costs, heuristic, back, heap, perturbed, paged)     \
  static WEND_NOINLINE wend_status run_##name(wend_search *s, uint64_t limit) {      \
    return run(s, limit, expansion, costs, heuristic, back, heap, perturbed, paged); \
  }
VARIANTS(VARIANT)
#undef VARIANT
#undef VARIANTS
#undef GRAPH_COSTS
#undef CELL_COSTS
#undef ANY
#undef OTHER
#undef PAGED

typedef wend_status (*run_fn)(wend_search *, uint64_t);

static run_fn cells_variant(const wend_search *s) {
  if (s->use_heap) return run_grid;
  if (s->opts.costs.edge != NULL)
    return s->estimator.kind == HEURISTIC_CELLS && !s->marks.paged ? run_asked_toward : run_cells_asked;
  if (s->noise.most > 0 || s->region.kinds == NULL) return run_cells_rare;
  if (cell_costs(s) == COSTS_ALL || s->opts.partial) return run_cells_all;
  if (s->marks.paged) return s->estimator.kind == HEURISTIC_CELLS ? run_paged_toward : run_paged_cells;
  if (s->estimator.kind == HEURISTIC_HEXES) return run_hexes_toward;
  return s->estimator.kind == HEURISTIC_CELLS ? run_cells_toward : run_cells;
}

static run_fn graph_variant(const wend_search *s) {
  if (s->use_heap || s->noise.most > 0 || wend_search_turns_on(s)) return run_graph;
  if (s->marks.paged) return run_paged;
  switch (graph_costs(s)) {
    case COSTS_WEIGHTS: return s->estimator.kind == HEURISTIC_ZERO ? run_flood : run_weights;
    case COSTS_ALL: return run_all;
    default: return run_tags;
  }
}

/* The function for a search. */
static run_fn variant_of(const wend_search *s) {
  if (s->expansion == EXPAND_GRAPH) return graph_variant(s);
  if (s->expansion == EXPAND_CELLS) return cells_variant(s);
  return s->expansion == EXPAND_JUMPS ? run_jumps : run_grid;
}

double wend_factor_onto(const wend_search *s, uint32_t place, uint32_t arc) { return factor_onto(s, place, arc); }

wend_status wend_kernel_run(wend_search *s, uint64_t limit) { return variant_of(s)(s, limit); }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
