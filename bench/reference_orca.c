/* SPDX-License-Identifier: MIT */
/* wend_bench_reference_orca: the yardstick for crowds, plain ORCA on flat arrays, after J. van den Berg, S. Guy, M. Lin,
 * D. Manocha, "Reciprocal n-body collision avoidance" (2011).
 *
 * Each step, each agent takes the velocity nearest to the preferred one that lies in a half-plane for each neighbour:
 *
 *   1  neighbours: the 10 nearest within 10 radii. Agents are sorted by cells, so that neighbours are near in memory
 *   2  the half-planes: of the least change that avoids a contact within 4 seconds, each takes half
 *   3  a linear program of two dimensions; if nothing is allowed, the velocity that breaks the half-planes least
 *
 * There are no walls, and there is no correction of positions. */
#include <lauxlib.h>
#include <lua.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ORCA_TYPE "wend_bench.Orca"

enum { NEAREST = 10 };

static const double dt = 1.0 / 30, horizon = 4, range_radii = 10, slow_down = 0.3;

typedef struct {
  double x, y;
} vector;

/* What is allowed: velocities v with (v - at) . normal >= 0. */
typedef struct {
  vector at, normal;
} half_plane;

typedef struct {
  vector at, velocity;
  double radius;
  uint32_t agent;
} spot;

typedef struct {
  vector at, velocity, next_velocity, goal;
  double radius, speed;
} agent;

typedef struct {
  agent *agents;
  spot *spots;
  uint32_t *cells, *starts;
  uint32_t count, capacity, wide, high;
  double widest; /* radius */
} crowd;

static vector minus(vector a, vector b) { return (vector){a.x - b.x, a.y - b.y}; }
static vector plus(vector a, vector b, double times) { return (vector){a.x + b.x * times, a.y + b.y * times}; }
static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y; }
static double cross(vector a, vector b) { return a.x * b.y - a.y * b.x; }

/* ---- 1. Neighbours ------------------------------------------------------------------------- */

static uint32_t cell_of(double x, double side) { return (uint32_t)(int64_t)floor(x / side); }

/* Counting sort into cells of half the range, on a torus. */
static void sort_agents(crowd *c, double side) {
  uint32_t total = c->wide * c->high, sum = 0;
  memset(c->starts, 0, (total + 2) * sizeof *c->starts);
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t x = cell_of(c->agents[i].at.x, side) & (c->wide - 1), y = cell_of(c->agents[i].at.y, side) & (c->high - 1);
    c->cells[i] = y * c->wide + x;
    c->starts[c->cells[i] + 2]++;
  }
  for (uint32_t i = 2; i < total + 2; i++) sum += c->starts[i], c->starts[i] = sum;
  for (uint32_t i = 0; i < c->count; i++) {
    agent *a = &c->agents[i];
    c->spots[c->starts[c->cells[i] + 1]++] = (spot){a->at, a->velocity, a->radius, i};
  }
}

typedef struct {
  double squares[NEAREST];
  const spot *spots[NEAREST];
  int count;
} neighbours;

static void scan_cells(const crowd *c, uint32_t from, uint32_t to, const spot *me, double most, neighbours *near) {
  for (uint32_t i = c->starts[from]; i < c->starts[to + 1]; i++) {
    const spot *b = &c->spots[i];
    vector gap = minus(b->at, me->at);
    double square = dot(gap, gap);
    int at = near->count;
    if (square >= most || b == me) continue;
    if (at == NEAREST) {
      if (square >= near->squares[NEAREST - 1]) continue;
      at--;
    } else near->count++;
    for (; at > 0 && near->squares[at - 1] > square; at--) {
      near->squares[at] = near->squares[at - 1], near->spots[at] = near->spots[at - 1];
    }
    near->squares[at] = square, near->spots[at] = b;
  }
}

static void find_neighbours(const crowd *c, const spot *me, double side, neighbours *near) {
  double range = range_radii * me->radius;
  int64_t left = (int64_t)floor((me->at.x - range) / side), right = (int64_t)floor((me->at.x + range) / side);
  int64_t top = (int64_t)floor((me->at.y - range) / side), bottom = (int64_t)floor((me->at.y + range) / side);
  uint32_t l = (uint32_t)left & (c->wide - 1), r = (uint32_t)right & (c->wide - 1);
  near->count = 0;
  for (int64_t y = top; y <= bottom; y++) {
    uint32_t row = ((uint32_t)y & (c->high - 1)) * c->wide;
    if (l <= r) {
      scan_cells(c, row + l, row + r, me, range * range, near);
    } else {
      scan_cells(c, row, row + r, me, range * range, near);
      scan_cells(c, row + l, row + c->wide - 1, me, range * range, near);
    }
  }
}

/* ---- 2. Half-planes ------------------------------------------------------------------------ */

/* The velocity obstacle is a cone with its apex at zero and around the disc at `gap` / time, cut off by that disc. u is the
 * way from the relative velocity to the nearest point of its boundary. */
static half_plane line_of_agent(const spot *a, const spot *b) {
  vector gap = minus(b->at, a->at), relative = minus(a->velocity, b->velocity), u;
  double sum = a->radius + b->radius, square = dot(gap, gap);
  double time = square > sum * sum ? horizon : dt; /* in contact: apart by the next step */
  vector out = plus(relative, gap, -1 / time);     /* from the centre of the disc */
  double toward = dot(out, gap), length = sqrt(dot(out, out));
  half_plane line;
  if (square <= sum * sum || (toward < 0 && toward * toward > sum * sum * length * length)) { /* the disc */
    if (length == 0) line.normal = (vector){0, 1};
    else line.normal = (vector){out.x / length, out.y / length};
    u = plus((vector){0, 0}, line.normal, sum / time - length);
  } else { /* a tangent from the apex to the disc, on the side of the relative velocity */
    double leg = sqrt(square - sum * sum) / square, turn = sum / square;
    double side = cross(gap, out) > 0 ? 1 : -1;
    vector tangent = {gap.x * leg - side * gap.y * turn, gap.y * leg + side * gap.x * turn};
    line.normal = (vector){-side * tangent.y, side * tangent.x};
    u = plus((vector){0, 0}, line.normal, -dot(relative, line.normal));
  }
  line.at = plus(a->velocity, u, 0.5);
  return line;
}

/* ---- 3. The linear program ------------------------------------------------------------------ */

/* The part of the border of half-plane `i` that lies in the disc of radius `most` and in the half-planes before it: from
 * at + from * along to at + to * along. False: nothing. */
static bool clip_border(const half_plane *lines, int i, double most, vector *along, double *from, double *to) {
  const half_plane *line = &lines[i];
  double middle, reach;
  *along = (vector){line->normal.y, -line->normal.x};
  middle = dot(line->at, *along), reach = middle * middle + most * most - dot(line->at, line->at);
  if (reach < 0) return false;
  reach = sqrt(reach), *from = -middle - reach, *to = -middle + reach;
  for (int j = 0; j < i; j++) {
    double slope = dot(*along, lines[j].normal), above = dot(minus(line->at, lines[j].at), lines[j].normal);
    if (fabs(slope) < 1e-9) {
      if (above < 0) return false;
    } else if (slope > 0) {
      *from = fmax(*from, -above / slope);
    } else {
      *to = fmin(*to, -above / slope);
    }
    if (*from > *to) return false;
  }
  return true;
}

/* The velocity in all half-planes and the disc that is nearest to `want`, or farthest in its direction. Returns how many
 * half-planes it is in: all, or the number of the first that leaves nothing. */
static int solve(const half_plane *lines, int count, double most, vector want, bool direction, vector *v) {
  double length = sqrt(dot(want, want));
  if (direction) *v = plus((vector){0, 0}, want, most);
  else *v = length > most ? plus((vector){0, 0}, want, most / length) : want;
  for (int i = 0; i < count; i++) {
    vector along;
    double from, to, t;
    if (dot(minus(*v, lines[i].at), lines[i].normal) >= 0) continue;
    if (!clip_border(lines, i, most, &along, &from, &to)) return i;
    if (direction) t = dot(want, along) > 0 ? to : from;
    else t = fmax(from, fmin(to, dot(minus(want, lines[i].at), along)));
    *v = plus(lines[i].at, along, t);
  }
  return count;
}

/* Where nothing is allowed: the velocity whose depth outside of the half-planes is least. Half-plane i is broken deepest where
 * all others are broken at most as much: those v form half-planes, too. */
static void solve_least(const half_plane *lines, int count, int begin, double most, vector *v) {
  double depth = 0;
  for (int i = begin; i < count; i++) {
    half_plane shallower[NEAREST] = {{{0, 0}, {0, 0}}};
    int shallower_count = 0;
    vector found;
    if (dot(minus(lines[i].at, *v), lines[i].normal) <= depth) continue;
    for (int j = 0; j < i; j++) {
      vector normal = minus(lines[j].normal, lines[i].normal);
      double length = sqrt(dot(normal, normal)), offset;
      if (length < 1e-9) continue; /* parallel, the same way: the nearer one is not deeper anywhere */
      /* (v - at_j) . n_j >= (v - at_i) . n_i */
      offset = (dot(lines[j].at, lines[j].normal) - dot(lines[i].at, lines[i].normal)) / length;
      normal.x /= length, normal.y /= length;
      shallower[shallower_count].normal = normal;
      shallower[shallower_count++].at = plus((vector){0, 0}, normal, offset);
    }
    if (solve(shallower, shallower_count, most, lines[i].normal, true, &found) == shallower_count) *v = found;
    depth = dot(minus(lines[i].at, *v), lines[i].normal);
  }
}

/* ---- Steps --------------------------------------------------------------------------------- */

static void choose_velocity(crowd *c, const spot *me, double side) {
  agent *a = &c->agents[me->agent];
  half_plane lines[NEAREST];
  neighbours near;
  vector want = minus(a->goal, a->at);
  double far = sqrt(dot(want, want));
  int solved;
  if (far > 0) want = plus((vector){0, 0}, want, fmin(a->speed, far / slow_down) / far);
  find_neighbours(c, me, side, &near);
  for (int i = 0; i < near.count; i++) lines[i] = line_of_agent(me, near.spots[i]);
  solved = solve(lines, near.count, a->speed, want, false, &a->next_velocity);
  if (solved < near.count) solve_least(lines, near.count, solved, a->speed, &a->next_velocity);
}

static void step(crowd *c) {
  double side = range_radii * c->widest / 2;
  sort_agents(c, side);
  for (uint32_t i = 0; i < c->count; i++) choose_velocity(c, &c->spots[i], side);
  for (uint32_t i = 0; i < c->count; i++) {
    agent *a = &c->agents[i];
    a->velocity = a->next_velocity;
    a->at = plus(a->at, a->velocity, dt);
  }
}

/* ---- Lua ----------------------------------------------------------------------------------- */

static crowd *check_crowd(lua_State *L) { return luaL_checkudata(L, 1, ORCA_TYPE); }

/* crowd(capacity) -> crowd */
static int orca_crowd(lua_State *L) {
  uint32_t capacity = (uint32_t)luaL_checkinteger(L, 1);
  crowd *c = lua_newuserdata(L, sizeof *c);
  memset(c, 0, sizeof *c);
  luaL_setmetatable(L, ORCA_TYPE);
  c->capacity = capacity, c->wide = c->high = 8;
  while (c->wide * c->high < capacity) *(c->wide <= c->high ? &c->wide : &c->high) *= 2;
  c->agents = malloc(capacity * sizeof *c->agents), c->spots = malloc(capacity * sizeof *c->spots);
  c->cells = malloc(capacity * sizeof *c->cells);
  c->starts = malloc(((size_t)c->wide * c->high + 2) * sizeof *c->starts);
  if (c->agents == NULL || c->spots == NULL || c->cells == NULL || c->starts == NULL) return luaL_error(L, "no memory");
  return 1;
}

static int crowd_gc(lua_State *L) {
  crowd *c = check_crowd(L);
  free(c->agents), free(c->spots), free(c->cells), free(c->starts);
  c->agents = NULL, c->spots = NULL, c->cells = c->starts = NULL, c->count = c->capacity = 0;
  return 0;
}

/* c:add(x, y, radius, speed, goal_x, goal_y) */
static int crowd_add(lua_State *L) {
  crowd *c = check_crowd(L);
  agent *a;
  if (c->count == c->capacity) return luaL_error(L, "too many");
  a = &c->agents[c->count++];
  memset(a, 0, sizeof *a);
  a->at = (vector){luaL_checknumber(L, 2), luaL_checknumber(L, 3)};
  a->radius = luaL_checknumber(L, 4), a->speed = luaL_checknumber(L, 5);
  a->goal = (vector){luaL_checknumber(L, 6), luaL_checknumber(L, 7)};
  c->widest = fmax(c->widest, a->radius);
  return 0;
}

/* c:step(count) */
static int crowd_step(lua_State *L) {
  crowd *c = check_crowd(L);
  for (lua_Integer i = luaL_checkinteger(L, 2); i > 0; i--) step(c);
  return 0;
}

static const luaL_Reg methods[] = {{"add", crowd_add}, {"step", crowd_step}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"crowd", orca_crowd}, {NULL, NULL}};

LUAMOD_API int luaopen_wend_bench_reference_orca(lua_State *L) {
  luaL_newmetatable(L, ORCA_TYPE);
  lua_pushcfunction(L, crowd_gc), lua_setfield(L, -2, "__gc");
  luaL_newlib(L, methods), lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
