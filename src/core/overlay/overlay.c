/* SPDX-License-Identifier: MIT */
/* Overlays: maps that follow another one, their base. An overlay is a copy of its base, and wend_map.derived tells which of its
 * parts it has changed itself. Following copies all other parts that the base has changed since:
 *
 *   base                      overlay
 *   cell 7 weighs 2           cell 7 weighs 2
 *                             cell 7 closes      it hides that of the base
 *   cells 7 and 8 weigh 3     after following:   7 is closed, 8 weighs 3
 *                             cell 7 is reset    7 weighs 3
 *
 * The journal of the base tells what has changed. If it does not go back so far, all of a grid is compared. A graph is copied
 * again, also if nodes or edges were added or removed; what the overlay has changed is then applied to the copy. A part that has
 * the right value already is not touched. So only differences get into the journal of the overlay, from which searches in slices,
 * agent views and paths learn what has changed.
 *
 * A grid can also be an overlay of which nothing is known at first: fog. Following copies nothing. It has what wend_overlay_reveal has
 * copied, as it was then. Its cells are "hidden" once they are known, so they are saved and reset as those of other overlays. */
#include <assert.h>
#include <string.h>

#include "core/map/graph_store.h"
#include "core/map/grid.h"
#include "core/map/nearest.h"

WEND_NO_FUSING

/* ---- Grids -------------------------------------------------------------------------------------------------- */

/* Gives a place a value. */
static wend_status give_value(wend_grid *grid, uint32_t place, wend_cell value) {
  const wend_region region = wend_grid_region(grid);
  const wend_cell now = wend_grid_value_at(grid, place);
  if (!wend_region_has(&region, place) || (now.weight == value.weight && now.tag == value.tag)) return WEND_OK;
  return wend_grid_set(grid, wend_region_cell(&region, grid, place), value);
}

/* Gives a place the value of the base. */
static wend_status follow_cell(wend_grid *grid, const wend_grid *base, uint32_t place) {
  return give_value(grid, place, wend_grid_value_at(base, place));
}

static wend_status follow_place(wend_grid *grid, const wend_grid *base, const wend_derived *derived, uint32_t place) {
  wend_status status = wend_bit_get(derived->hidden, place) ? WEND_OK : follow_cell(grid, base, place);
  if (status == WEND_OK)
    status = wend_grid_follow_walls(grid, base, place, derived->hidden_walls == NULL ? 0 : derived->hidden_walls[place]);
  return status == WEND_OK && base->portal_count > 0 ? wend_grid_follow_portals(grid, base, place, place) : status;
}

static wend_status follow_grid(wend_grid *grid, const wend_derived *derived) {
  const wend_map *map = derived->base;
  const wend_grid *base = (const wend_grid *)map;
  wend_status status = WEND_OK;
  uint64_t cursor = derived->noted; /* it moves if all goes well: see catch_up */
  wend_changes changes;
  uint32_t place;
  if (!wend_read_changes(&map->journal, &cursor, &changes) || derived->torn) {
    for (uint32_t p = 0; p < base->place_count && status == WEND_OK; p++) status = follow_place(grid, base, derived, p);
    return status;
  }
  while (status == WEND_OK && wend_next_change(&changes, &place)) status = follow_place(grid, base, derived, place);
  return status;
}

/* ---- Grids with unknown cells ------------------------------------------------------------------------------- */

/* Makes a place unknown, with the walls between it and others that are unknown, and the portals that leave it. */
static wend_status forget_place(wend_grid *grid, const wend_derived *derived, uint32_t place) {
  const wend_region region = wend_grid_region(grid);
  for (int d = 0; d < 8 && grid->walls != NULL; d++) {
    const uint32_t other = (uint32_t)(place + wend_offset(grid->stride, d));
    if ((grid->walls[place] >> d & 1) != 0 && !wend_bit_get(derived->hidden, other)) /* this needs no memory */
      (void)wend_grid_wall(grid, wend_region_cell(&region, grid, place), wend_region_cell(&region, grid, other), false);
  }
  (void)wend_grid_follow_portals(grid, NULL, place, place); /* nor does this */
  return give_value(grid, place, derived->unknown);
}

/* The same for all that are not known. */
static wend_status forget_unknown(wend_grid *grid, const wend_derived *derived) {
  wend_status status = WEND_OK;
  for (uint32_t place = 0; place < grid->place_count; place++)
    if (!wend_bit_get(derived->hidden, place) && forget_place(grid, derived, place) != WEND_OK) status = WEND_NO_MEMORY;
  return status;
}

wend_status wend_overlay_reveal(wend_grid *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  wend_derived *derived = overlay->map.derived;
  wend_status status;
  overlay->map.derived = NULL;
  status = wend_grid_follow_part(overlay, (const wend_grid *)derived->base, x1, y1, x2, y2);
  overlay->map.derived = derived;
  for (uint32_t y = y1; y <= y2 && status == WEND_OK; y++)
    for (uint32_t x = x1; x <= x2; x++) wend_bit_set(derived->hidden, (y + 1) * overlay->stride + x + 1);
  return status;
}

bool wend_overlay_is_fog(const wend_map *map) { return map->derived != NULL && map->derived->fog; }

bool wend_overlay_knows(const wend_grid *overlay, wend_id cell) {
  const wend_region region = wend_grid_region(overlay);
  return wend_bit_get(overlay->map.derived->hidden, wend_region_find(&region, overlay, cell));
}

/* ---- Graphs ------------------------------------------------------------------------------------------------- */

static wend_status follow_position(wend_graph *graph, const wend_graph *base, wend_id node) {
  const double *now = wend_graph_position(base, node), *old = wend_graph_position(graph, node);
  if (now == NULL || (old != NULL && memcmp(now, old, (size_t)base->dimensions * sizeof *now) == 0)) return WEND_OK;
  return wend_graph_move(graph, node, now);
}

/* Closes or opens a node, and gives it the tag, as in another graph that has it. */
static wend_status follow_state(wend_graph *graph, const wend_graph *like, wend_id node) {
  const wend_status status = wend_graph_close_node(graph, node, wend_graph_is_closed(like, node));
  return status == WEND_OK ? wend_graph_set_node_tag(graph, node, wend_graph_node_tag(like, node)) : status;
}

/* The arc of an edge where it begins. The graph is synced. *length: the distance between its ends. */
static wend_arc arc_of_edge(const wend_graph *graph, wend_id edge, double *length) {
  const wend_ends e = wend_graph_ends(graph, wend_slots_find(&graph->edges, edge));
  *length = wend_graph_distance(graph, e.from, e.to);
  return wend_graph_get_arc(graph, e.from_arc);
}

/* Gives an edge the weight, the tag and the width of another graph, and closes or opens it as there. Both graphs are synced. */
static wend_status follow_edge(wend_graph *graph, const wend_graph *like, wend_id edge) {
  double length, old_length;
  const wend_arc arc = arc_of_edge(like, edge, &length), old = arc_of_edge(graph, edge, &old_length);
  const bool measured = (arc.kind & ARC_MEASURED) != 0 && old_length == old_length;
  wend_status status = WEND_OK;
  if (arc.kind >> ARC_TAG_SHIFT != old.kind >> ARC_TAG_SHIFT)
    status = wend_graph_set_tag(graph, edge, arc.kind >> ARC_TAG_SHIFT);
  if (status == WEND_OK && (measured != ((old.kind & ARC_MEASURED) != 0) || old.weight != (measured ? old_length : arc.weight)))
    status = wend_graph_set_weight(graph, edge, measured ? WEND_MEASURED : arc.weight);
  if (status == WEND_OK) status = wend_graph_set_width(graph, edge, wend_graph_width_of(like, arc.edge));
  return status == WEND_OK ? wend_graph_close_edge(graph, edge, (arc.kind & ARC_CLOSED) != 0) : status;
}

/* Gives the node at a place of the base its state, and its edges. */
static wend_status follow_node(wend_graph *graph, const wend_derived *derived, uint32_t place) {
  const wend_graph *base = (const wend_graph *)derived->base;
  const uint32_t slot = base->slot_of[place];
  const wend_block block = wend_graph_block(base, place);
  const wend_id node = wend_slots_id(&base->nodes, slot);
  wend_status status = WEND_OK;
  if (!wend_bit_get(derived->hidden, slot)) status = follow_state(graph, base, node);
  for (uint32_t arc = block.first; arc < block.end && status == WEND_OK; arc++) {
    const uint32_t edge = base->arc_edge[arc];
    if (!wend_bit_get(derived->hidden_edges, edge)) status = follow_edge(graph, base, wend_slots_id(&base->edges, edge));
  }
  return status;
}

/* Makes room for a bit for each node and edge. False: no memory. */
static bool make_bits(const wend_alloc *alloc, wend_derived *derived, uint64_t places, uint64_t edges) {
  if (!WEND_RESIZE(alloc, derived->hidden, derived->hidden_capacity, places / 64 + 1) ||
      !WEND_RESIZE(alloc, derived->hidden_edges, derived->hidden_edges_capacity, edges / 64 + 1))
    return false;
  memset(derived->hidden, 0, derived->hidden_capacity * sizeof *derived->hidden);
  memset(derived->hidden_edges, 0, derived->hidden_edges_capacity * sizeof *derived->hidden_edges);
  return true;
}

/* The slot of the thing in another list of slots; WEND_NONE: it has none, or another one. */
static uint32_t same_slot(const wend_slots *slots, const wend_slots *old, uint32_t slot) {
  return slots->value[slot] == WEND_NONE ? WEND_NONE : wend_slots_find(old, wend_slots_id(slots, slot));
}

/* Whether a place has the position that a place of another graph has: also none. */
static bool have_same_position(const wend_graph *graph, uint32_t place, const wend_graph *other, uint32_t there) {
  const double *one = graph->points == NULL ? NULL : wend_graph_point(graph, place);
  const double *two = other->points == NULL ? NULL : wend_graph_point(other, there);
  if (one == NULL || two == NULL) return (one == NULL || one[0] != one[0]) && (two == NULL || two[0] != two[0]);
  return memcmp(one, two, (size_t)graph->dimensions * sizeof *one) == 0;
}

/* Applies to a new copy of the base what the overlay `old` has changed, and notes that in `bits`. Then stamps what the copy has
 * otherwise than `old` with version `now`, and the rest as there. */
static wend_status carry_over(wend_graph *made, const wend_graph *old, const wend_derived *derived, wend_derived *bits,
                              uint32_t now) {
  wend_status status = wend_graph_prepare_edit(made);
  for (uint32_t slot = 0; slot < made->nodes.count && status == WEND_OK; slot++) {
    const uint32_t was = same_slot(&made->nodes, &old->nodes, slot);
    uint32_t place, before;
    if (was == WEND_NONE) continue;
    if (wend_bit_get(derived->hidden, was)) {
      wend_bit_set(bits->hidden, slot);
      status = follow_state(made, old, wend_slots_id(&made->nodes, slot));
    }
    place = made->nodes.value[slot], before = old->nodes.value[was];
    made->node_touched[slot] = was < old->node_touched_capacity ? old->node_touched[was] : 0;
    if (made->flags[place] != old->flags[before] || !have_same_position(made, place, old, before) ||
        wend_graph_tag_at(made, place) != wend_graph_tag_at(old, before))
      made->node_touched[slot] = now;
  }
  for (uint32_t slot = 0; slot < made->edges.count && status == WEND_OK; slot++) {
    const uint32_t was = same_slot(&made->edges, &old->edges, slot);
    wend_arc arc, before;
    double length;
    if (was == WEND_NONE) continue;
    if (wend_bit_get(derived->hidden_edges, was)) {
      wend_bit_set(bits->hidden_edges, slot);
      status = follow_edge(made, old, wend_slots_id(&made->edges, slot));
    }
    arc = arc_of_edge(made, wend_slots_id(&made->edges, slot), &length);
    before = arc_of_edge(old, wend_slots_id(&made->edges, slot), &length);
    made->edge_touched[slot] = was < old->edge_touched_capacity ? old->edge_touched[was] : 0;
    if (arc.weight != before.weight || ((arc.kind ^ before.kind) & ~ARC_BARRED) != 0 ||
        wend_graph_width_of(made, slot) != wend_graph_width_of(old, was))
      made->edge_touched[slot] = now;
  }
  return status;
}

/* Copies the base again. The overlay is made completely, or stays as it was. */
static wend_status copy_again(wend_graph *graph, wend_derived *derived) {
  const wend_alloc alloc = graph->map.alloc;
  wend_derived bits = *derived;
  wend_map *copy;
  wend_graph *made;
  wend_versions copy_versions;
  wend_status status = wend_map_copy(derived->base, &copy);
  bits.hidden = bits.hidden_edges = NULL;
  bits.hidden_capacity = bits.hidden_edges_capacity = 0;
  if (status != WEND_OK) return status;
  made = (wend_graph *)copy;
  copy_versions = copy->versions;
  status = wend_map_can_edit(&graph->map) ? wend_map_copy_tags(copy, &graph->map) : WEND_NO_MEMORY;
  if (status == WEND_OK && !make_bits(&alloc, &bits, made->nodes.count, made->edges.count)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) status = carry_over(made, graph, derived, &bits, (uint32_t)graph->map.version + 1);
  if (status == WEND_OK) {
    wend_graph old = *graph;
    const wend_derived kept = *derived;
    *derived = bits, bits = kept;
    *graph = *made, *made = old;
    wend_near_free(graph);
    graph->map.alloc = old.map.alloc; /* what a map keeps of its own: its identity, its versions and its journal */
    graph->map.serial = old.map.serial;
    graph->map.version = old.map.version + 1;
    graph->map.closings = old.map.closings + 1;
    graph->map.labels = old.map.labels + 1;
    graph->map.structure = old.map.structure + 1;
    graph->map.has_digest = false;
    graph->map.versions = old.map.versions, made->map.versions = copy_versions;
    made->map.journal = graph->map.journal;
    graph->map.journal = old.map.journal;
    wend_map_note_all(&graph->map);
  }
  WEND_FREE(&alloc, bits.hidden, bits.hidden_capacity);
  WEND_FREE(&alloc, bits.hidden_edges, bits.hidden_edges_capacity);
  wend_graph_destroy(made);
  return status;
}

/* Gives the nodes the names and radii that they have in the base. All names go first: two nodes may have changed theirs. */
static wend_status follow_labels(wend_graph *graph, const wend_graph *base) {
  wend_status status = WEND_OK;
  for (int given = 0; given <= 1; given++)
    for (uint32_t slot = 0; slot < base->nodes.count && status == WEND_OK; slot++) {
      const wend_id node = wend_slots_id(&base->nodes, slot);
      const char *name;
      size_t length = 0;
      if (base->nodes.value[slot] == WEND_NONE) continue;
      name = given ? wend_graph_name(base, node, &length) : NULL;
      status = wend_graph_set_name(graph, node, name, length);
      if (status == WEND_OK && given) status = wend_graph_set_radius(graph, node, wend_graph_radius(base, node));
    }
  return status;
}

static wend_status follow_graph(wend_graph *graph, wend_derived *derived) {
  const wend_map *map = derived->base;
  const wend_graph *base = (const wend_graph *)map;
  wend_status status = wend_graph_sync(graph);
  uint64_t cursor = derived->noted;
  wend_changes changes;
  if (!wend_read_changes(&map->journal, &cursor, &changes) || derived->torn || derived->structure != map->structure)
    return copy_again(graph, derived);
  if (status == WEND_OK && derived->labels != map->labels) status = follow_labels(graph, base);
  for (int moved = 1; moved >= 0; moved--) { /* positions first: the weights of measured edges depend on them */
    wend_changes left = changes;
    uint32_t change;
    while (status == WEND_OK && wend_next_change(&left, &change)) {
      const uint32_t place = change & ~CHANGED_NODE;
      if (moved) status = follow_position(graph, base, wend_slots_id(&base->nodes, base->slot_of[place]));
      else status = follow_node(graph, derived, place);
    }
  }
  return status;
}

/* ---- Following ---------------------------------------------------------------------------------------------- */

/* Notes that the overlay is up to date. */
static void catch_up(wend_derived *derived) {
  const wend_map *base = derived->base;
  derived->version = base->version, derived->labels = base->labels, derived->structure = base->structure;
  derived->noted = base->journal.end;
  derived->torn = false;
}

wend_status wend_map_follow(wend_map *map) {
  wend_derived *derived = map->derived;
  wend_status status;
  if (derived == NULL) return WEND_OK;
  if (!derived->torn && derived->version == derived->base->version && derived->labels == derived->base->labels &&
      derived->noted == derived->base->journal.end)
    return WEND_OK; /* the usual case */
  status = map->is_grid ? WEND_OK : wend_graph_sync((wend_graph *)derived->base);
  if (status == WEND_OK) status = wend_map_copy_tags(map, derived->base);
  if (status != WEND_OK) return status;
  map->derived = NULL; /* these edits hide nothing */
  if (derived->fog) status = derived->torn ? forget_unknown((wend_grid *)map, derived) : WEND_OK;
  else status = map->is_grid ? follow_grid((wend_grid *)map, derived) : follow_graph((wend_graph *)map, derived);
  map->derived = derived;
  if (status == WEND_OK) catch_up(derived);
  return status;
}

/* Makes a copy an overlay. NO_MEMORY. */
static wend_status begin_following(wend_map *map, wend_map *base) {
  const wend_alloc *alloc = &map->alloc;
  const wend_grid *grid = (const wend_grid *)map;
  const wend_graph *graph = (const wend_graph *)map;
  wend_derived *derived = wend_new_part(alloc, sizeof *derived);
  if (derived == NULL) return WEND_NO_MEMORY;
  map->derived = derived;
  derived->base = base;
  catch_up(derived);
  if (!make_bits(alloc, derived, map->is_grid ? grid->place_count : graph->nodes.count, map->is_grid ? 0 : graph->edges.count))
    return WEND_NO_MEMORY;
  return wend_map_copy_tags(map, base);
}

wend_status wend_map_overlay(wend_map *base, wend_map **overlay) {
  wend_status status = wend_map_copy(base, overlay);
  if (status == WEND_OK) status = begin_following(*overlay, base);
  if (status == WEND_OK) return status;
  wend_map_destroy(*overlay);
  *overlay = NULL;
  return status;
}

/* Makes all cells of a new grid unknown. */
static wend_status begin_fog(wend_grid *grid, wend_grid *base, wend_cell unknown) {
  const uint32_t kind = wend_grid_kind_of(grid, unknown);
  wend_status status;
  if (kind == WEND_NONE) return WEND_NO_MEMORY;
  wend_grid_uncount(grid);
  for (uint32_t y = 1; y <= grid->height; y++) wend_grid_count(grid, y * grid->stride + 1, grid->width, kind);
  wend_grid_set_diagonal_length(grid, base->diagonal_length);
  status = begin_following(&grid->map, &base->map);
  if (status != WEND_OK) return status;
  grid->map.derived->fog = true, grid->map.derived->unknown = unknown;
  return base->fit != NULL ? wend_grid_fit(grid, base->fit->radius) : WEND_OK;
}

wend_status wend_grid_overlay_fog(wend_grid *base, double weight, uint32_t tag, wend_grid **overlay) {
  const wend_cell open = {weight + 0.0, tag}, closed = {1, tag | WEND_CELL_CLOSED};
  wend_status status = WEND_NO_MEMORY;
  assert(weight >= 0);
  *overlay = wend_grid_create(&base->map.alloc, base->width, base->height, base->diagonals);
  if (*overlay != NULL) status = begin_fog(*overlay, base, weight < INFINITY ? open : closed);
  if (status == WEND_OK) return status;
  wend_grid_destroy(*overlay);
  *overlay = NULL;
  return status;
}

/* ---- Resetting ---------------------------------------------------------------------------------------------- */

/* A reset shows the base again, where it can: what it cannot, the next wend_map_follow does. */
static void note_reset(wend_derived *derived, wend_status status) {
  if (status != WEND_OK) derived->torn = true;
}

/* Whether a node or an edge is still there in the base: otherwise the next wend_map_follow removes it. */
static bool is_in(const wend_slots *base, const wend_slots *slots, uint32_t slot) {
  return wend_slots_find(base, wend_slots_id(slots, slot)) != WEND_NONE;
}

/* The functions that reset a part do so while map.derived is NULL: their edits hide nothing. */

static void reset_node(wend_graph *graph, wend_derived *derived, uint32_t slot) {
  const wend_graph *base = (const wend_graph *)derived->base;
  wend_bit_clear(derived->hidden, slot);
  if (is_in(&base->nodes, &graph->nodes, slot))
    note_reset(derived, follow_state(graph, base, wend_slots_id(&graph->nodes, slot)));
}

static void reset_edge(wend_graph *graph, wend_derived *derived, uint32_t slot) {
  wend_graph *base = (wend_graph *)derived->base;
  wend_status status = wend_graph_sync(base);
  wend_bit_clear(derived->hidden_edges, slot);
  if (status == WEND_OK) status = wend_graph_sync(graph);
  if (status == WEND_OK && is_in(&base->edges, &graph->edges, slot))
    status = follow_edge(graph, base, wend_slots_id(&graph->edges, slot));
  note_reset(derived, status);
}

static void reset_place(wend_grid *grid, wend_derived *derived, uint32_t place) {
  wend_bit_clear(derived->hidden, place);
  if (derived->fog) {
    note_reset(derived, forget_place(grid, derived, place));
    return;
  }
  for (int d = 0; d < 8 && derived->hidden_walls != NULL; d++) {
    if ((derived->hidden_walls[place] >> d & 1) == 0) continue;
    derived->hidden_walls[place] &= (uint8_t) ~(1u << d);
    derived->hidden_walls[(uint32_t)(place + wend_offset(grid->stride, d))] &= (uint8_t) ~(0x80u >> d);
    note_reset(derived, wend_grid_follow_walls(grid, (const wend_grid *)derived->base, place, ~(1u << d)));
  }
  note_reset(derived, follow_cell(grid, (const wend_grid *)derived->base, place));
}

void wend_overlay_reset_node(wend_graph *overlay, wend_id node) {
  wend_derived *derived = overlay->map.derived;
  overlay->map.derived = NULL;
  reset_node(overlay, derived, wend_slots_find(&overlay->nodes, node));
  overlay->map.derived = derived;
}

void wend_overlay_reset_edge(wend_graph *overlay, wend_id edge) {
  wend_derived *derived = overlay->map.derived;
  overlay->map.derived = NULL;
  reset_edge(overlay, derived, wend_slots_find(&overlay->edges, edge));
  overlay->map.derived = derived;
}

void wend_overlay_reset_cells(wend_grid *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  wend_derived *derived = overlay->map.derived;
  overlay->map.derived = NULL;
  for (uint32_t y = y1; y <= y2; y++)
    for (uint32_t x = x1; x <= x2; x++) reset_place(overlay, derived, (y + 1) * overlay->stride + x + 1);
  overlay->map.derived = derived;
}

void wend_overlay_reset(wend_map *overlay) {
  wend_derived *derived = overlay->derived;
  wend_grid *grid = (wend_grid *)overlay;
  wend_graph *graph = (wend_graph *)overlay;
  overlay->derived = NULL;
  if (overlay->is_grid) {
    for (uint32_t place = 0; place < grid->place_count; place++)
      if (wend_bit_get(derived->hidden, place) || (derived->hidden_walls != NULL && derived->hidden_walls[place] != 0))
        reset_place(grid, derived, place);
    if (derived->fog) note_reset(derived, forget_unknown(grid, derived)); /* also walls between unknown cells */
  } else {
    for (uint32_t slot = 0; slot < graph->nodes.count; slot++)
      if (wend_bit_get(derived->hidden, slot)) reset_node(graph, derived, slot);
    for (uint32_t slot = 0; slot < graph->edges.count; slot++)
      if (wend_bit_get(derived->hidden_edges, slot)) reset_edge(graph, derived, slot);
  }
  overlay->derived = derived;
}
