/* SPDX-License-Identifier: MIT */
/* Straight lines over a grid, and paths of straight legs.
 *
 * A line from the centre of one cell to the centre of another visits the cells that it crosses, in order. Where it passes
 * exactly through a corner, the step is diagonal.
 *
 *        0 1 2 3 4        From a at (0,0) to b at (4,2): width 4, height 2. t is the position on the line, from 0 to 1. The
 *      0 a x . . .        line leaves column i at t = (i + 1/2) / 4: 0.125, 0.375, 0.625, 0.875, and row i at (i + 1/2) / 2:
 *      1 . x x x .        0.25, 0.75. Sorted, these are the steps: to (1,0), (1,1), (2,1), (3,1), (3,2), (4,2).
 *      2 . . . x b
 *
 * The length of a step reaches from the middle of the stretch in one cell to the middle of the stretch in the next. The line is
 * 4.4721 long. It is in (1,0) for t from 0.125 to 0.25, with the middle at 0.1875: the step from a is 0.1875 x 4.4721 = 0.8385
 * long. It is in (1,1) for t from 0.25 to 0.375, with the middle at 0.3125: that step is 0.125 x 4.4721 = 0.5590 long. The six
 * lengths, 0.8385 0.5590 0.8385 0.8385 0.5590 0.8385, add up to the length of the line.
 *
 * An example of a diagonal step: from (0,0) to (3,1). The line leaves column 1 and row 0 at the same t, 1.5 / 3 = 0.5 / 1. So
 * the steps are to (1,0), to (2,1) through the corner, and to (3,1).
 *
 * If the diagonal steps of the grid have another length than the square root of 2, a line is longer or shorter by as much as the
 * steps between its ends are. If they are 1 long, those from a to b take 4 instead of 4.8284, and the line is 4.4721 x 4 / 4.8284
 * = 3.7048 long. */
#include "core/lines/line.h"
#include "core/map/hex_line.h"

WEND_NO_FUSING

double wend_line_length(const wend_grid *grid, double width, double height) {
  const double length = wend_sqrt(width * width + height * height);
  const double longer = width > height ? width : height, shorter = width > height ? height : width;
  if (grid->diagonal_length == WEND_DIAGONAL || shorter == 0) return length;
  return length * (longer + (grid->diagonal_length - 1) * shorter) / (longer + (WEND_DIAGONAL - 1) * shorter);
}

/* The position on the line, from 0 to 1, where a column or a row ends; 2: the line ends in it. */
static double end_of(int64_t crossed, int64_t all) { return crossed < all ? ((double)crossed + 0.5) / (double)all : 2; }

/* width, height: how many columns and rows the line crosses, without sign. column, row: how many it has crossed. step_x,
 * step_y: their signs. whole: the length of the line. middle: the position, from 0 to 1, up to which lengths are counted: the
 * middle of the stretch in the current cell. */
wend_line wend_line_begin(const wend_grid *grid, wend_id from, wend_id to) {
  wend_line line;
  int64_t x = (int64_t)((from - 1) % grid->width), y = (int64_t)((from - 1) / grid->width);
  int64_t width = (int64_t)((to - 1) % grid->width) - x, height = (int64_t)((to - 1) / grid->width) - y;
  line.x = (uint32_t)x, line.y = (uint32_t)y;
  line.step_x = width < 0 ? -1 : 1, line.step_y = height < 0 ? -1 : 1;
  line.width = width < 0 ? -width : width, line.height = height < 0 ? -height : height;
  line.column = line.row = 0;
  line.column_ends = end_of(0, line.width), line.row_ends = end_of(0, line.height);
  line.whole = wend_line_length(grid, (double)line.width, (double)line.height);
  line.diagonal = grid->diagonal_length;
  line.middle = 0;
  line.length = 0;
  line.direction = 0;
  return line;
}

/* The position on the line, from 0 to 1, where it leaves the current cell. */
static double leaving(const wend_line *line) { return line->column_ends < line->row_ends ? line->column_ends : line->row_ends; }

bool wend_line_next(wend_line *line) {
  int64_t order; /* below 0: the column ends first; above 0: the row; 0: both, at a corner. Exact, because it is an integer */
  int dx = 0, dy = 0;
  if (line->column == line->width && line->row == line->height) return false;
  order = (2 * line->column + 1) * line->height - (2 * line->row + 1) * line->width;
  if (line->row == line->height || (line->column < line->width && order <= 0)) dx = line->step_x;
  if (line->column == line->width || (line->row < line->height && order >= 0)) dy = line->step_y;
  if (line->width == 0 || line->height == 0 || line->width == line->height) {
    line->length = dx != 0 && dy != 0 ? line->diagonal : 1;
    line->column += dx != 0, line->row += dy != 0;
  } else {
    const double entered = leaving(line);
    double middle = 1;
    if (dx != 0) line->column_ends = end_of(++line->column, line->width);
    if (dy != 0) line->row_ends = end_of(++line->row, line->height);
    if (line->column < line->width || line->row < line->height) middle = (entered + leaving(line)) / 2;
    line->length = (middle - line->middle) * line->whole;
    line->middle = middle;
  }
  line->x += (uint32_t)dx, line->y += (uint32_t)dy;
  line->direction = wend_direction(dx, dy);
  return true;
}

bool wend_grid_is_free(const wend_grid *grid, wend_id from, int direction) {
  const wend_costs costs = {NULL, NULL, NULL, 0, NULL, 0};
  wend_stepper stepper = wend_grid_stepper(grid, &costs);
  return wend_step_stretch(&stepper, wend_region_find(&stepper.region, grid, from), direction, 0, wend_line_rule(grid)) <
         INFINITY;
}

/* By how much rounding may raise the lower bound of a line. */
#define LEAST_ROUNDING (1 + 1e-9)

bool wend_line_may_be_free(const wend_stepper *stepper, wend_id from, wend_id to) {
  const wend_region *region = &stepper->region;
  wend_cell_line line = wend_cell_line_between(region->stride, wend_region_find(region, stepper->grid, from),
                                               wend_region_find(region, stepper->grid, to));
  while (wend_cell_line_next(&line))
    if (line.place != stepper->opened && !wend_step_enters(stepper, line.place)) return false;
  return true;
}

double wend_line_cost(wend_stepper *stepper, wend_id from, wend_id to, double least, double most) {
  wend_diagonals diagonals = wend_line_rule(stepper->grid);
  wend_line line = wend_line_begin(stepper->grid, from, to);
  uint32_t place = wend_region_place(&stepper->region, line.x, line.y);
  double cost = 0, rest = line.whole; /* the length that is left */
  while (wend_line_next(&line)) {
    cost += wend_step_stretch(stepper, place, line.direction, line.length, diagonals);
    rest -= line.length;
    if (!(cost <= most && cost + rest * least <= most * LEAST_ROUNDING) || stepper->invalid) return INFINITY;
    place = wend_region_place(&stepper->region, line.x, line.y);
  }
  return cost;
}

/* What the steps of a line over hexes cost, each 1 long. INFINITY: it is blocked, or costs more than `most`. */
static double hex_line_cost(wend_stepper *s, wend_id from, wend_id to, double most) {
  wend_hex_line line = wend_hex_line_between(s->grid, wend_grid_place(s->grid, from), wend_grid_place(s->grid, to));
  double sum = 0;
  for (uint32_t place = line.place; wend_hex_line_next(&line); place = line.place) {
    double least = INFINITY;
    for (int i = 0; i < line.ways && !s->invalid; i++) {
      const wend_hex_way *way = &line.way[i];
      double cost = wend_step_stretch(s, place, way->direction, 1, WEND_ALWAYS);
      if (way->past != WEND_NONE && cost < INFINITY) cost += wend_step_stretch(s, way->past, way->onward, 1, WEND_ALWAYS);
      if (cost < least) least = cost;
    }
    sum += least;
    if (!(sum <= most) || s->invalid) return INFINITY;
  }
  return sum;
}

wend_status wend_grid_leg(const wend_grid *grid, const wend_costs *costs, wend_id from, wend_id to, double most, double *cost) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  *cost = grid->shape == WEND_SQUARES ? wend_line_cost(&stepper, from, to, 0, most) : hex_line_cost(&stepper, from, to, most);
  return stepper.invalid ? WEND_ABORTED : WEND_OK;
}

/* How near to a corner a line passes through it, in cells. A walker that stands on a diagonal is a little off it, by rounding;
 * without this its line would cross one of the cells beside it. */
#define AT_CORNER 1e-9

/* The positions on the line, from 0 to 1, where the next column and the next row begin; 2: it ends in this one. */
typedef struct crossing {
  double column, row;
} crossing;

static crossing next_crossing(const double *a, const double *b, double x, double y) {
  crossing next = {2, 2};
  if (x != floor(b[0])) next.column = ((b[0] < a[0] ? x : x + 1) - a[0]) / (b[0] - a[0]);
  if (y != floor(b[1])) next.row = ((b[1] < a[1] ? y : y + 1) - a[1]) / (b[1] - a[1]);
  return next;
}

/* An example: from (0.2, 0.5) to (2.2, 0.5), all weights 1. The line is 2 long. It leaves the first cell at t = 0.4 and the
 * second at 0.9; the middle of the stretch in the second is at 0.65. So the first step is 1.3 long, the second one 0.7. */
double wend_line_cost_between(wend_stepper *stepper, const double *a, const double *b, double most) {
  const wend_diagonals diagonals = wend_line_rule(stepper->grid);
  const double width = stepper->grid->width, height = stepper->grid->height, end_x = floor(b[0]), end_y = floor(b[1]);
  const double length = wend_line_length(stepper->grid, fabs(b[0] - a[0]), fabs(b[1] - a[1]));
  const double near = length > 0 ? AT_CORNER / length : 0;
  double x = floor(a[0]), y = floor(a[1]), cost = 0, middle = 0;
  crossing next;
  if (!(x >= 0 && y >= 0 && x < width && y < height && end_x >= 0 && end_y >= 0 && end_x < width && end_y < height))
    return INFINITY;
  next = next_crossing(a, b, x, y);
  while (x != end_x || y != end_y) {
    const double left = next.column < next.row ? next.column : next.row;
    const uint32_t place = wend_region_place(&stepper->region, (uint32_t)x, (uint32_t)y);
    const bool on_x = next.column <= next.row + near && next.column < 2, on_y = next.row <= next.column + near && next.row < 2;
    const int step_x = !on_x ? 0 : b[0] < a[0] ? -1 : 1, step_y = !on_y ? 0 : b[1] < a[1] ? -1 : 1;
    double beyond = 1;
    x += step_x, y += step_y;
    if (x != end_x || y != end_y) {
      next = next_crossing(a, b, x, y);
      beyond = (left + (next.column < next.row ? next.column : next.row)) / 2;
    }
    cost += wend_step_stretch(stepper, place, wend_direction(step_x, step_y), beyond > middle ? (beyond - middle) * length : 0,
                              diagonals);
    if (!(cost <= most) || stepper->invalid) return INFINITY;
    middle = beyond;
  }
  return cost;
}

wend_status wend_grid_line_clear(const wend_grid *grid, const wend_costs *costs, const double *a, const double *b,
                                 bool *clear) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  *clear = wend_line_cost_between(&stepper, a, b, INFINITY) < INFINITY;
  return stepper.invalid ? WEND_ABORTED : WEND_OK;
}

/* The cost from one cell of a path to the next: by a step or a portal if there is one, otherwise by a leg. If there is a portal
 * and a leg is cheaper, the leg counts. */
static double cost_between(wend_stepper *stepper, wend_id from, wend_id to) {
  double cost = wend_step_between(stepper, from, to), straight, weight;
  uint32_t tag;
  if (stepper->invalid || (cost < INFINITY && !wend_grid_find_portal(stepper->grid, from, to, &weight, &tag))) return cost;
  straight = wend_line_cost(stepper, from, to, 0, cost);
  return straight < cost ? straight : cost;
}

/* A second look, at the legs that are left: from each corner to the last that a leg may lead to, though legs to corners between are
 * blocked. OK, ABORTED. */
static wend_status skip_cells(wend_stepper *stepper, wend_id *cells, uint32_t *count, double *cost) {
  uint32_t kept = 1;
  *cost = 0;
  for (uint32_t i = 0, best; i + 1 < *count; i = best) {
    const wend_id from = cells[i];
    double spent = cost_between(stepper, from, cells[i + 1]), leg = spent;
    best = i + 1;
    for (uint32_t j = i + 2; j < *count && j - i <= WEND_LOOK_POINTS && !stepper->invalid; j++) {
      double straight;
      spent += cost_between(stepper, cells[j - 1], cells[j]);
      if (!wend_line_may_be_free(stepper, from, cells[j])) continue;
      straight = wend_line_cost(stepper, from, cells[j], 0, spent * (1 + 1e-12));
      if (straight < INFINITY) best = j, spent = leg = straight < spent ? straight : spent;
    }
    if (stepper->invalid) return WEND_ABORTED;
    *cost += leg;
    cells[kept++] = cells[best];
  }
  *count = kept;
  return WEND_OK;
}

/* Greedy: extends each leg cell by cell while it costs no more than the path. For example, a path goes (0,0) (1,0) (2,1) (3,1)
 * over open cells of weight 1, at 1 + 1.414 + 1 = 3.414. The leg from (0,0) to (1,0) costs 1, that to (2,1) 2.236, and that to
 * (3,1) 3.162, each no more than the path up to there. So the result is (0,0) (3,1). The number of tests is linear in the cells
 * of the path; each takes as long as its leg. */
wend_status wend_grid_straighten(const wend_grid *grid, const wend_costs *costs, wend_id goal, wend_id *cells, uint32_t *count,
                                 double *cost) {
  wend_stepper stepper = wend_grid_stepper(grid, costs);
  uint32_t kept = 1, last = 0; /* the number of cells kept; the index in the path of the last one */
  if (goal != WEND_NO_ID) stepper.opened = wend_region_find(&stepper.region, grid, goal);
  while (last + 1 < *count) {
    wend_id from = cells[kept - 1];
    double spent = cost_between(&stepper, from, cells[last + 1]); /* the cost by the path */
    uint32_t far = last + 1;
    if (stepper.invalid) return WEND_ABORTED;
    if (spent == INFINITY) return WEND_STALE;
    while (far + 1 < *count) {
      double more = spent + cost_between(&stepper, cells[far], cells[far + 1]);
      double straight = wend_line_cost(&stepper, from, cells[far + 1], 0, more);
      if (stepper.invalid) return WEND_ABORTED;
      if (straight == INFINITY) break;
      spent = more;
      far++;
    }
    cells[kept++] = cells[far];
    last = far;
  }
  *count = kept;
  return skip_cells(&stepper, cells, count, cost);
}
