/* SPDX-License-Identifier: MIT */
/* map:path and map:search, and wend.Search: a search that runs in slices.
 *
 * A search in slices keeps its request between the slices. The Lua values of the request's frame lie in the anchor of the
 * userdata; each slice pushes them as a new frame.
 *
 * Between slices the map may change. The search reads the map as it was when it began: the core keeps that version (freeze in
 * wend_search_opts). It also keeps the profile as it was compiled then. What functions of the script read is as it is now. An
 * error in a slice ends the search; the next slice begins it again, on the map as it is then.
 *
 *   slice      1         2         3         4
 *   edits           x         x         x         of the map
 *   begins on version 7   reads 7   reads 7   found: a path of version 7. path:valid() says whether it still holds
 *
 * core.start also answers map:can_reach, and makes routes and fields in slices (route.c, field.c). */
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/query/slices.h"

/* A search in slices. Its anchor is the list of the slots of its request. The request comes first, so that a protected function
 * that gets the request has the rest too. */
typedef struct lwend_sliced {
  lwend_request request;
  const lwend_sliced_kind *kind;
  lwend_slices work;
  lwend_searcher searcher;
  lwend_state *state; /* NULL: it was freed, or is not made yet */
  wend_map *version;  /* of the map: what it reads, or is to begin on. NULL: it is over, or is to begin on the map as it is */
  bool goals_read;    /* the list of the searcher has the goals */
} lwend_sliced;

/* ---- What runs protected ------------------------------------------------------------------------------------ */

/* Whether the start and all goals of a search exist, or the field that it updates. */
static bool has_ends(const lwend_sliced *sliced) {
  const lwend_request *request = &sliced->request;
  const wend_graph *graph = request->g->graph;
  if (sliced->kind == &lwend_update_kind) return lwend_is_same_field(request);
  if (graph == NULL) return true;
  if (request->from != WEND_NO_ID && !wend_graph_has_node(graph, request->from)) return false; /* only a path has a start */
  for (uint32_t i = 0; sliced->goals_read && i < lwend_goal_count(request); i++)
    if (!wend_graph_has_node(graph, sliced->searcher.goals[i])) return false;
  return sliced->goals_read || request->to == WEND_NO_ID || wend_graph_has_node(graph, request->to);
}

/* The search reads no version of the map any more. */
static void leave_version(lwend_sliced *sliced) {
  wend_map_thaw(sliced->version);
  sliced->version = NULL;
}

/* Lets the next slice begin anew: for lwend_call, after an error. */
static void forget_slices(lwend_request *request) {
  leave_version((lwend_sliced *)request);
  lwend_forget_search(request);
  request->status = WEND_RUNNING;
  request->partial_path = request->lost = request->valued = false;
}

/* Begins a search in slices, on the map as it is now unless it has a version. The goals are read once: the script may change its
 * list later. Leaves request->status WEND_STALE if an end was removed before. */
static void begin_slices(lua_State *L, lwend_sliced *sliced) {
  lwend_request *request = &sliced->request;
  request->version = wend_map_version(lwend_check_alive(L, request->g)->map); /* on_error may have edited or freed it */
  if (!lwend_request_ready(L, request) || !has_ends(sliced)) return;
  if (sliced->version == NULL) sliced->version = wend_map_freeze(request->g->map);
  if (sliced->version == NULL) lwend_no_memory(L);
  sliced->work.map = sliced->version;
  request->version = wend_map_version(sliced->version);
  if (!sliced->goals_read && sliced->kind->has_goals) lwend_read_goals(L, request), sliced->goals_read = true;
  sliced->kind->begin(L, request);
  request->status = WEND_RUNNING;
  request->begun = true;
}

/* Notes the value of the closed goal of a path, as long as the search has its version of the map. */
static void note_goal(lwend_sliced *sliced) {
  lwend_request *request = &sliced->request;
  const wend_id *nodes, *edges;
  double cost;
  uint32_t count;
  if (!request->search.ends.closed || request->status != WEND_OK || !sliced->kind->is_path) return;
  count = wend_search_path(request->searcher->search, &nodes, &edges, &cost);
  request->valued = count > 0;
  if (count > 0) request->goal_value = wend_goal_value(sliced->version, nodes[count - 1], request->version);
}

/* Runs a slice of a search in slices. */
static void run_slice(lua_State *L, lwend_sliced *sliced) {
  lwend_request *request = &sliced->request;
  if (request->status != WEND_RUNNING) return;
  request->used = sliced->kind->run(L, request);
  if (request->status != WEND_RUNNING || sliced->kind->is_path) lwend_set_stats(L, request, NULL);
  if (!request->begun) leave_version(sliced); /* it begins again */
  if (request->status == WEND_RUNNING) return;
  lwend_check_nodes(request);
  note_goal(sliced);
  leave_version(sliced);
}

static int protected_begin(lua_State *L) {
  begin_slices(L, (lwend_sliced *)lwend_to_request(L));
  return 0;
}

/* Reads the lists of a search that begins later: the script may change them meanwhile. */
static int protected_lists(lua_State *L) {
  lwend_sliced *sliced = (lwend_sliced *)lwend_to_request(L);
  lwend_request *request = &sliced->request;
  if (request->to == WEND_NO_ID) lwend_read_goals(L, request), sliced->goals_read = true;
  if (sliced->kind == &lwend_field_kind) lwend_copy_values(L, request, lwend_goal_count(request));
  return 0;
}

static int protected_step(lua_State *L) {
  lwend_sliced *sliced = (lwend_sliced *)lwend_to_request(L);
  if (!sliced->request.begun) begin_slices(L, sliced);
  else sliced->request.L = L, lwend_costs_push(L, &sliced->request);
  run_slice(L, sliced);
  return 0;
}

static int protected_answer(lua_State *L) {
  lwend_sliced *sliced = (lwend_sliced *)lwend_to_request(L);
  return sliced->kind->answer(L, &sliced->request);
}

/* ---- Paths -------------------------------------------------------------------------------------------------- */

static void read_path(lua_State *L, lwend_request *request, unsigned more) {
  lwend_read_ends(L, request, LWEND_FOR_PATH | LWEND_FOR_TRIP | more);
  lwend_check_costs(L, request);
}

/* The question is only whether there is a path. */
static void read_reach(lua_State *L, lwend_request *request, unsigned more) {
  request->search.reach_only = true;
  lwend_read_ends(L, request, LWEND_FOR_REACH | more);
  lwend_check_costs(L, request);
}

/* The nodes where a path may begin, and what it costs more to get to one of them than to the other: the ends of the edge on which a
 * follower is. In turns it begins at the node ahead. Returns their number. */
static uint32_t find_starts(lua_State *L, lwend_request *request, wend_graph *graph, wend_end *starts) {
  const wend_end ahead = {request->from, 0}, behind = {request->behind, 0};
  double on = INFINITY, back = INFINITY;
  wend_edge edge;
  starts[0] = ahead, starts[1] = behind;
  request->late[0] = request->late[1] = 0;
  if (request->along == WEND_NO_ID || request->search.turns.per_turn > 0 || !wend_graph_has_edge(graph, request->along) ||
      wend_graph_is_closed(graph, request->behind))
    return 1;
  if (wend_graph_edge(graph, request->along, &edge) != WEND_OK ||
      wend_graph_edge_cost(graph, &request->search.costs, request->along, edge.to != request->from, &on) != WEND_OK ||
      wend_graph_edge_cost(graph, &request->search.costs, request->along, edge.to == request->from, &back) != WEND_OK)
    lwend_no_memory(L);
  if (!(back < INFINITY)) return 1;
  if (!(on < INFINITY)) return starts[0] = behind, 1;
  on *= request->left, back *= 1 - request->left;
  starts[0].cost = request->late[0] = on > back ? on - back : 0;
  starts[1].cost = request->late[1] = back > on ? back - on : 0;
  return 2;
}

/* Begins a search whose start is a follower on an edge. */
static wend_status begin_on_edge(lua_State *L, lwend_request *request, const wend_search_opts *opts) {
  wend_map *map = ((const lwend_slices *)request->subject)->map;
  const uint32_t count = lwend_goal_count(request);
  wend_end starts[2], *goals = lua_newuserdata(L, ((size_t)count + 1) * sizeof *goals);
  for (uint32_t i = 0; i < count; i++) goals[i].at = request->searcher->goals[i], goals[i].cost = 0;
  return wend_search_begin_between(request->searcher->search, map, starts, find_starts(L, request, wend_map_graph(map), starts),
                                   goals, count, opts);
}

static void begin_path(lua_State *L, lwend_request *request) {
  const lwend_slices *work = request->subject;
  const wend_search_opts *opts = &request->search;
  if ((request->along != WEND_NO_ID ? begin_on_edge(L, request, opts)
                                    : wend_search_begin(request->searcher->search, work->map, request->from,
                                                        request->searcher->goals, lwend_goal_count(request), opts)) != WEND_OK)
    lwend_no_memory(L);
}

/* What the search has done so far, with the tables of the map. */
static uint64_t work_done(const lwend_request *request) {
  const wend_stats stats = wend_search_stats(request->searcher->search);
  return stats.expanded + stats.tables;
}

static uint64_t run_path(lua_State *L, lwend_request *request) {
  wend_search *search = request->searcher->search;
  const uint64_t before = work_done(request);
  request->status = lwend_check_memory(L, wend_search_step(search, request->slice));
  if (request->search.partial && (request->status == WEND_NO_PATH || request->status == WEND_BUDGET)) {
    request->partial_path = lwend_check_memory(L, wend_search_partial(search)) == WEND_OK;
  }
  return work_done(request) - before;
}

static int answer_path(lua_State *L, lwend_request *request) {
  if (request->status == WEND_OK || request->partial_path) {
    lwend_push_path(L, request);
    return 1;
  }
  lwend_empty_result(L, LWEND_INTO);
  return lwend_push_failure(L, request);
}

static int answer_reach(lua_State *L, lwend_request *request) {
  return request->status == WEND_STALE ? lwend_push_failure(L, request) : lwend_flag(L, request->status == WEND_OK);
}

static const lwend_sliced_kind path_kind = {true, true, lwend_spread_ends, read_path, begin_path, run_path, answer_path};
static const lwend_sliced_kind reach_kind = {true, true, lwend_spread_ends, read_reach, begin_path, run_path, answer_reach};

static int protected_path(lua_State *L) {
  lwend_slices work;
  return lwend_search_at_once(L, lwend_to_request(L), &path_kind, &work);
}

/* The search has ended before the request was made. */
static int protected_known(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  if (lwend_request_ready(L, request)) request->status = wend_search_step(request->searcher->search, UINT64_MAX);
  return answer_path(L, request);
}

/* A path that is found again into its table. Its arguments run no script, and it makes no object. */
typedef struct repeated {
  lwend_request request; /* without a frame */
  lwend_trail *trail;
  int into, costs; /* stack indices; costs 0: not given */
} repeated;

/* Reads the arguments, if these are of that kind: the ends are numbers, `into` is a path, and the only other option is a profile that
 * calls no function. Otherwise leaves the arguments, and returns false. Allocates nothing, so nothing changes meanwhile. */
static bool read_again(lua_State *L, lwend_map *g, repeated *again) {
  lwend_state *state = lwend_state_of(L);
  lwend_request *request = &again->request;
  const bool cells = g->grid != NULL;
  const int second = cells ? 4 : 3, options = cells ? 6 : 4;
  if (lua_type(L, 2) != LUA_TNUMBER || lua_type(L, second) != LUA_TNUMBER || !lua_istable(L, options)) return false;
  lua_settop(L, options);
  again->into = again->costs = 0;
  for (lua_pushnil(L); lua_next(L, options); lua_insert(L, -2)) { /* the value stays below the key */
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (key == state->options.into) again->into = lua_gettop(L) - 1;
    else if (key == state->options.costs) again->costs = lua_gettop(L) - 1;
    else return lua_settop(L, options), false;
  }
  again->trail = again->into > 0 ? lwend_find_refill(L, state, g, again->into) : NULL;
  if (again->trail != NULL) {
    memset(request, 0, sizeof *request);
    request->state = state, request->g = g;
    request->search = wend_search_opts_default();
    request->searcher = &state->searchers[state->depth];
    if (again->costs > 0 && !lwend_costs_settled(L, request, again->costs, 1)) again->trail = NULL;
  }
  if (again->trail == NULL) return lua_settop(L, options), false;
  request->from = cells ? lwend_check_cell(L, 2, g, "x1", "y1") : lwend_check_node(L, 2, g, "from");
  request->to = cells ? lwend_check_cell(L, 4, g, "x2", "y2") : lwend_check_node(L, 3, g, "to");
  request->version = wend_map_version(g->map);
  if (request->searcher->search == NULL) lwend_searcher_ready(L, state, request->searcher);
  return true;
}

/* graph:path(from, to[, opts]), grid:path(x1, y1, x2, y2[, opts]), grid:path(x1, y1, goals[, opts]) -> path; or nil, message,
 * code */
int lwend_map_path(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_PATH | LWEND_FOR_TRIP, true, protected_path, NULL},
                           known = {LWEND_FOR_PATH, true, protected_known, NULL};
  lwend_map *g = lwend_check_map(L);
  repeated again;
  lwend_request *request = &again.request;
  wend_search *search;
  if (!read_again(L, g, &again)) return lwend_ask_map(L, g, &query);
  /* Nothing of this needs protection. */
  search = request->searcher->search;
  if (wend_search_begin(search, g->map, request->from, &request->to, 1, &request->search) != WEND_OK ||
      (request->status = wend_search_step(search, UINT64_MAX)) == WEND_NO_MEMORY)
    wend_search_reset(search), lwend_no_memory(L);
  if (request->status != WEND_OK || !lwend_refill_path(L, request, again.into, again.costs, again.trail))
    return lwend_ask_map(L, g, &known);
  lwend_gc_step(L, request->state);
  lua_pushvalue(L, again.into);
  return 1;
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

static void free_sliced(lwend_sliced *sliced) {
  lwend_searcher_free(&sliced->searcher, &sliced->state->alloc);
  lwend_slices_free(&sliced->work, &sliced->state->alloc);
  leave_version(sliced);
  sliced->state = NULL;
}

static int search_gc(lua_State *L) {
  lwend_sliced *sliced = lwend_check_self(L, 1, &lwend_state_of(L)->types.search);
  if (sliced->state == NULL) return 0;
  if (sliced->request.running) return luaL_error(L, "the search is running: its own callbacks cannot use it");
  free_sliced(sliced);
  return 0;
}

/* The searchers that are kept for use again hold at most so many bytes together. So the memory of two or three searches on a map of
 * 200 x 200 cells stays, and that of searches of large maps does not. Freeing it would take as long as many expansions. So what is
 * more is freed in parts: some with each step. */
#define SPARE_BYTES_MAX ((size_t)2 << 20)

static void trim_spares(lwend_state *state) {
  lwend_searcher *last;
  if (state->spare_bytes <= SPARE_BYTES_MAX || state->spare_count == 0) return;
  last = &state->spares[state->spare_count - 1];
  state->spare_bytes -= lwend_searcher_bytes(last);
  if (wend_search_trim(last->search)) {
    state->spare_bytes += lwend_searcher_bytes(last);
  } else {
    lwend_searcher_free(last, &state->alloc);
    memset(last, 0, sizeof *last);
    state->spare_count--;
  }
}

/* core.close(search) frees it. It does nothing while the search is running. Searches of core.start take over the memory of
 * closed searches. For wend.queue. */
int lwend_core_close(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_sliced *sliced = lwend_toobject(L, 1, &state->types.search);
  if (sliced == NULL) return lwend_type_error(L, 1, "search", "a search");
  if (sliced->state == NULL || sliced->request.running) return 0;
  if (sliced->searcher.search != NULL && sliced->request.g->map != NULL && state->spare_count < LWEND_SPARES) {
    wend_search_reset(sliced->searcher.search);
    state->spares[state->spare_count++] = sliced->searcher;
    state->spare_bytes += lwend_searcher_bytes(&sliced->searcher);
    memset(&sliced->searcher, 0, sizeof sliced->searcher);
  }
  trim_spares(state);
  free_sliced(sliced);
  return 0;
}

/* Gives the search the memory of one that was closed, or new memory. It keeps its list of goals. */
static void take_searcher(lua_State *L, lwend_sliced *sliced) {
  lwend_state *state = sliced->state;
  if (sliced->searcher.search != NULL) return;
  if (state->spare_count > 0) {
    lwend_searcher *spare = &state->spares[--state->spare_count];
    lwend_searcher own = sliced->searcher;
    state->spare_bytes -= lwend_searcher_bytes(spare);
    sliced->searcher = *spare;
    if (own.goals != NULL) {
      sliced->searcher.goals = own.goals, sliced->searcher.goals_capacity = own.goals_capacity;
      own.goals = spare->goals, own.goals_capacity = spare->goals_capacity;
    }
    lwend_searcher_free(&own, &state->alloc);
    memset(spare, 0, sizeof *spare);
  }
  if (sliced->searcher.search == NULL) lwend_searcher_ready(L, state, &sliced->searcher);
}

/* later: it takes its memory and begins in its first slice, so many of them can wait. */
static int new_search(lua_State *L, lwend_map *g, const lwend_sliced_kind *kind, bool later) {
  lwend_state *state = lwend_state_of(L);
  lwend_sliced *sliced;
  lwend_request *request;
  const int self = LWEND_PATH_ARGUMENTS + 1;
  const unsigned more = later ? LWEND_FOR_SEARCH | LWEND_FOR_QUEUE : LWEND_FOR_SEARCH | LWEND_FOR_VISITED;
  const bool on_field = kind == &lwend_field_kind || kind == &lwend_update_kind;
  if (kind->spread != NULL) kind->spread(L, g);
  lua_settop(L, LWEND_PATH_ARGUMENTS);
  sliced = lwend_new(L, sizeof *sliced, &state->types.search);
  sliced->state = state;
  request = &sliced->request;
  lwend_request_start(L, request, g, 1);
  request->searcher = &sliced->searcher;
  request->labels = true;
  request->subject = &sliced->work;
  sliced->kind = kind;
  kind->read(L, request, more);
  request->search.freeze = true;
  request->search.no_labels = !request->labels;
  request->search.compact = true;
  if (!lwend_given(L, request, LWEND_AGENT) && (lwend_given(L, request, LWEND_COSTS) || lwend_given(L, request, LWEND_COST))) {
    /* All slices give the same table as agent. */
    lua_newtable(L);
    lwend_request_put(L, request, LWEND_AGENT);
  }
  if (lwend_given(L, request, LWEND_COMPILED)) { /* all slices use the same set of rules that have failed */
    lua_newtable(L);
    lwend_request_put(L, request, LWEND_FAILED);
  }
  lua_createtable(L, on_field ? LWEND_FIELD_AT + 1 : request->last, 0);
  lwend_save_slots(L, request, request->last);
  if (on_field) {
    lua_pushvalue(L, request->frame + LWEND_FIELD);
    lua_rawseti(L, -2, LWEND_FIELD_AT);
  }
  lwend_setanchor(L, self);
  if (later) {
    request->status = WEND_RUNNING;
    if (kind->has_goals && (request->to == WEND_NO_ID || !lua_isnil(L, request->frame + LWEND_VALUES)))
      lwend_call(L, request, protected_lists, NULL);
  } else {
    take_searcher(L, sliced);
    lwend_call(L, request, protected_begin, forget_slices);
  }
  lua_settop(L, self);
  lwend_gc_step(L, state);
  return 1;
}

/* graph:search(from, to[, opts]), grid:search(x1, y1, x2, y2[, opts]), grid:search(x1, y1, goals[, opts]) -> search */
int lwend_map_search(lua_State *L) { return new_search(L, lwend_check_map(L), &path_kind, false); }

/* core.start(kind, map, ...) -> search, options, from, to. kind: "path", "route", "field" or "can_reach"; the rest are the arguments
 * of that method of the map, and the options labels, and those of requests. Its result is what the method returns.
 * options: the table that was given, or nil. Only of a path: from and to, which are two numbers each on a grid; a list of goals
 * is no `to`. core.start("update", field[, options]) -> search, options, map. For wend.queue. */
int lwend_core_start(lua_State *L) {
  static const char *const names[] = {"path", "route", "field", "can_reach", "update", NULL};
  static const lwend_sliced_kind *const kinds[] = {&path_kind, &lwend_route_kind, &lwend_field_kind, &reach_kind,
                                                   &lwend_update_kind};
  const lwend_sliced_kind *kind;
  const lwend_request *request;
  lwend_map *g;
  int results;
  if (lua_gettop(L) < 2) lua_settop(L, 2);
  kind = kinds[lwend_check_choice(L, 1, "kind", names, "")];
  g = kind == &lwend_update_kind ? lwend_check_field_map(L, 2) : lwend_check_anymap(L, 2);
  lua_remove(L, 1);
  results = new_search(L, g, kind, true);
  request = lua_touserdata(L, -1);
  if (request->options > 0) lua_pushvalue(L, request->options);
  else lua_pushnil(L);
  results++;
  if (kind == &path_kind) results += lwend_push_id(L, g, request->from);
  if (kind == &path_kind && request->to != WEND_NO_ID) results += lwend_push_id(L, g, request->to);
  if (kind != &lwend_update_kind) return results;
  lwend_pushanchor(L, -2);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
  return results + 1;
}

/* core.check_options(map, opts) raises what map:path would raise about its options, or a queue about those of requests, and does
 * nothing else. For lua/wend/paths.lua. */
int lwend_core_check_options(lua_State *L) {
  lwend_request request;
  lua_settop(L, 2);
  lwend_request_start(L, &request, lwend_check_anymap(L, 1), 1);
  lwend_read_options(L, &request, 2, LWEND_FOR_PATH | LWEND_FOR_QUEUE);
  lwend_check_costs(L, &request);
  return 0;
}

/* ---- Methods ------------------------------------------------------------------------------------------------ */

static lwend_sliced *check_search(lua_State *L, int index) {
  lwend_sliced *sliced = lwend_check_self(L, index, &lwend_state_of(L)->types.search);
  if (sliced->state == NULL) luaL_error(L, "the search is gone");
  if (sliced->request.running) luaL_error(L, "the search is running: its own callbacks cannot use it");
  lwend_check_alive(L, sliced->request.g);
  return sliced;
}

/* What search:step returns. */
static const char *state_of(const lwend_request *request) {
  if (request->status == WEND_RUNNING) return "running";
  return request->status == WEND_OK || request->partial_path ? "found" : "failed";
}

/* Gives a search that begins with its next call the version of the map and the profile as they are now. The frame is that of the
 * step. Compiling the profile may run scripts, which may use the search. */
static void look_at_present(lua_State *L, lwend_sliced *sliced, int frame) {
  lwend_request *request = &sliced->request;
  lwend_costs_push_compiled(L, sliced->state, frame + LWEND_COSTS);
  (void)check_search(L, 1);
  if (request->begun || request->status != WEND_RUNNING) { /* a script has stepped it */
    lua_pop(L, 1);
    return;
  }
  lwend_pushanchor(L, 1);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, LWEND_COMPILED - LWEND_MAP + 1);
  lua_pop(L, 1);
  request->frame = frame;
  lwend_request_put(L, request, LWEND_COMPILED);
  lwend_costs_read_settings(L, request);
  request->version = wend_map_version(request->g->map);
}

/* Both ways of stepping a search. */
static int step(lua_State *L, bool slice_tables) {
  lwend_sliced *sliced = check_search(L, 1);
  lwend_request *request = &sliced->request;
  uint64_t slice = 0;
  int frame;
  /* Read. */
  if (!lwend_towhole(L, 2, &slice) || slice == 0) lwend_type_error(L, 2, "n", "a whole number >= 1");
  frame = lwend_push_frame(L, 1, request->last);
  /* Check again: a finalizer may have used or freed the search. */
  (void)check_search(L, 1);
  /* Act. */
  take_searcher(L, sliced);
  trim_spares(sliced->state);
  wend_search_slice_tables(sliced->searcher.search, slice_tables);
  if (request->status == WEND_RUNNING && !request->begun) look_at_present(L, sliced, frame);
  request->used = 0;
  if (request->status == WEND_RUNNING) {
    request->slice = slice;
    request->frame = frame;
    lwend_call(L, request, protected_step, forget_slices);
  }
  lwend_gc_step(L, lwend_state_of(L));
  lua_pushstring(L, state_of(request));
  lwend_pushwhole(L, request->used);
  return 2;
}

/* search:step(n) -> "running", "found" or "failed"; the number of expansions of this step */
static int search_step(lua_State *L) { return step(L, false); }

/* core.run(search, n) -> the same; tables of the map are made in slices too */
int lwend_core_run(lua_State *L) { return step(L, true); }

/* Brings overlays up to date as far as there is memory. False: the map, or one below it, was freed. */
static bool follow_bases(const lwend_map *g) {
  if (g->map == NULL || (g->base != NULL && !follow_bases(g->base))) return false;
  if (g->base != NULL && g->searching == 0 && !g->mapping) (void)wend_map_follow(g->map);
  return true;
}

/* core.reads(search or map) -> the version of its map now; the version of it that the search reads; and the version that it reads or
 * has read. nil: it has not begun; the second one also if it is over. nil: the map or the search is gone. For wend.queue, like the
 * next two. */
int lwend_core_reads(lua_State *L) {
  const lwend_sliced *sliced = lwend_toobject(L, 1, &lwend_state_of(L)->types.search);
  const lwend_map *g = sliced == NULL ? lwend_tomap(L, 1) : sliced->state != NULL ? sliced->request.g : NULL;
  if (g == NULL || !follow_bases(g)) return lwend_nil(L);
  lwend_pushwhole(L, wend_map_version(g->map));
  if (sliced == NULL || !sliced->request.begun) return 1;
  if (sliced->version != NULL) lwend_pushwhole(L, sliced->request.version);
  else lua_pushnil(L);
  lwend_pushwhole(L, sliced->request.version);
  return 3;
}

/* core.follow(search, other): a search that has not begun will begin on the version that another search of the map reads. */
int lwend_core_follow(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1), *other = lwend_toobject(L, 2, &lwend_state_of(L)->types.search);
  if (other == NULL) return lwend_type_error(L, 2, "other", "a search");
  if (sliced->request.begun || other->version == NULL || other->request.g != sliced->request.g) return 0;
  leave_version(sliced);
  sliced->version = wend_map_freeze(other->version);
  return 0;
}

/* core.again(search): its next slice begins anew, on the map as it is then. */
int lwend_core_again(lua_State *L) {
  forget_slices(&check_search(L, 1)->request);
  return 0;
}

/* search:restarts() and search:stale() of earlier versions */
static int search_restarts(lua_State *L) { return lwend_gone(L, "search:restarts"); }
static int search_stale(lua_State *L) { return lwend_gone(L, "search:stale"); }

/* search:result() -> path; or nil, message, code */
static int search_result(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1);
  lwend_request *request = &sliced->request;
  const int frame = lwend_push_frame(L, 1, request->last);
  if (request->status == WEND_RUNNING)
    luaL_error(L, "the search is not over: call step until it returns \"found\" or \"failed\"");
  request->frame = frame;
  if (sliced->kind == &lwend_field_kind) return lwend_answer_field(L, request, 1);
  return lwend_call(L, request, protected_answer, NULL);
}

/* search:bytes() -> the memory that the search holds, in bytes */
static int search_bytes(lua_State *L) {
  const lwend_sliced *sliced = check_search(L, 1);
  return lwend_whole(L, lwend_searcher_bytes(&sliced->searcher) + lwend_slices_bytes(&sliced->work));
}

/* The iterator of search:each. Upvalues: 1 the state, 2 the search, 3 how many it has returned. */
static int next_visited(lua_State *L) {
  const lwend_sliced *sliced = check_search(L, lua_upvalueindex(2));
  const wend_search *search = sliced->searcher.search;
  const wend_visited_node *visits;
  uint64_t order = 0;
  int pushed;
  (void)lwend_towhole(L, lua_upvalueindex(3), &order);
  if (search == NULL || !sliced->request.begun || order >= wend_search_visited(search, &visits)) return lwend_nil(L);
  lwend_pushwhole(L, order + 1);
  lua_replace(L, lua_upvalueindex(3));
  pushed = lwend_push_id(L, sliced->request.g, visits[order].at);
  lua_pushnumber(L, visits[order].cost);
  lwend_pushwhole(L, order + 1);
  return pushed + 2;
}

/* search:each() -> iterator: node, cost, order; on a grid x, y, cost, order */
static int search_each(lua_State *L) {
  const lwend_sliced *sliced = check_search(L, 1);
  if (!sliced->request.search.visited)
    luaL_error(L, "the search has not kept what it visits: give it the option visited = true");
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lwend_pushwhole(L, 0);
  lua_pushcclosure(L, next_visited, 3);
  return 1;
}

/* tostring(search) -> "wend.Search (running)", "wend.Search (found)" or "wend.Search (failed)"; also inside its callbacks */
static int search_tostring(lua_State *L) {
  const lwend_sliced *sliced = lwend_check_self(L, 1, &lwend_state_of(L)->types.search);
  if (sliced->state == NULL) return luaL_error(L, "the search is gone");
  lua_pushfstring(L, "wend.Search (%s)", state_of(&sliced->request));
  return 1;
}

void lwend_open_search(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"bytes", search_bytes},
                                     {"each", search_each},
                                     {"restarts", search_restarts},
                                     {"result", search_result},
                                     {"stale", search_stale},
                                     {"step", search_step},
                                     {NULL, NULL}};
  lwend_type(L, "wend.Search", "a search", state, methods, search_gc, search_tostring, &state->types.search);
}
