/* SPDX-License-Identifier: MIT */
/* wend_bench_reference_nearest: the yardsticks for finding what is near and what is in the way, in plain C on flat arrays.
 *
 *   scan   tests every item, from the first to the last
 *   tree   a k-d tree for points: split at the median along the widest side, leaves of at most 8
 *
 *              1            node i has the children 2i and 2i + 1. The points below a node are
 *          2       3        consecutive. Their ranges need not be stored: the search halves
 *        4   5   6   7      them on its way down.
 *
 * Of equally near items the one with the smallest id counts. Squares of distances are compared.
 */
#include <lauxlib.h>
#include <lua.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
  LEAF_MOST = 8,
  NEAREST_MOST = 64, /* the largest k */
  DEPTH_MOST = 64
};

/* The k nearest so far, nearest first. */
typedef struct {
  double squares[NEAREST_MOST];
  uint32_t ids[NEAREST_MOST];
  uint32_t found;
} best;

INLINE double worst(const best *b, uint32_t k) { return b->found < k ? INFINITY : b->squares[k - 1]; }

INLINE void offer(best *b, uint32_t k, double square, uint32_t id) {
  if (b->found == k && (square > b->squares[k - 1] || (square == b->squares[k - 1] && id > b->ids[k - 1]))) return;
  uint32_t at = b->found < k ? b->found++ : k - 1;
  for (; at > 0 && (b->squares[at - 1] > square || (b->squares[at - 1] == square && b->ids[at - 1] > id)); at--) {
    b->squares[at] = b->squares[at - 1];
    b->ids[at] = b->ids[at - 1];
  }
  b->squares[at] = square;
  b->ids[at] = id;
}

INLINE double square_between(const double *p, const double *q, int dimensions) {
  double x = p[0] - q[0], y = p[1] - q[1];
  double square = x * x + y * y;
  if (dimensions == 3) {
    double z = p[2] - q[2];
    square += z * z;
  }
  return square;
}

/* ---- Points -------------------------------------------------------------------------------- */
#define POINTS_TYPE "wend.bench.Points"

typedef struct {
  uint32_t count, split_count;
  int dimensions;
  double *at; /* in the order given */
  /* the tree: the points in its order, their ids, and where its nodes are split */
  double *sorted;
  uint32_t *ids;
  double *cuts;
  uint8_t *axes;
} points;

typedef void (*nearest_function)(const points *, const double *, uint32_t, best *);

INLINE void scan_points(const points *p, const double *from, uint32_t k, best *b, int dimensions) {
  b->found = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    double square = square_between(p->at + (size_t)i * (size_t)dimensions, from, dimensions);
    if (square < worst(b, k)) offer(b, k, square, i);
  }
}

typedef struct {
  double bound, off[3]; /* a lower bound of the distance of its points, squared; and along each axis */
  uint32_t node, first, last;
} part;

INLINE void search_tree(const points *p, const double *from, uint32_t k, best *b, int dimensions) {
  part waiting[DEPTH_MOST], now = {.node = 1, .last = p->count};
  int count = 0;
  b->found = 0;
  for (;;) {
    while (now.last - now.first > LEAF_MOST) {
      const int axis = p->axes[now.node];
      const uint32_t middle = now.first + (now.last - now.first) / 2;
      const double off = from[axis] - p->cuts[now.node];
      part other = now;
      other.off[axis] = off;
      other.bound = now.bound - now.off[axis] * now.off[axis] + off * off;
      now.node *= 2;
      other.node = now.node + 1;
      if (off < 0) {
        now.last = other.first = middle;
      } else {
        other.node = now.node++;
        now.first = other.last = middle;
      }
      if (other.bound <= worst(b, k)) waiting[count++] = other;
    }
    for (uint32_t i = now.first; i < now.last; i++) {
      double square = square_between(p->sorted + (size_t)i * (size_t)dimensions, from, dimensions);
      if (square <= worst(b, k)) offer(b, k, square, p->ids[i]);
    }
    do {
      if (count == 0) return;
      now = waiting[--count];
    } while (now.bound > worst(b, k) * (1 + 1e-12)); /* bounds are rounded */
  }
}

static void scan_2(const points *p, const double *f, uint32_t k, best *b) { scan_points(p, f, k, b, 2); }
static void scan_3(const points *p, const double *f, uint32_t k, best *b) { scan_points(p, f, k, b, 3); }
static void scan_one_2(const points *p, const double *f, uint32_t k, best *b) { (void)k, scan_points(p, f, 1, b, 2); }
static void scan_one_3(const points *p, const double *f, uint32_t k, best *b) { (void)k, scan_points(p, f, 1, b, 3); }
static void tree_2(const points *p, const double *f, uint32_t k, best *b) { search_tree(p, f, k, b, 2); }
static void tree_3(const points *p, const double *f, uint32_t k, best *b) { search_tree(p, f, k, b, 3); }
static void tree_one_2(const points *p, const double *f, uint32_t k, best *b) { (void)k, search_tree(p, f, 1, b, 2); }
static void tree_one_3(const points *p, const double *f, uint32_t k, best *b) { (void)k, search_tree(p, f, 1, b, 3); }

static nearest_function function_of(const points *p, bool tree, uint32_t k) {
  static const nearest_function functions[2][2][2] = {
      {{scan_2, scan_3}, {scan_one_2, scan_one_3}},
      {{tree_2, tree_3}, {tree_one_2, tree_one_3}},
  };
  return functions[tree][k == 1][p->dimensions == 3];
}

static void swap_points(points *p, uint32_t i, uint32_t j) {
  const size_t dimensions = (size_t)p->dimensions;
  for (size_t d = 0; d < dimensions; d++) {
    double swap = p->sorted[i * dimensions + d];
    p->sorted[i * dimensions + d] = p->sorted[j * dimensions + d];
    p->sorted[j * dimensions + d] = swap;
  }
  uint32_t swap = p->ids[i];
  p->ids[i] = p->ids[j];
  p->ids[j] = swap;
}

/* Moves the median to `middle`, lesser points before it and greater ones behind it: C. Hoare, "Algorithm 65: find" (1961). */
static void select_median(points *p, uint32_t first, uint32_t last, uint32_t middle, int axis) {
  const size_t dimensions = (size_t)p->dimensions;
  int64_t low = first, high = (int64_t)last - 1;
  while (low < high) {
    const double pivot = p->sorted[(size_t)(low + (high - low) / 2) * dimensions + (size_t)axis];
    int64_t i = low, j = high;
    while (i <= j) {
      while (p->sorted[(size_t)i * dimensions + (size_t)axis] < pivot) i++;
      while (p->sorted[(size_t)j * dimensions + (size_t)axis] > pivot) j--;
      if (i > j) break;
      swap_points(p, (uint32_t)i++, (uint32_t)j--);
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

static void build_part(points *p, uint32_t node, uint32_t first, uint32_t last) {
  if (last - first <= LEAF_MOST) return;
  const size_t dimensions = (size_t)p->dimensions;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = first; i < last; i++) {
    for (size_t d = 0; d < dimensions; d++) {
      double value = p->sorted[i * dimensions + d];
      if (value < low[d]) low[d] = value;
      if (value > high[d]) high[d] = value;
    }
  }
  size_t axis = 0;
  for (size_t d = 1; d < dimensions; d++)
    if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
  const uint32_t middle = first + (last - first) / 2;
  select_median(p, first, last, middle, (int)axis);
  p->axes[node] = (uint8_t)axis;
  p->cuts[node] = p->sorted[middle * dimensions + axis];
  build_part(p, 2 * node, first, middle);
  build_part(p, 2 * node + 1, middle, last);
}

static void build(points *p) {
  memcpy(p->sorted, p->at, (size_t)p->count * (size_t)p->dimensions * sizeof *p->at);
  for (uint32_t i = 0; i < p->count; i++) p->ids[i] = i;
  build_part(p, 1, 0, p->count);
}

/* ---- Lua: lists in and out ----------------------------------------------------------------- */
static void *check_memory(lua_State *L, void *memory) {
  if (!memory) luaL_error(L, "out of memory");
  return memory;
}

/* The numbers of a list, in a userdata that stays on the stack. */
static double *check_numbers(lua_State *L, int list, size_t *count) {
  luaL_checktype(L, list, LUA_TTABLE);
  *count = lua_rawlen(L, list);
  double *numbers = lua_newuserdatauv(L, (*count + 1) * sizeof *numbers, 0);
  for (size_t i = 0; i < *count; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    numbers[i] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  return numbers;
}

static points *check_points(lua_State *L) { return luaL_checkudata(L, 1, POINTS_TYPE); }

static int points_gc(lua_State *L) {
  points *p = check_points(L);
  free(p->at);
  free(p->sorted);
  free(p->ids);
  free(p->cuts);
  free(p->axes);
  memset(p, 0, sizeof *p);
  return 0;
}

/* points(dimensions, list) -> points */
static int reference_points(lua_State *L) {
  const int dimensions = (int)luaL_checkinteger(L, 1);
  luaL_argcheck(L, dimensions == 2 || dimensions == 3, 1, "must be 2 or 3");
  size_t number_count;
  double *numbers = check_numbers(L, 2, &number_count);
  points *p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (points){.dimensions = dimensions, .count = (uint32_t)(number_count / (size_t)dimensions)};
  luaL_argcheck(L, p->count >= 1, 2, "must not be empty");
  luaL_setmetatable(L, POINTS_TYPE);
  p->split_count = 2;
  while (p->split_count * (LEAF_MOST / 2) < p->count) p->split_count *= 2;
  p->at = check_memory(L, malloc(number_count * sizeof *p->at));
  p->sorted = check_memory(L, malloc(number_count * sizeof *p->sorted));
  p->ids = check_memory(L, malloc(p->count * sizeof *p->ids));
  p->cuts = check_memory(L, malloc(p->split_count * sizeof *p->cuts));
  p->axes = check_memory(L, malloc(p->split_count));
  memcpy(p->at, numbers, number_count * sizeof *p->at);
  build(p);
  return 1;
}

/* p:build(repeats): builds the tree again */
static int points_build(lua_State *L) {
  points *p = check_points(L);
  for (lua_Integer i = luaL_optinteger(L, 2, 1); i > 0; i--) build(p);
  return 0;
}

static bool check_tree(lua_State *L, int arg) {
  static const char *const names[] = {"scan", "tree", NULL};
  return luaL_checkoption(L, arg, "scan", names) == 1;
}

/* p:nearest(x, y[, z]) -> id, distance: by the tree, with one call for each place, as wend is called */
static int points_nearest(lua_State *L) {
  const points *p = check_points(L);
  double from[3] = {luaL_checknumber(L, 2), luaL_checknumber(L, 3), 0};
  if (p->dimensions == 3) from[2] = luaL_checknumber(L, 4);
  best b;
  function_of(p, true, 1)(p, from, 1, &b);
  lua_pushinteger(L, (lua_Integer)b.ids[0] + 1);
  lua_pushnumber(L, sqrt(b.squares[0]));
  return 2;
}

static uint32_t check_k(lua_State *L, int arg) {
  lua_Integer k = luaL_optinteger(L, arg, 1);
  luaL_argcheck(L, k >= 1 && k <= NEAREST_MOST, arg, "out of range");
  return (uint32_t)k;
}

/* p:run(places, how, k, repeats) -> sum of the ids: of all places of a flat list, in one call */
static int points_run(lua_State *L) {
  const points *p = check_points(L);
  const bool tree = check_tree(L, 3);
  const uint32_t k = check_k(L, 4);
  const lua_Integer repeats = luaL_optinteger(L, 5, 1);
  size_t number_count;
  const double *from = check_numbers(L, 2, &number_count);
  const nearest_function nearest = function_of(p, tree, k);
  uint64_t sum = 0;
  for (lua_Integer i = 0; i < repeats; i++) {
    for (size_t at = 0; at < number_count; at += (size_t)p->dimensions) {
      best b;
      nearest(p, from + at, k, &b);
      for (uint32_t n = 0; n < b.found; n++) sum += b.ids[n] + 1;
    }
  }
  lua_pushinteger(L, (lua_Integer)sum);
  return 1;
}

/* p:answers(places, how, k) -> ids, distances: flat lists, k of each for each place */
static int points_answers(lua_State *L) {
  const points *p = check_points(L);
  const bool tree = check_tree(L, 3);
  const uint32_t k = check_k(L, 4);
  size_t number_count;
  const double *from = check_numbers(L, 2, &number_count);
  lua_newtable(L);
  lua_newtable(L);
  lua_Integer count = 0;
  for (size_t at = 0; at < number_count; at += (size_t)p->dimensions) {
    best b;
    function_of(p, tree, k)(p, from + at, k, &b);
    for (uint32_t n = 0; n < b.found; n++) {
      lua_pushinteger(L, (lua_Integer)b.ids[n] + 1);
      lua_rawseti(L, -3, ++count);
      lua_pushnumber(L, sqrt(b.squares[n]));
      lua_rawseti(L, -2, count);
    }
  }
  return 2;
}

/* p:distance(id, x, y[, z]) */
static int points_distance(lua_State *L) {
  const points *p = check_points(L);
  const lua_Integer id = luaL_checkinteger(L, 2);
  luaL_argcheck(L, id >= 1 && id <= p->count, 2, "no such point");
  double from[3] = {luaL_checknumber(L, 3), luaL_checknumber(L, 4), luaL_optnumber(L, 5, 0)};
  lua_pushnumber(L, sqrt(square_between(p->at + (id - 1) * p->dimensions, from, p->dimensions)));
  return 1;
}

/* ---- Segments ------------------------------------------------------------------------------ */
#define SEGMENTS_TYPE "wend.bench.Segments"

typedef struct {
  uint32_t count;
  int dimensions;
  double *at; /* both ends of each */
} segments;

static segments *check_segments(lua_State *L) { return luaL_checkudata(L, 1, SEGMENTS_TYPE); }

static int segments_gc(lua_State *L) {
  segments *s = check_segments(L);
  free(s->at);
  memset(s, 0, sizeof *s);
  return 0;
}

/* segments(dimensions, list) -> segments; the list has both ends of each */
static int reference_segments(lua_State *L) {
  const int dimensions = (int)luaL_checkinteger(L, 1);
  luaL_argcheck(L, dimensions == 2 || dimensions == 3, 1, "must be 2 or 3");
  size_t number_count;
  double *numbers = check_numbers(L, 2, &number_count);
  segments *s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = (segments){.dimensions = dimensions, .count = (uint32_t)(number_count / (2 * (size_t)dimensions))};
  luaL_setmetatable(L, SEGMENTS_TYPE);
  s->at = check_memory(L, malloc((number_count + 1) * sizeof *s->at));
  memcpy(s->at, numbers, number_count * sizeof *s->at);
  return 1;
}

/* The distance of a point from the segment from `a` to `b`, squared. */
INLINE double square_to_segment(const double *a, const double *b, const double *p, int dimensions) {
  double along = 0, length2 = 0, nearest[3];
  for (int d = 0; d < dimensions; d++) {
    along += (p[d] - a[d]) * (b[d] - a[d]);
    length2 += (b[d] - a[d]) * (b[d] - a[d]);
  }
  if (along <= 0) return square_between(p, a, dimensions);
  if (along >= length2) return square_between(p, b, dimensions);
  for (int d = 0; d < dimensions; d++) nearest[d] = a[d] + along / length2 * (b[d] - a[d]);
  return square_between(p, nearest, dimensions);
}

INLINE double square_to(const segments *s, uint32_t i, const double *p, int dimensions) {
  const double *a = s->at + 2 * (size_t)i * (size_t)dimensions;
  return square_to_segment(a, a + dimensions, p, dimensions);
}

INLINE uint32_t scan_segments(const segments *s, const double *p, double *square, int dimensions) {
  uint32_t nearest = 0;
  *square = INFINITY;
  for (uint32_t i = 0; i < s->count; i++) {
    double this_one = square_to(s, i, p, dimensions);
    if (this_one < *square) {
      *square = this_one;
      nearest = i;
    }
  }
  return nearest;
}

static uint32_t nearest_segment(const segments *s, const double *p, double *square) {
  return s->dimensions == 3 ? scan_segments(s, p, square, 3) : scan_segments(s, p, square, 2);
}

/* s:run(places, repeats) -> sum of the ids of the nearest */
static int segments_run(lua_State *L) {
  const segments *s = check_segments(L);
  const lua_Integer repeats = luaL_optinteger(L, 3, 1);
  size_t number_count;
  const double *from = check_numbers(L, 2, &number_count);
  uint64_t sum = 0;
  double square;
  for (lua_Integer i = 0; i < repeats; i++)
    for (size_t at = 0; at < number_count; at += (size_t)s->dimensions) sum += nearest_segment(s, from + at, &square) + 1;
  lua_pushinteger(L, (lua_Integer)sum);
  return 1;
}

/* s:answers(places) -> ids, distances */
static int segments_answers(lua_State *L) {
  const segments *s = check_segments(L);
  size_t number_count;
  const double *from = check_numbers(L, 2, &number_count);
  lua_newtable(L);
  lua_newtable(L);
  lua_Integer count = 0;
  for (size_t at = 0; at < number_count; at += (size_t)s->dimensions) {
    double square;
    lua_pushinteger(L, (lua_Integer)nearest_segment(s, from + at, &square) + 1);
    lua_rawseti(L, -3, ++count);
    lua_pushnumber(L, sqrt(square));
    lua_rawseti(L, -2, count);
  }
  return 2;
}

/* s:distance(id, x, y[, z]) */
static int segments_distance(lua_State *L) {
  const segments *s = check_segments(L);
  const lua_Integer id = luaL_checkinteger(L, 2);
  luaL_argcheck(L, id >= 1 && id <= s->count, 2, "no such segment");
  double from[3] = {luaL_checknumber(L, 3), luaL_checknumber(L, 4), luaL_optnumber(L, 5, 0)};
  lua_pushnumber(L, sqrt(square_to(s, (uint32_t)id - 1, from, s->dimensions)));
  return 1;
}

/* ---- Lines between segments ---------------------------------------------------------------- */

/* The side of the line from `a` to `b` that a point is on: the sign of the result. */
INLINE double side(const double *a, const double *b, const double *p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* Whether the line does not touch the segment. If two segments cross, the ends of each are on
 * both sides of the other. If they do not, they are nearest at an end of one of them. */
INLINE bool line_clears(const double *line, const double *wall) {
  /* most segments are far away */
  const double left = fmin(line[0], line[2]), right = fmax(line[0], line[2]);
  const double low = fmin(line[1], line[3]), high = fmax(line[1], line[3]);
  if ((wall[0] < left && wall[2] < left) || (wall[0] > right && wall[2] > right)) return true;
  if ((wall[1] < low && wall[3] < low) || (wall[1] > high && wall[3] > high)) return true;
  const double s = side(line, line + 2, wall), t = side(line, line + 2, wall + 2);
  if (s != 0 && t != 0 && (s < 0) != (t < 0)) {
    const double u = side(wall, wall + 2, line), v = side(wall, wall + 2, line + 2);
    if (u == 0 || v == 0 || (u < 0) != (v < 0)) return false;
  }
  return square_to_segment(line, line + 2, wall, 2) > 0 && square_to_segment(line, line + 2, wall + 2, 2) > 0 &&
         square_to_segment(wall, wall + 2, line, 2) > 0 && square_to_segment(wall, wall + 2, line + 2, 2) > 0;
}

static bool is_clear(const segments *s, const double *line) {
  for (uint32_t i = 0; i < s->count; i++)
    if (!line_clears(line, s->at + 4 * (size_t)i)) return false;
  return true;
}

/* s:clear(lines, repeats) -> how many lines are clear; lines: x1, y1, x2, y2, x1, … */
static int segments_clear(lua_State *L) {
  const segments *s = check_segments(L);
  luaL_argcheck(L, s->dimensions == 2, 1, "2 dimensions wanted");
  const lua_Integer repeats = luaL_optinteger(L, 3, 1);
  size_t number_count;
  const double *lines = check_numbers(L, 2, &number_count);
  lua_Integer count = 0;
  for (lua_Integer i = 0; i < repeats; i++)
    for (size_t at = 0; at < number_count; at += 4) count += is_clear(s, lines + at);
  lua_pushinteger(L, count / repeats);
  return 1;
}

/* s:clear_list(lines) -> list of booleans */
static int segments_clear_list(lua_State *L) {
  const segments *s = check_segments(L);
  luaL_argcheck(L, s->dimensions == 2, 1, "2 dimensions wanted");
  size_t number_count;
  const double *lines = check_numbers(L, 2, &number_count);
  lua_newtable(L);
  for (size_t at = 0; at < number_count; at += 4) {
    lua_pushboolean(L, is_clear(s, lines + at));
    lua_rawseti(L, -2, (lua_Integer)(at / 4) + 1);
  }
  return 1;
}

static const luaL_Reg points_methods[] = {
    {"build", points_build},     {"nearest", points_nearest},   {"run", points_run},
    {"answers", points_answers}, {"distance", points_distance}, {NULL, NULL},
};

static const luaL_Reg segments_methods[] = {
    {"run", segments_run},     {"answers", segments_answers},       {"distance", segments_distance},
    {"clear", segments_clear}, {"clear_list", segments_clear_list}, {NULL, NULL},
};

static const luaL_Reg functions[] = {{"points", reference_points}, {"segments", reference_segments}, {NULL, NULL}};

static void new_type(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc) {
  luaL_newmetatable(L, name);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

LUAMOD_API int luaopen_wend_bench_reference_nearest(lua_State *L) {
  new_type(L, POINTS_TYPE, points_methods, points_gc);
  new_type(L, SEGMENTS_TYPE, segments_methods, segments_gc);
  luaL_newlib(L, functions);
  return 1;
}
