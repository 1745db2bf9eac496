/* SPDX-License-Identifier: MIT */
/* Expands a cell: relaxes the steps to its eight neighbours. A part of kernel.c.
 *
 * expand_cells   grids where weights and tags alone decide the costs: the agent view has the cost of a step onto each kind. With
 *                COSTS_ALL, layers and turns add to it: only where the step would make the cell cheaper without them
 * expand_asked   of a search that trusts its promises, a cell with MARK_ASKED
 * expand_rarely  the same, with variation, or without a palette: then the weight and the tag of each cell are priced
 * expand_grid    all other grids: with walls, portals, or an edge function; also backward searches
 *
 * An example for expand_cells. Every cell has weight 2, the cell c costs 7, and the parent of c lies in the west:
 *
 *        o x x        The steps to the cells x are relaxed: 3 straight ones, after which a path costs 7 + 2 = 9, and 2
 *        P c x        diagonal ones, after which it costs 7 + 2.828 = 9.828. P and the cells o are left out, because P reaches
 *        o x x        the cells o by one step (neighbours.h). */

static const wend_arrival no_arrival = {0, 0};

/* How many columns and rows a step in each direction leads on. */
static const int8_t columns_on[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, rows_on[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

/* The same over hexes, along the shifted lines and across them: by whether lines are columns, and whether the hex is shifted. Half a
 * hex is what a step to another line leads on, there or back. */
#define ROWS(half)                                                                                           \
  {                                                                                                          \
    {-1 + half, -1}, {half, -1}, {1 + half, -1}, {-1, 0}, {1, 0}, {-1 + half, 1}, {half, 1}, { 1 + half, 1 } \
  }
#define COLUMNS(half)                                                                                        \
  {                                                                                                          \
    {-1 + half, -1}, {-1, 0}, {-1 + half, 1}, {half, -1}, {half, 1}, {1 + half, -1}, {1, 0}, { 1 + half, 1 } \
  }
static const double hexes_on[2][2][8][2] = {{ROWS(0.5), ROWS(-0.5)}, {COLUMNS(0.5), COLUMNS(-0.5)}};
#undef ROWS
#undef COLUMNS

/* The cell that is expanded. */
typedef struct expanded_cell {
  uint32_t place;
  double g, g_slack;     /* its cost; the same + the slack */
  double x, y;           /* HEURISTIC_CELLS: its offset from the goal; HEURISTIC_HEXES: along lines and across them */
  const double (*on)[2]; /* HEURISTIC_HEXES: what steps add to these; the steps that are taken */
  const uint8_t *onward;
  bool turns;       /* COSTS_ALL: costs are counted in turns */
  double used;      /* then: the points that are used of its turn */
  double most;      /* COSTS_ALL: a step that costs more may add only this, because it ends the turn */
  bool later;       /* COSTS_ASKED: the function must be asked for a step now: ask_onward */
  unsigned corners; /* then: the diagonals for whose corners it must be asked, as bits */
  /* Marks in pages: those of the cells above, at and below it. With them most neighbours need no look-up. */
  wend_mark *rows[3];
} expanded_cell;

static inline void load_hex(const wend_search *s, expanded_cell *cell) {
  const wend_estimator *e = &s->estimator;
  const bool columns = e->grid->shape >= WEND_ODD_COLUMNS;
  bool shifted;
  double at[2];
  wend_region_hex(e->region, e->grid->shape, cell->place, at);
  shifted = at[columns] != floor(at[columns]);
  cell->on = hexes_on[columns][shifted], cell->onward = wend_hex_onward[columns][shifted];
  cell->x = at[columns] - e->target[columns], cell->y = at[!columns] - e->target[!columns];
}

/* The marks of the cells above and below are in pages. */
WEND_INLINE void find_rows(const hot_state *hot, expanded_cell *cell) {
  cell->rows[0] = wend_paged_mark(hot->sheets, cell->place - (uint32_t)hot->stride);
  cell->rows[2] = wend_paged_mark(hot->sheets, cell->place + (uint32_t)hot->stride);
}

/* mark_of() for the neighbour dx columns and dy rows on. */
WEND_INLINE wend_mark *mark_near(const hot_state *hot, const expanded_cell *from, uint32_t to, int dx, int dy,
                                 const bool paged) {
  if (!paged) return &hot->marks[to];
  if (dx != 0 && WEND_UNLIKELY(to % MARKS_PAGE == (dx > 0 ? 0 : MARKS_PAGE - 1))) return wend_paged_mark(hot->sheets, to);
  return from->rows[dy + 1] + dx;
}

/* Reads the cost of a cell from its mark, and its position if the heuristic needs it. */
WEND_INLINE expanded_cell load_cell(const wend_search *s, const hot_state *hot, uint32_t place, wend_mark *mark,
                                    const wend_heuristic_kind heuristic, const bool paged) {
  expanded_cell cell = {place, mark->g, mark->g + hot->slack, 0, 0, NULL, wend_onward, false, 0, INFINITY,
                        false, 0,       {NULL, mark, NULL}};
  if (paged) find_rows(hot, &cell);
  if (heuristic == HEURISTIC_CELLS) {
    const uint32_t stride = (uint32_t)hot->stride, row = place / stride, column = place - row * stride;
    cell.x = (double)(int32_t)(column - 1) - hot->x;
    cell.y = (double)(int32_t)(row - 1) - hot->y;
  } else if (heuristic == HEURISTIC_HEXES) {
    load_hex(s, &cell);
  }
  return cell;
}

/* relax() for expand_cells: to the neighbour dx columns and dy rows on, in a direction. It cannot fail, because no callback is
 * involved. noted: whether the search may have the option `partial`. asks: whether it has an edge function; asked: MARK_ASKED if that
 * is asked for the step, whose cost is the least that it promises then, otherwise 0. */
WEND_INLINE void relax_cell(wend_search *s, hot_state *hot, expanded_cell *from, uint32_t to, int dx, int dy,
                            unsigned direction, double cost, const wend_heuristic_kind heuristic, const bool paged,
                            const bool noted, const bool asks, uint32_t asked) {
  wend_mark *mark = mark_near(hot, from, to, dx, dy, paged);
  uint32_t flags = 0;
  double g = from->g + cost, f = g;
  if (mark->stamp >= hot->epoch) { /* the mark is of this search: no search has a greater epoch */
    if (from->g_slack + cost >= mark->g) return;
    flags = mark->stamp & (MARK_EXPANDED | MARK_GOAL | MARK_ASKED);
    if (asks && asked != 0 && (flags & MARK_ASKED) == 0) { /* this cost is real, and is not lost for a lower bound */
      from->later = true;
      return;
    }
    if (asks) flags &= ~MARK_ASKED;
  }
  if (heuristic == HEURISTIC_CELLS) {
    f = g + estimate_offset(from->x + dx, from->y + dy, hot->scale, hot->minor);
  } else if (heuristic == HEURISTIC_HEXES) {
    f = g + wend_steps_along(from->x + from->on[direction][0], from->y + from->on[direction][1]) * hot->scale;
  } else if (heuristic != HEURISTIC_ZERO) {
    f = g + estimate_rarely(s, to, heuristic);
  }
  if (WEND_UNLIKELY(!(f < hot->f_ceiling))) {
    if (f < INFINITY) s->pruned = true;
    return;
  }
  if (paged && WEND_UNLIKELY(is_of_no_page(mark, to))) {
    if ((mark = add_mark(s, to)) == NULL) return;
    find_rows(hot, from);
  }
  mark->g = g;
  mark->stamp = hot->epoch | flags | asked | (7u - direction) << MARK_WAY_SHIFT | MARK_OPEN;
  mark->parent = from->place;
  hot->pushed++;
  if (noted && WEND_UNLIKELY(s->opts.partial)) wend_kernel_note_nearest(s, to, g, from->place);
  wend_buckets_push(&s->buckets, &hot->ring, &s->alloc, f, to);
}

/* Whether a mark is unset, or has a higher cost. Most steps end here. */
WEND_INLINE bool is_cheaper(const hot_state *hot, const wend_mark *mark, double g_slack) {
  return mark->stamp < hot->epoch || !(g_slack >= mark->g);
}

/* What a step onto a cell adds to a cost that is counted in turns. INFINITY: it is closed. */
static WEND_NOINLINE double cost_in_turns(const wend_search *s, double g, double used, uint32_t place, double cost) {
  const wend_turn_rule *rule = &s->turn_rule;
  const wend_tag_cost *tags = s->opts.costs.tags;
  cost = wend_turn_step_cost(rule, used, cost);
  if (tags == NULL || !(cost < INFINITY)) return cost;
  tags += wend_region_get(&s->region, s->grid, place).tag;
  return !tags->ends_turn ? cost : wend_turn_end(rule, g + cost) - g;
}

/* What layers add to a step of length 1 onto a cell. */
WEND_INLINE double added_by_layers(const wend_search *s, uint32_t place) {
  return wend_influence_under(&s->opts.costs, s->region.stride, s->stepper.covers, place);
}

/* Relaxes the step in a direction, to the neighbour dx columns and dy rows on. cost: onto its kind. */
WEND_INLINE void relax_neighbour(wend_search *s, hot_state *hot, expanded_cell *from, uint32_t to, int dx, int dy,
                                 unsigned direction, double cost, const wend_cost_kind by, const wend_heuristic_kind heuristic,
                                 const bool perturbed, const bool paged) {
  double factor = 1;
  uint32_t asked = 0;
  if (by == COSTS_ASKED) {
    if (signbit(cost) || (from->corners >> direction & 1) != 0) asked = MARK_ASKED;
    cost = fabs(cost);
  }
  if ((by == COSTS_ALL || perturbed) &&
      !is_cheaper(hot, mark_near(hot, from, to, dx, dy, paged), from->g_slack + (cost > from->most ? from->most : cost)))
    return;
  if (perturbed) factor = factor_onto(s, to, 0), cost *= factor;
  if (by == COSTS_ALL) {
    if (s->opts.costs.influence_count > 0)
      cost += factor * (IS_DIAGONAL(direction) ? s->grid->diagonal_length : 1) * added_by_layers(s, to);
    if (from->turns) cost = cost_in_turns(s, from->g, from->used, to, cost);
  }
  relax_cell(s, hot, from, to, dx, dy, direction, cost, heuristic, paged, by == COSTS_ALL || perturbed, by == COSTS_ASKED,
             asked);
}

/* What a step onto a place costs, with a palette and without. INFINITY: it is closed. */
WEND_INLINE wend_cell_cost cost_onto(const hot_state *hot, uint32_t place) {
  return hot->kinds != NULL ? hot->kind_costs[hot->kinds[place]] : wend_own_price(&hot->own, place);
}

/* Relaxes the steps of a search with variation, or without a palette. Neither is worth the code of relax_cell for each direction. */
WEND_INLINE void expand_rarely(wend_search *s, hot_state *hot, expanded_cell *from, uint32_t stamp, const wend_cost_kind by,
                               const wend_heuristic_kind heuristic, const bool paged) {
  const uint32_t north = from->place - (uint32_t)hot->stride, south = from->place + (uint32_t)hot->stride;
  const double straight[4] = {cost_onto(hot, north).straight, cost_onto(hot, from->place - 1).straight,
                              cost_onto(hot, from->place + 1).straight, cost_onto(hot, south).straight};
  unsigned closed = 0, steps;
  for (int i = 0; i < 4; i++) closed |= (unsigned)(straight[i] == INFINITY) << i;
  steps = wend_onward[stamp >> MARK_WAY_SHIFT & 15] & hot->around[closed];
  if (hot->bars != NULL) steps &= ~(unsigned)hot->bars[from->place];
  for (; steps != 0; steps &= steps - 1) {
    const unsigned d = wend_lowest_bit(steps);
    const uint32_t to = (uint32_t)(from->place + hot->stride * rows_on[d] + columns_on[d]);
    const wend_cell_cost onto = cost_onto(hot, to);
    const double cost = IS_DIAGONAL(d) ? onto.diagonal : onto.straight;
    if (cost == INFINITY) continue;
    relax_neighbour(s, hot, from, to, columns_on[d], rows_on[d], d, cost, by, heuristic, true, paged);
  }
}

/* Whether the edge function is asked about a kind; and about any beside a cell. */
WEND_INLINE unsigned is_asked(const wend_cell_cost *costs, uint16_t kind) { return signbit(costs[kind].straight) != 0; }
WEND_INLINE bool is_asked_beside(const wend_cell_cost *costs, const uint16_t *kind, ptrdiff_t stride) {
  const uint16_t *north = kind - stride, *south = kind + stride;
  return (is_asked(costs, north[-1]) | is_asked(costs, north[0]) | is_asked(costs, north[1]) | is_asked(costs, kind[-1]) |
          is_asked(costs, kind[1]) | is_asked(costs, south[-1]) | is_asked(costs, south[0]) | is_asked(costs, south[1])) != 0;
}

/* The diagonals that pass a cell about which the function is asked, as bits. */
static WEND_NOINLINE unsigned asked_corners(const wend_cell_cost *costs, const uint16_t *kind, ptrdiff_t stride) {
  const unsigned north = is_asked(costs, kind[-stride]), south = is_asked(costs, kind[stride]);
  const unsigned west = is_asked(costs, kind[-1]), east = is_asked(costs, kind[1]);
  return (north | west) << NORTH_WEST | (north | east) << NORTH_EAST | (south | west) << SOUTH_WEST |
         (south | east) << SOUTH_EAST;
}

/* Forward only: the cell that a step leads to decides the cost of the step. False: the edge function must be asked now for a
 * step. */
WEND_INLINE bool expand_cells(wend_search *s, hot_state *hot, uint32_t place, wend_mark *mark, uint32_t stamp,
                              const wend_cost_kind by, const wend_heuristic_kind heuristic, const bool perturbed,
                              const bool paged) {
  const ptrdiff_t stride = hot->stride;
  const uint16_t *kind;
  const wend_cell_cost *costs = hot->kind_costs;
  expanded_cell cell = load_cell(s, hot, place, mark, heuristic, paged);
  const uint8_t *states = hot->kind_states;
  unsigned north, west, east, south, steps, way = stamp >> MARK_WAY_SHIFT & 15;
  if (by == COSTS_ALL && wend_search_turns_on(s)) {
    cell.turns = true;
    cell.used = wend_turn_used(&s->turn_rule, cell.g);
    if (s->turn_rule.any) cell.most = s->turn_rule.length - cell.used;
  }
  if (perturbed) {
    expand_rarely(s, hot, &cell, stamp, by, heuristic, paged);
    return true;
  }
  kind = hot->kinds + place;
  if (by == COSTS_ASKED) { /* the parent may reach such a cell, but at what cost is not known */
    if (is_asked_beside(costs, kind, stride)) way = NO_WAY;
    if (!s->stepper.passes_corners && heuristic != HEURISTIC_HEXES) cell.corners = asked_corners(costs, kind, stride);
  }
  north = states[kind[-stride]], west = states[kind[-1]], east = states[kind[1]], south = states[kind[stride]];
  steps = cell.onward[way] & hot->around[(north | west << 1 | east << 2 | south << 3) & 15];
  if (heuristic != HEURISTIC_HEXES && WEND_UNLIKELY(hot->bars != NULL)) steps &= ~(unsigned)hot->bars[place];
#define RELAX(direction, dx, dy, cost)                                                                                    \
  relax_neighbour(s, hot, &cell, (uint32_t)(place + stride * (dy) + (dx)), dx, dy, direction, cost, by, heuristic, false, \
                  paged);
#define STEP_STRAIGHT(direction, dx, dy) RELAX(direction, dx, dy, costs[kind[stride * (dy) + (dx)]].straight)
#define STEP_DIAGONAL(direction, dx, dy)                                              \
  {                                                                                   \
    const uint32_t onto = kind[stride * (dy) + (dx)];                                 \
    if (states[onto] == CELL_OPEN) { RELAX(direction, dx, dy, costs[onto].diagonal) } \
  }
  FOR_STEPS(steps)
#undef STEP_STRAIGHT
#undef STEP_DIAGONAL
#undef RELAX
  return !(by == COSTS_ASKED && cell.later);
}

/* Relaxes a step whose cost step.h has computed. g: of `from`. paged: the layout of the marks. False: the cost or the estimate
 * is invalid. */
WEND_INLINE bool relax_step(wend_search *s, hot_state *hot, uint32_t from, double g, uint32_t to, double cost, bool heap,
                            bool paged) {
  if (s->stepper.invalid) return false;
  if (!(cost < INFINITY)) return true;
  cost *= factor_onto(s, s->back ? from : to, 0);
  if (s->back && !wend_step_enters(&s->stepper, to)) {
    relax_closed(s, hot, from, g, to, cost);
    return true;
  }
  return relax_rarely(s, hot, from, g, to, g + cost, no_arrival, EXPAND_GRID, heap, paged);
}

/* The cost of a place as far as this search knows it; INFINITY: not reached. */
WEND_INLINE double known_cost(const hot_state *hot, uint32_t place, const bool paged) {
  const wend_mark *mark = mark_of(hot, place, paged);
  return mark->stamp - hot->epoch <= MARK_FLAGS ? mark->g : INFINITY;
}

/* Relaxes the portals that leave a cell, or in a backward search lead to it. g: of the cell. False: a cost or an estimate is
 * invalid. */
static WEND_NOINLINE bool expand_portals(wend_search *s, hot_state *hot, uint32_t from, double g, bool heap, bool paged) {
  const uint32_t here = wend_region_find(&s->whole, s->grid, wend_region_cell(&s->region, s->grid, from));
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(s->grid, here, s->back, &count);
  for (uint32_t i = 0; i < count; i++) {
    const wend_id cell = wend_region_cell(&s->whole, s->grid, s->back ? portals[i].from : portals[i].to);
    const uint32_t to = wend_region_find(&s->region, s->grid, cell);
    double cost;
    if (to == WEND_NONE || !wend_region_has(&s->region, to)) continue; /* outside the window */
    cost = wend_step_portal(&s->stepper, &portals[i], s->back ? to : from, s->back ? from : to, g, known_cost(hot, to, paged));
    if (!relax_step(s, hot, from, g, to, cost, heap, paged)) return false;
  }
  return true;
}

/* Expands a cell of any grid; with s->back against the direction of travel. False: a cost or an estimate is invalid. */
WEND_INLINE bool expand_grid(wend_search *s, hot_state *hot, uint32_t from, const wend_mark *mark, const bool heap,
                             const bool paged) {
  wend_stepper *stepper = &s->stepper;
  const double g = mark->g;
  wend_memo memo;
  wend_memo_clear(&memo);
  if (s->back && !wend_step_enters(stepper, from)) return true;
  for (int d = 0; d < 8; d++) {
    const uint32_t to = (uint32_t)(from + wend_offset(s->region.stride, d));
    double cost;
    if (!wend_region_has(&s->region, to)) continue;
    cost = s->back ? wend_step_cell(stepper, to, 7 - d, g, worth_of(s, known_cost(hot, to, paged)), NULL)
                   : wend_step_cell(stepper, from, d, g, worth_of(s, known_cost(hot, to, paged)), &memo);
    if (!relax_step(s, hot, from, g, to, cost, heap, paged)) return false;
  }
  return s->grid->live_portals == 0 || expand_portals(s, hot, from, g, heap, paged);
}

/* Expands a cell with MARK_ASKED, of a search that trusts its promises: the steps that were asked cost what the function has said, all
 * others the least that it promises. heap: whether the search uses it. */
static WEND_NOINLINE wend_status expand_asked(wend_search *s, uint32_t from, const bool heap) {
  const double g = wend_marks_of(&s->marks, from)->g;
  hot_state hot;
  if (heap && !wend_heap_reserve(&s->heap, &s->alloc, 8)) return WEND_NO_MEMORY;
  load_hot(s, &hot, 0, EXPAND_CELLS);
  for (int d = 0; d < 8; d++) {
    const uint32_t to = wend_stepper_next(&s->stepper, from, d);
    double cost = wend_search_asked(s, from, d);
    if (!(cost == cost)) cost = wend_step_cell(&s->stepper, from, d, 0, INFINITY, NULL);
    if (cost < INFINITY) (void)relax_rarely(s, &hot, from, g, to, g + cost, no_arrival, EXPAND_CELLS, heap, s->marks.paged);
  }
  store_hot(s, &hot);
  return WEND_OK;
}

/* The cost of a path that goes on by the step from a place, for which the edge function is asked. tested: the step passes no corner
 * that is closed without the function. */
static double ask_step(wend_search *s, uint32_t from, int direction, bool tested) {
  const wend_diagonals diagonals = tested && s->stepper.passes_corners ? WEND_ALWAYS : s->grid->diagonals;
  const double length = wend_step_length(s->grid, direction);
  return wend_marks_of(&s->marks, from)->g + wend_step_stretch(&s->stepper, from, direction, length, diagonals);
}

/* Asks for the steps from a cell that could make neighbours cheaper whose costs are no longer lower bounds. */
static WEND_NOINLINE wend_status ask_onward(wend_search *s, uint32_t from) {
  const double g = wend_marks_of(&s->marks, from)->g;
  for (int d = 0; d < 8; d++) {
    const uint32_t to = wend_stepper_next(&s->stepper, from, d);
    const wend_mark *mark = wend_marks_of(&s->marks, to);
    const wend_cell_cost least = s->promises.costs[s->region.kinds[to]];
    double sum;
    hot_state hot;
    if (!wend_mark_is_set(&s->marks, mark) || (mark->stamp & MARK_ASKED) != 0) continue;
    if (g + fabs(IS_DIAGONAL(d) ? least.diagonal : least.straight) + s->slack >= mark->g) continue;
    sum = ask_step(s, from, d, false);
    if (s->stepper.invalid) return WEND_ABORTED;
    wend_search_find_view(s);
    load_hot(s, &hot, 0, EXPAND_CELLS);
    if (sum < INFINITY) (void)relax_rarely(s, &hot, from, g, to, sum, no_arrival, EXPAND_CELLS, false, s->marks.paged);
    store_hot(s, &hot);
  }
  return WEND_OK;
}

/* A place with MARK_ASKED was popped: its cost is the least that the edge function promises. Asks for the step that led to it. If that
 * costs more, other steps from expanded cells may cost less: these are asked too, the cheapest first, until the cheapest is one that
 * was asked. *settled: the place costs what was assumed, and may be expanded. Otherwise it was pushed again. RUNNING: the search has to
 * begin again. */
static WEND_NOINLINE wend_status settle_step(wend_search *s, uint32_t to, bool *settled) {
  wend_mark *mark = wend_marks_of(&s->marks, to);
  const double assumed = mark->g + s->slack;
  const wend_cell_cost least = s->promises.costs[s->region.kinds[to]];
  int at = 7 - (int)(mark->stamp >> MARK_WAY_SHIFT & 15);
  const int first = at;
  unsigned known = 0;
  double sums[8], f;
  *settled = (mark->stamp & MARK_ASKED) == 0;
  if (*settled) return WEND_OK;
  if (s->found && !(mark->g + wend_estimate(&s->estimator, to) < s->f_ceiling)) {
    mark->stamp &= ~MARK_OPEN;
    return WEND_OK;
  }
  for (;;) {
    sums[at] = ask_step(s, (uint32_t)(to - wend_offset(s->region.stride, at)), at, known == 0);
    if (s->stepper.invalid) return WEND_ABORTED;
    if (sums[at] == INFINITY && s->stepper.passes_corners && (at == first || !IS_DIAGONAL(at))) {
      s->stepper.passes_corners = false; /* the function closes steps */
      s->promises.regrets = s->stats.expanded < s->promises.regrets_until;
      if (s->promises.regrets) return WEND_RUNNING;
    }
    if (known == 0 && sums[at] <= assumed) break;
    for (int d = 0; d < 8 && known == 0; d++) {
      const wend_mark *before = wend_marks_of(&s->marks, (uint32_t)(to - wend_offset(s->region.stride, d)));
      if (d == at) continue;
      sums[d] = wend_mark_is_set(&s->marks, before) && (before->stamp & MARK_EXPANDED) != 0
                    ? before->g + fabs(IS_DIAGONAL(d) ? least.diagonal : least.straight)
                    : INFINITY;
    }
    known |= 1u << at;
    for (int d = 0; d < 8; d++)
      if (sums[d] + ((known >> d & 1) == 0 ? s->slack : 0) < sums[at]) at = d;
    if ((known >> at & 1) != 0) break;
  }
  wend_search_find_view(s);
  mark->g = sums[at];
  mark->parent = (uint32_t)(to - wend_offset(s->region.stride, at));
  mark->stamp = (mark->stamp & ~(15u << MARK_WAY_SHIFT | MARK_OPEN | MARK_ASKED)) | (7u - (unsigned)at) << MARK_WAY_SHIFT;
  if (sums[at] == INFINITY) return WEND_OK;
  *settled = sums[at] <= assumed;
  if (*settled) return WEND_OK;
  f = sums[at] + wend_estimate(&s->estimator, to);
  if (!(f < s->f_ceiling)) return WEND_OK;
  mark->stamp |= MARK_OPEN;
  s->stats.pushed++;
  wend_buckets_push(&s->buckets, &s->buckets.ring, &s->alloc, f, to);
  return WEND_OK;
}
