/* SPDX-License-Identifier: MIT */
/* The indexes of a graph: two R-trees, over the slots of the nodes and of the edges that have positions. The first
 * question builds an index. From then on, edits keep it up to date by the functions below; an index that has changed
 * much, or for which memory ran out, is not ready, and the next question builds it again. So these functions cannot
 * fail. */
#ifndef WEND_NEAREST_H
#define WEND_NEAREST_H

#include "core/base/rtree.h"
#include "core/map/graph_store.h"

/* Every graph that wend_graph_create returns is the first member of one of these. */
typedef struct wend_indexed_graph {
  wend_graph graph;
  wend_rtree near_nodes, near_edges;
} wend_indexed_graph;

/* After nodes or edges were added, and before they are removed. All have their places; the nodes have positions. */
void wend_near_add_nodes(wend_graph *graph, uint32_t slot, uint32_t count);
void wend_near_remove_node(wend_graph *graph, uint32_t slot);
void wend_near_add_edges(wend_graph *graph, const wend_pending *edges, uint32_t count);
void wend_near_remove_edge(wend_graph *graph, uint32_t edge, uint32_t from, uint32_t to); /* from, to: places */
/* After a node was moved. old: its position before, NaN: it had none. The graph is synced. */
void wend_near_move(wend_graph *graph, uint32_t slot, const double *old);
void wend_near_free(wend_graph *graph);

#endif
