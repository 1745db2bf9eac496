/* SPDX-License-Identifier: MIT */
/* Opening the module: luaopen_wend_core. It checks the version of Lua, makes the state that all functions share, and
 * registers the types and functions. */
#include <string.h>

#include "lua/base/query.h"
#ifndef WEND_NO_MOVE /* movement, a library on top of this one: this file alone names it */
#include "lua/move/move.h"
#endif

/* The finalizer of the state: Lua calls it when it is closed, after those of all objects, which were made later. */
static int state_gc(lua_State *L) {
  lwend_state *state = lua_touserdata(L, lua_upvalueindex(1));
  if (lua_touserdata(L, 1) != state || state->depth > 0) return luaL_error(L, "the module is in use");
  for (int i = 0; i < LWEND_DEPTH_MAX; i++) lwend_searcher_free(&state->searchers[i], &state->alloc);
  while (state->spare_count > 0) lwend_searcher_free(&state->spares[--state->spare_count], &state->alloc);
  if (state->extension != NULL) state->extension->close(state);
  wend_views_destroy(state->views);
  state->views = NULL;
  /* An object that was lost may be in use by a finalizer of the script that comes later. */
  memset(&state->types, 0, sizeof state->types);
  lwend_close_memory(state);
  return 0;
}

/* core.call(fn, ...) -> true and the results, or false and the error. This is pcall, except that fn cannot yield: not in
 * any Lua. Where searches are nested too deep, that is the error: this function raises none. */
static int core_call(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  luaL_checkany(L, 1);
  lua_pushboolean(L, 0);
  lua_insert(L, 1);
  if (state->depth >= LWEND_DEPTH_MAX - 1) {
    lua_settop(L, 1);
    lua_pushliteral(L, "too many searches inside each other's callbacks");
    return 2;
  }
  if (lwend_protect(L, state, lua_gettop(L) - 2, LUA_MULTRET)) return 2;
  lua_pushboolean(L, 1);
  lua_replace(L, 1);
  return lua_gettop(L);
}

/* core.values(table) -> a list of the values of the table, in no order. No finalizer runs in the loop. In a loop over pairs one
 * may: Lua 5.2 collects at any call, and an edit of the table then ends the loop. */
static int core_values(lua_State *L) {
  int count = 0;
  if (!lua_istable(L, 1)) return lwend_type_error(L, 1, "values", "a table");
  lua_settop(L, 1);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1) != 0;) lua_rawseti(L, 2, ++count);
  return 1;
}

/* core.parts() -> what scripts must not reach: lua/wend/once.lua describes it. Works once, so that nobody can take it later. */
static int core_parts(lua_State *L) {
  static lwend_opener *const parts[] = {
      lwend_add_types, lwend_add_levels, lwend_add_states, lwend_add_files,
#ifndef WEND_NO_MOVE
      lwend_add_move,
#endif
  };
  lwend_state *state = lwend_state_of(L);
  if (state->parts_taken) luaL_error(L, "the parts are taken: load wend.core anew as well");
  lua_settop(L, 0);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) parts[i](L, state);
  state->parts_taken = true;
  return 1;
}

static const luaL_Reg functions[] = {
    {"again", lwend_core_again},
    {"batch", lwend_core_batch},
    {"call", core_call},
    {"check_options", lwend_core_check_options},
    {"close", lwend_core_close},
    {"costs_class", lwend_core_costs_class},
    {"decode", lwend_core_decode},
    {"describe", lwend_core_describe},
    {"draw", lwend_core_draw},
    {"find_paths", lwend_core_find_paths},
    {"follow", lwend_core_follow},
    {"graph", lwend_core_graph},
    {"grid", lwend_core_grid},
    {"influence", lwend_core_influence},
    {"parse_grid", lwend_core_parse_grid},
    {"parts", core_parts},
    {"path_watch", lwend_core_path_watch},
    {"reads", lwend_core_reads},
    {"related", lwend_core_related},
    {"run", lwend_core_run},
    {"start", lwend_core_start},
    {"surface", lwend_core_surface},
    {"type", lwend_core_type},
    {"unpack", lwend_core_unpack},
    {"values", core_values},
    {"walls", lwend_core_walls},
    {NULL, NULL},
};

static lwend_opener *const openers[] = {
    lwend_open_batch,       lwend_open_costs,     lwend_open_trail,   lwend_open_path,    lwend_open_search, lwend_open_field,
    lwend_open_route_table, lwend_open_walls,     lwend_open_watch,   lwend_open_prepare, lwend_open_level,  lwend_open_graph,
    lwend_open_grid,        lwend_open_influence, lwend_open_options, lwend_open_surface,
#ifndef WEND_NO_MOVE
    lwend_open_move,
#endif
};

/* The version of the Lua that runs, which may differ from the one that this was compiled for: 501 and up. The result
 * type of lua_version changed with 5.4. */
static int running_version(lua_State *L) {
#if defined(LWEND_WEAK)
  typedef lua_Number (*by_value)(lua_State *);
  typedef const lua_Number *(*by_pointer)(lua_State *);
  void (*volatile version)(void) = (void (*)(void))lua_version; /* volatile: its declared type may be wrong */
  if (version == NULL) return 501;
  return (int)(lua_newuserdatauv != NULL ? ((by_value)version)(L) : *((by_pointer)version)(L));
#elif LUA_VERSION_NUM >= 504
  return (int)lua_version(L);
#elif LUA_VERSION_NUM >= 502
  return (int)*lua_version(L);
#else
  (void)L;
  return LUA_VERSION_NUM;
#endif
}

/* Raises if this was compiled for another Lua: types and constants differ, and the first call that depends on them would
 * crash. Before this check, only functions that are the same in every Lua may be called. */
static void check_version(lua_State *L) {
  const int version = running_version(L);
  if (version != LUA_VERSION_NUM) {
    const char *name = "Lua ", *digits = lua_pushfstring(L, "%d.%d", version / 100, version % 100);
    const char *target = digits;
#if defined(LWEND_WEAK)
    if (luaJIT_setmode != NULL) name = "LuaJIT", digits = "", target = "jit";
#endif
    luaL_error(L,
               "wend.core was built for %s, this is %s%s: build it with make LUA_VERSION=%s or install the rock for that Lua",
               LUA_VERSION, name, digits, target);
  }
#if LUA_VERSION_NUM >= 502
  luaL_checkversion(L); /* checks the sizes of numbers too */
#endif
}

LWEND_EXPORT int luaopen_wend_core(lua_State *L);

/* require "wend.core" */
LWEND_EXPORT int luaopen_wend_core(lua_State *L) {
  lwend_state *state;
  check_version(L);
  state = lwend_newuserdata(L, sizeof *state);
  memset(state, 0, sizeof *state);
  lwend_open_memory(L, state); /* before it has its finalizer, which needs this also if what follows raises */
  lua_createtable(L, 0, 2);
  lua_pushlightuserdata(L, state);
  lua_pushcclosure(L, state_gc, 1);
  lua_setfield(L, -2, "__gc");
  lwend_set_flag(L, "__metatable", 0);
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, state); /* the registry keeps it alive, under its own address */
  lwend_open_state(L, state);

  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) openers[i](L, state);
  lua_createtable(L, 0, 16);
  lwend_register(L, state, functions);
  lua_pushstring(L, wend_version());
  lua_setfield(L, -2, "version");
  return 1;
}
