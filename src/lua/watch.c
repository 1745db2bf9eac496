/* SPDX-License-Identifier: MIT */
/* wend.Watch: tells which of many paths edits have touched. The core does this for the map (src/core/query/watch.c); this file
 * adds the profiles, and paths that are found again in the same table.
 *
 * The anchor of a watch is { map, paths, numbers }: paths[number + 1] is a path, or false, and numbers[path] is its number + 1, or
 * 0 if watch:add ran out of memory. Both have room before the core gets a path. The core has copies of the paths.
 * state->refills counts how often any held path was found again or emptied. If it has changed, each held path is compared with its
 * serial, and given to the core again if it is another one now.
 *
 * After the last allocation at the beginning of a call, no script runs: lua_rawset and lua_rawseti run no finalizers. */
#include "base/costs.h"
#include "base/trail.h"

typedef struct lwend_watch {
  wend_watch *watch; /* NULL: it was freed */
  lwend_map *map;
  uint64_t *held;              /* by number: the serial of the path that the core has, see lwend_trail */
  uint32_t held_capacity, top; /* top: greater than all numbers */
  uint64_t refills;
  const uint32_t *affected; /* the last answer of the core */
  uint32_t untold;          /* so many of it did not reach the script, because memory ran out */
  bool empty;               /* the table of a held path was empty at the last look */
  lwend_costs_age age;      /* seen: when the profiles were looked at last */
} lwend_watch;

enum { WATCH_MAP = 1, WATCH_PATHS, WATCH_NUMBERS };

/* The serial of a path that the core does not have, because its table is empty. */
#define NO_SERIAL UINT64_MAX

/* The watch at 1, whose map exists. Paths that could not be told are affected again. */
static lwend_watch *check_watch(lua_State *L) {
  lwend_watch *w = lwend_check_self(L, 1, &lwend_state_of(L)->types.watch);
  if (w->watch == NULL) luaL_error(L, "the watch is gone");
  while (w->untold > 0) wend_watch_mark(w->watch, w->affected[--w->untold]);
  (void)lwend_check_alive(L, w->map);
  return w;
}

/* wend.watch(map) -> watch */
int lwend_core_path_watch(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_watch *w;
  lwend_map *g;
  lua_settop(L, 1);
  g = lwend_check_anymap(L, 1);
  w = lwend_new(L, sizeof *w, &state->types.watch);
  lua_createtable(L, 3, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, 3, WATCH_MAP);
  lua_newtable(L);
  lua_rawseti(L, 3, WATCH_PATHS);
  lua_newtable(L);
  lua_rawseti(L, 3, WATCH_NUMBERS);
  lwend_setanchor(L, 2);
  w->map = lwend_check_alive(L, g);
  w->refills = state->refills;
  w->age.made = 1;
  lwend_costs_note_seen(state, &w->age);
  w->watch = wend_watch_create(&state->alloc, g->map);
  if (w->watch == NULL) return lwend_no_memory(L);
  return 1;
}

static int watch_gc(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_watch *w = lwend_check_self(L, 1, &state->types.watch);
  wend_watch_destroy(w->watch);
  if (w->held != NULL) state->alloc.resize(state->alloc.ud, w->held, w->held_capacity * sizeof *w->held, 0);
  w->watch = NULL;
  w->held = NULL;
  w->held_capacity = w->top = 0;
  return 0;
}

/* Copies the nodes or cells of the path at index to the list of goals of the searcher. Returns their number. A value that is
 * no node becomes WEND_NO_ID. *good: whether all are cells, or it is a graph. Allocates no Lua memory. */
static uint32_t read_ids(lua_State *L, int index, const lwend_map *g, bool *good) {
  lwend_state *state = lwend_state_of(L);
  lwend_searcher *searcher = &state->searchers[state->depth];
  const size_t count = lua_rawlen(L, index) / (g->grid != NULL ? 2 : 1);
  *good = true;
  if (count >= WEND_NONE / 2) lwend_no_memory(L);
  LWEND_GROW(L, state, searcher->goals, searcher->goals_capacity, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    wend_id *id = &searcher->goals[i];
    if (g->grid != NULL) {
      *id = lwend_listed_cell(L, index, g, (size_t)i + 1);
      *good = *good && *id != WEND_NO_ID;
    } else {
      lua_rawgeti(L, index, (int)i + 1);
      if (!lwend_towhole(L, -1, id)) *id = WEND_NO_ID;
      lua_pop(L, 1);
    }
  }
  return (uint32_t)count;
}

/* Gives the core the path at index, whose trail is t; t NULL: an empty path. number: of the path; WEND_NONE: a new one. Allocates
 * no Lua memory. Returns the number. */
static uint32_t give_path(lua_State *L, lwend_watch *w, int index, lwend_trail *t, uint32_t number) {
  lwend_state *state = lwend_state_of(L);
  wend_path_age age = {0, false, WEND_NO_ID, {0, WEND_UNTAGGED}, 0};
  const wend_id *ids, *edges = NULL;
  uint32_t count = 0, edge_count = 0;
  wend_status status;
  bool good = true;
  if (t != NULL && !t->outdated) {
    count = read_ids(L, index, w->map, &good);
    edges = t->edges, edge_count = t->count;
    age = t->age;
  }
  if (!good) count = 0;
  ids = state->searchers[state->depth].goals;
  LWEND_GROW(L, state, w->held, w->held_capacity, (uint64_t)w->top + 1);
  if (number == WEND_NONE) status = wend_watch_add(w->watch, ids, count, edges, edge_count, &age, &number);
  else status = wend_watch_set(w->watch, number, ids, count, edges, edge_count, &age);
  if (status != WEND_OK) lwend_no_memory(L);
  if (number >= w->top) w->top = number + 1;
  w->held[number] = t != NULL ? t->serial : NO_SERIAL;
  if (t == NULL) return number;
  t->watched = true;
  if (t->outdated || !good) wend_watch_mark(w->watch, number);
  return number;
}

/* Marks the path at index, with this number, if the costs of a tag that it uses have changed after a time. t: its trail. */
static void mark_if_edited(lua_State *L, lwend_watch *w, int index, uint32_t number, const lwend_trail *t, uint64_t time) {
  const int top = lua_gettop(L), costs = top + 1, trail = top + 2, names = top + 3;
  lwend_costs_age age = t->costs;
  const uint8_t *changed;
  if (age.made == 0 || t->outdated) return;
  age.made = age.seen = time > age.made ? time : age.made;
  lwend_push_path_field(L, index, LWEND_PATH_COSTS);
  lwend_push_path_field(L, index, LWEND_PATH_TRAIL);
  lwend_pushanchor(L, trail); /* that of the map: the names of its tags */
  changed = lwend_costs_changed_tags(L, lwend_state_of(L), &age, costs, names, wend_map_tag_count(w->map->map));
  lua_settop(L, top);
  if (changed != NULL && wend_watch_uses(w->watch, number, changed)) wend_watch_mark(w->watch, number);
}

/* The trail of the path at index. NULL: the path is empty, or of another map. */
static lwend_trail *trail_of(lua_State *L, const lwend_watch *w, int index) {
  lwend_trail *t = lwend_find_trail(L, index);
  return t != NULL && t->map == w->map ? t : NULL;
}

/* Compiles the profile of the path at index, before mark_if_edited. May run finalizers. */
static void look(lua_State *L, int index) {
  const int top = lua_gettop(L);
  const lwend_trail *t;
  lwend_push_path_field(L, index, LWEND_PATH_COSTS);
  lwend_push_path_field(L, index, LWEND_PATH_TRAIL);
  t = lwend_toobject(L, -1, &lwend_state_of(L)->types.trail);
  if (t != NULL) lwend_costs_look(L, lwend_state_of(L), &t->costs, top + 1);
  lua_settop(L, top);
}

/* watch:add(path) -> watch */
static int watch_add(lua_State *L) {
  enum { ADDED = 2, ANCHOR, NUMBERS, PATHS };
  lwend_state *state = lwend_state_of(L);
  lwend_watch *w;
  lwend_trail *t;
  uint32_t number;
  /* Read. */
  (void)check_watch(L);
  lua_settop(L, ADDED);
  lwend_check_stack(L, 2 * LUA_MINSTACK);
  if (!lua_istable(L, ADDED)) lwend_type_error(L, ADDED, "path", "a path");
  look(L, ADDED);
  /* Check. From here on nothing allocates Lua memory. */
  w = check_watch(L);
  t = lwend_find_trail(L, ADDED);
  if (t == NULL || t->map == NULL || lwend_path_map(L, ADDED) != t->map)
    luaL_error(L, "path must be a path, got a table that is empty or was never filled");
  if (t->map != w->map) luaL_error(L, "path must be a path over the %s of this watch, got one of another map", w->map->noun);
  for (uint32_t i = 0, cells = w->map->grid != NULL ? (uint32_t)(lua_rawlen(L, ADDED) / 2) : 0; i < cells; i++)
    (void)lwend_check_listed(L, ADDED, w->map, "path", (size_t)i + 1);
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, ANCHOR, WATCH_NUMBERS);
  lua_rawgeti(L, ANCHOR, WATCH_PATHS);
  lua_pushvalue(L, ADDED);
  lua_rawget(L, NUMBERS);
  if (lua_tonumber(L, -1) > 0) luaL_error(L, "path is held by this watch already");
  /* Act. First make room, which may fail: the number of the path is at most `top`. */
  if (LWEND_RAWGETI(L, PATHS, (int)w->top + 1) == LUA_TNIL) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, PATHS, (int)w->top + 1);
  }
  lua_pushvalue(L, ADDED);
  lwend_pushwhole(L, 0);
  lua_rawset(L, NUMBERS);
  LWEND_GROW(L, state, state->searchers[state->depth].applies, state->searchers[state->depth].applies_capacity,
             (uint64_t)wend_map_tag_count(w->map->map) + 1); /* for mark_if_edited */
  number = give_path(L, w, ADDED, t, WEND_NONE);
  lua_pushvalue(L, ADDED);
  lua_rawseti(L, PATHS, (int)number + 1);
  lua_pushvalue(L, ADDED);
  lwend_pushwhole(L, (uint64_t)number + 1);
  lua_rawset(L, NUMBERS);
  if (lwend_costs_may_have_changed(state, &t->costs)) mark_if_edited(L, w, ADDED, number, t, 0);
  lua_settop(L, 1);
  lwend_gc_step(L, state);
  return 1;
}

/* watch:remove(path) -> watch */
static int watch_remove(lua_State *L) {
  lwend_watch *w = check_watch(L);
  uint64_t number = 0;
  lua_settop(L, 2);
  if (!lua_istable(L, 2)) lwend_type_error(L, 2, "path", "a path");
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, 3, WATCH_NUMBERS);
  lua_pushvalue(L, 2);
  lua_rawget(L, 4);
  if (!lwend_towhole(L, -1, &number) || number == 0) luaL_error(L, "path is not held by this watch");
  lua_pushvalue(L, 2);
  lua_pushnil(L);
  lua_rawset(L, 4);
  lua_rawgeti(L, 3, WATCH_PATHS);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, (int)number);
  wend_watch_remove(w->watch, (uint32_t)number - 1);
  return lwend_self(L);
}

/* Gives the core the paths again whose tables hold other paths now. paths: stack index of the list of paths. */
static void refill(lua_State *L, lwend_watch *w, int paths) {
  const uint64_t refills = lwend_state_of(L)->refills;
  const int top = lua_gettop(L);
  bool empty = false;
  if (refills == w->refills && !w->empty) return;
  for (uint32_t number = 0; number < w->top; number++) {
    if (LWEND_RAWGETI(L, paths, (int)number + 1) == LUA_TTABLE) {
      lwend_trail *t = trail_of(L, w, top + 1);
      empty = empty || t == NULL;
      if (w->held[number] != (t != NULL ? t->serial : NO_SERIAL)) (void)give_path(L, w, top + 1, t, number);
    }
    lua_settop(L, top);
  }
  w->refills = refills;
  w->empty = empty;
}

/* Marks the paths whose costs have changed. */
static void mark_edited(lua_State *L, lwend_watch *w, int paths) {
  lwend_state *state = lwend_state_of(L);
  const int top = lua_gettop(L);
  if (!lwend_costs_may_have_changed(state, &w->age)) return;
  for (uint32_t number = 0; number < w->top; number++) {
    if (LWEND_RAWGETI(L, paths, (int)number + 1) == LUA_TTABLE) {
      const lwend_trail *t = trail_of(L, w, top + 1);
      if (t != NULL) mark_if_edited(L, w, top + 1, number, t, w->age.seen);
    }
    lua_settop(L, top);
  }
  lwend_costs_note_seen(state, &w->age);
}

/* watch:affected([{ into }]) -> list of paths */
static int watch_affected(lua_State *L) {
  static const char *const names[] = {"into", NULL};
  lwend_watch *w;
  uint32_t count;
  int list, paths, filled = 0;
  /* Read. */
  (void)check_watch(L);
  lua_settop(L, 2);
  lwend_check_stack(L, 2 * LUA_MINSTACK);
  list = lwend_options(L, 2, names);
  lwend_check_into(L, list);
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, -1, WATCH_PATHS);
  paths = lua_gettop(L);
  w = check_watch(L);
  if (lwend_costs_may_have_changed(lwend_state_of(L), &w->age)) {
    for (uint32_t number = 0; number < check_watch(L)->top; number++) {
      if (LWEND_RAWGETI(L, paths, (int)number + 1) == LUA_TTABLE) look(L, paths + 1);
      lua_settop(L, paths);
    }
  }
  /* Check. From here on nothing allocates Lua memory but the list. */
  w = check_watch(L);
  /* Act. */
  refill(L, w, paths);
  mark_edited(L, w, paths);
  wend_watch_affected(w->watch, &w->affected, &count);
  w->untold = count;
  for (uint32_t i = 0; i < count; i++) {
    lua_rawgeti(L, paths, (int)w->affected[i] + 1);
    lua_rawseti(L, list, ++filled);
  }
  w->untold = 0;
  lwend_cut_list(L, list, (uint32_t)filled);
  lua_settop(L, list);
  return 1;
}

/* watch:count() -> number of paths */
static int watch_count(lua_State *L) { return lwend_whole(L, wend_watch_count(check_watch(L)->watch)); }

/* watch:bytes() -> number of bytes that the watch uses */
static int watch_bytes(lua_State *L) {
  const lwend_watch *w = check_watch(L);
  return lwend_whole(L, wend_watch_bytes(w->watch) + sizeof *w + w->held_capacity * sizeof *w->held);
}

/* tostring(watch) -> "wend.Watch (3 paths)" */
static int watch_tostring(lua_State *L) {
  const int count = (int)wend_watch_count(check_watch(L)->watch);
  lua_pushfstring(L, "wend.Watch (%d path%s)", count, count == 1 ? "" : "s");
  return 1;
}

void lwend_open_watch(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"add", watch_add},     {"affected", watch_affected}, {"bytes", watch_bytes},
      {"count", watch_count}, {"remove", watch_remove},     {NULL, NULL},
  };
  lwend_type(L, "wend.Watch", "a watch", state, methods, watch_gc, watch_tostring, &state->types.watch);
}
