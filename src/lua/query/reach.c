/* SPDX-License-Identifier: MIT */
/* map:can_reach: whether map:path would find a path. The core answers from labels where it has some, and searches otherwise. */
#include "lua/lwend.h"

static int protected_can_reach(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  bool reached = false;
  uint32_t goal_count;
  wend_status status;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  goal_count = lwend_read_goals(L, request);
  lwend_costs_push(L, request);
  status = wend_search_can_reach(request->searcher->search, request->g->map, request->from, request->searcher->goals,
                                 goal_count, &request->search.costs, &reached);
  if (status == WEND_NO_MEMORY) lwend_no_memory(L);
  lua_pushboolean(L, reached);
  return 1;
}

static int can_reach_of(lua_State *L, lwend_map *g) {
  return lwend_call_between(L, g, LWEND_FOR_COSTS, lwend_state_of(L)->can_reach_ref);
}

/* graph:can_reach(from, to[, opts]) -> boolean; or nil, message, "stale" */
int lwend_graph_can_reach(lua_State *L) { return can_reach_of(L, lwend_check_graph(L, 1)); }
/* grid:can_reach(x1, y1, x2, y2[, opts]), grid:can_reach(x1, y1, goals[, opts]): the same */
int lwend_grid_can_reach(lua_State *L) { return can_reach_of(L, lwend_check_grid(L, 1)); }

void lwend_open_reach(lua_State *L, lwend_state *state) {
  state->can_reach_ref = lwend_protected(L, state, protected_can_reach);
}
