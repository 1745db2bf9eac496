/* SPDX-License-Identifier: MIT */
/* Where landmarks lie: landmarks.h has the rule. */
#include "core/prepared/landmarks.h"

WEND_NO_FUSING

uint32_t wend_landmarks_avoid(wend_bucket_flood *c, const wend_prepared *made, const uint32_t *landmarks, uint32_t count,
                              int64_t *size) {
  uint32_t *heaviest = c->next; /* by place: the child of the greatest size */
  uint32_t best, root;
  if (c->order_count == 0) return WEND_NONE;
  best = root = c->order[0];
  for (uint32_t i = 0; i < c->order_count; i++) {
    const uint32_t place = c->order[i];
    const int64_t bound = (int64_t)wend_prepared_difference(made, root, place);
    size[place] = (int64_t)c->count[place] - bound;
    if (size[place] < 0) size[place] = 0;
    heaviest[place] = WEND_NONE;
  }
  for (uint32_t k = 0; k < count; k++)
    if (c->count[landmarks[k]] != COUNT_NONE) size[landmarks[k]] = -1; /* a landmark is below */
  for (uint32_t i = c->order_count; i-- > 1;) {                        /* children before their parents */
    const uint32_t place = c->order[i], parent = c->parent[place];
    if (size[place] < 0) {
      size[parent] = -1;
      continue;
    }
    if (size[parent] >= 0) size[parent] += size[place];
    if (heaviest[parent] == WEND_NONE || size[heaviest[parent]] < size[place]) heaviest[parent] = place;
  }
  for (uint32_t i = 0; i < c->order_count; i++)
    if (size[c->order[i]] > size[best]) best = c->order[i];
  while (heaviest[best] != WEND_NONE && size[best] > 0) best = heaviest[best];
  return best;
}
