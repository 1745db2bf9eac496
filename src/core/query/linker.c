/* SPDX-License-Identifier: MIT */
/* Making edges: which nodes are to be joined. Of nodes that are equally far from another, those with the smaller x, then
 * y, then z, then id come first, so that what is joined depends on where nodes are and not on the order they were made in.
 *
 *   1  list     the nodes with a position, in the order of their ids: a node's rank is where it stands there
 *   2  plant    a k-d tree over them (J. Bentley, "Multidimensional binary search trees used for associative searching",
 *               1975), with the box of each knot
 *   3  look     the k nearest to each, in the order of the tree, so that what is near in space is near in memory
 *   4  gather   pairs, by the first node, then by the second; once each, and without those that are joined
 *
 * The nodes of one position are never parted: they are one leaf, however many, in the order of their ids, and nobody looks at
 * more than the first k + 1 of it. Boxes are in doubles, and a box that is as far as the farthest that was found is passed
 * over where its lower corner comes after it: many nodes that are equally far are not looked at one by one. So nothing takes
 * longer than about n x k x log n. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/map/graph_store.h"

WEND_NO_FUSING

/* So many nodes at most make a leaf: fewer make more knots, more make longer looks. */
#define LINK_LEAF_MAX 8u
/* So many are looked at to guess the middle of a stretch. */
#define LINK_SAMPLES 15u
/* A guess that leaves less than 1 / LOPSIDED of them on a side is not good enough: they are sorted. */
#define LOPSIDED 8u

/* A node: where it is, and its rank. z: 0 in two dimensions. */
typedef struct spot {
  double point[3];
  uint32_t rank;
} spot;

/* Its box, and its spots; the knot that follows is its lower half, `other` its upper one; 0: it is a leaf. */
typedef struct knot {
  double low[3], high[3];
  uint32_t first, count, other;
} knot;

typedef struct close_by {
  double distance;
  const spot *at;
} close_by;

/* While pairs are looked for; all of it is freed afterwards. */
typedef struct tree {
  const wend_alloc *alloc;
  int dimensions;
  uint32_t *slots; /* by rank */
  spot *spots;
  knot *knots;
  close_by *found; /* the farthest first: a heap */
  uint32_t *firsts, *seconds, *starts, *sorted; /* ranks: pairs; where those of a first begin; the second ones */
  uint32_t *mark;                               /* by place */
  uint32_t slots_capacity, spots_capacity, knots_capacity, found_capacity, firsts_capacity, seconds_capacity, starts_capacity,
      sorted_capacity, mark_capacity;
  uint32_t count, knot_count, pair_count;
  /* One look. */
  const spot *middle;
  double most;        /* nothing farther is wanted */
  double sum_surely, sum_maybe; /* squares of that, or of the farthest found: nearer surely; farther than the second surely not */
  uint32_t k, found_count;
} tree;

struct wend_linker {
  wend_alloc alloc;
  wend_pair *pairs;
  uint32_t count, capacity;
};

wend_linker *wend_linker_create(const wend_alloc *alloc) {
  wend_alloc from = alloc != NULL ? *alloc : wend_alloc_default();
  wend_linker *linker = from.resize(from.ud, NULL, 0, sizeof *linker);
  if (linker == NULL) return NULL;
  memset(linker, 0, sizeof *linker);
  linker->alloc = from;
  return linker;
}

void wend_linker_destroy(wend_linker *linker) {
  wend_alloc alloc;
  if (linker == NULL) return;
  alloc = linker->alloc;
  WEND_FREE(&alloc, linker->pairs, linker->capacity);
  alloc.resize(alloc.ud, linker, sizeof *linker, 0);
}

uint32_t wend_linker_pairs(const wend_linker *linker, const wend_pair **pairs) {
  *pairs = linker->pairs;
  return linker->count;
}

static void free_tree(tree *t) {
  WEND_FREE(t->alloc, t->slots, t->slots_capacity);
  WEND_FREE(t->alloc, t->spots, t->spots_capacity);
  WEND_FREE(t->alloc, t->knots, t->knots_capacity);
  WEND_FREE(t->alloc, t->found, t->found_capacity);
  WEND_FREE(t->alloc, t->firsts, t->firsts_capacity);
  WEND_FREE(t->alloc, t->seconds, t->seconds_capacity);
  WEND_FREE(t->alloc, t->starts, t->starts_capacity);
  WEND_FREE(t->alloc, t->sorted, t->sorted_capacity);
  WEND_FREE(t->alloc, t->mark, t->mark_capacity);
}

/* ---- 1 ----------------------------------------------------------------------------------------------------- */

static int compare_ids(const void *p, const void *q) {
  const wend_id a = *(const wend_id *)p, b = *(const wend_id *)q;
  return a < b ? -1 : a > b;
}

/* The slots of the nodes in the order of their ids: their own, unless some were used again. */
static bool list_slots(tree *t, const wend_graph *graph) {
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

static bool list_spots(tree *t, const wend_graph *graph) {
  if (!WEND_RESIZE(t->alloc, t->spots, t->spots_capacity, t->count)) return false;
  for (uint32_t rank = 0; rank < t->count; rank++) {
    const double *point = wend_graph_point(graph, graph->nodes.value[t->slots[rank]]);
    spot *one = &t->spots[rank];
    one->point[2] = 0;
    memcpy(one->point, point, (size_t)t->dimensions * sizeof *point);
    one->rank = rank;
  }
  return true;
}

/* ---- 2 ----------------------------------------------------------------------------------------------------- */

static int compare_ranks(const void *p, const void *q) {
  const spot *a = p, *b = q;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

#define COMPARE_ON(name, axis)                                                                \
  static int name(const void *p, const void *q) {                                             \
    const double a = ((const spot *)p)->point[axis], b = ((const spot *)q)->point[axis];      \
    return a < b ? -1 : a > b;                                                                \
  }
COMPARE_ON(compare_x, 0)
COMPARE_ON(compare_y, 1)
COMPARE_ON(compare_z, 2)
#undef COMPARE_ON

static int (*const compare_on[3])(const void *, const void *) = {compare_x, compare_y, compare_z};

/* About the middle of what there is on an axis. */
static double guess_middle(const spot *spots, uint32_t count, int axis) {
  double samples[LINK_SAMPLES];
  for (uint32_t i = 0; i < LINK_SAMPLES; i++) {
    const double x = spots[(uint64_t)i * (count - 1) / (LINK_SAMPLES - 1)].point[axis];
    uint32_t k = i;
    for (; k > 0 && x < samples[k - 1]; k--) samples[k] = samples[k - 1];
    samples[k] = x;
  }
  return samples[LINK_SAMPLES / 2];
}

/* How many lie below a number, and at it. */
static void count_below(const spot *spots, uint32_t count, int axis, double middle, uint32_t *below, uint32_t *at) {
  *below = *at = 0;
  for (uint32_t i = 0; i < count; i++) {
    *below += spots[i].point[axis] < middle;
    *at += spots[i].point[axis] == middle;
  }
}

/* Where to part them, so that no two that are the same on the axis are parted: those at the middle go with the smaller
 * side. Returns how many are in the lower half; there is something in both. */
static uint32_t part_spots(spot *spots, uint32_t count, int axis) {
  double middle = guess_middle(spots, count, axis);
  uint32_t below, at, lower, front = 0;
  bool with;
  count_below(spots, count, axis, middle, &below, &at);
  if (below + at < count / LOPSIDED || below > count - count / LOPSIDED) {
    qsort(spots, count, sizeof *spots, compare_on[axis]);
    middle = spots[count / 2].point[axis];
    count_below(spots, count, axis, middle, &below, &at);
  }
  with = below == 0 || (below + at < count && below < count - below - at);
  lower = with ? below + at : below;
  for (uint32_t i = 0; i < count; i++) {
    const spot one = spots[i];
    spots[i] = spots[front];
    spots[front] = one;
    front += one.point[axis] < middle || (with && one.point[axis] == middle);
  }
  assert(front == lower && lower > 0 && lower < count);
  return lower;
}

/* There is room for the knots: each leaf has at least one spot. */
static void plant(tree *t, uint32_t first, uint32_t count) {
  const uint32_t here = t->knot_count++;
  knot *one = &t->knots[here];
  spot *spots = t->spots + first;
  int axis = 0;
  one->first = first, one->count = count, one->other = 0;
  for (int d = 0; d < 3; d++) one->low[d] = one->high[d] = spots[0].point[d];
  for (uint32_t i = 1; i < count; i++)
    for (int d = 0; d < t->dimensions; d++) {
      const double x = spots[i].point[d];
      one->low[d] = x < one->low[d] ? x : one->low[d];
      one->high[d] = x > one->high[d] ? x : one->high[d];
    }
  for (int d = 1; d < t->dimensions; d++)
    if (one->high[d] - one->low[d] > one->high[axis] - one->low[axis]) axis = d;
  for (int d = 0; d < t->dimensions && !(one->high[axis] > one->low[axis]); d++) axis = d; /* the difference was rounded to 0 */
  if (!(one->high[axis] > one->low[axis])) { /* all of them are in one place */
    qsort(spots, count, sizeof *spots, compare_ranks);
    return;
  }
  if (count <= LINK_LEAF_MAX) return;
  count = part_spots(spots, count, axis);
  plant(t, first, count);
  t->knots[here].other = t->knot_count;
  plant(t, first + count, t->knots[here].count - count);
}

/* ---- 3 ----------------------------------------------------------------------------------------------------- */

/* Which of two places comes first: below 0, above 0; 0: they are the same. */
static int compare_places(const double *p, const double *q) {
  for (int d = 0; d < 3; d++)
    if (p[d] != q[d]) return p[d] < q[d] ? -1 : 1;
  return 0;
}

static bool is_closer(const close_by *a, const close_by *b) {
  int order;
  if (a->distance != b->distance) return a->distance < b->distance;
  order = compare_places(a->at->point, b->at->point);
  return order != 0 ? order < 0 : a->at->rank < b->at->rank;
}

/* The square of a distance, in doubles: below the first number the root of a sum is surely less, above the second more. */
static void set_limit(tree *t, double distance) {
  const double sum = distance * distance;
  t->sum_surely = sum * (1 - 1e-14) - 1e-300;
  t->sum_maybe = sum * (1 + 1e-14) + 1e-300;
}

static void sink(close_by *heap, uint32_t count, close_by one) {
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

static void keep(tree *t, close_by one) {
  close_by *heap = t->found;
  if (t->found_count == t->k) {
    sink(heap, t->k, one);
  } else {
    uint32_t at = t->found_count++;
    for (; at > 0 && is_closer(&heap[(at - 1) / 2], &one); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = one;
  }
  if (t->found_count == t->k) set_limit(t, heap[0].distance);
}

static void look_at(tree *t, const spot *other) {
  close_by one = {0, other};
  double sum = 0;
  for (int d = 0; d < t->dimensions; d++)
    sum += (other->point[d] - t->middle->point[d]) * (other->point[d] - t->middle->point[d]);
  if (sum > t->sum_maybe || other == t->middle) return;
  one.distance = wend_sqrt(sum);
  if (one.distance > t->most || (t->found_count == t->k && !is_closer(&one, &t->found[0]))) return;
  keep(t, one);
}

/* The square of how far a box is. Summed as look_at() sums, so that it is never more than that of what lies in there. */
static double square_to(const tree *t, const knot *box) {
  double sum = 0;
  for (int d = 0; d < t->dimensions; d++) {
    const double x = t->middle->point[d];
    const double off = x < box->low[d] ? box->low[d] - x : x > box->high[d] ? x - box->high[d] : 0;
    sum += off * off;
  }
  return sum;
}

/* Whether nothing in a box can be of interest. */
static bool is_beyond(const tree *t, const knot *box, double sum) {
  double distance;
  if (sum < t->sum_surely) return false;
  if (sum > t->sum_maybe) return true;
  distance = wend_sqrt(sum);
  if (distance > t->most) return true;
  if (t->found_count < t->k || distance < t->found[0].distance) return false;
  return distance > t->found[0].distance || compare_places(box->low, t->found[0].at->point) > 0;
}

static void look_into(tree *t, uint32_t here) {
  const knot *box = &t->knots[here];
  for (;;) {
    const knot *lower, *upper;
    double below, above;
    if (box->other == 0) {
      /* In one place they stand in the order of ids: the first k of them, and itself, will do. */
      const bool one_place = compare_places(box->low, box->high) == 0;
      const uint32_t count = one_place && box->count > t->k + 1 ? t->k + 1 : box->count;
      for (uint32_t i = 0; i < count; i++) look_at(t, &t->spots[box->first + i]);
      return;
    }
    lower = box + 1, upper = &t->knots[box->other];
    below = square_to(t, lower), above = square_to(t, upper);
    if (above < below) {
      const knot *nearer = upper;
      const double swap = above;
      upper = lower, lower = nearer;
      above = below, below = swap;
    }
    if (!is_beyond(t, lower, below)) look_into(t, (uint32_t)(lower - t->knots));
    if (is_beyond(t, upper, above)) return;
    box = upper;
  }
}

/* ---- 4 ----------------------------------------------------------------------------------------------------- */

/* Whether a node comes before another: by where they are, as above. */
static bool is_before(const spot *a, const spot *b) {
  const int order = compare_places(a->point, b->point);
  return order != 0 ? order < 0 : a->rank < b->rank;
}

static wend_status find_pairs(tree *t, uint32_t k, double most, bool directed) {
  t->k = k, t->most = most;
  if (!WEND_RESIZE(t->alloc, t->found, t->found_capacity, k)) return WEND_NO_MEMORY;
  for (uint32_t i = 0; i < t->count; i++) {
    t->middle = &t->spots[i];
    t->found_count = 0;
    set_limit(t, most);
    look_into(t, 0);
    if (!WEND_GROW(t->alloc, t->firsts, t->firsts_capacity, (uint64_t)t->pair_count + t->found_count) ||
        !WEND_GROW(t->alloc, t->seconds, t->seconds_capacity, (uint64_t)t->pair_count + t->found_count))
      return WEND_NO_MEMORY;
    for (uint32_t j = 0; j < t->found_count; j++) {
      const spot *other = t->found[j].at;
      const bool first = directed || is_before(t->middle, other);
      t->firsts[t->pair_count] = first ? t->middle->rank : other->rank;
      t->seconds[t->pair_count++] = first ? other->rank : t->middle->rank;
    }
  }
  return WEND_OK;
}

/* Puts the second nodes into the order of the first. */
static bool sort_pairs(tree *t) {
  uint32_t sum = 0;
  if (!WEND_RESIZE(t->alloc, t->starts, t->starts_capacity, (uint64_t)t->count + 1) ||
      !WEND_RESIZE(t->alloc, t->sorted, t->sorted_capacity, t->pair_count))
    return false;
  memset(t->starts, 0, ((size_t)t->count + 1) * sizeof *t->starts);
  for (uint32_t i = 0; i < t->pair_count; i++) t->starts[t->firsts[i]]++;
  for (uint32_t rank = 0; rank <= t->count; rank++) {
    const uint32_t here = t->starts[rank];
    t->starts[rank] = sum;
    sum += here;
  }
  for (uint32_t i = 0; i < t->pair_count; i++) t->sorted[t->starts[t->firsts[i]]++] = t->seconds[i];
  for (uint32_t rank = t->count; rank > 0; rank--) t->starts[rank] = t->starts[rank - 1];
  t->starts[0] = 0;
  return true;
}

static int compare_numbers(const void *p, const void *q) {
  const uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
  return a < b ? -1 : a > b;
}

static void sort_numbers(uint32_t *numbers, uint32_t count) {
  if (count > 32) {
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t one = numbers[i];
    uint32_t at = i;
    for (; at > 0 && one < numbers[at - 1]; at--) numbers[at] = numbers[at - 1];
    numbers[at] = one;
  }
}

/* Marks the places that edges lead to from a place, or, where direction does not matter, that they lead from. */
static void mark_joined(tree *t, const wend_graph *graph, uint32_t place, bool directed, uint32_t mark) {
  const uint32_t end = directed ? graph->out[place].end : graph->in[place].end;
  for (uint32_t i = graph->out[place].first; i < end; i++) t->mark[graph->arc_to[i]] = mark;
}

static wend_status write_pairs(wend_linker *linker, tree *t, const wend_graph *graph, bool directed) {
  const wend_slots *nodes = &graph->nodes;
  if (!WEND_RESIZE(t->alloc, t->mark, t->mark_capacity, graph->place_count)) return WEND_NO_MEMORY;
  memset(t->mark, 0, graph->place_count * sizeof *t->mark);
  if (!WEND_GROW(&linker->alloc, linker->pairs, linker->capacity, t->pair_count)) return WEND_NO_MEMORY;
  for (uint32_t rank = 0; rank < t->count; rank++) {
    const uint32_t first = t->starts[rank], count = t->starts[rank + 1] - first, slot = t->slots[rank];
    uint32_t *seconds = t->sorted + first;
    if (count == 0) continue;
    sort_numbers(seconds, count);
    mark_joined(t, graph, nodes->value[slot], directed, rank + 1);
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t other = t->slots[seconds[i]];
      wend_pair *pair = &linker->pairs[linker->count];
      if (t->mark[nodes->value[other]] == rank + 1) continue; /* joined, or listed before */
      t->mark[nodes->value[other]] = rank + 1;
      pair->from = wend_slots_id(nodes, slot);
      pair->to = wend_slots_id(nodes, other);
      linker->count++;
    }
  }
  return WEND_OK;
}

wend_status wend_linker_find(wend_linker *linker, wend_graph *graph, uint32_t k, double max_distance, bool directed) {
  wend_status status = wend_graph_sync(graph);
  tree t;
  assert(k > 0 && k < WEND_NONE / 2 && max_distance >= 0);
  linker->count = 0;
  if (status != WEND_OK) return status;
  memset(&t, 0, sizeof t);
  t.alloc = &linker->alloc;
  t.dimensions = graph->dimensions;
  if (k > graph->nodes.live) k = graph->nodes.live;
  status = WEND_NO_MEMORY;
  if (list_slots(&t, graph) && list_spots(&t, graph) &&
      WEND_RESIZE(t.alloc, t.knots, t.knots_capacity, 2 * (uint64_t)t.count)) {
    status = WEND_OK;
    if (t.count > 0) {
      plant(&t, 0, t.count);
      status = find_pairs(&t, k, max_distance, directed);
      if (status == WEND_OK) status = sort_pairs(&t) ? write_pairs(linker, &t, graph, directed) : WEND_NO_MEMORY;
    }
  }
  if (status != WEND_OK) linker->count = 0;
  free_tree(&t);
  return status;
}
