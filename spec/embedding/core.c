/* SPDX-License-Identifier: MIT */
/* A host in C: a graph, a grid and a field. It prints what core.cpp prints, which is core.txt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <wend.h>

static void must(wend_status status) {
  if (status == WEND_OK) return;
  fprintf(stderr, "%s\n", wend_status_code(status));
  exit(EXIT_FAILURE);
}

int main(void) {
  const double points[] = {0, 0, 30, 40, 60, 0};
  const wend_cell closed = {INFINITY, WEND_UNTAGGED};
  wend_edge_spec edges[] = {{1, 2, WEND_MEASURED, WEND_UNTAGGED, false, 0},
                            {2, 3, WEND_MEASURED, WEND_UNTAGGED, false, 0},
                            {1, 3, WEND_MEASURED, WEND_UNTAGGED, false, 0}};
  wend_tag_cost tags[] = {{1, 0, 1, false, false, false}, {2, 0, 1, false, false, false}};
  wend_search_opts opts = wend_search_opts_default();
  wend_field_opts around = wend_field_opts_default();
  wend_graph *graph = wend_graph_create(NULL, 2);
  wend_grid *grid = wend_grid_create(NULL, 4, 3, WEND_BOTH_OPEN);
  wend_search *search = wend_search_create(NULL);
  wend_field *field = wend_field_create(NULL);
  const wend_id *places, *steps;
  const wend_id goal = 3;
  wend_id first, corner;
  uint32_t count;
  double cost;
  if (graph == NULL || grid == NULL || search == NULL || field == NULL) return EXIT_FAILURE;

  must(wend_graph_add_nodes(graph, 3, points, WEND_UNTAGGED, &first));
  must(wend_map_tag(wend_graph_map(graph), "swamp", 5, &edges[2].tag));
  must(wend_graph_add_edges(graph, 3, edges, &first));
  opts.costs.tags = tags;
  must(wend_search_begin(search, wend_graph_map(graph), 1, &goal, 1, &opts));
  must(wend_search_step(search, UINT64_MAX));
  count = wend_search_path(search, &places, &steps, &cost);
  for (uint32_t i = 0; i < count; i++) printf("%u ", (unsigned)places[i]);
  printf("costs %g\n", cost);

  must(wend_grid_fill(grid, 1, 0, 1, 1, closed));
  corner = wend_grid_cell(grid, 3, 0);
  must(wend_field_make(field, search, wend_grid_map(grid), &corner, NULL, 1, &around));
  if (wend_field_cost(field, wend_grid_cell(grid, 0, 0), &cost)) printf("field %.12f\n", cost);
  printf("%s\n", wend_status_code(WEND_NO_PATH));

  wend_field_destroy(field);
  wend_search_destroy(search);
  wend_grid_destroy(grid);
  wend_graph_destroy(graph);
  return EXIT_SUCCESS;
}
