/* SPDX-License-Identifier: MIT */
/* wend.Routes. Its anchor is the list of the values of the query that made it: map, costs, agent, ... */
#include <string.h>

#include "lwend.h"

typedef struct lwend_routes {
  wend_route_table *routes;
  lwend_map *map; /* NULL: it was never made */
  double at_least;
  bool busy;   /* it is being worked out */
  int readers; /* calls that read it while scripts may run */
} lwend_routes;

static lwend_routes *check_routes(lua_State *L, int index) {
  lwend_routes *r = lwend_toobject(L, index, lwend_state_of(L)->routes_mt);
  if (r == NULL) lwend_type_error(L, index, "self", "routes (call it with a colon: routes:method())");
  else if (r->busy) luaL_error(L, "the routes are being worked out: their own callbacks cannot use them");
  else if (r->routes == NULL || r->map == NULL || r->map->map == NULL) luaL_error(L, "the routes are gone, or were never made");
  return r;
}

lwend_map *lwend_check_routes_readers(lua_State *L, int index, int **readers) {
  lwend_routes *r = check_routes(L, index);
  *readers = &r->readers;
  return r->map;
}

static int routes_gc(lua_State *L) {
  lwend_routes *r = lwend_toobject(L, 1, lwend_state_of(L)->routes_mt);
  if (r == NULL) return lwend_type_error(L, 1, "self", "routes");
  if (r->busy || r->readers > 0) return luaL_error(L, "the routes are being worked out: their own callbacks cannot use them");
  wend_route_table_destroy(r->routes);
  r->routes = NULL;
  return 0;
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* Calls the function at LWEND_TO. */
static void tell_progress(void *ud, uint32_t done, uint32_t all) {
  lwend_query *query = ud;
  lua_State *L = query->L;
  lua_pushvalue(L, LWEND_TO);
  lwend_pushwhole(L, done);
  lwend_pushwhole(L, all);
  lwend_ask(L, query->g, 2, 0);
}

static int protected_routes(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  lwend_routes *r = query->subject;
  wend_status status;
  r->busy = true;
  if (!lwend_query_ready(L, query)) {
    r->busy = false;
    return lwend_push_stale(L, query);
  }
  lwend_costs_push(L, query);
  status = wend_route_table_make(r->routes, query->searcher->search, query->g->graph, &query->opts.costs,
                            lua_isnil(L, LWEND_TO) ? NULL : tell_progress, query);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  query->status = WEND_OK;
  r->busy = false;
  return 0;
}

static void undo_routes(lwend_query *query) {
  ((lwend_routes *)query->subject)->busy = false;
  lwend_forget_search(query);
}

/* graph:routes([opts]) -> routes; or nil, message, "stale" */
static int graph_routes(lua_State *L) {
  static const char *const options[] = {"costs", "agent", "cost", "at_least", "progress", NULL};
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_graph(L, 1);
  lwend_routes *r;
  lwend_query query;
  int o, object, values, results;
  /* Read. */
  lua_settop(L, 2);
  lwend_query_start(L, &query, state, g);
  o = lwend_options(L, 2, options);
  lwend_check_callable(L, o + 4, "progress");
  r = lwend_new(L, sizeof *r, state->routes_ref);
  object = lua_gettop(L);
  r->routes = wend_route_table_create(&state->alloc);
  if (r->routes == NULL) return lwend_no_memory(L);
  query.subject = r;
  values = lwend_query_values(L, &query, 1, o + 4, o, o + 1, o + 2, o + 3, 0, 0, 0);
  lwend_push_values(L, values);
  lua_pushnil(L);
  lua_rawseti(L, -2, LWEND_TO - LWEND_MAP + 1); /* nobody is told again */
  lwend_setanchor(L, object);
  r->at_least = query.at_least;
  r->map = g;
  /* Act: lwend_call checks once more that the graph is there. */
  results = lwend_call(L, &query, state->routes_make_ref, values, undo_routes);
  if (query.status == WEND_STALE) return results;
  lua_settop(L, object);
  lwend_gc_step(L, state);
  return 1;
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

/* Pushes the values of the query that made it; returns where they lie. */
static int push_values(lua_State *L, int index) {
  const int values = lua_gettop(L) + 1;
  lwend_pushanchor(L, index);
  for (int i = 1; i <= LWEND_VALUES; i++) lua_rawgeti(L, values, i);
  lua_remove(L, values);
  return values;
}

static bool is_outdated(const lwend_routes *r) { return wend_route_table_version(r->routes) != wend_map_version(r->map->map); }

/* Whether the graph or the profile has changed. */
static bool is_stale(lua_State *L, int index, const lwend_routes *r) {
  const int top = lua_gettop(L);
  bool stale = is_outdated(r);
  if (!stale) {
    const int values = push_values(L, index);
    stale = !lwend_costs_are_current(L, values + LWEND_COSTS - LWEND_MAP, values + LWEND_COMPILED - LWEND_MAP);
  }
  lua_settop(L, top);
  return stale;
}

static int push_stale(lua_State *L) {
  lua_pushnil(L);
  lua_pushliteral(L, "the graph or the costs have changed since the routes were worked out");
  lua_pushstring(L, wend_status_code(WEND_STALE));
  return 3;
}

static int protected_path(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  const lwend_routes *r = query->subject;
  if (r->routes == NULL) return luaL_error(L, "the routes are gone, or were never made");
  if (wend_route_table_version(r->routes) != query->version) return lwend_empty_path(L, LWEND_INTO), push_stale(L);
  query->status = wend_route_table_path(r->routes, query->searcher->search, query->from, query->to);
  if (query->status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (query->status == WEND_OK) {
    lwend_push_path(L, query);
    return 1;
  }
  lwend_empty_path(L, LWEND_INTO);
  return lwend_push_failure(L, query);
}

/* routes:path(a, b[, opts]) -> path; or nil, message, "no_path" or "stale" */
static int routes_path(lua_State *L) {
  static const char *const options[] = {"into", NULL};
  lwend_state *state = lwend_state_of(L);
  lwend_routes *r = check_routes(L, 1);
  lwend_query query;
  int o, values;
  lua_settop(L, 4);
  lwend_query_start(L, &query, state, r->map);
  query.from = lwend_check_node(L, 2, r->map, "from");
  query.to = lwend_check_node(L, 3, r->map, "to");
  o = lwend_options(L, 4, options);
  lwend_check_table(L, o, "into");
  if (is_stale(L, 1, r)) {
    lwend_empty_path(L, o);
    return push_stale(L);
  }
  values = push_values(L, 1);
  lua_pushvalue(L, o);
  lua_replace(L, values + LWEND_INTO - LWEND_MAP);
  query.subject = r;
  return lwend_call(L, &query, state->routes_path_ref, values, lwend_forget_search);
}

/* routes:cost(a, b) -> number or nil; or nil, message, "stale" */
static int routes_cost(lua_State *L) {
  const bool stale = is_stale(L, 1, check_routes(L, 1)); /* may run finalizers */
  lwend_routes *r = check_routes(L, 1);
  const wend_id from = lwend_check_node(L, 2, r->map, "from"), to = lwend_check_node(L, 3, r->map, "to");
  double cost;
  if (stale || is_outdated(r)) return push_stale(L);
  if (wend_route_table_cost(r->routes, from, to, &cost))
    lua_pushnumber(L, cost);
  else
    lua_pushnil(L);
  return 1;
}

/* routes:next(a, b) -> node, edge, or nil; or nil, message, "stale" */
static int routes_next(lua_State *L) {
  const bool stale = is_stale(L, 1, check_routes(L, 1)); /* may run finalizers */
  lwend_routes *r = check_routes(L, 1);
  const wend_id from = lwend_check_node(L, 2, r->map, "from"), to = lwend_check_node(L, 3, r->map, "to");
  wend_id next, edge;
  if (stale || is_outdated(r)) return push_stale(L);
  if (!wend_route_table_next(r->routes, from, to, &next, &edge)) return lua_pushnil(L), 1;
  lwend_pushwhole(L, next);
  lwend_pushwhole(L, edge);
  return 2;
}

/* routes:bytes() -> memory held */
static int routes_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_route_table_bytes(check_routes(L, 1)->routes));
  return 1;
}

/* ---- Bytes ------------------------------------------------------------------------------------------------- */

wend_status lwend_push_encoded_routes(lua_State *L) {
  lwend_routes *r = check_routes(L, 1);
  size_t size;
  void *bytes;
  wend_status status = is_stale(L, 1, r) ? WEND_STALE : wend_route_table_encode(r->routes, r->map->graph, NULL, &size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status != WEND_OK) return status;
  bytes = lua_newuserdata(L, size);
  status = wend_route_table_encode(r->routes, r->map->graph, bytes, &size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status == WEND_OK) lua_pushlstring(L, bytes, size);
  return status;
}

wend_status lwend_push_decoded_routes(lua_State *L, const void *bytes, size_t size, int o) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_tomap(L, o);
  lwend_query query;
  lwend_routes *r;
  int object, values;
  wend_status status;
  if (g->graph == NULL) return WEND_STALE;
  lwend_query_start(L, &query, state, g);
  r = lwend_new(L, sizeof *r, state->routes_ref);
  object = lua_gettop(L);
  r->routes = wend_route_table_create(&state->alloc);
  if (r->routes == NULL) lwend_no_memory(L);
  values = lwend_query_values(L, &query, o, 0, o + 1, o + 2, o + 3, o + 4, 0, 0, 0);
  lwend_push_values(L, values);
  lwend_setanchor(L, object);
  lua_settop(L, object);
  (void)lwend_check_alive(L, g); /* reading may have run finalizers */
  status = wend_route_table_decode(r->routes, g->graph, bytes, size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  r->map = status == WEND_OK ? g : NULL;
  return status;
}

static const luaL_Reg methods[] = {
    {"bytes", routes_bytes}, {"cost", routes_cost}, {"next", routes_next}, {"path", routes_path}, {NULL, NULL},
};

/* Adds `routes` to graphs. */
void lwend_open_routes(lua_State *L, lwend_state *state) {
  static const luaL_Reg of_graph[] = {{"routes", graph_routes}, {NULL, NULL}};
  lua_newtable(L);
  lwend_register(L, state, methods);
  state->routes_ref = lwend_metatable(L, "wend.Routes", state, routes_gc, &state->routes_mt);
  state->routes_make_ref = lwend_protected(L, state, protected_routes);
  state->routes_path_ref = lwend_protected(L, state, protected_path);
  lwend_add_methods(L, state, state->graph_ref, of_graph);
}
