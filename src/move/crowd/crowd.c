/* SPDX-License-Identifier: MIT */
/* Crowds: adding and removing walkers, orders, and what can be read. The steps are in update.c. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/base/random.h"
#include "core/influence/influence.h"
#include "core/views/fit.h"

#include <string.h>

WEND_NO_FUSING

#define PATIENCE 10.0     /* seconds */
#define SQUEEZE_AFTER 3.0 /* seconds. After 4, fewer arrived in narrow maps */
/* While the caller looks for a plan, a goal that is nearer to the last one than this part of the way there needs no other search:
 * or one that moves on with each order would never get a plan. */
#define CLOSE_BY 0.125
#define HOOK_RADII 4.0 /* a new plan may begin so far behind a walker, */
#define HOOK_CELLS 2.0 /* or so many cells: its way is then longer by that */

void wend_crowd_set_seed(struct wend_crowd *crowd, uint64_t seed) {
  crowd->seed = seed;
  crowd->ties = seed == 0 ? 0 : (uint32_t)wend_mix(seed);
}

wend_crowd *wend_crowd_create(const wend_alloc *alloc, const wend_crowd_opts *opts) {
  wend_crowd *crowd = wend_new(alloc, sizeof *crowd);
  if (crowd == NULL) return NULL;
  crowd->grid = opts != NULL ? opts->grid : NULL;
  crowd->plans = opts != NULL && opts->plans;
  crowd->tall = opts != NULL && opts->tall > 0 ? opts->tall : 0;
  wend_crowd_set_seed(crowd, opts != NULL ? opts->seed : 0);
  crowd->solid_version = 1;
  if (crowd->grid != NULL) {
    crowd->grid_version = crowd->grid->map.version;
    crowd->edits_noted = crowd->blocks_noted = crowd->grid->map.journal.end;
  }
  crowd->ground_version = UINT64_MAX;
  crowd->free_goal = WEND_NONE;
  if (crowd->grid == NULL || wend_closed_begin(crowd)) return crowd;
  wend_crowd_destroy(crowd);
  return NULL;
}

/* The arrays by place and by body. */
#define WALKER_COLUMNS(crowd)                                                                                                  \
  {                                                                                                                            \
    WEND_COLUMN((crowd)->walkers), WEND_COLUMN((crowd)->solids), WEND_COLUMN((crowd)->cells), WEND_COLUMN((crowd)->order),     \
        WEND_COLUMN((crowd)->bodies), WEND_COLUMN((crowd)->spots), WEND_COLUMN((crowd)->motions), WEND_COLUMN((crowd)->found), \
    {                                                                                                                          \
      &(crowd)->events, WEND_EVENTS_EACH * sizeof *(crowd)->events                                                             \
    }                                                                                                                          \
  }

/* The other arrays: each has its capacity beside it. */
#define OTHER_ARRAYS(each)                                                                                                  \
  each(starts) each(pairs) each(walls) each(edited) each(goals) each(goal_heads) each(jam_places) each(jams) each(jam_ways) \
      each(targets) each(troops) each(areas) each(area_way)

static bool are_layers(const wend_influence_use *layers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!(layers[i].factor >= 0) || !(layers[i].factor <= WEND_INFLUENCE_MAX)) return false;
  }
  return true;
}

/* Gives a walker these layers instead of its present ones. There is room for them. */
static void take_layers(wend_walker *w, const wend_influence_use *layers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) wend_influence_keep(layers[i].layer);
  for (uint32_t i = 0; i < w->layer_count; i++) wend_influence_drop(w->layers[i].layer);
  for (uint32_t i = 0; i < count; i++) w->layers[i] = layers[i];
  w->layer_count = count;
}

static void free_arrays(const wend_alloc *alloc, wend_walker *w) {
  take_layers(w, NULL, 0);
  WEND_FREE(alloc, w->layers, w->layers_capacity);
  WEND_FREE(alloc, w->points, w->points_capacity);
  WEND_FREE(alloc, w->factors, w->factors_capacity);
  WEND_FREE(alloc, w->heights, w->heights_capacity);
}

void wend_crowd_destroy(wend_crowd *crowd) {
  wend_alloc alloc;
  if (crowd == NULL) return;
  alloc = crowd->alloc;
  for (uint32_t i = 0; i < crowd->count; i++) free_arrays(&alloc, &crowd->walkers[i]);
  {
    const wend_column columns[] = WALKER_COLUMNS(crowd);
    (void)wend_resize_columns(&alloc, columns, sizeof columns / sizeof *columns, &crowd->capacity, 0);
  }
  wend_closed_free(crowd, &alloc);
  for (uint32_t i = 0; i < crowd->area_count; i++) WEND_FREE(&alloc, crowd->areas[i].cells, crowd->areas[i].cells_capacity);
  wend_slots_free(&crowd->slots, &alloc);
  wend_rtree_free(&crowd->tree, &alloc);
  wend_keys_free(&crowd->jam_cells, &alloc);
  wend_keys_free(&crowd->spot_cells, &alloc);
  wend_keys_free(&crowd->troop_parties, &alloc);
#define FREE_ARRAY(name) WEND_FREE(&alloc, crowd->name, crowd->name##_capacity);
  OTHER_ARRAYS(FREE_ARRAY)
  alloc.resize(alloc.ud, crowd, sizeof *crowd, 0);
}

wend_status wend_crowd_set_walls(wend_crowd *crowd, const double *segments, uint32_t count) {
  bool same = count == crowd->wall_count;
  for (size_t i = 0; i < (size_t)count * 4; i++) {
    if (!wend_is_crowd_coordinate(segments[i])) return WEND_INVALID;
  }
  for (uint32_t i = 0; same && i < count; i++)
    same = memcmp(&crowd->walls[i], segments + (size_t)i * 4, 4 * sizeof *segments) == 0;
  if (same) return WEND_OK;
  if (!WEND_GROW(&crowd->alloc, crowd->walls, crowd->walls_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const double *s = segments + (size_t)i * 4;
    const wend_segment wall = {s[0], s[1], s[2], s[3]};
    crowd->walls[i] = wall;
  }
  crowd->wall_count = count;
  wend_rtree_free(&crowd->tree, &crowd->alloc);
  crowd->solid_version++;
  return WEND_OK;
}

/* ---- Goals ------------------------------------------------------------------------------------------------- */

static uint32_t goal_bucket(const wend_crowd *crowd, double x, double y) {
  x += 0.0, y += 0.0; /* -0 becomes 0: they are the same position */
  return (uint32_t)wend_mix(wend_mix(wend_bits_of(x)) ^ wend_bits_of(y)) & (crowd->goal_heads_capacity - 1);
}

/* Makes room for more goals. False: no memory. */
static bool reserve_goals(wend_crowd *crowd, uint32_t more) {
  const uint64_t wanted = (uint64_t)crowd->goal_count + more;
  uint64_t buckets = crowd->goal_heads_capacity == 0 ? 16 : crowd->goal_heads_capacity;
  if (crowd->free_goal != WEND_NONE && more == 1) return true;
  if (!WEND_GROW(&crowd->alloc, crowd->goals, crowd->goals_capacity, wanted)) return false;
  while (buckets < wanted) buckets *= 2;
  if (buckets == crowd->goal_heads_capacity) return true;
  if (!WEND_RESIZE(&crowd->alloc, crowd->goal_heads, crowd->goal_heads_capacity, buckets)) return false;
  for (uint32_t i = 0; i < crowd->goal_heads_capacity; i++) crowd->goal_heads[i] = WEND_NONE;
  for (uint32_t i = 0; i < crowd->goal_count; i++) {
    uint32_t bucket;
    if (crowd->goals[i].walkers == 0) continue; /* it is in the list of goals to be reused */
    bucket = goal_bucket(crowd, crowd->goals[i].x, crowd->goals[i].y);
    crowd->goals[i].next = crowd->goal_heads[bucket];
    crowd->goal_heads[bucket] = i;
  }
  return true;
}

/* The goal at a position; WEND_NONE: no walker has one there. */
static uint32_t find_goal(const wend_crowd *crowd, double x, double y) {
  uint32_t goal = crowd->goal_heads_capacity > 0 ? crowd->goal_heads[goal_bucket(crowd, x, y)] : WEND_NONE;
  while (goal != WEND_NONE && (crowd->goals[goal].x != x || crowd->goals[goal].y != y)) goal = crowd->goals[goal].next;
  return goal;
}

uint32_t wend_crowd_others_to(const wend_crowd *crowd, const wend_walker *w, double x, double y) {
  const uint32_t goal = find_goal(crowd, x, y);
  return goal == WEND_NONE ? 0 : crowd->goals[goal].walkers - (w->goal == goal ? 1 : 0);
}

/* The goal at a position. reserve_goals came first. */
static uint32_t take_goal(wend_crowd *crowd, double x, double y) {
  const uint32_t bucket = goal_bucket(crowd, x, y);
  uint32_t goal = find_goal(crowd, x, y);
  if (goal == WEND_NONE) {
    if (crowd->free_goal != WEND_NONE) goal = crowd->free_goal, crowd->free_goal = crowd->goals[goal].next;
    else goal = crowd->goal_count++;
    crowd->goals[goal].x = x, crowd->goals[goal].y = y;
    crowd->goals[goal].walkers = crowd->goals[goal].arrived = 0;
    crowd->goals[goal].next = crowd->goal_heads[bucket];
    crowd->goal_heads[bucket] = goal;
  }
  crowd->goals[goal].walkers++;
  return goal;
}

/* Takes the goal from a walker. */
static void leave_goal(wend_crowd *crowd, wend_walker *walker) {
  wend_crowd_goal *goal;
  uint32_t *link;
  if (walker->goal == WEND_NONE) return;
  goal = &crowd->goals[walker->goal];
  if (walker->state == WEND_WALKER_ARRIVED) goal->arrived--;
  if (--goal->walkers == 0) {
    link = &crowd->goal_heads[goal_bucket(crowd, goal->x, goal->y)];
    while (*link != walker->goal) link = &crowd->goals[*link].next;
    *link = goal->next;
    goal->next = crowd->free_goal, crowd->free_goal = walker->goal;
  }
  walker->goal = WEND_NONE;
}

/* ---- Walkers ----------------------------------------------------------------------------------------------- */

wend_walker_opts wend_walker_opts_default(void) {
  wend_walker_opts opts = {0, 0, 0.5, 1.5, INFINITY, PATIENCE, SQUEEZE_AFTER, 0, 1, UINT32_MAX, WEND_LINKS_COST};
  return opts;
}

wend_walker *wend_crowd_walker(const wend_crowd *crowd, wend_id id) {
  const uint32_t slot = wend_slots_find(&crowd->slots, id);
  return slot == WEND_NONE ? NULL : &crowd->walkers[crowd->slots.value[slot]];
}

/* Puts a walker somewhere, at rest. */
static void put_walker(wend_crowd *crowd, wend_walker *w, double x, double y) {
  crowd->indexed = false;
  w->x = w->before_x = w->home_x = x, w->y = w->before_y = w->home_y = y;
  w->vx = w->vy = w->face_x = w->face_y = w->push_x = w->push_y = 0;
  w->side_bias = w->stall = w->queue_time = 0;
  w->best_left = w->progress_mark = INFINITY;
  w->blocker = WEND_NONE;
  w->lost = w->reported = w->crossing = w->passing = w->opposed = false;
  w->slowness = w->slow = 0;
  crowd->solids[w - crowd->walkers].version = 0;
}

static bool are_settings(const wend_walker_opts *opts) {
  return opts->radius >= WEND_WALKER_MIN && opts->radius <= WEND_WALKER_MAX && opts->speed >= 0 &&
         opts->speed <= WEND_WALKER_MAX && opts->patience > 0 && opts->squeeze > 0 && opts->acceleration > 0 &&
         (unsigned)opts->links <= WEND_LINKS_WALK;
}

static void take_settings(wend_walker *w, const wend_walker_opts *opts) {
  w->radius = opts->radius, w->speed = w->going = opts->speed, w->patience = opts->patience, w->squeeze = opts->squeeze;
  w->acceleration = opts->acceleration < INFINITY ? opts->acceleration : 0;
  w->priority = opts->priority, w->groups = opts->groups, w->avoids = opts->avoids;
  w->links = (uint8_t)opts->links;
}

wend_status wend_crowd_add(wend_crowd *crowd, const wend_walker_opts *opts, wend_id *id) {
  wend_walker *w;
  if (!wend_is_crowd_coordinate(opts->x) || !wend_is_crowd_coordinate(opts->y)) return WEND_INVALID;
  if (!are_settings(opts)) return WEND_INVALID;
  if (!wend_crowd_make_room(crowd, (uint64_t)crowd->count + 1) || !wend_slots_reserve(&crowd->slots, &crowd->alloc, 1)) {
    return WEND_NO_MEMORY;
  }
  w = &crowd->walkers[crowd->count];
  memset(w, 0, sizeof *w);
  w->plan_x = w->plan_y = INFINITY;
  w->slot = wend_slots_take(&crowd->slots, 1, crowd->count++);
  w->goal = WEND_NONE;
  w->state = WEND_WALKER_WAITING, w->at_rest = true;
  take_settings(w, opts);
  put_walker(crowd, w, opts->x, opts->y);
  if (id != NULL) *id = wend_slots_id(&crowd->slots, w->slot);
  return WEND_OK;
}

wend_status wend_crowd_set(wend_crowd *crowd, wend_id id, const wend_walker_opts *opts) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || !are_settings(opts)) return WEND_INVALID;
  if (w->radius != opts->radius) crowd->solids[w - crowd->walkers].version = 0; /* it has to remember walls from farther away */
  take_settings(w, opts);
  return WEND_OK;
}

wend_status wend_crowd_speeds(wend_crowd *crowd, wend_id id, const double *factors, uint32_t count, bool weighed) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || crowd->grid == NULL) return WEND_INVALID;
  for (uint32_t i = 0; i < count; i++) {
    if (!(factors[i] >= 0) || !(factors[i] < INFINITY)) return WEND_INVALID;
  }
  if (!WEND_GROW(&crowd->alloc, w->factors, w->factors_capacity, count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) w->factors[i] = factors[i];
  w->factor_count = count, w->weighed = weighed;
  w->going = w->speed;
  crowd->paced = crowd->paced || count > 0 || weighed;
  return WEND_OK;
}

wend_status wend_crowd_influence(wend_crowd *crowd, wend_id id, const wend_influence_use *influences, uint32_t count) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || !are_layers(influences, count)) return WEND_INVALID;
  if (!WEND_GROW(&crowd->alloc, w->layers, w->layers_capacity, count)) return WEND_NO_MEMORY;
  take_layers(w, influences, count);
  return WEND_OK;
}

wend_status wend_crowd_rush(wend_crowd *crowd, wend_id id, bool rushes) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL) return WEND_INVALID;
  w->rushes = rushes;
  return WEND_OK;
}

wend_status wend_crowd_remove(wend_crowd *crowd, wend_id id) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  uint32_t place, last;
  if (w == NULL) return WEND_INVALID;
  if (!wend_slots_ready(&crowd->slots, &crowd->alloc)) return WEND_NO_MEMORY;
  leave_goal(crowd, w);
  wend_closed_leave(crowd, w);
  free_arrays(&crowd->alloc, w);
  crowd->indexed = false;
  place = (uint32_t)(w - crowd->walkers), last = crowd->count - 1;
  wend_slots_remove(&crowd->slots, w->slot);
  if (place != last) {
    crowd->walkers[place] = crowd->walkers[last], crowd->solids[place] = crowd->solids[last];
    crowd->slots.value[crowd->walkers[place].slot] = place;
  }
  crowd->count--;
  return WEND_OK;
}

/* ---- Routes ------------------------------------------------------------------------------------------------ */

static bool are_heights(const wend_crowd *crowd, const double *heights, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!wend_is_crowd_coordinate(heights[i])) return false;
  }
  return crowd->tall > 0;
}

bool wend_crowd_is_way(const wend_crowd *crowd, const wend_crowd_way *way) {
  if (way->count > WEND_NONE / 16 || way->cell_count > WEND_NONE / 16) return false;
  if (way->tag_count > WEND_NONE / 16) return false;
  for (uint32_t i = 0; i < 2 * way->count; i++) {
    if (!wend_is_crowd_coordinate(way->points[i])) return false;
  }
  for (uint32_t i = 0; i < way->tag_count; i++) {
    if (!(way->tags[i].times >= 0) || !(way->tags[i].times < INFINITY) || !(way->tags[i].plus >= 0)) return false;
  }
  if (!are_layers(way->influences, way->influence_count)) return false;
  if (way->cells == NULL && way->on_grid && crowd->grid == NULL) return false;
  if (way->heights != NULL && (way->cells != NULL || !are_heights(crowd, way->heights, way->count))) return false;
  for (uint32_t i = 0; i < way->link_count; i++) { /* ascending, and a point follows each */
    if (!way->on_grid || way->links[i] + (uint64_t)1 >= way->count || (i > 0 && way->links[i] <= way->links[i - 1]))
      return false;
  }
  if (way->cells == NULL) return way->count > 0;
  for (uint32_t i = 0; i < way->cell_count; i++) {
    if (crowd->grid == NULL || !wend_crowd_is_cell(crowd, way->cells[i])) return false;
  }
  return way->cell_count > 0 && way->count == 0 && !way->on_grid;
}

bool wend_crowd_is_cell(const wend_crowd *crowd, wend_id cell) {
  return cell > 0 && cell <= (uint64_t)crowd->grid->width * crowd->grid->height;
}

/* Whether a path over cells may take links. */
static bool has_links(const wend_crowd *crowd, const wend_crowd_way *way) {
  wend_id a = WEND_NO_ID, b = WEND_NO_ID;
  return way->cells != NULL && wend_grid_next_portal(crowd->grid, &a, &b);
}

/* Makes room for the route of a way, of which each leg goes in `pieces`, and one more point. False: no memory. */
static bool reserve_way(wend_crowd *crowd, wend_walker *w, const wend_crowd_way *way, uint32_t pieces) {
  const uint64_t points = way->cells != NULL ? (way->cell_count - (uint64_t)1) * pieces + 1 : way->count;
  const uint64_t links = has_links(crowd, way) ? way->cell_count : way->link_count;
  const uint64_t cells = wend_way_cells(crowd, way, NULL), marks = cells / WEND_PATH_PIECE + 1;
  const uint64_t wanted = 2 * (points + 1) + 2 * (uint64_t)way->tag_count + links + cells + marks;
  if (way->heights != NULL && !WEND_GROW(&crowd->alloc, w->heights, w->heights_capacity, points + 1)) return false;
  return WEND_GROW(&crowd->alloc, w->points, w->points_capacity, wanted) &&
         WEND_GROW(&crowd->alloc, w->layers, w->layers_capacity, way->influence_count);
}

static uint32_t points_of_way(const wend_crowd_way *way) { return way->cells != NULL ? way->cell_count : way->count; }

bool wend_crowd_stands_in(const wend_crowd *crowd, const wend_walker *w, wend_id cell, double *point) {
  const uint32_t x = (uint32_t)(cell - 1) % crowd->grid->width, y = (uint32_t)(cell - 1) / crowd->grid->width;
  const uint32_t place = (y + 1) * crowd->grid->stride + x + 1;
  point[0] = (double)x + 0.5, point[1] = (double)y + 0.5;
  return w->radius < WEND_FIT_MIN ||
         wend_fit_spot(crowd->grid, wend_closed_tags_of(crowd, w), w->radius, place, &point[0], &point[1]);
}

/* Reads a point of a way: of a cell where the walker stands in it. end: where the last one really is; NULL: there. */
static void point_of_way(const wend_crowd *crowd, const wend_crowd_way *way, const double *end, uint32_t i,
                         const wend_walker *w, double *point) {
  if (end != NULL && i + 1 == points_of_way(way)) {
    point[0] = end[0], point[1] = end[1];
  } else if (way->cells != NULL) {
    (void)wend_crowd_stands_in(crowd, w, way->cells[i], point);
  } else {
    point[0] = way->points[2 * (size_t)i], point[1] = way->points[2 * (size_t)i + 1];
  }
}

/* Writes the points of a way, and returns their number. end: as above. */
static uint32_t write_points(const wend_crowd *crowd, const wend_crowd_way *way, const double *end, uint32_t pieces,
                             const wend_walker *w, double *points) {
  const uint32_t count = points_of_way(way);
  for (uint32_t i = 0; i < count; i++) point_of_way(crowd, way, end, i, w, points + 2 * (size_t)i);
  for (size_t i = count - 1; pieces > 1 && i > 0; i--) { /* from the end, because the points move there */
    const double x = points[2 * i - 2], y = points[2 * i - 1];
    const double dx = (points[2 * i] - x) / pieces, dy = (points[2 * i + 1] - y) / pieces;
    points[2 * i * pieces] = points[2 * i], points[2 * i * pieces + 1] = points[2 * i + 1];
    for (uint32_t k = 1; k < pieces; k++) {
      double *p = points + 2 * ((i - 1) * pieces + k);
      p[0] = x + k * dx, p[1] = y + k * dy;
    }
  }
  return (count - 1) * pieces + 1;
}

/* Gives a walker the route of a way. There is room for it, and wend_solid_ready came first. end: as above. goal: one more point;
 * NULL: none. */
static void take_way(wend_crowd *crowd, wend_walker *w, const wend_crowd_way *way, const double *end, const double *goal,
                     uint32_t pieces) {
  const bool links = pieces == 1 && has_links(crowd, way);
  double *at;
  w->point_count = write_points(crowd, way, end, pieces, w, w->points), w->next = 0;
  at = w->points + 2 * (size_t)w->point_count;
  if (goal != NULL) *at++ = goal[0], *at++ = goal[1], w->point_count++;
  w->height_count = way->heights != NULL ? w->point_count : 0;
  for (uint32_t i = 0; i < w->height_count; i++) w->heights[i] = way->heights[i < way->count ? i : way->count - 1];
  for (uint32_t i = 0; i < way->tag_count; i++) *at++ = way->tags[i].times, *at++ = way->tags[i].plus;
  w->tag_count = way->tag_count, w->link_count = way->link_count;
  for (uint32_t i = 0; i < way->link_count; i++) *at++ = (double)way->links[i];
  for (uint32_t i = 0; links && i + 1 < way->cell_count; i++) {
    if (!wend_grid_is_jump(crowd->grid, way->cells[i], way->cells[i + 1], way->legs, 0)) continue;
    *at++ = (double)i;
    w->link_count++;
  }
  w->cell_count = wend_way_cells(crowd, way, at);
  wend_crowd_mark_path(w);
  take_layers(w, way->influences, way->influence_count);
  w->careful = w->cell_count > 0 && pieces == 1;
  w->best_left = w->progress_mark = INFINITY;
  w->lost = w->reported = false;
  w->slowness = w->slow = 0;
  wend_follow_begin(crowd, w, way->cells != NULL, pieces > 1);
}

/* Whether a walker was sent to a place within its radius of another one, and has got a route there. */
static bool goes_near(const wend_walker *w, const double *goal, bool partial) {
  const double x = partial ? w->home_x : w->aim_x, y = partial ? w->home_y : w->aim_y;
  return w->aim != AIM_NONE && w->goal != WEND_NONE && w->plan_x < INFINITY && w->state != WEND_WALKER_WAITING &&
         wend_square(goal[0] - x, goal[1] - y) <= w->radius * w->radius;
}

/* Whether a walker was sent somewhere, and goes on as before until there is a plan. */
static bool has_new_order(const wend_walker *w) {
  return w->aim != AIM_NONE && w->plan_x == INFINITY && (w->wanted || w->plan != 0 || w->unplanned);
}

bool wend_crowd_aimed(const wend_crowd *crowd, wend_id id, const double *goal) {
  const wend_walker *w = wend_crowd_walker(crowd, id);
  return w != NULL && wend_square(goal[0] - w->aim_x, goal[1] - w->aim_y) <= w->radius * w->radius;
}

/* Whether a walker is on its way along the points of a way, as far as its radius. */
static bool is_on_route(const wend_walker *w, const wend_crowd_way *way) {
  if (way->cells != NULL || way->count != w->point_count || w->tag_count + w->link_count + w->cell_count > 0) return false;
  for (uint32_t i = 0; i < way->count; i++) {
    const double *p = w->points + 2 * (size_t)i, *q = way->points + 2 * (size_t)i;
    if (wend_square(p[0] - q[0], p[1] - q[1]) > w->radius * w->radius) return false;
    if (way->heights != NULL && (w->height_count == 0 || w->heights[i] != way->heights[i])) return false;
  }
  return true;
}

/* A walker that does not fit at its goal goes as near as it fits. */
static void make_goal_fit(wend_crowd *crowd, const wend_walker *w, double *goal) {
  if ((w->aim == AIM_PLACE || w->aim == AIM_SPOT) && wend_solid_ready(crowd))
    wend_solid_fit_goal(crowd, w->closed, w->radius, &goal[0], &goal[1]);
}

void wend_crowd_move_goal(wend_crowd *crowd, wend_walker *w, const double *place) {
  double *last = w->points + 2 * (size_t)w->point_count - 2, goal[2] = {place[0], place[1]};
  make_goal_fit(crowd, w, goal);
  if (last[0] == goal[0] && last[1] == goal[1]) return;
  last[0] = goal[0], last[1] = goal[1];
  leave_goal(crowd, w);
  w->home_x = goal[0], w->home_y = goal[1];
  (void)wend_crowd_give_goal(crowd, w);
  wend_follow_measure(w);
  if (w->state == WEND_WALKER_ARRIVED) w->at_rest = false, w->progress_mark = INFINITY, w->stall = 0;
}

/* Sends a walker along a way, to its last point. If it goes there already, it makes as much progress on the new way as on the old
 * one: its patience runs on. */
static wend_status follow_way(wend_crowd *crowd, wend_walker *w, const wend_crowd_way *way, const double *end,
                              uint32_t pieces) {
  const double best_left = w->best_left, left = wend_follow_left(w);
  const uint16_t slowness = w->slowness, slow = w->slow;
  double goal[2];
  bool same, fixed;
  if (!wend_solid_ready(crowd) || !reserve_goals(crowd, 1) || !reserve_way(crowd, w, way, pieces)) return WEND_NO_MEMORY;
  point_of_way(crowd, way, end, points_of_way(way) - 1, w, goal);
  same = w->partial == way->partial && goes_near(w, goal, way->partial);
  fixed = goal[0] == w->home_x && goal[1] == w->home_y;
  if (same && (w->state == WEND_WALKER_ARRIVED || is_on_route(w, way))) return wend_crowd_move_goal(crowd, w, goal), WEND_OK;
  take_way(crowd, w, way, end, NULL, pieces);
  leave_goal(crowd, w);
  w->party = 0;
  w->layout.laid = w->layout.together = false;
  w->home_x = goal[0], w->home_y = goal[1];
  w->goal = take_goal(crowd, goal[0], goal[1]);
  w->partial = way->partial;
  if (same) {
    const double longer = wend_follow_left(w) - left,
                 hook = wend_most(HOOK_RADII * w->radius, crowd->grid != NULL ? HOOK_CELLS : 0);
    /* One that cannot get on makes no progress by going back to where each new plan begins. */
    w->best_left = fixed && longer > -hook && longer < hook ? best_left : wend_most(best_left + longer, 0);
    w->slowness = slowness, w->slow = slow;
    return WEND_OK;
  }
  /* The patience of one that chases runs on: it has to get nearer to where the target is. */
  if (w->chase.kind != CHASE_NONE && wend_walker_goes(w)) {
    w->best_left = w->progress_mark = wend_follow_left(w);
    return WEND_OK;
  }
  w->state = WEND_WALKER_MOVING;
  w->stall = w->queue_time = 0;
  return WEND_OK;
}

wend_status wend_crowd_go(wend_crowd *crowd, wend_id id, const double *points, uint32_t count) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  wend_crowd_way way = {0};
  wend_status status;
  way.points = points, way.count = count;
  if (w == NULL || !wend_crowd_is_way(crowd, &way)) return WEND_INVALID;
  status = follow_way(crowd, w, &way, NULL, 1);
  if (status != WEND_OK || w->state == WEND_WALKER_ARRIVED) return status;
  if (w->aim != AIM_GIVEN || w->planned || w->plan != 0) wend_plan_forget(w);
  w->aim = AIM_GIVEN;
  w->aim_x = w->last_order_x = w->home_x, w->aim_y = w->last_order_y = w->home_y;
  w->plan_x = w->x, w->plan_y = w->y;
  w->again = crowd->steps + WEND_PLAN_WAIT;
  return WEND_OK;
}

wend_status wend_crowd_rise(wend_crowd *crowd, wend_id id, const double *height, const double *heights, uint32_t count) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || crowd->tall == 0 || (height != NULL && !wend_is_crowd_coordinate(*height))) return WEND_INVALID;
  if (heights != NULL && !are_heights(crowd, heights, count)) return WEND_INVALID;
  if (heights != NULL && count != w->point_count) return WEND_INVALID;
  if (heights != NULL && !WEND_GROW(&crowd->alloc, w->heights, w->heights_capacity, count)) return WEND_NO_MEMORY;
  if (height != NULL) w->height = w->before_height = *height;
  w->height_count = heights != NULL ? count : 0;
  for (uint32_t i = 0; i < w->height_count; i++) w->heights[i] = heights[i];
  if (w->height_count > 0 && wend_walker_goes(w)) wend_follow_begin(crowd, w, false, false);
  return WEND_OK;
}

/* Whether a way is one over the grid. */
static bool is_ground_way(const wend_crowd *crowd, const wend_crowd_way *way) {
  return wend_crowd_is_way(crowd, way) && (way->cells != NULL || way->on_grid);
}

wend_status wend_crowd_may_take(wend_crowd *crowd, wend_id id, const wend_crowd_way *way) {
  const wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || !is_ground_way(crowd, way)) return WEND_INVALID;
  if (!wend_solid_ready(crowd)) return WEND_NO_MEMORY;
  return wend_way_is_open(crowd, w, way) ? WEND_OK : WEND_NO_PATH;
}

wend_status wend_crowd_go_along(wend_crowd *crowd, wend_id id, const wend_crowd_way *way) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  double goal[2];
  bool same;
  wend_status status;
  if (w == NULL || !crowd->plans || !is_ground_way(crowd, way)) return WEND_INVALID;
  point_of_way(crowd, way, NULL, points_of_way(way) - 1, w, goal);
  same = w->aim == AIM_PLACE && goes_near(w, goal, way->partial);
  status = follow_way(crowd, w, way, NULL, 1);
  if (status != WEND_OK) return status;
  if (!same) wend_plan_forget(w);
  w->aim = AIM_PLACE;
  w->aim_x = w->last_order_x = w->home_x, w->aim_y = w->last_order_y = w->home_y;
  if (w->state == WEND_WALKER_ARRIVED) return WEND_OK;
  w->plan = w->detour = 0;
  w->wanted = w->around = w->unplanned = false;
  wend_plan_note(crowd, w);
  w->tries = 0; /* it is an order */
  return WEND_OK;
}

wend_status wend_crowd_repeat(wend_crowd *crowd, wend_id id, const double *goal) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  double most, moved;
  if (w == NULL || w->aim != AIM_PLACE || !wend_is_crowd_coordinate(goal[0]) || !wend_is_crowd_coordinate(goal[1])) {
    return WEND_INVALID;
  }
  if (goes_near(w, goal, false)) {
    if (!reserve_goals(crowd, 1)) return WEND_NO_MEMORY;
    if (!w->partial) wend_crowd_move_goal(crowd, w, goal);
    w->last_order_x = goal[0], w->last_order_y = goal[1];
    return WEND_OK;
  }
  most = w->radius * w->radius, moved = wend_square(goal[0] - w->aim_x, goal[1] - w->aim_y);
  if (w->plan_x < INFINITY) { /* the goal may have moved on from that of the plan, a little with each order */
    if (w->state == WEND_WALKER_ARRIVED) return WEND_INVALID;
    moved = wend_least(moved, wend_square(goal[0] - w->home_x, goal[1] - w->home_y));
  }
  if (w->plan != 0) most = wend_most(most, wend_square(w->x - w->aim_x, w->y - w->aim_y) * (CLOSE_BY * CLOSE_BY));
  if (moved > most) return WEND_INVALID;
  if (w->plan != 0) w->wanted = moved > 0 || w->wanted; /* after the plan that the caller looks for */
  else wend_plan_want(w);
  w->aim_x = w->last_order_x = goal[0], w->aim_y = w->last_order_y = goal[1];
  return WEND_OK;
}

wend_status wend_crowd_take(wend_crowd *crowd, wend_walker *w, const wend_crowd_way *way, uint32_t pieces) {
  wend_crowd_way taken = *way;
  double aim[2] = {w->aim_x, w->aim_y}, goal[2];
  bool short_of_aim = w->aim == AIM_OPEN || way->partial; /* it goes to the last cell */
  if (!wend_crowd_is_way(crowd, way)) return WEND_INVALID;
  make_goal_fit(crowd, w, aim);
  if (w->radius >= WEND_FIT_MIN && wend_solid_inside(crowd, w->closed, aim[0], aim[1])) short_of_aim = true;
  if ((way->cells == NULL && !way->on_grid) || pieces > 1) taken.tag_count = taken.influence_count = 0;
  if (w->aim != AIM_SPOT || way->partial || w->partial) {
    const wend_status status = follow_way(crowd, w, &taken, short_of_aim ? NULL : aim, pieces);
    /* One that could not reach its spot has left its party: it comes after the others. */
    if (status == WEND_OK && w->aim == AIM_SPOT && !way->partial) w->aim = AIM_PLACE;
    if (status == WEND_OK && w->aim == AIM_OPEN) {
      w->aim_x = w->last_order_x = w->home_x, w->aim_y = w->last_order_y = w->home_y;
    }
    return status;
  }
  if (!wend_walker_goes(w)) return WEND_INVALID; /* it is at its spot */
  goal[0] = w->points[2 * (size_t)w->point_count - 2], goal[1] = w->points[2 * (size_t)w->point_count - 1];
  if (!wend_solid_ready(crowd) || !reserve_way(crowd, w, &taken, pieces)) return WEND_NO_MEMORY;
  take_way(crowd, w, &taken, aim, goal, pieces);
  return WEND_OK;
}

bool wend_crowd_reserve(wend_crowd *crowd, const wend_id *ids, uint32_t count, uint32_t point_count) {
  if (!reserve_goals(crowd, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    wend_walker *w = wend_crowd_walker(crowd, ids[i]);
    if (!WEND_GROW(&crowd->alloc, w->points, w->points_capacity, 2 * ((uint64_t)point_count + 1))) return false;
  }
  return true;
}

bool wend_crowd_reserve_chases(wend_crowd *crowd) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < crowd->count && crowd->chasing; i++) {
    wend_walker *w = &crowd->walkers[i];
    if (w->chase.kind == CHASE_NONE) continue;
    if (!WEND_GROW(&crowd->alloc, w->points, w->points_capacity, 4)) return false; /* one point, and one more */
    count++;
  }
  return count == 0 || reserve_goals(crowd, count);
}

bool wend_crowd_make_room(wend_crowd *crowd, uint64_t count) {
  const wend_column columns[] = WALKER_COLUMNS(crowd);
  return wend_grow_columns(&crowd->alloc, columns, sizeof columns / sizeof *columns, &crowd->capacity, count);
}

bool wend_crowd_give_goal(wend_crowd *crowd, wend_walker *walker) {
  const double *goal = walker->points + 2 * (size_t)walker->point_count - 2;
  if (!reserve_goals(crowd, 1)) return false;
  walker->goal = take_goal(crowd, goal[0], goal[1]);
  if (walker->state == WEND_WALKER_ARRIVED) crowd->goals[walker->goal].arrived++;
  return true;
}

wend_status wend_crowd_stop(wend_crowd *crowd, wend_id id) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL) return WEND_INVALID;
  leave_goal(crowd, w);
  wend_plan_forget(w);
  w->state = WEND_WALKER_WAITING, w->at_rest = true;
  wend_walker_start(w, &w->home_x, &w->home_y);
  w->stall = w->queue_time = w->side_bias = 0;
  w->lost = w->reported = w->passing = false;
  return WEND_OK;
}

wend_status wend_crowd_lose(wend_crowd *crowd, wend_id id) {
  const wend_status status = wend_crowd_stop(crowd, id);
  if (status == WEND_OK) {
    wend_walker *w = wend_crowd_walker(crowd, id);
    w->has_no_way = true;
    w->again = crowd->steps + WEND_PLAN_WAIT; /* one that chases tries again then */
  }
  return status;
}

wend_status wend_crowd_pause(wend_crowd *crowd, wend_id id, bool paused) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL) return WEND_INVALID;
  w->paused = paused;
  w->stall = w->queue_time = 0;
  w->slowness = w->slow = 0;
  return WEND_OK;
}

wend_status wend_crowd_push(wend_crowd *crowd, wend_id id, double vx, double vy) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  if (w == NULL || !(wend_square(vx, vy) <= WEND_WALKER_MAX * WEND_WALKER_MAX)) return WEND_INVALID;
  w->push_x = vx, w->push_y = vy;
  return WEND_OK;
}

wend_status wend_crowd_place(wend_crowd *crowd, wend_id id, double x, double y) {
  wend_walker *w = wend_crowd_walker(crowd, id);
  double home_x, home_y;
  if (w == NULL || !wend_is_crowd_coordinate(x) || !wend_is_crowd_coordinate(y)) return WEND_INVALID;
  home_x = w->home_x, home_y = w->home_y;
  put_walker(crowd, w, x, y);
  if (w->state != WEND_WALKER_WAITING) w->home_x = home_x, w->home_y = home_y;
  if (w->state == WEND_WALKER_ARRIVED) wend_plan_forget(w); /* the next order is a new one, also to the same place */
  return WEND_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* The part of the last step that has passed: 0 .. 1. */
static double part_of_step(const wend_crowd *crowd) {
  return wend_most(0, wend_least(1, crowd->pending * WEND_STEPS_A_SECOND));
}

/* Whether the end of a link was reached in the last step: the only step that moves and leaves no velocity. Until the
 * next one the walker is shown on its way there. */
static bool lands(const wend_walker *w) { return w->vx == 0 && w->vy == 0 && (w->before_x != w->x || w->before_y != w->y); }

wend_status wend_crowd_get(const wend_crowd *crowd, wend_id id, wend_walker_info *info) {
  const wend_walker *w = wend_crowd_walker(crowd, id);
  const double part = part_of_step(crowd);
  if (w == NULL) return WEND_INVALID;
  info->x = w->before_x + (w->x - w->before_x) * part, info->y = w->before_y + (w->y - w->before_y) * part;
  info->exact_x = w->x, info->exact_y = w->y;
  info->height = w->before_height + (w->height - w->before_height) * part;
  info->vx = w->vx, info->vy = w->vy;
  info->face_x = w->face_x, info->face_y = w->face_y;
  info->settings.x = w->x, info->settings.y = w->y;
  info->settings.radius = w->radius, info->settings.speed = w->speed, info->settings.patience = w->patience,
  info->settings.squeeze = w->squeeze;
  info->settings.acceleration = w->acceleration > 0 ? w->acceleration : INFINITY;
  info->settings.priority = w->priority, info->settings.groups = w->groups, info->settings.avoids = w->avoids;
  info->settings.links = (wend_walker_links)w->links;
  info->goal_x = w->home_x, info->goal_y = w->home_y;
  if (w->has_no_way || w->partial || (w->aim != AIM_NONE && w->aim != AIM_SPOT))
    info->goal_x = w->last_order_x, info->goal_y = w->last_order_y;
  info->state = (wend_walker_state)w->state;
  info->ordered = has_new_order(w);
  info->stalled = w->queue_time;
  info->paused = w->paused;
  info->in_wall = w->squeezed;
  info->chasing = w->chase.kind != CHASE_NONE;
  info->crossing = w->crossing || lands(w);
  info->cross_x = w->cross_from_x, info->cross_y = w->cross_from_y;
  info->cross_to_x = w->cross_x, info->cross_to_y = w->cross_y, info->cross_tag = w->cross_tag;
  info->blocked_by = WEND_NO_ID;
  if (w->state == WEND_WALKER_STUCK && wend_walker_of_slot(crowd, w->blocker) != NULL) {
    info->blocked_by = wend_slots_id(&crowd->slots, w->blocker);
  }
  return WEND_OK;
}

bool wend_crowd_has(const wend_crowd *crowd, wend_id id) { return wend_crowd_walker(crowd, id) != NULL; }

wend_id wend_crowd_next(const wend_crowd *crowd, wend_id id) { return wend_slots_next(&crowd->slots, id); }

uint32_t wend_crowd_count(const wend_crowd *crowd) { return crowd->count; }

const wend_crowd_event *wend_crowd_events(const wend_crowd *crowd, uint32_t *count) {
  *count = crowd->event_count;
  return crowd->events;
}

uint64_t wend_crowd_hash(const wend_crowd *crowd) {
  uint64_t hash = wend_mix(crowd->count);
  for (uint32_t slot = 0; slot < crowd->slots.count; slot++) {
    const wend_walker *w = wend_walker_of_slot(crowd, slot);
    if (w == NULL) continue;
    hash = wend_mix(hash ^ wend_bits_of(w->x));
    hash = wend_mix(hash ^ wend_bits_of(w->y));
    hash = wend_mix(hash ^ w->state);
    if (crowd->tall > 0) hash = wend_mix(hash ^ wend_bits_of(w->height));
  }
  return hash;
}

size_t wend_crowd_bytes(const wend_crowd *crowd) {
  size_t bytes = sizeof *crowd + wend_slots_bytes(&crowd->slots) + wend_rtree_bytes(&crowd->tree) +
                 wend_keys_bytes(&crowd->jam_cells) + wend_keys_bytes(&crowd->spot_cells) +
                 wend_keys_bytes(&crowd->troop_parties) + wend_closed_bytes(crowd);
  const size_t each = sizeof *crowd->walkers + sizeof *crowd->solids + sizeof *crowd->cells + sizeof *crowd->order +
                      sizeof *crowd->bodies + sizeof *crowd->spots + sizeof *crowd->motions + sizeof *crowd->found +
                      WEND_EVENTS_EACH * sizeof *crowd->events;
  bytes += each * crowd->capacity;
  for (uint32_t i = 0; i < crowd->count; i++) {
    const wend_walker *w = &crowd->walkers[i];
    bytes += ((size_t)w->points_capacity + w->factors_capacity + w->heights_capacity) * sizeof(double) +
             w->layers_capacity * sizeof *w->layers;
  }
#define ADD_BYTES(name) bytes += crowd->name##_capacity * sizeof *crowd->name;
  OTHER_ARRAYS(ADD_BYTES)
  for (uint32_t i = 0; i < crowd->area_count; i++) bytes += crowd->areas[i].cells_capacity * sizeof *crowd->areas[i].cells;
  return bytes;
}
