/* SPDX-License-Identifier: MIT */
/* Orders for many walkers at once, and making a crowd of a file. wend.h has the public functions. */
#ifndef WEND_CROWD_CROWD_H
#define WEND_CROWD_CROWD_H

#include "core/crowd/data.h"

/* The walker with an id; NULL: there is none. */
wend_walker *wend_crowd_walker(const wend_crowd *crowd, wend_id id);
/* Whether a number is the id of a cell of the grid, which the crowd has. */
bool wend_crowd_is_cell(const wend_crowd *crowd, wend_id cell);
/* Whether a way has only good numbers. */
bool wend_crowd_is_way(const wend_crowd *crowd, const wend_crowd_way *way);
/* The cells of the path that a walker follows: cell_count numbers. */
const double *wend_crowd_path(const wend_walker *walker);
/* Sends a walker along a way to its aim. One of a group goes on from there to its spot. pieces: how many legs each leg becomes; if
 * more than one, it does not mind the ground. OK, NO_MEMORY, INVALID: the way is not valid, or the walker is at its spot. */
wend_status wend_crowd_take(wend_crowd *crowd, wend_walker *walker, const wend_crowd_way *way, uint32_t pieces);

/* Sends a walker over cells, of which the middle one is a pocket, where it waits. Its goal stays. OK, NO_MEMORY. */
wend_status wend_crowd_withdraw(wend_crowd *crowd, wend_walker *walker, const wend_id *cells, uint32_t count);

/* Moves the goal of a walker a little. It stays on its route. There is room for one more goal. */
void wend_crowd_move_goal(wend_crowd *crowd, wend_walker *walker, const double *goal);

/* Orders the spots of a group along the way in, if a walker of it has just got the first plan of the group. False: no memory. */
bool wend_spots_enter(struct wend_crowd *crowd, wend_walker *walker);

/* Makes room for routes of point_count points for some walkers, which exist. The same number of calls of wend_crowd_go then
 * cannot fail. False: no memory. */
bool wend_crowd_reserve(wend_crowd *crowd, const wend_id *ids, uint32_t count, uint32_t point_count);

/* Sets what decides ties, before the first step. */
void wend_crowd_set_seed(struct wend_crowd *crowd, uint64_t seed);
/* Makes room for `count` walkers in all. False: no memory. */
bool wend_crowd_make_room(wend_crowd *crowd, uint32_t count);
/* Gives a walker that was read from a file its goal, the last of its points. False: no memory. */
bool wend_crowd_give_goal(wend_crowd *crowd, wend_walker *walker);

#endif
