/* SPDX-License-Identifier: MIT */
/* The ends that a search looks for instead of its goals: ends.h describes them. */
#include "core/search/ends.h"

#include <string.h>

WEND_NO_FUSING

/* A list of ends that is being made. */
typedef struct end_list {
  wend_search *search;
  wend_map *map;
  const wend_end_rule *rule;
  const wend_end *starts;
  uint32_t start_count, count;
} end_list;

/* Whether the search starts at a node or cell. */
static bool is_start(const end_list *list, wend_id at) {
  for (uint32_t i = 0; i < list->start_count; i++)
    if (list->starts[i].at == at) return true;
  return false;
}

/* Adds an end. */
static wend_status add_search_end(end_list *list, wend_id at, double cost, wend_last_step step) {
  wend_search_ends *c = &list->search->ends;
  const wend_alloc *alloc = &list->search->alloc;
  const uint32_t i = list->count++;
  const wend_end end = {at, cost};
  if (!WEND_GROW(alloc, c->list, c->list_capacity, list->count) || !WEND_GROW(alloc, c->steps, c->steps_capacity, list->count))
    return WEND_NO_MEMORY;
  c->list[i] = end;
  c->steps[i] = step;
  return WEND_OK;
}

/* Adds the places that fit a goal. */
static wend_status add_in_range(end_list *list, wend_stepper *s, wend_end goal) {
  wend_ranged *found = &list->search->ends.near;
  wend_status status = wend_range_list(found, &list->search->alloc, list->map, s, list->rule, goal.at, wend_turn_passes);
  for (uint32_t i = 0; i < found->count && status == WEND_OK; i++) {
    const wend_id at = wend_stepper_id(s, found->list[i].place);
    const wend_last_step step = {at, WEND_NO_ID, goal.at};
    if (found->list[i].end || is_start(list, at)) status = add_search_end(list, at, goal.cost, step);
  }
  return status;
}

/* Adds the ends of one goal that may be closed. */
static wend_status add_goal(end_list *list, wend_stepper *s, wend_end goal) {
  wend_search *search = list->search;
  const wend_last_step none = {goal.at, WEND_NO_ID, goal.at};
  const uint32_t place = wend_stepper_place(s, goal.at);
  uint32_t count, added = list->count;
  wend_status status = WEND_OK;
  /* No path ends where it may only pass. But a path to another goal may have its last step from there. */
  if (wend_turn_passes(s, place)) return add_search_end(list, goal.at, INFINITY, none);
  if (!wend_is_place_closed(s, place)) return add_search_end(list, goal.at, goal.cost, none);
  if (!WEND_GROW(&search->alloc, search->ends.entrances, search->ends.entrances_capacity, wend_entrance_room(s, place)))
    return WEND_NO_MEMORY;
  count = wend_entrances(s, place, search->ends.entrances);
  for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
    const wend_entrance *entrance = &search->ends.entrances[i];
    const wend_id from = wend_stepper_id(s, entrance->from);
    const wend_id edge = s->graph != NULL ? wend_slots_id(&s->graph->edges, s->graph->arc_edge[entrance->arc]) : WEND_NO_ID;
    const wend_last_step step = {goal.at, edge, goal.at};
    const wend_turn_rule rule = wend_turn_rule_of(&search->opts.turns);
    const bool shut = s->grid != NULL ? !wend_step_enters(s, entrance->from) : wend_is_node_closed(s->graph, entrance->from);
    if ((shut && !is_start(list, from)) || (rule.per_turn > 0 && !wend_turn_takes(&rule, 0, entrance->cost))) continue;
    status = add_search_end(list, from, goal.cost + entrance->cost, step);
  }
  if (status == WEND_OK && (list->count == added || is_start(list, goal.at))) /* at least one: nothing enters it */
    status = add_search_end(list, goal.at, goal.cost, none);
  return status;
}

/* Goes through the ends of all goals. *callbacks: counts the calls of the edge function. */
static wend_status list_ends(end_list *list, const wend_costs *costs, uint64_t *callbacks) {
  const wend_search_ends *c = &list->search->ends;
  wend_stepper stepper;
  wend_status status = wend_map_stepper(list->map, costs, &stepper);
  stepper.callbacks = callbacks;
  for (uint32_t k = 0; k < c->near.goal_count && status == WEND_OK; k++)
    status = (wend_range_given(list->rule) ? add_in_range : add_goal)(list, &stepper, c->near.goals[k]);
  return status == WEND_OK && stepper.invalid ? WEND_ABORTED : status;
}

bool wend_search_has_ends(const wend_search_opts *opts) { return opts->ends.closed || wend_range_given(&opts->ends); }

/* A list takes at most so many tests of distances, and on graphs, where these take less time, so many. */
#define LISTED_MAX 4096u
#define LISTED_NODES_MAX 65536u

/* Whether ends are tested when the search comes to them. A partial path leads near to a goal, so the search must know several goals. */
static bool is_tested(const wend_stepper *s, const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts) {
  if (!wend_range_given(&opts->ends) || opts->ends.beside) return false;
  return (opts->partial && goal_count > 1) ||
         wend_range_tests(s, &opts->ends, goals, goal_count) > (s->graph != NULL ? LISTED_NODES_MAX : LISTED_MAX);
}

wend_status wend_ends_begin(wend_search *search, wend_map *map, const wend_end *starts, uint32_t start_count,
                            const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts, uint64_t *callbacks) {
  wend_search_ends *c = &search->ends;
  wend_ranged *ranged = &c->near;
  end_list list = {search, map, &opts->ends, starts, start_count, 0};
  wend_stepper stepper;
  wend_status status;
  bool every = false;
  c->count = 0;
  c->place = WEND_NONE;
  if (!WEND_GROW(&search->alloc, ranged->goals, ranged->goals_capacity, goal_count)) return WEND_NO_MEMORY;
  memcpy(ranged->goals, goals, goal_count * sizeof *goals);
  ranged->goal_count = goal_count;
  status = wend_map_stepper(map, &opts->costs, &stepper);
  if (status != WEND_OK) return status;
  c->wanted = true;
  c->tested = is_tested(&stepper, goals, goal_count, opts);
  c->around = !c->tested && wend_range_given(&opts->ends);
  for (uint32_t k = 0; k < goal_count; k++) every = every || goals[k].cost > 0;
  if (c->tested)
    return wend_ranged_begin(ranged, &search->alloc, map, &stepper, &opts->ends, goal_count, every) ? WEND_OK : WEND_NO_MEMORY;
  status = list_ends(&list, &opts->costs, callbacks);
  c->count = list.count;
  c->wanted = status == WEND_OK;
  return status;
}

/* Adds an end that was found by a test. */
static bool add_found_end(wend_search *s, uint32_t place, uint32_t goal) {
  wend_search_ends *c = &s->ends;
  wend_goals *goals = &s->goals;
  const wend_end *given = &c->near.goals[goal], end = {wend_search_id(s, place), given->cost};
  const wend_last_step step = {end.at, WEND_NO_ID, given->at};
  if (!WEND_GROW(&s->alloc, c->list, c->list_capacity, (uint64_t)c->count + 1) ||
      !WEND_GROW(&s->alloc, c->steps, c->steps_capacity, (uint64_t)c->count + 1) ||
      !WEND_GROW(&s->alloc, goals->places, goals->places_capacity, (uint64_t)goals->count + 1) ||
      !WEND_GROW(&s->alloc, goals->costs, goals->costs_capacity, (uint64_t)goals->count + 1))
    return false;
  c->list[c->count] = end, c->steps[c->count++] = step;
  goals->places[goals->count] = place, goals->costs[goals->count++] = end.cost;
  wend_marks_of(&s->marks, place)->stamp |= MARK_GOAL;
  return true;
}

/* Tests a place, from candidate *from on, as far as *work allows. RUNNING: it goes on. NO_MEMORY. */
static wend_status test_place(wend_search *s, uint32_t place, uint32_t *from, uint64_t *work) {
  wend_status status = WEND_NO_PATH;
  uint32_t goal;
  if (s->passing && wend_turn_passes(&s->stepper, place)) return WEND_OK;
  do {
    status = wend_ranged_find(&s->ends.near, &s->stepper, place, from, work, &goal);
    if (status == WEND_OK && !add_found_end(s, place, goal)) return WEND_NO_MEMORY;
  } while (status == WEND_OK && s->ends.near.every);
  if (s->view != NULL) wend_search_find_view(s); /* a function of the script has run, perhaps */
  return status == WEND_RUNNING ? status : WEND_OK;
}

bool wend_ends_test(wend_search *s, uint32_t place) {
  wend_search_ends *c = &s->ends;
  const wend_mark *mark = wend_marks_of(&s->marks, place);
  wend_status status;
  if ((mark->stamp & MARK_EXPANDED) != 0 || (place == c->place && c->from == WEND_NONE)) return true; /* it was tested */
  if (s->found && !(mark->g - s->slack <= s->f_ceiling)) return true; /* another end is better */
  if (place != c->place) c->place = place, c->from = 0;
  status = test_place(s, place, &c->from, &c->work);
  if (status == WEND_RUNNING) return false;
  if (status == WEND_NO_MEMORY) s->buckets.failed = true;
  c->from = WEND_NONE;
  return true;
}

bool wend_search_may_end_at(wend_search *search, wend_id at) {
  const wend_search_ends *c = &search->ends;
  uint32_t from = 0;
  uint64_t all = UINT64_MAX;
  if (c->tested) (void)test_place(search, wend_search_place(search, at), &from, &all);
  for (uint32_t i = 0; i < c->count; i++)
    if (c->list[i].at == at) return true;
  return false;
}

wend_status wend_ends_finish(wend_search *search) {
  wend_search_ends *c = &search->ends;
  const wend_id last = search->path_nodes[search->path_length - 1];
  uint32_t best = WEND_NONE;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->list[i].at == last && (best == WEND_NONE || c->list[i].cost < c->list[best].cost)) best = i;
  c->found = best != WEND_NONE ? c->steps[best].given : last;
  if (best == WEND_NONE || c->steps[best].goal == last) return WEND_OK;
  if (!wend_search_reserve_path(search, (uint64_t)search->path_length + 1)) return WEND_NO_MEMORY;
  search->path_edges[search->path_length - 1] = c->steps[best].edge;
  search->path_nodes[search->path_length++] = c->steps[best].goal;
  return WEND_OK;
}

wend_id wend_search_goal(const wend_search *search) {
  return search->ends.wanted ? search->ends.found : search->path_nodes[search->path_length - 1];
}
