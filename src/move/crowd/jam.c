/* SPDX-License-Identifier: MIT */
/* Ways around jams, on a grid. A walker that has been slow for a third of its patience waits for a round. In a round a few of them
 * get plans in which the cells of slow walkers are dearer:
 *
 *   1  Every WEND_ROUND steps there is a round, if walkers wait for one and the plans of the last one are answered. Where walkers
 *      make a tenth of their speed, cells become ten times as dear (wend_crowd_jams): so the cost of a way through a queue is the
 *      time that the queue takes. Cells under paused walkers, and under standing ones that have a higher priority than a walker
 *      that looks, cost DEAREST times more. So do the walls around walkers that look
 *   2  The first WEND_DETOURS of those who wait want a way that costs less than their own, with these prices
 *   3  Who gets such a way takes it, unless it leads back into the jam: that would only jump the queue. The others go on as
 *      before, and are reported again after twice the time
 *
 * So those at the end of a queue go to another door if it is worth it, and nobody leaves a queue that is the fastest way. A walker
 * gets at most WEND_DETOURS_MOST such ways to one aim. Then it waits, and in the end it is stuck. */

#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

#include <math.h>

WEND_NO_FUSING

#define DEAREST 256.0     /* times as dear as without walkers */
#define STANDING_PACE 0.1 /* of one that stands, and makes way if it can */
#define AFTER 4u          /* cells: a way that comes back so soon after the jam does not avoid it */
#define NEAR 2u           /* cells: all ways of a walker begin with those around it */
#define BLOCKED 0.3       /* a cell cannot be passed if more of it is under a paused walker */
#define PIECES 4u         /* of the way from one cell to the next, around a paused walker */
#define WIDEST 16.0       /* cells: a wider walker counts as one of this radius */
#define WALLS_SEEN 8      /* cells: so far around it, a walker that looks for a way knows the walls */
#define WALLED 0.71       /* cells from its centre to a wall: nobody gets through such a cell. It closes diagonal steps too */

/* ---- What cells cost --------------------------------------------------------------------------------------- */

/* What is known of a cell; NULL: nobody is there. */
static const wend_jam_place *find_jam_place(const wend_crowd *crowd, uint32_t cell) {
  const uint32_t number = wend_keys_find(&crowd->jam_cells, cell);
  return number == WEND_NONE ? NULL : &crowd->jam_places[number];
}

/* The same for adding to it. NULL: no memory. */
static wend_jam_place *take_jam_place(wend_crowd *crowd, uint32_t cell) {
  static const wend_jam_place nobody = {0, 0, 0};
  uint32_t number = wend_keys_find(&crowd->jam_cells, cell);
  if (number != WEND_NONE) return &crowd->jam_places[number];
  if (!WEND_GROW(&crowd->alloc, crowd->jam_places, crowd->jam_places_capacity, (uint64_t)crowd->jam_cells.count + 1) ||
      !wend_keys_reserve(&crowd->jam_cells, &crowd->alloc, 1))
    return NULL;
  number = wend_keys_add(&crowd->jam_cells, cell);
  crowd->jam_places[number] = nobody;
  return &crowd->jam_places[number];
}

/* Adds a walker to the cells under a square as large as it is, by the part of each cell that it covers. pace: the part of its
 * speed that it makes. paused: it bars the way. False: no memory. */
static bool cover_cells(wend_crowd *crowd, const wend_walker *w, double pace, bool paused) {
  const double width = crowd->grid->width, height = crowd->grid->height, r = wend_least(w->radius, WIDEST);
  const double left = w->x - r, right = w->x + r, top = w->y - r, bottom = w->y + r;
  const double more = 1 / wend_most(pace, 1 / DEAREST) - 1;
  for (double y = wend_most(floor(top), 0); y < wend_least(bottom, height); y++) {
    const double high = wend_least(bottom, y + 1) - wend_most(top, y);
    for (double x = wend_most(floor(left), 0); x < wend_least(right, width); x++) {
      const double part = high * (wend_least(right, x + 1) - wend_most(left, x));
      wend_jam_place *place;
      if (!(part > 0)) continue;
      place = take_jam_place(crowd, (uint32_t)y * crowd->grid->width + (uint32_t)x);
      if (place == NULL) return false;
      if (paused) place->paused_part += part, place->dear += part * more;
      else place->moving += part * more;
    }
  }
  return true;
}

/* Whether a walker does not make way for one of this priority that looks for a way. */
static bool bars_way(const wend_walker *w, int32_t priority) {
  return w->paused || (!wend_walker_goes(w) && w->priority > priority);
}

/* Adds the paused walkers, the slow ones, and walkers that stand before one of these. False: no memory. */
static bool cover_walkers(wend_crowd *crowd) {
  int32_t least = INT32_MAX; /* the lowest priority of the walkers that look for a way */
  for (uint32_t place = 0; place < crowd->count; place++) {
    wend_walker *w = &crowd->walkers[place];
    w->in_round = false;
    if (w->around && w->priority < least) least = w->priority;
  }
  for (uint32_t slot = 0; slot < crowd->slots.count; slot++) {
    const wend_walker *w = wend_walker_of_slot(crowd, slot);
    wend_walker *blocker;
    if (w == NULL) continue;
    if (bars_way(w, least)) {
      if (!cover_cells(crowd, w, 0, true)) return false;
      continue;
    }
    if (w->slow == 0 || !wend_walker_goes(w)) continue;
    if (!cover_cells(crowd, w, 1 - (double)w->slowness / WEND_SLOWNESS_WHOLE, false)) return false;
    blocker = wend_walker_of_slot(crowd, w->blocker);
    if (blocker == NULL || blocker->in_round || wend_walker_goes(blocker) || bars_way(blocker, least)) continue;
    blocker->in_round = true;
    if (!cover_cells(crowd, blocker, STANDING_PACE, false)) return false;
  }
  return true;
}

/* Plans do not know walls that are not in the grid. Around those who look for a way, their cells count like those of somebody who
 * is paused. False: no memory. */
static bool cover_walls(wend_crowd *crowd) {
  const double width = crowd->grid->width, height = crowd->grid->height;
  if (crowd->wall_count == 0) return true;
  for (uint32_t at = 0; at < crowd->count; at++) {
    const wend_walker *w = &crowd->walkers[at];
    const double left = wend_most(floor(w->x) - WALLS_SEEN, 0), right = wend_least(floor(w->x) + WALLS_SEEN, width - 1);
    const double top = wend_most(floor(w->y) - WALLS_SEEN, 0), bottom = wend_least(floor(w->y) + WALLS_SEEN, height - 1);
    if (!w->around) continue;
    for (double y = top; y <= bottom; y++) {
      for (double x = left; x <= right; x++) {
        wend_jam_place *place;
        if (!wend_solid_walled(crowd, x + 0.5, y + 0.5, WALLED)) continue;
        place = take_jam_place(crowd, (uint32_t)y * crowd->grid->width + (uint32_t)x);
        if (place == NULL) return false;
        place->paused_part = 1, place->dear = DEAREST;
      }
    }
  }
  return true;
}

/* A diagonal step between two cells under paused walkers is no way either: the two other cells become dear. False: no memory. */
static bool cover_gaps(wend_crowd *crowd) {
  const uint32_t width = crowd->grid->width, count = crowd->jam_cells.count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t cell = (uint32_t)crowd->jam_cells.keys[i], x = cell % width;
    if (crowd->jam_places[i].paused_part <= BLOCKED) continue;
    for (int side = -1; side <= 1; side += 2) {
      const wend_jam_place *other;
      if ((side < 0 && x == 0) || (side > 0 && x + 1 == width)) continue;
      other = find_jam_place(crowd, cell + width + (uint32_t)side);
      if (other == NULL || other->paused_part <= BLOCKED) continue;
      for (uint32_t k = 0; k < 2; k++) {
        wend_jam_place *gap = take_jam_place(crowd, k == 0 ? cell + width : cell + (uint32_t)side);
        if (gap == NULL) return false;
        gap->dear = DEAREST;
      }
    }
  }
  return true;
}

/* Spreads what moving walkers add to their cells evenly over the 3 x 3 open cells around each. Without that, ways seem to lead
 * through the gaps between them. False: no memory. */
static bool spread_cells(wend_crowd *crowd) {
  const wend_grid *grid = crowd->grid;
  const uint32_t count = crowd->jam_cells.count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t cell = (uint32_t)crowd->jam_cells.keys[i], x = cell % grid->width, y = cell / grid->width;
    const double moving = crowd->jam_places[i].moving;
    uint32_t open[9], opens = 0;
    if (!(moving > 0)) continue;
    for (uint32_t cy = y > 0 ? y - 1 : 0; cy <= y + 1 && cy < grid->height; cy++) {
      for (uint32_t cx = x > 0 ? x - 1 : 0; cx <= x + 1 && cx < grid->width; cx++) {
        if (!wend_grid_is_closed(grid, wend_grid_cell(grid, cx, cy))) open[opens++] = cy * grid->width + cx;
      }
    }
    for (uint32_t k = 0; k < opens; k++) {
      wend_jam_place *place = take_jam_place(crowd, open[k]);
      if (place == NULL) return false;
      place->dear += moving / opens;
    }
  }
  return true;
}

void wend_jam_restore(struct wend_crowd *crowd) {
  crowd->jam_count = 0;
  for (uint32_t i = 0; i < crowd->jam_cells.count; i++) {
    const wend_jam_place *place = &crowd->jam_places[i];
    const double dear = wend_least(1 + place->dear, DEAREST);
    const wend_id cell = crowd->jam_cells.keys[i] + 1;
    double times = 1;
    while (1.5 * times < dear) times *= 2; /* powers of 2: a grid keeps a list of different cells */
    if (!(times > 1) || wend_grid_is_closed(crowd->grid, cell)) continue;
    crowd->jams[crowd->jam_count].cell = cell, crowd->jams[crowd->jam_count].times = times;
    crowd->jam_count++;
  }
  crowd->jam_marked = crowd->jam_round;
}

/* Finds out what cells cost in this round. False: no memory. */
static bool mark_cells(wend_crowd *crowd) {
  if (crowd->jam_marked == crowd->jam_round) return true;
  wend_keys_clear(&crowd->jam_cells);
  if (!cover_walkers(crowd) || !cover_gaps(crowd) || !spread_cells(crowd) || !cover_walls(crowd)) return false;
  if (!WEND_GROW(&crowd->alloc, crowd->jams, crowd->jams_capacity, crowd->jam_cells.count)) return false;
  wend_jam_restore(crowd);
  return true;
}

wend_status wend_crowd_jams(wend_crowd *crowd, const wend_crowd_jam **jams, uint32_t *count) {
  *jams = NULL, *count = 0;
  if (crowd->grid == NULL || crowd->jam_round == 0) return WEND_OK;
  if (!mark_cells(crowd)) return WEND_NO_MEMORY;
  *jams = crowd->jams, *count = crowd->jam_count;
  return WEND_OK;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------ */

/* Whether there may be a way around for a walker. */
static bool may_leave(const wend_walker *w) {
  return w->planned && !w->wanted && w->plan == 0 && (w->aim == AIM_PLACE || w->aim == AIM_SPOT) &&
         w->detours < WEND_DETOURS_MOST && !w->paused && wend_walker_goes(w);
}

/* Who has waited longest; NULL: nobody waits. */
static wend_walker *find_slowest(wend_crowd *crowd) {
  wend_walker *found = NULL;
  for (uint32_t place = 0; place < crowd->count; place++) {
    wend_walker *w = &crowd->walkers[place];
    if (w->slow_since == 0) continue;
    if (found == NULL || w->slow_since < found->slow_since || (w->slow_since == found->slow_since && w->slot < found->slot)) {
      found = w;
    }
  }
  return found;
}

void wend_jam_step(struct wend_crowd *crowd) {
  wend_walker *w;
  if (crowd->grid == NULL || crowd->steps % WEND_ROUND != 0) return;
  for (uint32_t place = 0; place < crowd->count; place++) {
    if (crowd->walkers[place].around || crowd->walkers[place].detour != 0) return;
  }
  w = find_slowest(crowd);
  if (w == NULL) return;
  crowd->jam_round++;
  crowd->jam_way_count = 0;
  for (uint32_t i = 0; i < WEND_DETOURS; i++) {
    crowd->detours[i].plan = 0;
    if (w == NULL) continue;
    w->slow_since = 0;
    w->around = may_leave(w);
    w = find_slowest(crowd);
  }
}

/* ---- Ways -------------------------------------------------------------------------------------------------- */

static int64_t column_of(const wend_crowd *crowd, wend_id cell) { return (int64_t)((cell - 1) % crowd->grid->width); }
static int64_t row_of(const wend_crowd *crowd, wend_id cell) { return (int64_t)((cell - 1) / crowd->grid->width); }

/* How many steps to neighbours lie between two cells. */
static uint64_t steps_between(const wend_crowd *crowd, wend_id a, wend_id b) {
  const int64_t dx = column_of(crowd, a) - column_of(crowd, b), dy = row_of(crowd, a) - row_of(crowd, b);
  const int64_t x = dx < 0 ? -dx : dx, y = dy < 0 ? -dy : dy;
  return (uint64_t)(x > y ? x : y);
}

/* The cell at a position; WEND_NO_ID: it is outside. */
static wend_id jam_cell_at(const wend_crowd *crowd, double x, double y) {
  if (!(x >= 0) || !(y >= 0) || !(x < crowd->grid->width) || !(y < crowd->grid->height)) return WEND_NO_ID;
  return wend_grid_cell(crowd->grid, (uint32_t)x, (uint32_t)y);
}

/* Appends the way of a walker to jam_ways: from its cell to the nearest one of its path, by steps to neighbours, and from there to
 * the end of the path. Of equally near cells it is the last. *before: the cells before the path. False: no memory. */
static bool append_own_way(wend_crowd *crowd, const wend_walker *w, wend_id from, uint32_t *before) {
  const double *path = wend_crowd_path(w);
  const int64_t width = crowd->grid->width;
  int64_t x = column_of(crowd, from), y = row_of(crowd, from), to_x, to_y;
  double least = INFINITY;
  uint64_t most, nearest = 0;
  for (uint32_t i = 0; i < w->cell_count; i++) {
    const double square =
        wend_square((double)(column_of(crowd, (wend_id)path[i]) - x), (double)(row_of(crowd, (wend_id)path[i]) - y));
    if (square <= least) nearest = i, least = square;
  }
  to_x = column_of(crowd, (wend_id)path[nearest]), to_y = row_of(crowd, (wend_id)path[nearest]);
  most = steps_between(crowd, from, (wend_id)path[nearest]) + w->cell_count - nearest;
  if (!WEND_GROW(&crowd->alloc, crowd->jam_ways, crowd->jam_ways_capacity, crowd->jam_way_count + most)) return false;
  *before = 0;
  for (; x != to_x || y != to_y; x += (to_x > x) - (to_x < x), y += (to_y > y) - (to_y < y)) {
    crowd->jam_ways[crowd->jam_way_count++] = (wend_id)(y * width + x) + 1;
    ++*before;
  }
  for (uint64_t i = nearest; i < w->cell_count; i++) crowd->jam_ways[crowd->jam_way_count++] = (wend_id)path[i];
  return true;
}

/* How many cells of a way belong to its jam: as far as the last dear one, and AFTER cells more. *has_paused: a walker is
 * paused there. */
static uint32_t measure_jam(const wend_crowd *crowd, const wend_id *way, uint32_t count, bool *has_paused) {
  uint32_t end = 0;
  *has_paused = false;
  for (uint32_t i = 0; i < count; i++) {
    const wend_jam_place *place = find_jam_place(crowd, (uint32_t)(way[i] - 1));
    if (place == NULL) continue;
    if (place->paused_part > 0) *has_paused = true;
    if (place->dear > 1) end = i + 1;
  }
  if (*has_paused) return 0;
  return count - end < AFTER ? count : end + AFTER;
}

/* Where a way around begins: a wall may go through the cell of the walker, whose centre is then beyond it. So it begins at the
 * nearest centre of a cell that the walker sees, if there is one. */
static void begin_in_sight(const wend_crowd *crowd, const wend_walker *w, wend_crowd_plan *plan) {
  const double column = floor(plan->x), row = floor(plan->y), from_x = plan->x, from_y = plan->y;
  double least = INFINITY;
  if (w->crossing || !wend_solid_walled(crowd, column + 0.5, row + 0.5, WALLED)) return;
  for (double y = row - 1.5; y <= row + 2.5; y++) {
    for (double x = column - 1.5; x <= column + 2.5; x++) {
      const double square = wend_square(x - from_x, y - from_y);
      if (square >= least || jam_cell_at(crowd, x, y) == WEND_NO_ID || wend_solid_walled(crowd, x, y, WALLED)) continue;
      if (wend_solid_clear(crowd, w->closed, from_x, from_y, x, y, 0)) plan->x = x, plan->y = y, least = square;
    }
  }
}

wend_status wend_jam_ask(struct wend_crowd *crowd, wend_walker *w, wend_crowd_plan *plan) {
  const wend_id to = jam_cell_at(crowd, plan->goal_x, plan->goal_y);
  uint32_t free = 0;
  wend_jam_detour *detour;
  wend_id from;
  begin_in_sight(crowd, w, plan);
  from = jam_cell_at(crowd, plan->x, plan->y);
  while (free < WEND_DETOURS && crowd->detours[free].plan != 0) free++;
  if (free == WEND_DETOURS || from == WEND_NO_ID || to == WEND_NO_ID || from == to || !may_leave(w) || w->cell_count == 0) {
    w->around = false;
    return WEND_INVALID;
  }
  detour = &crowd->detours[free];
  detour->first = crowd->jam_way_count;
  if (!mark_cells(crowd) || !append_own_way(crowd, w, from, &plan->first)) return WEND_NO_MEMORY;
  plan->round = crowd->jam_round;
  plan->cells = crowd->jam_ways + detour->first, plan->cell_count = crowd->jam_way_count - detour->first;
  detour->count = measure_jam(crowd, plan->cells, plan->cell_count, &detour->has_paused);
  w->around = false;
  w->detour = detour->plan = plan->number = ++crowd->plan_count;
  return WEND_OK;
}

/* Whether a way leads where a walker is paused, or back into the jam: it does not if it only begins around the walker. */
static bool leads_into(const wend_crowd *crowd, const wend_jam_detour *detour, wend_id cell) {
  const wend_id *way = crowd->jam_ways + detour->first;
  const wend_jam_place *place = find_jam_place(crowd, (uint32_t)(cell - 1));
  if (place != NULL && place->paused_part > BLOCKED && cell != way[0]) return true;
  for (uint32_t i = 0; i < detour->count; i++) {
    if (way[i] == cell && steps_between(crowd, way[0], cell) > NEAR) return true;
  }
  return false;
}

/* There is no way around for a walker: it goes on as before. */
static wend_status stay_in_jam(wend_walker *w) {
  w->detour = 0;
  return WEND_NO_PATH;
}

wend_status wend_jam_answer(struct wend_crowd *crowd, wend_walker *w, const wend_crowd_way *way) {
  const wend_jam_detour *detour = crowd->detours;
  wend_status status;
  bool close;
  while (detour->plan != w->detour) detour++; /* a round begins when all plans of the last one are answered or given up */
  close = detour->has_paused;
  if (way == NULL) return stay_in_jam(w);
  if (way->cells == NULL || !wend_crowd_is_way(crowd, way)) return WEND_INVALID;
  for (uint32_t i = 0; i < way->cell_count; i++) {
    if (leads_into(crowd, detour, way->cells[i])) return stay_in_jam(w);
    if (i > 0 && steps_between(crowd, way->cells[i - 1], way->cells[i]) > 1) close = false; /* a link */
  }
  /* The walker goes on to the next point when it sees it, but at most by one in 8 steps. So it follows close points closely, also
   * around a walker that is paused in the middle of a room. */
  status = wend_crowd_take(crowd, w, way, close ? PIECES : 1);
  if (status == WEND_NO_MEMORY) return status;
  w->detour = 0;
  if (status != WEND_OK) return status;
  wend_plan_note(crowd, w);
  w->tries = 0;
  w->detours++;
  return WEND_OK;
}
