/* SPDX-License-Identifier: MIT */
/* Fields: for each cell or node, the cost of the cheapest path to a goal, and its first step. A field is the result of one
 * backward search from all goals: E. W. Dijkstra, "A note on two problems in connexion with graphs" (1959). A field that is
 * `outward` is the result of a forward search: costs from the goals.
 *
 *   values   the cost; INFINITY: no goal is reached. Grids: by place of the grid, or of the window. Graphs: by slot,
 *            because the places of a graph change with edits
 *   ways     grids: the direction of the first step; NO_WAY: a goal; PORTAL_WAY: the step is in `portal_steps`
 *   next     graphs: the slot that the first step leads to. `edges` has the edge of the step, `generations` the
 *            generation of each node, so that a reused slot is not mistaken for the old node
 *   closed   a bit for each value: an agent may start there, but cannot enter
 *
 * An example: a row of cells a .. d of weight 1, the only goal is b, and d is closed.
 *
 *   cell     a  b  c  d
 *   value    1  0  1  2        d is closed, but a path may start there: one step onto c, one onto b
 *   way      E  -  W  W        - is NO_WAY
 *   closed   0  0  0  1
 *
 * The invariant: following `ways` or `next` always ends at a goal. Arithmetic breaks it (`altered`) until relaxation. */
#ifndef WEND_FIELD_H
#define WEND_FIELD_H

#include "core/map/neighbours.h"
#include "core/search/search.h"

/* The step from a place through a portal to its parent. */
typedef struct wend_portal_step {
  uint32_t place, parent;
} wend_portal_step;

/* A layer that costs of a field have. */
typedef struct wend_field_layer {
  uint64_t serial, noted; /* serial: 0: there is no layer; noted: the cursor in its journal */
  double factor;
} wend_field_layer;

struct wend_field {
  wend_alloc alloc;
  uint64_t serial;  /* of the map; 0: the field is empty */
  uint64_t version; /* of the map */
  double *values;
  uint32_t values_capacity, count; /* count: the number of values */
  uint8_t *closed, *closed_next;   /* new bits are written to the second; the two are exchanged once nothing can fail */
  uint32_t closed_capacity, closed_next_capacity;
  bool outward, altered;
  bool making;         /* wend_field_begin has begun it: it is empty until the last slice */
  wend_tag_cost *tags; /* the agent's costs of tags; tag_count 0: the costs are the weights */
  uint32_t tags_capacity, tag_count;
  wend_field_layer *layers;
  uint32_t layers_capacity, layer_count;
  bool asked;       /* an edge function or layers decided costs */
  double size;      /* of the agent: wend_costs.size */
  bool passing;     /* some tag is pass_only */
  wend_turns turns; /* with per_turn, the values are in turns */
  wend_noise noise; /* most > 0: the values are costs in the world of a seed. Without the factors that a search knows */

  /* What it was made with, for wend_field_update. */
  wend_id *goals;
  double *starts; /* the values of the goals; none: all 0 */
  uint32_t goals_capacity, starts_capacity, goal_count, start_count;
  wend_field_opts given; /* without the costs */
  bool known;            /* not of a field from a file, nor after arithmetic */

  /* Of graphs. */
  uint32_t *next, *generations;
  wend_id *edges;
  uint32_t next_capacity, generations_capacity, edges_capacity;
  bool level;  /* some step adds nothing to a value */
  bool listed; /* `ways` has PORTAL_WAY for each node with a way, and NO_WAY for the others: wend_field_update needs it */

  /* Of grids. */
  uint8_t *ways;
  wend_portal_step *portal_steps; /* sorted by place */
  uint32_t ways_capacity, portal_steps_capacity, portal_step_count;
  uint32_t grid_width; /* 0: the field is of a graph */
  wend_region region;  /* only its size and position; the pointers are not used */
  uint32_t window;     /* columns and rows around each goal; 0: all of the grid */
  bool exact;          /* values and ways are those that flood.c and mend.c describe, of a whole grid: edits can be mended */
  uint64_t noted;      /* then: the cursor in the journal of the grid */
};

/* Whether paths can be followed in it, unless arithmetic has changed it: wend_field_leads. */
static inline bool wend_field_has_paths(const wend_field *field) { return !(field->turns.per_turn > 0) || !field->asked; }

/* Whether the cell or node of value number i is reached. */
static inline bool wend_field_is_reached(const wend_field *field, uint32_t i) {
  return field->values[i] > -INFINITY && field->values[i] < INFINITY;
}

/* Whether an agent may start from a value's place but not go there. */
static inline bool wend_field_is_closed(const wend_field *field, uint32_t i) {
  return (field->closed[i / 8] >> i % 8 & 1) != 0;
}

/* The id of the node or cell of value number i. */
static inline wend_id wend_field_id_at(const wend_field *field, uint32_t i) {
  if (field->grid_width > 0)
    return (wend_id)(wend_region_y(&field->region, i) + field->region.top) * field->grid_width +
           wend_region_x(&field->region, i) + field->region.left + 1;
  return ((wend_id)field->generations[i] << 32) + i + 1;
}

/* The parent of value number i, whose way is PORTAL_WAY. */
uint32_t wend_field_portal(const wend_field *field, uint32_t i);

/* The parent of value number i, that is, the value that its first step leads to; WEND_NONE: it is a goal. */
static inline uint32_t wend_field_parent(const wend_field *field, uint32_t i) {
  unsigned way;
  if (field->grid_width == 0) return field->next[i];
  way = field->ways[i];
  if (way < 8) return (uint32_t)(i + wend_offset(field->region.stride, (int)way));
  return way == NO_WAY ? WEND_NONE : wend_field_portal(field, i);
}

/* Whether a node or cell is reached, and was not closed when the field was made: wend_field_each goes over these. */
bool wend_field_has(const wend_field *field, wend_id at);

/* Makes room for all that wend_field_make needs, so that it will not allocate. It leaves the field empty. NO_MEMORY. */
wend_status wend_field_reserve(wend_field *field, wend_search *search, wend_map *map, const wend_id *goals, uint32_t goal_count,
                               const wend_field_opts *opts);
/* Computes `closed` from the map, for a field that was read from a file. NO_MEMORY. */
wend_status wend_field_find_closed(wend_field *field, wend_map *map);

#endif
