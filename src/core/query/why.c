/* SPDX-License-Identifier: MIT */
/* Why there is no path: a smallest set of obstacles between the start and the goals.
 *
 *   1  the search that was asked for     only if it has limits: there may be a path that they exclude
 *   2  a field of the goals              there is a path if it reaches the start
 *   3  a field from the start, and on from its border through obstacles
 *
 * Part 3 orders paths by what their obstacles count in all first: 1 each, unless wend_obstacle_costs says more. Below, "the
 * number of obstacles" is this sum.
 *
 * It orders paths by the number of obstacles first, and by cost second. The marks of places have both numbers,
 * and are compared exactly. For buckets an obstacle is a large cost (bucket_key). A place that is taken too early is
 * taken again, as in any search with buckets. A place that the field of part 2 reaches is not expanded: the rest of
 * the path is known, and needs no more obstacles. So the parts together look at each place about once.
 *
 *     s . . # a a # . g        s, .   no obstacle, and what reaches the goal     #   closed cells
 *     . . . # a a # . .        a      one obstacle
 *
 * The first # is an obstacle, so the path to it and to the cells a has one. Over the second # it has two. That one
 * can be left for the goal at a known cost, so the path over it is complete; no path has fewer obstacles.
 *
 * On a path that is cheapest in this order no place occurs twice. So no obstacle counts twice: a place, an edge, a
 * portal and a wall between two cells belong to one step of it. cause.h says why diagonals make no difference.
 *
 * If even obstacles do not help, start and goal are in parts of the graph that nothing joins. Then an R-tree of the
 * nodes of one part finds the nearest pair.
 *
 * The queue is that of the search which the caller lends: buckets, or the heap if buckets do not suit the costs
 * (queue.h). Cells where weights and tags alone decide have their own function (leave_plain): it reads the costs and
 * the states of cells from an agent view.
 *
 * All memory belongs to the object and to the search, so a callback may leave by longjmp. */
#include <math.h>
#include <string.h>

#include "core/space/rtree.h"
#include "core/cost/cause.h"
#include "core/field/field.h"
#include "core/search/search.h"

WEND_NO_FUSING

/* What is known of a place. */
typedef struct why_mark {
  double cost;     /* of the best path so far */
  uint32_t level;  /* its obstacles; WEND_NONE: there is no path yet */
  uint32_t parent; /* the place before */
  uint32_t via;    /* the step from there: see VIA_... */
  bool queued;     /* it is in the queue */
  bool known;      /* the field of the goals reaches it */
} why_mark;

/* via: on a graph the arc of the parent; on a grid a direction, or VIA_PORTAL + 2 x the index of the portal in grid->out, or + 1
 * in grid->in, for the way back through it. VIA_FIELD: the place belongs to the field from the start, or is outside the grid, and
 * never changes. */
#define VIA_PORTAL 8u
#define VIA_FIELD WEND_NONE

/* Greater costs are equal for buckets. */
#define COST_MAX 1e300

struct wend_why {
  wend_alloc alloc;
  wend_field *from_start, *to_goals;
  why_mark *marks; /* by place */
  uint32_t marks_capacity;
  uint32_t *way, way_capacity; /* the places of the path, backward */
  wend_obstacle *obstacles;
  uint32_t obstacles_capacity;
  wend_rtree tree; /* of the part of the goals */
  wend_reasons reasons;
};

/* A call of wend_why_find. */
typedef struct why_task {
  wend_why *why;
  wend_map *map;
  wend_search *search;
  wend_graph *graph; /* one of the two is NULL */
  const wend_grid *grid;
  wend_stepper stepper;
  const wend_agent_view *view; /* of a grid where weights and tags alone decide; otherwise NULL */
  double slack;                /* sums that differ by less are equal: see WEND_SLACK */
  double width, obstacle;      /* of a bucket; the cost of an obstacle for the queue: more than most paths cost */
  uint32_t count;              /* of places */
  uint64_t steps, limit;       /* as in flood.c: buckets do not suit the costs if there are too many steps, or expansions */
  bool heaped;                 /* the queue is the heap, because buckets do not suit the costs */
  bool failed;                 /* no memory */
  bool closed_ends;            /* goals may be closed */
  wend_obstacle_costs counts;
  /* The best path to a goal: its last place before the field of the goals takes over. WEND_NONE: none yet. */
  uint32_t best, best_level;
  double best_cost;
} why_task;

wend_why *wend_why_create(const wend_alloc *alloc) {
  wend_why *why = wend_new(alloc, sizeof *why);
  if (why == NULL) return NULL;
  why->from_start = wend_field_create(&why->alloc);
  why->to_goals = wend_field_create(&why->alloc);
  if (why->from_start != NULL && why->to_goals != NULL) return why;
  wend_why_destroy(why);
  return NULL;
}

void wend_why_destroy(wend_why *why) {
  if (why == NULL) return;
  wend_field_destroy(why->from_start);
  wend_field_destroy(why->to_goals);
  wend_rtree_free(&why->tree, &why->alloc);
  WEND_FREE(&why->alloc, why->marks, why->marks_capacity);
  WEND_FREE(&why->alloc, why->way, why->way_capacity);
  WEND_FREE(&why->alloc, why->obstacles, why->obstacles_capacity);
  wend_delete(why, sizeof *why);
}

const wend_reasons *wend_why_get(const wend_why *why) { return &why->reasons; }

/* ---- Places ------------------------------------------------------------------------------------------------- */

/* The value of a place in a field; INFINITY: it is not reached. */
static double value_at(const why_task *t, const wend_field *field, uint32_t place) {
  return field->values[t->grid != NULL ? place : t->graph->slot_of[place]];
}

/* Lets the next step enter a place if it is a goal that may be closed. */
static void open_goal(why_task *t, uint32_t place) {
  const wend_field *field = t->why->to_goals;
  const bool known = t->closed_ends && t->why->marks[place].known;
  t->stepper.opened =
      known && wend_field_parent(field, t->grid != NULL ? place : t->graph->slot_of[place]) == WEND_NONE ? place : WEND_NONE;
}

/* What a set of causes counts: the greatest of them. solid: of a closed cell without a tag. */
static uint32_t count_of(const why_task *t, unsigned causes, bool solid) {
  const wend_obstacle_costs *c = &t->counts;
  const uint32_t by_cause[5][2] = {{WEND_CAUSE_CLOSED, solid ? c->solid : c->closed},
                                   {WEND_CAUSE_WIDTH, c->closed},
                                   {WEND_CAUSE_TAG, c->tag},
                                   {WEND_CAUSE_ONE_WAY, c->one_way},
                                   {WEND_CAUSE_RULE, c->rule}};
  uint32_t most = 0;
  for (int i = 0; i < 5; i++)
    if ((causes & WEND_CAUSE_BIT(by_cause[i][0])) != 0 && by_cause[i][1] > most) most = by_cause[i][1];
  return most;
}

/* What the obstacles of a step to a place count. */
static uint32_t obstacle_count(const why_task *t, const wend_obstacles *h, uint32_t to) {
  uint32_t count = t->counts.wall * ((uint32_t)h->wall + h->around);
  if (h->way != 0) count += count_of(t, h->way, false);
  if (h->place != 0)
    count += count_of(t, h->place, t->grid != NULL && wend_region_get(&t->stepper.region, t->grid, to).tag == WEND_UNTAGGED);
  return count;
}

/* ---- The queue ---------------------------------------------------------------------------------------------- */

/* The order of buckets: fewer obstacles first, then lower costs, if no cost is as large as that of an obstacle. */
static double bucket_key(const why_task *t, const why_mark *mark) {
  return mark->level * t->obstacle + (mark->cost < COST_MAX ? mark->cost : COST_MAX);
}

/* The order of the heap is exact up to four million obstacles: the 63 bits of a cost order like the cost. */
static wend_heap_entry heap_entry(const why_mark *mark, uint32_t place) {
  wend_heap_entry entry = {0, place, 0};
  uint64_t bits;
  memcpy(&bits, &mark->cost, sizeof bits);
  entry.f = mark->level * 0x1p31 + (double)(bits >> 32);
  entry.edge_count = (uint32_t)bits;
  return entry;
}

/* Puts a place into the queue. */
static void queue_place(why_task *t, uint32_t place) {
  wend_search *s = t->search;
  why_mark *mark = &t->why->marks[place];
  mark->queued = true;
  if (!t->heaped) wend_buckets_push(&s->buckets, &s->buckets.ring, &s->alloc, bucket_key(t, mark), place);
  else if (wend_heap_reserve(&s->heap, &s->alloc, 1)) wend_heap_push(&s->heap, heap_entry(mark, place));
  else t->failed = true;
}

/* Changes from buckets to the heap. */
static void use_heap(why_task *t) {
  t->heaped = true;
  for (uint32_t place = 0; place < t->count; place++)
    if (t->why->marks[place].queued) queue_place(t, place);
}

/* Takes the next place. False: there is none. */
static bool pop_place(why_task *t, uint32_t *place) {
  wend_search *s = t->search;
  wend_buckets *b = &s->buckets;
  const uint64_t most = WEND_STEPS_MAX * (t->why->reasons.stats.expanded + RING);
  uint32_t under;
  if (!t->heaped && (b->tops[b->ring.at & (RING - 1)] != 0 || wend_buckets_next(b, &b->ring, &s->alloc, &t->steps, most)))
    return *place = wend_bucket_pop(b, b->ring.at, &under), true;
  if (!t->heaped && t->steps > most) use_heap(t);
  if (!t->heaped || s->heap.count == 0) return false;
  *place = wend_heap_pop(&s->heap).node;
  return true;
}

/* Whether a path is worse than the best one to a goal, or as good. */
static bool is_too_dear(const why_task *t, uint32_t level, double cost) {
  return level > t->best_level || (level == t->best_level && !(cost < t->best_cost));
}

/* A step from a place to another, with `count` obstacles. */
static WEND_NOINLINE void reach_place(why_task *t, uint32_t from, uint32_t to, uint32_t via, uint32_t count, double cost) {
  why_mark *mark = &t->why->marks[to];
  const uint32_t level = t->why->marks[from].level + count;
  const double g = t->why->marks[from].cost + cost;
  if (mark->via == VIA_FIELD || level > mark->level || (level == mark->level && !(g + t->slack < mark->cost))) return;
  if (is_too_dear(t, level, g)) return;
  mark->cost = g, mark->level = level, mark->parent = from, mark->via = via;
  if (mark->known) { /* so is the rest of the path */
    const double rest = value_at(t, t->why->to_goals, to);
    if (level < t->best_level || g + rest < t->best_cost) t->best = to, t->best_level = level, t->best_cost = g + rest;
    return;
  }
  queue_place(t, to);
}

/* Takes the steps from a node: along its edges, and against one-way edges. */
static void leave_node(why_task *t, uint32_t place) {
  const wend_graph *graph = t->graph;
  for (uint32_t i = graph->out[place].first; i < graph->in[place].end; i++) {
    const uint32_t to = graph->arc_to[i];
    const why_mark *mark = &t->why->marks[to];
    wend_obstacles h;
    if (to == place || mark->via == VIA_FIELD || mark->level < t->why->marks[place].level) continue;
    open_goal(t, to);
    h = wend_arc_obstacles(&t->stepper, place, i, i >= graph->out[place].end, false);
    reach_place(t, place, to, i, obstacle_count(t, &h, to), h.cost);
  }
}

/* Whether an obstacle is among those so far: a body may come to it twice. */
static bool is_listed(const why_task *t, const wend_obstacle *one) {
  for (uint32_t i = 0; i < t->why->reasons.obstacle_count; i++) {
    const wend_obstacle *o = &t->why->obstacles[i];
    if (o->place == one->place && o->to == one->to && (o->place || (o->from == one->from && o->cause == one->cause)))
      return true;
  }
  return false;
}

/* An obstacle between two nodes or cells, of which nothing else is known yet. */
static wend_obstacle obstacle_between(wend_id from, wend_id to) {
  const wend_obstacle obstacle = {WEND_CAUSE_NONE, 0, from, to, WEND_NO_ID, WEND_UNTAGGED, 0, false, false};
  return obstacle;
}

/* Appends an obstacle. */
static void add_obstacle(why_task *t, wend_obstacle obstacle) {
  wend_why *why = t->why;
  wend_reasons *r = &why->reasons;
  obstacle.cause = wend_first_cause(obstacle.causes);
  if (t->stepper.body > 1 && is_listed(t, &obstacle)) return;
  if (WEND_GROW(&why->alloc, why->obstacles, why->obstacles_capacity, (uint64_t)r->obstacle_count + 1))
    why->obstacles[r->obstacle_count++] = obstacle;
  else t->failed = true;
  r->obstacles = why->obstacles;
}

/* Appends the wall between a place and its neighbour in a direction, if there is one. */
static void add_wall(why_task *t, uint32_t place, int direction) {
  wend_obstacle wall;
  if ((wend_region_shut(&t->stepper.region, place) >> direction & 1) == 0) return;
  wall = obstacle_between(wend_stepper_id(&t->stepper, place),
                          wend_stepper_id(&t->stepper, wend_stepper_next(&t->stepper, place, direction)));
  wall.causes = WEND_CAUSE_BIT(WEND_CAUSE_WALL);
  add_obstacle(t, wall);
}

/* Appends the obstacles of the step to a place. `step` has its ends, its tag and its weight. */
static void add_obstacles(why_task *t, const wend_obstacles *h, wend_obstacle step) {
  if (h->way != 0) {
    step.causes = h->way;
    add_obstacle(t, step);
  }
  if (h->place != 0) {
    step.causes = h->place;
    step.place = true;
    step.edge = WEND_NO_ID;
    if (t->graph != NULL) step.tag = wend_graph_node_tag(t->graph, step.to), step.weight = 0;
    if (step.portal) step.tag = wend_grid_get(t->grid, step.to).tag, step.weight = 0, step.portal = false;
    add_obstacle(t, step);
  }
}

/* The same for the walls across a diagonal step of a body; with WEND_ALWAYS also for those on the way round the corner that has the
 * fewest, if both have some. count: of the other obstacles. Returns the sum; WEND_NONE: the corners forbid the step. */
static uint32_t look_round_body(why_task *t, uint32_t from, int direction, wend_memo *memo, bool list, uint32_t count) {
  wend_body_wall walls[8];
  const unsigned there = wend_body_walls(t->grid, t->stepper.body, from, direction, walls);
  const unsigned beside = there & WEND_WALLS_BESIDE, above = there & WEND_WALLS_ABOVE;
  const bool both = t->grid->diagonals == WEND_ALWAYS && beside != 0 && above != 0;
  const int round = both ? 3 : (beside == 0 ? 1 : 0) | (above == 0 ? 2 : 0);
  const int ways = round & (t->grid->directed != NULL ? wend_body_ways(t->grid, t->stepper.body, from, direction) : 3);
  unsigned in_the_way = there & WEND_WALLS_ACROSS;
  if (!wend_step_corners(&t->stepper, from, direction, ways, t->grid->diagonals, memo, CORNERS_BOTH)) return WEND_NONE;
  if (both) in_the_way |= wend_count_bits(beside) <= wend_count_bits(above) ? beside : above;
  for (int i = 0; i < 8; i++) {
    if ((in_the_way >> i & 1) == 0) continue;
    count += t->counts.wall;
    if (list) add_wall(t, walls[i].place, walls[i].direction);
  }
  return count;
}

/* Looks at the cells that a body covers after a step and did not cover before it, and at the walls that come to lie inside of it: they
 * count when they are reached first. What a function decides counts with each step. Returns what they count; WEND_NONE: the step
 * cannot be opened. direction: -1, a portal. *cost: of the step once they are open. list: appends them. */
static uint32_t look_at_body(why_task *t, uint32_t from, uint32_t to, int direction, wend_memo *memo, bool list, double *cost) {
  wend_stepper *s = &t->stepper;
  const uint32_t body = s->body;
  const wend_id before = wend_stepper_id(s, from), after = wend_stepper_id(s, to);
  const double length = direction < 0 ? 0 : wend_step_length(t->grid, direction);
  const uint32_t dx = (uint32_t)((after - 1) % t->grid->width - (before - 1) % t->grid->width);
  const uint32_t dy = (uint32_t)((after - 1) / t->grid->width - (before - 1) / t->grid->width);
  /* All cells of a portal count, and where it starts if it has no room there. */
  const bool all = direction < 0 || (t->why->marks[from].via == VIA_FIELD && !wend_step_enters(s, from));
  uint32_t count = 0;
  *cost = 0;
  for (uint32_t i = 0; i < body * body; i++) {
    const wend_id covered = wend_covered_cell(t->grid, body, after, i);
    const uint32_t column = i % body, row = i / body, place = covered == WEND_NO_ID ? 0 : wend_stepper_place(s, covered);
    const bool fresh = all || column + dx >= body || row + dy >= body;
    const unsigned walls = t->grid->walls == NULL ? 0 : t->grid->walls[place] & wend_inner_walls(body, column, row);
    const uint32_t behind = (uint32_t)(place - (direction < 0 ? 0 : wend_offset(s->region.stride, direction)));
    wend_obstacle step = obstacle_between(before, covered);
    wend_obstacles h;
    wend_cell value;
    if (covered == WEND_NO_ID) return WEND_NONE;
    h = wend_covered_obstacles(s, from, direction, length, place, list);
    value = wend_grid_value_at(t->grid, place);
    step.tag = value.tag & ~WEND_CELL_CLOSED, step.weight = length * value.weight;
    if (direction >= 0) step.from = wend_stepper_id(s, wend_body_behind(s, from, direction, place));
    if (h.cost > *cost) *cost = h.cost;
    if (!fresh && ((h.place & WEND_CAUSE_BIT(WEND_CAUSE_CLOSED)) != 0 || !wend_tag_is_open(s->kind, s->costs->tags, step.tag)))
      h.place = 0;
    count += obstacle_count(t, &h, place);
    if (list) add_obstacles(t, &h, step);
    if (t->grid->directed != NULL && direction >= 0 && (t->grid->directed[behind] >> direction & 1) != 0) {
      count += t->counts.wall; /* with each cell that crosses it: a body has to end what it has begun */
      if (list) add_wall(t, behind, direction);
    }
    for (int d = EAST; d < 8; d++) {
      const wend_id other = wend_stepper_id(s, wend_stepper_next(s, place, d));
      if ((walls >> d & 1) == 0) continue;
      if (!fresh && (uint32_t)((other - 1) % t->grid->width - (covered - 1) % t->grid->width) + column + dx < body &&
          (uint32_t)((other - 1) / t->grid->width - (covered - 1) / t->grid->width) + row + dy < body)
        continue;
      count += t->counts.wall;
      if (list) add_wall(t, place, d);
    }
  }
  if (direction < 0 || !IS_DIAGONAL(direction)) return count;
  return look_round_body(t, from, direction, memo, list, count);
}

/* Takes the portals from a cell, and against one-way portals. */
static void leave_by_portals(why_task *t, uint32_t place) {
  const wend_grid *grid = t->grid;
  for (int back = 0; back < 2; back++) {
    uint32_t portal_count;
    const wend_portal *portals = wend_grid_portals(grid, place, back == 1, &portal_count);
    for (uint32_t i = 0; i < portal_count; i++) {
      const wend_portal *portal = &portals[i];
      const uint32_t to = back == 1 ? portal->from : portal->to;
      wend_obstacles h;
      uint32_t count, covered = 0;
      double cost;
      if (portal->removed || to == place || t->why->marks[to].level < t->why->marks[place].level) continue;
      if (back == 1 && wend_grid_live_portal(grid, place, to) != NULL) continue;
      open_goal(t, to);
      if (t->stepper.body > 1) covered = look_at_body(t, place, to, -1, NULL, false, &cost);
      if (covered == WEND_NONE) continue;
      h = wend_portal_obstacles(&t->stepper, portal, back == 1, false);
      count = covered + obstacle_count(t, &h, to);
      reach_place(t, place, to, VIA_PORTAL + 2 * (uint32_t)(portal - (back == 1 ? grid->in : grid->out)) + (uint32_t)back,
                  count, h.cost);
    }
  }
}

/* Takes the steps from a cell. */
static void leave_cell(why_task *t, uint32_t place) {
  const why_mark *marks = t->why->marks, *mark = &marks[place];
  wend_memo memo;
  wend_memo_clear(&memo);
  for (int d = 0; d < 8; d++) {
    const uint32_t to = wend_stepper_next(&t->stepper, place, d);
    wend_obstacles h;
    double cost;
    if (marks[to].via == VIA_FIELD || marks[to].level < mark->level) continue;
    open_goal(t, to);
    cost = wend_step_cell(&t->stepper, place, d, mark->cost, marks[to].level == mark->level ? marks[to].cost : INFINITY, &memo);
    if (cost < INFINITY) {
      reach_place(t, place, to, (uint32_t)d, 0, cost);
    } else if (marks[to].level > mark->level && t->stepper.body > 1) {
      const uint32_t count = look_at_body(t, place, to, d, &memo, false, &cost);
      if (count != WEND_NONE) reach_place(t, place, to, (uint32_t)d, count, cost);
    } else if (marks[to].level > mark->level) {
      h = wend_cell_obstacles(&t->stepper, place, d, &memo, false);
      if (h.never == 0) reach_place(t, place, to, (uint32_t)d, obstacle_count(t, &h, to), h.cost);
    }
  }
  if (t->grid->live_portals > 0) leave_by_portals(t, place);
}

/* The step from a cell of a plain grid to a neighbour. Diagonals: the corners allow it. */
WEND_INLINE void step_plain(why_task *t, uint32_t from, uint32_t to, int direction, double cost) {
  const why_mark *marks = t->why->marks, *mark = &marks[to];
  const uint32_t level = marks[from].level;
  wend_obstacles h;
  if (mark->via == VIA_FIELD || mark->level < level) return;
  if (cost < INFINITY) {
    if (mark->level > level || marks[from].cost + cost + t->slack < mark->cost)
      reach_place(t, from, to, (uint32_t)direction, 0, cost);
  } else if (mark->level > level && !(mark->level == level + 1 && mark->cost <= marks[from].cost)) {
    open_goal(t, to);
    h = wend_cell_obstacles(&t->stepper, from, direction, NULL, false);
    if (h.never == 0) reach_place(t, from, to, (uint32_t)direction, obstacle_count(t, &h, to), h.cost);
  }
}

/* Takes the steps from a cell of a plain grid. */
static void leave_plain(why_task *t, uint32_t place) {
  const ptrdiff_t stride = (ptrdiff_t)t->grid->stride;
  const uint16_t *kind = t->grid->kinds + place;
  const uint8_t *states = t->view->states;
  const wend_cell_cost *costs = t->view->costs;
  const unsigned north = states[kind[-stride]], west = states[kind[-1]], east = states[kind[1]], south = states[kind[stride]];
  const unsigned allowed = wend_around[t->grid->diagonals][(north | west << 1 | east << 2 | south << 3) & 15] | STRAIGHT_STEPS;
  const uint32_t via = t->why->marks[place].via;
  const unsigned steps = allowed & wend_onward[via < VIA_PORTAL ? 7u - via : NO_WAY] & ~wend_lacking(t->grid, place);
#define STEP(direction, dx, dy, size) \
  step_plain(t, place, (uint32_t)(place + stride * (dy) + (dx)), direction, costs[kind[stride * (dy) + (dx)]].size);
#define STEP_STRAIGHT(direction, dx, dy) STEP(direction, dx, dy, straight)
#define STEP_DIAGONAL(direction, dx, dy) STEP(direction, dx, dy, diagonal)
  FOR_STEPS(steps)
#undef STEP
#undef STEP_STRAIGHT
#undef STEP_DIAGONAL
}

static void leave_place(why_task *t, uint32_t place) {
  if (t->view != NULL) leave_plain(t, place);
  else if (t->grid != NULL) leave_cell(t, place);
  else leave_node(t, place);
  t->why->reasons.stats.expanded++;
}

/* Takes places from the queue until no better path is left. */
static wend_status find_fewest(why_task *t) {
  uint32_t place;
  while (!t->stepper.invalid && pop_place(t, &place)) {
    why_mark *mark = &t->why->marks[place];
    if (!mark->queued || is_too_dear(t, mark->level, mark->cost))
      continue; /* it was expanded at a lower cost, or need not be */
    mark->queued = false;
    leave_place(t, place);
    if (!t->heaped && t->why->reasons.stats.expanded > t->limit) use_heap(t);
  }
  if (t->failed || t->search->buckets.failed) return WEND_NO_MEMORY;
  return t->stepper.invalid ? WEND_ABORTED : WEND_OK;
}

/* Marks the places of the field from the start, and makes room. */
static bool mark_start(why_task *t) {
  wend_why *why = t->why;
  const why_mark none = {INFINITY, WEND_NONE, WEND_NONE, 0, false, false},
                 outside = {INFINITY, 0, WEND_NONE, VIA_FIELD, false, false};
  if (!WEND_GROW(&why->alloc, why->marks, why->marks_capacity, t->count)) return false;
  for (uint32_t place = 0; place < t->count; place++) {
    const bool there = t->grid != NULL ? wend_region_has(&t->stepper.region, place) : t->graph->slot_of[place] != WEND_NONE;
    const double value = there ? value_at(t, why->from_start, place) : INFINITY;
    why->marks[place] = there ? none : outside;
    if (there) why->marks[place].known = value_at(t, why->to_goals, place) < INFINITY;
    if (value < INFINITY) why->marks[place].cost = value, why->marks[place].level = 0, why->marks[place].via = VIA_FIELD;
  }
  return true;
}

/* Part 3 without the field. */
static wend_status search_obstacles(why_task *t) {
  wend_why *why = t->why;
  const uint32_t count = t->grid != NULL ? t->count : t->graph->nodes.count; /* a graph: in the order of slots */
  wend_buckets_start(&t->search->buckets, 0, t->width);
  t->obstacle = t->width * 10 * t->count;
  t->limit = why->reasons.stats.expanded + 2 * (uint64_t)count + RING;
  t->best = t->best_level = WEND_NONE, t->best_cost = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = t->grid != NULL ? i : t->graph->nodes.value[i];
    if (place == WEND_NONE || why->marks[place].via != VIA_FIELD || !(why->marks[place].cost < INFINITY)) continue;
    leave_place(t, place);
  }
  return find_fewest(t);
}

/* ---- Obstacles ---------------------------------------------------------------------------------------------- */

/* Appends the obstacles of a step of the path that was found. */
static void list_step(why_task *t, uint32_t place) {
  const why_mark *mark = &t->why->marks[place];
  const uint32_t from = mark->parent, via = mark->via;
  wend_obstacle step = obstacle_between(wend_stepper_id(&t->stepper, from), wend_stepper_id(&t->stepper, place));
  wend_obstacles h;
  open_goal(t, place);
  if (t->graph != NULL) {
    h = wend_arc_obstacles(&t->stepper, from, via, via >= t->graph->out[from].end, true);
    step.edge = wend_slots_id(&t->graph->edges, t->graph->arc_edge[via]);
    step.tag = t->graph->arc_tag[via];
    step.weight = fabs(t->graph->arc_weight[via]);
  } else if (via < VIA_PORTAL) {
    const wend_cell value = wend_grid_value_at(t->grid, place);
    const int direction = (int)via;
    double cost;
    if (t->stepper.body > 1) {
      (void)look_at_body(t, from, place, direction, NULL, true, &cost);
      return;
    }
    h = wend_cell_obstacles(&t->stepper, from, direction, NULL, true);
    step.tag = value.tag & ~WEND_CELL_CLOSED;
    step.weight = wend_step_length(t->grid, direction) * value.weight;
    if (h.wall) add_wall(t, from, direction);
    if (h.around > 0) {
      const int first = h.above ? wend_above(direction) : wend_beside(direction);
      add_wall(t, from, first);
      add_wall(t, wend_stepper_next(&t->stepper, from, first), h.above ? wend_beside(direction) : wend_above(direction));
    }
  } else {
    const bool back = (via - VIA_PORTAL) % 2 == 1;
    const wend_portal *portal = &(back ? t->grid->in : t->grid->out)[(via - VIA_PORTAL) / 2];
    h = wend_portal_obstacles(&t->stepper, portal, back, true);
    step.tag = portal->tag;
    step.weight = portal->weight;
    step.portal = true;
    if (t->stepper.body > 1) (void)look_at_body(t, from, place, -1, NULL, true, &h.cost);
  }
  add_obstacles(t, &h, step);
}

/* Appends the obstacles of the best path. */
static wend_status list_obstacles(why_task *t) {
  wend_why *why = t->why;
  uint32_t count = 0;
  for (uint32_t place = t->best; why->marks[place].via != VIA_FIELD; place = why->marks[place].parent) {
    if (!WEND_GROW(&why->alloc, why->way, why->way_capacity, (uint64_t)count + 1)) return WEND_NO_MEMORY;
    why->way[count++] = place;
  }
  while (count > 0) list_step(t, why->way[--count]);
  if (t->failed) return WEND_NO_MEMORY;
  return t->stepper.invalid ? WEND_ABORTED : WEND_OK;
}

/* ---- No connection ------------------------------------------------------------------------------------------ */

/* For the R-tree: the distance of a node from a point. */
static bool measure_in_gap(const void *ud, uint32_t place, const double *point, wend_near *near) {
  const wend_graph *graph = ud;
  near->distance = wend_distance(graph->dimensions, wend_graph_point(graph, place), point);
  near->id = wend_slots_id(&graph->nodes, graph->slot_of[place]);
  return true;
}

/* Marks the part of the goals with levels from 1 on, and all that was reached before with level 0. The search goes on from the
 * goals, and asks no function. */
static wend_status mark_goals(why_task *t, const wend_id *goals, uint32_t goal_count) {
  static const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  const why_mark root = {0, 1, WEND_NONE, VIA_FIELD, false, false};
  why_mark *marks = t->why->marks;
  t->stepper = wend_graph_stepper(t->graph, &plain);
  for (uint32_t place = 0; place < t->count; place++) {
    marks[place].known = false;
    if (marks[place].level != WEND_NONE) marks[place].level = 0;
  }
  for (uint32_t i = 0; i < goal_count; i++) {
    const uint32_t place = wend_stepper_place(&t->stepper, goals[i]);
    if (marks[place].level == WEND_NONE) marks[place] = root, queue_place(t, place);
  }
  return find_fewest(t);
}

static bool is_of_goals(const why_mark *mark) { return mark->level >= 1 && mark->level != WEND_NONE; }

/* Adds the obstacle NO_EDGE: the nodes where the part of the start and that of the goals come nearest. */
static wend_status find_gap(why_task *t, const wend_id *goals, uint32_t goal_count) {
  wend_obstacle gap = obstacle_between(WEND_NO_ID, WEND_NO_ID);
  const wend_graph *graph = t->graph;
  wend_why *why = t->why;
  double least = INFINITY;
  gap.causes = WEND_CAUSE_BIT(WEND_CAUSE_NO_EDGE);
  if (t->grid != NULL && t->stepper.body > 1) gap.causes = WEND_CAUSE_BIT(WEND_CAUSE_OUTSIDE); /* the body does not fit */
  if (graph != NULL && graph->points != NULL) {
    if (mark_goals(t, goals, goal_count) != WEND_OK) return WEND_NO_MEMORY;
    if (!wend_rtree_begin(&why->tree, &why->alloc, graph->dimensions, graph->place_count)) return WEND_NO_MEMORY;
    for (uint32_t place = 0; place < graph->place_count; place++) {
      const double *point = wend_graph_point(graph, place);
      wend_box box;
      if (graph->slot_of[place] == WEND_NONE || !is_of_goals(&why->marks[place]) || isnan(point[0])) continue;
      for (int d = 0; d < graph->dimensions; d++) box.low[d] = box.high[d] = point[d];
      wend_rtree_collect(&why->tree, place, &box);
    }
    if (!wend_rtree_finish(&why->tree, &why->alloc)) return WEND_NO_MEMORY;
    for (uint32_t slot = 0; slot < graph->nodes.count; slot++) {
      const uint32_t place = graph->nodes.value[slot];
      wend_near near;
      if (place == WEND_NONE || why->marks[place].level != 0 || isnan(wend_graph_point(graph, place)[0])) continue;
      if (wend_rtree_nearest(&why->tree, wend_graph_point(graph, place), least, 1, measure_in_gap, graph, &near) == 0) continue;
      if (gap.from != WEND_NO_ID && !(near.distance < least)) continue;
      least = near.distance;
      gap.from = wend_slots_id(&graph->nodes, slot);
      gap.to = near.id;
    }
  }
  add_obstacle(t, gap);
  return t->failed ? WEND_NO_MEMORY : WEND_OK;
}

/* ---- The three parts ---------------------------------------------------------------------------------------- */

static void add_search_stats(why_task *t) {
  const wend_stats stats = wend_search_stats(t->search);
  wend_reasons *r = &t->why->reasons;
  r->stats.expanded += stats.expanded;
  r->stats.pushed += stats.pushed;
  r->stats.callbacks += stats.callbacks;
  r->searches++;
}

/* Part 1. *limited: a limit ended it. */
static wend_status try_path(why_task *t, wend_id from, const wend_id *goals, uint32_t goal_count, const wend_search_opts *opts,
                            bool *limited) {
  wend_search_opts plain = *opts;
  wend_status status;
  plain.partial = plain.freeze = false;
  status = wend_search_begin(t->search, t->map, from, goals, goal_count, &plain);
  if (status == WEND_OK) status = wend_search_step(t->search, UINT64_MAX);
  add_search_stats(t);
  t->why->reasons.has_path = status == WEND_OK;
  *limited = status == WEND_BUDGET;
  return status == WEND_NO_PATH || status == WEND_BUDGET ? WEND_OK : status;
}

/* Makes a field of the whole map. */
static wend_status make_whole(why_task *t, wend_field *field, const wend_id *roots, uint32_t root_count,
                              const wend_costs *costs, bool outward) {
  wend_field_opts opts = wend_field_opts_default();
  wend_status status;
  opts.ends.closed = t->closed_ends;
  opts.costs = *costs;
  opts.outward = outward;
  status = wend_field_make(field, t->search, t->map, roots, NULL, root_count, &opts);
  add_search_stats(t);
  return status;
}

/* How many open places reach a goal, with the goals. */
static uint32_t count_reaching(why_task *t, const wend_id *goals, uint32_t goal_count) {
  const wend_field *field = t->why->to_goals;
  uint32_t count = 0;
  for (wend_id id = wend_field_each(field, WEND_NO_ID); id != WEND_NO_ID; id = wend_field_each(field, id)) count++;
  for (uint32_t i = 0; i < goal_count; i++) { /* each closed goal once */
    why_mark *mark = &t->why->marks[wend_stepper_place(&t->stepper, goals[i])];
    if (wend_field_has(field, goals[i]) || !mark->known) continue;
    mark->known = false;
    count++;
  }
  for (uint32_t i = 0; i < goal_count; i++) t->why->marks[wend_stepper_place(&t->stepper, goals[i])].known = true;
  return count;
}

/* What was found: the obstacles of the best path, or the gap. */
static wend_status conclude(why_task *t, const wend_id *goals, uint32_t goal_count) {
  wend_reasons *r = &t->why->reasons;
  if (t->best == WEND_NONE) return find_gap(t, goals, goal_count);
  r->cost = t->best_cost;
  r->goal = wend_field_goal(t->why->to_goals, wend_stepper_id(&t->stepper, t->best));
  if (t->best_level == 0 && t->best_cost < INFINITY) return WEND_STALE; /* it was not so for part 2 */
  return list_obstacles(t);
}

wend_obstacle_costs wend_obstacle_costs_default(void) {
  const wend_obstacle_costs costs = {1, 2, 2, 1, 1, 1};
  return costs;
}

wend_status wend_why_find(wend_why *why, wend_search *search, wend_map *map, wend_id from, const wend_id *goals,
                          uint32_t goal_count, const wend_search_opts *opts, const wend_obstacle_costs *obstacles) {
  wend_reasons *r = &why->reasons;
  why_task t;
  wend_cost_summary summary;
  bool limited = false;
  wend_status status = WEND_OK;
  memset(&t, 0, sizeof t);
  memset(r, 0, sizeof *r);
  t.why = why, t.map = map, t.search = search;
  t.closed_ends = opts->ends.closed;
  t.counts = obstacles != NULL ? *obstacles : wend_obstacle_costs_default();
  r->limit = WEND_NO_PATH;
  r->cost = INFINITY;
  if (opts->max_cost < INFINITY || opts->max_expanded < UINT64_MAX) {
    status = try_path(&t, from, goals, goal_count, opts, &limited);
    if (status != WEND_OK || r->has_path) return status;
  }
  status = make_whole(&t, why->to_goals, goals, goal_count, &opts->costs, false);
  if (status != WEND_OK) return status;
  if (wend_field_cost(why->to_goals, from, &r->cost)) {
    r->goal = wend_field_goal(why->to_goals, from);
    if (limited) r->limit = WEND_BUDGET;
    else if (r->searches > 1) return WEND_STALE; /* it was not so for part 1 */
    else r->has_path = true;
    return WEND_OK;
  }
  r->cost = INFINITY;
  status = make_whole(&t, why->from_start, &from, 1, &opts->costs, true);
  if (status != WEND_OK) return status;
  wend_search_reset(search);
  if (map->is_grid) {
    t.grid = (const wend_grid *)map;
    t.stepper = wend_grid_stepper(t.grid, &opts->costs);
    t.count = t.grid->place_count;
    if (t.grid->kinds != NULL && wend_grid_is_plain(t.grid, &opts->costs) && opts->costs.influence_count == 0 &&
        t.stepper.body == 1) {
      t.view = wend_search_view(search, t.grid, &opts->costs, false, false);
      if (t.view == NULL) return WEND_NO_MEMORY;
    }
    summary = t.view != NULL ? t.view->summary : wend_grid_summarize(t.grid, &opts->costs);
    t.slack = summary.least * WEND_SLACK;
    t.width = wend_bucket_width(summary.typical);
  } else {
    t.graph = (wend_graph *)map;
    t.stepper = wend_graph_stepper(t.graph, &opts->costs);
    t.count = t.graph->place_count;
    t.width = wend_bucket_width(wend_graph_typical(t.graph, &opts->costs));
  }
  t.stepper.callbacks = &r->stats.callbacks;
  if (!mark_start(&t)) return WEND_NO_MEMORY;
  r->reached = wend_field_count(why->from_start);
  r->reaching = count_reaching(&t, goals, goal_count);
  if (goal_count == 0) return WEND_OK;
  status = search_obstacles(&t);
  if (status == WEND_OK) status = conclude(&t, goals, goal_count);
  wend_search_reset(search);
  return status;
}
