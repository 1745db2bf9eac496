/* SPDX-License-Identifier: MIT */
/* The right of way, where two walkers come towards each other in a passage that is too narrow for both. Every round (see jam.c):
 *
 *   1  The one with the lower right of way gives way: its priority decides, then ties. A walker has the right of way of those
 *      behind it in a queue, and of the one that it gives way to; so it makes those behind it give way too. (Priority inheritance,
 *      after K. Okumura, M. Machida, X. Defago, Y. Tamura, "Priority inheritance with backtracking for iterative multi-agent path
 *      finding", 2022.)
 *   2  It takes another way to its goal, if there is one: a plan in which the other one is paused
 *   3  Else it withdraws to the nearest cell beside the way of the other one, and waits there until that one has passed
 *   4  If there is no such cell, it has the right of way from then on: the other one gives way
 *
 * If both have nowhere to go, they are stuck. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

WEND_NO_FUSING

#define MEETS 1.0      /* seconds without progress, after which one that meets another one may give way */
#define TOWARDS (-0.2) /* the cosine of the angle between their directions */
#define ALIKE 0.3      /* the same, if they go the same way */
#define PASSES 16u     /* over all walkers, in which the right of way is handed on */
#define DEEPEST 16u    /* so many in a queue */
#define SEARCHED 1024u /* cells */
#define LEGS 256u      /* of the way of the other one are kept free */
#define FITS 0.9       /* of the radius: a walker that touches a wall gets along it */
#define PASSED 1.0     /* beside both bodies: so far from its pocket the other one has passed */

/* ---- Who gives way ------------------------------------------------------------------------------------------ */

static bool is_going(const wend_walker *w) { return !w->paused && !w->crossing && wend_walker_goes(w); }

/* Whether a walker has the lower right of way than another one. */
static bool goes_second(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other) {
  return w->right > other->right || (w->right == other->right && (w->slot ^ crowd->ties) > (other->slot ^ crowd->ties));
}

/* The unit vector of where a walker goes. */
static void course_of(const wend_walker *w, double *x, double *y) {
  double far;
  wend_follow_aim(w, x, y);
  *x -= w->x, *y -= w->y;
  far = wend_sqrt(wend_square(*x, *y));
  if (far > 0) *x /= far, *y /= far;
}

/* The cosine of the angle between the directions of two walkers. */
static double angle_of(const wend_walker *w, const wend_walker *other) {
  double ax, ay, bx, by;
  course_of(w, &ax, &ay), course_of(other, &bx, &by);
  return ax * bx + ay * by;
}

/* Hands the right of way on, if it is the higher one. Returns whether it is. */
static bool pass_right(wend_walker *from, wend_walker *to) {
  if (to->right <= from->right) return false;
  to->right = from->right;
  return true;
}

void wend_right_find(struct wend_crowd *crowd) {
  bool changed = true;
  for (uint32_t i = 0; i < crowd->count; i++) {
    wend_walker *w = &crowd->walkers[i];
    const wend_walker *other = wend_walker_of_slot(crowd, w->yields);
    if (w->pocket == 0 && (other == NULL || !is_going(other))) w->yields = WEND_NONE;
    w->right = w->cornered ? 0 : (uint64_t)((int64_t)INT32_MAX - w->priority) << 32 | (w->slot ^ crowd->ties);
  }
  for (uint32_t pass = 0; pass < PASSES && changed; pass++) {
    changed = false;
    for (uint32_t slot = 0; slot < crowd->slots.count; slot++) {
      wend_walker *w = wend_walker_of_slot(crowd, slot), *other;
      if (w == NULL || !is_going(w)) continue;
      other = wend_walker_of_slot(crowd, w->yields);
      if (other != NULL && pass_right(other, w)) changed = true;
      other = wend_walker_of_slot(crowd, w->blocker);
      if (other != NULL && is_going(other) && angle_of(w, other) > ALIKE && pass_right(w, other)) changed = true;
    }
  }
}

/* The walker that is ahead of another one, which wants to go on; NULL: there is none. */
static wend_walker *find_ahead(const wend_crowd *crowd, const wend_walker *w) {
  wend_walker *other;
  double x, y;
  if (!is_going(w) || wend_walker_withdraws(w)) return NULL;
  other = wend_walker_of_slot(crowd, w->blocker);
  if (other == NULL || other->paused || other->crossing) return NULL;
  course_of(w, &x, &y);
  return (other->x - w->x) * x + (other->y - w->y) * y > 0 ? other : NULL;
}

/* Whether two walkers do not fit beside each other, where they are. */
static bool are_in_passage(wend_crowd *crowd, const wend_walker *w, const wend_walker *other) {
  return wend_solid_narrow(crowd, (uint32_t)(w - crowd->walkers), w->x, w->y, w->radius) &&
         wend_solid_narrow(crowd, crowd->slots.value[other->slot], other->x, other->y, (w->radius + other->radius) / 2);
}

/* Whether a walker gives way to another one that comes towards it. */
static bool gives_way(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other) {
  return w->planned && w->plan == 0 && w->detours < WEND_DETOURS_MOST && wend_most(w->stall, other->stall) >= MEETS &&
         is_going(other) && angle_of(w, other) < TOWARDS && goes_second(crowd, w, other);
}

/* Whether one that has arrived, or waits in a pocket, gives way to another one, which goes on behind it. */
static bool steps_back(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other) {
  const double least = w->radius + other->radius;
  if (wend_walker_withdraws(w)) return is_going(w) && other->stall >= MEETS && goes_second(crowd, w, other);
  return w->state == WEND_WALKER_ARRIVED && w->pocket == 0 && w->priority <= other->priority && w->goal != other->goal &&
         (w->party == 0 || w->party != other->party) && wend_square(other->home_x - w->x, other->home_y - w->y) > least * least;
}

/* ---- Pockets ------------------------------------------------------------------------------------------------ */

/* Whether a disc is nearer than `least` to what is left of the way of a walker. */
static bool is_on_way(const wend_walker *w, double x, double y, double least) {
  wend_segment leg = {w->x, w->y, 0, 0};
  const uint32_t end = w->pocket > 0 ? w->pocket + 1 : w->point_count;
  for (uint32_t i = w->next; i < end && i - w->next < LEGS; i++) {
    double dx, dy;
    leg.x2 = w->points[2 * (size_t)i], leg.y2 = w->points[2 * (size_t)i + 1];
    if (wend_solid_from(&leg, x, y, &dx, &dy) < least * least) return true;
    leg.x1 = leg.x2, leg.y1 = leg.y2;
  }
  return false;
}

/* The same for the way of a walker, or of one that it gives way to. radius: of the disc. */
static bool is_on_ways(const wend_crowd *crowd, const wend_walker *w, double radius, double x, double y) {
  for (uint32_t i = 0; i < DEEPEST && w != NULL; i++) {
    if (is_on_way(w, x, y, radius + w->radius)) return true;
    w = wend_walker_of_slot(crowd, w->yields);
  }
  return false;
}

/* Whether a walker can wait at a place for another one: beside its way, where nobody else stands or waits. */
static bool is_pocket(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other, double x, double y) {
  if (is_on_ways(crowd, other, w->radius, x, y)) return false;
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *third = &crowd->walkers[i];
    const double least = w->radius + third->radius;
    if (third == w) continue;
    if (third->pocket > 0) {
      const double *p = third->points + 2 * (size_t)third->pocket;
      if (wend_square(p[0] - x, p[1] - y) < least * least) return false;
    } else if (!is_going(third) && wend_square(third->x - x, third->y - y) < least * least) {
      return false;
    }
  }
  return true;
}

/* A search for a pocket. */
typedef struct pocket_search {
  wend_keys *cells;        /* from 0, in the order in which they were found */
  uint32_t from[SEARCHED]; /* the number of the cell before */
} pocket_search;

/* Adds a cell that was not found before. */
static void add_cell(pocket_search *search, uint32_t cell, uint32_t from) {
  if (search->cells->count == SEARCHED || wend_keys_find(search->cells, cell) != WEND_NONE) return;
  search->from[wend_keys_add(search->cells, cell)] = from;
}

/* Adds the cells beside one that a walker can go to, without passing the other one, or its goal: behind that it would be shut in. */
static void expand_pocket(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other, pocket_search *search,
                          uint32_t at) {
  static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const uint32_t width = crowd->grid->width, height = crowd->grid->height, cell = (uint32_t)search->cells->keys[at];
  const double x = cell % width + 0.5, y = cell / width + 0.5, least = w->radius + other->radius;
  for (int i = 0; i < 4; i++) {
    const double to_x = x + steps[i][0], to_y = y + steps[i][1];
    if (to_x < 0 || to_y < 0 || to_x > width || to_y > height) continue;
    if (wend_square(other->x - to_x, other->y - to_y) < least * least) continue;
    if (wend_square(other->home_x - to_x, other->home_y - to_y) < least * least) continue;
    if (!wend_solid_clear(crowd, w->closed, at == 0 ? w->x : x, at == 0 ? w->y : y, to_x, to_y, FITS * w->radius)) continue;
    add_cell(search, (uint32_t)to_y * width + (uint32_t)to_x, at);
  }
}

/* Finds the way to the nearest pocket. Returns the number of its cell; WEND_NONE: there is none. */
static uint32_t find_pocket(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other, pocket_search *search) {
  const uint32_t width = crowd->grid->width;
  add_cell(search, (uint32_t)w->y * width + (uint32_t)w->x, 0);
  for (uint32_t at = 0; at < search->cells->count; at++) {
    const uint32_t cell = (uint32_t)search->cells->keys[at];
    if (at > 0 && is_pocket(crowd, w, other, cell % width + 0.5, cell / width + 0.5)) return at;
    expand_pocket(crowd, w, other, search, at);
  }
  return WEND_NONE;
}

wend_status wend_right_withdraw(struct wend_crowd *crowd, wend_walker *w) {
  const wend_walker *other = wend_walker_of_slot(crowd, w->yields);
  pocket_search search = {&crowd->pocket_cells, {0}};
  wend_id way[2 * SEARCHED]; /* to the pocket, and back */
  uint32_t at, steps = 0;
  wend_status status;
  if (other == NULL || w->paused || w->crossing ||
      !(w->x >= 0 && w->y >= 0 && w->x < crowd->grid->width && w->y < crowd->grid->height)) {
    return WEND_OK;
  }
  wend_ground_ready(crowd);
  wend_keys_clear(search.cells);
  if (!wend_solid_ready(crowd) || !wend_keys_reserve(search.cells, &crowd->alloc, SEARCHED)) return WEND_NO_MEMORY;
  at = find_pocket(crowd, w, other, &search);
  if (at == WEND_NONE) {
    w->yields = WEND_NONE, w->cornered = true;
    return WEND_OK;
  }
  for (uint32_t i = at; i > 0; i = search.from[i]) steps++;
  for (uint32_t i = 0; i <= steps; i++, at = search.from[at]) { way[steps - i] = way[steps + i] = search.cells->keys[at] + 1; }
  status = wend_crowd_withdraw(crowd, w, way, 2 * steps + 1);
  if (status == WEND_OK) w->due = crowd->steps + WEND_LONGEST_WAIT, w->detours++;
  return status;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------- */

/* Whether a walker in a pocket is near what is left of the way of another one, or of walkers that this one gives way to. */
static bool is_beside_way(const wend_crowd *crowd, const wend_walker *w, const wend_walker *other) {
  const double *p = w->points + 2 * (size_t)w->pocket;
  return is_on_ways(crowd, other, w->radius + PASSED, p[0], p[1]);
}

void wend_right_leave(struct wend_crowd *crowd) {
  for (uint32_t slot = 0; slot < crowd->slots.count; slot++) {
    wend_walker *w = wend_walker_of_slot(crowd, slot);
    const wend_walker *other = w != NULL ? wend_walker_of_slot(crowd, w->yields) : NULL;
    if (w == NULL || w->pocket == 0 || w->plan != 0 || w->wanted) continue;
    /* It is as patient as the one that it waits for, also on its way to the pocket: it may not get there. */
    if (other != NULL) w->queue_time = wend_least(w->queue_time, other->queue_time) + WEND_ROUND * WEND_STEP_TIME;
    if (w->due != 0 && other != NULL && is_going(other)) {
      if (is_beside_way(crowd, w, other)) continue;
      w->best_left = INFINITY, w->queue_time = 0; /* that one has passed: this is progress */
    }
    w->due = 0, w->yields = WEND_NONE;
    if (w->state == WEND_WALKER_ARRIVED) w->pocket = 0;
    else wend_plan_want(w);
  }
}

bool wend_right_is_blocked(struct wend_crowd *crowd, const wend_walker *w) {
  for (uint32_t i = 0; i < DEEPEST; i++) {
    const wend_walker *other = find_ahead(crowd, w);
    if (other == NULL || !is_going(other) || !are_in_passage(crowd, w, other)) return false;
    if (angle_of(w, other) < TOWARDS) return true;
    w = other;
  }
  return false;
}

wend_walker *wend_right_next(struct wend_crowd *crowd, uint32_t *slot) {
  while (*slot < crowd->slots.count) {
    wend_walker *w = wend_walker_of_slot(crowd, (*slot)++);
    wend_walker *other = w != NULL ? find_ahead(crowd, w) : NULL;
    if (other == NULL) continue;
    if (steps_back(crowd, other, w)) {
      if (!are_in_passage(crowd, w, other)) continue;
      other->yields = w->slot;
      (void)wend_right_withdraw(crowd, other); /* without memory it tries again in the next round */
    } else if (gives_way(crowd, w, other) && are_in_passage(crowd, w, other)) {
      w->yields = other->slot;
      w->cornered = false;
      other->blocks_round = true;
      return w;
    }
  }
  return NULL;
}
