/* SPDX-License-Identifier: MIT */
/* Floods. wend_flood runs the kernel. wend_flood_cells_run has its own loop, Dijkstra's algorithm with buckets (E. W. Dijkstra,
 * "A note on two problems in connexion with graphs", 1959):
 *
 *     push each root with its value                                   wend_flood_cells_start
 *     while the queue is not empty                                    spread
 *       pop a cell with about the least value                         spread, next_bucket
 *       for each neighbour: value = its value + the cost of the step  expand
 *         if it is less than the value of the neighbour               reach
 *           store it with the direction to this cell, and push it
 *
 * A value is the least sum in floating point. There is only one: rounded addition is monotone. A way depends on the values alone,
 * not on the order in which cells were expanded. It is the first straight one that costs about what the value is (way_leads); without
 * one, the first diagonal one that costs exactly that. Many sums differ in their last bits alone, and with straight ways first an
 * agent turns seldom. Outward, of two straight ones it is the one to the lower value: the other may be left out (wend_onward). So a
 * field that is repaired (mend.c) has the same bits as a new one. Where a step adds nothing to a value, ways depend on the order;
 * `level` tells that, and mend.c finds them when the flood has ended.
 *
 * An example: a row of cells a .. f of weights 1 1 3 1 INFINITY 1, and a flood back from the root b, so values are costs to b.
 *
 *        cell       a  b  c  d  e  f
 *        value      1  0  1  4  5  INFINITY
 *        way        E  -  W  W  W  -
 *
 * From c, the step onto b costs 1; from d, the step onto c costs 3. e is closed, but a path may start there, at 1 + 4. No step
 * enters e, so f is not reached.
 *
 * The invariant: a cell whose direction has WAY_OPEN is in the queue. Cells outside the region have the value -INFINITY, so no
 * step improves them. */
#include "core/pathfinder/flood.h"

#include <math.h>
#include <string.h>

#include "core/map/neighbours.h"

WEND_NO_FUSING
#if defined(__GNUC__) && !defined(__clang__)
/* GCC would combine the members of the state into vectors. That is slower. The end of the file restores the options. */
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

/* The flood stops after as many expansions as the region has cells + a quarter of that + REPEATED_MIN: too many cells are
 * expanded repeatedly, because their costs do not suit buckets. */
#define REPEATED_MIN 256u

/* Moves to the next bucket that is not empty. False: there is none, or too many buckets were empty, and `unsuited` is set. */
static WEND_NOINLINE bool next_bucket(wend_flooding *f) {
  const uint64_t most = WEND_STEPS_MAX * (f->expanded + RING);
  const bool more = wend_buckets_next(&f->s->buckets, &f->ring, &f->s->alloc, &f->steps, most);
  f->unsuited = !more && f->steps > most;
  return more;
}

WEND_NOINLINE wend_cell_cost wend_flood_own_price(const wend_flooding *f, uint32_t place) {
  wend_cell_cost cost = f->kinds == NULL ? wend_own_price(&f->own, place) : f->costs[f->kinds[place]];
  if (f->layers != NULL && cost.straight < INFINITY) {
    const double added = wend_step_added(f->layers, place);
    cost.straight += added, cost.diagonal += f->own.diagonal * added;
  }
  return cost;
}

/* A straight step costs about what the value of a cell is if this is not more: rounding, and a little more, may differ. It depends
 * on the step alone, so no edit elsewhere changes it. */
#define NEARLY(sum, price) ((sum) - (price)*WEND_SLACK)
/* The ways that a way is preferred to if it costs the same, a bit for each: the ones of its sort after it, and to a straight one all
 * diagonal ones. */
#define PREFERRED_TO(way) (IS_DIAGONAL(way) ? 0xa5u & ~((2u << (way)) - 1) : 0xa5u | (0x5au & ~((2u << (way)) - 1)))

/* The state of a place: an odd number if it is not open. own: perhaps there is no palette. */
WEND_INLINE unsigned state_of(const wend_flooding *f, uint32_t place, const bool own) {
  return own && f->kinds == NULL ? wend_flood_own_price(f, place).straight == INFINITY : f->states[f->kinds[place]];
}

/* Whether a step that costs about what the value of a place is may be its way: what is left out beside a way (wend_onward) must not be
 * reached at a lower cost through the place. */
static WEND_NOINLINE bool may_be_way(const wend_flooding *f, uint32_t place, double there) {
  return there <= f->values[place] || there <= f->values[place] + wend_flood_price(f, place).straight;
}

/* The value where a way leads. */
WEND_INLINE double value_along(const wend_flooding *f, uint32_t place, unsigned way) {
  return f->values[place + f->beside[way]];
}

/* Whether the straight step from a place in a direction leads to a lower value, and costs about what the value of the place is. */
WEND_INLINE bool way_leads(const wend_flooding *f, uint32_t place, unsigned way) {
  const double value = f->values[place], before = value_along(f, place, way);
  double price, there;
  if (!(before < value && before > -INFINITY)) return false;
  price = wend_flood_price(f, f->back ? place + f->beside[way] : place).straight, there = before + price;
  return NEARLY(there, price) <= value && (!f->back || may_be_way(f, place, there));
}

unsigned wend_flood_straight_way(const wend_flooding *f, uint32_t place, unsigned allowed) {
  double known = INFINITY;
  unsigned way = NO_WAY;
  for (unsigned left = allowed & STRAIGHT_STEPS; left != 0; left &= left - 1) {
    const unsigned d = wend_lowest_bit(left);
    const double before = value_along(f, place, d);
    if (!(before < known) || !way_leads(f, place, d)) continue;
    if (f->back) return d;
    way = d, known = before;
  }
  return way;
}

/* The value of a cell has become less by so little that the straight way that it has, or another one, may still cost about as much.
 * Such a cell that waits in the queue stays there, at its place. */
static WEND_NOINLINE void reach_again(wend_flooding *f, uint32_t to, unsigned direction, double value) {
  const unsigned open = f->ways[to] & WAY_OPEN, old = f->ways[to] & 15;
  unsigned way = 7u - direction;
  if ((STRAIGHT_STEPS >> old & 1) != 0 &&
      (!f->back || (PREFERRED_TO(way) >> old & 1) == 0 || value_along(f, to, way) == value)) {
    const unsigned straight = f->back && way_leads(f, to, old) ? old : wend_flood_straight_way(f, to, STRAIGHT_STEPS);
    if (straight != NO_WAY) way = straight;
  }
  f->ways[to] = (uint8_t)way;
  if (state_of(f, to, f->kinds == NULL) != CELL_OPEN) return;
  f->ways[to] |= WAY_OPEN;
  if (open != 0) return;
  f->pushed++;
  wend_buckets_push(&f->s->buckets, &f->ring, &f->s->alloc, value, to);
}

/* Stores a lower value of a cell, and pushes it if it is open. */
WEND_INLINE void reach(wend_flooding *f, uint32_t to, unsigned direction, double value, const bool own) {
  const double before = f->values[to];
  if (!(value <= f->most)) return;
  f->values[to] = value;
  if (WEND_UNLIKELY(value >= before * (1 - 3 * WEND_SLACK))) {
    reach_again(f, to, direction, value);
    return;
  }
  if (state_of(f, to, own) != CELL_OPEN) { /* it can be left but not entered, so no path leads through it */
    f->ways[to] = (uint8_t)(7u - direction);
    f->closed[to / 8] |= (uint8_t)(1u << to % 8);
    return;
  }
  f->ways[to] = (uint8_t)((7u - direction) | WAY_OPEN);
  f->pushed++;
  wend_buckets_push(&f->s->buckets, &f->ring, &f->s->alloc, value, to);
}

static WEND_NOINLINE void reach_own(wend_flooding *f, uint32_t to, unsigned direction, double value) {
  reach(f, to, direction, value, true);
}

/* A root that is reached at its own value gets a parent, so that the path continues past it. For example, the roots of a row
 * have the values 0 1 5, and steps cost 1. The first cell reaches the second at 1, its own value, so the second gets the way W.
 * The third becomes 2. Its path then leads to the first cell, and does not end at the second. */
WEND_INLINE void link_root(const wend_flooding *f, uint32_t from, uint32_t to, unsigned direction, double value) {
  if (f->values[from] < f->values[to] && f->values[to] < INFINITY && (f->ways[to] & ~WAY_OPEN) == NO_WAY &&
      value - f->slack <= f->values[to])
    f->ways[to] = (uint8_t)((f->ways[to] & WAY_OPEN) | (7u - direction));
}

/* Prefers the way in a direction to the way that a cell has, if it costs about as much: values fall along the ways. */
WEND_INLINE void prefer_way(const wend_flooding *f, double from_value, uint32_t to, unsigned way, double value,
                            const bool back) {
  const unsigned old = f->ways[to] & 15;
  bool first = (PREFERRED_TO(way) >> old & 1) != 0;
  if (!back && (STRAIGHT_STEPS >> old & STRAIGHT_STEPS >> way & 1) != 0) {
    const double known = value_along(f, to, old);
    first = from_value < known || (from_value == known && first);
  }
  if (f->level && !first && old < 8) first = value_along(f, to, old) == f->values[to];
  if (!first || !(from_value < f->values[to])) return;
  if (back && value > f->values[to] && !may_be_way(f, to, value)) return;
  f->ways[to] = (uint8_t)((f->ways[to] & WAY_OPEN) | way);
}

/* Relaxes the steps between a cell and its neighbours. back: the steps lead onto this cell, so its kind decides their cost;
 * otherwise the kinds of the neighbours do. barred: the cells may be hexes. Straight steps need no check: the value of a place
 * outside the region is -INFINITY, a step onto a closed cell costs INFINITY, and reach() handles closed cells that a path may start
 * on. */
WEND_INLINE void expand(wend_flooding *f, uint32_t place, unsigned way, const bool back, const bool rooted, const bool own,
                        const bool barred) {
  const ptrdiff_t stride = f->stride;
  const uint16_t *kind = own ? NULL : f->kinds + place; /* own: there is no palette, or layers add to it */
  const uint8_t *states = f->states;
#define STATE_BESIDE(offset) (own ? state_of(f, (uint32_t)(place + (offset)), true) : states[kind[offset]])
  const unsigned north = STATE_BESIDE(-stride), west = STATE_BESIDE(-1), east = STATE_BESIDE(1), south = STATE_BESIDE(stride);
  const unsigned bars = barred && f->bars != NULL ? f->bars[place] : 0;
  const unsigned allowed = (f->around[(north | west << 1 | east << 2 | south << 3) & 15] | STRAIGHT_STEPS) & ~bars;
  const double value = f->values[place];
  const wend_cell_cost onto = own ? wend_flood_own_price(f, place) : f->costs[kind[0]];
  const double back_straight = value + onto.straight, back_diagonal = value + onto.diagonal;
  const double back_near = NEARLY(back_straight, onto.straight);
  if (back && STATE_BESIDE(0) != CELL_OPEN) return;
  if (back && back_straight == value) f->level = true;
#define REACH(direction) (own ? reach_own(f, to, direction, there) : reach(f, to, direction, there, false))
#define PRICE_BESIDE(dx, dy) (own ? wend_flood_own_price(f, to) : f->costs[kind[stride * (dy) + (dx)]])
#define STEP(direction, dx, dy, size, near)                                                        \
  {                                                                                                \
    const uint32_t to = (uint32_t)(place + stride * (dy) + (dx));                                  \
    const double price = back ? onto.size : PRICE_BESIDE(dx, dy).size;                             \
    const double there = back ? back_##size : value + price;                                       \
    if (rooted || (near) <= f->values[to]) {                                                       \
      if (rooted ? there + f->slack < f->values[to] : there < f->values[to]) {                     \
        REACH(direction);                                                                          \
        if (!back && there == value) f->level = true;                                              \
      } else if (there < INFINITY) { /* so the neighbour is reached */                             \
        if (rooted && (f->ways[to] & 15) == NO_WAY) link_root(f, place, to, direction, there);     \
        else if ((near) <= f->values[to]) prefer_way(f, value, to, 7u - (direction), there, back); \
      }                                                                                            \
    }                                                                                              \
  }
#define STEP_STRAIGHT(direction, dx, dy) STEP(direction, dx, dy, straight, back ? back_near : NEARLY(there, price))
#define STEP_DIAGONAL(direction, dx, dy) STEP(direction, dx, dy, diagonal, there)
  if (back && !rooted) {
    FOR_STEPS_ONWARD(way, allowed)
  } else {
    FOR_STEPS(rooted ? allowed : wend_onward[way] & allowed)
  }
#undef STEP
#undef STEP_STRAIGHT
#undef STEP_DIAGONAL
#undef PRICE_BESIDE
#undef REACH
#undef STATE_BESIDE
}

/* The loop. It works on a copy of `shared`: stores through `values` may alias the original, so the compiler would load its
 * members again and again. RUNNING: it stopped before the queue was empty, at `pause` or because `unsuited` is set. */
WEND_INLINE wend_status spread(wend_flooding *shared, const bool back, const bool rooted, const bool own, const bool barred) {
  wend_flooding f = *shared;
  wend_buckets *const b = &f.s->buckets;
  wend_status status = WEND_OK;
  for (;;) {
    uint32_t place, under;
    unsigned way;
    if (b->tops[f.ring.at & (RING - 1)] == 0) {
      bool more;
      shared->ring = f.ring, shared->steps = f.steps, shared->expanded = f.expanded;
      more = next_bucket(shared);
      f.ring = shared->ring, f.steps = shared->steps;
      if (!more) {
        if (shared->unsuited) status = WEND_RUNNING, f.unsuited = true;
        break;
      }
    }
    place = wend_bucket_pop(b, f.ring.at, &under);
    way = f.ways[place];
    if ((way & WAY_OPEN) == 0) continue; /* an entry that is out of date */
    if (WEND_UNLIKELY(f.expanded >= f.pause)) {
      if (!wend_bucket_push(b, &f.s->alloc, f.ring.at, place)) status = WEND_NO_MEMORY; /* never: pop has left room */
      else status = WEND_RUNNING; /* the cell stays in the queue, at the same place of its bucket */
      break;
    }
    f.expanded++;
    way &= ~WAY_OPEN;
    f.ways[place] = (uint8_t)way;
    expand(&f, place, way, back, rooted, own, barred);
  }
  *shared = f;
  return status;
}

/* The variants of the loop. */
static WEND_NOINLINE wend_status flow_back(wend_flooding *f) { return spread(f, true, false, false, false); }
static WEND_NOINLINE wend_status flow_back_rooted(wend_flooding *f) { return spread(f, true, true, false, false); }
static WEND_NOINLINE wend_status flow_outward(wend_flooding *f) { return spread(f, false, f->rooted, false, false); }
static WEND_NOINLINE wend_status flow_own(wend_flooding *f) { return spread(f, f->back, f->rooted, true, true); }
static WEND_NOINLINE wend_status flow_hexes(wend_flooding *f) { return spread(f, f->back, f->rooted, false, true); }

static wend_status flow(wend_flooding *f) {
  if (f->kinds == NULL || f->layers != NULL) return flow_own(f);
  if (f->bars != NULL) return flow_hexes(f);
  return !f->back ? flow_outward(f) : f->rooted ? flow_back_rooted(f) : flow_back(f);
}

/* Clearing the values of so many places takes about as long as one expansion. */
#define CLEARED_PER_EXPANSION 64u

bool wend_flood_cells_clear(wend_flooding *f, uint64_t *left) {
  for (; f->cleared<f->count && * left> 0; --*left) {
    const uint32_t end = f->count - f->cleared < CLEARED_PER_EXPANSION ? f->count : f->cleared + CLEARED_PER_EXPANSION;
    memset(f->ways + f->cleared, NO_WAY, end - f->cleared);
    for (; f->cleared < end; f->cleared++) f->values[f->cleared] = INFINITY;
  }
  return f->cleared == f->count;
}

void wend_flood_close_margin(const wend_region *region, double *values) {
  const uint32_t count = wend_place_count(region->width, region->height), stride = region->stride;
  for (uint32_t x = 0; x < stride; x++) values[x] = values[count - 1 - x] = -INFINITY;
  for (uint32_t place = 0; place < count; place += stride) values[place] = -INFINITY;
}

bool wend_flood_borrow(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, wend_cost_summary *summary) {
  const wend_agent_view *agent = wend_search_view(f->s, grid, &opts->costs, BITS_NONE, true);
  if (agent == NULL) return false;
  f->costs = agent->costs, f->states = agent->states;
  f->own.costs = agent->tag_count > 0 ? agent->tags : NULL;
  *summary = agent->summary;
  f->cheapest = agent->summary.cheapest;
  return true;
}

wend_status wend_flood_cells_begin(wend_flooding *f, wend_search *s, const wend_grid *grid, const wend_region *region,
                                   bool back, bool rooted, const wend_search_opts *opts, const wend_flooded *result) {
  wend_cost_summary summary;
  memset(f, 0, sizeof *f);
  f->s = s;
  if (!wend_flood_borrow(f, grid, opts, &summary)) return WEND_NO_MEMORY;
  memset(&s->stats, 0, sizeof s->stats);
  f->values = result->values, f->ways = result->ways, f->closed = result->closed;
  f->kinds = region->kinds;
  f->own.weights = region->weights, f->own.tags = region->tags, f->own.diagonal = grid->diagonal_length;
  f->around = wend_around[grid->diagonals], f->bars = wend_region_bars(region);
  f->stride = (ptrdiff_t)region->stride;
  for (int d = 0; d < 8; d++) f->beside[d] = (uint32_t)wend_offset(region->stride, d);
  f->slack = summary.least * WEND_SLACK;
  f->most = opts->max_cost;
  f->limit = region->width * (uint64_t)region->height / 4 * 5 + REPEATED_MIN;
  if (f->limit > opts->max_expanded) f->limit = opts->max_expanded;
  f->back = back, f->rooted = rooted;
  f->count = wend_place_count(region->width, region->height);
  f->cleared = rooted ? f->count : 0;
  f->costs = NULL;
  return WEND_OK;
}

wend_status wend_flood_cells_start(wend_flooding *f, const wend_grid *grid, const wend_region *region, const wend_root *roots,
                                   uint32_t root_count, const wend_search_opts *opts) {
  wend_search *s = f->s;
  wend_cost_summary summary;
  double least = INFINITY;
  if (!wend_flood_borrow(f, grid, opts, &summary)) return WEND_NO_MEMORY;
  wend_flood_close_margin(region, f->values);
  for (uint32_t i = 0; i < root_count; i++)
    if (roots[i].value < least) least = roots[i].value;
  wend_buckets_start(&s->buckets, least, wend_bucket_width(summary.typical));
  f->ring = s->buckets.ring;
  for (uint32_t i = 0; i < root_count; i++) {
    const uint32_t place = roots[i].place;
    const double value = roots[i].value;
    if (!(value <= f->most) || (!f->rooted && f->values[place] <= value)) continue;
    f->values[place] = value;
    f->ways[place] = NO_WAY | WAY_OPEN;
    if (state_of(f, place, f->kinds == NULL) != CELL_OPEN) f->closed[place / 8] |= (uint8_t)(1u << place % 8);
    f->pushed++;
    wend_buckets_push(&s->buckets, &f->ring, &s->alloc, value, place);
  }
  s->buckets.ring = f->ring;
  return WEND_OK;
}

void wend_flood_cells_enter(wend_flooding *f, uint32_t from, int direction, double value) {
  if (value < f->values[from]) reach(f, from, 7u - (unsigned)direction, value, f->kinds == NULL);
  f->s->buckets.ring = f->ring;
}

wend_status wend_flood_cells_run(wend_flooding *f, const wend_grid *grid, const wend_search_opts *opts, uint64_t limit) {
  wend_search *s = f->s;
  wend_cost_summary summary;
  wend_status status = WEND_NO_MEMORY;
  const bool borrowed = f->costs != NULL || wend_flood_borrow(f, grid, opts, &summary);
  f->pause = limit < f->limit ? limit : f->limit;
  if (borrowed) status = flow(f);
  if ((f->ring.base + (double)f->ring.at / f->ring.per_width) * WEND_SLACK >= f->cheapest) f->level = true;
  if (status == WEND_RUNNING && f->expanded >= f->limit) f->unsuited = true;
  if (f->unsuited && f->expanded >= opts->max_expanded) status = WEND_BUDGET;
  if (s->buckets.failed) status = WEND_NO_MEMORY;
  s->buckets.ring = f->ring;
  s->stats.expanded = f->expanded, s->stats.pushed = f->pushed, s->stats.loop = WEND_LOOP_FLOOD;
  f->costs = NULL;
  if (status != WEND_RUNNING || f->unsuited) wend_buckets_empty(&s->buckets);
  return status;
}

wend_status wend_flood_run(wend_search *s, uint64_t limit) {
  return wend_pathfinder_run(s, limit < s->opts.max_expanded ? limit : s->opts.max_expanded);
}

wend_status wend_flood(wend_search *s, wend_map *map, const wend_region *region, bool back, const wend_root *roots,
                       uint32_t root_count, const wend_search_opts *opts) {
  const wend_status status = wend_pathfinder_begin_flood(s, map, region, back, roots, root_count, opts);
  return status == WEND_OK ? wend_flood_run(s, UINT64_MAX) : status;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
