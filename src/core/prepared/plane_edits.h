/* SPDX-License-Identifier: MIT */
/* Edits of a prepared grid: the slack of its planes. */
#ifndef WEND_PLANE_EDITS_H
#define WEND_PLANE_EDITS_H

#include "core/base/potentials.h"
#include "core/map/grid.h"

/* These tell some of the tables of a map.
 *
 * After an edit of a cell. old: its value before, as wend_kind_value. */
void wend_planes_note_value(wend_map *map, wend_prepared *prepared, uint32_t place, wend_cell old);
/* After a wall at a cell was removed. */
void wend_planes_note_opened(wend_map *map, wend_prepared *prepared, uint32_t place);
/* After an edit of a link; and when planes were made or read. */
void wend_planes_note_links_of(wend_map *map, wend_prepared *prepared);
/* After the planes were made of a copy of the grid: everything that has changed since. */
void wend_planes_note_since(wend_map *map, wend_prepared *prepared, const wend_grid *before);

#endif
