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

#include "core/follow/track.h"

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

#endif
