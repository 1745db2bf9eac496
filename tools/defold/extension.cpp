/* SPDX-License-Identifier: MIT */
/* The Defold extension: it makes the module a global, wend. */
#include <dmsdk/sdk.h>

int luaopen_wend(lua_State *L); /* of wend_lua.cpp */

static dmExtension::Result initialize_wend(dmExtension::Params *params) {
  lua_pushcfunction(params->m_L, luaopen_wend);
  lua_call(params->m_L, 0, 1);
  lua_setglobal(params->m_L, "wend");
  return dmExtension::RESULT_OK;
}

static dmExtension::Result finalize_wend(dmExtension::Params *) { return dmExtension::RESULT_OK; }

DM_DECLARE_EXTENSION(wend, "wend", 0, 0, initialize_wend, 0, 0, finalize_wend)
