/* SPDX-License-Identifier: MIT */
/* Paths after they were found: whether the map has changed under them, and points along them that are moved at random.
 *
 * Validity compares versions. An example: a path over a grid was found at version 10, and found valid again at version 15, which
 * is `seen`. At version 16 something changes:
 *
 *     a cell of the path                                not valid
 *     the cell where it begins                          valid: the step that leaves it costs the same
 *     the cell of its goal, which may be closed,        valid if it has the same weight and tag, and only the last step covers it
 *     opens or closes
 *     a cell elsewhere                                  valid
 *     a portal of the path                              not valid
 *     a new portal between two successive cells         not valid: it may be cheaper than the step
 *     a new portal between other cells of the path      valid: a shortcut, which the path does not take
 *     the same, between two corners of WEND_CORNERS     not valid: it would mean the portal */
#include "core/cost/step.h"
#include "core/lines/line.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"

WEND_NO_FUSING

/* ---- Validity ---------------------------------------------------------------------------------------------- */

wend_cell wend_goal_value(const wend_map *map, wend_id goal, uint64_t seen) {
  const wend_graph *graph = map->is_grid ? NULL : (const wend_graph *)map;
  const wend_grid *grid = map->is_grid ? (const wend_grid *)map : NULL;
  const double *point;
  wend_cell value = {NAN, WEND_UNTAGGED};
  uint64_t bits, mixed = 0;
  if (grid != NULL ? wend_grid_touched(grid, goal, seen) : wend_graph_node_touched(graph, goal, seen)) return value;
  if (grid != NULL) return wend_grid_kept(grid, goal);
  value.tag = wend_graph_node_tag(graph, goal);
  point = wend_graph_position(graph, goal);
  for (int d = 0; point != NULL && d < wend_graph_dimensions(graph); d++) {
    memcpy(&bits, &point[d], sizeof bits);
    mixed = wend_mix(mixed ^ bits) | 1; /* not that of a node without a position */
  }
  value.weight = (double)(mixed >> 11);
  return value;
}

/* Whether the goal of a path has another value. */
static bool is_goal_changed(const wend_map *map, const wend_path_age *age) {
  const wend_cell value = wend_goal_value(map, age->goal, map->version);
  return value.weight != age->value.weight || ((value.tag ^ age->value.tag) & ~WEND_CELL_CLOSED) != 0;
}

/* Whether node number i of a path has changed. It may have been closed or opened if the path begins at it, or if it is the goal. */
static bool is_node_changed(const wend_graph *graph, wend_id node, uint32_t i, const wend_path_age *age) {
  if (!wend_graph_has_node(graph, node)) return true;
  if (i == 0 || !wend_graph_node_touched(graph, node, age->seen)) return false;
  return node != age->goal || is_goal_changed(&graph->map, age);
}

bool wend_graph_path_valid(const wend_graph *graph, const wend_id *nodes, uint32_t node_count, const wend_id *edges,
                           uint32_t edge_count, const wend_path_age *age) {
  for (uint32_t i = 0; i < edge_count; i++)
    if (wend_graph_edge_touched(graph, edges[i], age->seen)) return false;
  for (uint32_t i = 0; i < node_count; i++)
    if (is_node_changed(graph, nodes[i], i, age)) return false;
  return true;
}

int wend_grid_direction(const wend_grid *grid, wend_id from, wend_id to) {
  static const int8_t by_difference[3][3] = {{0, 1, 2}, {3, -1, 4}, {5, 6, 7}};
  /* 32 bits are enough: WEND_CELLS_MAX. */
  const uint32_t width = wend_grid_width(grid), p = (uint32_t)(from - 1), q = (uint32_t)(to - 1);
  const uint32_t dy = q / width - p / width + 1, dx = q % width - p % width + 1;
  const int direction = dx > 2 || dy > 2 ? -1 : by_difference[dy][dx];
  return direction >= 0 && (wend_lacking(grid, wend_grid_place(grid, from)) >> direction & 1) != 0 ? -1 : direction;
}

/* Whether two cells that are no neighbours are joined by steps. */
static bool is_leg(const wend_grid *grid, wend_id from, wend_id to, wend_legs legs) {
  double weight;
  uint32_t tag;
  if (legs != WEND_CORNERS || grid->portal_count == 0) return legs != WEND_STEPS;
  return !wend_grid_find_portal(grid, from, to, &weight, &tag);
}

bool wend_walk_path(const wend_grid *grid, const wend_id *cells, uint32_t count, wend_legs legs, wend_path_step_fn receive,
                    void *ud) {
  for (uint32_t i = 1; i < count; i++) {
    wend_id cell = cells[i - 1];
    const int direction = wend_grid_direction(grid, cell, cells[i]);
    wend_line line;
    if (direction >= 0 || !is_leg(grid, cell, cells[i], legs)) {
      if (!receive(ud, cell, cells[i], direction, i)) return false;
      continue;
    }
    line = wend_line_begin(grid, cell, cells[i]);
    while (wend_line_next(&line)) {
      const wend_id next = wend_grid_cell(grid, line.x, line.y);
      if (!receive(ud, cell, next, line.direction, i)) return false;
      cell = next;
    }
  }
  return true;
}

/* Whether a cell has changed. The goal of the path may have been closed or opened. */
static bool is_cell_changed(const wend_grid *grid, wend_id cell, const wend_path_age *age) {
  return wend_grid_touched(grid, cell, age->seen) && (cell != age->goal || is_goal_changed(&grid->map, age));
}

/* Whether walls block a step. all: so do closed cells. */
static bool is_step_blocked(const wend_grid *grid, wend_id from, int direction, bool all) {
  const wend_region region = wend_grid_region(grid);
  int ways;
  if (wend_region_walled(&region, wend_region_find(&region, grid, from), direction, &ways) || ways != 3) return true;
  return all && !wend_grid_is_free(grid, from, direction);
}

/* Whether walls inside of a body at a cell block it. all: so do closed cells. goal: it counts as open. */
static bool is_body_blocked(const wend_grid *grid, uint32_t body, wend_id cell, bool all, wend_id goal) {
  const wend_region region = wend_grid_region(grid);
  for (uint32_t i = 0; i < body * body; i++) {
    const wend_id covered = wend_covered_cell(grid, body, cell, i);
    const uint32_t place = covered != WEND_NO_ID ? wend_region_find(&region, grid, covered) : WEND_NONE;
    if (place == WEND_NONE) return true;
    if (all && covered != goal && wend_region_get(&region, grid, place).weight == INFINITY) return true;
    if (grid->walls != NULL && (grid->walls[place] & wend_inner_walls(body, i % body, i / body)) != 0) return true;
  }
  return false;
}

/* What steps of a path are asked. */
typedef struct step_question {
  const wend_grid *grid;
  const wend_path_age *age;
  bool walls;            /* some wall of the grid has changed since `seen`: then a step is valid only if no wall is at it now */
  bool all;              /* closed cells block as walls do, but for the goal */
  const uint8_t *marked; /* by tag */
  bool last;             /* the current step is the one onto the goal: it may be closed or opened. A body may cover it before */
} step_question;

/* The cells beside a diagonal step. */
static void find_beside(const wend_grid *grid, wend_id from, wend_id to, int direction, wend_id *beside) {
  const int64_t width = wend_grid_width(grid), down = direction > 4 ? width : -width;
  beside[0] = (wend_id)((int64_t)from + down);
  beside[1] = (wend_id)((int64_t)to - down);
}

/* Whether nothing blocks a step. Portals lead through walls. */
static bool is_step_free(void *ud, wend_id from, wend_id to, int direction, uint32_t item) {
  const step_question *q = ud;
  const uint32_t body = wend_body_of_size(q->age->size);
  wend_id beside[2];
  (void)item;
  if (body > 1) {
    if (is_body_blocked(q->grid, body, to, q->all, to == q->age->goal ? to : WEND_NO_ID)) return false;
    if (direction < 0) return true;
    if (q->grid->directed != NULL) {
      int ways;
      if (wend_body_walled(q->grid, body, wend_grid_place(q->grid, from), direction, &ways) || ways != 3) return false;
    }
    if (!IS_DIAGONAL(direction)) return true;
    find_beside(q->grid, from, to, direction, beside);
    return !is_body_blocked(q->grid, body, beside[0], q->all, WEND_NO_ID) &&
           !is_body_blocked(q->grid, body, beside[1], q->all, WEND_NO_ID);
  }
  return direction < 0 || !is_step_blocked(q->grid, from, direction, q->all && to != q->age->goal);
}

bool wend_each_cell_of_step(const wend_grid *grid, uint32_t body, wend_id from, wend_id to, int direction,
                            wend_step_cell_fn call, void *ud) {
  wend_id at[3] = {to};
  const uint32_t count = direction >= 0 && IS_DIAGONAL(direction) && grid->shape == WEND_SQUARES ? 3 : 1;
  if (count == 3) find_beside(grid, from, to, direction, at + 1);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < body * body; k++) {
      const wend_id covered = body == 1 ? at[i] : wend_covered_cell(grid, body, at[i], k);
      if (covered != WEND_NO_ID && !call(ud, covered, i > 0)) return false;
    }
  return true;
}

/* Whether a cell of a step is as it was. */
static bool is_cell_unchanged(void *ud, wend_id cell, bool beside) {
  const step_question *q = ud;
  if (cell == q->age->goal && (beside || !q->last)) return !wend_grid_touched(q->grid, cell, q->age->seen);
  return !is_cell_changed(q->grid, cell, q->age);
}

/* Whether a step is as it was: its cells, and a portal that may take its place. */
static bool is_step_unchanged(void *ud, wend_id from, wend_id to, int direction, uint32_t item) {
  step_question *q = ud;
  const bool corners = q->age->legs == WEND_CORNERS && q->grid->portal_count > 0 && direction >= 0;
  (void)item;
  q->last = to == q->age->goal;
  return wend_each_cell_of_step(q->grid, wend_body_of_size(q->age->size), from, to, direction, is_cell_unchanged, ud) &&
         !(corners && wend_grid_portal_touched(q->grid, from, to, q->age->seen));
}

/* The same, and it can be taken. */
static bool is_step_valid(void *ud, wend_id from, wend_id to, int direction, uint32_t item) {
  const step_question *q = ud;
  double weight;
  uint32_t tag;
  if (!is_step_unchanged(ud, from, to, direction, item)) return false;
  if (direction < 0 && !wend_grid_find_portal(q->grid, from, to, &weight, &tag)) return false;
  return !q->walls || is_step_free(ud, from, to, direction, item);
}

/* A quick look, before that at all steps: whether one of the cells has changed, or a portal between successive ones. If a portal
 * joins neighbours, or the ends of a leg, the path may use either of the two: both must be as they were. */
static bool is_any_changed(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age) {
  for (uint32_t i = 1; i < count; i++)
    if (is_cell_changed(grid, cells[i], age) ||
        (grid->portal_count > 0 && wend_grid_portal_touched(grid, cells[i - 1], cells[i], age->seen)))
      return true;
  return false;
}

bool wend_is_path_changed(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age) {
  step_question q = {grid, age, false, false, NULL, false};
  return is_any_changed(grid, cells, count, age) || !wend_walk_path(grid, cells, count, age->legs, is_step_unchanged, &q);
}

bool wend_grid_path_valid(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age) {
  step_question q = {grid, age, wend_grid_walls_changed(grid, age->seen), true, NULL, false};
  return !is_any_changed(grid, cells, count, age) && wend_walk_path(grid, cells, count, age->legs, is_step_valid, &q);
}

bool wend_is_path_blocked(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age, bool all) {
  step_question q = {grid, age, true, all, NULL, false};
  return !wend_walk_path(grid, cells, count, age->legs, is_step_free, &q);
}

bool wend_grid_is_jump(const wend_grid *grid, wend_id from, wend_id to, wend_legs legs, double size) {
  const wend_costs costs = {NULL, NULL, NULL, size, NULL, 0};
  const bool neighbours = wend_grid_direction(grid, from, to) >= 0;
  double weight = INFINITY, cost;
  uint32_t tag;
  const bool portal = wend_grid_find_portal(grid, from, to, &weight, &tag);
  if (!neighbours && legs == WEND_STEPS) return true;
  if (!portal) return false;
  if (!neighbours && legs == WEND_CORNERS) return true;
  return wend_grid_leg(grid, &costs, from, to, INFINITY, &cost) != WEND_OK || cost > weight;
}

/* ---- Tags -------------------------------------------------------------------------------------------------- */

/* Whether nodes have a tag. */
static bool has_nodes(const wend_graph *graph, uint32_t tag) {
  return tag != WEND_UNTAGGED && tag < graph->tagged_capacity && graph->tagged[tag] > 0;
}

bool wend_map_uses(const wend_map *map, const uint8_t *marked) {
  const wend_grid *grid = map->is_grid ? (const wend_grid *)map : NULL;
  if (grid == NULL || grid->kinds == NULL) {
    for (uint32_t tag = 0; tag <= wend_map_tag_count(map); tag++)
      if (marked[tag] &&
          (wend_histogram_count(&map->ratios, tag) > 0 || (!map->is_grid && has_nodes((const wend_graph *)map, tag))))
        return true;
  } else {
    for (uint32_t kind = KIND_FIRST; kind < grid->kind_count; kind++)
      if (grid->palette[kind].count > 0 && marked[grid->palette[kind].tag]) return true;
  }
  for (uint32_t i = 0; grid != NULL && i < grid->portal_count; i++)
    if (!grid->out[i].removed && marked[grid->out[i].tag]) return true;
  return false;
}

/* Whether the node at a place has a tag with a mark. */
static bool is_node_marked(const wend_graph *graph, uint32_t place, const uint8_t *marked) {
  const uint32_t tag = wend_graph_tag_at(graph, place);
  return tag != WEND_UNTAGGED && marked[tag];
}

/* Whether the tag of the edge in a slot, or that of an end, has a mark. */
static bool is_edge_marked(const wend_graph *graph, uint32_t slot, const uint8_t *marked) {
  const uint32_t from = graph->nodes.value[graph->edges.value[slot]];
  const wend_block block = wend_graph_block(graph, from);
  for (uint32_t arc = block.first; arc < block.in; arc++)
    if (graph->arc_edge[arc] == slot)
      return marked[graph->arc_tag[arc]] || is_node_marked(graph, from, marked) ||
             is_node_marked(graph, graph->arc_to[arc], marked);
  for (uint32_t i = 0; i < graph->pending_count; i++) /* not inserted yet: no path that was found can have it */
    if (graph->pending[i].edge == slot) return marked[graph->pending[i].kind >> ARC_TAG_SHIFT];
  return false;
}

bool wend_graph_path_uses(const wend_graph *graph, const wend_id *edges, uint32_t count, const uint8_t *marked) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t slot = wend_slots_find(&graph->edges, edges[i]);
    if (slot != WEND_NONE && is_edge_marked(graph, slot, marked)) return true;
  }
  return false;
}

static bool is_cell_unmarked(void *ud, wend_id cell, bool beside) {
  const step_question *q = ud;
  (void)beside;
  return !q->marked[wend_grid_get(q->grid, cell).tag];
}

/* Whether no cell of a step has a mark. The cell at the end of a portal adds no cost, but must be open. */
static bool is_step_unmarked(void *ud, wend_id from, wend_id to, int direction, uint32_t item) {
  const step_question *q = ud;
  (void)item;
  return wend_each_cell_of_step(q->grid, wend_body_of_size(q->age->size), from, to, direction, is_cell_unmarked, ud);
}

bool wend_grid_path_uses(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age,
                         const uint8_t *marked) {
  step_question q = {grid, age, false, false, marked, false};
  double weight;
  uint32_t tag;
  for (uint32_t i = 1; i < count && grid->portal_count > 0; i++)
    if (wend_grid_find_portal(grid, cells[i - 1], cells[i], &weight, &tag) && marked[tag]) return true;
  return !wend_walk_path(grid, cells, count, age->legs, is_step_unmarked, &q);
}

/* ---- Jitter ------------------------------------------------------------------------------------------------ */

/* The number of distances at which a move is tried: the whole, a half, a quarter. If all are blocked, the point stays. */
#define TRIES 3

void wend_jitter(uint64_t seed, wend_id id, int dimensions, double *offset) {
  uint64_t state = wend_mix(wend_mix(seed) ^ id);
  double square;
  do { /* points of the square, or cube, until one lies in the disc, or ball */
    square = 0;
    for (int d = 0; d < dimensions; d++) {
      state = wend_mix(state);
      offset[d] = 2 * wend_random_unit(state) - 1;
      square += offset[d] * offset[d];
    }
  } while (square > 1);
}

/* Computes where a point is when it is moved by a part of its reach. */
static void move_point(const wend_waypoint *waypoint, uint64_t seed, int dimensions, double part, double *moved) {
  wend_jitter(seed, waypoint->id, dimensions, moved);
  for (int d = 0; d < dimensions; d++) {
    double by = moved[d] * waypoint->reach * part;
    by = by > waypoint->limit ? waypoint->limit : by < -waypoint->limit ? -waypoint->limit : by;
    moved[d] = waypoint->point[d] + by;
  }
}

/* Whether a leg is clear. Without a function all legs are. */
static bool is_leg_free(wend_clear_fn clear, void *ud, const double *a, const double *b) {
  return clear == NULL || clear(ud, a, b);
}

/* The invariant, before point i is moved: if the leg from point i - 1 to point i was clear at first, the leg from point i - 1
 * where it is now to point i where it was is clear too. So point i can always stay. The ends of a leg that was not clear are
 * not moved.
 *
 * An example with the points a b c d and a wall across the leg c-d: a may move, if the leg to b stays clear. b may move, if the
 * legs from the moved a and to c stay clear. c and d stay. */
void wend_jitter_points(wend_waypoint *waypoints, uint32_t count, int dimensions, uint64_t seed, wend_clear_fn clear,
                        void *ud) {
  bool free_before = true; /* the leg that leads here, as it was at first */
  for (uint32_t i = 0; i < count; i++) {
    wend_waypoint *at = &waypoints[i];
    const bool first = i == 0, last = i + 1 == count;
    const bool free_after = last || is_leg_free(clear, ud, at->point, at[1].point);
    const bool fixed = !free_before || !free_after || !(at->reach > 0);
    double part = 1, moved[3] = {0, 0, 0};
    for (int k = 0; k < TRIES && !fixed; k++, part /= 2) {
      move_point(at, seed, dimensions, part, moved);
      if (!first && !is_leg_free(clear, ud, at[-1].point, moved)) continue;
      if (!last && !is_leg_free(clear, ud, moved, at[1].point)) continue;
      memcpy(at->point, moved, sizeof moved);
      break;
    }
    free_before = free_after;
  }
}

/* Whether the outermost cells of a square around a body, `room` rows away from it, are open, of one value, and without walls. */
static bool is_ring_same(const wend_grid *grid, wend_id cell, uint32_t body, uint32_t room, wend_cell value) {
  const uint32_t before = wend_body_before(body) + room, last = body - 1 + 2 * room;
  const uint32_t x = (uint32_t)((cell - 1) % grid->width), y = (uint32_t)((cell - 1) / grid->width);
  if (x < before || y < before || x - before + last >= grid->width || y - before + last >= grid->height) return false;
  for (uint32_t row = 0; row <= last; row++)
    for (uint32_t column = 0; column <= last; column += row == 0 || row == last || room == 0 ? 1 : last) {
      const wend_id at = wend_grid_cell(grid, x - before + column, y - before + row);
      const wend_cell other = wend_grid_get(grid, at);
      if (other.weight != value.weight || other.tag != value.tag) return false;
      if (grid->walls_capacity > 0 && wend_grid_has_wall_at(grid, wend_grid_place(grid, at))) return false;
    }
  return true;
}

uint32_t wend_grid_room(const wend_grid *grid, wend_id cell, double size, uint32_t most) {
  const uint32_t body = wend_body_of_size(size);
  const wend_cell value = wend_grid_get(grid, cell);
  uint32_t room = 0;
  if (!(value.weight < INFINITY) || !is_ring_same(grid, cell, body, 0, value)) return 0;
  while (room < most && is_ring_same(grid, cell, body, room + 1, value)) room++;
  return room;
}

uint32_t wend_graph_waypoints(const wend_graph *graph, double jitter, wend_waypoint *waypoints, uint32_t count) {
  const int dimensions = wend_graph_dimensions(graph);
  for (uint32_t i = 0; i < count; i++) {
    wend_waypoint *at = &waypoints[i];
    const double *position = wend_graph_position(graph, at->id);
    if (position == NULL) return i;
    at->point[0] = position[0];
    at->point[1] = position[1];
    if (dimensions == 3) at->point[2] = position[2];
    at->reach = 0;
    at->limit = INFINITY;
    if (jitter > 0) {
      const double radius = wend_graph_radius(graph, at->id);
      at->reach = radius < jitter ? radius : jitter;
    }
  }
  return count;
}
