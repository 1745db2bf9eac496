/* SPDX-License-Identifier: MIT */
/* wend.Path: the methods of paths. base/trail.c makes paths and describes their fields.
 *
 * A path is a table that scripts can change. Each method checks the ids or cells that it reads, and takes everything else
 * from the trail. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/costs.h"
#include "base/trail.h"

/* ---- Iterating ---------------------------------------------------------------------------------------------- */

/* The number, from 1, of the item after item i (at 2) of the path at 1. An item has `width` values. 0: there is none. */
static int next_item(lua_State *L, int width) {
  uint64_t i = 0;
  lwend_check_path(L, 1);
  if (!lwend_towhole(L, 2, &i)) lwend_type_error(L, 2, "i", "a whole number >= 0");
  return i < lua_rawlen(L, 1) / (size_t)width && i < INT_MAX / 2 ? (int)i + 1 : 0;
}

/* path, i -> i + 1, node */
static int next_path_node(lua_State *L) {
  int i = next_item(L, 1);
  if (i == 0) return lwend_nil(L);
  lua_pushinteger(L, i);
  lua_rawgeti(L, 1, i);
  return 2;
}

/* path, i -> i + 1, x, y */
static int next_cell(lua_State *L) {
  int i = next_item(L, 2);
  if (i == 0) return lwend_nil(L);
  lua_pushinteger(L, i);
  lua_rawgeti(L, 1, 2 * i - 1);
  lua_rawgeti(L, 1, 2 * i);
  return 3;
}

/* The iterator of an empty path. */
static int stop(lua_State *L) { return lwend_nil(L); }

/* path:each() -> iterator: i, node; on a grid i, x, y */
static int path_each(lua_State *L) {
  const lwend_map *g;
  lwend_check_path(L, 1);
  g = lwend_path_map(L, 1);
  lua_pushcfunction(L, lua_rawlen(L, 1) == 0 ? stop : g != NULL && g->grid != NULL ? next_cell : next_path_node);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/* ---- Points ------------------------------------------------------------------------------------------------- */

/* The waypoints lie in the searcher, so that calls make no garbage. A finalizer may call path:points and overwrite them: so
 * nothing allocates Lua memory from the first waypoint on, except errors. While protected_points runs scripts, these use the
 * searcher of the next depth. */

/* Raises the error of an item that was not valid, even if a finalizer makes it valid meanwhile. */
static void invalid_item(lua_State *L, const lwend_map *g, uint32_t i) {
  (void)lwend_check_listed(L, 1, g, "path", (size_t)i + 1);
  luaL_error(L, "the path was changed by a finalizer");
}

/* Fills waypoints with the nodes of the path at 1. Raises if a node has no position. */
static void read_nodes(lua_State *L, const lwend_map *g, double jitter, wend_waypoint *waypoints, uint32_t count) {
  uint32_t filled;
  for (uint32_t i = 0; i < count; i++) {
    waypoints[i].id = lwend_listed(L, 1, g, (size_t)i + 1);
    if (waypoints[i].id == WEND_NO_ID) invalid_item(L, g, i);
  }
  filled = wend_graph_waypoints(g->graph, jitter, waypoints, count);
  if (filled < count) luaL_error(L, "node %s has no position", lwend_push_node_text(L, g, waypoints[filled].id));
}

/* How far a point may move from the centre of its cell, as a share of the radius of the cell. Less than 1, so that it stays
 * inside after rounding. */
#define CELL_LIMIT 0.998

/* The radius of a circle around the centre of a cell that fits into the cell. Of a diamond and of a hex, a little
 * less than the largest. */
static double cell_radius(const lwend_frame *f) {
  const double least = (f->wide < f->high ? f->wide : f->high) / 2;
  if (f->isometric) return f->wide * (f->high / (f->wide + f->high)) / 2;
  if (f->shape == WEND_SQUARES) return least;
  return fmin(least, f->wide * (f->high / (f->wide + f->high - f->side)) / 2);
}

/* Fills waypoints with the cells of the path at 1. */
static void read_cells(lua_State *L, const lwend_map *g, double jitter, double size, wend_waypoint *waypoints, uint32_t count) {
  const double limit = cell_radius(&g->frame) * CELL_LIMIT;
  for (uint32_t i = 0; i < count; i++) {
    wend_waypoint *at = &waypoints[i];
    at->id = lwend_listed_cell(L, 1, g, (size_t)i + 1);
    if (at->id == WEND_NO_ID) invalid_item(L, g, i);
    lwend_body_point(g, at->id, size, &at->point[0], &at->point[1]);
    at->reach = jitter;
    at->limit = limit;
  }
}

/* The points of a path that are moved: the subject of the request. */
typedef struct moved_points {
  uint32_t count;
  double size; /* of the agent */
} moved_points;

/* Points over a grid move by at most so many cells: all around each are looked at. */
#define ROOM_MAX 32u

/* With the option `clear`, points move within the room around them: the same ground of a grid, up to walls. They may leave their
 * cells. */
static void keep_to_room(lua_State *L, const lwend_map *g, wend_waypoint *waypoints, const moved_points *moved) {
  for (uint32_t i = 0; i < moved->count; i++) {
    wend_waypoint *at = &waypoints[i];
    const double room = lwend_room(L, LWEND_CLEAR, at->point);
    if (g->grid != NULL) {
      const double cells = ceil(at->reach / at->limit / 2);
      const uint32_t most = cells < ROOM_MAX ? (uint32_t)cells : ROOM_MAX;
      at->reach = fmin(at->reach, at->limit * (1 + 2 * wend_grid_room(g->grid, at->id, moved->size, most)));
      at->limit = INFINITY;
    }
    if (room < at->reach) at->reach = room > 0 ? room : 0;
  }
}

/* The option `clear`; a leg over a grid must be clear there, too. */
static bool ask_leg(void *ud, const double *a, const double *b) {
  const lwend_clear *clear = ud;
  return (clear->map->grid == NULL || lwend_is_grid_clear(clear->map, a, b)) && lwend_ask_clear(ud, a, b);
}

/* Moves the points of the searcher. */
static int protected_points(lua_State *L) {
  const lwend_request *request = lwend_to_request(L);
  const moved_points *moved = request->subject;
  const int dimensions = request->g->graph != NULL ? wend_graph_dimensions(request->g->graph) : 2;
  const bool free = lua_isnil(L, LWEND_CLEAR);
  lwend_clear clear = {L, request->g, LWEND_CLEAR, dimensions};
  if (!free) keep_to_room(L, request->g, request->searcher->waypoints, moved);
  wend_jitter_points(request->searcher->waypoints, moved->count, dimensions, request->search.seed, free ? NULL : ask_leg,
                     &clear);
  return 0;
}

/* Pushes the table at index `into`; if that is nil, a new table for `numbers` numbers. Returns its index. */
static int push_path_list(lua_State *L, int into, size_t numbers) {
  if (lua_isnil(L, into)) lua_createtable(L, (int)numbers, 0);
  else lua_pushvalue(L, into);
  return lua_gettop(L);
}

/* path:points([{ jitter, seed, clear, into }]) -> flat list of coordinates */
static int path_points(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_searcher *searcher = &state->searchers[state->depth];
  const lwend_trail *t;
  lwend_map *g;
  lwend_request request;
  uint32_t count;
  size_t length;
  int list, dimensions;
  /* Read. */
  lua_settop(L, 2);
  t = lwend_push_trail(L, 1); /* at 3 */
  g = lwend_trail_map(L, t);
  lwend_push_trail_map(L, 3);
  lwend_request_start(L, &request, g, 4);
  lwend_read_options(L, &request, 2, LWEND_FOR_POINTS);
  if (!lua_isnil(L, request.frame + LWEND_CLEAR)) lwend_check_squares(L, g, "the option 'clear'");
  if (lua_rawlen(L, 1) >= INT_MAX / 4) return lwend_no_memory(L);
  list = push_path_list(L, request.frame + LWEND_INTO,
                        g->graph != NULL ? lua_rawlen(L, 1) * (size_t)wend_graph_dimensions(g->graph) : lua_rawlen(L, 1));
  /* Check. */
  if (lwend_trail_map(L, t) != g) luaL_error(L, "the path was changed by a finalizer");
  length = lua_rawlen(L, 1);
  if (length >= INT_MAX / 4) return lwend_no_memory(L);
  LWEND_GROW(L, state, searcher->waypoints, searcher->waypoints_capacity, length + 1);
  dimensions = g->graph != NULL ? wend_graph_dimensions(g->graph) : 2;
  count = (uint32_t)length / (g->graph != NULL ? 1 : 2);
  if (g->graph != NULL) read_nodes(L, g, request.jitter, searcher->waypoints, count);
  else read_cells(L, g, request.jitter, t->age.size, searcher->waypoints, count);
  /* Act. */
  if (request.jitter > 0) {
    moved_points moved = {count, t->age.size};
    request.subject = &moved;
    (void)lwend_call(L, &request, protected_points, NULL);
  }
  lwend_set_points(L, list, searcher->waypoints, count, dimensions);
  return 1;
}

/* ---- Validity ----------------------------------------------------------------------------------------------- */

/* Whether the nodes and edges of the path at 1 are unchanged since t->age.seen. A value that is not an id makes the path
 * invalid. */
static bool are_nodes_valid(lua_State *L, const lwend_map *g, const lwend_trail *t) {
  int nodes = (int)lua_rawlen(L, 1);
  wend_id pair[2]; /* a node and the one before, or the first node twice */
  if (!wend_graph_path_valid(g->graph, NULL, 0, t->edges, t->count, &t->age)) return false;
  for (int i = 1; i <= nodes; i++) {
    bool whole;
    lua_rawgeti(L, 1, i);
    whole = lwend_towhole(L, -1, &pair[1]);
    lua_pop(L, 1);
    if (i == 1) pair[0] = pair[1];
    if (!whole || !wend_graph_path_valid(g->graph, pair, i > 1 ? 2 : 1, NULL, 0, &t->age)) return false;
    pair[0] = pair[1];
  }
  return true;
}

/* The number of cells that are read from the list at a time: they lie on the C stack. */
#define PIECE 64

/* One test of a piece of a path over cells: see are_cells_valid. */
static bool is_piece_valid(const lwend_map *g, const lwend_trail *t, const uint8_t *changed, const wend_id *cells,
                           uint32_t count) {
  return changed == NULL ? wend_grid_path_valid(g->grid, cells, count, &t->age)
                         : !wend_grid_path_uses(g->grid, cells, count, &t->age, changed);
}

/* The same for the cells of the path at 1. changed: NULL; or tests the tags of the path instead: none of them is in this list
 * by tag. A value that is not a cell raises, unless a cell before it has changed: then the path is invalid. */
static bool are_cells_valid(lua_State *L, const lwend_map *g, const lwend_trail *t, const uint8_t *changed) {
  const int count = (int)lua_rawlen(L, 1) / 2;
  wend_id cells[PIECE];
  uint32_t held = 0;
  for (int i = 0; i < count || i == 0; i++) {
    const wend_id cell = lwend_listed_cell(L, 1, g, (size_t)i + 1);
    if (held == PIECE || cell == WEND_NO_ID) {
      if (!is_piece_valid(g, t, changed, cells, held)) return false;
      if (cell == WEND_NO_ID) (void)lwend_check_listed(L, 1, g, "path", (size_t)i + 1);
      cells[0] = cells[held - 1]; /* pieces overlap */
      held = 1;
    }
    cells[held++] = cell;
  }
  return is_piece_valid(g, t, changed, cells, held);
}

/* Whether no tag of the path at 1 has changed in the profile at stack index `costs`. trail: stack index of t. */
static bool are_tags_valid(lua_State *L, const lwend_map *g, lwend_trail *t, int trail, int costs) {
  lwend_state *state = lwend_state_of(L);
  const uint8_t *changed;
  lwend_pushanchor(L, trail); /* the list of the names of tags: that of the map */
  changed = lwend_costs_changed_tags(L, state, &t->costs, costs, lua_gettop(L), wend_map_tag_count(g->map));
  if (changed == NULL) return true;
  if (g->graph != NULL ? wend_graph_path_uses(g->graph, t->edges, t->count, changed) : !are_cells_valid(L, g, t, changed))
    return false;
  lwend_costs_note_seen(state, &t->costs);
  return true;
}

/* A path of fewer nodes or cells is looked through as fast as a sieve is asked. */
#define SIEVE_MIN 8u
/* Bits of a sieve for each place of the path. */
#define SIEVE_BITS 16u
/* A sieve is asked about at most this many changes for each node or cell; more take as long as looking through the path. */
#define SIEVE_CHANGES 4u

/* Adds the places of the path at 1 to the sieve of its trail. The path is valid. Or counts the places: bits NULL. Allocates
 * nothing. */
static uint32_t sift(lua_State *L, const lwend_map *g, lwend_trail *t, uint64_t *bits) {
  const uint32_t each = g->grid != NULL ? 2 : 1, count = (uint32_t)lua_rawlen(L, 1) / each;
  wend_id ids[PIECE];
  uint32_t held = 0, places = 0;
  if (bits == NULL && g->graph != NULL) return count;
  for (uint32_t i = 0; i < count; i++) {
    if (g->graph == NULL) {
      ids[held] = lwend_listed_cell(L, 1, g, (size_t)i + 1);
    } else {
      lua_rawgeti(L, 1, (int)i + 1);
      if (!lwend_towhole(L, -1, &ids[held])) ids[held] = WEND_NO_ID;
      lua_pop(L, 1);
    }
    if (ids[held] != WEND_NO_ID) held++;
    if (held < PIECE && i + 1 < count) continue;
    places += wend_sieve_add(&t->sieve, bits, g->map, ids, held, &t->age);
    if (held > 0) ids[0] = ids[held - 1]; /* pieces overlap */
    held = held > 0 ? 1 : 0;
  }
  return places;
}

/* Fills the sieve of the trail of the path at 1, which is valid now. */
static void fill_sieve(lua_State *L, const lwend_map *g, lwend_trail *t) {
  memset(lwend_sieve_bits(t), 0, t->sieve.words * sizeof(uint64_t));
  t->sieve.blocked = false;
  (void)sift(L, g, t, lwend_sieve_bits(t));
  t->sieve.filled = true;
}

/* Gives the path at 1 a trail with room for a sieve. Its trail t is at stack index `trail`. Does nothing if a finalizer has
 * changed the path or its map. */
static void grow_trail(lua_State *L, lwend_trail *t, int trail) {
  lwend_state *state = lwend_state_of(L);
  const uint32_t places = sift(L, t->map, t, NULL), words = places / (64 / SIEVE_BITS) + 1;
  const uint32_t capacity = t->count + t->turn_count;
  const int top = lua_gettop(L);
  lwend_trail *grown;
  if (t->sieve.words >= words) {
    fill_sieve(L, t->map, t);
    return;
  }
  lua_pushliteral(L, "trail");
  grown = lwend_new(L, sizeof *grown + ((size_t)capacity + words) * sizeof *grown->edges, &state->types.trail);
  lua_pushvalue(L, top + 1);
  lua_rawget(L, 1);
  if (lua_rawequal(L, -1, trail) && t->map->map != NULL && t->count + t->turn_count == capacity &&
      wend_map_version(t->map->map) == t->age.seen && sift(L, t->map, t, NULL) == places) {
    memcpy(grown, t, sizeof *t);
    memcpy(grown->edges, t->edges, capacity * sizeof *t->edges);
    grown->capacity = capacity;
    grown->sieve.words = words;
    lwend_pushanchor(L, trail);
    lwend_setanchor(L, top + 2);
    fill_sieve(L, grown->map, grown);
    lua_settop(L, top + 2);
    lua_rawset(L, 1);
  }
  lua_settop(L, top);
}

/* Whether the map of the path at 1 is as it was along the path. *look: set if the answer came from looking through the path. */
static bool is_map_valid(lua_State *L, const lwend_map *g, lwend_trail *t, bool *look) {
  const uint64_t now = wend_map_version(g->map);
  bool valid = false;
  *look = false;
  if (now == t->age.seen) return true;
  if (t->sieve.filled)
    valid = wend_sieve_misses(&t->sieve, lwend_sieve_bits(t), g->map, &t->age, SIEVE_CHANGES * (uint32_t)lua_rawlen(L, 1));
  *look = !valid;
  if (!valid) valid = g->graph != NULL ? are_nodes_valid(L, g, t) : are_cells_valid(L, g, t, NULL);
  if (!valid) return false;
  t->age.seen = now;
  wend_sieve_renew(&t->sieve, g->map);
  if (*look && t->sieve.filled && g->graph != NULL) fill_sieve(L, g, t); /* its nodes may have other places */
  return true;
}

/* path:valid() -> boolean */
static int path_valid(lua_State *L) {
  lwend_trail *t = lwend_push_trail(L, 1);
  const int trail = lua_gettop(L);
  const lwend_map *g;
  const bool edited = t->costs.made > 0 && lwend_costs_may_have_changed(lwend_state_of(L), &t->costs);
  bool valid, look;
  if (t->outdated) {
    (void)lwend_trail_map(L, t);
    return lwend_flag(L, false);
  }
  lua_settop(L, trail + 1);
  if (edited) {
    lwend_getraw(L, 1, "costs"); /* may run finalizers: all checks follow */
    lua_replace(L, trail + 1);
    lwend_costs_look(L, lwend_state_of(L), &t->costs, trail + 1);
  }
  g = lwend_trail_map(L, t);
  valid = is_map_valid(L, g, t, &look);
  if (edited && valid && t->costs.made > 0) valid = are_tags_valid(L, g, t, trail, trail + 1);
  if (look && valid && !t->sieve.filled) {
    if (t->looked && lua_rawlen(L, 1) >= SIEVE_MIN) grow_trail(L, t, trail);
    t->looked = true;
  }
  return lwend_flag(L, valid);
}

/* Raises if a path has no edges; or, for `turns`, no turns. Returns how many there are. */
static uint32_t check_listed(lua_State *L, const lwend_trail *t, bool turns) {
  if (turns && !t->turned) luaL_error(L, "self must be a path that was found with per_turn");
  if (!turns && lwend_trail_map(L, t)->grid != NULL)
    luaL_error(L, "self must be a path of a graph: the steps of a grid have no ids");
  return turns ? t->turn_count : t->count;
}

static int list_numbers(lua_State *L, bool turns) {
  static const char *const names[] = {"into", NULL};
  const lwend_trail *t;
  uint32_t count;
  int into, list;
  /* Read. */
  lua_settop(L, 2);
  t = lwend_push_trail(L, 1);
  into = lwend_options(L, 2, names);
  lwend_check_table(L, into, "into");
  list = push_path_list(L, into, check_listed(L, t, turns));
  /* Check again: a finalizer may have put another path there. From here on nothing allocates Lua memory. */
  t = lwend_push_trail(L, 1);
  count = check_listed(L, t, turns);
  /* Act. */
  for (uint32_t i = 0; i < count; i++) {
    lwend_pushwhole(L, turns ? t->edges[t->count + i] + 1 : t->edges[i]);
    lua_rawseti(L, list, (int)i + 1);
  }
  lwend_cut_list(L, list, count);
  lua_settop(L, list);
  return 1;
}

/* path:edges([{ into }]) -> list of edge ids. Raises on grids. */
static int path_edges(lua_State *L) { return list_numbers(L, false); }

/* path:turns([{ into }]) -> list of the numbers of the nodes or cells of the path where its turns end */
static int path_turns(lua_State *L) { return list_numbers(L, true); }

/* ---- Bytes -------------------------------------------------------------------------------------------------- */

static bool has_flag(lua_State *L, const char *name) {
  bool set;
  lwend_getraw(L, 1, name);
  set = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return set;
}

/* Reads the nodes or cells of the path at 1. Allocates nothing. Returns whether all of them exist. */
static bool read_places(lua_State *L, const lwend_map *g, wend_id *ids, uint32_t count) {
  bool all = true;
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = lwend_listed(L, 1, g, (size_t)i + 1);
    if (ids[i] != WEND_NO_ID) continue;
    all = false; /* a node that was removed */
    lua_rawgeti(L, 1, (int)i + 1);
    if (g->grid != NULL || !lwend_towhole(L, -1, &ids[i])) invalid_item(L, g, i);
    lua_pop(L, 1);
  }
  return all;
}

/* path:encode() -> string */
static int path_encode(lua_State *L) {
  enum { COST = 2, IDS, TRAIL, BYTES };
  wend_saved_path path = {0};
  const lwend_trail *t;
  const lwend_map *g;
  uint32_t room;
  uint64_t goal = 0;
  size_t size;
  void *bytes;
  bool valid;
  /* Read, and allocate. */
  lua_settop(L, 1);
  (void)path_valid(L);
  valid = lua_toboolean(L, -1) != 0;
  lua_settop(L, 1);
  lwend_getraw(L, 1, "cost");
  path.cost = lwend_check_finite(L, COST, "cost of the path");
  path.partial = has_flag(L, "partial");
  lwend_getraw(L, 1, "goal");
  if (lwend_towhole(L, -1, &goal) && goal <= UINT32_MAX) path.goal = (uint32_t)goal;
  lua_settop(L, COST);
  if (lua_rawlen(L, 1) >= INT_MAX / 4) return lwend_no_memory(L);
  room = (uint32_t)lua_rawlen(L, 1);
  path.nodes = lua_newuserdata(L, ((size_t)room + 1) * 3 * sizeof *path.nodes);
  path.edges = path.nodes + room + 1;
  path.turn_ends = (uint32_t *)(path.edges + room + 1);
  /* Check, and copy. Nothing here runs a finalizer. */
  t = lwend_push_trail(L, 1);
  g = lwend_trail_map(L, t);
  path.node_count = (uint32_t)lua_rawlen(L, 1) / (g->grid != NULL ? 2 : 1);
  path.has_turns = t->turned, path.turn_count = t->turn_count;
  if (path.node_count == 0 || path.node_count > room || (g->graph != NULL && t->count != path.node_count - 1) ||
      (t->turned && (t->turn_count == 0 ? 0 : t->edges[t->count + t->turn_count - 1]) + 1 != path.node_count))
    return luaL_error(L, "the path was changed: its list has not the %s that were found", g->graph != NULL ? "nodes" : "cells");
  valid = read_places(L, g, path.nodes, path.node_count) && valid;
  for (uint32_t i = 0; i < t->count; i++) {
    path.edges[i] = t->edges[i];
    valid = valid && wend_graph_has_edge(g->graph, t->edges[i]);
  }
  for (uint32_t i = 0; i < t->turn_count; i++) path.turn_ends[i] = (uint32_t)t->edges[t->count + i];
  path.legs = t->age.legs, path.size = t->age.size;
  path.closed_goal = t->age.goal != WEND_NO_ID;
  path.outdated = !valid;
  (void)wend_path_encode(&path, g->map, NULL, &size);
  bytes = lua_newuserdata(L, size);
  if (wend_path_encode(&path, lwend_check_alive(L, t->map)->map, bytes, &size) != WEND_OK) return lwend_no_memory(L);
  lua_pushlstring(L, bytes, size);
  return 1;
}

/* What protected_decode reads. */
typedef struct path_bytes {
  const void *bytes;
  size_t size;
  wend_status status;
} path_bytes;

/* Pushes the path, unless it belongs to another map or its bytes are damaged. */
static int protected_decode_path(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  path_bytes *read = request->subject;
  wend_saved_path path = {0};
  lwend_trail *t;
  int made;
  read->status = lwend_check_memory(L, wend_path_decode(&path, lwend_check_alive(L, request->g)->map, read->bytes, read->size));
  if (read->status != WEND_OK) return 0;
  path.nodes = lua_newuserdata(L, (size_t)path.node_count * 3 * sizeof *path.nodes);
  path.edges = path.nodes + path.node_count;
  path.turn_ends = (uint32_t *)(path.edges + path.node_count);
  read->status = wend_path_decode(&path, request->g->map, read->bytes, read->size);
  if (read->status != WEND_OK) return 0;
  request->version = wend_map_version(request->g->map);
  request->legs = path.legs;
  if (path.size > 0 && lua_isnil(L, LWEND_SIZE)) {
    lua_pushnumber(L, path.size);
    lua_replace(L, LWEND_SIZE);
    request->slots |= 1u << LWEND_SIZE;
  }
  request->partial_path = path.partial;
  request->search.ends.closed = path.closed_goal;
  request->turned = path.has_turns, request->turn_ends = path.turn_ends, request->turn_count = path.turn_count;
  lwend_push_path_of(L, request, path.nodes, path.edges, path.node_count, path.cost);
  made = lua_gettop(L);
  if (path.goal > 0) {
    lwend_pushwhole(L, path.goal);
    lwend_setraw(L, made, "goal");
  }
  t = lwend_push_trail(L, made);
  t->outdated = path.outdated;
  lua_pop(L, 1);
  return 1;
}

wend_status lwend_push_decoded_path(lua_State *L, lwend_request *request, const void *bytes, size_t size) {
  path_bytes read = {bytes, size, WEND_OK};
  lwend_check_costs(L, request);
  request->subject = &read;
  (void)lwend_call(L, request, protected_decode_path, NULL);
  return read.status;
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* Pushes item i, from 1, of the path at 1: "'gate' (1)", "(3,4)", or the value if it is no node or cell. width: the number of
 * values of an item. map: NULL, or a map that may have been freed. */
static void push_end(lua_State *L, const lwend_map *map, int i, int width) {
  const int top = lua_gettop(L);
  wend_id node;
  lua_rawgeti(L, 1, width * i - width + 1);
  if (width == 2) {
    lua_rawgeti(L, 1, 2 * i);
    lua_pushfstring(L, "(%s,%s)", lwend_describe(L, top + 1), lwend_describe(L, top + 2));
  } else if (map != NULL && lwend_towhole(L, top + 1, &node)) {
    lwend_push_node_text(L, map, node);
  } else {
    lwend_describe(L, top + 1);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

/* tostring(path) -> "wend.Path (5 nodes, cost 12.5, from 'gate' (1) to 7)". Shows what the table holds, whatever scripts have
 * put there. */
static int path_tostring(lua_State *L) {
  const lwend_map *map;
  const char *noun = "item";
  int width = 1, count;
  lwend_check_path(L, 1);
  lua_settop(L, 1);
  lwend_check_stack(L, LUA_MINSTACK);
  map = lwend_path_map(L, 1);
  if (map != NULL) {
    const bool grid = map->noun[2] == 'i'; /* a map that was freed has no other mark */
    noun = grid ? "cell" : "node";
    width = grid ? 2 : 1;
  }
  count = lua_rawlen(L, 1) < INT_MAX / 4 ? (int)lua_rawlen(L, 1) / width : 0;
  if (count == 0) return lua_pushliteral(L, "wend.Path (empty)"), 1;
  lua_pushfstring(L, "wend.Path (%d %s%s", count, noun, count == 1 ? "" : "s");
  lwend_getraw(L, 1, "cost");
  if (lua_type(L, -1) == LUA_TNUMBER) {
    const double cost = lua_tonumber(L, -1);
    char text[40];
    snprintf(text, sizeof text, ", cost %.14g", cost);
    lua_pushstring(L, cost == cost ? text : ", cost nan"); /* the sign of NaN depends on the machine */
  } else {
    lua_pushliteral(L, "");
  }
  lua_remove(L, -2);
  lua_pushliteral(L, ", from ");
  push_end(L, map, 1, width);
  lua_pushliteral(L, " to ");
  push_end(L, map, count, width);
  lwend_getraw(L, 1, "partial");
  lua_pushstring(L, lua_toboolean(L, -1) ? ", partial)" : ")");
  lua_remove(L, -2);
  lua_concat(L, lua_gettop(L) - 1);
  return 1;
}

void lwend_open_path(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"each", path_each},     {"edges", path_edges}, {"encode", path_encode}, {"explain", lwend_path_explain},
      {"points", path_points}, {"turns", path_turns}, {"valid", path_valid},   {NULL, NULL},
  };
  lwend_type(L, "wend.Path", "a path", state, methods, NULL, path_tostring, &state->types.path);
}
