/* SPDX-License-Identifier: MIT */
/* The memory of marks: marks.h describes the two layouts. An object keeps both, for searches on other maps. */
#include "core/search/marks.h"

#include <string.h>

/* The marks of a search lie in one block of up to this size; those of a compact search, in one of up to the second size. */
#define BLOCK_BYTES ((uint64_t)8 << 20)
#define COMPACT_BLOCK_BYTES 40000u

const wend_mark wend_no_page[MARKS_PAGE] = {{0, 0, 0}};

#define NO_PAGE (wend_mark *)wend_no_page
#define NO_PAGES_4 NO_PAGE, NO_PAGE, NO_PAGE, NO_PAGE
#define NO_PAGES_16 NO_PAGES_4, NO_PAGES_4, NO_PAGES_4, NO_PAGES_4
#define NO_PAGES_64 NO_PAGES_16, NO_PAGES_16, NO_PAGES_16, NO_PAGES_16
const wend_sheet wend_no_sheet = {{NO_PAGES_64, NO_PAGES_64}};
#define NO_SHEET (wend_sheet *)&wend_no_sheet

#define PLACES_OF_SHEET (MARKS_PAGE * MARKS_SHEET)

static size_t bytes_of_place(unsigned columns) {
  return sizeof(wend_mark) + ((columns & MARKS_ARRIVALS) != 0 ? sizeof(wend_arrival) : 0) +
         ((columns & MARKS_DIRECTIONS) != 0 ? sizeof(uint32_t) : 0);
}

static size_t page_bytes(const wend_marks *marks) { return MARKS_PAGE * bytes_of_place(marks->page_columns); }

bool wend_marks_trim(wend_marks *marks, const wend_alloc *alloc) {
  wend_sheet **sheet = marks->sheets;
  if (marks->sheet_count == 0) return false;
  while (*sheet == NO_SHEET) sheet++;
  for (uint32_t k = 0; k < MARKS_SHEET; k++) {
    if ((*sheet)->pages[k] == wend_no_page) continue;
    alloc->resize(alloc->ud, (*sheet)->pages[k], page_bytes(marks), 0);
    marks->page_count--;
  }
  alloc->resize(alloc->ud, *sheet, sizeof **sheet, 0);
  *sheet = NO_SHEET;
  marks->sheet_count--;
  return true;
}

/* Frees the pages, and keeps the list of sheets. */
static void free_pages(wend_marks *marks, const wend_alloc *alloc) {
  while (wend_marks_trim(marks, alloc)) {}
}

void wend_marks_free(wend_marks *marks, const wend_alloc *alloc) {
  free_pages(marks, alloc);
  WEND_FREE(alloc, marks->sheets, marks->sheets_capacity);
  WEND_FREE(alloc, marks->at, marks->capacity);
  WEND_FREE(alloc, marks->arrivals, marks->arrivals_capacity);
  WEND_FREE(alloc, marks->directions, marks->directions_capacity);
  memset(marks, 0, sizeof *marks);
}

size_t wend_marks_bytes(const wend_marks *marks) {
  return marks->capacity * sizeof *marks->at + marks->arrivals_capacity * sizeof *marks->arrivals +
         marks->directions_capacity * sizeof *marks->directions + marks->sheets_capacity * sizeof *marks->sheets +
         marks->sheet_count * sizeof **marks->sheets + marks->page_count * page_bytes(marks);
}

/* Makes room for so many places in one block, all unset. False: no memory. */
static bool begin_block(wend_marks *marks, const wend_alloc *alloc, uint32_t wanted, unsigned columns) {
  const uint32_t old = marks->capacity;
  if (old == 0 ? !WEND_RESIZE(alloc, marks->at, marks->capacity, wanted)
               : !WEND_GROW(alloc, marks->at, marks->capacity, wanted))
    return false;
  if (marks->capacity > old) memset(marks->at + old, 0, (marks->capacity - old) * sizeof *marks->at);
  if ((columns & MARKS_ARRIVALS) != 0 && !WEND_GROW(alloc, marks->arrivals, marks->arrivals_capacity, wanted)) return false;
  return (columns & MARKS_DIRECTIONS) == 0 || WEND_GROW(alloc, marks->directions, marks->directions_capacity, wanted);
}

/* The same for pages: makes the list of sheets. */
static bool begin_pages(wend_marks *marks, const wend_alloc *alloc, uint32_t wanted, unsigned columns) {
  const uint32_t count = wanted / PLACES_OF_SHEET + 1, old = marks->sheets_capacity;
  if ((columns & ~marks->page_columns) != 0) { /* the pages lack a column */
    free_pages(marks, alloc);
    marks->page_columns = columns;
  }
  if (count > old && !WEND_RESIZE(alloc, marks->sheets, marks->sheets_capacity, count)) return false;
  for (uint32_t i = old; i < marks->sheets_capacity; i++) marks->sheets[i] = NO_SHEET;
  return true;
}

bool wend_marks_begin(wend_marks *marks, const wend_alloc *alloc, uint32_t place_count, unsigned columns, bool compact) {
  const uint64_t bytes = place_count * (uint64_t)bytes_of_place(columns & MARKS_ARRIVALS);
  marks->paged = bytes > (compact ? COMPACT_BLOCK_BYTES : BLOCK_BYTES);
  if (!(marks->paged ? begin_pages(marks, alloc, place_count, columns) : begin_block(marks, alloc, place_count, columns))) {
    wend_marks_free(marks, alloc);
    return false;
  }
  wend_marks_clear(marks);
  return true;
}

void wend_marks_clear(wend_marks *marks) {
  if (marks->epoch > UINT32_MAX - 2 * EPOCH_STEP) { /* after 2^24 searches: stamps start again from 0 */
    memset(marks->at, 0, marks->capacity * sizeof *marks->at);
    for (uint32_t i = 0; i < marks->sheets_capacity; i++)
      for (uint32_t k = 0; k < MARKS_SHEET; k++)
        if (marks->sheets[i]->pages[k] != wend_no_page) memset(marks->sheets[i]->pages[k], 0, MARKS_PAGE * sizeof(wend_mark));
    marks->epoch = 0;
  }
  marks->epoch += EPOCH_STEP;
}

wend_mark *wend_marks_add(wend_marks *marks, const wend_alloc *alloc, uint32_t place) {
  wend_sheet **sheet;
  wend_mark *page;
  if (!marks->paged || wend_marks_page(marks->sheets, place) != wend_no_page) return wend_marks_of(marks, place);
  sheet = &marks->sheets[place / PLACES_OF_SHEET];
  if (*sheet == &wend_no_sheet) {
    wend_sheet *fresh = alloc->resize(alloc->ud, NULL, 0, sizeof *fresh);
    if (fresh == NULL) return NULL;
    *fresh = wend_no_sheet;
    *sheet = fresh;
    marks->sheet_count++;
  }
  page = alloc->resize(alloc->ud, NULL, 0, page_bytes(marks));
  if (page == NULL) return NULL;
  memset(page, 0, MARKS_PAGE * sizeof *page);
  (*sheet)->pages[place / MARKS_PAGE % MARKS_SHEET] = page;
  marks->page_count++;
  return page + place % MARKS_PAGE;
}

uint32_t *wend_marks_paged_directions(const wend_marks *marks, uint32_t place) {
  const size_t before = bytes_of_place(marks->page_columns & MARKS_ARRIVALS) * MARKS_PAGE;
  return (uint32_t *)(void *)((char *)wend_marks_page(marks->sheets, place) + before) + place % MARKS_PAGE;
}
