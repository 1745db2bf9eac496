/* SPDX-License-Identifier: MIT */
/* Labels of the cells of a grid, row by row: label_rows.c has the method, reach.h what labels are. */
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

/* What is needed until all rows have labels. */
typedef struct wend_label_rows {
  uint64_t *lines; /* bits of the row and of the one before it */
  uint8_t *closed; /* by kind: whether it is closed, 0 or 1 */
  uint32_t lines_capacity, closed_capacity;
} wend_label_rows;

/* Begins. The caller fills rows->closed. False: no memory. */
bool wend_label_rows_begin(wend_label_rows *rows, const wend_alloc *alloc, const wend_grid *grid);
/* Gives the rows from *row on labels, numbered from 1, up to row `end`. labels: by place; of the row before the first one they are
 * not read. False: no memory. */
bool wend_label_rows_add(wend_label_rows *rows, const wend_alloc *alloc, const wend_label_rule *rule, uint32_t row,
                         uint32_t end, wend_union_find *unions, uint32_t *labels);
void wend_label_rows_free(wend_label_rows *rows, const wend_alloc *alloc);
size_t wend_label_rows_bytes(const wend_label_rows *rows);

#endif
