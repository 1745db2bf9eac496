/* SPDX-License-Identifier: MIT */
/* Objects and growable arrays. All memory of the core is allocated by these functions, with the allocator of its owner. */
#ifndef WEND_MEMORY_H
#define WEND_MEMORY_H

#include "wend.h"

/* A zeroed object of so many bytes; NULL: no memory. alloc: NULL for the default. *owner: the allocator, which the object must
 * keep: it is freed with it. */
void *wend_new(const wend_alloc *alloc, size_t bytes, wend_alloc *owner);

/* Makes room for at least `wanted` items. A full array grows by half its size, so appending takes amortized constant time.
 * array: the address of a pointer of any type to items of item_bytes each. *capacity: the number of items it has room for.
 * False: no memory, and nothing has changed. */
bool wend_grow(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
/* The same, for exactly `wanted` items. It can shrink the array. */
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
void wend_free(const wend_alloc *alloc, void *array, uint64_t capacity, size_t item_bytes);

/* The same functions for a typed pointer. */
#define WEND_GROW(alloc, array, capacity, wanted) wend_grow(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_RESIZE(alloc, array, capacity, wanted) wend_resize(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_FREE(alloc, array, capacity) wend_free(alloc, array, capacity, sizeof *(array))

#endif
