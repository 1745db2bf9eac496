/* SPDX-License-Identifier: MIT */
/* Overlays in files: only what they hide of their base. The base must have the same content when they are read.
 *
 *   OVLY   the fingerprint of the base
 *   FOGW   of grids with unknown cells: their weight
 *   TAGS   tags.h: the names of its tags, which may be new in the base
 *   FOGT   of grids with unknown cells that have a tag: that
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
#include <float.h>

#include "core/codec/cell.h"
#include "core/codec/fingerprint.h"
#include "core/codec/ids.h"
#include "core/codec/tags.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"

WEND_NO_FUSING

#define RUN_BYTES (8 + CELL_BYTES)
#define WALL_BYTES 5u

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static bool same_cells(wend_cell a, wend_cell b) { return a.weight == b.weight && a.tag == b.tag; }

/* The place of a cell, from 0. */
static uint32_t place_at(const wend_grid *grid, uint32_t cell) {
  return (cell / grid->width + 1) * grid->stride + cell % grid->width + 1;
}

static void write_changed_runs(wend_writer *w, const wend_grid *grid) {
  const uint64_t *hidden = grid->map.derived->hidden;
  const uint32_t cells = grid->width * grid->height;
  for (uint32_t first = 0, end; first < cells; first = end) {
    wend_cell value;
    end = first + 1;
    if (!wend_bit_get(hidden, place_at(grid, first))) continue;
    value = wend_grid_value_at(grid, place_at(grid, first));
    while (end < cells && wend_bit_get(hidden, place_at(grid, end)) &&
           same_cells(value, wend_grid_value_at(grid, place_at(grid, end))))
      end++;
    wend_write_uint(w, first, 4);
    wend_write_uint(w, end - first, 4);
    wend_write_cell(w, value);
  }
}

static void write_changed_walls(wend_writer *w, const wend_grid *grid) {
  const uint8_t *which = grid->map.derived->fog ? grid->walls : grid->map.derived->hidden_walls;
  for (uint32_t cell = 0; which != NULL && cell < grid->width * grid->height; cell++) {
    const uint32_t place = place_at(grid, cell), hidden = which[place] >> EAST;
    const uint32_t walls = grid->walls == NULL ? 0 : grid->walls[place] >> EAST & hidden;
    if (hidden == 0) continue;
    wend_write_uint(w, cell, 4);
    wend_write_uint(w, walls << 4 | hidden, 1);
  }
}

/* Rows of sections NODE, NTAG, EDGE and WIDE. */

static void write_changed_node(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  const wend_id node = wend_slots_id(&graph->nodes, slot);
  if (!wend_bit_get(graph->map.derived->hidden, slot)) return;
  wend_write_uint(&f->w, node, 8);
  wend_write_uint(&f->w, wend_graph_is_closed(graph, node), 1);
}

static void write_changed_tag(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  const wend_id node = wend_slots_id(&graph->nodes, slot);
  const uint32_t tag = wend_graph_node_tag(graph, node);
  if (!wend_bit_get(graph->map.derived->hidden, slot) ||
      tag == wend_graph_node_tag((const wend_graph *)graph->map.derived->base, node))
    return;
  wend_write_uint(&f->w, node, 8);
  wend_write_uint(&f->w, tag, 2);
}

static void write_changed_edge(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  wend_arc arc;
  uint32_t from;
  if (!wend_bit_get(graph->map.derived->hidden_edges, slot)) return;
  arc = wend_graph_get_arc(graph, wend_graph_arc(graph, slot, &from));
  wend_write_uint(&f->w, wend_slots_id(&graph->edges, slot), 8);
  wend_write_double(&f->w, (arc.kind & ARC_MEASURED) != 0 ? WEND_MEASURED : arc.weight);
  wend_write_uint(&f->w, arc.kind >> ARC_TAG_SHIFT, 2);
  wend_write_uint(&f->w, (arc.kind & ARC_CLOSED) != 0, 1);
}

static void write_changed_width(wend_file_out *f, const void *ud, uint32_t slot) {
  const wend_graph *graph = ud;
  const double width = wend_graph_width_of(graph, slot);
  if (!wend_bit_get(graph->map.derived->hidden_edges, slot) ||
      width == wend_graph_width_of((const wend_graph *)graph->map.derived->base, slot))
    return;
  wend_write_uint(&f->w, wend_slots_id(&graph->edges, slot), 8);
  wend_write_double(&f->w, width < INFINITY ? width : 0);
}

static void write_changed_graph(wend_file_out *f, const wend_graph *graph) {
  wend_write_rows(f, "NODE", &graph->nodes, true, write_changed_node, graph);
  wend_write_rows(f, "NTAG", &graph->nodes, true, write_changed_tag, graph);
  wend_write_rows(f, "EDGE", &graph->edges, true, write_changed_edge, graph);
  wend_write_rows(f, "WIDE", &graph->edges, true, write_changed_width, graph);
}

/* Writes a section of a grid, if it has contents. */
static void write_section(wend_file_out *f, const char *id, const wend_grid *grid,
                          void (*write)(wend_writer *w, const wend_grid *grid)) {
  wend_writer counted = {NULL, 0};
  write(&counted, grid);
  wend_file_begin_section(f, id, counted.size > 0);
  write(&f->w, grid);
  wend_file_end_section(f);
}

static void write_changed_grid(wend_file_out *f, const wend_grid *grid) {
  const uint32_t tag = grid->map.derived->unknown.tag & ~WEND_CELL_CLOSED;
  if (grid->map.derived->fog && tag != WEND_UNTAGGED) {
    wend_file_begin_section(f, "FOGT", true);
    wend_write_uint(&f->w, wend_tag_number(f, tag), 2);
    wend_file_end_section(f);
  }
  write_section(f, "RUNS", grid, write_changed_runs);
  write_section(f, "WALL", grid, write_changed_walls);
  if (grid->map.derived->fog) wend_write_portals(f, grid);
}

wend_status wend_overlay_encode(wend_map *overlay, void *bytes, size_t *size) {
  wend_file_out f;
  wend_status status = wend_file_begin_of(&f, bytes, WEND_FILE_OVERLAY, "OVLY", overlay->derived->base);
  if (status == WEND_OK && !overlay->is_grid) status = wend_graph_sync((wend_graph *)overlay);
  if (status != WEND_OK) return status;
  wend_file_end_section(&f);
  if (overlay->derived->fog) {
    wend_file_begin_section(&f, "FOGW", true);
    wend_write_double(&f.w,
                      (overlay->derived->unknown.tag & WEND_CELL_CLOSED) != 0 ? INFINITY : overlay->derived->unknown.weight);
    wend_file_end_section(&f);
  }
  wend_write_tags(&f, overlay);
  if (overlay->is_grid) write_changed_grid(&f, (const wend_grid *)overlay);
  else write_changed_graph(&f, (const wend_graph *)overlay);
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

/* A graph that gets the changes of a file, and the numbers of tags there. */
typedef struct changed_graph {
  wend_graph *graph;
  wend_tag_numbers tags;
} changed_graph;

static wend_status read_changed_node(wend_reader *r, void *ud, uint32_t slot) {
  wend_graph *graph = ((changed_graph *)ud)->graph;
  const uint64_t closed = wend_read_uint(r, 1);
  if (r->failed || closed > 1) return WEND_FORMAT;
  return wend_graph_close_node(graph, wend_slots_id(&graph->nodes, slot), closed == 1);
}

static wend_status read_changed_tag(wend_reader *r, void *ud, uint32_t slot) {
  const changed_graph *changed = ud;
  wend_graph *graph = changed->graph;
  const wend_id node = wend_slots_id(&graph->nodes, slot);
  const uint32_t tag = (uint32_t)wend_read_uint(r, 2);
  if (r->failed || !wend_bit_get(graph->map.derived->hidden, slot) || tag > changed->tags.count ||
      changed->tags.of[tag] == wend_graph_node_tag(graph, node))
    return WEND_FORMAT;
  return wend_graph_set_node_tag(graph, node, changed->tags.of[tag]);
}

static wend_status read_changed_edge(wend_reader *r, void *ud, uint32_t slot) {
  const changed_graph *changed = ud;
  wend_graph *graph = changed->graph;
  const wend_id edge = wend_slots_id(&graph->edges, slot);
  const double weight = wend_read_number(r, WEND_MEASURED, DBL_MAX);
  const uint32_t tag = (uint32_t)wend_read_uint(r, 2);
  const uint64_t closed = wend_read_uint(r, 1);
  wend_edge now;
  wend_status status;
  if (r->failed || tag > changed->tags.count || closed > 1) return WEND_FORMAT;
  status = wend_graph_edge(graph, edge, &now);
  if (status != WEND_OK) return status;
  if (weight == WEND_MEASURED ? now.length != now.length : signbit(weight)) return WEND_FORMAT;
  status = wend_graph_set_tag(graph, edge, changed->tags.of[tag]);
  if (status == WEND_OK) status = wend_graph_set_weight(graph, edge, weight);
  return status == WEND_OK ? wend_graph_close_edge(graph, edge, closed == 1) : status;
}

static wend_status read_changed_width(wend_reader *r, void *ud, uint32_t slot) {
  wend_graph *graph = ((changed_graph *)ud)->graph;
  const double width = wend_read_number(r, 0, DBL_MAX);
  if (r->failed || signbit(width) || !wend_bit_get(graph->map.derived->hidden_edges, slot) ||
      (width > 0 ? width : INFINITY) == wend_graph_width_of(graph, slot))
    return WEND_FORMAT;
  return wend_graph_set_width(graph, wend_slots_id(&graph->edges, slot), width);
}

static wend_status read_changed_graph(wend_file_in *f, wend_graph *graph, wend_tag_numbers tags) {
  changed_graph changed = {graph, tags};
  wend_status status = wend_read_rows(wend_file_section(f, "NODE"), &graph->nodes, 8, read_changed_node, &changed);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "NTAG"), &graph->nodes, 8, read_changed_tag, &changed);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "EDGE"), &graph->edges, 8, read_changed_edge, &changed);
  if (status == WEND_OK) status = wend_read_rows(wend_file_section(f, "WIDE"), &graph->edges, 8, read_changed_width, &changed);
  return status;
}

/* Gives the tag of a file to the unknown cells: to all cells of a new overlay. */
static wend_status read_unknown_tag(wend_reader *r, wend_grid *grid, wend_tag_numbers tags) {
  wend_derived *derived = grid->map.derived;
  uint32_t tag;
  if (r->left == 0) return WEND_OK;
  tag = (uint32_t)wend_read_uint(r, 2);
  if (!derived->fog || r->failed || tag == WEND_UNTAGGED || tag > tags.count) return WEND_FORMAT;
  derived->unknown.tag |= tags.of[tag];
  wend_overlay_reset(&grid->map);
  return derived->torn ? WEND_NO_MEMORY : WEND_OK;
}

static wend_status read_changed_grid(wend_file_in *f, wend_grid *grid, wend_tag_numbers tags) {
  wend_status status = read_unknown_tag(wend_file_section(f, "FOGT"), grid, tags);
  if (status == WEND_OK) status = read_changed_runs(wend_file_section(f, "RUNS"), grid, tags);
  if (status == WEND_OK) status = read_changed_walls(wend_file_section(f, "WALL"), grid);
  if (status == WEND_OK && grid->map.derived->fog) status = wend_read_portals(f, grid, &tags);
  return status;
}

/* Makes the changes of a file whose first section was read. */
static wend_status read_changes(wend_file_in *f, wend_map *overlay) {
  const wend_alloc *alloc = &overlay->alloc;
  wend_tag_numbers tags = {0, 0, NULL};
  wend_status status = wend_read_tag_numbers(wend_file_section(f, "TAGS"), alloc, overlay, true, &tags);
  if (status == WEND_OK)
    status = overlay->is_grid ? read_changed_grid(f, (wend_grid *)overlay, tags)
                              : read_changed_graph(f, (wend_graph *)overlay, tags);
  WEND_FREE(alloc, tags.of, tags.capacity);
  return status == WEND_OK && !wend_file_is_read(f) ? WEND_FORMAT : status;
}

wend_status wend_overlay_decode(wend_map *base, const void *bytes, size_t size, wend_map **overlay) {
  wend_file_in f;
  wend_reader *r;
  wend_status status;
  const wend_map *root = base;
  uint32_t tags;
  *overlay = NULL;
  while (root->derived != NULL) root = root->derived->base;
  tags = wend_map_tag_count(root); /* no base has more */
  status = wend_file_open_of(&f, bytes, size, WEND_FILE_OVERLAY, "OVLY", base, &r);
  if (status != WEND_OK) return status;
  r = base->is_grid ? wend_file_section(&f, "FOGW") : NULL;
  if (r != NULL && r->left > 0) {
    const uint8_t *at = wend_read_items(r, 1, 8);
    const double weight = at == NULL ? -1 : wend_load_double(at);
    wend_grid *grid = NULL;
    if (!wend_file_is_done(r) || !(weight >= 0) || signbit(weight)) return WEND_FORMAT;
    status = wend_grid_overlay_fog((wend_grid *)base, weight, WEND_UNTAGGED, &grid);
    if (status == WEND_OK) *overlay = &grid->map;
  } else {
    status = wend_map_overlay(base, overlay);
  }
  if (status == WEND_OK) status = read_changes(&f, *overlay);
  if (status == WEND_OK) return status;
  wend_map_destroy(*overlay);
  *overlay = NULL;
  wend_map_forget_tags(base, tags);
  return status;
}
