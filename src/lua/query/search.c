/* SPDX-License-Identifier: MIT */
/* map:path and map:search, and wend.Search: a search that runs in slices.
 *
 * A search in slices keeps its request between the slices. The Lua values of the request's frame lie in the anchor of the
 * userdata; each slice pushes them as a new frame. */
#include <string.h>

#include "lua/lwend.h"

/* ---- What runs protected ------------------------------------------------------------------------------------ */

/* Begins the search. Leaves request->status WEND_STALE if the map has changed. */
static void begin(lua_State *L, lwend_request *request) {
  wend_status status;
  uint32_t goal_count;
  if (!lwend_request_ready(L, request)) return;
  goal_count = lwend_read_goals(L, request);
  status = wend_search_begin(request->searcher->search, request->g->map, request->from, request->searcher->goals, goal_count,
                             &request->search);
  if (status != WEND_OK) lwend_no_memory(L);
  request->status = WEND_RUNNING;
  request->begun = true;
}

/* Expands at most request->slice nodes, and fills in the statistics. */
static void run(lua_State *L, lwend_request *request) {
  wend_search *search = request->searcher->search;
  wend_stats stats;
  request->L = L;
  if (request->status != WEND_RUNNING) return;
  lwend_costs_push(L, request);
  request->status = wend_search_step(search, request->slice);
  if (request->status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (request->search.partial && (request->status == WEND_NO_PATH || request->status == WEND_BUDGET)) {
    if (wend_search_partial(search) != WEND_OK) lwend_no_memory(L);
    request->partial_path = true;
  }
  stats = wend_search_stats(search);
  lwend_set_stats(L, &stats);
}

/* Pushes the path, or nil, message and code. Returns the number of values. */
static int answer(lua_State *L, lwend_request *request) {
  if (request->status == WEND_OK || request->partial_path) {
    lwend_push_path(L, request);
    return 1;
  }
  lwend_empty_path(L, LWEND_INTO);
  return lwend_push_failure(L, request);
}

static int protected_whole(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  begin(L, request);
  run(L, request);
  return answer(L, request);
}

static int protected_begin(lua_State *L) {
  begin(L, lwend_to_request(L));
  return 0;
}

static int protected_step(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  if (!request->begun) begin(L, request); /* a rule has failed: begin again without it */
  run(L, request);
  return 0;
}

static int protected_answer(lua_State *L) { return answer(L, lwend_to_request(L)); }

/* ---- Reading the arguments ---------------------------------------------------------------------------------- */

/* The largest number of arguments: (map, from, to, opts), (map, x1, y1, x2, y2, opts) or (map, x1, y1, goals, opts). A cell
 * of a grid may also be one value with fields x and y. */
#define ARGUMENTS 6

/* Makes these arguments of a grid numbers, and a list of goals if there is one. Leaves ARGUMENTS values on the stack. */
static void spread_arguments(lua_State *L, const lwend_map *g) {
  if (g->grid != NULL) {
    lwend_spread(L, 2, 2);
    if (!lwend_is_list(L, 4) && lwend_spread(L, 4, 2) && lua_istable(L, 4)) /* its x is a table: no list of goals */
      (void)lwend_check_cell(L, 4, g, "x2", "y2");
  }
  lua_settop(L, ARGUMENTS);
}

/* Reads these arguments into a request that was started. */
static void read_request(lua_State *L, lwend_request *request) {
  const lwend_map *g = request->g;
  const int to = g->graph != NULL ? 3 : 4;
  int options = to + 1;
  if (g->graph != NULL) request->from = lwend_check_node(L, 2, g, "from");
  else request->from = lwend_check_cell(L, 2, g, "x1", "y1");
  if (lua_istable(L, to)) {
    lwend_check_goals(L, request, to, g->graph != NULL ? "to" : "goals");
  } else if (g->graph != NULL) {
    request->to = lwend_check_node(L, to, g, "to");
  } else {
    request->to = lwend_check_cell(L, to, g, "x2", "y2");
    options = to + 2;
  }
  lwend_read_options(L, request, options, LWEND_FOR_PATH);
  if (request->search.partial) lwend_check_positions(L, request, to);
  lwend_check_costs(L, request);
}

static int path_of(lua_State *L, lwend_map *g) {
  lwend_state *state = lwend_state_of(L);
  lwend_request request;
  int results;
  spread_arguments(L, g);
  lwend_request_start(L, &request, state, g, 1);
  read_request(L, &request);
  results = lwend_call(L, &request, state->whole_ref, lwend_forget_search);
  lwend_gc_step(L, state);
  return results;
}

/* graph:path(from, to[, opts]) -> path; or nil, message, code */
int lwend_graph_path(lua_State *L) { return path_of(L, lwend_check_graph(L, 1)); }
/* grid:path(x1, y1, x2, y2[, opts]), grid:path(x1, y1, goals[, opts]) -> path; or nil, message, code */
int lwend_grid_path(lua_State *L) { return path_of(L, lwend_check_grid(L, 1)); }

/* ---- Making ------------------------------------------------------------------------------------------------- */

/* A search in slices. Its anchor is the list of the slots of its request. */
typedef struct lwend_sliced {
  lwend_request request;
  lwend_searcher searcher;
  lwend_state *state; /* NULL: it was freed, or is not made yet */
} lwend_sliced;

static int search_gc(lua_State *L) {
  lwend_sliced *sliced = lwend_toobject(L, 1, lwend_state_of(L)->search_mt);
  if (sliced == NULL) return lwend_type_error(L, 1, "self", "a search");
  if (sliced->state == NULL) return 0;
  if (sliced->request.running) return luaL_error(L, "the search is running: its own callbacks cannot use it");
  lwend_searcher_free(&sliced->searcher, &sliced->state->alloc);
  sliced->state = NULL;
  return 0;
}

static int new_search(lua_State *L, lwend_map *g, wend_queue queue) {
  lwend_state *state = lwend_state_of(L);
  lwend_sliced *sliced;
  lwend_request *request;
  const int self = ARGUMENTS + 1;
  spread_arguments(L, g);
  sliced = lwend_new(L, sizeof *sliced, state->search_ref);
  sliced->state = state;
  request = &sliced->request;
  lwend_request_start(L, request, state, g, 1);
  request->searcher = &sliced->searcher;
  lwend_searcher_ready(L, state, &sliced->searcher);
  read_request(L, request);
  request->search.queue = queue;
  request->search.compact = true;
  if (queue == WEND_QUEUE_HEAP && request->search.variation > 0)
    luaL_error(L, "a trace is of the cheapest path: leave variation out");
  if (lua_isnil(L, request->frame + LWEND_AGENT)) { /* all slices use the same table as agent */
    lua_newtable(L);
    lua_replace(L, request->frame + LWEND_AGENT);
  }
  lua_createtable(L, request->last, 0);
  lwend_save_slots(L, request, request->last);
  lwend_setanchor(L, self);
  lwend_call(L, request, state->begin_ref, lwend_forget_search);
  lua_settop(L, self);
  lwend_gc_step(L, state);
  return 1;
}

/* graph:search(from, to[, opts]) -> search */
int lwend_graph_search(lua_State *L) { return new_search(L, lwend_check_graph(L, 1), WEND_QUEUE_BUCKETS); }
/* grid:search(x1, y1, x2, y2[, opts]), grid:search(x1, y1, goals[, opts]) -> search */
int lwend_grid_search(lua_State *L) { return new_search(L, lwend_check_grid(L, 1), WEND_QUEUE_BUCKETS); }
/* core.watch(graph, from, to[, opts]) -> search that visits nodes in the order of a trace. For wend.trace. */
int lwend_core_watch(lua_State *L) { return new_search(L, lwend_check_graph(L, 1), WEND_QUEUE_HEAP); }

/* ---- Methods ------------------------------------------------------------------------------------------------ */

static lwend_sliced *check_search(lua_State *L, int index) {
  lwend_sliced *sliced = lwend_toobject(L, index, lwend_state_of(L)->search_mt);
  if (sliced == NULL) lwend_type_error(L, index, "self", "a search (call it with a colon: search:method())");
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

/* search:step(n) -> "running", "found" or "failed" */
static int search_step(lua_State *L) {
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
  request->slice = slice;
  request->frame = frame;
  if (request->status == WEND_RUNNING && lwend_costs_are_stale(L, lwend_state_of(L), 1, &request->age)) {
    wend_search_reset(request->searcher->search);
    request->status = WEND_STALE;
  } else if (request->status == WEND_RUNNING) {
    lwend_call(L, request, sliced->state->step_ref, lwend_forget_search);
    lwend_gc_step(L, lwend_state_of(L));
  }
  lua_pushstring(L, state_of(request));
  return 1;
}

/* search:path() -> path; or nil, message, code */
static int search_path(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1);
  lwend_request *request = &sliced->request;
  const int frame = lwend_push_frame(L, 1, request->last);
  if (request->status == WEND_RUNNING)
    luaL_error(L, "the search is not over: call step until it returns \"found\" or \"failed\"");
  request->frame = frame;
  return lwend_call(L, request, sliced->state->answer_ref, lwend_forget_search);
}

/* core.label(search, node) -> visit number (0: not visited yet), cost so far, previous node or nothing; nothing: not
 * reached */
int lwend_core_label(lua_State *L) {
  lwend_sliced *sliced = check_search(L, 1);
  wend_label label;
  wend_id node;
  if (sliced->request.g->graph == NULL) luaL_error(L, "only a search of a graph has labels");
  node = lwend_check_node(L, 2, sliced->request.g, "node");
  if (wend_map_version(sliced->request.g->map) != sliced->request.version) luaL_error(L, "the graph has changed");
  label = wend_search_label(sliced->searcher.search, node);
  if (!label.reached) return 0;
  lwend_pushwhole(L, label.visit);
  lua_pushnumber(L, label.cost);
  if (label.previous == WEND_NO_ID) return 2;
  lwend_pushwhole(L, label.previous);
  return 3;
}

/* search:bytes() -> the memory that the search holds, in bytes */
static int search_bytes(lua_State *L) {
  const lwend_sliced *sliced = check_search(L, 1);
  lwend_pushwhole(L, lwend_searcher_bytes(&sliced->searcher));
  return 1;
}

/* tostring(search) -> "wend.Search (running)", "wend.Search (found)" or "wend.Search (failed)"; also inside its callbacks */
static int search_tostring(lua_State *L) {
  const lwend_sliced *sliced = lwend_toobject(L, 1, lwend_state_of(L)->search_mt);
  if (sliced == NULL) return lwend_type_error(L, 1, "self", "a search");
  if (sliced->state == NULL) return luaL_error(L, "the search is gone");
  lua_pushfstring(L, "wend.Search (%s)", state_of(&sliced->request));
  return 1;
}

void lwend_open_search(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"bytes", search_bytes}, {"path", search_path}, {"step", search_step}, {NULL, NULL}};
  state->whole_ref = lwend_protected(L, state, protected_whole);
  state->begin_ref = lwend_protected(L, state, protected_begin);
  state->step_ref = lwend_protected(L, state, protected_step);
  state->answer_ref = lwend_protected(L, state, protected_answer);
  state->search_ref = lwend_type(L, "wend.Search", state, methods, search_gc, search_tostring, &state->search_mt);
}
