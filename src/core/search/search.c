/* SPDX-License-Identifier: MIT */
/* The one search kernel: A* with labels that may be corrected (P. Hart, N. Nilsson, B. Raphael, "A formal basis for
 * the heuristic determination of minimum cost paths", 1968), which with no heuristic is E. W. Dijkstra's algorithm
 * ("A note on two problems in connexion with graphs", 1959). The open list is in queue.h.
 *
 *   mark    one a place, 16 bytes, never cleared: a mark whose stamp is not of this search is as good as none
 *   run()   pops a node, walks on from it, relaxes what it comes to; made for every kind of map, costs and heuristic by
 *           constant arguments, so that the plain case does not pay for the others
 *
 * How maps are walked: search_graph.h, search_cells.h, search_jumps.h, and walk.c for grids with all that there can be.
 * Estimates: search_guess.h. Paths other than the cheapest: search_detour.h.
 *
 * Nothing in here depends on how places are numbered: the result is a function of the graph, not of its history. */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/map/neighbours.h"
#include "core/base/random.h"
#include "core/search/search.h"
#include "core/map/walk.h"

WEND_NO_FUSING
#if defined(__GNUC__) && !defined(__clang__)
/* Gathering the four numbers of a label into one store takes longer than storing them one by one. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

/* Buckets give way to the heap when so many expansions, and a quarter of all, were repeated. */
#define REPEATED_MAX 256u
/* Buckets that are too narrow are made so many times as wide. */
#define WIDEN 8.0

wend_search_opts wend_search_opts_default(void) {
  wend_search_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.max_expanded = UINT64_MAX;
  opts.max_cost = INFINITY;
  return opts;
}

size_t wend_search_node_bytes(void) { return sizeof(wend_mark) + sizeof(wend_arrival); }

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
  WEND_FREE(&alloc, s->marks.at, s->marks.capacity);
  WEND_FREE(&alloc, s->arrivals, s->arrivals_capacity);
  WEND_FREE(&alloc, s->roots, s->roots_capacity);
  WEND_FREE(&alloc, s->window.kinds, s->window.kinds_capacity);
  WEND_FREE(&alloc, s->window.weights, s->window.weights_capacity);
  WEND_FREE(&alloc, s->window.tags, s->window.tags_capacity);
  WEND_FREE(&alloc, s->window.walls, s->window.walls_capacity);
  WEND_FREE(&alloc, s->window.inside, s->window.inside_capacity);
  wend_buckets_free(&s->buckets, &alloc);
  WEND_FREE(&alloc, s->heap.entries, s->heap.capacity);
  WEND_FREE(&alloc, s->goals, s->goals_capacity);
  WEND_FREE(&alloc, s->goal_costs, s->goal_costs_capacity);
  WEND_FREE(&alloc, s->goal_ends, s->goal_ends_capacity);
  WEND_FREE(&alloc, s->detour.nodes, s->detour.nodes_capacity);
  WEND_FREE(&alloc, s->detour.edges, s->detour.edges_capacity);
  WEND_FREE(&alloc, s->detour.along, s->detour.along_capacity);
  WEND_FREE(&alloc, s->detour.index_of, s->detour.spot_capacity);
  WEND_FREE(&alloc, s->entries.at, s->entries.capacity);
  WEND_FREE(&alloc, s->exits.at, s->exits.capacity);
  WEND_FREE(&alloc, s->near, s->near_capacity);
  WEND_FREE(&alloc, s->goal_points, s->goal_points_capacity);
  WEND_FREE(&alloc, s->visits, s->visits_capacity);
  WEND_FREE(&alloc, s->path_nodes, s->path_nodes_capacity);
  WEND_FREE(&alloc, s->path_edges, s->path_edges_capacity);
  alloc.resize(alloc.ud, s, sizeof *s, 0);
}

void wend_search_reset(wend_search *s) {
  /* One that a function left in the middle had the ring in its hands: what is told of it is of when the slice began. */
  if (s->status == WEND_RUNNING)
    for (unsigned slot = 0; slot < RING; slot++) s->buckets.slots[slot].count = 0;
  wend_buckets_empty(&s->buckets);
  s->heap.count = 0;
  s->map = NULL;
  s->status = WEND_STALE;
  s->path_length = 0;
  s->goals_cost = false;
}

static wend_id id_of(const wend_search *s, uint32_t place) {
  if (s->grid != NULL) return wend_region_cell(&s->region, s->grid, place);
  return wend_slots_id(&s->graph->nodes, s->graph->slot_of[place]);
}

static uint32_t place_in(const wend_search *s, wend_id id) {
  if (s->grid != NULL) return wend_region_find(&s->region, s->grid, id);
  return s->graph->nodes.value[wend_slots_find(&s->graph->nodes, id)];
}

static wend_id edge_id_of(const wend_search *s, uint32_t arc) {
  return wend_slots_id(&s->graph->edges, s->graph->arc_edge[arc]);
}

#include "core/search/heuristic.inl"

/* ---- The hot ---------------------------------------------------------------------------------------------- */

/* What the inner loops read and write again and again: copied out of the search while run() is at it, because a
 * compiler must believe that every label it stores might be a part of the search. */
typedef struct hot_state {
  wend_mark *marks;
  uint32_t epoch;
  const double *points;
  double x, y, z, scale; /* the target of the guess */
  double minor;          /* HEURISTIC_CELLS: scale times the longer side, and this times the shorter */
  double f_ceiling, slack;
  double noise, penalty; /* how many times as much the steps from here cost, and the one that is to be avoided */
  uint32_t penalized; /* that one: an edge's slot, or a place; WEND_NONE: there is none */
  bool pruned;
  wend_ring ring;
  uint64_t limit, expanded, pushed;
  const uint16_t *kinds; /* of cells */
  const wend_step_cost *kind_costs;
  const uint8_t *kind_states, *around;
  ptrdiff_t stride;
} hot_state;

WEND_INLINE void load_hot(const wend_search *s, hot_state *hot, uint64_t limit, const wend_expansion expansion) {
  hot->limit = s->found ? 0 : limit; /* past a goal, every node is judged */
  hot->marks = s->marks.at;
  hot->epoch = s->marks.epoch;
  hot->x = s->target[0], hot->y = s->target[1], hot->z = s->target[2];
  hot->scale = s->scale;
  hot->f_ceiling = s->f_ceiling;
  hot->slack = s->slack;
  hot->noise = hot->penalty = 1;
  hot->penalized = WEND_NONE;
  hot->pruned = s->pruned;
  hot->ring = s->buckets.ring;
  hot->expanded = s->stats.expanded, hot->pushed = s->stats.pushed;
  hot->points = expansion == EXPAND_GRAPH ? s->graph->points : NULL;
  if (expansion == EXPAND_GRAPH || expansion == EXPAND_GRID) {
    hot->minor = 0;
    hot->kinds = NULL, hot->kind_costs = NULL, hot->kind_states = NULL, hot->around = NULL;
    hot->stride = 0;
    return;
  }
  hot->minor = s->scale * (s->metric == WEND_OCTILE ? sqrt(2) - 1 : s->metric == WEND_MANHATTAN ? 1 : 0);
  hot->kinds = s->region.kinds;
  hot->kind_costs = s->agent->costs;
  hot->kind_states = s->agent->states;
  hot->around = wend_around[s->grid->diagonals];
  hot->stride = (ptrdiff_t)s->region.stride;
}

/* Back into the search, before anything else looks at it. */
WEND_INLINE void store_hot(wend_search *s, const hot_state *hot) {
  s->stats.expanded = hot->expanded, s->stats.pushed = hot->pushed;
  s->buckets.ring = hot->ring;
  if (hot->pruned) s->pruned = true;
}

WEND_INLINE double estimate(const wend_search *s, const hot_state *l, uint32_t place, const wend_heuristic_kind heuristic) {
  const double *p;
  double x, y, z;
  switch (heuristic) {
    case HEURISTIC_ZERO: return 0;
    case HEURISTIC_EUCLIDEAN_2D:
      p = l->points + (size_t)place * 2;
      x = p[0] - l->x, y = p[1] - l->y;
      return wend_sqrt(x * x + y * y) * l->scale;
    case HEURISTIC_EUCLIDEAN_3D:
      p = l->points + (size_t)place * 3;
      x = p[0] - l->x, y = p[1] - l->y, z = p[2] - l->z;
      return wend_sqrt(x * x + y * y + z * z) * l->scale;
    case HEURISTIC_CELLS: {
      const uint32_t row = place / (uint32_t)l->stride;
      x = fabs((double)(int32_t)(place - row * (uint32_t)l->stride - 1) - l->x);
      y = fabs((double)(int32_t)(row - 1) - l->y);
      return x > y ? x * l->scale + y * l->minor : y * l->scale + x * l->minor;
    }
    case HEURISTIC_GENERAL: break;
  }
  return general_heuristic(s, place);
}

/* ---- Heap ------------------------------------------------------------------------------------------------- */

static bool heap_less(const wend_search *s, const wend_heap_entry *a, const wend_heap_entry *b) {
  if (a->f != b->f) return a->f < b->f;
  if (a->edge_count != b->edge_count) return a->edge_count < b->edge_count;
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
  const wend_mark *mark = &s->marks.at[node];
  wend_heap_entry entry = {mark->g + general_heuristic(s, node), node, s->grid != NULL ? 0 : s->arrivals[node].edge_count};
  if ((mark->stamp & MARK_OPEN) != 0) heap_push(s, entry);
}

/* From buckets to the heap, in the middle of a search. */
static bool change_to_heap(wend_search *s) {
  wend_buckets *b = &s->buckets;
  uint64_t all = (uint64_t)b->far_count + 1;
  for (unsigned slot = 0; slot < RING; slot++) all += b->slots[slot].count;
  if (b->failed || all >= WEND_NONE || !heap_reserve(s, (uint32_t)all)) return false;
  for (unsigned slot = 0; slot < RING; slot++)
    for (uint32_t i = 0; i < b->slots[slot].count; i++) heap_move(s, b->slots[slot].nodes[i]);
  for (uint32_t i = 0; i < b->far_count; i++) heap_move(s, b->far[i].node);
  wend_buckets_empty(b);
  s->use_heap = true;
  return true;
}

/* Makes the buckets wider: all go out of the ring and come back into it. */
static void widen_buckets(wend_search *s) {
  wend_buckets *b = &s->buckets;
  for (int64_t k = b->ring.at; k <= b->ring.top; k++) {
    wend_bucket *bucket = &b->slots[k & (RING - 1)];
    for (uint32_t i = 0; i < bucket->count; i++) {
      uint32_t node = bucket->nodes[i];
      wend_buckets_put_far(b, &s->alloc, s->marks.at[node].g + general_heuristic(s, node), node);
    }
    bucket->count = 0;
  }
  s->steps = 0;
  if (b->far_count > 0) wend_buckets_refill(b, &s->alloc, WIDEN);
}

/* ---- The kernel ------------------------------------------------------------------------------------------- */

/* Remembers the reached node that is nearest to a goal, then cheapest, then of the smallest id. */
static WEND_NOINLINE void note_nearest(wend_search *s, uint32_t place) {
  double d = s->opts.toward == NULL ? goal_distance(s, WEND_EUCLIDEAN, place, false) : distance_toward(s, place);
  if (!(d == d)) d = INFINITY; /* no position */
  if (s->nearest != WEND_NONE) {
    double g = s->marks.at[place].g, best = s->marks.at[s->nearest].g;
    if (d > s->nearest_distance) return;
    if (d == s->nearest_distance && (g > best || (g == best && id_of(s, place) > id_of(s, s->nearest)))) return;
  }
  s->nearest = place;
  s->nearest_distance = d;
}

/* Equal cost: fewer edges win, then the smaller id before, then the smaller id of the edge. True: the node got fewer
 * edges, and is to be passed on. */
static WEND_NOINLINE bool settle_tie(wend_search *s, uint32_t to, uint32_t from, wend_arrival by) {
  wend_mark *mark = &s->marks.at[to];
  wend_arrival *known = &s->arrivals[to];
  bool fewer = by.edge_count < known->edge_count;
  if (mark->parent == WEND_NONE && !(s->marks.at[from].g < mark->g)) return false; /* where the search starts */
  if (!fewer && mark->parent != WEND_NONE) {
    wend_id before = id_of(s, from), best = id_of(s, mark->parent);
    if (by.edge_count > known->edge_count || before > best || (before == best && edge_id_of(s, by.via) > edge_id_of(s, known->via)))
      return false;
  }
  if (fewer && !s->fewest_edges && (mark->stamp & MARK_OPEN) == 0) return false; /* A*: it is too late */
  *known = by;
  mark->parent = from;
  return fewer && s->fewest_edges;
}

/* A node that is not wanted, because of what it costs. */
static WEND_NOINLINE bool reject(wend_search *s, double f) {
  if (f != f) return false; /* the estimate gave up */
  if (f < INFINITY) s->pruned = true;
  return true;
}

/* Offers a way from one node to another, and opens the other where it is cheaper than what was known. by: of graphs. There
 * is room in the heap, where that is used. False: the estimate gave up. */
WEND_INLINE bool relax(wend_search *s, hot_state *hot, uint32_t from, double from_g, uint32_t to, double cost,
                       wend_arrival by, const wend_expansion expansion, const wend_heuristic_kind heuristic, const bool heap) {
  wend_mark *mark = &hot->marks[to];
  const double g = from_g + cost;
  const uint32_t known = mark->stamp - hot->epoch; /* flags, where the mark is of this search */
  double f;
  if (WEND_LIKELY(known <= MARK_FLAGS)) {
    if (expansion != EXPAND_GRAPH) {
      if (g + hot->slack >= mark->g) {
        /* As cheap as where the search starts: that leads on too. */
        if (mark->parent == WEND_NONE && from_g < mark->g && g - hot->slack <= mark->g) mark->parent = from;
        return true;
      }
    } else {
      if (g > mark->g) return true;
      if (WEND_UNLIKELY(g == mark->g) && (!(g < INFINITY) || !settle_tie(s, to, from, by))) return true;
    }
  }
  f = g + estimate(s, hot, to, heuristic);
  if (WEND_UNLIKELY(!(f < hot->f_ceiling))) return reject(s, f);
  if (WEND_UNLIKELY(s->watched) && !(g < s->g_ceiling)) return reject(s, g);
  mark->g = g;
  mark->stamp = hot->epoch | MARK_OPEN | (known <= MARK_FLAGS ? known : 0);
  mark->parent = from;
  if (expansion == EXPAND_GRAPH) s->arrivals[to] = by;
  hot->pushed++;
  if (WEND_UNLIKELY(s->watched) && s->opts.partial) note_nearest(s, to);
  if (heap) {
    wend_heap_entry entry = {f, to, by.edge_count};
    heap_push(s, entry);
    return true;
  }
  wend_buckets_push(&s->buckets, &hot->ring, &s->alloc, f, to);
  return true;
}

/* How many times as much a step costs: an edge's slot, or where it leads. */
WEND_INLINE double cost_factor(const hot_state *hot, uint32_t step, const bool varied) {
  return !varied ? 1 : step == hot->penalized ? hot->penalty : hot->noise;
}

/* The same, going back, for what can be left but not entered: it gets a mark, and nothing leads through it. */
static WEND_NOINLINE void relax_closed(wend_search *s, hot_state *hot, uint32_t from, double from_g, uint32_t to, double cost) {
  wend_mark *mark = &hot->marks[to];
  const double g = from_g + cost;
  const uint32_t known = mark->stamp - hot->epoch;
  if (known <= MARK_FLAGS) {
    if (g + hot->slack >= mark->g) {
      if (mark->parent == WEND_NONE && from_g < mark->g && g - hot->slack <= mark->g) mark->parent = from;
      return;
    }
  }
  if (!(g < s->g_ceiling)) return;
  mark->g = g;
  mark->stamp = hot->epoch | (known <= MARK_FLAGS ? known : 0);
  mark->parent = from;
}

/* Gets ready to walk on from a place. */
static WEND_NOINLINE void set_factors(const wend_search *s, hot_state *hot, uint32_t place, uint32_t stamp) {
  const wend_perturbation *perturbation = &s->perturbation;
  uint64_t patch = perturbation->seed;
  double p[3];
  if (perturbation->per_patch == 0) {
    patch = wend_mix(patch ^ id_of(s, place));
  } else {
    for (int d = 0, dimensions = point_of(s, place, p); d < dimensions; d++)
      patch = wend_mix(patch ^ wend_bits_of(floor(p[d] * perturbation->per_patch + perturbation->offset[d])));
  }
  hot->noise = 1 + perturbation->noise * wend_random_unit(patch);
  hot->penalty = perturbation->penalty;
  hot->penalized = WEND_NONE;
  if ((stamp & MARK_PENALIZED) != 0) {
    const uint32_t i = s->detour.index_of[place];
    hot->penalized = s->graph != NULL ? (uint32_t)s->detour.edges[i] - 1u : place_in(s, s->detour.nodes[i + 1]);
  }
}

#include "core/search/expand_cells.inl"
#include "core/search/expand_graph.inl"
#include "core/search/expand_jumps.inl"

/* When the ring is empty, or too narrow: fills it again. False: there is nothing left. */
static WEND_NOINLINE bool refill(wend_search *s) {
  wend_buckets *b = &s->buckets;
  s->steps += b->far_count;
  if (s->steps > WEND_STEPS_MAX * (s->stats.expanded + RING))
    widen_buckets(s);
  else if (b->far_count > 0 && b->ring.at > b->ring.top)
    wend_buckets_refill(b, &s->alloc, 1);
  return b->ring.at <= b->ring.top;
}

/* The next node to look at; WEND_NONE: nothing is left that could matter. */
WEND_INLINE uint32_t next_open(wend_search *s, hot_state *hot, const wend_expansion expansion, const bool heap) {
  wend_buckets *b = &s->buckets;
  uint32_t node;
  do {
    if (heap) {
      if (s->heap.count == 0) return WEND_NONE;
      node = heap_pop(s).node;
    } else {
      wend_ring *ring = &hot->ring;
      wend_bucket *bucket = &b->slots[ring->at & (RING - 1)];
      while (bucket->count == 0) {
        if (s->found && !s->goals_cost) return WEND_NONE; /* all that comes is dearer than the goal */
        ring->at++;
        if (b->far_count == 0) ring->end += 1; /* else the ring would reach past what waits beyond it */
        s->steps++;
        if (WEND_UNLIKELY(ring->at > ring->top || s->steps > WEND_STEPS_MAX * (hot->expanded + RING))) {
          bool more;
          store_hot(s, hot);
          more = refill(s);
          *ring = b->ring;
          if (!more) return WEND_NONE;
        }
        bucket = &b->slots[ring->at & (RING - 1)];
      }
      node = bucket->nodes[--bucket->count];
      {
        const wend_mark *next = &hot->marks[bucket->nodes[bucket->count - (bucket->count > 0)]];
        WEND_PREFETCH(next);
        if (expansion == EXPAND_CELLS) {
          WEND_PREFETCH(next - hot->stride);
          WEND_PREFETCH(next + hot->stride);
        }
      }
    }
  } while (WEND_UNLIKELY((hot->marks[node].stamp & MARK_OPEN) == 0));
  return node;
}

static void note_visit(wend_search *s, uint32_t place) {
  if (s->visits != NULL && s->visits[place] == 0) s->visits[place] = ++s->visit_count;
}

/* What it costs to go on from a goal. */
static double cost_beyond(const wend_search *s, uint32_t place) {
  double least = INFINITY;
  if (!s->goals_cost) return 0;
  for (uint32_t k = 0; k < s->goal_count; k++)
    if (s->goals[k] == place && s->goal_costs[k] < least) least = s->goal_costs[k];
  return least < INFINITY ? least : 0;
}

static void reach_goal(wend_search *s, uint32_t place) {
  double g = s->marks.at[place].g + cost_beyond(s, place);
  s->found = true;
  /* Dijkstra goes on through equal costs, where fewer edges may be found; A* does not. */
  if (s->fewest_edges) g = nextafter(g, INFINITY);
  g -= s->slack; /* else rounding would leave all that costs as much just below */
  if (g < s->f_ceiling) s->f_ceiling = g;
}

/* What became of a node that is not simply to be expanded: a goal, one past the goal or the limit, or one that was
 * expanded before. */
typedef enum verdict { EXPAND, PASS_OVER, PAUSE, OVER, OUT_OF_MEMORY } verdict;

static WEND_NOINLINE verdict judge(wend_search *s, uint32_t node, uint64_t limit, const bool heap) {
  wend_mark *l = &s->marks.at[node];
  if (s->expansion == EXPAND_JUMPS && s->stats.expanded >= limit && !s->found) { /* few points are many cells: a slice ends here */
    s->held = node;
    return PAUSE;
  }
  if ((l->stamp & MARK_GOAL) != 0) {
    if (heap) note_visit(s, node);
    reach_goal(s, node);
    if (!s->goals_cost) {
      l->stamp &= ~MARK_OPEN;
      return PASS_OVER;
    } /* else another goal may lie beyond it */
  }
  if (s->found && !(l->g + general_heuristic(s, node) < s->f_ceiling)) {
    l->stamp &= ~MARK_OPEN;
    return heap ? OVER : PASS_OVER;
  }
  if (s->stats.expanded >= limit) {
    s->held = node;
    return PAUSE;
  }
  if (!heap && s->expansion != EXPAND_JUMPS && !s->detour.under_way && (l->stamp & MARK_EXPANDED) != 0 && ++s->repeated > REPEATED_MAX + s->stats.expanded / 4) {
    if (!change_to_heap(s)) return OUT_OF_MEMORY;
    heap_move(s, node);
    return PAUSE;
  }
  return EXPAND;
}

WEND_INLINE wend_status run(wend_search *s, uint64_t limit, const wend_expansion expansion, const wend_cost_kind costs,
                            const wend_heuristic_kind heuristic, const bool back, const bool heap, const bool varied) {
  uint32_t held = s->held;
  hot_state hot;
  s->held = WEND_NONE;
  load_hot(s, &hot, limit, expansion);
  for (;;) {
    const uint32_t node = held != WEND_NONE ? held : next_open(s, &hot, expansion, heap);
    uint32_t stamp;
    bool done;
    held = WEND_NONE;
    if (WEND_UNLIKELY(node == WEND_NONE)) break;
    stamp = hot.marks[node].stamp;
    if (WEND_UNLIKELY((stamp & (MARK_GOAL | MARK_EXPANDED)) != 0 || hot.expanded >= hot.limit)) {
      verdict v;
      store_hot(s, &hot);
      v = judge(s, node, limit, heap);
      if (v == PAUSE) return WEND_RUNNING;
      if (v == OUT_OF_MEMORY) return WEND_NO_MEMORY;
      if (v == OVER) return WEND_OK;
      load_hot(s, &hot, limit, expansion);
      if (v == PASS_OVER) continue;
    }
    if (heap) note_visit(s, node);
    hot.marks[node].stamp = (stamp & ~MARK_OPEN) | MARK_EXPANDED;
    if (varied && s->perturbation.penalty > 0) set_factors(s, &hot, node, stamp);
    if (expansion == EXPAND_GRAPH) {
      const wend_span span = back ? s->graph->in[node] : s->graph->out[node];
      if (heap && !heap_reserve(s, span.end - span.first)) return WEND_NO_MEMORY;
      hot.expanded++;
      /* Nothing leads into a closed node. */
      done = (back && (s->graph->flags[node] & PLACE_CLOSED) != 0) ||
             expand_graph(s, &hot, node, span, costs, heuristic, back, heap, varied);
    } else {
      if (heap && !heap_reserve(s, 8 + 2 * s->grid->portal_count)) return WEND_NO_MEMORY;
      hot.expanded++;
      done = true;
      if (expansion == EXPAND_JUMPS) done = expand_jumps(s, &hot, node);
      else if (expansion == EXPAND_GRID) done = expand_grid(s, &hot, node, heap);
      else expand_cells(s, &hot, node, stamp, heuristic, varied);
    }
    if (WEND_UNLIKELY(!done)) {
      store_hot(s, &hot);
      return WEND_ABORTED;
    }
  }
  store_hot(s, &hot);
  return s->found ? WEND_OK : WEND_NO_PATH;
}

/* One function for each kind of map, costs and heuristic. With the heap the general guess serves for all. */
#define WEND_RUN(name, expansion, costs, heuristic, back, heap, varied)            \
  static WEND_NOINLINE wend_status name(wend_search *s, uint64_t limit) { \
    return run(s, limit, expansion, costs, heuristic, back, heap, varied);         \
  }
WEND_RUN(run_weights, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_ZERO, false, false, false)
WEND_RUN(run_weights_2d, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_EUCLIDEAN_2D, false, false, false)
WEND_RUN(run_weights_3d, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_EUCLIDEAN_3D, false, false, false)
WEND_RUN(run_weights_general, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_GENERAL, false, false, false)
WEND_RUN(run_tags, EXPAND_GRAPH, COSTS_TAGS, HEURISTIC_ZERO, false, false, false)
WEND_RUN(run_tags_2d, EXPAND_GRAPH, COSTS_TAGS, HEURISTIC_EUCLIDEAN_2D, false, false, false)
WEND_RUN(run_tags_3d, EXPAND_GRAPH, COSTS_TAGS, HEURISTIC_EUCLIDEAN_3D, false, false, false)
WEND_RUN(run_tags_general, EXPAND_GRAPH, COSTS_TAGS, HEURISTIC_GENERAL, false, false, false)
WEND_RUN(run_asked, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_ZERO, false, false, false)
WEND_RUN(run_asked_2d, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_EUCLIDEAN_2D, false, false, false)
WEND_RUN(run_asked_3d, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_EUCLIDEAN_3D, false, false, false)
WEND_RUN(run_asked_general, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_GENERAL, false, false, false)
WEND_RUN(run_varied, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_GENERAL, false, false, true)
WEND_RUN(run_varied_2d, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_EUCLIDEAN_2D, false, false, true)
WEND_RUN(run_varied_3d, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_EUCLIDEAN_3D, false, false, true)
WEND_RUN(run_varied_tags, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_GENERAL, false, false, true)
WEND_RUN(run_varied_tags_2d, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_EUCLIDEAN_2D, false, false, true)
WEND_RUN(run_varied_tags_3d, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_EUCLIDEAN_3D, false, false, true)
WEND_RUN(run_heap, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_GENERAL, false, true, true)
WEND_RUN(run_heap_tags, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_GENERAL, false, true, true)
WEND_RUN(run_back, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_ZERO, true, false, false)
WEND_RUN(run_back_tags, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_ZERO, true, false, false)
WEND_RUN(run_back_heap, EXPAND_GRAPH, COSTS_WEIGHTS, HEURISTIC_GENERAL, true, true, false)
WEND_RUN(run_back_heap_tags, EXPAND_GRAPH, COSTS_ASKED, HEURISTIC_GENERAL, true, true, false)
WEND_RUN(run_cells, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_ZERO, false, false, false)
WEND_RUN(run_cells_toward, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_CELLS, false, false, false)
WEND_RUN(run_cells_general, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_GENERAL, false, false, false)
WEND_RUN(run_varied_cells, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_GENERAL, false, false, true)
WEND_RUN(run_varied_cells_toward, EXPAND_CELLS, COSTS_TAGS, HEURISTIC_CELLS, false, false, true)
WEND_RUN(run_jumps, EXPAND_JUMPS, COSTS_TAGS, HEURISTIC_CELLS, false, false, false)
WEND_RUN(run_grid, EXPAND_GRID, COSTS_ASKED, HEURISTIC_GENERAL, false, false, true)
WEND_RUN(run_grid_heap, EXPAND_GRID, COSTS_ASKED, HEURISTIC_GENERAL, false, true, true)
#undef WEND_RUN

typedef wend_status (*run_fn)(wend_search *, uint64_t);

static run_fn run_of(const wend_search *s) {
  static const run_fn graphs[3][4] = {
      {run_weights, run_weights_2d, run_weights_3d, run_weights_general},
      {run_tags, run_tags_2d, run_tags_3d, run_tags_general},
      {run_asked, run_asked_2d, run_asked_3d, run_asked_general},
  };
  static const run_fn varied[2][4] = {
      {run_varied, run_varied_2d, run_varied_3d, run_varied},
      {run_varied_tags, run_varied_tags_2d, run_varied_tags_3d, run_varied_tags},
  };
  const bool tags = s->costs != COSTS_WEIGHTS, vary = s->perturbation.penalty > 0;
  if (s->grid != NULL) {
    if (s->use_heap) return run_grid_heap;
    if (s->expansion == EXPAND_GRID) return run_grid;
    if (s->expansion == EXPAND_JUMPS) return run_jumps;
    if (vary) return s->heuristic == HEURISTIC_CELLS ? run_varied_cells_toward : run_varied_cells;
    return s->heuristic == HEURISTIC_ZERO ? run_cells : s->heuristic == HEURISTIC_CELLS ? run_cells_toward : run_cells_general;
  }
  if (s->back && s->use_heap) return tags ? run_back_heap_tags : run_back_heap;
  if (s->back) return tags ? run_back_tags : run_back;
  if (s->use_heap) return tags ? run_heap_tags : run_heap;
  return (vary ? varied[tags] : graphs[s->costs])[s->heuristic == HEURISTIC_GENERAL ? 3 : s->heuristic];
}

/* ---- Beginning -------------------------------------------------------------------------------------------- */

double wend_search_least(wend_graph *graph, const wend_costs *costs) {
  double least = INFINITY;
  if (graph->map.scales.count[0] > 0) return 0; /* weights below 2^-64: see WEND_LEAST_MIN */
  for (uint32_t tag = 0; tag <= wend_map_tag_count(&graph->map); tag++) {
    double ratio = wend_ratios_least(&graph->map.ratios, tag);
    if (ratio == INFINITY) continue;
    if (costs->tags != NULL) {
      const wend_tag_cost *cost = &costs->tags[tag];
      if (cost->asks && !(cost->at_least > 0)) return 0; /* it may be made to cost anything, closed or not */
      if (cost->plus == INFINITY) continue;
      ratio *= cost->times;
      if (cost->asks) ratio *= cost->at_least;
      if (cost->times < WEND_LEAST_MIN || ratio < WEND_LEAST_MIN) return 0;
    }
    if (ratio < least) least = ratio;
  }
  return least < INFINITY ? least : 0;
}

/* A tenth of what a typical edge costs this agent: wide enough that few buckets are empty, and rather too narrow, which
 * costs little, than too wide, where many nodes would be expanded again and again (bench/README.md). A tag that is far
 * dearer than another counts as eight times as dear. */
static double bucket_width(const wend_graph *graph, const wend_costs *costs) {
  double weight = graph->map.scales.typical, least = INFINITY, sum = 0, count = 0;
  uint32_t tags = costs->tags == NULL ? 0 : wend_map_tag_count(&graph->map) + 1;
  for (uint32_t tag = 0; tag < tags; tag++) {
    double typical = weight * costs->tags[tag].times + costs->tags[tag].plus;
    if (wend_ratios_count(&graph->map.ratios, tag) > 0 && typical > 0 && typical < least) least = typical;
  }
  for (uint32_t tag = 0; tag < tags; tag++) {
    double typical = weight * costs->tags[tag].times + costs->tags[tag].plus;
    double edges = (double)wend_ratios_count(&graph->map.ratios, tag);
    if (typical == INFINITY || edges == 0) continue;
    sum += edges * (typical < 8 * least ? typical : 8 * least);
    count += edges;
  }
  return wend_bucket_width(sum > 0 ? sum / count : weight);
}

bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t count) {
  uint32_t old = marks->capacity;
  if (count > old) {
    if (!WEND_GROW(alloc, marks->at, marks->capacity, count)) return false;
    memset(marks->at + old, 0, (marks->capacity - old) * sizeof *marks->at);
  }
  if (marks->epoch > UINT32_MAX - 2 * EPOCH_STEP) { /* after 2^25 searches */
    memset(marks->at, 0, marks->capacity * sizeof *marks->at);
    marks->epoch = 0;
  }
  marks->epoch += EPOCH_STEP;
  return true;
}

/* Where the links are among them: how little a length of the way can cost. */
static double least_of_portals(const wend_search *s, double least, wend_heuristic metric) {
  const wend_grid *grid = s->grid;
  for (uint32_t i = 0; i < grid->portal_count; i++) {
    const wend_portal *portal = &grid->out[i];
    const wend_tag_cost *tags = s->opts.costs.tags;
    double cost = portal->weight, length;
    if (portal->removed) continue;
    length = metric_size(metric, (double)wend_region_x(&s->whole, portal->from) - wend_region_x(&s->whole, portal->to),
                         (double)wend_region_y(&s->whole, portal->from) - wend_region_y(&s->whole, portal->to), 0);
    if (tags != NULL) cost = cost * tags[portal->tag].times + tags[portal->tag].plus;
    if (tags != NULL && tags[portal->tag].asks) cost = tags[portal->tag].at_least > 0 ? cost * tags[portal->tag].at_least : 0;
    if (cost < least * length) least = cost / length * (1 - 1e-12);
  }
  return least;
}

/* A grid: what its cells are for this agent, and how to walk it. */
static wend_status begin_grid(wend_search *s, bool flood) {
  wend_grid *grid = s->grid;
  const wend_search_opts *opts = &s->opts;
  wend_walker walker = {grid, s->region, &s->opts.costs, 0, false};
  s->walker = walker;
  s->expansion = EXPAND_GRID;
  if (wend_grid_is_plain(grid, &opts->costs) && opts->heuristic != WEND_CUSTOM && opts->queue == WEND_QUEUE_BUCKETS &&
      !opts->partial && !flood) {
    s->agent = wend_grid_agent_view(grid, &opts->costs);
    if (s->agent == NULL) return WEND_NO_MEMORY;
    s->expansion = EXPAND_CELLS;
    s->summary = s->agent->summary;
  } else {
    s->summary = wend_grid_summarize(grid, &opts->costs);
    s->summary.least = least_of_portals(s, s->summary.least, grid->diagonals == WEND_NEVER ? WEND_MANHATTAN : WEND_OCTILE);
  }
  s->width = wend_bucket_width(s->summary.typical);
  if (s->expansion == EXPAND_CELLS && s->summary.uniform > 0 && grid->diagonals == WEND_BOTH_OPEN &&
      s->goal_count == 1 && opts->heuristic == WEND_AUTO && opts->max_expanded == UINT64_MAX &&
      opts->max_cost == INFINITY && !opts->partial && !(s->perturbation.penalty > 0))
    s->expansion = EXPAND_JUMPS;
  s->jump_cost = s->summary.uniform;
  return WEND_OK;
}

/* A search of its own may have gone on in between, and agent_views are few. */
static bool refresh_agent_view(wend_search *s) {
  wend_agent_view *agent;
  if (s->expansion != EXPAND_CELLS && s->expansion != EXPAND_JUMPS) return true;
  if (s->use_heap) return true;
  s->agent = agent = wend_grid_agent_view(s->grid, &s->opts.costs);
  return agent != NULL && (s->expansion != EXPAND_JUMPS || wend_agent_view_map(s->grid, agent));
}

/* What all searches begin with. */
static wend_status begin_map(wend_search *s, wend_map *map, const wend_region *region,
                             const wend_search_opts *opts) {
  uint32_t places;
  wend_status status;
  wend_search_reset(s);
  s->graph = map->is_grid ? NULL : (wend_graph *)map;
  s->grid = map->is_grid ? (wend_grid *)map : NULL;
  s->agent = NULL;
  if (s->graph != NULL) {
    status = wend_graph_sync(s->graph);
    if (status != WEND_OK) return status;
    places = s->graph->place_count;
    s->expansion = EXPAND_GRAPH;
  } else {
    s->whole = wend_grid_region(s->grid);
    s->region = region != NULL ? *region : s->whole;
    places = wend_place_count(s->region.width, s->region.height);
  }
  s->opts = *opts;
  if (s->grid != NULL && !wend_grid_asks(s->grid, &opts->costs)) s->opts.costs.edge = NULL;
  memset(&s->stats, 0, sizeof s->stats);
  if (!wend_marks_begin(&s->marks, &s->alloc, places) || !heap_reserve(s, 1)) return WEND_NO_MEMORY;
  if (s->graph != NULL && !WEND_GROW(&s->alloc, s->arrivals, s->arrivals_capacity, places)) return WEND_NO_MEMORY;
  if (opts->queue != WEND_QUEUE_HEAP) {
    WEND_FREE(&s->alloc, s->visits, s->visits_capacity);
    s->visits = NULL;
    s->visits_capacity = 0;
  } else {
    if (!WEND_RESIZE(&s->alloc, s->visits, s->visits_capacity, places)) return WEND_NO_MEMORY;
    memset(s->visits, 0, s->visits_capacity * sizeof *s->visits);
    s->visit_count = 0;
  }
  s->map = map;
  s->version = map->version;
  s->costs = s->opts.costs.tags == NULL ? COSTS_WEIGHTS : s->opts.costs.edge == NULL ? COSTS_TAGS : COSTS_ASKED;
  s->found = s->pruned = false;
  s->held = WEND_NONE;
  s->repeated = s->steps = 0;
  s->nearest = WEND_NONE;
  s->watched = opts->partial || opts->max_cost < INFINITY;
  s->g_ceiling = nextafter(opts->max_cost, INFINITY); /* a path that costs max_cost is wanted */
  /* An estimate is rounded, and may be a little more than what is left. */
  s->f_ceiling = opts->partial ? INFINITY : opts->max_cost * (1 + 1e-9) + DBL_MIN;
  s->perturbation.penalty = 0;
  s->goals_cost = false;
  return WEND_OK;
}

static wend_status begin_goals(wend_search *s, const wend_end *goals, uint32_t count) {
  uint32_t dimensions = s->grid != NULL ? 2 : (uint32_t)s->graph->dimensions;
  double *low, *high, *goal;
  if (!WEND_GROW(&s->alloc, s->goals, s->goals_capacity, count) ||
      !WEND_GROW(&s->alloc, s->goal_costs, s->goal_costs_capacity, count))
    return WEND_NO_MEMORY;
  if (!WEND_GROW(&s->alloc, s->goal_points, s->goal_points_capacity, ((uint64_t)count + 2) * dimensions))
    return WEND_NO_MEMORY;
  low = s->goal_points, high = low + dimensions, goal = high + dimensions;
  s->goal_count = count;
  for (uint32_t k = 0; k < count; k++, goal += dimensions) {
    uint32_t place = place_in(s, goals[k].at);
    wend_mark *mark = &s->marks.at[place];
    s->goals[k] = place;
    s->goal_costs[k] = goals[k].cost;
    if (goals[k].cost > 0) s->goals_cost = true;
    mark->stamp = s->marks.epoch | MARK_GOAL | (wend_marks_has(&s->marks, place) ? mark->stamp & MARK_PENALIZED : 0);
    mark->g = INFINITY;
    mark->parent = WEND_NONE;
    if (s->graph != NULL) s->arrivals[place].edge_count = 0;
    if (s->graph != NULL && s->graph->points == NULL) continue;
    point_of(s, place, goal);
    for (uint32_t d = 0; d < dimensions; d++) {
      if (k == 0 || goal[d] < low[d]) low[d] = goal[d];
      if (k == 0 || goal[d] > high[d]) high[d] = goal[d];
    }
  }
  return WEND_OK;
}

/* Which estimate, and how strong it may be. */
static void begin_heuristic(wend_search *s) {
  wend_heuristic metric = s->opts.heuristic;
  double least = 0;
  s->metric = metric != WEND_AUTO                                        ? metric
              : s->graph != NULL                                        ? WEND_EUCLIDEAN
              : s->grid->diagonals == WEND_NEVER ? WEND_MANHATTAN
                                                                         : WEND_OCTILE;
  s->heuristic = metric == WEND_CUSTOM ? HEURISTIC_GENERAL : HEURISTIC_ZERO;
  s->scale = 0;
  if (metric != WEND_CUSTOM && metric != WEND_ZERO) {
    if (s->grid != NULL) least = s->summary.least;
    else if (s->graph->points != NULL && s->graph->unplaced == 0) least = wend_search_least(s->graph, &s->opts.costs);
  }
  if (least < WEND_LEAST_MIN) least = 0;
  s->stats.bound = least;
  if (least > 0) {
    s->scale = least / metric_excess(s, s->metric);
    s->heuristic = HEURISTIC_GENERAL;
    if (s->goal_count == 1 && s->grid != NULL && s->expansion != EXPAND_GRID && s->metric != WEND_EUCLIDEAN)
      s->heuristic = HEURISTIC_CELLS;
    if (s->goal_count == 1 && s->graph != NULL && s->metric == WEND_EUCLIDEAN)
      s->heuristic = s->graph->dimensions == 2 ? HEURISTIC_EUCLIDEAN_2D : HEURISTIC_EUCLIDEAN_3D;
    if (s->goal_count == 1)
      memcpy(s->target, s->goal_points, (s->grid != NULL ? 2 : (size_t)s->graph->dimensions) * sizeof *s->target);
  }
  s->fewest_edges = s->graph != NULL && s->heuristic == HEURISTIC_ZERO;
  s->summed = s->grid != NULL && s->opts.costs.edge == NULL;
  s->slack = s->summed ? s->summary.least * WEND_SLACK : 0;
  if (s->summed && s->goal_count > 0) {
    s->g_ceiling = nextafter(s->g_ceiling * (1 + 1e-9), INFINITY); /* finish() looks again */
  }
}

/* Lays out the open list, for what is least in it. */
static void begin_queue(wend_search *s, double least) {
  s->use_heap = s->opts.queue == WEND_QUEUE_HEAP;
  if (s->graph != NULL) {
    s->use_heap = s->use_heap || (s->fewest_edges && s->map->scales.zeros > s->graph->edges.live / 8);
    s->width = bucket_width(s->graph, &s->opts.costs);
  }
  wend_buckets_start(&s->buckets, least, s->width);
}

/* Opens a place where the search starts, unless it is known to be cheaper. */
static void open_root(wend_search *s, uint32_t place, double g, double f) {
  wend_mark *mark = &s->marks.at[place];
  bool known = wend_marks_has(&s->marks, place);
  if (known && mark->g <= g) return;
  mark->stamp = s->marks.epoch | NO_WAY << MARK_WAY_SHIFT | MARK_OPEN |
                (known ? mark->stamp & (MARK_GOAL | MARK_PENALIZED) : 0);
  mark->g = g;
  mark->parent = WEND_NONE;
  if (s->graph != NULL) {
    s->arrivals[place].via = WEND_NONE;
    s->arrivals[place].edge_count = 0;
  }
  s->stats.pushed++;
  if (s->use_heap) {
    wend_heap_entry entry = {f, place, 0};
    heap_push(s, entry);
  } else {
    wend_buckets_push(&s->buckets, &s->buckets.ring, &s->alloc, f, place);
  }
}

wend_status wend_search_begin(wend_search *s, wend_map *map, wend_id from, const wend_id *goals, uint32_t goal_count,
                              const wend_search_opts *opts) {
  const wend_end start = {from, 0}, goal = {goals[0], 0};
  if (goal_count == 1) return wend_search_begin_between(s, map, &start, 1, &goal, 1, opts);
  /* The list is the search's own: a heuristic of the caller's may leave by longjmp. */
  if (!WEND_GROW(&s->alloc, s->goal_ends, s->goal_ends_capacity, goal_count)) {
    wend_search_reset(s);
    return WEND_NO_MEMORY;
  }
  for (uint32_t k = 0; k < goal_count; k++) s->goal_ends[k].at = goals[k], s->goal_ends[k].cost = 0;
  return wend_search_begin_between(s, map, &start, 1, s->goal_ends, goal_count, opts);
}

/* The step from a node of the path is to be avoided. */
static void penalize(wend_search *s, uint32_t i) {
  const uint32_t place = place_in(s, s->detour.nodes[i]);
  wend_mark *mark = &s->marks.at[place];
  s->detour.index_of[place] = i;
  mark->g = INFINITY;
  mark->stamp = s->marks.epoch | NO_WAY << MARK_WAY_SHIFT | MARK_PENALIZED;
  mark->parent = WEND_NONE;
  if (s->graph != NULL) s->arrivals[place].edge_count = 0;
}

/* After the estimate is laid out. */
static wend_status begin_starts(wend_search *s, const wend_end *starts, uint32_t count) {
  double least = INFINITY;
  for (uint32_t k = 0; k < count; k++) {
    const double h = general_heuristic(s, place_in(s, starts[k].at));
    if (h != h) return WEND_ABORTED;
    if (starts[k].cost + h < least) least = starts[k].cost + h;
  }
  begin_queue(s, least);
  if (!heap_reserve(s, count)) return WEND_NO_MEMORY;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t place = place_in(s, starts[k].at);
    open_root(s, place, starts[k].cost, starts[k].cost + general_heuristic(s, place));
    if (s->opts.partial) note_nearest(s, place);
  }
  return s->buckets.failed ? WEND_NO_MEMORY : WEND_OK;
}

/* perturbation: NULL, or what makes it avoid the stretch of s->detour. */
static wend_status begin_search(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts,
                                const wend_perturbation *perturbation) {
  wend_status status = begin_map(s, map, NULL, opts);
  uint32_t start;
  s->back = false;
  if (status == WEND_OK && perturbation != NULL) {
    s->perturbation = *perturbation;
    if (!WEND_GROW(&s->alloc, s->detour.index_of, s->detour.spot_capacity, s->marks.capacity)) status = WEND_NO_MEMORY;
    for (uint32_t i = s->detour.first; i < s->detour.last && status == WEND_OK; i++) penalize(s, i);
  }
  if (status == WEND_OK) status = begin_goals(s, goals, goal_count);
  if (status == WEND_OK && s->grid != NULL) status = begin_grid(s, false);
  if (status != WEND_OK) {
    wend_search_reset(s);
    return status;
  }
  begin_heuristic(s);
  s->status = WEND_RUNNING;
  start = place_in(s, starts[0].at);
  /* A cell that no step leads to, where that is known beforehand, need not be looked for. */
  if (s->agent != NULL && goal_count == 1 && start_count == 1 && !opts->partial && start != s->goals[0] &&
      !(s->agent->costs[s->region.kinds[s->goals[0]]].straight < INFINITY)) {
    begin_queue(s, 0);
    return WEND_OK;
  }
  status = begin_starts(s, starts, start_count);
  if (status == WEND_ABORTED) s->status = status;
  return status;
}

wend_status wend_search_begin_between(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                      const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts) {
  s->detour.wanted = opts->variation > 0;
  s->detour.under_way = false;
  return begin_search(s, map, starts, start_count, goals, goal_count, opts, NULL);
}

wend_status wend_search_flood(wend_search *s, wend_map *map, const wend_region *region, bool back,
                              const wend_search_opts *opts) {
  wend_status status = begin_map(s, map, region, opts);
  double least = INFINITY;
  s->detour.wanted = s->detour.under_way = false;
  s->goal_count = 0;
  s->back = back;
  s->f_ceiling = s->g_ceiling;
  if (status == WEND_OK && s->grid != NULL) status = begin_grid(s, true);
  if (status == WEND_OK && !heap_reserve(s, s->root_count)) status = WEND_NO_MEMORY;
  if (status != WEND_OK) {
    wend_search_reset(s);
    return status;
  }
  begin_heuristic(s);
  s->status = WEND_RUNNING;
  for (uint32_t i = 0; i < s->root_count; i++)
    if (s->roots[i].value < least) least = s->roots[i].value;
  begin_queue(s, least);
  for (uint32_t i = 0; i < s->root_count; i++)
    if (s->roots[i].value < s->g_ceiling) open_root(s, s->roots[i].place, s->roots[i].value, s->roots[i].value);
  return wend_search_step(s, UINT64_MAX);
}

/* ---- Ending ----------------------------------------------------------------------------------------------- */

/* Between jump points: how many cells the way to one from its parent has, counting one of the two. */
static uint32_t jump_length(const wend_search *s, uint32_t place) {
  uint32_t stride = s->region.stride, parent = s->marks.at[place].parent;
  uint32_t x = place % stride, px = parent % stride, y = place / stride, py = parent / stride;
  uint32_t dx = x > px ? x - px : px - x, dy = y > py ? y - py : py - y;
  return dx > dy ? dx : dy;
}

/* The place before another on the way from its parent: diagonally at first, then straight. */
static uint32_t jump_before(const wend_search *s, uint32_t place, uint32_t parent) {
  uint32_t stride = s->region.stride;
  int64_t dx = (int64_t)(parent % stride) - place % stride, dy = (int64_t)(parent / stride) - place / stride;
  int64_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
  if (ax >= ay) place += dx < 0 ? (uint32_t)-1 : 1;
  if (ay >= ax) place += dy < 0 ? 0 - stride : stride;
  return place;
}

/* What a path over cells costs, summed in the order of travel. */
static double cost_of_cells(wend_search *s) {
  double cost = 0;
  if (s->agent == NULL) {
    for (uint32_t i = 1; i < s->path_length; i++) cost += wend_walker_hop(&s->walker, s->path_nodes[i - 1], s->path_nodes[i]);
    return s->walker.gave_up ? NAN : cost;
  }
  {
    uint32_t before = place_in(s, s->path_nodes[0]);
    for (uint32_t i = 1; i < s->path_length; i++) {
      uint32_t place = place_in(s, s->path_nodes[i]);
      int64_t step = (int64_t)place - before;
      const wend_step_cost *onto = &s->agent->costs[s->region.kinds[place]];
      bool straight = step == 1 || step == -1 || step == (int64_t)s->region.stride || step == -(int64_t)s->region.stride;
      cost += straight ? onto->straight : onto->diagonal;
      before = place;
    }
  }
  return cost;
}

/* Writes down the path to a place. */
static wend_status take_path(wend_search *s, uint32_t place) {
  const wend_mark *marks = s->marks.at;
  const double beyond = cost_beyond(s, place);
  bool jumps = s->expansion == EXPAND_JUMPS;
  uint64_t length = 1;
  uint32_t i;
  for (uint32_t p = place; marks[p].parent != WEND_NONE; p = marks[p].parent) length += jumps ? jump_length(s, p) : 1;
  if (!WEND_GROW(&s->alloc, s->path_nodes, s->path_nodes_capacity, length) ||
      !WEND_GROW(&s->alloc, s->path_edges, s->path_edges_capacity, length))
    return WEND_NO_MEMORY;
  s->path_length = (uint32_t)length;
  s->path_cost = marks[place].g + beyond;
  for (i = s->path_length - 1; i > 0;) {
    uint32_t parent = marks[place].parent;
    if (s->graph != NULL) s->path_edges[i - 1] = edge_id_of(s, s->arrivals[place].via);
    do {
      s->path_nodes[i--] = id_of(s, place);
      place = jumps ? jump_before(s, place, parent) : parent;
    } while (place != parent);
  }
  s->path_nodes[0] = id_of(s, place);
  if (s->summed) s->path_cost = marks[place].g + cost_of_cells(s) + beyond;
  return WEND_OK;
}

/* The goal that was reached at the least cost, then by the fewest edges, then of the smallest id. */
static uint32_t best_goal(const wend_search *s) {
  uint32_t best = s->goals[0];
  for (uint32_t k = 1; k < s->goal_count; k++) {
    uint32_t goal = s->goals[k];
    double a = s->marks.at[goal].g + s->goal_costs[k], b = s->marks.at[best].g + cost_beyond(s, best);
    uint32_t a_edges = s->graph != NULL ? s->arrivals[goal].edge_count : 0, b_edges = s->graph != NULL ? s->arrivals[best].edge_count : 0;
    if (a > b || (a == b && a_edges > b_edges)) continue;
    if (a < b || a_edges < b_edges || id_of(s, goal) < id_of(s, best)) best = goal;
  }
  return best;
}

static wend_status finish(wend_search *s, wend_status status) {
  if (status == WEND_OK) status = take_path(s, best_goal(s));
  if (status == WEND_OK && s->path_cost > s->opts.max_cost) status = WEND_BUDGET; /* by rounding, or by what its ends cost */
  if (status == WEND_NO_PATH && s->goal_count == 0) status = WEND_OK; /* it was to go on until nothing was left */
  if (status == WEND_NO_PATH && s->pruned && s->opts.max_cost < INFINITY) status = WEND_BUDGET;
  wend_buckets_empty(&s->buckets);
  s->heap.count = 0;
  return s->status = status;
}

#include "core/search/variation.inl"

wend_status wend_search_step(wend_search *s, uint64_t max_expanded) {
  uint64_t limit;
  if (s->status != WEND_RUNNING) return s->status;
  if (s->map->version != s->version) return finish(s, WEND_STALE);
  if (!refresh_agent_view(s)) return finish(s, WEND_NO_MEMORY);
  limit = max_expanded > UINT64_MAX - s->stats.expanded ? UINT64_MAX : s->stats.expanded + max_expanded;
  if (limit > s->opts.max_expanded) limit = s->opts.max_expanded;
  for (;;) {
    wend_status status = run_of(s)(s, limit);
    if (s->buckets.failed) status = WEND_NO_MEMORY; /* a node was lost: nothing that was found is sure */
    if (status != WEND_RUNNING) {
      status = finish(s, status);
      if (s->detour.wanted) status = go_on(s, status);
      if (status != WEND_RUNNING) return s->status = status;
      if (!refresh_agent_view(s)) return finish(s, WEND_NO_MEMORY);
    }
    if (s->stats.expanded < limit) continue; /* it changed to the heap, or a detour is looked for */
    if (s->stats.expanded < s->opts.max_expanded) return WEND_RUNNING;
    status = finish(s, WEND_BUDGET);
    return s->status = s->detour.wanted ? go_on(s, status) : status;
  }
}

wend_status wend_search_partial(wend_search *s) {
  wend_status status;
  assert(s->opts.partial && (s->status == WEND_NO_PATH || s->status == WEND_BUDGET));
  status = take_path(s, s->nearest);
  /* Where a budget ended it, nodes on the way may have got cheaper since they were expanded. */
  if (status == WEND_OK && s->graph != NULL) {
    const double cost = cost_of_edges(s);
    s->path_cost = s->marks.at[place_in(s, s->path_nodes[0])].g + cost;
    if (!(cost >= 0)) status = WEND_ABORTED;
  }
  return status;
}

uint32_t wend_search_path(const wend_search *s, const wend_id **nodes, const wend_id **edges, double *cost) {
  *nodes = s->path_nodes;
  *edges = s->path_edges;
  *cost = s->path_cost;
  return s->path_length;
}

wend_stats wend_search_stats(const wend_search *s) { return s->stats; }

bool wend_search_has(const wend_search *s, wend_id node) {
  const uint32_t place = place_in(s, node);
  return wend_marks_has(&s->marks, place) && s->marks.at[place].g < INFINITY;
}

wend_label wend_search_label(const wend_search *s, wend_id node) {
  wend_label result = {false, INFINITY, 0, WEND_NO_ID};
  const wend_mark *l;
  uint32_t place;
  if (s->map == NULL || !wend_search_has(s, node)) return result;
  place = place_in(s, node);
  l = &s->marks.at[place];
  result.reached = true;
  result.cost = l->g;
  result.visit = s->visits != NULL ? s->visits[place] : 0;
  result.previous = l->parent == WEND_NONE ? WEND_NO_ID : id_of(s, l->parent);
  return result;
}
