/* SPDX-License-Identifier: MIT */
/* The store of a graph: its nodes and edges, without the indexes of nearest.h. graph.c edits it, searches read it.
 *
 *   node id --slots--> slot --value--> place       the data of a node is at its place
 *   edge id --slots--> slot --value--> node slot   the node where the edge begins; the data is in the arcs at its two ends
 *
 * The slot of an id never changes. Places do: packing puts them into the order of a Hilbert curve, so that nodes near each
 * other in space are near each other in memory.
 *
 * An arc is one end of an edge, seen from the node at that end. The arcs of a place form a block in one pool. A block has three
 * sections, and sometimes unused room behind them:
 *
 *            first        both           in            end     first + room
 *              |    out     |    both     |     in      |  unused  |
 *   travel out  <------------------------>
 *   travel in                 <----------------------->
 *
 * So the arcs for each direction of travel are consecutive. The kind of an edge decides its arcs:
 *
 *   1  directed, from A to B    one in section `out` of A, one in section `in` of B
 *   2  two-way, A and B         one in section `both` of A, one in section `both` of B
 *   3  directed, from A to A    one in section `out` of A, one in section `in` of A
 *   4  two-way, A and A         one in section `both` of A
 *
 *   edges  e1: A to B   e2: A and B   e3: B to A   e4: A and A   e5: B to B
 *   A  | e1 | e2 e4 | e3 |
 *   B  | e3 e5 | e2 | e1 e5 |
 *
 * Invariant: within a section, arcs are in the order in which their edges were added, whatever has moved since. This order
 * decides ties of a search, so ties do not depend on when the graph was packed.
 *
 * Added edges first wait in `pending`. wend_graph_sync inserts them: a few one by one, many by packing all blocks.
 * graph_store.c has an example. */
#ifndef WEND_GRAPH_STORE_H
#define WEND_GRAPH_STORE_H

#include <assert.h>
#include <math.h>

#include "core/base/bits.h"
#include "core/base/slots.h"
#include "core/map/map.h"

/* An arc. The pool stores arcs by columns, so that a search reads only the columns that it needs: 12 bytes of each
 * arc, or 14 where tags count. */
typedef struct wend_arc {
  double weight;
  uint32_t to;   /* the place at the other end */
  uint32_t kind; /* the tag above ARC_TAG_SHIFT, flags below */
  uint32_t edge; /* the edge's slot */
} wend_arc;

#define ARC_TAG_SHIFT 8
#define ARC_FLAGS 0xffu
#define ARC_CLOSED 1u   /* the edge is closed */
#define ARC_BARRED 2u   /* the node at the other end is closed */
#define ARC_MEASURED 4u /* the weight is the distance between the ends, and follows it when they move */
#define ARC_BLOCKED (ARC_CLOSED | ARC_BARRED)
#define ARC_BYTES (sizeof(double) + 2 * sizeof(uint32_t) + sizeof(uint16_t) + sizeof(uint8_t))

/* Where the sections of a block begin, and where the last one ends. */
typedef struct wend_block {
  uint32_t first, both, in, end;
} wend_block;

/* A range of arcs. A block is stored as two ranges that overlap in section `both`, one for each direction of travel. */
typedef struct wend_span {
  uint32_t first, end;
} wend_span;

/* The sections, in their order in a block. */
typedef enum wend_section { SECTION_OUT, SECTION_BOTH, SECTION_IN } wend_section;

#define PLACE_CLOSED 1u /* the node is closed */

/* An edge that waits for wend_graph_sync. */
typedef struct wend_pending {
  double weight;
  uint32_t from, to; /* node slots */
  uint32_t edge;     /* edge slot */
  uint32_t kind;
  bool directed;
} wend_pending;

struct wend_graph {
  wend_map map;
  int dimensions;

  wend_slots nodes, edges;

  /* By place. */
  uint32_t place_count; /* places of nodes and of removed nodes */
  uint32_t place_capacity;
  uint32_t *slot_of;   /* of the node; WEND_NONE: it was removed */
  wend_span *out, *in; /* the block: out is first .. in, in is both .. end */
  uint32_t *room;      /* how many arcs fit into the block */
  uint8_t *flags;
  uint16_t *node_tag; /* NULL: no node has had a tag */
  uint32_t node_tag_capacity;
  double *points; /* `dimensions` numbers a place, NaN: no position; allocated with the first position */
  uint32_t points_capacity;
  uint32_t unplaced;      /* how many nodes have no position */
  uint32_t ordered_count; /* how many places there were after the last packing */

  /* The pool of arcs, by columns. */
  double *arc_weight; /* its sign is set where the arc is blocked */
  uint32_t *arc_to, *arc_edge;
  uint16_t *arc_tag;
  uint8_t *arc_flags;
  uint32_t arcs_used, arcs_capacity;
  uint32_t arcs_wasted; /* used, but in no block any more */
  uint32_t packings;    /* how often places have moved */

  wend_pending *pending;
  uint32_t pending_count, pending_capacity;

  /* By slot; allocated when first needed. */
  uint32_t *node_touched, *edge_touched; /* the low half of the version that changed it last */
  uint32_t node_touched_capacity, edge_touched_capacity;
  double *radius; /* INFINITY: no limit */
  uint32_t radius_capacity;

  uint32_t *tagged;                       /* by tag: how many nodes have it; tags after the last one have none */
  uint32_t tagged_capacity, tagged_count; /* tagged_count: nodes that have a tag */
  double *width; /* by edge slot: > 0; INFINITY: not limited. NULL: no edge has had one; otherwise all edges have one */
  uint32_t width_capacity;

  wend_names node_names; /* by node slot */
};

/* Whether an arc is blocked, from its stored weight alone. A blocked weight of 0 is stored as -0.0. */
static inline bool wend_is_blocked(double weight) { return signbit(weight) != 0; }

/* The position of a place: `dimensions` numbers, NaN where the node has none. The graph has positions. */
static inline const double *wend_graph_point(const wend_graph *graph, uint32_t place) {
  return graph->points + (size_t)place * (size_t)graph->dimensions;
}

/* The tag of the node at a place. */
static inline uint32_t wend_graph_tag_at(const wend_graph *graph, uint32_t place) {
  return graph->node_tag == NULL ? WEND_UNTAGGED : graph->node_tag[place];
}

/* The distance between two positions, and two places; NaN where one has no position. */
WEND_INLINE double wend_distance(int dimensions, const double *p, const double *q) {
  double sum = 0;
  for (int d = 0; d < dimensions; d++) sum += (p[d] - q[d]) * (p[d] - q[d]);
  return wend_sqrt(sum);
}
WEND_INLINE double wend_graph_distance(const wend_graph *graph, uint32_t a, uint32_t b) {
  if (graph->points == NULL) return NAN;
  return wend_distance(graph->dimensions, wend_graph_point(graph, a), wend_graph_point(graph, b));
}

/* ---- Blocks and arcs --------------------------------------------------------------------------------------- */

/* The block of a place. */
static inline wend_block wend_graph_block(const wend_graph *graph, uint32_t place) {
  wend_block block = {graph->out[place].first, graph->in[place].first, graph->out[place].end, graph->in[place].end};
  return block;
}

/* The section of a block that an arc of it is in. */
static inline wend_section wend_block_section(wend_block block, uint32_t arc) {
  return arc < block.both ? SECTION_OUT : arc < block.in ? SECTION_BOTH : SECTION_IN;
}

/* Sets the block of a place. The arcs are not moved. */
static inline void wend_graph_set_block(wend_graph *graph, uint32_t place, wend_block block) {
  graph->out[place].first = block.first;
  graph->out[place].end = block.in;
  graph->in[place].first = block.both;
  graph->in[place].end = block.end;
}

/* Reads an arc from the columns of the pool, and writes one. The sign of a stored weight is set where the arc is blocked, so
 * that a search reads one number to know both. */
static inline wend_arc wend_graph_get_arc(const wend_graph *graph, uint32_t at) {
  wend_arc arc;
  arc.weight = fabs(graph->arc_weight[at]);
  arc.to = graph->arc_to[at];
  arc.kind = (uint32_t)graph->arc_tag[at] << ARC_TAG_SHIFT | graph->arc_flags[at];
  arc.edge = graph->arc_edge[at];
  return arc;
}

static inline void wend_graph_set_arc(wend_graph *graph, uint32_t at, wend_arc arc) {
  graph->arc_weight[at] = (arc.kind & ARC_BLOCKED) != 0 ? -arc.weight : arc.weight;
  graph->arc_to[at] = arc.to;
  graph->arc_tag[at] = (uint16_t)(arc.kind >> ARC_TAG_SHIFT);
  graph->arc_flags[at] = (uint8_t)(arc.kind & ARC_FLAGS);
  graph->arc_edge[at] = arc.edge;
}

/* The functions below that take an edge need a synced graph. Edges are given by slot. */

/* The arc of an edge in the block of a place, which must have one. incoming: searches the sections `both` and `in`; otherwise
 * `out` and `both`. The time is linear in the number of edges at the place. */
static inline uint32_t wend_graph_find_arc(const wend_graph *graph, uint32_t place, uint32_t edge, bool incoming) {
  uint32_t arc = incoming ? graph->in[place].first : graph->out[place].first;
  while (graph->arc_edge[arc] != edge) arc++;
  assert(arc < graph->in[place].end);
  return arc;
}

/* The two arcs of an edge and their places. A two-way edge from a node to itself has one arc: from_arc and to_arc are equal. */
typedef struct wend_ends {
  uint32_t from, to;         /* places */
  uint32_t from_arc, to_arc; /* arcs */
  bool directed;
} wend_ends;

/* The ends of an edge. */
static inline wend_ends wend_graph_ends(const wend_graph *graph, uint32_t edge) {
  wend_ends e;
  e.from = graph->nodes.value[graph->edges.value[edge]];
  e.from_arc = wend_graph_find_arc(graph, e.from, edge, false);
  e.to = graph->arc_to[e.from_arc];
  e.directed = wend_block_section(wend_graph_block(graph, e.from), e.from_arc) == SECTION_OUT;
  e.to_arc = wend_graph_find_arc(graph, e.to, edge, true);
  return e;
}

/* Gives the node at a place a tag, for which there is room. */
void wend_graph_put_node_tag(wend_graph *graph, uint32_t place, uint32_t tag);
/* Makes room for the widths of this many edge slots; new ones are INFINITY. False: no memory. */
bool wend_graph_grow_widths(wend_graph *graph, uint64_t slots);
/* The width of the edge in a slot. */
static inline double wend_graph_width_of(const wend_graph *graph, uint32_t edge) {
  return graph->width == NULL ? INFINITY : graph->width[edge];
}
/* Returns the arc of an edge at the place where the edge begins. *from: that place. */
uint32_t wend_graph_arc(const wend_graph *graph, uint32_t edge, uint32_t *from);
/* Inverts flags of an arc: ARC_CLOSED, ARC_BARRED or both. The sign of the stored weight follows. */
void wend_graph_flip_arc(wend_graph *graph, uint32_t arc, uint32_t flags);
/* Removes an arc from the block of a place. The arcs behind it in the block move down by one; the pool does not shrink. */
void wend_graph_remove_arc(wend_graph *graph, uint32_t place, uint32_t arc);

/* Whether a node or an edge was changed, closed, opened or removed after the graph had a version. Names and radii do not count,
 * nor do edges that were added to a node or removed from it. Also true if the id names nothing, or if the graph has changed
 * 2^32 times or more since. */
bool wend_graph_node_touched(const wend_graph *graph, wend_id node, uint64_t version);
bool wend_graph_edge_touched(const wend_graph *graph, wend_id edge, uint64_t version);

/* The first step of every change of a node or an edge: syncs, and makes room for stamps. NO_MEMORY. */
wend_status wend_graph_prepare_edit(wend_graph *graph);

/* A part of a graph that an overlay can hide: a node or an edge. Parts are given by slot. */
typedef struct wend_part {
  bool closed, measured; /* measured: the weight is the distance between the ends */
  uint32_t tag;
  double weight, width; /* of an edge; of a node 0 */
} wend_part;

static inline const wend_slots *wend_graph_parts(const wend_graph *graph, bool edges) {
  return edges ? &graph->edges : &graph->nodes;
}
/* The part in a slot that is in use. A graph whose edges are asked for is synced. */
wend_part wend_graph_part(const wend_graph *graph, bool edge, uint32_t slot);
bool wend_graph_same_part(const wend_part *a, const wend_part *b);
/* Makes a part like another one. Where an overlay is edited, it hides the part then, also if they were the same. NO_MEMORY. */
wend_status wend_graph_set_part(wend_graph *graph, bool edge, uint32_t slot, const wend_part *part);

/* ---- Memory ------------------------------------------------------------------------------------------------ */

/* The arrays of a graph: a new one needs a row in the table. */
extern const wend_arrays wend_graph_arrays;

/* Make room for at least this many places, positions and arcs. New positions are NaN, the rest is not set. False: no memory,
 * and the graph is as it was. */
bool wend_graph_grow_places(wend_graph *graph, uint64_t places);
bool wend_graph_grow_points(wend_graph *graph, uint64_t places);
/* The same for tags of nodes, and the numbers of nodes that have them, up to `tag`. New places are WEND_UNTAGGED. */
bool wend_graph_grow_node_tags(wend_graph *graph, uint64_t places, uint32_t tag);
bool wend_graph_grow_pool(wend_graph *graph, uint64_t arcs);

#endif
