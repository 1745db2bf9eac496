/* SPDX-License-Identifier: MIT */
/* Crowds in files. A crowd that was read takes the same steps as the one that was written, bit by bit. So a file holds also
 * what changes no position of its own: the order of the walkers in memory, which decides ties, and the segments near a walker,
 * because new ones would be looked up from another point.
 *
 *   CROW   the fingerprint of the grid, the time, and counts
 *   CGEN   generations of the slots of walkers
 *   CWAL   walls
 *   WALK   walkers, in their order in memory
 *   PNTS   the points of their routes, the prices of tags and the links, one walker after another
 *   SEGS   the segments that they remember, one after another
 *   extr   what the caller added
 *
 * Not in the file: goals, because each is the last point of a route; lengths of routes; and the events of the last update. */
#include "core/crowd/crowd.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "core/codec/file.h"
#include "core/codec/fingerprint.h"
#include "core/codec/ids.h"
#include "core/crowd/follow.h"
#include "core/map/grid.h"

WEND_NO_FUSING

/* The flags of a walker in a file. */
#define SAVED_SQUEEZED 1u
#define SAVED_SETTLED 2u
#define SAVED_HELD 4u
#define SAVED_LOST 8u
#define SAVED_TOLD 16u
#define SAVED_GOAL 32u     /* it has a goal: the last of its points */
#define SAVED_SEGMENTS 64u /* what it remembers of walls is still right */
#define SAVED_CROSSING 128u
#define SAVED_CAREFUL 1u /* in the second byte of flags */

#define CROWD_HAS_GRID 1u
#define SEGMENT_BYTES 32u
#define PLACE_MAX WEND_CROWD_COORDINATE_MAX
#define SEGMENT_MAX (1e3 * PLACE_MAX) /* a segment near such a place may lie beyond it */
#define VELOCITY_MAX (1e3 * PLACE_MAX)
#define TIME_MAX 1e300

/* The doubles of a walker, in their order in the file, and their ranges. */
#define SAVED(field, least, most) \
  { offsetof(wend_walker, field), least, most }
static const struct {
  size_t at;
  double least, most;
} saved_numbers[] = {
    SAVED(x, -PLACE_MAX, PLACE_MAX),
    SAVED(y, -PLACE_MAX, PLACE_MAX),
    SAVED(radius, WEND_WALKER_MIN, WEND_WALKER_MAX),
    SAVED(speed, 0, WEND_WALKER_MAX),
    SAVED(acceleration, 0, DBL_MAX),
    SAVED(push_x, -WEND_WALKER_MAX, WEND_WALKER_MAX),
    SAVED(push_y, -WEND_WALKER_MAX, WEND_WALKER_MAX),
    SAVED(before_x, -PLACE_MAX, PLACE_MAX),
    SAVED(before_y, -PLACE_MAX, PLACE_MAX),
    SAVED(vx, -VELOCITY_MAX, VELOCITY_MAX),
    SAVED(vy, -VELOCITY_MAX, VELOCITY_MAX),
    SAVED(face_x, -VELOCITY_MAX, VELOCITY_MAX),
    SAVED(face_y, -VELOCITY_MAX, VELOCITY_MAX),
    SAVED(home_x, -PLACE_MAX, PLACE_MAX),
    SAVED(home_y, -PLACE_MAX, PLACE_MAX),
    SAVED(patience, 0, INFINITY),
    SAVED(level, 0, 1),
    SAVED(best, 0, INFINITY),
    SAVED(mark, 0, INFINITY),
    SAVED(stall, 0, TIME_MAX),
    SAVED(jam, 0, TIME_MAX),
    SAVED(cross_x, -PLACE_MAX, PLACE_MAX),
    SAVED(cross_y, -PLACE_MAX, PLACE_MAX),
};
#define SAVED_COUNT (sizeof saved_numbers / sizeof *saved_numbers)
/* A walker in a file: 10 numbers of 4 bytes, 2 of 2 bytes, 4 of 1 byte, the step of its last look, its doubles, and 3 of what it
 * remembers. */
#define WALKER_BYTES (10u * 4u + 2u * 2u + 4u + 8u + (SAVED_COUNT + 3u) * 8u)

/* ---- Writing ----------------------------------------------------------------------------------------------- */

/* The fingerprint of the grid; 0: none. NO_MEMORY. */
static wend_status fingerprint_grid(const wend_grid *grid, uint64_t *print) {
  *print = 0;
  if (grid == NULL) return WEND_OK;
  /* Of a grid it only reads: it changes graphs, which it brings up to date. */
  return wend_map_fingerprint((wend_map *)(uintptr_t)grid, print);
}

/* Whether what a walker remembers of walls is still right. Inside something solid it looks in every step. */
static bool remembers(const wend_crowd *crowd, uint32_t place) {
  const wend_solids *solids = &crowd->solids[place];
  return solids->version == crowd->solid_version && solids->reach >= 0 &&
         (crowd->grid == NULL || crowd->grid->map.version == crowd->grid_version);
}

static void write_walker(wend_writer *w, const wend_crowd *crowd, uint32_t place) {
  const wend_walker *walker = &crowd->walkers[place];
  const wend_solids *solids = &crowd->solids[place];
  const bool known = remembers(crowd, place);
  const unsigned flags = (walker->squeezed ? SAVED_SQUEEZED : 0u) | (walker->settled ? SAVED_SETTLED : 0u) |
                         (walker->held ? SAVED_HELD : 0u) | (walker->lost ? SAVED_LOST : 0u) |
                         (walker->told ? SAVED_TOLD : 0u) | (walker->goal != WEND_NONE ? SAVED_GOAL : 0u) |
                         (known ? SAVED_SEGMENTS : 0u) | (walker->crossing ? SAVED_CROSSING : 0u);
  wend_write_uint(w, walker->slot, 4);
  wend_write_uint(w, walker->party, 4);
  wend_write_uint(w, walker->groups, 4);
  wend_write_uint(w, walker->avoids, 4);
  wend_write_uint(w, (uint32_t)walker->priority, 4);
  wend_write_uint(w, walker->blocker, 4);
  wend_write_uint(w, walker->point_count, 4);
  wend_write_uint(w, walker->next, 4);
  wend_write_uint(w, walker->drag, 2);
  wend_write_uint(w, walker->slow, 2);
  wend_write_uint(w, walker->state, 1);
  wend_write_uint(w, flags, 1);
  wend_write_uint(w, known ? solids->count : 0, 1);
  wend_write_uint(w, walker->careful ? SAVED_CAREFUL : 0, 1);
  wend_write_uint(w, walker->looked, 8);
  for (size_t i = 0; i < SAVED_COUNT; i++) {
    double number;
    memcpy(&number, (const char *)walker + saved_numbers[i].at, sizeof number);
    wend_write_double(w, number);
  }
  wend_write_double(w, known ? solids->x : 0);
  wend_write_double(w, known ? solids->y : 0);
  wend_write_double(w, known ? solids->reach : 0);
  wend_write_uint(w, walker->tag_count, 4);
  wend_write_uint(w, walker->link_count, 4);
}

/* The doubles of a route: its points, the prices of tags, and the links. */
static uint64_t numbers_of(const wend_walker *walker) {
  return 2 * ((uint64_t)walker->point_count + walker->tag_count) + walker->link_count;
}

static void write_segment(wend_writer *w, const wend_segment *s) {
  wend_write_double(w, s->x1);
  wend_write_double(w, s->y1);
  wend_write_double(w, s->x2);
  wend_write_double(w, s->y2);
}

wend_status wend_crowd_encode(const wend_crowd *crowd, const void *extra, size_t extra_size, void *bytes, size_t *size) {
  const wend_slots *slots = &crowd->slots;
  uint64_t print = 0, points = 0, segments = 0;
  wend_file_out f;
  if (bytes != NULL) {
    const wend_status status = fingerprint_grid(crowd->grid, &print);
    if (status != WEND_OK) return status;
  }
  for (uint32_t i = 0; i < crowd->count; i++) {
    points += crowd->walkers[i].point_count;
    segments += remembers(crowd, i) ? crowd->solids[i].count : 0;
  }
  wend_file_begin(&f, bytes, WEND_FILE_CROWD);
  wend_file_begin_section(&f, "CROW", true);
  wend_write_uint(&f.w, print, 8);
  wend_write_uint(&f.w, crowd->grid != NULL ? CROWD_HAS_GRID : 0, 4);
  wend_write_uint(&f.w, crowd->parties, 4);
  wend_write_uint(&f.w, crowd->steps, 8);
  wend_write_double(&f.w, crowd->pending);
  wend_write_uint(&f.w, slots->count, 4);
  wend_write_uint(&f.w, slots->live, 4);
  wend_write_uint(&f.w, slots->cursor, 4);
  wend_write_uint(&f.w, crowd->seed, 8);
  wend_file_end_section(&f);
  wend_write_generations(&f, "CGEN", slots);
  wend_file_begin_section(&f, "CWAL", crowd->wall_count > 0);
  for (uint32_t i = 0; i < crowd->wall_count; i++) write_segment(&f.w, &crowd->walls[i]);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "WALK", crowd->count > 0);
  for (uint32_t i = 0; i < crowd->count; i++) write_walker(&f.w, crowd, i);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "PNTS", points > 0);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *walker = &crowd->walkers[i];
    for (uint64_t k = 0; k < numbers_of(walker); k++) wend_write_double(&f.w, walker->points[k]);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "SEGS", segments > 0);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_solids *solids = &crowd->solids[i];
    for (uint32_t k = 0; remembers(crowd, i) && k < solids->count; k++) write_segment(&f.w, &solids->segments[k]);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "extr", extra_size > 0);
  wend_write_bytes(&f.w, extra, extra_size);
  wend_file_end_section(&f);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Takes a double in least .. most. Another one, or NaN: the reader fails. */
static double read_number(wend_reader *r, double least, double most) {
  const uint8_t *at = wend_read_items(r, 1, 8);
  const double number = at == NULL ? NAN : wend_load_double(at);
  if (number >= least && number <= most) return number;
  r->failed = true;
  return 0;
}

static void read_segment(wend_reader *r, wend_segment *s, double most) {
  s->x1 = read_number(r, -most, most), s->y1 = read_number(r, -most, most);
  s->x2 = read_number(r, -most, most), s->y2 = read_number(r, -most, most);
}

/* Section CWAL. FORMAT, NO_MEMORY. */
static wend_status read_crowd_walls(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "CWAL");
  const uint32_t count = wend_file_count(r, SEGMENT_BYTES);
  if (r->failed) return WEND_FORMAT;
  if (!WEND_GROW(&crowd->alloc, crowd->walls, crowd->walls_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) read_segment(r, &crowd->walls[i], PLACE_MAX);
  crowd->wall_count = count;
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Reads a walker to its place. Its points and segments follow. Returns whether it is valid. */
static bool read_walker(wend_reader *r, wend_crowd *crowd, uint32_t place) {
  wend_walker *walker = &crowd->walkers[place];
  wend_solids *solids = &crowd->solids[place];
  uint32_t flags, more;
  bool routed;
  memset(walker, 0, sizeof *walker);
  memset(solids, 0, sizeof *solids);
  walker->slot = (uint32_t)wend_read_uint(r, 4);
  walker->party = (uint32_t)wend_read_uint(r, 4);
  walker->groups = (uint32_t)wend_read_uint(r, 4);
  walker->avoids = (uint32_t)wend_read_uint(r, 4);
  walker->priority = (int32_t)(uint32_t)wend_read_uint(r, 4);
  walker->blocker = (uint32_t)wend_read_uint(r, 4);
  walker->point_count = (uint32_t)wend_read_uint(r, 4);
  walker->next = (uint32_t)wend_read_uint(r, 4);
  walker->drag = (uint16_t)wend_read_uint(r, 2);
  walker->slow = (uint16_t)wend_read_uint(r, 2);
  walker->state = (uint8_t)wend_read_uint(r, 1);
  flags = (uint32_t)wend_read_uint(r, 1);
  solids->count = (uint32_t)wend_read_uint(r, 1);
  more = (uint32_t)wend_read_uint(r, 1);
  walker->looked = wend_read_uint(r, 8);
  for (size_t i = 0; i < SAVED_COUNT; i++) {
    const double number = read_number(r, saved_numbers[i].least, saved_numbers[i].most);
    memcpy((char *)walker + saved_numbers[i].at, &number, sizeof number);
  }
  solids->x = read_number(r, -PLACE_MAX, PLACE_MAX), solids->y = read_number(r, -PLACE_MAX, PLACE_MAX);
  solids->reach = read_number(r, 0, SEGMENT_MAX);
  walker->tag_count = (uint32_t)wend_read_uint(r, 4);
  walker->link_count = (uint32_t)wend_read_uint(r, 4);
  walker->squeezed = (flags & SAVED_SQUEEZED) != 0, walker->settled = (flags & SAVED_SETTLED) != 0;
  walker->held = (flags & SAVED_HELD) != 0;
  walker->lost = (flags & SAVED_LOST) != 0, walker->told = (flags & SAVED_TOLD) != 0;
  walker->crossing = (flags & SAVED_CROSSING) != 0, walker->careful = (more & SAVED_CAREFUL) != 0;
  walker->goal = WEND_NONE;
  solids->version = (flags & SAVED_SEGMENTS) != 0 ? crowd->solid_version : 0;
  routed = walker->point_count > 0;
  return !r->failed && more <= SAVED_CAREFUL && walker->state <= WEND_WALKER_STUCK && walker->patience > 0 &&
         walker->party <= crowd->parties && walker->looked <= crowd->steps + 1 &&
         (walker->blocker == WEND_NONE || walker->blocker < crowd->slots.count) &&
         (solids->version != 0 ? solids->count <= WEND_SOLIDS_NEAR
                               : solids->count == 0 && solids->x == 0 && solids->y == 0 && solids->reach == 0) &&
         (routed ? walker->next < walker->point_count
                 : walker->next == 0 && walker->link_count == 0 && walker->tag_count == 0) &&
         /* One that goes somewhere, or has arrived, has a goal; one that waits has none. */
         ((flags & SAVED_GOAL) != 0) == (walker->state != WEND_WALKER_WAITING) &&
         (routed || walker->state == WEND_WALKER_WAITING);
}

/* Section WALK. FORMAT, NO_MEMORY. */
static wend_status read_walkers(wend_file_in *f, wend_crowd *crowd, uint32_t count) {
  wend_reader *r = wend_file_section(f, "WALK");
  if (r->failed || count > r->left / WALKER_BYTES) return WEND_FORMAT;
  if (!wend_crowd_make_room(crowd, count)) return WEND_NO_MEMORY;
  for (; crowd->count < count; crowd->count++) {
    const wend_walker *walker = &crowd->walkers[crowd->count];
    if (!read_walker(r, crowd, crowd->count) || walker->slot >= crowd->slots.count ||
        !wend_slots_revive(&crowd->slots, walker->slot, crowd->count)) {
      return WEND_FORMAT;
    }
  }
  return wend_file_is_done(r) && wend_ids_were_used(&crowd->slots) ? WEND_OK : WEND_FORMAT;
}

/* Section PNTS, and the goals. FORMAT, NO_MEMORY. */
static wend_status read_points(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "PNTS");
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *walker = &crowd->walkers[i];
    const uint64_t points = 2 * (uint64_t)walker->point_count, numbers = numbers_of(walker);
    if (r->failed || numbers > r->left / 8 || numbers > WEND_NONE / 2) return WEND_FORMAT;
    if (!WEND_GROW(&crowd->alloc, walker->points, walker->points_capacity, numbers)) return WEND_NO_MEMORY;
    for (uint64_t k = 0; k < points; k++) { walker->points[k] = read_number(r, -PLACE_MAX, PLACE_MAX); }
    for (uint64_t k = points; k < numbers - walker->link_count; k++) { /* times, plus, times, plus, ... */
      walker->points[k] = read_number(r, 0, k % 2 == 0 ? DBL_MAX : INFINITY);
    }
    for (uint64_t k = numbers - walker->link_count; k < numbers; k++) { /* ascending, and a point follows each */
      const double least = k > numbers - walker->link_count ? walker->points[k - 1] + 1 : 0;
      walker->points[k] = read_number(r, least, (double)walker->point_count - 2);
      if (walker->points[k] != (double)(uint32_t)walker->points[k]) r->failed = true;
    }
    if (r->failed) return WEND_FORMAT;
    if (walker->point_count > 0) wend_follow_measure(walker);
    if (walker->state != WEND_WALKER_WAITING && !wend_crowd_give_goal(crowd, walker)) return WEND_NO_MEMORY;
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section SEGS. FORMAT. */
static wend_status read_segments(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "SEGS");
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_solids *solids = &crowd->solids[i];
    for (uint32_t k = 0; k < solids->count; k++) read_segment(r, &solids->segments[k], SEGMENT_MAX);
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section CROW and what follows. FORMAT, STALE, NO_MEMORY. */
static wend_status read_crowd(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "CROW");
  const uint64_t wanted = wend_read_uint(r, 8);
  const uint32_t flags = (uint32_t)wend_read_uint(r, 4);
  uint32_t slots, live, cursor;
  uint64_t print;
  bool present;
  wend_status status;
  if (r->failed || flags > CROWD_HAS_GRID || (flags == 0 && wanted != 0)) return WEND_FORMAT;
  status = fingerprint_grid(crowd->grid, &print);
  if (status != WEND_OK) return status;
  if ((flags != 0) != (crowd->grid != NULL) || print != wanted) return WEND_STALE;
  crowd->parties = (uint32_t)wend_read_uint(r, 4);
  crowd->steps = wend_read_uint(r, 8);
  crowd->pending = read_number(r, -WEND_STEP_TIME, DBL_MAX);
  slots = (uint32_t)wend_read_uint(r, 4), live = (uint32_t)wend_read_uint(r, 4), cursor = (uint32_t)wend_read_uint(r, 4);
  wend_crowd_set_seed(crowd, wend_read_uint(r, 8));
  /* Steps and parties are counted up by one: neither may wrap around soon. */
  if (!wend_file_is_done(r) || crowd->steps >> 62 != 0 || crowd->parties == UINT32_MAX) return WEND_FORMAT;
  r = wend_file_section(f, "CGEN");
  present = r->left > 0;
  /* Slots are allocated, so each must have bytes in the file: its generation, or its walker. */
  if (r->failed || live > slots || (!present && (slots > f->rest.left / WALKER_BYTES || cursor != 0))) return WEND_FORMAT;
  status = wend_read_ids(r, &crowd->alloc, &crowd->slots, slots, live, cursor > slots ? 0 : cursor, present);
  if (status != WEND_OK) return status;
  crowd->slots.cursor = cursor; /* past the last slot it means the first one, but only until there are more slots */
  status = read_crowd_walls(f, crowd);
  if (status == WEND_OK) status = read_walkers(f, crowd, live);
  if (status == WEND_OK) status = read_points(f, crowd);
  if (status == WEND_OK) status = read_segments(f, crowd);
  return status;
}

wend_status wend_crowd_decode(const wend_alloc *alloc, const wend_crowd_opts *opts, const void *bytes, size_t size,
                              wend_crowd **crowd, const void **extra, size_t *extra_size) {
  wend_file_in f;
  wend_status status;
  *crowd = NULL;
  *extra = NULL;
  *extra_size = 0;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_CROWD)) return WEND_FORMAT;
  *crowd = wend_crowd_create(alloc, opts);
  if (*crowd == NULL) return WEND_NO_MEMORY;
  status = read_crowd(&f, *crowd);
  if (status == WEND_OK) {
    wend_reader *r = wend_file_section(&f, "extr");
    *extra_size = r->left;
    *extra = wend_read_items(r, r->left, 1);
    if (!wend_file_is_read(&f)) status = WEND_FORMAT;
  }
  if (status == WEND_OK) return WEND_OK;
  wend_crowd_destroy(*crowd);
  *crowd = NULL, *extra = NULL, *extra_size = 0;
  return status;
}
