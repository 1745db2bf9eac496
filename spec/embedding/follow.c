/* SPDX-License-Identifier: MIT */
/* A host in C with a follower and a curve. It prints follow.txt. */
#include <stdio.h>
#include <stdlib.h>

#include <wend_move.h>

static void must(wend_status status) {
  if (status == WEND_OK) return;
  fprintf(stderr, "%s\n", wend_status_code(status));
  exit(EXIT_FAILURE);
}

/* Walks along a path, saves the follower on its way, and loads it. */
static void follow_path(wend_graph *graph, const wend_id *nodes, const wend_id *edges, uint32_t count) {
  const wend_pace paces[] = {{"swamp", 5, 0.5, false}, {"road", 4, 1, true}};
  wend_follow_opts opts = {10, WEND_CATMULL_ROM, 0, false, NULL, NULL, paces, 2, true, WEND_FOLLOW_JUMP};
  const wend_curve_opts curve = {WEND_HERMITE, 1, false, NULL, NULL};
  wend_waypoint points[8];
  wend_course course = {points, edges, count, 2, wend_graph_map(graph), NULL, NULL, 0};
  wend_follower *walker = wend_follower_create(NULL, &opts), *loaded;
  wend_polyline *line = wend_polyline_create(NULL);
  const double *list;
  const uint32_t *legs;
  static char bytes[8192];
  double least, left;
  uint32_t point;
  size_t size;
  wend_status status;
  if (walker == NULL || line == NULL || count > 8) exit(EXIT_FAILURE);
  for (uint32_t i = 0; i < count; i++) {
    const double *position = wend_graph_position(graph, nodes[i]);
    points[i].id = nodes[i];
    points[i].point[0] = position[0], points[i].point[1] = position[1];
  }
  must(wend_follower_start(walker, &course, &least));
  for (status = wend_follower_update(walker, 6, &point); status == WEND_RUNNING; status = wend_follower_go_on(walker, &point))
    printf("point %u, edge %u\n", (unsigned)point, (unsigned)wend_follower_edge(walker));
  must(status);
  must(wend_follower_encode(walker, NULL, &size));
  if (size > sizeof bytes) exit(EXIT_FAILURE);
  must(wend_follower_encode(walker, bytes, &size));
  wend_follower_destroy(walker);
  must(wend_follower_decode(NULL, wend_graph_map(graph), NULL, NULL, NULL, bytes, size, &loaded));
  must(wend_follower_remaining(loaded, &left));
  printf("%.9f %.9f leg %u, %.9f to go\n", wend_follower_where(loaded)->position[0], wend_follower_where(loaded)->position[1],
         (unsigned)wend_follower_where(loaded)->leg, left);
  must(wend_follower_go(loaded, &course, true, &least));
  must(wend_curve_line(line, &course, &curve, &least));
  count = wend_polyline_points(line, &list, &legs);
  printf("%u points, the last %g %g on leg %u\n", (unsigned)count, list[3 * (count - 1)], list[3 * (count - 1) + 1],
         (unsigned)legs[count - 2]);
  wend_polyline_destroy(line);
  wend_follower_destroy(loaded);
}

int main(void) {
  const double positions[] = {0, 0, 30, 40, 60, 0};
  wend_edge_spec edges[] = {{1, 2, WEND_MEASURED, WEND_UNTAGGED, false, 0}, {2, 3, WEND_MEASURED, WEND_UNTAGGED, false, 0}};
  const wend_id nodes[] = {1, 2, 3}, legs[] = {1, 2};
  wend_graph *graph = wend_graph_create(NULL, 2);
  wend_id first;
  if (graph == NULL) return EXIT_FAILURE;
  must(wend_graph_add_nodes(graph, 3, positions, WEND_UNTAGGED, &first));
  must(wend_map_tag(wend_graph_map(graph), "swamp", 5, &edges[1].tag));
  must(wend_graph_add_edges(graph, 2, edges, &first));
  follow_path(graph, nodes, legs, 3);
  wend_graph_destroy(graph);
  return EXIT_SUCCESS;
}
