/* SPDX-License-Identifier: MIT */
/* Strong components, by Tarjan's algorithm with an own stack of calls.
 *
 *     visit(p): order(p) = low(p) = the next number; push p on the stack
 *       for each step from p to q
 *         if q was not visited:            visit(q); low(p) = the lesser of low(p) and low(q)
 *         if q is still on the stack:      low(p) = the lesser of low(p) and order(q)
 *       if low(p) = order(p): pop all down to p; they are a component
 *
 * An example: one-way edges a-b, b-c, c-b, c-d. The visits are a b c d. d has no step, so d is component 0. c has low 2, the
 * order of b, so c and b are component 1. a is component 2. */
#include "core/views/scc.h"

#include <string.h>

WEND_NO_FUSING

static void visit_place(wend_sccs *c, uint32_t place) {
  c->order[place] = c->low[place] = ++c->visited;
  c->next[place] = 0;
  c->calls[c->call_count++] = place;
  c->stack[c->stack_count++] = place;
}

/* Returns from the visit of a place, whose steps are all done. */
static void return_from_place(wend_sccs *c, uint32_t *component, uint32_t place) {
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
static void continue_visit(wend_sccs *c, const wend_sccs_map *map, uint32_t *component) {
  const uint32_t place = c->calls[c->call_count - 1];
  uint32_t to;
  while ((to = map->next(map->of, place, &c->next[place])) != WEND_NONE) {
    if (c->order[to] == 0) {
      visit_place(c, to);
      return;
    }
    if (component[to] == WEND_NONE && c->order[to] < c->low[place]) c->low[place] = c->order[to];
  }
  return_from_place(c, component, place);
}

bool wend_sccs_begin(wend_sccs *c, const wend_alloc *alloc, uint32_t place_count) {
  const wend_column columns[] = {WEND_COLUMN(c->order), WEND_COLUMN(c->low), WEND_COLUMN(c->next), WEND_COLUMN(c->calls),
                                 WEND_COLUMN(c->stack)};
  c->call_count = c->stack_count = c->visited = c->cleared = c->root = c->count = 0;
  return place_count <= c->capacity || wend_resize_columns(alloc, columns, 5, &c->capacity, place_count);
}

/* Clearing so many places, or so many steps of the loop, take about as long as one expansion. */
#define CLEARED_PER_WORK 64u
#define STEPS_PER_WORK 4u

bool wend_sccs_continue(wend_sccs *c, const wend_sccs_map *map, uint32_t *component, uint64_t *left) {
  for (; c->cleared<map->count && * left> 0; --*left)
    for (uint32_t k = 0; k < CLEARED_PER_WORK && c->cleared < map->count; k++, c->cleared++)
      c->order[c->cleared] = 0, component[c->cleared] = WEND_NONE;
  for (; *left > 0; --*left)
    for (uint32_t k = 0; k < STEPS_PER_WORK; k++) {
      if (c->call_count > 0) {
        continue_visit(c, map, component);
        continue;
      }
      if (c->root == map->count) return true;
      if (c->order[c->root] == 0 && map->has(map->of, c->root)) visit_place(c, c->root);
      c->root++;
    }
  return false;
}

void wend_sccs_free(wend_sccs *c, const wend_alloc *alloc) {
  WEND_FREE(alloc, c->order, c->capacity);
  WEND_FREE(alloc, c->low, c->capacity);
  WEND_FREE(alloc, c->next, c->capacity);
  WEND_FREE(alloc, c->calls, c->capacity);
  WEND_FREE(alloc, c->stack, c->capacity);
  memset(c, 0, sizeof *c);
}
