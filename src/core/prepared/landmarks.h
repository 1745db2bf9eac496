/* SPDX-License-Identifier: MIT */
/* Where landmarks lie: the rule `avoid` of A. Goldberg and R. Werneck, "Computing point-to-point shortest paths from external
 * memory", 2005.
 *
 * A landmark is good for a trip if it lies behind the goal, or behind the start. So the rule looks for a place behind which the
 * landmarks so far see little. It takes the tree of cheapest paths from a root. The weight of a place is its cost from the root
 * less the bound that the landmarks give. The size of a place is the sum of the weights below it in the tree, or 0 if a landmark
 * is below it. From the place of the greatest size it walks down, always to the child of the greatest size. The leaf where it
 * ends is the next landmark.
 *
 *        root --+-- a (weight 0, size 0) -- L            L, a landmark, sees everything on its side
 *               +-- b (1, 9) --+-- c (3, 3)
 *                              +-- d (2, 5) -- e (3, 3)  the size is greatest at b; then d, then e, the new landmark */
#ifndef WEND_LANDMARKS_H
#define WEND_LANDMARKS_H

#include "core/prepared/bucket_flood.h"

/* Chooses the next landmark. counts: a finished search from a root, forward; its lists are overwritten. made: the tables of the
 * landmarks so far. size: room for a number by place. */
uint32_t wend_landmarks_avoid(wend_bucket_flood *counts, const wend_prepared *made, const uint32_t *landmarks, uint32_t count,
                              int64_t *size);

#endif
