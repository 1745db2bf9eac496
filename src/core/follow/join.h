/* SPDX-License-Identifier: MIT */
/* How a follower joins new points: see join.c. */
#ifndef WEND_FOLLOW_JOIN_H
#define WEND_FOLLOW_JOIN_H

#include "core/follow/data.h"

/* The slot of a new track that the follower joins. It goes from its position to the end of the leg there; 1: to the first point.
 * *left: the part of the next leg, from its end, that is left; or -1. direction: of length 1; NULL: it has none. It may leave by
 * longjmp. */
uint32_t wend_follower_join(const wend_follower *f, const wend_track *track, const double *direction, double *left);

#endif
