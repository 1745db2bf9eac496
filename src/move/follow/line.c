/* SPDX-License-Identifier: MIT */
/* wend_curve_line: a smooth line through all points of a way, as a denser list of points. curve.c has the formulas. */
#include "move/follow/line.h"

#include "move/follow/curve.h"

WEND_NO_FUSING

wend_polyline *wend_polyline_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_polyline)); }

void wend_polyline_destroy(wend_polyline *line) {
  if (line == NULL) return;
  WEND_FREE(&line->alloc, line->points, line->points_capacity);
  WEND_FREE(&line->alloc, line->legs, line->legs_capacity);
  WEND_FREE(&line->alloc, line->kept, line->kept_capacity);
  wend_track_free(&line->track, &line->alloc);
  wend_row_free(&line->row, &line->alloc);
  wend_delete(line, sizeof *line);
}

uint32_t wend_polyline_points(const wend_polyline *line, const double **points, const uint32_t **legs) {
  *points = line->points;
  *legs = line->legs;
  return line->count;
}

uint32_t wend_polyline_kept(const wend_polyline *line, const uint32_t **kept) {
  *kept = line->kept;
  return line->kept_count;
}

void wend_polyline_begin(wend_polyline *line) { line->count = line->kept_count = 0; }

wend_status wend_polyline_add(wend_polyline *line, const double *points, uint32_t count, uint32_t leg) {
  const uint64_t wanted = (uint64_t)line->count + count;
  if (!WEND_GROW(&line->alloc, line->points, line->points_capacity, 3 * wanted) ||
      !WEND_GROW(&line->alloc, line->legs, line->legs_capacity, wanted))
    return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++, line->count++) {
    for (size_t d = 0; d < 3; d++) line->points[3 * (size_t)line->count + d] = points[WEND_SLOT * (size_t)i + 1 + d];
    line->legs[line->count] = leg;
  }
  return WEND_OK;
}

bool wend_row_is_free(const wend_leg_row *row, wend_clear_fn clear, void *ud) {
  if (clear == NULL) return true;
  for (uint32_t i = 0; i < row->count; i++) {
    const double *a = row->points + (size_t)WEND_SLOT * i + 1;
    if (!clear(ud, a, a + WEND_SLOT)) return false;
  }
  return true;
}

/* Makes a straight row of `count` pieces. */
static bool make_straight(wend_polyline *line, uint32_t slot, uint32_t count) {
  const double *from = wend_slot(&line->track, slot) + 1, *to = from + WEND_SLOT;
  wend_leg_row *row = &line->row;
  row->count = count;
  if (!WEND_GROW(&line->alloc, row->points, row->points_capacity, (uint64_t)WEND_SLOT * ((uint64_t)count + 1))) return false;
  for (uint32_t k = 0; k <= count; k++) {
    double *point = row->points + (size_t)WEND_SLOT * k + 1;
    for (int d = 0; d < 3; d++) point[d] = k < count ? from[d] + (to[d] - from[d]) * k / count : to[d];
  }
  return true;
}

/* Makes the row of the leg at a slot. *kept: it stays straight because the curve is not free. NO_MEMORY. */
static wend_status make_leg(wend_polyline *line, uint32_t slot, const wend_curve_opts *opts, bool *kept) {
  const wend_track *track = &line->track;
  const double length = wend_track_at(track, slot + 1) - wend_track_at(track, slot);
  *kept = false;
  if (!(length > 0)) return make_straight(line, slot, 1) ? WEND_OK : WEND_NO_MEMORY;
  if (opts->kind != WEND_LINEAR) {
    const wend_status status = wend_track_row(track, &line->alloc, &line->row, slot, opts->kind, 0, 0);
    if (status != WEND_OK || wend_row_is_free(&line->row, opts->clear, opts->clear_ud)) return status;
    *kept = true;
  }
  /* Because of rounding, a point on it may lie behind a corner that the leg itself just passes. */
  if (!make_straight(line, slot, wend_curve_pieces(length, track->spacing))) return WEND_NO_MEMORY;
  if (*kept && !wend_row_is_free(&line->row, opts->clear, opts->clear_ud) && !make_straight(line, slot, 1))
    return WEND_NO_MEMORY;
  return WEND_OK;
}

wend_status wend_curve_line(wend_polyline *line, const wend_course *course, const wend_curve_opts *opts, double *least) {
  wend_track *track = &line->track;
  wend_status status = wend_track_read(track, &line->alloc, course, opts->loop, WEND_FOLLOW_JUMP);
  bool kept;
  wend_polyline_begin(line);
  if (status != WEND_OK) return status;
  track->loop = opts->loop;
  status = wend_track_space(track, opts->spacing, wend_track_at(track, track->last), least);
  for (uint32_t slot = 2; status == WEND_OK && slot < track->last; slot++) {
    status = make_leg(line, slot, opts, &kept);
    if (status == WEND_OK) status = wend_polyline_add(line, line->row.points, line->row.count, slot - 2);
    if (status != WEND_OK || !kept) continue;
    if (!WEND_GROW(&line->alloc, line->kept, line->kept_capacity, (uint64_t)line->kept_count + 1)) return WEND_NO_MEMORY;
    line->kept[line->kept_count++] = slot - 2;
  }
  return status != WEND_OK ? status : wend_polyline_add(line, wend_slot(track, track->last), 1, 0);
}
