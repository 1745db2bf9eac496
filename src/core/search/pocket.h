/* SPDX-License-Identifier: MIT */
/* A goal in a pocket: a few cells or nodes that only they lead to. A flood from the goals, backward and some cells at a time, shows it at once,
 * while a search would look at all that the start reaches. It takes the steps of labels (reach.h), so that an agent has no others. */
#ifndef WEND_POCKET_H
#define WEND_POCKET_H

#include "core/map/grid.h"
#include "core/cost/step.h"

/* The most cells or nodes that are looked at; and so many cells, or one node, are as expensive as one expansion. */
#define WEND_POCKET_MAX 4096u
#define WEND_POCKET_CELLS 8u

typedef struct wend_pocket {
  uint32_t *cells; /* that lead to a goal, in the order in which they were found; then a table of them by place */
  uint32_t capacity;
  uint32_t count, at; /* the cells before `at` were looked at; 0: it begins */
  bool over;          /* it is known to be no pocket, or not known to be one */
} wend_pocket;

/* Looks at cells or nodes until `count` are known, or until *left is 0, from which it subtracts the work, in expansions. True: no path leads
 * from the start to any of the goals. The stepper and the goals are those of the first call. */
bool wend_pocket_look(wend_pocket *pocket, const wend_alloc *alloc, const wend_stepper *stepper, uint32_t start,
                      const uint32_t *goals, uint32_t goal_count, uint32_t count, uint64_t *left);

#endif
