/* SPDX-License-Identifier: MIT */
/* Following a route. A walker goes straight to the next point of its route. Every 8 steps it looks whether it can see the point
 * after that one; then it goes there. A fast one, which would pass its points, looks in every step, and farther. If it sees
 * neither the next point nor one near that in the route, it was pushed out of sight of its route: it is lost until it sees one
 * again, and an event asks for a new route. It then tries the point before, because that is the corner where the next point came
 * into sight.
 *
 * A careful walker leaves out a point only if that is no dearer: see ground.c. One that was pushed onto dear ground goes to an
 * earlier point again, if the way over that one costs less.
 *
 * A link is a leg that is not walked on the ground: a ladder, a jump. No point where a link begins is left out. From such a
 * point the walker is moved to the end of the link, in the time that its `links` says. Until it is there, it meets nobody and
 * nothing, and no order changes its way, so that it stops in no wall. */

#include "move/crowd/index.h"
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

WEND_NO_FUSING

#define LOOK_STEPS 8u      /* steps from one look to the next */
#define SIGHT_RADIUS 0.9   /* in radii: a walker that touches a wall sees along it */
#define LOST_RADIUS 0.2    /* in radii: a walker that slides around a corner still sees past it */
#define CORNER_STALL 0.5   /* seconds without progress, after which one that presses against a corner goes round it again */
#define POINT_REACHED 0.5  /* in radii: so near to a point that is not the last, the walker goes on to the next */
#define FAST_POINTS 8u     /* so many points a fast walker goes on in one step */
#define FIRST_POINTS 64u   /* so many points that it was given a walker leaves out at first */
#define FAST_CORNER 0.1    /* its speed is at most the distance to the next point, divided by this */
#define SLOW_DOWN 0.3      /* the speed is at most the distance to the goal, divided by this */
#define UP_SPEED 0.25      /* of one that has arrived beside others, and moves up */
#define SQUEEZE 0.125      /* one in a wall is pushed out so slowly that the others can make way */
#define HOME_REACHED 0.3   /* in radii */
#define EXACTLY 0.1        /* in radii: the same, if the ground between the walker and the point after it is dear */
#define BACK_POINTS 64u    /* so many points before the next one are compared by a walker on dear ground */
#define BACK_GAIN 0.05     /* what going back must save at least */
#define SEARCHED_POINTS 4u /* so many points before and after the next one are tried by a walker that does not see it */

void wend_follow_measure(wend_walker *walker) {
  walker->route_left = 0;
  for (uint32_t i = walker->next; i + 1 < walker->point_count; i++) {
    const double *p = walker->points + 2 * (size_t)i;
    walker->route_left += wend_sqrt(wend_square(p[2] - p[0], p[3] - p[1]));
  }
}

static void aim_at(wend_walker *walker, uint32_t point) {
  if (walker->next == point) return;
  walker->next = point;
  wend_follow_measure(walker);
  walker->progress_mark = INFINITY; /* `best_left` stays: to go back along the route is no progress */
}

static bool sees(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t point, double radius) {
  const double *p = walker->points + 2 * (size_t)point;
  return wend_solid_clear(crowd, walker->closed, walker->x, walker->y, p[0], p[1], radius * walker->radius);
}

/* Whether the ground matters on the route of a walker. */
static bool keeps_to_ground(const struct wend_crowd *crowd, const wend_walker *walker) {
  return walker->careful && (crowd->mixed || walker->layer_count > 0);
}

/* Whether a link begins at a point. */
static bool begins_link(const wend_walker *walker, uint32_t point) {
  const double *links = walker->points + 2 * ((size_t)walker->point_count + walker->tag_count);
  for (uint32_t i = 0; i < walker->link_count; i++) {
    if (links[i] == (double)point) return true;
  }
  return false;
}

/* Whether a point is not left out: a link begins there, or the walker waits there. */
static bool is_kept(const wend_walker *walker, uint32_t point) {
  return begins_link(walker, point) || (walker->pocket > 0 && point == walker->pocket);
}

/* Begins to cross the link that begins at the next point. */
static void begin_link(const struct wend_crowd *crowd, wend_walker *w, const double *p) {
  const struct wend_grid *grid = crowd->grid;
  double weight = INFINITY;
  w->crossing = true;
  w->cross_from_x = p[0], w->cross_from_y = p[1], w->cross_x = p[2], w->cross_y = p[3];
  w->cross_tag = WEND_UNTAGGED;
  if (grid != NULL) {
    const bool found = wend_grid_find_portal(grid, wend_way_cell_at(grid, p[0], p[1]), wend_way_cell_at(grid, p[2], p[3]),
                                             &weight, &w->cross_tag);
    if (found && w->cross_tag < w->tag_count) weight *= w->points[2 * ((size_t)w->point_count + w->cross_tag)];
  }
  w->cross_left = w->links == WEND_LINKS_JUMP ? 0 : weight;
  if (w->links == WEND_LINKS_WALK || !(w->cross_left < INFINITY)) { /* an edit has removed the portal */
    w->cross_left = wend_sqrt(wend_square(p[2] - w->x, p[3] - w->y));
  }
}

bool wend_follow_link(wend_walker *w, double *x, double *y) {
  const double step = w->speed * WEND_STEP_TIME, left = w->cross_left;
  *x = w->cross_x, *y = w->cross_y;
  w->cross_left = wend_most(left - step, 0);
  if (!(left > step)) return true;
  *x = w->x + (w->cross_x - w->x) * (step / left), *y = w->y + (w->cross_y - w->y) * (step / left);
  return false;
}

/* Goes on from the next point if the walker is there. */
static void pass_point(const struct wend_crowd *crowd, wend_walker *walker, bool careful) {
  const double *p = walker->points + 2 * (size_t)walker->next, most = POINT_REACHED * walker->radius;
  const double exact = wend_most(EXACTLY * walker->radius, walker->going * WEND_STEP_TIME);
  const double square = wend_square(p[0] - walker->x, p[1] - walker->y);
  if (!(square < most * most)) return;
  if (begins_link(walker, walker->next)) {
    begin_link(crowd, walker, p);
  } else if (careful && !(square < exact * exact) && !wend_ground_may_skip(crowd, walker, walker->next + 1)) {
    return;
  }
  aim_at(walker, walker->next + 1);
}

/* The point to go to for one whose way to the next point leads over dear ground. Mostly the next point. */
static uint32_t find_better_ground(const struct wend_crowd *crowd, const wend_walker *walker) {
  const double *p = walker->points + 2 * (size_t)walker->next;
  const wend_ground straight = wend_ground_of(crowd, walker, walker->x, walker->y, p[0], p[1]);
  double least = straight.cost - BACK_GAIN, behind = 0;
  uint32_t best = walker->next;
  if (straight.dearest <= wend_ground_at(crowd, walker, p[0], p[1])) return best;
  for (uint32_t i = 1; i <= walker->next && i <= BACK_POINTS; i++) {
    double cost;
    p -= 2;
    if (begins_link(walker, walker->next - i)) break;
    behind += wend_ground_of(crowd, walker, p[0], p[1], p[2], p[3]).cost;
    if (!(behind < least)) break;
    cost = behind + wend_ground_of(crowd, walker, walker->x, walker->y, p[0], p[1]).cost;
    if (cost < least && sees(crowd, walker, walker->next - i, SIGHT_RADIUS)) least = cost, best = walker->next - i;
  }
  return best;
}

/* Whether a walker may go back to a point before the next one: from there the next one must be in sight, or it would go back
 * for good. If only its sides are in the way here, they must not be in the way there. */
static bool finds_back(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t point) {
  const double *p = walker->points + 2 * (size_t)point;
  const double sides = sees(crowd, walker, walker->next, 0) ? LOST_RADIUS * walker->radius : 0;
  return wend_solid_clear(crowd, walker->closed, p[0], p[1], p[2], p[3], sides) && sees(crowd, walker, point, SIGHT_RADIUS);
}

/* Whether a walker gets farther in one step than to the distance at which it reaches a point. */
static bool is_fast(const wend_walker *walker) { return walker->going * WEND_STEP_TIME > POINT_REACHED * walker->radius; }

/* Whether a walker may leave out all points from its next one to another one. */
static bool may_go_to(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t point, bool careful) {
  for (uint32_t i = walker->next; i < point; i++) {
    if (is_kept(walker, i)) return false;
  }
  return sees(crowd, walker, point, SIGHT_RADIUS) && (!careful || wend_ground_may_skip(crowd, walker, point));
}

/* The last of the next points that a walker may go to, one after another: at most `most`. */
static uint32_t find_farthest(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t most, bool careful) {
  uint32_t farthest = walker->next;
  while (most-- > 0 && farthest + 1 < walker->point_count && may_go_to(crowd, walker, farthest + 1, careful)) farthest++;
  return farthest;
}

/* The same on a plan, which does not come back to where it was: in steps that double and halve. */
static uint32_t find_end_of_sight(const struct wend_crowd *crowd, const wend_walker *walker, bool careful) {
  uint32_t farthest = walker->next, step = 1;
  while (farthest + 1 < walker->point_count) {
    const uint32_t left = walker->point_count - 1 - farthest;
    if (!may_go_to(crowd, walker, farthest + (step < left ? step : left), careful)) break;
    farthest += step < left ? step : left, step *= 2;
  }
  for (; step > 0; step /= 2) {
    if (step < walker->point_count - farthest && may_go_to(crowd, walker, farthest + step, careful)) farthest += step;
  }
  return farthest;
}

/* The end of the leg that is nearest to a walker, before the legs lead away from it. */
static uint32_t find_nearest_leg(const wend_walker *walker) {
  uint32_t nearest = 0;
  double least = wend_square(walker->points[0] - walker->x, walker->points[1] - walker->y);
  for (uint32_t i = 0; i + 1 < walker->point_count && !begins_link(walker, i); i++) {
    const double *p = walker->points + 2 * (size_t)i;
    const wend_segment leg = {p[0], p[1], p[2], p[3]};
    double dx, dy;
    const double square = wend_solid_from(&leg, walker->x, walker->y, &dx, &dy);
    if (square > least) break;
    if (square < least) least = square, nearest = i + 1;
  }
  return nearest;
}

void wend_follow_begin(struct wend_crowd *crowd, wend_walker *walker, bool plan, bool close) {
  bool careful;
  walker->next = 0;
  if (!walker->crossing) {
    wend_ground_ready(crowd);
    careful = keeps_to_ground(crowd, walker);
    walker->next = close || !wend_solid_any(crowd) ? find_nearest_leg(walker)
                   : plan                          ? find_end_of_sight(crowd, walker, careful)
                                                   : find_farthest(crowd, walker, FIRST_POINTS, careful);
  }
  wend_follow_measure(walker);
}

/* Whether a walker makes no progress because it was pushed aside when it had gone on to the next point at a corner: it sees the
 * point, but there is a wall in the way of its disc. */
static bool is_off_the_corner(const struct wend_crowd *crowd, const wend_walker *walker) {
  return walker->stall >= CORNER_STALL && walker->next > 0 && !begins_link(walker, walker->next - 1) &&
         !sees(crowd, walker, walker->next, SIGHT_RADIUS) && sees(crowd, walker, walker->next - 1, LOST_RADIUS);
}

/* Goes on to the next point, or to another one that the walker sees. */
static void look(const struct wend_crowd *crowd, wend_walker *walker) {
  const bool careful = keeps_to_ground(crowd, walker), fast = is_fast(walker);
  bool lost, ahead = true;
  uint32_t point;
  if (walker->looked == crowd->steps + 1) return; /* the step is taken again after it ran out of memory */
  walker->looked = crowd->steps + 1;
  if (walker->next + 1 < walker->point_count && !wend_walker_withdraws(walker)) pass_point(crowd, walker, careful);
  if (walker->crossing) return;
  if ((!fast && (crowd->steps + walker->slot) % LOOK_STEPS != 0) || !wend_solid_any(crowd)) return;
  point = find_farthest(crowd, walker, fast ? FAST_POINTS : 1, careful);
  if (point == walker->next && is_off_the_corner(crowd, walker)) point--;
  if (point != walker->next) {
    aim_at(walker, point);
    walker->lost = false;
    return;
  }
  lost = !sees(crowd, walker, walker->next, LOST_RADIUS);
  for (uint32_t i = 1; lost && i <= SEARCHED_POINTS; i++) {
    ahead = ahead && !is_kept(walker, walker->next + i - 1);
    if (walker->next >= i && finds_back(crowd, walker, walker->next - i)) {
      aim_at(walker, walker->next - i);
      lost = false;
    } else if (ahead && walker->next + i < walker->point_count && sees(crowd, walker, walker->next + i, SIGHT_RADIUS)) {
      aim_at(walker, walker->next + i);
      lost = false;
    }
  }
  if (!lost && careful && !wend_ground_is_pressed(walker)) aim_at(walker, find_better_ground(crowd, walker));
  walker->lost = lost;
}

/* Moves a corner away from walls, when it becomes the aim, if it is nearer to them than the radius: a plan leads through the
 * middles of cells, where a wide walker does not get. It does not move it onto dearer ground. */
static void keep_clear(const struct wend_crowd *crowd, wend_walker *walker) {
  double *p = walker->points + 2 * (size_t)walker->next, x = p[0], y = p[1];
  if (walker->progress_mark < INFINITY || walker->next + 1 >= walker->point_count || walker->crossing) return;
  if (begins_link(walker, walker->next) || !wend_solid_any(crowd)) return;
  if (!wend_solid_make_room(crowd, walker->closed, walker->radius, &x, &y)) return;
  if (!wend_is_crowd_coordinate(x) || !wend_is_crowd_coordinate(y)) return;
  if (keeps_to_ground(crowd, walker) && wend_ground_at(crowd, walker, x, y) > wend_ground_at(crowd, walker, p[0], p[1])) {
    return;
  }
  p[0] = x, p[1] = y;
  wend_follow_measure(walker);
}

static void make_body(const struct wend_crowd *crowd, wend_walker *w, uint32_t place, wend_body *body) {
  const bool goes = wend_walker_goes(w);
  double dx, dy;
  body->x = w->x, body->y = w->y, body->vx = w->vx, body->vy = w->vy;
  body->push_x = w->push_x, body->push_y = w->push_y;
  body->radius = w->radius, body->speed = w->going, body->side_bias = w->side_bias, body->cap = wend_index_cap(w);
  body->stall = w->stall, body->queue_time = w->queue_time, body->place = place, body->slot = w->slot,
  body->tie = w->slot ^ crowd->ties;
  body->groups = w->groups, body->avoids = w->avoids, body->priority = w->priority, body->goal = w->goal;
  body->right = w->right;
  body->quarry = w->quarry != WEND_NO_ID ? wend_slots_find(&crowd->slots, w->quarry) : WEND_NONE;
  body->flags = w->paused ? BODY_PAUSED : 0;
  if (w->acceleration > 0) body->flags |= BODY_LIMITED;
  if (w->passing && !w->paused) body->flags |= BODY_PASSING;
  if (w->squeezed) body->flags |= BODY_SQUEEZED, body->cap *= SQUEEZE;
  body->aim_x = w->home_x, body->aim_y = w->home_y;
  body->want = 0;
  if (!w->crossing) {
    if (w->state == WEND_WALKER_ARRIVED) body->flags |= BODY_ARRIVED;
    if (goes || !w->at_rest) body->flags |= BODY_MOVING;
    if (goes ||
        (!w->at_rest && w->state == WEND_WALKER_ARRIVED)) { /* that one may have been pushed out of sight of its place */
      look(crowd, w);
      if (goes) keep_clear(crowd, w);
      wend_follow_aim(w, &body->aim_x, &body->aim_y);
    }
  }
  if (w->crossing) { /* wend_follow_link moves it */
    body->flags |= BODY_MOVING | BODY_CROSSING;
    body->groups = body->avoids = 0, body->push_x = body->push_y = 0;
    body->aim_x = w->x, body->aim_y = w->y;
  }
  dx = body->aim_x - body->x, dy = body->aim_y - body->y;
  if (w->next + 1 < w->point_count) body->flags |= BODY_TURNING;
  body->far = wend_sqrt(dx * dx + dy * dy);
  if (body->far > 0) body->want_x = dx / body->far, body->want_y = dy / body->far;
  else body->want_x = body->want_y = 0;
  if (w->paused || w->crossing) return;
  if (goes) {
    const bool last = w->next + 1 >= w->point_count, slows = (last && !w->rushes) || wend_walker_withdraws(w);
    body->want = slows                 ? wend_least(w->going, body->far / SLOW_DOWN)
                 : is_fast(w) && !last ? wend_least(w->going, body->far / FAST_CORNER)
                                       : w->going;
  } else if (body->far > HOME_REACHED * w->radius || w->next + 1 < w->point_count) {
    body->want = wend_least(w->at_rest ? UP_SPEED * w->going : w->going, body->far / SLOW_DOWN);
  }
  /* It comes to rest with half its acceleration. */
  if (w->acceleration > 0 && w->next + 1 >= w->point_count && !(goes && w->rushes)) {
    body->want = wend_least(body->want, wend_sqrt(w->acceleration * body->far));
  }
}

void wend_follow_all(struct wend_crowd *crowd) {
  const bool solid = wend_solid_any(crowd);
  crowd->passing = false;
  for (uint32_t i = 0; i < crowd->count; i++) {
    const uint32_t place = crowd->order[i];
    wend_body *body = &crowd->bodies[i];
    wend_body_spot *spot = &crowd->spots[i];
    make_body(crowd, &crowd->walkers[place], place, body);
    if ((body->flags & BODY_PASSING) != 0) crowd->passing = true;
    if (solid && (body->flags & (BODY_MOVING | BODY_CROSSING)) == BODY_MOVING &&
        wend_solid_narrow(crowd, place, body->x, body->y, body->radius)) {
      body->flags |= BODY_NARROW;
    }
    spot->x = body->x, spot->y = body->y, spot->radius = body->radius, spot->reach = body->radius + body->cap;
    spot->groups = body->groups, spot->avoids = body->avoids;
  }
}
