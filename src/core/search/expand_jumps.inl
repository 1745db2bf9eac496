/* SPDX-License-Identifier: MIT */
/* Jump point search: the search expands only the cells where a path may turn. A part of kernel.c.
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
 * (core/pathfinder/begin.c).
 *
 * The invariant: the path from the parent of a node to the node is a diagonal, then a straight. Each may have length 0.
 *
 * Without diagonals (WEND_NEVER), steps up and down take the place of diagonal ones: of all paths of equal cost the search follows
 * the one with the vertical steps first. So a run up or down scans the row of each of its cells to both sides, and a run along a
 * row turns only at a turning point. What follows about diagonals holds for vertical steps then, and straight means horizontal.
 *
 * Where cells cost different prices, and s->weighted is set, the same scans also stop at mixed cells (agent_view.h), which lie
 * around each change of the price. M. Carlson, D. Harabor, P. Stuckey, "Optimal pathfinding on weighted grid maps", AAAI 2023;
 * in that paper a step costs the mean of two cells, here it costs the cell entered, so the rules are others.
 *
 *        . . . M M * *       All cells * cost 3, all others 1. M, and the cells * beside them, are mixed. A scan from S to
 *        S - - M M * *       the east stops at the first M. Each cell between them is plain: its 3x3 costs the same, so
 *        . . . M M * *       the rules for equal cells hold there, and it gets no mark.
 *
 * Which directions a node needs depends on the cell before it: a neighbour that the cell before reaches as cheaply within the
 * 3x3, without the node, is left out (needed_directions). A mark remembers from where the cheapest paths arrive, and which
 * directions were expanded. A cheaper arrival replaces both; an equal one adds the directions that are missing. So of several
 * paths of equal cost none is lost that the rules for another one rely on.
 *
 *   Why a cheapest path remains: call a path greater than another of the same cost if, at the first step where one is diagonal
 *   and the other straight, it is the diagonal one. Left out is only what costs more, or what has a greater path of the same
 *   cost. So the greatest of all cheapest paths has no step that is left out, and each of its cells is reached in turn.
 *
 * A step from any node into a plain cell costs what all cells around the plain cell cost, and so does each step of the scan that
 * follows, also the last one, onto the mixed cell where it stops: one price for each jump. */

/* Scans a line of bits upwards from `at`, which it leaves out. Returns the first cell that is closed (*turn: false) or a
 * turning point (*turn: true). The margin of a line is closed, so the scan ends. mixed: the mixed cells, which count as turning
 * points; NULL: there are none. more: others in each word. It tests 64 cells at a time. With cell 0 on the left:
 *
 *        above       0 0 0 1 1        a
 *        shifted     0 0 0 0 1        a << 1: for each cell, whether the cell above and behind it is open
 *        turns       0 0 0 1 0        a & ~(a << 1): open above, closed above and behind
 *
 * The cells below are tested in the same way. carry_above and carry_below are the bits that the word before shifts in. */
WEND_INLINE uint32_t scan_up(const wend_bits *bits, const wend_bits *mixed, uint64_t more, uint32_t line, uint32_t at,
                             bool *turn) {
  const uint64_t *row = bits->words + (size_t)line * bits->line_words;
  const uint64_t *above = row - bits->line_words, *below = row + bits->line_words;
  const uint64_t *stops = mixed != NULL ? mixed->words + (size_t)line * bits->line_words : NULL;
  uint32_t word = (at + 1) / 64;
  uint64_t mask = ~(uint64_t)0 << (at + 1) % 64;
  uint64_t carry_above = word > 0 ? above[word - 1] >> 63 : 0, carry_below = word > 0 ? below[word - 1] >> 63 : 0;
  for (;;) {
    const uint64_t open = row[word], a = above[word], b = below[word];
    const uint64_t turns = (a & ~(a << 1 | carry_above)) | (b & ~(b << 1 | carry_below));
    const uint64_t events = (turns | ~open | (stops != NULL ? stops[word] | more : 0)) & mask;
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
WEND_INLINE uint32_t scan_down(const wend_bits *bits, const wend_bits *mixed, uint64_t more, uint32_t line, uint32_t at,
                               bool *turn) {
  const uint64_t *row = bits->words + (size_t)line * bits->line_words;
  const uint64_t *above = row - bits->line_words, *below = row + bits->line_words;
  const uint64_t *stops = mixed != NULL ? mixed->words + (size_t)line * bits->line_words : NULL;
  uint32_t word = (at - 1) / 64;
  uint64_t mask = ~(uint64_t)0 >> (63 - (at - 1) % 64);
  const bool last = word + 1 == bits->line_words;
  uint64_t carry_above = last ? 0 : above[word + 1] << 63, carry_below = last ? 0 : below[word + 1] << 63;
  for (;;) {
    const uint64_t open = row[word], a = above[word], b = below[word];
    const uint64_t turns = (a & ~(a >> 1 | carry_above)) | (b & ~(b >> 1 | carry_below));
    const uint64_t events = (turns | ~open | (stops != NULL ? stops[word] | more : 0)) & mask;
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

/* The expanded node, and what all jumps of a slice share. Here x and y count the margin, as the bits of the agent view do. */
typedef struct jumper {
  wend_search *s;
  hot_state *hot;
  const wend_bits *rows, *columns;
  const wend_bits *mixed_rows, *mixed_columns; /* of a weighted search */
  uint32_t goal_x, goal_y;
  bool paged;               /* the layout of the marks */
  bool noted;               /* the search notes what it scans: it has the option `partial` */
  bool walls;               /* the grid has walls */
  bool crosswise;           /* it has no diagonals */
  bool special;             /* it may have special cells: see has_special_beside */
  bool noisy;               /* with variation; then the grid has neither walls nor links: */
  uint32_t block;           /* blocks have so many cells in a row */
  uint32_t offset[2];       /* add this to a column or a row before dividing by that */
  uint64_t borders[2];      /* the mixed cells of a row that is inside a block, as bits of each word; those of a column */
  uint64_t costs;           /* see wend_pattern */
  bool by_cells, by_planes; /* how the estimates of a weighted search are made; neither: by wend_estimate */
  const uint64_t *goals;    /* several goals: wend_goals.lines; NULL: one */
  uint32_t goal_count;
  wend_pattern *patterns;    /* NULL: there are none, or too many kinds */
  uint32_t from;             /* the node; set for each expansion */
  double g;                  /* its cost */
  double straight, diagonal; /* the costs of a step; of a weighted search, of the steps in one direction */
} jumper;

/* A diagonal of this length ends at a node. Without a limit, the first expansion on an open map would go to the ends of the map
 * and scan every row and column on the way. Where costs differ, most diagonals end before, and most of the nodes that long
 * ones find are never expanded. */
#define DIAGONAL_STEPS_MAX 48
#define WEIGHTED_STEPS_MAX 12
#define VERTICAL_STEPS_MAX 24 /* without diagonals: each step scans a row to both sides */

/* ---- Notes of what is scanned */

/* Notes a cell for `partial`, as the end of a jump at this cost. */
static WEND_NOINLINE void note_cell(const jumper *j, uint32_t x, uint32_t y, double cost) {
  wend_search *s = j->s;
  if (j->g + cost < s->g_ceiling) wend_kernel_note_nearest(s, (uint32_t)(y * j->hot->stride + x), j->g + cost, j->from);
}

/* The same for a scan from cell `at`, at this cost, to `end`. open: whether its last cell is open. Along a line the distance from
 * a point falls, then rises: it is least beside the point, or at an end. */
static WEND_NOINLINE void note_scan(const jumper *j, uint32_t line, uint32_t at, uint32_t end, bool open, bool vertical,
                                    double cost) {
  wend_search *s = j->s;
  const double *toward = s->opts.toward != NULL ? s->opts.toward : s->estimator.goals->points + 4;
  const double beside = toward[vertical ? 1 : 0] + 1, ahead = end > at ? beside - at : at - beside;
  double steps = (end > at ? end - at : at - end) - (open ? 0 : 1);
  if (ceil(ahead - 0.5) < steps) steps = ahead > 1.5 ? ceil(ahead - 0.5) : 1;
  if (j->g + cost + steps * j->straight >= s->g_ceiling) steps = floor((s->g_ceiling - j->g - cost) / j->straight);
  if (j->g + cost + steps * j->straight >= s->g_ceiling) steps--;
  if (steps > 0) {
    const uint32_t cell = end > at ? at + (uint32_t)steps : at - (uint32_t)steps, x = vertical ? line : cell;
    const uint32_t place = (uint32_t)((vertical ? cell : line) * j->hot->stride + x);
    wend_kernel_note_nearest(s, place, j->g + cost + steps * j->straight, j->from);
  }
}

/* ---- Directions of a weighted search */

/* The neighbours of a cell, going around it, and the position of each direction in this ring. Those at odd positions are its
 * straight neighbours. */
static const uint8_t around_cell[8] = {NORTH_WEST, NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST};
static const uint8_t ring_position[8] = {0, 1, 2, 7, 3, 6, 5, 4};

/* Instead of a direction: the last step goes through a link. */
#define BY_LINK (-1)

/* Whether there is a wall at a cell or a neighbour of it. */
static WEND_NOINLINE bool has_wall_beside(const jumper *j, uint32_t place) {
  const wend_grid *grid = j->s->grid;
  bool found = wend_grid_has_wall_at(grid, place);
  for (int d = 0; d < 8; d++) found = found || wend_grid_has_wall_at(grid, (uint32_t)(place + wend_offset(grid->stride, d)));
  return found;
}

/* With variation: whether a line is the first or last one of a block. */
WEND_INLINE bool is_border(const jumper *j, uint32_t line, bool vertical) {
  return ((line + j->offset[vertical] + 1) & (j->block - 1)) <= 1;
}

/* Whether a cell is mixed; with variation, also one at the border of a block. */
WEND_INLINE bool stops_at(const jumper *j, uint32_t x, uint32_t y) {
  return is_set(j->mixed_rows, y, x) || (WEND_UNLIKELY(j->noisy) && (is_border(j, x, false) || is_border(j, y, true)));
}

/* What a step onto a place costs. */
WEND_INLINE wend_cell_cost priced(const jumper *j, uint32_t place) {
  wend_cell_cost cost = j->hot->kind_costs[j->hot->kinds[place]];
  if (WEND_UNLIKELY(j->noisy) && cost.straight < INFINITY) { /* the margin is in no block */
    const double factor = known_factor(j->s, place, 0)->factor;
    cost.straight *= factor, cost.diagonal *= factor;
  }
  return cost;
}

/* Whether a cell or a neighbour of it is special: a step onto it costs nothing, or what a function says. */
static WEND_NOINLINE bool has_special_beside(const jumper *j, uint32_t place) {
  const hot_state *hot = j->hot;
  bool found = !(hot->kind_costs[hot->kinds[place]].straight > 0);
  for (int d = 0; d < 8; d++)
    found = found || !(hot->kind_costs[hot->kinds[place + wend_offset((uint32_t)hot->stride, d)]].straight > 0);
  return found;
}

/* The directions that a node needs if a path comes to it by a step in direction `way`. It compares the path through the node with
 * the ways around it, from the cell before, in both directions along the ring:
 *
 *        . N x        The step from P to the node n costs 1, and all cells but y cost 1. The cell x is reached through n at
 *        P n y        1 + 1.414, and as cheaply by a diagonal to N, and then straight: left out. The cell y costs 5, and every
 *        . . .        way leads to it: 1 + 5 through n, 1.414 + 7.071 around it: needed.
 *
 * A way around of equal cost counts only if it begins with a diagonal, and the step from P to n is straight. Without diagonals: if
 * it begins with a vertical step, and the step from P to n is horizontal. */
static WEND_NOINLINE unsigned find_needed(const jumper *j, uint32_t place, int way) {
  const hot_state *hot = j->hot;
  const wend_diagonals rule = j->s->grid->diagonals;
  const wend_cell_cost own = priced(j, place);
  const double entered = IS_DIAGONAL(way) ? own.diagonal : own.straight;
  const unsigned before = ring_position[7 - way];
  double straight[8], diagonal[8], around[8], greater[8]; /* around: the least cost; greater: the same, with a diagonal first */
  unsigned needed = 0;
  for (unsigned i = 0; i < 8; i++) {
    const wend_cell_cost cost = priced(j, (uint32_t)(place + wend_offset((uint32_t)hot->stride, around_cell[i])));
    straight[i] = cost.straight, diagonal[i] = cost.diagonal;
    around[i] = greater[i] = INFINITY;
  }
  for (unsigned turn = 1; turn < 8; turn += 6) { /* one position on, or 7, which is one back */
    double cost_2 = INFINITY, cost_1 = 0, greater_2 = INFINITY, greater_1 = INFINITY; /* two cells back, one cell back */
    if (j->crosswise && (way == WEST || way == EAST)) greater_1 = 0;
    for (unsigned k = 1; k <= 4; k++) {
      const unsigned at = (before + turn * k) & 7, between = (at - turn) & 7;
      double cost = cost_1 + straight[at], with_diagonal = greater_1 + straight[at];
      if ((at & 1) != 0 && k >= 2 && !j->crosswise && (rule != WEND_BOTH_OPEN || straight[between] < INFINITY)) {
        const double other = (k == 2 ? 0 : greater_2) + diagonal[at];
        if (cost_2 + diagonal[at] < cost) cost = cost_2 + diagonal[at];
        if (other < with_diagonal) with_diagonal = other;
      }
      if (cost < around[at]) around[at] = cost;
      if (with_diagonal < greater[at]) greater[at] = with_diagonal;
      cost_2 = cost_1, cost_1 = cost, greater_2 = greater_1, greater_1 = with_diagonal;
    }
  }
  for (unsigned i = 0; i < 8; i++) {
    const bool beside = straight[(i - 1) & 7] < INFINITY, next = straight[(i + 1) & 7] < INFINITY;
    double through = entered + straight[i];
    if ((i & 1) == 0) { /* a diagonal step */
      if (j->crosswise) continue;
      if (rule == WEND_BOTH_OPEN ? !(beside && next) : rule == WEND_ONE_OPEN && !(beside || next)) continue;
      through = entered + diagonal[i];
    }
    if (i == before || !(through < INFINITY) || around[i] < through * (1 - EQUAL_SHARE)) continue;
    if (!IS_DIAGONAL(way) && greater[i] <= through * (1 + EQUAL_SHARE)) continue;
    needed |= 1u << around_cell[i];
  }
  return needed;
}

/* With variation, a kind in a pattern counts the level of its factor too. */
static WEND_NOINLINE uint64_t noisy_pattern(const jumper *j, uint32_t place) {
  const hot_state *hot = j->hot;
  uint64_t kinds = 0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) {
      const uint32_t at = (uint32_t)(place + y * hot->stride + x), kind = hot->kinds[at];
      const unsigned level = hot->kind_costs[kind].straight < INFINITY ? known_factor(j->s, at, 0)->level : 0;
      kinds = kinds << 7 | kind * WEND_NOISE_LEVELS | level;
    }
  return kinds;
}

/* The same by the patterns of the search, if it has some. After a link, and beside walls and special cells, all directions are
 * needed. */
static unsigned needed_directions(const jumper *j, uint32_t place, int way) {
  const ptrdiff_t stride = j->hot->stride;
  const uint16_t *kind = j->hot->kinds + place;
  wend_pattern *pattern;
  uint64_t kinds = 0;
  if (WEND_UNLIKELY(j->walls) && has_wall_beside(j, place)) return 0xff;
  if (WEND_UNLIKELY(j->special) && has_special_beside(j, place)) return 0xff;
  if (j->patterns == NULL) return find_needed(j, place, way);
  if (WEND_UNLIKELY(j->noisy)) kinds = noisy_pattern(j, place);
  for (ptrdiff_t dy = -stride; dy <= stride && !j->noisy; dy += stride)
    kinds = kinds << 21 | (uint64_t)((uint32_t)kind[dy - 1] << 14 | (uint32_t)kind[dy] << 7 | kind[dy + 1]);
  pattern = &j->patterns[kinds * 0x9E3779B97F4A7C15u >> (64 - j->s->pattern_bits)];
  if (pattern->kinds != kinds || pattern->costs != j->costs)
    pattern->kinds = kinds, pattern->costs = j->costs, pattern->known = 0;
  if ((pattern->known >> way & 1) == 0) {
    pattern->needed[way] = (uint8_t)find_needed(j, place, way);
    pattern->known = (uint8_t)(pattern->known | 1u << way);
  }
  return pattern->needed[way];
}

/* What a mark remembers of the last step to its node: see marks.h. So directions are only found for nodes that are expanded. */
WEND_INLINE uint32_t arrived_by(int way) { return way == BY_LINK ? ALL_DIRECTIONS : 1u << way; }

/* The directions that a node needs and that were not expanded, by what its mark remembers. */
static unsigned missing_directions(const jumper *j, uint32_t place, uint32_t remembered) {
  unsigned needed = 0;
  if ((remembered & ALL_DIRECTIONS) != 0) needed = 0xff;
  for (unsigned ways = remembered & 0xff; ways != 0 && needed != 0xff; ways &= ways - 1)
    needed |= needed_directions(j, place, (int)wend_lowest_bit(ways));
  return needed & ~(remembered >> EXPANDED_SHIFT);
}

/* Notes another path of equal cost to a node. True: the node must be pushed again. */
static bool add_way(const jumper *j, wend_mark *mark, uint32_t to, int way, double difference) {
  uint32_t *remembered = wend_marks_directions(&j->s->marks, to);
  /* A start can be reached at its own cost from a cheaper start: then the path goes through both. */
  if (mark->parent == WEND_NONE && j->g < mark->g && difference <= j->hot->slack) {
    mark->parent = j->from;
    if (way == BY_LINK) mark->stamp |= MARK_LINKED;
  }
  if ((mark->stamp & MARK_OPEN) == 0 && missing_directions(j, to, (*remembered & 0xff00) | arrived_by(way)) == 0) return false;
  *remembered |= arrived_by(way);
  return (mark->stamp & MARK_OPEN) == 0;
}

/* Relaxes the jump to a node of a weighted search, at column x of row y. way: the direction of the last step. cost: of the
 * jump. False: the estimate is invalid. */
static WEND_NOINLINE bool relax_node(const jumper *j, uint32_t x, uint32_t y, int way, double cost) {
  wend_search *s = j->s;
  hot_state *hot = j->hot;
  const uint32_t to = (uint32_t)(y * hot->stride + x);
  wend_mark *mark = j->paged ? wend_paged_mark(hot->sheets, to) : &hot->marks[to];
  const uint32_t known = mark->stamp - hot->epoch; /* the flags if the mark is of this search, else a greater number */
  double g = j->g + cost, f;
  uint32_t kept = 0; /* 0, or ALL_DIRECTIONS: an earlier path costs more by rounding alone */
  bool again = false;
  if (WEND_UNLIKELY(j->noted)) note_cell(j, x, y, cost);
  if (known <= MARK_FLAGS && mark->g < INFINITY) {
    const double difference = g - mark->g, rounding = hot->slack + g * EQUAL_SHARE;
    if (difference > rounding) return true;
    again = difference >= -hot->slack;
    if (again && !add_way(j, mark, to, way, difference)) return true;
    if (again) g = mark->g;
    else if (difference >= -rounding) kept = ALL_DIRECTIONS;
  }
  f = g +
      (j->by_cells ? estimate_cell(hot, x, y) : estimate_rarely(s, to, j->by_planes ? HEURISTIC_PLANES : HEURISTIC_GENERAL));
  if (WEND_UNLIKELY(!(f < hot->f_ceiling))) {
    if (f < INFINITY) s->pruned = true;
    return f == f;
  }
  if (WEND_UNLIKELY(!(g < s->g_ceiling))) return s->pruned = true;
  if (j->paged && (mark = mark_to_set(s, to, mark, true)) == NULL) return true;
  if (!again) {
    *wend_marks_directions(&s->marks, to) = arrived_by(way) | kept;
    mark->g = g;
    mark->parent = j->from;
  }
  mark->stamp = hot->epoch | MARK_OPEN | (known <= MARK_FLAGS ? known & MARK_GOAL : 0) |
                (again            ? known & MARK_LINKED
                 : way == BY_LINK ? MARK_LINKED
                                  : 0);
  hot->pushed++;
  wend_buckets_push(&s->buckets, &hot->ring, &s->alloc, f, to);
  return true;
}

/* ---- Jumps */

/* Relaxes the jump to a cell of a search where all steps cost the same. */
static WEND_NOINLINE bool relax_plain_jump(const jumper *j, uint32_t to, double cost) {
  return relax(j->s, j->hot, j->from, j->g, to, j->g + cost, no_arrival, EXPAND_JUMPS, HEURISTIC_CELLS, false, j->paged);
}

/* The kinds of jumps. JUMP_NEAR: as JUMP_PLAIN, but a search with a bound on f from its beginning scans nothing beyond it. */
typedef enum jump_kind { JUMP_PLAIN, JUMP_NEAR, JUMP_WEIGHTED } jump_kind;

/* Relaxes the jump to a cell. way: the direction of the last step. cost: of the jump. False: the estimate is invalid. */
WEND_INLINE bool relax_jump(const jumper *j, uint32_t x, uint32_t y, int way, double cost, const jump_kind kind) {
  if (kind == JUMP_WEIGHTED) return relax_node(j, x, y, way, cost);
  return relax_plain_jump(j, (uint32_t)(y * j->hot->stride + x), cost);
}

/* Of several goals in a line: the first one from `at` on in a direction, without `at`; otherwise `at`. lines: by row or by
 * column. */
static WEND_NOINLINE uint32_t next_goal(const jumper *j, const uint64_t *lines, uint32_t line, uint32_t at, int direction) {
  const uint64_t here = (uint64_t)line << 32 | at;
  uint32_t low = 0, high = j->goal_count;
  while (low < high) { /* the first one after `here`; backwards: the first one from `here` on */
    const uint32_t middle = low + (high - low) / 2;
    if (lines[middle] < here + (direction > 0)) low = middle + 1;
    else high = middle;
  }
  if (direction < 0 && low-- == 0) return at;
  return low < j->goal_count && lines[low] >> 32 == line ? (uint32_t)lines[low] : at;
}

/* Whether a cell is a goal. */
WEND_INLINE bool is_goal(const jumper *j, uint32_t x, uint32_t y, const jump_kind kind) {
  if (kind == JUMP_WEIGHTED && WEND_UNLIKELY(j->goals != NULL)) return next_goal(j, j->goals, y, x - 1, 1) == x;
  return x == j->goal_x && y == j->goal_y;
}

/* Whether no path through a cell costs less than the bound on f. cost: from the expanded node to the cell. */
WEND_INLINE bool is_beyond(const jumper *j, uint32_t x, uint32_t y, double cost) {
  return !(j->g + cost + estimate_cell(j->hot, x, y) < j->hot->f_ceiling);
}

/* What a scan tells about the next cell of its line. INVALID: the estimate is invalid. */
typedef enum outcome { NEXT_OPEN, NEXT_CLOSED, INVALID } outcome;

/* Scans a line from `at`, and relaxes the jump to the goal or the node that it finds. cost: of the path from the expanded node
 * to `at`. */
WEND_INLINE outcome jump_along(const jumper *j, const wend_bits *bits, const wend_bits *mixed, uint32_t line, uint32_t at,
                               int direction, uint32_t goal, const bool vertical, double cost, const jump_kind kind) {
  const int way = vertical ? (direction > 0 ? SOUTH : NORTH) : direction > 0 ? EAST : WEST;
  bool turn;
  const uint64_t more = kind != JUMP_WEIGHTED || WEND_LIKELY(!j->noisy) ? 0
                        : is_border(j, line, !vertical)                 ? ~(uint64_t)0
                                                                        : j->borders[vertical];
  uint32_t steps, end = at + (uint32_t)direction;
  if (kind == JUMP_NEAR && is_beyond(j, vertical ? line : end, vertical ? end : line, cost + j->straight))
    return is_set(bits, line, end) ? NEXT_OPEN : NEXT_CLOSED;
  end = direction > 0 ? scan_up(bits, kind == JUMP_WEIGHTED ? mixed : NULL, more, line, at, &turn)
                      : scan_down(bits, kind == JUMP_WEIGHTED ? mixed : NULL, more, line, at, &turn);
  if (WEND_UNLIKELY(j->noted)) note_scan(j, line, at, end, turn, vertical, cost);
  if (!turn && end == at + (uint32_t)direction) return NEXT_CLOSED;
  if (kind == JUMP_WEIGHTED && WEND_UNLIKELY(j->goals != NULL))
    goal = next_goal(j, vertical ? j->goals + j->goal_count : j->goals, line, at, direction);
  if (direction > 0 ? goal > at && goal < end : goal < at && goal > end) end = goal;
  else if (!turn) return NEXT_OPEN;
  steps = direction > 0 ? end - at : at - end;
  cost += steps * j->straight;
  if (kind == JUMP_NEAR && is_beyond(j, vertical ? line : end, vertical ? end : line, cost)) return NEXT_OPEN;
  return (vertical ? relax_jump(j, line, end, way, cost, kind) : relax_jump(j, end, line, way, cost, kind)) ? NEXT_OPEN
                                                                                                            : INVALID;
}

/* The same along the row of a cell, to the east (sx 1) or the west (sx -1). The goal counts if it is in this row. */
WEND_INLINE outcome jump_along_row(const jumper *j, uint32_t x, uint32_t y, int sx, double cost, const jump_kind kind) {
  return jump_along(j, j->rows, j->mixed_rows, y, x, sx, j->goal_y == y ? j->goal_x : x, false, cost, kind);
}

/* The same along its column, to the south (sy 1) or the north (sy -1). */
WEND_INLINE outcome jump_along_column(const jumper *j, uint32_t x, uint32_t y, int sy, double cost, const jump_kind kind) {
  return jump_along(j, j->columns, j->mixed_columns, x, y, sy, j->goal_x == x ? j->goal_y : y, true, cost, kind);
}

/* The same from the expanded node itself. */
static WEND_NOINLINE outcome jump_row(const jumper *j, uint32_t x, uint32_t y, int sx) {
  return jump_along_row(j, x, y, sx, 0, JUMP_PLAIN);
}
static WEND_NOINLINE outcome jump_column(const jumper *j, uint32_t x, uint32_t y, int sy) {
  return jump_along_column(j, x, y, sy, 0, JUMP_PLAIN);
}
static WEND_NOINLINE outcome jump_near_row(const jumper *j, uint32_t x, uint32_t y, int sx) {
  return jump_along_row(j, x, y, sx, 0, JUMP_NEAR);
}
static WEND_NOINLINE outcome jump_near_column(const jumper *j, uint32_t x, uint32_t y, int sy) {
  return jump_along_column(j, x, y, sy, 0, JUMP_NEAR);
}
WEND_INLINE outcome jump_horizontally(const jumper *j, uint32_t x, uint32_t y, int sx, const jump_kind kind) {
  return kind == JUMP_NEAR ? jump_near_row(j, x, y, sx) : jump_row(j, x, y, sx);
}
WEND_INLINE outcome jump_vertically(const jumper *j, uint32_t x, uint32_t y, int sy, const jump_kind kind) {
  return kind == JUMP_NEAR ? jump_near_column(j, x, y, sy) : jump_column(j, x, y, sy);
}

/* Goes along a diagonal and scans the row and the column of every cell. The caller has checked the corner of the first diagonal
 * step; the scans check it for each later step. False: the estimate is invalid. */
WEND_INLINE bool go_diagonally(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, const jump_kind kind) {
  const int way = sy < 0 ? (sx < 0 ? NORTH_WEST : NORTH_EAST) : sx < 0 ? SOUTH_WEST : SOUTH_EAST;
  const uint32_t most = kind == JUMP_WEIGHTED ? WEIGHTED_STEPS_MAX : DIAGONAL_STEPS_MAX;
  uint32_t steps = 1;
  bool valid = true;
  for (;; steps++) {
    const double cost = steps * j->diagonal;
    outcome horizontal, vertical;
    x += (uint32_t)sx, y += (uint32_t)sy;
    if (!is_set(j->rows, y, x) || (kind == JUMP_NEAR && is_beyond(j, x, y, cost))) break;
    if (WEND_UNLIKELY(j->noted)) note_cell(j, x, y, cost);
    if (is_goal(j, x, y, kind) || steps == most || (kind == JUMP_WEIGHTED && stops_at(j, x, y))) {
      valid = relax_jump(j, x, y, way, cost, kind);
      break;
    }
    horizontal = jump_along_row(j, x, y, sx, cost, kind);
    vertical = jump_along_column(j, x, y, sy, cost, kind);
    valid = horizontal != INVALID && vertical != INVALID;
    if (!valid || horizontal == NEXT_CLOSED || vertical == NEXT_CLOSED) break;
  }
  j->s->diagonal_steps += steps;
  return valid;
}

/* Without diagonals: goes along a column, and scans the row of every cell to both sides. */
static WEND_NOINLINE bool go_vertically(const jumper *j, uint32_t x, uint32_t y, int sy, jump_kind kind) {
  uint32_t steps = 1;
  bool valid = true;
  for (; valid; steps++) {
    const double cost = steps * j->straight;
    y += (uint32_t)sy;
    if (!is_set(j->rows, y, x)) break;
    if (WEND_UNLIKELY(j->noted)) note_cell(j, x, y, cost);
    if (is_goal(j, x, y, kind) || steps == VERTICAL_STEPS_MAX || (kind == JUMP_WEIGHTED && stops_at(j, x, y))) {
      valid = relax_jump(j, x, y, sy < 0 ? NORTH : SOUTH, cost, kind);
      break;
    }
    for (int sx = -1; sx <= 1 && valid; sx += 2) valid = jump_along_row(j, x, y, sx, cost, kind) != INVALID;
  }
  j->s->diagonal_steps += steps;
  return valid;
}

static WEND_NOINLINE bool jump_diagonal(const jumper *j, uint32_t x, uint32_t y, int sx, int sy) {
  return go_diagonally(j, x, y, sx, sy, JUMP_PLAIN);
}
static WEND_NOINLINE bool jump_near_diagonal(const jumper *j, uint32_t x, uint32_t y, int sx, int sy) {
  return go_diagonally(j, x, y, sx, sy, JUMP_NEAR);
}

/* The quadrant between a horizontal and a vertical scan: jumps diagonally if both outcomes allow it. */
WEND_INLINE bool jump_quadrant(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, outcome horizontal, outcome vertical,
                               const jump_kind kind) {
  if (horizontal == INVALID || vertical == INVALID) return false;
  if (horizontal == NEXT_CLOSED || vertical == NEXT_CLOSED) return true;
  return kind == JUMP_NEAR ? jump_near_diagonal(j, x, y, sx, sy) : jump_diagonal(j, x, y, sx, sy);
}

/* At the end of a wall on one side of a straight run: jumps to that side, and diagonally between that side and the run. along:
 * the outcome of the scan along the run. */
WEND_INLINE bool jump_past_wall(const jumper *j, uint32_t x, uint32_t y, int sx, int sy, const bool vertical, outcome along,
                                const jump_kind kind) {
  const uint32_t side_x = vertical ? x + (uint32_t)sx : x, side_y = vertical ? y : y + (uint32_t)sy;
  const uint32_t behind_x = vertical ? side_x : x - (uint32_t)sx, behind_y = vertical ? y - (uint32_t)sy : side_y;
  if (!is_set(j->rows, side_y, side_x) || is_set(j->rows, behind_y, behind_x)) return true;
  return vertical ? jump_quadrant(j, x, y, sx, sy, jump_horizontally(j, x, y, sx, kind), along, kind)
                  : jump_quadrant(j, x, y, sx, sy, along, jump_vertically(j, x, y, sy, kind), kind);
}

/* The same that is for variation only. Its patterns are those of other costs. */
static WEND_NOINLINE void load_blocks(jumper *j) {
  const wend_noise *noise = &j->s->noise;
  j->block = 1u << noise->shift;
  j->costs = wend_mix(wend_mix(j->costs) ^ wend_bits_of(noise->most));
  for (int d = 0; d < 2; d++) {
    j->offset[d] = (uint32_t)noise->offset[d] - 1; /* x and y count the margin */
    j->borders[d] = 0;
    for (uint32_t at = 0; at < 64; at++) j->borders[d] |= (uint64_t)is_border(j, at, d == 1) << at;
  }
}

/* What all jumps share. */
WEND_INLINE jumper load_jumper(wend_search *s, hot_state *hot, bool paged) {
  const wend_agent_view *view = s->view;
  const bool one = s->goals.count == 1; /* several goals have no target */
  jumper j;
  j.s = s, j.hot = hot;
  j.rows = &view->rows, j.columns = &view->columns;
  j.mixed_rows = &view->mixed_rows, j.mixed_columns = &view->mixed_columns;
  j.goal_x = one ? (uint32_t)s->estimator.target[0] + 1 : 0;
  j.goal_y = one ? (uint32_t)s->estimator.target[1] + 1 : 0;
  j.paged = paged;
  j.noted = s->opts.partial;
  j.walls = s->grid->wall_count > 0;
  j.crosswise = s->grid->diagonals == WEND_NEVER;
  j.special = !(s->summary.least > 0);
  j.by_cells = s->estimator.kind == HEURISTIC_CELLS;
  j.by_planes = s->estimator.kind == HEURISTIC_PLANES && s->estimator.straight == HEURISTIC_CELLS;
  j.goals = one ? NULL : s->goals.lines;
  j.goal_count = s->goals.count;
  j.noisy = s->noise.most > 0;
  j.patterns = s->grid->kind_count * (j.noisy ? WEND_NOISE_LEVELS : 1) <= PATTERN_KINDS_MAX ? s->patterns : NULL;
  j.costs = view->costs_serial;
  if (WEND_UNLIKELY(j.noisy)) load_blocks(&j);
  j.from = WEND_NONE;
  j.g = 0;
  j.straight = s->jump_cost, j.diagonal = s->jump_cost * s->grid->diagonal_length;
  return j;
}

/* The cost of a step to a mixed cell, beside walls or where a function is asked. It is not called for a step that cannot improve
 * anything. Whether a path costs the same as a known one is only needed where it is not asked for. */
static WEND_NOINLINE double step_beside(jumper *j, uint32_t to, int direction, wend_memo *memo) {
  wend_search *s = j->s;
  const bool asks = s->opts.costs.edge != NULL, asked = !(j->hot->kind_costs[j->hot->kinds[to]].straight >= 0);
  const double known = !asks ? INFINITY : known_cost(j->hot, to, j->paged) * (asked ? 1 : 1 + 1e-9);
  const double cost = wend_step_cell(&s->stepper, j->from, direction, j->g, known, memo);
  if (!asks) return cost;
  wend_search_find_view(s);
  j->rows = &s->view->rows, j->columns = &s->view->columns;
  j->mixed_rows = &s->view->mixed_rows, j->mixed_columns = &s->view->mixed_columns;
  return s->stepper.invalid ? NAN : cost;
}

/* Relaxes one jump from a node of a weighted search. x, y: the node. memo: see step_beside; NULL: there are no walls, and no
 * function is asked. False: the cost or the estimate is invalid. */
WEND_INLINE bool jump_in_direction(jumper *j, uint32_t x, uint32_t y, int direction, wend_memo *memo) {
  const int sx = columns_on[direction], sy = rows_on[direction];
  const uint32_t to = (uint32_t)(j->from + wend_offset((uint32_t)j->hot->stride, direction));
  const wend_cell_cost cost = priced(j, to);
  if (stops_at(j, x + (uint32_t)sx, y + (uint32_t)sy)) {
    const double step = memo != NULL             ? step_beside(j, to, direction, memo)
                        : IS_DIAGONAL(direction) ? cost.diagonal
                                                 : cost.straight;
    return step == INFINITY || relax_node(j, x + (uint32_t)sx, y + (uint32_t)sy, direction, step);
  }
  j->straight = cost.straight, j->diagonal = cost.diagonal;
  if (sy == 0) return jump_along_row(j, x, y, sx, 0, JUMP_WEIGHTED) != INVALID;
  if (sx == 0 && j->crosswise) return go_vertically(j, x, y, sy, JUMP_WEIGHTED);
  if (sx == 0) return jump_along_column(j, x, y, sy, 0, JUMP_WEIGHTED) != INVALID;
  return go_diagonally(j, x, y, sx, sy, JUMP_WEIGHTED);
}

/* Relaxes the links from a node of a weighted search. */
static WEND_NOINLINE bool jump_through_links(const jumper *j) {
  uint32_t count;
  const wend_portal *links = wend_grid_portals(j->s->grid, j->from, false, &count);
  for (uint32_t i = 0; i < count; i++) {
    const double cost = wend_step_portal(&j->s->stepper, &links[i], j->from, links[i].to, 0, INFINITY);
    const uint32_t x = links[i].to % (uint32_t)j->hot->stride, y = links[i].to / (uint32_t)j->hot->stride;
    if (cost < INFINITY && !relax_node(j, x, y, BY_LINK, cost)) return false;
  }
  return true;
}

/* Relaxes the jumps from a node of a weighted search in those directions that it still needs. */
static WEND_NOINLINE bool expand_directions(jumper *j, uint32_t from, const wend_mark *mark) {
  wend_search *s = j->s;
  const hot_state *hot = j->hot;
  const uint32_t stride = (uint32_t)hot->stride, x = from % stride, y = from / stride;
  const uint16_t *kind = hot->kinds + from;
  const uint8_t *states = hot->kind_states;
  const unsigned north = states[kind[-hot->stride]], west = states[kind[-1]], east = states[kind[1]];
  const unsigned south = states[kind[hot->stride]];
  uint32_t *remembered = wend_marks_directions(&s->marks, from);
  unsigned left = missing_directions(j, from, *remembered);
  wend_memo memo;
  bool walled;
  j->from = from, j->g = mark->g;
  *remembered = (*remembered & 0xff00) | left << EXPANDED_SHIFT;
  left &= hot->around[(north | west << 1 | east << 2 | south << 3) & 15];
  if (s->grid->live_portals > 0 && !jump_through_links(j)) return false;
  walled = (WEND_UNLIKELY(j->walls) && has_wall_beside(j, from)) ||
           (WEND_UNLIKELY(s->opts.costs.edge != NULL) && has_special_beside(j, from));
  if (walled) wend_memo_clear(&memo);
  for (; left != 0; left &= left - 1) {
    const int direction = (int)wend_lowest_bit(left);
    if (states[kind[wend_offset(stride, direction)]] != CELL_OPEN) continue;
    if (!jump_in_direction(j, x, y, direction, walled ? &memo : NULL)) return false;
  }
  return true;
}

/* Without diagonals: relaxes the jumps from a node: at a start and where a vertical run ended, to all sides but back; where a
 * horizontal run ended, on along it, and up and down past the end of a wall. */
static WEND_NOINLINE bool expand_crosswise(const jumper *j, uint32_t x, uint32_t y, uint32_t parent) {
  const uint32_t stride = (uint32_t)j->hot->stride, from_x = parent % stride, from_y = parent / stride;
  const int sx = x < from_x ? -1 : 1;
  const bool start = parent == WEND_NONE, across = !start && x != from_x;
  if ((!across || sx < 0) && jump_horizontally(j, x, y, -1, JUMP_PLAIN) == INVALID) return false;
  if ((!across || sx > 0) && jump_horizontally(j, x, y, 1, JUMP_PLAIN) == INVALID) return false;
  for (int sy = -1; sy <= 1; sy += 2) {
    const uint32_t side = y + (uint32_t)sy;
    const bool behind = across ? !is_set(j->rows, side, x - (uint32_t)sx) : start || (sy < 0) == (y < from_y);
    if (behind && is_set(j->rows, side, x) && !go_vertically(j, x, y, sy, JUMP_PLAIN)) return false;
  }
  return true;
}

/* Relaxes the jumps from a node:
 *
 *   1  at a start                    to all sides
 *   2  where a diagonal ended        to the two straight directions of the diagonal, and on along it
 *   3  where a straight run ended    on along it, and past the end of a wall on either side
 *
 * mark: of the node. */
WEND_INLINE bool expand_plain(jumper *j, uint32_t from, const wend_mark *mark, const jump_kind kind) {
  const uint32_t stride = (uint32_t)j->hot->stride, x = from % stride, y = from / stride, parent = mark->parent;
  int64_t dx, dy; /* from the parent; then their sizes */
  int sx, sy;     /* their signs */
  outcome along;
  j->from = from, j->g = mark->g;
  if (j->crosswise) return expand_crosswise(j, x, y, parent);
  if (parent == WEND_NONE) { /* 1 */
    const outcome west = jump_horizontally(j, x, y, -1, kind), east = jump_horizontally(j, x, y, 1, kind);
    const outcome north = jump_vertically(j, x, y, -1, kind), south = jump_vertically(j, x, y, 1, kind);
    return jump_quadrant(j, x, y, -1, -1, west, north, kind) && jump_quadrant(j, x, y, 1, -1, east, north, kind) &&
           jump_quadrant(j, x, y, -1, 1, west, south, kind) && jump_quadrant(j, x, y, 1, 1, east, south, kind);
  }
  dx = (int64_t)x - parent % stride, dy = (int64_t)y - parent / stride;
  sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
  dx *= sx, dy *= sy;
  /* 2 */
  if (dx == dy)
    return jump_quadrant(j, x, y, sx, sy, jump_horizontally(j, x, y, sx, kind), jump_vertically(j, x, y, sy, kind), kind);
  if (dx > dy) { /* 3, horizontal */
    along = jump_horizontally(j, x, y, sx, kind);
    return along != INVALID && jump_past_wall(j, x, y, sx, -1, false, along, kind) &&
           jump_past_wall(j, x, y, sx, 1, false, along, kind);
  }
  along = jump_vertically(j, x, y, sy, kind); /* 3, vertical */
  return along != INVALID && jump_past_wall(j, x, y, -1, sy, true, along, kind) &&
         jump_past_wall(j, x, y, 1, sy, true, along, kind);
}
static WEND_NOINLINE bool expand_jumps(jumper *j, uint32_t from, const wend_mark *mark) {
  return expand_plain(j, from, mark, JUMP_PLAIN);
}
static WEND_NOINLINE bool expand_near_jumps(jumper *j, uint32_t from, const wend_mark *mark) {
  return expand_plain(j, from, mark, JUMP_NEAR);
}
