/* SPDX-License-Identifier: MIT */
/* The order of points along a Hilbert curve: points that are near each other in that order are near each other in
 * space. */
#ifndef WEND_HILBERT_H
#define WEND_HILBERT_H

#include "core/base/memory.h"

/* Writes the indices 0 .. count - 1 into `order`, sorted along a curve over x and y: levels are wide rather than
 * high. Points have `dimensions` numbers each. Those that are NaN come last. Points in the same cell of the curve
 * keep their order. scratch: room for 3 x count numbers. */
void wend_hilbert_order(const double *points, int dimensions, uint32_t count, uint32_t *order, uint32_t *scratch);

#endif
