/* SPDX-License-Identifier: MIT */
/* Section PLAN of the files of crowds (save.c): which plans the caller looks for, and the ways around jams. In numbers of 8 bytes,
 * unless another size is given:
 *
 *   the number of plans so far; the round of ways around; 1 byte, whether its cells are marked
 *   for each walker: its plan, its way around, the step since which it is slow, 1 byte of flags
 *   for each way around that is looked for: its number; 4, 4 its first cell and its cells; 1 whether some walker is paused
 *   4 their cells, and these
 *   4 the cells that are dear in the round; of each its number, then 3 doubles: see wend_jam_place */
#include "move/crowd/step.h"

#include <float.h>

#include "core/codec/file.h"
#include "core/map/grid.h"

WEND_NO_FUSING

bool wend_save_has_plans(const wend_crowd *crowd) { return crowd->plan_count > 0 || crowd->jam_round > 0; }

void wend_save_plans(wend_writer *w, const wend_crowd *crowd) {
  const bool marked = crowd->jam_round > 0 && crowd->jam_marked == crowd->jam_round;
  const uint32_t cells = marked ? crowd->jam_cells.count : 0;
  wend_write_uint(w, crowd->plan_count, 8);
  wend_write_uint(w, crowd->jam_round, 8);
  wend_write_uint(w, marked, 1);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *walker = &crowd->walkers[i];
    wend_write_uint(w, walker->plan, 8);
    wend_write_uint(w, walker->detour, 8);
    wend_write_uint(w, walker->slow_since, 8);
    wend_write_uint(w, walker->wanted + 2u * walker->around, 1);
  }
  for (uint32_t i = 0; i < WEND_DETOURS; i++) {
    wend_write_uint(w, crowd->detours[i].plan, 8);
    wend_write_uint(w, crowd->detours[i].first, 4);
    wend_write_uint(w, crowd->detours[i].count, 4);
    wend_write_uint(w, crowd->detours[i].has_paused, 1);
  }
  wend_write_uint(w, crowd->jam_way_count, 4);
  for (uint32_t i = 0; i < crowd->jam_way_count; i++) wend_write_uint(w, crowd->jam_ways[i], 8);
  wend_write_uint(w, cells, 4);
  for (uint32_t i = 0; i < cells; i++) {
    wend_write_uint(w, crowd->jam_cells.keys[i], 8);
    wend_write_double(w, crowd->jam_places[i].moving);
    wend_write_double(w, crowd->jam_places[i].dear);
    wend_write_double(w, crowd->jam_places[i].paused_part);
  }
}

/* Reads the plans of a walker. Returns whether they are valid. */
static bool read_plan(wend_reader *r, const wend_crowd *crowd, wend_walker *w) {
  uint64_t flags;
  w->plan = wend_read_uint(r, 8), w->detour = wend_read_uint(r, 8), w->slow_since = wend_read_uint(r, 8);
  flags = wend_read_uint(r, 1);
  w->wanted = (flags & 1) != 0, w->around = (flags & 2) != 0;
  return !r->failed && flags < 8 && w->plan <= crowd->plan_count && w->detour <= crowd->plan_count &&
         (w->aim != AIM_NONE || (w->plan == 0 && w->detour == 0 && !w->wanted && !w->around)) &&
         w->slow_since <= crowd->steps + 1 && (crowd->grid != NULL || (w->detour == 0 && !w->around));
}

/* Whether each walker that a way around is looked for has one of those that were read. */
static bool knows_detours(const wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    const uint64_t detour = crowd->walkers[i].detour;
    bool known = detour == 0;
    for (uint32_t k = 0; k < WEND_DETOURS && !known; k++) known = crowd->detours[k].plan == detour;
    if (!known) return false;
  }
  return true;
}

/* Reads the cells that are dear in a round. FORMAT, NO_MEMORY. */
static wend_status read_jam_cells(wend_reader *r, wend_crowd *crowd, uint64_t cells) {
  const uint64_t count = wend_read_uint(r, 4);
  if (r->failed || count > r->left / 32) return WEND_FORMAT;
  if (!WEND_GROW(&crowd->alloc, crowd->jam_places, crowd->jam_places_capacity, count) ||
      !WEND_GROW(&crowd->alloc, crowd->jams, crowd->jams_capacity, count) ||
      !wend_keys_reserve(&crowd->jam_cells, &crowd->alloc, (uint32_t)count)) {
    return WEND_NO_MEMORY;
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t cell = wend_read_uint(r, 8);
    wend_jam_place *place = &crowd->jam_places[i];
    if (cell >= cells || wend_keys_find(&crowd->jam_cells, cell) != WEND_NONE) return WEND_FORMAT;
    (void)wend_keys_add(&crowd->jam_cells, cell);
    place->moving = wend_read_number(r, 0, DBL_MAX), place->dear = wend_read_number(r, 0, DBL_MAX);
    place->paused_part = wend_read_number(r, 0, DBL_MAX);
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

wend_status wend_save_read_plans(wend_file_in *f, wend_crowd *crowd) {
  wend_reader *r = wend_file_section(f, "PLAN");
  const uint64_t cells = crowd->grid != NULL ? (uint64_t)crowd->grid->width * crowd->grid->height : 0;
  uint64_t marked, ways;
  wend_status status;
  if (r->left == 0) return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
  crowd->plan_count = wend_read_uint(r, 8), crowd->jam_round = wend_read_uint(r, 8), marked = wend_read_uint(r, 1);
  if (marked > 1 || crowd->plan_count >> 62 != 0 || crowd->jam_round >> 62 != 0) return WEND_FORMAT;
  for (uint32_t i = 0; i < crowd->count; i++) {
    if (!read_plan(r, crowd, &crowd->walkers[i])) return WEND_FORMAT;
  }
  for (uint32_t i = 0; i < WEND_DETOURS; i++) {
    wend_jam_detour *detour = &crowd->detours[i];
    uint64_t paused;
    detour->plan = wend_read_uint(r, 8);
    detour->first = (uint32_t)wend_read_uint(r, 4), detour->count = (uint32_t)wend_read_uint(r, 4);
    paused = wend_read_uint(r, 1);
    if (paused > 1 || detour->plan > crowd->plan_count) return WEND_FORMAT;
    detour->has_paused = paused == 1;
  }
  ways = wend_read_uint(r, 4);
  if (r->failed || !knows_detours(crowd) || ways > r->left / 8) return WEND_FORMAT;
  if (!WEND_GROW(&crowd->alloc, crowd->jam_ways, crowd->jam_ways_capacity, ways)) return WEND_NO_MEMORY;
  for (; crowd->jam_way_count < ways; crowd->jam_way_count++) {
    const wend_id cell = wend_read_uint(r, 8);
    if (cell == 0 || cell > cells) return WEND_FORMAT;
    crowd->jam_ways[crowd->jam_way_count] = cell;
  }
  for (uint32_t i = 0; i < WEND_DETOURS; i++) { /* the way of each begins with a cell */
    const wend_jam_detour *detour = &crowd->detours[i];
    if (detour->plan != 0 && (detour->first >= ways || detour->count > ways - detour->first)) return WEND_FORMAT;
  }
  status = read_jam_cells(r, crowd, cells);
  if (status != WEND_OK) return status;
  if (marked == 1) wend_jam_restore(crowd);
  return wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}
