/* SPDX-License-Identifier: MIT */
/* The costs of straight lines over a grid, for the files of this folder. wend.h describes the lines. */
#ifndef WEND_LINE_H
#define WEND_LINE_H

#include "core/cost/step.h"

/* How far straight legs look ahead, from each corner: so many corners that they have found before, and so many cells on lines
 * between corners that are not known to be blocked. A success begins anew. So the time is linear in the corners, and only a route with
 * more of them, or over ground of many weights, may keep one that could go. */
#define WEND_LOOK_POINTS 64u
#define WEND_LOOK_CELLS 64

/* The length of a line so many cells wide and high, both >= 0. */
double wend_line_length(const wend_grid *grid, double width, double height);
/* False: the line from one cell to another comes to a cell that is closed for the agent. Faster than the cost of the line. */
bool wend_line_may_be_free(const wend_stepper *stepper, wend_id from, wend_id to);
/* The cost of the line from one cell to another. INFINITY: it is blocked, or costs more than `most`. least: no step costs less for
 * its length, so that a line that costs too much is left early; 0: unknown. */
double wend_line_cost(wend_stepper *stepper, wend_id from, wend_id to, double least, double most);
/* The same from one point to another, x and y in cells; also INFINITY: a point lies outside the grid. A line inside one cell
 * costs 0: it enters no cell. */
double wend_line_cost_between(wend_stepper *stepper, const double *a, const double *b, double most);

/* Whether walls and cells that are closed for all agents leave a step of a line free, by the corner rule of lines. */
bool wend_grid_is_free(const wend_grid *grid, wend_id from, int direction);

/* ---- What path.c and watch.c need to know of paths that were found ---- */

/* Receives a step of a path from one cell to another, on the way to cell number `item` of the path. direction: -1: they are not
 * neighbours, and a portal leads there. False: the walk ends. */
typedef bool (*wend_path_step_fn)(void *ud, wend_id from, wend_id to, int direction, uint32_t item);
/* Walks over the steps of a path, those of its straight legs included. straight: see wend_path_age. False: `receive` was. */
bool wend_walk_path(const wend_grid *grid, const wend_id *cells, uint32_t count, wend_legs legs, wend_path_step_fn receive,
                    void *ud);
/* Receives a cell that a step needs. beside: for the corners of a diagonal. False: no more are wanted. */
typedef bool (*wend_step_cell_fn)(void *ud, wend_id cell, bool beside);
/* Calls a function for the cells that a step needs: all that a body covers after it, and would cover after each of the two straight
 * steps beside a diagonal. direction: as above. False: `call` was. */
bool wend_each_cell_of_step(const wend_grid *grid, uint32_t body, wend_id from, wend_id to, int direction,
                            wend_step_cell_fn call, void *ud);
/* Whether walls block a path. all: so do closed cells, but for the goal. Portals lead through walls. */
bool wend_is_path_blocked(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age, bool all);
/* Whether a cell that the path enters, a cell beside a diagonal of it, or a portal that it may use has changed since age->seen. The
 * goal may have been closed or opened. */
bool wend_is_path_changed(const wend_grid *grid, const wend_id *cells, uint32_t count, const wend_path_age *age);

#endif
