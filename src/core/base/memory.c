/* SPDX-License-Identifier: MIT */
/* The default allocator, growable arrays, tables of arrays, and the codes of wend_status.
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

/* ---- Tables of arrays --------------------------------------------------------------------------------------- */

/* Pointers are read and written by memcpy, because they are of many types. */

static void *get_pointer(const wend_array *row, const void *owner) {
  void *pointer;
  memcpy(&pointer, (const char *)owner + row->pointer, sizeof pointer);
  return pointer;
}

static void set_pointer(const wend_array *row, void *owner, void *pointer) {
  memcpy((char *)owner + row->pointer, &pointer, sizeof pointer);
}

static uint32_t get_capacity(const wend_array *row, const void *owner) {
  uint32_t capacity;
  memcpy(&capacity, (const char *)owner + row->capacity, sizeof capacity);
  return capacity;
}

static void set_capacity(const wend_array *row, void *owner, uint32_t capacity) {
  memcpy((char *)owner + row->capacity, &capacity, sizeof capacity);
}

static size_t bytes_of(const wend_array *row, const void *owner) { return (size_t)get_capacity(row, owner) * row->item_bytes; }

#define FOR_ROWS(arrays, wanted, row)                                                       \
  for (const wend_array *row = (arrays).rows; row != (arrays).rows + (arrays).count; row++) \
    if ((row->bits & (wanted)) != 0)

static void free_row(const wend_array *row, const wend_alloc *alloc, void *owner) {
  void *pointer = get_pointer(row, owner);
  if (pointer != NULL) alloc->resize(alloc->ud, pointer, bytes_of(row, owner), 0);
  set_pointer(row, owner, NULL);
}

size_t wend_arrays_bytes(wend_arrays arrays, uint32_t bits, const void *owner) {
  size_t bytes = 0;
  FOR_ROWS(arrays, bits, row) bytes += get_pointer(row, owner) != NULL ? bytes_of(row, owner) : 0;
  return bytes;
}

void wend_arrays_free(wend_arrays arrays, uint32_t bits, const wend_alloc *alloc, void *owner) {
  FOR_ROWS(arrays, bits, row) free_row(row, alloc, owner);
  wend_arrays_forget(arrays, bits, owner);
}

void wend_arrays_forget(wend_arrays arrays, uint32_t bits, void *owner) {
  FOR_ROWS(arrays, bits, row) set_pointer(row, owner, NULL), set_capacity(row, owner, 0);
}

bool wend_arrays_copy(wend_arrays arrays, uint32_t bits, const wend_alloc *alloc, const void *from, void *to) {
  /* First all rows are freed that have another size: a capacity can be that of several rows. */
  FOR_ROWS(arrays, bits, row)
  if (get_pointer(row, from) == NULL || get_capacity(row, from) != get_capacity(row, to)) free_row(row, alloc, to);
  FOR_ROWS(arrays, bits, row) set_capacity(row, to, get_capacity(row, from));
  FOR_ROWS(arrays, bits, row) {
    void *copy = get_pointer(row, to);
    if (get_pointer(row, from) == NULL) continue;
    if (copy == NULL) copy = alloc->resize(alloc->ud, NULL, 0, bytes_of(row, from));
    if (copy == NULL) return false;
    memcpy(copy, get_pointer(row, from), bytes_of(row, from));
    set_pointer(row, to, copy);
  }
  return true;
}

void wend_arrays_exchange(wend_arrays arrays, uint32_t bits, void *one, void *other) {
  uint32_t last = UINT32_MAX; /* the offset of the capacity that was exchanged last */
  FOR_ROWS(arrays, bits, row) {
    void *pointer = get_pointer(row, one);
    const uint32_t capacity = get_capacity(row, one);
    set_pointer(row, one, get_pointer(row, other));
    set_pointer(row, other, pointer);
    if (row->capacity == last) continue;
    set_capacity(row, one, get_capacity(row, other));
    set_capacity(row, other, capacity);
    last = row->capacity;
  }
}

bool wend_arrays_share(const wend_alloc *alloc, uint32_t **users) {
  if (*users == NULL) {
    *users = wend_new_part(alloc, sizeof **users);
    if (*users == NULL) return false;
    **users = 1;
  }
  ++**users;
  return true;
}

bool wend_arrays_leave(const wend_alloc *alloc, uint32_t **users) {
  uint32_t *const count = *users;
  *users = NULL;
  if (count == NULL) return true;
  if (--*count > 0) return false;
  alloc->resize(alloc->ud, count, sizeof *count, 0);
  return true;
}
