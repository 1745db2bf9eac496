/* SPDX-License-Identifier: MIT */
/* Objects and growable arrays. All memory of the core is allocated by these functions, with the allocator of its owner. */
#ifndef WEND_MEMORY_H
#define WEND_MEMORY_H

#include <stddef.h>

#include "wend.h"

/* Allocates an object that begins with a wend_alloc: a copy of `alloc`, or of the default allocator if that is NULL. The rest is
 * zero. NULL: no memory. */
void *wend_new(const wend_alloc *alloc, size_t bytes);
/* Frees such an object, whose arrays were freed before. */
void wend_delete(void *object, size_t bytes);
/* Allocates `bytes` bytes, all zero. NULL: no memory. */
void *wend_new_part(const wend_alloc *alloc, size_t bytes);

/* Makes room for at least `wanted` items: wend_grow. wend_enlarge does it where the array is too small.
 *   array       the address of a pointer of any type, to items of item_bytes each; the pointer is NULL where *capacity is 0
 *   *capacity   how many items the array has room for
 * A full array grows by half its size and 8 items, so appending takes amortized constant time: 0, 8, 20, 38, 65, ... items.
 * The new items are not set. False: no memory, and nothing has changed. An array holds fewer than WEND_NONE items. */
bool wend_enlarge(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
static inline bool wend_grow(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes) {
  return wanted <= *capacity || wend_enlarge(alloc, array, capacity, wanted, item_bytes);
}
/* The same, and new items are zero. */
bool wend_grow_clear(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
/* As wend_grow, for exactly `wanted` items. It can shrink the array; with 0 it frees it. */
bool wend_resize(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
/* Arrays that share one capacity, like the columns of a table. All of them are resized, or none. */
typedef struct wend_column {
  void *array; /* the address of a pointer of any type */
  size_t item_bytes;
} wend_column;
#define WEND_COLUMN(array) \
  { &(array), sizeof *(array) }
bool wend_resize_columns(const wend_alloc *alloc, const wend_column *columns, int count, uint32_t *capacity, uint64_t wanted);
bool wend_grow_columns(const wend_alloc *alloc, const wend_column *columns, int count, uint32_t *capacity, uint64_t wanted);
/* Frees an array of `capacity` items. array: NULL does nothing. The caller's pointer and capacity stay as they are. */
void wend_free(const wend_alloc *alloc, void *array, uint64_t capacity, size_t item_bytes);

/* The same functions for a typed pointer. */
#define WEND_GROW(alloc, array, capacity, wanted) wend_grow(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_GROW_CLEAR(alloc, array, capacity, wanted) wend_grow_clear(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_RESIZE(alloc, array, capacity, wanted) wend_resize(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_FREE(alloc, array, capacity) wend_free(alloc, array, capacity, sizeof *(array))

/* Tables of the arrays of a struct: for each array its pointer and its capacity, and bits of the owner that say what it is for. So
 * what is done to all arrays is written once. Arrays that share a capacity have a row each, with equal bits. */
typedef struct wend_array {
  uint32_t pointer, capacity; /* where they are in the struct; the capacity is a uint32_t, in items */
  uint32_t item_bytes, bits;
} wend_array;

typedef struct wend_arrays {
  const wend_array *rows;
  uint32_t count;
} wend_arrays;

#define WEND_ARRAY(type, pointer, capacity, bits) \
  { (uint32_t) offsetof(type, pointer), (uint32_t)offsetof(type, capacity), sizeof *((type *)0)->pointer, bits }
#define WEND_ARRAYS(rows) \
  { rows, sizeof(rows) / sizeof *(rows) }

/* The functions act on the arrays that have any of the bits. */

/* Their memory, in bytes. */
size_t wend_arrays_bytes(wend_arrays arrays, uint32_t bits, const void *owner);
/* Frees them. They are then NULL, with capacity 0. */
void wend_arrays_free(wend_arrays arrays, uint32_t bits, const wend_alloc *alloc, void *owner);
/* The same without freeing them: they belong to another owner. */
void wend_arrays_forget(wend_arrays arrays, uint32_t bits, void *owner);
/* Makes the arrays of `to` copies of those of `from`, in the memory that they have if it is of the same size. False: no memory; some
 * are copied, and all can be freed. */
bool wend_arrays_copy(wend_arrays arrays, uint32_t bits, const wend_alloc *alloc, const void *from, void *to);
/* Arrays that several owners read. *users counts them; NULL: there is one. An owner that wants to write makes copies first.
 *
 * One more owner. False: no memory. */
bool wend_arrays_share(const wend_alloc *alloc, uint32_t **users);
/* One owner less. Returns whether it was the last one, which frees the arrays. The owner's *users is then NULL. */
bool wend_arrays_leave(const wend_alloc *alloc, uint32_t **users);
/* Exchanges the arrays of two owners. */
void wend_arrays_exchange(wend_arrays arrays, uint32_t bits, void *one, void *other);

#endif
