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

/* The steps of direct walks from a start to a goal: so many in one direction, and in another. They differ in the order. */
typedef struct walk_steps {
  int directions[2];
  uint32_t counts[2];
} walk_steps;

/* A walk: the directions of its steps. */
typedef struct short_walk {
  uint32_t count;
  uint8_t steps[2 * WALK_STEPS_MAX];
} short_walk;

/* Makes the walk that has the steps of one direction first: 0 or 1. */
static void make_walk(short_walk *made, const walk_steps *w, int first) {
  const uint32_t before = w->counts[first];
  made->count = w->counts[0] + w->counts[1];
  memset(made->steps, w->directions[first], before);
  memset(made->steps + before, w->directions[1 - first], made->count - before);
}

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
static bool is_walk_open(wend_search *s, uint32_t place, const short_walk *w, double least) {
  for (uint32_t i = 0; i < w->count; i++) {
    if (!is_walk_step(s, place, w->steps[i], least)) return false;
    place = next_place(s, place, w->steps[i]);
  }
  return true;
}

/* Stores the cells of a walk as the path. False: it costs so much that a search for a partial path has to find the nearest cell. */
static bool lay_walk(wend_search *s, uint32_t place, const wend_end *start, const wend_end *goal, const short_walk *w) {
  double cost = 0;
  wend_id cell = start->at;
  s->path_length = 0;
  s->path_nodes[s->path_length++] = cell;
  for (uint32_t i = 0; i < w->count; i++) {
    const int direction = w->steps[i];
    place = next_place(s, place, direction);
    cell += (wend_id)wend_offset(s->grid->width, direction);
    cost += IS_DIAGONAL(direction) ? s->view->costs[s->region.kinds[place]].diagonal
                                   : s->view->costs[s->region.kinds[place]].straight;
    s->path_nodes[s->path_length++] = cell;
  }
  if (s->grid->live_portals > 0) cost = wend_pathfinder_sum_cells(s);
  s->path_cost = start->cost + cost + goal->cost;
  if (s->opts.partial && s->path_cost > s->opts.max_cost) return false;
  s->stats.loop = WEND_LOOP_WALK;
  return true;
}

wend_status wend_find_walk(wend_search *s, const wend_end *start, const wend_end *goal) {
  const uint32_t stride = s->region.stride, from = wend_search_place(s, start->at), to = wend_search_place(s, goal->at);
  const int64_t x = (int64_t)(to % stride) - from % stride, y = (int64_t)(to / stride) - from / stride;
  const double least = s->summary.least;
  walk_steps w;
  if (x < -WALK_STEPS_MAX || x > WALK_STEPS_MAX || y < -WALK_STEPS_MAX || y > WALK_STEPS_MAX) return WEND_RUNNING;
  if (s->view == NULL) s->view = wend_search_view(s, s->grid, &s->opts.costs, BITS_NONE, true);
  if (s->view == NULL || !wend_search_reserve_path(s, 2 * WALK_STEPS_MAX + 1)) return WEND_NO_MEMORY;
  w = steps_towards(s->grid, (int)x, (int)y);
  for (int first = 0; first < 2; first++) {
    short_walk made;
    make_walk(&made, &w, first);
    if (is_walk_open(s, from, &made, least)) {
      if (lay_walk(s, from, start, goal, &made)) return WEND_OK;
      break;
    }
    if (w.counts[0] == 0 || w.counts[1] == 0) break;
  }
  s->path_length = 0;
  if (s->expansion == EXPAND_GRID) s->view = NULL;
  return WEND_RUNNING;
}

/* ---- Walks forward ------------------------------------------------------------------------------------------- */

/* A walk forward takes no step back in its row or column. If all open cells cost the same, it costs as much as the estimate, and more
 * for each diagonal step that it replaces by two straight ones. Here it replaces one:
 *
 *        line 0   G - - . .        The lines lead from the goal to the start, and so do the bits of a line: G is bit 0. reached[1]
 *        line 1   . # | # .        has the cells from which a walk that replaces one step leads to G.
 *        line 2   . . . \ .
 *        line 3   . # . . S
 *
 * A path that takes a step back costs at least as much more as two diagonal steps cost more than two straight ones. So a walk that
 * replaces none or one is a cheapest path. If it is the only one that jump points can take (expand_jumps.inl), it is the one that
 * they find. Otherwise its cost is a bound for them (begin.c). */

/* A grid of more cells between start and goal is left to jump points. */
#define FORWARD_CELLS_MAX 256u
#define FORWARD_LINES 16u /* the sides of such a square */

/* What the search for the only walk may take: branches at a time, and steps. */
#define BRANCHES_MAX 16u
#define LOOKS_MAX 256u

typedef struct forward {
  uint32_t length, last;            /* the bit of the start, and its line */
  int along, on, diagonal;          /* the directions towards the goal: along a line, to the next one, both at once */
  uint64_t open[FORWARD_LINES + 2]; /* of line i - 1, as in the next member; nothing of those outside */
  uint64_t reached[WEND_REPLACED_MAX + 1][FORWARD_LINES + 1];
} forward;

/* Reads the cells between a start and a goal. x, y: the goal's distance. False: they are too many. */
static bool read_forward(const wend_search *s, forward *f, uint32_t goal, int64_t x, int64_t y) {
  const uint32_t wide = (uint32_t)(x < 0 ? -x : x), high = (uint32_t)(y < 0 ? -y : y);
  const int across = x < 0 ? WEST : EAST, down = y < 0 ? NORTH : SOUTH;
  const uint8_t *states = s->view->states;
  ptrdiff_t back, up;
  if (wide > WALK_STEPS_MAX || high > WALK_STEPS_MAX || (wide + 1) * (high + 1) > FORWARD_CELLS_MAX) return false;
  f->diagonal = wend_direction(x < 0 ? -1 : 1, y < 0 ? -1 : 1);
  f->along = wide >= high ? across : down, f->on = wide >= high ? down : across;
  f->length = wide >= high ? wide : high, f->last = wide >= high ? high : wide;
  back = wend_offset(s->region.stride, 7 - f->along), up = wend_offset(s->region.stride, 7 - f->on);
  f->open[0] = f->open[f->last + 2] = 0;
  for (uint32_t line = 0; line <= f->last; line++) {
    const uint16_t *kind = s->region.kinds + goal + (ptrdiff_t)line * up;
    uint64_t cells = 0;
    for (uint32_t bit = 0; bit <= f->length; bit++, kind += back) cells |= (uint64_t)(states[*kind] == CELL_OPEN) << bit;
    f->open[line + 1] = cells;
  }
  f->open[f->last + 1] |= (uint64_t)1 << f->length; /* a path may begin at a closed cell */
  return (f->open[1] & 1) != 0;
}

/* Finds what is reached. Returns how many steps the cheapest walk replaces; more than WEND_REPLACED_MAX: there is none. */
static unsigned reach_forward(forward *f) {
  for (unsigned k = 0; k <= WEND_REPLACED_MAX; k++) {
    uint64_t cells = k == 0; /* of the line before they come from: none */
    f->reached[k][0] = 0;
    for (uint32_t line = 1; line <= f->last + 1; line++) {
      const uint64_t open = f->open[line];
      if (line > 1) cells = (cells & open) << 1 & f->open[line - 1] & open;
      if (k > 0) cells |= f->reached[k - 1][line - 1] & open;
      cells |= open & ~(open + cells); /* a sum carries along ones */
      f->reached[k][line] = cells;
    }
    if ((cells >> f->length & 1) != 0) return k;
  }
  return WEND_REPLACED_MAX + 1;
}

/* Where a walk has come, from the start. */
typedef struct forward_at {
  uint32_t bit, line;
  uint32_t count; /* the steps before */
  unsigned left;  /* the steps that are still to be replaced */
  unsigned last;  /* the last step */
} forward_at;

enum { STEP_DIAGONAL = 1, STEP_ALONG = 2, STEP_ON = 4 };

/* The steps with which a walk to the goal goes on, and jump points do: after a straight step they turn only at the end of a wall
 * beside it. */
static unsigned steps_forward(const forward *f, const forward_at *at) {
  const uint64_t *open = f->open + at->line, *reached = f->reached[at->left] + at->line;
  const unsigned bit = at->bit, along = open[0] << 1 >> bit & 1, on = open[-1] >> bit & 1;
  unsigned steps = (reached[-1] << 1 >> bit & along & on) * STEP_DIAGONAL + (reached[0] << 1 >> bit & 1) * STEP_ALONG;
  if (at->left > 0) steps |= (f->reached[at->left - 1][at->line - 1] >> bit & 1) * STEP_ON;
  if (at->last == STEP_ALONG && (on == 0 || (open[-1] >> bit >> 1 & 1) != 0)) return steps & STEP_ALONG;
  if (at->last == STEP_ON && (along == 0 || (open[1] << 1 >> bit & 1) != 0)) return steps & STEP_ON;
  return steps;
}

/* Finds the only walk that replaces so many steps and that jump points can take. False: there are several. */
static bool find_only(const forward *f, unsigned replaced, short_walk *found) {
  forward_at at = {f->length, f->last + 1, 0, replaced, 0}, others[BRANCHES_MAX];
  unsigned steps = steps_forward(f, &at), left[BRANCHES_MAX], branches = 0, looks = 0;
  short_walk now;
  now.count = f->length + replaced, found->count = 0;
  for (;;) {
    if (steps == 0) { /* no jump point leads on from here, or the walk is complete */
      if (at.count == now.count && found->count > 0) return false;
      if (at.count == now.count) *found = now;
      if (branches == 0) return found->count > 0;
      at = others[--branches], steps = left[branches];
    }
    if ((steps & (steps - 1)) != 0) {
      if (branches == BRANCHES_MAX || looks > LOOKS_MAX) return false;
      others[branches] = at, left[branches++] = steps & (steps - 1);
    }
    at.last = steps & (0 - steps), looks++;
    now.steps[at.count++] = (uint8_t)(at.last == STEP_DIAGONAL ? f->diagonal : at.last == STEP_ALONG ? f->along : f->on);
    at.bit -= at.last != STEP_ON, at.line -= at.last != STEP_ALONG, at.left -= at.last == STEP_ON;
    steps = at.count < now.count ? steps_forward(f, &at) : 0;
  }
}

/* Looks for a walk forward, and sets s->replaced. OK: it is the resulting path. RUNNING: jump points have to find it. */
static wend_status find_forward(wend_search *s, const wend_end *start, const wend_end *goal) {
  const uint32_t stride = s->region.stride, from = wend_search_place(s, start->at), to = wend_search_place(s, goal->at);
  const int64_t x = (int64_t)(to % stride) - from % stride, y = (int64_t)(to / stride) - from / stride;
  const double diagonal = s->grid->diagonal_length;
  forward f;
  short_walk w;
  if (!(s->summary.uniform > 0) || s->grid->diagonals != WEND_BOTH_OPEN || diagonal > WEND_JUMP_DIAGONAL_MAX ||
      !wend_grid_is_plain(s->grid, &s->opts.costs) || !read_forward(s, &f, to, x, y))
    return WEND_RUNNING;
  s->replaced = reach_forward(&f);
  if (s->replaced > WEND_REPLACED_MAX || !(s->replaced * (2 - diagonal) < (2 * diagonal - 2) * (1 - 1e-9)) ||
      !find_only(&f, s->replaced, &w) || !lay_walk(s, from, start, goal, &w))
    return WEND_RUNNING;
  return WEND_OK;
}

/* ---- Before a search ----------------------------------------------------------------------------------------- */

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
  s->replaced = WEND_REPLACED_MAX + 1;
  status = wend_find_walk(s, start, goal);
  if (status == WEND_RUNNING) status = find_forward(s, start, goal);
  s->walked = status == WEND_OK;
  if (status == WEND_NO_MEMORY) wend_search_clear(s);
  if (status != WEND_OK) return status;
  s->stats.bound = s->summary.least < WEND_LEAST_MIN ? 0 : s->summary.least;
  s->status = WEND_RUNNING;
  return WEND_OK;
}
