/* SPDX-License-Identifier: MIT */
/* Every function of the C interface, from several threads at once: they search one graph and some grids that nobody
 * edits, and make, edit and search maps of their own. For ThreadSanitizer: make tsan, which also checks that no function is left out.
 *
 *   shared()   what many may ask of one graph, one field, one route table and of grids
 *   own()      everything else, of maps of the thread's own; searches and fields outlive maps
 *
 * All threads do the same, and must come to the same number. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wend_move.h"

#define THREADS 4
#define ROUNDS 4
#define SIDE 12u /* nodes a row of the graph, cells a row of the grid */

static void fail(const char *what, int line) {
  fprintf(stderr, "threads.c:%d: %s\n", line, what);
  exit(EXIT_FAILURE);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))
#define DONE(call) CHECK((call) == WEND_OK)

static wend_graph *graph;
/* Cells of several costs; cells that all cost the same; walls and portals; more kinds of cells than a palette has. */
enum { PLAIN, UNIFORM, WALLED, MANY_KINDS, GRIDS };
static wend_grid *grids[GRIDS];
static wend_field *field;
static wend_route_table *routes;
static wend_influence *layer; /* of the graph */
static pthread_barrier_t start;

/* What a thread has found: sums that all must agree on. */
typedef struct result {
  double sum;
} result;

static void add(result *r, double number) { r->sum = r->sum * 0.875 + (number < 1e9 ? number : 1); }

static double count_calls(void *ud, const wend_step *step) {
  ++*(uint64_t *)ud;
  return step->cost;
}

static double no_estimate(void *ud, wend_id node, wend_id goal) {
  (void)ud, (void)node, (void)goal;
  return 0;
}

static bool is_clear(void *ud, const double *a, const double *b) {
  (void)ud;
  return a[0] != b[0];
}

static void told(void *ud, uint32_t done, uint32_t all) {
  (void)all;
  *(uint32_t *)ud = done;
}

/* A lattice of nodes with roads, and a tag. */
static wend_graph *make_graph(void) {
  wend_graph *g = wend_graph_create(NULL, 2);
  double points[SIDE * SIDE * 2];
  wend_edge_spec specs[2 * SIDE * SIDE];
  uint32_t tag, count = 0;
  wend_id first;
  CHECK(g != NULL);
  DONE(wend_map_tag(wend_graph_map(g), "mud", 3, &tag));
  for (uint32_t i = 0; i < SIDE * SIDE; i++) points[2 * i] = i % SIDE, points[2 * i + 1] = i / SIDE + 0.01 * (i % 7);
  DONE(wend_graph_add_nodes(g, SIDE * SIDE, points, WEND_UNTAGGED, &first));
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    const wend_edge_spec east = {first + i, first + i + 1, WEND_MEASURED, i % 5 == 0 ? tag : WEND_UNTAGGED, false, 0};
    const wend_edge_spec south = {first + i, first + i + SIDE, WEND_MEASURED, WEND_UNTAGGED, i % 9 == 0, 0};
    if (i % SIDE + 1 < SIDE) specs[count++] = east;
    if (i + SIDE < SIDE * SIDE) specs[count++] = south;
  }
  DONE(wend_graph_add_edges(g, count, specs, &first));
  DONE(wend_graph_set_name(g, 1, "home", 4));
  DONE(wend_graph_set_radius(g, 2, 0));
  for (wend_id i = 3; i < SIDE * SIDE; i += 11) DONE(wend_graph_set_node_tag(g, i, tag));
  for (wend_id i = 3; i < SIDE * SIDE; i += 13) DONE(wend_graph_set_width(g, i, 2));
  return g;
}

/* Asks often enough that the search makes labels. */
static void find_reach(wend_search *s, wend_map *map, wend_id from, wend_id to, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  const wend_id both[] = {to, to - 2};
  bool reached;
  for (int i = 0; i < 8; i++) {
    DONE(wend_search_can_reach(s, map, from, both, 1 + i % 2, &plain, false, &reached));
    add(r, reached);
  }
  add(r, wend_search_stats(s).known);
  add(r, wend_search_knows_reach(s, map, &plain));
}

/* Searches from a corner to the other, in every way. */
static void search_map(wend_search *s, wend_map *map, wend_id from, wend_id to, result *r) {
  const wend_tag_cost tags[] = {{1, 0, 1, true, false, false}, {2, 1, 1, true, false, false}};
  wend_search_opts opts = wend_search_opts_default();
  const wend_end starts[] = {{from, 0}, {from + 1, 3}}, goals[] = {{to, 1}, {to - 1, 0}};
  const wend_id *nodes, *edges;
  const wend_id both[] = {to, to - 2};
  const double corner[] = {0, 0};
  uint64_t calls = 0;
  double cost;
  wend_status status;
  const uint32_t *ends;
  const wend_visited_node *visited;
  uint64_t visits;
  for (int kind = 0; kind < 13; kind++) {
    wend_search_slice_tables(s, kind == 10);
    opts = wend_search_opts_default();
    if (kind == 1) opts.heuristic = WEND_ZERO;
    if (kind == 2) opts.costs.tags = tags, opts.costs.edge = count_calls, opts.costs.ud = &calls;
    if (kind == 3) opts.variation = 0.2, opts.seed = 7;
    if (kind == 5) opts.heuristic = WEND_CUSTOM, opts.heuristic_fn = no_estimate;
    if (kind == 6) opts.partial = true, opts.max_expanded = 5, opts.toward = corner;
    if (kind >= 8) opts.costs.tags = tags; /* `asks` is ignored: there is no edge function */
    if (kind == 9) opts.variation = 0.2, opts.seed = 7;
    if (kind == 10) opts.compact = true;
    opts.visited = kind % 2 == 0;
    if (kind == 11) opts.ends.within = 2.5;
    if (kind == 11 && wend_map_grid(map) != NULL) opts.ends.sight = wend_grid_sees;
    if (kind == 12) opts.turns.per_turn = opts.turns.rest = 400;
    if (kind == 7) DONE(wend_search_begin_between(s, map, starts, 2, goals, 2, &opts));
    else DONE(wend_search_begin(s, map, from, both, kind == 4 ? 2 : 1, &opts));
    do status = wend_search_step(s, 7);
    while (status == WEND_RUNNING);
    if (kind == 6 && status == WEND_BUDGET) DONE(wend_search_partial(s));
    if (kind == 4 && wend_map_grid(map) != NULL) wend_search_keep_corners(s, wend_map_grid(map));
    add(r, wend_search_path(s, &nodes, &edges, &cost));
    add(r, cost);
    add(r, (double)wend_search_stats(s).expanded);
    visits = wend_search_visited(s, &visited);
    CHECK(visits == (opts.visited ? wend_search_stats(s).expanded : 0));
    if (visits > 0) add(r, (double)visited[visits - 1].at), add(r, visited[visits - 1].cost);
    if (kind == 11) add(r, (double)wend_search_goal(s));
    if (kind == 12) add(r, wend_search_turns(s, &ends));
  }
  wend_search_slice_tables(s, false);
  add(r, (double)calls);
  wend_search_reset(s);
  find_reach(s, map, from, to, r);
}

static void find_why(wend_map *map, wend_id from, wend_id to, result *r) {
  wend_why *why = wend_why_create(NULL);
  wend_search *search = wend_search_create(NULL);
  const wend_search_opts opts = wend_search_opts_default();
  const wend_obstacle_costs prices = wend_obstacle_costs_default();
  const wend_reasons *reasons;
  bool shut;
  CHECK(why != NULL && search != NULL);
  DONE(wend_why_find(why, search, map, from, &to, 1, &opts, &prices));
  reasons = wend_why_get(why);
  add(r, reasons->has_path ? -1.0 : (double)reasons->obstacle_count + reasons->reached);
  DONE(wend_map_is_shut(map, &opts.costs, from, false, &shut));
  add(r, shut + (int)wend_map_enter_cause(map, &opts.costs, to));
  CHECK(strcmp(wend_cause_name(WEND_CAUSE_ONE_WAY), "one_way") == 0);
  wend_search_destroy(search);
  wend_why_destroy(why);
}

static void find_components(wend_map *map, result *r) {
  wend_components *c = wend_components_create(NULL);
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  CHECK(c != NULL);
  DONE(wend_components_find(c, map, &plain, NULL));
  add(r, wend_components_get(c)->component_count);
  add(r, wend_components_joined(c, map, 1, 2));
  wend_components_destroy(c);
}

/* Chokepoints, and the way from one place to another. */
static void find_chokepoints(wend_map *map, wend_id from, wend_id to, result *r) {
  wend_chokepoints *c = wend_chokepoints_create(NULL);
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  const wend_chokepoint *found;
  wend_way way;
  CHECK(c != NULL);
  DONE(wend_chokepoints_find(c, map, &plain, 1, 10));
  add(r, wend_chokepoints_get(c, &found));
  wend_chokepoints_destroy(c);
  DONE(wend_map_way(map, &plain, from, to, false, &way));
  add(r, way.cause == WEND_CAUSE_NONE ? way.cost : -1);
  CHECK((wend_cause_name(way.cause) == NULL) == (way.cause == WEND_CAUSE_NONE));
}

/* A field that is read, altered with, and relaxed. */
static void use_field(wend_field *f, wend_search *s, wend_map *map, wend_id at, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  const wend_id *nodes, *edges;
  double cost;
  wend_id next;
  bool asked;
  CHECK(wend_field_has_costs(f, map, &plain, &asked) && !asked);
  CHECK(wend_field_cost(f, at, &cost));
  add(r, cost), add(r, (double)wend_field_next(f, at)), add(r, (double)wend_field_goal(f, at));
  for (wend_id each = wend_field_each(f, WEND_NO_ID); each != WEND_NO_ID; each = wend_field_each(f, each)) add(r, (double)each);
  add(r, wend_field_count(f)), add(r, (double)(wend_field_version(f) == wend_map_version(map)));
  CHECK(wend_field_leads(f) && wend_field_turns(f).per_turn == 0);
  add(r, wend_field_is_altered(f) + wend_field_is_outward(f) * 2.0 + wend_field_window(f)), CHECK(wend_field_bytes(f) > 0);
  DONE(wend_field_path(f, s, map, at));
  add(r, wend_search_path(s, &nodes, &edges, &cost));
  DONE(wend_field_lowest(f, map, &plain, at, &next));
  add(r, (double)next);
}

static wend_field *make_field(wend_search *s, wend_map *map, wend_id goal, uint32_t window) {
  wend_field_opts opts = wend_field_opts_default();
  wend_field *f = wend_field_create(NULL);
  CHECK(f != NULL);
  opts.window = window;
  DONE(wend_field_make(f, s, map, &goal, NULL, 1, &opts));
  return f;
}

/* The same in slices. Between two slices the field is empty. */
static void slice_field(wend_search *s, wend_map *map, wend_id goal, wend_id at, result *r) {
  const wend_field_opts opts = wend_field_opts_default();
  wend_field *f = wend_field_create(NULL);
  uint64_t used, sum = 0;
  wend_status status;
  double cost;
  CHECK(f != NULL);
  DONE(wend_field_begin(f, s, map, &goal, NULL, 1, &opts));
  while ((status = wend_field_step(f, s, 7, &used)) == WEND_RUNNING) {
    CHECK(used == 7 && !wend_field_cost(f, at, &cost));
    sum += used;
  }
  DONE(status);
  DONE(wend_field_step(f, s, 7, NULL));
  CHECK(sum + used == wend_search_stats(s).expanded && wend_field_cost(f, at, &cost));
  add(r, cost), add(r, (double)sum);
  DONE(wend_field_begin(f, s, map, &goal, NULL, 1, &opts));
  wend_field_reset(f);
  CHECK(wend_field_step(f, s, 7, NULL) == WEND_STALE);
  DONE(wend_field_begin(f, s, map, &goal, NULL, 1, &opts));
  wend_search_reset(s);
  CHECK(wend_field_step(f, s, 7, NULL) == WEND_STALE);
  wend_field_destroy(f);
}

/* Turns over places that can only be passed: the moves of one turn alone. */
static void refuse_turns(wend_search *s, wend_map *map, wend_id goal, wend_id at) {
  wend_tag_cost tags[8];
  wend_search_opts opts = wend_search_opts_default();
  wend_field_opts field_opts = wend_field_opts_default();
  wend_field *f = wend_field_create(NULL);
  CHECK(f != NULL && wend_map_tag_count(map) < 8);
  for (int i = 0; i < 8; i++) tags[i] = (wend_tag_cost){1, 0, 1, false, false, true};
  opts.costs.tags = field_opts.costs.tags = tags;
  opts.turns.per_turn = opts.turns.rest = 5;
  field_opts.turns = opts.turns;
  CHECK(wend_search_begin(s, map, at, &goal, 1, &opts) == WEND_INVALID);
  CHECK(wend_field_make(f, s, map, &goal, NULL, 1, &field_opts) == WEND_INVALID);
  field_opts.outward = true, field_opts.max_cost = 1;
  DONE(wend_field_make(f, s, map, &goal, NULL, 1, &field_opts));
  field_opts.max_cost = 2;
  CHECK(wend_field_make(f, s, map, &goal, NULL, 1, &field_opts) == WEND_INVALID);
  wend_field_destroy(f);
}

static void work_field(wend_search *s, wend_map *map, wend_id goal, wend_id at, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  wend_field *f = make_field(s, map, goal, 0), *other = make_field(s, map, at, 0);
  void *bytes;
  double cost;
  size_t size;
  uint32_t changed;
  bool rebuilt;
  slice_field(s, map, goal, at, r);
  refuse_turns(s, map, goal, at);
  use_field(f, s, map, at, r);
  DONE(wend_field_encode(f, map, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_field_encode(f, map, bytes, &size));
  CHECK(wend_file_kind_of(bytes, size) == WEND_FILE_FIELD && wend_file_is_whole(bytes, size));
  DONE(wend_field_update(f, s, map, &plain, &changed, &rebuilt));
  CHECK(changed == 0 && !rebuilt);
  DONE(wend_field_mend(f, s, map, &plain, &changed));
  DONE(wend_field_begin_again(other, f, s, map, &plain, false));
  while (wend_field_step(other, s, 100, NULL) == WEND_RUNNING) continue;
  CHECK(wend_field_count(other) == wend_field_count(f));
  wend_field_add(f, other, 0.5);
  wend_field_scale(f, -1.2);
  CHECK(wend_field_update(f, s, map, &plain, &changed, &rebuilt) == WEND_INVALID);
  DONE(wend_field_relax(f, s, map, &plain));
  CHECK(wend_field_cost(f, at, &cost));
  add(r, cost);
  wend_field_reset(f);
  DONE(wend_field_decode(f, map, bytes, size));
  use_field(f, s, map, at, r);
  free(bytes);
  wend_field_destroy(f);
  wend_field_destroy(other);
}

/* Finds a route, at once and in slices. */
static void find_route(wend_search *s, wend_map *map, const wend_route_opts *opts, wend_route *found, result *r) {
  const double from[] = {2.3, 1.4}, to[] = {9.8, 10.1};
  double cost;
  uint64_t used, sum = 0;
  wend_status status;
  DONE(wend_route_begin(s, map, from, to, opts));
  wend_search_reset(s);
  CHECK(wend_route_step(s, 3, NULL, found) == WEND_STALE);
  DONE(wend_route_begin(s, map, from, to, opts));
  while ((status = wend_route_step(s, 3, &used, found)) == WEND_RUNNING) sum += used;
  DONE(status);
  cost = found->cost;
  CHECK((sum > 0 || opts->clear != NULL) && sum + used >= wend_search_stats(s).expanded);
  DONE(wend_route_begin(s, map, from, to, opts));
  DONE(wend_route_step(s, UINT64_MAX, NULL, found));
  CHECK(found->cost <= cost && found->cost >= cost && found->count > 1);
  add(r, cost), add(r, found->count), add(r, found->points[found->count / 2].point[0]), add(r, (double)found->legs[0]);
}

/* Routes over a grid from anywhere to anywhere. */
static void route_on_grid(wend_search *s, wend_grid *g, result *r) {
  const uint8_t tags[2] = {0, WEND_OPAQUE};
  wend_sight sight = {tags, 2};
  wend_route_opts opts = wend_route_opts_default();
  wend_route found;
  for (int straight = 0; straight < 2; straight++) {
    opts.straighten = straight != 0;
    opts.clear = straight ? is_clear : NULL;
    find_route(s, wend_grid_map(g), &opts, &found, r);
  }
  add(r, wend_grid_room(g, wend_grid_cell(g, 5, 5), 1, 4));
  for (wend_id at = WEND_NO_ID; (at = wend_sight_next(&sight, g, wend_grid_cell(g, 5, 5), 3, at)) != WEND_NO_ID;)
    CHECK(wend_sight_sees(&sight, wend_grid_map(g), at, wend_grid_cell(g, 5, 5))), add(r, (double)at);
}

/* A watch of one path over a map that nobody edits. */
static void watch_path(const wend_map *map, const wend_id *ids, uint32_t count, const wend_id *edges, uint32_t edge_count,
                       const wend_path_age *age, result *r) {
  wend_watch *watch = wend_watch_create(NULL, map);
  const uint8_t marked[8] = {0};
  const uint32_t *numbers;
  uint32_t number, affected;
  CHECK(watch != NULL);
  DONE(wend_watch_add(watch, ids, count, edges, edge_count, age, &number));
  DONE(wend_watch_set(watch, number, ids, count, edges, edge_count, age));
  wend_watch_affected(watch, &numbers, &affected);
  add(r, affected);
  wend_watch_mark(watch, number);
  wend_watch_affected(watch, &numbers, &affected);
  CHECK(affected == 1 && numbers[0] == number && wend_watch_count(watch) == 1 && wend_watch_bytes(watch) > 0);
  CHECK(!wend_watch_uses(watch, number, marked));
  wend_watch_remove(watch, number);
  wend_watch_destroy(watch);
}

static void route(wend_search *s, wend_graph *g, result *r) {
  wend_map *map = wend_graph_map(g);
  wend_route_opts opts = wend_route_opts_default();
  const uint8_t marked[8] = {0};
  const wend_id *nodes, *edges;
  double cost;
  uint32_t count;
  wend_route found;
  for (int by_edge = 0; by_edge < 2; by_edge++) {
    opts.by_edge = by_edge != 0;
    opts.jitter = 0.25;
    opts.clear = NULL;
    opts.straighten = false;
    find_route(s, map, &opts, &found, r);
    count = wend_search_path(s, &nodes, &edges, &cost);
    CHECK(count > 1 && wend_map_tag_count(map) < sizeof marked && !wend_graph_path_uses(g, edges, count - 1, marked));
    {
      const wend_path_age age = {wend_map_version(map), false, WEND_NO_ID, {0, WEND_UNTAGGED}, 0};
      const wend_cell goal = wend_goal_value(map, nodes[count - 1], wend_map_version(map));
      CHECK(goal.weight == goal.weight);
      CHECK(wend_graph_path_valid(g, nodes, count, edges, count - 1, &age));
      watch_path(map, nodes, count, edges, count - 1, &age, r);
    }
    wend_jitter_points(found.points, found.count, 2, 5, is_clear, NULL);
    opts.clear = is_clear;
    opts.straighten = true;
    find_route(s, map, &opts, &found, r);
  }
}

/* What is near a point, with conditions. */
static void find_near(wend_search *s, wend_graph *g, result *r) {
  wend_finder *finder = wend_finder_create(NULL);
  wend_field *there = make_field(s, wend_graph_map(g), 40, 0);
  wend_find_opts opts = wend_find_opts_default();
  wend_choice_opts choice = wend_choice_opts_default();
  const double point[] = {3.3, 4.4};
  const wend_near *found;
  wend_waypoint waypoint;
  static const wend_tag_cost tags[] = {{1, 0, 1, true, false, false}, {2, 1, 1, true, false, false}};
  uint64_t calls = 0;
  const wend_costs costs = {tags, count_calls, &calls, 0, NULL, 0};
  uint32_t count;
  CHECK(finder != NULL);
  opts.limit = 3;
  DONE(wend_finder_find(finder, g, point, &opts, &found, &count));
  add(r, found[2].distance);
  opts.clear = is_clear;
  opts.can_reach = there;
  DONE(wend_finder_find(finder, g, point, &opts, &found, &count));
  add(r, found[0].distance), add(r, count);
  opts.edges = true;
  DONE(wend_finder_find(finder, g, point, &opts, &found, &count));
  add(r, found[0].distance), add(r, count);
  opts.costs = &costs;
  DONE(wend_finder_find(finder, g, point, &opts, &found, &count));
  add(r, (double)calls), add(r, count);
  choice.can_reach = there;
  add(r, (double)wend_map_random(wend_graph_map(g), 9, &choice));
  waypoint.id = 1;
  CHECK(wend_graph_waypoints(g, 0.5, &waypoint, 1) == 1);
  add(r, waypoint.point[0] + waypoint.reach);
  wend_field_destroy(there);
  wend_finder_destroy(finder);
}

/* Asks a graph about all there is, and changes nothing. */
static void ask_graph(wend_search *s, wend_graph *g, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  wend_map *map = wend_graph_map(g);
  wend_linker *linker = wend_linker_create(NULL);
  const wend_pair *pairs;
  wend_near near[5];
  const double point[] = {3.3, 4.4};
  wend_id edges[8], between;
  wend_edge edge;
  uint32_t count, tag;
  size_t length, nodes_bytes, edges_bytes, size;
  void *bytes;
  uint64_t *counts;
  wend_map *copied;
  double cost;
  CHECK(linker != NULL);
  DONE(wend_graph_sync(g));
  DONE(wend_map_tag(map, "mud", 3, &tag));
  add(r, tag + wend_map_tag_count(map)), CHECK(wend_map_tag_name(map, tag, &length) != NULL && length == 3);
  add(r, wend_graph_dimensions(g)), add(r, wend_graph_node_count(g)), add(r, wend_graph_unplaced_count(g));
  add(r, wend_graph_edge_count(g));
  wend_graph_bytes(g, &nodes_bytes, &edges_bytes);
  CHECK(wend_graph_has_node(g, 1) && wend_graph_has_edge(g, 1) && !wend_graph_is_closed(g, 1));
  for (wend_id node = wend_graph_next_node(g, WEND_NO_ID); node != WEND_NO_ID; node = wend_graph_next_node(g, node)) {
    add(r, wend_graph_position(g, node)[0]), add(r, wend_graph_radius(g, node));
    DONE(wend_graph_edges(g, node, edges, 8, &count));
    if (count > 0) DONE(wend_graph_edge(g, edges[0], &edge));
    if (count > 0) DONE(wend_graph_edge_between(g, edge.from, edge.to, &between));
    if (count > 0) DONE(wend_graph_edge_cost(g, &plain, edges[0], false, &cost));
    add(r, count), add(r, cost);
  }
  CHECK(wend_graph_find(g, "home", 4) == 1 && wend_graph_name(g, 1, &length) != NULL);
  DONE(wend_graph_nearest(g, point, INFINITY, 5, near, &count));
  add(r, near[4].distance);
  DONE(wend_graph_nearest_edges(g, point, 3, 5, near, &count));
  add(r, near[4].distance);
  DONE(wend_linker_find(linker, g, 6, INFINITY, false));
  add(r, wend_linker_pairs(linker, &pairs));
  wend_linker_destroy(linker);
  search_map(s, map, 1, SIDE * SIDE, r);
  find_components(map, r);
  find_chokepoints(map, 1, SIDE * SIDE, r);
  find_why(map, 1, SIDE * SIDE, r);
  find_near(s, g, r);
  route(s, g, r);
  CHECK((counts = malloc((wend_map_tag_count(map) + 1) * sizeof *counts)) != NULL);
  DONE(wend_graph_count_tags(g, counts));
  add(r, (double)counts[0]), add(r, (double)wend_graph_next_edge(g, WEND_NO_ID));
  free(counts);
  DONE(wend_map_copy(map, &copied));
  add(r, wend_graph_edge_count(wend_map_graph(copied)));
  wend_map_destroy(copied);
  DONE(wend_graph_encode(g, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_graph_encode(g, bytes, &size));
  DONE(wend_graph_encode_bare(g, bytes, &size));
  {
    wend_graph *copy;
    DONE(wend_graph_decode(NULL, bytes, size, &copy));
    add(r, wend_graph_edge_count(copy));
    wend_graph_destroy(copy);
  }
  free(bytes);
}

static void ask_routes(const wend_route_table *table, wend_search *s, wend_graph *g, result *r) {
  const wend_id *nodes, *edges;
  wend_id next, edge;
  double cost;
  CHECK(wend_route_table_next(table, 1, SIDE * SIDE, &next, &edge) && wend_route_table_cost(table, 1, SIDE * SIDE, &cost));
  add(r, (double)next), add(r, cost), CHECK(wend_route_table_bytes(table) > 0);
  CHECK(wend_route_table_version(table) == wend_map_version(wend_graph_map(g)));
  DONE(wend_route_table_path(table, s, 1, SIDE * SIDE));
  add(r, wend_search_path(s, &nodes, &edges, &cost));
}

static wend_grid *make_grid(void) {
  wend_grid *grid = wend_grid_create(NULL, SIDE, SIDE, WEND_BOTH_OPEN);
  const wend_cell slow = {3, WEND_UNTAGGED}, closed = {INFINITY, WEND_UNTAGGED};
  CHECK(grid != NULL);
  wend_grid_set_diagonal_length(grid, 1.25);
  CHECK(wend_grid_diagonal_length(grid) > 1.2 && wend_grid_diagonal_length(grid) < 1.3);
  DONE(wend_grid_fill(grid, 2, 2, 7, 3, slow));
  DONE(wend_grid_set(grid, wend_grid_cell(grid, 4, 4), closed));
  return grid;
}

/* A grid of each sort. */
static wend_grid *make_grid_of(int sort) {
  const uint32_t side = sort == MANY_KINDS ? 257 : SIDE;
  const wend_cell closed = {INFINITY, WEND_UNTAGGED};
  wend_grid *grid = sort == PLAIN ? make_grid() : wend_grid_create(NULL, side, side, WEND_BOTH_OPEN);
  CHECK(grid != NULL);
  if (sort == UNIFORM) DONE(wend_grid_fill(grid, 3, 3, 3, 9, closed));
  if (sort == WALLED) {
    DONE(wend_grid_wall(grid, 1, 2, true));
    DONE(wend_grid_set_portal(grid, 1, 100, 2, WEND_UNTAGGED, false));
  }
  for (uint32_t cell = 1; sort == MANY_KINDS && cell <= side * side; cell++) {
    const wend_cell value = {1 + cell / 65536.0, WEND_UNTAGGED};
    DONE(wend_grid_set(grid, cell, value));
  }
  if (sort == MANY_KINDS) DONE(wend_grid_set(grid, 1, closed)); /* the least weight is gone */
  return grid;
}

/* The corners of a path. */
static void ask_corners(wend_search *s, wend_grid *grid, result *r) {
  wend_search_opts opts = wend_search_opts_default();
  const wend_id *cells, *edges, goal = 2;
  double cost;
  DONE(wend_search_begin(s, wend_grid_map(grid), 1, &goal, 1, &opts));
  DONE(wend_search_step(s, UINT64_MAX));
  wend_search_keep_corners(s, grid);
  add(r, wend_search_path(s, &cells, &edges, &cost)), add(r, cost);
}

static void ask_lines(wend_grid *grid, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  const double a[] = {0.5, 0.5}, b[] = {9.5, 1.5};
  wend_id cells[] = {133, 134, 135, 136, 137};
  wend_line line = wend_line_begin(grid, 1, SIDE * SIDE);
  uint32_t count = 5;
  double cost;
  wend_way way;
  bool clear;
  while (wend_line_next(&line)) add(r, line.length);
  DONE(wend_map_way(wend_grid_map(grid), &plain, 1, 2, false, &way));
  cost = way.cost;
  DONE(wend_grid_stretch(grid, &plain, 1, 4, 0.5, &way));
  CHECK(way.cost <= cost);
  DONE(wend_grid_leg(grid, &plain, 1, SIDE, INFINITY, &cost));
  add(r, cost);
  DONE(wend_grid_line_clear(grid, &plain, a, b, &clear));
  DONE(wend_grid_straighten(grid, &plain, WEND_NO_ID, cells, &count, &cost));
  add(r, cost), add(r, clear);
  CHECK(wend_grid_direction(grid, 1, 2) == 4 && wend_grid_direction(grid, 1, 3) == -1);
  CHECK(wend_grid_is_jump(grid, 1, 3, WEND_STEPS, 0) && !wend_grid_is_jump(grid, 1, 2, WEND_STEPS, 0));
  {
    const wend_path_age age = {0, WEND_STRAIGHT, WEND_NO_ID, {0, WEND_UNTAGGED}, 0};
    const uint8_t marked[8] = {1};
    add(r, wend_grid_path_valid(grid, cells, count, &age));
    CHECK(wend_map_tag_count(wend_grid_map((wend_grid *)grid)) < sizeof marked);
    add(r, wend_grid_path_uses(grid, cells, count, &age, marked));
    add(r, wend_map_uses(wend_grid_map((wend_grid *)grid), marked));
    watch_path(wend_grid_map((wend_grid *)grid), cells, count, NULL, 0, &age, r);
  }
}

/* The nearest cell, and a random one. */
static void choose_cells(wend_grid *grid, const wend_field *reach, result *r) {
  const double point[] = {3.25, 4.75}, outside[] = {-4, 7};
  wend_choice_opts opts = wend_choice_opts_default();
  double distance = 0;
  add(r, (double)wend_grid_nearest(grid, point, &opts, &distance)), add(r, distance);
  opts.can_reach = reach;
  add(r, (double)wend_grid_nearest(grid, outside, &opts, &distance)), add(r, distance);
  add(r, (double)wend_map_random(wend_grid_map(grid), 5, &opts));
}

static void ask_grid(wend_search *s, wend_grid *grid, result *r) {
  const wend_id from = wend_grid_cell(grid, 2, 1), to = wend_grid_cell(grid, 9, 10), near = wend_grid_cell(grid, 4, 2);
  wend_map *map = wend_grid_map(grid);
  wend_field *window = make_field(s, map, from, 3);
  search_map(s, map, from, to, r);
  search_map(s, map, to, from, r);
  route_on_grid(s, grid, r);
  use_field(window, s, map, near, r);
  choose_cells(grid, window, r);
  wend_field_destroy(window);
  if (wend_grid_width(grid) > SIDE) return;
  window = make_field(s, map, from, 0);
  use_field(window, s, map, near, r);
  ask_lines(grid, r);
  ask_corners(s, grid, r);
  wend_field_destroy(window);
}

/* A path with a layer that nobody changes. */
static void search_layer(wend_search *s, wend_map *map, const wend_influence *of, result *r) {
  const wend_influence_use use = {of, 0.5};
  wend_search_opts opts = wend_search_opts_default();
  const wend_id to = SIDE * SIDE, *nodes, *edges;
  double cost;
  opts.costs.influences = &use, opts.costs.influence_count = 1;
  DONE(wend_search_begin(s, map, 1, &to, 1, &opts));
  DONE(wend_search_step(s, UINT64_MAX));
  add(r, wend_search_path(s, &nodes, &edges, &cost));
  add(r, cost + wend_influence_sum(&opts.costs, to));
}

static void shared(wend_search *s, result *r) {
  search_layer(s, wend_graph_map(graph), layer, r);
  ask_graph(s, graph, r);
  use_field(field, s, wend_graph_map(graph), SIDE * SIDE, r);
  work_field(s, wend_graph_map(graph), 1, SIDE * SIDE, r);
  ask_routes(routes, s, graph, r);
  for (int sort = 0; sort < MANY_KINDS; sort++) ask_grid(s, grids[sort], r);
}

/* ---- Maps of one's own ------------------------------------------------------------------------------------- */

static void own_graph(wend_search *s, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  wend_graph *g = make_graph();
  wend_route_table *table = wend_route_table_create(NULL);
  const double point[] = {20, 20};
  uint32_t done = 0;
  uint64_t digest, again;
  size_t size;
  void *bytes;
  wend_id node;
  CHECK(table != NULL);
  ask_graph(s, g, r);
  DONE(wend_map_digest(wend_graph_map(g), &digest)); /* it counts as an edit */
  DONE(wend_map_digest(wend_graph_map(g), &again));
  CHECK(digest == again);
  add(r, (double)(digest >> 32));
  DONE(wend_graph_add_node(g, point, "far", 3, INFINITY, WEND_UNTAGGED, &node));
  DONE(wend_graph_move(g, 5, point));
  DONE(wend_graph_close_node(g, 6, true));
  DONE(wend_graph_close_edge(g, 3, true));
  DONE(wend_graph_set_weight(g, 4, 9));
  DONE(wend_graph_set_tag(g, 5, 1));
  DONE(wend_graph_set_node_tag(g, 5, 1));
  DONE(wend_graph_set_width(g, 5, 3));
  add(r, wend_graph_node_tag(g, 5));
  DONE(wend_graph_remove_edge(g, 7));
  DONE(wend_graph_remove_node(g, 30));
  search_map(s, wend_graph_map(g), 1, SIDE * SIDE, r);
  work_field(s, wend_graph_map(g), 1, SIDE * SIDE, r);
  DONE(wend_route_table_make(table, s, g, &plain, told, &done));
  ask_routes(table, s, g, r);
  DONE(wend_route_table_encode(table, g, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_route_table_encode(table, g, bytes, &size));
  DONE(wend_route_table_decode(table, g, bytes, size));
  ask_routes(table, s, g, r);
  free(bytes);
  wend_route_table_destroy(table);
  wend_graph_destroy(g);
}

static void encode_grid(wend_grid *grid, result *r) {
  wend_map *copied;
  wend_grid *copy;
  const void *extra;
  size_t size, extra_size;
  void *bytes;
  DONE(wend_grid_encode(grid, "extra", 5, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_grid_encode(grid, "extra", 5, bytes, &size));
  DONE(wend_grid_encode_bare(grid, "extra", 5, bytes, &size));
  DONE(wend_grid_decode(NULL, bytes, size, &copy, &extra, &extra_size));
  add(r, (double)extra_size);
  wend_grid_destroy(copy);
  free(bytes);
  DONE(wend_map_copy(wend_grid_map(grid), &copied));
  copy = wend_map_grid(copied);
  CHECK((bytes = malloc((wend_map_tag_count(wend_grid_map(copy)) + 1) * sizeof(uint64_t))) != NULL);
  wend_grid_count_tags(copy, bytes);
  add(r, (double)*(uint64_t *)bytes);
  wend_grid_destroy(copy);
  free(bytes);
}

/* Prepares a map in slices, and searches it. */
static void prepare(wend_map *map) {
  const wend_prepare_opts opts = {4, {NULL, NULL, NULL, 0, NULL, 0}, false};
  wend_preparation *preparation = wend_preparation_create(map, &opts);
  wend_prepared_info info;
  CHECK(wend_map_can_prepare(map, &opts.costs));
  CHECK(preparation != NULL);
  while (wend_preparation_step(preparation, 50) == WEND_RUNNING) CHECK(wend_preparation_progress(preparation) <= 1);
  DONE(wend_preparation_step(preparation, 1));
  wend_preparation_info(preparation, &info);
  CHECK(info.landmarks == 4);
  wend_preparation_destroy(preparation);
}

static void own_prepared(wend_search *s, result *r) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  wend_grid *grid = make_grid();
  wend_map *map = wend_grid_map(grid);
  wend_prepared_info info;
  CHECK(!wend_map_prepared(map, &plain, &info));
  prepare(map);
  CHECK(wend_map_prepared(map, &plain, &info));
  add(r, info.landmarks + info.share);
  search_map(s, map, 1, SIDE * SIDE, r);
  wend_map_unprepare(map, NULL);
  CHECK(!wend_map_prepared(map, &plain, &info));
  wend_grid_destroy(grid);
}

static void own_hexes(wend_search *s, result *r) {
  wend_grid *grid = wend_grid_create_hexes(NULL, SIDE, SIDE, WEND_EVEN_COLUMNS);
  wend_frame frame = {4, 3, 1, 1, false, WEND_SQUARES, 2};
  double point[2], cells[2], cell[2];
  CHECK(grid != NULL && wend_grid_shape(grid) == WEND_EVEN_COLUMNS);
  CHECK(wend_grid_are_neighbours(grid, 1, SIDE + 1) && wend_grid_are_neighbours(grid, 2, SIDE + 1));
  CHECK(!wend_grid_are_neighbours(grid, 1, SIDE + 2));
  frame.shape = WEND_EVEN_COLUMNS;
  wend_frame_centre(&frame, 3, 2, point);
  wend_frame_point_in_cells(&frame, point, cells);
  wend_frame_cell(&frame, cells, cell);
  CHECK(cell[0] == 3 && cell[1] == 2);
  DONE(wend_grid_wall(grid, 2, SIDE + 1, true));
  search_map(s, wend_grid_map(grid), 1, SIDE * SIDE, r);
  encode_grid(grid, r);
  wend_grid_destroy(grid);
}

static void own_grid(wend_search *s, result *r) {
  wend_grid *grid = make_grid(), *other = make_grid();
  wend_map *map = wend_grid_map(grid);
  wend_cell row[SIDE];
  const uint8_t bytes[] = {0, 2, 0, 0, 2, 2};
  const wend_numbered values[] = {{0, {1, WEND_UNTAGGED}}, {2, {3, WEND_UNTAGGED}}};
  wend_assign_opts assign = {2, 9, 4, 10, 1, 3, values, 2};
  wend_id unknown;
  uint32_t number;
  wend_id a = WEND_NO_ID, b = WEND_NO_ID;
  double weight;
  uint32_t tag;
  search_map(s, map, 1, SIDE * SIDE, r);
  for (uint32_t x = 0; x < SIDE; x++) row[x].weight = 1 + x % 3, row[x].tag = WEND_UNTAGGED;
  DONE(wend_map_tag(map, "mud", 3, &tag));
  DONE(wend_grid_set_row(grid, 8, row));
  DONE(wend_grid_assign(grid, bytes, &assign, &unknown, &number));
  assign.count = 1;
  CHECK(wend_grid_assign(grid, bytes, &assign, &unknown, &number) == WEND_INVALID && number == 2);
  CHECK(unknown == wend_grid_cell(grid, 3, 9));
  DONE(wend_grid_wall(grid, 1, 2, true));
  DONE(wend_grid_set_portal(grid, 1, 100, 2, tag, false));
  DONE(wend_grid_close(grid, 6, 6, 9, 9, true));
  DONE(wend_grid_close(grid, 7, 6, 9, 8, false));
  CHECK(wend_grid_is_closed(grid, wend_grid_cell(grid, 6, 6)) && !wend_grid_is_closed(grid, wend_grid_cell(grid, 7, 6)));
  add(r, wend_grid_kept(grid, wend_grid_cell(grid, 6, 8)).weight);
  add(r, wend_grid_get(grid, 5).weight);
  DONE(wend_grid_wall_directed(grid, 4, 3, true));
  CHECK(wend_grid_is_wall_directed(grid, 4, 3) && !wend_grid_is_wall_directed(grid, 3, 4));
  CHECK(wend_grid_next_wall(grid, &a, &b));
  a = b = WEND_NO_ID;
  CHECK(wend_grid_next_portal(grid, &a, &b) && wend_grid_find_portal(grid, 1, 100, &weight, &tag));
  CHECK(wend_grid_width(grid) == SIDE && wend_grid_height(grid) == SIDE && wend_grid_diagonals(grid) == WEND_BOTH_OPEN);
  CHECK(wend_grid_bytes(grid) > 0);
  ask_lines(grid, r);
  search_map(s, map, 1, SIDE * SIDE, r);
  find_components(map, r);
  find_chokepoints(map, 1, SIDE * SIDE, r);
  find_why(map, 1, SIDE * SIDE, r);
  work_field(s, map, 1, SIDE * SIDE, r);
  wend_field_destroy(make_field(s, map, 50, 3));
  encode_grid(grid, r);
  DONE(wend_grid_fit(grid, 1.2));
  CHECK(wend_grid_fit(grid, 0.4) == WEND_INVALID);
  search_map(s, map, 1, SIDE * SIDE, r);
  work_field(s, map, 1, SIDE * SIDE, r);
  add(r, wend_grid_remove_portals(grid, 1, 100));
  DONE(wend_grid_exchange(grid, other));
  search_map(s, map, 1, SIDE * SIDE, r);
  wend_search_forget(s, map);
  wend_grid_destroy(grid);
  wend_grid_destroy(other);
}

/* Writes walls and a name as a level, frees the walls, and reads them again. */
static wend_walls *own_level(wend_walls *walls, result *r) {
  const wend_named_place place = {"home", 4, 2, {1, 2, 0}};
  wend_level level, *back;
  void *part, *bytes;
  size_t size;
  memset(&level, 0, sizeof level);
  DONE(wend_walls_encode(walls, NULL, &size));
  CHECK((part = malloc(size)) != NULL);
  DONE(wend_walls_encode(walls, part, &size));
  wend_walls_destroy(walls);
  level.merged = WEND_NONE;
  level.cell = 16;
  level.walls.bytes = part, level.walls.size = size;
  level.places = &place, level.place_count = 1;
  DONE(wend_level_encode(&level, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_level_encode(&level, bytes, &size));
  DONE(wend_level_decode(NULL, bytes, size, &back));
  CHECK(back->place_count == 1 && back->places[0].length == 4 && back->merged == WEND_NONE);
  add(r, back->places[0].position[1] + back->cell);
  DONE(wend_walls_decode(NULL, back->walls.bytes, back->walls.size, &walls));
  wend_level_destroy(back);
  free(bytes);
  free(part);
  return walls;
}

static void own_walls(result *r) {
  wend_walls *walls = wend_walls_create(NULL);
  const double from[] = {0, 0}, to[] = {40, 40};
  double offset[3];
  wend_id last;
  bool clear;
  double distance;
  CHECK(walls != NULL);
  for (int i = 0; i < 40; i++) {
    const double numbers[] = {i, 1 + i % 7, i + 1, 2};
    const wend_wall wall = {WEND_SEGMENT, 4, numbers};
    DONE(wend_walls_add(walls, wall, &last));
    DONE(wend_walls_clear(walls, from, to, 0.1 * i, &clear));
    add(r, clear);
    DONE(wend_walls_distance(walls, from, to, &distance));
    add(r, distance);
  }
  DONE(wend_walls_remove(walls, last));
  CHECK(!wend_walls_has(walls, last) && wend_walls_has(walls, 3));
  for (wend_id id = wend_walls_next(walls, WEND_NO_ID); id != WEND_NO_ID; id = wend_walls_next(walls, id))
    add(r, wend_walls_get(walls, id).numbers[0]);
  CHECK(wend_walls_version(walls) > 0);
  add(r, wend_walls_count(walls)), CHECK(wend_walls_bytes(walls) > 0);
  walls = own_level(walls, r);
  add(r, wend_walls_count(walls));
  wend_walls_destroy(walls);
  wend_jitter(7, 9, 2, offset);
  add(r, offset[0]);
}

/* A walker on a curve with a stop, which is saved on its way; and a path in a file. */
static void follow(result *r) {
  static const double points[][2] = {{0.5, 0.5}, {2.5, 0.5}, {3.5, 3.5}, {1.5, 4.5}};
  const wend_pace paces[] = {{"gate", 4, 1, true}, {"mud", 3, 0.5, false}};
  const wend_frame frame = {2, 1, -1, 0, true, WEND_SQUARES, 0};
  const double vector[2] = {1, 1}, place[3] = {3.25, 3.5, 0};
  const wend_curve_opts curve = {WEND_CATMULL_ROM, 0.5, false, NULL, NULL};
  wend_follow_opts opts = {2, WEND_HERMITE, 0, false, NULL, NULL, paces, 2, true, WEND_FOLLOW_COST};
  wend_id behind, cells[2], legs[3] = {WEND_NO_ID, WEND_PORTAL_LEG, WEND_NO_ID};
  wend_saved_path path = {NULL, NULL, 0, 0, 0, 0, WEND_STEPS, false, false, false, false, NULL, 0}, again;
  wend_grid *grid = wend_grid_create(NULL, 5, 5, WEND_BOTH_OPEN);
  wend_waypoint way[4];
  wend_course course = {way, legs, 4, 2, NULL, NULL, NULL, 0};
  wend_follower *f = wend_follower_create(NULL, &opts), *loaded;
  wend_polyline *line = wend_polyline_create(NULL);
  const double *list;
  const uint32_t *numbers;
  double in_cells[2], least, left;
  char bytes[4096];
  uint32_t point, tag;
  size_t size;
  CHECK(grid != NULL && f != NULL && line != NULL);
  memset(way, 0, sizeof way);
  for (int i = 0; i < 4; i++) memcpy(way[i].point, points[i], sizeof points[i]);
  course.map = wend_grid_map(grid);
  DONE(wend_map_tag(course.map, "gate", 4, &tag));
  DONE(wend_grid_set_portal(grid, wend_grid_cell(grid, 2, 0), wend_grid_cell(grid, 3, 3), 1, tag, true));
  wend_frame_in_cells(&frame, vector, in_cells);
  add(r, in_cells[0]);
  DONE(wend_curve_line(line, &course, &curve, &least));
  add(r, wend_polyline_points(line, &list, &numbers));
  CHECK(wend_polyline_kept(line, &numbers) == 0);
  DONE(wend_follower_start(f, &course, &least));
  wend_follower_set_speed(f, 3);
  CHECK(wend_follower_update(f, 1, &point) == WEND_RUNNING && point == 2);
  DONE(wend_follower_go_on(f, &point));
  CHECK(wend_follower_waiting(f, &size) != NULL && size == 4);
  CHECK(wend_follower_resume_at(f, place) && !wend_follower_resume(f));
  wend_follower_pause(f);
  CHECK(wend_follower_is_paused(f) && wend_follower_resume(f));
  wend_follower_set_announces(f, false);
  wend_follower_set_announces(f, true);
  DONE(wend_follower_encode(f, NULL, &size));
  CHECK(size <= sizeof bytes);
  DONE(wend_follower_encode(f, bytes, &size));
  DONE(wend_follower_decode(NULL, course.map, NULL, NULL, NULL, bytes, size, &loaded));
  wend_follower_destroy(f);
  CHECK(wend_follower_traits_of(loaded).announces && wend_follower_points(loaded, &list) == 4);
  DONE(wend_follower_remaining(loaded, &left));
  DONE(wend_follower_line(loaded, line));
  add(r, left), add(r, wend_follower_where(loaded)->heading);
  CHECK(wend_follower_edge(loaded) == WEND_NO_ID && wend_follower_node(loaded) == WEND_NO_ID);
  CHECK(wend_follower_ahead(loaded, &behind) == WEND_NO_ID && behind == WEND_NO_ID);
  CHECK(wend_follower_tag(loaded) == tag); /* it crosses the gate */
  wend_follower_put(loaded, place, 0);
  DONE(wend_follower_go(loaded, &course, true, &least));
  wend_follower_forget_map(loaded);
  wend_follower_destroy(loaded);
  wend_polyline_destroy(line);
  cells[0] = 1, cells[1] = 7;
  path.nodes = cells, path.node_count = 2, path.cost = 1.5;
  DONE(wend_path_encode(&path, course.map, NULL, &size));
  DONE(wend_path_encode(&path, course.map, bytes, &size));
  again = path;
  again.nodes = NULL;
  DONE(wend_path_decode(&again, course.map, bytes, size));
  CHECK(again.node_count == 2 && again.cost == 1.5);
  wend_grid_destroy(grid);
}

/* Unpacks 40 letters. */
static void unpack(result *r) {
  static const unsigned char packed[] = {31, 139, 8,  0,  0, 0, 0,  0,  2,  255, 43, 79, 205, 75,
                                         81, 40,  39, 76, 0, 0, 35, 95, 35, 108, 40, 0,  0,   0};
  uint64_t size;
  char text[40];
  DONE(wend_gunzip_size(packed, sizeof packed, 1000, &size));
  CHECK(size == sizeof text);
  DONE(wend_gunzip(packed, sizeof packed, text, sizeof text));
  add(r, text[38]);
}

/* Searches read the maps as they were when they began, or versions of them that were frozen before. */
static void edited(wend_search *s, result *r) {
  wend_search_opts opts = wend_search_opts_default();
  const wend_id to = SIDE * SIDE;
  const wend_id *nodes, *edges;
  double cost;
  opts.freeze = true;
  for (int turn = 0; turn < 4; turn++) {
    wend_graph *g = make_graph();
    wend_grid *grid = make_grid();
    wend_map *map = turn % 2 == 0 ? wend_graph_map(g) : wend_grid_map(grid);
    wend_map *version = wend_map_freeze(map);
    const uint64_t before = wend_map_version(map);
    wend_status status;
    DONE(wend_search_begin(s, turn < 2 ? map : version, 1, &to, 1, &opts));
    do {
      if (turn % 2 == 0) DONE(wend_graph_close_node(g, to, !wend_graph_is_closed(g, to)));
      else DONE(wend_grid_close(grid, SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 1, true));
      status = wend_search_step(s, 2);
    } while (status == WEND_RUNNING);
    CHECK(status == WEND_OK && wend_search_version(s) == before);
    add(r, wend_search_path(s, &nodes, &edges, &cost));
    wend_map_thaw(version);
    wend_search_reset(s);
    wend_graph_destroy(g);
    wend_grid_destroy(grid);
  }
}

/* Searches of one thread that share views and are compact. The views live until the last of them is gone. */
static void share(result *r) {
  wend_search_opts opts = wend_search_opts_default();
  wend_views *views = wend_views_create(NULL);
  wend_search *searches[3];
  const wend_id to = SIDE * SIDE;
  CHECK(views != NULL);
  opts.compact = true;
  for (int i = 0; i < 3; i++) {
    CHECK((searches[i] = wend_search_create(NULL)) != NULL);
    wend_search_share(searches[i], views);
    DONE(wend_search_begin(searches[i], wend_grid_map(grids[i % GRIDS]), 1, &to, 1, &opts));
  }
  for (int i = 0; i < 3; i++) {
    const wend_id *nodes, *edges;
    double cost;
    wend_status status;
    while ((status = wend_search_step(searches[i], 7)) == WEND_RUNNING) continue;
    CHECK(wend_search_bytes(searches[i]) > 0);
    r->sum += status == WEND_OK ? (double)wend_search_path(searches[i], &nodes, &edges, &cost) : 0;
  }
  wend_views_forget(views, wend_grid_map(grids[0]));
  wend_search_share(searches[0], NULL);
  wend_views_destroy(views);
  for (int i = 0; i < 3; i++) wend_search_destroy(searches[i]);
}

/* Counts the bytes that are held. */
static void *counting_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  *(size_t *)ud += new_bytes - old_bytes;
  if (new_bytes > 0) return realloc(block, new_bytes);
  free(block);
  return NULL;
}

/* Agents that pay the same have one ground: what searches keep of a map does not grow with their number. Each has costs in memory of
 * its own; some have a size, and some look for a goal on an island, so that labels are made. */
static void share_ground(wend_search *s, result *r) {
  enum { AGENTS = 1000, WARM = 12, WIDTH = 40 };
  size_t held = 0, warm = 0;
  const wend_alloc counted = {counting_resize, &held};
  const wend_cell mud = {2, 1}, closed = {1, WEND_CELL_CLOSED};
  wend_views *views = wend_views_create(&counted);
  wend_grid *grid = wend_grid_create(NULL, WIDTH, WIDTH, WEND_BOTH_OPEN);
  uint32_t tag;
  CHECK(views != NULL && grid != NULL);
  DONE(wend_map_tag(wend_grid_map(grid), "mud", 3, &tag));
  DONE(wend_grid_fill(grid, 5, 5, 30, 20, mud));
  DONE(wend_grid_fill(grid, 36, 0, 36, WIDTH - 1, closed));
  wend_search_share(s, views);
  for (int i = 0; i < AGENTS; i++) {
    const wend_tag_cost one = {1, 0, 1, false, false, false}, two = {3, 1, 1, false, false, false};
    const wend_id near = 35, island = WIDTH - 1;
    wend_tag_cost *tags = malloc(2 * sizeof *tags);
    wend_search_opts opts = wend_search_opts_default();
    wend_status status;
    CHECK(tags != NULL && tag == 1);
    tags[0] = one, tags[1] = two;
    opts.costs.tags = tags;
    opts.costs.size = i % 2 == 0 ? 2 : 0;
    DONE(wend_search_begin(s, wend_grid_map(grid), 1 + WIDTH * 20, i % 4 < 2 ? &near : &island, 1, &opts));
    status = wend_search_step(s, UINT64_MAX);
    CHECK(status == (i % 4 < 2 ? WEND_OK : WEND_NO_PATH));
    add(r, (double)wend_search_stats(s).loop);
    wend_search_reset(s);
    free(tags);
    if (i == WARM) warm = held;
  }
  CHECK(warm > 0 && held == warm);
  wend_search_share(s, NULL);
  wend_views_destroy(views);
  wend_grid_destroy(grid);
  CHECK(held == 0);
}

/* A search and a field outlive the maps that they were at work on: nothing touches those again. */
static void outlive(result *r) {
  const wend_search_opts opts = wend_search_opts_default();
  wend_search *s = wend_search_create(NULL);
  const wend_id to = SIDE * SIDE;
  wend_field *f;
  for (int turn = 0; turn < 6; turn++) {
    wend_graph *g = make_graph();
    wend_grid *grid = make_grid();
    DONE(wend_grid_wall(grid, 1, 2, true)); /* so that it is searched cell by cell */
    DONE(wend_search_begin(s, turn % 2 == 0 ? wend_graph_map(g) : wend_grid_map(grid), 1, &to, 1, &opts));
    CHECK(wend_search_step(s, 3) == WEND_RUNNING);
    f = make_field(s, turn % 3 == 0 ? wend_grid_map(grid) : wend_graph_map(g), 1, 0);
    DONE(wend_search_begin(s, turn % 2 == 0 ? wend_grid_map(grid) : wend_graph_map(g), 1, &to, 1, &opts));
    CHECK(wend_search_step(s, 3) == WEND_RUNNING);
    wend_graph_destroy(g);
    wend_grid_destroy(grid);
    if (turn % 2 == 0) wend_search_reset(s);
    if (turn % 3 == 0) wend_field_reset(f);
    g = make_graph();
    grid = make_grid();
    search_map(s, turn < 3 ? wend_graph_map(g) : wend_grid_map(grid), 1, to, r);
    {
      const wend_field_opts field_opts = wend_field_opts_default();
      DONE(wend_field_make(f, s, turn < 3 ? wend_grid_map(grid) : wend_graph_map(g), &to, NULL, 1, &field_opts));
      use_field(f, s, turn < 3 ? wend_grid_map(grid) : wend_graph_map(g), 1, r);
    }
    DONE(wend_search_begin(s, wend_graph_map(g), 1, &to, 1, &opts));
    CHECK(wend_search_step(s, 3) == WEND_RUNNING);
    wend_graph_destroy(g);
    wend_grid_destroy(grid);
    wend_field_destroy(f);
    if (turn == 3) {
      wend_search_reset(s);
      while (wend_search_trim(s)) continue;
      wend_search_destroy(s);
      CHECK((s = wend_search_create(NULL)) != NULL);
    }
  }
  wend_search_destroy(s);
}

/* The cost of the path from the first cell or node of an overlay to another; 0: there is none. */
static double overlaid(wend_search *s, wend_map *overlay, wend_id to) {
  const wend_search_opts opts = wend_search_opts_default();
  const wend_id *nodes, *edges;
  double cost = 0;
  DONE(wend_map_follow(overlay));
  DONE(wend_search_begin(s, overlay, 1, &to, 1, &opts));
  if (wend_search_step(s, UINT64_MAX) == WEND_OK) (void)wend_search_path(s, &nodes, &edges, &cost);
  wend_search_reset(s);
  return cost;
}

/* The bytes of the changes of an overlay. */
static size_t changes_size(wend_map *overlay) {
  size_t size;
  DONE(wend_overlay_encode(overlay, NULL, &size));
  return size;
}

/* A surface over a few blocks. */
static void own_surface(result *r) {
  static const int32_t corner[] = {-3, 0, 5}, pit[] = {0, 0, 5};
  static const uint32_t size[] = {6, 3, 1}, one[] = {1, 3, 1};
  static const uint8_t ids[18] = {1, 1, 1, 1, 1, 1};
  const double west[] = {-2.5, 1, 5.5}, east[] = {2.5, 2, 5.5};
  const wend_surface_opts opts = {2, 1, 3, 1, false, false, false, false, WEND_BOTH_OPEN};
  wend_graph *graph = wend_graph_create(NULL, 3);
  wend_surface *own = wend_surface_create(NULL, graph, &opts);
  size_t bad;
  CHECK(graph != NULL && own != NULL);
  DONE(wend_surface_set_class(own, 0, WEND_BLOCK_AIR, WEND_UNTAGGED, 1));
  DONE(wend_surface_set_class(own, 1, WEND_BLOCK_SOLID, WEND_UNTAGGED, 1));
  CHECK(wend_surface_has_class(own, 1) && !wend_surface_has_class(own, 2));
  CHECK(wend_surface_set_class(own, 1, WEND_BLOCK_SOLID, WEND_UNTAGGED, 1) == WEND_INVALID);
  DONE(wend_surface_load(own, corner, size, ids, 1, &bad));
  CHECK(wend_graph_node_count(graph) == 6 && wend_surface_bytes(own) > 4096);
  add(r, (double)wend_surface_at(own, west));
  DONE(wend_surface_change(own, pit, 0));
  DONE(wend_surface_unload(own, pit, one));
  add(r, wend_graph_edge_count(graph)), add(r, (double)wend_surface_at(own, east));
  wend_surface_destroy(own);
  wend_graph_destroy(graph);
}

/* A layer of a grid, and the same from a file. */
static void own_layer(wend_search *s, result *r) {
  wend_grid *grid = make_grid();
  wend_map *map = wend_grid_map(grid);
  wend_influence *own = wend_influence_create(NULL, map), *back;
  wend_field *costs = make_field(s, map, 1, 0);
  size_t size;
  void *bytes;
  CHECK(own != NULL);
  DONE(wend_influence_obstacle_distance(own, grid));
  DONE(wend_influence_invert(own, map, 2));
  search_layer(s, map, own, r);
  DONE(wend_influence_from_field(own, map, costs, 3));
  DONE(wend_influence_set(own, 2, 5));
  DONE(wend_influence_add(own, 3, 0.25));
  DONE(wend_influence_stamp(own, map, 30, 4, 2, WEND_FALLOFF_SMOOTH));
  wend_influence_decay(own, 0.5);
  search_layer(s, map, own, r);
  DONE(wend_influence_encode(own, map, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_influence_encode(own, map, bytes, &size));
  DONE(wend_influence_decode(NULL, map, bytes, size, &back));
  add(r, wend_influence_get(back, 30)), CHECK(wend_influence_bytes(back) > 4 * SIDE * SIDE);
  search_layer(s, map, back, r);
  wend_influence_reset(own);
  CHECK(wend_influence_get(own, 30) == 0);
  free(bytes);
  wend_influence_destroy(own);
  wend_influence_destroy(back);
  wend_field_destroy(costs);
  wend_grid_destroy(grid);
}

/* Overlays of a graph that all threads share, and of a grid that is edited and freed. */
static void overlays(wend_search *s, result *r) {
  wend_grid *grid = wend_grid_create(NULL, SIDE, SIDE, WEND_BOTH_OPEN), *cells[6], *fog;
  wend_map *made, *again;
  wend_graph *o;
  wend_edge edge;
  uint64_t digests[2];
  size_t size, unchanged;
  void *bytes;
  const wend_id last = SIDE * SIDE;
  const wend_cell heavy = {4, WEND_UNTAGGED};
  uint32_t tag;
  CHECK(grid != NULL);
  DONE(wend_map_overlay(wend_graph_map(graph), &made));
  o = wend_map_graph(made);
  unchanged = changes_size(made);
  add(r, overlaid(s, wend_graph_map(o), last));
  DONE(wend_graph_close_node(o, 2, true));
  DONE(wend_graph_close_edge(o, 3, true));
  DONE(wend_graph_set_weight(o, 4, 7));
  CHECK(wend_graph_is_closed(o, 2) && changes_size(wend_graph_map(o)) > unchanged);
  add(r, overlaid(s, wend_graph_map(o), last));
  wend_overlay_reset_node(o, 2), wend_overlay_reset_edge(o, 3);
  DONE(wend_graph_edge(o, 3, &edge));
  CHECK(!wend_graph_is_closed(o, 2) && !edge.closed);
  add(r, overlaid(s, wend_graph_map(o), last));
  wend_graph_destroy(o);
  for (int i = 0; i < 6; i++) {
    DONE(wend_map_overlay(wend_grid_map(i % 2 == 0 ? grid : cells[i - 1]), &made));
    cells[i] = wend_map_grid(made);
    DONE(wend_grid_close(cells[i], 2, 0, 2, 5 + (uint32_t)i, true));
    DONE(wend_grid_fill(cells[i], 4, 0, 4, 11, heavy));
    DONE(wend_grid_wall(cells[i], 1, 2, true));
    DONE(wend_map_tag(wend_grid_map(cells[i]), "mud", 3, &tag));
    CHECK(tag == 1 && wend_map_tag_count(wend_grid_map(grid)) == 1);
  }
  for (int i = 0; i < 24; i++) {
    DONE(wend_map_follow(wend_grid_map(cells[i % 6 & ~1]))); /* the base of the next one */
    add(r, overlaid(s, wend_grid_map(cells[i % 6]), last));
    if (i % 3 == 0) DONE(wend_grid_close(grid, 5, 0, 5, (uint32_t)i / 3, i % 2 == 0));
    if (i % 7 == 0) wend_overlay_reset_cells(cells[i % 6], 2, 0, 2, 1);
  }
  DONE(wend_map_follow(wend_grid_map(cells[0])));
  DONE(wend_overlay_encode(wend_grid_map(cells[0]), NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_overlay_encode(wend_grid_map(cells[0]), bytes, &size));
  DONE(wend_overlay_decode(wend_grid_map(grid), bytes, size, &again));
  CHECK(changes_size(again) == size);
  wend_map_destroy(again);
  free(bytes);
  DONE(wend_grid_overlay_fog(cells[0], 2, WEND_UNTAGGED, &fog));
  DONE(wend_overlay_reveal(fog, 0, 0, 5, 5));
  CHECK(wend_overlay_is_fog(wend_grid_map(fog)) && !wend_overlay_is_fog(wend_grid_map(cells[0])));
  CHECK(wend_overlay_knows(fog, 1) && !wend_overlay_knows(fog, 7) && wend_grid_is_closed(fog, 2 * SIDE + 3));
  for (wend_id at = WEND_NO_ID; (at = wend_overlay_frontier(fog, at)) != WEND_NO_ID;) add(r, (double)at);
  add(r, overlaid(s, wend_grid_map(fog), last));
  wend_overlay_reset(wend_grid_map(fog));
  CHECK(!wend_overlay_knows(fog, 1) && wend_grid_get(fog, 2 * SIDE + 3).weight == 2);
  wend_grid_destroy(fog);
  wend_overlay_reset(wend_grid_map(cells[0]));
  CHECK(changes_size(wend_grid_map(cells[0])) < size);
  DONE(wend_map_digest(wend_grid_map(cells[0]), &digests[0]));
  DONE(wend_map_digest(wend_grid_map(grid), &digests[1]));
  CHECK(digests[0] == digests[1]);
  wend_grid_destroy(grid);
  for (int i = 0; i < 6; i++) wend_grid_destroy(cells[i]);
}

/* Saves a crowd and reads it again: both take the same steps. */
static void resume(wend_crowd *crowd, const wend_crowd_opts *opts) {
  wend_crowd *again;
  const void *extra;
  size_t size, extra_size;
  void *bytes;
  DONE(wend_crowd_encode(crowd, "note", 4, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_crowd_encode(crowd, "note", 4, bytes, &size));
  CHECK(wend_file_kind_of(bytes, size) == WEND_FILE_CROWD && wend_file_is_whole(bytes, size));
  CHECK(wend_crowd_decode(NULL, NULL, bytes, size, &again, &extra, &extra_size) == WEND_STALE && again == NULL);
  DONE(wend_crowd_decode(NULL, opts, bytes, size, &again, &extra, &extra_size));
  CHECK(extra_size == 4 && memcmp(extra, "note", 4) == 0);
  for (int i = 0; i < 30; i++) {
    DONE(wend_crowd_update(crowd, 1.0 / 30, 8, NULL));
    DONE(wend_crowd_update(again, 1.0 / 30, 8, NULL));
    CHECK(wend_crowd_hash(crowd) == wend_crowd_hash(again));
  }
  free(bytes);
  wend_crowd_destroy(again);
}

/* Walkers 3 and 4 chase 2 and a target of the caller, and walk on as before. */
static void chases(wend_crowd *crowd, const wend_id *ids) {
  wend_chase chase = {.walker = ids[2], .distance = -1, .turned = true, .angle = 1};
  const wend_chase_target target = {.x = 3, .y = 5, .radius = 0.5, .face_x = 1, .face_y = 0};
  const wend_chase_target negative = {.radius = -1};
  wend_walker_info info;
  uint32_t chasers;
  double cosine, sine;
  DONE(wend_crowd_chase(crowd, ids[3], &chase));
  DONE(wend_crowd_get(crowd, ids[3], &info));
  CHECK(info.chasing);
  CHECK(wend_crowd_chase(crowd, ids[2], &chase) == WEND_INVALID); /* itself */
  CHECK(wend_crowd_retarget(crowd, ids[3], 0) == WEND_INVALID);
  chase.walker = WEND_NO_ID;
  CHECK(wend_crowd_chase(crowd, ids[4], &chase) == WEND_INVALID); /* no such target */
  CHECK(wend_crowd_target(crowd, 0, &negative, NULL) == WEND_INVALID);
  DONE(wend_crowd_target(crowd, 0, &target, &chasers));
  CHECK(chasers == 0);
  DONE(wend_crowd_surround(crowd, &ids[4], 1, &chase));
  CHECK(wend_crowd_surrounds(crowd, &ids[4], 1, &chase) && !wend_crowd_surrounds(crowd, &ids[3], 1, &chase));
  DONE(wend_crowd_retarget(crowd, ids[4], 0));
  DONE(wend_crowd_chase(crowd, ids[3], NULL));
  DONE(wend_crowd_chase(crowd, ids[4], NULL));
  wend_crowd_turn(0, &cosine, &sine);
  CHECK(cosine == 1 && sine == 0);
}

/* A plan with heights: up a ladder, to a place beside its end. */
static void climb(void) {
  const wend_crowd_opts opts = {NULL, 0, true, 2};
  const wend_walker_opts walker = wend_walker_opts_default();
  const double points[] = {1, 0, 1, 0, 2, 0, 2, 0}, up[] = {0, 4, 4, 4}, goal[] = {2, 1}, far = 2e9;
  wend_crowd_way way = {.points = points, .heights = up, .count = 4};
  wend_crowd_plan plan;
  wend_walker_info info;
  wend_id id;
  wend_crowd *crowd = wend_crowd_create(NULL, &opts);
  CHECK(crowd != NULL);
  DONE(wend_crowd_add(crowd, &walker, &id));
  DONE(wend_crowd_send(crowd, id, goal));
  DONE(wend_crowd_ask(crowd, id, &plan));
  CHECK(plan.height == 0 && plan.goal_y == 1);
  way.heights = &far, way.count = 1;
  CHECK(wend_crowd_answer(crowd, &plan, &way) == WEND_INVALID);
  DONE(wend_crowd_touch(crowd, id));
  DONE(wend_crowd_ask(crowd, id, &plan));
  way.heights = up, way.count = 4;
  DONE(wend_crowd_answer(crowd, &plan, &way));
  for (int i = 0; i < 300; i++) DONE(wend_crowd_update(crowd, 1.0 / 30, 8, NULL));
  DONE(wend_crowd_get(crowd, id, &info));
  CHECK(info.state == WEND_WALKER_ARRIVED && info.height == 4 && info.y > 0.5);
  wend_crowd_destroy(crowd);
}

/* Two walkers at different heights, and a ladder. */
static void heights(result *r) {
  const wend_crowd_opts opts = {NULL, 0, false, 2};
  wend_walker_opts walker = wend_walker_opts_default();
  const double points[] = {0, 0, 1, 0, 1, 0, 2, 0}, up[] = {0, 0, 3, 3}, back[] = {0, 0}, height = 7;
  wend_walker_info info;
  wend_id ids[2];
  const void *extra;
  size_t size, extra_size;
  unsigned char *bytes;
  wend_crowd *crowd = wend_crowd_create(NULL, &opts);
  CHECK(crowd != NULL);
  DONE(wend_crowd_add(crowd, &walker, &ids[0]));
  walker.x = 2;
  DONE(wend_crowd_add(crowd, &walker, &ids[1]));
  DONE(wend_crowd_go(crowd, ids[0], points, 4));
  DONE(wend_crowd_rise(crowd, ids[0], NULL, up, 4));
  DONE(wend_crowd_go(crowd, ids[1], back, 1));
  DONE(wend_crowd_rise(crowd, ids[1], &height, NULL, 0));
  CHECK(wend_crowd_rise(crowd, ids[0], NULL, up, 3) == WEND_INVALID);
  for (int i = 0; i < 30; i++) DONE(wend_crowd_update(crowd, 1.0 / 30, 8, NULL));
  DONE(wend_crowd_encode(crowd, NULL, 0, NULL, &size));
  bytes = malloc(size);
  CHECK(bytes != NULL);
  DONE(wend_crowd_encode(crowd, NULL, 0, bytes, &size));
  wend_crowd_destroy(crowd);
  DONE(wend_crowd_decode(NULL, NULL, bytes, size, &crowd, &extra, &extra_size));
  free(bytes);
  for (int i = 0; i < 300; i++) DONE(wend_crowd_update(crowd, 1.0 / 30, 8, NULL));
  DONE(wend_crowd_get(crowd, ids[0], &info));
  CHECK(info.state == WEND_WALKER_ARRIVED && info.height == 3);
  DONE(wend_crowd_get(crowd, ids[1], &info));
  CHECK(info.state == WEND_WALKER_ARRIVED && info.height == 7 && info.y == 0);
  wend_crowd_destroy(crowd);
  climb();
}

static void crowds(result *r) {
  wend_crowd_opts opts = {NULL, 7, true, 0};
  wend_walker_opts walker = wend_walker_opts_default();
  wend_walker_info info;
  wend_crowd_result done;
  const wend_crowd_jam *jams;
  wend_crowd_plan plan;
  wend_id ids[8], near[8];
  const wend_crowd_formation form = {NULL, true, false, true};
  const wend_id area[] = {3, 4};
  const double route[] = {6, 3.5, 10, 3.5}, back[] = {1, 1}, factors[] = {0.5}, wall[] = {6, 4.2, 6, 7};
  const wend_crowd_way way = {.points = route, .count = 2}, along = {.points = route, .count = 2, .on_grid = true};
  wend_tag_cost tags[] = {{1, 0, 0, false, false, false}, {1, INFINITY, 0, false, false, false}};
  uint32_t count, tag;
  wend_grid *grid = wend_grid_create(NULL, 12, 7, WEND_BOTH_OPEN);
  wend_map *fitted;
  CHECK(grid != NULL);
  opts.grid = grid;
  wend_crowd *crowd = wend_crowd_create(NULL, &opts);
  CHECK(crowd != NULL);
  DONE(wend_grid_close(grid, 6, 0, 6, 2, true));
  DONE(wend_map_tag(wend_grid_map(grid), "lava", 4, &tag));
  DONE(wend_grid_set(grid, wend_grid_cell(grid, 11, 6), (wend_cell){1, tag}));
  DONE(wend_crowd_set_walls(crowd, wall, 1));
  for (int i = 0; i < 8; i++) {
    walker.x = 1 + i / 4, walker.y = 1 + i % 4, walker.radius = 0.3;
    DONE(wend_crowd_add(crowd, &walker, &ids[i]));
  }
  DONE(wend_crowd_close(crowd, ids[5], tags, 2));
  DONE(wend_crowd_close(crowd, ids[6], tags, 2));
  CHECK(wend_crowd_closed(crowd, ids[5]) != 0 && wend_crowd_closed(crowd, ids[5]) == wend_crowd_closed(crowd, ids[6]));
  CHECK(wend_crowd_closed(crowd, ids[0]) == 0);
  DONE(wend_map_copy(wend_grid_map(grid), &fitted));
  DONE(wend_crowd_fit(crowd, ids[5], (wend_grid *)fitted, 0.6));
  CHECK(wend_crowd_bumps(crowd, ids[5], (const wend_grid *)fitted, near, 8) == 0);
  wend_map_destroy(fitted);
  DONE(wend_crowd_area(crowd, ids[5], area, 2));
  DONE(wend_crowd_go_group(crowd, ids, 6, route, 2));
  DONE(wend_crowd_go(crowd, ids[6], back, 1));
  DONE(wend_crowd_go(crowd, ids[5], route, 2));
  DONE(wend_crowd_may_take(crowd, ids[5], &along));
  DONE(wend_crowd_go_along(crowd, ids[5], &along));
  DONE(wend_crowd_send(crowd, ids[6], back));
  DONE(wend_crowd_repeat(crowd, ids[6], back));
  DONE(wend_crowd_go_group(crowd, ids, 2, back, 1));
  DONE(wend_crowd_form(crowd, ids, 2, &form));
  DONE(wend_crowd_repeat_group(crowd, ids, 2, back));
  CHECK(wend_crowd_aimed(crowd, ids[6], back) && !wend_crowd_aimed(crowd, ids[6], route));
  walker.speed = 2;
  CHECK(wend_crowd_room(crowd, ids[6], back, &near[0]) == WEND_INVALID);
  walker.radius = 1.2;
  DONE(wend_crowd_set(crowd, ids[6], &walker));
  DONE(wend_crowd_room(crowd, ids[6], back, &near[0]));
  CHECK(near[0] == wend_grid_cell(grid, 1, 1));
  walker.radius = 0.3;
  DONE(wend_crowd_set(crowd, ids[6], &walker));
  DONE(wend_crowd_speeds(crowd, ids[6], factors, 1, true));
  CHECK(wend_crowd_wants(crowd, ids[5]) == ids[6]);
  DONE(wend_crowd_ask(crowd, ids[6], &plan));
  DONE(wend_crowd_defer(crowd, &plan));
  DONE(wend_crowd_touch(crowd, ids[6]));
  DONE(wend_crowd_note_costs(crowd, ids[6], (const uint8_t[]){0}));
  chases(crowd, ids);
  DONE(wend_crowd_rush(crowd, ids[6], true));
  DONE(wend_crowd_influence(crowd, ids[6], NULL, 0));
  DONE(wend_crowd_ask(crowd, ids[6], &plan));
  wend_crowd_replan(crowd, ids[6]);
  CHECK(wend_crowd_answer(crowd, &plan, &way) == WEND_STALE);
  DONE(wend_crowd_ask(crowd, ids[6], &plan));
  DONE(wend_crowd_answer(crowd, &plan, &way));
  DONE(wend_crowd_note_edits(crowd));
  DONE(wend_crowd_pause(crowd, ids[7], true));
  DONE(wend_crowd_push(crowd, ids[5], 1, 1));
  DONE(wend_crowd_update(crowd, 0.2, 8, &done));
  DONE(wend_crowd_place(crowd, ids[6], 1.5, 6));
  DONE(wend_crowd_stop(crowd, ids[6]));
  DONE(wend_crowd_lose(crowd, ids[7]));
  for (int i = 0; i < 200; i++) DONE(wend_crowd_update(crowd, 1.0 / 30, 8, &done));
  (void)wend_crowd_events(crowd, &count);
  DONE(wend_crowd_jams(crowd, &jams, &count));
  for (uint32_t i = 0; i < count; i++) CHECK(jams[i].times > 1 && jams[i].cell > 0);
  DONE(wend_crowd_get(crowd, ids[0], &info));
  add(r, info.x + count);
  DONE(wend_crowd_near(crowd, 3, 3, 3, true, near, 8, &count));
  add(r, count);
  DONE(wend_crowd_remove(crowd, ids[1]));
  DONE(wend_crowd_get(crowd, ids[7], &info));
  CHECK(!wend_crowd_has(crowd, ids[1]) && wend_crowd_count(crowd) == 7 && wend_crowd_next(crowd, ids[0]) == ids[2]);
  add(r, info.y + (double)(wend_crowd_hash(crowd) >> 40));
  CHECK(wend_crowd_bytes(crowd) > 0);
  resume(crowd, &opts);
  wend_crowd_destroy(crowd);
  wend_grid_destroy(grid);
}

/* ---- Batches ------------------------------------------------------------------------------------------------ */

/* An allocator for the thread that made it alone: workers never call it. */
static void *own_resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  (void)old_bytes;
  CHECK(pthread_equal(pthread_self(), *(pthread_t *)ud));
  if (new_bytes > 0) return realloc(block, new_bytes);
  free(block);
  return NULL;
}

typedef struct worker {
  wend_batch *batch;
  uint32_t number;
} worker;

static void *work(void *ud) {
  wend_batch_work(((worker *)ud)->batch, ((worker *)ud)->number);
  return NULL;
}

/* Runs the workers of a batch that has begun, but for the last one: its tasks are left to others, or to the end. */
static void run_workers(wend_batch *batch, uint32_t count) {
  worker workers[4];
  pthread_t threads[4];
  for (uint32_t i = 0; i + 1 < count; i++) {
    workers[i].batch = batch, workers[i].number = i;
    CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  }
  for (uint32_t i = 0; i + 1 < count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* Whether a task has found what one search finds. Costs are compared by their bits. */
static void check_path(wend_search *s, const wend_batch_task *task, const wend_batch_found *found) {
  const wend_id *nodes, *edges;
  wend_status status;
  uint32_t count;
  double cost;
  DONE(wend_search_begin(s, task->map, task->from, task->goals, task->goal_count, task->path));
  status = wend_search_step(s, UINT64_MAX);
  CHECK(status == found->status);
  if (found->partial) DONE(wend_search_partial(s));
  count = wend_search_path(s, &nodes, &edges, &cost);
  CHECK(count == found->node_count && found->partial == (task->path->partial && status != WEND_OK));
  if (count == 0) return;
  CHECK(memcmp(&cost, &found->cost, sizeof cost) == 0 && memcmp(nodes, found->nodes, count * sizeof *nodes) == 0);
  CHECK(wend_map_grid(task->map) != NULL || memcmp(edges, found->edges, (count - 1) * sizeof *edges) == 0);
}

enum { TASKS = 40 };

/* A batch over maps that all threads share. */
static void batch_paths(wend_batch *batch, wend_search *s, const wend_alloc *alloc, uint32_t workers, result *r) {
  static const wend_tag_cost tags[] = {{1, 0, 1, false, false, false}, {2, 1, 1, false, false, false}};
  wend_map *const maps[] = {wend_graph_map(graph), wend_grid_map(grids[PLAIN]), wend_grid_map(grids[UNIFORM]),
                            wend_grid_map(grids[WALLED])};
  const double corner[] = {0, 0};
  wend_batch_task tasks[TASKS];
  wend_id goals[TASKS][2];
  wend_search_opts opts[5];
  wend_field_opts field_opts = wend_field_opts_default();
  for (int i = 0; i < 5; i++) opts[i] = wend_search_opts_default();
  opts[1].costs.tags = tags;
  opts[2].variation = 0.2, opts[2].seed = 7;
  opts[3].partial = true, opts[3].max_expanded = 5, opts[3].toward = corner;
  opts[4].max_cost = 6, opts[4].ends.closed = true;
  memset(tasks, 0, sizeof tasks);
  for (uint32_t i = 0; i < TASKS; i++) {
    tasks[i].map = maps[i % 4];
    tasks[i].from = 1 + i * 7 % (SIDE * SIDE);
    goals[i][0] = SIDE * SIDE - i, goals[i][1] = 1 + i;
    tasks[i].goals = goals[i];
    tasks[i].goal_count = 1 + i % 2;
    tasks[i].path = &opts[i % 5];
    if (i % 8 < 6) continue;
    tasks[i].path = NULL;
    CHECK((tasks[i].field = wend_field_create(alloc)) != NULL);
    tasks[i].opts = &field_opts;
  }
  DONE(wend_batch_begin(batch, s, workers, tasks, TASKS));
  CHECK(wend_batch_begin(batch, s, workers, tasks, TASKS) == WEND_INVALID);
  wend_batch_work(batch, workers); /* there is no such worker */
  run_workers(batch, workers);
  DONE(wend_batch_end(batch));
  CHECK(wend_batch_end(batch) == WEND_INVALID);
  for (uint32_t i = 0; i < TASKS; i++) {
    const wend_batch_found *found = wend_batch_result(batch, i);
    wend_field *expected;
    if (tasks[i].path != NULL) {
      check_path(s, &tasks[i], found);
      add(r, found->cost), add(r, (double)found->stats.pushed);
      continue;
    }
    CHECK(found->status == WEND_OK && found->node_count == 0);
    CHECK((expected = wend_field_create(NULL)) != NULL);
    DONE(wend_field_make(expected, s, tasks[i].map, goals[i], NULL, tasks[i].goal_count, &field_opts));
    for (wend_id id = 1; id <= SIDE * SIDE; id++) {
      double a = 0, b = 0;
      CHECK(wend_field_cost(expected, id, &a) == wend_field_cost(tasks[i].field, id, &b));
      CHECK(memcmp(&a, &b, sizeof a) == 0 && wend_field_next(expected, id) == wend_field_next(tasks[i].field, id));
    }
    wend_field_destroy(expected);
    use_field(tasks[i].field, s, tasks[i].map, 1, r);
    wend_field_destroy(tasks[i].field);
  }
}

/* Long paths, for which the memory of workers is too little at first: a grid of one winding way. And one that leads nowhere. */
static void batch_long_paths(wend_batch *batch, wend_search *s, uint32_t workers, result *r) {
  const uint32_t side = 65;
  const wend_id goal = (wend_id)side * side, nowhere = 1 + side * 2;
  wend_grid *grid = wend_grid_create(NULL, side, side, WEND_BOTH_OPEN);
  const wend_search_opts opts = wend_search_opts_default();
  wend_batch_task tasks[300];
  CHECK(grid != NULL);
  for (uint32_t y = 1; y < side; y += 2) {
    const uint32_t gap = y % 4 == 1 ? side - 1 : 0;
    DONE(wend_grid_close(grid, 0, y, side - 1, y, true));
    DONE(wend_grid_close(grid, gap, y, gap, y, false));
  }
  memset(tasks, 0, sizeof tasks);
  for (uint32_t i = 0; i < 300; i++) {
    tasks[i].map = wend_grid_map(grid), tasks[i].from = i + 1 <= side ? i + 1 : 1;
    tasks[i].goals = &goal, tasks[i].goal_count = 1, tasks[i].path = &opts;
  }
  for (int turn = 0; turn < 3; turn++) {
    DONE(wend_batch_begin(batch, s, workers, tasks, 300));
    run_workers(batch, workers);
    DONE(wend_batch_end(batch));
    for (uint32_t i = 0; i < 300; i += 13) check_path(s, &tasks[i], wend_batch_result(batch, i));
    add(r, wend_batch_result(batch, 299)->node_count);
  }
  DONE(wend_grid_close(grid, 0, side - 2, 0, side - 2, true));
  tasks[7].goals = &nowhere;
  for (int turn = 0; turn < 3; turn++) {
    DONE(wend_batch_begin(batch, s, workers, tasks, 20));
    run_workers(batch, workers);
    DONE(wend_batch_end(batch));
    for (uint32_t i = 0; i < 20; i++) CHECK(wend_batch_result(batch, i)->status == (i == 7 ? WEND_OK : WEND_NO_PATH));
  }
  CHECK(wend_batch_result(batch, 0)->stats.known);
  wend_grid_destroy(grid);
}

typedef struct searcher {
  wend_preparation *preparation;
  uint32_t number;
} searcher;

static void *search_beside(void *ud) {
  wend_preparation_search(((searcher *)ud)->preparation, ((searcher *)ud)->number);
  return NULL;
}

/* Prepares a map by one thread or by two. */
static void prepare_by_threads(wend_map *map, bool beside, uint32_t landmarks) {
  const wend_prepare_opts opts = {landmarks, {NULL, NULL, NULL, 0, NULL, 0}, beside && landmarks == 3};
  wend_preparation *preparation = wend_preparation_create(map, &opts);
  uint32_t count;
  CHECK(preparation != NULL);
  while (beside && (count = wend_preparation_open(preparation)) > 0) {
    searcher second = {preparation, 1};
    pthread_t thread;
    CHECK(wend_preparation_progress(preparation) < 1);
    if (count == 2) CHECK(pthread_create(&thread, NULL, search_beside, &second) == 0);
    wend_preparation_search(preparation, 0);
    if (count == 2) CHECK(pthread_join(thread, NULL) == 0);
  }
  DONE(wend_preparation_step(preparation, UINT64_MAX));
  CHECK(wend_preparation_open(preparation) == 0);
  wend_preparation_destroy(preparation);
}

/* A copy of a graph with this allocator, prepared by one thread or by two; its bytes, which the caller frees. */
static void *prepared_bytes(const void *bytes, size_t size, const wend_alloc *alloc, bool beside, size_t *prepared_size) {
  wend_graph *copy;
  void *result;
  DONE(wend_graph_decode(alloc, bytes, size, &copy));
  prepare_by_threads(wend_graph_map(copy), beside, 0);
  DONE(wend_graph_encode(copy, NULL, prepared_size));
  CHECK((result = malloc(*prepared_size)) != NULL);
  DONE(wend_graph_encode(copy, result, prepared_size));
  wend_graph_destroy(copy);
  return result;
}

/* A grid with this allocator: weights, cells that a wall parts, and portals or none. */
static wend_grid *make_hills(const wend_alloc *alloc, bool with_portals) {
  wend_grid *grid = wend_grid_create(alloc, 150, 130, WEND_ONE_OPEN);
  CHECK(grid != NULL);
  for (uint32_t y = 1; y <= 130; y++)
    for (uint32_t x = 1; x <= 150; x++) {
      const wend_cell cell = {x % 31 == 7 && (y != 3 || x > 120) ? INFINITY : 1 + (x / 5 * 7 + y / 6 * 3) % 5, WEND_UNTAGGED};
      DONE(wend_grid_set(grid, (wend_id)(y - 1) * 150 + x, cell));
    }
  for (uint32_t i = 0; i < 300 && with_portals; i++)
    DONE(wend_grid_set_portal(grid, 1 + i * 61 % 19500, 1 + i * 37 % 19500, i % 40, WEND_UNTAGGED, true));
  return grid;
}

/* The bytes of a prepared grid. */
static void *prepared_hills(const wend_alloc *alloc, bool with_portals, bool beside, uint32_t landmarks, size_t *size) {
  wend_grid *grid = make_hills(alloc, with_portals);
  void *bytes;
  prepare_by_threads(wend_grid_map(grid), beside, landmarks);
  DONE(wend_grid_encode(grid, NULL, 0, NULL, size));
  CHECK((bytes = malloc(*size)) != NULL);
  DONE(wend_grid_encode(grid, NULL, 0, bytes, size));
  wend_grid_destroy(grid);
  return bytes;
}

static void prepare_hills(const wend_alloc *alloc) {
  for (uint32_t landmarks = 1; landmarks <= 5; landmarks++) {
    size_t sizes[2];
    void *prepared[2];
    for (int i = 0; i < 2; i++) prepared[i] = prepared_hills(alloc, landmarks % 2 == 0, i == 1, landmarks, &sizes[i]);
    CHECK(sizes[0] == sizes[1] && memcmp(prepared[0], prepared[1], sizes[0]) == 0);
    for (int i = 0; i < 2; i++) free(prepared[i]);
  }
}

/* Two threads make the tables that one makes. */
static void prepare_beside(const wend_alloc *alloc) {
  size_t size, sizes[2];
  void *bytes, *prepared[2];
  wend_graph *g = make_graph();
  DONE(wend_graph_encode(g, NULL, &size));
  CHECK((bytes = malloc(size)) != NULL);
  DONE(wend_graph_encode(g, bytes, &size));
  for (int i = 0; i < 2; i++) prepared[i] = prepared_bytes(bytes, size, alloc, i == 1, &sizes[i]);
  CHECK(sizes[0] > size && sizes[0] == sizes[1] && memcmp(prepared[0], prepared[1], sizes[0]) == 0);
  for (int i = 0; i < 2; i++) free(prepared[i]);
  free(bytes);
  wend_graph_destroy(g);
  prepare_hills(alloc);
}

static void batches(result *r) {
  pthread_t self = pthread_self();
  const wend_alloc alloc = {own_resize, &self};
  wend_search_opts opts = wend_search_opts_default();
  const wend_id goal = 2;
  wend_batch_task task = {wend_graph_map(graph), 1, &goal, 1, &opts, NULL, NULL, NULL};
  wend_search *s = wend_search_create(&alloc);
  wend_batch *batch = wend_batch_create(&alloc);
  uint64_t calls = 0;
  CHECK(s != NULL && batch != NULL);
  wend_batch_work(batch, 0);
  CHECK(wend_batch_end(batch) == WEND_INVALID);
  CHECK(wend_batch_begin(batch, s, 0, &task, 1) == WEND_INVALID);
  CHECK(wend_batch_begin(batch, s, WEND_WORKERS_MAX + 1, &task, 1) == WEND_INVALID);
  opts.heuristic = WEND_CUSTOM, opts.heuristic_fn = no_estimate;
  CHECK(wend_batch_begin(batch, s, 2, &task, 1) == WEND_INVALID);
  opts = wend_search_opts_default();
  opts.costs.edge = count_calls, opts.costs.ud = &calls;
  CHECK(wend_batch_begin(batch, s, 2, &task, 1) == WEND_INVALID);
  DONE(wend_batch_begin(batch, s, 2, NULL, 0));
  run_workers(batch, 2);
  DONE(wend_batch_end(batch));
  for (uint32_t workers = 1; workers <= 4; workers++) batch_paths(batch, s, &alloc, workers, r);
  batch_long_paths(batch, s, 3, r);
  prepare_beside(&alloc);
  batch_paths(batch, s, &alloc, 2, r);
  wend_search_destroy(s);
  wend_batch_destroy(batch);
  wend_batch_destroy(NULL);
}

static void own(wend_search *s, result *r) {
  CHECK(strcmp(wend_status_code(WEND_NO_PATH), "no_path") == 0 && strcmp(wend_version(), WEND_VERSION) == 0);
  own_graph(s, r);
  own_prepared(s, r);
  own_grid(s, r);
  own_hexes(s, r);
  own_walls(r);
  unpack(r);
  follow(r);
  edited(s, r);
  outlive(r);
  share(r);
  share_ground(s, r);
  overlays(s, r);
  own_layer(s, r);
  own_surface(r);
  crowds(r);
  heights(r);
  batches(r);
}

static void *run(void *ud) {
  result *r = ud;
  wend_search *s = wend_search_create(NULL);
  CHECK(s != NULL);
  (void)pthread_barrier_wait(&start);
  ask_grid(s, grids[MANY_KINDS], r);
  for (int round = 0; round < ROUNDS; round++) {
    shared(s, r);
    own(s, r);
  }
  wend_search_destroy(s);
  return NULL;
}

int main(void) {
  const wend_costs plain = {NULL, NULL, NULL, 0, NULL, 0};
  const double point[] = {0, 0};
  pthread_t threads[THREADS];
  result results[THREADS];
  wend_search *s = wend_search_create(NULL);
  wend_near near;
  uint64_t digest;
  uint32_t count;
  CHECK(s != NULL);
  graph = make_graph();
  /* What has to come first: see Threads in wend.h. */
  DONE(wend_graph_sync(graph));
  prepare(wend_graph_map(graph));
  DONE(wend_graph_nearest(graph, point, INFINITY, 1, &near, &count));
  DONE(wend_graph_nearest_edges(graph, point, INFINITY, 1, &near, &count));
  DONE(wend_map_digest(wend_graph_map(graph), &digest)); /* which encoding an overlay of it asks for */
  field = make_field(s, wend_graph_map(graph), 1, 0);
  CHECK((routes = wend_route_table_create(NULL)) != NULL);
  DONE(wend_route_table_make(routes, s, graph, &plain, NULL, NULL));
  CHECK((layer = wend_influence_create(NULL, wend_graph_map(graph))) != NULL);
  DONE(wend_influence_stamp(layer, wend_graph_map(graph), 40, 5, 3, WEND_FALLOFF_LINEAR));
  for (int sort = 0; sort < GRIDS; sort++) grids[sort] = make_grid_of(sort);
  prepare(wend_grid_map(grids[WALLED]));
  wend_search_destroy(s);
  CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
  memset(results, 0, sizeof results);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, run, &results[i]) == 0);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 1; i < THREADS; i++) CHECK(results[i].sum == results[0].sum);
  printf("%d threads, %d rounds: %.17g each\n", THREADS, ROUNDS, results[0].sum);
  wend_field_destroy(field);
  wend_route_table_destroy(routes);
  wend_influence_destroy(layer);
  wend_graph_destroy(graph);
  for (int sort = 0; sort < GRIDS; sort++) wend_grid_destroy(grids[sort]);
  return 0;
}
