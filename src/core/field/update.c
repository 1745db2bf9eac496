/* SPDX-License-Identifier: MIT */
/* Fields that follow their map: what edits have changed is mended (pathfinder/mend.c), or all of it is made again; and fields whose
 * values arithmetic has changed are relaxed: flooded again, with all values as roots. */
#include <string.h>

#include "core/field/task.h"

WEND_NO_FUSING

/* Whether tags and layers cost what they cost when the field was made; tags may have been added since, and numbers may have changed. */
static bool has_field_costs(const wend_field *field, const wend_map *map, const wend_costs *costs) {
  const uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(map) + 1;
  if ((count == 0) != (field->tag_count == 0) || count < field->tag_count) return false;
  if (field->layer_count != costs->influence_count) return false;
  for (uint32_t i = 0; i < field->layer_count; i++) {
    const wend_influence *layer = costs->influences[i].layer;
    if (field->layers[i].serial != (layer != NULL ? layer->serial : 0)) return false;
    if (field->layers[i].factor != costs->influences[i].factor) return false;
  }
  for (uint32_t i = 0; i < field->tag_count; i++) {
    const wend_tag_cost *a = &field->tags[i], *b = &costs->tags[i];
    if (a->times != b->times || a->plus != b->plus || a->at_least != b->at_least) return false;
    if (a->asks != b->asks || a->ends_turn != b->ends_turn || a->pass_only != b->pass_only) return false;
  }
  return true;
}

bool wend_field_has_costs(const wend_field *field, const wend_map *map, const wend_costs *costs, bool *asked) {
  *asked = field->asked;
  return has_field_costs(field, map, costs) && (costs->tags == NULL || field->tag_count == wend_map_tag_count(map) + 1);
}

/* Lists which nodes have a way, once for a field of a graph. */
static void list_ways(wend_field *field) {
  for (uint32_t i = 0; i < field->count && !field->listed; i++)
    field->ways[i] = wend_field_is_reached(field, i) && field->next[i] != WEND_NONE ? PORTAL_WAY : NO_WAY;
  field->listed = true;
}

/* Prepares to mend a field of a graph. New nodes have no value yet. NO_MEMORY. */
static wend_status begin_nodes(field_task *t, wend_search *s) {
  wend_field *field = t->field;
  wend_flooding *f = &t->flooding;
  const uint32_t count = ((const wend_graph *)t->map)->nodes.count;
  if (!wend_field_room(field, t->map, NULL) || !WEND_GROW(&field->alloc, field->closed, field->closed_capacity, count / 8 + 1))
    return WEND_NO_MEMORY;
  list_ways(field);
  for (uint32_t i = field->count; i < count; i++) {
    field->values[i] = INFINITY;
    field->ways[i] = NO_WAY;
    field->closed[i / 8] &= (uint8_t) ~(1u << i % 8);
  }
  field->count = count;
  wend_field_lend_nodes(t, s);
  f->limit = (uint64_t)count * 2 + RING;
  return WEND_OK;
}

/* What has changed since a field was made: the map, and each layer. */
typedef struct field_edits {
  wend_changes *changes; /* of the map first */
  uint32_t count;
  uint64_t noted, all; /* noted: the cursor in the journal of the map; all: how many changes there are */
} field_edits;

/* RUNNING: some are lost. NO_MEMORY. */
static wend_status read_edits(const wend_field *field, wend_search *s, const wend_map *map, const wend_costs *costs,
                              field_edits *edits) {
  edits->noted = field->noted, edits->count = 1 + costs->influence_count;
  edits->changes = wend_search_scratch(s, FIELD_ROOTS, edits->count * sizeof *edits->changes);
  if (edits->changes == NULL) return WEND_NO_MEMORY;
  if (!wend_read_changes_of(map, &edits->noted, edits->changes)) return WEND_RUNNING;
  edits->all = edits->changes->end - edits->changes->at;
  for (uint32_t i = 1; i < edits->count; i++) {
    const wend_influence *layer = costs->influences[i - 1].layer;
    const wend_journal none = {NULL, 0, 0, 0};
    uint64_t noted = field->layers[i - 1].noted;
    if (!wend_read_changes(layer != NULL ? &layer->journal : &none, &noted, &edits->changes[i])) return WEND_RUNNING;
    edits->all += edits->changes[i].end - edits->changes[i].at;
  }
  return WEND_OK;
}

/* Whether an edit may have closed a goal that then has entrances. */
static bool closes_goal(const field_task *t, wend_changes changes) {
  const wend_field *field = t->field;
  const wend_graph *graph = (const wend_graph *)t->map;
  uint32_t place;
  wend_stepper stepper;
  (void)wend_map_stepper(t->map, &t->opts.costs, &stepper); /* it is synced */
  while (field->given.ends.closed && wend_next_change(&changes, &place)) {
    const uint32_t i = t->map->is_grid ? place : graph->slot_of[place & ~CHANGED_NODE];
    if (i >= field->count || field->ways[i] != NO_WAY || !wend_field_is_reached(field, i)) continue;
    if (wend_is_place_closed(&stepper, place & ~CHANGED_NODE)) return true;
  }
  return false;
}

/* Prepares to flood a field that is there, with its map as it is now. */
static wend_status reopen(field_task *t, wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs) {
  const wend_status status = wend_search_open(s, &map, false);
  memset(t, 0, sizeof *t);
  t->field = field, t->map = map;
  t->opts = wend_search_opts_default();
  t->opts.heuristic = WEND_ZERO;
  return status == WEND_OK ? wend_field_ground(t, s, costs) : status;
}

/* Mends a field that is exact. RUNNING: it is as it was, and must be made again. */
static wend_status mend_field(wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs, uint32_t *changed) {
  const wend_flooded result = {field->values, field->ways, field->closed};
  field_edits edits;
  wend_stepper stepper;
  field_task t;
  wend_status status = reopen(&t, field, s, map, costs);
  if (status != WEND_OK) return status;
  map = t.map;
  if (map->is_grid && !wend_grid_asks((const wend_grid *)t.ground, costs)) t.opts.costs.edge = NULL;
  if (!wend_field_by_edits(&t)) return WEND_RUNNING;
  status = read_edits(field, s, map, costs, &edits);
  if (status != WEND_OK || (edits.all == 0 && field->version == map->version)) return status;
  if (edits.all > field->count / MENDED_SHARE) return WEND_RUNNING;
  status = wend_field_keep_costs(field, map, &t.opts.costs);
  if (status != WEND_OK || field->passing) return status == WEND_OK ? WEND_RUNNING : status;
  if (!map->is_grid) status = begin_nodes(&t, s);
  else
    status = wend_flood_cells_begin(&t.flooding, s, (const wend_grid *)t.ground, &t.region, !field->outward, false, &t.opts,
                                    &result);
  if (status != WEND_OK || closes_goal(&t, *edits.changes)) return status == WEND_OK ? WEND_RUNNING : status;
  wend_field_lend(&t, &stepper);
  t.flooding.level = field->level;
  status = wend_field_lend_portals(&t, s);
  if (status != WEND_OK) return status;
  status = wend_flood_cells_mend(&t.flooding, map->is_grid ? (const wend_grid *)t.ground : NULL, &t.opts, FIELD_MENDED,
                                 edits.changes, edits.count, changed);
  if (status == WEND_OK) status = wend_field_settle_portals(&t);
  if (status != WEND_OK) return status;
  field->version = map->version, field->noted = edits.noted, field->level = t.flooding.level;
  wend_field_note_layers(field, costs);
  return WEND_OK;
}

wend_status wend_field_begin_again(wend_field *made, const wend_field *field, wend_search *s, wend_map *map,
                                   const wend_costs *costs, bool freeze) {
  const double *starts = field->start_count > 0 ? field->starts : NULL;
  wend_field_opts opts = field->given;
  uint32_t kept = 0;
  if (made != field && !wend_field_keep_given(made, field->goals, starts, field->goal_count, &opts)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < made->goal_count; i++) { /* goals that were removed are left out */
    if (!map->is_grid && !wend_graph_has_node((const wend_graph *)map, made->goals[i])) continue;
    if (starts != NULL) made->starts[kept] = made->starts[i];
    made->goals[kept++] = made->goals[i];
  }
  made->start_count = starts != NULL ? kept : 0;
  made->goal_count = kept;
  opts.costs = *costs;
  opts.max_expanded = UINT64_MAX;
  opts.freeze = freeze;
  return wend_field_begin(made, s, map, made->goals, starts != NULL ? made->starts : NULL, kept, &opts);
}

/* Makes a field again in one piece. */
static wend_status make_at_once(wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs, uint32_t *changed) {
  wend_status status = wend_field_begin_again(field, field, s, map, costs, false);
  if (status == WEND_OK) status = wend_field_step(field, s, UINT64_MAX, NULL);
  if (status == WEND_OK) *changed = wend_field_count(field);
  return status;
}

wend_status wend_field_mend(wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs, uint32_t *changed) {
  const bool is_same = field->serial == map->serial && has_field_costs(field, map, costs);
  wend_status status = WEND_RUNNING;
  *changed = 0;
  wend_search_reset(s);
  if (field->altered || !field->known) return WEND_INVALID;
  if (is_same && field->version == map->version && !field->asked) return WEND_OK;
  if (is_same && field->exact && field->version <= map->version) status = mend_field(field, s, map, costs, changed);
  wend_search_drop_view(s);
  if (status != WEND_OK && status != WEND_RUNNING) wend_field_reset(field);
  return status;
}

wend_status wend_field_update(wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs, uint32_t *changed,
                              bool *rebuilt) {
  wend_status status = wend_field_mend(field, s, map, costs, changed);
  *rebuilt = status == WEND_RUNNING;
  if (!*rebuilt) return status;
  status = make_at_once(field, s, map, costs, changed);
  if (status != WEND_OK) wend_field_reset(field);
  return status;
}

/* ---- Relaxation ------------------------------------------------------------------------------------------- */

/* Makes a root of each cell or node that is reached, with its value. Returns their number. */
static uint32_t make_roots(const wend_field *field, const wend_graph *graph, wend_root *roots) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < field->count; i++) {
    uint32_t place = i;
    if (!wend_field_is_reached(field, i)) continue;
    if (graph != NULL) {
      const uint32_t slot = wend_slots_find(&graph->nodes, wend_field_id_at(field, i)); /* WEND_NONE: removed since */
      if (slot == WEND_NONE) continue;
      place = graph->nodes.value[slot];
    }
    roots[count].place = place;
    roots[count++].value = field->values[i];
  }
  return count;
}

wend_status wend_field_relax(wend_field *field, wend_search *s, wend_map *map, const wend_costs *costs) {
  field_task t;
  uint64_t left = UINT64_MAX;
  wend_root *roots;
  wend_status status;
  wend_search_reset(s);
  if (field->serial == 0 || !field->altered) return WEND_OK; /* empty, or relaxed already */
  status = reopen(&t, field, s, map, costs);
  if (status != WEND_OK) return status;
  roots = wend_search_scratch(s, FIELD_ROOTS, wend_field_count(field) * (uint64_t)sizeof *roots);
  if (roots == NULL) return WEND_NO_MEMORY;
  t.roots = roots;
  t.root_count = make_roots(field, t.map->is_grid ? NULL : (const wend_graph *)t.map, roots);
  t.rooted = true;
  t.opts.variation = field->given.variation, t.opts.seed = field->given.seed;
  status = wend_field_begin_flood(&t, s);
  return status == WEND_OK ? wend_field_run_flood(&t, s, &left) : status;
}
