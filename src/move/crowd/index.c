/* SPDX-License-Identifier: MIT */
/* The bodies of a step, sorted by cells with a counting sort.
 *
 * The plane is divided into square cells, and the cells are laid on a torus of buckets: cell (x, y) is in bucket (x mod wide,
 * y mod high). So a crowd may be anywhere and of any extent, and cells that are neighbours in a row are neighbours in memory.
 *
 *     cells of a row   ... 5 6 7 | 8 9 10 11 12 13 14 15 | 16 17 ...      wide = 8: cells 7 to 9 are the buckets 7, 0, 1: two
 *     buckets          ... 5 6 7 | 0 1  2  3  4  5  6  7 |  0  1 ...      ranges of bodies
 *
 * Bodies of different sizes are in different levels, each with its own size of cells and its own torus: one giant does not make
 * the cells of a thousand dwarfs too large. A level holds the bodies whose size is within a factor of two. */
#include "move/crowd/step.h"

#include <stdlib.h>

WEND_NO_FUSING

/* The side of a cell in radii: the range of 10 radii is two cells. */
#define CELL_RADII 5.0
#define AHEAD 8      /* walkers from the one that is read to the one that is loaded into the cache */
#define TORUS_MIN 8u /* fewer buckets in a row would be visited twice */

double wend_index_cap(const wend_walker *walker) {
  const double push = wend_square(walker->push_x, walker->push_y);
  if (walker->paused) return 0;
  return wend_least((2 * walker->going + (push > 0 ? wend_sqrt(push) : 0)) * WEND_STEP_TIME,
                    WEND_PIECE * WEND_PIECES_MAX * walker->radius);
}

/* The size of a body: fast ones count as larger ones, because they can touch what is farther away. */
static double size_of(const wend_walker *walker) { return wend_most(walker->radius, wend_index_cap(walker)); }

static uint32_t level_of(double size) {
  uint32_t level = 0;
  double most = WEND_WALKER_MIN;
  while (most < size && level < WEND_CROWD_LEVELS - 1) most *= 2, level++;
  return level;
}

/* The numbers of buckets of a torus for `count` bodies. */
static void size_torus(wend_crowd_level *level) {
  level->wide = level->high = TORUS_MIN;
  while ((uint64_t)level->wide * level->high < level->count) {
    if (level->wide <= level->high) level->wide *= 2;
    else level->high *= 2;
  }
}

bool wend_index_sort(struct wend_crowd *crowd) {
  uint32_t total = 0, body = 0;
  double last_size = -1;
  uint32_t last_level = 0;
  for (uint32_t i = 0; i < WEND_CROWD_LEVELS; i++) {
    crowd->levels[i].count = 0;
    crowd->levels[i].radius = crowd->levels[i].reach = crowd->levels[i].cell = 0;
  }
  /* 1. How many bodies each level has. `order` keeps the level of each walker for now, and `spots` its position, so that the
   * walkers, which are large, are read once. */
  for (uint32_t p = 0; p < crowd->count; p++) {
    const wend_walker *w = &crowd->walkers[p];
    const double size = size_of(w), reach = w->radius + wend_index_cap(w);
    wend_crowd_level *level;
    WEND_PREFETCH(w + AHEAD);
    crowd->spots[p].x = w->x, crowd->spots[p].y = w->y;
    if (size != last_size) last_size = size, last_level = level_of(size);
    level = &crowd->levels[last_level];
    level->count++;
    level->radius = wend_most(level->radius, w->radius);
    level->reach = wend_most(level->reach, reach);
    level->cell = wend_most(level->cell, CELL_RADII * size);
    crowd->order[p] = last_level;
  }
  for (uint32_t i = 0; i < WEND_CROWD_LEVELS; i++) {
    wend_crowd_level *level = &crowd->levels[i];
    if (level->count == 0) continue;
    if (body == 0) crowd->level_begin = i;
    crowd->level_end = i + 1;
    size_torus(level);
    level->starts = total, level->first = body;
    total += level->wide * level->high + 1, body += level->count;
  }
  if (!WEND_GROW(&crowd->alloc, crowd->starts, crowd->starts_capacity, total)) return false;
  /* 2. How many bodies each bucket has; 3. where each bucket begins; 4. the bodies in their order. */
  for (uint32_t i = 0; i < total; i++) crowd->starts[i] = 0;
  for (uint32_t p = 0; p < crowd->count; p++) {
    const wend_body_spot *spot = &crowd->spots[p];
    const wend_crowd_level *level = &crowd->levels[crowd->order[p]];
    const uint32_t x = (uint32_t)(uint64_t)wend_index_cell(spot->x, level->cell) & (level->wide - 1);
    const uint32_t y = (uint32_t)(uint64_t)wend_index_cell(spot->y, level->cell) & (level->high - 1);
    crowd->cells[p] = level->starts + y * level->wide + x;
    crowd->starts[crowd->cells[p] + 1]++;
  }
  for (uint32_t i = crowd->level_begin; i < crowd->level_end; i++) {
    const wend_crowd_level *level = &crowd->levels[i];
    uint32_t sum = level->first;
    if (level->count == 0) continue;
    crowd->starts[level->starts] = sum;
    for (uint32_t b = 1; b <= level->wide * level->high; b++) {
      const uint32_t here = crowd->starts[level->starts + b];
      crowd->starts[level->starts + b] = sum;
      sum += here;
    }
  }
  for (uint32_t p = 0; p < crowd->count; p++) crowd->order[crowd->starts[crowd->cells[p] + 1]++] = p;
  return true;
}

void wend_index_pack(struct wend_crowd *crowd) {
  /* Each cycle of the permutation is walked once. `cells` marks what is done. */
  for (uint32_t p = 0; p < crowd->count; p++) crowd->cells[p] = 0;
  for (uint32_t first = 0; first < crowd->count; first++) {
    uint32_t at = first;
    wend_walker walker;
    wend_solids solids;
    if (crowd->cells[first] != 0 || crowd->order[first] == first) continue;
    walker = crowd->walkers[first], solids = crowd->solids[first];
    for (;;) {
      const uint32_t from = crowd->order[at];
      crowd->cells[at] = 1;
      if (from == first) break;
      crowd->walkers[at] = crowd->walkers[from], crowd->solids[at] = crowd->solids[from];
      at = from;
    }
    crowd->walkers[at] = walker, crowd->solids[at] = solids;
  }
  for (uint32_t p = 0; p < crowd->count; p++) {
    crowd->slots.value[crowd->walkers[p].slot] = p;
    crowd->order[p] = p;
  }
}

/* ---- Walkers near a point ------------------------------------------------------------------------------------ */

/* For qsort. No two items have the same number, so the order does not depend on the C library. */
static int compare_items(const void *p, const void *q) {
  const wend_crowd_item *a = p, *b = q;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

void wend_index_sort_items(wend_crowd_item *items, uint32_t count) {
  if (count > 1) qsort(items, count, sizeof *items, compare_items);
}

/* What a query finds is in crowd->found: slots, with the squares of their distances. */
typedef struct near_query {
  struct wend_crowd *crowd;
  double x, y, radius;
  bool nearest; /* the nearest ones come first; false: in the order of slots */
  uint32_t count;
} near_query;

static void collect_near(near_query *q, uint32_t from, uint32_t to) {
  const struct wend_crowd *crowd = q->crowd;
  for (uint32_t i = from; i < to; i++) {
    const wend_body_spot *spot = &crowd->spots[crowd->order[i]];
    const double square = wend_square(spot->x - q->x, spot->y - q->y);
    if (!(square <= q->radius * q->radius)) continue;
    crowd->found[q->count].key = q->nearest ? square : 0;
    crowd->found[q->count++].number = crowd->walkers[crowd->order[i]].slot;
  }
}

static void collect_in_level(near_query *q, const wend_crowd_level *level) {
  const double cell = level->cell;
  int64_t left, right, top, bottom;
  if (!(2 * q->radius < cell * (level->high - 2))) { /* all rows */
    collect_near(q, level->first, level->first + level->count);
    return;
  }
  left = wend_index_cell(q->x - q->radius, cell), right = wend_index_cell(q->x + q->radius, cell);
  top = wend_index_cell(q->y - q->radius, cell), bottom = wend_index_cell(q->y + q->radius, cell);
  for (int64_t row = top; row <= bottom; row++) {
    wend_index_row ranges;
    wend_index_ranges(q->crowd, level, left, right, row, &ranges);
    for (int part = 0; part < ranges.count; part++) collect_near(q, ranges.from[part], ranges.to[part]);
  }
}

wend_status wend_crowd_near(wend_crowd *crowd, double x, double y, double radius, bool nearest, wend_id *ids, uint32_t capacity,
                            uint32_t *count) {
  near_query q = {crowd, x, y, radius, nearest, 0};
  *count = 0;
  if (!(radius >= 0) || !wend_is_crowd_coordinate(x) || !wend_is_crowd_coordinate(y)) return WEND_OK;
  if (!crowd->indexed && !wend_index_sort(crowd)) return WEND_NO_MEMORY;
  crowd->indexed = true;
  for (uint32_t i = crowd->level_begin; i < crowd->level_end; i++) {
    if (crowd->levels[i].count > 0) collect_in_level(&q, &crowd->levels[i]);
  }
  if (capacity > 0) wend_index_sort_items(crowd->found, q.count);
  for (uint32_t i = 0; i < capacity && i < q.count; i++) ids[i] = wend_slots_id(&crowd->slots, crowd->found[i].number);
  *count = q.count;
  return WEND_OK;
}
