/* SPDX-License-Identifier: MIT */
/* The open list of a search: nodes by f, the least first.
 *
 * Buckets    a ring of lists, one for each stretch of f as wide as a tenth of a typical edge; the last in is the
 *            first out. Within a bucket the order is not that of f, so a node may be expanded again with a lower
 *            cost: that is rare, and far cheaper than the mispredicted branches of a heap (bench/README.md). The
 *            search stays exact because it goes on until nothing is left below the goal's cost.
 *
 *              at        k & 2047                 ring: k = floor((f - base) / width), at <= k < at + 2048
 *            [ . | a-b | . | c | . | . | . ]      overflow: what lies beyond, with its f, in no order
 *
 * Heap       4-ary, ordered by f, then by edges, then by id: for costs that buckets do not suit, and for those who
 *            want to watch nodes settle in order.
 *
 * A node can stand in the list more than once; all but the first to come out are passed over by the search. */
#ifndef WEND_QUEUE_H
#define WEND_QUEUE_H

#include "core/bits.h"
#include "core/memory.h"

/* 200 typical edges of range: one jump of a hundred edges stays in the ring, and the heads in the L1 cache. */
#define RING 2048u
#define RING_WORDS (RING / 64)

typedef struct wend_entry {
  uint32_t node, next;
} wend_entry;

typedef struct wend_far {
  double f;
  uint32_t node;
} wend_far;

typedef struct wend_heap_entry {
  double f;
  uint32_t node, hops;
} wend_heap_entry;

typedef struct wend_buckets {
  double base, per_width; /* 1 / width */
  double end;             /* at + RING */
  int64_t at;
  uint32_t heads[RING];
  uint64_t filled[RING_WORDS]; /* one bit a bucket that is not empty */
  wend_entry *entries;
  uint32_t entries_capacity;
  uint32_t entries_used, entries_free; /* the first of those used and given back */
  wend_far *far;
  uint32_t far_capacity, far_count;
} wend_buckets;

typedef struct wend_heap {
  wend_heap_entry *entries;
  uint32_t capacity, count;
} wend_heap;

static inline void wend_buckets_init(wend_buckets *buckets) {
  for (unsigned i = 0; i < RING; i++) buckets->heads[i] = WEND_NONE;
  for (unsigned i = 0; i < RING_WORDS; i++) buckets->filled[i] = 0;
  buckets->entries_used = buckets->far_count = 0;
  buckets->entries_free = WEND_NONE;
}

/* Empties the buckets: costs what they hold, not what they could. */
static inline void wend_buckets_clear(wend_buckets *buckets) {
  for (unsigned w = 0; w < RING_WORDS; w++)
    for (uint64_t word = buckets->filled[w]; word != 0; word &= word - 1)
      buckets->heads[w * 64 + wend_lowest_bit(word)] = WEND_NONE;
  for (unsigned w = 0; w < RING_WORDS; w++) buckets->filled[w] = 0;
  buckets->entries_used = buckets->far_count = 0;
  buckets->entries_free = WEND_NONE;
}

static inline void wend_buckets_start(wend_buckets *buckets, double base, double width) {
  buckets->base = base;
  buckets->per_width = 1 / width;
  buckets->at = 0;
  buckets->end = RING;
}

/* Room for `count` more nodes, wherever they go, and for the overflow to come back into the ring. */
static inline bool wend_buckets_reserve(wend_buckets *buckets, const wend_alloc *alloc, uint32_t count) {
  uint64_t far = (uint64_t)buckets->far_count + count, entries = buckets->entries_used + far;
  if (WEND_LIKELY(entries <= buckets->entries_capacity && far <= buckets->far_capacity)) return true;
  return WEND_GROW(alloc, buckets->entries, buckets->entries_capacity, entries) &&
         WEND_GROW(alloc, buckets->far, buckets->far_capacity, far);
}

/* The bucket of f, or at least RING past the present one: overflow. */
WEND_INLINE int64_t wend_buckets_index(const wend_buckets *buckets, double f) {
  double scaled = (f - buckets->base) * buckets->per_width;
  int64_t k;
  if (WEND_UNLIKELY(!(scaled < buckets->end))) return INT64_MAX;
  k = (int64_t)scaled;
  return k < buckets->at ? buckets->at : k; /* rounding, or a heuristic that is not consistent */
}

WEND_INLINE void wend_buckets_push(wend_buckets *buckets, int64_t k, double f, uint32_t node) {
  uint32_t slot, entry;
  if (WEND_UNLIKELY(k == INT64_MAX)) {
    wend_far far = {f, node};
    buckets->far[buckets->far_count++] = far;
    return;
  }
  slot = (uint32_t)k & (RING - 1);
  entry = buckets->entries_free;
  if (entry != WEND_NONE)
    buckets->entries_free = buckets->entries[entry].next;
  else
    entry = buckets->entries_used++;
  buckets->entries[entry].node = node;
  buckets->entries[entry].next = buckets->heads[slot];
  buckets->heads[slot] = entry;
  buckets->filled[slot >> 6] |= (uint64_t)1 << (slot & 63);
}

/* Goes on to the next bucket that is not empty. False: the ring is empty. */
static inline bool wend_buckets_advance(wend_buckets *buckets) {
  uint32_t slot = (uint32_t)buckets->at & (RING - 1), w = slot >> 6;
  uint64_t word = buckets->filled[w] & (~(uint64_t)0 << (slot & 63));
  for (unsigned i = 0; i <= RING_WORDS; i++) {
    if (word != 0) {
      uint32_t found = w * 64 + wend_lowest_bit(word);
      buckets->at += (found - slot) & (RING - 1);
      buckets->end = (double)buckets->at + RING;
      return true;
    }
    w = (w + 1) & (RING_WORDS - 1);
    word = buckets->filled[w];
  }
  return false;
}

/* When the ring is empty and the overflow is not: goes on to the least f in it, with buckets `widen` times as wide,
 * and files what is now in reach. There is room. */
static inline void wend_buckets_refill(wend_buckets *buckets, double widen) {
  double least = buckets->far[0].f;
  uint32_t left = 0;
  for (uint32_t i = 1; i < buckets->far_count; i++)
    if (buckets->far[i].f < least) least = buckets->far[i].f;
  wend_buckets_start(buckets, least, widen / buckets->per_width);
  buckets->entries_used = 0;
  buckets->entries_free = WEND_NONE;
  for (uint32_t i = 0; i < buckets->far_count; i++) {
    wend_far far = buckets->far[i];
    int64_t k = wend_buckets_index(buckets, far.f);
    if (k == INT64_MAX)
      buckets->far[left++] = far;
    else
      wend_buckets_push(buckets, k, far.f, far.node);
  }
  buckets->far_count = left;
}

/* The node that comes out next of the present bucket; WEND_NONE: it is empty. */
WEND_INLINE uint32_t wend_buckets_pop(wend_buckets *buckets) {
  uint32_t slot = (uint32_t)buckets->at & (RING - 1), entry = buckets->heads[slot];
  uint32_t next;
  if (entry == WEND_NONE) {
    buckets->filled[slot >> 6] &= ~((uint64_t)1 << (slot & 63));
    return WEND_NONE;
  }
  next = buckets->entries[entry].next;
  buckets->heads[slot] = next;
  buckets->entries[entry].next = buckets->entries_free;
  buckets->entries_free = entry;
  return buckets->entries[entry].node;
}

#endif
