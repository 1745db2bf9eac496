/* SPDX-License-Identifier: MIT */
/* Ratios. histogram.h describes their table, with an example.
 *
 * Invariants: the count of a bin is the number of edges whose ratio is in it, and `least` of a bin that is not empty is not
 * above any of these ratios. `least` of a tag is not above any `least` of its bins, or it is NaN until wend_histogram_settle. At
 * least half of the cells of the table are unused. Bins that became empty keep their cells until the table grows. */
#include "core/map/histogram.h"

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
/* So many of the lowest ratios decide the cut: fewer than half of the edges may be shortcuts, and at most WEND_SHORTCUTS_MAX. */
#define LOWS_MAX (2 * WEND_SHORTCUTS_MAX)

void wend_histogram_free(wend_histogram *ratios, const wend_alloc *alloc) {
  WEND_FREE(alloc, ratios->table, ratios->capacity);
  WEND_FREE(alloc, ratios->tags, ratios->tags_capacity);
  memset(ratios, 0, sizeof *ratios);
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
static uint32_t find_cell(const wend_histogram *ratios, uint64_t key) {
  uint32_t mask = ratios->capacity - 1;
  uint32_t cell = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & mask;
  while (ratios->table[cell].key != UNUSED && ratios->table[cell].key != key) cell = (cell + 1) & mask;
  return cell;
}

/* Makes room for one more key. A table that is half full is replaced by one that is at most a quarter full, without the empty
 * bins. False: no memory, and nothing has changed. */
static bool grow(wend_histogram *ratios, const wend_alloc *alloc) {
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

/* The bin of a key. */
static uint32_t bin_of(uint64_t key) { return (uint32_t)(key & (((uint64_t)1 << BIN_BITS) - 1)); }

/* Notes that a ratio was added or removed, and whether this has changed the bound of its bin. In a low bin, the cut may be
 * another one. More edges than LOWS_MAX are as good as any number of them. */
static void note_ratio(wend_histogram *ratios, const wend_ratio *cell, double ratio, bool bound) {
  if (bin_of(cell->key) <= ratios->reach && (bound || cell->count <= LOWS_MAX + 1)) ratios->unsettled = true;
  if (ratio < ratios->cut) ratios->unlisted = true;
}

bool wend_histogram_add(wend_histogram *ratios, const wend_alloc *alloc, uint32_t tag, double weight, double length) {
  const wend_tag_ratio nothing = {INFINITY, INFINITY, 0};
  double ratio = ratio_of(weight, length);
  uint64_t key;
  wend_ratio *cell;
  uint32_t tags = ratios->tags_capacity;
  bool lower;
  if (tags == 0) ratios->reach = WEND_NONE;
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
    lower = cell->count++ == 0 || ratio < cell->least;
    if (lower) cell->least = ratio;
    if (ratio < ratios->tags[tag].least) ratios->tags[tag].least = ratio; /* NaN stays NaN */
    if (ratio >= ratios->cut && ratio < ratios->tags[tag].rest) ratios->tags[tag].rest = ratio;
    note_ratio(ratios, cell, ratio, lower);
  }
  ratios->tags[tag].count++;
  return true;
}

void wend_histogram_remove(wend_histogram *ratios, uint32_t tag, double weight, double length) {
  double ratio = ratio_of(weight, length);
  wend_ratio *cell;
  ratios->tags[tag].count--;
  if (ratio < 0) return;
  cell = &ratios->table[find_cell(ratios, key_of(tag, ratio))];
  assert(cell->key != UNUSED && cell->count > 0);
  cell->count--;
  note_ratio(ratios, cell, ratio, false);
  if (ratio > cell->least) return;
  cell->least = bin_edge(cell->key);
  if (cell->count > 0 && cell->least == ratio) return; /* the least ratio was the edge of the bin, which is still a bound */
  ratios->tags[tag].least = NAN;
  ratios->unsettled = true;
}

double wend_histogram_search(const wend_histogram *ratios, uint32_t tag) {
  double least = INFINITY;
  for (uint32_t i = 0; i < ratios->capacity; i++) {
    const wend_ratio *cell = &ratios->table[i];
    if (cell->key != UNUSED && cell->key >> BIN_BITS == tag && cell->count > 0 && cell->least < least) least = cell->least;
  }
  return least;
}

/* The lowest bins that have edges, in order. A bin is there once for each tag. */
typedef struct low_bins {
  const wend_ratio *at[LOWS_MAX + 2];
  uint32_t count;
  uint64_t before; /* edges in all of them except the last one: at most LOWS_MAX */
} low_bins;

/* Adds a bin, if it is low enough, and removes bins that are too high then. */
static void add_low_bin(low_bins *low, const wend_ratio *cell) {
  uint32_t to = low->count;
  if (low->before + (low->count > 0 ? low->at[low->count - 1]->count : 0) > LOWS_MAX &&
      bin_of(cell->key) >= bin_of(low->at[low->count - 1]->key))
    return;
  for (; to > 0 && bin_of(low->at[to - 1]->key) > bin_of(cell->key); to--) low->at[to] = low->at[to - 1];
  low->at[to] = cell;
  low->count++;
  low->before = 0;
  for (to = 0; to + 1 < low->count; to++) {
    low->before += low->at[to]->count;
    if (low->before <= LOWS_MAX) continue;
    low->before -= low->at[to]->count;
    low->count = to + 1;
  }
}

/* Finds the cut and the reach. */
static void find_cut(wend_histogram *ratios) {
  low_bins low;
  double best;
  uint64_t below = 0, all = 0;
  low.count = 0, low.before = 0;
  for (uint32_t i = 0; i < ratios->capacity; i++) {
    if (ratios->table[i].key == UNUSED || ratios->table[i].count == 0) continue;
    add_low_bin(&low, &ratios->table[i]);
    all += ratios->table[i].count;
  }
  ratios->cut = 0;
  ratios->reach = WEND_NONE;
  if (low.count == 0) return;
  best = WEND_SHORTCUTS_GAIN * bin_edge(low.at[0]->key);
  for (uint32_t i = 1; i < low.count; i++) {
    const double bound = bin_edge(low.at[i]->key);
    below += low.at[i - 1]->count;
    if (below > WEND_SHORTCUTS_MAX || 2 * below >= all || bin_of(low.at[i]->key) == bin_of(low.at[i - 1]->key)) continue;
    if (!(wend_shortcuts_worth(bound, (uint32_t)below) > best)) continue;
    best = wend_shortcuts_worth(bound, (uint32_t)below);
    ratios->cut = bound;
  }
  if (low.before + low.at[low.count - 1]->count > LOWS_MAX) ratios->reach = bin_of(low.at[low.count - 1]->key);
}

void wend_histogram_settle(wend_histogram *ratios) {
  const double cut = ratios->cut;
  find_cut(ratios);
  if (ratios->cut != cut) ratios->unlisted = true;
  for (uint32_t tag = 0; tag < ratios->tags_capacity; tag++) {
    ratios->tags[tag].least = wend_histogram_least(ratios, tag);
    ratios->tags[tag].rest = INFINITY;
  }
  for (uint32_t i = 0; i < ratios->capacity; i++) {
    const wend_ratio *cell = &ratios->table[i];
    if (cell->key == UNUSED || cell->count == 0 || bin_edge(cell->key) < ratios->cut) continue;
    if (cell->least < ratios->tags[cell->key >> BIN_BITS].rest) ratios->tags[cell->key >> BIN_BITS].rest = cell->least;
  }
  ratios->unsettled = false;
}

void wend_histogram_list(wend_histogram *ratios, double weight, double length, uint32_t edge) {
  const double ratio = ratio_of(weight, length);
  uint32_t to = ratios->listed_count;
  if (ratio < 0 || ratio >= ratios->cut) return;
  assert(to < WEND_SHORTCUTS_MAX);
  for (; to > 0; to--) {
    const wend_listed *before = &ratios->listed[to - 1];
    if (before->ratio < ratio || (before->ratio == ratio && before->length <= length)) break;
    ratios->listed[to] = *before;
  }
  ratios->listed[to] = (wend_listed){ratio, length, edge};
  ratios->listed_count++;
}
