/* SPDX-License-Identifier: MIT */
/* Ratios: the least weight per length of a graph's edges, tag by tag, kept through every edit.
 *
 * The heuristic is the straight distance times the least cost per length, so this is what keeps A* both right and
 * fast. A ratio is filed under its exponent and eight bits of its mantissa; each drawer has a count and a number that
 * no ratio in it is below. That number is exact until the least ratio of a drawer leaves it; from then on it is the
 * lower edge of the drawer, at most 0.4 % less. It depends on the edits alone, never on when it was asked for. */
#ifndef WEND_RATIOS_H
#define WEND_RATIOS_H

#include "core/base/memory.h"

typedef struct wend_ratio {
  uint64_t key; /* tag and drawer */
  double least;
  uint64_t count; /* 0: nothing is filed here */
} wend_ratio;

typedef struct wend_tag_ratio {
  double least;   /* INFINITY: no edge bounds it; NaN: to be found again */
  uint64_t count; /* edges of this tag, of any length */
} wend_tag_ratio;

typedef struct wend_ratios {
  wend_ratio *table; /* open addressing, linear probing; an unused cell has key UINT64_MAX */
  uint32_t capacity; /* a power of two; 0 at first */
  uint32_t used;
  uint32_t recent; /* the cell used last: edges in a row are often alike */
  wend_tag_ratio *tags;
  uint32_t tags_capacity;
  bool unsettled; /* a least ratio is to be found again */
} wend_ratios;

void wend_ratios_free(wend_ratios *ratios, const wend_alloc *alloc);
size_t wend_ratios_bytes(const wend_ratios *ratios);
/* One edge comes or goes. Edges of no length, or of one that is not a number, bound nothing and are passed over.
 * False: no memory, nothing is filed. */
bool wend_ratios_add(wend_ratios *ratios, const wend_alloc *alloc, uint32_t tag, double weight, double length);
void wend_ratios_remove(wend_ratios *ratios, uint32_t tag, double weight, double length);
/* Finds the least ratios again that removals have left open, so that wend_ratios_least need not. */
void wend_ratios_settle(wend_ratios *ratios);
/* The least ratio of a tag, or a little less; INFINITY where nothing bounds it. Looks through the table where the least
 * ratio is open. */
double wend_ratios_least(const wend_ratios *ratios, uint32_t tag);
/* How many edges have a tag. */
uint64_t wend_ratios_count(const wend_ratios *ratios, uint32_t tag);

#endif
