/* SPDX-License-Identifier: MIT */
/* Slots and their generations. slots.h describes them, with an example.
 *
 * Invariants: a slot is in use (value is not WEND_NONE), or vacant (its bit is set), or free for good (neither). `live` and
 * `vacant_count` count the first two. A generation never falls, so no id is given twice. */
#include "core/base/slots.h"

#include <assert.h>
#include <string.h>

#include "core/base/bits.h"

#define WORD_OF(slot) ((slot) >> 6)
#define BIT_OF(slot) ((uint64_t)1 << ((slot)&63))
/* A search for vacant slots has this many steps, and two more for each slot that is wanted. A step passes one slot, or, where a
 * word of bits has no more vacant slots, up to 64. */
#define SEARCH_STEPS 256u

static const wend_array slots_rows[] = {WEND_ARRAY(wend_slots, value, capacity, 1),
                                        WEND_ARRAY(wend_slots, generation, generation_capacity, 1),
                                        WEND_ARRAY(wend_slots, vacant, vacant_capacity, 1)};
static const wend_arrays slots_arrays = WEND_ARRAYS(slots_rows);

void wend_slots_free(wend_slots *slots, const wend_alloc *alloc) {
  wend_arrays_free(slots_arrays, 1, alloc, slots);
  memset(slots, 0, sizeof *slots);
}

size_t wend_slots_bytes(const wend_slots *slots) { return wend_arrays_bytes(slots_arrays, 1, slots); }

uint32_t wend_slots_find(const wend_slots *slots, wend_id id) {
  uint32_t slot = (uint32_t)id - 1u;
  uint32_t generation = (uint32_t)(id >> 32);
  if (slot >= slots->count || slots->value[slot] == WEND_NONE) return WEND_NONE;
  if ((slots->generation != NULL ? slots->generation[slot] : 0) != generation) return WEND_NONE;
  return slot;
}

wend_id wend_slots_next(const wend_slots *slots, wend_id id) {
  uint32_t slot = (uint32_t)id; /* that of the id, + 1 */
  while (slot < slots->count && slots->value[slot] == WEND_NONE) slot++;
  return slot < slots->count ? wend_slots_id(slots, slot) : WEND_NO_ID;
}

/* Searches for `count` vacant slots in a row, from the cursor on. Returns the first; WEND_NONE: not found.
 *
 * A search has few steps, so the time for adding depends only on how much is added, not on how many slots there are. The next
 * search continues where this one ended, so every row of vacant slots is found by some later search. Until then, new slots are
 * appended at the end. Example: slots 3, 7, 8 and 9 are vacant, two in a row are wanted, the cursor is 0. The search passes
 * slot 3 (a row of one, which slot 4 ends), then finds 7 and 8. The result is 7 and the cursor is 9. */
static uint32_t find_run(wend_slots *slots, uint32_t count) {
  uint32_t slot = slots->cursor, row = 0;
  if (slots->vacant_count < count) return WEND_NONE;
  for (uint64_t steps = SEARCH_STEPS + (uint64_t)count * 2; steps > 0 && row < count; steps--) {
    uint64_t word;
    if (slot >= slots->count) slot = row = 0;
    word = slots->vacant[WORD_OF(slot)] >> (slot & 63);
    if (word == 0) { /* the rest of the word has none */
      slot = (slot | 63) + 1;
      row = 0;
    } else if ((word & 1) == 0) {
      slot += wend_lowest_bit(word);
      row = 0;
    } else {
      slot++;
      row++;
    }
  }
  if (row == count) return slot - count; /* wend_slots_take moves the cursor: what is reserved may not be taken */
  slots->cursor = slot - row;            /* the next search begins at the start of an unfinished row */
  return WEND_NONE;
}

bool wend_slots_reserve(wend_slots *slots, const wend_alloc *alloc, uint32_t count) {
  uint64_t all = (uint64_t)slots->count + count;
  slots->reserved = find_run(slots, count);
  if (slots->reserved != WEND_NONE) return true;
  slots->reserved = slots->count;
  if (all >= WEND_NONE) return false;
  if (!WEND_GROW(alloc, slots->value, slots->capacity, all)) return false;
  if (slots->generation == NULL) return true;
  return WEND_GROW_CLEAR(alloc, slots->generation, slots->generation_capacity, all) &&
         WEND_GROW_CLEAR(alloc, slots->vacant, slots->vacant_capacity, (all + 63) / 64);
}

/* Uses a row of vacant slots again. Their ids must be consecutive, so all get the highest of their generations: generations 1,
 * 3 and 2 become 3, 3 and 3. */
static void reuse(wend_slots *slots, uint32_t first, uint32_t count) {
  uint32_t generation = 0;
  for (uint32_t slot = first; slot < first + count; slot++) {
    if (slots->generation[slot] > generation) generation = slots->generation[slot];
    slots->vacant[WORD_OF(slot)] &= ~BIT_OF(slot);
  }
  for (uint32_t slot = first; slot < first + count; slot++) slots->generation[slot] = generation;
  slots->vacant_count -= count;
  slots->cursor = first + count;
}

uint32_t wend_slots_take(wend_slots *slots, uint32_t count, uint32_t value) {
  uint32_t first = slots->reserved;
  if (first < slots->count) reuse(slots, first, count);
  else slots->count += count;
  for (uint32_t slot = first; slot < first + count; slot++) slots->value[slot] = value;
  slots->live += count;
  return first;
}

bool wend_slots_ready(wend_slots *slots, const wend_alloc *alloc) {
  if (slots->generation != NULL) return true;
  return WEND_GROW_CLEAR(alloc, slots->vacant, slots->vacant_capacity, ((uint64_t)slots->capacity + 63) / 64) &&
         WEND_GROW_CLEAR(alloc, slots->generation, slots->generation_capacity, slots->capacity);
}

void wend_slots_remove(wend_slots *slots, uint32_t slot) {
  assert(slots->generation != NULL && slots->value[slot] != WEND_NONE);
  slots->value[slot] = WEND_NONE;
  slots->live--;
  if (slots->generation[slot] == WEND_GENERATION_MAX) return; /* free for good */
  slots->generation[slot]++;
  slots->vacant[WORD_OF(slot)] |= BIT_OF(slot);
  slots->vacant_count++;
}

bool wend_slots_is_used_up(const wend_slots *slots, uint32_t slot) {
  return slots->value[slot] == WEND_NONE && (slots->vacant[WORD_OF(slot)] & BIT_OF(slot)) == 0;
}

bool wend_slots_restore(wend_slots *slots, const wend_alloc *alloc, uint32_t count, const uint8_t *generations) {
  if (!WEND_RESIZE(alloc, slots->value, slots->capacity, count)) return false;
  for (uint32_t slot = 0; slot < count; slot++) slots->value[slot] = WEND_NONE;
  slots->count = count;
  if (generations == NULL) return true;
  if (!wend_slots_ready(slots, alloc)) return false;
  for (uint32_t slot = 0; slot < count; slot++, generations += 4) {
    const uint32_t generation =
        generations[0] | (uint32_t)generations[1] << 8 | (uint32_t)generations[2] << 16 | (uint32_t)generations[3] << 24;
    slots->generation[slot] = generation > WEND_GENERATION_MAX ? WEND_GENERATION_MAX : generation;
    if (generation > WEND_GENERATION_MAX) continue;
    slots->vacant[WORD_OF(slot)] |= BIT_OF(slot);
    slots->vacant_count++;
  }
  return true;
}

bool wend_slots_revive(wend_slots *slots, uint32_t slot, uint32_t value) {
  if (slots->value[slot] != WEND_NONE) return false;
  if (slots->vacant != NULL) {
    if ((slots->vacant[WORD_OF(slot)] & BIT_OF(slot)) == 0) return false;
    slots->vacant[WORD_OF(slot)] &= ~BIT_OF(slot);
    slots->vacant_count--;
  }
  slots->value[slot] = value;
  slots->live++;
  return true;
}

void wend_slots_trim(wend_slots *slots, const wend_alloc *alloc) {
  (void)WEND_RESIZE(alloc, slots->value, slots->capacity, slots->count);
}
