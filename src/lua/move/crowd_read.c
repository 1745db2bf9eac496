/* SPDX-License-Identifier: MIT */
/* What scripts read of crowds and of their walkers. */

#include <math.h>

#include "lua/move/crowd.h"
#include "lua/query/field.h"

/* What a script reads of a walker. message and all after it are in the table of the walker, under their names with an underscore. */
#define WALKER_FIELDS(field)                                                                                                 \
  field(x) field(y) field(height) field(vx) field(vy) field(heading) field(state) field(radius) field(speed)                 \
      field(acceleration) field(patience) field(priority) field(goal_x) field(goal_y) field(paused) field(crossing)          \
          field(blocked_by) field(message) field(code) field(group) field(avoids) field(agent) field(costs) field(influence) \
              field(speeds) field(squeeze) field(links) field(own_points) field(map)
#define FIELD_NUMBER(name) W_##name,
enum { WALKER_FIELDS(FIELD_NUMBER) W_END };
#define FIELD_NAME(name) #name,
static const char *const walker_fields[] = {WALKER_FIELDS(FIELD_NAME)};

/* One that was sent somewhere is moving at once, though it goes on as before until there is a plan. */
static void push_walker_state(lua_State *L, const wend_walker_info *info) {
  static const char *const states[] = {"waiting", "moving", "arrived", "stuck"};
  lwend_push_own(L, 1, "_message");
  lua_pushstring(L, lua_toboolean(L, -1) ? "lost" : states[info->ordered ? WEND_WALKER_MOVING : info->state]);
}

/* Pushes the link that a walker has crossed last: { x, y, to_x, to_y, tag }. */
static void push_link(lua_State *L, const lwend_crowd *c, const wend_walker_info *info) {
  static const char *const keys[] = {"x", "y", "to_x", "to_y"};
  double world[4];
  size_t length;
  const char *name;
  lwend_to_world(&c->frame, info->cross_x, info->cross_y, world);
  lwend_to_world(&c->frame, info->cross_to_x, info->cross_to_y, world + 2);
  lua_createtable(L, 0, 5);
  for (int i = 0; i < 4; i++) {
    lua_pushnumber(L, world[i]);
    lua_setfield(L, -2, keys[i]);
  }
  name = c->of == NULL || c->of->map == NULL ? NULL : wend_map_tag_name(c->of->map, info->cross_tag, &length);
  if (name == NULL) return;
  lua_pushlstring(L, name, length);
  lua_setfield(L, -2, "tag");
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
    case W_height: lua_pushnumber(L, info->height); break;
    case W_vx:
    case W_vy:
      lwend_vector_to_world(f, info->vx, info->vy, world);
      lua_pushnumber(L, world[field == W_vy]);
      break;
    case W_heading:
      world[0] = info->face_x, world[1] = info->face_y;
      if (f->isometric || f->high != f->wide) lwend_vector_to_world(f, info->face_x, info->face_y, world);
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
    case W_paused: lua_pushboolean(L, info->paused); break;
    case W_crossing:
      if (info->crossing) push_link(L, c, info);
      else lua_pushboolean(L, 0);
      break;
    case W_blocked_by:
      if (info->blocked_by == WEND_NO_ID || info->ordered) {
        lua_pushnil(L);
      } else {
        lwend_push_own(L, 1, "_handle");
        lwend_pushanchor(L, -1);
        lua_rawgeti(L, -1, 2);
        lwend_push_walker(L, lua_gettop(L), info->blocked_by);
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
  lwend_push_own(L, 1, "_id");
  id = lwend_to_walker(L, 4);
  lwend_push_own(L, 1, "_handle");
  c = lwend_check_crowd_handle(L, 5);
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

/* at(handle, id) -> x, y after the last step, the vector to where it looks, whether it has arrived, also if it was sent somewhere
 * since, and whether it is in a wall; nothing if there is no such walker */
static int crowd_at(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_walker_info info;
  double point[2];
  if (wend_crowd_get(c->crowd, lwend_to_walker(L, 2), &info) != WEND_OK) return 0;
  lwend_to_world(&c->frame, info.exact_x, info.exact_y, point);
  lua_pushnumber(L, point[0]);
  lua_pushnumber(L, point[1]);
  lwend_vector_to_world(&c->frame, info.face_x, info.face_y, point);
  lua_pushnumber(L, point[0]);
  lua_pushnumber(L, point[1]);
  lua_pushboolean(L, info.state == WEND_WALKER_ARRIVED);
  lua_pushboolean(L, info.in_wall);
  return 6;
}

/* link(handle, id) -> the link that a walker has crossed last, or crosses: { x, y, to_x, to_y, tag } */
static int crowd_link(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_walker_info info;
  if (wend_crowd_get(c->crowd, lwend_to_walker(L, 2), &info) != WEND_OK) return 0;
  push_link(L, c, &info);
  return 1;
}

/* takes(handle, field) -> whether a field leads to the goals that it was made with: it does not after arithmetic. Raises unless it
 * can be followed on the grid of the crowd */
static int crowd_takes(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  if (c->of == NULL || c->of->grid == NULL) return luaL_error(L, "field: the map of the crowd must be a grid");
  return lwend_flag(L, !lwend_check_field(L, 2, c->of, LWEND_INWARD, "field")->changed);
}

/* goals(handle, field, made) -> a number for the contents of a field; the cells of its goals, for `area`; false: it has none, or
 * one. Nothing if the number is `made` */
static int crowd_goals(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const lwend_field *f = lwend_check_field(L, 2, c->of, LWEND_INWARD, "field");
  const double made = (double)f->made + (double)wend_field_version(f->field);
  uint32_t count = 0, room = 0;
  wend_id *cells;
  lua_settop(L, 3);
  if (lua_tonumber(L, 3) == made) return 0;
  for (wend_id at = wend_field_each(f->field, WEND_NO_ID); at != WEND_NO_ID; at = wend_field_each(f->field, at)) {
    if (wend_field_next(f->field, at) == WEND_NO_ID) room++;
  }
  lua_pushnumber(L, made);
  if (room < 2) return lua_pushboolean(L, 0), 2;
  cells = lua_newuserdata(L, room * sizeof *cells);
  f = lwend_check_field(L, 2, lwend_check_crowd_handle(L, 1)->of, LWEND_INWARD,
                        "field"); /* a finalizer may have done anything */
  for (wend_id at = wend_field_each(f->field, WEND_NO_ID); at != WEND_NO_ID; at = wend_field_each(f->field, at)) {
    if (wend_field_next(f->field, at) == WEND_NO_ID && count < room) cells[count++] = at;
  }
  for (; count < room; count++) cells[count] = WEND_NO_ID; /* `area` takes none of them */
  return 2;
}

/* ends(handle, field) -> a flat list of the cells of a field that cost least, out of date or not: its goals. None after
 * arithmetic */
static int crowd_ends(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  const lwend_field *f;
  double least = INFINITY, cost;
  int n = 0;
  lua_settop(L, 2);
  lua_newtable(L);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have done anything */
  f = lwend_check_field(L, 2, c->of, LWEND_INWARD, "field");
  if (f->changed) return 1;
  for (wend_id at = wend_field_each(f->field, WEND_NO_ID); at != WEND_NO_ID; at = wend_field_each(f->field, at)) {
    if (wend_field_cost(f->field, at, &cost)) least = fmin(least, cost);
  }
  for (wend_id at = wend_field_each(f->field, WEND_NO_ID); at != WEND_NO_ID; at = wend_field_each(f->field, at)) {
    if (!wend_field_cost(f->field, at, &cost) || cost > least) continue;
    (void)lwend_push_id(L, c->of, at); /* what follows runs no script */
    lua_rawseti(L, 3, n + 2);
    lua_rawseti(L, 3, n + 1);
    n += 2;
  }
  return 1;
}

/* owns(handle, map) -> whether a map is that of the crowd, or an overlay of it. Raises if such an overlay was freed */
static int crowd_owns(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lwend_map *given = lwend_tomap(L, 2);
  const lwend_map *map = given;
  while (map != NULL && map != c->of) map = map->base;
  if (map != NULL) (void)lwend_check_alive(L, given);
  return lwend_flag(L, map != NULL);
}

/* Pushes the walker that comes after the id at 2, and its id; nil: there is none. */
static int push_next_walker(lua_State *L, wend_id (*next)(const wend_crowd *, wend_id)) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  wend_id id = lwend_to_walker(L, 2);
  lua_settop(L, 2);
  lwend_push_walkers(L);
  do {
    id = next(c->crowd, id);
    lua_settop(L, 3);
    if (id == WEND_NO_ID) return lua_pushnil(L), 1;
    lwend_push_walker(L, 3, id);
  } while (!lua_istable(L, -1));
  lwend_pushwhole(L, id);
  return 2;
}

/* wants(handle, id) -> the walker after id that wants a plan, and its id; id nil: the first one; nil: there is none */
static int crowd_wants(lua_State *L) { return push_next_walker(L, wend_crowd_wants); }

/* has(handle, id) -> boolean */
static int crowd_has(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  lua_pushboolean(L, wend_crowd_has(c->crowd, lwend_to_walker(L, 2)));
  return 1;
}

/* next(handle, id) -> the walker after id in the order of slots, and its id; id nil: the first one; nil: there is none */
static int crowd_next(lua_State *L) { return push_next_walker(L, wend_crowd_next); }

/* count(handle) -> number of walkers */
static int crowd_count(lua_State *L) {
  lwend_pushwhole(L, wend_crowd_count(lwend_check_crowd_handle(L, 1)->crowd));
  return 1;
}

/* positions(handle, into) -> into, filled with x, y of each walker */
static int crowd_positions(lua_State *L) {
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
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
  const lwend_crowd *c = lwend_check_crowd_handle(L, 1);
  double at[2], r, limit;
  uint32_t room, count, kept = 0;
  wend_id *ids;
  bool nearest;
  lwend_check_crowd_place(L, 2, c, at);
  r = lwend_check_number(L, 4, "r", 0, WEND_COORDINATE_MAX) / c->frame.wide;
  nearest = !lua_isnoneornil(L, 5);
  limit = nearest ? lwend_check_number(L, 5, "limit", 1, INFINITY) : INFINITY;
  luaL_checktype(L, 6, LUA_TTABLE);
  lua_settop(L, 6);
  if (wend_crowd_near(c->crowd, at[0], at[1], r, false, NULL, 0, &room) != WEND_OK) return lwend_no_memory(L);
  if (limit < room) room = (uint32_t)limit;
  ids = lua_newuserdata(L, (size_t)room * sizeof *ids + 1);
  lwend_push_walkers(L);
  c = lwend_check_crowd_handle(L, 1); /* a finalizer may have freed it, or moved walkers */
  if (wend_crowd_near(c->crowd, at[0], at[1], r, nearest, ids, room, &count) != WEND_OK) return lwend_no_memory(L);
  for (uint32_t i = 0; i < count && i < room; i++) {
    lwend_push_walker(L, 8, ids[i]);
    if (lua_istable(L, -1)) lua_rawseti(L, 6, (int)++kept);
    else lua_pop(L, 1);
  }
  lwend_cut_list(L, 6, kept);
  lua_settop(L, 6);
  return 1;
}

/* hash(handle) -> string of 16 hexadecimal digits */
static int crowd_hash(lua_State *L) {
  const uint64_t value = wend_crowd_hash(lwend_check_crowd_handle(L, 1)->crowd);
  char digits[17];
  (void)snprintf(digits, sizeof digits, "%08lx%08lx", (unsigned long)(value >> 32), (unsigned long)(value & 0xffffffffu));
  lua_pushstring(L, digits);
  return 1;
}

/* bytes(handle) -> number of bytes that the crowd uses */
static int crowd_bytes(lua_State *L) {
  lwend_pushwhole(L, wend_crowd_bytes(lwend_check_crowd_handle(L, 1)->crowd));
  return 1;
}

void lwend_add_crowd_readers(lua_State *L, lwend_state *state) {
  /* A line for each function. */
  /* clang-format off */
  static const luaL_Reg functions[] = {
      {"at", crowd_at},
      {"bytes", crowd_bytes},
      {"count", crowd_count},
      {"ends", crowd_ends},
      {"has", crowd_has},
      {"goals", crowd_goals},
      {"hash", crowd_hash},
      {"link", crowd_link},
      {"near", crowd_near},
      {"next", crowd_next},
      {"owns", crowd_owns},
      {"positions", crowd_positions},
      {"reader", crowd_reader},
      {"takes", crowd_takes},
      {"wants", crowd_wants},
      {NULL, NULL},
  };
  /* clang-format on */
  lua_getfield(L, -1, "crowds");
  lwend_register(L, state, functions);
  lua_pop(L, 1);
}
