/* SPDX-License-Identifier: MIT */
/* Tags, stops and speeds by tag: see events.c. */
#ifndef WEND_FOLLOW_EVENTS_H
#define WEND_FOLLOW_EVENTS_H

#include "core/follow/data.h"

/* The pace of a tag; NULL: none. */
const wend_paced *wend_follower_pace(const wend_follower *f, uint32_t tag);
/* The tag of the leg at a slot: of its edge, or of its portal. */
uint32_t wend_follower_leg_tag(const wend_track *track, uint32_t slot);
/* Looks up the tags of a map. NO_MEMORY. */
wend_status wend_follower_know_tags(wend_follower *f, const wend_map *map);
/* A new track begins. */
void wend_follower_begin_events(wend_follower *f);
/* Puts a follower with events on the leg at a slot, also if its length is 0. It may leave by longjmp. NO_MEMORY. */
wend_status wend_follower_enter_slot(wend_follower *f, uint32_t slot, double base, double heading);

#endif
