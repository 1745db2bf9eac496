/* SPDX-License-Identifier: MIT */
/* Expands a cell: relaxes the steps to its eight neighbours. A part of kernel.c.
 *
 * expand_cells   grids where weights and tags alone decide the costs: the agent view has the cost of a step onto each kind. With
 *                COSTS_ALL, layers and turns add to it: only where the step would make the cell cheaper without them
 * expand_grid    all other grids: with walls, portals, an edge function, or without a palette; also backward searches
 *
 * An example for expand_cells. Every cell has weight 2, the cell c costs 7, and the parent of c lies in the west:
 *
 *        o x x        The steps to the cells x are relaxed: 3 straight ones, after which a path costs 7 + 2 = 9, and 2
 *        P c x        diagonal ones, after which it costs 7 + 2.828 = 9.828. P and the cells o are left out, because P reaches
 *        o x x        the cells o by one step (neighbours.h). */

static const wend_arrival no_arrival = {0, 0};

/* The cell that is expanded. */
typedef struct expanded_cell {
  uint32_t place;
  double g, g_slack;    /* its cost; the same + the slack */
  double x, y;          /* HEURISTIC_CELLS: its offset from the goal */
  uint32_t column, row; /* HEURISTIC_PLANES: where it is; they count the margin */
  double used;          /* COSTS_ALL with turns: the points that are used of its turn */
  double most;          /* COSTS_ALL: a step that costs more may add only this, because it ends the turn */
} expanded_cell;

/* Reads the cost of a cell from its mark, and its position if the heuristic needs it. */
WEND_INLINE expanded_cell load_cell(const hot_state *hot, uint32_t place, const wend_mark *mark,
                                    const wend_heuristic_kind heuristic) {
  expanded_cell cell = {place, mark->g, mark->g + hot->slack, 0, 0, 0, 0, 0, INFINITY};
  if (heuristic == HEURISTIC_CELLS || heuristic == HEURISTIC_PLANES) {
    const uint32_t stride = (uint32_t)hot->stride;
    cell.row = place / stride, cell.column = place - cell.row * stride;
    cell.x = (double)(int32_t)(cell.column - 1) - hot->x;
    cell.y = (double)(int32_t)(cell.row - 1) - hot->y;
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
    flags = mark->stamp & (MARK_EXPANDED | MARK_GOAL | MARK_PENALIZED);
  }
  if (heuristic == HEURISTIC_CELLS) {
    const double x = fabs(from->x + dx), y = fabs(from->y + dy);
    f = g + (x > y ? x * hot->scale + y * hot->minor : y * hot->scale + x * hot->minor);
  } else if (heuristic == HEURISTIC_PLANES) {
    f = g + estimate_by_plane(hot, to, from->column + (uint32_t)dx, from->row + (uint32_t)dy);
  } else if (heuristic == HEURISTIC_GENERAL) {
    f = g + wend_estimate(&s->estimator, to);
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

/* The same, not inlined: only the commonest variants are worth so much code in each of their steps. */
static WEND_NOINLINE void relax_array_cell(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t to, int dx,
                                           int dy, unsigned direction, double cost, wend_heuristic_kind heuristic) {
  relax_cell(s, hot, from, to, dx, dy, direction, cost, heuristic, false, true);
}

/* The same where the marks lie in pages. */
static WEND_NOINLINE void relax_paged_cell(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t to, int dx,
                                           int dy, unsigned direction, double cost, wend_heuristic_kind heuristic) {
  relax_cell(s, hot, from, to, dx, dy, direction, cost, heuristic, true, true);
}

/* The same two with planes. */
static WEND_NOINLINE void relax_array_by_plane(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t to, int dx,
                                               int dy, unsigned direction, double cost) {
  relax_cell(s, hot, from, to, dx, dy, direction, cost, HEURISTIC_PLANES, false, false);
}

static WEND_NOINLINE void relax_paged_by_plane(wend_search *s, hot_state *hot, const expanded_cell *from, uint32_t to, int dx,
                                               int dy, unsigned direction, double cost) {
  relax_cell(s, hot, from, to, dx, dy, direction, cost, HEURISTIC_PLANES, true, false);
}

/* Whether the mark of a place is unset, or has a higher cost. Most steps end here. */
WEND_INLINE bool is_cheaper(const hot_state *hot, uint32_t place, double g_slack, const bool paged) {
  const wend_mark *mark = mark_of(hot, place, paged);
  return mark->stamp < hot->epoch || !(g_slack >= mark->g);
}

/* What a step onto a cell adds to a cost that is counted in turns. INFINITY: it is closed. */
WEND_INLINE double cost_in_turns(const wend_search *s, const expanded_cell *from, uint32_t kind, double cost) {
  const wend_turn_rule *rule = &s->turn_rule;
  const wend_tag_cost *tags = s->opts.costs.tags;
  cost = wend_turn_step_cost(rule, from->used, cost);
  if (tags == NULL || !(cost < INFINITY)) return cost;
  tags += s->grid->palette[kind].tag;
  return !tags->ends_turn ? cost : wend_turn_end(rule, from->g + cost) - from->g;
}

/* Forward only: the cell that a step leads to decides the cost of the step. */
WEND_INLINE void expand_cells(wend_search *s, hot_state *hot, uint32_t place, const wend_mark *mark, uint32_t stamp,
                              const wend_cost_kind by, const wend_heuristic_kind heuristic, const bool perturbed,
                              const bool paged) {
  const ptrdiff_t stride = hot->stride;
  const uint16_t *kind = hot->kinds + place;
  const wend_cell_cost *costs = hot->kind_costs;
  expanded_cell cell = load_cell(hot, place, mark, heuristic);
  const uint8_t *states = hot->kind_states;
  const bool common = by != COSTS_ALL && !perturbed && (heuristic == HEURISTIC_ZERO || heuristic == HEURISTIC_CELLS);
  const bool planes = heuristic == HEURISTIC_PLANES;
  const unsigned north = states[kind[-stride]], west = states[kind[-1]], east = states[kind[1]], south = states[kind[stride]];
  const unsigned allowed = hot->around[(north | west << 1 | east << 2 | south << 3) & 15];
  const unsigned way = stamp >> MARK_WAY_SHIFT & 15;
  if (by == COSTS_ALL && wend_search_turns_on(s)) {
    cell.used = wend_turn_used(&s->turn_rule, cell.g);
    if (s->turn_rule.any) cell.most = s->turn_rule.length - cell.used;
  }
#define PLACE_AT(dx, dy) ((uint32_t)(place + stride * (dy) + (dx)))
#define RELAX(direction, dx, dy, length, cost_onto)                                                                            \
  {                                                                                                                            \
    double cost = cost_factor(hot, PLACE_AT(dx, dy), perturbed) * (cost_onto);                                                 \
    if (common) relax_cell(s, hot, &cell, PLACE_AT(dx, dy), dx, dy, direction, cost, heuristic, paged, false);                 \
    else if (is_cheaper(hot, PLACE_AT(dx, dy), cell.g_slack + (by == COSTS_ALL && cost > cell.most ? cell.most : cost),        \
                        paged)) {                                                                                              \
      if (by == COSTS_ALL) {                                                                                                   \
        cost = cost_factor(hot, PLACE_AT(dx, dy), perturbed) *                                                                 \
               ((cost_onto) +                                                                                                  \
                (length)*wend_influence_under(&s->opts.costs, (uint32_t)stride, s->stepper.covers, PLACE_AT(dx, dy)));         \
        if (wend_search_turns_on(s)) cost = cost_in_turns(s, &cell, kind[stride * (dy) + (dx)], cost);                         \
      }                                                                                                                        \
      if (by == COSTS_ALL && heuristic == HEURISTIC_CELLS)                                                                     \
        relax_cell(s, hot, &cell, PLACE_AT(dx, dy), dx, dy, direction, cost, heuristic, paged, false);                         \
      else if (planes)                                                                                                         \
        (paged ? relax_paged_by_plane : relax_array_by_plane)(s, hot, &cell, PLACE_AT(dx, dy), dx, dy, direction, cost);       \
      else (paged ? relax_paged_cell : relax_array_cell)(s, hot, &cell, PLACE_AT(dx, dy), dx, dy, direction, cost, heuristic); \
    }                                                                                                                          \
  }
#define STEP_STRAIGHT(direction, dx, dy) RELAX(direction, dx, dy, 1, costs[kind[stride * (dy) + (dx)]].straight)
#define STEP_DIAGONAL(direction, dx, dy)                                                                        \
  {                                                                                                             \
    const uint32_t onto = kind[stride * (dy) + (dx)];                                                           \
    if (states[onto] == CELL_OPEN) { RELAX(direction, dx, dy, s->grid->diagonal_length, costs[onto].diagonal) } \
  }
  FOR_STEPS(wend_onward[way] & allowed)
#undef STEP_STRAIGHT
#undef STEP_DIAGONAL
#undef RELAX
#undef PLACE_AT
}

/* Relaxes a step whose cost step.h has computed. g: of `from`. paged: the layout of the marks. False: the cost or the estimate
 * is invalid. */
WEND_INLINE bool relax_step(wend_search *s, hot_state *hot, uint32_t from, double g, uint32_t to, double cost, const bool heap,
                            const bool paged) {
  if (s->stepper.invalid) return false;
  if (!(cost < INFINITY)) return true;
  cost *= cost_factor(hot, to, true);
  if (s->back && !wend_step_enters(&s->stepper, to)) {
    relax_closed(s, hot, from, g, to, cost);
    return true;
  }
  return relax(s, hot, from, g, to, g + cost, no_arrival, EXPAND_GRID, HEURISTIC_GENERAL, heap, paged);
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
