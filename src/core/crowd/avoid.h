/* SPDX-License-Identifier: MIT */
/* The velocities that keep walkers apart. */
#ifndef WEND_CROWD_AVOID_H
#define WEND_CROWD_AVOID_H

#include "core/crowd/data.h"

/* Computes where each body goes, as if it were alone from here on, and lists the pairs that might touch. False: no memory. */
bool wend_avoid_all(struct wend_crowd *crowd);

#endif
