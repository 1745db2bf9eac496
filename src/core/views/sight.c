/* SPDX-License-Identifier: MIT */
/* Sight over a grid: sight.h describes it. The cells of a line are those of query/line.c, found by integers alone. */
#include "core/views/sight.h"

WEND_NO_FUSING

/* A line between the centres of two cells: how many columns and rows it crosses, and the signs. */
typedef struct sight_line {
  int64_t x, y, width, height;
  int step_x, step_y;
} sight_line;

static sight_line line_between(const wend_grid *grid, uint32_t from, uint32_t goal) {
  sight_line line = {from % grid->stride - 1, from / grid->stride - 1, 0, 0, 1, 1};
  line.width = (int64_t)(goal % grid->stride) - 1 - line.x, line.height = (int64_t)(goal / grid->stride) - 1 - line.y;
  if (line.width < 0) line.width = -line.width, line.step_x = -1;
  if (line.height < 0) line.height = -line.height, line.step_y = -1;
  return line;
}

/* The direction of a step by its columns and rows. */
static int step_direction(int x, int y) {
  const int direction = 3 * (y + 1) + x + 1;
  return direction < 4 ? direction : direction - 1;
}

/* Walks a line until it is blocked. Returns the place that it cannot enter; WEND_NONE: there is none. */
static uint32_t walk_sight(const wend_grid *grid, const sight_line *line) {
  const wend_costs costs = {NULL, NULL, NULL, 0, NULL, 0};
  wend_stepper stepper = wend_grid_stepper(grid, &costs);
  const int64_t down = line->step_y * (int64_t)stepper.region.stride;
  int64_t order = line->height - line->width; /* below 0: the column ends first; above 0: the row; 0: both, at a corner */
  uint32_t place = wend_region_place(&stepper.region, (uint32_t)line->x, (uint32_t)line->y), next;
  stepper.opened = (uint32_t)(place + line->width * line->step_x + line->height * down);
  for (; place != stepper.opened; place = next) {
    const bool across = order <= 0, along = order >= 0;
    const int direction = step_direction(across ? line->step_x : 0, along ? line->step_y : 0);
    order += (across ? 2 * line->height : 0) - (along ? 2 * line->width : 0);
    next = (uint32_t)(place + (across ? line->step_x : 0) + (along ? down : 0));
    if (!(wend_step_stretch(&stepper, place, direction, 0, wend_line_rule(grid)) < INFINITY)) return next;
  }
  return WEND_NONE;
}

bool wend_grid_sees(void *ud, wend_map *map, wend_id from, wend_id to) {
  const wend_grid *grid = (const wend_grid *)map;
  const wend_region region = wend_grid_region(grid);
  const sight_line line = line_between(grid, wend_region_find(&region, grid, from), wend_region_find(&region, grid, to));
  (void)ud;
  return walk_sight(grid, &line) == WEND_NONE;
}

static bool is_solid(const wend_grid *grid, uint32_t place) {
  if (grid->kinds != NULL) return !(grid->palette[grid->kinds[place]].weight < INFINITY);
  return !(wend_weight_seen(grid->weights[place]) < INFINITY);
}

/* Whether a line goes through the inside of a cell that is closed for all. x, y: from its start, along the line. */
static bool is_closed_at(const wend_grid *grid, const sight_line *line, int64_t x, int64_t y) {
  const int64_t off = x * line->height - y * line->width;
  return 2 * (off < 0 ? -off : off) < line->width + line->height &&
         is_solid(grid, (uint32_t)((line->y + y * line->step_y + 1) * grid->stride + line->x + x * line->step_x + 1));
}

/* Whether a line is blocked in the column or the row of a cell. */
static bool is_hidden_by(const wend_grid *grid, const sight_line *line, wend_blind blind) {
  const int64_t x = ((int64_t)blind.x - line->x) * line->step_x, y = ((int64_t)blind.y - line->y) * line->step_y;
  if (x > 0 && x < line->width &&
      is_closed_at(grid, line, x, (int64_t)((double)x * (double)line->height / (double)line->width + 0.5)))
    return true;
  return y > 0 && y < line->height &&
         is_closed_at(grid, line, (int64_t)((double)y * (double)line->width / (double)line->height + 0.5), y);
}

/* The number of the direction of a line. */
static uint32_t blind_direction(const sight_line *line) {
  const bool high = line->height > line->width;
  const double longer = (double)(high ? line->height : line->width), shorter = (double)(high ? line->width : line->height);
  const uint32_t slope = longer > 0 ? (uint32_t)(shorter / longer * 31) : 0; /* 0 .. 31 */
  return slope * 8 + (line->step_x < 0) + 2 * (line->step_y < 0) + 4 * high;
}

bool wend_grid_sees_past(const wend_grid *grid, uint32_t from, uint32_t goal, wend_blind *blinds, bool *quick) {
  const sight_line line = line_between(grid, from, goal);
  wend_blind *blind = &blinds[blind_direction(&line)];
  uint32_t blocked;
  *quick = is_hidden_by(grid, &line, *blind);
  if (*quick) return false;
  blocked = walk_sight(grid, &line);
  if (blocked != WEND_NONE) blind->x = blocked % grid->stride - 1, blind->y = blocked / grid->stride - 1;
  return blocked == WEND_NONE;
}
