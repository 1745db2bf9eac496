/* SPDX-License-Identifier: MIT */
/* Views that several searches share. They count their owners: the last one frees them. */
#include "core/views/shared.h"

wend_views *wend_views_create(const wend_alloc *alloc) {
  wend_views *shared = wend_new(alloc, sizeof *shared);
  if (shared == NULL) return NULL;
  shared->owners = 1;
  return shared;
}

void wend_views_join(wend_views *shared) { shared->owners++; }

void wend_views_leave(wend_views *shared) {
  if (--shared->owners > 0) return;
  wend_agent_views_free(&shared->agents, &shared->alloc);
  wend_reaches_free(&shared->reaches, &shared->alloc);
  wend_bodies_free(&shared->bodies, &shared->alloc);
  wend_delete(shared, sizeof *shared);
}

void wend_views_destroy(wend_views *shared) {
  if (shared != NULL) wend_views_leave(shared);
}

void wend_forget_map(wend_agent_views *agents, wend_reaches *reaches, wend_bodies *bodies, const wend_alloc *alloc,
                     const wend_map *map) {
  for (uint32_t i = 0; i < bodies->count && map->is_grid; i++)
    if (bodies->at[i].serial == map->serial && bodies->at[i].grid != NULL)
      wend_forget_map(agents, reaches, &(wend_bodies){0}, alloc, &bodies->at[i].grid->map);
  if (map->is_grid) wend_agent_views_forget(agents, alloc, (const wend_grid *)map);
  if (map->is_grid) wend_bodies_forget(bodies, alloc, (const wend_grid *)map);
  wend_reaches_forget(reaches, alloc, map);
}

void wend_views_forget(wend_views *shared, const wend_map *map) {
  wend_forget_map(&shared->agents, &shared->reaches, &shared->bodies, &shared->alloc, map);
}
