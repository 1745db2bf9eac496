/* SPDX-License-Identifier: MIT */
/* Keys, each once, numbered 0, 1, 2, ... in the order in which they were added. Their owner has arrays with an item for each number.
 * A hash table with linear probing finds the number of a key:
 *
 *     keys    0: 70   1: 12   2: 7                          the keys in the order of their numbers
 *     table   .  1  .  3  .  .  2  .                        1 + a number; . is 0: empty. At most half of it is used */
#ifndef WEND_KEYS_H
#define WEND_KEYS_H

#include "core/base/memory.h"

typedef struct wend_keys {
  uint64_t *keys;
  uint32_t *table;
  uint32_t capacity, count;
  uint32_t table_capacity; /* a power of two, or 0 */
} wend_keys;

/* The number of a key; WEND_NONE: it was not added. */
uint32_t wend_keys_find(const wend_keys *keys, uint64_t key);
/* Makes room for `more` further keys. False: no memory, and nothing has changed. */
bool wend_keys_reserve(wend_keys *keys, const wend_alloc *alloc, uint32_t more);
/* Adds a key that was not added, for which there is room. Returns its number. */
uint32_t wend_keys_add(wend_keys *keys, uint64_t key);
/* Forgets all keys. Takes O(keys). */
void wend_keys_clear(wend_keys *keys);
/* Makes an empty object a copy of another one. False: no memory. */
bool wend_keys_copy(wend_keys *keys, const wend_alloc *alloc, const wend_keys *from);
/* Frees all memory. The memory, in bytes. */
void wend_keys_free(wend_keys *keys, const wend_alloc *alloc);
size_t wend_keys_bytes(const wend_keys *keys);

#endif
