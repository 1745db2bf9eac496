/* SPDX-License-Identifier: MIT */
/* One search, from its preparation to its result. The kernel does the work between. */
#ifndef WEND_PATHFINDER_H
#define WEND_PATHFINDER_H

#include "core/pathfinder/begin.h"
#include "core/pathfinder/trace.h"

/* Prepares a search from several starts to several goals: see wend_search_begin_between. */
wend_status wend_pathfinder_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                  const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts);

/* Borrows the agent view again for the next slice. Call it before wend_pathfinder_run. *left: the work that the slice may do on the
 * view, in expansions; subtracts what was done. RUNNING: it is not complete, so the search cannot run. NO_MEMORY. */
wend_status wend_pathfinder_resume(wend_search *s, uint64_t *left);
/* Tries the direct walk from s->walk_from, in the first slice: see walk.c. RUNNING: it is not the answer, so the search must run. OK,
 * NO_MEMORY: the search has ended. */
wend_status wend_pathfinder_walk(wend_search *s);
/* paths.c. wend_search_begin_between, wend_search_step and wend_search_partial as a stage of a query: at the end the search keeps
 * the version that it reads. */
wend_status wend_paths_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count, const wend_end *goals,
                             uint32_t goal_count, const wend_search_opts *opts);
wend_status wend_paths_step(wend_search *s, uint64_t max_expanded);
wend_status wend_paths_partial(wend_search *s);
/* Runs until `limit` nodes are expanded in all slices together (RUNNING), or to the end. */
wend_status wend_pathfinder_run(wend_search *s, uint64_t limit);
/* With slice_tables, a search that has found a goal stays RUNNING, and s->traced is a place: then this follows its path back, and
 * ends it. *left: the work that may be done, in expansions; subtracts what was done. RUNNING: there is more. */
wend_status wend_pathfinder_trace(wend_search *s, uint64_t *left);
/* bends.c. Takes bends out of the resulting path over a grid, where that costs the same. NO_MEMORY. ABORTED: a cost is invalid. */
wend_status wend_search_unbend(wend_search *s);

#endif
