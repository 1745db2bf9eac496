/* SPDX-License-Identifier: MIT */
/* graph:chokepoints and grid:chokepoints. The core finds them (src/core/check/chokepoints.c). */
#include <limits.h>

#include "lua/lwend.h"

static int chokepoints_gc(lua_State *L) {
  wend_chokepoints **chokepoints = lwend_toobject(L, 1, lwend_state_of(L)->chokepoints_mt);
  if (chokepoints == NULL) return lwend_type_error(L, 1, "self", "chokepoints");
  wend_chokepoints_destroy(*chokepoints);
  *chokepoints = NULL;
  return 0;
}

/* Pushes one chokepoint: { node, cuts }, { edge, from, to, cuts }, { x, y, cuts } or { x, y, to_x, to_y, cuts }. */
static void push_chokepoint(lua_State *L, const lwend_map *g, const wend_chokepoint *one) {
  const bool place = one->node != WEND_NO_ID;
  lua_createtable(L, 0, place ? 3 : 5);
  if (g->grid != NULL) {
    (void)lwend_push_id(L, g, place ? one->node : one->from), lua_setfield(L, -3, "y"), lua_setfield(L, -2, "x");
    if (!place) (void)lwend_push_id(L, g, one->to), lua_setfield(L, -3, "to_y"), lua_setfield(L, -2, "to_x");
  } else if (place) {
    lwend_pushwhole(L, one->node), lua_setfield(L, -2, "node");
  } else {
    lwend_pushwhole(L, one->edge), lua_setfield(L, -2, "edge");
    lwend_pushwhole(L, one->from), lua_setfield(L, -2, "from");
    lwend_pushwhole(L, one->to), lua_setfield(L, -2, "to");
  }
  lwend_pushwhole(L, one->cuts), lua_setfield(L, -2, "cuts");
}

static int protected_chokepoints(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  wend_chokepoints *chokepoints = request->subject;
  const wend_chokepoint *found;
  wend_status status;
  uint32_t count;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  lwend_costs_push(L, request);
  status = wend_chokepoints_find(chokepoints, request->g->map, &request->search.costs, request->least_cut, request->most_found);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  count = wend_chokepoints_get(chokepoints, &found);
  lua_createtable(L, count < INT_MAX ? (int)count : INT_MAX, 0);
  for (uint32_t i = 0; i < count; i++) {
    push_chokepoint(L, request->g, &found[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

static int find_chokepoints(lua_State *L, lwend_map *g) {
  lwend_state *state = lwend_state_of(L);
  wend_chokepoints **chokepoints;
  lwend_request request;
  int results;
  lua_settop(L, 2);
  lwend_request_start(L, &request, state, g, 1);
  request.least_cut = 1;
  request.most_found = WEND_NONE;
  lwend_read_options(L, &request, 2, LWEND_FOR_CHOKEPOINTS);
  chokepoints = lwend_new(L, sizeof *chokepoints, state->chokepoints_ref);
  *chokepoints = wend_chokepoints_create(&state->alloc);
  if (*chokepoints == NULL) return lwend_no_memory(L);
  request.subject = *chokepoints;
  lwend_check_costs(L, &request);
  results = lwend_call(L, &request, state->find_chokepoints_ref, lwend_forget_search);
  wend_chokepoints_destroy(*chokepoints); /* at once, without waiting for the collector */
  *chokepoints = NULL;
  lwend_gc_step(L, state);
  return results;
}

/* graph:chokepoints([opts]) -> list; or nil, message, "stale" */
int lwend_graph_chokepoints(lua_State *L) { return find_chokepoints(L, lwend_check_graph(L, 1)); }
/* grid:chokepoints([opts]) -> list; or nil, message, "stale" */
int lwend_grid_chokepoints(lua_State *L) { return find_chokepoints(L, lwend_check_grid(L, 1)); }

void lwend_open_chokepoints(lua_State *L, lwend_state *state) {
  lua_newtable(L);
  state->chokepoints_ref = lwend_metatable(L, "wend.Chokepoints", state, chokepoints_gc, &state->chokepoints_mt);
  state->find_chokepoints_ref = lwend_protected(L, state, protected_chokepoints);
}
