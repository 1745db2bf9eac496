/* SPDX-License-Identifier: MIT */
/* A level of linked nodes: checked, saved as bytes with its route table, and read again. */
#include <stdio.h>
#include <stdlib.h>

#include "wend.h"

static void must(wend_status status) {
  if (status == WEND_OK) return;
  fprintf(stderr, "%s\n", wend_status_code(status));
  exit(EXIT_FAILURE);
}

int main(void) {
  const double points[] = {0, 0, 10, 0, 20, 0, 20, 30, 30, 30};
  wend_graph *graph = wend_graph_create(NULL, 2), *copy;
  wend_linker *linker = wend_linker_create(NULL);
  wend_components *components = wend_components_create(NULL);
  wend_search *search = wend_search_create(NULL);
  wend_route_table *routes = wend_route_table_create(NULL);
  wend_search_opts opts = wend_search_opts_default();
  wend_edge_spec spec = {0, 0, WEND_MEASURED, WEND_UNTAGGED, false, 0};
  const wend_pair *pairs;
  const wend_findings *found;
  wend_id first, edge, next;
  unsigned char *level, *table;
  size_t level_size, table_size;
  uint32_t count;
  double cost;
  if (graph == NULL || linker == NULL || components == NULL || search == NULL || routes == NULL) return EXIT_FAILURE;

  /* Joins each node to the two nearest within 12. A test of walls would go here. Then adds a drop, one way. */
  must(wend_graph_add_nodes(graph, 5, points, WEND_UNTAGGED, &first));
  must(wend_linker_find(linker, graph, 2, 12, false));
  count = wend_linker_pairs(linker, &pairs);
  for (uint32_t i = 0; i < count; i++) {
    spec.from = pairs[i].from, spec.to = pairs[i].to;
    must(wend_graph_add_edges(graph, 1, &spec, &edge));
  }
  spec.from = first + 2, spec.to = first + 3, spec.directed = true;
  must(wend_graph_add_edges(graph, 1, &spec, &edge));

  must(wend_components_find(components, wend_graph_map(graph), &opts.costs, NULL));
  found = wend_components_get(components);
  printf("%u components, %u traps\n", (unsigned)found->component_count, (unsigned)found->trap_count);

  /* The level and its route table as bytes: first their sizes. */
  must(wend_route_table_make(routes, search, graph, &opts.costs, NULL, NULL));
  must(wend_graph_encode(graph, NULL, &level_size));
  must(wend_route_table_encode(routes, graph, NULL, &table_size));
  level = (unsigned char *)malloc(level_size);
  table = (unsigned char *)malloc(table_size);
  if (level == NULL || table == NULL) return EXIT_FAILURE;
  must(wend_graph_encode(graph, level, &level_size));
  must(wend_route_table_encode(routes, graph, table, &table_size));

  must(wend_graph_decode(NULL, level, level_size, &copy));
  must(wend_route_table_decode(routes, copy, table, table_size));
  if (wend_route_table_next(routes, first, first + 4, &next, &edge)) printf("first to node %u\n", (unsigned)next);
  if (wend_route_table_cost(routes, first, first + 4, &cost)) printf("costs %g\n", cost);
  must(wend_graph_close_node(copy, next, true));
  printf("%s\n", wend_status_code(wend_route_table_decode(routes, copy, table, table_size)));
  level[20] ^= 1;
  wend_graph_destroy(copy);
  printf("%s\n", wend_status_code(wend_graph_decode(NULL, level, level_size, &copy)));

  free(level);
  free(table);
  wend_route_table_destroy(routes);
  wend_search_destroy(search);
  wend_components_destroy(components);
  wend_linker_destroy(linker);
  wend_graph_destroy(graph);
  return EXIT_SUCCESS;
}

/* prints
2 components, 1 traps
first to node 2
costs 60
stale
format
*/
