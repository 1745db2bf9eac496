/* SPDX-License-Identifier: MIT */
/* Orders for many walkers at once, and making a crowd of a file. wend.h has the public functions. */
#ifndef WEND_CROWD_CROWD_H
#define WEND_CROWD_CROWD_H

#include "core/crowd/data.h"

/* Makes room for routes of point_count points for some walkers, which exist. The same number of calls of wend_crowd_go then
 * cannot fail. False: no memory. */
bool wend_crowd_reserve(wend_crowd *crowd, const wend_id *ids, uint32_t count, uint32_t point_count);

/* Sets what decides ties, before the first step. */
void wend_crowd_set_seed(struct wend_crowd *crowd, uint64_t seed);
/* Makes room for `count` walkers in all. False: no memory. */
bool wend_crowd_make_room(wend_crowd *crowd, uint32_t count);
/* Gives a walker that was read from a file its goal, the last of its points. False: no memory. */
bool wend_crowd_give_goal(wend_crowd *crowd, wend_walker *walker);

#endif
