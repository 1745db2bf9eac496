/* SPDX-License-Identifier: MIT */
/* Many paths by several threads: core.batch and core.find_paths, for lua/wend/paths.lua. While the threads run, this function waits
 * for them, and nothing calls Lua. */
#include "lua/base/costs.h"
#include "lua/base/trail.h"

typedef struct lwend_batch {
  wend_batch *work; /* NULL: it was closed */
  uint32_t threads;
  bool busy; /* a call uses it: finalizers cannot */
} lwend_batch;

static void work_as(void *work, uint32_t worker) { wend_batch_work(work, worker); }

/* ---- Batches -------------------------------------------------------------------------------------------------- */

static lwend_batch *check_batch(lua_State *L) {
  lwend_batch *batch = lwend_toobject(L, 1, &lwend_state_of(L)->types.batch);
  if (batch == NULL) lwend_type_error(L, 1, "batch", "a batch");
  else if (batch->busy) luaL_error(L, "the batch is in use");
  return batch;
}

static int batch_gc(lua_State *L) {
  lwend_batch *batch = check_batch(L);
  wend_batch_destroy(batch->work);
  batch->work = NULL;
  return 0;
}

/* The ends of the trips: a list of two ids each at LWEND_GOALS. Whether all of them are of the map. */
static bool read_trips(lua_State *L, const lwend_request *request, wend_batch_task *tasks, wend_id *goals, uint32_t count) {
  const wend_graph *graph = request->g->graph;
  const wend_id last = graph != NULL ? 0 : (wend_id)wend_grid_width(request->g->grid) * wend_grid_height(request->g->grid);
  for (uint32_t i = 0; i < 2 * count; i++) {
    uint64_t id = 0;
    bool there;
    lua_rawgeti(L, LWEND_GOALS, (int)i + 1);
    there = lwend_towhole(L, -1, &id) && (graph != NULL ? wend_graph_has_node(graph, id) : id > 0 && id <= last);
    lua_pop(L, 1);
    if (!there) return false;
    if (i % 2 == 0) tasks[i / 2].from = id;
    else goals[i / 2] = id;
  }
  for (uint32_t i = 0; i < count; i++) {
    tasks[i].map = request->g->map;
    tasks[i].goals = &goals[i];
    tasks[i].goal_count = 1;
    tasks[i].path = &request->search;
    tasks[i].field = NULL, tasks[i].opts = NULL, tasks[i].values = NULL;
  }
  return true;
}

/* Pushes what a trip has found: appends four values to the list at index `list`. */
static void push_found(lua_State *L, lwend_request *request, int list, uint32_t trip, const wend_batch_found *found) {
  request->status = found->status;
  request->partial_path = found->partial;
  if (found->node_count > 0) lwend_push_path_of(L, request, found->nodes, found->edges, found->node_count, found->cost);
  else lua_pushboolean(L, 0);
  lua_rawseti(L, list, (int)(4 * trip + 1));
  lwend_pushwhole(L, found->stats.expanded);
  lua_rawseti(L, list, (int)(4 * trip + 2));
  lwend_pushwhole(L, found->stats.pushed);
  lua_rawseti(L, list, (int)(4 * trip + 3));
  lua_pushstring(L, wend_status_code(found->status));
  lua_rawseti(L, list, (int)(4 * trip + 4));
}

/* After a call, and after an error in it. */
static void end_batch(lwend_request *request) {
  if (request->reading) ((lwend_batch *)request->subject)->busy = false;
  request->reading = false;
  lwend_forget_search(request);
}

static int protected_paths(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_batch *batch = request->subject;
  const uint32_t count = (uint32_t)lua_rawlen(L, LWEND_GOALS) / 2;
  wend_batch_task *tasks;
  wend_id *goals;
  wend_status status;
  int list;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  tasks = lua_newuserdata(L, (count + 1) * sizeof *tasks);
  goals = lua_newuserdata(L, (count + 1) * sizeof *goals);
  lua_createtable(L, (int)count * 4, 0);
  list = lua_gettop(L);
  if (batch->busy || batch->work == NULL) return luaL_error(L, "the batch is gone");
  if (!read_trips(L, request, tasks, goals, count)) return luaL_error(L, "ids must be of the %s", request->g->noun);
  batch->busy = request->reading = true;
  status = wend_batch_begin(batch->work, request->searcher->search, batch->threads, tasks, count);
  if (status == WEND_INVALID) return end_batch(request), lwend_flag(L, false);
  lwend_check_memory(L, status);
  lwend_run_threads(work_as, batch->work, batch->threads);
  lwend_check_memory(L, wend_batch_end(batch->work));
  for (uint32_t i = 0; i < count; i++) push_found(L, request, list, i, wend_batch_result(batch->work, i));
  end_batch(request);
  return 1;
}

/* core.batch(threads) -> batch; or nil: there are no threads, or one is wanted. Raises if `threads` is no such number. */
int lwend_core_batch(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_batch *batch;
  uint32_t threads;
  lua_settop(L, 1);
  threads = lwend_check_threads(L, 1);
  if (threads == 1) return lwend_nil(L);
  batch = lwend_new(L, sizeof *batch, &state->types.batch);
  batch->threads = threads;
  batch->work = wend_batch_create(&state->alloc);
  return batch->work != NULL ? 1 : lwend_no_memory(L);
}

/* core.find_paths(batch, map, opts, ids) -> list of a path or false, its expansions, its entries of the queue, and its code, for each
 * two ids; or false: functions are asked, so one thread must do it; or nil, message, "stale". opts: nil, or as for map:path. Without
 * a map, it frees what the batch holds. */
int lwend_core_find_paths(lua_State *L) {
  lwend_batch *batch = check_batch(L);
  lwend_request request;
  lwend_map *g;
  int results;
  lua_settop(L, 4);
  if (lua_isnil(L, 2)) return batch_gc(L);
  g = lwend_check_anymap(L, 2);
  lwend_check_table(L, 4, "ids");
  lwend_request_start(L, &request, g, 2);
  lwend_read_options(L, &request, 3, LWEND_FOR_PATH);
  lwend_check_costs(L, &request);
  lwend_request_set(L, &request, LWEND_GOALS, 4);
  request.subject = batch;
  results = lwend_call(L, &request, protected_paths, end_batch);
  lwend_gc_step(L, request.state);
  return results;
}

void lwend_open_batch(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_metatable(L, "wend.Batch", state, batch_gc, &state->types.batch);
}
