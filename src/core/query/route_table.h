/* SPDX-License-Identifier: MIT */
/* Route tables: for each two nodes, the edge to take from the first one toward the second.
 *
 * Nodes are numbered along the curve of graph_store.h, so targets near each other have numbers near each other, and
 * mostly the same edge leads to them. A row, one for each node, is compressed to runs of targets that share an edge
 * (A. Botea, "Ultra-fast optimal pathfinding without runtime search", 2011):
 *
 *      row of a node      targets 0 1 2 3 4 5 6 7 8 9
 *                         move    0 0 0 2 2 2 2 1 1 1    a move is a number of an edge; each row numbers its own: 0, 1, ...
 *                         starts  1 0 0 1 0 0 0 1 0 0    a bit for each target: a run starts here
 *                         runs    0     2       1        the move of each run; counting bits of `starts` finds the run
 *
 * Each column is made by one search back from its target. Its edges form a tree, whatever ties and rounding there are.
 * So no way through the table goes in circles. */
#ifndef WEND_ROUTE_TABLE_H
#define WEND_ROUTE_TABLE_H

#include "core/base/bytes.h"
#include "core/map/graph_store.h"

/* Not moves of an edge. */
#define NO_MOVE UINT32_MAX        /* there is no way */
#define ANY_MOVE (UINT32_MAX - 1) /* from a node to itself: any move will do, as none is read */

/* A row that is being made. */
typedef struct wend_row {
  uint32_t *runs;           /* for each run two numbers: its first target, and its move */
  uint32_t count, capacity; /* in numbers */
} wend_row;

struct wend_route_table {
  wend_alloc alloc;
  uint64_t version; /* of the graph */
  uint32_t count;   /* nodes */
  uint32_t slot_count;
  wend_id *nodes;      /* by number */
  uint32_t *number_of; /* by slot; WEND_NONE: there is no node */
  uint32_t nodes_capacity, number_capacity;

  /* The table. */
  uint32_t *first_move; /* by row, in the arrays by move; and after the last row */
  uint32_t first_move_capacity;
  uint64_t *starts;                /* by row, then by 64 targets */
  uint32_t *before;                /* in the same order: how many runs of the table start before these targets */
  uint32_t starts_capacity, words; /* words: 64 targets each, in a row */
  uint8_t *moves;                  /* by run: move_bytes each */
  unsigned move_bytes;
  uint32_t run_count, moves_capacity; /* in bytes */
  wend_id *edges;                     /* by move */
  uint32_t *nexts;                    /* by move: the number of the node that it leads to */
  double *costs;
  uint32_t edges_capacity, nexts_capacity, costs_capacity;

  /* While the table is made. */
  wend_row *rows;
  uint32_t *block; /* the edges, by slot, of a block of columns: by row, then by column */
  uint32_t rows_made_capacity, block_capacity;
};

/* Bytes of a move if no row has more moves than `widest`. The greatest number of so many bytes stands for NO_MOVE. */
static inline unsigned wend_route_table_move_bytes(uint32_t widest) { return widest < 0xff ? 1 : widest < 0xffff ? 2 : 4; }

/* Numbers the nodes of a graph whose places are in order. False: no memory. */
bool wend_route_table_number_nodes(wend_route_table *t, const wend_graph *graph);

#endif
