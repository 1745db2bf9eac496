/* SPDX-License-Identifier: MIT */
/* wend_bench_libtcod: the same trips and fields by the A* and the Dijkstra of libtcod. Fields have two forms, trips the second:
 *   map        cells are walkable or not; corners are cut
 *   function   a C callback returns the weight of the cell stepped onto, and forbids cutting corners
 * Its A* adds in single precision and stops when it first reaches the goal. Its Dijkstra adds hundredths. So its costs are near
 * the least, not the least. */
#include <lauxlib.h>
#include <lua.h>
#include <libtcod/fov.h>
#include <libtcod/path.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int width, height;
  float *weights; /* row by row, 0: closed */
  TCOD_map_t walkable;
  TCOD_path_t path;          /* made when first needed, as are the fields */
  TCOD_dijkstra_t fields[2]; /* by form */
} map;

static const float DIAGONAL = 1.41421356f;
static const char *const form_names[] = {"map", "function", NULL};
enum { MAP, FUNCTION };

static inline float weight_at(const map *m, int x, int y) { return m->weights[y * m->width + x]; }

static inline bool may_step(const map *m, int x1, int y1, int x2, int y2) {
  return x1 == x2 || y1 == y2 || (weight_at(m, x1, y2) > 0 && weight_at(m, x2, y1) > 0);
}

static float onto(int x1, int y1, int x2, int y2, void *data) {
  const map *m = data;
  return may_step(m, x1, y1, x2, y2) ? weight_at(m, x2, y2) : 0;
}

/* A field is computed from its goal outwards, against the direction of travel. */
static float back_from(int x1, int y1, int x2, int y2, void *data) {
  const map *m = data;
  return weight_at(m, x2, y2) > 0 && may_step(m, x1, y1, x2, y2) ? weight_at(m, x1, y1) : 0;
}

#define MAP_TYPE "wend.bench.Libtcod"

static map *check_map(lua_State *L) { return luaL_checkudata(L, 1, MAP_TYPE); }

static int map_gc(lua_State *L) {
  map *m = check_map(L);
  if (m->path) TCOD_path_delete(m->path);
  for (int form = MAP; form <= FUNCTION; form++)
    if (m->fields[form]) TCOD_dijkstra_delete(m->fields[form]);
  if (m->walkable) TCOD_map_delete(m->walkable);
  free(m->weights);
  memset(m, 0, sizeof *m);
  return 0;
}

/* map(width, height, weights) -> map, with the arguments of the reference */
static int libtcod_map(lua_State *L) {
  int width = (int)luaL_checkinteger(L, 1), height = (int)luaL_checkinteger(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  map *m = lua_newuserdatauv(L, sizeof *m, 0);
  memset(m, 0, sizeof *m);
  luaL_setmetatable(L, MAP_TYPE);
  m->width = width;
  m->height = height;
  m->weights = calloc((size_t)width * (size_t)height, sizeof *m->weights);
  m->walkable = TCOD_map_new(width, height);
  if (!m->weights || !m->walkable) return luaL_error(L, "out of memory");
  for (int i = 0; i < width * height; i++) {
    lua_rawgeti(L, 3, i + 1);
    double weight = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    if (weight < INFINITY) m->weights[i] = (float)weight;
    TCOD_map_set_properties(m->walkable, i % width, i / width, true, weight < INFINITY);
  }
  return 1;
}

static TCOD_path_t path_of(lua_State *L, map *m) {
  if (!m->path) m->path = TCOD_path_new_using_function(m->width, m->height, onto, m, DIAGONAL);
  if (!m->path) luaL_error(L, "out of memory");
  return m->path;
}

static TCOD_dijkstra_t field_of(lua_State *L, map *m, int form) {
  if (!m->fields[form])
    m->fields[form] = form == MAP ? TCOD_dijkstra_new(m->walkable, DIAGONAL)
                                  : TCOD_dijkstra_new_using_function(m->width, m->height, back_from, m, DIAGONAL);
  if (!m->fields[form]) luaL_error(L, "out of memory");
  return m->fields[form];
}

/* A 1-based coordinate as a 0-based one of libtcod. */
static int check_side(lua_State *L, int i, int most) {
  lua_Integer value = luaL_checkinteger(L, i);
  if (value < 1 || value > most) luaL_error(L, "no cell at %I", (LUAI_UACINT)value);
  return (int)value - 1;
}

/* The i-th of the trips at 2: false where there is no path. */
static bool compute(lua_State *L, const map *m, TCOD_path_t path, lua_Integer i) {
  for (int k = 1; k <= 4; k++) lua_rawgeti(L, 2, 4 * i + k);
  int x1 = check_side(L, -4, m->width), y1 = check_side(L, -3, m->height);
  int x2 = check_side(L, -2, m->width), y2 = check_side(L, -1, m->height);
  lua_pop(L, 4);
  return TCOD_path_compute(path, x1, y1, x2, y2);
}

/* m:run(trips[, repeats]) */
static int map_run(lua_State *L) {
  map *m = check_map(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  TCOD_path_t path = path_of(L, m);
  lua_Integer trip_count = (lua_Integer)lua_rawlen(L, 2) / 4;
  for (lua_Integer repeats = luaL_optinteger(L, 3, 1); repeats > 0; repeats--)
    for (lua_Integer i = 0; i < trip_count; i++) compute(L, m, path, i);
  return 0;
}

/* m:costs(trips) -> list of the costs of its paths, added again in double precision; math.huge where there is none */
static int map_costs(lua_State *L) {
  map *m = check_map(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  TCOD_path_t path = path_of(L, m);
  lua_Integer trip_count = (lua_Integer)lua_rawlen(L, 2) / 4;
  lua_createtable(L, (int)trip_count, 0);
  for (lua_Integer i = 0; i < trip_count; i++) {
    double cost = INFINITY;
    if (compute(L, m, path, i)) {
      int x1, y1;
      TCOD_path_get_origin(path, &x1, &y1);
      cost = 0;
      for (int k = 0; k < TCOD_path_size(path); k++) {
        int x2, y2;
        TCOD_path_get(path, k, &x2, &y2);
        cost += (x1 == x2 || y1 == y2 ? 1.0 : sqrt(2.0)) * (double)weight_at(m, x2, y2);
        x1 = x2;
        y1 = y2;
      }
    }
    lua_pushnumber(L, cost);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* m:field(x, y, form[, repeats]) */
static int map_field(lua_State *L) {
  map *m = check_map(L);
  int x = check_side(L, 2, m->width), y = check_side(L, 3, m->height);
  TCOD_dijkstra_t field = field_of(L, m, luaL_checkoption(L, 4, NULL, form_names));
  for (lua_Integer repeats = luaL_optinteger(L, 5, 1); repeats > 0; repeats--) TCOD_dijkstra_compute(field, x, y);
  return 0;
}

static const luaL_Reg map_methods[] = {
    {"run", map_run},
    {"costs", map_costs},
    {"field", map_field},
    {NULL, NULL},
};
static const luaL_Reg functions[] = {{"map", libtcod_map}, {NULL, NULL}};

LUAMOD_API int luaopen_wend_bench_libtcod(lua_State *L) {
  luaL_newmetatable(L, MAP_TYPE);
  lua_pushcfunction(L, map_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, map_methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
