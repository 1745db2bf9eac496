/* SPDX-License-Identifier: MIT */
/* Turns: the steps from a place, and where the turns of a path end. turns.h explains them. */
#include "core/turns/turns.h"

WEND_NO_FUSING

/* What the tags of a step say. */
#define TURN_ENDS 1u
#define TURN_PASSES 2u

static unsigned flags_of(const wend_tag_cost *tag) {
  return (tag->ends_turn ? TURN_ENDS : 0) | (tag->pass_only ? TURN_PASSES : 0);
}

bool wend_turns_tags(const wend_map *map, const wend_costs *costs, bool *passing) {
  unsigned flags = 0;
  for (uint32_t tag = 0; costs->tags != NULL && tag <= wend_map_tag_count(map); tag++) flags |= flags_of(&costs->tags[tag]);
  if (passing != NULL) *passing = (flags & TURN_PASSES) != 0;
  return flags != 0;
}

/* The flags of a place. */
static unsigned flags_at(const wend_stepper *stepper, uint32_t place) {
  const wend_tag_cost *tags = stepper->costs->tags;
  unsigned flags = 0;
  wend_region whole;
  if (tags == NULL) return 0;
  if (stepper->graph != NULL) return flags_of(&tags[wend_graph_tag_at(stepper->graph, place)]);
  if (stepper->body <= 1) return flags_of(&tags[wend_region_get(&stepper->region, stepper->grid, place).tag]);
  whole = wend_grid_region(stepper->grid);
  for (uint32_t i = 0; i < stepper->body * stepper->body; i++) {
    const wend_id cell = wend_covered_cell(stepper->grid, stepper->body, wend_stepper_id(stepper, place), i);
    const uint32_t covered = cell == WEND_NO_ID ? WEND_NONE : wend_region_find(&whole, stepper->grid, cell);
    if (covered != WEND_NONE) flags |= flags_of(&tags[wend_region_get(&whole, stepper->grid, covered).tag]);
  }
  return flags;
}

bool wend_turn_passes(const wend_stepper *stepper, uint32_t place) { return (flags_at(stepper, place) & TURN_PASSES) != 0; }

/* The flags of the tag of an edge or a portal. */
static unsigned flags_of_way(const wend_stepper *stepper, uint32_t tag) {
  return stepper->costs->tags == NULL ? 0 : flags_of(&stepper->costs->tags[tag]);
}

/* ---- Steps --------------------------------------------------------------------------------------------------------- */

/* The cost to which that of a step would have to be compared. A step that ends a turn may add less to g than its cost. */
static double known_cost_at(const wend_turn_steps *t, uint32_t to) {
  const double known = t->known(t->ud, to);
  return t->rule->any && known > t->g ? INFINITY : known;
}

/* Step number i from a node, or onto it. False: there are no more. */
static bool take_arc(wend_turn_steps *t, uint32_t i, wend_turn_step *step) {
  wend_stepper *stepper = t->stepper;
  const wend_graph *graph = stepper->graph;
  const wend_span span = t->back ? graph->in[t->place] : graph->out[t->place];
  const uint32_t arc = span.first + i;
  unsigned flags;
  wend_price price;
  double weight;
  if (arc >= span.end || (t->back && wend_is_node_closed(graph, t->place))) return false;
  step->to = graph->arc_to[arc], step->via = arc, step->cost = INFINITY;
  flags = flags_at(stepper, t->back ? t->place : step->to);
  step->passes = (flags & TURN_PASSES) != 0;
  step->ends = ((flags | flags_of_way(stepper, graph->arc_tag[arc])) & TURN_ENDS) != 0;
  if (!wend_arc_is_open(graph, graph->arc_weight, arc, t->back, &weight)) return true;
  price = wend_arc_price(stepper, arc, t->back ? t->place : step->to, weight);
  if (!price.asked) step->cost = price.cost;
  else if (t->g + price.least <= known_cost_at(t, step->to))
    step->cost = wend_arc_ask(stepper, t->back ? step->to : t->place, t->back ? t->place : step->to, arc, price);
  return true;
}

/* The same for a cell. */
static bool take_cell(wend_turn_steps *t, uint32_t i, wend_turn_step *step) {
  wend_stepper *stepper = t->stepper;
  const wend_portal *portal = NULL;
  const double g = t->g;
  unsigned flags;
  double known;
  step->via = WEND_NONE, step->cost = INFINITY, step->ends = step->passes = false;
  if (i < 8) {
    step->to = wend_stepper_next(stepper, t->place, (int)i);
  } else {
    const wend_region whole = wend_grid_region(stepper->grid);
    uint32_t count = 0;
    if (stepper->grid->live_portals > 0)
      portal = wend_grid_portals(stepper->grid, wend_region_find(&whole, stepper->grid, wend_stepper_id(stepper, t->place)),
                                 t->back, &count);
    if (i - 8 >= count) return false;
    portal += i - 8;
    step->to = wend_region_find(&stepper->region, stepper->grid,
                                wend_region_cell(&whole, stepper->grid, t->back ? portal->from : portal->to));
  }
  if (step->to == WEND_NONE || !wend_region_has(&stepper->region, step->to)) return true;
  flags = flags_at(stepper, t->back ? t->place : step->to);
  if (portal != NULL) flags |= flags_of_way(stepper, portal->tag);
  step->passes = (flags & TURN_PASSES) != 0, step->ends = (flags & TURN_ENDS) != 0;
  known = known_cost_at(t, step->to);
  if (known <= g) return true;
  if (portal != NULL)
    step->cost = wend_step_portal(stepper, portal, t->back ? step->to : t->place, t->back ? t->place : step->to, g, known);
  else if (t->back) step->cost = wend_step_cell(stepper, step->to, 7 - (int)i, g, known, NULL);
  else step->cost = wend_step_cell(stepper, t->place, (int)i, g, known, &t->memo);
  return true;
}

bool wend_turn_next(wend_turn_steps *t, wend_turn_step *step) {
  const bool any = (t->stepper->graph != NULL ? take_arc : take_cell)(t, t->next++, step);
  /* A turn may not end where one can only pass. */
  if (any && step->passes && (step->ends || !wend_turn_fits(t->rule, wend_turn_used(t->rule, t->g) + step->cost)))
    step->cost = INFINITY;
  return any && !t->stepper->invalid;
}

/* ---- The turns of a path --------------------------------------------------------------------------------------------- */

/* Where the walk along a path is. */
typedef struct turn_walk {
  const wend_turn_path *path;
  wend_stepper *stepper;
  wend_turn_rule rule;
  double g;
} turn_walk;

/* Takes a way if it leads to an earlier end, or to the same one for less. */
static void take_better(const turn_walk *walk, double cost, bool ends, wend_turn_step *best) {
  const double before = wend_turn_after(&walk->rule, walk->g, best->cost, best->ends, false);
  const double after = wend_turn_after(&walk->rule, walk->g, cost, ends, false);
  if ((best->passes && ends) || after > before || (after == before && cost >= best->cost)) return;
  best->cost = cost, best->ends = ends;
}

/* The step onto number i of the path. If a step and a portal join two cells, it is the one that arrives earlier. */
static wend_turn_step step_onto_number(turn_walk *walk, uint32_t i) {
  const wend_turn_path *path = walk->path;
  wend_stepper *stepper = walk->stepper;
  wend_turn_step step = {wend_stepper_place(stepper, path->nodes[i]), WEND_NONE, INFINITY, false, false};
  const uint32_t from = wend_stepper_place(stepper, path->nodes[i - 1]);
  const unsigned flags = flags_at(stepper, step.to);
  const wend_portal *portal;
  int direction;
  step.passes = (flags & TURN_PASSES) != 0;
  if (stepper->graph != NULL) {
    const uint32_t edge = wend_slots_find(&stepper->graph->edges, path->edges[i - 1]);
    uint32_t begin;
    const uint32_t arc = wend_graph_arc(stepper->graph, edge, &begin);
    step.cost = wend_edge_cost(stepper, edge, begin != from);
    step.ends = ((flags | flags_of_way(stepper, stepper->graph->arc_tag[arc])) & TURN_ENDS) != 0;
    return step;
  }
  direction = wend_stepper_direction(stepper, from, step.to);
  if (direction < 8)
    take_better(walk, wend_step_cell(stepper, from, direction, 0, INFINITY, NULL), (flags & TURN_ENDS) != 0, &step);
  portal = wend_grid_live_portal(stepper->grid, from, step.to);
  if (portal != NULL)
    take_better(walk, wend_step_portal(stepper, portal, from, step.to, 0, INFINITY),
                ((flags | flags_of_way(stepper, portal->tag)) & TURN_ENDS) != 0, &step);
  return step;
}

wend_status wend_turns_count(wend_turn_path *path, wend_stepper *stepper, const wend_turns *turns) {
  turn_walk walk = {path, stepper, wend_turn_rule_of(turns), turns->per_turn - turns->rest};
  const wend_turn_rule *rule = &walk.rule;
  double used = walk.g;
  path->cost = 0, path->end_count = 0;
  if (stepper->grid != NULL) stepper->opened = wend_stepper_place(stepper, path->nodes[path->length - 1]); /* a closed goal */
  for (uint32_t i = 1; i < path->length; i++) {
    const wend_turn_step step = step_onto_number(&walk, i);
    if (stepper->invalid) return WEND_ABORTED;
    path->cost += step.cost;
    if (!wend_turn_takes(rule, 0, step.cost)) return WEND_STALE;
    if (!wend_turn_takes(rule, used, step.cost)) {
      path->ends[path->end_count++] = i - 1;
      used = 0;
    }
    used = wend_turn_fits(rule, used + step.cost) ? used + step.cost : rule->per_turn;
    if (step.ends) used = wend_turn_end(rule, used);
    walk.g = wend_turn_after(rule, walk.g, step.cost, step.ends, false);
  }
  if (path->length > 1) path->ends[path->end_count++] = path->length - 1;
  stepper->opened = WEND_NONE;
  return WEND_OK;
}
