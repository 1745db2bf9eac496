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

void wend_views_free(wend_views *views) {
  wend_agent_views_free(&views->agents, &views->alloc);
  wend_reaches_free(&views->reaches, &views->alloc);
  wend_bodies_free(&views->bodies, &views->alloc);
}

void wend_views_leave(wend_views *shared) {
  if (--shared->owners > 0) return;
  wend_views_free(shared);
  wend_delete(shared, sizeof *shared);
}

void wend_views_destroy(wend_views *shared) {
  if (shared != NULL) wend_views_leave(shared);
}

/* Frees the agent views and the labels of a map. */
static void forget(wend_views *views, const wend_map *map) {
  if (map->is_grid) wend_agent_views_forget(&views->agents, &views->alloc, (const wend_grid *)map);
  wend_reaches_forget(&views->reaches, &views->alloc, map);
}

void wend_views_forget(wend_views *views, const wend_map *map) {
  forget(views, map);
  if (!map->is_grid) return;
  for (uint32_t i = 0; i < views->bodies.count; i++)
    if (views->bodies.at[i].serial == map->serial && views->bodies.at[i].grid != NULL)
      forget(views, &views->bodies.at[i].grid->map);
  wend_bodies_forget(&views->bodies, &views->alloc, (const wend_grid *)map);
}
