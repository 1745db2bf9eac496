/* SPDX-License-Identifier: MIT */
/* Copies of maps: a map is encoded into memory, and the bytes are decoded. So a copy has what a file without prepared tables
 * has, and nothing else must know what a map consists of. */
#include "core/base/memory.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* Allocates room for an encoded map. NULL: no memory. */
static void *allocate(const wend_alloc *alloc, size_t size) { return alloc->resize(alloc->ud, NULL, 0, size); }

wend_status wend_graph_copy(wend_graph *graph, wend_graph **copy) {
  const wend_alloc alloc = graph->map.alloc;
  size_t size;
  void *bytes;
  wend_status status = wend_graph_encode_bare(graph, NULL, &size);
  *copy = NULL;
  if (status != WEND_OK) return status;
  bytes = allocate(&alloc, size);
  if (bytes == NULL) return WEND_NO_MEMORY;
  status = wend_graph_encode_bare(graph, bytes, &size);
  if (status == WEND_OK) status = wend_graph_decode(&alloc, bytes, size, copy);
  alloc.resize(alloc.ud, bytes, size, 0);
  return status;
}

wend_status wend_grid_copy(const wend_grid *grid, wend_grid **copy) {
  const wend_alloc alloc = grid->map.alloc;
  const void *extra;
  size_t size, extra_size;
  void *bytes;
  wend_status status = wend_grid_encode_bare(grid, NULL, 0, NULL, &size);
  *copy = NULL;
  if (status != WEND_OK) return status;
  bytes = allocate(&alloc, size);
  if (bytes == NULL) return WEND_NO_MEMORY;
  status = wend_grid_encode_bare(grid, NULL, 0, bytes, &size);
  if (status == WEND_OK) status = wend_grid_decode(&alloc, bytes, size, copy, &extra, &extra_size);
  alloc.resize(alloc.ud, bytes, size, 0);
  return status;
}
