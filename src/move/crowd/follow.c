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
 * nothing, and no order changes its way, so that it stops in no wall.
 *
 * Where points have heights, a leg that is higher than it is long is a link, too; on the others the height of a walker is that of
 * the leg beside it. */

#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

WEND_NO_FUSING

#define LOOK_STEPS 8u      /* steps from one look to the next */
#define SIGHT_RADIUS 0.9   /* in radii: a walker that touches a wall sees along it */
#define LOST_RADIUS 0.2    /* in radii: a walker that slides around a corner still sees past it */
#define CORNER_SLOW 15u    /* steps in which it is slow, after which one that presses against a corner goes round it again */
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
#define STEEP 1.0001       /* the square of the height of a leg, by that of its length */
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
  if (point + 1 < walker->height_count) {
    const double *p = walker->points + 2 * (size_t)point, up = walker->heights[point + 1] - walker->heights[point];
    return up * up > STEEP * wend_square(p[2] - p[0], p[3] - p[1]);
  }
  return false;
}

void wend_follow_rise(wend_walker *w) {
  const double *p = w->points + 2 * (size_t)w->next, *h = w->heights + w->next;
  double dx, dy, square, part;
  if (w->next == 0 || w->next >= w->height_count) return;
  dx = p[0] - p[-2], dy = p[1] - p[-1], square = wend_square(dx, dy);
  part = square > 0 ? ((w->x - p[-2]) * dx + (w->y - p[-1]) * dy) / square : 1;
  w->height = h[-1] + (h[0] - h[-1]) * wend_most(0, wend_least(part, 1));
}

/* Begins to cross the link that begins at the next point. False: it was removed, or is closed for the walker, which waits
 * there for another plan. */
static bool begin_link(const struct wend_crowd *crowd, wend_walker *w, const double *p) {
  uint32_t tag = WEND_UNTAGGED;
  double weight = INFINITY;
  if (crowd->grid != NULL && !wend_way_find_link(crowd, w, p, p + 2, &weight, &tag)) return false;
  w->crossing = true;
  w->cross_from_x = p[0], w->cross_from_y = p[1], w->cross_x = p[2], w->cross_y = p[3];
  w->cross_tag = tag;
  if (tag < w->tag_count) weight *= w->points[2 * ((size_t)w->point_count + tag)];
  w->cross_left = w->links == WEND_LINKS_JUMP ? 0 : weight;
  if (w->links == WEND_LINKS_WALK || !(w->cross_left < INFINITY)) { /* without a grid, it has no weight */
    w->cross_left = wend_sqrt(wend_square(p[2] - w->x, p[3] - w->y));
  }
  w->cross_height = w->height;
  if (w->next + 1 < w->height_count) {
    w->cross_height = w->heights[w->next + 1];
    if (w->links != WEND_LINKS_JUMP) w->cross_left = wend_sqrt(wend_square(w->cross_left, w->cross_height - w->height));
  }
  return true;
}

bool wend_follow_link(wend_walker *w, double *x, double *y) {
  const double step = w->speed * WEND_STEP_TIME, left = w->cross_left;
  *x = w->cross_x, *y = w->cross_y;
  w->cross_left = wend_most(left - step, 0);
  if (!(left > step)) {
    w->height = w->cross_height;
    return true;
  }
  w->height += (w->cross_height - w->height) * (step / left);
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
    if (!begin_link(crowd, walker, p)) return;
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
    if (begins_link(walker, i)) return false;
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
  double x, y;
  wend_follow_aim(walker, &x, &y);
  if ((x - walker->x) * walker->vx + (y - walker->y) * walker->vy > 0) return false; /* it has turned round already */
  return walker->slow >= CORNER_SLOW && walker->next > 0 && !begins_link(walker, walker->next - 1) &&
         !sees(crowd, walker, walker->next, SIGHT_RADIUS) && sees(crowd, walker, walker->next - 1, LOST_RADIUS);
}

/* Goes on to the next point, or to another one that the walker sees. */
static void look(const struct wend_crowd *crowd, wend_walker *walker) {
  const bool careful = keeps_to_ground(crowd, walker), fast = is_fast(walker);
  bool lost, ahead = true;
  uint32_t point;
  if (walker->looked == crowd->steps + 1) return; /* the step is taken again after it ran out of memory */
  walker->looked = crowd->steps + 1;
  if (walker->next + 1 < walker->point_count) pass_point(crowd, walker, careful);
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
    ahead = ahead && !begins_link(walker, walker->next + i - 1);
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

/* ---- Going together ------------------------------------------------------------------------------------------ */

/* Groups that go together. Each step finds the leader of such a group: the walker whose place in the layout is nearest to the
 * goal. It goes along its own way. A walker that sees its place beside the leader goes the way of the leader, and to that
 * place from the side:
 *
 *     a   a   leader ->        on open ground all go in parallel, and the layout stays as it is
 *     a   a   a
 *
 * A walker that does not see its place, as in front of a door, goes along its own way: so the group files through.
 *
 * Nobody is faster than the slowest one. Whoever is ahead of its place, compared with the one that is farthest behind, slows
 * down. Those who do not see their places count only where they are farther away than a file of the whole group is long. */

#define SLOWEST 0.3      /* of the speed of the group: so fast goes one that waits for others */
#define SPAN 4.0         /* in radii: so far ahead of its place, a walker has slowed down to that */
#define LANE 3.0         /* in radii: so far beside its place, a walker goes to it in an angle of 45 degrees */
#define LANE_SIGHT 0.9   /* in radii: as on ways */
#define LAST_PART 4.0    /* in radii: so near to its spot, a walker goes straight there */
#define FILE_SPACING 2.6 /* in radii, from one walker of a file to the next */

/* Whether a walker goes, with a group that goes together. */
static bool goes_together(const wend_walker *w) {
  return w->layout.together && w->party != 0 && wend_walker_goes(w) && !w->paused && !w->crossing;
}

/* Whether others wait for a walker of such a group: it is on its way to the goal of the group, and gets on. */
static bool counts(const struct wend_crowd *crowd, const wend_walker *w) {
  return goes_together(w) && (w->planned || !crowd->plans) && !w->partial && !w->lost && w->state == WEND_WALKER_MOVING;
}

/* Finds the group of a walker, or adds it. NULL: no memory. */
static wend_crowd_troop *take_troop(struct wend_crowd *crowd, const wend_walker *w) {
  uint32_t number = wend_keys_find(&crowd->troop_parties, w->party);
  if (number == WEND_NONE) {
    static const wend_crowd_troop none = {INFINITY, 0, 0, INFINITY, 0, WEND_NONE, WEND_NONE};
    number = crowd->troop_parties.count;
    if (!wend_keys_reserve(&crowd->troop_parties, &crowd->alloc, 1) ||
        !WEND_GROW(&crowd->alloc, crowd->troops, crowd->troops_capacity, (uint64_t)number + 1)) {
      return NULL;
    }
    (void)wend_keys_add(&crowd->troop_parties, w->party);
    crowd->troops[number] = none;
  }
  return &crowd->troops[number];
}

/* Where a walker has its place beside the leader, as the vector to it. forward: the direction of the leader, of length 1.
 * False: it does not see it, or has none. */
static bool find_lane(const struct wend_crowd *crowd, const wend_walker *w, const wend_walker *leader, double *to,
                      double *forward) {
  const double x = leader->x + w->layout.x - leader->layout.x, y = leader->y + w->layout.y - leader->layout.y;
  const double sight = LANE_SIGHT * w->radius;
  double length;
  to[0] = x - w->x, to[1] = y - w->y;
  wend_follow_aim(leader, &forward[0], &forward[1]);
  forward[0] -= leader->x, forward[1] -= leader->y;
  length = wend_sqrt(wend_square(forward[0], forward[1]));
  if (!w->layout.laid || w == leader || !(length > 0)) return false;
  forward[0] /= length, forward[1] /= length;
  if (wend_follow_left(w) < LAST_PART * w->radius) return false;
  if (!wend_solid_any(crowd)) return true;
  if (w->careful && (crowd->mixed || w->layer_count > 0)) {
    const double price = wend_ground_at(crowd, w, leader->x, leader->y), here = wend_ground_at(crowd, w, w->x, w->y);
    if (wend_ground_of(crowd, w, w->x, w->y, x, y).dearest > wend_most(price, here)) return false;
  }
  return wend_solid_clear(crowd, w->closed, w->x, w->y, x, y, sight) &&
         wend_solid_clear(crowd, w->closed, leader->x, leader->y, x, y, sight);
}

/* Whether a walker is farther behind than another one, by place. */
static bool is_farther_behind(const struct wend_crowd *crowd, const wend_walker *w, uint32_t other) {
  const wend_walker *last = other != WEND_NONE ? &crowd->walkers[other] : NULL;
  if (last == NULL || w->layout.behind != last->layout.behind) return last == NULL || w->layout.behind > last->layout.behind;
  return w->slot < last->slot;
}

/* Whether a walker is between the last one and its place, although its own place is behind that. */
static bool is_before(const wend_walker *w, const wend_walker *last, const double *forward) {
  const double x = w->x - last->x, y = w->y - last->y, along = x * forward[0] + y * forward[1];
  const double order = (w->layout.x - last->layout.x) * forward[0] + (w->layout.y - last->layout.y) * forward[1];
  const double side = x * forward[1] - y * forward[0], sum = w->radius + last->radius;
  return order < 0 && along > 0 && along < last->layout.behind && side < sum && side > -sum;
}

bool wend_formation_find(struct wend_crowd *crowd) {
  if (!crowd->together) return true;
  crowd->together = false;
  wend_keys_clear(&crowd->troop_parties);
  for (uint32_t place = 0; place < crowd->count; place++) {
    const wend_walker *w = &crowd->walkers[place];
    const double off = w->layout.laid ? wend_square(w->layout.x, w->layout.y) : 0;
    wend_crowd_troop *troop;
    if (w->party == 0 || !w->layout.together) continue;
    crowd->together = true;
    if (!goes_together(w)) continue;
    troop = take_troop(crowd, w);
    if (troop == NULL) return false;
    if (w->speed > 0) troop->slowest = wend_least(troop->slowest, w->speed);
    troop->file += FILE_SPACING * w->radius;
    if (!counts(crowd, w)) continue;
    if (off < troop->off || (off == troop->off && w->slot < crowd->walkers[troop->leader].slot)) {
      troop->off = off, troop->leader = place;
    }
  }
  for (uint32_t place = 0; place < crowd->count; place++) {
    wend_walker *w = &crowd->walkers[place];
    const wend_walker *leader;
    wend_crowd_troop *troop;
    double to[2], forward[2];
    if (!counts(crowd, w)) continue;
    troop = take_troop(crowd, w);
    leader = &crowd->walkers[troop->leader];
    w->layout.in_lane = find_lane(crowd, w, leader, to, forward);
    w->layout.behind =
        w->layout.in_lane ? to[0] * forward[0] + to[1] * forward[1] : wend_follow_left(w) - wend_follow_left(leader);
    if (w->layout.laid) {
      const double square = wend_square(w->layout.x - leader->layout.x, w->layout.y - leader->layout.y);
      troop->extent = wend_most(troop->extent, wend_sqrt(square) + w->radius);
    }
    troop->behind = wend_most(troop->behind, w->layout.in_lane ? w->layout.behind : w->layout.behind - troop->file);
    if (!w->layout.in_lane) continue;
    if (is_farther_behind(crowd, w, troop->last)) troop->last = place;
    w->queue_time = wend_least(w->queue_time, leader->queue_time); /* the progress of the leader is that of all beside it */
  }
  return true;
}

/* How much more room a leader has on its left than on its right, for its whole group. */
static double find_room(struct wend_crowd *crowd, const wend_walker *w, const wend_body *body, double extent) {
  const wend_solids *solids = wend_solid_near(crowd, body->place, w->x, w->y, extent);
  double left = extent, right = extent;
  for (uint32_t i = 0; i < solids->count; i++) {
    double dx, dy;
    const double far = wend_sqrt(wend_solid_from(&solids->segments[i], w->x, w->y, &dx, &dy));
    const double side = body->want_x * dy - body->want_y * dx;
    if (side >= 0) right = wend_least(right, far);
    if (side <= 0) left = wend_least(left, far);
  }
  return left - right;
}

/* Turns what a body wants by up to 45 degrees, towards a point beside it. */
static void turn_aside(wend_body *body, double x, double y) {
  const double side = wend_most(wend_sqrt(wend_square(x, y)), LANE * body->radius);
  const double to_x = body->want_x + x / side, to_y = body->want_y + y / side;
  const double length = wend_sqrt(wend_square(to_x, to_y));
  body->want_x = to_x / length, body->want_y = to_y / length;
}

/* Without walls nobody looks for points farther on, and a walker beside the leader comes past its points at a distance, that of
 * its place from the leader. It must not go back to them when the leader has arrived. */
static void pass_beside(wend_walker *w, const wend_walker *leader) {
  const double x = w->layout.x - leader->layout.x, y = w->layout.y - leader->layout.y;
  const double most = wend_sqrt(wend_square(x, y)) + POINT_REACHED * w->radius;
  while (w->next + 1 < w->point_count && !begins_link(w, w->next)) {
    const double *p = w->points + 2 * (size_t)w->next;
    if (!(wend_square(p[0] - w->x, p[1] - w->y) < most * most)) return;
    aim_at(w, w->next + 1);
  }
}

void wend_formation_lead(struct wend_crowd *crowd, wend_walker *w, wend_body *body) {
  const wend_crowd_troop *troop;
  double lag, to[2], forward[2];
  if (!goes_together(w)) return;
  troop = take_troop(crowd, w);
  body->want = wend_least(body->want, troop->slowest);
  if (!counts(crowd, w)) return;
  lag = troop->behind - w->layout.behind;
  if (!w->layout.in_lane && body->place != troop->leader) lag = -w->layout.behind - troop->file;
  if (lag > 0 && !(wend_solid_any(crowd) && wend_solid_narrow(crowd, body->place, w->x, w->y, w->radius))) {
    body->want = wend_least(body->want, troop->slowest * wend_most(SLOWEST, 1 - lag / (SPAN * w->radius)));
  }
  if (w->layout.in_lane && find_lane(crowd, w, &crowd->walkers[troop->leader], to, forward)) {
    if (!wend_solid_any(crowd)) pass_beside(w, &crowd->walkers[troop->leader]);
    body->want_x = forward[0], body->want_y = forward[1];
    if (is_before(w, &crowd->walkers[troop->last], forward)) { /* it meets that one, and both make way */
      const wend_walker *last = &crowd->walkers[troop->last];
      const double side = (w->x - last->x) * forward[1] - (w->y - last->y) * forward[0] < 0 ? -w->radius : w->radius;
      body->want_x = -forward[0], body->want_y = -forward[1];
      turn_aside(body, side * forward[1], -side * forward[0]);
      return;
    }
    turn_aside(body, to[0] - w->layout.behind * forward[0], to[1] - w->layout.behind * forward[1]);
  } else if (body->place == troop->leader && w->layout.laid && body->far > 0 && wend_solid_any(crowd)) {
    const double room = find_room(crowd, w, body, troop->extent);
    turn_aside(body, -body->want_y * room, body->want_x * room);
  }
}

/* ---- Bodies ---------------------------------------------------------------------------------------------------- */

static void make_body(struct wend_crowd *crowd, wend_walker *w, uint32_t place, wend_body *body) {
  const bool goes = wend_walker_goes(w);
  double dx, dy;
  body->x = w->x, body->y = w->y, body->vx = w->vx, body->vy = w->vy;
  body->height = w->height;
  body->push_x = w->push_x, body->push_y = w->push_y;
  body->radius = w->radius, body->speed = w->going, body->side_bias = w->side_bias, body->cap = wend_index_cap(w);
  body->stall = w->stall, body->queue_time = w->queue_time, body->place = place, body->slot = w->slot,
  body->tie = w->slot ^ crowd->ties;
  body->groups = w->groups, body->avoids = w->avoids, body->priority = w->priority, body->goal = w->goal;
  body->quarry = w->chase.quarry != WEND_NO_ID ? wend_slots_find(&crowd->slots, w->chase.quarry) : WEND_NONE;
  body->flags = w->paused ? BODY_PAUSED : 0;
  if (w->acceleration > 0) body->flags |= BODY_LIMITED;
  if (w->passing && !w->paused) body->flags |= w->opposed ? BODY_PASSING | BODY_PIERCING : BODY_PASSING;
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
    const bool last = w->next + 1 >= w->point_count, slows = last && !w->rushes;
    body->want = slows                 ? wend_least(w->going, body->far / SLOW_DOWN)
                 : is_fast(w) && !last ? wend_least(w->going, body->far / FAST_CORNER)
                                       : w->going;
  } else if (body->far > HOME_REACHED * w->radius || w->next + 1 < w->point_count) {
    body->want = wend_least(w->at_rest ? UP_SPEED * w->going : w->going, body->far / SLOW_DOWN);
  }
  if (w->layout.together && w->party != 0) wend_formation_lead(crowd, w, body);
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
