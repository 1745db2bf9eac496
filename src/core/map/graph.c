/* SPDX-License-Identifier: MIT */
/* Nodes and edges: see graph.h for how they lie. */
#include "core/map/graph.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/hilbert.h"

WEND_NO_FUSING

/* A block that grows gets room for as many more, but not fewer than this. */
#define BLOCK_ROOM_MIN 4
/* Blocks are packed anew when what waits, or what is wasted, is at least 1/4 of what is there and this much. */
#define PACK_MIN 64

/* ---- Making and measuring --------------------------------------------------------------------------------- */

wend_graph *wend_graph_create(const wend_alloc *alloc, int dimensions) {
  wend_alloc from = alloc != NULL ? *alloc : wend_alloc_default();
  wend_graph *graph = from.resize(from.ud, NULL, 0, sizeof *graph);
  assert(dimensions == 2 || dimensions == 3);
  if (graph == NULL) return NULL;
  memset(graph, 0, sizeof *graph);
  graph->map.alloc = from;
  graph->dimensions = dimensions;
  return graph;
}

/* Frees what packing makes anew. */
static void free_packed(wend_graph *graph) {
  const wend_alloc *alloc = &graph->map.alloc;
  WEND_FREE(alloc, graph->slot_of, graph->place_capacity);
  WEND_FREE(alloc, graph->out, graph->place_capacity);
  WEND_FREE(alloc, graph->in, graph->place_capacity);
  WEND_FREE(alloc, graph->room, graph->place_capacity);
  WEND_FREE(alloc, graph->flags, graph->place_capacity);
  WEND_FREE(alloc, graph->points, graph->points_capacity);
  WEND_FREE(alloc, graph->arc_weight, graph->arcs_capacity);
  WEND_FREE(alloc, graph->arc_to, graph->arcs_capacity);
  WEND_FREE(alloc, graph->arc_tag, graph->arcs_capacity);
  WEND_FREE(alloc, graph->arc_flags, graph->arcs_capacity);
  WEND_FREE(alloc, graph->arc_edge, graph->arcs_capacity);
  WEND_FREE(alloc, graph->pending, graph->pending_capacity);
}

void wend_graph_destroy(wend_graph *graph) {
  wend_alloc alloc;
  if (graph == NULL) return;
  alloc = graph->map.alloc;
  free_packed(graph);
  wend_near_free(graph);
  wend_slots_free(&graph->nodes, &alloc);
  wend_slots_free(&graph->edges, &alloc);
  WEND_FREE(&alloc, graph->node_touched, graph->node_touched_capacity);
  WEND_FREE(&alloc, graph->edge_touched, graph->edge_touched_capacity);
  WEND_FREE(&alloc, graph->radius, graph->radius_capacity);
  wend_names_free(&graph->node_names, &alloc);
  wend_map_free(&graph->map);
  alloc.resize(alloc.ud, graph, sizeof *graph, 0);
}

int wend_graph_dimensions(const wend_graph *graph) { return graph->dimensions; }
wend_map *wend_graph_map(wend_graph *graph) { return &graph->map; }
uint32_t wend_graph_node_count(const wend_graph *graph) { return graph->nodes.live; }
uint32_t wend_graph_unplaced_count(const wend_graph *graph) { return graph->unplaced; }
uint32_t wend_graph_edge_count(const wend_graph *graph) { return graph->edges.live; }

void wend_graph_bytes(const wend_graph *graph, size_t *nodes, size_t *edges) {
  *nodes = sizeof *graph + wend_slots_bytes(&graph->nodes) + graph->points_capacity * sizeof(double) +
           graph->place_capacity * (sizeof(uint32_t) + 2 * sizeof(wend_span) + sizeof(uint32_t) + sizeof(uint8_t)) +
           graph->node_touched_capacity * sizeof(uint32_t) + graph->radius_capacity * sizeof(double) +
           wend_names_bytes(&graph->node_names) + wend_rtree_bytes(&graph->near_nodes);
  *edges = wend_slots_bytes(&graph->edges) + graph->arcs_capacity * ARC_BYTES +
           graph->pending_capacity * sizeof(wend_pending) +
           graph->edge_touched_capacity * sizeof(uint32_t) + wend_names_bytes(&graph->map.tag_names) +
           wend_ratios_bytes(&graph->map.ratios) + wend_rtree_bytes(&graph->near_edges);
}

/* The distance between two places; NaN where one has no position. */
static double distance(const wend_graph *graph, uint32_t a, uint32_t b) {
  const double *p, *q;
  double sum = 0;
  if (graph->points == NULL) return NAN;
  p = wend_graph_point(graph, a);
  q = wend_graph_point(graph, b);
  for (int d = 0; d < graph->dimensions; d++) sum += (p[d] - q[d]) * (p[d] - q[d]);
  return wend_sqrt(sum);
}

static void touch(uint32_t *touched, uint32_t slot, uint64_t version) { touched[slot] = (uint32_t)version; }

/* Makes sure that slots can be stamped. */
static bool ready_to_touch(wend_graph *graph, uint32_t **touched, uint32_t *capacity, const wend_slots *slots) {
  uint32_t old = *capacity;
  if (slots->count <= old) return true;
  if (!wend_resize(&graph->map.alloc, touched, capacity, slots->capacity, sizeof **touched)) return false;
  memset(*touched + old, 0, (*capacity - old) * sizeof **touched);
  return true;
}

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

/* ---- Ids -------------------------------------------------------------------------------------------------- */

bool wend_graph_has_node(const wend_graph *graph, wend_id node) {
  return wend_slots_find(&graph->nodes, node) != WEND_NONE;
}

bool wend_graph_has_edge(const wend_graph *graph, wend_id edge) {
  return wend_slots_find(&graph->edges, edge) != WEND_NONE;
}

static uint32_t slot_of_node(const wend_graph *graph, wend_id node) {
  uint32_t slot = wend_slots_find(&graph->nodes, node);
  assert(slot != WEND_NONE);
  return slot;
}

static uint32_t place_of(const wend_graph *graph, wend_id node) {
  return graph->nodes.value[slot_of_node(graph, node)];
}

wend_id wend_graph_next_node(const wend_graph *graph, wend_id node) {
  for (uint32_t slot = (uint32_t)node; slot < graph->nodes.count; slot++) /* the slot after node's, or 0 */
    if (graph->nodes.value[slot] != WEND_NONE) return wend_slots_id(&graph->nodes, slot);
  return WEND_NO_ID;
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

static wend_block get_block(const wend_graph *graph, uint32_t place) {
  wend_block block = {graph->out[place].first, graph->in[place].first, graph->out[place].end, graph->in[place].end};
  return block;
}

void wend_graph_set_block(wend_graph *graph, uint32_t place, wend_block block) {
  graph->out[place].first = block.first;
  graph->out[place].end = block.in;
  graph->in[place].first = block.both;
  graph->in[place].end = block.end;
}

/* ---- Adding ----------------------------------------------------------------------------------------------- */

bool wend_graph_grow_places(wend_graph *graph, uint64_t wanted) {
  const wend_column columns[] = {WEND_COLUMN(graph->slot_of), WEND_COLUMN(graph->out), WEND_COLUMN(graph->in),
                                 WEND_COLUMN(graph->room), WEND_COLUMN(graph->flags)};
  return wend_grow_columns(&graph->map.alloc, columns, 5, &graph->place_capacity, wanted);
}

/* Makes room for the positions of `places` places, without a position where they are new. */
bool wend_graph_grow_points(wend_graph *graph, uint64_t places) {
  uint32_t old = graph->points_capacity;
  if (!WEND_GROW(&graph->map.alloc, graph->points, graph->points_capacity, places * (uint64_t)graph->dimensions))
    return false;
  for (uint32_t i = old; i < graph->points_capacity; i++) graph->points[i] = NAN;
  return true;
}

/* Everything that adding nodes could fail for. After true, put_nodes cannot. */
static bool ready_nodes(wend_graph *graph, uint32_t count, bool placed) {
  uint64_t places = (uint64_t)graph->place_count + count;
  if (places >= WEND_NONE || !wend_graph_grow_places(graph, places)) return false;
  if ((placed || graph->points != NULL) && !wend_graph_grow_points(graph, places)) return false;
  return wend_slots_reserve(&graph->nodes, &graph->map.alloc, count);
}

static wend_id put_nodes(wend_graph *graph, uint32_t count, const double *points) {
  uint32_t slot = wend_slots_take(&graph->nodes, count, 0);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = graph->place_count + i;
    wend_block empty = {graph->arcs_used, graph->arcs_used, graph->arcs_used, graph->arcs_used};
    graph->nodes.value[slot + i] = place;
    graph->slot_of[place] = slot + i;
    wend_graph_set_block(graph, place, empty);
    graph->room[place] = 0;
    graph->flags[place] = 0;
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
  graph->map.version++;
  if (points != NULL) wend_near_add_nodes(graph, slot, count);
  return wend_slots_id(&graph->nodes, slot);
}

wend_status wend_graph_add_nodes(wend_graph *graph, uint32_t count, const double *points, wend_id *first) {
  *first = WEND_NO_ID;
  if (!ready_nodes(graph, count, points != NULL)) return WEND_NO_MEMORY;
  *first = put_nodes(graph, count, points);
  return WEND_OK;
}

/* Makes room for the radius of a slot. */
static bool grow_radius(wend_graph *graph, uint32_t slot) {
  uint32_t old = graph->radius_capacity;
  if (!WEND_GROW(&graph->map.alloc, graph->radius, graph->radius_capacity, (uint64_t)slot + 1)) return false;
  for (uint32_t i = old; i < graph->radius_capacity; i++) graph->radius[i] = INFINITY;
  return true;
}

wend_status wend_graph_add_node(wend_graph *graph, const double *position, const char *name, size_t length,
                                double radius, wend_id *node) {
  uint32_t slot;
  assert(radius >= 0);
  *node = WEND_NO_ID;
  if (!ready_nodes(graph, 1, position != NULL)) return WEND_NO_MEMORY;
  slot = graph->nodes.reserved;
  if (radius < INFINITY && !grow_radius(graph, slot)) return WEND_NO_MEMORY;
  if (name != NULL && !wend_names_set(&graph->node_names, &graph->map.alloc, slot, name, length)) return WEND_NO_MEMORY;
  *node = put_nodes(graph, 1, position);
  if (radius < INFINITY) graph->radius[slot] = radius;
  return WEND_OK;
}

wend_status wend_graph_add_edges(wend_graph *graph, uint32_t count, const wend_edge_spec *specs, wend_id *first) {
  uint32_t slot, i;
  *first = WEND_NO_ID;
  if (!WEND_GROW(&graph->map.alloc, graph->pending, graph->pending_capacity, (uint64_t)graph->pending_count + count) ||
      !wend_slots_reserve(&graph->edges, &graph->map.alloc, count))
    return WEND_NO_MEMORY;
  for (i = 0; i < count; i++) {
    const wend_edge_spec *spec = &specs[i];
    wend_pending *edge = &graph->pending[graph->pending_count + i];
    double length;
    edge->from = slot_of_node(graph, spec->from);
    edge->to = slot_of_node(graph, spec->to);
    length = distance(graph, graph->nodes.value[edge->from], graph->nodes.value[edge->to]);
    edge->weight = spec->weight < 0 ? length : spec->weight + 0.0; /* -0 is 0 */
    assert(edge->weight >= 0 && edge->weight < INFINITY);
    edge->kind = spec->tag << ARC_TAG_SHIFT | (spec->weight < 0 ? ARC_MEASURED : 0);
    edge->directed = spec->directed;
    if (!wend_ratios_add(&graph->map.ratios, &graph->map.alloc, spec->tag, edge->weight, length)) break;
  }
  if (i < count) { /* take back what was filed */
    while (i-- > 0) {
      const wend_pending *edge = &graph->pending[graph->pending_count + i];
      double length = distance(graph, graph->nodes.value[edge->from], graph->nodes.value[edge->to]);
      wend_ratios_remove(&graph->map.ratios, edge->kind >> ARC_TAG_SHIFT, edge->weight, length);
    }
    return WEND_NO_MEMORY;
  }
  slot = wend_slots_take(&graph->edges, count, 0);
  *first = wend_slots_id(&graph->edges, slot);
  for (i = 0; i < count; i++) {
    wend_pending *edge = &graph->pending[graph->pending_count + i];
    edge->edge = slot + i;
    graph->edges.value[slot + i] = edge->from;
    if (slot + i < graph->edge_touched_capacity) graph->edge_touched[slot + i] = 0;
    ++*wend_scale_of(&graph->map.scales, edge->weight);
  }
  wend_near_add_edges(graph, graph->pending + graph->pending_count, count);
  graph->pending_count += count;
  graph->map.version++;
  return WEND_OK;
}

/* ---- Blocks ----------------------------------------------------------------------------------------------- */

/* Where in a block an arc stands. */
typedef enum section { SECTION_OUT, SECTION_BOTH, SECTION_IN } section;

static section section_at(wend_block block, uint32_t arc) {
  return arc < block.both ? SECTION_OUT : arc < block.in ? SECTION_BOTH : SECTION_IN;
}

bool wend_graph_grow_pool(wend_graph *graph, uint64_t wanted) {
  const wend_column columns[] = {WEND_COLUMN(graph->arc_weight), WEND_COLUMN(graph->arc_to), WEND_COLUMN(graph->arc_tag),
                                 WEND_COLUMN(graph->arc_flags), WEND_COLUMN(graph->arc_edge)};
  return wend_grow_columns(&graph->map.alloc, columns, 5, &graph->arcs_capacity, wanted);
}

static wend_arc get_arc(const wend_graph *graph, uint32_t at) {
  wend_arc arc;
  arc.weight = fabs(graph->arc_weight[at]);
  arc.to = graph->arc_to[at];
  arc.kind = (uint32_t)graph->arc_tag[at] << ARC_TAG_SHIFT | graph->arc_flags[at];
  arc.edge = graph->arc_edge[at];
  return arc;
}

/* Sets and clears flags of an arc. */
static void flip_arc(wend_graph *graph, uint32_t at, uint32_t flags) {
  wend_arc arc = get_arc(graph, at);
  arc.kind ^= flags;
  wend_graph_set_arc(graph, at, arc);
}

static void move_arcs(wend_graph *graph, uint32_t to, uint32_t from, uint32_t count) {
  memmove(graph->arc_weight + to, graph->arc_weight + from, count * sizeof *graph->arc_weight);
  memmove(graph->arc_to + to, graph->arc_to + from, count * sizeof *graph->arc_to);
  memmove(graph->arc_tag + to, graph->arc_tag + from, count * sizeof *graph->arc_tag);
  memmove(graph->arc_flags + to, graph->arc_flags + from, count * sizeof *graph->arc_flags);
  memmove(graph->arc_edge + to, graph->arc_edge + from, count * sizeof *graph->arc_edge);
}

/* Makes room for one more arc at a place: a full block moves to the end of the pool, where it has more. */
static bool make_room(wend_graph *graph, uint32_t place) {
  wend_block block = get_block(graph, place);
  uint32_t count = block.end - block.first;
  uint32_t room = count < BLOCK_ROOM_MIN ? count + BLOCK_ROOM_MIN : count * 2, to = graph->arcs_used;
  if (count < graph->room[place]) return true;
  if (!wend_graph_grow_pool(graph, (uint64_t)to + room)) return false;
  move_arcs(graph, to, block.first, count);
  block.both += to - block.first;
  block.in += to - block.first;
  block.first = to;
  block.end = to + count;
  wend_graph_set_block(graph, place, block);
  graph->arcs_used += room;
  graph->arcs_wasted += graph->room[place];
  graph->room[place] = room;
  return true;
}

/* Files an arc last in its section. There is room. */
static void insert_arc(wend_graph *graph, uint32_t place, section where, wend_arc arc) {
  wend_block block = get_block(graph, place);
  uint32_t at = where == SECTION_OUT ? block.both : where == SECTION_BOTH ? block.in : block.end;
  move_arcs(graph, at + 1, at, block.end - at);
  wend_graph_set_arc(graph, at, arc);
  block.end++;
  if (where != SECTION_IN) block.in++;
  if (where == SECTION_OUT) block.both++;
  wend_graph_set_block(graph, place, block);
}

static void remove_arc(wend_graph *graph, uint32_t place, uint32_t arc) {
  wend_block block = get_block(graph, place);
  section where = section_at(block, arc);
  move_arcs(graph, arc, arc + 1, block.end - arc - 1);
  block.end--;
  if (where != SECTION_IN) block.in--;
  if (where == SECTION_OUT) block.both--;
  wend_graph_set_block(graph, place, block);
}

/* The arc of an edge in the block of a place. It is there. */
static uint32_t arc_of(const wend_graph *graph, uint32_t place, uint32_t edge, bool incoming) {
  uint32_t arc = incoming ? graph->in[place].first : graph->out[place].first;
  while (graph->arc_edge[arc] != edge) arc++;
  assert(arc < graph->in[place].end);
  return arc;
}

/* The two arcs of an edge and where they lie; the same twice for a two-way loop. */
typedef struct ends {
  uint32_t from, to;         /* places */
  uint32_t from_arc, to_arc; /* arcs */
  bool directed;
} ends;

static ends ends_of(const wend_graph *graph, uint32_t edge) {
  ends e;
  e.from = graph->nodes.value[graph->edges.value[edge]];
  e.from_arc = arc_of(graph, e.from, edge, false);
  e.to = graph->arc_to[e.from_arc];
  e.directed = section_at(get_block(graph, e.from), e.from_arc) == SECTION_OUT;
  e.to_arc = arc_of(graph, e.to, edge, true);
  return e;
}

uint32_t wend_graph_arc(const wend_graph *graph, uint32_t edge, uint32_t *from) {
  *from = graph->nodes.value[graph->edges.value[edge]];
  return arc_of(graph, *from, edge, false);
}

/* ---- Filing what waits ------------------------------------------------------------------------------------ */

static wend_arc arc_to(const wend_graph *graph, const wend_pending *edge, uint32_t place) {
  wend_arc arc;
  arc.weight = edge->weight;
  arc.to = place;
  arc.kind = edge->kind | ((graph->flags[place] & PLACE_CLOSED) != 0 ? ARC_BARRED : 0);
  arc.edge = edge->edge;
  return arc;
}

/* Hands each arc that the waiting edge comes to in turn to the two ends: (place, section, other place). */
#define WEND_FOR_ENDS(graph, edge, DO)                                      \
  do {                                                                      \
    uint32_t from_ = (graph)->nodes.value[(edge)->from];                    \
    uint32_t to_ = (graph)->nodes.value[(edge)->to];                        \
    DO(from_, (edge)->directed ? SECTION_OUT : SECTION_BOTH, to_, edge);    \
    if ((edge)->directed || from_ != to_)                                   \
      DO(to_, (edge)->directed ? SECTION_IN : SECTION_BOTH, from_, edge);   \
  } while (0)

static wend_status file_one_by_one(wend_graph *graph) {
  uint32_t done = 0;
  for (; done < graph->pending_count; done++) {
    const wend_pending *edge = &graph->pending[done];
    /* A loop that is directed puts two arcs into one block. */
    if (!make_room(graph, graph->nodes.value[edge->from])) break;
    if (!make_room(graph, graph->nodes.value[edge->to])) break;
#define INSERT(place, where, other, e) insert_arc(graph, place, where, arc_to(graph, e, other))
    if (edge->from == edge->to && edge->directed) {
      uint32_t place = graph->nodes.value[edge->from];
      insert_arc(graph, place, SECTION_OUT, arc_to(graph, edge, place));
      if (!make_room(graph, place)) { /* all or nothing */
        remove_arc(graph, place, arc_of(graph, place, edge->edge, false));
        break;
      }
      insert_arc(graph, place, SECTION_IN, arc_to(graph, edge, place));
    } else {
      WEND_FOR_ENDS(graph, edge, INSERT);
    }
#undef INSERT
  }
  graph->pending_count -= done;
  memmove(graph->pending, graph->pending + done, graph->pending_count * sizeof *graph->pending);
  return graph->pending_count == 0 ? WEND_OK : WEND_NO_MEMORY;
}

/* What packing builds before it throws the old away. `made` is a graph only in its places, points and pool. */
typedef struct packing {
  wend_graph made;
  uint32_t *order, *place_at; /* by new place: the old one; by old place: the new one */
  uint32_t order_capacity, place_at_capacity;
  wend_block *fill; /* by new place: how many arcs each section gets (first, both, in), then where the next one goes */
  uint32_t fill_capacity;
} packing;

/* 1. The order of the places: along the curve, without those of removed nodes. */
static bool pack_order(wend_graph *graph, packing *p) {
  const wend_alloc *alloc = &graph->map.alloc;
  uint32_t all = graph->place_count, *scratch = NULL, scratch_capacity = 0;
  if (!WEND_RESIZE(alloc, p->order, p->order_capacity, all) ||
      !WEND_RESIZE(alloc, p->place_at, p->place_at_capacity, all))
    return false;
  if (graph->points != NULL) {
    if (!WEND_RESIZE(alloc, scratch, scratch_capacity, (uint64_t)all * 3)) return false;
    wend_hilbert_order(graph->points, graph->dimensions, all, p->order, scratch);
    WEND_FREE(alloc, scratch, scratch_capacity);
  } else {
    for (uint32_t i = 0; i < all; i++) p->order[i] = i;
  }
  for (uint32_t i = 0; i < all; i++) {
    uint32_t old = p->order[i];
    if (graph->slot_of[old] == WEND_NONE) continue;
    p->place_at[old] = p->made.place_count;
    p->order[p->made.place_count++] = old;
  }
  return true;
}

/* 2. The sections of each block: how many arcs there are and will be, in the order of places. */
static bool pack_sections(wend_graph *graph, packing *p) {
  wend_graph *made = &p->made;
  uint64_t sum = 0;
  if (!wend_graph_grow_places(made, made->place_count) ||
      !WEND_RESIZE(&graph->map.alloc, p->fill, p->fill_capacity, made->place_count))
    return false;
  for (uint32_t i = 0; i < made->place_count; i++) {
    wend_block old = get_block(graph, p->order[i]);
    wend_block counts = {old.both - old.first, old.in - old.both, old.end - old.in, 0};
    p->fill[i] = counts;
    made->slot_of[i] = graph->slot_of[p->order[i]];
    made->flags[i] = graph->flags[p->order[i]];
  }
  for (uint32_t i = 0; i < graph->pending_count; i++) {
    const wend_pending *edge = &graph->pending[i];
#define COUNT(place, where, other, e)                                                                        \
  do {                                                                                                       \
    wend_block *counts_ = &p->fill[p->place_at[place]];                                                      \
    (void)(other);                                                                                           \
    ++*((where) == SECTION_OUT ? &counts_->first : (where) == SECTION_BOTH ? &counts_->both : &counts_->in); \
  } while (0)
    WEND_FOR_ENDS(graph, edge, COUNT);
#undef COUNT
  }
  for (uint32_t i = 0; i < made->place_count; i++) {
    wend_block counts = p->fill[i], block;
    uint64_t count = (uint64_t)counts.first + counts.both + counts.in;
    if (sum + count >= WEND_NONE) return false;
    block.first = (uint32_t)sum;
    block.both = block.first + counts.first;
    block.in = block.both + counts.both;
    block.end = block.in + counts.in;
    wend_graph_set_block(made, i, block);
    p->fill[i] = block;
    made->room[i] = (uint32_t)count;
    sum += count;
  }
  made->arcs_used = (uint32_t)sum;
  return wend_graph_grow_pool(made, sum);
}

/* 3. The positions. */
static bool pack_points(wend_graph *graph, packing *p) {
  size_t dimensions = (size_t)graph->dimensions;
  uint64_t numbers = (uint64_t)p->made.place_count * dimensions;
  if (graph->points == NULL) return true;
  if (!WEND_RESIZE(&graph->map.alloc, p->made.points, p->made.points_capacity, numbers)) return false;
  for (uint32_t i = 0; i < p->made.place_count; i++)
    memcpy(p->made.points + i * dimensions, graph->points + p->order[i] * dimensions, dimensions * sizeof(double));
  return true;
}

/* Copies a section of an old block. Returns where it ends. */
static uint32_t pack_section(const wend_graph *graph, packing *p, uint32_t from, uint32_t end, uint32_t to) {
  for (; from < end; from++, to++) {
    wend_arc arc = get_arc(graph, from);
    arc.to = p->place_at[arc.to];
    wend_graph_set_arc(&p->made, to, arc);
  }
  return to;
}

/* 4. The arcs: those there are, then those that wait. Cannot fail. */
static void pack_arcs(wend_graph *graph, packing *p) {
  for (uint32_t i = 0; i < p->made.place_count; i++) {
    wend_block old = get_block(graph, p->order[i]), *fill = &p->fill[i];
    fill->first = pack_section(graph, p, old.first, old.both, fill->first);
    fill->both = pack_section(graph, p, old.both, old.in, fill->both);
    fill->in = pack_section(graph, p, old.in, old.end, fill->in);
  }
  for (uint32_t i = 0; i < graph->pending_count; i++) {
    const wend_pending *edge = &graph->pending[i];
#define PLACE(place, where, other, e)                                                                               \
  do {                                                                                                              \
    wend_block *fill_ = &p->fill[p->place_at[place]];                                                               \
    uint32_t at_ = (where) == SECTION_OUT ? fill_->first++ : (where) == SECTION_BOTH ? fill_->both++ : fill_->in++; \
    wend_arc arc_ = arc_to(graph, e, other);                                                                        \
    arc_.to = p->place_at[other];                                                                                   \
    wend_graph_set_arc(&p->made, at_, arc_);                                                                                   \
  } while (0)
    WEND_FOR_ENDS(graph, edge, PLACE);
#undef PLACE
  }
}

/* 5. The new and the old change places. Cannot fail. */
static void pack_publish(wend_graph *graph, packing *p) {
  wend_graph old = *graph, *made = &p->made;
#define TAKE(field) graph->field = made->field, made->field = old.field
  TAKE(slot_of), TAKE(out), TAKE(in), TAKE(room), TAKE(flags), TAKE(place_capacity);
  TAKE(points), TAKE(points_capacity);
  TAKE(arc_weight), TAKE(arc_to), TAKE(arc_tag), TAKE(arc_flags), TAKE(arc_edge), TAKE(arcs_capacity);
  TAKE(pending), TAKE(pending_capacity);
#undef TAKE
  graph->place_count = graph->ordered_count = made->place_count;
  graph->arcs_used = made->arcs_used;
  graph->arcs_wasted = graph->pending_count = 0;
  for (uint32_t i = 0; i < graph->place_count; i++) graph->nodes.value[graph->slot_of[i]] = i;
  wend_slots_trim(&graph->nodes, &graph->map.alloc);
  wend_slots_trim(&graph->edges, &graph->map.alloc);
}

static wend_status pack(wend_graph *graph) {
  packing p;
  bool done;
  memset(&p, 0, sizeof p);
  p.made.map.alloc = graph->map.alloc;
  done = pack_order(graph, &p) && pack_sections(graph, &p) && pack_points(graph, &p);
  if (done) {
    pack_arcs(graph, &p);
    pack_publish(graph, &p);
  }
  free_packed(&p.made); /* the old ones now, or what there is of the new */
  WEND_FREE(&graph->map.alloc, p.fill, p.fill_capacity);
  WEND_FREE(&graph->map.alloc, p.order, p.order_capacity);
  WEND_FREE(&graph->map.alloc, p.place_at, p.place_at_capacity);
  return done ? WEND_OK : WEND_NO_MEMORY;
}

wend_status wend_graph_sync(wend_graph *graph) {
  uint32_t kept = graph->arcs_used - graph->arcs_wasted;
  uint32_t dead = graph->place_count - graph->nodes.live;
  bool many_edges = graph->pending_count >= PACK_MIN && graph->pending_count > kept / 8;
  bool many_nodes = graph->place_count - graph->ordered_count >= PACK_MIN &&
                    graph->place_count - graph->ordered_count > graph->ordered_count / 4;
  bool much_waste = (graph->arcs_wasted >= PACK_MIN && graph->arcs_wasted > kept) ||
                    (dead >= PACK_MIN && dead > graph->nodes.live);
  wend_ratios_settle(&graph->map.ratios);
  wend_scales_settle(&graph->map.scales);
  if (WEND_LIKELY(graph->pending_count == 0 && !many_nodes && !much_waste)) return WEND_OK;
  if (many_edges || many_nodes || much_waste) return pack(graph);
  return file_one_by_one(graph);
}

/* ---- Changing --------------------------------------------------------------------------------------------- */

/* What every change of an edge or a node needs first: nothing waits, and it can be stamped. */
static wend_status ready(wend_graph *graph) {
  wend_status status = wend_graph_sync(graph);
  if (status != WEND_OK) return status;
  return ready_to_touch(graph, &graph->edge_touched, &graph->edge_touched_capacity, &graph->edges) &&
                 ready_to_touch(graph, &graph->node_touched, &graph->node_touched_capacity, &graph->nodes)
             ? WEND_OK
             : WEND_NO_MEMORY;
}

/* Takes an edge out of the blocks of its ends. Cannot fail. */
static void drop_edge(wend_graph *graph, uint32_t edge) {
  ends e = ends_of(graph, edge);
  wend_arc arc = get_arc(graph, e.from_arc);
  wend_ratios_remove(&graph->map.ratios, arc.kind >> ARC_TAG_SHIFT, arc.weight, distance(graph, e.from, e.to));
  --*wend_scale_of(&graph->map.scales, arc.weight);
  wend_near_remove_edge(graph, edge, e.from, e.to);
  if (e.to_arc != e.from_arc) remove_arc(graph, e.to, e.to_arc); /* a loop's in comes after its out */
  remove_arc(graph, e.from, e.from_arc);
  wend_slots_remove(&graph->edges, edge);
}

wend_status wend_graph_remove_edge(wend_graph *graph, wend_id edge) {
  wend_status status = ready(graph);
  uint32_t slot = wend_slots_find(&graph->edges, edge);
  assert(slot != WEND_NONE);
  if (status != WEND_OK) return status;
  if (!wend_slots_ready(&graph->edges, &graph->map.alloc)) return WEND_NO_MEMORY;
  drop_edge(graph, slot);
  graph->map.version++;
  return WEND_OK;
}

wend_status wend_graph_remove_node(wend_graph *graph, wend_id node) {
  wend_status status = ready(graph);
  uint32_t slot = slot_of_node(graph, node), place;
  if (status != WEND_OK) return status;
  if (!wend_slots_ready(&graph->edges, &graph->map.alloc) || !wend_slots_ready(&graph->nodes, &graph->map.alloc))
    return WEND_NO_MEMORY;
  place = graph->nodes.value[slot];
  while (graph->in[place].end > graph->out[place].first) drop_edge(graph, graph->arc_edge[graph->in[place].end - 1]);
  if (graph->points == NULL || wend_graph_position(graph, node) == NULL) graph->unplaced--;
  wend_near_remove_node(graph, slot);
  wend_names_remove(&graph->node_names, &graph->map.alloc, slot);
  graph->arcs_wasted += graph->room[place];
  graph->room[place] = 0;
  graph->flags[place] = 0;
  graph->slot_of[place] = WEND_NONE;
  wend_slots_remove(&graph->nodes, slot);
  graph->map.version++;
  return WEND_OK;
}

/* The other arc of the edge of an arc in the block of a place; of a two-way loop, itself. */
static uint32_t mate_of(const wend_graph *graph, uint32_t place, uint32_t arc) {
  return arc_of(graph, graph->arc_to[arc], graph->arc_edge[arc], section_at(get_block(graph, place), arc) != SECTION_IN);
}

/* Gives an arc a weight, a tag and whether it is measured; what blocks it stays. */
static void weigh_arc(wend_graph *graph, uint32_t at, double weight, uint32_t kind) {
  wend_arc arc = get_arc(graph, at);
  arc.weight = weight;
  arc.kind = (arc.kind & ARC_BLOCKED) | (kind & ~ARC_BLOCKED);
  wend_graph_set_arc(graph, at, arc);
}

/* Files the ratios of the edges at a place, up to the arc `last`, with its present position; loops have no length.
 * Returns the first arc that could not be filed. */
static uint32_t file_ratios(wend_graph *graph, uint32_t place, uint32_t last) {
  uint32_t i = graph->out[place].first;
  for (; i < last; i++) {
    wend_arc arc = get_arc(graph, i);
    double length = arc.to == place ? 0 : distance(graph, place, arc.to);
    double weight = (arc.kind & ARC_MEASURED) != 0 ? length : arc.weight;
    if (!wend_ratios_add(&graph->map.ratios, &graph->map.alloc, arc.kind >> ARC_TAG_SHIFT, weight, length)) break;
  }
  return i;
}

static void unfile_ratios(wend_graph *graph, uint32_t place, uint32_t last) {
  for (uint32_t i = graph->out[place].first; i < last; i++) {
    wend_arc arc = get_arc(graph, i);
    double length = arc.to == place ? 0 : distance(graph, place, arc.to);
    double weight = (arc.kind & ARC_MEASURED) != 0 ? length : arc.weight;
    wend_ratios_remove(&graph->map.ratios, arc.kind >> ARC_TAG_SHIFT, weight, length);
  }
}

wend_status wend_graph_move(wend_graph *graph, wend_id node, const double *position) {
  wend_status status = ready(graph);
  uint32_t slot = slot_of_node(graph, node), place, filed;
  wend_block block;
  double *point, old[3];
  size_t bytes = (size_t)graph->dimensions * sizeof *position;
  if (status != WEND_OK) return status;
  if (graph->points == NULL && !wend_graph_grow_points(graph, graph->place_count)) return WEND_NO_MEMORY;
  place = graph->nodes.value[slot];
  block = get_block(graph, place);
  point = graph->points + (size_t)place * (size_t)graph->dimensions;
  memcpy(old, point, bytes);
  memcpy(point, position, bytes);
  filed = file_ratios(graph, place, block.end);
  if (filed < block.end) {
    unfile_ratios(graph, place, filed);
    memcpy(point, old, bytes);
    return WEND_NO_MEMORY;
  }
  memcpy(point, old, bytes);
  unfile_ratios(graph, place, block.end);
  if (old[0] != old[0]) graph->unplaced--;
  memcpy(point, position, bytes);
  for (uint32_t i = block.first; i < block.end; i++) {
    wend_arc arc = get_arc(graph, i);
    double length = distance(graph, place, arc.to);
    if ((arc.kind & ARC_MEASURED) == 0 || arc.to == place) continue;
    --*wend_scale_of(&graph->map.scales, arc.weight);
    ++*wend_scale_of(&graph->map.scales, length);
    weigh_arc(graph, i, length, arc.kind);
    weigh_arc(graph, mate_of(graph, place, i), length, arc.kind);
    touch(graph->edge_touched, arc.edge, graph->map.version + 1);
  }
  touch(graph->node_touched, slot, ++graph->map.version);
  wend_near_move(graph, slot, old);
  return WEND_OK;
}

wend_status wend_graph_close_node(wend_graph *graph, wend_id node, bool closed) {
  wend_status status = ready(graph);
  uint32_t slot = slot_of_node(graph, node), place;
  wend_block block;
  if (status != WEND_OK) return status;
  place = graph->nodes.value[slot];
  block = get_block(graph, place);
  if (((graph->flags[place] & PLACE_CLOSED) != 0) == closed) return WEND_OK;
  graph->flags[place] ^= PLACE_CLOSED;
  for (uint32_t i = block.first; i < block.end; i++) { /* every arc that leads here knows */
    flip_arc(graph, mate_of(graph, place, i), ARC_BARRED);
  }
  touch(graph->node_touched, slot, ++graph->map.version);
  return WEND_OK;
}

/* Gets ready to change an edge: its slot in *slot, its arcs in *e. */
static wend_status ready_edge(wend_graph *graph, wend_id edge, uint32_t *slot, ends *e) {
  wend_status status = ready(graph);
  *slot = wend_slots_find(&graph->edges, edge);
  assert(*slot != WEND_NONE);
  if (status == WEND_OK) *e = ends_of(graph, *slot);
  return status;
}

wend_status wend_graph_close_edge(wend_graph *graph, wend_id edge, bool closed) {
  uint32_t slot;
  ends e;
  wend_status status = ready_edge(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  if (((graph->arc_flags[e.from_arc] & ARC_CLOSED) != 0) == closed) return WEND_OK;
  flip_arc(graph, e.from_arc, ARC_CLOSED);
  if (e.to_arc != e.from_arc) flip_arc(graph, e.to_arc, ARC_CLOSED);
  touch(graph->edge_touched, slot, ++graph->map.version);
  return WEND_OK;
}

/* Changes the weight, the tag and whether it is measured. The other flags of the arcs stay. */
static wend_status change_edge(wend_graph *graph, uint32_t slot, ends e, double weight, uint32_t kind) {
  wend_arc arc = get_arc(graph, e.from_arc);
  double length = distance(graph, e.from, e.to);
  if (!wend_ratios_add(&graph->map.ratios, &graph->map.alloc, kind >> ARC_TAG_SHIFT, weight, length)) return WEND_NO_MEMORY;
  wend_ratios_remove(&graph->map.ratios, arc.kind >> ARC_TAG_SHIFT, arc.weight, length);
  --*wend_scale_of(&graph->map.scales, arc.weight);
  ++*wend_scale_of(&graph->map.scales, weight);
  weigh_arc(graph, e.from_arc, weight, kind);
  weigh_arc(graph, e.to_arc, weight, kind);
  touch(graph->edge_touched, slot, ++graph->map.version);
  return WEND_OK;
}

wend_status wend_graph_set_weight(wend_graph *graph, wend_id edge, double weight) {
  uint32_t slot, kind;
  ends e;
  wend_status status = ready_edge(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  kind = get_arc(graph, e.from_arc).kind & ~ARC_MEASURED;
  if (weight < 0) {
    weight = distance(graph, e.from, e.to);
    kind |= ARC_MEASURED;
  }
  return change_edge(graph, slot, e, weight + 0.0, kind); /* -0 is 0 */
}

wend_status wend_graph_set_tag(wend_graph *graph, wend_id edge, uint32_t tag) {
  uint32_t slot, kind;
  ends e;
  wend_status status = ready_edge(graph, edge, &slot, &e);
  if (status != WEND_OK) return status;
  kind = graph->arc_flags[e.from_arc] | tag << ARC_TAG_SHIFT;
  return change_edge(graph, slot, e, get_arc(graph, e.from_arc).weight, kind);
}

/* ---- Asking ----------------------------------------------------------------------------------------------- */

wend_status wend_graph_edge(wend_graph *graph, wend_id edge, wend_edge *result) {
  uint32_t slot = wend_slots_find(&graph->edges, edge);
  wend_status status = wend_graph_sync(graph);
  wend_arc arc;
  ends e;
  assert(slot != WEND_NONE);
  if (status != WEND_OK) return status;
  e = ends_of(graph, slot);
  arc = get_arc(graph, e.from_arc);
  result->from = wend_slots_id(&graph->nodes, graph->slot_of[e.from]);
  result->to = wend_slots_id(&graph->nodes, graph->slot_of[e.to]);
  result->weight = arc.weight;
  result->length = distance(graph, e.from, e.to);
  result->tag = arc.kind >> ARC_TAG_SHIFT;
  result->directed = e.directed;
  result->closed = (arc.kind & ARC_CLOSED) != 0;
  result->measured = (arc.kind & ARC_MEASURED) != 0;
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
    if (best != WEND_NONE && get_arc(graph, i).weight > weight) continue;
    id = wend_slots_id(&graph->edges, graph->arc_edge[i]);
    if (best != WEND_NONE && get_arc(graph, i).weight == weight && id > *edge) continue;
    best = i;
    weight = get_arc(graph, i).weight;
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
  for (uint32_t i = 0; i < *count && i < capacity; i++)
    edges[i] = wend_slots_id(&graph->edges, graph->arc_edge[out.first + i]);
  return WEND_OK;
}

/* ---- Names, tags, radii ----------------------------------------------------------------------------------- */

wend_status wend_graph_set_name(wend_graph *graph, wend_id node, const char *name, size_t length) {
  uint32_t slot = slot_of_node(graph, node);
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
  graph->radius[slot] = radius;
  return WEND_OK;
}

double wend_graph_radius(const wend_graph *graph, wend_id node) {
  uint32_t slot = slot_of_node(graph, node);
  return slot < graph->radius_capacity ? graph->radius[slot] : INFINITY;
}
