/* SPDX-License-Identifier: MIT */
/* wend.Path: a table, the ids of its nodes, or x and y of each of its cells, with the fields
 *   cost      the sum of what its edges cost
 *   partial   true where it leads only near the goal
 *   map       the graph or grid
 *   costs, agent, callback   how it was found, where these were given
 *   trail     a userdata: the map, its version, and the ids of the edges, of a graph
 *
 * A script can change the table as it likes. What methods trust is in the trail; ids and cells of the list are checked
 * each time they are read. The anchor of a trail is that of its map, which keeps the map alive. */
#include <limits.h>
#include <string.h>

#include "lwend.h"

struct lwend_trail {
  lwend_map *map;
  uint64_t version; /* of the map, when the path was made */
  uint64_t seen;    /* of the map, when path:valid() last found that nothing had touched the path */
  bool straight; /* over a grid: its cells may be far apart, without links between them */
  uint32_t count, capacity;
  wend_id edges[1];
};

/* Pushes the trail of the path at index, or what it has instead: NULL. */
static lwend_trail *push_trail(lua_State *L, int index, const lwend_state *state) {
  lua_pushliteral(L, "trail");
  lua_rawget(L, index);
  return lwend_toobject(L, -1, state->trail_mt);
}

void lwend_setraw(lua_State *L, int index, const char *key) {
  lua_pushstring(L, key);
  lua_insert(L, -2);
  lua_rawset(L, index);
}

/* The same, where it is not nil or the field has to be overwritten. */
static void set_origin(lua_State *L, int path, const char *key, int value, bool fresh) {
  if (fresh && lua_isnil(L, value)) return;
  lua_pushvalue(L, value);
  lwend_setraw(L, path, key);
}

static void set_trail(lua_State *L, const lwend_query *query, int path, const wend_id *edges, uint32_t count, bool fresh) {
  const int top = lua_gettop(L);
  lwend_trail *t = fresh ? NULL : push_trail(L, path, query->state);
  if (t == NULL || t->capacity < count) {
    uint32_t capacity = fresh ? count : count + count / 2 + 8; /* a table that is used again gets longer paths too */
    lwend_state *state = query->state;
    t = lwend_new(L, sizeof *t + capacity * sizeof *edges, state->trail_ref);
    t->capacity = capacity;
    lua_pushvalue(L, -1);
    lwend_setraw(L, path, "trail");
  }
  if (t->map != query->g) {
    lwend_pushanchor(L, LWEND_MAP);
    lwend_setanchor(L, -2);
  }
  t->map = query->g;
  t->version = t->seen = query->version;
  t->straight = query->straight;
  t->count = count;
  if (count > 0) memcpy(t->edges, edges, count * sizeof *edges);
  lua_settop(L, top);
}

void lwend_push_path(lua_State *L, const lwend_query *query) {
  const wend_id *nodes, *edges;
  double cost;
  uint32_t count = wend_search_path(query->searcher->search, &nodes, &edges, &cost);
  lwend_push_path_of(L, query, nodes, edges, count, cost);
}

void lwend_push_path_of(lua_State *L, const lwend_query *query, const wend_id *nodes, const wend_id *edges, uint32_t count,
                        double cost) {
  const wend_grid *grid = query->g->grid;
  bool fresh = lua_isnil(L, LWEND_INTO);
  int path, old = 0, length = (int)count * (grid != NULL ? 2 : 1);
  if (fresh) {
    lua_createtable(L, length, 4);
  } else {
    lua_pushvalue(L, LWEND_INTO);
    old = (int)lua_rawlen(L, -1);
  }
  path = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, query->state->path_ref);
  lua_setmetatable(L, path);
  set_trail(L, query, path, edges, grid != NULL ? 0 : count - 1, fresh);
  if (grid != NULL) {
    const uint32_t width = wend_grid_width(grid);
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t cell = (uint32_t)(nodes[i] - 1), row = cell / width;
      lwend_pushwhole(L, cell - row * width + 1);
      lua_rawseti(L, path, 2 * (int)i + 1);
      lwend_pushwhole(L, row + 1);
      lua_rawseti(L, path, 2 * (int)i + 2);
    }
  } else {
    for (uint32_t i = 0; i < count; i++) {
      lwend_pushwhole(L, nodes[i]);
      lua_rawseti(L, path, (int)i + 1);
    }
  }
  for (int i = old; i > length; i--) {
    lua_pushnil(L);
    lua_rawseti(L, path, i);
  }
  lua_pushnumber(L, cost);
  lwend_setraw(L, path, "cost");
  if (query->partial_path || !fresh) {
    if (query->partial_path)
      lua_pushboolean(L, 1);
    else
      lua_pushnil(L);
    lwend_setraw(L, path, "partial");
  }
  set_origin(L, path, "map", LWEND_MAP, fresh);
  set_origin(L, path, "costs", LWEND_COSTS, fresh);
  set_origin(L, path, "agent", LWEND_AGENT, fresh);
  set_origin(L, path, "callback", LWEND_COST, fresh);
}

void lwend_empty_path(lua_State *L, int index) {
  static const char *const fields[] = {"cost", "partial", "map", "costs", "agent", "callback", "trail"};
  if (!lua_istable(L, index)) return;
  for (int i = (int)lua_rawlen(L, index); i > 0; i--) {
    lua_pushnil(L);
    lua_rawseti(L, index, i);
  }
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    lua_pushnil(L);
    lwend_setraw(L, index, fields[i]);
  }
}

static void check_self(lua_State *L, int index) {
  if (!lua_istable(L, index)) lwend_type_error(L, index, "self", "a path (call it with a colon: path:method())");
}

lwend_map *lwend_path_map(lua_State *L, int index) {
  lwend_map *map;
  if (!lua_istable(L, index)) return NULL;
  lua_pushliteral(L, "map");
  lua_rawget(L, index);
  map = lwend_tomap(L, -1);
  lua_pop(L, 1);
  return map;
}

lwend_trail *lwend_push_trail(lua_State *L, int index) {
  lwend_trail *t;
  check_self(L, index);
  t = push_trail(L, index, lwend_state_of(L));
  if (t == NULL || t->map == NULL || lwend_path_map(L, index) != t->map)
    luaL_error(L, "self is no path: it is empty, or was never filled");
  return t;
}

lwend_map *lwend_trail_map(lua_State *L, const lwend_trail *t) { return lwend_check_alive(L, t->map); }

void lwend_push_trail_map(lua_State *L, int index) {
  lwend_pushanchor(L, index);
  lua_rawgeti(L, -1, 0);
  lua_remove(L, -2);
}

bool lwend_is_straight(const lwend_trail *t) { return t->straight; }

const wend_id *lwend_push_trail_edges(lua_State *L, const lwend_trail *t, uint32_t *count) {
  const uint32_t room = t->count;
  wend_id *copy = lua_newuserdata(L, ((size_t)room + 1) * sizeof *copy);
  *count = t->count < room ? t->count : room; /* a finalizer may have put another path there */
  if (*count > 0) memcpy(copy, t->edges, *count * sizeof *copy);
  return copy;
}

/* The number of the item that follows, of those of a path at 1, `width` values each; 0: there is none. */
static int next_item(lua_State *L, int width) {
  uint64_t i = 0;
  check_self(L, 1);
  if (!lwend_towhole(L, 2, &i)) lwend_type_error(L, 2, "i", "a whole number >= 0");
  return i < lua_rawlen(L, 1) / (size_t)width && i < INT_MAX / 2 ? (int)i + 1 : 0;
}

/* path, i -> i + 1, node */
static int next_node(lua_State *L) {
  int i = next_item(L, 1);
  if (i == 0) return lua_pushnil(L), 1;
  lua_pushinteger(L, i);
  lua_rawgeti(L, 1, i);
  return 2;
}

/* path, i -> i + 1, x, y */
static int next_cell(lua_State *L) {
  int i = next_item(L, 2);
  if (i == 0) return lua_pushnil(L), 1;
  lua_pushinteger(L, i);
  lua_rawgeti(L, 1, 2 * i - 1);
  lua_rawgeti(L, 1, 2 * i);
  return 3;
}

static int stop(lua_State *L) {
  lua_pushnil(L);
  return 1;
}

/* path:each() -> iterator: i, node, or i, x, y */
static int path_each(lua_State *L) {
  const lwend_map *g;
  check_self(L, 1);
  g = lwend_path_map(L, 1);
  lua_pushcfunction(L, lua_rawlen(L, 1) == 0 ? stop : g != NULL && g->grid != NULL ? next_cell : next_node);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/* path:edges() -> list of ids */
static int path_edges(lua_State *L) {
  const lwend_trail *t = lwend_push_trail(L, 1);
  const wend_id *edges;
  uint32_t count;
  if (lwend_trail_map(L, t)->grid != NULL) luaL_error(L, "the steps of a grid are no edges: they have no ids");
  edges = lwend_push_trail_edges(L, t, &count);
  lua_createtable(L, (int)count, 0);
  for (uint32_t i = 0; i < count; i++) {
    lwend_pushwhole(L, edges[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

/* ---- Points ------------------------------------------------------------------------------------------------ */

/* After so many halvings a point stays where it was. */
#define TRIES 3

double lwend_node_reach(const wend_graph *graph, wend_id node, double jitter) {
  const double radius = wend_graph_radius(graph, node);
  return radius < jitter ? radius : jitter;
}

/* Where a point is moved to by so much of its reach. */
static void move_spot(const lwend_spot *spot, uint64_t seed, int dimensions, double share, double *moved) {
  wend_jitter(seed, spot->id, dimensions, moved);
  for (int d = 0; d < dimensions; d++) {
    double by = moved[d] * spot->reach * share;
    by = by > spot->wide ? spot->wide : by < -spot->wide ? -spot->wide : by;
    moved[d] = spot->point[d] + by;
  }
}

/* Every leg from a point that has been moved to the next, which has not, is free where it was: so the next can stay. */
void lwend_move_spots(lua_State *L, const lwend_map *map, lwend_spot *spots, uint32_t count, int dimensions, uint64_t seed,
                      int clear) {
  const bool asks = !lua_isnil(L, clear);
  bool free_before = false; /* the leg that leads here, from node to node */
  for (uint32_t i = 0; i < count; i++) {
    const bool free_after = asks && i + 1 < count && lwend_is_clear(L, map, clear, spots[i].point, spots[i + 1].point, dimensions);
    const bool bound = asks && ((i > 0 && !free_before) || (i + 1 < count && !free_after)); /* a leg that is not free */
    double share = 1, moved[3];
    for (int k = 0; k < TRIES && !bound && spots[i].reach > 0; k++, share /= 2) {
      move_spot(&spots[i], seed, dimensions, share, moved);
      if (asks && i > 0 && !lwend_is_clear(L, map, clear, spots[i - 1].point, moved, dimensions)) continue;
      if (asks && i + 1 < count && !lwend_is_clear(L, map, clear, moved, spots[i + 1].point, dimensions)) continue;
      memcpy(spots[i].point, moved, sizeof moved);
      break;
    }
    free_before = free_after;
  }
}

void lwend_set_spots(lua_State *L, int index, const lwend_spot *spots, uint32_t count, int dimensions, int old) {
  const int numbers = (int)count * dimensions;
  for (int i = 0; i < numbers; i++) {
    lua_pushnumber(L, spots[i / dimensions].point[i % dimensions]);
    lua_rawseti(L, index, i + 1);
  }
  for (int i = old; i > numbers; i--) {
    lua_pushnil(L);
    lua_rawseti(L, index, i);
  }
}

static void node_spots(lua_State *L, const lwend_map *g, double jitter, lwend_spot *spots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const double *position;
    spots[i].id = lwend_check_listed_node(L, 1, g, "path", i + 1);
    position = wend_graph_position(g->graph, spots[i].id);
    if (position == NULL) luaL_error(L, "node %s has no position", lwend_push_node_text(L, g, spots[i].id));
    memcpy(spots[i].point, position, (size_t)wend_graph_dimensions(g->graph) * sizeof *position);
    spots[i].reach = lwend_node_reach(g->graph, spots[i].id, jitter);
    spots[i].wide = INFINITY;
  }
}

static void cell_spots(lua_State *L, const lwend_map *g, double jitter, lwend_spot *spots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    spots[i].id = lwend_path_cell(L, 1, g, (int)i);
    lwend_cell_point(g, spots[i].id, &spots[i].point[0], &spots[i].point[1]);
    spots[i].reach = jitter;
    spots[i].wide = lwend_cell_size(g) * 0.499;
  }
}

/* What path:points moves. */
typedef struct points_request {
  const lwend_map *g;
  lwend_spot *spots;
  uint32_t count;
  int dimensions;
  uint64_t seed;
} points_request;

/* clear, the request. */
static int protected_points(lua_State *L) {
  const points_request *asked = lua_touserdata(L, 2);
  lwend_move_spots(L, asked->g, asked->spots, asked->count, asked->dimensions, asked->seed, 1);
  return 0;
}

/* path:points([opts]) -> flat list of coordinates */
static int path_points(lua_State *L) {
  static const char *const options[] = {"jitter", "seed", "clear", NULL};
  lwend_state *state = lwend_state_of(L);
  const lwend_trail *t;
  lwend_map *g;
  points_request asked;
  double jitter = 0;
  size_t length;
  int o;
  /* Read. */
  lua_settop(L, 2);
  t = lwend_push_trail(L, 1);
  o = lwend_options(L, 2, options);
  if (!lua_isnil(L, o)) jitter = lwend_check_number(L, o, "jitter", 0, WEND_COORDINATE_MAX);
  if (!lua_isnil(L, o + 1)) (void)lwend_check_seed(L, o + 1);
  if (!lua_isnil(L, o) && lua_isnil(L, o + 1)) luaL_error(L, "jitter needs a seed: the points depend on it");
  lwend_check_clear(L, o + 2);
  length = lua_rawlen(L, 1);
  if (length >= INT_MAX / 4) return lwend_no_memory(L);
  asked.spots = lua_newuserdata(L, (length + 1) * sizeof *asked.spots);
  /* Check. */
  asked.g = g = lwend_trail_map(L, t);
  asked.dimensions = g->graph != NULL ? wend_graph_dimensions(g->graph) : 2;
  asked.count = (uint32_t)length / (g->graph != NULL ? 1 : 2);
  if (g->graph != NULL)
    node_spots(L, g, jitter, asked.spots, asked.count);
  else
    cell_spots(L, g, jitter, asked.spots, asked.count);
  /* Act. */
  if (jitter > 0) {
    asked.seed = lwend_check_seed(L, o + 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, state->points_ref);
    lua_pushvalue(L, o + 2);
    lua_pushlightuserdata(L, &asked);
    lwend_protect_locked(L, state, g, NULL, 2, 0);
  }
  lua_createtable(L, (int)asked.count * asked.dimensions, 0);
  lwend_set_spots(L, lua_gettop(L), asked.spots, asked.count, asked.dimensions, 0);
  return 1;
}

/* ---- Validity ---------------------------------------------------------------------------------------------- */

/* Two versions of the map tell what has touched a path. `seen` is the one at which it was last known to be valid: only what
 * changed after that is looked at. What there was when the path was made, links above all, `version` tells. */

static bool are_edges_valid(lua_State *L, const lwend_map *g, const lwend_trail *t) {
  int nodes = (int)lua_rawlen(L, 1);
  for (uint32_t i = 0; i < t->count; i++)
    if (wend_graph_edge_touched(g->graph, t->edges[i], t->seen)) return false;
  for (int i = 1; i <= nodes; i++) {
    wend_id node;
    bool whole;
    lua_rawgeti(L, 1, i);
    whole = lwend_towhole(L, -1, &node);
    lua_pop(L, 1);
    if (!whole || wend_graph_node_touched(g->graph, node, t->seen)) return false;
  }
  return true;
}

/* Whether a step, in a direction from one cell to the next, is as it was. The cells that a diagonal passes between count as
 * well. walls: some have changed. */
static bool is_step_valid(const wend_grid *grid, wend_id from, wend_id to, int direction, uint64_t seen, bool walls) {
  const int64_t width = wend_grid_width(grid);
  const bool diagonal = (0xa5 >> direction & 1) != 0, down = direction > 4;
  if (wend_grid_touched(grid, to, seen)) return false;
  if (diagonal && (wend_grid_touched(grid, (wend_id)((int64_t)from + (down ? width : -width)), seen) ||
                   wend_grid_touched(grid, (wend_id)((int64_t)to - (down ? width : -width)), seen)))
    return false;
  return !walls || (wend_grid_is_free(grid, from, direction) && (!diagonal || wend_grid_ways_round(grid, from, direction) == 3));
}

/* The same of a straight line. */
static bool is_line_valid(const wend_grid *grid, wend_id from, wend_id to, uint64_t seen, bool walls) {
  wend_line line = wend_line_begin(grid, from, to);
  for (wend_id cell = from; wend_line_next(&line);) {
    const wend_id next = wend_grid_cell(grid, line.x, line.y);
    if (!is_step_valid(grid, cell, next, line.direction, seen, walls)) return false;
    cell = next;
  }
  return true;
}

/* The direction of a step from one cell to a neighbour; -1: it is none. */
static int direction_to(const wend_grid *grid, wend_id a, wend_id b) {
  static const int8_t directions[3][3] = {{0, 1, 2}, {3, -1, 4}, {5, 6, 7}};
  const uint32_t width = wend_grid_width(grid), p = (uint32_t)(a - 1), q = (uint32_t)(b - 1); /* WEND_CELLS_MAX: 32 bits do */
  const uint32_t dy = q / width - p / width + 1, dx = q % width - p % width + 1;
  return dx > 2 || dy > 2 ? -1 : directions[dy][dx];
}

bool lwend_are_neighbours(const wend_grid *grid, wend_id a, wend_id b) { return a == b || direction_to(grid, a, b) >= 0; }

/* Whether the way from one cell of a path to the next is as it was: a step, a link, or a straight leg. Where a link joins
 * neighbours, or the ends of a leg, either may be what was taken. */
static bool is_hop_valid(const wend_grid *grid, wend_id from, wend_id to, const lwend_trail *t, bool walls) {
  const wend_portal_age link = wend_grid_portal_age(grid, from, to, t->version);
  const int direction = direction_to(grid, from, to);
  if (link == WEND_PORTAL_CHANGED || wend_grid_touched(grid, to, t->seen)) return false;
  if (direction >= 0) return is_step_valid(grid, from, to, direction, t->seen, walls);
  if (!t->straight) return link == WEND_PORTAL_SAME;
  return is_line_valid(grid, from, to, t->seen, walls);
}

static bool are_cells_valid(lua_State *L, const lwend_map *g, const lwend_trail *t) {
  const int count = (int)lua_rawlen(L, 1) / 2;
  const bool walls = wend_grid_walls_changed(g->grid, t->seen);
  wend_id before = lwend_path_cell(L, 1, g, 0);
  if (wend_grid_touched(g->grid, before, t->seen)) return false;
  for (int i = 1; i < count; i++) {
    const wend_id cell = lwend_path_cell(L, 1, g, i);
    if (!is_hop_valid(g->grid, before, cell, t, walls)) return false;
    before = cell;
  }
  return true;
}

/* path:valid() -> boolean */
static int path_valid(lua_State *L) {
  lwend_trail *t = lwend_push_trail(L, 1);
  const lwend_map *g = lwend_trail_map(L, t);
  const uint64_t now = wend_map_version(g->map);
  const bool valid = now == t->seen || (g->graph != NULL ? are_edges_valid(L, g, t) : are_cells_valid(L, g, t));
  if (valid) t->seen = now;
  lua_pushboolean(L, valid);
  return 1;
}

static const luaL_Reg methods[] = {
    {"each", path_each}, {"edges", path_edges}, {"points", path_points}, {"valid", path_valid}, {NULL, NULL},
};

void lwend_open_path(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  lwend_register(L, state, methods);
  state->path_ref = lwend_metatable(L, "wend.Path", state, NULL, &state->path_mt);
  lua_newtable(L);
  state->trail_ref = lwend_metatable(L, "wend.Trail", state, NULL, &state->trail_mt);
  state->points_ref = lwend_protected(L, state, protected_points);
}
