/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid, in slices:
 *
 *   GROUPS   the groups of all blocks
 *   WIDE     a sweep from a cell chosen at random, up to twice: to find one that reaches much of the grid
 *   VIEW     its planes, which only choose the first two landmarks
 *   SWEEP    from a landmark
 *   FIT      its planes
 *
 * SWEEP and FIT are repeated for each landmark. Landmarks are chosen in pairs, so that two threads can sweep. The first landmark is
 * the farthest cell from the sweep of WIDE. Each other one is the cell that is farthest from all landmarks so far, where the first
 * cell of each group counts. How far it is from the first of its own pair, which was not swept yet, is a guess. But first, a cell
 * chosen at random is taken instead if no landmark reaches it, so that great islands get landmarks of their own.
 *
 * Two threads sweep from both landmarks of a pair side by side. In VIEW and FIT each has half of the rows. */
#ifndef WEND_SURVEY_H
#define WEND_SURVEY_H

#include "core/prepared/plane_fit.h"

typedef enum survey_stage { SURVEY_GROUPS, SURVEY_WIDE, SURVEY_VIEW, SURVEY_SWEEP, SURVEY_FIT, SURVEY_DONE } survey_stage;

typedef struct wend_survey {
  const wend_grid *grid; /* NULL: there is no survey */
  wend_prepared *made;
  wend_sweep sweep[2]; /* the second one has no memory until two threads need it */
  survey_stage stage;
  bool opened;           /* wend_survey_open has begun work */
  bool failed;           /* wend_survey_open had no memory */
  uint32_t tried;        /* sweeps of stage WIDE */
  uint32_t roots[2];     /* of a pair of landmarks */
  double straight;       /* units of a straight step on the longest path of stage WIDE */
  uint32_t landmark;     /* the present one */
  uint32_t side_by_side; /* how many landmarks are swept and fitted at the same time */
  uint32_t row;          /* of blocks: the next one, in GROUPS, VIEW and FIT */
  uint32_t *nearest;     /* by group: how far its first cell is from the nearest landmark; SWEEP_NONE: not reached */
  uint32_t nearest_capacity;
  uint64_t seed;
} wend_survey;

/* Begins. made: tables without planes. False: no memory. */
bool wend_survey_begin(wend_survey *survey, const wend_grid *grid, wend_prepared *made);
/* Continues for about *places cells, and lowers *places. OK: the tables are made. RUNNING, NO_MEMORY. */
wend_status wend_survey_run(wend_survey *survey, uint64_t *places);
/* For two threads: what can be done at the same time, 0 to 2 calls of wend_survey_work. They allocate nothing. 0: nothing, go on
 * with wend_survey_run. */
uint32_t wend_survey_open(wend_survey *survey);
void wend_survey_work(wend_survey *survey, uint32_t number);
/* How much is done, 0 to 1. */
double wend_survey_progress(const wend_survey *survey);
/* Frees its memory, without the tables. */
void wend_survey_free(wend_survey *survey);

#endif
