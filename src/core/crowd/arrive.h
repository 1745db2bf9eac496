/* SPDX-License-Identifier: MIT */
/* The end of a step: positions are written back, and walkers arrive or report that they are stuck. */
#ifndef WEND_CROWD_ARRIVE_H
#define WEND_CROWD_ARRIVE_H

#include "core/crowd/data.h"

/* Writes the results of a step back to the walkers, and lists events. */
void wend_arrive_all(struct wend_crowd *crowd);

#endif
