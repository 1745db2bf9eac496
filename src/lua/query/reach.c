/* SPDX-License-Identifier: MIT */
/* map:can_reach: whether map:path would find a path. The core answers from labels where it has some, and searches otherwise. */
#include "lua/base/costs.h"

static int protected_can_reach(lua_State *L) {
  lwend_request *request = lwend_to_request(L);
  bool reached = false;
  uint32_t goal_count;
  if (!lwend_request_ready(L, request)) return lwend_push_stale(L, request);
  goal_count = lwend_read_goals(L, request);
  lwend_check_memory(L,
                     wend_search_can_reach(request->searcher->search, request->g->map, request->from, request->searcher->goals,
                                           goal_count, &request->search.costs, request->search.ends.closed, &reached));
  return lwend_flag(L, reached);
}

/* map:can_reach(from, to[, opts]), with ends as map:path has them -> boolean; or nil, message, "stale" */
int lwend_map_can_reach(lua_State *L) {
  static const lwend_query query = {LWEND_FOR_REACH, true, protected_can_reach, NULL};
  return lwend_ask_map(L, lwend_check_map(L), &query);
}
