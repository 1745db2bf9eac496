/* SPDX-License-Identifier: MIT */
/* Overlays in files: only what they hide of their base. The base must have the same content when they are read.
 *
 *   OVLY   the fingerprint of the base
 *   FOGW   of grids with unknown cells: their weight
 *   TAGS   tags.h: the names of its tags, which may be new in the base
 *   RUNS   of grids: runs of equal cells, in reading order: the first cell from 0, how many, their value
 *   WALL   of grids: the cells beside hidden walls: the cell from 0, a byte: 1 east, 2 south-west, 4 south, 8 south-east, and 16
 *          times these where there is a wall. With unknown cells, those beside walls
 *   LINK   of grids with unknown cells: as of grids
 *   NODE   of graphs, in the order of slots: the id, whether it is closed
 *   NTAG   of graphs, those of these nodes that have another tag than in the base: the id, the tag
 *   EDGE   of graphs, in the order of slots: the id, the weight (WEND_MEASURED: its length), the tag, whether it is closed
 *   WIDE   of graphs, those of these edges that have another width than in the base: the id, the width, 0: not limited
 *
 * Tags have the numbers of their names in TAGS. In the base that a file is read for, overlays may have given them other numbers. */
#include "core/codec/cell.h"
#include "core/codec/file.h"
#include "core/codec/tags.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"

WEND_NO_FUSING

#define RUN_BYTES (8 + CELL_BYTES)
#define WALL_BYTES 5u
#define CHANGED_NODE_BYTES 9u
#define CHANGED_TAG_BYTES 10u
#define CHANGED_EDGE_BYTES 19u
#define CHANGED_WIDTH_BYTES 16u

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static bool same_cells(wend_cell a, wend_cell b) { return a.weight == b.weight && a.tag == b.tag; }

/* The place of a cell, from 0. */
static uint32_t place_at(const wend_grid *grid, uint32_t cell) {
  return (cell / grid->width + 1) * grid->stride + cell % grid->width + 1;
}

static void write_changed_runs(wend_writer *w, wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  const uint32_t cells = grid->width * grid->height;
  for (uint32_t first = 0, end; first < cells; first = end) {
    wend_cell value;
    end = first + 1;
    if (!wend_bit_get(map->derived->hidden, place_at(grid, first))) continue;
    value = wend_grid_value_at(grid, place_at(grid, first));
    while (end < cells && wend_bit_get(map->derived->hidden, place_at(grid, end)) &&
           same_cells(value, wend_grid_value_at(grid, place_at(grid, end))))
      end++;
    wend_write_uint(w, first, 4);
    wend_write_uint(w, end - first, 4);
    wend_write_cell(w, value);
  }
}

static void write_changed_walls(wend_writer *w, wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  const uint8_t *which = map->derived->fog ? grid->walls : map->derived->hidden_walls;
  for (uint32_t cell = 0; which != NULL && cell < grid->width * grid->height; cell++) {
    const uint32_t place = place_at(grid, cell), hidden = which[place] >> EAST;
    const uint32_t walls = grid->walls == NULL ? 0 : grid->walls[place] >> EAST & hidden;
    if (hidden == 0) continue;
    wend_write_uint(w, cell, 4);
    wend_write_uint(w, walls << 4 | hidden, 1);
  }
}

/* Whether a slot has a hidden node. */
static bool is_hidden_node(const wend_graph *graph, uint32_t slot) {
  return graph->nodes.value[slot] != WEND_NONE && wend_bit_get(graph->map.derived->hidden, slot);
}

static void write_changed_nodes(wend_writer *w, wend_map *map) {
  const wend_graph *graph = (const wend_graph *)map;
  for (uint32_t slot = 0; slot < graph->nodes.count; slot++) {
    const wend_id node = wend_slots_id(&graph->nodes, slot);
    if (!is_hidden_node(graph, slot)) continue;
    wend_write_uint(w, node, 8);
    wend_write_uint(w, wend_graph_is_closed(graph, node), 1);
  }
}

static void write_changed_tags(wend_writer *w, wend_map *map) {
  const wend_graph *graph = (const wend_graph *)map, *base = (const wend_graph *)map->derived->base;
  for (uint32_t slot = 0; slot < graph->nodes.count; slot++) {
    const wend_id node = wend_slots_id(&graph->nodes, slot);
    if (!is_hidden_node(graph, slot) || wend_graph_node_tag(graph, node) == wend_graph_node_tag(base, node)) continue;
    wend_write_uint(w, node, 8);
    wend_write_uint(w, wend_graph_node_tag(graph, node), 2);
  }
}

static void write_changed_edges(wend_writer *w, wend_map *map) {
  wend_graph *graph = (wend_graph *)map;
  for (uint32_t slot = 0; slot < graph->edges.count; slot++) {
    wend_edge edge;
    if (graph->edges.value[slot] == WEND_NONE || !wend_bit_get(map->derived->hidden_edges, slot)) continue;
    (void)wend_graph_edge(graph, wend_slots_id(&graph->edges, slot), &edge); /* the graph is synced */
    wend_write_uint(w, wend_slots_id(&graph->edges, slot), 8);
    wend_write_double(w, edge.measured ? WEND_MEASURED : edge.weight);
    wend_write_uint(w, edge.tag, 2);
    wend_write_uint(w, edge.closed, 1);
  }
}

static void write_changed_widths(wend_writer *w, wend_map *map) {
  const wend_graph *graph = (const wend_graph *)map, *base = (const wend_graph *)map->derived->base;
  for (uint32_t slot = 0; slot < graph->edges.count; slot++) {
    const double width = wend_graph_width_of(graph, slot);
    if (graph->edges.value[slot] == WEND_NONE || !wend_bit_get(map->derived->hidden_edges, slot)) continue;
    if (width == wend_graph_width_of(base, slot)) continue;
    wend_write_uint(w, wend_slots_id(&graph->edges, slot), 8);
    wend_write_double(w, width < INFINITY ? width : 0);
  }
}

/* Writes a section, if it has contents. */
static void write_section(wend_file_out *f, const char *id, wend_map *map, void (*write)(wend_writer *w, wend_map *map)) {
  wend_writer counted = {NULL, 0};
  write(&counted, map);
  wend_file_begin_section(f, id, counted.size > 0);
  write(&f->w, map);
  wend_file_end_section(f);
}

wend_status wend_overlay_encode(wend_map *overlay, void *bytes, size_t *size) {
  uint64_t print;
  wend_file_out f;
  wend_status status = wend_map_digest(overlay->derived->base, &print);
  if (status == WEND_OK && !overlay->is_grid) status = wend_graph_sync((wend_graph *)overlay);
  if (status != WEND_OK) return status;
  wend_file_begin(&f, bytes, WEND_FILE_OVERLAY);
  wend_file_begin_section(&f, "OVLY", true);
  wend_write_uint(&f.w, print, 8);
  wend_file_end_section(&f);
  if (overlay->derived->fog) {
    wend_file_begin_section(&f, "FOGW", true);
    wend_write_double(&f.w,
                      (overlay->derived->unknown.tag & WEND_CELL_CLOSED) != 0 ? INFINITY : overlay->derived->unknown.weight);
    wend_file_end_section(&f);
  }
  wend_write_tags(&f, overlay);
  write_section(&f, overlay->is_grid ? "RUNS" : "NODE", overlay, overlay->is_grid ? write_changed_runs : write_changed_nodes);
  if (!overlay->is_grid) write_section(&f, "NTAG", overlay, write_changed_tags);
  write_section(&f, overlay->is_grid ? "WALL" : "EDGE", overlay, overlay->is_grid ? write_changed_walls : write_changed_edges);
  if (!overlay->is_grid) write_section(&f, "WIDE", overlay, write_changed_widths);
  if (overlay->derived->fog) wend_write_portals(&f, (const wend_grid *)overlay);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading: the edits are made again ---------------------------------------------------------------------- */

static wend_status read_changed_runs(wend_reader *r, wend_grid *grid, wend_tag_numbers tags) {
  const uint32_t cells = grid->width * grid->height;
  wend_cell before = {-1, 0};
  for (uint32_t least = 0; !r->failed && r->left > 0;) {
    const uint8_t *at = wend_read_items(r, 1, RUN_BYTES);
    const uint32_t first = at == NULL ? 0 : (uint32_t)wend_load_uint(at, 4);
    const uint32_t count = at == NULL ? 0 : (uint32_t)wend_load_uint(at + 4, 4);
    wend_cell value;
    if (at == NULL || !wend_load_cell(at + 8, tags.count, &value) || first < least || first >= cells || count == 0 ||
        count > cells - first || (first == least && same_cells(value, before)))
      return WEND_FORMAT;
    before = value, least = first + count;
    value.tag = (value.tag & WEND_CELL_CLOSED) | tags.of[value.tag & ~WEND_CELL_CLOSED];
    for (uint32_t cell = first; cell < least; cell++)
      if (wend_grid_set(grid, (wend_id)cell + 1, value) != WEND_OK) return WEND_NO_MEMORY;
  }
  return WEND_OK;
}

static wend_status read_changed_walls(wend_reader *r, wend_grid *grid) {
  const wend_region region = wend_grid_region(grid);
  const uint32_t count = wend_file_count(r, WALL_BYTES);
  const uint8_t *at = wend_read_items(r, count, WALL_BYTES);
  for (uint32_t i = 0, least = 0; i < count && !r->failed; i++, at += WALL_BYTES) {
    const uint32_t cell = (uint32_t)wend_load_uint(at, 4), hidden = at[4] & 15u, walls = at[4] >> 4;
    if (cell < least || cell >= grid->width * grid->height || hidden == 0 || (walls & ~hidden) != 0) return WEND_FORMAT;
    least = cell + 1;
    for (int d = EAST; d <= SOUTH_EAST; d++) {
      const uint32_t to = (uint32_t)(place_at(grid, cell) + wend_offset(grid->stride, d)), bit = 1u << (d - EAST);
      if ((hidden & bit) == 0) continue;
      if (!wend_region_has(&region, to) || (grid->map.derived->fog && walls != hidden)) return WEND_FORMAT;
      if (wend_grid_wall(grid, (wend_id)cell + 1, wend_region_cell(&region, grid, to), (walls & bit) != 0) != WEND_OK)
        return WEND_NO_MEMORY;
    }
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status read_changed_nodes(wend_reader *r, wend_graph *graph) {
  const uint32_t count = wend_file_count(r, CHANGED_NODE_BYTES);
  const uint8_t *at = wend_read_items(r, count, CHANGED_NODE_BYTES);
  for (uint32_t i = 0, least = 0; i < count && !r->failed; i++, at += CHANGED_NODE_BYTES) {
    const wend_id node = wend_load_uint(at, 8);
    const uint32_t slot = wend_slots_find(&graph->nodes, node);
    if (slot == WEND_NONE || slot < least || at[8] > 1) return WEND_FORMAT;
    least = slot + 1;
    if (wend_graph_close_node(graph, node, at[8] == 1) != WEND_OK) return WEND_NO_MEMORY;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status read_changed_tags(wend_reader *r, wend_graph *graph, wend_tag_numbers tags) {
  const uint32_t count = wend_file_count(r, CHANGED_TAG_BYTES);
  const uint8_t *at = wend_read_items(r, count, CHANGED_TAG_BYTES);
  for (uint32_t i = 0, least = 0; i < count && !r->failed; i++, at += CHANGED_TAG_BYTES) {
    const wend_id node = wend_load_uint(at, 8);
    const uint32_t slot = wend_slots_find(&graph->nodes, node), tag = (uint32_t)wend_load_uint(at + 8, 2);
    if (slot == WEND_NONE || slot < least || !is_hidden_node(graph, slot) || tag > tags.count) return WEND_FORMAT;
    if (tags.of[tag] == wend_graph_node_tag(graph, node)) return WEND_FORMAT;
    least = slot + 1;
    if (wend_graph_set_node_tag(graph, node, tags.of[tag]) != WEND_OK) return WEND_NO_MEMORY;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status read_changed_edges(wend_reader *r, wend_graph *graph, wend_tag_numbers tags) {
  const uint32_t count = wend_file_count(r, CHANGED_EDGE_BYTES);
  const uint8_t *at = wend_read_items(r, count, CHANGED_EDGE_BYTES);
  for (uint32_t i = 0, least = 0; i < count && !r->failed; i++, at += CHANGED_EDGE_BYTES) {
    const wend_id edge = wend_load_uint(at, 8);
    const double weight = wend_load_double(at + 8);
    const uint32_t slot = wend_slots_find(&graph->edges, edge), tag = (uint32_t)wend_load_uint(at + 16, 2);
    const bool measured = weight == WEND_MEASURED;
    wend_edge now;
    if (slot == WEND_NONE || slot < least || tag > tags.count || at[18] > 1) return WEND_FORMAT;
    if (wend_graph_edge(graph, edge, &now) != WEND_OK) return WEND_NO_MEMORY;
    if (measured ? now.length != now.length : !(weight >= 0 && weight < INFINITY) || signbit(weight)) return WEND_FORMAT;
    least = slot + 1;
    if (wend_graph_set_tag(graph, edge, tags.of[tag]) != WEND_OK || wend_graph_set_weight(graph, edge, weight) != WEND_OK ||
        wend_graph_close_edge(graph, edge, at[18] == 1) != WEND_OK)
      return WEND_NO_MEMORY;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status read_changed_widths(wend_reader *r, wend_graph *graph) {
  const uint32_t count = wend_file_count(r, CHANGED_WIDTH_BYTES);
  const uint8_t *at = wend_read_items(r, count, CHANGED_WIDTH_BYTES);
  for (uint32_t i = 0, least = 0; i < count && !r->failed; i++, at += CHANGED_WIDTH_BYTES) {
    const wend_id edge = wend_load_uint(at, 8);
    const double width = wend_load_double(at + 8);
    const uint32_t slot = wend_slots_find(&graph->edges, edge);
    if (slot == WEND_NONE || slot < least || !wend_bit_get(graph->map.derived->hidden_edges, slot)) return WEND_FORMAT;
    if (!(width >= 0 && width < INFINITY) || signbit(width) ||
        (width > 0 ? width : INFINITY) == wend_graph_width_of(graph, slot))
      return WEND_FORMAT;
    least = slot + 1;
    if (wend_graph_set_width(graph, edge, width) != WEND_OK) return WEND_NO_MEMORY;
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

/* Makes the changes of a file whose first section was read. */
static wend_status read_changes(wend_file_in *f, wend_map *overlay) {
  const wend_alloc *alloc = &overlay->alloc;
  wend_reader *r = wend_file_section(f, "TAGS");
  wend_tag_numbers tags = {0, 0, NULL};
  wend_status status = wend_read_tag_numbers(r, alloc, overlay, true, &tags);
  if (status == WEND_OK) {
    r = wend_file_section(f, overlay->is_grid ? "RUNS" : "NODE");
    status = overlay->is_grid ? read_changed_runs(r, (wend_grid *)overlay, tags) : read_changed_nodes(r, (wend_graph *)overlay);
  }
  if (status == WEND_OK && !overlay->is_grid)
    status = read_changed_tags(wend_file_section(f, "NTAG"), (wend_graph *)overlay, tags);
  if (status == WEND_OK) {
    r = wend_file_section(f, overlay->is_grid ? "WALL" : "EDGE");
    status =
        overlay->is_grid ? read_changed_walls(r, (wend_grid *)overlay) : read_changed_edges(r, (wend_graph *)overlay, tags);
  }
  if (status == WEND_OK && !overlay->is_grid) status = read_changed_widths(wend_file_section(f, "WIDE"), (wend_graph *)overlay);
  if (status == WEND_OK && overlay->derived->fog) status = wend_read_portals(f, (wend_grid *)overlay, &tags);
  WEND_FREE(alloc, tags.of, tags.capacity);
  return status == WEND_OK && !wend_file_is_read(f) ? WEND_FORMAT : status;
}

wend_status wend_overlay_decode(wend_map *base, const void *bytes, size_t size, wend_map **overlay) {
  wend_file_in f;
  wend_reader *r;
  uint64_t print, wanted;
  wend_status status;
  *overlay = NULL;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_OVERLAY)) return WEND_FORMAT;
  r = wend_file_section(&f, "OVLY");
  wanted = wend_read_uint(r, 8);
  if (!wend_file_is_done(r)) return WEND_FORMAT;
  status = wend_map_digest(base, &print);
  if (status != WEND_OK) return status;
  if (print != wanted) return WEND_STALE;
  r = base->is_grid ? wend_file_section(&f, "FOGW") : NULL;
  if (r != NULL && r->left > 0) {
    const uint8_t *at = wend_read_items(r, 1, 8);
    const double weight = at == NULL ? -1 : wend_load_double(at);
    wend_grid *grid = NULL;
    if (!wend_file_is_done(r) || !(weight >= 0) || signbit(weight)) return WEND_FORMAT;
    status = wend_grid_overlay_fog((wend_grid *)base, weight, &grid);
    if (status == WEND_OK) *overlay = &grid->map;
  } else {
    status = wend_map_overlay(base, overlay);
  }
  if (status == WEND_OK) status = read_changes(&f, *overlay);
  if (status == WEND_OK) return status;
  wend_map_destroy(*overlay);
  *overlay = NULL;
  return status;
}
