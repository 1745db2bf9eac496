/* SPDX-License-Identifier: MIT */
/* A large graph, built by two calls: a street map of SIDE x SIDE crossings. */
#include <stdio.h>
#include <stdlib.h>

#include "wend.h"

enum { SIDE = 300, NODES = SIDE * SIDE, EDGES = 2 * SIDE * (SIDE - 1) };

static void must(wend_status status) {
  if (status == WEND_OK) return;
  fprintf(stderr, "%s\n", wend_status_code(status));
  exit(EXIT_FAILURE);
}

/* A street from a crossing to a neighbour. Its weight is its length. */
static wend_edge_spec street(wend_id from, wend_id to) {
  wend_edge_spec spec = {from, to, WEND_MEASURED, WEND_UNTAGGED, false, 0};
  return spec;
}

int main(void) {
  double *points = (double *)malloc(2 * NODES * sizeof *points);
  wend_edge_spec *streets = (wend_edge_spec *)malloc(EDGES * sizeof *streets);
  wend_graph *graph = wend_graph_create(NULL, 2);
  wend_search *search = wend_search_create(NULL);
  wend_search_opts opts = wend_search_opts_default();
  const wend_id *nodes, *edges;
  wend_id first, first_street, goal;
  double cost;
  uint32_t count = 0;
  if (points == NULL || streets == NULL || graph == NULL || search == NULL) must(WEND_NO_MEMORY);

  /* The nodes. Their ids are first, first + 1 and so on, in the order of the points. */
  for (uint32_t i = 0; i < NODES; i++) {
    points[2 * i] = 10.0 * (i % SIDE);
    points[2 * i + 1] = 10.0 * (i / SIDE);
  }
  must(wend_graph_add_nodes(graph, NODES, points, WEND_UNTAGGED, &first));

  /* The edges. Here, too, the first id stands for all. */
  for (uint32_t i = 0; i < NODES; i++) {
    if (i % SIDE + 1 < SIDE) streets[count++] = street(first + i, first + i + 1);
    if (i / SIDE + 1 < SIDE) streets[count++] = street(first + i, first + i + SIDE);
  }
  must(wend_graph_add_edges(graph, count, streets, &first_street));
  printf("%u nodes, %u edges\n", (unsigned)wend_graph_node_count(graph), (unsigned)wend_graph_edge_count(graph));

  goal = first + NODES - 1;
  must(wend_search_begin(search, wend_graph_map(graph), first, &goal, 1, &opts));
  must(wend_search_step(search, UINT64_MAX));
  count = wend_search_path(search, &nodes, &edges, &cost);
  printf("%u nodes on the way to %u, cost %g\n", (unsigned)count, (unsigned)goal, cost);

  wend_search_destroy(search);
  wend_graph_destroy(graph);
  free(streets);
  free(points);
  return EXIT_SUCCESS;
}

/* prints
90000 nodes, 179400 edges
599 nodes on the way to 90000, cost 5980
*/
