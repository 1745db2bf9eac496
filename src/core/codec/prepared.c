/* SPDX-License-Identifier: MIT */
/* Prepared tables in files: the rows of base/potentials.h, without columns that are not in use.
 *
 *   landmarks   4 bytes, 0 .. 16
 *   flags       1 byte, and 3 bytes 0
 *   unit        8 bytes
 *   costs       4 bytes, the number T of costs; T times two doubles, by tag from 0: times and plus of the costs that the rows
 *               are for
 *   rows        for each node in the order of NODE, or each cell row by row: `landmarks` numbers of 2 bytes, to each landmark;
 *               unless the map is two-way, then as many from each landmark
 *
 * The reader trusts none of these numbers. wend_prepared_verify finds the share of the rows that agrees with the steps of the map:
 * so wrong rows cost time, and nothing else. Dead ends are found again. */
#include "core/codec/prepared.h"

#include <math.h>

#include "core/map/graph_store.h"
#include "core/map/grid.h"
#include "core/prepared/dead_ends.h"
#include "core/prepared/prepared.h"

WEND_NO_FUSING

#define IS_TWO_WAY 1u
#define HAS_DEAD_ENDS 2u
#define PRICE_BYTES 16u

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static void write_row(wend_writer *w, const wend_prepared *prepared, uint32_t place) {
  const uint16_t *row = wend_prepared_row(prepared, place);
  for (uint32_t kind = 0; kind < (prepared->two_way ? 1u : 2u); kind++, row += prepared->count)
    for (uint32_t i = 0; i < prepared->landmarks; i++) wend_write_uint(w, row[i], 2);
}

void wend_write_prepared(wend_file_out *f, const wend_map *map) {
  const wend_prepared *prepared = map->prepared;
  wend_writer *w = &f->w;
  uint32_t prices;
  if (prepared == NULL || f->version == FILE_VERSION_OLD) return;
  prices = prepared->tag_count < map->own_tags + 1 ? prepared->tag_count : map->own_tags + 1;
  if (prepared->tags == NULL) prices = 0;
  wend_file_begin_section(f, "prep", true);
  wend_write_uint(w, prepared->rows == NULL ? 0 : prepared->landmarks, 4);
  wend_write_uint(w, (prepared->two_way ? IS_TWO_WAY : 0) | (prepared->ends != NULL ? HAS_DEAD_ENDS : 0), 1);
  wend_write_uint(w, 0, 3);
  wend_write_double(w, prepared->unit);
  wend_write_uint(w, prices, 4);
  for (uint32_t i = 0; i < prices; i++) {
    wend_write_double(w, prepared->tags[i].times);
    wend_write_double(w, prepared->tags[i].plus);
  }
  if (prepared->rows == NULL) {
    /* There are only dead ends. */
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

/* The costs by tag. FORMAT, NO_MEMORY. */
static wend_status read_prices(wend_reader *r, const wend_map *map, wend_prepared *prepared) {
  const uint32_t count = (uint32_t)wend_read_uint(r, 4);
  const uint8_t *at = wend_read_items(r, count, PRICE_BYTES);
  if (r->failed || count > map->own_tags + 1) return WEND_FORMAT;
  if (count == 0) return WEND_OK;
  if (!WEND_RESIZE(&map->alloc, prepared->tags, prepared->tags_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++, at += PRICE_BYTES) {
    const wend_tag_cost cost = {wend_load_double(at), wend_load_double(at + 8), 1, false};
    if (!(cost.times >= 0 && cost.plus >= 0) || signbit(cost.times) || signbit(cost.plus)) return WEND_FORMAT;
    prepared->tags[i] = cost;
  }
  prepared->tag_count = count;
  return WEND_OK;
}

static const uint8_t *load_row(const uint8_t *at, wend_prepared *prepared, uint32_t place) {
  uint16_t *row = wend_prepared_row(prepared, place);
  memset(row, 0, prepared->stride * sizeof *row);
  for (uint32_t kind = 0; kind < (prepared->two_way ? 1u : 2u); kind++, row += prepared->count)
    for (uint32_t i = 0; i < prepared->landmarks; i++, at += 2) row[i] = (uint16_t)wend_load_uint(at, 2);
  return at;
}

/* The rows, to the end of the section. FORMAT, NO_MEMORY. */
static wend_status read_rows(wend_reader *r, const wend_map *map, wend_prepared *prepared) {
  const wend_grid *grid = (const wend_grid *)map;
  const wend_graph *graph = (const wend_graph *)map;
  const uint32_t places = map->is_grid ? grid->place_count : graph->place_count;
  const uint64_t count = map->is_grid ? (uint64_t)grid->width * grid->height : places;
  const uint8_t *at = wend_read_items(r, count, (size_t)prepared->landmarks * (prepared->two_way ? 2 : 4));
  if (!wend_file_is_done(r)) return WEND_FORMAT;
  if (!wend_resize(&map->alloc, &prepared->rows, &prepared->capacity, places > 0 ? places : 1,
                   prepared->stride * sizeof *prepared->rows))
    return WEND_NO_MEMORY;
  memset(prepared->rows, 0, prepared->capacity * (size_t)prepared->stride * sizeof *prepared->rows);
  prepared->place_count = places;
  if (map->is_grid) {
    for (uint32_t y = 0; y < grid->height; y++)
      for (uint32_t x = 0; x < grid->width; x++) at = load_row(at, prepared, (y + 1) * grid->stride + x + 1);
  } else {
    for (uint32_t place = 0; place < places; place++) at = load_row(at, prepared, place);
  }
  return WEND_OK;
}

/* The contents of the section. FORMAT, NO_MEMORY. */
static wend_status read_tables(wend_reader *r, const wend_map *map, wend_prepared *prepared) {
  const uint32_t landmarks = (uint32_t)wend_read_uint(r, 4), flags = (uint32_t)wend_read_uint(r, 1);
  const uint64_t zeros = wend_read_uint(r, 3);
  const uint8_t *unit = wend_read_items(r, 1, 8);
  wend_status status;
  if (r->failed || landmarks > WEND_LANDMARKS_MAX || flags > (IS_TWO_WAY | HAS_DEAD_ENDS) || zeros != 0) return WEND_FORMAT;
  prepared->unit = wend_load_double(unit);
  if (!(prepared->unit > 0 && prepared->unit < INFINITY)) return WEND_FORMAT;
  prepared->landmarks = landmarks;
  prepared->count = landmarks > 8 ? 16 : 8;
  prepared->two_way = (flags & IS_TWO_WAY) != 0;
  prepared->stride = prepared->two_way ? prepared->count : 2 * prepared->count;
  status = read_prices(r, map, prepared);
  if (status != WEND_OK) return status;
  if (landmarks > 0) return read_rows(r, map, prepared);
  return (flags & HAS_DEAD_ENDS) != 0 && wend_file_is_done(r) ? WEND_OK : WEND_FORMAT;
}

wend_status wend_read_prepared(wend_file_in *f, wend_map *map) {
  wend_reader *r;
  wend_prepared *prepared;
  wend_alloc owner;
  wend_status status;
  if (f->version == FILE_VERSION_OLD) return WEND_OK;
  r = wend_file_section(f, "prep");
  if (r->failed) return WEND_FORMAT;
  if (r->left == 0) return WEND_OK;
  prepared = wend_new(&map->alloc, sizeof *prepared, &owner);
  if (prepared == NULL) return WEND_NO_MEMORY;
  status = read_tables(r, map, prepared);
  if (status == WEND_OK) wend_prepared_install(map, prepared);
  else wend_prepared_free(prepared, &map->alloc);
  return status;
}

wend_status wend_trust_prepared(wend_map *map) {
  if (map->prepared != NULL && map->prepared->rows != NULL) map->prepared->ratio = wend_prepared_verify(map, map->prepared);
  return map->prepared == NULL || wend_dead_ends_add(map, map->prepared) ? WEND_OK : WEND_NO_MEMORY;
}
