/* SPDX-License-Identifier: MIT */
/* Expands a cell: relaxes the steps to its eight neighbours. A part of kernel.c.
 *
 * expand_cells   grids where weights and tags alone decide the costs: the agent view has the cost of a step onto each kind. With
 *                COSTS_ALL, layers and turns add to it: only where the step would make the cell cheaper without them
 * expand_asked   with COSTS_ASKED, a cell beside one that the edge function is asked about; and a cell with MARK_ASKED
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
  bool turns;  /* COSTS_ALL: costs are counted in turns */
  double used; /* then: the points that are used of its turn */
  double most; /* COSTS_ALL: a step that costs more may add only this, because it ends the turn */
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

/* Reads the cost of a cell from its mark, and its position if the heuristic needs it. */
WEND_INLINE expanded_cell load_cell(const wend_search *s, const hot_state *hot, uint32_t place, const wend_mark *mark,
                                    const wend_heuristic_kind heuristic) {
  expanded_cell cell = {place, mark->g, mark->g + hot->slack, 0, 0, NULL, wend_onward, false, 0, INFINITY};
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
 * involved. noted: whether the search may have the option `partial`. */
WEND_INLINE void relax_cell(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t to, int dx, int dy,
                            unsigned direction, double cost, const wend_heuristic_kind heuristic, const bool paged,
                            const bool noted) {
  wend_mark *mark = mark_of(hot, to, paged);
  uint32_t flags = 0;
  double g = from->g + cost, f = g;
  if (mark->stamp >= hot->epoch) { /* the mark is of this search: no search has a greater epoch */
    if (from->g_slack + cost >= mark->g) return;
    flags = mark->stamp & (MARK_EXPANDED | MARK_GOAL | MARK_ASKED);
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
  if ((mark = mark_to_set(s, hot, to, mark, paged)) == NULL) return;
  mark->g = g;
  mark->stamp = hot->epoch | flags | (7u - direction) << MARK_WAY_SHIFT | MARK_OPEN;
  mark->parent = from->place;
  hot->pushed++;
  if (noted && WEND_UNLIKELY(s->opts.partial)) wend_kernel_note_nearest(s, to, g, from->place);
  wend_buckets_push(&s->buckets, &hot->ring, &s->alloc, f, to);
}

/* Whether the mark of a place is unset, or has a higher cost. Most steps end here. */
WEND_INLINE bool is_cheaper(const hot_state *hot, uint32_t place, double g_slack, const bool paged) {
  const wend_mark *mark = mark_of(hot, place, paged);
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
WEND_INLINE void relax_neighbour(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t to, int dx, int dy,
                                 unsigned direction, double cost, const wend_cost_kind by, const wend_heuristic_kind heuristic,
                                 const bool perturbed, const bool paged) {
  double factor = 1;
  if ((by == COSTS_ALL || perturbed) && !is_cheaper(hot, to, from->g_slack + (cost > from->most ? from->most : cost), paged))
    return;
  if (perturbed) factor = factor_onto(s, to, 0), cost *= factor;
  if (by == COSTS_ALL) {
    if (s->opts.costs.influence_count > 0)
      cost += factor * (IS_DIAGONAL(direction) ? s->grid->diagonal_length : 1) * added_by_layers(s, to);
    if (from->turns) cost = cost_in_turns(s, from->g, from->used, to, cost);
  }
  relax_cell(s, hot, from, to, dx, dy, direction, cost, heuristic, paged, by == COSTS_ALL || perturbed);
}

/* What a step onto a place costs, with a palette and without. INFINITY: it is closed. */
WEND_INLINE wend_cell_cost cost_onto(const hot_state *hot, uint32_t place) {
  return hot->kinds != NULL ? hot->kind_costs[hot->kinds[place]] : wend_own_price(&hot->own, place);
}

/* Relaxes the steps of a search with variation, or without a palette. Neither is worth the code of relax_cell for each direction. */
WEND_INLINE void expand_rarely(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t stamp,
                               const wend_cost_kind by, const wend_heuristic_kind heuristic, const bool paged) {
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

/* Whether the edge function is asked about a kind beside the cell: those have the cost NaN. */
WEND_INLINE bool is_asked_beside(const wend_cell_cost *costs, const uint16_t *kind, ptrdiff_t stride) {
  const double row = costs[kind[-1]].straight + costs[kind[1]].straight;
  const uint16_t *north = kind - stride, *south = kind + stride;
  const double above = costs[north[-1]].straight + costs[north[0]].straight + costs[north[1]].straight;
  const double below = costs[south[-1]].straight + costs[south[0]].straight + costs[south[1]].straight;
  const double sum = row + above + below;
  return !(sum == sum);
}

/* Forward only: the cell that a step leads to decides the cost of the step. False: expand_asked has to do it. */
WEND_INLINE bool expand_cells(wend_search *s, hot_state *hot, uint32_t place, const wend_mark *mark, uint32_t stamp,
                              const wend_cost_kind by, const wend_heuristic_kind heuristic, const bool perturbed,
                              const bool paged) {
  const ptrdiff_t stride = hot->stride;
  const uint16_t *kind;
  const wend_cell_cost *costs = hot->kind_costs;
  expanded_cell cell = load_cell(s, hot, place, mark, heuristic);
  const uint8_t *states = hot->kind_states;
  unsigned north, west, east, south, steps;
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
  if (by == COSTS_ASKED && WEND_UNLIKELY(is_asked_beside(costs, kind, stride))) return false;
  north = states[kind[-stride]], west = states[kind[-1]], east = states[kind[1]], south = states[kind[stride]];
  steps = cell.onward[stamp >> MARK_WAY_SHIFT & 15] & hot->around[(north | west << 1 | east << 2 | south << 3) & 15];
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
  return true;
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

/* Expands a cell by the edge function. Of a search that trusts its promises, a cell with MARK_ASKED: the steps that were asked cost
 * what the function has said, all others the least that it promises. Otherwise the function is asked for each step that could be an
 * improvement. The cells after it may need all their neighbours: relax() lets them have no way back. So each cell beside one that is
 * asked about comes here, though the steps onto that cell are left out on the ways from its other neighbours. heap: whether the
 * search uses it. */
static WEND_NOINLINE wend_status expand_asked(wend_search *s, uint32_t from, const bool heap) {
  const wend_mark *mark = wend_marks_of(&s->marks, from);
  const bool trusts = s->promises.given != NULL, paged = s->marks.paged;
  const double g = mark->g;
  hot_state hot;
  wend_memo memo;
  if (heap && !wend_heap_reserve(&s->heap, &s->alloc, 8)) return WEND_NO_MEMORY;
  wend_memo_clear(&memo);
  load_hot(s, &hot, 0, EXPAND_CELLS);
  for (int d = 0; d < 8; d++) {
    const uint32_t to = wend_stepper_next(&s->stepper, from, d);
    double cost = trusts ? wend_search_asked(s, from, d) : NAN;
    if (!trusts) cost = wend_step_cell(&s->stepper, from, d, g, known_cost(&hot, to, paged) - hot.slack, &memo);
    else if (!(cost == cost)) cost = wend_step_cell(&s->stepper, from, d, 0, INFINITY, NULL);
    if (s->stepper.invalid) break;
    if (cost < INFINITY) (void)relax_rarely(s, &hot, from, g, to, g + cost, no_arrival, EXPAND_CELLS, heap, paged);
  }
  store_hot(s, &hot);
  if (!trusts) wend_search_find_view(s);
  return s->stepper.invalid ? WEND_ABORTED : WEND_OK;
}
