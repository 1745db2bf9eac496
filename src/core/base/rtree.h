/* SPDX-License-Identifier: MIT */
/* An index in space: what is near a point, or in the way of a line, without looking at everything. An R-tree: A. Guttman,
 * "R-trees: a dynamic index structure for spatial searching" (1984), packed by halving along the longest axis.
 *
 *   node    up to 16 boxes, by columns: the least of each axis, then the greatest; and what each of them holds
 *   leaf    a node whose boxes hold items: numbers that mean something to the owner
 *
 *            root [ . . . ]           Boxes are floats, rounded outward, from an origin near what is indexed: they only
 *                /    \               tell what may be left out. Distances and hits are the owner's, in doubles, so that
 *       [ . . . ]      [ . . ]        nothing that is found depends on how the tree came to be. */
#ifndef WEND_INDEX_H
#define WEND_INDEX_H

#include "core/base/memory.h"

#define WEND_RTREE_FAN 16u
/* No tree is as high: every split of a root takes eight times as many changes as the one before. */
#define WEND_RTREE_HEIGHT 24u

/* From low to high, `dimensions` numbers each. */
typedef struct wend_box {
  double low[3], high[3];
} wend_box;

typedef struct wend_rtree {
  int dimensions;
  bool ready; /* it holds all that it should; else it has to be built */
  uint32_t root, height; /* 1: the root is a leaf; 0: there is nothing */
  uint32_t items;
  uint64_t changes; /* since it was built */
  double origin[3];
  /* By node. */
  float *boxes; /* dimensions x 2 x WEND_RTREE_FAN */
  uint32_t *below; /* WEND_RTREE_FAN */
  uint8_t *count;
  uint32_t nodes, used, capacity, boxes_capacity; /* in use; ever used */
  uint32_t spare; /* the first of those no longer in use, chained through below[0] */
  /* While it is built. */
  struct wend_noted *noted;
  struct wend_pin *pins;
  uint32_t noted_capacity, pins_capacity;
} wend_rtree;

/* How far an item is from a point: fills in *near. False: it is not to be found. */
typedef bool (*wend_measure_fn)(const void *ud, uint32_t item, const double *point, wend_near *near);
/* Whether an item is in the way of a line. */
typedef bool (*wend_hit_fn)(const void *ud, uint32_t item);

/* Frees what it holds: it is as if it were new, and not ready. */
void wend_rtree_free(wend_rtree *index, const wend_alloc *alloc);
size_t wend_rtree_bytes(const wend_rtree *index);
/* Building: begin for at most so many items, note each, finish. Between begin and finish it owns more memory than
 * afterwards. False: no memory, and it is not ready. */
bool wend_rtree_begin(wend_rtree *index, const wend_alloc *alloc, int dimensions, uint32_t most);
void wend_rtree_collect(wend_rtree *index, uint32_t item, const wend_box *box);
bool wend_rtree_finish(wend_rtree *index, const wend_alloc *alloc);
/* Keeps a ready index up to date; one that is not ready is left alone. Where memory runs out, or so much has changed that
 * building it anew is better, it is not ready from then on. */
void wend_rtree_insert(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *box);
void wend_rtree_remove(wend_rtree *index, uint32_t item, const wend_box *box);
void wend_rtree_move(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *from,
                     const wend_box *to);

/* Finds the items nearest to a point, at most k >= 1 and none farther than `most`: by distance, then by
 * id; into found, which has room for k. Returns how many. */
uint32_t wend_rtree_nearest(const wend_rtree *index, const double *point, double most, uint32_t k,
                            wend_measure_fn measure, const void *ud, wend_near *found);
/* Whether any item whose box comes within radius of the line from a to b (x and y of it) is hit by it. */
bool wend_rtree_line(const wend_rtree *index, const double *a, const double *b, double radius, wend_hit_fn hit,
                     const void *ud);

#endif
