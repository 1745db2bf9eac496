/* SPDX-License-Identifier: MIT */
/* Repairs the values of a flood over cells after edits: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of
 * the shortest-path problem" (1996).
 *
 *   1  near the edits, each cell whose value no step supports any more is lost; so are the cells that only      lose_cells
 *      lost ones supported. A step supports a value if it leads to a lower one, and costs no more than it
 *   2  lost cells, and cells near the edits, get the least sum over their neighbours that are not lost          renew_cells
 *   3  Dijkstra's algorithm lowers values from there                                                            spread_mended
 *   4  the ways of cells whose value has changed, and of their neighbours, are found again                      settle_all
 *
 * An example: a row of cells of weight 1, the root is a, and c closes.
 *
 *        cell           a  b  c  d  e         The step from d onto c costs INFINITY now, so d is lost, and so is e. c is not: a
 *        value before   0  1  2  3  4         path may start there. No cell beside d has a value, so d and e are not reached.
 *        value after    0  1  2  -  -
 *
 * Support is a step to a lower value, so no cells support each other in a circle, and they may be looked at in any order: a cell is
 * looked at again whenever a cell that supported it is lost. All sums are those of flood.c, so the bits are those of a new flood. */
#include "core/pathfinder/flood.h"

#include <math.h>

#include "core/map/neighbours.h"

WEND_NO_FUSING

/* Flags of `ways` during a repair, beside WAY_OPEN. */
#define WAY_SEEN 0x10u   /* the cell is in the list of edited cells; later: its way was found again */
#define WAY_LOST 0x20u   /* its value is lost */
#define WAY_LISTED 0x40u /* its value has changed: it is in the list */
#define WAY_BITS 15u

/* A repair. The list has the edited cells, then those whose value has changed. */
typedef struct mending {
  wend_flooding *f;
  uint32_t *list, edited, count, most; /* most: so many may change */
  unsigned slot;                       /* of the scratch memory that the list is in */
  bool level;                          /* a step adds nothing to a value */
} mending;

/* Adds a cell to the list. False: there are too many, or there is no memory, which f->s->buckets.failed tells. */
static bool list_mended(mending *m, uint32_t place, unsigned flag) {
  if ((flag & WAY_LISTED) != 0 && m->count - m->edited >= m->most) return false;
  m->list = wend_search_scratch(m->f->s, m->slot, ((uint64_t)m->count + 1) * sizeof *m->list);
  if (m->list == NULL) return m->f->s->buckets.failed = true, false;
  m->f->ways[place] |= (uint8_t)flag;
  m->list[m->count++] = place;
  return true;
}

static uint32_t cell_beside(const wend_flooding *f, uint32_t place, int d) {
  return (uint32_t)(place + wend_offset((uint32_t)f->stride, d));
}

/* Whether a cell is a root: it keeps its value. */
static bool is_mended_root(const wend_flooding *f, uint32_t place) {
  return (f->ways[place] & (WAY_BITS | WAY_LISTED)) == NO_WAY && f->values[place] < INFINITY;
}

/* Whether a cell has a value, and is no root. */
static bool has_own_way(const wend_flooding *f, uint32_t place) {
  return f->values[place] > -INFINITY && f->values[place] < INFINITY && !is_mended_root(f, place);
}

/* The least sum over the neighbours of a cell that are not lost and have a lower value than `below`. *way: to the first of them that
 * has it. enough: a sum that is not greater is taken at once. INFINITY: there is none. */
static double best_sum(mending *m, uint32_t place, double below, double enough, unsigned *way) {
  const wend_flooding *f = m->f;
  const unsigned allowed = wend_flood_allowed(f, place);
  const wend_cell_cost own = wend_flood_price(f, place);
  double least = INFINITY;
  for (int d = 0; d < 8; d++) {
    const uint32_t to = cell_beside(f, place, d);
    const double value = f->values[to];
    double there;
    if ((allowed >> d & 1) == 0 || !(value > -INFINITY && value < below) || (f->ways[to] & WAY_LOST) != 0) continue;
    {
      const wend_cell_cost onto = f->back ? wend_flood_price(f, to) : own;
      there = value + (IS_DIAGONAL(d) ? onto.diagonal : onto.straight);
    }
    if (there == value) m->level = true;
    if (!(there < least)) continue;
    least = there;
    *way = (unsigned)d;
    if (least <= enough) break;
  }
  return least;
}

/* Part 1, for one cell: it is lost if nothing supports its value. False: too many are. */
static bool examine_cell(mending *m, uint32_t place) {
  const double value = m->f->values[place];
  unsigned way;
  if (!has_own_way(m->f, place) || (m->f->ways[place] & WAY_LOST) != 0 || best_sum(m, place, value, value, &way) <= value)
    return true;
  return list_mended(m, place, WAY_LISTED | WAY_LOST);
}

/* Part 1. */
static bool lose_cells(mending *m) {
  const wend_flooding *f = m->f;
  for (uint32_t i = 0; i < m->edited; i++) {
    if (!examine_cell(m, m->list[i])) return false;
    for (int d = 0; d < 8; d++)
      if (!examine_cell(m, cell_beside(f, m->list[i], d))) return false;
  }
  for (uint32_t i = m->edited; i < m->count; i++) {
    const uint32_t place = m->list[i];
    const double value = f->values[place];
    const wend_cell_cost own = wend_flood_price(f, place);
    const unsigned allowed = wend_flood_allowed(f, place);
    for (int d = 0; d < 8; d++) {
      const uint32_t from = cell_beside(f, place, d);
      const wend_cell_cost onto = f->back ? own : wend_flood_price(f, from);
      if ((allowed >> d & 1) == 0 || !(value + (IS_DIAGONAL(d) ? onto.diagonal : onto.straight) <= f->values[from])) continue;
      if (f->values[from] > value && !examine_cell(m, from)) return false; /* it was supported by this cell */
    }
  }
  return true;
}

/* Stores a lower value of a cell. False: too many have changed. */
static bool lower_cell(mending *m, uint32_t place, double value, unsigned way) {
  wend_flooding *f = m->f;
  if ((f->ways[place] & WAY_LISTED) == 0 && !list_mended(m, place, WAY_LISTED)) return false;
  f->values[place] = value;
  f->ways[place] = (uint8_t)((f->ways[place] & ~WAY_BITS) | way | WAY_OPEN);
  return true;
}

/* A cell that is not lost gets the least sum over its neighbours, if that is lower than its value. */
static bool improve_cell(mending *m, uint32_t place) {
  unsigned way = NO_WAY;
  double least;
  if (!(m->f->values[place] > -INFINITY) || (m->f->ways[place] & WAY_LOST) != 0) return true;
  least = best_sum(m, place, INFINITY, -INFINITY, &way);
  return !(least < m->f->values[place]) || lower_cell(m, place, least, way);
}

/* Part 2, and all cells with a new value enter the queue. */
static bool renew_cells(mending *m, const wend_cost_summary *summary) {
  wend_flooding *f = m->f;
  const uint32_t lost = m->count;
  double least = INFINITY;
  for (uint32_t i = m->edited; i < lost; i++) {
    unsigned way = NO_WAY;
    f->values[m->list[i]] = best_sum(m, m->list[i], INFINITY, -INFINITY, &way);
    f->ways[m->list[i]] = (uint8_t)((f->ways[m->list[i]] & ~WAY_BITS) | way | (way != NO_WAY ? WAY_OPEN : 0));
  }
  for (uint32_t i = 0; i < m->edited; i++) {
    if (!improve_cell(m, m->list[i])) return false;
    for (int d = 0; d < 8; d++)
      if (!improve_cell(m, cell_beside(f, m->list[i], d))) return false;
  }
  for (uint32_t i = m->edited; i < m->count; i++) {
    f->ways[m->list[i]] &= (uint8_t)~WAY_LOST;
    if (f->values[m->list[i]] < least) least = f->values[m->list[i]];
  }
  wend_buckets_start(&f->s->buckets, least, wend_bucket_width(summary->typical));
  f->ring = f->s->buckets.ring;
  for (uint32_t i = m->edited; i < m->count; i++)
    if ((f->ways[m->list[i]] & WAY_OPEN) != 0)
      wend_buckets_push(&f->s->buckets, &f->ring, &f->s->alloc, f->values[m->list[i]], m->list[i]);
  return true;
}

/* Lowers the values of the neighbours of a cell. */
static bool expand_mended(mending *m, uint32_t place) {
  wend_flooding *f = m->f;
  const wend_cell_cost own = wend_flood_price(f, place);
  const unsigned allowed = wend_flood_allowed(f, place);
  const double value = f->values[place];
  for (int d = 0; d < 8; d++) {
    const uint32_t to = cell_beside(f, place, d);
    const wend_cell_cost onto = f->back ? own : wend_flood_price(f, to);
    const double there = value + (IS_DIAGONAL(d) ? onto.diagonal : onto.straight);
    if ((allowed >> d & 1) == 0 || !(there < f->values[to])) continue;
    if (there == value) m->level = true;
    if (!lower_cell(m, to, there, 7u - (unsigned)d)) return false;
    wend_buckets_push(&f->s->buckets, &f->ring, &f->s->alloc, there, to);
  }
  return true;
}

/* Part 3. False: too many cells have changed, or buckets do not suit their costs. */
static bool spread_mended(mending *m) {
  wend_flooding *f = m->f;
  wend_buckets *b = &f->s->buckets;
  while (!b->failed && !m->level) {
    uint32_t place, under;
    if (b->tops[f->ring.at & (RING - 1)] == 0) {
      const uint64_t most = WEND_STEPS_MAX * (f->expanded + RING) + f->count / MENDED_SHARE; /* far fewer cells than buckets */
      if (!wend_buckets_next(b, &f->ring, &f->s->alloc, &f->steps, most)) return f->steps <= most;
    }
    place = wend_bucket_pop(b, f->ring.at, &under);
    if ((f->ways[place] & WAY_OPEN) == 0) continue; /* an entry that is out of date */
    f->ways[place] &= (uint8_t)~WAY_OPEN;
    if (++f->expanded > f->limit || !expand_mended(m, place)) return false;
  }
  return false;
}

/* Part 4, for one cell. */
static void settle_cell(mending *m, uint32_t place) {
  wend_flooding *f = m->f;
  if ((f->ways[place] & WAY_SEEN) != 0) return;
  if (has_own_way(f, place)) {
    const unsigned way = wend_flood_way(f, place);
    if (way == NO_WAY) m->level = true;
    f->ways[place] = (uint8_t)((f->ways[place] & ~WAY_BITS) | way | WAY_SEEN);
  }
  if (f->values[place] > -INFINITY && f->values[place] < INFINITY && !wend_flood_enters(f, place))
    f->closed[place / 8] |= (uint8_t)(1u << place % 8);
  else f->closed[place / 8] &= (uint8_t) ~(1u << place % 8);
}

/* Part 4. */
static void settle_all(mending *m) {
  wend_flooding *f = m->f;
  for (uint32_t i = 0; i < m->edited; i++) f->ways[m->list[i]] &= (uint8_t)~WAY_SEEN;
  for (uint32_t i = 0; i < m->count; i++) {
    settle_cell(m, m->list[i]);
    for (int d = 0; d < 8; d++) settle_cell(m, cell_beside(f, m->list[i], d));
  }
  for (uint32_t i = 0; i < m->count; i++) {
    f->ways[m->list[i]] &= WAY_BITS;
    for (int d = 0; d < 8; d++) f->ways[cell_beside(f, m->list[i], d)] &= WAY_BITS;
  }
}

/* All parts. False: the flood must be made anew. */
static bool mend_all(mending *m, const wend_cost_summary *summary) {
  if (!lose_cells(m) || m->level || !renew_cells(m, summary) || m->level || !spread_mended(m)) return false;
  settle_all(m);
  return !m->level;
}

wend_status wend_flood_cells_mend(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, unsigned slot,
                                  wend_changes changes, uint32_t *changed) {
  mending m = {f, NULL, 0, 0, f->count / MENDED_SHARE, slot, false};
  wend_cost_summary summary;
  wend_buckets *b = &f->s->buckets;
  uint32_t place;
  bool done = true;
  if (changes.end - changes.at > m.most) return WEND_RUNNING;
  if (!wend_flood_borrow(f, grid, opts, &summary)) return WEND_NO_MEMORY;
  while (done && wend_next_change(&changes, &place))
    if ((f->ways[place] & WAY_SEEN) == 0) done = list_mended(&m, place, WAY_SEEN), m.edited = m.count;
  done = done && mend_all(&m, &summary);
  *changed = m.count - m.edited;
  b->ring = f->ring;
  f->costs = NULL;
  f->s->stats.expanded = f->expanded, f->s->stats.pushed = f->pushed, f->s->stats.loop = WEND_LOOP_FLOOD;
  if (b->failed) return wend_buckets_empty(b), WEND_NO_MEMORY;
  wend_buckets_empty(b);
  return done ? WEND_OK : WEND_RUNNING;
}
