/* SPDX-License-Identifier: MIT */
/* The changes of an overlay. overlay.h describes their data.
 *
 * Invariants: table[...] finds each record by its key; `waiting` lists each record with `waits` once, and every other record has
 * equal `now` and `settled`; `dead` is the number of records whose `settled` changes nothing. An edit reserves all its memory
 * first, so it is made completely or not at all. */
#include "core/overlay/overlay.h"

#include <assert.h>
#include <string.h>

WEND_NO_FUSING

/* Records that change nothing are dropped when there are this many more of them than others. */
#define DEAD_MAX 256u

/* ---- Making ------------------------------------------------------------------------------------------------- */

wend_overlay *wend_overlay_create(const wend_alloc *alloc, const wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  wend_alloc owner;
  wend_overlay *overlay = wend_new(alloc, sizeof *overlay, &owner);
  if (overlay == NULL) return NULL;
  overlay->alloc = owner;
  overlay->map = map;
  overlay->serial = wend_map_new_serial();
  if (map->is_grid) overlay->width = grid->width, overlay->height = grid->height, overlay->stride = grid->stride;
  return overlay;
}

void wend_overlay_destroy(wend_overlay *overlay) {
  wend_alloc alloc;
  if (overlay == NULL) return;
  alloc = overlay->alloc;
  WEND_FREE(&alloc, overlay->records, overlay->capacity);
  WEND_FREE(&alloc, overlay->table, overlay->table_capacity);
  WEND_FREE(&alloc, overlay->waiting, overlay->waiting_capacity);
  alloc.resize(alloc.ud, overlay, sizeof *overlay, 0);
}

size_t wend_overlay_bytes(const wend_overlay *overlay) {
  return sizeof *overlay + overlay->capacity * sizeof *overlay->records + overlay->table_capacity * sizeof *overlay->table +
         overlay->waiting_capacity * sizeof *overlay->waiting;
}

uint64_t wend_overlay_serial(const wend_overlay *overlay) { return overlay->serial; }

uint64_t wend_overlay_version(wend_overlay *overlay) {
  wend_overlay_settle(overlay);
  return overlay->version;
}

uint32_t wend_overlay_count(const wend_overlay *overlay) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < overlay->count; i++) count += overlay->records[i].now.what != 0;
  return count;
}

bool wend_overlay_is_closed(const wend_overlay *overlay, const wend_map *map, wend_id at) {
  const wend_patch_record *record = wend_overlay_find(overlay, wend_overlay_key(overlay, at));
  if (record != NULL && record->now.what != 0) return (record->now.what & PATCH_CLOSED) != 0;
  return map->is_grid ? wend_grid_is_closed((const wend_grid *)map, at) : wend_graph_is_closed((const wend_graph *)map, at);
}

bool wend_overlay_uses(const wend_overlay *overlay, const uint8_t *marked) {
  for (uint32_t i = 0; i < overlay->count && overlay->width > 0; i++)
    if ((overlay->records[i].now.what & PATCH_VALUE) != 0 && marked[overlay->records[i].now.tag]) return true;
  return false;
}

/* ---- Records ------------------------------------------------------------------------------------------------ */

/* The place in the table of a key, or the unused place where it would be inserted. The table is never full. */
static uint32_t *key_entry(const wend_overlay *overlay, uint64_t key) {
  const uint32_t mask = overlay->table_capacity - 1;
  uint32_t at = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & mask;
  while (overlay->table[at] != WEND_NONE && overlay->records[overlay->table[at]].key != key) at = (at + 1) & mask;
  return &overlay->table[at];
}

const wend_patch_record *wend_overlay_find(const wend_overlay *overlay, uint64_t key) {
  uint32_t at;
  if (overlay->count == 0) return NULL;
  at = *key_entry(overlay, key);
  return at == WEND_NONE ? NULL : &overlay->records[at];
}

/* Fills the table with all records. */
static void fill_keys(wend_overlay *overlay) {
  for (uint32_t i = 0; i < overlay->table_capacity; i++) overlay->table[i] = WEND_NONE;
  for (uint32_t i = 0; i < overlay->count; i++) *key_entry(overlay, overlay->records[i].key) = i;
}

/* Makes room for `more` records. At least half of the table is always unused. NO_MEMORY. */
static wend_status reserve_records(wend_overlay *overlay, uint64_t more) {
  const uint64_t wanted = overlay->count + more;
  uint64_t capacity = overlay->table_capacity == 0 ? 16 : overlay->table_capacity;
  if (wanted >= WEND_NONE / 2 || !WEND_GROW(&overlay->alloc, overlay->records, overlay->capacity, wanted) ||
      !WEND_GROW(&overlay->alloc, overlay->waiting, overlay->waiting_capacity, overlay->capacity))
    return WEND_NO_MEMORY;
  while (capacity < 2 * wanted) capacity *= 2;
  if (capacity == overlay->table_capacity) return WEND_OK;
  if (!WEND_RESIZE(&overlay->alloc, overlay->table, overlay->table_capacity, capacity)) return WEND_NO_MEMORY;
  fill_keys(overlay);
  return WEND_OK;
}

/* The patch to change of a key. There is room for one more record. */
static wend_patch *patch_at(wend_overlay *overlay, uint64_t key) {
  uint32_t *entry = key_entry(overlay, key);
  wend_patch_record *record;
  if (*entry == WEND_NONE) {
    *entry = overlay->count;
    record = &overlay->records[overlay->count++];
    memset(record, 0, sizeof *record);
    record->key = key;
    overlay->dead++;
  }
  record = &overlay->records[*entry];
  if (!record->waits) overlay->waiting[overlay->waiting_count++] = *entry;
  record->waits = true;
  return &record->now;
}

/* Ends the change of a key, if it has one. */
static void reset_key(wend_overlay *overlay, uint64_t key) {
  const wend_patch_record *record = wend_overlay_find(overlay, key);
  if (record != NULL && record->now.what != 0) patch_at(overlay, key)->what = 0;
}

/* Sets the bits for closed or open, and leaves the others. */
static void close_patch(wend_patch *patch, bool closed) {
  patch->what = (patch->what & PATCH_VALUE) | (closed ? PATCH_CLOSED : PATCH_OPEN);
}

/* ---- Settling ----------------------------------------------------------------------------------------------- */

static bool same_patch(const wend_patch *a, const wend_patch *b) {
  if (a->what != b->what) return false;
  return (a->what & PATCH_VALUE) == 0 || (a->weight == b->weight && a->tag == b->tag);
}

/* Drops the records that change nothing. Those that only closed their place, and do so no more, leave nothing behind: see
 * valid.c. */
static void drop_dead(wend_overlay *overlay) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < overlay->count; i++) {
    const wend_patch_record *record = &overlay->records[i];
    if (record->settled.what != 0) overlay->records[kept++] = *record;
    else if (record->grave > overlay->forgotten) overlay->forgotten = record->grave;
  }
  overlay->count = kept;
  overlay->dead = 0;
  overlay->dropped = overlay->version;
  fill_keys(overlay);
}

void wend_overlay_settle(wend_overlay *overlay) {
  bool any = false;
  if (overlay->waiting_count == 0) return;
  for (uint32_t i = 0; i < overlay->waiting_count; i++) {
    wend_patch_record *record = &overlay->records[overlay->waiting[i]];
    record->waits = false;
    if (same_patch(&record->now, &record->settled)) continue;
    if (!any) overlay->version++;
    any = true;
    if (record->settled.what == 0) overlay->dead--;
    if (record->now.what == 0) overlay->dead++;
    if (((record->now.what | record->settled.what) & ~PATCH_CLOSED) != 0) record->grave = overlay->version;
    record->stamp = overlay->version;
    record->settled = record->now;
  }
  overlay->waiting_count = 0;
  if (overlay->dead > DEAD_MAX + (overlay->count - overlay->dead)) drop_dead(overlay);
}

/* ---- Graphs ------------------------------------------------------------------------------------------------- */

wend_status wend_overlay_close_node(wend_overlay *overlay, wend_id node, bool closed) {
  const wend_status status = reserve_records(overlay, 1);
  if (status == WEND_OK) close_patch(patch_at(overlay, wend_key_of_node(node)), closed);
  return status;
}

wend_status wend_overlay_close_edge(wend_overlay *overlay, wend_id edge, bool closed) {
  const wend_status status = reserve_records(overlay, 1);
  if (status == WEND_OK) close_patch(patch_at(overlay, wend_key_of_edge(edge)), closed);
  return status;
}

wend_status wend_overlay_set_weight(wend_overlay *overlay, wend_id edge, double weight) {
  const wend_status status = reserve_records(overlay, 1);
  wend_patch *patch;
  assert(weight < INFINITY);
  if (status != WEND_OK) return status;
  patch = patch_at(overlay, wend_key_of_edge(edge));
  patch->weight = weight + 0.0; /* -0 becomes 0 */
  patch->what |= PATCH_VALUE;
  return WEND_OK;
}

void wend_overlay_reset_node(wend_overlay *overlay, wend_id node) { reset_key(overlay, wend_key_of_node(node)); }
void wend_overlay_reset_edge(wend_overlay *overlay, wend_id edge) { reset_key(overlay, wend_key_of_edge(edge)); }

/* ---- Grids -------------------------------------------------------------------------------------------------- */

uint32_t wend_overlay_place(const wend_overlay *overlay, wend_id cell) {
  const uint32_t number = (uint32_t)(cell - 1);
  assert(cell >= 1 && cell - 1 < (uint64_t)overlay->width * overlay->height);
  return number + number / overlay->width + overlay->stride + 1; /* as in grid.c */
}

uint64_t wend_overlay_key(const wend_overlay *overlay, wend_id at) {
  return overlay->width > 0 ? wend_key_of_cell(wend_overlay_place(overlay, at)) : wend_key_of_node(at);
}

/* The place of the cell in a column and a row, from 0. */
static uint32_t place_at(const wend_overlay *overlay, uint32_t x, uint32_t y) { return (y + 1) * overlay->stride + x + 1; }

/* Makes room for a change of each cell of a rectangle. */
static wend_status reserve_cells(wend_overlay *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  assert(x1 <= x2 && x2 < overlay->width && y1 <= y2 && y2 < overlay->height);
  return reserve_records(overlay, ((uint64_t)x2 - x1 + 1) * ((uint64_t)y2 - y1 + 1));
}

wend_status wend_overlay_close(wend_overlay *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, bool closed) {
  const wend_status status = reserve_cells(overlay, x1, y1, x2, y2);
  for (uint32_t y = y1; status == WEND_OK && y <= y2; y++)
    for (uint32_t x = x1; x <= x2; x++) close_patch(patch_at(overlay, place_at(overlay, x, y)), closed);
  return status;
}

wend_status wend_overlay_fill(wend_overlay *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, wend_cell value) {
  const wend_status status = reserve_cells(overlay, x1, y1, x2, y2);
  wend_patch patch = {value.weight + 0.0, value.tag & ~WEND_CELL_CLOSED, PATCH_VALUE | PATCH_OPEN};
  assert(value.weight >= 0);
  if ((value.tag & WEND_CELL_CLOSED) != 0 || value.weight == INFINITY) patch.what = PATCH_VALUE | PATCH_CLOSED;
  if (value.weight == INFINITY) patch.weight = 1;
  for (uint32_t y = y1; status == WEND_OK && y <= y2; y++)
    for (uint32_t x = x1; x <= x2; x++) *patch_at(overlay, place_at(overlay, x, y)) = patch;
  return status;
}

/* The key of the wall between two cells, which are neighbours. */
static uint64_t key_between(const wend_overlay *overlay, wend_id a, wend_id b) {
  const uint32_t from = wend_overlay_place(overlay, a), to = wend_overlay_place(overlay, b);
  int direction = 0;
  while (direction < 8 && (int64_t)from + wend_offset(overlay->stride, direction) != to) direction++;
  assert(direction < 8);
  return wend_key_of_wall(overlay->stride, from, direction);
}

wend_status wend_overlay_wall(wend_overlay *overlay, wend_id a, wend_id b, bool closed) {
  const wend_status status = reserve_records(overlay, 1);
  if (status != WEND_OK) return status;
  close_patch(patch_at(overlay, key_between(overlay, a, b)), closed);
  overlay->walled = true;
  return WEND_OK;
}

void wend_overlay_reset_cells(wend_overlay *overlay, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  assert(x1 <= x2 && x2 < overlay->width && y1 <= y2 && y2 < overlay->height);
  if (overlay->count == 0) return;
  for (uint32_t y = y1; y <= y2; y++)
    for (uint32_t x = x1; x <= x2; x++) {
      const uint32_t place = place_at(overlay, x, y);
      reset_key(overlay, wend_key_of_cell(place));
      for (int d = 0; d < 8 && overlay->walled; d++) reset_key(overlay, wend_key_of_wall(overlay->stride, place, d));
    }
}

void wend_overlay_reset(wend_overlay *overlay) {
  for (uint32_t i = 0; i < overlay->count; i++)
    if (overlay->records[i].now.what != 0) patch_at(overlay, overlay->records[i].key)->what = 0;
}
