/* SPDX-License-Identifier: MIT */
/* The direct walk: walk.c. */
#ifndef WEND_WALK_H
#define WEND_WALK_H

#include "core/search/search.h"

/* Looks for the walk over a grid. OK: it is the resulting path. RUNNING: there is none. NO_MEMORY. */
wend_status wend_find_walk(wend_search *s, const wend_end *start, const wend_end *goal);
/* The same before anything of the search is prepared. s->walk_tried: whether it has looked. OK: s->walked is set, and the search runs. */
wend_status wend_walk_first(wend_search *s, wend_map *map, const wend_end *start, const wend_end *goal,
                            const wend_search_opts *opts);
/* s->replaced is at most this, or no walk forward is known. */
#define WEND_REPLACED_MAX 3

#endif
