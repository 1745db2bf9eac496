/* SPDX-License-Identifier: MIT */
#include "core/map/walk.h"

WEND_NO_FUSING

static const wend_tag_cost as_it_is = {1, 0, 1, false};

static const wend_tag_cost *tag_cost(const wend_walker *w, uint32_t tag) {
  return w->costs->tags != NULL ? &w->costs->tags[tag] : &as_it_is;
}

static double ask_step(wend_walker *w, uint32_t from, uint32_t to, uint32_t tag, double cost) {
  wend_step step;
  step.from = wend_region_cell(&w->region, w->grid, from);
  step.to = wend_region_cell(&w->region, w->grid, to);
  step.edge = WEND_NO_ID;
  step.cost = cost;
  step.tag = tag;
  w->callbacks++;
  cost = w->costs->edge(w->costs->ud, &step);
  if (cost >= 0) return cost;
  w->gave_up = true;
  return INFINITY;
}

/* What becomes of a step of so much weight. */
static double cost_of(wend_walker *w, uint32_t from, uint32_t to, double weight, uint32_t tag, double from_g, double known_g) {
  const wend_tag_cost *of = tag_cost(w, tag);
  double cost = weight * of->times + of->plus;
  const double least = wend_least_cost(w->costs, of, cost);
  if (least == INFINITY || from_g + least > known_g) return INFINITY;
  return wend_is_asked(w->costs, of, cost) ? ask_step(w, from, to, tag, cost) : cost;
}

static uint32_t next_place(const wend_walker *w, uint32_t from, int direction) {
  return (uint32_t)(from + wend_offset(w->region.stride, direction));
}

/* Whether the straight step is open for the agent, walls apart. */
static bool is_open(wend_walker *w, uint32_t from, int direction, wend_memo *memo) {
  uint32_t to = next_place(w, from, direction);
  wend_cell cell = wend_region_get(&w->region, w->grid, to);
  double cost;
  if (!(cell.weight < INFINITY)) return false;
  if (memo != NULL && memo->cost[direction] == memo->cost[direction]) return memo->cost[direction] < INFINITY;
  cost = cost_of(w, from, to, cell.weight, cell.tag, 0, INFINITY);
  if (memo != NULL) memo->cost[direction] = cost;
  return cost < INFINITY;
}

/* Whether a diagonal is allowed by the cells beside it. */
static bool is_passable(wend_walker *w, uint32_t from, int direction, int ways, wend_diagonals diagonals, wend_memo *memo) {
  int beside = wend_beside(direction), above = wend_above(direction);
  switch (diagonals) {
    case WEND_BOTH_OPEN: return ways == 3 && is_open(w, from, beside, memo) && is_open(w, from, above, memo);
    case WEND_ONE_OPEN:
      return ((ways & 1) != 0 && is_open(w, from, beside, memo)) || ((ways & 2) != 0 && is_open(w, from, above, memo));
    case WEND_ALWAYS: return ways != 0;
    case WEND_NEVER: break;
  }
  return false;
}

static double step(wend_walker *w, uint32_t from, int direction, double length, wend_diagonals diagonals, double from_g,
                   double known_g, wend_memo *memo) {
  uint32_t to = next_place(w, from, direction);
  wend_cell cell = wend_region_get(&w->region, w->grid, to);
  const wend_tag_cost *of;
  double cost, least;
  bool asked;
  int ways;
  if (!(cell.weight < INFINITY)) return INFINITY;
  of = tag_cost(w, cell.tag);
  cost = length * cell.weight * of->times + of->plus;
  least = wend_least_cost(w->costs, of, cost);
  asked = wend_is_asked(w->costs, of, cost);
  if (least == INFINITY || from_g + least > known_g || wend_region_walled(&w->region, from, direction, &ways)) return INFINITY;
  if (IS_DIAGONAL(direction)) {
    if (!is_passable(w, from, direction, ways, diagonals, memo)) return INFINITY;
    return asked ? ask_step(w, from, to, cell.tag, cost) : cost;
  }
  if (!asked) return cost;
  if (memo == NULL) return ask_step(w, from, to, cell.tag, cost);
  if (!(memo->cost[direction] == memo->cost[direction])) memo->cost[direction] = ask_step(w, from, to, cell.tag, cost);
  return memo->cost[direction];
}

double wend_walker_step(wend_walker *w, uint32_t from, int direction, double from_g, double known_g, wend_memo *memo) {
  return step(w, from, direction, IS_DIAGONAL(direction) ? WEND_DIAGONAL : 1, w->grid->diagonals, from_g, known_g, memo);
}

double wend_walker_stretch(wend_walker *w, uint32_t from, int direction, double length, wend_diagonals diagonals) {
  return step(w, from, direction, length, diagonals, 0, INFINITY, NULL);
}

bool wend_walker_enters(const wend_walker *w, uint32_t place) {
  wend_cell cell = wend_region_get(&w->region, w->grid, place);
  const wend_tag_cost *of;
  if (!(cell.weight < INFINITY)) return false;
  of = tag_cost(w, cell.tag);
  return of->plus < INFINITY || wend_is_asked(w->costs, of, INFINITY);
}

double wend_walker_portal(wend_walker *w, const wend_portal *portal, uint32_t from, uint32_t to, double from_g, double known_g) {
  wend_cell cell = wend_region_get(&w->region, w->grid, to);
  if (portal->removed || !(cell.weight < INFINITY) || tag_cost(w, cell.tag)->plus == INFINITY) return INFINITY; /* nobody asks about the cell */
  return cost_of(w, from, to, portal->weight, portal->tag, from_g, known_g);
}

double wend_walker_hop(wend_walker *w, wend_id from, wend_id to) {
  uint32_t a = wend_region_find(&w->region, w->grid, from), b = wend_region_find(&w->region, w->grid, to), count;
  const wend_portal *portals = wend_grid_portals(w->grid, a, false, &count);
  double least = INFINITY, cost;
  int direction = 0;
  while (direction < 8 && (uint32_t)(a + wend_offset(w->region.stride, direction)) != b) direction++;
  if (direction < 8) least = wend_walker_step(w, a, direction, 0, INFINITY, NULL);
  for (uint32_t i = 0; i < count; i++) {
    if (portals[i].to != b) continue;
    cost = wend_walker_portal(w, &portals[i], a, b, 0, INFINITY);
    if (cost < least) least = cost;
  }
  return least;
}
