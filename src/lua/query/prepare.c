/* SPDX-License-Identifier: MIT */
/* map:prepare, map:prepared and map:unprepare; and wend.Preparation: a preparation in slices.
 *
 * map:prepare makes a preparation in each case, which owns the work of the core. So nothing is lost if on_progress raises, or
 * memory runs out in the middle. The anchor of a preparation is a list with the map.
 *
 * The map is locked while on_progress runs. Between slices it may be edited. */
#include "lua/base/costs.h"
#include "lua/base/meter.h"

/* The number of places between two calls of on_progress. One slice takes a few milliseconds. */
#define TOLD_PLACES 20000u

typedef struct lwend_preparation {
  wend_preparation *work; /* NULL: it is over, was freed, or is not begun yet */
  lwend_map *map;         /* NULL: it was never begun */
  wend_status status;     /* WEND_RUNNING; or WEND_OK, WEND_NO_MEMORY, WEND_STALE: it is over */
  bool busy;              /* on_progress is running */
  double seconds;
  wend_prepared_info info; /* with WEND_OK: of the tables that it has made */
} lwend_preparation;

static void free_work(lwend_preparation *p) {
  wend_preparation_destroy(p->work);
  p->work = NULL;
}

static int preparation_gc(lua_State *L) {
  lwend_preparation *p = lwend_check_self(L, 1, &lwend_state_of(L)->types.preparation);
  if (p->busy) return luaL_error(L, "the preparation is running: its own function cannot use it");
  free_work(p);
  p->map = NULL;
  return 0;
}

static const char *const reasons[] = {
    [WEND_PREPARED_USED] = "",
    [WEND_PREPARED_COSTS] =
        "a cost of the profile is 0, or was closed when the map was prepared, or a function made no promise",
    [WEND_PREPARED_EDITS] = "the map has changed too much",
    [WEND_PREPARED_ALIKE] = "all open cells are alike, so searches use jump points",
};

/* ---- Working ------------------------------------------------------------------------------------------------ */

static int raise_full(lua_State *L) {
  return luaL_error(L, "the map is prepared for %d profiles already: drop the tables of one with unprepare",
                    (int)WEND_PROFILES_MAX);
}

/* Works on at most so many places. Allocates no Lua memory and runs no script. The map must exist. Raises if memory runs out: the
 * map is then as it was, and the work is lost. */
static void work_on(lua_State *L, lwend_preparation *p, uint64_t places) {
  const double since = lwend_clock();
  const wend_status status = wend_preparation_step(p->work, places);
  p->seconds += lwend_clock() - since;
  if (status == WEND_RUNNING) return;
  wend_preparation_info(p->work, &p->info);
  free_work(p);
  p->status = status;
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status == WEND_STALE) raise_full(L);
}

/* Sets the fields of the report at the top, of a preparation. Takes no memory if they were set before. */
static void fill_prepare_report(lua_State *L, const lwend_preparation *p) {
  lwend_set_whole(L, "landmarks", p->info.landmarks);
  lwend_set_whole(L, "bytes", p->info.bytes);
  lwend_set_number(L, "seconds", p->seconds);
  lwend_set_flag(L, "used", p->info.reason == WEND_PREPARED_USED);
  if (p->info.reason == WEND_PREPARED_USED) return;
  lua_pushstring(L, reasons[p->info.reason]);
  lua_setfield(L, -2, "reason");
}

/* Calls on_progress with the share that is done. */
static void tell_share(lua_State *L, lwend_request *request, double share) {
  lua_pushvalue(L, LWEND_PROGRESS);
  lua_pushnumber(L, share);
  lwend_ask(L, request->g, 1, 0);
}

static void search_as(void *work, uint32_t number) { wend_preparation_search(work, number); }

/* Runs searches two at a time. The rest is left. */
static void search_by_threads(lua_State *L, lwend_request *request, lwend_preparation *p) {
  for (;;) {
    const double since = lwend_clock();
    const uint32_t count = wend_preparation_open(p->work);
    if (count > 0) lwend_run_threads(search_as, p->work, count);
    p->seconds += lwend_clock() - since;
    if (count == 0) return;
    if (!lua_isnil(L, LWEND_PROGRESS)) tell_share(L, request, wend_preparation_progress(p->work));
  }
}

static int protected_prepare(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_preparation *p = request->subject;
  wend_prepare_opts opts;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  opts.landmarks = request->landmarks;
  opts.costs = request->search.costs;
  opts.edits = request->sliced;
  opts.costs.edge = NULL; /* tables are of prices: functions of edges can only raise them, or make no promise */
  if (!wend_map_can_prepare(request->g->map, &opts.costs)) return raise_full(L);
  p->work = wend_preparation_create(request->g->map, &opts);
  if (p->work == NULL) return lwend_no_memory(L);
  p->status = request->status = WEND_RUNNING;
  if (request->sliced) return 0;
  p->busy = true;
  if (request->threads > 1) search_by_threads(L, request, p);
  while (p->status == WEND_RUNNING) {
    work_on(L, p, lua_isnil(L, LWEND_PROGRESS) ? UINT64_MAX : TOLD_PLACES);
    if (!lua_isnil(L, LWEND_PROGRESS))
      tell_share(L, request, p->status == WEND_RUNNING ? wend_preparation_progress(p->work) : 1);
  }
  p->busy = false;
  return 0;
}

static void undo_prepare(lwend_request *request) {
  lwend_preparation *p = request->subject;
  free_work(p);
  p->busy = false;
  lwend_forget_search(request);
}

/* map:prepare([opts]) -> report, or a preparation; or nil, message, "stale" */
int lwend_map_prepare(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_map(L);
  lwend_preparation *p;
  lwend_request request;
  int object, results;
  /* Read. */
  lua_settop(L, 2);
  lwend_request_start(L, &request, g, 1);
  lwend_read_options(L, &request, 2, LWEND_FOR_PREPARE);
  if (request.sliced && !lua_isnil(L, request.frame + LWEND_PROGRESS))
    return luaL_error(L, "on_progress is not called by a preparation in slices: call its method progress");
  if (request.sliced && request.threads > 1)
    return luaL_error(L, "threads is not for a preparation in slices: the caller decides when it works");
  p = lwend_new(L, sizeof *p, &state->types.preparation);
  object = lua_gettop(L);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lwend_setanchor(L, object);
  lwend_check_costs(L, &request);
  lua_createtable(L, 0, 5);
  fill_prepare_report(L, p); /* so that memory cannot run out when the map has its tables */
  /* Check. lwend_call checks again that the map exists. */
  if (lwend_check_alive(L, g)->kept) lwend_check_unlocked(L, g);
  else lwend_check_own(L, g);
  /* Act. */
  p->map = g;
  request.subject = p;
  results = lwend_call(L, &request, protected_prepare, undo_prepare);
  if (results > 0) return results;
  lua_settop(L, object + 1); /* the report */
  lwend_gc_step(L, state);
  if (request.sliced) lua_settop(L, object);
  else fill_prepare_report(L, p);
  return 1;
}

/* ---- What is prepared --------------------------------------------------------------------------------------- */

static int protected_prepared(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  wend_prepared_info info;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  if (!wend_map_prepared(request->g->map, &request->search.costs, &info)) return lwend_nil(L);
  lua_createtable(L, 0, 7);
  if (info.reason != WEND_PREPARED_USED) {
    lua_pushstring(L, reasons[info.reason]);
    lua_setfield(L, -2, "reason");
  }
  lwend_set_whole(L, "landmarks", info.landmarks);
  lwend_set_whole(L, "bytes", info.bytes);
  lwend_set_number(L, "scale", info.share);
  lwend_set_number(L, "slack", info.slack);
  lwend_set_flag(L, "own", info.own);
  lwend_set_flag(L, "used", info.reason == WEND_PREPARED_USED);
  return 1;
}

/* map:prepared([opts]) -> table, or nil: it is not prepared; or nil, message, "stale" */
int lwend_map_prepared(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_PREPARED, false, protected_prepared, NULL};
  return lwend_ask_map(L, lwend_check_map(L), &query);
}

static int protected_unprepare(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  wend_map_unprepare(request->g->map, lua_isnil(L, LWEND_COSTS) ? NULL : &request->search.costs);
  return 0;
}

/* map:unprepare([opts]) -> map; or nil, message, "stale" */
int lwend_map_unprepare(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_UNPREPARE, false, protected_unprepare, NULL};
  int results;
  lwend_check_unlocked(L, lwend_check_map(L));
  results = lwend_ask_map(L, lwend_check_map(L), &query);
  return results > 0 ? results : lwend_self(L);
}

/* ---- Preparations in slices --------------------------------------------------------------------------------- */

/* The preparation at index, for methods: self. Raises if its map was freed. */
static lwend_preparation *check_preparation(lua_State *L, int index) {
  lwend_preparation *p = lwend_check_self(L, index, &lwend_state_of(L)->types.preparation);
  if (p->map == NULL || (p->work == NULL && p->status == WEND_RUNNING)) luaL_error(L, "the preparation is gone");
  else lwend_check_alive(L, p->map);
  return p;
}

/* preparation:step(n) -> whether it is done */
static int preparation_step(lua_State *L) {
  lwend_preparation *p = check_preparation(L, 1);
  uint64_t places = 0;
  if (!lwend_towhole(L, 2, &places) || places == 0) lwend_type_error(L, 2, "n", "a whole number >= 1");
  lwend_check_unlocked(L, p->map);
  if (p->status == WEND_RUNNING) work_on(L, p, places);
  lwend_gc_step(L, lwend_state_of(L));
  if (p->status == WEND_STALE) return raise_full(L);
  if (p->status == WEND_NO_MEMORY) luaL_error(L, "the preparation has run out of memory: begin another one");
  return lwend_flag(L, p->status == WEND_OK);
}

/* preparation:progress() -> the share that is done, 0 to 1 */
static int preparation_progress(lua_State *L) {
  const lwend_preparation *p = check_preparation(L, 1);
  return lwend_number(L, p->work != NULL ? wend_preparation_progress(p->work) : p->status == WEND_OK);
}

/* preparation:report() -> report, or nil: it is not done */
static int preparation_report(lua_State *L) {
  const lwend_preparation *p = check_preparation(L, 1);
  if (p->status != WEND_OK) return lwend_nil(L);
  lua_createtable(L, 0, 5);
  fill_prepare_report(L, p);
  return 1;
}

/* tostring(preparation) -> "wend.Preparation (50 %)", or with (done), (no room) or (out of memory) */
static int preparation_tostring(lua_State *L) {
  const lwend_preparation *p = check_preparation(L, 1);
  if (p->work != NULL) lua_pushfstring(L, "wend.Preparation (%d %%)", (int)(wend_preparation_progress(p->work) * 100));
  else
    lua_pushfstring(L, "wend.Preparation (%s)",
                    p->status == WEND_OK      ? "done"
                    : p->status == WEND_STALE ? "no room"
                                              : "out of memory");
  return 1;
}

void lwend_open_prepare(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"progress", preparation_progress}, {"report", preparation_report}, {"step", preparation_step}, {NULL, NULL}};
  lwend_type(L, "wend.Preparation", "a preparation", state, methods, preparation_gc, preparation_tostring,
             &state->types.preparation);
}
