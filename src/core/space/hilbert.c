/* SPDX-License-Identifier: MIT */
/* The Hilbert curve: D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck" (1891). It fills a square: it
 * visits the four quarters one after another, and each of them in the same way, turned or mirrored. Neighbours along the curve
 * are neighbours in the square, so a graph that is stored in this order has most of what a search reads next in the cache.
 *
 *   one level       two levels          the numbers of the cells along the curve; x to the right, y upwards
 *
 *   1--2             5  6  9 10
 *   |  |             4  7  8 11
 *   0  3             3  2 13 12
 *                    0  1 14 15
 *
 * The number of a cell has two bits for each level: the quarter that the cell lies in. Example, two levels, x = 2, y = 3: the
 * high bits of x and y are 1 and 1, which is quarter 2. The curve has the same orientation there as in the whole square. The
 * low bits are 0 and 1, which is quarter 1. The number is 2 x 4 + 1 = 9.
 *
 * wend_hilbert_order does this:
 *
 *   1  find the square around all points
 *   2  number the cell of each point, with 16 levels
 *   3  sort the points by number */
#include "core/space/hilbert.h"

#include <string.h>

#include "core/base/bits.h"

WEND_NO_FUSING

/* Levels of quarters, and bits of each coordinate: 65,536 x 65,536 cells, whose numbers fit into 32 bits. */
#define BITS 16

/* The index is 4 x orientation of the curve (0 .. 3) + 2 x bit of x + bit of y. quarter: the number of the quarter along the
 * curve. inner: the orientation of the curve in that quarter. Tables after N. Johnson, "Damn Cool Algorithms: Spatial indexing
 * with Quadtrees and Hilbert Curves" (2009). */
static const uint8_t quarter[16] = {0, 1, 3, 2, 2, 1, 3, 0, 2, 3, 1, 0, 0, 3, 1, 2};
static const uint8_t inner[16] = {3, 0, 1, 0, 1, 1, 0, 2, 2, 3, 2, 1, 0, 2, 3, 3};

/* The number of a cell along the curve. x, y: below 2^BITS. */
static uint32_t cell_number(uint32_t x, uint32_t y) {
  uint32_t number = 0, orientation = 0;
  for (int bit = BITS - 1; bit >= 0; bit--) {
    uint32_t at = orientation << 2 | (x >> bit & 1u) << 1 | (y >> bit & 1u);
    number = number << 2 | quarter[at];
    orientation = inner[at];
  }
  return number;
}

/* Sorts `order` by `keys`, stably: a radix sort with three digits of 11 bits, the lowest first. A pass counts how often
 * each digit occurs; the sums of the counts tell where the items of a digit begin. other_order, other_keys: room for count. */
static void sort_by_key(uint32_t count, uint32_t *order, uint32_t *keys, uint32_t *other_order, uint32_t *other_keys) {
  uint32_t starts[2048];
  for (int shift = 0; shift < 33; shift += 11) {
    uint32_t sum = 0;
    memset(starts, 0, sizeof starts);
    for (uint32_t i = 0; i < count; i++) starts[(keys[i] >> shift) & 2047]++;
    for (int i = 0; i < 2048; i++) {
      uint32_t here = starts[i];
      starts[i] = sum;
      sum += here;
    }
    for (uint32_t i = 0; i < count; i++) {
      uint32_t to = starts[(keys[i] >> shift) & 2047]++;
      other_order[to] = order[i];
      other_keys[to] = keys[i];
    }
    memcpy(order, other_order, count * sizeof *order);
    memcpy(keys, other_keys, count * sizeof *keys);
  }
}

void wend_hilbert_order(const double *points, int dimensions, uint32_t count, uint32_t *order, uint32_t *scratch) {
  uint32_t *keys = scratch;
  double low[2] = {0, 0}, high[2] = {0, 0}, size, scale;
  bool first = true;
  for (uint32_t i = 0; i < count; i++) {
    const double *p = points + (size_t)i * (size_t)dimensions;
    if (p[0] != p[0]) continue;
    for (int d = 0; d < 2; d++) {
      if (first || p[d] < low[d]) low[d] = p[d];
      if (first || p[d] > high[d]) high[d] = p[d];
    }
    first = false;
  }
  size = high[0] - low[0] > high[1] - low[1] ? high[0] - low[0] : high[1] - low[1];
  scale = size > 1e-280 ? (double)((1u << BITS) - 1u) / size : 0;
  for (uint32_t i = 0; i < count; i++) {
    const double *p = points + (size_t)i * (size_t)dimensions;
    order[i] = i;
    keys[i] = UINT32_MAX;
    if (p[0] == p[0]) keys[i] = cell_number((uint32_t)((p[0] - low[0]) * scale), (uint32_t)((p[1] - low[1]) * scale));
  }
  sort_by_key(count, order, keys, scratch + count, scratch + 2 * (size_t)count);
}
