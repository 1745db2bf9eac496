/* SPDX-License-Identifier: MIT */
/* Orders for many walkers at once. wend.h has the public functions. */
#ifndef WEND_CROWD_CROWD_H
#define WEND_CROWD_CROWD_H

#include "core/crowd/data.h"

/* Makes room for routes of point_count points for some walkers, which exist. The same number of calls of wend_crowd_go then
 * cannot fail. False: no memory. */
bool wend_crowd_reserve(wend_crowd *crowd, const wend_id *ids, uint32_t count, uint32_t point_count);

#endif
