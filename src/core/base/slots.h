/* SPDX-License-Identifier: MIT */
/* Slots give ids to nodes and edges. An id is a slot and the generation of the slot. A removal raises the generation: the slot
 * can be used again, and no old id names the new thing.
 *
 *   id          | generation (21 bits) | slot + 1 (32 bits) |
 *   value       a number for each slot, which its owner chooses; WEND_NONE: the slot is free
 *   generation  a number for each slot; allocated by the first removal: before, all are 0
 *   vacant      a bit for each slot: it is free and can be used again; allocated by the first removal as well
 *
 * An example: three things are added, and the one in slot 1 is removed twice.
 *
 *                       ids in slots 0, 1, 2            generation   vacant   live
 *   add three           1   2            3              0  0  0      0 0 0    3
 *   remove id 2         1   -            3              0  1  0      0 1 0    2
 *   add one             1   4294967298   3              0  1  0      0 0 0    3      4294967298 = 1 x 2^32 + 1 + 1
 *   remove that         1   -            3              0  2  0      0 1 0    2
 *   add one             1   8589934594   3              0  2  0      0 0 0    3      8589934594 = 2 x 2^32 + 1 + 1
 *
 * wend_slots_find of id 2 compares its generation, 0, with that of slot 1, now 2. They differ, so id 2 names nothing.
 *
 * A slot whose generation is WEND_GENERATION_MAX is free for good after the next removal: its ids are used up. */
#ifndef WEND_SLOTS_H
#define WEND_SLOTS_H

#include "core/base/memory.h"

/* 21 bits for generations keep ids below 2^53, so that a double holds them exactly: numbers in Lua 5.1 are doubles. */
#define WEND_GENERATION_MAX ((1u << 21) - 1u)

typedef struct wend_slots {
  uint32_t *value;
  uint32_t capacity; /* of value */
  uint32_t count;    /* slots, in use or free: 0 .. count - 1 */
  uint32_t live;     /* slots in use */
  uint32_t *generation;
  uint32_t generation_capacity;
  uint64_t *vacant;
  uint32_t vacant_capacity; /* words */
  uint32_t vacant_count;    /* bits set */
  uint32_t cursor;          /* where the next search for vacant slots begins */
  uint32_t reserved;        /* the first slot that wend_slots_take takes */
} wend_slots;

/* Frees all memory; there are no slots afterwards. All calls for one object must use the same allocator. */
void wend_slots_free(wend_slots *slots, const wend_alloc *alloc);
/* The memory held, in bytes, except the struct itself. */
size_t wend_slots_bytes(const wend_slots *slots);
/* The first step of adding, which can fail: finds `count` vacant slots in a row, or makes room for new ones at the end.
 * slots->reserved is the first of them. False: no memory; no slot has changed. */
bool wend_slots_reserve(wend_slots *slots, const wend_alloc *alloc, uint32_t count);
/* The second step, which cannot fail: takes the slots that the last wend_slots_reserve with this count found, and sets their
 * values. Returns the first. Their ids are consecutive. value: not WEND_NONE. */
uint32_t wend_slots_take(wend_slots *slots, uint32_t count, uint32_t value);
/* Allocates all that wend_slots_remove needs. False: no memory. */
bool wend_slots_ready(wend_slots *slots, const wend_alloc *alloc);
/* Frees a slot that is in use, and raises its generation. wend_slots_ready comes first. */
void wend_slots_remove(wend_slots *slots, uint32_t slot);
/* Whether a free slot is free for good. `vacant` is allocated. */
bool wend_slots_is_used_up(const wend_slots *slots, uint32_t slot);
/* Restores slots from a file, in an empty object: wend_slots_restore makes `count` free slots, then wend_slots_revive takes
 * each one that is in use. generations: 4 bytes for each slot, little-endian; WEND_GENERATION_MAX + 1 means free for good.
 * NULL: all are 0, and all slots will be revived. False: no memory. */
bool wend_slots_restore(wend_slots *slots, const wend_alloc *alloc, uint32_t count, const uint8_t *generations);
/* False: the slot is in use already, or free for good; nothing has changed. */
bool wend_slots_revive(wend_slots *slots, uint32_t slot, uint32_t value);
/* Frees unused room of `value`. Without memory to move it to, the room stays. */
void wend_slots_trim(wend_slots *slots, const wend_alloc *alloc);

static inline uint32_t wend_slots_generation(const wend_slots *slots, uint32_t slot) {
  return slots->generation != NULL ? slots->generation[slot] : 0;
}

/* The id of a slot that is in use. */
static inline wend_id wend_slots_id(const wend_slots *slots, uint32_t slot) {
  return ((uint64_t)wend_slots_generation(slots, slot) << 32) + slot + 1;
}

/* The slot that an id names; WEND_NONE: it names none. Any id may be asked about. */
uint32_t wend_slots_find(const wend_slots *slots, wend_id id);
/* The id in the next slot that is in use, after that of an id; WEND_NO_ID: the first one. WEND_NO_ID: there is none. */
wend_id wend_slots_next(const wend_slots *slots, wend_id id);

#endif
