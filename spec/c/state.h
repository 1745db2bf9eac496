/* SPDX-License-Identifier: MIT */
/* lua_newstate has had a third argument since Lua 5.5: a seed for the hashes of strings. Here it is always the same, so that
 * a run can be repeated. */
#ifndef WEND_SPEC_STATE_H
#define WEND_SPEC_STATE_H

#include <lua.h>

static inline lua_State *new_state(lua_Alloc allocate, void *ud) {
#if LUA_VERSION_NUM >= 505
  return lua_newstate(allocate, ud, 1);
#else
  return lua_newstate(allocate, ud);
#endif
}

#endif
