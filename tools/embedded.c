/* SPDX-License-Identifier: MIT */
/* The end of dist/wend_lua.c: luaopen_wend, and wend's Lua files as text. tools/amalgamate.lua puts the list of files in
 * place of a comment below. */
#include <string.h>

#include "lua/lwend.h"

typedef struct embedded_file {
  const char *module;       /* what require calls it */
  const char *chunk;        /* what messages call it: @wend/tools/svg/init.lua */
  const char *const *lines; /* NULL after the last one */
} embedded_file;

/* EMBEDDED FILES */

#define EMBEDDED_COUNT ((int)(sizeof embedded_files / sizeof *embedded_files))

static const char *read_embedded_line(lua_State *L, void *ud, size_t *size) {
  const char *const **next = ud, *line = **next;
  (void)L;
  *size = 0;
  if (line == NULL) return NULL;
  ++*next;
  *size = strlen(line);
  return line;
}

/* loader(name) -> module. Its upvalue is the index of the file. */
static int load_embedded(lua_State *L) {
  const embedded_file *file = &embedded_files[lua_tointeger(L, lua_upvalueindex(1))];
  const char *const *next = file->lines;
#if LUA_VERSION_NUM >= 502
  int failed = lua_load(L, read_embedded_line, &next, file->chunk, "t");
#else
  int failed = lua_load(L, read_embedded_line, &next, file->chunk);
#endif
  if (failed) return lua_error(L);
  lua_pushstring(L, file->module);
  lua_pushstring(L, file->chunk + 1);
  lua_call(L, 2, 1);
  return 1;
}

LWEND_EXPORT int luaopen_wend(lua_State *L);

/* luaopen_wend() -> wend. Makes all modules of wend known to require, loads the module wend and returns it. A host calls it
 * once for each Lua state, after it opened the package library. It needs no file system and no dynamic linking. */
LWEND_EXPORT int luaopen_wend(lua_State *L) {
  int loaded, preload;
  check_version(L);
  lua_settop(L, 0);
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  loaded = 1;
  lua_getfield(L, loaded, "package");
  if (!lua_istable(L, -1)) return luaL_error(L, "wend needs the package library: call luaopen_package before luaopen_wend");
  lua_getfield(L, -1, "preload");
  preload = lua_gettop(L);
  if (!lua_istable(L, preload)) return luaL_error(L, "package.preload must be a table");
  for (int i = 0; i < EMBEDDED_COUNT; i++) {
    lua_pushinteger(L, i);
    lua_pushcclosure(L, load_embedded, 1);
    lua_setfield(L, preload, embedded_files[i].module);
  }
  lua_pushcfunction(L, luaopen_wend_core);
  lua_setfield(L, preload, "wend.core");
  lua_getfield(L, loaded, "wend");
  if (lua_istable(L, -1)) return 1; /* it is open already */
  lua_getfield(L, preload, "wend");
  lua_call(L, 0, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, loaded, "wend");
  return 1;
}
