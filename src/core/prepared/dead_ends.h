/* SPDX-License-Identifier: MIT */
/* Dead ends: parts of a map that are attached to the rest at one place. A path without a repeated place that begins and ends
 * elsewhere cannot visit such a part, because it would pass the attaching place twice. So a search leaves out all parts that
 * cannot be on the way from a start to a goal.
 *
 * `part_of` has the part of each place. Part 0 is the core. Each other part is attached to its parent, another part, at one
 * place of the parent. So the parts are a tree, with the core at its root. A step from u to v agrees with the tree if
 *
 *     u and v are in the same part     or     u is the attaching place of v's part     or     v is that of u's part
 *
 * If all steps agree, a part and all that is behind it can only be left through the place where the part is attached, and only
 * once by a path without a repeated place. That is all that searches rely on: whatever the tree is, if all steps agree, they are
 * exact.
 *
 *        a - b - c - d - e          The core is c d g f, a ring. Part 1 is {b}, attached at c; part 2 is {a}, attached at b, and
 *                |   |              its parent is 1; part 3 is {e}, attached at d. From a to g, a search enters the parts 2, 1
 *                f - g              and 0, but not 3. A new edge from a to e does not agree: from then on, all searches enter the
 *                                   parts 2, 1, 0 and 3.
 *
 * The steps of the tree are all that could ever be open: closed edges and nodes of graphs count as open, one-way edges as two-way,
 * and tags as open. So closing and opening change nothing. Cells with infinite weight are absent and count as core.
 *
 * blocks.c makes the tree; pruning.h is what a search keeps of it. */
#ifndef WEND_DEAD_ENDS_H
#define WEND_DEAD_ENDS_H

#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* A part. */
typedef struct wend_dead_end {
  uint32_t attached; /* the place of the parent where the part is attached; WEND_NONE: of the core, or the node is removed */
  uint32_t parent;   /* the part of that place. Always a smaller number */
} wend_dead_end;

struct wend_dead_ends {
  uint64_t stamp;       /* unique in the process */
  uint64_t noted;       /* the end of the journal of the map when it was made */
  uint32_t place_count; /* of the places that have a part */
  uint32_t part_count;  /* with the core */
  uint32_t present;     /* how many nodes or open cells there were */
  uint32_t left_out;    /* how many of them are in other parts than the core */
  uint32_t *part_of;    /* by place */
  wend_dead_end *parts;
  uint32_t part_of_capacity, parts_capacity;
};
typedef struct wend_dead_ends wend_dead_ends;

/* Makes the dead ends of a map, by its allocator. The graph is synced. *made: NULL if they are not worth having: see blocks.c.
 * Takes a few visits of all steps. False: no memory. */
bool wend_dead_ends_make(const wend_map *map, wend_dead_ends **made);
/* Makes them, and puts them into the tables of the map, or into tables that it will get. False: no memory, and nothing has
 * changed. */
bool wend_dead_ends_add(const wend_map *map, wend_prepared *prepared);
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

/* Whether a step between two places agrees with the tree. */
static inline bool wend_dead_ends_agree(const wend_dead_ends *ends, uint32_t u, uint32_t v) {
  const uint32_t a = ends->part_of[u], b = ends->part_of[v];
  return a == b || ends->parts[a].attached == v || ends->parts[b].attached == u;
}

/* The places next to a place, by any step that may ever be open, in either direction. Some may come twice. Those of diagonal
 * steps are left out where the rule for corners asks for two straight ways around them. cursor: 0 before the first; changed by
 * each call. WEND_NONE: there are no more. The place is a node, or a cell whose weight is finite. */
uint32_t wend_next_beside(const wend_map *map, const wend_region *region, uint32_t place, uint32_t *cursor);
/* The whole grid as a region; of a graph, nothing. */
wend_region wend_whole_map(const wend_map *map);
/* Whether a place is a node, or a cell whose weight is finite. */
bool wend_is_present(const wend_map *map, const wend_region *region, uint32_t place);

#endif
