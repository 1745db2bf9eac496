/* SPDX-License-Identifier: MIT */
/* The inside of a search. Its parts, each on top of the one before:
 *
 *   marks.h       what is known of each place
 *   queue.h       the open list: buckets, or a heap
 *   heuristic.c   how far it is to the goals
 *   kernel.c      the loop: pop, expand, relax
 *   pathfinder.c  one path: lays out a search from starts to goals, and writes down what it found
 *   variation.c   another path than the cheapest: a second search for a detour
 *   search.c      the functions of wend.h
 *   flood.c       searches without a goal, for fields and others */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include "core/map/agent_view.h"
#include "core/map/step.h"
#include "core/search/heuristic.h"
#include "core/search/marks.h"
#include "core/search/queue.h"

/* How a node of a graph was reached, beside its mark. */
typedef struct wend_arrival {
  uint32_t via;        /* the arc */
  uint32_t edge_count; /* from the start */
} wend_arrival;

/* How a map is expanded. */
typedef enum wend_expansion {
  EXPAND_GRAPH, /* along the arcs */
  EXPAND_CELLS, /* from cell to cell, by the costs of kinds */
  EXPAND_GRID,  /* from cell to cell, with all that there can be */
  EXPAND_JUMPS  /* from jump point to jump point */
} wend_expansion;

/* Costs other than the true ones, so that a search finds another path than the cheapest. */
typedef struct wend_perturbation {
  double penalty;  /* penalized steps cost so many times as much; 0: all costs are the true ones */
  double noise;    /* all other steps cost up to 1 + this times as much, by the patch of the map that they start in */
  uint64_t seed;   /* of the patches */
  double offset[3], per_patch; /* from a position to its patch; per_patch 0: there are no positions */
  /* By place, where the mark is MARK_PENALIZED: the step that is, as the slot of an edge or the place it leads to. */
  uint32_t *step;
  uint32_t step_capacity;
} wend_perturbation;

/* The detour of a path that is made to differ: see variation.c. */
typedef struct wend_detour {
  bool wanted;           /* there is a variation */
  bool under_way;        /* the cheapest path is known, and a detour is looked for */
  wend_search_opts opts; /* as they were given */
  wend_id *nodes, *edges; /* the path */
  double *along;          /* by node: what it costs to get there */
  uint32_t nodes_capacity, edges_capacity, along_capacity, length;
  double before, beyond; /* what the ends cost */
  uint32_t first, last;  /* the stretch that the detour stands in for */
} wend_detour;

/* Memory for what is built on searches. It outlives a call, so that nothing leaks when a callback leaves by longjmp, and so
 * that a warm search asks for none. */
#define WEND_SCRATCH_COUNT 6
typedef struct wend_scratch {
  void *bytes;
  size_t size;
} wend_scratch;

struct wend_search {
  wend_alloc alloc;

  /* What the search is of. */
  wend_map *map;     /* NULL: none */
  wend_graph *graph;
  wend_grid *grid;   /* one of the two */
  uint64_t version;  /* of the map */
  wend_region region, whole; /* of a grid: what is searched, and all of it */
  wend_search_opts opts;
  wend_stepper stepper; /* for graphs and EXPAND_GRID */
  wend_agent_views agent_views;
  const wend_agent_view *agent; /* for EXPAND_CELLS and EXPAND_JUMPS, while they run */
  wend_cost_summary summary;    /* of a grid */

  /* What the kernel works on. */
  wend_expansion expansion;
  wend_cost_kind costs;
  bool back; /* from the goals, against the direction of travel */
  wend_marks marks;
  wend_arrival *arrivals; /* by place, of graphs */
  uint32_t arrivals_capacity;
  wend_buckets buckets;
  wend_heap heap;
  bool use_heap;
  double width; /* of a bucket */
  wend_estimator estimator;
  wend_goals goals;
  wend_perturbation perturbation;
  double slack;        /* see WEND_SLACK */
  double jump_cost;    /* of a straight step, for EXPAND_JUMPS */
  bool fewest_edges;   /* of ways that cost the same, one with the fewest edges is found */
  bool watched;        /* what is reached is compared with max_cost, or noted for `partial` */
  double g_ceiling, f_ceiling; /* what costs, or would cost, this much is not wanted */

  /* How far it is. */
  wend_status status;
  wend_stats stats;
  bool found, pruned;
  uint32_t held; /* the node that came out last when a slice was over, WEND_NONE: none */
  uint64_t repeated, steps; /* expansions of nodes expanded before; steps from bucket to bucket */
  uint32_t nearest; /* for `partial` */
  double nearest_distance;
  uint32_t *visits; /* by place: when it was first popped; only with WEND_QUEUE_HEAP */
  uint32_t visits_capacity, visit_count;

  /* The result. */
  wend_id *path_nodes, *path_edges;
  uint32_t path_nodes_capacity, path_edges_capacity, path_length;
  double path_cost;
  bool summed; /* the cost is summed anew along the path */

  wend_detour detour;
  wend_scratch scratch[WEND_SCRATCH_COUNT];
};

static inline wend_id wend_search_id(const wend_search *s, uint32_t place) {
  if (s->grid != NULL) return wend_region_cell(&s->region, s->grid, place);
  return wend_slots_id(&s->graph->nodes, s->graph->slot_of[place]);
}

static inline uint32_t wend_search_place(const wend_search *s, wend_id id) {
  if (s->grid != NULL) return wend_region_find(&s->region, s->grid, id);
  return s->graph->nodes.value[wend_slots_find(&s->graph->nodes, id)];
}

static inline wend_id wend_search_edge(const wend_search *s, uint32_t arc) {
  return wend_slots_id(&s->graph->edges, s->graph->arc_edge[arc]);
}

/* Room for a path of so many nodes as the result. False: no memory. */
bool wend_search_reserve_path(wend_search *s, uint64_t length);
/* Scratch memory number `slot` of at least `size` bytes, with what was in it; NULL: no memory. The functions that use one
 * search at the same time use different slots. */
void *wend_search_scratch(wend_search *s, unsigned slot, uint64_t size);
/* Whether the search begun last has come to a node. */
bool wend_search_has(const wend_search *s, wend_id node);

/* Over a grid most cells can be reached by many ways of the same cost, whose sums differ in the last bits. A way counts as
 * cheaper only by more than this share of the cheapest step: else a cell, and all beyond it, would be gone over once for every
 * such bit. Every step costs at least the cheapest, so nothing is off by more than this share. */
#define WEND_SLACK 1e-10

#endif
