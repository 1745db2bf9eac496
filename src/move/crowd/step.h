/* SPDX-License-Identifier: MIT */
/* The parts of a step, in their order, the plans between steps, and orders. Each is a file of its own. */
#ifndef WEND_CROWD_STEP_H
#define WEND_CROWD_STEP_H

#include "move/crowd/data.h"

/* ---- index.c: the bodies of a step, sorted by cells ---- */

/* Sorts the walkers into cells: crowd->order, levels and starts. False: no memory. */
bool wend_index_sort(struct wend_crowd *crowd);
/* Moves the walkers to the places that the last wend_index_sort gave them, so that memory follows space. It changes no result
 * but those of ties; so it is called at fixed steps. */
void wend_index_pack(struct wend_crowd *crowd);

/* Sorts items by their keys, then by their numbers. */
void wend_index_sort_items(wend_crowd_item *items, uint32_t count);

/* How far a walker can get in one step: twice its speed, and what pushes it; but at most WEND_PIECES_MAX pieces. */
double wend_index_cap(const wend_walker *walker);

/* The buckets of a row of cells that can hold bodies near a point: one range, or two where the row wraps around the torus. */
typedef struct wend_index_row {
  uint32_t from[2], to[2]; /* indexes of bodies */
  int count;
} wend_index_row;

/* The cell of a coordinate. */
WEND_INLINE int64_t wend_index_cell(double x, double cell) {
  const double at = x / cell;
  const int64_t whole = (int64_t)at;
  return (double)whole > at ? whole - 1 : whole;
}

/* The bodies in columns `left` to `right` of a row, in a level. */
WEND_INLINE void wend_index_ranges(const struct wend_crowd *crowd, const wend_crowd_level *level, int64_t left, int64_t right,
                                   int64_t y, wend_index_row *row) {
  const uint32_t *starts = crowd->starts + level->starts + ((uint32_t)(uint64_t)y & (level->high - 1)) * level->wide;
  const uint32_t mask = level->wide - 1;
  const uint32_t l = (uint32_t)(uint64_t)left & mask, r = (uint32_t)(uint64_t)right & mask;
  row->count = 1;
  if (right - left >= (int64_t)mask) {
    row->from[0] = starts[0], row->to[0] = starts[level->wide];
  } else if (l <= r) {
    row->from[0] = starts[l], row->to[0] = starts[r + 1];
  } else {
    row->from[0] = starts[0], row->to[0] = starts[r + 1];
    row->from[1] = starts[l], row->to[1] = starts[level->wide];
    row->count = 2;
  }
}

/* ---- closed.c: which cells are closed for which walkers ---- */

/* Gives a crowd with a grid its first closed set. False: no memory. */
bool wend_closed_begin(struct wend_crowd *crowd);
void wend_closed_free(struct wend_crowd *crowd, const wend_alloc *alloc);
size_t wend_closed_bytes(const struct wend_crowd *crowd);
/* Takes the closed set from a walker. */
void wend_closed_leave(struct wend_crowd *crowd, wend_walker *walker);
/* Whether a place on the grid is closed for a walker, and there is an open one near: that is where it gets, and its plans begin. */
bool wend_closed_is_away(const struct wend_crowd *crowd, const wend_walker *walker, double *x, double *y);

/* ---- ground.c ---- */

/* What a straight way costs a walker, by its prices: for each cell that it crosses, the length times the price. */
typedef struct wend_ground {
  double cost;
  double dearest; /* the highest price of these cells; 0: the way has no length */
} wend_ground;

/* Finds out how fast walkers are on the ground, and whether the open cells of the grid can differ. */
void wend_ground_ready(struct wend_crowd *crowd);
wend_ground wend_ground_of(const struct wend_crowd *crowd, const wend_walker *walker, double x1, double y1, double x2,
                           double y2);
/* Whether a walker has been in a jam for so long that dear ground does not matter any more. */
bool wend_ground_is_pressed(const wend_walker *walker);
/* The price of the cell at a point. */
double wend_ground_at(const struct wend_crowd *crowd, const wend_walker *walker, double x, double y);
/* Whether a walker may leave out its next point and those up to a later one, as far as the ground is concerned: straight to that
 * one costs no more and crosses no dearer ground. */
bool wend_ground_may_skip(const struct wend_crowd *crowd, const wend_walker *walker, uint32_t later);
/* The highest price: that of ground that is closed for the agent. */
#define WEND_GROUND_CLOSED 1e6

/* ---- way.c: ways that are given ---- */

/* The weight and the tag of the link from one point of the grid to another. A wide walker may begin and end on a border of its
 * cell. False: there is none, or it is closed for the walker; NULL: for nobody. */
bool wend_way_find_link(const struct wend_crowd *crowd, const wend_walker *walker, const double *from, const double *to,
                        double *weight, uint32_t *tag);

/* Writes the cells under a way in their order, unless `cells` is NULL, and returns their number. Points of a script, which need
 * not lie on the grid, have none. The way is valid. */
uint32_t wend_way_cells(const struct wend_crowd *crowd, const wend_crowd_way *way, double *cells);
/* Whether a way on the grid is open for a walker, but for the cell where it begins. wend_solid_ready came first. */
bool wend_way_is_open(const struct wend_crowd *crowd, const wend_walker *walker, const wend_crowd_way *way);

/* ---- follow.c: the next corner of a route, and the bodies of a step ---- */

/* Makes the bodies of all walkers, in the order of the index. Goes on to the next point of a route where it can be seen. */
void wend_follow_all(struct wend_crowd *crowd);
/* Chooses the point of a new route to which a walker goes first: the farthest that it sees. On a route that others are in the way
 * of (close), and without solids, the end of the nearest leg. plan: the route is a shortest way. wend_solid_ready came first. */
void wend_follow_begin(struct wend_crowd *crowd, wend_walker *walker, bool plan, bool close);
/* Computes the length of the route after the next point. */
void wend_follow_measure(wend_walker *walker);
/* Puts a walker at the height of its leg. */
void wend_follow_rise(wend_walker *walker);
/* Where a walker is after the next step that crosses a link. Returns whether it is then at the end. */
bool wend_follow_link(wend_walker *walker, double *x, double *y);

/* Where a walker with a route goes: its next point. The last point is in `home`, so that the points, which are anywhere in
 * memory, are not read for most walkers. */
WEND_INLINE void wend_follow_aim(const wend_walker *walker, double *x, double *y) {
  *x = walker->home_x, *y = walker->home_y;
  if (walker->next + 1 < walker->point_count) {
    const double *p = walker->points + 2 * (size_t)walker->next;
    *x = p[0], *y = p[1];
  }
}

/* What is left of the way of a walker. */
WEND_INLINE double wend_follow_left(const wend_walker *walker) {
  double x, y;
  wend_follow_aim(walker, &x, &y);
  return wend_sqrt(wend_square(x - walker->x, y - walker->y)) + walker->route_left;
}

/* ---- follow.c: groups that go together ---- */

/* Finds the leaders of these groups, and who is how far behind. False: no memory. */
bool wend_formation_find(struct wend_crowd *crowd);
/* Changes what a body wants whose walker goes with such a group. */
void wend_formation_lead(struct wend_crowd *crowd, wend_walker *walker, wend_body *body);

/* ---- avoid.c ---- */

/* Computes where each body goes, as if it were alone from here on, and lists the pairs that might touch. False: no memory. */
bool wend_avoid_all(struct wend_crowd *crowd);

/* ---- separate.c ---- */

/* Pushes bodies apart and out of walls. What is then still too deep goes back to where it was before the step. */
void wend_separate_all(struct wend_crowd *crowd);

/* ---- arrive.c ---- */

/* Writes the results of a step back to the walkers, and lists events. */
void wend_arrive_all(struct wend_crowd *crowd);
/* Lists an event, unless the update has listed one of this kind for the walker. */
void wend_arrive_list(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_event_kind kind);

/* ---- chase.c: orders whose goal moves ---- */

/* Lets walkers follow their targets, after a step. wend_crowd_reserve_chases came before. */
void wend_chase_step(struct wend_crowd *crowd);

/* ---- plan.c: which walkers get new routes, and when ---- */

/* Forgets the aim and the plans of a walker. Its route stays. */
void wend_plan_forget(wend_walker *walker);
/* Gives a walker an aim, for which it wants a plan. place: x and y; NULL for AIM_OPEN. */
void wend_plan_send(wend_walker *walker, unsigned aim, const double *place);
/* The same for AIM_OPEN. If that is its aim already, this may turn out to be the same order. */
void wend_plan_again(wend_walker *walker);
/* A walker wants a plan, unless the caller looks for one already. */
void wend_plan_want(wend_walker *walker);
/* The same, a second later. */
void wend_plan_later(const struct wend_crowd *crowd, wend_walker *walker);
/* Notes that a walker has got a route to its aim. */
void wend_plan_note(const struct wend_crowd *crowd, wend_walker *walker);
/* Notes what a step found out about a walker, in a crowd with plans. Returns whether the caller is told. */
bool wend_plan_event(const struct wend_crowd *crowd, wend_walker *walker, wend_crowd_event_kind kind);
/* Finds the walkers that want plans after a step. */
void wend_plan_step(struct wend_crowd *crowd);

/* ---- ground.c: edits of the grid ---- */

/* Makes room for the marks of edited cells. False: no memory. */
bool wend_crowd_begin_edits(struct wend_crowd *crowd);
/* Marks edited cells, or takes these marks away. */
void wend_crowd_mark_edits(struct wend_crowd *crowd, wend_changes changes, bool marked);
/* Whether a cell is marked that a rectangle touches. */
bool wend_crowd_is_edited(const struct wend_crowd *crowd, double left, double top, double right, double bottom);
/* Whether a marked edit touches the path that a walker follows: a cell that it enters, one beside a diagonal step, or one that
 * its disc may touch. */
bool wend_crowd_is_path_edited(const struct wend_crowd *crowd, const wend_walker *walker);
/* Writes every WEND_PATH_PIECE-th cell of its path once more behind the path. Mostly these tell that no edit is near: reading
 * whole paths takes longer than a step. */
void wend_crowd_mark_path(wend_walker *walker);

/* ---- jam.c: ways around jams ---- */

/* Begins a round after a step, if it is time for one. */
void wend_jam_step(struct wend_crowd *crowd);
/* Lists what the cells cost that jam_places knows: those of the present round. */
void wend_jam_restore(struct wend_crowd *crowd);
/* Fills in what the caller has to know for a way around. OK, NO_MEMORY. INVALID: there is nothing to look for. */
wend_status wend_jam_ask(struct wend_crowd *crowd, wend_walker *walker, wend_crowd_plan *plan);
/* Gives a walker the way around that was found, if it avoids the jam. way: NULL: none was found. OK: also if the walker goes on as
 * before, INVALID, NO_MEMORY. */
wend_status wend_jam_answer(struct wend_crowd *crowd, wend_walker *walker, const wend_crowd_way *way);

/* ---- crowd.c ---- */

/* The walker with an id; NULL: there is none. */
wend_walker *wend_crowd_walker(const struct wend_crowd *crowd, wend_id id);
/* Whether a number is the id of a cell of the grid, which the crowd has. */
bool wend_crowd_is_cell(const struct wend_crowd *crowd, wend_id cell);
/* Where a walker stands in a cell: in the middle, unless it is too wide for that. False: it fits nowhere there. */
bool wend_crowd_stands_in(const struct wend_crowd *crowd, const wend_walker *walker, wend_id cell, double *point);
/* How many others have their goals at a position. */
uint32_t wend_crowd_others_to(const struct wend_crowd *crowd, const wend_walker *walker, double x, double y);
/* Whether a way has only good numbers. */
bool wend_crowd_is_way(const struct wend_crowd *crowd, const wend_crowd_way *way);
/* Sends a walker along a way to its aim. One of a group goes on from there to its spot. pieces: how many legs each leg becomes; if
 * more than one, it does not mind the ground. OK, NO_MEMORY, INVALID: the way is not valid, or the walker is at its spot. */
wend_status wend_crowd_take(struct wend_crowd *crowd, wend_walker *walker, const wend_crowd_way *way, uint32_t pieces);
/* Moves the goal of a walker a little. It stays on its route. There is room for one more goal. */
void wend_crowd_move_goal(struct wend_crowd *crowd, wend_walker *walker, const double *goal);
/* Makes room for routes of point_count points for some walkers, which exist. The same number of calls of wend_crowd_go then
 * cannot fail. False: no memory. */
bool wend_crowd_reserve(struct wend_crowd *crowd, const wend_id *ids, uint32_t count, uint32_t point_count);

/* Makes room for what the walkers that chase may do after a step. False: no memory. */
bool wend_crowd_reserve_chases(struct wend_crowd *crowd);

/* Sets what decides ties, before the first step. */
void wend_crowd_set_seed(struct wend_crowd *crowd, uint64_t seed);
/* Makes room for `count` walkers in all. False: no memory. */
bool wend_crowd_make_room(struct wend_crowd *crowd, uint64_t count);
/* Gives a walker that was read from a file its goal, the last of its points. False: no memory. */
bool wend_crowd_give_goal(struct wend_crowd *crowd, wend_walker *walker);

/* ---- spots.c ---- */

/* Orders the spots of a group along the way in, if a walker of it has just got the first plan of the group. False: no memory. */
bool wend_spots_enter(struct wend_crowd *crowd, wend_walker *walker);
/* Sends a walker with an area along a way to the area, and on to a place there that nobody has; as wend_crowd_take. */
wend_status wend_spots_take(struct wend_crowd *crowd, wend_walker *walker, const wend_crowd_way *way);
/* Whether a walker is on its area. */
bool wend_spots_reached(const struct wend_crowd *crowd, const wend_walker *walker);

/* ---- save_plans.c: section PLAN of files ---- */

struct wend_writer;
struct wend_file_in;

/* Whether the caller has looked for a plan, or there was a round of ways around. The numbers go on from these. */
bool wend_save_has_plans(const struct wend_crowd *crowd);
void wend_save_plans(struct wend_writer *w, const struct wend_crowd *crowd);
/* FORMAT, NO_MEMORY. */
wend_status wend_save_read_plans(struct wend_file_in *f, struct wend_crowd *crowd);

#endif
