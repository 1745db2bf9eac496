/* SPDX-License-Identifier: MIT */
/* The nearest nodes and edges of a graph. nearest.h describes the indexes.
 *
 * Invariant: an index that is ready has each item with a position exactly once, with the box of its present position.
 *
 *   node   o   its box is a point        edge   o-----.   its box has the ends in opposite corners
 *                                               |  \  |
 *                                               '-----o */
#include "core/map/nearest.h"

#include <assert.h>
#include <math.h>

#include "core/base/bits.h"

WEND_NO_FUSING

/* The position of a place; NULL: it has none. place: WEND_NONE is allowed. */
static const double *point_at(const wend_graph *graph, uint32_t place) {
  const double *point;
  if (graph->points == NULL || place == WEND_NONE) return NULL;
  point = wend_graph_point(graph, place);
  return point[0] == point[0] ? point : NULL;
}

/* The box around the segment from a to b. If a and b are equal, it is a point. */
static wend_box box_of(const wend_graph *graph, const double *a, const double *b) {
  wend_box box = {{0, 0, 0}, {0, 0, 0}};
  for (int d = 0; d < graph->dimensions; d++) {
    box.low[d] = a[d] < b[d] ? a[d] : b[d];
    box.high[d] = a[d] < b[d] ? b[d] : a[d];
  }
  return box;
}

/* The box of the edge from one place to another, or of the node at a place. False: a position is missing. */
static bool find_box(const wend_graph *graph, uint32_t from, uint32_t to, wend_box *box) {
  const double *a = point_at(graph, from), *b = point_at(graph, to);
  if (a == NULL || b == NULL) return false;
  *box = box_of(graph, a, b);
  return true;
}

/* Whether this many new items are inserted one by one. More than a quarter of the items make the index not ready instead:
 * building it again is faster. */
static bool inserts(const wend_rtree *index, uint32_t count) { return index->ready && count <= index->items / 4; }

/* The indexes of a graph that wend_graph_create returned. */
static wend_rtree *node_index(wend_graph *graph) { return &((wend_indexed_graph *)graph)->near_nodes; }
static wend_rtree *edge_index(wend_graph *graph) { return &((wend_indexed_graph *)graph)->near_edges; }

/* ---- Updating ---------------------------------------------------------------------------------------------- */

void wend_near_free(wend_graph *graph) {
  wend_rtree_free(node_index(graph), &graph->map.alloc);
  wend_rtree_free(edge_index(graph), &graph->map.alloc);
}

void wend_near_add_nodes(wend_graph *graph, uint32_t slot, uint32_t count) {
  wend_rtree *index = node_index(graph);
  if (!inserts(index, count)) {
    index->ready = false;
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = graph->nodes.value[slot + i];
    wend_box box;
    if (find_box(graph, place, place, &box)) wend_rtree_insert(index, &graph->map.alloc, slot + i, &box);
  }
}

void wend_near_remove_node(wend_graph *graph, uint32_t slot) {
  const uint32_t place = graph->nodes.value[slot];
  wend_box box;
  if (find_box(graph, place, place, &box)) wend_rtree_remove(node_index(graph), slot, &box);
}

void wend_near_add_edges(wend_graph *graph, const wend_pending *edges, uint32_t count) {
  wend_rtree *index = edge_index(graph);
  if (!inserts(index, count)) {
    index->ready = false;
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    wend_box box;
    if (find_box(graph, graph->nodes.value[edges[i].from], graph->nodes.value[edges[i].to], &box))
      wend_rtree_insert(index, &graph->map.alloc, edges[i].edge, &box);
  }
}

void wend_near_remove_edge(wend_graph *graph, uint32_t edge, uint32_t from, uint32_t to) {
  wend_box box;
  if (find_box(graph, from, to, &box)) wend_rtree_remove(edge_index(graph), edge, &box);
}

/* Moves an item to the box `after`. known: whether the index has it, with the box `before`; if not, it is inserted. */
static void move_item(wend_graph *graph, wend_rtree *index, uint32_t item, bool known, const wend_box *before,
                      const wend_box *after) {
  if (known) wend_rtree_move(index, &graph->map.alloc, item, before, after);
  else wend_rtree_insert(index, &graph->map.alloc, item, after);
}

void wend_near_move(wend_graph *graph, uint32_t slot, const double *old) {
  const uint32_t place = graph->nodes.value[slot];
  const double *now = wend_graph_point(graph, place);
  const bool known = old[0] == old[0];
  const wend_block block = wend_graph_block(graph, place);
  wend_rtree *edges = edge_index(graph);
  wend_box before = box_of(graph, old, old), after = box_of(graph, now, now);
  move_item(graph, node_index(graph), slot, known, &before, &after);
  for (uint32_t i = block.first; i < block.end && edges->ready; i++) {
    const bool loop = graph->arc_to[i] == place;
    const double *other = point_at(graph, graph->arc_to[i]);
    if (other == NULL || (loop && i >= block.in)) continue; /* one-way, to the same node: two arcs here, and one is enough */
    before = box_of(graph, old, loop ? old : other);
    after = box_of(graph, now, other);
    move_item(graph, edges, graph->arc_edge[i], known, &before, &after);
  }
}

/* ---- Building ---------------------------------------------------------------------------------------------- */

/* Gives all nodes with positions to an index that is being built. */
static void collect_nodes(wend_graph *graph, wend_rtree *index) {
  for (uint32_t place = 0; place < graph->place_count; place++) {
    wend_box box;
    if (graph->slot_of[place] != WEND_NONE && find_box(graph, place, place, &box))
      wend_rtree_collect(index, graph->slot_of[place], &box);
  }
}

/* Gives all edges with positions to an index that is being built. */
static void collect_edges(wend_graph *graph, wend_rtree *index) {
  for (uint32_t place = 0; place < graph->place_count; place++) {
    const uint32_t slot = graph->slot_of[place];
    if (slot == WEND_NONE) continue;
    for (uint32_t i = graph->out[place].first; i < graph->out[place].end; i++) {
      wend_box box;
      if (graph->edges.value[graph->arc_edge[i]] != slot) continue; /* each edge once: where it begins */
      if (find_box(graph, place, graph->arc_to[i], &box)) wend_rtree_collect(index, graph->arc_edge[i], &box);
    }
  }
}

/* The graph whose index is asked: of a version that is as its graph is now, that graph. */
static wend_graph *asked(wend_graph *graph) {
  return wend_map_is_version(&graph->map) && wend_map_is_present(&graph->map) ? (wend_graph *)graph->map.versions.of : graph;
}

/* Syncs the graph and makes an index ready. most: the greatest number of items that it can have. NO_MEMORY. */
static wend_status ready_index(wend_graph *graph, wend_rtree *index, uint32_t most,
                               void (*collect)(wend_graph *, wend_rtree *)) {
  const wend_alloc *alloc = &graph->map.alloc;
  wend_status status = wend_graph_sync(graph);
  if (status != WEND_OK || WEND_LIKELY(index->ready)) return status;
  if (!wend_rtree_begin(index, alloc, graph->dimensions, most)) return WEND_NO_MEMORY;
  collect(graph, index);
  return wend_rtree_finish(index, alloc) ? WEND_OK : WEND_NO_MEMORY;
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

/* A wend_measure_fn for nodes. ud: the graph. */
static bool measure_node(const void *ud, uint32_t slot, const double *point, wend_near *near) {
  const wend_graph *graph = ud;
  const double *at = wend_graph_point(graph, graph->nodes.value[slot]);
  for (int d = 0; d < graph->dimensions; d++) near->point[d] = at[d];
  near->distance = wend_distance(graph->dimensions, at, point);
  near->id = wend_slots_id(&graph->nodes, slot);
  return true;
}

/* A wend_measure_fn for edges: measures the nearest point of the segment between the ends. ud: the graph. Example: ends a (0,0)
 * and b (10,0), point (4,3). along = 40, length (squared) = 100, fraction = 0.4: the nearest point is (4,0), the distance 3. */
static bool measure_edge(const void *ud, uint32_t slot, const double *point, wend_near *near) {
  const wend_graph *graph = ud;
  uint32_t from;
  const uint32_t arc = wend_graph_arc(graph, slot, &from);
  const double *a = wend_graph_point(graph, from), *b = wend_graph_point(graph, graph->arc_to[arc]);
  double length = 0, along = 0, fraction;
  for (int d = 0; d < graph->dimensions; d++) {
    length += (b[d] - a[d]) * (b[d] - a[d]);
    along += (b[d] - a[d]) * (point[d] - a[d]);
  }
  fraction = length > 0 ? along / length : 0;
  for (int d = 0; d < graph->dimensions; d++)
    near->point[d] = fraction <= 0 ? a[d] : fraction >= 1 ? b[d] : a[d] + fraction * (b[d] - a[d]);
  near->distance = wend_distance(graph->dimensions, near->point, point);
  near->id = wend_slots_id(&graph->edges, slot);
  return true;
}

wend_status wend_graph_nearest(wend_graph *graph, const double *point, double max_distance, uint32_t k, wend_near *found,
                               uint32_t *count) {
  wend_status status;
  assert(k > 0 && max_distance >= 0);
  graph = asked(graph);
  status = ready_index(graph, node_index(graph), graph->place_count, collect_nodes);
  *count = 0;
  if (status == WEND_OK) *count = wend_rtree_nearest(node_index(graph), point, max_distance, k, measure_node, graph, found);
  return status;
}

wend_status wend_graph_nearest_edges(wend_graph *graph, const double *point, double max_distance, uint32_t k, wend_near *found,
                                     uint32_t *count) {
  wend_status status;
  assert(k > 0 && max_distance >= 0);
  graph = asked(graph);
  status = ready_index(graph, edge_index(graph), graph->edges.live, collect_edges);
  *count = 0;
  if (status == WEND_OK) *count = wend_rtree_nearest(edge_index(graph), point, max_distance, k, measure_edge, graph, found);
  return status;
}
