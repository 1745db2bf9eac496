/* SPDX-License-Identifier: MIT */
/* What comes before the kernel runs: begin.c. */
#ifndef WEND_BEGIN_H
#define WEND_BEGIN_H

#include "core/search/search.h"

/* A start of a search without a goal. */
typedef struct wend_root {
  double value;
  uint32_t place; /* of the region, or of the synced graph */
} wend_root;

/* Prepares a search from several starts to several goals: see wend_pathfinder_begin. */
wend_status wend_pathfinder_prepare(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                    const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts);
/* After the beginning: the search passes its goals by. So `partial` finds the place nearest to a goal that no place fits. */
void wend_pathfinder_miss_goals(wend_search *s);
/* Prepares a search from all roots that continues until the queue is empty. region: a part of a grid; NULL: the whole map. */
wend_status wend_pathfinder_begin_flood(wend_search *s, wend_map *map, const wend_region *region, bool back,
                                        const wend_root *roots, uint32_t root_count, const wend_search_opts *opts);
/* Opens another place after the beginning, whose first step leads to a root that is closed. arc: of that root; on a grid not
 * used. */
void wend_pathfinder_enter(wend_search *s, uint32_t place, double value, uint32_t root, uint32_t arc);
/* Begins the same search again, from s->promises.starts. */
wend_status wend_pathfinder_begin_again(wend_search *s);
/* Finds the tables that the search uses again: they may lie elsewhere now. False: they are gone. */
bool wend_pathfinder_find_tables(wend_search *s);

#endif
