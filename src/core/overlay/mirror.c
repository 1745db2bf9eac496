/* SPDX-License-Identifier: MIT */
/* Copies of maps by their arrays, and of single places by edits. mirror.h has the contracts.
 *
 * A whole copy is made in a new object, whose content the copy then takes over. So it is made completely or not at all. Places are
 * copied by the functions of wend.h, which keep the statistics, the journal and the index of the copy in order. */
#include "core/overlay/mirror.h"

#include <string.h>

#include "core/map/nearest.h"

WEND_NO_FUSING

/* ---- Arrays ------------------------------------------------------------------------------------------------- */

/* Copies an array of `count` items. array: the address of a pointer that is NULL, *capacity is 0. False: no memory. */
static bool copy_items(const wend_alloc *alloc, void *array, uint32_t *capacity, const void *from, uint32_t count,
                       size_t item_bytes) {
  void *items;
  if (from == NULL || count == 0) return true;
  if (!wend_resize(alloc, array, capacity, count, item_bytes)) return false;
  memcpy(&items, array, sizeof items);
  memcpy(items, from, count * item_bytes);
  return true;
}
#define COPY_ITEMS(alloc, to, from, field, field_capacity, count) \
  copy_items(alloc, &(to)->field, &(to)->field_capacity, (from)->field, count, sizeof *(to)->field)

static bool copy_slots(const wend_alloc *alloc, wend_slots *to, const wend_slots *from) {
  to->count = from->count, to->live = from->live;
  to->vacant_count = from->vacant_count, to->cursor = from->cursor, to->reserved = from->reserved;
  return COPY_ITEMS(alloc, to, from, value, capacity, from->capacity) &&
         COPY_ITEMS(alloc, to, from, generation, generation_capacity, from->generation_capacity) &&
         COPY_ITEMS(alloc, to, from, vacant, vacant_capacity, from->vacant_capacity);
}

/* Copies ratios into ratios without arrays. */
static bool copy_ratios(const wend_alloc *alloc, wend_ratios *to, const wend_ratios *from) {
  to->used = from->used, to->recent = from->recent, to->unsettled = from->unsettled;
  to->lows = from->lows, to->reach = from->reach, to->cut = from->cut, to->wanted = from->wanted;
  return COPY_ITEMS(alloc, to, from, table, capacity, from->capacity) &&
         COPY_ITEMS(alloc, to, from, tags, tags_capacity, from->tags_capacity);
}

wend_status wend_mirror_weights(wend_map *to, const wend_map *from) {
  wend_ratios copy;
  memset(&copy, 0, sizeof copy);
  if (!copy_ratios(&to->alloc, &copy, &from->ratios)) {
    wend_ratios_free(&copy, &to->alloc);
    return WEND_NO_MEMORY;
  }
  wend_ratios_free(&to->ratios, &to->alloc);
  to->ratios = copy;
  to->scales = from->scales;
  return WEND_OK;
}

/* Adds the tags that the copy does not have. */
static wend_status copy_tag_names(wend_map *to, const wend_map *from) {
  wend_status status = WEND_OK;
  while (status == WEND_OK && wend_map_tag_count(to) < wend_map_tag_count(from)) {
    size_t length = 0;
    const char *name = wend_map_tag_name(from, wend_map_tag_count(to) + 1, &length);
    uint32_t tag;
    status = wend_map_tag(to, name, length, &tag);
  }
  return status;
}

wend_status wend_mirror_labels(wend_map *to, const wend_map *from) {
  wend_graph *graph = (wend_graph *)to;
  const wend_graph *other = (const wend_graph *)from;
  const wend_status status = copy_tag_names(to, from);
  if (status != WEND_OK || to->is_grid || other->radius_capacity == 0) return status;
  if (!WEND_RESIZE(&to->alloc, graph->radius, graph->radius_capacity, other->radius_capacity)) return WEND_NO_MEMORY;
  memcpy(graph->radius, other->radius, other->radius_capacity * sizeof *graph->radius);
  return WEND_OK;
}

/* ---- Whole maps --------------------------------------------------------------------------------------------- */

wend_map *wend_mirror_create(const wend_alloc *alloc, const wend_map *from) {
  if (from->is_grid) {
    wend_grid *made = wend_grid_create(alloc, 1, 1, ((const wend_grid *)from)->diagonals);
    return made == NULL ? NULL : &made->map;
  } else {
    wend_graph *made = wend_graph_create(alloc, ((const wend_graph *)from)->dimensions);
    return made == NULL ? NULL : &made->map;
  }
}

void wend_mirror_destroy(wend_map *map) {
  if (map == NULL) return;
  if (map->is_grid) wend_grid_destroy((wend_grid *)map);
  else wend_graph_destroy((wend_graph *)map);
}

/* Copies the arrays of a graph into a new one. The waiting edges are none: the graph is synced. */
static bool copy_graph(wend_graph *to, const wend_graph *from) {
  const wend_alloc *alloc = &to->map.alloc;
  const uint32_t places = from->place_count, arcs = from->arcs_used;
  if (copy_tag_names(&to->map, &from->map) != WEND_OK || !copy_ratios(alloc, &to->map.ratios, &from->map.ratios)) return false;
  if (!copy_slots(alloc, &to->nodes, &from->nodes) || !copy_slots(alloc, &to->edges, &from->edges)) return false;
  if (!COPY_ITEMS(alloc, to, from, radius, radius_capacity, from->radius_capacity)) return false;
  if (!wend_graph_grow_places(to, places) || !wend_graph_grow_pool(to, arcs)) return false;
  if (from->points != NULL && !wend_graph_grow_points(to, places)) return false;
  if (places > 0) {
    memcpy(to->slot_of, from->slot_of, places * sizeof *to->slot_of);
    memcpy(to->out, from->out, places * sizeof *to->out);
    memcpy(to->in, from->in, places * sizeof *to->in);
    memcpy(to->room, from->room, places * sizeof *to->room);
    memcpy(to->flags, from->flags, places * sizeof *to->flags);
  }
  if (places > 0 && from->points != NULL)
    memcpy(to->points, from->points, (size_t)places * (size_t)from->dimensions * sizeof *to->points);
  if (arcs > 0) {
    memcpy(to->arc_weight, from->arc_weight, arcs * sizeof *to->arc_weight);
    memcpy(to->arc_to, from->arc_to, arcs * sizeof *to->arc_to);
    memcpy(to->arc_edge, from->arc_edge, arcs * sizeof *to->arc_edge);
    memcpy(to->arc_tag, from->arc_tag, arcs * sizeof *to->arc_tag);
    memcpy(to->arc_flags, from->arc_flags, arcs * sizeof *to->arc_flags);
  }
  to->map.scales = from->map.scales;
  to->place_count = places, to->ordered_count = from->ordered_count, to->unplaced = from->unplaced;
  to->arcs_used = arcs, to->arcs_wasted = from->arcs_wasted;
  return true;
}

/* The same for a grid. */
static bool copy_grid(wend_grid *to, const wend_grid *from) {
  const wend_alloc *alloc = &to->map.alloc;
  const uint32_t places = from->place_count;
  WEND_FREE(alloc, to->kinds, to->kinds_capacity);
  WEND_FREE(alloc, to->palette, to->palette_capacity);
  WEND_FREE(alloc, to->kind_table, to->kind_table_capacity);
  to->kinds = NULL, to->palette = NULL, to->kind_table = NULL;
  to->kinds_capacity = to->palette_capacity = to->kind_table_capacity = 0;
  to->width = from->width, to->height = from->height, to->stride = from->stride, to->place_count = places;
  to->kind_count = from->kind_count, to->live_kinds = from->live_kinds, to->free_kind = from->free_kind;
  to->recent[0] = from->recent[0], to->recent[1] = from->recent[1];
  to->portal_count = from->portal_count, to->live_portals = from->live_portals;
  to->wall_count = from->wall_count;
  to->map.scales = from->map.scales;
  return copy_tag_names(&to->map, &from->map) == WEND_OK && copy_ratios(alloc, &to->map.ratios, &from->map.ratios) &&
         COPY_ITEMS(alloc, to, from, kinds, kinds_capacity, places) &&
         COPY_ITEMS(alloc, to, from, weights, weights_capacity, places) &&
         COPY_ITEMS(alloc, to, from, tags, tags_capacity, places) &&
         COPY_ITEMS(alloc, to, from, walls, walls_capacity, places) &&
         COPY_ITEMS(alloc, to, from, palette, palette_capacity, from->kind_count) &&
         COPY_ITEMS(alloc, to, from, kind_table, kind_table_capacity, from->kind_table_capacity) &&
         COPY_ITEMS(alloc, to, from, out, out_capacity, from->portal_count) &&
         COPY_ITEMS(alloc, to, from, in, in_capacity, from->portal_count);
}

/* What the copy keeps when it takes over the content of another object: its version and its journal. */
static void keep_history(wend_map *to, wend_map *old) {
  const uint64_t labels = old->labels;
  to->journal = old->journal;
  memset(&old->journal, 0, sizeof old->journal);
  to->serial = old->serial;
  to->version = old->version + 1;
  to->closings = old->closings + 1;
  to->labels = labels + 1;
  wend_map_note_all(to);
}

wend_status wend_mirror_all(wend_map *to, const wend_map *from) {
  wend_map *made = wend_mirror_create(&to->alloc, from);
  const bool copied = made != NULL && (from->is_grid ? copy_grid((wend_grid *)made, (const wend_grid *)from)
                                                     : copy_graph((wend_graph *)made, (const wend_graph *)from));
  if (copied && from->is_grid) {
    wend_grid *grid = (wend_grid *)to, *other = (wend_grid *)made, old = *grid;
    *grid = *other, *other = old;
    grid->palette_changes = old.palette_changes + 1;
    grid->touched = old.touched, grid->touched_capacity = old.touched_capacity;
    other->touched = NULL, other->touched_capacity = 0;
    keep_history(&grid->map, &other->map);
  } else if (copied) {
    wend_graph *graph = (wend_graph *)to, *other = (wend_graph *)made, old = *graph;
    *graph = *other, *other = old;
    wend_near_free(graph);
    keep_history(&graph->map, &other->map);
  }
  wend_mirror_destroy(made);
  return copied ? WEND_OK : WEND_NO_MEMORY;
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

static bool same_portals(const wend_grid *to, const wend_grid *from, uint32_t place, bool back) {
  uint32_t count, other_count;
  const wend_portal *portals = wend_grid_portals(from, place, back, &count);
  const wend_portal *others = wend_grid_portals(to, place, back, &other_count);
  if (count != other_count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (portals[i].from != others[i].from || portals[i].to != others[i].to || portals[i].tag != others[i].tag ||
        portals[i].removed != others[i].removed || portals[i].weight != others[i].weight)
      return false;
  return true;
}

/* Whether the same node is at a place, with the same edges in the same order. */
static bool same_block(const wend_graph *to, const wend_graph *from, uint32_t place) {
  const uint32_t slot = from->slot_of[place];
  wend_block a, b;
  if (slot != to->slot_of[place]) return false;
  if (slot == WEND_NONE) return true;
  if (slot >= to->nodes.count || wend_slots_id(&from->nodes, slot) != wend_slots_id(&to->nodes, slot)) return false;
  a = wend_graph_block(from, place), b = wend_graph_block(to, place);
  if (a.both - a.first != b.both - b.first || a.in - a.first != b.in - b.first || a.end - a.first != b.end - b.first)
    return false;
  for (uint32_t i = 0; i < a.end - a.first; i++) {
    const uint32_t edge = from->arc_edge[a.first + i];
    if (edge != to->arc_edge[b.first + i] || from->arc_to[a.first + i] != to->arc_to[b.first + i]) return false;
    if (wend_slots_id(&from->edges, edge) != wend_slots_id(&to->edges, edge)) return false;
  }
  return true;
}

bool wend_mirror_matches(const wend_map *to, const wend_map *from, uint32_t change) {
  const wend_grid *copy = (const wend_grid *)to, *grid = (const wend_grid *)from;
  if (from->is_grid) return same_portals(copy, grid, change, false) && same_portals(copy, grid, change, true);
  return same_block((const wend_graph *)to, (const wend_graph *)from, change & ~CHANGED_NODE);
}

wend_status wend_mirror_cell(wend_grid *to, const wend_grid *from, uint32_t place, const wend_patch *patch) {
  const wend_region region = wend_grid_region(to);
  wend_cell value = wend_grid_value_at(from, place);
  if (!wend_region_has(&region, place)) return WEND_OK;
  if (patch != NULL && (patch->what & PATCH_VALUE) != 0) {
    value.weight = patch->weight;
    value.tag = patch->tag;
  }
  if (patch != NULL && (patch->what & PATCH_CLOSED) != 0) value.tag |= WEND_CELL_CLOSED;
  if (patch != NULL && (patch->what & PATCH_OPEN) != 0) value.tag &= ~WEND_CELL_CLOSED;
  return wend_grid_set(to, wend_region_cell(&region, to, place), value);
}

wend_status wend_mirror_wall(wend_grid *to, const wend_grid *from, uint32_t place, int direction, const wend_patch *patch) {
  const wend_region region = wend_grid_region(to);
  const uint32_t other = (uint32_t)(place + wend_offset(to->stride, direction));
  bool closed = from->walls != NULL && (from->walls[place] >> direction & 1) != 0;
  if (patch != NULL) closed = (patch->what & PATCH_CLOSED) != 0;
  if (!wend_region_has(&region, place) || !wend_region_has(&region, other)) return WEND_OK;
  return wend_grid_wall(to, wend_region_cell(&region, to, place), wend_region_cell(&region, to, other), closed);
}

wend_status wend_mirror_position(wend_graph *to, const wend_graph *from, wend_id node) {
  const double *now = wend_graph_position(from, node), *old = wend_graph_position(to, node);
  if (now == NULL || (old != NULL && memcmp(now, old, (size_t)from->dimensions * sizeof *now) == 0)) return WEND_OK;
  return wend_graph_move(to, node, now);
}

wend_status wend_mirror_node(wend_graph *to, const wend_graph *from, wend_id node, const wend_patch *patch) {
  if (!wend_graph_has_node(from, node) || !wend_graph_has_node(to, node)) return WEND_OK;
  return wend_graph_close_node(to, node, patch != NULL ? (patch->what & PATCH_CLOSED) != 0 : wend_graph_is_closed(from, node));
}

/* The weight, the tag and the flags of an edge of a synced graph. Its ends: see wend_graph_ends. */
static wend_arc arc_of_edge(const wend_graph *graph, wend_id edge, double *length) {
  const wend_ends e = wend_graph_ends(graph, wend_slots_find(&graph->edges, edge));
  *length = wend_graph_distance(graph, e.from, e.to);
  return wend_graph_get_arc(graph, e.from_arc);
}

wend_status wend_mirror_edge(wend_graph *to, const wend_graph *from, wend_id edge, const wend_patch *patch) {
  wend_arc arc, old;
  double length, old_length;
  bool closed, measured;
  wend_status status = WEND_OK;
  if (!wend_graph_has_edge(from, edge) || !wend_graph_has_edge(to, edge)) return WEND_OK;
  arc = arc_of_edge(from, edge, &length), old = arc_of_edge(to, edge, &old_length);
  closed = (arc.kind & ARC_CLOSED) != 0, measured = (arc.kind & ARC_MEASURED) != 0;
  if (patch != NULL && (patch->what & PATCH_VALUE) != 0 && (patch->weight >= 0 || length == length)) {
    measured = patch->weight < 0;
    if (!measured) arc.weight = patch->weight;
  }
  if (patch != NULL && (patch->what & (PATCH_CLOSED | PATCH_OPEN)) != 0) closed = (patch->what & PATCH_CLOSED) != 0;
  if (arc.kind >> ARC_TAG_SHIFT != old.kind >> ARC_TAG_SHIFT) status = wend_graph_set_tag(to, edge, arc.kind >> ARC_TAG_SHIFT);
  if (status == WEND_OK && (measured != ((old.kind & ARC_MEASURED) != 0) || old.weight != (measured ? old_length : arc.weight)))
    status = wend_graph_set_weight(to, edge, measured ? WEND_MEASURED : arc.weight);
  return status == WEND_OK ? wend_graph_close_edge(to, edge, closed) : status;
}
