/* SPDX-License-Identifier: MIT */
/* wend.Field. The anchor of a field is the list of the first slots of the request that made it: the map, and the options
 * costs, agent, cost and at_least. `relax` and `next` start a request with them again.
 *
 * Callbacks can reach the field while a call uses it. So a call that writes marks the field `busy`: nobody else may use
 * it. A call that reads counts itself in `readers`: nobody may change the field. `made` counts how often the field was
 * made; a call that finds another number than at its beginning raises. */
#include <stdio.h>
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/query/field.h"
#include "lua/query/slices.h"

lwend_field *lwend_tofield(lua_State *L, int index) { return lwend_toobject(L, index, &lwend_state_of(L)->types.field); }

/* Raises if f is NULL (the value at index is not a field), or cannot be used now. Returns f. */
static lwend_field *check_usable(lua_State *L, lwend_field *f, int index, const char *what, const char *wanted) {
  if (f == NULL) lwend_type_error(L, index, what, wanted);
  else if (f->busy) luaL_error(L, "the field is being worked out: its own callbacks cannot use it");
  else if (f->field == NULL || f->map == NULL || f->map->map == NULL) luaL_error(L, "the field is gone, or was never made");
  return f;
}

/* The field at index, for methods: self. */
static lwend_field *check_field(lua_State *L, int index) {
  return check_usable(L, lwend_check_self(L, index, &lwend_state_of(L)->types.field), index, "self", "");
}

/* Raises if the field cannot be changed now. Returns it. */
static lwend_field *check_changeable(lua_State *L, lwend_field *f) {
  if (f->readers > 0) luaL_error(L, "the field is in use: change it when the call that reads it is over");
  return f;
}

lwend_field *lwend_check_field(lua_State *L, int index, const lwend_map *g, lwend_direction direction, const char *what) {
  static const char *const made[] = {"", " made with `outward`", " made without `outward`"};
  lwend_field *f = lwend_tofield(L, index);
  if (f == NULL || f->map != g || (direction != LWEND_ANY_FIELD && f->opts.outward != (direction == LWEND_OUTWARD))) {
    char wanted[60];
    snprintf(wanted, sizeof wanted, "a field of this %s%s", g->noun, made[direction]);
    (void)check_usable(L, f, index, what, wanted);
    luaL_error(L, "%s must be %s, got another one", what, wanted);
  }
  return check_usable(L, f, index, what, "");
}

/* The field at index. Raises if it was changed by arithmetic and not relaxed since: its costs then lead to no goal. */
static lwend_field *check_leading(lua_State *L, int index) {
  lwend_field *f = check_field(L, index);
  if (wend_field_is_altered(f->field)) luaL_error(L, "the field was changed by arithmetic: call relax first");
  return f;
}

static int field_gc(lua_State *L) {
  lwend_field *f = lwend_check_self(L, 1, &lwend_state_of(L)->types.field);
  if (f->busy) return luaL_error(L, "the field is being worked out: its own callbacks cannot use it");
  (void)check_changeable(L, f);
  wend_field_destroy(f->field);
  f->field = NULL;
  return 0;
}

/* Spreads the cell at index if the field at 1 is of a grid. A script that runs meanwhile may do anything to the field: it is
 * checked again. */
static void spread_cell(lua_State *L, int index, const lwend_field *f) {
  if (f->map->grid == NULL || lua_type(L, index) == LUA_TNUMBER) return;
  lwend_spread_cell(L, index, f->map, "x");
  (void)check_field(L, 1);
}

/* The id of the node at index, or of the cell at index and index + 1. The field is at 1. */
static wend_id check_id(lua_State *L, int index, const lwend_field *f) {
  spread_cell(L, index, f);
  if (f->map->graph != NULL) return lwend_check_node(L, index, f->map, "node");
  return lwend_check_cell(L, index, f->map, "x", "y");
}

/* The same for a look-up. A cell outside the grid does not raise: WEND_NO_ID. */
static wend_id to_id(lua_State *L, int index, const lwend_field *f) {
  uint64_t x, y;
  if (f->map->graph != NULL) return lwend_check_node(L, index, f->map, "node");
  if (lwend_towhole(L, index, &x) && lwend_towhole(L, index + 1, &y)) {
    if (x - 1 >= wend_grid_width(f->map->grid) || y - 1 >= wend_grid_height(f->map->grid)) return WEND_NO_ID;
    return wend_grid_cell(f->map->grid, (uint32_t)x - 1, (uint32_t)y - 1);
  }
  if (lua_type(L, index) == LUA_TNUMBER && lua_type(L, index + 1) == LUA_TNUMBER) {
    double a = lua_tonumber(L, index), b = lua_tonumber(L, index + 1);
    if (floor(a) == a && floor(b) == b) return WEND_NO_ID; /* negative, or too large for any grid */
  }
  if (lua_type(L, index) != LUA_TNUMBER) { /* last, so that numbers are not slower */
    spread_cell(L, index, f);
    if (lua_type(L, index) == LUA_TNUMBER) return to_id(L, index, f);
  }
  return lwend_check_cell(L, index, f->map, "x", "y");
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

/* Raises if a field was made again since the request began. Returns it. */
static lwend_field *check_same(lua_State *L, const lwend_request *request, lwend_field *f) {
  if (f->busy || f->made != request->made || f->field == NULL) luaL_error(L, "the field was made anew meanwhile");
  return f;
}

/* From here to end_writing, nobody else can use the field. */
static void begin_writing(lua_State *L, lwend_request *request, lwend_field *f) {
  check_changeable(L, check_same(L, request, f))->busy = true;
  request->reading = true;
}

static void end_writing(lwend_request *request, lwend_field *f) {
  if (request->reading) f->busy = false;
  request->reading = false;
}

/* From here to end_reading_field, nobody can change the field. */
static void begin_reading_field(lua_State *L, lwend_request *request) {
  check_same(L, request, request->subject)->readers++;
  request->reading = true;
}

static void end_reading_field(lwend_request *request) {
  if (request->reading) ((lwend_field *)request->subject)->readers--;
  request->reading = false;
}

/* Whether the map has changed since the field was made. */
static bool is_behind(lua_State *L, const lwend_field *f) {
  return wend_field_version(f->field) != wend_map_version(lwend_check_alive(L, f->map)->map);
}

/* Checks the option values at index, which may be nil: a finite number for each goal. */
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

/* Pushes the field to make: the option into at index `into`, or a new field. */
static lwend_field *push_field(lua_State *L, const lwend_state *state, int into) {
  lwend_field *f;
  if (lua_isnil(L, into)) return lwend_new(L, sizeof *f, &state->types.field);
  f = lwend_tofield(L, into);
  if (f == NULL) lwend_type_error(L, into, "into", "a field");
  lua_pushvalue(L, into);
  return f;
}

/* Pushes nil, a message and the code of a field that was not made. Returns 3. */
static int push_undone(lua_State *L, const lwend_request *request) {
  return lwend_push_failed(L, "the field is not done within the budget", request->status);
}

/* Raises if the field at index, the option into, cannot be made now. */
static void check_target(lua_State *L, lwend_field *f) {
  if (f->busy) luaL_error(L, "into: the field is being worked out: its own callbacks cannot use it");
  (void)check_changeable(L, f);
  if (f->field == NULL && f->map != NULL) luaL_error(L, "into: the field is gone");
}

/* Pushes the anchor of a field at index `object`, with room for the slots that it keeps. */
static void push_field_anchor(lua_State *L, const lwend_field *f, int object) {
  if (f->made > 0) { /* a reused field has a list already */
    lwend_pushanchor(L, object);
  } else {
    lua_createtable(L, LWEND_KEPT - LWEND_MAP + 1, 0);
    lua_pushvalue(L, -1);
    lwend_setanchor(L, object);
  }
}

/* The options of the core for the field that a request makes. */
static wend_field_opts field_opts(const lwend_request *request) {
  wend_field_opts opts = wend_field_opts_default();
  opts.costs = request->search.costs;
  opts.max_expanded = request->search.max_expanded;
  opts.max_cost = request->search.max_cost;
  opts.turns = request->search.turns;
  opts.outward = request->outward;
  opts.ends.closed = request->search.ends.closed;
  opts.ends = request->search.ends;
  opts.window = request->window;
  opts.freeze = request->search.freeze;
  opts.variation = request->search.variation, opts.seed = request->search.seed;
  return opts;
}

/* Describes the field that a request makes. */
static void describe_field(lwend_field *f, const lwend_request *request) {
  f->map = request->g;
  f->age = request->age;
  f->to = request->to;
  f->opts = field_opts(request);
  f->ranged = request->ranged;
  f->changed = false;
  f->made++;
}

/* Makes a cell that is the goal, at 2, two numbers. May run scripts. */
static void spread_goal(lua_State *L, const lwend_map *g) {
  if (g->grid != NULL && lwend_spread_cell(L, 2, g, NULL) && lua_istable(L, 2)) /* its x is a table */
    (void)lwend_check_cell(L, 2, g, "x", "y");
}

/* Checks the options of a field in turns. */
static void check_turns(lua_State *L, const lwend_request *request) {
  const wend_turns *turns = &request->search.turns;
  if (!(turns->per_turn > 0)) return;
  if (!lua_isnil(L, request->frame + LWEND_VALUES))
    luaL_error(L, "per_turn and values do not go together: leave one of the two options out");
  if (!request->outward && turns->rest < turns->per_turn)
    luaL_error(L, "rest is an option of outward fields: the costs to a goal are those of full turns");
  if (!request->outward && turns->any_last)
    luaL_error(L, "last_step = 'any' is an option of outward fields: the costs to a goal are those of steps that fit");
}

/* Reads the arguments from index 2 on. more: 0, or LWEND_FOR_SEARCH. */
static void read_field(lua_State *L, lwend_request *request, unsigned more) {
  const int into = request->frame + LWEND_FIELD;
  const bool listed = lua_istable(L, 2);
  int options = 3;
  if (!listed) {
    if (request->g->graph != NULL) request->to = lwend_check_node(L, 2, request->g, "goals");
    else request->to = lwend_check_cell(L, 2, request->g, "x", "y"), options = 4;
  }
  lwend_read_options(L, request, options, LWEND_FOR_FIELD | more);
  if (request->search.ends.closed && !lua_isnil(L, request->frame + LWEND_VALUES))
    luaL_error(L, "closed_goal and values do not go together: leave one of the two options out");
  check_turns(L, request);
  check_values(L, request->frame + LWEND_VALUES, listed ? lwend_check_goals(L, request, 2, "goals") : 1);
  if (!lua_isnil(L, into)) {
    lwend_field *f = lwend_tofield(L, into);
    if (f == NULL) lwend_type_error(L, into, "into", "a field");
    check_target(L, f);
  }
  lwend_check_costs(L, request);
}

/* Copies the list at LWEND_VALUES. A finalizer may have changed it since it was checked. */
void lwend_copy_values(lua_State *L, lwend_request *request, uint32_t count) {
  lwend_slices *work = request->subject;
  if (work->valued || lua_isnil(L, LWEND_VALUES)) return;
  LWEND_GROW(L, request->state, work->values, work->values_capacity, count);
  for (uint32_t i = 0; i < count; i++) {
    lua_rawgeti(L, LWEND_VALUES, (int)i + 1);
    lua_pushfstring(L, "values[%d]", (int)i + 1);
    work->values[i] = lwend_check_finite(L, -2, lua_tostring(L, -1));
    lua_pop(L, 2);
  }
  work->valued = true;
}

static void begin_field(lua_State *L, lwend_request *request) {
  lwend_slices *work = request->subject;
  const uint32_t count = lwend_goal_count(request);
  const wend_field_opts opts = field_opts(request);
  lwend_copy_values(L, request, count);
  if (work->field == NULL) work->field = wend_field_create(&request->state->alloc);
  if (work->field == NULL) lwend_no_memory(L);
  if (wend_field_begin(work->field, request->searcher->search, work->map, request->searcher->goals, work->values, count,
                       &opts) != WEND_OK)
    lwend_no_memory(L);
}

static uint64_t run_field(lua_State *L, lwend_request *request) {
  const lwend_slices *work = request->subject;
  uint64_t used;
  request->status = lwend_check_memory(L, wend_field_step(work->field, request->searcher->search, request->slice, &used));
  return used;
}

static int end_making(lua_State *L, lwend_request *request) {
  end_writing(request, ((lwend_slices *)request->subject)->target);
  return request->status == WEND_STALE ? lwend_push_stale(L, request) : 0;
}

const lwend_sliced_kind lwend_field_kind = {true, false, spread_goal, read_field, begin_field, run_field, end_making};

static int protected_make_field(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_slices *work = request->subject;
  begin_writing(L, request, work->target);
  return lwend_search_at_once(L, request, &lwend_field_kind, work);
}

static void free_values(lwend_slices *work, const wend_alloc *alloc) {
  if (work->values != NULL) alloc->resize(alloc->ud, work->values, work->values_capacity * sizeof *work->values, 0);
  work->values = NULL, work->values_capacity = 0;
  work->valued = false;
}

static void undo_make_field(lwend_request *request) {
  lwend_slices *work = request->subject;
  wend_search_reset(request->searcher->search);
  if (request->reading) wend_field_reset(work->field);
  end_writing(request, work->target);
  free_values(work, &request->state->alloc);
}

/* graph:field(node or list[, opts]), grid:field(x, y[, opts]), grid:field(cell[, opts]), grid:field(goals[, opts]) -> field; or
 * nil, message, "budget" or "stale" */
int lwend_map_field(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g = lwend_check_map(L);
  lwend_request request;
  lwend_slices work;
  lwend_field *f;
  int object, results;
  /* Read. */
  spread_goal(L, g);
  lua_settop(L, 4);
  lwend_request_start(L, &request, g, 1);
  read_field(L, &request, 0);
  f = push_field(L, state, request.frame + LWEND_FIELD);
  object = lua_gettop(L);
  push_field_anchor(L, f, object);
  /* Check. */
  check_target(L, f);
  lwend_check_depth(L, state);
  if (f->field == NULL) f->field = wend_field_create(&state->alloc);
  if (f->field == NULL) lwend_no_memory(L);
  /* Act. */
  lwend_save_slots(L, &request, LWEND_KEPT);
  wend_field_reset(f->field); /* its old contents may belong to another map */
  describe_field(f, &request);
  memset(&work, 0, sizeof work);
  work.target = f, work.field = f->field;
  request.subject = &work;
  request.made = f->made;
  results = lwend_call(L, &request, protected_make_field, undo_make_field);
  free_values(&work, &state->alloc);
  lwend_gc_step(L, state);
  if (request.status == WEND_STALE) return results;
  if (request.status != WEND_OK) return push_undone(L, &request);
  lua_settop(L, object);
  return 1;
}

/* ---- Making in slices --------------------------------------------------------------------------------------- */

/* The field is made in memory of the search, so a script never sees it unfinished. search:result moves it into the field of the
 * option into, which keeps its old contents until then, or into a new one. */

/* Whether the search at `list`, its anchor, has handed out its field: pushes that. Otherwise pushes nothing. */
static bool push_handed_out(lua_State *L, int list) {
  lua_rawgeti(L, list, LWEND_FIELD_AT + 1);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

int lwend_answer_field(lua_State *L, lwend_request *request, int self) {
  lwend_state *state = request->state;
  lwend_slices *work = request->subject;
  lwend_field *f;
  int list, object;
  if (request->status == WEND_STALE) return lwend_push_stale(L, request);
  if (request->status != WEND_OK) return push_undone(L, request);
  /* Read. */
  lwend_pushanchor(L, self);
  list = lua_gettop(L);
  if (push_handed_out(L, list)) return 1;
  lua_rawgeti(L, list, LWEND_FIELD_AT);
  f = push_field(L, state, list + 1);
  object = lua_gettop(L);
  push_field_anchor(L, f, object);
  /* Check. A finalizer may have called search:result, or freed the search. */
  if (push_handed_out(L, list)) return 1;
  if (work->field == NULL) luaL_error(L, "the search is gone");
  check_target(L, f);
  /* Act. */
  lwend_save_slots(L, request, LWEND_KEPT);
  wend_field_destroy(f->field);
  f->field = work->field;
  work->field = NULL;
  describe_field(f, request);
  lua_settop(L, object);
  lua_pushvalue(L, object);
  lua_rawseti(L, list, LWEND_FIELD_AT + 1); /* the list has room for it */
  lwend_gc_step(L, state);
  return 1;
}

void lwend_slices_free(lwend_slices *work, const wend_alloc *alloc) {
  wend_field_destroy(work->field);
  work->field = NULL;
  free_values(work, alloc);
}

size_t lwend_slices_bytes(const lwend_slices *work) {
  return (work->field != NULL ? wend_field_bytes(work->field) : 0) + work->values_capacity * sizeof *work->values;
}

/* ---- Looking up -------------------------------------------------------------------------------------------- */

/* field:cost(node), field:cost(x, y) -> number, or nil: not reached */
static int field_cost(lua_State *L) {
  const lwend_field *f = check_field(L, 1);
  wend_id at = to_id(L, 2, f);
  double cost;
  return at == WEND_NO_ID || !wend_field_cost(f->field, at, &cost) ? lwend_nil(L) : lwend_number(L, cost);
}

/* Pushes an id, as lwend_push_id does; nil for WEND_NO_ID. Returns the number of values. */
static int push_answer(lua_State *L, const lwend_map *g, wend_id id) {
  if (id != WEND_NO_ID) return lwend_push_id(L, g, id);
  return lwend_nil(L);
}

/* Starts a request with the slots that the field at 1 keeps. Compiles the profile again: it may have changed. */
static void start_again(lua_State *L, lwend_request *request, lwend_field *f) {
  lwend_request_resume(L, request, f->map, 1, LWEND_KEPT);
  lwend_check_costs(L, request);
  request->subject = f;
  request->made = f->made;
}

/* Raises if the field has no paths. */
static void check_paths(lua_State *L, const lwend_field *f) {
  if (!wend_field_leads(f->field))
    luaL_error(L, "a field with per_turn has no paths if an edge rule or influence is given: ask the %s for the path",
               f->map->noun);
}

static int protected_lowest(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const lwend_field *f = request->subject;
  begin_reading_field(L, request);
  if (!lwend_request_ready(L, request)) {
    end_reading_field(request);
    return lwend_push_stale(L, request);
  }
  request->to = WEND_NO_ID;
  lwend_check_memory(L, wend_field_lowest(f->field, request->g->map, &request->search.costs, request->from, &request->to));
  end_reading_field(request);
  return push_answer(L, request->g, request->to);
}

/* field:next(node) -> node or nil; field:next(x, y) -> x, y or nil; after arithmetic also nil, message, "stale" */
static int field_next(lua_State *L) {
  lwend_field *f = check_field(L, 1);
  wend_id at = to_id(L, 2, f);
  lwend_request request;
  check_paths(L, f);
  if (at == WEND_NO_ID) return lwend_nil(L);
  if (!wend_field_is_altered(f->field)) return push_answer(L, f->map, wend_field_next(f->field, at));
  start_again(L, &request, f);
  request.from = at;
  return lwend_call(L, &request, protected_lowest, end_reading_field);
}

/* field:goal(node) -> node or nil; field:goal(x, y) -> x, y or nil: not reached */
static int field_goal(lua_State *L) {
  const lwend_field *f = check_leading(L, 1);
  wend_id at = to_id(L, 2, f);
  check_paths(L, check_leading(L, 1)); /* again: reading the cell may have run a script */
  return push_answer(L, f->map, at == WEND_NO_ID ? at : wend_field_goal(f->field, at));
}

static int protected_field_path(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const lwend_field *f = request->subject;
  begin_reading_field(L, request);
  if (wend_field_is_altered(f->field)) luaL_error(L, "the field was changed by arithmetic: call relax first");
  check_paths(L, f);
  request->search.turns = f->opts.turns;
  request->version = wend_field_version(f->field);
  request->status = lwend_check_memory(L, wend_field_path(f->field, request->searcher->search, request->g->map, request->from));
  request->search.ends.closed = f->opts.ends.closed;
  request->ranged = f->ranged;
  end_reading_field(request); /* the path is now in the searcher */
  lwend_check_nodes(request);
  if (request->status == WEND_OK) {
    if (request->search.corners) wend_search_keep_corners(request->searcher->search, request->g->grid);
    lwend_push_path(L, request);
    return 1;
  }
  request->to = f->to;
  if (f->opts.outward) request->to = request->from, request->from = f->to;
  lwend_empty_result(L, LWEND_INTO);
  return lwend_push_failure(L, request);
}

/* field:path(node[, { into }]), field:path(x, y[, { corners, into }]) -> path; or nil, message, "no_path" */
static int field_path(lua_State *L) {
  lwend_field *f = check_leading(L, 1);
  const wend_id at = check_id(L, 2, f);
  const int options = f->map->grid != NULL ? 4 : 3;
  lwend_request request;
  lua_settop(L, options);
  start_again(L, &request, f);
  lwend_read_options(L, &request, options, LWEND_FOR_READY_PATH | LWEND_FOR_FIELD_PATH);
  request.age = f->age; /* the path has the costs of the field */
  request.from = at;
  return lwend_call(L, &request, protected_field_path, end_reading_field);
}

/* ---- Updating ----------------------------------------------------------------------------------------------- */

/* After an error of relax. */
static void undo_writing(lwend_request *request) {
  wend_search_reset(request->searcher->search);
  end_writing(request, request->subject);
}

/* After an error of update, in the middle: the field is empty. */
static void undo_update(lwend_request *request) {
  if (request->reading) wend_field_reset(((lwend_field *)request->subject)->field);
  undo_writing(request);
}

int lwend_raise_unknown(lua_State *L) {
  return luaL_error(L, "a field that was read from bytes does not know its goals, nor one with sight: make it again");
}

lwend_field *lwend_check_updatable(lua_State *L, lwend_field *f) {
  check_changeable(L, check_usable(L, f, 1, "field", ""));
  if (f->changed) luaL_error(L, "arithmetic has changed the field: make it again, with the option into");
  return f;
}

lwend_map *lwend_check_field_map(lua_State *L, int index) {
  return check_usable(L, lwend_tofield(L, index), index, "field", "a field")->map;
}

void lwend_note_update(lwend_field *f, const lwend_request *request) {
  f->age = request->age;
  f->made++, f->updates++;
}

static int protected_update(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_field *f = request->subject;
  uint32_t changed;
  bool rebuilt;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  begin_writing(L, request, f);
  request->status =
      wend_field_update(f->field, request->searcher->search, request->g->map, &request->search.costs, &changed, &rebuilt);
  (void)lwend_check_memory(L, request->status);
  end_writing(request, f);
  if (request->status == WEND_STALE) return lwend_push_stale(L, request);
  if (request->status == WEND_INVALID) lwend_raise_unknown(L);
  lwend_pushwhole(L, changed);
  lua_pushboolean(L, rebuilt);
  return 2;
}

/* field:update() -> changed, rebuilt; or nil, message, "stale" */
static int field_update(lua_State *L) {
  lwend_field *f = lwend_check_updatable(L, check_field(L, 1));
  lwend_request request;
  int results;
  lua_settop(L, 1);
  start_again(L, &request, f);
  results = lwend_call(L, &request, protected_update, undo_update);
  if (request.status == WEND_OK) lwend_note_update(f, &request);
  lwend_gc_step(L, request.state);
  return results;
}

/* field:valid() -> boolean */
static int field_valid(lua_State *L) {
  lwend_field *f = check_field(L, 1);
  return lwend_flag(L, !is_behind(L, f) && !lwend_costs_are_stale(L, lwend_state_of(L), 1, &f->age));
}

static int protected_ask_again(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const lwend_field *f = request->subject;
  bool same, asked = false;
  begin_reading_field(L, request);
  same = lwend_request_ready(L, request) && wend_field_has_costs(f->field, request->g->map, &request->search.costs, &asked);
  end_reading_field(request);
  lua_pushboolean(L, same);
  lua_pushboolean(L, asked);
  return 2;
}

/* ask_again(field) -> whether the functions of tags answer what they answered when the field was made, and whether functions of
 * edges or layers decided costs too. For lua/wend/queue/shared.lua */
int lwend_ask_again(lua_State *L) {
  lwend_field *f = check_field(L, 1);
  lwend_request request;
  start_again(L, &request, f);
  return lwend_call(L, &request, protected_ask_again, end_reading_field);
}

/* The iterator of field:each. Upvalues: 1 the state, 2 the field, 3 the id that it returned last. */
static int next_reached(lua_State *L) {
  const lwend_field *f = check_field(L, lua_upvalueindex(2));
  wend_id at = WEND_NO_ID;
  double cost = 0;
  int pushed;
  (void)lwend_towhole(L, lua_upvalueindex(3), &at);
  at = wend_field_each(f->field, at);
  if (at == WEND_NO_ID || !wend_field_cost(f->field, at, &cost)) return lwend_nil(L);
  lwend_pushwhole(L, at);
  lua_replace(L, lua_upvalueindex(3));
  pushed = lwend_push_id(L, f->map, at);
  lua_pushnumber(L, cost);
  return pushed + 1;
}

/* field:each() -> iterator: node, cost; on a grid x, y, cost */
static int field_each(lua_State *L) {
  check_field(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lwend_pushwhole(L, WEND_NO_ID);
  lua_pushcclosure(L, next_reached, 3);
  return 1;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------- */

/* The factor at index: a finite number; 1 if it is nil. */
static double check_factor(lua_State *L, int index) {
  return lua_isnoneornil(L, index) ? 1 : lwend_check_finite(L, index, "factor");
}

/* field:add(other[, factor]) -> field */
static int field_add(lua_State *L) {
  lwend_field *f = check_changeable(L, check_field(L, 1));
  const lwend_field *other = check_usable(L, lwend_tofield(L, 2), 2, "other", "a field");
  const double factor = check_factor(L, 3);
  if (!lwend_are_related(other->map, f->map))
    luaL_error(L, "other must be a field of the same %s, its base or another overlay", f->map->noun);
  wend_field_add(f->field, other->field, factor);
  f->changed = true;
  return lwend_self(L);
}

/* field:scale(factor) -> field */
static int field_scale(lua_State *L) {
  lwend_field *f = check_changeable(L, check_field(L, 1));
  wend_field_scale(f->field, lwend_check_finite(L, 2, "factor"));
  f->changed = true;
  return lwend_self(L);
}

static int protected_relax(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_field *f = request->subject;
  begin_writing(L, request, f);
  request->version = wend_field_version(f->field); /* any edit since the field was made makes the request stale */
  if (!lwend_request_ready(L, request)) {
    end_writing(request, f);
    return lwend_push_stale(L, request);
  }
  if (wend_field_relax(f->field, request->searcher->search, request->g->map, &request->search.costs) != WEND_OK)
    lwend_no_memory(L);
  request->status = WEND_OK;
  end_writing(request, f);
  return 0;
}

/* field:relax() -> field; or nil, message, "stale" */
static int field_relax(lua_State *L) {
  lwend_field *f = check_changeable(L, check_field(L, 1));
  lwend_request request;
  int results;
  lua_settop(L, 1);
  if (f->opts.turns.per_turn > 0) luaL_error(L, "a field with per_turn cannot be relaxed");
  if (is_behind(L, f)) {
    lua_pushnil(L);
    lua_pushfstring(L, "the %s has changed since the field was made", f->map->noun);
    lua_pushstring(L, wend_status_code(WEND_STALE));
    return 3;
  }
  start_again(L, &request, f);
  results = lwend_call(L, &request, protected_relax, undo_writing);
  lwend_gc_step(L, request.state);
  if (request.status == WEND_STALE) return results;
  return lwend_self(L);
}

/* field:bytes() -> number of bytes that the field uses */
static int field_bytes(lua_State *L) { return lwend_whole(L, wend_field_bytes(check_field(L, 1)->field)); }

/* tostring(field) -> "wend.Field (45 reached)" */
static int field_tostring(lua_State *L) {
  const lwend_field *f = check_field(L, 1);
  lua_pushfstring(L, "wend.Field (%d reached)", (int)wend_field_count(f->field));
  return 1;
}

/* ---- Bytes -------------------------------------------------------------------------------------------------- */

static wend_status encode_field(void *object, void *bytes, size_t *size) {
  const lwend_field *f = object;
  return wend_field_encode(f->field, f->map->map, bytes, size);
}

/* field:encode() -> string; or nil, message, "stale" */
static int field_encode(lua_State *L) {
  lwend_field *f = check_field(L, 1);
  if (lwend_push_encoded(L, f->map, &f->readers, encode_field, f) == WEND_OK) return 1;
  return lwend_push_failed(L, "the map has changed since the field was made", WEND_STALE);
}

wend_status lwend_push_decoded_field(lua_State *L, lwend_request *request, const void *bytes, size_t size) {
  lwend_state *state = request->state;
  lwend_map *g = request->g;
  lwend_field *f = lwend_new(L, sizeof *f, &state->types.field);
  const int object = lua_gettop(L);
  wend_status status;
  f->field = wend_field_create(&state->alloc);
  if (f->field == NULL) lwend_no_memory(L);
  lwend_check_costs(L, request);
  lwend_keep_slots(L, request, object);
  lwend_note_tags(L, request->frame + LWEND_MAP, g);
  (void)lwend_check_alive(L, g); /* a finalizer may have freed the map */
  status = lwend_check_memory(L, wend_field_decode(f->field, g->map, bytes, size));
  if (status != WEND_OK) return status;
  f->map = g;
  f->age = request->age;
  f->to = WEND_NO_ID;
  f->opts = wend_field_opts_default();
  f->opts.outward = wend_field_is_outward(f->field);
  f->opts.window = wend_field_window(f->field);
  f->opts.turns = wend_field_turns(f->field);
  return WEND_OK;
}

void lwend_open_field(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"add", field_add},       {"bytes", field_bytes}, {"cost", field_cost}, {"each", field_each},   {"encode", field_encode},
      {"goal", field_goal},     {"next", field_next},   {"path", field_path}, {"relax", field_relax}, {"scale", field_scale},
      {"update", field_update}, {"valid", field_valid}, {NULL, NULL},
  };
  lwend_type(L, "wend.Field", "a field", state, methods, field_gc, field_tostring, &state->types.field);
}
