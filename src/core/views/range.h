/* SPDX-License-Identifier: MIT */
/* Goals in range: the places that fit a goal (wend_end_rule). search/ends.h says how searches use them. They are listed when a search
 * begins, if that takes few tests, or each place is tested when a search comes to it, or fields list them in slices.
 *
 * A list, within 2.5 of g. The goal is closed, and so is one of the cells around it.
 *
 *        . e e e .        e  an end of the search: a path from outside comes here first
 *        e i i i e        i  inner places: all steps onto them come from places that fit, and where a path may end. They are ends
 *        e i g # e           only of a search that starts there, and then its path costs 0; so are # and g, which are closed
 *        e i i i e
 *        . e e e .
 *
 * A test looks only at goals that may be near: they lie in buckets by position, twice as wide as the distance, so those within it of
 * any place are in at most two buckets of each dimension.
 *
 *        | g .   |       |      The goals of p are in the bucket of p and in that to the right, where p + within is.
 *        |     p-+-g     |      Without `within` there is one bucket. */
#ifndef WEND_RANGE_H
#define WEND_RANGE_H

#include "core/base/keys.h"
#include "core/cost/step.h"
#include "core/views/sight.h"

typedef struct wend_fitting {
  uint32_t place;
  bool end; /* it is open for the agent, and not an inner place */
} wend_fitting;

/* The cells that may fit goals: `count` of them, row by row. Of a graph: all places. */
typedef struct wend_range_box {
  uint32_t left, top, width, count;
} wend_range_box;

/* Goals in range, and the memory for what fits them. */
typedef struct wend_ranged {
  wend_map *map;
  wend_end_rule rule;
  wend_end *goals;          /* as the caller gave them */
  uint32_t *places, *next;  /* by goal: its place, and the next goal of its bucket; WEND_NONE: it is the last */
  wend_keys buckets;        /* by position */
  uint32_t *first;          /* by bucket: its first goal */
  double width;             /* of a bucket */
  wend_range_box box;       /* around all goals */
  bool by_goal;             /* fewer cells lie near the goals than in that box */
  bool every;               /* all goals that a place fits are wanted, not just one */
  uint32_t work;            /* since the last whole expansion: see TESTS_PER_EXPANSION */
  wend_fitting *list;       /* of one goal */
  uint8_t *fits;            /* by cell of the box around a goal, or by place of a graph */
  wend_entrance *entrances; /* for `beside` */
  wend_blind *blinds;       /* by goal and direction: what hides it */
  uint32_t goals_capacity, places_capacity, next_capacity, first_capacity, list_capacity, fits_capacity, entrances_capacity,
      blinds_capacity;
  uint32_t goal_count, count;
} wend_ranged;

/* Whether a range is given: otherwise the goals are the ends. */
static inline bool wend_range_given(const wend_end_rule *rule) {
  return rule->within < INFINITY || rule->beside || rule->sight != NULL;
}
/* Whether tests call a function of the host, or of the script. */
static inline bool wend_range_calls(const wend_end_rule *rule) { return rule->sight != NULL; }
/* How many tests it takes to list what fits the goals, goal by goal. stepper: as below. */
uint64_t wend_range_tests(const wend_stepper *stepper, const wend_end_rule *rule, const wend_end *goals, uint32_t goal_count);
/* Whether no path ends at a place, although it fits. */
typedef bool (*wend_no_end_fn)(const wend_stepper *stepper, uint32_t place);
/* Lists the places that fit a goal, the same one perhaps several times. stepper: of the map; a grid as a whole. It asks the edge
 * function. NO_MEMORY. */
wend_status wend_range_list(wend_ranged *found, const wend_alloc *alloc, wend_map *map, wend_stepper *stepper,
                            const wend_end_rule *rule, wend_id goal, wend_no_end_fn is_no_end);

/* Puts r->goals into buckets, for the tests below. `beside` is not tested. Takes O(goals). False: no memory. */
bool wend_ranged_begin(wend_ranged *r, const wend_alloc *alloc, wend_map *map, const wend_stepper *stepper,
                       const wend_end_rule *rule, uint32_t goal_count, bool every);
/* Looks for a goal that a place fits. *from: which of the goals near it to test first, 0 at the beginning; set so that the next call
 * goes on after the goal that was found. *left: the work that may be done, in expansions; subtracts what was done. OK: *goal is its
 * number. NO_PATH: it fits none, or no other. RUNNING: *left is used up. */
wend_status wend_ranged_find(wend_ranged *r, const wend_stepper *stepper, uint32_t place, uint32_t *from, uint64_t *left,
                             uint32_t *goal);

/* Where a list that is made in slices has come to. All 0: at its beginning. */
typedef struct wend_range_walk {
  uint32_t box, at, from; /* the goal whose box it goes through, or 0; the number of a place in the box; see wend_ranged_find */
} wend_range_walk;
/* The next place that fits a goal: as wend_ranged_find, but NO_PATH: there are no more. */
wend_status wend_ranged_next(wend_ranged *r, const wend_stepper *stepper, wend_range_walk *walk, uint64_t *left,
                             uint32_t *place, uint32_t *goal);

void wend_ranged_free(wend_ranged *r, const wend_alloc *alloc);
size_t wend_ranged_bytes(const wend_ranged *r);

#endif
