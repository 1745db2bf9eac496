/* SPDX-License-Identifier: MIT */
/* Tracks and rows: points in the form in which curves and followers go along them.
 *
 * A track is a list of slots. A slot holds `at`, the distance from point 1, and then x, y and z of a point.
 *
 *   slot 1       free: a follower that comes from somewhere else puts its own position there
 *   slot 2       point 1, at 0
 *   slot i + 1   point i
 *   slot i + 1 to slot i + 2 is leg i
 *
 * For example, the points (0, 0), (3, 4), (3, 9) are _ _ _ _, 0 0 0 0, 5 3 4 0, 10 3 9 0.
 *
 * A row is one leg of a track, straight or curved: points in the form of slots, and a heading for each. */
#ifndef WEND_TRACK_H
#define WEND_TRACK_H

#include "core/base/bits.h"
#include "core/base/memory.h"
#include "move/follow/curve.h"

#define WEND_SLOT 4u /* numbers in a slot */

typedef struct wend_track {
  double *slots;
  wend_id *legs, *nodes; /* by leg and by point, from 0, as in wend_course */
  uint32_t slots_capacity, legs_capacity, nodes_capacity;
  uint32_t count;  /* of points; a loop has its first point twice */
  uint32_t moving; /* legs of length > 0 that are no portals */
  int dimensions;
  bool has_portals;
  double crossed; /* the length of all portals */
  wend_map *map;  /* NULL: none */
  wend_frame frame;

  uint32_t first, last; /* the first and the last slot of the way of the follower */
  bool loop;            /* a lap begins at slot 2 */
  bool led, headed;     /* the track continues a direction: it has `lead` and `reach`; it has `heading` */
  double lead[3], reach, heading;
  double spacing; /* of curves: the largest length of a chord */
  uint32_t slot;  /* of curves: that of the current leg */
  bool row_made;  /* of curves: there is a row of that leg */
} wend_track;

typedef struct wend_leg_row {
  double *points, *headings;
  uint32_t points_capacity, headings_capacity;
  uint32_t count; /* of chords */
} wend_leg_row;

/* Where a row ends. */
WEND_INLINE double wend_row_end(const wend_leg_row *row) { return row->points[(size_t)WEND_SLOT * row->count]; }

WEND_INLINE double *wend_slot(const wend_track *track, uint32_t slot) { return track->slots + (size_t)WEND_SLOT * (slot - 1); }
WEND_INLINE double wend_track_at(const wend_track *track, uint32_t slot) { return wend_slot(track, slot)[0]; }
WEND_INLINE bool wend_track_jumps(const wend_track *track, uint32_t slot) {
  return slot >= 2 && track->legs[slot - 2] == WEND_PORTAL_LEG;
}

void wend_track_free(wend_track *track, const wend_alloc *alloc);
void wend_row_free(wend_leg_row *row, const wend_alloc *alloc);
/* Fills a track. loop: it ends with its first point. links: how long portals are. NO_MEMORY: it is of no use. */
wend_status wend_track_read(wend_track *track, const wend_alloc *alloc, const wend_course *course, bool loop,
                            wend_follow_links links);
/* The cell of a grid at a point of the world. WEND_NO_ID: the point is outside. */
wend_id wend_track_cell(const wend_track *track, const double *point);
/* Sets the spacing of a curve. wanted: the option; 0: a 16th of the mean leg. length: of all legs but portals. INVALID: it would
 * make too many points; *least: the least that would not. */
wend_status wend_track_space(wend_track *track, double wanted, double length, double *least);
/* The slot of the next leg of length > 0 after a slot; 0: there is none. */
uint32_t wend_track_next(const wend_track *track, uint32_t slot);
/* The heading of the last leg before a slot that has one; otherwise that of the first leg after it; otherwise 0. */
double wend_track_heading(const wend_track *track, uint32_t slot);
/* Makes the row of the leg at a slot, which begins at the distance `at` with this heading. NO_MEMORY. */
wend_status wend_track_row(const wend_track *track, const wend_alloc *alloc, wend_leg_row *row, uint32_t slot,
                           wend_curve_kind kind, double at, double heading);

#endif
