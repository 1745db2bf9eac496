/* SPDX-License-Identifier: MIT */
/* The option overlay. While a request with an overlay runs, its map is a shadow: a copy to which the overlay is applied
 * (src/core/overlay). So a query need not know of overlays: it reads request->g.
 *
 *   outside of lwend_call     request->g is the map of the script, as request->owner
 *   inside                    request->g is `looked`, the shadow as a map; request->owner, which is locked, the map of the script
 *
 * Ids and numbers of tags are the same in both, but only the map has names of nodes. What outlives the call belongs to the map, and
 * remembers the overlay with its version: paths, fields.
 *
 * A search in slices keeps its shadow. The core brings it up to date before each slice, which is for the search as if its map was
 * edited. After too many restarts the search gets a shadow for itself, which stays as it is. */
#include "lua/lwend.h"

/* ---- Options ------------------------------------------------------------------------------------------------ */

lwend_overlay *lwend_to_overlay(lua_State *L, const lwend_state *state, int index) {
  return lwend_toobject(L, index, state->overlay_mt);
}

lwend_overlay *lwend_check_overlay(lua_State *L, int index, const lwend_map *g) {
  lwend_overlay *o = lwend_to_overlay(L, lwend_state_of(L), index);
  const char *wanted = g == NULL          ? "an overlay (map:overlay())"
                       : g->graph != NULL ? "an overlay of this graph"
                                          : "an overlay of this grid";
  if (o == NULL) lwend_type_error(L, index, "overlay", wanted);
  else if (g != NULL && o->of != g) luaL_error(L, "overlay must be %s, got one of another map", wanted);
  else if (o->overlay == NULL) luaL_error(L, "the overlay is gone");
  return o;
}

int lwend_push_overlay(lua_State *L, lwend_map *g) {
  lwend_state *state = lwend_state_of(L);
  lwend_overlay *o = lwend_new(L, sizeof *o, state->overlay_ref);
  const int self = lua_gettop(L);
  o->of = g;
  lwend_pushanchor(L, 1);
  lwend_setanchor(L, self);
  o->overlay = wend_overlay_create(&state->alloc, lwend_check_alive(L, g)->map); /* a finalizer may have freed the map */
  if (o->overlay == NULL) return lwend_no_memory(L);
  return 1;
}

/* Reads { x =, y = }, a plain table. false: the table at index has no x. */
static bool read_one_cell(lua_State *L, int index, const lwend_map *g, wend_id *cell) {
  const int top = lua_gettop(L);
  lua_pushliteral(L, "x");
  lua_rawget(L, index);
  lua_pushliteral(L, "y");
  lua_rawget(L, index);
  if (lua_isnil(L, top + 1)) {
    lua_settop(L, top);
    return false;
  }
  *cell = lwend_check_cell(L, top + 1, g, "except.x", "except.y");
  lua_settop(L, top);
  return true;
}

/* Whether item i of the list at index is a whole number that is the id of no node. */
static bool is_removed_node(lua_State *L, int index, const lwend_map *g, uint32_t i) {
  wend_id node;
  bool removed;
  if (g->graph == NULL) return false;
  lua_rawgeti(L, index, (int)i);
  removed = lua_type(L, -1) == LUA_TNUMBER && lwend_towhole(L, -1, &node) && !wend_graph_has_node(g->graph, node);
  lua_pop(L, 1);
  return removed;
}

uint32_t lwend_read_except(lua_State *L, lwend_state *state, lwend_searcher *searcher, int index, const lwend_map *g,
                           bool lenient) {
  uint32_t count = 1, kept = 0;
  wend_id one = WEND_NO_ID;
  bool listed = lua_istable(L, index);
  if (lua_isnil(L, index)) return 0;
  lwend_check_alive(L, (lwend_map *)(uintptr_t)g);
  if (g->grid != NULL) {
    if (!listed) lwend_type_error(L, index, "except", "a cell or a list of cells");
    if (read_one_cell(L, index, g, &one)) listed = false;
    else count = lwend_check_list(L, index, "except", 2, "numbers");
  } else if (listed) {
    lua_pushliteral(L, "x");
    lua_rawget(L, index);
    if (!lua_isnil(L, -1)) luaL_error(L, "except must be a node or a list of nodes, got a position");
    lua_pop(L, 1);
    count = lwend_check_list(L, index, "except", 1, "nodes");
  } else {
    if (lenient && lua_type(L, index) == LUA_TNUMBER && lwend_towhole(L, index, &one) && !wend_graph_has_node(g->graph, one))
      return 0;
    one = lwend_check_node(L, index, g, "except");
  }
  LWEND_GROW(L, state, searcher->except, searcher->except_capacity, (uint64_t)count + 1);
  searcher->except[0] = one;
  if (!listed) return 1;
  for (uint32_t i = 1; i <= count; i++) {
    if (lenient && is_removed_node(L, index, g, i)) continue;
    searcher->except[kept++] =
        g->grid != NULL ? lwend_check_listed_cell(L, index, g, "except", i) : lwend_check_listed_node(L, index, g, "except", i);
  }
  return kept;
}

/* ---- Looking ------------------------------------------------------------------------------------------------ */

uint32_t lwend_prepare_look(lua_State *L, lwend_request *request) {
  (void)lwend_check_overlay(L, request->frame + LWEND_OVERLAY, request->owner);
  if (request->shadow != NULL) return 0;
  return lwend_read_except(L, request->state, request->searcher, request->frame + LWEND_EXCEPT, request->owner, false);
}

/* Takes the shadow of the request, or brings the one that it keeps up to date. */
static wend_status take_shadow(lwend_request *request, lwend_overlay *o, uint32_t count) {
  lwend_state *state = request->state;
  if (request->shadow != NULL) return request->copied ? WEND_OK : wend_shadow_update(request->shadow, o->overlay);
  if (state->shadows == NULL) state->shadows = wend_shadows_create(&state->alloc, state->views);
  if (state->shadows == NULL) return WEND_NO_MEMORY;
  return wend_shadow_take(state->shadows, request->owner->map, o->overlay, request->searcher->except, count, request->copied,
                          &request->shadow);
}

void lwend_look(lua_State *L, lwend_request *request, uint32_t excepted) {
  lwend_overlay *o = lwend_check_overlay(L, request->frame + LWEND_OVERLAY, request->owner);
  const bool frozen = request->copied && request->shadow != NULL;
  const wend_status status = take_shadow(request, o, excepted);
  if (status != WEND_OK) lwend_no_memory(L);
  if (!frozen) {
    const uint64_t version = wend_overlay_version(o->overlay);
    if (!request->keeps && request->overlay_serial != 0 && version != request->overlay_version) request->disturbed = true;
    request->overlay_serial = wend_overlay_serial(o->overlay);
    request->overlay_version = version;
  }
  request->looked = *request->owner;
  request->looked.map = wend_shadow_map(request->shadow);
  request->looked.graph = wend_shadow_graph(request->shadow);
  request->looked.grid = wend_shadow_grid(request->shadow);
  request->looked.named = request->owner;
  request->looked.snapshot = NULL;
  request->g = &request->looked;
}

void lwend_look_away(lwend_request *request) {
  request->g = request->owner;
  if (!request->keeps) lwend_forget_shadow(request);
}

void lwend_forget_shadow(lwend_request *request) {
  if (request->shadow != NULL && request->state->shadows != NULL) wend_shadow_release(request->shadow);
  request->shadow = NULL;
}

bool lwend_overlay_has_changed(lua_State *L, const lwend_state *state, int index, uint64_t serial, uint64_t version) {
  const lwend_overlay *o = lwend_to_overlay(L, state, index);
  return o == NULL || o->overlay == NULL || wend_overlay_serial(o->overlay) != serial ||
         wend_overlay_version(o->overlay) != version;
}

bool lwend_overlay_uses(lua_State *L, const lwend_state *state, int list, const uint8_t *marked) {
  const lwend_overlay *o;
  bool uses;
  lua_rawgeti(L, list, LWEND_OVERLAY - LWEND_MAP + 1);
  o = lwend_to_overlay(L, state, lua_gettop(L));
  uses = o != NULL && o->overlay != NULL && wend_overlay_uses(o->overlay, marked);
  lua_pop(L, 1);
  return uses;
}
