/* SPDX-License-Identifier: MIT */
/* Goals in range: the places that fit a goal (wend_range). A search turns its goals into these when it begins, so all that knows
 * several goals works with them, too. An example: within 2.5 of g. The goal is closed, and so is one of the cells around it.
 *
 *        . e e e .        e  an end of the search: a path from outside comes here first
 *        e i i i e        i  inner places: all steps onto them come from places that fit, and where a path may end. They are ends
 *        e i g # e           only of a search that starts there, and then its path costs 0; so are # and g, which are closed
 *        e i i i e
 *        . e e e .                                                                                     */
#ifndef WEND_RANGE_H
#define WEND_RANGE_H

#include "core/map/step.h"

typedef struct wend_fitting {
  uint32_t place;
  bool end; /* it is open for the agent, and not an inner place */
} wend_fitting;

/* The memory for them. */
typedef struct wend_fittings {
  wend_fitting *list;
  uint8_t *fits;            /* by cell of the box around a goal, or by place of a graph */
  wend_entrance *entrances; /* for `beside` */
  uint32_t list_capacity, fits_capacity, entrances_capacity, count;
} wend_fittings;

/* Whether a range is given: otherwise the goals are the ends. */
static inline bool wend_range_given(const wend_range *range) {
  return range->within < INFINITY || range->beside || range->sight != NULL;
}
/* Whether no path ends at a place, although it fits. */
typedef bool (*wend_no_end_fn)(const wend_stepper *stepper, uint32_t place);
/* Lists the places that fit a goal, the same one perhaps several times. stepper: of the map; a grid as a whole. It asks the edge
 * function. NO_MEMORY. */
wend_status wend_range_list(wend_fittings *found, const wend_alloc *alloc, wend_map *map, wend_stepper *stepper,
                            const wend_range *range, wend_id goal, wend_no_end_fn is_no_end);
void wend_fittings_free(wend_fittings *found, const wend_alloc *alloc);
size_t wend_fittings_bytes(const wend_fittings *found);

#endif
