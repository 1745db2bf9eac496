/* SPDX-License-Identifier: MIT */
/* The cells around a cell: which of them to look at, and which can be stepped to. For searches over plain cells. */
#ifndef WEND_AROUND_H
#define WEND_AROUND_H

#include "core/map/grid.h"

/* What may be stepped to, as far as the four straight neighbours tell, by policy and by which of those are closed (1
 * north, 2 west, 4 east, 8 south): a bit for each direction. Diagonals whose own cell is closed are among it. */
#define IS_OPEN(c, a) (((c) >> (a) & 1) == 0)
#define CORNER(c, a, b, with) (unsigned)(IS_OPEN(c, a) with IS_OPEN(c, b))
#define STRAIGHT(c)                                                                                         \
  ((unsigned)IS_OPEN(c, 0) << NORTH | (unsigned)IS_OPEN(c, 1) << WEST | (unsigned)IS_OPEN(c, 2) << EAST |   \
   (unsigned)IS_OPEN(c, 3) << SOUTH)
#define AROUND(c, with)                                                                                   \
  (STRAIGHT(c) | CORNER(c, 0, 1, with) << NORTH_WEST | CORNER(c, 0, 2, with) << NORTH_EAST |              \
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

/* Looks at the neighbours worth it, by the way that led here from the parent (8: none did): not at the parent, nor at its
 * straight neighbours. Those were reached from the parent by one straight step, for no more than it would cost by way of
 * here, and a straight step needs no corners. Five of eight are left. BESIDE(direction, dx, dy) and ACROSS(direction, dx,
 * dy) are the caller's. */
#define LOOK_NORTH BESIDE(NORTH, 0, -1)
#define LOOK_SOUTH BESIDE(SOUTH, 0, 1)
#define LOOK_WEST BESIDE(WEST, -1, 0)
#define LOOK_EAST BESIDE(EAST, 1, 0)
#define LOOK_NORTH_WEST ACROSS(NORTH_WEST, -1, -1)
#define LOOK_NORTH_EAST ACROSS(NORTH_EAST, 1, -1)
#define LOOK_SOUTH_WEST ACROSS(SOUTH_WEST, -1, 1)
#define LOOK_SOUTH_EAST ACROSS(SOUTH_EAST, 1, 1)
#define LOOK_AROUND(to_parent)                                                                                 \
  switch (to_parent) {                                                                                         \
    case NORTH_WEST: LOOK_NORTH_EAST LOOK_EAST LOOK_SOUTH_WEST LOOK_SOUTH LOOK_SOUTH_EAST break;               \
    case NORTH: LOOK_WEST LOOK_EAST LOOK_SOUTH_WEST LOOK_SOUTH LOOK_SOUTH_EAST break;                          \
    case NORTH_EAST: LOOK_NORTH_WEST LOOK_WEST LOOK_SOUTH_WEST LOOK_SOUTH LOOK_SOUTH_EAST break;               \
    case WEST: LOOK_NORTH LOOK_NORTH_EAST LOOK_EAST LOOK_SOUTH LOOK_SOUTH_EAST break;                          \
    case EAST: LOOK_NORTH_WEST LOOK_NORTH LOOK_WEST LOOK_SOUTH_WEST LOOK_SOUTH break;                          \
    case SOUTH_WEST: LOOK_NORTH_WEST LOOK_NORTH LOOK_NORTH_EAST LOOK_EAST LOOK_SOUTH_EAST break;               \
    case SOUTH: LOOK_NORTH_WEST LOOK_NORTH LOOK_NORTH_EAST LOOK_WEST LOOK_EAST break;                          \
    case SOUTH_EAST: LOOK_NORTH_WEST LOOK_NORTH LOOK_NORTH_EAST LOOK_WEST LOOK_SOUTH_WEST break;               \
    default:                                                                                                   \
      LOOK_NORTH_WEST LOOK_NORTH LOOK_NORTH_EAST LOOK_WEST LOOK_EAST LOOK_SOUTH_WEST LOOK_SOUTH LOOK_SOUTH_EAST \
  }

/* No direction: where a search starts; or that of a link. */
#define NO_WAY 8u
#define PORTAL_WAY 9u

#endif
