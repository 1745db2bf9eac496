/* SPDX-License-Identifier: MIT */
/* Fields over plain cells, those of weights and tags alone: the search of search.c, with nothing in it that they do not
 * need. A value is all that is known of a cell: INFINITY, until something leads there. */
#ifndef WEND_FLOOD_H
#define WEND_FLOOD_H

#include "core/search/search.h"

/* Of ways: the cell waits in the open list, or was put there again. */
#define WAY_OPEN 0x80u

/* From s->roots, over the view's cells: into a value and the direction to the parent for each place; and into bits of closed, by place, all 0 before: it
 * has a value, and cannot be entered. The values of a `rooted` flood are those of its roots before; otherwise they are set here. OK, BUDGET, NO_MEMORY, or RUNNING: buckets do
 * not suit these costs, and it was given up. */
wend_status wend_flood(wend_search *s, wend_grid *grid, const wend_region *region, const wend_agent_view *agent, bool back,
                       bool rooted, const wend_search_opts *opts, double *values, uint8_t *ways, uint8_t *closed);

#endif
