/* SPDX-License-Identifier: MIT */
/* Tracks, and the rows of their legs: see track.h. */
#include "move/follow/track.h"

#include <math.h>
#include <string.h>

#include "core/map/map.h"
#include "core/space/frame.h"

WEND_NO_FUSING

#define POINTS_MAX 1e7 /* of one curve: more would be a mistake, and fill the memory */
#define LEG_PIECES 16  /* of a mean leg by default */

void wend_track_free(wend_track *track, const wend_alloc *alloc) {
  WEND_FREE(alloc, track->slots, track->slots_capacity);
  WEND_FREE(alloc, track->legs, track->legs_capacity);
  WEND_FREE(alloc, track->nodes, track->nodes_capacity);
}

void wend_row_free(wend_leg_row *row, const wend_alloc *alloc) {
  WEND_FREE(alloc, row->points, row->points_capacity);
  WEND_FREE(alloc, row->headings, row->headings_capacity);
}

wend_id wend_track_cell(const wend_track *track, const double *point) {
  const wend_grid *grid = (const wend_grid *)track->map;
  double cells[2], cell[2];
  wend_frame_point_in_cells(&track->frame, point, cells);
  wend_frame_cell(&track->frame, cells, cell);
  if (!(cell[0] >= 0 && cell[1] >= 0 && cell[0] < wend_grid_width(grid) && cell[1] < wend_grid_height(grid))) return WEND_NO_ID;
  return wend_grid_cell(grid, (uint32_t)cell[0], (uint32_t)cell[1]);
}

/* The length of a portal between two points of a track. */
static double track_portal(const wend_track *track, const wend_course *course, const double *from, const double *to,
                           wend_follow_links links) {
  double length = wend_curve_distance(from, to), weight;
  uint32_t tag;
  if (links == WEND_FOLLOW_JUMP) return 0;
  if (links == WEND_FOLLOW_COST && track->map != NULL && track->map->is_grid && track->dimensions == 2) {
    const wend_id a = wend_track_cell(track, from), b = wend_track_cell(track, to);
    if (a != WEND_NO_ID && b != WEND_NO_ID && wend_grid_find_portal((const wend_grid *)track->map, a, b, &weight, &tag)) {
      weight *= (tag < course->tag_count ? course->tags[tag].times : 1) *
                (track->frame.shape < WEND_ODD_COLUMNS ? track->frame.wide : track->frame.high);
      if (weight < INFINITY) length = wend_least(weight, WEND_COORDINATE_MAX);
    }
  }
  return length;
}

wend_status wend_track_read(wend_track *track, const wend_alloc *alloc, const wend_course *course, bool loop,
                            wend_follow_links links) {
  const uint32_t count = course->count + (loop && course->count > 1 ? 1 : 0);
  double at = 0;
  if (!WEND_GROW(alloc, track->slots, track->slots_capacity, (uint64_t)WEND_SLOT * ((uint64_t)count + 2)) ||
      !WEND_GROW(alloc, track->legs, track->legs_capacity, count) ||
      !WEND_GROW(alloc, track->nodes, track->nodes_capacity, count))
    return WEND_NO_MEMORY;
  track->count = count, track->moving = 0, track->dimensions = course->dimensions;
  track->crossed = 0;
  track->has_portals = track->loop = track->led = track->headed = track->row_made = false;
  track->map = course->map;
  track->frame = wend_frame_or_cells(course->map != NULL ? course->frame : NULL);
  track->first = 2, track->last = count + 1, track->slot = 0;
  memset(track->slots, 0, WEND_SLOT * sizeof *track->slots);
  for (uint32_t i = 0; i < count; i++) {
    const bool given = i < course->count;
    const wend_waypoint *from = &course->points[given ? i : 0];
    double *slot = wend_slot(track, i + 2);
    slot[1] = from->point[0], slot[2] = from->point[1], slot[3] = course->dimensions == 3 ? from->point[2] : 0;
    track->nodes[i] = given ? from->id : WEND_NO_ID;
    if (i > 0) {
      const wend_id leg = given && course->legs != NULL ? course->legs[i - 1] : WEND_NO_ID;
      const bool portal = leg == WEND_PORTAL_LEG;
      const double *before = slot - WEND_SLOT + 1;
      const double length =
          portal ? track_portal(track, course, before, slot + 1, links) : wend_curve_distance(before, slot + 1);
      track->legs[i - 1] = leg;
      at += length;
      if (portal) track->has_portals = true, track->crossed += length;
      else if (length > 0) track->moving++;
    }
    slot[0] = at;
  }
  return WEND_OK;
}

wend_status wend_track_space(wend_track *track, double wanted, double length, double *least) {
  *least = length / POINTS_MAX;
  track->spacing = wanted > 0 ? wanted : length / (track->moving > 0 ? track->moving : 1) / LEG_PIECES;
  return wanted > 0 && !(length / wanted <= POINTS_MAX) ? WEND_INVALID : WEND_OK;
}

uint32_t wend_track_next(const wend_track *track, uint32_t slot) {
  while (++slot < track->last) {
    if (wend_track_at(track, slot) < wend_track_at(track, slot + 1)) return slot;
  }
  return 0;
}

/* Writes the heading of the leg at a slot. False: it has none. */
static bool heading_of(const wend_track *track, uint32_t slot, double *heading) {
  const double *a = wend_slot(track, slot), *b = a + WEND_SLOT, dx = b[1] - a[1], dy = b[2] - a[2];
  if (!(a[0] < b[0] && (dx != 0 || dy != 0))) return false;
  *heading = atan2(dy, dx);
  return true;
}

double wend_track_heading(const wend_track *track, uint32_t slot) {
  double heading = 0;
  for (uint32_t i = slot; i > track->first; i--) {
    if (heading_of(track, i - 1, &heading)) return heading;
  }
  if (track->headed) return track->heading;
  for (uint32_t i = slot; i < track->last; i++) {
    if (heading_of(track, i, &heading)) return heading;
  }
  return heading;
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

typedef enum leg_sort { LEG_NONE, LEG_MOVES, LEG_ENDS } leg_sort; /* of length 0; a leg; the curve ends there */

/* The leg at a slot, as a vector. */
static leg_sort read_leg(const wend_track *track, uint32_t slot, double *vector) {
  const double *from = wend_slot(track, slot) + 1, *to = from + WEND_SLOT;
  if (wend_track_jumps(track, slot)) return LEG_ENDS;
  for (int d = 0; d < 3; d++) vector[d] = to[d] - from[d];
  return wend_curve_distance(from, to) > 0 ? LEG_MOVES : LEG_NONE;
}

/* The nearest leg of length > 0 before or after the leg at a slot. */
static leg_sort find_leg(const wend_track *track, uint32_t slot, int step, double *vector) {
  const bool loop = track->loop && (step > 0 || slot >= 2);
  const int64_t least = track->loop && slot >= 2 ? 2 : track->first;
  leg_sort sort = LEG_NONE;
  int64_t at = slot;
  for (int64_t tried = track->first; tried <= track->last && sort == LEG_NONE; tried++) {
    at += step;
    if (at < least || at >= track->last) {
      if (!loop) return LEG_NONE;
      at = step > 0 ? 2 : (int64_t)track->last - 1;
    }
    sort = read_leg(track, (uint32_t)at, vector);
  }
  return sort;
}

/* The tangents of the leg at a slot. */
static void find_tangents(const wend_track *track, uint32_t slot, wend_curve_kind kind, const double *leg, double *leave,
                          double *arrive) {
  double before[3], after[3];
  const leg_sort sort = find_leg(track, slot, -1, before);
  for (int d = 0; d < 3; d++) leave[d] = arrive[d] = leg[d];
  if (sort == LEG_MOVES) {
    wend_curve_tangent(kind, before, leg, leg, leave);
  } else if (sort == LEG_NONE && track->led && !(track->loop && slot >= 2)) {
    const double length = wend_curve_length(leg), scale = length < track->reach ? length : track->reach;
    for (int d = 0; d < 3; d++) leave[d] = track->lead[d] * scale;
  }
  if (find_leg(track, slot, 1, after) != LEG_MOVES) return;
  if (track->loop && slot < 2) { /* from outside into the loop: in the direction in which the last leg comes back */
    if (find_leg(track, 2, -1, before) == LEG_MOVES) wend_curve_tangent(kind, before, after, leg, arrive);
  } else {
    wend_curve_tangent(kind, leg, after, leg, arrive);
  }
}

/* Adds a point to a row of `written` points, with its heading: that of the direction, or the one before. */
static void put_point(wend_leg_row *row, uint32_t written, double at, double heading, const double *point,
                      const double *direction) {
  double *to = row->points + (size_t)WEND_SLOT * written;
  to[0] = written > 0 ? to[-(int)WEND_SLOT] + wend_curve_distance(to - WEND_SLOT + 1, point) : at;
  for (int d = 0; d < 3; d++) to[d + 1] = point[d];
  if (written > 0) heading = row->headings[written - 1];
  row->headings[written] = direction[0] != 0 || direction[1] != 0 ? atan2(direction[1], direction[0]) : heading;
}

static bool make_row_room(wend_leg_row *row, const wend_alloc *alloc, uint32_t chords) {
  row->count = chords;
  return WEND_GROW(alloc, row->points, row->points_capacity, (uint64_t)WEND_SLOT * ((uint64_t)chords + 1)) &&
         WEND_GROW(alloc, row->headings, row->headings_capacity, (uint64_t)chords + 1);
}

wend_status wend_track_row(const wend_track *track, const wend_alloc *alloc, wend_leg_row *row, uint32_t slot,
                           wend_curve_kind kind, double at, double heading) {
  const double *from = wend_slot(track, slot) + 1, *to = from + WEND_SLOT;
  double leg[3], leave[3], arrive[3], point[3], slope[3];
  wend_curve curve;
  uint32_t written = 0;
  for (int d = 0; d < 3; d++) leg[d] = to[d] - from[d];
  if (kind == WEND_LINEAR || read_leg(track, slot, leg) != LEG_MOVES) {
    if (!make_row_room(row, alloc, 1)) return WEND_NO_MEMORY;
    put_point(row, 0, at, heading, from, leg);
    put_point(row, 1, at, heading, to, leg);
    if (wend_track_jumps(track, slot))
      row->points[WEND_SLOT] = at + (wend_track_at(track, slot + 1) - wend_track_at(track, slot));
    return WEND_OK;
  }
  find_tangents(track, slot, kind, leg, leave, arrive);
  curve = wend_curve_begin(from, leave, to, arrive, track->spacing);
  if (!make_row_room(row, alloc, curve.count)) return WEND_NO_MEMORY;
  while (wend_curve_next(&curve, point, slope)) {
    put_point(row, written++, at, heading, point, slope[0] != 0 || slope[1] != 0 ? slope : leg);
  }
  return WEND_OK;
}
