/* SPDX-License-Identifier: MIT */
/* Counts the instructions between two calls from Lua. It works only under valgrind --tool=callgrind --instr-atstart=no. */
#include <lauxlib.h>
#include <lua.h>
#include <valgrind/callgrind.h>

/* start() */
static int start(lua_State *L) {
  (void)L;
  CALLGRIND_ZERO_STATS;
  CALLGRIND_START_INSTRUMENTATION;
  return 0;
}

/* stop(name): writes the count since start() to the next dump file. */
static int stop(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
  return 0;
}

int luaopen_wend_bench_callgrind(lua_State *L);
int luaopen_wend_bench_callgrind(lua_State *L) {
  static const luaL_Reg functions[] = {{"start", start}, {"stop", stop}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
