/* SPDX-License-Identifier: MIT */
/* Why a step is closed: cause.h has the contracts. It asks what step.c asks, and does not stop at the first answer. */
#include "core/cost/cause.h"

WEND_NO_FUSING

const char *wend_cause_name(wend_cause cause) {
  static const char *const names[] = {NULL,
#define CAUSE_NAME(name, text) text,
                                      WEND_CAUSE_LIST(CAUSE_NAME)
#undef CAUSE_NAME
  };
  return (unsigned)cause < sizeof names / sizeof *names ? names[cause] : NULL;
}

wend_cause wend_first_cause(unsigned causes) {
  int cause = WEND_CAUSE_NONE;
  if (causes == 0) return WEND_CAUSE_NONE;
  while ((causes >> cause & 1u) == 0) cause++;
  return (wend_cause)cause;
}

wend_cause wend_obstacles_cause(const wend_obstacles *h) {
  const bool walled = h->wall || h->around > 0;
  return wend_first_cause(h->never | h->place | h->way | (walled ? WEND_CAUSE_BIT(WEND_CAUSE_WALL) : 0));
}

/* The tag, if it is closed and no function can open it. */
static unsigned tag_causes(const wend_price price) {
  return price.cost == INFINITY && !price.asked ? WEND_CAUSE_BIT(WEND_CAUSE_TAG) : 0;
}

/* Asks about a step whose price is known. Returns TAG, RULE or nothing, and sets *cost to the cost of the open step. all: if
 * the tag is closed, asks also what the edge function makes of the weight, which is the price if the tag is opened. */
static unsigned way_causes(wend_stepper *s, uint32_t from, uint32_t to, wend_id edge, uint32_t tag, double weight,
                           const wend_price price, bool all, double *cost) {
  const uint32_t node_tag = s->graph != NULL ? wend_graph_tag_at(s->graph, to) : WEND_UNTAGGED;
  const unsigned tag_bit = price.cost == INFINITY ? WEND_CAUSE_BIT(WEND_CAUSE_TAG) : 0;
  double asked = price.cost;
  *cost = tag_bit != 0 ? weight : price.cost;
  if (price.asked) {
    asked = wend_step_ask(s, wend_stepper_id(s, from), wend_stepper_id(s, to), edge, tag, node_tag, price.cost);
    if (asked < INFINITY) return *cost = asked, 0;
  }
  if (tag_bit == 0) return price.asked ? WEND_CAUSE_BIT(WEND_CAUSE_RULE) : 0;
  if (!all || s->kind != COSTS_ASKED) return tag_bit;
  if (!s->costs->tags[tag].asks && (node_tag == WEND_UNTAGGED || !s->costs->tags[node_tag].asks)) return tag_bit;
  asked = wend_step_ask(s, wend_stepper_id(s, from), wend_stepper_id(s, to), edge, tag, node_tag, weight);
  return asked < INFINITY ? tag_bit : tag_bit | WEND_CAUSE_BIT(WEND_CAUSE_RULE);
}

/* The cost of a step that is not asked about. */
static double opened_cost(const wend_price price, double weight) { return price.cost < INFINITY ? price.cost : weight; }

wend_obstacles wend_arc_obstacles(wend_stepper *s, uint32_t from, uint32_t arc, bool against, bool all) {
  const wend_graph *graph = s->graph;
  const uint32_t to = graph->arc_to[arc], tag = graph->arc_tag[arc];
  const double weight = fabs(graph->arc_weight[arc]);
  const wend_price price = wend_arc_tag_price(s, arc, to, weight);
  const bool way_open = wend_stepper_price(s, tag, weight).cost < INFINITY;
  wend_obstacles h = {0, 0, 0, 0, false, 0, false};
  unsigned causes = tag_causes(price);
  if ((graph->arc_flags[arc] & ARC_BARRED) != 0 && to != s->opened) h.place = WEND_CAUSE_BIT(WEND_CAUSE_CLOSED);
  if ((graph->arc_flags[arc] & ARC_CLOSED) != 0) h.way |= WEND_CAUSE_BIT(WEND_CAUSE_CLOSED);
  if (against) h.way |= WEND_CAUSE_BIT(WEND_CAUSE_ONE_WAY);
  if (wend_arc_is_narrow(graph, arc, s->costs->size)) h.way |= WEND_CAUSE_BIT(WEND_CAUSE_WIDTH);
  h.cost = opened_cost(price, weight);
  if ((h.way | causes) == 0 || all)
    causes |= way_causes(s, from, to, wend_slots_id(&graph->edges, graph->arc_edge[arc]), tag, weight, price, all, &h.cost);
  if ((causes & WEND_CAUSE_BIT(WEND_CAUSE_TAG)) != 0) { /* that of the edge, of the node, or both */
    const uint32_t node_tag = wend_graph_tag_at(graph, to);
    if (node_tag != WEND_UNTAGGED && s->costs->tags[node_tag].plus == INFINITY) {
      h.place |= WEND_CAUSE_BIT(WEND_CAUSE_TAG);
      if (way_open) causes &= ~WEND_CAUSE_BIT(WEND_CAUSE_TAG);
    }
  }
  h.way |= causes;
  return h;
}

/* The causes that close a cell, whatever the step. added: by layers. *weight: that which it has, or gets when it is opened. */
static unsigned cell_causes(const wend_stepper *s, uint32_t place, double length, double added, double *weight,
                            wend_price *price) {
  wend_cell cell = wend_region_get(&s->region, s->grid, place);
  unsigned causes = 0;
  if (!(cell.weight < INFINITY)) {
    if (place != s->opened) causes |= WEND_CAUSE_BIT(WEND_CAUSE_CLOSED);
    cell.weight = wend_grid_value_at(s->grid, place).weight;
  }
  *weight = length * cell.weight;
  *price = wend_cell_price(s, cell.tag, cell.weight, length, added);
  return causes | tag_causes(*price);
}

/* Why the corners of a diagonal forbid it. ways: see wend_region_walled. */
static unsigned corner_causes(wend_stepper *s, uint32_t from, int direction, int ways, wend_memo *memo) {
  const wend_diagonals rule = s->grid->diagonals;
  if (rule == WEND_NEVER) return WEND_CAUSE_BIT(WEND_CAUSE_NO_EDGE);
  if (wend_step_corners(s, from, direction, ways, rule, memo, CORNERS_FIRST)) return 0;
  return ways == 0 || (rule == WEND_BOTH_OPEN && ways != 3) ? WEND_CAUSE_BIT(WEND_CAUSE_WALL)
                                                            : WEND_CAUSE_BIT(WEND_CAUSE_CORNER);
}

/* With WEND_ALWAYS: the way round a corner that the fewest walls cross. */
static void count_walls_around(const wend_stepper *s, uint32_t from, int direction, wend_obstacles *h) {
  const int beside = wend_beside(direction), above = wend_above(direction);
  const unsigned shut = wend_region_shut(&s->region, from);
  const uint32_t over = wend_stepper_next(s, from, beside), under = wend_stepper_next(s, from, above);
  const uint8_t first = (uint8_t)((shut >> beside & 1) + (wend_region_shut(&s->region, over) >> above & 1));
  const uint8_t second = (uint8_t)((shut >> above & 1) + (wend_region_shut(&s->region, under) >> beside & 1));
  h->above = second < first;
  h->around = h->above ? second : first;
}

/* Looks at a cell that a step enters: sets cost, place and way. ask: whether the edge function may be asked. */
static void look_onto(wend_stepper *s, uint32_t from, uint32_t to, double length, double added, bool ask, bool all,
                      wend_obstacles *h) {
  wend_price price;
  double weight;
  unsigned causes;
  h->place = cell_causes(s, to, length, added, &weight, &price);
  h->cost = opened_cost(price, weight);
  if (!ask || (h->place != 0 && !all)) return;
  causes = way_causes(s, from, to, WEND_NO_ID, wend_region_get(&s->region, s->grid, to).tag, weight, price, all, &h->cost);
  h->place |= causes & WEND_CAUSE_BIT(WEND_CAUSE_TAG); /* the tag closes the cell, and the edge function does not open it */
  if (h->place != 0) h->place |= causes;
  else h->way = causes;
}

wend_obstacles wend_cell_obstacles(wend_stepper *s, uint32_t from, int direction, wend_memo *memo, bool all) {
  const uint32_t to = wend_stepper_next(s, from, direction);
  const double length = wend_step_length(s->grid, direction);
  wend_obstacles h = {0, 0, 0, 0, false, 0, false};
  int ways;
  if (!wend_region_has(&s->region, to)) {
    h.never = WEND_CAUSE_BIT(WEND_CAUSE_OUTSIDE);
    return h;
  }
  if (s->region.hexes && (wend_lacking(s->grid, from) >> direction & 1) != 0) {
    h.never = WEND_CAUSE_BIT(WEND_CAUSE_NO_EDGE);
    return h;
  }
  h.wall = wend_region_walled(&s->region, from, direction, &ways);
  if (IS_DIAGONAL(direction)) {
    h.never = corner_causes(s, from, direction, ways, memo);
    if (h.never != 0 && s->grid->diagonals == WEND_ALWAYS) {
      h.never = 0;
      count_walls_around(s, from, direction, &h);
    }
  }
  look_onto(s, from, to, length, wend_layers_onto(s, to, length), h.never == 0, all, &h);
  if (IS_DIAGONAL(direction) && h.never == 0 && s->kind == COSTS_ASKED && s->grid->diagonals != WEND_ALWAYS &&
      !wend_step_corners(s, from, direction, ways, s->grid->diagonals, memo,
                         (h.place & WEND_CAUSE_BIT(WEND_CAUSE_TAG)) != 0 ? CORNERS_UNTAGGED : CORNERS_BOTH))
    h.never = WEND_CAUSE_BIT(WEND_CAUSE_CORNER);
  return h;
}

/* Why a portal cannot lead onto a cell. The edge function decides about the portal, not about the cell. */
static unsigned landing_causes(const wend_stepper *s, uint32_t place) {
  const wend_cell cell = wend_region_get(&s->region, s->grid, place);
  unsigned causes = 0;
  if (!(cell.weight < INFINITY) && place != s->opened) causes |= WEND_CAUSE_BIT(WEND_CAUSE_CLOSED);
  if (s->kind != COSTS_WEIGHTS && s->costs->tags[cell.tag].plus == INFINITY) causes |= WEND_CAUSE_BIT(WEND_CAUSE_TAG);
  return causes;
}

wend_obstacles wend_covered_obstacles(wend_stepper *s, uint32_t from, int direction, double length, uint32_t place, bool all) {
  wend_obstacles h = {0, 0, 0, 0, false, 0, false};
  if (direction < 0) h.place = landing_causes(s, place);
  else
    look_onto(s, wend_body_behind(s, from, direction, place), place, length,
              wend_layers_onto(s, wend_stepper_next(s, from, direction), length), true, all, &h);
  return h;
}

wend_cause wend_body_cause(wend_stepper *s, uint32_t from, uint32_t to, int direction, double length, uint32_t *counts) {
  wend_cause first = WEND_CAUSE_NONE;
  double most = -1;
  *counts = WEND_NONE;
  for (uint32_t i = 0; i < s->body * s->body && first != WEND_CAUSE_OUTSIDE; i++) {
    const wend_id cell = wend_covered_cell(s->grid, s->body, wend_stepper_id(s, to), i);
    const uint32_t place = cell == WEND_NO_ID ? WEND_NONE : wend_stepper_place(s, cell);
    wend_obstacles h = {0, 0, 0, WEND_CAUSE_BIT(WEND_CAUSE_OUTSIDE), false, 0, false};
    wend_cause cause;
    if (place != WEND_NONE) {
      h = wend_covered_obstacles(s, from, direction, length, place, false);
      h.wall = s->region.walls != NULL && (s->region.walls[place] & wend_inner_walls(s->body, i % s->body, i / s->body)) != 0;
    }
    cause = wend_obstacles_cause(&h);
    if (cause != WEND_CAUSE_NONE && (first == WEND_CAUSE_NONE || cause < first)) first = cause, *counts = place;
    if (first == WEND_CAUSE_NONE && h.cost > most) most = h.cost, *counts = place;
  }
  return first;
}

wend_obstacles wend_portal_obstacles(wend_stepper *s, const wend_portal *portal, bool against, bool all) {
  const uint32_t from = against ? portal->to : portal->from, to = against ? portal->from : portal->to;
  const wend_price price = wend_portal_price(s, portal, to);
  wend_obstacles h = {0, 0, 0, 0, false, 0, false};
  if (s->body <= 1) h.place = landing_causes(s, to);
  h.cost = opened_cost(price, portal->weight);
  if (against) h.way |= WEND_CAUSE_BIT(WEND_CAUSE_ONE_WAY);
  h.way |= tag_causes(price);
  if (h.way == 0 || all) h.way |= way_causes(s, from, to, WEND_NO_ID, portal->tag, portal->weight, price, all, &h.cost);
  return h;
}

wend_cause wend_map_enter_cause(const wend_map *map, const wend_costs *costs, wend_id at) {
  wend_stepper stepper;
  wend_price price;
  double weight;
  if (!map->is_grid) {
    const wend_graph *graph = (const wend_graph *)map;
    stepper = wend_graph_stepper(graph, costs);
    if (wend_graph_is_closed(graph, at)) return WEND_CAUSE_CLOSED;
    return wend_node_enters(&stepper, wend_stepper_place(&stepper, at)) ? WEND_CAUSE_NONE : WEND_CAUSE_TAG;
  }
  stepper = wend_grid_stepper((const wend_grid *)map, costs);
  return wend_first_cause(cell_causes(&stepper, wend_region_find(&stepper.region, stepper.grid, at), 1, 0, &weight, &price));
}

/* Whether no step leaves a cell, or with `enter` none enters it. */
static bool is_cell_shut(wend_stepper *s, uint32_t place, bool enter) {
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(s->grid, place, enter, &count);
  for (int d = 0; d < 8; d++) {
    const uint32_t other = wend_stepper_next(s, place, d);
    if (!wend_region_has(&s->region, other) || (enter && !wend_step_enters(s, other))) continue;
    if (wend_step_cell(s, enter ? other : place, enter ? 7 - d : d, 0, INFINITY, NULL) < INFINITY) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    const wend_portal *portal = &portals[i];
    if (portal->from == portal->to || (enter && !wend_step_enters(s, portal->from))) continue;
    if (wend_step_portal(s, portal, portal->from, portal->to, 0, INFINITY) < INFINITY) return false;
  }
  return true;
}

/* Whether no arc leaves a node, or with `enter` none leads to it. */
static bool is_node_shut(wend_stepper *s, uint32_t place, bool enter) {
  const wend_span span = enter ? s->graph->in[place] : s->graph->out[place];
  for (uint32_t i = span.first; i < span.end; i++)
    if (s->graph->arc_to[i] != place && !(enter && wend_is_node_closed(s->graph, s->graph->arc_to[i])) &&
        wend_arc_cost(s, place, i, enter) < INFINITY)
      return false;
  return true;
}

wend_status wend_map_is_shut(wend_map *map, const wend_costs *costs, wend_id at, bool enter, bool *shut) {
  wend_stepper s;
  uint32_t place;
  *shut = false;
  if (costs->edge != NULL) return WEND_OK;
  if (wend_map_stepper(map, costs, &s) != WEND_OK) return WEND_NO_MEMORY;
  place = wend_stepper_place(&s, at);
  *shut = map->is_grid ? is_cell_shut(&s, place, enter) : is_node_shut(&s, place, enter);
  return WEND_OK;
}
