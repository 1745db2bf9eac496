/* SPDX-License-Identifier: MIT */
/* Bends: of the paths over a grid that cost the same, the search takes one with few of them.
 *
 * The search finds one cheapest path. Between two of its corners it may have no detour: no path between them is shorter. Then a
 * walk with one bend, the diagonal first or the straight first, is as short. If it costs no more and has fewer bends, it replaces
 * that part. A part as long as possible is tried first, so on an empty grid one bend is left.
 *
 *        . . b . . . .        Diagonal steps have the length 1. From S to G: S b c d G is as short as the straight walk, which
 *        . / . \ . d .        has no bend. If a cell on it is closed or costs more, half of the part is tried: S b c.
 *        S x x x c x G
 *
 * Nothing here depends on how the search went, so this is the last step before the result. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/pathfinder/pathfinder.h"

WEND_NO_FUSING

/* Costs that differ by less than this share are equal. */
#define EQUAL_SHARE 1e-12
/* So many steps are looked at for each step of the path, and some more. Then the rest of the path stays as it is. */
#define LOOKS 4u

typedef struct bending {
  const wend_search *s;
  const wend_grid *grid;
  wend_stepper stepper;
  wend_turn_rule rule; /* per_turn 0: costs are not in turns */
  wend_id *corners;
  uint32_t last; /* the number of the last corner */
  uint32_t goal; /* the place of the last cell: only the step onto it may enter it if it is closed */
  uint64_t left; /* the steps that may still be looked at */
} bending;

/* The columns and rows between two cells. */
static void measure(const bending *b, wend_id from, wend_id to, int64_t *x, int64_t *y) {
  const int64_t width = b->grid->width, a = (int64_t)from - 1, c = (int64_t)to - 1;
  *x = c % width - a % width, *y = c / width - a / width;
}

/* The length of the shortest way between two cells if all is open. */
static double shortest(const bending *b, wend_id from, wend_id to) {
  const double diagonal = b->grid->diagonals == WEND_NEVER ? 2 : b->grid->diagonal_length;
  int64_t x, y;
  double wide, high;
  measure(b, from, to, &x, &y);
  wide = fabs((double)x), high = fabs((double)y);
  return wide > high ? wide + high * (diagonal - 1) : high + wide * (diagonal - 1);
}

/* The cost of the step from a place in a direction. */
static double step_cost(bending *b, uint32_t place, int direction) {
  const double known = b->s->promises.asked_count > 0 ? wend_search_asked(b->s, place, direction) : NAN;
  return known == known ? known : wend_step_cell(&b->stepper, place, direction, 0, INFINITY, NULL);
}

/* The cost after the leg between two corners; g: the cost before. INFINITY: it is closed. NaN: a cost is invalid. It stops where
 * more than `most` is spent. */
static double walk_leg(bending *b, wend_id from, wend_id to, double g, double most) {
  const int direction = wend_leg_direction(b->grid, from, to);
  const uint32_t end = wend_stepper_place(&b->stepper, to);
  uint32_t place = wend_stepper_place(&b->stepper, from);
  while (place != end && g <= most) {
    const uint32_t next = direction < 0 ? end : wend_stepper_next(&b->stepper, place, direction);
    double cost;
    b->stepper.opened = next == b->goal ? next : WEND_NONE;
    cost = direction < 0 ? wend_step_between(&b->stepper, from, to) : step_cost(b, place, direction);
    g = b->rule.per_turn > 0 ? wend_turn_after(&b->rule, g, cost, false, false) : g + cost;
    place = next;
    if (b->left > 0 && b->stepper.asking == ASKING_ALWAYS) b->left--;
  }
  return g;
}

/* The same from corner i to corner j. */
static double walk_legs(bending *b, uint32_t i, uint32_t j, double g) {
  for (; i < j; i++) g = walk_leg(b, b->corners[i], b->corners[i + 1], g, DBL_MAX);
  return g;
}

/* The farthest corner to which the path makes no detour from corner i. */
static uint32_t end_of_part(bending *b, uint32_t i) {
  double length = 0;
  uint32_t j = i;
  for (; j < b->last && b->left > 0; j++, b->left--) {
    if (wend_leg_direction(b->grid, b->corners[j], b->corners[j + 1]) < 0) break;
    length += shortest(b, b->corners[j], b->corners[j + 1]);
    if (length > shortest(b, b->corners[i], b->corners[j + 1]) * (1 + EQUAL_SHARE)) break;
  }
  return j;
}

/* The bends of so many corners. A leg that leads straight back counts as more than any other bends: where steps cost nothing, such a
 * walk may be as cheap as one that does not come to a cell twice. */
static uint32_t count_bends(const bending *b, const wend_id *corners, uint32_t count) {
  uint32_t bends = 0;
  int before = -1;
  for (uint32_t k = 1; k < count; k++) {
    const int direction = wend_leg_direction(b->grid, corners[k - 1], corners[k]);
    bends += k > 1 && direction != before;
    if (k > 1 && before >= 0 && direction == 7 - before) return UINT32_MAX;
    before = direction;
  }
  return bends;
}

/* The corner of the walk between two cells: the diagonal first, or the straight. It may be one of the two. */
static wend_id middle_between(const bending *b, wend_id from, wend_id to, bool straight_first) {
  int64_t x, y, wide, high, least;
  measure(b, from, to, &x, &y);
  wide = x < 0 ? -x : x, high = y < 0 ? -y : y, least = wide < high ? wide : high;
  wide = x < 0 ? -least : least, high = y < 0 ? -least : least; /* the diagonal */
  if (b->grid->diagonals == WEND_NEVER) wide = 0, high = y;
  return from + (wend_id)(straight_first ? (y - high) * b->grid->width + x - wide : high * b->grid->width + wide);
}

/* Looks for a walk with one bend instead of the part from corner i to corner j. g: the cost at corner i. *middle: its corner. */
static bool find_walk(bending *b, uint32_t i, uint32_t j, double g, wend_id *middle) {
  const uint32_t before = i > 0, after = j < b->last;
  const uint32_t now = count_bends(b, b->corners + i - before, j - i + 1 + before + after);
  double most = -1;
  for (int order = 0; order < 2; order++) {
    wend_id walk[5];
    uint32_t count = 0;
    double other;
    bool asked;
    *middle = middle_between(b, b->corners[i], b->corners[j], order == 1);
    if (before) walk[count++] = b->corners[i - 1];
    walk[count++] = b->corners[i];
    if (*middle != b->corners[i] && *middle != b->corners[j]) {
      if (j - i == 2) continue; /* a straight walk alone has fewer corners */
      walk[count++] = *middle;
    }
    walk[count++] = b->corners[j];
    if (after) walk[count++] = b->corners[j + 1];
    if (count_bends(b, walk, count) >= now || b->left == 0) continue;
    if (most < 0) most = walk_legs(b, i, j, g) * (1 + EQUAL_SHARE);
    /* By what the edge function promises, most walks cost too much: then it need not be asked. */
    b->stepper.asking = b->stepper.kind == COSTS_ASKED ? ASKING_NEVER : ASKING_ALWAYS;
    do {
      other = walk_leg(b, *middle, b->corners[j], walk_leg(b, b->corners[i], *middle, g, most), most);
      asked = b->stepper.asking == ASKING_ALWAYS;
      b->stepper.asking = ASKING_ALWAYS;
    } while (!asked && other <= most && other < INFINITY);
    if (other <= most && other < INFINITY) return true;
  }
  return false;
}

/* Makes the path from its corners. filled: all its cells, also if wend_search_keep_corners follows. False: no memory. */
static bool lay_corners(wend_search *s, const bending *b, bool filled) {
  s->path_length = 1;
  for (uint32_t i = 1; i <= b->last; i++) {
    const wend_id from = s->path_edges[i - 1], to = s->path_edges[i];
    const int direction = wend_leg_direction(b->grid, from, to);
    wend_id at = from;
    while (at != to) {
      if (!wend_search_reserve_path(s, (uint64_t)s->path_length + 1)) return false;
      at = direction < 0 || !filled ? to : at + (wend_id)wend_offset(b->grid->width, direction);
      s->path_nodes[s->path_length++] = at;
    }
  }
  return true;
}

/* Where steps cost nothing, a new leg may lead over cells to which the path comes before or after it. Leaves out what lies between:
 * it costs nothing. False: no memory. */
static bool cut_loops(wend_search *s) {
  const uint32_t length = s->path_length;
  uint64_t room = 64;
  uint32_t *seen, kept = 0;
  while (room < 2 * (uint64_t)length) room *= 2;
  seen = wend_search_scratch(s, WEND_SCRATCH_SEEN, room * sizeof *seen);
  if (seen == NULL) return false;
  memset(seen, 0, room * sizeof *seen);
  for (uint32_t i = 0; i < length; i++) {
    const wend_id cell = s->path_nodes[i];
    uint64_t at = (cell * 0x9E3779B97F4A7C15u) >> 32 & (room - 1);
    /* An entry is the number of a cell of the path, from 1. Entries of cells that were left out match nothing. */
    while (seen[at] != 0 && (seen[at] > kept || s->path_nodes[seen[at] - 1] != cell)) at = (at + 1) & (room - 1);
    if (seen[at] != 0) {
      kept = seen[at];
      continue;
    }
    s->path_nodes[kept++] = cell;
    seen[at] = kept;
  }
  s->path_length = kept;
  return true;
}

wend_status wend_search_unbend(wend_search *s) {
  const uint32_t length = s->path_length;
  wend_costs costs;
  const wend_grid *grid = (const wend_grid *)wend_search_given(s, &costs);
  bending b = {s, grid, wend_grid_stepper(grid, &costs), wend_turn_rule_of(&s->opts.turns), NULL, 0, 0, 0};
  double start, g = 0, before = 0;
  const bool may_loop = !(s->summary.least > 0) || grid->live_portals > 0;
  bool changed = false;
  if (length < 3 || grid->shape != WEND_SQUARES || (b.rule.per_turn > 0 && wend_turns_tags(&grid->map, &costs, NULL)))
    return WEND_OK;
  memcpy(s->path_edges, s->path_nodes, length * sizeof *s->path_edges);
  b.corners = s->path_edges, b.last = wend_keep_corners(grid, b.corners, length) - 1;
  b.stepper.callbacks = &s->stats.callbacks;
  b.goal = wend_stepper_place(&b.stepper, s->path_nodes[length - 1]);
  for (uint32_t i = 0; i < b.last; i++) b.left += LOOKS * (uint64_t)(1 + shortest(&b, b.corners[i], b.corners[i + 1]));
  start = wend_marks_of(&s->marks, wend_search_place(s, s->path_nodes[0]))->g;
  if (b.rule.per_turn > 0) g = start;
  for (uint32_t i = 0; i + 2 <= b.last && b.left > 0 && !b.stepper.invalid;) {
    wend_id middle;
    uint32_t j = end_of_part(&b, i), k = i + 1;
    while (j >= i + 2 && !find_walk(&b, i, j, g, &middle)) j = i + (j - i) / 2;
    if (j < i + 2) {
      if (b.rule.per_turn > 0) g = walk_legs(&b, i, i + 1, g);
      i++;
      continue;
    }
    if (!changed) before = walk_legs(&b, 0, b.last, start), changed = true;
    if (middle != b.corners[i] && middle != b.corners[j]) b.corners[k++] = middle;
    memmove(b.corners + k, b.corners + j, (b.last + 1 - j) * sizeof *b.corners);
    b.last -= j - k;
  }
  if (changed) s->path_cost += walk_legs(&b, 0, b.last, start) - before;
  if (b.stepper.invalid) return WEND_ABORTED;
  if (!changed) return WEND_OK;
  return lay_corners(s, &b, may_loop || !s->opts.corners) && (!may_loop || cut_loops(s)) ? WEND_OK : WEND_NO_MEMORY;
}
