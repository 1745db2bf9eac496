/* SPDX-License-Identifier: MIT */
/* The memory of dead ends, which a prepared map has: prepared/dead_ends.h says what they are. */
#ifndef WEND_ENDS_H
#define WEND_ENDS_H

#include "core/base/memory.h"

/* A part. */
typedef struct wend_dead_end {
  uint32_t attached; /* the place of the parent where the part is attached; WEND_NONE: of the core, or the node is removed */
  uint32_t parent;   /* the part of that place. Always a smaller number */
} wend_dead_end;

typedef struct wend_dead_ends {
  uint64_t stamp;       /* unique in the process */
  uint64_t noted;       /* the end of the journal of the map when it was made */
  uint32_t place_count; /* of the places that have a part */
  uint32_t part_count;  /* with the core */
  uint32_t present;     /* how many nodes or open cells there were */
  uint32_t left_out;    /* how many of them are in other parts than the core */
  uint32_t *part_of;    /* by place */
  wend_dead_end *parts;
  uint32_t part_of_capacity, parts_capacity;
} wend_dead_ends;

/* Frees them. NULL is allowed. */
void wend_dead_ends_free(wend_dead_ends *ends, const wend_alloc *alloc);
/* Their memory, in bytes. */
size_t wend_dead_ends_bytes(const wend_dead_ends *ends);
/* Makes room for at least this many places; the new ones are in the core. False: no memory. */
bool wend_dead_ends_grow(wend_dead_ends *ends, const wend_alloc *alloc, uint64_t places);
/* The places of a graph have moved. order: by new place, the old place. place_at: by old place, the new place. slot_of: by old
 * place, WEND_NONE where the node was removed; place_at is not set there. places: how many there are now. Without memory, no
 * place has a part any more, and searches do without. */
void wend_dead_ends_move(wend_dead_ends *ends, const wend_alloc *alloc, const uint32_t *order, const uint32_t *place_at,
                         const uint32_t *slot_of, uint32_t places);

#endif
