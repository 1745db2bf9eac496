/* SPDX-License-Identifier: MIT */
/* Positions that do not overlap. */
#ifndef WEND_CROWD_SEPARATE_H
#define WEND_CROWD_SEPARATE_H

#include "core/crowd/data.h"

/* Pushes bodies apart and out of walls. What is then still too deep goes back to where it was before the step. */
void wend_separate_all(struct wend_crowd *crowd);

#endif
