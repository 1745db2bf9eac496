/* SPDX-License-Identifier: MIT */
/* Planes of prepared grids: planes.h has the contracts. */
#include "core/base/planes.h"

#define PLANES_MADE 1u
#define PLANES_EDITED 2u

static const wend_array plane_rows[] = {WEND_ARRAY(wend_planes, blocks, blocks_capacity, PLANES_MADE),
                                        WEND_ARRAY(wend_planes, at, at_capacity, PLANES_MADE),
                                        WEND_ARRAY(wend_planes, firsts, firsts_capacity, PLANES_MADE),
                                        WEND_ARRAY(wend_planes, parts, parts_capacity, PLANES_MADE),
                                        WEND_ARRAY(wend_planes, links, links_capacity, PLANES_MADE),
                                        WEND_ARRAY(wend_planes, edited, edited_capacity, PLANES_EDITED)};
static const wend_arrays plane_arrays = WEND_ARRAYS(plane_rows);

void wend_planes_free(wend_planes *planes, const wend_alloc *alloc) {
  if (planes == NULL) return;
  if (wend_arrays_leave(alloc, &planes->users)) wend_arrays_free(plane_arrays, PLANES_MADE, alloc, planes);
  wend_arrays_free(plane_arrays, PLANES_EDITED, alloc, planes);
  wend_keys_free(&planes->edited_places, alloc);
  alloc->resize(alloc->ud, planes, sizeof *planes, 0);
}

size_t wend_planes_bytes(const wend_planes *planes) {
  if (planes == NULL) return 0;
  return sizeof *planes + wend_arrays_bytes(plane_arrays, PLANES_MADE | PLANES_EDITED, planes) +
         wend_keys_bytes(&planes->edited_places);
}

wend_planes *wend_planes_copy(wend_planes *planes, const wend_alloc *alloc) {
  const wend_keys none = {NULL, NULL, 0, 0, 0};
  wend_planes *copy = wend_new_part(alloc, sizeof *copy);
  if (copy == NULL) return NULL;
  if (!wend_arrays_share(alloc, &planes->users)) {
    alloc->resize(alloc->ud, copy, sizeof *copy, 0);
    return NULL;
  }
  *copy = *planes;
  copy->edited_places = none;
  wend_arrays_forget(plane_arrays, PLANES_EDITED, copy);
  if (wend_keys_copy(&copy->edited_places, alloc, &planes->edited_places) &&
      wend_arrays_copy(plane_arrays, PLANES_EDITED, alloc, planes, copy))
    return copy;
  wend_planes_free(copy, alloc);
  return NULL;
}

bool wend_planes_own(wend_planes *planes, const wend_alloc *alloc) {
  wend_planes own;
  if (planes->users == NULL) return true;
  own = *planes;
  wend_arrays_forget(plane_arrays, PLANES_MADE, &own);
  if (*planes->users > 1 && !wend_arrays_copy(plane_arrays, PLANES_MADE, alloc, planes, &own)) {
    wend_arrays_free(plane_arrays, PLANES_MADE, alloc, &own);
    return false;
  }
  if (!wend_arrays_leave(alloc, &planes->users)) wend_arrays_exchange(plane_arrays, PLANES_MADE, planes, &own);
  return true;
}

bool wend_planes_sound(const wend_planes *planes) {
  const uint32_t side = 1u << planes->shift, cells = side * side;
  if (planes->slope_unit > PLANE_NUMBER_MAX >> 12 || planes->error_unit > PLANE_NUMBER_MAX >> 16) return false;
  for (uint32_t l = 0; l < planes->landmarks; l++)
    if (planes->base_units[l] == 0 || planes->base_units[l] > PLANE_NUMBER_MAX >> 16) return false;
  for (uint32_t i = 0; i < planes->block_count; i++) {
    const uint32_t group = planes->blocks[i];
    if (group == GROUP_NONE) continue;
    if ((group & ~BLOCK_SPLIT) >= ((group & BLOCK_SPLIT) != 0 ? planes->split_count : planes->group_count)) return false;
  }
  for (uint32_t i = 0; i < planes->split_count; i++)
    for (uint32_t k = 0; k < cells; k++) {
      const uint32_t part = planes->parts[(size_t)i * cells + k];
      if (part != PART_NONE && (uint64_t)planes->firsts[i] + part >= planes->group_count) return false;
    }
  return true;
}
