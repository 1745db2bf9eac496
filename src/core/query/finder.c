/* SPDX-License-Identifier: MIT */
/* Finders: what is near a point and meets conditions. The index gives candidates in the order of distance; they are tested in
 * this order. While too few have passed, the index is asked for four times as many, and the new ones are tested.
 *
 * An example: k is 2, and candidates 1, 3, 4, 5 and 6 fail.
 *
 *     first   the index gives 2: 1 2              2 passes
 *     then    the index gives 8: 1 2 3 4 5 ...    1 and 2 are skipped; 3 to 6 fail, 7 passes, and the search ends
 *
 * found   | kept | candidates |        The results so far are at the front of the array, the candidates behind them. A
 *                                      candidate that passes is copied to the end of the results, never past the place that it
 *                                      is read from. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/floats.h"
#include "core/base/memory.h"
#include "core/map/graph_store.h"

WEND_NO_FUSING

struct wend_finder {
  wend_alloc alloc;
  wend_near *found;
  uint32_t capacity;
};

wend_finder *wend_finder_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_finder)); }

void wend_finder_destroy(wend_finder *finder) {
  if (finder == NULL) return;
  WEND_FREE(&finder->alloc, finder->found, finder->capacity);
  wend_delete(finder, sizeof *finder);
}

wend_find_opts wend_find_opts_default(void) {
  const wend_find_opts opts = {false, false, INFINITY, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  return opts;
}

/* The costs of no agent. */
static const wend_costs PLAIN = {NULL, NULL, NULL, 0, NULL, 0};

/* Whether a field reaches a node. field NULL: there is no such condition, true. */
static bool reaches(const wend_field *field, wend_id node) {
  double cost;
  return field == NULL || wend_field_cost(field, node, &cost);
}

/* Whether a node meets can_reach and `leads`. */
static bool can_leave(const wend_find_opts *opts, wend_id node) {
  return reaches(opts->can_reach, node) && (opts->leads == NULL || opts->leads(opts->leads_ud, node));
}

/* Whether a node is open for an agent. The graph is synced. */
static bool is_usable(const wend_graph *graph, const wend_costs *costs, wend_id node) {
  const wend_block block = wend_graph_block(graph, graph->nodes.value[wend_slots_find(&graph->nodes, node)]);
  bool fits = block.first == block.end;
  if (wend_map_enter_cause(&graph->map, costs, node) != WEND_CAUSE_NONE) return false;
  for (uint32_t i = block.first; i < block.end && !fits; i++)
    fits = !(wend_graph_width_of(graph, graph->arc_edge[i]) < costs->size);
  return fits;
}

/* Whether a node meets the conditions, apart from `clear`. */
static bool test_node(const wend_graph *graph, const wend_find_opts *opts, wend_id node) {
  return (!opts->open || is_usable(graph, opts->costs != NULL ? opts->costs : &PLAIN, node)) && can_leave(opts, node) &&
         reaches(opts->reachable_from, node);
}

/* Whether the fields allow an edge, and whether it is open if that is asked. From a point of the edge, an agent reaches the
 * goals over the end that the edge is travelled to. An agent from the goals reaches the point over the end that the edge is
 * travelled from. For example, a directed edge from A to B meets can_reach if that field reaches B, and reachable_from if
 * that field reaches A. */
static wend_status test_edge(wend_graph *graph, const wend_find_opts *opts, wend_id id, bool *wanted) {
  const wend_costs *costs = opts->costs != NULL ? opts->costs : &PLAIN;
  double forth_cost = INFINITY, back_cost = INFINITY;
  bool forth, back;
  wend_edge edge;
  wend_status status;
  *wanted = true;
  if (!opts->open && opts->can_reach == NULL && opts->leads == NULL && opts->reachable_from == NULL) return WEND_OK;
  status = wend_graph_edge_cost(graph, costs, id, false, &forth_cost);
  if (status == WEND_OK) status = wend_graph_edge_cost(graph, costs, id, true, &back_cost);
  if (status == WEND_OK) status = wend_graph_edge(graph, id, &edge);
  if (status != WEND_OK) return status;
  forth = forth_cost < INFINITY && !(opts->open && wend_graph_is_closed(graph, edge.to));
  back = back_cost < INFINITY && !(opts->open && wend_graph_is_closed(graph, edge.from));
  *wanted = ((forth && can_leave(opts, edge.to)) || (back && can_leave(opts, edge.from))) &&
            ((forth && reaches(opts->reachable_from, edge.from)) || (back && reaches(opts->reachable_from, edge.to)));
  return WEND_OK;
}

/* tested: the number of candidates tested so far. */
wend_status wend_finder_find(wend_finder *finder, wend_graph *graph, const double *point, const wend_find_opts *opts,
                             const wend_near **result, uint32_t *result_count) {
  const uint32_t all = opts->edges ? wend_graph_edge_count(graph) : wend_graph_node_count(graph);
  uint32_t most = opts->limit, tested = 0, kept = 0, count = 0;
  wend_near *found;
  assert(opts->limit > 0);
  *result = NULL;
  *result_count = 0;
  for (;; most = most > all / 4 ? all : most * 4) {
    wend_status status;
    if (most > all) most = all;
    if (most == 0) return WEND_OK;
    /* The first `kept` items have passed. The candidates come after them. */
    if (!WEND_GROW(&finder->alloc, finder->found, finder->capacity, (uint64_t)kept + most)) return WEND_NO_MEMORY;
    found = finder->found + kept;
    status =
        (opts->edges ? wend_graph_nearest_edges : wend_graph_nearest)(graph, point, opts->max_distance, most, found, &count);
    if (status != WEND_OK) return status;
    for (uint32_t at = kept; tested < count && kept < opts->limit; tested++) {
      const wend_near near = finder->found[at + tested];
      bool wanted = opts->edges || test_node(graph, opts, near.id);
      if (opts->edges) status = test_edge(graph, opts, near.id, &wanted);
      if (status != WEND_OK) return status;
      if (wanted && opts->clear != NULL) wanted = opts->clear(opts->clear_ud, point, near.point);
      if (wanted) finder->found[kept++] = near;
    }
    if (kept == opts->limit || count < most || most == all) break;
  }
  *result = finder->found;
  *result_count = kept;
  return WEND_OK;
}
