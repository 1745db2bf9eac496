/* SPDX-License-Identifier: MIT */
/* Labels of the cells of a grid, by runs (A. Rosenfeld and J. Pfaltz, "Sequential operations in digital picture processing", 1966;
 * L. He, Y. Chao and K. Suzuki, "A run-based two-scan labeling algorithm", 2008).
 *
 * A run is a row of open cells of one word of 64 that are joined one to the next. It gets the number of a run that it is joined to,
 * in the row before or in the word before, or a new one, and numbers that meet are united. Bit x of a row is the cell at place
 * y * stride + x.
 *
 *      row before   . # . . . # . .      runs  a, bbb, cc
 *      row          . . . # . . . .      runs  ddd, eeee
 *      north        1 0 1 0 1 0 1 1      the cells that are joined to the one above
 *      thinned      1 0 1 0 1 0 1 0      without those that join two runs again: d to a and b, e to b and c
 *
 * Joins to the north-west and north-east are used in the same way, where diagonal steps join cells. Most words take no look at runs:
 * the word before has one number, and each run is joined to it. */
#include "core/views/label_rows.h"

#include <string.h>

#include "core/map/kind_bits.h"

WEND_NO_FUSING

static const int joined_ways[3] = {NORTH, NORTH_WEST, NORTH_EAST};
static const int joined_aside[3] = {0, -1, 1}; /* the columns that they move */

/* One word more than the cells need ends the line with bits that are 0. */
static uint32_t label_line_words(const wend_grid *grid) { return (grid->stride + 63) / 64 + 1; }

bool wend_label_rows_begin(wend_label_rows *rows, const wend_alloc *alloc, const wend_grid *grid) {
  const uint64_t words = label_line_words(grid), all = words * ((uint64_t)grid->height + 3); /* a place is after the last row */
  rows->stride = grid->stride, rows->words = (uint32_t)words;
  rows->list_count = 0;
  if (!WEND_GROW(alloc, rows->open, rows->open_capacity, all) || !WEND_GROW(alloc, rows->labels, rows->labels_capacity, all) ||
      !WEND_GROW(alloc, rows->closed, rows->closed_capacity, (uint64_t)grid->kind_count + 1))
    return false;
  memset(rows->open, 0, all * sizeof *rows->open);
  memset(rows->labels, 0, all * sizeof *rows->labels);
  return true;
}

/* Gives a word a list. Its labels are not set. False: no memory. */
static bool add_label_list(wend_label_rows *rows, const wend_alloc *alloc, size_t word) {
  if (!WEND_GROW(alloc, rows->lists, rows->lists_capacity, ((uint64_t)rows->list_count + 1) * 64)) return false;
  rows->labels[word] = WEND_LABEL_LISTS + rows->list_count++;
  return true;
}

bool wend_label_rows_set(wend_label_rows *rows, const wend_alloc *alloc, uint32_t place, uint32_t label) {
  const uint32_t x = place % rows->stride;
  const size_t word = (size_t)(place / rows->stride) * rows->words + x / 64;
  const uint32_t one = rows->labels[word];
  const uint64_t bit = (uint64_t)1 << x % 64;
  rows->open[word] &= ~bit;
  if (label == WEND_NONE) return true;
  if (label >= WEND_LABEL_LISTS) return false;
  if (one < WEND_LABEL_LISTS && one != label && rows->open[word] != 0) {
    if (!add_label_list(rows, alloc, word)) return false;
    for (uint32_t i = 0; i < 64; i++) rows->lists[(size_t)(rows->labels[word] - WEND_LABEL_LISTS) * 64 + i] = one;
  }
  if (rows->labels[word] < WEND_LABEL_LISTS) rows->labels[word] = label;
  else rows->lists[(size_t)(rows->labels[word] - WEND_LABEL_LISTS) * 64 + x % 64] = label;
  rows->open[word] |= bit;
  return true;
}

/* Writes the open cells of a row, which begins at a place. */
static void read_open_cells(const wend_label_rule *rule, const wend_open_kinds *open, uint32_t first, uint64_t *words) {
  const wend_grid *grid = rule->grid;
  const wend_region region = wend_grid_region(grid);
  if (grid->kinds != NULL) {
    wend_open_row(open, grid, first, words, label_line_words(grid));
    return;
  }
  memset(words, 0, label_line_words(grid) * sizeof *words);
  for (uint32_t x = 1; x < grid->stride; x++)
    words[x / 64] |= (uint64_t)rule->is_open(rule->ud, grid, &region, first + x) << x % 64;
}

/* Whether there is a wall at a cell of a row, or of the row before. */
static bool has_walls(const wend_grid *grid, uint32_t first) {
  for (uint32_t i = 0; grid->wall_count > 0 && i < grid->stride * 2; i++)
    if (wend_grid_has_wall_at(grid, first - grid->stride + i)) return true;
  return false;
}

/* Which cells of a word are joined in a direction. there: the open cells of the row there. walls: some may be between them. */
static uint64_t joined_word(const wend_label_rows *rows, const wend_label_rule *rule, uint32_t first, uint32_t w, int direction,
                            int dx, bool walls, uint64_t here, const uint64_t *there) {
  uint64_t joined = here & wend_bits_aside(there, rows->words, w, dx);
  if (walls) {
    const wend_region region = wend_grid_region(rule->grid);
    for (uint64_t left = joined; left != 0; left &= left - 1)
      if (!rule->is_joined(&region, first + w * 64 + wend_lowest_bit(left), direction)) joined ^= left & (~left + 1);
  }
  return joined;
}

/* Unites a number with another one. WEND_NONE: there is none yet. Returns the number of both. */
static uint32_t unite_labels(wend_union_find *unions, uint32_t one, uint32_t other) {
  if (one == WEND_NONE) return wend_union_find_root(unions, other);
  if (one == other) return one;
  wend_union_find_unite(unions, one, other);
  return wend_union_find_root(unions, one);
}

/* A word whose labels are found: of the row and of the words before. */
typedef struct label_word {
  size_t at;       /* of the word */
  uint64_t onward; /* the cells that are joined to the one before */
  uint64_t joins[3];
} label_word;

/* The number of the run `cells` of a word, of those that `joins` unite it with. A new one if there are none. */
static uint32_t number_run(const wend_label_rows *rows, const wend_alloc *alloc, wend_union_find *unions,
                           const label_word *word, uint64_t cells, const uint64_t *joins) {
  uint32_t one = WEND_NONE;
  if ((cells & word->onward & 1) != 0) one = unite_labels(unions, one, wend_label_rows_at(rows, word->at - 1, 63));
  for (int d = 0; d < 3; d++)
    for (uint64_t left = joins[d] & cells; left != 0; left &= left - 1) {
      const size_t cell = (word->at - rows->words) * 64 + wend_lowest_bit(left) + (size_t)joined_aside[d];
      one = unite_labels(unions, one, wend_label_rows_at(rows, cell / 64, cell % 64));
    }
  return one != WEND_NONE ? one : wend_union_find_add(unions, alloc, 1);
}

/* The last cell of a word. */
#define LAST_CELL ((uint64_t)1 << 63)

/* Whether one number does for all cells of a word: each run is joined to a cell above it that has the number, or beside it. */
static bool is_one_label(const wend_label_rows *rows, wend_union_find *unions, const label_word *word, uint64_t here) {
  const size_t above = word->at - rows->words;
  const uint64_t first = word->onward & 1, starts = here & ~(here << 1);
  const uint64_t inside = word->joins[0] | (word->joins[1] & ~(uint64_t)1) | (word->joins[2] & ~LAST_CELL);
  uint64_t rest = here & ~inside;
  uint32_t one = WEND_NONE;
  if (inside != 0) one = rows->labels[above];
  else if (first != 0) one = wend_label_rows_at(rows, word->at - 1, 63);
  if (one >= WEND_LABEL_LISTS) return false;
  one = wend_union_find_root(unions, one);
  if (first != 0 && wend_union_find_root(unions, wend_label_rows_at(rows, word->at - 1, 63)) == one) rest &= ~first;
  if ((word->joins[1] & 1) != 0 && wend_union_find_root(unions, wend_label_rows_at(rows, above - 1, 63)) == one)
    rest &= ~(uint64_t)1;
  if ((word->joins[2] & LAST_CELL) != 0 && wend_union_find_root(unions, wend_label_rows_at(rows, above + 1, 0)) == one)
    rest &= ~LAST_CELL;
  return ((rest + starts) & ~here) == 0 && rest + starts >= rest; /* a sum carries over the end of a run that is all rest */
}

/* Labels a word run by run. before: the open cells above that are joined to the one before. False: no memory. */
static bool label_runs(wend_label_rows *rows, const wend_alloc *alloc, wend_union_find *unions, const label_word *word,
                       uint64_t here, uint64_t before) {
  const uint64_t north = word->joins[0], onward = word->onward;
  const uint64_t joins[3] = {north & ~(north << 1 & onward & before),
                             word->joins[1] & ~(north & before) & ~(north << 1 & onward),
                             word->joins[2] & ~(north & before >> 1) & ~(north >> 1 & onward >> 1)};
  uint32_t labels[64] = {0};
  bool several = false;
  rows->labels[word->at] = WEND_NONE;
  while (here != 0) {
    const uint64_t ends =
        ~onward & ~(here ^ (here - 1)); /* the cells after the first one that are not joined to the one before */
    const uint64_t cells = here & ((ends & (~ends + 1)) - 1);
    const uint32_t label = number_run(rows, alloc, unions, word, cells, joins);
    if (label >= WEND_LABEL_LISTS) return false;
    several = several || (rows->labels[word->at] != WEND_NONE && rows->labels[word->at] != label);
    rows->labels[word->at] = label;
    for (uint64_t left = cells; left != 0; left &= left - 1) labels[wend_lowest_bit(left)] = label;
    here ^= cells;
  }
  if (!several) return true;
  if (!add_label_list(rows, alloc, word->at)) return false;
  memcpy(rows->lists + (size_t)(rows->list_count - 1) * 64, labels, sizeof labels);
  return true;
}

/* Labels a word of a row, which begins at the place `first`. False: no memory. */
static bool add_label_word(wend_label_rows *rows, const wend_alloc *alloc, const wend_label_rule *rule, wend_union_find *unions,
                           uint32_t first, const uint64_t *open, uint32_t w, bool walls) {
  const uint64_t *const above = open - rows->words;
  const uint64_t here = open[w];
  label_word word = {(size_t)(open - rows->open) + w, 0, {0}};
  rows->labels[word.at] = 0;
  if (here == 0) return true;
  word.onward = joined_word(rows, rule, first, w, WEST, -1, walls, here, open);
  for (int d = 0; d < 3; d++)
    if ((rule->ways >> joined_ways[d] & 1) != 0)
      word.joins[d] = joined_word(rows, rule, first, w, joined_ways[d], joined_aside[d], walls, here, above);
  if (!walls && is_one_label(rows, unions, &word, here)) {
    const uint64_t sides[3] = {0, 1, LAST_CELL}; /* where a join leads to another word */
    uint64_t joins[3];
    for (int d = 0; d < 3; d++) {
      const uint64_t inside = word.joins[d] & ~sides[d];
      joins[d] = (inside & (~inside + 1)) | (word.joins[d] & sides[d]);
    }
    rows->labels[word.at] = number_run(rows, alloc, unions, &word, here, joins);
    return rows->labels[word.at] < WEND_LABEL_LISTS;
  }
  return label_runs(rows, alloc, unions, &word, here, walls ? 0 : above[w] & wend_bits_aside(above, rows->words, w, -1));
}

bool wend_label_rows_add(wend_label_rows *rows, const wend_alloc *alloc, const wend_label_rule *rule, uint32_t row,
                         uint32_t end, wend_union_find *unions) {
  const wend_open_kinds kinds = wend_open_kinds_of(rule->grid, rows->closed);
  for (; row < end; row++) {
    const uint32_t first = row * rows->stride;
    const bool walls = has_walls(rule->grid, first);
    uint64_t *const open = rows->open + (size_t)row * rows->words;
    read_open_cells(rule, &kinds, first, open);
    for (uint32_t w = 0; w + 1 < rows->words; w++)
      if (!add_label_word(rows, alloc, rule, unions, first, open, w, walls)) return false;
  }
  return true;
}

enum { LASTING = 1, PASSING = 2 }; /* which arrays */
static const wend_array label_rows_rows[] = {
    WEND_ARRAY(wend_label_rows, open, open_capacity, LASTING), WEND_ARRAY(wend_label_rows, labels, labels_capacity, LASTING),
    WEND_ARRAY(wend_label_rows, lists, lists_capacity, LASTING), WEND_ARRAY(wend_label_rows, closed, closed_capacity, PASSING)};
static const wend_arrays label_rows_arrays = WEND_ARRAYS(label_rows_rows);

void wend_label_rows_end(wend_label_rows *rows, const wend_alloc *alloc) {
  wend_arrays_free(label_rows_arrays, PASSING, alloc, rows);
}
void wend_label_rows_free(wend_label_rows *rows, const wend_alloc *alloc) {
  wend_arrays_free(label_rows_arrays, LASTING | PASSING, alloc, rows);
}
size_t wend_label_rows_bytes(const wend_label_rows *rows) {
  return wend_arrays_bytes(label_rows_arrays, LASTING | PASSING, rows);
}
