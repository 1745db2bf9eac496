/* SPDX-License-Identifier: MIT */
/* The data that graphs and grids share. It is the first member of both, so a wend_map pointer can stand for either. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include "core/base/bits.h"
#include "core/base/names.h"
#include "core/map/ratios.h"

/* The heuristic needs a least cost per length of at least this. Near 1e-308 numbers lose their precision: the rounded product
 * of a distance and a least cost per length may exceed the true cost, and A* would miss the cheapest path. The limit is far
 * enough from there for factors down to 2^-64. */
#define WEND_LEAST_MIN 1e-250

/* A histogram of weights by binary exponent, from 2^-65 up to 2^62. The width of buckets in the queue comes from it. */
#define WEND_SCALES 128

typedef struct wend_scales {
  uint64_t count[WEND_SCALES];
  uint64_t zeros;
  double typical; /* the last result of wend_scales_settle */
  bool changed;   /* the weights have changed since */
} wend_scales;

struct wend_map {
  bool is_grid;
  wend_alloc alloc;
  uint64_t version;     /* rises with every change that may change the result of a search */
  wend_names tag_names; /* by tag - 1 */
  wend_ratios ratios;   /* of the edges of a graph, or of the cells of a grid without a palette */
  wend_scales scales;   /* of the same weights */
};

void wend_map_free(wend_map *map);
/* The counter for a weight. The caller adds to it or subtracts from it. */
uint64_t *wend_scale_of(wend_scales *scales, double weight);
/* About the median of the weights that are not zero; 0: all are zero. */
double wend_scales_typical(const wend_scales *scales);
/* Stores the median, so that wend_scales_typical does not compute it again. */
void wend_scales_settle(wend_scales *scales);
/* A new serial number, unique among the maps of the process. */
uint64_t wend_map_new_serial(void);

/* touched: for each part of a map, the lower 32 bits of the version that changed it last. Whether part `at` has changed after
 * `version`; always true if the map has changed more than 2^32 times since. now: the version of the map. */
static inline bool wend_touched_since(const uint32_t *touched, uint32_t capacity, uint32_t at, uint64_t version, uint64_t now) {
  if (now - version > UINT32_MAX) return true;
  return at < capacity && (uint32_t)(touched[at] - (uint32_t)version - 1u) < (uint32_t)(now - version);
}

#endif
