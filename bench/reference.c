/* SPDX-License-Identifier: MIT */
/* wend_bench_reference: the yardstick. A* in plain C on flat arrays, without the features of wend, and with a choice of two
 * open lists; the time of a bare call into Lua.
 *
 *   first    | 0 | 3 | 5 | …       the arcs of node i are first[i] .. first[i + 1] - 1
 *   targets  | to | to | …         4 bytes an arc
 *   weights  | weight | weight | … 8 bytes an arc
 *   points   | x y [z] | …         doubles
 *   labels   | g parent stamp | …  16 bytes a node
 */
#include <lauxlib.h>
#include <lua.h>

#include "reference_queues.h"

typedef struct {
  uint32_t node_count, arc_count;
  int dimensions;
  uint32_t *first;
  uint32_t *targets;
  double *weights;
  double *points;
  double scale; /* the least weight / length of all arcs, for the heuristic */
  double mean_weight, most_weight;
  label *labels;
  uint32_t stamp;
  uint64_t expanded;
  uint32_t *path_buffer, *path; /* the path of the last search, at the end of the buffer */
  uint32_t path_count;
  bucket_queue bucket;
  heap_queue heap;
} graph;

INLINE double length2(double x, double y) { return sqrt(x * x + y * y); }
INLINE double length3(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

/* The stamp of a new search. All labels are cleared when the stamps run out. */
INLINE uint32_t next_stamp(graph *g) {
  if (RARELY(g->stamp >= UINT32_MAX - 3)) {
    memset(g->labels, 0, g->node_count * sizeof *g->labels);
    g->stamp = 0;
  }
  return g->stamp += 2;
}

#define DIMENSIONS 2
#define QUEUE bucket
#include "reference_search.h"
#define DIMENSIONS 3
#define QUEUE bucket
#include "reference_search.h"
#define DIMENSIONS 2
#define QUEUE heap
#include "reference_search.h"
#define DIMENSIONS 3
#define QUEUE heap
#include "reference_search.h"
#define DIMENSIONS 0
#define QUEUE bucket
#include "reference_search.h"

typedef double (*search_function)(graph *, uint32_t start, uint32_t goal);

static const char *const queue_names[] = {"bucket", "heap", NULL};
static const search_function searches[][2] = {{bucket_search_2, bucket_search_3}, {heap_search_2, heap_search_3}};

/* ---- The graph as a userdata --------------------------------------------------------------- */
#define GRAPH_TYPE "wend.bench.Reference"

static graph *check_graph(lua_State *L) { return luaL_checkudata(L, 1, GRAPH_TYPE); }

static int graph_gc(lua_State *L) {
  graph *g = check_graph(L);
  if (g->bucket.slots)
    for (uint32_t i = 0; i < g->bucket.ring.size; i++) free(g->bucket.slots[i].items);
  free(g->bucket.slots);
  free(g->bucket.far);
  free(g->heap.memory);
  free(g->first);
  free(g->targets);
  free(g->weights);
  free(g->points);
  free(g->labels);
  free(g->path_buffer);
  memset(g, 0, sizeof *g);
  return 0;
}

static void *checked_calloc(lua_State *L, size_t count, size_t bytes) {
  void *memory = calloc(count ? count : 1, bytes);
  if (!memory) luaL_error(L, "out of memory");
  return memory;
}

static double get_number(lua_State *L, int list, lua_Integer i) {
  int is_number;
  lua_rawgeti(L, list, i);
  double value = lua_tonumberx(L, -1, &is_number);
  if (!is_number) luaL_error(L, "argument %d: [%I] must be a number", list, (LUAI_UACINT)i);
  lua_pop(L, 1);
  return value;
}

/* A 1-based node id of a list, as an index. */
static uint32_t get_node(lua_State *L, int list, lua_Integer i, uint32_t node_count) {
  double id = get_number(L, list, i);
  if (!(id >= 1 && id <= node_count && id == floor(id)))
    luaL_error(L, "argument %d: [%I] must be a node id in 1..%d", list, (LUAI_UACINT)i, (int)node_count);
  return (uint32_t)id - 1;
}

/* The width of a bucket, in mean weights. With twice the width, 5 to 10 % more nodes are expanded again on random graphs. Half
 * the width gains nothing there, and costs 3 % on road networks, where most buckets are then empty. */
static const double USUAL_WIDTH = 0.1;

static void make_ring(lua_State *L, graph *g) {
  double width = g->mean_weight * USUAL_WIDTH;
  if (!(width > 0)) width = 1.0;
  /* A step raises the key by its weight and, if it leads away from the goal, by up to as much again. */
  double reach = 2 * g->most_weight / width + 2;
  uint32_t size = 64;
  while (size < reach && size < RING_MOST) size *= 2;
  g->bucket.ring = (ring){.per_width = 1 / width, .highest = -1, .size = size, .mask = size - 1};
  g->bucket.slots = checked_calloc(L, size, sizeof *g->bucket.slots);
}

static double distance(const graph *g, uint32_t a, uint32_t b) {
  double sum = 0;
  for (int d = 0; d < g->dimensions; d++) {
    double along = g->points[a * g->dimensions + d] - g->points[b * g->dimensions + d];
    sum += along * along;
  }
  return sqrt(sum);
}

static void add_arc(graph *g, uint32_t from, uint32_t to, double weight) {
  uint32_t arc = g->first[from + 1]++;
  g->targets[arc] = to;
  g->weights[arc] = weight;
}

/* graph(dimensions, points, from, to[, weights[, two_way]]) -> graph
 * Without weights an arc weighs its length. With two_way each pair makes two arcs. */
static int reference_graph(lua_State *L) {
  int dimensions = (int)luaL_checkinteger(L, 1);
  luaL_argcheck(L, dimensions == 2 || dimensions == 3, 1, "must be 2 or 3");
  for (int i = 2; i <= 4; i++) luaL_checktype(L, i, LUA_TTABLE);
  bool weighted = !lua_isnoneornil(L, 5), two_way = lua_toboolean(L, 6);
  if (weighted) luaL_checktype(L, 5, LUA_TTABLE);
  lua_Integer pair_count = (lua_Integer)lua_rawlen(L, 3);
  luaL_argcheck(L, pair_count < INT32_MAX / 2, 3, "too many");

  graph *g = lua_newuserdatauv(L, sizeof *g, 0);
  memset(g, 0, sizeof *g);
  luaL_setmetatable(L, GRAPH_TYPE);
  g->dimensions = dimensions;
  uint32_t n = g->node_count = (uint32_t)(lua_rawlen(L, 2) / (size_t)dimensions);
  g->arc_count = (uint32_t)pair_count * (two_way ? 2 : 1);
  g->points = checked_calloc(L, (size_t)n * dimensions, sizeof *g->points);
  g->first = checked_calloc(L, (size_t)n + 2, sizeof *g->first);
  g->targets = checked_calloc(L, g->arc_count, sizeof *g->targets);
  g->weights = checked_calloc(L, g->arc_count, sizeof *g->weights);
  g->labels = checked_calloc(L, n, sizeof *g->labels);
  g->path_buffer = checked_calloc(L, n, sizeof *g->path_buffer);
  for (lua_Integer i = 0; i < (lua_Integer)n * dimensions; i++) g->points[i] = get_number(L, 2, i + 1);

  /* A counting sort by the node that an arc leaves. first[i + 2] counts the arcs of i. Then first[i + 1] moves from the
   * beginning of the arcs of i to their end, which is where those of i + 1 begin. */
  for (lua_Integer i = 1; i <= pair_count; i++) {
    g->first[get_node(L, 3, i, n) + 2]++;
    uint32_t to = get_node(L, 4, i, n);
    if (two_way) g->first[to + 2]++;
  }
  for (uint32_t i = 0; i < n; i++) g->first[i + 2] += g->first[i + 1];
  double sum = 0;
  g->scale = INFINITY;
  for (lua_Integer i = 1; i <= pair_count; i++) {
    uint32_t from = get_node(L, 3, i, n), to = get_node(L, 4, i, n);
    double length = distance(g, from, to);
    double weight = weighted ? get_number(L, 5, i) : length;
    if (!(weight >= 0 && weight < INFINITY)) luaL_error(L, "weight %I must be finite and not negative", (LUAI_UACINT)i);
    add_arc(g, from, to, weight);
    if (two_way) add_arc(g, to, from, weight);
    sum += weight;
    if (weight > g->most_weight) g->most_weight = weight;
    if (length > 0 && weight < g->scale * length) g->scale = weight / length;
  }
  if (g->scale == INFINITY) g->scale = 0;
  g->mean_weight = pair_count ? sum / (double)pair_count : 0;
  make_ring(L, g);
  return 1;
}

/* Searches all pairs `repeats` times. Writes the costs of the last round into `costs` unless that is NULL. Returns the sum of
 * the costs of one round. */
static double run_all(lua_State *L, graph *g, const uint32_t *pairs, lua_Integer pair_count, search_function search,
                      lua_Integer repeats, double *costs) {
  double total = 0;
  g->expanded = 0;
  for (lua_Integer round = 0; round < repeats; round++) {
    total = 0;
    for (lua_Integer i = 0; i < pair_count; i++) {
      double cost = search(g, pairs[2 * i], pairs[2 * i + 1]);
      if (cost < INFINITY) total += cost;
      if (costs) costs[i] = cost;
    }
  }
  if (g->bucket.failed || g->heap.failed) {
    g->bucket.failed = g->heap.failed = false;
    luaL_error(L, "out of memory");
  }
  return total;
}

/* Reads the name of the queue at 3 and the flat list of pairs at 2. Leaves a userdata with the indexes of the pairs on the
 * stack. */
static uint32_t *check_queries(lua_State *L, graph *g, lua_Integer *pair_count, search_function *search) {
  int queue = luaL_checkoption(L, 3, "bucket", queue_names);
  luaL_checktype(L, 2, LUA_TTABLE);
  *search = searches[queue][g->dimensions - 2];
  *pair_count = (lua_Integer)lua_rawlen(L, 2) / 2;
  uint32_t *pairs = lua_newuserdatauv(L, (size_t)(2 * *pair_count + 1) * sizeof *pairs, 0);
  for (lua_Integer i = 0; i < 2 * *pair_count; i++) pairs[i] = get_node(L, 2, i + 1, g->node_count);
  return pairs;
}

/* g:run(pairs[, queue[, repeats]]) -> sum of the costs, nodes expanded; both of one round */
static int graph_run(lua_State *L) {
  graph *g = check_graph(L);
  lua_Integer repeats = luaL_optinteger(L, 4, 1), pair_count;
  luaL_argcheck(L, repeats > 0, 4, "must be positive");
  search_function search;
  uint32_t *pairs = check_queries(L, g, &pair_count, &search);
  lua_pushnumber(L, run_all(L, g, pairs, pair_count, search, repeats, NULL));
  lua_pushinteger(L, (lua_Integer)(g->expanded / (uint64_t)repeats));
  return 2;
}

/* g:costs(pairs[, queue]) -> list of costs; math.huge where there is no path */
static int graph_costs(lua_State *L) {
  graph *g = check_graph(L);
  lua_Integer pair_count;
  search_function search;
  uint32_t *pairs = check_queries(L, g, &pair_count, &search);
  double *costs = lua_newuserdatauv(L, (size_t)(pair_count + 1) * sizeof *costs, 0);
  run_all(L, g, pairs, pair_count, search, 1, costs);
  lua_createtable(L, (int)pair_count, 0);
  for (lua_Integer i = 0; i < pair_count; i++) {
    lua_pushnumber(L, costs[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* g:flood(root[, repeats]) -> list of the costs from a node to all; math.huge where there is no path. With repeats: no list */
static int graph_flood(lua_State *L) {
  graph *g = check_graph(L);
  lua_Integer root = luaL_checkinteger(L, 2), repeats = luaL_optinteger(L, 3, 1);
  luaL_argcheck(L, root >= 1 && root <= g->node_count, 2, "must be a node id");
  luaL_argcheck(L, repeats > 0, 3, "must be positive");
  for (lua_Integer round = 0; round < repeats; round++) bucket_search_0(g, (uint32_t)root - 1, NONE);
  if (g->bucket.failed) return g->bucket.failed = false, luaL_error(L, "out of memory");
  if (!lua_isnoneornil(L, 3)) return 0;
  lua_createtable(L, (int)g->node_count, 0);
  for (uint32_t i = 0; i < g->node_count; i++) {
    lua_pushnumber(L, g->labels[i].stamp == g->stamp + 1 ? g->labels[i].g : INFINITY);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* The next of a sequence of random numbers (splitmix64). The state may start with any number. */
static uint64_t random_next(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* g:walks(count, steps, seed) -> pairs: where random walks begin and end, never the same node. A walk ends early at a node
 * without arcs. */
static int graph_walks(lua_State *L) {
  graph *g = check_graph(L);
  lua_Integer count = luaL_checkinteger(L, 2), steps = luaL_checkinteger(L, 3);
  uint64_t random = (uint64_t)luaL_checkinteger(L, 4);
  luaL_argcheck(L, g->arc_count > 0, 1, "no arcs to walk on");
  lua_createtable(L, (int)(2 * count), 0);
  for (lua_Integer made = 0, tries = 0; made < count; tries++) {
    if (tries > 1000 * count) return luaL_error(L, "walks lead nowhere");
    uint32_t start = (uint32_t)(random_next(&random) % g->node_count), node = start;
    for (lua_Integer i = 0; i < steps; i++) {
      uint32_t degree = g->first[node + 1] - g->first[node];
      if (degree == 0) break;
      node = g->targets[g->first[node] + random_next(&random) % degree];
    }
    if (node == start) continue;
    lua_pushinteger(L, start + 1);
    lua_rawseti(L, -2, 2 * made + 1);
    lua_pushinteger(L, node + 1);
    lua_rawseti(L, -2, 2 * made + 2);
    made++;
  }
  return 1;
}

/* g:scale() -> least weight / length of all arcs, mean weight */
static int graph_scale(lua_State *L) {
  graph *g = check_graph(L);
  lua_pushnumber(L, g->scale);
  lua_pushnumber(L, g->mean_weight);
  return 2;
}

/* ---- The floor of a call into Lua ---------------------------------------------------------- */

/* tag_floor(fn, agent, n) -> sum of the first results
 * Calls a function of a tag n times, fn(agent, factor, tag), takes two results, and does nothing else. */
static int reference_tag_floor(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checkany(L, 2);
  lua_Integer n = luaL_checkinteger(L, 3);
  lua_settop(L, 3);
  lua_pushliteral(L, "swamp"); /* 4 */
  double sum = 0;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushnumber(L, 1);
    lua_pushvalue(L, 4);
    lua_call(L, 3, 2);
    sum += lua_tonumber(L, -2);
    lua_pop(L, 2);
  }
  lua_pushnumber(L, sum);
  return 1;
}

static const luaL_Reg graph_methods[] = {
    {"run", graph_run},     {"costs", graph_costs}, {"flood", graph_flood},
    {"walks", graph_walks}, {"scale", graph_scale}, {NULL, NULL},
};

static const luaL_Reg functions[] = {{"graph", reference_graph}, {"tag_floor", reference_tag_floor}, {NULL, NULL}};

LUAMOD_API int luaopen_wend_bench_reference(lua_State *L) {
  luaL_newmetatable(L, GRAPH_TYPE);
  lua_pushcfunction(L, graph_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, graph_methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
