/* SPDX-License-Identifier: MIT */
/* Searches of a whole graph in whole numbers, for the tables of landmarks: Dijkstra's algorithm with a bucket for each cost
 * (R. Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969). The cost of a step is its price in units,
 * rounded down.
 *
 *   ring    the buckets of the costs now .. now + RING_SIZE - 1; no step costs more, so all open places lie in them
 *   next    the places of a bucket are a list, in both directions, so that a place can move to another bucket
 *
 * A graph may be edited while a search is paused, unless its places move. Nodes that are added then are not reached. A step that
 * was there all the time agrees with the result.
 *
 * The result depends on the graph only, not on the order of its places: neighbours are visited in the order of arcs, and the place
 * that was put into a bucket last comes first. */
#ifndef WEND_BUCKET_FLOOD_H
#define WEND_BUCKET_FLOOD_H

#include "core/prepared/prepared.h"

/* No cost of a step is more, in units. */
#define COUNT_MAX 65535u
/* A place that no path reaches. */
#define COUNT_NONE UINT32_MAX

typedef struct wend_bucket_flood {
  wend_alloc alloc;
  const wend_graph *graph;
  wend_prepared *prices; /* its tags have the costs; nothing else of it is used */
  uint32_t place_count;
  double per_unit; /* 1 / unit */
  bool back;       /* against the direction of travel */
  uint32_t limit;  /* places at this cost or beyond are not reached */
  uint32_t *ring;  /* by cost: the first place */
  uint32_t ring_capacity;
  /* By place. */
  uint32_t *count;         /* the cost, COUNT_NONE: not reached */
  uint32_t *next, *before; /* in the list of a bucket; WEND_NONE: the end */
  uint32_t *parent;        /* the place before on the path; WEND_NONE: the root */
  uint32_t *order;         /* the places reached, in the order of their costs, parents first */
  uint32_t capacity, order_count;
  uint32_t now, open; /* the cost that the search is at; how many places are in buckets */
} wend_bucket_flood;

/* Makes room for searches of a synced graph. False: no memory. */
bool wend_bucket_flood_init(wend_bucket_flood *counts, const wend_graph *graph, wend_prepared *prices, const wend_alloc *alloc);
void wend_bucket_flood_free(wend_bucket_flood *counts);
/* Sets the unit. */
void wend_bucket_flood_set_unit(wend_bucket_flood *counts, double unit);
/* Begins a search from a place; `back`: to it. */
void wend_bucket_flood_begin(wend_bucket_flood *counts, uint32_t root, bool back, uint32_t limit);
/* Continues for at most *places places, and lowers *places by the number expanded. True: the search is done. */
bool wend_bucket_flood_run(wend_bucket_flood *counts, uint64_t *places);

#endif
