/* SPDX-License-Identifier: MIT */
/* Prepared tables in files: the rows of base/potentials.h, without columns that are not in use.
 *
 *   landmarks   4 bytes, 0 .. 16
 *   flags       1 byte, and 3 bytes 0
 *   unit        8 bytes, > 0, at most POTENTIAL_UNIT_MAX
 *   costs       4 bytes, the number T of costs; T times two doubles, by tag from 0: times and plus of the costs that the rows
 *               are for
 *   rows        for each node in the order of NODE, or each cell row by row: `landmarks` numbers of 2 bytes, to each landmark;
 *               unless the map is two-way, then as many from each landmark
 *
 * The reader trusts none of these numbers. wend_prepared_verify finds the slack that allows for all steps of the map: so wrong
 * rows cost time, and nothing else. Dead ends are not in files: they are found again. */
#include "core/codec/prepared.h"

#include <math.h>

#include "core/map/graph_store.h"
#include "core/map/grid.h"
#include "core/prepared/dead_ends.h"
#include "core/prepared/prepared.h"

WEND_NO_FUSING

#define IS_TWO_WAY 1u
#define PRICE_BYTES 16u

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static void write_row(wend_writer *w, const wend_prepared *prepared, uint32_t place) {
  const uint16_t *row = wend_prepared_row(prepared, place);
  for (uint32_t kind = 0; kind < (prepared->two_way ? 1u : 2u); kind++, row += prepared->count)
    for (uint32_t i = 0; i < prepared->landmarks; i++) wend_write_uint(w, row[i], 2);
}

void wend_write_prepared(wend_file_out *f, const wend_map *map) {
  const wend_prepared *prepared = map->prepared;
  const wend_tag_cost as_it_is = {1, 0, 1, false};
  wend_writer *w = &f->w;
  uint32_t prices;
  if (prepared == NULL) return;
  prices = prepared->tags != NULL ? map->own_tags + 1 : 0;
  wend_file_begin_section(f, "prep", true);
  wend_write_uint(w, prepared->rows != NULL ? prepared->landmarks : 0, 4);
  wend_write_uint(w, prepared->two_way ? IS_TWO_WAY : 0, 1);
  wend_write_uint(w, 0, 3);
  wend_write_double(w, prepared->unit);
  wend_write_uint(w, prices, 4);
  for (uint32_t tag = 0; tag < prices; tag++) {
    const wend_tag_cost *cost = tag < prepared->tag_count ? &prepared->tags[tag] : &as_it_is;
    wend_write_double(w, cost->times);
    wend_write_double(w, cost->plus);
  }
  if (prepared->rows == NULL) {
    /* There are no landmarks. */
  } else if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    for (uint32_t y = 0; y < grid->height; y++)
      for (uint32_t x = 0; x < grid->width; x++) write_row(w, prepared, (y + 1) * grid->stride + x + 1);
  } else {
    const wend_graph *graph = (const wend_graph *)map;
    for (uint32_t place = 0; place < graph->place_count; place++)
      if (graph->slot_of[place] != WEND_NONE) write_row(w, prepared, place);
  }
  wend_file_end_section(f);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* The costs by tag, into `tags`, which has room for those of the map. *count: how many there are. FORMAT. */
static wend_status read_prices(wend_reader *r, const wend_map *map, wend_tag_cost *tags, uint32_t *count) {
  const uint8_t *at;
  *count = (uint32_t)wend_read_uint(r, 4);
  at = wend_read_items(r, *count, PRICE_BYTES);
  if (r->failed || (*count != 0 && *count != map->own_tags + 1)) return WEND_FORMAT;
  for (uint32_t i = 0; i < *count; i++, at += PRICE_BYTES) {
    const wend_tag_cost cost = {wend_load_double(at), wend_load_double(at + 8), 1, false};
    if (!(cost.times >= 0 && cost.plus >= 0) || signbit(cost.times) || signbit(cost.plus)) return WEND_FORMAT;
    tags[i] = cost;
  }
  return WEND_OK;
}

/* Reads the row of a place. */
static const uint8_t *load_row(const uint8_t *at, const wend_prepared *prepared, uint32_t place) {
  uint16_t *row = wend_prepared_row(prepared, place);
  for (uint32_t kind = 0; kind < (prepared->two_way ? 1u : 2u); kind++, row += prepared->count)
    for (uint32_t i = 0; i < prepared->landmarks; i++, at += 2) row[i] = (uint16_t)wend_load_uint(at, 2);
  return at;
}

/* The rows, from their bytes. */
static void load_rows(const uint8_t *at, const wend_map *map, const wend_prepared *prepared) {
  if (prepared->landmarks == 0) return;
  if (map->is_grid) {
    const wend_grid *grid = (const wend_grid *)map;
    for (uint32_t y = 0; y < grid->height; y++)
      for (uint32_t x = 0; x < grid->width; x++) at = load_row(at, prepared, (y + 1) * grid->stride + x + 1);
  } else {
    for (uint32_t place = 0; place < ((const wend_graph *)map)->place_count; place++) at = load_row(at, prepared, place);
  }
}

/* The contents of the section. tags: as for read_prices. FORMAT, NO_MEMORY. */
static wend_status read_tables(wend_reader *r, wend_map *map, wend_tag_cost *tags) {
  const uint32_t landmarks = (uint32_t)wend_read_uint(r, 4), flags = (uint32_t)wend_read_uint(r, 1);
  const uint64_t zeros = wend_read_uint(r, 3);
  const uint8_t *unit = wend_read_items(r, 1, 8), *rows = NULL;
  const bool two_way = (flags & IS_TWO_WAY) != 0;
  const uint64_t places = map->is_grid ? (uint64_t)((const wend_grid *)map)->width * ((const wend_grid *)map)->height
                                       : ((const wend_graph *)map)->place_count;
  wend_costs costs = {NULL, NULL, NULL};
  wend_prepared *prepared;
  wend_status status;
  double size;
  uint32_t count;
  if (r->failed || landmarks > WEND_LANDMARKS_MAX || flags > IS_TWO_WAY || zeros != 0) return WEND_FORMAT;
  size = wend_load_double(unit);
  if (!(size > 0 && size <= POTENTIAL_UNIT_MAX)) return WEND_FORMAT;
  status = read_prices(r, map, tags, &count);
  if (status != WEND_OK) return status;
  if (count > 0) costs.tags = tags;
  if (landmarks > 0) rows = wend_read_items(r, places, (size_t)landmarks * (two_way ? 2 : 4));
  if (!wend_file_is_done(r)) return WEND_FORMAT;
  prepared = wend_prepared_new(map, landmarks, two_way, size, &costs);
  if (prepared == NULL) return WEND_NO_MEMORY;
  load_rows(rows, map, prepared);
  prepared->off = true; /* until wend_trust_prepared */
  wend_prepared_install(map, prepared);
  return WEND_OK;
}

wend_status wend_read_prepared(wend_file_in *f, wend_map *map) {
  wend_tag_cost *tags = NULL;
  uint32_t capacity = 0;
  wend_reader *r;
  wend_status status;
  r = wend_file_section(f, "prep");
  if (r->failed) return WEND_FORMAT;
  if (r->left == 0) return WEND_OK;
  if (!WEND_RESIZE(&map->alloc, tags, capacity, wend_map_tag_count(map) + 1)) return WEND_NO_MEMORY;
  status = read_tables(r, map, tags);
  WEND_FREE(&map->alloc, tags, capacity);
  return status;
}

wend_status wend_trust_prepared(wend_map *map) {
  if (map->prepared == NULL) return WEND_OK;
  if (map->prepared->rows != NULL) wend_prepared_verify(map, map->prepared);
  return wend_dead_ends_add(map, map->prepared) ? WEND_OK : WEND_NO_MEMORY;
}
