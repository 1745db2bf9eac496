/* SPDX-License-Identifier: MIT */
/* Paths and their trails. A path is a table: a list of the ids of its nodes, or of x and y of its cells, with the fields
 *   cost      the sum of the costs of its edges
 *   turns_used   with per_turn: the number of turns in which it moves
 *   partial   true if it ends near the goal but not at it
 *   goal      the index of its goal in the list of goals, if there was a list and it ends at a goal
 *   map       the graph or grid
 *   costs, agent, callback, size   the options costs, agent, cost and size of the search, if they were given
 *   trail     a userdata: the map, its version, the age of the costs, and on graphs the ids of the edges
 *
 * A script can change the table. Methods trust only the trail. They check ids and cells of the list each time they read
 * them. The anchor of a trail is the anchor of its map, which keeps the map alive.
 *
 *   { 1, 3, 2, cost = 100, map = g, trail = T }     T: g, version 7, edges { 1, 2 } */
#include <string.h>

#include "lua/base/trail.h"

/* Pushes the name of a field of paths. */
static void push_key(lua_State *L, const lwend_state *state, int field) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->path_key_refs[field]);
}

void lwend_push_path_field(lua_State *L, int index, int field) {
  push_key(L, lwend_state_of(L), field);
  lua_rawget(L, index);
}

/* Pushes the field `trail` of the path at index. NULL: it is not a trail. */
static lwend_trail *push_trail(lua_State *L, const lwend_state *state, int index) {
  push_key(L, state, LWEND_PATH_TRAIL);
  lua_rawget(L, index);
  return lwend_toobject(L, -1, &state->types.trail);
}

lwend_trail *lwend_find_trail(lua_State *L, int index) {
  lwend_trail *t = push_trail(L, lwend_state_of(L), index);
  lua_pop(L, 1);
  return t;
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

/* The options that a path keeps. */
static const struct {
  int field, slot;
} kept[] = {{LWEND_PATH_COSTS, LWEND_COSTS},
            {LWEND_PATH_AGENT, LWEND_AGENT},
            {LWEND_PATH_CALLBACK, LWEND_COST},
            {LWEND_PATH_SIZE, LWEND_SIZE},
            {LWEND_PATH_INFLUENCE, LWEND_INFLUENCE}};

#define ALL_FIELDS ((1u << LWEND_PATH_FIELDS) - 1)

/* Fills a trail. size: of the agent. goal: see wend_path_age. */
static void fill_trail(lwend_trail *t, const lwend_request *request, double size, const wend_id *edges, uint32_t count,
                       wend_id goal) {
  t->map = request->g;
  t->age.seen = request->version;
  t->age.legs = request->search.corners ? WEND_CORNERS : request->legs;
  t->age.goal = goal;
  t->age.size = size;
  if (goal != WEND_NO_ID)
    t->age.value = request->valued ? request->goal_value : wend_goal_value(request->g->map, goal, request->version);
  t->costs = request->age;
  t->outdated = t->looked = t->sieve.filled = false;
  t->serial = ++request->state->serials;
  t->count = count;
  if (count > 0) memcpy(t->edges, edges, count * sizeof *edges);
  t->turned = request->turned, t->turn_count = request->turned ? request->turn_count : 0;
  for (uint32_t i = 0; i < t->turn_count; i++) t->edges[count + i] = request->turn_ends[i];
}

/* Gives the path its trail, and returns it: the old one if it is long enough, otherwise a new one. goal: see wend_path_age. fresh:
 * the path is a new table. */
static lwend_trail *set_trail(lua_State *L, const lwend_request *request, int path, const wend_id *edges, uint32_t count,
                              wend_id goal, bool fresh) {
  const int top = lua_gettop(L);
  lwend_trail *t = fresh ? NULL : push_trail(L, request->state, path);
  const uint32_t turn_count = request->turned ? request->turn_count : 0, needed = count + turn_count;
  const bool watched = t != NULL && t->watched, made = t == NULL || t->capacity < needed;
  if (watched) request->state->refills++;
  if (made) {
    uint32_t capacity = fresh ? needed : needed + needed / 2 + 8; /* a reused table may get longer paths later */
    lwend_state *state = request->state;
    push_key(L, state, LWEND_PATH_TRAIL);
    t = lwend_new(L, sizeof *t + capacity * sizeof *edges, &state->types.trail);
    t->capacity = capacity;
    t->fields = fresh ? 0 : ALL_FIELDS; /* the table may have any */
  }
  if (t->map != request->g) {
    lwend_pushanchor(L, LWEND_MAP);
    lwend_setanchor(L, -2);
  }
  fill_trail(t, request, lwend_has(L, request, LWEND_SIZE) ? lua_tonumber(L, LWEND_SIZE) : 0, edges, count, goal);
  t->watched = watched;
  if (made) lua_rawset(L, path);
  lua_settop(L, top);
  return t;
}

void lwend_push_path(lua_State *L, lwend_request *request) {
  const wend_id *nodes, *edges;
  double cost;
  uint32_t count = wend_search_path(request->searcher->search, &nodes, &edges, &cost);
  request->turn_count = wend_search_turns(request->searcher->search, &request->turn_ends);
  request->turned = request->search.turns.per_turn > 0;
  if (request->along != WEND_NO_ID && count > 0) cost = fmax(cost - request->late[nodes[0] == request->behind], 0);
  lwend_push_path_of(L, request, nodes, edges, count, cost);
}

void lwend_check_nodes(lwend_request *request) {
  const wend_graph *graph = request->g->graph;
  const wend_id *nodes, *edges;
  double cost;
  uint32_t count;
  if (graph == NULL || wend_map_version(request->g->map) == request->version) return;
  if (request->status != WEND_OK && !request->partial_path) return;
  count = wend_search_path(request->searcher->search, &nodes, &edges, &cost);
  for (uint32_t i = 0; i < count && !request->lost; i++) request->lost = !wend_graph_has_node(graph, nodes[i]);
  if (!request->lost) return;
  request->status = WEND_STALE;
  request->partial_path = false;
}

/* The index of the goal where a path ends, from 1, in the list of goals; of equal goals the first. 0: there was no list, or the
 * path ends elsewhere. */
static uint32_t reached_goal(const lwend_request *request, wend_id last) {
  const wend_id *goals = request->searcher->goals;
  uint32_t i = 0;
  if (request->partial_path || request->goal_count == 0) return 0;
  if (request->ranged) last = wend_search_goal(request->searcher->search);
  while (i < request->goal_count && goals[i] != last) i++;
  return i < request->goal_count ? i + 1 : 0;
}

/* Whether the table at index has the metatable of paths. */
static bool is_path(lua_State *L, const lwend_state *state, int index) {
  bool same;
  if (!lua_getmetatable(L, index)) return false;
  same = lua_topointer(L, -1) == state->types.path.identity;
  lua_pop(L, 1);
  return same;
}

/* Gives the table at index the metatable of paths. fresh: it is new; otherwise it may be a route, whose field `edges` would hide
 * the method. */
static void make_path(lua_State *L, const lwend_state *state, int index, bool fresh) {
  if (!fresh && is_path(L, state, index)) return;
  if (!fresh) lwend_empty_result(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->types.path.ref);
  lua_setmetatable(L, index);
}

/* Pushes the name of a field that not every path has, if it must be written: it is given, or the path may have it from `before`. *has:
 * the fields that are given. */
static bool write_key(lua_State *L, const lwend_request *request, uint32_t before, uint32_t *has, int field, bool given) {
  if (given) *has |= 1u << field;
  if (!given && (before & 1u << field) == 0) return false;
  push_key(L, request->state, field);
  return true;
}

/* Writes the nodes or cells of a path, and the fields that each path has. map: the stack index of its map. */
static void write_path(lua_State *L, const lwend_request *request, int path, int map, const wend_id *nodes, uint32_t count,
                       double cost, bool fresh) {
  const wend_grid *grid = request->g->grid;
  const uint32_t width = grid != NULL ? wend_grid_width(grid) : 0, length = grid != NULL ? 2 * count : count;
  for (uint32_t i = 0; i < count && grid == NULL; i++) {
    lwend_pushwhole(L, nodes[i]);
    lua_rawseti(L, path, (int)i + 1);
  }
  for (uint32_t i = 0; i < count && grid != NULL; i++) {
    const uint32_t cell = (uint32_t)(nodes[i] - 1), row = cell / width;
    lwend_pushwhole(L, cell - row * width + 1);
    lua_rawseti(L, path, 2 * (int)i + 1);
    lwend_pushwhole(L, row + 1);
    lua_rawseti(L, path, 2 * (int)i + 2);
  }
  if (!fresh) lwend_cut_list(L, path, length);
  push_key(L, request->state, LWEND_PATH_COST);
  lua_pushnumber(L, cost);
  lua_rawset(L, path);
  push_key(L, request->state, LWEND_PATH_MAP);
  lua_pushvalue(L, map);
  lua_rawset(L, path);
}

void lwend_push_path_of(lua_State *L, const lwend_request *request, const wend_id *nodes, const wend_id *edges, uint32_t count,
                        double cost) {
  const wend_grid *grid = request->g->grid;
  const uint32_t goal = reached_goal(request, nodes[count - 1]);
  const bool fresh = !lwend_has(L, request, LWEND_INTO);
  lwend_trail *trail;
  uint32_t before, has = 0; /* fields that the path may have, and those that it gets */
  int path, length = (int)count * (grid != NULL ? 2 : 1);
  if (fresh) lua_createtable(L, length, 4);
  else lua_pushvalue(L, LWEND_INTO);
  path = lua_gettop(L);
  make_path(L, request->state, path, fresh);
  trail = set_trail(L, request, path, edges, grid != NULL ? 0 : count - 1,
                    request->search.ends.closed && !request->partial_path ? nodes[count - 1] : WEND_NO_ID, fresh);
  before = trail->fields;
  trail->fields = ALL_FIELDS; /* for lack of memory it may end here. Nothing below makes an object, so no finalizer runs */
  write_path(L, request, path, LWEND_MAP, nodes, count, cost, fresh);
  if (write_key(L, request, before, &has, LWEND_PATH_TURNS_USED, request->turned)) {
    if (request->turned) lwend_pushwhole(L, request->turn_count - (request->turn_count > 0 && request->turn_ends[0] == 0));
    else lua_pushnil(L);
    lua_rawset(L, path);
  }
  if (write_key(L, request, before, &has, LWEND_PATH_PARTIAL, request->partial_path)) {
    if (request->partial_path) lua_pushboolean(L, 1);
    else lua_pushnil(L);
    lua_rawset(L, path);
  }
  if (write_key(L, request, before, &has, LWEND_PATH_GOAL, goal > 0)) {
    if (goal > 0) lwend_pushwhole(L, goal);
    else lua_pushnil(L);
    lua_rawset(L, path);
  }
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    if (!write_key(L, request, before, &has, kept[i].field, lwend_has(L, request, kept[i].slot))) continue;
    lua_pushvalue(L, kept[i].slot);
    lua_rawset(L, path);
  }
  trail->fields = has;
}

#define COSTS_FIELD (1u << LWEND_PATH_COSTS)

lwend_trail *lwend_find_refill(lua_State *L, const lwend_state *state, const lwend_map *g, int index) {
  lwend_trail *t;
  if (!lua_istable(L, index) || !is_path(L, state, index)) return NULL;
  t = push_trail(L, state, index);
  lua_pop(L, 1);
  return t != NULL && t->map == g && (t->fields & ~COSTS_FIELD) == 0 ? t : NULL;
}

bool lwend_refill_path(lua_State *L, const lwend_request *request, int path, int costs, lwend_trail *trail) {
  const uint32_t fields = costs > 0 ? COSTS_FIELD : 0, before = trail->fields;
  const wend_id *nodes, *edges;
  double cost;
  const uint32_t count = wend_search_path(request->searcher->search, &nodes, &edges, &cost);
  if (request->g->graph != NULL && count > trail->capacity) return false;
  if (trail->watched) request->state->refills++;
  fill_trail(trail, request, 0, edges, request->g->grid != NULL ? 0 : count - 1, WEND_NO_ID);
  trail->fields |= fields;
  write_path(L, request, path, 1, nodes, count, cost, false);
  if ((fields | before) != 0) {
    push_key(L, request->state, LWEND_PATH_COSTS);
    if (costs > 0) lua_pushvalue(L, costs);
    else lua_pushnil(L);
    lua_rawset(L, path);
  }
  trail->fields = fields;
  return true;
}

void lwend_empty_result(lua_State *L, int index) {
  static const char *const fields[] = {"cost",      "partial", "goal",       "map",   "costs", "agent", "callback",  "size",
                                       "influence", "trail",   "turns_used", "nodes", "edges", "links", "dimensions"};
  const lwend_trail *t;
  if (!lua_istable(L, index)) return;
  t = lwend_find_trail(L, index);
  if (t != NULL && t->watched) lwend_state_of(L)->refills++;
  lwend_cut_list(L, index, 0);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) lwend_setraw_flag(L, index, fields[i], false);
}

void lwend_leave_path(lua_State *L, int index) {
  if (!lua_istable(L, index) || !is_path(L, lwend_state_of(L), index)) return;
  lwend_empty_result(L, index);
  lua_pushnil(L);
  lua_setmetatable(L, index);
}

void lwend_set_points(lua_State *L, int index, const wend_waypoint *waypoints, uint32_t count, int dimensions) {
  const int numbers = (int)count * dimensions;
  for (int i = 0; i < numbers; i++) {
    lua_pushnumber(L, waypoints[i / dimensions].point[i % dimensions]);
    lua_rawseti(L, index, i + 1);
  }
  lwend_cut_list(L, index, (uint32_t)numbers);
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

void lwend_check_path(lua_State *L, int index) {
  if (!lua_istable(L, index)) lwend_type_error(L, index, "self", "a path (call it with a colon: path:method())");
}

lwend_map *lwend_path_map(lua_State *L, int index) {
  lwend_map *map;
  if (!lua_istable(L, index)) return NULL;
  lwend_push_path_field(L, index, LWEND_PATH_MAP);
  map = lwend_tomap(L, -1);
  lua_pop(L, 1);
  return map;
}

lwend_trail *lwend_push_trail(lua_State *L, int index) {
  lwend_trail *t;
  lwend_check_path(L, index);
  t = push_trail(L, lwend_state_of(L), index);
  if (t == NULL || t->map == NULL || lwend_path_map(L, index) != t->map)
    luaL_error(L, "self must be a path, got a table that is empty or was never filled");
  return t;
}

lwend_map *lwend_trail_map(lua_State *L, const lwend_trail *t) { return lwend_check_alive(L, t->map); }

void lwend_push_trail_map(lua_State *L, int index) {
  lwend_pushanchor(L, index);
  lua_rawgeti(L, -1, 0);
  lua_remove(L, -2);
}

const wend_id *lwend_push_trail_edges(lua_State *L, const lwend_trail *t, uint32_t *count) {
  const uint32_t room = t->count;
  wend_id *copy = lua_newuserdata(L, ((size_t)room + 1) * sizeof *copy);
  *count = t->count < room ? t->count : room; /* a finalizer may have put another path there */
  if (*count > 0) memcpy(copy, t->edges, *count * sizeof *copy);
  return copy;
}

void lwend_open_trail(lua_State *L, lwend_state *state) {
  static const char *const keys[] = {"trail",     "map",  "costs",      "agent",   "callback", "size",
                                     "influence", "cost", "turns_used", "partial", "goal"}; /* LWEND_PATH_... */
  lua_newtable(L);
  lwend_metatable(L, "wend.Trail", state, NULL, &state->types.trail);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    lua_pushstring(L, keys[i]);
    state->path_key_refs[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
}
