/* SPDX-License-Identifier: MIT */
/* The formulas of curves: see curve.c. wend.h declares the others. */
#ifndef WEND_FOLLOW_CURVE_H
#define WEND_FOLLOW_CURVE_H

#include "core/base/bits.h"
#include "wend.h"

/* The number of pieces of at most `spacing` that a length needs; 1 if one of the two is NaN. */
uint32_t wend_curve_pieces(double length, double spacing);

#endif
