/* SPDX-License-Identifier: MIT */
/* The direct walk: walk.c. */
#ifndef WEND_WALK_H
#define WEND_WALK_H

#include "core/search/search.h"

/* Looks for the walk over a grid. OK: it is the resulting path. RUNNING: there is none. NO_MEMORY. */
wend_status wend_find_walk(wend_search *s, const wend_end *start, const wend_end *goal);

#endif
