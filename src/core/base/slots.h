/* SPDX-License-Identifier: MIT */
/* Slots: what ids name. An id is a slot and the slot's generation; removing raises the generation, so that an old
 * id never names a new thing, while the memory of the slot is used again.
 *
 *   id          generation (21 bits) | slot + 1 (32 bits)
 *   value       one number a slot: its owner's, WEND_NONE in a free slot
 *   generation  made by the first removal; until then every slot is in use and of generation 0
 *   vacant      one bit a slot that can be used again; likewise */
#ifndef WEND_SLOTS_H
#define WEND_SLOTS_H

#include "core/base/memory.h"

/* 21 bits of generation keep ids below 2^53. A slot that has used them up is never used again. */
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
  uint32_t vacant_count; /* bits set */
  uint32_t cursor;       /* the slot where the last look for vacant ones ended */
  uint32_t reserved;     /* the first of the slots that are to be taken next */
} wend_slots;

void wend_slots_free(wend_slots *slots, const wend_alloc *alloc);
size_t wend_slots_bytes(const wend_slots *slots);
/* Finds or makes count slots for consecutive ids: from slots->reserved on. False: no memory. */
bool wend_slots_reserve(wend_slots *slots, const wend_alloc *alloc, uint32_t count);
/* Takes the slots that were reserved last, as many, with the value `value`; returns the first. Cannot fail. */
uint32_t wend_slots_take(wend_slots *slots, uint32_t count, uint32_t value);
/* Gets ready for a removal. After true, wend_slots_remove cannot fail. */
bool wend_slots_ready(wend_slots *slots, const wend_alloc *alloc);
void wend_slots_remove(wend_slots *slots, uint32_t slot);
/* Whether a slot that is free can never be used again. */
bool wend_slots_is_used_up(const wend_slots *slots, uint32_t slot);
/* Makes new slots as they were saved: `count` of them, all free; generations: 4 bytes each, little-endian, one more than
 * the last one where the slot is used up; NULL: all are 0. False: no memory. Then each in use is revived: false, it cannot
 * be. */
bool wend_slots_restore(wend_slots *slots, const wend_alloc *alloc, uint32_t count, const uint8_t *generations);
bool wend_slots_revive(wend_slots *slots, uint32_t slot, uint32_t value);
/* Room for all slots in value exactly. */
void wend_slots_trim(wend_slots *slots, const wend_alloc *alloc);

static inline wend_id wend_slots_id(const wend_slots *slots, uint32_t slot) {
  return ((uint64_t)(slots->generation != NULL ? slots->generation[slot] : 0) << 32) + slot + 1;
}

/* The slot that an id names, WEND_NONE: none. */
static inline uint32_t wend_slots_find(const wend_slots *slots, wend_id id) {
  uint32_t slot = (uint32_t)id - 1u;
  uint32_t generation = (uint32_t)(id >> 32);
  if (slot >= slots->count || slots->value[slot] == WEND_NONE) return WEND_NONE;
  if ((slots->generation != NULL ? slots->generation[slot] : 0) != generation) return WEND_NONE;
  return slot;
}

#endif
