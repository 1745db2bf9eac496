/* SPDX-License-Identifier: MIT */
/* After the kernel has run: follows the parents from the goal back, and sums the cost of the path.
 *
 * On grids the sums of the kernel may be off in the last bits (WEND_SLACK), so the cost is summed again along the path. */
#include "core/pathfinder/trace.h"

#include <math.h>

#include "core/search/kernel.h"

WEND_NO_FUSING

/* Steps in one direction. */
typedef struct leg {
  uint32_t steps, places; /* places: how far a step moves in the region */
  wend_id cells;          /* the same by ids, modulo 2^64 */
} path_leg;

/* The leg between two places in one row, column or diagonal. */
static path_leg leg_between(const wend_search *s, uint32_t from, uint32_t to) {
  const uint32_t stride = s->region.stride;
  const int64_t dx = (int64_t)(to % stride) - from % stride, dy = (int64_t)(to / stride) - from / stride;
  const int64_t x = (dx > 0) - (dx < 0), y = (dy > 0) - (dy < 0);
  path_leg made;
  made.steps = (uint32_t)(dx != 0 ? dx * x : dy * y);
  made.places = (uint32_t)(y * stride + x);
  made.cells = (wend_id)(y * s->grid->width + x);
  return made;
}

/* The corner of the way from the parent of a jump point, which is a diagonal, then a straight: where the two meet. For example,
 * from the parent (0,0) to (5,2): (2,2). Without diagonals the way is a vertical, then a horizontal. One of the ends: there is no
 * corner. */
static uint32_t corner_of_jump(const wend_search *s, uint32_t parent, uint32_t place) {
  const uint32_t stride = s->region.stride;
  const int64_t dx = (int64_t)(place % stride) - parent % stride, dy = (int64_t)(place / stride) - parent / stride;
  const int64_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy, diagonal = ax < ay ? ax : ay;
  if (s->grid->diagonals == WEND_NEVER) return (uint32_t)(parent + dy * (int64_t)stride);
  return (uint32_t)(parent + (dx < 0 ? -diagonal : diagonal) + (dy < 0 ? -diagonal : diagonal) * (int64_t)stride);
}

/* Whether the agent view has the costs of the resulting path: no portal may be on it. */
static bool has_legs(const wend_search *s) { return s->view != NULL && s->grid->live_portals == 0; }

/* The cost of the step onto a place, by the agent view. step: how far it moves in the region. */
static inline double cost_of_cell_step(const wend_search *s, uint32_t to, uint32_t step) {
  const wend_cell_cost onto = wend_agent_view_cost(s->view, s->grid, &s->region, to);
  const uint32_t stride = s->region.stride;
  const bool straight = step + 1 <= 2 || step == stride || step == 0 - stride;
  const double cost = straight ? onto.straight : onto.diagonal;
  if (WEND_LIKELY(s->opts.costs.influence_count == 0)) return cost;
  return cost + (straight ? 1 : s->grid->diagonal_length) * wend_step_added(&s->stepper, to);
}

/* The cost of the resulting path over a grid, summed in the order of travel; NaN: a cost is invalid. */
double wend_pathfinder_sum_cells(wend_search *s) {
  double cost = 0;
  if (!has_legs(s)) {
    for (uint32_t i = 1; i < s->path_length; i++)
      cost += wend_step_between(&s->stepper, s->path_nodes[i - 1], s->path_nodes[i]);
    return s->stepper.invalid ? NAN : cost;
  }
  for (uint32_t i = 1, before = wend_search_place(s, s->path_nodes[0]); i < s->path_length; i++) {
    const uint32_t place = wend_search_place(s, s->path_nodes[i]);
    cost += cost_of_cell_step(s, place, place - before);
    before = place;
  }
  return cost;
}

/* The same over a graph. */
static double sum_edges(wend_search *s) {
  const wend_graph *graph = s->graph;
  double cost = 0;
  for (uint32_t i = 0; i + 1 < s->path_length; i++) {
    const uint32_t edge = wend_slots_find(&graph->edges, s->path_edges[i]);
    const uint32_t from = graph->edges.value[edge]; /* the node that the edge comes from */
    cost += wend_edge_cost(&s->stepper, edge, from != wend_slots_find(&graph->nodes, s->path_nodes[i]));
  }
  return s->stepper.invalid ? NAN : cost;
}

double wend_pathfinder_sum(wend_search *s) { return s->graph != NULL ? sum_edges(s) : wend_pathfinder_sum_cells(s); }

/* Turns a list of ids around. */
static void reverse(wend_id *ids, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    const wend_id id = ids[i];
    ids[i] = ids[count - 1 - i];
    ids[count - 1 - i] = id;
  }
}

/* Appends a place to those from which lay_cells makes the path. path_nodes has at least as much room. False: no memory. */
static bool append_place(wend_search *s, uint32_t place) {
  if (s->path_length >= s->path_edges_capacity && !wend_search_reserve_path(s, (uint64_t)s->path_length + 1)) return false;
  s->path_edges[s->path_length++] = place;
  return true;
}

/* Adds the costs of a leg that begins at a place and a cell, step by step. */
static double add_leg(wend_search *s, const path_leg *taken, uint32_t place, wend_id cell, double cost) {
  if (has_legs(s)) {
    for (uint32_t i = 0; i < taken->steps; i++) cost += cost_of_cell_step(s, place += taken->places, taken->places);
  } else if (s->summed) {
    for (uint32_t i = 0; i < taken->steps; i++, cell += taken->cells)
      cost += wend_step_between(&s->stepper, cell, cell + taken->cells);
  }
  return cost;
}

/* Makes the path over a grid from the places in path_edges, which come from its end back: those of its steps, or the ends of its
 * legs. Sums its cost in the order of travel; NaN: a cost is invalid. False: no memory. */
static bool lay_cells(wend_search *s, double *cost) {
  const bool legs = has_legs(s), filled = !s->opts.corners;
  uint32_t left = s->path_length - 1, place = (uint32_t)s->path_edges[left], length = 1;
  wend_id cell = wend_search_id(s, place);
  *cost = 0;
  s->path_nodes[0] = cell;
  while (left-- > 0) {
    const uint32_t to = (uint32_t)s->path_edges[left];
    const path_leg next = legs ? leg_between(s, place, to) : (path_leg){1, to - place, wend_search_id(s, to) - cell};
    *cost = add_leg(s, &next, place, cell, *cost);
    if (legs && filled) {
      if (!wend_search_reserve_path(s, (uint64_t)length + next.steps)) return false;
      for (uint32_t i = 1; i < next.steps; i++) s->path_nodes[length++] = cell + i * next.cells;
    }
    s->path_nodes[length++] = cell += next.steps * next.cells;
    place = to;
  }
  s->path_length = length;
  if (s->stepper.invalid) *cost = NAN;
  return true;
}

/* Appends the places between two in one row, column or diagonal. False: no memory. */
static bool append_between(wend_search *s, uint32_t from, uint32_t to) {
  const path_leg way = leg_between(s, from, to);
  for (uint32_t i = 1; i < way.steps; i++)
    if (!append_place(s, from + i * way.places)) return false;
  return true;
}

/* Appends what is between a jump point and its parent: the corner, or on a grid with portals all cells. False: no memory. */
static bool append_jump(wend_search *s, uint32_t parent, uint32_t place) {
  const uint32_t bend = corner_of_jump(s, parent, place);
  const bool all = !has_legs(s);
  if ((wend_marks_of(&s->marks, place)->stamp & MARK_LINKED) != 0) return true;
  if (all && !append_between(s, place, bend)) return false;
  if (bend != place && bend != parent && !append_place(s, bend)) return false;
  return !all || append_between(s, bend, parent);
}

wend_status wend_pathfinder_follow_parents(wend_search *s, uint64_t *left) {
  uint32_t place = s->traced, before = place, step = WEND_NONE, parent;
  double cost = 0;
  for (;; before = place, place = parent) {
    if (*left == 0) return s->traced = place, WEND_RUNNING;
    --*left;
    parent = wend_marks_of(&s->marks, place)->parent;
    if (s->expansion == EXPAND_CELLS && place - before == step) s->path_edges[s->path_length - 1] = place;
    else if (!append_place(s, place)) return WEND_NO_MEMORY;
    step = place - before;
    if (s->graph != NULL) s->path_nodes[s->path_length - 1] = wend_search_id(s, place);
    if (parent == WEND_NONE) break;
    if (s->graph != NULL) s->path_edges[s->path_length - 1] = wend_search_edge(s, wend_marks_arrival(&s->marks, place)->via);
    if (s->expansion == EXPAND_JUMPS && !append_jump(s, parent, place)) return WEND_NO_MEMORY;
  }
  s->traced = WEND_NONE;
  if (s->graph != NULL) {
    reverse(s->path_nodes, s->path_length);
    reverse(s->path_edges, s->path_length - 1);
  } else if (!lay_cells(s, &cost)) {
    return WEND_NO_MEMORY;
  }
  if (!s->summed && s->noise.most > 0) cost = wend_pathfinder_sum(s); /* marks have no true costs */
  if (!s->summed && s->noise.most > 0 && !(cost >= 0)) return WEND_ABORTED;
  s->path_cost =
      s->summed || s->noise.most > 0 ? wend_marks_of(&s->marks, place)->g + cost : wend_marks_of(&s->marks, s->trace_end)->g;
  s->path_cost = wend_kernel_beyond_goal(s, s->trace_end, s->path_cost);
  return WEND_OK;
}

void wend_pathfinder_begin_trace(wend_search *s, uint32_t place) {
  s->traced = s->trace_end = place;
  s->path_length = 0;
}

wend_status wend_pathfinder_take_path(wend_search *s, uint32_t place) {
  uint64_t all = UINT64_MAX;
  wend_pathfinder_begin_trace(s, place);
  return wend_pathfinder_follow_parents(s, &all);
}

wend_status wend_pathfinder_take_nearest(wend_search *s) {
  if (s->expansion == EXPAND_JUMPS) {
    const bool known = wend_marks_has(&s->marks, s->nearest);
    wend_mark *mark = wend_marks_add(&s->marks, &s->alloc, s->nearest);
    if (mark == NULL) return WEND_NO_MEMORY;
    if (!known || s->nearest_cost < mark->g) { /* a scan has passed it */
      mark->g = s->nearest_cost;
      mark->parent = s->nearest_parent;
      mark->stamp = s->marks.epoch;
    }
    s->view = NULL; /* the search has ended, and no longer holds it */
  }
  return wend_pathfinder_take_path(s, s->nearest);
}

int wend_leg_direction(const wend_grid *grid, wend_id from, wend_id to) {
  const int64_t width = grid->width, a = (int64_t)from - 1, b = (int64_t)to - 1;
  const int64_t dx = b % width - a % width, dy = b / width - a / width;
  double weight;
  uint32_t tag;
  if (dx != 0 && dy != 0 && dx != dy && dx != -dy) return -1;
  if (grid->portal_count > 0 && wend_grid_find_portal(grid, from, to, &weight, &tag)) return -1;
  return wend_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0));
}

/* A leg does not go on to a cell to which a portal leads from its first one: the two would mean the portal. */
uint32_t wend_keep_corners(const wend_grid *grid, wend_id *cells, uint32_t length) {
  uint32_t kept = length > 0;
  int before = -1;
  for (uint32_t i = 1; i < length; i++) {
    const int direction = wend_leg_direction(grid, cells[kept - 1], cells[i]);
    if (direction >= 0 && direction == before && wend_leg_direction(grid, cells[kept - 2], cells[i]) >= 0) kept--;
    cells[kept++] = cells[i];
    before = direction;
  }
  return kept;
}

void wend_search_keep_corners(wend_search *s, const wend_grid *grid) {
  s->path_length = wend_keep_corners(grid, s->path_nodes, s->path_length);
}

uint32_t wend_pathfinder_best_goal(const wend_search *s) {
  uint32_t best = s->goals.places[0];
  for (uint32_t k = 1; k < s->goals.count; k++) {
    uint32_t goal = s->goals.places[k];
    double a = wend_kernel_beyond_goal(s, goal, wend_marks_of(&s->marks, goal)->g);
    double b = wend_search_ends_path(s, best) ? wend_kernel_beyond_goal(s, best, wend_marks_of(&s->marks, best)->g) : INFINITY;
    uint32_t a_edges = s->graph != NULL ? wend_marks_arrival(&s->marks, goal)->edge_count : 0;
    uint32_t b_edges = s->graph != NULL ? wend_marks_arrival(&s->marks, best)->edge_count : 0;
    if (!wend_search_ends_path(s, goal) || a > b || (a == b && a_edges > b_edges)) continue;
    if (a < b || a_edges < b_edges || wend_search_id(s, goal) < wend_search_id(s, best)) best = goal;
  }
  return best;
}

wend_status wend_pathfinder_end(wend_search *s, wend_status status) {
  /* Rounding, or the costs at the ends, may put the path above max_cost only now. */
  if (status == WEND_OK && s->path_cost > (wend_search_turns_on(s) ? s->g_ceiling : s->opts.max_cost)) status = WEND_BUDGET;
  if (status == WEND_NO_PATH && s->goals.count == 0) status = WEND_OK; /* a search without a goal ends with an empty queue */
  if (status == WEND_NO_PATH && s->pruned && s->opts.max_cost < INFINITY) status = WEND_BUDGET;
  wend_buckets_empty(&s->buckets);
  wend_heap_empty(&s->heap);
  s->traced = WEND_NONE;
  if (s->opts.reach_only) s->path_length = 0, s->path_cost = 0;
  wend_search_drop_view(s);
  wend_search_end_trust(s);
  return s->status = status;
}

wend_status wend_pathfinder_finish(wend_search *s, wend_status status) {
  if (!s->opts.reach_only && status == WEND_OK) status = wend_pathfinder_take_path(s, wend_pathfinder_best_goal(s));
  return wend_pathfinder_end(s, status);
}
