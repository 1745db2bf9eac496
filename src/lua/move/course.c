/* SPDX-License-Identifier: MIT */
/* The argument `points` of wend.curve and wend.follow: a flat list of numbers, a path or a route. It becomes a course of the core,
 * in memory of the searcher. */
#include <limits.h>
#include <string.h>

#include "lua/base/trail.h"
#include "lua/move/course.h"

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

/* Reads item i, from 1, of the list at index as a whole number. */
static bool listed_whole(lua_State *L, int index, uint32_t i, wend_id *id) {
  bool whole = false;
  if (!lua_istable(L, index)) return false;
  lua_rawgeti(L, index, (int)i);
  whole = lwend_towhole(L, -1, id) != 0;
  lua_pop(L, 1);
  return whole;
}

/* The number of dimensions at index; 0: nil. */
static int read_dimensions(lua_State *L, int index) {
  uint64_t number = 0;
  if (lua_isnil(L, index)) return 0;
  if (!lwend_towhole(L, index, &number) || number < 2 || number > 3) lwend_type_error(L, index, "dimensions", "2 or 3");
  return (int)number;
}

/* Reads a path. Raises if it has no such node or cell, or a node has no position. */
static void read_path_course(const source *from) {
  lua_State *L = from->L;
  const lwend_map *g = from->g;
  const int list = from->base + COURSE_LIST;
  for (uint32_t i = 0; i < from->count; i++) {
    wend_waypoint *to = &from->points[i];
    to->id = lwend_listed(L, list, g, (size_t)i + 1);
    if (to->id == WEND_NO_ID) {
      (void)lwend_check_listed(L, list, g, "path", (size_t)i + 1);
      luaL_error(L, "the path was changed by a finalizer");
    } else if (g->grid != NULL) {
      const wend_path_age *age = &from->trail->age;
      const bool jump = i > 0 && wend_grid_is_jump(g->grid, from->points[i - 1].id, to->id, age->legs, age->size);
      lwend_body_point(g, to->id, age->size, &to->point[0], &to->point[1]);
      if (i > 0) from->legs[i - 1] = jump ? WEND_PORTAL_LEG : WEND_NO_ID;
    } else {
      const double *position = wend_graph_position(g->graph, to->id);
      if (position == NULL) luaL_error(L, "node %s has no position", lwend_push_node_text(L, g, to->id));
      for (int d = 0; d < from->dimensions; d++) to->point[d] = position[d];
      if (i > 0) from->legs[i - 1] = i <= from->trail->count ? from->trail->edges[i - 1] : WEND_NO_ID;
    }
  }
  for (uint32_t i = 0; g->grid != NULL && i < from->count; i++) from->points[i].id = WEND_NO_ID; /* no node */
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

/* ---- Costs of tags ------------------------------------------------------------------------------------------ */

/* Pushes a copy of the costs of tags. The subject of the request becomes their number. */
static int protected_tags(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  const bool ready = lwend_request_ready(L, request);
  const wend_tag_cost *tags = request->search.costs.tags;
  const uint32_t count = ready && tags != NULL ? wend_map_tag_count(request->g->map) + 1 : 0;
  wend_tag_cost *copy = lua_newuserdata(L, count * sizeof *copy + 1);
  if (count > 0) memcpy(copy, tags, count * sizeof *copy);
  *(uint32_t *)request->subject = count;
  return 1;
}

const wend_tag_cost *lwend_push_path_tags(lua_State *L, int index, uint32_t *count) {
  const lwend_trail *trail = lwend_find_trail(L, index);
  lwend_request request;
  lwend_map *g;
  *count = 0;
  lua_pushnil(L);
  if (trail == NULL) return NULL;
  lwend_push_trail(L, index);
  g = lwend_trail_map(L, trail);
  if (g->grid == NULL) return NULL;
  lwend_push_trail_map(L, lua_gettop(L));
  lwend_request_start(L, &request, g, lua_gettop(L));
  lwend_request_inherit(L, &request, index);
  lua_pushnil(L); /* the functions of edges do not count */
  lua_replace(L, request.frame + LWEND_COST);
  lwend_check_costs(L, &request);
  if (lua_isnil(L, request.frame + LWEND_COSTS)) return NULL;
  request.subject = count;
  (void)lwend_call(L, &request, protected_tags, NULL);
  return lua_touserdata(L, -1);
}

/* ---- Courses ------------------------------------------------------------------------------------------------ */

lwend_map *lwend_read_course(lua_State *L, int given, int wanted, wend_course *course) {
  lwend_state *state = lwend_state_of(L);
  lwend_searcher *searcher = &state->searchers[state->depth];
  const int top = lua_gettop(L);
  source from = {L, top, NULL, NULL, NULL, NULL, 0, 0};
  size_t length, items;
  bool path;
  int said;
  lwend_check_stack(L, COURSE_VALUES + LUA_MINSTACK);
  if (!lua_istable(L, given)) lwend_type_error(L, given, "points", "a list of numbers, a path or a route");
  lua_pushvalue(L, given);
  path = lua_getmetatable(L, top + COURSE_LIST) && lua_topointer(L, -1) == state->types.path.identity;
  lua_settop(L, top + COURSE_LIST);
  lwend_getraw(L, top + COURSE_LIST, "map");
  lwend_getraw(L, top + COURSE_LIST, "edges");
  lwend_getraw(L, top + COURSE_LIST, "nodes");
  lwend_getraw(L, top + COURSE_LIST, "links");
  lwend_getraw(L, top + COURSE_LIST, "dimensions");
  lwend_getraw(L, top + COURSE_LIST, "trail");
  /* From here on, nothing runs a finalizer, except errors. */
  from.g = lwend_tomap(L, top + COURSE_MAP);
  if (from.g != NULL && from.g->map == NULL && !path) from.g = NULL;
  if (path) {
    from.trail = lwend_toobject(L, top + COURSE_TRAIL, &state->types.trail);
    if (from.trail == NULL || from.g == NULL || from.trail->map != from.g)
      luaL_error(L, "points must be a path, got a table that is empty or was never filled");
    lwend_check_alive(L, from.g);
    said = from.g->graph != NULL ? wend_graph_dimensions(from.g->graph) : 2;
  } else {
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
  if (from.trail == NULL) read_list_course(&from);
  else read_path_course(&from);
  course->points = from.points, course->legs = from.legs, course->count = from.count, course->dimensions = from.dimensions;
  course->map = from.g != NULL ? from.g->map : NULL;
  course->frame = from.g != NULL && from.g->grid != NULL ? &from.g->frame : NULL;
  lua_settop(L, top + COURSE_MAP);
  lua_replace(L, top + COURSE_LIST);
  return from.g;
}
