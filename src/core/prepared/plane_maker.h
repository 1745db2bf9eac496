/* SPDX-License-Identifier: MIT */
/* Making the planes of a prepared grid, in slices:
 *
 *   GROUPS   the groups of all blocks
 *   WIDE     a flood from a cell chosen at random, up to twice: to find one that reaches much of the grid
 *   VIEW     its planes, which only choose the first two landmarks
 *   FLOOD    from a landmark
 *   FIT      its planes
 *
 * FLOOD and FIT are repeated for each landmark. Landmarks are chosen in pairs, so that two threads can flood. The first landmark is
 * the farthest cell from the flood of WIDE. Each other one is the cell that is farthest from all landmarks so far, where the first
 * cell of each group counts. How far it is from the first of its own pair, which was not flooded yet, is a guess. But first, a cell
 * chosen at random is taken instead if no landmark reaches it, so that great islands get landmarks of their own.
 *
 * Two threads flood from both landmarks of a pair side by side. In VIEW and FIT each has half of the rows. */
#ifndef WEND_PLANE_MAKER_H
#define WEND_PLANE_MAKER_H

#include "core/prepared/plane_fit.h"

typedef enum maker_stage { MAKER_GROUPS, MAKER_WIDE, MAKER_VIEW, MAKER_FLOOD, MAKER_FIT, MAKER_DONE } maker_stage;

typedef struct wend_plane_maker {
  const wend_grid *grid; /* NULL: the map is a graph */
  wend_prepared *made;
  wend_grid_flood flood[2]; /* the second one has no memory until two threads need it */
  maker_stage stage;
  bool opened;           /* wend_plane_maker_open has begun work */
  bool failed;           /* wend_plane_maker_open had no memory */
  uint32_t tried;        /* floods of stage WIDE */
  uint32_t roots[2];     /* of a pair of landmarks */
  double straight;       /* units of a straight step on the longest path of stage WIDE */
  uint32_t landmark;     /* the present one */
  uint32_t side_by_side; /* how many landmarks are flooded and fitted at the same time */
  uint32_t row;          /* of blocks: the next one, in GROUPS, VIEW and FIT */
  uint32_t *nearest;     /* by group: how far its first cell is from the nearest landmark; FLOOD_NONE: not reached */
  uint32_t nearest_capacity;
  uint64_t seed;
} wend_plane_maker;

/* Begins. made: tables without planes. False: no memory. */
bool wend_plane_maker_begin(wend_plane_maker *maker, const wend_grid *grid, wend_prepared *made);
/* Continues for about *places cells, and lowers *places. OK: the tables are made. RUNNING, NO_MEMORY. */
wend_status wend_plane_maker_run(wend_plane_maker *maker, uint64_t *places);
/* For two threads: what can be done at the same time, 0 to 2 calls of wend_plane_maker_work. They allocate nothing. 0: nothing, go on
 * with wend_plane_maker_run. */
uint32_t wend_plane_maker_open(wend_plane_maker *maker);
void wend_plane_maker_work(wend_plane_maker *maker, uint32_t number);
/* How much is done, 0 to 1. */
double wend_plane_maker_progress(const wend_plane_maker *maker);
/* Frees its memory, without the tables. */
void wend_plane_maker_free(wend_plane_maker *maker);

#endif
