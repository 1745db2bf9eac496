/* SPDX-License-Identifier: MIT */
/* wend_bench_reference_grid: the yardstick for grids. A* and one-to-all Dijkstra in plain C, without the features of wend. The
 * neighbours of a cell are found from its index.
 *
 *   weights | ∞ ∞ ∞ ∞ ∞   a column of padding to the right, which also pads the next row on its
 *           | 1 1 3 1 ∞   left, a row above and one below: every cell has eight neighbours.
 *           | 2 1 ∞ 1 ∞   A closed cell has ∞: no sum with it is below the cost in a label.
 *           | ∞ ∞ ∞ ∞ ∞ ∞
 *   labels  | g parent stamp | …   16 bytes a cell, for paths
 *   costs, ways                    8 + 1 bytes a cell, for fields
 *
 * A step costs its length times the weight of the cell stepped onto. A diagonal step needs both cells beside it open. */
#include <lauxlib.h>
#include <lua.h>

#include "reference_queues.h"

enum {
  SIDE_BITS = 14, /* of x and of y in a queue's entry; the 4 bits above say how the cell was reached */
  SIDE_MOST = (1 << SIDE_BITS) - 2,
  SIDE_MASK = (1 << SIDE_BITS) - 1,
  RING_SLOTS_MOST = 1 << 16
};

/* The bucket list of reference_queues.h without anything beyond the ring. A search keeps it in a
 * variable of its own, which a compiler can hold in registers. */
typedef struct {
  ring ring;
  bucket *slots;
  bool failed;
} queue;

typedef struct {
  uint32_t width, height, pitch, padded; /* a row and all, with padding */
  float *weights;
  double least_weight, mean_weight, most_weight;
  double slack; /* smaller improvements are ignored: they are the same steps added in another order */
  label *labels;
  uint32_t stamp;
  uint64_t settled;
  uint32_t *path_buffer, *path; /* the cells of the last path, at the end of the buffer */
  double *costs;
  uint8_t *ways;
  queue queue;
  heap_queue heap;
} map;

/* The steps: north, south, west, east, then the diagonals. START: reached by none. */
enum { N, S, W, E, NW, NE, SW, SE, START };
enum { UNDONE = 0x80 }; /* in `ways`: not expanded since its cost dropped */
static const int step_x[8] = {0, 0, -1, 1, -1, 1, -1, 1};
static const int step_y[8] = {-1, 1, 0, 0, -1, -1, 1, 1};
static const double DIAGONAL = 1.4142135623730951;

INLINE double octile(double x, double y) { return x + y - (2 - DIAGONAL) * (x < y ? x : y); }

INLINE void queue_reset(queue *q, double key) {
  for (int64_t n = q->ring.now; n <= q->ring.highest; n++) q->slots[n & q->ring.mask].count = 0;
  ring_reset(&q->ring, key);
}

INLINE void queue_push(queue *q, uint32_t entry, double key) {
  int64_t number = (int64_t)(key * q->ring.per_width);
  if (number < q->ring.now) number = q->ring.now;
  bucket *b = &q->slots[number & q->ring.mask];
  if (RARELY(b->count == b->capacity) && !bucket_grow(b)) {
    q->failed = true;
    return;
  }
  b->items[b->count++] = entry;
  if (number > q->ring.highest) q->ring.highest = number;
}

/* The bucket to pop from, which is not empty; NULL: nothing is left. */
INLINE bucket *queue_first(queue *q) {
  for (;;) {
    bucket *b = &q->slots[q->ring.now & q->ring.mask];
    if (b->count) return b;
    if (!ring_advance(&q->ring)) return NULL;
  }
}

/* clang-format off */
/* Visits the neighbours of a cell that was reached by the step `way`. A neighbour that the parent reaches by a straight step is
 * left out: the path through this cell is never cheaper. That leaves five of eight. The caller defines
 * `LOOK(way, dx, dy, length)` and `IS_OPEN(offset)`. */
#define LOOK_ROUND(way)                                                                                                \
  do {                                                                                                                 \
    const bool n = IS_OPEN(-pitch), s = IS_OPEN(pitch), w = IS_OPEN(-1), e = IS_OPEN(1);                               \
    switch (way) {                                                                                                     \
      case N: LOOK_N LOOK_W LOOK_E LOOK_NW LOOK_NE break;                                                              \
      case S: LOOK_S LOOK_W LOOK_E LOOK_SW LOOK_SE break;                                                              \
      case W: LOOK_W LOOK_N LOOK_S LOOK_NW LOOK_SW break;                                                              \
      case E: LOOK_E LOOK_N LOOK_S LOOK_NE LOOK_SE break;                                                              \
      case NW: LOOK_N LOOK_W LOOK_NW LOOK_NE LOOK_SW break;                                                            \
      case NE: LOOK_N LOOK_E LOOK_NW LOOK_NE LOOK_SE break;                                                            \
      case SW: LOOK_S LOOK_W LOOK_NW LOOK_SW LOOK_SE break;                                                            \
      case SE: LOOK_S LOOK_E LOOK_NE LOOK_SW LOOK_SE break;                                                            \
      default: LOOK_N LOOK_S LOOK_W LOOK_E LOOK_NW LOOK_NE LOOK_SW LOOK_SE break;                                      \
    }                                                                                                                  \
  } while (0)
#define LOOK_N LOOK(N, 0, -1, 1.0)
#define LOOK_S LOOK(S, 0, 1, 1.0)
#define LOOK_W LOOK(W, -1, 0, 1.0)
#define LOOK_E LOOK(E, 1, 0, 1.0)
#define LOOK_NW if (n & w) LOOK(NW, -1, -1, DIAGONAL)
#define LOOK_NE if (n & e) LOOK(NE, 1, -1, DIAGONAL)
#define LOOK_SW if (s & w) LOOK(SW, -1, 1, DIAGONAL)
#define LOOK_SE if (s & e) LOOK(SE, 1, 1, DIAGONAL)
/* clang-format on */

INLINE uint32_t next_stamp(map *m) {
  if (RARELY(m->stamp >= UINT32_MAX - 3)) {
    memset(m->labels, 0, m->padded * sizeof *m->labels);
    m->stamp = 0;
  }
  return m->stamp += 2;
}

/* ---- A* -------------------------------------------------------------------------------------
 * As in the search on graphs, a cell may be expanded again, so the cost does not depend on the order within a bucket. Stamps
 * only grow, so a stamp that is not below `open` is of this search. An entry has x and y, because dividing an index by the
 * pitch would cost more than computing the index from x and y. It also has the last step. */
static double search_path(map *m, const uint32_t *trip) {
  const int pitch = (int)m->pitch;
  const float *weights = m->weights;
  label *labels = m->labels;
  const double scale = m->least_weight, slack = m->slack;
  const double goal_x = trip[2], goal_y = trip[3];
  const uint32_t start = trip[1] * m->pitch + trip[0], goal = trip[3] * m->pitch + trip[2];
  const uint32_t open = next_stamp(m), closed = open + 1;
  double best = start == goal ? 0.0 : INFINITY;
  uint64_t settled = 0;
  queue q = m->queue;

  const double rest = scale * octile(fabs(trip[0] - goal_x), fabs(trip[1] - goal_y));
  queue_reset(&q, rest);
  labels[start] = (label){0.0, NONE, open};
  if (start != goal && weights[goal] < INFINITY)
    queue_push(&q, (uint32_t)START << (2 * SIDE_BITS) | trip[1] << SIDE_BITS | trip[0], rest);

  for (bucket *b; (b = queue_first(&q));) {
    const uint32_t entry = b->items[--b->count];
    if (b->count) { /* the next cell is loaded while this one is expanded */
      const uint32_t next = b->items[b->count - 1];
      const uint32_t at = (next >> SIDE_BITS & SIDE_MASK) * m->pitch + (next & SIDE_MASK);
      for (int y = -pitch; y <= pitch; y += pitch) __builtin_prefetch(&labels[at + y]);
      __builtin_prefetch(&weights[at - pitch]);
      __builtin_prefetch(&weights[at + pitch]);
    }
    const uint32_t x = entry & SIDE_MASK, y = entry >> SIDE_BITS & SIDE_MASK, xy = entry << 4 >> 4;
    const uint32_t cell = y * m->pitch + x;
    label *l = &labels[cell];
    if (l->stamp != open) continue; /* a duplicate: expanded already */
    l->stamp = closed;
    const double g = l->g, g_slack = g + slack, rest_x = x - goal_x, rest_y = y - goal_y;
    if (best < INFINITY && !(g_slack + scale * octile(fabs(rest_x), fabs(rest_y)) < best)) continue;
    settled++;
    const float *here = &weights[cell];
#define LOOK(way, dx, dy, length)                                                                                  \
  {                                                                                                                \
    label *to = l + pitch * (dy) + (dx);                                                                           \
    const double step = here[pitch * (dy) + (dx)] * (length), known = to->stamp >= open ? to->g : INFINITY;        \
    if (g_slack + step < known) {                                                                                  \
      const double to_g = g + step;                                                                                \
      const double key = to_g + scale * octile(fabs(rest_x + (dx)), fabs(rest_y + (dy)));                          \
      if (key < best) {                                                                                            \
        *to = (label){to_g, cell, open};                                                                           \
        if (cell + (uint32_t)(pitch * (dy) + (dx)) == goal) { /* never pushed: it would not be expanded */         \
          to->stamp = closed;                                                                                      \
          best = to_g;                                                                                             \
          q.ring.last = ring_number(&q.ring, best);                                                                \
        } else {                                                                                                   \
          queue_push(&q, (xy + (uint32_t)(dy) * (1u << SIDE_BITS) + (uint32_t)(dx)) | (uint32_t)(way) << 28, key); \
        }                                                                                                          \
      }                                                                                                            \
    }                                                                                                              \
  }
#define IS_OPEN(offset) (here[offset] < INFINITY)
    LOOK_ROUND(entry >> 28);
#undef IS_OPEN
#undef LOOK
  }
  m->queue = q;
  m->settled += settled;
  m->path = m->path_buffer + m->padded;
  if (best < INFINITY)
    for (uint32_t cell = goal; cell != NONE; cell = labels[cell].parent) *--m->path = cell;
  return best;
}

/* ---- All to one -----------------------------------------------------------------------------
 * The costs from every cell to `goal`. A step against the direction of travel costs what stepping onto the present cell costs,
 * which is known before its neighbours are visited. There are no stamps, because all costs are set first: to ∞, and for closed
 * cells to less than any cost. `ways` has the direction to the parent of each cell. */
static uint64_t search_field(map *m, uint32_t goal) {
  const int pitch = (int)m->pitch;
  const float *weights = m->weights;
  double *costs = m->costs;
  uint8_t *ways = m->ways;
  uint64_t settled = 0;
  queue q = m->queue;
  for (uint32_t i = 0; i < m->padded; i++) costs[i] = weights[i] < INFINITY ? INFINITY : -INFINITY;
  queue_reset(&q, 0.0);
  costs[goal] = 0.0;
  ways[goal] = START | UNDONE;
  queue_push(&q, goal, 0.0);

  for (bucket *b; (b = queue_first(&q));) {
    const uint32_t cell = b->items[--b->count];
    const uint8_t reached = ways[cell];
    if (!(reached & UNDONE)) continue;
    ways[cell] = reached & ~UNDONE;
    settled++;
    double *here = &costs[cell];
    const double straight = *here + weights[cell], straight_slack = straight + m->slack;
    const double diagonal = *here + DIAGONAL * weights[cell], diagonal_slack = diagonal + m->slack;
#define LOOK(way, dx, dy, length)                                                         \
  {                                                                                       \
    if (((length) > 1.0 ? diagonal_slack : straight_slack) < here[pitch * (dy) + (dx)]) { \
      const uint32_t to = cell + (uint32_t)(pitch * (dy) + (dx));                         \
      const double cost = (length) > 1.0 ? diagonal : straight;                           \
      costs[to] = cost;                                                                   \
      ways[to] = (way) | UNDONE;                                                          \
      queue_push(&q, to, cost);                                                           \
    }                                                                                     \
  }
#define IS_OPEN(offset) (here[offset] >= 0.0)
    LOOK_ROUND(reached & ~UNDONE);
#undef IS_OPEN
#undef LOOK
  }
  m->queue = q;
  return settled;
}

/* ---- A simple Dijkstra with a heap, to check both --------------------------------------------- */
static double plain_dijkstra(map *m, uint32_t start, uint32_t goal, bool backwards) {
  const int pitch = (int)m->pitch;
  for (uint32_t i = 0; i < m->padded; i++) m->costs[i] = INFINITY;
  memset(m->ways, 0, m->padded);
  heap_reset(&m->heap, 0.0);
  m->costs[start] = 0.0;
  heap_push(&m->heap, start, 0.0);
  for (uint32_t cell; (cell = heap_pop(&m->heap)) != NONE && cell != goal;) {
    if (m->ways[cell]) continue;
    m->ways[cell] = 1;
    const float *weight = &m->weights[cell];
    for (int i = 0; i < 8; i++) {
      const int row = step_y[i] * pitch, offset = row + step_x[i];
      if (weight[offset] == INFINITY || weight[row] == INFINITY || weight[step_x[i]] == INFINITY) continue;
      const uint32_t to = cell + (uint32_t)offset;
      const double cost = m->costs[cell] + (i >= NW ? DIAGONAL : 1.0) * weight[backwards ? 0 : offset];
      if (!(cost < m->costs[to])) continue;
      m->costs[to] = cost;
      heap_push(&m->heap, to, cost);
    }
  }
  m->queue.failed |= m->heap.failed;
  return goal == NONE ? 0.0 : m->costs[goal];
}

static double path_plainly(map *m, const uint32_t *trip) {
  return plain_dijkstra(m, trip[1] * m->pitch + trip[0], trip[3] * m->pitch + trip[2], false);
}
static uint64_t field_plainly(map *m, uint32_t goal) {
  plain_dijkstra(m, goal, NONE, true);
  return 0;
}

static const char *const kernel_names[] = {"flat", "dijkstra", NULL};
static double (*const path_kernels[])(map *, const uint32_t *) = {search_path, path_plainly};
static uint64_t (*const field_kernels[])(map *, uint32_t) = {search_field, field_plainly};

/* ---- The map as a userdata ------------------------------------------------------------------- */
#define MAP_TYPE "wend.bench.ReferenceGrid"

static map *check_map(lua_State *L) { return luaL_checkudata(L, 1, MAP_TYPE); }

static int map_gc(lua_State *L) {
  map *m = check_map(L);
  if (m->queue.slots)
    for (uint32_t i = 0; i < m->queue.ring.size; i++) free(m->queue.slots[i].items);
  free(m->queue.slots);
  free(m->heap.memory);
  free(m->weights);
  free(m->labels);
  free(m->path_buffer);
  free(m->costs);
  free(m->ways);
  memset(m, 0, sizeof *m);
  return 0;
}

static void *checked_calloc(lua_State *L, size_t count, size_t bytes) {
  void *memory = calloc(count, bytes);
  if (!memory) luaL_error(L, "out of memory");
  return memory;
}

static void check_memory(lua_State *L, map *m) {
  bool failed = m->queue.failed;
  m->queue.failed = m->heap.failed = false;
  if (failed) luaL_error(L, "out of memory");
}

/* The slack, as a share of the cheapest step. Where all cells cost the same, many paths of the same cost lead to a cell, with
 * sums that differ in the last bits. Without the slack, up to two thirds of all expansions are useless repeats. Each step costs
 * at least the cheapest one, so the error of a cost is at most this share of it. */
static const double SLACK = 1e-10;

/* The width of a bucket, in mean weights. Half the width gains nothing, twice the width costs 2 %. */
static const double USUAL_WIDTH = 0.2;

/* map(width, height, weights) -> map
 * Weights row by row; math.huge: closed. */
static int reference_map(lua_State *L) {
  lua_Integer width = luaL_checkinteger(L, 1), height = luaL_checkinteger(L, 2);
  luaL_argcheck(L, width >= 1 && width <= SIDE_MOST, 1, "out of range");
  luaL_argcheck(L, height >= 1 && height <= SIDE_MOST, 2, "out of range");
  luaL_checktype(L, 3, LUA_TTABLE);
  map *m = lua_newuserdatauv(L, sizeof *m, 0);
  memset(m, 0, sizeof *m);
  luaL_setmetatable(L, MAP_TYPE);
  m->width = (uint32_t)width;
  m->height = (uint32_t)height;
  m->pitch = m->width + 1;
  m->padded = m->pitch * (m->height + 2) + 1;
  m->weights = checked_calloc(L, m->padded, sizeof *m->weights);
  m->labels = checked_calloc(L, m->padded, sizeof *m->labels);
  m->path_buffer = checked_calloc(L, m->padded, sizeof *m->path_buffer);
  m->costs = checked_calloc(L, m->padded, sizeof *m->costs);
  m->ways = checked_calloc(L, m->padded, sizeof *m->ways);
  for (uint32_t i = 0; i < m->padded; i++) m->weights[i] = INFINITY;
  double sum = 0;
  lua_Integer open_count = 0;
  m->least_weight = INFINITY;
  for (lua_Integer i = 0; i < width * height; i++) {
    lua_rawgeti(L, 3, i + 1);
    double weight = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    if (weight == INFINITY) continue;
    if (!(weight > 0) || (float)weight != weight) return luaL_error(L, "weight %f is not for here", weight);
    m->weights[(i / width + 1) * m->pitch + i % width + 1] = (float)weight;
    sum += weight;
    open_count++;
    if (weight < m->least_weight) m->least_weight = weight;
    if (weight > m->most_weight) m->most_weight = weight;
  }
  if (open_count == 0) return luaL_error(L, "no open cell");
  m->mean_weight = sum / (double)open_count;
  m->slack = SLACK * m->least_weight;

  /* A step raises the key by its cost and, if it leads away from the goal, by the greater remaining distance. */
  double bucket_width = m->mean_weight * USUAL_WIDTH;
  double reach = DIAGONAL * (m->most_weight + m->least_weight) / bucket_width + 3;
  uint32_t size = 64;
  while (size < reach) size *= 2;
  if (size > RING_SLOTS_MOST) return luaL_error(L, "weights are too far apart");
  m->queue.ring = (ring){.per_width = 1 / bucket_width, .highest = -1, .size = size, .mask = size - 1};
  m->queue.slots = checked_calloc(L, size, sizeof *m->queue.slots);
  return 1;
}

static uint32_t check_side(lua_State *L, lua_Integer value, uint32_t most) {
  if (value < 1 || value > most) luaL_error(L, "no cell at %I", (LUAI_UACINT)value);
  return (uint32_t)value;
}

/* Reads the flat list of x1, y1, x2, y2 at 2. Leaves a copy of it on the stack. */
static uint32_t *check_trips(lua_State *L, const map *m, lua_Integer *trip_count) {
  luaL_checktype(L, 2, LUA_TTABLE);
  *trip_count = (lua_Integer)lua_rawlen(L, 2) / 4;
  uint32_t *trips = lua_newuserdatauv(L, (size_t)(4 * *trip_count + 1) * sizeof *trips, 0);
  for (lua_Integer i = 0; i < 4 * *trip_count; i++) {
    lua_rawgeti(L, 2, i + 1);
    trips[i] = check_side(L, luaL_checkinteger(L, -1), i % 2 ? m->height : m->width);
    lua_pop(L, 1);
  }
  return trips;
}

/* m:run(trips[, kernel[, repeats]]) -> sum of the costs, cells settled; both of one round */
static int map_run(lua_State *L) {
  map *m = check_map(L);
  int kernel = luaL_checkoption(L, 3, "flat", kernel_names);
  lua_Integer repeats = luaL_optinteger(L, 4, 1), trip_count;
  luaL_argcheck(L, repeats > 0, 4, "must be positive");
  const uint32_t *trips = check_trips(L, m, &trip_count);
  double total = 0;
  m->settled = 0;
  for (lua_Integer round = 0; round < repeats; round++) {
    total = 0;
    for (lua_Integer i = 0; i < trip_count; i++) {
      double cost = path_kernels[kernel](m, trips + 4 * i);
      if (cost < INFINITY) total += cost;
    }
  }
  check_memory(L, m);
  lua_pushnumber(L, total);
  lua_pushinteger(L, (lua_Integer)(m->settled / (uint64_t)repeats));
  return 2;
}

/* m:costs(trips[, kernel]) -> list of costs; math.huge where there is no path */
static int map_costs(lua_State *L) {
  map *m = check_map(L);
  int kernel = luaL_checkoption(L, 3, "flat", kernel_names);
  lua_Integer trip_count;
  const uint32_t *trips = check_trips(L, m, &trip_count);
  lua_createtable(L, (int)trip_count, 0);
  for (lua_Integer i = 0; i < trip_count; i++) {
    lua_pushnumber(L, path_kernels[kernel](m, trips + 4 * i));
    lua_rawseti(L, -2, i + 1);
  }
  check_memory(L, m);
  return 1;
}

static uint32_t check_cell(lua_State *L, const map *m) {
  uint32_t x = check_side(L, luaL_checkinteger(L, 2), m->width);
  return check_side(L, luaL_checkinteger(L, 3), m->height) * m->pitch + x;
}

/* m:field(x, y[, kernel[, repeats]]) -> cells settled */
static int map_field(lua_State *L) {
  map *m = check_map(L);
  uint32_t goal = check_cell(L, m);
  int kernel = luaL_checkoption(L, 4, "flat", kernel_names);
  uint64_t settled = 0;
  for (lua_Integer repeats = luaL_optinteger(L, 5, 1); repeats > 0; repeats--) settled = field_kernels[kernel](m, goal);
  check_memory(L, m);
  lua_pushinteger(L, (lua_Integer)settled);
  return 1;
}

/* m:field_costs(x, y[, kernel]) -> the costs from all cells to this one, row by row; math.huge: it cannot be reached */
static int map_field_costs(lua_State *L) {
  map *m = check_map(L);
  uint32_t goal = check_cell(L, m);
  field_kernels[luaL_checkoption(L, 4, "flat", kernel_names)](m, goal);
  check_memory(L, m);
  lua_createtable(L, (int)(m->width * m->height), 0);
  lua_Integer i = 0;
  for (uint32_t y = 1; y <= m->height; y++) {
    for (uint32_t x = 1; x <= m->width; x++) {
      double cost = m->costs[y * m->pitch + x];
      lua_pushnumber(L, cost < 0 ? INFINITY : cost);
      lua_rawseti(L, -2, ++i);
    }
  }
  return 1;
}

static const luaL_Reg map_methods[] = {
    {"run", map_run}, {"costs", map_costs}, {"field", map_field}, {"field_costs", map_field_costs}, {NULL, NULL},
};
static const luaL_Reg functions[] = {{"map", reference_map}, {NULL, NULL}};

LUAMOD_API int luaopen_wend_bench_reference_grid(lua_State *L) {
  luaL_newmetatable(L, MAP_TYPE);
  lua_pushcfunction(L, map_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, map_methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
