/* SPDX-License-Identifier: MIT */
/* Calls the Defold extension as the engine would, with a script that uses the global; then the example of its README. */
#include <cstdio>

#include "../../tools/defold/extension.cpp"

static const char SCRIPT[] = "assert(wend.grid(3, 3):path(1, 1, 3, 3))\n"
                             "local at = { x = 16, y = 16 }\n"
                             "msg, sys = { post = function() end }, {}\n"
                             "function hash(text) return text end\n"
                             "go = { get_position = function() return at end, set_position = function(to) at = to end }\n"
                             "vmath = { vector3 = function(x, y) return { x = x, y = y } end }\n"
                             "assert(loadfile(...))()\n"
                             "local self = {}\n"
                             "init(self)\n"
                             "on_input(self, 'touch', { pressed = true, x = 300, y = 100 })\n"
                             "for _ = 1, 600 do update(self, 1 / 60) end\n"
                             "print(('%s, and the walker is at %.0f %.0f'):format(wend.type(wend.graph()), at.x, at.y))\n";

int main(int, char **argv) {
  dmExtension::Params params = {luaL_newstate()};
  luaL_openlibs(params.m_L);
  if (wend_initialize(&params) != dmExtension::RESULT_OK || lua_gettop(params.m_L) != 0) return 1;
  bool failed = luaL_loadstring(params.m_L, SCRIPT) != 0;
  if (!failed) {
    lua_pushstring(params.m_L, argv[1]);
    failed = lua_pcall(params.m_L, 1, 0, 0) != 0;
  }
  if (failed) std::fprintf(stderr, "%s\n", lua_tostring(params.m_L, -1));
  wend_finalize(&params);
  lua_close(params.m_L);
  return failed;
}
