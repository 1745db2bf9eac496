/* SPDX-License-Identifier: MIT */
/* The functions for crowds, for lua/wend/move/crowd: making them, orders, time and files. crowd.h says how scripts see them;
 * crowd_plans.c has plans, crowd_read.c what crowds tell. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lua/move/crowd.h"

#define FINE 1048576.0 /* parts of the length of a direction that is kept */

static int crowd_gc(lua_State *L) {
  lwend_crowd *c = lwend_toobject(L, 1, &lwend_move_of(L)->crowd);
  if (c == NULL) return lwend_type_error(L, 1, "self", "a crowd");
  wend_crowd_destroy(c->crowd);
  c->crowd = NULL;
  return 0;
}

lwend_crowd *lwend_check_crowd_handle(lua_State *L, int index) {
  lwend_crowd *c = lwend_toobject(L, index, &lwend_move_of(L)->crowd);
  if (c == NULL) lwend_type_error(L, index, "self", "a crowd");
  if (c->crowd == NULL) luaL_error(L, "the crowd is gone");
  if (c->of != NULL) lwend_check_alive(L, c->of);
  return c;
}

wend_id lwend_to_walker(lua_State *L, int index) {
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

void lwend_check_crowd_place(lua_State *L, int index, const lwend_crowd *c, double *cells) {
  check_crowd_point(L, index, c, "x", "y", cells);
}

/* A length of the world in units of the core, in `least` .. WEND_WALKER_MAX there. */
static double check_crowd_length(lua_State *L, int index, const char *what, double least, const lwend_crowd *c) {
  const double side = c->frame.wide;
  const double value = lwend_check_number(L, index, what, least * side, WEND_WALKER_MAX * side) / side;
  return value < least ? least : value > WEND_WALKER_MAX ? WEND_WALKER_MAX : value;
}

void lwend_push_own(lua_State *L, int index, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, index);
}

int lwend_push_obeyed(lua_State *L, wend_status status) {
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  return lwend_flag(L, status == WEND_OK);
}

/* An order without arguments for the walker whose handle and id are at 1 and 2. */
static int obey(lua_State *L, wend_status (*order)(wend_crowd *, wend_id)) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  return lwend_push_obeyed(L, order(c->crowd, lwend_to_walker(L, 2)));
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
  if (g != NULL) lwend_check_squares(L, lwend_check_alive(L, g), "a crowd");
  if (g != NULL && g->grid != NULL) {
    c->frame = g->frame;
    opts->grid = g->grid;
  }
  opts->plans = g != NULL;
  c->of = g;
  return c;
}

/* make(map or nil, walls or nil, seed or nil, tall or nil) -> handle, table of walkers by id */
static int crowd_make(lua_State *L) {
  wend_crowd_opts opts = {NULL, 0, false, 0};
  lwend_crowd *c;
  lua_settop(L, 4);
  if (!lua_isnil(L, 3)) opts.seed = lwend_check_seed(L, 3, "seed");
  if (!lua_isnil(L, 4)) opts.tall = lwend_check_number(L, 4, "tall", WEND_WALKER_MIN, WEND_WALKER_MAX);
  if (!lua_isnil(L, 2) && lwend_towalls(L, 2) == NULL) return lwend_type_error(L, 2, "walls", "walls");
  c = push_crowd_handle(L, 1, &opts);
  if (c->of != NULL && (c->of->grid != NULL ? opts.tall > 0 : wend_graph_dimensions(c->of->graph) != (opts.tall > 0 ? 3 : 2))) {
    return luaL_error(L, "map must be a graph of %d dimensions", opts.tall > 0 ? 3 : 2);
  }
  c->crowd = wend_crowd_create(&lwend_state_of(L)->alloc, &opts);
  if (c->crowd == NULL || reserve_removing(c) != WEND_OK) return lwend_no_memory(L);
  follow_walls(L, 5, c);
  return 2;
}

/* Reads a setting of a walker at index; nil: it stays. 0.5 and 1.5, the defaults, are in units of the core. */
static void read_setting(lua_State *L, int index, const char *name, const lwend_crowd *c, wend_walker_opts *opts) {
  const double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
  if (strcmp(name, "squeeze") == 0) { /* nil: the default; false: never */
    opts->squeeze = lua_isnil(L, index) ? wend_walker_opts_default().squeeze : lua_toboolean(L, index) ? number : INFINITY;
    if (!(opts->squeeze > 0)) luaL_error(L, "squeeze must be a number > 0 or false, got %s", lwend_describe(L, index));
  }
  if (strcmp(name, "links") == 0) { /* nil: the default */
    static const char *const words[] = {"cost", "jump", "walk"};
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : lua_isnil(L, index) ? words[0] : "";
    int i = 0;
    while (i < 3 && strcmp(word, words[i]) != 0) i++;
    if (i == 3) luaL_error(L, "links must be 'cost', 'jump' or 'walk', got %s", lwend_describe(L, index));
    opts->links = (wend_walker_links)i;
    return;
  }
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
  } else if (strcmp(name, "squeeze") != 0) { /* acceleration, patience */
    if (!(number > 0)) luaL_error(L, "%s must be a number > 0, got %s", name, lwend_describe(L, index));
    if (strcmp(name, "patience") == 0) opts->patience = number;
    else opts->acceleration = number / c->frame.wide;
  }
}

/* add(handle, x, y, radius, speed, acceleration, patience, priority, group, avoids, squeeze,
 * links) -> id. nil: the default. group, avoids: bits */
static int crowd_add(lua_State *L) {
  static const char *const names[] = {"radius", "speed",  "acceleration", "patience", "priority",
                                      "group",  "avoids", "squeeze",      "links"};
  wend_walker_opts opts = wend_walker_opts_default();
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double at[2];
  wend_id id;
  wend_status status;
  lua_settop(L, 12);
  lwend_check_crowd_place(L, 2, c, at);
  opts.x = at[0], opts.y = at[1];
  for (int i = 0; i < 9; i++) read_setting(L, 4 + i, names[i], c, &opts);
  status = wend_crowd_add(c->crowd, &opts, &id);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return luaL_error(L, "acceleration is too small"); /* it has become 0 in units of the core */
  lwend_pushwhole(L, id);
  return 1;
}

/* set(handle, id, name, value) -> boolean. Changes a setting; name: as above */
static int crowd_set(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const wend_id id = lwend_to_walker(L, 2);
  wend_walker_info info;
  lua_settop(L, 4);
  if (wend_crowd_get(c->crowd, id, &info) != WEND_OK) return lwend_flag(L, false);
  read_setting(L, 4, luaL_checkstring(L, 3), c, &info.settings);
  return lwend_push_obeyed(L, wend_crowd_set(c->crowd, id, &info.settings));
}

/* bits(handle, id) -> the bits of its groups, and of the groups that it avoids. nil: it avoids all */
static int crowd_bits(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_walker_info info;
  if (wend_crowd_get(c->crowd, lwend_to_walker(L, 2), &info) != WEND_OK) return 0;
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

double *lwend_push_crowd_points(lua_State *L, int index, const lwend_crowd *c, uint32_t *count) {
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
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  uint32_t count;
  const double *points = lwend_push_crowd_points(L, 3, c, &count);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it */
  return lwend_push_obeyed(L, wend_crowd_go(c->crowd, lwend_to_walker(L, 2), points, count));
}

double *lwend_push_heights(lua_State *L, int index, uint32_t *count) {
  double *heights;
  *count = lwend_check_list(L, index, "heights", 1, "numbers");
  heights = lua_newuserdata(L, (size_t)*count * sizeof *heights + 1);
  for (uint32_t i = 0; i < *count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    heights[i] =
        lwend_check_number(L, lua_gettop(L), "the height of a point", -WEND_CROWD_COORDINATE_MAX, WEND_CROWD_COORDINATE_MAX);
    lua_pop(L, 1);
  }
  return heights;
}

/* rise(handle, id, height or nil, heights or nil) -> boolean: the height of a walker, and those of the points of its route, a list */
static int crowd_rise(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  uint32_t count = 0;
  double height = 0, *heights = NULL;
  wend_status status;
  lua_settop(L, 4);
  if (!lua_isnil(L, 3)) height = lwend_check_number(L, 3, "height", -WEND_CROWD_COORDINATE_MAX, WEND_CROWD_COORDINATE_MAX);
  if (!lua_isnil(L, 4)) heights = lwend_push_heights(L, 4, &count);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it */
  status = wend_crowd_rise(c->crowd, lwend_to_walker(L, 2), lua_isnil(L, 3) ? NULL : &height, heights, count);
  return lwend_push_obeyed(L, status);
}

/* send(handle, id, x, y) -> boolean; send(handle, id): without a goal. Raises unless the position is near enough */
static int crowd_send(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double goal[2];
  lua_settop(L, 4);
  if (lua_isnil(L, 3)) return lwend_push_obeyed(L, wend_crowd_send(c->crowd, lwend_to_walker(L, 2), NULL));
  lwend_check_crowd_place(L, 3, c, goal);
  return lwend_push_obeyed(L, wend_crowd_send(c->crowd, lwend_to_walker(L, 2), goal));
}

/* again(handle, id, x, y) -> boolean: whether that is the order which the walker has */
static int crowd_again(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double goal[2];
  lwend_check_crowd_place(L, 3, c, goal);
  return lwend_push_obeyed(L, wend_crowd_repeat(c->crowd, lwend_to_walker(L, 2), goal));
}

/* aimed(handle, id, x, y) -> boolean: whether the walker was last sent there, also if it has stopped */
static int crowd_aimed(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double goal[2];
  lua_settop(L, 4);
  lua_pushboolean(L, to_crowd_point(L, 3, c, goal) && wend_crowd_aimed(c->crowd, lwend_to_walker(L, 2), goal));
  return 1;
}

/* reaches(handle, x, y) -> whether a walker can be sent there: whether these are numbers that `send` takes */
static int crowd_reaches(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
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
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const uint64_t time = lwend_state_of(L)->clock;
  lwend_pushwhole(L, (c->of != NULL ? wend_map_version(c->of->map) : 0) + time);
  lwend_pushwhole(L, time);
  return 2;
}

/* Pushes a userdata with the offsets in the list at index, two for each of `count` walkers. turn: they are measured along the
 * ground. */
static const double *push_offsets(lua_State *L, int index, const lwend_crowd *c, uint32_t count, bool turn) {
  double *offsets = lua_newuserdata(L, 2 * (size_t)count * sizeof *offsets + 1);
  for (uint32_t i = 0; i < count; i++) {
    double *to = offsets + 2 * (size_t)i;
    lua_rawgeti(L, index, (int)(2 * i) + 1);
    lua_rawgeti(L, index, (int)(2 * i) + 2);
    if (turn) to[0] = lua_tonumber(L, -2) / c->frame.wide, to[1] = lua_tonumber(L, -1) / c->frame.wide;
    else lwend_vector_in_cells(&c->frame, lua_tonumber(L, -2), lua_tonumber(L, -1), to);
    if (!(fabs(to[0]) <= WEND_CROWD_COORDINATE_MAX && fabs(to[1]) <= WEND_CROWD_COORDINATE_MAX)) {
      luaL_error(L, "formation[%d] and formation[%d] are too far from the goal", (int)(2 * i) + 1, (int)(2 * i) + 2);
    }
    lua_pop(L, 2);
  }
  return offsets;
}

/* Pushes a userdata with the ids of the walkers in the list at 2. */
static const wend_id *push_list_of_walkers(lua_State *L, uint32_t *count) {
  wend_id *ids;
  *count = lwend_check_list(L, 2, "walkers", 1, "walkers");
  ids = lua_newuserdata(L, (size_t)*count * sizeof *ids + 1);
  for (uint32_t i = 0; i < *count; i++) {
    ids[i] = WEND_NO_ID;
    lua_rawgeti(L, 2, (int)i + 1);
    if (lua_istable(L, -1)) {
      lwend_push_own(L, lua_gettop(L), "_id");
      ids[i] = lwend_to_walker(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return ids;
}

/* go_group(handle, walkers, x, y, anew, offsets, turn, together) -> boolean; nil: it is the order that they have. walkers: a list.
 * anew: it is another one, also if it leads to the same place. offsets: a list of two numbers for each walker; true: as they
 * stand; nil: none */
static int crowd_go_group(lua_State *L) {
  wend_crowd_formation formation = {NULL, false, false, false};
  wend_status status;
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double goal[2];
  uint32_t count;
  const wend_id *ids;
  lua_settop(L, 8);
  ids = push_list_of_walkers(L, &count);
  formation.turn = lua_toboolean(L, 7), formation.together = lua_toboolean(L, 8), formation.keep = lua_isboolean(L, 6);
  if (lua_istable(L, 6)) formation.offsets = push_offsets(L, 6, c, count, formation.turn);
  c = lwend_check_crowd_handle(L, 1);
  lwend_check_crowd_place(L, 3, c, goal);
  if (!lua_toboolean(L, 5) && wend_crowd_repeat_group(c->crowd, ids, count, goal) == WEND_OK) return 0;
  status = wend_crowd_go_group(c->crowd, ids, count, goal, 1);
  if (status == WEND_OK && (formation.offsets != NULL || formation.keep || formation.together)) {
    status = wend_crowd_form(c->crowd, ids, count, &formation);
  }
  return lwend_push_obeyed(L, status);
}

/* Reads a chase: at index the id of the target, or nil, then the number of a target of the script, the distance, or nil, and
 * the angle, or nil. */
static wend_chase to_chase(lua_State *L, int index, const lwend_crowd *c) {
  wend_chase chase = {WEND_NO_ID, UINT32_MAX, -1, !lua_isnil(L, index + 3), 0};
  if (!lua_isnil(L, index)) chase.walker = lwend_to_walker(L, index);
  else chase.target = (uint32_t)lwend_check_number(L, index + 1, "target", 0, UINT32_MAX - 1);
  if (!lua_isnil(L, index + 2)) chase.distance = lwend_check_finite(L, index + 2, "distance") / c->frame.wide;
  if (chase.distance > DBL_MAX) chase.distance = DBL_MAX;
  if (chase.turned) chase.angle = lwend_check_finite(L, index + 3, "angle");
  return chase;
}

/* chase(handle, id, target, number, distance, angle) -> boolean; see to_chase. chase(handle, id): it chases no more */
static int crowd_chase(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_chase chase;
  lua_settop(L, 6);
  if (lua_isnil(L, 3) && lua_isnil(L, 4)) return lwend_push_obeyed(L, wend_crowd_chase(c->crowd, lwend_to_walker(L, 2), NULL));
  chase = to_chase(L, 3, c);
  return lwend_push_obeyed(L, wend_crowd_chase(c->crowd, lwend_to_walker(L, 2), &chase));
}

/* surround(handle, walkers, target, number, distance) -> boolean; nil: it is the order that they have */
static int crowd_surround(lua_State *L) {
  uint32_t count;
  const wend_id *ids;
  const lwend_crowd *c;
  wend_chase chase;
  lua_settop(L, 6); /* no angle */
  ids = push_list_of_walkers(L, &count);
  c = lwend_check_crowd_handle(L, 1);
  chase = to_chase(L, 3, c);
  if (wend_crowd_surrounds(c->crowd, ids, count, &chase)) return 0;
  return lwend_push_obeyed(L, wend_crowd_surround(c->crowd, ids, count, &chase));
}

/* target(handle, number, x, y, radius, heading) -> how many chase it, at least. x nil: it is gone */
static int crowd_target(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_chase_target target = {INFINITY, INFINITY, 0, 0, 0};
  const double number = lwend_check_number(L, 2, "target", 0, UINT32_MAX - 1);
  uint32_t chasers;
  double cells[2];
  wend_status status;
  lua_settop(L, 6);
  if (!lua_isnil(L, 3)) {
    const double x = lwend_check_finite(L, 3, "x"), y = lwend_check_finite(L, 4, "y"),
                 heading = lwend_check_finite(L, 6, "heading");
    double face[2];
    lwend_vector_in_cells(&c->frame, x - c->frame.left, y - c->frame.top, cells);
    for (int k = 0; k < 2; k++) cells[k] = fmax(-DBL_MAX, fmin(cells[k], DBL_MAX)); /* too far away, and not gone */
    wend_crowd_turn(heading, &face[0], &face[1]);
    /* Headings of followers differ in the last digit from machine to machine. */
    for (int k = 0; k < 2; k++) face[k] = floor(face[k] * FINE + 0.5) / FINE;
    target.x = cells[0], target.y = cells[1];
    lwend_vector_in_cells(&c->frame, face[0], face[1], face);
    target.face_x = face[0], target.face_y = face[1];
    target.radius = lwend_check_finite(L, 5, "radius") / c->frame.wide;
  }
  status = wend_crowd_target(c->crowd, (uint32_t)number, &target, &chasers);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return luaL_error(L, "radius must be a number >= 0");
  lwend_pushwhole(L, chasers);
  return 1;
}

/* retarget(handle, id, number) -> boolean: whether it chases a target of the script, which now has this number. number nil:
 * whether it chases at all */
static int crowd_retarget(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_walker_info info;
  double number;
  lua_settop(L, 3);
  if (wend_crowd_get(c->crowd, lwend_to_walker(L, 2), &info) != WEND_OK || !info.chasing) return lwend_flag(L, false);
  if (lua_isnil(L, 3)) return lwend_flag(L, true);
  number = lwend_check_number(L, 3, "target", 0, UINT32_MAX - 1);
  return lwend_push_obeyed(L, wend_crowd_retarget(c->crowd, lwend_to_walker(L, 2), (uint32_t)number));
}

/* pause(handle, id, paused) -> boolean */
static int crowd_pause(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  return lwend_push_obeyed(L, wend_crowd_pause(c->crowd, lwend_to_walker(L, 2), lua_toboolean(L, 3) != 0));
}

/* rush(handle, id, rushes) -> boolean. rushes: it does not slow down before its goal */
static int crowd_rush(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  return lwend_push_obeyed(L, wend_crowd_rush(c->crowd, lwend_to_walker(L, 2), lua_toboolean(L, 3) != 0));
}

/* push(handle, id, vx, vy) -> boolean */
static int crowd_push(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const double vx = lwend_check_finite(L, 3, "vx"), vy = lwend_check_finite(L, 4, "vy");
  double v[2];
  lwend_vector_in_cells(&c->frame, vx, vy, v);
  if (!(sqrt(v[0] * v[0] + v[1] * v[1]) <= WEND_WALKER_MAX)) return luaL_error(L, "vx and vy must be a velocity up to 1e6");
  return lwend_push_obeyed(L, wend_crowd_push(c->crowd, lwend_to_walker(L, 2), v[0], v[1]));
}

/* place(handle, id, x, y) -> boolean */
static int crowd_place(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double at[2];
  lwend_check_crowd_place(L, 3, c, at);
  return lwend_push_obeyed(L, wend_crowd_place(c->crowd, lwend_to_walker(L, 2), at[0], at[1]));
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

/* follow_walls(handle). The core gets the walls as they are now */
static int crowd_follow_walls(lua_State *L) {
  follow_walls(L, 1, lwend_check_crowd_handle(L, 1));
  return 0;
}

/* update(handle, dt, max_steps) -> steps, dropped seconds, number of events */
static int crowd_update(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
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

void lwend_push_walkers(lua_State *L) {
  lwend_pushanchor(L, 1);
  lua_rawgeti(L, -1, 2);
  lua_remove(L, -2);
}

void lwend_push_walker(lua_State *L, int walkers, wend_id id) {
  lwend_pushwhole(L, id);
  lua_rawget(L, walkers);
}

/* events(handle, list) -> n. Fills the first n items of a list with walker, kind for each event of the last update. kind: a number */
static int crowd_events(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  uint32_t count;
  int at = 0;
  const wend_crowd_event *list;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  lwend_push_walkers(L);
  list = wend_crowd_events(c->crowd, &count); /* what follows runs no script */
  for (uint32_t i = 0; i < count; i++) {
    lwend_push_walker(L, 3, list[i].id);
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

/* ---- Files -------------------------------------------------------------------------------------------------- */

static wend_status encode_crowd(lua_State *L, void *unused, void *bytes, size_t *size) {
  size_t extra_size;
  const char *extra = luaL_checklstring(L, 2, &extra_size);
  (void)unused;
  return wend_crowd_encode(lwend_check_crowd_handle(L, 1)->crowd, extra, extra_size, bytes, size);
}

/* encode(handle, data) -> string. data: bytes that are stored with the crowd */
static int crowd_encode(lua_State *L) { return lwend_push_bytes(L, encode_crowd, NULL); }

/* decode(string, map or nil, walls or nil) -> handle, table of walkers by id, data; or nil, "format" or "stale" */
static int crowd_decode(lua_State *L) {
  wend_crowd_opts opts = {NULL, 0, false, 0};
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
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
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
      {"bits", crowd_bits},
      {"chase", crowd_chase},
      {"decode", crowd_decode},
      {"encode", crowd_encode},
      {"events", crowd_events},
      {"follow_walls", crowd_follow_walls},
      {"go", crowd_go},
      {"go_group", crowd_go_group},
      {"pause", crowd_pause},
      {"lose", crowd_lose},
      {"make", crowd_make},
      {"place", crowd_place},
      {"places", crowd_places},
      {"push", crowd_push},
      {"reaches", crowd_reaches},
      {"reads", crowd_reads},
      {"remove", crowd_remove},
      {"retarget", crowd_retarget},
      {"rise", crowd_rise},
      {"rush", crowd_rush},
      {"send", crowd_send},
      {"set", crowd_set},
      {"stop", crowd_stop},
      {"surround", crowd_surround},
      {"target", crowd_target},
      {"touch", crowd_touch},
      {"update", crowd_update},
      {"version", crowd_version},
      {NULL, NULL},
  };
  /* clang-format on */
  lua_newtable(L);
  lwend_register(L, state, functions);
  lua_setfield(L, -2, "crowds");
}

void lwend_open_crowd(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_metatable(L, "wend.CrowdHandle", state, crowd_gc, &lwend_move_in(state)->crowd);
}
