/* SPDX-License-Identifier: MIT */
/* Cells: from a cell to the eight around it. A part of search.c.
 *
 * expand_cells   weights and tags alone: a step costs what the outlook says of the kind stepped onto
 * expand_grid    everything else: walls, links, edge functions, no palette */

static const wend_arrival no_arrival = {0, 0};

/* How far the goal is from the column before x, from x and from the one after, and so for rows. */
typedef struct target_sides {
  double x[3], y[3];
} target_sides;

WEND_INLINE void measure_sides(const lane_state *lane, uint32_t place, target_sides *sides) {
  const uint32_t stride = (uint32_t)lane->stride;
  const double x = place % stride - 1.0 - lane->x, y = place / stride - 1.0 - lane->y;
  for (int i = 0; i < 3; i++) sides->x[i] = fabs(x + (i - 1)), sides->y[i] = fabs(y + (i - 1));
}

/* Going on: a step costs what the cell that it leads to says. */
WEND_INLINE bool expand_cells(wend_search *s, lane_state *lane, uint32_t from, const wend_guess_kind guess) {
  const ptrdiff_t stride = lane->stride;
  const uint16_t *kind = lane->kinds + from;
  const wend_step_cost *costs = lane->kind_costs;
  const double north = costs[kind[-stride]].straight, west = costs[kind[-1]].straight, east = costs[kind[1]].straight,
               south = costs[kind[stride]].straight;
  const unsigned open = (unsigned)(north < INFINITY) | (unsigned)(west < INFINITY) << 1 |
                        (unsigned)(east < INFINITY) << 2 | (unsigned)(south < INFINITY) << 3;
  const unsigned diagonals = lane->corners[open];
  const double g = lane->marks[from].g;
  target_sides far = {{0, 0, 0}, {0, 0, 0}};
  double cost;
  if (guess == GUESS_CELLS) measure_sides(lane, from, &far);
#define OFFER(offset, cost, column, row)                                                                              \
  if (!relax(s, lane, from, g, (uint32_t)(from + (offset)), cost, no_arrival, far.x[column], far.y[row], WALK_CELLS, \
             guess, false))                                                                                           \
  return false
#define OFFER_DIAGONAL(bit, offset, column, row)                                           \
  if ((diagonals & (bit)) != 0 && (cost = costs[kind[offset]].diagonal) < INFINITY) \
  OFFER(offset, cost, column, row)
  OFFER_DIAGONAL(1, -stride - 1, 0, 0);
  if (north < INFINITY) OFFER(-stride, north, 1, 0);
  OFFER_DIAGONAL(2, -stride + 1, 2, 0);
  if (west < INFINITY) OFFER(-1, west, 0, 1);
  if (east < INFINITY) OFFER(1, east, 2, 1);
  OFFER_DIAGONAL(4, stride - 1, 0, 2);
  if (south < INFINITY) OFFER(stride, south, 1, 2);
  OFFER_DIAGONAL(8, stride + 1, 2, 2);
#undef OFFER
#undef OFFER_DIAGONAL
  return true;
}

/* Going back: all steps onto this cell cost the same, whatever lies before. */
WEND_INLINE bool expand_cells_back(wend_search *s, lane_state *lane, uint32_t from) {
  const ptrdiff_t stride = lane->stride;
  const uint16_t *kind = lane->kinds + from;
  const wend_step_cost *costs = lane->kind_costs, onto = costs[kind[0]];
  const bool north = costs[kind[-stride]].straight < INFINITY, west = costs[kind[-1]].straight < INFINITY,
             east = costs[kind[1]].straight < INFINITY, south = costs[kind[stride]].straight < INFINITY;
  const unsigned diagonals = lane->corners[(unsigned)north | (unsigned)west << 1 | (unsigned)east << 2 | (unsigned)south << 3];
  const double g = lane->marks[from].g;
  if (!(onto.straight < INFINITY)) return true;
#define OFFER(offset, cost, is_open)                                                                                \
  if (is_open) {                                                                                                    \
    if (!relax(s, lane, from, g, (uint32_t)(from + (offset)), cost, no_arrival, 0, 0, WALK_CELLS, GUESS_NOTHING,    \
               false))                                                                                              \
      return false;                                                                                                 \
  } else if (kind[offset] != KIND_OUTSIDE) {                                                                        \
    relax_closed(s, lane, from, g, (uint32_t)(from + (offset)), cost);                                              \
  }
#define OFFER_DIAGONAL(bit, offset)                                                   \
  if ((diagonals & (bit)) != 0) {                                                     \
    OFFER(offset, onto.diagonal, costs[kind[offset]].straight < INFINITY)             \
  }
  OFFER_DIAGONAL(1, -stride - 1)
  OFFER(-stride, onto.straight, north)
  OFFER_DIAGONAL(2, -stride + 1)
  OFFER(-1, onto.straight, west)
  OFFER(1, onto.straight, east)
  OFFER_DIAGONAL(4, stride - 1)
  OFFER(stride, onto.straight, south)
  OFFER_DIAGONAL(8, stride + 1)
#undef OFFER
#undef OFFER_DIAGONAL
  return true;
}

/* One step of the general kind, between a cell and what it is expanded to. */
static bool offer_step(wend_search *s, lane_state *lane, uint32_t from, uint32_t to, double cost, bool heap) {
  const double g = lane->marks[from].g;
  if (s->walker.gave_up) return false;
  if (!(cost < INFINITY)) return true;
  if (s->back && !wend_walker_enters(&s->walker, to)) {
    relax_closed(s, lane, from, g, to, cost);
    return true;
  }
  return heap ? relax(s, lane, from, g, to, cost, no_arrival, 0, 0, WALK_GRID, GUESS_GENERAL, true)
              : relax(s, lane, from, g, to, cost, no_arrival, 0, 0, WALK_GRID, GUESS_GENERAL, false);
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
    wend_cell cell = wend_view_get(&s->view, s->grid, to);
    double cost;
    if (!(cell.weight >= 0)) continue; /* outside */
    cost = s->back ? wend_walker_step(w, to, 7 - d, g, known_cost(lane, to), NULL)
                   : wend_walker_step(w, from, d, g, known_cost(lane, to), &memo);
    if (!offer_step(s, lane, from, to, cost, heap)) return false;
  }
  if (s->grid->link_count > 0) {
    uint32_t count, here = wend_view_find(&s->whole, s->grid, wend_view_cell(&s->view, s->grid, from));
    const wend_link *links = wend_grid_links(s->grid, here, s->back, &count);
    for (uint32_t i = 0; i < count; i++) {
      wend_id cell = wend_view_cell(&s->whole, s->grid, s->back ? links[i].from : links[i].to);
      uint32_t to = wend_view_find(&s->view, s->grid, cell);
      double cost;
      if (to == WEND_NONE || !(wend_view_get(&s->view, s->grid, to).weight >= 0)) continue; /* outside of the window */
      cost = wend_walker_link(w, &links[i], s->back ? to : from, s->back ? from : to, g, known_cost(lane, to));
      if (!offer_step(s, lane, from, to, cost, heap)) return false;
    }
  }
  s->stats.callbacks = w->callbacks;
  return true;
}
