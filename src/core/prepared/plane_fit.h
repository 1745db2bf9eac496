/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid (base/planes.h) from floods. */
#ifndef WEND_PLANE_FIT_H
#define WEND_PLANE_FIT_H

#include "core/base/planes.h"
#include "core/prepared/grid_flood.h"

/* Gives the tables of a grid planes without groups, numbers and links. False: no memory. */
bool wend_planes_begin(const wend_grid *grid, wend_prepared *prepared, uint32_t landmarks);
/* Finds the groups of a row of blocks; the rows must come in order. False: no memory. */
bool wend_planes_group_row(const wend_grid *grid, wend_prepared *prepared, uint32_t row);
/* Notes the links of the grid. per_unit and prices of the flood are set. False: no memory. */
bool wend_planes_note_links(const wend_grid_flood *flood, wend_planes *planes);
/* Sets what the base of the planes of a landmark counts, from its finished flood. */
void wend_planes_begin_landmark(wend_planes *planes, const wend_grid_flood *flood, uint32_t landmark);
/* Fits the planes of a landmark in a row of blocks. nearest: by group, how far its first cell is from the nearest landmark, in
 * units; lowered. */
void wend_planes_fit_row(wend_planes *planes, const wend_grid_flood *flood, uint32_t landmark, uint32_t row, uint32_t *nearest);

#endif
