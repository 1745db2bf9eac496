/* SPDX-License-Identifier: MIT */
/* Making edges: which nodes are to be joined. Of nodes that are equally far from another, those with the smaller x, then
 * y, then z come first, so that what is joined depends on where nodes are and not on the order they were made in. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "core/graph.h"

WEND_NO_FUSING

struct wend_linker {
  wend_alloc alloc;
  wend_pair *pairs;
  wend_near *near;
  uint32_t count, capacity, near_capacity;
};

wend_linker *wend_linker_create(const wend_alloc *alloc) {
  wend_alloc from = alloc != NULL ? *alloc : wend_alloc_default();
  wend_linker *linker = from.resize(from.ud, NULL, 0, sizeof *linker);
  if (linker == NULL) return NULL;
  memset(linker, 0, sizeof *linker);
  linker->alloc = from;
  return linker;
}

void wend_linker_destroy(wend_linker *linker) {
  wend_alloc alloc;
  if (linker == NULL) return;
  alloc = linker->alloc;
  WEND_FREE(&alloc, linker->pairs, linker->capacity);
  WEND_FREE(&alloc, linker->near, linker->near_capacity);
  alloc.resize(alloc.ud, linker, sizeof *linker, 0);
}

uint32_t wend_linker_pairs(const wend_linker *linker, const wend_pair **pairs) {
  *pairs = linker->pairs;
  return linker->count;
}

static int compare_pairs(const void *p, const void *q) {
  const wend_pair *a = p, *b = q;
  return a->from != b->from ? (a->from < b->from ? -1 : 1) : a->to < b->to ? -1 : a->to > b->to;
}

/* Finds the k nearest to a node, itself left out: how many into *count. */
static wend_status find_nearest(wend_linker *linker, wend_graph *graph, wend_id node, uint32_t k, double max_distance,
                                uint32_t *count) {
  const double *point = wend_graph_position(graph, node);
  uint32_t others = 0;
  wend_status status;
  if (!WEND_GROW(&linker->alloc, linker->near, linker->near_capacity, (uint64_t)k + 1)) return WEND_NO_MEMORY;
  status = wend_near_by_place(graph, point, max_distance, k + 1, linker->near, count);
  if (status != WEND_OK) return status;
  for (uint32_t i = 0; i < *count; i++)
    if (linker->near[i].id != node) linker->near[others++] = linker->near[i];
  *count = others < k ? others : k;
  return WEND_OK;
}

/* Whether a node comes before another: by where they are, as above. */
static bool is_before(const wend_graph *graph, wend_id a, wend_id b) {
  const double *p = wend_graph_position(graph, a), *q = wend_graph_position(graph, b);
  for (int d = 0; d < graph->dimensions; d++)
    if (p[d] != q[d]) return p[d] < q[d];
  return a < b;
}

/* Whether an edge leads from one node to another. */
static bool is_joined(wend_graph *graph, wend_id a, wend_id b) {
  wend_id edge = WEND_NO_ID;
  (void)wend_graph_edge_between(graph, a, b, &edge); /* it is synced */
  return edge != WEND_NO_ID;
}

wend_status wend_linker_find(wend_linker *linker, wend_graph *graph, uint32_t k, double max_distance, bool directed) {
  wend_status status = wend_graph_sync(graph);
  uint32_t kept = 0;
  assert(k > 0 && k < WEND_NONE / 2 && max_distance >= 0);
  if (k > graph->nodes.live) k = graph->nodes.live;
  linker->count = 0;
  for (wend_id node = wend_graph_next_node(graph, WEND_NO_ID); status == WEND_OK && node != WEND_NO_ID;
       node = wend_graph_next_node(graph, node)) {
    uint32_t count;
    if (wend_graph_position(graph, node) == NULL) continue;
    status = find_nearest(linker, graph, node, k, max_distance, &count);
    if (status != WEND_OK) break;
    if (!WEND_GROW(&linker->alloc, linker->pairs, linker->capacity, (uint64_t)linker->count + count)) return WEND_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
      const wend_id other = linker->near[i].id;
      wend_pair *pair = &linker->pairs[linker->count++];
      const bool first = directed || is_before(graph, node, other);
      pair->from = first ? node : other;
      pair->to = first ? other : node;
    }
  }
  if (status != WEND_OK) return status;
  if (linker->count > 0) qsort(linker->pairs, linker->count, sizeof *linker->pairs, compare_pairs);
  for (uint32_t i = 0; i < linker->count; i++) {
    const wend_pair pair = linker->pairs[i];
    if (kept > 0 && compare_pairs(&pair, &linker->pairs[kept - 1]) == 0) continue;
    if (is_joined(graph, pair.from, pair.to) || (!directed && is_joined(graph, pair.to, pair.from))) continue;
    linker->pairs[kept++] = pair;
  }
  linker->count = kept;
  return WEND_OK;
}
