/* SPDX-License-Identifier: MIT */
/* How far it is to the border of a cell, for followers. wend.h has the public functions. */
#ifndef WEND_FRAME_H
#define WEND_FRAME_H

#include "wend.h"

/* How far a point goes until it leaves its hex. cells: the point, step: what it moves per unit of way, both in units of cells. A
 * border nearer than `near`, in cells, counts as passed. INFINITY: it does not move. */
double wend_frame_hex_border(const wend_frame *frame, const double *cells, const double *step, double near);

#endif
