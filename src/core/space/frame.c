/* SPDX-License-Identifier: MIT */
/* How the cells of a grid lie in the world.
 *
 * Rows of hexes overlap: they lie (high + side) / 2 apart. In units of cells rows lie 1 apart, as those of squares do, and a hex of
 * row y has its centre at y + 0.5. So straight lines are straight in both units. There a hex reaches high / (high + side) upwards and
 * downwards from its centre, and half a cell to both sides. In the middle of a side it reaches the rest of 1 upwards.
 *
 *      .             The point p lies in the band of row y, from y to y + 1. Its column there has the hex a. But p is
 *    /   \           above the slanted side of a, so it lies in a hex of the row above, which is found by its column there.
 *   |  a  | p
 *    \   /           With a flat top the same holds with x in place of y. */
#include "core/space/frame.h"

#include <math.h>

#include "core/base/floats.h"

WEND_NO_FUSING

wend_frame wend_frame_or_cells(const wend_frame *frame) {
  static const wend_frame cells = {1, 1, 0, 0, false, WEND_SQUARES, 0};
  return frame != NULL ? *frame : cells;
}

/* The axis along which hexes have corners, and rows or columns overlap: 1 is y. */
static inline int hex_axis(const wend_frame *frame) { return frame->shape < WEND_ODD_COLUMNS; }

static inline double hex_size(const wend_frame *frame, int axis) { return axis == 0 ? frame->wide : frame->high; }

/* How far a hex reaches along that axis from its centre, in cells: 0.5 .. 1. */
static inline double hex_reach(const wend_frame *frame) {
  const double size = hex_size(frame, hex_axis(frame));
  return size / (size + frame->side);
}

/* Whether hexes in a column or row are shifted: along the other axis, by half a cell. line: its number, from 0. */
static inline double hex_shift(const wend_frame *frame, double line) {
  const bool even = line == 2 * floor(line / 2); /* with an odd number, from 1 */
  return even == (frame->shape == WEND_ODD_ROWS || frame->shape == WEND_ODD_COLUMNS) ? 0.5 : 0;
}

void wend_frame_in_cells(const wend_frame *frame, const double *vector, double *cells) {
  const double most = 1e200; /* sums of two are finite */
  double u = vector[0] / frame->wide, v = vector[1] / frame->high;
  if (frame->isometric) {
    u = u > most ? most : u < -most ? -most : u;
    v = v > most ? most : v < -most ? -most : v;
    cells[0] = v + u, cells[1] = v - u;
  } else {
    cells[0] = u, cells[1] = v;
    if (frame->shape != WEND_SQUARES) cells[hex_axis(frame)] *= 2 * hex_reach(frame);
  }
}

void wend_frame_point_in_cells(const wend_frame *frame, const double *point, double *cells) {
  const double vector[2] = {point[0] - frame->left, point[1] - frame->top};
  wend_frame_in_cells(frame, vector, cells);
  if (frame->shape != WEND_SQUARES) cells[hex_axis(frame)] += 0.5 - hex_reach(frame);
}

void wend_frame_cell(const wend_frame *frame, const double *cells, double *cell) {
  int axis;
  double reach, off = 0, aside;
  if (frame->shape == WEND_SQUARES) {
    cell[0] = floor(cells[0]), cell[1] = floor(cells[1]);
    return;
  }
  axis = hex_axis(frame), reach = hex_reach(frame);
  for (int i = 0; i < 2; i++) {
    cell[axis] = i == 0 ? floor(cells[axis]) : cell[axis] + (off < 0 ? -1 : 1);
    cell[!axis] = floor(cells[!axis] - hex_shift(frame, cell[axis]));
    off = cells[axis] - cell[axis] - 0.5, aside = cells[!axis] - hex_shift(frame, cell[axis]) - cell[!axis] - 0.5;
    if (fabs(off) + (4 * reach - 2) * fabs(aside) <= reach) return;
  }
}

void wend_frame_centre(const wend_frame *frame, double column, double row, double *point) {
  double x = column + 0.5, y = row + 0.5;
  if (frame->isometric) {
    point[0] = frame->left + (x - y) * (frame->wide / 2), point[1] = frame->top + (x + y) * (frame->high / 2);
    return;
  }
  if (frame->shape != WEND_SQUARES) *(hex_axis(frame) == 0 ? &y : &x) += hex_shift(frame, hex_axis(frame) == 0 ? column : row);
  point[0] = frame->left + x * frame->wide, point[1] = frame->top + y * frame->high;
  if (frame->shape == WEND_SQUARES) return;
  if (hex_axis(frame) == 0) point[0] = frame->left + (column * (frame->wide + frame->side) + frame->wide) / 2;
  else point[1] = frame->top + (row * (frame->high + frame->side) + frame->high) / 2;
}

double wend_frame_hex_border(const wend_frame *frame, const double *cells, const double *step, double near) {
  const int axis = hex_axis(frame);
  const double reach = hex_reach(frame), slope = 4 * reach - 2, speed = fabs(step[0]) + fabs(step[1]);
  const double sides[6][3] = {{1, 0, 0.5},        {-1, 0, 0.5},       {slope, 1, reach},
                              {-slope, 1, reach}, {slope, -1, reach}, {-slope, -1, reach}};
  double ahead[2], cell[2], off[2], least = INFINITY;
  if (!(speed > 0)) return INFINITY;
  near /= speed;
  for (int d = 0; d < 2; d++) ahead[d] = cells[d] + step[d] * near;
  wend_frame_cell(frame, ahead, cell);
  for (int d = 0; d < 2; d++) off[d] = ahead[d] - cell[d] - 0.5;
  off[!axis] -= hex_shift(frame, cell[axis]);
  for (int i = 0; i < 6; i++) {
    const double rate = sides[i][0] * step[!axis] + sides[i][1] * step[axis];
    const double left = sides[i][2] - sides[i][0] * off[!axis] - sides[i][1] * off[axis];
    if (rate > 0 && left / rate < least) least = left / rate;
  }
  return near + (least > 0 ? least : 0);
}
