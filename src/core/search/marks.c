/* SPDX-License-Identifier: MIT */
/* The memory of marks: marks.h describes the two layouts.
 *
 * The invariant of a table: the columns that the search uses have room for `capacity` items, and `count` of them are set, less
 * than `capacity`. So probing ends. */
#include "core/search/marks.h"

#include <string.h>

/* The positions of a new table. */
#define TABLE_FIRST 256u
/* The arrays by place replace a table that must grow if they are at most this many times as large as the larger table, which
 * then has more than TABLE_LEAST positions. So a search has room for the neighbours of 100 nodes before they do. */
#define BY_PLACE_FACTOR 8u
#define TABLE_LEAST 2000u
/* Arrays by place of up to this size need no table. */
#define BY_PLACE_BYTES 40000u

/* Whether a search uses the arrays by place instead of a table of so many positions. */
static bool suits_by_place(const wend_marks *marks, uint32_t positions) {
  const uint64_t mark_bytes = sizeof(wend_mark) + ((marks->columns & MARKS_ARRIVALS) != 0 ? sizeof(wend_arrival) : 0);
  const uint64_t by_place = marks->place_count * mark_bytes;
  if (by_place <= BY_PLACE_BYTES) return true;
  return positions > TABLE_LEAST && by_place <= positions * (mark_bytes + sizeof(uint32_t)) * BY_PLACE_FACTOR;
}

void wend_marks_free(wend_marks *marks, const wend_alloc *alloc) {
  WEND_FREE(alloc, marks->at, marks->capacity);
  WEND_FREE(alloc, marks->places, marks->places_capacity);
  WEND_FREE(alloc, marks->arrivals, marks->arrivals_capacity);
  WEND_FREE(alloc, marks->penalized, marks->penalized_capacity);
  memset(marks, 0, sizeof *marks);
}

size_t wend_marks_bytes(const wend_marks *marks) {
  return marks->capacity * sizeof *marks->at + marks->places_capacity * sizeof *marks->places +
         marks->arrivals_capacity * sizeof *marks->arrivals + marks->penalized_capacity * sizeof *marks->penalized;
}

/* Makes room for `wanted` marks in `at`, all unset. False: no memory. */
static bool reserve_marks(wend_marks *marks, const wend_alloc *alloc, uint32_t wanted) {
  const uint32_t old = marks->capacity;
  if (wanted <= old) return true;
  if (old == 0 ? !WEND_RESIZE(alloc, marks->at, marks->capacity, wanted)
               : !WEND_GROW(alloc, marks->at, marks->capacity, wanted))
    return false;
  memset(marks->at + old, 0, (marks->capacity - old) * sizeof *marks->at);
  return true;
}

/* Makes room in the other columns. count: of the items. False: no memory. */
static bool reserve_columns(wend_marks *marks, const wend_alloc *alloc, uint32_t count, unsigned columns) {
  if ((columns & MARKS_ARRIVALS) != 0 && !WEND_GROW(alloc, marks->arrivals, marks->arrivals_capacity, count)) return false;
  return (columns & MARKS_PENALIZED) == 0 || WEND_GROW(alloc, marks->penalized, marks->penalized_capacity, count);
}

/* Sets up an empty table, or empty arrays by place. False: no memory, and there are no marks. */
static bool begin_layout(wend_marks *marks, const wend_alloc *alloc, uint32_t positions, bool table) {
  if (table && !WEND_RESIZE(alloc, marks->places, marks->places_capacity, positions)) return false;
  if (table) memset(marks->places, 0xff, positions * sizeof *marks->places); /* WEND_NONE: no place */
  return reserve_marks(marks, alloc, positions) && reserve_columns(marks, alloc, positions, marks->columns);
}

bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t place_count, unsigned columns, bool compact) {
  const bool was_table = marks->places != NULL;
  const uint32_t positions = was_table && marks->capacity > TABLE_FIRST ? marks->capacity : TABLE_FIRST;
  bool table = compact && (was_table || marks->capacity < place_count);
  marks->columns = columns;
  marks->place_count = place_count;
  if (table) table = !suits_by_place(marks, positions);
  if (table != was_table) {
    wend_marks_free(marks, alloc);
    marks->columns = columns;
    marks->place_count = place_count;
  }
  if (!begin_layout(marks, alloc, table ? positions : place_count, table)) {
    wend_marks_free(marks, alloc);
    return false;
  }
  wend_marks_clear(marks);
  return true;
}

void wend_marks_clear(wend_marks *marks) {
  if (marks->epoch > UINT32_MAX - 2 * EPOCH_STEP) { /* after 2^24 searches: stamps start again from 0 */
    memset(marks->at, 0, marks->capacity * sizeof *marks->at);
    marks->epoch = 0;
  }
  marks->epoch += EPOCH_STEP;
  marks->count = 0;
  if (marks->places != NULL) memset(marks->places, 0xff, marks->capacity * sizeof *marks->places); /* WEND_NONE: no place */
}

bool wend_marks_use(wend_marks *marks, const wend_alloc *alloc, unsigned column) {
  marks->columns |= column;
  return reserve_columns(marks, alloc, marks->capacity, marks->columns);
}

/* Copies item `from` of all columns to item `to` of another object. */
static void move_mark(wend_marks *into, uint32_t to, const wend_marks *marks, uint32_t from) {
  into->at[to] = marks->at[from];
  if (into->places != NULL) into->places[to] = marks->places[from];
  if ((marks->columns & MARKS_ARRIVALS) != 0) into->arrivals[to] = marks->arrivals[from];
  if ((marks->columns & MARKS_PENALIZED) != 0) into->penalized[to] = marks->penalized[from];
}

bool wend_marks_extend(wend_marks *marks, const wend_alloc *alloc, bool may_change) {
  const uint64_t wanted = marks->capacity + (uint64_t)marks->capacity / 2;
  const uint32_t positions = wanted < WEND_NONE ? (uint32_t)wanted : WEND_NONE - 1;
  const bool table = !may_change || !suits_by_place(marks, positions);
  wend_marks next;
  memset(&next, 0, sizeof next);
  next.columns = marks->columns, next.place_count = marks->place_count;
  next.epoch = marks->epoch, next.count = marks->count;
  if (!begin_layout(&next, alloc, table ? positions : marks->place_count, table)) {
    wend_marks_free(&next, alloc);
    return false;
  }
  for (uint32_t i = 0; i < marks->capacity; i++)
    if (marks->places[i] != WEND_NONE) move_mark(&next, wend_marks_find(&next, marks->places[i]), marks, i);
  wend_marks_free(marks, alloc);
  *marks = next;
  return true;
}

uint32_t wend_table_add(wend_marks *marks, const wend_alloc *alloc, uint32_t place) {
  uint32_t at;
  if (marks->count >= wend_table_limit(marks->capacity) && !wend_marks_extend(marks, alloc, false)) return WEND_NONE;
  at = wend_marks_find(marks, place);
  if (marks->places[at] == WEND_NONE) wend_marks_note(marks, at, place);
  return at;
}
