/* SPDX-License-Identifier: MIT */
/* Fields: for each cell or node, what the cheapest way to a goal costs, and its first step. A field is the result of one
 * search from all goals: E. W. Dijkstra, "A note on two problems in connexion with graphs" (1959).
 *
 *   values   the cost; infinite where no goal is reached. Grids: by place of the grid, or of the window. Graphs: by
 *            slot, since places move with edits
 *   ways     grids: the direction of the first step; NO_WAY: there is none; PORTAL_WAY: it is in `portal_steps`
 *   next     graphs: the slot that the first step leads to; `edges` has its edge, `generations` those of the nodes
 *   closed   a bit for each value: an agent may start there, but cannot enter
 *
 * Following ways, or next, always ends at a goal. After arithmetic (altered), there are no steps until relaxation. */
#ifndef WEND_FIELD_H
#define WEND_FIELD_H

#include "core/map/neighbours.h"

/* A step by a portal, from `place` to `parent`. */
typedef struct wend_portal_step {
  uint32_t place, parent;
} wend_portal_step;

struct wend_field {
  wend_alloc alloc;
  wend_map *map;    /* only compared, never read; NULL: the field is empty */
  uint64_t version; /* of the map */
  double *values;
  uint32_t values_capacity, count; /* count: of values */
  uint8_t *closed, *closed_next; /* new bits go into the second; they are exchanged when nothing can fail any more */
  uint32_t closed_capacity, closed_next_capacity;
  bool outward, altered;
  wend_tag_cost *tags; /* what tags cost the agent; none where tag_count is 0 */
  uint32_t tags_capacity, tag_count;
  bool asked; /* an edge function decided costs */

  /* Of graphs. */
  uint32_t *next, *generations;
  wend_id *edges;
  uint32_t next_capacity, generations_capacity, edges_capacity;

  /* Of grids. */
  uint8_t *ways;
  wend_portal_step *portal_steps; /* by place */
  uint32_t ways_capacity, portal_steps_capacity, portal_step_count;
  uint32_t grid_width; /* 0: the field is of a graph */
  wend_region region;  /* only its measures */
  uint32_t window;     /* columns and rows around each goal; 0: all of the grid */
  wend_id *goals;      /* of a window */
  uint32_t goals_capacity, goal_count;
};

/* Whether a goal is reached from where a value is. */
static inline bool wend_field_is_reached(const wend_field *field, uint32_t i) {
  return field->values[i] > -INFINITY && field->values[i] < INFINITY;
}

/* Where a portal leads from a value whose way is PORTAL_WAY. */
uint32_t wend_field_portal(const wend_field *field, uint32_t i);

/* Where a value leads, WEND_NONE: it is a goal. */
static inline uint32_t wend_field_parent(const wend_field *field, uint32_t i) {
  unsigned way;
  if (field->grid_width == 0) return field->next[i];
  way = field->ways[i];
  if (way < 8) return (uint32_t)(i + wend_offset(field->region.stride, (int)way));
  return way == NO_WAY ? WEND_NONE : wend_field_portal(field, i);
}

/* Sets `closed` from the map, for a field that was read from a file. NO_MEMORY. */
wend_status wend_field_find_closed(wend_field *field, wend_map *map);

#endif
