/* SPDX-License-Identifier: MIT */
/* The inside of a graph, for graph.c and search.c.
 *
 *   id --slots--> slot --value--> place        nodes: `place` is where a node's data lies
 *   id --slots--> slot --value--> from slot    edges: their data lies in the arcs of their ends
 *
 * Places follow a Hilbert curve through the level, so that what is near in space is near in memory; ids do not move.
 * Each place has a block of arcs in one pool, in three sections:
 *
 *            first        both           in            end     first + room
 *              | one way out | both ways  | one way in |  unused  |
 *   travel out  <------------------------>
 *   travel in                 <----------------------->
 *
 * so that a directed edge is two arcs (out at one end, in at the other), a two-way edge two (both, both), a two-way
 * loop one. Within a section arcs stand in the order in which their edges were made, whatever was moved when: the
 * order in which a search meets them, and so its ties, depends on the graph alone.
 *
 * New edges wait in `pending`; wend_graph_sync files them: few one by one, many by packing all blocks anew. */
#ifndef WEND_GRAPH_H
#define WEND_GRAPH_H

#include <math.h>

#include "core/base/rtree.h"
#include "core/map/map.h"
#include "core/base/slots.h"

/* One end of an edge. It is stored by columns, so that a search reads no more than it needs: 12 bytes an arc without
 * tags, 14 with. kind: the tag above ARC_TAG_SHIFT, flags below. */
typedef struct wend_arc {
  double weight;
  uint32_t to; /* the place at the other end */
  uint32_t kind;
  uint32_t edge; /* the edge's slot */
} wend_arc;

#define ARC_TAG_SHIFT 8
#define ARC_FLAGS 0xffu
#define ARC_CLOSED 1u   /* the edge is closed */
#define ARC_BARRED 2u   /* the node at the other end is closed */
#define ARC_MEASURED 4u /* the weight is the distance */
#define ARC_BLOCKED (ARC_CLOSED | ARC_BARRED)
#define ARC_BYTES (sizeof(double) + 2 * sizeof(uint32_t) + sizeof(uint16_t) + sizeof(uint8_t))

/* Where the sections of a block begin, and it ends. */
typedef struct wend_block {
  uint32_t first, both, in, end;
} wend_block;

/* It is stored as two overlapping stretches of arcs, by direction of travel: a search reads one of them. */
typedef struct wend_span {
  uint32_t first, end;
} wend_span;

#define PLACE_CLOSED 1u

/* An edge that waits to be filed. */
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
  uint32_t place_count;    /* places in use or left by removed nodes */
  uint32_t place_capacity;
  uint32_t *slot_of;       /* WEND_NONE: left by a removed node */
  wend_span *out, *in; /* blocks: first .. in, both .. end */
  uint32_t *room; /* arcs a block has room for */
  uint8_t *flags;
  double *points; /* dimensions numbers a place, NaN: no position; made with the first position */
  uint32_t points_capacity;
  uint32_t unplaced;      /* nodes without a position */
  uint32_t ordered_count; /* places when they were last put in order */

  /* The pool of arcs. */
  double *arc_weight; /* with the sign of a negative number where the arc is blocked */
  uint32_t *arc_to, *arc_edge;
  uint16_t *arc_tag;
  uint8_t *arc_flags;
  uint32_t arcs_used, arcs_capacity;
  uint32_t arcs_wasted; /* used, but in no block */

  wend_pending *pending;
  uint32_t pending_count, pending_capacity;

  /* By slot; made when first needed. */
  uint32_t *node_touched, *edge_touched; /* the low half of the version that touched it last */
  uint32_t node_touched_capacity, edge_touched_capacity;
  double *radius; /* INFINITY: no limit */
  uint32_t radius_capacity;

  wend_names node_names; /* by node slot */

  wend_rtree near_nodes, near_edges; /* of slots; built when first asked: see nearest.c */
};

/* Whether an arc may not be taken, from its weight alone; -0.0 is a weight too. */
static inline bool wend_is_blocked(double weight) { return signbit(weight) != 0; }

static inline const double *wend_graph_point(const wend_graph *graph, uint32_t place) {
  return graph->points + (size_t)place * (size_t)graph->dimensions;
}

/* The arc of an edge, by slot, in the block of the place that it comes from; that place. The graph is synced. */
uint32_t wend_graph_arc(const wend_graph *graph, uint32_t edge, uint32_t *from);

/* For file_graph.c: room for so many places, for their positions, for so many arcs; a block and an arc in their place. */
bool wend_graph_grow_places(wend_graph *graph, uint64_t wanted);
bool wend_graph_grow_points(wend_graph *graph, uint64_t places);
bool wend_graph_grow_pool(wend_graph *graph, uint64_t wanted);
void wend_graph_set_block(wend_graph *graph, uint32_t place, wend_block block);
static inline void wend_graph_set_arc(wend_graph *graph, uint32_t at, wend_arc arc) {
  graph->arc_weight[at] = (arc.kind & ARC_BLOCKED) != 0 ? -arc.weight : arc.weight;
  graph->arc_to[at] = arc.to;
  graph->arc_tag[at] = (uint16_t)(arc.kind >> ARC_TAG_SHIFT);
  graph->arc_flags[at] = (uint8_t)(arc.kind & ARC_FLAGS);
  graph->arc_edge[at] = arc.edge;
}

/* nearest.c: what keeps its indexes up to date. Places have their positions; of a move, also the one before. */
void wend_near_add_nodes(wend_graph *graph, uint32_t slot, uint32_t count);
void wend_near_remove_node(wend_graph *graph, uint32_t slot);
void wend_near_add_edges(wend_graph *graph, const wend_pending *edges, uint32_t count);
void wend_near_remove_edge(wend_graph *graph, uint32_t edge, uint32_t from, uint32_t to);
void wend_near_move(wend_graph *graph, uint32_t slot, const double *old);
void wend_near_free(wend_graph *graph);

#endif
