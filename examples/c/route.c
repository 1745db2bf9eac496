/* SPDX-License-Identifier: MIT */
/* Routes from any position to any position, around a house, and one that varies. */
#include <math.h> /* INFINITY */
#include <stdio.h>
#include <stdlib.h>

#include "wend.h"

static void must(wend_status status) {
  if (status == WEND_OK) return;
  fprintf(stderr, "%s\n", wend_status_code(status));
  exit(EXIT_FAILURE);
}

/* Whether the line is more than 1 away from all walls. */
static bool is_clear(void *ud, const double *a, const double *b) {
  bool clear;
  must(wend_walls_clear((wend_walls *)ud, a, b, 1, &clear));
  return clear;
}

/* Prints the nodes of a route, and where it enters and leaves the graph: it does so by edge. */
static void print_route(const wend_search *search, const wend_route *route) {
  const wend_waypoint *on = &route->points[1], *off = &route->points[route->count - 2];
  const wend_id *nodes, *edges;
  double cost;
  const uint32_t count = wend_search_path(search, &nodes, &edges, &cost);
  if (count == 0) printf("straight ");
  else printf("on at (%g, %g) ", on->point[0], on->point[1]);
  for (uint32_t i = 0; i < count; i++) printf("%u ", (unsigned)nodes[i]);
  if (count > 0) printf("off at (%g, %g) ", off->point[0], off->point[1]);
  printf("%g\n", route->cost);
}

int main(void) {
  enum { SIZE = 9 };
  const double corners[] = {25, 25, 55, 25, 55, 55, 25, 55}, gate[] = {5, 38}, keep[] = {74, 41}, well[] = {12, 60};
  const wend_wall house = {WEND_POLYGON, 8, corners};
  wend_graph *graph = wend_graph_create(NULL, 2);
  wend_walls *walls = wend_walls_create(NULL);
  wend_search *search = wend_search_create(NULL);
  wend_route_opts opts = wend_route_opts_default();
  wend_route route;
  wend_near near;
  uint32_t count;
  double offset[2];
  if (graph == NULL || walls == NULL || search == NULL) return EXIT_FAILURE;
  must(wend_walls_add(walls, house, NULL));

  /* A waypoint every 10 units, joined to those before it in its row and column if no wall is between. */
  for (int i = 0; i < SIZE * SIZE; i++) {
    const double point[2] = {10.0 * (i % SIZE), 10.0 * (i / SIZE)};
    wend_id node;
    must(wend_graph_add_nodes(graph, 1, point, WEND_UNTAGGED, &node));
    for (int back = 1; back <= SIZE; back += SIZE - 1) {
      const wend_id other = node - (wend_id)back;
      const wend_edge_spec spec = {other, node, WEND_MEASURED, WEND_UNTAGGED, false, 0};
      wend_id edge;
      if ((back == 1 ? i % SIZE : i / SIZE) == 0) continue;
      if (is_clear(walls, wend_graph_position(graph, other), point)) must(wend_graph_add_edges(graph, 1, &spec, &edge));
    }
  }

  must(wend_graph_nearest(graph, gate, INFINITY, 1, &near, &count));
  if (count > 0) printf("node %u is %.3f away\n", (unsigned)near.id, near.distance);
  must(wend_graph_nearest_edges(graph, gate, INFINITY, 1, &near, &count));
  if (count > 0) printf("an edge is %g away, at (%g, %g)\n", near.distance, near.point[0], near.point[1]);

  opts.clear = is_clear;
  opts.clear_ud = walls;
  opts.by_edge = true;
  must(wend_route_begin(search, wend_graph_map(graph), gate, well, &opts));
  must(wend_route_step(search, UINT64_MAX, NULL, &route));
  print_route(search, &route);
  must(wend_route_begin(search, wend_graph_map(graph), gate, keep, &opts));
  must(wend_route_step(search, UINT64_MAX, NULL, &route));
  print_route(search, &route);

  opts.search.variation = 0.3; /* costs at most 1.3 times the cheapest */
  opts.search.seed = 7;
  must(wend_route_begin(search, wend_graph_map(graph), gate, keep, &opts));
  must(wend_route_step(search, UINT64_MAX, NULL, &route));
  print_route(search, &route);

  wend_jitter(opts.search.seed, near.id, 2, offset); /* a point in the unit disc: how far to move */
  printf("%s\n", offset[0] * offset[0] + offset[1] * offset[1] <= 1 ? "within" : "beyond");

  wend_search_destroy(search);
  wend_walls_destroy(walls);
  wend_graph_destroy(graph);
  return EXIT_SUCCESS;
}

/* prints
node 37 is 5.385 away
an edge is 2 away, at (5, 40)
straight 23.0868
on at (5, 40) 38 29 20 21 22 23 24 25 26 35 44 off at (74, 40) 112
on at (5, 40) 38 29 30 21 22 23 24 25 34 35 44 off at (74, 40) 112
within
*/
