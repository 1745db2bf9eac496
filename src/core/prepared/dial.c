/* SPDX-License-Identifier: MIT */
/* Searches of a whole map in whole numbers: dial.h has the contracts. */
#include "core/prepared/dial.h"

#include <math.h>
#include <string.h>

#include "core/map/neighbours.h"

WEND_NO_FUSING

#define RING_SIZE (COUNT_MAX + 1)

bool wend_dial_init(wend_dial *c, wend_map *map, wend_prepared *prices, const wend_alloc *alloc) {
  static const wend_costs weights = {NULL, NULL, NULL};
  const wend_grid *grid = map->is_grid ? (const wend_grid *)map : NULL;
  const wend_column columns[] = {WEND_COLUMN(c->count), WEND_COLUMN(c->next), WEND_COLUMN(c->before), WEND_COLUMN(c->parent),
                                 WEND_COLUMN(c->order)};
  memset(c, 0, sizeof *c);
  c->alloc = *alloc;
  c->map = map;
  c->prices = prices;
  c->place_count = grid != NULL ? grid->place_count : ((const wend_graph *)map)->place_count;
  if (grid != NULL) c->weights = wend_grid_stepper(grid, &weights);
  if (!wend_resize_columns(alloc, columns, 5, &c->capacity, c->place_count > 0 ? c->place_count : 1) ||
      !WEND_RESIZE(alloc, c->ring, c->ring_capacity, RING_SIZE)) {
    wend_dial_free(c);
    return false;
  }
  for (uint32_t i = 0; i < RING_SIZE; i++) c->ring[i] = WEND_NONE;
  if (grid == NULL || grid->kinds == NULL || grid->wall_count > 0) return true;
  if (WEND_RESIZE(alloc, c->kind_counts, c->kind_counts_capacity, (uint64_t)grid->kind_count * 2)) return true;
  wend_dial_free(c);
  return false;
}

void wend_dial_free(wend_dial *c) {
  WEND_FREE(&c->alloc, c->count, c->capacity);
  WEND_FREE(&c->alloc, c->next, c->capacity);
  WEND_FREE(&c->alloc, c->before, c->capacity);
  WEND_FREE(&c->alloc, c->parent, c->capacity);
  WEND_FREE(&c->alloc, c->order, c->capacity);
  WEND_FREE(&c->alloc, c->ring, c->ring_capacity);
  WEND_FREE(&c->alloc, c->kind_counts, c->kind_counts_capacity);
  c->count = c->next = c->before = c->parent = c->order = c->ring = c->kind_counts = NULL;
  c->capacity = c->ring_capacity = c->kind_counts_capacity = 0;
}

/* A price in units, rounded down. A price that is a whole number of units but for rounding counts as that number. */
static uint32_t units_of(const wend_dial *c, double price) {
  const double units = price * c->per_unit * (1 + 1e-12);
  if (!(price < INFINITY)) return COUNT_NONE;
  return units < COUNT_MAX ? (uint32_t)units : COUNT_MAX;
}

void wend_dial_set_unit(wend_dial *c, double unit) {
  const wend_grid *grid = (const wend_grid *)c->map;
  c->per_unit = 1 / unit;
  if (c->kind_counts == NULL) return;
  for (uint32_t k = 0; k < grid->kind_count; k++) {
    const wend_kind *kind = &grid->palette[k];
    const bool open = kind->count > 0 && kind->weight < INFINITY; /* NaN: outside */
    for (int i = 0; i < 2; i++) {
      const double length = i == 0 ? 1 : grid->diagonal_length;
      const double price = open ? wend_prepared_price(c->prices, kind->tag, length * kind->weight) : INFINITY;
      c->kind_counts[2 * k + (uint32_t)i] = units_of(c, price);
    }
  }
}

/* Takes a place out of its bucket. */
static void unlink_place(wend_dial *c, uint32_t place) {
  const uint32_t next = c->next[place], before = c->before[place];
  if (before != WEND_NONE) c->next[before] = next;
  else c->ring[c->count[place] & COUNT_MAX] = next;
  if (next != WEND_NONE) c->before[next] = before;
}

/* Puts a place into the bucket of a cost. */
static void link_place(wend_dial *c, uint32_t place, uint32_t count) {
  uint32_t *first = &c->ring[count & COUNT_MAX];
  c->count[place] = count;
  c->next[place] = *first;
  c->before[place] = WEND_NONE;
  if (*first != WEND_NONE) c->before[*first] = place;
  *first = place;
}

/* Relaxes a step of `step` units. */
static void relax_count(wend_dial *c, uint32_t from, uint32_t to, uint32_t step) {
  const uint32_t count = c->now + step;
  if (count >= c->limit || count >= c->count[to]) return;
  if (c->count[to] != COUNT_NONE) unlink_place(c, to);
  else c->open++;
  link_place(c, to, count);
  c->parent[to] = from;
}

static void expand_arcs(wend_dial *c, uint32_t from) {
  const wend_graph *graph = (const wend_graph *)c->map;
  const wend_span span = c->back ? graph->in[from] : graph->out[from];
  for (uint32_t i = span.first; i < span.end; i++) {
    const double price = wend_prepared_price(c->prices, graph->arc_tag[i], fabs(graph->arc_weight[i]));
    const uint32_t step = units_of(c, price);
    if (step != COUNT_NONE && graph->arc_to[i] < c->place_count) relax_count(c, from, graph->arc_to[i], step);
  }
}

/* Expands a cell of a grid where kinds alone decide the costs of steps to neighbours. A cell that only its tag closes does not
 * close a corner: other agents may pass there. */
static void expand_kinds(wend_dial *c, uint32_t from) {
  const wend_grid *grid = (const wend_grid *)c->map;
  const uint16_t *kinds = grid->kinds;
  const wend_kind *palette = grid->palette;
  const uint32_t *costs = c->kind_counts, stride = grid->stride;
  unsigned closed = 0, allowed;
  if (!(palette[kinds[from - stride]].weight < INFINITY)) closed |= 1;
  if (!(palette[kinds[from - 1]].weight < INFINITY)) closed |= 2;
  if (!(palette[kinds[from + 1]].weight < INFINITY)) closed |= 4;
  if (!(palette[kinds[from + stride]].weight < INFINITY)) closed |= 8;
  allowed = wend_around[grid->diagonals][closed];
  for (int d = 0; d < 8; d++) {
    const uint32_t to = (uint32_t)(from + wend_offset(stride, d));
    const uint32_t which = IS_DIAGONAL(d) ? 1 : 0;
    if ((allowed >> d & 1) == 0 || costs[2 * kinds[to]] == COUNT_NONE) continue;
    relax_count(c, from, to, costs[2 * kinds[c->back ? from : to] + which]);
  }
}

static double stepped_price(const wend_dial *c, uint32_t tag, double weight) {
  return weight < INFINITY ? wend_prepared_price(c->prices, tag, weight) : INFINITY;
}

/* Expands a cell of any grid. The tag of a cell does not close corners, as above. */
static void expand_steps(wend_dial *c, uint32_t from) {
  const wend_grid *grid = (const wend_grid *)c->map;
  const wend_region *region = &c->weights.region;
  for (int d = 0; d < 8; d++) {
    const uint32_t to = (uint32_t)(from + wend_offset(region->stride, d));
    double weight;
    uint32_t step;
    if (!wend_region_has(region, to) || !wend_prepared_enters(grid, c->prices, to)) continue;
    weight = c->back ? wend_step_cell(&c->weights, to, 7 - d, 0, INFINITY, NULL)
                     : wend_step_cell(&c->weights, from, d, 0, INFINITY, NULL);
    step = units_of(c, stepped_price(c, wend_region_get(region, grid, c->back ? from : to).tag, weight));
    if (step != COUNT_NONE) relax_count(c, from, to, step);
  }
}

static void expand_links(wend_dial *c, uint32_t from) {
  const wend_grid *grid = (const wend_grid *)c->map;
  uint32_t count;
  const wend_portal *portals = wend_grid_portals(grid, from, c->back, &count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t to = c->back ? portals[i].from : portals[i].to;
    uint32_t step;
    if (portals[i].removed || !wend_prepared_enters(grid, c->prices, to)) continue;
    step = units_of(c, stepped_price(c, portals[i].tag, portals[i].weight));
    if (step != COUNT_NONE) relax_count(c, from, to, step);
  }
}

void wend_dial_begin(wend_dial *c, uint32_t root, bool back, uint32_t limit) {
  for (uint32_t i = 0; c->open > 0 && i < RING_SIZE; i++) c->ring[i] = WEND_NONE;
  for (uint32_t i = 0; i < c->place_count; i++) c->count[i] = COUNT_NONE;
  c->back = back;
  c->limit = limit;
  c->order_count = c->now = 0;
  c->open = 1;
  link_place(c, root, 0);
  c->parent[root] = WEND_NONE;
}

bool wend_dial_run(wend_dial *c, uint64_t *places) {
  const wend_grid *grid = c->map->is_grid ? (const wend_grid *)c->map : NULL;
  while (c->open > 0) {
    uint32_t place = c->ring[c->now & COUNT_MAX];
    if (place == WEND_NONE) {
      c->now++;
      continue;
    }
    if (*places == 0) return false;
    --*places;
    unlink_place(c, place);
    c->open--;
    c->order[c->order_count++] = place;
    if (grid == NULL) expand_arcs(c, place);
    else if (c->kind_counts != NULL) expand_kinds(c, place);
    else expand_steps(c, place);
    if (grid != NULL && grid->live_portals > 0) expand_links(c, place);
  }
  return true;
}
