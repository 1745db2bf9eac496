/* SPDX-License-Identifier: MIT */
/* The chords of a follower: see chords.c. What makes a row may leave by longjmp; nothing has changed then. */
#ifndef WEND_FOLLOW_CHORDS_H
#define WEND_FOLLOW_CHORDS_H

#include "core/follow/data.h"

/* The chords on which the follower walks, as slots; and the number of the one after the last. */
const double *wend_chords_of(const wend_follower *f);
uint32_t wend_chords_end(const wend_follower *f);
/* The chord at the distance `walked`: the last one that begins there or earlier, from `chord` on, before `last`. */
uint32_t wend_chord_at(const double *row, double walked, uint32_t chord, uint32_t last);
/* Puts the follower on a chord. */
void wend_follower_enter(wend_follower *f, uint32_t chord);
/* Puts it on the chord at the distance walked, of a row that goes on. */
void wend_follower_next_chord(wend_follower *f);
/* Sets its position on its chord, at the distance walked. */
void wend_follower_set_place(wend_follower *f);
/* Makes the row of a leg of a curve in f->next_row. NO_MEMORY. */
wend_status wend_follower_make_row(wend_follower *f, const wend_track *track, uint32_t slot, double base, double heading);
/* That row becomes the row of the follower. */
void wend_follower_take_row(wend_follower *f, uint32_t slot);
/* Where a row ends. */
double wend_row_end(const wend_leg_row *row);
/* Puts the follower on a leg of a curve, which begins at the distance `base`. NO_MEMORY. */
wend_status wend_follower_enter_leg(wend_follower *f, uint32_t slot, double base, double heading);
/* Puts it at the end. */
void wend_follower_arrive(wend_follower *f);

#endif
