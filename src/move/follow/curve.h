/* SPDX-License-Identifier: MIT */
/* The formulas of curves: see curve.c. */
#ifndef WEND_FOLLOW_CURVE_H
#define WEND_FOLLOW_CURVE_H

#include "core/base/bits.h"
#include "wend_move.h"

/* The number of pieces of at most `spacing` that a length needs; 1 if one of the two is NaN. */
uint32_t wend_curve_pieces(double length, double spacing);

/* Vectors have 3 numbers; in 2 dimensions the last is 0. */

double wend_curve_length(const double *vector);
/* The distance between two points. */
double wend_curve_distance(const double *a, const double *b);
/* Writes the tangent where leg `before` meets leg `after`, for the use at an end of `leg`. All three are vectors of length > 0. */
void wend_curve_tangent(wend_curve_kind kind, const double *before, const double *after, const double *leg, double *tangent);
/* One leg, divided into pieces of equal length. */
typedef struct wend_curve {
  uint32_t count; /* of pieces, at least 1 */
  double length;
  /* Private to wend_curve_next. */
  double from[3], to[3], arrive[3];
  double slope[3], bend[3], twist[3]; /* the derivative is slope + v (bend + v twist) */
  uint32_t steps, step, next;
  double walked[2], pace[2]; /* at the beginning and the end of the current step */
} wend_curve;
/* Begins a leg from one point to another, with the tangents at both. spacing: the largest length of a piece, > 0. */
wend_curve wend_curve_begin(const double *from, const double *leave, const double *to, const double *arrive, double spacing);
/* Writes the next of count + 1 points, and the derivative there. The last point is exactly the end. False: there is none. */
bool wend_curve_next(wend_curve *curve, double *point, double *slope);

#endif
