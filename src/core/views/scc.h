/* SPDX-License-Identifier: MIT */
/* Strong components: sets of places that reach each other. */
#ifndef WEND_SCC_H
#define WEND_SCC_H

#include "core/map/graph_store.h"

/* A set of tags, as bits. Tags past the last word are not in it. */
typedef struct wend_tag_set {
  uint64_t *words;
  uint32_t capacity, count; /* words allocated, words in use */
} wend_tag_set;

static inline bool wend_tag_set_has(const wend_tag_set *set, uint32_t tag) {
  return tag / 64 < set->count && (set->words[tag / 64] >> tag % 64 & 1) != 0;
}

/* Whether a place is that of an open node. */
static inline bool wend_place_is_open(const wend_graph *graph, uint32_t place) {
  return graph->slot_of[place] != WEND_NONE && (graph->flags[place] & PLACE_CLOSED) == 0;
}

/* The places and steps among which components are found. `of` is passed to the functions. */
typedef struct wend_sccs_map {
  const void *of;
  uint32_t count; /* of places */
  bool (*has)(const void *of, uint32_t place);
  /* The place that the next step of a place leads to; WEND_NONE: there is no other. *at: 0 for the first step; it is moved on. */
  uint32_t (*next)(const void *of, uint32_t place, uint32_t *at);
} wend_sccs_map;

/* Strong components that are being found. */
typedef struct wend_sccs {
  uint32_t *order, *low; /* by place; order 0: not visited */
  uint32_t *next;        /* by place: the next step */
  uint32_t *calls, *stack;
  uint32_t capacity, call_count, stack_count, visited;
  uint32_t cleared, root; /* the first places are cleared; visits have begun from the first */
  uint32_t count;         /* of components */
} wend_sccs;

/* Begins to number the strong components of the places, 0, 1, ... A component is numbered after all others that it reaches.
 * Linear in places and steps. R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion. It keeps the
 * memory of the time before. False: no memory. */
bool wend_sccs_begin(wend_sccs *c, const wend_alloc *alloc, uint32_t place_count);
/* Continues. The map is the same for each call.
 *   component     the result, by place; WEND_NONE for places that the map has not
 *   left          the work that may be done, in expansions; subtracts what was done
 * False: it is not finished. */
bool wend_sccs_continue(wend_sccs *c, const wend_sccs_map *map, uint32_t *component, uint64_t *left);
/* Frees its memory, and clears it. */
void wend_sccs_free(wend_sccs *c, const wend_alloc *alloc);

#endif
