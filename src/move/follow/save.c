/* SPDX-License-Identifier: MIT */
/* Followers in files. A file holds what cannot be calculated again: the points with their distances, the row of the current leg
 * of a curve, and where the follower is on it. wend_follower_enter fills in the rest. So a decoded follower has the same numbers
 * as the one that was encoded, to the last bit.
 *
 *   FOLW   fingerprint and frame of the map, flags, counts, numbers
 *   SLOT   the slots of the track
 *   LEGS   8 bytes for each leg: the edge, or that it is a portal
 *   NODS   8 bytes for each point: the node
 *   ROWS   of curves: at, x, y, z and heading of each point of the row
 *   PACE   paces
 *   LINK   how it crosses portals, unless it jumps
 *
 * A file may be damaged on purpose. The checks here leave no follower that walks without end or comes to NaN. */
#include <math.h>
#include <string.h>

#include "core/codec/file.h"
#include "core/codec/fingerprint.h"
#include "move/follow/data.h"
#include "core/map/map.h"
#include "core/space/frame.h"

WEND_NO_FUSING

#define AT_MAX 1e160    /* distances: sums of up to ten billion legs */
#define POINTS_MAX 1e7  /* of a curve, as in track.c */
#define TOLERANCE 1e-12 /* of the largest number: by rounding, a distance may differ from that of its points */
#define SHARE 4         /* so many times longer than its points are apart may a short leg be, by rounding */
#define ROW_BYTES 40u   /* of a point of a row */
#define PACE_BYTES 13u  /* of a pace, without its name */

/* A follower in a file. */
typedef struct saved_follower {
  wend_follower f;
  uint64_t print; /* of the map */
  bool mapped, asks;
  uint32_t chord; /* from 1; 0: it is on none */
} saved_follower;

/* Its numbers, in the order of the file. */
#define WHOLE(field, bytes) WEND_WHOLE(saved_follower, field, bytes)
#define FLAG(field) WEND_FLAG(saved_follower, field)
#define NUMBER(field, least, most) WEND_DOUBLE(saved_follower, f.field, least, most)
#define PLACE(field) NUMBER(field, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX)
/* A row for what belongs together. */
/* clang-format off */
static const wend_record_item follower_items[] = {
    WHOLE(print, 8), WHOLE(f.track.dimensions, 1), WHOLE(f.kind, 1),
    WEND_FLAGS(4), FLAG(mapped), FLAG(asks), FLAG(f.loop), FLAG(f.place.done), FLAG(f.announces), FLAG(f.paused), FLAG(f.begun),
    FLAG(f.track.led), FLAG(f.track.headed), FLAG(f.track.row_made), FLAG(f.track.frame.isometric),
    WHOLE(f.track.count, 4), WHOLE(f.track.first, 4), WHOLE(f.track.slot, 4), WHOLE(chord, 4), WHOLE(f.event_slot, 4),
    WHOLE(f.waiting, 4),
    NUMBER(track.frame.wide, 0, DBL_MAX), NUMBER(track.frame.high, 0, DBL_MAX),
    NUMBER(track.frame.left, -DBL_MAX, DBL_MAX), NUMBER(track.frame.top, -DBL_MAX, DBL_MAX),
    NUMBER(spacing, 0, DBL_MAX), NUMBER(speed, 0, DBL_MAX),
    PLACE(place.position[0]), PLACE(place.position[1]), PLACE(place.position[2]), PLACE(place.heading),
    NUMBER(walked, -AT_MAX, AT_MAX), NUMBER(lost, -AT_MAX, AT_MAX), NUMBER(finish, -AT_MAX, AT_MAX),
    NUMBER(length, -AT_MAX, INFINITY),
    NUMBER(track.lead[0], -2, 2), NUMBER(track.lead[1], -2, 2), NUMBER(track.lead[2], -2, 2), NUMBER(track.reach, 0, AT_MAX),
    PLACE(track.heading), NUMBER(track.spacing, 0, DBL_MAX),
};
/* clang-format on */
#undef WHOLE
#undef FLAG
#undef NUMBER
#undef PLACE
#define FOLLOWER_ITEMS (sizeof follower_items / sizeof *follower_items)
#define FOLLOWER_BYTES_MAX 512 /* of all numbers */

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/* The chord for the file. */
static uint32_t chord_of(const wend_follower *f) {
  const wend_track *track = &f->track;
  if (wend_follower_is_straight(f)) {
    if (f->place.done && !(f->finish > 0 || f->finish > wend_track_at(track, track->first))) return 0;
    return f->chord + 1 >= track->first && f->chord + 1 < track->last ? f->chord + 1 : 0;
  }
  return track->row_made && f->chord < f->row.count && f->from != f->finish ? f->chord + 1 : 0;
}

/* A follower for the file, without the fingerprint. Numbers that mean nothing are 0. */
static saved_follower saved_form(const wend_follower *f) {
  saved_follower saved;
  wend_track *track = &saved.f.track;
  memset(&saved, 0, sizeof saved);
  saved.f = *f;
  saved.mapped = track->map != NULL, saved.asks = f->clear != NULL;
  saved.chord = chord_of(f);
  if (!f->active) saved.f.event_slot = 0;
  if (!track->led) track->lead[0] = track->lead[1] = track->lead[2] = track->reach = 0;
  if (!track->headed) track->heading = 0;
  if (!track->row_made) track->slot = 0, track->spacing = 0;
  return saved;
}

/* An edge or a node for the file: none if the graph has it no more. */
static wend_id kept_id(const wend_track *track, wend_id id, bool edge) {
  const wend_graph *graph = (const wend_graph *)track->map;
  if (id == WEND_PORTAL_LEG || track->map == NULL || track->map->is_grid) return id;
  return (edge ? wend_graph_has_edge(graph, id) : wend_graph_has_node(graph, id)) ? id : WEND_NO_ID;
}

wend_status wend_follower_encode(const wend_follower *follower, void *bytes, size_t *size) {
  const wend_track *track = &follower->track;
  saved_follower saved = saved_form(follower);
  wend_file_out f;
  if (bytes != NULL && track->map != NULL) {
    const wend_status status = wend_map_digest(track->map, &saved.print);
    if (status != WEND_OK) return status;
  }
  wend_file_begin(&f, bytes, WEND_FILE_FOLLOWER);
  wend_file_begin_section(&f, "FOLW", true);
  wend_write_record(&f.w, &saved, follower_items, FOLLOWER_ITEMS);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "SLOT", true);
  for (size_t i = 0; i < WEND_SLOT * ((size_t)track->count + 1); i++) wend_write_double(&f.w, track->slots[i]);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "LEGS", track->count > 1);
  for (uint32_t i = 0; i + 1 < track->count; i++) wend_write_uint(&f.w, kept_id(track, track->legs[i], true), 8);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "NODS", true);
  for (uint32_t i = 0; i < track->count; i++) wend_write_uint(&f.w, kept_id(track, track->nodes[i], false), 8);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "ROWS", track->row_made);
  for (uint32_t i = 0; track->row_made && i <= follower->row.count; i++) {
    for (size_t d = 0; d < WEND_SLOT; d++) wend_write_double(&f.w, follower->row.points[WEND_SLOT * (size_t)i + d]);
    wend_write_double(&f.w, follower->row.headings[i]);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "PACE", follower->pace_count > 0);
  for (uint32_t i = 0; i < follower->pace_count; i++) {
    const wend_paced *pace = &follower->paces[i];
    wend_write_double(&f.w, pace->factor);
    wend_write_uint(&f.w, pace->stop, 1);
    wend_write_uint(&f.w, pace->length, 4);
    wend_write_bytes(&f.w, follower->names + pace->name, pace->length);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "LINK", follower->links != WEND_FOLLOW_JUMP);
  if (follower->links != WEND_FOLLOW_JUMP) wend_write_uint(&f.w, follower->links, 1);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "SIDE", track->frame.shape != WEND_SQUARES);
  if (track->frame.shape != WEND_SQUARES) wend_write_double(&f.w, track->frame.side);
  wend_file_end_section(&f);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* Whether the numbers of section FOLW are in their ranges. */
static bool are_numbers(const wend_follower *f) {
  const wend_track *track = &f->track;
  const double z = f->place.position[2];
  return (track->dimensions == 2 || track->dimensions == 3) && f->kind <= WEND_LINEAR && track->count >= 1 &&
         track->count < WEND_NONE / WEND_SLOT - 2 && track->first >= 1 && track->first <= track->count + 1 &&
         !(f->loop && track->first > 2) && (track->dimensions == 3 || (z == 0 && !signbit(z))) &&
         !(track->row_made && f->kind == WEND_LINEAR);
}

/* Whether the distances of slots rise as much as their points are apart. Those of portals of a track, whose slots begin with
 * `first`, may rise by any length. first: 0: there are none. */
static bool are_slots(const wend_track *track, const double *slots, uint32_t first, uint32_t count) {
  double most = 0;
  for (size_t i = 0; i < WEND_SLOT * (size_t)count; i++) {
    if (fabs(slots[i]) > most) most = fabs(slots[i]);
    if (i % WEND_SLOT == 3 && track->dimensions == 2 && slots[i] != 0) return false;
  }
  for (uint32_t i = 0; i + 1 < count; i++) {
    const double *a = slots + WEND_SLOT * (size_t)i, *b = a + WEND_SLOT;
    const double way = b[0] - a[0], distance = wend_curve_distance(a + 1, b + 1);
    if (way < 0) return false;
    if (first > 0 && wend_track_jumps(track, first + i)) continue;
    if (way > SHARE * distance + TOLERANCE * most) return false;
    if (way > 0 && distance > SHARE * way + TOLERANCE * most) return false;
  }
  return true;
}

static void read_slot(wend_reader *r, double *slot) {
  slot[0] = wend_read_number(r, -AT_MAX, AT_MAX);
  for (int d = 1; d <= 3; d++) slot[d] = wend_read_number(r, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX);
}

/* Reads ids, each of which is there. */
static bool read_ids(wend_file_in *f, const char *section, const wend_track *track, wend_id *ids, uint32_t count, bool edge) {
  wend_reader *r = wend_file_section(f, section);
  if (wend_file_count(r, 8) != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = wend_read_uint(r, 8);
    if (ids[i] == WEND_PORTAL_LEG ? !edge : ids[i] >> 53 != 0 || kept_id(track, ids[i], edge) != ids[i]) return false;
  }
  return wend_file_is_done(r);
}

/* Sections SLOT, LEGS and NODS. FORMAT, NO_MEMORY. */
static wend_status read_track(wend_file_in *f, wend_follower *follower) {
  wend_track *track = &follower->track;
  const wend_alloc *alloc = &follower->alloc;
  const uint32_t count = track->count;
  wend_reader *r = wend_file_section(f, "SLOT");
  if (wend_file_count(r, WEND_SLOT * 8) != count + 1) return WEND_FORMAT;
  if (!WEND_GROW(alloc, track->slots, track->slots_capacity, WEND_SLOT * ((uint64_t)count + 1)) ||
      !WEND_GROW(alloc, track->legs, track->legs_capacity, count) ||
      !WEND_GROW(alloc, track->nodes, track->nodes_capacity, count))
    return WEND_NO_MEMORY;
  track->last = count + 1;
  for (uint32_t slot = 1; slot <= track->last; slot++) read_slot(r, wend_slot(track, slot));
  if (!wend_file_is_done(r) || !read_ids(f, "LEGS", track, track->legs, count - 1, true) ||
      !read_ids(f, "NODS", track, track->nodes, count, false) ||
      !are_slots(track, wend_slot(track, track->first), track->first, track->last - track->first + 1))
    return WEND_FORMAT;
  for (uint32_t i = 0; i + 1 < count; i++) {
    if (track->legs[i] != WEND_PORTAL_LEG || i + 2 < track->first) continue;
    track->has_portals = true;
    track->crossed += wend_track_at(track, i + 3) - wend_track_at(track, i + 2);
  }
  track->loop = follower->loop && wend_track_at(track, track->last) > wend_track_at(track, 2);
  return WEND_OK;
}

/* Section ROWS. FORMAT, NO_MEMORY. */
static wend_status read_row(wend_file_in *f, wend_follower *follower) {
  const wend_track *track = &follower->track;
  wend_leg_row *row = &follower->row;
  wend_reader *r = wend_file_section(f, "ROWS");
  const uint32_t points = wend_file_count(r, ROW_BYTES);
  const double way = wend_track_at(track, track->last) - wend_track_at(track, track->first) - track->crossed;
  if (!track->row_made) return points == 0 && wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
  if (points < 2 || track->slot < track->first || track->slot >= track->last || !(track->spacing > 0)) return WEND_FORMAT;
  if (way / track->spacing > POINTS_MAX + 16.0 * track->count) return WEND_FORMAT;
  if (!WEND_GROW(&follower->alloc, row->points, row->points_capacity, WEND_SLOT * (uint64_t)points) ||
      !WEND_GROW(&follower->alloc, row->headings, row->headings_capacity, points))
    return WEND_NO_MEMORY;
  row->count = points - 1;
  for (uint32_t i = 0; i < points; i++) {
    read_slot(r, row->points + WEND_SLOT * (size_t)i);
    row->headings[i] = wend_read_number(r, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX);
  }
  follower->on_row = true;
  return wend_file_is_done(r) && are_slots(track, row->points, points == 2 ? track->slot : 0, points) ? WEND_OK : WEND_FORMAT;
}

/* Section PACE. FORMAT, NO_MEMORY. */
static wend_status read_paces(wend_file_in *f, wend_follower *follower) {
  wend_reader *r = wend_file_section(f, "PACE");
  const size_t bytes = r->failed ? 0 : r->left;
  if (bytes >= WEND_NONE) return WEND_FORMAT;
  if (!WEND_RESIZE(&follower->alloc, follower->names, follower->names_capacity, bytes)) return WEND_NO_MEMORY;
  while (!r->failed && r->left > 0) {
    wend_pace pace;
    uint64_t stop;
    if (r->left < PACE_BYTES) return WEND_FORMAT;
    if (!WEND_GROW(&follower->alloc, follower->paces, follower->paces_capacity, (uint64_t)follower->pace_count + 1))
      return WEND_NO_MEMORY;
    pace.factor = wend_read_number(r, 0, DBL_MAX);
    stop = wend_read_uint(r, 1);
    pace.stop = stop != 0;
    pace.length = (size_t)wend_read_uint(r, 4);
    pace.tag = (const char *)wend_read_items(r, pace.length, 1);
    if (r->failed || stop > 1) return WEND_FORMAT;
    wend_follower_add_pace(follower, &pace);
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* Section LINK. FORMAT. */
static wend_status read_crossing(wend_file_in *f, wend_follower *follower) {
  wend_reader *r = wend_file_section(f, "LINK");
  uint64_t links;
  if (r->failed || r->left == 0) return follower->track.crossed > 0 ? WEND_FORMAT : WEND_OK;
  links = wend_read_uint(r, 1);
  follower->links = (wend_follow_links)links;
  return wend_file_is_done(r) && (links == WEND_FOLLOW_COST || links == WEND_FOLLOW_WALK) ? WEND_OK : WEND_FORMAT;
}

/* Section SIDE: the shape of hexes is known by the map. FORMAT, STALE. */
static wend_status read_side(wend_file_in *f, const wend_follower *follower) {
  wend_reader *r = wend_file_section(f, "SIDE");
  double side;
  if (follower->track.frame.shape == WEND_SQUARES) return r->left == 0 ? WEND_OK : WEND_FORMAT;
  side = wend_read_number(r, 0, DBL_MAX);
  if (!wend_file_is_done(r)) return WEND_FORMAT;
  return side == follower->track.frame.side ? WEND_OK : WEND_STALE;
}

/* Whether `finish` is the end of the row, or a little less at the end of the way. On a leg of length 0 of a curve, the row is
 * that of a leg before or after. */
static bool is_finish(const wend_follower *f, double from, double upto, uint32_t chord) {
  const double slack = f->track.loop ? 0 : TOLERANCE * (fabs(from) + fabs(upto));
  if (f->finish <= upto && f->finish >= upto - slack) return true;
  return chord == 0 && !wend_follower_is_straight(f) && (f->finish == 0 || f->finish == from);
}

/* Puts the follower on its chord. Returns whether it can be there. */
static bool put_back(wend_follower *f, uint32_t chord) {
  const wend_track *track = &f->track;
  const bool straight = wend_follower_is_straight(f), done = f->place.done;
  const double from = wend_track_at(track, track->first), heading = f->place.heading;
  const bool moves = f->finish > 0 || f->finish > from;
  double most = 1;
  if (!straight && !track->row_made && (moves || !(done && chord == 0))) return false;
  if (moves || chord > 0) {
    const double upto = straight ? wend_track_at(track, track->last) : wend_row_end(&f->row);
    if (!is_finish(f, straight ? from : f->row.points[0], upto, chord)) return false;
  }
  if (fabs(f->walked) > most) most = fabs(f->walked);
  if (fabs(f->finish) > most) most = fabs(f->finish);
  if (fabs(f->lost) > 1e-9 * most) return false;
  if (chord > 0) {
    if (straight ? chord < track->first || chord >= track->last : chord > f->row.count) return false;
    wend_follower_enter(f, chord - 1);
    if (!done && f->walked >= f->finish) f->upto = f->finish; /* it was moved over the rest of the leg */
  } else if ((straight && (moves || !done)) || (!done && f->walked != f->finish)) {
    return false;
  } else {
    const double *c = wend_slot(track, track->row_made ? track->slot : track->first);
    f->from = f->upto = f->finish;
    memcpy(f->point, c + 1, sizeof f->point);
  }
  /* A leg of length 0 at the end of the way begins a little behind `finish`. */
  if (!done && !(f->from <= f->walked && (f->walked <= f->upto || f->walked == f->from))) return false;
  if (track->loop != (f->length == INFINITY) || (f->length < 0 && (straight || done))) return false;
  f->place.leg = done ? track->last - 2 : (straight ? chord : track->slot) - 1;
  f->place.heading = heading;
  return true;
}

/* Whether the state of stops, paces and pauses can be so. */
static bool put_events(wend_follower *f) {
  f->active = f->announces || f->pace_count > 0;
  if (f->active != (f->event_slot > 0)) return false;
  if (f->active && (f->event_slot < f->track.first || f->event_slot > f->track.last)) return false;
  return f->waiting == 0 || (f->waiting <= f->pace_count && f->paces[f->waiting - 1].stop && f->event_slot < f->track.last);
}

/* Whether the frame in a file is that of the map, but for the side of hexes. */
static bool is_framed(const wend_frame *saved, const wend_frame *frame) {
  return saved->wide == frame->wide && saved->high == frame->high && saved->left == frame->left && saved->top == frame->top &&
         saved->isometric == frame->isometric;
}

/* Reads all sections. FORMAT, STALE, NO_MEMORY; INVALID: it had `clear`, and has none. */
static wend_status read_follower(wend_file_in *f, wend_follower *follower, wend_map *map, const wend_frame *frame) {
  wend_reader *r = wend_file_section(f, "FOLW");
  const uint8_t *numbers = r->at;
  const size_t size = r->left;
  uint8_t again[FOLLOWER_BYTES_MAX];
  wend_writer w = {again, 0};
  saved_follower saved;
  uint64_t print = 0;
  wend_frame known;
  wend_status status = WEND_OK;
  memset(&saved, 0, sizeof saved);
  wend_read_record(r, &saved, follower_items, FOLLOWER_ITEMS);
  if (!wend_file_is_done(r) || !are_numbers(&saved.f)) return WEND_FORMAT;
  known = wend_frame_or_cells(saved.mapped ? frame : NULL);
  if (saved.mapped) status = map != NULL ? wend_map_digest(map, &print) : WEND_STALE;
  if (status != WEND_OK) return status;
  if (print != saved.print || !is_framed(&saved.f.track.frame, &known)) return saved.mapped ? WEND_STALE : WEND_FORMAT;
  saved.f.alloc = follower->alloc;
  if (saved.asks) saved.f.clear = follower->clear, saved.f.clear_ud = follower->clear_ud;
  if (saved.mapped) saved.f.track.map = map;
  saved.f.track.frame = known;
  *follower = saved.f;
  status = read_track(f, follower);
  if (status == WEND_OK) status = read_row(f, follower);
  if (status == WEND_OK) status = read_paces(f, follower);
  if (status == WEND_OK) status = read_crossing(f, follower);
  if (status == WEND_OK) status = read_side(f, follower);
  if (status != WEND_OK) return status;
  if (!put_back(follower, saved.chord) || !put_events(follower) || !wend_file_is_read(f)) return WEND_FORMAT;
  if (saved.asks && follower->clear == NULL) return WEND_INVALID;
  saved = saved_form(follower); /* other numbers would be lost */
  saved.print = print;
  wend_write_record(&w, &saved, follower_items, FOLLOWER_ITEMS);
  return w.size == size && memcmp(again, numbers, size) == 0 ? WEND_OK : WEND_FORMAT;
}

wend_status wend_follower_decode(const wend_alloc *alloc, wend_map *map, const wend_frame *frame, wend_clear_fn clear, void *ud,
                                 const void *bytes, size_t size, wend_follower **follower) {
  wend_file_in f;
  wend_follower *made;
  wend_status status;
  *follower = NULL;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_FOLLOWER)) return WEND_FORMAT;
  made = wend_new(alloc, sizeof *made);
  if (made == NULL) return WEND_NO_MEMORY;
  made->clear = clear, made->clear_ud = ud;
  status = read_follower(&f, made, map, frame);
  if (status == WEND_OK) *follower = made;
  else wend_follower_destroy(made);
  return status;
}
