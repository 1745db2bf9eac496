/* SPDX-License-Identifier: MIT */
/* Linking: finds pairs of near nodes that no edge joins. Of nodes that are equally far from another, those with the
 * smaller x, then y, then z, then id come first. So the pairs depend on positions and ids, not on the order in which
 * nodes were added.
 *
 *   1  list      the nodes with a position, in the order of their ids: the index of a node in that list is its rank
 *   2  sort      them by position. Nodes in a row at distance 0, by rounding too, are a spot; an R-tree finds spots (rtree.h)
 *   3  search    the k + 1 nearest spots of each node, and in them the k nearest nodes: one spot may hold only the node itself
 *   4  write     the pairs, sorted by first node, then by second node; each once, but for pairs that an edge joins
 *
 * An example for k = 1: nodes 1 to 4 on a line at x = 0, 1, 3 and 10, and an edge between 2 and 3.
 *
 *        1--2-----3----------------4        1 finds 2, 2 finds 1, 3 finds 2, and 4 finds 3
 *        0  1     3                10
 *
 *        not directed    the pairs are 1-2, 1-2, 2-3 and 3-4; written are 1-2 and 3-4: the edge joins 2-3
 *        directed        the pairs are 1-2, 2-1, 3-2 and 4-3; written are 1-2, 2-1 and 4-3
 *
 * Step 3 takes about n x k x log n, also if many nodes share a position: at most k + 1 nodes of a spot are looked at. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/map/graph_store.h"
#include "core/space/rtree.h"

WEND_NO_FUSING

/* The position of a node of the graph, and its rank. In two dimensions z is 0. */
typedef struct placed_node {
  double at[3];
  uint32_t rank;
} placed_node;

/* The ranks of two nodes. */
typedef struct rank_pair {
  uint32_t first, second;
} rank_pair;

/* All memory of a call. */
typedef struct linking {
  const wend_alloc *alloc;
  int dimensions;
  uint32_t *slots;           /* of the nodes of the graph, by rank */
  placed_node *nodes;        /* by position, then by rank */
  uint32_t *spots;           /* by number: its first node; then t->count */
  wend_rtree tree;           /* of the spots */
  wend_near *found;          /* the nearest spots of a node */
  rank_pair *pairs, *sorted; /* the pairs in the order in which they were found; room to sort them */
  uint32_t *starts;          /* by rank: where the pairs of a node begin, while they are sorted */
  uint32_t *mark;            /* by place: 1 + the rank of the first node that is joined with it */
  uint32_t slots_capacity, nodes_capacity, spots_capacity, found_capacity, pairs_capacity, sorted_capacity, starts_capacity,
      mark_capacity;
  uint32_t count, pair_count;
} linking;

struct wend_linker {
  wend_alloc alloc;
  wend_pair *pairs;
  uint32_t count, capacity;
};

wend_linker *wend_linker_create(const wend_alloc *alloc) { return wend_new(alloc, sizeof(wend_linker)); }

void wend_linker_destroy(wend_linker *linker) {
  if (linker == NULL) return;
  WEND_FREE(&linker->alloc, linker->pairs, linker->capacity);
  wend_delete(linker, sizeof *linker);
}

uint32_t wend_linker_pairs(const wend_linker *linker, const wend_pair **pairs) {
  *pairs = linker->pairs;
  return linker->count;
}

static void free_linking(linking *t) {
  WEND_FREE(t->alloc, t->slots, t->slots_capacity);
  WEND_FREE(t->alloc, t->nodes, t->nodes_capacity);
  WEND_FREE(t->alloc, t->spots, t->spots_capacity);
  wend_rtree_free(&t->tree, t->alloc);
  WEND_FREE(t->alloc, t->found, t->found_capacity);
  WEND_FREE(t->alloc, t->pairs, t->pairs_capacity);
  WEND_FREE(t->alloc, t->sorted, t->sorted_capacity);
  WEND_FREE(t->alloc, t->starts, t->starts_capacity);
  WEND_FREE(t->alloc, t->mark, t->mark_capacity);
}

/* ---- 1. List ----------------------------------------------------------------------------------------------- */

static int compare_ids(const void *p, const void *q) {
  const wend_id a = *(const wend_id *)p, b = *(const wend_id *)q;
  return a < b ? -1 : a > b;
}

/* Lists the slots of the nodes with a position, in the order of ids. This is the order of slots, unless slots were reused.
 * False: no memory. */
static bool list_slots(linking *t, const wend_graph *graph) {
  wend_id *ids = NULL;
  uint32_t capacity = 0;
  if (!WEND_RESIZE(t->alloc, t->slots, t->slots_capacity, graph->nodes.live)) return false;
  for (uint32_t slot = 0; slot < graph->nodes.count && graph->points != NULL; slot++) {
    const uint32_t place = graph->nodes.value[slot];
    const double *point = place == WEND_NONE ? NULL : wend_graph_point(graph, place);
    if (point != NULL && point[0] == point[0]) t->slots[t->count++] = slot;
  }
  if (graph->nodes.generation == NULL || t->count == 0) return true;
  if (!WEND_RESIZE(t->alloc, ids, capacity, t->count)) return false;
  for (uint32_t rank = 0; rank < t->count; rank++) ids[rank] = wend_slots_id(&graph->nodes, t->slots[rank]);
  qsort(ids, t->count, sizeof *ids, compare_ids);
  for (uint32_t rank = 0; rank < t->count; rank++) t->slots[rank] = (uint32_t)ids[rank] - 1u;
  WEND_FREE(t->alloc, ids, capacity);
  return true;
}

/* ---- 2. Sort ----------------------------------------------------------------------------------------------- */

/* In the order at the top of this file. */
static int compare_placed(const void *p, const void *q) {
  const placed_node *a = p, *b = q;
  for (int d = 0; d < 3; d++)
    if (a->at[d] != b->at[d]) return a->at[d] < b->at[d] ? -1 : 1;
  return a->rank < b->rank ? -1 : 1;
}

/* Sorts the nodes by position. False: no memory. */
static bool sort_nodes(linking *t, const wend_graph *graph) {
  if (!WEND_RESIZE(t->alloc, t->nodes, t->nodes_capacity, t->count)) return false;
  for (uint32_t rank = 0; rank < t->count; rank++) {
    const double *point = wend_graph_point(graph, graph->nodes.value[t->slots[rank]]);
    placed_node *one = &t->nodes[rank];
    one->at[2] = 0;
    memcpy(one->at, point, (size_t)t->dimensions * sizeof *point);
    one->rank = rank;
  }
  qsort(t->nodes, t->count, sizeof *t->nodes, compare_placed);
  return true;
}

/* Lists the spots, and indexes them. It begins in the middle of the list: the boxes of the tree are exact near its first item, and
 * a single node may lie far from all others. False: no memory. */
static bool index_spots(linking *t) {
  uint32_t count = 0;
  if (!WEND_RESIZE(t->alloc, t->spots, t->spots_capacity, (uint64_t)t->count + 1)) return false;
  for (uint32_t i = 0; i < t->count; i++)
    if (count == 0 || wend_distance(t->dimensions, t->nodes[t->spots[count - 1]].at, t->nodes[i].at) > 0) t->spots[count++] = i;
  t->spots[count] = t->count;
  if (!wend_rtree_begin(&t->tree, t->alloc, t->dimensions, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t spot = (count / 2 + i) % count;
    wend_box box;
    memcpy(box.low, t->nodes[t->spots[spot]].at, sizeof box.low);
    memcpy(box.high, box.low, sizeof box.high);
    wend_rtree_collect(&t->tree, spot, &box);
  }
  return wend_rtree_finish(&t->tree, t->alloc);
}

/* ---- 3. Search --------------------------------------------------------------------------------------------- */

/* For the R-tree: the distance of a spot. Of equally far ones, the first in the order of positions is the nearest. */
static bool measure_spot(const void *ud, uint32_t spot, const double *point, wend_near *near) {
  const linking *t = ud;
  near->distance = wend_distance(t->dimensions, t->nodes[t->spots[spot]].at, point);
  near->id = spot;
  return true;
}

/* Adds the pairs of node i of the sorted list with the k nearest others, which are in the nearest spots. */
static void add_pairs(linking *t, uint32_t i, uint32_t spot_count, uint32_t k, bool directed) {
  for (uint32_t s = 0, added = 0; s < spot_count; s++) {
    const uint32_t spot = (uint32_t)t->found[s].id;
    for (uint32_t j = t->spots[spot]; j < t->spots[spot + 1] && added < k; j++) {
      const bool first = directed || i < j;
      const rank_pair pair = {t->nodes[first ? i : j].rank, t->nodes[first ? j : i].rank};
      if (j == i) continue;
      t->pairs[t->pair_count++] = pair;
      added++;
    }
  }
}

/* Finds the pairs of all nodes. */
static wend_status find_pairs(linking *t, uint32_t k, double max_distance, bool directed) {
  if (!WEND_RESIZE(t->alloc, t->found, t->found_capacity, (uint64_t)k + 1)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < t->count; i++) {
    const uint32_t spots = wend_rtree_nearest(&t->tree, t->nodes[i].at, max_distance, k + 1, measure_spot, t, t->found);
    if (!WEND_GROW(t->alloc, t->pairs, t->pairs_capacity, (uint64_t)t->pair_count + k)) return WEND_NO_MEMORY;
    add_pairs(t, i, spots, k, directed);
  }
  return WEND_OK;
}

/* ---- 4. Write ---------------------------------------------------------------------------------------------- */

/* Copies the pairs to `to`, in the order of their second nodes, or of their first ones: a counting sort. Pairs with the same node
 * keep their order. */
static void sort_on(linking *t, const rank_pair *from, rank_pair *to, bool second) {
  uint32_t sum = 0;
  memset(t->starts, 0, t->count * sizeof *t->starts);
  for (uint32_t i = 0; i < t->pair_count; i++) t->starts[second ? from[i].second : from[i].first]++;
  for (uint32_t rank = 0; rank < t->count; rank++) {
    const uint32_t here = t->starts[rank];
    t->starts[rank] = sum;
    sum += here;
  }
  for (uint32_t i = 0; i < t->pair_count; i++) to[t->starts[second ? from[i].second : from[i].first]++] = from[i];
}

/* Sorts the pairs by first node, then by second. False: no memory. */
static bool sort_pairs(linking *t) {
  if (!WEND_RESIZE(t->alloc, t->starts, t->starts_capacity, t->count) ||
      !WEND_RESIZE(t->alloc, t->sorted, t->sorted_capacity, t->pair_count))
    return false;
  if (t->pair_count == 0) return true;
  sort_on(t, t->pairs, t->sorted, true);
  sort_on(t, t->sorted, t->pairs, false);
  return true;
}

/* Marks the places that edges lead to from a place; if not directed, also where edges lead from. */
static void mark_joined(linking *t, const wend_graph *graph, uint32_t place, bool directed, uint32_t mark) {
  const uint32_t end = directed ? graph->out[place].end : graph->in[place].end;
  for (uint32_t i = graph->out[place].first; i < end; i++) t->mark[graph->arc_to[i]] = mark;
}

/* Writes the sorted pairs, each once, but for pairs that an edge joins. */
static wend_status write_pairs(wend_linker *linker, linking *t, const wend_graph *graph, bool directed) {
  const wend_slots *nodes = &graph->nodes;
  if (!WEND_RESIZE(t->alloc, t->mark, t->mark_capacity, graph->place_count)) return WEND_NO_MEMORY;
  memset(t->mark, 0, graph->place_count * sizeof *t->mark);
  if (!WEND_GROW(&linker->alloc, linker->pairs, linker->capacity, t->pair_count)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < t->pair_count; i++) {
    const uint32_t rank = t->pairs[i].first, slot = t->slots[rank], other = t->slots[t->pairs[i].second];
    wend_pair *pair = &linker->pairs[linker->count];
    if (i == 0 || rank != t->pairs[i - 1].first) mark_joined(t, graph, nodes->value[slot], directed, rank + 1);
    if (t->mark[nodes->value[other]] == rank + 1) continue; /* joined by an edge, or written already */
    t->mark[nodes->value[other]] = rank + 1;
    pair->from = wend_slots_id(nodes, slot);
    pair->to = wend_slots_id(nodes, other);
    linker->count++;
  }
  return WEND_OK;
}

wend_status wend_linker_find(wend_linker *linker, wend_graph *graph, uint32_t k, double max_distance, bool directed) {
  wend_status status = wend_graph_sync(graph);
  linking t;
  assert(k > 0 && k < WEND_NONE / 2 && max_distance >= 0);
  linker->count = 0;
  if (status != WEND_OK) return status;
  memset(&t, 0, sizeof t);
  t.alloc = &linker->alloc;
  t.dimensions = graph->dimensions;
  if (k > graph->nodes.live) k = graph->nodes.live;
  if (!list_slots(&t, graph)) status = WEND_NO_MEMORY;
  if (status == WEND_OK && t.count > 0)
    status = sort_nodes(&t, graph) && index_spots(&t) ? find_pairs(&t, k, max_distance, directed) : WEND_NO_MEMORY;
  if (status == WEND_OK && t.count > 0) status = sort_pairs(&t) ? write_pairs(linker, &t, graph, directed) : WEND_NO_MEMORY;
  if (status != WEND_OK) linker->count = 0;
  free_linking(&t);
  return status;
}
