/* SPDX-License-Identifier: MIT */
/* The argument `points` of wend.curve and wend.follow: a flat list of numbers, a path or a route. It becomes a course of the core,
 * in memory of the searcher. */
#include <limits.h>

#include "base/trail.h"
#include "course.h"

/* Where things lie on the stack while a course is read. */
enum { COURSE_LIST = 1, COURSE_MAP, COURSE_EDGES, COURSE_NODES, COURSE_LINKS, COURSE_DIMENSIONS, COURSE_TRAIL, COURSE_VALUES };

/* A course that is read. */
typedef struct source {
  lua_State *L;
  int base; /* the stack index of LIST is base + COURSE_LIST */
  lwend_map *g;
  const lwend_trail *trail; /* NULL: it is a list of numbers */
  wend_waypoint *points;
  wend_id *legs;
  uint32_t count;
  int dimensions;
} source;

static void push_course_field(lua_State *L, int list, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, list);
}

/* Reads item i, from 1, of the list at index as a whole number. */
static bool listed_whole(lua_State *L, int index, uint32_t i, wend_id *id) {
  bool whole = false;
  if (!lua_istable(L, index)) return false;
  lua_rawgeti(L, index, (int)i);
  whole = lwend_towhole(L, -1, id) != 0;
  lua_pop(L, 1);
  return whole;
}

/* Replaces an object with a method `points` by the list that this returns. *said: the number of dimensions; 0: unknown. */
static void call_points(lua_State *L, int list, int *said) {
  const int top = lua_gettop(L);
  const lwend_map *g;
  uint64_t number = 0;
  *said = 0;
  lwend_getfield(L, list, "points");
  if (!lua_isfunction(L, -1)) {
    lua_settop(L, top);
    return;
  }
  lua_pushvalue(L, list);
  if (lwend_protect(L, lwend_state_of(L), 1, 1)) {
    if (lua_type(L, -1) != LUA_TSTRING || lwend_is_no_memory(L, lua_gettop(L))) lua_error(L);
    luaL_error(L, "%s", lua_tostring(L, -1)); /* with the line of the script */
  }
  if (!lua_istable(L, -1)) {
    luaL_error(L, "points: its method points must return a list of numbers, got %s", lwend_describe(L, top + 1));
  }
  push_course_field(L, top + 1, "dimensions");
  if (lua_isnil(L, -1)) lwend_getfield(L, list, "dimensions");
  if (lua_isnil(L, -1)) {
    g = lwend_path_map(L, list);
    if (g != NULL) *said = g->graph != NULL && g->map != NULL ? wend_graph_dimensions(g->graph) : 2;
  } else {
    if (!lwend_towhole(L, -1, &number) || number < 2 || number > 3) lwend_type_error(L, -1, "dimensions", "2 or 3");
    *said = (int)number;
  }
  lua_settop(L, top + 1);
  lua_replace(L, list);
}

/* The number of dimensions at index; 0: nil. */
static int read_dimensions(lua_State *L, int index) {
  uint64_t number = 0;
  if (lua_isnil(L, index)) return 0;
  if (!lwend_towhole(L, index, &number) || number < 2 || number > 3) lwend_type_error(L, index, "dimensions", "2 or 3");
  return (int)number;
}

/* Reads point i, from 0, of a path. False: it has no such node or cell, or the node has no position. */
static bool read_place(const source *from, uint32_t i, wend_waypoint *to) {
  const lwend_map *g = from->g;
  to->id = WEND_NO_ID;
  if (g->grid != NULL) {
    const wend_id cell = lwend_listed_cell(from->L, from->base + COURSE_LIST, g, (size_t)i + 1);
    if (cell == WEND_NO_ID) return false;
    lwend_body_point(g, cell, from->trail->age.size, &to->point[0], &to->point[1]);
    to->id = cell;
    return true;
  }
  if (!listed_whole(from->L, from->base + COURSE_LIST, i + 1, &to->id) || !wend_graph_has_node(g->graph, to->id)) {
    size_t length;
    const char *name;
    lua_rawgeti(from->L, from->base + COURSE_LIST, (int)i + 1);
    if (lua_type(from->L, -1) == LUA_TSTRING) {
      name = lua_tolstring(from->L, -1, &length);
      to->id = wend_graph_find(g->graph, name, length);
    } else {
      to->id = WEND_NO_ID;
    }
    lua_pop(from->L, 1);
    if (to->id == WEND_NO_ID) return false;
  }
  {
    const double *position = wend_graph_position(g->graph, to->id);
    if (position == NULL) return false;
    for (int d = 0; d < from->dimensions; d++) to->point[d] = position[d];
  }
  return true;
}

/* Reads a path. False: a place cannot be read. */
static bool read_path_course(const source *from) {
  for (uint32_t i = 0; i < from->count; i++) {
    if (!read_place(from, i, &from->points[i])) return false;
    if (i == 0) continue;
    if (from->g->graph != NULL) {
      from->legs[i - 1] = i <= from->trail->count ? from->trail->edges[i - 1] : WEND_NO_ID;
    } else {
      const wend_path_age *age = &from->trail->age;
      const bool jump = wend_grid_is_jump(from->g->grid, from->points[i - 1].id, from->points[i].id, age->legs, age->size);
      from->legs[i - 1] = jump ? WEND_PORTAL_LEG : WEND_NO_ID;
    }
  }
  for (uint32_t i = 0; from->g->grid != NULL && i < from->count; i++) from->points[i].id = WEND_NO_ID; /* no node */
  return true;
}

/* Takes the nodes of a route whose position is the point. *next: the number of nodes that were taken. The last of them. */
static wend_id take_node(const source *from, const double *point, uint32_t *next) {
  wend_id taken = WEND_NO_ID, node;
  for (;;) {
    const double *position;
    int same = 0;
    if (!listed_whole(from->L, from->base + COURSE_NODES, *next + 1, &node) || !wend_graph_has_node(from->g->graph, node))
      return taken;
    position = wend_graph_position(from->g->graph, node);
    while (position != NULL && same < from->dimensions && position[same] == point[same]) same++;
    if (same < from->dimensions) return taken;
    taken = node;
    ++*next;
  }
}

/* Reads a list of numbers. Raises if one is none. */
static void read_list_course(const source *from) {
  lua_State *L = from->L;
  uint32_t nodes = 0;
  for (uint32_t i = 0; i < from->count; i++) {
    wend_waypoint *to = &from->points[i];
    for (int d = 0; d < from->dimensions; d++) {
      const int item = (int)i * from->dimensions + d + 1;
      lua_rawgeti(L, from->base + COURSE_LIST, item);
      to->point[d] = lua_tonumber(L, -1);
      if (lua_type(L, -1) != LUA_TNUMBER || !(to->point[d] >= -WEND_COORDINATE_MAX && to->point[d] <= WEND_COORDINATE_MAX))
        luaL_error(L, "points[%d] must be a finite number (up to 1e150), got %s", item, lwend_describe(L, -1));
      lua_pop(L, 1);
    }
    to->id = from->g != NULL && from->g->graph != NULL ? take_node(from, to->point, &nodes) : WEND_NO_ID;
    if (i == 0) continue;
    if (!listed_whole(L, from->base + COURSE_EDGES, i, &from->legs[i - 1])) from->legs[i - 1] = WEND_NO_ID;
    if (!lua_istable(L, from->base + COURSE_LINKS)) continue;
    lua_rawgeti(L, from->base + COURSE_LINKS, (int)i);
    if (lua_toboolean(L, -1)) from->legs[i - 1] = WEND_PORTAL_LEG;
    lua_pop(L, 1);
  }
}

lwend_map *lwend_read_course(lua_State *L, int given, int wanted, wend_course *course) {
  lwend_state *state = lwend_state_of(L);
  lwend_searcher *searcher = &state->searchers[state->depth];
  const int top = lua_gettop(L);
  source from = {L, top, NULL, NULL, NULL, NULL, 0, 0};
  size_t length, items;
  int said = 0;
  lwend_check_stack(L, COURSE_VALUES + LUA_MINSTACK);
  if (!lua_istable(L, given)) lwend_type_error(L, given, "points", "a list of numbers, a path or a route");
  lua_pushvalue(L, given);
  if (lua_getmetatable(L, top + COURSE_LIST)) {
    const bool path = lua_topointer(L, -1) == state->types.path.identity;
    lua_pop(L, 1);
    if (path) push_course_field(L, top + COURSE_LIST, "trail");
    else lua_pushnil(L);
    from.trail = lwend_toobject(L, -1, &state->types.trail);
    lua_settop(L, top + COURSE_LIST);
    if (from.trail == NULL) call_points(L, top + COURSE_LIST, &said);
  } else {
    push_course_field(L, top + COURSE_LIST, "points");
    if (lua_isfunction(L, -1)) call_points(L, top + COURSE_LIST, &said);
    lua_settop(L, top + COURSE_LIST);
  }
  push_course_field(L, top + COURSE_LIST, "map");
  push_course_field(L, top + COURSE_LIST, "edges");
  push_course_field(L, top + COURSE_LIST, "nodes");
  push_course_field(L, top + COURSE_LIST, "links");
  push_course_field(L, top + COURSE_LIST, "dimensions");
  push_course_field(L, top + COURSE_LIST, "trail");
  /* From here on, nothing runs a finalizer, except errors. */
  from.g = lwend_tomap(L, top + COURSE_MAP);
  if (from.g != NULL && from.g->map == NULL && from.trail == NULL) from.g = NULL;
  if (from.trail != NULL) {
    if (lwend_toobject(L, top + COURSE_TRAIL, &state->types.trail) != from.trail || from.trail->map != from.g)
      luaL_error(L, "points must be a path, got a table that is empty or was never filled");
    lwend_check_alive(L, from.trail->map);
    said = from.g->graph != NULL ? wend_graph_dimensions(from.g->graph) : 2;
  } else if (said == 0) {
    said = read_dimensions(L, top + COURSE_DIMENSIONS);
  }
  if (wanted != 0 && said != 0 && wanted != said) luaL_error(L, "points must have %d dimensions, got %d", wanted, said);
  from.dimensions = wanted != 0 ? wanted : said != 0 ? said : 2;
  length = lua_rawlen(L, top + COURSE_LIST);
  items = from.trail == NULL ? (size_t)from.dimensions : from.g->grid != NULL ? 2 : 1;
  if (length == 0) luaL_error(L, "points must be a list of numbers, a path or a route, got an empty list");
  if (length >= INT_MAX / 8) lwend_no_memory(L);
  if (length % items != 0) luaL_error(L, "points must hold %d numbers per item, got %d numbers", (int)items, (int)length);
  from.count = (uint32_t)(length / items);
  LWEND_GROW(L, state, searcher->waypoints, searcher->waypoints_capacity, from.count);
  LWEND_GROW(L, state, searcher->legs, searcher->legs_capacity, from.count);
  from.points = searcher->waypoints, from.legs = searcher->legs;
  if (from.trail == NULL) {
    read_list_course(&from);
  } else if (!read_path_course(&from)) {
    call_points(L, top + COURSE_LIST, &said); /* raises */
    luaL_error(L, "the path was changed by a finalizer");
  }
  course->points = from.points, course->legs = from.legs, course->count = from.count, course->dimensions = from.dimensions;
  course->map = from.g != NULL ? from.g->map : NULL;
  course->frame = from.g != NULL && from.g->grid != NULL ? &from.g->frame : NULL;
  lua_settop(L, top + COURSE_MAP);
  lua_replace(L, top + COURSE_LIST);
  return from.g;
}
