/* SPDX-License-Identifier: MIT */
/* Route tables: for each two nodes, the edge to take from the first one toward the second.
 *
 * Nodes are numbered along the curve of graph_store.h, so targets near each other have numbers near each other, and
 * mostly the same edge leads to them. Each node has a row, which is compressed to runs of targets that share an edge
 * (A. Botea, "Ultra-fast optimal pathfinding without runtime search", 2011):
 *
 *      the row of node 4     targets   0  1  2  3  4  5  6  7  8  9
 *                            edges    e7 e7 e7 e2  - e2 e2 e7 e7 e7
 *                            starts    1  0  0  1  0  0  0  1  0  0    a bit for each target: a run starts here
 *                            moves     0        1           0          one for each run: e7 is move 0 of this row, e2 move 1
 *
 * Each row numbers its own edges, in the order in which it first needs them: its moves. Node 4 itself needs no edge and joins
 * the run before it. A lookup counts bits. From node 4 toward target 6: `starts` has 2 bits set at targets 0 .. 6, so it is in
 * the second run, whose move is 1, which is e2. `before` has the number of runs before each word of 64 targets, so only one
 * word is counted. The row takes 12 bytes for each 64 targets, 1 byte for each of its 3 runs (2 or 4 in tables where a row has
 * more than 254 moves), and 20 bytes for each of its 2 moves.
 *
 * Each column is made by one search back from its target. Its edges form a tree, whatever ties and rounding there are.
 * So no path through the table goes in circles: this is the invariant. */
#ifndef WEND_ROUTE_TABLE_H
#define WEND_ROUTE_TABLE_H

#include "core/base/bytes.h"
#include "core/map/graph_store.h"

/* In place of an edge or a move. */
#define NO_MOVE UINT32_MAX        /* there is no path */
#define ANY_MOVE (UINT32_MAX - 1) /* from a node to itself: any move is right, because it is never read */

/* A row that is being made. */
typedef struct wend_row {
  uint32_t *runs;           /* for each run two numbers: its first target, and its edge; later its move */
  uint32_t count, capacity; /* of numbers: two for each run */
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
  uint32_t *first_move; /* by row: where its moves begin in the arrays by move; one more for the end of the last row */
  uint32_t first_move_capacity;
  uint64_t *starts;                /* by row, then by word of 64 targets: a bit where a run starts */
  uint32_t *before;                /* in the same order: the number of runs of the whole table before the word */
  uint32_t starts_capacity, words; /* words: the number of words of a row */
  uint8_t *moves;                  /* by run: move_bytes each */
  unsigned move_bytes;
  uint32_t run_count, moves_capacity; /* in bytes */
  wend_id *edges;                     /* by move */
  uint32_t *nexts;                    /* by move: the number of the node that it leads to */
  double *costs;
  uint32_t edges_capacity, nexts_capacity, costs_capacity;

  /* While the table is made. */
  wend_row *rows;
  uint32_t rows_made_capacity;
};

/* The bytes of a move if no row has more moves than `widest`. The greatest number with these bytes stands for NO_MOVE. For
 * example, 254 moves are the numbers 0 .. 253, in 1 byte, and 255 stands for NO_MOVE. */
static inline unsigned wend_route_table_move_bytes(uint32_t widest) { return widest < 0xff ? 1 : widest < 0xffff ? 2 : 4; }

/* Numbers the nodes of a synced graph by their places. False: no memory. */
bool wend_route_table_number_nodes(wend_route_table *t, const wend_graph *graph);

#endif
