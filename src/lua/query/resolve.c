/* SPDX-License-Identifier: MIT */
/* costs:resolve: runs the functions of tags for one agent, without a map. lua/wend/costs/resolved.lua keeps the results. */
#include "lua/lwend.h"

static int protected_resolve(lua_State *L) { return lwend_costs_resolve_names(L, lwend_to_request(L)); }

/* run(compiled, profile, agent, names) -> list of entries without functions: the costs of tags for an agent, which is not nil.
 * names: the list of their names. For costs:resolve. */
static int resolve_run(lua_State *L) {
  lwend_state *state = lwend_state_of(L);
  lwend_request request;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 4, LUA_TTABLE);
  lua_settop(L, 4);
  lwend_check_stack(L, LUA_MINSTACK);
  (void)lwend_newuserdata(L, 0); /* what has the names as its anchor, as a map has */
  lua_pushvalue(L, 4);
  lwend_setanchor(L, 5);
  lwend_request_init(L, &request, state);
  request.searcher = &state->searchers[state->depth];
  lwend_request_set(L, &request, LWEND_MAP, 5);
  lwend_request_set(L, &request, LWEND_COSTS, 2);
  lwend_request_set(L, &request, LWEND_AGENT, 3);
  lwend_request_set(L, &request, LWEND_COMPILED, 1);
  lwend_costs_read_settings(L, &request);
  request.metered = true; /* there is no map that functions might change */
  return lwend_call(L, &request, state->resolve_ref, lwend_undo_nothing);
}

void lwend_open_resolve(lua_State *L, lwend_state *state) {
  state->resolve_ref = lwend_protected(L, state, protected_resolve);
  state->run_ref = lwend_protected(L, state, resolve_run);
}
