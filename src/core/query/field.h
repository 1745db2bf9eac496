/* SPDX-License-Identifier: MIT */
/* Fields: a search from the goals that goes on until nothing is left (E. W. Dijkstra, 1959), and what it left behind.
 *
 *   values   what it costs; a number where something leads on (or a goal is), else infinite. Grids: by place of the
 *            grid, or of the window. Graphs: by slot, since places move with edits.
 *   ways     grids: the direction of the step to take, or NO_WAY, or PORTAL_WAY, and then `portal_steps` has it
 *   closed   a bit for each value: whoever stands there may leave, but nobody can enter
 *   next     graphs: the slot to go to, with the edge that leads there; and the generation of each node
 *
 * After arithmetic the values lead nowhere: relaxing makes them a field again. */
#ifndef WEND_FIELD_H
#define WEND_FIELD_H

#include "core/map/neighbours.h"

/* What a link leads to, back to front. */
typedef struct wend_portal_step {
  uint32_t place, parent;
} wend_portal_step;

struct wend_field {
  wend_alloc alloc;
  wend_map *map;    /* to compare with; NULL: empty */
  uint64_t version; /* of the map */
  double *values;
  uint32_t values_capacity, count; /* count: of values */
  uint8_t *closed, *closed_next; /* the second is being filled: where that fails, the first stays as it is */
  uint32_t closed_capacity, closed_next_capacity;
  bool outward, altered;
  wend_tag_cost *tags; /* what the agent made of them when it was made; none where tag_count is 0 */
  uint32_t tags_capacity, tag_count;
  bool asked; /* an edge function had its say in what steps cost */

  /* Of graphs. */
  uint32_t *next, *generations;
  wend_id *edges;
  uint32_t next_capacity, generations_capacity, edges_capacity;

  /* Of grids. */
  uint8_t *ways;
  wend_portal_step *portal_steps; /* by place */
  uint32_t ways_capacity, portal_steps_capacity, portal_step_count;
  uint32_t grid_width; /* 0: it is of a graph */
  wend_region region;      /* only its measures */
  uint32_t window;     /* 0: all of the grid */
  wend_id *goals;      /* that the window is around */
  uint32_t goals_capacity, goal_count;
};

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

/* Looks up in the map which of the values are of what is closed: for fields that come out of a file. NO_MEMORY. */
wend_status wend_field_find_closed(wend_field *field, wend_map *map);

#endif
