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
 *   CLOS   the tags that are closed for them: of each walker their number, then the tags
 *   SEGS   the segments that they remember, one after another
 *   SQEZ   for each walker when it passes through others, and whether it does; where it has stayed, and for how
 *          long. Files of earlier versions have less, or do not have it
 *   CHAS   how each walker chases. Only if some walker does. Files of earlier versions do not have it
 *   PLAN   save_plans.c: the plans that the caller looks for, and the ways around jams. Without it these are wanted again. Only
 *          if there were any so far
 *   LINK   how each walker crosses links; of one that does, where the link begins and what is left of it. Only if some walker
 *          crosses one, or does not take the time that links cost
 *   FORM   for each walker whether it has a place in a layout, and where; and whether its group goes together. Only if some has
 *   AREA   the areas: of each its party, and its cells; then for each walker its area. Only if there are any
 *   TALL   how tall walkers are; then the heights of each, and those of its points. Only if they have heights
 *   extr   what the caller added
 *
 * Not in the file: goals, because each is the last point of a route; lengths of routes; and the events of the last update. */
#include "move/crowd/step.h"

#include <float.h>
#include <math.h>

#include "core/codec/file.h"
#include "core/codec/fingerprint.h"
#include "core/codec/ids.h"
#include "core/codec/tags.h"
#include "core/map/grid.h"

WEND_NO_FUSING

#define CROWD_HAS_GRID 1u
#define SEGMENT_BYTES 32u
#define PLACE_MAX WEND_CROWD_COORDINATE_MAX
#define SEGMENT_MAX (1e3 * PLACE_MAX) /* a segment near such a place may lie beyond it */
#define VELOCITY_MAX (1e3 * PLACE_MAX)
#define TIME_MAX 1e300
#define TRIES_MAX 1000000000u
#define DUE_MOST 1800u /* steps */

/* A walker in a file, and what it remembers of walls. Tables of items may be read with a walker alone: it comes first. */
typedef struct saved_walker {
  wend_walker walker;
  double x, y, reach;
  uint8_t segments;
  bool aims;                   /* it has a goal: the last of its points */
  bool remembers, old_flag;    /* what it remembers of walls is still right; of older files, like the next: written as 0 */
  uint64_t old_right, old_way; /* who had to make way for whom; they are not read any more */
} saved_walker;

/* Its numbers, in the order of the file. */
#define WHOLE(field, bytes) WEND_WHOLE(saved_walker, walker.field, bytes)
#define FLAG(field) WEND_FLAG(saved_walker, field)
#define NUMBER(field, least, most) WEND_DOUBLE(saved_walker, walker.field, least, most)
#define PLACE(field) NUMBER(field, -PLACE_MAX, PLACE_MAX)
/* A row for what belongs together. plan_x, plan_y: infinite, it has none. */
/* clang-format off */
static const wend_record_item saved_items[] = {
    WHOLE(slot, 4), WHOLE(party, 4), WHOLE(groups, 4), WHOLE(avoids, 4), WHOLE(priority, 4), WHOLE(blocker, 4),
    WHOLE(point_count, 4), WHOLE(next, 4),
    WHOLE(slowness, 2), WHOLE(slow, 2), WHOLE(state, 1),
    WEND_FLAGS(1), FLAG(walker.squeezed), FLAG(walker.at_rest), FLAG(walker.paused), FLAG(walker.lost), FLAG(walker.reported),
    FLAG(aims), FLAG(remembers), FLAG(walker.crossing),
    WEND_WHOLE(saved_walker, segments, 1),
    WEND_FLAGS(1), FLAG(walker.careful), FLAG(walker.planned), FLAG(walker.wanted), FLAG(walker.unplanned), FLAG(walker.partial),
    FLAG(walker.has_no_way), FLAG(walker.weighed), FLAG(old_flag),
    WHOLE(looked, 8),
    PLACE(x), PLACE(y), NUMBER(radius, WEND_WALKER_MIN, WEND_WALKER_MAX), NUMBER(speed, 0, WEND_WALKER_MAX),
    NUMBER(acceleration, 0, DBL_MAX), NUMBER(push_x, -WEND_WALKER_MAX, WEND_WALKER_MAX),
    NUMBER(push_y, -WEND_WALKER_MAX, WEND_WALKER_MAX),
    PLACE(before_x), PLACE(before_y), NUMBER(vx, -VELOCITY_MAX, VELOCITY_MAX), NUMBER(vy, -VELOCITY_MAX, VELOCITY_MAX),
    NUMBER(face_x, -VELOCITY_MAX, VELOCITY_MAX), NUMBER(face_y, -VELOCITY_MAX, VELOCITY_MAX),
    PLACE(home_x), PLACE(home_y), NUMBER(patience, 0, INFINITY), NUMBER(side_bias, 0, 1), NUMBER(best_left, 0, INFINITY),
    NUMBER(progress_mark, 0, INFINITY), NUMBER(stall, 0, TIME_MAX), NUMBER(queue_time, 0, TIME_MAX),
    PLACE(cross_x), PLACE(cross_y), PLACE(last_order_x), PLACE(last_order_y),
    WEND_DOUBLE(saved_walker, x, -PLACE_MAX, PLACE_MAX), WEND_DOUBLE(saved_walker, y, -PLACE_MAX, PLACE_MAX),
    WEND_DOUBLE(saved_walker, reach, 0, SEGMENT_MAX),
    WHOLE(tag_count, 4), WHOLE(link_count, 4),
    PLACE(aim_x), PLACE(aim_y), NUMBER(plan_x, -PLACE_MAX, INFINITY), NUMBER(plan_y, -PLACE_MAX, INFINITY),
    WHOLE(again, 8), WHOLE(due, 8), WHOLE(slow_since, 8), WHOLE(aim, 4), WHOLE(tries, 4), WHOLE(detours, 4),
    WEND_WHOLE(saved_walker, old_right, 8), WEND_WHOLE(saved_walker, old_way, 8), WHOLE(cell_count, 4), WHOLE(factor_count, 4),
};
static const wend_record_item squeeze_items[] = {
    NUMBER(squeeze, 0, INFINITY), WEND_FLAGS(1), FLAG(walker.passing), FLAG(walker.opposed),
    PLACE(stay.x), PLACE(stay.y), NUMBER(stay.seconds, 0, TIME_MAX), /* not in older files */
};
static const wend_record_item height_items[] = {PLACE(height), PLACE(before_height), PLACE(cross_height), WHOLE(height_count, 4)};
/* clang-format on */
#undef WHOLE
#undef FLAG
#undef NUMBER
#undef PLACE
#define SAVED_COUNT (sizeof saved_items / sizeof *saved_items)
#define SQUEEZE_COUNT (sizeof squeeze_items / sizeof *squeeze_items)
#define SQUEEZE_OLD (SQUEEZE_COUNT - 3)
#define SQUEEZE_BYTES 33u
#define HEIGHT_COUNT (sizeof height_items / sizeof *height_items)

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

/* A plan that the caller looks for is wanted, and a way around comes first: see wend_crowd_replan. Section PLAN tells more. */
static void write_walker(wend_writer *w, const wend_crowd *crowd, uint32_t place) {
  const wend_solids *solids = &crowd->solids[place];
  saved_walker saved = {.walker = crowd->walkers[place], .remembers = remembers(crowd, place)};
  wend_walker *walker = &saved.walker;
  walker->wanted = walker->wanted || walker->plan != 0;
  if (walker->around || walker->detour != 0) walker->slow_since = 1;
  if (walker->tries > TRIES_MAX) walker->tries = TRIES_MAX;
  saved.aims = walker->goal != WEND_NONE;
  if (saved.remembers) {
    saved.segments = (uint8_t)solids->count;
    saved.x = solids->x, saved.y = solids->y, saved.reach = solids->reach;
  }
  wend_write_record(w, &saved, saved_items, SAVED_COUNT);
}

/* The doubles of a route: its points, the prices of tags, the links, and the cells of its path. */
static uint64_t numbers_of(const wend_walker *walker) {
  return 2 * ((uint64_t)walker->point_count + walker->tag_count) + walker->link_count + (uint64_t)walker->cell_count;
}

/* The tags that are closed for a walker; NULL: none. */
static void write_closed(wend_writer *w, const wend_closed_tags *tags) {
  uint32_t count = 0;
  for (uint32_t tag = 0; tags != NULL && tag < tags->count; tag++) count += tags->marks[tag];
  wend_write_uint(w, count, 4);
  for (uint32_t tag = 0; count > 0 && tag < tags->count; tag++) {
    if (tags->marks[tag] != 0) wend_write_uint(w, tag, 4);
  }
}

static bool has_links_to_save(const wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    if (crowd->walkers[i].crossing || crowd->walkers[i].links != WEND_LINKS_COST) return true;
  }
  return false;
}

static void write_link(wend_writer *w, const wend_walker *walker) {
  wend_write_uint(w, walker->links, 1);
  if (!walker->crossing) return;
  wend_write_double(w, walker->cross_from_x);
  wend_write_double(w, walker->cross_from_y);
  wend_write_double(w, walker->cross_left);
}

static bool has_chases(const wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    if (crowd->walkers[i].chase.kind != CHASE_NONE) return true;
  }
  return false;
}

static bool has_forms(const wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *w = &crowd->walkers[i];
    if (w->party != 0 && (w->layout.laid || w->layout.together)) return true;
  }
  return false;
}

/* A chase in a file: kind comes first, and the rest follows if there is one. */
#define CHASE(field, bytes) WEND_WHOLE(wend_pursuit, field, bytes)
#define CHASE_NUMBER(field, least, most) WEND_DOUBLE(wend_pursuit, field, least, most)
static const wend_record_item chase_items[] = {
    CHASE(quarry, 8),
    CHASE(target, 4),
    CHASE(ring, 4),
    CHASE(wait, 1),
    CHASE(tries, 1),
    CHASE(skip, 1),
    WEND_FLAGS(1),
    WEND_FLAG(wend_pursuit, sent),
    WEND_FLAG(wend_pursuit, reached),
    WEND_FLAG(wend_pursuit, told),
    CHASE_NUMBER(distance, -DBL_MAX, DBL_MAX),
    CHASE_NUMBER(angle, -DBL_MAX, DBL_MAX),
    CHASE_NUMBER(aside_x, -DBL_MAX, DBL_MAX),
    CHASE_NUMBER(aside_y, -DBL_MAX, DBL_MAX),
    CHASE_NUMBER(sent_x, -PLACE_MAX, PLACE_MAX),
    CHASE_NUMBER(sent_y, -PLACE_MAX, PLACE_MAX),
};
#undef CHASE
#undef CHASE_NUMBER
#define CHASE_COUNT (sizeof chase_items / sizeof *chase_items)

static void write_chase(wend_writer *w, const wend_pursuit *chase) {
  wend_write_uint(w, chase->kind, 1);
  if (chase->kind != CHASE_NONE) wend_write_record(w, chase, chase_items, CHASE_COUNT);
}

/* Section FORM. */
static void write_form(wend_writer *w, const wend_walker *walker) {
  const wend_layout *layout = &walker->layout;
  const bool laid = walker->party != 0 && layout->laid;
  wend_write_uint(w, laid + 2u * (laid && layout->unturned) + 4u * (walker->party != 0 && layout->together), 1);
  if (!laid) return;
  wend_write_double(w, layout->x);
  wend_write_double(w, layout->y);
  if (!layout->unturned) return;
  wend_write_double(w, layout->way_x);
  wend_write_double(w, layout->way_y);
}

/* Section AREA. */
static void write_areas(wend_writer *w, const wend_crowd *crowd) {
  wend_write_uint(w, crowd->area_count, 4);
  for (uint32_t i = 0; i < crowd->area_count; i++) {
    const wend_goal_area *area = &crowd->areas[i];
    wend_write_uint(w, area->party, 4);
    wend_write_uint(w, area->count, 4);
    for (uint32_t k = 0; k < area->count; k++) wend_write_uint(w, area->cells[k], 4);
  }
  for (uint32_t i = 0; i < crowd->count; i++) wend_write_uint(w, crowd->walkers[i].area, 4);
}

/* Section TALL. */
static void write_heights(wend_writer *w, const wend_crowd *crowd) {
  wend_write_double(w, crowd->tall);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *walker = &crowd->walkers[i];
    wend_write_record(w, walker, height_items, HEIGHT_COUNT);
    for (uint32_t k = 0; k < walker->height_count; k++) wend_write_double(w, walker->heights[k]);
  }
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
  bool closes = false, chases, plans, links, forms;
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
    if (walker->closed > 0) closes = true;
    if (walker->closed > 0 && crowd->closed_sets[walker->closed].tags.count > tags) {
      tags = crowd->closed_sets[walker->closed].tags.count;
    }
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
  wend_file_begin_section(&f, "CLOS", closes);
  for (uint32_t i = 0; closes && i < crowd->count; i++) write_closed(&f.w, wend_closed_tags_of(crowd, &crowd->walkers[i]));
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "SEGS", segments > 0);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_solids *solids = &crowd->solids[i];
    for (uint32_t k = 0; remembers(crowd, i) && k < solids->count; k++) write_segment(&f.w, &solids->segments[k]);
  }
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "SQEZ", crowd->count > 0);
  for (uint32_t i = 0; i < crowd->count; i++) wend_write_record(&f.w, &crowd->walkers[i], squeeze_items, SQUEEZE_COUNT);
  wend_file_end_section(&f);
  chases = has_chases(crowd);
  wend_file_begin_section(&f, "CHAS", chases);
  for (uint32_t i = 0; chases && i < crowd->count; i++) write_chase(&f.w, &crowd->walkers[i].chase);
  wend_file_end_section(&f);
  plans = wend_save_has_plans(crowd);
  wend_file_begin_section(&f, "PLAN", plans);
  if (plans) wend_save_plans(&f.w, crowd);
  wend_file_end_section(&f);
  links = has_links_to_save(crowd);
  wend_file_begin_section(&f, "LINK", links);
  for (uint32_t i = 0; links && i < crowd->count; i++) write_link(&f.w, &crowd->walkers[i]);
  wend_file_end_section(&f);
  forms = has_forms(crowd);
  wend_file_begin_section(&f, "FORM", forms);
  for (uint32_t i = 0; forms && i < crowd->count; i++) write_form(&f.w, &crowd->walkers[i]);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "AREA", crowd->area_count > 0);
  if (crowd->area_count > 0) write_areas(&f.w, crowd);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "TALL", crowd->tall > 0);
  if (crowd->tall > 0) write_heights(&f.w, crowd);
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

/* Whether a number is a coordinate, or infinite. */
static bool is_place(double x) { return wend_is_crowd_coordinate(x) || x == INFINITY; }

/* Whether the plan of a walker that was read is valid. */
static bool is_plan(const wend_crowd *crowd, const wend_walker *walker) {
  return is_place(walker->plan_x) && is_place(walker->plan_y) && walker->aim <= AIM_OPEN &&
         (walker->aim != AIM_NONE || !(walker->planned || walker->wanted || walker->unplanned)) &&
         walker->again <= crowd->steps + WEND_PLAN_WAIT && walker->due <= crowd->steps + DUE_MOST &&
         walker->slow_since <= crowd->steps + 1 && walker->tries <= TRIES_MAX && walker->detours <= TRIES_MAX &&
         ((walker->factor_count == 0 && !walker->weighed) || crowd->grid != NULL) &&
         (walker->cell_count == 0 || (crowd->grid != NULL && walker->point_count > 0));
}

/* Reads a walker to its place. Its points and segments follow. Returns whether it is valid. */
static bool read_walker(wend_reader *r, wend_crowd *crowd, uint32_t place) {
  wend_walker *walker = &crowd->walkers[place];
  wend_solids *solids = &crowd->solids[place];
  saved_walker saved;
  bool routed;
  memset(&saved, 0, sizeof saved);
  memset(solids, 0, sizeof *solids);
  wend_read_record(r, &saved, saved_items, SAVED_COUNT);
  *walker = saved.walker;
  walker->goal = WEND_NONE;
  walker->going = walker->speed;
  solids->count = saved.segments, solids->x = saved.x, solids->y = saved.y, solids->reach = saved.reach;
  solids->version = saved.remembers ? crowd->solid_version : 0;
  routed = walker->point_count > 0;
  return !r->failed && is_plan(crowd, walker) && walker->state <= WEND_WALKER_STUCK && walker->patience > 0 &&
         walker->party <= crowd->parties && walker->looked <= crowd->steps + 1 &&
         (walker->blocker == WEND_NONE || walker->blocker < crowd->slots.count) &&
         (solids->version != 0 ? solids->count <= WEND_SOLIDS_NEAR
                               : solids->count == 0 && solids->x == 0 && solids->y == 0 && solids->reach == 0) &&
         (routed ? walker->next < walker->point_count
                 : walker->next == 0 && walker->link_count == 0 && walker->tag_count == 0) &&
         /* One that goes somewhere, or has arrived, has a goal; one that waits has none. */
         saved.aims == (walker->state != WEND_WALKER_WAITING) && (routed || walker->state == WEND_WALKER_WAITING);
}

/* Section WALK. FORMAT, NO_MEMORY. */
static wend_status read_walkers(wend_file_in *f, wend_crowd *crowd, uint32_t count) {
  wend_reader *r = wend_file_section(f, "WALK");
  if (r->failed || count > r->left / wend_record_bytes(saved_items, SAVED_COUNT)) return WEND_FORMAT;
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
    if (!WEND_GROW(&crowd->alloc, walker->points, walker->points_capacity, numbers + walker->cell_count / WEND_PATH_PIECE + 1))
      return WEND_NO_MEMORY;
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
    wend_crowd_mark_path(walker);
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

/* Section CLOS. costs: one for each tag of the grid, and for cells without a tag. FORMAT, NO_MEMORY. */
static wend_status read_closed(wend_file_in *f, wend_crowd *crowd, const wend_tag_numbers *tags, wend_tag_cost *costs) {
  static const wend_tag_cost open = {1, 0, 0, false, false, false}, closed = {0, INFINITY, 0, false, false, false};
  const uint32_t known = wend_map_tag_count(&crowd->grid->map) + 1;
  wend_reader *r = wend_file_section(f, "CLOS");
  for (uint32_t i = 0; r->left > 0 && i < crowd->count; i++) {
    wend_solids *solids = &crowd->solids[i];
    const uint64_t version = solids->version;
    uint64_t least = 0;
    for (uint32_t tag = 0; tag < known; tag++) costs[tag] = open;
    for (uint32_t left = (uint32_t)wend_read_uint(r, 4); left > 0 && !r->failed; left--) { /* ascending */
      const uint64_t tag = wend_read_uint(r, 4);
      const uint32_t number = tag <= UINT32_MAX ? tag_number(tags, (uint32_t)tag) : WEND_NONE;
      if (tag < least) return WEND_FORMAT;
      if (number != WEND_NONE) costs[number] = closed;
      least = tag + 1;
    }
    if (wend_crowd_close(crowd, wend_slots_id(&crowd->slots, crowd->walkers[i].slot), costs, known) != WEND_OK) {
      return WEND_NO_MEMORY;
    }
    solids->version = version; /* what it remembers of walls is right */
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Sections TAGS, PNTS and CLOS. FORMAT, NO_MEMORY. */
static wend_status read_routes(wend_file_in *f, wend_crowd *crowd) {
  uint32_t untagged = WEND_UNTAGGED, costs_capacity = 0;
  wend_tag_numbers tags = {0, 0, NULL};
  wend_tag_cost *costs = NULL;
  wend_status status;
  if (crowd->grid == NULL) {
    tags.of = &untagged;
    return read_points(f, crowd, &tags);
  }
  /* Of a grid it only reads. */
  status = wend_read_tag_numbers(wend_file_section(f, "TAGS"), &crowd->alloc, (wend_map *)(uintptr_t)crowd->grid, false, &tags);
  if (status == WEND_OK) status = read_points(f, crowd, &tags);
  if (status == WEND_OK &&
      !WEND_GROW(&crowd->alloc, costs, costs_capacity, (uint64_t)wend_map_tag_count(&crowd->grid->map) + 1)) {
    status = WEND_NO_MEMORY;
  }
  if (status == WEND_OK) status = read_closed(f, crowd, &tags, costs);
  WEND_FREE(&crowd->alloc, costs, costs_capacity);
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

/* Section SQEZ. FORMAT. */
static wend_status read_squeezes(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "SQEZ");
  const bool known = r->left > 0, whole = r->left == SQUEEZE_BYTES * (uint64_t)crowd->count;
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    w->squeeze = wend_walker_opts_default().squeeze;
    if (known) wend_read_record(r, w, squeeze_items, whole ? SQUEEZE_COUNT : SQUEEZE_OLD);
    if (!(w->squeeze > 0)) return WEND_FORMAT;
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section CHAS. FORMAT. */
static wend_status read_chases(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "CHAS");
  for (uint32_t i = 0; r->left > 0 && i < crowd->count; i++) {
    wend_pursuit *chase = &crowd->walkers[i].chase;
    const uint64_t kind = wend_read_uint(r, 1);
    if (kind == CHASE_NONE) continue;
    wend_read_record(r, chase, chase_items, CHASE_COUNT);
    if (r->failed || kind > CHASE_RING || chase->ring > crowd->parties) return WEND_FORMAT;
    if ((kind == CHASE_RING) != (chase->ring > 0)) return WEND_FORMAT;
    chase->kind = (uint8_t)kind;
    crowd->chasing = true;
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section LINK. Walkers of earlier files walk over the links that they cross. FORMAT. */
static wend_status read_links(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "LINK");
  const bool known = r->left > 0;
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    const uint64_t links = known ? wend_read_uint(r, 1) : WEND_LINKS_COST;
    double from[2], to[2], weight;
    if (links > WEND_LINKS_WALK) return WEND_FORMAT;
    w->links = (uint8_t)links;
    w->cross_from_x = w->before_x, w->cross_from_y = w->before_y, w->cross_tag = WEND_UNTAGGED;
    if (!w->crossing) continue;
    w->cross_from_x = w->x, w->cross_from_y = w->y;
    w->cross_left = wend_sqrt(wend_square(w->cross_x - w->x, w->cross_y - w->y));
    if (known) {
      w->cross_from_x = wend_read_number(r, -PLACE_MAX, PLACE_MAX),
      w->cross_from_y = wend_read_number(r, -PLACE_MAX, PLACE_MAX);
      w->cross_left = wend_read_number(r, 0, DBL_MAX);
    }
    if (crowd->grid == NULL) continue;
    from[0] = w->cross_from_x, from[1] = w->cross_from_y, to[0] = w->cross_x, to[1] = w->cross_y;
    (void)wend_way_find_link(crowd, NULL, from, to, &weight, &w->cross_tag);
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section FORM. FORMAT. */
static wend_status read_forms(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "FORM");
  const bool known = r->left > 0;
  for (uint32_t i = 0; known && i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    const uint64_t flags = wend_read_uint(r, 1);
    if (flags > 7 || flags == 2 || flags == 6 || (flags > 0 && w->party == 0)) return WEND_FORMAT;
    w->layout.laid = (flags & 1) != 0, w->layout.unturned = (flags & 2) != 0, w->layout.together = (flags & 4) != 0;
    crowd->together = crowd->together || w->layout.together;
    if (!w->layout.laid) continue;
    w->layout.x = wend_read_number(r, -2 * PLACE_MAX, 2 * PLACE_MAX);
    w->layout.y = wend_read_number(r, -2 * PLACE_MAX, 2 * PLACE_MAX);
    if (!w->layout.unturned) continue;
    w->layout.way_x = wend_read_number(r, -2, 2);
    w->layout.way_y = wend_read_number(r, -2, 2);
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section AREA. FORMAT, NO_MEMORY. */
static wend_status read_areas(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "AREA");
  const bool known = r->left > 0;
  const uint32_t areas = known ? (uint32_t)wend_read_uint(r, 4) : 0;
  if (r->failed || (known && crowd->grid == NULL) || areas > r->left / 8) return WEND_FORMAT;
  if (!WEND_GROW_CLEAR(&crowd->alloc, crowd->areas, crowd->areas_capacity, areas)) return WEND_NO_MEMORY;
  while (crowd->area_count < areas) {
    wend_goal_area *area = &crowd->areas[crowd->area_count++];
    uint32_t count;
    area->party = (uint32_t)wend_read_uint(r, 4), count = (uint32_t)wend_read_uint(r, 4);
    if (r->failed || area->party > crowd->parties || count > r->left / 4) return WEND_FORMAT;
    if (!WEND_GROW(&crowd->alloc, area->cells, area->cells_capacity, count)) return WEND_NO_MEMORY;
    for (; area->count < count; area->count++) {
      const wend_id cell = wend_read_uint(r, 4);
      if (!wend_crowd_is_cell(crowd, cell) || (area->count > 0 && cell <= area->cells[area->count - 1])) return WEND_FORMAT;
      area->cells[area->count] = cell;
    }
  }
  for (uint32_t i = 0; known && i < crowd->count; i++) {
    crowd->walkers[i].area = (uint32_t)wend_read_uint(r, 4);
    if (crowd->walkers[i].area > areas) return WEND_FORMAT;
  }
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

/* Section TALL. FORMAT, NO_MEMORY. */
static wend_status read_heights(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "TALL");
  const bool known = r->left > 0;
  crowd->tall = known ? wend_read_number(r, 0, INFINITY) : 0;
  if (known && !(crowd->tall > 0)) return WEND_FORMAT;
  for (uint32_t i = 0; known && i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    uint32_t count;
    wend_read_record(r, w, height_items, HEIGHT_COUNT);
    count = w->height_count, w->height_count = 0;
    if (r->failed || (count > 0 && count != w->point_count) || count > r->left / 8) return WEND_FORMAT;
    if (!WEND_GROW(&crowd->alloc, w->heights, w->heights_capacity, count)) return WEND_NO_MEMORY;
    for (; w->height_count < count; w->height_count++) w->heights[w->height_count] = wend_read_number(r, -PLACE_MAX, PLACE_MAX);
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
  status = wend_read_ids(f, "CGEN", &crowd->alloc, &crowd->slots, slots, live, cursor > slots ? 0 : cursor,
                         wend_record_bytes(saved_items, SAVED_COUNT));
  if (status != WEND_OK) return status;
  if (crowd->slots.generation == NULL && cursor != 0) return WEND_FORMAT;
  crowd->slots.cursor = cursor; /* past the last slot it means the first one, but only until there are more slots */
  status = read_crowd_walls(f, crowd);
  if (status == WEND_OK) status = read_walkers(f, crowd, live);
  if (status == WEND_OK) status = read_routes(f, crowd);
  if (status == WEND_OK) status = read_segments(f, crowd);
  if (status == WEND_OK) status = read_squeezes(f, crowd);
  if (status == WEND_OK) status = read_chases(f, crowd);
  if (status == WEND_OK) status = wend_save_read_plans(f, crowd);
  if (status == WEND_OK) status = read_links(f, crowd);
  if (status == WEND_OK) status = read_forms(f, crowd);
  if (status == WEND_OK) status = read_areas(f, crowd);
  if (status == WEND_OK) status = read_heights(f, crowd);
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
