/* SPDX-License-Identifier: MIT */
/* Snapshots: copies of maps, for searches that were disturbed too often. A snapshot is shared by all searches that need the
 * same version of a map, and freed with the last of them. A map knows its latest snapshot, but does not keep it.
 *
 *   search A --+
 *              +--> snapshot of version 7 <--> map, now version 7
 *   search B --+
 *   search C -----> snapshot of version 5      the map does not know it any more
 *
 * Every search that uses a snapshot keeps the userdata of the map alive, so `of` may be read until the snapshot is freed. */
#include <string.h>

#include "lua/base/query.h"

lwend_snapshot *lwend_snapshot_take(const lwend_state *state, lwend_map *g) {
  lwend_snapshot *snapshot = g->snapshot;
  if (snapshot != NULL && snapshot->version == wend_map_version(g->map)) {
    snapshot->users++;
    return snapshot;
  }
  snapshot = state->alloc.resize(state->alloc.ud, NULL, 0, sizeof *snapshot);
  if (snapshot == NULL) return NULL;
  memset(snapshot, 0, sizeof *snapshot);
  if (wend_map_copy(g->map, &snapshot->map) != WEND_OK) {
    state->alloc.resize(state->alloc.ud, snapshot, sizeof *snapshot, 0);
    return NULL;
  }
  snapshot->version = wend_map_version(g->map);
  snapshot->users = 1;
  snapshot->of = g;
  if (g->snapshot != NULL) g->snapshot->of = NULL;
  g->snapshot = snapshot;
  return snapshot;
}

void lwend_snapshot_release(const lwend_state *state, lwend_snapshot *snapshot) {
  if (snapshot == NULL || --snapshot->users > 0) return;
  if (snapshot->of != NULL) snapshot->of->snapshot = NULL;
  if (state->views != NULL) wend_views_forget(state->views, snapshot->map);
  wend_map_destroy(snapshot->map);
  state->alloc.resize(state->alloc.ud, snapshot, sizeof *snapshot, 0);
}
