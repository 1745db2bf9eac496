/* SPDX-License-Identifier: MIT */
/* The open places of a search: takes the next one from the queue (queue.h), makes buckets wider, and changes from buckets to the
 * heap. A part of kernel.c. */

/* Pushes a node that was in the buckets into the heap, unless its entry is out of date. */
static void move_to_heap(wend_search *s, uint32_t node) {
  const wend_mark *mark = wend_marks_of(&s->marks, node);
  wend_heap_entry entry = {mark->g + wend_estimate(&s->estimator, node), node,
                           s->grid != NULL ? 0 : wend_marks_arrival(&s->marks, node)->edge_count};
  if ((mark->stamp & MARK_OPEN) != 0) wend_heap_push(&s->heap, entry);
}

/* Moves all nodes from the buckets to the heap during a search. False: no memory. */
static bool switch_to_heap(wend_search *s) {
  wend_buckets *b = &s->buckets;
  uint64_t all = (uint64_t)b->far_count + 1;
  all += b->items_used; /* more than the nodes in the ring */
  if (b->failed || all >= WEND_NONE || !wend_heap_reserve(&s->heap, &s->alloc, (uint32_t)all)) return false;
  for (unsigned slot = 0; slot < RING; slot++)
    for (uint32_t top = wend_bucket_take(b, slot); top != 0; top = wend_chunk_above(b, top))
      for (uint32_t i = top | (CHUNK - 1); i >= top; i--) move_to_heap(s, b->items[i]);
  for (uint32_t i = 0; i < b->far_count; i++) move_to_heap(s, b->far[i].node);
  wend_buckets_empty(b);
  s->use_heap = true;
  return true;
}

/* Moves all open nodes from the ring to the far list. */
static void empty_ring(wend_search *s) {
  wend_buckets *b = &s->buckets;
  for (int64_t k = b->ring.at; k <= b->ring.top; k++) {
    for (uint32_t top = wend_bucket_take(b, (unsigned)(k & (RING - 1))); top != 0; top = wend_chunk_above(b, top)) {
      for (uint32_t i = top | (CHUNK - 1); i >= top; i--) {
        const wend_mark *mark = wend_marks_of(&s->marks, b->items[i]);
        if ((mark->stamp & MARK_OPEN) == 0) continue; /* out of date */
        wend_buckets_put_far(b, &s->alloc, mark->g + wend_estimate(&s->estimator, b->items[i]), b->items[i]);
      }
    }
  }
  wend_buckets_recycle(b);
  b->ring.top = b->ring.at - 1;
}

/* Makes the buckets wider: fills the ring again. */
static void widen_buckets(wend_search *s) {
  wend_buckets *b = &s->buckets;
  empty_ring(s);
  s->steps = 0;
  if (b->far_count > 0) wend_buckets_refill(b, &s->alloc, WIDEN);
}

/* Fills the ring again when it is empty, or widens it when its buckets are too narrow. False: the queue is empty. */
static WEND_NOINLINE bool refill(wend_search *s) {
  wend_buckets *b = &s->buckets;
  s->steps += b->far_count;
  if (s->steps > WEND_STEPS_MAX * (s->stats.expanded + RING)) widen_buckets(s);
  else if (b->far_count > 0 && b->ring.at > b->ring.top) wend_buckets_refill(b, &s->alloc, 1);
  return b->ring.at <= b->ring.top;
}

/* Pops the next open node. Entries of nodes that are no longer open are out of date and are skipped. WEND_NONE: no node is left
 * that could improve the result. */
WEND_INLINE uint32_t next_open(wend_search *s, hot_state *hot, const wend_expansion expansion, const bool heap,
                               const bool paged) {
  wend_buckets *b = &s->buckets;
  uint32_t node;
  do {
    if (heap) {
      if (s->heap.count == 0 && s->heap.level_first == s->heap.level_count) return WEND_NONE;
      node = wend_heap_next(&s->heap).node;
    } else {
      wend_ring *ring = &hot->ring;
      uint32_t under;
      while (b->tops[ring->at & (RING - 1)] == 0) {
        const int64_t from = ring->at;
        bool more;
        if (s->found && !s->goals.any_cost) return WEND_NONE; /* all later buckets cost more than the goal */
        do ring->at++;
        while (ring->at <= ring->top && b->tops[ring->at & (RING - 1)] == 0);
        /* With far nodes the ring must not move: it would pass their f. */
        if (b->far_count == 0) ring->end += (double)(ring->at - from);
        s->steps += (uint64_t)(ring->at - from);
        if (WEND_LIKELY(ring->at <= ring->top && s->steps <= WEND_STEPS_MAX * (hot->expanded + RING))) break;
        store_hot(s, hot);
        more = refill(s);
        *ring = b->ring;
        if (!more) return WEND_NONE;
      }
      node = wend_bucket_pop(b, ring->at, &under);
      /* What the node that is likely to come next needs, also of the cells above and below it. */
      if (paged && expansion == EXPAND_CELLS && under != 0) { /* 0: there is none */
        WEND_PREFETCH(wend_paged_mark(hot->sheets, under));
        WEND_PREFETCH(wend_paged_mark(hot->sheets, under - (uint32_t)hot->stride));
        WEND_PREFETCH(wend_paged_mark(hot->sheets, under + (uint32_t)hot->stride));
      }
      if (!paged) {
        const wend_mark *next = &hot->marks[under];
        WEND_PREFETCH(next);
        if (expansion == EXPAND_CELLS) {
          WEND_PREFETCH(next - hot->stride);
          WEND_PREFETCH(next + hot->stride);
        }
        if (expansion == EXPAND_JUMPS && s->weighted) {
          const uint16_t *kind = hot->kinds + under;
          WEND_PREFETCH(s->marks.directions + under);
          WEND_PREFETCH(kind);
          WEND_PREFETCH(kind - hot->stride);
          WEND_PREFETCH(kind + hot->stride);
        }
      }
    }
  } while (WEND_UNLIKELY((mark_of(hot, node, paged)->stamp & MARK_OPEN) == 0));
  return node;
}
