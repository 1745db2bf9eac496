/* SPDX-License-Identifier: MIT */
/* Searches of a whole graph in whole numbers: bucket_flood.h has the contracts. */
#include "core/prepared/bucket_flood.h"

#include <math.h>
#include <string.h>

WEND_NO_FUSING

#define RING_SIZE (COUNT_MAX + 1)

/* Makes room for so many places, and a ring of so many buckets. False: no memory. */
static bool size_bucket_flood(wend_bucket_flood *c, uint32_t places, uint32_t buckets) {
  const wend_column columns[] = {WEND_COLUMN(c->count), WEND_COLUMN(c->next), WEND_COLUMN(c->before), WEND_COLUMN(c->parent),
                                 WEND_COLUMN(c->order)};
  return wend_resize_columns(&c->alloc, columns, 5, &c->capacity, places) &&
         WEND_RESIZE(&c->alloc, c->ring, c->ring_capacity, buckets);
}

bool wend_bucket_flood_init(wend_bucket_flood *c, const wend_graph *graph, wend_prepared *prices, const wend_alloc *alloc) {
  memset(c, 0, sizeof *c);
  c->alloc = *alloc;
  c->graph = graph;
  c->prices = prices;
  c->place_count = graph->place_count;
  if (!size_bucket_flood(c, c->place_count > 0 ? c->place_count : 1, RING_SIZE)) {
    wend_bucket_flood_free(c);
    return false;
  }
  for (uint32_t i = 0; i < RING_SIZE; i++) c->ring[i] = WEND_NONE;
  return true;
}

void wend_bucket_flood_free(wend_bucket_flood *c) { (void)size_bucket_flood(c, 0, 0); }

/* A price in units, rounded down. A price that is a whole number of units but for rounding counts as that number. */
static uint32_t units_of(const wend_bucket_flood *c, double price) {
  const double units = price * c->per_unit * (1 + 1e-12);
  if (!(price < INFINITY)) return COUNT_NONE;
  return units < COUNT_MAX ? (uint32_t)units : COUNT_MAX;
}

void wend_bucket_flood_set_unit(wend_bucket_flood *c, double unit) { c->per_unit = 1 / unit; }

/* Takes a place out of its bucket. */
static void unlink_place(wend_bucket_flood *c, uint32_t place) {
  const uint32_t next = c->next[place], before = c->before[place];
  if (before != WEND_NONE) c->next[before] = next;
  else c->ring[c->count[place] & COUNT_MAX] = next;
  if (next != WEND_NONE) c->before[next] = before;
}

/* Puts a place into the bucket of a cost. */
static void link_place(wend_bucket_flood *c, uint32_t place, uint32_t count) {
  uint32_t *first = &c->ring[count & COUNT_MAX];
  c->count[place] = count;
  c->next[place] = *first;
  c->before[place] = WEND_NONE;
  if (*first != WEND_NONE) c->before[*first] = place;
  *first = place;
}

/* Relaxes a step of `step` units. */
static void relax_count(wend_bucket_flood *c, uint32_t from, uint32_t to, uint32_t step) {
  const uint32_t count = c->now + step;
  if (count >= c->limit || count >= c->count[to]) return;
  if (c->count[to] != COUNT_NONE) unlink_place(c, to);
  else c->open++;
  link_place(c, to, count);
  c->parent[to] = from;
}

static void expand_arcs(wend_bucket_flood *c, uint32_t from) {
  const wend_graph *graph = c->graph;
  const wend_span span = c->back ? graph->in[from] : graph->out[from];
  for (uint32_t i = span.first; i < span.end; i++) {
    const double price = wend_prepared_price(c->prices, graph->arc_tag[i], fabs(graph->arc_weight[i]));
    const uint32_t step = units_of(c, price);
    if (step != COUNT_NONE && graph->arc_to[i] < c->place_count) relax_count(c, from, graph->arc_to[i], step);
  }
}

void wend_bucket_flood_begin(wend_bucket_flood *c, uint32_t root, bool back, uint32_t limit) {
  for (uint32_t i = 0; c->open > 0 && i < RING_SIZE; i++) c->ring[i] = WEND_NONE;
  for (uint32_t i = 0; i < c->place_count; i++) c->count[i] = COUNT_NONE;
  c->back = back;
  c->limit = limit;
  c->order_count = c->now = 0;
  c->open = 1;
  link_place(c, root, 0);
  c->parent[root] = WEND_NONE;
}

bool wend_bucket_flood_run(wend_bucket_flood *c, uint64_t *places) {
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
    expand_arcs(c, place);
  }
  return true;
}
