/* SPDX-License-Identifier: MIT */
/* From a start to a goal nearby most ways are open, and cost the same all along. So before the first slice the search tries a
 * walk: diagonal steps, then straight ones, or the straight ones first. If each cell on it costs the least price of the map, the walk
 * costs what the estimate says, and no path costs less. No cell is expanded then, and the size of the map does not matter.
 *
 *        . . . . G        From S to G: two diagonal steps, then two straight ones. If a cell on this walk is closed, or
 *        . . x x .        costs more, the search tries the straight ones first: x x.
 *        S . . . .                                                                     */
#include "core/pathfinder/pathfinder.h"

#include "core/map/neighbours.h"
#include "core/pathfinder/promises.h"
#include "core/search/kernel.h"

WEND_NO_FUSING

#define WALK_STEPS_MAX 32

/* Whether a step of the walk is open, and costs the least price. */
static bool is_walk_step(wend_search *s, uint32_t from, int direction, double least) {
  const uint32_t to = (uint32_t)(from + wend_offset(s->region.stride, direction));
  const wend_cell_cost *cost = &s->view->costs[s->region.kinds[to]];
  if (!(cost->straight <= least * (1 + 1e-12) && cost->diagonal <= least * s->grid->diagonal_length * (1 + 1e-12)))
    return false;
  return (!IS_DIAGONAL(direction) && s->grid->wall_count == 0 && s->grid->fit == NULL) ||
         wend_step_cell(&s->stepper, from, direction, 0, INFINITY, NULL) < INFINITY;
}

/* Walks, and stores the cells as the path. x, y: the goal's distance. least: the price. False: there is a place that it cannot
 * enter. */
static bool take_walk(wend_search *s, uint32_t place, int x, int y, double least, bool straight_first) {
  const int across = x < 0 ? WEST : EAST, down = y < 0 ? NORTH : SOUTH;
  const int diagonal = y < 0 ? (x < 0 ? NORTH_WEST : NORTH_EAST) : x < 0 ? SOUTH_WEST : SOUTH_EAST;
  const int wide = x < 0 ? -x : x, high = y < 0 ? -y : y, longer = wide > high ? wide : high, shorter = wide + high - longer;
  s->path_length = 0;
  for (int i = 0;; i++) {
    int direction = wide > high ? across : down;
    s->path_nodes[s->path_length++] = wend_search_id(s, place);
    if (i == (s->grid->diagonals == WEND_NEVER ? wide + high : longer)) return true;
    if (s->grid->diagonals == WEND_NEVER) direction = (straight_first ? i < high : i >= wide) ? down : across;
    else if (straight_first ? i >= longer - shorter : i < shorter) direction = diagonal;
    if (!is_walk_step(s, place, direction, least)) return false;
    place = (uint32_t)(place + wend_offset(s->region.stride, direction));
  }
}

wend_status wend_pathfinder_walk(wend_search *s) {
  const uint32_t stride = s->region.stride, from = wend_search_place(s, s->walk_from), to = s->goals.places[0];
  const int64_t x = (int64_t)(to % stride) - from % stride, y = (int64_t)(to / stride) - from / stride;
  wend_shortcuts shortcuts;
  wend_status status;
  double least;
  s->walk_from = WEND_NO_ID;
  if (x < -WALK_STEPS_MAX || x > WALK_STEPS_MAX || y < -WALK_STEPS_MAX || y > WALK_STEPS_MAX) return WEND_RUNNING;
  s->view = wend_search_view(s, s->grid, &s->opts.costs, BITS_NONE, true);
  if (s->view == NULL || !wend_search_reserve_path(s, 2 * WALK_STEPS_MAX + 1)) return wend_pathfinder_finish(s, WEND_NO_MEMORY);
  least = wend_grid_is_plain(s->grid, &s->opts.costs) ? s->view->summary.least : wend_pathfinder_summarize(s, &shortcuts).least;
  for (int order = 0; order < 2; order++) {
    if (!take_walk(s, from, (int)x, (int)y, least, order == 1)) continue;
    s->path_cost = wend_marks_of(&s->marks, from)->g + wend_pathfinder_sum_cells(s) + wend_kernel_cost_beyond(s, to);
    if (s->opts.partial && s->path_cost > s->opts.max_cost) break; /* the search finds the nearest cell */
    s->stats.loop = WEND_LOOP_WALK;
    status = wend_promises_confirm(s, to);
    return status == WEND_RUNNING ? status : wend_pathfinder_end(s, status);
  }
  s->path_length = 0;
  if (s->expansion == EXPAND_GRID) s->view = NULL;
  return WEND_RUNNING;
}
