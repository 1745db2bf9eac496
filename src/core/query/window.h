/* SPDX-License-Identifier: MIT */
/* Windows: the square of cells around a goal of a field. The cells are copied into scratch memory of the search, with their own
 * margin. So a flood over a window costs the same on a map of any size.
 *
 *      . . . . . . . .        Windows A and B around two goals g. The box around them is copied. `inside` marks the
 *      . A A A . . . .        cells of the windows; the other cells of the box only matter as corners of diagonals.
 *      . A g A . B B B
 *      . A A A . B g B
 *      . . . . . B B B */
#ifndef WEND_WINDOW_H
#define WEND_WINDOW_H

#include "core/search/search.h"

/* The box around the windows of some goals. distance: the columns and rows of a window to each side of its goal. */
wend_region wend_window_box(const wend_grid *grid, const wend_id *goals, uint32_t goal_count, uint32_t distance);
/* Copies the windows of some goals into scratch memory number `slot` of a search. False: no memory. */
bool wend_window_open(wend_search *s, unsigned slot, const wend_grid *grid, const wend_id *goals, uint32_t goal_count,
                      uint32_t distance, wend_region *region);

#endif
