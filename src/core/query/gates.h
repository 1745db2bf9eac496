/* SPDX-License-Identifier: MIT */
/* A gate is where a route enters or leaves the graph: a node, or the nearest point of
 * an edge. Its ends are the nodes from which the search continues, or at which it arrives, with the cost between them and the
 * position outside.
 *
 * An example by edge. An edge of weight 10 joins A (0,0) and B (10,0). P is at (3,4), Q at (8,-1).
 *
 *              P
 *              .
 *        A ----+-----------+---- B
 *                          .
 *                          Q
 *
 *     the gate of P    at (3,0): distance 4, fraction 0.3. As an entry it has the ends A, at 4 + 0.3 x 10 = 7, and B, at
 *                      4 + 0.7 x 10 = 11. So a route from P over B costs 11 + the cost of the rest from B
 *     the gate of Q    at (8,0): distance 1, fraction 0.8
 *     from P to Q      along the edge: 4 + (0.8 - 0.3) x 10 + 1 = 10
 *
 * If the edge is directed from A to B, the entry of P has only the end B, at 11: nothing leads back to A. As an exit, the gate
 * of P has only the end A, at 7. The route from P to Q still costs 10. A route from Q to P leaves the edge at B, and must
 * return to A by other edges. */
#ifndef WEND_GATES_H
#define WEND_GATES_H

#include "core/query/routing.h"

WEND_INLINE bool wend_same_point(const wend_graph *graph, const double *a, const double *b) {
  for (int d = 0; d < graph->dimensions; d++)
    if (a[d] != b[d]) return false;
  return true;
}

/* A fraction of a cost; 0 for no part of an edge, even if the edge is closed. */
WEND_INLINE double wend_part_of(double fraction, double cost) { return fraction > 0 ? fraction * cost : 0; }

/* Whether a route can use a gate: it has an open end or edge, and nothing lies between it and the position outside. */
bool wend_gate_is_good(routing *r, route_gate *gate, bool entering);
/* Looks up the k nearest gates. Those that are known already keep their state. */
wend_status wend_gates_find(routing *r, route_gates *gates, const double *point, double most, uint32_t k);
/* The number of all gates, at least 1. */
uint32_t wend_gates_all(const routing *r);
/* Finds the nearest good gate: looks up 4 gates, then 16, and so on. *first: its index; WEND_NONE: there is none. OK,
 * NO_MEMORY, ABORTED. */
wend_status wend_gates_first(routing *r, bool entering, uint32_t *first);

#endif
