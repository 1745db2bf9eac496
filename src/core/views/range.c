/* SPDX-License-Identifier: MIT */
/* Goals in range: range.h describes them. */
#include "core/views/range.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/views/sight.h"

WEND_NO_FUSING

/* The cells that may fit a goal, row by row. Of a graph: all places. */
static wend_range_box box_of_goal(const wend_stepper *s, const wend_end_rule *rule, uint32_t goal) {
  wend_range_box box = {0, 0, 1, 0};
  uint32_t x, y, right, bottom, reach;
  if (s->graph != NULL) return box.count = s->graph->place_count, box;
  reach = rule->within < s->grid->width + s->grid->height ? (uint32_t)rule->within : s->grid->width + s->grid->height;
  x = wend_region_x(&s->region, goal), y = wend_region_y(&s->region, goal);
  box.left = x > reach ? x - reach : 0, box.top = y > reach ? y - reach : 0;
  right = reach < s->grid->width - x ? x + reach + 1 : s->grid->width;
  bottom = reach < s->grid->height - y ? y + reach + 1 : s->grid->height;
  box.width = right - box.left;
  box.count = box.width * (bottom - box.top);
  return box;
}

/* The place of a cell of the box. */
static uint32_t place_in_box(const wend_stepper *s, const wend_range_box *box, uint32_t i) {
  return s->graph != NULL ? i : wend_region_place(&s->region, box->left + i % box->width, box->top + i / box->width);
}

static double distance_to_goal(const wend_stepper *s, uint32_t place, uint32_t goal) {
  double x, y;
  if (s->graph != NULL) return wend_graph_distance(s->graph, place, goal);
  if (s->grid->shape != WEND_SQUARES) return wend_hex_distance(&s->region, s->grid->shape, place, goal);
  x = (double)wend_region_x(&s->region, place) - wend_region_x(&s->region, goal);
  y = (double)wend_region_y(&s->region, place) - wend_region_y(&s->region, goal);
  return wend_sqrt(x * x + y * y);
}

/* About as many tests of a distance take as long as one expansion; and so many as one test of a short line, and of each cell of a
 * long one. A line between nodes takes as long as one of LINE_OF_GRAPH cells. */
#define TESTS_PER_EXPANSION 16u
#define TESTS_PER_SIGHT 16u
#define TESTS_PER_CELL 2u
#define LINE_OF_GRAPH 32.0

/* What hides so many goals is noted, in 2 kB for each of them. */
#define BLIND_GOALS_MAX 256u

/* Whether a place is within the distance of a goal. */
static bool is_near_goal(const wend_stepper *s, const wend_end_rule *rule, uint32_t place, uint32_t goal) {
  if (s->graph != NULL && s->graph->slot_of[place] == WEND_NONE) return false; /* a removed node */
  return rule->within == INFINITY || distance_to_goal(s, place, goal) <= rule->within;
}

static bool sees_goal(const wend_stepper *s, wend_map *map, const wend_end_rule *rule, uint32_t place, uint32_t goal) {
  return rule->sight == NULL || rule->sight(rule->sight_ud, map, wend_stepper_id(s, place), wend_stepper_id(s, goal));
}

/* Whether a place meets the conditions, `beside` left out. */
static bool is_in_range(const wend_stepper *s, wend_map *map, const wend_end_rule *rule, uint32_t place, uint32_t goal) {
  return is_near_goal(s, rule, place, goal) && sees_goal(s, map, rule, place, goal);
}

static bool is_open_place(const wend_stepper *s, uint32_t place) {
  return s->graph != NULL ? wend_node_enters(s, place) : wend_step_enters(s, place);
}

/* What a place of the box is. */
#define FITS 1u
#define FITS_NO_END 2u

/* Whether all steps onto a place come from places that fit, and where a path may end. */
static bool is_inner(const wend_stepper *s, const wend_range_box *box, const uint8_t *fits, uint32_t place) {
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
static bool add_fitting(wend_ranged *found, const wend_alloc *alloc, uint32_t place, bool end) {
  const wend_fitting one = {place, end};
  if (!WEND_GROW(alloc, found->list, found->list_capacity, (uint64_t)found->count + 1)) return false;
  found->list[found->count++] = one;
  return true;
}

/* The same with the condition `beside`. */
static wend_status list_beside(wend_ranged *found, const wend_alloc *alloc, wend_map *map, wend_stepper *s,
                               const wend_end_rule *rule, uint32_t goal) {
  uint32_t count;
  if (!WEND_GROW(alloc, found->entrances, found->entrances_capacity, wend_entrance_room(s, goal))) return WEND_NO_MEMORY;
  count = wend_entrances(s, goal, found->entrances);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = found->entrances[i].from;
    if (!is_in_range(s, map, rule, place, goal)) continue;
    if (!add_fitting(found, alloc, place, is_open_place(s, place))) return WEND_NO_MEMORY;
  }
  return WEND_OK;
}

uint64_t wend_range_tests(const wend_stepper *s, const wend_end_rule *rule, const wend_end *goals, uint32_t goal_count) {
  uint64_t tests = 0;
  if (rule->beside) return 0; /* few steps lead onto a goal */
  for (uint32_t k = 0; k < goal_count; k++) tests += box_of_goal(s, rule, wend_stepper_place(s, goals[k].at)).count;
  return rule->sight != NULL ? tests * TESTS_PER_SIGHT : tests;
}

wend_status wend_range_list(wend_ranged *found, const wend_alloc *alloc, wend_map *map, wend_stepper *s,
                            const wend_end_rule *rule, wend_id goal, wend_no_end_fn is_no_end) {
  const uint32_t at = wend_stepper_place(s, goal);
  wend_range_box box;
  found->count = 0;
  if (rule->beside) return list_beside(found, alloc, map, s, rule, at);
  box = box_of_goal(s, rule, at);
  if (!WEND_GROW(alloc, found->fits, found->fits_capacity, box.count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < box.count; i++) {
    const uint32_t place = place_in_box(s, &box, i);
    found->fits[i] = !is_in_range(s, map, rule, place, at) ? 0 : is_no_end(s, place) ? FITS_NO_END : FITS;
  }
  for (uint32_t i = 0; i < box.count; i++) {
    const uint32_t place = place_in_box(s, &box, i);
    if (!found->fits[i]) continue;
    if (!add_fitting(found, alloc, place, is_open_place(s, place) && !is_inner(s, &box, found->fits, place)))
      return WEND_NO_MEMORY;
  }
  return WEND_OK;
}

/* ---- Tests of places ----------------------------------------------------------------------------------------- */

/* Writes the position of a place, and returns its dimensions; 0: it has none. */
static int point_of(const wend_stepper *s, uint32_t place, double *point) {
  const double *at;
  if (s->graph == NULL) {
    point[0] = wend_region_x(&s->region, place), point[1] = wend_region_y(&s->region, place);
    return 2;
  }
  if (s->graph->points == NULL) return 0;
  at = wend_graph_point(s->graph, place);
  for (int d = 0; d < s->graph->dimensions; d++) point[d] = at[d];
  return at[0] == at[0] ? s->graph->dimensions : 0;
}

/* The key of the bucket of a position; or of one beside it, `moved` buckets away in the dimensions whose bits are set. *same: it is
 * the same bucket as with fewer bits. */
static uint64_t bucket_of(const wend_ranged *r, const double *point, int dimensions, double moved, unsigned bits, bool *same) {
  uint64_t key = 0;
  *same = false;
  for (int d = 0; d < dimensions && r->rule.within < INFINITY; d++) {
    const double at = point[d] / r->width, low = floor(at - moved), high = floor(at + moved);
    if ((bits >> d & 1) != 0 && low == high) *same = true;
    key = wend_mix(key ^ wend_bits_of(((bits >> d & 1) != 0 ? high : low) + 0.0)); /* -0 becomes 0 */
  }
  return key;
}

/* The width of the buckets: twice the distance, and so wide that rounding never puts near places more than one bucket apart. */
static double bucket_width(const wend_stepper *s, const wend_end_rule *rule, const wend_ranged *r) {
  double far = 0, point[3];
  for (uint32_t k = 0; k < r->goal_count; k++)
    for (int d = point_of(s, r->places[k], point) - 1; d >= 0; d--) far = fmax(far, fabs(point[d]));
  return fmax(fmax(rule->within * (2 + 1e-6), far * 1e-6), DBL_MIN);
}

/* Puts a goal into its bucket, before its other goals. */
static void add_to_bucket(wend_ranged *r, const wend_stepper *s, uint32_t k) {
  double point[3];
  bool same;
  const int dimensions = point_of(s, r->places[k], point);
  const uint64_t key = bucket_of(r, point, dimensions, 0, 0, &same);
  uint32_t bucket;
  if (dimensions == 0 && r->rule.within < INFINITY) return; /* nothing is near it */
  bucket = wend_keys_find(&r->buckets, key);
  if (bucket == WEND_NONE) r->first[bucket = wend_keys_add(&r->buckets, key)] = WEND_NONE;
  r->next[k] = r->first[bucket];
  r->first[bucket] = k;
}

/* Extends a box so that it has another one. */
static void join_box(wend_range_box *box, const wend_range_box *more) {
  const uint32_t right = box->left + box->width, bottom = box->count > 0 ? box->top + box->count / box->width : 0;
  const uint32_t more_right = more->left + more->width, more_bottom = more->top + more->count / more->width;
  if (box->count == 0) {
    *box = *more;
    return;
  }
  if (more->left < box->left) box->left = more->left;
  if (more->top < box->top) box->top = more->top;
  box->width = (more_right > right ? more_right : right) - box->left;
  box->count = ((more_bottom > bottom ? more_bottom : bottom) - box->top) * box->width;
}

/* Makes room for what hides goals on a grid; if these are many, some share it. It is cleared: the work of a search must not depend
 * on what an earlier one has left there. False: no memory. */
static bool begin_blinds(wend_ranged *r, const wend_alloc *alloc, const wend_stepper *s, const wend_end_rule *rule,
                         uint32_t goal_count) {
  const uint32_t most = goal_count < BLIND_GOALS_MAX ? goal_count : BLIND_GOALS_MAX;
  if (s->graph != NULL || rule->sight != wend_grid_sees) return true;
  if (!WEND_GROW(alloc, r->blinds, r->blinds_capacity, most * WEND_BLIND_DIRECTIONS)) return false;
  if (most > 0) memset(r->blinds, 0, most * WEND_BLIND_DIRECTIONS * sizeof *r->blinds);
  return true;
}

bool wend_ranged_begin(wend_ranged *r, const wend_alloc *alloc, wend_map *map, const wend_stepper *s, const wend_end_rule *rule,
                       uint32_t goal_count, bool every) {
  uint64_t cells = 0;
  r->map = map, r->rule = *rule;
  r->every = every;
  r->goal_count = goal_count, r->work = 0;
  r->box.count = 0;
  wend_keys_clear(&r->buckets);
  if (!WEND_GROW(alloc, r->places, r->places_capacity, goal_count) ||
      !WEND_GROW(alloc, r->next, r->next_capacity, goal_count) || !WEND_GROW(alloc, r->first, r->first_capacity, goal_count) ||
      !begin_blinds(r, alloc, s, rule, goal_count) || !wend_keys_reserve(&r->buckets, alloc, goal_count))
    return false;
  for (uint32_t k = 0; k < goal_count; k++) {
    wend_range_box box;
    r->places[k] = wend_stepper_place(s, r->goals[k].at);
    box = box_of_goal(s, rule, r->places[k]);
    cells += box.count;
    join_box(&r->box, &box);
  }
  r->by_goal = s->graph == NULL && cells <= r->box.count;
  r->width = bucket_width(s, rule, r);
  for (uint32_t k = goal_count; k-- > 0;) add_to_bucket(r, s, k);
  return true;
}

/* Counts work, in tests of a distance. */
static void count_work(wend_ranged *r, uint32_t tests, uint64_t *left) {
  r->work += tests;
  *left -= r->work / TESTS_PER_EXPANSION < *left ? r->work / TESTS_PER_EXPANSION : *left;
  r->work %= TESTS_PER_EXPANSION;
}

/* Whether a place fits goal number k. */
static bool fits_goal(wend_ranged *r, const wend_stepper *s, uint32_t place, uint32_t k, uint64_t *left) {
  const uint32_t goal = r->places[k];
  bool seen, quick = false;
  if (!is_near_goal(s, &r->rule, place, goal)) return false;
  if (r->rule.sight == NULL) return true;
  if (s->graph == NULL && r->rule.sight == wend_grid_sees)
    seen = wend_grid_sees_past((const wend_grid *)r->map, place, goal, &r->blinds[k % BLIND_GOALS_MAX * WEND_BLIND_DIRECTIONS],
                               &quick);
  else seen = sees_goal(s, r->map, &r->rule, place, goal);
  if (!quick)
    count_work(
        r, TESTS_PER_SIGHT + TESTS_PER_CELL * (uint32_t)(s->graph != NULL ? LINE_OF_GRAPH : distance_to_goal(s, place, goal)),
        left);
  return seen;
}

wend_status wend_ranged_find(wend_ranged *r, const wend_stepper *s, uint32_t place, uint32_t *from, uint64_t *left,
                             uint32_t *goal) {
  double point[3];
  int dimensions = point_of(s, place, point);
  uint32_t seen = 0;
  if (r->rule.within == INFINITY) dimensions = 0;
  else if (dimensions == 0) return WEND_NO_PATH;
  for (unsigned bits = 0; bits < 1u << dimensions; bits++) {
    bool same;
    const uint64_t key = bucket_of(r, point, dimensions, 0.5, bits, &same);
    const uint32_t bucket = same ? WEND_NONE : wend_keys_find(&r->buckets, key);
    for (uint32_t k = bucket != WEND_NONE ? r->first[bucket] : WEND_NONE; k != WEND_NONE; k = r->next[k]) {
      if (seen++ < *from) continue;
      if (*left == 0) return *from = seen - 1, WEND_RUNNING;
      count_work(r, 1, left);
      if (fits_goal(r, s, place, k, left)) return *from = seen, *goal = k, WEND_OK;
    }
  }
  return WEND_NO_PATH;
}

/* wend_ranged_next in one box. */
static wend_status next_in_box(wend_ranged *r, const wend_stepper *s, const wend_range_box *box, wend_range_walk *walk,
                               uint64_t *left, uint32_t *place, uint32_t *goal) {
  for (; walk->at < box->count; walk->at++, walk->from = 0) {
    wend_status status;
    *place = place_in_box(s, box, walk->at);
    if (*left == 0) return WEND_RUNNING;
    count_work(r, 1, left);
    if (r->by_goal) {
      *goal = walk->box;
      if (fits_goal(r, s, *place, *goal, left)) return walk->at++, WEND_OK;
      continue;
    }
    status = wend_ranged_find(r, s, *place, &walk->from, left, goal);
    if (status == WEND_OK && !r->every) walk->at++, walk->from = 0;
    if (status != WEND_NO_PATH) return status;
  }
  return WEND_NO_PATH;
}

wend_status wend_ranged_next(wend_ranged *r, const wend_stepper *s, wend_range_walk *walk, uint64_t *left, uint32_t *place,
                             uint32_t *goal) {
  for (; walk->box < (r->by_goal ? r->goal_count : 1); walk->box++, walk->at = 0) {
    const wend_range_box box = r->by_goal ? box_of_goal(s, &r->rule, r->places[walk->box]) : r->box;
    const wend_status status = next_in_box(r, s, &box, walk, left, place, goal);
    if (status != WEND_NO_PATH) return status;
  }
  return WEND_NO_PATH;
}

static const wend_array ranged_rows[] = {
    WEND_ARRAY(wend_ranged, goals, goals_capacity, 1),         WEND_ARRAY(wend_ranged, places, places_capacity, 1),
    WEND_ARRAY(wend_ranged, next, next_capacity, 1),           WEND_ARRAY(wend_ranged, first, first_capacity, 1),
    WEND_ARRAY(wend_ranged, list, list_capacity, 1),           WEND_ARRAY(wend_ranged, fits, fits_capacity, 1),
    WEND_ARRAY(wend_ranged, entrances, entrances_capacity, 1), WEND_ARRAY(wend_ranged, blinds, blinds_capacity, 1)};
static const wend_arrays ranged_arrays = WEND_ARRAYS(ranged_rows);

void wend_ranged_free(wend_ranged *r, const wend_alloc *alloc) {
  wend_arrays_free(ranged_arrays, 1, alloc, r);
  wend_keys_free(&r->buckets, alloc);
}

size_t wend_ranged_bytes(const wend_ranged *r) { return wend_arrays_bytes(ranged_arrays, 1, r) + wend_keys_bytes(&r->buckets); }
