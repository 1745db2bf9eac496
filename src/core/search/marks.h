/* SPDX-License-Identifier: MIT */
/* Marks: what a search knows of each place. They are not cleared: a mark whose stamp is of an earlier search counts as unset.
 * So a short search costs the same on a large map as on a small one.
 *
 *   stamp   | number of the search (24 bits) | flags (8 bits) |
 *
 * An example. The second search has the epoch 2 x 256 = 512. A stamp of 512 + MARK_OPEN = 513 is of this search: 513 - 512 = 1,
 * which is at most 255, and also the flags. A stamp of 257 is of the first search: 257 - 512 wraps around to a huge number.
 *
 * The arrays of marks have one of two layouts. The position of a mark is its index in them.
 *
 *   by place    the position of a mark is its place. The arrays have room for all places of the map.
 *   table       a hash table with open addressing and linear probing. `places` has the place of each mark. The arrays grow with
 *               the number of marks that are set.
 *
 * A search that is compact begins with a table. When the table must grow and would no longer be much smaller than the arrays by
 * place, they replace it: see wend_marks_extend. An example on 1,000 x 1,000 cells, where the arrays by place take 16 MB:
 *
 *      marks set         0     192     288     432    ...
 *      positions       256     384     576     864    ...   74,724, then by place
 *      bytes         5,120   7,680  11,520  17,280    ...
 *
 * In a table, positions change when it grows. So no position is kept beyond a call that may add a mark. */
#ifndef WEND_MARKS_H
#define WEND_MARKS_H

#include "core/base/bits.h"
#include "core/base/memory.h"

typedef struct wend_mark {
  double g;        /* the cost of the cheapest path found so far */
  uint32_t stamp;  /* the epoch of the search that wrote the mark + flags */
  uint32_t parent; /* the place before on that path; WEND_NONE: a start */
} wend_mark;

/* The last step of the path to a node of a graph. It completes the mark of the node. */
typedef struct wend_arrival {
  uint32_t via;        /* the arc */
  uint32_t edge_count; /* of the path from the start */
} wend_arrival;

typedef struct wend_marks {
  /* By position. Only `at` is always there. */
  wend_mark *at;
  uint32_t *places;       /* the place of each mark that is set, WEND_NONE elsewhere; NULL: the layout is by place */
  wend_arrival *arrivals; /* of graphs */
  uint32_t *
      penalized; /* valid where the mark has MARK_PENALIZED: the slot of the penalized edge, or the place that the step leads to */
  uint32_t capacity, places_capacity, arrivals_capacity, penalized_capacity;
  uint32_t epoch;       /* of the current search: its number x EPOCH_STEP */
  uint32_t count;       /* of a table: the marks that are set */
  uint32_t place_count; /* of the map */
  unsigned columns;     /* that the search uses: MARKS_ARRIVALS, ... */
} wend_marks;

#define MARK_OPEN 1u        /* the place is in the queue */
#define MARK_EXPANDED 2u    /* the place was expanded, perhaps at a higher cost */
#define MARK_GOAL 4u        /* the place is a goal */
#define MARK_WAY_SHIFT 3    /* EXPAND_CELLS: four bits with the direction to the parent, see neighbours.h */
#define MARK_PENALIZED 128u /* a penalized step leaves the place: see wend_perturbation */
#define MARK_FLAGS 255u     /* all flags */
#define EPOCH_STEP 256u     /* the difference between the epochs of two searches: leaves room for the flags */

/* The columns that a search uses. */
#define MARKS_ARRIVALS 1u
#define MARKS_PENALIZED 2u

/* Begins a search over `place_count` places with all marks unset. columns: MARKS_ARRIVALS, ... or 0. compact: with a table,
 * unless the arrays by place are there already or are small. False: no memory. */
bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t place_count, unsigned columns, bool compact);
/* Unsets all marks. The time depends on the size of a table, and not on that of the map. */
void wend_marks_clear(wend_marks *marks);
/* Makes room in one more column. False: no memory. */
bool wend_marks_use(wend_marks *marks, const wend_alloc *alloc, unsigned column);
/* Makes room in a table for more marks, or changes it to the layout by place. may_change: the second is allowed. False: no
 * memory, and nothing has changed. */
bool wend_marks_extend(wend_marks *marks, const wend_alloc *alloc, bool may_change);
/* wend_marks_add for a table. */
uint32_t wend_table_add(wend_marks *marks, const wend_alloc *alloc, uint32_t place);
/* Frees all marks, and their size in bytes. */
void wend_marks_free(wend_marks *marks, const wend_alloc *alloc);
size_t wend_marks_bytes(const wend_marks *marks);

/* A table should grow when 3/4 of its positions are in use: a fuller table has longer runs of marks to probe. Within one
 * expansion, where the layout must not change, it grows when 7/8 are in use. */
static inline uint32_t wend_table_limit(uint32_t capacity) { return capacity - capacity / 4; }
static inline uint32_t wend_table_hard_limit(uint32_t capacity) { return capacity - capacity / 8; }

/* The position of a place in a table; if its mark is unset, the position where it belongs. The product spreads places over 32
 * bits (D. Knuth, "The Art of Computer Programming", volume 3, section 6.4), and its high bits choose the position. */
WEND_INLINE uint32_t wend_table_position(const uint32_t *places, uint32_t capacity, uint32_t place) {
  uint32_t at = (uint32_t)((uint64_t)(place * 2654435769u) * capacity >> 32);
  while (places[at] != place && places[at] != WEND_NONE)
    if (++at == capacity) at = 0;
  return at;
}

/* The position of a place, in any layout. */
static inline uint32_t wend_marks_find(const wend_marks *marks, uint32_t place) {
  if (marks->places == NULL) return place;
  return wend_table_position(marks->places, marks->capacity, place);
}

static inline wend_mark *wend_marks_of(const wend_marks *marks, uint32_t place) {
  return &marks->at[wend_marks_find(marks, place)];
}

/* Whether a mark is set in this search. Stamps of earlier searches are below the epoch, so the difference wraps around to more
 * than MARK_FLAGS. */
static inline bool wend_mark_is_set(const wend_marks *marks, const wend_mark *mark) {
  return mark->stamp - marks->epoch <= MARK_FLAGS;
}

static inline bool wend_marks_has(const wend_marks *marks, uint32_t place) {
  return wend_mark_is_set(marks, wend_marks_of(marks, place));
}

/* The position of a place whose mark the caller sets. WEND_NONE: no memory. */
static inline uint32_t wend_marks_add(wend_marks *marks, const wend_alloc *alloc, uint32_t place) {
  return marks->places == NULL ? place : wend_table_add(marks, alloc, place);
}

/* Enters the place of a new mark into a table. Then the caller sets the mark at this position. */
WEND_INLINE void wend_marks_note(wend_marks *marks, uint32_t at, uint32_t place) {
  marks->places[at] = place;
  marks->count++;
}

/* Whether the search has expanded a place. */
static inline bool wend_marks_expanded(const wend_marks *marks, uint32_t place) {
  const wend_mark *mark = wend_marks_of(marks, place);
  return wend_mark_is_set(marks, mark) && (mark->stamp & MARK_EXPANDED) != 0;
}

#endif
