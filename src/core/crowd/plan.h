/* SPDX-License-Identifier: MIT */
/* Who gets a new route, and when. wend.h has the public functions. */
#ifndef WEND_CROWD_PLAN_H
#define WEND_CROWD_PLAN_H

#include "core/crowd/data.h"

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

/* ---- jam.c: ways around jams ---- */

/* Begins a round after a step, if it is time for one. */
void wend_jam_step(struct wend_crowd *crowd);
/* Fills in what the caller has to know for a way around. OK, NO_MEMORY. INVALID: there is nothing to look for. */
wend_status wend_jam_ask(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_plan *plan);
/* Gives a walker the way around that was found, if it avoids the jam. way: NULL: none was found. OK: also if the walker goes on as
 * before, INVALID, NO_MEMORY. */
wend_status wend_jam_answer(struct wend_crowd *crowd, wend_walker *walker, const wend_crowd_way *way);

#endif
