/* SPDX-License-Identifier: MIT */
/* Jump point search: where all open cells cost the same, the search expands only the cells where a path may turn. A part of
 * kernel.c.
 *
 * D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011, in the form for diagonals that cut no
 * corner, with two improvements of their paper of 2014 ("Improving jump point search"): rows and columns are scanned 64 cells
 * at a time, and a cell where a diagonal only turns into a straight is not pushed. Of all paths of equal cost the search
 * follows only the one with the diagonal first. A straight run turns only just after the end of a wall beside it:
 *
 *        # # # . .        Going east along the lower row, T is a turning point: the cell above T is open, and the cell
 *        - - - T .        above and behind T is closed.
 *
 * An example: from S to G, steps cost 1 and 1.414.
 *
 *          0 1 2 3 4 5 6 7
 *        0 . . . . . . . .        expand S    up and down it finds the turning points a, at cost 1, and c, at cost 2. To the
 *        1 . . a . b . . .                    east is a wall, to the west nothing
 *        2 . . S # . . . .        expand a    to the east, past the end of the wall, it finds the turning point b, at cost 3
 *        3 . . . # . . G .        expand b    two diagonal steps lead to G, at cost 5.828; down, it finds d, at cost 6
 *        4 . . c . d . . .        pop G       the path is S a b G: (2,2) (2,1) (3,1) (4,1) (5,2) (6,3)
 *
 * Three nodes are expanded. A cell in between, such as (3,1), never gets a mark; the path is filled in at the end
 * (pathfinder.c).
 *
 * The invariant: the path from the parent of a node to the node is a diagonal, then a straight. Each may have length 0. */

/* Scans a line of bits upwards from `at`, which it leaves out. Returns the first cell that is closed (*turn: false) or a
 * turning point (*turn: true). The margin of a line is closed, so the scan ends. It tests 64 cells at a time. With cell 0 on
 * the left:
 *
 *        above       0 0 0 1 1        a
 *        shifted     0 0 0 0 1        a << 1: for each cell, whether the cell above and behind it is open
 *        turns       0 0 0 1 0        a & ~(a << 1): open above, closed above and behind
 *
 * The cells below are tested in the same way. carry_above and carry_below are the bits that the word before shifts in. */
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

/* The same, downwards. */
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

/* Whether the cell of a bit is open. */
WEND_INLINE bool is_set(const wend_bits *bits, uint32_t line, uint32_t at) {
  return (bits->words[(size_t)line * bits->line_words + at / 64] >> at % 64 & 1) != 0;
}

/* The expanded node, and what all its jumps share. Here x and y count the margin, as the bits of the agent view do. */
typedef struct jumper {
  wend_search *s;
  hot_state *hot;
  const wend_bits *rows, *columns;
  uint32_t from, goal_x, goal_y;
  double g, straight, diagonal;
  bool paged; /* the layout of the marks */
  bool noted; /* the search survives edits, and notes what it scans */
} jumper;

/* A diagonal of this length ends at a node. Without a limit, the first expansion on an open map would go to the ends of the map
 * and scan every row and column on the way. */
#define DIAGONAL_STEPS_MAX 48

/* Relaxes the jump to a cell whose mark lies in a page. */
static WEND_NOINLINE bool relax_paged_jump(const jumper *j, uint32_t to, double cost) {
  return relax(j->s, j->hot, j->from, j->g, to, cost, no_arrival, EXPAND_JUMPS, HEURISTIC_CELLS, false, true);
}

/* Relaxes the jump to a cell. cost: of the jump. False: the estimate is invalid. */
static WEND_NOINLINE bool relax_jump(const jumper *j, uint32_t x, uint32_t y, double cost) {
  const uint32_t to = (uint32_t)(y * j->hot->stride + x);
  if (WEND_UNLIKELY(j->paged)) return relax_paged_jump(j, to, cost);
  return relax(j->s, j->hot, j->from, j->g, to, cost, no_arrival, EXPAND_JUMPS, HEURISTIC_CELLS, false, false);
}

/* What a scan tells about the next cell of its line. INVALID: the estimate is invalid. */
typedef enum outcome { NEXT_OPEN, NEXT_CLOSED, INVALID } outcome;

/* Scans a line from `at`, and relaxes the jump to the goal or the turning point that it finds. cost: of the path from the
 * expanded node to `at`. */
WEND_INLINE outcome jump_along(const jumper *j, const wend_bits *bits, uint32_t line, uint32_t at, int direction, uint32_t goal,
                               bool vertical, double cost) {
  bool turn;
  uint32_t end = direction > 0 ? scan_up(bits, line, at, &turn) : scan_down(bits, line, at, &turn), steps;
  if (WEND_UNLIKELY(j->noted)) wend_scans_note(vertical ? &j->s->lines_read.columns : &j->s->lines_read.rows, line, at, end);
  if (!turn && end == at + (uint32_t)direction) return NEXT_CLOSED;
  if (direction > 0 ? goal > at && goal < end : goal < at && goal > end) end = goal;
  else if (!turn) return NEXT_OPEN;
  steps = direction > 0 ? end - at : at - end;
  cost += steps * j->straight;
  return (vertical ? relax_jump(j, line, end, cost) : relax_jump(j, end, line, cost)) ? NEXT_OPEN : INVALID;
}

/* The same along the row of a cell, to the east (sx 1) or the west (sx -1). The goal counts if it is in this row. */
WEND_INLINE outcome jump_along_row(const jumper *j, uint32_t x, uint32_t y, int sx, double cost) {
  return jump_along(j, j->rows, y, x, sx, j->goal_y == y ? j->goal_x : x, false, cost);
}

/* The same along its column, to the south (sy 1) or the north (sy -1). */
WEND_INLINE outcome jump_along_column(const jumper *j, uint32_t x, uint32_t y, int sy, double cost) {
  return jump_along(j, j->columns, x, y, sy, j->goal_x == x ? j->goal_y : y, true, cost);
}

/* The same from the expanded node itself. */
static WEND_NOINLINE outcome jump_horizontally(const jumper *j, uint32_t x, uint32_t y, int sx) {
  return jump_along_row(j, x, y, sx, 0);
}
static WEND_NOINLINE outcome jump_vertically(const jumper *j, uint32_t x, uint32_t y, int sy) {
  return jump_along_column(j, x, y, sy, 0);
}

/* Goes along a diagonal and scans the row and the column of every cell. The caller has checked that both straight steps beside
 * the first diagonal step are open; the scans check it for each later step. False: the estimate is invalid. */
static WEND_NOINLINE bool jump_diagonally(const jumper *j, uint32_t x, uint32_t y, int sx, int sy) {
  uint32_t steps = 1;
  bool valid = true;
  for (;; steps++) {
    const double cost = steps * j->diagonal;
    outcome horizontal, vertical;
    x += (uint32_t)sx, y += (uint32_t)sy;
    if (!is_set(j->rows, y, x)) break;
    if ((x == j->goal_x && y == j->goal_y) || steps == DIAGONAL_STEPS_MAX) {
      valid = relax_jump(j, x, y, cost);
      break;
    }
    horizontal = jump_along_row(j, x, y, sx, cost);
    vertical = jump_along_column(j, x, y, sy, cost);
    valid = horizontal != INVALID && vertical != INVALID;
    if (!valid || horizontal == NEXT_CLOSED || vertical == NEXT_CLOSED) break;
  }
  j->s->diagonal_steps += steps;
  return valid;
}

/* The quadrant between a horizontal and a vertical scan: jumps diagonally if both outcomes allow it. */
WEND_INLINE bool jump_quadrant(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, outcome horizontal, outcome vertical) {
  if (horizontal == INVALID || vertical == INVALID) return false;
  return horizontal == NEXT_CLOSED || vertical == NEXT_CLOSED || jump_diagonally(j, x, y, sx, sy);
}

/* At the end of a wall on one side of a straight run: jumps to that side, and diagonally between that side and the run. along:
 * the outcome of the scan along the run. */
WEND_INLINE bool jump_past_wall(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, const bool vertical, outcome along) {
  const uint32_t side_x = vertical ? x + (uint32_t)sx : x, side_y = vertical ? y : y + (uint32_t)sy;
  const uint32_t behind_x = vertical ? side_x : x - (uint32_t)sx, behind_y = vertical ? y - (uint32_t)sy : side_y;
  if (!is_set(j->rows, side_y, side_x) || is_set(j->rows, behind_y, behind_x)) return true;
  return vertical ? jump_quadrant(j, x, y, sx, sy, jump_horizontally(j, x, y, sx), along)
                  : jump_quadrant(j, x, y, sx, sy, along, jump_vertically(j, x, y, sy));
}

/* Relaxes the jumps from a node:
 *
 *   1  at a start                    to all sides
 *   2  where a diagonal ended        to the two straight directions of the diagonal, and on along it
 *   3  where a straight run ended    on along it, and past the end of a wall on either side
 *
 * mark: of the node. paged: the layout of the marks. */
static WEND_NOINLINE bool expand_jumps(wend_search *s, hot_state *hot, uint32_t from, const wend_mark *mark, bool paged) {
  const uint32_t stride = (uint32_t)hot->stride, x = from % stride, y = from / stride, parent = mark->parent;
  const jumper j = {s,
                    hot,
                    &s->agent->rows,
                    &s->agent->columns,
                    from,
                    (uint32_t)s->estimator.target[0] + 1,
                    (uint32_t)s->estimator.target[1] + 1,
                    mark->g,
                    s->jump_cost,
                    s->jump_cost * s->grid->diagonal_length,
                    paged,
                    s->opts.survive_edits};
  int64_t dx, dy; /* from the parent; then their sizes */
  int sx, sy;     /* their signs */
  outcome along;
  if (parent == WEND_NONE) { /* 1 */
    const outcome west = jump_horizontally(&j, x, y, -1), east = jump_horizontally(&j, x, y, 1);
    const outcome north = jump_vertically(&j, x, y, -1), south = jump_vertically(&j, x, y, 1);
    return jump_quadrant(&j, x, y, -1, -1, west, north) && jump_quadrant(&j, x, y, 1, -1, east, north) &&
           jump_quadrant(&j, x, y, -1, 1, west, south) && jump_quadrant(&j, x, y, 1, 1, east, south);
  }
  dx = (int64_t)x - parent % stride, dy = (int64_t)y - parent / stride;
  sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
  dx *= sx, dy *= sy;
  /* 2 */
  if (dx == dy) return jump_quadrant(&j, x, y, sx, sy, jump_horizontally(&j, x, y, sx), jump_vertically(&j, x, y, sy));
  if (dx > dy) { /* 3, horizontal */
    along = jump_horizontally(&j, x, y, sx);
    return along != INVALID && jump_past_wall(&j, x, y, sx, -1, false, along) && jump_past_wall(&j, x, y, sx, 1, false, along);
  }
  along = jump_vertically(&j, x, y, sy); /* 3, vertical */
  return along != INVALID && jump_past_wall(&j, x, y, -1, sy, true, along) && jump_past_wall(&j, x, y, 1, sy, true, along);
}
