/* SPDX-License-Identifier: MIT */
/* The open steps of a map as one list, sorted by the place that they leave. Checks walk over this list, so that each step is
 * asked for only once, and the edge function is called only here.
 *
 *     1 ---> 2 <---> 3        place      1  2    3  end
 *     ^              |        first      0  1    2  4
 *     +--------------+        arcs       2  3    2 1
 *
 * Places that nobody can enter, or that this agent cannot enter, take no part: see wend_arc_list_gather. */
#ifndef WEND_ARC_LIST_H
#define WEND_ARC_LIST_H

#include "core/cost/step.h"

/* An open step, as it is stored at the place that it leaves. */
typedef struct wend_open_arc {
  uint32_t to;  /* a place */
  uint32_t via; /* of a graph: the arc; of a grid: the index of the portal in grid->out, or WEND_NONE for a step */
  bool allowed; /* the tag of the step is in the list `allowed` */
} wend_open_arc;

typedef struct wend_arc_list {
  wend_alloc alloc;
  uint32_t count;  /* of places */
  uint32_t *first; /* by place: the index of its first arc; the next place's is the end */
  uint8_t *there;  /* by place: 1: it takes part; 0: it is closed, removed or outside */
  uint32_t capacity;
  wend_open_arc *list;
  uint32_t list_capacity, list_count;
  uint32_t *stack; /* for cells that only an edge function opens */
  uint32_t stack_capacity;
} wend_arc_list;

/* Lists the open steps of a map at an agent's costs. Steps from a place to itself are left out. The steps of a cell come in
 * the order of directions, its portals after them. The object may hold an earlier list. allowed: by tag, or NULL. A callback
 * may leave by longjmp. OK, NO_MEMORY. ABORTED: the edge function returned a negative number or NaN. */
wend_status wend_arc_list_gather(wend_arc_list *arcs, wend_map *map, const wend_costs *costs, const uint8_t *allowed);
/* Frees the arrays. */
void wend_arc_list_free(wend_arc_list *arcs);

/* Nodes are listed in the order of their slots, cells in reading order. The place at a position of this order; WEND_NONE: the
 * slot has no node. */
static inline uint32_t wend_listed_place(const wend_map *map, uint32_t i) {
  return map->is_grid ? i : ((const wend_graph *)map)->nodes.value[i];
}

/* The number of positions in this order. */
static inline uint32_t wend_listed_count(const wend_arc_list *arcs, const wend_map *map) {
  return map->is_grid ? arcs->count : ((const wend_graph *)map)->nodes.count;
}

/* The id of the node or cell at a place. */
wend_id wend_listed_id(const wend_map *map, uint32_t place);

#endif
