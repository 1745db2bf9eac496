/* SPDX-License-Identifier: MIT */
/* Numbered keys: keys.h describes them. */
#include "core/base/keys.h"

#include <string.h>

#include "core/base/random.h"

/* The least size of a table. */
#define TABLE_MIN 16u

/* The cell of a key, or the empty one where it belongs. */
static uint32_t *cell_of_key(const wend_keys *keys, uint64_t key) {
  const uint32_t mask = keys->table_capacity - 1;
  uint32_t at = (uint32_t)wend_mix(key) & mask;
  while (keys->table[at] != 0 && keys->keys[keys->table[at] - 1] != key) at = (at + 1) & mask;
  return &keys->table[at];
}

uint32_t wend_keys_find(const wend_keys *keys, uint64_t key) {
  return keys->count > 0 ? *cell_of_key(keys, key) - 1u : WEND_NONE; /* of an empty cell: WEND_NONE */
}

bool wend_keys_reserve(wend_keys *keys, const wend_alloc *alloc, uint32_t more) {
  const uint64_t count = (uint64_t)keys->count + more;
  uint64_t wanted = keys->table_capacity > 0 ? keys->table_capacity : TABLE_MIN;
  if (!WEND_GROW(alloc, keys->keys, keys->capacity, count)) return false;
  if (2 * count <= keys->table_capacity) return true;
  while (wanted < 2 * count) wanted *= 2;
  if (!WEND_RESIZE(alloc, keys->table, keys->table_capacity, wanted)) return false;
  memset(keys->table, 0, keys->table_capacity * sizeof *keys->table);
  for (uint32_t i = 0; i < keys->count; i++) *cell_of_key(keys, keys->keys[i]) = i + 1;
  return true;
}

uint32_t wend_keys_add(wend_keys *keys, uint64_t key) {
  keys->keys[keys->count] = key;
  *cell_of_key(keys, key) = keys->count + 1;
  return keys->count++;
}

void wend_keys_clear(wend_keys *keys) {
  /* The last one first: each key is found as long as those before it are there. */
  for (; keys->count > 0; keys->count--) *cell_of_key(keys, keys->keys[keys->count - 1]) = 0;
}

static const wend_array key_rows[] = {WEND_ARRAY(wend_keys, keys, capacity, 1),
                                      WEND_ARRAY(wend_keys, table, table_capacity, 1)};
static const wend_arrays key_arrays = WEND_ARRAYS(key_rows);

bool wend_keys_copy(wend_keys *keys, const wend_alloc *alloc, const wend_keys *from) {
  keys->count = from->count;
  return wend_arrays_copy(key_arrays, 1, alloc, from, keys);
}

void wend_keys_free(wend_keys *keys, const wend_alloc *alloc) {
  wend_arrays_free(key_arrays, 1, alloc, keys);
  keys->count = 0;
}

size_t wend_keys_bytes(const wend_keys *keys) { return wend_arrays_bytes(key_arrays, 1, keys); }
