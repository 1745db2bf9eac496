/* SPDX-License-Identifier: MIT */
/* Calls the Defold extension as the engine would, with a script that uses the global. */
#include <cstdio>

#include "../../tools/defold/extension.cpp"

int main() {
  dmExtension::Params params = {luaL_newstate()};
  luaL_openlibs(params.m_L);
  if (wend_initialize(&params) != dmExtension::RESULT_OK || lua_gettop(params.m_L) != 0) return 1;
  const bool failed = luaL_loadstring(params.m_L, "assert(wend.grid(3, 3):path(1, 1, 3, 3)); print(wend.type(wend.graph()))") ||
                      lua_pcall(params.m_L, 0, 0, 0);
  if (failed) std::fprintf(stderr, "%s\n", lua_tostring(params.m_L, -1));
  wend_finalize(&params);
  lua_close(params.m_L);
  return failed;
}
