/* SPDX-License-Identifier: MIT */
/* Threads, which work for a call that waits for them. They call functions of the core and nothing of Lua. WEND_THREADS says at compile
 * time that there are threads: those of POSIX, or of Windows. */
#include "lua/base/query.h"

#if defined(WEND_THREADS)

/* What a thread does. */
typedef struct thread_task {
  lwend_work *work;
  void *ud;
  uint32_t number;
} thread_task;

#if defined(_WIN32)
/* As in files.c: <windows.h> defines macros that clash with names here. */
typedef void *thread_handle;
__declspec(dllimport) thread_handle __stdcall CreateThread(void *security, size_t stack, unsigned long(__stdcall *run)(void *),
                                                           void *task, unsigned long flags, unsigned long *id);
__declspec(dllimport) unsigned long __stdcall WaitForSingleObject(thread_handle thread, unsigned long milliseconds);
__declspec(dllimport) int __stdcall CloseHandle(thread_handle thread);

static unsigned long __stdcall run_thread(void *task) {
  const thread_task *t = task;
  t->work(t->ud, t->number);
  return 0;
}

static bool begin_thread(thread_handle *thread, thread_task *task) {
  *thread = CreateThread(NULL, 0, run_thread, task, 0, NULL);
  return *thread != NULL;
}

static void end_thread(thread_handle thread) {
  (void)WaitForSingleObject(thread, 0xffffffff);
  (void)CloseHandle(thread);
}
#else
#include <pthread.h>

typedef pthread_t thread_handle;

static void *run_thread(void *task) {
  const thread_task *t = task;
  t->work(t->ud, t->number);
  return NULL;
}

static bool begin_thread(thread_handle *thread, thread_task *task) {
  return pthread_create(thread, NULL, run_thread, task) == 0;
}

static void end_thread(thread_handle thread) { (void)pthread_join(thread, NULL); }
#endif

#define THREADS_MAX WEND_WORKERS_MAX

void lwend_run_threads(lwend_work *work, void *ud, uint32_t count) {
  thread_handle threads[THREADS_MAX];
  thread_task tasks[THREADS_MAX];
  uint32_t begun = 1;
  for (; begun < count; begun++) {
    const thread_task task = {work, ud, begun};
    tasks[begun] = task;
    if (!begin_thread(&threads[begun], &tasks[begun])) break;
  }
  work(ud, 0);
  for (uint32_t i = begun; i < count; i++) work(ud, i);
  while (--begun > 0) end_thread(threads[begun]);
}

#else
#define THREADS_MAX 1u

void lwend_run_threads(lwend_work *work, void *ud, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) work(ud, i);
}
#endif

uint32_t lwend_check_threads(lua_State *L, int index) {
  uint64_t threads = 1;
  if (!lua_isnil(L, index) && (!lwend_towhole(L, index, &threads) || threads < 1))
    lwend_type_error(L, index, "threads", "a whole number >= 1");
  return threads < THREADS_MAX ? (uint32_t)threads : THREADS_MAX;
}
