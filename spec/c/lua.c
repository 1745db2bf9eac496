/* SPDX-License-Identifier: MIT */
/* lua SCRIPT [ARGUMENT...]: the least that runs a script, to be built with sanitizers. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static int traceback(lua_State *L) {
  luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
  return 1;
}

int main(int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (!L || argc < 2) return 2;
  luaL_openlibs(L);
  /* Never unloaded, or a leak found after the end could not be given its lines. */
  const char *build = getenv("WEND_BUILD");
  char core[512];
  if (build && snprintf(core, sizeof core, "%s/wend/core.so", build) < (int)sizeof core) dlopen(core, RTLD_NOW);
  lua_createtable(L, argc, 1);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  lua_pushcfunction(L, traceback);
  int failed = luaL_loadfile(L, argv[1]);
  if (!failed) {
    for (int i = 2; i < argc; i++) lua_pushstring(L, argv[i]);
    failed = lua_pcall(L, argc - 2, 0, 1);
  }
  if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
