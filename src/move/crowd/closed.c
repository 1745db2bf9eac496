/* SPDX-License-Identifier: MIT */
/* Which cells are closed for which walkers. A tag that the costs of a walker close makes its cells walls for the body of that
 * walker. Walkers whose costs close the same tags share a closed set: its number is walker->closed.
 *
 *     set 0    no tag: only what is closed on the grid
 *     set 1    lava                  3 walkers
 *     set 2    lava, locked doors    200 walkers, each with an agent of its own
 *
 * A set that no walker has any more is used again for other tags. */
#include "move/crowd/solid.h"
#include "move/crowd/step.h"

#include "core/map/grid.h"
#include "core/views/fit.h"

WEND_NO_FUSING

#define TOUCHES 0.05 /* in cells: so near to a cell, a body touches it */
#define BLOCKED 0.75 /* so does one that gets no farther: it stands in the last cell of its way that it can enter */
#define HALTS 0.25   /* slower than this part of its speed, it gets no farther */

/* Whether no path enters cells of a tag. An edge function may open a tag that it does not promise to keep closed. */
static bool is_closed_tag(const wend_tag_cost *tag) { return !(tag->plus < INFINITY) && !(tag->asks && tag->at_least <= 0); }

/* The number of tags up to the last closed one. */
static uint32_t count_closed(const wend_tag_cost *tags, uint32_t count) {
  while (count > 0 && !is_closed_tag(&tags[count - 1])) count--;
  return count;
}

static bool is_same_set(const wend_closed_set *set, const wend_tag_cost *tags, uint32_t count) {
  if (set->tags.count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    if ((set->tags.marks[i] != 0) != is_closed_tag(&tags[i])) return false;
  }
  return true;
}

/* The number of a set that no walker has; WEND_NONE: no memory. */
static uint32_t unused_set(wend_crowd *crowd) {
  for (uint32_t i = 1; i < crowd->closed_count; i++) {
    if (crowd->closed_sets[i].walkers == 0) return i;
  }
  if (!WEND_GROW_CLEAR(&crowd->alloc, crowd->closed_sets, crowd->closed_sets_capacity, crowd->closed_count + (uint64_t)1)) {
    return WEND_NONE;
  }
  return crowd->closed_count++;
}

/* The number of the set with these tags, of which the last is closed; WEND_NONE: no memory. */
static uint32_t find_set(wend_crowd *crowd, const wend_tag_cost *tags, uint32_t count) {
  wend_closed_set *set;
  uint32_t number;
  for (uint32_t i = 0; i < crowd->closed_count; i++) {
    if ((i == 0 || crowd->closed_sets[i].walkers > 0) && is_same_set(&crowd->closed_sets[i], tags, count)) return i;
  }
  number = unused_set(crowd);
  if (number == WEND_NONE) return WEND_NONE;
  set = &crowd->closed_sets[number];
  if (!WEND_GROW(&crowd->alloc, set->tags.marks, set->tags.capacity, count) || !wend_solid_add_blocks(crowd, set)) {
    return WEND_NONE;
  }
  for (uint32_t i = 0; i < count; i++) set->tags.marks[i] = is_closed_tag(&tags[i]);
  set->tags.count = count;
  set->serial = ++crowd->closed_serial;
  return number;
}

bool wend_closed_begin(wend_crowd *crowd) {
  if (!WEND_GROW_CLEAR(&crowd->alloc, crowd->closed_sets, crowd->closed_sets_capacity, 1)) return false;
  crowd->closed_count = 1;
  return true;
}

void wend_closed_free(wend_crowd *crowd, const wend_alloc *alloc) {
  for (uint32_t i = 0; i < crowd->closed_count; i++) {
    wend_closed_set *set = &crowd->closed_sets[i];
    WEND_FREE(alloc, set->tags.marks, set->tags.capacity);
    WEND_FREE(alloc, set->blocks, set->blocks_capacity);
  }
  WEND_FREE(alloc, crowd->closed_sets, crowd->closed_sets_capacity);
}

size_t wend_closed_bytes(const wend_crowd *crowd) {
  size_t bytes = crowd->closed_sets_capacity * sizeof *crowd->closed_sets;
  for (uint32_t i = 0; i < crowd->closed_count; i++) {
    bytes += crowd->closed_sets[i].tags.capacity + (size_t)crowd->closed_sets[i].blocks_capacity;
  }
  return bytes;
}

void wend_closed_leave(wend_crowd *crowd, wend_walker *w) {
  if (w->closed > 0) crowd->closed_sets[w->closed].walkers--;
  w->closed = 0;
}

wend_status wend_crowd_close(wend_crowd *crowd, wend_id id, const wend_tag_cost *tags, uint32_t count) {
  wend_walker *w = wend_walker_of_slot(crowd, wend_slots_find(&crowd->slots, id));
  uint32_t number;
  if (w == NULL || crowd->grid == NULL) return WEND_INVALID;
  count = tags != NULL ? count_closed(tags, count) : 0;
  if (is_same_set(&crowd->closed_sets[w->closed], tags, count)) return WEND_OK;
  number = find_set(crowd, tags, count);
  if (number == WEND_NONE) return WEND_NO_MEMORY;
  wend_closed_leave(crowd, w);
  w->closed = number;
  if (number > 0) crowd->closed_sets[number].walkers++;
  crowd->solids[w - crowd->walkers].version = 0;
  return WEND_OK;
}

uint64_t wend_crowd_closed(const wend_crowd *crowd, wend_id id) {
  const wend_walker *w = wend_walker_of_slot(crowd, wend_slots_find(&crowd->slots, id));
  return w == NULL || w->closed == 0 ? 0 : crowd->closed_sets[w->closed].serial;
}

wend_status wend_crowd_fit(const wend_crowd *crowd, wend_id id, struct wend_grid *grid, double radius) {
  const wend_walker *w = wend_walker_of_slot(crowd, wend_slots_find(&crowd->slots, id));
  const wend_status status = wend_grid_fit(grid, radius);
  if (status != WEND_OK || w == NULL || w->closed == 0) return status;
  return wend_fit_close(grid, wend_closed_tags_of(crowd, w));
}

uint32_t wend_crowd_bumps(const wend_crowd *crowd, wend_id id, const struct wend_grid *known, wend_id *cells, uint32_t most) {
  const wend_walker *w = wend_walker_of_slot(crowd, wend_slots_find(&crowd->slots, id));
  const struct wend_grid *grid = crowd->grid;
  const wend_closed_tags *tags;
  uint32_t count = 0;
  bool halts;
  double reach, right, bottom;
  if (w == NULL || grid == NULL || w->crossing || known->width != grid->width || known->height != grid->height) return 0;
  tags = wend_closed_tags_of(crowd, w);
  halts = w->planned && w->vx * w->vx + w->vy * w->vy < wend_square(HALTS * w->going, 0);
  reach = w->radius + (halts ? BLOCKED : TOUCHES);
  right = wend_least(w->x + reach, grid->width - 1.0), bottom = wend_least(w->y + reach, grid->height - 1.0);
  for (double y = wend_most(floor(w->y - reach), 0); y <= bottom; y++) {
    for (double x = wend_most(floor(w->x - reach), 0); x <= right; x++) {
      const double dx = w->x - wend_most(x, wend_least(w->x, x + 1)), dy = w->y - wend_most(y, wend_least(w->y, y + 1));
      if (count == most || dx * dx + dy * dy > reach * reach) continue;
      if (!wend_grid_is_solid_for(grid, (int64_t)x, (int64_t)y, tags)) continue;
      if (wend_grid_is_solid_for(known, (int64_t)x, (int64_t)y, tags)) continue;
      cells[count++] = wend_grid_cell(grid, (uint32_t)x, (uint32_t)y);
    }
  }
  return count;
}

bool wend_closed_is_away(const wend_crowd *crowd, const wend_walker *w, double *x, double *y) {
  const struct wend_grid *grid = crowd->grid;
  if (grid == NULL || w->crossing || !(*x >= 0 && *y >= 0 && *x < grid->width && *y < grid->height)) return false;
  return wend_solid_inside(crowd, w->closed, *x, *y) && wend_solid_exit(crowd, w->closed, *x, *y, w->radius, x, y);
}
