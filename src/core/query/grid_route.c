/* SPDX-License-Identifier: MIT */
/* Routes over a grid: from any position to any position, along the cheapest path of cells.
 *
 *   1  search the path from the cell under `from` to the cell under `to`           find_path
 *   2  replace its cells by points: `from`, the centres of the cells, `to`         follow_path
 *   3  replace stretches by straight legs that are free and cost no more           straighten_corners
 *
 * The first and the last cell have no point of their own. So a route that is found again from a position on the way does not
 * lead back to the centre of the cell. An example, the path of cells a b c d:
 *
 *      a b . .       the points are `from`, which lies anywhere in a; the centres of b and c; and `to`, anywhere in d. With
 *      . . c d       straight legs, the centres of b and c are usually left out as well.
 *
 * From a centre, a diagonal step passes exactly through the corner. From elsewhere it crosses one of the two cells beside it,
 * which may be closed or dear. Then the route first bends onto the diagonal: see bend.
 *
 *      # c           # is closed, and the grid allows a diagonal beside one closed cell. The step leads from the lower left
 *      f d           cell, where f is `from`, to c. If f lies high in its cell, the straight line to the centre of c crosses
 *                    the closed cell. The bend is the point on the diagonal halfway between the foot of f and the corner. It
 *                    lies ahead of f, so the route turns by less than a right angle. */
#include <math.h>
#include <string.h>

#include "core/cost/bounds.h"
#include "core/lines/line.h"
#include "core/query/routing.h"
#include "core/search/ends.h"

WEND_NO_FUSING

/* A point of the route before it is straightened. */
typedef struct corner {
  double at[2]; /* x and y in cells */
  wend_id cell; /* it is the centre of this cell; WEND_NO_ID: it lies elsewhere */
  double cost;  /* of the way from the point before, along the path */
  bool link;    /* the way from the point before is a portal */
} corner;

/* A cost that is larger only by rounding counts as equal. */
#define ROUNDING (1 + 1e-12)

/* The length of the line between two points. */
static double length_between(const routing *r, const double *a, const double *b) {
  return wend_line_length(r->grid, fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

static bool same_place(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1]; }

static void centre_of(const wend_grid *grid, wend_id cell, double *at) {
  at[0] = (double)((cell - 1) % grid->width) + 0.5;
  at[1] = (double)((cell - 1) / grid->width) + 0.5;
}

/* The cell under a point; WEND_NO_ID: the point lies outside the grid. */
static wend_id cell_under(const wend_grid *grid, const double *at) {
  const double x = floor(at[0]), y = floor(at[1]);
  if (!(x >= 0 && y >= 0 && x < grid->width && y < grid->height)) return WEND_NO_ID;
  return (wend_id)y * grid->width + (wend_id)x + 1;
}

/* ---- The points of the path -------------------------------------------------------------------------------- */

/* The greatest number of points beyond one for each cell: `from` and `to`; for the first and for the last step the centres of
 * its cells and two bends. */
#define MORE_POINTS 12

/* Appends a point; not if the last point has the same position. */
static void add_corner(routing *r, const double *at, wend_id cell, double cost, bool link) {
  corner *end = &r->corners[r->count];
  if (r->count > 0 && !link && same_place(end[-1].at, at)) {
    end[-1].cost += cost;
    if (cell != WEND_NO_ID) end[-1].cell = cell;
    return;
  }
  memcpy(end->at, at, sizeof end->at);
  end->cell = cell;
  end->cost = cost;
  end->link = link;
  r->count++;
}

static void append_centre(routing *r, wend_id cell, double cost, bool link) {
  double centre[2];
  centre_of(r->grid, cell, centre);
  add_corner(r, centre, cell, cost, link);
}

/* A way of the path from one of its cells to the next. */
typedef struct cell_step {
  wend_id from, to;
  int direction; /* -1: the cells are not neighbours */
  bool link;     /* it is a portal */
  double cost;   /* from centre to centre */
} cell_step;

/* The way between two cells: a step or a portal, whichever is cheaper. A straight leg replaces a portal that is not cheaper, if
 * the route is straightened. */
static cell_step step_between(routing *r, wend_id from, wend_id to) {
  cell_step found = {from, to, wend_grid_direction(r->grid, from, to), false, INFINITY};
  const uint32_t a = wend_region_find(&r->stepper.region, r->grid, from), b = wend_region_find(&r->stepper.region, r->grid, to);
  const wend_portal *portal = wend_grid_live_portal(r->grid, a, b);
  double cost, straight = INFINITY;
  if (found.direction >= 0) found.cost = wend_step_cell(&r->stepper, a, found.direction, 0, INFINITY, NULL);
  if (portal == NULL) return found;
  cost = wend_step_portal(&r->stepper, portal, a, b, 0, INFINITY);
  if (!(cost < found.cost)) return found;
  if (r->opts.straighten && found.direction < 0) straight = wend_line_cost(&r->stepper, from, to, 0, cost);
  if (straight <= cost) { /* a straight leg must be clear */
    double a_point[2], b_point[2];
    centre_of(r->grid, from, a_point);
    centre_of(r->grid, to, b_point);
    if (!wend_route_is_free(r, a_point, b_point)) straight = INFINITY;
  }
  found.link = cost < straight;
  found.cost = found.link ? cost : straight;
  return found;
}

/* Computes the bend in a cell, near the point `at`, of a diagonal step through the corner of the cell. dx, dy: from the centre
 * toward the corner, each 1 or -1. */
static void bend(const wend_grid *grid, wend_id cell, const double *at, int dx, int dy, double *point) {
  double along; /* of the foot of `at` on the diagonal: 0 at the centre, 0.5 at the corner */
  centre_of(grid, cell, point);
  along = ((at[0] - point[0]) * dx + (at[1] - point[1]) * dy) / 2;
  along = ((along > 0 ? along : 0) + 0.5) / 2;
  point[0] += along * dx;
  point[1] += along * dy;
}

/* How a step is made that begins or ends beside a centre: straight, or with a bend in each cell. */
typedef struct stepping {
  bool bent;
  double first[2], second[2]; /* the bends. One of them may be the end of the step */
  double cost;
} stepping;

/* How a step is made from the point `from` in its first cell to the point `to` in its second. from_cell, to_cell: the cell of
 * which the point is the centre; WEND_NO_ID: it lies elsewhere. At least one of them does. */
static stepping step_over(routing *r, const cell_step *step, const double *from, wend_id from_cell, const double *to,
                          wend_id to_cell) {
  static const int8_t dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
  const int x = dx[step->direction], y = dy[step->direction];
  stepping found = {false, {from[0], from[1]}, {to[0], to[1]}, wend_line_cost_between(&r->stepper, from, to, INFINITY)};
  double length, around;
  if (!IS_DIAGONAL(step->direction)) return found;
  if (from_cell == WEND_NO_ID) bend(r->grid, step->from, from, x, y, found.first);
  if (to_cell == WEND_NO_ID) bend(r->grid, step->to, to, -x, -y, found.second);
  length =
      length_between(r, from, found.first) + length_between(r, found.first, found.second) + length_between(r, found.second, to);
  around = wend_step_stretch(&r->stepper, wend_region_find(&r->stepper.region, r->grid, step->from), step->direction, length,
                             r->grid->diagonals);
  if (found.cost <= around * ROUNDING) return found;
  found.bent = true;
  found.cost = around;
  return found;
}

/* Appends the end of a step, and before it bends where needed. The last point of the route lies in the first cell of the step,
 * `to` in the second. to_cell: the cell of which `to` is the centre; WEND_NO_ID: it lies elsewhere. */
static void append_step(routing *r, const cell_step *step, const double *to, wend_id to_cell) {
  const corner from = r->corners[r->count - 1];
  stepping found;
  double before,
      after; /* the lengths of the legs inside the two cells, which share what the leg between costs less than the step */
  double middle, share;
  if (from.cell != WEND_NO_ID && to_cell != WEND_NO_ID) {
    add_corner(r, to, to_cell, step->cost, false);
    return;
  }
  found = step_over(r, step, from.at, from.cell, to, to_cell);
  if (!found.bent) {
    add_corner(r, to, to_cell, found.cost, false);
    return;
  }
  before = length_between(r, from.at, found.first), after = length_between(r, found.second, to);
  middle = fmin(found.cost, wend_line_cost_between(&r->stepper, found.first, found.second, found.cost));
  share = before + after > 0 ? (found.cost - middle) / (before + after) : 0;
  add_corner(r, found.first, WEND_NO_ID, before * share, false);
  add_corner(r, found.second, WEND_NO_ID, share > 0 ? middle : found.cost, false);
  add_corner(r, to, to_cell, after * share, false);
}

/* Appends the end of the first or the last step of the path. With `clear`, the step may lead over the centres of its cells: the
 * first way that is clear is taken. If none is, the shortest is. */
static void append_clear_step(routing *r, const cell_step *step, const double *to, wend_id to_cell) {
  const uint32_t before = r->count;
  const corner last = r->corners[before - 1];
  for (int over = 0; over < 5; over++) { /* 1: over the first centre, 2: over the second, 3: over both; 4: the shortest */
    bool clear = true;
    if (((over & 1) != 0 && last.cell != WEND_NO_ID) || ((over & 2) != 0 && to_cell != WEND_NO_ID)) continue;
    r->count = before;
    r->corners[before - 1] = last;
    if ((over & 1) != 0) append_centre(r, step->from, 0, false);
    if ((over & 2) != 0) {
      double centre[2];
      centre_of(r->grid, step->to, centre);
      append_step(r, step, centre, step->to);
      add_corner(r, to, to_cell, 0, false);
    } else {
      append_step(r, step, to, to_cell);
    }
    for (uint32_t i = before; i < r->count && clear && over < 4; i++)
      clear = wend_route_is_free(r, r->corners[i - 1].at, r->corners[i].at);
    if (clear) return;
  }
}

/* Fills in the points of a path, with the costs of the ways between them. to: NULL: the route ends at the centre of the last
 * cell. OK, ABORTED; STALE: a way cannot be taken, because the edge function has changed its mind. */
static wend_status follow_path(routing *r, const double *from, const double *to) {
  const wend_id *cells = r->s->path_nodes;
  const uint32_t count = r->s->path_length;
  double centre[2];
  wend_id to_cell;
  centre_of(r->grid, cells[0], centre);
  add_corner(r, from, same_place(from, centre) ? cells[0] : WEND_NO_ID, 0, false);
  centre_of(r->grid, cells[count - 1], centre);
  to_cell = to == NULL || same_place(to, centre) ? cells[count - 1] : WEND_NO_ID;
  for (uint32_t i = 0; i + 1 < count; i++) {
    const cell_step next = step_between(r, cells[i], cells[i + 1]);
    if (next.link || next.direction < 0) { /* from centre to centre */
      append_centre(r, cells[i], 0, false);
      append_centre(r, cells[i + 1], next.cost, next.link);
    } else if (i + 2 == count && to_cell == WEND_NO_ID) {
      append_clear_step(r, &next, to, WEND_NO_ID);
    } else {
      centre_of(r->grid, cells[i + 1], centre);
      append_clear_step(r, &next, centre, cells[i + 1]);
    }
    if (r->stepper.invalid) return WEND_ABORTED;
    if (!(next.cost < INFINITY)) return WEND_STALE;
  }
  if (to != NULL) add_corner(r, to, to_cell, 0, false);
  return WEND_OK;
}

/* ---- Straight legs ----------------------------------------------------------------------------------------- */

/* The cost of the straight leg between two points. INFINITY: it is not free, or costs more than `most`. */
static double leg(routing *r, const corner *a, const corner *b, double most) {
  double cost;
  if (a->cell != WEND_NO_ID && b->cell != WEND_NO_ID) cost = wend_line_cost(&r->stepper, a->cell, b->cell, r->least, most);
  else cost = wend_line_cost_between(&r->stepper, a->at, b->at, most);
  return cost < INFINITY && wend_route_is_free(r, a->at, b->at) ? cost : INFINITY;
}

/* The index of the last point that can follow point i on the route, and in *cost the cost of the leg to it. First the leg
 * doubles, as long as it is free and not dearer than the path. Then bisection finds an end between the last good one and the
 * first bad one. So this takes O(cells of the leg) for a long leg, and not its square.
 *
 *     the legs that are tried from point 0, if those up to point 11 are good:     2, 4, 8, 16 (bad), 12 (bad), 10, 11 */
static uint32_t farthest(routing *r, uint32_t i, double *cost) {
  const corner *corners = r->corners;
  uint32_t good = i + 1, bad = r->count;
  double spent; /* the cost along the path to `good` */
  spent = *cost = corners[good].cost;
  if (corners[good].link) return good;
  for (bool doubling = true; bad - good > 1 && !r->stepper.invalid;) {
    uint32_t next = doubling ? i + 2 * (good - i) : good + (bad - good) / 2, k = good + 1;
    double more = spent, straight;
    if (next >= bad) next = bad - 1;
    for (; k <= next && !corners[k].link; k++) more += corners[k].cost;
    if (k <= next) {
      bad = k;
      continue;
    }
    straight = leg(r, &corners[i], &corners[next], more * ROUNDING);
    if (straight < INFINITY) {
      good = next, spent = more, *cost = straight < more ? straight : more;
    } else {
      bad = next, doubling = false;
    }
  }
  return good;
}

/* Whether the line between two points need not be tested. On uniform ground a path is no longer than the columns and rows of a
 * free line between its ends, with one more cell for each end that is no centre. */
static bool is_hidden(const routing *r, const corner *a, const corner *b, double spent) {
  if (r->uniform > 0 && spent > r->uniform * (fabs(a->at[0] - b->at[0]) + fabs(a->at[1] - b->at[1]) + 3)) return true;
  return a->cell != WEND_NO_ID && b->cell != WEND_NO_ID && !wend_line_may_be_free(&r->stepper, a->cell, b->cell);
}

/* The index of the last point that a straight leg from point i may lead to, at no more cost than the legs between, though lines
 * to points between may be blocked. */
static uint32_t last_seen(routing *r, uint32_t i, double *cost) {
  const corner *at = &r->corners[i];
  double spent = *cost = at[1].cost, cells = 0;
  uint32_t best = i + 1;
  for (uint32_t j = i + 2; j < r->count && j - i <= WEND_LOOK_POINTS && cells < WEND_LOOK_CELLS && !r->stepper.invalid; j++) {
    const corner *to = &r->corners[j];
    double straight;
    spent += to->cost;
    if (is_hidden(r, at, to, spent)) continue;
    cells += fmax(fabs(at->at[0] - to->at[0]), fabs(at->at[1] - to->at[1]));
    straight = leg(r, at, to, spent * ROUNDING);
    if (straight < INFINITY) best = j, cells = 0, spent = *cost = straight < spent ? straight : spent;
  }
  return best;
}

/* The end of the route, if the straight line to it from point i is free and costs no more; otherwise the next point. */
static uint32_t end_seen(routing *r, uint32_t i, double *cost) {
  double spent = 0;
  for (uint32_t k = i + 1; k < r->count; k++) spent += r->corners[k].cost;
  *cost = leg(r, &r->corners[i], &r->corners[r->count - 1], spent * ROUNDING);
  if (*cost < INFINITY) return *cost = fmin(*cost, spent), r->count - 1;
  return *cost = r->corners[i + 1].cost, i + 1;
}

/* Leaves out the points between each one and that which `last` finds. */
static void skip_corners(routing *r, uint32_t (*last)(routing *, uint32_t, double *)) {
  uint32_t count = 1;
  for (uint32_t i = 0, next; i + 1 < r->count; i = next) {
    double cost;
    next = last(r, i, &cost);
    r->corners[count] = r->corners[next];
    r->corners[count].cost = cost;
    r->corners[count++].link = next == i + 1 && r->corners[next].link;
  }
  r->count = count;
}

/* Leaves out points: all between the ends, or first what is quickly found. Later legs only get cheaper, so a line that was
 * too dear between two points stays so, and each pair is tested once. */
static void straighten_corners(routing *r) {
  const wend_cost_summary summary = wend_grid_summarize(r->grid, r->stepper.costs);
  const wend_search_opts *asked = &r->opts.search;
  const bool cheapest = !(asked->variation > 0) && asked->heuristic != WEND_CUSTOM && !(asked->turns.per_turn > 0) &&
                        asked->costs.influence_count == 0;
  double cost;
  r->uniform = cheapest ? summary.uniform : 0, r->least = summary.least;
  if (r->count < 3) return;
  skip_corners(r, end_seen(r, 0, &cost) + 1 == r->count ? end_seen : farthest);
  skip_corners(r, last_seen);
}

/* Writes the result. OK, NO_MEMORY. */
static wend_status write_corners(routing *r) {
  wend_route *route = &r->route;
  wend_id *legs;
  if (!wend_route_reserve(r, r->count, &legs)) return WEND_NO_MEMORY;
  route->count = r->count;
  for (uint32_t i = 0; i < r->count; i++) {
    const corner *at = &r->corners[i];
    const wend_waypoint way = {{at->at[0], at->at[1], 0}, 0, INFINITY, at->cell};
    route->points[i] = way;
    if (i == 0) continue;
    legs[i - 1] = at->link ? at[-1].cell : WEND_NO_ID;
    route->cost += at->cost;
  }
  return WEND_OK;
}

/* ---- The search -------------------------------------------------------------------------------------------- */

#define STARTS_MAX 9u

/* What a way inside a cell costs for the choice of the first step: its length x weight x times, and what layers add. A closed cell:
 * its length. */
static double cost_inside(const routing *r, uint32_t place, double length) {
  const wend_cell cell = wend_region_get(&r->stepper.region, r->grid, place);
  const double times = r->stepper.kind == COSTS_WEIGHTS ? 1 : r->stepper.costs->tags[cell.tag].times;
  return cell.weight < INFINITY ? length * (cell.weight * times + wend_step_added(&r->stepper, place)) : length;
}

/* Where the search begins: at the cell of `from`, and at the cells around it, with the costs of the ways to their centres. So
 * the choice between two ways of nearly the same cost depends on the position, and not on the cell alone.
 *
 * A walker that has come from cell p to the next cell c of its path does not turn back. The cost d(p) of the path from the
 * centre of p is that of the step to c, at least the weight w of c, plus d(c). No position in c is farther than 0.71 from the
 * centre. So its path costs at most 0.71 w + d(c), which is less than d(p), and every way over p costs more than that.
 *
 * A start at its own cell is left out if that is closed and has no portals, unless it may be in range. Returns the number of
 * starts. */
static uint32_t find_starts(routing *r, wend_end *starts) {
  const wend_id start = r->start;
  const double *from = r->from;
  const uint32_t place = wend_region_find(&r->stepper.region, r->grid, start);
  uint32_t count = 0, portals;
  double centre[2];
  bool central;
  (void)wend_grid_portals(r->grid, place, false, &portals);
  centre_of(r->grid, start, centre);
  central = (start == r->goal && !r->ranged) || same_place(from, centre);
  if (central || r->ranged || portals > 0 || wend_step_enters(&r->stepper, place)) {
    starts[count].at = start;
    starts[count++].cost = cost_inside(r, place, length_between(r, from, centre));
  }
  for (int direction = 0; direction < 8 && !central && !r->stepper.invalid; direction++) {
    cell_step step = {start, WEND_NO_ID, direction, false, 0};
    step.cost = wend_step_cell(&r->stepper, place, direction, 0, INFINITY, NULL);
    if (!(step.cost < INFINITY)) continue;
    step.to =
        wend_region_cell(&r->stepper.region, r->grid, (uint32_t)(place + wend_offset(r->stepper.region.stride, direction)));
    centre_of(r->grid, step.to, centre);
    starts[count].at = step.to;
    starts[count].cost = step_over(r, &step, from, WEND_NO_ID, centre, step.to).cost;
    if (starts[count].cost < INFINITY) count++;
  }
  return count;
}

/* Makes the path begin at the cell of `from`. If it comes back to it, the part before is left out. */
static bool begin_at(wend_search *s, wend_id start) {
  uint32_t first = s->path_length;
  while (first > 0 && s->path_nodes[first - 1] != start) first--;
  if (first > 0) {
    s->path_length -= first - 1;
    memmove(s->path_nodes, s->path_nodes + first - 1, s->path_length * sizeof *s->path_nodes);
    return true;
  }
  if (!wend_search_reserve_path(s, (uint64_t)s->path_length + 1)) return false;
  memmove(s->path_nodes + 1, s->path_nodes, s->path_length * sizeof *s->path_nodes);
  s->path_nodes[0] = start;
  s->path_length++;
  return true;
}

/* The square of the distance between the centres of two cells. */
static double square_between(const wend_grid *grid, wend_id a, wend_id b) {
  double p[2], q[2];
  centre_of(grid, a, p);
  centre_of(grid, b, q);
  return (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
}

/* Makes the stepper of a slice. */
static void find_stepper(routing *r) {
  r->stepper = wend_grid_stepper(r->grid, &r->opts.search.costs);
  if (r->opts.search.ends.closed) r->stepper.opened = wend_region_find(&r->stepper.region, r->grid, r->goal);
}

/* Begins the search for the path of cells. RUNNING; NO_PATH, ABORTED, STALE: the search is not needed; NO_MEMORY. */
static wend_status begin_path(routing *r) {
  const wend_search_opts *opts = &r->opts.search;
  const wend_end end = {r->goal, 0};
  wend_end starts[STARTS_MAX];
  const uint32_t start_count = find_starts(r, starts);
  wend_status status;
  if (wend_search_reads(r->s, &opts->costs) != WEND_OK) return WEND_STALE; /* an edge function has named one */
  if (r->stepper.invalid) return WEND_ABORTED;
  if (start_count == 0) return opts->partial ? WEND_RUNNING : WEND_NO_PATH;
  /* If nothing can enter the goal, the search need not look at all that can be reached. */
  if (r->start != r->goal && !opts->partial && !opts->ends.closed && !r->ranged &&
      !wend_step_enters(&r->stepper, wend_region_find(&r->stepper.region, r->grid, r->goal)))
    return WEND_NO_PATH;
  status = wend_paths_begin(r->s, r->map, starts, start_count, &end, 1, opts);
  if (status != WEND_OK) return status;
  r->arrived = r->ranged && wend_search_may_end_at(r->s, r->start);
  r->searching = !r->arrived;
  return WEND_RUNNING;
}

/* After the search: makes the path of cells its result, from the cell under `from` on. */
static wend_status end_path(routing *r, wend_status status) {
  wend_search *s = r->s;
  if (!r->searching) { /* it is there, or cannot leave its cell */
    r->route.partial = !r->arrived;
    return begin_at(s, r->start) ? WEND_OK : WEND_NO_MEMORY;
  }
  if (r->opts.search.partial && (status == WEND_NO_PATH || status == WEND_BUDGET)) {
    r->route.partial = true;
    status = wend_paths_partial(s);
    if (status == WEND_OK &&
        square_between(r->grid, r->start, r->goal) <= square_between(r->grid, s->path_nodes[s->path_length - 1], r->goal))
      s->path_length = 0; /* nothing that it has reached is nearer */
  }
  if (status == WEND_OK && !begin_at(s, r->start)) status = WEND_NO_MEMORY;
  return status;
}

/* ---- The whole route --------------------------------------------------------------------------------------- */

/* Turns the path of cells into the route. OK, NO_MEMORY, ABORTED, STALE. */
static wend_status end_route(routing *r) {
  wend_status status;
  r->corners = wend_search_scratch(r->s, ROUTE_CORNERS, ((uint64_t)r->s->path_length + MORE_POINTS) * sizeof *r->corners);
  if (r->corners == NULL) return WEND_NO_MEMORY;
  status = follow_path(r, r->from, r->route.partial || r->ranged ? NULL : r->to);
  if (status != WEND_OK) return status;
  if (r->opts.straighten) straighten_corners(r);
  return r->stepper.invalid ? WEND_ABORTED : write_corners(r);
}

static wend_status begin_grid_route(routing *r) {
  r->grid = (wend_grid *)r->map;
  r->opts.search.corners = false; /* they are found after all cells */
  r->ranged = wend_range_given(&r->opts.search.ends);
  if (r->ranged) r->opts.search.ends.closed = false;
  r->start = cell_under(r->grid, r->from), r->goal = cell_under(r->grid, r->to);
  if (r->start == WEND_NO_ID || r->goal == WEND_NO_ID) return WEND_NO_PATH;
  find_stepper(r);
  return begin_path(r);
}

static wend_status run_grid_route(routing *r, uint64_t *left) {
  wend_status status = WEND_OK;
  find_stepper(r);
  if (r->searching) status = wend_route_search(r, false, left);
  if (status == WEND_RUNNING) return status;
  status = end_path(r, status);
  return status == WEND_OK ? end_route(r) : status;
}

const routing_kind wend_grid_routing = {begin_grid_route, run_grid_route};
