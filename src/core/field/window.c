/* SPDX-License-Identifier: MIT */
/* Windows: copies the cells around goals, with a margin. window.h has an example.
 *
 * The copy is one block of memory: the kinds (or weights, then tags), then directed walls, then walls, then `inside`, each with an
 * item for each place of the copy. With one goal the box is its window, and `inside` is left out. The invariant: the margin is
 * outside, as in every grid, so a flood needs no test for the edge of the copy. */
#include "core/field/window.h"

#include <math.h>
#include <string.h>

WEND_NO_FUSING

/* A rectangle of cells; right and bottom belong to it. */
typedef struct area {
  uint32_t left, top, right, bottom;
} area;

/* The window of a goal, cut off at the edges of the grid. */
static area around_goal(const wend_grid *grid, wend_id goal, uint32_t distance) {
  const uint32_t x = (uint32_t)((goal - 1) % grid->width), y = (uint32_t)((goal - 1) / grid->width);
  area b;
  b.left = x > distance ? x - distance : 0, b.top = y > distance ? y - distance : 0;
  b.right = grid->width - 1 - x > distance ? x + distance : grid->width - 1;
  b.bottom = grid->height - 1 - y > distance ? y + distance : grid->height - 1;
  return b;
}

wend_region wend_window_box(const wend_grid *grid, const wend_id *goals, uint32_t goal_count, uint32_t distance) {
  wend_region region = wend_grid_region(grid);
  area all = around_goal(grid, goals[0], distance);
  for (uint32_t i = 1; i < goal_count; i++) {
    const area b = around_goal(grid, goals[i], distance);
    if (b.left < all.left) all.left = b.left;
    if (b.top < all.top) all.top = b.top;
    if (b.right > all.right) all.right = b.right;
    if (b.bottom > all.bottom) all.bottom = b.bottom;
  }
  region.left = all.left, region.top = all.top;
  region.width = all.right - all.left + 1, region.height = all.bottom - all.top + 1;
  region.stride = region.width + 1;
  return region;
}

/* The arrays of a region, in one block of memory in this order. Those that the grid does not need are NULL. */
typedef struct arrays {
  double *weights;
  uint16_t *tags, *kinds, *directed;
  uint8_t *walls, *inside;
} arrays;

/* Allocates the arrays for `count` places, and makes all places margin. several: there is more than one goal, so `inside` is
 * needed. False: no memory. */
static bool make_arrays(wend_search *s, unsigned slot, const wend_grid *grid, uint32_t count, bool several, arrays *a) {
  const size_t cell = grid->kinds != NULL ? sizeof *a->kinds : sizeof *a->weights + sizeof *a->tags;
  uint8_t *bytes = wend_search_scratch(
      s, slot, (uint64_t)count * (cell + (grid->walls != NULL) + (grid->directed != NULL ? sizeof *a->directed : 0) + several));
  if (bytes == NULL) return false;
  memset(a, 0, sizeof *a);
  if (grid->kinds != NULL) {
    a->kinds = (uint16_t *)(void *)bytes;
    memset(a->kinds, 0, count * sizeof *a->kinds); /* KIND_OUTSIDE */
  } else {
    a->weights = (double *)(void *)bytes;
    a->tags = (uint16_t *)(void *)(a->weights + count);
    for (uint32_t i = 0; i < count; i++) a->weights[i] = NAN;
    memset(a->tags, 0, count * sizeof *a->tags);
  }
  bytes += count * cell;
  if (grid->directed != NULL) {
    a->directed = (uint16_t *)(void *)bytes;
    memset(bytes, 0, count * sizeof *a->directed);
    bytes += count * sizeof *a->directed;
  }
  if (grid->walls != NULL) {
    a->walls = bytes;
    memset(bytes, 0, count);
    bytes += count;
  }
  if (several) {
    a->inside = bytes;
    memset(bytes, 0, count);
  }
  return true;
}

bool wend_window_open(wend_search *s, unsigned slot, const wend_grid *grid, const wend_id *goals, uint32_t goal_count,
                      uint32_t distance, wend_region *region, const uint8_t **inside) {
  arrays to;
  *region = wend_window_box(grid, goals, goal_count, distance);
  if (!make_arrays(s, slot, grid, wend_place_count(region->width, region->height), goal_count > 1, &to)) return false;
  for (uint32_t y = 0; y < region->height; y++) {
    const size_t first = (size_t)(region->top + y + 1) * grid->stride + region->left + 1;
    const size_t copy = wend_region_place(region, 0, y);
    if (to.walls != NULL) memcpy(to.walls + copy, grid->walls + first, region->width);
    if (to.directed != NULL) memcpy(to.directed + copy, grid->directed + first, region->width * sizeof *to.directed);
    if (to.kinds != NULL) {
      memcpy(to.kinds + copy, grid->kinds + first, region->width * sizeof *to.kinds);
    } else {
      memcpy(to.weights + copy, grid->weights + first, region->width * sizeof *to.weights);
      memcpy(to.tags + copy, grid->tags + first, region->width * sizeof *to.tags);
    }
  }
  for (uint32_t i = 0; to.inside != NULL && i < goal_count; i++) {
    const area b = around_goal(grid, goals[i], distance);
    for (uint32_t y = b.top; y <= b.bottom; y++)
      memset(to.inside + wend_region_place(region, b.left - region->left, y - region->top), 1, b.right - b.left + 1);
  }
  region->kinds = to.kinds, region->weights = to.weights, region->tags = to.tags;
  region->walls = to.walls, region->directed = to.directed, *inside = to.inside;
  return true;
}
