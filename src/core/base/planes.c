/* SPDX-License-Identifier: MIT */
/* Planes of prepared grids: planes.h has the contracts. */
#include "core/base/planes.h"

void wend_planes_free(wend_planes *planes, const wend_alloc *alloc) {
  if (planes == NULL) return;
  WEND_FREE(alloc, planes->blocks, planes->blocks_capacity);
  WEND_FREE(alloc, planes->at, planes->at_capacity);
  WEND_FREE(alloc, planes->firsts, planes->firsts_capacity);
  WEND_FREE(alloc, planes->parts, planes->parts_capacity);
  WEND_FREE(alloc, planes->links, planes->links_capacity);
  wend_keys_free(&planes->edited_places, alloc);
  WEND_FREE(alloc, planes->edited, planes->edited_capacity);
  alloc->resize(alloc->ud, planes, sizeof *planes, 0);
}

size_t wend_planes_bytes(const wend_planes *planes) {
  if (planes == NULL) return 0;
  return sizeof *planes + ((size_t)planes->blocks_capacity + planes->firsts_capacity) * sizeof *planes->blocks +
         planes->at_capacity * sizeof *planes->at + planes->parts_capacity + planes->links_capacity * sizeof *planes->links +
         planes->edited_capacity * sizeof *planes->edited + wend_keys_bytes(&planes->edited_places);
}

bool wend_planes_sound(const wend_planes *planes) {
  const uint32_t side = 1u << planes->shift, cells = side * side;
  if (planes->slope > PLANE_NUMBER_MAX >> 12 || planes->grain > PLANE_NUMBER_MAX >> 16) return false;
  for (uint32_t l = 0; l < planes->landmarks; l++)
    if (planes->bases[l] == 0 || planes->bases[l] > PLANE_NUMBER_MAX >> 16) return false;
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
