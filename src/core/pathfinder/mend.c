/* SPDX-License-Identifier: MIT */
/* Repairs the values of a flood over cells or nodes after edits: G. Ramalingam, T. Reps, "An incremental algorithm for a
 * generalization of the shortest-path problem" (1996).
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
 * looked at again whenever a cell that supported it is lost. All sums are those of flood.c, so the bits are those of a new flood.
 *
 * Walls and portals change only which steps there are. Such a grid is flooded by the kernel, which has the same sums; its ways depend
 * on the order in which it goes, so wend_flood_settle finds those that flood.c describes. A portal is the way of a cell if no
 * neighbour is.
 *
 * On a graph the cells are nodes, by slot, and the steps are arcs. The kernel has the same sums, and the same rule for ways
 * (settle_tie): from the neighbour that costs least.
 *
 * Steps that add nothing to a value make plateaus: places of one value. A place that no lower one gives its value has the way with the
 * fewest of these steps to a place that has a lower one. Such a place supports another one only if it is its way: ways do not go in
 * circles. After a repair, the ways of all plateaus near changes are found anew, in rounds outwards (settle_plateaus). */
#include "core/pathfinder/flood.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/map/neighbours.h"

WEND_NO_FUSING

/* Flags of `ways` during a repair, beside WAY_OPEN. */
#define WAY_SEEN 0x10u   /* the cell is in the list of edited cells; later: its way was found again */
#define WAY_LOST 0x20u   /* its value is lost */
#define WAY_LISTED 0x40u /* its value has changed: it is in the list */
#define WAY_BITS 15u

/* A cell of the list, as it was. */
typedef struct mended_cell {
  double value;
  uint32_t place;
  uint8_t way;
} mended_cell;

/* A repair. The list has the edited cells, then those whose value has changed: until part 4 the result can be what it was again. */
typedef struct mending {
  wend_flooding *f;
  mended_cell *list;
  uint32_t edited, count, most; /* most: so many may change */
  uint32_t work;                /* so many places may still be looked at: see MENDED_WORK */
  unsigned slot;                /* of the scratch memory that the list is in */
  bool level;                   /* a step adds nothing to a value */
  bool removed;                 /* nodes were removed */
} mending;

/* The graph; NULL: it is a grid. */
WEND_INLINE const wend_graph *mended_graph(const wend_flooding *f) { return f->stepper == NULL ? NULL : f->stepper->graph; }

/* Adds a cell to the list. False: there are too many, or there is no memory, which f->s->buckets.failed tells. */
static bool list_mended(mending *m, uint32_t place, unsigned flag) {
  mended_cell *list, *last;
  if ((flag & WAY_LISTED) != 0 && m->count - m->edited >= m->most) return false;
  list = wend_search_scratch(m->f->s, m->slot, ((uint64_t)m->count + 1) * sizeof *list);
  if (list == NULL) return m->f->s->buckets.failed = true, false; /* the old list stays, to be restored */
  m->list = list;
  last = &list[m->count++];
  last->place = place, last->value = m->f->values[place], last->way = m->f->ways[place] & WAY_BITS;
  m->f->ways[place] |= (uint8_t)flag;
  return true;
}

/* The steps between a place and its neighbours, one after the other: those by which it may give them values, or those by which it may
 * get one. All loops over steps are by these functions, so only they know walls and portals. */
typedef struct mended_steps {
  uint32_t place, to;         /* to: the neighbour */
  unsigned left, way;         /* left: the directions to come; way: that to the neighbour, or PORTAL_WAY */
  bool leaves;                /* they are steps from the place; otherwise those that lead to it */
  bool cornered;              /* walls are near: the stepper decides about diagonal steps */
  wend_cell_cost own;         /* of a step onto the place */
  const wend_portal *portals; /* the one that this step is; NULL: none was looked for */
  uint32_t portals_left;      /* of a graph: how many arcs are left, and the arc of this step */
  uint32_t arc;
} mended_steps;

/* The directions that walls close, as bits. A step between hexes, and a straight one, needs no more than that. */
WEND_INLINE unsigned shut_at(const wend_region *region, uint32_t place, const bool leaves) {
  if (region->walls == NULL) return 0;
  return region->walls[place] | (region->directed == NULL ? 0u : (unsigned)region->directed[place] >> (leaves ? 0 : 8));
}

/* Whether walls are at a place or beside it: there a diagonal step needs ways round its corner. */
static bool is_cornered(const wend_region *region, uint32_t place) {
  const uint32_t north = place - region->stride, south = place + region->stride;
  const uint8_t *walls = region->walls;
  const uint16_t *directed = region->directed;
  if (walls == NULL || region->hexes) return false;
  return (walls[place] | walls[north] | walls[place - 1] | walls[place + 1] | walls[south]) != 0 ||
         (directed != NULL &&
          (directed[place] | directed[north] | directed[place - 1] | directed[place + 1] | directed[south]) != 0);
}

/* All steps between a node and its neighbours are arcs. */
static WEND_NOINLINE mended_steps begin_arcs(const wend_graph *graph, mended_steps s) {
  const uint32_t place = graph->nodes.value[s.place];
  wend_span span = {0, 0};
  if (place != WEND_NONE) span = s.leaves ? graph->out[place] : graph->in[place]; /* otherwise it was removed */
  s.arc = span.first - 1;
  s.portals_left = span.end - span.first;
  return s;
}

/* gives: the steps by which the place may give its neighbours values; otherwise those by which it may get one. */
WEND_INLINE mended_steps begin_steps(const wend_flooding *f, uint32_t place, const bool gives) {
  mended_steps s = {place, 0, 0, 0, gives != f->back, false, {0, 0}, NULL, 0, 0};
  if (WEND_UNLIKELY(mended_graph(f) != NULL)) return begin_arcs(mended_graph(f), s);
  s.left = wend_flood_allowed(f, place), s.own = wend_flood_price(f, place);
  if (WEND_LIKELY(f->stepper == NULL)) return s;
  s.cornered = is_cornered(&f->stepper->region, place);
  s.left = (s.cornered ? 0xffu : s.left) & ~shut_at(&f->stepper->region, place, s.leaves);
  s.portals_left = f->stepper->grid->live_portals;
  return s;
}

/* The portals follow the neighbours. */
static WEND_NOINLINE bool next_portal(const wend_flooding *f, mended_steps *s) {
  const wend_graph *graph = mended_graph(f);
  if (graph != NULL) {
    s->portals_left--;
    s->way = PORTAL_WAY;
    s->to = graph->slot_of[graph->arc_to[++s->arc]];
    return true;
  }
  if (s->portals == NULL) s->portals = wend_grid_portals(f->stepper->grid, s->place, !s->leaves, &s->portals_left);
  else s->portals++;
  if (s->portals_left == 0) return false;
  s->portals_left--;
  s->way = PORTAL_WAY;
  s->to = s->leaves ? s->portals->to : s->portals->from;
  return true;
}

/* Goes to the next step. False: there is none. */
WEND_INLINE bool next_step(const wend_flooding *f, mended_steps *s) {
  if (WEND_UNLIKELY(s->left == 0)) return s->portals_left > 0 && next_portal(f, s);
  s->way = wend_lowest_bit(s->left);
  s->left &= s->left - 1;
  s->to = s->place + f->beside[s->way];
  return true;
}

/* Its cost where the stepper decides. */
static WEND_NOINLINE double stepper_cost(const wend_flooding *f, const mended_steps *s) {
  const uint32_t from = s->leaves ? s->place : s->to, to = s->leaves ? s->to : s->place;
  const wend_graph *graph = mended_graph(f);
  if (graph != NULL) {
    const uint32_t place = graph->nodes.value[s->place];
    if (!s->leaves && wend_is_node_closed(graph, place)) return INFINITY;
    return wend_arc_cost(f->stepper, place, s->arc, !s->leaves);
  }
  if (s->way == PORTAL_WAY) return wend_step_portal(f->stepper, s->portals, from, to, 0, INFINITY);
  return wend_step_cell(f->stepper, from, (int)(s->leaves ? s->way : 7 - s->way), 0, INFINITY, NULL);
}

/* The cost of the step; INFINITY: it is closed. Neither end may be in the margin. */
WEND_INLINE double mended_cost(const wend_flooding *f, const mended_steps *s) {
  wend_cell_cost onto;
  if (WEND_UNLIKELY(s->way == PORTAL_WAY) || (WEND_UNLIKELY(s->cornered) && IS_DIAGONAL(s->way))) return stepper_cost(f, s);
  onto = s->leaves ? wend_flood_price(f, s->to) : s->own;
  return IS_DIAGONAL(s->way) ? onto.diagonal : onto.straight;
}

/* Whether a step adds nothing to the value of its ends. */
static WEND_NOINLINE bool is_level(const wend_flooding *f, const mended_steps *s) {
  const double value = f->values[s->to];
  return value == f->values[s->place] && value < INFINITY && value > -INFINITY && value + mended_cost(f, s) == value;
}

/* Whether the way of a place is a step that adds nothing to its value, onto a place that is not lost. Ways do not go in circles. A
 * portal does not count: its place is lost, and found again. */
static WEND_NOINLINE bool has_level_way(const wend_flooding *f, uint32_t place) {
  const unsigned way = f->ways[place] & WAY_BITS;
  mended_steps steps = begin_steps(f, place, false);
  while (next_step(f, &steps)) {
    if (mended_graph(f) != NULL ? steps.to != f->next[place] : steps.way != way || way == PORTAL_WAY) continue;
    if ((f->ways[steps.to] & WAY_LOST) == 0 && is_level(f, &steps)) return true;
  }
  return false;
}

/* Visits a place and all that may have a value by it: after an edit there, their steps may cost something else. False: a visit failed. */
WEND_INLINE bool visit_near(mending *m, uint32_t place, bool (*visit)(mending *, uint32_t)) {
  mended_steps steps;
  if (!visit(m, place)) return false;
  for (int d = 0; d < 8 && mended_graph(m->f) == NULL; d++)
    if (!visit(m, place + m->f->beside[d])) return false;
  if (WEND_LIKELY(m->f->stepper == NULL)) return true;
  steps = begin_steps(m->f, place, true);
  for (steps.left = 0; next_step(m->f, &steps);)
    if (!visit(m, steps.to)) return false;
  return true;
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
  mended_steps steps = begin_steps(f, place, false);
  double least = INFINITY;
  while (next_step(f, &steps)) {
    const double value = f->values[steps.to];
    double there;
    if (!(value > -INFINITY && value < below) || (f->ways[steps.to] & WAY_LOST) != 0) continue;
    there = value + mended_cost(f, &steps);
    if (there == value) m->level = true;
    if (!(there < least)) continue;
    least = there;
    *way = steps.way;
    if (least <= enough) break;
  }
  return least;
}

/* Counts the work: so many looks at a place. False: they are too many. */
WEND_INLINE bool spend_looks(mending *m, uint32_t looks) {
  if (m->work < looks) return false;
  m->work -= looks;
  return true;
}

/* Part 1, for one cell: it is lost if nothing supports its value. False: too many are. */
static bool examine_cell(mending *m, uint32_t place) {
  const double value = m->f->values[place];
  unsigned way;
  if (!has_own_way(m->f, place) || (m->f->ways[place] & WAY_LOST) != 0) return true;
  if (!spend_looks(m, 1)) return false;
  if (best_sum(m, place, value, value, &way) <= value || (m->f->level && has_level_way(m->f, place))) return true;
  return list_mended(m, place, WAY_LISTED | WAY_LOST);
}

/* Part 1. */
static bool lose_cells(mending *m) {
  const wend_flooding *f = m->f;
  for (uint32_t i = 0; i < m->edited; i++)
    if (!visit_near(m, m->list[i].place, examine_cell)) return false;
  for (uint32_t i = m->edited; i < m->count; i++) {
    const double value = m->list[i].value;
    mended_steps steps = begin_steps(f, m->list[i].place, true);
    if (!spend_looks(m, 1)) return false;
    while (next_step(f, &steps)) {
      const double known = f->values[steps.to];
      if (known > value ? !(value + mended_cost(f, &steps) <= known) : !f->level || known < value) continue;
      if (!examine_cell(m, steps.to)) return false; /* it was supported by this cell */
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
  if (!spend_looks(m, 1)) return false;
  least = best_sum(m, place, INFINITY, -INFINITY, &way);
  return !(least < m->f->values[place]) || lower_cell(m, place, least, way);
}

/* Part 2, and all cells with a new value enter the queue. */
static bool renew_cells(mending *m, double typical) {
  wend_flooding *f = m->f;
  const uint32_t lost = m->count;
  double least = INFINITY;
  for (uint32_t i = m->edited; i < lost; i++) {
    const uint32_t place = m->list[i].place;
    unsigned way = NO_WAY;
    f->values[place] = best_sum(m, place, INFINITY, -INFINITY, &way);
    f->ways[place] = (uint8_t)((f->ways[place] & ~WAY_BITS) | way | (way != NO_WAY ? WAY_OPEN : 0));
  }
  for (uint32_t i = 0; i < m->edited; i++)
    if (!visit_near(m, m->list[i].place, improve_cell)) return false;
  for (uint32_t i = m->edited; i < m->count; i++) {
    const uint32_t place = m->list[i].place;
    f->ways[place] &= (uint8_t)~WAY_LOST;
    if (f->values[place] < least) least = f->values[place];
  }
  wend_buckets_start(&f->s->buckets, least, wend_bucket_width(typical));
  f->ring = f->s->buckets.ring;
  for (uint32_t i = m->edited; i < m->count; i++) {
    const uint32_t place = m->list[i].place;
    if ((f->ways[place] & WAY_OPEN) != 0) wend_buckets_push(&f->s->buckets, &f->ring, &f->s->alloc, f->values[place], place);
  }
  return true;
}

/* Lowers the values of the neighbours of a cell. */
static bool expand_mended(mending *m, uint32_t place) {
  wend_flooding *f = m->f;
  const double value = f->values[place];
  mended_steps steps = begin_steps(f, place, true);
  while (next_step(f, &steps)) {
    double there;
    if (!(value < f->values[steps.to])) continue;
    there = value + mended_cost(f, &steps);
    if (!(there < f->values[steps.to])) continue;
    if (there == value) m->level = true;
    if (!lower_cell(m, steps.to, there, steps.way < 8 ? 7 - steps.way : steps.way)) return false;
    wend_buckets_push(&f->s->buckets, &f->ring, &f->s->alloc, there, steps.to);
  }
  return true;
}

/* Part 3. False: too many cells have changed, or buckets do not suit their costs. */
static bool spread_mended(mending *m) {
  wend_flooding *f = m->f;
  wend_buckets *b = &f->s->buckets;
  while (!b->failed) {
    uint32_t place, under;
    if (b->tops[f->ring.at & (RING - 1)] == 0) {
      const uint64_t most = WEND_STEPS_MAX * (f->expanded + RING) + f->count / MENDED_SHARE; /* far fewer cells than buckets */
      if (!wend_buckets_next(b, &f->ring, &f->s->alloc, &f->steps, most)) return f->steps <= most;
    }
    place = wend_bucket_pop(b, f->ring.at, &under);
    if ((f->ways[place] & WAY_OPEN) == 0) continue; /* an entry that is out of date */
    f->ways[place] &= (uint8_t)~WAY_OPEN;
    f->expanded++;
    if (!spend_looks(m, 2) || !expand_mended(m, place)) return false;
  }
  return false;
}

/* The way of a node that is no root: along the first arc of those from the neighbours that cost least, by their ids. level: from
 * those at its own value that are not lost; otherwise from those at a lower one. */
static WEND_NOINLINE unsigned way_of_node(const wend_flooding *f, const wend_graph *graph, uint32_t slot, bool level) {
  const double value = f->values[slot];
  double least = value;
  wend_id from = 0, by = 0;
  unsigned way = NO_WAY;
  mended_steps steps = begin_steps(f, slot, false);
  while (next_step(f, &steps)) {
    const double before = f->values[steps.to];
    const wend_id node = wend_slots_id(&graph->nodes, steps.to),
                  edge = wend_slots_id(&graph->edges, graph->arc_edge[steps.arc]);
    if (level ? before != value || (f->ways[steps.to] & WAY_LOST) != 0 : !(before < value && before <= least)) continue;
    if (before + mended_cost(f, &steps) != value) continue;
    if (way != NO_WAY && before == least && (node > from || (node == from && edge > by))) continue;
    least = before, from = node, by = edge, way = PORTAL_WAY;
    f->next[slot] = steps.to, f->edges[slot] = edge;
    f->generations[slot] = wend_slots_generation(&graph->nodes, slot);
  }
  return way;
}

/* The way of a place that is no root: a straight one, a diagonal one, or the last ones are portals. NO_WAY: no neighbour that has a
 * lower value gives it its value. */
static unsigned way_of_cell(const wend_flooding *f, uint32_t place) {
  const double value = f->values[place];
  const unsigned shut = f->stepper == NULL ? 0 : shut_at(&f->stepper->region, place, f->back);
  const unsigned straight = wend_flood_straight_way(f, place, STRAIGHT_STEPS & ~shut);
  mended_steps steps;
  if (straight != NO_WAY) return straight;
  steps = begin_steps(f, place, false);
  steps.left &= ~STRAIGHT_STEPS;
  while (next_step(f, &steps)) {
    const double before = f->values[steps.to];
    if (before > -INFINITY && before < value && before + mended_cost(f, &steps) == value) return steps.way;
  }
  return NO_WAY;
}

static unsigned way_of(const wend_flooding *f, uint32_t place) {
  return mended_graph(f) != NULL ? way_of_node(f, mended_graph(f), place, false) : way_of_cell(f, place);
}

/* Whether a step may enter a place that has a value. */
static bool may_enter(const wend_flooding *f, uint32_t place) {
  const wend_graph *graph = mended_graph(f);
  return graph != NULL ? wend_node_enters(f->stepper, graph->nodes.value[place]) : wend_flood_enters(f, place);
}

/* The way of a place that no neighbour of a lower value gives its value: a step that adds nothing to it, onto a place that is not lost.
 * NO_WAY: there is none. */
static unsigned level_way(const wend_flooding *f, uint32_t place) {
  const double *const value = f->values + place;
  const bool open = f->stepper == NULL && f->bars == NULL; /* straight steps */
  bool begun = false;
  unsigned way = NO_WAY;
  mended_steps steps = {place, 0, STRAIGHT_STEPS, 0, f->back, false, {0, 0}, NULL, 0, 0};
  if (mended_graph(f) != NULL) return way_of_node(f, mended_graph(f), place, true);
  for (unsigned i = 0; i < 8; i++) {
    static const uint8_t order[8] = {NORTH, WEST, EAST, SOUTH, NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST};
    steps.way = order[i], steps.to = place + f->beside[steps.way];
    if (f->values[steps.to] != *value || (f->ways[steps.to] & WAY_LOST) != 0) continue;
    if (!begun && (i > 3 || !open || !f->back)) steps = begin_steps(f, place, false), begun = true;
    steps.way = order[i], steps.to = place + f->beside[steps.way];
    if ((steps.left >> steps.way & 1) != 0 && *value + mended_cost(f, &steps) == *value) return steps.way;
  }
  if (f->stepper == NULL) return NO_WAY;
  steps = begin_steps(f, place, false);
  for (steps.left = 0; next_step(f, &steps);) {
    const bool first = way == NO_WAY && (f->ways[steps.to] & WAY_LOST) == 0 && is_level(f, &steps);
    if (first) way = PORTAL_WAY;
    f->chosen[steps.portals - (steps.leaves ? f->stepper->grid->out : f->stepper->grid->in)] = first;
  }
  return way;
}

/* Finds the way of a lost place on a plateau, if a step leads to places whose ways are known. Then it is the next one of `settled`. */
static void settle_level(const wend_flooding *f, uint32_t place, uint32_t *settled, uint32_t *end) {
  const unsigned way = (f->ways[place] & (WAY_LOST | WAY_SEEN)) == WAY_LOST ? level_way(f, place) : NO_WAY;
  if (way == NO_WAY) return;
  f->ways[place] = (uint8_t)((f->ways[place] & ~WAY_BITS) | way | WAY_SEEN);
  settled[(*end)++] = place;
}

/* Whether a neighbour of a cell may be lost. */
WEND_INLINE bool is_beside_lost(const wend_flooding *f, uint32_t place) {
  uint32_t north, own, south; /* four cells of each row */
  memcpy(&north, f->ways + place - f->stride - 1, 4), memcpy(&own, f->ways + place - 1, 4);
  memcpy(&south, f->ways + place + f->stride - 2, 4);
  south |= f->ways[place + f->stride + 1];
  return ((north | own | south) & WAY_LOST * 0x01010101u) != 0;
}

/* The first places of plateaus have their ways: finds those of the places that are one step farther, and so on. Returns how many have
 * theirs. */
static uint32_t settle_plateaus(const wend_flooding *f, uint32_t *settled, uint32_t end) {
  for (uint32_t first = 0; first < end;) {
    const uint32_t round = end;
    for (uint32_t i = first; i < round; i++) f->ways[settled[i]] &= (uint8_t) ~(WAY_LOST | WAY_SEEN);
    for (; first < round; first++) {
      mended_steps steps;
      if (f->stepper == NULL && !is_beside_lost(f, settled[first])) continue;
      steps = begin_steps(f, settled[first], true);
      while (next_step(f, &steps)) settle_level(f, steps.to, settled, &end);
    }
  }
  return end;
}

/* Lists a place that may be on a plateau once. near: also if its value is from a lower one, so that its neighbours are looked at. */
static bool list_level(mending *m, uint32_t place, bool near) {
  const wend_flooding *f = m->f;
  bool level;
  if ((f->ways[place] & WAY_OPEN) != 0 || !has_own_way(f, place)) return true;
  if (!spend_looks(m, 1)) return false;
  level = way_of(f, place) == NO_WAY;
  return (!level && !near) || list_mended(m, place, WAY_OPEN | (level ? WAY_LOST : 0));
}
static bool list_near_level(mending *m, uint32_t place) { return list_level(m, place, true); }

/* Part 4 for places whose value a step gives that adds nothing: finds the ways of all plateaus near changes. False: they are too
 * large. */
static bool settle_near_plateaus(mending *m) {
  const wend_flooding *f = m->f;
  const uint32_t changed = m->count;
  uint32_t *settled, end = 0, lost = 0;
  mended_cell *list;
  for (uint32_t i = 0; i < m->edited; i++) f->ways[m->list[i].place] &= (uint8_t)~WAY_SEEN;
  for (uint32_t i = 0; i < changed; i++)
    if (!visit_near(m, m->list[i].place, list_near_level)) return false;
  for (uint32_t i = changed; i < m->count; i++) {
    lost += (f->ways[m->list[i].place] & WAY_LOST) != 0;
    for (unsigned gives = 0; gives < 2; gives++) {
      mended_steps steps = begin_steps(f, m->list[i].place, gives != 0);
      while (next_step(f, &steps))
        if (is_level(f, &steps) && !list_level(m, steps.to, false)) return false;
    }
  }
  list = wend_search_scratch(f->s, m->slot, m->count * (uint64_t)sizeof *list + (uint64_t)lost * sizeof *settled + 1);
  if (list == NULL) return m->f->s->buckets.failed = true, false;
  m->list = list, settled = (uint32_t *)(list + m->count);
  for (uint32_t i = changed; i < m->count; i++) settle_level(f, list[i].place, settled, &end);
  end = settle_plateaus(f, settled, end);
  assert(end == lost);
  return true;
}

/* Part 4, for one cell. */
static bool settle_cell(mending *m, uint32_t place) {
  wend_flooding *f = m->f;
  if ((f->ways[place] & WAY_SEEN) != 0) return true;
  if (has_own_way(f, place)) {
    const unsigned way = way_of(f, place);
    assert(way != NO_WAY || f->level); /* on a plateau: its way is known */
    f->ways[place] = (uint8_t)((way == NO_WAY ? f->ways[place] : (f->ways[place] & ~WAY_BITS) | way) | WAY_SEEN);
  }
  if (f->values[place] > -INFINITY && f->values[place] < INFINITY && !may_enter(f, place))
    f->closed[place / 8] |= (uint8_t)(1u << place % 8);
  else f->closed[place / 8] &= (uint8_t) ~(1u << place % 8);
  return true;
}

static bool clear_flags(mending *m, uint32_t place) {
  m->f->ways[place] &= WAY_BITS;
  return true;
}

/* Part 4, for the first cells of the list. Returns how many values are not what they were. */
static uint32_t settle_all(mending *m, uint32_t count) {
  const wend_flooding *f = m->f;
  uint32_t changed = 0;
  for (uint32_t i = 0; i < m->edited; i++) f->ways[m->list[i].place] &= (uint8_t)~WAY_SEEN;
  for (uint32_t i = 0; i < count; i++) (void)visit_near(m, m->list[i].place, settle_cell);
  for (uint32_t i = 0; i < count; i++) (void)visit_near(m, m->list[i].place, clear_flags);
  for (uint32_t i = count; i < m->count; i++) (void)clear_flags(m, m->list[i].place);
  for (uint32_t i = m->edited; i < count; i++) changed += m->list[i].value != f->values[m->list[i].place];
  return changed;
}

/* Parts 1 to 3, and the ways on plateaus. *count: so many cells of the list have changed. False: the flood must be made anew. */
static bool mend_values(mending *m, double typical, uint32_t *count) {
  if (!lose_cells(m) || !renew_cells(m, typical) || !spread_mended(m)) return false;
  *count = m->count;
  m->f->level = m->f->level || m->level;
  return !m->f->level || settle_near_plateaus(m);
}

/* Makes the values what they were before. */
static void restore_values(mending *m) {
  for (uint32_t i = m->count; i-- > 0;) {
    const mended_cell *cell = &m->list[i];
    m->f->values[cell->place] = cell->value, m->f->ways[cell->place] = cell->way;
  }
}

/* Finding the ways of so many cells takes about as long as one expansion. */
#define SETTLED_PER_EXPANSION 8u

/* Whether the way to a lower value that a flood over cells has found is the one that flood.c describes. The flood leaves out steps onto
 * places that others reach at the same cost, and costs that are less than the slack of a value count for nothing. */
WEND_INLINE bool is_way_settled(const wend_flooding *f, uint32_t place, unsigned way, const bool back) {
  const double *const value = f->values + place, before = *(value + (int32_t)f->beside[way]);
  unsigned same;
  if (*value * WEND_SLACK >= f->cheapest) return false;
  if (back) return true;
  same = (value[-f->stride] == before) + (value[-1] == before) + (value[1] == before) + (value[f->stride] == before);
  return same <= (STRAIGHT_STEPS >> way & 1);
}

/* wend_flood_settle for a few cells after a flood over cells. */
WEND_INLINE void settle_flooded(wend_flooding *f, uint32_t first, uint32_t end, const bool back) {
  for (uint32_t place = first; place < end; place++) {
    const unsigned way = f->ways[place];
    if (way == NO_WAY) continue;
    if (f->values[place + f->beside[way]] == f->values[place]) f->ways[place] |= WAY_LOST, f->lost++;
    else if (!is_way_settled(f, place, way, back)) f->ways[place] = (uint8_t)way_of_cell(f, place);
  }
}

wend_status wend_flood_settle(wend_flooding *f, const wend_grid *grid, const wend_region *region, const wend_search_opts *opts,
                              uint32_t *at, uint64_t *left) {
  wend_cost_summary summary;
  const bool by_flood = f->stepper == NULL && !f->unsuited && f->kinds != NULL && f->layers == NULL;
  if (!wend_flood_borrow(f, grid, opts, &summary)) return WEND_NO_MEMORY;
  if (*at == 0) wend_flood_close_margin(region, f->values);
  while (*at<f->count && * left> 0) {
    const uint32_t first = *at, end = f->count - first < SETTLED_PER_EXPANSION ? f->count : first + SETTLED_PER_EXPANSION;
    --*left, *at = end;
    if (by_flood && f->back) settle_flooded(f, first, end, true);
    else if (by_flood) settle_flooded(f, first, end, false);
    for (uint32_t place = first; place < end && !by_flood; place++) {
      const double value = f->values[place];
      unsigned way;
      if (!(value < INFINITY && value > -INFINITY)) f->ways[place] = NO_WAY;
      if (f->ways[place] == NO_WAY) continue;
      way = way_of_cell(f, place);
      f->ways[place] = (uint8_t)(way == NO_WAY ? f->ways[place] | WAY_LOST : way);
      f->lost += way == NO_WAY;
      /* All steps are taken to cost the least of any: some may add nothing. */
      f->level = f->level || way == NO_WAY || value + summary.least == value;
    }
  }
  f->costs = NULL;
  return *at < f->count ? WEND_RUNNING : WEND_OK;
}

wend_status wend_flood_settle_plateaus(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, unsigned slot) {
  wend_cost_summary summary;
  uint32_t *settled, end = 0;
  if (grid != NULL && !wend_flood_borrow(f, grid, opts, &summary)) return WEND_NO_MEMORY;
  for (uint32_t place = 0; place < f->count && grid == NULL; place++) {
    const bool leads = f->values[place] < INFINITY && f->next[place] != WEND_NONE;
    f->ways[place] = leads && f->values[f->next[place]] == f->values[place] ? WAY_LOST : 0;
    f->lost += f->ways[place] != 0;
  }
  settled = wend_search_scratch(f->s, slot, (uint64_t)f->lost * sizeof *settled + 1);
  if (settled == NULL) return f->costs = NULL, WEND_NO_MEMORY;
  for (uint32_t place = 0; place < f->count && f->lost > 0; place++)
    if ((f->ways[place] & WAY_LOST) != 0) settle_level(f, place, settled, &end);
  end = settle_plateaus(f, settled, end);
  for (uint32_t place = 0; place < f->count && end < f->lost; place++) f->ways[place] &= (uint8_t)~WAY_LOST;
  f->costs = NULL;
  return end == f->lost ? WEND_OK : WEND_NO_PATH;
}

/* Lists an edited cell, or on an eroded grid the bodies that cover it. */
static bool list_edited(mending *m, const wend_grid *grid, uint32_t place) {
  const uint32_t reach = grid->body / 2, x = place % grid->stride, y = place / grid->stride;
  const uint32_t left = x > reach ? x - reach : 1, top = y > reach ? y - reach : 1;
  for (uint32_t row = top; row <= y + reach && row <= grid->height; row++)
    for (uint32_t column = left; column <= x + reach && column <= grid->width; column++) {
      const uint32_t cell = row * grid->stride + column;
      if ((m->f->ways[cell] & WAY_SEEN) == 0 && !list_mended(m, cell, WAY_SEEN)) return false;
    }
  m->edited = m->count;
  return true;
}

/* Lists an edited node. */
static bool list_edited_node(mending *m, uint32_t slot) {
  if (slot >= m->f->count || (m->f->ways[slot] & WAY_SEEN) != 0) return true;
  if (!list_mended(m, slot, WAY_SEEN)) return false;
  m->edited = m->count;
  return true;
}
static bool list_edited_place(mending *m, const wend_graph *graph, uint32_t place) {
  const uint32_t slot = graph->slot_of[place];
  if (slot == WEND_NONE) m->removed = true;
  return list_edited_node(m, slot);
}

/* Nodes that were removed have lost their value. Their slots may have other nodes. False: they are too many. */
static bool drop_removed(mending *m, const wend_graph *graph) {
  const wend_flooding *f = m->f;
  for (uint32_t slot = 0; slot < f->count; slot++) {
    if (!(f->values[slot] < INFINITY)) continue;
    if (wend_slots_find(&graph->nodes, ((wend_id)f->generations[slot] << 32) + slot + 1) != WEND_NONE) continue;
    if (!list_mended(m, slot, WAY_LISTED | WAY_LOST)) return false;
    f->values[slot] = INFINITY;
  }
  return true;
}

wend_status wend_flood_cells_mend(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, unsigned slot,
                                  const wend_changes *changes, uint32_t change_count, uint32_t *changed) {
  mending m = {f, NULL, 0, 0, f->count / MENDED_SHARE, 0, slot, false, false};
  const wend_graph *graph = mended_graph(f);
  wend_cost_summary summary;
  wend_buckets *b = &f->s->buckets;
  uint32_t count = 0;
  bool done = true;
  m.work = graph != NULL ? f->count / MENDED_NODES + MENDED_NODES_MIN : f->count / MENDED_WORK + MENDED_WORK_MIN;
  if (graph != NULL) summary.typical = wend_graph_typical(graph, &opts->costs);
  else if (!wend_flood_borrow(f, grid, opts, &summary)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < change_count; i++) {
    wend_changes left = changes[i];
    uint32_t change;
    while (done && wend_next_change(&left, &change))
      done = graph == NULL ? list_edited(&m, grid, change)
             : i == 0      ? list_edited_place(&m, graph, change & ~CHANGED_NODE)
                           : list_edited_node(&m, change);
  }
  done = done && (!m.removed || drop_removed(&m, graph)) && mend_values(&m, summary.typical, &count) && !b->failed;
  *changed = done ? settle_all(&m, count) : 0;
  if (!done) restore_values(&m);
  b->ring = f->ring;
  f->costs = NULL;
  f->s->stats.expanded = f->expanded, f->s->stats.pushed = f->pushed, f->s->stats.loop = WEND_LOOP_FLOOD;
  if (b->failed) return wend_buckets_empty(b), WEND_NO_MEMORY;
  wend_buckets_empty(b);
  return done ? WEND_OK : WEND_RUNNING;
}
