/* SPDX-License-Identifier: MIT */
/* The chunks of a surface, and the ways to walk over them. */
#include <string.h>

#include "core/surface/data.h"

WEND_NO_FUSING

/* Chunks are found by 24 bits of a, 24 of b and 16 of h, from their least values on. Steps look a chunk farther than blocks lie. */
#define CHUNK_A_MIN (-(1 << 23))
#define CHUNK_H_MIN (-(1 << 15))

/* ---- Chunks ------------------------------------------------------------------------------------------------ */

static uint64_t chunk_key(int32_t a, int32_t b, int32_t h) {
  return (uint64_t)(a - CHUNK_A_MIN) << 40 | (uint64_t)(b - CHUNK_A_MIN) << 16 | (uint64_t)(h - CHUNK_H_MIN);
}

surface_chunk *wend_surface_chunk(const wend_surface *s, int32_t a, int32_t b, int32_t h) {
  const uint32_t at = wend_keys_find(&s->keys, chunk_key(a, b, h));
  return at == WEND_NONE ? NULL : s->chunks[at];
}

/* Forgets the keys of chunks that have gone. */
static void renumber(wend_surface *s) {
  const uint32_t count = s->keys.count;
  uint32_t kept = 0;
  wend_keys_clear(&s->keys);
  for (uint32_t i = 0; i < count; i++) {
    surface_chunk *chunk = s->chunks[i];
    if (chunk == NULL) continue;
    (void)wend_keys_add(&s->keys, chunk_key(chunk->at[0], chunk->at[1], chunk->at[2]));
    s->chunks[kept++] = chunk;
  }
  s->vacant = 0;
}

surface_chunk *wend_surface_make_chunk(wend_surface *s, const int32_t *at) {
  const uint64_t key = chunk_key(at[0], at[1], at[2]);
  uint32_t number;
  surface_chunk *chunk = wend_surface_chunk(s, at[0], at[1], at[2]);
  if (chunk != NULL) return chunk;
  if (s->vacant > s->keys.count / 2) renumber(s);
  number = wend_keys_find(&s->keys, key);
  if (number == WEND_NONE && (!wend_keys_reserve(&s->keys, &s->alloc, 1) ||
                              !WEND_GROW(&s->alloc, s->chunks, s->chunks_capacity, (uint64_t)s->keys.count + 1)))
    return NULL;
  chunk = wend_new_part(&s->alloc, sizeof *chunk);
  if (chunk == NULL) return NULL;
  if (number == WEND_NONE) number = wend_keys_add(&s->keys, key);
  else s->vacant--;
  memcpy(chunk->at, at, sizeof chunk->at);
  return s->chunks[number] = chunk;
}

static void free_classes(const wend_surface *s, surface_chunk *chunk) {
  wend_free(&s->alloc, chunk->classes, CHUNK_BLOCKS, 1);
  chunk->classes = NULL;
}

void wend_surface_free_chunk(const wend_surface *s, surface_chunk *chunk) {
  free_classes(s, chunk);
  WEND_FREE(&s->alloc, chunk->nodes, chunk->capacity);
  WEND_FREE(&s->alloc, chunk->ground, chunk->capacity);
  wend_free(&s->alloc, chunk, sizeof *chunk, 1);
}

bool wend_surface_spread(const wend_surface *s, surface_chunk *chunk) {
  if (chunk->classes != NULL) return true;
  chunk->classes = wend_new_part(&s->alloc, CHUNK_BLOCKS);
  if (chunk->classes == NULL) return false;
  memset(chunk->classes, chunk->fill, CHUNK_BLOCKS);
  return true;
}

void wend_surface_collapse(const wend_surface *s, surface_chunk *chunk) {
  const uint8_t *classes = chunk->classes;
  if (classes == NULL || memcmp(classes, classes + 1, CHUNK_BLOCKS - 1) != 0) return;
  chunk->fill = classes[0];
  free_classes(s, chunk);
}

/* ---- Boxes ------------------------------------------------------------------------------------------------- */

surface_walk wend_surface_begin_walk(const wend_surface *s, const surface_box *box) {
  surface_walk walk;
  double volume = 1;
  for (int i = 0; i < 3; i++) {
    walk.at[i] = walk.box.lo[i] = wend_surface_chunk_of(box->lo[i]);
    walk.box.hi[i] = wend_surface_chunk_of(box->hi[i]);
    volume *= (double)walk.box.hi[i] - walk.box.lo[i] + 1;
  }
  walk.next = 0;
  walk.listed = volume > s->keys.count;
  return walk;
}

bool wend_surface_advance(surface_walk *walk) {
  for (int i = 2; i >= 0; i--) {
    if (walk->at[i]++ < walk->box.hi[i]) return true;
    walk->at[i] = walk->box.lo[i];
  }
  walk->at[0] = walk->box.hi[0] + 1;
  return false;
}

static bool is_in_walk(const surface_box *box, const int32_t *at) {
  for (int i = 0; i < 3; i++)
    if (at[i] < box->lo[i] || at[i] > box->hi[i]) return false;
  return true;
}

surface_chunk *wend_surface_next_chunk(const wend_surface *s, surface_walk *walk) {
  surface_chunk *chunk = NULL;
  while (walk->listed && walk->next < s->keys.count) {
    chunk = s->chunks[walk->next++];
    if (chunk != NULL && is_in_walk(&walk->box, chunk->at)) return chunk;
  }
  if (walk->listed) return NULL;
  for (chunk = NULL; chunk == NULL && walk->at[0] <= walk->box.hi[0]; (void)wend_surface_advance(walk))
    chunk = wend_surface_chunk(s, walk->at[0], walk->at[1], walk->at[2]);
  return chunk;
}

surface_box wend_surface_part(const surface_chunk *chunk, const surface_box *box) {
  surface_box part;
  for (int i = 0; i < 3; i++) {
    const int32_t first = chunk->at[i] * CHUNK_SIDE;
    part.lo[i] = box->lo[i] > first ? box->lo[i] - first : 0;
    part.hi[i] = box->hi[i] < first + CHUNK_SIDE - 1 ? box->hi[i] - first : CHUNK_SIDE - 1;
  }
  return part;
}

void wend_surface_drop_empty(wend_surface *s, const surface_box *box) {
  surface_walk walk = wend_surface_begin_walk(s, box);
  surface_chunk *chunk;
  while ((chunk = wend_surface_next_chunk(s, &walk)) != NULL) {
    if (chunk->count > 0 || chunk->classes != NULL || chunk->fill != 0) continue;
    s->chunks[wend_keys_find(&s->keys, chunk_key(chunk->at[0], chunk->at[1], chunk->at[2]))] = NULL;
    s->vacant++;
    wend_surface_free_chunk(s, chunk);
  }
}
