/* SPDX-License-Identifier: MIT */
/* Turns: costs counted in turns of a game (wend_turns).
 *
 * The cost g of a place is one number of points: whole turns x per_turn + the points used of the next one. A smaller g is never
 * worse, because one may wait. So Dijkstra's algorithm and A* stay exact: a step leads to wend_turn_after(g, cost) instead of
 * g + cost, and estimates in points stay below. An example with 10 points in a turn:
 *
 *     g = 27: two turns, and 7 points of the third      a step of 3: g = 30
 *                                                       a step of 4 begins the fourth turn: g = 34
 *                                                       a step of 11 is closed
 *
 * With wend_turns.any_last, the last step of a turn need not fit: if anything is left, it may be taken, and the turn ends.
 *
 *     g = 27                                            a step of 4, and one of 11: g = 30
 *
 * g still never falls when that of the place before rises, so the searches stay exact. But such a step adds less than its cost, so
 * estimates in points would be too high. A search that has estimates counts some more for each turn than its points
 * (wend_turn_rule.length): at least the most by which one step lowers the estimate. Then the step that ends a turn adds at least
 * that.
 *
 * Backward searches pack the steps into turns from the goal. The number of turns is the same, because both pack each turn as full as
 * they can. With any_last this does not hold, so these searches go forward only.
 *
 * A turn may not end on places that can only be passed. Within one turn, which is all that a field with such places has, steps go
 * over them as over others; only no step that ends the turn leads there. */
#ifndef WEND_TURNS_H
#define WEND_TURNS_H

#include <math.h>

#include "core/cost/step.h"

/* Sums of points may be off by this share of a turn. */
#define WEND_TURN_SLACK 1e-9

/* How a search counts turns. */
typedef struct wend_turn_rule {
  double per_turn; /* the points of a turn */
  double length;   /* what a whole turn counts in g: per_turn, or more */
  bool any;        /* the last step of a turn need not fit */
} wend_turn_rule;

WEND_INLINE wend_turn_rule wend_turn_rule_of(const wend_turns *turns) {
  const wend_turn_rule rule = {turns->per_turn, turns->per_turn, turns->any_last && turns->per_turn > 0};
  return rule;
}

/* Whether a cost fits into an empty turn. */
WEND_INLINE bool wend_turn_fits(const wend_turn_rule *rule, double cost) {
  return cost <= rule->per_turn * (1 + WEND_TURN_SLACK);
}

/* Whether a turn of which `used` points are used takes a step. */
WEND_INLINE bool wend_turn_takes(const wend_turn_rule *rule, double used, double cost) {
  if (wend_turn_fits(rule, used + cost)) return true;
  return rule->any && cost < INFINITY && used < rule->per_turn * (1 - WEND_TURN_SLACK);
}

/* g after so many turns, of which the last may be a part. Rounding may add to it. */
WEND_INLINE double wend_turn_points(const wend_turn_rule *rule, double turns) {
  const double most = turns * (1 + WEND_TURN_SLACK), whole = floor(most);
  if (!(rule->length > rule->per_turn) || !(turns < INFINITY)) return turns * rule->per_turn * (1 + WEND_TURN_SLACK);
  return whole * rule->length + (most - whole) * rule->per_turn;
}

/* The end of the turn in which the last of g points are used. */
WEND_INLINE double wend_turn_end(const wend_turn_rule *rule, double g) {
  const double turns = floor(g / rule->length + WEND_TURN_SLACK);
  const double begun = turns * rule->length;
  if (g - begun > WEND_TURN_SLACK * rule->per_turn) return (turns + 1) * rule->length;
  return g > begun ? g : begun;
}

/* The points that g has used of its last turn; 0: that has ended. */
WEND_INLINE double wend_turn_used(const wend_turn_rule *rule, double g) {
  const double used = g - floor(g / rule->length + WEND_TURN_SLACK) * rule->length;
  return used > 0 ? used : 0;
}

/* What a step adds to g, of whose last turn `used` points are used: its cost up to the end of its turn, and what it leaves of the
 * turn before if it must wait for the next one. INFINITY: no turn takes it. */
WEND_INLINE double wend_turn_step_cost(const wend_turn_rule *rule, double used, double cost) {
  double wait = 0;
  if (!wend_turn_takes(rule, used, cost)) {
    if (!wend_turn_takes(rule, 0, cost)) return INFINITY;
    wait = rule->length - used, used = 0;
  }
  return wait + (wend_turn_fits(rule, used + cost) ? cost : rule->length - used);
}

/* The points after a step; INFINITY: it is closed. ends: it ends the turn. back: it lies before what g counts. */
WEND_INLINE double wend_turn_after(const wend_turn_rule *rule, double g, double cost, bool ends, bool back) {
  if (back && ends) g = wend_turn_end(rule, g);
  g += wend_turn_step_cost(rule, wend_turn_used(rule, g), cost);
  return !back && ends && g < INFINITY ? wend_turn_end(rule, g) : g;
}

/* The cost of a place as far as a search knows it; INFINITY: it is not reached. */
typedef double (*wend_known_fn)(const void *ud, uint32_t place);

/* The steps from a place, or of a backward search onto it. */
typedef struct wend_turn_steps {
  wend_stepper *stepper;
  const wend_turn_rule *rule;
  bool back;
  uint32_t place, next; /* the number of the next step */
  double g;             /* of the place */
  wend_known_fn known;  /* steps that cannot lead to a lower cost may be closed */
  const void *ud;
  wend_memo memo;
} wend_turn_steps;

typedef struct wend_turn_step {
  uint32_t to, via; /* via: the arc, of a graph */
  double cost;      /* INFINITY: it is closed */
  bool ends;        /* it ends the turn */
  bool passes;      /* `to` can only be passed */
} wend_turn_step;

/* Whether some tag of the costs has a flag that counts here. *passing: whether one is pass_only; NULL: not wanted. */
bool wend_turns_tags(const wend_map *map, const wend_costs *costs, bool *passing);
/* Whether an agent may only pass a place; of a body, some cell that it covers. */
bool wend_turn_passes(const wend_stepper *stepper, uint32_t place);
/* The next step. False: there is none, or stepper->invalid is set. */
bool wend_turn_next(wend_turn_steps *steps, wend_turn_step *step);

/* A path that is counted: its nodes or cells, and of a graph its edges. */
typedef struct wend_turn_path {
  const wend_id *nodes, *edges;
  uint32_t length;
  uint32_t *ends; /* room for `length` numbers: see wend_search_turns */
  uint32_t end_count;
  double cost; /* the sum of its steps */
} wend_turn_path;
/* Fills in the last three. STALE: it has a closed step. ABORTED. */
wend_status wend_turns_count(wend_turn_path *path, wend_stepper *stepper, const wend_turns *turns);

#endif
