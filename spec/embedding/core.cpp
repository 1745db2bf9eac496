/* SPDX-License-Identifier: MIT */
/* A host in C++: the same as core.c. The functions have C linkage; destroy functions serve as deleters. */
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include <wend.h>

template <typename T, void (*destroy)(T *)> struct deleter {
  void operator()(T *object) const { destroy(object); }
};
template <typename T, void (*destroy)(T *)> using handle = std::unique_ptr<T, deleter<T, destroy>>;

static void must(wend_status status) {
  if (status != WEND_OK) throw std::runtime_error(wend_status_code(status));
}

int main() {
  const double points[] = {0, 0, 30, 40, 60, 0};
  const handle<wend_graph, wend_graph_destroy> graph(wend_graph_create(nullptr, 2));
  const handle<wend_grid, wend_grid_destroy> grid(wend_grid_create(nullptr, 4, 3, WEND_BOTH_OPEN));
  const handle<wend_search, wend_search_destroy> search(wend_search_create(nullptr));
  const handle<wend_field, wend_field_destroy> field(wend_field_create(nullptr));
  const wend_id *places, *steps;
  const wend_id goal = 3;
  wend_id first;
  std::uint32_t swamp;
  double cost;

  must(wend_graph_add_nodes(graph.get(), 3, points, WEND_UNTAGGED, &first));
  must(wend_map_tag(wend_graph_map(graph.get()), "swamp", 5, &swamp));
  const std::vector<wend_edge_spec> edges = {{1, 2, WEND_MEASURED, WEND_UNTAGGED, false, 0},
                                             {2, 3, WEND_MEASURED, WEND_UNTAGGED, false, 0},
                                             {1, 3, WEND_MEASURED, swamp, false, 0}};
  must(wend_graph_add_edges(graph.get(), static_cast<std::uint32_t>(edges.size()), edges.data(), &first));
  const std::vector<wend_tag_cost> tags = {{1, 0, 1, false, false, false}, {2, 0, 1, false, false, false}};
  wend_search_opts opts = wend_search_opts_default();
  opts.costs.tags = tags.data();
  must(wend_search_begin(search.get(), wend_graph_map(graph.get()), 1, &goal, 1, &opts));
  must(wend_search_step(search.get(), UINT64_MAX));
  const std::uint32_t count = wend_search_path(search.get(), &places, &steps, &cost);
  for (std::uint32_t i = 0; i < count; i++) std::printf("%u ", static_cast<unsigned>(places[i]));
  std::printf("costs %g\n", cost);

  const wend_cell closed = {INFINITY, WEND_UNTAGGED};
  must(wend_grid_fill(grid.get(), 1, 0, 1, 1, closed));
  const wend_id corner = wend_grid_cell(grid.get(), 3, 0);
  const wend_field_opts around = wend_field_opts_default();
  must(wend_field_make(field.get(), search.get(), wend_grid_map(grid.get()), &corner, nullptr, 1, &around));
  if (wend_field_cost(field.get(), wend_grid_cell(grid.get(), 0, 0), &cost)) std::printf("field %.12f\n", cost);
  std::printf("%s\n", wend_status_code(WEND_NO_PATH));
}
