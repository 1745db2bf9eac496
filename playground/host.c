/* SPDX-License-Identifier: MIT */
/* The program behind the page: Lua and wend in WebAssembly. engine.js runs it in a worker. Each run has a Lua state of its own, so
 * equal maps and rules give equal answers. lua/play.lua is the script that runs. */
#include <emscripten.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

int luaopen_wend(lua_State *L);

enum { INSTRUCTIONS_BETWEEN_LOOKS = 20000 };

static double deadline; /* in milliseconds, as emscripten_get_now counts them */

/* The page gets an answer: a text in JSON, or the numbers of a field. Both are copied before these return. */
EM_JS(void, give_text, (const char *text), { Module.onText(UTF8ToString(text)); });
EM_JS(void, give_numbers, (const float *numbers, int count),
      { Module.onNumbers(HEAPF32.slice(numbers >> 2, (numbers >> 2) + count)); });

/* answer(text) */
static int answer(lua_State *L) {
  give_text(luaL_checkstring(L, 1));
  return 0;
}

/* answer_field(field, width, height): the cost of each cell, row by row; NaN: not reached */
static int answer_field(lua_State *L) {
  lua_Integer width = luaL_checkinteger(L, 2), height = luaL_checkinteger(L, 3);
  luaL_argcheck(L, width >= 1 && height >= 1 && width <= 4096 && height <= 4096, 2, "a size of 1 to 4096");
  size_t count = (size_t)(width * height);
  float *costs = lua_newuserdatauv(L, count * sizeof *costs, 0);
  for (size_t i = 0; i < count; i++) costs[i] = __builtin_nanf("");
  /* field:each() pushes the iterator, its state and where it begins, at 5 to 7. */
  lua_settop(L, 4);
  lua_getfield(L, 1, "each");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 3);
  for (;;) {
    lua_pushvalue(L, 5);
    lua_pushvalue(L, 6);
    lua_pushvalue(L, 7);
    lua_call(L, 2, 3);
    if (lua_isnil(L, -3)) break;
    lua_Integer x = lua_tointeger(L, -3), y = lua_tointeger(L, -2);
    if (x >= 1 && y >= 1 && x <= width && y <= height) costs[(y - 1) * width + x - 1] = (float)lua_tonumber(L, -1);
    lua_pushvalue(L, -3);
    lua_replace(L, 7);
    lua_settop(L, 7);
  }
  give_numbers(costs, (int)count);
  return 0;
}

/* Ends a script that has run for too long. From then on it looks after each instruction: a script that catches the error gets
 * the next one at once. play.lua itself goes on, to tell of the error. */
static void look_at_clock(lua_State *L, lua_Debug *ar) {
  if (emscripten_get_now() < deadline) return;
  lua_sethook(L, look_at_clock, LUA_MASKCOUNT, 1);
  lua_getinfo(L, "Sl", ar);
  if (strcmp(ar->short_src, "play.lua") == 0) return;
  lua_pushfstring(L, "%s:%d: stopped: it took too long", ar->short_src, ar->currentline);
  lua_error(L);
}

/* Runs play.lua with the text `input`, for at most so many seconds. */
EMSCRIPTEN_KEEPALIVE void play(const char *input, double seconds) {
  deadline = emscripten_get_now() + seconds * 1000;
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    give_text("{\"kind\":\"error\",\"message\":\"not enough memory\"}");
    return;
  }
  luaL_openlibs(L);
  lua_pushcfunction(L, luaopen_wend);
  int status = lua_pcall(L, 0, 0, 0);
  lua_register(L, "answer", answer);
  lua_register(L, "answer_field", answer_field);
  if (status == LUA_OK) status = luaL_loadfile(L, "play.lua");
  if (status == LUA_OK) {
    lua_sethook(L, look_at_clock, LUA_MASKCOUNT, INSTRUCTIONS_BETWEEN_LOOKS);
    lua_pushstring(L, input);
    status = lua_pcall(L, 1, 0, 0);
    lua_sethook(L, NULL, 0, 0);
  }
  /* play.lua tells of errors of rules itself. What comes here is an error of its own, or that its time is over. */
  if (status != LUA_OK) {
    lua_getglobal(L, "fail");
    lua_pushvalue(L, -2);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) give_text("{\"kind\":\"error\",\"message\":\"the script was stopped\"}");
  }
  lua_close(L);
}
