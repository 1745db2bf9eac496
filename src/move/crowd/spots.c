/* SPDX-License-Identifier: MIT */
/* A group that goes to one place: each walker gets a spot of its own around the goal. More than about a hundred walkers to the
 * same point take long, because walkers that have arrived are in the way of the others.
 *
 * The spots lie on a hexagonal lattice around the goal, where the goal can be reached in a straight line. They are
 * taken in the order of the way there, the far side first, by the walkers in the order of their distance, the nearest first:
 *
 *     walkers  3 2 1  ->   c b a      1 gets spot a, 2 gets b. No walker has to pass a standing one.
 *
 * Until there is a plan, the way there is straight. With the first plan of the group, the spots are ordered again: along the end of
 * the plan that leads straight to the goal, the walkers by their distance from its first corner. So walkers that come first into a
 * room go to its far end, wherever its door is. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"

#include <string.h>

WEND_NO_FUSING

#define SPACING 2.6               /* in radii: 1.3 diameters */
#define HEIGHT 0.8660254037844386 /* of a row of the lattice */
#define RINGS_MAX 4096
#define AREA_SEARCHED 1024u /* cells of an area, from where a walker comes into it, for a place */
#define PLACES_ACROSS 100.0 /* in a cell, for small walkers */
#define PASSES 0.9          /* of the radius: a walker that touches a wall gets along it */

/* Notes which closed sets a group has: those for which its goal is open. Walkers for which it is closed get no plan there. */
static void note_sets(const struct wend_crowd *crowd, const wend_id *ids, uint32_t count, const double *goal) {
  for (uint32_t i = 0; i < crowd->closed_count; i++) crowd->closed_sets[i].in_group = i == 0;
  for (uint32_t i = 0; crowd->closed_count > 1 && i < count; i++) {
    const uint32_t set = wend_crowd_walker(crowd, ids[i])->closed;
    if (!wend_solid_inside(crowd, set, goal[0], goal[1])) crowd->closed_sets[set].in_group = true;
  }
}

/* Whether a disc gets from the goal of a group to a place, for each closed set of the group. */
static bool is_open_spot(const struct wend_crowd *crowd, const double *goal, double x, double y, double radius) {
  if (!wend_solid_any(crowd)) return true;
  if (!wend_solid_clear(crowd, 0, goal[0], goal[1], x, y, radius)) return false;
  for (uint32_t i = 1; i < crowd->closed_count; i++) {
    if (crowd->closed_sets[i].in_group && !wend_solid_clear(crowd, i, goal[0], goal[1], x, y, radius)) return false;
  }
  return true;
}

/* Moves the goal of a group to where its largest walker fits. */
static void fit_group_goal(const struct wend_crowd *crowd, double radius, double *goal) {
  wend_solid_fit_goal(crowd, 0, radius, &goal[0], &goal[1]);
  for (uint32_t i = 1; i < crowd->closed_count; i++) {
    if (crowd->closed_sets[i].in_group) wend_solid_fit_goal(crowd, i, radius, &goal[0], &goal[1]);
  }
}

/* Finds the `wanted` spots nearest to the goal. Returns how many there are: fewer if the place is too small. */
static uint32_t find_spots(const struct wend_crowd *crowd, const double *goal, double spacing, double radius, uint32_t wanted,
                           wend_crowd_item *spots, uint32_t room) {
  uint32_t count = 0, empty = 0;
  for (int32_t ring = 0; ring < RINGS_MAX && count < wanted && empty < 2; ring++) {
    static const int32_t walk[6][2] = {{-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}, {0, 1}};
    int32_t q = ring, r = 0;
    uint32_t found = 0;
    for (int side = 0; side < (ring == 0 ? 1 : 6); side++) {
      for (int32_t step = 0; step < (ring == 0 ? 1 : ring) && count < room; step++) {
        const double x = goal[0] + spacing * (q + 0.5 * r), y = goal[1] + spacing * HEIGHT * r;
        if (wend_is_crowd_coordinate(x) && wend_is_crowd_coordinate(y) && is_open_spot(crowd, goal, x, y, radius)) {
          spots[count].x = x, spots[count].y = y;
          spots[count].key = wend_square(x - goal[0], y - goal[1]), spots[count].number = count;
          count++, found++;
        }
        q += walk[side][0], r += walk[side][1];
      }
    }
    empty = found > 0 ? 0 : empty + 1;
  }
  wend_index_sort_items(spots, count);
  return count < wanted ? count : wanted;
}

wend_status wend_crowd_repeat_group(wend_crowd *crowd, const wend_id *ids, uint32_t count, const double *goal) {
  uint32_t party = 0;
  bool sent = false;
  for (uint32_t i = 0; i < count; i++) {
    const wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    if (w == NULL || !(wend_square(goal[0] - w->aim_x, goal[1] - w->aim_y) <= w->radius * w->radius)) return WEND_INVALID;
    if (w->aim == AIM_PLACE) continue; /* one that was lost came after the others */
    if (w->aim != AIM_SPOT) return WEND_INVALID;
    sent = true;
    if (w->partial) continue; /* its plan leads to no spot: it has left its party */
    if (w->party == 0 || (party != 0 && w->party != party)) return WEND_INVALID;
    party = w->party;
  }
  return sent ? WEND_OK : WEND_INVALID;
}

wend_status wend_crowd_go_group(wend_crowd *crowd, const wend_id *ids, uint32_t count, const double *points,
                                uint32_t point_count) {
  const double *goal;
  wend_crowd_item *spots = NULL, *walkers = NULL;
  double *route = NULL, radius = 0, cx = 0, cy = 0, length;
  double middle[2]; /* of the spots */
  uint32_t spots_capacity = 0, walkers_capacity = 0, route_capacity = 0, found, party;
  wend_status status = WEND_OK;
  if (point_count == 0 || count >= WEND_NONE / 8 || point_count >= WEND_NONE / 8) return WEND_INVALID;
  goal = points + 2 * (size_t)point_count - 2;
  middle[0] = goal[0], middle[1] = goal[1];
  for (uint32_t i = 0; i < 2 * point_count; i++) {
    if (!wend_is_crowd_coordinate(points[i])) return WEND_INVALID;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (wend_crowd_walker(crowd, ids[i]) == NULL) return WEND_INVALID;
  }
  if (count == 0) return WEND_OK;
  if (!wend_solid_ready(crowd) || !WEND_RESIZE(&crowd->alloc, walkers, walkers_capacity, count) ||
      !WEND_RESIZE(&crowd->alloc, spots, spots_capacity, 2 * (uint64_t)count + 64) ||
      !WEND_RESIZE(&crowd->alloc, route, route_capacity, 2 * (uint64_t)point_count) ||
      !wend_crowd_reserve(crowd, ids, count, point_count)) {
    status = WEND_NO_MEMORY;
    goto done;
  }
  for (uint32_t i = 0; i < count; i++) {
    const wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    radius = wend_most(radius, w->radius);
    walkers[i].key = wend_square(w->x - goal[0], w->y - goal[1]), walkers[i].number = i;
    cx += w->x / count, cy += w->y / count;
  }
  wend_index_sort_items(walkers, count);
  note_sets(crowd, ids, count, goal);
  fit_group_goal(crowd, radius, middle);
  found = find_spots(crowd, middle, SPACING * radius, (1 - WEND_IN_WALL) * radius, count, spots, spots_capacity);
  if (point_count > 1) cx = goal[-2], cy = goal[-1];
  cx = goal[0] - cx, cy = goal[1] - cy;
  length = wend_sqrt(cx * cx + cy * cy);
  if (length > 0) cx /= length, cy /= length;
  for (uint32_t i = 0; i < found; i++) {
    spots[i].key = -((spots[i].x - goal[0]) * cx + (spots[i].y - goal[1]) * cy), spots[i].number = i;
  }
  wend_index_sort_items(spots, found);
  memcpy(route, points, 2 * (size_t)point_count * sizeof *points);
  party = crowd->parties < UINT32_MAX - 1 ? ++crowd->parties : 0; /* when all numbers are used up, nobody changes spots */
  for (uint32_t i = 0; i < count; i++) {
    wend_walker *w;
    /* Walkers without a spot go to the goal itself, and arrive beside the others. */
    route[2 * (size_t)point_count - 2] = i < found ? spots[i].x : middle[0];
    route[2 * (size_t)point_count - 1] = i < found ? spots[i].y : middle[1];
    w = wend_crowd_walker(crowd, ids[walkers[i].number]);
    if (crowd->plans && point_count == 1 && wend_walker_goes(w)) {
      wend_crowd_move_goal(crowd, w, route); /* it goes on along its route until it has got a plan */
      w->best_left = w->progress_mark = INFINITY, w->stall = w->queue_time = 0;
    } else {
      (void)wend_crowd_go(crowd, ids[walkers[i].number], route, point_count); /* there is room for it */
    }
    w->party = party;
    w->layout.laid = w->layout.together = false;
    if (point_count > 1) continue;
    wend_plan_send(w, AIM_SPOT, goal);
    w->wanted = crowd->plans;
  }
done:
  WEND_FREE(&crowd->alloc, walkers, walkers_capacity);
  WEND_FREE(&crowd->alloc, spots, spots_capacity);
  WEND_FREE(&crowd->alloc, route, route_capacity);
  return status;
}

/* The first of the last points of a route from which the goal of the group is in sight. */
static uint32_t find_way_in(const struct wend_crowd *crowd, const wend_walker *w) {
  const double *goal = w->points + 2 * (size_t)w->point_count - 4;
  uint32_t entry = w->point_count - 2;
  while (entry > 0) {
    const double *p = w->points + 2 * ((size_t)entry - 1);
    if (!wend_solid_clear(crowd, w->closed, p[0], p[1], goal[0], goal[1], 0)) break;
    entry--;
  }
  return entry;
}

/* Whether no other walker of a group has got a plan yet. */
static bool is_first_plan(const struct wend_crowd *crowd, const wend_walker *w) {
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *other = &crowd->walkers[i];
    if (other != w && other->party == w->party && other->planned) return false;
  }
  return true;
}

/* ---- Layouts ----------------------------------------------------------------------------------------------- */

/* The lattice spot nearest to a place that nobody has. It is then taken: its number becomes 1. NULL: there is none. */
static wend_crowd_item *take_free_spot(wend_crowd_item *spots, uint32_t count, const double *place) {
  wend_crowd_item *best = NULL;
  double least = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const double square = wend_square(spots[i].x - place[0], spots[i].y - place[1]);
    if (spots[i].number == 0 && square < least) least = square, best = &spots[i];
  }
  if (best != NULL) best->number = 1;
  return best;
}

/* Turns the place of a walker in its layout along a way. */
static void turn_place(wend_layout *layout, const double *way) {
  const double length = wend_sqrt(wend_square(way[0], way[1])), x = layout->x, y = layout->y;
  const double to_x = length > 0 ? way[0] / length : 1, to_y = length > 0 ? way[1] / length : 0;
  const double along = layout->way_x * to_x + layout->way_y * to_y, back_x = -layout->way_y, back_y = -y; /* only sums */
  const double across = layout->way_x * to_y + back_x * to_x;
  layout->x = x * along + back_y * across, layout->y = x * across + y * along;
  layout->way_x = to_x, layout->way_y = to_y;
}

/* Gives the walkers of a group their spots by their layout. A place that is closed, or not in sight of the goal, is replaced by a
 * free spot of the lattice. False: no memory. */
static bool lay_out(struct wend_crowd *crowd, const wend_id *ids, uint32_t count, const double *goal) {
  wend_crowd_item *spots = NULL, *places = NULL;
  uint32_t spots_capacity = 0, places_capacity = 0, blocked = 0, found = 0;
  double middle[2] = {goal[0], goal[1]}, radius = 0;
  bool done = wend_solid_ready(crowd) && WEND_RESIZE(&crowd->alloc, places, places_capacity, (uint64_t)count + 1) &&
              WEND_RESIZE(&crowd->alloc, spots, spots_capacity, 2 * (uint64_t)count + 64) &&
              wend_crowd_reserve(crowd, ids, count, 1);
  for (uint32_t i = 0; done && i < count; i++) radius = wend_most(radius, wend_crowd_walker(crowd, ids[i])->radius);
  if (done) note_sets(crowd, ids, count, goal), fit_group_goal(crowd, radius, middle);
  for (uint32_t i = 0; done && i < count; i++) {
    wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    double x = goal[0] + w->layout.x, y = goal[1] + w->layout.y;
    places[i].number = wend_is_crowd_coordinate(x) && wend_is_crowd_coordinate(y);
    if (places[i].number == 1) {
      wend_solid_fit_goal(crowd, w->closed, w->radius, &x, &y);
      places[i].number = is_open_spot(crowd, middle, x, y, (1 - WEND_IN_WALL) * w->radius) ? 1 : 0;
    }
    places[i].x = x, places[i].y = y;
    blocked += places[i].number == 0 ? 1 : 0;
  }
  if (blocked > 0) {
    found = find_spots(crowd, middle, SPACING * radius, (1 - WEND_IN_WALL) * radius, spots_capacity, spots, spots_capacity);
  }
  for (uint32_t k = 0; k < found; k++) {
    spots[k].number = 0;
    for (uint32_t i = 0; i < count && spots[k].number == 0; i++) {
      const double square = wend_square(spots[k].x - places[i].x, spots[k].y - places[i].y);
      if (places[i].number == 1 && square < 4 * radius * radius) spots[k].number = 1;
    }
  }
  for (uint32_t i = 0; done && i < count; i++) {
    wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    double place[2] = {places[i].x, places[i].y};
    if (places[i].number == 0) {
      const wend_crowd_item *spot = take_free_spot(spots, found, place);
      place[0] = spot != NULL ? spot->x : middle[0], place[1] = spot != NULL ? spot->y : middle[1];
    }
    if (w->goal == WEND_NONE) continue;
    wend_crowd_move_goal(crowd, w, place);
    w->best_left = w->progress_mark = INFINITY;
  }
  WEND_FREE(&crowd->alloc, places, places_capacity);
  WEND_FREE(&crowd->alloc, spots, spots_capacity);
  return done;
}

wend_status wend_crowd_form(wend_crowd *crowd, const wend_id *ids, uint32_t count, const wend_crowd_formation *formation) {
  const bool laid = formation->offsets != NULL || formation->keep;
  const wend_walker *first = count > 0 ? wend_crowd_walker(crowd, ids[0]) : NULL;
  double centre[2] = {0, 0}, goal[2], way[2];
  for (uint32_t i = 0; i < count; i++) {
    const wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    if (w == NULL || w->aim != AIM_SPOT || w->party != first->party) return WEND_INVALID;
    if (formation->offsets == NULL) continue;
    if (!wend_is_crowd_coordinate(formation->offsets[2 * (size_t)i])) return WEND_INVALID;
    if (!wend_is_crowd_coordinate(formation->offsets[2 * (size_t)i + 1])) return WEND_INVALID;
  }
  if (count == 0 || first->party == 0) return WEND_OK;
  for (uint32_t i = 0; i < count; i++) {
    const wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    centre[0] += w->x / count, centre[1] += w->y / count;
  }
  goal[0] = first->aim_x, goal[1] = first->aim_y;
  way[0] = goal[0] - centre[0], way[1] = goal[1] - centre[1];
  for (uint32_t i = 0; i < count; i++) {
    wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    wend_layout *layout = &w->layout;
    layout->laid = laid, layout->together = formation->together;
    layout->unturned = formation->offsets != NULL && formation->turn;
    layout->x = formation->offsets != NULL ? formation->offsets[2 * (size_t)i] : w->x - centre[0];
    layout->y = formation->offsets != NULL ? formation->offsets[2 * (size_t)i + 1] : w->y - centre[1];
    layout->way_x = 1, layout->way_y = 0;
    if (layout->unturned) turn_place(layout, way);
    layout->unturned = layout->unturned && crowd->plans;
  }
  crowd->together = crowd->together || formation->together;
  return !laid || lay_out(crowd, ids, count, goal) ? WEND_OK : WEND_NO_MEMORY;
}

/* Turns the layout of a group along the end of the plan of one of its walkers, which is its first one. entry: the point where the
 * last leg begins; 0: it is the only one, as was thought before. False: no memory. */
static bool turn_layout(struct wend_crowd *crowd, const wend_walker *w, uint32_t entry) {
  const double goal[2] = {w->aim_x, w->aim_y}, *from = w->points + 2 * (size_t)entry;
  const double way[2] = {goal[0] - from[0], goal[1] - from[1]};
  wend_id *ids = NULL;
  uint32_t ids_capacity = 0, count = 0;
  bool done = WEND_RESIZE(&crowd->alloc, ids, ids_capacity, crowd->count);
  for (wend_id id = wend_crowd_next(crowd, WEND_NO_ID); done && id != WEND_NO_ID; id = wend_crowd_next(crowd, id)) {
    wend_walker *other = wend_crowd_walker(crowd, id);
    if (other->party != w->party || !other->layout.laid || other->goal == WEND_NONE) continue;
    if (entry > 0) turn_place(&other->layout, way);
    other->layout.unturned = false;
    ids[count++] = id;
  }
  if (entry > 0) done = done && lay_out(crowd, ids, count, goal);
  WEND_FREE(&crowd->alloc, ids, ids_capacity);
  return done;
}

bool wend_spots_enter(struct wend_crowd *crowd, wend_walker *w) {
  const double *goal = w->points + 2 * (size_t)w->point_count - 4, *corner = w->points + 2 * (size_t)w->next;
  const uint32_t entry = w->point_count > 2 ? find_way_in(crowd, w) : 0;
  wend_crowd_item *spots = NULL, *walkers = NULL;
  uint32_t *goals = NULL, spots_capacity = 0, walkers_capacity = 0, goals_capacity = 0, count = 0;
  double way_x, way_y;
  bool done;
  if (w->party != 0 && w->layout.laid) {
    const bool on_graph = crowd->grid == NULL && w->point_count > 3; /* from everywhere it would see the goal */
    return !w->layout.unturned || turn_layout(crowd, w, on_graph ? w->point_count - 3 : entry);
  }
  if (entry == 0 || w->party == 0 || !is_first_plan(crowd, w)) return true;
  done = WEND_RESIZE(&crowd->alloc, spots, spots_capacity, crowd->count) &&
         WEND_RESIZE(&crowd->alloc, walkers, walkers_capacity, crowd->count) &&
         WEND_RESIZE(&crowd->alloc, goals, goals_capacity, crowd->count);
  way_x = goal[0] - w->points[2 * (size_t)entry], way_y = goal[1] - w->points[2 * (size_t)entry + 1];
  for (uint32_t i = 0; done && i < crowd->count; i++) {
    const wend_walker *other = &crowd->walkers[i];
    if (other->party != w->party || !wend_walker_goes(other)) continue;
    spots[count].x = other->home_x, spots[count].y = other->home_y, spots[count].number = i;
    spots[count].key = -((other->home_x - goal[0]) * way_x + (other->home_y - goal[1]) * way_y);
    walkers[count].key = wend_square(other->x - corner[0], other->y - corner[1]), walkers[count].number = i;
    goals[i] = other->goal;
    count++;
  }
  wend_index_sort_items(spots, count);
  wend_index_sort_items(walkers, count);
  for (uint32_t i = 0; i < count; i++) {
    wend_walker *one = &crowd->walkers[walkers[i].number];
    double *last = one->points + 2 * (size_t)one->point_count - 2;
    last[0] = one->home_x = spots[i].x, last[1] = one->home_y = spots[i].y;
    one->goal = goals[spots[i].number];
    wend_follow_measure(one);
    one->best_left = one->progress_mark = INFINITY;
  }
  WEND_FREE(&crowd->alloc, goals, goals_capacity);
  WEND_FREE(&crowd->alloc, walkers, walkers_capacity);
  WEND_FREE(&crowd->alloc, spots, spots_capacity);
  return done;
}

/* ---- Areas ------------------------------------------------------------------------------------------------- */

/* A walker on a field arrives on any goal of it. Its plan leads to the nearest one, and on over goals to the nearest place that
 * nobody has: the middle of a cell, for small walkers several times. Walkers that touch change their places as those of a group
 * do, so those who come first move up, and a room fills from its door. */

/* Whether an area has a cell. */
static bool has_cell(const wend_goal_area *area, wend_id cell) {
  uint32_t low = 0, high = area->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (area->cells[middle] < cell) low = middle + 1;
    else high = middle;
  }
  return low < area->count && area->cells[low] == cell;
}

/* The number of an area that no walker has; 0: no memory. */
static uint32_t unused_area(wend_crowd *crowd) {
  for (uint32_t number = 1; number <= crowd->area_count; number++) {
    uint32_t i = 0;
    while (i < crowd->count && crowd->walkers[i].area != number) i++;
    if (i == crowd->count) return number;
  }
  if (!WEND_GROW_CLEAR(&crowd->alloc, crowd->areas, crowd->areas_capacity, crowd->area_count + (uint64_t)1)) return 0;
  return ++crowd->area_count;
}

/* The number of the area with these cells; 0: no memory. */
static uint32_t find_area(wend_crowd *crowd, const wend_id *cells, uint32_t count) {
  wend_goal_area *area;
  uint32_t number;
  for (number = 1; number <= crowd->area_count; number++) {
    area = &crowd->areas[number - 1];
    if (area->count == count && memcmp(area->cells, cells, count * sizeof *cells) == 0) return number;
  }
  number = unused_area(crowd);
  if (number == 0) return 0;
  area = &crowd->areas[number - 1];
  area->count = 0;
  if (!WEND_RESIZE(&crowd->alloc, area->cells, area->cells_capacity, count)) return 0;
  memcpy(area->cells, cells, count * sizeof *cells);
  area->count = count;
  area->party = crowd->parties < UINT32_MAX - 1 ? ++crowd->parties : 0;
  return number;
}

wend_status wend_crowd_area(wend_crowd *crowd, wend_id id, const wend_id *cells, uint32_t count) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || (count > 0 && crowd->grid == NULL)) return WEND_INVALID;
  for (uint32_t i = 0; i < count; i++) {
    if (!wend_crowd_is_cell(crowd, cells[i]) || (i > 0 && cells[i] <= cells[i - 1])) return WEND_INVALID;
  }
  w->area = 0;
  if (count < 2) return WEND_OK;
  w->area = find_area(crowd, cells, count);
  return w->area > 0 ? WEND_OK : WEND_NO_MEMORY;
}

/* Whether a place is on the area of a walker, and open for it. */
static bool is_on_area(const wend_crowd *crowd, const wend_walker *w, double x, double y) {
  const wend_grid *grid = crowd->grid;
  if (!(x >= 0 && y >= 0 && x < grid->width && y < grid->height)) return false;
  return has_cell(&crowd->areas[w->area - 1], wend_grid_cell(grid, (uint32_t)x, (uint32_t)y)) &&
         !wend_solid_inside(crowd, w->closed, x, y);
}

bool wend_spots_reached(const struct wend_crowd *crowd, const wend_walker *w) {
  if (w->aim != AIM_OPEN || w->crossing) return false;
  return is_on_area(crowd, w, w->x, w->y) && is_on_area(crowd, w, w->before_x, w->before_y); /* it is drawn in between */
}

/* Whether a walker gets a place in a cell: it fits there, and has room beside the others. A wide one is compared with the places
 * of others that are as wide. */
static bool is_free_place(const wend_crowd *crowd, const wend_walker *w, wend_id cell) {
  const double radius = wend_least(w->radius, WEND_FIT_MAX);
  const uint32_t width = crowd->grid->width, x = (uint32_t)(cell - 1) % width, y = (uint32_t)(cell - 1) / width;
  const uint32_t reach = w->radius < WEND_FIT_MIN ? 0 : (uint32_t)(2 * radius) + 1;
  const uint32_t across = (uint32_t)wend_least(wend_most(1 / (SPACING * radius), 1), PLACES_ACROSS);
  double place[2], other[2];
  if (!wend_crowd_stands_in(crowd, w, cell, place)) return false;
  for (uint32_t row = y < reach ? 0 : y - reach; row <= y + reach && row < crowd->grid->height; row++) {
    for (uint32_t column = x < reach ? 0 : x - reach; column <= x + reach && column < width; column++) {
      if (!wend_crowd_stands_in(crowd, w, wend_grid_cell(crowd->grid, column, row), other)) continue;
      if (reach > 0 && wend_square(other[0] - place[0], other[1] - place[1]) >= 4 * radius * radius) continue;
      if (wend_crowd_others_to(crowd, w, other[0], other[1]) >= across * across) return false;
    }
  }
  return true;
}

/* Adds the cells of its area to which a walker gets straight from one that was found. from: the numbers of the cells before. */
static void spread_from(const wend_crowd *crowd, const wend_walker *w, wend_keys *found, uint32_t at, uint32_t *from) {
  static const int steps[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const uint32_t width = crowd->grid->width, height = crowd->grid->height, cell = (uint32_t)found->keys[at] - 1;
  double here[2], there[2];
  (void)wend_crowd_stands_in(crowd, w, found->keys[at], here);
  for (int i = 0; i < 8 && found->count < AREA_SEARCHED; i++) {
    const uint32_t x = cell % width + (uint32_t)steps[i][0], y = cell / width + (uint32_t)steps[i][1]; /* may wrap around */
    wend_id next;
    if (x >= width || y >= height) continue;
    next = wend_grid_cell(crowd->grid, x, y);
    if (wend_keys_find(found, next) != WEND_NONE || !has_cell(&crowd->areas[w->area - 1], next)) continue; /* most are found */
    if (!wend_crowd_stands_in(crowd, w, next, there)) continue;
    if (!wend_solid_clear(crowd, w->closed, here[0], here[1], there[0], there[1], PASSES * w->radius)) continue;
    from[wend_keys_add(found, next)] = at;
  }
}

wend_status wend_spots_take(struct wend_crowd *crowd, wend_walker *w, const wend_crowd_way *way) {
  wend_keys *found = &crowd->spot_cells; /* in the order in which they were found */
  uint32_t from[AREA_SEARCHED], at = 0, count = way->cell_count;
  wend_crowd_way longer = *way;
  wend_status status;
  wend_keys_clear(found);
  if (!wend_solid_ready(crowd) || !wend_keys_reserve(found, &crowd->alloc, AREA_SEARCHED) ||
      !WEND_GROW(&crowd->alloc, crowd->area_way, crowd->area_way_capacity, (uint64_t)way->cell_count + AREA_SEARCHED)) {
    return WEND_NO_MEMORY;
  }
  if (wend_crowd_is_way(crowd, way) && way->cells != NULL && !way->partial) {
    (void)wend_keys_add(found, way->cells[count - 1]);
    while (at < found->count && !is_free_place(crowd, w, found->keys[at])) spread_from(crowd, w, found, at++, from);
    if (at == found->count) at = 0; /* it is full: it arrives beside others */
    memcpy(crowd->area_way, way->cells, count * sizeof *way->cells);
    for (uint32_t i = at; i > 0; i = from[i]) count++;
    longer.cells = crowd->area_way, longer.cell_count = count;
    for (; at > 0; at = from[at]) crowd->area_way[--count] = found->keys[at];
  }
  status = wend_crowd_take(crowd, w, &longer, 1);
  if (status == WEND_OK) w->party = crowd->areas[w->area - 1].party;
  return status;
}
