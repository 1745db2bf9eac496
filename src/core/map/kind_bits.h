/* SPDX-License-Identifier: MIT */
/* Cells of a grid with a palette as bits: 1 for an open cell. Compilers turn the loops into instructions for 16 cells at a time. */
#ifndef WEND_KIND_BITS_H
#define WEND_KIND_BITS_H

#include "core/map/grid.h"

/* A kind is compared with so many others at most. With more on both sides, a table tells which are open. */
#define WEND_FEW_KINDS 4u

typedef struct wend_open_kinds {
  const uint8_t *closed; /* by kind: the lowest bit is 0 for open; borrowed */
  uint16_t few[WEND_FEW_KINDS];
  uint32_t few_count; /* WEND_NONE: only the table tells */
  uint8_t others;     /* 1: all kinds but the few are open; 0: only they are */
} wend_open_kinds;

/* Which kinds that cells have are open. closed: as above, for all kinds of the grid. Without a palette there is nothing to tell. */
wend_open_kinds wend_open_kinds_of(const wend_grid *grid, const uint8_t *closed);
/* Whether a row of cells, which begins at a place, has the same kinds as the row before. */
bool wend_row_repeats(const wend_grid *grid, uint32_t first);
/* Writes the bits of a row of cells, which begins at a place: of its margin, which is 0, and of its cells. Those of the row before
 * are `line_words` before them. */
void wend_open_row(const wend_open_kinds *open, const wend_grid *grid, uint32_t first, uint64_t *words, uint32_t line_words);
/* A word of a line of so many words, moved so that the bit of a cell is that of the cell dx beside it: -1, 0 or 1. */
static inline uint64_t wend_bits_aside(const uint64_t *line, uint32_t words, uint32_t w, int dx) {
  if (dx < 0) return line[w] << 1 | (w > 0 ? line[w - 1] >> 63 : 0);
  return dx == 0 ? line[w] : line[w] >> 1 | (w + 1 < words ? line[w + 1] << 63 : 0);
}
/* Which of 64 cells are of a kind. */
uint64_t wend_cells_of_kind(const uint16_t *kinds, uint16_t kind);

#endif
