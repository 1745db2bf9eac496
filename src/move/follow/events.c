/* SPDX-License-Identifier: MIT */
/* Walking from event to event: points, borders of cells, stops. For followers with paces, and for followers that announce points. */
#include <math.h>
#include <string.h>

#include "move/follow/data.h"
#include "core/map/map.h"
#include "core/space/frame.h"

WEND_NO_FUSING

#define BORDER 1e-9       /* a border nearer than this, in cells, counts as passed: it is in the cell that it enters */
#define PASSED_MOST 1000u /* so many points more than there are may be passed without walking */

/* ---- Tags --------------------------------------------------------------------------------------------------- */

static uint32_t cell_tag(const wend_track *track, const double *point) {
  const wend_id cell = wend_track_cell(track, point);
  return cell == WEND_NO_ID ? WEND_UNTAGGED : wend_grid_get((const wend_grid *)track->map, cell).tag;
}

/* The tag of the leg at a slot: of its edge, or of its portal. */
static uint32_t leg_tag(const wend_track *track, uint32_t slot) {
  wend_edge edge;
  if (track->map == NULL || slot < 2 || slot > track->count) return WEND_UNTAGGED;
  if (wend_track_jumps(track, slot)) {
    const double *point = wend_slot(track, slot) + 1;
    const wend_id from = wend_track_cell(track, point), to = wend_track_cell(track, point + WEND_SLOT);
    double weight;
    uint32_t tag = WEND_UNTAGGED;
    if (!track->map->is_grid || from == WEND_NO_ID || to == WEND_NO_ID) return WEND_UNTAGGED;
    (void)wend_grid_find_portal((const wend_grid *)track->map, from, to, &weight, &tag);
    return tag;
  }
  if (track->map->is_grid || !wend_graph_has_edge((const wend_graph *)track->map, track->legs[slot - 2])) return WEND_UNTAGGED;
  return wend_graph_edge((wend_graph *)track->map, track->legs[slot - 2], &edge) == WEND_OK ? edge.tag : WEND_UNTAGGED;
}

/* Whether the follower is on a portal that takes time. */
static bool is_crossing(const wend_follower *f) {
  const uint32_t slot = f->place.leg + 1;
  return !f->place.done && wend_track_jumps(&f->track, slot) &&
         wend_track_at(&f->track, slot) < wend_track_at(&f->track, slot + 1);
}

uint32_t wend_follower_tag(const wend_follower *f) {
  const wend_track *track = &f->track;
  if (track->map == NULL) return WEND_UNTAGGED;
  return track->map->is_grid && !is_crossing(f) ? cell_tag(track, f->place.position) : leg_tag(track, f->place.leg + 1);
}

/* ---- Paces -------------------------------------------------------------------------------------------------- */

void wend_follower_add_pace(wend_follower *f, const wend_pace *given) {
  wend_paced *pace = &f->paces[f->pace_count++];
  pace->factor = given->factor, pace->stop = given->stop;
  pace->name = f->names_length, pace->length = (uint32_t)given->length;
  if (given->length > 0) memcpy(f->names + pace->name, given->tag, given->length);
  f->names_length += pace->length;
  f->stops = f->stops || pace->stop;
  f->slows = f->slows || pace->factor != 1;
}

wend_status wend_follower_know_tags(wend_follower *f, const wend_map *map) {
  uint32_t count;
  if (map == NULL || f->pace_count == 0) return WEND_OK;
  count = wend_map_tag_count(map);
  if (f->known == map && f->tag_count == count) return WEND_OK;
  if (!WEND_GROW(&f->alloc, f->by_tag, f->by_tag_capacity, (uint64_t)count + 1)) return WEND_NO_MEMORY;
  for (uint32_t tag = 0; tag <= count; tag++) f->by_tag[tag] = 0;
  for (uint32_t i = 0; i < f->pace_count; i++) {
    const uint32_t number = wend_names_find(&map->tag_names, f->names + f->paces[i].name, f->paces[i].length);
    if (number != WEND_NONE && number < count) f->by_tag[number + 1] = i + 1;
  }
  f->known = map, f->tag_count = count;
  return WEND_OK;
}

/* The pace of a tag; NULL: none. */
static const wend_paced *pace_of_tag(const wend_follower *f, uint32_t tag) {
  if (tag == WEND_UNTAGGED || tag > f->tag_count || f->by_tag[tag] == 0) return NULL;
  return &f->paces[f->by_tag[tag] - 1];
}

const wend_paced *wend_follower_stop(const wend_follower *f, const wend_track *track, uint32_t slot) {
  const wend_paced *pace = f->stops ? pace_of_tag(f, leg_tag(track, slot)) : NULL;
  return pace != NULL && pace->stop ? pace : NULL;
}

const char *wend_follower_waiting(const wend_follower *f, size_t *length) {
  if (f->waiting == 0) return NULL;
  *length = f->paces[f->waiting - 1].length;
  return f->names + f->paces[f->waiting - 1].name;
}

/* ---- Walking ------------------------------------------------------------------------------------------------ */

void wend_follower_begin_events(wend_follower *f) {
  const wend_track *track = &f->track;
  f->event_slot = track->first;
  if (track->first == 1 && wend_track_at(track, 1) == wend_track_at(track, 2) && track->count > 1) {
    f->event_slot = 2; /* it stands on the first point */
  }
  f->begun = false;
  f->waiting = 0;
  f->known = NULL; /* another map may have its address */
}

wend_status wend_follower_enter_slot(wend_follower *f, uint32_t slot, double base, double heading) {
  wend_track *track = &f->track;
  const double *c = wend_slot(track, slot);
  if (wend_follower_is_straight(f)) {
    f->walked = c[0];
    wend_follower_enter(f, slot - 1);
  } else if (c[0] < c[WEND_SLOT]) {
    const wend_status status = wend_follower_enter_leg(f, slot, base, heading);
    if (status != WEND_OK) return status;
  } else {
    track->slot = slot;
    f->walked = f->from = f->upto = f->finish = base;
    for (int d = 0; d < 3; d++) f->point[d] = c[d + 1], f->unit[d] = 0;
    f->heading = heading, f->turn = 0, f->place.leg = slot - 1;
  }
  wend_follower_set_place(f);
  return WEND_OK;
}

/* The follower passes the end of its leg: it comes to the next one, or arrives. *point: the point there, from 1. *lap: whether a
 * lap begins. */
static wend_status pass(wend_follower *f, uint32_t *point, bool *lap) {
  const wend_track *track = &f->track;
  uint32_t slot = f->event_slot + 1;
  *point = slot - 1, *lap = false;
  if (slot >= track->last && !track->loop) {
    f->walked = f->upto;
    wend_follower_arrive(f);
  } else {
    const double heading = f->place.heading;
    double base = f->upto;
    wend_status status;
    if (!wend_follower_is_straight(f) && track->row_made && track->slot == f->event_slot && f->finish > f->from) {
      base = wend_row_end(&f->row);
    }
    if (slot >= track->last) slot = 2, *point = 1, *lap = true, base = 0;
    status = wend_follower_enter_slot(f, slot, base, heading);
    if (status != WEND_OK) return status;
    f->event_slot = slot, f->lost = 0;
  }
  f->begun = false;
  return WEND_OK;
}

/* Looks whether the leg that begins is a stop. */
static void look_for_stop(wend_follower *f) {
  const wend_paced *stop = wend_follower_stop(f, &f->track, f->event_slot);
  f->begun = true;
  if (stop != NULL) f->waiting = (uint32_t)(stop - f->paces) + 1;
}

/* The distance from `at`, in cells along an axis, to the next border in the direction of `unit` per unit of way. */
static double to_border(double at, double unit) {
  double border;
  if (unit == 0) return INFINITY;
  border = unit > 0 ? floor(at + BORDER) + 1 : ceil(at - BORDER) - 1;
  return (border - at) / unit;
}

/* The factor of the speed where the follower is. *upto: how far it holds, on grids the next border; it is the end of the chord
 * before the call. */
static double factor_here(const wend_follower *f, double *upto) {
  const wend_track *track = &f->track;
  const wend_paced *pace;
  uint32_t tag;
  if (!f->slows || track->map == NULL || (track->map->is_grid && is_crossing(f))) return 1;
  if (track->map->is_grid) {
    const double along = f->walked - f->from, most = *upto - f->walked;
    double point[2], cells[2], step[2], x, y, way;
    for (int d = 0; d < 2; d++) point[d] = f->point[d] + f->unit[d] * along;
    wend_frame_point_in_cells(&track->frame, point, cells);
    wend_frame_in_cells(&track->frame, f->unit, step);
    x = to_border(cells[0], step[0]), y = to_border(cells[1], step[1]);
    way = track->frame.shape != WEND_SQUARES ? wend_frame_hex_border(&track->frame, cells, step, BORDER) : x < y ? x : y;
    if (!(way < most)) way = most;
    for (int d = 0; d < 2; d++) point[d] = point[d] + f->unit[d] * way / 2;
    tag = cell_tag(track, point);
    if (f->walked + way < *upto) {
      const double least = fabs(f->walked) * WEND_ROUNDING, end = f->walked + (way > least ? way : least);
      if (end < *upto) *upto = end;
    }
  } else {
    tag = leg_tag(track, f->event_slot);
  }
  pace = pace_of_tag(f, tag);
  return pace != NULL ? pace->factor : 1;
}

/* Walks on its chord. False: no time is left, or it stands. */
static bool walk(wend_follower *f) {
  double upto = f->upto, speed, step, left;
  if (!(f->time > 0)) return false;
  speed = f->speed * factor_here(f, &upto);
  if (!(speed > 0)) return false;
  step = speed * f->time;
  left = upto - f->walked + f->lost;
  if (step < left) {
    double sum;
    f->time = 0;
    step -= f->lost;
    sum = f->walked + step;
    f->lost = sum - f->walked - step;
    f->walked = sum < upto ? sum : upto;
  } else {
    f->time -= left / speed;
    if (!(f->time > 0)) f->time = 0;
    f->walked = upto, f->lost = 0;
  }
  f->passed = 0;
  wend_follower_set_place(f);
  return true;
}

wend_status wend_follower_go_on(wend_follower *f, uint32_t *point) {
  *point = 0;
  while (!f->place.done && !f->paused && f->waiting == 0) {
    wend_status status = wend_follower_know_tags(f, f->track.map);
    bool lap;
    if (status != WEND_OK) return status;
    if (!f->begun) look_for_stop(f);
    if (f->waiting > 0) return WEND_OK;
    if (f->walked < f->upto) {
      if (!walk(f)) return WEND_OK;
      continue;
    }
    f->passed++;
    if (!wend_follower_is_straight(f) && f->upto < f->finish) {
      wend_follower_enter_at(f, f->walked, f->chord);
      continue;
    }
    if (f->passed > f->track.count + PASSED_MOST) return WEND_ABORTED;
    status = pass(f, point, &lap);
    if (status != WEND_OK) return status;
    if (lap) { /* whole laps are left out after the first one in a call: otherwise a long time would take long */
      if (f->lap_time >= 0) f->time = f->lap_time > f->time ? fmod(f->time, f->lap_time - f->time) : 0;
      f->lap_time = f->time;
    }
    if (f->announces) return WEND_RUNNING;
    *point = 0;
  }
  return WEND_OK;
}
