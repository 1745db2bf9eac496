/* SPDX-License-Identifier: MIT */
/* Heuristics: estimates of the cost from a place to the nearest goal. They never say more than it truly costs (given the least
 * cost per length, bounds.h), so A* finds the cheapest path. */
#ifndef WEND_HEURISTIC_H
#define WEND_HEURISTIC_H

#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* The goals of a search. */
typedef struct wend_goals {
  uint32_t *places;
  double *costs;  /* what it costs to go on from there */
  double *points; /* the low and the high corner of the goals' box, then where each lies */
  wend_end *ends; /* the goals as they were given: the search's own list of them */
  uint32_t places_capacity, costs_capacity, points_capacity, ends_capacity;
  uint32_t count;
  bool any_cost; /* going on from one of them costs something */
} wend_goals;

/* The kernel is compiled for each of these. */
typedef enum wend_heuristic_kind {
  HEURISTIC_ZERO,
  HEURISTIC_EUCLIDEAN_2D, /* one goal of a graph */
  HEURISTIC_EUCLIDEAN_3D,
  HEURISTIC_CELLS,  /* one goal of a grid; octile, manhattan or chebyshev */
  HEURISTIC_GENERAL /* everything else: wend_estimate */
} wend_heuristic_kind;

typedef struct wend_estimator {
  wend_heuristic_kind kind;
  wend_heuristic metric; /* not WEND_AUTO */
  double scale;          /* from a distance in the metric to a cost */
  double target[3];      /* the goal, for the kinds that have one */
  const wend_graph *graph;
  const wend_grid *grid; /* one of the two */
  const wend_region *region;
  const wend_goals *goals;
  wend_heuristic_fn fn; /* for WEND_CUSTOM */
  void *ud;
} wend_estimator;

/* The size of a vector in a metric. Octile: the diagonal way over squares, or cubes. */
double wend_metric_size(wend_heuristic metric, double a, double b, double c);
/* How many times the length of the shortest way the metric of a vector can be. */
double wend_metric_excess(const wend_estimator *e, wend_heuristic metric);
/* Where a place lies: writes the numbers, and returns how many. */
int wend_point_of(const wend_estimator *e, uint32_t place, double *point);
/* How far a place is from the nearest goal. */
double wend_goal_distance(const wend_estimator *e, wend_heuristic metric, uint32_t place);
/* The estimate, of every kind. NaN: the function of the caller gave nonsense. */
double wend_estimate(const wend_estimator *e, uint32_t place);

#endif
