/* SPDX-License-Identifier: MIT */
/* The bodies of a step, sorted by cells. */
#ifndef WEND_CROWD_INDEX_H
#define WEND_CROWD_INDEX_H

#include "move/crowd/data.h"

/* Sorts the walkers into cells: crowd->order, levels and starts. False: no memory. */
bool wend_index_sort(struct wend_crowd *crowd);
/* Moves the walkers to the places that the last wend_index_sort gave them, so that memory follows space. It changes no result
 * but those of ties; so it is called at fixed steps. */
void wend_index_pack(struct wend_crowd *crowd);

/* Sorts items by their keys, then by their numbers. */
void wend_index_sort_items(wend_crowd_item *items, uint32_t count);

/* How far a walker can get in one step: twice its speed, and what pushes it; but at most WEND_PIECES_MAX pieces. */
double wend_index_cap(const wend_walker *walker);

/* The buckets of a row of cells that can hold bodies near a point: one range, or two where the row wraps around the torus. */
typedef struct wend_index_row {
  uint32_t from[2], to[2]; /* indexes of bodies */
  int count;
} wend_index_row;

/* The cell of a coordinate. */
WEND_INLINE int64_t wend_index_cell(double x, double cell) {
  const double at = x / cell;
  const int64_t whole = (int64_t)at;
  return (double)whole > at ? whole - 1 : whole;
}

/* The bodies in columns `left` to `right` of a row, in a level. */
WEND_INLINE void wend_index_ranges(const struct wend_crowd *crowd, const wend_crowd_level *level, int64_t left, int64_t right,
                                   int64_t y, wend_index_row *row) {
  const uint32_t *starts = crowd->starts + level->starts + ((uint32_t)(uint64_t)y & (level->high - 1)) * level->wide;
  const uint32_t mask = level->wide - 1;
  const uint32_t l = (uint32_t)(uint64_t)left & mask, r = (uint32_t)(uint64_t)right & mask;
  row->count = 1;
  if (right - left >= (int64_t)mask) {
    row->from[0] = starts[0], row->to[0] = starts[level->wide];
  } else if (l <= r) {
    row->from[0] = starts[l], row->to[0] = starts[r + 1];
  } else {
    row->from[0] = starts[0], row->to[0] = starts[r + 1];
    row->from[1] = starts[l], row->to[1] = starts[level->wide];
    row->count = 2;
  }
}

#endif
