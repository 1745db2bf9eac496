/* SPDX-License-Identifier: MIT */
/* What joins and parts the cells of a grid: walls and portals; and what a grid that follows another one takes from it. grid.h
 * describes the data.
 *
 * Invariants: a wall is stored at both of its cells, and a directed one too; a border has at most one of the two. Between hexes that
 * are no neighbours there is always a wall (wend_lacking). Every portal is in `out` and in `in`. Every change raises the version of
 * the map. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/map/grid.h"

WEND_NO_FUSING

/* ---- Walls ------------------------------------------------------------------------------------------------- */

/* The direction from one place to a neighbour; 8: it is no neighbour. */
static int direction_to(const wend_grid *grid, uint32_t from, uint32_t to) {
  int direction = 0;
  while (direction < 8 && (int64_t)from + wend_offset(grid->stride, direction) != to) direction++;
  return direction;
}

bool wend_grid_are_neighbours(const wend_grid *grid, wend_id a, wend_id b) {
  const int64_t width = grid->width, one = (int64_t)a - 1, other = (int64_t)b - 1;
  const int64_t x = other % width - one % width, y = other / width - one / width;
  if (x < -1 || x > 1 || y < -1 || y > 1 || (x == 0 && y == 0)) return false;
  return (wend_lacking(grid, wend_grid_place(grid, a)) >> wend_direction((int)x, (int)y) & 1) == 0;
}

/* Before an edit of walls: arrays that no version shares, and room for walls. False: no memory. */
static bool ready_walls(wend_grid *grid, bool directed) {
  if (!wend_map_can_edit(&grid->map)) return false;
  if (grid->walls == NULL) {
    if (!WEND_RESIZE(&grid->map.alloc, grid->walls, grid->walls_capacity, grid->place_count)) return false;
    memset(grid->walls, 0, grid->place_count);
  }
  if (!directed || grid->directed != NULL) return true;
  if (!WEND_RESIZE(&grid->map.alloc, grid->directed, grid->directed_capacity, grid->place_count)) return false;
  memset(grid->directed, 0, grid->place_count * sizeof *grid->directed);
  return true;
}

unsigned wend_grid_border(const wend_grid *grid, uint32_t place, int direction) {
  if (grid->walls != NULL && (grid->walls[place] >> direction & 1) != 0) return BORDER_WALL;
  if (grid->directed == NULL) return BORDER_OPEN;
  return (grid->directed[place] >> direction & 1u) | (grid->directed[place] >> direction >> 7 & 2u);
}

/* Sets or clears the bits of a directed wall at both of its cells: it closes the step from a place in a direction. */
static void flip_directed(wend_grid *grid, uint32_t from, uint32_t to, int direction) {
  grid->directed[from] ^= (uint16_t)(1u << direction);
  grid->directed[to] ^= (uint16_t)(0x8000u >> direction);
}

wend_status wend_grid_set_border(wend_grid *grid, uint32_t from, int direction, unsigned closes) {
  const uint32_t to = (uint32_t)(from + wend_offset(grid->stride, direction));
  const uint8_t there = (uint8_t)(1u << direction), back = (uint8_t)(0x80u >> direction);
  const unsigned was = wend_grid_border(grid, from, direction), sides[2] = {BORDER_OUT, BORDER_BACK};
  if (was != closes && !ready_walls(grid, closes == BORDER_OUT || closes == BORDER_BACK)) return WEND_NO_MEMORY;
  if (grid->map.derived != NULL && !grid->map.derived->fog) {
    wend_derived *derived = grid->map.derived;
    if (derived->hidden_walls == NULL) {
      if (!WEND_RESIZE(&grid->map.alloc, derived->hidden_walls, derived->hidden_walls_capacity, grid->place_count))
        return WEND_NO_MEMORY;
      memset(derived->hidden_walls, 0, grid->place_count);
    }
    derived->hidden_walls[from] |= there;
    derived->hidden_walls[to] |= back;
  }
  if (was == closes) return WEND_OK;
  if ((was == BORDER_WALL) != (closes == BORDER_WALL)) grid->walls[from] ^= there, grid->walls[to] ^= back;
  for (unsigned i = 0; i < 2; i++) {
    if ((was == sides[i]) == (closes == sides[i])) continue;
    if (i == 0) flip_directed(grid, from, to, direction);
    else flip_directed(grid, to, from, 7 - direction);
    grid->directed_count += closes == sides[i] ? 1 : (uint32_t)-1;
  }
  grid->wall_count += (closes != BORDER_OPEN) - (uint32_t)(was != BORDER_OPEN);
  if (was == BORDER_WALL) wend_prepared_note(&grid->map, from); /* to the tables of prepared grids, directed walls are open */
  if (was == BORDER_WALL) wend_prepared_note(&grid->map, to);
  wend_grid_note(grid, from);
  wend_grid_note(grid, to);
  grid->walls_changed = ++grid->map.version;
  return WEND_OK;
}

wend_status wend_grid_wall(wend_grid *grid, wend_id a, wend_id b, bool closed) {
  const uint32_t from = wend_grid_place(grid, a);
  const int direction = direction_to(grid, from, wend_grid_place(grid, b));
  assert(direction < 8 && (wend_lacking(grid, from) >> direction & 1) == 0);
  return wend_grid_set_border(grid, from, direction, closed ? BORDER_WALL : BORDER_OPEN);
}

wend_status wend_grid_wall_directed(wend_grid *grid, wend_id from, wend_id to, bool closed) {
  const uint32_t place = wend_grid_place(grid, from);
  const int direction = direction_to(grid, place, wend_grid_place(grid, to));
  assert(direction < 8 && (wend_lacking(grid, place) >> direction & 1) == 0);
  return wend_grid_set_border(grid, place, direction,
                              (wend_grid_border(grid, place, direction) & BORDER_BACK) | (closed ? BORDER_OUT : 0u));
}

bool wend_grid_is_wall_directed(const wend_grid *grid, wend_id from, wend_id to) {
  const uint32_t place = wend_grid_place(grid, from);
  return wend_grid_border(grid, place, direction_to(grid, place, wend_grid_place(grid, to))) == BORDER_OUT;
}

bool wend_grid_next_wall(const wend_grid *grid, wend_id *a, wend_id *b) {
  const wend_region region = wend_grid_region(grid);
  uint32_t place = 0;
  int direction = 0;
  if (grid->wall_count == wend_lacking_count(grid)) return false;
  if (*a != WEND_NO_ID) {
    place = wend_grid_place(grid, *a);
    direction = direction_to(grid, place, wend_grid_place(grid, *b)) + 1;
  }
  for (; place < grid->place_count; place++, direction = 0)
    for (unsigned at = wend_region_shut(&region, place) & ~wend_lacking(grid, place); at >> direction != 0; direction++) {
      if ((at >> direction & 1) == 0) continue;
      if (direction < EAST && (grid->walls[place] >> direction & 1) != 0)
        continue; /* it was listed at the first of its cells */
      *a = wend_region_cell(&region, grid, place);
      *b = wend_region_cell(&region, grid, (uint32_t)(place + wend_offset(grid->stride, direction)));
      return true;
    }
  return false;
}

bool wend_region_walled(const wend_region *region, uint32_t place, int direction, int *ways) {
  *ways = 3;
  if (region->walls == NULL) return false;
  if (IS_DIAGONAL(direction) && !region->hexes) {
    int beside = wend_beside(direction), above = wend_above(direction);
    uint32_t over = place + (uint32_t)wend_offset(region->stride, beside);
    uint32_t under = place + (uint32_t)wend_offset(region->stride, above);
    const unsigned shut = wend_region_shut(region, place);
    if (((shut >> beside | wend_region_shut(region, over) >> above) & 1) != 0) *ways &= ~1;
    if (((shut >> above | wend_region_shut(region, under) >> beside) & 1) != 0) *ways &= ~2;
  }
  return (wend_region_shut(region, place) >> direction & 1) != 0;
}

/* ---- Portals ----------------------------------------------------------------------------------------------- */

/* The sort key of a portal in `out`, or with `back` in `in`. */
static uint64_t portal_key(const wend_portal *portal, bool back) {
  return back ? (uint64_t)portal->to << 32 | portal->from : (uint64_t)portal->from << 32 | portal->to;
}

/* The index of the first portal whose key is at least `key`, by binary search. */
static uint32_t find_portal(const wend_grid *grid, uint64_t key, bool back) {
  const wend_portal *portals = back ? grid->in : grid->out;
  uint32_t low = 0, high = grid->portal_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (portal_key(&portals[middle], back) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Up to this many portals of a cell are counted. The end of more is found by binary search. */
#define FEW_PORTALS 8u

const wend_portal *wend_grid_portals(const wend_grid *grid, uint32_t place, bool back, uint32_t *count) {
  const wend_portal *portals = back ? grid->in : grid->out;
  const uint32_t first = find_portal(grid, (uint64_t)place << 32, back);
  uint32_t end = first;
  *count = 0;
  if (portals == NULL) return NULL;
  while (end - first < FEW_PORTALS && end < grid->portal_count && portal_key(&portals[end], back) >> 32 == place) end++;
  if (end - first == FEW_PORTALS) end = find_portal(grid, ((uint64_t)place + 1) << 32, back);
  *count = end - first;
  return portals + first;
}

const wend_portal *wend_grid_portal(const wend_grid *grid, uint32_t from, uint32_t to) {
  const uint32_t at = find_portal(grid, (uint64_t)from << 32 | to, false);
  return at < grid->portal_count && grid->out[at].from == from && grid->out[at].to == to ? &grid->out[at] : NULL;
}

const wend_portal *wend_grid_live_portal(const wend_grid *grid, uint32_t from, uint32_t to) {
  const wend_portal *portal = wend_grid_portal(grid, from, to);
  return portal == NULL || portal->removed ? NULL : portal;
}

/* Inserts a portal into both lists. If there is a portal between the same places, even a removed one, it is replaced. The caller
 * has reserved room. */
static void put_portal(wend_grid *grid, wend_portal portal) {
  const wend_portal *known = wend_grid_portal(grid, portal.from, portal.to);
  bool fresh = known == NULL;
  grid->live_portals += (known == NULL || known->removed ? 1u : 0u) - (portal.removed ? 1u : 0u);
  for (int back = 0; back < 2; back++) {
    wend_portal *portals = back ? grid->in : grid->out;
    uint32_t at = find_portal(grid, portal_key(&portal, back), back);
    if (fresh) memmove(portals + at + 1, portals + at, (grid->portal_count - at) * sizeof *portals);
    portals[at] = portal;
  }
  grid->portal_count += fresh;
}

/* Writes a new, changed or removed portal into the journal, and tells the prepared tables. */
static void note_portal(wend_grid *grid, uint32_t from, uint32_t to) {
  WEND_FOR_TABLES(&grid->map, one)
  if (wend_prepared_listens(one)) one->note_portals(&grid->map, one);
  wend_grid_note(grid, from);
  wend_grid_note(grid, to);
}

/* Whether there is a portal from one place to another with the weight and the tag of `like`. */
static bool has_equal_portal(const wend_grid *grid, uint32_t from, uint32_t to, const wend_portal *like) {
  const wend_portal *portal = wend_grid_live_portal(grid, from, to);
  return portal != NULL && portal->weight == like->weight && portal->tag == like->tag;
}

wend_status wend_grid_set_portal(wend_grid *grid, wend_id from, wend_id to, double weight, uint32_t tag, bool directed) {
  const uint64_t now = grid->map.version + 1, wanted = (uint64_t)grid->portal_count + 2;
  wend_portal portal = {wend_grid_place(grid, from), wend_grid_place(grid, to), tag, false, weight + 0.0, now};
  assert(weight >= 0 && weight < INFINITY);
  if (!wend_map_can_edit(&grid->map) || !WEND_GROW(&grid->map.alloc, grid->out, grid->out_capacity, wanted) ||
      !WEND_GROW(&grid->map.alloc, grid->in, grid->in_capacity, wanted))
    return WEND_NO_MEMORY;
  for (int back = 0; back < (directed ? 1 : 2); back++) {
    if (!has_equal_portal(grid, portal.from, portal.to, &portal)) {
      put_portal(grid, portal);
      note_portal(grid, portal.from, portal.to);
      grid->map.version = now;
    }
    portal.from = wend_grid_place(grid, to), portal.to = wend_grid_place(grid, from); /* the other direction */
  }
  return WEND_OK;
}

bool wend_grid_find_portal(const wend_grid *grid, wend_id from, wend_id to, double *weight, uint32_t *tag) {
  const wend_portal *portal = wend_grid_live_portal(grid, wend_grid_place(grid, from), wend_grid_place(grid, to));
  if (portal == NULL) return false;
  *weight = portal->weight;
  *tag = portal->tag;
  return true;
}

bool wend_grid_next_portal(const wend_grid *grid, wend_id *from, wend_id *to) {
  const wend_region region = wend_grid_region(grid);
  uint32_t at = 0;
  if (*from != WEND_NO_ID)
    at = find_portal(grid, ((uint64_t)wend_grid_place(grid, *from) << 32 | wend_grid_place(grid, *to)) + 1, false);
  while (at < grid->portal_count && grid->out[at].removed) at++;
  if (at == grid->portal_count) return false;
  *from = wend_region_cell(&region, grid, grid->out[at].from);
  *to = wend_region_cell(&region, grid, grid->out[at].to);
  return true;
}

bool wend_grid_portal_touched(const wend_grid *grid, wend_id from, wend_id to, uint64_t since) {
  const wend_portal *portal = wend_grid_portal(grid, wend_grid_place(grid, from), wend_grid_place(grid, to));
  return portal != NULL && portal->changed > since;
}

/* Removes the portal from one place to another, and leaves the version. Returns whether there was one. */
static bool remove_portal(wend_grid *grid, uint32_t from, uint32_t to) {
  const wend_portal *portal = wend_grid_live_portal(grid, from, to);
  wend_portal gone;
  if (portal == NULL) return false;
  gone = *portal;
  wend_map_must_edit(&grid->map);
  gone.removed = true;
  gone.changed = grid->map.version + 1;
  put_portal(grid, gone);
  note_portal(grid, from, to);
  return true;
}

uint32_t wend_grid_remove_portals(wend_grid *grid, wend_id a, wend_id b) {
  const uint32_t from = wend_grid_place(grid, a), to = wend_grid_place(grid, b);
  const uint32_t removed = (uint32_t)remove_portal(grid, from, to) + (uint32_t)remove_portal(grid, to, from);
  grid->map.version += removed > 0;
  return removed;
}

wend_status wend_grid_follow_portals(wend_grid *grid, const wend_grid *base, uint32_t first, uint32_t last) {
  const wend_region region = wend_grid_region(grid);
  const uint64_t key = (uint64_t)first << 32;
  for (uint32_t i = find_portal(grid, key, false); i < grid->portal_count && grid->out[i].from <= last; i++) {
    const wend_portal *old = &grid->out[i];
    if (!old->removed && (base == NULL || wend_grid_live_portal(base, old->from, old->to) == NULL))
      grid->map.version += remove_portal(grid, old->from, old->to);
  }
  if (base == NULL) return WEND_OK;
  for (uint32_t i = find_portal(base, key, false); i < base->portal_count && base->out[i].from <= last; i++) {
    const wend_portal *portal = &base->out[i];
    const wend_id from = wend_region_cell(&region, grid, portal->from), to = wend_region_cell(&region, grid, portal->to);
    wend_status status;
    if (portal->removed) continue;
    status = wend_grid_set_portal(grid, from, to, portal->weight, portal->tag, true);
    if (status != WEND_OK) return status;
  }
  return WEND_OK;
}

wend_status wend_grid_follow_walls(wend_grid *grid, const wend_grid *base, uint32_t place, unsigned hidden) {
  wend_status status = WEND_OK;
  for (int d = 0; d < 8 && status == WEND_OK; d++)
    if (((hidden | wend_lacking(grid, place)) >> d & 1) == 0)
      status = wend_grid_set_border(grid, place, d, base == NULL ? 0 : wend_grid_border(base, place, d));
  return status;
}

wend_status wend_grid_follow_part(wend_grid *grid, const wend_grid *base, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2) {
  uint64_t portals = 2 + (uint64_t)grid->portal_count;
  bool walls = false, directed = false;
  wend_status status;
  /* All memory first. */
  for (uint32_t y = y1; y <= y2; y++) {
    const uint64_t row = (uint64_t)(y + 1) * grid->stride + 1;
    for (uint64_t place = row + x1; base->walls != NULL && place <= row + x2; place++) {
      walls = walls || wend_grid_has_wall_at(base, (uint32_t)place);
      directed = directed || (base->directed != NULL && base->directed[place] != 0);
    }
    if (base->portal_count > 0)
      portals += find_portal(base, (row + x2 + 1) << 32, false) - find_portal(base, (row + x1) << 32, false);
  }
  if (!wend_map_can_edit(&grid->map) || (walls && !ready_walls(grid, directed)) ||
      (base->portal_count > 0 && !WEND_GROW(&grid->map.alloc, grid->out, grid->out_capacity, portals)) ||
      (base->portal_count > 0 && !WEND_GROW(&grid->map.alloc, grid->in, grid->in_capacity, portals)))
    return WEND_NO_MEMORY;
  status = wend_grid_follow_cells(grid, base, x1, y1, x2, y2);
  for (uint32_t y = y1; y <= y2 && status == WEND_OK; y++) {
    const uint32_t row = (y + 1) * grid->stride + 1;
    for (uint32_t place = row + x1; place <= row + x2; place++) (void)wend_grid_follow_walls(grid, base, place, 0);
    (void)wend_grid_follow_portals(grid, base, row + x1, row + x2);
  }
  return status;
}

bool wend_grid_copy_portals(wend_grid *grid, const wend_grid *base) {
  grid->portal_count = base->portal_count, grid->live_portals = base->live_portals;
  return wend_arrays_copy(*grid->map.kind->arrays, ARRAY_PORTALS, &grid->map.alloc, base, grid);
}
