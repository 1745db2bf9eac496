/* SPDX-License-Identifier: MIT */
/* How a disc fits between the closed cells and the walls of a grid: see fit.c. */
#ifndef WEND_FIT_H
#define WEND_FIT_H

#include "core/map/grid.h"

/* The disc of a grid, and what is known of its steps. */
typedef struct wend_fit {
  double radius;
  uint64_t version; /* of the grid that `cells` is of */
  uint64_t noted;   /* its cursor in the journal of the grid */
  uint16_t *cells;  /* by place: FIT_KNOWN and a bit for each direction that is denied; 0: not known yet */
  uint32_t cells_capacity;
} wend_fit;

/* Whether the disc of a grid gets from a cell to its neighbour in a direction. from: a place of the whole grid. */
bool wend_fit_passes(const wend_grid *grid, uint32_t from, int direction);
/* Where a disc stands in a cell: in the middle, or if it does not fit there, at the point of a side or a corner of the cell that is
 * farthest from everything solid. False: it does not fit, and nothing is written. */
bool wend_fit_spot(const wend_grid *grid, double radius, uint32_t place, double *x, double *y);
/* So many cells around an edit may change how a disc fits. */
int64_t wend_fit_reach(double radius);

#endif
