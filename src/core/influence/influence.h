/* SPDX-License-Identifier: MIT */
/* What the files of layers share. */
#ifndef WEND_INFLUENCE_H
#define WEND_INFLUENCE_H

#include "core/cost/step.h"

/* The node or cell after an id: see `next` functions in wend.h. */
static inline wend_id wend_map_next(const wend_map *map, wend_id id) {
  const wend_grid *grid = (const wend_grid *)map;
  if (!map->is_grid) return wend_graph_next_node((const wend_graph *)map, id);
  return id < (wend_id)grid->width * grid->height ? id + 1 : WEND_NO_ID;
}

/* Keeps a layer that the caller has not made, until wend_influence_drop. NULL is allowed in both. */
void wend_influence_keep(const wend_influence *layer);
void wend_influence_drop(const wend_influence *layer);

#endif
