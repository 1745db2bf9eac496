/* SPDX-License-Identifier: MIT */
/* Marks: what a search knows of each place. They are not cleared: a mark whose stamp is of an earlier search counts as unset.
 * So a short search costs the same on a large map as on a small one.
 *
 *   stamp   | number of the search (24 bits) | flags (8 bits) |
 *
 * An example. The second search has the epoch 2 x 256 = 512. A stamp of 512 + MARK_OPEN = 513 is of this search: 513 - 512 = 1,
 * which is at most 255, and also the flags. A stamp of 257 is of the first search: 257 - 512 wraps around to a huge number.
 *
 * Marks lie by place, in one of two layouts.
 *
 *   one block   arrays with room for all places of a small map
 *   pages       of MARKS_PAGE places each, which are allocated when a search first sets a mark in them; and sheets with the
 *               addresses of MARKS_SHEET pages. So no allocation takes long, and a search on a large map has memory for what it
 *               reaches. Pages and sheets that are not there yet are all the same, which is never written and has no mark set.
 *
 *      place 40,007     sheet 40,007 / 8,192 = 4, page 40,007 / 64 % 128 = 113 of it, mark 40,007 % 64 = 7 of that */
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

#define MARKS_PAGE 64u   /* places of a page */
#define MARKS_SHEET 128u /* pages of a sheet */

typedef struct wend_sheet {
  wend_mark *pages[MARKS_SHEET];
} wend_sheet;

typedef struct wend_marks {
  /* One block, by place. */
  wend_mark *at;
  wend_arrival *arrivals; /* of graphs */
  uint32_t *directions;   /* of jump points where costs differ */
  uint32_t capacity, arrivals_capacity, directions_capacity;
  /* Pages. A page has the marks of its places, then their arrivals or directions, as page_columns tells. */
  wend_sheet **sheets;
  uint32_t sheets_capacity, sheet_count, page_count; /* the counts: that are allocated */
  unsigned page_columns;
  bool paged;     /* the layout of the current search */
  uint32_t epoch; /* of the current search: its number x EPOCH_STEP */
} wend_marks;

#define MARK_OPEN 1u     /* the place is in the queue */
#define MARK_EXPANDED 2u /* the place was expanded, perhaps at a higher cost */
#define MARK_GOAL 4u     /* the place is a goal */
#define MARK_WAY_SHIFT 3 /* EXPAND_CELLS: four bits with the direction to the parent, see neighbours.h */
#define MARK_ASKED 128u  /* steps from the place are known to cost more than promised: see promises.c */
#define MARK_LINKED 8u   /* EXPAND_JUMPS: a portal leads from the parent to the place */
#define MARK_FLAGS 255u  /* all flags */
#define EPOCH_STEP 256u  /* the difference between the epochs of two searches: leaves room for the flags */

/* The columns that a search uses. */
#define MARKS_ARRIVALS 1u
#define MARKS_DIRECTIONS 2u

/* Begins a search over `place_count` places with all marks unset. columns: MARKS_ARRIVALS, ... or 0. compact: pages also where
 * one block would be small. False: no memory. */
bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t place_count, unsigned columns, bool compact);
/* Unsets all marks. */
void wend_marks_clear(wend_marks *marks);
/* The mark of a place, which the caller sets. It allocates the page. NULL: no memory. */
wend_mark *wend_marks_add(wend_marks *marks, const wend_alloc *alloc, uint32_t place);
/* Frees the pages of one sheet. False: there are no pages. */
bool wend_marks_trim(wend_marks *marks, const wend_alloc *alloc);
/* Frees all marks, and their size in bytes. */
void wend_marks_free(wend_marks *marks, const wend_alloc *alloc);
size_t wend_marks_bytes(const wend_marks *marks);

/* The page and the sheet of places without marks. */
extern const wend_mark wend_no_page[MARKS_PAGE];
extern const wend_sheet wend_no_sheet;

/* The page of a place. */
WEND_INLINE wend_mark *wend_marks_page(wend_sheet *const *sheets, uint32_t place) {
  return sheets[place / (MARKS_PAGE * MARKS_SHEET)]->pages[place / MARKS_PAGE % MARKS_SHEET];
}

/* The mark of a place in pages. Only wend_marks_add makes one that may be written. */
WEND_INLINE wend_mark *wend_paged_mark(wend_sheet *const *sheets, uint32_t place) {
  return wend_marks_page(sheets, place) + place % MARKS_PAGE;
}

/* The arrival at a place whose mark was set. */
WEND_INLINE wend_arrival *wend_paged_arrival(wend_sheet *const *sheets, uint32_t place) {
  return (wend_arrival *)(void *)(wend_marks_page(sheets, place) + MARKS_PAGE) + place % MARKS_PAGE;
}

/* The same in any layout. */
static inline wend_mark *wend_marks_of(const wend_marks *marks, uint32_t place) {
  return marks->paged ? wend_paged_mark(marks->sheets, place) : &marks->at[place];
}

static inline wend_arrival *wend_marks_arrival(const wend_marks *marks, uint32_t place) {
  return marks->paged ? wend_paged_arrival(marks->sheets, place) : &marks->arrivals[place];
}

/* Jump points where costs differ: what the mark of a place, which was set, remembers (expand_jumps.inl). The directions of the
 * steps that lead to it at its cost, until it is expanded; from EXPANDED_SHIFT on the directions expanded. */
#define EXPANDED_SHIFT 8
#define ALL_DIRECTIONS 0x10000u /* it needs all directions */
uint32_t *wend_marks_paged_directions(const wend_marks *marks, uint32_t place);
static inline uint32_t *wend_marks_directions(const wend_marks *marks, uint32_t place) {
  return marks->paged ? wend_marks_paged_directions(marks, place) : &marks->directions[place];
}

/* Whether a mark is set in this search. Stamps of earlier searches are below the epoch, so the difference wraps around to more
 * than MARK_FLAGS. */
static inline bool wend_mark_is_set(const wend_marks *marks, const wend_mark *mark) {
  return mark->stamp - marks->epoch <= MARK_FLAGS;
}

static inline bool wend_marks_has(const wend_marks *marks, uint32_t place) {
  return wend_mark_is_set(marks, wend_marks_of(marks, place));
}

#endif
