/* SPDX-License-Identifier: MIT */
/* Following a route: the next corner, and the bodies of a step. */
#ifndef WEND_CROWD_FOLLOW_H
#define WEND_CROWD_FOLLOW_H

#include "core/crowd/data.h"

/* Makes the bodies of all walkers, in the order of the index. Goes on to the next point of a route where it can be seen. */
void wend_follow_all(struct wend_crowd *crowd);
/* Computes the length of the route after the next point. */
void wend_follow_measure(wend_walker *walker);

/* Where a walker with a route goes: its next point. The last point is in `home`, so that the points, which are anywhere in
 * memory, are not read for most walkers. */
WEND_INLINE void wend_follow_aim(const wend_walker *walker, double *x, double *y) {
  *x = walker->home_x, *y = walker->home_y;
  if (walker->next + 1 < walker->point_count) {
    const double *p = walker->points + 2 * (size_t)walker->next;
    *x = p[0], *y = p[1];
  }
}

/* ---- ground.c */

/* What a straight way costs a walker, by its prices: for each cell that it crosses, the length times the price. */
typedef struct wend_ground {
  double cost;
  double dearest; /* the highest price of these cells; 0: the way has no length */
} wend_ground;

/* Finds out whether the open cells of the grid can differ. */
void wend_ground_ready(struct wend_crowd *crowd);
wend_ground wend_ground_of(const struct wend_crowd *crowd, const wend_walker *walker, double x1, double y1, double x2,
                           double y2);
/* Whether a walker has been in a jam for so long that dear ground does not matter any more. */
bool wend_ground_is_pressed(const wend_walker *walker);
/* The price of the cell at a point. */
double wend_ground_at(const struct wend_crowd *crowd, const wend_walker *walker, double x, double y);
/* Whether a walker may leave out its next point, as far as the ground is concerned: straight to the point after it costs no more
 * and crosses no dearer ground. There is a point after it. */
bool wend_ground_may_skip(const struct wend_crowd *crowd, const wend_walker *walker);
/* The highest price: that of ground that is closed for the agent. */
#define WEND_GROUND_CLOSED 1e6

#endif
