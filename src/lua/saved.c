/* SPDX-License-Identifier: MIT */
/* For crowds: the text by which a saved one knows its map, and paths made of lists. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/costs.h"
#include "base/trail.h"

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

/* ---- Restoring ---------------------------------------------------------------------------------------------- */

/* The arguments of restore_path, and what it makes. */
enum { MAP = 1, LISTED, LISTED_EDGES, COSTS, AGENT, COMPILED, PATH, PATH_TRAIL };

/* Whether the list at LISTED holds nodes of the graph. */
static bool are_nodes(lua_State *L, const lwend_map *g) {
  const int count = (int)lua_rawlen(L, LISTED);
  for (int i = 1; i <= count; i++) {
    wend_id node = WEND_NO_ID;
    bool known;
    lua_rawgeti(L, LISTED, i);
    if (lua_type(L, -1) == LUA_TSTRING) {
      size_t length;
      const char *name = lua_tolstring(L, -1, &length);
      known = wend_graph_find(g->graph, name, length) != WEND_NO_ID;
    } else {
      known = lwend_towhole(L, -1, &node) && wend_graph_has_node(g->graph, node);
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
static bool read_edges(lua_State *L, const lwend_map *g, lwend_trail *t) {
  for (uint32_t i = 0; i < t->capacity; i++) {
    bool known;
    lua_rawgeti(L, LISTED_EDGES, (int)i + 1);
    known = lwend_towhole(L, -1, &t->edges[i]) && wend_graph_has_edge(g->graph, t->edges[i]);
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

/* path(map, places, edges, costs, agent) -> path, without cost and goal; nothing: an item is not of the map. places, edges: lists; a
 * grid has no edges. Raises if the map was freed, and if costs is invalid. */
static int restore_path(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_map *g;
  lwend_trail *t;
  uint32_t edges;
  lua_settop(L, AGENT);
  lwend_check_stack(L, LUA_MINSTACK);
  g = lwend_tomap(L, MAP);
  if (g == NULL || !lua_istable(L, LISTED) || !lua_istable(L, LISTED_EDGES)) return 0;
  if (lua_rawlen(L, LISTED) >= INT_MAX / 4 || lua_rawlen(L, LISTED_EDGES) >= INT_MAX / 4) return 0;
  /* Read, and allocate. */
  lwend_costs_push_compiled(L, state, COSTS);
  lwend_check_alive(L, g);
  edges = g->graph != NULL ? (uint32_t)lua_rawlen(L, LISTED_EDGES) : 0;
  lua_createtable(L, (int)lua_rawlen(L, LISTED), 8);
  t = lwend_new(L, sizeof *t + edges * sizeof *t->edges, &state->types.trail);
  t->capacity = edges;
  lwend_pushanchor(L, MAP);
  lwend_setanchor(L, PATH_TRAIL);
  set_given(L, "map", MAP);
  set_given(L, "trail", PATH_TRAIL);
  set_given(L, "costs", COSTS);
  set_given(L, "agent", AGENT);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->types.path.ref);
  lua_setmetatable(L, PATH);
  /* Check. Nothing runs a finalizer from here on. */
  lwend_check_alive(L, g);
  if (g->graph != NULL ? !are_nodes(L, g) || !read_edges(L, g, t) : !are_cells(L, g)) return 0;
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
  t->costs = lwend_costs_compiled_age(L, COMPILED);
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
