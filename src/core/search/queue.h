/* SPDX-License-Identifier: MIT */
/* The queue of a search, its open list: nodes by f, the least first.
 *
 * Buckets    a ring of lists, one for each stretch of f as wide as a tenth of a typical edge; the last in is the
 *            first out. Within a bucket the order is not that of f, so a node may be expanded again with a lower
 *            cost: that is rare, and far cheaper than the mispredicted branches of a heap (bench/README.md). The
 *            search stays exact because it goes on until nothing is left below the goal's cost.
 *
 *              at      k & 2047         top       ring: k = floor((f - base) / width), at <= k <= top < at + 2048
 *            [ a b | c | . . . | d e f ]          far: what lies beyond, with its f, in no order; while there
 *                                                 is any, the ring does not move on, but empties
 *
 * Heap       4-ary, ordered by f, then by the number of edges, then, for those who watch a search, by id (the greater
 *            first): for costs that buckets do not suit.
 *
 * A node can be in the queue more than once. The search passes over all but the first to come out. */
#ifndef WEND_QUEUE_H
#define WEND_QUEUE_H

#include "core/base/bits.h"
#include "core/base/memory.h"

/* 200 typical edges of range: one jump of a hundred edges stays in the ring, and the heads in the L1 cache. */
#define RING 2048u

/* Room that a bucket gets when it is first used: more than most ever need, so that memory is soon asked for no more. */
#define BUCKET_NODES 64u

typedef struct wend_bucket {
  uint32_t *nodes;
  uint32_t count, capacity;
} wend_bucket;

typedef struct wend_far {
  double f;
  uint32_t node;
} wend_far;

typedef struct wend_heap_entry {
  double f;
  uint32_t node, edge_count;
} wend_heap_entry;

/* Where the ring is. A search works on a copy of its own while it runs. */
typedef struct wend_ring {
  double base, per_width; /* 1 / width */
  double end;             /* at + RING, or less: nothing beyond the ring lies below it */
  int64_t at, top;
} wend_ring;

typedef struct wend_buckets {
  wend_ring ring;
  wend_far *far;
  uint32_t far_capacity, far_count;
  bool failed; /* a node was lost for want of memory */
  wend_bucket slots[RING];
} wend_buckets;

typedef struct wend_heap {
  wend_heap_entry *entries;
  uint32_t capacity, count;
  wend_id (*id_of)(const void *ud, uint32_t node); /* NULL: ids do not matter */
  const void *ud;
} wend_heap;

/* Buckets a tenth as wide as what a typical step costs: few of them are empty. Rather too narrow, which costs little, than
 * too wide, where many nodes would be expanded again and again (bench/README.md). */
static inline double wend_bucket_width(double typical) {
  const double width = typical / 10;
  return width >= 1e-280 && width <= 1e280 ? width : 1;
}

/* Where more steps from bucket to bucket than this are taken for each expansion, buckets are too narrow. */
#define WEND_STEPS_MAX 4u

static inline void wend_buckets_free(wend_buckets *buckets, const wend_alloc *alloc) {
  for (unsigned i = 0; i < RING; i++) WEND_FREE(alloc, buckets->slots[i].nodes, buckets->slots[i].capacity);
  WEND_FREE(alloc, buckets->far, buckets->far_capacity);
}

/* Empties the buckets: costs the stretch that is in use, not the ring. */
static inline void wend_buckets_empty(wend_buckets *buckets) {
  for (int64_t k = buckets->ring.at; k <= buckets->ring.top; k++) buckets->slots[k & (RING - 1)].count = 0;
  buckets->ring.top = buckets->ring.at - 1;
  buckets->far_count = 0;
  buckets->failed = false;
}

/* Lays out empty buckets. */
static inline void wend_buckets_start(wend_buckets *buckets, double base, double width) {
  buckets->ring.base = base;
  buckets->ring.per_width = 1 / width;
  buckets->ring.at = 0;
  buckets->ring.top = -1;
  buckets->ring.end = RING;
}

static WEND_NOINLINE void wend_buckets_put_far(wend_buckets *buckets, const wend_alloc *alloc, double f, uint32_t node) {
  wend_far far = {f, node};
  if (WEND_GROW(alloc, buckets->far, buckets->far_capacity, (uint64_t)buckets->far_count + 1))
    buckets->far[buckets->far_count++] = far;
  else
    buckets->failed = true;
}

static WEND_NOINLINE bool wend_bucket_grow(wend_bucket *bucket, const wend_alloc *alloc) {
  uint32_t wanted = bucket->capacity == 0 ? BUCKET_NODES : bucket->capacity * 2;
  return WEND_RESIZE(alloc, bucket->nodes, bucket->capacity, wanted);
}

/* Files a node by its f: into the ring, or, where that does not reach so far, beyond. ring: the buckets' own, or the copy
 * of it that is at work. */
WEND_INLINE void wend_buckets_push(wend_buckets *buckets, wend_ring *ring, const wend_alloc *alloc, double f, uint32_t node) {
  const double scaled = (f - ring->base) * ring->per_width;
  if (WEND_LIKELY(scaled < ring->end)) {
    int64_t k = (int64_t)scaled;
    wend_bucket *bucket;
    if (k < ring->at) k = ring->at; /* rounding, or a heuristic that is not consistent */
    if (k > ring->top) ring->top = k;
    bucket = &buckets->slots[k & (RING - 1)];
    if (WEND_LIKELY(bucket->count < bucket->capacity || wend_bucket_grow(bucket, alloc)))
      bucket->nodes[bucket->count++] = node;
    else
      buckets->failed = true;
  } else {
    wend_buckets_put_far(buckets, alloc, f, node);
  }
}

/* When the ring is empty and what is beyond is not: goes on to the least f there, with buckets `widen` times as wide,
 * and files what is now in reach. */
static inline void wend_buckets_refill(wend_buckets *buckets, const wend_alloc *alloc, double widen) {
  double least = buckets->far[0].f;
  uint32_t all = buckets->far_count;
  for (uint32_t i = 1; i < all; i++)
    if (buckets->far[i].f < least) least = buckets->far[i].f;
  wend_buckets_start(buckets, least, widen / buckets->ring.per_width);
  buckets->far_count = 0; /* it is filled again from its beginning, never faster than it is read */
  for (uint32_t i = 0; i < all; i++) wend_buckets_push(buckets, &buckets->ring, alloc, buckets->far[i].f, buckets->far[i].node);
}

/* ---- Heap -------------------------------------------------------------------------------------------------- */

/* Makes room for so many more. False: no memory. */
static inline bool wend_heap_reserve(wend_heap *heap, const wend_alloc *alloc, uint32_t count) {
  return WEND_GROW(alloc, heap->entries, heap->capacity, (uint64_t)heap->count + count);
}

static inline bool wend_heap_less(const wend_heap *heap, const wend_heap_entry *a, const wend_heap_entry *b) {
  if (a->f != b->f) return a->f < b->f;
  if (a->edge_count != b->edge_count) return a->edge_count < b->edge_count;
  if (heap->id_of == NULL) return false;
  return a->node != b->node && heap->id_of(heap->ud, a->node) > heap->id_of(heap->ud, b->node);
}

/* There is room. */
static inline void wend_heap_push(wend_heap *heap, wend_heap_entry entry) {
  wend_heap_entry *entries = heap->entries;
  uint32_t at = heap->count++;
  while (at > 0 && wend_heap_less(heap, &entry, &entries[(at - 1) / 4])) {
    entries[at] = entries[(at - 1) / 4];
    at = (at - 1) / 4;
  }
  entries[at] = entry;
}

/* The first; there is one. */
static inline wend_heap_entry wend_heap_pop(wend_heap *heap) {
  wend_heap_entry *entries = heap->entries, top = entries[0], last = entries[--heap->count];
  uint32_t at = 0, count = heap->count;
  for (;;) {
    uint64_t child = (uint64_t)at * 4 + 1;
    uint32_t least;
    if (child >= count) break;
    least = (uint32_t)child;
    for (uint32_t k = least + 1; k < least + 4 && k < count; k++)
      if (wend_heap_less(heap, &entries[k], &entries[least])) least = k;
    if (!wend_heap_less(heap, &entries[least], &last)) break;
    entries[at] = entries[least];
    at = least;
  }
  entries[at] = last;
  return top;
}

#endif
