/* SPDX-License-Identifier: MIT */
/* graph:link. The core finds pairs of near nodes. The options `walls` and `clear` tell whether anything lies between. First
 * all pairs are tested, with the graph locked. Then all edges are added at once: an error in `clear` leaves no edges. */
#include "lua/base/query.h"

enum { OPT_LIMIT, OPT_MAX_DISTANCE, OPT_WALLS, OPT_CLEAR, OPT_TAG, OPT_DIRECTED, OPT_WIDTHS };
static const char *const link_options[] = {"limit", "max_distance", "walls", "clear", "tag", "directed", "widths", NULL};

/* The arguments of protected_link, and its result. */
typedef struct linking {
  lwend_job job;
  const lwend_map *g;
  wend_linker *linker;
  double max_distance;
  uint32_t limit;
  bool directed, widths;
  wend_edge_spec *specs; /* the edges to make */
  uint32_t count;
} linking;

enum { LINKING = 1, WALLS, CLEAR }; /* the slots of protected_link */

/* Whether the options `walls` and `clear` allow an edge between two nodes. *width: how wide it is, or NULL. */
static bool is_open(lua_State *L, const lwend_map *g, const wend_pair *pair, double *width) {
  const int dimensions = wend_graph_dimensions(g->graph);
  const double *from, *to;
  double a[3], b[3];
  if (lua_isnil(L, WALLS) && lua_isnil(L, CLEAR)) return true;
  from = wend_graph_position(g->graph, pair->from), to = wend_graph_position(g->graph, pair->to);
  for (int d = 0; d < dimensions; d++) a[d] = from[d], b[d] = to[d];
  if (!lua_isnil(L, WALLS) && !lwend_is_clear(L, g, WALLS, a, b, dimensions)) return false;
  if (width != NULL) {
    if (wend_walls_distance(lwend_towalls(L, WALLS), a, b, width) != WEND_OK) lwend_no_memory(L);
    *width *= 2;
  }
  return lua_isnil(L, CLEAR) || lwend_is_clear(L, g, CLEAR, a, b, dimensions);
}

/* linking, walls, clear -> userdata that holds the edges to make: linking->specs. The graph is locked. */
static int protected_link(lua_State *L) {
  linking *asked = lua_touserdata(L, LINKING);
  const wend_pair *pairs;
  uint32_t count;
  if (wend_linker_find(asked->linker, asked->g->graph, asked->limit, asked->max_distance, asked->directed) != WEND_OK)
    return lwend_no_memory(L);
  count = wend_linker_pairs(asked->linker, &pairs);
  asked->specs = lua_newuserdata(L, ((size_t)count + 1) * sizeof *asked->specs);
  for (uint32_t i = 0; i < count; i++) {
    wend_edge_spec spec = {pairs[i].from, pairs[i].to, WEND_MEASURED, WEND_UNTAGGED, asked->directed, INFINITY};
    if (is_open(L, asked->g, &pairs[i], asked->widths ? &spec.width : NULL)) asked->specs[asked->count++] = spec;
  }
  return 1;
}

/* graph:link([{ limit, max_distance, walls, clear, tag, directed, widths }]) -> number of new edges */
int lwend_graph_link(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_graph(L, 1);
  linking asked = {{protected_link}, g, NULL, INFINITY, 0, false, false, NULL, 0};
  uint64_t limit = 4;
  wend_id first;
  int o, failed;
  /* Read. */
  lua_settop(L, 2);
  o = lwend_options(L, 2, link_options);
  if (!lua_isnil(L, o + OPT_LIMIT) && (!lwend_towhole(L, o + OPT_LIMIT, &limit) || limit < 1))
    lwend_type_error(L, o + OPT_LIMIT, "limit", "a whole number >= 1");
  asked.limit = limit > WEND_NONE / 4 ? WEND_NONE / 4 : (uint32_t)limit;
  if (!lua_isnil(L, o + OPT_MAX_DISTANCE))
    asked.max_distance = lwend_check_number(L, o + OPT_MAX_DISTANCE, "max_distance", 0, INFINITY);
  if (!lua_isnil(L, o + OPT_WALLS) && lwend_towalls(L, o + OPT_WALLS) == NULL)
    lwend_type_error(L, o + OPT_WALLS, "walls", "made by wend.walls");
  lwend_check_clear(L, o + OPT_CLEAR, "clear");
  if (!lua_isnil(L, o + OPT_TAG) && (lua_type(L, o + OPT_TAG) != LUA_TSTRING || lua_rawlen(L, o + OPT_TAG) == 0))
    lwend_type_error(L, o + OPT_TAG, "tag", "a string that is not empty");
  asked.directed = lwend_check_boolean(L, o + OPT_DIRECTED, "directed");
  asked.widths = lwend_check_boolean(L, o + OPT_WIDTHS, "widths");
  if (asked.widths && lua_isnil(L, o + OPT_WALLS)) luaL_error(L, "widths are measured to walls: give the option 'walls'");
  /* Check. */
  (void)lwend_check_own(L, lwend_check_alive(L, g));
  lwend_check_depth(L, state);
  /* Act: first with the graph locked. After that no script runs. */
  asked.linker = wend_linker_create(&state->alloc);
  if (asked.linker == NULL) return lwend_no_memory(L);
  lwend_push_job(L, state, &asked.job);
  lua_pushvalue(L, o + OPT_WALLS);
  lua_pushvalue(L, o + OPT_CLEAR);
  g->searching++;
  failed = lwend_protect(L, state, 3, 1);
  g->searching--;
  wend_linker_destroy(asked.linker);
  if (failed) return lua_error(L);
  if (asked.count > 0) {
    const uint32_t tag = lwend_check_tag(L, o + OPT_TAG, 1, "tag");
    for (uint32_t i = 0; i < asked.count; i++) asked.specs[i].tag = tag;
    if (wend_graph_add_edges(g->graph, asked.count, asked.specs, &first) != WEND_OK) return lwend_no_memory(L);
  }
  lwend_gc_step(L, state);
  return lwend_whole(L, asked.count);
}
