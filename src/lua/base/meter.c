/* SPDX-License-Identifier: MIT */
/* What the functions of a request use: their time (costs.timing) and their instructions (costs.max_instructions).
 *
 * Times. Each rule that runs has an item in searcher->spent. After the request they are added to the fields `calls` and
 * `seconds` of the rule. A function that runs a search itself has used the time of that search too.
 *
 * Instructions. While a request with a limit runs its functions, its thread has the hook on_event, which Lua calls after every
 * STEP instructions. It counts for all limits of the chain: the request, and those in whose functions it runs. Beyond a limit it
 * raises. From then on it runs after every instruction, so a function that catches the error gets the next one at once, also
 * outside of its pcall:
 *
 *   while true do pcall(f) end     raises in f; pcall returns; raises in the loop
 *
 * The hook that the thread had before still receives its events, and it is put back afterwards. Coroutines that are made meanwhile
 * inherit the hook. One that goes on after the request removes it when it first counts. LuaJIT has one hook for all coroutines;
 * compiled code does not call it.
 *
 * While Lua runs a finalizer, or the message handler of xpcall for an error of the hook, it calls no hook. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#endif
#include <limits.h>
#include <string.h>
#include <time.h>

#include "lua/base/meter.h"

/* The hook counts after so many instructions. What a slice or a nested search uses below that is not counted. More would make
 * that larger; fewer would make functions slower. */
#define STEP 100

/* The error waits while a function of wend itself runs, so that it does not leave its objects half changed. No longer than this: a
 * script may give its own code the name of a file of wend. */
#define PATIENCE 1000000

/* ---- Time --------------------------------------------------------------------------------------------------- */

#if defined(_WIN32)
/* As in files.c: <windows.h> defines macros that clash with names here. */
__declspec(dllimport) int __stdcall QueryPerformanceCounter(void *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(void *frequency);

double lwend_clock(void) {
  int64_t count = 0, frequency = 1;
  (void)QueryPerformanceCounter(&count);
  (void)QueryPerformanceFrequency(&frequency);
  return (double)count / (double)frequency;
}
#else
double lwend_clock(void) {
  struct timespec now = {0, 0};
#if defined(CLOCK_MONOTONIC)
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
#else
  (void)timespec_get(&now, TIME_UTC);
#endif
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
#endif

/* The index of the rule in searcher->spent, which is made if the rule has not run yet. Rules run in turn: the search begins after
 * the one that ran last. */
static uint32_t find_spent(lua_State *L, lwend_request *request, uint64_t number) {
  lwend_searcher *searcher = request->searcher;
  const uint32_t count = request->spent_count;
  const lwend_spent fresh = {number, 0, 0, 0, 0};
  for (uint32_t i = 1; i <= count; i++) {
    const uint32_t at = (request->spent_at + i) % count;
    if (searcher->spent[at].number == number) return at;
  }
  LWEND_GROW(L, request->state, searcher->spent, searcher->spent_capacity, (uint64_t)count + 1);
  searcher->spent[count] = fresh;
  request->spent_count++;
  return count;
}

static void stop_clock(lwend_request *request) {
  const double seconds = request->spending ? lwend_clock() - request->since : 0;
  if (!request->spending) return;
  request->spending = false;
  if (seconds > 0) request->searcher->spent[request->spent_at].seconds += seconds;
}

void lwend_spent_sum(lua_State *L, lwend_request *request, int compiled) {
  const int rules = lua_gettop(L) + 1;
  stop_clock(request);                /* it runs if the function has raised */
  lua_getfield(L, compiled, "timed"); /* the rules by number */
  for (uint32_t i = 0; i < request->spent_count; i++) {
    lwend_spent *spent = &request->searcher->spent[i];
    lwend_pushwhole(L, spent->number);
    lua_rawget(L, rules);
    if (lua_istable(L, -1)) {
      lua_getfield(L, -1, "calls");
      lwend_pushwhole(L, (uint64_t)lua_tonumber(L, -1) + spent->calls - spent->summed_calls);
      lua_setfield(L, -3, "calls");
      lua_getfield(L, -2, "seconds");
      lua_pushnumber(L, lua_tonumber(L, -1) + (spent->seconds - spent->summed_seconds));
      lua_setfield(L, -4, "seconds");
      lua_pop(L, 2);
    }
    lua_pop(L, 1);
    spent->summed_calls = spent->calls;
    spent->summed_seconds = spent->seconds;
  }
  lua_settop(L, rules - 1);
}

void lwend_spent_push(lua_State *L, const lwend_request *request) {
  const int rules = lua_gettop(L) + 1, list = rules + 1;
  int items = 0;
  if (!request->timed) {
    lua_pushnil(L);
    return;
  }
  lua_getfield(L, LWEND_COMPILED, "timed");
  lua_createtable(L, (int)request->spent_count, 0);
  for (uint32_t i = 0; i < request->spent_count; i++) {
    const lwend_spent spent = request->searcher->spent[i];
    lwend_pushwhole(L, spent.number);
    lua_rawget(L, rules);
    if (lua_istable(L, -1)) { /* otherwise the rule was removed while a search in slices waited */
      lua_createtable(L, 0, 4);
      lua_getfield(L, list + 1, "name");
      lua_setfield(L, -2, "name");
      lua_getfield(L, list + 1, "mod");
      if (lua_toboolean(L, -1)) lua_setfield(L, -2, "mod");
      else lua_pop(L, 1);
      lwend_set_whole(L, "calls", spent.calls);
      lwend_set_number(L, "seconds", spent.seconds);
      lua_rawseti(L, list, ++items);
    }
    lua_settop(L, list);
  }
  lua_remove(L, rules);
}

/* ---- Instructions ------------------------------------------------------------------------------------------- */

/* Its address is the key of the innermost limit in the registry: a light userdata, or false. A hook knows only its thread. */
static const int limit_key = 0;

static lwend_limit *innermost_limit(lua_State *L) {
  lwend_limit *limit;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &limit_key);
  limit = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return limit;
}

/* This may allocate when the key is new: then nothing has changed yet. */
static void set_innermost(lua_State *L, lwend_limit *limit) {
  if (limit != NULL) lua_pushlightuserdata(L, limit);
  else lua_pushboolean(L, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &limit_key);
}

static void on_event(lua_State *L, lua_Debug *event);

/* The limit that has replaced the hook of the host in this thread, or otherwise in the next one. NULL: none has. */
static lwend_limit *hosts_limit(lua_State *L, lwend_limit *innermost) {
  lwend_limit *any = NULL;
  for (lwend_limit *limit = innermost; limit != NULL; limit = limit->outer) {
    if (limit->hook == on_event || limit->hook == NULL) continue;
    if (limit->L == L) return limit;
    if (any == NULL) any = limit;
  }
  return any;
}

/* The number of instructions until the hook must count. */
static int next_count(lua_State *L, lwend_limit *innermost) {
  const lwend_limit *host = hosts_limit(L, innermost);
  uint64_t least = STEP;
  for (const lwend_limit *limit = innermost; limit != NULL; limit = limit->outer) {
    if (limit->exceeded) return 1;
    if (limit->most - limit->used < least) least = limit->most - limit->used;
  }
  if (host != NULL && (host->mask & LUA_MASKCOUNT) != 0 && (uint64_t)host->left < least) least = (uint64_t)host->left;
  return least > 0 ? (int)least : 1;
}

static void arm(lua_State *L, lwend_limit *innermost, int mask) {
  lua_sethook(L, on_event, mask | LUA_MASKCOUNT, next_count(L, innermost));
}

/* Whether the running function is one of wend's Lua files. */
static bool is_own_code(lua_State *L, lua_Debug *event, const lwend_limit *limit) {
  const size_t length = limit->folder != NULL ? strlen(limit->folder) : 0;
  if (length == 0 || !lua_getinfo(L, "S", event)) return false;
  return strncmp(event->source, limit->folder, length) == 0;
}

/* Raises: the limit is exceeded. event: NULL, or that of the hook. */
static void raise_exceeded(lua_State *L, const lwend_limit *limit, lua_Debug *event) {
  int parts = 1;
  if (event != NULL && lua_getinfo(L, "Sl", event) && event->currentline > 0) {
    lua_pushfstring(L, "%s:%d: ", event->short_src, event->currentline);
    parts++;
  }
  lua_pushliteral(L, "more than ");
  lwend_pushwhole(L, limit->most);
  lua_pushliteral(L, " instructions (max_instructions)");
  lua_concat(L, parts + 2);
  lua_error(L);
}

/* The hook. */
static void on_event(lua_State *L, lua_Debug *event) {
  lwend_limit *innermost = innermost_limit(L), *host = hosts_limit(L, innermost);
  const lwend_limit *exceeded = NULL;
  const int count = lua_gethookcount(L);
  if (innermost == NULL) { /* a coroutine that was made in a search has gone on after it */
    lua_sethook(L, NULL, 0, 0);
    return;
  }
  if (event->event != LUA_HOOKCOUNT) {
    if (host != NULL) host->hook(L, event);
    return;
  }
  for (lwend_limit *limit = innermost; limit != NULL; limit = limit->outer) {
    limit->used += (uint64_t)count;
    if (limit->used >= limit->most) limit->exceeded = true;
    if (limit->exceeded) exceeded = limit;
  }
  arm(L, innermost, lua_gethookmask(L));
  if (host != NULL && (host->mask & LUA_MASKCOUNT) != 0) {
    host->left -= count;
    if (host->left <= 0) {
      host->left = host->count;
      arm(L, innermost, lua_gethookmask(L));
      host->hook(L, event);
    }
  }
  if (exceeded == NULL) return;
  for (lwend_limit *limit = innermost; limit != NULL; limit = limit->outer)
    if (limit->exceeded && limit->L != L && lua_gethook(limit->L) == on_event)
      arm(limit->L, innermost, lua_gethookmask(limit->L));
  if (exceeded->used < exceeded->most + PATIENCE && is_own_code(L, event, exceeded)) return;
  raise_exceeded(L, exceeded, event);
}

void lwend_limit_begin(lua_State *L, lwend_request *request) {
  lwend_limit *limit = &request->limit;
  limit->outer = innermost_limit(L);
  set_innermost(L, limit);
  limit->L = L;
  limit->folder = request->state->folder;
  limit->hook = lua_gethook(L);
  limit->mask = lua_gethookmask(L);
  limit->count = limit->left = lua_gethookcount(L);
  if (limit->hook == on_event && limit->outer == NULL) limit->hook = NULL, limit->mask = 0; /* see on_event */
  arm(L, limit, limit->mask);
}

void lwend_limit_end(lua_State *L, lwend_request *request, bool failed) {
  lwend_limit *limit = &request->limit;
  set_innermost(L, limit->outer);
  if (lua_gethook(L) != on_event) { /* a function has set another hook: it stays */
  } else if (limit->hook == on_event) {
    arm(L, limit->outer, limit->mask);
  } else {
    lua_sethook(L, limit->hook, limit->mask, limit->count);
  }
  limit->outer = NULL;
  if (!failed) return;
  limit->used = 0;
  limit->exceeded = false;
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

void lwend_ask_metered(lua_State *L, lwend_request *request, uint64_t number, int arguments, int results) {
  if (request->timed && number != 0) {
    request->spent_at = find_spent(L, request, number);
    request->searcher->spent[request->spent_at].calls++;
    request->spending = true;
    request->since = lwend_clock();
  }
  lwend_ask(L, request->g, arguments, results);
  stop_clock(request);
  /* A function in C, such as pcall, may have caught the error, and no instruction has run since. */
  if (request->limit.exceeded) raise_exceeded(L, &request->limit, NULL);
}
