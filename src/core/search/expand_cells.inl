/* SPDX-License-Identifier: MIT */
/* Cells: from a cell to the eight around it. A part of kernel.c.
 *
 * expand_cells   weights and tags alone: the agent view has the cost of a step onto each kind of cell
 * expand_grid    everything else: walls, portals, edge functions, no palette */

static const wend_arrival no_arrival = {0, 0};

/* A cell at work. */
typedef struct cell_at_work {
  uint32_t place;
  double g, g_slack;
  double x, y; /* from the goal: HEURISTIC_CELLS */
} cell_at_work;

WEND_INLINE cell_at_work take_cell(const hot_state *hot, uint32_t place, const wend_heuristic_kind heuristic) {
  cell_at_work cell = {place, hot->marks[place].g, hot->marks[place].g + hot->slack, 0, 0};
  if (heuristic == HEURISTIC_CELLS) {
    const uint32_t stride = (uint32_t)hot->stride, row = place / stride;
    cell.x = (double)(int32_t)(place - row * stride - 1) - hot->x;
    cell.y = (double)(int32_t)(row - 1) - hot->y;
  }
  return cell;
}

/* relax() for plain cells, of which nothing can give up: to a neighbour dx columns and dy rows on, in a direction. */
WEND_INLINE void offer(wend_search *s, hot_state *hot, const cell_at_work *from, uint32_t to, int dx, int dy,
                       unsigned direction, double cost, const wend_heuristic_kind heuristic) {
  wend_mark *mark = &hot->marks[to];
  uint32_t flags = 0;
  double g = from->g + cost, f = g;
  if (mark->stamp >= hot->epoch) { /* stamps only grow */
    if (from->g_slack + cost >= mark->g) return;
    flags = mark->stamp & (MARK_EXPANDED | MARK_GOAL | MARK_PENALIZED);
  }
  if (heuristic == HEURISTIC_CELLS) {
    const double x = fabs(from->x + dx), y = fabs(from->y + dy);
    f = g + (x > y ? x * hot->scale + y * hot->minor : y * hot->scale + x * hot->minor);
  } else if (heuristic == HEURISTIC_GENERAL) {
    f = g + wend_estimate(&s->estimator, to);
  }
  if (WEND_UNLIKELY(!(f < hot->f_ceiling))) {
    hot->pruned = true;
    return;
  }
  mark->g = g;
  mark->stamp = hot->epoch | flags | (7u - direction) << MARK_WAY_SHIFT | MARK_OPEN;
  mark->parent = from->place;
  hot->pushed++;
  wend_buckets_push(&s->buckets, &hot->ring, &s->alloc, f, to);
}

/* Going on: a step costs what the cell that it leads to says. */
WEND_INLINE void expand_cells(wend_search *s, hot_state *hot, uint32_t place, uint32_t stamp, const wend_heuristic_kind heuristic,
                              const bool perturbed) {
  const ptrdiff_t stride = hot->stride;
  const uint16_t *kind = hot->kinds + place;
  const wend_cell_cost *costs = hot->kind_costs;
  const cell_at_work cell = take_cell(hot, place, heuristic);
  const uint8_t *states = hot->kind_states;
  const unsigned north = states[kind[-stride]], west = states[kind[-1]], east = states[kind[1]], south = states[kind[stride]];
  const unsigned worth = hot->around[(north | west << 1 | east << 2 | south << 3) & 15];
#define BESIDE(direction, dx, dy)                                                                                    \
  if ((worth >> (direction) & 1) != 0)                                                                               \
    offer(s, hot, &cell, (uint32_t)(place + (dy) * stride + (dx)), dx, dy, direction,                               \
          costs[kind[(dy) * stride + (dx)]].straight * cost_factor(hot, (uint32_t)(place + (dy) * stride + (dx)), perturbed), \
          heuristic);
#define ACROSS(direction, dx, dy)                                                                                    \
  if ((worth >> (direction) & 1) != 0) {                                                                             \
    const uint32_t is = kind[(dy) * stride + (dx)];                                                                  \
    if (states[is] == CELL_OPEN)                                                                                     \
      offer(s, hot, &cell, (uint32_t)(place + (dy) * stride + (dx)), dx, dy, direction,                             \
            costs[is].diagonal * cost_factor(hot, (uint32_t)(place + (dy) * stride + (dx)), perturbed), heuristic);           \
  }
  LOOK_AROUND(stamp >> MARK_WAY_SHIFT & 15)
#undef BESIDE
#undef ACROSS
}

/* Relaxes one step of the general kind. */
static bool offer_step(wend_search *s, hot_state *hot, uint32_t from, uint32_t to, double cost, bool heap) {
  const double g = hot->marks[from].g;
  if (s->stepper.gave_up) return false;
  if (!(cost < INFINITY)) return true;
  cost *= cost_factor(hot, to, true);
  if (s->back && !wend_step_enters(&s->stepper, to)) {
    relax_closed(s, hot, from, g, to, cost);
    return true;
  }
  return heap ? relax(s, hot, from, g, to, cost, no_arrival, EXPAND_GRID, HEURISTIC_GENERAL, true)
              : relax(s, hot, from, g, to, cost, no_arrival, EXPAND_GRID, HEURISTIC_GENERAL, false);
}

static double known_cost(const hot_state *hot, uint32_t place) {
  const wend_mark *mark = &hot->marks[place];
  return mark->stamp - hot->epoch <= MARK_FLAGS ? mark->g : INFINITY;
}

static bool expand_portals(wend_search *s, hot_state *hot, uint32_t from, const bool heap) {
  const uint32_t here = wend_region_find(&s->whole, s->grid, wend_region_cell(&s->region, s->grid, from));
  const double g = hot->marks[from].g;
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(s->grid, here, s->back, &count);
  for (uint32_t i = 0; i < count; i++) {
    const wend_id cell = wend_region_cell(&s->whole, s->grid, s->back ? portals[i].from : portals[i].to);
    const uint32_t to = wend_region_find(&s->region, s->grid, cell);
    double cost;
    if (to == WEND_NONE || !wend_region_has(&s->region, to)) continue; /* outside of the window */
    cost = wend_step_portal(&s->stepper, &portals[i], s->back ? to : from, s->back ? from : to, g, known_cost(hot, to));
    if (!offer_step(s, hot, from, to, cost, heap)) return false;
  }
  return true;
}

static WEND_NOINLINE bool expand_grid(wend_search *s, hot_state *hot, uint32_t from, const bool heap) {
  wend_stepper *stepper = &s->stepper;
  const double g = hot->marks[from].g;
  wend_memo memo;
  wend_memo_clear(&memo);
  if (s->back && !wend_step_enters(stepper, from)) return true;
  for (int d = 0; d < 8; d++) {
    const uint32_t to = (uint32_t)(from + wend_offset(s->region.stride, d));
    double cost;
    if (!wend_region_has(&s->region, to)) continue;
    cost = s->back ? wend_step_cell(stepper, to, 7 - d, g, known_cost(hot, to), NULL)
                   : wend_step_cell(stepper, from, d, g, known_cost(hot, to), &memo);
    if (!offer_step(s, hot, from, to, cost, heap)) return false;
  }
  return s->grid->live_portals == 0 || expand_portals(s, hot, from, heap);
}
