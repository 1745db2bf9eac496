/* SPDX-License-Identifier: MIT */
/* Whether cells of a grid see each other: wend_grid_sees, and the same for many cells and goals.
 *
 * A wall that hides a goal from one place hides it from most places in that direction, too. So for each direction from a goal,
 * the closed cell that was found last is kept. Of the next line, the cells in its column and in its row are tried first. The
 * whole line is walked only if these are open.
 *
 *        p . . # . . .        The line from p to g was blocked at b. The line from q comes to the column of b, too, at c,
 *        q . . c . . .        which is closed.
 *        . . . b . . g                                                                  */
#ifndef WEND_SIGHT_H
#define WEND_SIGHT_H

#include "core/cost/step.h"

/* A cell that has hidden a goal. It may be any cell, also of another grid: what the line comes to now is tested. */
typedef struct wend_blind {
  uint32_t x, y;
} wend_blind;

/* So many directions from each goal. */
#define WEND_BLIND_DIRECTIONS 256u

/* wend_grid_sees, for two places. blinds: of the goal, WEND_BLIND_DIRECTIONS of them, which it changes. *quick: the line was not
 * walked. */
bool wend_grid_sees_past(const wend_grid *grid, uint32_t from, uint32_t goal, wend_blind *blinds, bool *quick);

#endif
