/* SPDX-License-Identifier: MIT */
/* Ratios: for each tag the least weight per length of the edges of a graph. Every edit updates it. A grid without a palette
 * keeps the weights of its cells here, with length 1.
 *
 * The heuristic is the straight distance times the least cost per length. So A* needs a bound that is never too great, and it
 * is fast only if the bound is not much too small. The ratios are a histogram: a hash table from a tag and a bin to a count and
 * a lower bound of the ratios in the bin. A bin is the exponent and eight bits of the mantissa of a ratio. The lower bound is
 * exact until the least ratio of a bin is removed. Then it is the lower edge of the bin, which is at most 0.4 % less.
 *
 * The least of a tag is computed again after a removal that changes a lower bound. The removal of a ratio above the lower bound
 * of its bin does not change it, even if the bin is empty then. So the least of a tag is never too great, but it can stay too
 * small. It depends only on the edits, not on when it is read. An example, with edges of length 10 and one tag:
 *
 *                                   bin 3ff00 (1 to 1.0039)      bin 40040 (2.5 to 2.508)     least
 *   add weights 10.01, 10.02, 25    count 2, bound 1.001         count 1, bound 2.5           1.001
 *   remove 10.01                    count 1, bound 1: its edge   count 1, bound 2.5           1, in truth 1.002
 *   remove 10.02                    count 0                      count 1, bound 2.5           1, in truth 2.5 */
#ifndef WEND_HISTOGRAM_H
#define WEND_HISTOGRAM_H

#include "core/map/shortcuts.h"

typedef struct wend_ratio {
  uint64_t key;   /* the tag above the 20 bits of the bin */
  double least;   /* no ratio of the bin is less */
  uint64_t count; /* of ratios; 0: the bin is empty */
} wend_ratio;

typedef struct wend_tag_ratio {
  double least;   /* INFINITY: no edge has a ratio; NaN: unknown until wend_histogram_settle */
  double rest;    /* the same for the edges at or above the cut, after wend_histogram_settle */
  uint64_t count; /* edges of this tag, of any length */
} wend_tag_ratio;

/* An edge below the cut. */
typedef struct wend_listed {
  double ratio, length;
  uint32_t edge; /* its slot */
} wend_listed;

typedef struct wend_histogram {
  wend_ratio *table; /* open addressing, linear probing; the key of an unused cell is UINT64_MAX */
  uint32_t capacity; /* a power of two; 0 at first */
  uint32_t used;     /* cells with a key, also of empty bins */
  uint32_t recent;   /* the cell used last: consecutive edges often have the same ratio */
  wend_tag_ratio *tags;
  uint32_t tags_capacity;
  bool unsettled; /* the least ratio of some tag is NaN, or the low bins have changed */

  /* Shortcuts: see shortcuts.h. */
  uint32_t reach; /* the highest low bin: the bins up to it decide the cut */
  double cut;     /* after wend_histogram_settle: edges with a ratio below it are shortcuts; 0: none are */
  bool unlisted;  /* the list is that of another cut, or of other edges */
  wend_listed listed[WEND_SHORTCUTS_MAX]; /* the edges below the cut, by ratio and length */
  uint32_t listed_count;
} wend_histogram;

/* Frees all memory; there are no ratios afterwards. All calls for one object must use the same allocator. */
void wend_histogram_free(wend_histogram *ratios, const wend_alloc *alloc);
/* Adds the ratio of one edge, and removes one that was added with the same arguments. weight: >= 0. An edge whose length is 0
 * or NaN, or whose ratio is above 1e300, has no ratio and only counts for its tag. False: no memory, and nothing was added. */
bool wend_histogram_add(wend_histogram *ratios, const wend_alloc *alloc, uint32_t tag, double weight, double length);
void wend_histogram_remove(wend_histogram *ratios, uint32_t tag, double weight, double length);
/* Precondition: unsettled. Computes the least ratios that are unknown after removals, so that wend_histogram_least does not
 * search the table; and the cut. */
void wend_histogram_settle(wend_histogram *ratios);
/* Adds an edge with the weight and length that it has now to the list, if it is below the cut. The ratios are settled. */
void wend_histogram_list(wend_histogram *ratios, double weight, double length, uint32_t edge);
/* A lower bound of the ratios of a tag: the least one, or less as described above. INFINITY: no edge of the tag had a ratio
 * when it was computed. If it is unknown after a removal, wend_histogram_search searches the whole table for it, until
 * wend_histogram_settle. */
double wend_histogram_search(const wend_histogram *ratios, uint32_t tag);
static inline double wend_histogram_least(const wend_histogram *ratios, uint32_t tag) {
  if (tag >= ratios->tags_capacity) return INFINITY;
  return ratios->tags[tag].least == ratios->tags[tag].least ? ratios->tags[tag].least : wend_histogram_search(ratios, tag);
}
/* A lower bound of the ratios of a tag that are not below the cut. The ratios are settled. INFINITY: there are none. */
static inline double wend_histogram_rest(const wend_histogram *ratios, uint32_t tag) {
  return tag < ratios->tags_capacity ? ratios->tags[tag].rest : INFINITY;
}
/* The number of edges with a tag, with edges that have no ratio. */
static inline uint64_t wend_histogram_count(const wend_histogram *ratios, uint32_t tag) {
  return tag < ratios->tags_capacity ? ratios->tags[tag].count : 0;
}

#endif
