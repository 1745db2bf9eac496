/* SPDX-License-Identifier: MIT */
/* Walls and closed cells, as segments near a walker. */
#ifndef WEND_CROWD_SOLID_H
#define WEND_CROWD_SOLID_H

#include "move/crowd/data.h"

/* What follows is about what is solid for walkers with a closed set: set is its number, see closed.c. */

/* Brings the index of the walls and the blocks of cells up to date with the grid. False: no memory. */
bool wend_solid_ready(struct wend_crowd *crowd);
/* Makes room for the blocks of a closed set of the grid: nothing is known of them. False: no memory. */
bool wend_solid_add_blocks(struct wend_crowd *crowd, wend_closed_set *set);
/* Whether there is anything solid at all. */
bool wend_solid_any(const struct wend_crowd *crowd);
/* The segments near a walker: at least all within `radius` of (x, y), but at most WEND_SOLIDS_NEAR. Looks them up only if what
 * the walker remembers is not enough. */
const wend_solids *wend_solid_near(struct wend_crowd *crowd, uint32_t place, double x, double y, double radius);
/* The square of the distance from a point to the nearest of these segments; INFINITY: there are none. */
double wend_solid_square(const wend_solids *solids, double x, double y);
/* Pushes a point away from each of these segments that is nearer than `least`, to the distance `radius`. Returns whether there
 * was one. */
bool wend_solid_push(const wend_solids *solids, double radius, double least, double *x, double *y);
/* Moves a point by at most `radius`, so that a disc there touches nothing solid. False: it touches nothing, or there is no such
 * place so near. */
bool wend_solid_make_room(const struct wend_crowd *crowd, uint32_t set, double radius, double *x, double *y);
/* Moves a goal to the nearest place where a disc fits: by at most `radius`; else, for a disc no wider than a cell, to the middle of its
 * cell. Leaves it where it is if there is no such place. */
void wend_solid_fit_goal(const struct wend_crowd *crowd, uint32_t set, double radius, double *x, double *y);
/* Whether a walker is between two walls where no second one like it fits beside it. */
bool wend_solid_narrow(struct wend_crowd *crowd, uint32_t place, double x, double y, double radius);
/* Whether a disc can move from one point to another without touching anything solid, and its centre without crossing a directed wall
 * against it. */
bool wend_solid_clear(const struct wend_crowd *crowd, uint32_t set, double x1, double y1, double x2, double y2, double radius);
/* Whether a wall that is not one of the grid is nearer to a point than `radius`. */
bool wend_solid_walled(const struct wend_crowd *crowd, double x, double y, double radius);
/* Whether a point lies in a closed cell or on a side of one, or outside the grid. */
bool wend_solid_inside(const struct wend_crowd *crowd, uint32_t set, double x, double y);
/* The nearest open cell's nearest point to a point in a closed cell, `margin` inside that cell. False: there is none near. */
bool wend_solid_exit(const struct wend_crowd *crowd, uint32_t set, double x, double y, double margin, double *exit_x,
                     double *exit_y);

/* Twice the signed area of a triangle: which side of a line a point is on. */
WEND_INLINE double wend_area_of(double ax, double ay, double bx, double by, double cx, double cy) {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/* The nearest point of a segment to (x, y), as the vector from it to (x, y); returns the square of the distance. */
WEND_INLINE double wend_solid_from(const wend_segment *s, double x, double y, double *dx, double *dy) {
  const double ex = s->x2 - s->x1, ey = s->y2 - s->y1, px = x - s->x1, py = y - s->y1;
  const double along = px * ex + py * ey, whole = ex * ex + ey * ey;
  const double t = along <= 0 || whole <= 0 ? 0 : along >= whole ? 1 : along / whole;
  *dx = px - t * ex, *dy = py - t * ey;
  return *dx * *dx + *dy * *dy;
}

#endif
