/* SPDX-License-Identifier: MIT */
/* Strong components: sets of places that reach each other. By Tarjan's algorithm with an own stack of calls.
 *
 *     visit(p): order(p) = low(p) = the next number; push p on the stack
 *       for each step from p to q
 *         if q was not visited:            visit(q); low(p) = the lesser of low(p) and low(q)
 *         if q is still on the stack:      low(p) = the lesser of low(p) and order(q)
 *       if low(p) = order(p): pop all down to p; they are a component
 *
 * An example: one-way edges a-b, b-c, c-b, c-d. The visits are a b c d. d has no step, so d is component 0. c has low 2, the
 * order of b, so c and b are component 1. a is component 2. */
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

/* Whether a map has a place. */
typedef bool (*wend_sccs_has_fn)(const void *of, uint32_t place);
/* The place that the next step of a place leads to; WEND_NONE: there is no other. *at: 0 for the first step; it is moved on. */
typedef uint32_t (*wend_sccs_next_fn)(const void *of, uint32_t place, uint32_t *at);

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
/* Frees its memory, and clears it. */
void wend_sccs_free(wend_sccs *c, const wend_alloc *alloc);

/* ---- The walk: here, so that it becomes one loop with the functions of the map -------------------------------- */

WEND_INLINE void wend_sccs_visit(wend_sccs *c, uint32_t place) {
  c->order[place] = c->low[place] = ++c->visited;
  c->next[place] = 0;
  c->calls[c->call_count++] = place;
  c->stack[c->stack_count++] = place;
}

/* Returns from the visit of a place, whose steps are all done. */
WEND_INLINE void wend_sccs_return(wend_sccs *c, uint32_t *component, uint32_t place) {
  uint32_t popped;
  c->call_count--;
  if (c->call_count > 0) {
    const uint32_t before = c->calls[c->call_count - 1];
    if (c->low[place] < c->low[before]) c->low[before] = c->low[place];
  }
  if (c->low[place] != c->order[place]) return;
  do {
    popped = c->stack[--c->stack_count];
    component[popped] = c->count;
  } while (popped != place);
  c->count++;
}

/* Continues the visit that was begun last: up to the next one inside it, or to its end. */
WEND_INLINE void wend_sccs_go_on(wend_sccs *c, const void *of, wend_sccs_next_fn next, uint32_t *component) {
  const uint32_t place = c->calls[c->call_count - 1];
  uint32_t at = c->next[place], low = c->low[place], to;
  while ((to = next(of, place, &at)) != WEND_NONE && c->order[to] != 0)
    if (component[to] == WEND_NONE && c->order[to] < low) low = c->order[to];
  c->next[place] = at, c->low[place] = low;
  if (to != WEND_NONE) {
    wend_sccs_visit(c, to);
    return;
  }
  wend_sccs_return(c, component, place);
}

/* Clearing so many places, or so many steps of the loop, take about as long as one expansion. */
#define SCCS_CLEARED_PER_WORK 64u
#define SCCS_STEPS_PER_WORK 4u

/* Continues. The map is the same for each call: it has places up to `count`, and `of` is passed to its functions.
 *   component     the result, by place; WEND_NONE for places that the map has not
 *   left          the work that may be done, in expansions; subtracts what was done
 * False: it is not finished. */
WEND_INLINE bool wend_sccs_continue(wend_sccs *c, const void *of, uint32_t count, wend_sccs_has_fn has, wend_sccs_next_fn next,
                                    uint32_t *component, uint64_t *left) {
  for (; c->cleared != count && *left > 0; --*left)
    for (uint32_t k = 0; k < SCCS_CLEARED_PER_WORK && c->cleared < count; k++, c->cleared++)
      c->order[c->cleared] = 0, component[c->cleared] = WEND_NONE;
  for (; *left > 0; --*left)
    for (uint32_t k = 0; k < SCCS_STEPS_PER_WORK; k++) {
      if (c->call_count > 0) {
        wend_sccs_go_on(c, of, next, component);
        continue;
      }
      if (c->root == count) return true;
      if (c->order[c->root] == 0 && has(of, c->root)) wend_sccs_visit(c, c->root);
      c->root++;
    }
  return false;
}

#endif
