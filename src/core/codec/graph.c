/* SPDX-License-Identifier: MIT */
/* Graphs in files: places and blocks in their order in memory, without those of removed nodes. So a graph that was read has the
 * layout of the one that was written, decides ties in the same way, and is written as the same bytes. The reader refuses
 * everything that the writer never writes.
 *
 *   GRPH           dimensions, counts, and where the search for free slots goes on
 *   TAGS           tags.h
 *   NGEN, EGEN     generations of the slots of nodes and of edges
 *   NODE           by place: slot, flags, position
 *   NAME, RADI, NTAG   by slot, of the nodes that have one: name, radius, tag
 *   EDGE           by slot: ends, weight, tag, flags
 *   WIDE           by slot, of the edges that have a width: the width
 *   ARCS           by place: how many arcs each section has, then their edges
 *
 * An example of ARCS: the packed graph of graph_store.c. Place 0 has the block e2 f0 | e3 | e4, place 1 the block e4 | e3 | e2
 * f0, where f0 is in slot 0. Numbers of 4 bytes:
 *
 *   2 1 1   2 0 3 4      place 0: the counts, then the slots of the edges
 *   1 1 2   4 3 2 0      place 1
 *
 * An arc has no other data in the file: EDGE has its weight, tag and flags once for both ends. */
#include <float.h>
#include <math.h>

#include "core/base/bits.h"
#include "core/codec/file.h"
#include "core/codec/ids.h"
#include "core/codec/prepared.h"
#include "core/codec/tags.h"
#include "core/map/graph_store.h"

WEND_NO_FUSING

/* Flags of a graph, then those of nodes and edges. */
#define HAS_POINTS 1u
#define IS_CLOSED 1u
#define IS_MEASURED 2u
#define IS_DIRECTED 4u
/* The bits of each coordinate of a node without a position: a NaN. */
#define NO_NUMBER 0x7ff8000000000000u
/* The radius of nodes that have none, as wend_graph_radius returns it. It is not written. */
#define NO_RADIUS INFINITY

/* The numbers of section GRPH, in its order. */
typedef struct graph_head {
  uint8_t dimensions, flags;
  uint16_t zero;
  uint32_t node_slots, nodes, edge_slots, edges;
  uint32_t node_cursor, edge_cursor; /* so that nodes and edges added later get the same ids */
} graph_head;

#define WHOLE(field, bytes) WEND_WHOLE(graph_head, field, bytes)
static const wend_record_item head_items[] = {WHOLE(dimensions, 1), WHOLE(flags, 1),       WHOLE(zero, 2),
                                              WHOLE(node_slots, 4), WHOLE(nodes, 4),       WHOLE(edge_slots, 4),
                                              WHOLE(edges, 4),      WHOLE(node_cursor, 4), WHOLE(edge_cursor, 4)};
#undef WHOLE
#define HEAD_COUNT (sizeof head_items / sizeof *head_items)

/* ---- Writing ----------------------------------------------------------------------------------------------- */

/* Whether any node has a position. */
static bool has_points(const wend_graph *graph) { return graph->points != NULL && graph->unplaced < graph->nodes.live; }

/* Section NODE. */
static void write_nodes(wend_file_out *f, const wend_graph *graph) {
  const size_t dimensions = (size_t)graph->dimensions;
  const bool points = has_points(graph);
  wend_writer *w = &f->w;
  wend_file_begin_section(f, "NODE", graph->nodes.live > 0);
  for (uint32_t p = 0; p < graph->place_count; p++) {
    if (graph->slot_of[p] == WEND_NONE) continue;
    wend_write_uint(w, graph->slot_of[p], 4);
    wend_write_uint(w, (graph->flags[p] & PLACE_CLOSED) != 0 ? IS_CLOSED : 0, 1);
    for (size_t d = 0; points && d < dimensions; d++) {
      const double number = graph->points[p * dimensions + d];
      if (number == number) wend_write_double(w, number);
      else wend_write_uint(w, NO_NUMBER, 8);
    }
  }
  wend_file_end_section(f);
}

/* Rows of sections NAME, RADI and NTAG. */

static void write_name(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  size_t length = 0;
  const char *name = wend_names_text(&graph->node_names, slot, &length);
  if (name == NULL) return;
  wend_write_uint(&f->w, slot, 4);
  wend_write_uint(&f->w, length, 4);
  wend_write_bytes(&f->w, name, length);
}

static void write_radius(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  const double radius = wend_graph_radius(graph, wend_slots_id(&graph->nodes, slot)) + 0.0; /* -0 becomes 0 */
  if (radius == NO_RADIUS) return;
  wend_write_uint(&f->w, slot, 4);
  wend_write_double(&f->w, radius);
}

static void write_node_tag(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  const uint32_t tag = wend_graph_tag_at(graph, graph->nodes.value[slot]);
  if (tag == WEND_UNTAGGED) return;
  wend_write_uint(&f->w, slot, 4);
  wend_write_uint(&f->w, wend_tag_number(f, tag), 2);
}

/* Section EDGE. */
static void write_edges(wend_file_out *f, const wend_graph *graph) {
  wend_writer *w = &f->w;
  wend_file_begin_section(f, "EDGE", graph->edges.live > 0);
  for (uint32_t edge = 0; edge < graph->edges.count; edge++) {
    uint32_t from, arc, flags;
    if (graph->edges.value[edge] == WEND_NONE) continue;
    arc = wend_graph_arc(graph, edge, &from);
    flags = ((graph->arc_flags[arc] & ARC_CLOSED) != 0 ? IS_CLOSED : 0) |
            ((graph->arc_flags[arc] & ARC_MEASURED) != 0 ? IS_MEASURED : 0) | (arc < graph->in[from].first ? IS_DIRECTED : 0);
    wend_write_uint(w, edge, 4);
    wend_write_uint(w, graph->edges.value[edge], 4);
    wend_write_uint(w, graph->slot_of[graph->arc_to[arc]], 4);
    wend_write_double(w, fabs(graph->arc_weight[arc]));
    wend_write_uint(w, wend_tag_number(f, graph->arc_tag[arc]), 2);
    wend_write_uint(w, flags, 1);
  }
  wend_file_end_section(f);
}

/* A row of section WIDE. */
static void write_width(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  if (graph->width[slot] == INFINITY) return;
  wend_write_uint(&f->w, slot, 4);
  wend_write_double(&f->w, graph->width[slot]);
}

/* Section ARCS. */
static void write_blocks(wend_file_out *f, const wend_graph *graph) {
  wend_writer *w = &f->w;
  wend_file_begin_section(f, "ARCS", graph->nodes.live > 0);
  for (uint32_t p = 0; p < graph->place_count; p++) {
    const wend_span out = graph->out[p], in = graph->in[p];
    if (graph->slot_of[p] == WEND_NONE) continue;
    wend_write_uint(w, in.first - out.first, 4);
    wend_write_uint(w, out.end - in.first, 4);
    wend_write_uint(w, in.end - out.end, 4);
    for (uint32_t i = out.first; i < in.end; i++) wend_write_uint(w, graph->arc_edge[i], 4);
  }
  wend_file_end_section(f);
}

/* prepared: with the tables of a prepared graph. */
static wend_status encode_graph(wend_graph *graph, bool prepared, const wend_tag_ranks *ranks, void *bytes, size_t *size) {
  const wend_slots *nodes = &graph->nodes, *edges = &graph->edges;
  wend_status status = wend_graph_sync(graph);
  const graph_head head = {(uint8_t)graph->dimensions,
                           has_points(graph) ? HAS_POINTS : 0,
                           0,
                           nodes->count,
                           nodes->live,
                           edges->count,
                           edges->live,
                           wend_ids_cursor(nodes),
                           wend_ids_cursor(edges)};
  wend_file_out f;
  if (status != WEND_OK) return status;
  wend_file_begin(&f, bytes, WEND_FILE_GRAPH);
  f.ranks = ranks;
  wend_file_begin_section(&f, "GRPH", true);
  wend_write_record(&f.w, &head, head_items, HEAD_COUNT);
  wend_file_end_section(&f);
  wend_write_tags(&f, &graph->map);
  wend_write_generations(&f, "NGEN", nodes);
  wend_write_generations(&f, "EGEN", edges);
  write_nodes(&f, graph);
  wend_write_rows(&f, "NAME", nodes, graph->node_names.count > 0, write_name, graph);
  wend_write_rows(&f, "RADI", nodes, graph->radius_capacity > 0, write_radius, graph);
  wend_write_rows(&f, "NTAG", nodes, graph->tagged_count > 0, write_node_tag, graph);
  write_edges(&f, graph);
  wend_write_rows(&f, "WIDE", edges, graph->width != NULL, write_width, graph);
  write_blocks(&f, graph);
  if (prepared) wend_write_prepared(&f, &graph->map);
  *size = wend_file_end(&f);
  return WEND_OK;
}

wend_status wend_graph_encode(wend_graph *graph, void *bytes, size_t *size) {
  return encode_graph(graph, true, NULL, bytes, size);
}

wend_status wend_graph_encode_bare(wend_graph *graph, void *bytes, size_t *size) {
  return encode_graph(graph, false, NULL, bytes, size);
}

wend_status wend_graph_encode_ranked(wend_graph *graph, const wend_tag_ranks *ranks, void *bytes, size_t *size) {
  return encode_graph(graph, false, ranks, bytes, size);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

#define NODE_BYTES 5u /* without the position */
#define EDGE_BYTES 23u

/* An edge of the file. */
typedef struct file_edge {
  double weight;
  uint32_t from, to; /* slots */
  uint32_t kind;     /* as in wend_arc */
  bool directed;
  uint8_t seen; /* which ends ARCS had: 1: where it begins, 2: where it ends */
} file_edge;

/* Reads a position, perhaps that of a node without one: NaN. False: the writer does not write such numbers. */
static bool read_point(const uint8_t *at, double *point, int dimensions) {
  int none = 0;
  for (int d = 0; d < dimensions; d++) {
    point[d] = wend_load_double(at + 8 * d);
    if (fabs(point[d]) <= WEND_COORDINATE_MAX) continue;
    if (wend_load_uint(at + 8 * d, 8) != NO_NUMBER) return false;
    none++;
  }
  return none == 0 || none == dimensions;
}

/* Section NODE. live: how many nodes. points: whether they have positions. */
static wend_status read_nodes(wend_file_in *f, wend_graph *graph, uint32_t live, bool points) {
  const size_t dimensions = (size_t)graph->dimensions, each = NODE_BYTES + (points ? 8 * dimensions : 0);
  wend_reader *r = wend_file_section(f, "NODE");
  const uint8_t *at = wend_read_items(r, live, each);
  if (r->failed) return WEND_FORMAT;
  if (!wend_graph_grow_places(graph, live) || (points && !wend_graph_grow_points(graph, live))) return WEND_NO_MEMORY;
  for (uint32_t p = 0; p < live; p++, at += each) {
    const uint32_t slot = (uint32_t)wend_load_uint(at, 4);
    if (slot >= graph->nodes.count || graph->nodes.value[slot] != WEND_NONE || at[4] > IS_CLOSED) return WEND_FORMAT;
    if (!wend_slots_revive(&graph->nodes, slot, p)) return WEND_FORMAT;
    graph->slot_of[p] = slot;
    graph->flags[p] = at[4] != 0 ? PLACE_CLOSED : 0;
    graph->place_count = p + 1;
    if (points && !read_point(at + NODE_BYTES, graph->points + p * dimensions, graph->dimensions)) return WEND_FORMAT;
    if (!points || graph->points[p * dimensions] != graph->points[p * dimensions]) graph->unplaced++;
  }
  graph->ordered_count = live;
  return wend_ids_were_used(&graph->nodes) && points == has_points(graph) ? WEND_OK : WEND_FORMAT;
}

/* The rest of a row of section NAME: no name is there twice. */
static wend_status read_name(wend_reader *r, void *ud, uint32_t slot) {
  wend_graph *graph = ud;
  const uint32_t length = (uint32_t)wend_read_uint(r, 4);
  const char *name = (const char *)wend_read_items(r, length, 1);
  if (r->failed || length == 0 || wend_names_find(&graph->node_names, name, length) != WEND_NONE) return WEND_FORMAT;
  return wend_names_set(&graph->node_names, &graph->map.alloc, slot, name, length) ? WEND_OK : WEND_NO_MEMORY;
}

/* Of section RADI. */
static wend_status read_radius(wend_reader *r, void *ud, uint32_t slot) {
  wend_graph *graph = ud;
  const double radius = wend_read_number(r, 0, DBL_MAX);
  if (r->failed || signbit(radius) || radius == NO_RADIUS) return WEND_FORMAT;
  return wend_graph_set_radius(graph, wend_slots_id(&graph->nodes, slot), radius);
}

/* Of section NTAG. */
static wend_status read_node_tag(wend_reader *r, void *ud, uint32_t slot) {
  wend_graph *graph = ud;
  const uint32_t tag = (uint32_t)wend_read_uint(r, 2), tags = wend_map_tag_count(&graph->map);
  if (tag == WEND_UNTAGGED || tag > tags) return WEND_FORMAT;
  if (!wend_graph_grow_node_tags(graph, graph->place_count, tags)) return WEND_NO_MEMORY;
  wend_graph_put_node_tag(graph, graph->nodes.value[slot], tag);
  return WEND_OK;
}

/* Section EDGE, into `edges` by slot, and into the statistics. live: how many edges. */
static wend_status read_edges(wend_file_in *f, wend_graph *graph, file_edge *edges, uint32_t live) {
  wend_reader *r = wend_file_section(f, "EDGE");
  const uint8_t *at = wend_read_items(r, live, EDGE_BYTES);
  const uint32_t tags = wend_map_tag_count(&graph->map);
  if (r->failed) return WEND_FORMAT;
  for (uint32_t i = 0, least = 0; i < live; i++, at += EDGE_BYTES) {
    const uint32_t slot = (uint32_t)wend_load_uint(at, 4), tag = (uint32_t)wend_load_uint(at + 20, 2), flags = at[22];
    file_edge *edge;
    double length;
    if (slot < least || slot >= graph->edges.count || tag > tags || flags > (IS_CLOSED | IS_MEASURED | IS_DIRECTED))
      return WEND_FORMAT;
    least = slot + 1;
    edge = &edges[slot];
    edge->from = (uint32_t)wend_load_uint(at + 4, 4);
    edge->to = (uint32_t)wend_load_uint(at + 8, 4);
    edge->weight = wend_load_double(at + 12);
    edge->kind =
        tag << ARC_TAG_SHIFT | ((flags & IS_CLOSED) != 0 ? ARC_CLOSED : 0) | ((flags & IS_MEASURED) != 0 ? ARC_MEASURED : 0);
    edge->directed = (flags & IS_DIRECTED) != 0;
    edge->seen = 0;
    if (edge->from >= graph->nodes.count || graph->nodes.value[edge->from] == WEND_NONE || edge->to >= graph->nodes.count ||
        graph->nodes.value[edge->to] == WEND_NONE || !(edge->weight >= 0 && edge->weight < INFINITY) || signbit(edge->weight))
      return WEND_FORMAT;
    length = wend_graph_distance(graph, graph->nodes.value[edge->from], graph->nodes.value[edge->to]);
    if ((flags & IS_MEASURED) != 0 && length != edge->weight) return WEND_FORMAT;
    if (!wend_slots_revive(&graph->edges, slot, edge->from)) return WEND_FORMAT;
    if (!wend_histogram_add(&graph->map.ratios, &graph->map.alloc, tag, edge->weight, length)) return WEND_NO_MEMORY;
    ++*wend_scale_of(&graph->map.scales, edge->weight);
  }
  return wend_ids_were_used(&graph->edges) ? WEND_OK : WEND_FORMAT;
}

/* Of section WIDE. */
static wend_status read_width(wend_reader *r, void *ud, uint32_t slot) {
  wend_graph *graph = ud;
  const double width = wend_read_number(r, 0, DBL_MAX);
  if (!(width > 0)) return WEND_FORMAT;
  if (!wend_graph_grow_widths(graph, graph->edges.count)) return WEND_NO_MEMORY;
  graph->width[slot] = width;
  return WEND_OK;
}

/* Sets arc `at`, of the edge in a slot, in a section of the block of a place. False: that section cannot have an arc of this
 * edge, or the arc of this end was there before. */
static bool read_arc(wend_graph *graph, file_edge *edges, uint32_t place, uint32_t at, wend_section section, uint32_t slot) {
  const uint32_t here = graph->slot_of[place];
  file_edge *edge;
  wend_arc arc;
  uint8_t end;
  uint32_t other;
  if (slot >= graph->edges.count || graph->edges.value[slot] == WEND_NONE) return false;
  edge = &edges[slot];
  if (section == SECTION_BOTH) end = edge->from == edge->to ? 3 : here == edge->from ? 1 : 2;
  else end = section == SECTION_OUT ? 1 : 2;
  if (edge->directed == (section == SECTION_BOTH) || here != (end == 2 ? edge->to : edge->from) || (edge->seen & end) != 0)
    return false;
  edge->seen |= end;
  other = graph->nodes.value[end == 2 ? edge->from : edge->to];
  arc.weight = edge->weight;
  arc.to = other;
  arc.kind = edge->kind | ((graph->flags[other] & PLACE_CLOSED) != 0 ? ARC_BARRED : 0);
  arc.edge = slot;
  wend_graph_set_arc(graph, at, arc);
  return true;
}

/* Section ARCS. Each edge must have both arcs. */
static wend_status read_blocks(wend_file_in *f, wend_graph *graph, file_edge *edges) {
  const uint64_t most = 2 * (uint64_t)graph->edges.live;
  wend_reader *r = wend_file_section(f, "ARCS");
  if (!wend_graph_grow_pool(graph, most)) return WEND_NO_MEMORY;
  for (uint32_t p = 0; p < graph->place_count; p++) {
    const uint32_t first = graph->arcs_used;
    const uint8_t *slots;
    uint64_t all = first;
    uint32_t counts[3], at = first;
    wend_block block;
    for (int section = 0; section < 3; section++) all += counts[section] = (uint32_t)wend_read_uint(r, 4);
    if (r->failed || all > most) return WEND_FORMAT;
    block.first = first;
    block.both = block.first + counts[0];
    block.in = block.both + counts[1];
    block.end = block.in + counts[2];
    slots = wend_read_items(r, block.end - first, 4);
    if (slots == NULL) return WEND_FORMAT;
    for (int section = 0; section < 3; section++)
      for (uint32_t i = 0; i < counts[section]; i++, at++, slots += 4)
        if (!read_arc(graph, edges, p, at, (wend_section)section, (uint32_t)wend_load_uint(slots, 4))) return WEND_FORMAT;
    wend_graph_set_block(graph, p, block);
    graph->room[p] = block.end - first;
    graph->arcs_used = block.end;
  }
  for (uint32_t slot = 0; slot < graph->edges.count; slot++)
    if (graph->edges.value[slot] != WEND_NONE && edges[slot].seen != 3) return WEND_FORMAT;
  return WEND_OK;
}

/* Reads all sections after GRPH and TAGS. */
static wend_status read_graph(wend_file_in *f, wend_graph *graph, const graph_head *head) {
  const wend_alloc *alloc = &graph->map.alloc;
  file_edge *edges = NULL;
  uint32_t edges_capacity = 0;
  wend_slots *node_slots = &graph->nodes, *edge_slots = &graph->edges;
  wend_status status;
  status = wend_read_ids(f, "NGEN", alloc, node_slots, head->node_slots, head->nodes, head->node_cursor, NODE_BYTES);
  if (status == WEND_OK)
    status = wend_read_ids(f, "EGEN", alloc, edge_slots, head->edge_slots, head->edges, head->edge_cursor, EDGE_BYTES);
  if (status == WEND_OK) status = read_nodes(f, graph, head->nodes, (head->flags & HAS_POINTS) != 0);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "NAME"), node_slots, 4, read_name, graph);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "RADI"), node_slots, 4, read_radius, graph);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "NTAG"), node_slots, 4, read_node_tag, graph);
  if (status != WEND_OK) return status;
  if (!WEND_RESIZE(alloc, edges, edges_capacity, head->edge_slots)) return WEND_NO_MEMORY;
  status = read_edges(f, graph, edges, head->edges);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "WIDE"), edge_slots, 4, read_width, graph);
  if (status == WEND_OK) status = read_blocks(f, graph, edges);
  WEND_FREE(alloc, edges, edges_capacity);
  return status;
}

wend_status wend_graph_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_graph **graph) {
  wend_file_in f;
  graph_head head;
  wend_status status;
  *graph = NULL;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_GRAPH)) return WEND_FORMAT;
  wend_read_record(wend_file_section(&f, "GRPH"), &head, head_items, HEAD_COUNT);
  if (head.dimensions < 2 || head.dimensions > 3 || head.flags > HAS_POINTS || head.zero != 0) return WEND_FORMAT;
  *graph = wend_graph_create(alloc, head.dimensions);
  if (*graph == NULL) return WEND_NO_MEMORY;
  status = wend_read_tags(&f, &(*graph)->map);
  if (status == WEND_OK) status = read_graph(&f, *graph, &head);
  if (status == WEND_OK) status = wend_read_prepared(&f, &(*graph)->map, bytes);
  if (status == WEND_OK && !wend_file_is_read(&f)) status = WEND_FORMAT;
  if (status == WEND_OK) status = wend_graph_sync(*graph);
  if (status == WEND_OK) wend_trust_prepared(&(*graph)->map);
  (*graph)->map.version++;
  if (status == WEND_OK) return WEND_OK;
  wend_graph_destroy(*graph);
  *graph = NULL;
  return status;
}
