/* SPDX-License-Identifier: MIT */
/* wend.Routes: route tables. The anchor of a table is the list of the first slots of the request that made it: the map, the
 * options costs, agent, cost and at_least. `busy` and `readers` work as in field.c. */
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/query/field.h"

typedef struct lwend_route_table {
  wend_route_table *table;
  lwend_map *map; /* NULL: it was never made */
  lwend_costs_age age;
  bool busy;   /* it is being made */
  int readers; /* the number of calls that read it while scripts may run */
} lwend_route_table;

/* The route table at index, for methods: self. Raises if it cannot be used now. */
static lwend_route_table *check_table(lua_State *L, int index) {
  lwend_route_table *r = lwend_check_self(L, index, &lwend_state_of(L)->types.route_table);
  if (r->busy) luaL_error(L, "the routes are being worked out: their own callbacks cannot use them");
  else if (r->table == NULL || r->map == NULL || r->map->map == NULL) luaL_error(L, "the routes are gone, or were never made");
  return r;
}

static int routes_gc(lua_State *L) {
  lwend_route_table *r = lwend_check_self(L, 1, &lwend_state_of(L)->types.route_table);
  if (r->busy || r->readers > 0) return luaL_error(L, "the routes are being worked out: their own callbacks cannot use them");
  wend_route_table_destroy(r->table);
  r->table = NULL;
  return 0;
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* The progress callback of the core: calls the option on_progress (done, total). */
static void tell_progress(void *ud, uint32_t done, uint32_t all) {
  lwend_request *request = ud;
  lua_State *L = request->L;
  lua_pushvalue(L, LWEND_PROGRESS);
  lwend_pushwhole(L, done);
  lwend_pushwhole(L, all);
  lwend_ask(L, request->g, 2, 0);
}

static int protected_make_routes(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_route_table *r = request->subject;
  r->busy = true;
  if (!lwend_request_ready(L, request)) {
    r->busy = false;
    return lwend_push_stale(L, request);
  }
  lwend_check_memory(L, wend_route_table_make(r->table, request->searcher->search, request->g->graph, &request->search.costs,
                                              lua_isnil(L, LWEND_PROGRESS) ? NULL : tell_progress, request));
  request->status = WEND_OK;
  r->busy = false;
  return 0;
}

static void undo_make_routes(lwend_request *request) {
  ((lwend_route_table *)request->subject)->busy = false;
  lwend_forget_search(request);
}

/* Pushes an empty route table. */
static lwend_route_table *push_table(lua_State *L, const lwend_state *state) {
  lwend_route_table *r = lwend_new(L, sizeof *r, &state->types.route_table);
  r->table = wend_route_table_create(&state->alloc);
  if (r->table == NULL) lwend_no_memory(L);
  return r;
}

/* graph:routes([opts]) -> routes; or nil, message, "stale" */
int lwend_graph_routes(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_graph(L, 1);
  lwend_route_table *r;
  lwend_request request;
  int object, results;
  /* Read. */
  lua_settop(L, 2);
  lwend_request_start(L, &request, g, 1);
  lwend_read_options(L, &request, 2, LWEND_FOR_ROUTES);
  r = push_table(L, state);
  object = lua_gettop(L);
  request.subject = r;
  lwend_check_costs(L, &request);
  lwend_keep_slots(L, &request, object);
  r->map = g;
  r->age = request.age;
  /* Act. lwend_call checks again that the graph exists. */
  results = lwend_call(L, &request, protected_make_routes, undo_make_routes);
  if (request.status == WEND_STALE) return results;
  lua_settop(L, object);
  lwend_gc_step(L, state);
  return 1;
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

/* Whether the graph, or the costs of a tag that it uses, have changed since the table at index was made. */
static bool is_stale(lua_State *L, int index, lwend_route_table *r) {
  return lwend_costs_are_stale(L, lwend_state_of(L), index, &r->age) || /* may run finalizers */
         wend_route_table_version(r->table) != wend_map_version(lwend_check_alive(L, r->map)->map);
}

static int push_stale(lua_State *L) {
  return lwend_push_failed(L, "the graph or the costs have changed since the routes were worked out", WEND_STALE);
}

static int protected_routes_path(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const lwend_route_table *r = request->subject;
  if (r->table == NULL) return luaL_error(L, "the routes are gone, or were never made");
  if (wend_route_table_version(r->table) != request->version) return lwend_empty_result(L, LWEND_INTO), push_stale(L);
  request->status =
      lwend_check_memory(L, wend_route_table_path(r->table, request->searcher->search, request->from, request->to));
  if (request->status == WEND_OK) {
    lwend_push_path(L, request);
    return 1;
  }
  lwend_empty_result(L, LWEND_INTO);
  return lwend_push_failure(L, request);
}

/* routes:path(a, b[, { into }]) -> path; or nil, message, "no_path" or "stale" */
static int routes_path(lua_State *L) {
  lwend_route_table *r = check_table(L, 1);
  lwend_request request;
  lua_settop(L, 4);
  lwend_request_resume(L, &request, r->map, 1, LWEND_KEPT);
  request.from = lwend_check_node(L, 2, r->map, "from");
  request.to = lwend_check_node(L, 3, r->map, "to");
  lwend_read_options(L, &request, 4, LWEND_FOR_READY_PATH);
  if (is_stale(L, 1, r)) {
    lwend_empty_result(L, request.frame + LWEND_INTO);
    return push_stale(L);
  }
  request.subject = r;
  request.age = r->age;
  return lwend_call(L, &request, protected_routes_path, lwend_forget_search);
}

/* routes:cost(a, b) -> number, or nil: no path; or nil, message, "stale" */
static int routes_cost(lua_State *L) {
  lwend_route_table *r = check_table(L, 1);
  const wend_id from = lwend_check_node(L, 2, r->map, "from"), to = lwend_check_node(L, 3, r->map, "to");
  double cost;
  if (is_stale(L, 1, r)) return push_stale(L);
  return wend_route_table_cost(r->table, from, to, &cost) ? lwend_number(L, cost) : lwend_nil(L);
}

/* routes:next(a, b) -> node, edge, or nil: no path, or a is b; or nil, message, "stale" */
static int routes_next(lua_State *L) {
  lwend_route_table *r = check_table(L, 1);
  const wend_id from = lwend_check_node(L, 2, r->map, "from"), to = lwend_check_node(L, 3, r->map, "to");
  wend_id next, edge;
  if (is_stale(L, 1, r)) return push_stale(L);
  if (!wend_route_table_next(r->table, from, to, &next, &edge)) return lwend_nil(L);
  lwend_pushwhole(L, next);
  lwend_pushwhole(L, edge);
  return 2;
}

/* routes:valid() -> boolean */
static int routes_valid(lua_State *L) { return lwend_flag(L, !is_stale(L, 1, check_table(L, 1))); }

/* routes:bytes() -> number of bytes that the table uses */
static int routes_bytes(lua_State *L) { return lwend_whole(L, wend_route_table_bytes(check_table(L, 1)->table)); }

/* ---- Bytes -------------------------------------------------------------------------------------------------- */

static wend_status encode_routes(void *object, void *bytes, size_t *size) {
  const lwend_route_table *r = object;
  return wend_route_table_encode(r->table, r->map->graph, bytes, size);
}

/* routes:encode() -> string; or nil, message, "stale" */
static int routes_encode(lua_State *L) {
  lwend_route_table *r = check_table(L, 1);
  if (is_stale(L, 1, r)) return push_stale(L);
  if (lwend_push_encoded(L, r->map, &r->readers, encode_routes, r) == WEND_OK) return 1;
  return push_stale(L);
}

/* tostring(routes) -> "wend.Routes (1200 bytes)" */
static int routes_tostring(lua_State *L) {
  lwend_pushwhole(L, wend_route_table_bytes(check_table(L, 1)->table));
  lua_pushfstring(L, "wend.Routes (%s bytes)", lua_tostring(L, -1));
  return 1;
}

wend_status lwend_push_decoded_route_table(lua_State *L, lwend_request *request, const void *bytes, size_t size) {
  lwend_map *g = request->g;
  lwend_route_table *r;
  wend_status status;
  if (g->graph == NULL) return WEND_STALE;
  r = push_table(L, request->state);
  lwend_check_costs(L, request);
  lwend_keep_slots(L, request, lua_gettop(L));
  lwend_note_tags(L, request->frame + LWEND_MAP, g);
  (void)lwend_check_alive(L, g); /* a finalizer may have freed the graph */
  status = lwend_check_memory(L, wend_route_table_decode(r->table, g->graph, bytes, size));
  r->map = status == WEND_OK ? g : NULL;
  r->age = request->age;
  return status;
}

void lwend_open_route_table(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"bytes", routes_bytes}, {"cost", routes_cost}, {"encode", routes_encode}, {"next", routes_next}, {"path", routes_path},
      {"valid", routes_valid}, {NULL, NULL},
  };
  lwend_type(L, "wend.Routes", "routes", state, methods, routes_gc, routes_tostring, &state->types.route_table);
}
