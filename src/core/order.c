/* SPDX-License-Identifier: MIT */
/* Walking the nodes along a Hilbert curve keeps neighbours in space neighbours in memory: a search of a large graph
 * then finds most of what it needs in the cache. */
#include "core/order.h"

#include <string.h>

#include "core/bits.h"

WEND_NO_FUSING

#define BITS_2D 16
#define BITS_3D 10

/* The place of a point on the curve. J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707
 * (2004): undoes the excess work of each bit level from the top, then Gray-decodes, then interleaves the bits. */
static uint32_t curve_place(uint32_t x[3], int dimensions, int bits) {
  uint32_t top = 1u << (bits - 1), twist = 0, place = 0;
  for (uint32_t q = top; q > 1; q >>= 1) {
    uint32_t p = q - 1;
    for (int i = 0; i < dimensions; i++) {
      uint32_t set = 0u - ((x[i] & q) != 0); /* all ones or none: a branch here would be a coin's throw */
      uint32_t swap = (x[0] ^ x[i]) & p & ~set;
      x[0] ^= (p & set) | swap;
      x[i] ^= swap;
    }
  }
  for (int i = 1; i < dimensions; i++) x[i] ^= x[i - 1];
  for (uint32_t q = top; q > 1; q >>= 1) twist ^= (q - 1) & (0u - ((x[dimensions - 1] & q) != 0));
  for (int i = 0; i < dimensions; i++) x[i] ^= twist;
  for (int bit = bits - 1; bit >= 0; bit--)
    for (int i = 0; i < dimensions; i++) place = (place << 1) | ((x[i] >> bit) & 1u);
  return place;
}

/* Sorts order by keys, keeping the order of equals: by digits of 11 bits, from the lowest up. */
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

void wend_order_hilbert(const double *points, int dimensions, uint32_t count, uint32_t *order, uint32_t *scratch) {
  uint32_t *keys = scratch;
  int bits = dimensions == 3 ? BITS_3D : BITS_2D;
  double cells = (double)((1u << bits) - 1u), low[3] = {0, 0, 0}, size = 0;
  bool first = true;
  double high[3] = {0, 0, 0};
  for (uint32_t i = 0; i < count; i++) {
    const double *p = points + (size_t)i * (size_t)dimensions;
    if (p[0] != p[0]) continue;
    for (int d = 0; d < dimensions; d++) {
      if (first || p[d] < low[d]) low[d] = p[d];
      if (first || p[d] > high[d]) high[d] = p[d];
    }
    first = false;
  }
  for (int d = 0; d < dimensions; d++)
    if (high[d] - low[d] > size) size = high[d] - low[d];
  for (uint32_t i = 0; i < count; i++) {
    const double *p = points + (size_t)i * (size_t)dimensions;
    uint32_t cell[3] = {0, 0, 0};
    order[i] = i;
    if (p[0] != p[0]) {
      keys[i] = UINT32_MAX;
      continue;
    }
    for (int d = 0; d < dimensions; d++) cell[d] = size > 0 ? (uint32_t)((p[d] - low[d]) / size * cells) : 0;
    keys[i] = curve_place(cell, dimensions, bits);
  }
  sort_by_key(count, order, keys, scratch + count, scratch + 2 * (size_t)count);
}
