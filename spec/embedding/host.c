/* SPDX-License-Identifier: MIT */
/* host SCRIPT [ARGUMENT...]: a program with Lua and wend in it. Also compiled as C++, under the name host.cpp. */
#ifdef __cplusplus
extern "C" {
#endif
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
int luaopen_wend(lua_State *L);
#ifdef __cplusplus
}
#endif
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int failed;
  lua_State *L = luaL_newstate();
  if (L == NULL || argc < 2 || !lua_checkstack(L, argc + LUA_MINSTACK)) return EXIT_FAILURE;
  luaL_openlibs(L);

  lua_pushcfunction(L, luaopen_wend);
  lua_call(L, 0, 0);

  lua_createtable(L, argc, 1);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  failed = luaL_loadfile(L, argv[1]);
  if (!failed) {
    for (int i = 2; i < argc; i++) lua_pushstring(L, argv[i]);
    failed = lua_pcall(L, argc - 2, 0, 0);
  }
  if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
