/* SPDX-License-Identifier: MIT */
/* Floods: searches without a goal, which go on until nothing is left. For fields, routes and route tables. */
#ifndef WEND_FLOOD_H
#define WEND_FLOOD_H

#include "core/search/pathfinder.h"

/* From all roots, with the kernel: it leaves its marks behind. Costs and budget are those of opts. region: of a grid; NULL: all
 * of the map. Roots may lead on to each other. OK, NO_MEMORY, ABORTED, BUDGET. */
wend_status wend_flood(wend_search *s, wend_map *map, const wend_region *region, bool back, const wend_root *roots,
                       uint32_t root_count, const wend_search_opts *opts);

/* A bit of `ways`: the cell waits in the queue, or was put there again. */
#define WAY_OPEN 0x80u

/* What a flood over cells leaves behind, by place of the region. */
typedef struct wend_flooded {
  double *values;  /* the cost; INFINITY: nothing leads there */
  uint8_t *ways;   /* the direction to the parent, or NO_WAY */
  uint8_t *closed; /* a bit for each place, all 0 before: it has a value, and cannot be entered */
} wend_flooded;

/* The same over cells whose costs are weights and tags alone (wend_grid_is_plain), in a loop of its own with nothing in it that
 * they do not need: a value is all that is known of a cell. rooted: the values are those of the roots already; otherwise they
 * are set here. OK, BUDGET, NO_MEMORY, or RUNNING: buckets do not suit these costs, and it was given up. */
wend_status wend_flood_cells(wend_search *s, const wend_grid *grid, const wend_region *region, bool back,
                             const wend_root *roots, uint32_t root_count, bool rooted, const wend_search_opts *opts,
                             const wend_flooded *result);

#endif
