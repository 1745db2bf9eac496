/* SPDX-License-Identifier: MIT */
/* Pockets: pocket.h describes them. */
#include "core/search/pocket.h"

#include <string.h>

WEND_NO_FUSING

/* The slots of the table. A slot is empty, 0, or has a place + 1; the next ones have those that belong there, too. */
#define POCKET_SLOTS (WEND_POCKET_MAX * 2)

/* Adds a place to the cells that are known, unless it is one of them. */
static void add_pocket_cell(wend_pocket *pocket, uint32_t place) {
  uint32_t *slots = pocket->cells + WEND_POCKET_MAX;
  uint32_t slot = place * 2654435769u >> 19; /* of 2^13 */
  while (slots[slot] != 0 && slots[slot] != place + 1) slot = (slot + 1) % POCKET_SLOTS;
  if (slots[slot] == place + 1) return;
  if (pocket->count == WEND_POCKET_MAX) pocket->over = true;
  else slots[slot] = (pocket->cells[pocket->count++] = place) + 1;
}

static bool is_tag_open_for(const wend_costs *costs, uint32_t tag) {
  return costs->tags == NULL || wend_tag_is_open(wend_cost_kind_of(costs), costs->tags, tag);
}

/* Whether a place can be entered. */
static bool is_open_before(const wend_stepper *stepper, uint32_t place) {
  wend_cell cell;
  if (stepper->grid == NULL) return wend_node_enters(stepper, place);
  cell = wend_region_get(&stepper->region, stepper->grid, place);
  return cell.weight < INFINITY && is_tag_open_for(stepper->costs, cell.tag);
}

/* Adds a place from which a step leads to a known one. It is over when this is the start. */
static void add_place_before(wend_pocket *pocket, const wend_stepper *stepper, uint32_t start, uint32_t from) {
  if (from == start) pocket->over = true;
  else if (is_open_before(stepper, from)) add_pocket_cell(pocket, from);
}

/* Adds the nodes from which an edge leads to a known one. */
static void look_before_node(wend_pocket *pocket, const wend_stepper *stepper, uint32_t start, uint32_t place) {
  const wend_graph *graph = stepper->graph;
  double weight;
  if (graph->in[place].end - graph->in[place].first > WEND_POCKET_MAX) pocket->over = true;
  for (uint32_t arc = graph->in[place].first; arc < graph->in[place].end && !pocket->over; arc++)
    if (wend_arc_is_open(graph, graph->arc_weight, arc, true, &weight)) {
      const wend_price price = wend_arc_price(stepper, arc, place, weight);
      if (price.asked || price.cost < INFINITY) add_place_before(pocket, stepper, start, graph->arc_to[arc]);
    }
}

/* Adds the cells from which a step leads to a known one. */
static void look_before_cell(wend_pocket *pocket, const wend_stepper *stepper, uint32_t start, uint32_t place) {
  const wend_grid *grid = stepper->grid;
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(grid, place, true, &count);
  if (count > WEND_POCKET_MAX) pocket->over = true;
  for (int d = 0; d < 8 && !pocket->over; d++) {
    const uint32_t from = (uint32_t)(place + wend_offset(grid->stride, d));
    if ((wend_grid_ways(grid) >> d & 1) != 0 && wend_region_leads(&stepper->region, from, 7 - d))
      add_place_before(pocket, stepper, start, from);
  }
  for (uint32_t i = 0; i < count && !pocket->over; i++)
    if (!portals[i].removed && is_tag_open_for(stepper->costs, portals[i].tag))
      add_place_before(pocket, stepper, start, portals[i].from);
}

/* Makes room, and adds the goals. False: no memory. */
static bool add_pocket_goals(wend_pocket *pocket, const wend_alloc *alloc, const wend_stepper *stepper, uint32_t start,
                             const uint32_t *goals, uint32_t goal_count) {
  if (!WEND_GROW(alloc, pocket->cells, pocket->capacity, WEND_POCKET_MAX + POCKET_SLOTS)) return false;
  memset(pocket->cells + WEND_POCKET_MAX, 0, POCKET_SLOTS * sizeof *pocket->cells);
  for (uint32_t k = 0; k < goal_count && !pocket->over; k++) {
    pocket->over = goals[k] == start;
    if (is_open_before(stepper, goals[k])) add_pocket_cell(pocket, goals[k]);
  }
  return true;
}

bool wend_pocket_look(wend_pocket *pocket, const wend_alloc *alloc, const wend_stepper *stepper, uint32_t start,
                      const uint32_t *goals, uint32_t goal_count, uint32_t count, uint64_t *left) {
  if (pocket->over || *left == 0) return false;
  if (pocket->count == 0 && !add_pocket_goals(pocket, alloc, stepper, start, goals, goal_count)) pocket->over = true;
  while (!pocket->over && *left > 0 && pocket->at < pocket->count && pocket->count < count) {
    const uint32_t some = stepper->grid != NULL ? WEND_POCKET_CELLS : 1;
    const uint32_t end = pocket->count - pocket->at > some ? pocket->at + some : pocket->count;
    for (; !pocket->over && pocket->at < end; pocket->at++)
      (stepper->grid != NULL ? look_before_cell : look_before_node)(pocket, stepper, start, pocket->cells[pocket->at]);
    --*left;
  }
  return !pocket->over && pocket->at == pocket->count;
}
