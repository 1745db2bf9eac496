/* SPDX-License-Identifier: MIT */
/* One search, from its layout to its result. */
#ifndef WEND_PATHFINDER_H
#define WEND_PATHFINDER_H

#include "core/search/search.h"

/* The steps from these nodes of a path, each to the next one, that a search is to avoid. */
typedef struct wend_penalized {
  const wend_id *nodes, *edges;
  uint32_t first, last; /* from node `first` up to the step to node `last` */
} wend_penalized;

/* Lays out a search from any of some starts to any of some goals: see wend_search_begin_between. perturbation: NULL, or what
 * makes it avoid the penalized steps. */
wend_status wend_pathfinder_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                  const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts,
                                  const wend_perturbation *perturbation, const wend_penalized *penalized);

/* Where a search without a goal starts. */
typedef struct wend_root {
  double value;
  uint32_t place; /* of the region, or of the synced graph */
} wend_root;
/* Lays out a search from all roots, over a region of a grid (NULL: the map), that goes on until nothing is left. */
wend_status wend_pathfinder_begin_flood(wend_search *s, wend_map *map, const wend_region *region, bool back,
                                        const wend_root *roots, uint32_t root_count, const wend_search_opts *opts);

/* Gets what a search needs that may have gone since the last slice. False: no memory. */
bool wend_pathfinder_resume(wend_search *s);
/* Runs until so many nodes are expanded in all (RUNNING), or to the end. */
wend_status wend_pathfinder_run(wend_search *s, uint64_t limit);
/* Ends a search with this status, or one that follows from it: the path is the result. */
wend_status wend_pathfinder_finish(wend_search *s, wend_status status);
/* Makes the path to a place the result. */
wend_status wend_pathfinder_take_path(wend_search *s, uint32_t place);
/* What the result costs without its ends, summed anew in the order of travel. Negative or NaN: a cost was none. */
double wend_pathfinder_sum(wend_search *s);

#endif
