/* SPDX-License-Identifier: MIT */
/* Walkers that follow what moves. A chase is an order whose goal moves: after each step it is found out where the target is,
 * and the walker is sent on when its target has gone on by a part of the distance to it. Plans and arrival are those of all
 * orders.
 *
 * Walkers around a target keep to places in rings. Two that touch change places if that makes their ways shorter, as walkers of
 * a group do (arrive.c). So a walker that others keep from its place gets one on its side, and they move up: the rings fill
 * from the inside, whoever comes first. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

WEND_NO_FUSING

/* No two places of a crowd are so far apart. */
#define REACH_MOST (4 * WEND_CROWD_COORDINATE_MAX)

#define BEHIND 0.15         /* of the distance to the target: so far the goal may be from it */
#define LEAVES_REACH 0.5    /* in radii: one that is farther than in reach goes on */
#define GOT_AWAY 2.0        /* in radii: a target that is farther than in reach has got away */
#define ROOM 1.1            /* of the sum of radii: those in a ring have room to get in */
#define AT_PLACE 0.3        /* in radii: so near to its place, a walker is there */
#define MOVED 0.5           /* in radii: a goal that has moved less is the same */
#define LOOK_AHEAD 2.0      /* times the seconds to the target: so far ahead it looks */
#define LOOK_AHEAD_MOST 1.5 /* seconds: at most so far */
#define ASIDE_MOST 8.0      /* in radii: so far beside the way of the target chasers go at most */
#define TRY_STEPS 15u       /* until one that is not in reach tries again */
#define CHASE_TRIES 3u      /* while its place stays where it is */
#define GLANCE_STEPS 4u     /* between two looks of a walker that is far away */
#define FAR 10.0            /* in radii: one that is farther than that from its goal is far away */
#define LEAN 0.2            /* in radii: the goal of one that is to touch its target lies so much nearer to it */
#define HALF_TURN 3.14159265358979323846

/* A target as a step sees it: face is of length 1. */
typedef struct seen_target {
  double x, y, radius, face_x, face_y;
  double vx, vy; /* of a walker of the crowd; else 0 */
} seen_target;

/* By the first terms of their series, for an eighth of the angle, which is doubled three times. The error is below 1e-9. */
void wend_crowd_turn(double angle, double *cosine, double *sine) {
  const double whole = fmod(angle, 2 * HALF_TURN), part = (whole - 2 * HALF_TURN * floor(whole / (2 * HALF_TURN) + 0.5)) / 8,
               p = part * part;
  double c = 1 - p / 2 * (1 - p / 12 * (1 - p / 30 * (1 - p / 56)));
  double s = part * (1 - p / 6 * (1 - p / 20 * (1 - p / 42 * (1 - p / 72))));
  for (int i = 0; i < 3; i++) {
    const double turned = c * c - s * s;
    s = 2 * c * s, c = turned;
  }
  *cosine = c, *sine = s;
}

/* Finds a target. False: it is gone. */
static bool find_target(const wend_crowd *crowd, wend_id walker, uint32_t number, seen_target *seen) {
  const wend_walker *quarry = wend_crowd_walker(crowd, walker);
  double length;
  if (quarry == NULL && (walker != WEND_NO_ID || number >= crowd->target_count)) return false;
  if (quarry != NULL) {
    const seen_target found = {quarry->x, quarry->y, quarry->radius, quarry->face_x, quarry->face_y, quarry->vx, quarry->vy};
    *seen = found;
  } else {
    const wend_chase_target *t = &crowd->targets[number].at;
    const seen_target found = {t->x, t->y, t->radius, t->face_x, t->face_y, 0, 0};
    if (!(t->x - t->x == 0) || !(t->y - t->y == 0)) return false; /* not finite */
    *seen = found;
  }
  length = wend_sqrt(wend_square(seen->face_x, seen->face_y));
  if (length > 0 && length < INFINITY) seen->face_x /= length, seen->face_y /= length;
  else seen->face_x = 1, seen->face_y = 0;
  return true;
}

/* Ends the chase of a walker, which stands and is lost. */
static void give_up(wend_crowd *crowd, wend_walker *w, wend_crowd_event_kind why) {
  const wend_pursuit none = {0};
  (void)wend_crowd_lose(crowd, wend_slots_id(&crowd->slots, w->slot));
  w->chase = none;
  wend_arrive_list(crowd, w, why);
}

/* Sends a walker to a place, if that is another order than its last one. anew: also if it is the same. */
static void send_to(wend_crowd *crowd, wend_walker *w, double x, double y, bool anew) {
  const wend_id id = wend_slots_id(&crowd->slots, w->slot);
  const double goal[2] = {x, y};
  w->chase.sent = true, w->chase.sent_x = x, w->chase.sent_y = y;
  if (anew) (void)wend_crowd_stop(crowd, id);
  if (!crowd->plans) {
    (void)wend_crowd_go(crowd, id, goal, 1);
  } else if (wend_crowd_repeat(crowd, id, goal) != WEND_OK) {
    wend_plan_send(w, AIM_PLACE, goal);
  }
}

/* Where a chaser goes that is far from its target. If this is a walker of the crowd: where it will be when the chaser could
 * be there, and beside that place as far as the chaser is beside the way of the target. So chasers cut corners, and run side
 * by side. Otherwise, or if something is between: where the target is. */
static void lead(const wend_crowd *crowd, const wend_walker *w, const seen_target *t, double *x, double *y) {
  const double away_x = w->x - t->x, away_y = w->y - t->y, speed = wend_sqrt(wend_square(t->vx, t->vy));
  double time = LOOK_AHEAD * wend_sqrt(wend_square(away_x, away_y)) / wend_most(w->speed, 1e-3), aside, to_x, to_y;
  if (speed == 0 || crowd->grid == NULL) return;
  time = wend_least(time, LOOK_AHEAD_MOST);
  aside = (away_y * t->vx - away_x * t->vy) / speed;
  aside = wend_most(-ASIDE_MOST * w->radius, wend_least(ASIDE_MOST * w->radius, aside)) / speed;
  to_x = t->x + time * t->vx - aside * t->vy, to_y = t->y + time * t->vy + aside * t->vx;
  if (wend_solid_clear(crowd, w->closed, t->x, t->y, to_x, to_y, 0)) *x = to_x, *y = to_y;
}

/* Lets a walker rest that is in reach: at its place x, y, if it has one, else where it is. touching: the sum of the radii:
 * there it leans against the target; 0: it does not. */
static void rest(wend_crowd *crowd, wend_walker *w, double x, double y, double touching) {
  wend_pursuit *c = &w->chase;
  double goal[2] = {w->x, w->y};
  if (c->kind != CHASE_REACH) {
    goal[0] = x, goal[1] = y;
    if (touching > 0) {
      const double part = (touching - LEAN * w->radius) / wend_sqrt(wend_square(c->aside_x, c->aside_y));
      const double lean_x = x - (1 - part) * c->aside_x, lean_y = y - (1 - part) * c->aside_y;
      if (wend_is_crowd_coordinate(lean_x) && wend_is_crowd_coordinate(lean_y)) goal[0] = lean_x, goal[1] = lean_y;
    }
  }
  if (w->has_no_way) c->told = false; /* it was lost, and no more */
  c->reached = c->sent = true, c->sent_x = x, c->sent_y = y;
  (void)wend_crowd_go(crowd, wend_slots_id(&crowd->slots, w->slot), goal, 1);
}

/* Tells once that a walker has arrived. */
static void tell_arrival(wend_crowd *crowd, wend_walker *w) {
  if (!w->chase.told) wend_arrive_list(crowd, w, WEND_CROWD_ARRIVED);
  w->chase.told = true;
}

/* One coordinate of a place: a vector of length 1, turned. By itself: gcc fuses both, whatever WEND_NO_FUSING says. */
static void turned_place(double reach, double along, double across, double cosine, double sine, double *place) {
  *place = reach * (along * cosine - across * sine);
}

/* Lets a walker follow its target. There is room for its route: see wend_crowd_reserve_chases. begins: the order is new:
 * what there is to tell comes after the next step. */
static void follow_target(wend_crowd *crowd, wend_walker *w, bool begins) {
  wend_pursuit *c = &w->chase;
  const double own = w->radius;
  const bool waits = w->wanted || w->plan != 0 || w->unplanned; /* for a plan */
  double x, y, reach, touching = 0, far, moved;
  bool short_of;
  seen_target t;
  if (!find_target(crowd, c->quarry, c->target, &t)) {
    if (!begins) give_up(crowd, w, WEND_CROWD_GONE);
    return;
  }
  if (c->quarry == WEND_NO_ID) crowd->targets[c->target].chasers++;
  if (c->skip > 0) {
    c->skip--;
    return;
  }
  if (w->has_no_way && crowd->steps < w->again) return;
  x = t.x, y = t.y, reach = wend_least(c->distance, REACH_MOST);
  if (reach < 0) {
    reach = (own + t.radius) * ROOM;
    if (c->kind == CHASE_ANGLE || wend_square(c->aside_x, c->aside_y) < (reach + own) * (reach + own))
      touching = own + t.radius;
  }
  if (c->kind == CHASE_ANGLE) {
    double cosine, sine;
    wend_crowd_turn(c->angle, &cosine, &sine);
    turned_place(reach, t.face_x, t.face_y, cosine, sine, &c->aside_x);
    turned_place(reach, t.face_y, -t.face_x, cosine, sine, &c->aside_y);
  }
  if (c->kind != CHASE_REACH) x += c->aside_x, y += c->aside_y, reach = AT_PLACE * own;
  if (!wend_is_crowd_coordinate(x) || !wend_is_crowd_coordinate(y)) {
    if (!begins) give_up(crowd, w, WEND_CROWD_TOO_FAR);
    return;
  }
  far = wend_sqrt(wend_square(x - w->x, y - w->y));
  /* While the target stays, one in reach stays too: others push it a little. */
  if (far <= reach || (c->reached && far <= reach + LEAVES_REACH * own) ||
      (c->reached && c->kind == CHASE_REACH && wend_square(x - c->sent_x, y - c->sent_y) <= MOVED * own * MOVED * own)) {
    if (!c->reached) rest(crowd, w, x, y, touching);
    if (w->state == WEND_WALKER_ARRIVED && !begins) tell_arrival(crowd, w);
    return;
  }
  if (c->kind == CHASE_REACH) lead(crowd, w, &t, &x, &y);
  moved = c->sent ? wend_sqrt(wend_square(x - c->sent_x, y - c->sent_y)) : INFINITY;
  if (moved > MOVED * own) {
    c->tries = 0;
    if (far > reach + GOT_AWAY * own) c->told = false;
  }
  if (c->wait > 0) c->wait--;
  short_of = w->state == WEND_WALKER_ARRIVED && !c->reached && c->sent && !waits; /* others were in the way */
  if (short_of && c->tries >= CHASE_TRIES) {
    tell_arrival(crowd, w); /* it stays beside them */
    return;
  }
  if (short_of && c->wait > 0) return;
  if (short_of) c->wait = TRY_STEPS, c->tries++;
  if (c->reached || w->has_no_way || short_of || moved > wend_most(MOVED * own, BEHIND * far)) {
    c->reached = false;
    if (wend_is_crowd_coordinate(x) && wend_is_crowd_coordinate(y)) send_to(crowd, w, x, y, short_of);
  }
  if (far > FAR * own) c->skip = GLANCE_STEPS - 1;
}

void wend_chase_step(wend_crowd *crowd) {
  if (!crowd->chasing) return;
  crowd->chasing = false;
  for (uint32_t i = 0; i < crowd->target_count; i++) crowd->targets[i].chasers = 0;
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    if (w->chase.kind == CHASE_NONE) continue;
    follow_target(crowd, w, false);
    crowd->chasing = true;
  }
}

/* Lets a walker chase from now on. There is room for its route. */
static void begin_chase(wend_walker *w, const wend_chase *chase, unsigned kind) {
  const wend_pursuit none = {0};
  w->chase = none;
  w->chase.kind = (uint8_t)kind, w->chase.quarry = chase->walker, w->chase.target = chase->target;
  w->chase.distance = chase->distance, w->chase.angle = kind == CHASE_ANGLE ? chase->angle : 0;
}

/* Whether there are a target and good numbers. */
static bool is_chase(const wend_crowd *crowd, const wend_chase *chase) {
  seen_target seen;
  return chase->distance - chase->distance == 0 && (!chase->turned || chase->angle - chase->angle == 0) &&
         find_target(crowd, chase->walker, chase->target, &seen);
}

wend_status wend_crowd_chase(wend_crowd *crowd, wend_id id, const wend_chase *chase) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  const wend_pursuit none = {0}, before = w != NULL ? w->chase : none;
  const bool chasing = crowd->chasing;
  if (w == NULL || (chase != NULL && (!is_chase(crowd, chase) || chase->walker == id))) return WEND_INVALID;
  w->chase = none;
  if (chase == NULL) return WEND_OK;
  begin_chase(w, chase, chase->turned ? CHASE_ANGLE : CHASE_REACH);
  crowd->chasing = true;
  if (wend_solid_ready(crowd) && wend_crowd_reserve_chases(crowd)) return follow_target(crowd, w, true), WEND_OK;
  w->chase = before, crowd->chasing = chasing;
  return WEND_NO_MEMORY;
}

wend_status wend_crowd_retarget(wend_crowd *crowd, wend_id id, uint32_t target) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || w->chase.kind == CHASE_NONE || w->chase.quarry != WEND_NO_ID) return WEND_INVALID;
  w->chase.target = target;
  if (target < crowd->target_count) crowd->targets[target].chasers++;
  return WEND_OK;
}

wend_status wend_crowd_target(wend_crowd *crowd, uint32_t number, const wend_chase_target *target, uint32_t *chasers) {
  const wend_crowd_target_item gone = {{INFINITY, INFINITY, 0, 0, 0}, 0};
  if (number == UINT32_MAX || !(target->radius >= 0)) return WEND_INVALID;
  if (!WEND_GROW(&crowd->alloc, crowd->targets, crowd->targets_capacity, (uint64_t)number + 1)) return WEND_NO_MEMORY;
  while (crowd->target_count <= number) crowd->targets[crowd->target_count++] = gone;
  crowd->targets[number].at = *target;
  if (chasers != NULL) *chasers = crowd->targets[number].chasers;
  return WEND_OK;
}

/* ---- Surrounding ------------------------------------------------------------------------------------------------ */

/* How many walkers a ring takes, at most `most`. */
static uint32_t room_of(double radius, double ring, uint32_t most) {
  const double ratio = wend_least(radius / wend_most(ring, radius), 1);
  uint32_t room = 1;
  for (double cosine, sine; room < most; room++) {
    wend_crowd_turn(HALF_TURN / (room + 1), &cosine, &sine);
    if (sine < ratio - 1e-6) break;
  }
  return room;
}

/* Sorts items around the middle by the angle from a direction, which need not be of length 1: a key grows with the angle. */
static void sort_around(wend_crowd_item *items, uint32_t count, const double *from) {
  for (uint32_t i = 0; i < count; i++) {
    const double x = items[i].x * from[0] + items[i].y * from[1], y = items[i].y * from[0] - items[i].x * from[1];
    const double sum = fabs(x) + fabs(y), part = sum > 0 && sum < INFINITY ? y / sum : 0;
    items[i].key = x >= 0 ? part : y >= 0 ? 2 - part : -2 - part;
  }
  wend_index_sort_items(items, count);
}

/* Gives each walker a place, seen from the target. walkers: sorted by distance: those who are near get inner rings. Around a
 * ring, walkers and places are in the same order, from the middle of the walkers on to both sides: no two ways cross. */
static void give_places(wend_crowd_item *walkers, wend_crowd_item *places, uint32_t count, double radius, double ring) {
  for (uint32_t first = 0, room; first < count; first += room, ring += 2 * radius * ROOM) {
    double middle[2] = {0, 0};
    room = room_of(radius, ring, count - first);
    for (uint32_t i = 0; i < room; i++) {
      wend_crowd_item *walker = &walkers[first + i], *place = &places[first + i];
      const double length = wend_sqrt(wend_square(walker->x, walker->y));
      if (length > 0) middle[0] += walker->x / length, middle[1] += walker->y / length;
      wend_crowd_turn(2 * HALF_TURN * (i + 1) / room, &place->x, &place->y);
      place->number = i;
    }
    if (middle[0] == 0 && middle[1] == 0) middle[0] = 1;
    sort_around(&walkers[first], room, middle);
    sort_around(&places[first], room, middle);
    for (uint32_t i = first; i < first + room; i++) places[i].x *= ring, places[i].y *= ring;
  }
}

bool wend_crowd_surrounds(const wend_crowd *crowd, const wend_id *ids, uint32_t count, const wend_chase *chase) {
  uint32_t members = 0, ring = 0;
  for (uint32_t i = 0; i < count; i++) {
    const wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    if (w == NULL || w->chase.kind != CHASE_RING || (ring != 0 && w->chase.ring != ring)) return false;
    ring = w->chase.ring;
    if (w->chase.quarry != chase->walker || w->chase.distance != chase->distance) return false;
    if (chase->walker == WEND_NO_ID && w->chase.target != chase->target) return false;
  }
  for (uint32_t i = 0; i < crowd->count; i++) members += crowd->walkers[i].chase.ring == ring;
  return members == count;
}

wend_status wend_crowd_surround(wend_crowd *crowd, const wend_id *ids, uint32_t count, const wend_chase *chase) {
  const bool chasing = crowd->chasing;
  wend_crowd_item *walkers = NULL, *places = NULL;
  uint32_t walkers_capacity = 0, places_capacity = 0;
  double radius = 0;
  wend_status status = WEND_NO_MEMORY;
  seen_target t;
  if (count >= WEND_NONE / 8 || !is_chase(crowd, chase)) return WEND_INVALID;
  for (uint32_t i = 0; i < count; i++) {
    if (wend_crowd_walker(crowd, ids[i]) == NULL || ids[i] == chase->walker) return WEND_INVALID;
  }
  if (count == 0) return WEND_OK;
  (void)find_target(crowd, chase->walker, chase->target, &t);
  crowd->chasing = true;
  if (!wend_solid_ready(crowd) || !wend_crowd_reserve(crowd, ids, count, 1) || !wend_crowd_reserve_chases(crowd) ||
      !WEND_RESIZE(&crowd->alloc, walkers, walkers_capacity, count) ||
      !WEND_RESIZE(&crowd->alloc, places, places_capacity, count)) {
    crowd->chasing = chasing;
    goto done;
  }
  for (uint32_t i = 0; i < count; i++) {
    const wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    const double x = w->x - t.x, y = w->y - t.y;
    const wend_crowd_item item = {x, y, wend_square(x, y), i};
    walkers[i] = item;
    radius = wend_most(radius, w->radius);
  }
  wend_index_sort_items(walkers, count);
  give_places(walkers, places, count, radius,
              chase->distance < 0 ? (radius + t.radius) * ROOM : wend_least(chase->distance, REACH_MOST));
  crowd->parties++;
  for (uint32_t i = 0; i < count; i++) {
    wend_walker *w = wend_crowd_walker(crowd, ids[walkers[i].number]);
    begin_chase(w, chase, CHASE_RING);
    w->chase.ring = crowd->parties, w->chase.aside_x = places[i].x, w->chase.aside_y = places[i].y;
    follow_target(crowd, w, true);
  }
  status = WEND_OK;
done:
  WEND_FREE(&crowd->alloc, walkers, walkers_capacity);
  WEND_FREE(&crowd->alloc, places, places_capacity);
  return status;
}
