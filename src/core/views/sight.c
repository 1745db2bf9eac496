/* SPDX-License-Identifier: MIT */
/* Sight over a grid: sight.h describes it. */
#include "core/views/sight.h"
#include "core/map/hex_line.h"

WEND_NO_FUSING

static bool is_opaque(const wend_sight *sight, const wend_grid *grid, uint32_t place) {
  const wend_cell cell = wend_grid_seen_at(grid, place);
  const unsigned flags = cell.tag < sight->tag_count ? sight->tags[cell.tag] : 0;
  return (flags & WEND_OPAQUE) != 0 || (!(cell.weight < INFINITY) && (flags & WEND_TRANSPARENT) == 0);
}

/* Whether a way of a line over hexes is free, up to the hex that it enters. */
static bool is_way_free(const wend_sight *sight, const wend_grid *grid, const wend_region *region, uint32_t from,
                        const wend_hex_way *way) {
  int ways;
  if (wend_region_walled(region, from, way->direction, &ways)) return false;
  return way->past == WEND_NONE ||
         (!is_opaque(sight, grid, way->past) && !wend_region_walled(region, way->past, way->onward, &ways));
}

static bool sees_hex(const wend_sight *sight, const wend_grid *grid, uint32_t from, uint32_t to) {
  wend_region region = wend_grid_region(grid);
  wend_hex_line line = wend_hex_line_between(grid, from, to);
  region.directed = NULL; /* they do not block sight */
  for (uint32_t place = from; wend_hex_line_next(&line); place = line.place) {
    bool free = line.place == to || !is_opaque(sight, grid, line.place);
    if (free && !is_way_free(sight, grid, &region, place, &line.way[0]))
      free = line.ways == 2 && is_way_free(sight, grid, &region, place, &line.way[1]);
    if (!free) return false;
  }
  return true;
}

static const wend_sight no_tags = {NULL, 0};

/* Walks a line until it is blocked. Returns the place that it cannot enter; WEND_NONE: there is none. */
static uint32_t walk_sight(const wend_grid *grid, wend_cell_line line) {
  const wend_costs costs = {NULL, NULL, NULL, 0, NULL, 0};
  wend_stepper stepper = wend_grid_stepper(grid, &costs);
  uint32_t from = line.place;
  stepper.opened = line.end;
  stepper.region.directed = NULL; /* they do not block sight */
  for (; wend_cell_line_next(&line); from = line.place)
    if (!(wend_step_stretch(&stepper, from, line.direction, 0, wend_line_rule(grid)) < INFINITY)) return line.place;
  return WEND_NONE;
}

bool wend_grid_sees(void *ud, wend_map *map, wend_id from, wend_id to) {
  const wend_grid *grid = (const wend_grid *)map;
  const wend_region region = wend_grid_region(grid);
  (void)ud;
  if (grid->shape != WEND_SQUARES) return sees_hex(&no_tags, grid, wend_grid_place(grid, from), wend_grid_place(grid, to));
  return walk_sight(grid, wend_cell_line_between(grid->stride, wend_region_find(&region, grid, from),
                                                 wend_region_find(&region, grid, to))) == WEND_NONE;
}

static bool is_solid(const wend_grid *grid, uint32_t place) { return !(wend_grid_seen_at(grid, place).weight < INFINITY); }

/* Whether a line goes through the inside of a cell that is closed for all. x, y: from its start, along the line, which is
 * at its start. */
static bool is_closed_at(const wend_grid *grid, const wend_cell_line *line, int64_t x, int64_t y) {
  const int64_t off = x * line->height - y * line->width;
  return 2 * (off < 0 ? -off : off) < line->width + line->height &&
         is_solid(grid, (uint32_t)(line->place + y * line->down + x * line->step_x));
}

/* Whether a line is blocked in the column or the row of a cell. */
static bool is_hidden_by(const wend_grid *grid, const wend_cell_line *line, wend_blind blind) {
  const int64_t column = line->place % grid->stride - 1, row = line->place / grid->stride - 1;
  const int64_t x = (blind.x - column) * line->step_x, y = (blind.y - row) * line->step_y;
  if (x > 0 && x < line->width &&
      is_closed_at(grid, line, x, (int64_t)((double)x * (double)line->height / (double)line->width + 0.5)))
    return true;
  return y > 0 && y < line->height &&
         is_closed_at(grid, line, (int64_t)((double)y * (double)line->width / (double)line->height + 0.5), y);
}

/* The number of the direction of a line. */
static uint32_t blind_direction(const wend_cell_line *line) {
  const bool high = line->height > line->width;
  const double longer = (double)(high ? line->height : line->width), shorter = (double)(high ? line->width : line->height);
  const uint32_t slope = longer > 0 ? (uint32_t)(shorter / longer * 31) : 0; /* 0 .. 31 */
  return slope * 8 + (line->step_x < 0) + 2 * (line->step_y < 0) + 4 * high;
}

bool wend_grid_sees_past(const wend_grid *grid, uint32_t from, uint32_t goal, wend_blind *blinds, bool *quick) {
  const wend_cell_line line = wend_cell_line_between(grid->stride, from, goal);
  wend_blind *blind = &blinds[blind_direction(&line)];
  uint32_t blocked;
  *quick = false;
  if (grid->shape != WEND_SQUARES) return sees_hex(&no_tags, grid, from, goal);
  *quick = is_hidden_by(grid, &line, *blind);
  if (*quick) return false;
  blocked = walk_sight(grid, line);
  if (blocked != WEND_NONE) blind->x = blocked % grid->stride - 1, blind->y = blocked / grid->stride - 1;
  return blocked == WEND_NONE;
}

/* ---- Tags --------------------------------------------------------------------------------------------------- */

/* Whether walls and the cells beside a diagonal step leave a line free, by the rule of the grid. */
static bool is_gap(const wend_sight *sight, const wend_grid *grid, const wend_region *region, uint32_t from, int direction) {
  const wend_diagonals rule = wend_line_rule(grid);
  int ways;
  if (wend_region_walled(region, from, direction, &ways)) return false;
  if (!IS_DIAGONAL(direction)) return true;
  if (rule == WEND_ALWAYS) return ways != 0;
  if (is_opaque(sight, grid, (uint32_t)(from + wend_offset(grid->stride, wend_beside(direction))))) ways &= ~1;
  if (is_opaque(sight, grid, (uint32_t)(from + wend_offset(grid->stride, wend_above(direction))))) ways &= ~2;
  return rule == WEND_BOTH_OPEN ? ways == 3 : ways != 0;
}

static bool sees_place(const wend_sight *sight, const wend_grid *grid, uint32_t from, uint32_t to) {
  wend_region region = wend_grid_region(grid);
  wend_cell_line line = wend_cell_line_between(grid->stride, from, to);
  if (grid->shape != WEND_SQUARES) return sees_hex(sight, grid, from, to);
  region.directed = NULL; /* they do not block sight */
  for (uint32_t place = from; wend_cell_line_next(&line); place = line.place)
    if (!is_gap(sight, grid, &region, place, line.direction) || (line.place != to && is_opaque(sight, grid, line.place)))
      return false;
  return true;
}

bool wend_sight_sees(void *sight, wend_map *map, wend_id from, wend_id to) {
  const wend_grid *grid = (const wend_grid *)map;
  return sees_place(sight, grid, wend_grid_place(grid, from), wend_grid_place(grid, to));
}

wend_id wend_sight_next(const wend_sight *sight, const wend_grid *grid, wend_id from, double radius, wend_id after) {
  const int64_t width = grid->width, number = (int64_t)from - 1, x = number % width, y = number / width;
  const int64_t reach = radius < WEND_CELLS_MAX ? (int64_t)radius : (int64_t)WEND_CELLS_MAX;
  const int64_t left = x > reach ? x - reach : 0, right = x + reach < width ? x + reach : width - 1;
  const int64_t bottom = y + reach < grid->height ? y + reach : grid->height - 1;
  const wend_region region = wend_grid_region(grid);
  const uint32_t at = wend_grid_place(grid, from);
  const bool hexes = grid->shape != WEND_SQUARES;
  int64_t column = left, row = y > reach ? y - reach : 0;
  if (after != WEND_NO_ID) column = (int64_t)(after - 1) % width + 1, row = (int64_t)(after - 1) / width;
  for (; row <= bottom; row++, column = left)
    for (; column <= right; column++) {
      const double square = (double)((column - x) * (column - x) + (row - y) * (row - y));
      const wend_id to = (wend_id)(row * width + column + 1);
      const uint32_t place = wend_grid_place(grid, to);
      if ((hexes ? wend_hex_distance(&region, grid->shape, at, place) <= radius : square <= radius * radius) &&
          sees_place(sight, grid, at, place))
        return to;
    }
  return WEND_NO_ID;
}
