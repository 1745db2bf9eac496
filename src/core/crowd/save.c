/* SPDX-License-Identifier: MIT */
/* Crowds in files. A crowd that was read takes the same steps as the one that was written, bit by bit. So a file holds also
 * what changes no position of its own: the order of the walkers in memory, which decides ties, and the segments near a walker,
 * because new ones would be looked up from another point.
 *
 *   CROW   the fingerprint of the grid, the time, and counts
 *   CGEN   generations of the slots of walkers
 *   CWAL   walls
 *   WALK   walkers, in their order in memory
 *   TAGS   tags.h: the names of the tags that have prices or factors: an equal grid may have other numbers for them
 *   PNTS   the points of their routes, the prices of tags, the links, the cells and the factors of the speed, one walker after
 *          another
 *   SEGS   the segments that they remember, one after another
 *   extr   what the caller added
 *
 * Not in the file: goals, because each is the last point of a route; lengths of routes; and the events of the last update. */
#include "core/crowd/crowd.h"
#include "core/crowd/step.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "core/codec/file.h"
#include "core/codec/fingerprint.h"
#include "core/codec/ids.h"
#include "core/codec/tags.h"
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
/* Those in the second byte of flags. */
#define SAVED_CAREFUL 1u
#define SAVED_PLANNED 2u
#define SAVED_WANTED 4u
#define SAVED_UNPLANNED 8u
#define SAVED_PARTIAL 16u
#define SAVED_ASTRAY 32u
#define SAVED_WEIGHED 64u
#define SAVED_CORNERED 128u

#define CROWD_HAS_GRID 1u
#define SEGMENT_BYTES 32u
#define PLACE_MAX WEND_CROWD_COORDINATE_MAX
#define SEGMENT_MAX (1e3 * PLACE_MAX) /* a segment near such a place may lie beyond it */
#define VELOCITY_MAX (1e3 * PLACE_MAX)
#define TIME_MAX 1e300
#define TRIES_MAX 1000000000u

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
    SAVED(given_x, -PLACE_MAX, PLACE_MAX),
    SAVED(given_y, -PLACE_MAX, PLACE_MAX),
};
#define SAVED_COUNT (sizeof saved_numbers / sizeof *saved_numbers)
/* What a file has of a plan: 4 doubles, 3 steps, the right of way, 7 numbers. */
#define PLAN_BYTES (4u * 8u + 4u * 8u + 7u * 4u)
/* A walker in a file: 10 numbers of 4 bytes, 2 of 2 bytes, 4 of 1 byte, the step of its last look, its doubles, 3 of what it
 * remembers, and its plan. */
#define WALKER_BYTES (10u * 4u + 2u * 2u + 4u + 8u + (SAVED_COUNT + 3u) * 8u + PLAN_BYTES)

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

/* A plan that the caller looks for is wanted, and a way around comes first: see wend_crowd_replan. */
static void write_plan(wend_writer *w, const wend_walker *walker) {
  wend_write_double(w, walker->aim_x);
  wend_write_double(w, walker->aim_y);
  wend_write_double(w, walker->plan_x);
  wend_write_double(w, walker->plan_y);
  wend_write_uint(w, walker->again, 8);
  wend_write_uint(w, walker->due, 8);
  wend_write_uint(w, walker->around || walker->detour != 0 ? 1 : walker->slow_since, 8);
  wend_write_uint(w, walker->aim, 4);
  wend_write_uint(w, walker->tries < TRIES_MAX ? walker->tries : TRIES_MAX, 4);
  wend_write_uint(w, walker->detours, 4);
  wend_write_uint(w, walker->right, 8);
  wend_write_uint(w, walker->yields, 4);
  wend_write_uint(w, walker->pocket, 4);
  wend_write_uint(w, walker->cell_count, 4);
  wend_write_uint(w, walker->factor_count, 4);
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
  wend_write_uint(w,
                  (walker->careful ? SAVED_CAREFUL : 0u) | (walker->planned ? SAVED_PLANNED : 0u) |
                      (walker->wanted || walker->plan != 0 ? SAVED_WANTED : 0u) | (walker->unplanned ? SAVED_UNPLANNED : 0u) |
                      (walker->partial ? SAVED_PARTIAL : 0u) | (walker->astray ? SAVED_ASTRAY : 0u) |
                      (walker->weighed ? SAVED_WEIGHED : 0u) | (walker->cornered ? SAVED_CORNERED : 0u),
                  1);
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
  write_plan(w, walker);
}

/* The doubles of a route: its points, the prices of tags, the links, and the cells of its path. */
static uint64_t numbers_of(const wend_walker *walker) {
  return 2 * ((uint64_t)walker->point_count + walker->tag_count) + walker->link_count + (uint64_t)walker->cell_count;
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
  uint32_t tags = 1; /* with item 0, for cells without a tag */
  wend_file_out f;
  if (bytes != NULL) {
    const wend_status status = fingerprint_grid(crowd->grid, &print);
    if (status != WEND_OK) return status;
  }
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *walker = &crowd->walkers[i];
    points += walker->point_count + (uint64_t)walker->factor_count;
    if (walker->tag_count > tags) tags = walker->tag_count;
    if (walker->factor_count > tags) tags = walker->factor_count;
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
  if (crowd->grid != NULL) {
    const uint32_t known = wend_map_tag_count(&crowd->grid->map);
    wend_write_some_tags(&f, &crowd->grid->map, tags - 1 < known ? tags - 1 : known);
  }
  wend_file_begin_section(&f, "PNTS", points > 0);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *walker = &crowd->walkers[i];
    for (uint64_t k = 0; k < numbers_of(walker); k++) wend_write_double(&f.w, walker->points[k]);
    for (uint32_t k = 0; k < walker->factor_count; k++) wend_write_double(&f.w, walker->factors[k]);
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

static void read_segment(wend_reader *r, wend_segment *s, double most) {
  s->x1 = wend_read_number(r, -most, most), s->y1 = wend_read_number(r, -most, most);
  s->x2 = wend_read_number(r, -most, most), s->y2 = wend_read_number(r, -most, most);
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

/* Reads a number that may be infinite. */
static double read_place(wend_reader *r) {
  const uint8_t *at = wend_read_items(r, 1, 8);
  const double number = at == NULL ? NAN : wend_load_double(at);
  if (!wend_is_crowd_coordinate(number) && number != INFINITY) r->failed = true;
  return number;
}

/* Reads the plan of a walker. Returns whether it is valid. */
static bool read_plan(wend_reader *r, const wend_crowd *crowd, wend_walker *walker, uint32_t flags) {
  uint32_t aim;
  walker->aim_x = wend_read_number(r, -PLACE_MAX, PLACE_MAX), walker->aim_y = wend_read_number(r, -PLACE_MAX, PLACE_MAX);
  walker->plan_x = read_place(r), walker->plan_y = read_place(r);
  walker->again = wend_read_uint(r, 8), walker->due = wend_read_uint(r, 8), walker->slow_since = wend_read_uint(r, 8);
  aim = (uint32_t)wend_read_uint(r, 4);
  walker->aim = (uint8_t)aim;
  walker->tries = (uint32_t)wend_read_uint(r, 4), walker->detours = (uint32_t)wend_read_uint(r, 4);
  walker->right = wend_read_uint(r, 8);
  walker->yields = (uint32_t)wend_read_uint(r, 4), walker->pocket = (uint32_t)wend_read_uint(r, 4);
  walker->cell_count = (uint32_t)wend_read_uint(r, 4), walker->factor_count = (uint32_t)wend_read_uint(r, 4);
  walker->partial = (flags & SAVED_PARTIAL) != 0, walker->astray = (flags & SAVED_ASTRAY) != 0;
  walker->weighed = (flags & SAVED_WEIGHED) != 0, walker->cornered = (flags & SAVED_CORNERED) != 0;
  walker->planned = (flags & SAVED_PLANNED) != 0, walker->unplanned = (flags & SAVED_UNPLANNED) != 0;
  walker->wanted = (flags & SAVED_WANTED) != 0;
  return aim <= AIM_OPEN && (aim != AIM_NONE || !(walker->planned || walker->wanted || walker->unplanned)) &&
         walker->again <= crowd->steps + WEND_PLAN_WAIT && walker->due <= crowd->steps + WEND_LONGEST_WAIT &&
         (walker->yields == WEND_NONE || walker->yields < crowd->slots.count) &&
         (walker->pocket == 0 || walker->pocket + 1 < walker->point_count) && walker->slow_since <= crowd->steps + 1 &&
         walker->tries <= TRIES_MAX && walker->detours <= TRIES_MAX &&
         ((walker->factor_count == 0 && !walker->weighed) || crowd->grid != NULL) &&
         (walker->cell_count == 0 || (crowd->grid != NULL && walker->point_count > 0));
}

/* Reads a walker to its place. Its points and segments follow. Returns whether it is valid. */
static bool read_walker(wend_reader *r, wend_crowd *crowd, uint32_t place) {
  wend_walker *walker = &crowd->walkers[place];
  wend_solids *solids = &crowd->solids[place];
  uint32_t flags, more;
  bool routed, planned;
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
    const double number = wend_read_number(r, saved_numbers[i].least, saved_numbers[i].most);
    memcpy((char *)walker + saved_numbers[i].at, &number, sizeof number);
  }
  solids->x = wend_read_number(r, -PLACE_MAX, PLACE_MAX), solids->y = wend_read_number(r, -PLACE_MAX, PLACE_MAX);
  solids->reach = wend_read_number(r, 0, SEGMENT_MAX);
  walker->tag_count = (uint32_t)wend_read_uint(r, 4);
  walker->link_count = (uint32_t)wend_read_uint(r, 4);
  planned = read_plan(r, crowd, walker, more);
  walker->squeezed = (flags & SAVED_SQUEEZED) != 0, walker->settled = (flags & SAVED_SETTLED) != 0;
  walker->held = (flags & SAVED_HELD) != 0;
  walker->lost = (flags & SAVED_LOST) != 0, walker->told = (flags & SAVED_TOLD) != 0;
  walker->crossing = (flags & SAVED_CROSSING) != 0, walker->careful = (more & SAVED_CAREFUL) != 0;
  walker->goal = WEND_NONE;
  walker->going = walker->speed;
  solids->version = (flags & SAVED_SEGMENTS) != 0 ? crowd->solid_version : 0;
  routed = walker->point_count > 0;
  return !r->failed && planned && walker->state <= WEND_WALKER_STUCK && walker->patience > 0 &&
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

/* The number of a tag in the grid; WEND_NONE: the grid does not have it. */
static uint32_t tag_number(const wend_tag_numbers *tags, uint32_t tag) {
  return tag <= tags->count ? tags->of[tag] : WEND_NONE;
}

/* The items in the grid of a list that has `count` items by tag in the file. */
static uint32_t count_here(const wend_tag_numbers *tags, uint32_t count) {
  uint32_t here = 0;
  for (uint32_t tag = 0; tag < count && tag <= tags->count; tag++) {
    if (tags->of[tag] != WEND_NONE && tags->of[tag] >= here) here = tags->of[tag] + 1;
  }
  return here;
}

/* Section PNTS, and the goals. FORMAT, NO_MEMORY. */
static wend_status read_points(wend_file_in *f, wend_crowd *crowd, const wend_tag_numbers *tags) {
  wend_reader *r = wend_file_section(f, "PNTS");
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *walker = &crowd->walkers[i];
    const uint32_t prices = walker->tag_count, factors = walker->factor_count;
    const uint64_t points = 2 * (uint64_t)walker->point_count;
    uint64_t links, cells, numbers = numbers_of(walker);
    if (r->failed || numbers > r->left / 8 || numbers > WEND_NONE / 2) return WEND_FORMAT;
    walker->tag_count = count_here(tags, prices);
    links = points + 2 * (uint64_t)walker->tag_count, cells = links + walker->link_count, numbers = numbers_of(walker);
    if (numbers > WEND_NONE / 2) return WEND_FORMAT;
    if (!WEND_GROW(&crowd->alloc, walker->points, walker->points_capacity, numbers)) return WEND_NO_MEMORY;
    for (uint64_t k = 0; k < points; k++) { walker->points[k] = wend_read_number(r, -PLACE_MAX, PLACE_MAX); }
    for (uint64_t k = points; k < links; k++) walker->points[k] = k % 2 == 0 ? 1 : 0; /* times, plus, times, plus, ... */
    for (uint32_t k = 0; k < prices; k++) {
      const double times = wend_read_number(r, 0, DBL_MAX), plus = wend_read_number(r, 0, INFINITY);
      const uint32_t number = tag_number(tags, k);
      if (number != WEND_NONE) walker->points[points + 2 * number] = times, walker->points[points + 2 * number + 1] = plus;
    }
    for (uint64_t k = links; k < cells; k++) { /* ascending, and a point follows each */
      const double least = k > links ? walker->points[k - 1] + 1 : 0;
      walker->points[k] = wend_read_number(r, least, (double)walker->point_count - 2);
      if (walker->points[k] != (double)(uint32_t)walker->points[k]) r->failed = true;
    }
    for (uint64_t k = cells; k < numbers; k++) {
      walker->points[k] = wend_read_number(r, 1, (double)((uint64_t)crowd->grid->width * crowd->grid->height));
      if (walker->points[k] != (double)(uint64_t)walker->points[k]) r->failed = true;
    }
    if (r->failed || factors > r->left / 8) return WEND_FORMAT;
    walker->factor_count = count_here(tags, factors);
    if (!WEND_GROW(&crowd->alloc, walker->factors, walker->factors_capacity, walker->factor_count)) return WEND_NO_MEMORY;
    for (uint32_t k = 0; k < walker->factor_count; k++) walker->factors[k] = 1;
    for (uint32_t k = 0; k < factors; k++) {
      const double factor = wend_read_number(r, 0, DBL_MAX);
      const uint32_t number = tag_number(tags, k);
      if (number != WEND_NONE) walker->factors[number] = factor;
    }
    if (r->failed) return WEND_FORMAT;
    crowd->paced = crowd->paced || walker->factor_count > 0 || walker->weighed;
    if (walker->point_count > 0) wend_follow_measure(walker);
    if (walker->state != WEND_WALKER_WAITING && !wend_crowd_give_goal(crowd, walker)) return WEND_NO_MEMORY;
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Sections TAGS and PNTS. FORMAT, NO_MEMORY. */
static wend_status read_routes(wend_file_in *f, wend_crowd *crowd) {
  uint32_t untagged = WEND_UNTAGGED;
  wend_tag_numbers tags = {0, 0, NULL};
  wend_status status;
  if (crowd->grid == NULL) {
    tags.of = &untagged;
    return read_points(f, crowd, &tags);
  }
  /* Of a grid it only reads. */
  status = wend_read_tag_numbers(wend_file_section(f, "TAGS"), &crowd->alloc, (wend_map *)(uintptr_t)crowd->grid, false, &tags);
  if (status == WEND_OK) status = read_points(f, crowd, &tags);
  WEND_FREE(&crowd->alloc, tags.of, tags.capacity);
  return status;
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
  crowd->pending = wend_read_number(r, -WEND_STEP_TIME, DBL_MAX);
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
  if (status == WEND_OK) status = read_routes(f, crowd);
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
