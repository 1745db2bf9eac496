/* SPDX-License-Identifier: MIT */
/* Memory: every array of the core grows through these, so that one allocator sees all of it. */
#ifndef WEND_MEMORY_H
#define WEND_MEMORY_H

#include "wend.h"

/* Makes room for `wanted` items of item_bytes each in *array, which has room for *capacity: by half as much again,
 * so that appending is amortised O(1). False: no memory, all as it was. */
bool wend_grow(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
/* The same, to `wanted` exactly. */
bool wend_resize(const wend_alloc *alloc, void *array, uint32_t *capacity, uint64_t wanted, size_t item_bytes);
/* Arrays of one length and capacity, as the columns of a table. All or none of them are resized, or grown. */
typedef struct wend_column {
  void *array; /* the address of a pointer of any type */
  size_t item_bytes;
} wend_column;
#define WEND_COLUMN(array) \
  { &(array), sizeof *(array) }
bool wend_resize_columns(const wend_alloc *alloc, const wend_column *columns, int count, uint32_t *capacity,
                         uint64_t wanted);
bool wend_grow_columns(const wend_alloc *alloc, const wend_column *columns, int count, uint32_t *capacity,
                       uint64_t wanted);
void wend_free(const wend_alloc *alloc, void *array, uint64_t capacity, size_t item_bytes);

/* The arrays are handed over as the address of a pointer of any type. */
#define WEND_GROW(alloc, array, capacity, wanted) wend_grow(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_RESIZE(alloc, array, capacity, wanted) wend_resize(alloc, &(array), &(capacity), wanted, sizeof *(array))
#define WEND_FREE(alloc, array, capacity) wend_free(alloc, array, capacity, sizeof *(array))

#endif
