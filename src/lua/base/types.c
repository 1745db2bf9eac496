/* SPDX-License-Identifier: MIT */
/* Types: their metatables, and wend.type.
 *
 * The metatable of each type that scripts see holds the name of the type under a key that is the address of type_key. No
 * script can make a table with this key, so no script can forge an object. Types of Lua files (levels, queues) get
 * their metatables from core.parts, once. */
#include <string.h>

#include "lua/lwend.h"

/* Its address is the key of a metatable's type. No script has this address. */
static const int type_key = 0;

/* Another such key, of types whose objects move. */
static const int moves_key = 0;

/* Gives the metatable at the top of the stack its name, and hides it from scripts. visible: scripts see the type. It is then the
 * result of wend.type: "graph" for "wend.Graph". */
static void lock(lua_State *L, const char *name, bool visible) {
  char type[16];
  size_t length = 0;
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  if (visible) {
    for (const char *c = strchr(name, '.') + 1; *c != '\0' && length < sizeof type; c++)
      type[length++] = (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c);
    lua_pushlstring(L, type, length);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, &type_key);
  } else {
    lua_pushboolean(L, 0);
  }
  lua_setfield(L, -2, "__metatable");
}

/* Pops a table of methods and makes the metatable of a type for it. */
static void make_metatable(lua_State *L, const char *name, bool visible, lwend_state *state, lua_CFunction gc,
                           lwend_class *type) {
  lua_createtable(L, 0, 5);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lock(L, name, visible);
  if (gc != NULL) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushlightuserdata(L, type);
    lua_pushcclosure(L, gc, 2);
    lua_setfield(L, -2, "__gc");
  }
  type->identity = lua_topointer(L, -1);
  type->ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

void lwend_metatable(lua_State *L, const char *name, lwend_state *state, lua_CFunction gc, lwend_class *type) {
  make_metatable(L, name, false, state, gc, type);
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
  make_metatable(L, name, true, state, gc, type);
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
  bool moves = false;
  if (lua_istable(L, index) && lua_getmetatable(L, index)) {
    lua_rawgetp(L, -1, &moves_key);
    moves = lua_toboolean(L, -1) != 0;
  }
  lua_settop(L, top);
  return moves;
}

void lwend_add_class(lua_State *L, const char *name, bool moves) {
  lua_createtable(L, 0, 5);
  lock(L, name, true);
  if (moves) {
    lua_pushboolean(L, 1);
    lua_rawsetp(L, -2, &moves_key);
  }
  lua_rawgetp(L, -1, &type_key);
  lua_insert(L, -2);
  lua_rawset(L, -3);
}

/* Keeps the metatable of a class of the table at the top, for the core. */
static void keep_class(lua_State *L, const char *type, int *ref) {
  luaL_unref(L, LUA_REGISTRYINDEX, *ref); /* of a call that memory has ended */
  lua_getfield(L, -1, type);
  *ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

void lwend_add_types(lua_State *L, lwend_state *state) {
  const struct {
    const char *name;
    int ref;
  } made[] = {{"graph", state->types.graph.ref},        {"grid", state->types.grid.ref},   {"field", state->types.field.ref},
              {"routes", state->types.route_table.ref}, {"walls", state->types.walls.ref}, {"path", state->types.path.ref},
              {"influence", state->types.influence.ref}};
  static const char *const classes[] = {"wend.Level", "wend.Queue", "wend.Request", "wend.Comparison", "wend.Why"};
  lua_newtable(L);
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, made[i].ref);
    lua_getfield(L, -1, "__index");
    lua_setfield(L, -3, made[i].name);
    lua_pop(L, 1);
  }
  lua_setfield(L, -2, "types");
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) lwend_add_class(L, classes[i], false);
  keep_class(L, "level", &state->level_ref); /* wend.decode makes levels too */
  keep_class(L, "why", &state->report_ref);  /* map:why_not makes these */
}
