/* SPDX-License-Identifier: MIT */
/* Dead ends (src/core/prepared), compared with simpler solvers: make check-ends
 *
 *   entered     on small maps, all places on a path without a repeated place from a start to a goal are entered. A place is on
 *               one if no other place separates it from both: each place is removed in turn, and the rest is flooded
 *   searches    a prepared map and an unprepared twin get the same random edits; all searches must come to the same costs
 *
 * Each round prints nothing unless it fails; then it prints its seed. ends [SEED [ROUNDS]] runs rounds from a seed on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prepared/dead_ends.h"
#include "core/prepared/pruning.h"
#include "core/prepared/prepared.h"
#include "core/search/search.h"

static uint64_t seed, state;

static void fail(const char *what, int line) {
  fprintf(stderr, "ends.c:%d: seed %llu: %s\n", line, (unsigned long long)seed, what);
  exit(EXIT_FAILURE);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))
#define DONE(call) CHECK((call) == WEND_OK)

/* A random number below n (splitmix64, S. Vigna). */
static uint32_t below(uint32_t n) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) % n);
}
static bool chance(uint32_t percent) { return below(100) < percent; }

/* Totals, printed at the end: a harness that compares nothing must not pass. */
static uint64_t searches, found, with_ends, joined, expanded[2], paths_differ, survived;

/* ---- Two equal maps ---------------------------------------------------------------------------------------- */

#define TAGS 3u
#define SIDE_MAX 14u
enum { PREPARED, PLAIN };

typedef struct twins {
  wend_graph *graph[2]; /* NULL: they are grids */
  wend_grid *grid[2];
  wend_map *map[2];
  uint32_t width, height;
} twins;

static void add_tags(twins *t) {
  for (int i = 0; i < 2; i++)
    for (uint32_t tag = 1; tag < TAGS; tag++) {
      char name = (char)('a' + tag);
      uint32_t number;
      DONE(wend_map_tag(t->map[i], &name, 1, &number));
    }
}

static wend_id random_node(const twins *t) {
  wend_id node;
  uint32_t steps;
  if (t->grid[0] != NULL) return wend_grid_cell(t->grid[0], below(t->width), below(t->height));
  if (wend_graph_node_count(t->graph[0]) == 0) return WEND_NO_ID;
  steps = below(wend_graph_node_count(t->graph[0]));
  for (node = wend_graph_next_node(t->graph[0], WEND_NO_ID); steps > 0; steps--) node = wend_graph_next_node(t->graph[0], node);
  return node;
}

static wend_id random_edge(const twins *t) {
  wend_id edge = wend_graph_next_edge(t->graph[0], WEND_NO_ID);
  uint32_t steps = wend_graph_edge_count(t->graph[0]);
  for (steps = steps > 0 ? below(steps) : 0; steps > 0; steps--) edge = wend_graph_next_edge(t->graph[0], edge);
  return edge;
}

static double random_weight(void) { return chance(10) ? 0 : chance(50) ? 1 : 0.5 + below(100) / 16.0; }

static void add_edge(twins *t, wend_id from, wend_id to) {
  wend_edge_spec spec;
  memset(&spec, 0, sizeof spec);
  spec.from = from, spec.to = to;
  spec.weight = random_weight();
  spec.tag = chance(30) ? below(TAGS) : 0;
  spec.directed = chance(20);
  for (int i = 0; i < 2; i++) {
    wend_id edge;
    DONE(wend_graph_add_edges(t->graph[i], 1, &spec, &edge));
  }
}

static wend_id add_node(twins *t, bool placed) {
  double position[2];
  wend_id node[2];
  position[0] = below(100) / 4.0, position[1] = below(100) / 4.0;
  for (int i = 0; i < 2; i++)
    DONE(wend_graph_add_node(t->graph[i], placed ? position : NULL, NULL, 0, INFINITY, WEND_UNTAGGED, &node[i]));
  CHECK(node[0] == node[1]);
  return node[0];
}

static void set_cell(twins *t, wend_id cell) {
  wend_cell value;
  value.weight = chance(35) ? INFINITY : chance(60) ? 1 : 1 + below(4);
  value.tag = chance(20) ? below(TAGS) : 0;
  for (int i = 0; i < 2; i++) DONE(wend_grid_set(t->grid[i], cell, value));
}

static void make_graph(twins *t, uint32_t nodes) {
  const bool placed = chance(70);
  const uint32_t extra = below(nodes / 2 + 1);
  memset(t, 0, sizeof *t);
  for (int i = 0; i < 2; i++) {
    t->graph[i] = wend_graph_create(NULL, 2);
    CHECK(t->graph[i] != NULL);
    t->map[i] = wend_graph_map(t->graph[i]);
  }
  add_tags(t);
  for (uint32_t k = 0; k < nodes; k++) {
    const wend_id other = k > 0 ? random_node(t) : WEND_NO_ID, node = add_node(t, placed);
    if (k > 0 && !chance(4)) add_edge(t, chance(50) ? other : node, chance(5) ? other : chance(50) ? node : other);
    if (k > 0 && chance(80)) add_edge(t, node, other);
  }
  for (uint32_t k = 0; k < extra; k++) add_edge(t, random_node(t), random_node(t));
}

static void make_grid(twins *t) {
  const wend_diagonals rule = (wend_diagonals)below(4);
  const uint32_t open = 40 + below(45);
  const bool uniform = chance(50);
  memset(t, 0, sizeof *t);
  t->width = 2 + below(SIDE_MAX - 1), t->height = 2 + below(SIDE_MAX - 1);
  for (int i = 0; i < 2; i++) {
    t->grid[i] = wend_grid_create(NULL, t->width, t->height, rule);
    CHECK(t->grid[i] != NULL);
    t->map[i] = wend_grid_map(t->grid[i]);
  }
  add_tags(t);
  for (uint32_t y = 0; y < t->height; y++)
    for (uint32_t x = 0; x < t->width; x++) {
      const wend_id cell = wend_grid_cell(t->grid[0], x, y);
      wend_cell value = {1, 0};
      if (!chance(open)) value.weight = INFINITY;
      else if (!uniform) set_cell(t, cell);
      if (uniform || value.weight == INFINITY)
        for (int i = 0; i < 2; i++) DONE(wend_grid_set(t->grid[i], cell, value));
    }
}

static void destroy(twins *t) {
  for (int i = 0; i < 2; i++) {
    wend_graph_destroy(t->graph[i]);
    wend_grid_destroy(t->grid[i]);
  }
}

/* One random edit of both. */
static void edit(twins *t) {
  const wend_id a = random_node(t), b = random_node(t);
  const uint32_t what = below(100);
  if (a == WEND_NO_ID) {
    (void)add_node(t, true);
    return;
  }
  if (t->grid[0] != NULL) {
    const int dx = (int)below(3) - 1, dy = (int)below(3) - 1;
    const double weight = random_weight();
    const uint32_t left = (a - 1) % t->width, top = (a - 1) / t->width, tag = below(TAGS);
    const uint32_t x = left + (uint32_t)dx, y = top + (uint32_t)dy;
    const bool closed = chance(50), directed = chance(50);
    if (what < 30) {
      set_cell(t, a);
      return;
    }
    for (int i = 0; i < 2; i++) {
      wend_grid *grid = t->grid[i];
      if (what < 55) DONE(wend_grid_close(grid, left, top, left, top, closed));
      else if (what < 75 && (dx != 0 || dy != 0) && x < t->width && y < t->height)
        DONE(wend_grid_wall(grid, a, wend_grid_cell(grid, x, y), closed));
      else if (what >= 75 && what < 82 && a != b) DONE(wend_grid_set_portal(grid, a, b, weight, tag, directed));
      else if (what >= 82) (void)wend_grid_remove_portals(grid, a, b);
    }
    return;
  }
  if (what < 15) {
    add_edge(t, a, b);
  } else if (what < 20) {
    add_edge(t, add_node(t, chance(80)), a);
  } else if (what < 25) {
    for (int i = 0; i < 2; i++) DONE(wend_graph_remove_node(t->graph[i], a));
  } else if (what < 45) {
    const bool closed = chance(50);
    for (int i = 0; i < 2; i++) DONE(wend_graph_close_node(t->graph[i], a, closed));
  } else if (wend_graph_edge_count(t->graph[0]) > 0) {
    const wend_id edge = random_edge(t);
    const bool closed = chance(50);
    const double weight = random_weight();
    for (int i = 0; i < 2; i++) {
      if (what < 55) DONE(wend_graph_remove_edge(t->graph[i], edge));
      else if (what < 85) DONE(wend_graph_close_edge(t->graph[i], edge, closed));
      else DONE(wend_graph_set_weight(t->graph[i], edge, weight));
    }
  }
}

/* Prepares one of the maps: as programs do, with landmarks; or with dead ends alone. */
static void prepare(twins *t) {
  wend_map *map = t->map[PREPARED];
  wend_prepared *prepared;
  if (chance(50)) {
    wend_preparation *p = wend_preparation_create(map, NULL);
    CHECK(p != NULL);
    DONE(wend_preparation_step(p, UINT64_MAX));
    wend_preparation_destroy(p);
    return;
  }
  if (t->graph[0] != NULL) DONE(wend_graph_sync(t->graph[PREPARED]));
  prepared = wend_new_part(&map->alloc, sizeof *prepared);
  CHECK(prepared != NULL);
  CHECK(wend_dead_ends_renew(map));
  wend_prepared_install(map, prepared);
}

/* ---- Entered ----------------------------------------------------------------------------------------------- */

/* Floods from a place without another one. */
static void flood(const wend_map *map, uint32_t from, uint32_t without, uint8_t *reached, uint32_t *stack, uint32_t places) {
  const wend_region region = wend_whole_map(map);
  uint32_t height = 0;
  memset(reached, 0, places);
  reached[from] = 1;
  stack[height++] = from;
  while (height > 0) {
    const uint32_t place = stack[--height];
    uint32_t cursor = 0, to;
    while ((to = wend_next_beside(map, &region, place, &cursor)) != WEND_NONE) {
      if (reached[to] || to == without) continue;
      reached[to] = 1;
      stack[height++] = to;
    }
  }
}

static uint64_t needed, entered;

static void compare_entered(twins *t) {
  const wend_map *map = t->map[PREPARED];
  const wend_region region = wend_whole_map(map);
  wend_pruning pruning;
  uint32_t places, *stack, s, g;
  uint8_t *reached;
  if (t->graph[0] != NULL) DONE(wend_graph_sync(t->graph[PREPARED]));
  places = t->graph[0] != NULL ? t->graph[PREPARED]->place_count : t->grid[PREPARED]->place_count;
  if (places == 0) return;
  reached = malloc(places);
  stack = malloc(places * sizeof *stack);
  CHECK(reached != NULL && stack != NULL);
  memset(&pruning, 0, sizeof pruning);
  do s = below(places);
  while (!wend_is_present(map, &region, s) && !chance(1));
  do g = below(places);
  while (!wend_is_present(map, &region, g) && !chance(1));
  CHECK(wend_pruning_begin(&pruning, &map->alloc, map));
  if (pruning.part_of != NULL && wend_is_present(map, &region, s) && wend_is_present(map, &region, g)) {
    bool connected;
    wend_pruning_enter(&pruning, map, s);
    wend_pruning_enter(&pruning, map, g);
    wend_pruning_join(&pruning, map);
    flood(map, s, WEND_NONE, reached, stack, places);
    connected = reached[g] != 0;
    for (uint32_t v = 0; connected && v < places; v++) {
      bool separated = false;
      if (!wend_is_present(map, &region, v)) continue;
      for (uint32_t x = 0; x < places && !separated; x++) {
        if (x == v || !wend_is_present(map, &region, x)) continue;
        flood(map, v, x, reached, stack, places);
        separated = !reached[s] && !reached[g];
      }
      entered += wend_pruning_has(&pruning, v);
      if (separated) continue;
      if (s == g && v != s) continue;
      needed++;
      CHECK(v == s || wend_pruning_has(&pruning, v));
    }
  }
  wend_pruning_free(&pruning, &map->alloc);
  free(reached);
  free(stack);
}

/* ---- Searches ---------------------------------------------------------------------------------------------- */

static double ask(void *ud, const wend_step *step) {
  const uint64_t *salt = ud;
  const uint64_t mixed = (step->from * 31 + step->to * 7 + *salt) * 0x9e3779b97f4a7c15u >> 40;
  if (mixed % 5 == 0) return INFINITY;
  return step->cost < INFINITY ? step->cost * (1 + (double)(mixed % 3)) : (double)(mixed % 7);
}

typedef struct outcome {
  wend_status status;
  double cost;
} outcome;

static outcome run_to_end(wend_search *s) {
  outcome o = {WEND_RUNNING, 0};
  const wend_id *nodes, *edges;
  while (o.status == WEND_RUNNING) o.status = wend_search_step(s, UINT64_MAX);
  if (o.status == WEND_OK) (void)wend_search_path(s, &nodes, &edges, &o.cost);
  return o;
}

static bool same_cost(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + fabs(a)); }

static void compare(outcome a, outcome b, const wend_search_opts *opts) {
  searches++;
  /* Which of the two it is depends on the places that a search has dropped for their cost: fewer without dead ends, more with
   * landmarks. A place that is reached twice may be dropped first or not at all, in the order of the queue. */
  if (opts->max_cost < INFINITY && b.status == WEND_BUDGET && a.status == WEND_NO_PATH) return;
  if (opts->max_cost < INFINITY && a.status == WEND_BUDGET && b.status == WEND_NO_PATH) return;
  CHECK(a.status == b.status);
  if (a.status != WEND_OK) return;
  found++;
  if (opts->variation > 0) return;
  if (!same_cost(a.cost, b.cost)) fprintf(stderr, "%.17g, without dead ends %.17g\n", a.cost, b.cost);
  CHECK(same_cost(a.cost, b.cost));
}

static bool same_path(const wend_search *a, const wend_search *b) {
  const wend_id *nodes[2], *edges[2];
  double cost;
  const uint32_t length = wend_search_path(a, &nodes[0], &edges[0], &cost);
  return length == wend_search_path(b, &nodes[1], &edges[1], &cost) &&
         memcmp(nodes[0], nodes[1], length * sizeof(wend_id)) == 0;
}

/* One search of both, with random options. Sometimes in slices with edits in between. */
static void search_both(twins *t, wend_search *const *s, wend_search *fresh) {
  wend_tag_cost tags[TAGS];
  wend_search_opts opts = wend_search_opts_default();
  wend_end starts[3], goals[3];
  const uint32_t start_count = chance(80) ? 1 : 1 + below(3), goal_count = chance(70) ? 1 : 1 + below(3);
  uint64_t salt = below(1000);
  outcome o[2];
  for (uint32_t k = 0; k < TAGS; k++) {
    tags[k].times = chance(50) ? 1 : 1 + below(3), tags[k].plus = chance(70) ? 0 : below(3);
    if (k > 0 && chance(25)) tags[k].times = 0, tags[k].plus = INFINITY;
    tags[k].asks = chance(40);
    tags[k].at_least = chance(50) ? 1 : 0;
  }
  if (chance(50)) opts.costs.tags = tags;
  if (chance(20)) opts.costs.edge = ask, opts.costs.ud = &salt;
  else
    for (uint32_t k = 0; k < TAGS; k++) tags[k].asks = false;
  if (chance(20)) opts.heuristic = WEND_ZERO;
  if (chance(10)) opts.max_cost = below(40);
  if (chance(20)) opts.compact = true;
  if (chance(10)) opts.variation = 0.3, opts.seed = below(100);
  for (uint32_t k = 0; k < start_count; k++) starts[k].at = random_node(t), starts[k].cost = chance(50) ? 0 : below(4);
  for (uint32_t k = 0; k < goal_count; k++) goals[k].at = random_node(t), goals[k].cost = chance(50) ? 0 : below(4);
  if (starts[0].at == WEND_NO_ID) return;
  if (chance(25)) {
    /* Slices with edits: if the search survives, it comes to what a new one does. */
    outcome late;
    opts.survive_edits = true;
    opts.variation = 0;
    opts.max_cost = INFINITY; /* a search that dropped a path for its cost cannot tell whether an edit has closed the path */
    DONE(wend_search_begin_between(s[0], t->map[PREPARED], starts, start_count, goals, goal_count, &opts));
    late.status = WEND_RUNNING;
    for (uint32_t slice = 0; slice < 4 && late.status == WEND_RUNNING; slice++) {
      late.status = wend_search_step(s[0], 1 + below(6));
      if (late.status != WEND_RUNNING) break;
      if (chance(60)) edit(t);
      if (chance(5)) prepare(t);
      if (chance(3)) wend_map_unprepare(t->map[PREPARED], NULL);
    }
    if (late.status == WEND_RUNNING) late = run_to_end(s[0]);
    else if (late.status == WEND_OK) late = run_to_end(s[0]);
    if (late.status == WEND_STALE) return;
    for (uint32_t k = 0; k < start_count && t->graph[0] != NULL; k++)
      if (!wend_graph_has_node(t->graph[0], starts[k].at)) return;
    for (uint32_t k = 0; k < goal_count && t->graph[0] != NULL; k++)
      if (!wend_graph_has_node(t->graph[0], goals[k].at)) return;
    survived++;
    DONE(wend_search_begin_between(fresh, t->map[PLAIN], starts, start_count, goals, goal_count, &opts));
    compare(late, run_to_end(fresh), &opts);
    return;
  }
  for (int i = 0; i < 2; i++) {
    DONE(wend_search_begin_between(s[i], t->map[i], starts, start_count, goals, goal_count, &opts));
    if (i == 0 && s[0]->pruning.part_of != NULL) {
      with_ends++;
      if (s[0]->pruning.joined_count > 0) joined++;
    }
    o[i] = run_to_end(s[i]);
    expanded[i] += wend_search_stats(s[i]).expanded;
  }
  compare(o[0], o[1], &opts);
  if (o[0].status == WEND_OK && opts.variation == 0 && !same_path(s[0], s[1])) paths_differ++;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------ */

#define MAPS 6u /* more than a search object remembers */

static void one_round(void) {
  twins t[MAPS];
  wend_search *s[4];
  const bool small = chance(50);
  for (int i = 0; i < 4; i++) CHECK((s[i] = wend_search_create(NULL)) != NULL);
  for (uint32_t k = 0; k < MAPS; k++) {
    if (chance(50)) make_graph(&t[k], small ? 3 + below(25) : 30 + below(200));
    else make_grid(&t[k]);
    prepare(&t[k]);
    if (t[k].grid[0] == NULL || t[k].width * t[k].height < 80) compare_entered(&t[k]);
  }
  for (uint32_t turn = 0; turn < 120; turn++) {
    twins *one = &t[chance(70) ? 0 : below(MAPS)];
    wend_search *pair[2];
    pair[0] = s[chance(80) ? 0 : 3], pair[1] = s[1];
    if (turn > 20)
      for (uint32_t edits = chance(1) ? 200 : chance(40) ? 1 + below(3) : 0; edits > 0; edits--) edit(one);
    if (chance(3)) prepare(one);
    if (turn % 20 == 19 && small) compare_entered(one);
    search_both(one, pair, s[2]);
  }
  for (uint32_t k = 0; k < MAPS; k++) destroy(&t[k]);
  for (int i = 0; i < 4; i++) wend_search_destroy(s[i]);
}

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
  for (seed = first; seed < first + rounds; seed++) {
    state = seed * 1000003;
    one_round();
  }
  printf(
      "seeds %llu to %llu: %llu searches, %llu found, %llu with dead ends, %llu after edits joined some, %llu survived edits\n",
      (unsigned long long)first, (unsigned long long)(first + rounds - 1), (unsigned long long)searches,
      (unsigned long long)found, (unsigned long long)with_ends, (unsigned long long)joined, (unsigned long long)survived);
  printf("expanded %llu, without dead ends %llu; %llu paths differ; entered %llu places where %llu had to be\n",
         (unsigned long long)expanded[0], (unsigned long long)expanded[1], (unsigned long long)paths_differ,
         (unsigned long long)entered, (unsigned long long)needed);
  return with_ends > 0 && joined > 0 && needed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
