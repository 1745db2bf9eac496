/* SPDX-License-Identifier: MIT */
/* Steps on a grid, with all that there can be: walls, corners, tags, edge functions, links. The search for plain costs
 * has a faster way (search_cells.h); everything else comes here. */
#ifndef WEND_WALK_H
#define WEND_WALK_H

#include "core/map/grid.h"

typedef struct wend_walker {
  const wend_grid *grid;
  wend_region region;
  const wend_costs *costs;
  uint64_t callbacks; /* how often the edge function was asked */
  bool gave_up;       /* it gave a negative cost, or none */
} wend_walker;

/* What straight steps from one place came to, so that none is asked twice: by direction, NaN: not asked yet. */
typedef struct wend_memo {
  double cost[8];
} wend_memo;
static inline void wend_memo_clear(wend_memo *memo) {
  for (int d = 0; d < 8; d++) memo->cost[d] = NAN;
}

/* What a step costs, INFINITY: it cannot be taken. An edge function is not asked where from_g and the least that it could
 * answer are more than known_g; the answer is then INFINITY too. memo: of `from`, or NULL. */
double wend_walker_step(wend_walker *w, uint32_t from, int direction, double from_g, double known_g, wend_memo *memo);
/* The same for a stretch of a line of so much length, and with the policy given; it need not start or end in the
 * middle of a cell. */
double wend_walker_stretch(wend_walker *w, uint32_t from, int direction, double length, wend_diagonals diagonals);
double wend_walker_portal(wend_walker *w, const wend_portal *portal, uint32_t from, uint32_t to, double from_g, double known_g);
/* From one cell to another, by a step or by a link, whichever is cheaper. */
double wend_walker_hop(wend_walker *w, wend_id from, wend_id to);
/* Whether a place can be stepped onto at all: it is not closed for everybody, nor by its tag for good. */
bool wend_walker_enters(const wend_walker *w, uint32_t place);

#endif
