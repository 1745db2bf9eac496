/* SPDX-License-Identifier: MIT */
/* wend.Follower and wend.curve, for lua/wend/move/follow.lua and lua/wend/move/curve.lua.
 *
 * A follower is a table with the fields x, y, z, heading, leg, done and speed, which scripts read, and `handle`: a userdata with
 * the follower of the core. Each method reads the speed, calls the core, and writes the fields. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/move/course.h"
#include "lua/move/move.h"

/* The upvalues of all functions here: the names of the fields that every update needs. */
enum { NAME_HANDLE = 2, NAME_SPEED, NAME_X, NAME_Y, NAME_Z, NAMES_END };

/* The anchor of a handle. */
enum { KEPT_MAP = 1, KEPT_CLEAR, KEPT_POINTS };

typedef struct lwend_follower {
  wend_follower *follower; /* NULL: it was freed */
  lwend_map *g;            /* NULL: none */
  lwend_clear clear;
  bool asks;      /* it has the option clear */
  bool asking;    /* that is running */
  bool calling;   /* on_point is running */
  double heading; /* the values in the fields */
  uint32_t leg;
  bool done;
} lwend_follower;

/* What a call does with the core. */
typedef enum follow_call {
  FOLLOW_START,
  FOLLOW_GO,
  FOLLOW_UPDATE,
  FOLLOW_GO_ON,
  FOLLOW_REMAINING,
  FOLLOW_LINE,
  FOLLOW_CURVE /* wend.curve: it has no follower */
} follow_call;
typedef struct follow_job {
  lwend_job job;
  lwend_follower *h;
  follow_call call;
  double dt, number; /* number: the least spacing, or what remains */
  bool join;
  wend_course course;
  wend_curve_opts opts; /* of wend.curve */
  lwend_state *state;   /* only for a line */
  wend_polyline *line;  /* NULL: none; lent */
  uint32_t point;
  wend_status status;
} follow_job;

/* ---- Handles ------------------------------------------------------------------------------------------------ */

static lwend_follower *to_handle(lua_State *L, int index) { return lwend_toobject(L, index, &lwend_move_of(L)->follower); }

/* The follower at 1. Leaves its handle at index 2; arguments begin at 3. */
static lwend_follower *check_follower(lua_State *L) {
  lwend_follower *h = NULL;
  if (lua_istable(L, 1)) {
    lua_pushvalue(L, lua_upvalueindex(NAME_HANDLE));
    lua_rawget(L, 1);
    h = to_handle(L, -1);
    if (h != NULL && h->follower != NULL) {
      lua_insert(L, 2);
      return h;
    }
    lua_pop(L, 1);
    if (h != NULL) luaL_error(L, "the follower is gone");
  }
  lwend_type_error(L, 1, "self", "a follower (call it with a colon: follower:method())");
  return NULL;
}

/* The same. Raises while it asks `clear`. */
static lwend_follower *check_idle(lua_State *L) {
  lwend_follower *h = check_follower(L);
  if (h->asking) luaL_error(L, "clear cannot use the follower that asks it");
  return h;
}

/* Tells the core if the map was freed. */
static void look_at_map(lua_State *L, lwend_follower *h) {
  if (h->g == NULL) return;
  if (h->g->map != NULL) {
    lwend_check_alive(L, h->g);
  } else {
    wend_follower_forget_map(h->follower);
    h->g = NULL;
  }
}

/* Writes the fields of the follower at 1 that have changed. all: writes all. */
static void show(lua_State *L, lwend_follower *h, bool all) {
  const wend_follower_place *place = wend_follower_where(h->follower);
  for (int d = 0; d < h->clear.dimensions; d++) {
    lua_pushvalue(L, lua_upvalueindex(NAME_X + d));
    lua_pushnumber(L, place->position[d]);
    lua_rawset(L, 1);
  }
  if (all || place->heading != h->heading || (place->heading == 0 && signbit(place->heading) != signbit(h->heading))) {
    h->heading = place->heading;
    lua_pushliteral(L, "heading");
    lua_pushnumber(L, place->heading);
    lua_rawset(L, 1);
  }
  if (all || place->leg != h->leg) {
    h->leg = place->leg;
    lua_pushliteral(L, "leg");
    lwend_pushwhole(L, place->leg);
    lua_rawset(L, 1);
  }
  if (all || place->done != h->done) {
    h->done = place->done;
    lua_pushliteral(L, "done");
    lua_pushboolean(L, place->done);
    lua_rawset(L, 1);
  }
}

/* ---- Calls of the core -------------------------------------------------------------------------------------- */

/* A line that no other call uses; NULL: no memory. It is given back by return_line. */
static wend_polyline *lend_line(lwend_state *state) {
  wend_polyline *line = lwend_move_in(state)->polyline;
  lwend_move_in(state)->polyline = NULL;
  return line != NULL ? line : wend_polyline_create(&state->alloc);
}

static void return_line(lwend_state *state, wend_polyline *line) {
  wend_polyline_destroy(lwend_move_in(state)->polyline);
  lwend_move_in(state)->polyline = line;
}

static void call_core(follow_job *job) {
  wend_follower *f = job->h->follower;
  if (job->call >= FOLLOW_LINE && (job->line = lend_line(job->state)) == NULL) {
    job->status = WEND_NO_MEMORY;
    return;
  }
  switch (job->call) {
    case FOLLOW_START: job->status = wend_follower_start(f, &job->course, &job->number); break;
    case FOLLOW_GO: job->status = wend_follower_go(f, &job->course, job->join, &job->number); break;
    case FOLLOW_UPDATE: job->status = wend_follower_update(f, job->dt, &job->point); break;
    case FOLLOW_GO_ON: job->status = wend_follower_go_on(f, &job->point); break;
    case FOLLOW_REMAINING: job->status = wend_follower_remaining(f, &job->number); break;
    case FOLLOW_LINE: job->status = wend_follower_line(f, job->line); break;
    default: job->status = wend_curve_line(job->line, &job->course, &job->opts, &job->number); break;
  }
}

/* Slots: 1 the job, 2 the option clear. */
static int protected_follow(lua_State *L) {
  follow_job *job = lua_touserdata(L, 1);
  job->h->clear.L = L;
  job->h->clear.index = 2;
  call_core(job);
  return 0;
}

/* Runs a job with the option clear at stack index `clear`. False: it has raised the error at the top. Raises other failures. */
static bool try_job(lua_State *L, follow_job *job, int clear) {
  lwend_follower *h = job->h;
  bool failed = false;
  job->point = 0;
  job->line = NULL;
  if (!h->asks) {
    call_core(job);
  } else {
    lwend_state *state = lwend_state_of(L);
    lwend_check_depth(L, state);
    job->job.run = protected_follow;
    lwend_push_job(L, state, &job->job);
    lua_pushvalue(L, clear);
    h->asking = true;
    failed = lwend_protect(L, state, 2, 0) != 0;
    h->asking = false;
  }
  if (job->line != NULL && (failed || job->status != WEND_OK)) return_line(job->state, job->line);
  if (failed) return false;
  if (job->status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (job->status == WEND_ABORTED) luaL_error(L, "on_point sends the follower on without end");
  return true;
}

/* The same for methods, whose handle is at 2. Raises the errors of `clear` unchanged. */
static void do_job(lua_State *L, follow_job *job) {
  if (job->h->follower == NULL) luaL_error(L, "the follower is gone"); /* by a finalizer */
  if (job->h->asks) {
    lwend_pushanchor(L, 2);
    lua_rawgeti(L, -1, KEPT_CLEAR);
  }
  if (try_job(L, job, lua_gettop(L))) return;
  show(L, job->h, false);
  lua_error(L);
}

/* Returns false and the error at the top, which is one of the script: Lua raises it without the line of a caller. */
static int push_raised(lua_State *L) {
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/* Raises because the option spacing at index is too small. */
static int spacing_error(lua_State *L, double least, int spacing) {
  char text[40];
  snprintf(text, sizeof text, "%.3g", least * (1 + 1e-13));
  for (char *at = text; *at != 0; at++) {
    if (*at == ',') *at = '.'; /* of the locale */
  }
  return luaL_error(L, "spacing must be at least %s for these points, got %s", text, lwend_describe(L, spacing));
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

/* Pushes a handle without a follower. clear: stack index of the option, or 0. */
static lwend_follower *push_handle(lua_State *L, int clear) {
  lwend_state *state = lwend_state_of(L);
  lwend_follower *h = lwend_new(L, sizeof *h, &lwend_move_in(state)->follower);
  lua_createtable(L, KEPT_POINTS, 0);
  h->asks = clear != 0 && !lua_isnil(L, clear);
  if (h->asks) {
    lua_pushvalue(L, clear);
    lua_rawseti(L, -2, KEPT_CLEAR);
  }
  lwend_setanchor(L, lua_gettop(L) - 1);
  return h;
}

/* Keeps the value at index in the anchor of the handle. */
static void keep_value(lua_State *L, int handle, int place, int index) {
  lwend_pushanchor(L, handle);
  if (index == 0) lua_pushnil(L);
  else lua_pushvalue(L, index);
  lua_rawseti(L, -2, place);
  lua_pop(L, 1);
}

/* Copies paces from a list: tag, factor, stop, tag, ... Returns a userdata's memory; it stays on the stack. */
static wend_pace *read_paces(lua_State *L, int list, uint32_t *count) {
  wend_pace *paces;
  *count = (uint32_t)lua_rawlen(L, list) / 3;
  paces = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *paces);
  for (uint32_t i = 0; i < *count; i++) {
    lua_rawgeti(L, list, (int)(3 * i) + 1);
    lua_rawgeti(L, list, (int)(3 * i) + 2);
    lua_rawgeti(L, list, (int)(3 * i) + 3);
    if (lua_type(L, -3) != LUA_TSTRING) luaL_error(L, "no tag in a list of paces");
    paces[i].tag = lua_tolstring(L, -3, &paces[i].length); /* the list keeps it */
    paces[i].factor = lua_tonumber(L, -2);
    paces[i].stop = lua_toboolean(L, -1);
    lua_pop(L, 3);
  }
  return paces;
}

/* make(f, points, dimensions, speed, kind, spacing, loop, clear, paces, announces, links): gives a table the handle and the
 * fields of a follower. lua/wend/move/follow.lua has checked the options. links: nil: at once. */
static int follower_make(lua_State *L) {
  enum { SELF = 1, POINTS, DIMENSIONS, SPEED, KIND, SPACING, LOOP, CLEAR, PACES, ANNOUNCES, LINKS, PACE_MEMORY, HANDLE };
  static const char *const ways_over_links[] = {"jump", "cost", "walk", NULL}; /* as in wend_follow_links */
  lwend_state *state = lwend_state_of(L);
  wend_follow_opts opts;
  follow_job job;
  const wend_tag_cost *tags = NULL;
  uint32_t tag_count = 0;
  lua_settop(L, LINKS);
  luaL_checktype(L, SELF, LUA_TTABLE);
  lwend_check_clear(L, CLEAR, "clear");
  memset(&opts, 0, sizeof opts);
  memset(&job, 0, sizeof job);
  opts.speed = lua_tonumber(L, SPEED);
  opts.kind = (wend_curve_kind)lua_tointeger(L, KIND);
  opts.spacing = lua_tonumber(L, SPACING);
  opts.loop = lua_toboolean(L, LOOP), opts.announces = lua_toboolean(L, ANNOUNCES);
  if (!lua_isnil(L, LINKS)) opts.links = (wend_follow_links)lwend_check_choice(L, LINKS, "links", ways_over_links, "");
  if (lua_istable(L, PACES)) opts.paces = read_paces(L, PACES, &opts.pace_count);
  else lua_pushnil(L);
  job.h = push_handle(L, CLEAR);
  if (job.h->asks) opts.clear = lwend_ask_clear, opts.clear_ud = &job.h->clear;
  job.h->follower = wend_follower_create(&state->alloc, &opts);
  if (job.h->follower == NULL) lwend_no_memory(L);
  job.call = FOLLOW_START;
  if (opts.links == WEND_FOLLOW_COST) tags = lwend_push_path_tags(L, POINTS, &tag_count);
  job.h->g = lwend_read_course(L, POINTS, (int)lua_tointeger(L, DIMENSIONS), &job.course);
  job.h->clear.dimensions = job.course.dimensions;
  keep_value(L, HANDLE, KEPT_MAP, lua_gettop(L));
  job.course.tags = tags, job.course.tag_count = tag_count;
  if (!try_job(L, &job, CLEAR)) return push_raised(L);
  if (job.status != WEND_OK) return spacing_error(L, job.number, SPACING);
  lua_pushliteral(L, "handle");
  lua_pushvalue(L, HANDLE);
  lua_rawset(L, SELF);
  show(L, job.h, true);
  lua_settop(L, SELF);
  lwend_gc_step(L, state);
  return 1;
}

static int follower_gc(lua_State *L) {
  lwend_follower *h = to_handle(L, 1);
  if (h == NULL || h->asking) return luaL_error(L, "self must be a follower that is not in use");
  wend_follower_destroy(h->follower);
  h->follower = NULL;
  return 0;
}

/* ---- Walking ------------------------------------------------------------------------------------------------ */

/* Takes the speed from the field of the follower at 1. Raises if a script has set it to something else than a speed. */
static void take_speed(lua_State *L, lwend_follower *h) {
  double speed;
  lua_pushvalue(L, lua_upvalueindex(NAME_SPEED));
  lua_rawget(L, 1);
  speed = lua_tonumber(L, -1);
  if (lua_type(L, -1) != LUA_TNUMBER || !(speed >= 0 && speed < INFINITY))
    lwend_type_error(L, -1, "speed", "a finite number >= 0");
  lua_pop(L, 1);
  wend_follower_set_speed(h->follower, speed);
}

static int push_place(lua_State *L, const lwend_follower *h) {
  const wend_follower_place *place = wend_follower_where(h->follower);
  for (int d = 0; d < h->clear.dimensions; d++) lua_pushnumber(L, place->position[d]);
  return h->clear.dimensions;
}

static void begin_update(lua_State *L, follow_job *job) {
  lwend_follower *h = check_idle(L);
  job->h = h;
  job->call = FOLLOW_UPDATE;
  job->dt = lua_tonumber(L, 3);
  if (lua_type(L, 3) != LUA_TNUMBER || !(job->dt >= 0 && job->dt < INFINITY)) {
    lua_settop(L, 3);
    lwend_type_error(L, 3, "dt", "a finite number >= 0");
  }
  take_speed(L, h);
  if (h->calling) luaL_error(L, "on_point cannot call update of its follower");
  look_at_map(L, h);
}

/* f:update(dt) -> x, y[, z], without on_point */
static int follower_update(lua_State *L) {
  follow_job job;
  begin_update(L, &job);
  do_job(L, &job);
  show(L, job.h, false);
  return push_place(L, job.h);
}

/* Notes that on_point begins or is over. Returns the point, or nil. */
static int announce(lua_State *L, follow_job *job) {
  show(L, job->h, false);
  job->h->calling = job->point > 0;
  if (job->point == 0) return 0;
  lwend_pushwhole(L, job->point);
  return 1;
}

/* step(f, dt) -> the point that it announces, or nil */
static int follower_step(lua_State *L) {
  follow_job job;
  begin_update(L, &job);
  do_job(L, &job);
  return announce(L, &job);
}

/* go_on(f, failed) -> the next point that it announces, or nil. failed: on_point has raised; the rest of the time is lost */
static int follower_go_on(lua_State *L) {
  follow_job job;
  job.h = check_idle(L);
  job.h->calling = false;
  if (lua_toboolean(L, 3)) return 0;
  job.call = FOLLOW_GO_ON;
  take_speed(L, job.h);
  look_at_map(L, job.h);
  do_job(L, &job);
  return announce(L, &job);
}

/* f:remaining() -> distance */
static int follower_remaining(lua_State *L) {
  follow_job job;
  job.h = check_idle(L);
  job.call = FOLLOW_REMAINING;
  do_job(L, &job);
  lua_pushnumber(L, job.number);
  return 1;
}

/* Takes the position and the heading from the fields of the follower at 1: a script may have set them. */
static void take_place(lua_State *L, lwend_follower *h) {
  static const char *const names[] = {"x", "y", "z", "heading"};
  double numbers[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    if (i == 2 && h->clear.dimensions == 2) continue;
    lua_pushstring(L, names[i]);
    lua_rawget(L, 1);
    numbers[i] = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !(numbers[i] >= -WEND_COORDINATE_MAX && numbers[i] <= WEND_COORDINATE_MAX))
      luaL_error(L, "%s of the follower must be a finite number (up to 1e150), got %s", names[i], lwend_describe(L, -1));
    lua_pop(L, 1);
  }
  wend_follower_put(h->follower, numbers, numbers[3]);
}

/* f:go(points[, { join }]) -> f */
static int follower_go(lua_State *L) {
  static const char *const names[] = {"join", NULL};
  follow_job job;
  const wend_tag_cost *tags = NULL;
  uint32_t tag_count = 0;
  lwend_map *g;
  int join, map;
  job.h = check_idle(L);
  lua_settop(L, 4);
  if (lua_isnil(L, 3) && lua_type(L, 4) == LUA_TSTRING) /* f:go(map:path(...)), and there is no path */
    luaL_error(L, "points must be a list of numbers, a path or a route, got nil: %s", lua_tostring(L, 4));
  if (lua_type(L, 3) == LUA_TNUMBER) lwend_type_error(L, 3, "points", "a list of numbers, a path or a route"); /* x, y */
  join = lwend_options(L, 4, names);
  job.join = lwend_check_boolean(L, join, "join");
  job.call = FOLLOW_GO;
  if (wend_follower_traits_of(job.h->follower).links == WEND_FOLLOW_COST) tags = lwend_push_path_tags(L, 3, &tag_count);
  if (job.h->follower == NULL) return luaL_error(L, "the follower is gone"); /* by a function of the script */
  take_place(L, job.h);
  g = lwend_read_course(L, 3, job.h->clear.dimensions, &job.course);
  map = lua_gettop(L);
  job.course.tags = tags, job.course.tag_count = tag_count;
  do_job(L, &job);
  if (job.status != WEND_OK) {
    lua_pushnumber(L, wend_follower_traits_of(job.h->follower).spacing);
    return spacing_error(L, job.number, lua_gettop(L));
  }
  job.h->g = g;
  keep_value(L, 2, KEPT_MAP, map);
  keep_value(L, 2, KEPT_POINTS, 0);
  show(L, job.h, false);
  lua_settop(L, 1);
  return 1;
}

/* f:pause() -> f */
static int follower_pause(lua_State *L) {
  wend_follower_pause(check_idle(L)->follower);
  lua_settop(L, 1);
  return 1;
}

/* announces(f, whether it has on_point) */
static int follower_announces(lua_State *L) {
  lwend_follower *h = check_idle(L);
  wend_follower_set_announces(h->follower, lua_toboolean(L, 3));
  return 0;
}

/* f:resume([x, y[, z]]) -> f */
static int follower_resume(lua_State *L) {
  lwend_follower *h = check_idle(L);
  double point[3] = {0, 0, 0};
  int after;
  if (lua_isnoneornil(L, 3) && lua_gettop(L) <= 3) {
    (void)wend_follower_resume(h->follower);
  } else {
    size_t length;
    if (h->clear.dimensions == 2 && lua_istable(L, 3) && lua_rawlen(L, 3) > 2) {
      luaL_error(L, "a position of this follower has 2 numbers, got more");
    }
    after = lwend_check_point(L, 3, h->clear.dimensions, point);
    if (lua_gettop(L) >= after) luaL_error(L, "a position of this follower has %d numbers, got more", h->clear.dimensions);
    if (h->follower == NULL || wend_follower_waiting(h->follower, &length) == NULL)
      luaL_error(L, "the follower does not wait at a stop");
    (void)wend_follower_resume_at(h->follower, point);
    keep_value(L, 2, KEPT_POINTS, 0);
    show(L, h, false);
  }
  lua_settop(L, 1);
  return 1;
}

/* ---- Fields that are calculated ----------------------------------------------------------------------------- */

/* Pushes the list of the points of the legs, which is kept. */
static void push_points(lua_State *L, const lwend_follower *h) {
  const double *slots;
  uint32_t count;
  int dimensions = h->clear.dimensions;
  lwend_pushanchor(L, 2);
  lua_rawgeti(L, -1, KEPT_POINTS);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_newtable(L);
  count = wend_follower_points(h->follower, &slots);
  for (uint32_t i = 0; i < count; i++) {
    for (int d = 0; d < dimensions; d++) {
      lua_pushnumber(L, slots[4 * (size_t)i + 1 + (size_t)d]);
      lua_rawseti(L, -2, (int)i * dimensions + d + 1);
    }
  }
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, KEPT_POINTS);
}

static int push_id(lua_State *L, wend_id id) {
  if (id == WEND_NO_ID) lua_pushnil(L);
  else lwend_pushwhole(L, id);
  return 1;
}

/* field(f, name) -> the field of that name, or nil. Raises nothing. */
static int follower_field(lua_State *L) {
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  lwend_follower *h;
  const char *waiting;
  size_t length;
  lua_settop(L, 2);
  if (!lua_istable(L, 1)) return 0;
  lua_pushliteral(L, "handle");
  lua_rawget(L, 1);
  h = to_handle(L, 3);
  if (h == NULL || h->follower == NULL) return 0;
  lua_replace(L, 2); /* the handle; the name is a constant of its caller, or a value of its stack */
  look_at_map(L, h);
  waiting = wend_follower_waiting(h->follower, &length);
  if (strcmp(name, "edge") == 0) return push_id(L, wend_follower_edge(h->follower));
  if (strcmp(name, "node") == 0) return push_id(L, wend_follower_node(h->follower));
  if (strcmp(name, "paused") == 0) return lua_pushboolean(L, wend_follower_is_paused(h->follower)), 1;
  if (strcmp(name, "points") == 0) return push_points(L, h), 1;
  if (strcmp(name, "waiting") == 0 || (strcmp(name, "tag") == 0 && waiting != NULL && h->g != NULL && h->g->grid != NULL)) {
    if (waiting == NULL) lua_pushnil(L);
    else lua_pushlstring(L, waiting, length);
    return 1;
  }
  if (strcmp(name, "tag") != 0 || h->g == NULL) return 0;
  {
    const uint32_t tag = wend_follower_tag(h->follower);
    const char *text = tag <= wend_map_tag_count(h->g->map) ? wend_map_tag_name(h->g->map, tag, &length) : NULL;
    if (text == NULL) lua_pushnil(L);
    else lua_pushlstring(L, text, length);
  }
  return 1;
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

/* A call that fills a table with a line. The line is a copy that no script reaches. */
typedef struct line_result {
  lwend_job job;
  wend_polyline *line;
  int dimensions;
  bool kept; /* with the legs that stay straight */
} line_result;

/* Slots: 1 the job, 2 the table. */
static int protected_fill(lua_State *L) {
  const line_result *result = lua_touserdata(L, 1);
  const double *points;
  const uint32_t *legs, *kept;
  const uint32_t count = wend_polyline_points(result->line, &points, &legs);
  const uint32_t kept_count = wend_polyline_kept(result->line, &kept);
  int list = lwend_push_list(L, 2, "legs", 0);
  for (uint32_t i = 0; i < count; i++) {
    for (int d = 0; d < result->dimensions; d++) {
      lua_pushnumber(L, points[3 * (size_t)i + (size_t)d]);
      lua_rawseti(L, 2, (int)i * result->dimensions + d + 1);
    }
    if (i + 1 == count) break;
    lwend_pushwhole(L, (uint64_t)(legs[i] + 1)); /* WEND_NONE + 1 is 0 */
    lua_rawseti(L, list, (int)i + 1);
  }
  lwend_cut_list(L, 2, count * (uint32_t)result->dimensions);
  lwend_cut_list(L, list, count > 0 ? count - 1 : 0);
  lua_pushliteral(L, "dimensions");
  lua_pushinteger(L, result->dimensions);
  lua_rawset(L, 2);
  if (!result->kept) {
    lua_pushliteral(L, "straight");
    lua_pushnil(L);
    lua_rawset(L, 2);
    return 0;
  }
  list = lwend_push_list(L, 2, "straight", 0);
  for (uint32_t i = 0; i < kept_count; i++) {
    lwend_pushwhole(L, (uint64_t)kept[i] + 1);
    lua_rawseti(L, list, (int)i + 1);
  }
  lwend_cut_list(L, list, kept_count);
  return 0;
}

/* Fills the table at index with the line of a job, and gives the line back. */
static void fill_list(lua_State *L, const follow_job *job, int index, bool kept) {
  line_result result;
  int failed;
  result.line = job->line, result.dimensions = job->h->clear.dimensions, result.kept = kept;
  result.job.run = protected_fill;
  lwend_push_job(L, job->state, &result.job);
  lua_pushvalue(L, index);
  failed = lwend_protect(L, job->state, 2, 0);
  return_line(job->state, job->line);
  if (failed) lua_error(L);
}

/* f:line() -> the points along its way */
static int follower_line(lua_State *L) {
  follow_job job;
  job.h = check_idle(L);
  lua_settop(L, 2);
  lua_newtable(L);
  job.call = FOLLOW_LINE, job.state = lwend_state_of(L);
  do_job(L, &job);
  fill_list(L, &job, 3, false);
  lua_settop(L, 3);
  return 1;
}

/* curve(points, dimensions, kind, spacing, loop, clear, into) -> into, filled. lua/wend/move/curve.lua has checked the options. */
static int make_curve(lua_State *L) {
  enum { POINTS = 1, DIMENSIONS, KIND, SPACING, LOOP, CLEAR, INTO };
  lwend_follower none;
  follow_job job;
  lua_settop(L, INTO);
  luaL_checktype(L, INTO, LUA_TTABLE);
  lwend_check_clear(L, CLEAR, "clear");
  memset(&none, 0, sizeof none);
  memset(&job, 0, sizeof job);
  job.h = &none, job.call = FOLLOW_CURVE, job.state = lwend_state_of(L);
  job.opts.kind = (wend_curve_kind)lua_tointeger(L, KIND);
  job.opts.spacing = lua_tonumber(L, SPACING);
  job.opts.loop = lua_toboolean(L, LOOP);
  (void)lwend_read_course(L, POINTS, (int)lua_tointeger(L, DIMENSIONS), &job.course);
  none.clear.dimensions = job.course.dimensions;
  none.asks = !lua_isnil(L, CLEAR);
  if (none.asks) job.opts.clear = lwend_ask_clear, job.opts.clear_ud = &none.clear;
  if (!try_job(L, &job, CLEAR)) return push_raised(L);
  if (job.status != WEND_OK) return spacing_error(L, job.number, SPACING);
  fill_list(L, &job, INTO, none.asks);
  lua_settop(L, INTO);
  return 1;
}

/* ---- Bytes -------------------------------------------------------------------------------------------------- */

static wend_status encode_follower(lua_State *L, void *object, void *bytes, size_t *size) {
  const lwend_follower *h = object;
  if (h->follower == NULL) luaL_error(L, "the follower is gone");
  if (h->g != NULL) lwend_check_alive(L, h->g);
  return wend_follower_encode(h->follower, bytes, size);
}

/* f:encode() -> string */
static int follower_encode(lua_State *L) {
  lwend_follower *h = check_idle(L);
  if (h->g != NULL) lwend_check_alive(L, h->g);
  take_speed(L, h);
  take_place(L, h);
  return lwend_push_bytes(L, encode_follower, h);
}

/* show(f) -> f, after all its fields were written */
static int follower_show(lua_State *L) {
  show(L, check_follower(L), true);
  lua_settop(L, 1);
  return 1;
}

/* makes(function). wend.decode then calls it with a handle, on_point and the speed; it returns the follower */
static int follower_makes(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lwend_move_of(L)->follower_make_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

wend_status lwend_push_decoded_follower(lua_State *L, const lwend_request *request, const void *bytes, size_t size) {
  lwend_state *state = request->state;
  lwend_map *g = request->g;
  const int clear = request->frame + LWEND_CLEAR, on_point = request->frame + LWEND_PROGRESS, top = lua_gettop(L);
  lwend_follower *h = push_handle(L, clear);
  wend_follower_traits traits;
  wend_follower *made;
  wend_status status;
  if (lwend_move_in(state)->follower_make_ref == LUA_NOREF)
    luaL_error(L, "followers are read by the module wend: load it first");
  if (g != NULL) {
    keep_value(L, top + 1, KEPT_MAP, request->frame + LWEND_MAP);
    lwend_check_alive(L, g);
  }
  status = wend_follower_decode(&state->alloc, g != NULL ? g->map : NULL, g != NULL && g->grid != NULL ? &g->frame : NULL,
                                h->asks ? lwend_ask_clear : NULL, &h->clear, bytes, size, &made);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status == WEND_INVALID) luaL_error(L, "clear must be given: the follower had one");
  if (status == WEND_STALE && g == NULL) luaL_error(L, "map must be given: a follower belongs to one");
  if (status != WEND_OK) return status;
  h->follower = made;
  traits = wend_follower_traits_of(made);
  h->g = traits.map != NULL ? g : NULL;
  h->asks = traits.asks;
  h->clear.dimensions = traits.dimensions;
  if (traits.announces && lua_isnil(L, on_point)) luaL_error(L, "on_point must be given: the follower had one");
  lua_rawgeti(L, LUA_REGISTRYINDEX, lwend_move_in(state)->follower_make_ref);
  lua_pushvalue(L, top + 1);
  if (traits.announces) lua_pushvalue(L, on_point);
  else lua_pushnil(L);
  lua_pushnumber(L, traits.speed);
  lua_call(L, 3, 1);
  return WEND_OK;
}

bool lwend_read_follower(lua_State *L, lwend_request *request, int index) {
  const lwend_map *g = request->g;
  const lwend_follower *h;
  const double *place, *a, *b;
  double walked = 0, ahead = 0;
  wend_id edge;
  if (!lua_istable(L, index)) return false;
  lwend_getraw(L, index, "handle");
  h = lwend_toobject(L, -1, &lwend_move_in(request->state)->follower);
  lua_pop(L, 1);
  if (h == NULL) return false;
  if (h->follower == NULL) luaL_error(L, "from: the follower is gone");
  if (!lwend_are_related(h->g, g)) luaL_error(L, "from: the follower must go along a path or a route over this graph");
  request->from = wend_follower_ahead(h->follower, &request->behind);
  if (request->from == WEND_NO_ID) luaL_error(L, "from: the way of the follower has no node");
  if (!wend_graph_has_node(g->graph, request->from)) luaL_error(L, "from: the node ahead of the follower was removed");
  edge = wend_follower_edge(h->follower);
  if (request->behind == WEND_NO_ID || request->behind == request->from || !wend_graph_has_node(g->graph, request->behind) ||
      !wend_graph_has_edge(g->graph, edge))
    return true;
  a = wend_graph_position(g->graph, request->behind), b = wend_graph_position(g->graph, request->from);
  if (a == NULL || b == NULL) return true;
  place = wend_follower_where(h->follower)->position;
  for (int d = 0; d < wend_graph_dimensions(g->graph); d++) {
    walked += (place[d] - a[d]) * (place[d] - a[d]);
    ahead += (place[d] - b[d]) * (place[d] - b[d]);
  }
  walked = sqrt(walked), ahead = sqrt(ahead);
  request->left = walked > 0 ? ahead / (walked + ahead) : 1;
  if (!(request->left < 1)) request->from = request->behind; /* it has not left the node behind */
  else if (request->left > 0) request->along = edge;
  return true;
}

/* clearance(clear, clearance) -> walls with a clearance, for `clear` of curve and make */
static int follower_clearance(lua_State *L) {
  lua_settop(L, 2);
  lwend_set_clearance(L, 1, 2);
  return lwend_self(L);
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

void lwend_add_followers(lua_State *L, lwend_state *state) {
  static const luaL_Reg functions[] = {
      {"announces", follower_announces},
      {"clearance", follower_clearance},
      {"curve", make_curve},
      {"encode", follower_encode},
      {"field", follower_field},
      {"go_on", follower_go_on},
      {"line", follower_line},
      {"make", follower_make},
      {"makes", follower_makes},
      {"pause", follower_pause},
      {"remaining", follower_remaining},
      {"resume", follower_resume},
      {"go", follower_go},
      {"show", follower_show},
      {"step", follower_step},
      {"update", follower_update},
      {NULL, NULL},
  };
  static const char *const names[NAMES_END] = {NULL, NULL, "handle", "speed", "x", "y", "z"};
  lua_createtable(L, 0, (int)(sizeof functions / sizeof *functions) - 1);
  for (const luaL_Reg *function = functions; function->name != NULL; function++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    for (int i = NAME_HANDLE; i < NAMES_END; i++) lua_pushstring(L, names[i]);
    lua_pushcclosure(L, function->func, NAMES_END - 1);
    lua_setfield(L, -2, function->name);
  }
  lua_setfield(L, -2, "followers");
}

void lwend_open_follow(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_metatable(L, "wend.FollowerHandle", state, follower_gc, &lwend_move_in(state)->follower);
}
