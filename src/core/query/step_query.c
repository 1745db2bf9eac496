/* SPDX-License-Identifier: MIT */
/* The way from one node or cell to the next, or why there is none. A way that has several causes has the first of these:
 *
 *   closed edge, node or cell --> closed tag --> one way only --> wall --> corners of a diagonal --> edge function */
#include "core/cost/cause.h"

WEND_NO_FUSING

static const wend_way no_way = {WEND_NO_ID, false, NAN, WEND_UNTAGGED, INFINITY, WEND_CAUSE_NO_EDGE, WEND_NO_ID, WEND_NO_ID, 0};

/* Writes the cost of a way, or why it is closed. */
static void judge_way(wend_way *way, const wend_obstacles *h) {
  way->cause = wend_obstacles_cause(h);
  way->cost = way->cause == WEND_CAUSE_NONE ? h->cost : INFINITY;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------ */

/* The way along an arc from a place, or with `against` along one that leads to it. */
static wend_way way_along(wend_stepper *s, uint32_t from, uint32_t arc, bool against) {
  const wend_graph *graph = s->graph;
  const wend_obstacles h = wend_arc_obstacles(s, from, arc, against, false);
  wend_way way = no_way;
  way.edge = wend_slots_id(&graph->edges, graph->arc_edge[arc]);
  way.weight = fabs(graph->arc_weight[arc]);
  way.tag = graph->arc_tag[arc];
  way.added = wend_step_added(s, graph->arc_to[arc]);
  judge_way(&way, &h);
  return way;
}

/* Whether a way is to be preferred: a cheaper one, then the one with the smaller id. */
static bool is_better(const wend_way *way, const wend_way *best) {
  if (best->edge == WEND_NO_ID || way->cost != best->cost) return best->edge == WEND_NO_ID || way->cost < best->cost;
  return way->edge < best->edge;
}

static wend_way way_of_graph(wend_stepper *s, uint32_t from, uint32_t to) {
  const wend_graph *graph = s->graph;
  const uint32_t middle = graph->out[from].end;
  wend_way best = no_way;
  for (uint32_t arc = graph->out[from].first; arc < graph->in[from].end; arc++) {
    wend_way way;
    if (arc == middle && best.edge != WEND_NO_ID) break; /* the rest leads the other way */
    if (graph->arc_to[arc] != to) continue;
    way = way_along(s, from, arc, arc >= middle);
    if (is_better(&way, &best)) best = way;
  }
  return best;
}

/* ---- Grids ------------------------------------------------------------------------------------------------- */

/* The same of a body: the weight and the tag are those of the cell that counts. */
static wend_way way_of_body(wend_stepper *s, uint32_t from, int direction, double length, wend_diagonals diagonals) {
  wend_way way = no_way;
  uint32_t counts;
  int ways = 3;
  way.cause = wend_body_cause(s, from, wend_stepper_next(s, from, direction), direction, length, &counts);
  if (counts == WEND_NONE) return way;
  if (way.cause == WEND_CAUSE_NONE || way.cause == WEND_CAUSE_RULE) {
    if (wend_body_walled(s->grid, s->body, from, direction, &ways) || ways == 0) way.cause = WEND_CAUSE_WALL;
    else if (IS_DIAGONAL(direction) && !wend_step_corners(s, from, direction, ways, diagonals, NULL,
                                                          way.cause == WEND_CAUSE_NONE ? CORNERS_BOTH : CORNERS_FIRST))
      way.cause = WEND_CAUSE_CORNER;
  }
  if (way.cause == WEND_CAUSE_NONE) way.cost = wend_step_stretch(s, from, direction, length, diagonals);
  way.from = wend_stepper_id(s, wend_body_behind(s, from, direction, counts)), way.to = wend_stepper_id(s, counts);
  way.weight = length * wend_grid_value_at(s->grid, counts).weight;
  way.tag = wend_region_get(&s->region, s->grid, counts).tag;
  way.added = length * wend_step_added(s, wend_stepper_next(s, from, direction));
  return way;
}

/* The way by a step, or a part of one. */
static wend_way way_by_step(wend_stepper *s, uint32_t from, int direction, double length, wend_diagonals diagonals) {
  const uint32_t to = wend_stepper_next(s, from, direction);
  const wend_cell kept = wend_grid_kept(s->grid, wend_region_cell(&s->region, s->grid, to));
  wend_way way = no_way;
  wend_obstacles h;
  if (IS_DIAGONAL(direction) && diagonals == WEND_NEVER) return no_way;
  if (s->body > 1) return way_of_body(s, from, direction, length, diagonals);
  way.weight = length * kept.weight;
  way.tag = wend_region_get(&s->region, s->grid, to).tag;
  way.added = length * wend_step_added(s, to);
  way.cost = wend_step_stretch(s, from, direction, length, diagonals);
  way.cause = WEND_CAUSE_NONE;
  if (way.cost < INFINITY) return way;
  h = wend_cell_obstacles(s, from, direction, NULL, false);
  way.cause = wend_obstacles_cause(&h);
  /* If the function closes the step too, it often closes all steps onto the cell: then the corners are no cause of their own. */
  if (way.cause == WEND_CAUSE_CORNER && (h.way & WEND_CAUSE_BIT(WEND_CAUSE_RULE)) != 0) way.cause = WEND_CAUSE_RULE;
  /* On a grid without diagonals, a straight line may still pass corners. */
  if (way.cause == WEND_CAUSE_NO_EDGE || way.cause == WEND_CAUSE_NONE) way.cause = WEND_CAUSE_CORNER;
  return way;
}

/* The way by a portal, or with `against` back through it. */
static wend_way way_by_portal(wend_stepper *s, const wend_portal *portal, bool against) {
  const uint32_t from = against ? portal->to : portal->from, to = against ? portal->from : portal->to;
  wend_obstacles h = wend_portal_obstacles(s, portal, against, false);
  wend_way way = no_way;
  uint32_t counts = to;
  if (s->body > 1) {
    const wend_cause cause = wend_body_cause(s, from, to, -1, 0, &counts);
    h.place = cause == WEND_CAUSE_NONE ? 0 : WEND_CAUSE_BIT(cause);
  }
  way.portal = true;
  way.weight = portal->weight;
  way.tag = portal->tag;
  way.added = wend_step_added(s, against ? portal->from : portal->to);
  judge_way(&way, &h);
  if (h.place == WEND_CAUSE_BIT(WEND_CAUSE_TAG)) way.tag = wend_region_get(&s->region, s->grid, counts).tag;
  return way;
}

static wend_way way_of_grid(wend_stepper *s, uint32_t from, uint32_t to) {
  const wend_portal *portal = wend_grid_live_portal(s->grid, from, to);
  wend_way best = no_way;
  for (int d = 0; d < 8; d++) {
    if (wend_stepper_next(s, from, d) != to || (wend_lacking(s->grid, from) >> d & 1) != 0) continue;
    best = way_by_step(s, from, d, wend_step_length(s->grid, d), s->grid->diagonals);
  }
  if (portal != NULL) {
    const wend_way way = way_by_portal(s, portal, false);
    if (best.cause == WEND_CAUSE_NO_EDGE || way.cost < best.cost) best = way;
  } else if (best.cause == WEND_CAUSE_NO_EDGE) {
    portal = wend_grid_live_portal(s->grid, to, from);
    if (portal != NULL) best = way_by_portal(s, portal, true);
  }
  return best;
}

wend_status wend_map_way(wend_map *map, const wend_costs *costs, wend_id from, wend_id to, bool closed, wend_way *way) {
  wend_stepper stepper;
  uint32_t a, b;
  if (wend_map_stepper(map, costs, &stepper) != WEND_OK) return WEND_NO_MEMORY;
  a = wend_stepper_place(&stepper, from), b = wend_stepper_place(&stepper, to);
  if (closed) stepper.opened = b;
  *way = map->is_grid ? way_of_grid(&stepper, a, b) : way_of_graph(&stepper, a, b);
  return stepper.invalid ? WEND_ABORTED : WEND_OK;
}

wend_status wend_grid_stretch(const wend_grid *grid, const wend_costs *costs, wend_id from, int direction, double length,
                              wend_way *way) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  const wend_diagonals diagonals = grid->diagonals == WEND_NEVER ? WEND_BOTH_OPEN : grid->diagonals;
  *way = way_by_step(&stepper, wend_region_find(&stepper.region, grid, from), direction, length, diagonals);
  return stepper.invalid ? WEND_ABORTED : WEND_OK;
}

wend_status wend_graph_edge_cost(wend_graph *graph, const wend_costs *costs, wend_id id, bool back, double *cost) {
  const wend_status status = wend_graph_sync(graph);
  wend_stepper stepper = wend_graph_stepper(graph, costs);
  const uint32_t edge = wend_slots_find(&graph->edges, id);
  wend_edge known;
  *cost = INFINITY;
  if (status != WEND_OK || (back && wend_graph_edge(graph, id, &known) == WEND_OK && known.directed)) return status;
  *cost = wend_edge_cost(&stepper, edge, back);
  return stepper.invalid ? WEND_ABORTED : WEND_OK;
}
