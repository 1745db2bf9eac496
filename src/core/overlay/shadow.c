/* SPDX-License-Identifier: MIT */
/* Shadows: copies of maps to which overlays are applied. A search looks at a shadow instead of the map.
 *
 * A pool keeps the shadows of a program, up to SHADOWS_MAX of each map, and more while searches hold them. A shadow belongs to an
 * overlay and a list of exceptions, until it is taken over:
 *
 *   wend_shadow_take of overlay A      a new copy of the map; the changes of A are applied
 *   ... of A again                     what the map and A have changed since is brought up to date: see `catch_up`
 *   ... of A, with an exception        if nobody holds the shadow: the exception is undone, nothing else
 *   ... of B, C, D                     three more copies
 *   ... of E                           takes over the shadow that was not used for the longest time: the changes of A are undone,
 *                                      those of E are applied
 *
 * catch_up brings a shadow up to date. It replays the journal of the map, and visits the places of the changes that were applied
 * and of those that are to be applied. Each place gets the value of the map, then the change of the overlay, if there is one. A
 * place that has this value already is not touched, so only differences get into the journal of the shadow, from which searches in
 * slices and agent views learn what has changed. Where nodes, edges or portals come or go, the whole map is copied again.
 *
 * The statistics of a graph's weights depend on the weights that there were before (ratios.h). So they are copied from the map
 * before weights of an overlay are applied: what a search finds does not depend on which overlays were used before. */
#include <assert.h>
#include <string.h>

#include "core/views/shared.h"
#include "core/overlay/mirror.h"

WEND_NO_FUSING

/* The number of shadows of one map that are kept. */
#define SHADOWS_MAX 4u

struct wend_shadow {
  wend_shadows *pool;
  wend_map *of;                    /* NULL: it was destroyed, or the shadow was never filled */
  wend_map *map;                   /* the copy */
  uint64_t serial, applied;        /* of the overlay, and its version */
  uint64_t version, labels, noted; /* of the map: its version and labels, and the end of its journal */
  uint64_t *keys;                  /* of the changes that were applied */
  uint64_t *except;                /* the keys where none is applied */
  uint32_t keys_capacity, key_count, except_capacity, except_count;
  bool weighed; /* weights are among the changes */
  bool torn;    /* memory ran out in the middle: the whole map must be copied */
  bool alone;   /* for one search only */
  uint32_t users;
  uint64_t used; /* the clock of the pool when it was used last */
};

struct wend_shadows {
  wend_alloc alloc;
  wend_views *views; /* NULL: searches have their own */
  wend_shadow **at;
  uint32_t capacity, count;
  uint64_t clock;
};

/* ---- The pool ----------------------------------------------------------------------------------------------- */

wend_shadows *wend_shadows_create(const wend_alloc *alloc, wend_views *views) {
  wend_alloc owner;
  wend_shadows *pool = wend_new(alloc, sizeof *pool, &owner);
  if (pool == NULL) return NULL;
  pool->alloc = owner;
  pool->views = views;
  if (views != NULL) wend_views_join(views);
  return pool;
}

static void free_shadow(wend_shadow *shadow) {
  wend_shadows *pool = shadow->pool;
  const wend_alloc alloc = pool->alloc;
  uint32_t i = 0;
  while (pool->at[i] != shadow) i++;
  pool->at[i] = pool->at[--pool->count];
  if (pool->views != NULL && shadow->map != NULL) wend_views_forget(pool->views, shadow->map);
  wend_mirror_destroy(shadow->map);
  WEND_FREE(&alloc, shadow->keys, shadow->keys_capacity);
  WEND_FREE(&alloc, shadow->except, shadow->except_capacity);
  alloc.resize(alloc.ud, shadow, sizeof *shadow, 0);
}

void wend_shadows_destroy(wend_shadows *pool) {
  wend_alloc alloc;
  if (pool == NULL) return;
  alloc = pool->alloc;
  while (pool->count > 0) free_shadow(pool->at[pool->count - 1]);
  if (pool->views != NULL) wend_views_leave(pool->views);
  WEND_FREE(&alloc, pool->at, pool->capacity);
  alloc.resize(alloc.ud, pool, sizeof *pool, 0);
}

void wend_shadows_forget(wend_shadows *pool, const wend_map *map) {
  for (uint32_t i = pool->count; i-- > 0;) {
    wend_shadow *shadow = pool->at[i];
    if (shadow->of != map) continue;
    shadow->of = NULL; /* a search that holds it may free it later */
    if (shadow->users == 0) free_shadow(shadow);
  }
}

static size_t bytes_of_map(const wend_map *map) {
  size_t nodes, edges;
  if (map->is_grid) return wend_grid_bytes((const wend_grid *)map);
  wend_graph_bytes((const wend_graph *)map, &nodes, &edges);
  return nodes + edges;
}

size_t wend_shadows_bytes(const wend_shadows *pool) {
  size_t bytes = sizeof *pool + pool->capacity * sizeof *pool->at;
  for (uint32_t i = 0; i < pool->count; i++) {
    const wend_shadow *shadow = pool->at[i];
    bytes += sizeof *shadow + shadow->keys_capacity * sizeof *shadow->keys + shadow->except_capacity * sizeof *shadow->except +
             bytes_of_map(shadow->map);
  }
  return bytes;
}

uint32_t wend_shadows_count(const wend_shadows *pool) { return pool->count; }

/* ---- Catching up -------------------------------------------------------------------------------------------- */

static bool is_excepted(const wend_shadow *shadow, uint64_t key) {
  for (uint32_t i = 0; i < shadow->except_count; i++)
    if (shadow->except[i] == key) return true;
  return false;
}

/* The change of an overlay at a key; NULL: there is none. overlay: NULL for none at all. */
static const wend_patch *patch_of(const wend_shadow *shadow, const wend_overlay *overlay, uint64_t key) {
  const wend_patch_record *record = overlay == NULL ? NULL : wend_overlay_find(overlay, key);
  return record == NULL || record->settled.what == 0 || is_excepted(shadow, key) ? NULL : &record->settled;
}

/* Gives the place of a key the value of the map, with the change of the overlay. */
static wend_status visit(wend_shadow *shadow, const wend_overlay *overlay, uint64_t key) {
  const wend_patch *patch = patch_of(shadow, overlay, key);
  const uint64_t rest = wend_key_rest(key);
  wend_grid *grid = (wend_grid *)shadow->map;
  wend_graph *graph = (wend_graph *)shadow->map;
  switch (wend_key_kind(key)) {
    case PATCHED_CELL: return wend_mirror_cell(grid, (const wend_grid *)shadow->of, (uint32_t)rest, patch);
    case PATCHED_WALL:
      return wend_mirror_wall(grid, (const wend_grid *)shadow->of, (uint32_t)(rest >> 3), (int)(rest & 7), patch);
    case PATCHED_NODE: return wend_mirror_node(graph, (const wend_graph *)shadow->of, rest, patch);
    case PATCHED_EDGE: return wend_mirror_edge(graph, (const wend_graph *)shadow->of, rest, patch);
  }
  return WEND_OK;
}

static wend_status visit_all(wend_shadow *shadow, const wend_overlay *overlay, const uint64_t *keys, uint32_t count) {
  wend_status status = WEND_OK;
  for (uint32_t i = 0; i < count && status == WEND_OK; i++) status = visit(shadow, overlay, keys[i]);
  return status;
}

/* Visits the places of all changes of the overlay after a version. */
static wend_status visit_changes(wend_shadow *shadow, const wend_overlay *overlay, uint64_t after) {
  wend_status status = WEND_OK;
  for (uint32_t i = 0; i < overlay->count && status == WEND_OK; i++)
    if (overlay->records[i].stamp > after) status = visit(shadow, overlay, overlay->records[i].key);
  return status;
}

/* Replays a change of a grid. */
static wend_status replay_cell(wend_shadow *shadow, const wend_overlay *overlay, uint32_t place) {
  const wend_grid *grid = (const wend_grid *)shadow->of, *copy = (const wend_grid *)shadow->map;
  wend_status status = visit(shadow, overlay, wend_key_of_cell(place));
  if (grid->walls == NULL && copy->walls == NULL) return status;
  for (int d = 0; d < 8 && status == WEND_OK; d++) status = visit(shadow, overlay, wend_key_of_wall(grid->stride, place, d));
  return status;
}

/* The same on a graph: the node at a place, and its edges. moves: only the position of the node, which comes first. */
static wend_status replay_node(wend_shadow *shadow, const wend_overlay *overlay, uint32_t place, bool moves) {
  const wend_graph *graph = (const wend_graph *)shadow->of;
  wend_status status;
  wend_block block;
  wend_id node;
  if (graph->slot_of[place] == WEND_NONE) return WEND_OK;
  node = wend_slots_id(&graph->nodes, graph->slot_of[place]);
  if (moves) return wend_mirror_position((wend_graph *)shadow->map, graph, node);
  status = visit(shadow, overlay, wend_key_of_node(node));
  block = wend_graph_block(graph, place);
  for (uint32_t arc = block.first; arc < block.end && status == WEND_OK; arc++)
    status = visit(shadow, overlay, wend_key_of_edge(wend_slots_id(&graph->edges, graph->arc_edge[arc])));
  return status;
}

/* Replays the journal of the map. */
static wend_status replay(wend_shadow *shadow, const wend_overlay *overlay) {
  const wend_map *map = shadow->of;
  wend_status status = WEND_OK;
  for (int pass = map->is_grid ? 1 : 0; pass < 2; pass++)
    for (uint64_t i = shadow->noted; i < map->journal.end && status == WEND_OK; i++) {
      const uint32_t change = wend_map_change(map, i);
      if (map->is_grid) status = replay_cell(shadow, overlay, change);
      else status = replay_node(shadow, overlay, change & ~CHANGED_NODE, pass == 0);
    }
  return status;
}

/* Whether the journal of the map is enough to bring the copy up to date. */
static bool can_replay(const wend_shadow *shadow) {
  const wend_map *map = shadow->of;
  if (shadow->torn || !wend_map_has_noted(map, shadow->noted)) return false;
  if (map->is_grid && (((const wend_grid *)map)->kinds == NULL) != (((const wend_grid *)shadow->map)->kinds == NULL))
    return false;
  if (!map->is_grid && ((const wend_graph *)map)->place_count != ((const wend_graph *)shadow->map)->place_count) return false;
  for (uint64_t i = shadow->noted; i < map->journal.end; i++)
    if (!wend_mirror_matches(shadow->map, map, wend_map_change(map, i))) return false;
  return true;
}

/* Lists the keys of the changes of an overlay. */
static wend_status list_keys(wend_shadow *shadow, const wend_overlay *overlay) {
  shadow->key_count = 0;
  shadow->weighed = false;
  if (!WEND_GROW(&shadow->pool->alloc, shadow->keys, shadow->keys_capacity, overlay->count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < overlay->count; i++) {
    if (overlay->records[i].settled.what == 0) continue;
    shadow->keys[shadow->key_count++] = overlay->records[i].key;
    if ((overlay->records[i].settled.what & PATCH_VALUE) != 0) shadow->weighed = true;
  }
  return WEND_OK;
}

/* Whether a change of an overlay sets a weight. */
static bool sets_weights(const wend_overlay *overlay) {
  for (uint32_t i = 0; i < overlay->count; i++)
    if ((overlay->records[i].settled.what & PATCH_VALUE) != 0) return true;
  return false;
}

/* Copies the map, or replays its journal without changes of an overlay; undoes all changes; and copies the statistics. */
static wend_status begin_anew(wend_shadow *shadow, bool whole) {
  wend_status status;
  if (whole) return wend_mirror_all(shadow->map, shadow->of);
  status = visit_all(shadow, NULL, shadow->keys, shadow->key_count);
  if (status == WEND_OK) status = replay(shadow, NULL);
  return status == WEND_OK ? wend_mirror_weights(shadow->map, shadow->of) : status;
}

/* Replaces the exceptions. */
static wend_status set_except(wend_shadow *shadow, const wend_overlay *overlay, const wend_id *except, uint32_t count) {
  if (!WEND_GROW(&shadow->pool->alloc, shadow->except, shadow->except_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) shadow->except[i] = wend_overlay_key(overlay, except[i]);
  shadow->except_count = count;
  return WEND_OK;
}

static bool has_except(const wend_shadow *shadow, const wend_overlay *overlay, const wend_id *except, uint32_t count) {
  if (shadow->except_count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (shadow->except[i] != wend_overlay_key(overlay, except[i])) return false;
  return true;
}

/* Makes the shadow the map with the changes of an overlay, which is settled. except: the new exceptions, if `changes_except`. */
static wend_status catch_up_now(wend_shadow *shadow, const wend_overlay *overlay, const wend_id *except, uint32_t count,
                                bool changes_except) {
  const wend_map *map = shadow->of;
  const bool whole = !can_replay(shadow);
  const bool same = shadow->serial == overlay->serial && shadow->applied >= overlay->dropped;
  const bool edited = shadow->noted != map->journal.end, changed = !same || shadow->applied != overlay->version;
  /* Whether the statistics of weights keep traces of old weights. */
  const bool traces = !map->is_grid || ((const wend_grid *)map)->kinds == NULL;
  const bool anew = whole || (traces && (edited || changed) && (edited || shadow->weighed || sets_weights(overlay)));
  wend_status status = whole || shadow->labels == map->labels ? WEND_OK : wend_mirror_labels(shadow->map, map);
  if (status == WEND_OK && anew) status = begin_anew(shadow, whole);
  else if (status == WEND_OK && edited) status = replay(shadow, same ? overlay : NULL);
  if (status == WEND_OK && changes_except) {
    if (same && !anew) { /* the old exceptions end */
      const uint32_t old = shadow->except_count;
      shadow->except_count = 0;
      status = visit_all(shadow, overlay, shadow->except, old);
    }
    if (status == WEND_OK) status = set_except(shadow, overlay, except, count);
    if (status == WEND_OK && same && !anew) status = visit_all(shadow, overlay, shadow->except, count);
  }
  if (status == WEND_OK && !same && !anew) status = visit_all(shadow, overlay, shadow->keys, shadow->key_count);
  if (status == WEND_OK) status = visit_changes(shadow, overlay, same && !anew ? shadow->applied : 0);
  if (status == WEND_OK && (anew || changed)) status = list_keys(shadow, overlay);
  return status;
}

static wend_status catch_up(wend_shadow *shadow, wend_overlay *overlay, const wend_id *except, uint32_t count,
                            bool changes_except) {
  wend_map *map = shadow->of;
  wend_status status = WEND_OK;
  if (map == NULL) return WEND_STALE;
  wend_overlay_settle(overlay);
  if (!map->is_grid && shadow->version != map->version) status = wend_graph_sync((wend_graph *)map);
  if (status != WEND_OK) return status;
  if (!changes_except && !shadow->torn && shadow->version == map->version && shadow->labels == map->labels &&
      shadow->noted == map->journal.end && shadow->serial == overlay->serial && shadow->applied == overlay->version)
    return WEND_OK; /* the usual case */
  status = catch_up_now(shadow, overlay, except, count, changes_except);
  shadow->torn = status != WEND_OK;
  if (status != WEND_OK) return status;
  shadow->serial = overlay->serial, shadow->applied = overlay->version;
  shadow->version = map->version, shadow->labels = map->labels, shadow->noted = map->journal.end;
  return WEND_OK;
}

/* ---- Taking ------------------------------------------------------------------------------------------------- */

static uint32_t count_of(const wend_shadows *pool, const wend_map *map) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pool->count; i++) count += pool->at[i]->of == map;
  return count;
}

/* A new shadow, which is not filled. NULL: no memory. */
static wend_shadow *new_shadow(wend_shadows *pool, wend_map *map) {
  wend_alloc owner;
  wend_shadow *shadow;
  if (!WEND_GROW(&pool->alloc, pool->at, pool->capacity, (uint64_t)pool->count + 1)) return NULL;
  shadow = wend_new(&pool->alloc, sizeof *shadow, &owner);
  if (shadow == NULL) return NULL;
  shadow->pool = pool;
  shadow->map = wend_mirror_create(&pool->alloc, map);
  if (shadow->map == NULL) {
    owner.resize(owner.ud, shadow, sizeof *shadow, 0);
    return NULL;
  }
  shadow->of = map;
  shadow->torn = true;
  pool->at[pool->count++] = shadow;
  return shadow;
}

/* How well a shadow suits: 3: it is that of the overlay and the exceptions; 2: nobody holds it, and it is that of the overlay;
 * 1: nobody holds it; 0: not at all. */
static int suits(const wend_shadow *shadow, const wend_map *map, const wend_overlay *overlay, const wend_id *except,
                 uint32_t count, bool alone) {
  const bool free = shadow->users == 0, own = shadow->serial == overlay->serial;
  if (shadow->of != map || shadow->alone || (alone && !free)) return 0;
  if (own && has_except(shadow, overlay, except, count)) return 3;
  return !free ? 0 : own ? 2 : 1;
}

wend_status wend_shadow_take(wend_shadows *pool, wend_map *map, wend_overlay *overlay, const wend_id *except, uint32_t count,
                             bool alone, wend_shadow **taken) {
  wend_shadow *shadow = NULL;
  wend_status status;
  int best = 0;
  assert(overlay->map == map);
  *taken = NULL;
  for (uint32_t i = 0; i < pool->count; i++) {
    const int how = suits(pool->at[i], map, overlay, except, count, alone);
    if (how < best || (how == best && (shadow == NULL || pool->at[i]->used > shadow->used))) continue;
    if (how > 0) shadow = pool->at[i], best = how;
  }
  if (shadow == NULL || (best == 1 && count_of(pool, map) < SHADOWS_MAX)) {
    shadow = new_shadow(pool, map);
    if (shadow == NULL) return WEND_NO_MEMORY;
  }
  shadow->used = ++pool->clock;
  shadow->users++;
  status = catch_up(shadow, overlay, except, count, best < 3 || shadow->torn);
  if (status != WEND_OK) {
    wend_shadow_release(shadow);
    return status;
  }
  shadow->alone = alone;
  *taken = shadow;
  return WEND_OK;
}

wend_status wend_shadow_update(wend_shadow *shadow, wend_overlay *overlay) {
  assert(shadow->serial == overlay->serial);
  return catch_up(shadow, overlay, NULL, 0, false);
}

void wend_shadow_release(wend_shadow *shadow) {
  if (shadow == NULL || --shadow->users > 0) return;
  shadow->alone = false;
  if (shadow->of == NULL || shadow->torn || count_of(shadow->pool, shadow->of) > SHADOWS_MAX) free_shadow(shadow);
}

wend_map *wend_shadow_map(wend_shadow *shadow) { return shadow->map; }
wend_graph *wend_shadow_graph(wend_shadow *shadow) { return shadow->map->is_grid ? NULL : (wend_graph *)shadow->map; }
wend_grid *wend_shadow_grid(wend_shadow *shadow) { return shadow->map->is_grid ? (wend_grid *)shadow->map : NULL; }
