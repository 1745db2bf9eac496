/* SPDX-License-Identifier: MIT */
/* Fields in files: values, and where each leads, in their order in memory. A field can only be read for the map that it was
 * made for: fingerprints are compared, and each step must be one that the map has.
 *
 *   FELD         fingerprint, flags; with costs in turns per_turn and rest; with variation what draws the factors
 *   COST         what tags cost the agent, and whether they end turns or can only be passed
 *   DIST         values
 *   NEXT         of graphs: for each value the slot and the edge that it leads to
 *   WNDW         of grids: window and goals
 *   STEP, HOPS   of grids: for each value the direction of the step, or that it is through a portal; where portals lead
 *
 * An example: nodes 1, 2, 3, 4 in a row, a distance of 1 apart, joined by the edges 1, 2, 3. The field of goal 4:
 *
 *   DIST   3  2  1  0                        by slot: the costs
 *   NEXT   1,1   2,2   3,3   none,0          by slot: the slot of the next node and the edge to it; none is ffffffff
 *
 * A grid of one row, "..#.", and the field of its first cell. Its 16 places have 5 in a row:
 *
 *   DIST   inf x 6   0  1  2   inf x 7       the closed cell has a value: an agent may leave it
 *   STEP     8 x 6   8  3  3     8 x 7       8: no step; 3: west */
#include "core/field/field.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/codec/fingerprint.h"
#include "core/codec/tags.h"
#include "core/map/graph_store.h"
#include "core/field/window.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

/* ---- Writing ----------------------------------------------------------------------------------------------- */

#define IS_OUTWARD 1u
#define IS_ALTERED 2u
#define IS_ASKED 4u
#define HAS_TURNS 8u
#define IS_ANY_LAST 16u /* with HAS_TURNS and IS_OUTWARD: wend_turns.any_last */
#define HAS_NOISE 32u   /* wend_field_opts.variation */
#define ENDS_TURN 2u    /* beside the bit that a tag asks */
#define PASS_ONLY 4u
#define SIZE_SHIFT 8   /* above it: the size of a body on a grid; 0: the agent is a point */
#define COST_BYTES 25u /* times, plus and at_least of a tag, and whether it asks */

/* Where value i leads in the file. WEND_NONE: nowhere, because it is a goal or not reached, or arithmetic changed the field, or
 * it has no paths. */
static uint32_t saved_parent(const wend_field *field, uint32_t i) {
  return field->altered || !wend_field_has_paths(field) || !wend_field_is_reached(field, i) ? WEND_NONE
                                                                                            : wend_field_parent(field, i);
}

/* The tag of cost i in section COST. */
static uint32_t tag_at(const wend_tag_ranks *ranks, uint32_t i) { return i == 0 ? WEND_UNTAGGED : ranks->entries[i - 1].tag; }

/* Section COST: the cost without a tag, and of each tag that something of the map has, in the order of tags.h. */
static void write_costs(wend_file_out *f, const wend_field *field, const wend_tag_ranks *ranks) {
  const uint32_t count = field->tag_count > 0 ? ranks->count + 1 : 0;
  wend_file_begin_section(f, "COST", count > 0);
  for (uint32_t i = 0; i < count; i++) {
    const wend_tag_cost *cost = &field->tags[tag_at(ranks, i)];
    wend_write_double(&f->w, cost->times);
    wend_write_double(&f->w, cost->plus);
    wend_write_double(&f->w, cost->at_least);
    wend_write_uint(&f->w, (field->asked && cost->asks) | (cost->ends_turn ? ENDS_TURN : 0) | (cost->pass_only ? PASS_ONLY : 0),
                    1);
  }
  wend_file_end_section(f);
}

/* Section NEXT. */
static void write_graph_ways(wend_file_out *f, const wend_field *field) {
  wend_file_begin_section(f, "NEXT", field->count > 0);
  for (uint32_t i = 0; i < field->count; i++) {
    const uint32_t parent = saved_parent(field, i);
    wend_write_uint(&f->w, parent, 4);
    wend_write_uint(&f->w, parent == WEND_NONE ? WEND_NO_ID : field->edges[i], 8);
  }
  wend_file_end_section(f);
}

/* Sections WNDW, STEP and HOPS. */
static void write_grid_ways(wend_file_out *f, const wend_field *field) {
  wend_writer *w = &f->w;
  uint32_t portal_steps = 0;
  wend_file_begin_section(f, "WNDW", true);
  wend_write_uint(w, field->region.left, 4);
  wend_write_uint(w, field->region.top, 4);
  wend_write_uint(w, field->region.width, 4);
  wend_write_uint(w, field->region.height, 4);
  wend_write_uint(w, field->window, 4);
  for (uint32_t i = 0; i < field->goal_count && field->window > 0; i++) wend_write_uint(w, field->goals[i], 8);
  wend_file_end_section(f);
  wend_file_begin_section(f, "STEP", true);
  for (uint32_t i = 0; i < field->count; i++) {
    const bool leads = saved_parent(field, i) != WEND_NONE;
    portal_steps += leads && field->ways[i] == PORTAL_WAY;
    wend_write_uint(w, leads ? field->ways[i] : NO_WAY, 1);
  }
  wend_file_end_section(f);
  wend_file_begin_section(f, "HOPS", portal_steps > 0);
  for (uint32_t i = 0; i < field->count && portal_steps > 0; i++) {
    const uint32_t parent = saved_parent(field, i);
    if (parent == WEND_NONE || field->ways[i] != PORTAL_WAY) continue;
    wend_write_uint(w, i, 4);
    wend_write_uint(w, parent, 4);
  }
  wend_file_end_section(f);
}

/* The side of large blocks; 0: each edge is a block. */
static double block_of(const wend_noise *noise) { return noise->by_edges ? 0 : 1 / noise->per_block[0]; }

/* The variation, its seed, the side of large blocks, and whether all cells cost the same. */
static void write_noise(wend_writer *w, const wend_field *field) {
  wend_write_double(w, field->noise.most);
  wend_write_uint(w, field->given.seed, 8);
  wend_write_double(w, block_of(&field->noise));
  wend_write_uint(w, field->noise.same, 1);
}

wend_status wend_field_encode(const wend_field *field, wend_map *map, void *bytes, size_t *size) {
  wend_tag_ranks ranks;
  uint32_t flags;
  wend_status status;
  wend_file_out f;
  if (field->serial != map->serial || field->version != map->version) return WEND_STALE;
  status = wend_file_begin_of(&f, bytes, WEND_FILE_FIELD, "FELD", map);
  if (status == WEND_OK) status = wend_rank_tags(map, &ranks);
  if (status != WEND_OK) return status;
  flags = (field->outward ? IS_OUTWARD : 0) | (field->altered ? IS_ALTERED : 0) | (field->asked ? IS_ASKED : 0) |
          (field->turns.per_turn > 0 ? HAS_TURNS | (field->turns.any_last ? IS_ANY_LAST : 0) : 0);
  if (field->noise.most > 0) flags |= HAS_NOISE;
  if (map->is_grid) flags |= (uint32_t)field->size << SIZE_SHIFT;
  wend_write_uint(&f.w, flags, 4);
  if (flags & HAS_TURNS) wend_write_double(&f.w, field->turns.per_turn), wend_write_double(&f.w, field->turns.rest);
  if (flags & HAS_NOISE) write_noise(&f.w, field);
  wend_file_end_section(&f);
  write_costs(&f, field, &ranks);
  wend_tag_ranks_free(&ranks, &map->alloc);
  wend_file_begin_section(&f, "DIST", field->count > 0);
  for (uint32_t i = 0; i < field->count; i++)
    wend_write_double(&f.w, wend_field_is_reached(field, i) ? field->values[i] : INFINITY);
  wend_file_end_section(&f);
  if (field->grid_width > 0) write_grid_ways(&f, field);
  else write_graph_ways(&f, field);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Section COST: none, or the costs that write_costs writes. FORMAT, NO_MEMORY. */
static wend_status read_costs(wend_file_in *f, wend_field *field, const wend_map *map, const wend_tag_ranks *ranks) {
  const wend_tag_cost as_it_is = {1, 0, 1, false, false, false};
  wend_reader *r = wend_file_section(f, "COST");
  const uint32_t count = wend_file_count(r, COST_BYTES);
  const uint8_t *at = wend_read_items(r, count, COST_BYTES);
  if (r->failed || (count != 0 && count != ranks->count + 1)) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->tags, field->tags_capacity, wend_map_tag_count(map) + 1)) return WEND_NO_MEMORY;
  field->tag_count = count > 0 ? wend_map_tag_count(map) + 1 : 0;
  for (uint32_t i = 0; i < field->tag_count; i++) field->tags[i] = as_it_is;
  for (uint32_t i = 0; i < count; i++, at += COST_BYTES) {
    const wend_tag_cost cost = {wend_load_double(at), wend_load_double(at + 8),  wend_load_double(at + 16),
                                (at[24] & 1) != 0,    (at[24] & ENDS_TURN) != 0, (at[24] & PASS_ONLY) != 0};
    if (!(cost.times >= 0 && cost.plus >= 0 && cost.at_least >= 0) || at[24] > (ENDS_TURN | PASS_ONLY | 1) ||
        (cost.asks && !field->asked))
      return WEND_FORMAT;
    field->passing = field->passing || cost.pass_only;
    field->tags[tag_at(ranks, i)] = cost;
  }
  return WEND_OK;
}

/* Section DIST. FORMAT, NO_MEMORY. */
static wend_status read_values(wend_file_in *f, wend_field *field) {
  wend_reader *r = wend_file_section(f, "DIST");
  const uint32_t count = wend_file_count(r, 8);
  const uint8_t *at = wend_read_items(r, count, 8);
  if (r->failed) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->values, field->values_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++, at += 8) {
    field->values[i] = wend_load_double(at);
    if (!(field->values[i] > -INFINITY)) return WEND_FORMAT;
  }
  field->count = count;
  return WEND_OK;
}

/* Section NEXT: each step must be along an edge of the graph, in its direction. FORMAT, NO_MEMORY. */
static wend_status read_graph_ways(wend_file_in *f, wend_field *field, wend_graph *graph) {
  wend_reader *r = wend_file_section(f, "NEXT");
  const uint8_t *at = wend_read_items(r, field->count, 12);
  const wend_alloc *alloc = &field->alloc;
  if (r->failed || field->count != graph->nodes.count) return WEND_FORMAT;
  if (!WEND_GROW(alloc, field->next, field->next_capacity, field->count) ||
      !WEND_GROW(alloc, field->edges, field->edges_capacity, field->count) ||
      !WEND_GROW(alloc, field->generations, field->generations_capacity, field->count))
    return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < field->count; i++, at += 12) {
    const uint32_t next = (uint32_t)wend_load_uint(at, 4);
    const wend_id edge = wend_load_uint(at + 4, 8);
    const bool there = graph->nodes.value[i] != WEND_NONE;
    wend_edge known;
    field->next[i] = next;
    field->edges[i] = edge;
    field->generations[i] = wend_slots_generation(&graph->nodes, i);
    if (wend_field_is_reached(field, i) && !there) return WEND_FORMAT;
    if (next == WEND_NONE) {
      if (edge != WEND_NO_ID) return WEND_FORMAT;
      continue;
    }
    if (field->altered || next >= field->count || !wend_field_is_reached(field, i) || !wend_field_is_reached(field, next) ||
        !wend_graph_has_edge(graph, edge))
      return WEND_FORMAT;
    if (wend_graph_edge(graph, edge, &known) != WEND_OK) return WEND_NO_MEMORY;
    { /* the edge must join these slots, a one-way edge in the direction of travel */
      const uint32_t from = field->outward ? next : i, to = field->outward ? i : next;
      const bool along = (uint32_t)known.from - 1u == from && (uint32_t)known.to - 1u == to;
      const bool back = (uint32_t)known.to - 1u == from && (uint32_t)known.from - 1u == to;
      if (!along && (known.directed || !back)) return WEND_FORMAT;
    }
  }
  return WEND_OK;
}

/* Whether the map has the portal of a step. */
static bool has_portal(const wend_field *field, const wend_grid *grid, wend_portal_step one) {
  const wend_region whole = wend_grid_region(grid);
  const uint32_t here = wend_region_find(&whole, grid, wend_region_cell(&field->region, grid, one.place));
  const uint32_t there = wend_region_find(&whole, grid, wend_region_cell(&field->region, grid, one.parent));
  return wend_grid_live_portal(grid, field->outward ? there : here, field->outward ? here : there) != NULL;
}

/* Sections WNDW, STEP and HOPS. FORMAT, NO_MEMORY. */
static wend_status read_grid_ways(wend_file_in *f, wend_field *field, const wend_grid *grid) {
  const uint64_t cells = (uint64_t)grid->width * grid->height;
  wend_reader *r = wend_file_section(f, "WNDW");
  wend_region *region = &field->region;
  const uint8_t *at;
  uint32_t portal_steps = 0;
  *region = wend_grid_region(grid);
  region->left = (uint32_t)wend_read_uint(r, 4), region->top = (uint32_t)wend_read_uint(r, 4);
  region->width = (uint32_t)wend_read_uint(r, 4), region->height = (uint32_t)wend_read_uint(r, 4);
  field->window = (uint32_t)wend_read_uint(r, 4);
  field->goal_count = wend_file_count(r, 8);
  at = wend_read_items(r, field->goal_count, 8);
  if (r->failed || region->width == 0 || region->height == 0 || region->width > grid->width || region->height > grid->height ||
      region->left > grid->width - region->width || region->top > grid->height - region->height ||
      (field->window == 0) != (field->goal_count == 0) ||
      field->count != (region->stride = region->width + 1, wend_place_count(region->width, region->height)))
    return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->goals, field->goals_capacity, field->goal_count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < field->goal_count; i++, at += 8) {
    field->goals[i] = wend_load_uint(at, 8);
    if (field->goals[i] < 1 || field->goals[i] > cells) return WEND_FORMAT;
  }
  { /* goals and window decide the region, so the file must have that region */
    const wend_region wanted =
        field->window > 0 ? wend_window_box(grid, field->goals, field->goal_count, field->window) : wend_grid_region(grid);
    if (wanted.left != region->left || wanted.top != region->top || wanted.width != region->width ||
        wanted.height != region->height)
      return WEND_FORMAT;
  }
  r = wend_file_section(f, "STEP");
  at = wend_read_items(r, field->count, 1);
  if (r->failed) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->ways, field->ways_capacity, field->count)) return WEND_NO_MEMORY;
  memcpy(field->ways, at, field->count);
  for (uint32_t i = 0; i < field->count; i++) {
    const uint32_t x = i % region->stride, y = i / region->stride, way = field->ways[i];
    const bool reached = wend_field_is_reached(field, i);
    if (way > PORTAL_WAY || (way != NO_WAY && (field->altered || !reached))) return WEND_FORMAT;
    if (reached && (x == 0 || y == 0 || y > region->height)) return WEND_FORMAT;
    if (way < 8 && !wend_field_is_reached(field, (uint32_t)(i + wend_offset(region->stride, (int)way)))) return WEND_FORMAT;
    portal_steps += way == PORTAL_WAY;
  }
  r = wend_file_section(f, "HOPS");
  field->portal_step_count = wend_file_count(r, 8);
  at = wend_read_items(r, field->portal_step_count, 8);
  if (r->failed || field->portal_step_count != portal_steps) return WEND_FORMAT;
  if (!WEND_GROW(&field->alloc, field->portal_steps, field->portal_steps_capacity, portal_steps)) return WEND_NO_MEMORY;
  for (uint32_t k = 0, least = 0; k < portal_steps; k++, at += 8) {
    const wend_portal_step one = {(uint32_t)wend_load_uint(at, 4), (uint32_t)wend_load_uint(at + 4, 4)};
    if (one.place < least || one.place >= field->count || field->ways[one.place] != PORTAL_WAY || one.parent >= field->count ||
        !wend_field_is_reached(field, one.parent) || !has_portal(field, grid, one))
      return WEND_FORMAT;
    field->portal_steps[k] = one;
    least = one.place + 1;
  }
  return WEND_OK;
}

/* Checks that no way leads in circles. FORMAT: one does. NO_MEMORY. Each value is visited once: a walk from value i marks what
 * it passes with i + 1, and ends at a mark. Its own mark means a circle. */
static wend_status check_ways(const wend_field *field) {
  const wend_alloc *alloc = &field->alloc;
  uint32_t *seen = NULL, capacity = 0;
  wend_status status = WEND_OK;
  if (!WEND_RESIZE(alloc, seen, capacity, field->count)) return WEND_NO_MEMORY;
  if (field->count > 0) memset(seen, 0, field->count * sizeof *seen);
  for (uint32_t i = 0; i < field->count && status == WEND_OK; i++)
    for (uint32_t p = i, next; p != WEND_NONE && seen[p] == 0; p = next) {
      next = saved_parent(field, p);
      seen[p] = i + 1;
      if (next != WEND_NONE && seen[next] == i + 1) { /* the mark of this walk: a circle */
        status = WEND_FORMAT;
        break;
      }
    }
  WEND_FREE(alloc, seen, capacity);
  return status;
}

/* Reads what write_noise writes. Returns the side of large blocks. */
static double read_noise(wend_reader *r, wend_field *field) {
  double block;
  uint64_t same;
  field->noise.most = field->given.variation = wend_read_number(r, 0, DBL_MAX);
  field->given.seed = wend_read_uint(r, 8);
  block = wend_read_number(r, 0, DBL_MAX);
  same = wend_read_uint(r, 1);
  field->noise.same = same != 0;
  if (same > 1) r->failed = true;
  return block;
}

/* Sets the blocks. False: there is no such side. */
static bool set_block(wend_field *field, double block) {
  wend_set_noise(&field->noise, field->given.seed, block, field->grid_width > 0 ? &field->region : NULL);
  return block_of(&field->noise) == block && !signbit(block);
}

wend_status wend_field_decode(wend_field *field, wend_map *map, const void *bytes, size_t size) {
  wend_tag_ranks ranks;
  wend_file_in f;
  wend_reader *r;
  uint32_t flags;
  double block;
  wend_status status;
  wend_field_reset(field);
  status = wend_file_open_of(&f, bytes, size, WEND_FILE_FIELD, "FELD", map, &r);
  if (status != WEND_OK) return status;
  flags = (uint32_t)wend_read_uint(r, 4);
  if ((flags & ((1u << SIZE_SHIFT) - 1)) > (IS_OUTWARD | IS_ALTERED | IS_ASKED | HAS_TURNS | IS_ANY_LAST | HAS_NOISE))
    return WEND_FORMAT;
  field->turns.per_turn = flags & HAS_TURNS ? wend_read_number(r, 0, DBL_MAX) : 0;
  field->turns.rest = flags & HAS_TURNS ? wend_read_number(r, 0, field->turns.per_turn) : 0;
  field->turns.any_last = (flags & IS_ANY_LAST) != 0;
  if (flags & HAS_TURNS && !(field->turns.per_turn > 0)) return WEND_FORMAT;
  if (field->turns.any_last && !(flags & HAS_TURNS && flags & IS_OUTWARD)) return WEND_FORMAT;
  block = flags & HAS_NOISE ? read_noise(r, field) : 0;
  if (flags & HAS_NOISE && (flags & HAS_TURNS || r->failed || !(field->noise.most > 0))) return WEND_FORMAT;
  field->passing = field->known = false;
  field->size = flags >> SIZE_SHIFT;
  if (field->size > (map->is_grid ? WEND_SIZE_MAX : 0)) return WEND_FORMAT;
  field->outward = (flags & IS_OUTWARD) != 0;
  field->altered = (flags & IS_ALTERED) != 0;
  field->asked = (flags & IS_ASKED) != 0;
  field->window = field->goal_count = field->portal_step_count = 0;
  field->grid_width = map->is_grid ? ((const wend_grid *)map)->width : 0;
  status = wend_rank_tags(map, &ranks);
  if (status == WEND_OK) {
    status = read_costs(&f, field, map, &ranks);
    wend_tag_ranks_free(&ranks, &map->alloc);
  }
  if (status == WEND_OK) status = read_values(&f, field);
  if (status == WEND_OK)
    status = map->is_grid ? read_grid_ways(&f, field, (const wend_grid *)map) : read_graph_ways(&f, field, (wend_graph *)map);
  if (status == WEND_OK && !wend_file_is_read(&f)) status = WEND_FORMAT;
  if (status == WEND_OK) status = check_ways(field);
  if (status == WEND_OK && flags & HAS_NOISE && !set_block(field, block)) status = WEND_FORMAT;
  if (status == WEND_OK) status = wend_field_find_closed(field, map);
  if (status != WEND_OK) {
    wend_field_reset(field);
    return status;
  }
  field->serial = map->serial;
  field->version = map->version;
  return WEND_OK;
}
