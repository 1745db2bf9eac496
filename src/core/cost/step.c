/* SPDX-License-Identifier: MIT */
/* The cost of a step: step.h has the contracts. step_onto checks in this order, the cheapest check first:
 *
 *   closed cell --> price --> can it improve anything? --> walls --> disc --> first steps round the corners --> edge function
 *       --> can it improve anything? --> second steps round the corners
 *
 * The corners of a diagonal step are the cells of the two straight steps beside it. A way round a corner has two straight steps,
 * and both must be open: so a function that answers the same both ways leaves the diagonal open both ways. The second step enters
 * the cell that the diagonal enters. So it is open as well, unless the function is asked about that cell. From . to the south-east,
 * with the cell in the east closed and the one in the south open:
 *
 *     . #       WEND_BOTH_OPEN: the step is not allowed.
 *     o x       WEND_ONE_OPEN: it is allowed, past o, unless a wall crosses the way over o (wend_region_walled).
 *
 * A body of 2 x 2 cells or more needs the same checks, with bodies in place of cells. It is open where all its cells are, and no
 * wall is between two of them. A wall across a straight step lies inside the body after it, and so does one across a way over an
 * open corner:
 *
 *     a a p     From a to the east: a wall between the second and the third column is inside the body that covers them.
 *     a a .     To the south-east the corners are the bodies in the east and in the south. The cells p and q belong to these alone.
 *     q . .     Two diagonals of cells lie in them, and neither in the body before the step nor in the one after it: from the a
 *               beside p to the cell below p, and from the a above q to the cell beside q. wend_body_walls lists their walls, and
 *               those of p and q.
 *
 * A directed wall may lie inside of a body: it closes a step of the body if it closes that step of one of its cells. So a body that
 * has begun to cross one goes on. A way round a corner has two such steps. */
#include "core/cost/step.h"

WEND_NO_FUSING

wend_stepper wend_graph_stepper(const wend_graph *graph, const wend_costs *costs) {
  const wend_region none = {NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, false};
  wend_stepper stepper = {
      costs, wend_cost_kind_of(costs), graph, NULL, none, WEND_NONE, NULL, false, ASKING_ALWAYS, 0, 0, 1, NULL, 1, NULL, false};
  return stepper;
}

wend_stepper wend_grid_stepper(const wend_grid *grid, const wend_costs *costs) {
  wend_stepper stepper = {costs,
                          wend_cost_kind_of(costs),
                          NULL,
                          grid,
                          wend_grid_region(grid),
                          WEND_NONE,
                          NULL,
                          false,
                          ASKING_ALWAYS,
                          0,
                          0,
                          wend_body_size(costs),
                          NULL,
                          grid->body > 1 ? grid->body : wend_body_size(costs),
                          NULL,
                          false};
  return stepper;
}

wend_status wend_map_stepper(wend_map *map, const wend_costs *costs, wend_stepper *stepper) {
  const wend_status status = map->is_grid ? WEND_OK : wend_graph_sync((wend_graph *)map);
  *stepper =
      map->is_grid ? wend_grid_stepper((const wend_grid *)map, costs) : wend_graph_stepper((const wend_graph *)map, costs);
  return status;
}

double wend_step_ask(wend_stepper *s, wend_id from, wend_id to, wend_id edge, uint32_t tag, uint32_t node_tag, double cost) {
  const wend_step step = {from, to, edge, cost, tag, node_tag};
  if (s->callbacks != NULL) ++*s->callbacks;
  cost = s->costs->edge(s->costs->ud, &step);
  if (cost >= 0) return cost;
  s->invalid = true;
  return INFINITY;
}

/* ---- Influence layers --------------------------------------------------------------------------------------- */

double wend_influence_get(const wend_influence *layer, wend_id id) {
  const uint32_t index = wend_influence_index(layer, id);
  if (index >= layer->count || (layer->width == 0 && layer->generations[index] != (uint32_t)(id >> 32))) return 0;
  return (double)layer->values[index];
}

double wend_influence_sum(const wend_costs *costs, wend_id id) {
  double sum = 0;
  for (uint32_t i = 0; i < costs->influence_count; i++) {
    const wend_influence_use *use = &costs->influences[i];
    if (use->layer != NULL) sum += use->factor * wend_influence_get(use->layer, id);
  }
  return sum;
}

double wend_influence_under_body(const wend_costs *costs, uint32_t stride, uint32_t body, uint32_t place) {
  const uint32_t before = wend_body_before(body), first = place - before * (stride + 1);
  double sum = 0;
  for (uint32_t i = 0; i < costs->influence_count; i++) {
    const wend_influence *layer = costs->influences[i].layer;
    float greatest = 0;
    /* A layer has no numbers yet, or the body does not fit into the grid. */
    if (layer == NULL || first > place || first + (body - 1) * (stride + 1) >= layer->count) continue;
    for (const float *row = layer->values + first, *end = row + body * stride; row != end; row += stride)
      for (uint32_t column = 0; column < body; column++) greatest = row[column] > greatest ? row[column] : greatest;
    sum += costs->influences[i].factor * (double)greatest;
  }
  return sum;
}

/* The cost of a step for which the function is called, unless that is not needed. cost, least: of its price. */
static double cost_asked(wend_stepper *s, uint32_t from, uint32_t to, wend_id edge, uint32_t tag, double cost, double least) {
  if (s->asking == ASKING_NEVER) return least;
  cost = wend_step_ask(s, wend_stepper_id(s, from), wend_stepper_id(s, to), edge, tag,
                       s->graph != NULL ? wend_graph_tag_at(s->graph, to) : WEND_UNTAGGED, cost);
  if (s->asking != ASKING_SAMPLES) return cost;
  if (cost > least) s->dearer++;
  if (++s->sampled == WEND_SAMPLE) s->asking = s->dearer * WEND_DEARER_MOST > s->sampled ? ASKING_ALWAYS : ASKING_NEVER;
  return cost;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

double wend_arc_ask(wend_stepper *s, uint32_t from, uint32_t to, uint32_t arc, const wend_price price) {
  const wend_graph *graph = s->graph;
  return cost_asked(s, from, to, wend_slots_id(&graph->edges, graph->arc_edge[arc]), graph->arc_tag[arc], price.cost,
                    price.least);
}

bool wend_node_may_open(const wend_stepper *s, uint32_t place) {
  const wend_span in = s->graph->in[place];
  for (uint32_t arc = in.first; arc < in.end; arc++)
    if (wend_arc_price(s, arc, place, 1).asked) return true;
  return false;
}

double wend_edge_cost(wend_stepper *s, uint32_t edge, bool back) {
  const wend_graph *graph = s->graph;
  uint32_t from;
  const uint32_t arc = wend_graph_arc(graph, edge, &from), to = graph->arc_to[arc];
  wend_price price;
  if ((graph->arc_flags[arc] & ARC_CLOSED) != 0) return INFINITY;
  price = wend_arc_price(s, arc, back ? from : to, fabs(graph->arc_weight[arc]));
  return price.asked ? wend_arc_ask(s, back ? to : from, back ? from : to, arc, price) : price.cost;
}

/* ---- Grids ------------------------------------------------------------------------------------------------- */

/* The cell that a step enters. A closed one that counts as open has the weight that it keeps. */
WEND_INLINE wend_cell cell_entered(const wend_stepper *s, uint32_t place) {
  wend_cell cell = wend_region_get(&s->region, s->grid, place);
  if (!(cell.weight < INFINITY) && place == s->opened)
    cell.weight = wend_grid_kept(s->grid, wend_region_cell(&s->region, s->grid, place)).weight;
  return cell;
}

/* The place of the whole grid that is the place of the region. */
static uint32_t whole_place(const wend_stepper *s, uint32_t place) {
  const wend_region whole = wend_grid_region(s->grid);
  return place == WEND_NONE ? WEND_NONE : wend_region_find(&whole, s->grid, wend_region_cell(&s->region, s->grid, place));
}

double wend_step_added(const wend_stepper *s, uint32_t place) {
  const wend_region *region = &s->region;
  if (s->graph != NULL) return wend_influence_onto_node(s->costs, s->graph, place);
  if (WEND_UNLIKELY(region->stride != s->grid->stride || (region->left | region->top) != 0)) place = whole_place(s, place);
  return wend_influence_under(s->costs, s->grid->stride, s->covers, place);
}

/* Whether the step cannot improve anything, whatever the edge function returns. */
WEND_INLINE bool is_useless(const wend_price price, double from_g, double known_g) {
  return price.least == INFINITY || from_g + price.least > known_g;
}

/* The cost of a step with this price: part 2, if the edge function must be called. */
WEND_INLINE double cost_of(wend_stepper *s, uint32_t from, uint32_t to, uint32_t tag, const wend_price price) {
  const uint64_t key = (uint64_t)from << 32 | to;
  wend_asked_step *known;
  if (!price.asked) return price.cost;
  if (s->recent == NULL) return cost_asked(s, from, to, WEND_NO_ID, tag, price.cost, price.least);
  known = &s->recent[(key * 0x9E3779B97F4A7C15u) >> (64 - WEND_RECENT_BITS)];
  if (known->key != key) {
    known->cost = cost_asked(s, from, to, WEND_NO_ID, tag, price.cost, price.least);
    known->key = key;
  }
  return known->cost;
}

/* ---- Bodies */

/* The cell that a body covers first, at its upper left, as a place of the whole grid. WEND_NONE: the body does not fit into it,
 * or the place is in its margin. */
static uint32_t first_covered(const wend_stepper *s, uint32_t place) {
  const wend_grid *grid = s->grid;
  const uint32_t before = wend_body_before(s->body), x = wend_region_x(&s->region, place) + s->region.left,
                 y = wend_region_y(&s->region, place) + s->region.top;
  if (x >= grid->width || y >= grid->height || x < before || y < before) return WEND_NONE;
  if (x - before + s->body > grid->width || y - before + s->body > grid->height) return WEND_NONE;
  return (y - before + 1) * grid->stride + x - before + 1;
}

unsigned wend_body_walls(const wend_grid *grid, uint32_t body, uint32_t from, int direction, wend_body_wall *walls) {
  const int beside = wend_beside(direction), above = wend_above(direction), flat = direction ^ 2; /* flat: to the other side */
  const int64_t right = beside == EAST ? 1 : -1, down = above == SOUTH ? 1 : -1, last = body - 1;
  const int64_t left = (int64_t)(from % grid->stride) - 1 - wend_body_before(body);
  const int64_t top = (int64_t)(from / grid->stride) - 1 - wend_body_before(body);
  /* The column and the row of the body that the step leaves, and those on the other side of it. */
  const int64_t column = right > 0 ? left : left + last, row = down > 0 ? top : top + last;
  const int64_t far_x = column + right * last, far_y = row + down * last;
  const int64_t cells[4][2] = {{far_x, row}, {column, far_y}, {far_x + right, row}, {column, far_y + down}};
  const int directions[8] = {direction, direction, 7 - beside, above, flat, 7 - above, beside, 7 - flat};
  unsigned there = 0;
  for (unsigned i = 0; i < 8 && grid->walls != NULL; i++) {
    const int64_t *at = cells[i < 2 ? i : i < 5 ? 2 : 3];
    if (at[0] < 0 || at[1] < 0 || at[0] >= (int64_t)grid->width || at[1] >= (int64_t)grid->height) continue;
    walls[i].place = (uint32_t)((at[1] + 1) * grid->stride + at[0] + 1), walls[i].direction = directions[i];
    if ((grid->walls[walls[i].place] >> directions[i] & 1) != 0) there |= 1u << i;
  }
  return there;
}

unsigned wend_body_shut(const wend_grid *grid, uint32_t body, uint32_t place) {
  const int64_t left = (int64_t)(place % grid->stride) - 1 - wend_body_before(body);
  const int64_t top = (int64_t)(place / grid->stride) - 1 - wend_body_before(body);
  unsigned shut = 0;
  for (int64_t y = top < 0 ? 0 : top; grid->directed != NULL && y < top + body && y < grid->height; y++)
    for (int64_t x = left < 0 ? 0 : left; x < left + body && x < grid->width; x++)
      shut |= grid->directed[(y + 1) * grid->stride + x + 1];
  return shut & 0xffu;
}

int wend_body_ways(const wend_grid *grid, uint32_t body, uint32_t from, int direction) {
  const int beside = wend_beside(direction), above = wend_above(direction);
  const unsigned shut = wend_body_shut(grid, body, from);
  const unsigned over = wend_body_shut(grid, body, (uint32_t)(from + wend_offset(grid->stride, beside))) >> above;
  const unsigned under = wend_body_shut(grid, body, (uint32_t)(from + wend_offset(grid->stride, above))) >> beside;
  return (((shut >> beside | over) & 1) == 0 ? 1 : 0) | (((shut >> above | under) & 1) == 0 ? 2 : 0);
}

bool wend_body_walled(const wend_grid *grid, uint32_t body, uint32_t from, int direction, int *ways) {
  wend_body_wall walls[8];
  const bool diagonal = IS_DIAGONAL(direction);
  const unsigned there = diagonal && grid->walls != NULL ? wend_body_walls(grid, body, from, direction, walls) : 0;
  *ways = ((there & WEND_WALLS_BESIDE) == 0 ? 1 : 0) | ((there & WEND_WALLS_ABOVE) == 0 ? 2 : 0);
  if ((there & WEND_WALLS_ACROSS) != 0) return true;
  if (grid->directed == NULL) return false;
  if (diagonal) *ways &= wend_body_ways(grid, body, from, direction);
  return (wend_body_shut(grid, body, from) >> direction & 1) != 0;
}

/* Whether a body may be able to be at a place. Functions are not called. *price: of a step onto it that has this length. */
static bool body_fits(const wend_stepper *s, uint32_t place, double length, wend_price *price) {
  const wend_region whole = wend_grid_region(s->grid);
  const uint32_t first = first_covered(s, place), opened = whole_place(s, s->opened);
  const double added = wend_layers_onto(s, place, length);
  uint32_t at = first;
  price->cost = price->least = -1, price->asked = false;
  if (first == WEND_NONE) return false;
  for (uint32_t row = 0; row < s->body; row++, at = first + row * whole.stride)
    for (uint32_t column = 0; column < s->body; column++, at++) {
      wend_cell cell = wend_region_get(&whole, s->grid, at);
      wend_price one;
      if (!(cell.weight < INFINITY)) {
        if (at != opened) return false;
        cell.weight = wend_grid_value_at(s->grid, at).weight;
      }
      one = wend_cell_price(s, cell.tag, cell.weight, length, added);
      if (one.least == INFINITY) return false;
      if (whole.walls != NULL && (whole.walls[at] & wend_inner_walls(s->body, column, row)) != 0) return false;
      price->asked = price->asked || one.asked;
      if (one.cost > price->cost) price->cost = one.cost;
      if (one.least > price->least) price->least = one.least;
    }
  return true;
}

/* The stepper of the body itself, which has room where its cell of an eroded grid has; and whether a step is left to that. */
static wend_stepper stepper_of_base(const wend_stepper *s) {
  wend_stepper base = *s;
  if (s->base == NULL) return base;
  base.grid = s->base, base.base = NULL;
  base.body = s->covers;
  return base;
}

static bool is_step_of_base(const wend_stepper *s, uint32_t from, int direction) {
  uint32_t places[3];
  for (uint32_t i = wend_step_places(s->region.stride, from, direction, places); i-- > 0;)
    if (wend_is_left_to_base(s, places[i])) return true;
  return false;
}

bool wend_body_enters(const wend_stepper *s, uint32_t place, bool *sure) {
  const wend_stepper base = stepper_of_base(s);
  wend_price price;
  const bool enters = body_fits(&base, place, 1, &price);
  *sure = price.cost < INFINITY;
  return enters;
}

uint32_t wend_body_behind(const wend_stepper *s, uint32_t from, int direction, uint32_t covered) {
  const wend_region whole = wend_grid_region(s->grid);
  const uint32_t behind = (uint32_t)(covered - wend_offset(whole.stride, direction));
  return wend_region_has(&whole, behind) ? behind : whole_place(s, from);
}

/* The cost of the step of a body in a direction, onto a place where it fits: asks for each of its cells. */
static double ask_body(wend_stepper *s, uint32_t from, int direction, double length) {
  const wend_region whole = wend_grid_region(s->grid);
  const uint32_t onto = wend_stepper_next(s, from, direction), first = first_covered(s, onto),
                 opened = whole_place(s, s->opened);
  const double added = wend_layers_onto(s, onto, length);
  uint32_t at = first;
  double greatest = -1;
  for (uint32_t row = 0; row < s->body; row++, at = first + row * whole.stride)
    for (uint32_t column = 0; column < s->body && greatest < INFINITY; column++, at++) {
      const wend_cell cell = at == opened ? wend_grid_value_at(s->grid, at) : wend_region_get(&whole, s->grid, at);
      const uint32_t tag = cell.tag & ~WEND_CELL_CLOSED;
      const wend_price price = wend_cell_price(s, tag, cell.weight, length, added);
      double cost = price.cost;
      if (price.asked) {
        const wend_id came = wend_region_cell(&whole, s->grid, wend_body_behind(s, from, direction, at));
        cost = wend_step_ask(s, came, wend_region_cell(&whole, s->grid, at), WEND_NO_ID, tag, WEND_UNTAGGED, cost);
      }
      if (cost > greatest) greatest = cost;
    }
  return greatest;
}

/* The same as wend_step_cell for the step of a body. */
static bool is_passable(wend_stepper *s, uint32_t from, int direction, int ways, wend_diagonals diagonals, wend_memo *memo,
                        wend_corners corners);
static double end_diagonal(wend_stepper *s, uint32_t from, int direction, int ways, wend_diagonals diagonals, double cost,
                           double from_g, double known_g, wend_memo *memo);
static double body_onto(wend_stepper *s, uint32_t from, int direction, double length, wend_diagonals diagonals, double from_g,
                        double known_g, wend_memo *memo) {
  const uint32_t to = wend_stepper_next(s, from, direction);
  const bool diagonal = IS_DIAGONAL(direction), kept = memo != NULL && !diagonal;
  wend_price price;
  wend_memo own;
  int ways = 3;
  if (kept && memo->cost[direction] == memo->cost[direction]) return memo->cost[direction];
  if (!body_fits(s, to, length, &price)) price.cost = price.least = INFINITY, price.asked = false;
  if (is_useless(price, from_g, known_g)) return INFINITY;
  if (diagonal && memo == NULL && price.asked) wend_memo_clear(memo = &own);
  if ((diagonal || s->grid->directed != NULL) && wend_body_walled(s->grid, s->body, whole_place(s, from), direction, &ways))
    return INFINITY;
  if (diagonal && !is_passable(s, from, direction, ways, diagonals, memo, CORNERS_FIRST)) return INFINITY;
  if (price.asked) price.cost = ask_body(s, from, direction, length);
  if (kept) memo->cost[direction] = price.cost;
  if (!diagonal || !price.asked) return price.cost;
  return end_diagonal(s, from, direction, ways, diagonals, price.cost, from_g, known_g, memo);
}

/* ---- Cells */

/* Whether a straight step is open for the agent. Walls are ignored. */
static bool is_open(wend_stepper *s, uint32_t from, int direction, wend_memo *memo) {
  const uint32_t to = wend_stepper_next(s, from, direction);
  const wend_cell cell = wend_region_get(&s->region, s->grid, to);
  wend_price price;
  double cost;
  if (s->body > 1) {
    const uint32_t opened = s->opened; /* only the step onto a closed goal may enter it */
    s->opened = WEND_NONE;
    cost = body_onto(s, from, direction, 1, WEND_NEVER, 0, INFINITY, memo);
    s->opened = opened;
    return cost < INFINITY;
  }
  if (!(cell.weight < INFINITY)) return false;
  if (memo != NULL && memo->cost[direction] == memo->cost[direction]) return memo->cost[direction] < INFINITY;
  price = wend_cell_price(s, cell.tag, cell.weight, 1, wend_layers_onto(s, to, 1));
  if (price.asked && s->passes_corners) return true;
  cost = cost_of(s, from, to, cell.tag, price);
  if (memo != NULL) memo->cost[direction] = cost;
  return cost < INFINITY;
}

/* The same for the second step of a way round a corner, which enters what the diagonal enters. Only the function can close it: whatever
 * else closes it closes the diagonal as well. */
static bool is_second_open(wend_stepper *s, uint32_t from, int first, int second, wend_corners corners) {
  const uint32_t over = wend_stepper_next(s, from, first), to = wend_stepper_next(s, over, second);
  wend_cell cell;
  wend_price price;
  if (s->kind != COSTS_ASKED) return true;
  /* Where a body does not fit, what the function would say then is not known: why.c goes round by straight steps instead. */
  if (s->body > 1) return body_fits(s, to, 1, &price) && (!price.asked || ask_body(s, over, second, 1) < INFINITY);
  cell = wend_region_get(&s->region, s->grid, to);
  if (!(cell.weight < INFINITY)) cell.weight = wend_grid_kept(s->grid, wend_region_cell(&s->region, s->grid, to)).weight;
  price = wend_cell_price(s, cell.tag, cell.weight, 1, wend_layers_onto(s, to, 1));
  if (corners == CORNERS_UNTAGGED && price.cost == INFINITY)
    price.cost = cell.weight, price.asked = s->costs->tags[cell.tag].asks;
  return !price.asked || s->passes_corners || cost_of(s, over, to, cell.tag, price) < INFINITY;
}

/* Whether the ways round the corners of a diagonal allow it. ways: the ones that no wall crosses (wend_region_walled). */
static bool is_passable(wend_stepper *s, uint32_t from, int direction, int ways, wend_diagonals diagonals, wend_memo *memo,
                        wend_corners corners) {
  const int beside = wend_beside(direction), above = wend_above(direction);
  const bool first = corners == CORNERS_FIRST;
  switch (diagonals) {
    case WEND_BOTH_OPEN:
      return ways == 3 && is_open(s, from, beside, memo) && is_open(s, from, above, memo) &&
             (first || (is_second_open(s, from, beside, above, corners) && is_second_open(s, from, above, beside, corners)));
    case WEND_ONE_OPEN:
      return ((ways & 1) != 0 && is_open(s, from, beside, memo) &&
              (first || is_second_open(s, from, beside, above, corners))) ||
             ((ways & 2) != 0 && is_open(s, from, above, memo) && (first || is_second_open(s, from, above, beside, corners)));
    case WEND_ALWAYS: return ways != 0;
    case WEND_NEVER: break;
  }
  return false;
}

/* The same as wend_step_cell on an eroded grid, for a step that is left to the base. */
static WEND_NOINLINE double base_onto(wend_stepper *s, uint32_t from, int direction, double length, wend_diagonals diagonals,
                                      double from_g, double known_g, wend_memo *memo) {
  wend_stepper base = stepper_of_base(s);
  const double cost = body_onto(&base, from, direction, length, diagonals, from_g, known_g, memo);
  s->invalid = base.invalid;
  return cost;
}

/* The cost of a diagonal step about which the function was asked, after the first steps round its corners: asks about the second
 * ones, unless it cannot improve anything. */
static double end_diagonal(wend_stepper *s, uint32_t from, int direction, int ways, wend_diagonals diagonals, double cost,
                           double from_g, double known_g, wend_memo *memo) {
  if (!(cost < INFINITY) || from_g + cost > known_g) return INFINITY;
  return is_passable(s, from, direction, ways, diagonals, memo, CORNERS_BOTH) ? cost : INFINITY;
}

WEND_INLINE double step_onto(wend_stepper *s, uint32_t from, int direction, double length, wend_diagonals diagonals,
                             double from_g, double known_g, wend_memo *memo) {
  const uint32_t to = wend_stepper_next(s, from, direction);
  const wend_cell cell = cell_entered(s, to);
  wend_price price;
  wend_memo own;
  int ways;
  if (WEND_UNLIKELY(s->body > 1)) return body_onto(s, from, direction, length, diagonals, from_g, known_g, memo);
  if (WEND_UNLIKELY(s->base != NULL) && is_step_of_base(s, from, direction))
    return base_onto(s, from, direction, length, diagonals, from_g, known_g, memo);
  if (!(cell.weight < INFINITY)) return INFINITY;
  price = wend_cell_price(s, cell.tag, cell.weight, length, wend_layers_onto(s, to, length));
  if (is_useless(price, from_g, known_g) || wend_region_walled(&s->region, from, direction, &ways)) return INFINITY;
  if (WEND_UNLIKELY(s->grid->fit != NULL) && !s->grid->fit->passes(s->grid, whole_place(s, from), direction)) return INFINITY;
  if (IS_DIAGONAL(direction)) {
    if (memo == NULL && price.asked) wend_memo_clear(memo = &own);
    if (!is_passable(s, from, direction, ways, diagonals, memo, CORNERS_FIRST)) return INFINITY;
    if (!price.asked) return price.cost;
    price.cost = cost_of(s, from, to, cell.tag, price);
    return end_diagonal(s, from, direction, ways, diagonals, price.cost, from_g, known_g, memo);
  }
  if (!price.asked || memo == NULL) return cost_of(s, from, to, cell.tag, price);
  if (!(memo->cost[direction] == memo->cost[direction])) memo->cost[direction] = cost_of(s, from, to, cell.tag, price);
  return memo->cost[direction];
}

double wend_step_cell(wend_stepper *s, uint32_t from, int direction, double from_g, double known_g, wend_memo *memo) {
  return step_onto(s, from, direction, wend_step_length(s->grid, direction), s->grid->diagonals, from_g, known_g, memo);
}

double wend_step_stretch(wend_stepper *s, uint32_t from, int direction, double length, wend_diagonals diagonals) {
  return step_onto(s, from, direction, length, diagonals, 0, INFINITY, NULL);
}

wend_price wend_portal_price(const wend_stepper *s, const wend_portal *portal, uint32_t to) {
  const wend_price price = wend_stepper_price(s, portal->tag, portal->weight);
  const wend_tag_cost *tags = s->costs->tags;
  if (s->costs->influence_count == 0) return price;
  return wend_price_plus(s->kind, tags != NULL ? &tags[portal->tag] : NULL, NULL, price, wend_step_added(s, to));
}

double wend_step_portal(wend_stepper *s, const wend_portal *portal, uint32_t from, uint32_t to, double from_g, double known_g) {
  const wend_cell cell = cell_entered(s, to);
  wend_price price;
  bool sure;
  if (portal->removed || !(cell.weight < INFINITY)) return INFINITY;
  /* The edge function decides about the portal, not about the cells: it cannot open a cell that its tag closes. */
  if ((s->body > 1 || wend_is_left_to_base(s, to)) && !(wend_body_enters(s, to, &sure) && sure)) return INFINITY;
  if (s->kind != COSTS_WEIGHTS && s->costs->tags[cell.tag].plus == INFINITY) return INFINITY;
  if (s->grid->fit != NULL && !s->grid->fit->passes(s->grid, whole_place(s, to), -1)) return INFINITY;
  price = wend_portal_price(s, portal, to);
  return is_useless(price, from_g, known_g) ? INFINITY : cost_of(s, from, to, portal->tag, price);
}

double wend_step_between(wend_stepper *s, wend_id from, wend_id to) {
  const uint32_t a = wend_region_find(&s->region, s->grid, from), b = wend_region_find(&s->region, s->grid, to);
  const wend_portal *portal = wend_grid_live_portal(s->grid, a, b);
  const int direction = wend_stepper_direction(s, a, b);
  double least = INFINITY;
  if (direction < 8) least = wend_step_cell(s, a, direction, 0, INFINITY, NULL);
  if (portal != NULL) {
    const double cost = wend_step_portal(s, portal, a, b, 0, INFINITY);
    if (cost < least) least = cost;
  }
  return least;
}

bool wend_step_corners(wend_stepper *s, uint32_t from, int direction, int ways, wend_diagonals diagonals, wend_memo *memo,
                       wend_corners corners) {
  return is_passable(s, from, direction, ways, diagonals, memo, corners);
}

/* ---- Entrances ----------------------------------------------------------------------------------------------- */

bool wend_is_place_closed(const wend_stepper *s, uint32_t place) {
  if (s->graph != NULL) return wend_is_node_closed(s->graph, place);
  return wend_region_get(&s->region, s->grid, place).weight == INFINITY;
}

/* The portals that lead to a place, and the region of their places. */
static const wend_portal *portals_to(const wend_stepper *s, uint32_t place, wend_region *whole, uint32_t *count) {
  *whole = wend_grid_region(s->grid);
  return wend_grid_portals(s->grid, wend_region_find(whole, s->grid, wend_region_cell(&s->region, s->grid, place)), true,
                           count);
}

uint32_t wend_entrance_room(const wend_stepper *s, uint32_t place) {
  wend_region whole;
  uint32_t count;
  if (s->graph != NULL) return s->graph->in[place].end - s->graph->in[place].first;
  (void)portals_to(s, place, &whole, &count);
  return 8 + count;
}

static uint32_t entrances_of_node(wend_stepper *s, uint32_t place, wend_entrance *list) {
  const wend_graph *graph = s->graph;
  uint32_t count = 0;
  for (uint32_t arc = graph->in[place].first; arc < graph->in[place].end; arc++) {
    const uint32_t from = graph->arc_to[arc];
    const double cost = from == place ? INFINITY : wend_arc_cost(s, place, arc, true);
    if (!(cost < INFINITY)) continue;
    list[count].from = from;
    list[count].arc = arc;
    list[count].direction = -1;
    list[count++].cost = cost;
  }
  return count;
}

static uint32_t entrances_of_cell(wend_stepper *s, uint32_t place, wend_entrance *list) {
  wend_region whole;
  uint32_t portal_count, count = 0;
  const wend_portal *portals = portals_to(s, place, &whole, &portal_count);
  s->opened = place;
  for (uint32_t i = 0; i < 8 + portal_count; i++) {
    const wend_portal *portal = i < 8 ? NULL : &portals[i - 8];
    const int direction = i < 8 ? (int)i : -1;
    const uint32_t from = portal == NULL
                              ? (uint32_t)(place - wend_offset(s->region.stride, direction))
                              : wend_region_find(&s->region, s->grid, wend_region_cell(&whole, s->grid, portal->from));
    double cost;
    if (from == WEND_NONE || from == place || !wend_region_has(&s->region, from)) continue;
    cost = portal == NULL ? wend_step_cell(s, from, direction, 0, INFINITY, NULL)
                          : wend_step_portal(s, portal, from, place, 0, INFINITY);
    if (!(cost < INFINITY)) continue;
    list[count].from = from;
    list[count].arc = WEND_NONE;
    list[count].direction = direction;
    list[count++].cost = cost;
  }
  s->opened = WEND_NONE;
  return count;
}

uint32_t wend_entrances(wend_stepper *s, uint32_t place, wend_entrance *list) {
  return s->graph != NULL ? entrances_of_node(s, place, list) : entrances_of_cell(s, place, list);
}
