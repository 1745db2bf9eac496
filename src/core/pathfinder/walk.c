/* SPDX-License-Identifier: MIT */
/* From a start to a goal nearby most ways are open, and cost the same all along. So before it expands a cell the search tries a
 * walk: diagonal steps, then straight ones, or the straight ones first. If each cell on it costs the least price of the map, the walk
 * costs what the estimate says, and no path costs less. No cell is expanded then, and the size of the map does not matter.
 *
 *        . . . . G        From S to G: two diagonal steps, then two straight ones. If a cell on this walk is closed, or
 *        . . x x .        costs more, the search tries the straight ones first: x x.
 *        S . . . .                                                                     */
#include "core/pathfinder/walk.h"

#include <string.h>

#include "core/cost/bounds.h"
#include "core/map/neighbours.h"
#include "core/pathfinder/trace.h"
#include "core/search/ends.h"

WEND_NO_FUSING

#define WALK_STEPS_MAX 32

/* Whether the cell at a place is open. */
static bool is_cell_free(const wend_search *s, uint32_t place) {
  return s->view->costs[s->region.kinds[place]].straight < INFINITY;
}

/* Whether the cells beside a diagonal step allow it, on a grid where only cells close anything. */
static bool is_way_round(const wend_search *s, uint32_t from, int direction) {
  const uint32_t stride = s->region.stride;
  const bool beside = is_cell_free(s, (uint32_t)(from + wend_offset(stride, wend_beside(direction)))),
             above = is_cell_free(s, (uint32_t)(from + wend_offset(stride, wend_above(direction))));
  return s->grid->diagonals == WEND_BOTH_OPEN ? beside && above : s->grid->diagonals == WEND_ALWAYS || beside || above;
}

/* Whether a step of the walk is open, and costs the least price. */
static bool is_walk_step(wend_search *s, uint32_t from, int direction, double least) {
  const uint32_t to = (uint32_t)(from + wend_offset(s->region.stride, direction));
  const wend_cell_cost *cost = &s->view->costs[s->region.kinds[to]];
  if (!(cost->straight <= least * (1 + 1e-12) && cost->diagonal <= least * s->grid->diagonal_length * (1 + 1e-12)))
    return false;
  if (s->grid->wall_count > 0 || s->grid->fit != NULL || (IS_DIAGONAL(direction) && s->opts.costs.edge != NULL))
    return wend_step_cell(&s->stepper, from, direction, 0, INFINITY, NULL) < INFINITY;
  return IS_DIAGONAL(direction) ? cost->diagonal < INFINITY && is_way_round(s, from, direction) : cost->straight < INFINITY;
}

/* The steps of all walks from a start to a goal: so many in one direction, and in another. Walks differ in their order: bit i of
 * `turned` is 1 if step i is one in the second direction. */
typedef struct walk_steps {
  int directions[2];
  uint32_t counts[2];
} walk_steps;

static uint32_t next_place(const wend_search *s, uint32_t place, int direction) {
  return (uint32_t)(place + wend_offset(s->region.stride, direction));
}

/* x, y: the goal's distance. */
static walk_steps steps_towards(const wend_grid *grid, int x, int y) {
  const int across = x < 0 ? WEST : EAST, down = y < 0 ? NORTH : SOUTH;
  const int diagonal = y < 0 ? (x < 0 ? NORTH_WEST : NORTH_EAST) : x < 0 ? SOUTH_WEST : SOUTH_EAST;
  const uint32_t wide = (uint32_t)(x < 0 ? -x : x), high = (uint32_t)(y < 0 ? -y : y);
  if (grid->diagonals == WEND_NEVER) return (walk_steps){{across, down}, {wide, high}};
  if (wide > high) return (walk_steps){{diagonal, across}, {high, wide - high}};
  return (walk_steps){{diagonal, down}, {wide, high - wide}};
}

/* Whether a walk enters no place that is closed or costs more. */
static bool is_walk_open(wend_search *s, uint32_t place, const walk_steps *w, uint64_t turned, double least) {
  for (uint32_t i = w->counts[0] + w->counts[1]; i > 0; i--, turned >>= 1) {
    const int direction = w->directions[turned & 1];
    if (!is_walk_step(s, place, direction, least)) return false;
    place = next_place(s, place, direction);
  }
  return true;
}

/* Stores the cells of a walk as the path. Returns its cost. */
static double lay_walk(wend_search *s, uint32_t place, wend_id cell, const walk_steps *w, uint64_t turned) {
  double cost = 0;
  s->path_length = 0;
  s->path_nodes[s->path_length++] = cell;
  for (uint32_t i = w->counts[0] + w->counts[1]; i > 0; i--, turned >>= 1) {
    const int direction = w->directions[turned & 1];
    place = next_place(s, place, direction);
    cell += (wend_id)wend_offset(s->grid->width, direction);
    cost += IS_DIAGONAL(direction) ? s->view->costs[s->region.kinds[place]].diagonal
                                   : s->view->costs[s->region.kinds[place]].straight;
    s->path_nodes[s->path_length++] = cell;
  }
  return s->grid->live_portals > 0 ? wend_pathfinder_sum_cells(s) : cost;
}

wend_status wend_find_walk(wend_search *s, const wend_end *start, const wend_end *goal) {
  const uint32_t stride = s->region.stride, from = wend_search_place(s, start->at), to = wend_search_place(s, goal->at);
  const int64_t x = (int64_t)(to % stride) - from % stride, y = (int64_t)(to / stride) - from / stride;
  const double least = s->summary.least;
  uint64_t turned;
  walk_steps w;
  if (x < -WALK_STEPS_MAX || x > WALK_STEPS_MAX || y < -WALK_STEPS_MAX || y > WALK_STEPS_MAX) return WEND_RUNNING;
  if (s->view == NULL) s->view = wend_search_view(s, s->grid, &s->opts.costs, BITS_NONE, true);
  if (s->view == NULL || !wend_search_reserve_path(s, 2 * WALK_STEPS_MAX + 1)) return WEND_NO_MEMORY;
  w = steps_towards(s->grid, (int)x, (int)y);
  turned = (((uint64_t)1 << w.counts[1]) - 1) << w.counts[0];
  if (is_walk_open(s, from, &w, turned, least) ||
      (w.counts[0] > 0 && w.counts[1] > 0 && is_walk_open(s, from, &w, turned >>= w.counts[0], least))) {
    s->path_cost = start->cost + lay_walk(s, from, start->at, &w, turned) + goal->cost;
    if (!s->opts.partial || s->path_cost <= s->opts.max_cost) { /* otherwise the search finds the nearest cell */
      s->stats.loop = WEND_LOOP_WALK;
      return WEND_OK;
    }
  }
  s->path_length = 0;
  if (s->expansion == EXPAND_GRID) s->view = NULL;
  return WEND_RUNNING;
}

/* Whether only the cells, by their kinds, decide what the steps of a search cost, and where it may end. */
static bool is_by_kinds(const wend_grid *grid, const wend_search_opts *opts) {
  const wend_costs *costs = &opts->costs;
  bool passing = false;
  if (grid->kinds == NULL || grid->shape != WEND_SQUARES || grid->wall_count > 0 || !wend_grid_is_plain(grid, costs) ||
      costs->influence_count > 0 || wend_body_size(costs) > 1 || opts->heuristic != WEND_AUTO || opts->variation > 0 ||
      opts->reach_only || opts->turns.per_turn > 0 || wend_search_has_ends(opts))
    return false;
  if (costs->tags != NULL) (void)wend_turns_tags(&grid->map, costs, &passing);
  return !passing;
}

wend_status wend_walk_first(wend_search *s, wend_map *map, const wend_end *start, const wend_end *goal,
                            const wend_search_opts *opts) {
  wend_grid *grid = (wend_grid *)map;
  wend_status status;
  s->walk_tried = false;
  if (!map->is_grid || !is_by_kinds(grid, opts)) return WEND_RUNNING;
  wend_search_clear(s);
  s->graph = NULL, s->grid = grid;
  s->region = s->whole = wend_grid_region(grid);
  s->opts = *opts, s->edge_given = NULL;
  memset(&s->stats, 0, sizeof s->stats);
  s->tables = s->map = map;
  s->expansion = EXPAND_CELLS;
  s->noise.most = 0;
  s->view = wend_search_view(s, grid, &opts->costs, BITS_NONE, true);
  if (s->view == NULL) return wend_search_clear(s), WEND_NO_MEMORY;
  s->summary = s->view->summary;
  if (!(s->summary.least > 0)) return WEND_RUNNING;
  s->walk_tried = true;
  status = wend_find_walk(s, start, goal);
  s->walked = status == WEND_OK;
  if (status == WEND_NO_MEMORY) wend_search_clear(s);
  if (status != WEND_OK) return status;
  s->stats.bound = s->summary.least < WEND_LEAST_MIN ? 0 : s->summary.least;
  s->status = WEND_RUNNING;
  return WEND_OK;
}
