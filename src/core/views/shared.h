/* SPDX-License-Identifier: MIT */
/* What searches keep of maps between searches, and may share: agent views of grids, the eroded grids of bodies, and labels
 * of what can be reached. */
#ifndef WEND_SHARED_H
#define WEND_SHARED_H

#include "core/views/agent_view.h"
#include "core/views/body.h"
#include "core/views/reach.h"

struct wend_views {
  wend_alloc alloc;
  uint32_t owners; /* the searches that share it, and its creator until wend_views_destroy */
  wend_agent_views agents;
  wend_reaches reaches;
  wend_bodies bodies;
};

/* Adds an owner, and removes one; the last owner frees all. */
void wend_views_join(wend_views *shared);
void wend_views_leave(wend_views *shared);
/* Frees all that they have. */
void wend_views_free(wend_views *views);

#endif
