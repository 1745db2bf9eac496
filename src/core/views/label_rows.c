/* SPDX-License-Identifier: MIT */
/* Labels of the cells of a grid, by runs (A. Rosenfeld and J. Pfaltz, "Sequential operations in digital picture processing", 1966;
 * L. He, Y. Chao and K. Suzuki, "A run-based two-scan labeling algorithm", 2008).
 *
 * A run is a row of open cells that are joined one to the next. It gets the number of a run that it is joined to in the row before,
 * or a new one, and numbers that meet are united. Rows are lines of bits: bit x is the cell at place y * stride + x.
 *
 *      row before   . # . . . # . .      runs  a, bbb, cc
 *      row          . . . # . . . .      runs  ddd, eeee
 *      north        1 0 1 0 1 0 1 1      the cells that are joined to the one above
 *      once         1 0 1 0 1 0 1 0      without those that join two runs again: d to a and b, e to b and c
 *
 * Joins to the north-west and north-east are found in the same way, where diagonal steps join cells. */
#include "core/views/label_rows.h"

#include <string.h>

#include "core/map/kind_bits.h"

WEND_NO_FUSING

/* The lines of bits. Of the first cells of runs, there are two: for odd and for even rows. */
enum { LINE_STARTS, LINE_ONWARD = LINE_STARTS + 2, LINE_JOINS, LABEL_LINES = LINE_JOINS + 3 };
static const int joined_ways[3] = {NORTH, NORTH_WEST, NORTH_EAST}; /* the directions of LINE_JOINS */

/* A run is filled so many labels at a time. */
enum { LABELS_AT_ONCE = 16 };

/* One word more than the cells need ends the line with bits that are 0. */
static uint32_t label_line_words(const wend_grid *grid) { return (grid->stride + 63) / 64 + 1; }

static uint64_t *label_line(const wend_label_rows *rows, unsigned line) { return rows->lines + (size_t)line * rows->words; }

/* The labels of a row by cell: of odd and of even ones. */
static uint32_t *cell_labels(const wend_label_rows *rows, uint32_t row) {
  return rows->before + (size_t)(row % 2) * (rows->words * 64 + LABELS_AT_ONCE);
}

bool wend_label_rows_begin(wend_label_rows *rows, const wend_alloc *alloc, const wend_grid *grid) {
  const uint64_t words = label_line_words(grid), all = words * ((uint64_t)grid->height + 3); /* a place is after the last row */
  rows->stride = grid->stride, rows->words = (uint32_t)words;
  rows->list_count = 0;
  if (!WEND_GROW(alloc, rows->lines, rows->lines_capacity, words * LABEL_LINES) ||
      !WEND_GROW(alloc, rows->before, rows->before_capacity, 2 * (words * 64 + LABELS_AT_ONCE)) ||
      !WEND_GROW(alloc, rows->open, rows->open_capacity, all) || !WEND_GROW(alloc, rows->labels, rows->labels_capacity, all) ||
      !WEND_GROW(alloc, rows->closed, rows->closed_capacity, (uint64_t)grid->kind_count + 1))
    return false;
  memset(rows->lines, 0, words * LABEL_LINES * sizeof *rows->lines);
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
    wend_open_row(open, grid, first, words);
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

/* Writes which cells of a row are joined in a direction. there: the open cells in that direction, or of the row itself. */
static void find_joins(const wend_label_rule *rule, uint32_t first, int direction, bool walls, const uint64_t *here,
                       const uint64_t *there, uint64_t *joined) {
  const wend_region region = wend_grid_region(rule->grid);
  const uint32_t words = label_line_words(rule->grid);
  const int dx = direction == NORTH ? 0 : direction == NORTH_EAST ? 1 : -1;
  if ((rule->ways >> direction & 1) == 0) return;
  for (uint32_t w = 0; w + 1 < words; w++) {
    uint64_t word = here[w] & wend_bits_aside(there, words, w, dx);
    joined[w] = word;
    for (; walls && word != 0; word &= word - 1)
      if (!rule->is_joined(&region, first + w * 64 + wend_lowest_bit(word), direction)) joined[w] ^= word & (~word + 1);
  }
}

/* Removes joins that other joins of the same two runs make needless. */
static void thin_joins(const wend_grid *grid, const uint64_t *starts, const uint64_t *starts_before, uint64_t *const *joins) {
  const uint32_t words = label_line_words(grid);
  uint64_t north = 0; /* of the word before, which is thinned by now */
  for (uint32_t w = 0; w + 1 < words; w++) {
    const uint64_t here = joins[0][w];
    const uint64_t west = here << 1 | north >> 63, east = here >> 1 | joins[0][w + 1] << 63; /* the cell beside has a join */
    const uint64_t alone = starts[w], alone_before = starts_before[w];
    joins[1][w] &= ~(here & ~alone_before) & ~(west & ~alone);
    joins[2][w] &= ~(here & ~wend_bits_aside(starts_before, words, w, 1)) & ~(east & ~wend_bits_aside(starts, words, w, 1));
    joins[0][w] &= ~(west & ~alone & ~alone_before);
    north = here;
  }
}

/* The first bit from `at` on that is 0. */
static uint32_t end_of_bits(const uint64_t *line, uint32_t at) {
  uint32_t w = at / 64;
  uint64_t word = ~line[w] & UINT64_MAX << at % 64;
  while (word == 0) word = ~line[++w];
  return w * 64 + wend_lowest_bit(word);
}

/* Unites a run with those before it that it joins in one direction. joined: of its cells. there: the labels of the cells in that
 * direction. one: its number; WEND_NONE: it has none. Returns its number. */
static uint32_t join_run(wend_union_find *unions, const uint64_t *joined, uint32_t from, uint32_t end, const uint32_t *there,
                         uint32_t one) {
  for (uint32_t w = from / 64; w <= (end - 1) / 64; w++) {
    uint64_t word = joined[w];
    if (w == from / 64) word &= UINT64_MAX << from % 64;
    if (w == end / 64) word &= ~(UINT64_MAX << end % 64);
    for (; word != 0; word &= word - 1) {
      const uint32_t other = there[w * 64 + wend_lowest_bit(word)];
      if (one == WEND_NONE) one = wend_union_find_root(unions, other);
      else if (one != other) wend_union_find_unite(unions, one, other), one = wend_union_find_root(unions, one);
    }
  }
  return one;
}

/* Gives the cells of a run a label. words: of the labels of the row; WEND_NONE: none yet, WEND_LABEL_LISTS: several. */
static void label_run(uint32_t *cells, uint32_t *words, uint32_t from, uint32_t end, uint32_t label) {
  for (uint32_t *at = cells + from; at < cells + end; at += LABELS_AT_ONCE) /* what is after the run, later ones get */
    for (int i = 0; i < LABELS_AT_ONCE; i++) at[i] = label;
  for (uint32_t w = from / 64; w <= (end - 1) / 64; w++)
    if (words[w] != label) words[w] = words[w] == WEND_NONE ? label : WEND_LABEL_LISTS;
}

/* Gives words with several labels their lists. False: no memory. */
static bool list_labels(wend_label_rows *rows, const wend_alloc *alloc, uint32_t row) {
  const size_t first = (size_t)row * rows->words;
  for (uint32_t w = 0; w < rows->words; w++) {
    if (rows->labels[first + w] < WEND_LABEL_LISTS) continue;
    if (rows->labels[first + w] == WEND_NONE) {
      rows->labels[first + w] = 0;
      continue;
    }
    if (!add_label_list(rows, alloc, first + w)) return false;
    memcpy(rows->lists + (size_t)(rows->list_count - 1) * 64, cell_labels(rows, row) + w * 64, 64 * sizeof *rows->lists);
  }
  return true;
}

bool wend_label_rows_add(wend_label_rows *rows, const wend_alloc *alloc, const wend_label_rule *rule, uint32_t row,
                         uint32_t end, wend_union_find *unions) {
  const wend_open_kinds kinds = wend_open_kinds_of(rule->grid, rows->closed);
  uint64_t *const onward = label_line(rows, LINE_ONWARD);
  uint64_t *const joins[3] = {label_line(rows, LINE_JOINS), label_line(rows, LINE_JOINS + 1), label_line(rows, LINE_JOINS + 2)};
  for (; row < end; row++) {
    const uint32_t first = row * rows->stride;
    const bool walls = has_walls(rule->grid, first);
    uint64_t *const open = rows->open + (size_t)row * rows->words, *const starts = label_line(rows, LINE_STARTS + row % 2);
    uint32_t *const words = rows->labels + (size_t)row * rows->words;
    read_open_cells(rule, &kinds, first, open);
    find_joins(rule, first, WEST, walls, open, open, onward);
    for (int d = 0; d < 3; d++) find_joins(rule, first, joined_ways[d], walls, open, open - rows->words, joins[d]);
    for (uint32_t w = 0; w + 1 < rows->words; w++) starts[w] = open[w] & ~onward[w];
    thin_joins(rule->grid, starts, label_line(rows, LINE_STARTS + (row + 1) % 2), joins);
    memset(words, 0xff, rows->words * sizeof *words); /* WEND_NONE */
    for (uint32_t w = 0; w + 1 < rows->words; w++)
      for (uint64_t word = starts[w]; word != 0; word &= word - 1) {
        const uint32_t from = w * 64 + wend_lowest_bit(word), to = end_of_bits(onward, from + 1);
        uint32_t label = WEND_NONE;
        for (int d = 0; d < 3; d++)
          if ((rule->ways >> joined_ways[d] & 1) != 0)
            label = join_run(unions, joins[d], from, to,
                             cell_labels(rows, row + 1) + rows->stride + wend_offset(rows->stride, joined_ways[d]), label);
        if (label == WEND_NONE) label = wend_union_find_add(unions, alloc, 1);
        if (label >= WEND_LABEL_LISTS) return false;
        label_run(cell_labels(rows, row), words, from, to, label);
      }
    if (!list_labels(rows, alloc, row)) return false;
  }
  return true;
}

enum { LASTING = 1, PASSING = 2 }; /* which arrays */
static const wend_array label_rows_rows[] = {WEND_ARRAY(wend_label_rows, open, open_capacity, LASTING),
                                             WEND_ARRAY(wend_label_rows, labels, labels_capacity, LASTING),
                                             WEND_ARRAY(wend_label_rows, lists, lists_capacity, LASTING),
                                             WEND_ARRAY(wend_label_rows, lines, lines_capacity, PASSING),
                                             WEND_ARRAY(wend_label_rows, before, before_capacity, PASSING),
                                             WEND_ARRAY(wend_label_rows, closed, closed_capacity, PASSING)};
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
