/* SPDX-License-Identifier: MIT */
/* How the cells of a grid lie in the world. */
#include "core/base/floats.h"

#include "wend.h"

WEND_NO_FUSING

void wend_frame_in_cells(const wend_frame *frame, const double *vector, double *cells) {
  const double most = 1e200; /* sums of two are finite */
  double u = vector[0] / frame->wide, v = vector[1] / frame->high;
  if (frame->isometric) {
    u = u > most ? most : u < -most ? -most : u;
    v = v > most ? most : v < -most ? -most : v;
    cells[0] = v + u, cells[1] = v - u;
  } else {
    cells[0] = u, cells[1] = v;
  }
}
