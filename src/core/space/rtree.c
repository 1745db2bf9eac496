/* SPDX-License-Identifier: MIT */
/* R-trees: rtree.h describes them.
 *
 * Building, by an example with 100 points (0,0), (1,0), ..., (99,0). A leaf has up to 16 items, so the height is 2. The items
 * are halved along their longest axis, here x, until each part fits into one leaf. A half has a whole number of full leaves:
 *
 *   100 items          7 leaves, 3 of them to the left
 *    48 | 52           48 = 3 leaves: 1 to the left; 52 = 4 leaves: 2 to the left
 *    16  32 | 32  20
 *    16  16  16 | 16  16  16  4          the leaves: nodes 1 .. 7, in the root, node 0
 *
 * The nearest two of (40.4, 0). Each box gives a bound: the square of its distance from the point.
 *
 *   1  root         the least bound is 0, of the leaf with x = 32 .. 47; the leaves beside it have 57.8 and 88.4
 *   2  that leaf    item 40 has the bound 0.16 and is measured: distance 0.4
 *   3               item 41, bound 0.36: distance 0.6. Two are found: the limit falls from infinity to 0.36
 *   4               item 39 has 1.96: past the limit, and so are all others of the leaf
 *   5  root         the next leaf has 57.8, past the limit: the search ends, with two of 100 items measured
 *
 * Inserting item 100 at (3.5, 0): the leaf with x = 0 .. 15 need not grow, but has 16 items. It is split along x: the nine
 * items 0, 1, 2, 3, 100, 4, 5, 6, 7 stay, items 8 .. 15 go to a new leaf, node 8, which is added to the root. */
#include "core/space/rtree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/bits.h"

WEND_NO_FUSING

#define FAN WEND_RTREE_FAN
/* A tree is not built again before this many changes: building a small tree often would cost more than it saves. */
#define CHANGES_MIN 1024u

/* A box as the tree stores it: relative to the origin, rounded outward. */
typedef struct small_box {
  float low[3], high[3];
} small_box;

/* A function, as TinyCC takes no -INFINITY in a constant object. */
static small_box empty_box(void) { return (small_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

/* A float that is not greater than x. One unit in the last place is at most |f| x FLT_EPSILON, and FLT_MIN covers numbers near
 * 0, so 0 becomes -1.2e-38. */
static float round_down(double x) {
  float f = (float)(x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -FLT_MAX : x);
  return f - fabsf(f) * FLT_EPSILON - FLT_MIN;
}

/* A float that is not less than x. */
static float round_up(double x) { return -round_down(-x); }

static small_box round_box(const wend_rtree *index, const wend_box *box) {
  small_box small = empty_box();
  for (int d = 0; d < index->dimensions; d++) {
    small.low[d] = round_down(box->low[d] - index->origin[d]);
    small.high[d] = round_up(box->high[d] - index->origin[d]);
  }
  return small;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------- */

/* The columns of a node's boxes. */
static float *boxes_of(const wend_rtree *index, uint32_t node) {
  return index->boxes + (size_t)node * (size_t)index->dimensions * 2 * FAN;
}

static uint32_t *children_of(const wend_rtree *index, uint32_t node) { return index->children + (size_t)node * FAN; }

static small_box get_box(const wend_rtree *index, uint32_t node, uint32_t at) {
  const float *boxes = boxes_of(index, node);
  const size_t high = (size_t)index->dimensions * FAN;
  small_box box = empty_box();
  for (int d = 0; d < index->dimensions; d++) {
    box.low[d] = boxes[(size_t)d * FAN + at];
    box.high[d] = boxes[high + (size_t)d * FAN + at];
  }
  return box;
}

static void set_box(wend_rtree *index, uint32_t node, uint32_t at, const small_box *box) {
  float *boxes = boxes_of(index, node);
  const size_t high = (size_t)index->dimensions * FAN;
  for (int d = 0; d < index->dimensions; d++) {
    boxes[(size_t)d * FAN + at] = box->low[d];
    boxes[high + (size_t)d * FAN + at] = box->high[d];
  }
}

static void set_child(wend_rtree *index, uint32_t node, uint32_t at, uint32_t child, const small_box *box) {
  set_box(index, node, at, box);
  children_of(index, node)[at] = child;
}

/* Removes a child. The last child of the node takes its place. */
static void remove_child(wend_rtree *index, uint32_t node, uint32_t at) {
  uint32_t last = --index->count[node];
  small_box box = get_box(index, node, last);
  set_child(index, node, at, children_of(index, node)[last], &box);
}

/* Widens a box so that it contains another one. */
static void widen_box(small_box *box, const small_box *by, int dimensions) {
  for (int d = 0; d < dimensions; d++) {
    if (by->low[d] < box->low[d]) box->low[d] = by->low[d];
    if (by->high[d] > box->high[d]) box->high[d] = by->high[d];
  }
}

static bool is_inside(const small_box *box, const small_box *outer, int dimensions) {
  for (int d = 0; d < dimensions; d++)
    if (box->low[d] < outer->low[d] || box->high[d] > outer->high[d]) return false;
  return true;
}

/* The box around all children of a node. */
static small_box box_around(const wend_rtree *index, uint32_t node) {
  small_box box = empty_box();
  for (uint32_t i = 0; i < index->count[node]; i++) {
    small_box one = get_box(index, node, i);
    widen_box(&box, &one, index->dimensions);
  }
  return box;
}

/* Makes room for `more` new nodes. False: no memory, and the tree is as it was. */
static bool reserve_nodes(wend_rtree *index, const wend_alloc *alloc, uint64_t more) {
  uint64_t wanted = index->used + more; /* free nodes are not counted, so there may be more room than needed */
  uint32_t each = index->capacity;
  const wend_column columns[] = {
      {&index->boxes, (size_t)index->dimensions * 2 * FAN * sizeof(float)},
      {&index->children, FAN * sizeof(uint32_t)},
      {&index->count, sizeof(uint8_t)},
  };
  if (!wend_grow_columns(alloc, columns, 3, &each, wanted)) return false;
  if (each > index->capacity) { /* measure_boxes reads whole columns, also where a node has fewer children */
    const size_t old = index->capacity, added = each - old, floats = (size_t)index->dimensions * 2 * FAN;
    memset(index->boxes + old * floats, 0, added * floats * sizeof(float));
    memset(index->children + old * FAN, 0, added * FAN * sizeof(uint32_t));
  }
  index->capacity = each;
  return true;
}

/* A node without children, a free one if there is one. reserve_nodes has made room. */
static uint32_t new_node(wend_rtree *index) {
  uint32_t node = index->free_node;
  if (node != WEND_NONE) index->free_node = children_of(index, node)[0];
  else node = index->used++;
  index->count[node] = 0;
  index->nodes++;
  return node;
}

/* Adds a node to the list of free nodes. */
static void free_node(wend_rtree *index, uint32_t node) {
  children_of(index, node)[0] = index->free_node;
  index->free_node = node;
  index->nodes--;
}

void wend_rtree_free(wend_rtree *index, const wend_alloc *alloc) {
  wend_free(alloc, index->boxes, index->capacity, (size_t)index->dimensions * 2 * FAN * sizeof(float));
  wend_free(alloc, index->children, index->capacity, FAN * sizeof(uint32_t));
  WEND_FREE(alloc, index->count, index->capacity);
  memset(index, 0, sizeof *index);
}

size_t wend_rtree_bytes(const wend_rtree *index) {
  return index->capacity * ((size_t)index->dimensions * 2 * FAN * sizeof(float) + FAN * sizeof(uint32_t) + 1);
}

/* ---- Building ---------------------------------------------------------------------------------------------- */

/* An item that was collected. */
typedef struct wend_rtree_entry {
  small_box box;
  uint32_t item;
} wend_rtree_entry;

/* The center of the box of an entry. Centers are reordered, entries are not. */
typedef struct wend_rtree_center {
  float at[3];
  uint32_t entry;
} wend_rtree_center;

static wend_rtree_center center_of(const wend_rtree *index, const small_box *box, uint32_t entry) {
  wend_rtree_center center = {{0, 0, 0}, entry};
  for (int d = 0; d < index->dimensions; d++) {
    const float middle = box->low[d] / 2 + box->high[d] / 2;
    center.at[d] = middle > FLT_MAX ? FLT_MAX : middle < -FLT_MAX ? -FLT_MAX : middle == middle ? middle : 0;
  }
  return center;
}

/* The pivot is the median of three for fewer centers than SAMPLED_MIN, and a rank of SAMPLES samples for more. */
#define SAMPLES 25u
#define SAMPLED_MIN 400u
/* The longest axis is found from about this many centers. */
#define SPREAD_MAX 64u

/* Guesses a value of an axis such that about `at` of the centers lie below it. The guess is shifted by two samples towards the
 * larger part. So the rank `at` probably lies in the smaller part, and the larger part needs no more work. Example: at is 100
 * of 1000 centers. 100 x 25 / 1000 = 2, plus 2: sample 4 of 25 (from 0), which about 180 centers lie below. Rank 100 is
 * probably among them, and the other 820 are done. */
static float guess_pivot(const wend_rtree_center *centers, uint32_t count, uint32_t at, int axis) {
  const uint32_t all = count < SAMPLED_MIN ? 3 : SAMPLES;
  float samples[SAMPLES];
  uint32_t rank = (uint32_t)((uint64_t)at * all / count);
  for (uint32_t i = 0; i < all; i++) {
    const float middle = centers[(uint64_t)i * (count - 1) / (all - 1)].at[axis];
    uint32_t k = i;
    for (; k > 0 && middle < samples[k - 1]; k--) samples[k] = samples[k - 1];
    samples[k] = middle;
  }
  if (count < SAMPLED_MIN) return samples[1];
  if (2 * at < count) rank = rank + 2 < all ? rank + 2 : all - 1;
  else rank = rank > 2 ? rank - 2 : 0;
  return samples[rank];
}

/* Moves the centers below a pivot to the front; with `equal`, those equal to it as well. Returns how many they are. No branch
 * depends on the centers: processors would mispredict half of such branches. */
static uint32_t partition_centers(wend_rtree_center *centers, uint32_t count, float pivot, bool equal, int axis) {
  uint32_t front = 0;
  if (equal) {
    for (uint32_t i = 0; i < count; i++) {
      const wend_rtree_center one = centers[i];
      centers[i] = centers[front];
      centers[front] = one;
      front += one.at[axis] <= pivot;
    }
    return front;
  }
  for (uint32_t i = 0; i < count; i++) {
    const wend_rtree_center one = centers[i];
    centers[i] = centers[front];
    centers[front] = one;
    front += one.at[axis] < pivot;
  }
  return front;
}

/* Reorders the centers so that none of the first `at` is greater on an axis than any of the others. C. Hoare, "Algorithm 65:
 * find" (1961), with pivots from samples: R. Floyd, R. Rivest, "Expected time bounds for selection" (1975). */
static void select_centers(wend_rtree_center *centers, uint32_t count, uint32_t at, int axis) {
  while (at > 0 && at < count) {
    const float pivot = guess_pivot(centers, count, at, axis);
    uint32_t below = partition_centers(centers, count, pivot, false, axis);
    if (at < below) {
      count = below;
      continue;
    }
    centers += below, count -= below, at -= below;
    below = partition_centers(centers, count, pivot, true, axis); /* those equal to the pivot: at least one */
    if (at < below) return;
    centers += below, count -= below, at -= below;
  }
}

/* The axis along which the centers are spread most. Where there are many centers, it reads only some of them. */
static int longest_axis(const wend_rtree *index, const wend_rtree_center *centers, uint32_t count) {
  const uint32_t step = count / SPREAD_MAX + 1;
  int best = 0;
  float longest = -1;
  for (int d = 0; d < index->dimensions; d++) {
    float low = centers[0].at[d], high = low;
    for (uint32_t i = step; i < count; i += step) {
      const float m = centers[i].at[d];
      low = m < low ? m : low;
      high = m > high ? m : high;
    }
    if (high - low > longest) longest = high - low, best = d;
  }
  return best;
}

static uint32_t build_node(wend_rtree *index, wend_rtree_center *centers, uint32_t count, uint32_t height);

/* Adds children to a node. height: of the children. full: how many items a full child has. Halves the centers until each part
 * fits into one child. All parts except the last are whole numbers of full children. */
static void build_children(wend_rtree *index, uint32_t node, wend_rtree_center *centers, uint32_t count, uint32_t height,
                           uint64_t full) {
  if (count <= full) {
    const uint32_t child = build_node(index, centers, count, height);
    const small_box box = box_around(index, child);
    set_child(index, node, index->count[node]++, child, &box);
  } else {
    const uint32_t half = (uint32_t)((count + full - 1) / full / 2 * full);
    select_centers(centers, count, half, longest_axis(index, centers, count));
    build_children(index, node, centers, half, height, full);
    build_children(index, node, centers + half, count - half, height, full);
  }
}

/* Returns a new node with `count` items below it. height 1: a leaf. */
static uint32_t build_node(wend_rtree *index, wend_rtree_center *centers, uint32_t count, uint32_t height) {
  uint32_t node = new_node(index);
  uint64_t full = FAN;
  if (height == 1) {
    for (uint32_t i = 0; i < count; i++) {
      const wend_rtree_entry *entry = &index->entries[centers[i].entry];
      set_child(index, node, index->count[node]++, entry->item, &entry->box);
    }
    return node;
  }
  for (uint32_t h = 2; h < height; h++) full *= FAN;
  build_children(index, node, centers, count, height - 1, full);
  return node;
}

static void free_building(wend_rtree *index, const wend_alloc *alloc) {
  WEND_FREE(alloc, index->entries, index->entries_capacity);
  WEND_FREE(alloc, index->centers, index->centers_capacity);
  index->entries = NULL, index->centers = NULL;
  index->entries_capacity = index->centers_capacity = 0;
}

bool wend_rtree_begin(wend_rtree *index, const wend_alloc *alloc, int dimensions, uint32_t most) {
  if (index->dimensions != dimensions) wend_rtree_free(index, alloc);
  index->dimensions = dimensions;
  index->ready = false;
  index->nodes = index->used = index->height = index->items = 0;
  index->free_node = WEND_NONE;
  index->changes = 0;
  if (WEND_RESIZE(alloc, index->entries, index->entries_capacity, most) &&
      WEND_RESIZE(alloc, index->centers, index->centers_capacity, most))
    return true;
  free_building(index, alloc);
  return false;
}

void wend_rtree_collect(wend_rtree *index, uint32_t item, const wend_box *box) {
  wend_rtree_entry *entry = &index->entries[index->items];
  if (index->items == 0)
    for (int d = 0; d < index->dimensions; d++) index->origin[d] = box->low[d];
  entry->box = round_box(index, box);
  entry->item = item;
  index->centers[index->items] = center_of(index, &entry->box, index->items);
  index->items++;
}

bool wend_rtree_finish(wend_rtree *index, const wend_alloc *alloc) {
  uint64_t nodes = 1;
  for (uint64_t row = index->items; row > 1;) nodes += row = (row + FAN - 1) / FAN;
  if (index->items > 0 && reserve_nodes(index, alloc, nodes)) {
    for (uint64_t full = 1; full < index->items || index->height == 0; full *= FAN) index->height++;
    index->root = build_node(index, index->centers, index->items, index->height);
  }
  index->ready = index->items == 0 || index->height > 0;
  free_building(index, alloc);
  return index->ready;
}

/* ---- Changing ---------------------------------------------------------------------------------------------- */

/* A path from the root (level 0) down: for each level the node, and which of its children is next. */
typedef struct tree_path {
  uint32_t node[WEND_RTREE_HEIGHT], at[WEND_RTREE_HEIGHT];
} tree_path;

/* The sum of the sides of a box. Boxes of points and of segments along an axis have no area, so sides are compared instead. */
static double margin(const small_box *box, int dimensions) {
  double sum = 0;
  for (int d = 0; d < dimensions; d++) sum += (double)box->high[d] - box->low[d];
  return sum;
}

/* The child whose box grows least by a box; of equal ones, the smallest. */
static uint32_t best_child(const wend_rtree *index, uint32_t node, const small_box *box) {
  uint32_t best = 0;
  double least = INFINITY, smallest = INFINITY;
  for (uint32_t i = 0; i < index->count[node]; i++) {
    small_box one = get_box(index, node, i);
    double size = margin(&one, index->dimensions), growth;
    widen_box(&one, box, index->dimensions);
    growth = margin(&one, index->dimensions) - size;
    if (growth < least || (growth == least && size < smallest)) best = i, least = growth, smallest = size;
  }
  return best;
}

/* Splits a full node, to which one more child is added: the nine lowest of the 17 children stay, the eight others go to a new
 * node, which is returned. They are halved along the axis on which their centers are spread most. */
static uint32_t split_node(wend_rtree *index, uint32_t node, uint32_t child, const small_box *box) {
  const uint32_t fresh = new_node(index);
  wend_rtree_entry all[FAN + 1];
  wend_rtree_center centers[FAN + 1];
  for (uint32_t i = 0; i < FAN; i++) all[i].item = children_of(index, node)[i], all[i].box = get_box(index, node, i);
  all[FAN].item = child, all[FAN].box = *box;
  for (uint32_t i = 0; i <= FAN; i++) centers[i] = center_of(index, &all[i].box, i);
  select_centers(centers, FAN + 1, FAN / 2 + 1, longest_axis(index, centers, FAN + 1));
  index->count[node] = index->count[fresh] = 0;
  for (uint32_t i = 0; i <= FAN; i++) {
    const uint32_t to = i <= FAN / 2 ? node : fresh;
    const wend_rtree_entry *entry = &all[centers[i].entry];
    set_child(index, to, index->count[to]++, entry->item, &entry->box);
  }
  return fresh;
}

/* Inserts an item, as Guttman does:
 *   1  go down to a leaf, and widen the boxes on the path
 *   2  add the item to the leaf; while a node is full, split it, and add the new node to its parent instead
 *   3  if the root was split, make a new root
 * The caller has reserved a new node for each level and one for a new root. */
static void insert_item(wend_rtree *index, uint32_t child, small_box box) {
  tree_path path;
  uint32_t node = index->root, level = 0;
  for (;; level++) {
    path.node[level] = node;
    if (level + 1 == index->height) break;
    path.at[level] = best_child(index, node, &box);
    {
      small_box wider = get_box(index, node, path.at[level]);
      widen_box(&wider, &box, index->dimensions);
      set_box(index, node, path.at[level], &wider);
    }
    node = children_of(index, node)[path.at[level]];
  }
  for (;;) {
    uint32_t fresh;
    node = path.node[level];
    if (index->count[node] < FAN) {
      set_child(index, node, index->count[node]++, child, &box);
      return;
    }
    fresh = split_node(index, node, child, &box);
    child = fresh;
    box = box_around(index, fresh);
    if (level == 0) break;
    level--;
    {
      small_box left = box_around(index, node);
      set_box(index, path.node[level], path.at[level], &left);
    }
  }
  {
    uint32_t root = new_node(index);
    small_box left = box_around(index, index->root);
    set_child(index, root, index->count[root]++, index->root, &left);
    set_child(index, root, index->count[root]++, child, &box);
    index->root = root;
    index->height++;
  }
}

/* Counts an edit. A tree with many changes, or with few items for each node, is slower than a new one. It is marked to be built
 * again after more than 1,024 changes that are also more than twice as many as the items; with more nodes than 16 + a quarter
 * of the items; or when it is nearly too high. */
static void count_change(wend_rtree *index) {
  index->changes++;
  if ((index->changes > CHANGES_MIN && index->changes / 2 > index->items) || index->nodes > 16 + index->items / 4 ||
      index->height + 1 >= WEND_RTREE_HEIGHT)
    index->ready = false;
}

void wend_rtree_insert(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *box) {
  if (!index->ready) return;
  if (index->height == 0 || !reserve_nodes(index, alloc, index->height + 1)) {
    index->ready = false; /* no memory; or an empty tree, which has no origin */
    return;
  }
  insert_item(index, item, round_box(index, box));
  index->items++;
  count_change(index);
}

/* Finds the path from a node down to the leaf that has an item. Only children whose boxes contain the item's box can have it.
 * False: the item is not below this node. */
static bool find_item(const wend_rtree *index, uint32_t node, uint32_t level, uint32_t item, const small_box *box,
                      tree_path *path) {
  path->node[level] = node;
  for (uint32_t i = 0; i < index->count[node]; i++) {
    small_box one;
    path->at[level] = i;
    if (level + 1 == index->height) {
      if (children_of(index, node)[i] == item) return true;
      continue;
    }
    one = get_box(index, node, i);
    if (is_inside(box, &one, index->dimensions) && find_item(index, children_of(index, node)[i], level + 1, item, box, path))
      return true;
  }
  return false;
}

/* Removes an item from its leaf, frees nodes that are empty then, and shrinks the boxes on the path. */
static void remove_item(wend_rtree *index, const tree_path *path) {
  uint32_t level = index->height - 1;
  remove_child(index, path->node[level], path->at[level]);
  for (; level > 0; level--) {
    uint32_t node = path->node[level], above = path->node[level - 1], at = path->at[level - 1];
    if (index->count[node] == 0) {
      free_node(index, node);
      remove_child(index, above, at);
    } else {
      small_box box = box_around(index, node);
      set_box(index, above, at, &box);
    }
  }
  index->items--;
  if (index->items == 0) {
    free_node(index, index->root);
    index->height = 0;
  }
}

void wend_rtree_remove(wend_rtree *index, uint32_t item, const wend_box *box) {
  tree_path path;
  small_box small;
  if (!index->ready || index->height == 0) return;
  small = round_box(index, box);
  if (!find_item(index, index->root, 0, item, &small, &path)) return;
  remove_item(index, &path);
  count_change(index);
}

void wend_rtree_move(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *from, const wend_box *to) {
  tree_path path;
  small_box old, new;
  uint32_t level;
  if (!index->ready) return;
  old = round_box(index, from);
  new = round_box(index, to);
  if (index->height == 0 || !find_item(index, index->root, 0, item, &old, &path)) {
    index->ready = false;
    return;
  }
  level = index->height - 1;
  if (level > 0) {
    small_box leaf = get_box(index, path.node[level - 1], path.at[level - 1]);
    if (is_inside(&new, &leaf, index->dimensions)) {
      set_box(index, path.node[level], path.at[level], &new);
      return;
    }
  }
  remove_item(index, &path);
  wend_rtree_insert(index, alloc, item, to);
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

/* Bounds are squares of distances. A computed bound has rounding errors of a few units in the last place, about 6e-8 each.
 * Times this factor, it is not above the true square. */
#define ROUNDED 0.999999f

/* A key is a bound and the number of its child in 32 bits. The bits of a float >= 0, read as an integer, sort as the float
 * does. The lowest four bits are replaced by the number of the child, 0 .. 15. In the key of a limit they are all set, so only
 * the other 28 bits decide whether a child is within the limit, and those are the bound rounded down: no child is lost.
 * Example: child 3 with the bound 1.0, bits 3f800000, has the key 3f800003. NO_KEY: the child was visited, or there is none. */
#define NO_KEY UINT32_MAX

/* The greatest key of a child that may hold something within a distance. limit: the square of the distance. */
static uint32_t key_of_limit(double limit) {
  uint32_t key;
  float f = round_up(limit);
  if (!(f < FLT_MAX)) f = FLT_MAX;
  memcpy(&key, &f, sizeof key);
  return key | (FAN - 1);
}

/* Computes the keys of all children of a node. low, high: the point, rounded down and up. Compilers vectorize the loops. */
WEND_INLINE void measure_boxes(const float *restrict boxes, uint32_t count, const float *low, const float *high,
                               uint32_t *restrict keys, const int dimensions) {
  const float *least = boxes, *most = boxes + (unsigned)dimensions * FAN;
  float bounds[FAN];
  for (unsigned i = 0; i < FAN; i++) {
    const float below = least[i] - high[0], above = low[0] - most[i];
    const float off = (below > 0 ? below : 0) + (above > 0 ? above : 0); /* one of them is 0 */
    bounds[i] = off * off;
  }
  for (int d = 1; d < dimensions; d++) {
    const float h = high[d], l = low[d];
    least += FAN, most += FAN;
    for (unsigned i = 0; i < FAN; i++) {
      const float below = least[i] - h, above = l - most[i];
      const float off = (below > 0 ? below : 0) + (above > 0 ? above : 0);
      bounds[i] += off * off;
    }
  }
  for (unsigned i = 0; i < FAN; i++) {
    const float sum = bounds[i] * ROUNDED;
    bounds[i] = sum < FLT_MAX ? sum : FLT_MAX;
  }
  memcpy(keys, bounds, sizeof bounds);
  for (uint32_t i = 0; i < FAN; i++) keys[i] = (keys[i] & ~(FAN - 1)) | i;
  for (uint32_t i = count; i < FAN; i++) keys[i] = NO_KEY;
}

/* The least of the keys of a node. Four minima at a time do not wait for each other. */
WEND_INLINE uint32_t least_key(const uint32_t *keys) {
  uint32_t a = keys[0], b = keys[1], c = keys[2], d = keys[3];
  for (unsigned i = 4; i < FAN; i += 4) {
    a = keys[i] < a ? keys[i] : a;
    b = keys[i + 1] < b ? keys[i + 1] : b;
    c = keys[i + 2] < c ? keys[i + 2] : c;
    d = keys[i + 3] < d ? keys[i + 3] : d;
  }
  a = b < a ? b : a;
  c = d < c ? d : c;
  return c < a ? c : a;
}

/* A number that is not below the square of the distance. */
static double square_of(double distance) { return distance * distance * (1 + 1e-12) + DBL_MIN; }

/* The order of results: by distance, then by id. */
static bool is_nearer(const wend_near *a, const wend_near *b) {
  return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

/* The items found so far are a binary heap with the farthest at the root, which the next nearer item replaces. Moves `one` from
 * the hole `at` down to where it belongs. */
static void sift_down_found(wend_near *heap, uint32_t count, uint32_t at, wend_near one) {
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && is_nearer(&heap[child], &heap[child + 1])) child++;
    if (!is_nearer(&one, &heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = one;
}

/* Adds an item to the heap. If there are k already, it replaces the farthest. */
static void add_found(wend_near *heap, uint32_t *count, uint32_t k, wend_near one) {
  uint32_t at;
  if (*count == k) {
    sift_down_found(heap, k, 0, one);
    return;
  }
  at = (*count)++;
  while (at > 0 && is_nearer(&heap[(at - 1) / 2], &one)) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = one;
}

/* A level of the search: a node, and the keys of its children; a visited one has NO_KEY. */
typedef struct tree_level {
  uint32_t keys[FAN];
  uint32_t node;
} tree_level;

/* Depth first, the nearest child first, as in N. Roussopoulos, S. Kelley, F. Vincent, "Nearest neighbor queries" (1995). The
 * path down from the root is all that must be stored. The example at the top follows a search. */
uint32_t wend_rtree_nearest(const wend_rtree *index, const double *point, double most, uint32_t k, wend_measure_fn measure,
                            const void *ud, wend_near *found) {
  tree_level path[WEND_RTREE_HEIGHT];
  float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  uint32_t count = 0, level = 0, node = index->root;
  uint32_t limit = key_of_limit(square_of(most)); /* children with larger keys hold nothing that is wanted */
  if (index->height == 0) return 0;
  for (int d = 0; d < index->dimensions; d++) {
    low[d] = round_down(point[d] - index->origin[d]);
    high[d] = round_up(point[d] - index->origin[d]);
  }
  for (;;) {
    uint32_t key;
    path[level].node = node;
    if (index->dimensions == 2) measure_boxes(boxes_of(index, node), index->count[node], low, high, path[level].keys, 2);
    else measure_boxes(boxes_of(index, node), index->count[node], low, high, path[level].keys, 3);
    for (;;) { /* the nearest child that was not visited; if there is none, a level up */
      key = least_key(path[level].keys);
      if (key > limit) {
        if (level == 0) goto done;
        level--;
        continue;
      }
      path[level].keys[key & (FAN - 1)] = NO_KEY;
      node = children_of(index, path[level].node)[key & (FAN - 1)];
      if (level + 1 < index->height) break;
      {
        wend_near one;
        if (!measure(ud, node, point, &one) || !(one.distance <= most)) continue;
        if (count == k && !is_nearer(&one, &found[0])) continue;
        add_found(found, &count, k, one);
        if (count == k) limit = key_of_limit(square_of(found[0].distance));
      }
    }
    level++;
  }
done:
  for (uint32_t left = count; left > 1;) { /* heap sort: the farthest of the rest goes last */
    wend_near far = found[0], last = found[--left];
    sift_down_found(found, left, 0, last);
    found[left] = far;
  }
  return count;
}

/* A node that was not visited yet. level: 1 for the root. */
typedef struct tree_node {
  uint32_t node, level;
} tree_node;

bool wend_rtree_line(const wend_rtree *index, const double *a, const double *b, double radius, wend_hit_fn hit,
                     const void *ud) {
  tree_node stack[WEND_RTREE_HEIGHT * FAN];
  const double ax = a[0] - index->origin[0], ay = a[1] - index->origin[1];
  const double bx = b[0] - index->origin[0], by = b[1] - index->origin[1];
  const double dx = bx - ax, dy = by - ay, reach = radius * (1 + 1e-9);
  const double left = (ax < bx ? ax : bx) - reach, right = (ax > bx ? ax : bx) + reach;
  const double bottom = (ay < by ? ay : by) - reach, top_y = (ay > by ? ay : by) + reach;
  const size_t high = (size_t)index->dimensions * FAN;
  uint32_t top = 0;
  if (index->height == 0) return false;
  stack[top].node = index->root, stack[top++].level = 1;
  while (top > 0) {
    const tree_node here = stack[--top];
    const float *boxes = boxes_of(index, here.node);
    for (uint32_t i = 0; i < index->count[here.node]; i++) {
      const double x1 = boxes[i], y1 = boxes[FAN + i], x2 = boxes[high + i], y2 = boxes[high + FAN + i];
      double x, y, width, height, off;
      if (x1 > right || x2 < left || y1 > top_y || y2 < bottom) continue;
      /* The separating axis across the line: the distance of the center of the box from the line against half the extent of
       * the box in that direction, both times the length of the segment. The factors near 1 are for rounding errors. */
      x = (x1 + x2) / 2 - ax, y = (y1 + y2) / 2 - ay;
      width = (x2 - x1) / 2 + reach, height = (y2 - y1) / 2 + reach;
      off = fabs(dx * y - dy * x) - 1e-9 * (fabs(dx * y) + fabs(dy * x));
      if (off > (fabs(dy) * width + fabs(dx) * height) * (1 + 1e-9)) continue;
      if (here.level < index->height) {
        stack[top].node = children_of(index, here.node)[i], stack[top++].level = here.level + 1;
      } else if (hit(ud, children_of(index, here.node)[i])) {
        return true;
      }
    }
  }
  return false;
}
