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

/* The way back from a cell: a direction, or one of these. */
#define NO_WAY 8u     /* the search starts here */
#define PORTAL_WAY 9u /* the parent is the other end of a portal */

/* wend_onward[way] has a bit for each neighbour that a path through a cell may reach more cheaply than a path without it. way: to
 * the parent. The parent and the straight neighbours of the parent are left out: the parent reaches those by one straight step,
 * which no corner rule forbids, and which costs no more than the path through this cell. Five of eight neighbours remain:
 *
 *      parent in the west    parent in the north-west     P  the parent
 *            o x x                    P o x               o  left out as well
 *            P . x                    o . x               x  visited
 *            o x x                    x x x */
static const uint8_t wend_onward[10] = {
    [NORTH_WEST] = 0xf4, [NORTH] = 0xf8, [NORTH_EAST] = 0xe9, [WEST] = 0xd6,   [EAST] = 0x6b,
    [SOUTH_WEST] = 0x97, [SOUTH] = 0x1f, [SOUTH_EAST] = 0x2f, [NO_WAY] = 0xff, [PORTAL_WAY] = 0xff};

/* The same of hexes: by whether columns are shifted, and whether this hex is. The parent reaches two of the six neighbours, so three
 * remain. The neighbours of each sort of hex, clockwise: */
#define AHEAD(a, b, c) (1u << (a) | 1u << (b) | 1u << (c))
#define AROUND_HEX(a, b, c, d, e, f)                                                                                 \
  {                                                                                                                  \
    [a] = AHEAD(c, d, e), [b] = AHEAD(d, e, f), [c] = AHEAD(e, f, a), [d] = AHEAD(f, a, b), [e] = AHEAD(a, b, c),    \
    [f] = AHEAD(b, c, d), [NO_WAY] = AHEAD(a, b, c) | AHEAD(d, e, f), [PORTAL_WAY] = AHEAD(a, b, c) | AHEAD(d, e, f) \
  }
static const uint8_t wend_hex_onward[2][2][10] = {{AROUND_HEX(NORTH_WEST, NORTH, EAST, SOUTH, SOUTH_WEST, WEST),
                                                   AROUND_HEX(NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, WEST)},
                                                  {AROUND_HEX(NORTH, NORTH_EAST, EAST, SOUTH, WEST, NORTH_WEST),
                                                   AROUND_HEX(NORTH, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST)}};
#undef AHEAD
#undef AROUND_HEX

/* The directions of straight steps, as such bits. */
#define STRAIGHT_STEPS (1u << NORTH | 1u << WEST | 1u << EAST | 1u << SOUTH)

/* Takes the steps in these directions. The caller defines STEP_STRAIGHT(direction, dx, dy) and STEP_DIAGONAL(direction, dx, dy). */
#define FOR_STEPS(directions)                                                 \
  if (((directions)&1u << NORTH_WEST) != 0) STEP_DIAGONAL(NORTH_WEST, -1, -1) \
  if (((directions)&1u << NORTH) != 0) STEP_STRAIGHT(NORTH, 0, -1)            \
  if (((directions)&1u << NORTH_EAST) != 0) STEP_DIAGONAL(NORTH_EAST, 1, -1)  \
  if (((directions)&1u << WEST) != 0) STEP_STRAIGHT(WEST, -1, 0)              \
  if (((directions)&1u << EAST) != 0) STEP_STRAIGHT(EAST, 1, 0)               \
  if (((directions)&1u << SOUTH_WEST) != 0) STEP_DIAGONAL(SOUTH_WEST, -1, 1)  \
  if (((directions)&1u << SOUTH) != 0) STEP_STRAIGHT(SOUTH, 0, 1)             \
  if (((directions)&1u << SOUTH_EAST) != 0) STEP_DIAGONAL(SOUTH_EAST, 1, 1)

/* Takes the steps in wend_onward[way] & allowed. There is a copy of the steps for each way, so that the processor predicts
 * better which ones are taken: forty-five steps instead of eight. Fields of whole grids are made in four fifths of the time. A
 * search for a path, with heuristic, gains nothing measurable, so it uses FOR_STEPS. */
#define FOR_STEPS_ONWARD(way, allowed)                                     \
  switch (way) {                                                           \
    case NORTH_WEST: FOR_STEPS(wend_onward[NORTH_WEST] & (allowed)) break; \
    case NORTH: FOR_STEPS(wend_onward[NORTH] & (allowed)) break;           \
    case NORTH_EAST: FOR_STEPS(wend_onward[NORTH_EAST] & (allowed)) break; \
    case WEST: FOR_STEPS(wend_onward[WEST] & (allowed)) break;             \
    case EAST: FOR_STEPS(wend_onward[EAST] & (allowed)) break;             \
    case SOUTH_WEST: FOR_STEPS(wend_onward[SOUTH_WEST] & (allowed)) break; \
    case SOUTH: FOR_STEPS(wend_onward[SOUTH] & (allowed)) break;           \
    case SOUTH_EAST: FOR_STEPS(wend_onward[SOUTH_EAST] & (allowed)) break; \
    default: FOR_STEPS(allowed)                                            \
  }

#endif
