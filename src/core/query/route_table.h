/* SPDX-License-Identifier: MIT */
/* Route tables: for every two nodes, which edge to take.
 *
 * Nodes are numbered as they lie along the curve (graph.h), so that targets near each other have numbers near each other,
 * and mostly the same edge leads to them: a row, one for each node, is a few runs of targets.
 *
 *      row of a node      targets 0 1 2 3 4 5 6 7 8 9    its moves: the edges that it uses, 0, 1, 2, ...
 *                         move    0 0 0 2 2 2 2 1 1 1
 *                         starts  1 0 0 1 0 0 0 1 0 0    a bit a target: a run starts here
 *                         runs    0     2       1        a move a run; counting bits finds it
 *
 * The table is made a target at a time, by a search back from it: the steps to one target then make a tree, whatever ties
 * and rounding there are, and no way through the table goes in circles. A. Botea, "Ultra-fast optimal pathfinding without
 * runtime search" (2011), has the idea of compressing first moves by runs. */
#ifndef WEND_ROUTE_TABLE_H
#define WEND_ROUTE_TABLE_H

#include "core/base/bytes.h"
#include "core/map/graph_store.h"

/* Moves that are none. */
#define NO_MOVE UINT32_MAX  /* there is no way */
#define ANY_MOVE (UINT32_MAX - 1) /* nobody will ask: from a node to itself */

/* A row while it is made. */
typedef struct wend_row {
  uint32_t *runs; /* the first target and the move, by turns */
  uint32_t count, capacity; /* of the numbers */
} wend_row;

struct wend_route_table {
  wend_alloc alloc;
  uint64_t version; /* of the graph */
  uint32_t count;   /* nodes */
  uint32_t slot_count;
  wend_id *nodes;     /* by number */
  uint32_t *number_of; /* by slot; WEND_NONE: it is not there */
  uint32_t nodes_capacity, number_capacity;

  /* The table. */
  uint32_t *first_move; /* by row, and one more */
  uint32_t first_move_capacity;
  uint64_t *starts; /* by row, then by 64 targets */
  uint32_t *before; /* likewise: how many runs start before, in all of the table */
  uint32_t starts_capacity, words; /* words: of a row */
  uint8_t *moves; /* by run: so many bytes each */
  unsigned move_bytes;
  uint32_t run_count, moves_capacity; /* in bytes */
  wend_id *edges; /* by move */
  uint32_t *nexts; /* numbers */
  double *costs;
  uint32_t edges_capacity, nexts_capacity, costs_capacity;

  /* While it is made. */
  wend_row *rows;
  uint32_t *block; /* the edges, as slots, that lead to the targets of a block: by row, then by column */
  uint32_t rows_made_capacity, block_capacity;
};

/* Bytes of a move where a row has at most so many: the greatest number stands for NO_MOVE. */
static inline unsigned wend_route_table_move_bytes(uint32_t widest) { return widest < 0xff ? 1 : widest < 0xffff ? 2 : 4; }

/* Numbers the nodes of a graph whose places are in order. False: no memory. */
bool wend_route_table_number_nodes(wend_route_table *t, const wend_graph *graph);

#endif
