/* SPDX-License-Identifier: MIT */
/* A spatial index: finds the items that are near a point, or that a line hits, without a test of every item. It is
 * an R-tree: A. Guttman, "R-trees: a dynamic index structure for spatial searching" (1984), bulk-loaded by halving
 * along the longest axis.
 *
 *            root [ . . . ]           node   up to 16 children, each with a box around all that is below it
 *                /    \               leaf   a node whose children are items: numbers that mean something to the owner
 *       [ . . . ]      [ . . ]        The boxes of a node are stored by columns: the lower bounds of x of all 16 boxes, then
 *                                     those of y, ..., then the upper bounds of x, ...
 *
 * Invariant: each box contains the boxes below it, and all leaves have the same depth.
 *
 * Boxes are floats, relative to an origin near the items, and rounded outward: they only rule items out. The owner
 * computes distances and hits, in doubles. So results do not depend on the shape of the tree. */
#ifndef WEND_RTREE_H
#define WEND_RTREE_H

#include "core/base/memory.h"

#define WEND_RTREE_FAN 16u
/* No tree gets so high: each split of a root takes eight times as many insertions as the one before. */
#define WEND_RTREE_HEIGHT 24u

/* From low to high, `dimensions` numbers each. */
typedef struct wend_box {
  double low[3], high[3];
} wend_box;

typedef struct wend_rtree {
  int dimensions;
  bool ready;            /* false: items are missing, it has to be built */
  uint32_t root, height; /* height 1: the root is a leaf; 0: there are no items */
  uint32_t items;
  uint64_t changes; /* insertions and removals since it was built */
  double origin[3];
  /* By node. */
  float *boxes;                   /* dimensions x 2 x WEND_RTREE_FAN */
  uint32_t *children;             /* WEND_RTREE_FAN: nodes, or items of a leaf */
  uint8_t *count;                 /* of children */
  uint32_t nodes, used, capacity; /* nodes in use; nodes in use or free */
  uint32_t free_node;             /* the first free node, WEND_NONE: there is none; children[0] of each is the next one */
  /* While it is built. */
  struct wend_rtree_entry *entries;
  struct wend_rtree_center *centers;
  uint32_t entries_capacity, centers_capacity;
} wend_rtree;

/* Computes how far an item is from a point, into *near. False: the item is passed over. */
typedef bool (*wend_measure_fn)(const void *ud, uint32_t item, const double *point, wend_near *near);
/* Whether the line that is asked about hits an item. */
typedef bool (*wend_hit_fn)(const void *ud, uint32_t item);

/* Frees all memory. The tree is then empty and not ready. */
void wend_rtree_free(wend_rtree *index, const wend_alloc *alloc);
size_t wend_rtree_bytes(const wend_rtree *index);
/* Building: begin, collect each of at most `most` items, finish. False: no memory; the tree is not ready. */
bool wend_rtree_begin(wend_rtree *index, const wend_alloc *alloc, int dimensions, uint32_t most);
void wend_rtree_collect(wend_rtree *index, uint32_t item, const wend_box *box);
bool wend_rtree_finish(wend_rtree *index, const wend_alloc *alloc);
/* Edits of a tree that is ready; otherwise they do nothing. The tree is not ready afterwards if memory ran out, or
 * if it has changed so much that building it again is better. */
void wend_rtree_insert(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *box);
void wend_rtree_remove(wend_rtree *index, uint32_t item, const wend_box *box);
void wend_rtree_move(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *from, const wend_box *to);

/* Finds the k >= 1 items nearest to a point, of those not farther than `most`. They go into `found`, which has room
 * for k, in the order of distance, then of id. Returns how many there are. */
uint32_t wend_rtree_nearest(const wend_rtree *index, const double *point, double most, uint32_t k, wend_measure_fn measure,
                            const void *ud, wend_near *found);
/* Whether `hit` is true for any item whose box is within radius of the segment from a to b, in x and y. */
bool wend_rtree_line(const wend_rtree *index, const double *a, const double *b, double radius, wend_hit_fn hit, const void *ud);

#endif
