/* SPDX-License-Identifier: MIT */
/* The memory of dead ends: ends.h has the contracts. */
#include "core/base/ends.h"

void wend_dead_ends_free(wend_dead_ends *ends, const wend_alloc *alloc) {
  if (ends == NULL) return;
  WEND_FREE(alloc, ends->part_of, ends->part_of_capacity);
  WEND_FREE(alloc, ends->parts, ends->parts_capacity);
  alloc->resize(alloc->ud, ends, sizeof *ends, 0);
}

size_t wend_dead_ends_bytes(const wend_dead_ends *ends) {
  return sizeof *ends + ends->part_of_capacity * sizeof *ends->part_of + ends->parts_capacity * sizeof *ends->parts;
}

bool wend_dead_ends_grow(wend_dead_ends *ends, const wend_alloc *alloc, uint64_t places) {
  if (places <= ends->place_count) return true;
  if (ends->part_of == NULL && ends->part_count > 0) return true; /* lost by a move; a second sync writes nothing */
  if (!WEND_GROW(alloc, ends->part_of, ends->part_of_capacity, places)) return false;
  for (uint32_t i = ends->place_count; i < places; i++) ends->part_of[i] = 0;
  ends->place_count = (uint32_t)places;
  return true;
}

void wend_dead_ends_move(wend_dead_ends *ends, const wend_alloc *alloc, const uint32_t *order, const uint32_t *place_at,
                         const uint32_t *slot_of, uint32_t places) {
  uint32_t *moved = NULL, capacity = 0;
  const bool done = WEND_RESIZE(alloc, moved, capacity, places);
  for (uint32_t i = 0; done && i < places; i++) moved[i] = order[i] < ends->place_count ? ends->part_of[order[i]] : 0;
  for (uint32_t k = 1; k < ends->part_count; k++) {
    uint32_t *at = &ends->parts[k].attached;
    if (*at != WEND_NONE) *at = slot_of[*at] != WEND_NONE ? place_at[*at] : WEND_NONE;
  }
  WEND_FREE(alloc, ends->part_of, ends->part_of_capacity);
  ends->part_of = moved;
  ends->part_of_capacity = capacity;
  ends->place_count = done ? places : 0;
}
