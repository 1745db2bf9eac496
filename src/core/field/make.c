/* SPDX-License-Identifier: MIT */
/* Fields are made: a flood from the goals, in slices, whose result is copied from the marks of the search into the field. field.h
 * describes their data. update.c keeps them up to date, values.c is what they are asked, codec/field.c their files.
 *
 * A field is valid or empty: a function that fails leaves it as it was, or resets it. */
#include "core/field/task.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/field/window.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

wend_field_opts wend_field_opts_default(void) {
  wend_field_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.max_expanded = UINT64_MAX;
  opts.max_cost = opts.ends.within = INFINITY;
  return opts;
}

void wend_field_reset(wend_field *field) {
  field->serial = 0;
  field->version = UINT64_MAX; /* no map has that: the field is behind each */
  field->count = 0;
  field->altered = field->making = field->exact = field->level = false;
  field->noise.most = 0;
}

uint32_t wend_field_count(const wend_field *field) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < field->count; i++) count += wend_field_is_reached(field, i);
  return count;
}

/* Prepares the map for a flood. A grid: writes the region to flood to *region, all of it or the windows around the goals; *inside: as
 * in wend_window_open. A graph: syncs it, so that places are valid. */
static wend_status open_region(const wend_field *field, wend_search *s, wend_map *map, wend_region *region,
                               const uint8_t **inside) {
  const wend_grid *grid = (const wend_grid *)map;
  *inside = NULL;
  if (!map->is_grid) return wend_graph_sync((wend_graph *)map);
  if (field->window == 0) return *region = wend_grid_region(grid), WEND_OK;
  return wend_window_open(s, FIELD_WINDOW, grid, field->goals, field->goal_count, field->window, region, inside)
             ? WEND_OK
             : WEND_NO_MEMORY;
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* Begins new bits of `closed` for `count` values, all 0. They take effect with end_closed. False: no memory. */
static bool begin_closed(wend_field *field, uint32_t count) {
  if (!WEND_GROW(&field->alloc, field->closed_next, field->closed_next_capacity, (uint64_t)count / 8 + 1)) return false;
  memset(field->closed_next, 0, (size_t)count / 8 + 1);
  return true;
}

/* Sets the new bit of value number i. */
static void set_closed(wend_field *field, uint32_t i) { field->closed_next[i / 8] |= (uint8_t)(1u << i % 8); }

/* Puts the new bits in place of the old ones. */
static void end_closed(wend_field *field) {
  uint8_t *bits = field->closed;
  uint32_t capacity = field->closed_capacity;
  field->closed = field->closed_next, field->closed_capacity = field->closed_next_capacity;
  field->closed_next = bits, field->closed_next_capacity = capacity;
}

/* The same for a place that has a value. passing: some tags can only be passed. */
WEND_INLINE bool no_entry(const wend_stepper *stepper, bool passing, uint32_t place) {
  const bool open = stepper->graph != NULL ? wend_node_enters(stepper, place) : wend_step_enters(stepper, place);
  return !open || (passing && wend_turn_passes(stepper, place));
}

wend_status wend_field_find_closed(wend_field *field, wend_map *map) {
  const wend_costs costs = {field->tag_count > 0 ? field->tags : NULL, NULL, NULL, field->size, NULL, 0};
  const wend_graph *graph = (const wend_graph *)map;
  wend_stepper stepper;
  if (!begin_closed(field, field->count) || wend_map_stepper(map, &costs, &stepper) != WEND_OK) return WEND_NO_MEMORY;
  if (field->asked && field->tag_count > 0) stepper.kind = COSTS_ASKED; /* what the function may open counts as open */
  for (uint32_t i = 0; i < field->count && !map->is_grid; i++)
    if (graph->nodes.value[i] != WEND_NONE && no_entry(&stepper, field->passing, graph->nodes.value[i])) set_closed(field, i);
  if (!map->is_grid) return end_closed(field), WEND_OK;
  for (uint32_t y = 0; y < field->region.height; y++)
    for (uint32_t x = 0; x < field->region.width; x++) {
      const uint32_t place = wend_region_place(&stepper.region, x + field->region.left, y + field->region.top);
      if (no_entry(&stepper, field->passing, place)) set_closed(field, wend_region_place(&field->region, x, y));
    }
  end_closed(field);
  return WEND_OK;
}

/* The cost of a cell that lies in the box around the windows and in none of them. No step improves it. */
#define OUTSIDE (-DBL_MAX)

/* Copying the marks of so many cells, or nodes, takes about as long as one expansion. */
#define KEPT_PER_EXPANSION 16u
#define KEPT_NODES 4u

/* What a value of 1 is in the costs of the search. */
static double unit_of(const wend_field *field) { return field->turns.per_turn > 0 ? field->turns.per_turn : 1; }

/* Copies what a search knows of places to the values of their slots. True: some step adds nothing to a value. */
static bool keep_places(wend_field *field, const wend_search *s, uint32_t first, uint32_t end) {
  const wend_graph *graph = s->graph;
  const uint32_t *const slot_of = graph->slot_of, *const edge_of = graph->arc_edge;
  const double unit = unit_of(field);
  double *const values = field->values;
  uint32_t *const next = field->next, *const generations = field->generations;
  wend_id *const edges = field->edges;
  bool level = false;
  for (uint32_t place = first; place < end; place++) {
    const uint32_t slot = slot_of[place];
    const wend_mark *mark;
    uint32_t parent;
    if (slot == WEND_NONE) continue;
    mark = wend_marks_of(&s->marks, place), parent = mark->parent;
    values[slot] = INFINITY;
    if (!wend_mark_is_set(&s->marks, mark)) continue;
    values[slot] = mark->g / unit;
    next[slot] = WEND_NONE, edges[slot] = WEND_NO_ID;
    generations[slot] = wend_slots_generation(&graph->nodes, slot);
    if (no_entry(&s->stepper, s->passing, place)) set_closed(field, slot);
    if (parent == WEND_NONE) continue;
    level |= wend_marks_of(&s->marks, parent)->g == mark->g;
    next[slot] = slot_of[parent];
    edges[slot] = wend_slots_id(&graph->edges, edge_of[wend_marks_arrival(&s->marks, place)->via]);
  }
  return level;
}

/* Copies the marks of a search to values by slot, from place *first on; slots that are not in use get none. *left: the work that may
 * be done, in expansions; subtracts what was done. *level: see keep_places. RUNNING: there are more. */
static wend_status keep_graph(wend_field *field, const wend_search *s, uint32_t *first, uint64_t *left, bool *level) {
  const wend_graph *graph = s->graph;
  const uint32_t slots = graph->nodes.count, places = graph->place_count, all = slots > places ? slots : places;
  const uint32_t work = (all - *first + KEPT_NODES - 1) / KEPT_NODES;
  const uint32_t end = *left < work ? *first + (uint32_t)*left * KEPT_NODES : all;
  for (uint32_t slot = *first; slot < end && slot < slots; slot++)
    if (graph->nodes.value[slot] == WEND_NONE) field->values[slot] = INFINITY;
  *level |= keep_places(field, s, *first, end < places ? end : places);
  *left -= *left < work ? *left : work;
  *first = end;
  if (end < all) return WEND_RUNNING;
  field->count = slots;
  return WEND_OK;
}

/* The same for a grid, to values and ways. */
static wend_status keep_grid(wend_field *field, const wend_search *s, const wend_region *region, uint32_t *first,
                             uint64_t *left) {
  const uint32_t count = wend_place_count(region->width, region->height);
  if (*first == 0) field->portal_step_count = 0;
  for (uint32_t place; (place = *first) < count; ++*first) {
    const wend_mark *mark = wend_marks_of(&s->marks, place);
    int way = 0;
    if (place % KEPT_PER_EXPANSION == 0) {
      if (*left == 0) return WEND_RUNNING;
      --*left;
    }
    field->values[place] = INFINITY;
    if (!wend_mark_is_set(&s->marks, mark) || mark->g == OUTSIDE) continue;
    field->values[place] = mark->g / unit_of(field);
    if (no_entry(&s->stepper, s->passing, place)) set_closed(field, place);
    field->ways[place] = NO_WAY;
    if (mark->parent == WEND_NONE) continue;
    while (way < 8 && (uint32_t)(place + wend_offset(region->stride, way)) != mark->parent) way++;
    field->ways[place] = (uint8_t)(way < 8 ? (unsigned)way : PORTAL_WAY);
    if (way < 8) continue;
    if (!WEND_GROW(&field->alloc, field->portal_steps, field->portal_steps_capacity, (uint64_t)field->portal_step_count + 1))
      return WEND_NO_MEMORY;
    field->portal_steps[field->portal_step_count].place = place;
    field->portal_steps[field->portal_step_count++].parent = mark->parent;
  }
  return WEND_OK;
}

/* Sets the new bits of the cells of a flood that can only be passed. */
static void close_passed(wend_field *field, const wend_grid *grid, const wend_region *region, const wend_costs *costs) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  stepper.region = *region;
  for (uint32_t i = 0; i < wend_place_count(region->width, region->height); i++)
    if (wend_field_is_reached(field, i) && wend_turn_passes(&stepper, i)) set_closed(field, i);
}

/* Sets the values back to those of the roots. */
static void restore(wend_field *field, const wend_root *roots, uint32_t root_count) {
  for (uint32_t i = 0; i < field->count; i++) field->values[i] = INFINITY;
  for (uint32_t i = 0; i < root_count; i++) field->values[roots[i].place] = roots[i].value;
}

wend_status wend_field_keep_costs(wend_field *field, wend_map *map, const wend_costs *costs) {
  uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(map) + 1;
  if (!WEND_GROW(&field->alloc, field->tags, field->tags_capacity, count) ||
      !WEND_GROW(&field->alloc, field->layers, field->layers_capacity, costs->influence_count))
    return WEND_NO_MEMORY;
  if (count > 0) memcpy(field->tags, costs->tags, count * sizeof *field->tags);
  field->tag_count = count;
  field->asked = costs->edge != NULL || costs->influence_count > 0;
  (void)wend_turns_tags(map, costs, &field->passing);
  return WEND_OK;
}

bool wend_field_room(wend_field *field, const wend_map *map, const wend_region *region) {
  const wend_alloc *alloc = &field->alloc;
  const uint32_t count =
      map->is_grid ? wend_place_count(region->width, region->height) : ((const wend_graph *)map)->nodes.count;
  if (!WEND_GROW(alloc, field->values, field->values_capacity, count) || !begin_closed(field, count)) return false;
  if (!WEND_GROW(alloc, field->ways, field->ways_capacity, count)) return false;
  return map->is_grid || (WEND_GROW(alloc, field->next, field->next_capacity, count) &&
                          WEND_GROW(alloc, field->edges, field->edges_capacity, count) &&
                          WEND_GROW(alloc, field->generations, field->generations_capacity, count));
}

/* The place of the region that is a place of the whole map; WEND_NONE: it lies outside. */
static uint32_t flooded_place(const field_task *t, const wend_stepper *stepper, uint32_t place) {
  uint32_t there = place;
  if (!t->map->is_grid) return place;
  there = wend_region_find(&t->region, stepper->grid, wend_stepper_id(stepper, place));
  if (there == WEND_NONE || !wend_region_has(&t->region, there)) return WEND_NONE;
  return t->inside == NULL || t->inside[there] != 0 ? there : WEND_NONE;
}

/* The flood has begun: adds the steps onto the goals that are closed. The values of all goals are 0. */
static wend_status enter_closed_roots(field_task *t, wend_search *s) {
  wend_costs costs = t->opts.costs;
  wend_stepper stepper;
  const wend_turn_rule rule = wend_turn_rule_of(&t->opts.turns);
  if (!t->enters_roots) return WEND_OK;
  costs.size = t->field->size;
  (void)wend_map_stepper(t->map, &costs, &stepper); /* it is synced */
  stepper.callbacks = &s->stats.callbacks;
  for (uint32_t i = 0; i < t->root_count; i++) {
    const uint32_t root = t->roots[i].place;
    uint32_t count, goal = root;
    if (t->map->is_grid) goal = wend_stepper_place(&stepper, wend_region_cell(&t->region, stepper.grid, root));
    if (!wend_is_place_closed(&stepper, goal)) continue;
    t->entered = true;
    if (!WEND_GROW(&s->alloc, s->ends.entrances, s->ends.entrances_capacity, wend_entrance_room(&stepper, goal)))
      return WEND_NO_MEMORY;
    count = wend_entrances(&stepper, goal, s->ends.entrances);
    for (uint32_t k = 0; k < count; k++) {
      const wend_entrance *entrance = &s->ends.entrances[k];
      const uint32_t from = flooded_place(t, &stepper, entrance->from);
      const double factor = t->by_cells ? 1 : wend_factor_onto(s, root, entrance->arc);
      if (from == WEND_NONE || (rule.per_turn > 0 && !wend_turn_fits(&rule, entrance->cost))) continue;
      if (t->by_cells) wend_flood_cells_enter(&t->flooding, from, entrance->direction, entrance->cost);
      else wend_pathfinder_enter(s, from, entrance->cost * factor, root, entrance->arc);
    }
  }
  if (stepper.invalid) return WEND_ABORTED;
  return s->buckets.failed ? WEND_NO_MEMORY : WEND_OK;
}

/* Keeps the kernel, or the flood over cells, in the windows. False: no memory. */
static bool close_outside(field_task *t, wend_search *s) {
  const uint32_t count = t->inside != NULL ? wend_place_count(t->region.width, t->region.height) : 0;
  for (uint32_t place = 0; place < count; place++) {
    wend_mark *mark;
    if (t->inside[place] != 0) continue;
    if (t->by_cells) {
      t->field->values[place] = -INFINITY;
      continue;
    }
    if ((mark = wend_marks_add(&s->marks, &s->alloc, place)) == NULL) return false;
    mark->g = OUTSIDE, mark->stamp = s->marks.epoch, mark->parent = WEND_NONE;
  }
  return true;
}

static wend_status begin_kernel(field_task *t, wend_search *s) {
  const wend_status status = wend_pathfinder_begin_flood(s, t->ground, t->map->is_grid ? &t->region : NULL, !t->field->outward,
                                                         t->roots, t->root_count, &t->opts);
  if (t->exact) s->slack = 0, s->settles = !t->rooted;
  if (status == WEND_OK && !close_outside(t, s)) return WEND_NO_MEMORY;
  return status == WEND_OK ? enter_closed_roots(t, s) : status;
}

wend_status wend_field_ground(field_task *t, wend_search *s, const wend_costs *costs) {
  uint32_t body;
  wend_status status;
  t->ground = t->map;
  t->opts.costs = *costs;
  t->field->size = costs->size;
  status = wend_search_ground(s, &t->ground, &t->opts.costs, &body);
  if (status == WEND_OK) status = wend_search_hold_body(s, body, costs->size, &t->ground);
  if (status != WEND_OK) return status;
  return open_region(t->field, s, t->ground, &t->region, &t->inside);
}

/* Whether edits of a field that is exact can be mended: its options name no places and no limits that depend on costs. */
static bool is_mendable(const wend_field *field) {
  return !field->passing && field->window == 0 && field->start_count == 0 && !(field->given.max_cost < INFINITY) &&
         !wend_range_given(&field->given.ends);
}

bool wend_field_by_edits(const field_task *t) {
  const wend_costs *costs = &t->opts.costs;
  if (costs->edge != NULL || t->opts.turns.per_turn > 0 || t->opts.variation > 0) return false;
  return !t->map->is_grid || (((const wend_grid *)t->ground)->fit == NULL && wend_body_size(costs) == 1);
}
static bool is_plain(const field_task *t) {
  return t->map->is_grid && wend_field_by_edits(t) && wend_grid_is_plain((const wend_grid *)t->ground, &t->opts.costs);
}

wend_status wend_field_begin_flood(field_task *t, wend_search *s) {
  wend_field *field = t->field;
  const wend_grid *grid = (const wend_grid *)t->ground;
  wend_status status;
  t->by_cells = t->flooded = t->exact = t->flooding.level = field->level = false;
  t->flooding.lost = 0;
  t->kept = t->settled = 0;
  if (t->map->is_grid && !wend_grid_asks(grid, &t->opts.costs)) t->opts.costs.edge = NULL;
  status = wend_field_keep_costs(field, t->map, &t->opts.costs);
  if (status == WEND_OK && !wend_field_room(field, t->map, &t->region)) status = WEND_NO_MEMORY;
  if (status != WEND_OK) return status;
  wend_field_note_layers(field, &t->opts.costs);
  t->by_cells = is_plain(t);
  t->exact = t->by_cells || (wend_field_by_edits(t) && is_mendable(field) && !t->rooted);
  if (t->exact && t->map->is_grid) {
    const wend_flooded result = {field->values, field->ways, field->closed_next};
    status = wend_flood_cells_begin(&t->flooding, s, grid, &t->region, !field->outward, t->rooted, &t->opts, &result);
    field->portal_step_count = 0;
    t->started = false;
  }
  return status == WEND_OK && !t->by_cells ? begin_kernel(t, s) : status;
}

void wend_field_note_layers(wend_field *field, const wend_costs *costs) {
  for (uint32_t i = 0; i < costs->influence_count; i++) {
    const wend_influence *layer = costs->influences[i].layer;
    field->layers[i].factor = costs->influences[i].factor;
    field->layers[i].serial = layer != NULL ? layer->serial : 0;
    field->layers[i].noted = layer != NULL ? layer->journal.end : 0;
  }
  field->layer_count = costs->influence_count;
}

void wend_field_lend_nodes(field_task *t, wend_search *s) {
  wend_field *field = t->field;
  wend_flooding *f = &t->flooding;
  f->s = s;
  f->values = field->values, f->ways = field->ways, f->closed = field->closed;
  f->next = field->next, f->edges = field->edges, f->generations = field->generations;
  f->back = !field->outward;
  f->count = field->count;
}

void wend_field_lend(field_task *t, wend_stepper *stepper) {
  *stepper = t->map->is_grid ? wend_grid_stepper((const wend_grid *)t->ground, &t->opts.costs)
                             : wend_graph_stepper((const wend_graph *)t->ground, &t->opts.costs);
  if (t->map->is_grid) stepper->region = t->region;
  t->flooding.stepper = is_plain(t) ? NULL : stepper;
  t->flooding.layers = t->opts.costs.influence_count > 0 ? stepper : NULL;
}

static uint64_t add_limit(uint64_t expanded, uint64_t more) {
  return more > UINT64_MAX - expanded ? UINT64_MAX : expanded + more;
}

/* Whether the field can be mended by edits once it is made. */
static bool is_exact(const field_task *t) { return t->exact && !t->entered && !t->rooted && is_mendable(t->field); }

wend_status wend_field_lend_portals(field_task *t, wend_search *s) {
  const wend_field *field = t->field;
  const wend_grid *grid = (const wend_grid *)t->ground;
  const uint32_t count = t->map->is_grid ? grid->portal_count : 0;
  const wend_portal_step *steps = field->portal_steps;
  uint32_t at = 0;
  uint8_t *chosen = wend_search_scratch(s, FIELD_CHOSEN, (uint64_t)count + 1);
  if (chosen == NULL) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const wend_portal *portal = field->outward ? &grid->in[i] : &grid->out[i];
    const uint32_t place = field->outward ? portal->to : portal->from, parent = field->outward ? portal->from : portal->to;
    while (at < field->portal_step_count && steps[at].place < place) at++;
    chosen[i] = at < field->portal_step_count && steps[at].place == place && steps[at].parent == parent &&
                field->values[place] == field->values[parent];
  }
  t->flooding.chosen = chosen;
  return WEND_OK;
}

wend_status wend_field_settle_portals(field_task *t) {
  wend_field *field = t->field;
  wend_flooding *f = &t->flooding;
  const wend_grid *grid = f->stepper != NULL ? f->stepper->grid : NULL;
  const wend_portal *portals = grid == NULL ? NULL : field->outward ? grid->in : grid->out;
  field->portal_step_count = 0;
  for (uint32_t i = 0; grid != NULL && i < grid->portal_count; i++) {
    const uint32_t place = field->outward ? portals[i].to : portals[i].from,
                   parent = field->outward ? portals[i].from : portals[i].to, last = field->portal_step_count;
    const double known = field->values[parent],
                 cost = wend_step_portal(f->stepper, &portals[i], portals[i].from, portals[i].to, 0, INFINITY);
    if (known < INFINITY && known + cost == known) f->level = true;
    if (field->ways[place] != PORTAL_WAY || known + cost != field->values[place]) continue;
    if (!(known < field->values[place]) && f->chosen[i] == 0) continue;
    if (last > 0 && field->portal_steps[last - 1].place == place) continue;
    if (!WEND_GROW(&field->alloc, field->portal_steps, field->portal_steps_capacity, (uint64_t)last + 1)) return WEND_NO_MEMORY;
    field->portal_steps[last].place = place;
    field->portal_steps[field->portal_step_count++].parent = parent;
  }
  return WEND_OK;
}

/* The values of cells are made: finds the ways that flood.c describes. */
static wend_status settle_ways(field_task *t, wend_search *s, uint64_t *left) {
  wend_stepper stepper;
  wend_status status;
  wend_field_lend(t, &stepper);
  status = wend_flood_settle(&t->flooding, (const wend_grid *)t->ground, &t->region, &t->opts, &t->settled, left);
  if (status == WEND_OK) t->field->portal_step_count = 0, status = wend_field_lend_portals(t, s);
  if (status == WEND_OK && t->flooding.level)
    status = wend_flood_settle_plateaus(&t->flooding, (const wend_grid *)t->ground, &t->opts, FIELD_MENDED);
  if (status == WEND_OK) status = wend_field_settle_portals(t);
  t->flooding.stepper = NULL;
  return status;
}

/* Some steps of a graph add nothing to a value: finds the ways of their nodes again. NO_MEMORY. */
static wend_status settle_nodes(field_task *t, wend_search *s) {
  wend_flooding *f = &t->flooding;
  wend_status status;
  wend_stepper stepper;
  wend_field_lend(t, &stepper);
  wend_field_lend_nodes(t, s);
  status = wend_flood_settle_plateaus(f, NULL, &t->opts, FIELD_MENDED);
  f->stepper = NULL, f->layers = NULL;
  t->exact = status == WEND_OK;
  return status == WEND_NO_MEMORY ? status : WEND_OK;
}

/* Runs the flood over cells, which writes the result into the field. *left: the expansions that are left of the slice. False:
 * it was given up, and the kernel must begin. */
static bool flood_cells(field_task *t, wend_search *s, uint64_t *left, wend_status *status) {
  wend_field *field = t->field;
  const wend_grid *grid = (const wend_grid *)t->ground;
  const uint64_t before = t->flooding.expanded;
  uint64_t all = UINT64_MAX;
  wend_stepper stepper;
  *status = WEND_RUNNING;
  if (!wend_flood_cells_clear(&t->flooding, s->slice_tables ? left : &all)) return true;
  wend_field_lend(t, &stepper);
  if (!t->started) {
    *status = wend_flood_cells_start(&t->flooding, grid, &t->region, t->roots, t->root_count, &t->opts);
    if (*status == WEND_OK) (void)close_outside(t, s);
    if (*status == WEND_OK) *status = enter_closed_roots(t, s);
    if (*status != WEND_OK && t->rooted) restore(field, t->roots, t->root_count);
    if (*status != WEND_OK) return true;
    t->started = true;
  }
  if (!t->flooded) *status = wend_flood_cells_run(&t->flooding, grid, &t->opts, add_limit(before, *left));
  else *status = WEND_OK;
  *left -= t->flooding.expanded - before;
  t->flooded = *status == WEND_OK;
  if (t->flooded && t->flooding.level && is_exact(t)) *status = settle_ways(t, s, s->slice_tables ? left : &all);
  if (*status == WEND_NO_PATH)
    *status = WEND_OK, t->exact = false; /* layers have changed meanwhile: the ways of the flood stay */
  if (*status == WEND_OK && field->passing) close_passed(field, grid, &t->region, &t->opts.costs);
  if (*status == WEND_OK) end_closed(field);
  if (*status == WEND_OK || (*status == WEND_RUNNING && !t->flooding.unsuited)) return true;
  if (t->rooted) restore(field, t->roots, t->root_count);
  if (*status != WEND_RUNNING) return true;
  memset(field->closed_next, 0, (size_t)wend_place_count(t->region.width, t->region.height) / 8 + 1);
  return t->by_cells = false;
}

/* Runs the kernel, and at its end copies the marks into the field. */
static wend_status run_kernel(field_task *t, wend_search *s, uint64_t *left) {
  wend_field *field = t->field;
  const uint64_t before = s->stats.expanded;
  uint64_t all = UINT64_MAX;
  wend_status status = WEND_OK;
  if (!t->flooded) {
    status = wend_flood_run(s, add_limit(before, *left));
    *left -= s->stats.expanded - before;
    t->flooded = status == WEND_OK;
  }
  if (status == WEND_OK && t->map->is_grid) status = keep_grid(field, s, &t->region, &t->kept, s->slice_tables ? left : &all);
  else if (status == WEND_OK) status = keep_graph(field, s, &t->kept, s->slice_tables ? left : &all, &t->flooding.level);
  if (status == WEND_OK && t->exact && !t->map->is_grid && t->flooding.level) status = settle_nodes(t, s);
  if (status == WEND_OK && t->exact && !t->rooted && t->map->is_grid) status = settle_ways(t, s, s->slice_tables ? left : &all);
  if (status == WEND_NO_PATH) { /* the ways of the kernel stay */
    t->exact = false, t->kept = 0;
    status = keep_grid(field, s, &t->region, &t->kept, s->slice_tables ? left : &all);
  }
  if (status == WEND_OK) end_closed(field);
  if (status == WEND_NO_MEMORY && t->rooted && t->map->is_grid) restore(field, t->roots, t->root_count);
  return status;
}

wend_status wend_field_run_flood(field_task *t, wend_search *s, uint64_t *left) {
  wend_field *field = t->field;
  wend_status status = WEND_OK;
  if (!t->by_cells) {
    status = run_kernel(t, s, left);
  } else if (!flood_cells(t, s, left, &status)) {
    status = begin_kernel(t, s);
    if (status == WEND_OK) status = run_kernel(t, s, left);
  }
  if (status != WEND_OK) return status;
  field->grid_width = 0;
  if (t->map->is_grid) {
    field->region = t->region;
    field->grid_width = ((const wend_grid *)t->map)->width;
    field->count = wend_place_count(t->region.width, t->region.height);
  }
  field->noise = s->noise, field->noise.known = NULL, field->noise.known_capacity = 0;
  if (t->by_cells) field->noise.most = 0;
  field->serial = t->map->serial;
  field->version = t->map->version;
  field->noted = t->map->journal.end;
  field->exact = is_exact(t);
  field->level = t->flooding.level;
  field->altered = field->listed = false;
  return WEND_OK;
}

bool wend_field_keep_given(wend_field *field, const wend_id *goals, const double *values, uint32_t goal_count,
                           const wend_field_opts *opts) {
  const uint32_t start_count = values != NULL ? goal_count : 0;
  field->window = goal_count > 0 ? opts->window : 0;
  field->given = *opts;
  memset(&field->given.costs, 0, sizeof field->given.costs);
  field->known = opts->ends.sight == NULL; /* what it calls may be gone when the field is updated */
  if (goals == field->goals && goal_count > 0) return true;
  field->goal_count = field->start_count = 0;
  if (!WEND_GROW(&field->alloc, field->goals, field->goals_capacity, goal_count) ||
      !WEND_GROW(&field->alloc, field->starts, field->starts_capacity, start_count))
    return field->known = false;
  if (goal_count > 0) memcpy(field->goals, goals, goal_count * sizeof *goals);
  if (start_count > 0) memcpy(field->starts, values, start_count * sizeof *values);
  field->goal_count = goal_count, field->start_count = start_count;
  return true;
}

wend_status wend_field_reserve(wend_field *field, wend_search *s, wend_map *map, const wend_id *goals, uint32_t goal_count,
                               const wend_field_opts *opts) {
  const uint32_t portals = map->is_grid ? ((const wend_grid *)map)->portal_count : 0;
  const uint8_t *inside;
  wend_region region;
  wend_status status;
  wend_field_reset(field);
  if (!wend_field_keep_given(field, goals, NULL, goal_count, opts)) return WEND_NO_MEMORY;
  status = open_region(field, s, map, &region, &inside);
  if (status == WEND_OK) status = wend_field_keep_costs(field, map, &opts->costs);
  if (status != WEND_OK) return status;
  return wend_field_room(field, map, &region) &&
                 WEND_GROW(&field->alloc, field->portal_steps, field->portal_steps_capacity, portals)
             ? WEND_OK
             : WEND_NO_MEMORY;
}

/* Adds a root. False: no memory. */
static bool add_field_root(field_task *t, wend_search *s, uint32_t place, double value) {
  wend_root *roots = wend_search_scratch(s, FIELD_ROOTS, ((uint64_t)t->root_count + 1) * sizeof *roots);
  if (roots == NULL) return false;
  roots[t->root_count].place = place;
  roots[t->root_count++].value = value;
  t->roots = roots;
  return true;
}

/* The stepper of the map, for the agent as it is; and whether paths of the field may only pass some places. */
static wend_status map_stepper(const field_task *t, wend_search *s, wend_costs *costs, wend_stepper *stepper, bool *passing) {
  wend_status status;
  *costs = t->opts.costs;
  costs->size = t->field->size;
  status = wend_map_stepper(t->map, costs, stepper);
  stepper->callbacks = &s->stats.callbacks;
  (void)wend_turns_tags(t->map, costs, passing);
  *passing = *passing && !t->field->outward;
  return status;
}

/* Adds a place of the map as a root, unless it lies outside the region, or paths may only pass it. False: no memory. */
static bool add_place(field_task *t, wend_search *s, const wend_stepper *stepper, bool passing, uint32_t place, double value) {
  const uint32_t there = flooded_place(t, stepper, place);
  return there == WEND_NONE || (passing && wend_turn_passes(stepper, place)) || add_field_root(t, s, there, value);
}

/* Makes roots of the goals, or begins to make roots of the places that fit them. */
static wend_status list_roots(field_task *t, wend_search *s, const wend_id *goals, const double *values, uint32_t goal_count,
                              const wend_field_opts *opts) {
  const double first = opts->outward ? opts->turns.per_turn - opts->turns.rest : 0;
  const bool ranged = wend_range_given(&opts->ends);
  wend_ranged *found = &s->ends.near;
  wend_stepper stepper;
  wend_costs costs;
  bool passing;
  wend_status status = map_stepper(t, s, &costs, &stepper, &passing);
  if (ranged && !WEND_GROW(&s->alloc, found->goals, found->goals_capacity, goal_count)) return WEND_NO_MEMORY;
  for (uint32_t k = 0; k < goal_count && status == WEND_OK; k++) {
    const double value = values != NULL ? values[k] : first;
    if (!ranged && !add_place(t, s, &stepper, passing, wend_stepper_place(&stepper, goals[k]), value)) return WEND_NO_MEMORY;
    if (ranged) found->goals[k].at = goals[k], found->goals[k].cost = value;
    if (!opts->ends.beside) continue;
    status = wend_range_list(found, &s->alloc, t->map, &stepper, &opts->ends, goals[k], wend_turn_passes);
    for (uint32_t i = 0; i < found->count && status == WEND_OK; i++)
      if (!add_place(t, s, &stepper, passing, found->list[i].place, value)) status = WEND_NO_MEMORY;
  }
  t->listing = ranged && !opts->ends.beside && goal_count > 0;
  memset(&t->walk, 0, sizeof t->walk);
  if (t->listing && status == WEND_OK &&
      !wend_ranged_begin(found, &s->alloc, t->map, &stepper, &opts->ends, goal_count, values != NULL))
    return WEND_NO_MEMORY;
  return status == WEND_OK && stepper.invalid ? WEND_ABORTED : status;
}

/* Lists places in range, as far as *left allows, and then begins the flood. RUNNING: it goes on. */
static wend_status go_on_listing(field_task *t, wend_search *s, uint64_t *left) {
  wend_ranged *found = &s->ends.near;
  uint32_t place, goal;
  wend_stepper stepper;
  wend_costs costs;
  bool passing;
  wend_status status = map_stepper(t, s, &costs, &stepper, &passing);
  while (status == WEND_OK) {
    status = wend_ranged_next(found, &stepper, &t->walk, left, &place, &goal);
    if (status == WEND_OK && !add_place(t, s, &stepper, passing, place, found->goals[goal].cost)) status = WEND_NO_MEMORY;
  }
  if (status != WEND_NO_PATH) return status;
  t->listing = false;
  return wend_field_begin_flood(t, s);
}

/* Begins a field of a map that the search has opened. */
static wend_status begin_task(field_task *t, wend_search *s, const wend_id *goals, const double *values, uint32_t goal_count,
                              const wend_field_opts *opts) {
  wend_field *field = t->field;
  bool passing;
  wend_status status = wend_field_ground(t, s, &opts->costs);
  if (status != WEND_OK) return status;
  t->opts.turns = field->turns = opts->turns;
  if (opts->turns.per_turn > 0 && opts->turns.any_last && !opts->outward) return WEND_INVALID;
  (void)wend_turns_tags(t->map, &opts->costs, &passing);
  if (opts->turns.per_turn > 0 && passing && !(opts->outward && opts->max_cost <= 1)) return WEND_INVALID;
  status = list_roots(t, s, goals, values, goal_count, opts);
  if (status != WEND_OK) return status;
  t->enters_roots = opts->ends.closed && !opts->outward && values == NULL && !wend_range_given(&opts->ends);
  t->opts.heuristic = WEND_ZERO;
  t->opts.max_expanded = opts->max_expanded;
  t->opts.max_cost = opts->max_cost;
  t->opts.variation = opts->variation, t->opts.seed = opts->seed;
  return t->listing ? WEND_OK : wend_field_begin_flood(t, s);
}

wend_status wend_field_begin(wend_field *field, wend_search *s, wend_map *map, const wend_id *goals, const double *values,
                             uint32_t goal_count, const wend_field_opts *opts) {
  field_task *t = wend_search_scratch(s, FIELD_TASK, sizeof *t);
  wend_status status;
  wend_search_reset(s);
  wend_field_reset(field);
  field->outward = opts->outward;
  if (t == NULL || !wend_field_keep_given(field, goals, values, goal_count, opts)) return WEND_NO_MEMORY;
  status = wend_search_open(s, &map, opts->freeze);
  memset(t, 0, offsetof(field_task, flooding));
  t->field = field, t->map = map;
  t->opts = wend_search_opts_default();
  if (status == WEND_OK) status = begin_task(t, s, goals, values, goal_count, opts);
  if (status != WEND_OK) return wend_search_thaw(s), status;
  t->status = WEND_RUNNING;
  s->task = TASK_FIELD;
  field->making = true;
  return WEND_OK;
}

wend_status wend_field_step(wend_field *field, wend_search *s, uint64_t max_expanded, uint64_t *used) {
  field_task *t = s->task == TASK_FIELD ? wend_search_scratch(s, FIELD_TASK, 0) : NULL;
  uint64_t left = max_expanded;
  if (used != NULL) *used = 0;
  if (t == NULL || t->field != field) return WEND_STALE;
  if (t->status != WEND_RUNNING) return t->status;
  t->status = field->making ? wend_search_reads(s, &t->opts.costs) : WEND_STALE;
  if (t->status != WEND_OK) wend_search_clear(s);
  else if (t->listing) t->status = go_on_listing(t, s, &left);
  if (t->status == WEND_OK) t->status = wend_field_run_flood(t, s, &left);
  if (used != NULL) *used = max_expanded - left;
  s->task = TASK_FIELD; /* the kernel may have begun, which drops the task */
  if (t->status == WEND_RUNNING) return t->status;
  field->making = false;
  if (t->status != WEND_OK) wend_field_reset(field);
  wend_search_drop_view(s);
  wend_search_thaw(s);
  return t->status;
}

wend_status wend_field_make(wend_field *field, wend_search *s, wend_map *map, const wend_id *goals, const double *values,
                            uint32_t goal_count, const wend_field_opts *opts) {
  const wend_status status = wend_field_begin(field, s, map, goals, values, goal_count, opts);
  return status == WEND_OK ? wend_field_step(field, s, UINT64_MAX, NULL) : status;
}
