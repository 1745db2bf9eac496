/* SPDX-License-Identifier: MIT */
/* Positions that do not overlap.
 *
 *   1  pairs that overlap are pushed apart, one after another, in the order of the list (Gauss-Seidel); then walls push. This
 *      is repeated until no pair is deeper than 0.2 %, at most 20 times. A body moves at most its `cap` in a step
 *   2  a pair that is still deeper than 0.8 %, and deeper than before the step, goes back to where it was; so does a body in a
 *      wall. That may put it into others, which then go back too. Before the step no pair was that deep. So this ends with all
 *      pairs right, at the latest when all bodies are back
 *
 * Few iterations, or steps longer than 1/30 second, send too many back: then doors freeze. */
#include "core/crowd/separate.h"

#include "core/crowd/solid.h"

WEND_NO_FUSING

#define ITERATIONS 20u
#define SHALLOW 0.002  /* of the sum of radii: deep enough to be ignored at the end of an iteration */
#define TOO_DEEP 0.008 /* deep enough to go back */
#define WALL_DEEP 1e-6 /* of the radius */

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
  if (distance > 0) {
    dx /= distance, dy /= distance;
  } else { /* exactly upon each other: the ids say in which of eight directions they part */
    static const double way[8][2] = {{1, 0}, {0.8, 0.6}, {0, 1}, {-0.6, 0.8}, {-1, 0}, {-0.8, -0.6}, {0, -1}, {0.6, -0.8}};
    const uint32_t at = (a->id * 5 + b->id * 3) % 8;
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

/* Pushes a body out of walls. */
static void push_from_walls(const struct wend_crowd *crowd, uint32_t index, uint32_t iteration) {
  const wend_body *body = &crowd->bodies[index];
  const wend_solids *solids = &crowd->solids[body->place];
  wend_motion *motion = &crowd->motions[index];
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy, distance;
    const double square = wend_solid_from(&solids->segments[i], motion->x, motion->y, &dx, &dy);
    if (square >= body->radius * body->radius || !(square > 0)) continue;
    distance = wend_sqrt(square);
    motion->x += dx / distance * (body->radius - distance), motion->y += dy / distance * (body->radius - distance);
    motion->moved = iteration;
  }
  if ((body->flags & BODY_SQUEEZED) != 0) keep_cap(body, motion);
}

/* Whether the way from the beginning of the step crosses a segment. */
static bool is_crossed(const wend_segment *s, double ax, double ay, double bx, double by) {
  const double ex = s->x2 - s->x1, ey = s->y2 - s->y1, fx = bx - ax, fy = by - ay;
  const double p = ex * (ay - s->y1) - ey * (ax - s->x1), q = ex * (by - s->y1) - ey * (bx - s->x1);
  const double r = fx * (s->y1 - ay) - fy * (s->x1 - ax), t = fx * (s->y2 - ay) - fy * (s->x2 - ax);
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

/* Whether a pair is too deep, and not because it was before the step. */
static bool is_too_deep(const struct wend_crowd *crowd, const wend_body_pair *pair) {
  const wend_body *a = &crowd->bodies[pair->a], *b = &crowd->bodies[pair->b];
  const wend_motion *p = &crowd->motions[pair->a], *q = &crowd->motions[pair->b];
  const double sum = a->radius + b->radius, depth = depth_of(p->x, p->y, q->x, q->y, sum);
  return depth > TOO_DEEP && depth > depth_of(a->x, a->y, b->x, b->y, sum);
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
      wend_motion *p = &crowd->motions[pair->a], *q = &crowd->motions[pair->b];
      if (p->back && q->back) continue;
      if (round > first && p->moved + 1 < round && q->moved + 1 < round) continue;
      if (!is_too_deep(crowd, pair)) continue;
      if (!p->back && (pair->share >= 0.5 || q->back)) send_back(&crowd->bodies[pair->a], p, round);
      else send_back(&crowd->bodies[pair->b], q, round);
      if (is_too_deep(crowd, pair)) {
        if (!p->back) send_back(&crowd->bodies[pair->a], p, round);
        else if (!q->back) send_back(&crowd->bodies[pair->b], q, round);
      }
      changed = true;
    }
  }
}

void wend_separate_all(struct wend_crowd *crowd) {
  uint32_t iteration;
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
      if (iteration == 1 || crowd->motions[i].moved == iteration) push_from_walls(crowd, i, iteration);
    }
    if (worst <= SHALLOW) break;
  }
  guarantee(crowd, ITERATIONS + 2);
}
