/* SPDX-License-Identifier: MIT */
/* The order of points along a Hilbert curve. Points that follow each other in this order are near each other in space. */
#ifndef WEND_HILBERT_H
#define WEND_HILBERT_H

#include "core/base/memory.h"

/* Sorts points along the curve.
 *   points       count points of `dimensions` numbers each (2 or 3). The third number is ignored: levels of games are wide
 *                rather than high
 *   order        gets the indices 0 .. count - 1 in the order of the curve. Points in the same cell of the curve keep their
 *                order; points whose x is NaN come last
 *   scratch      room for 3 x count numbers
 * The time is linear in count. */
void wend_hilbert_order(const double *points, int dimensions, uint32_t count, uint32_t *order, uint32_t *scratch);

#endif
