/* SPDX-License-Identifier: MIT */
/* The functions of graphs, which wend.h describes. Each edit changes the store (graph_store.h), the statistics of the map
 * (map.h) and the indexes (nearest.h).
 *
 * An edit has two parts. The first allocates all memory that the edit needs. The second cannot fail. So an edit is either made
 * completely, or the graph is as it was. Examples:
 *
 *                            first part                              second part
 *   wend_graph_add_edges     room in `pending`, new slots, ratios    slots taken, scales, index, version
 *   wend_graph_remove_edge   sync, stamps, generations               ratios, scales, index, both arcs, slot, version
 *
 * Adding a ratio can fail, so ratios are added in the first part, and removed again if memory runs out later.
 *
 * Adding nodes and edges needs no sync. All other edits of nodes and edges sync first, because they look for arcs. Names and
 * radii are by slot, and do not change the version: no search reads them. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/map/graph_store.h"
#include "core/map/nearest.h"

WEND_NO_FUSING

/* If more edges are added at once, the journal does not list them. */
#define ADDED_MAX 16u

/* ---- Parts ------------------------------------------------------------------------------------------------- */

static wend_status settle_graph(wend_map *map) { return wend_graph_sync((wend_graph *)map); }

static void strip_graph(wend_map *copy) {
  wend_indexed_graph *indexed = (wend_indexed_graph *)copy;
  memset(&indexed->graph.node_names, 0, sizeof indexed->graph.node_names);
  memset(&indexed->near_nodes, 0, sizeof indexed->near_nodes);
  memset(&indexed->near_edges, 0, sizeof indexed->near_edges);
}

static bool copy_graph_parts(wend_map *to, const wend_map *from) {
  return wend_names_copy(&((wend_graph *)to)->node_names, &to->alloc, &((const wend_graph *)from)->node_names, WEND_NONE);
}

static void free_graph_parts(wend_map *map) {
  wend_near_free((wend_graph *)map);
  wend_names_free(&((wend_graph *)map)->node_names, &map->alloc);
}

static void count_graph_parts(const wend_map *map, size_t *edges, size_t *rest) {
  const wend_indexed_graph *indexed = (const wend_indexed_graph *)map;
  *edges += wend_rtree_bytes(&indexed->near_edges);
  *rest += wend_rtree_bytes(&indexed->near_nodes) + wend_names_bytes(&indexed->graph.node_names);
}

/* ---- Lifetime ---------------------------------------------------------------------------------------------- */

static const wend_map_kind kind_of_graphs = {
    &wend_graph_arrays, sizeof(wend_indexed_graph), 0, settle_graph, strip_graph, copy_graph_parts,
    free_graph_parts,   count_graph_parts};

wend_graph *wend_graph_create(const wend_alloc *alloc, int dimensions) {
  wend_indexed_graph *indexed = wend_new(alloc, sizeof *indexed);
  assert(dimensions == 2 || dimensions == 3);
  if (indexed == NULL) return NULL;
  indexed->graph.map.kind = &kind_of_graphs;
  indexed->graph.map.serial = wend_map_new_serial();
  indexed->graph.dimensions = dimensions;
  return &indexed->graph;
}

void wend_graph_destroy(wend_graph *graph) {
  if (graph != NULL) wend_map_destroy(&graph->map);
}

int wend_graph_dimensions(const wend_graph *graph) { return graph->dimensions; }
wend_map *wend_graph_map(wend_graph *graph) { return &graph->map; }
uint32_t wend_graph_node_count(const wend_graph *graph) { return graph->nodes.live; }
uint32_t wend_graph_unplaced_count(const wend_graph *graph) { return graph->unplaced; }
uint32_t wend_graph_edge_count(const wend_graph *graph) { return graph->edges.live; }

void wend_graph_bytes(const wend_graph *graph, size_t *nodes, size_t *edges) { wend_map_memory(&graph->map, edges, nodes); }

/* Stamps a slot with the version that changes it: see wend_touched_since. */
static void touch(uint32_t *touched, uint32_t slot, uint64_t version) { touched[slot] = (uint32_t)version; }

bool wend_graph_node_touched(const wend_graph *graph, wend_id node, uint64_t version) {
  uint32_t slot = wend_slots_find(&graph->nodes, node);
  return slot == WEND_NONE ||
         wend_touched_since(graph->node_touched, graph->node_touched_capacity, slot, version, graph->map.version);
}

bool wend_graph_edge_touched(const wend_graph *graph, wend_id edge, uint64_t version) {
  uint32_t slot = wend_slots_find(&graph->edges, edge);
  return slot == WEND_NONE ||
         wend_touched_since(graph->edge_touched, graph->edge_touched_capacity, slot, version, graph->map.version);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------- */

bool wend_graph_has_node(const wend_graph *graph, wend_id node) { return wend_slots_find(&graph->nodes, node) != WEND_NONE; }

bool wend_graph_has_edge(const wend_graph *graph, wend_id edge) { return wend_slots_find(&graph->edges, edge) != WEND_NONE; }

/* The slot of a node, which must exist. */
static uint32_t slot_of_node(const wend_graph *graph, wend_id node) {
  uint32_t slot = wend_slots_find(&graph->nodes, node);
  assert(slot != WEND_NONE);
  return slot;
}

/* The place of a node, which must exist. */
static uint32_t place_of(const wend_graph *graph, wend_id node) { return graph->nodes.value[slot_of_node(graph, node)]; }

wend_id wend_graph_next_node(const wend_graph *graph, wend_id node) { return wend_slots_next(&graph->nodes, node); }
wend_id wend_graph_next_edge(const wend_graph *graph, wend_id edge) { return wend_slots_next(&graph->edges, edge); }

wend_status wend_graph_count_tags(wend_graph *graph, uint64_t *counts) {
  const wend_status status = wend_graph_sync(graph);
  if (status != WEND_OK) return status;
  memset(counts, 0, ((size_t)wend_map_tag_count(&graph->map) + 1) * sizeof *counts);
  for (uint32_t place = 0; place < graph->place_count; place++) {
    const wend_block block = wend_graph_block(graph, place);
    if (graph->slot_of[place] == WEND_NONE) continue;
    for (uint32_t arc = block.first; arc < block.in;
         arc++) /* a two-way edge has two arcs: the one at the smaller place counts */
      if (arc < block.both || place <= graph->arc_to[arc]) counts[graph->arc_tag[arc]]++;
  }
  for (uint32_t tag = 1; tag < graph->tagged_capacity && tag <= wend_map_tag_count(&graph->map); tag++)
    counts[tag] += graph->tagged[tag];
  return WEND_OK;
}

const double *wend_graph_position(const wend_graph *graph, wend_id node) {
  const double *point;
  if (graph->points == NULL) return NULL;
  point = wend_graph_point(graph, place_of(graph, node));
  return point[0] == point[0] ? point : NULL;
}

bool wend_graph_is_closed(const wend_graph *graph, wend_id node) {
  return (graph->flags[place_of(graph, node)] & PLACE_CLOSED) != 0;
}

uint32_t wend_graph_node_tag(const wend_graph *graph, wend_id node) { return wend_graph_tag_at(graph, place_of(graph, node)); }

/* ---- Adding ------------------------------------------------------------------------------------------------ */

/* Allocates all that append_nodes needs. positioned: whether the nodes have positions. False: no memory. */
static bool prepare_nodes(wend_graph *graph, uint32_t count, bool positioned, uint32_t tag) {
  uint64_t places = (uint64_t)graph->place_count + count;
  if (places >= WEND_NONE || !wend_map_can_edit(&graph->map) || !wend_graph_grow_places(graph, places)) return false;
  if ((positioned || graph->points != NULL) && !wend_graph_grow_points(graph, places)) return false;
  if (tag != WEND_UNTAGGED && !wend_graph_grow_node_tags(graph, places, tag)) return false;
  return wend_slots_reserve(&graph->nodes, &graph->map.alloc, count);
}

/* Adds nodes at the end of the places, with empty blocks. points: NULL: without positions. Returns the id of the first. Cannot
 * fail. */
static wend_id append_nodes(wend_graph *graph, uint32_t count, const double *points, uint32_t tag) {
  uint32_t slot = wend_slots_take(&graph->nodes, count, 0);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = graph->place_count + i;
    wend_block empty = {graph->arcs_used, graph->arcs_used, graph->arcs_used, graph->arcs_used};
    graph->nodes.value[slot + i] = place;
    graph->slot_of[place] = slot + i;
    wend_graph_set_block(graph, place, empty);
    graph->room[place] = 0;
    graph->flags[place] = 0;
    if (tag != WEND_UNTAGGED) wend_graph_put_node_tag(graph, place, tag);
    if (slot + i < graph->radius_capacity) graph->radius[slot + i] = INFINITY;
    if (slot + i < graph->node_touched_capacity) graph->node_touched[slot + i] = 0;
  }
  if (points != NULL) {
    size_t numbers = (size_t)count * (size_t)graph->dimensions;
    memcpy(graph->points + (size_t)graph->place_count * (size_t)graph->dimensions, points, numbers * sizeof *points);
  } else {
    graph->unplaced += count;
  }
  graph->place_count += count;
  graph->map.structure++;
  graph->map.version++;
  if (points != NULL) wend_near_add_nodes(graph, slot, count);
  return wend_slots_id(&graph->nodes, slot);
}

wend_status wend_graph_add_nodes(wend_graph *graph, uint32_t count, const double *points, uint32_t tag, wend_id *first) {
  *first = WEND_NO_ID;
  if (!prepare_nodes(graph, count, points != NULL, tag)) return WEND_NO_MEMORY;
  *first = append_nodes(graph, count, points, tag);
  return WEND_OK;
}

/* Makes room for the radius of a slot. New radii are INFINITY: no limit. False: no memory. */
static bool grow_radius(wend_graph *graph, uint32_t slot) {
  uint32_t old = graph->radius_capacity;
  if (!WEND_GROW(&graph->map.alloc, graph->radius, graph->radius_capacity, (uint64_t)slot + 1)) return false;
  for (uint32_t i = old; i < graph->radius_capacity; i++) graph->radius[i] = INFINITY;
  return true;
}

wend_status wend_graph_add_node(wend_graph *graph, const double *position, const char *name, size_t length, double radius,
                                uint32_t tag, wend_id *node) {
  uint32_t slot;
  assert(radius >= 0);
  *node = WEND_NO_ID;
  if (!prepare_nodes(graph, 1, position != NULL, tag)) return WEND_NO_MEMORY;
  slot = graph->nodes.reserved;
  if (radius < INFINITY && !grow_radius(graph, slot)) return WEND_NO_MEMORY;
  if (name != NULL && !wend_names_set(&graph->node_names, &graph->map.alloc, slot, name, length)) return WEND_NO_MEMORY;
  *node = append_nodes(graph, 1, position, tag);
  if (radius < INFINITY) graph->radius[slot] = radius;
  return WEND_OK;
}

/* Writes a change of an edge into the journal: the places of its ends. The tables of a prepared graph need not know: they see
 * added edges when these are inserted, and edges that close, open or go make no step cheaper for them. */
static void note_edge(wend_graph *graph, uint32_t from, uint32_t to) {
  if (from >= CHANGED_NODE || to >= CHANGED_NODE) {
    wend_map_note_all(&graph->map);
    return;
  }
  wend_map_note_only(&graph->map, from, graph->place_count);
  if (to != from) wend_map_note_only(&graph->map, to, graph->place_count);
}

/* The same for a node that was closed, opened, moved or removed. */
static void note_node(wend_graph *graph, uint32_t place) {
  if (place >= CHANGED_NODE) wend_map_note_all(&graph->map);
  else wend_map_note_only(&graph->map, place | CHANGED_NODE, graph->place_count);
}

/* The same for added edges. A graph that is still being made, or gets many edges at once, needs no list of them. */
static void note_added(wend_graph *graph, const wend_pending *edges, uint32_t count) {
  if (graph->arcs_used == 0 || count > ADDED_MAX) {
    wend_map_note_all(&graph->map);
    return;
  }
  for (uint32_t i = 0; i < count; i++) note_edge(graph, graph->nodes.value[edges[i].from], graph->nodes.value[edges[i].to]);
}

bool wend_graph_grow_widths(wend_graph *graph, uint64_t slots) {
  const uint32_t old = graph->width_capacity;
  if (!WEND_GROW(&graph->map.alloc, graph->width, graph->width_capacity, slots)) return false;
  for (uint32_t i = old; i < graph->width_capacity; i++) graph->width[i] = INFINITY;
  return true;
}

wend_status wend_graph_add_edges(wend_graph *graph, uint32_t count, const wend_edge_spec *specs, wend_id *first) {
  bool widths = graph->width != NULL;
  uint64_t slots;
  uint32_t slot, i;
  *first = WEND_NO_ID;
  if (!wend_map_can_edit(&graph->map) ||
      !WEND_GROW(&graph->map.alloc, graph->pending, graph->pending_capacity, (uint64_t)graph->pending_count + count) ||
      !wend_slots_reserve(&graph->edges, &graph->map.alloc, count))
    return WEND_NO_MEMORY;
  for (i = 0; i < count && !widths; i++) widths = specs[i].width > 0 && specs[i].width < INFINITY;
  slots = (uint64_t)graph->edges.reserved + count; /* it may be fewer than there are: slots are used again */
  if (slots < graph->edges.count) slots = graph->edges.count;
  if (widths && !wend_graph_grow_widths(graph, slots)) return WEND_NO_MEMORY;
  for (i = 0; i < count; i++) {
    const wend_edge_spec *spec = &specs[i];
    wend_pending *edge = &graph->pending[graph->pending_count + i];
    double length;
    edge->from = slot_of_node(graph, spec->from);
    edge->to = slot_of_node(graph, spec->to);
    length = wend_graph_distance(graph, graph->nodes.value[edge->from], graph->nodes.value[edge->to]);
    edge->weight = spec->weight < 0 ? length : spec->weight + 0.0; /* -0 becomes 0 */
    assert(edge->weight >= 0 && edge->weight < INFINITY);
    edge->kind = spec->tag << ARC_TAG_SHIFT | (spec->weight < 0 ? ARC_MEASURED : 0);
    edge->directed = spec->directed;
    if (!wend_histogram_add(&graph->map.ratios, &graph->map.alloc, spec->tag, edge->weight, length)) break;
  }
  if (i < count) { /* no memory: remove the ratios that were added */
    while (i-- > 0) {
      const wend_pending *edge = &graph->pending[graph->pending_count + i];
      double length = wend_graph_distance(graph, graph->nodes.value[edge->from], graph->nodes.value[edge->to]);
      wend_histogram_remove(&graph->map.ratios, edge->kind >> ARC_TAG_SHIFT, edge->weight, length);
    }
    return WEND_NO_MEMORY;
  }
  slot = wend_slots_take(&graph->edges, count, 0);
  *first = wend_slots_id(&graph->edges, slot);
  note_added(graph, graph->pending + graph->pending_count, count);
  for (i = 0; i < count; i++) {
    wend_pending *edge = &graph->pending[graph->pending_count + i];
    edge->edge = slot + i;
    graph->edges.value[slot + i] = edge->from;
    if (slot + i < graph->edge_touched_capacity) graph->edge_touched[slot + i] = 0;
    if (widths) graph->width[slot + i] = specs[i].width > 0 ? specs[i].width : INFINITY;
    ++*wend_scale_of(&graph->map.scales, edge->weight);
  }
  wend_near_add_edges(graph, graph->pending + graph->pending_count, count);
  graph->pending_count += count;
  graph->map.structure++;
  graph->map.version++;
  return WEND_OK;
}

/* ---- Changing ---------------------------------------------------------------------------------------------- */

wend_status wend_graph_prepare_edit(wend_graph *graph) {
  const wend_alloc *alloc = &graph->map.alloc;
  wend_status status = wend_graph_sync(graph);
  if (status != WEND_OK) return status;
  return wend_map_can_edit(&graph->map) &&
                 WEND_GROW_CLEAR(alloc, graph->edge_touched, graph->edge_touched_capacity, graph->edges.count) &&
                 WEND_GROW_CLEAR(alloc, graph->node_touched, graph->node_touched_capacity, graph->nodes.count)
             ? WEND_OK
             : WEND_NO_MEMORY;
}

/* Removes an edge by slot. The graph is synced and its edge slots are ready. Cannot fail. */
static void remove_edge_slot(wend_graph *graph, uint32_t edge) {
  wend_ends e = wend_graph_ends(graph, edge);
  wend_arc arc = wend_graph_get_arc(graph, e.from_arc);
  wend_histogram_remove(&graph->map.ratios, arc.kind >> ARC_TAG_SHIFT, arc.weight, wend_graph_distance(graph, e.from, e.to));
  --*wend_scale_of(&graph->map.scales, arc.weight);
  wend_near_remove_edge(graph, edge, e.from, e.to);
  note_edge(graph, e.from, e.to);
  graph->map.closings++;
  /* Where a one-way edge leads from a node to itself, both arcs are in one block. to_arc is the later one, so it is removed
   * first: then from_arc does not move. */
  if (e.to_arc != e.from_arc) wend_graph_remove_arc(graph, e.to, e.to_arc);
  wend_graph_remove_arc(graph, e.from, e.from_arc);
  wend_slots_remove(&graph->edges, edge);
}

wend_status wend_graph_remove_edge(wend_graph *graph, wend_id edge) {
  wend_status status = wend_graph_prepare_edit(graph);
  uint32_t slot = wend_slots_find(&graph->edges, edge);
  assert(slot != WEND_NONE);
  if (status != WEND_OK) return status;
  if (!wend_slots_ready(&graph->edges, &graph->map.alloc)) return WEND_NO_MEMORY;
  remove_edge_slot(graph, slot);
  graph->map.structure++;
  graph->map.version++;
  return WEND_OK;
}

wend_status wend_graph_remove_node(wend_graph *graph, wend_id node) {
  wend_status status = wend_graph_prepare_edit(graph);
  uint32_t slot = slot_of_node(graph, node), place;
  if (status != WEND_OK) return status;
  if (!wend_slots_ready(&graph->edges, &graph->map.alloc) || !wend_slots_ready(&graph->nodes, &graph->map.alloc))
    return WEND_NO_MEMORY;
  place = graph->nodes.value[slot];
  while (graph->in[place].end > graph->out[place].first) remove_edge_slot(graph, graph->arc_edge[graph->in[place].end - 1]);
  if (graph->points == NULL || wend_graph_position(graph, node) == NULL) graph->unplaced--;
  wend_near_remove_node(graph, slot);
  wend_names_remove(&graph->node_names, &graph->map.alloc, slot);
  graph->arcs_wasted += graph->room[place];
  graph->room[place] = 0;
  graph->flags[place] = 0;
  wend_graph_put_node_tag(graph, place, WEND_UNTAGGED);
  graph->slot_of[place] = WEND_NONE;
  wend_slots_remove(&graph->nodes, slot);
  note_node(graph, place);
  graph->map.closings++;
  graph->map.structure++;
  graph->map.version++;
  return WEND_OK;
}

/* The arc at the other end of an edge. arc: in the block of `place`. A two-way edge from a node to itself has one arc, which is
 * its own twin. */
static uint32_t twin_of(const wend_graph *graph, uint32_t place, uint32_t arc) {
  const bool incoming = wend_block_section(wend_graph_block(graph, place), arc) != SECTION_IN;
  return wend_graph_find_arc(graph, graph->arc_to[arc], graph->arc_edge[arc], incoming);
}

/* Sets the weight, and from `kind` the tag and ARC_MEASURED, of an arc. Its other flags stay. */
static void set_arc_weight(wend_graph *graph, uint32_t at, double weight, uint32_t kind) {
  wend_arc arc = wend_graph_get_arc(graph, at);
  arc.weight = weight;
  arc.kind = (arc.kind & ARC_BLOCKED) | (kind & ~ARC_BLOCKED);
  wend_graph_set_arc(graph, at, arc);
}

/* Adds the ratios of the arcs of a place before arc `last`, with the present position of the place. Edges from a node to itself
 * have length 0. Returns `last`, or without memory the first arc whose ratio was not added. */
static uint32_t add_ratios(wend_graph *graph, uint32_t place, uint32_t last) {
  uint32_t i = graph->out[place].first;
  for (; i < last; i++) {
    wend_arc arc = wend_graph_get_arc(graph, i);
    double length = arc.to == place ? 0 : wend_graph_distance(graph, place, arc.to);
    double weight = (arc.kind & ARC_MEASURED) != 0 ? length : arc.weight;
    if (!wend_histogram_add(&graph->map.ratios, &graph->map.alloc, arc.kind >> ARC_TAG_SHIFT, weight, length)) break;
  }
  return i;
}

/* Removes the ratios that add_ratios with the same arguments added. */
static void remove_ratios(wend_graph *graph, uint32_t place, uint32_t last) {
  for (uint32_t i = graph->out[place].first; i < last; i++) {
    wend_arc arc = wend_graph_get_arc(graph, i);
    double length = arc.to == place ? 0 : wend_graph_distance(graph, place, arc.to);
    double weight = (arc.kind & ARC_MEASURED) != 0 ? length : arc.weight;
    wend_histogram_remove(&graph->map.ratios, arc.kind >> ARC_TAG_SHIFT, weight, length);
  }
}

/* The ratios are added at the new position before those of the old position are removed, because only adding can fail: the
 * position is changed for that, then changed back. */
wend_status wend_graph_move(wend_graph *graph, wend_id node, const double *position) {
  wend_status status = wend_graph_prepare_edit(graph);
  uint32_t slot = slot_of_node(graph, node), place, added;
  wend_block block;
  double *point, old[3];
  size_t bytes = (size_t)graph->dimensions * sizeof *position;
  if (status != WEND_OK) return status;
  if (graph->points == NULL && !wend_graph_grow_points(graph, graph->place_count)) return WEND_NO_MEMORY;
  place = graph->nodes.value[slot];
  block = wend_graph_block(graph, place);
  point = graph->points + (size_t)place * (size_t)graph->dimensions;
  memcpy(old, point, bytes);
  memcpy(point, position, bytes);
  added = add_ratios(graph, place, block.end);
  if (added < block.end) {
    remove_ratios(graph, place, added);
    memcpy(point, old, bytes);
    return WEND_NO_MEMORY;
  }
  memcpy(point, old, bytes);
  remove_ratios(graph, place, block.end);
  if (old[0] != old[0]) graph->unplaced--;
  memcpy(point, position, bytes);
  for (uint32_t i = block.first; i < block.end; i++) {
    wend_arc arc = wend_graph_get_arc(graph, i);
    double length = wend_graph_distance(graph, place, arc.to);
    if ((arc.kind & ARC_MEASURED) == 0 || arc.to == place) continue;
    --*wend_scale_of(&graph->map.scales, arc.weight);
    ++*wend_scale_of(&graph->map.scales, length);
    set_arc_weight(graph, i, length, arc.kind);
    set_arc_weight(graph, twin_of(graph, place, i), length, arc.kind);
    touch(graph->edge_touched, arc.edge, graph->map.version + 1);
  }
  note_node(graph, place);
  wend_prepared_note(&graph->map, place);
  touch(graph->node_touched, slot, ++graph->map.version);
  wend_near_move(graph, slot, old);
  return WEND_OK;
}

wend_status wend_graph_close_node(wend_graph *graph, wend_id node, bool closed) {
  wend_status status = wend_graph_prepare_edit(graph);
  uint32_t slot = slot_of_node(graph, node), place;
  wend_block block;
  if (status != WEND_OK) return status;
  if (graph->map.derived != NULL) wend_bit_set(graph->map.derived->hidden, slot);
  place = graph->nodes.value[slot];
  block = wend_graph_block(graph, place);
  if (((graph->flags[place] & PLACE_CLOSED) != 0) == closed) return WEND_OK;
  graph->flags[place] ^= PLACE_CLOSED;
  for (uint32_t i = block.first; i < block.end; i++) { /* the arcs that lead here */
    wend_graph_flip_arc(graph, twin_of(graph, place, i), ARC_BARRED);
  }
  note_node(graph, place);
  graph->map.closings += closed;
  touch(graph->node_touched, slot, ++graph->map.version);
  return WEND_OK;
}

wend_status wend_graph_set_node_tag(wend_graph *graph, wend_id node, uint32_t tag) {
  const uint32_t slot = slot_of_node(graph, node);
  wend_status status = wend_graph_prepare_edit(graph);
  uint32_t place;
  if (status != WEND_OK) return status;
  if (tag != WEND_UNTAGGED && !wend_graph_grow_node_tags(graph, graph->place_count, tag)) return WEND_NO_MEMORY;
  if (graph->map.derived != NULL) wend_bit_set(graph->map.derived->hidden, slot);
  place = graph->nodes.value[slot];
  if (wend_graph_tag_at(graph, place) == tag) return WEND_OK;
  wend_graph_put_node_tag(graph, place, tag);
  note_node(graph, place);
  graph->map.closings++; /* another tag may be closed for an agent */
  touch(graph->node_touched, slot, ++graph->map.version);
  return WEND_OK;
}

/* The first step of every change of an edge: wend_graph_prepare_edit, then finds the edge's slot and its arcs. NO_MEMORY. */
static wend_status prepare_edge_edit(wend_graph *graph, wend_id edge, uint32_t *slot, wend_ends *e) {
  wend_status status = wend_graph_prepare_edit(graph);
  *slot = wend_slots_find(&graph->edges, edge);
  assert(*slot != WEND_NONE);
  if (status == WEND_OK) *e = wend_graph_ends(graph, *slot);
  return status;
}

wend_status wend_graph_close_edge(wend_graph *graph, wend_id edge, bool closed) {
  uint32_t slot;
  wend_ends e;
  wend_status status = prepare_edge_edit(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  if (graph->map.derived != NULL) wend_bit_set(graph->map.derived->hidden_edges, slot);
  if (((graph->arc_flags[e.from_arc] & ARC_CLOSED) != 0) == closed) return WEND_OK;
  wend_graph_flip_arc(graph, e.from_arc, ARC_CLOSED);
  if (e.to_arc != e.from_arc) wend_graph_flip_arc(graph, e.to_arc, ARC_CLOSED);
  note_edge(graph, e.from, e.to);
  graph->map.closings += closed;
  touch(graph->edge_touched, slot, ++graph->map.version);
  return WEND_OK;
}

/* The number of arcs of a place, arcs that lead to it included. */
static uint32_t arcs_at(const wend_graph *graph, uint32_t place) { return graph->in[place].end - graph->out[place].first; }

/* Changes the weight of an edge, and from `kind` its tag and whether it is measured. NO_MEMORY. */
static wend_status change_edge(wend_graph *graph, uint32_t slot, wend_ends e, double weight, uint32_t kind) {
  wend_arc arc = wend_graph_get_arc(graph, e.from_arc);
  double length = wend_graph_distance(graph, e.from, e.to);
  const bool same = weight == arc.weight && kind == arc.kind;
  if (!same && !wend_histogram_add(&graph->map.ratios, &graph->map.alloc, kind >> ARC_TAG_SHIFT, weight, length))
    return WEND_NO_MEMORY;
  if (graph->map.derived != NULL) wend_bit_set(graph->map.derived->hidden_edges, slot);
  if (same) return WEND_OK;
  wend_histogram_remove(&graph->map.ratios, arc.kind >> ARC_TAG_SHIFT, arc.weight, length);
  if (kind >> ARC_TAG_SHIFT != arc.kind >> ARC_TAG_SHIFT) graph->map.closings++; /* another tag may be closed for an agent */
  --*wend_scale_of(&graph->map.scales, arc.weight);
  ++*wend_scale_of(&graph->map.scales, weight);
  set_arc_weight(graph, e.from_arc, weight, kind);
  set_arc_weight(graph, e.to_arc, weight, kind);
  note_edge(graph, e.from, e.to);
  wend_prepared_note(&graph->map, arcs_at(graph, e.from) < arcs_at(graph, e.to) ? e.from : e.to); /* both have the edge */
  touch(graph->edge_touched, slot, ++graph->map.version);
  return WEND_OK;
}

wend_status wend_graph_set_weight(wend_graph *graph, wend_id edge, double weight) {
  uint32_t slot, kind;
  wend_ends e;
  wend_status status = prepare_edge_edit(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  kind = wend_graph_get_arc(graph, e.from_arc).kind & ~ARC_MEASURED;
  if (weight < 0) {
    weight = wend_graph_distance(graph, e.from, e.to);
    kind |= ARC_MEASURED;
  }
  return change_edge(graph, slot, e, weight + 0.0, kind); /* -0 becomes 0 */
}

wend_status wend_graph_set_tag(wend_graph *graph, wend_id edge, uint32_t tag) {
  uint32_t slot, kind;
  wend_ends e;
  wend_status status = prepare_edge_edit(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  kind = graph->arc_flags[e.from_arc] | tag << ARC_TAG_SHIFT;
  return change_edge(graph, slot, e, wend_graph_get_arc(graph, e.from_arc).weight, kind);
}

wend_status wend_graph_set_width(wend_graph *graph, wend_id edge, double width) {
  uint32_t slot;
  wend_ends e;
  wend_status status = prepare_edge_edit(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  if (!(width > 0)) width = INFINITY;
  if (width < INFINITY && !wend_graph_grow_widths(graph, graph->edges.count)) return WEND_NO_MEMORY;
  if (graph->map.derived != NULL) wend_bit_set(graph->map.derived->hidden_edges, slot);
  if (wend_graph_width_of(graph, slot) == width) return WEND_OK;
  graph->map.closings += width < graph->width[slot];
  graph->width[slot] = width;
  note_edge(graph, e.from, e.to);
  touch(graph->edge_touched, slot, ++graph->map.version);
  return WEND_OK;
}

/* ---- Parts that overlays hide ------------------------------------------------------------------------------- */

wend_part wend_graph_part(const wend_graph *graph, bool edge, uint32_t slot) {
  wend_part part = {false, false, WEND_UNTAGGED, 0, 0};
  uint32_t place;
  if (edge) {
    const wend_arc arc = wend_graph_get_arc(graph, wend_graph_arc(graph, slot, &place));
    part.closed = (arc.kind & ARC_CLOSED) != 0, part.measured = (arc.kind & ARC_MEASURED) != 0;
    part.tag = arc.kind >> ARC_TAG_SHIFT;
    part.weight = arc.weight, part.width = wend_graph_width_of(graph, slot);
  } else {
    place = graph->nodes.value[slot];
    part.closed = (graph->flags[place] & PLACE_CLOSED) != 0;
    part.tag = wend_graph_tag_at(graph, place);
  }
  return part;
}

bool wend_graph_same_part(const wend_part *a, const wend_part *b) {
  return a->closed == b->closed && a->measured == b->measured && a->tag == b->tag && a->weight == b->weight &&
         a->width == b->width;
}

/* Closing comes last, and always: it also notes that an overlay hides the part. */
wend_status wend_graph_set_part(wend_graph *graph, bool edge, uint32_t slot, const wend_part *part) {
  const wend_id id = wend_slots_id(wend_graph_parts(graph, edge), slot);
  wend_status status = WEND_OK;
  if (edge) {
    const wend_part now = wend_graph_part(graph, true, slot);
    if (part->tag != now.tag) status = wend_graph_set_tag(graph, id, part->tag);
    if (status == WEND_OK && (part->measured != now.measured || (!part->measured && part->weight != now.weight)))
      status = wend_graph_set_weight(graph, id, part->measured ? WEND_MEASURED : part->weight);
    if (status == WEND_OK) status = wend_graph_set_width(graph, id, part->width);
    return status == WEND_OK ? wend_graph_close_edge(graph, id, part->closed) : status;
  }
  status = wend_graph_set_node_tag(graph, id, part->tag);
  return status == WEND_OK ? wend_graph_close_node(graph, id, part->closed) : status;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

wend_status wend_graph_edge(wend_graph *graph, wend_id edge, wend_edge *result) {
  uint32_t slot = wend_slots_find(&graph->edges, edge);
  wend_status status = wend_graph_sync(graph);
  wend_arc arc;
  wend_ends e;
  assert(slot != WEND_NONE);
  if (status != WEND_OK) return status;
  e = wend_graph_ends(graph, slot);
  arc = wend_graph_get_arc(graph, e.from_arc);
  result->from = wend_slots_id(&graph->nodes, graph->slot_of[e.from]);
  result->to = wend_slots_id(&graph->nodes, graph->slot_of[e.to]);
  result->weight = arc.weight;
  result->length = wend_graph_distance(graph, e.from, e.to);
  result->tag = arc.kind >> ARC_TAG_SHIFT;
  result->directed = e.directed;
  result->closed = (arc.kind & ARC_CLOSED) != 0;
  result->measured = (arc.kind & ARC_MEASURED) != 0;
  result->width = wend_graph_width_of(graph, slot);
  return WEND_OK;
}

wend_status wend_graph_edge_between(wend_graph *graph, wend_id a, wend_id b, wend_id *edge) {
  wend_status status = wend_graph_sync(graph);
  uint32_t from, to, best = WEND_NONE;
  double weight = 0;
  wend_id id;
  *edge = WEND_NO_ID;
  if (status != WEND_OK) return status;
  from = place_of(graph, a);
  to = place_of(graph, b);
  for (uint32_t i = graph->out[from].first; i < graph->out[from].end; i++) {
    if (graph->arc_to[i] != to) continue;
    if (best != WEND_NONE && wend_graph_get_arc(graph, i).weight > weight) continue;
    id = wend_slots_id(&graph->edges, graph->arc_edge[i]);
    if (best != WEND_NONE && wend_graph_get_arc(graph, i).weight == weight && id > *edge) continue;
    best = i;
    weight = wend_graph_get_arc(graph, i).weight;
    *edge = id;
  }
  return WEND_OK;
}

wend_status wend_graph_edges(wend_graph *graph, wend_id node, wend_id *edges, uint32_t capacity, uint32_t *count) {
  wend_status status = wend_graph_sync(graph);
  wend_span out;
  *count = 0;
  if (status != WEND_OK) return status;
  out = graph->out[place_of(graph, node)];
  *count = out.end - out.first;
  for (uint32_t i = 0; i < *count && i < capacity; i++) edges[i] = wend_slots_id(&graph->edges, graph->arc_edge[out.first + i]);
  return WEND_OK;
}

/* ---- Names and radii --------------------------------------------------------------------------------------- */

wend_status wend_graph_set_name(wend_graph *graph, wend_id node, const char *name, size_t length) {
  uint32_t slot = slot_of_node(graph, node);
  graph->map.labels++;
  if (length == 0) {
    wend_names_remove(&graph->node_names, &graph->map.alloc, slot);
    return WEND_OK;
  }
  return wend_names_set(&graph->node_names, &graph->map.alloc, slot, name, length) ? WEND_OK : WEND_NO_MEMORY;
}

wend_id wend_graph_find(const wend_graph *graph, const char *name, size_t length) {
  uint32_t slot = wend_names_find(&graph->node_names, name, length);
  return slot == WEND_NONE ? WEND_NO_ID : wend_slots_id(&graph->nodes, slot);
}

const char *wend_graph_name(const wend_graph *graph, wend_id node, size_t *length) {
  return wend_names_text(&graph->node_names, slot_of_node(graph, node), length);
}

wend_status wend_graph_set_radius(wend_graph *graph, wend_id node, double radius) {
  uint32_t slot = slot_of_node(graph, node);
  assert(radius >= 0);
  if (slot >= graph->radius_capacity && radius == INFINITY) return WEND_OK;
  if (!grow_radius(graph, slot)) return WEND_NO_MEMORY;
  graph->map.labels++;
  graph->radius[slot] = radius;
  return WEND_OK;
}

double wend_graph_radius(const wend_graph *graph, wend_id node) {
  uint32_t slot = slot_of_node(graph, node);
  return slot < graph->radius_capacity ? graph->radius[slot] : INFINITY;
}
