/* SPDX-License-Identifier: MIT */
/* Random geometric graphs. The same seed gives the same graph on every machine. */
#ifndef WEND_BENCH_GEOMETRIC_H
#define WEND_BENCH_GEOMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GEOMETRIC_NODES_MOST = 1 << 24, /* the greatest n */
  GEOMETRIC_NEIGHBOURS_MOST = 32  /* the greatest k */
};

typedef struct {
  double *points;  /* x y of each node */
  uint32_t *pairs; /* lower and higher index of each edge, sorted */
  uint32_t *ids;   /* ids[i]: the index of the i-th node along the Hilbert curve */
  size_t pair_count;
} geometric;

/* Makes `n` random points, with 100 units of area for each, and joins each to its `k` nearest (k < n).
 * False: no memory, and nothing to free. Otherwise geometric_free frees it. */
bool geometric_make(geometric *made, uint32_t n, uint32_t k, uint64_t seed, bool shuffled);
void geometric_free(geometric *made);

/* The next of a sequence of random numbers (splitmix64). The state may start with any number. */
uint64_t random_next(uint64_t *state);

#endif
