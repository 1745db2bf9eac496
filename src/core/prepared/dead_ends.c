/* SPDX-License-Identifier: MIT */
/* The steps that dead ends are about: dead_ends.h has the contracts. */
#include "core/prepared/dead_ends.h"

WEND_NO_FUSING

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
