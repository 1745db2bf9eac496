/* SPDX-License-Identifier: MIT */
/* What comes after the kernel has run: trace.c. */
#ifndef WEND_TRACE_H
#define WEND_TRACE_H

#include "core/search/search.h"

/* Begins to store the path to a place; and goes on: follows parents from s->traced on, and appends the places to the path, which is
 * turned around at the end. Steps over cells that go on in one direction become one leg. *left: how many places it may visit;
 * subtracts the visited ones. RUNNING, OK, NO_MEMORY. */
void wend_pathfinder_begin_trace(wend_search *s, uint32_t place);
wend_status wend_pathfinder_follow_parents(wend_search *s, uint64_t *left);
/* The goal with the least cost, then the fewest edges, then the smallest id. */
uint32_t wend_pathfinder_best_goal(const wend_search *s);
/* Stores the path to a place, and its cost, as the result. */
wend_status wend_pathfinder_take_path(wend_search *s, uint32_t place);
/* The same for the nearest place of a search with `partial` that has ended. NO_MEMORY. */
wend_status wend_pathfinder_take_nearest(wend_search *s);
/* The cost of the result without the costs at its ends, summed again in the order of travel. NaN: a cost is invalid. */
double wend_pathfinder_sum(wend_search *s);
/* The same over a grid alone. */
double wend_pathfinder_sum_cells(wend_search *s);
/* The direction from one cell to another in its row, column or diagonal; -1: they lie in none, or a portal joins them. */
int wend_leg_direction(const wend_grid *grid, wend_id from, wend_id to);
/* Keeps the corners of a list of cells. Returns how many. */
uint32_t wend_keep_corners(const wend_grid *grid, wend_id *cells, uint32_t length);
/* Ends a search whose path is stored, if it has one. Returns the status that the caller gets. */
wend_status wend_pathfinder_end(wend_search *s, wend_status status);
/* Ends a search. Returns the status that the caller gets, and for WEND_OK stores the path as the result. */
wend_status wend_pathfinder_finish(wend_search *s, wend_status status);

#endif
