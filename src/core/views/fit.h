/* SPDX-License-Identifier: MIT */
/* How a disc fits between the closed cells and the walls of a grid: see fit.c. */
#ifndef WEND_FIT_H
#define WEND_FIT_H

#include "core/map/grid.h"

/* Where a disc stands in a cell: in the middle, or if it does not fit there, at the point of a side or a corner of the cell that is
 * farthest from everything solid. closed: tags that are closed for the disc; NULL: none. False: it does not fit, and nothing is
 * written. */
bool wend_fit_spot(const wend_grid *grid, const wend_closed_tags *closed, double radius, uint32_t place, double *x, double *y);
/* After wend_grid_fit: cells with these tags are closed for the disc. NO_MEMORY. */
wend_status wend_fit_close(wend_grid *grid, const wend_closed_tags *closed);
/* So many cells around an edit may change how a disc fits. */
int64_t wend_fit_reach(double radius);

#endif
