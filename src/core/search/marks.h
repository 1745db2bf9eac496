/* SPDX-License-Identifier: MIT */
/* Marks: what a search knows of each place. They are never cleared: a mark whose stamp is not of the present search counts as
 * none. So a short search on a large map costs no more than on a small one. */
#ifndef WEND_MARKS_H
#define WEND_MARKS_H

#include <string.h>

#include "core/base/bits.h"
#include "core/base/memory.h"

typedef struct wend_mark {
  double g;        /* the cost from the start, as far as is known */
  uint32_t stamp;  /* the search's epoch, and flags */
  uint32_t parent; /* the place before, WEND_NONE at the start */
} wend_mark;

typedef struct wend_marks {
  wend_mark *at; /* by place */
  uint32_t capacity;
  uint32_t epoch;
} wend_marks;

#define MARK_OPEN 1u     /* it waits in the queue */
#define MARK_EXPANDED 2u /* it was expanded, perhaps at a higher cost */
#define MARK_GOAL 4u
#define MARK_WAY_SHIFT 3    /* of cells: the direction to the parent, see neighbours.h */
#define MARK_PENALIZED 128u /* a penalized step leads away from it: see wend_perturbation */
#define MARK_FLAGS 255u
#define EPOCH_STEP 256u

/* Begins a search over so many places: all marks are forgotten. False: no memory. */
static inline bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t count) {
  const uint32_t old = marks->capacity;
  if (count > old) {
    if (!WEND_GROW(alloc, marks->at, marks->capacity, count)) return false;
    memset(marks->at + old, 0, (marks->capacity - old) * sizeof *marks->at);
  }
  if (marks->epoch > UINT32_MAX - 2 * EPOCH_STEP) { /* after 2^24 searches the stamps are used up */
    memset(marks->at, 0, marks->capacity * sizeof *marks->at);
    marks->epoch = 0;
  }
  marks->epoch += EPOCH_STEP;
  return true;
}

static inline bool wend_marks_has(const wend_marks *marks, uint32_t place) {
  return marks->at[place].stamp - marks->epoch <= MARK_FLAGS;
}

#endif
