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

#endif
