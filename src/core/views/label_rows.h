/* SPDX-License-Identifier: MIT */
/* Labels of the cells of a grid: label_rows.c has the method, reach.h what labels are.
 *
 * The cells of a row are in words of 64. A word has one label for all its cells with labels, or a list of 64. Most have one. */
#ifndef WEND_LABEL_ROWS_H
#define WEND_LABEL_ROWS_H

#include "core/map/grid.h"
#include "core/views/union_find.h"

/* What decides which cells get one label. */
typedef struct wend_label_rule {
  const wend_grid *grid;
  unsigned ways; /* the directions in which cells are joined, as bits */
  /* Whether a cell is open, of a grid without a palette; and whether walls allow the steps between two neighbours. */
  bool (*is_open)(const void *ud, const wend_grid *grid, const wend_region *region, uint32_t place);
  bool (*is_joined)(const wend_region *region, uint32_t place, int direction);
  const void *ud;
} wend_label_rule;

/* A number from here on is that of a list. */
#define WEND_LABEL_LISTS 0x80000000u

typedef struct wend_label_rows {
  uint64_t *open;   /* by word: the cells with labels */
  uint32_t *labels; /* by word: the label, or WEND_LABEL_LISTS and the number of its list */
  uint32_t *lists;  /* 64 labels each */
  uint32_t open_capacity, labels_capacity, lists_capacity, list_count;
  uint32_t stride, words; /* of the grid; of a row */
  /* What is needed until all rows have labels. */
  uint8_t *closed; /* by kind: whether it is closed, 0 or 1 */
  uint32_t closed_capacity;
} wend_label_rows;

/* Begins. The caller fills rows->closed. No cell has a label. False: no memory. */
bool wend_label_rows_begin(wend_label_rows *rows, const wend_alloc *alloc, const wend_grid *grid);
/* Gives the rows from *row on labels, numbered from 1, up to row `end`. False: no memory. */
bool wend_label_rows_add(wend_label_rows *rows, const wend_alloc *alloc, const wend_label_rule *rule, uint32_t row,
                         uint32_t end, wend_union_find *unions);
/* Frees what is needed no more once all rows have labels. */
void wend_label_rows_end(wend_label_rows *rows, const wend_alloc *alloc);
/* The label of a cell of a word, which has one. */
static inline uint32_t wend_label_rows_at(const wend_label_rows *rows, size_t word, size_t cell) {
  if (WEND_LIKELY(rows->labels[word] < WEND_LABEL_LISTS)) return rows->labels[word];
  return rows->lists[(size_t)(rows->labels[word] - WEND_LABEL_LISTS) * 64 + cell];
}
/* The label of a place; WEND_NONE: it has none. */
static inline uint32_t wend_label_rows_get(const wend_label_rows *rows, uint32_t place) {
  const uint32_t x = place % rows->stride;
  const size_t word = (size_t)(place / rows->stride) * rows->words + x / 64;
  if ((rows->open[word] >> x % 64 & 1) == 0) return WEND_NONE;
  return wend_label_rows_at(rows, word, x % 64);
}
/* Gives a place another label, or takes it: WEND_NONE. False: no memory. */
bool wend_label_rows_set(wend_label_rows *rows, const wend_alloc *alloc, uint32_t place, uint32_t label);
void wend_label_rows_free(wend_label_rows *rows, const wend_alloc *alloc);
size_t wend_label_rows_bytes(const wend_label_rows *rows);

#endif
