/* SPDX-License-Identifier: MIT */
/* Lines made of the legs of a track. */
#ifndef WEND_FOLLOW_LINE_H
#define WEND_FOLLOW_LINE_H

#include "move/follow/track.h"

struct wend_polyline {
  wend_alloc alloc;
  double *points;        /* 3 numbers each */
  uint32_t *legs, *kept; /* legs from 0 */
  uint32_t points_capacity, legs_capacity, kept_capacity;
  uint32_t count, kept_count; /* of points */
  wend_track track;           /* for wend_curve_line */
  wend_leg_row row;
};

/* Empties a line. */
void wend_polyline_begin(wend_polyline *line);
/* Adds `count` points of a row, that belong to a leg. NO_MEMORY. */
wend_status wend_polyline_add(wend_polyline *line, const double *points, uint32_t count, uint32_t leg);
/* Whether `clear` says that each chord of a row is free. NULL: it is. */
bool wend_row_is_free(const wend_leg_row *row, wend_clear_fn clear, void *ud);

#endif
