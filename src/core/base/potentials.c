/* SPDX-License-Identifier: MIT */
/* Potentials of prepared maps: potentials.h has the contracts. */
#include "core/base/potentials.h"

#include <math.h>
#include <string.h>

WEND_NO_FUSING

/* ---- Slack ------------------------------------------------------------------------------------------------- */

/* Frees the lists. The sums stay. */
static void free_slack(wend_slack *slack, const wend_alloc *alloc) {
  wend_keys_free(&slack->places, alloc);
  WEND_FREE(alloc, slack->excess, slack->excess_capacity);
  slack->excess = NULL;
  slack->excess_capacity = 0;
}

/* The excess of a place so far. NULL: no memory. */
static uint16_t *excess_of(wend_slack *slack, const wend_alloc *alloc, uint32_t key) {
  const uint32_t known = wend_keys_find(&slack->places, key);
  uint16_t *excess;
  if (known != WEND_NONE) return slack->excess + (size_t)known * slack->width;
  if (!WEND_GROW(alloc, slack->excess, slack->excess_capacity, ((uint64_t)slack->places.count + 1) * slack->width) ||
      !wend_keys_reserve(&slack->places, alloc, 1))
    return NULL;
  excess = slack->excess + (size_t)wend_keys_add(&slack->places, key) * slack->width;
  memset(excess, 0, slack->width * sizeof *excess);
  return excess;
}

/* Notes the excess by column of a step into a place. Without memory it counts as that of another place. */
static void add_slack(wend_slack *slack, const wend_alloc *alloc, uint32_t key, const uint16_t *excess) {
  uint16_t *known = excess_of(slack, alloc, key);
  bool raised = false;
  for (uint32_t i = 0; i < slack->width; i++) {
    const uint32_t before = known != NULL ? known[i] : 0;
    if (excess[i] <= before) continue;
    slack->sums[i] += excess[i] - before;
    if (slack->sums[i] > SLACK_MAX) slack->sums[i] = SLACK_MAX;
    if (known != NULL) known[i] = excess[i];
    raised = true;
  }
  if (raised) slack->raised++;
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

static const wend_array table_rows[] = {WEND_ARRAY(wend_prepared, tags, tags_capacity, 1),
                                        WEND_ARRAY(wend_prepared, slack.excess, slack.excess_capacity, 1)};
static const wend_arrays table_arrays = WEND_ARRAYS(table_rows);

static size_t row_bytes(const wend_prepared *prepared) { return prepared->stride * sizeof *prepared->rows; }

void wend_prepared_free(wend_prepared *prepared, const wend_alloc *alloc) {
  while (prepared != NULL) {
    wend_prepared *const next = prepared->next;
    wend_planes_free(prepared->planes, alloc);
    if (wend_arrays_leave(alloc, &prepared->users)) wend_free(alloc, prepared->rows, prepared->capacity, row_bytes(prepared));
    wend_arrays_free(table_arrays, 1, alloc, prepared);
    wend_keys_free(&prepared->slack.places, alloc);
    alloc->resize(alloc->ud, prepared, sizeof *prepared, 0);
    prepared = next;
  }
}

/* Copies one set of tables. NULL: no memory. */
static wend_prepared *copy_tables(wend_prepared *prepared, const wend_alloc *alloc) {
  const wend_keys none = {NULL, NULL, 0, 0, 0};
  wend_prepared *copy = wend_new_part(alloc, sizeof *copy);
  if (copy == NULL) return NULL;
  if (prepared->rows != NULL && !wend_arrays_share(alloc, &prepared->users)) {
    alloc->resize(alloc->ud, copy, sizeof *copy, 0);
    return NULL;
  }
  *copy = *prepared;
  copy->next = NULL;
  copy->slack.places = none;
  wend_arrays_forget(table_arrays, 1, copy);
  copy->planes = prepared->planes != NULL ? wend_planes_copy(prepared->planes, alloc) : NULL;
  if ((copy->planes != NULL || prepared->planes == NULL) && wend_arrays_copy(table_arrays, 1, alloc, prepared, copy) &&
      wend_keys_copy(&copy->slack.places, alloc, &prepared->slack.places))
    return copy;
  wend_prepared_free(copy, alloc);
  return NULL;
}

bool wend_prepared_copy(wend_prepared *prepared, const wend_alloc *alloc, wend_prepared **copy) {
  wend_prepared **end = copy;
  *copy = NULL;
  for (; prepared != NULL; prepared = prepared->next, end = &(*end)->next) {
    *end = copy_tables(prepared, alloc);
    if (*end != NULL) continue;
    wend_prepared_free(*copy, alloc);
    *copy = NULL;
    return false;
  }
  return true;
}

bool wend_prepared_own(wend_prepared *prepared, const wend_alloc *alloc) {
  const size_t bytes = prepared->capacity * row_bytes(prepared);
  uint16_t *rows;
  if (prepared->users == NULL) return true;
  rows = *prepared->users > 1 ? alloc->resize(alloc->ud, NULL, 0, bytes) : prepared->rows;
  if (rows == NULL) return false;
  if (rows != prepared->rows) memcpy(rows, prepared->rows, bytes);
  (void)wend_arrays_leave(alloc, &prepared->users);
  prepared->rows = rows;
  return true;
}

size_t wend_prepared_bytes(const wend_prepared *prepared) {
  return sizeof *prepared + prepared->capacity * row_bytes(prepared) + wend_arrays_bytes(table_arrays, 1, prepared) +
         wend_keys_bytes(&prepared->slack.places) + wend_planes_bytes(prepared->planes);
}

bool wend_prepared_grow(wend_prepared *prepared, const wend_alloc *alloc, uint64_t places) {
  if (prepared->rows == NULL || places <= prepared->place_count) return true;
  if (!wend_prepared_own(prepared, alloc)) return false;
  if (!wend_grow(alloc, &prepared->rows, &prepared->capacity, places, row_bytes(prepared))) return false;
  for (uint64_t place = prepared->place_count; place < places; place++)
    for (uint32_t i = 0; i < prepared->stride; i++)
      wend_prepared_row(prepared, (uint32_t)place)[i] = i % prepared->count < prepared->landmarks ? POTENTIAL_MAX : 0;
  prepared->place_count = (uint32_t)places;
  return true;
}

uint16_t *wend_prepared_reorder(const wend_prepared *prepared, const wend_alloc *alloc, const uint32_t *order, uint32_t count) {
  uint16_t *rows = NULL;
  uint32_t capacity = 0;
  if (!wend_resize(alloc, &rows, &capacity, count > 0 ? count : 1, row_bytes(prepared))) return NULL;
  for (uint32_t i = 0; i < count; i++)
    memcpy(rows + (size_t)i * prepared->stride, wend_prepared_row(prepared, order[i]), row_bytes(prepared));
  return rows;
}

void wend_prepared_drop(const wend_prepared *prepared, const wend_alloc *alloc, uint16_t *rows, uint32_t count) {
  wend_free(alloc, rows, count > 0 ? count : 1, row_bytes(prepared));
}

void wend_prepared_take(wend_prepared *prepared, const wend_alloc *alloc, uint16_t *rows, uint32_t count) {
  if (wend_arrays_leave(alloc, &prepared->users)) wend_free(alloc, prepared->rows, prepared->capacity, row_bytes(prepared));
  prepared->rows = rows;
  prepared->capacity = count > 0 ? count : 1;
  prepared->place_count = count;
}

uint32_t wend_prepared_difference(const wend_prepared *prepared, uint32_t from, uint32_t to) {
  const uint16_t *a = wend_prepared_row(prepared, from), *b = wend_prepared_row(prepared, to);
  const uint32_t count = prepared->count;
  uint32_t greatest = 0;
#if defined(__SSE2__) || defined(_M_X64)
  const uint32_t back = prepared->two_way ? 0 : count;
  __m128i best = _mm_setzero_si128();
  for (uint32_t i = 0; i < count; i += 8) {
    const __m128i *const here = (const __m128i *)(const void *)(a + i), *const there = (const __m128i *)(const void *)(b + i);
    const __m128i *const here_back = (const __m128i *)(const void *)(a + back + i);
    const __m128i *const there_back = (const __m128i *)(const void *)(b + back + i);
    best = wend_max_of_8(best, _mm_subs_epu16(_mm_loadu_si128(here), _mm_loadu_si128(there)));
    best = wend_max_of_8(best, _mm_subs_epu16(_mm_loadu_si128(there_back), _mm_loadu_si128(here_back)));
  }
  greatest = wend_max_in_8(best);
#else
  for (uint32_t i = 0; i < count; i++) {
    if (a[i] > b[i] && (uint32_t)a[i] - b[i] > greatest) greatest = (uint32_t)a[i] - b[i];
  }
  if (!prepared->two_way) a += count, b += count;
  for (uint32_t i = 0; i < count; i++) {
    if (b[i] > a[i] && (uint32_t)b[i] - a[i] > greatest) greatest = (uint32_t)b[i] - a[i];
  }
#endif
  return greatest;
}

/* A price that is a whole number of units but for rounding counts as that number. What rounding makes of the rest is left to the
 * margin that users of the rows allow for. */
uint32_t wend_prepared_units(const wend_prepared *prepared, double price) {
  const double units = price / prepared->unit * (1 + 1e-11);
  return units < POTENTIAL_MAX ? (uint32_t)units : POTENTIAL_MAX;
}

/* How much more a number is than another one plus the units of a step. */
static uint16_t excess_over(uint32_t more, uint32_t less, uint32_t units) {
  return (uint16_t)(more > less + units ? more - less - units : 0);
}

/* Whether the bounds of all columns are worth nothing. */
static bool is_used_up(const wend_prepared *prepared) {
  for (uint32_t i = 0; i < prepared->landmarks; i++)
    if (prepared->slack.sums[i] < SLACK_MAX || prepared->slack.sums[prepared->count + i] < SLACK_MAX) return false;
  return true;
}

void wend_prepared_allow(wend_prepared *prepared, const wend_alloc *alloc, uint32_t from, uint32_t to, uint32_t key,
                         double price) {
  const uint16_t *a, *b;
  const uint32_t count = prepared->count, back = prepared->two_way ? 0 : count;
  uint16_t excess[SLACK_COLUMNS_MAX];
  uint32_t units;
  if (prepared->off || !(price < INFINITY)) return;
  units = wend_prepared_units(prepared, price);
  if (wend_prepared_difference(prepared, from, to) <= units) return;
  a = wend_prepared_row(prepared, from), b = wend_prepared_row(prepared, to);
  for (uint32_t i = 0; i < count; i++) {
    excess[i] = excess_over(a[i], b[i], units);
    excess[count + i] = excess_over(b[back + i], a[back + i], units);
  }
  add_slack(&prepared->slack, alloc, key, excess);
  if (!is_used_up(prepared)) return;
  prepared->off = true;
  free_slack(&prepared->slack, alloc);
}
