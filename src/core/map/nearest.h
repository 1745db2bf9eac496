/* SPDX-License-Identifier: MIT */
/* The indexes of a graph: two R-trees (rtree.h), one over the nodes and one over the edges that have positions. Their items are
 * slots. The first question builds an index. From then on edits update it by the functions below. An index that has changed
 * much, or for which memory ran out, is marked as not ready, and the next question builds it again. So these functions cannot
 * fail. */
#ifndef WEND_NEAREST_H
#define WEND_NEAREST_H

#include "core/space/rtree.h"
#include "core/map/graph_store.h"

/* Every graph that wend_graph_create returns is the first member of such a struct. Only packing makes a wend_graph without
 * it. */
typedef struct wend_indexed_graph {
  wend_graph graph;
  wend_rtree near_nodes, near_edges;
} wend_indexed_graph;

/* Adds `count` nodes with consecutive slots. They were added to the store before, and have positions. */
void wend_near_add_nodes(wend_graph *graph, uint32_t slot, uint32_t count);
/* Removes a node, by slot. It is still in the store. */
void wend_near_remove_node(wend_graph *graph, uint32_t slot);
/* Adds `count` edges, but only if both ends have positions. Their nodes are in the store. */
void wend_near_add_edges(wend_graph *graph, const wend_pending *edges, uint32_t count);
/* Removes an edge, by slot. from, to: the places of its ends, which are still in the store. */
void wend_near_remove_edge(wend_graph *graph, uint32_t edge, uint32_t from, uint32_t to);
/* Moves a node, by slot, and its edges. The store has its new position. old: its position before; NaN: it had none. The graph
 * is synced. */
void wend_near_move(wend_graph *graph, uint32_t slot, const double *old);
/* Frees both indexes. They are then not ready. */
void wend_near_free(wend_graph *graph);

#endif
