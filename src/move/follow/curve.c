/* SPDX-License-Identifier: MIT */
/* Curves: one leg of a smooth line through points. A leg is a cubic Hermite curve from `from` to `to` with the tangents `leave`
 * and `arrive`. It is divided into pieces of equal length.
 *
 * The length is measured by Simpson's rule over small steps of the parameter v. Between two steps, v as a function of the length
 * is approximated by a Hermite cubic. Its slopes are bounded where the pace is near 0 (F. N. Fritsch, R. E. Carlson, "Monotone
 * piecewise cubic interpolation", 1980). The pace at v is the length of the derivative there.
 *
 * For example, a leg of length 10 with 2 pieces is measured in 16 steps. Piece 1 ends at the length 5. If steps 8 and 9 end at
 * the lengths 4.8 and 5.4, the cubic between v = 8/16 and v = 9/16 gives the v at which the length is 5. */
#include "move/follow/curve.h"

WEND_NO_FUSING

#define STEPS_MIN 16   /* steps in which a leg is measured, at least */
#define PIECES_MAX 1e7 /* more would be a mistake, and take too long */
#define SLACK 1e-9     /* of a piece: a leg of ten spacings has ten pieces in spite of rounding */

static double lerp(double a, double b, double v) { return v < 0.5 ? a + (b - a) * v : b - (b - a) * (1 - v); }

static double hermite(double p0, double m0, double p1, double m1, double v) {
  return lerp(p0, p1, v * v * (3 - 2 * v)) + v * (1 - v) * ((1 - v) * m0 - v * m1);
}

double wend_curve_length(const double *vector) {
  return wend_sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

double wend_curve_distance(const double *a, const double *b) {
  const double vector[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  return wend_curve_length(vector);
}

/* The parameter interval of a leg of this length. */
static double knot(wend_curve_kind kind, const double *leg) {
  const double length = wend_curve_length(leg);
  return kind == WEND_CATMULL_ROM ? wend_sqrt(length) : length;
}

void wend_curve_tangent(wend_curve_kind kind, const double *before, const double *after, const double *leg, double *tangent) {
  const double e = knot(kind, before), f = knot(kind, after), scale = knot(kind, leg);
  const double share = kind == WEND_CATMULL_ROM ? f / (e + f) : 0.5;
  for (int d = 0; d < 3; d++) tangent[d] = lerp(after[d] / f, before[d] / e, share) * scale;
}

uint32_t wend_curve_pieces(double length, double spacing) {
  const double pieces = ceil(length / spacing - SLACK);
  return !(pieces >= 1) ? 1 : pieces < PIECES_MAX ? (uint32_t)pieces : (uint32_t)PIECES_MAX;
}

/* The derivative at v: on each axis d + v (e + v f). */
static void slope_at(const wend_curve *curve, double v, double *slope) {
  for (int d = 0; d < 3; d++) slope[d] = curve->slope[d] + v * (curve->bend[d] + v * curve->twist[d]);
}

static double pace_at(const wend_curve *curve, double v) {
  double slope[3];
  slope_at(curve, v, slope);
  return wend_curve_length(slope);
}

/* Goes on to the end of the next step. */
static void take_step(wend_curve *curve) {
  const double steps = curve->steps, begin = curve->pace[1], middle = pace_at(curve, (curve->step + 0.5) / steps);
  curve->step++;
  curve->pace[0] = begin;
  curve->pace[1] = pace_at(curve, curve->step / steps);
  curve->walked[0] = curve->walked[1];
  curve->walked[1] += (begin + 4 * middle + curve->pace[1]) / (6 * steps);
}

static void rewind_steps(wend_curve *curve) {
  curve->step = 0;
  curve->pace[1] = pace_at(curve, 0);
  curve->walked[1] = 0;
}

wend_curve wend_curve_begin(const double *from, const double *leave, const double *to, const double *arrive, double spacing) {
  wend_curve curve;
  double leg[3];
  for (int d = 0; d < 3; d++) {
    leg[d] = to[d] - from[d];
    curve.from[d] = from[d], curve.to[d] = to[d], curve.arrive[d] = arrive[d];
    curve.slope[d] = leave[d];
    curve.bend[d] = 6 * leg[d] - 4 * leave[d] - 2 * arrive[d];
    curve.twist[d] = 3 * (leave[d] + arrive[d]) - 6 * leg[d];
  }
  curve.steps = wend_curve_pieces(wend_curve_length(leg), spacing);
  if (curve.steps < STEPS_MIN) curve.steps = STEPS_MIN;
  rewind_steps(&curve);
  while (curve.step < curve.steps) take_step(&curve);
  curve.length = curve.walked[1];
  curve.count = wend_curve_pieces(curve.length, spacing);
  curve.next = 0;
  rewind_steps(&curve);
  return curve;
}

/* The slope of v as a function of the length, where the pace is `pace`; bounded. */
static double inverse_slope(double length, double pace, double most) {
  const double slope = length / pace;
  return most < slope ? most : slope;
}

/* The v at which the curve is `at` long. */
static double find_at(wend_curve *curve, double at) {
  const double steps = curve->steps, most = 3 / steps;
  double length;
  while (curve->step == 0 || (curve->step < curve->steps && curve->walked[1] < at)) take_step(curve);
  length = curve->walked[1] - curve->walked[0];
  return hermite((curve->step - 1) / steps, inverse_slope(length, curve->pace[0], most), curve->step / steps,
                 inverse_slope(length, curve->pace[1], most), (at - curve->walked[0]) / length);
}

bool wend_curve_next(wend_curve *curve, double *point, double *slope) {
  const uint32_t k = curve->next;
  double v;
  if (k > curve->count) return false;
  v = k == 0 ? 0 : k == curve->count ? 1 : find_at(curve, curve->length * k / curve->count);
  for (int d = 0; d < 3; d++)
    point[d] = k == curve->count
                   ? curve->to[d]
                   : curve->from[d] + hermite(0, curve->slope[d], curve->to[d] - curve->from[d], curve->arrive[d], v);
  slope_at(curve, v, slope);
  curve->next++;
  return true;
}
