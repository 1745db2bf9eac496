/* SPDX-License-Identifier: MIT */
/* Positions that do not overlap.
 *
 *   1  pairs that overlap are pushed apart, one after another, in the order of the list (Gauss-Seidel); then walls push. This
 *      is repeated until no pair is deeper than 0.2 %, at most 20 times. A body moves at most its `cap` in a step
 *   2  a pair that is still deeper than 0.8 %, and deeper than before the step, goes back to where it was; so does a body in a
 *      wall. That may put it into others, which then go back too. Before the step no pair was that deep. So this ends with all
 *      pairs right, at the latest when all bodies are back. Two fast bodies that went through each other go back as well
 *
 * Bodies that were put into each other come apart over some steps. In such a pile no body goes back, nor do bodies that it pushes
 * aside; or it would freeze. A pair that cannot come apart in one step is pushed a little in each iteration. So the sum of all
 * pushes decides where a body goes, which is outward, and not the last one.
 *
 * Few iterations, or steps longer than 1/30 second, send too many back: then doors freeze. */

#include "move/crowd/solid.h"
#include "move/crowd/step.h"

WEND_NO_FUSING

#define ITERATIONS 20u
#define SHALLOW 0.002  /* of the sum of radii: deep enough to be ignored at the end of an iteration */
#define TOO_DEEP 0.008 /* deep enough to go back */
#define PILE_PUSH 0.1  /* of what both can get in a step: the push of a pair that cannot come apart in one */
#define WALL_DEEP 1e-6 /* of the radius */
#define THROUGH 1.5    /* of the sum of radii: bodies that get no farther do not go through each other */

/* Limits how far a body is from where it began. */
static void keep_cap(const wend_body *body, wend_motion *motion) {
  const double dx = motion->x - body->x, dy = motion->y - body->y, square = wend_square(dx, dy);
  if (square > body->cap * body->cap) {
    const double part = body->cap / wend_sqrt(square);
    motion->x = body->x + dx * part, motion->y = body->y + dy * part;
  }
}

/* The depth of a pair, as a share of the sum of its radii. */
static double depth_of(double ax, double ay, double bx, double by, double sum) {
  const double square = wend_square(ax - bx, ay - by);
  return square >= sum * sum ? 0 : 1 - wend_sqrt(square) / sum;
}

/* Pushes a pair apart. Returns how deep it was. */
static double push_pair(struct wend_crowd *crowd, const wend_body_pair *pair, uint32_t iteration) {
  const wend_body *a = &crowd->bodies[pair->a], *b = &crowd->bodies[pair->b];
  wend_motion *p = &crowd->motions[pair->a], *q = &crowd->motions[pair->b];
  const double sum = a->radius + b->radius;
  double dx = p->x - q->x, dy = p->y - q->y, distance, push;
  const double square = wend_square(dx, dy);
  if (square >= sum * sum * (1 - SHALLOW)) return 0;
  distance = wend_sqrt(square);
  push = sum - distance;
  if (push > a->cap + b->cap + TOO_DEEP * sum) push = PILE_PUSH * (a->cap + b->cap);
  if (distance > 0) {
    dx /= distance, dy /= distance;
  } else { /* exactly upon each other: ties decide in which of eight directions they part */
    static const double way[8][2] = {{1, 0}, {0.8, 0.6}, {0, 1}, {-0.6, 0.8}, {-1, 0}, {-0.8, -0.6}, {0, -1}, {0.6, -0.8}};
    const uint32_t at = (a->tie * 5 + b->tie * 3) % 8;
    dx = way[at][0], dy = way[at][1];
  }
  if (pair->share > 0 && a->cap > 0) {
    p->x += dx * push * pair->share, p->y += dy * push * pair->share;
    keep_cap(a, p);
    p->moved = iteration;
  }
  if (pair->share < 1 && b->cap > 0) {
    q->x -= dx * push * (1 - pair->share), q->y -= dy * push * (1 - pair->share);
    keep_cap(b, q);
    q->moved = iteration;
  }
  return push / sum;
}

/* The way out of a segment for a point at (x, y): a unit vector. Returns the distance from it. */
static double way_out(const wend_segment *s, double x, double y, double *dx, double *dy) {
  double distance = wend_sqrt(wend_solid_from(s, x, y, dx, dy)), length = distance;
  if (!(distance > 0)) { /* exactly on it: to its left */
    *dx = s->y1 - s->y2, *dy = s->x2 - s->x1, length = wend_sqrt(wend_square(*dx, *dy));
    if (!(length > 0)) *dx = length = 1;
  }
  *dx /= length, *dy /= length;
  return distance;
}

/* Pushes a body out of walls. Returns how far it got, in radii, if it was in one when the step began: others must make way for
 * it then, so there must be another iteration. Otherwise 0. */
static double push_from_walls(const struct wend_crowd *crowd, uint32_t index, uint32_t iteration) {
  const wend_body *body = &crowd->bodies[index];
  const wend_solids *solids = &crowd->solids[body->place];
  wend_motion *motion = &crowd->motions[index];
  const double x = motion->x, y = motion->y;
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy, distance;
    if (wend_solid_from(&solids->segments[i], motion->x, motion->y, &dx, &dy) >= body->radius * body->radius) continue;
    distance = way_out(&solids->segments[i], motion->x, motion->y, &dx, &dy);
    motion->x += dx * (body->radius - distance), motion->y += dy * (body->radius - distance);
    motion->moved = iteration;
  }
  if ((body->flags & (BODY_SQUEEZED | BODY_DEEP)) == 0) return 0;
  keep_cap(body, motion);
  return wend_sqrt(wend_square(motion->x - x, motion->y - y)) / body->radius;
}

/* Whether the way from the beginning of the step crosses a segment. */
static bool is_crossed(const wend_segment *s, double ax, double ay, double bx, double by) {
  const double p = wend_area_of(s->x1, s->y1, s->x2, s->y2, ax, ay), q = wend_area_of(s->x1, s->y1, s->x2, s->y2, bx, by);
  const double r = wend_area_of(ax, ay, bx, by, s->x1, s->y1), t = wend_area_of(ax, ay, bx, by, s->x2, s->y2);
  return ((p > 0 && q <= 0) || (p < 0 && q >= 0)) && ((r >= 0 && t <= 0) || (r <= 0 && t >= 0));
}

static bool is_in_wall(const struct wend_crowd *crowd, uint32_t index) {
  const wend_body *body = &crowd->bodies[index];
  const wend_solids *solids = &crowd->solids[body->place];
  const wend_motion *motion = &crowd->motions[index];
  const double least = body->radius * (1 - WALL_DEEP), known = solids->reach - body->radius;
  /* Outside of what was looked up there might be others. */
  if (known < 0 || wend_square(motion->x - solids->x, motion->y - solids->y) > known * known) return true;
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy;
    const wend_segment *s = &solids->segments[i];
    const double now = wend_solid_from(s, motion->x, motion->y, &dx, &dy);
    if (now < least * least && now < wend_solid_from(s, body->x, body->y, &dx, &dy)) return true;
    if (is_crossed(s, body->x, body->y, motion->x, motion->y)) return true;
  }
  return false;
}

static void send_back(const wend_body *body, wend_motion *motion, uint32_t round) {
  motion->x = body->x, motion->y = body->y;
  motion->back = true, motion->moved = round;
}

/* Whether two bodies that did not touch went through each other on straight ways: then their middles were nearer than half the
 * sum of the radii at some time. Slow bodies cannot. */
static bool went_through(const wend_body *a, const wend_body *b, const wend_motion *p, const wend_motion *q, double sum) {
  const wend_segment way = {a->x - b->x, a->y - b->y, p->x - q->x, p->y - q->y};
  double dx, dy;
  if (a->cap + b->cap < THROUGH * sum || wend_square(way.x1, way.y1) < sum * sum / 4) return false;
  return wend_solid_from(&way, 0, 0, &dx, &dy) < sum * sum / 4;
}

/* Whether a pair is too deep, and not because it was before the step. */
static bool is_too_deep(const struct wend_crowd *crowd, const wend_body_pair *pair) {
  const wend_body *a = &crowd->bodies[pair->a], *b = &crowd->bodies[pair->b];
  const wend_motion *p = &crowd->motions[pair->a], *q = &crowd->motions[pair->b];
  const double sum = a->radius + b->radius, depth = depth_of(p->x, p->y, q->x, q->y, sum);
  if (depth > TOO_DEEP) {
    if (((a->flags | b->flags) & (BODY_PILED | BODY_PAUSED)) == BODY_PILED) return false;
    return depth > depth_of(a->x, a->y, b->x, b->y, sum);
  }
  return went_through(a, b, p, q, sum);
}

/* Sends one body of a pair back, or both, if the pair is too deep. One that does not avoid the other passes through it, and is
 * not sent back; the other one is if that helps. Returns whether one was sent back. */
static bool part_pair(struct wend_crowd *crowd, const wend_body_pair *pair, uint32_t round) {
  const wend_body *a = &crowd->bodies[pair->a], *b = &crowd->bodies[pair->b];
  wend_motion *p = &crowd->motions[pair->a], *q = &crowd->motions[pair->b];
  const bool a_avoids = (a->avoids & b->groups) != 0, b_avoids = (b->avoids & a->groups) != 0;
  const bool a_first = !p->back && (pair->share >= 0.5 || q->back);
  if (!is_too_deep(crowd, pair)) return false;
  if (a_avoids && b_avoids) {
    send_back(a_first ? a : b, a_first ? p : q, round);
    if (is_too_deep(crowd, pair)) send_back(p->back ? b : a, p->back ? q : p, round);
    return true;
  }
  if (a_avoids ? p->back || wend_square(a->x - q->x, a->y - q->y) <= wend_square(p->x - q->x, p->y - q->y)
               : q->back || wend_square(b->x - p->x, b->y - p->y) <= wend_square(q->x - p->x, q->y - p->y)) {
    return false;
  }
  send_back(a_avoids ? a : b, a_avoids ? p : q, round);
  return true;
}

/* Sends back what is too deep. */
static void guarantee(struct wend_crowd *crowd, uint32_t round) {
  const uint32_t first = round;
  bool changed = true;
  for (uint32_t i = 0; i < crowd->count; i++) {
    if ((crowd->bodies[i].flags & BODY_WALLED) != 0 && is_in_wall(crowd, i)) {
      send_back(&crowd->bodies[i], &crowd->motions[i], round);
    }
  }
  for (; changed; round++) {
    changed = false;
    for (uint32_t i = 0; i < crowd->pair_count; i++) {
      const wend_body_pair *pair = &crowd->pairs[i];
      const wend_motion *p = &crowd->motions[pair->a], *q = &crowd->motions[pair->b];
      if (p->back && q->back) continue;
      if (round > first && p->moved + 1 < round && q->moved + 1 < round) continue;
      if (part_pair(crowd, pair, round)) changed = true;
    }
  }
}

/* In a pile all bodies that avoid each other make way, whatever their priorities: higher ranks may stand all around. One that
 * is paused does not, because it cannot move at all. */
static void share_alike(struct wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->pair_count; i++) {
    const wend_body *a = &crowd->bodies[crowd->pairs[i].a], *b = &crowd->bodies[crowd->pairs[i].b];
    if (((a->flags | b->flags) & BODY_PILED) != 0 && (a->avoids & b->groups) != 0 && (b->avoids & a->groups) != 0) {
      crowd->pairs[i].share = 0.5;
    }
  }
}

void wend_separate_all(struct wend_crowd *crowd) {
  uint32_t iteration;
  if (crowd->piled) share_alike(crowd);
  for (iteration = 1; iteration <= ITERATIONS; iteration++) {
    double worst = 0;
    for (uint32_t i = 0; i < crowd->pair_count; i++) {
      const wend_body_pair *pair = &crowd->pairs[i];
      if (iteration > 1 && crowd->motions[pair->a].moved + 1 < iteration && crowd->motions[pair->b].moved + 1 < iteration)
        continue;
      worst = wend_most(worst, push_pair(crowd, pair, iteration));
    }
    for (uint32_t i = 0; i < crowd->count; i++) {
      if ((crowd->bodies[i].flags & BODY_WALLED) == 0) continue;
      if (iteration == 1 || crowd->motions[i].moved == iteration)
        worst = wend_most(worst, push_from_walls(crowd, i, iteration));
    }
    if (worst <= SHALLOW) break;
  }
  guarantee(crowd, ITERATIONS + 2);
}
