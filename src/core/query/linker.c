/* SPDX-License-Identifier: MIT */
/* Linking: finds pairs of near nodes that no edge joins. Of nodes that are equally far from another, those with the
 * smaller x, then y, then z, then id come first. So the pairs depend on positions and ids, not on the order in which
 * nodes were added.
 *
 *   1  list      the nodes with a position, in the order of their ids: the index of a node in that list is its rank
 *   2  build     a k-d tree over them: J. Bentley, "Multidimensional binary search trees used for associative searching" (1975)
 *   3  search    the k nearest of each node, in the order of the tree, so that what is near in space is near in memory
 *   4  write     the pairs, sorted by first node, then by second node; each once, without those that an edge joins
 *
 *            box of all points            A kd_node is a box around its points, which are consecutive. Its lower half follows
 *              /           \              it in memory. Points of the same position are in one leaf, however many they are,
 *        lower half    upper half         in the order of their ids.
 *
 * An example for k = 1: nodes 1 to 4 on a line at x = 0, 1, 3 and 10, and an edge between 2 and 3.
 *
 *        1--2-----3----------------4        1 finds 2, 2 finds 1, 3 finds 2, and 4 finds 3
 *        0  1     3                10
 *
 *        not directed    the pairs are 1-2, 1-2, 2-3 and 3-4; written are 1-2 and 3-4: the edge joins 2-3
 *        directed        the pairs are 1-2, 2-1, 3-2 and 4-3; written are 1-2, 2-1 and 4-3
 *
 * Step 3 takes about n x k x log n, also if many points are equal or equally far. It looks at no more than the
 * first k + 1 points of a leaf whose points are equal. A box that is as far as the farthest of the k found points is
 * skipped if its lower corner comes after that point in the order above. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/map/graph_store.h"

WEND_NO_FUSING

/* The greatest number of points in a leaf, unless they are equal. Smaller leaves make the tree larger; larger leaves make a
 * search compute more distances. */
#define KD_LEAF_MAX 8u
/* The pivot of a kd_node is the median of this many of its points: near the true median, without sorting all points. */
#define KD_SAMPLES 15u
/* If fewer than 1 / KD_SIDE_SHARE of the points are on a side of the pivot, the points are sorted to find their true median. So
 * a bad sample does not make the tree deep. */
#define KD_SIDE_SHARE 8u

/* The position of a node of the graph, and its rank. In two dimensions z is 0. */
typedef struct kd_point {
  double at[3];
  uint32_t rank;
} kd_point;

/* upper: the index of its upper half; 0: it is a leaf. The lower half is the next kd_node. */
typedef struct kd_node {
  double low[3], high[3];
  uint32_t first, count, upper;
} kd_node;

/* A point that was found near `from`. */
typedef struct neighbour {
  double distance;
  const kd_point *point;
} neighbour;

/* The ranks of two nodes. */
typedef struct rank_pair {
  uint32_t first, second;
} rank_pair;

/* All memory of a call. */
typedef struct kd_tree {
  const wend_alloc *alloc;
  int dimensions;
  uint32_t *slots; /* of the nodes of the graph, by rank */
  kd_point *points;
  kd_node *kd_nodes;
  neighbour *found;          /* the nearest points so far: a heap, the farthest first */
  rank_pair *pairs, *sorted; /* the pairs in the order in which they were found; room to sort them */
  uint32_t *starts;          /* by rank: where the pairs of a node begin, while they are sorted */
  uint32_t *mark;            /* by place: 1 + the rank of the first node that is joined with it */
  uint32_t slots_capacity, points_capacity, kd_nodes_capacity, found_capacity, pairs_capacity, sorted_capacity, starts_capacity,
      mark_capacity;
  uint32_t count, kd_node_count, pair_count;
  /* One search of step 3. */
  const kd_point *from;
  double max_distance;
  /* Of the limit, which is max_distance or the distance of the farthest found point: a squared distance below the
   * first is surely within the limit, one above the second surely beyond it. Between them only the root decides. */
  double square_within, square_beyond;
  uint32_t k, found_count;
} kd_tree;

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

static void free_kd_tree(kd_tree *t) {
  WEND_FREE(t->alloc, t->slots, t->slots_capacity);
  WEND_FREE(t->alloc, t->points, t->points_capacity);
  WEND_FREE(t->alloc, t->kd_nodes, t->kd_nodes_capacity);
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
static bool list_slots(kd_tree *t, const wend_graph *graph) {
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

/* Lists the positions, by rank. False: no memory. */
static bool list_points(kd_tree *t, const wend_graph *graph) {
  if (!WEND_RESIZE(t->alloc, t->points, t->points_capacity, t->count)) return false;
  for (uint32_t rank = 0; rank < t->count; rank++) {
    const double *point = wend_graph_point(graph, graph->nodes.value[t->slots[rank]]);
    kd_point *one = &t->points[rank];
    one->at[2] = 0;
    memcpy(one->at, point, (size_t)t->dimensions * sizeof *point);
    one->rank = rank;
  }
  return true;
}

/* ---- 2. Build ---------------------------------------------------------------------------------------------- */

static int compare_ranks(const void *p, const void *q) {
  const kd_point *a = p, *b = q;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

#define COMPARE_ON(name, axis)                                                             \
  static int name(const void *p, const void *q) {                                          \
    const double a = ((const kd_point *)p)->at[axis], b = ((const kd_point *)q)->at[axis]; \
    return a < b ? -1 : a > b;                                                             \
  }
COMPARE_ON(compare_x, 0)
COMPARE_ON(compare_y, 1)
COMPARE_ON(compare_z, 2)
#undef COMPARE_ON

static int (*const compare_on[3])(const void *, const void *) = {compare_x, compare_y, compare_z};

/* About the median of the points on an axis: the median of KD_SAMPLES points at equal distances in the list. count >= 1. */
static double sample_median(const kd_point *points, uint32_t count, int axis) {
  double samples[KD_SAMPLES];
  for (uint32_t i = 0; i < KD_SAMPLES; i++) {
    const double x = points[(uint64_t)i * (count - 1) / (KD_SAMPLES - 1)].at[axis];
    uint32_t k = i;
    for (; k > 0 && x < samples[k - 1]; k--) samples[k] = samples[k - 1];
    samples[k] = x;
  }
  return samples[KD_SAMPLES / 2];
}

/* Counts the points that are below a number on an axis, and those at it. */
static void count_below(const kd_point *points, uint32_t count, int axis, double pivot, uint32_t *below, uint32_t *at) {
  *below = *at = 0;
  for (uint32_t i = 0; i < count; i++) {
    *below += points[i].at[axis] < pivot;
    *at += points[i].at[axis] == pivot;
  }
}

/* Divides the points at about the median of an axis, and returns how many are in the lower half. Points that are
 * equal on the axis stay together: those at the median join the smaller half. Neither half is empty. */
static uint32_t partition_points(kd_point *points, uint32_t count, int axis) {
  double pivot = sample_median(points, count, axis);
  uint32_t below, at, lower, front = 0;
  bool lower_has_equal;
  count_below(points, count, axis, pivot, &below, &at);
  if (below + at < count / KD_SIDE_SHARE || below > count - count / KD_SIDE_SHARE) {
    qsort(points, count, sizeof *points, compare_on[axis]);
    pivot = points[count / 2].at[axis];
    count_below(points, count, axis, pivot, &below, &at);
  }
  lower_has_equal = below == 0 || (below + at < count && below < count - below - at);
  lower = lower_has_equal ? below + at : below;
  for (uint32_t i = 0; i < count; i++) {
    const kd_point one = points[i];
    points[i] = points[front];
    points[front] = one;
    front += one.at[axis] < pivot || (lower_has_equal && one.at[axis] == pivot);
  }
  assert(front == lower && lower > 0 && lower < count);
  return lower;
}

/* Builds the tree over some points. There is room for 2 kd_nodes a point, which is enough: each leaf has at least
 * one point. */
static void build_kd_node(kd_tree *t, uint32_t first, uint32_t count) {
  const uint32_t here = t->kd_node_count++;
  kd_node *one = &t->kd_nodes[here];
  kd_point *points = t->points + first;
  int axis = 0;
  one->first = first, one->count = count, one->upper = 0;
  for (int d = 0; d < 3; d++) one->low[d] = one->high[d] = points[0].at[d];
  for (uint32_t i = 1; i < count; i++)
    for (int d = 0; d < t->dimensions; d++) {
      const double x = points[i].at[d];
      one->low[d] = x < one->low[d] ? x : one->low[d];
      one->high[d] = x > one->high[d] ? x : one->high[d];
    }
  for (int d = 1; d < t->dimensions; d++)
    if (one->high[d] - one->low[d] > one->high[axis] - one->low[axis]) axis = d;
  for (int d = 0; d < t->dimensions && !(one->high[axis] > one->low[axis]); d++) axis = d; /* differences may be rounded to 0 */
  if (!(one->high[axis] > one->low[axis])) {                                               /* all points are equal */
    qsort(points, count, sizeof *points, compare_ranks);
    return;
  }
  if (count <= KD_LEAF_MAX) return;
  count = partition_points(points, count, axis);
  build_kd_node(t, first, count);
  t->kd_nodes[here].upper = t->kd_node_count;
  build_kd_node(t, first + count, t->kd_nodes[here].count - count);
}

/* ---- 3. Search --------------------------------------------------------------------------------------------- */

/* Below 0: p comes first; above 0: q does; 0: they are equal. */
static int compare_positions(const double *p, const double *q) {
  for (int d = 0; d < 3; d++)
    if (p[d] != q[d]) return p[d] < q[d] ? -1 : 1;
  return 0;
}

/* In the order at the top of this file. */
static int compare_points(const kd_point *a, const kd_point *b) {
  const int order = compare_positions(a->at, b->at);
  return order != 0 ? order : a->rank < b->rank ? -1 : 1;
}

/* Whether a comes before b: by distance, then in that order. */
static bool is_closer(const neighbour *a, const neighbour *b) {
  return a->distance != b->distance ? a->distance < b->distance : compare_points(a->point, b->point) < 0;
}

/* Sets the limit of a search to a distance. */
static void set_limit(kd_tree *t, double distance) {
  const double sum = distance * distance;
  t->square_within = sum * (1 - 1e-14) - 1e-300;
  t->square_beyond = sum * (1 + 1e-14) + 1e-300;
}

/* Replaces the top of the heap by `one`, which sinks to its place. */
static void sift_down_neighbour(neighbour *heap, uint32_t count, neighbour one) {
  uint32_t at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && is_closer(&heap[child], &heap[child + 1])) child++;
    if (!is_closer(&one, &heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = one;
}

/* Adds a point that was found; if there are k already, in place of the farthest. */
static void add_neighbour(kd_tree *t, neighbour one) {
  neighbour *heap = t->found;
  if (t->found_count == t->k) {
    sift_down_neighbour(heap, t->k, one);
  } else {
    uint32_t at = t->found_count++;
    for (; at > 0 && is_closer(&heap[(at - 1) / 2], &one); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = one;
  }
  if (t->found_count == t->k) set_limit(t, heap[0].distance);
}

/* Adds a point if it is among the k nearest so far. */
static void check_point(kd_tree *t, const kd_point *other) {
  neighbour one = {0, other};
  double sum = 0;
  for (int d = 0; d < t->dimensions; d++) sum += (other->at[d] - t->from->at[d]) * (other->at[d] - t->from->at[d]);
  if (sum > t->square_beyond || other == t->from) return;
  one.distance = wend_sqrt(sum);
  if (one.distance > t->max_distance || (t->found_count == t->k && !is_closer(&one, &t->found[0]))) return;
  add_neighbour(t, one);
}

/* The squared distance of a box. It is summed in the order of check_point(), so rounding never makes it larger than
 * that of a point in the box. */
static double square_to_box(const kd_tree *t, const kd_node *box) {
  double sum = 0;
  for (int d = 0; d < t->dimensions; d++) {
    const double x = t->from->at[d];
    const double off = x < box->low[d] ? box->low[d] - x : x > box->high[d] ? x - box->high[d] : 0;
    sum += off * off;
  }
  return sum;
}

/* Whether no point of a box can be among the k nearest. sum: the squared distance of the box. */
static bool is_ruled_out(const kd_tree *t, const kd_node *box, double sum) {
  double distance;
  if (sum < t->square_within) return false;
  if (sum > t->square_beyond) return true;
  distance = wend_sqrt(sum);
  if (distance > t->max_distance) return true;
  if (t->found_count < t->k || distance < t->found[0].distance) return false;
  return distance > t->found[0].distance || compare_positions(box->low, t->found[0].point->at) > 0;
}

/* Searches a box, the nearer half first. */
static void search_box(kd_tree *t, uint32_t here) {
  const kd_node *box = &t->kd_nodes[here];
  for (;;) {
    const kd_node *nearer, *farther;
    double to_nearer, to_farther; /* squares */
    if (box->upper == 0) {
      /* Equal points are in the order of ids: the first k of them are enough, and one more, as `from` may be among them. */
      const bool equal = compare_positions(box->low, box->high) == 0;
      const uint32_t count = equal && box->count > t->k + 1 ? t->k + 1 : box->count;
      for (uint32_t i = 0; i < count; i++) check_point(t, &t->points[box->first + i]);
      return;
    }
    nearer = box + 1, farther = &t->kd_nodes[box->upper];
    to_nearer = square_to_box(t, nearer), to_farther = square_to_box(t, farther);
    if (to_farther < to_nearer) {
      const kd_node *lower = nearer;
      const double to_lower = to_nearer;
      nearer = farther, farther = lower;
      to_nearer = to_farther, to_farther = to_lower;
    }
    if (!is_ruled_out(t, nearer, to_nearer)) search_box(t, (uint32_t)(nearer - t->kd_nodes));
    if (is_ruled_out(t, farther, to_farther)) return;
    box = farther;
  }
}

/* ---- 4. Write ---------------------------------------------------------------------------------------------- */

/* Finds the pairs of all points. */
static wend_status find_pairs(kd_tree *t, uint32_t k, double max_distance, bool directed) {
  t->k = k, t->max_distance = max_distance;
  if (!WEND_RESIZE(t->alloc, t->found, t->found_capacity, k)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < t->count; i++) {
    t->from = &t->points[i];
    t->found_count = 0;
    set_limit(t, max_distance);
    search_box(t, 0);
    if (!WEND_GROW(t->alloc, t->pairs, t->pairs_capacity, (uint64_t)t->pair_count + t->found_count)) return WEND_NO_MEMORY;
    for (uint32_t j = 0; j < t->found_count; j++) {
      const kd_point *other = t->found[j].point;
      const bool first = directed || compare_points(t->from, other) < 0;
      rank_pair *pair = &t->pairs[t->pair_count++];
      pair->first = first ? t->from->rank : other->rank;
      pair->second = first ? other->rank : t->from->rank;
    }
  }
  return WEND_OK;
}

/* Copies the pairs to `to`, in the order of their second nodes, or of their first ones: a counting sort. Pairs with the same node
 * keep their order. */
static void sort_on(kd_tree *t, const rank_pair *from, rank_pair *to, bool second) {
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
static bool sort_pairs(kd_tree *t) {
  if (!WEND_RESIZE(t->alloc, t->starts, t->starts_capacity, t->count) ||
      !WEND_RESIZE(t->alloc, t->sorted, t->sorted_capacity, t->pair_count))
    return false;
  if (t->pair_count == 0) return true;
  sort_on(t, t->pairs, t->sorted, true);
  sort_on(t, t->sorted, t->pairs, false);
  return true;
}

/* Marks the places that edges lead to from a place; if not directed, also those that edges lead from. */
static void mark_joined(kd_tree *t, const wend_graph *graph, uint32_t place, bool directed, uint32_t mark) {
  const uint32_t end = directed ? graph->out[place].end : graph->in[place].end;
  for (uint32_t i = graph->out[place].first; i < end; i++) t->mark[graph->arc_to[i]] = mark;
}

/* Writes the sorted pairs, each once, without those that an edge joins. */
static wend_status write_pairs(wend_linker *linker, kd_tree *t, const wend_graph *graph, bool directed) {
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
  kd_tree t;
  assert(k > 0 && k < WEND_NONE / 2 && max_distance >= 0);
  linker->count = 0;
  if (status != WEND_OK) return status;
  memset(&t, 0, sizeof t);
  t.alloc = &linker->alloc;
  t.dimensions = graph->dimensions;
  if (k > graph->nodes.live) k = graph->nodes.live;
  status = WEND_NO_MEMORY;
  if (list_slots(&t, graph) && list_points(&t, graph) &&
      WEND_RESIZE(t.alloc, t.kd_nodes, t.kd_nodes_capacity, 2 * (uint64_t)t.count)) {
    status = WEND_OK;
    if (t.count > 0) {
      build_kd_node(&t, 0, t.count);
      status = find_pairs(&t, k, max_distance, directed);
      if (status == WEND_OK) status = sort_pairs(&t) ? write_pairs(linker, &t, graph, directed) : WEND_NO_MEMORY;
    }
  }
  if (status != WEND_OK) linker->count = 0;
  free_kd_tree(&t);
  return status;
}
