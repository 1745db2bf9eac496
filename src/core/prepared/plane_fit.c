/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid: plane_fit.h has the contracts.
 *
 * A plane is fitted by least squares. Then its slopes are rounded, the base lies in the middle of what remains, and the error is
 * what remains at most. So rounding costs accuracy, and bounds stay right: the error is found with the numbers that are kept. */
#include "core/prepared/plane_fit.h"

#include <math.h>
#include <string.h>

#include "core/cost/bounds.h"

WEND_NO_FUSING

#define SIDE_MAX 8u
#define CELLS_MAX (SIDE_MAX * SIDE_MAX)
/* Grids of more cells than this have blocks of 8 x 8. */
#define SMALL_CELLS 0x400000u
#define SLOPE_MAX 127
/* Slopes are at most the price of the dearest cell; but few cells that are much dearer than a typical one, by this factor, are not
 * worth it to round all others. The square of an error counts: small ones are told apart better. */
#define DEAR 6
#define GRAINS 2048

/* The steepest slope of a plane, in units. */
static double steepest_of(const wend_grid *grid, const wend_prepared *prepared) {
  const wend_costs costs = {prepared->tags, NULL, NULL, 0, NULL, 0};
  const double most = wend_grid_summarize(grid, &costs).typical * DEAR;
  double dearest = 0;
  if (grid->kinds == NULL) return most / prepared->unit;
  for (uint32_t k = KIND_FIRST; k < grid->kind_count; k++) {
    const wend_kind *kind = &grid->palette[k];
    const double price =
        kind->count > 0 && kind->weight < INFINITY ? wend_prepared_price(prepared, kind->tag, kind->weight) : 0;
    if (price > dearest && price < INFINITY) dearest = price;
  }
  return (dearest < most ? dearest : most) / prepared->unit;
}

bool wend_planes_begin(const wend_grid *grid, wend_prepared *prepared, uint32_t landmarks) {
  const wend_alloc *alloc = &grid->map.alloc;
  const double most = steepest_of(grid, prepared);
  wend_planes *planes = wend_new_part(alloc, sizeof *planes);
  uint32_t rows;
  if (planes == NULL) return false;
  prepared->planes = planes;
  planes->shift = (uint64_t)grid->width * grid->height > SMALL_CELLS ? 3 : 2;
  planes->columns = ((grid->width - 1) >> planes->shift) + 1;
  rows = ((grid->height - 1) >> planes->shift) + 1;
  planes->block_count = planes->columns * rows;
  planes->landmarks = landmarks;
  planes->usable = (1u << landmarks) - 1;
  planes->slope_unit = most < 2.0 * FLOOD_PART_MAX ? (uint32_t)(most / SLOPE_MAX) + 1 : 2 * FLOOD_PART_MAX / SLOPE_MAX + 1;
  planes->error_unit = planes->slope_unit * SLOPE_MAX / GRAINS + 1;
  for (uint32_t l = 0; l < landmarks; l++) planes->base_units[l] = 1;
  return WEND_RESIZE(alloc, planes->blocks, planes->blocks_capacity, planes->block_count);
}

/* ---- Groups ------------------------------------------------------------------------------------------------ */

/* A block of a grid, as far as it lies inside. */
typedef struct block_area {
  uint32_t x, y, width, height;
} block_area;

static block_area area_of_block(const wend_grid *grid, const wend_planes *planes, uint32_t column, uint32_t row) {
  const uint32_t side = 1u << planes->shift;
  block_area area = {column * side, row * side, side, side};
  if (area.x + side > grid->width) area.width = grid->width - area.x;
  if (area.y + side > grid->height) area.height = grid->height - area.y;
  return area;
}

static uint32_t area_place(const wend_grid *grid, const block_area *area, uint32_t x, uint32_t y) {
  return (area->y + y + 1) * grid->stride + area->x + x + 1;
}

/* Joins two groups of the cells of a block. */
static void join_groups(uint8_t *group, uint32_t a, uint32_t b) {
  const uint8_t kept = group[a], gone = group[b];
  if (kept == gone) return;
  for (uint32_t i = 0; i < CELLS_MAX; i++)
    if (group[i] == gone) group[i] = kept;
}

/* The groups of the cells of a block, numbered from 0, by y * SIDE_MAX + x: PART_NONE: closed. Cells are connected by straight
 * steps. Returns how many groups there are. */
static uint32_t find_groups(const wend_grid *grid, const wend_prepared *prepared, const block_area *area, uint8_t *group) {
  uint8_t number[CELLS_MAX];
  uint32_t count = 0;
  memset(group, PART_NONE, CELLS_MAX);
  for (uint32_t y = 0; y < area->height; y++)
    for (uint32_t x = 0; x < area->width; x++) {
      const uint32_t place = area_place(grid, area, x, y), i = y * SIDE_MAX + x;
      const uint8_t walls = grid->walls != NULL ? grid->walls[place] : 0;
      if (!wend_prepared_enters(grid, prepared, place)) continue;
      group[i] = (uint8_t)i;
      if (x > 0 && group[i - 1] != PART_NONE && (walls >> WEST & 1) == 0) group[i] = group[i - 1];
      if (y == 0 || group[i - SIDE_MAX] == PART_NONE || (walls >> NORTH & 1) != 0) continue;
      if (group[i] == i) group[i] = group[i - SIDE_MAX];
      else join_groups(group, i - SIDE_MAX, i);
    }
  memset(number, PART_NONE, sizeof number);
  for (uint32_t y = 0; y < area->height; y++)
    for (uint8_t *at = group + y * SIDE_MAX, *end = at + area->width; at < end; at++) {
      if (*at == PART_NONE) continue;
      if (number[*at] == PART_NONE) number[*at] = (uint8_t)count++;
      *at = number[*at];
    }
  return count;
}

/* Notes a split block. False: no memory. */
static bool add_split(const wend_alloc *alloc, wend_planes *planes, const uint8_t *group) {
  const uint32_t side = 1u << planes->shift, split = planes->split_count;
  if (!WEND_GROW(alloc, planes->firsts, planes->firsts_capacity, (uint64_t)split + 1) ||
      !WEND_GROW(alloc, planes->parts, planes->parts_capacity, ((uint64_t)split + 1) * side * side))
    return false;
  planes->split_count++;
  planes->firsts[split] = planes->group_count;
  for (uint32_t y = 0; y < side; y++)
    for (uint32_t x = 0; x < side; x++) *wend_planes_part(planes, split, x, y) = group[y * SIDE_MAX + x];
  return true;
}

bool wend_planes_group_row(const wend_grid *grid, wend_prepared *prepared, uint32_t row) {
  wend_planes *planes = prepared->planes;
  const wend_alloc *alloc = &grid->map.alloc;
  for (uint32_t column = 0; column < planes->columns; column++) {
    const block_area area = area_of_block(grid, planes, column, row);
    uint32_t *block = &planes->blocks[row * planes->columns + column];
    uint8_t group[CELLS_MAX];
    const uint32_t count = find_groups(grid, prepared, &area, group);
    if (!WEND_GROW(alloc, planes->at, planes->at_capacity, ((uint64_t)planes->group_count + count) * planes->landmarks))
      return false;
    *block = count == 0 ? GROUP_NONE : count == 1 ? planes->group_count : BLOCK_SPLIT | planes->split_count;
    if (count > 1 && !add_split(alloc, planes, group)) return false;
    planes->group_count += count;
  }
  if ((row + 1) * planes->columns < planes->block_count) return true;
  return WEND_RESIZE(alloc, planes->at, planes->at_capacity, (uint64_t)planes->group_count * planes->landmarks) &&
         WEND_RESIZE(alloc, planes->firsts, planes->firsts_capacity, planes->split_count) &&
         WEND_RESIZE(alloc, planes->parts, planes->parts_capacity, (uint64_t)planes->split_count << 2 * planes->shift);
}

bool wend_planes_note_links(const wend_grid_flood *flood, wend_planes *planes) {
  const wend_grid *grid = flood->grid;
  if (grid->live_portals == 0) return true;
  if (!WEND_RESIZE(&flood->alloc, planes->links, planes->links_capacity, grid->live_portals)) return false;
  for (uint32_t i = 0; i < grid->portal_count; i++) {
    const wend_portal *link = &grid->out[i];
    wend_link_bound bound = {link->from, link->to, 0};
    if (link->removed || !wend_prepared_enters(grid, flood->prices, link->from) ||
        !wend_prepared_enters(grid, flood->prices, link->to) ||
        !(wend_prepared_price(flood->prices, link->tag, link->weight) < INFINITY))
      continue;
    bound.units = wend_grid_flood_link(flood, link);
    planes->links[planes->link_count++] = bound;
  }
  return WEND_RESIZE(&flood->alloc, planes->links, planes->links_capacity, planes->link_count);
}

/* ---- Planes ------------------------------------------------------------------------------------------------ */

/* The cells of a group of a block. */
typedef struct group_cells {
  uint32_t width, height, count;
  uint32_t first;             /* the number of the first cell */
  uint32_t number[CELLS_MAX]; /* by y * SIDE_MAX + x; FLOOD_NONE: not a cell of the group */
} group_cells;

/* Bases are counted from this number below 0, so that a plane that rises toward its block can be written. */
static uint32_t base_offset(const wend_planes *planes) { return 2 * planes->slope_unit * SLOPE_MAX << planes->shift; }

void wend_planes_begin_landmark(wend_planes *planes, const wend_grid_flood *flood, uint32_t landmark) {
  const uint32_t most = wend_grid_flood_count(flood, flood->farthest) + 32 + 2 * base_offset(planes);
  planes->base_units[landmark] = most / UINT16_MAX + 1;
}

static int rounded_slope(double slope) {
  const double whole = floor(slope + 0.5);
  return whole > SLOPE_MAX ? SLOPE_MAX : whole < -SLOPE_MAX ? -SLOPE_MAX : (int)whole;
}

/* The least and the greatest distance of the numbers of a group above a plane. */
static void find_rest(const group_cells *cells, int64_t east, int64_t south, int64_t *least, int64_t *most) {
  for (uint32_t y = 0; y < cells->height; y++) {
    int64_t at = south * y;
    for (uint32_t x = 0; x < cells->width; x++, at += east) {
      const uint32_t number = cells->number[y * SIDE_MAX + x];
      if (number == FLOOD_NONE) continue;
      if (number - at < *least) *least = number - at;
      if (number - at > *most) *most = number - at;
    }
  }
}

/* Sums over the cells of a group. d: the number of a cell, less that of the first one. */
typedef struct group_sums {
  int64_t x, y, d, xx, xy, yy, xd, yd;
} group_sums;

static group_sums sums_of(const group_cells *cells) {
  group_sums s = {0, 0, 0, 0, 0, 0, 0, 0};
  for (uint32_t y = 0; y < cells->height; y++) {
    int64_t count = 0, row_x = 0, row_d = 0;
    for (uint32_t x = 0; x < cells->width; x++) {
      const uint32_t number = cells->number[y * SIDE_MAX + x];
      const int64_t d = (int64_t)number - cells->first;
      if (number == FLOOD_NONE) continue;
      count++, row_x += x, row_d += d;
      s.xx += x * x, s.xd += x * d;
    }
    s.x += row_x, s.d += row_d;
    s.y += y * count, s.yy += y * y * count, s.xy += y * row_x, s.yd += y * row_d;
  }
  return s;
}

/* The plane of a group by least squares. */
static wend_plane fit_plane(const wend_planes *planes, uint32_t landmark, const group_cells *cells) {
  const wend_plane unreached = {0, 0, 0, 0, PLANE_UNREACHED};
  const int64_t unit = planes->base_units[landmark], offset = base_offset(planes), slope = planes->slope_unit;
  const group_sums sums = sums_of(cells);
  const double n = cells->count, sx = (double)sums.x, sy = (double)sums.y, sd = (double)sums.d;
  double xx, xy, yy, xd, yd, det, root;
  int64_t least = INT64_MAX, most = INT64_MIN, base, error;
  wend_plane plane = unreached;
  if (cells->count == 0) return unreached;
  xx = (double)sums.xx - sx * sx / n, xy = (double)sums.xy - sx * sy / n, yy = (double)sums.yy - sy * sy / n;
  xd = (double)sums.xd - sx * sd / n, yd = (double)sums.yd - sy * sd / n;
  det = xx * yy - xy * xy;
  if (det > 1e-6) {
    plane.east = (int8_t)rounded_slope((xd * yy - yd * xy) / det / (double)slope);
    plane.south = (int8_t)rounded_slope((yd * xx - xd * xy) / det / (double)slope);
  } else if (xx > yy) { /* the cells are on a line */
    plane.east = (int8_t)rounded_slope(xd / xx / (double)slope);
  } else if (yy > 0) {
    plane.south = (int8_t)rounded_slope(yd / yy / (double)slope);
  }
  find_rest(cells, slope * plane.east, slope * plane.south, &least, &most);
  base = ((least + most) / 2 + offset + unit / 2) / unit;
  if (base < 0) base = 0;
  if (base > UINT16_MAX) base = UINT16_MAX;
  error = most - (base * unit - offset);
  if (base * unit - offset - least > error) error = base * unit - offset - least;
  root = ceil(sqrt((double)error / planes->error_unit));
  plane.low = (uint8_t)base, plane.high = (uint8_t)(base >> 8);
  plane.error = (uint8_t)(root < PLANE_UNEVEN ? root : PLANE_UNEVEN);
  return plane;
}

/* How many groups a split block has. */
static uint32_t count_parts(const wend_planes *planes, uint32_t split) {
  const uint32_t cells = 1u << 2 * planes->shift;
  uint32_t count = 0;
  for (uint32_t i = 0; i < cells; i++) {
    const uint32_t part = planes->parts[(size_t)split * cells + i];
    if (part != PART_NONE && part >= count) count = part + 1;
  }
  return count;
}

/* The cells of a group of a block that the flood has reached: all of them, or none. split: the split block; WEND_NONE: it has one
 * group. */
static void collect_cells(const wend_planes *planes, const wend_grid_flood *flood, const block_area *area, uint32_t split,
                          uint32_t part, group_cells *cells) {
  cells->width = area->width, cells->height = area->height;
  cells->count = cells->first = 0;
  for (uint32_t y = 0; y < area->height; y++) {
    const uint32_t place = area_place(flood->grid, area, 0, y);
    for (uint32_t x = 0; x < area->width; x++) {
      uint32_t number = wend_grid_flood_count(flood, place + x);
      if (split != WEND_NONE && *wend_planes_part(planes, split, x, y) != part) number = FLOOD_NONE;
      cells->number[y * SIDE_MAX + x] = number;
      if (number != FLOOD_NONE && cells->count++ == 0) cells->first = number;
    }
  }
}

void wend_planes_fit_row(wend_planes *planes, const wend_grid_flood *flood, uint32_t landmark, uint32_t row,
                         uint32_t *nearest) {
  group_cells cells;
  for (uint32_t column = 0; column < planes->columns; column++) {
    const block_area area = area_of_block(flood->grid, planes, column, row);
    const uint32_t block = planes->blocks[row * planes->columns + column];
    const bool is_split = (block & BLOCK_SPLIT) != 0;
    const uint32_t split = is_split ? block & ~BLOCK_SPLIT : WEND_NONE;
    uint32_t first, parts;
    if (block == GROUP_NONE) continue;
    first = is_split ? planes->firsts[split] : block;
    parts = is_split ? count_parts(planes, split) : 1;
    for (uint32_t part = 0; part < parts; part++) {
      collect_cells(planes, flood, &area, split, part, &cells);
      planes->at[(size_t)(first + part) * planes->landmarks + landmark] = fit_plane(planes, landmark, &cells);
      if (cells.count > 0 && cells.first < nearest[first + part]) nearest[first + part] = cells.first;
    }
  }
}
