/* SPDX-License-Identifier: MIT */
/* The steps of a crowd. Time is used up in steps of 1/30 second; what is left waits for the next update. So the positions after
 * a second do not depend on the number of updates in it. */
#include "core/crowd/arrive.h"
#include "core/crowd/avoid.h"
#include "core/crowd/follow.h"
#include "core/crowd/ground.h"
#include "core/crowd/index.h"
#include "core/crowd/separate.h"
#include "core/crowd/solid.h"

WEND_NO_FUSING

#define PACK_STEPS 64u     /* steps from one packing to the next */
#define STEP_ROUNDING 1e-6 /* of a step: three times 1/30 are 0.1 */

/* One step. False: no memory, and nothing has changed. */
static bool take_crowd_step(struct wend_crowd *crowd) {
  if (!wend_solid_ready(crowd) || !wend_index_sort(crowd)) return false;
  if (crowd->steps % PACK_STEPS == 0) wend_index_pack(crowd);
  wend_ground_ready(crowd);
  wend_follow_all(crowd);
  if (!wend_avoid_all(crowd)) return false;
  wend_separate_all(crowd);
  wend_arrive_all(crowd);
  crowd->steps++;
  return true;
}

wend_status wend_crowd_update(wend_crowd *crowd, double dt, uint32_t max_steps, wend_crowd_result *result) {
  double due;
  uint32_t steps;
  wend_crowd_result done = {0, 0, 0};
  if (result != NULL) *result = done;
  if (!(dt >= 0) || !(dt < INFINITY)) return WEND_INVALID;
  for (uint32_t i = 0; i < crowd->event_count; i++) {
    const uint32_t slot = wend_slots_find(&crowd->slots, crowd->events[i].id);
    if (slot != WEND_NONE) crowd->walkers[crowd->slots.value[slot]].events = 0;
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
