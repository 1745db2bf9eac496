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

#include "core/base/potentials.h"
#include "core/map/graph_store.h"
#include "core/map/grid.h"

/* Makes the dead ends of a map, by its allocator. The graph is synced. *made: NULL if they are not worth having: see blocks.c.
 * Takes a few visits of all steps. False: no memory. */
bool wend_dead_ends_make(const wend_map *map, wend_dead_ends **made);
/* Makes them anew, and gives them to the map: all its tables share them. False: no memory, and nothing has changed. */
bool wend_dead_ends_renew(wend_map *map);
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
