/* SPDX-License-Identifier: MIT */
/* Cells: from a cell to the eight around it. A part of search.c.
 *
 * expand_cells   weights and tags alone: a step costs what the outlook says of the kind stepped onto
 * expand_grid    everything else: walls, links, edge functions, no palette */

static const wend_arrival no_arrival = {0, 0};

/* A cell at work. */
typedef struct cell_at_work {
  uint32_t place;
  double g, g_slack;
  double x, y; /* from the goal: GUESS_CELLS */
} cell_at_work;

WEND_INLINE cell_at_work take_cell(const lane_state *lane, uint32_t place, const wend_guess_kind guess) {
  cell_at_work cell = {place, lane->marks[place].g, lane->marks[place].g + lane->slack, 0, 0};
  if (guess == GUESS_CELLS) {
    const uint32_t stride = (uint32_t)lane->stride, row = place / stride;
    cell.x = (double)(int32_t)(place - row * stride - 1) - lane->x;
    cell.y = (double)(int32_t)(row - 1) - lane->y;
  }
  return cell;
}

/* relax() for plain cells, of which nothing can give up: to a neighbour dx columns and dy rows on, in a direction. */
WEND_INLINE void offer(wend_search *s, lane_state *lane, const cell_at_work *from, uint32_t to, int dx, int dy,
                       unsigned direction, double cost, const wend_guess_kind guess) {
  wend_mark *mark = &lane->marks[to];
  uint32_t flags = 0;
  double g = from->g + cost, f = g;
  if (mark->stamp >= lane->epoch) { /* stamps only grow */
    if (from->g_slack + cost >= mark->g) return;
    flags = mark->stamp & (MARK_EXPANDED | MARK_GOAL | MARK_WORN);
  }
  if (guess == GUESS_CELLS) {
    const double x = fabs(from->x + dx), y = fabs(from->y + dy);
    f = g + (x > y ? x * lane->scale + y * lane->minor : y * lane->scale + x * lane->minor);
  } else if (guess == GUESS_GENERAL) {
    f = g + general_estimate(s, to);
  }
  if (WEND_UNLIKELY(!(f < lane->f_ceiling))) {
    lane->pruned = true;
    return;
  }
  mark->g = g;
  mark->stamp = lane->epoch | flags | (7u - direction) << MARK_WAY_SHIFT | MARK_OPEN;
  mark->parent = from->place;
  lane->pushed++;
  wend_buckets_push(&s->buckets, &lane->ring, &s->alloc, f, to);
}

/* Going on: a step costs what the cell that it leads to says. */
WEND_INLINE void expand_cells(wend_search *s, lane_state *lane, uint32_t place, uint32_t stamp, const wend_guess_kind guess,
                              const bool varied) {
  const ptrdiff_t stride = lane->stride;
  const uint16_t *kind = lane->kinds + place;
  const wend_step_cost *costs = lane->kind_costs;
  const cell_at_work cell = take_cell(lane, place, guess);
  const uint8_t *states = lane->kind_states;
  const unsigned north = states[kind[-stride]], west = states[kind[-1]], east = states[kind[1]], south = states[kind[stride]];
  const unsigned worth = lane->around[(north | west << 1 | east << 2 | south << 3) & 15];
#define BESIDE(direction, dx, dy)                                                                                    \
  if ((worth >> (direction) & 1) != 0)                                                                               \
    offer(s, lane, &cell, (uint32_t)(place + (dy) * stride + (dx)), dx, dy, direction,                               \
          costs[kind[(dy) * stride + (dx)]].straight * taste_of(lane, (uint32_t)(place + (dy) * stride + (dx)), varied), \
          guess);
#define ACROSS(direction, dx, dy)                                                                                    \
  if ((worth >> (direction) & 1) != 0) {                                                                             \
    const uint32_t is = kind[(dy) * stride + (dx)];                                                                  \
    if (states[is] == CELL_OPEN)                                                                                     \
      offer(s, lane, &cell, (uint32_t)(place + (dy) * stride + (dx)), dx, dy, direction,                             \
            costs[is].diagonal * taste_of(lane, (uint32_t)(place + (dy) * stride + (dx)), varied), guess);           \
  }
  LOOK_AROUND(stamp >> MARK_WAY_SHIFT & 15)
#undef BESIDE
#undef ACROSS
}

/* One step of the general kind, between a cell and what it is expanded to. */
static bool offer_step(wend_search *s, lane_state *lane, uint32_t from, uint32_t to, double cost, bool heap) {
  const double g = lane->marks[from].g;
  if (s->walker.gave_up) return false;
  if (!(cost < INFINITY)) return true;
  cost *= taste_of(lane, to, true);
  if (s->back && !wend_walker_enters(&s->walker, to)) {
    relax_closed(s, lane, from, g, to, cost);
    return true;
  }
  return heap ? relax(s, lane, from, g, to, cost, no_arrival, WALK_GRID, GUESS_GENERAL, true)
              : relax(s, lane, from, g, to, cost, no_arrival, WALK_GRID, GUESS_GENERAL, false);
}

static double known_cost(const lane_state *lane, uint32_t place) {
  const wend_mark *mark = &lane->marks[place];
  return mark->stamp - lane->epoch <= MARK_FLAGS ? mark->g : INFINITY;
}

static WEND_NOINLINE bool expand_grid(wend_search *s, lane_state *lane, uint32_t from, const bool heap) {
  wend_walker *w = &s->walker;
  const double g = lane->marks[from].g;
  wend_memo memo;
  wend_memo_clear(&memo);
  if (s->back && !wend_walker_enters(w, from)) return true;
  for (int d = 0; d < 8; d++) {
    uint32_t to = (uint32_t)(from + wend_offset(s->view.stride, d));
    double cost;
    if (!wend_view_has(&s->view, to)) continue;
    cost = s->back ? wend_walker_step(w, to, 7 - d, g, known_cost(lane, to), NULL)
                   : wend_walker_step(w, from, d, g, known_cost(lane, to), &memo);
    if (!offer_step(s, lane, from, to, cost, heap)) return false;
  }
  if (s->grid->live_links > 0) {
    uint32_t count, here = wend_view_find(&s->whole, s->grid, wend_view_cell(&s->view, s->grid, from));
    const wend_link *links = wend_grid_links(s->grid, here, s->back, &count);
    for (uint32_t i = 0; i < count; i++) {
      wend_id cell = wend_view_cell(&s->whole, s->grid, s->back ? links[i].from : links[i].to);
      uint32_t to = wend_view_find(&s->view, s->grid, cell);
      double cost;
      if (to == WEND_NONE || !wend_view_has(&s->view, to)) continue; /* outside of the window */
      cost = wend_walker_link(w, &links[i], s->back ? to : from, s->back ? from : to, g, known_cost(lane, to));
      if (!offer_step(s, lane, from, to, cost, heap)) return false;
    }
  }
  s->stats.callbacks = w->callbacks;
  return true;
}
