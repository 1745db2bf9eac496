/* SPDX-License-Identifier: MIT */
/* graph:chokepoints and grid:chokepoints. The core finds them (src/core/check/chokepoints.c). */
#include <limits.h>

#include "lua/base/costs.h"

/* Pushes one chokepoint: { node, cuts }, { edge, from, to, cuts }, { x, y, cuts } or { x, y, to_x, to_y, cuts }. */
static void push_chokepoint(lua_State *L, const lwend_map *g, const wend_chokepoint *one) {
  const bool place = one->node != WEND_NO_ID;
  lua_createtable(L, 0, place ? 3 : 5);
  if (place) {
    lwend_set_id(L, g, one->node, "node", "x", "y");
  } else {
    if (g->graph != NULL) lwend_set_whole(L, "edge", one->edge);
    lwend_set_id(L, g, one->from, "from", "x", "y");
    lwend_set_id(L, g, one->to, "to", "to_x", "to_y");
  }
  lwend_set_whole(L, "cuts", one->cuts);
}

static int protected_chokepoints(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  wend_chokepoints *chokepoints;
  const wend_chokepoint *found;
  uint32_t count;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  request->subject = chokepoints = wend_chokepoints_create(&request->state->alloc);
  if (chokepoints == NULL || wend_chokepoints_find(chokepoints, request->g->map, &request->search.costs, request->least_cut,
                                                   request->most_found) != WEND_OK)
    return lwend_no_memory(L);
  count = wend_chokepoints_get(chokepoints, &found);
  lua_createtable(L, count < INT_MAX ? (int)count : INT_MAX, 0);
  for (uint32_t i = 0; i < count; i++) {
    push_chokepoint(L, request->g, &found[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

static void free_chokepoints(lwend_request *request) { wend_chokepoints_destroy(request->subject); }

/* map:chokepoints([opts]) -> list; or nil, message, "stale" */
int lwend_map_chokepoints(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_CHOKEPOINTS, false, protected_chokepoints, free_chokepoints};
  return lwend_ask_map(L, lwend_check_map(L), &query);
}
