/* SPDX-License-Identifier: MIT */
/* Bodies: a grid as an agent sees it that covers several cells. Where no function is called, what such an agent may do is what a
 * point may do on another grid, its eroded grid: each cell of it has the value of the dearest cell that the body covers if its own
 * cell is there. Where the body has no room, the cell is closed. An example, 2 x 2 cells, which cover their own cell and those
 * to the right and below; the digits are weights:
 *
 *     base       eroded      A wall between two cells of the body closes the cell, so the eroded grid has only the walls that stop
 *     1 1 1 3    1 1 3 #     diagonal steps: see cost/step.c. The corners of these are those of the eroded grid, and links are the
 *     1 1 1 1    1 # # #     same.
 *     1 1 # 1    1 # # #     So jump points, labels and views work on it as on any other grid, and so do the tables of the
 *     1 1 1 1    # # # #     base, if it is prepared: no step of a body costs less than that of its own cell.
 *
 * It follows its base by the journal, as an overlay does: a change matters to the cells whose bodies cover it, and these are
 * computed again. A search in slices keeps a frozen version of it. Where only a body of a later version of the base is known, a
 * search of an older one makes another.
 *
 * Where the edge function is asked about a cell that the body covers, the cell has the value of one of those cells, and its tag asks.
 * Steps onto it, and round it, are taken on the base (wend_is_left_to_base, cost/step.h).
 *
 * What it cannot be is told by wend_body_of: a step whose straight and diagonal steps are dearest on different cells, as where one
 * tag costs a price and another a factor; a function that is asked about many cells. Then step.h computes each step.
 *
 * Here the shape is known in two places: `erode` takes the greatest rank of the cells that are covered, and `shadow_of` tells which
 * bodies cover a cell. Outside, wend_body_enters (cost/step.h) tells whether a body has room, and wend_covered_cell (map/grid.h)
 * lists its cells. A body of another shape needs another of each. */
#ifndef WEND_BODY_H
#define WEND_BODY_H

#include "core/cost/step.h"

/* A kind of cells of the base, or without a palette a cell, and what a step onto it costs. */
typedef struct wend_ranked {
  double straight, diagonal;
  uint32_t of; /* the kind, or the place of the cell */
} wend_ranked;

typedef struct wend_eroded {
  uint64_t serial;  /* of the base; 0: the body is unused */
  uint64_t used;    /* the clock of the bodies when this one was used last */
  uint32_t holders; /* searches for which it must stay */
  uint32_t size;
  wend_tag_cost *tags;                       /* the cost of each tag for the agent */
  uint32_t tags_capacity, tag_count;         /* tag_count 0: the costs are the weights */
  wend_grid *grid;                           /* the eroded grid; NULL: there can be none */
  uint64_t version, cursor, palette_changes; /* of the base: how far the grid has followed */
  bool whole;                                /* the grid was made to its end */
  bool torn;                                 /* following has failed: all must be compared */
  bool mixed;                                /* without a palette: steps have become what it cannot be */
  wend_ranked *order;                        /* the kinds or cells that are open, the cheapest first */
  uint16_t *ranks;                           /* by kind of the base: its number in that order; `open` of them: it is closed */
  uint16_t *covered;                         /* ranks of the cells that are being computed */
  uint32_t order_capacity, ranks_capacity, covered_capacity, open;
} wend_eroded;

/* As many are kept, as with agent views: see WEND_AGENT_VIEWS_MAX. */
#define WEND_BODIES_MAX 16u

typedef struct wend_bodies {
  wend_eroded *at;
  uint32_t capacity, count;
  uint64_t clock;
} wend_bodies;

/* Finds the body of an agent on a grid, up to date: writes its number, or WEND_NONE if the agent has no size or there can be no
 * eroded grid. NO_MEMORY. Takes about as long as reading the grid a few times, and
 * later O(changes). */
wend_status wend_body_of(wend_bodies *bodies, const wend_alloc *alloc, const wend_grid *base, const wend_costs *costs,
                         uint32_t *number);
/* Frees the bodies of a grid, and all memory. */
void wend_bodies_forget(wend_bodies *bodies, const wend_alloc *alloc, const wend_grid *base);
void wend_bodies_free(wend_bodies *bodies, const wend_alloc *alloc);
/* The memory of all bodies, in bytes. */
size_t wend_bodies_bytes(const wend_bodies *bodies);

#endif
