/* SPDX-License-Identifier: MIT */
/* Graphs in files: as they lie in memory, without what was removed, so that a graph that was read is laid out as the one
 * that was written, and gives the same bytes again. */
#include <math.h>

#include "core/bits.h"
#include "core/file.h"
#include "core/graph.h"

WEND_NO_FUSING

#define HAS_POINTS 1u
#define HAS_NODE_GENERATIONS 2u
#define HAS_EDGE_GENERATIONS 4u
#define IS_CLOSED 1u
#define IS_MEASURED 2u
#define IS_DIRECTED 4u
/* A slot that can never be used again. */
#define USED_UP (WEND_GENERATION_MAX + 1)

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static void write_generations(wend_writer *w, const wend_slots *slots) {
  for (uint32_t slot = 0; slots->generation != NULL && slot < slots->count; slot++)
    wend_write_whole(w, wend_slots_is_used_up(slots, slot) ? USED_UP : slots->generation[slot], 4);
}

/* Whether any node has a position. */
static bool has_points(const wend_graph *graph) { return graph->points != NULL && graph->unplaced < graph->nodes.live; }

/* Format 1 has no word for a radius of 0: such a node is written as if nobody had said. */
static bool has_radius(const wend_graph *graph, uint32_t slot) {
  return slot < graph->radius_capacity && graph->radius[slot] > 0 && graph->radius[slot] < INFINITY;
}

/* By place, in order, without the places of removed nodes. */
static void write_nodes(wend_writer *w, const wend_graph *graph) {
  const size_t dimensions = (size_t)graph->dimensions;
  const bool points = has_points(graph);
  uint32_t named = 0, wide = 0;
  for (uint32_t p = 0; p < graph->place_count; p++) {
    if (graph->slot_of[p] == WEND_NONE) continue;
    wend_write_whole(w, graph->slot_of[p], 4);
    wend_write_whole(w, (graph->flags[p] & PLACE_CLOSED) != 0 ? IS_CLOSED : 0, 1);
    for (size_t d = 0; points && d < dimensions; d++) {
      const double number = graph->points[p * dimensions + d];
      wend_write_number(w, number == number ? number : NAN);
    }
  }
  for (uint32_t slot = 0; slot < graph->nodes.count; slot++) {
    size_t length = 0;
    if (graph->nodes.value[slot] == WEND_NONE) continue;
    named += wend_names_text(&graph->node_names, slot, &length) != NULL;
    wide += has_radius(graph, slot);
  }
  wend_write_whole(w, named, 4);
  for (uint32_t slot = 0; slot < graph->nodes.count && named > 0; slot++) {
    size_t length = 0;
    const char *name = graph->nodes.value[slot] == WEND_NONE ? NULL : wend_names_text(&graph->node_names, slot, &length);
    if (name == NULL) continue;
    wend_write_whole(w, slot, 4);
    wend_write_whole(w, length, 4);
    wend_write_bytes(w, name, length);
  }
  wend_write_whole(w, wide, 4);
  for (uint32_t slot = 0; slot < graph->nodes.count && wide > 0; slot++) {
    if (graph->nodes.value[slot] == WEND_NONE || !has_radius(graph, slot)) continue;
    wend_write_whole(w, slot, 4);
    wend_write_number(w, graph->radius[slot]);
  }
}

static void write_edges(wend_writer *w, const wend_graph *graph) {
  for (uint32_t edge = 0; edge < graph->edges.count; edge++) {
    uint32_t from, arc, flags;
    if (graph->edges.value[edge] == WEND_NONE) continue;
    arc = wend_graph_arc(graph, edge, &from);
    flags = ((graph->arc_flags[arc] & ARC_CLOSED) != 0 ? IS_CLOSED : 0) |
            ((graph->arc_flags[arc] & ARC_MEASURED) != 0 ? IS_MEASURED : 0) |
            (arc < graph->in[from].first ? IS_DIRECTED : 0);
    wend_write_whole(w, edge, 4);
    wend_write_whole(w, graph->edges.value[edge], 4);
    wend_write_whole(w, graph->slot_of[graph->arc_to[arc]], 4);
    wend_write_number(w, fabs(graph->arc_weight[arc]));
    wend_write_whole(w, graph->arc_tag[arc], 2);
    wend_write_whole(w, flags, 1);
  }
}

/* Which edges stand in the block of each place, and where. */
static void write_blocks(wend_writer *w, const wend_graph *graph) {
  for (uint32_t p = 0; p < graph->place_count; p++) {
    const wend_span out = graph->out[p], in = graph->in[p];
    if (graph->slot_of[p] == WEND_NONE) continue;
    wend_write_whole(w, in.first - out.first, 4);
    wend_write_whole(w, out.end - in.first, 4);
    wend_write_whole(w, in.end - out.end, 4);
    for (uint32_t i = out.first; i < in.end; i++) wend_write_whole(w, graph->arc_edge[i], 4);
  }
}

wend_status wend_graph_encode(wend_graph *graph, void *bytes, size_t *size) {
  wend_status status = wend_graph_sync(graph);
  wend_writer w;
  if (status != WEND_OK) return status;
  wend_file_begin(&w, bytes, WEND_FILE_GRAPH);
  wend_write_whole(&w, (uint64_t)graph->dimensions, 1);
  wend_write_whole(&w, (has_points(graph) ? HAS_POINTS : 0) |
                           (graph->nodes.generation != NULL ? HAS_NODE_GENERATIONS : 0) |
                           (graph->edges.generation != NULL ? HAS_EDGE_GENERATIONS : 0), 1);
  wend_write_whole(&w, 0, 2);
  wend_write_tags(&w, &graph->map);
  wend_write_whole(&w, graph->nodes.count, 4);
  wend_write_whole(&w, graph->nodes.live, 4);
  wend_write_whole(&w, graph->edges.count, 4);
  wend_write_whole(&w, graph->edges.live, 4);
  wend_write_whole(&w, graph->nodes.cursor, 4); /* so that the next ids are the same as well */
  wend_write_whole(&w, graph->edges.cursor, 4);
  write_generations(&w, &graph->nodes);
  write_generations(&w, &graph->edges);
  write_nodes(&w, graph);
  write_edges(&w, graph);
  write_blocks(&w, graph);
  *size = wend_file_end(&w, bytes);
  return WEND_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

#define NODE_BYTES 5u /* and its position */
#define EDGE_BYTES 23u

/* What an edge of the file says. */
typedef struct filed_edge {
  double weight;
  uint32_t from, to; /* slots */
  uint32_t kind;     /* as of an arc */
  bool directed;
  uint8_t seen;      /* 1: at its beginning, 2: at its end */
} filed_edge;

static bool is_point(const double *point, int dimensions) {
  bool nowhere = true, somewhere = true;
  for (int d = 0; d < dimensions; d++) {
    nowhere = nowhere && point[d] != point[d];
    somewhere = somewhere && fabs(point[d]) <= WEND_COORDINATE_MAX;
  }
  return nowhere || somewhere;
}

static wend_status read_slots(wend_reader *r, const wend_alloc *alloc, wend_slots *slots, uint32_t count, uint32_t live,
                              bool generations) {
  const uint8_t *at = NULL;
  if (generations) at = wend_read_items(r, count, 4);
  if (r->failed || live > count || (!generations && live != count)) return WEND_FORMAT;
  for (uint32_t slot = 0; generations && slot < count; slot++)
    if (wend_load_whole(at + 4 * (size_t)slot, 4) > USED_UP) return WEND_FORMAT;
  return wend_slots_restore(slots, alloc, count, at) ? WEND_OK : WEND_NO_MEMORY;
}

static wend_status read_nodes(wend_reader *r, wend_graph *graph, uint32_t live, bool points) {
  const wend_alloc *alloc = &graph->map.alloc;
  const size_t dimensions = (size_t)graph->dimensions, each = NODE_BYTES + (points ? 8 * dimensions : 0);
  const uint8_t *at = wend_read_items(r, live, each);
  uint32_t named, wide;
  if (r->failed) return WEND_FORMAT;
  if (!wend_graph_grow_places(graph, live) || (points && !wend_graph_grow_points(graph, live))) return WEND_NO_MEMORY;
  for (uint32_t p = 0; p < live; p++, at += each) {
    const uint32_t slot = (uint32_t)wend_load_whole(at, 4);
    if (slot >= graph->nodes.count || graph->nodes.value[slot] != WEND_NONE || at[4] > IS_CLOSED) return WEND_FORMAT;
    if (!wend_slots_revive(&graph->nodes, slot, p)) return WEND_FORMAT;
    graph->slot_of[p] = slot;
    graph->flags[p] = at[4] != 0 ? PLACE_CLOSED : 0;
    graph->place_count = p + 1;
    for (size_t d = 0; points && d < dimensions; d++) graph->points[p * dimensions + d] = wend_load_number(at + NODE_BYTES + 8 * d);
    if (points && !is_point(graph->points + p * dimensions, graph->dimensions)) return WEND_FORMAT;
    if (!points || graph->points[p * dimensions] != graph->points[p * dimensions]) graph->unplaced++;
  }
  graph->ordered_count = live;
  named = (uint32_t)wend_read_whole(r, 4);
  for (uint32_t i = 0, least = 0; i < named && !r->failed; i++) {
    const uint32_t slot = (uint32_t)wend_read_whole(r, 4), length = (uint32_t)wend_read_whole(r, 4);
    const uint8_t *name = wend_read_items(r, length, 1);
    if (r->failed || length == 0 || slot < least || slot >= graph->nodes.count || graph->nodes.value[slot] == WEND_NONE)
      return WEND_FORMAT;
    if (wend_names_find(&graph->node_names, (const char *)name, length) != WEND_NONE) return WEND_FORMAT;
    if (!wend_names_set(&graph->node_names, alloc, slot, (const char *)name, length)) return WEND_NO_MEMORY;
    least = slot + 1;
  }
  wide = (uint32_t)wend_read_whole(r, 4);
  at = wend_read_items(r, wide, 12);
  for (uint32_t i = 0, least = 0; i < wide && !r->failed; i++, at += 12) {
    const uint32_t slot = (uint32_t)wend_load_whole(at, 4);
    const double radius = wend_load_number(at + 4);
    if (slot < least || slot >= graph->nodes.count || graph->nodes.value[slot] == WEND_NONE) return WEND_FORMAT;
    if (!(radius > 0 && radius < INFINITY)) return WEND_FORMAT;
    if (wend_graph_set_radius(graph, wend_slots_id(&graph->nodes, slot), radius) != WEND_OK) return WEND_NO_MEMORY;
    least = slot + 1;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* The distance that a measured edge has; NaN: none. */
static double length_of(const wend_graph *graph, const filed_edge *edge) {
  const double *a, *b;
  double sum = 0;
  if (graph->points == NULL) return NAN;
  a = wend_graph_point(graph, graph->nodes.value[edge->from]);
  b = wend_graph_point(graph, graph->nodes.value[edge->to]);
  for (int d = 0; d < graph->dimensions; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return wend_sqrt(sum);
}

static wend_status read_edges(wend_reader *r, wend_graph *graph, filed_edge *edges, uint32_t live) {
  const uint8_t *at = wend_read_items(r, live, EDGE_BYTES);
  const uint32_t tags = wend_map_tag_count(&graph->map);
  if (r->failed) return WEND_FORMAT;
  for (uint32_t i = 0, least = 0; i < live; i++, at += EDGE_BYTES) {
    const uint32_t slot = (uint32_t)wend_load_whole(at, 4), tag = (uint32_t)wend_load_whole(at + 20, 2), flags = at[22];
    filed_edge *edge;
    double length;
    if (slot < least || slot >= graph->edges.count || tag > tags || flags > (IS_CLOSED | IS_MEASURED | IS_DIRECTED))
      return WEND_FORMAT;
    least = slot + 1;
    edge = &edges[slot];
    edge->from = (uint32_t)wend_load_whole(at + 4, 4);
    edge->to = (uint32_t)wend_load_whole(at + 8, 4);
    edge->weight = wend_load_number(at + 12);
    edge->kind = tag << ARC_TAG_SHIFT | ((flags & IS_CLOSED) != 0 ? ARC_CLOSED : 0) |
                 ((flags & IS_MEASURED) != 0 ? ARC_MEASURED : 0);
    edge->directed = (flags & IS_DIRECTED) != 0;
    edge->seen = 0;
    if (edge->from >= graph->nodes.count || graph->nodes.value[edge->from] == WEND_NONE || edge->to >= graph->nodes.count ||
        graph->nodes.value[edge->to] == WEND_NONE || !(edge->weight >= 0 && edge->weight < INFINITY) || signbit(edge->weight))
      return WEND_FORMAT;
    length = length_of(graph, edge);
    if ((flags & IS_MEASURED) != 0 && length != edge->weight) return WEND_FORMAT;
    if (!wend_slots_revive(&graph->edges, slot, edge->from)) return WEND_FORMAT;
    if (!wend_ratios_add(&graph->map.ratios, &graph->map.alloc, tag, edge->weight, length)) return WEND_NO_MEMORY;
    ++*wend_scale_of(&graph->map.scales, edge->weight);
  }
  return WEND_OK;
}

/* Puts an edge where it stands in the block of a place; section: 0 out, 1 both, 2 in. False: it cannot stand there. */
static bool place_arc(wend_graph *graph, filed_edge *edges, uint32_t place, uint32_t at, int section, uint32_t slot) {
  filed_edge *edge;
  wend_arc arc;
  uint8_t end;
  uint32_t other;
  if (slot >= graph->edges.count || graph->edges.value[slot] == WEND_NONE) return false;
  edge = &edges[slot];
  if (edge->directed == (section == 1)) return false;
  if (section == 1 && edge->from == edge->to) {
    end = 3;
    if (graph->slot_of[place] != edge->from) return false;
  } else if (section == 2 || (section == 1 && graph->slot_of[place] != edge->from)) {
    end = 2;
    if (graph->slot_of[place] != edge->to) return false;
  } else {
    end = 1;
    if (graph->slot_of[place] != edge->from) return false;
  }
  if ((edge->seen & end) != 0) return false;
  edge->seen |= end;
  other = graph->nodes.value[end == 2 ? edge->from : edge->to];
  arc.weight = edge->weight;
  arc.to = other;
  arc.kind = edge->kind | ((graph->flags[other] & PLACE_CLOSED) != 0 ? ARC_BARRED : 0);
  arc.edge = slot;
  wend_graph_set_arc(graph, at, arc);
  return true;
}

static wend_status read_blocks(wend_reader *r, wend_graph *graph, filed_edge *edges) {
  uint64_t arcs = 0;
  wend_reader ahead = *r;
  for (uint32_t p = 0; p < graph->place_count; p++) {
    const uint64_t count = wend_read_whole(&ahead, 4) + wend_read_whole(&ahead, 4) + wend_read_whole(&ahead, 4);
    (void)wend_read_items(&ahead, count, 4);
    arcs += count;
  }
  if (ahead.failed || arcs > 2 * (uint64_t)graph->edges.live) return WEND_FORMAT;
  if (!wend_graph_grow_pool(graph, arcs)) return WEND_NO_MEMORY;
  for (uint32_t p = 0; p < graph->place_count; p++) {
    const uint32_t counts[3] = {(uint32_t)wend_read_whole(r, 4), (uint32_t)wend_read_whole(r, 4), (uint32_t)wend_read_whole(r, 4)};
    const uint32_t first = graph->arcs_used;
    uint32_t at = first;
    const wend_block block = {first, first + counts[0], first + counts[0] + counts[1], first + counts[0] + counts[1] + counts[2]};
    const uint8_t *slots = wend_read_items(r, block.end - first, 4);
    for (int section = 0; section < 3; section++)
      for (uint32_t i = 0; i < counts[section]; i++, at++, slots += 4)
        if (!place_arc(graph, edges, p, at, section, (uint32_t)wend_load_whole(slots, 4))) return WEND_FORMAT;
    wend_graph_set_block(graph, p, block);
    graph->room[p] = block.end - first;
    graph->arcs_used = block.end;
  }
  for (uint32_t slot = 0; slot < graph->edges.count; slot++)
    if (graph->edges.value[slot] != WEND_NONE && edges[slot].seen != 3) return WEND_FORMAT;
  return WEND_OK;
}

static wend_status read_graph(wend_reader *r, wend_graph *graph, uint32_t flags) {
  const wend_alloc *alloc = &graph->map.alloc;
  filed_edge *edges = NULL;
  uint32_t edges_capacity = 0, counts[6];
  wend_status status = wend_read_tags(r, &graph->map);
  for (int i = 0; i < 6; i++) counts[i] = (uint32_t)wend_read_whole(r, 4);
  if (status == WEND_OK && (r->failed || counts[4] > counts[0] || counts[5] > counts[2])) status = WEND_FORMAT;
  /* What takes memory takes bytes, of its generation or of its own. */
  if (status == WEND_OK && (flags & HAS_NODE_GENERATIONS) == 0 && counts[0] > r->left / NODE_BYTES) status = WEND_FORMAT;
  if (status == WEND_OK) status = read_slots(r, alloc, &graph->nodes, counts[0], counts[1], (flags & HAS_NODE_GENERATIONS) != 0);
  if (status == WEND_OK && (flags & HAS_EDGE_GENERATIONS) == 0 && counts[2] > r->left / EDGE_BYTES) status = WEND_FORMAT;
  if (status == WEND_OK) status = read_slots(r, alloc, &graph->edges, counts[2], counts[3], (flags & HAS_EDGE_GENERATIONS) != 0);
  graph->nodes.cursor = counts[4], graph->edges.cursor = counts[5];
  if (status == WEND_OK) status = read_nodes(r, graph, counts[1], (flags & HAS_POINTS) != 0);
  if (status != WEND_OK) return status;
  if (!WEND_RESIZE(alloc, edges, edges_capacity, counts[2])) return WEND_NO_MEMORY;
  status = read_edges(r, graph, edges, counts[3]);
  if (status == WEND_OK) status = read_blocks(r, graph, edges);
  WEND_FREE(alloc, edges, edges_capacity);
  return status;
}

wend_status wend_graph_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_graph **graph) {
  wend_reader r;
  uint32_t dimensions, flags;
  wend_status status;
  *graph = NULL;
  if (!wend_file_open(&r, bytes, size, WEND_FILE_GRAPH)) return WEND_FORMAT;
  dimensions = (uint32_t)wend_read_whole(&r, 1);
  flags = (uint32_t)wend_read_whole(&r, 1);
  if (wend_read_whole(&r, 2) != 0 || dimensions < 2 || dimensions > 3 ||
      flags > (HAS_POINTS | HAS_NODE_GENERATIONS | HAS_EDGE_GENERATIONS))
    return WEND_FORMAT;
  *graph = wend_graph_create(alloc, (int)dimensions);
  if (*graph == NULL) return WEND_NO_MEMORY;
  status = read_graph(&r, *graph, flags);
  if (status == WEND_OK && !wend_file_is_done(&r)) status = WEND_FORMAT;
  if (status == WEND_OK) status = wend_graph_sync(*graph);
  (*graph)->map.version++;
  if (status == WEND_OK) return WEND_OK;
  wend_graph_destroy(*graph);
  *graph = NULL;
  return status;
}
