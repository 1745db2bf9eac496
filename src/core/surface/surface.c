/* SPDX-License-Identifier: MIT */
/* The functions of surfaces, which wend.h describes. An edit puts the blocks in place, then brings the graph up to date:
 * wend_surface_refresh. */
#include <math.h>
#include <string.h>

#include "core/surface/data.h"

WEND_NO_FUSING

/* ---- Making a surface -------------------------------------------------------------------------------------- */

wend_surface *wend_surface_create(const wend_alloc *alloc, wend_graph *graph, const wend_surface_opts *opts) {
  wend_surface *s = wend_new(alloc, sizeof *s);
  if (s == NULL) return NULL;
  s->graph = graph;
  s->opts = *opts;
  s->axis[0] = 0, s->axis[1] = opts->z_up ? 1 : 2, s->axis[2] = opts->z_up ? 2 : 1;
  s->class_count = 1;
  s->classes[0].cost = 1;
  s->view.reach = opts->jump > 0 ? (int32_t)opts->jump + 1 : 1;
  s->view.side = CHUNK_SIDE + 2 * s->view.reach;
  s->fresh = wend_new_part(&s->alloc, CHUNK_BLOCKS * sizeof *s->fresh);
  s->fresh_ground = wend_new_part(&s->alloc, CHUNK_BLOCKS);
  if (s->fresh != NULL && s->fresh_ground != NULL && wend_map_tag(wend_graph_map(graph), "jump", 4, &s->jump_tag) == WEND_OK &&
      wend_map_tag(wend_graph_map(graph), "drop", 4, &s->drop_tag) == WEND_OK)
    return s;
  wend_surface_destroy(s);
  return NULL;
}

void wend_surface_destroy(wend_surface *s) {
  if (s == NULL) return;
  for (uint32_t i = 0; i < s->keys.count; i++)
    if (s->chunks[i] != NULL) wend_surface_free_chunk(s, s->chunks[i]);
  WEND_FREE(&s->alloc, s->chunks, s->chunks_capacity);
  wend_keys_free(&s->keys, &s->alloc);
  wend_free(&s->alloc, s->fresh, CHUNK_BLOCKS, sizeof *s->fresh);
  wend_free(&s->alloc, s->fresh_ground, CHUNK_BLOCKS, 1);
  WEND_FREE(&s->alloc, s->view.windows, s->view.capacity);
  WEND_FREE(&s->alloc, s->points, s->points_capacity);
  WEND_FREE(&s->alloc, s->specs, s->specs_capacity);
  wend_delete(s, sizeof *s);
}

wend_status wend_surface_set_class(wend_surface *s, uint32_t id, wend_block_kind kind, uint32_t tag, double cost) {
  uint32_t at = 1;
  uint8_t flags = 0;
  if (id >= BLOCK_IDS || !(cost >= WEND_SURFACE_COST_MIN && cost <= WEND_SURFACE_COST_MAX) || s->class_of[id] != 0)
    return WEND_INVALID;
  while (at < s->class_count && !(s->classes[at].kind == kind && s->classes[at].tag == tag && s->classes[at].cost == cost))
    at++;
  if (at == SURFACE_CLASSES_MAX) return WEND_INVALID;
  switch (kind) {
    case WEND_BLOCK_SOLID: flags = BLOCK_FLOOR; break;
    case WEND_BLOCK_AIR: flags = BLOCK_OPEN | (tag != WEND_UNTAGGED || cost != 1 ? BLOCK_COUNTS : 0); break;
    case WEND_BLOCK_WATER: flags = s->opts.swim ? BLOCK_OPEN | BLOCK_HOLD | BLOCK_COUNTS : 0; break;
    case WEND_BLOCK_LADDER: flags = BLOCK_OPEN | BLOCK_COUNTS | (s->opts.climb ? BLOCK_FLOOR | BLOCK_HOLD : 0); break;
    case WEND_BLOCK_DOOR: flags = BLOCK_OPEN | BLOCK_COUNTS; break;
  }
  s->classes[at] = (surface_class){kind, tag, cost};
  s->flags[at] = flags;
  s->class_of[id] = (uint8_t)at;
  if (at == s->class_count) s->class_count++;
  return WEND_OK;
}

bool wend_surface_has_class(const wend_surface *s, uint32_t id) { return id < BLOCK_IDS && s->class_of[id] != 0; }

size_t wend_surface_bytes(const wend_surface *s) {
  size_t bytes = sizeof *s + wend_keys_bytes(&s->keys) + s->chunks_capacity * sizeof *s->chunks +
                 CHUNK_BLOCKS * (sizeof *s->fresh + 1) + s->view.capacity * sizeof *s->view.windows +
                 s->points_capacity * sizeof *s->points + s->specs_capacity * sizeof *s->specs;
  for (uint32_t i = 0; i < s->keys.count; i++) {
    const surface_chunk *chunk = s->chunks[i];
    if (chunk == NULL) continue;
    bytes += sizeof *chunk + (chunk->classes != NULL ? CHUNK_BLOCKS : 0) + chunk->capacity * (sizeof(wend_id) + 1);
  }
  return bytes;
}

/* ---- Changing blocks --------------------------------------------------------------------------------------- */

/* Reads a box, in coordinates of the world, and its number of blocks. False: it is out of range. */
static bool to_box(const wend_surface *s, const int32_t *corner, const uint32_t *size, surface_box *box, double *blocks) {
  *blocks = 1;
  for (int i = 0; i < 3; i++) {
    const int32_t most = i == 2 ? WEND_SURFACE_HIGH : WEND_SURFACE_FAR;
    const int32_t first = corner[s->axis[i]];
    const uint32_t length = size[s->axis[i]];
    if (first < -most || first > most || length == 0 || (int64_t)first + length - 1 > most) return false;
    box->lo[i] = first;
    box->hi[i] = first + (int32_t)(length - 1);
    *blocks *= length;
  }
  return true;
}

/* Enlarges a box, which is empty at first, to hold a block. */
static void include(surface_box *box, bool *any, int32_t a, int32_t b, int32_t h) {
  const int32_t at[] = {a, b, h};
  for (int i = 0; i < 3; i++) {
    if (!*any || at[i] < box->lo[i]) box->lo[i] = at[i];
    if (!*any || at[i] > box->hi[i]) box->hi[i] = at[i];
  }
  *any = true;
}

/* The id of block i of a list: bytes, or 16 bits in the order of the machine. */
static uint32_t id_at(const void *ids, int width, size_t i) {
  uint16_t id;
  if (width == 1) return ((const uint8_t *)ids)[i];
  memcpy(&id, (const uint8_t *)ids + 2 * i, sizeof id);
  return id;
}

/* Writes the part of a list that is in a chunk. changed: grows by what differs. */
static void put_blocks(const wend_surface *s, surface_chunk *chunk, const surface_box *box, const void *ids, int width,
                       surface_box *changed, bool *any) {
  const surface_box part = wend_surface_part(chunk, box);
  size_t stride[3] = {1, 0, 0}, span[3];
  for (int i = 0; i < 3; i++) span[s->axis[i]] = (size_t)(box->hi[i] - box->lo[i]) + 1;
  stride[s->axis[1]] = s->axis[1] == 1 ? span[0] : span[0] * span[1];
  stride[s->axis[2]] = s->axis[2] == 1 ? span[0] : span[0] * span[1];
  for (int32_t b = part.lo[1]; b <= part.hi[1]; b++) {
    for (int32_t h = part.lo[2]; h <= part.hi[2]; h++) {
      const int32_t wide = chunk->at[1] * CHUNK_SIDE + b, high = chunk->at[2] * CHUNK_SIDE + h;
      const int32_t first = chunk->at[0] * CHUNK_SIDE;
      int32_t least = CHUNK_SIDE, most = 0; /* what differs in the row */
      size_t at = (size_t)(wide - box->lo[1]) * stride[s->axis[1]] + (size_t)(high - box->lo[2]) * stride[s->axis[2]] +
                  (size_t)(first + part.lo[0] - box->lo[0]);
      for (int32_t a = part.lo[0]; a <= part.hi[0]; a++, at++) {
        uint8_t *class = &chunk->classes[wend_surface_column(a, b) * CHUNK_SIDE + (uint32_t)h];
        const uint8_t now = s->class_of[id_at(ids, width, at)];
        if (*class == now) continue;
        *class = now;
        if (a < least) least = a;
        most = a;
      }
      if (least == CHUNK_SIDE) continue;
      include(changed, any, first + least, wide, high);
      include(changed, any, first + most, wide, high);
    }
  }
}

wend_status wend_surface_load(wend_surface *s, const int32_t *corner, const uint32_t *size, const void *ids, int width,
                              size_t *bad) {
  surface_box box, changed = {{0, 0, 0}, {0, 0, 0}};
  surface_walk walk;
  surface_chunk *chunk;
  bool any = false;
  double blocks;
  *bad = SIZE_MAX;
  if (!to_box(s, corner, size, &box, &blocks) || blocks > WEND_SURFACE_BLOCKS) return WEND_INVALID;
  for (size_t i = 0; i < (size_t)blocks; i++)
    if (s->class_of[id_at(ids, width, i)] == 0) return *bad = i, WEND_INVALID;
  walk = wend_surface_begin_walk(s, &box);
  do {
    chunk = wend_surface_make_chunk(s, walk.at);
    if (chunk == NULL || !wend_surface_spread(s, chunk)) return WEND_NO_MEMORY;
  } while (wend_surface_advance(&walk));
  walk = wend_surface_begin_walk(s, &box);
  while ((chunk = wend_surface_next_chunk(s, &walk)) != NULL) {
    put_blocks(s, chunk, &box, ids, width, &changed, &any);
    wend_surface_collapse(s, chunk);
  }
  return wend_surface_refresh(s, any ? &changed : NULL);
}

wend_status wend_surface_change(wend_surface *s, const int32_t *block, uint32_t id) {
  static const uint32_t one[] = {1, 1, 1};
  surface_box box;
  surface_chunk *chunk;
  double blocks;
  uint32_t column, h;
  if (!to_box(s, block, one, &box, &blocks) || !wend_surface_has_class(s, id)) return WEND_INVALID;
  chunk = wend_surface_chunk(s, wend_surface_chunk_of(box.lo[0]), wend_surface_chunk_of(box.lo[1]),
                             wend_surface_chunk_of(box.lo[2]));
  if (chunk == NULL) return WEND_INVALID;
  column = wend_surface_column(box.lo[0], box.lo[1]), h = (uint32_t)box.lo[2] & 15;
  if (wend_surface_class_at(chunk, column, h) == 0) return WEND_INVALID;
  if (wend_surface_class_at(chunk, column, h) == s->class_of[id]) return wend_surface_refresh(s, NULL);
  if (!wend_surface_spread(s, chunk)) return WEND_NO_MEMORY;
  chunk->classes[column * CHUNK_SIDE + h] = s->class_of[id];
  return wend_surface_refresh(s, &box);
}

wend_status wend_surface_unload(wend_surface *s, const int32_t *corner, const uint32_t *size) {
  surface_box box;
  surface_walk walk;
  surface_chunk *chunk;
  double blocks;
  if (!to_box(s, corner, size, &box, &blocks)) return WEND_INVALID;
  walk = wend_surface_begin_walk(s, &box);
  while ((chunk = wend_surface_next_chunk(s, &walk)) != NULL)
    if (!wend_surface_spread(s, chunk)) return WEND_NO_MEMORY;
  walk = wend_surface_begin_walk(s, &box);
  while ((chunk = wend_surface_next_chunk(s, &walk)) != NULL) {
    const surface_box part = wend_surface_part(chunk, &box);
    for (int32_t b = part.lo[1]; b <= part.hi[1]; b++)
      for (int32_t a = part.lo[0]; a <= part.hi[0]; a++)
        memset(&chunk->classes[wend_surface_column(a, b) * CHUNK_SIDE + (uint32_t)part.lo[2]], 0,
               (size_t)(part.hi[2] - part.lo[2]) + 1);
    wend_surface_collapse(s, chunk);
  }
  return wend_surface_refresh(s, &box);
}

wend_id wend_surface_at(const wend_surface *s, const double *position) {
  int32_t block[3];
  for (int i = 0; i < 3; i++) {
    const int32_t most = i == 2 ? WEND_SURFACE_HIGH : WEND_SURFACE_FAR;
    const double at = floor(position[s->axis[i]] + (s->opts.centred ? 0.5 : 0));
    if (!(at >= -most && at <= most)) return WEND_NO_ID;
    block[i] = (int32_t)at;
  }
  for (int32_t h = block[2]; h >= block[2] - WEND_SURFACE_BELOW; h--) {
    const surface_chunk *chunk =
        wend_surface_chunk(s, wend_surface_chunk_of(block[0]), wend_surface_chunk_of(block[1]), wend_surface_chunk_of(h));
    const uint32_t column = wend_surface_column(block[0], block[1]);
    if (chunk == NULL || (chunk->place[column] >> (h & 15) & 1) == 0) continue;
    return chunk->nodes[wend_surface_index(chunk, column, (uint32_t)h & 15)];
  }
  return WEND_NO_ID;
}
