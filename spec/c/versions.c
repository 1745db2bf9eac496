/* SPDX-License-Identifier: MIT */
/* Frozen versions of maps: whatever edits do to a map, also while memory runs out, its versions stay as they were. Each version is
 * compared with a copy that was made with it; and a map, at the end, with a copy of its copy. Usage: versions [rounds [seed]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/graph_store.h"
#include "core/map/grid.h"

#define HELD_MAX 4
#define CHECK(condition)                                                                              \
  do {                                                                                                \
    if (!(condition)) {                                                                               \
      fprintf(stderr, "versions.c:%d: %s, round %u\n", __LINE__, #condition, (unsigned)round_number); \
      exit(1);                                                                                        \
    }                                                                                                 \
  } while (0)

static uint32_t round_number;
static uint64_t state;
static size_t held_bytes;
static bool failing;

static uint32_t pick(uint32_t count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % count);
}

/* Fails one request for more memory in eight while `failing`. Before each block is its size: callers must know it. */
static void *resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  size_t *listed = block != NULL ? (size_t *)(void *)((char *)block - 16) : NULL;
  (void)ud;
  CHECK(listed == NULL ? old_bytes == 0 : *listed == old_bytes);
  if (new_bytes > old_bytes && failing && pick(8) == 0) return NULL;
  if (new_bytes == 0) {
    held_bytes -= old_bytes;
    free(listed);
    return NULL;
  }
  listed = realloc(listed, new_bytes + 16);
  if (listed == NULL) return NULL;
  *listed = new_bytes;
  held_bytes += new_bytes - old_bytes;
  return (char *)listed + 16;
}

static const wend_alloc allocator = {resize, NULL};

static void compare_grids(const wend_grid *a, const wend_grid *b) {
  const wend_region one = wend_grid_region(a), two = wend_grid_region(b);
  CHECK(a->live_portals == b->live_portals && a->wall_count == b->wall_count && a->diagonal_length == b->diagonal_length);
  for (uint32_t place = 0; place < a->place_count; place++) {
    uint32_t count = 0;
    const wend_cell x = wend_grid_value_at(a, place), y = wend_grid_value_at(b, place);
    CHECK(wend_region_has(&one, place) == wend_region_has(&two, place));
    if (!wend_region_has(&one, place)) continue;
    CHECK(x.weight == y.weight && x.tag == y.tag);
    CHECK((a->walls != NULL ? a->walls[place] : 0) == (b->walls != NULL ? b->walls[place] : 0));
    for (const wend_portal *p = wend_grid_portals(a, place, false, &count), *end = p + count; count > 0 && p < end; p++) {
      const wend_portal *other = wend_grid_live_portal(b, p->from, p->to);
      CHECK((other != NULL) == !p->removed && (other == NULL || (other->weight == p->weight && other->tag == p->tag)));
    }
  }
}

static void compare_graphs(wend_graph *a, wend_graph *b) {
  CHECK(wend_graph_node_count(a) == wend_graph_node_count(b) && wend_graph_edge_count(a) == wend_graph_edge_count(b));
  CHECK(a->place_count == b->place_count && a->pending_count == 0);
  for (wend_id n = wend_graph_next_node(a, 0); n != WEND_NO_ID; n = wend_graph_next_node(a, n)) {
    const double *p, *q;
    CHECK(wend_graph_has_node(b, n));
    p = wend_graph_position(a, n), q = wend_graph_position(b, n);
    CHECK((p == NULL) == (q == NULL) && (p == NULL || (p[0] == q[0] && p[1] == q[1])));
    CHECK(wend_graph_is_closed(a, n) == wend_graph_is_closed(b, n) && wend_graph_node_tag(a, n) == wend_graph_node_tag(b, n));
  }
  for (wend_id e = wend_graph_next_edge(a, 0); e != WEND_NO_ID; e = wend_graph_next_edge(a, e)) {
    wend_edge x, y;
    CHECK(wend_graph_has_edge(b, e));
    CHECK(wend_graph_edge(a, e, &x) == WEND_OK && wend_graph_edge(b, e, &y) == WEND_OK);
    CHECK(x.from == y.from && x.to == y.to && x.weight == y.weight && x.tag == y.tag && x.directed == y.directed &&
          x.closed == y.closed && x.measured == y.measured && x.width == y.width);
  }
}

static void compare(wend_map *a, wend_map *b) {
  const bool was_failing = failing;
  failing = false;
  if (a->is_grid) compare_grids(wend_map_grid(a), wend_map_grid(b));
  else compare_graphs(wend_map_graph(a), wend_map_graph(b));
  failing = was_failing;
}

static void edit_grid(wend_grid *grid) {
  const uint32_t w = wend_grid_width(grid), h = wend_grid_height(grid), x = pick(w), y = pick(h);
  const wend_id cell = wend_grid_cell(grid, x, y), other = wend_grid_cell(grid, pick(w), pick(h));
  const wend_cell value = {pick(4) == 0 ? INFINITY : pick(5) + 0.5, pick(3)};
  switch (pick(9)) {
    case 0: (void)wend_grid_fill(grid, pick(x + 1), pick(y + 1), x, y, value); break;
    case 1: (void)wend_grid_close(grid, pick(x + 1), pick(y + 1), x, y, pick(2) == 0); break;
    case 2: (void)(x + 1 < w && wend_grid_wall(grid, cell, cell + 1, pick(2) == 0)); break;
    case 3: (void)(cell != other && wend_grid_set_portal(grid, cell, other, pick(4), pick(3), pick(2) == 0)); break;
    case 4: {
      wend_id from = WEND_NO_ID, to = WEND_NO_ID;
      if (wend_grid_next_portal(grid, &from, &to)) (void)wend_grid_remove_portals(grid, from, to);
      break;
    }
    case 5: wend_grid_set_diagonal_length(grid, 1 + pick(5) / 8.0); break;
    default: (void)wend_grid_set(grid, cell, value);
  }
}

/* Prepares a map, without slices. */
static void prepare(wend_map *map) {
  wend_preparation *preparation = wend_preparation_create(map, NULL);
  while (preparation != NULL && wend_preparation_step(preparation, UINT64_MAX) == WEND_RUNNING) continue;
  wend_preparation_destroy(preparation);
}

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return sum;
}

/* A number that depends on all that searches read of prepared tables. */
static uint64_t sum_of_tables(const wend_map *map) {
  uint64_t sum = 1;
  WEND_FOR_TABLES(map, one) {
    const wend_planes *planes = one->planes;
    sum = add_bytes(sum, &one->stamp, sizeof one->stamp);
    sum = add_bytes(sum, one->slack.sums, sizeof one->slack.sums);
    if (one->rows != NULL) sum = add_bytes(sum, one->rows, (size_t)one->place_count * one->stride * sizeof *one->rows);
    if (planes == NULL) continue;
    sum = add_bytes(sum, planes->at, (size_t)planes->group_count * planes->landmarks * sizeof *planes->at);
    sum = add_bytes(sum, planes->blocks, planes->block_count * sizeof *planes->blocks);
    sum = add_bytes(sum, planes->parts, planes->parts_capacity);
    sum = add_bytes(sum, &planes->usable, sizeof planes->usable) + wend_planes_slack(planes);
  }
  return sum;
}

/* The versions of a map that have arrays of their own are counted, and no more are kept than are needed. */
static void check_kept(const wend_map *map) {
  uint32_t in_use = 0, spare = 0;
  for (const wend_map *one = map->versions.newest; one != NULL; one = one->versions.older)
    in_use += !one->shared && !wend_map_is_lost(one);
  for (const wend_map *one = map->versions.spare; one != NULL; one = one->versions.older) spare++;
  CHECK(map->versions.kept == in_use + spare);
  CHECK(spare == 0 || map->versions.kept <= VERSIONS_KEPT);
}

/* A node or an edge at random; WEND_NO_ID: there is none. */
static wend_id pick_id(const wend_graph *graph, wend_id (*next)(const wend_graph *graph, wend_id id), uint32_t count) {
  wend_id id = WEND_NO_ID;
  for (uint32_t i = count > 0 ? pick(count) + 1 : 0; i > 0; i--) id = next(graph, id);
  return id;
}

static void edit_graph(wend_graph *graph) {
  const wend_id a = pick_id(graph, wend_graph_next_node, wend_graph_node_count(graph));
  const wend_id b = pick_id(graph, wend_graph_next_node, wend_graph_node_count(graph));
  const wend_id e = pick_id(graph, wend_graph_next_edge, wend_graph_edge_count(graph));
  const double point[2] = {pick(100), pick(100)};
  const wend_edge_spec spec = {
      .from = a, .to = b, .weight = pick(3) == 0 ? WEND_MEASURED : pick(9), .tag = pick(3), .directed = pick(2) == 0};
  wend_id made;
  switch (pick(12)) {
    case 0:
    case 1: (void)wend_graph_add_nodes(graph, 1 + pick(40), NULL, pick(3), &made); break;
    case 2: (void)wend_graph_add_node(graph, point, NULL, 0, INFINITY, pick(3), &made); break;
    case 3: (void)(a != WEND_NO_ID && pick(3) == 0 && wend_graph_remove_node(graph, a)); break;
    case 4: (void)(a != WEND_NO_ID && wend_graph_move(graph, a, point)); break;
    case 5: (void)(a != WEND_NO_ID && wend_graph_close_node(graph, a, pick(2) == 0)); break;
    case 6: (void)(a != WEND_NO_ID && wend_graph_set_node_tag(graph, a, pick(3))); break;
    case 7: (void)(e != WEND_NO_ID && wend_graph_set_weight(graph, e, pick(9))); break;
    case 8: (void)(e != WEND_NO_ID && wend_graph_set_width(graph, e, pick(3))); break;
    case 9: (void)(e != WEND_NO_ID && pick(3) == 0 && wend_graph_remove_edge(graph, e)); break;
    default:
      for (uint32_t i = pick(30); i > 0 && a != WEND_NO_ID; i--)
        if (spec.weight >= 0 || (wend_graph_position(graph, a) != NULL && wend_graph_position(graph, b) != NULL))
          (void)wend_graph_add_edges(graph, 1, &spec, &made);
  }
}

/* A map, versions of it with their copies, and edits. */
static void run_round(void) {
  wend_map *versions[HELD_MAX] = {NULL}, *copies[HELD_MAX] = {NULL}, *map, *copy;
  uint64_t sums[HELD_MAX] = {0};
  uint32_t tag;
  failing = false;
  if (pick(2) == 0) map = wend_grid_map(wend_grid_create(&allocator, 1 + pick(40), 1 + pick(40), WEND_BOTH_OPEN));
  else map = wend_graph_map(wend_graph_create(&allocator, 2));
  CHECK(wend_map_tag(map, "mud", 3, &tag) == WEND_OK && wend_map_tag(map, "ice", 3, &tag) == WEND_OK);
  for (uint32_t i = 0; i < 150; i++) {
    const uint32_t at = pick(HELD_MAX);
    failing = round_number % 2 == 1;
    if (map->is_grid) edit_grid(wend_map_grid(map));
    else edit_graph(wend_map_graph(map));
    if (pick(40) == 0) prepare(map);
    if (pick(60) == 0) wend_map_unprepare(map, NULL);
    check_kept(map);
    if (pick(3) > 0) continue;
    if (versions[at] != NULL) {
      if (!wend_map_is_lost(versions[at])) {
        compare(versions[at], copies[at]);
        CHECK(sum_of_tables(versions[at]) == sums[at]);
      }
      wend_map_thaw(versions[at]);
      wend_map_destroy(copies[at]);
      versions[at] = copies[at] = NULL;
    } else {
      versions[at] = wend_map_freeze(map);
      failing = false;
      CHECK(wend_map_copy(map, &copies[at]) == WEND_OK);
      if (versions[at] != NULL) CHECK(versions[at]->serial == map->serial && versions[at]->version == map->version);
      if (versions[at] == NULL) wend_map_destroy(copies[at]), copies[at] = NULL;
      else sums[at] = sum_of_tables(versions[at]);
    }
  }
  failing = false;
  CHECK(wend_map_copy(map, &copy) == WEND_OK);
  compare(map, copy);
  wend_map_destroy(copy);
  wend_map_destroy(map);
  for (int i = 0; i < HELD_MAX; i++) {
    if (versions[i] == NULL) continue;
    if (!wend_map_is_lost(versions[i])) {
      compare(versions[i], copies[i]);
      CHECK(sum_of_tables(versions[i]) == sums[i]);
    }
    wend_map_thaw(versions[i]);
    wend_map_destroy(copies[i]);
  }
  CHECK(held_bytes == 0);
}

int main(int count, char **arguments) {
  const uint32_t rounds = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 300;
  state = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
  for (round_number = 0; round_number < rounds; round_number++) run_round();
  printf("versions: %u rounds\n", (unsigned)rounds);
  return 0;
}
