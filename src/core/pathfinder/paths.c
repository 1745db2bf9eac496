/* SPDX-License-Identifier: MIT */
/* Searches for paths, whole or in slices: the functions of wend.h that begin and continue a search.
 *
 *   wend_search_begin, wend_search_begin_between      prepare the search (begin.c)
 *   wend_search_step                                  runs it up to a limit
 *   wend_search_partial                               makes the path to the nearest place the result
 *
 * With variation and max_cost, a path of the seed may cost more than allowed, although another one does not. Then the search begins
 * again without variation. The limits count the expansions of both. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/pathfinder/pathfinder.h"
#include "core/pathfinder/walk.h"
#include "core/search/ends.h"

WEND_NO_FUSING

/* ---- Without a search ---------------------------------------------------------------------------------------- */

/* Whether labels may answer for a search, and learn from it. A partial path and a heuristic that may fail need the search
 * itself. With a limit, the result would depend on earlier searches: BUDGET without labels, NO_PATH with them. */
static bool asks_labels(const wend_search_opts *opts) {
  return !opts->no_labels && !opts->partial && opts->heuristic != WEND_CUSTOM && opts->max_expanded == UINT64_MAX &&
         opts->max_cost == INFINITY;
}

/* What the labels know: see wend_reach_ask. */
static wend_reach_answer ask_labels(wend_search *s, wend_map *map, const wend_costs *costs, const wend_end *starts,
                                    uint32_t start_count, const wend_end *goals, uint32_t goal_count, bool sure) {
  return wend_reach_ask(&s->views->reaches, &s->views->alloc, map, costs, starts, start_count, goals, goal_count, sure);
}

/* Begins a search that ends at once: no path leads to a goal. */
static void deny(wend_search *s, const wend_search_opts *opts) {
  wend_search_clear(s);
  memset(&s->stats, 0, sizeof s->stats);
  s->opts = *opts;
  s->stats.known = s->labels.denied = true;
  s->status = WEND_RUNNING;
}

/* Writes the position of a node or cell, if it has one. */
static bool find_point(const wend_map *map, wend_id id, double *point) {
  const wend_grid *grid = (const wend_grid *)map;
  const wend_graph *graph = (const wend_graph *)map;
  const double *position;
  if (map->is_grid) {
    point[0] = (double)((id - 1) % grid->width), point[1] = (double)((id - 1) / grid->width);
    return true;
  }
  position = wend_graph_position(graph, id);
  if (position != NULL) memcpy(point, position, (size_t)graph->dimensions * sizeof *point);
  return position != NULL;
}

bool wend_search_denies(wend_search *s, wend_map *map, wend_id from, const wend_id *goals, uint32_t goal_count,
                        const wend_search_opts *opts) {
  const wend_end start = {from, 0};
  wend_costs costs = opts->costs;
  uint32_t body;
  if (!asks_labels(opts) || wend_search_has_ends(opts) ||
      !WEND_GROW(&s->alloc, s->goals.ends, s->goals.ends_capacity, goal_count))
    return false;
  for (uint32_t k = 0; k < goal_count; k++) s->goals.ends[k].at = goals[k], s->goals.ends[k].cost = 0;
  return wend_search_ground(s, &map, &costs, &body) == WEND_OK &&
         ask_labels(s, map, &costs, &start, 1, s->goals.ends, goal_count, false) == REACH_NO;
}

/* A jump, and a step of a diagonal jump, are about as expensive as this many expansions. */
#define EXPANSIONS_PER_JUMP 4u

/* A search for a path that is shorter than this is as cheap as a look-up, and does not count. A call of wend_search_can_reach costs
 * at least as much. */
#define WORK_MIN 64u

/* What a search has cost, in expansions. */
uint64_t wend_search_work(const wend_search *s) {
  const uint64_t pocket = s->pocket.at / WEND_POCKET_CELLS;
  return pocket +
         (s->expansion == EXPAND_JUMPS ? (s->stats.expanded + s->diagonal_steps) * EXPANSIONS_PER_JUMP : s->stats.expanded);
}

/* The costs as the caller gave them. */
static wend_costs costs_given(const wend_search *s) {
  wend_costs costs = s->opts.costs;
  if (s->promises.given != NULL) costs.tags = s->promises.given;
  costs.edge = s->edge_given;
  return costs;
}

/* After a search: tells the labels what it has cost. left: of the slice. */
static void learn(wend_search *s, uint64_t left) {
  const wend_costs costs = costs_given(s);
  const uint64_t work = wend_search_work(s);
  if (!asks_labels(&s->opts) || s->goals.tested || s->map == NULL || (!s->opts.reach_only && work < WORK_MIN)) return;
  if (wend_search_reads(s, &costs) != WEND_OK) return;
  wend_reach_learn(&s->views->reaches, &s->views->alloc, s->map, &costs, work > WORK_MIN ? work : WORK_MIN, left);
}

void wend_search_learn(wend_search *s, wend_map *map, const wend_search_opts *opts, uint64_t work) {
  wend_costs costs = opts->costs;
  uint32_t body;
  if (!asks_labels(opts) || wend_search_has_ends(opts) || work < WORK_MIN) return;
  if (wend_search_ground(s, &map, &costs, &body) != WEND_OK) return;
  wend_reach_learn(&s->views->reaches, &s->views->alloc, map, &costs, work, UINT64_MAX);
}

/* So many jump points, with their diagonals, may be a long search. */
#define JUMPS_MIN 8u
/* A search looks for a pocket when it has cost this much, and at a cell or node for this many expansions more. If it has to read all cells
 * before, it looks at a cell for this many of them at once. */
#define POCKET_PATIENCE 2048u
#define EXPANSIONS_PER_CELL 32u
#define EXPANSIONS_PER_NODE 128u
#define READ_PER_CELL 1024u

/* After the beginning of a search: when it looks for a pocket, and when labels are made in the middle of it. */
static void begin_patience(wend_search *s, const wend_end *starts, uint32_t start_count) {
  const wend_costs costs = costs_given(s);
  const bool jumps = s->expansion == EXPAND_JUMPS;
  s->labels.start = start_count == 1 ? starts[0].at : WEND_NO_ID;
  s->labels.patience = s->labels.next_check = UINT64_MAX;
  s->labels.made = s->views->reaches.made;
  if (s->status != WEND_RUNNING || start_count > 1 || s->goals.tested || !asks_labels(&s->opts)) return;
  s->labels.patience = wend_reach_patience(&s->views->reaches, s->map, &costs, s->opts.reach_only);
  /* Where a body does not fit, it can leave walls behind that close the steps of a cell. */
  s->pocket.over = s->grid != NULL && ((s->stepper.body > 1 && s->grid->wall_count > 0) ||
                                       wend_reach_is_exact(&s->views->reaches, &s->views->alloc, s->map, &costs));
  if (s->pocket.over && s->labels.patience == UINT64_MAX) return;
  s->labels.pocket = jumps && !wend_agent_view_is_filled(s->view, s->grid) ? s->grid->place_count / READ_PER_CELL : 0;
  if (jumps) s->labels.next_check = s->pocket.over || s->labels.pocket == 0 ? JUMPS_MIN : 0;
  else s->labels.next_check = s->pocket.over || s->labels.patience < POCKET_PATIENCE ? s->labels.patience : POCKET_PATIENCE;
}

/* Another search may have made the labels since this one has asked them: then it asks again, before it expands more. */
static void note_labels(wend_search *s) {
  wend_reaches *reaches = &s->views->reaches;
  const wend_costs costs = costs_given(s);
  if (s->labels.made == reaches->made) return;
  s->labels.made = reaches->made;
  if (s->labels.start == WEND_NO_ID || s->goals.tested || !asks_labels(&s->opts)) return;
  if (wend_reach_is_exact(reaches, &s->views->alloc, s->map, &costs))
    s->labels.patience = 0, s->labels.next_check = s->stats.expanded;
}

/* Whether it is seen that labels and pockets would tell nothing, when they are due. So neither is made. */
static bool is_all_open(wend_search *s, const wend_costs *costs) {
  if (s->opts.reach_only || s->grid == NULL || !wend_reach_is_open(s->grid, costs)) return false;
  s->pocket.over = true;
  s->labels.patience = UINT64_MAX;
  return true;
}

/* Whether the goals are in a pocket, as far as *left allows to look, and the work of the search. */
static bool is_in_pocket(wend_search *s, const wend_costs *costs, uint64_t work, uint64_t *left) {
  uint64_t count = work < POCKET_PATIENCE ? 0 : work / (s->grid != NULL ? EXPANSIONS_PER_CELL : EXPANSIONS_PER_NODE);
  wend_stepper stepper;
  if (count < s->labels.pocket) count = s->labels.pocket;
  if (count <= s->pocket.count) return false;
  if (s->pocket.count == 0) { /* the first look */
    if (s->grid != NULL) (void)is_all_open(s, costs);
    else s->pocket.over = wend_reach_is_exact(&s->views->reaches, &s->views->alloc, s->map, costs);
    if (s->pocket.over) return false;
  }
  stepper = s->grid != NULL ? wend_grid_stepper(s->grid, costs) : wend_graph_stepper(s->graph, costs);
  return wend_pocket_look(&s->pocket, &s->alloc, &stepper, wend_search_place(s, s->labels.start), s->goals.places,
                          s->goals.count, count, left);
}

/* A search has expanded s->labels.next_check places. Looks for a pocket. If the search has cost as much as making labels, they are
 * made. Both as far as *left allows, and otherwise in the next slice. Returns what they tell. */
static wend_reach_answer ask_first(wend_search *s, uint64_t *left) {
  const wend_costs costs = costs_given(s);
  const wend_end start = {s->labels.start, 0};
  const uint64_t work = wend_search_work(s), before = *left;
  wend_goals *goals = &s->goals;
  bool shut = false, done = true;
  s->labels.next_check = UINT64_MAX;
  if (s->found) return REACH_UNKNOWN;
  if (!s->pocket.over) shut = is_in_pocket(s, &costs, work, left);
  if (!shut && work >= s->labels.patience && !is_all_open(s, &costs)) {
    done = wend_reach_relabel(&s->views->reaches, &s->views->alloc, s->map, &costs, left);
  } else if (!s->pocket.over || s->labels.patience < UINT64_MAX) {
    s->labels.next_check = s->stats.expanded + s->stats.expanded / 4 + 1;
  }
  if (s->slice_tables) s->stats.tables += before - *left;
  if (shut) return REACH_NO;
  if (!done || *left == 0) s->labels.next_check = s->stats.expanded;
  if (!done || work < s->labels.patience || !WEND_GROW(&s->alloc, goals->ends, goals->ends_capacity, goals->count))
    return REACH_UNKNOWN;
  for (uint32_t k = 0; k < goals->count; k++) goals->ends[k].at = wend_search_id(s, goals->places[k]), goals->ends[k].cost = 0;
  return ask_labels(s, s->map, &costs, &start, 1, goals->ends, goals->count, s->opts.reach_only);
}

/* ---- Searches ------------------------------------------------------------------------------------------------ */

wend_status wend_search_begin(wend_search *s, wend_map *map, wend_id from, const wend_id *goals, uint32_t goal_count,
                              const wend_search_opts *opts) {
  const wend_end start = {from, 0}, goal = {goal_count > 0 ? goals[0] : WEND_NO_ID, 0};
  if (goal_count <= 1) return wend_search_begin_between(s, map, &start, 1, &goal, goal_count, opts);
  /* The search keeps a copy of the list, which does not leak when the caller's heuristic leaves by longjmp. */
  if (!WEND_GROW(&s->alloc, s->goals.ends, s->goals.ends_capacity, goal_count)) {
    wend_search_reset(s);
    return WEND_NO_MEMORY;
  }
  for (uint32_t k = 0; k < goal_count; k++) s->goals.ends[k].at = goals[k], s->goals.ends[k].cost = 0;
  return wend_search_begin_between(s, map, &start, 1, s->goals.ends, goal_count, opts);
}

wend_status wend_search_begin_between(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count,
                                      const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts) {
  const wend_status status = wend_paths_begin(s, map, starts, start_count, goals, goal_count, opts);
  if (status != WEND_OK) wend_search_thaw(s);
  return status;
}

wend_status wend_paths_begin(wend_search *s, wend_map *map, const wend_end *starts, uint32_t start_count, const wend_end *goals,
                             uint32_t goal_count, const wend_search_opts *opts) {
  wend_search_ends *ends = &s->ends;
  const bool other_ends = wend_search_has_ends(opts);
  bool none = false; /* no place fits */
  bool passing;
  wend_search_opts given;
  wend_reach_answer known = REACH_UNKNOWN;
  uint64_t callbacks = 0;
  uint32_t body = WEND_NONE;
  wend_status status = wend_search_open(s, &map, opts->freeze);
  ends->wanted = ends->tested = false;
  if (status == WEND_OK && opts->turns.per_turn > 0 && wend_turns_tags(map, &opts->costs, &passing) && passing)
    status = WEND_INVALID;
  s->opts.turns = opts->turns;
  if (status != WEND_OK) return wend_search_clear(s), status;
  if (start_count == 0 || goal_count == 0) {
    (void)wend_search_hold_body(s, WEND_NONE, 0, NULL);
    deny(s, opts);
    return WEND_OK;
  }
  if (other_ends) {
    wend_search_clear(s);
    status = wend_ends_begin(s, map, starts, start_count, goals, goal_count, opts, &callbacks);
    if (status == WEND_NO_MEMORY) return status;
    if (status == WEND_ABORTED) return s->status = status;
    if (opts->partial && opts->toward == NULL && goal_count == 1 && find_point(map, goals[0].at, ends->point)) {
      given = *opts;
      given.toward = ends->point;
      opts = &given;
    }
    none = !ends->tested && ends->count == 0;
    if (none || ends->tested) goals = ends->near.goals;
    else goals = ends->list, goal_count = ends->count;
  }
  if (wend_body_size(&opts->costs) > 1) {
    const double size = opts->costs.size;
    given = *opts;
    status = wend_search_ground(s, &map, &given.costs, &body);
    if (status == WEND_OK) status = wend_search_hold_body(s, body, size, &map);
    if (status != WEND_OK) return wend_search_clear(s), status;
    opts = &given;
  } else {
    (void)wend_search_hold_body(s, WEND_NONE, 0, NULL);
  }
  s->walk_tried = false;
  if (start_count == 1 && goal_count == 1) {
    status = wend_walk_first(s, map, starts, goals, opts);
    if (status != WEND_RUNNING) return status;
  }
  if (none && !opts->partial) known = REACH_NO;
  else if (asks_labels(opts) && !ends->tested)
    known = ask_labels(s, map, &opts->costs, starts, start_count, goals, goal_count, opts->reach_only);
  if (known != REACH_UNKNOWN) {
    deny(s, opts);
    if (known == REACH_YES) s->labels.denied = false, s->status = WEND_OK;
    status = WEND_OK;
  } else {
    status = wend_pathfinder_begin(s, map, starts, start_count, goals, goal_count, opts);
    if (status == WEND_OK && none) wend_pathfinder_miss_goals(s);
    if (status == WEND_OK) begin_patience(s, starts, start_count);
  }
  ends->wanted = other_ends && status == WEND_OK;
  s->stats.callbacks += callbacks;
  return status;
}

/* After a run: the work of the tests of ends, which counts as that on tables. left: of the slice, before the run. */
static uint64_t count_tests(wend_search *s, uint64_t left) {
  const uint64_t work = s->goals.tested ? left - s->ends.work : 0;
  s->stats.tables += work;
  return work;
}

/* After a search whose path costs more than max_cost. RUNNING: it has begun again. */
static wend_status begin_without_variation(wend_search *s) {
  wend_status status = wend_search_reads(s, &s->opts.costs); /* an edge function may have named a tag */
  if (status != WEND_OK) return status;
  s->path_length = 0;
  s->noise.most = 0;
  status = wend_pathfinder_begin_again(s);
  return status == WEND_OK ? s->status = WEND_RUNNING : status;
}

static wend_status step(wend_search *s, uint64_t max_expanded) {
  uint64_t left = max_expanded, all = UINT64_MAX, limit, before;
  uint64_t *const tables = s->slice_tables ? &left : &all;
  wend_status status = wend_search_reads(s, &s->opts.costs);
  if (status != WEND_OK) return wend_pathfinder_end(s, status);
  if (s->labels.denied) return s->status = WEND_NO_PATH;
  if (s->walked) return wend_pathfinder_end(s, WEND_OK);
  if (s->walk_from != WEND_NO_ID) {
    status = wend_pathfinder_walk(s);
    if (status != WEND_RUNNING) return status;
  }
  note_labels(s);
  for (;;) {
    if (s->stats.expanded >= s->labels.next_check) {
      const wend_reach_answer known = ask_first(s, tables);
      if (known == REACH_NO) learn(s, *tables);
      if (known != REACH_UNKNOWN) return wend_pathfinder_finish(s, known == REACH_YES ? WEND_OK : WEND_NO_PATH);
      if (left == 0) return WEND_RUNNING;
    }
    status = wend_pathfinder_resume(s, tables);
    if (status == WEND_RUNNING) return status;
    if (status != WEND_OK) return wend_pathfinder_finish(s, status);
    if (s->traced != WEND_NONE) return wend_pathfinder_trace(s, &left);
    limit = left > UINT64_MAX - s->stats.expanded ? UINT64_MAX : s->stats.expanded + left;
    if (limit > s->opts.max_expanded) limit = s->opts.max_expanded;
    before = s->stats.expanded;
    s->ends.work = left;
    status = wend_pathfinder_run(s, limit < s->labels.next_check ? limit : s->labels.next_check);
    before = s->stats.expanded - before + count_tests(s, left);
    left -= before < left ? before : left;
    if (s->traced != WEND_NONE) return wend_pathfinder_trace(s, &left);
    if (status == WEND_RUNNING && left > 0 && s->stats.expanded < limit && s->stats.expanded >= s->labels.next_check) continue;
    if (status == WEND_NO_PATH || (status == WEND_OK && s->opts.reach_only)) learn(s, *tables);
    if (status != WEND_BUDGET || !s->found || !(s->noise.most > 0) || s->stats.expanded >= s->opts.max_expanded) return status;
    status = begin_without_variation(s);
    if (status != WEND_RUNNING) return wend_pathfinder_end(s, status);
    if (left == 0 || s->stats.expanded >= limit) return WEND_RUNNING;
  }
}

/* Whether the resulting path may have bends that cost nothing to take out: jump points and the direct walk leave none, but for the
 * last step to an end. A path of a seed has them on purpose. */
static bool may_bend(const wend_search *s) {
  return s->grid != NULL && !s->opts.reach_only && !(s->noise.most > 0) && s->map != NULL &&
         ((s->expansion != EXPAND_JUMPS && s->stats.loop != WEND_LOOP_WALK) || s->ends.wanted);
}

/* Counts the turns of the path. On an eroded grid a closed goal does not show what the agent covers there. */
static wend_status count_turns_of_path(wend_search *s) {
  wend_costs costs;
  wend_stepper stepper;
  if (s->reading.body == WEND_NONE) return wend_search_count_turns(s, &s->stepper, &s->opts.turns);
  stepper = wend_grid_stepper((const wend_grid *)wend_search_given(s, &costs), &costs);
  return wend_search_count_turns(s, &stepper, &s->opts.turns);
}

wend_status wend_search_step(wend_search *s, uint64_t max_expanded) {
  const wend_status status = wend_paths_step(s, max_expanded);
  const bool kept = s->opts.partial && (status == WEND_NO_PATH || status == WEND_BUDGET); /* for wend_search_partial */
  if (status != WEND_RUNNING && !kept && s->reading.frozen) wend_search_thaw(s);
  return status;
}

wend_status wend_paths_step(wend_search *s, uint64_t max_expanded) {
  wend_status status;
  if (s->status != WEND_RUNNING) return s->status;
  status = step(s, max_expanded);
  if (status == WEND_OK && s->ends.wanted && !s->opts.reach_only) status = s->status = wend_ends_finish(s);
  if (status == WEND_OK && may_bend(s)) status = s->status = wend_search_unbend(s);
  if (status == WEND_OK && wend_search_turns_on(s)) status = s->status = count_turns_of_path(s);
  if (status == WEND_OK && s->opts.corners && s->grid != NULL) wend_search_keep_corners(s, s->grid);
  return status;
}

bool wend_search_knows_reach(wend_search *s, wend_map *map, const wend_costs *given) {
  wend_costs costs = *given;
  uint32_t body;
  if (wend_search_ground(s, &map, &costs, &body) != WEND_OK) return false;
  return wend_reach_knows(&s->views->reaches, &s->views->alloc, map, &costs);
}

wend_status wend_search_can_reach(wend_search *s, wend_map *map, wend_id from, const wend_id *goals, uint32_t goal_count,
                                  const wend_costs *costs, bool closed, bool *reached) {
  wend_search_opts opts = wend_search_opts_default();
  wend_status status;
  opts.costs = *costs;
  opts.costs.influence_count = 0; /* layers close nothing */
  opts.ends.closed = closed;
  opts.reach_only = true;
  status = wend_search_begin(s, map, from, goals, goal_count, &opts);
  if (status == WEND_OK) status = wend_search_step(s, UINT64_MAX);
  *reached = status == WEND_OK;
  wend_search_reset(s);
  return status == WEND_NO_PATH ? WEND_OK : status;
}

wend_status wend_search_partial(wend_search *s) {
  const wend_status status = wend_paths_partial(s);
  if (s->reading.frozen) wend_search_thaw(s);
  return status;
}

wend_status wend_paths_partial(wend_search *s) {
  wend_status status;
  if (s->labels.denied) return WEND_NO_PATH; /* there is no start or no goal */
  assert(s->opts.partial && (s->status == WEND_NO_PATH || s->status == WEND_BUDGET));
  status = s->reading.frozen ? wend_search_reads(s, &s->opts.costs) : WEND_OK;
  if (status == WEND_OK) status = wend_pathfinder_take_nearest(s);
  if (status == WEND_OK && may_bend(s)) status = wend_search_unbend(s);
  /* After a limit, nodes of the path may have become cheaper since they were expanded. */
  if (status == WEND_OK && wend_search_turns_on(s)) {
    status = wend_search_count_turns(s, &s->stepper, &s->opts.turns);
  } else if (status == WEND_OK && s->graph != NULL) {
    const double cost = wend_pathfinder_sum(s);
    s->path_cost = wend_marks_of(&s->marks, wend_search_place(s, s->path_nodes[0]))->g + cost;
    if (!(cost >= 0)) status = WEND_ABORTED;
  }
  if (status == WEND_OK && s->opts.corners && s->grid != NULL) wend_search_keep_corners(s, s->grid);
  return status;
}
