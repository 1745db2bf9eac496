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

WEND_NO_FUSING

/* ---- Grids -------------------------------------------------------------------------------------------------- */

/* The directions in which a border of a place is not to be changed, as bits. */
static unsigned kept_walls(const wend_grid *grid, const wend_derived *derived, uint32_t place) {
  unsigned known = 0;
  if (!derived->fog) return derived->hidden_walls == NULL ? 0 : derived->hidden_walls[place];
  for (int d = 0; d < 8 && grid->walls != NULL; d++)
    known |= (unsigned)wend_bit_get(derived->hidden, (uint32_t)(place + wend_offset(grid->stride, d))) << d;
  return known;
}

/* Gives a place what the base has there, but for what the overlay hides. With unknown cells: makes it unknown if it is not known,
 * with the walls between it and others that are unknown, and the portals that leave it. */
static wend_status follow_place(wend_grid *grid, const wend_derived *derived, uint32_t place) {
  const wend_region region = wend_grid_region(grid);
  const wend_grid *base = derived->fog ? NULL : (const wend_grid *)derived->base;
  const wend_cell value = base == NULL ? derived->unknown : wend_grid_value_at(base, place);
  const wend_cell now = wend_grid_value_at(grid, place);
  const bool own = wend_bit_get(derived->hidden, place);
  wend_status status = WEND_OK;
  if (!wend_region_has(&region, place) || (own && derived->fog)) return WEND_OK;
  if (base != NULL || grid->walls != NULL) status = wend_grid_follow_walls(grid, base, place, kept_walls(grid, derived, place));
  if (status == WEND_OK && (base == NULL || base->portal_count > 0))
    status = wend_grid_follow_portals(grid, base, place, place);
  if (status != WEND_OK || own || (now.weight == value.weight && now.tag == value.tag)) return status;
  return wend_grid_set(grid, wend_region_cell(&region, grid, place), value);
}

static wend_status follow_grid(wend_grid *grid, const wend_derived *derived) {
  const wend_map *map = derived->base;
  wend_status status = WEND_OK;
  uint64_t cursor = derived->noted; /* it moves if all goes well: see catch_up */
  wend_changes changes;
  uint32_t place;
  if (derived->fog && !derived->torn) return WEND_OK;
  if (!wend_read_changes(&map->journal, &cursor, &changes) || derived->torn) {
    for (uint32_t p = 0; p < grid->place_count && status == WEND_OK; p++) status = follow_place(grid, derived, p);
    return status;
  }
  while (status == WEND_OK && wend_next_change(&changes, &place)) status = follow_place(grid, derived, place);
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

/* Whether a portal that is not removed leads from a place to an unknown one. */
static bool has_unknown_end(const wend_grid *grid, uint32_t place) {
  uint32_t count = 0;
  const wend_portal *portals = wend_grid_portals(grid, place, false, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!portals[i].removed && !wend_bit_get(grid->map.derived->hidden, portals[i].to)) return true;
  return false;
}

/* Of 64 places, those that portals leave, as bits. By binary search in the portals, which are sorted by where they begin. */
static uint64_t portals_of(const wend_grid *grid, uint32_t first) {
  uint32_t low = 0, high = grid->portal_count;
  uint64_t bits = 0;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (grid->out[middle].from < first) low = middle + 1;
    else high = middle;
  }
  for (; low < grid->portal_count && grid->out[low].from - first < 64; low++)
    bits |= (uint64_t)1 << (grid->out[low].from - first);
  return bits;
}

/* Whether a known place is open and has an unknown neighbour beyond a side, or a portal to an unknown place. */
static bool is_at_unknown(const wend_grid *grid, const wend_region *region, uint32_t place) {
  const bool is_open = wend_grid_seen_at(grid, place).weight < INFINITY;
  if (is_open && has_unknown_end(grid, place)) return true;
  for (uint32_t sides = wend_sides(grid, place); sides != 0; sides &= sides - 1) {
    const int side = (int)wend_lowest_bit(sides);
    const uint32_t beside = (uint32_t)(place + wend_offset(grid->stride, side));
    if (wend_bit_get(grid->map.derived->hidden, beside) || !wend_region_has(region, beside)) continue;
    if ((wend_grid_border(grid, place, side) & BORDER_OUT) == 0) return is_open;
  }
  return false;
}

/* 64 of the bits, from bit number `first` on. Those that there are not are 0. */
static uint64_t bits_from(const uint64_t *bits, int64_t words, int64_t first) {
  const int64_t word = first < 0 ? -((63 - first) / 64) : first / 64;
  const unsigned shift = (unsigned)(first - word * 64);
  const uint64_t low = word >= 0 && word < words ? bits[word] : 0;
  const uint64_t high = word + 1 >= 0 && word + 1 < words ? bits[word + 1] : 0;
  return shift == 0 ? low : low >> shift | high << (64 - shift);
}

/* Of 64 bits, those that are set like those at some distances before and after them. */
static uint64_t bits_around(const uint64_t *bits, int64_t words, int64_t first, int64_t distance) {
  return bits_from(bits, words, first - distance) & bits_from(bits, words, first + distance);
}

/* 64 places at a time: those that are known and have a neighbour that is not, or a portal. Many are beside the margin. */
wend_id wend_overlay_frontier(const wend_grid *overlay, wend_id after) {
  const wend_region region = wend_grid_region(overlay);
  const uint64_t *known = overlay->map.derived->hidden;
  const int64_t words = overlay->place_count / 64 + 1, down = overlay->stride;
  const uint32_t first = after == WEND_NO_ID ? 0 : wend_grid_place(overlay, after) + 1;
  for (int64_t word = first / 64; word < words; word++) {
    const int64_t at = word * 64;
    uint64_t left = known[word];
    if (left != 0) {
      uint64_t inner = bits_around(known, words, at, 1) & bits_around(known, words, at, down);
      if (overlay->shape != WEND_SQUARES)
        inner &= bits_around(known, words, at, down - 1) & bits_around(known, words, at, down + 1);
      left &= ~inner | portals_of(overlay, (uint32_t)at);
    }
    if (at < first) left = left >> first % 64 << first % 64;
    for (; left != 0; left &= left - 1) {
      const uint32_t place = (uint32_t)at + wend_lowest_bit(left);
      if (is_at_unknown(overlay, &region, place)) return wend_region_cell(&region, overlay, place);
    }
  }
  return WEND_NO_ID;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------- */

/* What hides parts of the base: bits by slot. */
static uint64_t *hidden_of(const wend_derived *derived, bool edges) { return edges ? derived->hidden_edges : derived->hidden; }

/* Gives a part what the base has, which is still there, unless the overlay hides that. */
static wend_status follow_part(wend_graph *graph, const wend_derived *derived, bool edge, uint32_t slot) {
  const wend_part part = wend_graph_part((const wend_graph *)derived->base, edge, slot);
  return wend_bit_get(hidden_of(derived, edge), slot) ? WEND_OK : wend_graph_set_part(graph, edge, slot, &part);
}

/* Whether two nodes have the same position: also none. */
static bool have_same_position(const wend_graph *a, wend_id node, const wend_graph *b) {
  const double *one = wend_graph_position(a, node), *two = wend_graph_position(b, node);
  return one == NULL || two == NULL ? one == two : memcmp(one, two, (size_t)a->dimensions * sizeof *one) == 0;
}

/* Moves the node at a place of the base, and with `parts` gives it and its edges what they have there. */
static wend_status follow_node(wend_graph *graph, const wend_derived *derived, uint32_t place, bool parts) {
  const wend_graph *base = (const wend_graph *)derived->base;
  const uint32_t slot = base->slot_of[place];
  const wend_block block = wend_graph_block(base, place);
  const wend_id node = wend_slots_id(&base->nodes, slot);
  const double *now = wend_graph_position(base, node);
  wend_status status = WEND_OK;
  if (now != NULL && !have_same_position(base, node, graph)) status = wend_graph_move(graph, node, now);
  if (status == WEND_OK && parts) status = follow_part(graph, derived, false, slot);
  for (uint32_t arc = block.first; arc < block.end && parts && status == WEND_OK; arc++)
    status = follow_part(graph, derived, true, base->arc_edge[arc]);
  return status;
}

/* Applies to a new overlay what the overlay `old` has changed. Then stamps what it has otherwise than `old` with the next version,
 * and the rest as there. */
static wend_status carry_over(wend_graph *made, const wend_graph *old, const wend_derived *derived, bool edges) {
  const wend_slots *slots = wend_graph_parts(made, edges);
  wend_status status = wend_graph_prepare_edit(made);
  for (uint32_t slot = 0; slot < slots->count && status == WEND_OK; slot++) {
    const wend_id id = slots->value[slot] != WEND_NONE ? wend_slots_id(slots, slot) : WEND_NO_ID;
    const uint32_t *stamps = edges ? old->edge_touched : old->node_touched;
    const uint32_t known = edges ? old->edge_touched_capacity : old->node_touched_capacity;
    wend_part was, now;
    bool same;
    if (id == WEND_NO_ID || wend_slots_find(wend_graph_parts(old, edges), id) == WEND_NONE) continue;
    was = wend_graph_part(old, edges, slot);
    if (wend_bit_get(hidden_of(derived, edges), slot)) status = wend_graph_set_part(made, edges, slot, &was);
    now = wend_graph_part(made, edges, slot);
    same = wend_graph_same_part(&was, &now) && (edges || have_same_position(made, id, old));
    (edges ? made->edge_touched : made->node_touched)[slot] = !same          ? (uint32_t)old->map.version + 1
                                                              : slot < known ? stamps[slot]
                                                                             : 0;
  }
  return status;
}

/* Makes the overlay again. It is made completely, or stays as it was. */
static wend_status make_again(wend_graph *graph, wend_derived *derived) {
  wend_map *made;
  wend_status status = wend_map_overlay(derived->base, &made);
  if (status != WEND_OK) return status;
  status = wend_map_can_edit(&graph->map) ? wend_map_copy_tags(made, &graph->map) : WEND_NO_MEMORY;
  for (int edges = 0; edges < 2 && status == WEND_OK; edges++)
    status = carry_over((wend_graph *)made, graph, derived, edges != 0);
  if (status == WEND_OK) {
    const wend_derived old = *derived;
    *derived = *made->derived, *made->derived = old;
    wend_map_take(&graph->map, made);
  }
  wend_map_destroy(made);
  return status;
}

/* Gives the nodes the names and radii that they have in the base. */
static wend_status follow_labels(wend_graph *graph, const wend_graph *base) {
  const wend_alloc *alloc = &graph->map.alloc;
  wend_names names = {NULL, 0, NULL, 0, 0, 0};
  if (!wend_names_copy(&names, alloc, &base->node_names, WEND_NONE) ||
      !WEND_RESIZE(alloc, graph->radius, graph->radius_capacity, base->radius_capacity)) {
    wend_names_free(&names, alloc);
    return WEND_NO_MEMORY;
  }
  if (base->radius_capacity > 0) memcpy(graph->radius, base->radius, base->radius_capacity * sizeof *graph->radius);
  wend_names_free(&graph->node_names, alloc);
  graph->node_names = names;
  graph->map.labels++;
  return WEND_OK;
}

static wend_status follow_graph(wend_graph *graph, wend_derived *derived) {
  const wend_map *map = derived->base;
  wend_status status = wend_graph_sync(graph);
  uint64_t cursor = derived->noted;
  wend_changes changes;
  if (status != WEND_OK) return status;
  if (!wend_read_changes(&map->journal, &cursor, &changes) || derived->torn || derived->structure != map->structure)
    return make_again(graph, derived);
  if (derived->labels != map->labels) status = follow_labels(graph, (const wend_graph *)map);
  for (int parts = 0; parts < 2; parts++) { /* positions first: the weights of measured edges depend on them */
    wend_changes left = changes;
    uint32_t change;
    while (status == WEND_OK && wend_next_change(&left, &change))
      status = follow_node(graph, derived, change & ~CHANGED_NODE, parts != 0);
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
  status = map->is_grid ? follow_grid((wend_grid *)map, derived) : follow_graph((wend_graph *)map, derived);
  map->derived = derived;
  if (status == WEND_OK) catch_up(derived);
  return status;
}

/* Makes a copy an overlay. NO_MEMORY. */
static wend_status begin_following(wend_map *map, wend_map *base) {
  const wend_alloc *alloc = &map->alloc;
  const uint64_t places = map->is_grid ? ((const wend_grid *)map)->place_count : ((const wend_graph *)map)->nodes.count;
  const uint64_t edges = map->is_grid ? 0 : ((const wend_graph *)map)->edges.count;
  wend_derived *derived = wend_new_part(alloc, sizeof *derived);
  if (derived == NULL) return WEND_NO_MEMORY;
  map->derived = derived;
  derived->base = base;
  catch_up(derived);
  if (!WEND_GROW_CLEAR(alloc, derived->hidden, derived->hidden_capacity, places / 64 + 1) ||
      !WEND_GROW_CLEAR(alloc, derived->hidden_edges, derived->hidden_edges_capacity, edges / 64 + 1))
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
  if (base->shape == WEND_SQUARES) wend_grid_set_diagonal_length(grid, base->diagonal_length);
  status = begin_following(&grid->map, &base->map);
  if (status != WEND_OK) return status;
  grid->map.derived->fog = true, grid->map.derived->unknown = unknown;
  return base->fit != NULL ? wend_grid_fit(grid, base->fit->radius) : WEND_OK;
}

wend_status wend_grid_overlay_fog(wend_grid *base, double weight, uint32_t tag, wend_grid **overlay) {
  const wend_cell open = {weight + 0.0, tag}, closed = {1, tag | WEND_CELL_CLOSED};
  wend_status status = WEND_NO_MEMORY;
  assert(weight >= 0);
  *overlay = wend_grid_create_shaped(&base->map.alloc, base->width, base->height, base->diagonals, base->shape);
  if (*overlay != NULL) status = begin_fog(*overlay, base, weight < INFINITY ? open : closed);
  if (status == WEND_OK) return status;
  wend_grid_destroy(*overlay);
  *overlay = NULL;
  return status;
}

/* ---- Resetting ---------------------------------------------------------------------------------------------- */

/* A reset shows the base again, where it can: what it cannot, the next wend_map_follow does. map.derived is NULL meanwhile: its edits
 * hide nothing. A part that is gone from the base the next wend_map_follow removes. */
static void reset_part(wend_graph *graph, bool edge, uint32_t slot) {
  wend_derived *derived = graph->map.derived;
  wend_graph *base = (wend_graph *)derived->base;
  const wend_id id = wend_slots_id(wend_graph_parts(graph, edge), slot);
  wend_status status = wend_graph_sync(base);
  graph->map.derived = NULL;
  wend_bit_clear(hidden_of(derived, edge), slot);
  if (status == WEND_OK) status = wend_graph_sync(graph);
  if (status == WEND_OK && wend_slots_find(wend_graph_parts(base, edge), id) != WEND_NONE)
    status = follow_part(graph, derived, edge, slot);
  derived->torn = derived->torn || status != WEND_OK;
  graph->map.derived = derived;
}

void wend_overlay_reset_node(wend_graph *overlay, wend_id node) {
  reset_part(overlay, false, wend_slots_find(&overlay->nodes, node));
}
void wend_overlay_reset_edge(wend_graph *overlay, wend_id edge) {
  reset_part(overlay, true, wend_slots_find(&overlay->edges, edge));
}

static void reset_place(wend_grid *grid, uint32_t place) {
  wend_derived *derived = grid->map.derived;
  grid->map.derived = NULL;
  wend_bit_clear(derived->hidden, place);
  for (int d = 0; d < 8 && derived->hidden_walls != NULL && derived->hidden_walls[place] != 0; d++)
    derived->hidden_walls[(uint32_t)(place + wend_offset(grid->stride, d))] &= (uint8_t) ~(0x80u >> d);
  if (derived->hidden_walls != NULL) derived->hidden_walls[place] = 0;
  derived->torn = follow_place(grid, derived, place) != WEND_OK || derived->torn;
  grid->map.derived = derived;
}

void wend_overlay_reset_cells(wend_grid *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  const wend_derived *derived = overlay->map.derived;
  for (uint32_t y = y1; y <= y2; y++)
    for (uint32_t x = x1; x <= x2; x++) {
      const uint32_t place = (y + 1) * overlay->stride + x + 1;
      if (derived->fog || wend_bit_get(derived->hidden, place) ||
          (derived->hidden_walls != NULL && derived->hidden_walls[place] != 0))
        reset_place(overlay, place);
    }
}

void wend_overlay_reset(wend_map *overlay) {
  const wend_grid *grid = (const wend_grid *)overlay;
  if (overlay->is_grid) {
    wend_overlay_reset_cells((wend_grid *)overlay, 0, 0, grid->width - 1, grid->height - 1);
    return;
  }
  for (int edges = 0; edges < 2; edges++)
    for (uint32_t slot = 0; slot < wend_graph_parts((wend_graph *)overlay, edges != 0)->count; slot++)
      if (wend_bit_get(hidden_of(overlay->derived, edges != 0), slot)) reset_part((wend_graph *)overlay, edges != 0, slot);
}
