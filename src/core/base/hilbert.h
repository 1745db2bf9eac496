/* SPDX-License-Identifier: MIT */
/* Order: numbers for points, such that points near each other get numbers near each other. */
#ifndef WEND_ORDER_H
#define WEND_ORDER_H

#include "core/base/memory.h"

/* Writes into order the indices 0 .. count - 1 in the order of a Hilbert curve over the points' x and y (levels are
 * wider than high); points (dimensions numbers each) that are NaN come last, and equal places keep their order.
 * scratch: room for 3 x count numbers. */
void wend_hilbert_order(const double *points, int dimensions, uint32_t count, uint32_t *order, uint32_t *scratch);

#endif
