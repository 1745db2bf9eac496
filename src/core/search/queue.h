/* SPDX-License-Identifier: MIT */
/* The queue of a search: the open nodes by f, the least first. There are two kinds.
 *
 * Buckets    a ring of stacks. Each bucket covers a range of f that is a tenth of the cost of a typical step.
 *
 *              at      k & 2047         top       bucket number k = floor((f - base) / width)
 *            [ a b | c | . . . | d e f ]          the ring holds at <= k <= top, where top < at + 2048
 *
 *            Nodes beyond the ring are in `far`, with their f and in no order. While `far` has nodes, the ring does not
 *            move on: it empties, and is then filled again from the least f in `far`.
 *            Within a bucket nodes are not sorted by f. So a node may be expanded too early, and again when it gets
 *            cheaper. That is rare, and far cheaper than the mispredicted branches of a heap (bench/README.md). The
 *            search stays exact because it continues until no f below the cost of the goal is left.
 *
 * Heap       4-ary, ordered by f, then by the number of edges, then, if visits are recorded, by id (the greater first).
 *            For costs that do not suit buckets: many costs of zero, or costs of very different sizes.
 *
 * A node can be in the queue more than once. The search skips all entries but the first that it pops. */
#ifndef WEND_QUEUE_H
#define WEND_QUEUE_H

#include "core/base/bits.h"
#include "core/base/memory.h"

/* The ring covers 200 typical steps: an edge that is a hundred times as long stays in the ring, and the bucket headers stay in
 * the L1 cache. */
#define RING 2048u

/* The first capacity of a bucket. Few buckets ever need more, so a warm search soon allocates nothing. */
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

/* The position of the ring. A running search works on its own copy. */
typedef struct wend_ring {
  double base, per_width; /* per_width: 1 / width */
  double end;             /* numbers below it belong into the ring, others into `far`; at most at + RING */
  int64_t at, top;
} wend_ring;

typedef struct wend_buckets {
  wend_ring ring;
  wend_far *far;
  uint32_t far_capacity, far_count;
  bool failed; /* a node was lost because an allocation failed */
  wend_bucket slots[RING];
} wend_buckets;

typedef struct wend_heap {
  wend_heap_entry *entries;
  uint32_t capacity, count;
  wend_id (*id_of)(const void *ud, uint32_t node); /* orders entries that are equal otherwise; NULL: they are not ordered */
  const void *ud;
} wend_heap;

/* The width of a bucket: a tenth of the cost of a typical step, so that few buckets are empty. Buckets that are too narrow cost
 * little; in buckets that are too wide, many nodes are expanded repeatedly (bench/README.md). */
static inline double wend_bucket_width(double typical) {
  const double width = typical / 10;
  return width >= 1e-280 && width <= 1e280 ? width : 1;
}

/* Buckets are too narrow if the search moves past more buckets than this for each expansion. */
#define WEND_STEPS_MAX 4u

static inline void wend_buckets_free(wend_buckets *buckets, const wend_alloc *alloc) {
  for (unsigned i = 0; i < RING; i++) WEND_FREE(alloc, buckets->slots[i].nodes, buckets->slots[i].capacity);
  WEND_FREE(alloc, buckets->far, buckets->far_capacity);
}

/* Empties the buckets. The time depends on the range in use, not on the size of the ring. */
static inline void wend_buckets_empty(wend_buckets *buckets) {
  for (int64_t k = buckets->ring.at; k <= buckets->ring.top; k++) buckets->slots[k & (RING - 1)].count = 0;
  buckets->ring.top = buckets->ring.at - 1;
  buckets->far_count = 0;
  buckets->failed = false;
}

/* Prepares empty buckets for values of f from `base` on. */
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
  else buckets->failed = true;
}

static WEND_NOINLINE bool wend_bucket_grow(wend_bucket *bucket, const wend_alloc *alloc) {
  uint32_t wanted = bucket->capacity == 0 ? BUCKET_NODES : bucket->capacity * 2;
  return WEND_RESIZE(alloc, bucket->nodes, bucket->capacity, wanted);
}

/* Pushes a node into the bucket of its f, or into `far` if the ring ends before it. ring: that of the buckets, or the working
 * copy of it. */
WEND_INLINE void wend_buckets_push(wend_buckets *buckets, wend_ring *ring, const wend_alloc *alloc, double f, uint32_t node) {
  const double scaled = (f - ring->base) * ring->per_width;
  if (WEND_LIKELY(scaled < ring->end)) {
    int64_t k = (int64_t)scaled;
    wend_bucket *bucket;
    if (k < ring->at) k = ring->at; /* by rounding, or by a heuristic that is not consistent */
    if (k > ring->top) ring->top = k;
    bucket = &buckets->slots[k & (RING - 1)];
    if (WEND_LIKELY(bucket->count < bucket->capacity || wend_bucket_grow(bucket, alloc))) bucket->nodes[bucket->count++] = node;
    else buckets->failed = true;
  } else {
    wend_buckets_put_far(buckets, alloc, f, node);
  }
}

/* Moves an empty ring to the least f in `far`, with buckets `widen` times as wide, and moves the nodes that it covers into it.
 * `far` is not empty. */
static inline void wend_buckets_refill(wend_buckets *buckets, const wend_alloc *alloc, double widen) {
  double least = buckets->far[0].f;
  uint32_t all = buckets->far_count;
  for (uint32_t i = 1; i < all; i++)
    if (buckets->far[i].f < least) least = buckets->far[i].f;
  wend_buckets_start(buckets, least, widen / buckets->ring.per_width);
  buckets->far_count = 0; /* pushes refill `far` from its beginning, never ahead of the item that is read */
  for (uint32_t i = 0; i < all; i++) wend_buckets_push(buckets, &buckets->ring, alloc, buckets->far[i].f, buckets->far[i].node);
}

/* ---- Heap -------------------------------------------------------------------------------------------------- */

/* Makes room for `count` more entries. False: no memory. */
static inline bool wend_heap_reserve(wend_heap *heap, const wend_alloc *alloc, uint32_t count) {
  return WEND_GROW(alloc, heap->entries, heap->capacity, (uint64_t)heap->count + count);
}

static inline bool wend_heap_less(const wend_heap *heap, const wend_heap_entry *a, const wend_heap_entry *b) {
  if (a->f != b->f) return a->f < b->f;
  if (a->edge_count != b->edge_count) return a->edge_count < b->edge_count;
  if (heap->id_of == NULL) return false;
  return a->node != b->node && heap->id_of(heap->ud, a->node) > heap->id_of(heap->ud, b->node);
}

/* The caller has reserved room. */
static inline void wend_heap_push(wend_heap *heap, wend_heap_entry entry) {
  wend_heap_entry *entries = heap->entries;
  uint32_t at = heap->count++;
  while (at > 0 && wend_heap_less(heap, &entry, &entries[(at - 1) / 4])) {
    entries[at] = entries[(at - 1) / 4];
    at = (at - 1) / 4;
  }
  entries[at] = entry;
}

/* Removes the least entry. The heap is not empty. */
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
