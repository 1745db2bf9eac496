/* SPDX-License-Identifier: MIT */
/* Which parts of a map one search enters: see dead_ends.h.
 *
 * A search enters the parts on the ways of the tree between its starts and its goals. `stamps` has a stamp for each part; a part
 * is entered if its stamp is that of the search, so that nothing must be cleared. It also enters the place where the part of a way
 * that is nearest to the core is attached, its door: a path between two places of a part may go through its door.
 *
 * Edits may add steps that do not agree with the tree. A search object finds them in the journal of the map, and keeps for each
 * the pair of parts that it joins. From then on, its searches enter all parts on the way between the two as well. That is exact:
 * such a step makes one block of all blocks on that way, and all of it is entered. After too many pairs, searches of this map do
 * without, until it is prepared again. All of this belongs to the search object, because several threads may search one map. */
#ifndef WEND_PRUNING_H
#define WEND_PRUNING_H

#include "core/prepared/dead_ends.h"

/* The most pairs of parts that edits join. Each costs every search a walk in the tree. */
#define JOINED_MAX 16u
/* The number of maps that a search object remembers. */
#define ENDS_SEEN_MAX 4u

/* What a search object knows of the edits of a map. */
typedef struct wend_ends_seen {
  uint64_t stamp;  /* of the dead ends; 0: unused */
  uint64_t cursor; /* in the journal: the first change that is not looked at */
  uint64_t used;   /* the clock when it was used last */
  uint32_t joined[JOINED_MAX][2], joined_count;
  bool off; /* there were too many */
} wend_ends_seen;

typedef struct wend_pruning {
  const uint32_t *part_of; /* by place: of the dead ends; NULL: the search enters all parts */
  uint32_t *stamps;        /* by part */
  uint32_t stamps_capacity, stamp;
  uint64_t ends_stamp; /* of the dead ends that the search begun last has left out; 0: none */
  uint32_t seen_at, joined_count;
  uint64_t clock;
  uint32_t top; /* while parts are entered: the one nearest to the core, WEND_NONE: none */
  uint32_t doors[JOINED_MAX + 1], door_count;
  wend_ends_seen seen[ENDS_SEEN_MAX];
} wend_pruning;

/* Begins a search that enters all parts. */
static inline void wend_pruning_none(wend_pruning *opening) {
  opening->part_of = NULL;
  opening->ends_stamp = 0;
}
/* Begins a search that leaves out parts of a map, if the map has dead ends that can be used; otherwise it enters all. The graph
 * is synced. Then the caller enters the parts of all starts and goals, with the ways between them, and at the end those that
 * edits have joined. False: no memory, and it enters all. */
bool wend_pruning_begin(wend_pruning *opening, const wend_alloc *alloc, const wend_map *map);
void wend_pruning_enter(wend_pruning *opening, const wend_map *map, uint32_t place);
void wend_pruning_join(wend_pruning *opening, const wend_map *map);
/* Whether a search enters a place. Precondition: part_of. */
static inline bool wend_pruning_has(const wend_pruning *opening, uint32_t place) {
  if (opening->stamps[opening->part_of[place]] == opening->stamp) return true;
  for (uint32_t i = 0; i < opening->door_count; i++)
    if (opening->doors[i] == place) return true;
  return false;
}
/* Continues a search that has paused, with part_of. If the dead ends were replaced, it enters all parts from now on. */
void wend_pruning_resume(wend_pruning *opening, const wend_map *map);
/* Whether what the search has left out is still not on any way, after edits of the map. */
bool wend_pruning_holds(wend_pruning *opening, const wend_map *map);
/* Frees all memory. */
void wend_pruning_free(wend_pruning *opening, const wend_alloc *alloc);

#endif
