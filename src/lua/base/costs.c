/* SPDX-License-Identifier: MIT */
/* wend.Costs: the profiles of the script, and what has changed in them. tariff.c turns a profile into costs for the core.
 *
 * A profile is a userdata. Its anchor, which no script can reach, is a table of lua/wend/costs/layers.lua.
 * lua/wend/costs/compile.lua compiles it into a table, and describes that. For example,
 *   wend.costs { road = 0.8, swamp = f }  with  costs:edge_rule("night", g, { at_least = 1 })
 * is compiled into
 *   { entries = { road = 0.8, swamp = { 1, 0, RULE } }, default = 1, edges = { RULE }, ... }
 * where a RULE has its function at [1], and the fields number, at_least, tags; name, for on_error; label, for messages; and mod,
 * the name of the mod that has added it, or false. */
#include <string.h>

#include "lua/base/costs.h"

/* ---- Profiles ---------------------------------------------------------------------------------------------- */

/* A profile, or a read-only view of one. What is known of the compiled table counts while state->clock is `seen`. */
typedef struct lwend_profile {
  bool viewed;
  bool timed;      /* costs.timing */
  uint64_t seen;   /* when it was last found up to date; 0: it is not compiled yet */
  uint64_t made;   /* when it was compiled */
  uint64_t number; /* identifies the profile */
  uint64_t most;   /* costs.max_instructions; 0: there is no limit */
} lwend_profile;

static lwend_profile *to_profile(lua_State *L, const lwend_state *state, int index) {
  return lwend_toobject(L, index, &state->types.costs);
}

/* Pushes what the profile at index was compiled into. */
static void push_known(lua_State *L, int index) {
  lwend_pushanchor(L, index);
  lua_getfield(L, -1, "compiled");
  lua_remove(L, -2);
}

/* Compiles the profile at index, if any profile was edited since it was looked at. May run finalizers. */
static void compile(lua_State *L, const lwend_state *state, lwend_profile *profile, int index) {
  const uint64_t now = state->clock;
  const int compiled = lua_gettop(L) + 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->compile_ref);
  lwend_pushanchor(L, index);
  lua_call(L, 1, 1);
  profile->made = (uint64_t)lwend_number_in(L, compiled, "time");
  profile->number = (uint64_t)lwend_number_in(L, compiled, "number");
  profile->most = (uint64_t)lwend_number_in(L, compiled, "max_instructions");
  lua_getfield(L, compiled, "timed");
  profile->timed = lua_istable(L, -1);
  profile->seen = now;
  lua_settop(L, compiled - 1);
}

void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index) {
  lwend_profile *profile = to_profile(L, state, index);
  lwend_check_stack(L, LUA_MINSTACK);
  if (lua_isnil(L, index)) {
    lua_pushnil(L);
    return;
  }
  if (profile == NULL) lwend_type_error(L, index, "costs", "a profile made by wend.costs");
  if (profile->seen != state->clock) compile(L, state, profile, index);
  push_known(L, index);
}

/* Reads what lwend_costs_read_settings does. profile: NULL: there is none. */
static void read_settings(lwend_request *request, const lwend_profile *profile) {
  const lwend_costs_age none = {0, 0, 0, false};
  request->age = none;
  request->timed = request->metered = false;
  request->limit.most = 0;
  if (profile == NULL) return;
  request->age.made = request->age.seen = profile->made;
  request->age.number = profile->number;
  request->timed = profile->timed;
  request->limit.most = profile->most;
  request->metered = profile->timed || profile->most > 0;
}

void lwend_costs_read_settings(lua_State *L, lwend_request *request) {
  read_settings(request, to_profile(L, request->state, request->frame + LWEND_COSTS));
}

void lwend_costs_push_known(lua_State *L, lwend_request *request, int costs) {
  const lwend_profile *profile = to_profile(L, request->state, costs);
  if (profile == NULL || profile->seen != request->state->clock) {
    lua_pushnil(L);
    return;
  }
  read_settings(request, profile);
  push_known(L, costs);
}

void lwend_check_costs(lua_State *L, lwend_request *request) {
  const int frame = request->frame, cost = frame + LWEND_COST, at_least = frame + LWEND_AT_LEAST;
  request->at_least = 0;
  if (lwend_given(L, request, LWEND_COST)) {
    lwend_check_callable(L, cost, "cost");
    if (lwend_given(L, request, LWEND_AT_LEAST)) request->at_least = lwend_check_number(L, at_least, "at_least", 0, 1);
  } else if (lwend_given(L, request, LWEND_AT_LEAST)) {
    luaL_error(L, "at_least is the promise of the option 'cost', which is not given");
  }
  if (!lwend_given(L, request, LWEND_COSTS)) return;
  lwend_costs_push_compiled(L, request->state, frame + LWEND_COSTS);
  lwend_request_put(L, request, LWEND_COMPILED);
  lwend_costs_read_settings(L, request);
}

/* ---- What has changed in a profile -------------------------------------------------------------------------- */

void lwend_costs_look(lua_State *L, const lwend_state *state, const lwend_costs_age *age, int costs) {
  lwend_profile *profile = to_profile(L, state, costs);
  if (!lwend_costs_may_have_changed(state, age) || profile == NULL) return;
  lwend_check_stack(L, LUA_MINSTACK);
  if (profile->seen != state->clock) compile(L, state, profile, costs);
}

/* Whether the costs of the tag whose name, or nil, is at the top of the stack have changed after a time. times: stack index of
 * the times of changes, by tag. */
static bool is_tag_changed(lua_State *L, int times, uint64_t made) {
  bool changed = false;
  if (lua_isnil(L, -1)) return false;
  lua_pushvalue(L, -1);
  lua_rawget(L, times);
  changed = (uint64_t)lua_tonumber(L, -1) > made;
  lua_pop(L, 1);
  return changed;
}

const uint8_t *lwend_costs_changed_tags(lua_State *L, lwend_state *state, lwend_costs_age *age, int costs, int tags,
                                        uint32_t count) {
  lwend_searcher *searcher = &state->searchers[state->depth];
  const lwend_profile *profile = to_profile(L, state, costs);
  const int top = lua_gettop(L), compiled = top + 1, times = top + 2;
  bool any = false;
  searcher->tariff = 0; /* this uses one of its tables */
  LWEND_GROW(L, state, searcher->applies, searcher->applies_capacity, (uint64_t)count + 1);
  memset(searcher->applies, 1, (size_t)count + 1);
  if (profile == NULL || profile->seen != state->clock || profile->number != age->number) return searcher->applies;
  push_known(L, costs);
  if ((uint64_t)lwend_number_in(L, compiled, "changed_all") > age->made) {
    lua_settop(L, top);
    return searcher->applies;
  }
  lua_getfield(L, compiled, "changed");
  for (uint32_t tag = 0; tag <= count; tag++) {
    if (tag == WEND_UNTAGGED) lua_pushnil(L);
    else lua_rawgeti(L, tags, (int)tag);
    searcher->applies[tag] = is_tag_changed(L, times, age->made);
    any = any || searcher->applies[tag];
    lua_settop(L, times);
  }
  lua_settop(L, top);
  if (any) return searcher->applies;
  lwend_costs_note_seen(state, age);
  return NULL;
}

bool lwend_costs_are_stale(lua_State *L, lwend_state *state, int object, lwend_costs_age *age) {
  const int top = lua_gettop(L);
  const uint8_t *changed;
  const lwend_map *map;
  if (age->changed) return true;
  if (!lwend_costs_may_have_changed(state, age)) return false;
  lwend_pushanchor(L, object);
  lua_rawgeti(L, top + 1, LWEND_COSTS - LWEND_MAP + 1);
  lwend_costs_look(L, state, age, top + 2);
  lua_rawgeti(L, top + 1, 1);
  map = lwend_check_alive(L, lua_touserdata(L, -1));
  lwend_pushanchor(L, -1);
  changed = lwend_costs_changed_tags(L, state, age, top + 2, lua_gettop(L), wend_map_tag_count(map->map));
  if (changed != NULL) age->changed = wend_map_uses(map->map, changed);
  if (changed != NULL && !age->changed) lwend_costs_note_seen(state, age);
  lua_settop(L, top);
  return age->changed;
}

/* ---- The class ---------------------------------------------------------------------------------------------- */

/* Makes a profile or a mod of a table, at 1, which no script can reach. */
static int new_object(lua_State *L, const lwend_class *type, bool viewed) {
  lwend_profile *object;
  luaL_checktype(L, 1, LUA_TTABLE);
  object = lwend_new(L, sizeof *object, type);
  object->viewed = viewed;
  lua_pushvalue(L, 1);
  lwend_setanchor(L, -2);
  return 1;
}

/* Pushes the table of the object at 1, and whether it is a read-only view; or nil: it is not of this type. */
static int push_table_of(lua_State *L, const lwend_class *type) {
  const lwend_profile *object = lwend_toobject(L, 1, type);
  if (object == NULL) return lwend_nil(L);
  lwend_pushanchor(L, 1);
  lua_pushboolean(L, object->viewed);
  return 2;
}

/* new(state, viewed) -> profile, or a read-only view of it. For lua/wend/costs.lua, as the next four functions. */
static int costs_new(lua_State *L) { return new_object(L, &lwend_state_of(L)->types.costs, lua_toboolean(L, 2) != 0); }
/* state_of(value) -> state of the profile, whether the value is a read-only view of it; or nil: not a profile. */
static int costs_state_of(lua_State *L) { return push_table_of(L, &lwend_state_of(L)->types.costs); }
/* new(layer) -> mod. layer: a table, which no script can reach. */
static int mod_new(lua_State *L) { return new_object(L, &lwend_state_of(L)->types.mod, false); }
/* layer_of(value) -> layer of the mod, false; or nil: not a mod. */
static int mod_layer_of(lua_State *L) { return push_table_of(L, &lwend_state_of(L)->types.mod); }
/* clock([edited]) -> the number of edits of all profiles, from 1. edited: with one more. */
static int costs_clock(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  if (lua_toboolean(L, 1)) state->clock++;
  return lwend_whole(L, state->clock);
}

/* Notes how debug information names the folder of wend's Lua files, from a function of one of them. */
static void note_folder(lua_State *L, lwend_state *state, int function) {
  lua_Debug info;
  const char *end;
  lua_pushvalue(L, function);
  if (!lua_getinfo(L, ">S", &info) || (info.source[0] != '@' && info.source[0] != '=')) return;
  end = strrchr(info.source, '/');
  for (const char *at = strstr(info.source, "wend/"); at != NULL; at = strstr(at + 1, "wend/")) end = at + 4;
  if (end == NULL) return;
  lua_pushlstring(L, info.source, (size_t)(end - info.source) + 1);
  state->folder = lua_tostring(L, -1);
  (void)luaL_ref(L, LUA_REGISTRYINDEX); /* never collected */
}

/* Copies the metamethods in the table at index into the metatable with a reference. */
static void set_metamethods(lua_State *L, int index, int metatable_ref) {
  static const char *const metamethods[] = {"__index", "__newindex", "__tostring"};
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable_ref);
  for (int i = 0; i < 3; i++) {
    lua_getfield(L, index, metamethods[i]);
    lua_setfield(L, -2, metamethods[i]);
  }
  lua_pop(L, 1);
}

/* core.costs_class(compile, failed, costs, mods) -> new, state_of, new_mod, layer_of, clock. Works once: only lua/wend/costs.lua may
 * call it. costs, mods: tables with the metamethods of the two types. */
int lwend_core_costs_class(lua_State *L) {
  static const lua_CFunction functions[] = {costs_new, costs_state_of, mod_new, mod_layer_of, costs_clock};
  enum { FUNCTIONS = sizeof functions / sizeof *functions };
  lwend_state *state = lwend_state_of(L);
  for (int i = 1; i <= 4; i++) luaL_checktype(L, i, i <= 2 ? LUA_TFUNCTION : LUA_TTABLE);
  if (state->compile_ref != LUA_NOREF) luaL_error(L, "the class of costs is taken: load wend.core anew as well");
  lua_settop(L, 4);
  set_metamethods(L, 3, state->types.costs.ref);
  set_metamethods(L, 4, state->types.mod.ref);
  lua_settop(L, 2);
  state->failed_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  note_folder(L, state, 1);
  state->compile_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = 0; i < FUNCTIONS; i++) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, functions[i], 1);
  }
  return FUNCTIONS;
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

/* lua/wend/costs.lua adds the methods and the other metamethods, by lwend_core_costs_class. */
void lwend_open_costs(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{NULL, NULL}};
  lwend_type(L, "wend.Costs", "a cost profile", state, methods, NULL, NULL, &state->types.costs);
  lwend_type(L, "wend.Mod", "a mod", state, methods, NULL, NULL, &state->types.mod);
  state->compile_ref = LUA_NOREF;
  state->clock = 1;
}
