/* SPDX-License-Identifier: MIT */
/* Searches of a whole grid in whole numbers: grid_flood.h has the contracts. */
#include "core/prepared/grid_flood.h"

#include <math.h>
#include <string.h>

#include "core/base/planes.h"
#include "core/map/neighbours.h"

WEND_NO_FUSING

#define BUCKET_SHIFT 5u /* a bucket is 32 units wide: less than a step, so that few places are expanded twice */
#define BUCKETS 4096u   /* the longest step, 2 x FLOOD_PART_MAX, spans 2048 of them */
#define CHUNK_PLACES (sizeof((wend_grid_flood_chunk *)0)->places / sizeof(uint32_t))

/* The labels that are cleared at once, and how many take about as long as expanding a cell. */
#define CLEARED_AT_ONCE 0x4000u
#define CLEARED_PER_EXPANSION 64u
/* Labels of cells that are taken from a bucket so much later are loaded ahead. */
#define LOADED_AHEAD 6u

/* Half and rest of the prices of the steps onto a cell. */
static wend_grid_flood_kind parts_of(const wend_grid_flood *s, double weight, uint32_t tag) {
  const double straight = wend_prepared_price(s->prices, tag, weight);
  const double diagonal = wend_prepared_price(s->prices, tag, weight * s->grid->diagonal_length);
  wend_grid_flood_kind parts = {FLOOD_CLOSED, FLOOD_CLOSED, !(weight < INFINITY)};
  double half, rest;
  if (!(weight < INFINITY) || !(straight < INFINITY)) return parts; /* NaN: outside */
  half = straight / 2 * s->per_unit * (1 + 1e-12), rest = (diagonal - straight / 2) * s->per_unit * (1 + 1e-12);
  parts.half = (uint16_t)(half < FLOOD_PART_MAX ? half : FLOOD_PART_MAX);
  parts.rest = (uint16_t)(rest < FLOOD_PART_MAX ? rest : FLOOD_PART_MAX);
  return parts;
}

bool wend_grid_flood_init(wend_grid_flood *s, const wend_grid *grid, const wend_prepared *prices, const wend_alloc *alloc) {
  static const wend_costs as_they_are = {NULL, NULL, NULL, 0, NULL, 0};
  memset(s, 0, sizeof *s);
  s->alloc = *alloc;
  s->grid = grid;
  s->prices = prices;
  s->weights = wend_grid_stepper(grid, &as_they_are);
  s->weights.region.directed = NULL; /* its costs hold both ways */
  s->per_unit = 1 / prices->unit;
  for (int d = 0; d < 8; d++) s->offsets[d] = (uint32_t)wend_offset(grid->stride, d);
  s->free_chunk = WEND_NONE;
  s->most_added = 8 + 2 * grid->live_portals;
  if (s->most_added > BUCKETS) s->most_added = BUCKETS + s->most_added / CHUNK_PLACES;
  if (!WEND_RESIZE(alloc, s->labels, s->labels_capacity, grid->place_count) ||
      !WEND_RESIZE(alloc, s->ring, s->ring_capacity, BUCKETS) || !wend_grid_flood_reserve(s, 0))
    return false;
  if (grid->kinds == NULL || grid->wall_count > 0) return true;
  if (!WEND_RESIZE(alloc, s->kinds, s->kinds_capacity, grid->kind_count)) return false;
  for (uint32_t k = 0; k < grid->kind_count; k++)
    s->kinds[k] = parts_of(s, grid->palette[k].count > 0 ? grid->palette[k].weight : NAN, grid->palette[k].tag);
  return true;
}

void wend_grid_flood_free(wend_grid_flood *s) {
  WEND_FREE(&s->alloc, s->labels, s->labels_capacity);
  WEND_FREE(&s->alloc, s->kinds, s->kinds_capacity);
  WEND_FREE(&s->alloc, s->ring, s->ring_capacity);
  WEND_FREE(&s->alloc, s->chunks, s->chunks_capacity);
  s->labels = s->ring = NULL, s->kinds = NULL, s->chunks = NULL;
  s->labels_capacity = s->kinds_capacity = s->ring_capacity = s->chunks_capacity = 0;
}

/* ---- Buckets ----------------------------------------------------------------------------------------------- */

bool wend_grid_flood_reserve(wend_grid_flood *s, uint32_t chunks) {
  return WEND_GROW(&s->alloc, s->chunks, s->chunks_capacity, (uint64_t)s->chunk_count + s->most_added + chunks);
}

/* Puts an empty chunk on top of a bucket. There is room for it. */
static void add_chunk(wend_grid_flood *s, uint32_t *top) {
  uint32_t made = s->free_chunk;
  if (made != WEND_NONE) s->free_chunk = s->chunks[made].below;
  else made = s->chunk_count++;
  s->chunks[made].below = *top;
  s->chunks[made].count = 0;
  *top = made;
}

/* Sets the cost of a place if it is cheaper than before. */
WEND_INLINE void reach_in_flood(wend_grid_flood *s, uint32_t to, uint32_t count) {
  uint32_t *top;
  if (count >= s->labels[to] >> 1 || count >= PLANE_NUMBER_MAX / 2) return;
  top = &s->ring[count >> BUCKET_SHIFT & (BUCKETS - 1)];
  if (*top == WEND_NONE || s->chunks[*top].count == CHUNK_PLACES) add_chunk(s, top);
  s->labels[to] = count << 1;
  s->chunks[*top].places[s->chunks[*top].count++] = to;
  s->waiting++;
}

/* Takes a place out of the bucket that the flood is at. WEND_NONE: it is empty. */
static uint32_t take_place(wend_grid_flood *s) {
  uint32_t *top = &s->ring[s->at & (BUCKETS - 1)];
  wend_grid_flood_chunk *chunk;
  if (*top == WEND_NONE) return WEND_NONE;
  chunk = &s->chunks[*top];
  if (chunk->count > 0) {
    s->waiting--;
    return chunk->places[--chunk->count];
  }
  {
    const uint32_t empty = *top;
    *top = chunk->below;
    chunk->below = s->free_chunk;
    s->free_chunk = empty;
  }
  return take_place(s);
}

/* ---- Steps ------------------------------------------------------------------------------------------------- */

static uint32_t step_units(const wend_grid_flood_kind *u, const wend_grid_flood_kind *v, bool diagonal) {
  const uint32_t a = (uint32_t)u->half + v->rest, b = (uint32_t)v->half + u->rest;
  return !diagonal ? (uint32_t)u->half + v->half : a < b ? a : b;
}

/* Expands a cell of a grid where kinds alone decide the costs of steps. A cell that only its tag closes does not close a corner:
 * other agents may pass there. A step costs at least half of the cell that it leaves. So a neighbour whose cost is not greater by
 * more than that is left out: most of those behind are. */
static void flood_kinds(wend_grid_flood *s, uint32_t from, uint32_t count) {
  const wend_grid *grid = s->grid;
  const uint32_t stride = grid->stride;
  const uint16_t *above = grid->kinds + from - stride, *row = grid->kinds + from, *below = grid->kinds + from + stride;
  const uint32_t *labels_above = s->labels + from - stride, *labels = s->labels + from,
                 *labels_below = s->labels + from + stride;
  const wend_grid_flood_kind *kinds = s->kinds, own = kinds[row[0]];
  const uint32_t least = (count + own.half + 1) << 1;
  unsigned steps = (unsigned)(labels_above[-1] >= least) | (unsigned)(labels_above[0] >= least) << 1 |
                   (unsigned)(labels_above[1] >= least) << 2 | (unsigned)(labels[-1] >= least) << 3 |
                   (unsigned)(labels[1] >= least) << 4 | (unsigned)(labels_below[-1] >= least) << 5 |
                   (unsigned)(labels_below[0] >= least) << 6 | (unsigned)(labels_below[1] >= least) << 7;
  unsigned closed;
  if (steps == 0) return;
  closed = (unsigned)kinds[above[0]].is_wall | (unsigned)kinds[row[-1]].is_wall << 1 | (unsigned)kinds[row[1]].is_wall << 2 |
           (unsigned)kinds[below[0]].is_wall << 3;
  steps &= wend_around[grid->diagonals][closed];
  for (; steps != 0; steps &= steps - 1) {
    const int direction = (int)wend_lowest_bit(steps);
    const uint32_t to = from + s->offsets[direction];
    const wend_grid_flood_kind *other = &kinds[grid->kinds[to]];
    if (other->half == FLOOD_CLOSED) continue;
    reach_in_flood(s, to, count + step_units(&own, other, IS_DIAGONAL(direction)));
  }
}

static wend_grid_flood_kind parts_at(const wend_grid_flood *s, uint32_t place) {
  const wend_cell cell = wend_region_get(&s->weights.region, s->grid, place);
  return parts_of(s, cell.weight, cell.tag);
}

/* Expands a cell of any grid. The tag of a cell does not close corners, as above. */
static void flood_steps(wend_grid_flood *s, uint32_t from, uint32_t count) {
  const wend_grid_flood_kind own = parts_at(s, from);
  for (int d = 0; d < 8; d++) {
    const uint32_t to = from + s->offsets[d];
    wend_grid_flood_kind other;
    if (!wend_region_has(&s->weights.region, to) || s->labels[to] >> 1 <= count + own.half) continue;
    other = parts_at(s, to);
    if (other.half == FLOOD_CLOSED || !(wend_step_cell(&s->weights, from, d, 0, INFINITY, NULL) < INFINITY)) continue;
    reach_in_flood(s, to, count + step_units(&own, &other, IS_DIAGONAL(d)));
  }
}

uint32_t wend_grid_flood_link(const wend_grid_flood *s, const wend_portal *link) {
  const wend_cell from = wend_region_get(&s->weights.region, s->grid, link->from);
  const wend_cell to = wend_region_get(&s->weights.region, s->grid, link->to);
  const double halves =
      wend_prepared_price(s->prices, from.tag, from.weight) - wend_prepared_price(s->prices, to.tag, to.weight);
  const double units = (wend_prepared_price(s->prices, link->tag, link->weight) + halves / 2) * s->per_unit;
  return !(units > 0) ? 0 : units < 2 * FLOOD_PART_MAX ? (uint32_t)units : 2 * FLOOD_PART_MAX;
}

/* Links lead both ways here, at the same cost: that makes no bound greater. */
static void flood_links(wend_grid_flood *s, uint32_t from, uint32_t count) {
  for (int back = 0; back < 2; back++) {
    uint32_t links;
    const wend_portal *link = wend_grid_portals(s->grid, from, back != 0, &links);
    for (; links > 0; links--, link++) {
      const uint32_t to = back != 0 ? link->from : link->to;
      if (link->removed || !(wend_prepared_price(s->prices, link->tag, link->weight) < INFINITY)) continue;
      if (wend_prepared_enters(s->grid, s->prices, to)) reach_in_flood(s, to, count + wend_grid_flood_link(s, link));
    }
  }
}

void wend_grid_flood_begin(wend_grid_flood *s, uint32_t root) {
  memset(s->ring, 0xff, BUCKETS * sizeof *s->ring); /* WEND_NONE */
  s->chunk_count = s->reached = s->at = s->cleared = 0;
  s->free_chunk = WEND_NONE;
  s->waiting = 0;
  s->root = s->farthest = root;
}

/* Clears labels. True: all are cleared, and the root is reached. */
static bool clear_labels(wend_grid_flood *s, uint64_t *places) {
  const uint32_t place_count = s->grid->place_count;
  while (s->cleared != place_count && *places > 0) {
    const uint32_t left = place_count - s->cleared, count = left < CLEARED_AT_ONCE ? left : CLEARED_AT_ONCE;
    const uint32_t as_many = count / CLEARED_PER_EXPANSION + 1;
    memset(s->labels + s->cleared, 0xff, count * sizeof *s->labels); /* FLOOD_NONE */
    s->cleared += count;
    *places -= *places < as_many ? *places : as_many;
    if (s->cleared == place_count) reach_in_flood(s, s->root, 0);
  }
  return s->cleared == place_count;
}

/* Begins to load what expanding a cell reads, some cells before its turn. */
static inline void load_ahead(const wend_grid_flood *s) {
  const uint32_t top = s->ring[s->at & (BUCKETS - 1)], stride = s->grid->stride;
  uint32_t place;
  if (s->chunks[top].count < LOADED_AHEAD) return;
  place = s->chunks[top].places[s->chunks[top].count - LOADED_AHEAD];
  WEND_PREFETCH(&s->labels[place - stride]);
  WEND_PREFETCH(&s->labels[place]);
  WEND_PREFETCH(&s->labels[place + stride]);
  if (s->kinds == NULL) return;
  WEND_PREFETCH(&s->grid->kinds[place - stride]);
  WEND_PREFETCH(&s->grid->kinds[place]);
  WEND_PREFETCH(&s->grid->kinds[place + stride]);
}

bool wend_grid_flood_run(wend_grid_flood *s, uint64_t *places) {
  if (!clear_labels(s, places)) return false;
  while (s->waiting > 0 && *places > 0 && s->chunk_count + s->most_added <= s->chunks_capacity) {
    const uint32_t place = take_place(s);
    uint32_t label;
    if (place == WEND_NONE) {
      s->at++;
      continue;
    }
    load_ahead(s);
    label = s->labels[place];
    if ((label & 1) != 0) continue; /* expanded at this cost before */
    s->labels[place] = label | 1;
    s->reached++;
    s->farthest = place;
    if (s->kinds != NULL) flood_kinds(s, place, label >> 1);
    else flood_steps(s, place, label >> 1);
    if (s->grid->live_portals > 0) flood_links(s, place, label >> 1);
    --*places;
  }
  return s->waiting == 0;
}
