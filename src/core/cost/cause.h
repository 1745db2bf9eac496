/* SPDX-License-Identifier: MIT */
/* Why a step is closed, and what would have to be opened for it. Prices and corners are those of step.h.
 *
 * What is in the way of a step has three parts, each a set of causes:
 *
 *     place    the node or cell that the step enters is closed, or the cell's tag is
 *     way      the edge, the portal or the step itself: closed, its tag is closed, one-way, or the edge function closes it
 *     walls    between the two cells
 *
 * Each part counts as one obstacle, whatever number of causes it has: opening it removes all of them. A diagonal that its
 * corners forbid cannot be opened: a path goes round the corner instead, by two straight steps. Those need no more obstacles,
 * because walls on the way round the corner block the diagonal too. Edge functions are the exception: one that closes a step round
 * the corner need not close the diagonal. Then opening the corner for the diagonal could need an obstacle less. Only with
 * WEND_ALWAYS a diagonal passes between two closed cells; there the walls round the corner count as obstacles. */
#ifndef WEND_CAUSE_H
#define WEND_CAUSE_H

#include "core/cost/step.h"

#define WEND_CAUSE_BIT(cause) (1u << (cause))

typedef struct wend_obstacles {
  double cost;         /* of the step if it were open: its price, or its weight if its tag is closed */
  unsigned place, way; /* sets of causes; 0: nothing is in the way */
  unsigned never;      /* the same: the step cannot be opened */
  bool wall;           /* between the two cells */
  uint8_t around;      /* with WEND_ALWAYS: how many walls must go so that a way round the corner is free, 0 .. 2 */
  bool above;          /* that way is the one over the cell above or below */
} wend_obstacles;

/* The first cause of a set, and of all obstacles of a step; WEND_CAUSE_NONE: there is none. */
wend_cause wend_first_cause(unsigned causes);
wend_cause wend_obstacles_cause(const wend_obstacles *h);

/* The obstacles of the step along an arc of a place. against: the arc is in section `in`, so the step leads against the direction
 * of its edge. all: finds all causes; otherwise the edge function is asked only if it decides whether the way is open. */
wend_obstacles wend_arc_obstacles(wend_stepper *stepper, uint32_t from, uint32_t arc, bool against, bool all);
/* The obstacles of the step from a place of the whole grid in a direction. memo: of `from`, or NULL. */
wend_obstacles wend_cell_obstacles(wend_stepper *stepper, uint32_t from, int direction, wend_memo *memo, bool all);
/* The obstacles of a portal that is not removed, or with `against` of the way back through it. from, to: in the direction of
 * travel. Those of the cells that a body covers after it are not among them. */
wend_obstacles wend_portal_obstacles(wend_stepper *stepper, const wend_portal *portal, bool against, bool all);

/* Bodies, on the whole grid. `from` is the place of the body, and `direction` that of its step; -1: a portal leads it there. */
/* The obstacles of one of the cells that it covers after the step, without walls. */
wend_obstacles wend_covered_obstacles(wend_stepper *stepper, uint32_t from, int direction, double length, uint32_t place,
                                      bool all);
/* The first of the causes of all cells that it covers at `to`, with the walls inside of it. *counts: the cell that this is true of,
 * or whose cost counts; WEND_NONE: it does not fit into the grid. */
wend_cause wend_body_cause(wend_stepper *stepper, uint32_t from, uint32_t to, int direction, double length, uint32_t *counts);

#endif
