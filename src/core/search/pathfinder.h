/* SPDX-License-Identifier: MIT */
/* One search, from its preparation to its result. The kernel does the work between. */
#ifndef WEND_PATHFINDER_H
#define WEND_PATHFINDER_H

#include "core/search/search.h"

/* The steps of a path that a perturbed search avoids: those from node number `first` up to node number `last`. */
typedef struct wend_penalized {
  const wend_id *nodes, *edges;
  uint32_t first, last;
} wend_penalized;

/* Prepares a search from several starts to several goals: see wend_search_begin_between. perturbation, penalized: both NULL for
 * the true costs. */
wend_status wend_pathfinder_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                  const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts,
                                  const wend_perturbation *perturbation, const wend_penalized *penalized);

/* After the beginning: the search passes its goals by. So `partial` finds the place nearest to a goal that no place fits. */
void wend_pathfinder_miss_goals(wend_search *s);

/* A start of a search without a goal. */
typedef struct wend_root {
  double value;
  uint32_t place; /* of the region, or of the synced graph */
} wend_root;
/* Prepares a search from all roots that continues until the queue is empty. region: a part of a grid; NULL: the whole map. */
wend_status wend_pathfinder_begin_flood(wend_search *s, wend_map *map, const wend_region *region, bool back,
                                        const wend_root *roots, uint32_t root_count, const wend_search_opts *opts);

/* Opens another place after the beginning, whose first step leads to a root that is closed. arc: of that root; on a grid not
 * used. */
void wend_pathfinder_enter(wend_search *s, uint32_t place, double value, uint32_t root, uint32_t arc);

/* Borrows the agent view again for the next slice. Call it before wend_pathfinder_run. *left: the work that the slice may do on the
 * view, in expansions; subtracts what was done. RUNNING: it is not complete, so the search cannot run. NO_MEMORY. */
wend_status wend_pathfinder_resume(wend_search *s, uint64_t *left);
/* Tries the direct walk, before the first slice: see pathfinder.c. RUNNING: it is not the answer, so the search must run. OK,
 * NO_MEMORY: the search has ended. */
wend_status wend_pathfinder_walk(wend_search *s);
/* Whether the estimates, and the costs that jump points need, still hold after edits of the map: OK or STALE. NO_MEMORY. */
wend_status wend_pathfinder_holds(wend_search *s);
/* edits.c. Called before a slice if the map has another version than the search. OK: the edits cannot change the result, and the
 * search is of the version of the map now. STALE: they may change it, or the search has not the option survive_edits.
 * NO_MEMORY. */
wend_status wend_edits_survive(wend_search *s);
/* variation.c. Continues a variation after its first or its second search has ended with a status. RUNNING: the second search, for
 * the detour, has begun. Other statuses are those of the whole search. */
wend_status wend_variation_continue(wend_search *s, wend_status status);
/* Runs until `limit` nodes are expanded in all slices together (RUNNING), or to the end. */
wend_status wend_pathfinder_run(wend_search *s, uint64_t limit);
/* With slice_tables, a search that has found a goal stays RUNNING, and s->traced is a place: then this follows its path back, and
 * ends it. *left: the work that may be done, in expansions; subtracts what was done. RUNNING: there is more. */
wend_status wend_pathfinder_trace(wend_search *s, uint64_t *left);
/* Ends a search. Returns the status that the caller gets, and for WEND_OK stores the path as the result. */
wend_status wend_pathfinder_finish(wend_search *s, wend_status status);
/* The goal with the least cost, then the fewest edges, then the smallest id. */
uint32_t wend_pathfinder_best_goal(const wend_search *s);
/* Stores the path to a place, and its cost, as the result. */
wend_status wend_pathfinder_take_path(wend_search *s, uint32_t place);
/* The same for the nearest place of a search with `partial` that has ended. NO_MEMORY. */
wend_status wend_pathfinder_take_nearest(wend_search *s);
/* The cost of the result without the costs at its ends, summed again in the order of travel. NaN: a cost is invalid. */
double wend_pathfinder_sum(wend_search *s);
/* The direction from one cell to another in its row, column or diagonal; -1: they lie in none, or a portal joins them. */
int wend_leg_direction(const wend_grid *grid, wend_id from, wend_id to);
/* Keeps the corners of a list of cells. Returns how many. */
uint32_t wend_keep_corners(const wend_grid *grid, wend_id *cells, uint32_t length);
/* bends.c. Takes bends out of the resulting path over a grid, where that costs the same. NO_MEMORY. ABORTED: a cost is invalid. */
wend_status wend_search_unbend(wend_search *s);

#endif
