/* SPDX-License-Identifier: MIT */
/* Floods: searches without a goal, which continue until the queue is empty. For fields, routes and route tables. */
#ifndef WEND_FLOOD_H
#define WEND_FLOOD_H

#include "core/search/pathfinder.h"

/* Floods from all roots with the kernel. The result is in the marks. opts: the costs and the limits. back: against
 * the direction of travel. region: a part of a grid; NULL: the whole map. A root that a cheaper root reaches at its own cost or
 * less is no longer a start: it gets a parent. OK, NO_MEMORY, ABORTED, BUDGET. */
wend_status wend_flood(wend_search *s, wend_map *map, const wend_region *region, bool back, const wend_root *roots,
                       uint32_t root_count, const wend_search_opts *opts);

/* A flag of `ways` during the flood: the cell is in the queue. */
#define WAY_OPEN 0x80u

/* The result of wend_flood_cells, by place of the region. */
typedef struct wend_flooded {
  double *values;  /* the cost; INFINITY: not reached; -INFINITY: outside the region */
  uint8_t *ways;   /* the direction to the parent, or NO_WAY */
  uint8_t *closed; /* a bit for each place: it has a value, and cannot be entered. The caller clears the bits before. */
} wend_flooded;

/* The same for cells where weights and tags alone decide the costs (wend_grid_is_plain). It has its own loop, which is faster
 * than the kernel, because it stores only a value and a direction for each cell. rooted: the values of the roots are in
 * result->values already; otherwise they are set here.
 * OK, BUDGET, NO_MEMORY. RUNNING: it stopped because buckets do not suit these costs; use wend_flood. */
wend_status wend_flood_cells(wend_search *s, const wend_grid *grid, const wend_region *region, bool back,
                             const wend_root *roots, uint32_t root_count, bool rooted, const wend_search_opts *opts,
                             const wend_flooded *result);

#endif
