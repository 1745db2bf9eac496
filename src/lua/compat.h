/* SPDX-License-Identifier: MIT */
/* The differences between Lua 5.1 (and LuaJIT), 5.2, 5.3 and 5.4: the rest of the binding uses the same names for all. */
#ifndef WEND_LUA_COMPAT_H
#define WEND_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdint.h>

/* Functions that not every version of Lua has. They are weak symbols if the linker supports that. So the wrong Lua can
 * load the module, and luaopen_wend_core reports the mistake. Otherwise the loader would report "undefined symbol". The
 * last three symbols tell which Lua runs. */
#if defined(__GNUC__) && defined(__ELF__)
#define LWEND_WEAK 1
#if LUA_VERSION_NUM < 502
#pragma weak lua_call
#pragma weak lua_getfenv
#pragma weak lua_objlen
#pragma weak lua_pcall
#pragma weak lua_setfenv
#pragma weak lua_tointeger
#pragma weak lua_tonumber
LUA_API const lua_Number *lua_version(lua_State *L);
#else
#pragma weak luaL_checkversion_
#pragma weak lua_absindex
#pragma weak lua_callk
#pragma weak lua_pcallk
#pragma weak lua_rawgetp
#pragma weak lua_rawlen
#pragma weak lua_rawsetp
#pragma weak lua_tointegerx
#pragma weak lua_tonumberx
#endif
#if LUA_VERSION_NUM < 503
#pragma weak lua_insert
#pragma weak lua_remove
#pragma weak lua_replace
#else
#pragma weak lua_copy
#pragma weak lua_isinteger
#pragma weak lua_rotate
#endif
#if LUA_VERSION_NUM < 504
#pragma weak lua_getuservalue
#pragma weak lua_newuserdata
#pragma weak lua_setuservalue
LUA_API void *lua_newuserdatauv(lua_State *L, size_t bytes, int values);
#else
#pragma weak lua_getiuservalue
#pragma weak lua_setiuservalue
#endif
LUA_API int luaJIT_setmode(lua_State *L, int index, int mode);
#pragma weak luaJIT_setmode
#pragma weak lua_newuserdatauv
#pragma weak lua_version
#endif

#if LUA_VERSION_NUM < 502
#define lua_rawlen lua_objlen
static inline int lua_absindex(lua_State *L, int index) {
  return index > 0 || index <= LUA_REGISTRYINDEX ? index : lua_gettop(L) + index + 1;
}
#endif

#if LUA_VERSION_NUM < 502
static inline void lua_rawgetp(lua_State *L, int index, const void *key) {
  index = lua_absindex(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_rawget(L, index);
}
static inline void lua_rawsetp(lua_State *L, int index, const void *key) {
  index = lua_absindex(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_insert(L, -2);
  lua_rawset(L, index);
}
#endif

/* Pushes a global variable; nil: there is none. Hosts guard their globals by metamethods that raise: it calls none. */
static inline void lwend_pushglobal(lua_State *L, const char *name) {
#if LUA_VERSION_NUM < 502
  lua_pushvalue(L, LUA_GLOBALSINDEX);
#else
  lua_pushglobaltable(L);
#endif
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

/* Pushes item i of the table at index, without metamethods. The type of the value. */
#if LUA_VERSION_NUM < 503
#define LWEND_RAWGETI(L, index, i) (lua_rawgeti(L, index, i), lua_type(L, -1))
#else
#define LWEND_RAWGETI(L, index, i) lua_rawgeti(L, index, i)
#endif

/* Pushes a new userdata that can have an anchor: a table that keeps the Lua values alive that the userdata needs. It is
 * the user value of the userdata; in Lua 5.1 its environment. */
static inline void *lwend_newuserdata(lua_State *L, size_t bytes) {
#if LUA_VERSION_NUM >= 504
  return lua_newuserdatauv(L, bytes, 1);
#else
  return lua_newuserdata(L, bytes);
#endif
}

/* Pops a table and makes it the anchor of the userdata at index. */
static inline void lwend_setanchor(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 504
  (void)lua_setiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
  lua_setuservalue(L, index);
#else
  lua_setfenv(L, index);
#endif
}

/* Pushes the anchor of the userdata at index. */
static inline void lwend_pushanchor(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 504
  (void)lua_getiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
  lua_getuservalue(L, index);
#else
  lua_getfenv(L, index);
#endif
}

/* Pushes a whole number up to 2^53: an integer in Lua 5.3 and later. Such numbers are exact in every Lua. */
static inline void lwend_pushwhole(lua_State *L, uint64_t number) {
#if LUA_VERSION_NUM >= 503
  lua_pushinteger(L, (lua_Integer)number);
#else
  lua_pushnumber(L, (lua_Number)number);
#endif
}

#endif
