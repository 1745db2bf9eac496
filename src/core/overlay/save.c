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
 *   DWAL   of grids: the cells beside directed walls among these (with unknown cells: beside any): the cell, a byte: the same bits
 *          where the step out of the cell is closed, and 16 times these where the step back is
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

/* ---- Parts of graphs --------------------------------------------------------------------------------------- */

/* What rows have of a hidden part after its id. */
typedef struct part_row {
  bool closed;
  uint16_t tag;
  double weight, width;
} part_row;

static const wend_record_item row_items[] = {WEND_DOUBLE(part_row, weight, WEND_MEASURED, DBL_MAX),
                                             WEND_WHOLE(part_row, tag, 2), WEND_FLAGS(1), WEND_FLAG(part_row, closed),
                                             WEND_DOUBLE(part_row, width, 0, DBL_MAX)};

/* The sections of parts: their first item, and how many. differs: only those are there that differ in it from the base, and one of
 * the sections before has them too. */
static const struct part_section {
  char id[5];
  bool edges, differs;
  uint8_t first, count;
} part_sections[] = {
    {"NODE", false, false, 2, 2}, {"NTAG", false, true, 1, 1}, {"EDGE", true, false, 0, 4}, {"WIDE", true, true, 4, 1}};
#define PART_SECTIONS (sizeof part_sections / sizeof *part_sections)

static bool hides_part(const wend_graph *graph, bool edge, uint32_t slot) {
  return wend_bit_get(edge ? graph->map.derived->hidden_edges : graph->map.derived->hidden, slot);
}

/* An overlay, and a section of its file; of one that is read, the numbers of the tags. */
typedef struct changed_graph {
  wend_graph *graph;
  const struct part_section *section;
  wend_tag_numbers tags;
} changed_graph;

static void write_changed_part(wend_file_out *f, const void *ud, uint32_t slot) {
  const changed_graph *changed = ud;
  const bool edge = changed->section->edges;
  const wend_part part = wend_graph_part(changed->graph, edge, slot);
  const part_row row = {part.closed, (uint16_t)part.tag, part.measured ? WEND_MEASURED : part.weight,
                        part.width < INFINITY ? part.width : 0};
  if (!hides_part(changed->graph, edge, slot)) return;
  if (changed->section->differs) {
    const wend_part base = wend_graph_part((const wend_graph *)changed->graph->map.derived->base, edge, slot);
    if (edge ? part.width == base.width : part.tag == base.tag) return;
  }
  wend_write_uint(&f->w, wend_slots_id(wend_graph_parts(changed->graph, edge), slot), 8);
  wend_write_record(&f->w, &row, row_items + changed->section->first, changed->section->count);
}

/* Makes a part what its row says. */
static wend_status read_changed_part(wend_reader *r, void *ud, uint32_t slot) {
  const changed_graph *changed = ud;
  wend_graph *graph = changed->graph;
  const bool edge = changed->section->edges, differs = changed->section->differs;
  const wend_part old = wend_graph_part(graph, edge, slot);
  wend_part part = old;
  part_row row = {old.closed, 0, 1, 1};
  wend_read_record(r, &row, row_items + changed->section->first, changed->section->count);
  if (r->failed || row.tag > changed->tags.count || signbit(row.width) || (differs && !hides_part(graph, edge, slot)) ||
      (signbit(row.weight) && row.weight != WEND_MEASURED))
    return WEND_FORMAT;
  part.closed = row.closed;
  if (edge != differs) part.tag = changed->tags.of[row.tag]; /* EDGE, NTAG */
  if (edge && differs) part.width = row.width > 0 ? row.width : INFINITY;
  if (edge && !differs) {
    wend_edge now;
    const wend_status status = wend_graph_edge(graph, wend_slots_id(&graph->edges, slot), &now);
    if (status != WEND_OK) return status;
    part.measured = row.weight == WEND_MEASURED;
    part.weight = part.measured ? now.length : row.weight;
    if (part.weight != part.weight) return WEND_FORMAT;
  }
  if (differs && wend_graph_same_part(&part, &old)) return WEND_FORMAT;
  return wend_graph_set_part(graph, edge, slot, &part);
}

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
    const uint32_t place = place_at(grid, cell), hidden = (which[place] & ~wend_lacking(grid, place)) >> EAST;
    const uint32_t walls = grid->walls == NULL ? 0 : grid->walls[place] >> EAST & hidden;
    if (hidden == 0) continue;
    wend_write_uint(w, cell, 4);
    wend_write_uint(w, walls << 4 | hidden, 1);
  }
}

static void write_changed_directed(wend_writer *w, const wend_grid *grid) {
  const wend_derived *derived = grid->map.derived;
  for (uint32_t cell = 0; grid->directed_count > 0 && cell < grid->width * grid->height; cell++) {
    const uint32_t place = place_at(grid, cell), hidden = derived->fog ? 15u
                                                          : derived->hidden_walls == NULL
                                                              ? 0
                                                              : derived->hidden_walls[place] >> EAST;
    const uint32_t out = grid->directed[place] >> EAST & hidden, back = grid->directed[place] >> (8 + EAST) & hidden;
    if ((out | back) == 0) continue;
    wend_write_uint(w, cell, 4);
    wend_write_uint(w, back << 4 | out, 1);
  }
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
  const wend_derived *derived = grid->map.derived;
  const uint32_t tag = derived->unknown.tag & ~WEND_CELL_CLOSED;
  if (derived->fog && tag != WEND_UNTAGGED) {
    wend_file_begin_section(f, "FOGT", true);
    wend_write_uint(&f->w, wend_tag_number(f, tag), 2);
    wend_file_end_section(f);
  }
  write_section(f, "RUNS", grid, write_changed_runs);
  write_section(f, "WALL", grid, write_changed_walls);
  write_section(f, "DWAL", grid, write_changed_directed);
  if (derived->fog) wend_write_portals(f, grid);
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
  for (size_t i = 0; i < PART_SECTIONS && !overlay->is_grid; i++) {
    const changed_graph changed = {(wend_graph *)overlay, &part_sections[i], {0, 0, NULL}};
    wend_write_rows(&f, part_sections[i].id, wend_graph_parts(changed.graph, part_sections[i].edges), true, write_changed_part,
                    &changed);
  }
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
      if (!wend_region_has(&region, to) || (grid->map.derived->fog && walls != hidden) ||
          (wend_lacking(grid, place_at(grid, cell)) >> d & 1) != 0)
        return WEND_FORMAT;
      if (wend_grid_wall(grid, (wend_id)cell + 1, wend_region_cell(&region, grid, to), (walls & bit) != 0) != WEND_OK)
        return WEND_NO_MEMORY;
    }
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status read_changed_directed(wend_reader *r, wend_grid *grid) {
  const wend_derived *derived = grid->map.derived;
  const wend_region region = wend_grid_region(grid);
  const uint32_t count = wend_file_count(r, WALL_BYTES);
  const uint8_t *at = wend_read_items(r, count, WALL_BYTES);
  for (uint32_t i = 0, least = 0; i < count && !r->failed; i++, at += WALL_BYTES) {
    const uint32_t cell = (uint32_t)wend_load_uint(at, 4), out = at[4] & 15u, back = at[4] >> 4;
    if (cell < least || cell >= grid->width * grid->height || (out | back) == 0 || (out & back) != 0) return WEND_FORMAT;
    least = cell + 1;
    for (int d = EAST; d <= SOUTH_EAST; d++) {
      const uint32_t place = place_at(grid, cell), bit = d - EAST;
      if (((out | back) >> bit & 1) == 0) continue;
      if (!wend_region_has(&region, (uint32_t)(place + wend_offset(grid->stride, d))) ||
          (grid->walls != NULL && (grid->walls[place] >> d & 1) != 0) ||
          (!derived->fog && (derived->hidden_walls == NULL || (derived->hidden_walls[place] >> d & 1) == 0)))
        return WEND_FORMAT;
      if (wend_grid_set_border(grid, place, d, (out >> bit & 1) != 0 ? BORDER_OUT : BORDER_BACK) != WEND_OK)
        return WEND_NO_MEMORY;
    }
  }
  return r->failed ? WEND_FORMAT : WEND_OK;
}

static wend_status read_changed_graph(wend_file_in *f, wend_graph *graph, wend_tag_numbers tags) {
  wend_status status = WEND_OK;
  for (size_t i = 0; i < PART_SECTIONS && status == WEND_OK; i++) {
    changed_graph changed = {graph, &part_sections[i], tags};
    status = wend_read_rows(wend_file_section(f, part_sections[i].id), wend_graph_parts(graph, part_sections[i].edges), 8,
                            read_changed_part, &changed);
  }
  return status;
}

static wend_status read_changed_grid(wend_file_in *f, wend_grid *grid, wend_tag_numbers tags) {
  wend_status status = read_changed_runs(wend_file_section(f, "RUNS"), grid, tags);
  if (status == WEND_OK) status = read_changed_walls(wend_file_section(f, "WALL"), grid);
  if (status == WEND_OK) status = read_changed_directed(wend_file_section(f, "DWAL"), grid);
  if (status == WEND_OK && grid->map.derived->fog) status = wend_read_portals(f, grid, &tags);
  return status;
}

/* Makes the overlay of a file, without its changes; with unknown cells, if it says so. tags: the numbers of its tags. */
static wend_status read_head(wend_file_in *f, wend_map *base, wend_tag_numbers *tags, wend_map **overlay) {
  wend_reader *r = wend_file_section(f, "FOGW");
  const bool fog = r->left > 0;
  const double weight = fog ? wend_read_number(r, 0, INFINITY) : 0;
  wend_grid *grid = NULL;
  wend_status status;
  if (fog && (!wend_file_is_done(r) || !base->is_grid || signbit(weight))) return WEND_FORMAT;
  status = fog ? wend_grid_overlay_fog((wend_grid *)base, weight, WEND_UNTAGGED, &grid) : wend_map_overlay(base, overlay);
  if (fog && status == WEND_OK) *overlay = &grid->map;
  if (status == WEND_OK) status = wend_read_tag_numbers(wend_file_section(f, "TAGS"), &base->alloc, *overlay, true, tags);
  if (status != WEND_OK || !fog) return status;
  r = wend_file_section(f, "FOGT");
  if (r->left > 0) { /* all cells get the tag */
    const uint64_t tag = wend_read_uint(r, 2);
    if (r->failed || tag == WEND_UNTAGGED || tag > tags->count) return WEND_FORMAT;
    grid->map.derived->unknown.tag |= tags->of[tag];
    wend_overlay_reset(&grid->map);
  }
  return grid->map.derived->torn ? WEND_NO_MEMORY : WEND_OK;
}

wend_status wend_overlay_decode(wend_map *base, const void *bytes, size_t size, wend_map **overlay) {
  wend_file_in f;
  wend_reader *r;
  wend_tag_numbers numbers = {0, 0, NULL};
  const wend_alloc *alloc = &base->alloc;
  const wend_map *root = base;
  uint32_t tags;
  wend_status status;
  *overlay = NULL;
  while (root->derived != NULL) root = root->derived->base;
  tags = wend_map_tag_count(root); /* no base has more */
  status = wend_file_open_of(&f, bytes, size, WEND_FILE_OVERLAY, "OVLY", base, &r);
  if (status != WEND_OK) return status;
  status = read_head(&f, base, &numbers, overlay);
  if (status == WEND_OK)
    status = base->is_grid ? read_changed_grid(&f, (wend_grid *)*overlay, numbers)
                           : read_changed_graph(&f, (wend_graph *)*overlay, numbers);
  if (status == WEND_OK && !wend_file_is_read(&f)) status = WEND_FORMAT;
  WEND_FREE(alloc, numbers.of, numbers.capacity);
  if (status == WEND_OK) return status;
  wend_map_destroy(*overlay);
  *overlay = NULL;
  wend_map_forget_tags(base, tags);
  return status;
}
