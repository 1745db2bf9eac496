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
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/graph.h"
#include "core/queue.h"

WEND_NO_FUSING
#if defined(__GNUC__) && !defined(__clang__)
/* Gathering the four numbers of a label into one store takes longer than storing them one by one. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

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
/* Buckets give way to the heap when so many expansions, and a quarter of all, were repeated. */
#define REPEATED_MAX 256u
/* Where more steps than this for each expansion go into finding the next bucket, buckets are too narrow: they are made
 * so many times as wide. */
#define STEPS_MAX 4u
#define WIDEN 8.0

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
  double *goal_points;  /* the low and the high corner of the goals' box, then where each lies */
  uint32_t goal_points_capacity;
  bool use_heap, exact_hops, found, pruned;
  bool watched; /* what is reached is compared with max_cost, or noted for `partial` */
  double g_ceiling, f_ceiling; /* what costs, or would cost, this much is not wanted */
  uint32_t held; /* the node that came out last when a slice was over, WEND_NONE: none */
  uint64_t repeated, steps; /* expansions of nodes expanded before; steps from bucket to bucket */
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
  wend_buckets_start(&s->buckets, 0, 1);
  return s;
}

void wend_search_destroy(wend_search *s) {
  wend_alloc alloc;
  if (s == NULL) return;
  alloc = s->alloc;
  WEND_FREE(&alloc, s->labels, s->labels_capacity);
  wend_buckets_free(&s->buckets, &alloc);
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
  s->status = WEND_STALE;
  s->path_length = 0;
}

static wend_id id_of(const wend_search *s, uint32_t place) {
  return wend_slots_id(&s->graph->nodes, s->graph->slot_of[place]);
}

static wend_id edge_id_of(const wend_search *s, uint32_t arc) {
  return wend_slots_id(&s->graph->edges, s->graph->arc_edge[arc]);
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
    default: return wend_sqrt(a * a + b * b + c * c);
  }
}

/* The metric of a vector is at most this many times its length. */
static double metric_excess(wend_heuristic metric, int dimensions) {
  if (metric == WEND_MANHATTAN) return sqrt(dimensions);
  if (metric == WEND_OCTILE) return metric_size(WEND_EUCLIDEAN, 1, sqrt(2) - 1, dimensions == 3 ? sqrt(3) - sqrt(2) : 0);
  return 1;
}

/* How far a place is from the nearest goal; with `boxed`, from their box. */
static double goal_distance(const wend_search *s, wend_heuristic metric, uint32_t place, bool boxed) {
  const double *p = wend_graph_point(s->graph, place), *low = s->goal_points;
  int dimensions = s->graph->dimensions;
  const double *high = low + dimensions, *goal = high + dimensions;
  double least = INFINITY;
  if (boxed) {
    double d[3] = {0, 0, 0};
    for (int i = 0; i < dimensions; i++) d[i] = p[i] < low[i] ? low[i] - p[i] : p[i] > high[i] ? p[i] - high[i] : 0;
    return metric_size(metric, d[0], d[1], d[2]);
  }
  for (uint32_t k = 0; k < s->goal_count; k++, goal += dimensions) {
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
  return goal_distance(s, s->metric, place, s->goal_count > GOALS_MEASURED) * s->scale;
}

/* What the inner loops read and write again and again: copied out of the search while run() is at it, because a
 * compiler must believe that every label it stores might be a part of the search. */
typedef struct lane_state {
  label *labels;
  uint32_t epoch;
  const double *points;
  double x, y, z, scale; /* the target of the guess */
  double f_ceiling;
  uint64_t limit, expanded, pushed;
} lane_state;

WEND_INLINE void enter_lane(const wend_search *s, lane_state *lane, uint64_t limit) {
  lane->limit = s->found ? 0 : limit; /* past a goal, every node is judged */
  lane->labels = s->labels;
  lane->epoch = s->epoch;
  lane->points = s->graph->points;
  lane->x = s->target[0], lane->y = s->target[1], lane->z = s->target[2];
  lane->scale = s->scale;
  lane->f_ceiling = s->f_ceiling;
  lane->expanded = s->stats.expanded, lane->pushed = s->stats.pushed;
}

/* Back into the search, before anything else looks at it. */
WEND_INLINE void leave_lane(wend_search *s, const lane_state *lane) {
  s->stats.expanded = lane->expanded, s->stats.pushed = lane->pushed;
}

WEND_INLINE double estimate(const wend_search *s, const lane_state *l, uint32_t place, const guess_kind guess) {
  const double *p;
  double x, y, z;
  switch (guess) {
    case GUESS_NOTHING: return 0;
    case GUESS_EUCLIDEAN_2D:
      p = l->points + (size_t)place * 2;
      x = p[0] - l->x, y = p[1] - l->y;
      return wend_sqrt(x * x + y * y) * l->scale;
    case GUESS_EUCLIDEAN_3D:
      p = l->points + (size_t)place * 3;
      x = p[0] - l->x, y = p[1] - l->y, z = p[2] - l->z;
      return wend_sqrt(x * x + y * y + z * z) * l->scale;
    case GUESS_GENERAL: break;
  }
  return general_estimate(s, place);
}

/* ---- Heap ------------------------------------------------------------------------------------------------- */

static bool heap_less(const wend_search *s, const wend_heap_entry *a, const wend_heap_entry *b) {
  if (a->f != b->f) return a->f < b->f;
  if (a->hops != b->hops) return a->hops < b->hops;
  if (s->visits == NULL) return false; /* nobody watches */
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
      if (heap_less(s, &heap[k], &heap[least])) least = k;
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
  uint64_t all = (uint64_t)b->far_count + 1;
  for (unsigned slot = 0; slot < RING; slot++) all += b->ring[slot].count;
  if (b->failed || all >= WEND_NONE || !heap_reserve(s, (uint32_t)all)) return false;
  for (unsigned slot = 0; slot < RING; slot++)
    for (uint32_t i = 0; i < b->ring[slot].count; i++) heap_move(s, b->ring[slot].nodes[i]);
  for (uint32_t i = 0; i < b->far_count; i++) heap_move(s, b->far[i].node);
  wend_buckets_clear(b);
  s->use_heap = true;
  return true;
}

/* Makes the buckets wider: all go out of the ring and come back into it. */
static void widen_buckets(wend_search *s) {
  wend_buckets *b = &s->buckets;
  for (int64_t k = b->at; k <= b->top; k++) {
    wend_bucket *bucket = &b->ring[k & (RING - 1)];
    for (uint32_t i = 0; i < bucket->count; i++) {
      uint32_t node = bucket->nodes[i];
      wend_buckets_put_far(b, &s->alloc, s->labels[node].g + general_estimate(s, node), node);
    }
    bucket->count = 0;
  }
  s->steps = 0;
  if (b->far_count > 0) wend_buckets_refill(b, &s->alloc, WIDEN);
}

/* ---- The kernel ------------------------------------------------------------------------------------------- */

/* Remembers the reached node that is nearest to a goal, then cheapest, then of the smallest id. */
static WEND_NOINLINE void note_nearest(wend_search *s, uint32_t place) {
  double d = goal_distance(s, WEND_EUCLIDEAN, place, false);
  if (!(d == d)) d = INFINITY; /* no position */
  if (s->nearest != WEND_NONE) {
    double g = s->labels[place].g, best = s->labels[s->nearest].g;
    if (d > s->nearest_distance) return;
    if (d == s->nearest_distance && (g > best || (g == best && id_of(s, place) > id_of(s, s->nearest)))) return;
  }
  s->nearest = place;
  s->nearest_distance = d;
}

/* Equal cost: fewer edges win, then the smaller id before, then the smaller id of the edge. True: the label got fewer
 * edges, and is to be passed on. */
static WEND_NOINLINE bool settle_tie(wend_search *s, label *to, uint32_t from, uint32_t hops, uint32_t via) {
  bool fewer = hops < to->hops;
  if (to->parent == WEND_NONE) return false; /* the start */
  if (!fewer) {
    wend_id before = id_of(s, from), best = id_of(s, to->parent);
    if (hops > to->hops || before > best || (before == best && edge_id_of(s, via) > edge_id_of(s, to->via))) return false;
  }
  if (fewer && !s->exact_hops && (to->stamp & LABEL_OPEN) == 0) return false; /* A*: it is too late */
  to->hops = hops;
  to->parent = from;
  to->via = via;
  return fewer && s->exact_hops;
}

/* A node that is not wanted, because of what it costs. */
static WEND_NOINLINE bool turn_down(wend_search *s, double f) {
  if (f != f) return false; /* the estimate gave up */
  if (f < INFINITY) s->pruned = true;
  return true;
}

/* Offers a way from one node to another, and opens the other where it is cheaper than what was known.
 * There is room in the heap, where that is used. False: the estimate gave up. */
WEND_INLINE bool relax(wend_search *s, lane_state *lane, uint32_t from, double from_g, uint32_t from_hops, uint32_t to,
                       double cost, uint32_t via, const guess_kind guess, const bool heap) {
  label *l = &lane->labels[to];
  const double g = from_g + cost;
  const uint32_t known = l->stamp - lane->epoch; /* flags, where the label is of this search */
  double f;
  if (WEND_LIKELY(known <= LABEL_FLAGS)) {
    if (g > l->g) return true;
    if (WEND_UNLIKELY(g == l->g) && (!(g < INFINITY) || !settle_tie(s, l, from, from_hops + 1, via))) return true;
  }
  f = g + estimate(s, lane, to, guess);
  if (WEND_UNLIKELY(!(f < lane->f_ceiling))) return turn_down(s, f);
  if (WEND_UNLIKELY(s->watched) && !(g < s->g_ceiling)) return turn_down(s, g);
  l->g = g;
  l->stamp = lane->epoch | LABEL_OPEN | (known <= LABEL_FLAGS ? known : 0);
  l->parent = from;
  l->via = via;
  l->hops = from_hops + 1;
  lane->pushed++;
  if (WEND_UNLIKELY(s->watched) && s->opts.partial) note_nearest(s, to);
  if (heap) {
    wend_heap_entry entry = {f, to, from_hops + 1};
    heap_push(s, entry);
    return true;
  }
  wend_buckets_push(&s->buckets, &s->alloc, f, to);
  return true;
}

/* What the edge function makes of an arc. Negative or NaN: it gave up. */
static WEND_NOINLINE double ask(wend_search *s, wend_id from, uint32_t arc, double cost) {
  const wend_graph *graph = s->graph;
  wend_step step;
  step.from = from;
  step.to = id_of(s, graph->arc_to[arc]);
  step.edge = edge_id_of(s, arc);
  step.cost = cost;
  step.tag = graph->arc_tag[arc];
  s->stats.callbacks++;
  return s->opts.costs.edge(s->opts.costs.ud, &step);
}

/* Walks the arcs that leave a node. False: a cost or an estimate was none. */
WEND_INLINE bool expand(wend_search *s, lane_state *lane, uint32_t from, wend_span out, const cost_kind costs,
                        const guess_kind guess, const bool heap) {
  const double *weights = s->graph->arc_weight;
  const uint32_t *nodes = s->graph->arc_to;
  const uint16_t *tag_of = s->graph->arc_tag;
  const wend_tag_cost *tags = s->opts.costs.tags;
  const double g = lane->labels[from].g;
  const uint32_t hops = lane->labels[from].hops;
  const wend_id from_id = costs == COSTS_ASKED ? id_of(s, from) : WEND_NO_ID;
  for (uint32_t i = out.first; i < out.end; i++) {
    double cost = weights[i];
    if (WEND_UNLIKELY(wend_is_blocked(cost))) continue;
    if (costs != COSTS_WEIGHTS) {
      const wend_tag_cost *tag = &tags[tag_of[i]];
      cost = cost * tag->times + tag->plus;
      if (costs == COSTS_ASKED && tag->asks) {
        const label *to = &lane->labels[nodes[i]];
        double least = tag->share > 0 ? cost * tag->share : 0;
        /* An edge that could not improve anything is not asked about. */
        if (least == INFINITY || (to->stamp - lane->epoch <= LABEL_FLAGS && g + least > to->g)) continue;
        cost = ask(s, from_id, i, cost);
        if (!(cost >= 0)) return false;
      }
    }
    if (!relax(s, lane, from, g, hops, nodes[i], cost, i, guess, heap)) return false;
  }
  return true;
}

/* When the ring is empty, or too narrow: fills it again. False: there is nothing left. */
static WEND_NOINLINE bool refill(wend_search *s) {
  wend_buckets *b = &s->buckets;
  s->steps += b->far_count;
  if (s->steps > STEPS_MAX * (s->stats.expanded + RING))
    widen_buckets(s);
  else if (b->far_count > 0 && b->at > b->top)
    wend_buckets_refill(b, &s->alloc, 1);
  return b->at <= b->top;
}

/* The next node to look at; WEND_NONE: nothing is left that could matter. */
WEND_INLINE uint32_t next_open(wend_search *s, lane_state *lane, const bool heap) {
  wend_buckets *b = &s->buckets;
  uint32_t node;
  do {
    if (heap) {
      if (s->heap.count == 0) return WEND_NONE;
      node = heap_pop(s).node;
    } else {
      wend_bucket *bucket = &b->ring[b->at & (RING - 1)];
      while (bucket->count == 0) {
        if (s->found) return WEND_NONE; /* all that comes is dearer than the goal */
        b->at++;
        if (b->far_count == 0) b->end += 1; /* else the ring would reach past what waits beyond it */
        s->steps++;
        if (WEND_UNLIKELY(b->at > b->top || s->steps > STEPS_MAX * (lane->expanded + RING))) {
          leave_lane(s, lane);
          if (!refill(s)) return WEND_NONE;
        }
        bucket = &b->ring[b->at & (RING - 1)];
      }
      node = bucket->nodes[--bucket->count];
      WEND_PREFETCH(&lane->labels[bucket->nodes[bucket->count - (bucket->count > 0)]]);
    }
  } while (WEND_UNLIKELY((lane->labels[node].stamp & LABEL_OPEN) == 0));
  return node;
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

/* What became of a node that is not simply to be expanded: a goal, one past the goal or the limit, or one that was
 * expanded before. */
typedef enum verdict { EXPAND, PASS_OVER, PAUSE, OVER, OUT_OF_MEMORY } verdict;

static WEND_NOINLINE verdict judge(wend_search *s, uint32_t node, uint64_t limit, const bool heap) {
  label *l = &s->labels[node];
  if ((l->stamp & LABEL_GOAL) != 0) {
    if (heap) note_visit(s, node);
    l->stamp &= ~LABEL_OPEN;
    reach_goal(s, node);
    return PASS_OVER;
  }
  if (s->found && !(l->g + general_estimate(s, node) < s->f_ceiling)) {
    l->stamp &= ~LABEL_OPEN;
    return heap ? OVER : PASS_OVER;
  }
  if (s->stats.expanded >= limit) {
    s->held = node;
    return PAUSE;
  }
  if (!heap && (l->stamp & LABEL_EXPANDED) != 0 && ++s->repeated > REPEATED_MAX + s->stats.expanded / 4) {
    if (!change_to_heap(s)) return OUT_OF_MEMORY;
    heap_move(s, node);
    return PAUSE;
  }
  return EXPAND;
}

WEND_INLINE wend_status run(wend_search *s, uint64_t limit, const cost_kind costs, const guess_kind guess,
                            const bool heap) {
  uint32_t held = s->held;
  lane_state lane;
  s->held = WEND_NONE;
  enter_lane(s, &lane, limit);
  for (;;) {
    const uint32_t node = held != WEND_NONE ? held : next_open(s, &lane, heap);
    uint32_t stamp;
    wend_span out;
    held = WEND_NONE;
    if (WEND_UNLIKELY(node == WEND_NONE)) break;
    stamp = lane.labels[node].stamp;
    if (WEND_UNLIKELY((stamp & (LABEL_GOAL | LABEL_EXPANDED)) != 0 || lane.expanded >= lane.limit)) {
      verdict v;
      leave_lane(s, &lane);
      v = judge(s, node, limit, heap);
      if (v == PAUSE) return WEND_RUNNING;
      if (v == OUT_OF_MEMORY) return WEND_NO_MEMORY;
      if (v == OVER) return WEND_OK;
      enter_lane(s, &lane, limit);
      if (v == PASS_OVER) continue;
    }
    if (heap) note_visit(s, node);
    lane.labels[node].stamp = (stamp & ~LABEL_OPEN) | LABEL_EXPANDED;
    out = s->graph->out[node];
    if (heap && !heap_reserve(s, out.end - out.first)) return WEND_NO_MEMORY;
    lane.expanded++;
    if (WEND_UNLIKELY(!expand(s, &lane, node, out, costs, guess, heap))) {
      leave_lane(s, &lane);
      return WEND_ABORTED;
    }
  }
  leave_lane(s, &lane);
  return s->found ? WEND_OK : WEND_NO_PATH;
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
  double weight = graph->typical_weight, least = INFINITY, sum = 0, count = 0, width;
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
  double *low, *high, *goal;
  if (!WEND_GROW(&s->alloc, s->goals, s->goals_capacity, count)) return false;
  if (!WEND_GROW(&s->alloc, s->goal_points, s->goal_points_capacity, ((uint64_t)count + 2) * dimensions)) return false;
  low = s->goal_points, high = low + dimensions, goal = high + dimensions;
  s->goal_count = count;
  for (uint32_t k = 0; k < count; k++, goal += dimensions) {
    uint32_t place = graph->nodes.value[wend_slots_find(&graph->nodes, goals[k])];
    label *l = &s->labels[place];
    s->goals[k] = place;
    l->g = INFINITY;
    l->stamp = s->epoch | LABEL_GOAL;
    l->parent = WEND_NONE;
    l->hops = 0;
    if (graph->points == NULL) continue;
    memcpy(goal, wend_graph_point(graph, place), dimensions * sizeof *goal);
    for (uint32_t d = 0; d < dimensions; d++) {
      if (k == 0 || goal[d] < low[d]) low[d] = goal[d];
      if (k == 0 || goal[d] > high[d]) high[d] = goal[d];
    }
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
  if (!begin_labels(s, graph) || !begin_goals(s, graph, goals, goal_count) || !heap_reserve(s, 1))
    return WEND_NO_MEMORY;
  s->graph = graph;
  s->version = graph->version;
  begin_guess(s, graph);
  s->costs = opts->costs.tags == NULL ? COSTS_WEIGHTS : opts->costs.edge == NULL ? COSTS_TAGS : COSTS_ASKED;
  s->use_heap = opts->queue == WEND_QUEUE_HEAP || (s->exact_hops && graph->zero_weights > graph->edges.live / 8);
  s->found = s->pruned = false;
  s->held = WEND_NONE;
  s->repeated = s->steps = 0;
  s->nearest = WEND_NONE;
  s->watched = opts->partial || opts->max_cost < INFINITY;
  s->g_ceiling = nextafter(opts->max_cost, INFINITY); /* a path that costs max_cost is wanted */
  /* An estimate is rounded, and may be a little more than what is left. */
  s->f_ceiling = opts->partial ? INFINITY : opts->max_cost * (1 + 1e-9) + DBL_MIN;
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
    wend_buckets_push(&s->buckets, &s->alloc, h, start);
    if (s->buckets.failed) return WEND_NO_MEMORY;
  }
  s->stats.pushed = 1;
  return WEND_OK;
}

/* ---- Ending ----------------------------------------------------------------------------------------------- */

/* Writes down the path to a place. */
static wend_status take_path(wend_search *s, uint32_t place) {
  uint32_t length = 1, i;
  for (uint32_t p = place; s->labels[p].parent != WEND_NONE; p = s->labels[p].parent) length++;
  if (!WEND_GROW(&s->alloc, s->path_nodes, s->path_nodes_capacity, length) ||
      !WEND_GROW(&s->alloc, s->path_edges, s->path_edges_capacity, length))
    return WEND_NO_MEMORY;
  s->path_length = length;
  s->path_cost = s->labels[place].g;
  for (i = length - 1; i > 0; i--, place = s->labels[place].parent) {
    s->path_nodes[i] = id_of(s, place);
    s->path_edges[i - 1] = edge_id_of(s, s->labels[place].via);
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
    if (s->buckets.failed) status = WEND_NO_MEMORY; /* a node was lost: nothing that was found is sure */
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
  wend_label result = {false, INFINITY, 0, WEND_NO_ID};
  const label *l;
  uint32_t place;
  if (s->graph == NULL) return result;
  place = s->graph->nodes.value[wend_slots_find(&s->graph->nodes, node)];
  l = &s->labels[place];
  if ((l->stamp & ~LABEL_FLAGS) != s->epoch || !(l->g < INFINITY)) return result;
  result.reached = true;
  result.cost = l->g;
  result.visit = s->visits != NULL ? s->visits[place] : 0;
  result.previous = l->parent == WEND_NONE ? WEND_NO_ID : id_of(s, l->parent);
  return result;
}
