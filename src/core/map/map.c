/* SPDX-License-Identifier: MIT */
/* Serial numbers, tags and weight statistics of maps. map.h describes the data.
 *
 * Invariant: tags are numbered 1, 2, 3, ... without gaps; tag t has number t - 1 in tag_names. They are never removed, except those
 * of an overlay's file that is refused. */
#include "core/map/map.h"

#include <math.h>
#include <string.h>

#include "core/base/bits.h"

WEND_NO_FUSING

/* The only global variable of the core. Without the atomics of C11, only one thread at a time may create maps. */
static wend_counter serials;
uint64_t wend_map_new_serial(void) { return wend_count_up(&serials) + 1; }

uint64_t wend_map_version(const wend_map *map) { return map->version; }

/* The tag is now one that the map itself may have. */
static void own_tag(wend_map *map, uint32_t tag) {
  if (tag <= map->own_tags) return;
  map->own_tags = tag;
  map->labels++;
}

/* Appends a name. NO_MEMORY. */
static wend_status append_tag(wend_map *map, const char *name, size_t length) {
  map->labels++;
  return wend_names_set(&map->tag_names, &map->alloc, map->tag_names.count, name, length) ? WEND_OK : WEND_NO_MEMORY;
}

wend_status wend_map_copy_tags(wend_map *map, const wend_map *base) {
  wend_status status = WEND_OK;
  while (status == WEND_OK && map->tag_names.count < base->tag_names.count) {
    size_t length = 0;
    const char *name = wend_names_text(&base->tag_names, map->tag_names.count, &length);
    status = append_tag(map, name, length);
  }
  if (status == WEND_OK) own_tag(map, base->own_tags);
  return status;
}

void wend_map_forget_tags(wend_map *map, uint32_t count) {
  for (; map != NULL; map = map->derived != NULL ? map->derived->base : NULL)
    while (map->tag_names.count > count) wend_names_remove(&map->tag_names, &map->alloc, map->tag_names.count - 1);
}

/* The number of a tag, which is the same in a map and in its overlays: so the base of an overlay gets the name first. */
static wend_status name_tag(wend_map *map, const char *name, size_t length, uint32_t *tag) {
  const uint32_t number = wend_names_find(&map->tag_names, name, length);
  *tag = number + 1;
  if (number != WEND_NONE) return WEND_OK;
  if (map->derived != NULL) {
    const wend_status status = name_tag(map->derived->base, name, length, tag);
    return status == WEND_OK ? wend_map_copy_tags(map, map->derived->base) : status;
  }
  if (map->tag_names.count >= WEND_TAG_MAX) return WEND_NO_MEMORY;
  *tag = map->tag_names.count + 1;
  return append_tag(map, name, length);
}

wend_status wend_map_tag(wend_map *map, const char *name, size_t length, uint32_t *tag) {
  const wend_status status = name_tag(map, name, length, tag);
  if (status == WEND_OK) own_tag(map, *tag);
  return status;
}

uint32_t wend_map_tag_count(const wend_map *map) { return map->tag_names.count; }

const char *wend_map_tag_name(const wend_map *map, uint32_t tag, size_t *length) {
  return tag == WEND_UNTAGGED ? NULL : wend_names_text(&map->tag_names, tag - 1, length);
}

uint64_t *wend_scale_of(wend_scales *scales, double weight) {
  uint64_t bits;
  int scale;
  scales->changed = true;
  if (weight == 0) return &scales->zeros;
  memcpy(&bits, &weight, sizeof bits);
  scale = (int)((bits >> 52) & 0x7ff) - 1023 + WEND_SCALES / 2; /* the binary exponent; denormals give the first scale */
  return &scales->count[scale < 0 ? 0 : scale >= WEND_SCALES ? WEND_SCALES - 1 : scale];
}

double wend_scales_typical(const wend_scales *scales) {
  uint64_t all = 0, below = 0;
  int scale = 0;
  if (!scales->changed) return scales->typical;
  for (int i = 0; i < WEND_SCALES; i++) all += scales->count[i];
  if (all == 0) return 0;
  while (2 * (below + scales->count[scale]) < all) below += scales->count[scale++];
  /* Interpolates as if the weights were spread evenly over the scale: the example of map.h. */
  return ldexp(1 + ((double)all / 2 - (double)below) / (double)scales->count[scale], scale - WEND_SCALES / 2);
}

void wend_scales_settle(wend_scales *scales) {
  scales->typical = wend_scales_typical(scales);
  scales->changed = false;
}

/* ---- The journal -------------------------------------------------------------------------------------------- */

/* The least size of a journal. */
#define JOURNAL_MIN 64u

/* The journal has room for at least JOURNAL_MIN changes, and for one for each 32 places. */
void wend_note_change(wend_journal *journal, const wend_alloc *alloc, uint32_t change, uint32_t place_count) {
  if (journal->capacity == 0) {
    uint32_t capacity = JOURNAL_MIN;
    while (capacity < place_count / 32) capacity *= 2;
    journal->first = journal->end;
    if (!WEND_RESIZE(alloc, journal->changes, journal->capacity, capacity)) {
      wend_note_all(journal); /* without memory for a journal every change is lost */
      return;
    }
  }
  journal->changes[journal->end++ & (journal->capacity - 1)] = change;
}
