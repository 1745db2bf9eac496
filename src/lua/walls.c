/* SPDX-License-Identifier: MIT */
/* wend.Walls: a userdata with a pointer to the core's walls. NULL: they were freed. */
#include "base/query.h"

/* The walls at index, for methods: self. */
static wend_walls *check_walls(lua_State *L, int index) {
  (void)lwend_check_self(L, index, &lwend_state_of(L)->types.walls);
  return lwend_towalls(L, index);
}

/* wend.walls() -> walls */
int lwend_core_walls(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  wend_walls **walls = lwend_new(L, sizeof *walls, &state->types.walls);
  *walls = wend_walls_create(&state->alloc);
  if (*walls == NULL) return lwend_no_memory(L);
  return 1;
}

static int walls_gc(lua_State *L) {
  wend_walls **walls = lwend_check_self(L, 1, &lwend_state_of(L)->types.walls);
  wend_walls_destroy(*walls);
  *walls = NULL;
  return 0;
}

/* Adds a wall and pushes its id. */
static int add(lua_State *L, wend_walls *walls, wend_wall_kind kind, const double *numbers, uint32_t count) {
  const wend_wall wall = {kind, count, numbers};
  wend_id id;
  if (wend_walls_add(walls, wall, &id) != WEND_OK) lwend_no_memory(L);
  lwend_gc_step(L, lwend_state_of(L));
  return lwend_whole(L, id);
}

/* Spreads the two positions of a call (walls, x1, y1, x2, y2, ...): each may be one value with fields x and y. Returns the
 * walls. Raises if a script has freed them meanwhile. */
static wend_walls *spread_ends(lua_State *L, wend_walls *walls) {
  if (lua_type(L, 2) == LUA_TNUMBER && lua_type(L, 4) == LUA_TNUMBER) return walls;
  lwend_spread(L, 2, 2, "x1");
  lwend_spread(L, 4, 2, "x2");
  return check_walls(L, 1);
}

/* walls:add_segment(x1, y1, x2, y2) -> id */
static int walls_add_segment(lua_State *L) {
  static const char *const names[] = {"x1", "y1", "x2", "y2"};
  wend_walls *walls = check_walls(L, 1);
  double numbers[4];
  walls = spread_ends(L, walls);
  for (int i = 0; i < 4; i++) numbers[i] = lwend_check_coordinate(L, 2 + i, names[i]);
  return add(L, walls, WEND_SEGMENT, numbers, 4);
}

/* walls:add_circle(x, y, r) -> id */
static int walls_add_circle(lua_State *L) {
  wend_walls *walls = check_walls(L, 1);
  double numbers[3];
  if (lua_type(L, 2) != LUA_TNUMBER) {
    lwend_spread(L, 2, 2, "x");
    walls = check_walls(L, 1); /* a script may have freed them */
  }
  numbers[0] = lwend_check_coordinate(L, 2, "x");
  numbers[1] = lwend_check_coordinate(L, 3, "y");
  numbers[2] = lwend_check_number(L, 4, "r", 0, WEND_COORDINATE_MAX);
  return add(L, walls, WEND_CIRCLE, numbers, 3);
}

/* walls:add_polygon(points) -> id */
static int walls_add_polygon(lua_State *L) {
  uint32_t count;
  double *numbers;
  /* Read. */
  (void)check_walls(L, 1);
  count = lwend_check_list(L, 2, "points", 2, "numbers");
  if (count < 3) luaL_error(L, "points must hold at least 3 corners, got %d", (int)count);
  numbers = lua_newuserdata(L, 2 * (size_t)count * sizeof *numbers);
  for (uint32_t i = 0; i < 2 * count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    lua_pushfstring(L, "points[%d]", (int)i + 1);
    numbers[i] = lwend_check_coordinate(L, -2, lua_tostring(L, -1));
    lua_pop(L, 2);
  }
  /* Check again: the userdata may have run a finalizer that freed the walls. Then act. */
  return add(L, check_walls(L, 1), WEND_POLYGON, numbers, 2 * count);
}

/* walls:remove(id) -> walls */
static int walls_remove(lua_State *L) {
  wend_walls *walls = check_walls(L, 1);
  wend_id id = WEND_NO_ID;
  if (!lwend_towhole(L, 2, &id)) lwend_type_error(L, 2, "id", "a wall (its id)");
  if (!wend_walls_has(walls, id)) luaL_error(L, "id: there is no wall %s", lwend_describe(L, 2));
  if (wend_walls_remove(walls, id) != WEND_OK) lwend_no_memory(L);
  return lwend_self(L);
}

/* walls:has(id) -> boolean */
static int walls_has(lua_State *L) {
  wend_walls *walls = check_walls(L, 1);
  wend_id id = WEND_NO_ID;
  if (lua_type(L, 2) != LUA_TNUMBER) lwend_type_error(L, 2, "id", "a wall (its id)");
  return lwend_flag(L, lwend_towhole(L, 2, &id) && wend_walls_has(walls, id));
}

/* walls:clear(x1, y1, x2, y2[, radius]) -> boolean */
static int walls_clear(lua_State *L) {
  static const char *const names[] = {"x1", "y1", "x2", "y2"};
  wend_walls *walls = check_walls(L, 1);
  double ends[4], radius = 0;
  bool clear;
  walls = spread_ends(L, walls);
  for (int i = 0; i < 4; i++) ends[i] = lwend_check_coordinate(L, 2 + i, names[i]);
  if (!lua_isnoneornil(L, 6)) radius = lwend_check_number(L, 6, "radius", 0, WEND_COORDINATE_MAX);
  if (wend_walls_clear(walls, ends, ends + 2, radius, &clear) != WEND_OK) lwend_no_memory(L);
  return lwend_flag(L, clear);
}

/* walls:count() -> number of walls */
static int walls_count(lua_State *L) { return lwend_whole(L, wend_walls_count(check_walls(L, 1))); }

/* walls:bytes() -> number of bytes that the walls use */
static int walls_bytes(lua_State *L) { return lwend_whole(L, wend_walls_bytes(check_walls(L, 1))); }

static wend_status encode_walls(lua_State *L, void *unused, void *bytes, size_t *size) {
  (void)unused;
  return wend_walls_encode(check_walls(L, 1), bytes, size);
}

/* walls:encode() -> string */
static int walls_encode(lua_State *L) {
  (void)check_walls(L, 1);
  return lwend_push_bytes(L, encode_walls, NULL);
}

wend_status lwend_push_decoded_walls(lua_State *L, const void *bytes, size_t size) {
  lwend_state *state = lwend_state_of(L);
  wend_walls **walls = lwend_new(L, sizeof *walls, &state->types.walls);
  return lwend_check_memory(L, wend_walls_decode(&state->alloc, bytes, size, walls));
}

/* The iterator of walls:each. Upvalues: 1 the state, 2 the id that it returned last, 3 the walls. */
static int next_wall(lua_State *L) {
  static const char *const kinds[] = {"segment", "polygon", "circle"};
  const int self = lua_upvalueindex(3);
  wend_walls *walls = check_walls(L, self);
  wend_id id = WEND_NO_ID;
  wend_wall wall;
  (void)lwend_towhole(L, lua_upvalueindex(2), &id);
  do {
    id = wend_walls_next(walls, id);
    if (id == WEND_NO_ID) return lwend_nil(L);
    wall = wend_walls_get(walls, id);
    lua_settop(L, 0);
    lua_pushstring(L, kinds[wall.kind]);
    lua_createtable(L, (int)wall.count, 0);
    walls = check_walls(L, self);
  } while (!wend_walls_has(walls, id)); /* a finalizer may have removed it, or freed all */
  wall = wend_walls_get(walls, id);
  for (uint32_t k = 0; k < wall.count; k++) {
    lua_pushnumber(L, wall.numbers[k]);
    lua_rawseti(L, 2, (int)k + 1);
  }
  lwend_pushwhole(L, id);
  lwend_pushwhole(L, id);
  lua_replace(L, lua_upvalueindex(2));
  return 3;
}

/* walls:each() -> iterator: kind, numbers, id */
static int walls_each(lua_State *L) {
  (void)check_walls(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lwend_pushwhole(L, WEND_NO_ID);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, next_wall, 3);
  return 1;
}

/* tostring(walls) -> "wend.Walls (3)" */
static int walls_tostring(lua_State *L) {
  wend_walls *walls = check_walls(L, 1);
  lua_pushfstring(L, "wend.Walls (%d)", (int)wend_walls_count(walls));
  return 1;
}

void lwend_open_walls(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"add_circle", walls_add_circle},
      {"add_polygon", walls_add_polygon},
      {"add_segment", walls_add_segment},
      {"bytes", walls_bytes},
      {"clear", walls_clear},
      {"count", walls_count},
      {"each", walls_each},
      {"encode", walls_encode},
      {"has", walls_has},
      {"remove", walls_remove},
      {NULL, NULL},
  };
  lwend_type(L, "wend.Walls", "walls", state, methods, walls_gc, walls_tostring, &state->types.walls);
}
