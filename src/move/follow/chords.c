/* SPDX-License-Identifier: MIT */
/* The chords of a follower, and the legs of its curve: how it comes to the next one, and to the end. data.h describes them. */
#include "move/follow/data.h"

#include <math.h>

#include "move/follow/line.h"

WEND_NO_FUSING

#define PI 3.14159265358979323846

/* ---- Chords ------------------------------------------------------------------------------------------------- */

/* An angle in -pi .. pi, from one in -3 pi .. 3 pi. */
static double wrapped(double angle) { return angle > PI ? angle - 2 * PI : angle < -PI ? angle + 2 * PI : angle; }

static const double *chords_of(const wend_follower *f) { return f->on_row ? f->row.points : f->track.slots; }

/* It doubles the stride until it is too far, and then bisects the last stride. The next chord takes few steps, a distant one
 * logarithmically many. */
void wend_follower_enter_at(wend_follower *f, double walked, uint32_t chord) {
  const double *row = chords_of(f);
  const uint32_t last = f->on_row ? f->row.count : f->track.last - 1; /* after the last chord */
  uint32_t reach = 1, first = 0, beyond;
  while ((uint64_t)chord + reach < last && row[(size_t)WEND_SLOT * (chord + reach)] <= walked) {
    chord += reach;
    reach *= 2;
  }
  beyond = reach;
  while (beyond - first > 1) {
    const uint32_t middle = first + (beyond - first) / 2;
    if ((uint64_t)chord + middle < last && row[(size_t)WEND_SLOT * (chord + middle)] <= walked) first = middle;
    else beyond = middle;
  }
  wend_follower_enter(f, chord + first);
}

void wend_follower_enter(wend_follower *f, uint32_t chord) {
  const double *a = chords_of(f) + (size_t)WEND_SLOT * chord, *b = a + WEND_SLOT;
  const bool stands = !(b[0] - a[0] > 0); /* on the beginning */
  const double length = stands ? INFINITY : b[0] - a[0];
  f->from = a[0], f->upto = b[0] < f->finish ? b[0] : f->finish, f->chord = chord;
  for (int d = 0; d < 3; d++) {
    f->point[d] = a[d + 1];
    f->unit[d] = (b[d + 1] - a[d + 1]) / length;
  }
  if (!f->on_row) {
    const double dx = b[1] - a[1], dy = b[2] - a[2];
    f->heading = (dx != 0 || dy != 0) && !stands ? atan2(dy, dx) : wend_track_heading(&f->track, chord + 1);
    f->place.leg = chord;
  } else {
    const double turn = wrapped(f->row.headings[chord + 1] - f->row.headings[chord]);
    f->heading = f->row.headings[chord];
    f->turn = turn != 0 ? turn / length : 0;
  }
  f->place.heading = f->heading;
}

void wend_follower_set_place(wend_follower *f) {
  const double along = f->walked - f->from;
  for (int d = 0; d < 3; d++) f->place.position[d] = f->point[d] + f->unit[d] * along;
  if (f->turn != 0) f->place.heading = wrapped(f->heading + f->turn * along);
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

wend_status wend_follower_make_row(wend_follower *f, const wend_track *track, uint32_t slot, double base, double heading) {
  wend_leg_row *row = &f->next_row;
  wend_status status = wend_track_row(track, &f->alloc, row, slot, f->kind, base, heading);
  if (status != WEND_OK) return status;
  if (wend_row_end(row) > base && wend_row_is_free(row, f->clear, f->clear_ud)) return WEND_OK;
  return wend_track_row(track, &f->alloc, row, slot, WEND_LINEAR, base, heading);
}

void wend_follower_take_row(wend_follower *f, uint32_t slot) {
  const wend_leg_row row = f->row;
  f->row = f->next_row;
  f->next_row = row;
  f->track.slot = slot, f->track.row_made = true, f->on_row = true;
}

wend_status wend_follower_enter_leg(wend_follower *f, uint32_t slot, double base, double heading) {
  const wend_status status = wend_follower_make_row(f, &f->track, slot, base, heading);
  double upto;
  if (status != WEND_OK) return status;
  wend_follower_take_row(f, slot);
  upto = wend_row_end(&f->row);
  f->finish = !f->track.loop && wend_track_next(&f->track, slot) == 0 ? upto - upto * WEND_ROUNDING : upto;
  f->walked = base;
  if (f->clear != NULL && f->length < INFINITY) f->length = -1; /* `clear` may have changed its mind since it was measured */
  f->place.leg = slot - 1;
  wend_follower_enter_at(f, base, 0);
  return WEND_OK;
}

void wend_follower_arrive(wend_follower *f) {
  const wend_track *track = &f->track;
  const double *end = wend_slot(track, track->last);
  if (wend_follower_is_straight(f) || !track->row_made) {
    f->place.heading = wend_track_heading(track, track->last);
  } else {
    f->place.heading = f->row.headings[f->row.count];
  }
  if (!wend_follower_is_straight(f)) f->length = track->row_made ? wend_row_end(&f->row) : f->walked > 0 ? f->finish : 0;
  for (int d = 0; d < 3; d++) f->place.position[d] = end[d + 1];
  f->place.leg = track->last - 2;
  f->place.done = true;
  f->walked = track->loop || f->length < 0 ? 0 : f->length;
}
