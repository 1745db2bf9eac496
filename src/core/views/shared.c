/* SPDX-License-Identifier: MIT */
/* Views that several searches share. They count their owners: the last one frees them. */
#include "core/views/shared.h"

wend_views *wend_views_create(const wend_alloc *alloc) {
  wend_alloc owner;
  wend_views *shared = wend_new(alloc, sizeof *shared, &owner);
  if (shared == NULL) return NULL;
  shared->alloc = owner;
  shared->owners = 1;
  return shared;
}

void wend_views_join(wend_views *shared) { shared->owners++; }

void wend_views_leave(wend_views *shared) {
  const wend_alloc alloc = shared->alloc;
  if (--shared->owners > 0) return;
  wend_agent_views_free(&shared->agents, &alloc);
  wend_reaches_free(&shared->reaches, &alloc);
  alloc.resize(alloc.ud, shared, sizeof *shared, 0);
}

void wend_views_destroy(wend_views *shared) {
  if (shared != NULL) wend_views_leave(shared);
}

void wend_views_forget(wend_views *shared, const wend_map *map) {
  if (map->is_grid) wend_agent_views_forget(&shared->agents, &shared->alloc, (const wend_grid *)map);
  wend_reaches_forget(&shared->reaches, &shared->alloc, map);
}
