/* SPDX-License-Identifier: MIT */
/* Estimates: how far it is to the nearest goal, in the metric of the heuristic. A part of search.c. */

/* Up to so many goals are measured one by one; beyond, their bounding box stands for them. */
#define GOALS_MEASURED 8u

/* The size of a vector in a metric. Octile: the diagonal way over squares, or cubes. */
static double metric_size(wend_heuristic metric, double a, double b, double c) {
  double swap;
  a = fabs(a), b = fabs(b), c = fabs(c);
  switch (metric) {
    case WEND_MANHATTAN: return a + b + c;
    case WEND_CHEBYSHEV: return a > b ? (a > c ? a : c) : (b > c ? b : c);
    case WEND_OCTILE:
      if (a < b) swap = a, a = b, b = swap;
      if (a < c) swap = a, a = c, c = swap;
      if (b < c) swap = b, b = c, c = swap;
      return a + (sqrt(2) - 1) * b + (sqrt(3) - sqrt(2)) * c;
    default: return wend_sqrt(a * a + b * b + c * c);
  }
}

/* The metric of a vector is at most this many times the length of the shortest way. */
static double metric_excess(const wend_search *s, wend_heuristic metric) {
  int dimensions;
  if (s->grid != NULL) return metric == WEND_MANHATTAN && s->grid->diagonals != WEND_NEVER ? sqrt(2) : 1;
  dimensions = s->graph->dimensions;
  if (metric == WEND_MANHATTAN) return sqrt(dimensions);
  if (metric == WEND_OCTILE) return metric_size(WEND_EUCLIDEAN, 1, sqrt(2) - 1, dimensions == 3 ? sqrt(3) - sqrt(2) : 0);
  return 1;
}

/* Where a place lies: the numbers, and how many. */
static int point_of(const wend_search *s, uint32_t place, double *point) {
  if (s->grid != NULL) {
    point[0] = wend_region_x(&s->region, place);
    point[1] = wend_region_y(&s->region, place);
    return 2;
  }
  memcpy(point, wend_graph_point(s->graph, place), (size_t)s->graph->dimensions * sizeof *point);
  return s->graph->dimensions;
}

/* How far a place is from the nearest goal; with `boxed`, from their box. */
static double goal_distance(const wend_search *s, wend_heuristic metric, uint32_t place, bool boxed) {
  double p[3] = {0, 0, 0}, least = INFINITY;
  int dimensions = point_of(s, place, p);
  const double *low = s->goal_points, *high = low + dimensions, *goal = high + dimensions;
  if (boxed) {
    double d[3] = {0, 0, 0};
    for (int i = 0; i < dimensions; i++) d[i] = p[i] < low[i] ? low[i] - p[i] : p[i] > high[i] ? p[i] - high[i] : 0;
    return metric_size(metric, d[0], d[1], d[2]);
  }
  for (uint32_t k = 0; k < s->goal_count; k++, goal += dimensions) {
    double size = metric_size(metric, p[0] - goal[0], p[1] - goal[1], dimensions == 3 ? p[2] - goal[2] : 0);
    if (size < least) least = size;
  }
  return least;
}

/* The user's own estimate, for the goal that it says is nearest. NaN, where it gave nonsense, goes through. */
static double custom_heuristic(const wend_search *s, uint32_t place) {
  double least = INFINITY;
  for (uint32_t k = 0; k < s->goal_count; k++) {
    double h = s->opts.estimate(s->opts.heuristic_ud, id_of(s, place), id_of(s, s->goals[k]));
    if (!(h >= 0)) return NAN;
    if (h < least) least = h;
  }
  return least;
}

static WEND_NOINLINE double general_heuristic(const wend_search *s, uint32_t place) {
  if (s->heuristic == HEURISTIC_ZERO) return 0;
  if (s->metric == WEND_CUSTOM) return custom_heuristic(s, place);
  return goal_distance(s, s->metric, place, s->goal_count > GOALS_MEASURED) * s->scale;
}

/* How far a place is from where the option `partial` is to lead. */
static double distance_toward(const wend_search *s, uint32_t place) {
  double p[3], sum = 0;
  for (int d = 0, dimensions = point_of(s, place, p); d < dimensions; d++)
    sum += (p[d] - s->opts.toward[d]) * (p[d] - s->opts.toward[d]);
  return wend_sqrt(sum);
}
