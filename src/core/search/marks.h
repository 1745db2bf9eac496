/* SPDX-License-Identifier: MIT */
/* Marks: what a search knows of each place. They are never cleared: a mark whose stamp is of an earlier search counts as unset.
 * So a short search costs the same on a large map as on a small one.
 *
 *   stamp   | number of the search (24 bits) | flags (8 bits) |
 *
 * An example. The second search has the epoch 2 x 256 = 512. A stamp of 512 + MARK_OPEN = 513 is of this search: 513 - 512 = 1,
 * which is at most 255, and also the flags. A stamp of 257 is of the first search: 257 - 512 wraps around to a huge number. */
#ifndef WEND_MARKS_H
#define WEND_MARKS_H

#include <string.h>

#include "core/base/bits.h"
#include "core/base/memory.h"

typedef struct wend_mark {
  double g;        /* the cost of the cheapest path found so far */
  uint32_t stamp;  /* the epoch of the search that wrote the mark + flags */
  uint32_t parent; /* the place before on that path; WEND_NONE: a start */
} wend_mark;

typedef struct wend_marks {
  wend_mark *at; /* by place */
  uint32_t capacity;
  uint32_t epoch; /* of the current search: its number x EPOCH_STEP */
} wend_marks;

#define MARK_OPEN 1u        /* the place is in the queue */
#define MARK_EXPANDED 2u    /* the place was expanded, perhaps at a higher cost */
#define MARK_GOAL 4u        /* the place is a goal */
#define MARK_WAY_SHIFT 3    /* EXPAND_CELLS: four bits with the direction to the parent, see neighbours.h */
#define MARK_PENALIZED 128u /* a penalized step leaves the place: see wend_perturbation */
#define MARK_FLAGS 255u     /* all flags */
#define EPOCH_STEP 256u     /* the difference between the epochs of two searches: leaves room for the flags */

/* Begins a search over `count` places with all marks unset. False: no memory. */
static inline bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t count) {
  const uint32_t old = marks->capacity;
  if (count > old) {
    if (!WEND_GROW(alloc, marks->at, marks->capacity, count)) return false;
    memset(marks->at + old, 0, (marks->capacity - old) * sizeof *marks->at);
  }
  if (marks->epoch > UINT32_MAX - 2 * EPOCH_STEP) { /* after 2^24 searches: stamps start again from 0 */
    memset(marks->at, 0, marks->capacity * sizeof *marks->at);
    marks->epoch = 0;
  }
  marks->epoch += EPOCH_STEP;
  return true;
}

/* Whether the mark of a place is set in this search. Stamps of earlier searches are below the epoch, so the difference wraps
 * around to more than MARK_FLAGS. */
static inline bool wend_marks_has(const wend_marks *marks, uint32_t place) {
  return marks->at[place].stamp - marks->epoch <= MARK_FLAGS;
}

/* Whether the search has expanded a place. */
static inline bool wend_marks_expanded(const wend_marks *marks, uint32_t place) {
  return wend_marks_has(marks, place) && (marks->at[place].stamp & MARK_EXPANDED) != 0;
}

#endif
