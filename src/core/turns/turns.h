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
 * A turn may not end on some places, which can only be passed. So between two other places the steps over them are one step, a
 * stretch. A small search from the place that is expanded finds the stretches:
 *
 *     u a b v      from u over a and b, which can only be passed: v is one step of the cost of all three away, and w is
 *       c w        another one, over a and c. a, b and c get no cost of their own.
 *
 * A stretch that reaches a later, and that costs more up to there, than a known one leads to nothing better: the steps after a
 * fit into the same turn, or into a later one. So it ends there, also if the known one began at another place.
 *
 * With wend_turns.any_last, the last step of a turn need not fit: if anything is left, it may be taken, and the turn ends.
 *
 *     g = 27                                            a step of 4, and one of 11: g = 30
 *
 * g still never falls when that of the place before rises, so the searches stay exact. But such a step adds less than its cost, so
 * estimates in points would be too high. A search that has estimates counts some more for each turn than its points
 * (wend_turn_rule.length): at least the most by which one step lowers the estimate. Then the step that ends a turn adds at least
 * that. In a stretch, only the last step may end the turn.
 *
 * Backward searches pack the steps into turns from the goal. The number of turns is the same, because both pack each turn as full as
 * they can. With any_last this does not hold, so these searches go forward only. */
#ifndef WEND_TURNS_H
#define WEND_TURNS_H

#include <math.h>

#include "core/base/keys.h"
#include "core/map/step.h"

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

/* Whether a turn of which `used` points are used takes a stretch. before: the cost of all its steps but the last; cost: of all. */
WEND_INLINE bool wend_turn_takes(const wend_turn_rule *rule, double used, double before, double cost) {
  if (wend_turn_fits(rule, used + cost)) return true;
  return rule->any && cost < INFINITY && used + before < rule->per_turn * (1 - WEND_TURN_SLACK);
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

/* What is left of a turn if a stretch must wait for the next one; 0: it need not. INFINITY: no turn takes it. */
WEND_INLINE double wend_turn_wait(const wend_turn_rule *rule, double used, double before, double cost) {
  if (wend_turn_takes(rule, used, before, cost)) return 0;
  return wend_turn_takes(rule, 0, before, cost) ? rule->length - used : INFINITY;
}

/* What a stretch adds to g, of whose last turn `used` points are used: its cost up to the end of its turn, and what it leaves of that
 * turn before. */
WEND_INLINE double wend_turn_step_cost(const wend_turn_rule *rule, double used, double before, double cost) {
  const double wait = wend_turn_wait(rule, used, before, cost);
  if (wait > 0) used = 0;
  return wait + (wend_turn_fits(rule, used + cost) ? cost : rule->length - used);
}

/* The points after a stretch; INFINITY: it is closed. ends: it ends the turn. back: it lies before those that g counts. */
WEND_INLINE double wend_turn_after(const wend_turn_rule *rule, double g, double before, double cost, bool ends, bool back) {
  if (back && ends) g = wend_turn_end(rule, g);
  g += wend_turn_step_cost(rule, wend_turn_used(rule, g), before, cost);
  return !back && ends && g < INFINITY ? wend_turn_end(rule, g) : g;
}

/* A step of a search that counts turns, or a stretch. */
typedef struct wend_turn_step {
  uint32_t to, via; /* via: the last arc, of a graph */
  double cost;      /* of the whole stretch */
  double before;    /* of all its steps but the last */
  bool ends;        /* it ends the turn */
  bool passes;      /* `to` can only be passed */
} wend_turn_step;

/* The place that is expanded, and those that can only be passed and are reached from it. */
typedef struct wend_stretch_item {
  double cost;  /* from the first */
  double after; /* the points after the steps to it */
  uint32_t place, before, via;
} wend_stretch_item;

/* The cost of a place as far as a search knows it; INFINITY: it is not reached. */
typedef double (*wend_known_fn)(const void *ud, uint32_t place);

typedef struct wend_stretch {
  /* Set by the search. */
  const wend_alloc *alloc;
  wend_stepper *stepper;
  wend_turn_rule rule;
  bool back;
  unsigned first_steps; /* of a grid: the directions of the steps from the first place, a bit for each */

  wend_keys places;         /* of all items but the first: by number + 1. They stay from one expansion to the next */
  wend_stretch_item *items; /* the first is the place that is expanded */
  uint32_t *queue;          /* the numbers of items whose steps must be taken, from `first` on */
  uint32_t items_capacity, queue_capacity, first, count;
  uint32_t at, next; /* the item whose steps are taken, and the number of the next step */
  wend_memo memo;    /* of that item */
  bool ending,
      any_ended; /* backward, there are two rounds: the second takes the first steps that end the turn, if there are any */
  bool failed;   /* no memory */
  wend_known_fn known;
  const void *ud;
} wend_stretch;

/* Whether some tag of the costs has a flag that counts here. *passing: whether one is pass_only; NULL: not wanted. */
bool wend_turns_tags(const wend_map *map, const wend_costs *costs, bool *passing);
/* Whether an agent may only pass a place; of a body, some cell that it covers. */
bool wend_turn_passes(const wend_stepper *stepper, uint32_t place);
/* Begins with the steps from a place, whose cost is g; backward, with those onto it. known: steps that cannot lead to a lower cost may
 * be left out; NULL: all are wanted. False: no memory. */
bool wend_stretch_begin(wend_stretch *stretch, uint32_t place, double g, wend_known_fn known, const void *ud);
/* The next step; one of the same place may come again for less. False: there is none; or `failed`, or stepper->invalid is set. */
bool wend_stretch_next(wend_stretch *stretch, wend_turn_step *step);
/* Finds the stretch from a place of cost g to another one again. arc: the last one, of a graph. Returns the number of the item before
 * its end; WEND_NONE: there is none any more, or no memory. */
uint32_t wend_stretch_find(wend_stretch *stretch, uint32_t from, double g, uint32_t to, uint32_t arc);
void wend_stretch_free(wend_stretch *stretch, const wend_alloc *alloc);
size_t wend_stretch_bytes(const wend_stretch *stretch);

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
