/* SPDX-License-Identifier: MIT */
/* The cells of grids. grid.h describes how they are stored; borders.c has walls and portals.
 *
 * Invariants: palette[k].count is the number of cells with kind k (1 for the margin), and live_kinds the number of kinds whose
 * count is not 0. Without a palette, map.ratios and map.scales have the value of each cell. Every change
 * raises the version of the map.
 *
 * The palette, by an example: a new grid of 4 x 2 cells. Kind 0 is the margin.
 *
 *                                    kinds of the cells     palette: weight x count; all without a tag
 *   new                              1 1 1 1 / 1 1 1 1      1: 1 x 8
 *   two cells get weight 3,
 *   one is closed                    1 2 3 1 / 1 2 1 1      1: 1 x 5    2: 3 x 2   3: inf x 1, which keeps 1
 *   the two get weight 1 again       1 1 3 1 / 1 1 1 1      1: 1 x 7    2: 3 x 0   3: inf x 1
 *   the first cell gets weight 5     4 1 3 1 / 1 1 1 1      1: 1 x 6    2: 3 x 0   3: inf x 1   4: 5 x 1
 *   the first cell is closed         5 1 3 1 / 1 1 1 1      1: 1 x 6    2: 3 x 0   3: inf x 1   4: 5 x 0   5: inf x 1, which
 *                                                           keeps 5
 *
 * A value is looked up in a hash table, so equal cells share a kind. Kind 2 has no cells any more, but it stays: a door that is
 * opened and closed keeps its kinds. new_kind sweeps the palette when 64 kinds, and half as many as have cells, have no cells.
 * The kinds without cells then leave the hash table, form a list, and are reused one by one. A sweep reads the whole palette,
 * but it frees at least a third of it (a sixteenth, if the palette is full), so its time is amortized over the edits before. */
#include "core/map/grid.h"

#include <assert.h>
#include <string.h>

WEND_NO_FUSING

/* The palette is swept for kinds to reuse when it has this many kinds without cells + half as many as kinds with cells. */
#define SWEEP_MIN 64u
/* A full palette is swept only if it has this many kinds without cells. With fewer it is given up: it would soon be full
 * again. */
#define SWEEP_FULL_MIN (WEND_KINDS_MAX / 16)

/* ---- Parts ------------------------------------------------------------------------------------------------- */

#define CELLS (ARRAY_READ | ARRAY_CELLS)
static const wend_array grid_rows[] = {WEND_ARRAY(wend_grid, kinds, kinds_capacity, CELLS),
                                       WEND_ARRAY(wend_grid, weights, weights_capacity, CELLS),
                                       WEND_ARRAY(wend_grid, tags, tags_capacity, CELLS),
                                       WEND_ARRAY(wend_grid, palette, palette_capacity, CELLS),
                                       WEND_ARRAY(wend_grid, kind_table, kind_table_capacity, ARRAY_EDITED | ARRAY_CELLS),
                                       WEND_ARRAY(wend_grid, walls, walls_capacity, ARRAY_READ),
                                       WEND_ARRAY(wend_grid, directed, directed_capacity, ARRAY_READ),
                                       WEND_ARRAY(wend_grid, out, out_capacity, ARRAY_READ | ARRAY_PORTALS),
                                       WEND_ARRAY(wend_grid, in, in_capacity, ARRAY_READ | ARRAY_PORTALS),
                                       WEND_ARRAY(wend_grid, touched, touched_capacity, ARRAY_OF_MAP), /* without the pages */
                                       MAP_ARRAYS(wend_grid, ARRAY_CELLS)};

/* Brings what is known of steps of a disc up to date with the edits: asks for one. */
static wend_status settle_grid(wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  if (grid->fit != NULL && grid->fit->version != map->version) (void)grid->fit->passes(grid, grid->stride + 1, NORTH);
  return WEND_OK;
}

static void strip_grid(wend_map *copy) { (void)copy; }

/* Nothing is known of versions of the copied map before this one. */
static bool copy_grid_parts(wend_map *to, const wend_map *from) {
  ((wend_grid *)to)->all_touched = from->version;
  return true;
}

static void free_grid_parts(wend_map *map) {
  const wend_grid *grid = (const wend_grid *)map;
  for (uint32_t i = 0, room = TOUCHED_PAGE; i < grid->touched_capacity; i++)
    if (grid->touched[i] != NULL) WEND_FREE(&map->alloc, grid->touched[i], room);
}

static void count_grid_parts(const wend_map *map, size_t *edges, size_t *rest) {
  const wend_grid *grid = (const wend_grid *)map;
  (void)edges;
  for (uint32_t i = 0; i < grid->touched_capacity; i++)
    if (grid->touched[i] != NULL) *rest += TOUCHED_PAGE * sizeof **grid->touched;
}

static const wend_arrays grid_arrays = WEND_ARRAYS(grid_rows);
static const wend_map_kind kind_of_grids = {&grid_arrays, sizeof(wend_grid), offsetof(wend_grid, fit), settle_grid,
                                            strip_grid,   copy_grid_parts,   free_grid_parts,          count_grid_parts};

/* ---- Making and measuring --------------------------------------------------------------------------------- */

static uint32_t new_kind(wend_grid *grid, wend_cell value);

/* Makes the palette of a new grid, and all its cells open with weight 1. False: no memory. */
static bool start(wend_grid *grid) {
  const wend_cell outside = {NAN, WEND_UNTAGGED}, open = {1, WEND_UNTAGGED};
  const wend_alloc *alloc = &grid->map.alloc;
  if (!WEND_RESIZE(alloc, grid->kinds, grid->kinds_capacity, grid->place_count)) return false;
  if (new_kind(grid, outside) != KIND_OUTSIDE || new_kind(grid, open) != KIND_FIRST) return false;
  memset(grid->kinds, 0, grid->place_count * sizeof *grid->kinds);
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0; x < grid->width; x++) grid->kinds[(y + 1) * grid->stride + x + 1] = KIND_FIRST;
  grid->palette[KIND_OUTSIDE].count = 1;
  grid->palette[KIND_FIRST].count = grid->width * grid->height;
  grid->live_kinds = 2;
  return true;
}

/* Parts each hex from those beside it that are no neighbours. False: no memory. */
static bool start_hexes(wend_grid *grid) {
  if (grid->shape == WEND_SQUARES) return true;
  if (!WEND_RESIZE(&grid->map.alloc, grid->walls, grid->walls_capacity, grid->place_count)) return false;
  memset(grid->walls, 0, grid->place_count);
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0; x < grid->width; x++)
      grid->walls[(y + 1) * grid->stride + x + 1] = (uint8_t)wend_lacking_at(grid->shape, x, y);
  grid->wall_count = wend_lacking_count(grid);
  return true;
}

wend_grid *wend_grid_create_shaped(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_diagonals diagonals,
                                   wend_shape shape) {
  wend_grid *grid = wend_new(alloc, sizeof *grid);
  assert(width > 0 && height > 0 && ((uint64_t)width + 1) * ((uint64_t)height + 2) + 1 <= WEND_CELLS_MAX);
  if (grid == NULL) return NULL;
  grid->map.is_grid = true;
  grid->map.kind = &kind_of_grids;
  grid->width = width;
  grid->height = height;
  grid->stride = width + 1;
  grid->place_count = wend_place_count(width, height);
  grid->diagonals = diagonals;
  grid->shape = shape;
  grid->diagonal_length = shape == WEND_SQUARES ? WEND_DIAGONAL : 1;
  grid->free_kind = WEND_NONE;
  grid->map.serial = wend_map_new_serial();
  if (start(grid) && start_hexes(grid)) return grid;
  wend_grid_destroy(grid);
  return NULL;
}

wend_grid *wend_grid_create(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_diagonals diagonals) {
  return wend_grid_create_shaped(alloc, width, height, diagonals, WEND_SQUARES);
}

wend_grid *wend_grid_create_hexes(const wend_alloc *alloc, uint32_t width, uint32_t height, wend_shape shape) {
  assert(shape > WEND_SQUARES && shape <= WEND_EVEN_COLUMNS);
  return wend_grid_create_shaped(alloc, width, height, WEND_ALWAYS, shape);
}

/* Frees the kinds of all cells and the palette. */
static void free_palette(wend_grid *grid) {
  const wend_alloc *alloc = &grid->map.alloc;
  WEND_FREE(alloc, grid->kinds, grid->kinds_capacity);
  WEND_FREE(alloc, grid->palette, grid->palette_capacity);
  WEND_FREE(alloc, grid->kind_table, grid->kind_table_capacity);
  grid->kinds = NULL, grid->palette = NULL, grid->kind_table = NULL;
  grid->kinds_capacity = grid->palette_capacity = grid->kind_table_capacity = 0;
}

/* Frees the weights and tags that replace a palette. */
static void free_cells(wend_grid *grid) {
  WEND_FREE(&grid->map.alloc, grid->weights, grid->weights_capacity);
  WEND_FREE(&grid->map.alloc, grid->tags, grid->tags_capacity);
  grid->weights = NULL, grid->tags = NULL;
  grid->weights_capacity = grid->tags_capacity = 0;
}

void wend_grid_destroy(wend_grid *grid) {
  if (grid != NULL) wend_map_destroy(&grid->map);
}

wend_map *wend_grid_map(wend_grid *grid) { return &grid->map; }
uint32_t wend_grid_width(const wend_grid *grid) { return grid->width; }
uint32_t wend_grid_height(const wend_grid *grid) { return grid->height; }
wend_diagonals wend_grid_diagonals(const wend_grid *grid) { return grid->diagonals; }
wend_shape wend_grid_shape(const wend_grid *grid) { return grid->shape; }
double wend_grid_diagonal_length(const wend_grid *grid) { return grid->diagonal_length; }

void wend_grid_set_diagonal_length(wend_grid *grid, double length) {
  assert(length >= 1 && length <= 2 && grid->shape == WEND_SQUARES);
  wend_map_must_edit(&grid->map);
  grid->diagonal_length = length;
}

size_t wend_grid_bytes(const wend_grid *grid) {
  size_t statistics, rest;
  wend_map_memory(&grid->map, &statistics, &rest);
  return statistics + rest;
}

void wend_grid_count_tags(const wend_grid *grid, uint64_t *counts) {
  memset(counts, 0, ((size_t)wend_map_tag_count(&grid->map) + 1) * sizeof *counts);
  for (uint32_t k = 0; grid->kinds != NULL && k < grid->kind_count; k++)
    if (k != KIND_OUTSIDE && grid->palette[k].count > 0) counts[grid->palette[k].tag] += grid->palette[k].count;
  for (uint32_t tag = 0; grid->kinds == NULL && tag <= wend_map_tag_count(&grid->map); tag++)
    counts[tag] += wend_histogram_count(&grid->map.ratios, tag);
  for (uint32_t i = 0; i < grid->portal_count; i++)
    if (!grid->out[i].removed) counts[grid->out[i].tag]++;
}

/* ---- Places ----------------------------------------------------------------------------------------------- */

wend_region wend_grid_region(const wend_grid *grid) {
  wend_region region = {grid->kinds,
                        grid->weights,
                        grid->tags,
                        grid->walls,
                        grid->directed,
                        grid->width,
                        grid->height,
                        grid->stride,
                        0,
                        0,
                        grid->shape != WEND_SQUARES};
  return region;
}

uint32_t wend_region_find(const wend_region *region, const wend_grid *grid, wend_id cell) {
  uint32_t x = (uint32_t)((cell - 1) % grid->width) - region->left; /* left of it: huge */
  uint32_t y = (uint32_t)((cell - 1) / grid->width) - region->top;
  return x < region->width && y < region->height ? wend_region_place(region, x, y) : WEND_NONE;
}

wend_id wend_region_cell(const wend_region *region, const wend_grid *grid, uint32_t place) {
  return (wend_id)(wend_region_y(region, place) + region->top) * grid->width + wend_region_x(region, place) + region->left + 1;
}

wend_id wend_grid_cell(const wend_grid *grid, uint32_t x, uint32_t y) {
  assert(x < grid->width && y < grid->height);
  return (wend_id)y * grid->width + x + 1;
}

/* ---- Kinds ------------------------------------------------------------------------------------------------ */

/* Here and below, the value of a closed cell has the weight that it keeps, and WEND_CELL_CLOSED in its tag: see wend_grid_tidy. */

static bool is_closed_value(wend_cell value) { return (value.tag & WEND_CELL_CLOSED) != 0; }
static uint32_t tag_of(wend_cell value) { return value.tag & ~WEND_CELL_CLOSED; }
/* The weight that searches see. */
static double seen(wend_cell value) { return is_closed_value(value) ? INFINITY : value.weight; }

wend_cell wend_kind_value(const wend_kind *kind) {
  const wend_cell value = {kind->kept, kind->weight == INFINITY ? kind->tag | WEND_CELL_CLOSED : kind->tag};
  return value;
}

/* Whether a kind has a value. The weights are compared by their bits, so the margin, NaN, equals itself. */
static bool same_value(const wend_kind *kind, wend_cell value) {
  return memcmp(&kind->kept, &value.weight, sizeof value.weight) == 0 && wend_kind_value(kind).tag == value.tag;
}

static uint32_t hash_value(wend_cell value) {
  uint64_t bits;
  memcpy(&bits, &value.weight, sizeof bits);
  bits = (bits ^ value.tag) * 0x9E3779B97F4A7C15u;
  return (uint32_t)(bits >> 32) ^ (uint32_t)(bits >> 48); /* simple numbers differ only in a few high bits */
}

/* The table entry of a value, or the unused entry where it would be inserted. The table is never full. */
static uint32_t *find_entry(const wend_grid *grid, wend_cell value) {
  uint32_t mask = grid->kind_table_capacity - 1, at = hash_value(value) & mask;
  while (grid->kind_table[at] != WEND_NONE && !same_value(&grid->palette[grid->kind_table[at]], value)) at = (at + 1) & mask;
  return &grid->kind_table[at];
}

/* Fills the hash table again. sweep: kinds without cells go to the list of kinds to reuse, and only the others into the table.
 * Otherwise all kinds go into the table, except those in the list. */
static void fill_table(wend_grid *grid, bool sweep) {
  for (uint32_t i = 0; i < grid->kind_table_capacity; i++) grid->kind_table[i] = WEND_NONE;
  if (sweep) grid->free_kind = WEND_NONE;
  for (uint32_t k = grid->kind_count; k-- > 0;) {
    wend_kind *kind = &grid->palette[k];
    if (kind->count > 0 || (!sweep && kind->weight >= 0)) {
      *find_entry(grid, wend_kind_value(kind)) = k;
    } else if (sweep) {
      kind->weight = kind->kept = NAN; /* equals no value */
      kind->tag = grid->free_kind;
      grid->free_kind = k;
    }
  }
}

/* Makes room in the hash table for one more kind: at least half of it is always unused. False: no memory. */
static bool grow_kind_table(wend_grid *grid) {
  uint32_t wanted = grid->kind_table_capacity == 0 ? 16 : grid->kind_table_capacity * 2;
  if ((grid->kind_count + 1) * 2 <= grid->kind_table_capacity) return true;
  if (!WEND_RESIZE(&grid->map.alloc, grid->kind_table, grid->kind_table_capacity, wanted)) return false;
  fill_table(grid, false);
  return true;
}

/* Adds a kind for a value that has none: one from the list of kinds to reuse, or a new one at the end. WEND_NONE: no memory, or
 * no more kinds. */
static uint32_t new_kind(wend_grid *grid, wend_cell value) {
  uint32_t dead = grid->kind_count - grid->live_kinds, kind;
  if (!grow_kind_table(grid)) return WEND_NONE;
  if (grid->free_kind == WEND_NONE &&
      (grid->kind_count == WEND_KINDS_MAX ? dead >= SWEEP_FULL_MIN : dead >= SWEEP_MIN + grid->live_kinds / 2))
    fill_table(grid, true);
  kind = grid->free_kind;
  if (kind != WEND_NONE) {
    grid->free_kind = grid->palette[kind].tag;
  } else {
    if (grid->kind_count == WEND_KINDS_MAX) return WEND_NONE;
    if (!WEND_GROW(&grid->map.alloc, grid->palette, grid->palette_capacity, (uint64_t)grid->kind_count + 1)) return WEND_NONE;
    kind = grid->kind_count++;
  }
  *find_entry(grid, value) = kind;
  grid->palette[kind].weight = seen(value);
  grid->palette[kind].kept = value.weight;
  grid->palette[kind].tag = tag_of(value);
  grid->palette[kind].count = 0;
  grid->palette_changes++;
  return kind;
}

uint32_t wend_grid_kind_of(wend_grid *grid, wend_cell value) {
  uint32_t *recent = &grid->recent[is_closed_value(value)]; /* two, for a door that is opened and closed in turn */
  if (*recent >= grid->kind_count || !same_value(&grid->palette[*recent], value)) {
    uint32_t kind = *find_entry(grid, value);
    if (kind == WEND_NONE) kind = new_kind(grid, value);
    if (kind == WEND_NONE) return WEND_NONE;
    *recent = kind;
  }
  return *recent;
}

uint32_t wend_grid_live_kind(const wend_grid *grid, wend_cell value) {
  const uint32_t kind = *find_entry(grid, value);
  return kind != WEND_NONE && grid->palette[kind].count > 0 ? kind : WEND_NONE;
}

uint32_t wend_grid_hold_kind(wend_grid *grid, wend_cell value) {
  const uint32_t kind = wend_grid_kind_of(grid, value);
  if (kind != WEND_NONE && grid->palette[kind].count++ == 0) grid->live_kinds++;
  return kind;
}

void wend_grid_release_kind(wend_grid *grid, uint32_t kind) {
  if (--grid->palette[kind].count == 0) grid->live_kinds--;
}

/* Changes the kind of a cell, and the counts. */
static void set_kind(wend_grid *grid, uint32_t place, uint32_t kind) {
  wend_kind *old = &grid->palette[grid->kinds[place]], *now = &grid->palette[kind];
  if (--old->count == 0) grid->live_kinds--;
  if (now->count++ == 0) grid->live_kinds++;
  grid->kinds[place] = (uint16_t)kind;
}

void wend_grid_uncount(wend_grid *grid) {
  for (uint32_t k = 0; k < grid->kind_count; k++)
    if (k != KIND_OUTSIDE) grid->palette[k].count = 0;
  grid->live_kinds = 1;
}

void wend_grid_count(wend_grid *grid, uint32_t place, uint32_t places, uint32_t kind) {
  if (grid->palette[kind].count == 0) grid->live_kinds++;
  grid->palette[kind].count += places;
  for (uint32_t i = 0; i < places; i++) grid->kinds[place + i] = (uint16_t)kind;
}

/* ---- Cells without a palette ------------------------------------------------------------------------------- */

/* Adds a value to the statistics of the map. False: no memory. */
static bool count_value(wend_grid *grid, wend_cell value) {
  if (!wend_histogram_add(&grid->map.ratios, &grid->map.alloc, tag_of(value), seen(value), 1)) return false;
  if (!is_closed_value(value)) ++*wend_scale_of(&grid->map.scales, value.weight);
  return true;
}

/* Removes a value from the statistics of the map. */
static void uncount_value(wend_grid *grid, wend_cell value) {
  wend_histogram_remove(&grid->map.ratios, tag_of(value), seen(value), 1);
  if (!is_closed_value(value)) --*wend_scale_of(&grid->map.scales, value.weight);
}

/* Stores a value at a place without a palette. */
static void store_value(wend_grid *grid, uint32_t place, wend_cell value) {
  grid->weights[place] = is_closed_value(value) ? -value.weight : value.weight;
  grid->tags[place] = (uint16_t)tag_of(value);
}

/* Changes from the palette to a weight and a tag for each cell. counted: whether the values of the cells are added to the
 * statistics now; otherwise wend_grid_file_cell adds them later. False: no memory, and nothing has changed. */
static bool give_up_palette(wend_grid *grid, bool counted) {
  bool done = WEND_RESIZE(&grid->map.alloc, grid->weights, grid->weights_capacity, grid->place_count) &&
              WEND_RESIZE(&grid->map.alloc, grid->tags, grid->tags_capacity, grid->place_count);
  for (uint32_t place = 0; done && place < grid->place_count; place++) {
    const wend_cell value = wend_kind_value(&grid->palette[grid->kinds[place]]);
    store_value(grid, place, value);
    if (counted && grid->kinds[place] != KIND_OUTSIDE) done = count_value(grid, value);
  }
  if (done) {
    free_palette(grid);
    return true;
  }
  free_cells(grid);
  wend_histogram_free(&grid->map.ratios, &grid->map.alloc);
  memset(&grid->map.scales, 0, sizeof grid->map.scales);
  return false;
}

bool wend_grid_begin_cells(wend_grid *grid) { return give_up_palette(grid, false); }

bool wend_grid_file_cell(wend_grid *grid, uint32_t place, wend_cell value) {
  store_value(grid, place, value);
  return count_value(grid, value);
}

/* ---- Reading and changing cells ---------------------------------------------------------------------------- */

wend_cell wend_grid_get(const wend_grid *grid, wend_id cell) { return wend_grid_seen_at(grid, wend_grid_place(grid, cell)); }

wend_cell wend_grid_value_at(const wend_grid *grid, uint32_t place) {
  wend_cell value;
  if (grid->kinds != NULL) return wend_kind_value(&grid->palette[grid->kinds[place]]);
  value.weight = fabs(grid->weights[place]);
  value.tag = grid->tags[place];
  if (wend_weight_seen(grid->weights[place]) == INFINITY) value.tag |= WEND_CELL_CLOSED;
  return value;
}

wend_cell wend_grid_kept(const wend_grid *grid, wend_id cell) { return wend_grid_value_at(grid, wend_grid_place(grid, cell)); }

bool wend_grid_is_closed(const wend_grid *grid, wend_id cell) { return wend_grid_get(grid, cell).weight == INFINITY; }

bool wend_grid_ready_places(wend_grid *grid, uint32_t first, uint32_t last) {
  if (!wend_map_can_edit(&grid->map)) return false;
  if (grid->touched_capacity == 0) {
    if (!WEND_RESIZE(&grid->map.alloc, grid->touched, grid->touched_capacity, grid->place_count / TOUCHED_PAGE + 1))
      return false;
    for (uint32_t i = 0; i < grid->touched_capacity; i++) grid->touched[i] = NULL;
  }
  for (uint32_t page = first / TOUCHED_PAGE; page <= last / TOUCHED_PAGE; page++) {
    uint32_t room = 0;
    if (grid->touched[page] != NULL) continue;
    if (!WEND_RESIZE(&grid->map.alloc, grid->touched[page], room, TOUCHED_PAGE)) return false;
    for (uint32_t i = 0; i < TOUCHED_PAGE; i++) grid->touched[page][i] = (uint32_t)grid->all_touched;
  }
  return true;
}

/* Notes the version that changed a place. */
static void touch_cell(wend_grid *grid, uint32_t place, uint64_t version) {
  grid->touched[place / TOUCHED_PAGE][place % TOUCHED_PAGE] = (uint32_t)version;
}

/* Tells the prepared tables that a cell had another value. */
static void tell_value(wend_grid *grid, uint32_t place, wend_cell old) {
  WEND_FOR_TABLES(&grid->map, one)
  if (wend_prepared_listens(one)) one->note_value(&grid->map, one, place, old);
}

/* The same, and writes the change into the journal. */
static void note_value(wend_grid *grid, uint32_t place, wend_cell old) {
  tell_value(grid, place, old);
  wend_grid_note(grid, place);
}

/* Gives a place another kind. */
static inline void put_kind(wend_grid *grid, uint32_t place, uint32_t kind) {
  const uint32_t old = grid->kinds[place];
  set_kind(grid, place, kind);
  if (grid->map.prepared != NULL) tell_value(grid, place, wend_kind_value(&grid->palette[old]));
  wend_grid_note(grid, place);
}

/* Sets the value of a place, but neither `touched` nor the version. *changed: whether the cell had another value. NO_MEMORY:
 * the value is as it was. */
static wend_status put(wend_grid *grid, uint32_t place, wend_cell value, bool *changed) {
  *changed = false;
  if (grid->kinds != NULL) {
    uint32_t kind = wend_grid_kind_of(grid, value);
    if (kind != WEND_NONE) {
      *changed = kind != grid->kinds[place];
      if (*changed) put_kind(grid, place, kind);
      return WEND_OK;
    }
    if (grid->kind_count < WEND_KINDS_MAX || !give_up_palette(grid, true)) return WEND_NO_MEMORY;
  }
  {
    const wend_cell old = wend_grid_value_at(grid, place);
    *changed = old.tag != value.tag || old.weight != value.weight;
    if (!*changed) return WEND_OK;
    if (!count_value(grid, value)) {
      *changed = false;
      return WEND_NO_MEMORY;
    }
    uncount_value(grid, old);
    store_value(grid, place, value);
    note_value(grid, place, old);
  }
  return WEND_OK;
}

wend_cell wend_grid_tidy(wend_cell value) {
  assert(value.weight >= 0 && tag_of(value) <= WEND_TAG_MAX);
  value.weight += 0.0; /* -0 becomes 0 */
  if (value.weight == INFINITY) value.weight = 1, value.tag |= WEND_CELL_CLOSED;
  return value;
}

/* Cells of an overlay hide those of its base from now on: a row of them. */
static void hide_cells(wend_grid *grid, uint32_t first, uint32_t last) {
  wend_derived *derived = grid->map.derived;
  for (uint32_t place = first; derived != NULL && place <= last; place++) wend_bit_set(derived->hidden, place);
}

void wend_grid_put_kinds(wend_grid *grid, uint32_t first, uint32_t count, const uint16_t *kinds) {
  for (uint32_t x = 0; x < count; x += 64) { /* so many at once, since no processor guesses which of them differ */
    const uint32_t end = count - x < 64 ? count : x + 64;
    uint32_t differ[64], n = 0;
    for (uint32_t i = x; i < end; i++) differ[n] = i, n += grid->kinds[first + i] != kinds[i];
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t place = first + differ[i];
      put_kind(grid, place, kinds[differ[i]]);
      touch_cell(grid, place, grid->map.version + 1);
      hide_cells(grid, place, place);
    }
  }
}

static bool has_value(const wend_grid *grid, uint32_t place, wend_cell value) {
  const wend_cell now = wend_grid_value_at(grid, place);
  return now.weight == value.weight && now.tag == value.tag;
}

wend_status wend_grid_set(wend_grid *grid, wend_id cell, wend_cell value) {
  uint32_t place = wend_grid_place(grid, cell);
  wend_status status = WEND_OK;
  bool changed = false;
  value = wend_grid_tidy(value);
  if (!grid->map.shared || !has_value(grid, place, value)) { /* a version is not parted from for nothing */
    if (!wend_grid_ready_places(grid, place, place)) return WEND_NO_MEMORY;
    status = put(grid, place, value, &changed);
  }
  if (status == WEND_OK) hide_cells(grid, place, place);
  if (changed) touch_cell(grid, place, ++grid->map.version);
  return status;
}

wend_status wend_grid_fill(wend_grid *grid, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, wend_cell value) {
  bool any = false;
  assert(x1 <= x2 && x2 < grid->width && y1 <= y2 && y2 < grid->height);
  if (!wend_grid_ready_places(grid, (y1 + 1) * grid->stride + x1 + 1, (y2 + 1) * grid->stride + x2 + 1)) return WEND_NO_MEMORY;
  value = wend_grid_tidy(value);
  for (uint32_t y = y1; y <= y2; y++) {
    uint32_t row = (y + 1) * grid->stride + 1;
    for (uint32_t place = row + x1; place <= row + x2; place++) {
      bool changed;
      wend_status status = put(grid, place, value, &changed);
      if (status != WEND_OK) return status; /* only the first cell can fail: the others have the same kind */
      if (!changed) continue;
      touch_cell(grid, place, grid->map.version + 1);
      any = true;
    }
    hide_cells(grid, row + x1, row + x2);
  }
  grid->map.version += any;
  return WEND_OK;
}

/* A rectangle of cells, from 0, corners included. */
typedef struct rectangle {
  uint32_t x1, y1, x2, y2;
} rectangle;

/* What a change makes of cells: it closes or opens them, or gives them the values of another grid. */
typedef struct change_of_cells {
  bool closed;
  const wend_grid *like; /* NULL: it closes or opens them */
} change_of_cells;

/* The value that a place has after a change. False: it has it already. */
static bool flip(const wend_grid *grid, uint32_t place, const change_of_cells *change, wend_cell *value) {
  *value = wend_grid_value_at(grid, place);
  if (change->like != NULL) {
    const wend_cell old = *value;
    *value = wend_grid_value_at(change->like, place);
    return old.weight != value->weight || old.tag != value->tag;
  }
  if (is_closed_value(*value) == change->closed) return false;
  value->tag ^= WEND_CELL_CLOSED;
  return true;
}

/* Counts the value of one more cell, as a kind or in the statistics. False: no memory, or no more kinds. */
static bool add_one(wend_grid *grid, wend_cell value) {
  return grid->kinds == NULL ? count_value(grid, value) : wend_grid_hold_kind(grid, value) != WEND_NONE;
}

/* Undoes that. */
static void remove_one(wend_grid *grid, wend_cell value) {
  if (grid->kinds == NULL) uncount_value(grid, value);
  else wend_grid_release_kind(grid, wend_grid_kind_of(grid, value));
}

/* Counts the values that the cells of a rectangle are going to have, in addition to those that they have. So changing the cells
 * afterwards cannot fail. False: no memory, or no more kinds, and nothing is counted. */
static bool add_flipped(wend_grid *grid, const rectangle *r, const change_of_cells *change) {
  uint32_t end = WEND_NONE; /* the place where it failed */
  wend_cell value;
  for (int pass = 0; pass < (end == WEND_NONE ? 1 : 2); pass++)
    for (uint32_t y = r->y1; y <= r->y2; y++) {
      uint32_t row = (y + 1) * grid->stride + 1;
      for (uint32_t place = row + r->x1; place <= row + r->x2 && place < end; place++) {
        if (!flip(grid, place, change, &value)) continue;
        if (pass > 0) remove_one(grid, value);
        else if (!add_one(grid, value)) end = place;
      }
    }
  return end == WEND_NONE;
}

/* Changes the cells of a rectangle after add_flipped. Returns whether there were any to change. */
static bool flip_added(wend_grid *grid, const rectangle *r, const change_of_cells *change) {
  wend_cell value, old;
  bool any = false;
  for (uint32_t y = r->y1; y <= r->y2; y++) {
    uint32_t row = (y + 1) * grid->stride + 1;
    for (uint32_t place = row + r->x1; place <= row + r->x2; place++) {
      if (!flip(grid, place, change, &value)) continue;
      old = wend_grid_value_at(grid, place);
      if (grid->kinds != NULL) {
        wend_grid_release_kind(grid, grid->kinds[place]);
        grid->kinds[place] = (uint16_t)wend_grid_kind_of(grid, value);
      } else {
        uncount_value(grid, old);
        store_value(grid, place, value);
      }
      note_value(grid, place, old);
      touch_cell(grid, place, grid->map.version + 1);
      any = true;
    }
  }
  return any;
}

/* Changes the cells of a rectangle. NO_MEMORY: nothing has changed. */
static wend_status change_cells(wend_grid *grid, const rectangle *r, const change_of_cells *change) {
  if (!wend_grid_ready_places(grid, (r->y1 + 1) * grid->stride + r->x1 + 1, (r->y2 + 1) * grid->stride + r->x2 + 1))
    return WEND_NO_MEMORY;
  if (!add_flipped(grid, r, change)) {
    if (grid->kinds == NULL || grid->kind_count < WEND_KINDS_MAX || !give_up_palette(grid, true)) return WEND_NO_MEMORY;
    if (!add_flipped(grid, r, change)) return WEND_NO_MEMORY;
  }
  grid->map.version += flip_added(grid, r, change);
  return WEND_OK;
}

wend_status wend_grid_follow_cells(wend_grid *grid, const wend_grid *base, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  const rectangle r = {x1, y1, x2, y2};
  const change_of_cells change = {false, base};
  return change_cells(grid, &r, &change);
}

wend_status wend_grid_close(wend_grid *grid, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2, bool closed) {
  const rectangle r = {x1, y1, x2, y2};
  const change_of_cells change = {closed, NULL};
  wend_status status;
  assert(x1 <= x2 && x2 < grid->width && y1 <= y2 && y2 < grid->height);
  if (x1 == x2 && y1 == y2) { /* a door: faster, and without memory nothing changes either */
    const wend_id cell = wend_grid_cell(grid, x1, y1);
    wend_cell value;
    if (flip(grid, wend_grid_place(grid, cell), &change, &value)) return wend_grid_set(grid, cell, value);
    hide_cells(grid, wend_grid_place(grid, cell), wend_grid_place(grid, cell));
    return WEND_OK;
  }
  status = change_cells(grid, &r, &change);
  if (status != WEND_OK) return status;
  for (uint32_t y = y1; y <= y2; y++) hide_cells(grid, (y + 1) * grid->stride + 1 + x1, (y + 1) * grid->stride + 1 + x2);
  return WEND_OK;
}

wend_status wend_grid_set_row(wend_grid *grid, uint32_t y, const wend_cell *values) {
  uint32_t row = (y + 1) * grid->stride + 1;
  if (!wend_map_can_edit(&grid->map)) return WEND_NO_MEMORY;
  grid->all_touched = ++grid->map.version;
  for (uint32_t x = 0; x < grid->width; x++) {
    bool changed;
    wend_status status = put(grid, row + x, wend_grid_tidy(values[x]), &changed);
    if (status != WEND_OK) return status;
  }
  hide_cells(grid, row, row + grid->width - 1);
  return WEND_OK;
}

/* Tells the prepared tables of a grid what an exchange has changed. before: the grid that has its cells now. The first round tells
 * them what all cells were, the second round finds what steps between these lack. */
static void note_exchanged(wend_grid *grid, const wend_grid *before) {
  for (int round = 0; round < 2 && grid->map.prepared != NULL; round++)
    for (uint32_t place = 0; place < grid->place_count; place++) {
      const wend_cell old = wend_grid_value_at(before, place), now = wend_grid_value_at(grid, place);
      if (old.weight >= 0 && (old.weight != now.weight || old.tag != now.tag)) tell_value(grid, place, old);
    }
}

/* Takes the cells of another grid, which gives them up, and their statistics. */
static void take_cells(wend_grid *grid, const wend_grid *from) {
  grid->kinds = from->kinds, grid->kinds_capacity = from->kinds_capacity;
  grid->weights = from->weights, grid->weights_capacity = from->weights_capacity;
  grid->tags = from->tags, grid->tags_capacity = from->tags_capacity;
  grid->palette = from->palette, grid->palette_capacity = from->palette_capacity;
  grid->kind_table = from->kind_table, grid->kind_table_capacity = from->kind_table_capacity;
  grid->kind_count = from->kind_count, grid->live_kinds = from->live_kinds, grid->free_kind = from->free_kind;
  memcpy(grid->recent, from->recent, sizeof grid->recent);
  grid->map.ratios = from->map.ratios;
  grid->map.scales = from->map.scales;
}

wend_status wend_grid_exchange(wend_grid *grid, wend_grid *other) {
  wend_grid old;
  bool any = false;
  assert(grid->width == other->width && grid->height == other->height);
  if (!wend_grid_ready_places(grid, 0, grid->place_count - 1) || !wend_grid_ready_places(other, 0, grid->place_count - 1))
    return WEND_NO_MEMORY;
  for (uint32_t place = 0; place < grid->place_count; place++) {
    const wend_cell a = wend_grid_value_at(grid, place), b = wend_grid_value_at(other, place);
    if (!(a.weight >= 0) || (a.weight == b.weight && a.tag == b.tag)) continue;
    hide_cells(grid, place, place);
    touch_cell(grid, place, grid->map.version + 1);
    touch_cell(other, place, other->map.version + 1);
    any = true;
  }
  if (!any) return WEND_OK;
  grid->map.version++, other->map.version++;
  old = *grid;
  take_cells(grid, other);
  take_cells(other, &old);
  for (int i = 0; i < 2; i++) {
    wend_grid *changed = i == 0 ? grid : other;
    wend_map_note_all(&changed->map);
    changed->palette_changes++;
    note_exchanged(changed, i == 0 ? other : grid);
  }
  return WEND_OK;
}

bool wend_grid_touched(const wend_grid *grid, wend_id cell, uint64_t version) {
  return grid->all_touched > version || wend_grid_place_touched(grid, wend_grid_place(grid, cell), version);
}

bool wend_grid_is_solid(const wend_grid *grid, int64_t x, int64_t y) { return wend_grid_is_solid_for(grid, x, y, NULL); }

bool wend_grid_is_solid_for(const wend_grid *grid, int64_t x, int64_t y, const wend_closed_tags *tags) {
  wend_cell cell;
  if (x < 0 || y < 0 || x >= (int64_t)grid->width || y >= (int64_t)grid->height) return true;
  cell = wend_grid_seen_at(grid, (uint32_t)(y + 1) * grid->stride + (uint32_t)x + 1);
  return !(cell.weight < INFINITY) || (tags != NULL && cell.tag < tags->count && tags->marks[cell.tag] != 0);
}
