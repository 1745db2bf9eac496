/* SPDX-License-Identifier: MIT */
/* Random geometric graphs: the same for the same seed, everywhere. */
#ifndef WEND_BENCH_GEOMETRIC_H
#define WEND_BENCH_GEOMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GEOMETRIC_NODES_MOST = 1 << 24, /* positions of the Hilbert curve are 12 bits a side */
  GEOMETRIC_NEIGHBOURS_MOST = 32
};

typedef struct {
  double *points;  /* x y of each node */
  uint32_t *pairs; /* lower and higher index of each edge, sorted */
  uint32_t *ids;   /* ids[i]: the index of the i-th node along the Hilbert curve */
  size_t pair_count;
} geometric;

/* Makes `n` random points, 100 units of area to each, and joins each to its `k` nearest (k < n).
 * Returns false, with nothing to free, when out of memory. */
bool geometric_make(geometric *made, uint32_t n, uint32_t k, uint64_t seed, bool shuffled);
void geometric_free(geometric *made);

/* The next of a sequence of random numbers (splitmix64); any state will do to begin with. */
uint64_t random_next(uint64_t *state);

#endif
