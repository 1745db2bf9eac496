/* SPDX-License-Identifier: MIT */
/* Types: their metatables, and wend.type.
 *
 * The metatable of each type that scripts see holds the name of the type under a key that is the address of type_key. No
 * script can make a table with this key, so no script can forge an object. Types of Lua files (followers, queues) get
 * their metatables from core.parts, once. */
#include <string.h>

#include "lua/lwend.h"

/* The types that scripts see: the result of wend.type, and the name in messages. */
static const struct {
  const char *type, *name;
} types[] = {
    {"graph", "wend.Graph"},
    {"grid", "wend.Grid"},
    {"search", "wend.Search"},
    {"path", "wend.Path"},
    {"field", "wend.Field"},
    {"walls", "wend.Walls"},
    {"routes", "wend.Routes"},
    {"costs", "wend.Costs"},
    {"mod", "wend.Mod"},
    {"watch", "wend.Watch"},
    {"preparation", "wend.Preparation"},
    {"influence", "wend.Influence"},
    /* made in Lua: */
    {"follower", "wend.Follower"},
    {"level", "wend.Level"},
    {"queue", "wend.Queue"},
    {"request", "wend.Request"},
    {"comparison", "wend.Comparison"},
    {"why", "wend.Why"},
    {"crowd", "wend.Crowd"},
    {"walker", "wend.Walker"},
};
enum { FIRST_CLASS = 12 }; /* the first type above that is made in Lua */
enum { TYPES = sizeof types / sizeof *types };

/* Its address is the key of a metatable's type. No script has this address. */
static const int type_key;

/* Gives the metatable at the top of the stack its type and name, and hides it from scripts. */
static void lock(lua_State *L, const char *name) {
  const char *type = NULL;
  for (int i = 0; i < TYPES; i++)
    if (strcmp(types[i].name, name) == 0) type = types[i].type;
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  if (type != NULL) {
    lua_pushstring(L, type);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, &type_key);
  } else {
    lua_pushboolean(L, 0); /* internal: wend.type does not know it */
  }
  lua_setfield(L, -2, "__metatable");
}

void lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, lwend_class *type) {
  lua_createtable(L, 0, 5);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lock(L, name);
  if (gc != NULL) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushlightuserdata(L, type);
    lua_pushcclosure(L, gc, 2);
    lua_setfield(L, -2, "__gc");
  }
  type->identity = lua_topointer(L, -1);
  type->ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Sets a method in the table at the top. Its upvalues: the state, and the type, for lwend_check_map. */
static void set_method(lua_State *L, lwend_state *state, lwend_class *type, const char *name, lua_CFunction method) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushlightuserdata(L, type);
  lua_pushcclosure(L, method, 2);
  lua_setfield(L, -2, name);
}

void lwend_type(lua_State *L, const char *name, const char *self, lwend_state *state, const luaL_Reg *methods, lua_CFunction gc,
                lua_CFunction tostring, lwend_class *type) {
  type->self = self;
  lua_newtable(L);
  for (; methods->name != NULL; methods++) set_method(L, state, type, methods->name, methods->func);
  lwend_metatable(L, name, state, gc, type);
  if (tostring == NULL) return;
  lua_rawgeti(L, LUA_REGISTRYINDEX, type->ref);
  set_method(L, state, type, "__tostring", tostring);
  lua_pop(L, 1);
}

/* wend.type(value) -> name of its type, or nil: not an object of wend */
int lwend_core_type(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (lua_getmetatable(L, 1)) lua_rawgetp(L, -1, &type_key);
  else lua_pushnil(L);
  return 1;
}

bool lwend_moves(lua_State *L, int index) {
  const int top = lua_gettop(L);
  const char *type = NULL;
  if (lua_istable(L, index) && lua_getmetatable(L, index)) {
    lua_rawgetp(L, -1, &type_key);
    type = lua_tostring(L, -1);
  }
  lua_settop(L, top);
  return type != NULL && (strcmp(type, "walker") == 0 || strcmp(type, "follower") == 0);
}

/* Keeps the metatable at the top, for the core. */
static void keep_class(lua_State *L, int *ref) {
  luaL_unref(L, LUA_REGISTRYINDEX, *ref); /* of a call that memory has ended */
  lua_pushvalue(L, -1);
  *ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

void lwend_add_types(lua_State *L, lwend_state *state) {
  const struct {
    const char *name;
    int ref;
  } made[] = {{"graph", state->types.graph.ref},        {"grid", state->types.grid.ref},   {"field", state->types.field.ref},
              {"routes", state->types.route_table.ref}, {"walls", state->types.walls.ref}, {"path", state->types.path.ref},
              {"influence", state->types.influence.ref}};
  lua_newtable(L);
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, made[i].ref);
    lua_getfield(L, -1, "__index");
    lua_setfield(L, -3, made[i].name);
    lua_pop(L, 1);
  }
  lua_setfield(L, -2, "types");
  for (int i = FIRST_CLASS; i < TYPES; i++) {
    lua_createtable(L, 0, 5);
    lock(L, types[i].name);
    if (strcmp(types[i].type, "level") == 0) keep_class(L, &state->level_ref); /* wend.decode makes levels too */
    if (strcmp(types[i].type, "why") == 0) keep_class(L, &state->report_ref);  /* map:why_not makes these */
    lua_setfield(L, -2, types[i].type);
  }
}
