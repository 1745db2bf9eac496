/* SPDX-License-Identifier: MIT */
/* The search as an object: its memory, its result, and its labels. search.h describes the data. */
#include "core/search/search.h"

#include <math.h>
#include <string.h>

WEND_NO_FUSING

wend_search_opts wend_search_opts_default(void) {
  wend_search_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.max_expanded = UINT64_MAX;
  opts.max_cost = INFINITY;
  return opts;
}

size_t wend_search_node_bytes(void) { return sizeof(wend_mark) + sizeof(wend_arrival); }

wend_search *wend_search_create(const wend_alloc *alloc) {
  wend_alloc owner;
  wend_search *s = wend_new(alloc, sizeof *s, &owner);
  if (s == NULL) return NULL;
  s->alloc = owner;
  s->held_view = WEND_NONE;
  wend_buckets_start(&s->buckets, 0, 1);
  if (wend_buckets_ready(&s->buckets, &s->alloc)) return s;
  wend_search_destroy(s);
  return NULL;
}

static void free_goals(wend_goals *goals, const wend_alloc *alloc) {
  WEND_FREE(alloc, goals->places, goals->places_capacity);
  WEND_FREE(alloc, goals->costs, goals->costs_capacity);
  WEND_FREE(alloc, goals->points, goals->points_capacity);
  WEND_FREE(alloc, goals->ends, goals->ends_capacity);
}

static void free_detour(wend_detour *detour, const wend_alloc *alloc) {
  WEND_FREE(alloc, detour->nodes, detour->nodes_capacity);
  WEND_FREE(alloc, detour->edges, detour->edges_capacity);
  WEND_FREE(alloc, detour->along, detour->along_capacity);
}

void wend_search_destroy(wend_search *s) {
  wend_alloc alloc;
  if (s == NULL) return;
  alloc = s->alloc;
  wend_marks_free(&s->marks, &alloc);
  wend_search_share(s, NULL);
  wend_agent_views_free(&s->own_views, &alloc);
  wend_reaches_free(&s->own_reaches, &alloc);
  wend_buckets_free(&s->buckets, &alloc);
  WEND_FREE(&alloc, s->heap.entries, s->heap.capacity);
  free_goals(&s->goals, &alloc);
  free_detour(&s->detour, &alloc);
  wend_opening_free(&s->opening, &alloc);
  WEND_FREE(&alloc, s->path_nodes, s->path_nodes_capacity);
  WEND_FREE(&alloc, s->path_edges, s->path_edges_capacity);
  for (unsigned i = 0; i < WEND_SCRATCH_COUNT; i++)
    if (s->scratch[i].size > 0) alloc.resize(alloc.ud, s->scratch[i].bytes, s->scratch[i].size, 0);
  alloc.resize(alloc.ud, s, sizeof *s, 0);
}

void wend_search_reset(wend_search *s) {
  /* After a longjmp out of a slice the saved ring is stale, because the kernel works on a copy of it. So every bucket is
   * emptied. */
  if (s->status == WEND_RUNNING) memset(s->buckets.tops, 0, sizeof s->buckets.tops);
  wend_buckets_empty(&s->buckets);
  s->heap.count = 0;
  wend_search_drop_view(s);
  s->map = NULL;
  s->denied = NULL;
  s->status = WEND_STALE;
  s->task = TASK_NONE;
  s->path_length = 0;
  s->goals.any_cost = false;
}

void wend_search_forget(wend_search *s, const wend_map *map) {
  if (map->is_grid) wend_agent_views_forget(&s->own_views, &s->alloc, (const wend_grid *)map);
  wend_reaches_forget(&s->own_reaches, &s->alloc, map);
}

void wend_search_share(wend_search *s, wend_views *views) {
  wend_search_drop_view(s);
  if (views != NULL) wend_views_join(views);
  if (s->shared != NULL) wend_views_leave(s->shared);
  s->shared = views;
}

const wend_agent_view *wend_search_view(wend_search *s, const wend_grid *grid, const wend_costs *costs, bool bits, bool hold) {
  const wend_agent_view *view;
  if (s->shared == NULL) return wend_agent_view_of(&s->own_views, &s->alloc, grid, costs, bits);
  view = wend_agent_view_of(&s->shared->agents, &s->shared->alloc, grid, costs, bits);
  if (view == NULL || !hold) return view;
  if (s->held_view != WEND_NONE && &s->shared->agents.at[s->held_view] == view) return view;
  wend_search_drop_view(s);
  s->held_view = wend_agent_view_hold(&s->shared->agents, view);
  return view;
}

void wend_search_drop_view(wend_search *s) {
  if (s->held_view == WEND_NONE) return;
  wend_agent_view_drop(&s->shared->agents, &s->shared->alloc, s->held_view);
  s->held_view = WEND_NONE;
}

wend_reach_answer wend_search_ask(wend_search *s, wend_map *map, const wend_costs *costs, const wend_end *starts,
                                  uint32_t start_count, const wend_end *goals, uint32_t goal_count, bool sure) {
  wend_reaches *reaches = s->shared != NULL ? &s->shared->reaches : &s->own_reaches;
  const wend_alloc *alloc = s->shared != NULL ? &s->shared->alloc : &s->alloc;
  return wend_reach_ask(reaches, alloc, map, costs, starts, start_count, goals, goal_count, sure);
}

uint64_t wend_search_patience(wend_search *s, const wend_map *map, const wend_costs *costs, bool fresh) {
  return wend_reach_patience(s->shared != NULL ? &s->shared->reaches : &s->own_reaches, map, costs, fresh);
}

void wend_search_relabel(wend_search *s, const wend_map *map, const wend_costs *costs) {
  if (s->shared != NULL) wend_reach_relabel(&s->shared->reaches, &s->shared->alloc, map, costs);
  else wend_reach_relabel(&s->own_reaches, &s->alloc, map, costs);
}

void wend_search_learn(wend_search *s, wend_map *map, const wend_costs *costs, uint64_t work) {
  if (s->shared != NULL) wend_reach_learn(&s->shared->reaches, &s->shared->alloc, map, costs, work);
  else wend_reach_learn(&s->own_reaches, &s->alloc, map, costs, work);
}

size_t wend_search_bytes(const wend_search *s) {
  const wend_goals *goals = &s->goals;
  const wend_detour *detour = &s->detour;
  size_t bytes = sizeof *s + wend_marks_bytes(&s->marks) + wend_agent_views_bytes(&s->own_views) +
                 wend_reaches_bytes(&s->own_reaches) + s->buckets.items_capacity * sizeof *s->buckets.items +
                 s->buckets.far_capacity * sizeof *s->buckets.far + s->heap.capacity * sizeof *s->heap.entries +
                 goals->places_capacity * sizeof *goals->places + goals->costs_capacity * sizeof *goals->costs +
                 goals->points_capacity * sizeof *goals->points + goals->ends_capacity * sizeof *goals->ends +
                 detour->nodes_capacity * sizeof *detour->nodes + detour->edges_capacity * sizeof *detour->edges +
                 detour->along_capacity * sizeof *detour->along + s->opening.stamps_capacity * sizeof *s->opening.stamps +
                 ((size_t)s->path_nodes_capacity + s->path_edges_capacity) * sizeof *s->path_nodes;
  for (unsigned i = 0; i < WEND_SCRATCH_COUNT; i++) bytes += s->scratch[i].size;
  return bytes;
}

bool wend_search_reserve_path(wend_search *s, uint64_t length) {
  return WEND_GROW(&s->alloc, s->path_nodes, s->path_nodes_capacity, length) &&
         WEND_GROW(&s->alloc, s->path_edges, s->path_edges_capacity, length);
}

void *wend_search_scratch(wend_search *s, unsigned slot, uint64_t size) {
  wend_scratch *scratch = &s->scratch[slot];
  uint64_t wanted = scratch->size < 64 ? 64 : scratch->size;
  void *bytes;
  if (scratch->bytes != NULL && size <= scratch->size) return scratch->bytes;
  while (wanted < size) wanted += wanted / 2;
  if (wanted > SIZE_MAX / 2) return NULL;
  bytes = s->alloc.resize(s->alloc.ud, scratch->bytes, scratch->size, (size_t)wanted);
  if (bytes == NULL) return NULL;
  scratch->size = (size_t)wanted;
  return scratch->bytes = bytes;
}

uint32_t wend_search_path(const wend_search *s, const wend_id **nodes, const wend_id **edges, double *cost) {
  *nodes = s->path_nodes;
  *edges = s->path_edges;
  *cost = s->path_cost;
  return s->path_length;
}

wend_stats wend_search_stats(const wend_search *s) { return s->stats; }

bool wend_search_has(const wend_search *s, wend_id node) {
  const uint32_t place = wend_search_place(s, node);
  return wend_marks_has(&s->marks, place) && wend_marks_of(&s->marks, place)->g < INFINITY;
}
