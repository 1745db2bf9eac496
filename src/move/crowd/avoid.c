/* SPDX-License-Identifier: MIT */
/* The velocities that keep walkers apart, by time to collision.
 *
 * After T. Weiss, A. Litteneker, C. Jiang, D. Terzopoulos, "Position-based multi-agent dynamics for real-time crowd simulation"
 * (2017), with rules of precedence. For each body:
 *
 *   1  its neighbours: the 8 nearest within 10 radii, and all that it might touch in this step
 *   2  how much it keeps to the side: more if somebody comes towards it, and nearly as much as one ahead that goes its way.
 *      Sides spread from body to body; so lanes form. Everybody keeps to the same side
 *   3  for each neighbour it would touch within 4 seconds: a change of velocity along the normal of the contact, weighted by
 *      how soon that is, times its share (see share_of)
 *   4  walls, the speed, a low pass, and the acceleration
 *
 * Where walkers press and do not get on, some go back a little: see makes_room. One that others oppose, and that has made no
 * progress for its `squeeze`, passes through them: see find_opposition and passes. It goes straight, and neither it nor those
 * others make way; those behind it follow at once. Before a door nobody is opposed, while all want to go through it the same way.
 *
 * It reads velocities and sides of the step before, and writes new ones elsewhere. So the order of bodies does not matter. */

#include "move/crowd/solid.h"
#include "move/crowd/step.h"

WEND_NO_FUSING

#define NEAREST 8u
#define TOUCHING_MAX 24u              /* more that it might touch are left to separate.c */
#define PILE_DEEP 0.01                /* of the sum of radii: deeper than separate.c lets bodies get that did not begin so */
#define PILE_PAIRS 16u                /* so many pairs with others that it overlaps are enough for a body: see is_in_pile */
#define PILE_SAMPLE 256u              /* so many of the bodies around one in a pile are read, to twice as many */
#define RANGE_RADII 5.0               /* of the two radii together */
#define LANE_WIDTH 1.5                /* in the sum of the radii: what is ahead */
#define ONCOMING (-0.2)               /* the dot product of directions: towards each other */
#define SAME_WAY 0.3                  /* the same way */
#define CORNER_NEAR 2.0               /* in the sum of the radii: so near to its next corner, a body is about to turn */
#define SPREAD 0.9                    /* the share of its side that a body passes on to those behind it */
#define SIDE_ANGLE 0.6981317007977318 /* 40 degrees, at level 1 */
#define PATIENT_ANGLE 0.15            /* more for each second without progress, while somebody comes towards it */
#define PATIENT_MOST 0.3
#define LATEST 4.0      /* seconds: later contacts do not count */
#define SOON 0.3        /* seconds: contacts before that are corrected fully */
#define MARGIN 1.02     /* of the sum of radii */
#define KEPT_ALONG 0.3  /* the part of a correction along the direction to go that is kept: queues slow down little */
#define WALL_TIME 0.1   /* seconds in which a walker may at most reach a wall: */
#define WALL_MOST 24.0  /* one that is at most so many radii away */
#define WALL_AHEAD 0.85 /* the cosine of an angle: a body goes straight at a wall, */
#define WALL_NEAR 0.2   /* seconds in which it would be there */
#define LOW_PASS 0.25
#define MOVER_SHARE 0.4 /* of a correction between one that moves and one that stands */
#define LANE_AHEAD 4.0  /* in the sum of the radii: how far ahead of a walker others that have arrived step aside */
#define BACK_AHEAD 1.5  /* the same, for one that comes back to its place: */
#define BACK_STALL 0.5  /* after so many seconds without progress */
#define LANE_ASIDE 1.2
#define TOUCHES 1.1       /* in the sum of radii */
#define BEFORE 0.9        /* the cosine of an angle: one that has arrived is between a body and their goal */
#define RANK_STALL 1.0    /* seconds without progress, after which a priority does not count: two may hold a third one fast */
#define APART 0.998       /* of the sum of radii: farther apart, two bodies do not overlap */
#define OPPOSES 1.0       /* seconds without progress, after which one that comes towards a body opposes it */
#define GETS_ON 0.5       /* of the speed that a body wants: so fast, one ahead gets on */
#define PRESSING 0.5      /* seconds without progress, after which a walker behind others goes back: */
#define BACK 0.25         /* with this part of its speed */
#define FIRM_ROOM 1.01    /* in the sum of the radii: the way past a body that makes no way, */
#define FIRM_TANGENT 1.03 /* and the tangent along which it leads */
#define KEEP_SIDE 0.5     /* how much going on in the same direction counts there */
#define QUEUE_GAP 1.6     /* in the sum of the radii: so near behind another one, a body is in a queue with it */
#define ALONGSIDE 0.85    /* the dot product of directions: a body does not pass through one that goes its way so exactly */
#define QUEUE_WAIT 0.05   /* seconds that a body in a queue may be without progress longer than the one ahead; over a step */

typedef struct avoid_neighbour {
  uint32_t body;
  double square; /* of the distance */
} avoid_neighbour;

typedef struct avoid_scan {
  avoid_neighbour nearest[NEAREST + TOUCHING_MAX]; /* the nearest ones by distance, then others that it might touch */
  uint32_t nearest_count, count;
  uint32_t stride; /* 1; in a pile more: only each such body is read */
  uint32_t deep;   /* of the bodies that it overlaps */
} avoid_scan;

static bool have_same_aim(const wend_body *a, const wend_body *b) { return a->aim_x == b->aim_x && a->aim_y == b->aim_y; }

/* Whether two moving bodies go the same way. */
static bool go_the_same_way(const wend_body *a, const wend_body *b) {
  return have_same_aim(a, b) || a->want_x * b->want_x + a->want_y * b->want_y > SAME_WAY;
}

/* Which of two bodies that go the same way is behind: farther from the aim of both, or behind along the way. */
static bool is_behind(const wend_body *a, const wend_body *b) {
  const double by =
      have_same_aim(a, b) ? a->far - b->far : (b->x - a->x) * (a->want_x + b->want_x) + (b->y - a->y) * (a->want_y + b->want_y);
  return by > 0 || (by == 0 && a->tie > b->tie);
}

/* Whether a body chases another one, which does not chase it: the other one has the right of way. */
static bool is_after(const wend_body *a, const wend_body *b) { return a->quarry == b->slot && b->quarry != a->slot; }

/* Whether body b stands, and makes no way for a: it is paused, has a higher priority, or is what a chases. */
static bool stands_firm(const wend_body *b, const wend_body *a) {
  return (b->flags & BODY_PAUSED) != 0 || ((b->flags & BODY_MOVING) == 0 && (b->priority > a->priority || is_after(a, b)));
}

/* Whether one of two bodies passes through the other one. None does that goes the same way: it stays in its queue. */
static bool passes(const wend_body *a, const wend_body *b) {
  if ((a->flags & b->flags & BODY_MOVING) != 0 && a->want_x * b->want_x + a->want_y * b->want_y > ALONGSIDE) return false;
  return ((a->flags & BODY_PASSING) != 0 && !stands_firm(b, a)) || ((b->flags & BODY_PASSING) != 0 && !stands_firm(a, b));
}

/* The part of a correction that body a takes of what a and b take together; b takes the rest. farther: the share of the one
 * that is farther from the target of both. */
static double share_of(const wend_body *a, const wend_body *b, double farther) {
  const bool a_avoids = (a->avoids & b->groups) != 0, b_avoids = (b->avoids & a->groups) != 0;
  if (a_avoids != b_avoids) return a_avoids ? 1 : 0;
  if (((a->flags ^ b->flags) & BODY_PAUSED) != 0) return (a->flags & BODY_PAUSED) != 0 ? 0 : 1;
  if (((a->flags ^ b->flags) & BODY_SQUEEZED) != 0) return (a->flags & BODY_SQUEEZED) != 0 ? 0 : 1;
  if (is_after(a, b) || is_after(b, a)) return is_after(a, b) ? 1 : 0;
  if (a->priority != b->priority && (a->priority > b->priority ? a : b)->stall < RANK_STALL) {
    return a->priority < b->priority ? 1 : 0;
  }
  if (((a->flags ^ b->flags) & BODY_MOVING) != 0) return (a->flags & BODY_MOVING) != 0 ? MOVER_SHARE : 1 - MOVER_SHARE;
  if ((a->flags & BODY_MOVING) == 0) return 0.5;
  if (go_the_same_way(a, b)) {
    if (!have_same_aim(a, b)) farther = 0.8;
    return is_behind(a, b) ? farther : 1 - farther;
  }
  return 0.5;
}

/* Rotates a vector by an angle of at most 2, to the right of the direction of travel (y grows upward). Only + and x: the sine
 * and the cosine of half the angle by their series, which are exact to the last bits, then doubled. */
static void rotate_right(double *x, double *y, double angle) {
  const double h = angle / 2, q = h * h;
  const double s = h * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110 * (1 - q / 156))))));
  const double c = 1 - q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90 * (1 - q / 132)))));
  const double sine = 2 * s * c, cosine = 1 - 2 * s * s;
  const double minus = -sine; /* two differences: compilers fuse a sum beside a difference into one instruction */
  const double rx = *x * cosine - *y * minus, ry = *y * cosine - *x * sine;
  *x = rx, *y = ry;
}

/* ---- 1. Neighbours ----------------------------------------------------------------------------------------- */

static bool add_pair(struct wend_crowd *crowd, uint32_t a, uint32_t b, double share) {
  if (!WEND_GROW(&crowd->alloc, crowd->pairs, crowd->pairs_capacity, (uint64_t)crowd->pair_count + 1)) return false;
  crowd->pairs[crowd->pair_count].a = a, crowd->pairs[crowd->pair_count].b = b;
  crowd->pairs[crowd->pair_count++].share = share;
  return true;
}

static void add_nearest(avoid_scan *scan, uint32_t body, double square, bool touching, const struct wend_crowd *crowd,
                        const wend_body *me) {
  uint32_t at;
  if (scan->nearest_count == NEAREST) {
    const avoid_neighbour *last = &scan->nearest[NEAREST - 1];
    avoid_neighbour out;
    if (square >= last->square) {
      if (touching && scan->count < NEAREST + TOUCHING_MAX) {
        scan->nearest[scan->count].body = body, scan->nearest[scan->count++].square = square;
      }
      return;
    }
    out = *last;
    for (at = NEAREST - 1; at > 0 && scan->nearest[at - 1].square > square; at--) scan->nearest[at] = scan->nearest[at - 1];
    scan->nearest[at].body = body, scan->nearest[at].square = square;
    if (scan->count < NEAREST + TOUCHING_MAX) {
      const wend_body *other = &crowd->bodies[out.body];
      const double touch = me->radius + other->radius + me->cap + other->cap;
      if (out.square < touch * touch) scan->nearest[scan->count++] = out;
    }
    return;
  }
  for (at = scan->nearest_count; at > 0 && scan->nearest[at - 1].square > square; at--)
    scan->nearest[at] = scan->nearest[at - 1];
  scan->nearest[at].body = body, scan->nearest[at].square = square;
  scan->count = ++scan->nearest_count;
}

/* Whether two bodies that avoid each other overlap, when the step begins, as none do that did not begin so. */
static bool is_deep(const wend_body *a, const wend_body_spot *b, double square) {
  const double least = (a->radius + b->radius) * (1 - PILE_DEEP);
  return square < least * least && (a->avoids & b->groups) != 0 && (b->avoids & a->groups) != 0;
}

/* Makes a pair of two bodies that might touch, once: the first one does, unless it reads only a sample. */
static bool meet(struct wend_crowd *crowd, uint32_t me, uint32_t other, double square, avoid_scan *scan) {
  const uint32_t first = me < other ? me : other, second = me < other ? other : me;
  wend_body *a = &crowd->bodies[first], *b = &crowd->bodies[second];
  if (passes(a, b)) return true;
  if (other < me && (scan->stride > 1 || (a->flags & BODY_SAMPLED) == 0)) return true;
  if (is_deep(&crowd->bodies[me], &crowd->spots[other], square)) {
    a->flags |= BODY_PILED, b->flags |= BODY_PILED, crowd->piled = true;
    if (scan->deep++ >= PILE_PAIRS) return true;
  }
  return add_pair(crowd, first, second, share_of(a, b, 0.8));
}

/* Whether a body is so much higher or lower than another one that they do not meet. */
static bool is_above(const struct wend_crowd *crowd, const wend_body *a, const wend_body *b) {
  return a->height - b->height >= crowd->tall || b->height - a->height >= crowd->tall;
}

/* Scans the bodies of a range. */
static bool scan_range(struct wend_crowd *crowd, uint32_t me, uint32_t from, uint32_t to, avoid_scan *scan) {
  const wend_body *a = &crowd->bodies[me];
  const wend_body_spot *spots = crowd->spots;
  const uint32_t stride = scan->stride;
  const bool tall = crowd->tall > 0;
  const double ax = a->x, ay = a->y, radius = a->radius, reach = a->radius + a->cap;
  for (uint32_t j = from; j < to; j += stride) {
    const wend_body_spot *b = &spots[j];
    const double square = wend_square(b->x - ax, b->y - ay), range = RANGE_RADII * (radius + b->radius);
    const double touch = reach + b->reach;
    const bool touching = square < touch * touch;
    bool avoids;
    if ((square >= range * range && !touching) || j == me || (tall && is_above(crowd, a, &crowd->bodies[j]))) continue;
    avoids = (a->avoids & b->groups) != 0;
    if (touching && (me < j || crowd->sampled) && (avoids || (b->avoids & a->groups) != 0) &&
        !meet(crowd, me, j, square, scan)) {
      return false;
    }
    if (avoids) add_nearest(scan, j, square, touching, crowd, a);
  }
  return true;
}

/* Scans the bodies in columns `left` to `right` of a row. */
static bool scan_row(struct wend_crowd *crowd, const wend_crowd_level *level, uint32_t me, int64_t left, int64_t right,
                     int64_t y, avoid_scan *scan) {
  wend_index_row row;
  wend_index_ranges(crowd, level, left, right, y, &row);
  for (int part = 0; part < row.count; part++) {
    if (!scan_range(crowd, me, row.from[part], row.to[part], scan)) return false;
  }
  return true;
}

/* Whether a body overlaps more than PILE_PAIRS of those in the nine cells around it, judged by each `stride`th of them. Then a
 * sample of its neighbours shows as well which way is out, and a thousand walkers added at one point do not make half a million
 * pairs. */
static bool is_in_pile(const struct wend_crowd *crowd, const wend_crowd_level *level, const wend_body *a, int64_t x, int64_t y,
                       uint32_t stride) {
  uint32_t deep = 0;
  for (int64_t row = y - 1; row <= y + 1; row++) {
    wend_index_row ranges;
    wend_index_ranges(crowd, level, x - 1, x + 1, row, &ranges);
    for (int part = 0; part < ranges.count; part++) {
      for (uint32_t i = ranges.from[part]; i < ranges.to[part]; i += stride) {
        const wend_body_spot *b = &crowd->spots[i];
        deep += is_deep(a, b, wend_square(b->x - a->x, b->y - a->y)) ? 1 : 0;
      }
    }
  }
  return (uint64_t)deep * stride > PILE_PAIRS;
}

/* Scans the cell of a body and the eight cells around it, if they hold enough bodies, in a crowd so dense that nothing farther
 * away can matter. In a pile it reads a sample of them. *done: nothing can; otherwise nothing was scanned, or only these nine
 * cells: then *nine is true. */
static bool scan_nine(struct wend_crowd *crowd, const wend_crowd_level *level, uint32_t me, int64_t x, int64_t y,
                      avoid_scan *scan, bool *nine, bool *done) {
  wend_body *a = &crowd->bodies[me];
  uint32_t bodies = 0;
  *nine = *done = false;
  if (a->radius + a->cap + level->reach > level->cell) return true; /* it might touch others */
  for (int64_t row = y - 1; row <= y + 1; row++) {
    wend_index_row ranges;
    wend_index_ranges(crowd, level, x - 1, x + 1, row, &ranges);
    for (int part = 0; part < ranges.count; part++) bodies += ranges.to[part] - ranges.from[part];
  }
  if (bodies <= NEAREST) return true;
  *nine = true;
  if (bodies >= 2 * PILE_SAMPLE && is_in_pile(crowd, level, a, x, y, bodies / PILE_SAMPLE)) {
    scan->stride = bodies / PILE_SAMPLE, *done = true;
    a->flags |= BODY_SAMPLED, crowd->sampled = true;
  }
  for (int64_t row = y - 1; row <= y + 1; row++) {
    if (!scan_row(crowd, level, me, x - 1, x + 1, row, scan)) return false;
  }
  if (*done) return true;
  *done = scan->nearest_count == NEAREST && scan->nearest[NEAREST - 1].square <= level->cell * level->cell;
  return true;
}

static bool scan_neighbours(struct wend_crowd *crowd, uint32_t me, avoid_scan *scan) {
  const wend_body *a = &crowd->bodies[me];
  scan->nearest_count = scan->count = scan->deep = 0;
  for (uint32_t i = crowd->level_begin; i < crowd->level_end; i++) {
    const wend_crowd_level *level = &crowd->levels[i];
    double range;
    int64_t left, right, top, bottom, x, y;
    bool nine = false, done = false;
    scan->stride = 1;
    if (level->count == 0) continue;
    range = wend_most(RANGE_RADII * (a->radius + level->radius), a->radius + a->cap + level->reach);
    left = wend_index_cell(a->x - range, level->cell), right = wend_index_cell(a->x + range, level->cell);
    top = wend_index_cell(a->y - range, level->cell), bottom = wend_index_cell(a->y + range, level->cell);
    x = wend_index_cell(a->x, level->cell), y = wend_index_cell(a->y, level->cell);
    if (bottom - top >= (int64_t)level->high) bottom = top + (int64_t)level->high - 1;
    /* The nine cells first, where the others are not the same buckets again. */
    if (left < x - 1 && right > x + 1 && top < y - 1 && bottom > y + 1 && right - left < (int64_t)level->wide &&
        bottom - top < (int64_t)level->high && !scan_nine(crowd, level, me, x, y, scan, &nine, &done)) {
      return false;
    }
    for (int64_t row = top; row <= bottom && !done; row++) {
      if (nine && row >= y - 1 && row <= y + 1) {
        if (!scan_row(crowd, level, me, left, x - 2, row, scan) || !scan_row(crowd, level, me, x + 2, right, row, scan)) {
          return false;
        }
      } else if (!scan_row(crowd, level, me, left, right, row, scan)) {
        return false;
      }
    }
  }
  return true;
}

/* ---- 2. Sides ---------------------------------------------------------------------------------------------- */

/* Whether a body counts its time without progress, so that those in a queue behind it can compare theirs: it has a goal, has not
 * arrived, and is not paused. One that waits and comes back to its place counts none. */
static bool is_under_way(const wend_body *b) {
  return (b->flags & (BODY_MOVING | BODY_ARRIVED | BODY_PAUSED)) == BODY_MOVING && b->goal != WEND_NONE;
}

/* Whether body b is on the way of body a to its next corner. sum: of their radii. */
static bool is_on_leg(const wend_body *b, const wend_body *a, double sum) {
  const double dx = b->x - a->x, dy = b->y - a->y, ahead = dx * a->want_x + dy * a->want_y,
               aside = dx * a->want_y - dy * a->want_x;
  return ahead > 0 && ahead < a->far + sum && aside * aside < sum * sum;
}

/* The direction in which a body goes on behind its next corner. */
static void look_behind_corner(const struct wend_crowd *crowd, const wend_body *a, double *x, double *y) {
  const wend_walker *w = &crowd->walkers[a->place];
  const double *next = w->points + 2 * ((size_t)w->next + 1); /* it is turning: there is one */
  const double dx = next[0] - a->aim_x, dy = next[1] - a->aim_y, far = wend_sqrt(wend_square(dx, dy));
  *x = far > 0 ? dx / far : a->want_x, *y = far > 0 ? dy / far : a->want_y;
}

/* Whether body a is about to turn, and then goes the way of body b. */
static bool turns_after(const struct wend_crowd *crowd, const wend_body *a, const wend_body *b) {
  double x, y;
  if ((a->flags & BODY_TURNING) == 0 || a->far > CORNER_NEAR * (a->radius + b->radius)) return false;
  look_behind_corner(crowd, a, &x, &y);
  return x * b->want_x + y * b->want_y > SAME_WAY;
}

/* Whether two moving bodies come towards each other. One that comes to a door from its side, and turns into it, does not: it wants
 * the same as those who go straight through. Nobody keeps to the side there, or all would get through more slowly. */
static bool come_towards(const struct wend_crowd *crowd, const wend_body *a, const wend_body *b) {
  return a->want_x * b->want_x + a->want_y * b->want_y < ONCOMING && !turns_after(crowd, a, b) && !turns_after(crowd, b, a);
}

/* Whether the ways of two bodies lead through each other: each is on the leg of the other one, and they go against each other. Two
 * that go to the same corner may come from both sides of a door; so one must want to go where the other one comes from. */
static bool are_against(const struct wend_crowd *crowd, const wend_body *a, const wend_body *b) {
  const double sum = a->radius + b->radius;
  if ((a->flags & b->flags & BODY_TURNING) != 0 && wend_square(a->aim_x - b->aim_x, a->aim_y - b->aim_y) < sum * sum) {
    double ax, ay, bx, by;
    look_behind_corner(crowd, a, &ax, &ay), look_behind_corner(crowd, b, &bx, &by);
    return ax * b->want_x + ay * b->want_y < ONCOMING || bx * a->want_x + by * a->want_y < ONCOMING;
  }
  return is_on_leg(b, a, sum) && is_on_leg(a, b, sum) && come_towards(crowd, a, b);
}

/* How body b, which is ahead of a and near, holds it up. */
static wend_opposition find_opposition(const struct wend_crowd *crowd, const wend_body *a, const wend_body *b) {
  if (!is_under_way(b)) {
    const bool stands = (b->flags & BODY_MOVING) == 0 && !stands_firm(b, a);
    return stands && is_on_leg(b, a, a->radius + b->radius) ? OPPOSED_AHEAD : OPPOSED_NOT;
  }
  if (go_the_same_way(a, b)) return (b->flags & BODY_PIERCING) != 0 ? OPPOSED_BEHIND : OPPOSED_NOT;
  return b->stall >= OPPOSES && are_against(crowd, a, b) ? OPPOSED_AHEAD : OPPOSED_NOT;
}

/* What a moving body learns of its neighbours: how much to keep to the side, and which body is ahead. Returns the oncoming level. */
static double look_ahead(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, wend_motion *motion) {
  double oncoming = 0, level = wend_most(0, a->side_bias - WEND_STEP_TIME / 2), nearest = INFINITY;
  double jam = INFINITY;
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double dx = b->x - a->x, dy = b->y - a->y, sum = a->radius + b->radius, square = scan->nearest[i].square;
    const double ahead = dx * a->want_x + dy * a->want_y, aside = dx * a->want_y - dy * a->want_x;
    const bool close = square < QUEUE_GAP * QUEUE_GAP * sum * sum, same_aim = have_same_aim(a, b);
    if (close && is_under_way(b) && b->far < a->far && same_aim) jam = wend_least(jam, b->queue_time + QUEUE_WAIT);
    if (ahead <= 0 || aside * aside >= LANE_WIDTH * LANE_WIDTH * sum * sum) continue;
    if (close && square < nearest) nearest = square, motion->blocker = b->slot;
    if (close && motion->opposed != OPPOSED_AHEAD) {
      const wend_opposition opposed = find_opposition(crowd, a, b);
      if (opposed > motion->opposed) motion->opposed = opposed;
    }
    if ((b->flags & BODY_MOVING) != 0) {
      const double dot = a->want_x * b->want_x + a->want_y * b->want_y;
      if (!same_aim && b->far > ahead + sum && a->far + sum > ahead && come_towards(crowd, a, b))
        oncoming = wend_most(oncoming, wend_most(0.3, 1 - ahead / (RANGE_RADII * sum)));
      if (dot > SAME_WAY) level = wend_most(level, SPREAD * b->side_bias);
      if (dot > SAME_WAY && close && is_under_way(b)) jam = wend_least(jam, b->queue_time + QUEUE_WAIT);
    }
  }
  motion->queue_time = jam;
  motion->side_bias = wend_most(level, oncoming);
  return oncoming;
}

/* Whether a body does not fit beside another one, which is in a narrow passage: a small one may fit where no second large one does. */
static bool is_too_narrow(struct wend_crowd *crowd, const wend_body *a, const wend_body *b) {
  if ((b->flags & BODY_NARROW) == 0) return false;
  return a->radius >= b->radius || wend_solid_narrow(crowd, b->place, b->x, b->y, (a->radius + b->radius) / 2);
}

/* Whether a body has the lower right of way than another one. */
static bool is_second(const wend_body *a, const wend_body *b) {
  return a->priority < b->priority || (a->priority == b->priority && a->tie > b->tie);
}

/* Whether a body goes back a little, for one that it touches:
 *
 *   - one ahead that goes the same way, if the body makes no progress on its way to a corner. Bodies that press towards a door
 *     form an arch before it, in which all hold each other fast
 *   - one that comes towards it out of a narrow passage. In such a passage itself, the right of way decides between those
 *     that make no progress */
static bool makes_room(struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan) {
  const bool presses = a->stall >= PRESSING, turning = (a->flags & BODY_TURNING) != 0, narrow = (a->flags & BODY_NARROW) != 0;
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double sum = a->radius + b->radius;
    if (scan->nearest[i].square >= TOUCHES * TOUCHES * sum * sum || !is_under_way(b) || passes(a, b)) continue;
    if (go_the_same_way(a, b)) {
      if (presses && turning && is_behind(a, b)) return true;
    } else if ((!narrow || (presses && is_second(a, b))) && come_towards(crowd, a, b) &&
               (b->x - a->x) * a->want_x + (b->y - a->y) * a->want_y > 0 && is_too_narrow(crowd, a, b)) {
      return true;
    }
  }
  return false;
}

/* Whether b stands for good on the goal of body a: its own place is there, or it makes no way. */
static bool takes_place(const wend_body *b, const wend_body *a, bool nearer) {
  const double sum = a->radius + b->radius;
  if ((b->flags & BODY_MOVING) != 0 || wend_square(b->x - a->aim_x, b->y - a->aim_y) >= sum * sum) return false;
  return (nearer && wend_square(b->aim_x - a->aim_x, b->aim_y - a->aim_y) < sum * sum) || stands_firm(b, a);
}

/* Whether a body that comes back to its place through a narrow passage cannot pass another one, which stands or comes back the other
 * way. */
static bool are_crossed(const wend_body *a, const wend_body *b) {
  return (a->flags & BODY_NARROW) != 0 && !is_under_way(a) && !is_under_way(b) &&
         (b->x - a->x) * a->want_x + (b->y - a->y) * a->want_y > 0 &&
         ((b->flags & BODY_MOVING) == 0 || a->want_x * b->want_x + a->want_y * b->want_y < 0);
}

/* Whether a body touches one that has arrived and is nearer to its goal, or one that stands for good on its goal. */
static void look_beside(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, wend_motion *motion) {
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double sum = a->radius + b->radius;
    const bool nearer = wend_square(b->x - a->aim_x, b->y - a->aim_y) < a->far * a->far;
    if (scan->nearest[i].square >= TOUCHES * TOUCHES * sum * sum) continue;
    if (are_crossed(a, b)) motion->crossed = true;
    if (b->goal == a->goal && b->goal != WEND_NONE) {
      const double toward = (b->x - a->x) * (a->aim_x - a->x) + (b->y - a->y) * (a->aim_y - a->y);
      if ((b->flags & BODY_ARRIVED) == 0 || !nearer) continue;
      motion->beside_same = true;
      if (toward > BEFORE * a->far * wend_sqrt(scan->nearest[i].square)) motion->before = true;
    } else if (takes_place(b, a, nearer)) {
      motion->beside_other = wend_most(motion->beside_other, sum / 2);
    }
  }
}

/* Where a standing body goes if it is in the lane of others: out of the lane. False: it is in no lane. */
static bool step_aside(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, double *px, double *py) {
  double sx = 0, sy = 0, most = 0;
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double dx = a->x - b->x, dy = a->y - b->y, sum = a->radius + b->radius;
    double ahead, aside, weight;
    bool back;
    if ((b->flags & BODY_MOVING) == 0 || b->goal == a->goal || b->priority < a->priority || is_after(b, a)) continue;
    back = (b->flags & BODY_ARRIVED) != 0;
    if ((back && b->stall < BACK_STALL) || crowd->walkers[b->place].state == WEND_WALKER_STUCK) continue;
    ahead = dx * b->want_x + dy * b->want_y, aside = dx * b->want_y - dy * b->want_x;
    if (ahead <= 0 || ahead > (back ? BACK_AHEAD : LANE_AHEAD) * sum || ahead > b->far + sum) continue;
    if (aside * aside >= LANE_ASIDE * LANE_ASIDE * sum * sum) continue;
    weight = 1 - ahead / (LANE_AHEAD * sum + sum);
    if (aside < 0 || (aside == 0 && a->tie < b->tie)) weight = -weight;
    sx += weight * b->want_y, sy -= weight * b->want_x;
    most = wend_most(most, weight < 0 ? -weight : weight);
  }
  if (most == 0) return false;
  *px = sx * a->speed, *py = sy * a->speed;
  return true;
}

/* Whether a body that makes no way is ahead of a body that goes in a direction, a unit vector. Nobody is who stands at its goal
 * or beyond. */
static bool is_barred_by_firm(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, double x, double y) {
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double dx = b->x - a->x, dy = b->y - a->y, least = FIRM_ROOM * (a->radius + b->radius);
    const double ahead = dx * x + dy * y, aside = dx * y - dy * x;
    if (stands_firm(b, a) && ahead > 0 && aside * aside < least * least &&
        wend_square(b->x - a->aim_x, b->y - a->aim_y) >= least * least && ahead < a->far) {
      return true;
    }
  }
  return false;
}

/* Turns the velocity that a body wants past bodies that make no way: along the tangent of one of them that is nearest to where it
 * wants to go and to where it is going. So it keeps to its side, also along a row that it does not see whole. */
static void pass_firm(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, double *px, double *py) {
  double best = -INFINITY, best_x = a->want_x, best_y = a->want_y;
  const double speed = wend_sqrt(a->vx * a->vx + a->vy * a->vy), kept = speed > 0 ? KEEP_SIDE / speed : 0;
  if (!is_barred_by_firm(crowd, a, scan, a->want_x, a->want_y)) return;
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double dx = b->x - a->x, dy = b->y - a->y, far = wend_sqrt(scan->nearest[i].square);
    const double sine = wend_least(FIRM_TANGENT * (a->radius + b->radius) / far, 1), cosine = wend_sqrt(1 - sine * sine);
    /* The divisions come before the sums: of a product and a sum GCC 12 makes a fused multiply-add here, whatever the pragma. */
    const double ahead_x = dx * cosine / far, ahead_y = dy * cosine / far, aside_x = dy * sine / far, aside_y = dx * sine / far;
    if (!stands_firm(b, a) || !(far > 0)) continue;
    for (int side = -1; side <= 1; side += 2) { /* to the right first */
      const double x = side < 0 ? ahead_x + aside_x : ahead_x - aside_x;
      const double y = side < 0 ? ahead_y - aside_y : ahead_y + aside_y;
      const double score = x * a->want_x + y * a->want_y + kept * (x * a->vx + y * a->vy);
      if (score > best && !is_barred_by_firm(crowd, a, scan, x, y)) best = score, best_x = x, best_y = y;
    }
  }
  *px = best_x * a->want, *py = best_y * a->want;
}

/* Turns the velocity that a body wants along a wall, if it goes straight at the wall and its goal lies behind it. It keeps to the
 * side where the goal is, and to the way that it goes already. `tie` decides if it goes exactly at a corner or at the middle of
 * a pillar. A stuck one stays at the wall, for it has tried both sides; so does one that comes back to its place, for it is
 * never stuck. */
static void pass_wall(const struct wend_crowd *crowd, const wend_body *a, const wend_solids *solids, double *px, double *py) {
  const double near = a->radius + a->want * WALL_NEAR, speed = wend_sqrt(a->vx * a->vx + a->vy * a->vy);
  const double kept = speed > 0 ? KEEP_SIDE / speed : 0;
  if (crowd->walkers[a->place].state != WEND_WALKER_MOVING) return;
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy, side;
    const double distance = wend_sqrt(wend_solid_from(&solids->segments[i], a->x, a->y, &dx, &dy));
    if (!(distance > 0) || distance > near) continue;
    dx /= distance, dy /= distance;
    if (dx * a->want_x + dy * a->want_y > -WALL_AHEAD) continue;
    if (dx * (a->aim_x - a->x) + dy * (a->aim_y - a->y) > -(distance + a->radius)) continue;
    if (wend_solid_inside(crowd, crowd->walkers[a->place].closed, a->aim_x, a->aim_y)) return; /* it is not behind the wall */
    side = dx * a->want_y - dy * a->want_x + kept * (dx * a->vy - dy * a->vx);
    if (side == 0) side = (a->tie & 1) != 0 ? 1 : -1;
    *px = side > 0 ? -dy * a->want : dy * a->want, *py = side > 0 ? dx * a->want : -dx * a->want;
    return;
  }
}

/* ---- 3. Contacts ------------------------------------------------------------------------------------------- */

/* Adds the correction for one neighbour to (cx, cy). (px, py): the velocity that the body would like; `speed` is its length. */
static void correct(const wend_body *a, const wend_body *b, double square, double px, double py, double speed, double *cx,
                    double *cy) {
  const double R = MARGIN * (a->radius + b->radius), dx = a->x - b->x, dy = a->y - b->y;
  const double ux = px - b->vx, uy = py - b->vy;
  const double closing = dx * ux + dy * uy, c = square - R * R;
  double t = 0, nx, ny, k, share, along, x, y;
  if (closing >= 0) return;
  if (c > 0) {
    const double whole = ux * ux + uy * uy, disc = closing * closing - whole * c;
    if (disc <= 0 || -closing > (whole * LATEST + c / LATEST)) return;
    t = (-closing - wend_sqrt(disc)) / whole;
    if (!(t < LATEST)) return;
  }
  nx = dx + ux * t, ny = dy + uy * t;
  {
    const double length = wend_sqrt(nx * nx + ny * ny);
    if (!(length > 0)) return; /* exactly upon each other: separate.c decides */
    nx /= length, ny /= length;
  }
  if (passes(a, b)) return;
  share = share_of(a, b, 0.7);
  k = t < SOON && share < 1 ? 1 : 0.6 / (1 + t * t / 2);
  if (share >= 1) k = wend_most(k, 1 - t / SOON); /* the other one makes no way: go up to it */
  k *= -(ux * nx + uy * ny) * share;
  x = nx * k, y = ny * k;
  if (t >= SOON && speed * speed > 0) { /* the square of a tiny speed is 0 */
    along = (x * px + y * py) / (speed * speed) * (1 - KEPT_ALONG);
    x -= along * px, y -= along * py;
  }
  *cx += x, *cy += y;
}

/* ---- 4. Walls ---------------------------------------------------------------------------------------------- */

/* Takes from a velocity what leads too fast towards walls. */
static void clip_to_walls(const wend_body *a, const wend_solids *solids, double *vx, double *vy) {
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy, distance, most, along;
    distance = wend_sqrt(wend_solid_from(&solids->segments[i], a->x, a->y, &dx, &dy));
    if (!(distance > 0)) continue;
    dx /= distance, dy /= distance;
    most = -wend_most(distance - a->radius, 0) / WALL_TIME;
    along = dx * *vx + dy * *vy;
    if (along < most) *vx += dx * (most - along), *vy += dy * (most - along);
  }
}

/* Moves a body that would go farther than WEND_PIECE in this step, in pieces: it stops where it touches another body, and is
 * pushed out of walls. */
static void move_fast(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, const wend_solids *solids,
                      double dx, double dy, wend_motion *motion) {
  const double length = wend_sqrt(dx * dx + dy * dy);
  const double wanted = length / (WEND_PIECE * a->radius); /* its cap limits it to WEND_PIECES_MAX */
  const uint32_t pieces = wanted < WEND_PIECES_MAX ? (uint32_t)wanted + 1 : WEND_PIECES_MAX;
  dx /= pieces, dy /= pieces;
  for (uint32_t piece = 0; piece < pieces; piece++) {
    double x = motion->x + dx, y = motion->y + dy;
    (void)wend_solid_push(solids, a->radius, a->radius, &x, &y);
    for (uint32_t i = 0; i < scan->count; i++) {
      const wend_body *b = &crowd->bodies[scan->nearest[i].body];
      const double sum = a->radius + b->radius, now = wend_square(x - b->x, y - b->y);
      if (now < sum * sum && !passes(a, b) && now < wend_square(motion->x - b->x, motion->y - b->y)) return;
    }
    motion->x = x, motion->y = y;
  }
}

/* BODY_WALLED if a segment is so near that the body might touch it in this step, and BODY_DEEP if it is in one. */
static uint32_t touch_flags(const wend_body *a, const wend_solids *solids) {
  const double most = a->radius + a->cap, least = a->radius * (1 - WEND_IN_WALL);
  const double square = wend_solid_square(solids, a->x, a->y);
  return (square < most * most ? BODY_WALLED : 0) | (square < least * least ? BODY_DEEP : 0);
}

/* Moves a body that is in a closed cell towards the nearest open one, whatever is in the way. */
static void leave_solid(const struct wend_crowd *crowd, const wend_body *a, wend_motion *motion) {
  const double most = wend_least(a->cap, a->speed * WEND_STEP_TIME);
  double x, y, far, part;
  if (!wend_solid_exit(crowd, crowd->walkers[a->place].closed, a->x, a->y, a->radius, &x, &y)) return;
  far = wend_sqrt(wend_square(x - a->x, y - a->y));
  part = far > most ? most / far : 1;
  motion->x += (x - a->x) * part, motion->y += (y - a->y) * part;
}

/* The velocity of a body after the low pass, and after the limit of its acceleration. */
static void change_velocity(const struct wend_crowd *crowd, const wend_body *a, double *vx, double *vy) {
  double dx = LOW_PASS * (*vx - a->vx), dy = LOW_PASS * (*vy - a->vy);
  if ((a->flags & BODY_LIMITED) != 0) {
    const double most = crowd->walkers[a->place].acceleration * WEND_STEP_TIME, square = wend_square(dx, dy);
    if (square > most * most) {
      const double part = most / wend_sqrt(square);
      dx *= part, dy *= part;
    }
  }
  *vx = a->vx + dx + a->push_x, *vy = a->vy + dy + a->push_y;
}

/* ---- 5. Passing through ------------------------------------------------------------------------------------- */

/* Whether a body overlaps another one. */
static bool is_overlapping(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan) {
  for (uint32_t i = 0; i < scan->count; i++) {
    const double least = APART * (a->radius + crowd->bodies[scan->nearest[i].body].radius);
    if (scan->nearest[i].square < least * least) return true;
  }
  return false;
}

/* Whether a body slows down to come apart from another one that it overlaps, where one of them passes through the other one: that
 * one is ahead, goes the same way, and gets on. */
static bool falls_behind(const struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan) {
  for (uint32_t i = 0; i < scan->count; i++) {
    const wend_body *b = &crowd->bodies[scan->nearest[i].body];
    const double sum = a->radius + b->radius;
    if (scan->nearest[i].square < sum * sum && (b->flags & BODY_MOVING) != 0 && passes(a, b) && go_the_same_way(a, b) &&
        is_behind(a, b) && b->vx * a->want_x + b->vy * a->want_y > GETS_ON * a->want) {
      return true;
    }
  }
  return false;
}

/* Turns the velocity that a moving body wants to the side, or back. */
static void choose_side(struct wend_crowd *crowd, const wend_body *a, const avoid_scan *scan, double oncoming, double side_bias,
                        double *px, double *py, double *speed) {
  double angle = SIDE_ANGLE * side_bias;
  if (oncoming > 0) angle += wend_least(PATIENT_MOST, PATIENT_ANGLE * a->stall);
  if (angle > 0) rotate_right(px, py, angle);
  if (makes_room(crowd, a, scan)) *px *= -BACK, *py *= -BACK, *speed *= BACK;
}

static bool avoid_one(struct wend_crowd *crowd, uint32_t me, bool solid) {
  wend_body *a = &crowd->bodies[me];
  wend_motion *motion = &crowd->motions[me];
  const wend_solids *solids = NULL;
  avoid_scan scan;
  double px, py, speed, cx = 0, cy = 0, vx, vy, length;
  motion->x = a->x, motion->y = a->y, motion->side_bias = motion->beside_other = 0;
  motion->queue_time = INFINITY, motion->blocker = WEND_NONE, motion->moved = 0;
  motion->opposed = OPPOSED_NOT;
  motion->free = true, motion->before = motion->back = motion->beside_same = motion->crossed = false;
  if ((a->flags & (BODY_PAUSED | BODY_CROSSING)) == 0 && solid) {
    const double needed = a->radius + wend_most(a->cap, wend_least(a->speed * WALL_TIME, WALL_MOST * a->radius));
    solids = wend_solid_near(crowd, a->place, a->x, a->y, needed);
    if (solids->inside) a->flags |= BODY_TRAPPED;
    else if (solids->reach < needed) { /* there are more than it remembers: it goes no farther than it knows */
      const double known = solids->reach - a->radius;
      a->cap = wend_least(a->cap, wend_most(0, known));
    }
    if (solids->count == 0) solids = NULL;
  }
  if (!scan_neighbours(crowd, me, &scan)) return false;
  if ((a->flags & BODY_PAUSED) != 0) return true;
  if ((a->flags & BODY_TRAPPED) != 0) {
    leave_solid(crowd, a, motion);
    return true;
  }
  motion->overlaps = (a->flags & BODY_PASSING) != 0 && is_overlapping(crowd, a, &scan);
  if (a->far > 0) look_beside(crowd, a, &scan, motion);
  px = a->want_x * a->want, py = a->want_y * a->want, speed = a->want;
  if ((a->flags & BODY_MOVING) != 0) {
    const double oncoming = look_ahead(crowd, a, &scan, motion);
    if (solids != NULL) pass_wall(crowd, a, solids, &px, &py);
    pass_firm(crowd, a, &scan, &px, &py);
    if ((a->flags & BODY_PASSING) == 0) choose_side(crowd, a, &scan, oncoming, motion->side_bias, &px, &py, &speed);
    if (crowd->passing && falls_behind(crowd, a, &scan)) px *= BACK, py *= BACK, speed *= BACK;
  } else if (step_aside(crowd, a, &scan, &px, &py)) {
    speed = wend_sqrt(px * px + py * py), motion->free = false;
  } else if (motion->before || (motion->beside_other > 0 && a->far > a->radius)) {
    px = py = speed = 0; /* no nearer place is free */
  }
  for (uint32_t i = 0; i < scan.count; i++) {
    correct(a, &crowd->bodies[scan.nearest[i].body], scan.nearest[i].square, px, py, speed, &cx, &cy);
  }
  vx = px + cx, vy = py + cy;
  if (solids != NULL) clip_to_walls(a, solids, &vx, &vy);
  length = wend_square(vx, vy);
  if (length > a->speed * a->speed) {
    length = a->speed / wend_sqrt(length);
    vx *= length, vy *= length;
  }
  change_velocity(crowd, a, &vx, &vy);
  if (solids != NULL) a->flags |= touch_flags(a, solids);
  vx *= WEND_STEP_TIME, vy *= WEND_STEP_TIME;
  length = wend_square(vx, vy);
  if (length > a->cap * a->cap) {
    length = a->cap / wend_sqrt(length);
    vx *= length, vy *= length;
  }
  if (wend_square(vx, vy) > WEND_PIECE * WEND_PIECE * a->radius * a->radius) {
    static const wend_solids none = {0};
    move_fast(crowd, a, &scan, solids != NULL ? solids : &none, vx, vy, motion);
  } else {
    motion->x += vx, motion->y += vy;
  }
  return true;
}

bool wend_avoid_all(struct wend_crowd *crowd) {
  const bool solid = wend_solid_any(crowd);
  crowd->pair_count = 0, crowd->piled = crowd->sampled = false;
  for (uint32_t i = 0; i < crowd->count; i++) {
    if (!avoid_one(crowd, i, solid)) return false;
  }
  return true;
}
