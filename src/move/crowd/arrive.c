/* SPDX-License-Identifier: MIT */
/* The end of a step: positions are written back, and walkers arrive or report that they are stuck.
 *
 * A walker arrives near its goal, or beside one that has arrived and is nearer to the goal. The second rule needs a limit, or
 * walkers would arrive at the end of a queue: c walkers that have arrived at a goal fill a disc of radius r sqrt(c / 0.7). Time
 * without progress makes the limit larger.
 *
 * Of walkers that are sent to one place singly, those that come behind others arrive in the circle that a group of all those
 * near it would fill. They go on from there to the place. So nobody presses around an exit where those vanish that arrive. */

#include "move/crowd/solid.h"
#include "move/crowd/step.h"

WEND_NO_FUSING

#define AT_GOAL 0.3         /* of the radius; more with each second without progress */
#define AT_GOAL_STALL 3.0   /* seconds that count */
#define THRONG_ROOM 1.86    /* by the squares of their radii: the square of the radius of the circle of a group: see spots.c */
#define THRONG_NEAR 3.0     /* by the same square for all that have a goal: that of the circle in which they throng there */
#define AWAY 1.0            /* of the radius: so far from its place, one that stands comes back */
#define STALL_SAME 0.3      /* seconds without progress, before a walker arrives beside one with the same goal */
#define STALL_LONG 2.0      /* the same, also far from the goal */
#define STALL_OTHER 1.0     /* the same, beside one with another goal */
#define STAY_LONG 1.5       /* a walker is stuck that does not leave its surroundings for so many times its patience */
#define STAY_PART 0.25      /* or, if that is less, so far as it would get in this part of its patience */
#define DENSITY 0.7         /* the part of a disc that walkers fill */
#define PROGRESS 0.1        /* of the radius: so much nearer to the goal is progress */
#define WORTH_CHANGING 0.95 /* two walkers change spots if the sum of the squares of their ways gets less than this part */
#define FOLLOWS 0.5      /* seconds without progress, after which one behind a walker that passes through others does so too */
#define CROSSED 3.0      /* so many times its `squeeze`, after which one that nobody opposes does */
#define FADE 4.0         /* a push loses this part a second */
#define SLOW_LEAST 2.0   /* seconds: the limits of what is a third of the patience: */
#define SLOW_MOST 10.0   /* one that was slow for that time is reported */
#define SLOWNESS_PASS 32 /* the low pass of the slowness: a 32nd */
#define FACE_PASS 0.1    /* the low pass of the direction that a walker faces, */
#define FACE_LEAST 0.1   /* of the speed: a slower walker, as in a standing throng, does not turn, */
#define FACE_HOME 3.0    /* nor does one that stands, or makes way and comes back, so many radii from its place */

void wend_arrive_list(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_event_kind kind) {
  wend_crowd_event *event;
  if ((walker->events & 1u << kind) != 0) return;
  walker->events = (uint8_t)(walker->events | 1u << kind);
  event = &crowd->events[crowd->event_count++];
  event->id = wend_slots_id(&crowd->slots, walker->slot);
  event->kind = kind;
}

/* Lists an event. False: the caller of the crowd does not get it, or not now. */
static bool tell(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_event_kind kind) {
  if (crowd->plans && !wend_plan_event(crowd, walker, kind)) return false;
  if (walker->chase.kind != CHASE_NONE && kind == WEND_CROWD_ARRIVED) return false; /* chase.c tells it */
  wend_arrive_list(crowd, walker, kind);
  return true;
}

/* Whether a walker that stalls has arrived beside others. far: the distance to its goal. */
static bool has_arrived_beside(const struct wend_crowd *crowd, const wend_walker *w, const wend_motion *motion, double far) {
  double r = w->radius, c = 1;
  if (w->crossing) return false;
  if (motion->beside_same && w->stall >= STALL_LONG) return true; /* the way there is full, also around a corner */
  if (w->next + 1 < w->point_count) return false;
  if (motion->beside_same && w->stall >= STALL_SAME) c += crowd->goals[w->goal].arrived;
  else if (motion->beside_other > 0 && w->stall >= STALL_OTHER) r = wend_most(r, motion->beside_other);
  else return false;
  return far <= wend_least(r * wend_sqrt(c / DENSITY) + r * (0.5 + w->stall), 2.4 * r * wend_sqrt(c) + 2 * r);
}

/* Adds up how many of those with the same goal are near it. */
static void find_throngs(struct wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->goal_count; i++) crowd->goals[i].throng = 0;
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_body *body = &crowd->bodies[i];
    const double square = body->radius * body->radius;
    wend_crowd_goal *goal;
    if (body->goal == WEND_NONE || (body->flags & (BODY_TURNING | BODY_CROSSING)) != 0) continue;
    goal = &crowd->goals[body->goal];
    if (body->far * body->far <= THRONG_NEAR * THRONG_ROOM * goal->walkers * square) goal->throng += square;
  }
}

/* Whether a walker is in the circle of a throng around its goal. */
static bool is_in_throng(const struct wend_crowd *crowd, const wend_walker *w, const wend_motion *motion, double far) {
  const double throng = crowd->goals[w->goal].throng;
  if (!motion->beside_same && motion->queue_time == INFINITY) return false;
  return w->chase.kind == CHASE_NONE && throng > w->radius * w->radius && far * far <= THRONG_ROOM * throng;
}

/* at_rest: it stands from now on. Otherwise it goes on to its place, and makes room for others. */
static void arrive(struct wend_crowd *crowd, wend_walker *w, bool at_rest) {
  w->state = WEND_WALKER_ARRIVED;
  w->at_rest = at_rest;
  crowd->goals[w->goal].arrived++;
  w->stall = w->queue_time = w->side_bias = 0;
  w->lost = w->reported = w->passing = false;
  (void)tell(crowd, w, WEND_CROWD_ARRIVED);
}

/* One that had arrived is on its way again. */
static void set_out_again(struct wend_crowd *crowd, wend_walker *w) {
  crowd->goals[w->goal].arrived--;
  w->state = WEND_WALKER_MOVING;
  w->stall = w->queue_time = 0;
  w->best_left = w->progress_mark = INFINITY;
  if (!crowd->plans) return;
  if (w->aim == AIM_NONE) {
    const double goal[2] = {w->home_x, w->home_y};
    wend_plan_send(w, AIM_PLACE, goal);
  }
  wend_plan_want(w);
}

/* A walker is on closed ground, which it leaves. It does not come back there. */
static void leave_closed(struct wend_crowd *crowd, wend_walker *w) {
  if (w->state == WEND_WALKER_WAITING) w->home_x = w->x, w->home_y = w->y;
  else set_out_again(crowd, w);
}

/* Whether one that has arrived is away from its goal, and outside of the circle in which the others throng there. */
static bool is_outside(const struct wend_crowd *crowd, const wend_walker *w, double far) {
  if (w->state != WEND_WALKER_ARRIVED || w->chase.kind != CHASE_NONE) return false;
  if (w->area > 0 && wend_spots_reached(crowd, w)) return false;
  return far * far > (AWAY + THRONG_NEAR * THRONG_ROOM * (crowd->goals[w->goal].walkers - 1)) * w->radius * w->radius;
}

/* Whether one that stands has been moved away from its place, and whether one that comes back is there. One that had arrived and
 * does not get back is on its way again. */
static void come_back(struct wend_crowd *crowd, wend_walker *w, const wend_motion *motion) {
  const double far = wend_sqrt(wend_square(w->home_x - w->x, w->home_y - w->y)), step = PROGRESS * w->radius;
  const bool beside = motion->beside_same && w->goal != WEND_NONE && crowd->goals[w->goal].walkers > 1;
  if (w->crossing) return;
  if (w->at_rest) {
    if (far <= AWAY * w->radius || beside || motion->beside_other > 0 || !motion->free) return;
    w->at_rest = false, w->progress_mark = far, w->stall = 0;
    if (w->queue_time == 0) w->best_left = far;
    return;
  }
  if (far < w->progress_mark - step) w->progress_mark = far, w->stall = 0;
  else w->stall += WEND_STEP_TIME;
  if (far < w->best_left - step) w->best_left = far, w->queue_time = 0; /* neither new corners nor rests on the way reset it */
  else w->queue_time += WEND_STEP_TIME;
  w->side_bias = motion->side_bias;
  if (beside || far < AT_GOAL * w->radius * (1 + wend_least(w->stall, AT_GOAL_STALL))) {
    w->at_rest = true, w->side_bias = w->stall = w->queue_time = 0;
  } else if (motion->beside_other > 0 && w->stall >= STALL_OTHER) {
    w->at_rest = true, w->side_bias = w->stall = 0;
  } else if (motion->crossed && w->stall >= w->patience && w->state == WEND_WALKER_WAITING) {
    w->at_rest = true, w->side_bias = w->stall = w->queue_time = 0;
    w->home_x = w->x, w->home_y = w->y;
  } else if (w->queue_time >= w->patience && is_outside(crowd, w, far)) {
    set_out_again(crowd, w);
  }
}

/* Notes how far a walker that wants to go is behind the speed it wants. Reports one that was slow for a third of its patience,
 * once more after twice that time, four times it, and so on. */
static void judge_pace(struct wend_crowd *crowd, wend_walker *w, const wend_body *body) {
  const double patient = wend_least(wend_most(w->patience / 3, SLOW_LEAST), SLOW_MOST);
  const uint32_t limit = (uint32_t)(patient * WEND_STEPS_A_SECOND);
  double lack;
  uint32_t times;
  if (!(body->want > 0)) return;
  lack = 1 - (w->vx * body->want_x + w->vy * body->want_y) / body->want;
  lack = wend_least(wend_most(lack, 0), 1) * WEND_SLOWNESS_WHOLE;
  w->slowness = (uint16_t)(w->slowness + ((int32_t)lack - (int32_t)w->slowness) / SLOWNESS_PASS);
  if (w->slowness <= WEND_SLOWNESS_WHOLE / 2) w->slow = 0;
  else if (w->slow < UINT16_MAX) w->slow++;
  times = w->slow / limit;
  if (times > 0 && w->slow % limit == 0 && (times & (times - 1)) == 0) (void)tell(crowd, w, WEND_CROWD_SLOW);
}

/* Whether a walker passes through others from now on. In a queue that gets on, nobody does. */
static bool starts_to_pass(const wend_walker *w, wend_opposition opposed) {
  if (opposed == OPPOSED_BEHIND && w->squeeze < INFINITY) return w->stall >= FOLLOWS;
  if (opposed == OPPOSED_AHEAD) return w->stall >= w->squeeze;
  return w->queue_time >= CROSSED * w->squeeze;
}

/* Whether a walker has stayed near one place for so long that it says so, whatever queue it is in, and whatever small steps it
 * makes. Near is within a cell, or within its radius where there is no grid; a slow walker has to get less far. */
static bool stays_near(const struct wend_crowd *crowd, wend_walker *w) {
  const double room = wend_least(crowd->grid != NULL ? 1 : w->radius, STAY_PART * w->going * w->patience);
  if (w->best_left == INFINITY || wend_square(w->x - w->stay.x, w->y - w->stay.y) > room * room) {
    w->stay.x = w->x, w->stay.y = w->y, w->stay.seconds = 0;
  } else {
    w->stay.seconds += WEND_STEP_TIME;
  }
  return w->stay.seconds >= STAY_LONG * w->patience;
}

/* Progress, arrival and patience of a walker that has somewhere to go. */
static void judge_walker(struct wend_crowd *crowd, wend_walker *w, const wend_motion *motion) {
  const double step = PROGRESS * w->radius, passed = w->rushes ? w->going * WEND_STEP_TIME : 0;
  const bool stays = stays_near(crowd, w);
  double aim_x, aim_y, far, remaining, near;
  bool there;
  wend_follow_aim(w, &aim_x, &aim_y);
  far = wend_sqrt(wend_square(aim_x - w->x, aim_y - w->y)), remaining = far + w->route_left;
  w->progress_mark = remaining;
  w->stall += WEND_STEP_TIME;
  if (remaining < w->best_left - step) w->best_left = remaining, w->stall = w->queue_time = 0;
  else w->queue_time = wend_least(w->queue_time + WEND_STEP_TIME, motion->queue_time);
  w->opposed = motion->opposed != OPPOSED_NOT;
  if (starts_to_pass(w, motion->opposed)) w->passing = true;
  else if (w->passing && !motion->overlaps) w->passing = false;
  w->side_bias = motion->side_bias;
  w->blocker = motion->blocker;
  near = wend_most(AT_GOAL * w->radius * (1 + wend_least(w->stall, AT_GOAL_STALL)), passed);
  there = !w->crossing && w->next + 1 == w->point_count && far < near;
  if (there || (w->area > 0 && wend_spots_reached(crowd, w))) {
    arrive(crowd, w, there);
  } else if (has_arrived_beside(crowd, w, motion, far)) {
    arrive(crowd, w, true);
  } else if (!w->crossing && w->next + 1 == w->point_count && is_in_throng(crowd, w, motion, far)) {
    arrive(crowd, w, false);
  } else if (w->queue_time >= w->patience || stays) {
    if (w->state != WEND_WALKER_STUCK && tell(crowd, w, WEND_CROWD_STUCK)) w->state = WEND_WALKER_STUCK;
  } else {
    w->state = WEND_WALKER_MOVING;
  }
  if (!w->lost) w->reported = false;
  if (w->lost && !w->reported) {
    w->reported = true;
    (void)tell(crowd, w, WEND_CROWD_NEEDS_ROUTE);
  }
}

static void swap_numbers(double *a, double *b) {
  const double swapped = *a;
  *a = *b, *b = swapped;
}

/* Lets two walkers that have changed goals change what they were sent to. */
static void change_aims(wend_walker *a, wend_walker *b) {
  swap_numbers(&a->aim_x, &b->aim_x), swap_numbers(&a->aim_y, &b->aim_y);
  swap_numbers(&a->last_order_x, &b->last_order_x), swap_numbers(&a->last_order_y, &b->last_order_y);
}

/* Lets two walkers around a target, which have changed goals, change their places there. */
static void change_places(wend_walker *a, wend_walker *b) {
  swap_numbers(&a->chase.aside_x, &b->chase.aside_x), swap_numbers(&a->chase.aside_y, &b->chase.aside_y);
  swap_numbers(&a->chase.sent_x, &b->chase.sent_x), swap_numbers(&a->chase.sent_y, &b->chase.sent_y);
  change_aims(a, b);
  a->chase.reached = b->chase.reached = false;
  a->chase.tries = b->chase.tries = 0;
}

/* Lets two walkers of a party that touch change their spots, if the sum of the squares of their ways gets less. So a walker
 * does not have to pass walkers that stand between it and its spot: they move up. Each change lessens the sum of all, so
 * changes end when nobody moves.
 *
 * A change alone is no progress: two that are pushed to and fro may change for ever. So the two keep their least distances,
 * the greater one for the walker that has farther to go. All least distances of a party together get less with each progress,
 * and never greater by a change. So they run out, and walkers that do not arrive are stuck in the end. */
static void change_spots(struct wend_crowd *crowd, wend_walker *a, wend_walker *b) {
  double *p, *q, of_a, of_b;
  uint32_t goal;
  if (a->next + 1 < a->point_count || b->next + 1 < b->point_count || a->paused || b->paused || a->goal == b->goal) return;
  if (a->layout.laid || b->layout.laid) return; /* each has a place of its own */
  if (a->state == WEND_WALKER_WAITING || b->state == WEND_WALKER_WAITING) return;
  p = a->points + 2 * (size_t)a->next, q = b->points + 2 * (size_t)b->next;
  if (wend_square(a->x - q[0], a->y - q[1]) + wend_square(b->x - p[0], b->y - p[1]) >=
      (wend_square(a->x - p[0], a->y - p[1]) + wend_square(b->x - q[0], b->y - q[1])) * WORTH_CHANGING) {
    return;
  }
  swap_numbers(&p[0], &q[0]), swap_numbers(&p[1], &q[1]);
  if (a->state == WEND_WALKER_ARRIVED) crowd->goals[a->goal].arrived--, crowd->goals[b->goal].arrived++;
  if (b->state == WEND_WALKER_ARRIVED) crowd->goals[b->goal].arrived--, crowd->goals[a->goal].arrived++;
  goal = a->goal, a->goal = b->goal, b->goal = goal;
  a->home_x = p[0], a->home_y = p[1], b->home_x = q[0], b->home_y = q[1];
  of_a = wend_square(a->x - p[0], a->y - p[1]), of_b = wend_square(b->x - q[0], b->y - q[1]);
  if ((of_a > of_b || (of_a == of_b && a->slot < b->slot)) != (a->best_left > b->best_left)) {
    swap_numbers(&a->best_left, &b->best_left);
  }
  a->progress_mark = b->progress_mark = INFINITY;
  if (a->state == WEND_WALKER_ARRIVED) a->at_rest = false, a->stall = 0;
  if (b->state == WEND_WALKER_ARRIVED) b->at_rest = false, b->stall = 0;
  if (a->chase.kind == CHASE_RING) change_places(a, b);
  else if (a->area > 0 && b->area > 0) change_aims(a, b);
}

/* Nobody pushes a walker past the largest coordinate. */
static double limit_coordinate(double x) {
  return wend_most(wend_least(x, WEND_CROWD_COORDINATE_MAX), -WEND_CROWD_COORDINATE_MAX);
}

/* Whether a walker turns to where it goes. One that makes way near its place steps aside and back. */
static bool turns(const wend_walker *w) {
  const double least = FACE_LEAST * w->going, near = wend_walker_goes(w) ? 0 : FACE_HOME * w->radius;
  return wend_square(w->vx, w->vy) >= least * least && wend_square(w->home_x - w->x, w->home_y - w->y) >= near * near;
}

/* Moves a walker along its link. */
static void cross_link(struct wend_crowd *crowd, wend_walker *w) {
  double x, y;
  bool ends;
  w->before_x = w->x, w->before_y = w->y, w->before_height = w->height;
  ends = wend_follow_link(w, &x, &y);
  if (w->looked == crowd->steps + 1) (void)tell(crowd, w, WEND_CROWD_CROSSES); /* it has looked in this step: it begins */
  if (ends && w->links == WEND_LINKS_JUMP)
    w->before_x = x, w->before_y = y, w->before_height = w->height; /* nobody sees it in between */
  w->vx = (x - w->before_x) * WEND_STEPS_A_SECOND, w->vy = (y - w->before_y) * WEND_STEPS_A_SECOND;
  if (ends) w->vx = w->vy = 0;
  w->x = x, w->y = y;
  w->crossing = !ends;
  w->stall = w->queue_time = 0;
  w->squeezed = w->passing = false;
}

void wend_arrive_all(struct wend_crowd *crowd) {
  find_throngs(crowd);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_body *body = &crowd->bodies[i];
    const wend_motion *motion = &crowd->motions[i];
    wend_walker *w = &crowd->walkers[body->place];
    const double x = limit_coordinate(motion->x), y = limit_coordinate(motion->y);
    const double touch = w->radius * (1 - WEND_IN_WALL);
    if (w->crossing && !w->paused) {
      cross_link(crowd, w);
      continue;
    }
    w->before_x = w->x, w->before_y = w->y;
    w->vx = (x - w->x) * WEND_STEPS_A_SECOND, w->vy = (y - w->y) * WEND_STEPS_A_SECOND;
    w->x = x, w->y = y;
    w->before_height = w->height;
    if (w->height_count > 0) wend_follow_rise(w);
    if ((w->face_x == 0 && w->face_y == 0) || turns(w)) {
      w->face_x += FACE_PASS * (w->vx - w->face_x), w->face_y += FACE_PASS * (w->vy - w->face_y);
    }
    if (w->push_x != 0 || w->push_y != 0) {
      const double kept = 1 - FADE * WEND_STEP_TIME, least = 1e-3 * (w->speed > 0 ? w->speed : w->radius);
      w->push_x *= kept, w->push_y *= kept;
      if (wend_square(w->push_x, w->push_y) < least * least) w->push_x = w->push_y = 0;
    }
    w->squeezed = (body->flags & BODY_WALLED) != 0 && wend_solid_square(&crowd->solids[body->place], x, y) < touch * touch;
    if (w->paused) continue;
    if (wend_walker_goes(w)) {
      judge_pace(crowd, w, body);
      judge_walker(crowd, w, motion);
    } else {
      if ((body->flags & BODY_PILED) != 0 && w->state == WEND_WALKER_WAITING) { /* it does not come back into the pile */
        w->home_x = w->x, w->home_y = w->y;
      }
      if ((body->flags & BODY_TRAPPED) != 0) leave_closed(crowd, w);
      else come_back(crowd, w, motion);
    }
  }
  for (uint32_t i = 0; i < crowd->pair_count; i++) {
    wend_walker *a = &crowd->walkers[crowd->bodies[crowd->pairs[i].a].place];
    wend_walker *b = &crowd->walkers[crowd->bodies[crowd->pairs[i].b].place];
    if ((a->party != 0 && a->party == b->party) || (a->chase.ring != 0 && a->chase.ring == b->chase.ring)) {
      change_spots(crowd, a, b);
    }
  }
}
