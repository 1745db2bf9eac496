/* SPDX-License-Identifier: MIT */
/* Pockets: pocket.h describes them. */
#include "core/search/pocket.h"

#include <string.h>

WEND_NO_FUSING

/* The slots of the table. A slot is empty, 0, or has a place; the next ones have those that belong there, too. */
#define POCKET_SLOTS (WEND_POCKET_MAX * 2)

/* Adds a place to the cells that are known, unless it is one of them. */
static void add_pocket_cell(wend_pocket *pocket, uint32_t place) {
  uint32_t *slots = pocket->cells + WEND_POCKET_MAX;
  uint32_t slot = place * 2654435769u >> 19; /* of 2^13 */
  while (slots[slot] != 0 && slots[slot] != place) slot = (slot + 1) % POCKET_SLOTS;
  if (slots[slot] == place) return;
  if (pocket->count == WEND_POCKET_MAX) pocket->over = true;
  else slots[slot] = pocket->cells[pocket->count++] = place;
}

static bool is_tag_open_for(const wend_costs *costs, uint32_t tag) {
  return costs->tags == NULL || wend_tag_is_open(wend_cost_kind_of(costs), costs->tags, tag);
}

/* Whether a place can be entered. */
static bool is_open_before(const wend_grid *grid, const wend_region *region, const wend_costs *costs, uint32_t place) {
  const wend_cell cell = wend_region_get(region, grid, place);
  return cell.weight < INFINITY && is_tag_open_for(costs, cell.tag);
}

/* Adds the cells from which a step leads to a known one. It is over when the start is one of them. */
static void look_before_cell(wend_pocket *pocket, const wend_grid *grid, const wend_costs *costs, uint32_t start,
                             uint32_t place) {
  const wend_region region = wend_grid_region(grid);
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(grid, place, true, &count);
  if (count > WEND_POCKET_MAX) pocket->over = true;
  for (int d = 0; d < 8 && !pocket->over; d++) {
    const uint32_t from = (uint32_t)(place + wend_offset(grid->stride, d));
    if ((wend_grid_ways(grid) >> d & 1) == 0 || (from != start && !is_open_before(grid, &region, costs, from))) continue;
    if (!wend_region_leads(&region, from, 7 - d)) continue;
    pocket->over = from == start;
    add_pocket_cell(pocket, from);
  }
  for (uint32_t i = 0; i < count && !pocket->over; i++) {
    const uint32_t from = portals[i].from;
    if (portals[i].removed || !is_tag_open_for(costs, portals[i].tag)) continue;
    if (from != start && !is_open_before(grid, &region, costs, from)) continue;
    pocket->over = from == start;
    add_pocket_cell(pocket, from);
  }
}

/* Makes room, and adds the goals. False: no memory. */
static bool add_pocket_goals(wend_pocket *pocket, const wend_alloc *alloc, const wend_grid *grid, const wend_costs *costs,
                             uint32_t start, const uint32_t *goals, uint32_t goal_count) {
  const wend_region region = wend_grid_region(grid);
  if (!WEND_GROW(alloc, pocket->cells, pocket->capacity, WEND_POCKET_MAX + POCKET_SLOTS)) return false;
  memset(pocket->cells + WEND_POCKET_MAX, 0, POCKET_SLOTS * sizeof *pocket->cells);
  for (uint32_t k = 0; k < goal_count && !pocket->over; k++) {
    pocket->over = goals[k] == start;
    if (is_open_before(grid, &region, costs, goals[k])) add_pocket_cell(pocket, goals[k]);
  }
  return true;
}

bool wend_pocket_look(wend_pocket *pocket, const wend_alloc *alloc, const wend_grid *grid, const wend_costs *costs,
                      uint32_t start, const uint32_t *goals, uint32_t goal_count, uint32_t count, uint64_t *left) {
  if (pocket->over || *left == 0) return false;
  if (pocket->count == 0 && !add_pocket_goals(pocket, alloc, grid, costs, start, goals, goal_count)) pocket->over = true;
  while (!pocket->over && *left > 0 && pocket->at < pocket->count && pocket->count < count) {
    const uint32_t end = pocket->count - pocket->at > WEND_POCKET_CELLS ? pocket->at + WEND_POCKET_CELLS : pocket->count;
    while (!pocket->over && pocket->at < end) look_before_cell(pocket, grid, costs, start, pocket->cells[pocket->at++]);
    --*left;
  }
  return !pocket->over && pocket->at == pocket->count;
}
