/* SPDX-License-Identifier: MIT */
/* Following a route: the next corner, and the bodies of a step. */
#ifndef WEND_CROWD_FOLLOW_H
#define WEND_CROWD_FOLLOW_H

#include "core/crowd/data.h"

/* Makes the bodies of all walkers, in the order of the index. Goes on to the next point of a route where it can be seen. */
void wend_follow_all(struct wend_crowd *crowd);
/* Computes the length of the route after the next point. */
void wend_follow_measure(wend_walker *walker);

#endif
