/* SPDX-License-Identifier: MIT */
/* The neighbours of a cell: which steps the corner rule allows, and which steps a search must try. For searches over cells
 * where only weights and tags decide the costs: no walls, portals or edge functions. */
#ifndef WEND_NEIGHBOURS_H
#define WEND_NEIGHBOURS_H

#include "core/map/grid.h"

/* wend_around[rule][closed] has a bit for each direction in which a step is allowed. rule: the wend_diagonals of the grid.
 * closed: the straight neighbours that are closed, 1 north + 2 west + 4 east + 8 south. The table does not know the diagonal
 * neighbours, so the caller also checks that the cell of a diagonal step is open.
 *
 * An example: the cell in the north is closed, so closed = 1. Bits: NORTH_WEST 1, NORTH 2, NORTH_EAST 4, WEST 8, EAST 16, ...
 *
 *      d # d       WEND_BOTH_OPEN   the steps o, and the two diagonals in the south                        0xf8
 *      o . o       WEND_ONE_OPEN    the steps o, and all diagonals: those in the north pass an open o      0xfd
 *      d o d       WEND_ALWAYS      the steps o, and all diagonals                                         0xfd
 *                  WEND_NEVER       the steps o                                                            0x58 */
#define IS_OPEN(c, a) ((1 << (a) & (c)) == 0)
#define CORNER(c, a, b, with) (unsigned)(IS_OPEN(c, a) with IS_OPEN(c, b))
#define STRAIGHT(c)                                                                                       \
  ((unsigned)IS_OPEN(c, 0) << NORTH | (unsigned)IS_OPEN(c, 1) << WEST | (unsigned)IS_OPEN(c, 2) << EAST | \
   (unsigned)IS_OPEN(c, 3) << SOUTH)
#define AROUND(c, with)                                                                      \
  (STRAIGHT(c) | CORNER(c, 0, 1, with) << NORTH_WEST | CORNER(c, 0, 2, with) << NORTH_EAST | \
   CORNER(c, 3, 1, with) << SOUTH_WEST | CORNER(c, 3, 2, with) << SOUTH_EAST)
#define AROUND_4(c, with) AROUND(c, with), AROUND(c + 1, with), AROUND(c + 2, with), AROUND(c + 3, with)
#define AROUND_16(with) AROUND_4(0, with), AROUND_4(4, with), AROUND_4(8, with), AROUND_4(12, with)
#define ALWAYS_4(c) STRAIGHT(c) | 0xa5, STRAIGHT(c + 1) | 0xa5, STRAIGHT(c + 2) | 0xa5, STRAIGHT(c + 3) | 0xa5
#define NEVER_4(c) STRAIGHT(c), STRAIGHT(c + 1), STRAIGHT(c + 2), STRAIGHT(c + 3)
static const uint8_t wend_around[4][16] = {{AROUND_16(&)},
                                           {AROUND_16(|)},
                                           {ALWAYS_4(0), ALWAYS_4(4), ALWAYS_4(8), ALWAYS_4(12)},
                                           {NEVER_4(0), NEVER_4(4), NEVER_4(8), NEVER_4(12)}};
#undef IS_OPEN
#undef CORNER
#undef STRAIGHT
#undef AROUND
#undef AROUND_4
#undef AROUND_16
#undef ALWAYS_4
#undef NEVER_4

/* Visits the neighbours that a path through this cell may reach more cheaply than a path without it. to_parent: the direction
 * to the parent, NO_WAY or PORTAL_WAY. The parent and the straight neighbours of the parent are left out: the parent reaches
 * those by one straight step, which no corner rule forbids, and which costs no more than the path through this cell. Five of
 * eight neighbours remain:
 *
 *      parent in the west    parent in the north-west     P  the parent
 *            o x x                    P o x               o  left out as well
 *            P . x                    o . x               x  visited
 *            o x x                    x x x
 *
 * The caller defines STEP_STRAIGHT(direction, dx, dy) and STEP_DIAGONAL(direction, dx, dy). */
#define VISIT_NORTH STEP_STRAIGHT(NORTH, 0, -1)
#define VISIT_SOUTH STEP_STRAIGHT(SOUTH, 0, 1)
#define VISIT_WEST STEP_STRAIGHT(WEST, -1, 0)
#define VISIT_EAST STEP_STRAIGHT(EAST, 1, 0)
#define VISIT_NORTH_WEST STEP_DIAGONAL(NORTH_WEST, -1, -1)
#define VISIT_NORTH_EAST STEP_DIAGONAL(NORTH_EAST, 1, -1)
#define VISIT_SOUTH_WEST STEP_DIAGONAL(SOUTH_WEST, -1, 1)
#define VISIT_SOUTH_EAST STEP_DIAGONAL(SOUTH_EAST, 1, 1)
#define FOR_NEIGHBOURS(to_parent)                                                                                              \
  switch (to_parent) {                                                                                                         \
    case NORTH_WEST: VISIT_NORTH_EAST VISIT_EAST VISIT_SOUTH_WEST VISIT_SOUTH VISIT_SOUTH_EAST break;                          \
    case NORTH: VISIT_WEST VISIT_EAST VISIT_SOUTH_WEST VISIT_SOUTH VISIT_SOUTH_EAST break;                                     \
    case NORTH_EAST: VISIT_NORTH_WEST VISIT_WEST VISIT_SOUTH_WEST VISIT_SOUTH VISIT_SOUTH_EAST break;                          \
    case WEST: VISIT_NORTH VISIT_NORTH_EAST VISIT_EAST VISIT_SOUTH VISIT_SOUTH_EAST break;                                     \
    case EAST: VISIT_NORTH_WEST VISIT_NORTH VISIT_WEST VISIT_SOUTH_WEST VISIT_SOUTH break;                                     \
    case SOUTH_WEST: VISIT_NORTH_WEST VISIT_NORTH VISIT_NORTH_EAST VISIT_EAST VISIT_SOUTH_EAST break;                          \
    case SOUTH: VISIT_NORTH_WEST VISIT_NORTH VISIT_NORTH_EAST VISIT_WEST VISIT_EAST break;                                     \
    case SOUTH_EAST: VISIT_NORTH_WEST VISIT_NORTH VISIT_NORTH_EAST VISIT_WEST VISIT_SOUTH_WEST break;                          \
    default: VISIT_NORTH_WEST VISIT_NORTH VISIT_NORTH_EAST VISIT_WEST VISIT_EAST VISIT_SOUTH_WEST VISIT_SOUTH VISIT_SOUTH_EAST \
  }

/* In place of a direction to the parent: the search starts here; or the parent is the other end of a portal. */
#define NO_WAY 8u
#define PORTAL_WAY 9u

#endif
