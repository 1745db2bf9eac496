/* SPDX-License-Identifier: MIT */
/* Sieves: what the binding uses of watch.c beside wend.h. They are no part of the C interface. */
#ifndef WEND_WATCH_H
#define WEND_WATCH_H

#include "wend.h"

/* The places of a path in a few bits: they tell quickly that the edits of a map have left the path alone. The caller has the
 * bits, `words` numbers. With 16 bits for each place about one edit in 60 elsewhere passes the sieve. */
typedef struct wend_sieve {
  uint64_t edits; /* the changes that the map had noted when the path was last found valid */
  uint32_t words; /* at least 1; 0: there is no room for bits */
  bool filled;
  bool blocked; /* a wall or a closed cell is across the path, which is not valid after any change of walls then */
} wend_sieve;

/* Adds the places of a path that is valid, or of a piece of it, as for wend_grid_path_valid. Returns how many it has. bits NULL:
 * only counts them. Takes O(nodes, or cells of the path and its legs). */
uint32_t wend_sieve_add(wend_sieve *sieve, uint64_t *bits, const wend_map *map, const wend_id *ids, uint32_t count,
                        const wend_path_age *age);
/* Notes that the path is valid now. */
void wend_sieve_renew(wend_sieve *sieve, const wend_map *map);
/* True: the path is valid, because no change since it was found valid is at a place of the sieve. False: it may have changed; or
 * there were more than `most` changes, or more than the map keeps. Of a graph, the sieve must be filled again after false: its
 * nodes may have other places. Takes O(changes). */
bool wend_sieve_misses(const wend_sieve *sieve, const uint64_t *bits, const wend_map *map, const wend_path_age *age,
                       uint32_t most);

#endif
