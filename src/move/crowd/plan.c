/* SPDX-License-Identifier: MIT */
/* Plans: which walkers get new routes, and when. A crowd does not search. It says which plans walkers want, and where they lead; the
 * caller searches as it likes, in its own time, and answers:
 *
 *     order or event  ->  wanted  ->  wend_crowd_ask  ->  the caller searches  ->  wend_crowd_answer  ->  a route
 *                           ^                                      |
 *                           +---------- a second later ------------+  wend_crowd_defer
 *
 * Until it has an answer, a walker goes on as before. A new order takes the number of its plan away: then an answer comes too
 * late, and is refused.
 *
 * A walker wants a new plan
 *
 *     when it is sent somewhere
 *     when an edit of the grid touches its path, or the caller says that its route is out of date (wend_crowd_touch)
 *     when it sees no point of its route; at the earliest a second after the last plan. One that stays where it is gets no more
 *     than TRIES_MOST: then it waits, and in the end it is stuck
 *     when it is slow, and there is a faster way: see jam.c */
#include "move/crowd/step.h"

WEND_NO_FUSING

#define TRIES_MOST 3u /* plans of a walker that stays where it is */
#define STAYS 4.0     /* in radii: so near to its last plan, it stays where it is; so it does within a cell */

/* A walker needs no plan. */
static void drop_plan(wend_walker *w) {
  w->planned = w->wanted = w->around = w->unplanned = false;
  w->plan = w->detour = 0;
}

void wend_plan_forget(wend_walker *w) {
  drop_plan(w);
  w->aim = AIM_NONE, w->area = 0;
  w->partial = w->has_no_way = false;
  w->again = w->due = w->slow_since = 0;
  w->tries = w->detours = 0;
}

void wend_plan_send(wend_walker *w, unsigned aim, const double *place) {
  wend_plan_forget(w);
  w->aim = (uint8_t)aim;
  if (place != NULL) w->aim_x = w->last_order_x = place[0], w->aim_y = w->last_order_y = place[1];
  else w->last_order_x = w->home_x, w->last_order_y = w->home_y;
  w->plan_x = w->plan_y = INFINITY;
  w->wanted = true;
}

void wend_plan_again(wend_walker *w) {
  if (w->aim != AIM_OPEN) {
    wend_plan_send(w, AIM_OPEN, NULL);
    return;
  }
  w->wanted = true, w->around = w->unplanned = false;
  w->plan = w->detour = 0;
}

/* A way around a jam on the old route is none any more. */
void wend_plan_want(wend_walker *w) {
  if (w->aim == AIM_NONE || w->plan != 0) return;
  w->wanted = true, w->around = false;
  w->detour = 0;
}

void wend_plan_later(const struct wend_crowd *crowd, wend_walker *w) {
  if (w->due == 0) w->due = crowd->steps + WEND_PLAN_WAIT;
}

void wend_plan_note(const struct wend_crowd *crowd, wend_walker *w) {
  const double near = wend_most(STAYS * w->radius, 1);
  double x, y;
  wend_walker_start(w, &x, &y);
  w->tries = wend_square(x - w->plan_x, y - w->plan_y) < near * near ? w->tries + 1 : 0;
  w->plan_x = x, w->plan_y = y;
  w->again = crowd->steps + WEND_PLAN_WAIT;
  w->planned = true;
}

bool wend_plan_event(const struct wend_crowd *crowd, wend_walker *w, wend_crowd_event_kind kind) {
  if (kind == WEND_CROWD_CROSSES) return true;
  if (kind == WEND_CROWD_SLOW) {
    if (crowd->grid != NULL && w->planned && w->slow_since == 0) w->slow_since = crowd->steps + 1;
    return false;
  }
  if (kind == WEND_CROWD_NEEDS_ROUTE) {
    if (w->tries >= TRIES_MOST) return false;
    if (crowd->steps + 1 < w->again) wend_plan_later(crowd, w);
    else wend_plan_want(w);
    return false;
  }
  /* One that waits for a plan still goes to its last goal. But one of a group goes to its spot at once, and may be there before
   * its plan. */
  if (w->wanted || w->plan != 0 || w->unplanned) {
    if (kind == WEND_CROWD_STUCK && w->plan_x < INFINITY) return true; /* on its way to the same goal as before */
    if (kind == WEND_CROWD_ARRIVED && w->aim != AIM_SPOT) w->plan_x = w->plan_y = INFINITY; /* it arrives again, and says so */
    if (kind != WEND_CROWD_ARRIVED || w->aim != AIM_SPOT) return false;
  }
  if (kind == WEND_CROWD_ARRIVED) drop_plan(w);
  return true;
}

void wend_plan_step(struct wend_crowd *crowd) {
  for (uint32_t place = 0; place < crowd->count; place++) {
    wend_walker *w = &crowd->walkers[place];
    if (w->due == 0 || w->due > crowd->steps) continue;
    w->due = 0;
    if (w->unplanned || wend_walker_goes(w)) wend_plan_want(w);
  }
}
