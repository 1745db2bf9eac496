/* SPDX-License-Identifier: MIT */
/* Strongly connected components of a map, and its defects: isolated nodes, sinks, sources and traps. In linear time.
 *
 *   1  gather    lists every open step once, by the place that it leaves (arc_list.c); only this part calls the edge function
 *   2  connect   finds the components (scc.h)
 *   3  sort      numbers them, the largest first, and lists the places of each in order
 *   4  judge     finds nodes and components without steps in or out
 *
 * An example:
 *
 *        1 ---> 2        After 2, the components are, in the order in which they are completed: {4 5}, {1 2 3}, {6}.
 *         ^    /         After 3 they are numbered by size: 0 is {1 2 3}, 1 is {4 5}, 2 is {6}. In 4, node 6 is isolated, and
 *          \  v          component 1 is a trap: the step from 3 to 4 enters it, and none leaves it.
 *           3 ---> 4 <---> 5      6
 *
 * The arcs of the example: first has the index of the first arc of each place.
 *
 *        place      1  2  3    4  5  6  end
 *        first      0  1  2    4  5  6  6
 *        arcs       2  3  1 4  5  4
 *
 * The invariant: the arrays by place are complete for part k when part k begins; no part changes the arcs of the part
 * before it. If a part fails, the memory stays in the object and is reused. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/check/arc_list.h"
#include "core/views/scc.h"

WEND_NO_FUSING

struct wend_components {
  wend_alloc alloc;
  wend_arc_list open;  /* part 4 reuses `there` for flags */
  wend_sccs sccs;      /* parts 3 and 4 reuse its low and next */
  uint32_t *component; /* by place; WEND_NONE: none, because the place is closed, removed or outside */
  uint32_t capacity;
  /* Results. */
  uint32_t *starts, *places;
  uint32_t starts_capacity, places_capacity;
  wend_id *nodes, *isolated, *sinks, *sources;
  wend_trap *traps;
  wend_entry *entries;
  uint32_t nodes_capacity, isolated_capacity, sinks_capacity, sources_capacity, traps_capacity, entries_capacity;
  wend_findings findings;
};

wend_components *wend_components_create(const wend_alloc *alloc) {
  wend_components *c = wend_new(alloc, sizeof *c);
  if (c != NULL) c->open.alloc = c->alloc;
  return c;
}

void wend_components_destroy(wend_components *c) {
  if (c == NULL) return;
  wend_arc_list_free(&c->open);
  WEND_FREE(&c->alloc, c->component, c->capacity);
  wend_sccs_free(&c->sccs, &c->alloc);
  WEND_FREE(&c->alloc, c->starts, c->starts_capacity);
  WEND_FREE(&c->alloc, c->places, c->places_capacity);
  WEND_FREE(&c->alloc, c->nodes, c->nodes_capacity);
  WEND_FREE(&c->alloc, c->isolated, c->isolated_capacity);
  WEND_FREE(&c->alloc, c->sinks, c->sinks_capacity);
  WEND_FREE(&c->alloc, c->sources, c->sources_capacity);
  WEND_FREE(&c->alloc, c->traps, c->traps_capacity);
  WEND_FREE(&c->alloc, c->entries, c->entries_capacity);
  wend_delete(c, sizeof *c);
}

const wend_findings *wend_components_get(const wend_components *c) { return &c->findings; }

bool wend_components_joined(const wend_components *c, const wend_map *map, wend_id a, wend_id b) {
  const wend_costs none = {NULL, NULL, NULL, 0, NULL, 0};
  const wend_stepper stepper =
      map->is_grid ? wend_grid_stepper((const wend_grid *)map, &none) : wend_graph_stepper((const wend_graph *)map, &none);
  return c->component[wend_stepper_place(&stepper, a)] == c->component[wend_stepper_place(&stepper, b)];
}

/* ---- 2: connect -------------------------------------------------------------------------------------------- */

static bool takes_part(const void *of, uint32_t place) { return ((const wend_arc_list *)of)->there[place] != 0; }

static uint32_t next_listed(const void *of, uint32_t place, uint32_t *at) {
  const wend_arc_list *open = of;
  const uint32_t i = open->first[place] + *at;
  if (i == open->first[place + 1]) return WEND_NONE;
  ++*at;
  return open->list[i].to;
}

/* Finds the components. False: no memory. */
static bool connect(wend_components *c) {
  uint64_t left = UINT64_MAX;
  if (!WEND_GROW(&c->alloc, c->component, c->capacity, (uint64_t)c->open.count + 1) ||
      !wend_sccs_begin(&c->sccs, &c->alloc, c->open.count + 1))
    return false;
  return wend_sccs_continue(&c->sccs, &c->open, c->open.count, takes_part, next_listed, c->component, &left);
}

/* ---- 3: sort ----------------------------------------------------------------------------------------------- */

/* A component while the components are sorted. */
typedef struct ranking {
  uint32_t size, first, component; /* first: the position of its first node in the order of listing */
} ranking;

static int compare_rankings(const void *p, const void *q) {
  const ranking *a = p, *b = q;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

/* Renumbers the components by size, and lists their places and nodes. */
static wend_status sort_components(wend_components *c, const wend_map *map, uint32_t components) {
  ranking *ranks = NULL;
  uint32_t ranks_capacity = 0, sum = 0;
  const uint32_t listed = wend_listed_count(&c->open, map);
  if (!WEND_RESIZE(&c->alloc, ranks, ranks_capacity, components)) return WEND_NO_MEMORY;
  if (!WEND_GROW(&c->alloc, c->starts, c->starts_capacity, (uint64_t)components + 1)) {
    WEND_FREE(&c->alloc, ranks, ranks_capacity);
    return WEND_NO_MEMORY;
  }
  for (uint32_t k = 0; k < components; k++) ranks[k].size = 0, ranks[k].first = WEND_NONE, ranks[k].component = k;
  for (uint32_t i = 0; i < listed; i++) {
    const uint32_t place = wend_listed_place(map, i), k = place == WEND_NONE ? WEND_NONE : c->component[place];
    if (k == WEND_NONE) continue;
    if (ranks[k].size++ == 0) ranks[k].first = i;
  }
  if (components > 0) qsort(ranks, components, sizeof *ranks, compare_rankings);
  for (uint32_t k = 0; k < components; k++) {
    c->sccs.low[ranks[k].component] = k; /* its new number */
    c->starts[k] = sum;
    sum += ranks[k].size;
  }
  c->starts[components] = sum;
  WEND_FREE(&c->alloc, ranks, ranks_capacity);
  if (!WEND_GROW(&c->alloc, c->nodes, c->nodes_capacity, sum) || !WEND_GROW(&c->alloc, c->places, c->places_capacity, sum))
    return WEND_NO_MEMORY;
  for (uint32_t place = 0; place < c->open.count; place++)
    if (c->component[place] != WEND_NONE) c->component[place] = c->sccs.low[c->component[place]];
  for (uint32_t k = 0; k < components; k++) c->sccs.next[k] = c->starts[k];
  for (uint32_t i = 0; i < listed; i++) {
    const uint32_t place = wend_listed_place(map, i);
    uint32_t at;
    if (place == WEND_NONE || c->component[place] == WEND_NONE) continue;
    at = c->sccs.next[c->component[place]]++;
    c->places[at] = place;
    c->nodes[at] = wend_listed_id(map, place);
  }
  c->findings.node_count = sum;
  c->findings.component_count = components;
  c->findings.nodes = c->nodes;
  c->findings.starts = c->starts;
  return WEND_OK;
}

/* ---- 4: judge ---------------------------------------------------------------------------------------------- */

/* Flags of a node or a component: whether arcs lead in and out. */
#define HAS_IN 1u
#define HAS_OUT 2u
#define HAS_IN_PLAIN 4u /* one that is not `allowed` */
#define HAS_OUT_PLAIN 8u

/* Appends a node to a list of findings. */
static wend_status list_node(wend_components *c, wend_id **list, uint32_t *capacity, uint32_t *count, wend_id node) {
  if (!WEND_GROW(&c->alloc, *list, *capacity, (uint64_t)*count + 1)) return WEND_NO_MEMORY;
  (*list)[(*count)++] = node;
  return WEND_OK;
}

/* Isolated: no arcs. A sink: arcs lead in, not all of them allowed, and none out. A source: the reverse. */
static wend_status judge_nodes(wend_components *c, const wend_map *map) {
  wend_findings *f = &c->findings;
  memset(c->open.there, 0, c->open.count);
  for (uint32_t place = 0; place < c->open.count; place++)
    for (uint32_t i = c->open.first[place]; i < c->open.first[place + 1]; i++) {
      const wend_open_arc *p = &c->open.list[i];
      c->open.there[place] |= (uint8_t)(HAS_OUT | (p->allowed ? 0 : HAS_OUT_PLAIN));
      c->open.there[p->to] |= (uint8_t)(HAS_IN | (p->allowed ? 0 : HAS_IN_PLAIN));
    }
  for (uint32_t i = 0, listed = wend_listed_count(&c->open, map); i < listed; i++) {
    const uint32_t place = wend_listed_place(map, i);
    wend_status status = WEND_OK;
    unsigned flags;
    if (place == WEND_NONE || c->component[place] == WEND_NONE) continue;
    flags = c->open.there[place];
    if ((flags & (HAS_IN | HAS_OUT)) == 0)
      status = list_node(c, &c->isolated, &c->isolated_capacity, &f->isolated_count, wend_listed_id(map, place));
    else if ((flags & HAS_OUT) == 0 && (flags & HAS_IN_PLAIN) != 0)
      status = list_node(c, &c->sinks, &c->sinks_capacity, &f->sink_count, wend_listed_id(map, place));
    else if ((flags & HAS_IN) == 0 && (flags & HAS_OUT_PLAIN) != 0)
      status = list_node(c, &c->sources, &c->sources_capacity, &f->source_count, wend_listed_id(map, place));
    if (status != WEND_OK) return status;
  }
  f->isolated = c->isolated, f->sinks = c->sinks, f->sources = c->sources;
  return WEND_OK;
}

/* A trap: a component that an arc that is not `allowed` enters and none leaves. The largest one is none, unless all have one node. */
static bool is_trap(const wend_components *c, uint32_t k) {
  return (k > 0 || c->starts[1] == 1) && (c->open.there[k] & (HAS_OUT | HAS_IN_PLAIN)) == HAS_IN_PLAIN;
}

/* Sets the flags of each component in `there`, and in `low` its number of arcs in that are not `allowed`. */
static void flag_components(wend_components *c) {
  memset(c->open.there, 0, c->open.count);
  memset(c->sccs.low, 0, c->open.count * sizeof *c->sccs.low);
  for (uint32_t place = 0; place < c->open.count; place++)
    for (uint32_t i = c->open.first[place]; i < c->open.first[place + 1]; i++) {
      const uint32_t from = c->component[place], to = c->component[c->open.list[i].to];
      if (from == to) continue;
      c->open.there[from] |= HAS_OUT;
      c->open.there[to] |= (uint8_t)(HAS_IN | (c->open.list[i].allowed ? 0 : HAS_IN_PLAIN));
      if (!c->open.list[i].allowed) c->sccs.low[to]++;
    }
}

/* Lists the arcs into traps. next: for each trap, where its next entry goes. */
static void list_entries(wend_components *c, const wend_map *map) {
  const wend_findings *f = &c->findings;
  for (uint32_t n = 0; n < f->node_count; n++) {
    const uint32_t place = c->places[n];
    for (uint32_t i = c->open.first[place]; i < c->open.first[place + 1]; i++) {
      const wend_open_arc *p = &c->open.list[i];
      const uint32_t to = c->component[p->to];
      const wend_graph *graph = (const wend_graph *)map;
      wend_entry *entry;
      if (to == c->component[place] || p->allowed || !is_trap(c, to)) continue;
      entry = &c->entries[c->sccs.next[to]++];
      entry->from = wend_listed_id(map, place);
      entry->to = wend_listed_id(map, p->to);
      entry->edge = map->is_grid ? WEND_NO_ID : wend_slots_id(&graph->edges, graph->arc_edge[p->via]);
    }
  }
}

/* Finds the traps and their entries. */
static wend_status judge_components(wend_components *c, const wend_map *map) {
  wend_findings *f = &c->findings;
  uint32_t sum = 0;
  flag_components(c);
  for (uint32_t k = 0; k < f->component_count; k++) {
    const wend_trap trap = {k, sum, c->sccs.low[k]};
    if (!is_trap(c, k)) continue;
    if (!WEND_GROW(&c->alloc, c->traps, c->traps_capacity, (uint64_t)f->trap_count + 1)) return WEND_NO_MEMORY;
    c->sccs.next[k] = sum;
    sum += trap.entry_count;
    c->traps[f->trap_count++] = trap;
  }
  if (!WEND_GROW(&c->alloc, c->entries, c->entries_capacity, sum)) return WEND_NO_MEMORY;
  if (sum > 0) list_entries(c, map);
  f->traps = c->traps, f->entries = c->entries;
  return WEND_OK;
}

wend_status wend_components_find(wend_components *c, wend_map *map, const wend_costs *costs, const uint8_t *allowed) {
  wend_status status;
  memset(&c->findings, 0, sizeof c->findings);
  status = wend_arc_list_gather(&c->open, map, costs, allowed);
  if (status == WEND_OK && !connect(c)) status = WEND_NO_MEMORY;
  if (status == WEND_OK) status = sort_components(c, map, c->sccs.count);
  if (status == WEND_OK) status = judge_nodes(c, map);
  if (status == WEND_OK) status = judge_components(c, map);
  return status;
}
