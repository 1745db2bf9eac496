/* SPDX-License-Identifier: MIT */
/* Eroded grids: body.h describes them.
 *
 * Where weights and tags alone decide, an agent's costs order the kinds of cells, and a rank is a number in that order. So the
 * dearest cell is the one with the greatest rank, and ranks are small whole numbers: the greatest of n in a row, for all cells of
 * a row, takes about log n passes.
 *
 *     ranks        2 0 0 1 0 3         n = 5
 *     of 2 cells   2 0 1 1 3 -         the greater of each and the next one
 *     of 4 cells   2 1 3 - - -         of each and the one 2 on
 *     of 5 cells   2 3 - - - -         of each and the one 1 on
 *
 * A grid without a palette is taken in tiles: there the ranks are those of the cells that the bodies of a tile cover. */
#include "core/views/body.h"

#include <stdlib.h>
#include <string.h>

WEND_NO_FUSING

/* A rectangle of cells, from 0, corners included; of signed numbers, because a body may reach out of the grid. */
typedef struct patch {
  int64_t x1, y1, x2, y2;
} patch;

/* ---- Ranks -------------------------------------------------------------------------------------------------- */

static int compare_ranked(const void *a, const void *b) {
  const wend_ranked *x = a, *y = b;
  if (x->straight != y->straight) return x->straight < y->straight ? -1 : 1;
  if (x->diagonal != y->diagonal) return x->diagonal < y->diagonal ? -1 : 1;
  return x->of < y->of ? -1 : x->of > y->of;
}

/* If the function is asked about more than one cell in so many, it is asked about most bodies, and the grid does not pay. */
#define ASKED_SHARE 4u

/* Adds a value to those that are ordered, if a cell with it is open. of: its kind or place. Returns whether the function is asked. */
static bool add_ranked(wend_eroded *body, const wend_grid *base, double weight, uint32_t tag, uint32_t of) {
  const wend_cost_kind kind = body->tag_count > 0 ? COSTS_ASKED : COSTS_WEIGHTS;
  wend_ranked *one = &body->order[body->open];
  wend_price price;
  if (!(weight < INFINITY)) return false; /* closed, or none of a cell */
  price = wend_price_of(kind, body->tags, tag, weight);
  one->straight = price.asked ? INFINITY : price.cost;
  one->diagonal = price.asked ? INFINITY : wend_price_of(kind, body->tags, tag, base->diagonal_length * weight).cost;
  one->of = of;
  body->open += price.asked || price.cost < INFINITY;
  return price.asked;
}

/* Orders the values. Those that the function is asked about are the last ones. STALE: straight and diagonal steps order them
 * differently. */
static wend_status order_ranked(wend_eroded *body, const wend_grid *base) {
  qsort(body->order, body->open, sizeof *body->order, compare_ranked);
  for (uint32_t rank = 1; rank < body->open && base->diagonals != WEND_NEVER; rank++)
    if (body->order[rank].diagonal < body->order[rank - 1].diagonal) return WEND_STALE;
  return WEND_OK;
}

/* Orders the kinds. STALE: it cannot, or there is no gain. */
static wend_status rank_kinds(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base) {
  uint64_t cells = 0, asked = 0;
  wend_status status;
  if (!WEND_GROW(alloc, body->order, body->order_capacity, base->kind_count) ||
      !WEND_GROW(alloc, body->ranks, body->ranks_capacity, base->kind_count))
    return WEND_NO_MEMORY;
  body->open = 0;
  for (uint32_t k = KIND_FIRST; k < base->kind_count; k++) {
    const wend_kind *value = &base->palette[k];
    if (add_ranked(body, base, value->weight, value->tag, k)) asked += value->count;
    if (value->weight < INFINITY) cells += value->count;
  }
  if (asked * ASKED_SHARE > cells) return WEND_STALE;
  status = order_ranked(body, base);
  if (status != WEND_OK) return status;
  for (uint32_t k = 0; k < base->kind_count; k++) body->ranks[k] = (uint16_t)body->open;
  for (uint32_t rank = 0; rank < body->open; rank++) body->ranks[body->order[rank].of] = (uint16_t)rank;
  return WEND_OK;
}

/* Whether the function is asked about many cells of a grid without a palette. */
static bool asks_much(const wend_eroded *body, const wend_grid *base) {
  uint64_t cells = 0, asked = 0;
  for (uint32_t tag = 0; tag <= wend_map_tag_count(&base->map); tag++) {
    const uint64_t count = wend_histogram_count(&base->map.ratios, tag);
    cells += count;
    if (tag < body->tag_count && wend_price_of(COSTS_ASKED, body->tags, tag, 1).asked) asked += count;
  }
  return asked * ASKED_SHARE > cells;
}

/* What is known of the whole grid before it is eroded. STALE: there can be no eroded grid. */
static wend_status begin_ranks(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base) {
  body->palette_changes = base->palette_changes;
  if (base->kinds != NULL) return rank_kinds(body, alloc, base);
  return asks_much(body, base) ? WEND_STALE : WEND_OK;
}

/* ---- The shape ---------------------------------------------------------------------------------------------- */

/* The cells that bodies at the cells of a patch cover; and the cells of the grid whose bodies cover a cell of a patch. */
static patch reach_of(const wend_eroded *body, const patch *of) {
  const int64_t before = wend_body_before(body->size), after = body->size / 2;
  const patch reach = {of->x1 - before, of->y1 - before, of->x2 + after, of->y2 + after};
  return reach;
}
static patch shadow_of(const wend_eroded *body, const wend_grid *base, const patch *of) {
  const int64_t before = wend_body_before(body->size), after = body->size / 2;
  patch shadow = {of->x1 - after, of->y1 - after, of->x2 + before, of->y2 + before};
  if (shadow.x1 < 0) shadow.x1 = 0;
  if (shadow.y1 < 0) shadow.y1 = 0;
  if (shadow.x2 >= base->width) shadow.x2 = base->width - 1;
  if (shadow.y2 >= base->height) shadow.y2 = base->height - 1;
  return shadow;
}

/* Writes the ranks of the cells of a patch, which may reach out of the grid, row by row. */
static void take_ranks(const wend_eroded *body, const wend_grid *base, const patch *of, uint16_t *to) {
  for (int64_t y = of->y1; y <= of->y2; y++)
    for (int64_t x = of->x1; x <= of->x2; x++) {
      const bool outside = x < 0 || y < 0 || x >= base->width || y >= base->height;
      *to++ = outside ? (uint16_t)body->open : body->ranks[base->kinds[(y + 1) * base->stride + x + 1]];
    }
}

/* The same where there is no palette: orders the cells. STALE: it cannot. */
static wend_status rank_cells(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *of,
                              uint16_t *to) {
  const wend_region region = wend_grid_region(base);
  const int64_t width = of->x2 - of->x1 + 1, cells = width * (of->y2 - of->y1 + 1);
  wend_status status;
  if (!WEND_GROW(alloc, body->order, body->order_capacity, (uint64_t)cells)) return WEND_NO_MEMORY;
  body->open = 0;
  for (int64_t i = 0; i < cells; i++) {
    const int64_t x = of->x1 + i % width, y = of->y1 + i / width;
    wend_cell cell;
    if (x < 0 || y < 0 || x >= base->width || y >= base->height) continue;
    cell = wend_region_get(&region, base, wend_region_place(&region, (uint32_t)x, (uint32_t)y));
    (void)add_ranked(body, base, cell.weight, cell.tag, (uint32_t)i);
  }
  status = order_ranked(body, base);
  for (int64_t i = 0; i < cells; i++) to[i] = (uint16_t)body->open;
  for (uint32_t rank = 0; rank < body->open; rank++) {
    wend_ranked *one = &body->order[rank];
    to[one->of] = (uint16_t)rank;
    one->of = wend_region_place(&region, (uint32_t)(of->x1 + one->of % width), (uint32_t)(of->y1 + one->of / width));
  }
  return status;
}

/* Makes the rank of each cell that of a body of 2 x 2: it is closed if a wall is between two of the cells. */
static void cross_walls(const wend_eroded *body, const wend_grid *base, const patch *of, uint16_t *ranks, size_t width) {
  for (int64_t y = of->y1; y < of->y2; y++, ranks += width)
    for (int64_t x = of->x1; x < of->x2; x++) {
      uint16_t *at = ranks + (x - of->x1), most = at[0];
      const size_t place = (size_t)((y + 1) * base->stride + x + 1);
      if (at[1] > most) most = at[1];
      if (at[width] > most) most = at[width];
      if (at[width + 1] > most) most = at[width + 1];
      if (most < body->open &&
          ((base->walls[place] & (1u << EAST | 1u << SOUTH | 1u << SOUTH_EAST)) |
           (base->walls[place + base->stride] & 1u << EAST) | (base->walls[place + 1] & (1u << SOUTH | 1u << SOUTH_WEST))) != 0)
        most = (uint16_t)body->open;
      at[0] = most;
    }
}

/* Makes each number the greatest of `count` that lie `step` apart, beginning with itself. Compilers vectorize the blocks. */
static void take_greatest(uint16_t *numbers, size_t length, size_t step, uint32_t count) {
  enum { BLOCK = 16 };
  for (uint32_t known = 1, more; known < count; known += more) {
    size_t i = 0, beyond;
    more = known < count - known ? known : count - known;
    beyond = more * step;
    for (; i + beyond + BLOCK <= length; i += BLOCK) {
      uint16_t others[BLOCK]; /* a copy: the two may overlap */
      memcpy(others, numbers + i + beyond, sizeof others);
      for (int k = 0; k < BLOCK; k++) numbers[i + k] = others[k] > numbers[i + k] ? others[k] : numbers[i + k];
    }
    for (; i + beyond < length; i++) numbers[i] = numbers[i + beyond] > numbers[i] ? numbers[i + beyond] : numbers[i];
  }
}

/* Computes the ranks of the bodies at the cells of a patch, without a palette of a tile. *width: of a row of them, in body->covered.
 * STALE, NO_MEMORY. */
static wend_status erode(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *of, size_t *width) {
  const patch reach = reach_of(body, of);
  const size_t length = (size_t)(reach.x2 - reach.x1 + 1) * (size_t)(reach.y2 - reach.y1 + 1);
  wend_status status = WEND_OK;
  uint32_t size = body->size;
  *width = (size_t)(reach.x2 - reach.x1 + 1);
  if (!WEND_GROW(alloc, body->covered, body->covered_capacity, length)) return WEND_NO_MEMORY;
  if (base->kinds != NULL) take_ranks(body, base, &reach, body->covered);
  else status = rank_cells(body, alloc, base, &reach, body->covered);
  if (status != WEND_OK) return status;
  if (base->wall_count > 0) cross_walls(body, base, &reach, body->covered, *width), size--;
  take_greatest(body->covered, length, *width, size);
  take_greatest(body->covered, (size_t)(of->y2 - of->y1 + 1) * *width, 1, size); /* the other rows are done with */
  return WEND_OK;
}

/* ---- The grid ----------------------------------------------------------------------------------------------- */

/* The value of a cell of that rank. */
static wend_cell value_of_rank(const wend_eroded *body, const wend_grid *base, uint32_t rank) {
  const wend_cell closed = {1, WEND_CELL_CLOSED};
  if (rank >= body->open) return closed;
  return base->kinds != NULL ? wend_kind_value(&base->palette[body->order[rank].of])
                             : wend_grid_value_at(base, body->order[rank].of);
}

/* Gives the diagonals between the cells of a patch, and of the rows and columns beside it, the walls that stop the body: wend_body_walled.
 * Both ways round a corner are open in the grid only if no wall is on them, so with the other rules for diagonals nothing is needed.
 * Directed walls of the base stop the body in any direction. */
static wend_status follow_walls(const wend_eroded *body, const wend_grid *base, const patch *of) {
  const wend_region region = wend_grid_region(body->grid);
  const bool always = base->diagonals == WEND_ALWAYS, directed = base->directed != NULL;
  const bool corners = always || base->diagonals == WEND_ONE_OPEN;
  wend_status status = WEND_OK;
  if (!corners && !directed) return WEND_OK;
  for (int64_t y = of->y1 > 0 ? of->y1 - 1 : 0; y <= of->y2 && y < base->height; y++)
    for (int64_t x = of->x1 > 0 ? of->x1 - 1 : 0; x <= of->x2 + 1 && x < base->width; x++)
      for (int direction = EAST; direction <= SOUTH_EAST && status == WEND_OK; direction++) {
        const uint32_t from = (uint32_t)((y + 1) * base->stride + x + 1),
                       to = (uint32_t)(from + wend_offset(base->stride, direction));
        unsigned closes = BORDER_OPEN;
        if ((!directed && !IS_DIAGONAL(direction)) || !wend_region_has(&region, to)) continue;
        for (int back = 0; back < (directed ? 2 : 1); back++) {
          int ways;
          if (wend_body_walled(base, body->size, back ? to : from, back ? 7 - direction : direction, &ways) ||
              (always && ways == 0))
            closes |= !directed ? BORDER_WALL : back ? BORDER_BACK : BORDER_OUT;
        }
        status = wend_grid_set_border(body->grid, from, direction, closes);
      }
  return status;
}

/* Tiles have this many columns and rows more than bodies. The cells that their bodies cover are at most (64 + 2 x 32)^2, so 16 bits hold
 * their ranks; and few are sorted at once. */
#define TILE 64

/* Calls a function for the tiles of a patch: with a palette there is one. */
typedef wend_status (*tile_fn)(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *tile);
static wend_status each_tile(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *of, tile_fn fn) {
  const int64_t side = base->kinds != NULL ? INT64_MAX / 2 : TILE + (int64_t)body->size;
  wend_status status = WEND_OK;
  for (int64_t y = of->y1; y <= of->y2 && status == WEND_OK; y += side)
    for (int64_t x = of->x1; x <= of->x2 && status == WEND_OK; x += side) {
      const patch tile = {x, y, x + side - 1 < of->x2 ? x + side - 1 : of->x2, y + side - 1 < of->y2 ? y + side - 1 : of->y2};
      status = fn(body, alloc, base, &tile);
    }
  return status;
}

/* Computes the cells of a tile of the grid again. */
static wend_status follow_tile(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *of) {
  size_t width;
  wend_status status = erode(body, alloc, base, of, &width);
  for (uint32_t y = (uint32_t)of->y1; y <= of->y2 && status == WEND_OK; y++) {
    const uint16_t *rank = body->covered + (size_t)(y - of->y1) * width;
    for (uint32_t x = (uint32_t)of->x1, count; x <= of->x2 && status == WEND_OK; x += count, rank += count) {
      for (count = 1; x + count <= of->x2 && rank[count] == *rank;) count++;
      status = wend_grid_fill(body->grid, x, y, x + count - 1, y, value_of_rank(body, base, *rank));
    }
  }
  return status;
}

/* The same of a patch, and its walls. */
static wend_status follow_area(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *of) {
  const wend_status status = each_tile(body, alloc, base, of, follow_tile);
  if (status == WEND_OK && wend_grid_walls_changed(base, body->version)) return follow_walls(body, base, of);
  return status;
}

/* Fills a tile of a new grid. */
static wend_status fill_tile(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const patch *of) {
  wend_grid *grid = body->grid;
  size_t width;
  const wend_status status = erode(body, alloc, base, of, &width);
  if (status != WEND_OK) return status;
  for (uint32_t y = (uint32_t)of->y1; y <= of->y2; y++) {
    const uint16_t *rank = body->covered + (size_t)(y - of->y1) * width;
    for (uint32_t x = (uint32_t)of->x1, count; x <= of->x2; x += count, rank += count) {
      const uint32_t place = (y + 1) * grid->stride + x + 1;
      const wend_cell value = value_of_rank(body, base, *rank);
      uint32_t kind;
      for (count = 1; x + count <= of->x2 && rank[count] == *rank && base->kinds != NULL;) count++;
      if (base->kinds == NULL) {
        if (!wend_grid_file_cell(grid, place, value)) return WEND_NO_MEMORY;
        continue;
      }
      kind = wend_grid_kind_of(grid, value);
      if (kind == WEND_NONE) return WEND_NO_MEMORY;
      wend_grid_count(grid, place, count, kind);
    }
  }
  return WEND_OK;
}

/* Fills a new grid. STALE, NO_MEMORY. */
static wend_status fill_grid(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base) {
  const patch all = {0, 0, (int64_t)base->width - 1, (int64_t)base->height - 1};
  wend_status status = WEND_OK;
  if (base->kinds != NULL) wend_grid_uncount(body->grid);
  else if (!wend_grid_begin_cells(body->grid)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) status = each_tile(body, alloc, base, &all, fill_tile);
  WEND_FREE(alloc, body->covered, body->covered_capacity);
  body->covered = NULL, body->covered_capacity = 0;
  return status;
}

/* Gives the eroded grid as many tags as its base has. Nothing asks it for their names, which a frozen version lacks. */
static void count_tags(wend_eroded *body, const wend_grid *base) {
  body->grid->map.tag_names.count = base->map.tag_names.count;
  body->grid->map.own_tags = base->map.own_tags;
}

/* Makes the grid. OK, STALE, NO_MEMORY. */
static wend_status make_grid(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base) {
  const patch all = {0, 0, (int64_t)base->width - 1, (int64_t)base->height - 1};
  wend_status status = begin_ranks(body, alloc, base);
  if (status != WEND_OK) return status;
  body->grid = wend_grid_create(alloc, base->width, base->height, base->diagonals);
  if (body->grid == NULL) return WEND_NO_MEMORY;
  wend_grid_set_diagonal_length(body->grid, base->diagonal_length);
  body->grid->body = body->size;
  count_tags(body, base);
  status = fill_grid(body, alloc, base);
  if (status == WEND_OK && !wend_grid_copy_portals(body->grid, base)) status = WEND_NO_MEMORY;
  if (status == WEND_OK && base->wall_count > 0) status = follow_walls(body, base, &all);
  body->version = base->map.version;
  body->cursor = base->map.journal.end;
  body->whole = status == WEND_OK;
  if (status == WEND_STALE) {
    wend_grid_destroy(body->grid);
    body->grid = NULL;
  }
  return status;
}

/* Follows the changes of the journal: each run of places in one row at once. */
static wend_status follow_changes(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, wend_changes changes) {
  wend_status status = WEND_OK;
  uint32_t place, next = 0;
  bool more = wend_next_change(&changes, &next);
  while (more && status == WEND_OK) {
    uint32_t end = place = next;
    patch cells, shadow;
    if (base->portal_count > 0) status = wend_grid_follow_portals(body->grid, base, place, place);
    while ((more = wend_next_change(&changes, &next)) && next == end + 1 && base->portal_count == 0) end = next;
    cells.x1 = (int64_t)(place % base->stride) - 1, cells.y1 = cells.y2 = (int64_t)(place / base->stride) - 1;
    cells.x2 = cells.x1 + (end - place);
    shadow = shadow_of(body, base, &cells);
    if (status == WEND_OK && shadow.x1 <= shadow.x2 && shadow.y1 <= shadow.y2) status = follow_area(body, alloc, base, &shadow);
  }
  return status;
}

/* Lets it follow its base. STALE: there can be no eroded grid any more. NO_MEMORY: it is not up to date. */
static wend_status follow_base(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base) {
  const patch all = {0, 0, (int64_t)base->width - 1, (int64_t)base->height - 1};
  uint64_t cursor = body->cursor;
  wend_status status = WEND_OK;
  wend_changes changes;
  if (body->grid == NULL || body->serial != base->map.serial || (base->kinds == NULL && body->mixed)) return WEND_STALE;
  count_tags(body, base);
  if (body->version == base->map.version) return status;
  if (base->kinds == NULL || body->palette_changes != base->palette_changes) status = begin_ranks(body, alloc, base);
  if (status == WEND_STALE) body->palette_changes = 0; /* no grid has so few: the next time finds the same */
  if (status != WEND_OK) return status;
  if (wend_read_changes_of(&base->map, &cursor, &changes) && !body->torn) {
    status = follow_changes(body, alloc, base, changes);
  } else {
    for (uint32_t place = 0; place < base->place_count && base->portal_count > 0 && status == WEND_OK; place++)
      status = wend_grid_follow_portals(body->grid, base, place, place);
    if (status == WEND_OK) status = follow_area(body, alloc, base, &all);
  }
  body->torn = status != WEND_OK;
  body->mixed = status == WEND_STALE;
  if (status != WEND_OK) return status;
  body->version = base->map.version;
  body->cursor = cursor;
  return WEND_OK;
}

/* ---- Bodies ------------------------------------------------------------------------------------------------- */

/* Makes a body unused, and frees all of it. */
static void release_body(wend_eroded *body, const wend_alloc *alloc) {
  const uint32_t holders = body->holders;
  wend_grid_destroy(body->grid);
  WEND_FREE(alloc, body->tags, body->tags_capacity);
  WEND_FREE(alloc, body->order, body->order_capacity);
  WEND_FREE(alloc, body->ranks, body->ranks_capacity);
  WEND_FREE(alloc, body->covered, body->covered_capacity);
  memset(body, 0, sizeof *body);
  body->holders = holders;
}

void wend_bodies_forget(wend_bodies *bodies, const wend_alloc *alloc, const wend_grid *base) {
  for (uint32_t i = 0; i < bodies->count; i++)
    if (bodies->at[i].serial == base->map.serial) release_body(&bodies->at[i], alloc);
}

void wend_bodies_free(wend_bodies *bodies, const wend_alloc *alloc) {
  for (uint32_t i = 0; i < bodies->count; i++) release_body(&bodies->at[i], alloc);
  WEND_FREE(alloc, bodies->at, bodies->capacity);
  memset(bodies, 0, sizeof *bodies);
}

/* Whether a body is that of an agent on a grid. */
static bool is_body_of(const wend_eroded *body, const wend_grid *base, const wend_costs *costs, uint32_t count) {
  if (body->serial != base->map.serial || body->size != wend_body_size(costs) || body->tag_count != count) return false;
  for (uint32_t tag = 0; tag < count; tag++)
    if (!wend_same_asking(&body->tags[tag], costs, tag)) return false;
  return true;
}

/* A body that is not held: an unused one, a new one, or if there are WEND_BODIES_MAX the one not used for the longest time. NULL:
 * no memory. */
static wend_eroded *unused_body(wend_bodies *bodies, const wend_alloc *alloc) {
  wend_eroded *oldest = NULL;
  for (uint32_t i = 0; i < bodies->count; i++)
    if (bodies->at[i].holders == 0 && (oldest == NULL || bodies->at[i].used < oldest->used)) oldest = &bodies->at[i];
  if (oldest == NULL || (oldest->serial != 0 && bodies->count < WEND_BODIES_MAX)) {
    if (!WEND_GROW(alloc, bodies->at, bodies->capacity, (uint64_t)bodies->count + 1)) return NULL;
    oldest = &bodies->at[bodies->count++];
    memset(oldest, 0, sizeof *oldest);
  }
  release_body(oldest, alloc);
  return oldest;
}

/* Makes the body of an agent. */
static wend_status make_eroded(wend_eroded *body, const wend_alloc *alloc, const wend_grid *base, const wend_costs *costs,
                               uint32_t count) {
  if (count > 0 && !WEND_GROW(alloc, body->tags, body->tags_capacity, count)) return WEND_NO_MEMORY;
  if (count > 0) memcpy(body->tags, costs->tags, count * sizeof *body->tags);
  for (uint32_t tag = 0; tag < count && costs->edge == NULL; tag++) body->tags[tag].asks = false;
  body->tag_count = count;
  body->size = wend_body_size(costs);
  return make_grid(body, alloc, base);
}

wend_status wend_body_of(wend_bodies *bodies, const wend_alloc *alloc, const wend_grid *base, const wend_costs *costs,
                         uint32_t *number) {
  const uint32_t count = costs->tags == NULL ? 0 : wend_map_tag_count(&base->map) + 1;
  wend_eroded *body = NULL;
  wend_status status;
  *number = WEND_NONE;
  if (wend_body_size(costs) == 1) return WEND_OK;
  for (uint32_t i = 0; i < bodies->count; i++) { /* the latest that can follow this version of the base */
    wend_eroded *one = &bodies->at[i];
    if (one->version > base->map.version || !is_body_of(one, base, costs, count)) continue;
    if (body == NULL || one->version > body->version) body = one;
  }
  if (body == NULL) {
    body = unused_body(bodies, alloc);
    if (body == NULL) return WEND_NO_MEMORY;
    status = make_eroded(body, alloc, base, costs, count);
    body->serial = base->map.serial;
  } else if (body->grid == NULL && body->palette_changes != base->palette_changes) {
    status = make_grid(body, alloc, base);
  } else {
    status = follow_base(body, alloc, base);
  }
  if (status == WEND_NO_MEMORY && !body->whole) release_body(body, alloc);
  body->used = ++bodies->clock;
  if (status == WEND_STALE) return WEND_OK;
  *number = (uint32_t)(body - bodies->at);
  return status;
}

size_t wend_bodies_bytes(const wend_bodies *bodies) {
  size_t bytes = bodies->capacity * sizeof *bodies->at;
  for (uint32_t i = 0; i < bodies->count; i++) {
    const wend_eroded *body = &bodies->at[i];
    if (body->grid != NULL) bytes += wend_grid_bytes(body->grid);
    bytes += body->tags_capacity * sizeof *body->tags + body->order_capacity * sizeof *body->order +
             ((size_t)body->ranks_capacity + body->covered_capacity) * sizeof *body->ranks;
  }
  return bytes;
}
