/* SPDX-License-Identifier: MIT */
/* The parts of a step, in their order, and the plans between steps. Each is a file of its own. */
#ifndef WEND_CROWD_STEP_H
#define WEND_CROWD_STEP_H

#include "core/crowd/data.h"

/* ---- follow.c: the next corner of a route, and the bodies of a step ---- */

/* Makes the bodies of all walkers, in the order of the index. Goes on to the next point of a route where it can be seen. */
void wend_follow_all(struct wend_crowd *crowd);
/* Chooses the point of a new route to which a walker goes first: the farthest that it sees. On a route that others are in the way
 * of (close), and without solids, the end of the nearest leg. plan: the route is a shortest way. wend_solid_ready came first. */
void wend_follow_begin(struct wend_crowd *crowd, wend_walker *walker, bool plan, bool close);
/* Computes the length of the route after the next point. */
void wend_follow_measure(wend_walker *walker);

/* Where a walker with a route goes: its next point. The last point is in `home`, so that the points, which are anywhere in
 * memory, are not read for most walkers. */
WEND_INLINE void wend_follow_aim(const wend_walker *walker, double *x, double *y) {
  *x = walker->home_x, *y = walker->home_y;
  if (walker->next + 1 < walker->point_count) {
    const double *p = walker->points + 2 * (size_t)walker->next;
    *x = p[0], *y = p[1];
  }
}

/* ---- avoid.c ---- */

/* Computes where each body goes, as if it were alone from here on, and lists the pairs that might touch. False: no memory. */
bool wend_avoid_all(struct wend_crowd *crowd);

/* ---- separate.c ---- */

/* Pushes bodies apart and out of walls. What is then still too deep goes back to where it was before the step. */
void wend_separate_all(struct wend_crowd *crowd);

/* ---- arrive.c ---- */

/* Writes the results of a step back to the walkers, and lists events. */
void wend_arrive_all(struct wend_crowd *crowd);

/* ---- plan.c: who gets a new route, and when ---- */

/* Forgets the aim and the plans of a walker. Its route stays. */
void wend_plan_forget(wend_walker *walker);
/* Gives a walker an aim, for which it wants a plan. place: x and y; NULL for AIM_OPEN. */
void wend_plan_send(wend_walker *walker, unsigned aim, const double *place);
/* The same for AIM_OPEN. If that is its aim already, this may turn out to be the same order. */
void wend_plan_again(wend_walker *walker);
/* A walker wants a plan, unless the caller looks for one already. */
void wend_plan_want(wend_walker *walker);
/* The same, a second later. */
void wend_plan_later(const struct wend_crowd *crowd, wend_walker *walker);
/* Notes that a walker has got a route to its aim. */
void wend_plan_note(const struct wend_crowd *crowd, wend_walker *walker);
/* Notes what a step found out about a walker, in a crowd with plans. Returns whether the caller is told. */
bool wend_plan_event(const struct wend_crowd *crowd, wend_walker *walker, wend_crowd_event_kind kind);
/* Finds those who want plans after a step. */
void wend_plan_step(struct wend_crowd *crowd);

/* ---- right.c: the right of way ---- */

/* Finds the right of way of all walkers. */
void wend_right_find(struct wend_crowd *crowd);
/* Whether a walker, or one ahead of it in a queue, meets another one where no two fit. wend_solid_ready came first. */
bool wend_right_is_blocked(struct wend_crowd *crowd, const wend_walker *walker);
/* Lets those go on that wait for one who has passed. */
void wend_right_leave(struct wend_crowd *crowd);
/* The next walker from a slot on that meets another one which goes first, where no two fit. It gives way to that one from now on,
 * which bars its way in this round. NULL: there is none. wend_solid_ready came first. */
wend_walker *wend_right_next(struct wend_crowd *crowd, uint32_t *slot);
/* Sends a walker out of the way of the one that it gives way to. If there is no place, it is cornered. OK, NO_MEMORY. */
wend_status wend_right_withdraw(struct wend_crowd *crowd, wend_walker *walker);

/* ---- jam.c: ways around jams ---- */

/* Begins a round after a step, if it is time for one. */
void wend_jam_step(struct wend_crowd *crowd);
/* Fills in what the caller has to know for a way around. OK, NO_MEMORY. INVALID: there is nothing to look for. */
wend_status wend_jam_ask(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_plan *plan);
/* Gives a walker the way around that was found, if it avoids the jam. way: NULL: none was found. OK: also if the walker goes on as
 * before, INVALID, NO_MEMORY. */
wend_status wend_jam_answer(struct wend_crowd *crowd, wend_walker *walker, const wend_crowd_way *way);

#endif
