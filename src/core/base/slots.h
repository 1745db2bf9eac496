/* SPDX-License-Identifier: MIT */
/* Slots give ids to things. An id is a slot and the generation of the slot. A removal raises the generation: the
 * slot can be used again, and no old id names the new thing.
 *
 *   id          | generation (21 bits) | slot + 1 (32 bits) |
 *   value       a number for each slot, which its owner chooses; WEND_NONE: the slot is free
 *   generation  a number for each slot; allocated by the first removal: before, all are 0
 *   vacant      a bit for each slot: it is free and can be used again; allocated by the first removal as well
 *
 * A slot is free for good once its generations are used up. */
#ifndef WEND_SLOTS_H
#define WEND_SLOTS_H

#include "core/base/memory.h"

/* 21 bits keep ids below 2^53, so that a double can hold them. */
#define WEND_GENERATION_MAX ((1u << 21) - 1u)

typedef struct wend_slots {
  uint32_t *value;
  uint32_t capacity; /* of value */
  uint32_t count;    /* slots in use or free: 0 .. count - 1 */
  uint32_t live;
  uint32_t *generation;
  uint32_t generation_capacity;
  uint64_t *vacant;
  uint32_t vacant_capacity; /* words */
  uint32_t vacant_count;    /* bits set */
  uint32_t cursor;          /* where the next search for vacant slots begins */
  uint32_t reserved;        /* the first slot that wend_slots_take takes */
} wend_slots;

void wend_slots_free(wend_slots *slots, const wend_alloc *alloc);
size_t wend_slots_bytes(const wend_slots *slots);
/* Finds `count` vacant slots in a row, or makes room for new ones: slots->reserved is the first. False: no memory. */
bool wend_slots_reserve(wend_slots *slots, const wend_alloc *alloc, uint32_t count);
/* Takes the `count` slots that were reserved last, and sets their values. Returns the first. Cannot fail. */
uint32_t wend_slots_take(wend_slots *slots, uint32_t count, uint32_t value);
/* Allocates all that wend_slots_remove needs. False: no memory. */
bool wend_slots_ready(wend_slots *slots, const wend_alloc *alloc);
void wend_slots_remove(wend_slots *slots, uint32_t slot);
/* Whether a slot is free for good. */
bool wend_slots_is_used_up(const wend_slots *slots, uint32_t slot);
/* Restores saved slots: first `count` free ones, then each that is in use. generations: 4 bytes for each slot,
 * little-endian; WEND_GENERATION_MAX + 1: it is free for good; NULL: all are 0. wend_slots_restore: false: no
 * memory. wend_slots_revive: false: the slot is in use already, or free for good. */
bool wend_slots_restore(wend_slots *slots, const wend_alloc *alloc, uint32_t count, const uint8_t *generations);
bool wend_slots_revive(wend_slots *slots, uint32_t slot, uint32_t value);
/* Frees unused room of `value`. */
void wend_slots_trim(wend_slots *slots, const wend_alloc *alloc);

static inline wend_id wend_slots_id(const wend_slots *slots, uint32_t slot) {
  return ((uint64_t)(slots->generation != NULL ? slots->generation[slot] : 0) << 32) + slot + 1;
}

/* The slot that an id names; WEND_NONE: it names none. */
static inline uint32_t wend_slots_find(const wend_slots *slots, wend_id id) {
  uint32_t slot = (uint32_t)id - 1u;
  uint32_t generation = (uint32_t)(id >> 32);
  if (slot >= slots->count || slots->value[slot] == WEND_NONE) return WEND_NONE;
  if ((slots->generation != NULL ? slots->generation[slot] : 0) != generation) return WEND_NONE;
  return slot;
}

#endif
