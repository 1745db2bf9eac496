/* SPDX-License-Identifier: MIT */
/* Planes: the tables of a prepared grid. For each landmark they hold a number for each cell, but only about: for a block of cells
 * a plane, and how far it is from the numbers of its cells at most. prepared/plane_fit.c makes them.
 *
 * Let d(v) be the number of a cell v for a landmark, in units, and p(v) the price of a straight step onto v. A step from u to v
 * that costs c is allowed if
 *
 *     |d(u) - d(v)| x unit  <=  c + (p(u) - p(v)) / 2
 *
 * The right side is the same in both directions: of a straight step (p(u) + p(v)) / 2. So one search from a landmark makes
 * numbers that bound the costs of both directions. If all steps of a path from v to t are allowed, the halves cancel along the
 * path, and its cost is at least
 *
 *     |d(v) - d(t)| x unit + (p(t) - p(v)) / 2
 *
 * For example, prices 1 and 3, and the unit is 1: from a cell of price 1 to a neighbour of price 3, d differs by 2. The bound is
 * 2 + (3 - 1) / 2 = 3, the cost of the step. Back it is 2 + (1 - 3) / 2 = 1.
 *
 * A block is a square of 4 x 4 cells, or 8 x 8 on large grids. Each group of cells of a block that are connected inside of it has
 * a plane for each landmark:
 *
 *     d(v) is at most  error  away from  base + east x (column in the block) + south x (row in the block)
 *
 *        # . . .        This block has two groups, one on each side of the wall. So it is split: `parts` has the group of each
 *        . # . .        cell. A block with one group needs no parts. Its closed cells count as cells of the group: if one is
 *        . . # .        opened, it has a number already.
 *        . . . #
 *
 * Edits make steps that are not allowed: prepared/plane_edits.c keeps the slack, by which all bounds are lowered. */
#ifndef WEND_PLANES_H
#define WEND_PLANES_H

#include "core/base/keys.h"

/* Errors of planes that say nothing: no path leads from the cells to the landmark; or the numbers of the cells are too uneven. Less
 * than PLANE_UNEVEN: a plane says something. */
#define PLANE_UNREACHED 255u
#define PLANE_UNEVEN 254u
/* Items of `blocks`: the block has no group, because all its cells are closed; or it is split. */
#define GROUP_NONE UINT32_MAX
#define BLOCK_SPLIT 0x80000000u
/* In the parts of a split block: a closed cell. */
#define PART_NONE 255u
/* The numbers of cells are less than this; so are the numbers that planes give. */
#define PLANE_NUMBER_MAX 0x40000000u

typedef struct wend_plane {
  uint8_t low, high;  /* base, in units of base_units[landmark] */
  int8_t east, south; /* in units of `slope_unit` */
  uint8_t error;      /* the root of the error in units of `error_unit`; or one of the above */
} wend_plane;

/* A link, and how much the numbers of its ends differ at most. */
typedef struct wend_link_bound {
  uint32_t from, to; /* places */
  uint32_t units;
} wend_link_bound;

/* A cell that was edited since the planes were made, as it was then: prepared/plane_edits.c. */
typedef struct wend_edited_cell {
  uint32_t place;
  bool closed;       /* its weight was infinite */
  bool walls;        /* a wall beside it was removed since */
  double half, rest; /* half of the price of a straight step onto it; that of a diagonal one less half. INFINITY: closed */
  uint64_t saved;    /* its share of the slack, in units */
} wend_edited_cell;

typedef struct wend_planes {
  uint32_t shift, columns; /* the side of a block is 1 << shift; blocks in a row */
  uint32_t landmarks;
  uint32_t base_units[WEND_LANDMARKS_MAX], slope_unit, error_unit; /* what numbers of a plane count, in units */
  uint32_t usable;                                                 /* a bit for each landmark: it was not lost by edits */
  uint32_t *blocks; /* by block: its group, BLOCK_SPLIT + the number of its split, or GROUP_NONE */
  uint32_t block_count, blocks_capacity;
  wend_plane *at; /* by group: `landmarks` planes */
  uint32_t at_capacity, group_count;
  uint32_t *firsts; /* by split: its first group */
  uint8_t *parts;   /* by split: for each cell of the block, its group less the first one, or PART_NONE */
  uint32_t firsts_capacity, parts_capacity, split_count;
  wend_link_bound *links; /* the links that were there when the planes were made; sorted by from, then to */
  uint32_t links_capacity, link_count;
  wend_keys edited_places;
  wend_edited_cell *edited; /* by number of the place */
  uint32_t edited_capacity;
  /* The slack, in units: of edited cells, of edits that are not kept there, and of links. */
  uint64_t saved, lost, by_links;
  uint32_t *users; /* of the arrays before `edited_places`, which copies of a map share: see memory.h */
} wend_planes;

/* A copy that shares the arrays of planes. NULL: no memory. */
wend_planes *wend_planes_copy(wend_planes *planes, const wend_alloc *alloc);
/* Gives planes arrays of their own, before they are written. False: no memory. */
bool wend_planes_own(wend_planes *planes, const wend_alloc *alloc);

/* Frees all. NULL is allowed. */
void wend_planes_free(wend_planes *planes, const wend_alloc *alloc);
/* The memory, in bytes. NULL: 0. */
size_t wend_planes_bytes(const wend_planes *planes);
/* Whether all numbers are such that no function reads or computes beyond its limits. For planes of a file.  */
bool wend_planes_sound(const wend_planes *planes);

/* The item of `parts` of a cell of a split block. x, y: from 0. */
static inline uint8_t *wend_planes_part(const wend_planes *planes, uint32_t split, uint32_t x, uint32_t y) {
  const uint32_t shift = planes->shift, mask = (1u << shift) - 1;
  return &planes->parts[(size_t)split << 2 * shift | (y & mask) << shift | (x & mask)];
}

/* The block and the group of a cell. GROUP_NONE: none. x, y: from 0. */
static inline uint32_t wend_planes_block(const wend_planes *planes, uint32_t x, uint32_t y) {
  return (y >> planes->shift) * planes->columns + (x >> planes->shift);
}
static inline uint32_t wend_planes_group(const wend_planes *planes, uint32_t x, uint32_t y) {
  const uint32_t group = planes->blocks[wend_planes_block(planes, x, y)];
  uint32_t part;
  if ((group & BLOCK_SPLIT) == 0 || group == GROUP_NONE) return group;
  part = *wend_planes_part(planes, group & ~BLOCK_SPLIT, x, y);
  return part == PART_NONE ? GROUP_NONE : planes->firsts[group & ~BLOCK_SPLIT] + part;
}

/* What a plane says of a cell of its block, in units, plus a constant that is the same for all planes of a landmark. */
static inline int64_t wend_plane_at(const wend_planes *planes, const wend_plane *plane, uint32_t landmark, uint32_t x,
                                    uint32_t y) {
  const uint32_t mask = (1u << planes->shift) - 1;
  const int64_t base = (int64_t)(plane->low | plane->high << 8) * planes->base_units[landmark];
  return base + (int64_t)planes->slope_unit * (plane->east * (int)(x & mask) + plane->south * (int)(y & mask));
}

/* How far the numbers of cells are from a plane at most, in units. */
static inline int64_t wend_plane_error(const wend_planes *planes, const wend_plane *plane) {
  return (int64_t)planes->error_unit * (plane->error * plane->error);
}

/* The slack, in units. One unit is for what rounding may do. */
static inline uint64_t wend_planes_slack(const wend_planes *planes) {
  const uint64_t slack = 1 + planes->saved + planes->lost + planes->by_links;
  return slack < PLANE_NUMBER_MAX ? slack : PLANE_NUMBER_MAX;
}

#endif
