/* SPDX-License-Identifier: MIT */
/* Floods: searches of a whole grid in whole numbers, which give the numbers of a landmark (base/planes.h). Label-correcting, with
 * buckets of a few units: E. Denardo and B. Fox, "Shortest-route methods: 1. Reaching, pruning, and buckets", 1979.
 *
 * The unit is a 58th of the price of the cheapest cell. The cost of a step, the same in both directions:
 *
 *     straight    half(u) + half(v)                                     half: half of the price of a straight step onto a cell
 *     diagonal    the lesser of  half(u) + rest(v), half(v) + rest(u)   rest: the price of a diagonal step less half
 *     link        its price + half(u) - half(v), at least 0
 *
 * all rounded down. 58 divides well: where the cell costs 1, half is 29, and rest is 53.02, rounded to 53. Dearer cells count at
 * most FLOOD_PART_MAX, which makes the numbers lower than they could be, but not wrong. */
#ifndef WEND_GRID_FLOOD_H
#define WEND_GRID_FLOOD_H

#include "core/prepared/prepared.h"

#define FLOOD_UNITS 58
#define FLOOD_PART_MAX 32767u
/* A cell that cannot be entered. */
#define FLOOD_CLOSED UINT16_MAX
/* A cell that no path reaches. */
#define FLOOD_NONE UINT32_MAX

typedef struct wend_grid_flood_chunk {
  uint32_t below; /* the chunk below it in its bucket, or the next free one; WEND_NONE: there is none */
  uint32_t count;
  uint32_t places[62];
} wend_grid_flood_chunk;

/* What a flood needs of a kind of cells. */
typedef struct wend_grid_flood_kind {
  uint16_t half, rest; /* half: FLOOD_CLOSED: it cannot be entered */
  bool is_wall;        /* for every agent: it closes corners */
} wend_grid_flood_kind;

typedef struct wend_grid_flood {
  wend_alloc alloc;
  const wend_grid *grid;
  const wend_prepared *prices; /* its tags have the costs; nothing else of it is used */
  wend_stepper weights;
  uint32_t offsets[8]; /* by direction: from a place to its neighbour */
  double per_unit;     /* 1 / unit */
  uint32_t *labels;    /* by place: twice its cost; plus 1 if it is expanded. FLOOD_NONE: not reached */
  uint32_t labels_capacity;
  wend_grid_flood_kind *kinds; /* of a grid with a palette and without walls, by kind */
  uint32_t kinds_capacity;
  uint32_t *ring; /* by bucket: the chunk on top; WEND_NONE: empty */
  uint32_t ring_capacity;
  wend_grid_flood_chunk *chunks;
  uint32_t chunks_capacity, chunk_count, free_chunk;
  uint32_t most_added;    /* chunks that the expansion of a cell can add */
  uint32_t root, cleared; /* the labels before this place are cleared. All are: the root is reached */
  uint32_t at;            /* the bucket that the flood is at */
  uint64_t waiting;       /* entries in buckets */
  uint32_t reached;       /* expanded places, about */
  uint32_t farthest;      /* the one expanded last */
} wend_grid_flood;

/* Makes room for floods of a grid. False: no memory. */
bool wend_grid_flood_init(wend_grid_flood *s, const wend_grid *grid, const wend_prepared *prices, const wend_alloc *alloc);
void wend_grid_flood_free(wend_grid_flood *s);
/* Begins a flood from a cell. */
void wend_grid_flood_begin(wend_grid_flood *s, uint32_t root);
/* Makes room for so many more chunks than the next cell needs. False: no memory. */
bool wend_grid_flood_reserve(wend_grid_flood *s, uint32_t chunks);
/* Continues for about *places cells, and lowers *places by the number expanded. Stops before that where there is no room for
 * chunks: wend_grid_flood_reserve makes it. Allocates nothing. True: the flood is done. */
bool wend_grid_flood_run(wend_grid_flood *s, uint64_t *places);
/* The cost of a place in units, after the flood. FLOOD_NONE: not reached. */
static inline uint32_t wend_grid_flood_count(const wend_grid_flood *s, uint32_t place) {
  return s->labels[place] == FLOOD_NONE ? FLOOD_NONE : s->labels[place] >> 1;
}
/* The cost of a link in units. */
uint32_t wend_grid_flood_link(const wend_grid_flood *s, const wend_portal *link);

#endif
