/* SPDX-License-Identifier: MIT */
/* Ratios. ratios.h describes their table, with an example.
 *
 * Invariants: the count of a bin is the number of edges whose ratio is in it, and `least` of a bin that is not empty is not
 * above any of these ratios. `least` of a tag is not above any `least` of its bins, or it is NaN until wend_ratios_settle. At
 * least half of the cells of the table are unused. Bins that became empty keep their cells until the table grows. */
#include "core/map/ratios.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/bits.h"

WEND_NO_FUSING

#define UNUSED UINT64_MAX /* the key of an unused cell */
/* A bin is the sign (0), the exponent and 8 bits of the mantissa of a double, 20 bits in all. From the lower edge of a bin to
 * the next it is at most 2^-8 = 0.4 %. */
#define BIN_SHIFT 44
#define BIN_BITS 20

void wend_ratios_free(wend_ratios *ratios, const wend_alloc *alloc) {
  WEND_FREE(alloc, ratios->table, ratios->capacity);
  WEND_FREE(alloc, ratios->tags, ratios->tags_capacity);
  memset(ratios, 0, sizeof *ratios);
}

size_t wend_ratios_bytes(const wend_ratios *ratios) {
  return ratios->capacity * sizeof *ratios->table + ratios->tags_capacity * sizeof *ratios->tags;
}

/* The ratio of an edge; negative: it has none. */
static double ratio_of(double weight, double length) {
  double ratio;
  if (weight == length) return length > 0 ? 1.0 : -1.0; /* the usual case: the weight is the length */
  if (!(length > 0)) return -1.0;
  ratio = weight / length;
  return ratio <= 1e300 ? ratio : -1.0; /* a greater one is no useful bound, and may be infinite */
}

/* The key of a ratio: its tag and its bin. */
static uint64_t key_of(uint32_t tag, double ratio) {
  uint64_t bits;
  memcpy(&bits, &ratio, sizeof bits);
  return ((uint64_t)tag << BIN_BITS) | (bits >> BIN_SHIFT);
}

/* The lower edge of the bin of a key. */
static double bin_edge(uint64_t key) {
  uint64_t bits = (key & (((uint64_t)1 << BIN_BITS) - 1)) << BIN_SHIFT;
  double edge;
  memcpy(&edge, &bits, sizeof edge);
  return edge;
}

/* The cell of a key, or the unused cell where it would be inserted. The table is never full. */
static uint32_t find_cell(const wend_ratios *ratios, uint64_t key) {
  uint32_t mask = ratios->capacity - 1;
  uint32_t cell = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & mask;
  while (ratios->table[cell].key != UNUSED && ratios->table[cell].key != key) cell = (cell + 1) & mask;
  return cell;
}

/* Makes room for one more key. A table that is half full is replaced by one that is at most a quarter full, without the empty
 * bins. False: no memory, and nothing has changed. */
static bool grow(wend_ratios *ratios, const wend_alloc *alloc) {
  wend_ratio *old = ratios->table, *table = NULL;
  uint32_t old_capacity = ratios->capacity, capacity = 16, none = 0, kept = 0;
  if ((ratios->used + 1) * 2 <= ratios->capacity) return true;
  for (uint32_t i = 0; i < old_capacity; i++) kept += old[i].key != UNUSED && old[i].count > 0;
  while (capacity < (kept + 1) * 4) capacity *= 2;
  if (!WEND_RESIZE(alloc, table, none, capacity)) return false;
  memset(table, 0xff, capacity * sizeof *table);
  ratios->table = table;
  ratios->capacity = capacity;
  ratios->used = kept;
  ratios->recent = 0;
  for (uint32_t i = 0; i < old_capacity; i++)
    if (old[i].key != UNUSED && old[i].count > 0) table[find_cell(ratios, old[i].key)] = old[i];
  WEND_FREE(alloc, old, old_capacity);
  return true;
}

bool wend_ratios_add(wend_ratios *ratios, const wend_alloc *alloc, uint32_t tag, double weight, double length) {
  const wend_tag_ratio nothing = {INFINITY, 0};
  double ratio = ratio_of(weight, length);
  uint64_t key;
  wend_ratio *cell;
  uint32_t tags = ratios->tags_capacity;
  if (tag >= tags) {
    if (!WEND_GROW(alloc, ratios->tags, ratios->tags_capacity, (uint64_t)tag + 1)) return false;
    for (; tags < ratios->tags_capacity; tags++) ratios->tags[tags] = nothing;
  }
  if (ratio >= 0) {
    key = key_of(tag, ratio);
    if (ratios->capacity == 0 || ratios->table[ratios->recent].key != key) {
      if (!grow(ratios, alloc)) return false;
      ratios->recent = find_cell(ratios, key);
    }
    cell = &ratios->table[ratios->recent];
    if (cell->key == UNUSED) {
      ratios->used++;
      cell->key = key;
      cell->count = 0;
    }
    if (cell->count++ == 0 || ratio < cell->least) cell->least = ratio;
    if (ratio < ratios->tags[tag].least) ratios->tags[tag].least = ratio; /* NaN stays NaN */
  }
  ratios->tags[tag].count++;
  return true;
}

void wend_ratios_remove(wend_ratios *ratios, uint32_t tag, double weight, double length) {
  double ratio = ratio_of(weight, length);
  wend_ratio *cell;
  ratios->tags[tag].count--;
  if (ratio < 0) return;
  cell = &ratios->table[find_cell(ratios, key_of(tag, ratio))];
  assert(cell->key != UNUSED && cell->count > 0);
  cell->count--;
  if (ratio > cell->least) return;
  cell->least = bin_edge(cell->key);
  if (cell->count > 0 && cell->least == ratio) return; /* the least ratio was the edge of the bin, which is still a bound */
  ratios->tags[tag].least = NAN;
  ratios->unsettled = true;
}

double wend_ratios_least(const wend_ratios *ratios, uint32_t tag) {
  double least = INFINITY;
  if (tag >= ratios->tags_capacity) return INFINITY;
  if (ratios->tags[tag].least == ratios->tags[tag].least) return ratios->tags[tag].least;
  for (uint32_t i = 0; i < ratios->capacity; i++) {
    const wend_ratio *cell = &ratios->table[i];
    if (cell->key != UNUSED && cell->key >> BIN_BITS == tag && cell->count > 0 && cell->least < least) least = cell->least;
  }
  return least;
}

void wend_ratios_settle(wend_ratios *ratios) {
  if (!ratios->unsettled) return;
  for (uint32_t tag = 0; tag < ratios->tags_capacity; tag++) ratios->tags[tag].least = wend_ratios_least(ratios, tag);
  ratios->unsettled = false;
}

uint64_t wend_ratios_count(const wend_ratios *ratios, uint32_t tag) {
  return tag < ratios->tags_capacity ? ratios->tags[tag].count : 0;
}
