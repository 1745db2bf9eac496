/* SPDX-License-Identifier: MIT */
/* Cells from the numbers of a host: wend_grid_assign.
 *
 * A row of numbers becomes a row of kinds, which is compared with that of the grid. A first round looks at all rows and finds
 * everything that can fail; a second round changes the rows that differ. Each number has an entry, which is the kind of its cells once
 * the number was met:
 *
 *     numbers   7 7 7 2      entries    7: kind 1    2: kind 3
 *     kinds     1 1 1 3
 *     the grid  1 1 4 3      the third cell is an edit
 *
 * A kind that no cell has is held until the end, so that it stays what it is. A grid without a palette, or with too many kinds for
 * one, is set cell by cell. */
#include <assert.h>
#include <string.h>

#include "core/map/grid.h"

WEND_NO_FUSING

/* Up to this number there is a table by number. Greater ones are found by binary search. */
#define TABLE_MAX 65535u
/* An entry above WEND_KINDS_MAX: LATER and the index of a known number that was not met yet; or WEND_NONE: the number is not known. */
#define LATER 0x80000000u

typedef struct assigning {
  wend_grid *grid;
  const wend_assign_opts *opts;
  uint32_t width, height; /* of the rectangle */
  wend_id unknown;        /* INVALID: the cell, and its number */
  uint32_t number;
  uint32_t *table;   /* by number: its entry */
  uint32_t *entries; /* by index */
  uint8_t *held;     /* by index: 1: its kind is held */
  uint16_t *kinds;   /* of a row */
  uint32_t table_capacity, entries_capacity, held_capacity, kinds_capacity;
  bool crowded; /* there are too many kinds for a palette */
} assigning;

static uint32_t number_at(const assigning *a, const uint8_t *row, uint32_t x) {
  uint16_t two;
  uint32_t four;
  if (a->opts->bytes == 1) return row[x];
  if (a->opts->bytes == 2) return memcpy(&two, row + (size_t)x * 2, 2), two;
  return memcpy(&four, row + (size_t)x * 4, 4), four;
}

/* The entry of the number of a cell. */
static uint32_t entry_at(const assigning *a, const uint8_t *row, uint32_t x) {
  const wend_numbered *values = a->opts->values;
  const uint32_t number = number_at(a, row, x);
  uint32_t low = 0, high = a->opts->count;
  if (number < a->table_capacity) return a->table[number];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (values[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low < a->opts->count && values[low].number == number ? a->entries[low] : WEND_NONE;
}

static void set_entry(assigning *a, uint32_t index, uint32_t entry) {
  const uint32_t number = a->opts->values[index].number;
  a->entries[index] = entry;
  if (number < a->table_capacity) a->table[number] = entry;
}

/* No number was met. */
static void clear_entries(assigning *a) {
  memset(a->table, 0xff, a->table_capacity * sizeof *a->table); /* WEND_NONE */
  for (uint32_t i = 0; i < a->opts->count; i++) set_entry(a, i, LATER | i);
}

/* False: no memory. */
static bool make_tables(assigning *a) {
  const wend_alloc *alloc = &a->grid->map.alloc;
  const uint32_t count = a->opts->count, most = count == 0 ? 0 : a->opts->values[count - 1].number;
  const uint32_t numbers = a->opts->bytes == 1 ? 256 : (most < TABLE_MAX ? most : TABLE_MAX) + 1;
  if (!WEND_RESIZE(alloc, a->table, a->table_capacity, numbers) ||
      !WEND_RESIZE(alloc, a->entries, a->entries_capacity, (uint64_t)count + 1) ||
      !WEND_RESIZE(alloc, a->held, a->held_capacity, (uint64_t)count + 1) ||
      !WEND_RESIZE(alloc, a->kinds, a->kinds_capacity, a->width))
    return false;
  memset(a->held, 0, (size_t)count + 1);
  clear_entries(a);
  return true;
}

/* Writes the entries of a row as kinds. Returns all bits of the entries. */
static uint32_t translate(assigning *a, const uint8_t *row) {
  uint32_t bits = 0;
  for (uint32_t x = 0; a->opts->bytes == 1 && x < a->width; x++) { /* the table has all numbers */
    const uint32_t entry = a->table[row[x]];
    a->kinds[x] = (uint16_t)entry, bits |= entry;
  }
  for (uint32_t x = 0; a->opts->bytes > 1 && x < a->width; x++) {
    const uint32_t entry = entry_at(a, row, x);
    a->kinds[x] = (uint16_t)entry, bits |= entry;
  }
  return bits;
}

/* Finds the kind of a number that is met for the first time. */
static wend_status meet_number(assigning *a, uint32_t index) {
  const wend_cell value = wend_grid_tidy(a->opts->values[index].value);
  uint32_t kind = wend_grid_live_kind(a->grid, value);
  if (kind == WEND_NONE) {
    if (!wend_map_can_edit(&a->grid->map)) return WEND_NO_MEMORY;
    kind = wend_grid_hold_kind(a->grid, value);
    a->crowded = kind == WEND_NONE && a->grid->kind_count == WEND_KINDS_MAX;
    if (kind == WEND_NONE) return WEND_NO_MEMORY;
    a->held[index] = 1;
  }
  set_entry(a, index, kind);
  return WEND_OK;
}

/* The place of the first cell of row y of the rectangle, from 0. */
static uint32_t place_of_row(const assigning *a, uint32_t y) {
  return (a->opts->y1 + y + 1) * a->grid->stride + a->opts->x1 + 1;
}

static bool row_differs(const assigning *a, uint32_t place) {
  return memcmp(a->kinds, a->grid->kinds + place, a->width * sizeof *a->kinds) != 0;
}

/* The end: the number of a cell of row y is not known. */
static wend_status refuse_number(assigning *a, const uint8_t *row, uint32_t x, uint32_t y) {
  a->unknown = wend_grid_cell(a->grid, a->opts->x1 + x, a->opts->y1 + y);
  a->number = number_at(a, row, x);
  return WEND_INVALID;
}

/* The first round, for row y: readies it for changes if it differs. */
static wend_status look_at_row(assigning *a, uint32_t y, const uint8_t *row, bool *any) {
  const uint32_t place = place_of_row(a, y);
  if (translate(a, row) >= LATER) {
    for (uint32_t x = 0; x < a->width; x++) {
      const uint32_t entry = entry_at(a, row, x);
      wend_status status;
      if (entry == WEND_NONE) return refuse_number(a, row, x, y);
      if (entry < LATER) continue;
      status = meet_number(a, entry & ~LATER);
      if (status != WEND_OK) return status;
    }
    (void)translate(a, row);
  }
  if (!row_differs(a, place)) return WEND_OK;
  *any = true;
  return wend_grid_ready_places(a->grid, place, place + a->width - 1) ? WEND_OK : WEND_NO_MEMORY;
}

/* Assigns to a grid with a palette. NO_MEMORY, and then perhaps crowded: nothing has changed. */
static wend_status assign_kinds(assigning *a, const uint8_t *data) {
  const uint8_t *row = data;
  wend_status status = WEND_OK;
  bool any = false;
  for (uint32_t y = 0; y < a->height && status == WEND_OK; y++, row += a->opts->stride) status = look_at_row(a, y, row, &any);
  row = data;
  for (uint32_t y = 0; y < a->height && status == WEND_OK && any; y++, row += a->opts->stride)
    /* A row that has an unknown number now was changed by another thread. */
    if (translate(a, row) < LATER && row_differs(a, place_of_row(a, y)))
      wend_grid_put_kinds(a->grid, place_of_row(a, y), a->width, a->kinds);
  a->grid->map.version += status == WEND_OK && any;
  for (uint32_t i = 0; i < a->opts->count; i++)
    if (a->held[i]) wend_grid_release_kind(a->grid, a->entries[i]);
  return status;
}

/* Assigns to any grid, cell by cell. NO_MEMORY: the first cells may be set. */
static wend_status assign_cells(assigning *a, const uint8_t *data) {
  wend_status status = WEND_OK;
  clear_entries(a);
  for (int round = 0; round < 2; round++) {
    const uint8_t *row = data;
    for (uint32_t y = 0; y < a->height; y++, row += a->opts->stride)
      for (uint32_t x = 0; x < a->width && status == WEND_OK; x++) {
        const uint32_t entry = entry_at(a, row, x);
        wend_cell now, value;
        if (entry == WEND_NONE) return refuse_number(a, row, x, y);
        if (round == 0) continue;
        now = wend_grid_value_at(a->grid, place_of_row(a, y) + x),
        value = wend_grid_tidy(a->opts->values[entry & ~LATER].value);
        if (now.weight != value.weight || now.tag != value.tag)
          status = wend_grid_set(a->grid, wend_grid_cell(a->grid, a->opts->x1 + x, a->opts->y1 + y), value);
      }
  }
  return status;
}

wend_status wend_grid_assign(wend_grid *grid, const void *data, const wend_assign_opts *opts, wend_id *cell, uint32_t *number) {
  const wend_alloc *alloc = &grid->map.alloc;
  assigning a;
  wend_status status = WEND_NO_MEMORY;
  assert(opts->x1 <= opts->x2 && opts->x2 < grid->width && opts->y1 <= opts->y2 && opts->y2 < grid->height);
  assert(opts->bytes == 1 || opts->bytes == 2 || opts->bytes == 4);
  memset(&a, 0, sizeof a);
  a.grid = grid, a.opts = opts;
  a.width = opts->x2 - opts->x1 + 1, a.height = opts->y2 - opts->y1 + 1;
  if (make_tables(&a)) {
    if (grid->kinds != NULL) status = assign_kinds(&a, data);
    if (grid->kinds == NULL || a.crowded) status = assign_cells(&a, data);
  }
  *cell = a.unknown, *number = a.number;
  WEND_FREE(alloc, a.table, a.table_capacity);
  WEND_FREE(alloc, a.entries, a.entries_capacity);
  WEND_FREE(alloc, a.held, a.held_capacity);
  WEND_FREE(alloc, a.kinds, a.kinds_capacity);
  return status;
}
