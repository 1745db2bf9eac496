/* SPDX-License-Identifier: MIT */
/* wend, movement: curves, followers and crowds, on top of navigation (wend.h, whose rules hold here too).
 *
 *     Curves and followers   smooth lines; an agent alone that walks along points
 *     Crowds                 agents that keep apart, follow routes and arrive
 *     Files                  followers and crowds as bytes
 */
#ifndef WEND_MOVE_H
#define WEND_MOVE_H

#include "wend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Curves and followers ----------------------------------------------------------------------------------- */

/* The points along which a curve or a follower leads. */
typedef struct wend_course {
  const wend_waypoint *points; /* point, and id: the node there, or WEND_NO_ID. The rest does not count */
  const wend_id *legs;         /* count - 1: the edge of each leg; WEND_NO_ID; or WEND_PORTAL_LEG. NULL: all WEND_NO_ID */
  uint32_t count;              /* of points, at least 1 */
  int dimensions;              /* 2 or 3 */
  wend_map *map;               /* whose tags count. NULL: none */
  const wend_frame *frame;     /* of a grid; NULL: a cell is 1 wide and 1 high, and the first corner is (0, 0) */
  /* times of each tag of the grid, tags[0] for WEND_UNTAGGED, for WEND_FOLLOW_COST. Tags beyond tag_count have 1. */
  const wend_tag_cost *tags;
  uint32_t tag_count;
} wend_course;
/* A leg that is a portal of a grid. It has length 0, except for followers that say otherwise. */
#define WEND_PORTAL_LEG ((wend_id)-1)

/* A smooth line as a dense list of points. It is reused. */
typedef struct wend_polyline wend_polyline;
WEND_API wend_polyline *wend_polyline_create(const wend_alloc *alloc);
WEND_API void wend_polyline_destroy(wend_polyline *line);
/* Returns the number of points. *points: 3 numbers each. *legs: for each point but the last the number of its leg, from 0. */
WEND_API uint32_t wend_polyline_points(const wend_polyline *line, const double **points, const uint32_t **legs);
/* Returns the number of legs that stay straight because of `clear`. *kept: these legs, ascending. */
WEND_API uint32_t wend_polyline_kept(const wend_polyline *line, const uint32_t **kept);

/* Each leg of a curve is a cubic Hermite curve. At an open end, and beside a portal, its tangent is the leg itself. */
typedef enum wend_curve_kind {
  WEND_CATMULL_ROM, /* the tangent between two legs is that of the centripetal curve */
  WEND_HERMITE,     /* it is the mean of the directions of both */
  WEND_LINEAR       /* the legs stay straight */
} wend_curve_kind;
typedef struct wend_curve_opts {
  wend_curve_kind kind;
  double spacing;      /* the largest distance between points, > 0; 0: a 16th of the mean leg */
  bool loop;           /* the line also leads from the last point to the first */
  wend_clear_fn clear; /* points have 3 numbers. A leg stays straight if a chord of its curve is not clear. NULL: all are */
  void *clear_ud;
} wend_curve_opts;
/* Makes a line through all points of a course, which are in it exactly. A leg that stays straight has no points between its
 * ends if one of its pieces is not clear either. INVALID: the spacing would make more than ten million points, and *least is
 * the least one that would not. NO_MEMORY. Unless OK, or if `clear` leaves by longjmp, the line holds a part. */
WEND_API wend_status wend_curve_line(wend_polyline *line, const wend_course *course, const wend_curve_opts *opts,
                                     double *least);

/* What the tag of an edge, a cell or a portal does to a follower there. */
typedef struct wend_pace {
  const char *tag;
  size_t length;
  double factor; /* of the speed: finite, >= 0 */
  bool stop;     /* the follower waits where a leg with this tag begins: an edge, or a portal */
} wend_pace;
/* How a follower crosses portals: it moves straight to the end, and its way gets longer by what is said here. */
typedef enum wend_follow_links {
  WEND_FOLLOW_JUMP, /* 0: at once */
  WEND_FOLLOW_COST, /* weight x times cells, as of wend_walker_links; the portal is looked up when the points are given */
  WEND_FOLLOW_WALK  /* the straight line. So it is where WEND_FOLLOW_COST finds no portal that can be used */
} wend_follow_links;
typedef struct wend_follow_opts {
  double speed; /* units per second: finite, >= 0 */
  wend_curve_kind kind;
  double spacing;      /* as in wend_curve_opts */
  bool loop;           /* from the last point to the first and on, without end */
  wend_clear_fn clear; /* as in wend_curve_opts; asked when the follower comes to a leg */
  void *clear_ud;
  const wend_pace *paces; /* each tag once */
  uint32_t pace_count;
  bool announces; /* updates stop at each point */
  wend_follow_links links;
} wend_follow_opts;

/* A follower walks along a course at a given speed, equally fast at every frame rate: one step or many small ones lead to the
 * same place. It borrows the map of its course: call wend_follower_forget_map before that is destroyed. If `clear` leaves by
 * longjmp out of a call, the follower is as before; in an update, it is at the beginning of a leg. `clear` must not use the
 * follower. */
typedef struct wend_follower wend_follower;
WEND_API wend_follower *wend_follower_create(const wend_alloc *alloc, const wend_follow_opts *opts);
/* Puts it on the first point of a course. This comes before all other calls. INVALID: the spacing would make more than ten
 * million points, and *least is the least one that would not. NO_MEMORY. */
WEND_API wend_status wend_follower_start(wend_follower *follower, const wend_course *course, double *least);
WEND_API void wend_follower_destroy(wend_follower *follower);

typedef struct wend_follower_place {
  double position[3];
  double heading; /* in radians, from +x toward +y, -pi .. pi. On a curve it turns evenly */
  uint32_t leg;   /* from 1; 0: on the way to the first point */
  bool done;      /* it is at the end */
} wend_follower_place;
/* Where it is. Each call that moves it changes this. */
WEND_API const wend_follower_place *wend_follower_where(const wend_follower *follower);
/* Sets the speed: finite, >= 0. */
WEND_API void wend_follower_set_speed(wend_follower *follower, double speed);
/* Sets whether updates stop at each point, from the next one on. */
WEND_API void wend_follower_set_announces(wend_follower *follower, bool announces);
/* Walks for dt seconds, finite, >= 0. OK: *point is 0. RUNNING: it announces *point, from 1, and stands there: call
 * wend_follower_go_on for the rest of the time, after any other calls. ABORTED: it was sent on without end by these calls.
 * NO_MEMORY: it is at the beginning of a leg. */
WEND_API wend_status wend_follower_update(wend_follower *follower, double dt, uint32_t *point);
WEND_API wend_status wend_follower_go_on(wend_follower *follower, uint32_t *point);
/* Writes the distance to the end along its way; INFINITY on a loop. On a curve the first call measures the legs ahead. */
WEND_API wend_status wend_follower_remaining(wend_follower *follower, double *remaining);
/* Makes the points along its way: those of the legs, and on a curve those between. Legs are counted from 0; the one to the
 * first point after wend_follower_go is WEND_NONE. */
WEND_API wend_status wend_follower_line(wend_follower *follower, wend_polyline *line);
/* Returns the number of the points of its legs. *slots: 4 numbers each, the last three of which are a point. */
WEND_API uint32_t wend_follower_points(const wend_follower *follower, const double **slots);
/* Puts it somewhere else, for the next wend_follower_go: an update would bring it back to its way. position: 3 numbers. */
WEND_API void wend_follower_put(wend_follower *follower, const double *position, double heading);
/* Sends it along another course, with as many dimensions, from where it is. Leg 0 leads to the first point. On a curve it
 * continues in its heading. Speed and options stay. join: points that it has passed already are left out; if `clear` allows
 * that. A follower that waits goes on; a paused one stays paused. Statuses as for wend_follower_start. */
WEND_API wend_status wend_follower_go(wend_follower *follower, const wend_course *course, bool join, double *least);
/* It stays where it is until it resumes. */
WEND_API void wend_follower_pause(wend_follower *follower);
WEND_API bool wend_follower_is_paused(const wend_follower *follower);
/* The tag of the stop at which it waits; NULL: it does not wait. */
WEND_API const char *wend_follower_waiting(const wend_follower *follower, size_t *length);
/* Ends a pause; without one, the wait at a stop. False: there is neither. */
WEND_API bool wend_follower_resume(wend_follower *follower);
/* Ends the wait at a stop: the caller has moved it over the leg. The position, 3 numbers, replaces the end of that leg. False:
 * it does not wait at a stop. */
WEND_API bool wend_follower_resume_at(wend_follower *follower, const double *position);
/* The edge of its leg, and the last node that it has passed. WEND_NO_ID: none. */
WEND_API wend_id wend_follower_edge(const wend_follower *follower);
WEND_API wend_id wend_follower_node(const wend_follower *follower);
/* The next node on its way, or the last one if there is none. WEND_NO_ID: its points have no nodes. *behind: the node from which the
 * edge of its leg leads there; WEND_NO_ID: it is not known. */
WEND_API wend_id wend_follower_ahead(const wend_follower *follower, wend_id *behind);
/* The tag of its leg; on a grid, of the cell where it is. */
WEND_API uint32_t wend_follower_tag(const wend_follower *follower);
typedef struct wend_follower_traits {
  wend_map *map; /* NULL: none */
  int dimensions;
  double speed, spacing;
  bool asks, announces; /* asks: it has `clear` */
  wend_follow_links links;
} wend_follower_traits;
/* What it was made with. Forgets its map: it keeps no pointer to it any more, and its tags are unknown from then on. */
WEND_API wend_follower_traits wend_follower_traits_of(const wend_follower *follower);
WEND_API void wend_follower_forget_map(wend_follower *follower);

/* ---- Crowds ------------------------------------------------------------------------------------------------ */

/* A crowd moves walkers: discs in the plane that go along routes, keep apart from each other and out of walls, and arrive. It
 * does not search. The caller gives each walker the points of its route, for example those of wend_route_step; or sends it
 * to a place, and searches when the crowd asks for a plan (wend_crowd_ask).
 *
 *     wend_crowd *crowd = wend_crowd_create(NULL, NULL);
 *     wend_crowd_add, wend_crowd_go                        a walker, and where it goes
 *     wend_crowd_update                                    in each frame
 *     wend_crowd_wants, _ask, _answer                      after each update with plans: searches for walkers that want it
 *     wend_crowd_events                                    which walkers have arrived or are stuck
 *     wend_crowd_get                                       where to draw it
 *
 * Time passes in steps of 1/30 second. Equal calls with equal numbers give equal bits on every machine, and updates that add up
 * to the same time give the same positions.
 *
 * Two walkers that avoid each other and did not overlap before a step overlap afterwards by at most 1 % of the sum of their
 * radii. No walker gets into a wall, except on the links of wend_crowd_way. Walkers that were put into each other, or into a
 * wall, are pushed out with at most twice their speed. A walker that cannot move reports that it is stuck. Functions that
 * return a status return INVALID if no walker has an id, or if a number is NaN or out of its range.
 *
 * Threads: objects of their own. A crowd reads its grid in wend_crowd_update and wend_crowd_go_group; the grid must not be
 * edited at that time. Between updates it may be: walkers notice in the next step. Memory: wend_crowd_update allocates nothing
 * once the crowd has been as dense as it is. */
typedef struct wend_crowd wend_crowd;

/* The absolute value of a coordinate in a crowd is at most WEND_CROWD_COORDINATE_MAX, a radius is WEND_WALKER_MIN to
 * WEND_WALKER_MAX, and a speed 0 to WEND_WALKER_MAX. Positions then keep at least 3 digits after the comma of a radius. */
#define WEND_CROWD_COORDINATE_MAX 1e9
#define WEND_WALKER_MIN 1e-3
#define WEND_WALKER_MAX 1e6

typedef struct wend_crowd_opts {
  const wend_grid *grid; /* its closed cells, its walls between cells and all outside of it are solid, for all walkers: tags do
                            not matter. Positions are x and y in cells. Borrowed: it is destroyed
                            after the crowd. NULL: none */
  uint64_t seed;         /* decides ties between walkers; 0: the order in which they were added does. A file has it */
  bool plans;  /* the caller answers plans: then walkers can be sent to places, and get new routes when they need them */
  double tall; /* > 0: walkers have heights, and those whose heights differ by so much do not meet. A file has it */
} wend_crowd_opts;

/* Creates a crowd without walkers. opts: NULL: no grid, seed 0. */
WEND_API wend_crowd *wend_crowd_create(const wend_alloc *alloc, const wend_crowd_opts *opts);
WEND_API void wend_crowd_destroy(wend_crowd *crowd);
/* Replaces all walls. segments: x1, y1, x2 and y2 of each of `count`, copied. INVALID: a coordinate is NaN or too large. If the
 * walls are others than before, the next update builds their index, in O(n log n). */
WEND_API wend_status wend_crowd_set_walls(wend_crowd *crowd, const double *segments, uint32_t count);

/* How a walker crosses a portal. Meanwhile it meets neither walkers nor solids, and no order turns it round. */
typedef enum wend_walker_links {
  WEND_LINKS_COST, /* in the time that its cost takes: weight x times, at its speed */
  WEND_LINKS_JUMP, /* at once */
  WEND_LINKS_WALK  /* straight to the other end, at its speed */
} wend_walker_links;

typedef struct wend_walker_opts {
  double x, y;
  double radius;       /* 0.5 */
  double speed;        /* in units a second: 1.5. In a step it gets at most 16 radii far */
  double acceleration; /* how much its velocity changes at most in a second, > 0: INFINITY, no limit. Pushes, solids, and others
                          that would overlap it change the velocity more */
  double patience;     /* in seconds: it is stuck if it makes no progress for that time, or stays within a cell
                          (without a grid: its radius) for 1.5 times that. 10. INFINITY: never */
  double squeeze;   /* in seconds: after that time without progress it passes through walkers that oppose it, until it gets on
                          and overlaps nobody. It does not pass through walls, paused walkers, or standing ones of higher
                          priority. 3. INFINITY: never */
  int32_t priority; /* of two walkers, the one with less makes way. 0 */
  uint32_t groups;  /* a bit for each group that it belongs to. 1 */
  uint32_t avoids;  /* the groups for which it makes way; it passes through walkers of no such group, also if they avoid it
                          but cannot make way. All */
  wend_walker_links links; /* WEND_LINKS_COST */
} wend_walker_opts;
/* The default options, at 0, 0. */
WEND_API wend_walker_opts wend_walker_opts_default(void);
/* Adds a walker and writes its id to *id, unless `id` is NULL. It stands until it is sent somewhere, and makes way. */
WEND_API wend_status wend_crowd_add(wend_crowd *crowd, const wend_walker_opts *opts, wend_id *id);
/* Changes what wend_crowd_add was given, but for x and y. wend_crowd_get reads it. A walker that does not fit any more where it
 * is is pushed out of walls. INVALID. */
WEND_API wend_status wend_crowd_set(wend_crowd *crowd, wend_id id, const wend_walker_opts *opts);
/* The speed of a walker on the ground: in each cell of the grid its speed is multiplied by the factor of the tag of the cell;
 * factors[0] is for WEND_UNTAGGED, and tags from `count` on have 1. With `weighed` it is also divided by the weight of the
 * cell, if that is > 0 and finite. factors: `count` finite numbers >= 0, copied. NO_MEMORY, INVALID: also if the crowd has no
 * grid. */
WEND_API wend_status wend_crowd_speeds(wend_crowd *crowd, wend_id id, const double *factors, uint32_t count, bool weighed);
/* The layers of the way of a walker, as in wend_crowd_way: files do not have them. NO_MEMORY, INVALID. */
WEND_API wend_status wend_crowd_influence(wend_crowd *crowd, wend_id id, const wend_influence_use *influences, uint32_t count);
/* Whether a walker keeps its speed until it arrives; without this, it slows down before its goal. Files do not have it. INVALID. */
WEND_API wend_status wend_crowd_rush(wend_crowd *crowd, wend_id id, bool rushes);
/* Removes a walker. */
WEND_API wend_status wend_crowd_remove(wend_crowd *crowd, wend_id id);

/* A target of chases that is no walker of the crowd. */
typedef struct wend_chase_target {
  double x, y; /* not finite: it is gone */
  double radius;
  double face_x, face_y; /* where it looks, a vector of any length; 0, 0: along +x */
} wend_chase_target;
/* Tells where a target of the caller is now: before the step after which walkers are to follow it. number: any; memory grows
 * with the largest one. *chasers, unless it is NULL: at least so many walkers chase it since the last step; 0: the number
 * can be used for another target. NO_MEMORY, INVALID: the radius is not >= 0. */
WEND_API wend_status wend_crowd_target(wend_crowd *crowd, uint32_t number, const wend_chase_target *target, uint32_t *chasers);
/* What a walker chases, and how. */
typedef struct wend_chase {
  wend_id walker;  /* the target; WEND_NO_ID: */
  uint32_t target; /* the number of a target of the caller */
  double distance; /* between the centres, at which the target is in reach; < 0: they touch */
  bool turned;     /* the walker keeps to the place at `angle` from where the target looks, at this distance */
  double angle;    /* in radians, from the x axis to the y axis */
} wend_chase;
/* Lets a walker follow a target that moves: it is sent on whenever the target has gone on by a part of the distance to it;
 * in a crowd with plans it wants a plan then, as after wend_crowd_send. ARRIVED comes when it is in reach, again after the
 * target has got away. A walker of the crowd has the right of way over those that chase it. If the target is gone or too far
 * away, the chase ends with an event, and the walker stands. Another order does not end a chase; NULL does. NO_MEMORY,
 * INVALID: also if there is no such target, or it is the walker. */
WEND_API wend_status wend_crowd_chase(wend_crowd *crowd, wend_id id, const wend_chase *chase);
/* Gives each of some walkers a place of its own around a target, in rings, the inner one at the distance of the chase.
 * Walkers that touch change places if that makes their ways shorter. turned and angle do not count. Takes O(count log
 * count). NO_MEMORY, INVALID. */
WEND_API wend_status wend_crowd_surround(wend_crowd *crowd, const wend_id *ids, uint32_t count, const wend_chase *chase);
/* Whether these walkers, and no others, have got their places by one such call, with this target and distance. */
WEND_API bool wend_crowd_surrounds(const wend_crowd *crowd, const wend_id *ids, uint32_t count, const wend_chase *chase);
/* Gives a walker that chases a target of the caller another number of this: after loading. INVALID: it does not chase one. */
WEND_API wend_status wend_crowd_retarget(wend_crowd *crowd, wend_id id, uint32_t target);
/* The cosine and the sine of an angle, with an error below 1e-9, the same on all machines. */
WEND_API void wend_crowd_turn(double angle, double *cosine, double *sine);

/* Sends a walker along a route. points: x and y of each of count >= 1 points, copied; the last one is the goal. It need not be
 * at the first point: it goes to the last one of the first points that it sees. */
WEND_API wend_status wend_crowd_go(wend_crowd *crowd, wend_id id, const double *points, uint32_t count);
/* Puts a walker at a height; NULL: it stays where it is. And gives the `count` points of its route theirs, after wend_crowd_go;
 * NULL: the walker stays at its height. Along a leg the height changes evenly. A leg that is higher than it is long is crossed as a
 * link, at the speed of the walker. NO_MEMORY. INVALID: also if the crowd has no `tall`, or the route has another number of points. */
WEND_API wend_status wend_crowd_rise(wend_crowd *crowd, wend_id id, const double *height, const double *heights,
                                     uint32_t count);
/* A way with more than points, for an answer. */
typedef struct wend_crowd_way {
  /* x and y of each of `count` points, copied; at least one. */
  const double *points;
  /* Instead of points: cell_count cells of a path of the grid, copied. Its points are their centres. Where it takes a portal,
   * the walker crosses it as wend_walker_links says; then it follows its last order. It goes straight to a later point only
   * if that costs no more than the way over the points, and crosses no cell that is dearer than those on that way. A cell costs
   * weight x times + plus, and what layers add, for each cell's width of way; the edge function does not count. One that gets
   * nowhere for 5 seconds crosses dearer cells, but none whose plus is INFINITY. NULL: none. */
  const wend_id *cells;
  /* With on_grid, the indexes of the points where a portal leads to the next point; ascending, link_count of them. */
  const uint32_t *links;
  /* times and plus for each tag of the grid, tags[0] for WEND_UNTAGGED. Tags beyond tag_count, and all tags if it is 0, do not
   * change the weight. */
  const wend_tag_cost *tags;
  /* Layers of the grid, which the walker keeps until it gets another way. Their numbers count as they are at each look. */
  const wend_influence_use *influences;
  /* The heights of the points, in a crowd with `tall`; as in wend_crowd_rise. NULL: the walker stays at its height. */
  const double *heights;
  uint32_t count, tag_count, cell_count, influence_count, link_count;
  wend_legs legs; /* of the path over the cells */
  bool partial;   /* it ends before the place of the plan. The walker goes to its end and stops there */
  bool on_grid; /* the points lie on the grid, and its legs are straight: the cells under them count like those of a path. Tags
                     and layers are only for such ways and for ways over cells */
} wend_crowd_way;
/* Sends a walker in a crowd with plans along a way over cells, or one with on_grid, as if that was the plan that it got when it
 * was sent to its last point. From then on it wants plans as others do. NO_MEMORY, INVALID. */
WEND_API wend_status wend_crowd_go_along(wend_crowd *crowd, wend_id id, const wend_crowd_way *way);
/* Whether such a way is open for a walker as the grid and its closed tags are now (wend_crowd_close): OK, or NO_PATH. The cell
 * where the way begins and the radius of the walker do not count. NO_MEMORY, INVALID. */
WEND_API wend_status wend_crowd_may_take(wend_crowd *crowd, wend_id id, const wend_crowd_way *way);
/* Says which cells of the grid are closed for a walker: those whose tag is closed in these costs (see wend_tag_cost), but for
 * tags that an edge function may open. Such a cell is a wall for its body. One that is on such a cell leaves it by the shortest
 * way, then goes on to its goal. tags: tags[0] for WEND_UNTAGGED; NULL: none is closed. Walkers for which the same tags are closed
 * share what the crowd keeps of them. OK, NO_MEMORY, INVALID: there is no such walker, or no grid. */
WEND_API wend_status wend_crowd_close(wend_crowd *crowd, wend_id id, const wend_tag_cost *tags, uint32_t count);
/* A number that walkers share for which the same tags are closed; 0: none is. */
WEND_API uint64_t wend_crowd_closed(const wend_crowd *crowd, wend_id id);
/* Makes the steps of a grid those of the disc of a walker (wend_grid_fit), for which these tags are closed as well. The grid is
 * that of the crowd, or follows it. NO_MEMORY, INVALID. */
WEND_API wend_status wend_crowd_fit(const wend_crowd *crowd, wend_id id, wend_grid *grid, double radius);
/* The cells that the body of a walker touches, and which are closed for it on the grid of the crowd, but not on the grid `known`, an
 * overlay of that one which is up to date. Puts at most so many into `cells`, by rows, and returns their number. */
WEND_API uint32_t wend_crowd_bumps(const wend_crowd *crowd, wend_id id, const wend_grid *known, wend_id *cells, uint32_t most);
/* Says on which cells of the grid a walker arrives that was sent without a goal (wend_crowd_send): as soon as it is on one of them.
 * The next answer leads to one of them; the walker goes on from there over such cells to the nearest place that no other walker
 * has, and changes places with others that do. The next order ends that. cells: ascending; fewer than two: it arrives at the end
 * of its way. Walkers with the same cells share what the crowd keeps of them. NO_MEMORY, INVALID. */
WEND_API wend_status wend_crowd_area(wend_crowd *crowd, wend_id id, const wend_id *cells, uint32_t count);
/* Sends a group of walkers along one route, and gives each a spot of its own around the goal, or around the nearest place where the
 * largest walker fits, as for one walker (wend_crowd_plan). The spots are 1.3 diameters of the largest walker apart, and in sight
 * of that place; the nearest walkers get those on the far side. Walkers for which there is no spot go there and arrive beside the
 * others. Members of a group change spots when that shortens their ways. Takes O(n log n) for n walkers, and a line through the
 * solids for each. */
WEND_API wend_status wend_crowd_go_group(wend_crowd *crowd, const wend_id *ids, uint32_t count, const double *points,
                                         uint32_t point_count);
/* A formation of a group. */
typedef struct wend_crowd_formation {
  const double *offsets; /* x and y for each walker: its spot from the goal. NULL: no layout, or `keep` */
  bool keep;             /* instead: the walkers keep the layout in which they are, from the mean of their positions */
  bool turn;             /* offsets are turned so that (1, 0) points along the last leg of the way */
  bool together;         /* nobody is faster than the slowest one; those ahead wait, and on open ground all keep the layout */
} wend_crowd_formation;
/* Gives a group that wend_crowd_go_group has just sent, with one point, a formation. ids: all of the group, in the order of the
 * offsets. Spots that are closed, or not in sight of the goal, are replaced by free spots of the group. NO_MEMORY. INVALID: the
 * walkers are not such a group, or a number is out of range. Takes O(n) for n walkers, and O(n^2) if spots are replaced. */
WEND_API wend_status wend_crowd_form(wend_crowd *crowd, const wend_id *ids, uint32_t count,
                                     const wend_crowd_formation *formation);
/* Says that a group has the same order as before: all were sent by one wend_crowd_go_group, or some by wend_crowd_send, and the
 * goal lies within the radius of each from that one. Those with a partial way may be of several such groups. OK: nothing has
 * changed. INVALID: it is another order. */
WEND_API wend_status wend_crowd_repeat_group(wend_crowd *crowd, const wend_id *ids, uint32_t count, const double *goal);
/* Sends a walker to a place, x and y, in a crowd with plans. It wants a plan, and goes on as before until it has got one. goal:
 * NULL: the caller chooses the goal when it plans; it is the last point of the answer. INVALID. */
WEND_API wend_status wend_crowd_send(wend_crowd *crowd, wend_id id, const double *goal);
/* Says that a walker has the same order as before: to a place within its radius of the last one. It goes on, its patience runs
 * on, and its goal moves there. If it drifts too far from that of its plan, it wants another plan, after one that is looked
 * for. INVALID: it is another order; send it. */
WEND_API wend_status wend_crowd_repeat(wend_crowd *crowd, wend_id id, const double *goal);
/* Whether a walker was last sent to a place within its radius of another one, also if it has stopped since. */
WEND_API bool wend_crowd_aimed(const wend_crowd *crowd, wend_id id, const double *goal);
/* A walker forgets its goal and stands where it is. It makes way for others, and comes back. INVALID. */
WEND_API wend_status wend_crowd_stop(wend_crowd *crowd, wend_id id);
/* The same, for one that cannot get to its goal: goal_x and goal_y of wend_walker_info keep it. */
WEND_API wend_status wend_crowd_lose(wend_crowd *crowd, wend_id id);
/* With `paused` a walker does not move at all, and makes way for nobody; otherwise it goes on. INVALID. */
WEND_API wend_status wend_crowd_pause(wend_crowd *crowd, wend_id id, bool paused);
/* Adds a velocity that fades within about a second, as of a blow. INVALID: also if its length is over WEND_WALKER_MAX. */
WEND_API wend_status wend_crowd_push(wend_crowd *crowd, wend_id id, double vx, double vy);
/* Puts a walker somewhere else, at rest. Its route stays. INVALID. */
WEND_API wend_status wend_crowd_place(wend_crowd *crowd, wend_id id, double x, double y);

typedef enum wend_walker_state {
  WEND_WALKER_WAITING, /* it was not sent anywhere, or was stopped */
  WEND_WALKER_MOVING,
  WEND_WALKER_ARRIVED, /* it is at its goal, or as near as others let it; or has made way, or was in a throng, and comes closer */
  WEND_WALKER_STUCK    /* it wants to go, and has made no progress for its patience; it goes on trying */
} wend_walker_state;

typedef struct wend_walker_info {
  double x, y;             /* at the current time: between the last two steps. For drawing */
  double exact_x, exact_y; /* after the last step */
  double height;           /* like x and y; see wend_crowd_rise */
  double vx, vy;           /* of the last step */
  double face_x, face_y; /* a smoothed velocity, but for steps aside near its place; its direction is where the walker looks */
  wend_walker_opts settings; /* as they are now; x and y: exact_x, exact_y */
  double goal_x,
      goal_y;     /* the goal that it was given last, or its spot; of one that stands and has none, where it comes back to */
  double stalled; /* seconds without progress. In a queue, not much more than those of the one ahead */
  wend_id blocked_by; /* WEND_WALKER_STUCK: the walker ahead that is nearest; WEND_NO_ID: none is near, but maybe a wall */
  wend_walker_state state;
  bool ordered; /* it was sent somewhere, and goes on as before until there is a plan: its state is that of before */
  bool paused;
  bool in_wall;  /* it overlaps a wall: it was put there, the map was edited, or it is too wide for where it is */
  bool chasing;  /* see wend_crowd_chase */
  bool crossing; /* it is on a portal */
  double cross_x, cross_y, cross_to_x, cross_to_y; /* where the portal that it has crossed last begins and ends */
  uint32_t cross_tag;                              /* of that portal */
} wend_walker_info;
/* Reads a walker into *info. INVALID. */
WEND_API wend_status wend_crowd_get(const wend_crowd *crowd, wend_id id, wend_walker_info *info);

typedef struct wend_crowd_result {
  uint32_t steps;  /* that were taken */
  uint32_t events; /* how many events there are */
  double dropped;  /* seconds that were dropped because of max_steps */
} wend_crowd_result;
/* Lets `dt` >= 0 seconds pass, in steps of 1/30 second, at most max_steps of them; what remains of a step waits for the next
 * update, and whole steps beyond max_steps are dropped. *result: what was done; NULL: not wanted. INVALID: dt is negative, NaN
 * or infinite; nothing has changed. NO_MEMORY: result->steps steps were taken; the time of the others waits for the next
 * update. Takes amortized O(walkers) for each step, for any number of walls and cells. */
WEND_API wend_status wend_crowd_update(wend_crowd *crowd, double dt, uint32_t max_steps, wend_crowd_result *result);

/* A plan that a walker wants. */
typedef struct wend_crowd_plan {
  wend_id walker;
  uint64_t number; /* of the plan: answers are known by it */
  double x, y;     /* where the way begins: where the walker is, or at the end of the link that it crosses */
  double height;   /* there */
  /* Where it leads. The answer may end near it, for example at a centre of a cell. Its last point is then moved there; if the
   * walker does not fit there, to the nearest place where it does, within its radius; else, if it is no wider than a cell, to the
   * middle of the cell. Of a group of wend_crowd_go_group, all plans lead to the goal of the group, and each goes on to its
   * spot. */
  double goal_x, goal_y;
  bool open;      /* it was sent without a goal, and has had no plan yet: the caller chooses one */
  bool around;    /* it is to lead around a jam. The rest is only for these */
  uint64_t round; /* the number of the round: jams of one round are the same */
  const wend_id
      *cells; /* its own way, cell_count cells from where it is to its goal; borrowed until the next call. A way around
                            is worth it if it costs less, say three quarters, when the cells of wend_crowd_jams are dearer */
  uint32_t cell_count, first; /* first: so many cells lead to its path, without a look at what is in between */
} wend_crowd_plan;
/* The next walker after `after` that wants a plan, in the order of wend_crowd_next. WEND_NO_ID: the first one, or there is
 * none. A crowd with plans gets wishes by orders to a place or to a group, with one point; by wend_crowd_touch; and in updates,
 * from walkers whose path over cells an edit touches, or that see no point of their route, and from those for which a way
 * around a jam may be worth it. */
WEND_API wend_id wend_crowd_wants(const wend_crowd *crowd, wend_id after);
/* Takes the wish of a walker: what to search for, in *plan. INVALID: it wants nothing, or not any more. */
WEND_API wend_status wend_crowd_ask(wend_crowd *crowd, wend_id id, wend_crowd_plan *plan);
/* Where a walker gets that is too wide for its goal: finds the cell at a place, or if it does not fit there (wend_grid_fit),
 * the nearest one where it does and from which it arrives. WEND_NO_ID: there is none so near. NO_MEMORY. INVALID: it gets
 * wherever a point gets. */
WEND_API wend_status wend_crowd_room(wend_crowd *crowd, wend_id id, const double *place, wend_id *cell);
/* Answers a plan, at any time. way: NULL: there is none. Then the walker stops; one that looked for a way around a jam goes on
 * as before. OK: it goes that way. STALE: it was sent elsewhere meanwhile, or the plan was answered. NO_PATH: it goes on as
 * before: the way around leads back into the jam, or way was NULL. NO_MEMORY: the plan can be answered again. INVALID: the
 * walker was removed, or has arrived at its spot; or a number is out of range. */
WEND_API wend_status wend_crowd_answer(wend_crowd *crowd, const wend_crowd_plan *plan, const wend_crowd_way *way);
/* Puts a plan off: the walker wants it again a second later. STALE, INVALID. */
WEND_API wend_status wend_crowd_defer(wend_crowd *crowd, const wend_crowd_plan *plan);
/* The route of a walker is out of date: it wants a plan. Of routes over cells, updates find out which ones edits of the grid
 * have touched. INVALID. */
WEND_API wend_status wend_crowd_touch(wend_crowd *crowd, wend_id id);
/* Finds that out now: before wend_crowd_encode, whose files do not know of edits since the last update. */
WEND_API wend_status wend_crowd_note_edits(wend_crowd *crowd);
/* The costs of the marked tags have changed for a walker (marked: as in wend_grid_path_uses): it wants a plan if its route over
 * cells has one of these tags. INVALID. */
WEND_API wend_status wend_crowd_note_costs(wend_crowd *crowd, wend_id id, const uint8_t *marked);
/* Plans that the caller looks for, of a walker or, with WEND_NO_ID, of all, are wanted again: answers to them come too late. */
WEND_API void wend_crowd_replan(wend_crowd *crowd, wend_id id);

/* A cell that walkers make dearer, because they are slow there or paused. */
typedef struct wend_crowd_jam {
  wend_id cell;
  double times; /* how many times as dear it is: a power of 2, up to 256. Where walkers make a tenth of their speed, about 10 */
} wend_crowd_jam;
/* The jams of the last round of plans around jams, on a grid. A caller puts them on an overlay, and searches there. They are
 * found out at the first call in a round. *jams: borrowed until the next update. Takes O(walkers + cells under them). */
WEND_API wend_status wend_crowd_jams(wend_crowd *crowd, const wend_crowd_jam **jams, uint32_t *count);

typedef enum wend_crowd_event_kind {
  WEND_CROWD_ARRIVED,     /* once for each wend_crowd_go; again when it was away for longer than its patience */
  WEND_CROWD_STUCK,       /* the walker has got into this state */
  WEND_CROWD_NEEDS_ROUTE, /* it sees no point of its route: it was pushed away, or the map was edited. Once, until it sees one */
  WEND_CROWD_SLOW,        /* it goes somewhere, and has made less than half its speed for a third of its patience, at least 2
                             and at most 10 seconds; again after 2, 4, 8 ... times that time */
  WEND_CROWD_CROSSES,     /* it begins to cross a portal: see wend_walker_info */
  WEND_CROWD_GONE,        /* the target of its chase is gone: it stands, and chases no more */
  WEND_CROWD_TOO_FAR      /* the same: the target, or the place beside it, is farther than walkers may be */
} wend_crowd_event_kind;  /* a crowd with plans does not have NEEDS_ROUTE and SLOW; the first two not while it looks for a plan,
                             because the old goal does not count any more */
typedef struct wend_crowd_event {
  wend_id id;
  wend_crowd_event_kind kind;
} wend_crowd_event;
/* The events of the last update, in the order of steps: each kind at most once for a walker. Borrowed until the next update, or
 * until walkers are added. */
WEND_API const wend_crowd_event *wend_crowd_events(const wend_crowd *crowd, uint32_t *count);

/* Whether a number is the id of a walker; and a loop over all. */
WEND_API bool wend_crowd_has(const wend_crowd *crowd, wend_id id);
WEND_API wend_id wend_crowd_next(const wend_crowd *crowd, wend_id id);
/* The number of walkers. */
WEND_API uint32_t wend_crowd_count(const wend_crowd *crowd);
/* Writes to `ids` the walkers whose centre is within `radius` of a point after the last step: in the order of wend_crowd_next;
 * nearest: those first that are nearer. At most `capacity`, the first ones. *count: how many there are, maybe more; none if
 * `radius` is negative or NaN. OK, NO_MEMORY. Takes the time for those found and those around them; the first call after a
 * step, or after walkers were added, placed or removed, O(walkers). */
WEND_API wend_status wend_crowd_near(wend_crowd *crowd, double x, double y, double radius, bool nearest, wend_id *ids,
                                     uint32_t capacity, uint32_t *count);

/* A number that depends on all positions and states, for checks that two runs are equal. */
WEND_API uint64_t wend_crowd_hash(const wend_crowd *crowd);
WEND_API size_t wend_crowd_bytes(const wend_crowd *crowd);

/* ---- Files ------------------------------------------------------------------------------------------------- */

/* Files of followers and crowds, by the rules of the section Files of wend.h. */

/* A follower: where it is, its points, its frame and its options, except `clear`. A decoded one walks on with the same bits.
 * map, frame: NULL: its course had none. INVALID: it had `clear`, and none is given. */
WEND_API wend_status wend_follower_encode(const wend_follower *follower, void *bytes, size_t *size);
WEND_API wend_status wend_follower_decode(const wend_alloc *alloc, wend_map *map, const wend_frame *frame, wend_clear_fn clear,
                                          void *ud, const void *bytes, size_t size, wend_follower **follower);
/* A crowd: its walkers, walls, time and ids; not the events of the last update. Each step of a decoded one gives the same bits
 * as that of the crowd which was encoded. opts->grid: NULL: it had none; opts->seed and opts->tall do not count. The encoder reads
 * the whole grid. */
WEND_API wend_status wend_crowd_encode(const wend_crowd *crowd, const void *extra, size_t extra_size, void *bytes,
                                       size_t *size);
WEND_API wend_status wend_crowd_decode(const wend_alloc *alloc, const wend_crowd_opts *opts, const void *bytes, size_t size,
                                       wend_crowd **crowd, const void **extra, size_t *extra_size);

#ifdef __cplusplus
}
#endif

#endif
