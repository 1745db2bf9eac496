/* SPDX-License-Identifier: MIT */
/* The functions for crowds, for lua/wend/move/crowd. Scripts see crowds and walkers as objects that are made in Lua. Their fields hold
 * what these functions read, and scripts can reach it: so every value is read raw and checked.
 *
 *   _handle          of both: a userdata with the crowd of the core
 *   _id              of a walker
 *   _message, _code   of a walker: false, unless it is lost
 *
 * The anchor of a handle is { map, walkers, walls }: walkers[id] is the walker. A crowd calls nothing of the script, so its grid
 * needs no lock.
 *
 * The core counts in cells of the grid: there walkers are discs on the ground, whatever the frame of the grid. Points and vectors
 * are converted by the frame. So on an isometric grid a disc is an ellipse on the screen. Lengths and speeds have no one
 * direction. They are measured along the ground, where the side of a cell is as long as a cell of the frame is wide. Without a
 * grid the core counts in units of the world. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/trail.h"
#include "lua/move/move.h"
#include "lua/query/field.h"

typedef struct lwend_crowd {
  wend_crowd *crowd; /* NULL: it was freed */
  lwend_map *of;     /* NULL: it has no map */
  lwend_frame frame; /* of its grid; without one, that of the world */
  uint64_t walls;    /* the version of its walls that the core has */
} lwend_crowd;

static int crowd_gc(lua_State *L) {
  lwend_crowd *c = lwend_toobject(L, 1, &lwend_move_of(L)->crowd);
  if (c == NULL) return lwend_type_error(L, 1, "self", "a crowd");
  wend_crowd_destroy(c->crowd);
  c->crowd = NULL;
  return 0;
}

/* The handle at index. Raises if it is something else, or if it or its map was freed. */
static lwend_crowd *check_crowd_handle(lua_State *L, int index) {
  lwend_crowd *c = lwend_toobject(L, index, &lwend_move_of(L)->crowd);
  if (c == NULL) lwend_type_error(L, index, "self", "a crowd");
  if (c->crowd == NULL) luaL_error(L, "the crowd is gone");
  if (c->of != NULL) lwend_check_alive(L, c->of);
  return c;
}

/* The id at index; WEND_NO_ID: the value is none. */
static wend_id to_walker(lua_State *L, int index) {
  wend_id id = WEND_NO_ID;
  return lwend_towhole(L, index, &id) ? id : WEND_NO_ID;
}

/* How far a coordinate of the world may be from the start of the frame along an axis. size: that of the frame, along the axis. */
static double crowd_reach(const lwend_frame *f, double size) {
  return WEND_CROWD_COORDINATE_MAX * (f->isometric ? size / 2 : size);
}

/* Raises unless the value at index is a coordinate of the world that is near enough. start, size: those of the frame, along the
 * axis. */
static void check_crowd_axis(lua_State *L, int index, const char *what, const lwend_frame *f, double start, double size) {
  const double reach = crowd_reach(f, size);
  (void)lwend_check_number(L, index, what, start - reach, start + reach);
}

/* Converts the point of the world whose x is at index, and y after it. false: they are not numbers, or too far away. */
static bool to_crowd_point(lua_State *L, int index, const lwend_crowd *c, double *cells) {
  const lwend_frame *f = &c->frame;
  if (lua_type(L, index) != LUA_TNUMBER || lua_type(L, index + 1) != LUA_TNUMBER) return false;
  lwend_vector_in_cells(f, lua_tonumber(L, index) - f->left, lua_tonumber(L, index + 1) - f->top, cells);
  if (f->isometric) return fabs(cells[0]) + fabs(cells[1]) <= WEND_CROWD_COORDINATE_MAX;
  return fabs(cells[0]) <= WEND_CROWD_COORDINATE_MAX && fabs(cells[1]) <= WEND_CROWD_COORDINATE_MAX;
}

/* The same for a point that raises if it is invalid. x, y: the names of the coordinates. */
static void check_crowd_point(lua_State *L, int index, const lwend_crowd *c, const char *x, const char *y, double *cells) {
  if (to_crowd_point(L, index, c, cells)) return;
  check_crowd_axis(L, index, x, &c->frame, c->frame.left, c->frame.wide);
  check_crowd_axis(L, index + 1, y, &c->frame, c->frame.top, c->frame.high);
  for (int k = 0; k < 2; k++) { /* it is too far away by a rounding error */
    if (cells[k] > WEND_CROWD_COORDINATE_MAX) cells[k] = WEND_CROWD_COORDINATE_MAX;
    if (cells[k] < -WEND_CROWD_COORDINATE_MAX) cells[k] = -WEND_CROWD_COORDINATE_MAX;
  }
}

/* Reads the position whose x is at index. */
static void check_crowd_place(lua_State *L, int index, const lwend_crowd *c, double *cells) {
  check_crowd_point(L, index, c, "x", "y", cells);
}

/* A length of the world in units of the core, in `least` .. WEND_WALKER_MAX there. */
static double check_crowd_length(lua_State *L, int index, const char *what, double least, const lwend_crowd *c) {
  const double side = c->frame.wide;
  const double value = lwend_check_number(L, index, what, least * side, WEND_WALKER_MAX * side) / side;
  return value < least ? least : value > WEND_WALKER_MAX ? WEND_WALKER_MAX : value;
}

/* Pushes a field of the table at index, raw. */
static void push_own(lua_State *L, int index, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, index);
}

/* Pushes whether an order was carried out: there may be no such walker any more. */
static int push_obeyed(lua_State *L, wend_status status) {
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  return lwend_flag(L, status == WEND_OK);
}

/* An order without arguments for the walker whose handle and id are at 1 and 2. */
static int obey(lua_State *L, wend_status (*order)(wend_crowd *, wend_id)) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  return push_obeyed(L, order(c->crowd, to_walker(L, 2)));
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

/* A regular polygon of 16 corners around a circle of radius 1: its sides touch the circle. Corner k + 4 is corner k, turned by
 * 90 degrees. Constants, because the functions of C libraries differ in the last digit. */
#define ROUND_CORNERS 16u
static const double round_corners[4][2] = {{1.0195911582083184, 0},
                                           {0.9419794025981426, 0.39018064403225655},
                                           {0.720959822006948, 0.720959822006948},
                                           {0.39018064403225655, 0.9419794025981426}};

static void round_corner(uint32_t k, const double *circle, double *point) {
  static const double turns[4][4] = {{1, 0, 0, 1}, {0, -1, 1, 0}, {-1, 0, 0, -1}, {0, 1, -1, 0}};
  const double *corner = round_corners[k % 4], *turn = turns[k / 4 % 4];
  point[0] = circle[0] + circle[2] * (turn[0] * corner[0] + turn[1] * corner[1]);
  point[1] = circle[1] + circle[2] * (turn[2] * corner[0] + turn[3] * corner[1]);
}

/* Corner k of a wall. */
static void wall_corner(const wend_wall *wall, uint32_t k, double *point) {
  if (wall->kind == WEND_CIRCLE) {
    round_corner(k, wall->numbers, point);
  } else {
    point[0] = wall->numbers[2 * k], point[1] = wall->numbers[2 * k + 1];
  }
}

static uint32_t corners_of(const wend_wall *wall) { return wall->kind == WEND_CIRCLE ? ROUND_CORNERS : wall->count / 2; }

static uint32_t sides_of(const wend_wall *wall) { return wall->kind == WEND_SEGMENT ? 1 : corners_of(wall); }

/* Writes the sides of all walls, 4 numbers each. A circle of the world is one on the screen. */
static void write_sides(const lwend_frame *f, const wend_walls *walls, double *side) {
  for (wend_id id = wend_walls_next(walls, WEND_NO_ID); id != WEND_NO_ID; id = wend_walls_next(walls, id)) {
    const wend_wall wall = wend_walls_get(walls, id);
    for (uint32_t k = 0; k < sides_of(&wall); k++, side += 4) {
      double point[2];
      wall_corner(&wall, k, point);
      lwend_vector_in_cells(f, point[0] - f->left, point[1] - f->top, side);
      wall_corner(&wall, (k + 1) % corners_of(&wall), point);
      lwend_vector_in_cells(f, point[0] - f->left, point[1] - f->top, side + 2);
    }
  }
}

/* Gives the core the walls of the anchor, if they have changed. Nothing here runs a script. */
static void follow_walls(lua_State *L, int index, lwend_crowd *c) {
  const wend_alloc *alloc = &lwend_state_of(L)->alloc;
  const wend_walls *walls;
  double *sides;
  uint64_t count = 0;
  wend_status status;
  lwend_pushanchor(L, index);
  lua_rawgeti(L, -1, 3);
  walls = lua_isnil(L, -1) ? NULL : lwend_towalls(L, lua_gettop(L));
  lua_pop(L, 2);
  if (walls == NULL || wend_walls_version(walls) == c->walls) return;
  for (wend_id id = wend_walls_next(walls, WEND_NO_ID); id != WEND_NO_ID; id = wend_walls_next(walls, id)) {
    const wend_wall wall = wend_walls_get(walls, id);
    count += sides_of(&wall);
  }
  sides = count > UINT32_MAX ? NULL : alloc->resize(alloc->ud, NULL, 0, ((size_t)count + 1) * 4 * sizeof *sides);
  if (sides == NULL) lwend_no_memory(L);
  write_sides(&c->frame, walls, sides);
  status = wend_crowd_set_walls(c->crowd, sides, (uint32_t)count);
  alloc->resize(alloc->ud, sides, ((size_t)count + 1) * 4 * sizeof *sides, 0);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  if (status != WEND_OK) luaL_error(L, "walls must lie within 1e9 of the origin");
  c->walls = wend_walls_version(walls);
}

/* Adds a walker and removes it: from then on the core has the memory that removing needs. So a walker whose table cannot be
 * stored can be removed again. */
static wend_status reserve_removing(const lwend_crowd *c) {
  const wend_walker_opts opts = wend_walker_opts_default();
  wend_id id;
  const wend_status status = wend_crowd_add(c->crowd, &opts, &id);
  return status == WEND_OK ? wend_crowd_remove(c->crowd, id) : status;
}

/* Pushes a handle without a crowd, and its table of walkers, for the map at index and the walls after it; nil: none. Fills
 * opts. */
static lwend_crowd *push_crowd_handle(lua_State *L, int index, wend_crowd_opts *opts) {
  const int handle = lua_gettop(L) + 1;
  lwend_crowd *c = lwend_new(L, sizeof *c, &lwend_move_of(L)->crowd);
  lwend_map *g;
  c->frame.wide = c->frame.high = 1;
  c->walls = UINT64_MAX; /* the core has no version of them */
  lua_createtable(L, 3, 0);
  lua_newtable(L);
  lua_pushvalue(L, index);
  lua_rawseti(L, handle + 1, 1);
  lua_pushvalue(L, handle + 2);
  lua_rawseti(L, handle + 1, 2);
  lua_pushvalue(L, index + 1);
  lua_rawseti(L, handle + 1, 3);
  lua_pushvalue(L, handle + 1);
  lwend_setanchor(L, handle);
  lua_remove(L, handle + 1);
  /* Nothing below runs a script. */
  g = lwend_tomap(L, index);
  if (g == NULL && !lua_isnil(L, index)) lwend_type_error(L, index, "map", "a graph or a grid");
  if (g != NULL && lwend_check_alive(L, g)->grid != NULL) {
    c->frame = g->frame;
    opts->grid = g->grid;
  } else if (g != NULL && wend_graph_dimensions(g->graph) != 2) {
    luaL_error(L, "map must be a graph of 2 dimensions");
  }
  opts->plans = g != NULL;
  c->of = g;
  return c;
}

/* make(map or nil, walls or nil, seed or nil) -> handle, table of walkers by id */
static int crowd_make(lua_State *L) {
  wend_crowd_opts opts = {NULL, 0, false};
  lwend_crowd *c;
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) opts.seed = lwend_check_seed(L, 3, "seed");
  if (!lua_isnil(L, 2) && lwend_towalls(L, 2) == NULL) return lwend_type_error(L, 2, "walls", "walls");
  c = push_crowd_handle(L, 1, &opts);
  c->crowd = wend_crowd_create(&lwend_state_of(L)->alloc, &opts);
  if (c->crowd == NULL || reserve_removing(c) != WEND_OK) return lwend_no_memory(L);
  follow_walls(L, 4, c);
  return 2;
}

/* Reads a setting of a walker at index; nil: it stays. 0.5 and 1.5, the defaults, are in units of the core. */
static void read_setting(lua_State *L, int index, const char *name, const lwend_crowd *c, wend_walker_opts *opts) {
  const double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (lua_isnil(L, index)) return;
  if (strcmp(name, "radius") == 0) {
    opts->radius = check_crowd_length(L, index, name, WEND_WALKER_MIN, c);
  } else if (strcmp(name, "speed") == 0) {
    opts->speed = check_crowd_length(L, index, name, 0, c);
  } else if (strcmp(name, "group") == 0) {
    opts->groups = (uint32_t)lwend_check_number(L, index, name, 0, UINT32_MAX);
  } else if (strcmp(name, "avoids") == 0) {
    opts->avoids = (uint32_t)lwend_check_number(L, index, name, 0, UINT32_MAX);
  } else if (strcmp(name, "priority") == 0) {
    if (!(number == floor(number)) || isinf(number)) {
      luaL_error(L, "priority must be a whole number, got %s", lwend_describe(L, index));
    }
    opts->priority = (int32_t)lwend_check_number(L, index, name, -1e9, 1e9);
  } else { /* acceleration, patience */
    if (!(number > 0)) luaL_error(L, "%s must be a number > 0, got %s", name, lwend_describe(L, index));
    if (strcmp(name, "patience") == 0) opts->patience = number;
    else opts->acceleration = number / c->frame.wide;
  }
}

/* add(handle, x, y, radius, speed, acceleration, patience, priority, group, avoids) -> id. nil: the default. group, avoids: bits */
static int crowd_add(lua_State *L) {
  static const char *const names[] = {"radius", "speed", "acceleration", "patience", "priority", "group", "avoids"};
  wend_walker_opts opts = wend_walker_opts_default();
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double at[2];
  wend_id id;
  wend_status status;
  lua_settop(L, 10);
  check_crowd_place(L, 2, c, at);
  opts.x = at[0], opts.y = at[1];
  for (int i = 0; i < 7; i++) read_setting(L, 4 + i, names[i], c, &opts);
  status = wend_crowd_add(c->crowd, &opts, &id);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return luaL_error(L, "acceleration is too small"); /* it has become 0 in units of the core */
  lwend_pushwhole(L, id);
  return 1;
}

/* set(handle, id, name, value) -> boolean. Changes a setting; name: as above */
static int crowd_set(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const wend_id id = to_walker(L, 2);
  wend_walker_info info;
  lua_settop(L, 4);
  if (wend_crowd_get(c->crowd, id, &info) != WEND_OK) return lwend_flag(L, false);
  read_setting(L, 4, luaL_checkstring(L, 3), c, &info.settings);
  return push_obeyed(L, wend_crowd_set(c->crowd, id, &info.settings));
}

/* bits(handle, id) -> the bits of its groups, and of the groups that it avoids. nil: it avoids all */
static int crowd_bits(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_walker_info info;
  if (wend_crowd_get(c->crowd, to_walker(L, 2), &info) != WEND_OK) return 0;
  lwend_pushwhole(L, info.settings.groups);
  if (info.settings.avoids == UINT32_MAX) lua_pushnil(L);
  else lwend_pushwhole(L, info.settings.avoids);
  return 2;
}

/* ---- Orders. Each returns whether there is such a walker ------------------------------------------------------ */

/* remove, stop, lose, touch(handle, id) -> boolean. touch: the path of the walker is out of date */
static int crowd_remove(lua_State *L) { return obey(L, wend_crowd_remove); }
static int crowd_stop(lua_State *L) { return obey(L, wend_crowd_stop); }
static int crowd_lose(lua_State *L) { return obey(L, wend_crowd_lose); }
static int crowd_touch(lua_State *L) { return obey(L, wend_crowd_touch); }

/* Pushes a userdata with the points of the flat list at index, in units of the core. *count: of points. */
static double *push_crowd_points(lua_State *L, int index, const lwend_crowd *c, uint32_t *count) {
  double *numbers;
  *count = lwend_check_list(L, index, "points", 2, "numbers");
  if (*count == 0) luaL_error(L, "points must hold at least one point");
  numbers = lua_newuserdata(L, 2 * (size_t)*count * sizeof *numbers);
  for (uint32_t i = 0; i < *count; i++) {
    const int at = lua_gettop(L) + 1;
    lua_rawgeti(L, index, (int)(2 * i) + 1);
    lua_rawgeti(L, index, (int)(2 * i) + 2);
    if (!to_crowd_point(L, at, c, numbers + 2 * i)) { /* names only here: they take longer than all the rest */
      lua_pushfstring(L, "points[%d]", (int)(2 * i) + 1);
      lua_pushfstring(L, "points[%d]", (int)(2 * i) + 2);
      check_crowd_point(L, at, c, lua_tostring(L, at + 2), lua_tostring(L, at + 3), numbers + 2 * i);
    }
    lua_settop(L, at - 1);
  }
  return numbers;
}

/* go(handle, id, points) -> boolean. points: a flat list */
static int crowd_go(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  uint32_t count;
  const double *points = push_crowd_points(L, 3, c, &count);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it */
  return push_obeyed(L, wend_crowd_go(c->crowd, to_walker(L, 2), points, count));
}

/* send(handle, id, x, y) -> boolean; send(handle, id): without a goal. Raises unless the position is near enough */
static int crowd_send(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double goal[2];
  lua_settop(L, 4);
  if (lua_isnil(L, 3)) return push_obeyed(L, wend_crowd_send(c->crowd, to_walker(L, 2), NULL));
  check_crowd_place(L, 3, c, goal);
  return push_obeyed(L, wend_crowd_send(c->crowd, to_walker(L, 2), goal));
}

/* again(handle, id, x, y) -> boolean: whether that is the order which the walker has */
static int crowd_again(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double goal[2];
  check_crowd_place(L, 3, c, goal);
  return push_obeyed(L, wend_crowd_repeat(c->crowd, to_walker(L, 2), goal));
}

/* aimed(handle, id, x, y) -> boolean: whether the walker was last sent there, also if it has stopped */
static int crowd_aimed(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double goal[2];
  lua_settop(L, 4);
  lua_pushboolean(L, to_crowd_point(L, 3, c, goal) && wend_crowd_aimed(c->crowd, to_walker(L, 2), goal));
  return 1;
}

/* reaches(handle, x, y) -> whether a walker can be sent there: whether these are numbers that `send` takes */
static int crowd_reaches(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const lwend_frame *f = &c->frame;
  const double x = crowd_reach(f, f->wide), y = crowd_reach(f, f->high);
  double point[2], at_x, at_y;
  lua_settop(L, 3);
  if (lua_type(L, 2) != LUA_TNUMBER || lua_type(L, 3) != LUA_TNUMBER) return lwend_flag(L, false);
  at_x = lua_tonumber(L, 2), at_y = lua_tonumber(L, 3);
  if (to_crowd_point(L, 2, c, point)) return lwend_flag(L, true);
  return lwend_flag(L, at_x >= f->left - x && at_x <= f->left + x && at_y >= f->top - y && at_y <= f->top + y);
}

/* version(handle) -> the number of edits of the map and of all profiles, and of profiles only */
static int crowd_version(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const uint64_t time = lwend_state_of(L)->clock;
  lwend_pushwhole(L, (c->of != NULL ? wend_map_version(c->of->map) : 0) + time);
  lwend_pushwhole(L, time);
  return 2;
}

/* go_group(handle, walkers, x, y, anew) -> boolean; nil: it is the order that they have. walkers: a list. anew: it is another one,
 * also if it leads to the same place */
static int crowd_go_group(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const uint32_t count = lwend_check_list(L, 2, "walkers", 1, "walkers");
  double goal[2];
  wend_id *ids = lua_newuserdata(L, (size_t)count * sizeof *ids + 1);
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = WEND_NO_ID;
    lua_rawgeti(L, 2, (int)i + 1);
    if (lua_istable(L, -1)) {
      push_own(L, lua_gettop(L), "_id");
      ids[i] = to_walker(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  c = check_crowd_handle(L, 1);
  check_crowd_place(L, 3, c, goal);
  if (!lua_toboolean(L, 5) && wend_crowd_repeat_group(c->crowd, ids, count, goal) == WEND_OK) return 0;
  return push_obeyed(L, wend_crowd_go_group(c->crowd, ids, count, goal, 1));
}

/* hold(handle, id, held) -> boolean */
static int crowd_hold(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  return push_obeyed(L, wend_crowd_hold(c->crowd, to_walker(L, 2), lua_toboolean(L, 3) != 0));
}

/* push(handle, id, vx, vy) -> boolean */
static int crowd_push(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const double vx = lwend_check_finite(L, 3, "vx"), vy = lwend_check_finite(L, 4, "vy");
  double v[2];
  lwend_vector_in_cells(&c->frame, vx, vy, v);
  if (!(sqrt(v[0] * v[0] + v[1] * v[1]) <= WEND_WALKER_MAX)) return luaL_error(L, "vx and vy must be a velocity up to 1e6");
  return push_obeyed(L, wend_crowd_push(c->crowd, to_walker(L, 2), v[0], v[1]));
}

/* place(handle, id, x, y) -> boolean */
static int crowd_place(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double at[2];
  check_crowd_place(L, 3, c, at);
  return push_obeyed(L, wend_crowd_place(c->crowd, to_walker(L, 2), at[0], at[1]));
}

/* ---- Plans -------------------------------------------------------------------------------------------------- */

/* Puts the columns and rows of cells, from 1, into the list on top of the stack. Runs no script. */
static void fill_crowd_cells(lua_State *L, const lwend_crowd *c, const wend_id *cells, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    (void)lwend_push_id(L, c->of, cells[i]);
    lua_rawseti(L, -3, 2 * (int)i + 2);
    lua_rawseti(L, -2, 2 * (int)i + 1);
  }
}

/* Pushes a position of a crowd: on a grid the column and the row of its cell, or false twice if it is outside. nearest: those of
 * the nearest cell then. */
static void push_crowd_position(lua_State *L, const lwend_crowd *c, double x, double y, bool nearest) {
  const wend_grid *grid = c->of->grid;
  if (grid != NULL && nearest) {
    x = fmax(0, fmin(x, wend_grid_width(grid) - 0.5)), y = fmax(0, fmin(y, wend_grid_height(grid) - 0.5));
  }
  if (grid == NULL) {
    lua_pushnumber(L, x);
    lua_pushnumber(L, y);
  } else if (x >= 0 && y >= 0 && x < wend_grid_width(grid) && y < wend_grid_height(grid)) {
    (void)lwend_push_id(L, c->of, wend_grid_cell(grid, (uint32_t)x, (uint32_t)y));
  } else {
    lua_pushboolean(L, 0);
    lua_pushboolean(L, 0);
  }
}

/* ask(handle, id, partial) -> number, x, y, goal_x, goal_y, round, first, way: the plan that a walker wants, as
 * wend_crowd_plan; nothing: none. goal_x, goal_y: nil if it is open; partial: on the grid in any case. The rest: only if it is
 * to lead around a jam; way: a flat list of cells */
static int crowd_ask(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_crowd_plan plan;
  wend_status status;
  lua_settop(L, 3);
  lua_newtable(L);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it; what follows runs no script */
  status = wend_crowd_ask(c->crowd, to_walker(L, 2), &plan);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return 0;
  lwend_pushwhole(L, plan.number);
  push_crowd_position(L, c, plan.x, plan.y, false);
  if (plan.open) return 3;
  push_crowd_position(L, c, plan.goal_x, plan.goal_y, lua_toboolean(L, 3) != 0);
  if (!plan.around) return 5;
  lwend_pushwhole(L, plan.round);
  lwend_pushwhole(L, plan.first);
  lua_pushvalue(L, 4);
  fill_crowd_cells(L, c, plan.cells, plan.cell_count);
  return 8;
}

/* width(handle, id) -> the radius of a walker in cells, as plans on the grid know it; nothing: it gets wherever a point gets. All
 * up to half a cell count as that, where a point also gets round corners */
static int crowd_width(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_walker_info info;
  if (c->of == NULL || c->of->grid == NULL || wend_crowd_get(c->crowd, to_walker(L, 2), &info) != WEND_OK) return 0;
  if (info.settings.radius < WEND_FIT_MIN) {
    const wend_diagonals rule = wend_grid_diagonals(c->of->grid);
    if (rule == WEND_BOTH_OPEN || rule == WEND_NEVER) return 0;
    info.settings.radius = 0.5;
  }
  lua_pushnumber(L, fmin(info.settings.radius, WEND_FIT_MAX));
  return 1;
}

/* room(handle, id, x, y) -> the cell where a wide walker goes that is sent to this position; nothing: there is none */
static int crowd_room(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double place[2];
  wend_id cell;
  wend_status status;
  check_crowd_place(L, 3, c, place);
  status = wend_crowd_room(c->crowd, to_walker(L, 2), place, &cell);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK || cell == WEND_NO_ID) return 0;
  return lwend_push_id(L, c->of, cell);
}

/* fit(grid, radius): the steps of a grid, which the crowd has made of its own, become those of a disc */
static int crowd_fit(lua_State *L) {
  lwend_map *g = lwend_tomap(L, 1);
  if (g == NULL || lwend_check_alive(L, g)->grid == NULL) return lwend_type_error(L, 1, "map", "a grid");
  if (wend_grid_fit(g->grid, luaL_checknumber(L, 2)) == WEND_NO_MEMORY) return lwend_no_memory(L);
  return 0;
}

/* Pushes whether a walker goes where the answer of a plan leads. */
static int push_answered(lua_State *L, const lwend_crowd *c, const wend_crowd_plan *plan, const wend_crowd_way *way) {
  if (c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a function of the script may have freed it */
  return push_obeyed(L, wend_crowd_answer(c->crowd, plan, way));
}

/* The plan of an answer, whose walker and number are at 2 and 3. */
static wend_crowd_plan to_plan(lua_State *L) {
  wend_crowd_plan plan = {0};
  plan.walker = to_walker(L, 2);
  if (!lwend_towhole(L, 3, &plan.number)) plan.number = 0;
  return plan;
}

/* The subject of a request for the costs of a walker. */
typedef struct walker_way {
  const lwend_crowd *c;
  wend_crowd_plan plan;
  wend_crowd_way way; /* without cells: none */
  bool paced;         /* the costs tell the speed of the walker */
} walker_way;

/* A walker needs as much time for a cell as its plan says: its factors are 1 / times. A cell that costs nothing, or is closed for
 * it, does not change its speed. Pushes what wend_crowd_speeds tells. */
static int push_paced(lua_State *L, const walker_way *order) {
  const uint32_t count = order->way.tag_count;
  double *factors = lua_newuserdata(L, (size_t)count * sizeof *factors + 1);
  for (uint32_t i = 0; i < count; i++) {
    const double factor = 1 / order->way.tags[i].times;
    factors[i] = factor > 0 && factor < INFINITY ? factor : 1;
  }
  if (order->c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a function of the script may have freed it */
  return push_obeyed(L, wend_crowd_speeds(order->c->crowd, order->plan.walker, factors, count, true));
}

/* Pushes what the core tells of the costs of a walker: of its way, its speed, or its layers. */
static int protected_way(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  walker_way *order = request->subject;
  const wend_costs *costs = &request->search.costs;
  /* The numbers of tags do not change. So prices for an older version of the map are good enough. */
  if (lwend_request_ready(L, request) && costs->tags != NULL) {
    order->way.tags = costs->tags;
    order->way.tag_count = wend_map_tag_count(request->g->map) + 1;
  }
  order->way.influences = costs->influences, order->way.influence_count = costs->influence_count;
  if (order->paced) (void)push_paced(L, order);
  if (order->way.cells != NULL) return push_answered(L, order->c, &order->plan, &order->way);
  if (order->paced) return 1;
  if (order->c->crowd == NULL) return luaL_error(L, "the crowd is gone"); /* a finalizer may have freed it */
  return push_obeyed(L, wend_crowd_influence(order->c->crowd, order->plan.walker, costs->influences, costs->influence_count));
}

/* influence(handle, layers) -> what an order keeps of the option influence. Raises if it is invalid */
static int crowd_influence(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  lua_settop(L, 2);
  lwend_check_layers(L, c->of, 2);
  if (c->of == NULL) return luaL_error(L, "influence: the crowd has no map");
  return 1;
}

/* costs(handle, id, options, paced) -> boolean. The layers of the way of a walker are those of the options; or with `paced`, it is
 * as fast as these costs say. Runs the functions of tags */
static int crowd_costs(lua_State *L) {
  walker_way order;
  lwend_request request;
  lua_settop(L, 4);
  memset(&order, 0, sizeof order);
  order.c = check_crowd_handle(L, 1);
  if (order.c->of == NULL) return luaL_error(L, "costs: the crowd has no map");
  order.plan.walker = to_walker(L, 2), order.paced = lua_toboolean(L, 4) != 0;
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, -1, 1); /* the map */
  lwend_request_start(L, &request, order.c->of, lua_gettop(L));
  lwend_read_options(L, &request, 3, LWEND_FOR_COSTS);
  lwend_check_costs(L, &request);
  order.c = check_crowd_handle(L, 1); /* a finalizer may have freed it */
  request.subject = &order;
  return lwend_call(L, &request, protected_way, NULL);
}

/* speeds(handle, id, factors or nil) -> boolean. factors: a table of factors by tag; nil: the ground does not matter */
static int crowd_speeds(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double *factors;
  uint32_t count;
  lua_settop(L, 3);
  if (c->of == NULL) return luaL_error(L, "speeds: the crowd has no map");
  count = lua_istable(L, 3) ? wend_map_tag_count(c->of->map) + 1 : 0;
  factors = lua_newuserdata(L, (size_t)count * sizeof *factors + 1);
  c = check_crowd_handle(L, 1);
  for (uint32_t i = 0; i < count; i++) {
    size_t length;
    const char *name = i == 0 ? NULL : wend_map_tag_name(c->of->map, i, &length);
    factors[i] = 1;
    if (name == NULL) continue;
    lua_pushlstring(L, name, length);
    lua_rawget(L, 3);
    if (lua_type(L, -1) == LUA_TNUMBER) factors[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return push_obeyed(L, wend_crowd_speeds(check_crowd_handle(L, 1)->crowd, to_walker(L, 2), factors, count, false));
}

/* tags(handle) -> the number of tags of the map */
static int crowd_tags(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  lwend_pushwhole(L, c->of != NULL ? wend_map_tag_count(c->of->map) : 0);
  return 1;
}

/* Pushes a userdata with the cells of the path at index. */
static const wend_id *push_path_cells(lua_State *L, int index, const lwend_map *g, uint32_t *count) {
  const uint32_t length = (uint32_t)(lua_rawlen(L, index) / 2);
  wend_id *cells = lua_newuserdata(L, (size_t)length * sizeof *cells + 1);
  for (uint32_t i = 0; i < length; i++) cells[i] = lwend_listed_cell(L, index, g, (size_t)i + 1);
  *count = length;
  return cells;
}

/* answer(handle, id, number, path or nil, paced, partial) -> whether the walker goes that way. path: one of the grid of the
 * crowd; the walker takes its links, and keeps to its ground. paced: it is as fast as the costs of the path say. partial: it
 * ends before the goal. Runs the functions of tags of the costs of the path */
static int crowd_answer(lua_State *L) {
  walker_way order;
  lwend_request request;
  const lwend_trail *trail;
  lwend_map *g;
  /* Read. */
  lua_settop(L, 6);
  lua_pushnil(L); /* at 7: no options */
  memset(&order, 0, sizeof order);
  order.paced = lua_toboolean(L, 5) != 0, order.way.partial = lua_toboolean(L, 6) != 0;
  order.c = check_crowd_handle(L, 1);
  order.plan = to_plan(L);
  if (lua_isnil(L, 4)) return push_answered(L, order.c, &order.plan, NULL);
  trail = lwend_push_trail(L, 4); /* at 8 */
  g = lwend_trail_map(L, trail);
  if (g->grid == NULL || order.c->of != g) return luaL_error(L, "path must be one of the grid of the crowd");
  order.way.cells = push_path_cells(L, 4, g, &order.way.cell_count);
  order.way.legs = trail->age.legs;
  lwend_push_trail_map(L, 8);
  lwend_request_start(L, &request, g, lua_gettop(L));
  lwend_read_options(L, &request, 7, LWEND_FOR_COSTS);
  lwend_request_inherit(L, &request, 4);
  lua_pushnil(L); /* the functions of edges do not count */
  lua_replace(L, request.frame + LWEND_COST);
  lwend_check_costs(L, &request);
  /* Check again: a finalizer may have freed it. */
  order.c = check_crowd_handle(L, 1);
  /* Act. */
  if (lua_isnil(L, request.frame + LWEND_COSTS) && lua_isnil(L, request.frame + LWEND_INFLUENCE)) {
    if (order.paced) (void)push_paced(L, &order);
    return push_answered(L, order.c, &order.plan, &order.way);
  }
  request.subject = &order;
  return lwend_call(L, &request, protected_way, NULL);
}

/* answer_points(handle, id, number, points, partial) -> whether the walker goes that way. points: a flat list */
static int crowd_answer_points(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const wend_crowd_plan plan = to_plan(L);
  wend_crowd_way way = {0};
  way.partial = lua_toboolean(L, 5) != 0;
  way.points = push_crowd_points(L, 4, c, &way.count);
  return push_answered(L, check_crowd_handle(L, 1), &plan, &way); /* a finalizer may have freed it */
}

/* defer(handle, id, number) -> boolean */
static int crowd_defer(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const wend_crowd_plan plan = to_plan(L);
  return push_obeyed(L, wend_crowd_defer(c->crowd, &plan));
}

/* replan(handle, id or nil): plans that are looked for, of one walker or of all, are wanted again */
static int crowd_replan(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_crowd_replan(c->crowd, lua_isnoneornil(L, 2) ? WEND_NO_ID : to_walker(L, 2));
  return 0;
}

/* chase(handle, id, target or nil) -> boolean. target: the id of the walker that it chases */
static int crowd_chase(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const wend_id target = lua_isnoneornil(L, 3) ? WEND_NO_ID : to_walker(L, 3);
  return push_obeyed(L, wend_crowd_chase(c->crowd, to_walker(L, 2), target));
}

/* note_edits(handle): finds out which routes over cells edits have touched */
static int crowd_note_edits(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  if (wend_crowd_note_edits(c->crowd) != WEND_OK) return lwend_no_memory(L);
  return 0;
}

/* note_costs(handle, id, costs, since) -> whether the costs of a tag of the map have changed. Then finds out whether the route of
 * the walker over cells has such a tag */
static int crowd_note_costs(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  const lwend_crowd *c;
  lwend_costs_age age = {0};
  const uint8_t *changed;
  lua_settop(L, 4);
  (void)check_crowd_handle(L, 1);
  lwend_costs_push_compiled(L, state, 3);
  lua_getfield(L, 5, "number");
  age.number = (uint64_t)lua_tonumber(L, 6), age.made = (uint64_t)lua_tonumber(L, 4);
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, 7, 1); /* the map */
  lwend_pushanchor(L, 8);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it */
  if (c->of == NULL) return luaL_error(L, "costs: the crowd has no map");
  changed = lwend_costs_changed_tags(L, state, &age, 3, 9, wend_map_tag_count(c->of->map));
  if (changed != NULL) (void)wend_crowd_note_costs(c->crowd, to_walker(L, 2), changed);
  lua_pushboolean(L, changed != NULL);
  return 1;
}

/* jams(handle) -> a flat list of x, y and times: the cells of wend_crowd_jams */
static int crowd_jams(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const wend_crowd_jam *jams;
  uint32_t count;
  lua_settop(L, 1);
  lua_newtable(L);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it */
  if (wend_crowd_jams(c->crowd, &jams, &count) != WEND_OK) return lwend_no_memory(L);
  for (uint32_t i = 0; i < count; i++) { /* lua_rawseti runs no script */
    (void)lwend_push_id(L, c->of, jams[i].cell);
    lua_rawseti(L, 2, 3 * (int)i + 2);
    lua_rawseti(L, 2, 3 * (int)i + 1);
    lua_pushnumber(L, jams[i].times);
    lua_rawseti(L, 2, 3 * (int)i + 3);
  }
  return 1;
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

/* follow_walls(handle). The core gets the walls as they are now */
static int crowd_follow_walls(lua_State *L) {
  follow_walls(L, 1, check_crowd_handle(L, 1));
  return 0;
}

/* update(handle, dt, max_steps) -> steps, dropped seconds, number of events */
static int crowd_update(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const double dt = lwend_check_finite(L, 2, "dt"), most = lwend_check_number(L, 3, "max_steps", 0, 1e9);
  wend_crowd_result result;
  const wend_status status = wend_crowd_update(c->crowd, dt, (uint32_t)most, &result);
  if (status == WEND_INVALID) return luaL_error(L, "dt must be a finite number >= 0");
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  lwend_pushwhole(L, result.steps);
  lua_pushnumber(L, result.dropped);
  lwend_pushwhole(L, result.events);
  lwend_gc_step(L, lwend_state_of(L));
  return 3;
}

/* Pushes the table of walkers of the handle at 1. */
static void push_walkers(lua_State *L) {
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, -1, 2);
  lua_remove(L, -2);
}

/* Pushes the item of the table of walkers at index. */
static void push_walker(lua_State *L, int walkers, wend_id id) {
  lwend_pushwhole(L, id);
  lua_rawget(L, walkers);
}

/* events(handle, list) -> n. Fills the first n items of a list with walker, kind for each event of the last update. kind: a number */
static int crowd_events(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  uint32_t count;
  int at = 0;
  const wend_crowd_event *list;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  push_walkers(L);
  list = wend_crowd_events(c->crowd, &count); /* what follows runs no script */
  for (uint32_t i = 0; i < count; i++) {
    push_walker(L, 3, list[i].id);
    if (!lua_istable(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    lua_rawseti(L, 2, ++at);
    lwend_pushwhole(L, (uint64_t)list[i].kind);
    lua_rawseti(L, 2, ++at);
  }
  lua_pushinteger(L, at);
  return 1;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* What a script reads of a walker. message and all after it are in the table of the walker, under their names with an underscore. */
#define WALKER_FIELDS(field)                                                                                       \
  field(x) field(y) field(vx) field(vy) field(heading) field(state) field(radius) field(speed) field(acceleration) \
      field(patience) field(priority) field(goal_x) field(goal_y) field(paused) field(crossing) field(blocked_by)  \
          field(message) field(code) field(group) field(avoids) field(agent) field(costs) field(influence) field(speeds)
#define FIELD_NUMBER(name) W_##name,
enum { WALKER_FIELDS(FIELD_NUMBER) W_END };
#define FIELD_NAME(name) #name,
static const char *const walker_fields[] = {WALKER_FIELDS(FIELD_NAME)};

/* One that was sent somewhere is moving at once, though it goes on as before until there is a plan. */
static void push_walker_state(lua_State *L, const wend_walker_info *info) {
  static const char *const states[] = {"waiting", "moving", "arrived", "stuck"};
  push_own(L, 1, "_message");
  lua_pushstring(L, lua_toboolean(L, -1) ? "lost" : states[info->ordered ? WEND_WALKER_MOVING : info->state]);
}

static void push_walker_field(lua_State *L, const lwend_crowd *c, const wend_walker_info *info, int field) {
  const lwend_frame *f = &c->frame;
  double world[2];
  switch (field) {
    case W_x:
    case W_y:
      lwend_to_world(f, info->x, info->y, world);
      lua_pushnumber(L, world[field == W_y]);
      break;
    case W_vx:
    case W_vy:
      lwend_vector_to_world(f, info->vx, info->vy, world);
      lua_pushnumber(L, world[field == W_vy]);
      break;
    case W_heading:
      world[0] = info->face_x, world[1] = info->face_y;
      if (lwend_is_framed(f)) lwend_vector_to_world(f, info->face_x, info->face_y, world);
      lua_pushnumber(L, atan2(world[1], world[0]));
      break;
    case W_state: push_walker_state(L, info); break;
    case W_radius: lua_pushnumber(L, info->settings.radius * f->wide); break;
    case W_speed: lua_pushnumber(L, info->settings.speed * f->wide); break;
    case W_acceleration: lua_pushnumber(L, info->settings.acceleration * f->wide); break;
    case W_patience: lua_pushnumber(L, info->settings.patience); break;
    case W_priority: lua_pushinteger(L, info->settings.priority); break;
    case W_goal_x:
    case W_goal_y:
      lwend_to_world(f, info->goal_x, info->goal_y, world);
      lua_pushnumber(L, world[field == W_goal_y]);
      break;
    case W_paused: lua_pushboolean(L, info->held); break;
    case W_crossing: lua_pushboolean(L, info->crossing); break;
    case W_blocked_by:
      if (info->blocked_by == WEND_NO_ID || info->ordered) {
        lua_pushnil(L);
      } else {
        push_own(L, 1, "_handle");
        lwend_pushanchor(L, -1);
        lua_rawgeti(L, -1, 2);
        push_walker(L, lua_gettop(L), info->blocked_by);
      }
      break;
    default:
      lua_pushfstring(L, "_%s", walker_fields[field]);
      lua_rawget(L, 1);
      if (field <= W_code && !lua_toboolean(L, -1)) lua_pushnil(L); /* false: none */
  }
}

/* The metamethod __index of walkers. Upvalues: 1 the state, 2 methods by name, 3 the numbers of fields by name. Of a removed
 * walker, state is "removed" and the other fields are nil. */
static int index_walker(lua_State *L) {
  const lwend_crowd *c;
  wend_walker_info info;
  wend_id id;
  int field;
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(3));
  if (lua_type(L, 3) != LUA_TNUMBER || !lua_istable(L, 1)) {
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    return 1;
  }
  field = (int)lua_tonumber(L, 3);
  push_own(L, 1, "_id");
  id = to_walker(L, 4);
  push_own(L, 1, "_handle");
  c = check_crowd_handle(L, 5);
  lua_settop(L, 2);
  if (wend_crowd_get(c->crowd, id, &info) != WEND_OK) {
    if (field == W_state) lua_pushliteral(L, "removed");
    else lua_pushnil(L);
    return 1;
  }
  push_walker_field(L, c, &info, field);
  return 1;
}

/* reader(methods) -> the metamethod __index of walkers, and the table of its fields */
static int crowd_reader(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_newtable(L);
  for (int i = 0; i < W_END; i++) {
    lua_pushstring(L, walker_fields[i]);
    lwend_pushwhole(L, (uint64_t)i);
    lua_rawset(L, 2);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, index_walker, 3);
  lua_pushvalue(L, 2);
  return 2;
}

/* at(handle, id) -> x, y after the last step, the vector to where it looks, and whether it has arrived, also if it was sent
 * somewhere since; nothing if there is no such walker */
static int crowd_at(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_walker_info info;
  double point[2];
  if (wend_crowd_get(c->crowd, to_walker(L, 2), &info) != WEND_OK) return 0;
  lwend_to_world(&c->frame, info.exact_x, info.exact_y, point);
  lua_pushnumber(L, point[0]);
  lua_pushnumber(L, point[1]);
  lwend_vector_to_world(&c->frame, info.face_x, info.face_y, point);
  lua_pushnumber(L, point[0]);
  lua_pushnumber(L, point[1]);
  lua_pushboolean(L, info.state == WEND_WALKER_ARRIVED);
  return 5;
}

/* takes(handle, field): raises unless a field leads to its goals on the grid of the crowd */
static int crowd_takes(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  if (c->of == NULL || c->of->grid == NULL) return luaL_error(L, "field: the map of the crowd must be a grid");
  (void)lwend_check_field(L, 2, c->of, LWEND_INWARD, "field");
  return 0;
}

/* Pushes the walker that comes after the id at 2, and its id; nil: there is none. */
static int push_next_walker(lua_State *L, wend_id (*next)(const wend_crowd *, wend_id)) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_id id = to_walker(L, 2);
  lua_settop(L, 2);
  push_walkers(L);
  do {
    id = next(c->crowd, id);
    lua_settop(L, 3);
    if (id == WEND_NO_ID) return lua_pushnil(L), 1;
    push_walker(L, 3, id);
  } while (!lua_istable(L, -1));
  lwend_pushwhole(L, id);
  return 2;
}

/* wants(handle, id) -> the walker after id that wants a plan, and its id; id nil: the first one; nil: there is none */
static int crowd_wants(lua_State *L) { return push_next_walker(L, wend_crowd_wants); }

/* has(handle, id) -> boolean */
static int crowd_has(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  lua_pushboolean(L, wend_crowd_has(c->crowd, to_walker(L, 2)));
  return 1;
}

/* next(handle, id) -> the walker after id in the order of slots, and its id; id nil: the first one; nil: there is none */
static int crowd_next(lua_State *L) { return push_next_walker(L, wend_crowd_next); }

/* count(handle) -> number of walkers */
static int crowd_count(lua_State *L) {
  lwend_pushwhole(L, wend_crowd_count(check_crowd_handle(L, 1)->crowd));
  return 1;
}

/* positions(handle, into) -> into, filled with x, y of each walker */
static int crowd_positions(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  int at = 0;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  for (wend_id id = wend_crowd_next(c->crowd, WEND_NO_ID); id != WEND_NO_ID; id = wend_crowd_next(c->crowd, id)) {
    wend_walker_info info;
    double point[2];
    (void)wend_crowd_get(c->crowd, id, &info);
    lwend_to_world(&c->frame, info.x, info.y, point);
    for (int k = 0; k < 2; k++) {
      lua_pushnumber(L, point[k]);
      lua_rawseti(L, 2, ++at);
    }
  }
  lwend_cut_list(L, 2, (uint32_t)at);
  return 1;
}

/* near(handle, x, y, r, limit, into) -> the list `into` of walkers. limit: so many at most, the nearest first; nil: all */
static int crowd_near(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double at[2], r, limit;
  uint32_t room, count, kept = 0;
  wend_id *ids;
  bool nearest;
  check_crowd_place(L, 2, c, at);
  r = lwend_check_number(L, 4, "r", 0, WEND_COORDINATE_MAX) / c->frame.wide;
  nearest = !lua_isnoneornil(L, 5);
  limit = nearest ? lwend_check_number(L, 5, "limit", 1, INFINITY) : INFINITY;
  luaL_checktype(L, 6, LUA_TTABLE);
  lua_settop(L, 6);
  if (wend_crowd_near(c->crowd, at[0], at[1], r, false, NULL, 0, &room) != WEND_OK) return lwend_no_memory(L);
  if (limit < room) room = (uint32_t)limit;
  ids = lua_newuserdata(L, (size_t)room * sizeof *ids + 1);
  push_walkers(L);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it, or moved walkers */
  if (wend_crowd_near(c->crowd, at[0], at[1], r, nearest, ids, room, &count) != WEND_OK) return lwend_no_memory(L);
  for (uint32_t i = 0; i < count && i < room; i++) {
    push_walker(L, 8, ids[i]);
    if (lua_istable(L, -1)) lua_rawseti(L, 6, (int)++kept);
    else lua_pop(L, 1);
  }
  lwend_cut_list(L, 6, kept);
  lua_settop(L, 6);
  return 1;
}

/* hash(handle) -> string of 16 hexadecimal digits */
static int crowd_hash(lua_State *L) {
  const uint64_t value = wend_crowd_hash(check_crowd_handle(L, 1)->crowd);
  char digits[17];
  (void)snprintf(digits, sizeof digits, "%08lx%08lx", (unsigned long)(value >> 32), (unsigned long)(value & 0xffffffffu));
  lua_pushstring(L, digits);
  return 1;
}

/* bytes(handle) -> number of bytes that the crowd uses */
static int crowd_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_crowd_bytes(check_crowd_handle(L, 1)->crowd));
  return 1;
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

static wend_status encode_crowd(lua_State *L, void *unused, void *bytes, size_t *size) {
  size_t extra_size;
  const char *extra = luaL_checklstring(L, 2, &extra_size);
  (void)unused;
  return wend_crowd_encode(check_crowd_handle(L, 1)->crowd, extra, extra_size, bytes, size);
}

/* encode(handle, data) -> string. data: bytes that are stored with the crowd */
static int crowd_encode(lua_State *L) { return lwend_push_bytes(L, encode_crowd, NULL); }

/* decode(string, map or nil, walls or nil) -> handle, table of walkers by id, data; or nil, "format" or "stale" */
static int crowd_decode(lua_State *L) {
  wend_crowd_opts opts = {NULL, 0, false};
  lwend_crowd *c;
  const void *extra;
  size_t size, extra_size;
  const char *bytes = luaL_checklstring(L, 1, &size);
  wend_status status;
  lua_settop(L, 3);
  if (!lua_isnil(L, 3) && lwend_towalls(L, 3) == NULL) return lwend_type_error(L, 3, "walls", "walls");
  c = push_crowd_handle(L, 2, &opts);
  status = wend_crowd_decode(&lwend_state_of(L)->alloc, &opts, bytes, size, &c->crowd, &extra, &extra_size);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status == WEND_OK && lwend_push_data(L, extra, extra_size)) return 3;
  lua_pushnil(L);
  lua_pushstring(L, wend_status_code(status == WEND_OK ? WEND_FORMAT : status));
  return 2;
}

/* places(handle) -> the world at (0, 0) of the core, x and y; and the length of one unit of the core there */
static int crowd_places(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  lua_pushnumber(L, c->frame.left);
  lua_pushnumber(L, c->frame.top);
  lua_pushnumber(L, c->frame.wide);
  return 3;
}

/* reads(function). wend.decode then calls it with a string that claims to be a crowd, and the options */
static int crowd_reads(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lwend_move_of(L)->crowd_decode_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

int lwend_decode_crowd(lua_State *L) {
  const int ref = lwend_move_of(L)->crowd_decode_ref;
  if (ref == LUA_NOREF) return luaL_error(L, "crowds are read by the module wend: load it first");
  lua_settop(L, 2);
  lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
  lua_insert(L, 1);
  lua_call(L, 2, LUA_MULTRET);
  return lua_gettop(L);
}

void lwend_add_crowds(lua_State *L, lwend_state *state) {
  /* A line for each function. */
  /* clang-format off */
  static const luaL_Reg functions[] = {
      {"add", crowd_add},
      {"again", crowd_again},
      {"aimed", crowd_aimed},
      {"answer", crowd_answer},
      {"answer_points", crowd_answer_points},
      {"width", crowd_width},
      {"room", crowd_room},
      {"fit", crowd_fit},
      {"ask", crowd_ask},
      {"at", crowd_at},
      {"bits", crowd_bits},
      {"bytes", crowd_bytes},
      {"chase", crowd_chase},
      {"costs", crowd_costs},
      {"count", crowd_count},
      {"decode", crowd_decode},
      {"defer", crowd_defer},
      {"encode", crowd_encode},
      {"events", crowd_events},
      {"follow_walls", crowd_follow_walls},
      {"go", crowd_go},
      {"go_group", crowd_go_group},
      {"has", crowd_has},
      {"hash", crowd_hash},
      {"hold", crowd_hold},
      {"influence", crowd_influence},
      {"jams", crowd_jams},
      {"lose", crowd_lose},
      {"make", crowd_make},
      {"near", crowd_near},
      {"note_costs", crowd_note_costs},
      {"note_edits", crowd_note_edits},
      {"next", crowd_next},
      {"place", crowd_place},
      {"places", crowd_places},
      {"positions", crowd_positions},
      {"push", crowd_push},
      {"reaches", crowd_reaches},
      {"reader", crowd_reader},
      {"reads", crowd_reads},
      {"remove", crowd_remove},
      {"replan", crowd_replan},
      {"send", crowd_send},
      {"set", crowd_set},
      {"speeds", crowd_speeds},
      {"stop", crowd_stop},
      {"tags", crowd_tags},
      {"takes", crowd_takes},
      {"touch", crowd_touch},
      {"update", crowd_update},
      {"version", crowd_version},
      {"wants", crowd_wants},
      {NULL, NULL},
  };
  /* clang-format on */
  lua_createtable(L, 0, (int)(sizeof functions / sizeof *functions) - 1);
  lwend_register(L, state, functions);
  lua_setfield(L, -2, "crowds");
}

void lwend_open_crowd(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_metatable(L, "wend.CrowdHandle", state, crowd_gc, &lwend_move_in(state)->crowd);
}
