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
 *
 * A file may be damaged on purpose. The checks here leave no follower that walks without end or comes to NaN. */
#include <math.h>
#include <string.h>

#include "core/codec/file.h"
#include "core/codec/fingerprint.h"
#include "core/follow/data.h"
#include "core/map/map.h"

WEND_NO_FUSING

#define HAS_MAP 1u
#define HAS_CLEAR 2u
#define IS_LOOP 4u
#define IS_DONE 8u
#define IS_ANNOUNCING 16u
#define IS_PAUSED 32u
#define HAS_BEGUN 64u
#define HAS_LEAD 128u
#define HAS_HEADING 256u
#define HAS_ROW 512u
#define IS_ISOMETRIC 1024u
#define ALL_FLAGS 2047u

#define AT_MAX 1e160    /* distances: sums of up to ten billion legs */
#define POINTS_MAX 1e7  /* of a curve, as in track.c */
#define TOLERANCE 1e-12 /* of the largest number: by rounding, a distance may differ from that of its points */
#define SHARE 4         /* so many times longer than its points are apart may a short leg be, by rounding */
#define ROW_BYTES 40u   /* of a point of a row */
#define PACE_BYTES 13u  /* of a pace, without its name */

/* The numbers of a follower, in the order of the file. */
typedef struct follower_numbers {
  uint64_t print;
  uint32_t flags, dimensions, kind, count, first, slot, chord, event_slot, waiting;
  double wide, high, left, top;
  double spacing, speed, x, y, z, heading, walked, lost, finish, length;
  double lead_x, lead_y, lead_z, reach, lead_heading, piece;
} follower_numbers;

/* The same as a row of section FOLW. */
#define WHOLE(field, bytes) WEND_WHOLE(follower_numbers, field, bytes)
#define NUMBER(field, least, most) WEND_DOUBLE(follower_numbers, field, least, most)
/* A row for what belongs together. */
/* clang-format off */
static const wend_record_item number_items[] = {
    WHOLE(print, 8), WHOLE(dimensions, 1), WHOLE(kind, 1), WHOLE(flags, 4), WHOLE(count, 4), WHOLE(first, 4), WHOLE(slot, 4),
    WHOLE(chord, 4), WHOLE(event_slot, 4), WHOLE(waiting, 4),
    NUMBER(wide, 0, DBL_MAX), NUMBER(high, 0, DBL_MAX), NUMBER(left, -DBL_MAX, DBL_MAX), NUMBER(top, -DBL_MAX, DBL_MAX),
    NUMBER(spacing, 0, DBL_MAX), NUMBER(speed, 0, DBL_MAX), NUMBER(x, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX),
    NUMBER(y, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX), NUMBER(z, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX),
    NUMBER(heading, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX),
    NUMBER(walked, -AT_MAX, AT_MAX), NUMBER(lost, -AT_MAX, AT_MAX), NUMBER(finish, -AT_MAX, AT_MAX),
    NUMBER(length, -AT_MAX, INFINITY),
    NUMBER(lead_x, -2, 2), NUMBER(lead_y, -2, 2), NUMBER(lead_z, -2, 2), NUMBER(reach, 0, AT_MAX),
    NUMBER(lead_heading, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX), NUMBER(piece, 0, DBL_MAX),
};
/* clang-format on */
#undef WHOLE
#undef NUMBER
#define NUMBER_COUNT (sizeof number_items / sizeof *number_items)

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/* The chord for the file, from 1; 0: the follower is on none. */
static uint32_t chord_of(const wend_follower *f) {
  const wend_track *track = &f->track;
  if (wend_follower_is_straight(f)) {
    if (f->place.done && !(f->finish > 0 || f->finish > wend_track_at(track, track->first))) return 0;
    return f->chord + 1 >= track->first && f->chord + 1 < track->last ? f->chord + 1 : 0;
  }
  return track->row_made && f->chord < f->row.count && f->from != f->finish ? f->chord + 1 : 0;
}

/* The numbers of a follower, without the fingerprint. */
static follower_numbers numbers_of_follower(const wend_follower *f) {
  const wend_track *track = &f->track;
  follower_numbers n;
  memset(&n, 0, sizeof n);
  n.flags = (track->map != NULL ? HAS_MAP : 0u) | (f->clear != NULL ? HAS_CLEAR : 0u) | (f->loop ? IS_LOOP : 0u) |
            (f->place.done ? IS_DONE : 0u) | (f->announces ? IS_ANNOUNCING : 0u) | (f->paused ? IS_PAUSED : 0u) |
            (f->begun ? HAS_BEGUN : 0u) | (track->led ? HAS_LEAD : 0u) | (track->headed ? HAS_HEADING : 0u) |
            (track->row_made ? HAS_ROW : 0u) | (track->frame.isometric ? IS_ISOMETRIC : 0u);
  n.dimensions = (uint32_t)track->dimensions, n.kind = (uint32_t)f->kind;
  n.count = track->count, n.first = track->first, n.slot = track->row_made ? track->slot : 0;
  n.chord = chord_of(f), n.event_slot = f->active ? f->event_slot : 0, n.waiting = f->waiting;
  n.wide = track->frame.wide, n.high = track->frame.high, n.left = track->frame.left, n.top = track->frame.top;
  n.spacing = f->spacing, n.speed = f->speed, n.heading = f->place.heading;
  n.x = f->place.position[0], n.y = f->place.position[1], n.z = f->place.position[2];
  n.walked = f->walked, n.lost = f->lost, n.finish = f->finish, n.length = f->length;
  if (track->led) n.lead_x = track->lead[0], n.lead_y = track->lead[1], n.lead_z = track->lead[2], n.reach = track->reach;
  if (track->headed) n.lead_heading = track->heading;
  if (track->row_made) n.piece = track->spacing;
  return n;
}

/* An edge or a node for the file: none if the graph has it no more. */
static wend_id kept_id(const wend_track *track, wend_id id, bool edge) {
  const wend_graph *graph = (const wend_graph *)track->map;
  if (id == WEND_PORTAL_LEG || track->map == NULL || track->map->is_grid) return id;
  return (edge ? wend_graph_has_edge(graph, id) : wend_graph_has_node(graph, id)) ? id : WEND_NO_ID;
}

wend_status wend_follower_encode(const wend_follower *follower, void *bytes, size_t *size) {
  const wend_track *track = &follower->track;
  follower_numbers n = numbers_of_follower(follower);
  wend_file_out f;
  if (bytes != NULL && track->map != NULL) {
    const wend_status status = wend_map_digest(track->map, &n.print);
    if (status != WEND_OK) return status;
  }
  wend_file_begin(&f, bytes, WEND_FILE_FOLLOWER);
  wend_file_begin_section(&f, "FOLW", true);
  wend_write_record(&f.w, &n, number_items, NUMBER_COUNT);
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
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* Section FOLW. Returns whether its numbers are in their ranges. */
static bool read_numbers(wend_file_in *f, follower_numbers *n) {
  wend_reader *r = wend_file_section(f, "FOLW");
  wend_read_record(r, n, number_items, NUMBER_COUNT);
  return wend_file_is_done(r) && n->flags <= ALL_FLAGS && (n->dimensions == 2 || n->dimensions == 3) &&
         n->kind <= WEND_LINEAR && n->count >= 1 && n->count < WEND_NONE / WEND_SLOT - 2 && n->first >= 1 &&
         n->first <= n->count + 1 && !((n->flags & IS_LOOP) != 0 && n->first > 2) && n->wide > 0 && n->high > 0 &&
         (n->dimensions == 3 || (n->z == 0 && !signbit(n->z))) && !((n->flags & HAS_ROW) != 0 && n->kind == WEND_LINEAR);
}

/* Whether the distances of slots rise as much as their points are apart. */
static bool are_slots(const double *slots, uint32_t count, int dimensions) {
  double most = 0;
  for (size_t i = 0; i < WEND_SLOT * (size_t)count; i++) {
    if (fabs(slots[i]) > most) most = fabs(slots[i]);
    if (i % WEND_SLOT == 3 && dimensions == 2 && slots[i] != 0) return false;
  }
  for (uint32_t i = 0; i + 1 < count; i++) {
    const double *a = slots + WEND_SLOT * (size_t)i, *b = a + WEND_SLOT;
    const double way = b[0] - a[0], distance = wend_curve_distance(a + 1, b + 1);
    if (way < 0 || way > SHARE * distance + TOLERANCE * most) return false;
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
static wend_status read_track(wend_file_in *f, const follower_numbers *n, wend_follower *follower) {
  wend_track *track = &follower->track;
  const wend_alloc *alloc = &follower->alloc;
  wend_reader *r = wend_file_section(f, "SLOT");
  if (wend_file_count(r, WEND_SLOT * 8) != n->count + 1) return WEND_FORMAT;
  if (!WEND_GROW(alloc, track->slots, track->slots_capacity, WEND_SLOT * ((uint64_t)n->count + 1)) ||
      !WEND_GROW(alloc, track->legs, track->legs_capacity, n->count) ||
      !WEND_GROW(alloc, track->nodes, track->nodes_capacity, n->count))
    return WEND_NO_MEMORY;
  track->count = n->count, track->dimensions = (int)n->dimensions;
  track->first = n->first, track->last = n->count + 1, track->slot = n->slot;
  for (uint32_t slot = 1; slot <= track->last; slot++) read_slot(r, wend_slot(track, slot));
  if (!wend_file_is_done(r) || !are_slots(wend_slot(track, track->first), track->last - track->first + 1, track->dimensions) ||
      !read_ids(f, "LEGS", track, track->legs, n->count - 1, true) ||
      !read_ids(f, "NODS", track, track->nodes, n->count, false))
    return WEND_FORMAT;
  for (uint32_t i = 0; i + 1 < n->count; i++) track->has_portals = track->has_portals || track->legs[i] == WEND_PORTAL_LEG;
  track->loop = follower->loop && wend_track_at(track, track->last) > wend_track_at(track, 2);
  track->led = (n->flags & HAS_LEAD) != 0, track->headed = (n->flags & HAS_HEADING) != 0;
  track->lead[0] = n->lead_x, track->lead[1] = n->lead_y, track->lead[2] = n->lead_z;
  track->reach = n->reach, track->heading = n->lead_heading;
  return WEND_OK;
}

/* Section ROWS. FORMAT, NO_MEMORY. */
static wend_status read_row(wend_file_in *f, const follower_numbers *n, wend_follower *follower) {
  wend_track *track = &follower->track;
  wend_leg_row *row = &follower->row;
  wend_reader *r = wend_file_section(f, "ROWS");
  const uint32_t points = wend_file_count(r, ROW_BYTES);
  const double way = wend_track_at(track, track->last) - wend_track_at(track, track->first);
  track->row_made = (n->flags & HAS_ROW) != 0;
  if (!track->row_made) return points == 0 && wend_file_is_done(r) && n->slot == 0 ? WEND_OK : WEND_FORMAT;
  if (points < 2 || n->slot < track->first || n->slot >= track->last || !(n->piece > 0)) return WEND_FORMAT;
  if (way / n->piece > POINTS_MAX + 16.0 * track->count) return WEND_FORMAT;
  if (!WEND_GROW(&follower->alloc, row->points, row->points_capacity, WEND_SLOT * (uint64_t)points) ||
      !WEND_GROW(&follower->alloc, row->headings, row->headings_capacity, points))
    return WEND_NO_MEMORY;
  row->count = points - 1;
  for (uint32_t i = 0; i < points; i++) {
    read_slot(r, row->points + WEND_SLOT * (size_t)i);
    row->headings[i] = wend_read_number(r, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX);
  }
  track->spacing = n->piece;
  follower->on_row = true;
  return wend_file_is_done(r) && are_slots(row->points, points, track->dimensions) ? WEND_OK : WEND_FORMAT;
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

/* Whether `finish` is the end of the row, or a little less at the end of the way. On a leg of length 0 of a curve, the row is
 * that of a leg before or after. */
static bool is_finish(const wend_follower *f, double from, double upto, uint32_t chord) {
  const double slack = f->track.loop ? 0 : TOLERANCE * (fabs(from) + fabs(upto));
  if (f->finish <= upto && f->finish >= upto - slack) return true;
  return chord == 0 && !wend_follower_is_straight(f) && (f->finish == 0 || f->finish == from);
}

/* Puts the follower where it was on its track. Returns whether it can be there. */
static bool put_back(wend_follower *f, const follower_numbers *n) {
  const wend_track *track = &f->track;
  const bool straight = wend_follower_is_straight(f), done = (n->flags & IS_DONE) != 0;
  const double from = wend_track_at(track, track->first);
  double most = 1;
  bool moves;
  f->walked = n->walked, f->lost = n->lost, f->finish = n->finish;
  moves = f->finish > 0 || f->finish > from;
  if (!straight && !track->row_made && (moves || !(done && n->chord == 0))) return false;
  if (moves || n->chord > 0) {
    const double upto = straight ? wend_track_at(track, track->last) : wend_row_end(&f->row);
    if (!is_finish(f, straight ? from : f->row.points[0], upto, n->chord)) return false;
  }
  if (fabs(f->walked) > most) most = fabs(f->walked);
  if (fabs(f->finish) > most) most = fabs(f->finish);
  if (fabs(f->lost) > 1e-9 * most) return false;
  if (n->chord > 0) {
    if (straight ? n->chord < track->first || n->chord >= track->last : n->chord > f->row.count) return false;
    wend_follower_enter(f, n->chord - 1);
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
  f->length = track->loop ? INFINITY : n->length;
  if (!track->loop && (f->length == INFINITY || (f->length < 0 && (straight || done)))) return false;
  f->place.done = done;
  f->place.leg = done ? track->last - 2 : (straight ? n->chord : track->slot) - 1;
  f->place.position[0] = n->x, f->place.position[1] = n->y, f->place.position[2] = n->z, f->place.heading = n->heading;
  return true;
}

/* Sets the state of stops, paces and pauses. Returns whether it can be so. */
static bool put_events(wend_follower *f, const follower_numbers *n) {
  const bool stands = n->waiting > 0;
  f->announces = (n->flags & IS_ANNOUNCING) != 0;
  f->active = f->announces || f->pace_count > 0;
  f->paused = (n->flags & IS_PAUSED) != 0, f->begun = (n->flags & HAS_BEGUN) != 0;
  f->event_slot = n->event_slot, f->waiting = n->waiting;
  if (f->active != (n->event_slot > 0)) return false;
  if (f->active && (n->event_slot < f->track.first || n->event_slot > f->track.last)) return false;
  return !stands || (n->waiting <= f->pace_count && f->paces[n->waiting - 1].stop && n->event_slot < f->track.last);
}

/* Whether the frame in a file is that of the map. */
static bool is_framed(const follower_numbers *n, const wend_frame *frame) {
  return n->wide == frame->wide && n->high == frame->high && n->left == frame->left && n->top == frame->top &&
         ((n->flags & IS_ISOMETRIC) != 0) == frame->isometric;
}

/* Reads all sections. FORMAT, STALE, NO_MEMORY; INVALID: it had `clear`, and has none. */
static wend_status read_follower(wend_file_in *f, wend_follower *follower, wend_map *map, const wend_frame *frame) {
  follower_numbers n, again;
  wend_status status;
  memset(&n, 0, sizeof n);
  if (!read_numbers(f, &n)) return WEND_FORMAT;
  follower->track.frame = wend_frame_or_cells((n.flags & HAS_MAP) != 0 ? frame : NULL);
  if ((n.flags & HAS_MAP) != 0) {
    uint64_t print;
    if (map == NULL) return WEND_STALE;
    status = wend_map_digest(map, &print);
    if (status != WEND_OK) return status;
    if (print != n.print || !is_framed(&n, &follower->track.frame)) return WEND_STALE;
    follower->track.map = map;
  } else if (n.print != 0) {
    return WEND_FORMAT;
  }
  if ((n.flags & HAS_CLEAR) == 0) follower->clear = NULL;
  follower->kind = (wend_curve_kind)n.kind, follower->loop = (n.flags & IS_LOOP) != 0;
  follower->spacing = n.spacing, follower->speed = n.speed;
  status = read_track(f, &n, follower);
  if (status == WEND_OK) status = read_row(f, &n, follower);
  if (status == WEND_OK) status = read_paces(f, follower);
  if (status != WEND_OK) return status;
  if (!put_back(follower, &n) || !put_events(follower, &n) || !wend_file_is_read(f)) return WEND_FORMAT;
  if ((n.flags & HAS_CLEAR) != 0 && follower->clear == NULL) return WEND_INVALID;
  again = numbers_of_follower(follower); /* other numbers would be lost */
  again.print = n.print;
  return memcmp(&again, &n, sizeof n) == 0 ? WEND_OK : WEND_FORMAT;
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
