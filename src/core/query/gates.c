/* SPDX-License-Identifier: MIT */
/* Finds and tests gates. */
#include "core/query/gates.h"

#include <math.h>

WEND_NO_FUSING

/* Adds an end to a gate, unless its cost is INFINITY. */
static void add_end(route_gate *gate, wend_id node, double cost) {
  if (!(cost < INFINITY)) return;
  gate->ends[gate->count].at = node;
  gate->ends[gate->count++].cost = cost;
}

/* The fraction of the edge between its first node, at a, and the gate. */
static double fraction_of(const routing *r, const route_gate *gate, const double *a, const double *b) {
  double fraction;
  if (wend_same_point(r->graph, gate->near.point, a)) return 0;
  if (wend_same_point(r->graph, gate->near.point, b)) return 1;
  fraction = wend_distance(r->graph->dimensions, a, gate->near.point) / wend_distance(r->graph->dimensions, a, b);
  return fraction > 1 ? 1 : fraction; /* by rounding */
}

/* Whether a node cannot be entered: it is closed, for all agents or by its tag. */
static bool is_shut(const routing *r, wend_id node) {
  return wend_map_enter_cause(&r->graph->map, &r->opts.search.costs, node) != WEND_CAUSE_NONE;
}

/* Whether the exit is a closed node that the route may enter: the one at this fraction of the edge. */
static bool is_closed_end(const routing *r, const route_gate *gate, wend_id node, double fraction) {
  return r->opts.search.ends.closed && gate->fraction == fraction && wend_graph_is_closed(r->graph, node);
}

/* Finds the ends of a gate on an edge, with their costs: see the example in gates.h. */
static void find_ends(routing *r, route_gate *gate, bool entering) {
  double to_first, to_second;
  wend_edge edge;
  if (wend_graph_edge(r->graph, gate->near.id, &edge) != WEND_OK) return; /* cannot fail: the graph is synced */
  gate->fraction = fraction_of(r, gate, wend_graph_position(r->graph, edge.from), wend_graph_position(r->graph, edge.to));
  if (wend_graph_edge_cost(r->graph, &r->opts.search.costs, gate->near.id, false, &gate->forth) != WEND_OK ||
      wend_graph_edge_cost(r->graph, &r->opts.search.costs, gate->near.id, true, &gate->back) != WEND_OK) {
    r->invalid = true;
    return;
  }
  if (entering) {
    to_first = wend_part_of(gate->fraction, gate->back);
    to_second = wend_part_of(1 - gate->fraction, gate->forth);
  } else {
    to_first = wend_part_of(gate->fraction, gate->forth);
    to_second = wend_part_of(1 - gate->fraction, gate->back);
  }
  if (edge.closed || (gate->forth == INFINITY && gate->back == INFINITY)) return;
  if (entering) { /* a closed node cannot be entered, but a route may start on it */
    if (is_shut(r, edge.from) && gate->near.distance + to_first > 0) to_first = INFINITY;
    if (is_shut(r, edge.to) && gate->near.distance + to_second > 0) to_second = INFINITY;
  } else if (is_closed_end(r, gate, edge.from, 0)) { /* any other way to it enters it too */
    to_second = INFINITY;
  } else if (is_closed_end(r, gate, edge.to, 1)) {
    to_first = INFINITY;
  } else {
    if (is_shut(r, edge.from) && gate->fraction == 0) to_first = INFINITY;
    if (is_shut(r, edge.to) && gate->fraction == 1) to_second = INFINITY;
  }
  add_end(gate, edge.from, gate->near.distance + to_first);
  if (edge.to != edge.from) add_end(gate, edge.to, gate->near.distance + to_second);
}

bool wend_gate_is_good(routing *r, route_gate *gate, bool entering) {
  if (gate->state == GATE_UNKNOWN) {
    gate->state = GATE_BAD;
    gate->count = 0;
    gate->forth = gate->back = INFINITY;
    if (r->opts.by_edge) {
      find_ends(r, gate, entering);
    } else if (!is_shut(r, gate->near.id) || (entering ? gate->near.distance == 0 : r->opts.search.ends.closed)) {
      add_end(gate, gate->near.id, gate->near.distance);
    }
    if ((gate->count > 0 || gate->forth < INFINITY || gate->back < INFINITY) &&
        (entering ? wend_route_is_free(r, r->from, gate->near.point) : wend_route_is_free(r, gate->near.point, r->to)))
      gate->state = GATE_GOOD;
  }
  return gate->state == GATE_GOOD;
}

wend_status wend_gates_find(routing *r, route_gates *gates, const double *point, double most, uint32_t k) {
  wend_search *s = r->s;
  wend_near *near = wend_search_scratch(s, ROUTE_NEAR, (uint64_t)k * sizeof *near);
  route_gate *at = wend_search_scratch(s, gates->slot, (uint64_t)k * sizeof *at);
  uint32_t count;
  wend_status status;
  if (near == NULL || at == NULL) return WEND_NO_MEMORY;
  gates->at = at;
  status = (r->opts.by_edge ? wend_graph_nearest_edges : wend_graph_nearest)(r->graph, point, most, k, near, &count);
  if (status != WEND_OK) return status;
  for (; gates->count < count; gates->count++) {
    gates->at[gates->count].near = near[gates->count];
    gates->at[gates->count].state = GATE_UNKNOWN;
  }
  return WEND_OK;
}

uint32_t wend_gates_all(const routing *r) {
  const uint32_t all = r->opts.by_edge ? wend_graph_edge_count(r->graph) : wend_graph_node_count(r->graph);
  return all > 0 ? all : 1;
}

wend_status wend_gates_first(routing *r, bool entering, uint32_t *first) {
  route_gates *gates = entering ? &r->entries : &r->exits;
  const uint32_t all = wend_gates_all(r);
  uint32_t k = all < 4 ? all : 4;
  *first = WEND_NONE;
  gates->count = 0;
  for (uint32_t i = 0;; k = k > all / 4 ? all : k * 4) {
    wend_status status = wend_gates_find(r, gates, entering ? r->from : r->to, r->opts.max_distance, k);
    if (status != WEND_OK) return status;
    for (; i < gates->count; i++) {
      if (wend_gate_is_good(r, &gates->at[i], entering)) return *first = i, WEND_OK;
      if (r->invalid) return WEND_ABORTED;
    }
    if (gates->count < k || k == all) return WEND_OK;
  }
}
