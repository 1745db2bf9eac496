/* SPDX-License-Identifier: MIT */
/* Which parts of a map one search enters: pruning.h describes the data. */
#include "core/prepared/pruning.h"

#include <string.h>

WEND_NO_FUSING

void wend_pruning_free(wend_pruning *opening, const wend_alloc *alloc) {
  WEND_FREE(alloc, opening->stamps, opening->stamps_capacity);
}

/* The dead ends of a map; NULL: it has none, or none for its number of places. */
static const wend_dead_ends *ends_of(const wend_map *map) {
  const wend_dead_ends *ends = map->ends;
  const uint32_t places = map->is_grid ? ((const wend_grid *)map)->place_count : ((const wend_graph *)map)->place_count;
  return ends != NULL && ends->place_count >= places ? ends : NULL;
}

/* ---- Edits ------------------------------------------------------------------------------------------------- */

/* Looks at a step between two places. */
static void look_at_one_step(wend_ends_seen *seen, const wend_dead_ends *ends, uint32_t u, uint32_t v) {
  const uint32_t a = ends->part_of[u], b = ends->part_of[v];
  if (seen->off || wend_dead_ends_agree(ends, u, v)) return;
  for (uint32_t i = 0; i < seen->joined_count; i++)
    if ((seen->joined[i][0] == a && seen->joined[i][1] == b) || (seen->joined[i][0] == b && seen->joined[i][1] == a)) return;
  if (seen->joined_count == JOINED_MAX) {
    seen->off = true;
    return;
  }
  seen->joined[seen->joined_count][0] = a;
  seen->joined[seen->joined_count++][1] = b;
}

/* Looks at all steps at a place. */
static void look_at_place(wend_ends_seen *seen, const wend_map *map, const wend_region *region, const wend_dead_ends *ends,
                          uint32_t place) {
  uint32_t cursor = 0, to;
  if (!wend_is_present(map, region, place)) return;
  while ((to = wend_next_beside(map, region, place, &cursor)) != WEND_NONE) look_at_one_step(seen, ends, place, to);
}

/* Looks at the steps that a change may have added. On a grid, an open cell or a wall less may also allow diagonal steps past the
 * cell, between two of its neighbours. */
static void look_at_steps_of(wend_ends_seen *seen, const wend_map *map, const wend_region *region, const wend_dead_ends *ends,
                             uint32_t change) {
  if (!map->is_grid) {
    if ((change & CHANGED_NODE) == 0) look_at_place(seen, map, region, ends, change);
    return;
  }
  look_at_place(seen, map, region, ends, change);
  look_at_place(seen, map, region, ends, (uint32_t)(change + wend_offset(region->stride, NORTH)));
  look_at_place(seen, map, region, ends, (uint32_t)(change + wend_offset(region->stride, SOUTH)));
}

/* Looks at all changes since the last call. */
static void look_at_edits(wend_ends_seen *seen, const wend_map *map, const wend_dead_ends *ends) {
  const wend_region region = wend_whole_map(map);
  wend_changes changes;
  uint32_t change;
  if (wend_read_changes(&map->journal, &seen->cursor, &changes)) {
    while (!seen->off && wend_next_change(&changes, &change)) look_at_steps_of(seen, map, &region, ends, change);
  } else { /* the journal has lost changes: any step may be new */
    const uint32_t places = map->is_grid ? ((const wend_grid *)map)->place_count : ((const wend_graph *)map)->place_count;
    for (uint32_t place = 0; !seen->off && place < places; place++) look_at_place(seen, map, &region, ends, place);
  }
}

/* What the search object knows of a map; if it is nothing, in place of what was not used for the longest time. */
static wend_ends_seen *seen_of(wend_pruning *opening, const wend_dead_ends *ends) {
  wend_ends_seen *oldest = &opening->seen[0];
  for (uint32_t i = 0; i < ENDS_SEEN_MAX; i++) {
    wend_ends_seen *one = &opening->seen[i];
    if (one->stamp == ends->stamp) return one;
    if (one->used < oldest->used) oldest = one;
  }
  memset(oldest, 0, sizeof *oldest);
  oldest->stamp = ends->stamp;
  oldest->cursor = ends->noted;
  return oldest;
}

/* ---- Entering ---------------------------------------------------------------------------------------------- */

/* Enters all parts on the way between two. */
static void enter_way(wend_pruning *opening, const wend_dead_end *parts, uint32_t a, uint32_t b) {
  for (;;) {
    opening->stamps[a] = opening->stamps[b] = opening->stamp;
    if (a == b) break;
    if (a > b) a = parts[a].parent;
    else b = parts[b].parent;
  }
  opening->doors[opening->door_count++] = parts[a].attached;
}

bool wend_pruning_begin(wend_pruning *opening, const wend_alloc *alloc, const wend_map *map) {
  const wend_dead_ends *ends = ends_of(map);
  const uint32_t known = opening->stamps_capacity;
  wend_ends_seen *seen;
  wend_pruning_none(opening);
  if (ends == NULL) return true;
  seen = seen_of(opening, ends);
  seen->used = ++opening->clock;
  look_at_edits(seen, map, ends);
  if (seen->off) return true;
  if (!WEND_GROW(alloc, opening->stamps, opening->stamps_capacity, ends->part_count)) return false;
  if (opening->stamps_capacity > known)
    memset(opening->stamps + known, 0, (opening->stamps_capacity - known) * sizeof *opening->stamps);
  if (++opening->stamp == 0) {
    memset(opening->stamps, 0, opening->stamps_capacity * sizeof *opening->stamps);
    opening->stamp = 1;
  }
  opening->part_of = ends->part_of;
  opening->ends_stamp = ends->stamp;
  opening->seen_at = (uint32_t)(seen - opening->seen);
  opening->joined_count = seen->joined_count;
  opening->top = WEND_NONE;
  return true;
}

/* The parts that are entered so far are a tree, and `top` is its root. A part has a greater number than its parent, so whichever
 * of a part and the top is greater is not above the other. */
void wend_pruning_enter(wend_pruning *opening, const wend_map *map, uint32_t place) {
  const wend_dead_end *parts;
  const uint32_t stamp = opening->stamp;
  uint32_t part;
  if (opening->part_of == NULL) return;
  parts = map->ends->parts;
  part = opening->part_of[place];
  if (opening->top == WEND_NONE) opening->top = part;
  opening->stamps[opening->top] = stamp;
  while (part != opening->top && opening->stamps[part] != stamp) {
    if (part > opening->top) {
      opening->stamps[part] = stamp;
      part = parts[part].parent;
    } else {
      opening->top = parts[opening->top].parent;
      opening->stamps[opening->top] = stamp;
    }
  }
}

void wend_pruning_join(wend_pruning *opening, const wend_map *map) {
  const wend_ends_seen *seen = &opening->seen[opening->seen_at];
  if (opening->part_of == NULL) return;
  opening->doors[0] = map->ends->parts[opening->top].attached;
  opening->door_count = 1;
  for (uint32_t i = 0; i < seen->joined_count; i++)
    enter_way(opening, map->ends->parts, seen->joined[i][0], seen->joined[i][1]);
}

void wend_pruning_resume(wend_pruning *opening, const wend_map *map) {
  const wend_dead_ends *ends = ends_of(map);
  opening->part_of = ends != NULL && ends->stamp == opening->ends_stamp ? ends->part_of : NULL;
}

bool wend_pruning_holds(wend_pruning *opening, const wend_map *map) {
  const wend_dead_ends *ends = ends_of(map);
  wend_ends_seen *seen = &opening->seen[opening->seen_at];
  if (opening->ends_stamp == 0) return true;
  if (ends == NULL || ends->stamp != opening->ends_stamp || seen->stamp != ends->stamp) return false;
  look_at_edits(seen, map, ends);
  return !seen->off && seen->joined_count == opening->joined_count;
}
