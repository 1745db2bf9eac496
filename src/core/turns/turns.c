/* SPDX-License-Identifier: MIT */
/* Turns: the steps and stretches from a place, and where the turns of a path end. turns.h explains them. */
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

/* ---- Stretches --------------------------------------------------------------------------------------------------- */

/* The cost to which that of a step from g would have to be compared. A step that ends a turn may add less to g than its cost. */
static double known_cost_at(const wend_stretch *t, const wend_turn_step *step, double g) {
  const double known = t->known == NULL || step->passes ? INFINITY : t->known(t->ud, step->to);
  return t->rule.any && known > g ? INFINITY : known;
}

/* Step number i from a node, or onto it. False: there are no more. */
static bool take_arc(wend_stretch *t, uint32_t place, uint32_t i, double g, wend_turn_step *step) {
  wend_stepper *stepper = t->stepper;
  const wend_graph *graph = stepper->graph;
  const wend_span span = t->back ? graph->in[place] : graph->out[place];
  const uint32_t arc = span.first + i;
  unsigned flags;
  wend_price price;
  double weight;
  if (arc >= span.end || (t->back && wend_is_node_closed(graph, place))) return false;
  step->to = graph->arc_to[arc], step->via = arc, step->cost = INFINITY;
  flags = flags_at(stepper, step->to);
  step->passes = (flags & TURN_PASSES) != 0;
  if (t->back) flags = flags_at(stepper, place);
  step->ends = ((flags | flags_of_way(stepper, graph->arc_tag[arc])) & TURN_ENDS) != 0;
  if (!wend_arc_is_open(graph, graph->arc_weight, arc, t->back, &weight)) return true;
  price = wend_arc_price(stepper, arc, t->back ? place : step->to, weight);
  if (!price.asked) step->cost = price.cost;
  else if (g + price.least <= known_cost_at(t, step, g))
    step->cost = wend_arc_ask(stepper, t->back ? step->to : place, t->back ? place : step->to, arc, price);
  return true;
}

/* The same for a cell. */
static bool take_cell(wend_stretch *t, uint32_t place, uint32_t i, double g, wend_turn_step *step) {
  wend_stepper *stepper = t->stepper;
  const wend_portal *portal = NULL;
  unsigned flags;
  double known;
  step->via = WEND_NONE, step->cost = INFINITY, step->ends = step->passes = false;
  if (i < 8) {
    step->to = wend_stepper_next(stepper, place, (int)i);
  } else {
    const wend_region whole = wend_grid_region(stepper->grid);
    uint32_t count = 0;
    if (stepper->grid->live_portals > 0)
      portal = wend_grid_portals(stepper->grid, wend_region_find(&whole, stepper->grid, wend_stepper_id(stepper, place)),
                                 t->back, &count);
    if (i - 8 >= count) return false;
    portal += i - 8;
    step->to = wend_region_find(&stepper->region, stepper->grid,
                                wend_region_cell(&whole, stepper->grid, t->back ? portal->from : portal->to));
  }
  if (step->to == WEND_NONE || !wend_region_has(&stepper->region, step->to)) return true;
  flags = flags_at(stepper, step->to);
  step->passes = (flags & TURN_PASSES) != 0;
  if (t->back) flags = flags_at(stepper, place);
  if (portal != NULL) flags |= flags_of_way(stepper, portal->tag);
  step->ends = (flags & TURN_ENDS) != 0;
  known = known_cost_at(t, step, g);
  if (known <= g) return true;
  if (portal != NULL)
    step->cost = wend_step_portal(stepper, portal, t->back ? step->to : place, t->back ? place : step->to, g, known);
  else if (t->back) step->cost = wend_step_cell(stepper, step->to, 7 - (int)i, g, known, NULL);
  else step->cost = wend_step_cell(stepper, place, (int)i, g, known, &t->memo);
  return true;
}

/* Begins a round: only the first place is there. */
static void begin_round(wend_stretch *t) {
  wend_memo_clear(&t->memo);
  t->first = t->count = t->at = t->next = 0;
}

bool wend_stretch_begin(wend_stretch *t, uint32_t place, double g, wend_known_fn known, const void *ud) {
  t->failed = false;
  if (!WEND_GROW(t->alloc, t->items, t->items_capacity, 1)) return false;
  t->items[0] = (wend_stretch_item){0, g, place, WEND_NONE, WEND_NONE};
  t->known = known, t->ud = ud;
  t->ending = t->any_ended = false;
  begin_round(t);
  return true;
}

/* Notes a place that can only be passed, at the end of a step. False: no memory. */
static bool enter_stretch(wend_stretch *t, const wend_turn_step *step) {
  const double after = wend_turn_after(&t->rule, t->items[0].after, step->cost, step->cost, false, false);
  uint32_t number = wend_keys_find(&t->places, step->to) + 1; /* 0: there is none */
  if (!(after < INFINITY)) return true;                       /* nothing would be left for another step */
  if (number > 0 && t->items[number].after <= after && t->items[number].cost <= step->cost) return true;
  if (!wend_keys_reserve(&t->places, t->alloc, 1) ||
      !WEND_GROW(t->alloc, t->queue, t->queue_capacity, (uint64_t)t->count + 1) ||
      !WEND_GROW(t->alloc, t->items, t->items_capacity, (uint64_t)t->places.count + 2))
    return false;
  if (number == 0) number = wend_keys_add(&t->places, step->to) + 1;
  t->items[number] = (wend_stretch_item){step->cost, after, step->to, t->at, step->via};
  t->queue[t->count++] = number;
  return true;
}

/* Goes on with the next place, or the next round. */
static bool next_place(wend_stretch *t) {
  if (t->first < t->count) {
    t->at = t->queue[t->first++], t->next = 0;
    wend_memo_clear(&t->memo);
    return true;
  }
  if (t->ending || !t->any_ended) return false;
  t->ending = true;
  t->items[0].after = wend_turn_end(&t->rule, t->items[0].after);
  begin_round(t);
  return true;
}

bool wend_stretch_next(wend_stretch *t, wend_turn_step *step) {
  for (;;) {
    const wend_stretch_item at = t->items[t->at];
    if (t->at == 0 && t->next < 8 && (t->first_steps >> t->next & 1) == 0) {
      t->next++;
      continue;
    }
    if (!(t->stepper->graph != NULL ? take_arc : take_cell)(t, at.place, t->next, at.after, step)) {
      if (!next_place(t)) return false;
      continue;
    }
    t->next++;
    if (t->stepper->invalid) return false;
    step->before = at.cost, step->cost += at.cost;
    if (!wend_turn_takes(&t->rule, 0, step->before, step->cost)) continue;
    if (t->back) { /* a turn cannot end within the stretch, only at its end: by the first step */
      t->any_ended = t->any_ended || (t->at == 0 && step->ends);
      if (step->ends != (t->at == 0 && t->ending)) continue;
      step->ends = t->ending;
    }
    if (step->passes && (t->back || !step->ends) && !enter_stretch(t, step)) return t->failed = true, false;
    return true;
  }
}

uint32_t wend_stretch_find(wend_stretch *t, uint32_t from, double g, uint32_t to, uint32_t arc) {
  double least = INFINITY;
  uint32_t last = WEND_NONE;
  wend_turn_step step;
  t->first_steps = 255;
  wend_keys_clear(&t->places);
  if (!wend_stretch_begin(t, from, g, NULL, NULL)) return t->failed = true, WEND_NONE;
  while (wend_stretch_next(t, &step)) {
    const double after = wend_turn_after(&t->rule, g, step.passes ? step.cost : step.before, step.cost, step.ends, false);
    if (step.to != to || !(after < least) || (t->stepper->graph != NULL && step.via != arc)) continue;
    least = after, last = t->at;
  }
  return t->stepper->invalid || t->failed ? WEND_NONE : last;
}

void wend_stretch_free(wend_stretch *t, const wend_alloc *alloc) {
  wend_keys_free(&t->places, alloc);
  WEND_FREE(alloc, t->items, t->items_capacity);
  WEND_FREE(alloc, t->queue, t->queue_capacity);
}

size_t wend_stretch_bytes(const wend_stretch *t) {
  return wend_keys_bytes(&t->places) + t->items_capacity * sizeof *t->items + t->queue_capacity * sizeof *t->queue;
}

/* ---- The turns of a path --------------------------------------------------------------------------------------------- */

/* Where the walk along a path is. */
typedef struct turn_walk {
  const wend_turn_path *path;
  wend_stepper *stepper;
  wend_turn_rule rule;
  double g;       /* at the last place that can be stopped on */
  double stretch; /* the cost of the steps since then */
} turn_walk;

/* Takes a way if it leads to an earlier end, or to the same one for less. */
static void take_better(const turn_walk *walk, double cost, bool ends, wend_turn_step *best) {
  const double sum = walk->stretch;
  const double before = wend_turn_after(&walk->rule, walk->g, sum, sum + best->cost, best->ends, false);
  const double after = wend_turn_after(&walk->rule, walk->g, sum, sum + cost, ends, false);
  if ((best->passes && ends) || after > before || (after == before && cost >= best->cost)) return;
  best->cost = cost, best->ends = ends;
}

/* The step onto number i of the path. If a step and a portal join two cells, it is the one that arrives earlier. */
static wend_turn_step step_onto_number(turn_walk *walk, uint32_t i) {
  const wend_turn_path *path = walk->path;
  wend_stepper *stepper = walk->stepper;
  wend_turn_step step = {wend_stepper_place(stepper, path->nodes[i]), WEND_NONE, INFINITY, 0, false, false};
  const uint32_t from = wend_stepper_place(stepper, path->nodes[i - 1]);
  const unsigned flags = flags_at(stepper, step.to);
  const wend_portal *portal;
  int direction = 0;
  step.passes = (flags & TURN_PASSES) != 0 && i + 1 < path->length;
  if (stepper->graph != NULL) {
    const uint32_t edge = wend_slots_find(&stepper->graph->edges, path->edges[i - 1]);
    uint32_t begin;
    const uint32_t arc = wend_graph_arc(stepper->graph, edge, &begin);
    step.cost = wend_edge_cost(stepper, edge, begin != from);
    step.ends = ((flags | flags_of_way(stepper, stepper->graph->arc_tag[arc])) & TURN_ENDS) != 0;
    return step;
  }
  while (direction < 8 && wend_stepper_next(stepper, from, direction) != step.to) direction++;
  if (direction < 8)
    take_better(walk, wend_step_cell(stepper, from, direction, 0, INFINITY, NULL), (flags & TURN_ENDS) != 0, &step);
  portal = wend_grid_live_portal(stepper->grid, from, step.to);
  if (portal != NULL)
    take_better(walk, wend_step_portal(stepper, portal, from, step.to, 0, INFINITY),
                ((flags | flags_of_way(stepper, portal->tag)) & TURN_ENDS) != 0, &step);
  return step;
}

wend_status wend_turns_count(wend_turn_path *path, wend_stepper *stepper, const wend_turns *turns) {
  turn_walk walk = {path, stepper, wend_turn_rule_of(turns), turns->per_turn - turns->rest, 0};
  const wend_turn_rule *rule = &walk.rule;
  double used = walk.g;
  uint32_t stop = 0;
  path->cost = 0, path->end_count = 0;
  if (stepper->grid != NULL) stepper->opened = wend_stepper_place(stepper, path->nodes[path->length - 1]); /* a closed goal */
  for (uint32_t i = 1; i < path->length; i++) {
    const wend_turn_step step = step_onto_number(&walk, i);
    const double before = walk.stretch;
    if (stepper->invalid) return WEND_ABORTED;
    path->cost += step.cost, walk.stretch += step.cost;
    if (!wend_turn_takes(rule, 0, step.passes ? walk.stretch : before, walk.stretch)) return WEND_STALE;
    if (step.passes) continue;
    if (!wend_turn_takes(rule, used, before, walk.stretch)) {
      path->ends[path->end_count++] = stop;
      used = 0;
    }
    used = wend_turn_fits(rule, used + walk.stretch) ? used + walk.stretch : rule->per_turn;
    stop = i;
    if (step.ends) used = wend_turn_end(rule, used);
    walk.g = wend_turn_after(rule, walk.g, before, walk.stretch, step.ends, false);
    walk.stretch = 0;
  }
  if (path->length > 1) path->ends[path->end_count++] = path->length - 1;
  stepper->opened = WEND_NONE;
  return WEND_OK;
}
