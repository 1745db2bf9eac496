/* SPDX-License-Identifier: MIT */
/* States of paths and of maps, for lua/wend/state.lua: a path as a table of plain values, and back; and the text by which a
 * state knows its map.
 *
 *   { kind = "path", version = 1, map = "graph 0000014d9293369b", nodes = { 1, 3, 2 }, edges = { 1, 2 }, cost = 100 }
 *   { kind = "path", version = 1, map = "grid 000000ce5d1a7b21 ...", cells = { 1, 1, 2, 2 }, cost = 1.5, straight = true }
 *
 * outdated = true: the path was not valid when its state was made. Then its nodes and edges may not exist any more. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lwend.h"

/* ---- Maps --------------------------------------------------------------------------------------------------- */

static uint64_t bits_of(double number) {
  uint64_t bits;
  number += 0.0; /* -0.0 becomes 0.0 */
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* Pushes the text by which states know a map: its kind and digest; of a grid also its frame. */
static void push_map_text(lua_State *L, lwend_map *g) {
  char text[128];
  const lwend_frame *f = &g->frame;
  uint64_t digest;
  lwend_check_alive(L, g);
  if (wend_map_digest(g->map, &digest) != WEND_OK) lwend_no_memory(L);
  if (g->graph != NULL) snprintf(text, sizeof text, "graph %016" PRIx64, digest);
  else
    snprintf(text, sizeof text, "grid %016" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %d", digest,
             bits_of(f->wide), bits_of(f->high), bits_of(f->left), bits_of(f->top), f->isometric ? 1 : 0);
  lua_pushstring(L, text);
}

/* text(map) -> the text by which states know the map. Raises if the map was freed. */
static int map_text(lua_State *L) {
  lwend_map *g = lwend_tomap(L, 1);
  if (g == NULL) return lwend_type_error(L, 1, "map", "a graph or a grid");
  push_map_text(L, g);
  return 1;
}

/* ---- Saving ------------------------------------------------------------------------------------------------- */

/* Sets item i of the list at index `list` to item i of the path at 1: an id, a name, or a coordinate. */
static void copy_item(lua_State *L, int list, int i) {
  uint64_t number;
  lua_rawgeti(L, 1, i);
  if (lwend_towhole(L, -1, &number)) {
    lua_pop(L, 1);
    lwend_pushwhole(L, number);
  }
  lua_rawseti(L, list, i);
}

/* Copies the nodes of the path at 1. Returns whether all of them exist. Raises if an item is neither an id nor a name. */
static bool copy_nodes(lua_State *L, const lwend_map *g, int list, int count) {
  bool all = true;
  for (int i = 1; i <= count; i++) {
    wend_id node = WEND_NO_ID;
    bool whole, text;
    lua_rawgeti(L, 1, i);
    whole = lwend_towhole(L, -1, &node);
    text = lua_type(L, -1) == LUA_TSTRING;
    if (text) {
      size_t length;
      const char *name = lua_tolstring(L, -1, &length);
      node = wend_graph_find(g->graph, name, length);
    }
    lua_pop(L, 1);
    if (!whole && !text) {
      (void)lwend_check_listed_node(L, 1, g, "path", (size_t)i);
      luaL_error(L, "the path was changed by a finalizer");
    }
    all = all && node != WEND_NO_ID && wend_graph_has_node(g->graph, node);
    copy_item(L, list, i);
  }
  return all;
}

/* Copies the cells of the path at 1. Raises if an item is not a cell. */
static void copy_cells(lua_State *L, const lwend_map *g, int list, int count) {
  for (int i = 0; i < count / 2; i++) {
    if (lwend_listed_cell(L, 1, g, (size_t)i + 1) == WEND_NO_ID) {
      (void)lwend_path_cell(L, 1, g, i);
      luaL_error(L, "the path was changed by a finalizer");
    }
    copy_item(L, list, 2 * i + 1);
    copy_item(L, list, 2 * i + 2);
  }
}

/* Copies a field of the path at 1 that is true into the state. */
static void copy_flag(lua_State *L, int state, const char *name) {
  bool set;
  lua_pushstring(L, name);
  lua_rawget(L, 1);
  set = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  if (!set) return;
  lua_pushboolean(L, 1);
  lwend_setraw(L, state, name);
}

int lwend_push_path_state(lua_State *L, bool valid) {
  enum { STATE = 2, PLACES, EDGES, TEXT, COST, TRAIL };
  const lwend_trail *t;
  lwend_map *g;
  uint64_t goal;
  bool straight, graph;
  int count;
  lua_settop(L, 1);
  lwend_check_stack(L, LUA_MINSTACK);
  /* Read. */
  lua_createtable(L, 0, 12);
  lua_newtable(L);
  lua_newtable(L);
  t = lwend_push_trail(L, 1);
  push_map_text(L, lwend_trail_map(L, t));
  lua_replace(L, TEXT);
  lua_pushliteral(L, "cost");
  lua_rawget(L, 1);
  (void)lwend_check_finite(L, COST, "cost of the path");
  /* Check again, and copy. Nothing here runs a finalizer. */
  t = lwend_push_trail(L, 1);
  (void)TRAIL;
  g = lwend_trail_map(L, t);
  graph = g->graph != NULL;
  if (lua_rawlen(L, 1) >= INT_MAX / 4) return lwend_no_memory(L);
  count = (int)lua_rawlen(L, 1);
  straight = t->age.straight;
  if (graph) valid = copy_nodes(L, g, PLACES, count) && valid;
  else copy_cells(L, g, PLACES, count);
  for (uint32_t i = 0; i < t->count; i++) {
    lwend_pushwhole(L, t->edges[i]);
    lua_rawseti(L, EDGES, (int)i + 1);
    valid = valid && wend_graph_has_edge(g->graph, t->edges[i]);
  }
  /* The state holds copies of everything: finalizers may run from here on. */
  lua_pushliteral(L, "path");
  lwend_setraw(L, STATE, "kind");
  lua_pushinteger(L, 1);
  lwend_setraw(L, STATE, "version");
  lua_pushvalue(L, TEXT);
  lwend_setraw(L, STATE, "map");
  lua_pushvalue(L, PLACES);
  lwend_setraw(L, STATE, graph ? "nodes" : "cells");
  if (graph) {
    lua_pushvalue(L, EDGES);
    lwend_setraw(L, STATE, "edges");
  }
  lua_pushvalue(L, COST);
  lwend_setraw(L, STATE, "cost");
  lua_pushliteral(L, "goal");
  lua_rawget(L, 1);
  if (lwend_towhole(L, -1, &goal) && goal >= 1) {
    lwend_pushwhole(L, goal);
    lwend_setraw(L, STATE, "goal");
  }
  copy_flag(L, STATE, "partial");
  copy_flag(L, STATE, "stale");
  if (straight) {
    lua_pushboolean(L, 1);
    lwend_setraw(L, STATE, "straight");
  }
  if (!valid) {
    lua_pushboolean(L, 1);
    lwend_setraw(L, STATE, "outdated");
  }
  lua_settop(L, STATE);
  return 1;
}

/* ---- Restoring ---------------------------------------------------------------------------------------------- */

/* The arguments of restore_path, and what it makes. */
enum { MAP = 1, LISTED, LISTED_EDGES, STRAIGHT, OUTDATED, COSTS, AGENT, CALLBACK, COMPILED, PATH, PATH_TRAIL };

/* Whether the list at LISTED holds nodes of the graph; of an outdated path also ids and names that no node has. */
static bool are_nodes(lua_State *L, const lwend_map *g, bool outdated) {
  const int count = (int)lua_rawlen(L, LISTED);
  for (int i = 1; i <= count; i++) {
    wend_id node = WEND_NO_ID;
    bool known;
    lua_rawgeti(L, LISTED, i);
    if (lua_type(L, -1) == LUA_TSTRING) {
      size_t length;
      const char *name = lua_tolstring(L, -1, &length);
      known = outdated || wend_graph_find(g->graph, name, length) != WEND_NO_ID;
    } else {
      known = lwend_towhole(L, -1, &node) && (outdated || wend_graph_has_node(g->graph, node));
    }
    lua_pop(L, 1);
    if (!known) return false;
  }
  return true;
}

/* Whether the list at LISTED holds cells of the grid. */
static bool are_cells(lua_State *L, const lwend_map *g) {
  const size_t count = lua_rawlen(L, LISTED);
  if (count % 2 != 0) return false;
  for (size_t i = 1; i <= count / 2; i++)
    if (lwend_listed_cell(L, LISTED, g, i) == WEND_NO_ID) return false;
  return true;
}

/* Fills the trail with the edges of the list at LISTED_EDGES. false: one is no edge. */
static bool read_edges(lua_State *L, const lwend_map *g, lwend_trail *t, bool outdated) {
  for (uint32_t i = 0; i < t->capacity; i++) {
    bool known;
    lua_rawgeti(L, LISTED_EDGES, (int)i + 1);
    known = lwend_towhole(L, -1, &t->edges[i]) && (outdated || wend_graph_has_edge(g->graph, t->edges[i]));
    lua_pop(L, 1);
    if (!known) return false;
  }
  t->count = t->capacity;
  return true;
}

static void set_given(lua_State *L, const char *name, int index) {
  if (lua_isnil(L, index)) return;
  lua_pushvalue(L, index);
  lwend_setraw(L, PATH, name);
}

/* path(map, places, edges, straight, outdated, costs, agent, cost) -> path, without cost and goal; nothing: an item is not of
 * the map. places, edges: lists; a grid has no edges. Raises if the map was freed, and if costs or cost is invalid. */
static int restore_path(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g;
  lwend_trail *t;
  uint32_t edges;
  bool outdated;
  lua_settop(L, CALLBACK);
  lwend_check_stack(L, LUA_MINSTACK);
  g = lwend_tomap(L, MAP);
  if (g == NULL || !lua_istable(L, LISTED) || !lua_istable(L, LISTED_EDGES)) return 0;
  if (lua_rawlen(L, LISTED) >= INT_MAX / 4 || lua_rawlen(L, LISTED_EDGES) >= INT_MAX / 4) return 0;
  /* Read, and allocate. */
  lwend_check_callable(L, CALLBACK, "cost");
  lwend_costs_push_compiled(L, state, COSTS);
  lwend_check_alive(L, g);
  edges = g->graph != NULL ? (uint32_t)lua_rawlen(L, LISTED_EDGES) : 0;
  lua_createtable(L, (int)lua_rawlen(L, LISTED), 8);
  t = lwend_new(L, sizeof *t + edges * sizeof *t->edges, state->trail_ref);
  t->capacity = edges;
  lwend_pushanchor(L, MAP);
  lwend_setanchor(L, PATH_TRAIL);
  set_given(L, "map", MAP);
  set_given(L, "trail", PATH_TRAIL);
  set_given(L, "costs", COSTS);
  set_given(L, "agent", AGENT);
  set_given(L, "callback", CALLBACK);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->path_ref);
  lua_setmetatable(L, PATH);
  /* Check. Nothing runs a finalizer from here on. */
  lwend_check_alive(L, g);
  outdated = lua_toboolean(L, OUTDATED) != 0;
  if (g->graph != NULL ? !are_nodes(L, g, outdated) || !read_edges(L, g, t, outdated) : !are_cells(L, g)) return 0;
  /* Act. */
  for (int i = (int)lua_rawlen(L, LISTED); i > 0; i--) {
    uint64_t number;
    lua_rawgeti(L, LISTED, i);
    if (lwend_towhole(L, -1, &number)) {
      lua_pop(L, 1);
      lwend_pushwhole(L, number);
    }
    lua_rawseti(L, PATH, i);
  }
  t->map = g;
  t->age.seen = wend_map_version(g->map);
  t->age.straight = lua_toboolean(L, STRAIGHT) != 0;
  t->costs = lwend_costs_compiled_age(L, COMPILED);
  t->outdated = outdated;
  lua_settop(L, PATH);
  return 1;
}

/* core.states() -> text, path. Works once. */
int lwend_core_states(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  static const lua_CFunction functions[] = {map_text, restore_path};
  enum { COUNT = sizeof functions / sizeof *functions };
  if (state->states_taken) luaL_error(L, "the functions of states are taken: load wend.core anew as well");
  state->states_taken = true;
  lwend_check_stack(L, COUNT + LUA_MINSTACK);
  for (int i = 0; i < COUNT; i++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, functions[i], 1);
  }
  return COUNT;
}
