/* SPDX-License-Identifier: MIT */
/* Ratios: the least weight per length of the edges of a graph, for each tag. Every edit updates it.
 *
 * The heuristic is the straight distance times the least cost per length, so A* needs a bound that is never too great, and is
 * fast only if it is not much too small. The ratios are a histogram: a hash table from a tag and a bin (the exponent and eight
 * bits of the mantissa of the ratio) to a count and a lower bound of the ratios in the bin. The lower bound is exact until the
 * least ratio of a bin is removed; then it is the lower edge of the bin, at most 0.4 % less. It depends only on the edits, not
 * on when it is read. */
#ifndef WEND_RATIOS_H
#define WEND_RATIOS_H

#include "core/base/memory.h"

typedef struct wend_ratio {
  uint64_t key;   /* tag and bin */
  double least;   /* no ratio of the bin is less */
  uint64_t count; /* of ratios; 0: the bin is empty */
} wend_ratio;

typedef struct wend_tag_ratio {
  double least;   /* INFINITY: no edge has a ratio; NaN: unknown until wend_ratios_settle */
  uint64_t count; /* edges of this tag, of any length */
} wend_tag_ratio;

typedef struct wend_ratios {
  wend_ratio *table; /* open addressing, linear probing; the key of an unused cell is UINT64_MAX */
  uint32_t capacity; /* a power of two; 0 at first */
  uint32_t used;
  uint32_t recent; /* the cell used last: consecutive edges often have the same ratio */
  wend_tag_ratio *tags;
  uint32_t tags_capacity;
  bool unsettled; /* the least ratio of some tag is NaN */
} wend_ratios;

void wend_ratios_free(wend_ratios *ratios, const wend_alloc *alloc);
size_t wend_ratios_bytes(const wend_ratios *ratios);
/* Adds or removes the ratio of one edge. An edge whose length is 0 or NaN has no ratio, and only counts for its tag. False: no
 * memory, and nothing is added. */
bool wend_ratios_add(wend_ratios *ratios, const wend_alloc *alloc, uint32_t tag, double weight, double length);
void wend_ratios_remove(wend_ratios *ratios, uint32_t tag, double weight, double length);
/* Computes the least ratios that are unknown after removals, so that wend_ratios_least does not search the table. */
void wend_ratios_settle(wend_ratios *ratios);
/* The least ratio of a tag, or a little less; INFINITY: no edge has one. Searches the table if it is unknown. */
double wend_ratios_least(const wend_ratios *ratios, uint32_t tag);
/* The number of edges with a tag. */
uint64_t wend_ratios_count(const wend_ratios *ratios, uint32_t tag);

#endif
