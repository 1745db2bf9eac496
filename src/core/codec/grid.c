/* SPDX-License-Identifier: MIT */
/* Grids in files. Nothing in a file depends on the order of edits: grids whose cells, walls, portals and tags are equal are
 * written as the same bytes. file.c has an example.
 *
 *   GRID         width, height, diagonals
 *   HEXA         of hexes: which rows or columns are shifted
 *   DIAG         of squares: the length of a diagonal step, if it is not the square root of 2
 *   TAGS         tags.h
 *   KIND, CELL   the palette, in the order in which its kinds first appear, and for each cell the number of its kind
 *   VALU         instead of these, where the grid has no palette: for each cell a weight and a tag
 *   WALL         for each cell a bit for each direction; of hexes, without those of wend_lacking
 *   LINK         portals, sorted by origin, then by target; removed ones are not written
 *   extr         what the caller of wend_grid_encode added
 *   plan         prepared.h
 *
 * An example of KIND and CELL: a grid of 4 x 2 cells has the kinds 4 1 3 1 / 1 1 1 1 in memory, with the weights 5, 1 and
 * infinity for kinds 4, 1 and 3. They are numbered again in the order in which they first appear: kind 4 becomes 0, 1 becomes
 * 1, 3 becomes 2. KIND has the weights 5, 1, infinity; CELL has 0 1 2 1 1 1 1 1. Kind 2, which no cell has, is not written. */
#include <stdlib.h>

#include "core/codec/cell.h"
#include "core/codec/file.h"
#include "core/codec/prepared.h"
#include "core/codec/tags.h"
#include "core/map/grid.h"

WEND_NO_FUSING

#define PORTAL_BYTES 18u

static void write_value(wend_file_out *f, wend_cell value) {
  value.tag = (value.tag & WEND_CELL_CLOSED) | wend_tag_number(f, value.tag & ~WEND_CELL_CLOSED);
  wend_write_cell(&f->w, value);
}

/* Sections KIND and CELL. number_of: scratch memory for WEND_KINDS_MAX numbers; it gets the number of each kind in the file. */
static void write_kinds(wend_file_out *f, const wend_grid *grid, uint16_t *number_of) {
  wend_writer *w = &f->w;
  uint32_t count = 0;
  memset(number_of, 0xff, WEND_KINDS_MAX * sizeof *number_of);
  wend_file_begin_section(f, "KIND", true);
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0, place = (y + 1) * grid->stride + 1; x < grid->width; x++, place++) {
      const uint16_t kind = grid->kinds[place];
      if (number_of[kind] != 0xffff) continue;
      number_of[kind] = (uint16_t)count++;
      write_value(f, wend_kind_value(&grid->palette[kind]));
    }
  wend_file_end_section(f);
  wend_file_begin_section(f, "CELL", true);
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0, place = (y + 1) * grid->stride + 1; x < grid->width; x++, place++)
      wend_write_uint(w, number_of[grid->kinds[place]], 2);
  wend_file_end_section(f);
}

/* Section VALU. */
static void write_cells(wend_file_out *f, const wend_grid *grid) {
  wend_file_begin_section(f, "VALU", true);
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0, place = (y + 1) * grid->stride + 1; x < grid->width; x++, place++)
      write_value(f, wend_grid_value_at(grid, place));
  wend_file_end_section(f);
}

void wend_write_portals(wend_file_out *f, const wend_grid *grid) {
  const wend_region region = wend_grid_region(grid);
  wend_writer *w = &f->w;
  wend_file_begin_section(f, "LINK", grid->live_portals > 0);
  for (uint32_t i = 0; i < grid->portal_count; i++) {
    const wend_portal *portal = &grid->out[i];
    if (portal->removed) continue;
    wend_write_uint(w, wend_region_cell(&region, grid, portal->from) - 1, 4);
    wend_write_uint(w, wend_region_cell(&region, grid, portal->to) - 1, 4);
    write_value(f, (wend_cell){portal->weight, portal->tag});
  }
  wend_file_end_section(f);
}

/* prepared: with the tables of a prepared grid. */
static wend_status encode_grid(const wend_grid *grid, bool prepared, const wend_tag_ranks *ranks, const void *extra,
                               size_t extra_size, void *bytes, size_t *size) {
  const wend_alloc *alloc = &grid->map.alloc;
  const bool walls = grid->wall_count > grid->directed_count + wend_lacking_count(grid);
  const bool directed = grid->directed_count > 0, hexes = grid->shape != WEND_SQUARES;
  wend_file_out f;
  wend_file_begin(&f, bytes, WEND_FILE_GRID);
  f.ranks = ranks;
  wend_file_begin_section(&f, "GRID", true);
  wend_write_uint(&f.w, grid->width, 4);
  wend_write_uint(&f.w, grid->height, 4);
  wend_write_uint(&f.w, (uint64_t)grid->diagonals, 1);
  wend_write_uint(&f.w, 0, 3);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "HEXA", hexes);
  if (hexes) wend_write_uint(&f.w, (uint64_t)grid->shape, 1);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "DIAG", !hexes && grid->diagonal_length != WEND_DIAGONAL);
  if (!hexes && grid->diagonal_length != WEND_DIAGONAL) wend_write_double(&f.w, grid->diagonal_length);
  wend_file_end_section(&f);
  wend_write_tags(&f, &grid->map);
  if (grid->kinds != NULL) {
    uint16_t *number_of = NULL;
    uint32_t capacity = 0;
    if (!WEND_RESIZE(alloc, number_of, capacity, WEND_KINDS_MAX)) return WEND_NO_MEMORY;
    write_kinds(&f, grid, number_of);
    WEND_FREE(alloc, number_of, capacity);
  } else {
    write_cells(&f, grid);
  }
  wend_file_begin_section(&f, "WALL", walls);
  for (uint32_t y = 0; walls && y < grid->height; y++)
    for (uint32_t x = 0, place = (y + 1) * grid->stride + 1; x < grid->width; x++, place++)
      wend_write_uint(&f.w, grid->walls[place] & ~wend_lacking(grid, place) & 0xff, 1);
  wend_file_end_section(&f);
  wend_file_begin_section(&f, "DWAL", directed);
  for (uint32_t y = 0; directed && y < grid->height; y++)
    for (uint32_t x = 0; x < grid->width; x++) wend_write_uint(&f.w, grid->directed[(y + 1) * grid->stride + x + 1] & 0xffu, 1);
  wend_file_end_section(&f);
  wend_write_portals(&f, grid);
  wend_file_begin_section(&f, "extr", extra_size > 0);
  wend_write_bytes(&f.w, extra, extra_size);
  wend_file_end_section(&f);
  if (prepared) wend_write_prepared(&f, &grid->map);
  *size = wend_file_end(&f);
  return WEND_OK;
}

wend_status wend_grid_encode(const wend_grid *grid, const void *extra, size_t extra_size, void *bytes, size_t *size) {
  return encode_grid(grid, true, NULL, extra, extra_size, bytes, size);
}

wend_status wend_grid_encode_bare(const wend_grid *grid, const void *extra, size_t extra_size, void *bytes, size_t *size) {
  return encode_grid(grid, false, NULL, extra, extra_size, bytes, size);
}

wend_status wend_grid_encode_ranked(const wend_grid *grid, const wend_tag_ranks *ranks, void *bytes, size_t *size) {
  return encode_grid(grid, false, ranks, NULL, 0, bytes, size);
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Sections KIND and CELL. r: of section KIND. Runs of equal cells are read together. FORMAT, NO_MEMORY. */
static wend_status read_kinds(wend_file_in *f, wend_reader *r, wend_grid *grid) {
  const wend_alloc *alloc = &grid->map.alloc;
  const uint32_t tags = wend_map_tag_count(&grid->map), count = wend_file_count(r, CELL_BYTES);
  const uint8_t *palette = wend_read_items(r, count, CELL_BYTES), *cells;
  uint32_t *kinds = NULL, capacity = 0, known = 0;
  wend_status status = WEND_OK;
  wend_cell value;
  r = wend_file_section(f, "CELL");
  cells = wend_read_items(r, (uint64_t)grid->width * grid->height, 2);
  if (r->failed || count == 0 || count >= WEND_KINDS_MAX) return WEND_FORMAT;
  if (!WEND_RESIZE(alloc, kinds, capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t k = 0; k < count && status == WEND_OK; k++)
    if (!wend_load_cell(palette + (size_t)k * CELL_BYTES, tags, &value)) status = WEND_FORMAT;
  if (status == WEND_OK) wend_grid_uncount(grid);
  for (uint32_t y = 0; y < grid->height && status == WEND_OK; y++)
    for (uint32_t x = 0, run = 1; x < grid->width; x += run, cells += 2 * (size_t)run) {
      const uint32_t k = (uint32_t)wend_load_uint(cells, 2);
      for (run = 1; x + run < grid->width && wend_load_uint(cells + 2 * (size_t)run, 2) == k;) run++;
      if (k > known || k >= count) { /* a new number must be the next one */
        status = WEND_FORMAT;
        break;
      }
      if (k == known) { /* the kind enters the palette with its first cell: without cells, the next kind would replace it */
        (void)wend_load_cell(palette + (size_t)k * CELL_BYTES, tags, &value);
        kinds[k] = wend_grid_kind_of(grid, value);
        if (kinds[k] == WEND_NONE) status = WEND_NO_MEMORY;
        else if (grid->palette[kinds[k]].count > 0) status = WEND_FORMAT; /* two kinds are equal */
        if (status != WEND_OK) break;
        known++;
      }
      wend_grid_count(grid, (y + 1) * grid->stride + x + 1, run, kinds[k]);
    }
  WEND_FREE(alloc, kinds, capacity);
  return status == WEND_OK && known != count ? WEND_FORMAT : status;
}

/* Section VALU. FORMAT, NO_MEMORY. */
static wend_status read_cells(wend_reader *r, wend_grid *grid) {
  const uint32_t tags = wend_map_tag_count(&grid->map);
  const uint8_t *cells = wend_read_items(r, (uint64_t)grid->width * grid->height, CELL_BYTES);
  if (r->failed) return WEND_FORMAT;
  if (!wend_grid_begin_cells(grid)) return WEND_NO_MEMORY;
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0; x < grid->width; x++, cells += CELL_BYTES) {
      wend_cell value;
      if (!wend_load_cell(cells, tags, &value)) return WEND_FORMAT;
      if (!wend_grid_file_cell(grid, (y + 1) * grid->stride + x + 1, value)) return WEND_NO_MEMORY;
    }
  return WEND_OK;
}

/* Section WALL: both cells of a wall must have it. FORMAT, NO_MEMORY. */
static wend_status read_walls(wend_reader *r, wend_grid *grid) {
  const uint8_t *walls = wend_read_items(r, (uint64_t)grid->width * grid->height, 1);
  const wend_region region = wend_grid_region(grid);
  uint32_t ends = 0;
  if (r->failed) return WEND_FORMAT;
  if (grid->walls == NULL) {
    if (!WEND_RESIZE(&grid->map.alloc, grid->walls, grid->walls_capacity, grid->place_count)) return WEND_NO_MEMORY;
    memset(grid->walls, 0, grid->place_count);
  }
  for (uint32_t y = 0; y < grid->height; y++)
    for (uint32_t x = 0, place = (y + 1) * grid->stride + 1; x < grid->width; x++, place++, walls++) {
      if ((*walls & wend_lacking(grid, place)) != 0) return WEND_FORMAT;
      grid->walls[place] |= *walls;
    }
  for (uint32_t place = 0; place < grid->place_count; place++)
    for (int d = 0; d < 8; d++) {
      const uint32_t to = (uint32_t)(place + wend_offset(grid->stride, d));
      if (((grid->walls[place] & ~wend_lacking(grid, place)) >> d & 1) == 0) continue;
      if (!wend_region_has(&region, to) || (grid->walls[to] >> (7 - d) & 1) == 0) return WEND_FORMAT;
      ends++;
    }
  grid->wall_count = ends / 2 + wend_lacking_count(grid);
  return ends > 0 ? WEND_OK : WEND_FORMAT;
}

/* Section DWAL: the steps that directed walls close. There is no wall, and the step back is open. FORMAT, NO_MEMORY. */
static wend_status read_directed(wend_reader *r, wend_grid *grid) {
  const uint8_t *at = wend_read_items(r, (uint64_t)grid->width * grid->height, 1);
  const wend_region region = wend_grid_region(grid);
  if (r->failed) return WEND_FORMAT;
  for (uint32_t cell = 0; cell < grid->width * grid->height; cell++, at++)
    for (int d = 0; *at >> d != 0; d++) {
      const uint32_t place = wend_grid_place(grid, (wend_id)cell + 1);
      if ((*at >> d & 1) == 0) continue;
      if (!wend_region_has(&region, (uint32_t)(place + wend_offset(grid->stride, d))) ||
          wend_grid_border(grid, place, d) != BORDER_OPEN)
        return WEND_FORMAT;
      if (wend_grid_set_border(grid, place, d, BORDER_OUT) != WEND_OK) return WEND_NO_MEMORY;
    }
  return grid->directed_count > 0 ? WEND_OK : WEND_FORMAT;
}

/* Compares two portals in the order of `in`: by target, then by origin. For qsort. */
static int by_end(const void *a, const void *b) {
  const wend_portal *one = a, *other = b;
  if (one->to != other->to) return one->to < other->to ? -1 : 1;
  return one->from < other->from ? -1 : one->from > other->from;
}

/* The file has the portals in the order of `out`, so they are copied: adding them one by one would take quadratic time. */
wend_status wend_read_portals(wend_file_in *f, wend_grid *grid, const wend_tag_numbers *numbers) {
  const wend_alloc *alloc = &grid->map.alloc;
  const wend_region region = wend_grid_region(grid);
  const uint32_t tags = numbers != NULL ? numbers->count : wend_map_tag_count(&grid->map);
  const uint64_t cells = (uint64_t)grid->width * grid->height;
  wend_reader *r = wend_file_section(f, "LINK");
  const uint32_t count = wend_file_count(r, PORTAL_BYTES);
  const uint8_t *at = wend_read_items(r, count, PORTAL_BYTES);
  uint64_t least = 0;
  if (r->failed) return WEND_FORMAT;
  if (count == 0) return WEND_OK;
  if (!WEND_GROW(alloc, grid->out, grid->out_capacity, count) || !WEND_GROW(alloc, grid->in, grid->in_capacity, count))
    return WEND_NO_MEMORY;
  grid->map.version++;
  for (uint32_t i = 0; i < count; i++, at += PORTAL_BYTES) {
    const uint64_t from = wend_load_uint(at, 4), to = wend_load_uint(at + 4, 4), key = from << 32 | to;
    wend_portal *portal = &grid->out[i];
    wend_cell value;
    if (from >= cells || to >= cells || key < least || !wend_load_cell(at + 8, tags, &value) ||
        (value.tag & WEND_CELL_CLOSED) != 0)
      return WEND_FORMAT;
    portal->from = wend_region_find(&region, grid, from + 1);
    portal->to = wend_region_find(&region, grid, to + 1);
    portal->tag = numbers != NULL ? numbers->of[value.tag] : value.tag;
    portal->removed = false;
    portal->weight = value.weight;
    portal->changed = grid->map.version;
    least = key + 1;
  }
  memcpy(grid->in, grid->out, count * sizeof *grid->in);
  qsort(grid->in, count, sizeof *grid->in, by_end);
  grid->portal_count = grid->live_portals = count;
  return WEND_OK;
}

/* Section HEXA. *shape: WEND_SQUARES: there is none. FORMAT. */
static wend_status read_shape(wend_reader *r, wend_shape *shape) {
  uint64_t number;
  *shape = WEND_SQUARES;
  if (r->left == 0) return WEND_OK;
  number = wend_read_uint(r, 1);
  if (r->failed || r->left > 0 || number == WEND_SQUARES || number > WEND_EVEN_COLUMNS) return WEND_FORMAT;
  *shape = (wend_shape)number;
  return WEND_OK;
}

/* Section DIAG. FORMAT. */
static wend_status read_diagonal(wend_reader *r, wend_grid *grid) {
  if (r->left == 0) return WEND_OK;
  if (grid->shape != WEND_SQUARES) return WEND_FORMAT;
  grid->diagonal_length = wend_read_number(r, 1, 2);
  return r->failed || grid->diagonal_length == WEND_DIAGONAL ? WEND_FORMAT : WEND_OK;
}

wend_status wend_grid_decode(const wend_alloc *alloc, const void *bytes, size_t size, wend_grid **grid, const void **extra,
                             size_t *extra_size) {
  wend_file_in f;
  wend_reader *r;
  uint64_t width, height;
  uint32_t diagonals;
  wend_shape shape;
  wend_status status;
  *grid = NULL;
  *extra = NULL;
  *extra_size = 0;
  if (!wend_file_open_in(&f, bytes, size, WEND_FILE_GRID)) return WEND_FORMAT;
  r = wend_file_section(&f, "GRID");
  width = wend_read_uint(r, 4), height = wend_read_uint(r, 4);
  diagonals = (uint32_t)wend_read_uint(r, 1);
  if (wend_read_uint(r, 3) != 0 || width < 1 || height < 1 || width > WEND_CELLS_MAX || height > WEND_CELLS_MAX ||
      (width + 1) * (height + 2) + 1 > WEND_CELLS_MAX || width * height > f.rest.left / 2 || diagonals > WEND_NEVER)
    return WEND_FORMAT;
  status = read_shape(wend_file_section(&f, "HEXA"), &shape);
  if (status != WEND_OK || (shape != WEND_SQUARES && diagonals != WEND_ALWAYS)) return WEND_FORMAT;
  *grid = wend_grid_create_shaped(alloc, (uint32_t)width, (uint32_t)height, (wend_diagonals)diagonals, shape);
  if (*grid == NULL) return WEND_NO_MEMORY;
  status = read_diagonal(wend_file_section(&f, "DIAG"), *grid);
  if (status == WEND_OK) status = wend_read_tags(&f, &(*grid)->map);
  if (status == WEND_OK) {
    r = wend_file_section(&f, "KIND");
    status = r->left > 0 ? read_kinds(&f, r, *grid) : read_cells(wend_file_section(&f, "VALU"), *grid);
  }
  if (status == WEND_OK) {
    r = wend_file_section(&f, "WALL");
    if (r->left > 0) status = read_walls(r, *grid);
  }
  if (status == WEND_OK) {
    r = wend_file_section(&f, "DWAL");
    if (r->left > 0) status = read_directed(r, *grid);
  }
  if (status == WEND_OK) status = wend_read_portals(&f, *grid, NULL);
  if (status == WEND_OK) {
    r = wend_file_section(&f, "extr");
    *extra_size = wend_file_count(r, 1);
    *extra = wend_read_items(r, *extra_size, 1);
    status = r->failed ? WEND_FORMAT : wend_read_prepared(&f, &(*grid)->map, bytes);
    if (status == WEND_OK && !wend_file_is_read(&f)) status = WEND_FORMAT;
  }
  if (status == WEND_OK) wend_trust_prepared(&(*grid)->map);
  if (status != WEND_OK) {
    wend_grid_destroy(*grid);
    *grid = NULL;
    return status;
  }
  (*grid)->all_touched = ++(*grid)->map.version;
  return WEND_OK;
}
