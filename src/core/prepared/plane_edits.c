/* SPDX-License-Identifier: MIT */
/* The slack of the planes of a prepared grid (base/planes.h): by how much bounds are too high since edits.
 *
 * A path that costs least enters a cell once, and leaves it once. So the slack is a sum over cells: what the steps onto a cell
 * lack at most to be allowed, and those from it. Bounds use the price p of a cell as it is now. Let it be less by s than when the
 * planes were made:
 *
 *     straight steps onto the cell cost s less, and p / 2 is less by s / 2     they lack s / 2
 *     diagonal steps onto it cost r less                                       they lack r - s / 2
 *     steps from it cost the same, and p / 2 is less by s / 2                  they lack s / 2
 *
 * So the cell adds the greater of s and r. That needs no planes, only the prices that the cell had: `edited` keeps them from its
 * first edit on. A cell that costs again what it did adds nothing.
 *
 * New steps are those of a cell that was closed, those beside a wall that was removed, and diagonal ones past a corner that was
 * closed. What they lack comes from the planes of both ends. A cell that has no planes gets those of a neighbour, without slopes.
 *
 *        # # # # #        D, a door that is opened, adds what a step onto it lacks at most, and what a step from it lacks. With
 *        a b D c d        corners cut, the diagonal steps past it add to b, c, and the cells above and below, if these are open.
 *        # # # # #
 *
 * Links are few. Their share is found anew after an edit of a link or of a cell with a link: for each cell that links lead to,
 * what one of them lacks at most. A link between a cheap and a dear cell may lack something from the beginning.
 *
 * New steps between cells that a landmark reaches, and others that it does not, make all its bounds wrong, and so may new steps
 * between cells whose planes do not tell: it is not used any more. */
#include "core/prepared/plane_edits.h"

#include <math.h>

WEND_NO_FUSING

/* Without memory, or with more edited cells than this, edits count each time. */
#define EDITED_MAX 65536u
/* The passes in which cells that were opened together get groups from their neighbours. */
#define GROUP_PASSES 16

/* ---- Edited cells ------------------------------------------------------------------------------------------ */

/* What a cell was before its edits; NULL: it was not edited. */
static wend_edited_cell *find_edited(const wend_planes *planes, uint32_t place) {
  const uint32_t number = wend_keys_find(&planes->edited_places, place);
  return number != WEND_NONE ? &planes->edited[number] : NULL;
}

/* Adds a cell to the edited ones. NULL: no memory, or there are too many. */
static wend_edited_cell *add_edited(wend_planes *planes, const wend_alloc *alloc, const wend_edited_cell *cell) {
  const uint32_t count = planes->edited_places.count;
  if (count == EDITED_MAX || !WEND_GROW(alloc, planes->edited, planes->edited_capacity, (uint64_t)count + 1) ||
      !wend_keys_reserve(&planes->edited_places, alloc, 1))
    return NULL;
  (void)wend_keys_add(&planes->edited_places, cell->place);
  planes->edited[count] = *cell;
  return &planes->edited[count];
}

/* Of the price of a straight step onto a cell half, and the price of a diagonal step less that. INFINITY: it cannot be entered. A
 * straight step from u to v is allowed half(u) + half(v), a diagonal one half(u) + rest(v). */
typedef struct cell_prices {
  double half, rest;
} cell_prices;

static cell_prices prices_of(const wend_grid *grid, const wend_prepared *prepared, double weight, uint32_t tag) {
  const cell_prices closed = {INFINITY, INFINITY};
  cell_prices prices;
  if (!(weight < INFINITY)) return closed; /* NaN: outside */
  prices.half = wend_prepared_price(prepared, tag, weight) / 2;
  prices.rest = wend_prepared_price(prepared, tag, weight * grid->diagonal_length) - prices.half;
  return prices.half < INFINITY && prices.rest < INFINITY ? prices : closed;
}

/* ---- What steps lack --------------------------------------------------------------------------------------- */

typedef struct edited_grid {
  const wend_grid *grid;
  wend_region region;
  wend_prepared *prepared;
  wend_planes *planes;
} edited_grid;

static edited_grid edited_grid_of(wend_map *map, wend_prepared *prepared) {
  edited_grid e;
  e.grid = (const wend_grid *)map;
  e.region = wend_grid_region(e.grid);
  e.prepared = prepared;
  e.planes = prepared->planes;
  return e;
}

static cell_prices prices_at(const edited_grid *e, uint32_t place) {
  const wend_cell cell = wend_region_get(&e->region, e->grid, place);
  return prices_of(e->grid, e->prepared, cell.weight, cell.tag);
}

/* The prices of a cell beside a new step: the least of those now and when the planes were made, for what is less now is in the
 * share of that cell. INFINITY: there is no step. */
static cell_prices least_prices(const edited_grid *e, uint32_t place) {
  const cell_prices now = prices_at(e, place);
  const wend_edited_cell *edited = find_edited(e->planes, place);
  cell_prices least = now;
  if (edited == NULL) return now;
  if (edited->half < least.half) least.half = edited->half;
  if (edited->rest < least.rest) least.rest = edited->rest;
  return least;
}

static uint32_t group_at(const edited_grid *e, uint32_t place) {
  return wend_planes_group(e->planes, wend_region_x(&e->region, place), wend_region_y(&e->region, place));
}

/* How much the numbers of two cells differ at most. Landmarks are lost that reach only one of the cells, or whose planes do not
 * tell. */
static int64_t difference_of(const edited_grid *e, uint32_t a, uint32_t b) {
  wend_planes *planes = e->planes;
  const uint32_t group_a = group_at(e, a), group_b = group_at(e, b);
  int64_t most = 0;
  if (group_a == GROUP_NONE || group_b == GROUP_NONE) {
    planes->usable = 0;
    return 0;
  }
  for (uint32_t l = 0; l < planes->landmarks; l++) {
    const wend_plane *at_a = &planes->at[(size_t)group_a * planes->landmarks + l];
    const wend_plane *at_b = &planes->at[(size_t)group_b * planes->landmarks + l];
    int64_t difference;
    if (at_a->error == PLANE_UNREACHED && at_b->error == PLANE_UNREACHED) continue;
    if (at_a->error >= PLANE_UNEVEN || at_b->error >= PLANE_UNEVEN) {
      planes->usable &= ~(1u << l);
      continue;
    }
    difference = wend_plane_at(planes, at_a, l, wend_region_x(&e->region, a), wend_region_y(&e->region, a)) -
                 wend_plane_at(planes, at_b, l, wend_region_x(&e->region, b), wend_region_y(&e->region, b));
    if (difference < 0) difference = -difference;
    difference += wend_plane_error(planes, at_a) + wend_plane_error(planes, at_b);
    if (difference > most && (planes->usable >> l & 1) != 0) most = difference;
  }
  return most;
}

/* A cost in units: what it lacks to a number of units, rounded up. */
static uint64_t lack_of(const edited_grid *e, int64_t units, double cost) {
  const double allowed = floor(cost / e->prepared->unit * (1 - 1e-12));
  if (allowed >= (double)units) return 0;
  return allowed > -(double)PLANE_NUMBER_MAX ? (uint64_t)(units - (int64_t)allowed) : PLANE_NUMBER_MAX;
}

/* What a step in a direction lacks. */
static uint64_t step_lack(const edited_grid *e, uint32_t from, uint32_t to, bool diagonal) {
  const cell_prices u = least_prices(e, from), v = least_prices(e, to);
  if (!(u.half < INFINITY) || !(v.half < INFINITY)) return 0;
  return lack_of(e, difference_of(e, from, to), u.half + (diagonal ? v.rest : v.half));
}

static uint32_t beside(const edited_grid *e, uint32_t place, int direction) {
  return (uint32_t)(place + wend_offset(e->grid->stride, direction));
}

/* What the steps onto a cell lack, and those from it. */
static uint64_t around_lack(const edited_grid *e, uint32_t place) {
  uint64_t into = 0, out = 0;
  for (int d = 0; d < 8; d++) {
    const uint32_t other = beside(e, place, d);
    uint64_t lack;
    if ((IS_DIAGONAL(d) && e->grid->diagonals == WEND_NEVER) || !wend_region_has(&e->region, other)) continue;
    lack = step_lack(e, other, place, IS_DIAGONAL(d));
    if (lack > into) into = lack;
    lack = step_lack(e, place, other, IS_DIAGONAL(d));
    if (lack > out) out = lack;
  }
  return into + out;
}

/* What the diagonal steps past a cell lack, between the cells above, below and beside it. */
static uint64_t past_lack(const edited_grid *e, uint32_t place) {
  static const int ends[4][3] = {{NORTH, WEST, EAST}, {SOUTH, WEST, EAST}, {WEST, NORTH, SOUTH}, {EAST, NORTH, SOUTH}};
  uint64_t sum = 0;
  for (int i = 0; i < 4; i++) {
    const uint32_t to = beside(e, place, ends[i][0]);
    uint64_t most = 0;
    if (!wend_region_has(&e->region, to)) continue;
    for (int k = 1; k <= 2; k++) {
      const uint32_t from = beside(e, place, ends[i][k]);
      const uint64_t lack = wend_region_has(&e->region, from) ? step_lack(e, from, to, true) : 0;
      if (lack > most) most = lack;
    }
    sum += most;
  }
  return sum;
}

/* ---- Cells ------------------------------------------------------------------------------------------------- */

/* Gives a cell that is opened a group, if it has none: one of its block, or a new one. any: also if no neighbour has a group that
 * fits. False: it has none. */
static bool give_group(const edited_grid *e, uint32_t place, bool any) {
  wend_planes *planes = e->planes;
  const uint32_t x = wend_region_x(&e->region, place), y = wend_region_y(&e->region, place);
  uint32_t *block, known = GROUP_NONE, at = place;
  if (group_at(e, place) != GROUP_NONE) return true;
  if (!wend_planes_own(planes, &e->grid->map.alloc)) return false;
  block = &planes->blocks[wend_planes_block(planes, x, y)];
  for (int d = 0; d < 8 && known == GROUP_NONE; d++) {
    const uint32_t other = beside(e, place, d);
    if (!wend_region_has(&e->region, other) || !(prices_at(e, other).half < INFINITY)) continue;
    at = other;
    known = group_at(e, other);
    if (*block == GROUP_NONE) continue;
    if (wend_planes_block(planes, wend_region_x(&e->region, other), wend_region_y(&e->region, other)) !=
        (uint32_t)(block - planes->blocks))
      known = GROUP_NONE; /* a split block has no room for more groups */
  }
  if (known == GROUP_NONE && !any) return false;
  if (*block != GROUP_NONE) {
    const uint32_t split = *block & ~BLOCK_SPLIT;
    *wend_planes_part(planes, split, x, y) = (uint8_t)(known != GROUP_NONE ? known - planes->firsts[split] : 0);
    return true;
  }
  if (!WEND_GROW(&e->grid->map.alloc, planes->at, planes->at_capacity, ((uint64_t)planes->group_count + 1) * planes->landmarks))
    return false;
  for (uint32_t l = 0; l < planes->landmarks; l++) {
    wend_plane *made = &planes->at[(size_t)planes->group_count * planes->landmarks + l];
    const wend_plane none = {0, 0, 0, 0, PLANE_UNREACHED};
    int64_t base;
    *made = none;
    if (known == GROUP_NONE || planes->at[(size_t)known * planes->landmarks + l].error >= PLANE_UNEVEN) continue;
    base = wend_plane_at(planes, &planes->at[(size_t)known * planes->landmarks + l], l, wend_region_x(&e->region, at),
                         wend_region_y(&e->region, at)) /
           planes->base_units[l];
    if (base < 0) base = 0;
    if (base > UINT16_MAX) base = UINT16_MAX;
    made->low = (uint8_t)base, made->high = (uint8_t)(base >> 8);
    made->error = 0;
  }
  *block = planes->group_count++;
  return true;
}

/* The share of an edited cell. */
static uint64_t share_of_cell(const edited_grid *e, const wend_edited_cell *was) {
  const wend_cell cell = wend_region_get(&e->region, e->grid, was->place);
  const cell_prices now = prices_of(e->grid, e->prepared, cell.weight, cell.tag);
  const bool corners = e->grid->diagonals == WEND_BOTH_OPEN || e->grid->diagonals == WEND_ONE_OPEN;
  uint64_t share = 0;
  if (now.half < INFINITY && (was->walls || !(was->half < INFINITY))) {
    if (!give_group(e, was->place, true)) e->planes->usable = 0;
    share = around_lack(e, was->place);
  } else if (now.half < INFINITY) {
    const double half = was->half - now.half, rest = was->rest - now.rest;
    const double onto = e->grid->diagonals != WEND_NEVER && rest > half ? rest : half;
    const double saved = (onto > 0 ? onto : 0) + (half > 0 ? half : 0);
    if (saved > 0) share = lack_of(e, 1, -saved); /* and one unit for rounding */
  }
  if (corners && was->closed && cell.weight < INFINITY) share += past_lack(e, was->place);
  return share;
}

/* Notes an edit of a cell. old: its value before. walls: a wall beside it was removed. */
static void note_edit(wend_map *map, wend_prepared *prepared, uint32_t place, double weight, uint32_t tag, bool walls) {
  const edited_grid e = edited_grid_of(map, prepared);
  wend_planes *planes = e.planes;
  const cell_prices was = prices_of(e.grid, prepared, weight, tag);
  wend_edited_cell fresh = {place, !(weight < INFINITY), false, was.half, was.rest, 0}, *edited = find_edited(planes, place);
  uint32_t links = 0;
  if (planes->usable == 0) return;
  if (edited == NULL) edited = add_edited(planes, &map->alloc, &fresh);
  if (edited != NULL) {
    if (walls) edited->walls = true;
    planes->saved -= edited->saved;
    edited->saved = share_of_cell(&e, edited);
    planes->saved += edited->saved;
  } else {
    fresh.walls = walls;
    planes->lost += share_of_cell(&e, &fresh);
    if (planes->lost > PLANE_NUMBER_MAX) planes->lost = PLANE_NUMBER_MAX;
  }
  if (e.grid->live_portals == 0) return;
  (void)wend_grid_portals(e.grid, place, false, &links);
  if (links == 0) (void)wend_grid_portals(e.grid, place, true, &links);
  if (links > 0) wend_planes_note_links_of(map, prepared);
}

void wend_planes_note_value(wend_map *map, wend_prepared *prepared, uint32_t place, wend_cell old) {
  const bool closed = (old.tag & WEND_CELL_CLOSED) != 0;
  note_edit(map, prepared, place, closed ? INFINITY : old.weight, old.tag & ~WEND_CELL_CLOSED, false);
}

void wend_planes_note_opened(wend_map *map, wend_prepared *prepared, uint32_t place) {
  const wend_grid *grid = (const wend_grid *)map;
  const wend_region region = wend_grid_region(grid);
  const wend_cell cell = wend_region_get(&region, grid, place);
  note_edit(map, prepared, place, cell.weight, cell.tag, true);
}

/* ---- Many edits -------------------------------------------------------------------------------------------- */

/* Whether a wall beside a cell is gone. */
static bool wall_is_gone(const wend_grid *grid, const wend_grid *before, uint32_t place) {
  if (before->walls == NULL) return false;
  return grid->walls == NULL || (before->walls[place] & ~grid->walls[place]) != 0;
}

/* The next place, from a place on, whose cell has changed since the grid was copied, or beside which a wall is gone. *old: what
 * the cell was. WEND_NONE: there is none. */
static uint32_t next_changed(const wend_grid *grid, const wend_grid *before, uint32_t place, wend_cell *old) {
  const uint64_t version = before->map.version;
  const bool all = grid->all_touched > version || wend_grid_walls_changed(grid, version);
  for (; place < grid->place_count; place++) {
    wend_cell now;
    if (!all && !wend_grid_place_touched(grid, place, version)) continue;
    *old = wend_grid_value_at(before, place);
    now = wend_grid_value_at(grid, place);
    if (old->weight >= 0 && (old->weight != now.weight || old->tag != now.tag || wall_is_gone(grid, before, place)))
      return place;
  }
  return WEND_NONE;
}

/* Gives the changed cells groups. Cells that were opened side by side get them one from another, in some passes. */
static void give_groups(const edited_grid *e, const wend_grid *before) {
  bool any = false, given = true;
  for (int pass = 1; given || !any; pass++) {
    wend_cell old;
    any = !given || pass > GROUP_PASSES;
    given = false;
    for (uint32_t at = next_changed(e->grid, before, 0, &old); at != WEND_NONE;
         at = next_changed(e->grid, before, at + 1, &old))
      if (group_at(e, at) == GROUP_NONE && prices_at(e, at).half < INFINITY && give_group(e, at, any) && !any) given = true;
  }
}

void wend_planes_note_since(wend_map *map, wend_prepared *prepared, const wend_grid *before) {
  const edited_grid e = edited_grid_of(map, prepared);
  give_groups(&e, before);
  /* The first round tells what all cells were, the second one finds what steps between these lack. */
  for (int round = 0; round < 2; round++) {
    wend_cell old;
    for (uint32_t at = next_changed(e.grid, before, 0, &old); at != WEND_NONE; at = next_changed(e.grid, before, at + 1, &old))
      note_edit(map, prepared, at, (old.tag & WEND_CELL_CLOSED) != 0 ? INFINITY : old.weight, old.tag & ~WEND_CELL_CLOSED,
                wall_is_gone(e.grid, before, at));
  }
  wend_planes_note_links_of(map, prepared);
}

/* ---- Links ------------------------------------------------------------------------------------------------- */

/* How much the numbers of the ends of a link differ at most, as it was when the planes were made. False: it was not there. */
static bool known_difference(const wend_planes *planes, uint32_t from, uint32_t to, int64_t *units) {
  uint32_t low = 0, high = planes->link_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const wend_link_bound *link = &planes->links[middle];
    if (link->from == from && link->to == to) {
      *units = link->units;
      return true;
    }
    if (link->from < from || (link->from == from && link->to < to)) low = middle + 1;
    else high = middle;
  }
  return false;
}

static uint64_t link_lack(const edited_grid *e, const wend_portal *link) {
  const cell_prices from = prices_at(e, link->from), to = prices_at(e, link->to);
  const double price = wend_prepared_price(e->prepared, link->tag, link->weight);
  int64_t units;
  if (link->removed || !(from.half < INFINITY) || !(to.half < INFINITY) || !(price < INFINITY)) return 0;
  if (!known_difference(e->planes, link->from, link->to, &units)) units = difference_of(e, link->from, link->to);
  return lack_of(e, units, price + from.half - to.half);
}

void wend_planes_note_links_of(wend_map *map, wend_prepared *prepared) {
  const edited_grid e = edited_grid_of(map, prepared);
  uint64_t sum = 0, most = 0;
  for (uint32_t i = 0; i < e.grid->portal_count; i++) {
    const uint64_t lack = link_lack(&e, &e.grid->in[i]);
    if (lack > most) most = lack;
    if (i + 1 < e.grid->portal_count && e.grid->in[i + 1].to == e.grid->in[i].to) continue;
    sum += most;
    most = 0;
  }
  e.planes->by_links = sum;
}
