/* SPDX-License-Identifier: MIT */
/* Floods: searches without a goal, which continue until the queue is empty. For fields, routes and route tables. */
#ifndef WEND_FLOOD_H
#define WEND_FLOOD_H

#include <math.h>

#include "core/map/neighbours.h"
#include "core/pathfinder/pathfinder.h"

/* Floods from all roots with the kernel. The result is in the marks. opts: the costs and the limits. back: against
 * the direction of travel. region: a part of a grid; NULL: the whole map. A root that a cheaper root reaches at its own cost or
 * less is no longer a start: it gets a parent. OK, NO_MEMORY, ABORTED, BUDGET. */
wend_status wend_flood(wend_search *s, wend_map *map, const wend_region *region, bool back, const wend_root *roots,
                       uint32_t root_count, const wend_search_opts *opts);

/* The same in slices: wend_pathfinder_begin_flood begins it; this runs it until `limit` places are expanded in all slices
 * together. Also RUNNING: the limit is reached. */
wend_status wend_flood_run(wend_search *s, uint64_t limit);

/* A flag of `ways` during the flood: the cell is in the queue. */
#define WAY_OPEN 0x80u

/* The result of wend_flood_cells_run, by place of the region. */
typedef struct wend_flooded {
  double *values;  /* the cost; INFINITY: not reached; -INFINITY: outside the region */
  uint8_t *ways;   /* the direction to the parent, or NO_WAY */
  uint8_t *closed; /* a bit for each place: it has a value, and cannot be entered. The caller clears the bits before. */
} wend_flooded;

/* The state of a flood over cells. The members up to stride are those of the result, the region and the agent view. The view
 * is borrowed for one slice. */
typedef struct wend_flooding {
  wend_search *s;
  double *values;
  uint8_t *ways, *closed;
  const uint16_t *kinds; /* NULL: `own` has the costs */
  const wend_cell_cost *costs;
  const uint8_t *states, *around, *bars;
  ptrdiff_t stride;
  double slack, most; /* slack: with `rooted`, see WEND_SLACK; cells that cost more than `most` are not reached */
  wend_ring ring;
  uint64_t pause, expanded, pushed, steps; /* pause: the slice ends after as many expansions of all slices together */
  uint64_t limit;                          /* the flood stops after as many */
  uint32_t cleared, count, lost;           /* the first places, whose values are cleared; of all; on plateaus */
  bool back, rooted;
  bool unsuited;                /* buckets do not suit these costs */
  bool level;                   /* some step adds nothing to a value, or less than the slack of one, perhaps */
  double cheapest;              /* the least cost of a straight step that is not 0 */
  uint8_t *chosen;              /* 1 for each portal that is the way of a place on a plateau, in the order of the grid */
  uint32_t beside[8];           /* how far the neighbour in a direction lies from a place */
  wend_own_prices own;          /* without a palette */
  const wend_stepper *layers;   /* adds what layers do; borrowed for one slice. NULL: there are none */
  wend_stepper *stepper;        /* for mend.c, borrowed: it is a graph, or there are walls or portals. NULL: there are none */
  uint32_t *next, *generations; /* of a graph, as in wend_field. All is by slot then, and the ways are PORTAL_WAY */
  wend_id *edges;
} wend_flooding;

/* The same for cells where weights, tags and layers alone decide the costs (wend_grid_is_plain). It has its own loop, which is faster
 * than the kernel, because it stores only a value and a direction for each cell. rooted: the values of the roots are in
 * result->values already; otherwise wend_flood_cells_start sets them. The search, the region and the result are borrowed until the
 * end. OK, NO_MEMORY. */
wend_status wend_flood_cells_begin(wend_flooding *f, wend_search *s, const wend_grid *grid, const wend_region *region,
                                   bool back, bool rooted, const wend_search_opts *opts, const wend_flooded *result);
/* Clears values. *left: the work that may be done, in expansions; subtracts what was done. False: not all are cleared. */
bool wend_flood_cells_clear(wend_flooding *f, uint64_t *left);
/* Then enters the roots. NO_MEMORY. */
wend_status wend_flood_cells_start(wend_flooding *f, const wend_grid *grid, const wend_region *region, const wend_root *roots,
                                   uint32_t root_count, const wend_search_opts *opts);
/* Lowers the value of a cell after the beginning: the step from it in a direction leads to a root that is closed. */
void wend_flood_cells_enter(wend_flooding *f, uint32_t from, int direction, double value);
/* Runs it until `limit` cells are expanded in all slices together. OK, BUDGET, NO_MEMORY. RUNNING: the limit is reached; or
 * f->unsuited is set: it cannot go on, use wend_flood. */
wend_status wend_flood_cells_run(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, uint64_t limit);

/* ---- For mend.c ------------------------------------------------------------------------------------------------ */

/* Fills in what the loop reads of the agent's costs. They are borrowed for one slice; f->costs is NULL between slices. False:
 * no memory. */
bool wend_flood_borrow(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, wend_cost_summary *summary);

/* Sets the values of the margin to -INFINITY, which no step improves. */
void wend_flood_close_margin(const wend_region *region, double *values);

/* What a step onto a place costs without a palette, or with layers. Not inlined: it stands in each step of the loop. */
wend_cell_cost wend_flood_own_price(const wend_flooding *f, uint32_t place);
/* While they are borrowed: what a step onto a place costs. */
static inline wend_cell_cost wend_flood_price(const wend_flooding *f, uint32_t place) {
  return f->kinds == NULL || f->layers != NULL ? wend_flood_own_price(f, place) : f->costs[f->kinds[place]];
}
/* Whether a step may enter a place. */
static inline bool wend_flood_enters(const wend_flooding *f, uint32_t place) {
  return (f->kinds == NULL ? wend_flood_own_price(f, place) : f->costs[f->kinds[place]]).straight < INFINITY;
}
/* The directions of steps that no corner forbids, a bit for each. */
static inline unsigned wend_flood_allowed(const wend_flooding *f, uint32_t place) {
  const uint32_t stride = (uint32_t)f->stride;
  const unsigned north = !wend_flood_enters(f, place - stride), west = !wend_flood_enters(f, place - 1);
  const unsigned east = !wend_flood_enters(f, place + 1), south = !wend_flood_enters(f, place + stride);
  return (f->around[north | west << 1 | east << 2 | south << 3] | STRAIGHT_STEPS) & ~(f->bars != NULL ? f->bars[place] : 0u);
}
/* The straight way of a place, by the values of its neighbours in the directions that are allowed. NO_WAY: none costs about what its
 * value is. */
unsigned wend_flood_straight_way(const wend_flooding *f, uint32_t place, unsigned allowed);

/* The values are made, by the kernel if f->stepper is set: finds the ways that are not what flood.c describes, from place number *at
 * on, except on plateaus, and whether f->level. *left: the work that may be done, in expansions; subtracts what was done. OK, RUNNING,
 * NO_MEMORY. */
wend_status wend_flood_settle(wend_flooding *f, const wend_grid *grid, const wend_region *region, const wend_search_opts *opts,
                              uint32_t *at, uint64_t *left);

/* After that, or when the kernel has made values of nodes (grid is NULL) and f->next: finds the ways on plateaus, where a step that
 * adds nothing gives a place its value: to the fewest such steps, then as everywhere. f->stepper and f->chosen are set. slot: of scratch
 * memory. OK, NO_MEMORY. NO_PATH: some have none, and keep their ways. */
wend_status wend_flood_settle_plateaus(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, unsigned slot);

/* A repair gives up when the values of more than one place of so many change, or after one look at a place for so many, and
 * MENDED_WORK_MIN more; on a graph after one for MENDED_NODES, and MENDED_NODES_MIN more. A place that loses its value takes four looks,
 * another one that gets a lower value two. So to give up wastes about a fourth of the instructions of a new flood on maps of 300 x 300
 * cells, a third on those of 100 x 100, and a seventh on graphs of 10,000 nodes. */
#define MENDED_SHARE 8u
#define MENDED_WORK 8u
#define MENDED_WORK_MIN 128u
#define MENDED_NODES 10u
#define MENDED_NODES_MIN 32u

/* Repairs a result after changes of the grid, or of the base of an eroded grid, and of layers, so that it has the same bits as a new
 * one. f: begun, with the result, on a whole grid with the roots at 0, and f->stepper and f->layers set. grid: NULL: of a graph. slot:
 * of scratch memory. changes: those of the map, then of each layer. *changed: how many values have changed. OK. RUNNING: the flood must
 * be made anew; after that and NO_MEMORY the result is as it was. */
wend_status wend_flood_cells_mend(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, unsigned slot,
                                  const wend_changes *changes, uint32_t change_count, uint32_t *changed);

#endif
