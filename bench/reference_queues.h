/* SPDX-License-Identifier: MIT */
/* The two open lists of the reference search, `bucket` and `heap`. Both get an entry for every push.
 *
 * Each gives the search template the same operations:
 *   NAME_reset(q, key)       empties it and keeps the memory; no later key is below `key`
 *   NAME_push(q, node, key)  adds a node
 *   NAME_narrow(q, limit)    from now on it may drop entries with keys of `limit` or more
 *   NAME_pop(q)              takes a node of least key; NONE: none below the limit is left
 * The bucket list compares only the numbers of buckets. So it may return a node whose key is a little above the least, or
 * above the limit.
 */
#ifndef WEND_BENCH_REFERENCE_QUEUES_H
#define WEND_BENCH_REFERENCE_QUEUES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define INLINE static inline __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))
#define RARELY(x) __builtin_expect(!!(x), 0)

/* The data of a search for a node. Stamps make clearing unnecessary: a label is of this search only if its stamp is that of the
 * search (even: in the open list) or one more (odd: expanded). */
typedef struct {
  double g;
  uint32_t parent;
  uint32_t stamp;
} label;

COLD static bool grow(void **items, uint32_t *capacity, size_t item_bytes) {
  uint32_t more = *capacity ? *capacity * 2 : 16;
  void *bigger = realloc(*items, more * item_bytes);
  if (!bigger) return false;
  *items = bigger;
  *capacity = more;
  return true;
}

/* ---- The ring of the bucket list -----------------------------------------------------------
 *
 *   bucket number = floor(key / width); slot = number mod size
 *   The ring has the numbers now .. now + size - 1. Entries with higher numbers wait in the overflow list, until `now` reaches
 *   the lowest number there. Example: width 2, size 8, now 3. Key 9.5 has number 4 and slot 4, key 21 number 10 and slot 2. Key
 *   23 has number 11 = now + 8 and waits.
 */
enum {
  RING_MOST = 4096 /* slots: the heads of more slots would not fit into a second-level cache */
};

typedef struct {
  double per_width; /* 1 / width */
  int64_t now;      /* no entry has a lower number */
  int64_t highest;  /* the highest number in the ring: every slot above it is empty */
  int64_t beyond;   /* the lowest number in the overflow list */
  int64_t last;     /* entries above this number do not matter */
  uint32_t size, mask;
} ring;

INLINE int64_t ring_number(const ring *r, double key) {
  double number = key * r->per_width;
  return number < 0x1p62 ? (int64_t)number : INT64_C(1) << 62;
}

INLINE void ring_reset(ring *r, double key) {
  r->now = ring_number(r, key);
  r->highest = r->now - 1;
  r->beyond = INT64_MAX;
  r->last = INT64_MAX - 1;
}

/* Moves `now` to the next number. False: nothing is left. */
INLINE bool ring_advance(ring *r) {
  r->now = r->now < r->highest ? r->now + 1 : r->beyond;
  return r->now <= r->last;
}

/* ---- bucket: arrays, newest first, duplicates allowed ------------------------------------- */
typedef struct {
  uint32_t *items;
  uint32_t count, capacity;
} bucket;

typedef struct {
  int64_t number;
  uint32_t node;
} far_entry;

typedef struct {
  ring ring;
  bucket *slots;
  far_entry *far; /* the overflow list */
  uint32_t far_count, far_capacity;
  bool failed; /* out of memory: entries were lost */
} bucket_queue;

INLINE void bucket_reset(bucket_queue *q, double key) {
  for (int64_t n = q->ring.now; n <= q->ring.highest; n++) q->slots[n & q->ring.mask].count = 0;
  ring_reset(&q->ring, key);
  q->far_count = 0;
}

COLD static void bucket_put_far(bucket_queue *q, uint32_t node, int64_t number) {
  if (q->far_count == q->far_capacity) {
    void *items = q->far;
    if (!grow(&items, &q->far_capacity, sizeof *q->far)) {
      q->failed = true;
      return;
    }
    q->far = items;
  }
  q->far[q->far_count++] = (far_entry){number, node};
  if (number < q->ring.beyond) q->ring.beyond = number;
}

COLD static bool bucket_grow(bucket *b) {
  void *items = b->items;
  if (!grow(&items, &b->capacity, sizeof *b->items)) return false;
  b->items = items;
  return true;
}

INLINE void bucket_put(bucket_queue *q, uint32_t node, int64_t number) {
  bucket *b = &q->slots[number & q->ring.mask];
  if (RARELY(b->count == b->capacity) && !bucket_grow(b)) {
    q->failed = true;
    return;
  }
  b->items[b->count++] = node;
  if (number > q->ring.highest) q->ring.highest = number;
}

INLINE void bucket_push(bucket_queue *q, uint32_t node, double key) {
  int64_t number = ring_number(&q->ring, key);
  /* Rounding can make a key a little less than that of its parent. It must not go behind the ring. */
  if (number < q->ring.now) number = q->ring.now;
  if (RARELY(number - q->ring.now >= q->ring.size)) bucket_put_far(q, node, number);
  else bucket_put(q, node, number);
}

/* Moves entries that the ring now reaches from the overflow list to the ring. Scans the list at most once for each turn of the
 * ring. */
COLD static void bucket_refill(bucket_queue *q) {
  uint32_t kept = 0;
  q->ring.beyond = INT64_MAX;
  for (uint32_t i = 0; i < q->far_count; i++) {
    far_entry e = q->far[i];
    if (e.number - q->ring.now < q->ring.size) {
      bucket_put(q, e.node, e.number);
    } else {
      q->far[kept++] = e;
      if (e.number < q->ring.beyond) q->ring.beyond = e.number;
    }
  }
  q->far_count = kept;
}

INLINE void bucket_narrow(bucket_queue *q, double limit) { q->ring.last = ring_number(&q->ring, limit); }

INLINE uint32_t bucket_pop(bucket_queue *q) {
  for (;;) {
    bucket *b = &q->slots[q->ring.now & q->ring.mask];
    if (b->count) return b->items[--b->count];
    if (!ring_advance(&q->ring)) return NONE;
    if (RARELY(q->ring.now >= q->ring.beyond)) bucket_refill(q);
  }
}

/* ---- heap: four children, root at 0 ------------------------------------------------------ */
typedef struct {
  double key;
  uint32_t node;
} heap_entry;

typedef struct {
  heap_entry *entries; /* entries[1], the first child, begins a cache line; so do all siblings */
  void *memory;
  uint32_t count, capacity;
  double limit;
  bool failed;
} heap_queue;

COLD static bool heap_grow(heap_queue *q) {
  enum { LINE = 64 };
  uint32_t more = q->capacity ? q->capacity * 2 : 1024;
  char *memory = malloc(more * sizeof(heap_entry) + 2 * LINE);
  if (!memory) {
    q->failed = true;
    return false;
  }
  heap_entry *entries = (heap_entry *)(memory + LINE - (uintptr_t)memory % LINE + LINE - sizeof(heap_entry));
  if (q->count) memcpy(entries, q->entries, q->count * sizeof *entries);
  free(q->memory);
  q->memory = memory;
  q->entries = entries;
  q->capacity = more;
  return true;
}

INLINE void heap_up(heap_queue *q, uint32_t i, heap_entry e) {
  while (i > 0) {
    uint32_t above = (i - 1) / 4;
    if (q->entries[above].key <= e.key) break;
    q->entries[i] = q->entries[above];
    i = above;
  }
  q->entries[i] = e;
}

/* Removes the root. The hole sinks to the bottom along the least children, and the last entry rises from there. This saves a
 * comparison on each level, because the last entry nearly always belongs near the bottom. */
INLINE uint32_t heap_pop(heap_queue *q) {
  if (q->count == 0 || !(q->entries[0].key < q->limit)) return NONE;
  heap_entry *entries = q->entries;
  uint32_t node = entries[0].node, count = --q->count, i = 0, child = 1;
  heap_entry last = entries[count];
  for (; child + 3 < count; child = 4 * i + 1) {
    uint32_t a = child + (entries[child + 1].key < entries[child].key);
    uint32_t b = child + 2 + (entries[child + 3].key < entries[child + 2].key);
    /* Without a branch, which could not be predicted. Compilers would make one of `? :` here. */
    uint32_t least = a ^ ((a ^ b) & -(uint32_t)(entries[b].key < entries[a].key));
    entries[i] = entries[least];
    i = least;
  }
  if (child < count) {
    uint32_t least = child;
    while (++child < count)
      if (entries[child].key < entries[least].key) least = child;
    entries[i] = entries[least];
    i = least;
  }
  if (count) heap_up(q, i, last);
  return node;
}

INLINE void heap_reset(heap_queue *q, double key) {
  (void)key;
  q->count = 0;
  q->limit = INFINITY;
}

INLINE void heap_push(heap_queue *q, uint32_t node, double key) {
  if (RARELY(q->count == q->capacity) && !heap_grow(q)) return;
  heap_up(q, q->count++, (heap_entry){key, node});
}

INLINE void heap_narrow(heap_queue *q, double limit) { q->limit = limit; }

#endif
