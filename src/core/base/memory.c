/* SPDX-License-Identifier: MIT */
/* The default allocator, growable arrays, and the codes of wend_status.
 *
 * Invariant: a pointer and its capacity always describe the block that the allocator returned last. They change together, and
 * only after a request was successful. So a failed request leaves the array as it was. */
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Allocates, moves or frees a block with the functions of C: see wend_alloc. */
static void *default_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  (void)ud;
  (void)old_bytes;
  if (new_bytes == 0) {
    free(block);
    return NULL;
  }
  return realloc(block, new_bytes);
}

const char *wend_version(void) { return WEND_VERSION; }

const char *wend_status_code(wend_status status) {
  switch (status) {
#define WEND_STATUS_CODE(name, code, text) \
  case WEND_##name: return code;
    WEND_STATUS_LIST(WEND_STATUS_CODE)
#undef WEND_STATUS_CODE
  }
  return "unknown";
}

void *wend_new_part(const wend_alloc *alloc, size_t bytes) {
  void *part = alloc->resize(alloc->ud, NULL, 0, bytes);
  if (part != NULL) memset(part, 0, bytes);
  return part;
}

void *wend_new(const wend_alloc *alloc, size_t bytes) {
  const wend_alloc owner = alloc != NULL ? *alloc : (wend_alloc){default_resize, NULL};
  void *object = wend_new_part(&owner, bytes);
  if (object != NULL) memcpy(object, &owner, sizeof owner);
  return object;
}

void wend_delete(void *object, size_t bytes) {
  wend_alloc owner;
  memcpy(&owner, object, sizeof owner);
  owner.resize(owner.ud, object, bytes, 0);
}

bool wend_resize(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes) {
  void *block, *moved;
  memcpy(&block, array, sizeof block); /* memcpy, because *array is a pointer of another type */
  if (wanted == *capacity) return true;
  if (wanted >= WEND_NONE || wanted > SIZE_MAX / item_bytes) return false;
  moved = alloc->resize(alloc->ud, block, *capacity * item_bytes, (size_t)wanted * item_bytes);
  if (moved == NULL && wanted > 0) return false;
  memcpy(array, &moved, sizeof moved);
  *capacity = (uint32_t)wanted;
  return true;
}

/* The new capacity of an array that grows: half as much again and 8, or `wanted` if that is more. */
static uint64_t grown_capacity(uint32_t capacity, uint64_t wanted) {
  uint64_t more = capacity + (uint64_t)capacity / 2 + 8;
  if (more >= WEND_NONE) more = WEND_NONE - 1;
  return wanted > more ? wanted : more;
}

bool wend_enlarge(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes) {
  return wend_resize(alloc, array, capacity, grown_capacity(*capacity, wanted), item_bytes);
}

bool wend_grow_clear(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes) {
  const size_t old = *capacity;
  char *block;
  if (!wend_grow(alloc, array, capacity, wanted, item_bytes)) return false;
  memcpy(&block, array, sizeof block);
  if (*capacity > old) memset(block + old * item_bytes, 0, (*capacity - old) * item_bytes);
  return true;
}

bool wend_resize_columns(const wend_alloc *alloc, const wend_column *columns, int count, uint32_t *capacity, uint64_t wanted) {
  uint32_t each = *capacity;
  for (int i = 0; i < count; i++) {
    each = *capacity;
    if (wend_resize(alloc, columns[i].array, &each, wanted, columns[i].item_bytes)) continue;
    while (i-- > 0) { /* the columns before this one get their old capacity back */
      each = (uint32_t)wanted;
      (void)wend_resize(alloc, columns[i].array, &each, *capacity, columns[i].item_bytes);
    }
    return false;
  }
  *capacity = each;
  return true;
}

bool wend_grow_columns(const wend_alloc *alloc, const wend_column *columns, int count, uint32_t *capacity, uint64_t wanted) {
  if (wanted <= *capacity) return true;
  return wend_resize_columns(alloc, columns, count, capacity, grown_capacity(*capacity, wanted));
}

void wend_free(const wend_alloc *alloc, void *array, uint64_t capacity, size_t item_bytes) {
  if (array != NULL) alloc->resize(alloc->ud, array, (size_t)capacity * item_bytes, 0);
}
