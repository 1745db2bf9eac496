/* SPDX-License-Identifier: MIT */
/* Dead ends: their memory, and the steps that they are about. dead_ends.h describes the data. */
#include "core/prepared/dead_ends.h"

#include <string.h>

WEND_NO_FUSING

void wend_dead_ends_free(wend_dead_ends *ends, const wend_alloc *alloc) {
  if (ends == NULL) return;
  WEND_FREE(alloc, ends->part_of, ends->part_of_capacity);
  WEND_FREE(alloc, ends->parts, ends->parts_capacity);
  alloc->resize(alloc->ud, ends, sizeof *ends, 0);
}

size_t wend_dead_ends_bytes(const wend_dead_ends *ends) {
  return sizeof *ends + ends->part_of_capacity * sizeof *ends->part_of + ends->parts_capacity * sizeof *ends->parts;
}

bool wend_dead_ends_grow(wend_dead_ends *ends, const wend_alloc *alloc, uint64_t places) {
  if (places <= ends->place_count) return true;
  if (ends->part_of == NULL && ends->part_count > 0) return true; /* lost by a move; a second sync writes nothing */
  if (!WEND_GROW(alloc, ends->part_of, ends->part_of_capacity, places)) return false;
  for (uint32_t i = ends->place_count; i < places; i++) ends->part_of[i] = 0;
  ends->place_count = (uint32_t)places;
  return true;
}

void wend_dead_ends_move(wend_dead_ends *ends, const wend_alloc *alloc, const uint32_t *order, const uint32_t *place_at,
                         const uint32_t *slot_of, uint32_t places) {
  uint32_t *moved = NULL, capacity = 0;
  const bool done = WEND_RESIZE(alloc, moved, capacity, places);
  for (uint32_t i = 0; done && i < places; i++) moved[i] = order[i] < ends->place_count ? ends->part_of[order[i]] : 0;
  for (uint32_t k = 1; k < ends->part_count; k++) {
    uint32_t *at = &ends->parts[k].attached;
    if (*at != WEND_NONE) *at = slot_of[*at] != WEND_NONE ? place_at[*at] : WEND_NONE;
  }
  WEND_FREE(alloc, ends->part_of, ends->part_of_capacity);
  ends->part_of = moved;
  ends->part_of_capacity = capacity;
  ends->place_count = done ? places : 0;
}

/* ---- Steps ------------------------------------------------------------------------------------------------- */

wend_region wend_whole_map(const wend_map *map) {
  const wend_region none = {NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0};
  return map->is_grid ? wend_grid_region((const wend_grid *)map) : none;
}

/* Whether the weight of a place of a grid is finite. */
static bool is_finite(const wend_grid *grid, const wend_region *region, uint32_t place) {
  return wend_region_get(region, grid, place).weight < INFINITY; /* NaN outside */
}

bool wend_is_present(const wend_map *map, const wend_region *region, uint32_t place) {
  if (map->is_grid) return is_finite((const wend_grid *)map, region, place);
  return ((const wend_graph *)map)->slot_of[place] != WEND_NONE;
}

/* Whether cells with these walls and weights allow the step from a cell to a neighbour, for some agent. */
static bool is_step(const wend_grid *grid, const wend_region *region, uint32_t from, int direction) {
  const uint32_t to = (uint32_t)(from + wend_offset(region->stride, direction));
  int ways;
  if (!is_finite(grid, region, to) || wend_region_walled(region, from, direction, &ways)) return false;
  if (!IS_DIAGONAL(direction) || grid->diagonals == WEND_ALWAYS) return ways != 0;
  return ((ways & 1) != 0 && is_finite(grid, region, (uint32_t)(from + wend_offset(region->stride, wend_beside(direction))))) ||
         ((ways & 2) != 0 && is_finite(grid, region, (uint32_t)(from + wend_offset(region->stride, wend_above(direction)))));
}

/* The next place beside a cell: the neighbours, then those by portals from it, then those by portals to it. */
static uint32_t next_cell(const wend_grid *grid, const wend_region *region, uint32_t place, uint32_t *cursor) {
  /* With both cells beside a diagonal open, the straight steps around it are there as well. */
  const bool straight = grid->diagonals == WEND_NEVER || grid->diagonals == WEND_BOTH_OPEN;
  const wend_portal *portals;
  uint32_t leaving, coming;
  while (*cursor < 8) {
    const int direction = (int)(*cursor)++;
    if ((!straight || !IS_DIAGONAL(direction)) && is_step(grid, region, place, direction))
      return (uint32_t)(place + wend_offset(region->stride, direction));
  }
  if (grid->live_portals == 0) return WEND_NONE;
  portals = wend_grid_portals(grid, place, false, &leaving);
  for (; *cursor < 8 + leaving; ++*cursor) {
    const wend_portal *portal = &portals[*cursor - 8];
    if (!portal->removed && is_finite(grid, region, portal->to)) return ++*cursor, portal->to;
  }
  portals = wend_grid_portals(grid, place, true, &coming);
  for (; *cursor < 8 + leaving + coming; ++*cursor) {
    const wend_portal *portal = &portals[*cursor - 8 - leaving];
    if (!portal->removed && is_finite(grid, region, portal->from)) return ++*cursor, portal->from;
  }
  return WEND_NONE;
}

uint32_t wend_next_beside(const wend_map *map, const wend_region *region, uint32_t place, uint32_t *cursor) {
  const wend_graph *graph = (const wend_graph *)map;
  if (map->is_grid) return next_cell((const wend_grid *)map, region, place, cursor);
  return graph->out[place].first + *cursor < graph->in[place].end ? graph->arc_to[graph->out[place].first + (*cursor)++]
                                                                  : WEND_NONE;
}
