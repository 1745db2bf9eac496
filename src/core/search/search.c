/* SPDX-License-Identifier: MIT */
/* The search as an object: its memory, its result, its labels, and the ends of one that does not end at its goals. search.h
 * describes the data. */
#include "core/search/search.h"

#include <math.h>
#include <string.h>

#include "core/cost/bounds.h"

WEND_NO_FUSING

wend_search_opts wend_search_opts_default(void) {
  wend_search_opts opts;
  memset(&opts, 0, sizeof opts);
  opts.max_expanded = UINT64_MAX;
  opts.max_cost = opts.ends.within = INFINITY;
  return opts;
}

uint32_t wend_search_place(const wend_search *s, wend_id id) {
  if (s->grid != NULL) return wend_region_find(&s->region, s->grid, id);
  return s->graph->nodes.value[wend_slots_find(&s->graph->nodes, id)];
}

wend_search *wend_search_create(const wend_alloc *alloc) {
  wend_search *s = wend_new(alloc, sizeof *s);
  if (s == NULL) return NULL;
  s->held_view = s->reading.body = s->traced = WEND_NONE;
  s->own.alloc = s->alloc;
  s->views = &s->own;
  wend_buckets_start(&s->buckets, 0, 1);
  if (wend_buckets_ready(&s->buckets, &s->alloc)) return s;
  wend_search_destroy(s);
  return NULL;
}

/* The arrays of a search: what it frees and counts. Other parts free and count their own. */
static const wend_array search_rows[] = {
    WEND_ARRAY(wend_search, goals.places, goals.places_capacity, 1),
    WEND_ARRAY(wend_search, goals.costs, goals.costs_capacity, 1),
    WEND_ARRAY(wend_search, goals.points, goals.points_capacity, 1),
    WEND_ARRAY(wend_search, goals.ends, goals.ends_capacity, 1),
    WEND_ARRAY(wend_search, goals.lines, goals.lines_capacity, 1),
    WEND_ARRAY(wend_search, ends.list, ends.list_capacity, 1),
    WEND_ARRAY(wend_search, ends.steps, ends.steps_capacity, 1),
    WEND_ARRAY(wend_search, ends.entrances, ends.entrances_capacity, 1),
    WEND_ARRAY(wend_search, buckets.items, buckets.items_capacity, 1),
    WEND_ARRAY(wend_search, buckets.far, buckets.far_capacity, 1),
    WEND_ARRAY(wend_search, heap.entries, heap.capacity, 1),
    WEND_ARRAY(wend_search, heap.level, heap.level_capacity, 1),
    WEND_ARRAY(wend_search, noise.known, noise.known_capacity, 1),
    WEND_ARRAY(wend_search, promises.starts, promises.starts_capacity, 1),
    WEND_ARRAY(wend_search, promises.least, promises.least_capacity, 1),
    WEND_ARRAY(wend_search, promises.asked, promises.asked_capacity, 1),
    WEND_ARRAY(wend_search, promises.recent, promises.recent_capacity, 1),
    WEND_ARRAY(wend_search, promises.costs, promises.costs_capacity, 1),
    WEND_ARRAY(wend_search, estimator.plane_bounds.choices, estimator.plane_bounds.choices_capacity, 1),
    WEND_ARRAY(wend_search, patterns, patterns_capacity, 1),
    WEND_ARRAY(wend_search, path_nodes, path_nodes_capacity, 1),
    WEND_ARRAY(wend_search, path_edges, path_edges_capacity, 1),
    WEND_ARRAY(wend_search, pocket.cells, pocket.capacity, 1),
    WEND_ARRAY(wend_search, turn_ends, turn_ends_capacity, 1),
    WEND_ARRAY(wend_search, visits, visits_capacity, 1)};
static const wend_arrays search_arrays = WEND_ARRAYS(search_rows);

bool wend_search_trim(wend_search *s) { return wend_marks_trim(&s->marks, &s->alloc); }

void wend_search_destroy(wend_search *s) {
  wend_alloc alloc;
  if (s == NULL) return;
  wend_search_thaw(s);
  alloc = s->alloc;
  wend_marks_free(&s->marks, &alloc);
  wend_search_share(s, NULL);
  wend_views_free(&s->own);
  wend_ranged_free(&s->ends.near, &alloc);
  wend_arrays_free(search_arrays, 1, &alloc, s);
  for (unsigned i = 0; i < WEND_SCRATCH_COUNT; i++)
    if (s->scratch[i].size > 0) alloc.resize(alloc.ud, s->scratch[i].bytes, s->scratch[i].size, 0);
  alloc.resize(alloc.ud, s, sizeof *s, 0);
}

void wend_search_reset(wend_search *s) {
  wend_search_clear(s);
  wend_search_thaw(s);
}

void wend_search_clear(wend_search *s) {
  /* After a longjmp out of a slice the saved ring is stale, because the kernel works on a copy of it. So every bucket is
   * emptied. */
  if (s->status == WEND_RUNNING) memset(s->buckets.tops, 0, sizeof s->buckets.tops);
  wend_buckets_empty(&s->buckets);
  wend_heap_empty(&s->heap);
  wend_search_drop_view(s);
  s->map = NULL;
  s->labels.denied = false;
  s->pocket.count = s->pocket.at = 0, s->pocket.over = true;
  s->promises.given = NULL;
  s->promises.passed_corners = s->promises.regrets = false;
  s->promises.asked_count = s->promises.dearer = s->promises.rounds = 0;
  s->status = WEND_STALE;
  s->task = TASK_NONE;
  s->path_length = s->turn_count = s->visit_count = 0;
  s->traced = WEND_NONE;
  s->goals.any_cost = false;
}

void wend_search_slice_tables(wend_search *s, bool slice) { s->slice_tables = slice; }

void wend_search_forget(wend_search *s, const wend_map *map) { wend_views_forget(&s->own, map); }

void wend_search_share(wend_search *s, wend_views *views) {
  wend_search_drop_view(s);
  (void)wend_search_hold_body(s, WEND_NONE, 0, NULL);
  if (views != NULL) wend_views_join(views);
  if (s->views != &s->own) wend_views_leave(s->views);
  s->views = views != NULL ? views : &s->own;
}

const wend_agent_view *wend_search_view(wend_search *s, const wend_grid *grid, const wend_costs *costs, wend_view_bits planes,
                                        bool hold) {
  wend_agent_views *agents = &s->views->agents;
  const wend_agent_view *view = wend_agent_view_of(agents, &s->views->alloc, grid, costs, planes);
  if (view == NULL || !hold) return view;
  if (s->held_view != WEND_NONE && &agents->at[s->held_view] == view) return view;
  wend_search_drop_view(s);
  s->held_view = wend_agent_view_hold(agents, view);
  return view;
}

double wend_search_plain_share(wend_search *s) { return wend_agent_view_plain_share(&s->views->agents, s->view, s->grid); }

/* Filling the bits of so many cells takes about as long as one expansion. */
#define FILLED_PER_EXPANSION 16u

bool wend_search_fill_view(wend_search *s, uint64_t *left) {
  uint64_t cells = *left > UINT64_MAX / FILLED_PER_EXPANSION ? UINT64_MAX : *left * FILLED_PER_EXPANSION;
  const uint64_t before = cells;
  const bool filled = wend_agent_view_fill(&s->views->agents, s->view, s->grid, &cells);
  *left -= (before - cells) / FILLED_PER_EXPANSION;
  if (s->slice_tables) s->stats.tables += (before - cells) / FILLED_PER_EXPANSION;
  return filled;
}

void wend_search_find_view(wend_search *s) { s->view = &s->views->agents.at[s->held_view]; }

void wend_search_drop_view(wend_search *s) {
  if (s->held_view == WEND_NONE) return;
  wend_agent_view_drop(&s->views->agents, &s->views->alloc, s->held_view);
  s->held_view = WEND_NONE;
}

wend_status wend_search_ground(wend_search *s, wend_map **map, wend_costs *costs, uint32_t *number) {
  const wend_grid *grid = (const wend_grid *)*map;
  wend_status status;
  *number = WEND_NONE;
  if (!(*map)->is_grid || wend_body_size(costs) == 1 || wend_turns_tags(*map, costs, NULL)) return WEND_OK;
  status = wend_body_of(&s->views->bodies, &s->views->alloc, grid, costs, number);
  if (status != WEND_OK || *number == WEND_NONE) return status;
  *map = &s->views->bodies.at[*number].grid->map;
  costs->size = 0;
  return WEND_OK;
}

wend_map *wend_search_eroded(wend_search *s) {
  wend_grid *grid = s->reading.body != WEND_NONE ? s->views->bodies.at[s->reading.body].grid : NULL;
  return s->reading.eroded != NULL ? s->reading.eroded : grid != NULL ? &grid->map : NULL;
}

/* Ends the keeping of a frozen version. */
static void thaw(wend_map **frozen) {
  if (*frozen != NULL) wend_map_thaw(*frozen);
  *frozen = NULL;
}

wend_status wend_search_hold_body(wend_search *s, uint32_t number, double size, wend_map **ground) {
  if (number != WEND_NONE) s->views->bodies.at[number].holders++;
  if (s->reading.body != WEND_NONE) s->views->bodies.at[s->reading.body].holders--;
  s->reading.body = number;
  s->reading.size = size;
  thaw(&s->reading.eroded);
  if (number == WEND_NONE || !s->reading.frozen) return WEND_OK;
  s->reading.eroded = wend_map_freeze(*ground);
  if (s->reading.eroded == NULL) return WEND_NO_MEMORY;
  *ground = s->reading.eroded;
  return WEND_OK;
}

wend_map *wend_search_given(wend_search *s, wend_costs *costs) {
  *costs = s->opts.costs;
  if (s->promises.given != NULL) costs->tags = s->promises.given;
  costs->edge = s->edge_given;
  if (s->reading.body != WEND_NONE) costs->size = s->reading.size;
  return s->reading.map;
}

wend_status wend_search_open(wend_search *s, wend_map **map, bool freeze) {
  const bool frozen = freeze || wend_map_is_version(*map);
  if (!s->reading.frozen || *map != s->reading.map) {
    wend_search_thaw(s);
    if (!(*map)->is_grid && wend_graph_sync((wend_graph *)*map) != WEND_OK) return WEND_NO_MEMORY;
    if (frozen) *map = wend_map_freeze(*map);
    if (*map == NULL) return WEND_NO_MEMORY;
    s->reading.frozen = frozen;
  }
  s->reading.map = *map;
  if (frozen && wend_map_is_lost(*map)) return WEND_NO_MEMORY;
  s->reading.version = (*map)->version;
  s->reading.tag_count = wend_map_tag_count(*map);
  return WEND_OK;
}

void wend_search_thaw(wend_search *s) {
  thaw(&s->reading.eroded);
  if (s->reading.frozen) wend_map_thaw(s->reading.map);
  s->reading.frozen = false;
  s->reading.map = s->map = NULL;
}

size_t wend_search_bytes(const wend_search *s) {
  size_t bytes = sizeof *s + wend_marks_bytes(&s->marks) + wend_agent_views_bytes(&s->own.agents) +
                 wend_reaches_bytes(&s->own.reaches) + wend_bodies_bytes(&s->own.bodies) + wend_ranged_bytes(&s->ends.near) +
                 wend_arrays_bytes(search_arrays, 1, s);
  for (unsigned i = 0; i < WEND_SCRATCH_COUNT; i++) bytes += s->scratch[i].size;
  return bytes;
}

double wend_search_asked(const wend_search *s, uint32_t from, int direction) {
  const uint64_t key = (uint64_t)from * 8 + (unsigned)direction;
  uint32_t low = 0, high = s->promises.asked_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->promises.asked[middle].key < key) low = middle + 1;
    else high = middle;
  }
  return low < s->promises.asked_count && s->promises.asked[low].key == key ? s->promises.asked[low].cost : NAN;
}

void wend_search_end_trust(wend_search *s) {
  if (s->promises.given == NULL) return;
  s->opts.costs.tags = s->promises.given;
  s->opts.costs.edge = s->edge_given;
  s->stepper.kind = COSTS_ASKED;
  s->promises.given = NULL;
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

uint32_t wend_search_turns(const wend_search *s, const uint32_t **ends) {
  *ends = s->turn_ends;
  return s->turn_count;
}

wend_status wend_search_count_turns(wend_search *s, wend_stepper *stepper, const wend_turns *turns) {
  wend_turn_path path = {s->path_nodes, s->path_edges, s->path_length, NULL, 0, 0};
  wend_status status;
  if (!WEND_GROW(&s->alloc, s->turn_ends, s->turn_ends_capacity, s->path_length)) return WEND_NO_MEMORY;
  path.ends = s->turn_ends;
  status = wend_turns_count(&path, stepper, turns);
  s->turn_count = path.end_count, s->path_cost = path.cost;
  return status;
}

uint64_t wend_search_visited(const wend_search *s, const wend_visited_node **list) {
  *list = s->visits;
  return s->visit_count;
}

wend_stats wend_search_stats(const wend_search *s) { return s->stats; }
uint64_t wend_search_version(const wend_search *s) { return s->reading.version; }

bool wend_search_has(const wend_search *s, wend_id node) {
  const uint32_t place = wend_search_place(s, node);
  return wend_marks_has(&s->marks, place) && wend_marks_of(&s->marks, place)->g < INFINITY;
}
