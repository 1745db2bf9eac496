/* SPDX-License-Identifier: MIT */
/* Walls in files, by slot. Nothing depends on their order in memory, so walls that were read give the same bytes.
 *
 *   WALS   slots, walls, and where the search for free slots goes on
 *   WGEN   generations of the slots
 *   ITEM   for each wall: slot, kind, count of its numbers, numbers
 *
 * An example of ITEM: a circle in slot 3 with radius 2 around (5,1), 33 bytes:
 *
 *   03 00 00 00   02   03 00 00 00   5, 1 and 2 as doubles */
#include "core/lines/walls.h"

#include <math.h>

#include "core/base/floats.h"
#include "core/codec/file.h"
#include "core/codec/ids.h"

WEND_NO_FUSING

#define WALL_HEAD 9u
/* The fewest bytes of a wall: a circle. */
#define WALL_BYTES_MIN (WALL_HEAD + 24u)

/* ---- Writing ----------------------------------------------------------------------------------------------- */

wend_status wend_walls_encode(const wend_walls *walls, void *bytes, size_t *size) {
  const wend_slots *slots = wend_walls_ids(walls);
  wend_file_out f;
  wend_file_begin(&f, bytes, WEND_FILE_WALLS);
  wend_file_begin_section(&f, "WALS", true);
  wend_write_uint(&f.w, slots->count, 4);
  wend_write_uint(&f.w, slots->live, 4);
  wend_write_uint(&f.w, wend_ids_cursor(slots), 4);
  wend_file_end_section(&f);
  wend_write_generations(&f, "WGEN", slots);
  wend_file_begin_section(&f, "ITEM", slots->live > 0);
  for (wend_id id = wend_walls_next(walls, WEND_NO_ID); id != WEND_NO_ID; id = wend_walls_next(walls, id)) {
    const wend_wall wall = wend_walls_get(walls, id);
    wend_write_uint(&f.w, (uint32_t)id - 1u, 4);
    wend_write_uint(&f.w, (uint64_t)wall.kind, 1);
    wend_write_uint(&f.w, wall.count, 4);
    for (uint32_t i = 0; i < wall.count; i++) wend_write_double(&f.w, wall.numbers[i]);
  }
  wend_file_end_section(&f);
  *size = wend_file_end(&f);
  return WEND_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Whether a wall of this kind can have this count of numbers. */
static bool is_wall_count(uint32_t kind, uint32_t count) {
  switch (kind) {
    case WEND_SEGMENT: return count == 4;
    case WEND_CIRCLE: return count == 3;
    case WEND_POLYGON: return count >= 6 && count % 2 == 0;
    default: return false;
  }
}

/* Section ITEM. live: how many walls. FORMAT, NO_MEMORY. */
static wend_status read_items(wend_file_in *f, wend_walls *walls, uint32_t live) {
  const wend_alloc *alloc = wend_walls_alloc(walls);
  wend_reader *r = wend_file_section(f, "ITEM");
  double *numbers = NULL;
  uint32_t capacity = 0;
  uint64_t least = 0; /* the smallest slot of the next wall */
  wend_status status = WEND_OK;
  for (uint32_t i = 0; i < live && status == WEND_OK; i++) {
    const uint32_t slot = (uint32_t)wend_read_uint(r, 4), kind = (uint32_t)wend_read_uint(r, 1);
    const uint32_t count = (uint32_t)wend_read_uint(r, 4);
    if (r->failed || count > r->left / 8 || slot < least || !is_wall_count(kind, count)) status = WEND_FORMAT;
    else if (!WEND_GROW(alloc, numbers, capacity, count)) status = WEND_NO_MEMORY;
    for (uint32_t k = 0; k < count && status == WEND_OK; k++)
      numbers[k] = wend_read_number(r, -WEND_COORDINATE_MAX, WEND_COORDINATE_MAX);
    if (status == WEND_OK && (r->failed || (kind == WEND_CIRCLE && numbers[2] < 0))) status = WEND_FORMAT;
    if (status == WEND_OK) status = wend_walls_restore(walls, (wend_wall){(wend_wall_kind)kind, count, numbers}, slot);
    least = (uint64_t)slot + 1;
  }
  WEND_FREE(alloc, numbers, capacity);
  return status;
}

wend_status wend_walls_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_walls **walls) {
  wend_file_in f;
  wend_reader *r;
  uint32_t slots, live, cursor;
  wend_status status;
  *walls = NULL;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_WALLS)) return WEND_FORMAT;
  r = wend_file_section(&f, "WALS");
  slots = (uint32_t)wend_read_uint(r, 4);
  live = (uint32_t)wend_read_uint(r, 4);
  cursor = (uint32_t)wend_read_uint(r, 4);
  if (r->failed) return WEND_FORMAT;
  *walls = wend_walls_create(alloc);
  if (*walls == NULL) return WEND_NO_MEMORY;
  status = wend_read_ids(&f, "WGEN", wend_walls_alloc(*walls), wend_walls_slots(*walls), slots, live, cursor, WALL_BYTES_MIN);
  if (status == WEND_OK) status = read_items(&f, *walls, live);
  if (status == WEND_OK && (!wend_file_is_read(&f) || !wend_ids_were_used(wend_walls_ids(*walls)))) status = WEND_FORMAT;
  if (status == WEND_OK) return WEND_OK;
  wend_walls_destroy(*walls);
  *walls = NULL;
  return status;
}
