/* SPDX-License-Identifier: MIT */
/* The data of a crowd.
 *
 * A walker has a slot, which is part of its id, and a place: its index in the array `walkers`, which has no holes. A step
 * copies what it needs of each walker into `bodies`, in the order of the cells of the index, and works on the copies.
 * Walkers that are close in space are then close in memory. The end of the step writes the results back. So a step that runs
 * out of memory has moved nobody.
 *
 *   walkers   by place:   everything about a walker, kept between steps
 *   bodies    by cell:    what one step reads of it
 *   pairs     indexes of bodies that might touch in this step, the smaller one first, in order
 *
 * The questions of a step, and where each is answered:
 *
 *   may the body be here?           is_in_wall (separate.c); for closed cells wend_solid_inside (solid.c)
 *   what is the next corner?        look (follow.c)
 *   who yields?                     share_of (avoid.c); who need not: passes; who begins to: starts_to_pass (arrive.c)
 *   has it arrived? is it stuck?    judge_walker (arrive.c)
 *   does it need a plan?            wend_plan_event (plan.c)
 *
 * The files, each on top of those before it: solid (walls and closed cells), closed (which cells are closed for which walkers),
 * index (the bodies by cells), ground (what ways over dear ground cost, and the marks of edited cells), way (the cells under ways
 * that are given), follow (the next corner of a route, and links), avoid (the velocity that keeps apart), separate (positions that
 * do not overlap), plan (new routes), arrive (which walkers have arrived or are stuck); crowd (adding, removing, orders), spots (a
 * place for each walker of a group, or in an area), chase (orders whose goal moves) and jam (ways around jams); update (the steps,
 * and what the caller does for plans); save (files). */
#ifndef WEND_CROWD_DATA_H
#define WEND_CROWD_DATA_H

#include "core/base/bits.h"
#include "core/base/keys.h"
#include "core/space/rtree.h"
#include "core/base/slots.h"
#include "core/map/map.h"
#include "wend_move.h"

#define WEND_STEPS_A_SECOND 30.0 /* longer steps froze doors: see separate.c */
#define WEND_STEP_TIME (1.0 / WEND_STEPS_A_SECOND)
#define WEND_SOLIDS_NEAR 12u      /* the nearest segments that a walker remembers */
#define WEND_IN_WALL 1e-5         /* of the radius: one that is deeper in a wall is pushed out slowly */
#define WEND_EVENTS_EACH 7u       /* an update lists each kind of event at most once for a walker */
#define WEND_PIECE 0.5            /* of the radius: a body that goes farther in a step goes in pieces of this length */
#define WEND_PIECES_MAX 32u       /* so many: so a body goes at most 16 radii in a step */
#define WEND_SLOWNESS_WHOLE 65535 /* the slowness of a walker that makes no way at all */
#define WEND_PLAN_WAIT 30u        /* steps from a plan to the next one */
#define WEND_ROUND 30u            /* steps from one round of ways around to the next: see jam.c */
#define WEND_DETOURS 8u           /* ways around jams that are looked for at the same time */
#define WEND_DETOURS_MOST 8u      /* for one aim: walkers that block two doors in turn do not send it to and fro for ever */
#define WEND_PATH_PIECE 8u        /* cells: see wend_crowd_mark_path */
#define WEND_EDITS_FEW 16u        /* so few edits: walkers skip those parts of their paths that are far from all */
#define WEND_CROWD_LEVELS 34u     /* sizes of bodies, each twice the one before: from WEND_WALKER_MIN to WEND_WALKER_MAX */

/* Where a walker was sent. */
enum {
  AIM_NONE,
  AIM_PLACE, /* to `aim` */
  AIM_SPOT,  /* to a spot of its own around `aim`, the goal of its group: the last point of its route */
  AIM_GIVEN, /* along points, to the last one */
  AIM_OPEN   /* to a goal that the caller chooses when it plans */
};

/* The flags of a body. */
#define BODY_PAUSED 1u   /* does not make way */
#define BODY_MOVING 2u   /* has somewhere to go, or comes back to where it stood */
#define BODY_ARRIVED 4u  /* has arrived; with BODY_MOVING: has made way since, and comes back */
#define BODY_WALLED 8u   /* might touch a wall in this step */
#define BODY_TRAPPED 16u /* is in a closed cell, and leaves it whatever is in the way */

#define BODY_SQUEEZED 32u    /* was in a wall when the step began; others make way for it */
#define BODY_LIMITED 64u     /* its walker has an acceleration */
#define BODY_DEEP 128u       /* is in a wall when the step begins: in squeezed walkers, since the step before */
#define BODY_CROSSING 256u   /* crosses a link: it meets nobody and nothing */
#define BODY_TURNING 512u    /* goes to a corner of its route, not yet to the end */
#define BODY_NARROW 1024u    /* goes between two walls where no second one like it fits beside it */
#define BODY_PILED 2048u     /* overlapped another one when the step began: they were put into each other */
#define BODY_SAMPLED 4096u   /* is in a pile of so many that it met only some of them */
#define BODY_PASSING 8192u   /* passes through others that do not stand firm */
#define BODY_PIERCING 16384u /* and was opposed in the step before: those behind it follow */

/* Tags that are closed for some walkers: see closed.c. */
typedef struct wend_closed_set {
  wend_closed_tags tags;
  uint8_t *blocks; /* of the cells of the grid, row by row (solid.c): whether one is solid or has a wall */
  uint32_t blocks_capacity;
  uint32_t walkers; /* that have the set; of set 0 they are not counted */
  bool in_group;    /* by spots.c: a walker of the group has it */
  uint64_t serial;  /* no other set of the crowd ever has the same; of set 0: 0 */
} wend_closed_set;

typedef struct wend_segment {
  double x1, y1, x2, y2;
} wend_segment;

/* The goals of a field: a walker arrives on any of them. Walkers on equal areas share one: walker->area is its number, from 1. */
typedef struct wend_goal_area {
  wend_id *cells; /* ascending */
  uint32_t cells_capacity, count;
  uint32_t party; /* of the walkers that have places there: they may change them */
} wend_goal_area;

/* The segments near a walker: all whose distance from (x, y) is at most `reach`, sorted by distance. */
typedef struct wend_solids {
  double x, y, reach;
  uint64_t version; /* of the solids; 0: nothing was looked up yet */
  uint32_t count;
  bool inside; /* the point lies in a closed cell */
  wend_segment segments[WEND_SOLIDS_NEAR];
} wend_solids;

/* How a walker chases. */
enum {
  CHASE_NONE,
  CHASE_REACH, /* it comes in reach of the target */
  CHASE_ANGLE, /* it keeps to the place at an angle from the heading of the target */
  CHASE_RING   /* it keeps to a place beside the target */
};

/* A chase: see chase.c. */
typedef struct wend_pursuit {
  wend_id quarry;  /* the target, a walker; WEND_NO_ID: it is one of the caller */
  uint32_t target; /* the number of this */
  uint32_t ring;   /* of CHASE_RING: the number of wend_crowd_surround, as of a party; else 0 */
  double distance, angle;
  double aside_x, aside_y; /* the place, seen from the target */
  double sent_x, sent_y;   /* the goal that it was sent to last; in reach, where that was when it got there */
  uint8_t kind;
  uint8_t wait, tries; /* steps until it tries again to get to its place; how often it has tried */
  uint8_t skip;        /* steps until it looks again where its target is */
  bool sent;           /* it was sent somewhere */
  bool reached, told;  /* it is in reach; an event said so */
} wend_pursuit;

/* A target of the caller. */
typedef struct wend_crowd_target_item {
  wend_chase_target at;
  uint32_t chasers; /* at least so many chase it since the last step */
} wend_crowd_target_item;

/* The place of a walker in the layout of its group: see follow.c. It counts while the walker has its party. */
typedef struct wend_layout {
  double x, y;         /* from the goal */
  double way_x, way_y; /* unturned: the direction for which x and y are turned now, of length 1 */
  double behind;       /* in one step: how far it is behind its place, or how much longer its way is than the leader's */
  bool laid, unturned; /* it has a place; that will be turned along the last leg of the first plan */
  bool together;       /* its group goes at the speed of the slowest */
  bool in_lane;        /* in one step: it sees its place beside the leader */
} wend_layout;

/* A group that goes together, in one step. */
typedef struct wend_crowd_troop {
  double slowest, file, behind; /* the speed; how long the group is in a file; how far the last one is behind */
  double off;                   /* of the leader: the square of the distance of its place from the goal */
  double extent;                /* the distance of the farthest place from that of the leader, with its radius */
  uint32_t leader, last; /* by place; WEND_NONE: none. last: of those beside the leader, the one that is farthest behind */
} wend_crowd_troop;

/* A place near which a walker stays, and for how long: see stays_near in arrive.c. */
typedef struct wend_stay {
  double x, y, seconds;
} wend_stay;

/* What wend_index_sort reads comes first, on one cache line. */
typedef struct wend_walker {
  double x, y, radius, speed;
  double acceleration;         /* the most; 0: no limit */
  double push_x, push_y;       /* a velocity that fades */
  uint8_t state;               /* wend_walker_state */
  uint8_t events;              /* a bit for each kind that the current update has listed */
  bool passing, opposed;       /* it passes through other walkers; it was opposed in the last step */
  bool squeezed;               /* it is in a wall: it was put there, or the grid was edited */
  bool at_rest;                /* WEND_WALKER_WAITING, WEND_WALKER_ARRIVED: it stands; false: it has made way, and comes back */
  bool paused, lost, reported; /* lost: it sees no point of its route; reported: an event said so */
  double before_x, before_y;   /* at the beginning of the last step */
  double vx, vy;               /* the displacement of the last step, by its time */
  double face_x, face_y;       /* the smoothed velocity */
  double home_x, home_y;       /* the goal; of one that was never sent anywhere, where it stands */
  double patience;
  wend_stay stay;
  double squeeze;  /* after so many seconds without progress it passes through others; INFINITY: never */
  double going;    /* the speed on the ground where this step begins */
  double *factors; /* of its speed, by tag */
  uint32_t factor_count, factors_capacity;
  bool weighed;                    /* its speed is also divided by the weight of the cell */
  double side_bias;                /* how much it keeps to the side, 0 .. 1 */
  double best_left, progress_mark; /* the least remaining distance so far, see change_spots; the same to its place, if it comes
                                    * back there. The mark is infinite after the next point has become another one */
  double route_left;               /* the length of the route after the next point */
  double stall;                    /* seconds since `best_left` got less, or the mark */
  double queue_time;               /* the same, but not more than that of the walker ahead in a queue */
  uint64_t looked;                 /* the step after the one in which it looked for its route last */
  /* x and y of each point of the route; the last is the goal. Behind them `times` and `plus` of each tag of the grid for this
   * walker, the indexes of the points where a link begins, ascending, the cells of the path that it follows, and marks of these. */
  double *points;
  uint32_t points_capacity, point_count, next;
  uint32_t tag_count, link_count, cell_count;
  /* The height, at the beginning of the last step, and at the end of its link. The heights of the points; height_count is 0, or
   * point_count. */
  double height, before_height, cross_height;
  double *heights;
  uint32_t heights_capacity, height_count;
  double cross_x, cross_y; /* where the link ends that it crosses, or has crossed last; where it begins; what is left of it, */
  double cross_from_x, cross_from_y, cross_left; /* in cells that the walker would pass in the same time */
  uint32_t cross_tag;
  uint8_t links; /* wend_walker_links */
  bool crossing; /* it is on its way over a link */
  bool rushes;   /* it does not slow down before its goal */
  bool careful;  /* it keeps to ground that is not dearer than that of its route */
  /* The layers of its route, which it keeps: they are part of what ground costs. */
  wend_influence_use *layers;
  uint32_t layer_count, layers_capacity;
  uint32_t goal; /* the index of the goal; WEND_NONE: none */
  wend_layout layout;
  uint32_t party; /* walkers sent by one wend_crowd_go_group, which may change spots; 0: none */
  uint32_t slot;
  uint32_t groups, avoids;
  uint32_t closed; /* the number of its closed set */
  uint32_t area;   /* the number of its area; 0: none */
  wend_pursuit chase;
  uint32_t blocker; /* the slot of what was ahead of it and near; WEND_NONE: nothing was */
  int32_t priority;
  uint16_t slowness; /* the part of the speed it wants that it lacks, smoothed, in 1/65535 */
  uint16_t slow;     /* the steps for which that has been more than half */

  /* Its plan: see plan.c. */
  uint8_t aim;
  bool planned;        /* its route is a plan for its aim */
  bool wanted, around; /* it wants a plan; a way around a jam */
  bool unplanned;      /* its plan was put off */
  bool in_round;       /* by jam.c, in one round */
  bool partial;        /* its route ends before its aim */
  bool has_no_way;     /* there was no way to its goal: it stands */
  double aim_x, aim_y;
  double last_order_x, last_order_y; /* the goal that it was given last, as far as that is known */
  double plan_x, plan_y;             /* where it was when it got its last plan */
  uint64_t plan, detour;             /* the numbers of the plan and of the way around that the caller looks for; 0: none */
  uint64_t again;                    /* the first step in which it may plan again */
  uint64_t due;                      /* the step in which it plans again; 0: none */
  uint64_t slow_since;               /* the step after which it began to wait for a way around; 0: it does not */
  uint32_t tries;                    /* how many plans it has got near plan_x, plan_y */
  uint32_t detours;                  /* how many ways around it has got to its aim */
} wend_walker;

/* What the search for neighbours reads of a body. */
typedef struct wend_body_spot {
  double x, y, radius;
  double reach; /* the radius, and how far it may get in this step */
  uint32_t groups, avoids;
} wend_body_spot;

/* What one step reads of a walker. */
typedef struct wend_body {
  double x, y, vx, vy, push_x, push_y;
  double want_x, want_y; /* the unit vector of the direction to go; 0, 0: it wants to stand */
  double want;           /* the speed it wants */
  double radius, speed, side_bias;
  double cap; /* how far it may get in this step */
  double stall;
  double aim_x, aim_y, far; /* the corner it goes to, and the distance */
  double height;
  double queue_time;
  uint32_t place, slot;
  uint32_t tie; /* the slot in another order, which depends on the seed: decides ties */
  uint32_t groups, avoids;
  uint32_t quarry; /* the slot of the one that it chases */
  int32_t priority;
  uint32_t flags;
  uint32_t goal;
} wend_body;

/* What holds a body up that it may pass through, from the weakest on. */
typedef enum wend_opposition {
  OPPOSED_NOT,
  OPPOSED_BEHIND, /* it is behind one that passes through others */
  OPPOSED_AHEAD   /* others stand on its way, or come towards it */
} wend_opposition;

/* What a step computes of a body. */
typedef struct wend_motion {
  double x, y; /* where it is */
  double side_bias, queue_time;
  double beside_other;     /* touches one whose place is the goal: half the sum of their radii; 0: none */
  uint32_t moved;          /* the last iteration that moved it */
  uint32_t blocker;        /* the nearest one ahead, by slot */
  wend_opposition opposed; /* what holds it up */
  bool back;               /* it was sent back to where the step began */
  bool beside_same;        /* touches one that has arrived at the same goal and is nearer to it */
  bool before;             /* and such a one is in the way there */
  bool crossed;            /* comes back to its place, and cannot pass one that it touches */
  bool overlaps;           /* it overlapped another one when the step began */
  bool free;               /* is in nobody's lane */
} wend_motion;

typedef struct wend_body_pair {
  uint32_t a, b;
  double share; /* the part of a correction that `a` takes; b takes the rest */
} wend_body_pair;

/* A walker or a spot that is sorted, each with a number of its own. */
typedef struct wend_crowd_item {
  double x, y;
  double key;
  uint32_t number;
} wend_crowd_item;

/* A goal of one walker or more. */
typedef struct wend_crowd_goal {
  double x, y;
  uint32_t walkers; /* that have it; 0: the goal can be reused */
  uint32_t arrived;
  double throng; /* by arrive.c, in one step: the squares of the radii of those that are near it, added up */
  uint32_t next; /* in the same bucket, or of the goals to be reused; WEND_NONE: the last */
} wend_crowd_goal;

/* What a cell that walkers are on in a jam costs. */
typedef struct wend_jam_place {
  double moving, dear; /* what moving walkers, and all, add to its price */
  double paused_part;  /* the part of it that is under a paused walker */
} wend_jam_place;

/* A way around that the caller looks for. */
typedef struct wend_jam_detour {
  uint64_t plan;         /* its number; 0: none */
  uint32_t first, count; /* the cells of the jam, in jam_ways */
  bool has_paused;       /* a walker is paused there: then count is 0 */
} wend_jam_detour;

/* The bodies of one size, sorted by cells. The cells lie on a torus of `wide` x `high` buckets, both powers of 2. */
typedef struct wend_crowd_level {
  double cell;           /* the side of a cell; 0: no body has this size */
  double radius, reach;  /* the largest ones of its bodies; reach: how far a body can touch another in one step */
  uint32_t first, count; /* its bodies */
  uint32_t starts;       /* where its buckets begin in crowd->starts */
  uint32_t wide, high;
} wend_crowd_level;

struct wend_crowd {
  wend_alloc alloc;
  const struct wend_grid *grid; /* NULL: none */
  double tall;                  /* walkers whose heights differ by so much do not meet; 0: all are at one height */
  uint64_t steps;
  double pending; /* seconds that no step has used up */

  wend_slots slots; /* their values are places */
  wend_walker *walkers;
  wend_solids *solids;
  uint32_t *cells, *order; /* the bucket of each walker; the place of each body */
  wend_body *bodies;
  wend_body_spot *spots; /* of the bodies */
  wend_motion *motions;
  wend_crowd_item *found;   /* by wend_crowd_near */
  wend_crowd_event *events; /* WEND_EVENTS_EACH for each walker */
  uint32_t count, capacity; /* of walkers; room in the arrays above */
  uint32_t event_count;
  uint32_t parties; /* the last number of a party */
  uint64_t seed;
  uint32_t ties; /* what the seed changes in slots: see wend_body; 0 if the seed is 0 */

  wend_crowd_level levels[WEND_CROWD_LEVELS];
  uint32_t level_begin, level_end; /* all bodies are in these levels: level_begin .. level_end - 1 */
  uint32_t *starts;
  uint32_t starts_capacity;
  bool indexed; /* the index knows where the walkers are now: for wend_crowd_near */
  wend_body_pair *pairs;
  uint32_t pair_count, pairs_capacity;
  bool passing;        /* some body of this step is BODY_PASSING */
  bool piled, sampled; /* some body of this step is BODY_PILED, BODY_SAMPLED */

  wend_segment *walls;
  uint32_t wall_count, walls_capacity;
  wend_rtree tree;        /* of the walls */
  uint64_t solid_version; /* rises when walls are added; or when the grid was edited, and it is not known where */
  uint64_t grid_version;
  wend_closed_set *closed_sets; /* with a grid: at least one */
  uint32_t closed_count, closed_sets_capacity;
  uint64_t closed_serial; /* the last serial of a set */
  wend_goal_area *areas;
  uint32_t area_count, areas_capacity;
  wend_id *area_way; /* by spots.c: the cells to a place in an area */
  uint32_t area_way_capacity;
  uint64_t blocks_noted;   /* the cursor of the blocks in the journal of the grid */
  uint64_t ground_version; /* of the grid, when `mixed` was found out; UINT64_MAX: it was not yet */
  bool mixed;              /* the open cells of the grid may have different costs */
  bool paced;              /* some walker may have factors of its speed */

  wend_crowd_goal *goals;
  uint32_t goal_count, goals_capacity, free_goal;
  uint32_t *goal_heads; /* buckets of goals by their bits */
  uint32_t goal_heads_capacity;

  wend_crowd_target_item *targets; /* of chases */
  uint32_t target_count, targets_capacity;
  bool chasing; /* some walker may chase */

  bool plans;               /* the caller answers plans */
  uint64_t edits_noted;     /* by plan.c: its cursor in the journal of the grid */
  uint64_t *edited;         /* bits by cell: it was edited; then: it or one beside it was. All are 0 between calls */
  uint32_t edited_capacity; /* in words */
  uint32_t edit_count;      /* of the cells that are marked; where the first ones of them are */
  int32_t edits_x[WEND_EDITS_FEW], edits_y[WEND_EDITS_FEW];
  uint64_t plan_count;        /* the number of the last plan */
  uint64_t jam_round;         /* the number of the round of ways around jams */
  uint64_t jam_marked;        /* the round for which what follows holds */
  wend_keys jam_cells;        /* the cells that walkers are on, from 0 */
  wend_jam_place *jam_places; /* by the numbers of these */
  uint32_t jam_places_capacity;
  wend_crowd_jam *jams; /* what the caller gets of them */
  uint32_t jam_count, jams_capacity;
  wend_jam_detour detours[WEND_DETOURS];
  wend_id *jam_ways;
  uint32_t jam_way_count, jam_ways_capacity;
  wend_keys spot_cells; /* by spots.c */
  bool together;        /* some group may go together; with the parties of these, and what is known of each in this step */
  wend_keys troop_parties;
  wend_crowd_troop *troops;
  uint32_t troops_capacity;
};

/* The tags that are closed for a walker; NULL: none, or there is no grid. */
WEND_INLINE const wend_closed_tags *wend_closed_tags_of(const wend_crowd *crowd, const wend_walker *w) {
  return w->closed == 0 ? NULL : &crowd->closed_sets[w->closed].tags;
}
/* The walker in a slot; NULL: there is none, or it is WEND_NONE. */
WEND_INLINE wend_walker *wend_walker_of_slot(const wend_crowd *crowd, uint32_t slot) {
  if (slot >= crowd->slots.count || crowd->slots.value[slot] == WEND_NONE) return NULL;
  return &crowd->walkers[crowd->slots.value[slot]];
}

/* Whether a walker is on its way to a goal. */
WEND_INLINE bool wend_walker_goes(const wend_walker *w) {
  return w->state == WEND_WALKER_MOVING || w->state == WEND_WALKER_STUCK;
}
/* Where a new route of a walker begins: where it is, or at the end of the link that it crosses. */
WEND_INLINE void wend_walker_start(const wend_walker *w, double *x, double *y) {
  *x = w->crossing ? w->cross_x : w->x, *y = w->crossing ? w->cross_y : w->y;
}
/* The cells of the path that a walker follows: cell_count numbers. */
WEND_INLINE const double *wend_crowd_path(const wend_walker *w) {
  return w->points + 2 * ((size_t)w->point_count + w->tag_count) + w->link_count;
}

/* Whether a number is a coordinate of a crowd. */
WEND_INLINE bool wend_is_crowd_coordinate(double x) {
  return x >= -WEND_CROWD_COORDINATE_MAX && x <= WEND_CROWD_COORDINATE_MAX;
}
/* The square of a length. */
WEND_INLINE double wend_square(double x, double y) { return x * x + y * y; }
/* Narrows the part of a straight way, 0 to 1, to what lies between two coordinates on an axis, along which it leads from `from` to
 * `to`. */
WEND_INLINE void wend_clip_way(double from, double to, double begin, double end, double *low, double *high) {
  if (to != from) {
    const double a = (begin - from) / (to - from), b = (end - from) / (to - from);
    *low = wend_most(*low, wend_least(a, b)), *high = wend_least(*high, wend_most(a, b));
  }
}

#endif
