/* SPDX-License-Identifier: MIT */
/* Building, changing and asking an R-tree: see index.h. */
#include "core/base/rtree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/bits.h"

WEND_NO_FUSING

#define FAN WEND_RTREE_FAN
/* After so many changes a tree is built anew, and a share of its items. */
#define CHANGES_MIN 1024u

/* A box as the tree keeps it. */
typedef struct small_box {
  float low[3], high[3];
} small_box;

static const small_box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* A float that is not above, or not below, a number. */
static float at_most(double x) {
  float f = (float)(x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -FLT_MAX : x);
  return f - fabsf(f) * FLT_EPSILON - FLT_MIN;
}

static float at_least(double x) { return -at_most(-x); }

static small_box make_small(const wend_rtree *index, const wend_box *box) {
  small_box small = empty_box;
  for (int d = 0; d < index->dimensions; d++) {
    small.low[d] = at_most(box->low[d] - index->origin[d]);
    small.high[d] = at_least(box->high[d] - index->origin[d]);
  }
  return small;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------- */

static float *boxes_of(const wend_rtree *index, uint32_t node) {
  return index->boxes + (size_t)node * (size_t)index->dimensions * 2 * FAN;
}

static uint32_t *below_of(const wend_rtree *index, uint32_t node) { return index->below + (size_t)node * FAN; }

static small_box get_box(const wend_rtree *index, uint32_t node, uint32_t at) {
  const float *boxes = boxes_of(index, node);
  const size_t high = (size_t)index->dimensions * FAN;
  small_box box = empty_box;
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

static void put_box(wend_rtree *index, uint32_t node, uint32_t at, uint32_t below, const small_box *box) {
  set_box(index, node, at, box);
  below_of(index, node)[at] = below;
}

/* The last takes the place of the one that goes. */
static void take_out(wend_rtree *index, uint32_t node, uint32_t at) {
  uint32_t last = --index->count[node];
  small_box box = get_box(index, node, last);
  put_box(index, node, at, below_of(index, node)[last], &box);
}

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

static small_box box_around(const wend_rtree *index, uint32_t node) {
  small_box box = empty_box;
  for (uint32_t i = 0; i < index->count[node]; i++) {
    small_box one = get_box(index, node, i);
    widen_box(&box, &one, index->dimensions);
  }
  return box;
}

/* Room for so many more nodes. */
static bool reserve_nodes(wend_rtree *index, const wend_alloc *alloc, uint64_t more) {
  uint64_t wanted = index->used + more; /* spare ones come on top */
  uint32_t each = index->capacity;
  const wend_column columns[] = {
      {&index->boxes, (size_t)index->dimensions * 2 * FAN * sizeof(float)},
      {&index->below, FAN * sizeof(uint32_t)},
      {&index->count, sizeof(uint8_t)},
  };
  if (!wend_grow_columns(alloc, columns, 3, &each, wanted)) return false;
  if (each > index->capacity) { /* what is not filled in is read along */
    const size_t old = index->capacity, new = each - old, floats = (size_t)index->dimensions * 2 * FAN;
    memset(index->boxes + old * floats, 0, new * floats * sizeof(float));
    memset(index->below + old * FAN, 0, new * FAN * sizeof(uint32_t));
  }
  index->capacity = each;
  return true;
}

/* There is room. */
static uint32_t new_node(wend_rtree *index) {
  uint32_t node = index->spare;
  if (node != WEND_NONE)
    index->spare = below_of(index, node)[0];
  else
    node = index->used++;
  index->count[node] = 0;
  index->nodes++;
  return node;
}

static void free_node(wend_rtree *index, uint32_t node) {
  below_of(index, node)[0] = index->spare;
  index->spare = node;
  index->nodes--;
}

void wend_rtree_free(wend_rtree *index, const wend_alloc *alloc) {
  wend_free(alloc, index->boxes, index->capacity, (size_t)index->dimensions * 2 * FAN * sizeof(float));
  wend_free(alloc, index->below, index->capacity, FAN * sizeof(uint32_t));
  WEND_FREE(alloc, index->count, index->capacity);
  memset(index, 0, sizeof *index);
}

size_t wend_rtree_bytes(const wend_rtree *index) {
  return index->capacity * ((size_t)index->dimensions * 2 * FAN * sizeof(float) + FAN * sizeof(uint32_t) + 1);
}

/* ---- Building ---------------------------------------------------------------------------------------------- */

typedef struct wend_noted {
  small_box box;
  uint32_t item;
} wend_noted;

/* One that was noted, while it is sorted: where the middle of its box is. */
typedef struct wend_pin {
  float middle[3];
  uint32_t noted;
} wend_pin;

/* So many are looked at to guess where to part more than PARTS_MIN. */
#define SAMPLES 25u
#define PARTS_MIN 400u
/* So many at most to see on which axis they are spread. */
#define SPREAD_MAX 64u

/* What about `at` of count pins lie below on an axis, rather on the far side of that, so that little is left. */
static float guess_parting(const wend_pin *pins, uint32_t count, uint32_t at, int axis) {
  const uint32_t all = count < PARTS_MIN ? 3 : SAMPLES;
  float samples[SAMPLES];
  uint32_t rank = (uint32_t)((uint64_t)at * all / count);
  for (uint32_t i = 0; i < all; i++) {
    const float middle = pins[(uint64_t)i * (count - 1) / (all - 1)].middle[axis];
    uint32_t k = i;
    for (; k > 0 && middle < samples[k - 1]; k--) samples[k] = samples[k - 1];
    samples[k] = middle;
  }
  if (count < PARTS_MIN) return samples[1];
  if (2 * at < count) rank = rank + 2 < all ? rank + 2 : all - 1;
  else rank = rank > 2 ? rank - 2 : 0;
  return samples[rank];
}

/* Moves the pins below a parting, or with `equal` those at it too, to the front, and returns how many they are. Without
 * branches that depend on them. */
static uint32_t part_pins(wend_pin *pins, uint32_t count, float parting, bool equal, int axis) {
  uint32_t front = 0;
  if (equal) {
    for (uint32_t i = 0; i < count; i++) {
      const wend_pin one = pins[i];
      pins[i] = pins[front];
      pins[front] = one;
      front += one.middle[axis] <= parting;
    }
    return front;
  }
  for (uint32_t i = 0; i < count; i++) {
    const wend_pin one = pins[i];
    pins[i] = pins[front];
    pins[front] = one;
    front += one.middle[axis] < parting;
  }
  return front;
}

/* Puts the pins such that none before `at` is greater on an axis than any from there on: after C. Hoare, "Algorithm 65:
 * find" (1961), with the partings of R. Floyd and R. Rivest, "Expected time bounds for selection" (1975). */
static void split_pins(wend_pin *pins, uint32_t count, uint32_t at, int axis) {
  while (at > 0 && at < count) {
    const float parting = guess_parting(pins, count, at, axis);
    uint32_t below = part_pins(pins, count, parting, false, axis);
    if (at < below) {
      count = below;
      continue;
    }
    pins += below, count -= below, at -= below;
    below = part_pins(pins, count, parting, true, axis); /* all the same, at least one */
    if (at < below) return;
    pins += below, count -= below, at -= below;
  }
}

/* On which axis they are spread most; of many, some are looked at. */
static int longest_axis(const wend_rtree *index, const wend_pin *pins, uint32_t count) {
  const uint32_t step = count / SPREAD_MAX + 1;
  int best = 0;
  float longest = -1;
  for (int d = 0; d < index->dimensions; d++) {
    float low = pins[0].middle[d], high = low;
    for (uint32_t i = step; i < count; i += step) {
      const float m = pins[i].middle[d];
      low = m < low ? m : low;
      high = m > high ? m : high;
    }
    if (high - low > longest) longest = high - low, best = d;
  }
  return best;
}

static uint32_t build_node(wend_rtree *index, wend_pin *pins, uint32_t count, uint32_t height);

/* Hands out pins to the children of a node: by halves, each a whole number of full children (the last may be less). */
static void build_children(wend_rtree *index, uint32_t node, wend_pin *pins, uint32_t count, uint32_t height, uint64_t full) {
  if (count <= full) {
    const uint32_t child = build_node(index, pins, count, height);
    const small_box box = box_around(index, child);
    put_box(index, node, index->count[node]++, child, &box);
  } else {
    const uint32_t half = (uint32_t)((count + full - 1) / full / 2 * full);
    split_pins(pins, count, half, longest_axis(index, pins, count));
    build_children(index, node, pins, half, height, full);
    build_children(index, node, pins + half, count - half, height, full);
  }
}

/* A node over count pins; height 1: a leaf. */
static uint32_t build_node(wend_rtree *index, wend_pin *pins, uint32_t count, uint32_t height) {
  uint32_t node = new_node(index);
  uint64_t full = FAN;
  if (height == 1) {
    for (uint32_t i = 0; i < count; i++) {
      const wend_noted *noted = &index->noted[pins[i].noted];
      put_box(index, node, index->count[node]++, noted->item, &noted->box);
    }
    return node;
  }
  for (uint32_t h = 2; h < height; h++) full *= FAN;
  build_children(index, node, pins, count, height - 1, full);
  return node;
}

static void free_building(wend_rtree *index, const wend_alloc *alloc) {
  WEND_FREE(alloc, index->noted, index->noted_capacity);
  WEND_FREE(alloc, index->pins, index->pins_capacity);
  index->noted = NULL, index->pins = NULL;
  index->noted_capacity = index->pins_capacity = 0;
}

bool wend_rtree_begin(wend_rtree *index, const wend_alloc *alloc, int dimensions, uint32_t most) {
  if (index->dimensions != dimensions) wend_rtree_free(index, alloc);
  index->dimensions = dimensions;
  index->ready = false;
  index->nodes = index->used = index->height = index->items = 0;
  index->spare = WEND_NONE;
  index->changes = 0;
  if (WEND_RESIZE(alloc, index->noted, index->noted_capacity, most) &&
      WEND_RESIZE(alloc, index->pins, index->pins_capacity, most))
    return true;
  free_building(index, alloc);
  return false;
}

void wend_rtree_collect(wend_rtree *index, uint32_t item, const wend_box *box) {
  wend_noted *noted = &index->noted[index->items];
  wend_pin *pin = &index->pins[index->items];
  if (index->items == 0)
    for (int d = 0; d < index->dimensions; d++) index->origin[d] = box->low[d];
  noted->box = make_small(index, box);
  noted->item = item;
  pin->noted = index->items++;
  for (int d = 0; d < index->dimensions; d++) {
    const float middle = noted->box.low[d] / 2 + noted->box.high[d] / 2;
    pin->middle[d] = middle > FLT_MAX ? FLT_MAX : middle < -FLT_MAX ? -FLT_MAX : middle == middle ? middle : 0;
  }
}

bool wend_rtree_finish(wend_rtree *index, const wend_alloc *alloc) {
  uint64_t nodes = 1;
  for (uint64_t row = index->items; row > 1;) nodes += row = (row + FAN - 1) / FAN;
  if (index->items > 0 && reserve_nodes(index, alloc, nodes)) {
    for (uint64_t full = 1; full < index->items || index->height == 0; full *= FAN) index->height++;
    index->root = build_node(index, index->pins, index->items, index->height);
  }
  index->ready = index->items == 0 || index->height > 0;
  free_building(index, alloc);
  return index->ready;
}

/* ---- Changing ---------------------------------------------------------------------------------------------- */

/* The way down to a node: each node on it, and which of its boxes leads on. */
typedef struct way_down {
  uint32_t node[WEND_RTREE_HEIGHT], at[WEND_RTREE_HEIGHT];
} way_down;

static double margin(const small_box *box, int dimensions) {
  double sum = 0;
  for (int d = 0; d < dimensions; d++) sum += (double)box->high[d] - box->low[d];
  return sum;
}

/* Where a box fits best: where it makes the other grow least, then where that is smallest. */
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

/* Divides what is in a full node, and one more, between it and a new one: along the axis on which it is spread most. */
static uint32_t split_node(wend_rtree *index, uint32_t node, uint32_t below, const small_box *box) {
  uint32_t all[FAN + 1], order[FAN + 1], fresh = new_node(index);
  small_box boxes[FAN + 1];
  int axis = 0;
  float longest = -1;
  for (uint32_t i = 0; i < FAN; i++) all[i] = below_of(index, node)[i], boxes[i] = get_box(index, node, i);
  all[FAN] = below, boxes[FAN] = *box;
  for (int d = 0; d < index->dimensions; d++) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i <= FAN; i++) {
      float middle = boxes[i].low[d] / 2 + boxes[i].high[d] / 2;
      low = middle < low ? middle : low;
      high = middle > high ? middle : high;
    }
    if (high - low > longest) longest = high - low, axis = d;
  }
  for (uint32_t i = 0; i <= FAN; i++) {
    float middle = boxes[i].low[axis] / 2 + boxes[i].high[axis] / 2;
    uint32_t at = i;
    for (; at > 0 && middle < boxes[order[at - 1]].low[axis] / 2 + boxes[order[at - 1]].high[axis] / 2; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  index->count[node] = index->count[fresh] = 0;
  for (uint32_t i = 0; i <= FAN; i++) {
    uint32_t to = i <= FAN / 2 ? node : fresh;
    put_box(index, to, index->count[to]++, all[order[i]], &boxes[order[i]]);
  }
  return fresh;
}

/* Puts an item into a leaf, after splitting what is full, from there up. There is room for a node a level, and one. */
static void file_item(wend_rtree *index, uint32_t below, small_box box) {
  way_down way;
  uint32_t node = index->root, level = 0;
  for (;; level++) {
    way.node[level] = node;
    if (level + 1 == index->height) break;
    way.at[level] = best_child(index, node, &box);
    {
      small_box wider = get_box(index, node, way.at[level]);
      widen_box(&wider, &box, index->dimensions);
      set_box(index, node, way.at[level], &wider);
    }
    node = below_of(index, node)[way.at[level]];
  }
  for (;;) {
    uint32_t fresh;
    node = way.node[level];
    if (index->count[node] < FAN) {
      put_box(index, node, index->count[node]++, below, &box);
      return;
    }
    fresh = split_node(index, node, below, &box);
    below = fresh;
    box = box_around(index, fresh);
    if (level == 0) break;
    level--;
    {
      small_box left = box_around(index, node);
      set_box(index, way.node[level], way.at[level], &left);
    }
  }
  {
    uint32_t root = new_node(index);
    small_box left = box_around(index, index->root);
    put_box(index, root, index->count[root]++, index->root, &left);
    put_box(index, root, index->count[root]++, below, &box);
    index->root = root;
    index->height++;
  }
}

/* After a change. A tree with many changes, or with few items a node, is worse than a new one. */
static void age(wend_rtree *index) {
  index->changes++;
  if ((index->changes > CHANGES_MIN && index->changes / 2 > index->items) || index->nodes > 16 + index->items / 4 ||
      index->height + 1 >= WEND_RTREE_HEIGHT)
    index->ready = false;
}

void wend_rtree_insert(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *box) {
  if (!index->ready) return;
  if (index->height == 0 || !reserve_nodes(index, alloc, index->height + 1)) {
    index->ready = false; /* the first of all: there is no origin yet */
    return;
  }
  file_item(index, item, make_small(index, box));
  index->items++;
  age(index);
}

/* The way to the leaf that holds an item; false: there is none below this node. */
static bool find_item(const wend_rtree *index, uint32_t node, uint32_t level, uint32_t item, const small_box *box,
                      way_down *way) {
  way->node[level] = node;
  for (uint32_t i = 0; i < index->count[node]; i++) {
    small_box one;
    way->at[level] = i;
    if (level + 1 == index->height) {
      if (below_of(index, node)[i] == item) return true;
      continue;
    }
    one = get_box(index, node, i);
    if (is_inside(box, &one, index->dimensions) &&
        find_item(index, below_of(index, node)[i], level + 1, item, box, way))
      return true;
  }
  return false;
}

/* Takes an item out of its leaf: empty nodes go, and boxes above shrink. */
static void take_item(wend_rtree *index, const way_down *way) {
  uint32_t level = index->height - 1;
  take_out(index, way->node[level], way->at[level]);
  for (; level > 0; level--) {
    uint32_t node = way->node[level], above = way->node[level - 1], at = way->at[level - 1];
    if (index->count[node] == 0) {
      free_node(index, node);
      take_out(index, above, at);
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
  way_down way;
  small_box small;
  if (!index->ready || index->height == 0) return;
  small = make_small(index, box);
  if (!find_item(index, index->root, 0, item, &small, &way)) return;
  take_item(index, &way);
  age(index);
}

void wend_rtree_move(wend_rtree *index, const wend_alloc *alloc, uint32_t item, const wend_box *from,
                     const wend_box *to) {
  way_down way;
  small_box old, new;
  uint32_t level;
  if (!index->ready) return;
  old = make_small(index, from);
  new = make_small(index, to);
  if (index->height == 0 || !find_item(index, index->root, 0, item, &old, &way)) {
    index->ready = false;
    return;
  }
  level = index->height - 1;
  if (level > 0) {
    small_box leaf = get_box(index, way.node[level - 1], way.at[level - 1]);
    if (is_inside(&new, &leaf, index->dimensions)) {
      set_box(index, way.node[level], way.at[level], &new);
      return;
    }
  }
  take_item(index, &way);
  wend_rtree_insert(index, alloc, item, to);
}

/* ---- Asking ------------------------------------------------------------------------------------------------ */

typedef struct waiting {
  double bound; /* the square of a distance that nothing in there is nearer than */
  uint32_t node, level;
} waiting;

/* Rounding took less than this from a distance's square. */
#define ROUNDED 0.999999f

/* A bound as a whole number that sorts likewise: the bits of a float >= 0. The last four, which make it a little less,
 * say which box it is of. */
#define NO_KEY UINT32_MAX

static uint32_t key_of_limit(double limit) {
  uint32_t key;
  float f = at_least(limit);
  if (!(f < FLT_MAX)) f = FLT_MAX;
  memcpy(&key, &f, sizeof key);
  return key | (FAN - 1);
}

/* Keys of all boxes of a node at once: loops so plain that compilers make them four or eight at a time. */
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

/* Rather too large than too small. */
static double square_of(double distance) { return distance * distance * (1 + 1e-12) + DBL_MIN; }

static bool is_nearer(const wend_near *a, const wend_near *b) {
  return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

/* What was found, the farthest first: a heap. */
static void found_down(wend_near *heap, uint32_t count, uint32_t at, wend_near one) {
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

static void found_add(wend_near *heap, uint32_t *count, uint32_t k, wend_near one) {
  uint32_t at;
  if (*count == k) {
    found_down(heap, k, 0, one);
    return;
  }
  at = (*count)++;
  while (at > 0 && is_nearer(&heap[(at - 1) / 2], &one)) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = one;
}

/* A node on the way down, and those of its boxes that have not been looked into. */
typedef struct step_down {
  uint32_t keys[FAN];
  uint32_t node;
} step_down;

uint32_t wend_rtree_nearest(const wend_rtree *index, const double *point, double most, uint32_t k, wend_measure_fn measure,
                            const void *ud, wend_near *found) {
  step_down way[WEND_RTREE_HEIGHT];
  float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  uint32_t count = 0, level = 0, node = index->root;
  uint32_t limit = key_of_limit(square_of(most)); /* of what is still of interest */
  if (index->height == 0) return 0;
  for (int d = 0; d < index->dimensions; d++) {
    low[d] = at_most(point[d] - index->origin[d]);
    high[d] = at_least(point[d] - index->origin[d]);
  }
  for (;;) {
    uint32_t key;
    way[level].node = node;
    if (index->dimensions == 2)
      measure_boxes(boxes_of(index, node), index->count[node], low, high, way[level].keys, 2);
    else
      measure_boxes(boxes_of(index, node), index->count[node], low, high, way[level].keys, 3);
    for (;;) { /* nearest first */
      key = least_key(way[level].keys);
      if (key > limit) {
        if (level == 0) goto done;
        level--;
        continue;
      }
      way[level].keys[key & (FAN - 1)] = NO_KEY;
      node = below_of(index, way[level].node)[key & (FAN - 1)];
      if (level + 1 < index->height) break;
      {
        wend_near one;
        if (!measure(ud, node, point, &one) || !(one.distance <= most)) continue;
        if (count == k && !is_nearer(&one, &found[0])) continue;
        found_add(found, &count, k, one);
        if (count == k) limit = key_of_limit(square_of(found[0].distance));
      }
    }
    level++;
  }
done:
  for (uint32_t left = count; left > 1;) { /* the farthest of what is left goes last */
    wend_near far = found[0], last = found[--left];
    found_down(found, left, 0, last);
    found[left] = far;
  }
  return count;
}

bool wend_rtree_line(const wend_rtree *index, const double *a, const double *b, double radius, wend_hit_fn hit,
                     const void *ud) {
  waiting stack[WEND_RTREE_HEIGHT * FAN];
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
    const waiting here = stack[--top];
    const float *boxes = boxes_of(index, here.node);
    for (uint32_t i = 0; i < index->count[here.node]; i++) {
      const double x1 = boxes[i], y1 = boxes[FAN + i], x2 = boxes[high + i], y2 = boxes[high + FAN + i];
      double x, y, width, height, off;
      if (x1 > right || x2 < left || y1 > top_y || y2 < bottom) continue;
      /* How far the middle of the box is from the line, times the line's length, against how far the box reaches. */
      x = (x1 + x2) / 2 - ax, y = (y1 + y2) / 2 - ay;
      width = (x2 - x1) / 2 + reach, height = (y2 - y1) / 2 + reach;
      off = fabs(dx * y - dy * x) - 1e-9 * (fabs(dx * y) + fabs(dy * x));
      if (off > (fabs(dy) * width + fabs(dx) * height) * (1 + 1e-9)) continue;
      if (here.level < index->height) {
        stack[top].node = below_of(index, here.node)[i], stack[top++].level = here.level + 1;
      } else if (hit(ud, below_of(index, here.node)[i])) {
        return true;
      }
    }
  }
  return false;
}
