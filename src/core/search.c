/* SPDX-License-Identifier: MIT */
/* The one search kernel: A* with labels that may be corrected (P. Hart, N. Nilsson, B. Raphael, "A formal basis for
 * the heuristic determination of minimum cost paths", 1968), which with no heuristic is E. W. Dijkstra's algorithm
 * ("A note on two problems in connexion with graphs", 1959). The open list is in queue.h.
 *
 *   label   one a place, 24 bytes, never cleared: a label whose stamp is not of this search is as good as none
 *   run()   pops a node, walks its arcs, relaxes each; made for every kind of costs and heuristic by constant
 *           arguments, so that the plain case does not pay for the others
 *
 * Nothing in here depends on how places are numbered: the result is a function of the graph, not of its history. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/graph.h"
#include "core/queue.h"

WEND_NO_FUSING

typedef struct label {
  double g;        /* the cost from the start, as far as is known */
  uint32_t stamp;  /* the search's epoch, and flags */
  uint32_t parent; /* the place before, WEND_NONE at the start */
  uint32_t via;    /* the arc from there */
  uint32_t hops;   /* the edges from the start */
} label;

#define LABEL_OPEN 1u     /* it waits in the open list */
#define LABEL_EXPANDED 2u /* it was expanded, perhaps with a higher cost */
#define LABEL_GOAL 4u
#define LABEL_FLAGS 7u
#define EPOCH_STEP 8u

/* How costs are made, and what is estimated: what run() is specialised on. */
typedef enum cost_kind { COSTS_WEIGHTS, COSTS_TAGS, COSTS_ASKED } cost_kind;
typedef enum guess_kind { GUESS_NOTHING, GUESS_EUCLIDEAN_2D, GUESS_EUCLIDEAN_3D, GUESS_GENERAL } guess_kind;

/* Up to so many goals are measured one by one; beyond, their bounding box stands for them. */
#define GOALS_MEASURED 8u
/* Buckets give way to the heap when so many expansions, and more than a quarter of all, were repeated. */
#define REPEATED_MAX 256u
/* The overflow may be looked through so many times as much as was expanded before buckets are widened. */
#define REFILL_WORK 4u

struct wend_search {
  wend_alloc alloc;
  label *labels;
  uint32_t labels_capacity;
  uint32_t epoch;
  wend_buckets buckets;
  wend_heap heap;

  /* The search under way. */
  wend_graph *graph; /* NULL: none */
  uint64_t version;  /* of the graph */
  wend_search_opts opts;
  wend_status status;
  cost_kind costs;
  guess_kind guess;
  wend_heuristic metric;
  double scale;         /* of the distance in the metric */
  double target[3];     /* the goal, for the simple guesses */
  uint32_t *goals;      /* places */
  uint32_t goals_capacity, goal_count;
  double *goal_points;  /* where the goals lie, or the low and high corner of their box */
  uint32_t goal_points_capacity, goal_point_count;
  bool goals_boxed;
  bool use_heap, exact_hops, found, pruned;
  double g_ceiling, f_ceiling; /* what costs, or would cost, this much is not wanted */
  uint64_t repeated, refilled;
  uint32_t nearest; /* for `partial` */
  double nearest_distance;
  uint32_t *visits; /* by place: when it was first popped; only with WEND_QUEUE_HEAP */
  uint32_t visits_capacity, visit_count;
  wend_stats stats;

  /* The result. */
  wend_id *path_nodes, *path_edges;
  uint32_t path_nodes_capacity, path_edges_capacity, path_length;
  double path_cost;
};

wend_search_opts wend_search_opts_default(void) {
  wend_search_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.max_expanded = UINT64_MAX;
  opts.max_cost = INFINITY;
  return opts;
}

size_t wend_search_node_bytes(void) { return sizeof(label); }

wend_search *wend_search_create(const wend_alloc *alloc) {
  wend_alloc from = alloc != NULL ? *alloc : wend_alloc_default();
  wend_search *s = from.resize(from.ud, NULL, 0, sizeof *s);
  if (s == NULL) return NULL;
  memset(s, 0, sizeof *s);
  s->alloc = from;
  wend_buckets_init(&s->buckets);
  return s;
}

void wend_search_destroy(wend_search *s) {
  wend_alloc alloc;
  if (s == NULL) return;
  alloc = s->alloc;
  WEND_FREE(&alloc, s->labels, s->labels_capacity);
  WEND_FREE(&alloc, s->buckets.entries, s->buckets.entries_capacity);
  WEND_FREE(&alloc, s->buckets.far, s->buckets.far_capacity);
  WEND_FREE(&alloc, s->heap.entries, s->heap.capacity);
  WEND_FREE(&alloc, s->goals, s->goals_capacity);
  WEND_FREE(&alloc, s->goal_points, s->goal_points_capacity);
  WEND_FREE(&alloc, s->visits, s->visits_capacity);
  WEND_FREE(&alloc, s->path_nodes, s->path_nodes_capacity);
  WEND_FREE(&alloc, s->path_edges, s->path_edges_capacity);
  alloc.resize(alloc.ud, s, sizeof *s, 0);
}

void wend_search_reset(wend_search *s) {
  wend_buckets_clear(&s->buckets);
  s->heap.count = 0;
  s->graph = NULL;
  s->path_length = 0;
}

static wend_id id_of(const wend_search *s, uint32_t place) {
  return wend_slots_id(&s->graph->nodes, s->graph->slot_of[place]);
}

/* ---- Estimates -------------------------------------------------------------------------------------------- */

/* The size of a vector in a metric. Octile: the diagonal way over squares, or cubes. */
static double metric_size(wend_heuristic metric, double a, double b, double c) {
  double swap;
  a = fabs(a), b = fabs(b), c = fabs(c);
  switch (metric) {
    case WEND_MANHATTAN: return a + b + c;
    case WEND_CHEBYSHEV: return a > b ? (a > c ? a : c) : (b > c ? b : c);
    case WEND_OCTILE:
      if (a < b) swap = a, a = b, b = swap;
      if (a < c) swap = a, a = c, c = swap;
      if (b < c) swap = b, b = c, c = swap;
      return a + (sqrt(2) - 1) * b + (sqrt(3) - sqrt(2)) * c;
    default: return sqrt(a * a + b * b + c * c);
  }
}

/* The metric of a vector is at most this many times its length. */
static double metric_excess(wend_heuristic metric, int dimensions) {
  if (metric == WEND_MANHATTAN) return sqrt(dimensions);
  if (metric == WEND_OCTILE) return metric_size(WEND_EUCLIDEAN, 1, sqrt(2) - 1, dimensions == 3 ? sqrt(3) - sqrt(2) : 0);
  return 1;
}

/* How far a place is from the nearest goal. */
static double goal_distance(const wend_search *s, wend_heuristic metric, uint32_t place) {
  const double *p = wend_graph_point(s->graph, place), *goal = s->goal_points;
  int dimensions = s->graph->dimensions;
  double least = INFINITY;
  if (s->goals_boxed) {
    double d[3] = {0, 0, 0};
    for (int i = 0; i < dimensions; i++) {
      double low = goal[i], high = goal[dimensions + i];
      d[i] = p[i] < low ? low - p[i] : p[i] > high ? p[i] - high : 0;
    }
    return metric_size(metric, d[0], d[1], d[2]);
  }
  for (uint32_t k = 0; k < s->goal_point_count; k++, goal += dimensions) {
    double size = metric_size(metric, p[0] - goal[0], p[1] - goal[1], dimensions == 3 ? p[2] - goal[2] : 0);
    if (size < least) least = size;
  }
  return least;
}

/* The user's own estimate, for the goal that it says is nearest. NaN, where it gave nonsense, goes through. */
static double custom_estimate(const wend_search *s, uint32_t place) {
  double least = INFINITY;
  for (uint32_t k = 0; k < s->goal_count; k++) {
    double h = s->opts.estimate(s->opts.estimate_ud, id_of(s, place), id_of(s, s->goals[k]));
    if (!(h >= 0)) return NAN;
    if (h < least) least = h;
  }
  return least;
}

static WEND_NOINLINE double general_estimate(const wend_search *s, uint32_t place) {
  if (s->guess == GUESS_NOTHING) return 0;
  if (s->metric == WEND_CUSTOM) return custom_estimate(s, place);
  return goal_distance(s, s->metric, place) * s->scale;
}

WEND_INLINE double estimate(const wend_search *s, uint32_t place, const guess_kind guess) {
  const double *p;
  double x, y, z;
  switch (guess) {
    case GUESS_NOTHING: return 0;
    case GUESS_EUCLIDEAN_2D:
      p = s->graph->points + (size_t)place * 2;
      x = p[0] - s->target[0], y = p[1] - s->target[1];
      return sqrt(x * x + y * y) * s->scale;
    case GUESS_EUCLIDEAN_3D:
      p = s->graph->points + (size_t)place * 3;
      x = p[0] - s->target[0], y = p[1] - s->target[1], z = p[2] - s->target[2];
      return sqrt(x * x + y * y + z * z) * s->scale;
    case GUESS_GENERAL: break;
  }
  return general_estimate(s, place);
}

/* ---- Heap ------------------------------------------------------------------------------------------------- */

static bool heap_less(const wend_search *s, const wend_heap_entry *a, const wend_heap_entry *b) {
  if (a->f != b->f) return a->f < b->f;
  if (a->hops != b->hops) return a->hops < b->hops;
  return a->node != b->node && id_of(s, a->node) > id_of(s, b->node);
}

static void heap_push(wend_search *s, wend_heap_entry entry) {
  wend_heap_entry *heap = s->heap.entries;
  uint32_t at = s->heap.count++;
  while (at > 0 && heap_less(s, &entry, &heap[(at - 1) / 4])) {
    heap[at] = heap[(at - 1) / 4];
    at = (at - 1) / 4;
  }
  heap[at] = entry;
}

static wend_heap_entry heap_pop(wend_search *s) {
  wend_heap_entry *heap = s->heap.entries, top = heap[0], last = heap[--s->heap.count];
  uint32_t at = 0, count = s->heap.count;
  for (;;) {
    uint64_t child = (uint64_t)at * 4 + 1;
    uint32_t least;
    if (child >= count) break;
    least = (uint32_t)child;
    for (uint32_t k = least + 1; k < least + 4 && k < count; k++)
      if (heap_less(s, &heap[k], &heap[least]) && k < child + 4) least = k;
    if (!heap_less(s, &heap[least], &last)) break;
    heap[at] = heap[least];
    at = least;
  }
  heap[at] = last;
  return top;
}

static bool heap_reserve(wend_search *s, uint32_t count) {
  return WEND_GROW(&s->alloc, s->heap.entries, s->heap.capacity, (uint64_t)s->heap.count + count);
}

static void heap_move(wend_search *s, uint32_t node) {
  wend_heap_entry entry = {s->labels[node].g + general_estimate(s, node), node, s->labels[node].hops};
  if ((s->labels[node].stamp & LABEL_OPEN) != 0) heap_push(s, entry);
}

/* From buckets to the heap, in the middle of a search. */
static bool change_to_heap(wend_search *s) {
  wend_buckets *b = &s->buckets;
  uint64_t most = (uint64_t)b->entries_used + b->far_count + 1;
  if (most >= WEND_NONE || !heap_reserve(s, (uint32_t)most)) return false;
  for (unsigned slot = 0; slot < RING; slot++)
    for (uint32_t entry = b->heads[slot]; entry != WEND_NONE; entry = b->entries[entry].next)
      heap_move(s, b->entries[entry].node);
  for (uint32_t i = 0; i < b->far_count; i++) heap_move(s, b->far[i].node);
  wend_buckets_clear(b);
  s->use_heap = true;
  return true;
}

/* ---- The kernel ------------------------------------------------------------------------------------------- */

/* Remembers the reached node that is nearest to a goal, then cheapest, then of the smallest id. */
static WEND_NOINLINE void note_nearest(wend_search *s, uint32_t place) {
  double d = s->goal_points == NULL ? INFINITY : goal_distance(s, WEND_EUCLIDEAN, place);
  if (!(d == d)) d = INFINITY; /* no position */
  if (s->nearest != WEND_NONE) {
    double g = s->labels[place].g, best = s->labels[s->nearest].g;
    if (d > s->nearest_distance) return;
    if (d == s->nearest_distance && (g > best || (g == best && id_of(s, place) > id_of(s, s->nearest)))) return;
  }
  s->nearest = place;
  s->nearest_distance = d;
}

/* Equal cost: fewer edges win, then the smaller id before. True: the label got fewer edges, and is to be passed on. */
static WEND_NOINLINE bool settle_tie(wend_search *s, label *to, uint32_t from, uint32_t hops, uint32_t via) {
  bool fewer = hops < to->hops;
  if (!fewer && (hops > to->hops || to->parent == WEND_NONE || id_of(s, from) >= id_of(s, to->parent))) return false;
  if (to->parent == WEND_NONE && to->hops == 0) return false; /* the start */
  if (fewer && !s->exact_hops && (to->stamp & LABEL_OPEN) == 0) return false; /* A*: it is too late */
  to->hops = hops;
  to->parent = from;
  to->via = via;
  return fewer && s->exact_hops;
}

/* Offers a way from one node to another, and opens the other where it is cheaper than what was known.
 * There is room in the open list. */
WEND_INLINE bool relax(wend_search *s, label *labels, uint32_t from, double from_g, uint32_t from_hops, uint32_t to,
                       double cost, uint32_t via, const guess_kind guess, const bool heap) {
  label *l = &labels[to];
  double g = from_g + cost, h, f;
  bool known = (l->stamp & ~LABEL_FLAGS) == s->epoch;
  int64_t k;
  if (known && !(g < l->g)) {
    if (WEND_LIKELY(g != l->g) || !(g < INFINITY)) return true;
    if (!settle_tie(s, l, from, from_hops + 1, via)) return true;
  }
  if (WEND_UNLIKELY(!(g < s->g_ceiling))) {
    if (g < INFINITY) s->pruned = true;
    return true;
  }
  h = estimate(s, to, guess);
  f = g + h;
  if (WEND_UNLIKELY(!(f < s->f_ceiling))) {
    if (guess == GUESS_GENERAL && h != h) return false;
    s->pruned = true;
    return true;
  }
  s->stats.pushed++;
  if (heap) {
    wend_heap_entry entry = {f, to, from_hops + 1};
    heap_push(s, entry);
  } else {
    k = wend_buckets_index(&s->buckets, f);
    /* Where it waits in the same bucket already, it is as good as pushed. */
    if (!(known && (l->stamp & LABEL_OPEN) != 0 && k != INT64_MAX && k == wend_buckets_index(&s->buckets, l->g + h)))
      wend_buckets_push(&s->buckets, k, f, to);
  }
  l->g = g;
  l->stamp = known ? l->stamp | LABEL_OPEN : s->epoch | LABEL_OPEN;
  l->parent = from;
  l->via = via;
  l->hops = from_hops + 1;
  if (WEND_UNLIKELY(s->opts.partial)) note_nearest(s, to);
  return true;
}

/* What the edge function makes of an arc. Negative or NaN: it gave up. */
static WEND_NOINLINE double ask(wend_search *s, uint32_t from, uint32_t arc, double cost) {
  const wend_graph *graph = s->graph;
  wend_step step;
  step.from = id_of(s, from);
  step.to = id_of(s, graph->arcs[arc].to);
  step.edge = wend_slots_id(&graph->edges, graph->arc_edge[arc]);
  step.cost = cost;
  step.tag = graph->arcs[arc].kind >> ARC_TAG_SHIFT;
  s->stats.callbacks++;
  return s->opts.costs.edge(s->opts.costs.ud, &step);
}

/* Walks the arcs that leave a node. False: a cost or an estimate was none. */
WEND_INLINE bool expand(wend_search *s, uint32_t from, const cost_kind costs, const guess_kind guess,
                        const bool heap) {
  const wend_graph *graph = s->graph;
  const wend_block block = graph->blocks[from];
  const wend_arc *arcs = graph->arcs;
  label *labels = s->labels;
  const double g = labels[from].g;
  const uint32_t hops = labels[from].hops;
  for (uint32_t i = block.first; i < block.in; i++) {
    double cost = arcs[i].weight;
    if (WEND_UNLIKELY((arcs[i].kind & ARC_BLOCKED) != 0)) continue;
    if (costs != COSTS_WEIGHTS) {
      const wend_tag_cost *tag = &s->opts.costs.tags[arcs[i].kind >> ARC_TAG_SHIFT];
      cost = cost * tag->times + tag->plus;
      if (costs == COSTS_ASKED && tag->asks) {
        const label *to = &labels[arcs[i].to];
        double least = tag->share > 0 ? cost * tag->share : 0;
        /* An edge that could not improve anything is not asked about. */
        if (least == INFINITY || ((to->stamp & ~LABEL_FLAGS) == s->epoch && g + least > to->g)) continue;
        cost = ask(s, from, i, cost);
        if (!(cost >= 0)) return false;
      }
    }
    if (!relax(s, labels, from, g, hops, arcs[i].to, cost, i, guess, heap)) return false;
  }
  return true;
}

/* The next node to look at; WEND_NONE: nothing is left that could matter. */
WEND_INLINE uint32_t next_open(wend_search *s, const bool heap) {
  wend_buckets *b = &s->buckets;
  for (;;) {
    uint32_t node;
    if (heap) {
      if (s->heap.count == 0) return WEND_NONE;
      node = heap_pop(s).node;
    } else {
      node = wend_buckets_pop(b);
      if (node == WEND_NONE) {
        double widen = 1;
        if (s->found) return WEND_NONE; /* all that comes is dearer than the goal */
        if (wend_buckets_advance(b)) continue;
        if (b->far_count == 0) return WEND_NONE;
        s->refilled += b->far_count;
        if (s->refilled > REFILL_WORK * (s->stats.expanded + RING)) {
          widen = 8;
          s->refilled = 0;
        }
        wend_buckets_refill(b, widen);
        continue;
      }
      if (b->heads[(uint32_t)b->at & (RING - 1)] != WEND_NONE)
        WEND_PREFETCH(&s->labels[b->entries[b->heads[(uint32_t)b->at & (RING - 1)]].node]);
    }
    if (WEND_LIKELY((s->labels[node].stamp & LABEL_OPEN) != 0)) return node;
  }
}

static void note_visit(wend_search *s, uint32_t place) {
  if (s->visits != NULL && s->visits[place] == 0) s->visits[place] = ++s->visit_count;
}

static void reach_goal(wend_search *s, uint32_t place) {
  double g = s->labels[place].g;
  s->found = true;
  /* Dijkstra goes on through equal costs, where fewer edges may be found; A* does not. */
  if (s->exact_hops) g = nextafter(g, INFINITY);
  if (g < s->f_ceiling) s->f_ceiling = g;
}

WEND_INLINE wend_status run(wend_search *s, uint64_t limit, const cost_kind costs, const guess_kind guess,
                            const bool heap) {
  for (;;) {
    uint32_t node, degree;
    label *l;
    node = next_open(s, heap);
    if (node == WEND_NONE) return s->found ? WEND_OK : WEND_NO_PATH;
    l = &s->labels[node];
    if (WEND_UNLIKELY((l->stamp & LABEL_GOAL) != 0)) {
      if (heap) note_visit(s, node);
      l->stamp &= ~LABEL_OPEN;
      reach_goal(s, node);
      continue;
    }
    if (WEND_UNLIKELY(s->found) && !(l->g + estimate(s, node, guess) < s->f_ceiling)) {
      if (heap) return WEND_OK;
      l->stamp &= ~LABEL_OPEN;
      continue;
    }
    if (WEND_UNLIKELY(s->stats.expanded >= limit)) { /* it goes back, to come out first */
      if (heap)
        heap_move(s, node);
      else
        wend_buckets_push(&s->buckets, s->buckets.at, 0, node);
      return WEND_RUNNING;
    }
    if (heap) note_visit(s, node);
    l->stamp &= ~LABEL_OPEN;
    if (WEND_UNLIKELY((l->stamp & LABEL_EXPANDED) != 0)) {
      if (!heap && ++s->repeated > REPEATED_MAX + s->stats.expanded / 4) {
        if (!change_to_heap(s)) return WEND_NO_MEMORY;
        l->stamp |= LABEL_OPEN; /* this one goes back */
        heap_move(s, node);
        return WEND_RUNNING;
      }
    }
    l->stamp |= LABEL_EXPANDED;
    degree = s->graph->blocks[node].in - s->graph->blocks[node].first;
    if (WEND_UNLIKELY(!(heap ? heap_reserve(s, degree) : wend_buckets_reserve(&s->buckets, &s->alloc, degree))))
      return WEND_NO_MEMORY;
    s->stats.expanded++;
    if (WEND_UNLIKELY(!expand(s, node, costs, guess, heap))) return WEND_ABORTED;
  }
}

/* One function for each kind of costs and heuristic. With the heap the general guess serves for all. */
#define WEND_RUN(name, costs, guess, heap) \
  static WEND_NOINLINE wend_status name(wend_search *s, uint64_t limit) { return run(s, limit, costs, guess, heap); }
WEND_RUN(run_weights, COSTS_WEIGHTS, GUESS_NOTHING, false)
WEND_RUN(run_weights_2d, COSTS_WEIGHTS, GUESS_EUCLIDEAN_2D, false)
WEND_RUN(run_weights_3d, COSTS_WEIGHTS, GUESS_EUCLIDEAN_3D, false)
WEND_RUN(run_weights_general, COSTS_WEIGHTS, GUESS_GENERAL, false)
WEND_RUN(run_tags, COSTS_TAGS, GUESS_NOTHING, false)
WEND_RUN(run_tags_2d, COSTS_TAGS, GUESS_EUCLIDEAN_2D, false)
WEND_RUN(run_tags_3d, COSTS_TAGS, GUESS_EUCLIDEAN_3D, false)
WEND_RUN(run_tags_general, COSTS_TAGS, GUESS_GENERAL, false)
WEND_RUN(run_asked, COSTS_ASKED, GUESS_NOTHING, false)
WEND_RUN(run_asked_2d, COSTS_ASKED, GUESS_EUCLIDEAN_2D, false)
WEND_RUN(run_asked_3d, COSTS_ASKED, GUESS_EUCLIDEAN_3D, false)
WEND_RUN(run_asked_general, COSTS_ASKED, GUESS_GENERAL, false)
WEND_RUN(run_heap, COSTS_WEIGHTS, GUESS_GENERAL, true)
WEND_RUN(run_heap_tags, COSTS_ASKED, GUESS_GENERAL, true)
#undef WEND_RUN

static wend_status (*const runs[3][4])(wend_search *, uint64_t) = {
    {run_weights, run_weights_2d, run_weights_3d, run_weights_general},
    {run_tags, run_tags_2d, run_tags_3d, run_tags_general},
    {run_asked, run_asked_2d, run_asked_3d, run_asked_general},
};

/* ---- Beginning -------------------------------------------------------------------------------------------- */

/* The least cost per length that any edge of the graph can have for this agent. */
static double least_ratio(wend_graph *graph, const wend_costs *costs) {
  double least = INFINITY;
  for (uint32_t tag = 0; tag <= wend_graph_tag_count(graph); tag++) {
    double ratio = wend_ratios_least(&graph->ratios, tag);
    if (ratio == INFINITY) continue;
    if (costs->tags != NULL) {
      const wend_tag_cost *cost = &costs->tags[tag];
      if (cost->asks && !(cost->share > 0)) return 0; /* it may be made to cost anything, closed or not */
      if (cost->plus == INFINITY) continue;
      ratio *= cost->times;
      if (cost->asks) ratio *= cost->share;
    }
    if (ratio < least) least = ratio;
  }
  return least < INFINITY ? least : 0;
}

/* A tenth of what a typical edge costs this agent: wide enough that few buckets are empty, and rather too narrow, which
 * costs little, than too wide, where many nodes would be expanded again and again (bench/README.md). A tag that is far
 * dearer than another counts as eight times as dear. */
static double bucket_width(const wend_graph *graph, const wend_costs *costs) {
  double weight = wend_graph_typical_weight(graph), least = INFINITY, sum = 0, count = 0, width;
  uint32_t tags = costs->tags == NULL ? 0 : wend_graph_tag_count(graph) + 1;
  for (uint32_t tag = 0; tag < tags; tag++) {
    double typical = weight * costs->tags[tag].times + costs->tags[tag].plus;
    if (wend_ratios_count(&graph->ratios, tag) > 0 && typical > 0 && typical < least) least = typical;
  }
  for (uint32_t tag = 0; tag < tags; tag++) {
    double typical = weight * costs->tags[tag].times + costs->tags[tag].plus;
    double edges = (double)wend_ratios_count(&graph->ratios, tag);
    if (typical == INFINITY || edges == 0) continue;
    sum += edges * (typical < 8 * least ? typical : 8 * least);
    count += edges;
  }
  width = (sum > 0 ? sum / count : weight) / 10;
  return width >= 1e-280 && width <= 1e280 ? width : 1;
}

static bool begin_labels(wend_search *s, const wend_graph *graph) {
  uint32_t old = s->labels_capacity;
  if (graph->place_count > old) {
    if (!WEND_GROW(&s->alloc, s->labels, s->labels_capacity, graph->place_count)) return false;
    memset(s->labels + old, 0, (s->labels_capacity - old) * sizeof *s->labels);
  }
  if (s->epoch > UINT32_MAX - 2 * EPOCH_STEP) { /* after 2^29 searches */
    memset(s->labels, 0, s->labels_capacity * sizeof *s->labels);
    s->epoch = 0;
  }
  s->epoch += EPOCH_STEP;
  if (s->opts.queue != WEND_QUEUE_HEAP) {
    WEND_FREE(&s->alloc, s->visits, s->visits_capacity);
    s->visits = NULL;
    s->visits_capacity = 0;
    return true;
  }
  if (!WEND_RESIZE(&s->alloc, s->visits, s->visits_capacity, graph->place_count)) return false;
  memset(s->visits, 0, s->visits_capacity * sizeof *s->visits);
  s->visit_count = 0;
  return true;
}

static bool begin_goals(wend_search *s, wend_graph *graph, const wend_id *goals, uint32_t count) {
  uint32_t dimensions = (uint32_t)graph->dimensions;
  bool boxed = count > GOALS_MEASURED;
  if (!WEND_GROW(&s->alloc, s->goals, s->goals_capacity, count)) return false;
  if (!WEND_GROW(&s->alloc, s->goal_points, s->goal_points_capacity, (uint64_t)dimensions * (boxed ? 2 : count)))
    return false;
  s->goal_count = count;
  s->goal_point_count = 0;
  s->goals_boxed = boxed;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t place = graph->nodes.value[wend_slots_find(&graph->nodes, goals[k])];
    label *l = &s->labels[place];
    s->goals[k] = place;
    l->g = INFINITY;
    l->stamp = s->epoch | LABEL_GOAL;
    l->parent = WEND_NONE;
    l->hops = 0;
    if (graph->points == NULL) continue;
    for (uint32_t d = 0; d < dimensions; d++) {
      double at = wend_graph_point(graph, place)[d];
      if (!boxed)
        s->goal_points[k * dimensions + d] = at;
      else if (k == 0)
        s->goal_points[d] = s->goal_points[dimensions + d] = at;
      else if (at < s->goal_points[d])
        s->goal_points[d] = at;
      else if (at > s->goal_points[dimensions + d])
        s->goal_points[dimensions + d] = at;
    }
    s->goal_point_count++;
  }
  return true;
}

/* Which estimate, and how strong it may be. */
static void begin_guess(wend_search *s, wend_graph *graph) {
  wend_heuristic metric = s->opts.heuristic;
  double least = 0;
  s->metric = metric == WEND_AUTO ? WEND_EUCLIDEAN : metric;
  s->guess = metric == WEND_CUSTOM ? GUESS_GENERAL : GUESS_NOTHING;
  s->scale = 0;
  if (metric != WEND_CUSTOM && metric != WEND_ZERO && graph->points != NULL && graph->unplaced == 0)
    least = least_ratio(graph, &s->opts.costs);
  s->stats.bound = least;
  if (least > 0) {
    s->scale = least / metric_excess(s->metric, graph->dimensions);
    s->guess = GUESS_GENERAL;
    if (s->metric == WEND_EUCLIDEAN && s->goal_count == 1) {
      s->guess = graph->dimensions == 2 ? GUESS_EUCLIDEAN_2D : GUESS_EUCLIDEAN_3D;
      memcpy(s->target, s->goal_points, (size_t)graph->dimensions * sizeof *s->target);
    }
  }
  s->exact_hops = s->guess == GUESS_NOTHING;
}

wend_status wend_search_begin(wend_search *s, wend_graph *graph, wend_id from, const wend_id *goals,
                              uint32_t goal_count, const wend_search_opts *opts) {
  wend_status status = wend_graph_sync(graph);
  uint32_t start;
  label *l;
  double h;
  wend_search_reset(s);
  if (status != WEND_OK) return status;
  s->opts = *opts;
  memset(&s->stats, 0, sizeof s->stats);
  if (!begin_labels(s, graph) || !begin_goals(s, graph, goals, goal_count) ||
      !wend_buckets_reserve(&s->buckets, &s->alloc, 1) || !heap_reserve(s, 1))
    return WEND_NO_MEMORY;
  s->graph = graph;
  s->version = graph->version;
  begin_guess(s, graph);
  s->costs = opts->costs.tags == NULL ? COSTS_WEIGHTS : opts->costs.edge == NULL ? COSTS_TAGS : COSTS_ASKED;
  s->use_heap = opts->queue == WEND_QUEUE_HEAP;
  s->found = s->pruned = false;
  s->repeated = s->refilled = 0;
  s->nearest = WEND_NONE;
  s->g_ceiling = nextafter(opts->max_cost, INFINITY); /* a path that costs max_cost is wanted */
  s->f_ceiling = opts->partial ? INFINITY : s->g_ceiling;
  s->status = WEND_RUNNING;

  start = graph->nodes.value[wend_slots_find(&graph->nodes, from)];
  l = &s->labels[start];
  l->stamp = s->epoch | LABEL_OPEN | ((l->stamp & ~LABEL_FLAGS) == s->epoch ? l->stamp & LABEL_GOAL : 0);
  l->g = 0;
  l->parent = WEND_NONE;
  l->via = WEND_NONE;
  l->hops = 0;
  h = general_estimate(s, start);
  if (h != h) return s->status = WEND_ABORTED;
  if (opts->partial) note_nearest(s, start);
  if (s->use_heap) {
    wend_heap_entry entry = {h, start, 0};
    heap_push(s, entry);
  } else {
    wend_buckets_start(&s->buckets, h, bucket_width(graph, &opts->costs));
    wend_buckets_push(&s->buckets, 0, h, start);
  }
  s->stats.pushed = 1;
  return WEND_OK;
}

/* ---- Ending ----------------------------------------------------------------------------------------------- */

/* Writes down the path to a place. */
static wend_status take_path(wend_search *s, uint32_t place) {
  const wend_graph *graph = s->graph;
  uint32_t length = 1, i;
  for (uint32_t p = place; s->labels[p].parent != WEND_NONE; p = s->labels[p].parent) length++;
  if (!WEND_GROW(&s->alloc, s->path_nodes, s->path_nodes_capacity, length) ||
      !WEND_GROW(&s->alloc, s->path_edges, s->path_edges_capacity, length))
    return WEND_NO_MEMORY;
  s->path_length = length;
  s->path_cost = s->labels[place].g;
  for (i = length - 1; i > 0; i--, place = s->labels[place].parent) {
    s->path_nodes[i] = id_of(s, place);
    s->path_edges[i - 1] = wend_slots_id(&graph->edges, graph->arc_edge[s->labels[place].via]);
  }
  s->path_nodes[0] = id_of(s, place);
  return WEND_OK;
}

/* The goal that was reached at the least cost, then by the fewest edges, then of the smallest id. */
static uint32_t best_goal(const wend_search *s) {
  uint32_t best = s->goals[0];
  for (uint32_t k = 1; k < s->goal_count; k++) {
    const label *a = &s->labels[s->goals[k]], *b = &s->labels[best];
    if (a->g > b->g || (a->g == b->g && a->hops > b->hops)) continue;
    if (a->g < b->g || a->hops < b->hops || id_of(s, s->goals[k]) < id_of(s, best)) best = s->goals[k];
  }
  return best;
}

static wend_status finish(wend_search *s, wend_status status) {
  if (status == WEND_OK) status = take_path(s, best_goal(s));
  if (status == WEND_NO_PATH && s->pruned && s->opts.max_cost < INFINITY) status = WEND_BUDGET;
  wend_buckets_clear(&s->buckets);
  s->heap.count = 0;
  return s->status = status;
}

wend_status wend_search_step(wend_search *s, uint64_t max_expanded) {
  uint64_t limit;
  if (s->status != WEND_RUNNING) return s->status;
  if (s->graph->version != s->version) return finish(s, WEND_STALE);
  limit = max_expanded > UINT64_MAX - s->stats.expanded ? UINT64_MAX : s->stats.expanded + max_expanded;
  if (limit > s->opts.max_expanded) limit = s->opts.max_expanded;
  for (;;) {
    wend_status status = !s->use_heap                  ? runs[s->costs][s->guess](s, limit)
                         : s->costs == COSTS_WEIGHTS ? run_heap(s, limit)
                                                       : run_heap_tags(s, limit);
    if (status != WEND_RUNNING) return finish(s, status);
    if (s->stats.expanded < limit) continue; /* it changed to the heap */
    if (s->stats.expanded < s->opts.max_expanded) return WEND_RUNNING;
    return finish(s, WEND_BUDGET);
  }
}

wend_status wend_search_partial(wend_search *s) {
  assert(s->opts.partial && (s->status == WEND_NO_PATH || s->status == WEND_BUDGET));
  return take_path(s, s->nearest);
}

uint32_t wend_search_path(const wend_search *s, const wend_id **nodes, const wend_id **edges, double *cost) {
  *nodes = s->path_nodes;
  *edges = s->path_edges;
  *cost = s->path_cost;
  return s->path_length;
}

wend_stats wend_search_stats(const wend_search *s) { return s->stats; }

wend_label wend_search_label(const wend_search *s, wend_id node) {
  uint32_t place = s->graph->nodes.value[wend_slots_find(&s->graph->nodes, node)];
  const label *l = &s->labels[place];
  wend_label result = {false, INFINITY, 0, WEND_NO_ID};
  if ((l->stamp & ~LABEL_FLAGS) != s->epoch || !(l->g < INFINITY)) return result;
  result.reached = true;
  result.cost = l->g;
  result.visit = s->visits != NULL ? s->visits[place] : 0;
  result.previous = l->parent == WEND_NONE ? WEND_NO_ID : id_of(s, l->parent);
  return result;
}
