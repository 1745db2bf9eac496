/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid, in slices:
 *
 *   GROUPS   the groups of all blocks
 *   WIDE     a sweep from a cell chosen at random, up to twice: to find one that reaches much of the grid. The first landmark is
 *            the farthest cell from it
 *   SWEEP    from a landmark
 *   FIT      its planes. The next landmark is the cell that is farthest from all landmarks so far, where the first cell of each
 *            group counts; but first, a cell chosen at random is taken instead if no landmark reaches it, so that great islands
 *            get landmarks of their own
 *
 * SWEEP and FIT are repeated for each landmark. */
#ifndef WEND_SURVEY_H
#define WEND_SURVEY_H

#include "core/prepared/plane_fit.h"

typedef enum survey_stage { SURVEY_GROUPS, SURVEY_WIDE, SURVEY_SWEEP, SURVEY_FIT, SURVEY_DONE } survey_stage;

typedef struct wend_survey {
  const wend_grid *grid; /* NULL: there is no survey */
  wend_prepared *made;
  wend_sweep sweep;
  survey_stage stage;
  uint32_t tried;    /* sweeps of stage WIDE */
  uint32_t landmark; /* the present one */
  uint32_t row;      /* of blocks: the next one, in GROUPS and FIT */
  uint32_t *nearest; /* by group: how far its first cell is from the nearest landmark; SWEEP_NONE: not reached */
  uint32_t nearest_capacity;
  uint64_t seed;
} wend_survey;

/* Begins. made: tables without planes. False: no memory. */
bool wend_survey_begin(wend_survey *survey, const wend_grid *grid, wend_prepared *made);
/* Continues for about *places cells, and lowers *places. OK: the tables are made. RUNNING, NO_MEMORY. */
wend_status wend_survey_run(wend_survey *survey, uint64_t *places);
/* How much is done, 0 to 1. */
double wend_survey_progress(const wend_survey *survey);
/* Frees its memory, without the tables. */
void wend_survey_free(wend_survey *survey);

#endif
