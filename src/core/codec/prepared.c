/* SPDX-License-Identifier: MIT */
/* Prepared tables in files, a section for each: prep, pre2 to pre5, or plan, pla2 to pla5. Those of graphs have the rows of
 * base/potentials.h, without columns that are not in use.
 *
 *   landmarks   4 bytes, 0 .. 16
 *   flags       1 byte, and 3 bytes 0
 *   unit        8 bytes, > 0, at most POTENTIAL_UNIT_MAX
 *   costs       4 bytes, the number T of costs; T times two doubles, by tag from 0: times and plus of the costs that the rows
 *               are for
 *   rows        for each node in the order of NODE: `landmarks` numbers of 2 bytes, to each landmark; unless the graph is
 *               two-way, then as many from each landmark
 *
 * Those of grids have the planes of base/planes.h.
 *
 *   landmarks   4 bytes, 1 .. 16
 *   unit        8 bytes, as above
 *   costs       as above
 *   numbers     4 bytes each: shift, slope unit, error unit, usable; 8 bytes: the slack without that of links; 4 bytes each: how many
 *               groups, splits and links
 *   base units       for each landmark 4 bytes
 *   blocks      4 bytes each
 *   splits      the first group of each, 4 bytes; then their parts, 1 byte for each cell of a block
 *   links       12 bytes each
 *   planes      5 bytes each
 *   digest      8 bytes: of the section up to here, and of the checksums of the sections before it
 *
 * The reader trusts none of the numbers of rows. wend_prepared_verify finds the slack that allows for all steps of the map: so wrong
 * rows cost time, and nothing else. Whether planes are right cannot be seen without making them again. So their reader checks the
 * digest: planes that are damaged, or of another map, are refused. All else that a file may have in their place gives other paths,
 * and does no harm. */
#include "core/codec/prepared.h"

#include <math.h>

#include "core/base/random.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"
#include "core/prepared/prepared.h"

WEND_NO_FUSING

#define IS_TWO_WAY 1u
#define PLANE_SIZE sizeof(wend_plane) /* 5 */

/* By number of the tables. */
static const char *const row_sections[PREPARED_MAX] = {"prep", "pre2", "pre3", "pre4", "pre5"};
static const char *const plane_sections[PREPARED_MAX] = {"plan", "pla2", "pla3", "pla4", "pla5"};

/* The numbers of planes, and a link, in the order of the file. */
#define WHOLE(field, bytes) WEND_WHOLE(wend_planes, field, bytes)
static const wend_record_item plane_items[] = {WHOLE(shift, 4),       WHOLE(slope_unit, 4), WHOLE(error_unit, 4),
                                               WHOLE(usable, 4),      WHOLE(lost, 8),       WHOLE(group_count, 4),
                                               WHOLE(split_count, 4), WHOLE(link_count, 4)};
#undef WHOLE
static const wend_record_item link_items[] = {WEND_WHOLE(wend_link_bound, from, 4), WEND_WHOLE(wend_link_bound, to, 4),
                                              WEND_WHOLE(wend_link_bound, units, 4)};
#define PLANE_ITEMS (sizeof plane_items / sizeof *plane_items)
#define LINK_ITEMS (sizeof link_items / sizeof *link_items)

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static void write_row(wend_writer *w, const wend_prepared *prepared, uint32_t place) {
  const uint16_t *row = wend_prepared_row(prepared, place);
  for (uint32_t kind = 0; kind < (prepared->two_way ? 1u : 2u); kind++, row += prepared->count)
    for (uint32_t i = 0; i < prepared->landmarks; i++) wend_write_uint(w, row[i], 2);
}

static void write_prices(wend_writer *w, const wend_map *map, const wend_prepared *prepared) {
  const wend_tag_cost as_it_is = {1, 0, 1, false, false, false};
  const uint32_t prices = prepared->tags != NULL ? map->own_tags + 1 : 0;
  wend_write_uint(w, prices, 4);
  for (uint32_t tag = 0; tag < prices; tag++) {
    const wend_tag_cost *cost = tag < prepared->tag_count ? &prepared->tags[tag] : &as_it_is;
    wend_write_double(w, cost->times);
    wend_write_double(w, cost->plus);
  }
}

static void write_row_section(wend_file_out *f, const wend_graph *graph, const wend_prepared *prepared, const char *id) {
  wend_writer *w = &f->w;
  wend_file_begin_section(f, id, true);
  wend_write_uint(w, prepared->rows != NULL ? prepared->landmarks : 0, 4);
  wend_write_uint(w, prepared->two_way ? IS_TWO_WAY : 0, 1);
  wend_write_uint(w, 0, 3);
  wend_write_double(w, prepared->unit);
  write_prices(w, &graph->map, prepared);
  for (uint32_t place = 0; prepared->rows != NULL && place < graph->place_count; place++)
    if (graph->slot_of[place] != WEND_NONE) write_row(w, prepared, place);
  wend_file_end_section(f);
}

static void write_counts(wend_writer *w, const uint32_t *numbers, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) wend_write_uint(w, numbers[i], 4);
}

/* The digest of the contents of a section, and of the checksums of the sections before it. file: where the file begins. at, size:
 * the contents. */
static uint64_t digest_of(const uint8_t *file, const uint8_t *at, size_t size) {
  const uint8_t *section = file + FILE_HEADER;
  uint64_t digest = size;
  while (section + SECTION_HEAD < at) {
    section += (size_t)wend_load_uint(section + 4, 8) + SECTION_BYTES;
    digest = wend_mix(digest ^ wend_load_uint(section - 4, 4));
  }
  for (; size >= 8; at += 8, size -= 8) digest = wend_mix(digest ^ wend_load_uint(at, 8));
  for (; size > 0; at++, size--) digest = wend_mix(digest ^ *at);
  return digest;
}

static void write_plane_section(wend_file_out *f, const wend_map *map, const wend_prepared *prepared, const char *id) {
  const wend_planes *planes = prepared->planes;
  wend_planes head = *planes;
  wend_writer *w = &f->w;
  size_t size;
  wend_file_begin_section(f, id, true);
  size = w->size;
  wend_write_uint(w, planes->landmarks, 4);
  wend_write_double(w, prepared->unit);
  write_prices(w, map, prepared);
  head.lost += planes->saved;
  if (head.lost > PLANE_NUMBER_MAX) head.lost = PLANE_NUMBER_MAX;
  wend_write_record(w, &head, plane_items, PLANE_ITEMS);
  write_counts(w, planes->base_units, planes->landmarks);
  write_counts(w, planes->blocks, planes->block_count);
  write_counts(w, planes->firsts, planes->split_count);
  wend_write_bytes(w, planes->parts, (size_t)planes->split_count << 2 * planes->shift);
  for (uint32_t i = 0; i < planes->link_count; i++) wend_write_record(w, &planes->links[i], link_items, LINK_ITEMS);
  wend_write_bytes(w, planes->at, (size_t)planes->group_count * planes->landmarks * PLANE_SIZE);
  size = w->size - size;
  wend_write_uint(w, w->at != NULL ? digest_of(f->bytes, w->at - size, size) : 0, 8);
  wend_file_end_section(f);
}

void wend_write_prepared(wend_file_out *f, const wend_map *map) {
  uint32_t number = 0;
  WEND_FOR_TABLES(map, one) {
    const wend_prepared *first = map->prepared; /* that is for the same prices in the file: only this one is written */
    if (map->is_grid && one->planes == NULL) continue;
    while (!(wend_prepared_alike(map, first, one) && (!map->is_grid || first->planes != NULL))) first = first->next;
    if (first != one) continue;
    if (!map->is_grid) write_row_section(f, (const wend_graph *)map, one, row_sections[number++]);
    else write_plane_section(f, map, one, plane_sections[number++]);
  }
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* The unit, and the costs by tag: into `tags`, which has room for those of the map. False: they are damaged. */
static bool read_prices(wend_reader *r, const wend_map *map, double *unit, wend_tag_cost *tags, wend_costs *costs) {
  uint64_t count;
  *unit = wend_read_number(r, 0, POTENTIAL_UNIT_MAX);
  count = wend_read_uint(r, 4);
  memset(costs, 0, sizeof *costs);
  if (!(*unit > 0) || (count != 0 && count != (uint64_t)map->own_tags + 1)) return false;
  for (uint64_t i = 0; i < count; i++) {
    const double times = wend_read_number(r, 0, INFINITY), plus = wend_read_number(r, 0, INFINITY);
    if (signbit(times) || signbit(plus)) return false;
    tags[i] = (wend_tag_cost){times, plus, 1, false, false, false};
  }
  if (count > 0) costs->tags = tags;
  return !r->failed;
}

/* Gives the map tables that were read with this status. FORMAT: it has too many others. */
static wend_status add_tables(wend_map *map, wend_prepared *prepared, wend_status status) {
  if (status == WEND_OK && !wend_prepared_has_room(map, prepared)) status = WEND_FORMAT;
  if (status == WEND_OK) wend_prepared_install(map, prepared);
  else wend_prepared_free(prepared, &map->alloc);
  return status;
}

/* Reads the row of a place. */
static const uint8_t *load_row(const uint8_t *at, const wend_prepared *prepared, uint32_t place) {
  uint16_t *row = wend_prepared_row(prepared, place);
  for (uint32_t kind = 0; kind < (prepared->two_way ? 1u : 2u); kind++, row += prepared->count)
    for (uint32_t i = 0; i < prepared->landmarks; i++, at += 2) row[i] = (uint16_t)wend_load_uint(at, 2);
  return at;
}

/* The contents of section prep. tags: as for read_prices. FORMAT, NO_MEMORY. */
static wend_status read_row_section(wend_reader *r, wend_map *map, wend_tag_cost *tags) {
  const uint32_t landmarks = (uint32_t)wend_read_uint(r, 4), flags = (uint32_t)wend_read_uint(r, 1);
  const uint64_t zeros = wend_read_uint(r, 3);
  const uint8_t *rows = NULL;
  const bool two_way = (flags & IS_TWO_WAY) != 0;
  const uint32_t places = ((const wend_graph *)map)->place_count;
  wend_costs costs;
  wend_prepared *prepared;
  double unit;
  if (!read_prices(r, map, &unit, tags, &costs) || landmarks > WEND_LANDMARKS_MAX || flags > IS_TWO_WAY || zeros != 0)
    return WEND_FORMAT;
  if (landmarks > 0) rows = wend_read_items(r, places, (size_t)landmarks * (two_way ? 2 : 4));
  if (!wend_file_is_done(r)) return WEND_FORMAT;
  prepared = wend_prepared_new(map, landmarks, two_way, unit, &costs);
  if (prepared == NULL) return WEND_NO_MEMORY;
  for (uint32_t place = 0; landmarks > 0 && place < places; place++) rows = load_row(rows, prepared, place);
  prepared->off = true; /* until wend_trust_prepared */
  return add_tables(map, prepared, WEND_OK);
}

static void load_counts(const uint8_t *at, uint32_t *numbers, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) numbers[i] = (uint32_t)wend_load_four(at + 4 * i);
}

/* The lists of planes, whose sizes are set. FORMAT, NO_MEMORY. */
static wend_status read_lists(wend_reader *r, wend_planes *planes, const wend_alloc *alloc) {
  const uint64_t parts = (uint64_t)planes->split_count << 2 * planes->shift;
  const uint64_t all = (uint64_t)planes->group_count * planes->landmarks;
  const uint8_t *bases = wend_read_items(r, planes->landmarks, 4), *blocks = wend_read_items(r, planes->block_count, 4);
  const uint8_t *firsts = wend_read_items(r, planes->split_count, 4), *part = wend_read_items(r, parts, 1);
  wend_reader links = *r;
  const uint8_t *at;
  (void)wend_read_items(r, planes->link_count, wend_record_bytes(link_items, LINK_ITEMS));
  at = wend_read_items(r, all, PLANE_SIZE);
  if (r->failed) return WEND_FORMAT;
  if (!WEND_RESIZE(alloc, planes->blocks, planes->blocks_capacity, planes->block_count) ||
      !WEND_RESIZE(alloc, planes->firsts, planes->firsts_capacity, planes->split_count) ||
      !WEND_RESIZE(alloc, planes->parts, planes->parts_capacity, parts) ||
      !WEND_RESIZE(alloc, planes->links, planes->links_capacity, planes->link_count) ||
      !WEND_RESIZE(alloc, planes->at, planes->at_capacity, all))
    return WEND_NO_MEMORY;
  load_counts(bases, planes->base_units, planes->landmarks);
  load_counts(blocks, planes->blocks, planes->block_count);
  load_counts(firsts, planes->firsts, planes->split_count);
  if (parts > 0) memcpy(planes->parts, part, (size_t)parts);
  for (uint32_t i = 0; i < planes->link_count; i++) wend_read_record(&links, &planes->links[i], link_items, LINK_ITEMS);
  if (all > 0) memcpy(planes->at, at, (size_t)all * PLANE_SIZE);
  return WEND_OK;
}

/* The planes, into tables without any. FORMAT, NO_MEMORY. */
static wend_status read_planes(wend_reader *r, const wend_grid *grid, wend_prepared *prepared) {
  wend_planes *planes = wend_new_part(&grid->map.alloc, sizeof *planes);
  uint64_t most;
  wend_status status;
  if (planes == NULL) return WEND_NO_MEMORY;
  prepared->planes = planes;
  planes->landmarks = prepared->landmarks;
  wend_read_record(r, planes, plane_items, PLANE_ITEMS);
  if (r->failed || planes->shift < 2 || planes->shift > 3 || planes->usable >> planes->landmarks != 0) return WEND_FORMAT;
  planes->columns = ((grid->width - 1) >> planes->shift) + 1;
  planes->block_count = planes->columns * (((grid->height - 1) >> planes->shift) + 1);
  /* A file cannot have more of these than it has bytes, and an array fewer than 2^32 items. */
  most = r->left;
  if (planes->group_count > most / PLANE_SIZE / planes->landmarks || planes->split_count > most / 16 ||
      most / PLANE_SIZE >= WEND_NONE || planes->lost > PLANE_NUMBER_MAX)
    return WEND_FORMAT;
  status = read_lists(r, planes, &grid->map.alloc);
  return status == WEND_OK && !wend_planes_sound(planes) ? WEND_FORMAT : status;
}

/* The contents of section plan. tags: as for read_prices. file: where the file begins. FORMAT, NO_MEMORY. */
static wend_status read_plane_section(wend_reader *r, wend_map *map, wend_tag_cost *tags, const uint8_t *file) {
  const uint8_t *contents = r->at;
  const size_t size = r->left > 8 ? r->left - 8 : 0;
  const uint32_t landmarks = (uint32_t)wend_read_uint(r, 4);
  wend_costs costs;
  wend_prepared *prepared;
  wend_status status;
  double unit;
  if (!read_prices(r, map, &unit, tags, &costs) || landmarks < 1 || landmarks > WEND_LANDMARKS_MAX) return WEND_FORMAT;
  if (wend_load_uint(contents + size, 8) != digest_of(file, contents, size)) return WEND_FORMAT;
  prepared = wend_prepared_new(map, landmarks, true, unit, &costs);
  if (prepared == NULL) return WEND_NO_MEMORY;
  status = read_planes(r, (const wend_grid *)map, prepared);
  (void)wend_read_uint(r, 8); /* the digest */
  if (status == WEND_OK && !wend_file_is_done(r)) status = WEND_FORMAT;
  return add_tables(map, prepared, status);
}

wend_status wend_read_prepared(wend_file_in *f, wend_map *map, const uint8_t *file) {
  wend_tag_cost *tags = NULL;
  uint32_t capacity = 0;
  wend_reader *r;
  wend_status status = WEND_OK;
  if (map->is_grid) { /* grids had rows once: they are left out */
    r = wend_file_section(f, "prep");
    (void)wend_read_items(r, r->left, 1);
  }
  for (uint32_t number = 0; status == WEND_OK && number < PREPARED_MAX; number++) {
    r = wend_file_section(f, (map->is_grid ? plane_sections : row_sections)[number]);
    if (r->failed) status = WEND_FORMAT;
    if (r->failed || r->left == 0) break;
    if (!WEND_RESIZE(&map->alloc, tags, capacity, wend_map_tag_count(map) + 1)) status = WEND_NO_MEMORY;
    else status = map->is_grid ? read_plane_section(r, map, tags, file) : read_row_section(r, map, tags);
  }
  WEND_FREE(&map->alloc, tags, capacity);
  return status;
}

void wend_trust_prepared(wend_map *map) {
  WEND_FOR_TABLES(map, one) {
    if (one->rows != NULL) wend_prepared_verify((const wend_graph *)map, one);
    if (one->planes != NULL) one->note_portals(map, one);
  }
}
