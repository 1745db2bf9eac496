/* SPDX-License-Identifier: MIT */
/* Windows: the squares of cells around the goals of a field. The cells are copied into scratch memory of the search, with their
 * own margin. So a flood over a window costs the same on a map of any size.
 *
 *      0 1 2 3 4 5 6 7
 *    0 . . . . . . . .        Two goals g at (2,2) and (6,3) of a grid 8 wide and 5 high, with windows A and B of distance 1.
 *    1 . A A A + + + +        The box around both windows is copied: 7 columns from x 1, 4 rows from y 1. `inside` marks the
 *    2 . A g A + B B B        cells of the windows. The cells + of the box do not take part; they only matter as corners of
 *    3 . A A A + B g B        diagonals.
 *    4 . + + + + B B B
 *
 * Places in the copy are those of a grid 7 wide: its stride is 8. The goal at (2,2) is the cell (1,1) of the box, at the place
 * (1 + 1) x 8 + 1 + 1 = 18. In the grid, whose stride is 9, its place is (2 + 1) x 9 + 2 + 1 = 30. */
#ifndef WEND_WINDOW_H
#define WEND_WINDOW_H

#include "core/search/search.h"

/* The box around the windows of some goals, goal_count >= 1. distance: the columns and rows of a window to each side of its
 * goal. Only the size and the position of the result are of use: its pointers are those of the grid, which has another
 * stride. */
wend_region wend_window_box(const wend_grid *grid, const wend_id *goals, uint32_t goal_count, uint32_t distance);
/* Copies the windows of some goals into scratch memory number `slot` of a search, and describes the copy in *region. *inside: by place,
 * 0: outside of all windows; NULL: only the margin is. False: no memory. */
bool wend_window_open(wend_search *s, unsigned slot, const wend_grid *grid, const wend_id *goals, uint32_t goal_count,
                      uint32_t distance, wend_region *region, const uint8_t **inside);

#endif
