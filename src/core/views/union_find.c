/* SPDX-License-Identifier: MIT */
/* Sets of components, and the search over them: union_find.h has the data. */
#include "core/views/union_find.h"

#include <string.h>

void wend_union_find_clear(wend_union_find *u) {
  u->count = u->way_count = 0;
  u->period++;
}

static const wend_array union_rows[] = {
    WEND_ARRAY(wend_union_find, parent, capacity, 1), WEND_ARRAY(wend_union_find, last, capacity, 1),
    WEND_ARRAY(wend_union_find, ways, ways_capacity, 1), WEND_ARRAY(wend_union_find, stack, stack_capacity, 1)};
static const wend_arrays union_arrays = WEND_ARRAYS(union_rows);

void wend_union_find_free(wend_union_find *u, const wend_alloc *alloc) {
  wend_arrays_free(union_arrays, 1, alloc, u);
  for (uint32_t i = 0; i < WEND_REACH_ROWS; i++) WEND_FREE(alloc, u->rows[i].bits, u->rows[i].capacity);
  memset(u, 0, sizeof *u);
}

size_t wend_union_find_bytes(const wend_union_find *u) {
  size_t bytes = wend_arrays_bytes(union_arrays, 1, u);
  for (uint32_t i = 0; i < WEND_REACH_ROWS; i++) bytes += u->rows[i].capacity * sizeof *u->rows[i].bits;
  return bytes;
}

uint32_t wend_union_find_add(wend_union_find *u, const wend_alloc *alloc, uint32_t count) {
  const wend_column columns[] = {WEND_COLUMN(u->parent), WEND_COLUMN(u->last)};
  const uint32_t first = u->count;
  const uint64_t wanted = (uint64_t)first + count;
  if (wanted >= WEND_NONE || (wanted > u->capacity && !wend_grow_columns(alloc, columns, 2, &u->capacity, wanted)))
    return WEND_NONE;
  for (uint32_t i = first; i < first + count; i++) u->parent[i] = i, u->last[i] = WEND_NONE;
  u->count += count;
  return first;
}

void wend_union_find_unite(wend_union_find *u, uint32_t a, uint32_t b) {
  a = wend_union_find_root(u, a), b = wend_union_find_root(u, b);
  if (a == b) return;
  if (b < a) {
    const uint32_t lesser = b;
    b = a, a = lesser;
  }
  u->parent[b] = a;
  if (u->last[a] != WEND_NONE && u->last[b] != WEND_NONE) { /* joins the two rings */
    const uint32_t next = u->ways[u->last[a]].next;
    u->ways[u->last[a]].next = u->ways[u->last[b]].next;
    u->ways[u->last[b]].next = next;
  } else if (u->last[a] == WEND_NONE) {
    u->last[a] = u->last[b];
  }
  u->period++;
}

bool wend_union_find_link(wend_union_find *u, const wend_alloc *alloc, uint32_t from, uint32_t to) {
  const uint32_t a = wend_union_find_root(u, from), b = wend_union_find_root(u, to);
  wend_passage_way *way;
  if (a == b) return true;
  /* The latest passage is often the same again. Others that are there twice do no harm. */
  if (u->last[a] != WEND_NONE && wend_union_find_root(u, u->ways[u->last[a]].to) == b) return true;
  if (!WEND_GROW(alloc, u->ways, u->ways_capacity, (uint64_t)u->way_count + 1)) return false;
  way = &u->ways[u->way_count];
  way->to = b;
  if (u->last[a] == WEND_NONE) {
    way->next = u->way_count;
  } else {
    way->next = u->ways[u->last[a]].next;
    u->ways[u->last[a]].next = u->way_count;
  }
  u->last[a] = u->way_count++;
  u->period++;
  return true;
}

static bool row_has(const wend_reach_row *row, uint32_t root) {
  return root / 64 < row->words && (row->bits[root / 64] >> root % 64 & 1) != 0;
}

/* Computes the row of a set. False: no memory. */
static bool fill_reach_row(wend_union_find *u, const wend_alloc *alloc, wend_reach_row *row, uint32_t from) {
  const uint32_t words = (u->count + 63) / 64;
  uint32_t top = 0;
  row->period = 0;
  if (!WEND_GROW(alloc, row->bits, row->capacity, words) || !WEND_GROW(alloc, u->stack, u->stack_capacity, u->count))
    return false;
  memset(row->bits, 0, words * sizeof *row->bits);
  row->words = words;
  row->bits[from / 64] |= (uint64_t)1 << from % 64;
  u->stack[top++] = from;
  while (top > 0) {
    const uint32_t last = u->last[u->stack[--top]];
    uint32_t way = last;
    if (last == WEND_NONE) continue;
    do {
      const uint32_t to = wend_union_find_root(u, u->ways[way].to);
      if (!row_has(row, to)) {
        row->bits[to / 64] |= (uint64_t)1 << to % 64;
        u->stack[top++] = to;
      }
      way = u->ways[way].next;
    } while (way != last);
  }
  row->from = from;
  row->period = u->period;
  return true;
}

int wend_union_find_leads(wend_union_find *u, const wend_alloc *alloc, uint32_t from, uint32_t to, uint64_t *work) {
  const uint32_t a = wend_union_find_root(u, from), b = wend_union_find_root(u, to);
  const uint64_t cost = (uint64_t)u->way_count + u->count / 64;
  wend_reach_row *row;
  if (a == b) return 1;
  if (u->way_count == 0 || u->last[a] == WEND_NONE) return 0;
  for (uint32_t i = 0; i < WEND_REACH_ROWS; i++) {
    row = &u->rows[i];
    if (row->period == u->period && row->from == a) return row_has(row, b);
  }
  if (cost > *work) return -1;
  *work -= cost;
  row = &u->rows[u->next_row];
  u->next_row = (u->next_row + 1) % WEND_REACH_ROWS;
  return fill_reach_row(u, alloc, row, a) ? row_has(row, b) : -1;
}
