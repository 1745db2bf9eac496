/* SPDX-License-Identifier: MIT */
/* Components that grow together, with one-way passages between them. It answers whether one leads to another.
 *
 * Components are numbers 0 .. count - 1. United components are one set, and each set has a root, one of its members (B. Galler and
 * M. Fischer, "An improved equivalence algorithm", 1964). The passages that leave a set form a ring: `last` of the root is one of
 * them, and `next` of each passage is the one after it. So two rings are joined in constant time.
 *
 * Without passages, one component leads to another if both are in one set. With passages, a search over the sets decides. Its
 * result, all sets that one set leads to, is kept as a row of bits. Any change that may add to a row drops all rows. */
#ifndef WEND_UNION_FIND_H
#define WEND_UNION_FIND_H

#include "core/base/memory.h"

typedef struct wend_passage_way {
  uint32_t to, next; /* a component; a passage */
} wend_passage_way;

typedef struct wend_reach_row {
  uint64_t *bits; /* by root */
  uint32_t capacity, words;
  uint32_t from;   /* the root of the set that it is about */
  uint64_t period; /* of the unions when it was computed; 0: never */
} wend_reach_row;

/* How many rows are kept. Agents come from few components: most of them are in the largest one. */
#define WEND_REACH_ROWS 8u

typedef struct wend_union_find {
  uint32_t *parent; /* by component; a root is its own parent */
  uint32_t *last;   /* by root: a passage that leaves its set; WEND_NONE: there is none */
  uint32_t capacity, count;
  wend_passage_way *ways;
  uint32_t ways_capacity, way_count;
  wend_reach_row rows[WEND_REACH_ROWS];
  uint32_t next_row; /* that is replaced next */
  uint64_t period;   /* counts the changes that drop the rows; >= 1 */
  uint32_t *stack;   /* of the search */
  uint32_t stack_capacity;
} wend_union_find;

/* Begins with no components. Keeps the memory. */
void wend_union_find_clear(wend_union_find *u);
void wend_union_find_free(wend_union_find *u, const wend_alloc *alloc);
size_t wend_union_find_bytes(const wend_union_find *u);
/* Adds components. Returns the first; WEND_NONE: no memory. */
uint32_t wend_union_find_add(wend_union_find *u, const wend_alloc *alloc, uint32_t count);
/* The root of the set of a component. */
static inline uint32_t wend_union_find_root(wend_union_find *u, uint32_t component) {
  while (u->parent[component] != component) {
    u->parent[component] = u->parent[u->parent[component]];
    component = u->parent[component];
  }
  return component;
}
/* Makes the sets of two components one. */
void wend_union_find_unite(wend_union_find *u, uint32_t a, uint32_t b);
/* Adds a one-way passage. False: no memory. */
bool wend_union_find_link(wend_union_find *u, const wend_alloc *alloc, uint32_t from, uint32_t to);
/* Whether one component leads to another. 1: yes, 0: no, -1: no memory, or not known, and the search would cost more than *work.
 * It subtracts from *work what the search has cost: about 1 for each passage, and for each 64 components. */
int wend_union_find_leads(wend_union_find *u, const wend_alloc *alloc, uint32_t from, uint32_t to, uint64_t *work);

#endif
