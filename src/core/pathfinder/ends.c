/* SPDX-License-Identifier: MIT */
/* Goals that may be closed, and places that fit goals: the ends that a search looks for instead of its goals. */
#include <string.h>

#include "core/search/search.h"

WEND_NO_FUSING

/* A list of ends that is being made, or compared with one that was made. */
typedef struct end_list {
  wend_search *search;
  wend_map *map;
  const wend_range *range;
  const wend_end *starts; /* NULL: it is compared */
  uint32_t start_count, count;
  bool same;
} end_list;

/* Whether the search starts at a node or cell; in a list that is compared, whether it is the next end. */
static bool is_start(const end_list *list, wend_id at, wend_id goal) {
  const wend_closed_goals *c = &list->search->closed_goals;
  if (list->starts == NULL)
    return list->count < c->count && c->ends[list->count].at == at && c->steps[list->count].given == goal;
  for (uint32_t i = 0; i < list->start_count; i++)
    if (list->starts[i].at == at) return true;
  return false;
}

/* Adds an end, or compares it. */
static wend_status add_search_end(end_list *list, wend_id at, double cost, wend_last_step step) {
  wend_closed_goals *c = &list->search->closed_goals;
  const wend_alloc *alloc = &list->search->alloc;
  const uint32_t i = list->count++;
  const wend_end end = {at, cost};
  if (list->starts == NULL) {
    list->same = list->same && i < c->count && c->ends[i].at == at && c->ends[i].cost == cost &&
                 c->steps[i].goal == step.goal && c->steps[i].edge == step.edge && c->steps[i].given == step.given;
    return WEND_OK;
  }
  if (!WEND_GROW(alloc, c->ends, c->ends_capacity, list->count) || !WEND_GROW(alloc, c->steps, c->steps_capacity, list->count))
    return WEND_NO_MEMORY;
  c->ends[i] = end;
  c->steps[i] = step;
  return WEND_OK;
}

/* Adds the places that fit a goal. */
static wend_status add_in_range(end_list *list, wend_stepper *s, wend_end goal) {
  wend_fittings *found = &list->search->closed_goals.fittings;
  wend_status status = wend_range_list(found, &list->search->alloc, list->map, s, list->range, goal.at, wend_turn_passes);
  for (uint32_t i = 0; i < found->count && status == WEND_OK; i++) {
    const wend_id at = wend_stepper_id(s, found->list[i].place);
    const wend_last_step step = {at, WEND_NO_ID, goal.at};
    if (found->list[i].end || is_start(list, at, goal.at)) status = add_search_end(list, at, goal.cost, step);
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
  if (!WEND_GROW(&search->alloc, search->closed_goals.list, search->closed_goals.list_capacity, wend_entrance_room(s, place)))
    return WEND_NO_MEMORY;
  count = wend_entrances(s, place, search->closed_goals.list);
  for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
    const wend_entrance *entrance = &search->closed_goals.list[i];
    const wend_id from = wend_stepper_id(s, entrance->from);
    const wend_id edge = s->graph != NULL ? wend_slots_id(&s->graph->edges, s->graph->arc_edge[entrance->arc]) : WEND_NO_ID;
    const wend_last_step step = {goal.at, edge, goal.at};
    const wend_turn_rule rule = wend_turn_rule_of(&search->opts.turns);
    const bool shut = s->grid != NULL ? !wend_step_enters(s, entrance->from) : wend_is_node_closed(s->graph, entrance->from);
    if ((shut && !is_start(list, from, goal.at)) || (rule.per_turn > 0 && !wend_turn_takes(&rule, 0, 0, entrance->cost)))
      continue;
    status = add_search_end(list, from, goal.cost + entrance->cost, step);
  }
  if (status == WEND_OK && (list->count == added || is_start(list, goal.at, goal.at))) /* at least one: nothing enters it */
    status = add_search_end(list, goal.at, goal.cost, none);
  return status;
}

/* Goes through the ends of all goals. *callbacks: counts the calls of the edge function. */
static wend_status list_ends(end_list *list, const wend_costs *costs, uint64_t *callbacks) {
  const wend_closed_goals *c = &list->search->closed_goals;
  wend_stepper stepper;
  wend_status status = wend_map_stepper(list->map, costs, &stepper);
  stepper.callbacks = callbacks;
  for (uint32_t k = 0; k < c->given_count && status == WEND_OK; k++)
    status = (wend_range_given(list->range) ? add_in_range : add_goal)(list, &stepper, c->given[k]);
  return status == WEND_OK && stepper.invalid ? WEND_ABORTED : status;
}

wend_status wend_closed_goals_begin(wend_search *search, wend_map *map, const wend_end *starts, uint32_t start_count,
                                    const wend_end *goals, uint32_t goal_count, const wend_search_opts *opts,
                                    uint64_t *callbacks) {
  wend_closed_goals *c = &search->closed_goals;
  end_list list = {search, map, &opts->range, starts, start_count, 0, true};
  wend_status status;
  if (!WEND_GROW(&search->alloc, c->given, c->given_capacity, goal_count)) return WEND_NO_MEMORY;
  memcpy(c->given, goals, goal_count * sizeof *goals);
  c->given_count = goal_count;
  c->count = 0;
  status = list_ends(&list, &opts->costs, callbacks);
  c->count = list.count;
  c->wanted = status == WEND_OK;
  return status;
}

wend_status wend_closed_goals_hold(wend_search *search, wend_map *map, const wend_costs *costs) {
  const wend_closed_goals *c = &search->closed_goals;
  end_list list = {search, map, &search->opts.range, NULL, 0, 0, true};
  wend_status status;
  for (uint32_t k = 0; k < c->given_count && !map->is_grid; k++)
    if (!wend_graph_has_node((const wend_graph *)map, c->given[k].at)) return WEND_STALE;
  status = list_ends(&list, costs, NULL);
  if (status == WEND_NO_MEMORY) return status;
  return status == WEND_OK && list.same && list.count == c->count ? WEND_OK : WEND_STALE;
}

bool wend_search_may_end_at(const wend_search *search, wend_id at) {
  const wend_closed_goals *c = &search->closed_goals;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->ends[i].at == at) return true;
  return false;
}

wend_status wend_closed_goals_finish(wend_search *search) {
  wend_closed_goals *c = &search->closed_goals;
  const wend_id last = search->path_nodes[search->path_length - 1];
  uint32_t best = WEND_NONE;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->ends[i].at == last && (best == WEND_NONE || c->ends[i].cost < c->ends[best].cost)) best = i;
  c->found = best != WEND_NONE ? c->steps[best].given : last;
  if (best == WEND_NONE || c->steps[best].goal == last) return WEND_OK;
  if (!wend_search_reserve_path(search, (uint64_t)search->path_length + 1)) return WEND_NO_MEMORY;
  search->path_edges[search->path_length - 1] = c->steps[best].edge;
  search->path_nodes[search->path_length++] = c->steps[best].goal;
  return WEND_OK;
}

wend_id wend_search_goal(const wend_search *search) {
  return search->closed_goals.wanted ? search->closed_goals.found : search->path_nodes[search->path_length - 1];
}
