/* SPDX-License-Identifier: MIT */
/* wend.Field. Its anchor is the list of the values of the query that made it: map, goals, costs, agent, ... */
#include <string.h>

#include "core/base/memory.h"
#include "lwend.h"

typedef struct lwend_field {
  wend_field *field;
  lwend_map *map; /* NULL: it was never made */
  wend_field_opts opts;
  wend_id to; /* its goal; WEND_NO_ID: there are several */
  double at_least;
  uint32_t made; /* how often it was made: callbacks may make it anew, from other maps too */
  bool busy;   /* it is being made, or relaxed: nobody else may use it */
  int readers; /* calls that read it while scripts may run: nobody may change it */
} lwend_field;

static lwend_field *to_field(lua_State *L, int index) { return lwend_toobject(L, index, lwend_state_of(L)->field_mt); }

/* A field that can be used now. */
static lwend_field *check_usable(lua_State *L, lwend_field *f, int index, const char *what, const char *wanted) {
  if (f == NULL) lwend_type_error(L, index, what, wanted);
  else if (f->busy) luaL_error(L, "the field is being worked out: its own callbacks cannot use it");
  else if (f->field == NULL || f->map == NULL || f->map->map == NULL) luaL_error(L, "the field is gone, or was never made");
  return f;
}

static lwend_field *check_field(lua_State *L, int index) {
  return check_usable(L, to_field(L, index), index, "self", "a field (call it with a colon: field:method())");
}

/* A field that can be changed now. */
static lwend_field *check_changeable(lua_State *L, lwend_field *f) {
  if (f->readers > 0) luaL_error(L, "the field is in use: change it when the call that reads it is over");
  return f;
}

bool lwend_is_field(lua_State *L, int index) { return to_field(L, index) != NULL; }

int *lwend_field_readers(lwend_field *f) { return &f->readers; }

lwend_map *lwend_check_field_readers(lua_State *L, int index, int **readers) {
  lwend_field *f = check_field(L, index);
  *readers = &f->readers;
  return f->map;
}

bool lwend_reaches(const lwend_field *f, wend_id node) {
  double cost;
  return f == NULL || wend_field_cost(f->field, node, &cost);
}

lwend_field *lwend_check_reach(lua_State *L, int index, const lwend_map *g, bool outward, const char *what) {
  const char *wanted = outward ? "a field of this graph made with `outward`" : "a field of this graph made without `outward`";
  lwend_field *f = check_usable(L, to_field(L, index), index, what, wanted);
  if (f->map != g || f->opts.outward != outward) luaL_error(L, "%s must be %s, got another one", what, wanted);
  return f;
}

/* A field in which every value leads on. */
static lwend_field *check_leading(lua_State *L, int index) {
  lwend_field *f = check_field(L, index);
  if (wend_field_is_altered(f->field)) luaL_error(L, "after arithmetic values lead nowhere: call relax first");
  return f;
}

static int field_gc(lua_State *L) {
  lwend_field *f = to_field(L, 1);
  if (f == NULL) return lwend_type_error(L, 1, "self", "a field");
  if (f->busy) return luaL_error(L, "the field is being worked out: its own callbacks cannot use it");
  (void)check_changeable(L, f);
  wend_field_destroy(f->field);
  f->field = NULL;
  return 0;
}

/* The node or cell at index. */
static wend_id check_place(lua_State *L, int index, const lwend_field *f) {
  if (f->map->graph != NULL) return lwend_check_node(L, index, f->map, "node");
  return lwend_check_cell(L, index, f->map, "x", "y");
}

/* The same where what is outside has no value: WEND_NO_ID. */
static wend_id to_place(lua_State *L, int index, const lwend_field *f) {
  uint64_t x, y;
  if (f->map->graph != NULL) return lwend_check_node(L, index, f->map, "node");
  if (lwend_towhole(L, index, &x) && lwend_towhole(L, index + 1, &y)) {
    if (x - 1 >= wend_grid_width(f->map->grid) || y - 1 >= wend_grid_height(f->map->grid)) return WEND_NO_ID;
    return wend_grid_cell(f->map->grid, (uint32_t)x - 1, (uint32_t)y - 1);
  }
  if (lua_type(L, index) == LUA_TNUMBER && lua_type(L, index + 1) == LUA_TNUMBER) {
    double a = lua_tonumber(L, index), b = lua_tonumber(L, index + 1);
    if (floor(a) == a && floor(b) == b) return WEND_NO_ID; /* below zero, or beyond any grid */
  }
  return lwend_check_cell(L, index, f->map, "x", "y");
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* What a query is about: a field, and which one it was when the query began. */
typedef struct field_request {
  lwend_field *field;
  uint32_t made;
} field_request;

static lwend_field *subject(const lwend_query *query) { return ((const field_request *)query->subject)->field; }

static void check_same(lua_State *L, const lwend_query *query) {
  const field_request *asked = query->subject;
  const lwend_field *f = asked->field;
  if (f->busy || f->made != asked->made || f->field == NULL) luaL_error(L, "the field was made anew meanwhile");
}

/* While it runs nobody else can use the field. */
static void begin_writing(lua_State *L, lwend_query *query) {
  check_same(L, query);
  check_changeable(L, subject(query))->busy = true;
  query->reading = true;
}

static void end_writing(lwend_query *query) {
  if (query->reading) subject(query)->busy = false;
  query->reading = false;
}

/* While it runs nobody can change the field. */
static void begin_reading(lua_State *L, lwend_query *query) {
  check_same(L, query);
  subject(query)->readers++;
  query->reading = true;
}

static void end_reading(lwend_query *query) {
  if (query->reading) subject(query)->readers--;
  query->reading = false;
}

static void undo_make(lwend_query *query) {
  wend_search_reset(query->searcher->search);
  if (query->reading) wend_field_reset(subject(query)->field);
  end_writing(query);
}

enum { OPT_COSTS, OPT_AGENT, OPT_COST, OPT_AT_LEAST, OPT_MAX_COST, OPT_WINDOW, OPT_STATS, OPT_MAX_EXPANDED, OPT_OUTWARD,
       OPT_VALUES, OPT_INTO };
static const char *const field_options[] = {"costs", "agent",        "cost",    "at_least", "max_cost", "window",
                                            "stats", "max_expanded", "outward", "values",   "into",     NULL};

/* The goals are at LWEND_TO or query->to; the start values, or nil, at LWEND_HEURISTIC. */
static int protected_make(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  lwend_field *f = subject(query);
  wend_search *search = query->searcher->search;
  wend_stats stats;
  double *values = NULL;
  uint32_t count;
  begin_writing(L, query);
  if (!lwend_query_ready(L, query)) {
    end_writing(query);
    return lwend_push_stale(L, query);
  }
  count = lwend_read_goals(L, query);
  if (!lua_isnil(L, LWEND_HEURISTIC)) {
    values = lua_newuserdata(L, count * sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
      lua_rawgeti(L, LWEND_HEURISTIC, (int)i + 1);
      lua_pushfstring(L, "values[%d]", (int)i + 1); /* a finalizer may have changed the list since it was checked */
      values[i] = lwend_check_finite(L, -2, lua_tostring(L, -1));
      lua_pop(L, 2);
    }
  }
  lwend_costs_push(L, query);
  f->opts.costs = query->opts.costs;
  query->status = wend_field_make(f->field, search, query->g->map, query->searcher->goals, values, count, &f->opts);
  if (query->status == WEND_NO_MEMORY) lwend_no_memory(L);
  stats = wend_search_stats(search);
  lwend_set_stats(L, &stats);
  end_writing(query);
  return 0;
}

/* Checks the start values at index: a finite number for each goal. */
static void check_values(lua_State *L, int index, uint32_t count) {
  if (lua_isnil(L, index)) return;
  if (lwend_check_list(L, index, "values", 1, "numbers") != count)
    luaL_error(L, "values must hold a number for each of the %d goals, got %d", (int)count, (int)lua_rawlen(L, index));
  for (uint32_t i = 1; i <= count; i++) {
    lua_rawgeti(L, index, (int)i);
    lua_pushfstring(L, "values[%d]", (int)i);
    lwend_check_finite(L, -2, lua_tostring(L, -1));
    lua_pop(L, 2);
  }
}

static wend_field_opts check_options(lua_State *L, lwend_query *query, int o) {
  wend_field_opts opts = wend_field_opts_default();
  lwend_check_budget(L, query, o + OPT_MAX_EXPANDED, o + OPT_MAX_COST);
  opts.max_expanded = query->opts.max_expanded;
  opts.max_cost = query->opts.max_cost;
  opts.outward = lwend_check_boolean(L, o + OPT_OUTWARD, "outward");
  if (!lua_isnil(L, o + OPT_WINDOW)) {
    uint64_t window = 0;
    if (query->g->graph != NULL) luaL_error(L, "window is an option of grids: a graph has no columns and rows");
    if (!lwend_towhole(L, o + OPT_WINDOW, &window) || window < 1) lwend_type_error(L, o + OPT_WINDOW, "window", "a whole number >= 1");
    opts.window = window < WEND_CELLS_MAX ? (uint32_t)window : WEND_CELLS_MAX;
  }
  return opts;
}

/* The field to make: the one given as `into`, or a new one. Pushes it. */
static lwend_field *push_field(lua_State *L, const lwend_state *state, int into) {
  lwend_field *f;
  if (lua_isnil(L, into)) return lwend_new(L, sizeof *f, state->field_ref);
  f = to_field(L, into);
  if (f == NULL) lwend_type_error(L, into, "into", "a field");
  lua_pushvalue(L, into);
  return f;
}

/* Reads goals at `to`, and options at `options`. */
static int make_field(lua_State *L, lwend_query *query, int to, int options) {
  lwend_state *state = query->state;
  int o, object, values, results;
  wend_field_opts opts;
  field_request asked;
  lwend_field *f;
  /* Read. */
  o = lwend_options(L, options, field_options);
  opts = check_options(L, query, o);
  lwend_check_table(L, o + OPT_STATS, "stats");
  check_values(L, o + OPT_VALUES, to == 0 ? 1 : lwend_check_goals(L, query, to, "goals"));
  f = push_field(L, state, o + OPT_INTO);
  object = lua_gettop(L);
  values = lwend_query_values(L, query, 1, to, o + OPT_COSTS, o + OPT_AGENT, o + OPT_COST, o + OPT_AT_LEAST,
                              o + OPT_VALUES, 0, o + OPT_STATS);
  if (f->made > 0) { /* the list of what relax will need: a field that is made again has one */
    lwend_pushanchor(L, object);
  } else {
    lua_createtable(L, LWEND_VALUES, 0);
    lua_pushvalue(L, -1);
    lwend_setanchor(L, object);
  }
  /* Check. */
  if (f->busy) luaL_error(L, "into: the field is being worked out: its own callbacks cannot use it");
  (void)check_changeable(L, f);
  lwend_check_depth(L, state);
  if (f->field == NULL && f->map != NULL) luaL_error(L, "into: the field is gone");
  if (f->field == NULL) f->field = wend_field_create(&state->alloc);
  if (f->field == NULL) lwend_no_memory(L);
  /* Act. */
  lwend_set_values(L, values);
  wend_field_reset(f->field); /* what it was is of another map, perhaps */
  f->map = query->g;
  f->to = query->to;
  f->at_least = query->at_least;
  f->opts = opts;
  asked.field = f;
  asked.made = ++f->made;
  query->subject = &asked;
  results = lwend_call(L, query, state->field_make_ref, values, undo_make);
  lwend_gc_step(L, state);
  if (query->status == WEND_STALE) return results;
  if (query->status == WEND_OK) {
    lua_settop(L, object);
    return 1;
  }
  lua_pushnil(L);
  lua_pushliteral(L, "the field is not done within the budget");
  lua_pushstring(L, wend_status_code(query->status));
  return 3;
}

/* graph:field(node or list[, opts]) -> field; or nil, message, "budget" */
static int graph_field(lua_State *L) {
  lwend_query query;
  lua_settop(L, 3);
  lwend_query_start(L, &query, lwend_state_of(L), lwend_check_graph(L, 1));
  if (lua_istable(L, 2)) return make_field(L, &query, 2, 3);
  query.to = lwend_check_node(L, 2, query.g, "goals");
  return make_field(L, &query, 0, 3);
}

/* grid:field(x, y[, opts]), grid:field(goals[, opts]) -> field; or nil, message, "budget" */
static int grid_field(lua_State *L) {
  lwend_query query;
  lua_settop(L, 4);
  lwend_query_start(L, &query, lwend_state_of(L), lwend_check_grid(L, 1));
  if (lua_istable(L, 2)) return make_field(L, &query, 2, 3);
  query.to = lwend_check_cell(L, 2, query.g, "x", "y");
  return make_field(L, &query, 0, 4);
}

/* ---- Looking up -------------------------------------------------------------------------------------------- */

/* field:cost(node or x, y) -> number or nil */
static int field_cost(lua_State *L) {
  const lwend_field *f = check_field(L, 1);
  wend_id at = to_place(L, 2, f);
  double cost;
  if (at == WEND_NO_ID || !wend_field_cost(f->field, at, &cost)) return lua_pushnil(L), 1;
  lua_pushnumber(L, cost);
  return 1;
}

static int push_answer(lua_State *L, const lwend_map *g, wend_id place) {
  if (place != WEND_NO_ID) return lwend_push_place(L, g, place);
  lua_pushnil(L);
  return 1;
}

/* Starts a query with what the field at 1 was made with; returns where its values lie. */
static int start_again(lua_State *L, lwend_query *query, lwend_field *f, field_request *asked) {
  int anchor, first, values;
  lwend_query_start(L, query, lwend_state_of(L), f->map);
  lwend_pushanchor(L, 1);
  anchor = lua_gettop(L), first = anchor + 1;
  for (int i = 1; i < LWEND_VALUES; i++) lua_rawgeti(L, anchor, i); /* without the compiled profile: it may have changed */
  values = lwend_query_values(L, query, first + LWEND_MAP - LWEND_MAP, 0, first + LWEND_COSTS - LWEND_MAP,
                              first + LWEND_AGENT - LWEND_MAP, first + LWEND_COST - LWEND_MAP, 0, 0, 0, 0);
  query->at_least = f->at_least;
  asked->field = f;
  asked->made = f->made;
  query->subject = asked;
  return values;
}

static int protected_lowest(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  wend_status status;
  begin_reading(L, query);
  if (!lwend_query_ready(L, query)) {
    end_reading(query);
    return lwend_push_stale(L, query);
  }
  lwend_costs_push(L, query);
  query->to = WEND_NO_ID;
  status = wend_field_lowest(subject(query)->field, query->g->map, &query->opts.costs, query->from, &query->to);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  end_reading(query);
  return push_answer(L, query->g, query->to);
}

/* field:next(node or x, y) -> node or x, y; nil: nothing leads on */
static int field_next(lua_State *L) {
  lwend_field *f = check_field(L, 1);
  wend_id at = to_place(L, 2, f);
  field_request asked;
  lwend_query query;
  int values;
  if (at == WEND_NO_ID) return lua_pushnil(L), 1;
  if (!wend_field_is_altered(f->field)) return push_answer(L, f->map, wend_field_next(f->field, at));
  values = start_again(L, &query, f, &asked);
  query.from = at;
  return lwend_call(L, &query, query.state->field_lowest_ref, values, end_reading);
}

/* field:goal(node or x, y) -> node or x, y; nil: not reached */
static int field_goal(lua_State *L) {
  const lwend_field *f = check_leading(L, 1);
  wend_id at = to_place(L, 2, f);
  return push_answer(L, f->map, at == WEND_NO_ID ? at : wend_field_goal(f->field, at));
}

static int protected_path(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  const lwend_field *f = subject(query);
  begin_reading(L, query);
  if (wend_field_is_altered(f->field)) luaL_error(L, "after arithmetic values lead nowhere: call relax first");
  query->version = wend_field_version(f->field);
  query->status = wend_field_path(f->field, query->searcher->search, query->g->map, query->from);
  if (query->status == WEND_NO_MEMORY) lwend_no_memory(L);
  end_reading(query); /* the path is in the searcher */
  if (query->status == WEND_OK) {
    lwend_push_path(L, query);
    return 1;
  }
  query->to = f->to;
  if (f->opts.outward) query->to = query->from, query->from = f->to;
  return lwend_push_failure(L, query);
}

/* field:path(node or x, y) -> path; or nil, message, "no_path" */
static int field_path(lua_State *L) {
  lwend_field *f = check_leading(L, 1);
  wend_id at = check_place(L, 2, f);
  field_request asked;
  lwend_query query;
  int values = start_again(L, &query, f, &asked);
  query.from = at;
  return lwend_call(L, &query, query.state->field_path_ref, values, end_reading);
}

/* field:stale() -> boolean */
static int field_stale(lua_State *L) {
  const lwend_field *f = check_field(L, 1);
  lua_pushboolean(L, wend_field_version(f->field) != wend_map_version(f->map->map));
  return 1;
}

/* Upvalues: state, field, the last place. */
static int next_reached(lua_State *L) {
  const lwend_field *f = check_field(L, lua_upvalueindex(2));
  wend_id at = WEND_NO_ID;
  double cost = 0;
  int pushed;
  (void)lwend_towhole(L, lua_upvalueindex(3), &at);
  at = wend_field_each(f->field, at);
  if (at == WEND_NO_ID || !wend_field_cost(f->field, at, &cost)) return lua_pushnil(L), 1;
  lwend_pushwhole(L, at);
  lua_replace(L, lua_upvalueindex(3));
  pushed = lwend_push_place(L, f->map, at);
  lua_pushnumber(L, cost);
  return pushed + 1;
}

/* field:each() -> iterator: node, cost, or x, y, cost */
static int field_each(lua_State *L) {
  check_field(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lwend_pushwhole(L, WEND_NO_ID);
  lua_pushcclosure(L, next_reached, 3);
  return 1;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------- */

static double check_factor(lua_State *L, int index) {
  return lua_isnoneornil(L, index) ? 1 : lwend_check_finite(L, index, "k");
}

/* field:add(other[, k]) -> field */
static int field_add(lua_State *L) {
  lwend_field *f = check_changeable(L, check_field(L, 1));
  const lwend_field *other = check_usable(L, to_field(L, 2), 2, "other", "a field");
  double k = check_factor(L, 3);
  if (other->map != f->map) luaL_error(L, "other must be a field of the same %s", f->map->noun);
  wend_field_add(f->field, other->field, k);
  lua_settop(L, 1);
  return 1;
}

/* field:scale(k) -> field */
static int field_scale(lua_State *L) {
  lwend_field *f = check_changeable(L, check_field(L, 1));
  wend_field_scale(f->field, lwend_check_finite(L, 2, "k"));
  lua_settop(L, 1);
  return 1;
}

static void undo_relax(lwend_query *query) {
  wend_search_reset(query->searcher->search);
  end_writing(query);
}

static int protected_relax(lua_State *L) {
  lwend_query *query = lwend_to_query(L);
  lwend_field *f = subject(query);
  begin_writing(L, query);
  query->version = wend_field_version(f->field); /* edits since are as bad as edits by on_error */
  if (!lwend_query_ready(L, query)) {
    end_writing(query);
    return lwend_push_stale(L, query);
  }
  lwend_costs_push(L, query);
  if (wend_field_relax(f->field, query->searcher->search, query->g->map, &query->opts.costs) != WEND_OK) lwend_no_memory(L);
  query->status = WEND_OK;
  end_writing(query);
  return 0;
}

/* field:relax() -> field; or nil, message, "stale" */
static int field_relax(lua_State *L) {
  lwend_field *f = check_changeable(L, check_field(L, 1));
  field_request asked;
  lwend_query query;
  int values, results;
  lua_settop(L, 1);
  if (wend_field_version(f->field) != wend_map_version(f->map->map)) {
    lua_pushnil(L);
    lua_pushfstring(L, "the %s has changed since the field was made", f->map->noun);
    lua_pushstring(L, wend_status_code(WEND_STALE));
    return 3;
  }
  values = start_again(L, &query, f, &asked);
  results = lwend_call(L, &query, query.state->field_relax_ref, values, undo_relax);
  lwend_gc_step(L, query.state);
  if (query.status == WEND_STALE) return results;
  lua_settop(L, 1);
  return 1;
}

/* field:bytes() -> bytes held */
static int field_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_field_bytes(check_field(L, 1)->field));
  return 1;
}

static int field_tostring(lua_State *L) {
  const lwend_field *f = check_field(L, 1);
  lua_pushfstring(L, "wend.Field (%d reached)", (int)wend_field_count(f->field));
  return 1;
}

/* ---- Bytes ------------------------------------------------------------------------------------------------- */

wend_status lwend_push_encoded_field(lua_State *L) {
  lwend_field *f = check_field(L, 1);
  size_t size;
  void *bytes;
  wend_status status = wend_field_encode(f->field, f->map->map, NULL, &size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status != WEND_OK) return status;
  bytes = lua_newuserdata(L, size);
  status = wend_field_encode(f->field, f->map->map, bytes, &size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status == WEND_OK) lua_pushlstring(L, bytes, size);
  return status;
}

wend_status lwend_push_decoded_field(lua_State *L, const void *bytes, size_t size, int o) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_tomap(L, o);
  lwend_query query;
  lwend_field *f;
  int object, values;
  wend_status status;
  lwend_query_start(L, &query, state, g);
  f = lwend_new(L, sizeof *f, state->field_ref);
  object = lua_gettop(L);
  f->field = wend_field_create(&state->alloc);
  if (f->field == NULL) lwend_no_memory(L);
  values = lwend_query_values(L, &query, o, 0, o + 1, o + 2, o + 3, o + 4, 0, 0, 0);
  lwend_push_values(L, values);
  lwend_setanchor(L, object);
  lua_settop(L, object);
  (void)lwend_check_alive(L, g); /* reading may have run finalizers */
  status = wend_field_decode(f->field, g->map, bytes, size);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status != WEND_OK) return status;
  f->map = g;
  f->to = WEND_NO_ID;
  f->at_least = query.at_least;
  f->opts = wend_field_opts_default();
  f->opts.outward = wend_field_is_outward(f->field);
  f->opts.window = wend_field_window(f->field);
  return WEND_OK;
}

static const luaL_Reg methods[] = {
    {"add", field_add},     {"bytes", field_bytes}, {"cost", field_cost},   {"each", field_each},
    {"goal", field_goal},   {"next", field_next},   {"path", field_path},   {"relax", field_relax},
    {"scale", field_scale}, {"stale", field_stale}, {NULL, NULL},
};

/* Adds `field` to graphs and grids. */
void lwend_open_field(lua_State *L, lwend_state *state) {
  static const luaL_Reg meta[] = {{"__tostring", field_tostring}, {NULL, NULL}};
  static const luaL_Reg of_graph[] = {{"field", graph_field}, {NULL, NULL}};
  static const luaL_Reg of_grid[] = {{"field", grid_field}, {NULL, NULL}};
  lua_newtable(L);
  lwend_register(L, state, methods);
  state->field_ref = lwend_metatable(L, "wend.Field", state, field_gc, &state->field_mt);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->field_ref);
  lwend_register(L, state, meta);
  lua_pop(L, 1);
  lwend_add_methods(L, state, state->graph_ref, of_graph);
  lwend_add_methods(L, state, state->grid_ref, of_grid);
  state->field_make_ref = lwend_protected(L, state, protected_make);
  state->field_relax_ref = lwend_protected(L, state, protected_relax);
  state->field_lowest_ref = lwend_protected(L, state, protected_lowest);
  state->field_path_ref = lwend_protected(L, state, protected_path);
}
