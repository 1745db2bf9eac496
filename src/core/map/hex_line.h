/* SPDX-License-Identifier: MIT */
/* The line between the centres of two hexes, found by integers alone: which hexes it enters, one after the other.
 *
 * A hex has three axes, each across two opposite sides. Along an axis, its centre is 2 away from those of its neighbours there, and 1
 * from those of the other four. The line leaves a hex by the side that it comes to first.
 *
 *      .             From a line at a corner (*), the next hex is the one into which the line leads on. A line that leads on along
 *    /   \           the side between two hexes q and r runs between them, to the hex p behind both. So the line is the same
 *   |  a  |  q       from its other end.
 *    \   *-----
 *      '  \  r   p                                                                   */
#ifndef WEND_HEX_LINE_H
#define WEND_HEX_LINE_H

#include "core/map/grid.h"

/* The direction of a step: with rows, or with columns; to the next hex along axis 0, 1 or 2, upwards and downwards along each; from
 * a hex that is not shifted, and from one that is. */
static const uint8_t wend_hex_directions[2][3][2][2] = {
    {{{NORTH, NORTH_EAST}, {SOUTH_WEST, SOUTH}}, {{SOUTH, SOUTH_EAST}, {NORTH_WEST, NORTH}}, {{WEST, WEST}, {EAST, EAST}}},
    {{{WEST, SOUTH_WEST}, {NORTH_EAST, EAST}}, {{EAST, SOUTH_EAST}, {NORTH_WEST, WEST}}, {{NORTH, NORTH}, {SOUTH, SOUTH}}}};

/* A way from one hex to the next: directly, or past a hex. */
typedef struct wend_hex_way {
  int direction;
  uint32_t past; /* WEND_NONE: directly */
  int onward;    /* the direction from there */
} wend_hex_way;

typedef struct wend_hex_line {
  uint32_t place, end, stride;
  bool flat, shifted, down[3]; /* down: the line leads downwards along the axis */
  int64_t size[3];             /* how far it leads along each */
  int64_t order[3];            /* below 0: the line leaves the hex along this axis before the next one; 0: at the same time */
  int ways;                    /* of the last step: 2 if it runs between two hexes */
  wend_hex_way way[2];
} wend_hex_line;

static inline wend_hex_line wend_hex_line_between(const wend_grid *grid, uint32_t from, uint32_t to) {
  const wend_region region = {NULL, NULL, NULL, NULL, NULL, grid->width, grid->height, grid->stride, 0, 0, true};
  wend_hex_line line;
  double a[2], b[2];
  int64_t along, across, far[3];
  wend_region_hex(&region, grid->shape, from, a);
  wend_region_hex(&region, grid->shape, to, b);
  line.place = from, line.end = to, line.stride = grid->stride, line.ways = 0;
  line.flat = grid->shape >= WEND_ODD_COLUMNS;
  line.shifted = a[line.flat] != floor(a[line.flat]);
  along = (int64_t)(2 * (b[line.flat] - a[line.flat])), across = (int64_t)(b[!line.flat] - a[!line.flat]);
  far[0] = (along - 3 * across) / 2, far[1] = (along + 3 * across) / 2, far[2] = -along;
  for (int i = 0; i < 3; i++) line.down[i] = far[i] < 0, line.size[i] = far[i] < 0 ? -far[i] : far[i];
  for (int i = 0; i < 3; i++) line.order[i] = line.size[(i + 1) % 3] - line.size[i];
  return line;
}

/* The direction of a step along an axis, with the line. shifted: the hex where it begins. */
static inline int wend_hex_line_direction(const wend_hex_line *line, int axis, bool shifted) {
  return wend_hex_directions[line->flat][axis][line->down[axis]][shifted];
}

/* Counts a step along an axis: by 2 along it, and by 1 along the others. */
static inline void wend_hex_line_count(wend_hex_line *line, int axis) {
  int64_t more[3];
  for (int i = 0; i < 3; i++) more[i] = i == axis ? 2 : line->down[i] == line->down[axis] ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3;
    line->order[i] += more[i] * line->size[next] - more[next] * line->size[i];
  }
  line->shifted = line->shifted != (axis != 2);
}

/* Enters the next hex. False: the line has come to its end. */
static inline bool wend_hex_line_next(wend_hex_line *line) {
  int first = 0, other = -1;
  if (line->place == line->end) return false;
  if (line->order[0] > 0) first = 1;
  if (first == 0 ? line->order[2] < 0 : line->order[1] > 0) first = 2;
  for (int i = 0; i < 3; i++) /* the orders between this axis and each other one */
    if (i != first && line->order[(first + 1) % 3 == i ? first : i] == 0 && line->size[i] > 0) other = i;
  line->ways = 1;
  if (other >= 0 && line->size[3 - first - other] == 0) line->ways = 2;
  else if (other >= 0 && line->down[other] != line->down[3 - first - other]) first = other;
  for (int i = 0; i < line->ways; i++) {
    const int axis = i == 0 ? first : other;
    wend_hex_way *way = &line->way[i];
    way->direction = wend_hex_line_direction(line, axis, line->shifted);
    way->past = line->ways == 1 ? WEND_NONE : (uint32_t)(line->place + wend_offset(line->stride, way->direction));
    way->onward = line->ways == 1 ? -1 : wend_hex_line_direction(line, first + other - axis, line->shifted != (axis != 2));
  }
  if (line->ways == 1) line->place = (uint32_t)(line->place + wend_offset(line->stride, line->way[0].direction));
  else line->place = (uint32_t)(line->way[0].past + wend_offset(line->stride, line->way[0].onward));
  wend_hex_line_count(line, first);
  if (line->ways == 2) wend_hex_line_count(line, other);
  return true;
}

#endif
