// SPDX-License-Identifier: MIT
// wend_bench_boost: the same trips, searched by astar_search of the Boost Graph Library on its compressed_sparse_row_graph. The
// property maps are made once for each graph. The search initializes them each time, as Boost does.
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <vector>

extern "C" {
#include <lauxlib.h>
#include <lua.h>
}

namespace {

struct weighted {
  double weight;
};
using csr =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, weighted, boost::no_property, uint32_t, uint32_t>;
using vertex = boost::graph_traits<csr>::vertex_descriptor;

constexpr const char *type_name = "wend.bench.Boost";
constexpr double infinity = std::numeric_limits<double>::infinity();

struct graph {
  size_t dimensions = 2;
  double scale = 0; // least weight / length
  std::vector<double> points;
  csr arcs;
  std::vector<vertex> parents, path;
  std::vector<double> costs, ranks;
  std::vector<boost::default_color_type> colors;
};

double length(const graph &g, vertex a, vertex b) {
  double sum = 0;
  for (size_t d = 0; d < g.dimensions; d++) {
    double along = g.points[a * g.dimensions + d] - g.points[b * g.dimensions + d];
    sum += along * along;
  }
  return std::sqrt(sum);
}

struct rest : boost::astar_heuristic<csr, double> {
  const graph &g;
  vertex goal;
  rest(const graph &of, vertex to) : g(of), goal(to) {}
  double operator()(vertex v) const { return g.scale * length(g, v, goal); }
};

struct found {};

// Throws at the goal. This is how a search of Boost is stopped.
struct visitor : boost::default_astar_visitor {
  vertex goal;
  lua_Integer &expanded;
  visitor(vertex to, lua_Integer &count) : goal(to), expanded(count) {}
  void examine_vertex(vertex v, const csr &) {
    if (v == goal) throw found();
    expanded++;
  }
};

// The cost of the path, or infinity. Its nodes are then in g.path, from the goal backwards.
double search(graph &g, vertex start, vertex goal, lua_Integer &expanded) {
  auto index = get(boost::vertex_index, g.arcs);
  auto by_vertex = [&](auto &values) { return boost::make_iterator_property_map(values.begin(), index); };
  g.path.clear();
  try {
    astar_search(g.arcs, start, rest(g, goal),
                 boost::visitor(visitor(goal, expanded))
                     .predecessor_map(by_vertex(g.parents))
                     .distance_map(by_vertex(g.costs))
                     .rank_map(by_vertex(g.ranks))
                     .color_map(by_vertex(g.colors))
                     .weight_map(get(&weighted::weight, g.arcs))
                     .distance_inf(infinity));
  } catch (found) {
    for (vertex v = goal; g.path.push_back(v), v != start;) v = g.parents[v];
    return g.costs[goal];
  }
  return infinity;
}

graph *check_graph(lua_State *L) { return *static_cast<graph **>(luaL_checkudata(L, 1, type_name)); }

int graph_gc(lua_State *L) {
  auto held = static_cast<graph **>(luaL_checkudata(L, 1, type_name));
  delete *held;
  *held = nullptr;
  return 0;
}

double get_number(lua_State *L, int list, lua_Integer i) {
  lua_rawgeti(L, list, i);
  double value = luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return value;
}

// graph(dimensions, points, from, to[, weights[, two_way]]) -> graph, as of the reference
int boost_graph(lua_State *L) {
  auto held = static_cast<graph **>(lua_newuserdatauv(L, sizeof(graph *), 0));
  *held = nullptr;
  luaL_setmetatable(L, type_name);
  graph *g = *held = new (std::nothrow) graph;
  if (!g) return luaL_error(L, "out of memory");
  g->dimensions = static_cast<size_t>(luaL_checkinteger(L, 1));
  bool weighted_arcs = !lua_isnoneornil(L, 5), two_way = lua_toboolean(L, 6);
  size_t n = lua_rawlen(L, 2) / g->dimensions;
  for (size_t i = 1; i <= n * g->dimensions; i++) g->points.push_back(get_number(L, 2, static_cast<lua_Integer>(i)));

  std::vector<std::pair<uint32_t, uint32_t>> ends;
  std::vector<weighted> weights;
  g->scale = infinity;
  lua_Integer pair_count = static_cast<lua_Integer>(lua_rawlen(L, 3));
  for (lua_Integer i = 1; i <= pair_count; i++) {
    auto from = static_cast<uint32_t>(get_number(L, 3, i)) - 1;
    auto to = static_cast<uint32_t>(get_number(L, 4, i)) - 1;
    double straight = length(*g, from, to);
    double weight = weighted_arcs ? get_number(L, 5, i) : straight;
    if (straight > 0 && weight / straight < g->scale) g->scale = weight / straight;
    ends.emplace_back(from, to);
    weights.push_back({weight});
    if (two_way) {
      ends.emplace_back(to, from);
      weights.push_back({weight});
    }
  }
  if (g->scale == infinity) g->scale = 0;
  g->arcs = csr(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), weights.begin(), static_cast<uint32_t>(n));
  g->parents.resize(n);
  g->costs.resize(n);
  g->ranks.resize(n);
  g->colors.resize(n);
  return 1;
}

vertex get_node(lua_State *L, const graph *g, lua_Integer i) {
  double id = get_number(L, 2, i);
  if (!(id >= 1 && id <= static_cast<double>(g->parents.size())))
    luaL_error(L, "pairs[%I] is no node", static_cast<LUAI_UACINT>(i));
  return static_cast<vertex>(id) - 1;
}

// g:run(pairs[, queue[, repeats]]) -> sum of the costs, nodes expanded; `queue` is ignored
int graph_run(lua_State *L) {
  graph *g = check_graph(L);
  lua_Integer repeats = luaL_optinteger(L, 4, 1), expanded = 0;
  lua_Integer pair_count = static_cast<lua_Integer>(lua_rawlen(L, 2)) / 2;
  double total = 0;
  for (lua_Integer round = 0; round < repeats; round++) {
    total = 0;
    for (lua_Integer i = 1; i <= pair_count; i++) {
      double cost = search(*g, get_node(L, g, 2 * i - 1), get_node(L, g, 2 * i), expanded);
      if (cost < infinity) total += cost;
    }
  }
  lua_pushnumber(L, total);
  lua_pushinteger(L, expanded / repeats);
  return 2;
}

// g:costs(pairs) -> list of costs; math.huge where there is no path
int graph_costs(lua_State *L) {
  graph *g = check_graph(L);
  lua_Integer pair_count = static_cast<lua_Integer>(lua_rawlen(L, 2)) / 2, expanded = 0;
  lua_createtable(L, static_cast<int>(pair_count), 0);
  for (lua_Integer i = 1; i <= pair_count; i++) {
    lua_pushnumber(L, search(*g, get_node(L, g, 2 * i - 1), get_node(L, g, 2 * i), expanded));
    lua_rawseti(L, -2, i);
  }
  return 1;
}

const luaL_Reg methods[] = {{"run", graph_run}, {"costs", graph_costs}, {nullptr, nullptr}};
const luaL_Reg functions[] = {{"graph", boost_graph}, {nullptr, nullptr}};

} // namespace

extern "C" int luaopen_wend_bench_boost(lua_State *L) {
  luaL_newmetatable(L, type_name);
  lua_pushcfunction(L, graph_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
