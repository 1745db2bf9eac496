/* SPDX-License-Identifier: MIT */
/* Heuristics: the size of the offset to the goal in a metric, times the least cost per length. heuristic.h has the contracts.
 *
 *   1 goal         the offset to it
 *   2 to 8 goals   the nearest of them
 *   more           the box around all goals: the offset is 0 inside the box
 *
 *        . . . . . . .        9 goals g in a box of 3 x 3. From p, the box is 2 columns and 1 row away: the estimate never
 *        . p . . . . .        exceeds that of the nearest goal, and costs the same for any number of goals.
 *        . . . g g g .
 *        . . . g g g .
 *        . . . g g g .
 *
 * Places in range of a goal lie around it, and a search that ends there should expand no more than one to the goal itself. On an
 * open grid that takes the distance to the nearest of them to the last bit: if estimates are less by ever so little, all cells of
 * equally long paths are expanded. For most cells the nearest one depends only on the direction: on one side of each axis and each
 * diagonal through all goals, the distance is linear, so one goal is the foremost for all. For the others each goal is measured,
 * up to 64. If there are more, or on graphs, the greater of two bounds counts: that of the box, and the distance to the centre less
 * the reach, by which the goals lie apart from it.
 *
 * Over hexes a distance is a number of steps (wend_hex_steps). It never falls if the offset grows, so the box serves as well.
 *
 * A prepared map has tables instead, with the greatest and the least of their numbers over all goals as a box. */
#include "core/search/heuristic.h"

#include <math.h>
#include <string.h>

WEND_NO_FUSING

/* For up to this many goals, the distance to each is computed. More goals are replaced by the box around them. */
#define GOALS_MEASURED 8u
#define AROUND_MEASURED 64u /* the same for those in range of a goal */

/* The size of the vector (a, b, c) in a metric; 2 dimensions: c is 0. For (3, 4, 0): euclidean 5, manhattan 7, chebyshev 4,
 * octile 4 + 0.414 x 3 = 5.243. Octile is the length of a path of straight and diagonal steps over squares, or cubes. */
static double metric_size(const wend_estimator *e, wend_heuristic metric, double a, double b, double c) {
  double swap;
  if (wend_counts_hexes(e, metric)) return wend_hex_steps(e->grid->shape, a, b);
  a = fabs(a), b = fabs(b), c = fabs(c);
  switch (metric) {
    case WEND_MANHATTAN: return a + b + c;
    case WEND_CHEBYSHEV: return a > b ? (a > c ? a : c) : (b > c ? b : c);
    case WEND_OCTILE:
      if (a < b) swap = a, a = b, b = swap;
      if (a < c) swap = a, a = c, c = swap;
      if (b < c) swap = b, b = c, c = swap;
      return a + wend_octile_minor(e) * b + (sqrt(3) - sqrt(2)) * c;
    default: return wend_sqrt(a * a + b * b + c * c);
  }
}

double wend_metric_excess(const wend_estimator *e, wend_heuristic metric) {
  int dimensions;
  if (wend_counts_hexes(e, metric)) return 1;
  if (e->grid != NULL) {
    const double shorter = WEND_DIAGONAL / e->grid->diagonal_length; /* than along the diagonal of a square */
    if (e->grid->diagonals == WEND_NEVER) return 1;
    return metric == WEND_MANHATTAN ? sqrt(2) * shorter : metric == WEND_EUCLIDEAN && shorter > 1 ? shorter : 1;
  }
  dimensions = e->graph->dimensions;
  if (metric == WEND_MANHATTAN) return sqrt(dimensions);
  if (metric == WEND_OCTILE) return metric_size(e, WEND_EUCLIDEAN, 1, sqrt(2) - 1, dimensions == 3 ? sqrt(3) - sqrt(2) : 0);
  return 1;
}

double wend_metric_most(const wend_estimator *e, wend_heuristic metric) {
  const double minor = wend_octile_minor(e);
  const bool solid = e->graph != NULL && e->graph->dimensions == 3;
  if (metric == WEND_MANHATTAN) return sqrt(solid ? 3 : 2) * (1 + 1e-9);
  if (metric != WEND_OCTILE || wend_counts_hexes(e, metric)) return 1 + 1e-9;
  return sqrt(1 + minor * minor + (solid ? 5 - 2 * sqrt(6) : 0)) * (1 + 1e-9); /* (sqrt(3) - sqrt(2)) squared */
}

int wend_point_of(const wend_estimator *e, uint32_t place, double *point) {
  if (e->squares) {
    point[0] = wend_region_x(e->region, place);
    point[1] = wend_region_y(e->region, place);
    return 2;
  }
  if (e->grid != NULL) {
    wend_region_hex(e->region, e->grid->shape, place, point);
    return 2;
  }
  memcpy(point, wend_graph_point(e->graph, place), (size_t)e->graph->dimensions * sizeof *point);
  return e->graph->dimensions;
}

/* The distance from a place to the box around the goals. */
static double box_distance(const wend_estimator *e, wend_heuristic metric, uint32_t place) {
  double p[3] = {0, 0, 0}, d[3] = {0, 0, 0};
  const int dimensions = wend_point_of(e, place, p);
  const double *low = e->goals->points, *high = low + dimensions;
  for (int i = 0; i < dimensions; i++) d[i] = p[i] < low[i] ? low[i] - p[i] : p[i] > high[i] ? p[i] - high[i] : 0;
  return metric_size(e, metric, d[0], d[1], d[2]);
}

/* wend_goal_distance for a metric of cells. */
static double cell_distance(const wend_estimator *e, wend_heuristic metric, double x, double y) {
  const double minor = wend_metric_minor(e, metric);
  const double *goal = e->goals->points + 4, *end = goal + 2 * (size_t)e->goals->aims;
  double least = INFINITY;
  for (; goal < end; goal += 2) {
    const double a = fabs(x - goal[0]), b = fabs(y - goal[1]), size = a > b ? a + minor * b : b + minor * a;
    least = size < least ? size : least;
  }
  return least;
}

double wend_goal_distance(const wend_estimator *e, wend_heuristic metric, uint32_t place) {
  double p[3] = {0, 0, 0}, least = INFINITY;
  const int dimensions = wend_point_of(e, place, p);
  const double *goal = e->goals->points + 2 * dimensions;
  if (wend_counts_squares(e, metric)) return cell_distance(e, metric, p[0], p[1]);
  for (uint32_t k = 0; k < e->goals->aims; k++, goal += dimensions) {
    const double size = metric_size(e, metric, p[0] - goal[0], p[1] - goal[1], dimensions == 3 ? p[2] - goal[2] : 0);
    if (size < least) least = size;
  }
  return least;
}

/* The number of the direction of a vector: of eight, between the axes and the diagonals. */
static unsigned octant_of(double x, double y) {
  return (unsigned)(x < 0) | (unsigned)(y < 0) << 1 | (unsigned)(fabs(y) > fabs(x)) << 2;
}

void wend_estimator_around(wend_estimator *e) {
  const int dimensions = e->grid != NULL ? 2 : e->graph->dimensions;
  const double *low = e->goals->points, *high = low + dimensions, *goal = high + dimensions;
  double least[8], away;
  e->around = e->goals->count > GOALS_MEASURED;
  e->half = e->reach = 0;
  for (int i = 0; i < dimensions; i++) {
    e->centre[i] = (low[i] + high[i]) / 2;
    if ((high[i] - low[i]) / 2 > e->half) e->half = (high[i] - low[i]) / 2;
  }
  away = e->half + 1;
  for (int k = 0; k < 8; k++) least[k] = INFINITY;
  for (uint32_t i = 0; i < e->goals->count; i++, goal += dimensions) {
    const double x = goal[0] - e->centre[0], y = goal[1] - e->centre[1];
    const double size = metric_size(e, e->metric, x, y, dimensions == 3 ? goal[2] - e->centre[2] : 0) * (1 + 1e-9);
    if (size > e->reach) e->reach = size;
    for (unsigned k = 0; k < 8; k++) { /* seen from a point for which the direction counts */
      const double far_x = k & 4 ? away : 3 * away, far_y = k & 4 ? 3 * away : away;
      const double there = metric_size(e, e->metric, (k & 1 ? -far_x : far_x) - x, (k & 2 ? -far_y : far_y) - y, 0);
      if (there < least[k]) least[k] = there, e->foremost[k][0] = x, e->foremost[k][1] = y;
    }
  }
}

/* The distance from a place to goals around a centre, or a lower bound of it. */
static double around_distance(const wend_estimator *e, wend_heuristic metric, uint32_t place) {
  double p[3] = {0, 0, 0}, box, bound;
  const int dimensions = wend_point_of(e, place, p);
  const double x = p[0] - e->centre[0], y = p[1] - e->centre[1], a = fabs(x), b = fabs(y);
  if (wend_counts_hexes(e, metric) && e->goals->count <= AROUND_MEASURED) return wend_goal_distance(e, metric, place);
  if (wend_counts_squares(e, metric)) {
    const double *foremost = e->foremost[octant_of(x, y)];
    if ((a < b ? a : b) >= e->half && fabs(a - b) >= 2 * e->half)
      return metric_size(e, metric, x - foremost[0], y - foremost[1], 0);
    if (e->goals->count <= AROUND_MEASURED) return wend_goal_distance(e, metric, place);
  }
  box = box_distance(e, metric, place);
  bound = metric_size(e, metric, x, y, dimensions == 3 ? p[2] - e->centre[2] : 0) - e->reach;
  return bound > box ? bound : box;
}

static wend_id goal_id(const wend_estimator *e, uint32_t place) {
  if (e->grid != NULL) return wend_region_cell(e->region, e->grid, place);
  return wend_slots_id(&e->graph->nodes, e->graph->slot_of[place]);
}

/* The least estimate of the caller's function over all goals. */
static double custom_estimate(const wend_estimator *e, uint32_t place) {
  double least = INFINITY;
  for (uint32_t k = 0; k < e->goals->aims; k++) {
    const wend_id goal = e->goals->steps != NULL ? e->goals->steps[k].goal : goal_id(e, e->goals->places[k]);
    const double h = e->fn(e->ud, goal_id(e, place), goal);
    if (!(h >= 0)) return NAN;
    if (h < least) least = h;
  }
  return least;
}

bool wend_goal_bounds_begin(wend_goal_bounds *aims, const wend_map *map, const wend_prepared *prepared, const wend_costs *costs,
                            const wend_goals *goals) {
  double share;
  aims->stamp = 0;
  if (prepared->rows == NULL || prepared->off || goals->count == 0) return false;
  share = wend_prepared_share(map, prepared, costs);
  aims->scale = share * prepared->unit * (1 - 1e-9);
  /* Smaller and greater numbers lose their precision, or become infinite. */
  if (!(aims->scale > 1e-200 && aims->scale < POTENTIAL_UNIT_MAX)) return false;
  aims->rows = prepared->rows;
  aims->stride = prepared->stride, aims->count = prepared->count;
  aims->from = prepared->two_way ? 0 : prepared->count;
  memcpy(aims->to_goals, wend_prepared_row(prepared, goals->places[0]), aims->count * sizeof *aims->to_goals);
  memcpy(aims->from_goals, wend_prepared_row(prepared, goals->places[0]) + aims->from, aims->count * sizeof *aims->from_goals);
  for (uint32_t k = 1; k < goals->count; k++) {
    const uint16_t *row = wend_prepared_row(prepared, goals->places[k]);
    for (uint32_t i = 0; i < aims->count; i++) {
      if (row[i] > aims->to_goals[i]) aims->to_goals[i] = row[i];
      if (row[aims->from + i] < aims->from_goals[i]) aims->from_goals[i] = row[aims->from + i];
    }
  }
  aims->stamp = prepared->stamp;
  return true;
}

bool wend_goal_bounds_lower(wend_goal_bounds *aims, const wend_prepared *prepared) {
  const wend_slack *slack = &prepared->slack;
  if (slack->raised == 0) return false;
  for (uint32_t i = 0; i < aims->count; i++) {
    const uint32_t to = aims->to_goals[i] + slack->sums[i], from_slack = slack->sums[aims->count + i];
    aims->to_goals[i] = (uint16_t)(to < POTENTIAL_MAX ? to : POTENTIAL_MAX);
    aims->from_goals[i] = (uint16_t)(aims->from_goals[i] > from_slack ? aims->from_goals[i] - from_slack : 0);
  }
  return true;
}

bool wend_goal_bounds_find(wend_goal_bounds *aims, const wend_map *map) {
  const wend_prepared *prepared = wend_prepared_find(map, aims->stamp);
  if (prepared == NULL) return false;
  aims->rows = prepared->rows;
  return true;
}

bool wend_plane_bounds_begin(wend_plane_bounds *b, const wend_alloc *alloc, const wend_grid *grid,
                             const wend_prepared *prepared, const wend_costs *costs, const wend_goals *goals) {
  const wend_planes *planes = prepared->planes;
  const wend_region region = wend_grid_region(grid);
  const uint32_t known = b->choices_capacity;
  double least = INFINITY, share;
  b->stamp = 0;
  if (planes == NULL || planes->usable == 0 || goals->count == 0) return false;
  b->planes = planes, b->prepared = prepared;
  share = wend_prepared_share(&grid->map, prepared, costs);
  b->scale = share * prepared->unit * (1 - 1e-9);
  b->halves = share / 2 * (1 - 1e-9);
  /* Smaller and greater numbers lose their precision, or become infinite. */
  if (!(b->scale > 1e-200 && b->scale < POTENTIAL_UNIT_MAX)) return false;
  b->slack = wend_planes_slack(planes);
  if (b->slack >= PLANE_NUMBER_MAX) return false; /* it may be more: a link lacks a price that has no number, for example */
  b->usable = planes->usable;
  for (uint32_t k = 0; k < goals->count; k++) {
    const uint32_t place = goals->places[k], x = wend_region_x(&region, place), y = wend_region_y(&region, place);
    const wend_cell cell = wend_region_get(&region, grid, place);
    const double half = b->halves * wend_prepared_price(prepared, cell.tag, cell.weight);
    const uint32_t group = wend_planes_group(planes, x, y);
    if (!(cell.weight < INFINITY) || !(half < INFINITY) || group == GROUP_NONE) return false;
    if (half < least) least = half;
    for (uint32_t l = 0; l < planes->landmarks; l++) {
      const wend_plane *plane = &planes->at[(size_t)group * planes->landmarks + l];
      const int64_t number = wend_plane_at(planes, plane, l, x, y), error = wend_plane_error(planes, plane);
      if (plane->error >= PLANE_UNEVEN) b->usable &= ~(1u << l);
      if (k == 0 || number + error > b->high[l]) b->high[l] = number + error;
      if (k == 0 || number - error < b->low[l]) b->low[l] = number - error;
    }
  }
  for (uint32_t l = 0; l < planes->landmarks; l++) b->high[l] += (int64_t)b->slack, b->low[l] -= (int64_t)b->slack;
  b->goal_half = least;
  if (b->usable == 0 || !WEND_GROW(alloc, b->choices, b->choices_capacity, planes->group_count)) return false;
  memset(b->choices + known, 0, (b->choices_capacity - known) * sizeof *b->choices);
  if (++b->serial == 0) {
    memset(b->choices, 0, b->choices_capacity * sizeof *b->choices);
    b->serial = 1;
  }
  b->stamp = prepared->stamp;
  return true;
}

bool wend_plane_bounds_find(wend_plane_bounds *b, const wend_map *map) {
  const wend_prepared *prepared = wend_prepared_find(map, b->stamp);
  if (prepared == NULL) return false;
  b->planes = prepared->planes, b->prepared = prepared;
  return true;
}

/* It is the landmark that gives the greatest bound at the centre of the block. If none says anything, the bound is so low
 * that the straight distance counts. */
WEND_NOINLINE void wend_plane_bounds_choose(const wend_plane_bounds *b, uint32_t group) {
  const wend_planes *planes = b->planes;
  const int32_t half = 1 << planes->shift >> 1;
  const wend_plane *plane = &planes->at[(size_t)group * planes->landmarks];
  wend_plane_choice *choice = &b->choices[group];
  int64_t most = 0; /* less than nothing is not worth a look */
  choice->serial = b->serial;
  choice->at = -(int32_t)PLANE_NUMBER_MAX, choice->east = choice->south = 0;
  for (uint32_t l = 0; l < planes->landmarks; l++, plane++) {
    const int32_t east = (int32_t)planes->slope_unit * plane->east, south = (int32_t)planes->slope_unit * plane->south;
    const int64_t rise = (int64_t)(east + south) * half, number = wend_plane_at(planes, plane, l, 0, 0) + rise;
    const int64_t above = number - b->high[l], below = b->low[l] - number;
    const int64_t bound = (above > below ? above : below) - wend_plane_error(planes, plane);
    int64_t at;
    if (bound <= most || (b->usable >> l & 1) == 0 || plane->error >= PLANE_UNEVEN) continue;
    most = bound;
    choice->east = above > below ? east : -east, choice->south = above > below ? south : -south;
    at = bound - (int64_t)(choice->east + choice->south) * half;
    choice->at = at < (int64_t)PLANE_NUMBER_MAX ? (int32_t)at : (int32_t)PLANE_NUMBER_MAX;
  }
}

/* The bound of the planes. A closed cell can only be where the search starts. The planes do not have the steps out of it. */
static double plane_estimate(const wend_estimator *e, uint32_t place) {
  const wend_prepared *prepared = e->plane_bounds.prepared;
  const wend_region whole = wend_grid_region(e->grid);
  const wend_cell cell = wend_region_get(&whole, e->grid, place);
  const double price = wend_prepared_price(prepared, cell.tag, cell.weight);
  if (!(cell.weight < INFINITY) || !(price < INFINITY)) return 0;
  return wend_plane_bounds_of(&e->plane_bounds, wend_region_x(e->region, place), wend_region_y(e->region, place), price);
}

/* The bound of the rows. */
static double landmark_estimate(const wend_estimator *e, uint32_t place) {
  return e->goal_bounds.scale *
         wend_goal_bounds_bound(&e->goal_bounds, e->goal_bounds.rows + (size_t)place * e->goal_bounds.stride);
}

/* The estimate without shortcuts. */
static double straight_estimate(const wend_estimator *e, uint32_t place) {
  double distance;
  if (e->around) return around_distance(e, e->metric, place) * e->scale;
  distance = (e->goals->aims > GOALS_MEASURED ? box_distance : wend_goal_distance)(e, e->metric, place) - e->nearer;
  return distance > 0 ? distance * e->scale : 0;
}

/* Squares of distances below this lose their precision. */
#define SQUARED_MIN 1e-140

/* The lesser of an estimate and the one through a shortcut. The square root is taken only where the result is less. */
WEND_INLINE double through_way(const wend_estimator *e, const wend_way_in *way, const double *p, double per_cost,
                               double least) {
  const bool euclidean = e->metric == WEND_EUCLIDEAN;
  const double a = p[0] - way->point[0], b = p[1] - way->point[1], c = p[2] - way->point[2];
  const double square = a * a + b * b + c * c, most = (least - way->value) * per_cost;
  double h;
  if (euclidean && most > SQUARED_MIN && square >= most * most) return least;
  h = (euclidean ? wend_sqrt(square) : metric_size(e, e->metric, a, b, c)) * e->scale + way->value;
  return h < least ? h : least;
}

/* The least of an estimate and those through shortcuts. */
static double through_shortcuts(const wend_estimator *e, const double *p, double least) {
  const double per_cost = 1 / e->scale;
  if (e->most < least) least = e->most;
  for (uint32_t i = 0; i < e->way_in_count && e->ways_in[i].value < least; i++)
    least = through_way(e, &e->ways_in[i], p, per_cost, least);
  return least;
}

/* The estimate with shortcuts for one goal of a graph. */
static double graph_estimate(const wend_estimator *e, uint32_t place) {
  const bool solid = e->graph->dimensions == 3;
  const double *at = wend_graph_point(e->graph, place);
  const double p[3] = {at[0], at[1], solid ? at[2] : 0};
  const double a = p[0] - e->target[0], b = p[1] - e->target[1], c = solid ? p[2] - e->target[2] : 0;
  const double least = through_shortcuts(e, p, wend_sqrt(a * a + b * b + c * c) * e->scale) - e->saved;
  return least > 0 ? least : 0;
}

/* The same for one goal of a grid, for the metrics of cells: a distance is `longer` times the longer side, and `both` times the
 * sum of the sides. Without branches that depend on the cell: they would be guessed wrong half of the time. */
static double cell_estimate(const wend_estimator *e, uint32_t place) {
  const double minor = wend_metric_minor(e, e->metric);
  const double longer = e->scale * (1 - minor), both = e->scale * minor;
  const uint32_t row = place / e->region->stride, column = place - row * e->region->stride;
  const double x = (int32_t)column - 1, y = (int32_t)row - 1;
  double a = fabs(x - e->target[0]), b = fabs(y - e->target[1]);
  double least = (a > b ? a : b) * longer + (a + b) * both;
  if (e->most < least) least = e->most;
  for (uint32_t i = 0; i < e->way_in_count && e->ways_in[i].value < least; i++) {
    const wend_way_in *way = &e->ways_in[i];
    double h;
    a = fabs(x - way->point[0]), b = fabs(y - way->point[1]);
    h = (a > b ? a : b) * longer + (a + b) * both + way->value;
    least = h < least ? h : least;
  }
  return least;
}

/* Short shortcuts may lower all estimates for a trip by this share of its straight estimate: if no others are left, and if the
 * others are known one by one. */
#define ALL_SAVED_MOST (1.0 / 4)
#define SAVED_MOST (1.0 / 16)
/* The value of a shortcut matters up to this factor of the estimate of the start: few searches get farther. If there is no room
 * for those up to the other factor, the estimate is not worth its time. */
#define VALUES_MOST 1.25
#define VALUES_LEAST 0.5
/* Nor if so many are left that are not short: to choose among them takes longer than what is gained. */
#define LEFT_MOST (3 * WEND_WAYS_IN_MAX / 2)
/* The same for graphs: the square of their number, per node; and their number if they save little, for many matter to each place
 * then. */
#define LEFT_SQUARED_MOST 3.0
#define LEFT_SHORT_MOST 32
#define LITTLE (1.0 / 4) /* of the straight estimate of a trip, on average */

/* By how much an edge may lower the cost of a path. */
static double saving_of(const wend_shortcuts *found, const wend_shortcut *shortcut) {
  return (found->least - shortcut->ratio) * shortcut->length * (1 + 1e-9);
}

/* Removes the short shortcuts of a graph, and returns what they save together. straight: see wend_estimator_take. */
static double remove_short(wend_shortcuts *found, double straight) {
  double longest, saved = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < found->count; i++) saved += found->at[i].again ? 0 : saving_of(found, &found->at[i]);
  if (saved <= straight * ALL_SAVED_MOST) {
    found->count = 0;
    return saved;
  }
  for (longest = straight * SAVED_MOST, saved = INFINITY; saved > straight * SAVED_MOST; longest /= 2) {
    saved = 0;
    for (uint32_t i = 0; i < found->count; i++)
      if (!found->at[i].again && saving_of(found, &found->at[i]) <= longest) saved += saving_of(found, &found->at[i]);
  }
  longest *= 2;
  for (uint32_t i = 0; i < found->count; i++)
    if (saving_of(found, &found->at[i]) > longest) found->at[kept++] = found->at[i];
  found->count = kept;
  return saved;
}

/* Whether the shortcuts of a graph save little on average. straight: see wend_estimator_take. */
static bool save_little(const wend_shortcuts *found, double straight) {
  double saved = 0;
  for (uint32_t i = 0; i < found->count; i++) saved += saving_of(found, &found->at[i]);
  return saved < found->count * straight * LITTLE;
}

/* Dijkstra's algorithm over the shortcuts, from the goals. The cost of a shortcut in the list becomes its value. One is left
 * out if going straight is as good, or going to another one. Rounding must not put a value above the truth. */
bool wend_estimator_take(wend_estimator *e, wend_shortcuts *found, double straight, const double *start) {
  if (e->graph != NULL) e->saved = remove_short(found, straight);
  if (found->count > LEFT_MOST) return false;
  if (e->graph != NULL && found->count * found->count > LEFT_SQUARED_MOST * e->graph->nodes.live) return false;
  if (e->graph != NULL && found->count > LEFT_SHORT_MOST && save_little(found, straight)) return false;
  for (uint32_t i = 0; i < found->count; i++) found->at[i].ratio = found->at[i].cost + straight_estimate(e, found->at[i].to);
  while (found->count > 0) {
    wend_way_in way = {{0, 0, 0}, INFINITY};
    uint32_t best = 0;
    for (uint32_t i = 1; i < found->count; i++)
      if (found->at[i].ratio < found->at[best].ratio) best = i;
    way.value = found->at[best].ratio * (1 - 1e-12);
    if (e->way_in_count == WEND_WAYS_IN_MAX || way.value > VALUES_MOST * straight) {
      e->most = way.value;
      return way.value > VALUES_LEAST * straight;
    }
    (void)wend_point_of(e, found->at[best].from, way.point);
    if (!(way.value < through_shortcuts(e, way.point, straight_estimate(e, found->at[best].from)))) {
      found->at[best] = found->at[--found->count];
      continue;
    }
    found->at[best] = found->at[--found->count];
    e->ways_in[e->way_in_count++] = way;
    if (start != NULL) straight = through_shortcuts(e, start, straight);
    for (uint32_t i = 0; i < found->count; i++) {
      wend_shortcut *other = &found->at[i];
      double p[3] = {0, 0, 0};
      if (other->cost + way.value >= other->ratio) continue;
      (void)wend_point_of(e, other->to, p);
      other->ratio = other->cost + through_way(e, &way, p, 1 / e->scale, other->ratio - other->cost);
    }
  }
  return true;
}

/* The estimate by distances. */
static double distance_estimate(const wend_estimator *e, uint32_t place) {
  double p[3] = {0, 0, 0}, straight;
  if (e->metric == WEND_CUSTOM) return custom_estimate(e, place);
  if (!e->knows_shortcuts) return straight_estimate(e, place);
  if (e->goals->aims == 1 && e->nearer == 0) {
    if (e->graph != NULL && e->metric == WEND_EUCLIDEAN) return graph_estimate(e, place);
    if (wend_counts_squares(e, e->metric)) return cell_estimate(e, place);
  }
  straight = straight_estimate(e, place);
  (void)wend_point_of(e, place, p);
  straight = through_shortcuts(e, p, straight) - e->saved;
  return straight > 0 ? straight : 0;
}

/* HEURISTIC_HEXES. */
static double hex_estimate(const wend_estimator *e, uint32_t place) {
  double p[2];
  wend_region_hex(e->region, e->grid->shape, place, p);
  return wend_hex_steps(e->grid->shape, p[0] - e->target[0], p[1] - e->target[1]) * e->scale;
}

double wend_estimate(const wend_estimator *e, uint32_t place) {
  double straight, bound;
  if (e->kind == HEURISTIC_HEXES) return hex_estimate(e, place);
  if (e->kind == HEURISTIC_ZERO) return 0;
  if (e->kind == HEURISTIC_LANDMARKS) return landmark_estimate(e, place);
  straight = e->scale > 0 || e->metric == WEND_CUSTOM ? distance_estimate(e, place) : 0;
  if (e->kind != HEURISTIC_PLANES) return straight;
  bound = plane_estimate(e, place);
  return bound > straight ? bound : straight;
}
