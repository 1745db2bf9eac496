/* SPDX-License-Identifier: MIT */
/* The search kernel: the loop that pops, expands and relaxes. kernel.c explains it. core/pathfinder prepares what it runs on. */
#ifndef WEND_KERNEL_H
#define WEND_KERNEL_H

#include "core/search/search.h"

/* Runs a prepared search until it has expanded `limit` nodes in all slices together.
 * RUNNING: the limit is reached, or the search has changed from buckets to the heap: call again. OK: the goals are settled.
 * NO_PATH: the queue is empty. ABORTED: a cost or an estimate is invalid (negative or NaN). NO_MEMORY. */
wend_status wend_kernel_run(wend_search *s, uint64_t limit);
/* Pushes a start with cost g and total estimate f, unless the place is a start of the same or lower cost already. The caller
 * has reserved room in the heap. */
void wend_kernel_open(wend_search *s, uint32_t place, double g, double f);
/* The cost at a goal, that is, from the goal on; 0 if the place is no goal. */
double wend_kernel_cost_beyond(const wend_search *s, uint32_t place);
/* The cost of a path that ends at a goal, where it costs g without what is beyond. */
double wend_kernel_beyond_goal(const wend_search *s, uint32_t place, double g);
/* Sets the blocks of a variation, of which `most` and `same` are set. large: the side of large blocks; 0: each edge is a block.
 * region: of a grid, which has the same blocks whatever part of it is searched. */
void wend_set_noise(wend_noise *noise, uint64_t seed, double large, const wend_region *region);
/* The factor of the blocks where a position lies, or where each edge is a block, of an edge. */
double wend_draw_factor(const wend_noise *noise, int dimensions, const double *p, wend_id edge);
/* The factor of the step onto a place by an arc; without variation it is 1. */
double wend_factor_onto(const wend_search *s, uint32_t place, uint32_t arc);
/* For the option `partial`: remembers a reached place if it is nearer to a goal than all before. */
void wend_kernel_note_nearest(wend_search *s, uint32_t place, double g, uint32_t parent);

#endif
