/* SPDX-License-Identifier: MIT */
/* The inside of a search: what search.c shares with fields, which are searches without a destination. */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include "core/map/graph_store.h"
#include "core/map/grid.h"
#include "core/search/queue.h"
#include "core/map/walk.h"

/* What is known of a place. It is never cleared: a mark whose stamp is not of this search is as good as none. */
typedef struct wend_mark {
  double g;        /* the cost from the start, as far as is known */
  uint32_t stamp;  /* the search's epoch, and flags */
  uint32_t parent; /* the place before, WEND_NONE at the start */
} wend_mark;

typedef struct wend_marks {
  wend_mark *at;
  uint32_t capacity;
  uint32_t epoch;
} wend_marks;

#define MARK_OPEN 1u     /* it waits in the open list */
#define MARK_EXPANDED 2u /* it was expanded, perhaps with a higher cost */
#define MARK_GOAL 4u
#define MARK_WAY_SHIFT 3 /* of cells: the direction to the parent: see around.h */
#define MARK_PENALIZED 128u   /* a step that is to be avoided leads away from it */
#define MARK_FLAGS 255u
#define EPOCH_STEP 256u

/* Makes room for so many, all of them forgotten. False: no memory. */
bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t count);

static inline bool wend_marks_has(const wend_marks *marks, uint32_t place) {
  return marks->at[place].stamp - marks->epoch <= MARK_FLAGS;
}

/* How a node of a graph was reached, beside its mark. */
typedef struct wend_arrival {
  uint32_t via;  /* the arc */
  uint32_t edge_count; /* the edges from the start */
} wend_arrival;

/* Where a search without a destination starts. */
typedef struct wend_root {
  double value;
  uint32_t place;
} wend_root;

/* The cells of a window. */
typedef struct wend_window {
  uint16_t *kinds;
  double *weights;
  uint16_t *tags;
  uint8_t *walls, *inside;
  uint32_t kinds_capacity, weights_capacity, tags_capacity, walls_capacity, inside_capacity;
} wend_window;

/* What makes a search find another path than the cheapest: see search_detour.h. */
typedef struct wend_perturbation {
  double penalty;  /* steps along the path to be avoided cost so many times as much; 0: there is none, all costs what it costs */
  double noise; /* all others cost up to 1 + this times as much, by the patch that they start in */
  uint64_t seed;
  double offset[3], per_patch; /* from a position to its patch; per_patch 0: there are no positions */
} wend_perturbation;

/* The path that is being made to differ. */
typedef struct wend_detour {
  bool wanted;    /* there is a variation */
  bool under_way; /* the cheapest path is known, and a detour is looked for */
  wend_search_opts opts; /* as they were given */
  wend_id *nodes, *edges;
  double *along;  /* by node: what it costs to get there */
  uint32_t *index_of; /* by place: which node of the path it is, where its mark is worn */
  uint32_t nodes_capacity, edges_capacity, along_capacity, spot_capacity, length;
  double before, beyond; /* what the ends cost */
  uint32_t first, last;  /* the stretch that it stands in for */
} wend_detour;

/* How costs are made, how a map is walked, and what is estimated: what run() is specialised on. */
typedef enum wend_cost_kind { COSTS_WEIGHTS, COSTS_TAGS, COSTS_ASKED } wend_cost_kind;
typedef enum wend_expansion {
  EXPAND_GRAPH, /* along the arcs */
  EXPAND_CELLS, /* from cell to cell, by kind */
  EXPAND_GRID,  /* from cell to cell, with all that there can be */
  EXPAND_JUMPS  /* from jump point to jump point */
} wend_expansion;
typedef enum wend_heuristic_kind {
  HEURISTIC_ZERO,
  HEURISTIC_EUCLIDEAN_2D,
  HEURISTIC_EUCLIDEAN_3D,
  HEURISTIC_CELLS, /* one goal; octile and what is like it */
  HEURISTIC_GENERAL
} wend_heuristic_kind;

/* Where a route may get on to a graph, or off it: see route.c. */
typedef struct wend_gate {
  wend_near near;    /* a node, or an edge */
  wend_end ends[2];  /* the nodes that lead on, and what it costs to get there, from outside; or from there to outside */
  double fraction;      /* how far along the edge it lies */
  double forth, back; /* what the edge costs in its direction, and against it */
  uint8_t count, state;
} wend_gate;

typedef struct wend_gates {
  wend_gate *at;
  uint32_t count, capacity;
} wend_gates;

struct wend_search {
  wend_alloc alloc;
  wend_marks marks;
  wend_arrival *arrivals; /* by place, of graphs */
  uint32_t arrivals_capacity;
  wend_buckets buckets;
  wend_heap heap;
  wend_window window;
  wend_root *roots;
  uint32_t roots_capacity, root_count;

  /* The search under way. */
  wend_map *map; /* NULL: none */
  wend_graph *graph;
  wend_grid *grid; /* one of the two */
  uint64_t version; /* of the map */
  wend_search_opts opts;
  wend_status status;
  wend_region region, whole; /* of a grid: what is searched, and all of it */
  wend_walker walker;    /* for EXPAND_GRID */
  wend_cost_kind costs;
  wend_expansion expansion;
  wend_heuristic_kind heuristic;
  bool back;   /* from the goals, against the direction of travel */
  wend_heuristic metric;
  double scale;         /* of the distance in the metric */
  double target[3];     /* the goal, for the simple guesses */
  uint32_t *goals;      /* places */
  double *goal_costs;   /* what it costs to go on from there */
  uint32_t goals_capacity, goal_costs_capacity, goal_count;
  wend_end *goal_ends; /* the goals as wend_search_begin_between takes them */
  uint32_t goal_ends_capacity;
  bool goals_cost;      /* any of them */
  wend_perturbation perturbation;
  wend_detour detour;
  wend_gates entries, exits; /* of a route */
  wend_near *near;
  uint32_t near_capacity;
  double *goal_points;  /* the low and the high corner of the goals' box, then where each lies */
  uint32_t goal_points_capacity;
  bool use_heap, fewest_edges, found, pruned;
  bool summed; /* the path's cost is to be summed anew: see WEND_SLACK */
  double slack;
  bool watched; /* what is reached is compared with max_cost, or noted for `partial` */
  double g_ceiling, f_ceiling; /* what costs, or would cost, this much is not wanted */
  uint32_t held; /* the node that came out last when a slice was over, WEND_NONE: none */
  uint64_t repeated, steps; /* expansions of nodes expanded before; steps from bucket to bucket */
  uint32_t nearest; /* for `partial` */
  double nearest_distance;
  uint32_t *visits; /* by place: when it was first popped; only with WEND_QUEUE_HEAP */
  uint32_t visits_capacity, visit_count;
  const wend_agent_view *agent; /* for EXPAND_CELLS and EXPAND_JUMPS, while it runs */
  wend_cost_summary summary; /* of a grid */
  double width;       /* of a bucket */
  double jump_cost;   /* of a straight step, for EXPAND_JUMPS */
  wend_stats stats;

  /* The result. */
  wend_id *path_nodes, *path_edges;
  uint32_t path_nodes_capacity, path_edges_capacity, path_length;
  double path_cost;
};

/* The least cost per length that any edge of a graph can have for an agent; 0: nothing is known. */
double wend_search_least(wend_graph *graph, const wend_costs *costs);
/* Whether the search begun last has come to a node. */
bool wend_search_has(const wend_search *s, wend_id node);
/* A search without a destination, from s->roots (places of the view, or of the synced graph): it leaves its marks behind.
 * It takes its costs and budget from opts. Roots may lead on to each other. OK, NO_MEMORY, ABORTED, BUDGET. */
wend_status wend_search_flood(wend_search *s, wend_map *map, const wend_region *region, bool back, const wend_search_opts *opts);

/* Over a grid most cells can be reached by many ways of the same cost, whose sums differ in the last bits. What is
 * cheaper by less than this share of the cheapest step is not: else a cell, and all beyond it, would be gone over once for
 * every such bit. Every step costs at least the cheapest, so nothing is off by more than this share. */
#define WEND_SLACK 1e-10
/* Where more steps than this for each expansion go into finding the next bucket, buckets are too narrow. */
#define WEND_STEPS_MAX 4u
/* A tenth of what a typical step costs. */
static inline double wend_bucket_width(double typical) {
  const double width = typical / 10;
  return width >= 1e-280 && width <= 1e280 ? width : 1;
}

#endif
