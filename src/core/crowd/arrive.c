/* SPDX-License-Identifier: MIT */
/* The end of a step: positions are written back, and walkers arrive or report that they are stuck.
 *
 * A walker arrives near its goal, or beside one that has arrived and is nearer to the goal. The second rule needs a limit, or
 * walkers would arrive at the end of a queue: c walkers that have arrived at a goal fill a disc of radius r sqrt(c / 0.7). Time
 * without progress makes the limit larger. */
#include "core/crowd/arrive.h"

WEND_NO_FUSING

#define AT_GOAL 0.3       /* of the radius; more with each second without progress */
#define AT_GOAL_STALL 3.0 /* seconds that count */
#define STALL_SAME 0.3    /* seconds without progress, before a walker arrives beside one with the same goal */
#define STALL_OTHER 1.0   /* the same, beside one with another goal */
#define DENSITY 0.7       /* the part of a disc that walkers fill */
#define PROGRESS 0.1      /* of the radius: so much nearer to the goal is progress */
#define FORGET 2.0        /* seconds without progress, after which progress is counted from where the walker then is */
#define FADE 4.0          /* a push loses this part a second */
#define FACE_PASS 0.1     /* the low pass of the direction that a walker faces */

static void tell(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_event_kind kind) {
  wend_crowd_event *event;
  if ((walker->events & 1u << kind) != 0) return;
  walker->events = (uint8_t)(walker->events | 1u << kind);
  event = &crowd->events[crowd->event_count++];
  event->id = wend_slots_id(&crowd->slots, walker->slot);
  event->kind = kind;
}

/* Whether a walker that stalls has arrived beside others. far: the distance to its goal. */
static bool has_arrived_beside(const struct wend_crowd *crowd, const wend_walker *w, const wend_motion *motion, double far) {
  const double r = w->radius;
  double c = 1;
  if (w->next + 1 < w->point_count) return false;
  if (motion->beside_same && w->stall >= STALL_SAME) c += crowd->goals[w->goal].arrived;
  else if (!(motion->beside_other && w->stall >= STALL_OTHER)) return false;
  return far <= wend_least(r * wend_sqrt(c / DENSITY) + r * (0.5 + w->stall), 2.4 * r * wend_sqrt(c) + 2 * r);
}

static void arrive(struct wend_crowd *crowd, wend_walker *w, bool beside) {
  w->state = WEND_WALKER_ARRIVED;
  if (beside && crowd->goals[w->goal].arrived > 0) w->home_x = w->x, w->home_y = w->y;
  crowd->goals[w->goal].arrived++;
  w->stall = w->jam = w->level = 0;
  w->lost = w->told = false;
  tell(crowd, w, WEND_CROWD_ARRIVED);
}

/* Progress, arrival and patience of a walker that has somewhere to go. */
static void judge(struct wend_crowd *crowd, wend_walker *w, const wend_motion *motion) {
  const double *aim = w->points + 2 * (size_t)w->next;
  const double far = wend_sqrt(wend_square(aim[0] - w->x, aim[1] - w->y)), remaining = far + w->rest;
  const double step = PROGRESS * w->radius;
  if (remaining < w->mark - step) {
    w->mark = remaining, w->stall = 0;
  } else {
    w->stall += WEND_STEP_TIME;
    if (w->stall >= FORGET && remaining > w->mark) w->mark = remaining;
  }
  if (remaining < w->best - step) w->best = remaining, w->jam = 0;
  else w->jam = wend_least(w->jam + WEND_STEP_TIME, motion->jam);
  w->level = motion->level;
  w->blocker = motion->blocker;
  if (w->next + 1 == w->point_count && far < AT_GOAL * w->radius * (1 + wend_least(w->stall, AT_GOAL_STALL))) {
    arrive(crowd, w, false);
  } else if (has_arrived_beside(crowd, w, motion, far)) {
    arrive(crowd, w, true);
  } else if (w->jam >= w->patience) {
    if (w->state != WEND_WALKER_STUCK) tell(crowd, w, WEND_CROWD_STUCK);
    w->state = WEND_WALKER_STUCK;
  } else {
    w->state = WEND_WALKER_MOVING;
  }
  if (!w->lost) w->told = false;
  if (w->lost && !w->told) {
    w->told = true;
    tell(crowd, w, WEND_CROWD_NEEDS_ROUTE);
  }
}

void wend_arrive_all(struct wend_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_body *body = &crowd->bodies[i];
    const wend_motion *motion = &crowd->motions[i];
    wend_walker *w = &crowd->walkers[body->place];
    w->before_x = w->x, w->before_y = w->y;
    w->vx = (motion->x - w->x) * WEND_STEPS_A_SECOND, w->vy = (motion->y - w->y) * WEND_STEPS_A_SECOND;
    w->x = motion->x, w->y = motion->y;
    w->face_x += FACE_PASS * (w->vx - w->face_x), w->face_y += FACE_PASS * (w->vy - w->face_y);
    if (w->push_x != 0 || w->push_y != 0) {
      const double kept = 1 - FADE * WEND_STEP_TIME, least = 1e-3 * w->speed;
      w->push_x *= kept, w->push_y *= kept;
      if (wend_square(w->push_x, w->push_y) < least * least) w->push_x = w->push_y = 0;
    }
    if ((body->flags & BODY_MOVING) != 0 && !w->held) judge(crowd, w, motion);
  }
}
