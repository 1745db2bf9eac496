/* SPDX-License-Identifier: MIT */
/* Following a route. A walker goes straight to the next point of its route. Every 8 steps it looks whether it can see the point
 * after that one; then it goes there. A fast one, which would pass its points, looks in every step, and farther. If it sees neither the next point nor one near that in the route, it was pushed out of
 * sight of its route: it is lost until it sees one again, and an event asks for a new route. It then tries the point before,
 * because that is the corner where the next point came into sight. */
#include "core/crowd/follow.h"

#include "core/crowd/index.h"
#include "core/crowd/solid.h"

WEND_NO_FUSING

#define LOOK_STEPS 8u      /* steps from one look to the next */
#define SIGHT_RADIUS 0.9   /* in radii: a walker that touches a wall sees along it */
#define LOST_RADIUS 0.2    /* in radii: a walker that slides around a corner still sees past it */
#define POINT_REACHED 0.5  /* in radii: so near to a point that is not the last, the walker goes on to the next */
#define FAST_POINTS 8u     /* so many points a fast walker goes on in one step */
#define FAST_CORNER 0.1    /* its speed is at most the distance to the next point, divided by this */
#define SLOW_DOWN 0.3      /* the speed is at most the distance to the goal, divided by this */
#define UP_SPEED 0.25      /* of one that has arrived beside others, and moves up */
#define SQUEEZE 0.125      /* one in a wall is pushed out so slowly that the others can make way */
#define HOME_REACHED 0.3   /* in radii */
#define SEARCHED_POINTS 4u /* so many points before and after the next one are tried by a walker that does not see it */

void wend_follow_measure(wend_walker *walker) {
  walker->rest = 0;
  for (uint32_t i = walker->next; i + 1 < walker->point_count; i++) {
    const double *p = walker->points + 2 * (size_t)i;
    walker->rest += wend_sqrt(wend_square(p[2] - p[0], p[3] - p[1]));
  }
}

static void aim_at(wend_walker *walker, uint32_t point) {
  if (walker->next == point) return;
  walker->next = point;
  wend_follow_measure(walker);
  walker->mark = INFINITY; /* `best` stays: to go back along the route is no progress */
}

static bool sees(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t point, double radius) {
  const double *p = walker->points + 2 * (size_t)point;
  return wend_solid_clear(crowd, walker->x, walker->y, p[0], p[1], radius * walker->radius);
}

/* Whether a walker gets farther in one step than to the distance at which it reaches a point. */
static bool is_fast(const wend_walker *walker) { return walker->speed * WEND_STEP_TIME > POINT_REACHED * walker->radius; }

/* The last of the next points that a walker sees, one after another: at most `most`. */
static uint32_t farthest_seen(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t most) {
  uint32_t point = walker->next;
  while (most-- > 0 && point + 1 < walker->point_count && sees(crowd, walker, point + 1, SIGHT_RADIUS)) point++;
  return point;
}

/* Goes on to the next point, or to another one that the walker sees. */
static void look(const struct wend_crowd *crowd, wend_walker *walker) {
  const bool fast = is_fast(walker);
  uint32_t seen;
  bool lost;
  if (walker->looked == crowd->steps + 1) return; /* the step is taken again after it ran out of memory */
  walker->looked = crowd->steps + 1;
  if (walker->next + 1 < walker->point_count) {
    const double *p = walker->points + 2 * (size_t)walker->next, most = POINT_REACHED * walker->radius;
    if (wend_square(p[0] - walker->x, p[1] - walker->y) < most * most) aim_at(walker, walker->next + 1);
  }
  if ((!fast && (crowd->steps + walker->slot) % LOOK_STEPS != 0) || !wend_solid_any(crowd)) return;
  seen = farthest_seen(crowd, walker, fast ? FAST_POINTS : 1);
  if (seen != walker->next) {
    aim_at(walker, seen);
    walker->lost = false;
    return;
  }
  lost = !sees(crowd, walker, walker->next, LOST_RADIUS);
  for (uint32_t i = 1; lost && i <= SEARCHED_POINTS; i++) {
    if (walker->next >= i && sees(crowd, walker, walker->next - i, SIGHT_RADIUS)) {
      aim_at(walker, walker->next - i);
      lost = false;
    } else if (walker->next + i < walker->point_count && sees(crowd, walker, walker->next + i, SIGHT_RADIUS)) {
      aim_at(walker, walker->next + i);
      lost = false;
    }
  }
  if (lost && !walker->lost && walker->next > 0) aim_at(walker, walker->next - 1);
  walker->lost = lost;
}

static void make_body(const struct wend_crowd *crowd, wend_walker *w, uint32_t place, wend_body *body) {
  double dx, dy;
  body->x = w->x, body->y = w->y, body->vx = w->vx, body->vy = w->vy;
  body->push_x = w->push_x, body->push_y = w->push_y;
  body->radius = w->radius, body->speed = w->speed, body->level = w->level, body->cap = wend_index_cap(w);
  body->stall = w->stall, body->jam = w->jam, body->place = place, body->id = w->slot;
  body->groups = w->groups, body->avoids = w->avoids, body->priority = w->priority, body->goal = w->goal;
  body->flags = w->held ? BODY_HELD : 0;
  if (w->acceleration > 0) body->flags |= BODY_LIMITED;
  if (w->squeezed) body->flags |= BODY_SQUEEZED, body->cap *= SQUEEZE;
  body->aim_x = w->home_x, body->aim_y = w->home_y;
  body->want = 0;
  if (w->state == WEND_WALKER_MOVING || w->state == WEND_WALKER_STUCK) {
    body->flags |= BODY_MOVING;
    look(crowd, w);
    wend_follow_aim(w, &body->aim_x, &body->aim_y);
  } else {
    if (w->state == WEND_WALKER_ARRIVED) body->flags |= BODY_ARRIVED;
    if (!w->settled) {
      body->flags |= BODY_MOVING;
      if (w->state == WEND_WALKER_ARRIVED) { /* it may have been pushed out of sight of its place */
        look(crowd, w);
        wend_follow_aim(w, &body->aim_x, &body->aim_y);
      }
    }
  }
  dx = body->aim_x - body->x, dy = body->aim_y - body->y;
  body->far = wend_sqrt(dx * dx + dy * dy);
  if (body->far > 0) body->want_x = dx / body->far, body->want_y = dy / body->far;
  else body->want_x = body->want_y = 0;
  if (w->held) return;
  if (w->state == WEND_WALKER_MOVING || w->state == WEND_WALKER_STUCK) {
    body->want = w->next + 1 >= w->point_count ? wend_least(w->speed, body->far / SLOW_DOWN)
                 : is_fast(w)                  ? wend_least(w->speed, body->far / FAST_CORNER)
                                               : w->speed;
  } else if (body->far > HOME_REACHED * w->radius || w->next + 1 < w->point_count) {
    body->want = wend_least(w->settled ? UP_SPEED * w->speed : w->speed, body->far / SLOW_DOWN);
  }
  if (w->acceleration > 0 && w->next + 1 >= w->point_count) { /* it comes to rest with half its acceleration */
    body->want = wend_least(body->want, wend_sqrt(w->acceleration * body->far));
  }
}

void wend_follow_all(struct wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    const uint32_t place = crowd->order[i];
    const wend_body *body = &crowd->bodies[i];
    wend_body_spot *spot = &crowd->spots[i];
    make_body(crowd, &crowd->walkers[place], place, &crowd->bodies[i]);
    spot->x = body->x, spot->y = body->y, spot->radius = body->radius, spot->reach = body->radius + body->cap;
    spot->groups = body->groups, spot->avoids = body->avoids;
  }
}
