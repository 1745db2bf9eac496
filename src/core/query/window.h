/* SPDX-License-Identifier: MIT */
/* Windows: the part of a grid that is at most so many columns and rows from a goal of a field. The cells are copied into memory
 * of the search, with a margin of their own, so that a flood over a window costs the same on a map of any size.
 *
 *      . . . . . . . .        Of several windows the box around them is copied, and `inside` tells what is in one of
 *      . A A A . . . .        them: the rest only counts for corners.
 *      . A g A . B B B
 *      . A A A . B g B
 *      . . . . . B B B */
#ifndef WEND_WINDOW_H
#define WEND_WINDOW_H

#include "core/search/search.h"

/* The box around the windows of some goals; distance: columns and rows from a goal. */
wend_region wend_window_box(const wend_grid *grid, const wend_id *goals, uint32_t goal_count, uint32_t distance);
/* Copies the windows of some goals into scratch memory number `slot` of a search. False: no memory. */
bool wend_window_open(wend_search *s, unsigned slot, const wend_grid *grid, const wend_id *goals, uint32_t goal_count,
                      uint32_t distance, wend_region *region);

#endif
