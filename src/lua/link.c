/* SPDX-License-Identifier: MIT */
/* graph:link. The core says which nodes are near each other, and here it is asked whether anything lies between. */
#include "lwend.h"

enum { OPT_K, OPT_MAX_DISTANCE, OPT_WALLS, OPT_CLEAR, OPT_TAG, OPT_DIRECTED };
static const char *const link_options[] = {"k", "max_distance", "walls", "clear", "tag", "directed", NULL};

static int linker_gc(lua_State *L) {
  wend_linker **linker = lua_touserdata(L, 1);
  wend_linker_destroy(*linker);
  *linker = NULL;
  return 0;
}

/* Whether nothing lies between two nodes. */
static bool is_open(lua_State *L, const lwend_map *g, int o, const wend_pair *pair) {
  const int dimensions = wend_graph_dimensions(g->graph);
  double a[3], b[3];
  const double *from = wend_graph_position(g->graph, pair->from), *to = wend_graph_position(g->graph, pair->to);
  for (int d = 0; d < dimensions; d++) a[d] = from[d], b[d] = to[d];
  return (lua_isnil(L, o + OPT_WALLS) || lwend_is_clear(L, o + OPT_WALLS, a, b, dimensions)) &&
         (lua_isnil(L, o + OPT_CLEAR) || lwend_is_clear(L, o + OPT_CLEAR, a, b, dimensions));
}

/* `clear`, or a finalizer, may have edited it. */
static void check_unchanged(lua_State *L, const lwend_map *g, uint64_t version) {
  if (wend_map_version(g->map) != version) luaL_error(L, "the graph was changed while it was being linked: nothing was made");
}

/* graph:link([opts]) -> how many edges were made */
static int graph_link(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_editable(L, lwend_check_graph(L, 1));
  wend_linker **linker;
  const wend_pair *pairs;
  wend_edge_spec *specs;
  uint64_t k = 4, version;
  double max_distance = INFINITY;
  uint32_t count, kept = 0;
  wend_id first;
  bool directed;
  int o;
  lua_settop(L, 2);
  o = lwend_options(L, 2, link_options);
  if (!lua_isnil(L, o + OPT_K) && (!lwend_towhole(L, o + OPT_K, &k) || k < 1)) lwend_wanted(L, o + OPT_K, "k", "a whole number >= 1");
  if (k > WEND_NONE / 4) k = WEND_NONE / 4;
  if (!lua_isnil(L, o + OPT_MAX_DISTANCE))
    max_distance = lwend_check_number(L, o + OPT_MAX_DISTANCE, "max_distance", 0, INFINITY);
  if (!lua_isnil(L, o + OPT_WALLS) && lwend_towalls(L, o + OPT_WALLS) == NULL)
    lwend_wanted(L, o + OPT_WALLS, "walls", "made by wend.walls");
  lwend_check_clear(L, o + OPT_CLEAR);
  if (!lua_isnil(L, o + OPT_TAG) && (lua_type(L, o + OPT_TAG) != LUA_TSTRING || lua_rawlen(L, o + OPT_TAG) == 0))
    lwend_wanted(L, o + OPT_TAG, "tag", "a string that is not empty");
  directed = lwend_check_boolean(L, o + OPT_DIRECTED, "directed");

  linker = lwend_new(L, sizeof *linker, state->linker_ref);
  *linker = wend_linker_create(&state->alloc);
  if (*linker == NULL || wend_linker_find(*linker, g->graph, (uint32_t)k, max_distance, directed) != WEND_OK)
    return lwend_no_memory(L);
  count = wend_linker_pairs(*linker, &pairs);
  version = wend_map_version(g->map);
  specs = lua_newuserdata(L, ((size_t)count + 1) * sizeof *specs);
  for (uint32_t i = 0; i < count; i++) {
    check_unchanged(L, g, version);
    if (!is_open(L, g, o, &pairs[i])) continue;
    specs[kept].from = pairs[i].from;
    specs[kept].to = pairs[i].to;
    specs[kept].weight = WEND_MEASURED;
    specs[kept++].directed = directed;
  }
  check_unchanged(L, g, version);
  if (kept > 0) {
    const uint32_t tag = lwend_check_tag(L, o + OPT_TAG, 1, "tag"); /* last: it may make a tag */
    check_unchanged(L, g, version);
    for (uint32_t i = 0; i < kept; i++) specs[i].tag = tag;
    if (wend_graph_add_edges(g->graph, kept, specs, &first) != WEND_OK) return lwend_no_memory(L);
  }
  lwend_pay(L, state);
  lwend_pushwhole(L, kept);
  return 1;
}

/* Adds it to graphs. */
void lwend_open_link(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"link", graph_link}, {NULL, NULL}};
  const void *identity;
  lua_newtable(L);
  state->linker_ref = lwend_metatable(L, "wend.Linker", linker_gc, &identity);
  lwend_add_methods(L, state, state->graph_ref, methods);
}
