/* SPDX-License-Identifier: MIT */
/* The queue of a search: the open nodes, the least f first. f is the cost of the path to a node + the estimate of the rest.
 * There are two kinds of queue.
 *
 * Buckets    a ring of 2048 stacks. Each covers a range of f as wide as a tenth of the cost of a typical step. A node goes into
 *            bucket number k = floor((f - base) / width), and bucket k is in slot k & 2047 of the ring:
 *
 *              slot       0   1   2    ...    6   7   8    ...   2047
 *              bucket   [2048|2049|2050| ... |2054| 7 | 8 | ... |2047]        at = 7, end = 2055
 *
 *            `at` is the bucket to pop from, and `end` the first bucket that does not fit. `top` is the highest bucket that
 *            was used. Nodes from `end` on are in the list `far`, with their f and in no order.
 *
 *            An example. Typical steps cost 10, so the width is 1. The search begins with f = 100, so base = 100, at = 0 and
 *            end = 2048.
 *
 *              push f =  100.0    bucket    0, slot 0
 *              push f =  107.6    bucket    7, slot 7
 *              push f = 2147.9    bucket 2047, slot 2047, the last that fits
 *              pop                100.0, from bucket 0. Buckets 1 .. 6 are empty, so `at` moves to 7. The ring turns: the slots
 *                                 0 .. 6 now stand for buckets 2048 .. 2054, and `end` is 2055. The drawing shows this state
 *              push f = 2150.0    bucket 2050, slot 2, because 2050 & 2047 = 2
 *              push f = 3000.0    bucket 2900 is not below `end`: into `far`
 *              push f =  105.0    bucket 5 has been passed: into bucket 7 instead
 *              pop                105.0 and 107.6, then 2147.9 from bucket 2047, then 2150.0 from bucket 2050
 *              refill             the ring is empty. It starts again at the least f in `far`: base = 3000, at = 0
 *
 *            While `far` has nodes, `end` stays where it is. So all nodes in the ring have a lower f than all nodes in `far`.
 *            If `end` went on to 2901 in the example, a node with f = 3000.5 would be in the ring, and popped before 3000.0.
 *
 *            The invariant: nodes are only in the buckets at .. top, and top < end <= at + 2048. So no two of these buckets
 *            share a slot.
 *
 *            Within a bucket nodes are not sorted by f. So a node may be expanded too early, and again when it gets
 *            cheaper. That is rare, and far cheaper than the mispredicted branches of a heap (bench/README.md). The
 *            search stays exact because it continues until no f below the cost of the goal is left.
 *
 * Heap       4-ary, ordered by f, then by the number of edges.
 *            For costs that do not suit buckets: many costs of zero, or costs of very different sizes. The children of entry i
 *            are the entries 4i + 1 .. 4i + 4, and none is less than its parent:
 *
 *              index     0   1  2  3  4   5  6
 *              f         2 | 5  3  9  4 | 6            5 to 8 are the children of 1
 *              push 1    1 | 2  3  9  4 | 6  5         1 starts at index 6 and changes places with its parents 5 and 2
 *              pop       2 | 5  3  9  4 | 6            takes 1. The last entry, 5, sinks from the top: 2 is less and moves up
 *
 *            Where steps cost 0, many nodes have the f of the node that was popped last, and one edge more. All other entries are
 *            less, or they are pushed later, and have no less. So these are in a list beside the heap, in the order in which they
 *            were pushed. A node is popped from its front, unless the top of the heap is less.
 *
 * A node can be in the queue more than once. The search skips all entries but the first that it pops. */
#ifndef WEND_QUEUE_H
#define WEND_QUEUE_H

#include "core/base/bits.h"
#include "core/base/memory.h"

#include <string.h>

/* The number of buckets in the ring, a power of two. The ring covers the cost of 200 typical steps. So an edge that costs a
 * hundred typical steps stays in the ring, and the headers of the buckets (32 KB) mostly stay in the L1 cache. */
#define RING 2048u

/* All buckets share one array, in chunks of this many items, a power of two. A bucket is a list of chunks. Item 0 of a chunk is
 * the link to the chunk below it, and the nodes lie from its end downwards. So the memory depends on the open nodes, not on the
 * number of buckets. An example: the nodes a .. q, pushed in this order into a bucket that was empty:
 *
 *      item       16  17  18  ...  29  30  31 | 32  33  ...  45  46  47
 *                  0   o   n  ...   c   b   a | 17   -  ...   -   q   p        tops[slot] = 46
 *
 * q is the top, at item 46. When q and p are popped, chunk 32 is free, and its link says that the top is now o, at item 17.
 * Chunk 0 is in no bucket: a top of 0 stands for an empty bucket. */
#define CHUNK 16u

/* A node beyond the ring. */
typedef struct wend_far {
  double f;
  uint32_t node;
} wend_far;

/* An entry of the heap. edge_count: the edges of the path to the node; 0 on grids. */
typedef struct wend_heap_entry {
  double f;
  uint32_t node, edge_count;
} wend_heap_entry;

/* The position of the ring. A running search works on its own copy. */
typedef struct wend_ring {
  double base, per_width; /* per_width: 1 / width */
  double end;             /* buckets below it are in the ring, others in `far`; at most at + RING */
  int64_t at, top;        /* the bucket to pop from; the highest bucket that was used; top < at: the ring is empty */
} wend_ring;

typedef struct wend_buckets {
  wend_ring ring;
  wend_far *far;
  uint32_t far_capacity, far_count;
  bool failed; /* a node was lost because an allocation failed */
  uint32_t *items;
  uint32_t items_capacity, items_used; /* the chunks from items_used on were not used since the ring was empty */
  uint32_t free_chunk; /* the first of the others that are in no bucket; each one's item 0 is the next; 0: none */
  uint32_t tops[RING]; /* by slot: the item of the node that was pushed last; 0: the bucket is empty */
} wend_buckets;

typedef struct wend_heap {
  wend_heap_entry *entries;
  uint32_t capacity, count;
  wend_heap_entry *level; /* entries from level_first on: beside the heap, in order */
  uint32_t level_capacity, level_first, level_count;
} wend_heap;

/* The width of a bucket: a tenth of the cost of a typical step. Narrower buckets would be empty more often, which costs little.
 * In wider buckets, more nodes would be expanded repeatedly (bench/README.md). If this would be 0, infinite or near the limits
 * of a double, the width is 1. */
static inline double wend_bucket_width(double typical) {
  const double width = typical / 10;
  return width >= 1e-280 && width <= 1e280 ? width : 1;
}

/* Buckets are too narrow if a search moves past more buckets than this for each expansion, on average. */
#define WEND_STEPS_MAX 4u

/* Makes room for the first chunks. False: no memory. */
static inline bool wend_buckets_ready(wend_buckets *buckets, const wend_alloc *alloc) {
  if (!WEND_GROW(alloc, buckets->items, buckets->items_capacity, 2 * CHUNK)) return false;
  if (buckets->items_used == 0) memset(buckets->items, 0, CHUNK * sizeof *buckets->items);
  buckets->items_used = CHUNK;
  return true;
}

/* Makes all chunks free. Precondition: all buckets are empty. */
static inline void wend_buckets_recycle(wend_buckets *buckets) {
  buckets->free_chunk = 0;
  buckets->items_used = CHUNK;
}

/* Empties the ring and `far`, and keeps their memory. The time depends on the buckets in use, at .. top, not on the size of the
 * ring. They may lie around its end. */
static inline void wend_buckets_empty(wend_buckets *buckets) {
  const int64_t at = buckets->ring.at, top = buckets->ring.top;
  const uint32_t first = (uint32_t)at & (RING - 1), count = top < at ? 0 : (uint32_t)(top - at + 1);
  const uint32_t straight = count < RING - first ? count : RING - first;
  assert(count <= RING);
  memset(buckets->tops + first, 0, straight * sizeof *buckets->tops);
  memset(buckets->tops, 0, (count - straight) * sizeof *buckets->tops);
  buckets->ring.top = at - 1;
  buckets->far_count = 0;
  buckets->failed = false;
  wend_buckets_recycle(buckets);
}

/* Prepares an empty ring for values of f from `base` on. */
static inline void wend_buckets_start(wend_buckets *buckets, double base, double width) {
  buckets->ring.base = base;
  buckets->ring.per_width = 1 / width;
  buckets->ring.at = 0;
  buckets->ring.top = -1;
  buckets->ring.end = RING;
}

/* Appends a node to `far`. */
static WEND_NOINLINE void wend_buckets_put_far(wend_buckets *buckets, const wend_alloc *alloc, double f, uint32_t node) {
  wend_far far = {f, node};
  if (WEND_GROW(alloc, buckets->far, buckets->far_capacity, (uint64_t)buckets->far_count + 1))
    buckets->far[buckets->far_count++] = far;
  else buckets->failed = true;
}

/* Whether a node can be put on top of a bucket whose top is this: into the same chunk, or into a free one. */
WEND_INLINE bool wend_bucket_has_room(const wend_buckets *buckets, uint32_t top) {
  return (top & (CHUNK - 1)) > 1 || buckets->free_chunk != 0;
}

/* Puts a node there. */
WEND_INLINE void wend_bucket_put(wend_buckets *buckets, uint32_t *top, uint32_t node) {
  uint32_t at = *top - 1;
  if ((*top & (CHUNK - 1)) <= 1) {
    const uint32_t chunk = buckets->free_chunk;
    buckets->free_chunk = buckets->items[chunk];
    buckets->items[chunk] = *top;
    at = chunk + CHUNK - 1;
  }
  buckets->items[at] = node;
  *top = at;
}

/* Takes the top node from a bucket that is not empty. *next: the node under it, or any place if there is none. */
WEND_INLINE uint32_t wend_bucket_pop(wend_buckets *buckets, int64_t k, uint32_t *next) {
  uint32_t *top = &buckets->tops[k & (RING - 1)], at = *top;
  const uint32_t node = buckets->items[at++];
  if ((at & (CHUNK - 1)) == 0) { /* the chunk is empty now */
    const uint32_t chunk = at - CHUNK;
    at = buckets->items[chunk];
    buckets->items[chunk] = buckets->free_chunk;
    buckets->free_chunk = chunk;
  }
  *top = at;
  *next = buckets->items[at];
  return node;
}

/* Takes all nodes from a bucket, to visit them in the order in which they were pushed:
 *
 *     for (uint32_t top = wend_bucket_take(buckets, slot); top != 0; top = wend_chunk_above(buckets, top))
 *       for (uint32_t i = top | (CHUNK - 1); i >= top; i--) ... buckets->items[i] ...
 *
 * The chunks stay in use until wend_buckets_recycle. */
static inline uint32_t wend_bucket_take(wend_buckets *buckets, unsigned slot) {
  uint32_t top = buckets->tops[slot], above = 0;
  buckets->tops[slot] = 0;
  while (top != 0) { /* turns the links around */
    uint32_t *link = &buckets->items[top & ~(CHUNK - 1)];
    const uint32_t below = *link;
    *link = above;
    above = top;
    top = below;
  }
  return above;
}

static inline uint32_t wend_chunk_above(const wend_buckets *buckets, uint32_t top) {
  return buckets->items[top & ~(CHUNK - 1)];
}

/* Puts a node on top of bucket k. False: no memory. */
static inline bool wend_bucket_push(wend_buckets *buckets, const wend_alloc *alloc, int64_t k, uint32_t node) {
  uint32_t *top = &buckets->tops[k & (RING - 1)];
  if (!wend_bucket_has_room(buckets, *top)) {
    const uint32_t chunk = buckets->items_used;
    if (!WEND_GROW(alloc, buckets->items, buckets->items_capacity, (uint64_t)chunk + CHUNK)) return false;
    buckets->items_used += CHUNK;
    buckets->items[chunk] = 0;
    buckets->free_chunk = chunk;
  }
  wend_bucket_put(buckets, top, node);
  return true;
}

/* Pushes a node that needs a new chunk, or lies beyond the ring. k: its bucket, or BEYOND. */
#define BEYOND -1
static WEND_NOINLINE void wend_buckets_push_rarely(wend_buckets *buckets, const wend_alloc *alloc, int64_t k, double f,
                                                   uint32_t node) {
  if (k == BEYOND) wend_buckets_put_far(buckets, alloc, f, node);
  else if (!wend_bucket_push(buckets, alloc, k, node)) buckets->failed = true;
}

/* Pushes a node into the bucket of its f, or into `far`. ring: buckets->ring, or the working copy of it. If no memory is left,
 * the node is lost and `failed` is set. */
WEND_INLINE void wend_buckets_push(wend_buckets *buckets, wend_ring *ring, const wend_alloc *alloc, double f, uint32_t node) {
  const double scaled = (f - ring->base) * ring->per_width;
  int64_t k = BEYOND;
  if (WEND_LIKELY(scaled < ring->end)) {
    uint32_t *top;
    /* f may be lower than before: by rounding, or by an inconsistent heuristic; by that even far below the ring. */
    k = (int64_t)(scaled > 0 ? scaled : 0);
    if (k < ring->at) k = ring->at;
    if (k > ring->top) ring->top = k;
    top = &buckets->tops[k & (RING - 1)];
    if (WEND_LIKELY(wend_bucket_has_room(buckets, *top))) {
      wend_bucket_put(buckets, top, node);
      return;
    }
  }
  wend_buckets_push_rarely(buckets, alloc, k, f, node);
}

/* Starts an empty ring again at the least f in `far`, with buckets `widen` times as wide, and moves the nodes that fit from
 * `far` into it. Precondition: `far` is not empty. */
static inline void wend_buckets_refill(wend_buckets *buckets, const wend_alloc *alloc, double widen) {
  double least = buckets->far[0].f;
  uint32_t all = buckets->far_count;
  for (uint32_t i = 1; i < all; i++)
    if (buckets->far[i].f < least) least = buckets->far[i].f;
  wend_buckets_start(buckets, least, widen / buckets->ring.per_width);
  buckets->far_count = 0; /* the pushes below write to `far` from its beginning, never past the item that is read */
  for (uint32_t i = 0; i < all; i++) wend_buckets_push(buckets, &buckets->ring, alloc, buckets->far[i].f, buckets->far[i].node);
}

/* Moves to the next bucket that is not empty. *steps counts the buckets and the far nodes that it looks at. False: the queue is
 * empty; or *steps exceeds `most`, so the buckets are too narrow. */
static inline bool wend_buckets_next(wend_buckets *buckets, wend_ring *ring, const wend_alloc *alloc, uint64_t *steps,
                                     uint64_t most) {
  do {
    ring->at++;
    if (buckets->far_count == 0) ring->end += 1;
    if (++*steps > most) return false;
    if (ring->at > ring->top) {
      if (buckets->far_count == 0) return false;
      *steps += buckets->far_count;
      buckets->ring = *ring;
      wend_buckets_refill(buckets, alloc, 1);
      *ring = buckets->ring;
    }
  } while (buckets->tops[ring->at & (RING - 1)] == 0);
  return true;
}

/* ---- Heap -------------------------------------------------------------------------------------------------- */

/* Makes room for `count` more entries. False: no memory. */
static inline bool wend_heap_reserve(wend_heap *heap, const wend_alloc *alloc, uint32_t count) {
  return WEND_GROW(alloc, heap->entries, heap->capacity, (uint64_t)heap->count + count);
}

/* Makes room for `count` more entries beside the heap. False: no memory. */
static inline bool wend_heap_reserve_level(wend_heap *heap, const wend_alloc *alloc, uint32_t count) {
  if (heap->level_first == heap->level_count) heap->level_first = heap->level_count = 0;
  return WEND_GROW(alloc, heap->level, heap->level_capacity, (uint64_t)heap->level_count + count);
}

/* Removes all entries, and keeps their memory. */
static inline void wend_heap_empty(wend_heap *heap) { heap->count = heap->level_first = heap->level_count = 0; }

/* The order of the heap: f, then edges. */
static inline bool wend_heap_less(const wend_heap_entry *a, const wend_heap_entry *b) {
  if (a->f != b->f) return a->f < b->f;
  return a->edge_count < b->edge_count;
}

/* Adds an entry. Precondition: wend_heap_reserve has made room. */
static inline void wend_heap_push(wend_heap *heap, wend_heap_entry entry) {
  wend_heap_entry *entries = heap->entries;
  uint32_t at = heap->count++;
  while (at > 0 && wend_heap_less(&entry, &entries[(at - 1) / 4])) {
    entries[at] = entries[(at - 1) / 4];
    at = (at - 1) / 4;
  }
  entries[at] = entry;
}

/* Removes the least entry and returns it. Precondition: the heap is not empty. */
static inline wend_heap_entry wend_heap_pop(wend_heap *heap) {
  wend_heap_entry *entries = heap->entries, top = entries[0], last = entries[--heap->count];
  uint32_t at = 0, count = heap->count;
  for (;;) {
    uint64_t child = (uint64_t)at * 4 + 1;
    uint32_t least;
    if (child >= count) break;
    least = (uint32_t)child;
    for (uint32_t k = least + 1; k < least + 4 && k < count; k++)
      if (wend_heap_less(&entries[k], &entries[least])) least = k;
    if (!wend_heap_less(&entries[least], &last)) break;
    entries[at] = entries[least];
    at = least;
  }
  entries[at] = last;
  return top;
}

/* The same for the heap and the entries beside it. */
static inline wend_heap_entry wend_heap_next(wend_heap *heap) {
  if (heap->level_first == heap->level_count ||
      (heap->count > 0 && wend_heap_less(heap->entries, heap->level + heap->level_first)))
    return wend_heap_pop(heap);
  return heap->level[heap->level_first++];
}

#endif
