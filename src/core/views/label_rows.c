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

/* The lines of bits. Of the open cells, and of the first cells of runs, there are two: for odd and for even rows. */
enum { LINE_OPEN, LINE_STARTS = LINE_OPEN + 2, LINE_ONWARD = LINE_STARTS + 2, LINE_JOINS, LABEL_LINES = LINE_JOINS + 3 };
static const int joined_ways[3] = {NORTH, NORTH_WEST, NORTH_EAST}; /* the directions of LINE_JOINS */

/* One word more than the cells need ends the line with bits that are 0. */
static uint32_t label_line_words(const wend_grid *grid) { return (grid->stride + 63) / 64 + 1; }

static uint64_t *label_line(const wend_label_rows *rows, const wend_grid *grid, unsigned line) {
  return rows->lines + (size_t)line * label_line_words(grid);
}

bool wend_label_rows_begin(wend_label_rows *rows, const wend_alloc *alloc, const wend_grid *grid) {
  const uint64_t words = (uint64_t)label_line_words(grid) * LABEL_LINES;
  if (!WEND_GROW(alloc, rows->lines, rows->lines_capacity, words) ||
      !WEND_GROW(alloc, rows->closed, rows->closed_capacity, (uint64_t)grid->kind_count + 1))
    return false;
  memset(rows->lines, 0, words * sizeof *rows->lines);
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

/* Unites a run with those before it that it joins in one direction. joined: of its cells. one: its number; WEND_NONE: it has none.
 * Returns its number. */
static uint32_t join_run(wend_union_find *unions, const uint64_t *joined, uint32_t from, uint32_t end, const uint32_t *there,
                         uint32_t one) {
  for (uint32_t w = from / 64; w <= (end - 1) / 64; w++) {
    uint64_t word = joined[w];
    if (w == from / 64) word &= UINT64_MAX << from % 64;
    if (w == end / 64) word &= ~(UINT64_MAX << end % 64);
    for (; word != 0; word &= word - 1) {
      const uint32_t other = there[w * 64 + wend_lowest_bit(word)];
      if (one == WEND_NONE) one = wend_union_find_root(unions, other);
      else if (one != other) wend_union_find_unite(unions, one, other);
    }
  }
  return one;
}

bool wend_label_rows_add(wend_label_rows *rows, const wend_alloc *alloc, const wend_label_rule *rule, uint32_t row,
                         uint32_t end, wend_union_find *unions, uint32_t *labels) {
  const wend_grid *grid = rule->grid;
  const wend_open_kinds kinds = wend_open_kinds_of(grid, rows->closed);
  uint64_t *const onward = label_line(rows, grid, LINE_ONWARD);
  uint64_t *const joins[3] = {label_line(rows, grid, LINE_JOINS), label_line(rows, grid, LINE_JOINS + 1),
                              label_line(rows, grid, LINE_JOINS + 2)};
  for (; row < end; row++) {
    const uint32_t first = row * grid->stride;
    const bool walls = has_walls(grid, first);
    uint64_t *const open = label_line(rows, grid, LINE_OPEN + row % 2), *const starts =
                                                                            label_line(rows, grid, LINE_STARTS + row % 2);
    const uint64_t *open_before = label_line(rows, grid, LINE_OPEN + (row + 1) % 2);
    read_open_cells(rule, &kinds, first, open);
    find_joins(rule, first, WEST, walls, open, open, onward);
    for (int d = 0; d < 3; d++) find_joins(rule, first, joined_ways[d], walls, open, open_before, joins[d]);
    for (uint32_t w = 0; w + 1 < label_line_words(grid); w++) starts[w] = open[w] & ~onward[w];
    thin_joins(grid, starts, label_line(rows, grid, LINE_STARTS + (row + 1) % 2), joins);
    memset(labels + first + 1, 0xff, grid->stride * sizeof *labels); /* WEND_NONE; with the margin after the row */
    for (uint32_t w = 0; w + 1 < label_line_words(grid); w++)
      for (uint64_t word = starts[w]; word != 0; word &= word - 1) {
        const uint32_t from = w * 64 + wend_lowest_bit(word), to = end_of_bits(onward, from + 1);
        uint32_t label = WEND_NONE;
        for (int d = 0; d < 3; d++)
          if ((rule->ways >> joined_ways[d] & 1) != 0)
            label = join_run(unions, joins[d], from, to, labels + first + wend_offset(grid->stride, joined_ways[d]), label);
        if (label == WEND_NONE) label = wend_union_find_add(unions, alloc, 1);
        if (label == WEND_NONE) return false;
        for (uint32_t i = from; i < to; i++) labels[first + i] = label;
      }
  }
  return true;
}

static const wend_array label_rows_rows[] = {WEND_ARRAY(wend_label_rows, lines, lines_capacity, 1),
                                             WEND_ARRAY(wend_label_rows, closed, closed_capacity, 1)};
static const wend_arrays label_rows_arrays = WEND_ARRAYS(label_rows_rows);

void wend_label_rows_free(wend_label_rows *rows, const wend_alloc *alloc) {
  wend_arrays_free(label_rows_arrays, 1, alloc, rows);
}
size_t wend_label_rows_bytes(const wend_label_rows *rows) { return wend_arrays_bytes(label_rows_arrays, 1, rows); }
