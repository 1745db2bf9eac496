/* SPDX-License-Identifier: MIT */
/* Goals in range: range.h describes them. */
#include "core/views/range.h"

#include <math.h>

WEND_NO_FUSING

/* The cells that may fit a goal: `count` of them, row by row. Of a graph: all places. */
typedef struct goal_box {
  uint32_t left, top, width, count;
} goal_box;

static goal_box box_of_goal(const wend_stepper *s, const wend_range *range, uint32_t goal) {
  goal_box box = {0, 0, 1, 0};
  uint32_t x, y, right, bottom, reach;
  if (s->graph != NULL) return box.count = s->graph->place_count, box;
  reach = range->within < s->grid->width + s->grid->height ? (uint32_t)range->within : s->grid->width + s->grid->height;
  x = wend_region_x(&s->region, goal), y = wend_region_y(&s->region, goal);
  box.left = x > reach ? x - reach : 0, box.top = y > reach ? y - reach : 0;
  right = reach < s->grid->width - x ? x + reach + 1 : s->grid->width;
  bottom = reach < s->grid->height - y ? y + reach + 1 : s->grid->height;
  box.width = right - box.left;
  box.count = box.width * (bottom - box.top);
  return box;
}

/* The place of a cell of the box. */
static uint32_t place_in_box(const wend_stepper *s, const goal_box *box, uint32_t i) {
  return s->graph != NULL ? i : wend_region_place(&s->region, box->left + i % box->width, box->top + i / box->width);
}

static double distance_to_goal(const wend_stepper *s, uint32_t place, uint32_t goal) {
  double x, y;
  if (s->graph != NULL) return wend_graph_distance(s->graph, place, goal);
  x = (double)wend_region_x(&s->region, place) - wend_region_x(&s->region, goal);
  y = (double)wend_region_y(&s->region, place) - wend_region_y(&s->region, goal);
  return wend_sqrt(x * x + y * y);
}

/* Whether a place meets the conditions, `beside` left out. */
static bool is_in_range(const wend_stepper *s, wend_map *map, const wend_range *range, uint32_t place, uint32_t goal) {
  if (s->graph != NULL && s->graph->slot_of[place] == WEND_NONE) return false; /* a removed node */
  if (range->within < INFINITY && !(distance_to_goal(s, place, goal) <= range->within)) return false;
  return range->sight == NULL || range->sight(range->sight_ud, map, wend_stepper_id(s, place), wend_stepper_id(s, goal));
}

static bool is_open_place(const wend_stepper *s, uint32_t place) {
  return s->graph != NULL ? wend_node_enters(s, place) : wend_step_enters(s, place);
}

/* What a place of the box is. */
#define FITS 1u
#define FITS_NO_END 2u

/* Whether all steps onto a place come from places that fit, and where a path may end. */
static bool is_inner(const wend_stepper *s, const goal_box *box, const uint8_t *fits, uint32_t place) {
  uint32_t links;
  if (s->graph != NULL) {
    for (uint32_t arc = s->graph->in[place].first; arc < s->graph->in[place].end; arc++)
      if (fits[s->graph->arc_to[arc]] != FITS) return false;
    return true;
  }
  (void)wend_grid_portals(s->grid, place, true, &links);
  if (links > 0) return false;
  for (int d = 0; d < 8; d++) {
    const uint32_t from = wend_stepper_next(s, place, d);
    const uint32_t x = wend_region_x(&s->region, from) - box->left, y = wend_region_y(&s->region, from) - box->top;
    if (!wend_region_has(&s->region, from)) continue;
    if (x >= box->width || y >= box->count / box->width || fits[y * box->width + x] != FITS) return false;
  }
  return true;
}

/* Adds a place. False: no memory. */
static bool add_fitting(wend_fittings *found, const wend_alloc *alloc, uint32_t place, bool end) {
  const wend_fitting one = {place, end};
  if (!WEND_GROW(alloc, found->list, found->list_capacity, (uint64_t)found->count + 1)) return false;
  found->list[found->count++] = one;
  return true;
}

/* The same with the condition `beside`. */
static wend_status list_beside(wend_fittings *found, const wend_alloc *alloc, wend_map *map, wend_stepper *s,
                               const wend_range *range, uint32_t goal) {
  uint32_t count;
  if (!WEND_GROW(alloc, found->entrances, found->entrances_capacity, wend_entrance_room(s, goal))) return WEND_NO_MEMORY;
  count = wend_entrances(s, goal, found->entrances);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = found->entrances[i].from;
    if (!is_in_range(s, map, range, place, goal)) continue;
    if (!add_fitting(found, alloc, place, is_open_place(s, place))) return WEND_NO_MEMORY;
  }
  return WEND_OK;
}

wend_status wend_range_list(wend_fittings *found, const wend_alloc *alloc, wend_map *map, wend_stepper *s,
                            const wend_range *range, wend_id goal, wend_no_end_fn is_no_end) {
  const uint32_t at = wend_stepper_place(s, goal);
  goal_box box;
  found->count = 0;
  if (range->beside) return list_beside(found, alloc, map, s, range, at);
  box = box_of_goal(s, range, at);
  if (!WEND_GROW(alloc, found->fits, found->fits_capacity, box.count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < box.count; i++) {
    const uint32_t place = place_in_box(s, &box, i);
    found->fits[i] = !is_in_range(s, map, range, place, at) ? 0 : is_no_end(s, place) ? FITS_NO_END : FITS;
  }
  for (uint32_t i = 0; i < box.count; i++) {
    const uint32_t place = place_in_box(s, &box, i);
    if (!found->fits[i]) continue;
    if (!add_fitting(found, alloc, place, is_open_place(s, place) && !is_inner(s, &box, found->fits, place)))
      return WEND_NO_MEMORY;
  }
  return WEND_OK;
}

void wend_fittings_free(wend_fittings *found, const wend_alloc *alloc) {
  WEND_FREE(alloc, found->list, found->list_capacity);
  WEND_FREE(alloc, found->fits, found->fits_capacity);
  WEND_FREE(alloc, found->entrances, found->entrances_capacity);
}

size_t wend_fittings_bytes(const wend_fittings *found) {
  return found->list_capacity * sizeof *found->list + found->fits_capacity +
         found->entrances_capacity * sizeof *found->entrances;
}
