/* SPDX-License-Identifier: MIT */
/* The parts of a step, in their order. Each is a file of its own. */
#ifndef WEND_CROWD_STEP_H
#define WEND_CROWD_STEP_H

#include "core/crowd/data.h"

/* ---- follow.c: the next corner of a route, and the bodies of a step ---- */

/* Makes the bodies of all walkers, in the order of the index. Goes on to the next point of a route where it can be seen. */
void wend_follow_all(struct wend_crowd *crowd);
/* Chooses the point of a new route to which a walker goes first: the farthest that it sees. On a route that others are in the way
 * of (close), and without solids, the end of the nearest leg. plan: the route is a shortest way. wend_solid_ready came first. */
void wend_follow_begin(struct wend_crowd *crowd, wend_walker *walker, bool plan, bool close);
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

/* ---- avoid.c ---- */

/* Computes where each body goes, as if it were alone from here on, and lists the pairs that might touch. False: no memory. */
bool wend_avoid_all(struct wend_crowd *crowd);

/* ---- separate.c ---- */

/* Pushes bodies apart and out of walls. What is then still too deep goes back to where it was before the step. */
void wend_separate_all(struct wend_crowd *crowd);

/* ---- arrive.c ---- */

/* Writes the results of a step back to the walkers, and lists events. */
void wend_arrive_all(struct wend_crowd *crowd);

#endif
