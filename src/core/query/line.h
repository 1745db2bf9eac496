/* SPDX-License-Identifier: MIT */
/* The costs of straight lines over a grid, for the files of this folder. wend.h describes the lines. */
#ifndef WEND_LINE_H
#define WEND_LINE_H

#include "core/map/step.h"

/* The cost of the line from one cell to another. INFINITY: it is blocked, or costs more than `most`. */
double wend_line_cost(wend_stepper *stepper, wend_id from, wend_id to, double most);
/* The same from one point to another, x and y in cells; also INFINITY: a point lies outside the grid. A line inside one cell
 * costs 0: it enters no cell. */
double wend_line_cost_between(wend_stepper *stepper, const double *a, const double *b, double most);

#endif
