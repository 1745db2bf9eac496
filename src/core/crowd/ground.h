/* SPDX-License-Identifier: MIT */
/* What ways over dear ground cost, and how fast walkers are on it. */
#ifndef WEND_CROWD_GROUND_H
#define WEND_CROWD_GROUND_H

#include "core/crowd/data.h"

/* What a straight way costs a walker, by its prices: for each cell that it crosses, the length times the price. */
typedef struct wend_ground {
  double cost;
  double dearest; /* the highest price of these cells; 0: the way has no length */
} wend_ground;

/* Finds out how fast walkers are on the ground, and whether the open cells of the grid can differ. */
void wend_ground_ready(struct wend_crowd *crowd);
wend_ground wend_ground_of(const struct wend_crowd *crowd, const wend_walker *walker, double x1, double y1, double x2,
                           double y2);
/* Whether a walker has been in a jam for so long that dear ground does not matter any more. */
bool wend_ground_is_pressed(const wend_walker *walker);
/* The price of the cell at a point. */
double wend_ground_at(const struct wend_crowd *crowd, const wend_walker *walker, double x, double y);
/* Whether a walker may leave out its next point and those up to a later one, as far as the ground is concerned: straight to that
 * one costs no more and crosses no dearer ground. */
bool wend_ground_may_skip(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t later);
/* The highest price: that of ground that is closed for the agent. */
#define WEND_GROUND_CLOSED 1e6

#endif
