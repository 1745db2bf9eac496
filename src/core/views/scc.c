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

typedef struct condensing {
  const wend_graph *graph;
  const wend_tag_set *closed;
  uint32_t *component;
  uint32_t *order, *low; /* by place; order 0: not visited */
  uint32_t *next;        /* by place: the next arc */
  uint32_t *calls, *stack;
  uint32_t capacity, call_count, stack_count, visited, count;
} condensing;

static void visit_node(condensing *c, uint32_t place) {
  c->order[place] = c->low[place] = ++c->visited;
  c->next[place] = c->graph->out[place].first;
  c->calls[c->call_count++] = place;
  c->stack[c->stack_count++] = place;
}

/* Returns from the visit of a place, whose steps are all done. */
static void return_from_node(condensing *c, uint32_t place) {
  uint32_t popped;
  c->call_count--;
  if (c->call_count > 0) {
    const uint32_t before = c->calls[c->call_count - 1];
    if (c->low[place] < c->low[before]) c->low[before] = c->low[place];
  }
  if (c->low[place] != c->order[place]) return;
  do {
    popped = c->stack[--c->stack_count];
    c->component[popped] = c->count;
  } while (popped != place);
  c->count++;
}

/* Visits all that can be reached from a place. */
static void visit_from(condensing *c, uint32_t root) {
  const wend_graph *graph = c->graph;
  visit_node(c, root);
  while (c->call_count > 0) {
    const uint32_t place = c->calls[c->call_count - 1], end = graph->out[place].end;
    uint32_t arc = c->next[place];
    bool deeper = false;
    while (arc < end && !deeper) {
      const uint32_t to = graph->arc_to[arc];
      const bool open = !wend_is_blocked(graph->arc_weight[arc]) && !wend_tag_set_has(c->closed, graph->arc_tag[arc]);
      arc++;
      if (!open) continue;
      if (c->order[to] == 0) {
        visit_node(c, to);
        deeper = true;
      } else if (c->component[to] == WEND_NONE && c->order[to] < c->low[place]) {
        c->low[place] = c->order[to];
      }
    }
    c->next[place] = arc;
    if (!deeper) return_from_node(c, place);
  }
}

bool wend_find_sccs(const wend_alloc *alloc, const wend_graph *graph, const wend_tag_set *closed, uint32_t *component,
                    uint32_t *count) {
  condensing c;
  memset(&c, 0, sizeof c);
  c.graph = graph, c.closed = closed, c.component = component;
  if (graph->place_count > 0) {
    const wend_column columns[] = {WEND_COLUMN(c.order), WEND_COLUMN(c.low), WEND_COLUMN(c.next), WEND_COLUMN(c.calls),
                                   WEND_COLUMN(c.stack)};
    if (!wend_resize_columns(alloc, columns, 5, &c.capacity, graph->place_count)) return false;
    memset(c.order, 0, graph->place_count * sizeof *c.order);
    for (uint32_t place = 0; place < graph->place_count; place++) component[place] = WEND_NONE;
    for (uint32_t place = 0; place < graph->place_count; place++)
      if (c.order[place] == 0 && wend_place_is_open(graph, place)) visit_from(&c, place);
    WEND_FREE(alloc, c.order, c.capacity);
    WEND_FREE(alloc, c.low, c.capacity);
    WEND_FREE(alloc, c.next, c.capacity);
    WEND_FREE(alloc, c.calls, c.capacity);
    WEND_FREE(alloc, c.stack, c.capacity);
  }
  *count = c.count;
  return true;
}
