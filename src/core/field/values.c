/* SPDX-License-Identifier: MIT */
/* The memory of fields, what a field is asked, and arithmetic with its values. make.c makes fields.
 *
 *   lookup   from an id to its value number; follow parents to a goal
 *   lowest   the neighbour with the lowest value */
#include "core/field/field.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/pathfinder/pathfinder.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

wend_field *wend_field_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_field)); }

static const wend_array field_rows[] = {
    WEND_ARRAY(wend_field, values, values_capacity, 1), WEND_ARRAY(wend_field, next, next_capacity, 1),
    WEND_ARRAY(wend_field, ways, ways_capacity, 1),     WEND_ARRAY(wend_field, portal_steps, portal_steps_capacity, 1),
    WEND_ARRAY(wend_field, edges, edges_capacity, 1),   WEND_ARRAY(wend_field, generations, generations_capacity, 1),
    WEND_ARRAY(wend_field, tags, tags_capacity, 1),     WEND_ARRAY(wend_field, layers, layers_capacity, 1),
    WEND_ARRAY(wend_field, closed, closed_capacity, 1), WEND_ARRAY(wend_field, closed_next, closed_next_capacity, 1),
    WEND_ARRAY(wend_field, goals, goals_capacity, 1),   WEND_ARRAY(wend_field, starts, starts_capacity, 1),
};
static const wend_arrays field_arrays = WEND_ARRAYS(field_rows);

void wend_field_destroy(wend_field *field) {
  if (field == NULL) return;
  wend_arrays_free(field_arrays, 1, &field->alloc, field);
  wend_delete(field, sizeof *field);
}

size_t wend_field_bytes(const wend_field *field) { return sizeof *field + wend_arrays_bytes(field_arrays, 1, field); }

/* ---- Looking up -------------------------------------------------------------------------------------------- */

uint32_t wend_field_portal(const wend_field *field, uint32_t i) {
  uint32_t low = 0, high = field->portal_step_count; /* they are sorted by place */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (field->portal_steps[middle].place <= i) low = middle;
    else high = middle;
  }
  return field->portal_steps[low].parent;
}

/* The value number of a node or cell; WEND_NONE: it is not reached. */
static uint32_t find(const wend_field *field, wend_id at) {
  uint32_t i;
  if (field->count == 0) return WEND_NONE;
  if (field->grid_width > 0) {
    uint32_t x = (uint32_t)((at - 1) % field->grid_width) - field->region.left;
    uint32_t y = (uint32_t)((at - 1) / field->grid_width) - field->region.top;
    if (x >= field->region.width || y >= field->region.height) return WEND_NONE;
    i = wend_region_place(&field->region, x, y);
  } else {
    i = (uint32_t)at - 1;
    if (i >= field->count) return WEND_NONE;
  }
  if (!wend_field_is_reached(field, i)) return WEND_NONE;
  /* No path enters a closed place, so it can only be passed: no path ends there. */
  if (field->outward && field->passing && wend_field_is_closed(field, i) && wend_field_parent(field, i) != WEND_NONE)
    return WEND_NONE;
  if (field->grid_width == 0 && field->generations[i] != (uint32_t)(at >> 32)) return WEND_NONE;
  return i;
}

uint64_t wend_field_version(const wend_field *field) { return field->version; }

bool wend_field_is_altered(const wend_field *field) { return field->altered; }
bool wend_field_leads(const wend_field *field) { return wend_field_has_paths(field); }
bool wend_field_is_outward(const wend_field *field) { return field->outward; }
wend_turns wend_field_turns(const wend_field *field) { return field->turns; }
uint32_t wend_field_window(const wend_field *field) { return field->window; }

bool wend_field_cost(const wend_field *field, wend_id at, double *cost) {
  uint32_t i = find(field, at);
  if (i == WEND_NONE) return false;
  *cost = field->values[i];
  return true;
}

bool wend_field_has(const wend_field *field, wend_id at) {
  const uint32_t i = find(field, at);
  return i != WEND_NONE && !wend_field_is_closed(field, i);
}

wend_id wend_field_next(const wend_field *field, wend_id at) {
  uint32_t i = find(field, at);
  assert(!field->altered);
  if (i != WEND_NONE) i = wend_field_parent(field, i);
  return i == WEND_NONE ? WEND_NO_ID : wend_field_id_at(field, i);
}

wend_id wend_field_goal(const wend_field *field, wend_id at) {
  uint32_t i = find(field, at);
  assert(!field->altered);
  if (i == WEND_NONE) return WEND_NO_ID;
  for (uint32_t p = i; p != WEND_NONE; p = wend_field_parent(field, p)) i = p;
  return wend_field_id_at(field, i);
}

/* The cost of an edge from a node. The direction matters only if nodes have tags. */
static double cost_of_edge(wend_stepper *stepper, wend_id edge, wend_id from) {
  const wend_graph *graph = stepper->graph;
  const uint32_t slot = wend_slots_find(&graph->edges, edge);
  const bool back = graph->tagged_count > 0 && graph->edges.value[slot] != wend_slots_find(&graph->nodes, from);
  return wend_edge_cost(stepper, slot, back);
}

/* Counts the turns of the resulting path. STALE: the map has changed. */
static wend_status count_turns(const wend_field *field, wend_map *map, wend_search *s) {
  const wend_costs costs = {field->tag_count > 0 ? field->tags : NULL, NULL, NULL, field->size, NULL, 0};
  wend_turns turns = field->turns;
  wend_stepper stepper;
  wend_status status;
  if (field->version != map->version) return s->path_length = 0, WEND_STALE;
  if (!field->outward) turns.rest = turns.per_turn;
  status = wend_map_stepper(map, &costs, &stepper);
  return status == WEND_OK ? wend_search_count_turns(s, &stepper, &turns) : status;
}

/* The true cost of the step from value number i to its parent: the difference of the values without the factor of the seed. */
static double true_step(const wend_field *field, wend_map *map, uint32_t i, uint32_t parent) {
  const double step = field->values[i] - field->values[parent];
  const uint32_t entered = field->outward ? i : parent;
  const bool graph = field->grid_width == 0;
  double p[3] = {0, 0, 0};
  int dimensions = 2;
  if (!graph) {
    p[0] = wend_region_x(&field->region, entered), p[1] = wend_region_y(&field->region, entered);
  } else if (!field->noise.by_edges) {
    const double *position = wend_graph_position((const wend_graph *)map, wend_field_id_at(field, entered));
    if (position == NULL) return step; /* the node was removed */
    dimensions = ((const wend_graph *)map)->dimensions;
    memcpy(p, position, (size_t)dimensions * sizeof *p);
  }
  return step / wend_draw_factor(&field->noise, dimensions, p, graph ? field->edges[i] : 0);
}

/* The true cost of the path from value number i to its goal. */
static double true_cost(const wend_field *field, wend_map *map, uint32_t i) {
  double sum = 0;
  for (uint32_t p; (p = wend_field_parent(field, i)) != WEND_NONE; i = p) sum += true_step(field, map, i, p);
  return sum;
}

/* The cost of a path, summed in the order of travel. The sum of the field (`own`) was made in the opposite order, and may
 * differ in the last bits. If the map has changed, or an edge function or layers decided costs, the result is `own`. */
static double sum_path(const wend_field *field, wend_map *map, const wend_search *s, double own) {
  const wend_costs costs = {field->tag_count > 0 ? field->tags : NULL, NULL, NULL, field->size, NULL, 0};
  const wend_graph *graph = (const wend_graph *)map;
  double sum = 0;
  wend_stepper stepper;
  if (field->asked || field->version != map->version) return own;
  stepper = map->is_grid ? wend_grid_stepper((const wend_grid *)map, &costs) : wend_graph_stepper(graph, &costs);
  if (map->is_grid) /* a closed goal */
    stepper.opened = wend_region_find(&stepper.region, stepper.grid, s->path_nodes[s->path_length - 1]);
  for (uint32_t i = 0; i + 1 < s->path_length; i++)
    sum += map->is_grid ? wend_step_between(&stepper, s->path_nodes[i], s->path_nodes[i + 1])
                        : cost_of_edge(&stepper, s->path_edges[i], s->path_nodes[i]);
  {
    /* Between two windows the path may use a portal where the map has a cheaper step outside the windows. Then the sums differ
     * by more than rounding. */
    const wend_id far = s->path_nodes[field->outward ? s->path_length - 1 : 0];
    return fabs(sum - own) <= 1e-9 * (sum + fabs(field->values[find(field, far)])) ? sum : own;
  }
}

wend_status wend_field_path(const wend_field *field, wend_search *s, wend_map *map, wend_id at) {
  uint32_t i = find(field, at), length = 1;
  bool graph = field->grid_width == 0;
  double own;
  assert(!field->altered && wend_field_leads(field));
  wend_search_reset(s);
  if (i == WEND_NONE) return WEND_NO_PATH;
  for (uint32_t p = wend_field_parent(field, i); p != WEND_NONE; p = wend_field_parent(field, p)) length++;
  if (!wend_search_reserve_path(s, length)) return WEND_NO_MEMORY;
  s->path_length = length;
  own = field->values[i];
  for (uint32_t k = 0; k < length; k++) {
    uint32_t to = field->outward ? length - 1 - k : k, parent = wend_field_parent(field, i);
    s->path_nodes[to] = wend_field_id_at(field, i);
    if (parent == WEND_NONE) break;
    if (graph) s->path_edges[field->outward ? to - 1 : to] = field->edges[i];
    i = parent;
  }
  if (field->turns.per_turn > 0) return count_turns(field, map, s);
  s->path_cost =
      sum_path(field, map, s, field->noise.most > 0 ? true_cost(field, map, find(field, at)) : own - field->values[i]);
  return WEND_OK;
}

wend_id wend_field_each(const wend_field *field, wend_id after) {
  uint32_t i = 0;
  if (after != WEND_NO_ID && field->grid_width == 0) {
    i = (uint32_t)after; /* a slot is the low half of an id - 1 */
  } else if (after != WEND_NO_ID) {
    const uint32_t x = (uint32_t)((after - 1) % field->grid_width) - field->region.left;
    const uint32_t y = (uint32_t)((after - 1) / field->grid_width) - field->region.top;
    i = wend_region_place(&field->region, x, y) + 1;
  }
  while (i < field->count && (!wend_field_is_reached(field, i) || wend_field_is_closed(field, i))) i++;
  return i < field->count ? wend_field_id_at(field, i) : WEND_NO_ID;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------- */

void wend_field_add(wend_field *field, const wend_field *other, double factor) {
  for (uint32_t i = 0; i < field->count; i++) {
    double value;
    if (!wend_field_is_reached(field, i)) continue;
    if (wend_field_cost(other, wend_field_id_at(field, i), &value)) field->values[i] += value * factor;
    else field->values[i] = INFINITY;
  }
  field->altered = true;
  field->known = false;
}

void wend_field_scale(wend_field *field, double factor) {
  for (uint32_t i = 0; i < field->count; i++)
    if (wend_field_is_reached(field, i)) field->values[i] *= factor;
  field->altered = true;
  field->known = false;
}

/* Whether a neighbour has a lower value than the lowest so far, or the same value and a smaller id than `known`, the cell or
 * node with that value; WEND_NO_ID: none was found yet. */
static bool is_lower(const wend_field *field, wend_id id, double lowest, wend_id known, double *value) {
  return wend_field_cost(field, id, value) && (*value < lowest || (*value == lowest && known != WEND_NO_ID && id < known));
}

/* wend_field_lowest on a grid. lowest: the value of the cell `at`. */
static wend_status lowest_cell(const wend_field *field, const wend_grid *grid, const wend_costs *costs, wend_id at,
                               double lowest, wend_id *next) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  const uint32_t place = wend_region_find(&stepper.region, grid, at);
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(grid, place, false, &count);
  for (uint32_t k = 0; k < 8 + count; k++) {
    const uint32_t to = k < 8 ? (uint32_t)(place + wend_offset(grid->stride, (int)k)) : portals[k - 8].to;
    double value, cost;
    wend_id id;
    if (!(wend_region_get(&stepper.region, grid, to).weight < INFINITY)) continue; /* closed or outside */
    id = wend_region_cell(&stepper.region, grid, to);
    if (!is_lower(field, id, lowest, *next, &value)) continue;
    cost = k < 8 ? wend_step_cell(&stepper, place, (int)k, 0, INFINITY, NULL)
                 : wend_step_portal(&stepper, &portals[k - 8], place, to, 0, INFINITY);
    if (cost < INFINITY) lowest = value, *next = id;
    if (stepper.invalid) return WEND_ABORTED;
  }
  return WEND_OK;
}

/* The same on a graph. */
static wend_status lowest_node(const wend_field *field, wend_graph *graph, const wend_costs *costs, wend_id at, double lowest,
                               wend_id *next) {
  const wend_status status = wend_graph_sync(graph);
  wend_stepper stepper = wend_graph_stepper(graph, costs);
  const uint32_t slot = wend_slots_find(&graph->nodes, at);
  uint32_t place;
  if (status != WEND_OK || slot == WEND_NONE) return status;
  place = graph->nodes.value[slot];
  for (uint32_t i = graph->out[place].first; i < graph->out[place].end; i++) {
    const wend_id id = wend_slots_id(&graph->nodes, graph->slot_of[graph->arc_to[i]]);
    double value;
    if (!is_lower(field, id, lowest, *next, &value)) continue;
    if (wend_arc_cost(&stepper, place, i, false) < INFINITY) lowest = value, *next = id;
    if (stepper.invalid) return WEND_ABORTED;
  }
  return WEND_OK;
}

wend_status wend_field_lowest(const wend_field *field, wend_map *map, const wend_costs *costs, wend_id at, wend_id *next) {
  const uint32_t here = find(field, at);
  *next = WEND_NO_ID;
  if (here == WEND_NONE) return WEND_OK;
  return map->is_grid ? lowest_cell(field, (const wend_grid *)map, costs, at, field->values[here], next)
                      : lowest_node(field, (wend_graph *)map, costs, at, field->values[here], next);
}
