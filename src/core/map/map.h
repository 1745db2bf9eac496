/* SPDX-License-Identifier: MIT */
/* What graphs and grids have in common: it is the first member of both, so that a search can be given either. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include "core/base/bits.h"
#include "core/base/names.h"
#include "core/map/ratios.h"

/* Where steps cost less than this, near 1e-308 and below, a product is off by more than a share of itself: multiples of the
 * smallest number are all that there is. The distance times the least cost per length may then be more than a way really
 * costs, and A* would miss the cheapest. So such a bound counts as none. 2^-64 of it is still far from there. */
#define WEND_LEAST_MIN 1e-250

/* Weights by their binary exponent, from 2^-65 up to 2^62: what a queue is laid out by. */
#define WEND_SCALES 128

typedef struct wend_scales {
  uint64_t count[WEND_SCALES];
  uint64_t zeros;
  double typical; /* what wend_scales_typical found last */
  bool changed;   /* the weights are others now */
} wend_scales;

struct wend_map {
  bool is_grid;
  wend_alloc alloc;
  uint64_t version;     /* goes up with every change that a search could notice */
  wend_names tag_names; /* by tag - 1 */
  wend_ratios ratios;   /* of the edges' weights to their lengths; of a grid's cells, where it has no palette */
  wend_scales scales;   /* likewise */
};

void wend_map_free(wend_map *map);
/* Where weights of so much are counted. */
uint64_t *wend_scale_of(wend_scales *scales, double weight);
/* The median of the weights that are not zero, about; 0: all are zero. */
double wend_scales_typical(const wend_scales *scales);
/* Keeps the median, so that wend_scales_typical need not look for it. */
void wend_scales_settle(wend_scales *scales);
/* A number that no other map of the process has. */
uint64_t wend_map_new_serial(void);

/* Arrays of stamps, one for each part of a map that can be changed: the low half of the version that did it last.
 * Whether that was after a version; true as well where 2^32 changes have come in between. */
static inline bool wend_touched_since(const uint32_t *touched, uint32_t capacity, uint32_t at, uint64_t version,
                                      uint64_t now) {
  if (now - version > UINT32_MAX) return true;
  return at < capacity && (uint32_t)(touched[at] - (uint32_t)version - 1u) < (uint32_t)(now - version);
}

#endif
