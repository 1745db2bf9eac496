/* SPDX-License-Identifier: MIT */
/* The data of a follower. It walks along the straight chords of a row: the track itself, whose chords are its legs; or, on a
 * curve, the row of the current leg, which is made when the follower comes to that leg. Its position depends on one number, the
 * distance walked:
 *
 *   at of chord i                          the distance to the beginning of chord i
 *   at of i <= walked < at of i + 1        the follower is on chord i. It is not on a chord of length 0, except for the time of
 *                                          a stop
 *
 * For example, chords of length 3, 0 and 5 have at = 0, 3, 3, and the end is at 8. After walking 4, the follower is on the third
 * chord, 1 behind its beginning.
 *
 * `walked` is the sum of all steps. The rounding error of the sum is kept and subtracted from the next step (W. Kahan, "Further
 * remarks on reducing truncation errors", Communications of the ACM 8, 1965). So ten small steps and one large step lead to the
 * same place.
 *
 * A follower with paces or one that announces points goes another way through wend_follower_update: from event to event. */
#ifndef WEND_FOLLOW_DATA_H
#define WEND_FOLLOW_DATA_H

#include "move/follow/track.h"

#define WEND_ROUNDING (1.0 / (1ull << 50)) /* the share of the length before the end that counts as the end */

/* What a tag does to the follower. */
typedef struct wend_paced {
  double factor;
  bool stop;
  uint32_t name, length; /* its name in `names` */
} wend_paced;

struct wend_follower {
  wend_alloc alloc;
  wend_curve_kind kind;
  double spacing; /* 0: the default */
  wend_follow_links links;
  bool loop, announces;
  wend_clear_fn clear;
  void *clear_ud;

  /* What every update needs. A chord begins at `from`, there is `point`, and `unit` leads on per unit of distance. */
  double walked, upto, lost; /* upto: where the chord ends; lost: the rounding error of the sum */
  double from, point[3], unit[3];
  double heading, turn; /* where the chord begins; the change per unit */
  double speed;
  double finish;  /* the distance to the end of the row */
  double length;  /* of the way; INFINITY: a loop; < 0: not known yet */
  uint32_t chord; /* from 0: of the track, its slot - 1 */
  bool on_row;    /* it is on `row`; false: on the track */
  wend_follower_place place;

  wend_track track, next_track; /* next_track: what go fills */
  wend_leg_row row, next_row;   /* next_row: what is made next */

  /* Events. */
  wend_paced *paces;
  char *names;
  uint32_t *by_tag; /* by tag of the map: the pace + 1; 0: none */
  uint32_t paces_capacity, names_capacity, by_tag_capacity, pace_count, names_length;
  uint32_t tag_count;    /* of the map, when by_tag was made */
  const wend_map *known; /* the map of by_tag */
  bool active;           /* it has paces, or announces points */
  bool stops, slows;     /* some pace is a stop; has a factor */
  bool paused, begun;    /* begun: it has looked whether the leg at event_slot is a stop */
  uint32_t waiting;      /* the pace at whose leg it waits, + 1; 0: none */
  uint32_t event_slot;
  double time, lap_time; /* what is left of the update; what was left when the lap began: < 0: none has */
  uint32_t passed;       /* points in a row without walking */
};

/* Whether the track of the follower is its row. */
WEND_INLINE bool wend_follower_is_straight(const wend_follower *f) { return f->kind == WEND_LINEAR; }

/* What makes a row asks `clear`, and may leave by longjmp; nothing has changed then. */

/* ---- chords.c: the chords on which it walks ---- */

/* Puts the follower on a chord. */
void wend_follower_enter(wend_follower *f, uint32_t chord);
/* Puts it on the chord at a distance, of a row that goes on: the last one that begins there or earlier, from `chord` on. */
void wend_follower_enter_at(wend_follower *f, double walked, uint32_t chord);
/* Sets its position on its chord, at the distance walked. */
void wend_follower_set_place(wend_follower *f);
/* Makes the row of a leg of a curve in f->next_row. NO_MEMORY. */
wend_status wend_follower_make_row(wend_follower *f, const wend_track *track, uint32_t slot, double base, double heading);
/* That row becomes the row of the follower. */
void wend_follower_take_row(wend_follower *f, uint32_t slot);
/* Puts the follower on a leg of a curve, which begins at the distance `base`. NO_MEMORY. */
wend_status wend_follower_enter_leg(wend_follower *f, uint32_t slot, double base, double heading);
/* Puts it at the end. */
void wend_follower_arrive(wend_follower *f);

/* ---- events.c: tags, stops and speeds by tag ---- */

/* Adds a pace, for which there is room. */
void wend_follower_add_pace(wend_follower *f, const wend_pace *pace);
/* Whether the leg at a slot is a stop: its pace; NULL: it is none. */
const wend_paced *wend_follower_stop(const wend_follower *f, const wend_track *track, uint32_t slot);
/* Looks up the tags of a map. NO_MEMORY. */
wend_status wend_follower_know_tags(wend_follower *f, const wend_map *map);
/* A new track begins. */
void wend_follower_begin_events(wend_follower *f);
/* Puts a follower with events on the leg at a slot, also if its length is 0. NO_MEMORY. */
wend_status wend_follower_enter_slot(wend_follower *f, uint32_t slot, double base, double heading);

/* ---- join.c: how it joins new points ---- */

/* The slot of a new track that the follower joins. It goes from its position to the end of the leg there; 1: to the first point.
 * *left: the part of the next leg, from its end, that is left; or -1. direction: of length 1; NULL: it has none. */
uint32_t wend_follower_join(const wend_follower *f, const wend_track *track, const double *direction, double *left);

#endif
