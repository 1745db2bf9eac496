/* SPDX-License-Identifier: MIT */
/* lua SCRIPT [ARGUMENT...]: the least that runs a script, to be built with sanitizers. Under LuaJIT only this program
 * and the module are sanitized; its heap comes from malloc, so that accesses outside of a block are seen there too. */
#define _XOPEN_SOURCE 700
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "state.h"

static void *resize(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  (void)ud;
  (void)old_bytes;
  if (new_bytes > 0) return realloc(block, new_bytes);
  free(block);
  return NULL;
}

static int traceback(lua_State *L) {
#if LUA_VERSION_NUM >= 502
  luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
#else
  lua_getglobal(L, "debug");
  lua_getfield(L, -1, "traceback");
  lua_getglobal(L, "tostring");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushinteger(L, 2);
  lua_call(L, 2, 1);
#endif
  return 1;
}

int main(int argc, char **argv) {
  lua_State *L = new_state(resize, NULL);
  if (!L || argc < 2 || !lua_checkstack(L, argc + LUA_MINSTACK)) return 2;
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
