/* SPDX-License-Identifier: MIT */
/* Followers: making them, new ways, updates. data.h describes how they walk; events.c has the way from event to event. */
#include "move/follow/data.h"

#include <math.h>
#include <string.h>

#include "core/space/frame.h"
#include "move/follow/line.h"

WEND_NO_FUSING

#define STEP_MAX 1e308                         /* the largest distance for fmod, which gives NaN for infinity */
#define STANDS_ON (1.0 / (double)(1ull << 46)) /* of the coordinates: a follower so near to a point stands on it */

/* ---- Legs and laps ------------------------------------------------------------------------------------------ */

/* The end of the track of a straight loop: the follower begins another lap. Returns the distance walked in it. */
static double begin_lap(wend_follower *f, double walked) {
  const wend_track *track = &f->track;
  const double lap = wend_track_at(track, 2), length = wend_track_at(track, track->last);
  walked = lap + fmod((walked < STEP_MAX ? walked : STEP_MAX) - lap, length - lap);
  if (walked >= length) walked = lap;
  f->lost = 0;
  wend_follower_enter_at(f, walked, 1);
  return walked;
}

/* The end of a row: the follower continues in the next leg, or in the next lap of a loop; otherwise it arrives. *walked: the
 * distance, which is past the end; it becomes that on the new leg, or within the lap. It may leave by longjmp: the follower is
 * then at the beginning of a leg. NO_MEMORY: the same. */
static wend_status turn_round(wend_follower *f, double *walked) {
  const wend_track *track = &f->track;
  uint32_t laps = 0;
  if (wend_follower_is_straight(f)) {
    if (track->loop) *walked = begin_lap(f, *walked);
    else wend_follower_arrive(f);
    return WEND_OK;
  }
  for (uint64_t i = 0; i < 4 * (uint64_t)track->last; i++) {
    const double upto = wend_row_end(&f->row), heading = f->row.headings[f->row.count];
    double base = upto;
    uint32_t slot = wend_track_next(track, track->slot);
    wend_status status;
    if (slot == 0) {
      if (!track->loop) {
        wend_follower_arrive(f);
        return WEND_OK;
      }
      *walked = (*walked < STEP_MAX ? *walked : STEP_MAX) - upto, base = 0, slot = wend_track_next(track, 1);
      if (laps++ > 0) *walked = fmod(*walked, upto); /* the last lap began here, at 0: upto is its length */
      if (!(*walked > 0)) *walked = 0;
    }
    status = wend_follower_enter_leg(f, slot, base, heading);
    if (status != WEND_OK) return status;
    for (int d = 0; d < 3; d++) f->place.position[d] = f->point[d];
    if (*walked < f->upto) return WEND_OK;
    if (*walked < f->finish) {
      wend_follower_enter_at(f, *walked, 0);
      return WEND_OK;
    }
  }
  *walked = f->walked;
  return WEND_OK;
}

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

/* Puts the follower at the beginning of f->next_track. It may leave by longjmp; the follower is then as it was. INVALID: the
 * spacing would make too many points. NO_MEMORY. */
static wend_status begin(wend_follower *f, double *least) {
  wend_track *track = &f->next_track;
  const double at = wend_track_at(track, track->first), length = wend_track_at(track, track->last);
  const bool straight = wend_follower_is_straight(f);
  wend_track before;
  uint32_t slot = 0;
  track->loop = f->loop && length > wend_track_at(track, 2);
  if (!straight) slot = wend_track_next(track, track->first - 1);
  if (slot != 0) {
    wend_status status = wend_track_space(track, f->spacing, length - at - track->crossed, least);
    if (status == WEND_OK) status = wend_follower_make_row(f, track, slot, 0, wend_track_heading(track, track->first));
    if (status != WEND_OK) return status;
  }
  before = f->track, f->track = *track, *track = before;
  track = &f->track;
  f->lost = f->turn = 0;
  for (int d = 0; d < 3; d++) f->place.position[d] = wend_slot(track, track->first)[d + 1];
  f->place.done = false;
  f->length = track->loop ? INFINITY : straight ? length : -1;
  wend_follower_begin_events(f);
  if (!(length > at)) {
    f->walked = f->length = f->finish = 0;
    wend_follower_arrive(f);
    for (int d = 0; d < 3 && !track->has_portals; d++) { /* it does not jump, not even by a rounding error */
      f->place.position[d] = wend_slot(track, track->first)[d + 1];
    }
  } else if (straight) {
    f->on_row = false, f->walked = at;
    f->finish = track->loop ? length : length - (length - at) * WEND_ROUNDING;
    if (f->active) wend_follower_enter(f, f->event_slot - 1);
    else wend_follower_enter_at(f, at, track->first - 1);
  } else {
    wend_follower_take_row(f, slot);
    f->walked = 0;
    f->finish = wend_row_end(&f->row);
    if (!track->loop && wend_track_next(track, slot) == 0) f->finish -= f->finish * WEND_ROUNDING;
    f->place.leg = slot - 1;
    wend_follower_enter_at(f, 0, 0);
    if (f->active && slot > f->event_slot) return wend_follower_enter_slot(f, f->event_slot, 0, f->place.heading);
  }
  return WEND_OK;
}

/* Copies the paces of the options. */
static bool copy_paces(wend_follower *f, const wend_follow_opts *opts) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < opts->pace_count; i++) bytes += opts->paces[i].length;
  if (!WEND_RESIZE(&f->alloc, f->paces, f->paces_capacity, opts->pace_count)) return false;
  if (!WEND_RESIZE(&f->alloc, f->names, f->names_capacity, bytes)) return false;
  for (uint32_t i = 0; i < opts->pace_count; i++) wend_follower_add_pace(f, &opts->paces[i]);
  return true;
}

wend_follower *wend_follower_create(const wend_alloc *alloc, const wend_follow_opts *opts) {
  wend_follower *f = wend_new(alloc, sizeof *f);
  if (f == NULL) return NULL;
  f->kind = opts->kind, f->spacing = opts->spacing, f->loop = opts->loop, f->announces = opts->announces;
  f->clear = opts->clear, f->clear_ud = opts->clear_ud;
  f->speed = opts->speed, f->links = opts->links;
  f->active = opts->announces || opts->pace_count > 0;
  f->begun = true;
  if (copy_paces(f, opts)) return f;
  wend_follower_destroy(f);
  return NULL;
}

wend_status wend_follower_start(wend_follower *f, const wend_course *course, double *least) {
  const wend_status status = wend_track_read(&f->next_track, &f->alloc, course, f->loop, f->links);
  return status == WEND_OK ? begin(f, least) : status;
}

void wend_follower_destroy(wend_follower *f) {
  if (f == NULL) return;
  wend_track_free(&f->track, &f->alloc);
  wend_track_free(&f->next_track, &f->alloc);
  wend_row_free(&f->row, &f->alloc);
  wend_row_free(&f->next_row, &f->alloc);
  WEND_FREE(&f->alloc, f->paces, f->paces_capacity);
  WEND_FREE(&f->alloc, f->names, f->names_capacity);
  WEND_FREE(&f->alloc, f->by_tag, f->by_tag_capacity);
  wend_delete(f, sizeof *f);
}

/* ---- New points --------------------------------------------------------------------------------------------- */

/* The direction in which the follower walks, as a vector of length 1, and the length of the current leg. False: it never had a
 * direction. */
static bool direction_of(const wend_follower *f, double *direction, double *reach) {
  const wend_track *track = &f->track;
  double flat;
  if (!(f->finish > 0 || f->finish > wend_track_at(track, track->first))) {
    memcpy(direction, track->lead, sizeof track->lead);
    *reach = track->reach;
    return track->led;
  }
  if (!f->on_row) *reach = wend_track_at(track, f->chord + 2) - wend_track_at(track, f->chord + 1);
  else *reach = wend_row_end(&f->row) - f->row.points[0];
  direction[2] = track->dimensions == 3 ? f->unit[2] : 0;
  flat = direction[2] * direction[2]; /* a chord as short as the rounding of sums may be steeper than 1 */
  flat = wend_sqrt(1 - (flat < 1 ? flat : 1));
  direction[0] = cos(f->place.heading) * flat, direction[1] = sin(f->place.heading) * flat;
  return true;
}

/* Lets the new track begin where the follower is: leg `slot` leads from there. left: what is left of the next leg; or -1. */
static void lead_in(wend_follower *f, wend_track *track, uint32_t slot, double left) {
  double *c = wend_slot(track, slot), *n = c + WEND_SLOT, length, most = 0;
  bool was_moving;
  track->first = slot;
  for (uint32_t i = 2; i < slot; i++) { /* these legs are left out */
    if (wend_track_at(track, i) < wend_track_at(track, i + 1)) track->moving--;
  }
  was_moving = slot > 1 && c[0] < n[0];
  for (int d = left >= 0 ? 3 : -1; d >= 0; d--) {
    const double *upto = n + WEND_SLOT;
    n[d] = d == 0 ? upto[0] - (upto[0] - n[0]) * left : upto[d] + (n[d] - upto[d]) * left;
  }
  for (int d = 0; d < 3; d++) {
    c[d + 1] = f->place.position[d];
    if (fabs(c[d + 1]) > most) most = fabs(c[d + 1]);
  }
  length = wend_curve_distance(c + 1, n + 1);
  if (!(length > STANDS_ON * most))
    length = 0; /* one that stands on the point, except for rounding errors, does not turn to it */
  else if (!was_moving) track->moving++;
  c[0] = n[0] - length;
}

wend_status wend_follower_go(wend_follower *f, const wend_course *course, bool join, double *least) {
  wend_track *track = &f->next_track;
  double direction[3], left = -1;
  uint32_t slot = 1;
  wend_status status = wend_track_read(track, &f->alloc, course, f->loop, f->links);
  if (status != WEND_OK) return status;
  track->led = track->headed = direction_of(f, direction, &track->reach);
  if (track->led) memcpy(track->lead, direction, sizeof direction);
  track->heading = f->place.heading;
  if (join && !f->loop) {
    status = wend_follower_know_tags(f, track->map);
    if (status != WEND_OK) return status;
    slot = wend_follower_join(f, track, track->led ? direction : NULL, &left);
  }
  lead_in(f, track, slot, left);
  return begin(f, least);
}

void wend_follower_put(wend_follower *f, const double *position, double heading) {
  for (int d = 0; d < 3; d++) f->place.position[d] = position[d];
  f->place.heading = heading;
}

/* ---- Updates ------------------------------------------------------------------------------------------------ */

const wend_follower_place *wend_follower_where(const wend_follower *f) { return &f->place; }

void wend_follower_set_speed(wend_follower *f, double speed) { f->speed = speed; }

void wend_follower_set_announces(wend_follower *f, bool announces) {
  if (announces && !f->active) f->event_slot = f->place.leg + 1, f->begun = true; /* without paces there are no stops */
  f->announces = announces;
  f->active = announces || f->pace_count > 0;
}

wend_status wend_follower_update(wend_follower *f, double dt, uint32_t *point) {
  double step, walked;
  *point = 0;
  if (f->paused) return WEND_OK;
  if (f->active) {
    f->time = dt, f->lap_time = -1, f->passed = 0;
    return wend_follower_go_on(f, point);
  }
  step = f->speed * dt;
  if (!(step > 0) || f->place.done) return WEND_OK;
  step -= f->lost;
  walked = f->walked + step;
  if (walked < f->upto) {
    f->lost = walked - f->walked - step;
  } else if (walked < f->finish) {
    f->lost = walked - f->walked - step;
    wend_follower_enter_at(f, walked, f->chord + 1);
  } else {
    const wend_status status = turn_round(f, &walked);
    if (status != WEND_OK || f->place.done) return status;
    f->lost = 0;
  }
  f->walked = walked;
  wend_follower_set_place(f);
  return WEND_OK;
}

wend_status wend_follower_remaining(wend_follower *f, double *remaining) {
  if (f->length < 0) {
    double length = f->track.row_made ? wend_row_end(&f->row) : 0;
    uint32_t slot = wend_track_next(&f->track, f->track.slot);
    for (; slot != 0; slot = wend_track_next(&f->track, slot)) {
      const wend_status status = wend_follower_make_row(f, &f->track, slot, length, 0);
      if (status != WEND_OK) return status;
      length = wend_row_end(&f->next_row);
    }
    f->length = length;
  }
  *remaining = f->length > f->walked ? f->length - f->walked : 0;
  return WEND_OK;
}

wend_status wend_follower_line(wend_follower *f, wend_polyline *line) {
  const wend_track *track = &f->track;
  wend_status status = WEND_OK;
  wend_polyline_begin(line);
  for (uint32_t slot = track->first; status == WEND_OK && slot < track->last; slot++) {
    const double *points = wend_slot(track, slot);
    uint32_t count = 1;
    if (!wend_follower_is_straight(f) && wend_track_at(track, slot) < wend_track_at(track, slot + 1)) {
      status = wend_follower_make_row(f, track, slot, 0, 0);
      points = f->next_row.points, count = f->next_row.count;
    }
    if (status == WEND_OK) status = wend_polyline_add(line, points, count, slot - 2);
  }
  return status != WEND_OK ? status : wend_polyline_add(line, wend_slot(track, track->last), 1, 0);
}

/* ---- Stops -------------------------------------------------------------------------------------------------- */

void wend_follower_pause(wend_follower *f) { f->paused = true; }

bool wend_follower_is_paused(const wend_follower *f) { return f->paused; }

bool wend_follower_resume(wend_follower *f) {
  if (f->paused) f->paused = false;
  else if (f->waiting > 0) f->waiting = 0;
  else return false;
  return true;
}

bool wend_follower_resume_at(wend_follower *f, const double *position) {
  wend_track *track = &f->track;
  const uint32_t slot = f->event_slot;
  uint32_t changed = slot;
  double before;
  if (f->waiting == 0) return false;
  memcpy(wend_slot(track, slot + 1) + 1, position, 3 * sizeof *position);
  if (slot + 1 == track->last && track->loop) { /* a loop has its first point twice */
    memcpy(wend_slot(track, 2) + 1, position, 3 * sizeof *position);
    changed = track->first;
  }
  before = wend_track_at(track, changed);
  for (uint32_t i = changed; i < track->last; i++) {
    const double *c = wend_slot(track, i);
    const double old = c[WEND_SLOT] - before;
    before = c[WEND_SLOT];
    wend_slot(track, i + 1)[0] = c[0] + (wend_track_jumps(track, i) ? old : wend_curve_distance(c + 1, c + WEND_SLOT + 1));
  }
  f->waiting = 0;
  if (wend_follower_is_straight(f)) {
    f->finish = wend_track_at(track, track->last);
    if (!track->loop) f->length = f->finish;
    wend_follower_enter(f, slot - 1);
    f->walked = f->upto;
  } else {
    if (f->length < INFINITY) f->length = -1;
    f->walked = f->upto = f->finish;
  }
  f->lost = 0;
  memcpy(f->place.position, position, sizeof f->place.position);
  return true;
}

/* ---- What is on the way ------------------------------------------------------------------------------------- */

void wend_follower_forget_map(wend_follower *f) {
  f->track.map = NULL;
  f->track.frame = wend_frame_or_cells(NULL);
  f->known = NULL;
}

wend_id wend_follower_edge(const wend_follower *f) {
  const wend_id edge = f->place.leg >= 1 && f->place.leg < f->track.count ? f->track.legs[f->place.leg - 1] : WEND_NO_ID;
  return edge == WEND_PORTAL_LEG ? WEND_NO_ID : edge;
}

wend_id wend_follower_node(const wend_follower *f) {
  uint32_t i = f->place.done || f->place.leg > f->track.count ? f->track.count : f->place.leg;
  while (i > 0 && f->track.nodes[i - 1] == WEND_NO_ID) i--;
  return i > 0 ? f->track.nodes[i - 1] : WEND_NO_ID;
}

wend_id wend_follower_ahead(const wend_follower *f, wend_id *behind) {
  const wend_track *track = &f->track;
  uint32_t i = f->place.leg;
  *behind = WEND_NO_ID;
  if (f->place.done) return wend_follower_node(f);
  if (i < track->count && track->nodes[i] != WEND_NO_ID && wend_follower_edge(f) != WEND_NO_ID) *behind = track->nodes[i - 1];
  while (i < track->count && track->nodes[i] == WEND_NO_ID) i++;
  return i < track->count ? track->nodes[i] : wend_follower_node(f);
}

uint32_t wend_follower_points(const wend_follower *f, const double **slots) {
  *slots = wend_slot(&f->track, f->track.first);
  return f->track.last - f->track.first + 1;
}

wend_follower_traits wend_follower_traits_of(const wend_follower *f) {
  const wend_follower_traits traits = {f->track.map,     f->track.dimensions, f->speed, f->spacing,
                                       f->clear != NULL, f->announces,        f->links};
  return traits;
}
