/* SPDX-License-Identifier: MIT */
/* fail FILE...: runs specs and scripts while memory runs out. The core takes its memory from the Lua state, so that one
 * allocator sees every request.
 *
 * A spec runs once. In each of its calls of wend the first request for memory fails, then a later one, and so on, until the
 * call succeeds: spec/c/fail.lua says more. With WEND_EVERY=k in the environment every k-th request fails.
 *
 * A script spec/c/fail_NAME.lua runs again and again; in the n-th run the n-th request fails, until a run needed fewer. It
 * finds two functions more than usual:
 *
 *   attempt(f, ...)   calls f(...) while requests may fail. true and its results, or false and the message when memory
 *                     ran out; any other error is raised. Outside of it no request fails.
 *   is_over()         asked before each step of a script: whether an attempt has failed, and two more steps have shown
 *                     whether anything is left of that. All of the rest would take long.
 *
 * An allocation that Lua makes is tried again after a collection, one of the core is not. Hence three modes:
 *
 *   once    request n                      reaches the core only
 *   twice   requests n and n + 1           reaches Lua too, which then raises; what follows works again
 *   rest    n and all after it             until the call ends: nothing that cleans up may need memory
 *
 * A run is bad when a spec fails, when the script raises, when a byte is left after lua_close, or when a block is given back
 * with another size than it was made with. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "state.h"

int luaopen_wend_core(lua_State *L);

enum mode { ONCE, TWICE, REST, MODES };
static const char *const mode_names[MODES + 1] = {"once", "twice", "rest", NULL};

#define SPECS_RUNNER "spec/c/fail.lua"

/* A script that never comes to an end is a mistake in the script. */
#define RUNS_MAX 200000

typedef struct memory {
  size_t bytes;       /* in use */
  unsigned long seen; /* requests made during attempts */
  unsigned long n;    /* the one to fail, from 1 */
  enum mode mode;
  bool armed;
  bool failing; /* mode rest, until the attempt ends */
  unsigned long injected;
  unsigned steps_left; /* after an attempt that failed */
  bool failed;         /* an attempt has failed */
  bool wrong_size;
} memory;

/* Before each block: its size. 16 bytes keep the alignment. */
#define HEAD 16

static char now[512]; /* what runs, for the signal handler */

static void on_crash(int number) {
  ssize_t ignored = write(2, now, strlen(now));
  (void)ignored;
  signal(number, SIG_DFL);
  raise(number);
}

static bool fails(memory *m) {
  if (!m->armed) return false;
  m->seen++;
  bool fail = m->failing || m->seen == m->n || (m->mode == TWICE && m->seen == m->n + 1);
  if (!fail) return false;
  m->injected++;
  if (m->mode == REST) m->failing = true;
  return true;
}

static void *allocate(void *ud, void *block, size_t old_bytes, size_t new_bytes) {
  memory *m = ud;
  unsigned char *raw = block ? (unsigned char *)block - HEAD : NULL;
  size_t had = 0;
  if (raw) {
    memcpy(&had, raw, sizeof had);
    if (had != old_bytes) m->wrong_size = true;
  }
  if (new_bytes == 0) {
    free(raw);
    m->bytes -= had;
    return NULL;
  }
  if (new_bytes > had && fails(m)) return NULL;   /* by contract, shrinking never fails */
  unsigned char *made = malloc(HEAD + new_bytes); /* always another place: shows pointers kept too long */
  if (!made) return NULL;
  memcpy(made, &new_bytes, sizeof new_bytes);
  if (raw) {
    memcpy(made + HEAD, raw + HEAD, had < new_bytes ? had : new_bytes);
    free(raw);
  }
  m->bytes += new_bytes - had;
  return made + HEAD;
}

/* The steps of a script that run after an attempt that failed. */
#define STEPS_AFTER 2

/* is_over() */
static int is_over(lua_State *L) {
  memory *m = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushboolean(L, m->failed && m->steps_left == 0);
  if (m->failed && m->steps_left > 0) m->steps_left--;
  return 1;
}

/* Calls the function below the top `arguments` values, or resumes the thread there, while requests may fail. What it
 * returned takes their place, or the message. Whether memory ran out is the difference in `injected`. */
static int call_failing(lua_State *L, memory *m, int arguments) {
  lua_State *thread = lua_tothread(L, -arguments - 1);
  if (thread) lua_xmove(L, thread, arguments);
  int status, results = 1;
  m->armed = true;
  if (thread) {
    status = lua_resume(thread, L, arguments, &results);
  } else {
    status = lua_pcall(L, arguments, LUA_MULTRET, 0);
  }
  m->armed = false;
  if (m->failing) m->n = 0; /* never again in this run */
  m->failing = false;
  if (!thread) return status;
  bool returned = status == LUA_OK || status == LUA_YIELD;
  if (!returned) results = 1; /* the message */
  luaL_checkstack(L, results, "results of a thread");
  lua_xmove(thread, L, results);
  lua_remove(L, -results - 1);
  return returned ? LUA_OK : status;
}

static bool is_out_of_memory(lua_State *L) {
  return lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "not enough memory") == 0;
}

/* attempt(f, ...) -> true, results | false, message */
static int attempt(lua_State *L) {
  memory *m = lua_touserdata(L, lua_upvalueindex(1));
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  unsigned long before = m->injected;
  if (call_failing(L, m, lua_gettop(L) - 2) == LUA_OK) return lua_gettop(L);
  if (m->injected == before || !is_out_of_memory(L)) {
    const char *message = lua_tostring(L, -1);
    return luaL_error(L, "an attempt raised: %s", message ? message : luaL_typename(L, -1));
  }
  if (!m->failed) m->steps_left = STEPS_AFTER;
  m->failed = true;
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/* fail_at(n, mode, f, ...) -> whether a request failed, "returned", results
 *                           | whether a request failed, "ran out" | ..., "raised", message
 * f is a function or a thread. Inside of another call it returns nothing. */
static int fail_at(lua_State *L) {
  memory *m = lua_touserdata(L, lua_upvalueindex(1));
  if (m->armed) return 0;
  m->seen = m->injected = 0;
  m->n = (unsigned long)luaL_checkinteger(L, 1);
  m->mode = (enum mode)luaL_checkoption(L, 2, NULL, mode_names);
  bool returned = call_failing(L, m, lua_gettop(L) - 3) == LUA_OK;
  const char *end = returned ? "returned" : is_out_of_memory(L) && m->injected > 0 ? "ran out" : "raised";
  lua_pushboolean(L, m->injected > 0);
  lua_replace(L, 1);
  lua_pushstring(L, end);
  lua_replace(L, 2);
  return lua_gettop(L);
}

/* is_failing() -> whether this is inside of a call that may fail */
static int is_failing(lua_State *L) {
  memory *m = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushboolean(L, m->armed);
  return 1;
}

/* bytes_in_use() */
static int bytes_in_use(lua_State *L) {
  memory *m = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushinteger(L, (lua_Integer)m->bytes);
  return 1;
}

/* running(name): what to name when the process is killed */
static int running(lua_State *L) {
  snprintf(now, sizeof now, "%s\n", luaL_checkstring(L, 1));
  return 0;
}

static bool is_spec(const char *file) { return strstr(file, "_spec.lua") != NULL; }

static int prepare(lua_State *L) {
  memory *m = lua_touserdata(L, 1);
  const char *script = lua_touserdata(L, 2);
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_wend_core);
  lua_setfield(L, -2, "wend.core");
  lua_pop(L, 1);
  static const luaL_Reg functions[] = {
      {"attempt", attempt}, {"is_over", is_over},           {"fail_at", fail_at}, {"is_failing", is_failing},
      {"running", running}, {"bytes_in_use", bytes_in_use}, {NULL, NULL},
  };
  for (const luaL_Reg *f = functions; f->name; f++) {
    lua_pushlightuserdata(L, m);
    lua_pushcclosure(L, f->func, 1);
    lua_setglobal(L, f->name);
  }
  /* Lua 5.4 cannot make its first long buffer again once memory has run out in the middle of it. */
  (void)luaL_dostring(L, "local _ = ('x'):rep(5000)");
  if (luaL_loadfile(L, is_spec(script) ? SPECS_RUNNER : script) != LUA_OK) return lua_error(L);
  lua_pushstring(L, script);
  lua_call(L, 1, 0);
  return 0;
}

/* false: a bad run, which has been reported */
static bool run(memory *m, const char *script) {
  lua_State *L = new_state(allocate, m);
  if (!L) {
    fprintf(stderr, "%s: no Lua state\n", now);
    return false;
  }
  bool good = true;
  lua_pushcfunction(L, prepare);
  lua_pushlightuserdata(L, m);
  lua_pushlightuserdata(L, (void *)script);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    fprintf(stderr, "%s: %s\n", now, lua_tostring(L, -1));
    good = false;
  }
  lua_close(L);
  if (m->bytes != 0) {
    fprintf(stderr, "%s: %zu bytes left after lua_close\n", now, m->bytes);
    good = false;
  }
  if (m->wrong_size) {
    fprintf(stderr, "%s: a block was given back with a wrong size\n", now);
    good = false;
  }
  return good;
}

int main(int argc, char **argv) {
  signal(SIGSEGV, on_crash);
  signal(SIGABRT, on_crash);
  const char *asked = getenv("WEND_EVERY");
  const unsigned long every = asked != NULL && atol(asked) > 0 ? (unsigned long)atol(asked) : 1;
  int bad = 0;
  for (int i = 1; i < argc; i++) {
    if (is_spec(argv[i])) {
      memory m = {0};
      snprintf(now, sizeof now, "%s", argv[i]);
      if (!run(&m, argv[i])) bad++;
      continue;
    }
    for (enum mode mode = ONCE; mode < MODES; mode++) {
      unsigned long n = 1 + (unsigned long)mode % every;
      int bad_before = bad;
      for (;; n += every) {
        memory m = {.n = n, .mode = mode};
        snprintf(now, sizeof now, "%s, %s, request %lu", argv[i], mode_names[mode], n);
        if (!run(&m, argv[i])) bad++;
        if (m.injected == 0) break;
        if (bad - bad_before >= 5) break; /* more would say the same */
        if (n >= RUNS_MAX) {
          fprintf(stderr, "%s: no end\n", now);
          bad++;
          break;
        }
      }
      printf("%s, %s: %lu requests, 1 in %lu%s\n", argv[i], mode_names[mode], n - 1, every, bad > bad_before ? ", BAD" : "");
      fflush(stdout);
    }
  }
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
