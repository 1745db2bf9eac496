/* SPDX-License-Identifier: MIT */
/* The steps of a crowd, and the plans between them. Time is used up in steps of 1/30 second; what is left waits for the next
 * update. So the positions after a second do not depend on the number of updates in it. */
#include <string.h>

#include "move/crowd/solid.h"
#include "move/crowd/step.h"
#include "core/views/fit.h"

WEND_NO_FUSING

#define PACK_STEPS 64u     /* steps from one packing to the next */
#define BESIDE 1.5         /* cells: from a place in a closed cell to a point beside it */
#define ROOM_NEAR 1.2      /* in radii: so near to its goal a walker arrives that gets no nearer */
#define AHEAD 4u           /* walkers: memory is read so early */
#define STEP_ROUNDING 1e-6 /* of a step: three times 1/30 are 0.1 */

/* ---- Edits --------------------------------------------------------------------------------------------------- */

static void wants_anew(wend_walker *w) {
  w->tries = 0;
  wend_plan_want(w);
}

wend_status wend_crowd_note_edits(wend_crowd *crowd) {
  const wend_grid *grid = crowd->grid;
  wend_changes changes;
  bool known;
  if (!crowd->plans || grid == NULL || crowd->edits_noted == grid->map.journal.end) return WEND_OK;
  if (!wend_crowd_begin_edits(crowd) || !wend_solid_ready(crowd)) return WEND_NO_MEMORY;
  known = wend_read_changes(&grid->map.journal, &crowd->edits_noted, &changes);
  if (known) wend_crowd_mark_edits(crowd, changes, true);
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    if (i + AHEAD < crowd->count) WEND_PREFETCH(wend_crowd_path(w + AHEAD) + w[AHEAD].cell_count);
    if (w->planned && w->cell_count > 0 && (!known || wend_crowd_is_path_edited(crowd, w))) wants_anew(w);
  }
  if (known) wend_crowd_mark_edits(crowd, changes, false);
  return WEND_OK;
}

wend_status wend_crowd_touch(wend_crowd *crowd, wend_id id) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL) return WEND_INVALID;
  wants_anew(w);
  return WEND_OK;
}

wend_status wend_crowd_note_costs(wend_crowd *crowd, wend_id id, const uint8_t *marked) {
  const wend_path_age age = {0};
  wend_walker *w = wend_crowd_walker(crowd, id);
  const double *path;
  if (w == NULL) return WEND_INVALID;
  path = wend_crowd_path(w);
  for (uint32_t i = 1; w->planned && i < w->cell_count; i++) {
    const wend_id step[2] = {(wend_id)path[i - 1], (wend_id)path[i]};
    if (!wend_grid_path_uses(crowd->grid, step, 2, &age, marked)) continue;
    wants_anew(w);
    break;
  }
  return WEND_OK;
}

/* ---- Steps --------------------------------------------------------------------------------------------------- */

/* One step. False: no memory, and nothing has changed. */
static bool take_crowd_step(struct wend_crowd *crowd) {
  wend_ground_ready(crowd);
  crowd->indexed = false;
  if (wend_crowd_note_edits(crowd) != WEND_OK || !wend_solid_ready(crowd) || !wend_index_sort(crowd)) return false;
  if (!wend_crowd_reserve_chases(crowd)) return false;
  if (crowd->steps % PACK_STEPS == 0) wend_index_pack(crowd);
  if (!wend_formation_find(crowd)) return false;
  wend_follow_all(crowd);
  if (!wend_avoid_all(crowd)) return false;
  wend_separate_all(crowd);
  wend_arrive_all(crowd);
  crowd->steps++;
  if (crowd->plans) {
    wend_jam_step(crowd);
    wend_plan_step(crowd);
  }
  wend_chase_step(crowd);
  return true;
}

wend_status wend_crowd_update(wend_crowd *crowd, double dt, uint32_t max_steps, wend_crowd_result *result) {
  double due;
  uint32_t steps;
  wend_crowd_result done = {0, 0, 0};
  if (result != NULL) *result = done;
  if (!(dt >= 0) || !(dt < INFINITY)) return WEND_INVALID;
  for (uint32_t i = 0; i < crowd->event_count; i++) {
    wend_walker *w = wend_crowd_walker(crowd, crowd->events[i].id);
    if (w != NULL) w->events = 0;
  }
  crowd->event_count = 0;
  crowd->pending += dt;
  due = crowd->pending * WEND_STEPS_A_SECOND + STEP_ROUNDING;
  /* Rounding may leave a little less than 0. */
  steps = due < (double)max_steps ? (uint32_t)wend_most(due, 0) : max_steps;
  for (; done.steps < steps; done.steps++) {
    if (!take_crowd_step(crowd)) {
      if (result != NULL) *result = done;
      return WEND_NO_MEMORY;
    }
    crowd->pending -= WEND_STEP_TIME;
  }
  if (crowd->pending * WEND_STEPS_A_SECOND + STEP_ROUNDING >= 1) {
    /* What max_steps leaves is dropped, but for the part of a step. */
    const double left = crowd->pending * WEND_STEPS_A_SECOND + STEP_ROUNDING;
    done.dropped = left < 9007199254740992.0 ? (double)(uint64_t)left * WEND_STEP_TIME : crowd->pending;
    crowd->pending = left < 9007199254740992.0 ? crowd->pending - done.dropped : 0;
  }
  done.events = crowd->event_count;
  if (result != NULL) *result = done;
  return WEND_OK;
}

/* ---- Orders and answers ------------------------------------------------------------------------------------- */

wend_status wend_crowd_send(wend_crowd *crowd, wend_id id, const double *goal) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || !crowd->plans) return WEND_INVALID;
  if (goal != NULL && !(wend_is_crowd_coordinate(goal[0]) && wend_is_crowd_coordinate(goal[1]))) return WEND_INVALID;
  if (goal != NULL) wend_plan_send(w, AIM_PLACE, goal);
  else wend_plan_again(w);
  return WEND_OK;
}

void wend_crowd_replan(wend_crowd *crowd, wend_id id) {
  const wend_walker *one = wend_crowd_walker(crowd, id);
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    if (id != WEND_NO_ID && w != one) continue;
    if (w->plan != 0) w->plan = 0, w->wanted = true;
    if (w->around || w->detour != 0) w->around = false, w->detour = 0, w->slow_since = 1;
  }
}

/* Whether the caller may ask for a plan of a walker. */
static bool wants_plan(const wend_walker *w) { return (w->wanted && w->plan == 0) || w->around; }

wend_id wend_crowd_wants(const wend_crowd *crowd, wend_id after) {
  for (uint32_t slot = (uint32_t)after; slot < crowd->slots.count; slot++) {
    const wend_walker *w = wend_walker_of_slot(crowd, slot);
    if (w != NULL && wants_plan(w)) return wend_slots_id(&crowd->slots, slot);
  }
  return WEND_NO_ID;
}

wend_status wend_crowd_ask(wend_crowd *crowd, wend_id id, wend_crowd_plan *plan) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || !wants_plan(w)) return WEND_INVALID;
  plan->walker = id;
  wend_walker_start(w, &plan->x, &plan->y);
  plan->height = w->crossing ? w->cross_height : w->height;
  (void)wend_closed_is_away(crowd, w, &plan->x, &plan->y);
  plan->goal_x = w->aim_x, plan->goal_y = w->aim_y;
  plan->open = w->aim == AIM_OPEN && w->plan_x == INFINITY;
  plan->around = !w->wanted;
  plan->round = 0;
  plan->cells = NULL, plan->cell_count = plan->first = 0;
  if (plan->around) return wend_jam_ask(crowd, w, plan);
  w->wanted = false;
  w->plan = plan->number = ++crowd->plan_count;
  return WEND_OK;
}

wend_status wend_crowd_room(wend_crowd *crowd, wend_id id, const double *place, wend_id *cell) {
  const wend_walker *w = wend_crowd_walker(crowd, id);
  const wend_grid *grid = crowd->grid;
  const bool closed = w != NULL && wend_solid_inside(crowd, w->closed, place[0], place[1]);
  double least = INFINITY, x, y, reach;
  *cell = WEND_NO_ID;
  if (w == NULL || grid == NULL || !(w->radius >= WEND_FIT_MIN)) return WEND_INVALID;
  if (!wend_solid_ready(crowd)) return WEND_NO_MEMORY;
  reach = ROOM_NEAR * wend_least(w->radius, WEND_FIT_MAX) + (closed ? BESIDE : 0);
  for (double row = wend_most(floor(place[1] - reach), 0); row <= place[1] + reach && row < grid->height; row++) {
    for (double column = wend_most(floor(place[0] - reach), 0); column <= place[0] + reach && column < grid->width; column++) {
      const bool here = column == floor(place[0]) && row == floor(place[1]);
      double square;
      if (!wend_fit_spot(grid, wend_closed_tags_of(crowd, w), w->radius,
                         ((uint32_t)row + 1) * grid->stride + (uint32_t)column + 1, &x, &y))
        continue;
      square = here ? 0 : wend_square(x - place[0], y - place[1]);
      if (square >= least || square > reach * reach) continue;
      if (!here && !closed && !wend_solid_clear(crowd, w->closed, place[0], place[1], x, y, 0)) continue;
      least = square, *cell = wend_grid_cell(grid, (uint32_t)column, (uint32_t)row);
    }
  }
  return WEND_OK;
}

wend_status wend_crowd_answer(wend_crowd *crowd, const wend_crowd_plan *plan, const wend_crowd_way *way) {
  wend_walker *w = wend_crowd_walker(crowd, plan->walker);
  wend_status status;
  if (w == NULL || plan->number == 0) return WEND_INVALID;
  if (wend_crowd_note_edits(crowd) != WEND_OK) return WEND_NO_MEMORY; /* the answer knows these edits */
  if (plan->number == w->detour) return wend_jam_answer(crowd, w, way);
  if (plan->number != w->plan) return WEND_STALE;
  if (way == NULL) return wend_crowd_lose(crowd, plan->walker);
  status = w->area > 0 && w->aim == AIM_OPEN ? wend_spots_take(crowd, w, way) : wend_crowd_take(crowd, w, way, 1);
  if (status == WEND_OK && w->aim == AIM_SPOT && !wend_spots_enter(crowd, w)) return WEND_NO_MEMORY;
  if (status == WEND_NO_MEMORY) return status;
  w->plan = 0, w->unplanned = false;
  if (status == WEND_OK) wend_plan_note(crowd, w);
  return status;
}

wend_status wend_crowd_defer(wend_crowd *crowd, const wend_crowd_plan *plan) {
  wend_walker *w = wend_crowd_walker(crowd, plan->walker);
  if (w == NULL || plan->number == 0) return WEND_INVALID;
  if (plan->number == w->detour) return wend_jam_answer(crowd, w, NULL);
  if (plan->number != w->plan) return WEND_STALE;
  w->plan = 0, w->unplanned = true;
  wend_plan_later(crowd, w);
  return WEND_OK;
}
