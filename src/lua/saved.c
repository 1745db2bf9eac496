/* SPDX-License-Identifier: MIT */
/* The text by which saved games know a map, and paths made of lists: for comparisons and crowds. Here lua/wend/once.lua also
 * gets what queues need of fields. */
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

/* map_text(map) -> the text by which states know the map: its kind and digest; of a grid also its frame. Raises if the map was
 * freed. */
static int map_text(lua_State *L) {
  lwend_map *g = lwend_check_anymap(L, 1);
  const lwend_frame *f = &g->frame;
  char text[128];
  uint64_t digest;
  if (wend_map_digest(g->map, &digest) != WEND_OK) lwend_no_memory(L);
  if (g->graph != NULL) snprintf(text, sizeof text, "graph %016" PRIx64, digest);
  else
    snprintf(text, sizeof text, "grid %016" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %d", digest,
             bits_of(f->wide), bits_of(f->high), bits_of(f->left), bits_of(f->top), f->isometric ? 1 : 0);
  if (f->shape != WEND_SQUARES) snprintf(text + strlen(text), sizeof text - strlen(text), " %" PRIx64, bits_of(f->side));
  lua_pushstring(L, text);
  return 1;
}

/* ---- Restoring ---------------------------------------------------------------------------------------------- */

/* LWEND_GOALS: the list of places. LWEND_VALUES: the list of edges. */
static int protected_restore(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  lwend_searcher *searcher = request->searcher;
  const lwend_map *g = request->g;
  const size_t items = lua_rawlen(L, LWEND_GOALS), count = g->grid != NULL ? items / 2 : items;
  if (count == 0 || items >= INT_MAX / 4 || (g->grid != NULL ? items % 2 != 0 : lua_rawlen(L, LWEND_VALUES) != count - 1))
    return 0;
  LWEND_GROW(L, request->state, searcher->goals, searcher->goals_capacity, count);
  LWEND_GROW(L, request->state, searcher->legs, searcher->legs_capacity, count);
  for (size_t i = 0; i < count; i++) {
    searcher->goals[i] = lwend_listed(L, LWEND_GOALS, g, i + 1);
    if (searcher->goals[i] == WEND_NO_ID) return 0;
  }
  for (size_t i = 0; g->graph != NULL && i + 1 < count; i++) {
    lua_rawgeti(L, LWEND_VALUES, (int)i + 1);
    if (!lwend_towhole(L, -1, &searcher->legs[i]) || !wend_graph_has_edge(g->graph, searcher->legs[i])) return 0;
    lua_pop(L, 1);
  }
  lwend_push_path_of(L, request, searcher->goals, searcher->legs, (uint32_t)count, 0);
  return 1;
}

/* path(map, places, edges, options, version, time) -> path of cost 0, without a goal; nothing: an item is not of the map. places,
 * edges: lists; a grid has no edges. options: the agent's costs. version, time: of the map and of the profiles when it was found, or
 * earlier; nil: now. Raises if the map was freed, and if the costs are invalid. */
static int restore_path(lua_State *L) {
  enum { MAP = 1, PLACES, EDGES, OPTIONS, VERSION, TIME };
  lwend_request request;
  lwend_trail *t;
  lwend_map *g;
  lua_settop(L, TIME);
  g = lwend_tomap(L, MAP);
  if (g == NULL || !lua_istable(L, PLACES) || !lua_istable(L, EDGES)) return 0;
  lwend_request_start(L, &request, g, MAP);
  lwend_request_set(L, &request, LWEND_GOALS, PLACES);
  lwend_request_set(L, &request, LWEND_VALUES, EDGES);
  lwend_read_options(L, &request, OPTIONS, LWEND_FOR_COSTS);
  lwend_check_costs(L, &request);
  if (lwend_call(L, &request, protected_restore, NULL) == 0) return 0;
  t = lwend_find_trail(L, lua_gettop(L));
  (void)lwend_towhole(L, VERSION, &t->age.seen);
  if (t->costs.made > 0 && lwend_towhole(L, TIME, &t->costs.made)) t->costs.seen = t->costs.made;
  return 1;
}

void lwend_add_states(lua_State *L, lwend_state *state) {
  static const luaL_Reg functions[] = {
      {"ask_again", lwend_ask_again}, {"map_text", map_text}, {"path", restore_path}, {NULL, NULL}};
  lwend_register(L, state, functions);
}
