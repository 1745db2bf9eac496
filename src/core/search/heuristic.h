/* SPDX-License-Identifier: MIT */
/* Heuristics: estimates of the cost from a place to the nearest goal. They are admissible: never more than the true cost, given
 * the least cost per length (bounds.h). So A* finds the cheapest path.
 *
 * An example: the goal is 3 columns and 4 rows away, and a step costs at least 2 per length. On a grid with diagonal steps the
 * octile distance is 4 + 0.414 x 3 = 5.243, the length of the shortest path on an open grid. The estimate is 10.485. If diagonal
 * steps are 1.25 long, it is 4 + 0.25 x 3 = 4.75.
 *
 * With shortcuts (shortcuts.h), `least` is the least cost per length of all steps but them. A path that takes none costs at
 * least the straight estimate. A path that takes some costs at least the straight estimate to where the first one begins, and
 * the value of that place. The value is the cost of the shortcut, and from its end the same again. So the estimate of a place
 * is the least of 1 + k numbers. It is admissible and consistent, and never below the estimate that the least cost per length
 * of all steps gives. If there are too many shortcuts, those of the least value count, and the estimate is at most the value of
 * the next one.
 *
 * Short shortcuts get one value for both ends instead: that of all other steps. A cheapest path takes each of them at most once,
 * so all together lower its cost by at most `saved`, the sum of what each costs less than other steps of its length. The estimate
 * is lower by that. It is not consistent then, but admissible: the kernel expands a place again if it gets cheaper.
 *
 *        A . . . . . . B      Steps cost 1, the shortcut from a to b costs 2. The value of a is 2 + 1 = 3. The estimate of A
 *          a ========>  b     is the lesser of 7, its distance to B, and 1 + 3: its distance to a, and the value of a. */
#ifndef WEND_HEURISTIC_H
#define WEND_HEURISTIC_H

#include "core/map/graph_store.h"
#include "core/map/grid.h"
#include "core/cost/step.h"
#include "core/prepared/prepared.h"

/* The goals of a search. */
typedef struct wend_goals {
  uint32_t *places;
  double *costs;               /* the cost at each goal, added to the cost of a path that ends there */
  double *points;              /* the low and the high corner of the box around the goals, then the position of each goal */
  const wend_last_step *steps; /* what is beyond each, for the caller's heuristic; NULL: nothing */
  wend_end *ends;              /* a copy of the goals as the caller gave them */
  uint64_t *lines; /* for jump points to several goals: row << 32 | column of each in order, then column << 32 | row */
  uint32_t places_capacity, costs_capacity, points_capacity, ends_capacity, lines_capacity;
  uint32_t count;
  uint32_t aims; /* the first goals, which have points: estimates are those of the way to these */
  bool any_cost; /* some cost is not 0 */
  bool tested;   /* the goals that the search began with are no ends, but goals that it adds are: search/ends.h */
} wend_goals;

/* The kernel is compiled for each of these. */
typedef enum wend_heuristic_kind {
  HEURISTIC_ZERO,
  HEURISTIC_EUCLIDEAN_2D, /* one goal of a graph */
  HEURISTIC_EUCLIDEAN_3D,
  HEURISTIC_CELLS,     /* one goal of a grid; octile, manhattan or chebyshev */
  HEURISTIC_HEXES,     /* one goal over hexes, in steps */
  HEURISTIC_LANDMARKS, /* the rows of a prepared graph */
  HEURISTIC_PLANES,    /* the planes of a prepared grid, and the distance to the goals; the greater counts */
  HEURISTIC_GENERAL    /* everything else: wend_estimate */
} wend_heuristic_kind;

/* What the tables of a prepared map say about the goals of a search. The bound of a place, in units, is the greatest difference
 * of to[place] - to_goals and from_goals - from[place] over all landmarks. The slack of the tables is in these numbers: `to_goals`
 * are greater by it, and `from_goals` are less. */
typedef struct wend_goal_bounds {
  const uint16_t *rows; /* of the map; set again before each slice */
  uint32_t stride, count;
  uint32_t from;                                                         /* where the numbers `from` begin in a row */
  uint64_t stamp;                                                        /* of the tables; 0: the search does not use them */
  double scale;                                                          /* the cost of a unit */
  uint16_t to_goals[WEND_LANDMARKS_MAX], from_goals[WEND_LANDMARKS_MAX]; /* the greatest and the least of all goals */
} wend_goal_bounds;

/* What a search uses of the planes of a group of cells. For a cell of the group, at column x and row y of its block, the
 * difference between the numbers of the cell and of the goals is at least  at + east x + south y, in units. */
typedef struct wend_plane_choice {
  uint32_t serial; /* of the search that made this choice; otherwise it has not met the group */
  int32_t at, east, south;
} wend_plane_choice;

/* The same for the planes of a prepared grid (base/planes.h). A search uses one landmark for each group of cells: the one that
 * gives the greatest bound at the centre of the block, when the search first meets the group. The bounds of neighbouring groups
 * need not fit together: the kernel expands a place again if it gets cheaper. */
typedef struct wend_plane_bounds {
  const wend_planes *planes;     /* of the map; set again before each slice */
  const wend_prepared *prepared; /* likewise */
  uint64_t stamp;                /* of the tables; 0: the search does not use them */
  uint64_t slack;                /* when the search began */
  uint32_t usable;               /* then: a bit for each landmark that reaches all goals */
  double scale, halves;          /* the cost of a unit; a price x this is half of it, for the agent */
  double goal_half;              /* the least half of any goal */
  int64_t high[WEND_LANDMARKS_MAX], low[WEND_LANDMARKS_MAX]; /* the numbers of all goals lie between, with the slack */
  wend_plane_choice *choices;                                /* by group */
  uint32_t choices_capacity, serial;
} wend_plane_bounds;

/* A place where a shortcut begins that may be worth taking. */
typedef struct wend_way_in {
  double point[3];
  double value; /* a lower bound of the cost from there to the goals, through this shortcut */
} wend_way_in;

typedef struct wend_estimator {
  wend_heuristic_kind kind;
  wend_heuristic metric;         /* not WEND_AUTO */
  double scale;                  /* cost per distance in the metric */
  double target[3];              /* the goal, for the kinds that have one */
  bool around;                   /* many goals lie around a centre, that of their box: see wend_estimator_around */
  double centre[3], half, reach; /* half of the longest side of the box; how far the goals lie from the centre at most */
  double nearer;                 /* by how much an end may be nearer than the goal, in the metric: search/ends.h */
  double foremost[8][2];         /* on grids: the goal nearest to the places in each of eight directions, from the centre */
  const wend_graph *graph;
  const wend_grid *grid; /* one of the two is NULL */
  bool squares;          /* the cells of the grid are no hexes */
  const wend_region *region;
  const wend_goals *goals;
  wend_heuristic_fn fn; /* for WEND_CUSTOM */
  void *ud;
  wend_goal_bounds goal_bounds;
  wend_plane_bounds plane_bounds;
  wend_heuristic_kind straight; /* the kind without tables, where the search uses some */
  bool knows_shortcuts;         /* they matter for this search */
  uint32_t way_in_count;
  wend_way_in ways_in[WEND_WAYS_IN_MAX]; /* by value */
  double most;                           /* the value of the nearest shortcut that is not one of these; INFINITY: none */
  double saved;                          /* by how much short shortcuts may lower the cost of a path */
} wend_estimator;

/* Whether distances over a grid count steps over hexes, whatever the metric; and whether they are those of a metric of squares. */
static inline bool wend_counts_hexes(const wend_estimator *e, wend_heuristic metric) {
  return !e->squares && e->grid != NULL && metric != WEND_EUCLIDEAN;
}
static inline bool wend_counts_squares(const wend_estimator *e, wend_heuristic metric) {
  return e->squares && metric != WEND_EUCLIDEAN;
}

/* What the shorter side of a rectangle adds to the longer one in the metric octile: by how much a diagonal step is longer than a
 * straight one. */
static inline double wend_octile_minor(const wend_estimator *e) {
  return (e->grid != NULL ? e->grid->diagonal_length : WEND_DIAGONAL) - 1;
}
/* The same for each metric of cells: manhattan, chebyshev, octile. */
static inline double wend_metric_minor(const wend_estimator *e, wend_heuristic metric) {
  return metric == WEND_OCTILE ? wend_octile_minor(e) : metric == WEND_MANHATTAN ? 1 : 0;
}
/* The greatest ratio of the size of a vector in a metric to the length of the shortest path along it. Estimates are divided by
 * it, so that every metric is admissible. For example, manhattan in the plane: the vector (1, 1) has size 2, but a straight
 * edge along it is 1.414 long, so the result is 2 / 1.414 = 1.414. On a grid whose diagonal steps are 1 long it is 2. */
double wend_metric_excess(const wend_estimator *e, wend_heuristic metric);
/* The greatest size of a vector of length 1 in a metric. */
double wend_metric_most(const wend_estimator *e, wend_heuristic metric);
/* The position of a place: writes its coordinates, and returns their number. */
int wend_point_of(const wend_estimator *e, uint32_t place, double *point);
/* The distance from a place to the nearest goal. */
double wend_goal_distance(const wend_estimator *e, wend_heuristic metric, uint32_t place);
/* Prepares better estimates than those of the box for goals that are the places in range of a goal. Takes O(goals). */
void wend_estimator_around(wend_estimator *e);
/* Tables of the map for these goals, at the costs of an agent, without their slack. False: they must not be used. Takes
 * O(tags + goals). */
bool wend_goal_bounds_begin(wend_goal_bounds *aims, const wend_map *map, const wend_prepared *prepared, const wend_costs *costs,
                            const wend_goals *goals);
/* Subtracts the slack of the tables from the bounds. False: there is none. */
bool wend_goal_bounds_lower(wend_goal_bounds *aims, const wend_prepared *prepared);
/* Whether the map still has the tables that the search began with. It sets the rows. */
bool wend_goal_bounds_find(wend_goal_bounds *aims, const wend_map *map);

/* The bound of a row, in units; >= 0. */
WEND_INLINE uint32_t wend_goal_bounds_bound(const wend_goal_bounds *aims, const uint16_t *row) {
  const uint16_t *from = row + aims->from;
  uint32_t bound = 0;
#if defined(__SSE2__) || defined(_M_X64)
  __m128i best = _mm_setzero_si128();
  for (uint32_t k = 0; k < aims->count; k += 8) {
    const __m128i to_goals = _mm_loadu_si128((const __m128i *)(const void *)(aims->to_goals + k));
    const __m128i from_goals = _mm_loadu_si128((const __m128i *)(const void *)(aims->from_goals + k));
    best = wend_max_of_8(best, _mm_subs_epu16(_mm_loadu_si128((const __m128i *)(const void *)(row + k)), to_goals));
    best = wend_max_of_8(best, _mm_subs_epu16(from_goals, _mm_loadu_si128((const __m128i *)(const void *)(from + k))));
  }
  bound = wend_max_in_8(best);
#else
  for (uint32_t k = 0; k < aims->count; k++) {
    if (row[k] > aims->to_goals[k] && (uint32_t)row[k] - aims->to_goals[k] > bound)
      bound = (uint32_t)row[k] - aims->to_goals[k];
    if (aims->from_goals[k] > from[k] && (uint32_t)aims->from_goals[k] - from[k] > bound)
      bound = (uint32_t)aims->from_goals[k] - from[k];
  }
#endif
  return bound;
}

/* Planes of the grid for these goals, at the costs of an agent. False: they must not be used, or there is no memory, which is
 * the same: the search does without. Takes O(kinds + goals x landmarks). */
bool wend_plane_bounds_begin(wend_plane_bounds *bounds, const wend_alloc *alloc, const wend_grid *grid,
                             const wend_prepared *prepared, const wend_costs *costs, const wend_goals *goals);
/* As wend_goal_bounds_find. */
bool wend_plane_bounds_find(wend_plane_bounds *bounds, const wend_map *map);
/* By how much the slack lowers the bounds. */
static inline double wend_plane_bounds_lowered(const wend_plane_bounds *bounds) {
  return bounds->scale * (double)(bounds->slack - 1);
}
/* Chooses the landmark of a group. */
void wend_plane_bounds_choose(const wend_plane_bounds *bounds, uint32_t group);

/* The bound of a cell for the agent. price: of a straight step onto it, at the costs that the planes are for. May be negative. */
WEND_INLINE double wend_plane_bounds_of(const wend_plane_bounds *bounds, uint32_t x, uint32_t y, double price) {
  const wend_planes *planes = bounds->planes;
  const uint32_t group = wend_planes_group(planes, x, y), mask = (1u << planes->shift) - 1;
  const wend_plane_choice *choice;
  if (WEND_UNLIKELY(group >= bounds->choices_capacity)) return 0; /* none, or made by an edit since the search began */
  choice = &bounds->choices[group];
  if (WEND_UNLIKELY(choice->serial != bounds->serial)) wend_plane_bounds_choose(bounds, group);
  return bounds->scale * (choice->at + choice->east * (int32_t)(x & mask) + choice->south * (int32_t)(y & mask)) +
         bounds->goal_half - bounds->halves * price;
}

/* Notes the shortcuts. The rest of the estimator is set: kind HEURISTIC_GENERAL, not WEND_CUSTOM, and the scale for all steps but
 * shortcuts. Removes shortcuts that improve nothing. straight: the estimate of the start without them.
 * start: its point; NULL: there are several. False: they are too many, and the estimate is worth no more than without them.
 * changes: found. The time is quadratic in their number. */
bool wend_estimator_take(wend_estimator *e, wend_shortcuts *found, double straight, const double *start);
/* The estimate, of every kind. NaN: the caller's function gave an invalid one. */
double wend_estimate(const wend_estimator *e, uint32_t place);

#endif
