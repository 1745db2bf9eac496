/* SPDX-License-Identifier: MIT */
/* Makes a map equal to another one: all of it, or one place. The copy has the same ids and numbers of tags, and the nodes have the
 * same places. It has no names of nodes, and its versions and journal are its own. The other map is synced.
 *
 * Each function returns OK or NO_MEMORY. Then the copy may be equal in part. wend_mirror_all leaves it as it was. */
#ifndef WEND_MIRROR_H
#define WEND_MIRROR_H

#include "core/overlay/overlay.h"

/* A new map for wend_mirror_all, which fills it. NULL: no memory. */
wend_map *wend_mirror_create(const wend_alloc *alloc, const wend_map *from);
/* Frees it. NULL is allowed. */
void wend_mirror_destroy(wend_map *map);

/* Copies everything, as one edit that changes the whole map. */
wend_status wend_mirror_all(wend_map *to, const wend_map *from);
/* Copies the tags that the copy does not have, and on a graph the radii. */
wend_status wend_mirror_labels(wend_map *to, const wend_map *from);
/* Copies the statistics of weights. The copy has equal weights: so it does not matter which weights it had before. */
wend_status wend_mirror_weights(wend_map *to, const wend_map *from);
/* Whether what a change of the journal stands for can be copied by the functions below: the same nodes, edges and portals are
 * at its place. Otherwise wend_mirror_all is needed. */
bool wend_mirror_matches(const wend_map *to, const wend_map *from, uint32_t change);

/* Copy a cell; a wall; a node: its position, and whether it is closed; an edge. patch: what is applied to the copy; NULL:
 * nothing. */
wend_status wend_mirror_cell(wend_grid *to, const wend_grid *from, uint32_t place, const wend_patch *patch);
wend_status wend_mirror_wall(wend_grid *to, const wend_grid *from, uint32_t place, int direction, const wend_patch *patch);
wend_status wend_mirror_position(wend_graph *to, const wend_graph *from, wend_id node);
wend_status wend_mirror_node(wend_graph *to, const wend_graph *from, wend_id node, const wend_patch *patch);
wend_status wend_mirror_edge(wend_graph *to, const wend_graph *from, wend_id edge, const wend_patch *patch);

#endif
