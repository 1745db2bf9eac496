/* SPDX-License-Identifier: MIT */
/* Copies of maps: a map is encoded into memory, and the bytes are decoded. So a copy has what a file without prepared tables
 * has, and nothing else must know what a map consists of. */
#include "core/codec/copy.h"

#include "core/base/memory.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* The same for both kinds of maps. */
static wend_status encode_ranked(wend_map *map, const wend_tag_ranks *ranks, void *bytes, size_t *size) {
  if (map->is_grid) return wend_grid_encode_ranked((const wend_grid *)map, ranks, bytes, size);
  return wend_graph_encode_ranked((wend_graph *)map, ranks, bytes, size);
}

wend_status wend_map_bytes(wend_map *map, const wend_tag_ranks *ranks, uint8_t **bytes, size_t *size) {
  const wend_alloc *alloc = &map->alloc;
  wend_status status = encode_ranked(map, ranks, NULL, size);
  const size_t room = *size;
  *bytes = NULL;
  if (status != WEND_OK) return status;
  *bytes = alloc->resize(alloc->ud, NULL, 0, room);
  if (*bytes == NULL) return WEND_NO_MEMORY;
  status = encode_ranked(map, ranks, *bytes, size);
  if (status != WEND_OK) alloc->resize(alloc->ud, *bytes, room, 0);
  return status;
}

wend_status wend_map_copy(wend_map *map, wend_map **copy) {
  const wend_alloc alloc = map->alloc;
  wend_graph *graph = NULL;
  wend_grid *grid = NULL;
  const void *extra;
  uint8_t *bytes;
  size_t size, extra_size;
  wend_status status = wend_map_bytes(map, NULL, &bytes, &size);
  *copy = NULL;
  if (status != WEND_OK) return status;
  if (map->is_grid) status = wend_grid_decode(&alloc, bytes, size, &grid, &extra, &extra_size);
  else status = wend_graph_decode(&alloc, bytes, size, &graph);
  alloc.resize(alloc.ud, bytes, size, 0);
  if (status == WEND_OK && map->is_grid && ((wend_grid *)map)->fit != NULL) {
    status = wend_grid_fit(grid, ((wend_grid *)map)->fit->radius);
    if (status != WEND_OK) wend_grid_destroy(grid);
  }
  if (status == WEND_OK) *copy = grid != NULL ? &grid->map : &graph->map;
  return status;
}

wend_graph *wend_map_graph(wend_map *map) { return map->is_grid ? NULL : (wend_graph *)map; }
wend_grid *wend_map_grid(wend_map *map) { return map->is_grid ? (wend_grid *)map : NULL; }

void wend_map_destroy(wend_map *map) {
  if (map == NULL) return;
  if (map->is_grid) wend_grid_destroy((wend_grid *)map);
  else wend_graph_destroy((wend_graph *)map);
}
