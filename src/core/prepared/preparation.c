/* SPDX-License-Identifier: MIT */
/* Making the tables of a prepared map, in slices. */
#include "core/prepared/prepared.h"

WEND_NO_FUSING

struct wend_preparation {
  wend_alloc alloc;
  wend_map *map;
};

wend_preparation *wend_preparation_create(wend_map *map, const wend_prepare_opts *opts) {
  wend_alloc owner;
  wend_preparation *p = wend_new(&map->alloc, sizeof *p, &owner);
  (void)opts;
  if (p == NULL) return NULL;
  p->alloc = owner;
  p->map = map;
  return p;
}

wend_status wend_preparation_step(wend_preparation *p, uint64_t places) {
  (void)p, (void)places;
  return WEND_OK;
}

double wend_preparation_progress(const wend_preparation *p) {
  (void)p;
  return 1;
}

void wend_preparation_destroy(wend_preparation *p) {
  wend_alloc alloc;
  if (p == NULL) return;
  alloc = p->alloc;
  alloc.resize(alloc.ud, p, sizeof *p, 0);
}
