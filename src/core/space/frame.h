/* SPDX-License-Identifier: MIT */
/* Frames where there may be none, and how far it is to the border of a hex. wend.h has the public functions. */
#ifndef WEND_FRAME_H
#define WEND_FRAME_H

#include "wend.h"

/* A frame; NULL: that of cells as units. */
wend_frame wend_frame_or_cells(const wend_frame *frame);
/* How far a point goes until it leaves its hex. cells: the point, step: what it moves per unit of way, both in units of cells. A
 * border nearer than `near`, in cells, counts as passed. INFINITY: it does not move. */
double wend_frame_hex_border(const wend_frame *frame, const double *cells, const double *step, double near);

#endif
