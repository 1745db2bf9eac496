/* SPDX-License-Identifier: MIT */
/* map:path and map:search, and wend.Search: a search that runs in slices.
 *
 * A search in slices keeps its request between the slices. The Lua values of the request's frame lie in the anchor of the
 * userdata; each slice pushes them as a new frame.
 *
 * Between slices the map may change. The core lets the search go on if the edits cannot change its result. Otherwise it is
 * stale. With the option `restart` it then begins again in the same step: with the profile as it is now, and with the functions
 * of tags. After RESTARTS_MAX restarts the next one runs on a snapshot of the map, which nobody edits, so every search ends.
 *
 * core.start also answers map:can_reach, and makes routes and fields in slices (route.c, field.c). After RESTARTS_MAX restarts
 * these are finished at once on the map itself. Any edit disturbs a field or a route of a graph.
 *
 *   slice      1         2            3            4            5            6
 *   edits           far     near         near         near         near         near
 *   the search begins  goes on  1st restart  2nd restart  3rd restart  on a snapshot from now on
 *
 * What it has expanded before counts for the option max_expanded, and in the statistics. */
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/query/slices.h"

/* A search that is disturbed more often than this ends on a snapshot. */
#define RESTARTS_MAX 3

/* A search in slices. Its anchor is the list of the slots of its request. The request comes first, so that a protected function
 * that gets the request has the rest too. */
typedef struct lwend_sliced {
  lwend_request request;
  const lwend_sliced_kind *kind;
  lwend_slices work;
  lwend_searcher searcher;
  lwend_state *state;       /* NULL: it was freed, or is not made yet */
  lwend_snapshot *snapshot; /* NULL: it runs on the map itself */
  bool goals_read;          /* the list of the searcher has the goals */
  uint32_t restarts;
  bool started; /* it has begun at least once */
  bool behind;  /* the map or the costs have changed: it must begin again */
  bool at_once; /* a route or a field was disturbed too often: its next slice has no limit */
} lwend_sliced;

/* ---- What runs protected ------------------------------------------------------------------------------------ */

/* Whether the start and all goals of a search exist. */
static bool has_ends(const lwend_sliced *sliced) {
  const lwend_request *request = &sliced->request;
  const wend_graph *graph = request->g->graph;
  if (graph == NULL) return true;
  if (request->from != WEND_NO_ID && !wend_graph_has_node(graph, request->from)) return false; /* only a path has a start */
  for (uint32_t i = 0; sliced->goals_read && i < lwend_goal_count(request); i++)
    if (!wend_graph_has_node(graph, sliced->searcher.goals[i])) return false;
  return sliced->goals_read || request->to == WEND_NO_ID || wend_graph_has_node(graph, request->to);
}

/* The version of the walls of the option sight, which are at index; 0: there are none. */
static uint64_t sight_version(lua_State *L, const lwend_request *request, int index) {
  wend_walls *walls = request->search.ends.sight != NULL ? lwend_towalls(L, index) : NULL;
  return walls != NULL ? wend_walls_version(walls) : 0;
}

/* Begins a search in slices, on its snapshot if it has one. The goals are read once: the script may change its list later. What is
 * left of the budget is the limit. Leaves request->status WEND_STALE if the map has changed. */
static void begin_slices(lua_State *L, lwend_sliced *sliced) {
  lwend_request *request = &sliced->request;
  uint64_t budget = request->search.max_expanded;
  if (!lwend_request_ready(L, request)) return;
  if (!request->copied && !has_ends(sliced)) { /* removed since the goals were read */
    request->status = WEND_STALE;
    return;
  }
  if (!sliced->goals_read && sliced->kind->has_goals) lwend_read_goals(L, request), sliced->goals_read = true;
  request->walls = sight_version(L, request, LWEND_CLEAR);
  if (budget < UINT64_MAX) budget -= budget < request->spent.expanded ? budget : request->spent.expanded;
  sliced->work.used = 0;
  sliced->work.map = sliced->snapshot != NULL ? sliced->snapshot->map : request->g->map;
  sliced->kind->begin(L, request, budget);
  request->status = WEND_RUNNING;
  request->begun = sliced->started = true;
  request->prepares = request->g->prepares;
}

/* Runs a slice of a search in slices. */
static void run_slice(lua_State *L, lwend_sliced *sliced) {
  lwend_request *request = &sliced->request;
  uint64_t used;
  if (request->status != WEND_RUNNING) return;
  used = sliced->kind->run(L, request);
  request->used += used;
  sliced->work.used += used;
  if (request->status != WEND_RUNNING || sliced->kind->is_path) lwend_set_stats(L, request, NULL);
}

/* A stale search that may begin again is still running. */
static void note_stale(lwend_sliced *sliced) {
  lwend_request *request = &sliced->request;
  if (request->status != WEND_STALE || !request->restart || request->copied) return;
  if (sliced->at_once && request->begun) return; /* no edit, but an edge function that contradicts itself */
  sliced->behind = true;
  request->status = WEND_RUNNING;
}

static int protected_begin(lua_State *L) {
  lwend_sliced *sliced = (lwend_sliced *)lwend_to_request(L);
  begin_slices(L, sliced);
  note_stale(sliced);
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
  if (!sliced->request.begun) begin_slices(L, sliced); /* also when a rule has failed: without that rule */
  else sliced->request.L = L, lwend_costs_push(L, &sliced->request);
  run_slice(L, sliced);
  note_stale(sliced);
  /* It has survived the edits before this slice: its path is one of the map as it is now. */
  if (!sliced->behind && sliced->request.status != WEND_STALE && !sliced->request.copied)
    sliced->request.version = wend_map_version(sliced->request.g->map);
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

static void begin_path(lua_State *L, lwend_request *request, uint64_t budget) {
  const lwend_slices *work = request->subject;
  const uint32_t goal_count = lwend_goal_count(request);
  const wend_search_opts *opts = &request->search;
  wend_search_opts limited;
  if (budget != opts->max_expanded) {
    limited = *opts, opts = &limited;
    limited.max_expanded = budget;
  }
  if ((request->along != WEND_NO_ID ? begin_on_edge(L, request, opts)
                                    : wend_search_begin(request->searcher->search, work->map, request->from,
                                                        request->searcher->goals, goal_count, opts)) != WEND_OK)
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

/* graph:path(from, to[, opts]), grid:path(x1, y1, x2, y2[, opts]), grid:path(x1, y1, goals[, opts]) -> path; or nil, message,
 * code */
int lwend_map_path(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_PATH | LWEND_FOR_TRIP, true, protected_path, NULL};
  return lwend_ask_map(L, &query);
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

static void free_sliced(lwend_sliced *sliced) {
  lwend_searcher_free(&sliced->searcher, &sliced->state->alloc);
  lwend_slices_free(&sliced->work, &sliced->state->alloc);
  lwend_snapshot_release(sliced->state, sliced->snapshot);
  sliced->snapshot = NULL;
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
 * those that were closed. For wend.queue. */
int lwend_core_close(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_sliced *sliced = lwend_toobject(L, 1, &state->types.search);
  if (sliced == NULL) return lwend_type_error(L, 1, "search", "a search");
  if (sliced->state == NULL || sliced->request.running) return 0;
  if (sliced->searcher.search != NULL && sliced->snapshot == NULL && sliced->request.g->map != NULL &&
      state->spare_count < LWEND_SPARES) {
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
  const unsigned more = later ? LWEND_FOR_SEARCH | LWEND_FOR_QUEUE : LWEND_FOR_SEARCH;
  if (kind->spread != NULL) kind->spread(L, g);
  lua_settop(L, LWEND_PATH_ARGUMENTS);
  sliced = lwend_new(L, sizeof *sliced, &state->types.search);
  sliced->state = state;
  request = &sliced->request;
  lwend_request_start(L, request, g, 1);
  request->searcher = &sliced->searcher;
  request->restart = true;
  request->labels = true;
  request->subject = &sliced->work;
  sliced->kind = kind;
  kind->read(L, request, more);
  request->search.no_labels = !request->labels;
  request->search.compact = true;
  if (lua_isnil(L, request->frame + LWEND_AGENT)) { /* all slices use the same table as agent */
    lua_newtable(L);
    lua_replace(L, request->frame + LWEND_AGENT);
  }
  if (!lua_isnil(L, request->frame + LWEND_COMPILED)) { /* all slices use the same set of rules that have failed */
    lua_newtable(L);
    lua_replace(L, request->frame + LWEND_FAILED);
  }
  lua_createtable(L, kind == &lwend_field_kind ? LWEND_FIELD_AT + 1 : request->last, 0);
  lwend_save_slots(L, request, request->last);
  if (kind == &lwend_field_kind) {
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
    lwend_call(L, request, protected_begin, lwend_forget_search);
  }
  lua_settop(L, self);
  lwend_gc_step(L, state);
  return 1;
}

/* graph:search(from, to[, opts]), grid:search(x1, y1, x2, y2[, opts]), grid:search(x1, y1, goals[, opts]) -> search */
int lwend_map_search(lua_State *L) { return new_search(L, lwend_check_map(L), &path_kind, false); }

/* core.start(kind, map, ...) -> search, options, from, to. kind: "path", "route", "field" or "can_reach"; the rest are the arguments
 * of that method of the map, and the options restart, labels, and those of requests. Its result is what the method returns.
 * options: the table that was given, or nil. Only of a path: from and to, which are two numbers each on a grid; a list of goals
 * is no `to`. For wend.queue. */
int lwend_core_start(lua_State *L) {
  static const char *const names[] = {"path", "route", "field", "can_reach", NULL};
  static const lwend_sliced_kind *const kinds[] = {&path_kind, &lwend_route_kind, &lwend_field_kind, &reach_kind};
  const lwend_sliced_kind *kind;
  const lwend_request *request;
  lwend_map *g;
  int results;
  if (lua_gettop(L) < 2) lua_settop(L, 2);
  kind = kinds[lwend_check_choice(L, 1, "kind", names, "")];
  g = lwend_check_anymap(L, 2);
  if (kind == &lwend_route_kind && g->grid != NULL) kind = &lwend_grid_route_kind;
  lua_remove(L, 1);
  results = new_search(L, g, kind, true);
  request = lua_touserdata(L, -1);
  if (request->options > 0) lua_pushvalue(L, request->options);
  else lua_pushnil(L);
  results++;
  if (kind == &path_kind) results += lwend_push_id(L, g, request->from);
  if (kind == &path_kind && request->to != WEND_NO_ID) results += lwend_push_id(L, g, request->to);
  return results;
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

/* Lets the search at 1 begin again with its next call. The frame is that of the step. Compiling the profile may run scripts,
 * which may use the search. */
static void begin_again(lua_State *L, lwend_sliced *sliced, int frame) {
  lwend_request *request = &sliced->request;
  wend_stats done;
  lwend_costs_push_compiled(L, sliced->state, frame + LWEND_COSTS);
  (void)check_search(L, 1);
  if (!sliced->behind) { /* a script has stepped it */
    lua_pop(L, 1);
    return;
  }
  lwend_pushanchor(L, 1);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, LWEND_COMPILED - LWEND_MAP + 1);
  lua_pop(L, 1);
  lua_replace(L, frame + LWEND_COMPILED);
  request->frame = frame;
  lwend_costs_read_settings(L, request);
  if (!has_ends(sliced)) {
    request->status = WEND_STALE;
    sliced->behind = false;
    wend_search_reset(request->searcher->search);
    return;
  }
  if (!sliced->started) {
    /* It begins for the first time. */
  } else if (sliced->restarts >= RESTARTS_MAX && !sliced->kind->is_path) {
    sliced->at_once = true;
  } else if (sliced->restarts == RESTARTS_MAX) {
    sliced->snapshot = lwend_snapshot_take(sliced->state, request->g);
    if (sliced->snapshot == NULL) lwend_no_memory(L);
    request->copied = true;
  }
  if (request->begun) {
    done = wend_search_stats(request->searcher->search);
    request->spent.expanded += sliced->kind->is_path ? done.expanded : sliced->work.used;
    request->spent.pushed += done.pushed;
    request->spent.callbacks += done.callbacks;
  }
  wend_search_reset(request->searcher->search);
  request->version = wend_map_version(request->g->map);
  request->begun = sliced->behind = false;
  if (sliced->started) sliced->restarts++;
}

/* Notes changes of the map, the costs or the walls that the core does not see. frame: of the step. */
static void look_for_changes(lua_State *L, lwend_sliced *sliced, int frame) {
  lwend_request *request = &sliced->request;
  bool changed;
  if (request->status != WEND_RUNNING || request->copied) return;
  /* An edit may have put a tag on the map that nothing had when its costs changed: look at all changes once more. */
  changed = wend_map_version(request->g->map) != request->version;
  if (changed) request->age.seen = request->age.made;
  changed = lwend_costs_are_stale(L, sliced->state, 1, &request->age);
  (void)check_search(L, 1);
  if (request->status != WEND_RUNNING || request->copied) return; /* a finalizer has stepped it */
  if (!changed && !request->begun && request->restart) changed = wend_map_version(request->g->map) != request->version;
  if (request->begun && request->prepares != request->g->prepares) changed = true; /* its estimates were those before */
  if (request->begun && request->walls != sight_version(L, request, frame + LWEND_CLEAR)) changed = true;
  if (!changed) return;
  request->status = WEND_STALE;
  note_stale(sliced);
  if (request->status == WEND_STALE) wend_search_reset(request->searcher->search);
}

/* After an error in a slice: the next one begins anew. */
static void forget_slices(lwend_request *request) {
  lwend_forget_search(request);
  request->status = WEND_RUNNING;
}

/* Both ways of stepping a search. */
static int step(lua_State *L, bool slice_tables) {
  lwend_sliced *sliced = check_search(L, 1);
  lwend_request *request = &sliced->request;
  uint64_t slice = 0, used = 0;
  int frame;
  /* Read. */
  if (!lwend_towhole(L, 2, &slice) || slice == 0) lwend_type_error(L, 2, "n", "a whole number >= 1");
  frame = lwend_push_frame(L, 1, request->last);
  lwend_costs_look(L, sliced->state, &request->age, frame + LWEND_COSTS);
  /* Check again: a finalizer may have used or freed the search. */
  (void)check_search(L, 1);
  /* Act. */
  take_searcher(L, sliced);
  trim_spares(sliced->state);
  wend_search_slice_tables(sliced->searcher.search, slice_tables);
  do {
    look_for_changes(L, sliced, frame);
    if (sliced->behind) begin_again(L, sliced, frame);
    if (request->status != WEND_RUNNING) break;
    request->slice = sliced->at_once ? UINT64_MAX : slice - used;
    request->used = 0;
    request->frame = frame;
    lwend_call(L, request, protected_step, forget_slices);
    used += request->used;
  } while (sliced->behind && used < slice);
  lwend_gc_step(L, lwend_state_of(L));
  lua_pushstring(L, state_of(request));
  lwend_pushwhole(L, used);
  return 2;
}

/* search:step(n) -> "running", "found" or "failed"; the number of expansions of this step */
static int search_step(lua_State *L) { return step(L, false); }

/* core.run(search, n) -> the same; tables of the map are made in slices too */
int lwend_core_run(lua_State *L) { return step(L, true); }

/* search:restarts() -> how often it has begun again */
static int search_restarts(lua_State *L) { return lwend_whole(L, check_search(L, 1)->restarts); }

/* search:stale() -> whether its result is one of a snapshot */
static int search_stale(lua_State *L) { return lwend_flag(L, check_search(L, 1)->request.copied); }

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

/* tostring(search) -> "wend.Search (running)", "wend.Search (found)" or "wend.Search (failed)"; also inside its callbacks */
static int search_tostring(lua_State *L) {
  const lwend_sliced *sliced = lwend_check_self(L, 1, &lwend_state_of(L)->types.search);
  if (sliced->state == NULL) return luaL_error(L, "the search is gone");
  lua_pushfstring(L, "wend.Search (%s)", state_of(&sliced->request));
  return 1;
}

void lwend_open_search(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{"bytes", search_bytes}, {"restarts", search_restarts}, {"result", search_result},
                                     {"stale", search_stale}, {"step", search_step},         {NULL, NULL}};
  lwend_type(L, "wend.Search", "a search", state, methods, search_gc, search_tostring, &state->types.search);
}
