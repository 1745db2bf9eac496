/* SPDX-License-Identifier: MIT */
/* A spatial index: finds the items that are near a point, or that a line hits, without a test of every item. It is an R-tree:
 * A. Guttman, "R-trees: a dynamic index structure for spatial searching" (1984).
 *
 *            root [ . . . ]           node   up to 16 children, each with a box around all that is below it
 *                /    \               leaf   a node whose children are items: numbers that mean something to the owner
 *       [ . . . ]      [ . . ]
 *
 *   boxes of a node in 2D | 16 x low x | 16 x low y | 16 x high x | 16 x high y |      by columns, which compilers vectorize
 *
 * Invariant: each box contains the boxes below it, and all leaves have the same depth.
 *
 * Boxes are floats, relative to an origin near the items, and rounded outward: they can only exclude items. The owner computes
 * distances and hits, in doubles. So results do not depend on the shape of the tree. rtree.c has an example. */
#ifndef WEND_RTREE_H
#define WEND_RTREE_H

#include "core/base/memory.h"

#define WEND_RTREE_FAN 16u
/* No tree gets this high: a split leaves at least eight children in each half, so each level more takes about eight times as
 * many insertions. A tree that comes near is built again. */
#define WEND_RTREE_HEIGHT 24u

/* A box with its sides along the axes. `dimensions` numbers of each array are used; low <= high. */
typedef struct wend_box {
  double low[3], high[3];
} wend_box;

typedef struct wend_rtree {
  int dimensions;        /* 2 or 3; 0: it was never built */
  bool ready;            /* false: items are missing, and it must be built */
  uint32_t root, height; /* height 1: the root is a leaf; 0: there are no items */
  uint32_t items;        /* how many items there are */
  uint64_t changes;      /* insertions and removals since it was built */
  double origin[3];      /* a corner of the first item; boxes are relative to it */
  /* By node. */
  float *boxes;                   /* dimensions x 2 x WEND_RTREE_FAN */
  uint32_t *children;             /* WEND_RTREE_FAN: nodes, or items of a leaf */
  uint8_t *count;                 /* of children */
  uint32_t nodes, used, capacity; /* nodes in use; nodes in use or free */
  uint32_t free_node;             /* the first free node; children[0] of each is the next one; WEND_NONE: there is none */
  /* While it is built. */
  struct wend_rtree_entry *entries;
  struct wend_rtree_center *centers;
  uint32_t entries_capacity, centers_capacity;
} wend_rtree;

/* Computes the distance of an item from a point, the item's nearest point and its id, into *near. The distance must not be less
 * than that of the item's box. False: the item is left out. */
typedef bool (*wend_measure_fn)(const void *ud, uint32_t item, const double *point, wend_near *near);
/* Whether the line of the question hits an item. The owner keeps the line in `ud`. */
typedef bool (*wend_hit_fn)(const void *ud, uint32_t item);

/* Frees all memory. The tree is then empty and not ready. All calls for one tree must use the same allocator. */
void wend_rtree_free(wend_rtree *index, const wend_alloc *alloc);
/* The memory held, in bytes, except the struct itself and what is held while the tree is built. */
size_t wend_rtree_bytes(const wend_rtree *index);
/* Building: begin, collect each of at most `most` items, finish. False: no memory; the tree is not ready. A tree of no items
 * is ready as well. The time is O(n log n) for n items. */
bool wend_rtree_begin(wend_rtree *index, const wend_alloc *alloc, int dimensions, uint32_t most);
void wend_rtree_collect(wend_rtree *index, uint32_t item, const wend_box *box);
bool wend_rtree_finish(wend_rtree *index, const wend_alloc *alloc);
/* Edits of a tree that is ready; of any other they do nothing. Afterwards the tree is not ready if memory ran out, if an item
 * to be moved was not found, if the first item came into an empty tree, or if so much has changed that building the tree again
 * is better. The owner then builds it again before the next question. remove, move: `box` and `from` must be the box that the
 * item was collected or inserted with. */
void wend_rtree_insert(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *box);
void wend_rtree_remove(wend_rtree *index, uint32_t item, const wend_box *box);
void wend_rtree_move(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *from, const wend_box *to);

/* Finds the k >= 1 items nearest to a point, among those at most `most` away (INFINITY: no limit). They go into `found`, which
 * has room for k, sorted by distance, then by id. Returns how many were found. The tree is ready. */
uint32_t wend_rtree_nearest(const wend_rtree *index, const double *point, double most, uint32_t k, wend_measure_fn measure,
                            const void *ud, wend_near *found);
/* Whether `hit` is true for any item whose box is at most `radius` away from the segment from a to b, in x and y. `hit` is
 * called for those items, and for some that are a little farther away, until it is true. The tree is ready. */
bool wend_rtree_line(const wend_rtree *index, const double *a, const double *b, double radius, wend_hit_fn hit, const void *ud);

#endif
