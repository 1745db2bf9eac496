/* SPDX-License-Identifier: MIT */
/* Jump points: where all open cells cost the same, nearly all of them can be passed over. A part of kernel.c.
 *
 * D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011, in the form for diagonals that cut
 * no corner, and with the two improvements of theirs of 2014: rows and columns are scanned 64 cells at a time, and a
 * cell where a diagonal only turns into a straight is no node. Of all ways of the same cost only the one that goes
 * diagonally first is followed; going straight, a turn is due only past the end of a wall beside:
 *
 *        # # # . .        (east along the lower row: the cell above and behind is closed, the one above is open)
 *        - - - T .
 *
 * A node's parent lies a diagonal and then a straight away, either of which may be of no length. */

/* Along a line of bits: the first cell past `at` that is closed, or where a turn is due. */
WEND_INLINE uint32_t scan_up(const wend_bits *bits, uint32_t line, uint32_t at, bool *turn) {
  const uint64_t *row = bits->words + (size_t)line * bits->line_words;
  const uint64_t *above = row - bits->line_words, *below = row + bits->line_words;
  uint32_t word = (at + 1) / 64;
  uint64_t mask = ~(uint64_t)0 << (at + 1) % 64;
  uint64_t carry_above = word > 0 ? above[word - 1] >> 63 : 0, carry_below = word > 0 ? below[word - 1] >> 63 : 0;
  for (;;) {
    const uint64_t open = row[word], a = above[word], b = below[word];
    const uint64_t turns = (a & ~(a << 1 | carry_above)) | (b & ~(b << 1 | carry_below));
    const uint64_t events = (turns | ~open) & mask;
    if (events != 0) {
      unsigned bit = wend_lowest_bit(events);
      *turn = (open >> bit & 1) != 0;
      return word * 64 + bit;
    }
    carry_above = a >> 63, carry_below = b >> 63;
    mask = ~(uint64_t)0;
    word++;
  }
}

/* The other way. */
WEND_INLINE uint32_t scan_down(const wend_bits *bits, uint32_t line, uint32_t at, bool *turn) {
  const uint64_t *row = bits->words + (size_t)line * bits->line_words;
  const uint64_t *above = row - bits->line_words, *below = row + bits->line_words;
  uint32_t word = (at - 1) / 64;
  uint64_t mask = ~(uint64_t)0 >> (63 - (at - 1) % 64);
  const bool last = word + 1 == bits->line_words;
  uint64_t carry_above = last ? 0 : above[word + 1] << 63, carry_below = last ? 0 : below[word + 1] << 63;
  for (;;) {
    const uint64_t open = row[word], a = above[word], b = below[word];
    const uint64_t turns = (a & ~(a >> 1 | carry_above)) | (b & ~(b >> 1 | carry_below));
    const uint64_t events = (turns | ~open) & mask;
    if (events != 0) {
      unsigned bit = wend_highest_bit(events);
      *turn = (open >> bit & 1) != 0;
      return word * 64 + bit;
    }
    carry_above = a << 63, carry_below = b << 63;
    mask = ~(uint64_t)0;
    word--;
  }
}

WEND_INLINE bool is_set(const wend_bits *bits, uint32_t line, uint32_t at) {
  return (bits->words[(size_t)line * bits->line_words + at / 64] >> at % 64 & 1) != 0;
}

/* From here on x and y count the margin, as bits do. */
typedef struct jumper {
  wend_search *s;
  hot_state *hot;
  const wend_bits *rows, *columns;
  uint32_t from, goal_x, goal_y;
  double g, straight, diagonal;
} jumper;

/* A diagonal that goes on for so long ends at a node of its own: else the first look around in the open would go to the
 * ends of the map, and look along every row and column on the way. */
#define DIAGONAL_STEPS_MAX 48

WEND_INLINE bool land(const jumper *j, uint32_t x, uint32_t y, double cost) {
  return relax(j->s, j->hot, j->from, j->g, (uint32_t)(y * j->hot->stride + x), cost, no_arrival, EXPAND_JUMPS, HEURISTIC_CELLS,
               false);
}

/* What comes of looking along a line: whether the next cell is closed. Where there is one to jump to, `cost` is what it
 * costs to get to where the look begins. */
typedef enum outcome { WAY_ON, NO_WAY_ON, GAVE_UP } outcome;

WEND_INLINE outcome jump_along(const jumper *j, const wend_bits *bits, uint32_t line, uint32_t at, int direction,
                               uint32_t goal, bool upright, double cost) {
  bool turn;
  uint32_t end = direction > 0 ? scan_up(bits, line, at, &turn) : scan_down(bits, line, at, &turn), steps;
  if (!turn && end == at + (uint32_t)direction) return NO_WAY_ON;
  if (direction > 0 ? goal > at && goal < end : goal < at && goal > end)
    end = goal;
  else if (!turn)
    return WAY_ON;
  steps = direction > 0 ? end - at : at - end;
  cost += steps * j->straight;
  return (upright ? land(j, line, end, cost) : land(j, end, line, cost)) ? WAY_ON : GAVE_UP;
}

WEND_INLINE outcome jump_sideways(const jumper *j, uint32_t x, uint32_t y, int sx, double cost) {
  return jump_along(j, j->rows, y, x, sx, j->goal_y == y ? j->goal_x : x, false, cost);
}

WEND_INLINE outcome jump_upright(const jumper *j, uint32_t x, uint32_t y, int sy, double cost) {
  return jump_along(j, j->columns, x, y, sy, j->goal_x == x ? j->goal_y : y, true, cost);
}

/* Along a diagonal, looking along the row and the column at every cell. Both straight steps are open, at the start and,
 * as far as it comes, at every cell. False: the estimate gave up. */
static WEND_NOINLINE bool jump_diagonally(const jumper *j, uint32_t x, uint32_t y, int sx, int sy) {
  for (uint32_t steps = 1;; steps++) {
    const double cost = steps * j->diagonal;
    outcome sideways, upright;
    x += (uint32_t)sx, y += (uint32_t)sy;
    if (!is_set(j->rows, y, x)) return true;
    if ((x == j->goal_x && y == j->goal_y) || steps == DIAGONAL_STEPS_MAX) return land(j, x, y, cost);
    sideways = jump_sideways(j, x, y, sx, cost);
    upright = jump_upright(j, x, y, sy, cost);
    if (sideways == GAVE_UP || upright == GAVE_UP) return false;
    if (sideways == NO_WAY_ON || upright == NO_WAY_ON) return true;
  }
}

/* Sideways, upright, and diagonally between the two. */
WEND_INLINE bool jump_between(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, outcome sideways, outcome upright) {
  if (sideways == GAVE_UP || upright == GAVE_UP) return false;
  return sideways == NO_WAY_ON || upright == NO_WAY_ON || jump_diagonally(j, x, y, sx, sy);
}

/* Past the end of a wall on one side of the way: to that side, and diagonally on. along: what came of going on. */
WEND_INLINE bool jump_around(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, const bool upright, outcome along) {
  const uint32_t side_x = upright ? x + (uint32_t)sx : x, side_y = upright ? y : y + (uint32_t)sy;
  const uint32_t behind_x = upright ? side_x : x - (uint32_t)sx, behind_y = upright ? y - (uint32_t)sy : side_y;
  if (!is_set(j->rows, side_y, side_x) || is_set(j->rows, behind_y, behind_x)) return true;
  return upright ? jump_between(j, x, y, sx, sy, jump_sideways(j, x, y, sx, 0), along)
                 : jump_between(j, x, y, sx, sy, along, jump_upright(j, x, y, sy, 0));
}

static WEND_NOINLINE bool expand_jumps(wend_search *s, hot_state *hot, uint32_t from) {
  const uint32_t stride = (uint32_t)hot->stride, x = from % stride, y = from / stride, parent = hot->marks[from].parent;
  const jumper j = {s, hot, &s->agent->rows, &s->agent->columns, from, (uint32_t)s->estimator.target[0] + 1,
                    (uint32_t)s->estimator.target[1] + 1, hot->marks[from].g, s->jump_cost, s->jump_cost * WEND_DIAGONAL};
  int64_t way_x, way_y;
  int sx, sy;
  outcome along;
  if (parent == WEND_NONE) {
    const outcome west = jump_sideways(&j, x, y, -1, 0), east = jump_sideways(&j, x, y, 1, 0);
    const outcome north = jump_upright(&j, x, y, -1, 0), south = jump_upright(&j, x, y, 1, 0);
    return jump_between(&j, x, y, -1, -1, west, north) && jump_between(&j, x, y, 1, -1, east, north) &&
           jump_between(&j, x, y, -1, 1, west, south) && jump_between(&j, x, y, 1, 1, east, south);
  }
  way_x = (int64_t)x - parent % stride, way_y = (int64_t)y - parent / stride;
  sx = way_x < 0 ? -1 : 1, sy = way_y < 0 ? -1 : 1;
  way_x *= sx, way_y *= sy;
  if (way_x == way_y) return jump_between(&j, x, y, sx, sy, jump_sideways(&j, x, y, sx, 0), jump_upright(&j, x, y, sy, 0));
  if (way_x > way_y) {
    along = jump_sideways(&j, x, y, sx, 0);
    return along != GAVE_UP && jump_around(&j, x, y, sx, -1, false, along) && jump_around(&j, x, y, sx, 1, false, along);
  }
  along = jump_upright(&j, x, y, sy, 0);
  return along != GAVE_UP && jump_around(&j, x, y, -1, sy, true, along) && jump_around(&j, x, y, 1, sy, true, along);
}
