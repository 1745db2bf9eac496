/* SPDX-License-Identifier: MIT */
/* The functions for crowds, for lua/wend/crowd. Scripts see crowds and walkers as objects that are made in Lua. Their list parts
 * hold what these functions read, and scripts can reach it: so every value is read raw and checked.
 *
 *   crowd    { handle, ... }                               handle: a userdata with the crowd of the core
 *   walker   { handle, id, crowd, reason, code, ... }      reason: false, unless it is lost
 *
 * The anchor of a handle is { map, walkers }: walkers[id] is the walker. A crowd calls nothing of the script, so its grid needs
 * no lock.
 *
 * The core counts in cells of the grid: there walkers are discs on the ground, whatever the frame of the grid. Points and vectors
 * are converted by the frame. So on an isometric grid a disc is an ellipse on the screen. Lengths and speeds have no one
 * direction. They are measured along the ground, where the side of a cell is as long as a cell of the frame is wide. Without a
 * grid the core counts in units of the world. */
#include <math.h>
#include <stdio.h>

#include "lwend.h"

typedef struct lwend_crowd {
  wend_crowd *crowd; /* NULL: it was freed */
  lwend_map *of;     /* NULL: it has no map */
  lwend_frame frame; /* of its grid; without one, that of the world */
} lwend_crowd;

static int crowd_gc(lua_State *L) {
  lwend_crowd *c = lwend_toobject(L, 1, lwend_state_of(L)->crowd_mt);
  if (c == NULL) return lwend_type_error(L, 1, "self", "a crowd");
  wend_crowd_destroy(c->crowd);
  c->crowd = NULL;
  return 0;
}

/* The handle at index. Raises if it is something else, or if it or its map was freed. */
static lwend_crowd *check_crowd_handle(lua_State *L, int index) {
  lwend_crowd *c = lwend_toobject(L, index, lwend_state_of(L)->crowd_mt);
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

/* Raises unless the value at index is a coordinate of the world that is near enough. start, size: those of the frame, along the
 * axis. */
static void check_crowd_axis(lua_State *L, int index, const char *what, const lwend_frame *f, double start, double size) {
  const double reach = WEND_CROWD_COORDINATE_MAX * (f->isometric ? size / 2 : size);
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
static void check_crowd_place(lua_State *L, int index, const lwend_crowd *c, double *x, double *y) {
  double cells[2];
  check_crowd_point(L, index, c, "x", "y", cells);
  *x = cells[0], *y = cells[1];
}

/* A length of the world in units of the core, in `least` .. WEND_WALKER_MAX there. */
static double check_crowd_length(lua_State *L, int index, const char *what, double least, const lwend_crowd *c) {
  const double side = c->frame.wide;
  const double value = lwend_check_number(L, index, what, least * side, WEND_WALKER_MAX * side) / side;
  return value < least ? least : value > WEND_WALKER_MAX ? WEND_WALKER_MAX : value;
}

/* Pushes whether an order was carried out: there may be no such walker any more. */
static int push_obeyed(lua_State *L, wend_status status) {
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  lua_pushboolean(L, status == WEND_OK);
  return 1;
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

/* Copies walls into a crowd. A circle of the world is one on the screen. */
static wend_status copy_walls(const lwend_crowd *c, const wend_walls *walls) {
  const lwend_frame *f = &c->frame;
  wend_status status = WEND_OK;
  for (wend_id id = wend_walls_next(walls, WEND_NO_ID); id != WEND_NO_ID && status == WEND_OK;
       id = wend_walls_next(walls, id)) {
    const wend_wall wall = wend_walls_get(walls, id);
    const uint32_t corners = wall.kind == WEND_CIRCLE ? ROUND_CORNERS : wall.count / 2;
    const uint32_t sides = wall.kind == WEND_SEGMENT ? 1 : corners;
    for (uint32_t k = 0; k < sides && status == WEND_OK; k++) {
      double point[2], a[2], b[2];
      wall_corner(&wall, k, point);
      lwend_vector_in_cells(f, point[0] - f->left, point[1] - f->top, a);
      wall_corner(&wall, (k + 1) % corners, point);
      lwend_vector_in_cells(f, point[0] - f->left, point[1] - f->top, b);
      status = wend_crowd_wall(c->crowd, a[0], a[1], b[0], b[1]);
    }
  }
  return status;
}

/* Adds a walker and removes it: from then on the core has the memory that removing needs. So a walker whose table cannot be
 * stored can be removed again. */
static wend_status reserve_removing(const lwend_crowd *c) {
  const wend_walker_opts opts = wend_walker_opts_default();
  wend_id id;
  const wend_status status = wend_crowd_add(c->crowd, &opts, &id);
  return status == WEND_OK ? wend_crowd_remove(c->crowd, id) : status;
}

/* Pushes a handle without a crowd, and its table of walkers, for the map at index; nil: none. Fills opts. */
static lwend_crowd *push_crowd_handle(lua_State *L, int index, wend_crowd_opts *opts) {
  const int handle = lua_gettop(L) + 1;
  lwend_crowd *c = lwend_new(L, sizeof *c, lwend_state_of(L)->crowd_ref);
  lwend_map *g;
  c->frame.wide = c->frame.high = 1;
  lua_createtable(L, 2, 0);
  lua_newtable(L);
  lua_pushvalue(L, index);
  lua_rawseti(L, handle + 1, 1);
  lua_pushvalue(L, handle + 2);
  lua_rawseti(L, handle + 1, 2);
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
  c->of = g;
  return c;
}

/* make(map or nil, walls or nil, seed or nil) -> handle, table of walkers by id */
static int crowd_make(lua_State *L) {
  wend_crowd_opts opts = {NULL, 0};
  lwend_crowd *c;
  const wend_walls *walls;
  wend_status status;
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) opts.seed = lwend_check_seed(L, 3, "seed");
  c = push_crowd_handle(L, 1, &opts);
  walls = lua_isnil(L, 2) ? NULL : lwend_towalls(L, 2);
  if (walls == NULL && !lua_isnil(L, 2)) return lwend_type_error(L, 2, "walls", "walls");
  c->crowd = wend_crowd_create(&lwend_state_of(L)->alloc, &opts);
  if (c->crowd == NULL) return lwend_no_memory(L);
  status = reserve_removing(c);
  if (status == WEND_OK && walls != NULL) status = copy_walls(c, walls);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return luaL_error(L, "walls must lie within 1e9 of the origin");
  return 2;
}

/* add(handle, x, y, radius, speed, patience, priority, groups, avoids, acceleration) -> id. nil: the default; 0.5 and 1.5 are in
 * units of the core */
static int crowd_add(lua_State *L) {
  wend_walker_opts opts = wend_walker_opts_default();
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_id id;
  wend_status status;
  lua_settop(L, 10);
  check_crowd_place(L, 2, c, &opts.x, &opts.y);
  if (!lua_isnil(L, 4)) opts.radius = check_crowd_length(L, 4, "radius", WEND_WALKER_MIN, c);
  if (!lua_isnil(L, 5)) opts.speed = check_crowd_length(L, 5, "speed", 0, c);
  if (lua_type(L, 6) == LUA_TNUMBER) opts.patience = lua_tonumber(L, 6);
  else if (!lua_isnil(L, 6)) return lwend_type_error(L, 6, "patience", "a number > 0");
  if (!lua_isnil(L, 7)) opts.priority = (int32_t)lwend_check_number(L, 7, "priority", -1e9, 1e9);
  if (!lua_isnil(L, 8)) opts.groups = (uint32_t)lwend_check_number(L, 8, "group", 0, UINT32_MAX);
  if (!lua_isnil(L, 9)) opts.avoids = (uint32_t)lwend_check_number(L, 9, "avoids", 0, UINT32_MAX);
  if (!lua_isnil(L, 10)) {
    if (lua_type(L, 10) != LUA_TNUMBER) return lwend_type_error(L, 10, "acceleration", "a number > 0");
    opts.acceleration = lua_tonumber(L, 10) / c->frame.wide;
    if (!(opts.acceleration > 0)) return luaL_error(L, "acceleration must be a number > 0, got %s", lwend_describe(L, 10));
  }
  status = wend_crowd_add(c->crowd, &opts, &id);
  if (status == WEND_NO_MEMORY) return lwend_no_memory(L);
  if (status != WEND_OK) return luaL_error(L, "patience must be a number > 0, got %s", lwend_describe(L, 6));
  lwend_pushwhole(L, id);
  return 1;
}

/* ---- Orders. Each returns whether there is such a walker ------------------------------------------------------ */

/* remove(handle, id) -> boolean */
static int crowd_remove(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  return push_obeyed(L, wend_crowd_remove(c->crowd, to_walker(L, 2)));
}

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

/* lead(handle, id, points) -> boolean. false: also if the walker does not go anywhere */
static int crowd_lead(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  uint32_t count;
  const double *points = push_crowd_points(L, 3, c, &count);
  c = check_crowd_handle(L, 1);
  return push_obeyed(L, wend_crowd_lead(c->crowd, to_walker(L, 2), points, count));
}

/* The subject of a request for the prices of tags. */
typedef struct walker_way {
  const lwend_crowd *c;
  wend_id walker;
  wend_crowd_way way;
  bool lead;
} walker_way;

static int push_way(lua_State *L, const walker_way *order) {
  return push_obeyed(L, order->lead ? wend_crowd_lead_way(order->c->crowd, order->walker, &order->way)
                                    : wend_crowd_follow(order->c->crowd, order->walker, &order->way));
}

static int protected_way(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  walker_way *order = request->subject;
  /* The numbers of tags do not change. So prices for an older version of the map are good enough. */
  if (lwend_request_ready(L, request) && request->search.costs.tags != NULL) {
    order->way.tags = request->search.costs.tags;
    order->way.tag_count = wend_map_tag_count(request->g->map) + 1;
  }
  if (order->c->crowd == NULL) luaL_error(L, "the crowd is gone"); /* a function of the script may have freed it */
  return push_way(L, order);
}

/* Pushes a userdata with the indexes of the points where a link begins. The points are those of the path at index. */
static const uint32_t *push_way_links(lua_State *L, int index, const lwend_map *g, bool straight, uint32_t points,
                                      uint32_t *count) {
  wend_id a = WEND_NO_ID, b = WEND_NO_ID;
  const uint32_t cells = (uint32_t)(lua_rawlen(L, index) / 2);
  uint32_t *links = lua_newuserdata(L, (size_t)points * sizeof *links);
  *count = 0;
  if (g->map == NULL || !wend_grid_next_portal(g->grid, &a, &b)) return links;
  a = lwend_listed_cell(L, index, g, 1);
  for (uint32_t i = 0; i + 1 < points && i + 1 < cells; i++, a = b) {
    b = lwend_listed_cell(L, index, g, (size_t)i + 2);
    if (a != WEND_NO_ID && b != WEND_NO_ID && wend_grid_is_jump(g->grid, a, b, straight)) links[(*count)++] = i;
  }
  return links;
}

/* follow(handle, id, points, path, lead) -> boolean. points: those of the path, a path of the grid of the crowd; the walker takes
 * its links, and keeps to its ground. lead: as lead above. Runs the functions of tags of the costs of the path */
static int crowd_follow(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  walker_way order = {NULL, 0, {NULL, NULL, NULL, 0, 0, 0, true}, false};
  lwend_request request;
  const lwend_trail *trail;
  lwend_map *g;
  /* Read. */
  lua_settop(L, 6); /* 6: no options */
  order.c = check_crowd_handle(L, 1);
  order.walker = to_walker(L, 2), order.lead = lua_toboolean(L, 5) != 0;
  trail = lwend_push_trail(L, 4); /* at 7 */
  g = lwend_trail_map(L, trail);
  order.way.points = push_crowd_points(L, 3, order.c, &order.way.count);
  lwend_push_trail_map(L, 7);
  lwend_request_start(L, &request, state, g, lua_gettop(L));
  lwend_read_options(L, &request, 6, LWEND_FOR_COSTS);
  lwend_request_inherit(L, &request, 4);
  lua_pushnil(L); /* the functions of edges do not count */
  lua_replace(L, request.frame + LWEND_COST);
  lwend_check_costs(L, &request);
  if (g->grid != NULL) {
    order.way.links = push_way_links(L, 4, g, trail->age.straight, order.way.count, &order.way.link_count);
  }
  /* Check again: a finalizer may have freed it. */
  order.c = check_crowd_handle(L, 1);
  if (g->grid == NULL || order.c->of != g) return luaL_error(L, "path must be one of the grid of the crowd");
  /* Act. */
  if (lua_isnil(L, request.frame + LWEND_COSTS)) return push_way(L, &order);
  request.subject = &order;
  return lwend_call(L, &request, state->way_ref, lwend_undo_nothing);
}

/* go_group(handle, walkers, x, y) -> boolean. walkers: a list */
static int crowd_go_group(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  const uint32_t count = lwend_check_list(L, 2, "walkers", 1, "walkers");
  double goal[2];
  wend_id *ids = lua_newuserdata(L, (size_t)count * sizeof *ids + 1);
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = WEND_NO_ID;
    lua_rawgeti(L, 2, (int)i + 1);
    if (lua_istable(L, -1)) {
      lua_rawgeti(L, -1, 2);
      ids[i] = to_walker(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  c = check_crowd_handle(L, 1);
  check_crowd_place(L, 3, c, &goal[0], &goal[1]);
  return push_obeyed(L, wend_crowd_go_group(c->crowd, ids, count, goal, 1));
}

/* stop(handle, id) -> boolean */
static int crowd_stop(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  return push_obeyed(L, wend_crowd_stop(c->crowd, to_walker(L, 2)));
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
  double x, y;
  check_crowd_place(L, 3, c, &x, &y);
  return push_obeyed(L, wend_crowd_place(c->crowd, to_walker(L, 2), x, y));
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

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

/* events(handle, list, n) -> n. Adds walker, kind for each event of the last update to a list of n items. kind: a number */
static int crowd_events(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  uint32_t count;
  uint64_t at = 0;
  const wend_crowd_event *list;
  luaL_checktype(L, 2, LUA_TTABLE);
  if (!lwend_towhole(L, 3, &at) || at > INT32_MAX / 2) return lwend_type_error(L, 3, "n", "a number of items");
  push_walkers(L);
  list = wend_crowd_events(c->crowd, &count); /* what follows runs no script */
  for (uint32_t i = 0; i < count; i++) {
    push_walker(L, 4, list[i].id);
    if (!lua_istable(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    lua_rawseti(L, 2, (int)at + 1);
    lwend_pushwhole(L, (uint64_t)list[i].kind);
    lua_rawseti(L, 2, (int)at + 2);
    at += 2;
  }
  lwend_pushwhole(L, at);
  return 1;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* What a script reads of a walker. The names are in this order. */
enum {
  W_X,
  W_Y,
  W_VX,
  W_VY,
  W_HEADING,
  W_STATE,
  W_RADIUS,
  W_SPEED,
  W_ACCELERATION,
  W_GOAL_X,
  W_GOAL_Y,
  W_HELD,
  W_CROSSING,
  W_BLOCKED_BY,
  W_REASON,
  W_CODE
};
static const char *const walker_fields[] = {"x",        "y",          "vx",           "vy",     "heading", "state",
                                            "radius",   "speed",      "acceleration", "goal_x", "goal_y",  "held",
                                            "crossing", "blocked_by", "reason",       "code",   NULL};
/* The places of a walker. */
enum { AT_HANDLE = 1, AT_ID, AT_CROWD, AT_REASON, AT_CODE };

static void push_walker_state(lua_State *L, const wend_walker_info *info) {
  static const char *const states[] = {"waiting", "moving", "arrived", "stuck"};
  lua_rawgeti(L, 1, AT_REASON);
  lua_pushstring(L, lua_toboolean(L, -1) ? "lost" : states[info->state]);
}

static void push_walker_field(lua_State *L, const lwend_crowd *c, const wend_walker_info *info, int field) {
  const lwend_frame *f = &c->frame;
  double world[2];
  switch (field) {
    case W_X:
    case W_Y:
      lwend_to_world(f, info->x, info->y, world);
      lua_pushnumber(L, world[field == W_Y]);
      break;
    case W_VX:
    case W_VY:
      lwend_vector_to_world(f, info->vx, info->vy, world);
      lua_pushnumber(L, world[field == W_VY]);
      break;
    case W_HEADING:
      world[0] = info->face_x, world[1] = info->face_y;
      if (lwend_is_framed(f)) lwend_vector_to_world(f, info->face_x, info->face_y, world);
      lua_pushnumber(L, atan2(world[1], world[0]));
      break;
    case W_STATE: push_walker_state(L, info); break;
    case W_RADIUS: lua_pushnumber(L, info->radius * f->wide); break;
    case W_SPEED: lua_pushnumber(L, info->speed * f->wide); break;
    case W_ACCELERATION: lua_pushnumber(L, info->acceleration * f->wide); break;
    case W_GOAL_X:
    case W_GOAL_Y:
      lwend_to_world(f, info->goal_x, info->goal_y, world);
      lua_pushnumber(L, world[field == W_GOAL_Y]);
      break;
    case W_HELD: lua_pushboolean(L, info->held); break;
    case W_CROSSING: lua_pushboolean(L, info->crossing); break;
    case W_BLOCKED_BY:
      if (info->blocked_by == WEND_NO_ID) {
        lua_pushnil(L);
      } else {
        lua_rawgeti(L, 1, AT_HANDLE);
        lwend_pushanchor(L, -1);
        lua_rawgeti(L, -1, 2);
        push_walker(L, lua_gettop(L), info->blocked_by);
      }
      break;
    default:
      lua_rawgeti(L, 1, field == W_REASON ? AT_REASON : AT_CODE);
      if (!lua_toboolean(L, -1)) lua_pushnil(L);
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
  lua_rawgeti(L, 1, AT_ID);
  id = to_walker(L, 4);
  lua_rawgeti(L, 1, AT_HANDLE);
  c = check_crowd_handle(L, 5);
  lua_settop(L, 2);
  if (wend_crowd_get(c->crowd, id, &info) != WEND_OK) {
    if (field == W_STATE) lua_pushliteral(L, "removed");
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
  for (int i = 0; walker_fields[i] != NULL; i++) {
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

/* at(handle, id) -> x, y, where a new way of the walker begins: after the last step, or at the end of its link; nothing if
 * there is no such walker */
static int crowd_at(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_walker_info info;
  double point[2];
  if (wend_crowd_get(c->crowd, to_walker(L, 2), &info) != WEND_OK) return 0;
  lwend_to_world(&c->frame, info.start_x, info.start_y, point);
  lua_pushnumber(L, point[0]);
  lua_pushnumber(L, point[1]);
  return 2;
}

/* takes(handle, field): raises unless a field leads to its goals on the grid of the crowd
 * takes(handle, x, y): raises unless the position is near enough */
static int crowd_takes(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double x, y;
  if (lua_type(L, 2) == LUA_TNUMBER) return check_crowd_place(L, 2, c, &x, &y), 0;
  if (c->of == NULL || c->of->grid == NULL) return luaL_error(L, "field: the map of the crowd must be a grid");
  (void)lwend_check_reach(L, 2, c->of, false, "field");
  return 0;
}

/* has(handle, id) -> boolean */
static int crowd_has(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  lua_pushboolean(L, wend_crowd_has(c->crowd, to_walker(L, 2)));
  return 1;
}

/* next(handle, id) -> the walker after id in the order of slots, and its id; id nil: the first one; nil: there is none */
static int crowd_next(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  wend_id id = to_walker(L, 2);
  lua_settop(L, 2);
  push_walkers(L);
  for (;;) {
    id = wend_crowd_next(c->crowd, id);
    lua_settop(L, 3);
    if (id == WEND_NO_ID) return lua_pushnil(L), 1;
    push_walker(L, 3, id);
    if (lua_istable(L, -1)) break;
  }
  lwend_pushwhole(L, id);
  return 2;
}

/* count(handle) -> number of walkers */
static int crowd_count(lua_State *L) {
  lwend_pushwhole(L, wend_crowd_count(check_crowd_handle(L, 1)->crowd));
  return 1;
}

/* positions(handle, into) -> into, filled with x, y of each walker */
static int crowd_positions(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  int at = 0, length;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  length = (int)lua_rawlen(L, 2);
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
  for (; length > at; length--) {
    lua_pushnil(L);
    lua_rawseti(L, 2, length);
  }
  return 1;
}

/* near(handle, x, y, r) -> list of walkers */
static int crowd_near(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double x, y, r;
  uint32_t room, count;
  wend_id *ids;
  check_crowd_place(L, 2, c, &x, &y);
  r = lwend_check_number(L, 4, "r", 0, WEND_COORDINATE_MAX) / c->frame.wide;
  lua_settop(L, 1);
  room = wend_crowd_near(c->crowd, x, y, r, NULL, 0);
  ids = lua_newuserdata(L, (size_t)room * sizeof *ids + 1);
  lua_createtable(L, (int)room, 0);
  push_walkers(L);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it, or moved walkers */
  count = wend_crowd_near(c->crowd, x, y, r, ids, room);
  for (uint32_t i = 0, at = 0; i < count && i < room; i++) {
    push_walker(L, 4, ids[i]);
    if (lua_istable(L, -1)) lua_rawseti(L, 3, (int)++at);
    else lua_pop(L, 1);
  }
  lua_settop(L, 3);
  return 1;
}

/* jams(handle, list) -> n. Fills the list with n numbers, for each walker of wend_crowd_jams: id; x, y and radius in units of the
 * core, from its origin; pace */
static int crowd_jams(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  uint32_t room, count;
  wend_crowd_jam *jams;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  room = wend_crowd_jams(c->crowd, NULL, 0);
  jams = lua_newuserdata(L, (size_t)room * sizeof *jams + 1);
  c = check_crowd_handle(L, 1); /* a finalizer may have freed it, or moved walkers */
  count = wend_crowd_jams(c->crowd, jams, room);
  if (count > room) count = room;
  if (count > INT32_MAX / 5) return lwend_no_memory(L);
  for (uint32_t i = 0; i < count; i++) {
    const double numbers[] = {jams[i].x, jams[i].y, jams[i].radius, jams[i].pace};
    lwend_pushwhole(L, jams[i].id);
    lua_rawseti(L, 2, (int)(5 * i + 1));
    for (uint32_t k = 0; k < 4; k++) {
      lua_pushnumber(L, numbers[k]);
      lua_rawseti(L, 2, (int)(5 * i + 2 + k));
    }
  }
  lwend_pushwhole(L, 5 * (uint64_t)count);
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

/* encode(handle, data) -> string. data: bytes that are stored with the crowd */
static int crowd_encode(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  size_t extra_size, size, room;
  const char *extra = luaL_checklstring(L, 2, &extra_size);
  void *bytes;
  (void)wend_crowd_encode(c->crowd, extra, extra_size, NULL, &size);
  do {
    room = size;
    lua_settop(L, 2);
    bytes = lua_newuserdata(L, room);
    c = check_crowd_handle(L, 1); /* a finalizer may have freed or changed it */
    (void)wend_crowd_encode(c->crowd, extra, extra_size, NULL, &size);
  } while (size > room);
  if (wend_crowd_encode(c->crowd, extra, extra_size, bytes, &size) != WEND_OK) return lwend_no_memory(L);
  lua_pushlstring(L, bytes, size);
  return 1;
}

/* decode(string, map or nil) -> handle, table of walkers by id, data; or nil, "format" or "stale" */
static int crowd_decode(lua_State *L) {
  wend_crowd_opts opts = {NULL, 0};
  lwend_crowd *c;
  const void *extra;
  size_t size, extra_size;
  const char *bytes = luaL_checklstring(L, 1, &size);
  wend_status status;
  lua_settop(L, 2);
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

/* ground(handle, dx, dy) -> the vector of the world along the ground, in the unit of lengths. Of square cells it is the same */
static int crowd_ground(lua_State *L) {
  const lwend_crowd *c = check_crowd_handle(L, 1);
  double v[2] = {luaL_checknumber(L, 2), luaL_checknumber(L, 3)};
  if (lwend_is_framed(&c->frame)) {
    lwend_vector_in_cells(&c->frame, v[0], v[1], v);
    v[0] *= c->frame.wide, v[1] *= c->frame.wide;
  }
  lua_pushnumber(L, v[0]);
  lua_pushnumber(L, v[1]);
  return 2;
}

/* reads(function). wend.decode then calls it with a string that claims to be a crowd, and the options */
static int crowd_reads(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lwend_state_of(L)->crowd_decode_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

int lwend_decode_crowd(lua_State *L) {
  const int ref = lwend_state_of(L)->crowd_decode_ref;
  if (ref == LUA_NOREF) return luaL_error(L, "crowds are read by the module wend: load it first");
  lua_settop(L, 2);
  lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
  lua_insert(L, 1);
  lua_call(L, 2, LUA_MULTRET);
  return lua_gettop(L);
}

/* core.crowds() -> the functions of this file. Works once. */
int lwend_core_crowds(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  /* A line for each function. */
  /* clang-format off */
  static const luaL_Reg functions[] = {
      {"add", crowd_add},
      {"at", crowd_at},
      {"bytes", crowd_bytes},
      {"count", crowd_count},
      {"decode", crowd_decode},
      {"encode", crowd_encode},
      {"events", crowd_events},
      {"follow", crowd_follow},
      {"go", crowd_go},
      {"go_group", crowd_go_group},
      {"ground", crowd_ground},
      {"has", crowd_has},
      {"hash", crowd_hash},
      {"hold", crowd_hold},
      {"jams", crowd_jams},
      {"lead", crowd_lead},
      {"make", crowd_make},
      {"near", crowd_near},
      {"next", crowd_next},
      {"place", crowd_place},
      {"places", crowd_places},
      {"positions", crowd_positions},
      {"push", crowd_push},
      {"reader", crowd_reader},
      {"reads", crowd_reads},
      {"remove", crowd_remove},
      {"stop", crowd_stop},
      {"takes", crowd_takes},
      {"update", crowd_update},
      {NULL, NULL},
  };
  /* clang-format on */
  if (state->crowds_taken) luaL_error(L, "the functions of crowds are taken: load wend.core anew as well");
  state->crowds_taken = true;
  lua_createtable(L, 0, (int)(sizeof functions / sizeof *functions) - 1);
  lwend_register(L, state, functions);
  return 1;
}

void lwend_open_crowd(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  state->crowd_decode_ref = LUA_NOREF;
  state->way_ref = lwend_protected(L, state, protected_way);
  state->crowd_ref = lwend_metatable(L, "wend.CrowdHandle", state, crowd_gc, &state->crowd_mt);
}
