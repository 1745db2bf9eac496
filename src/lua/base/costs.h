/* SPDX-License-Identifier: MIT */
/* Cost profiles as callbacks of the core: see costs.c and tariff.c. */
#ifndef WEND_LUA_BASE_COSTS_H
#define WEND_LUA_BASE_COSTS_H

#include "lua/base/query.h"

/* A field of the table at stack index `table`, as a number. */
static inline double lwend_number_in(lua_State *L, int table, const char *name) {
  double number;
  lua_getfield(L, table, name);
  number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}
/* Checks the option costs at index and pushes the compiled profile. nil: pushes nil. May run finalizers. */
void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index);
/* Reads from the profile in the frame, which was compiled last, how the functions of the request are called, and its age. */
void lwend_costs_read_settings(lua_State *L, lwend_request *request);
/* Pushes what the profile at index was compiled into, and reads its settings. nil: it is none, or has to be compiled again. Runs no
 * script. */
void lwend_costs_push_known(lua_State *L, lwend_request *request, int costs);
/* Whether the costs of a result can have changed: some profile was edited since age->seen. */
static inline bool lwend_costs_may_have_changed(const lwend_state *state, const lwend_costs_age *age) {
  return age->made > 0 && state->clock != age->seen;
}
/* Compiles the profile of a result at stack index `costs` if it may have changed. Other values are ignored. May run finalizers.
 * To be called before lwend_costs_changed_tags. */
void lwend_costs_look(lua_State *L, const lwend_state *state, const lwend_costs_age *age, int costs);
/* By tag of a map, 1 if its costs have changed since the result was made; item 0: no tag. Borrowed until the next call.
 * NULL: no tag has changed, and age->seen is now. costs: stack index of the profile of the result; for any other value, and
 * if the profile was edited after lwend_costs_look, all tags count as changed. tags: stack index of the list of the names of
 * tags. count: of tags of the map. Allocates no Lua memory. */
const uint8_t *lwend_costs_changed_tags(lua_State *L, lwend_state *state, lwend_costs_age *age, int costs, int tags,
                                        uint32_t count);
/* Notes that a result with changed tags uses none of them. */
static inline void lwend_costs_note_seen(const lwend_state *state, lwend_costs_age *age) { age->seen = state->clock; }
/* Whether the costs of a tag that the map uses have changed since the result at stack index `object` was made. Its anchor
 * is the list of the slots of its request. May run finalizers; then raises if its map was freed. */
bool lwend_costs_are_stale(lua_State *L, lwend_state *state, int object, lwend_costs_age *age);
/* Runs the functions by tag, and fills in search.costs. Runs protected. */
void lwend_costs_resolve(lua_State *L, lwend_request *request);
/* The same for the profile at index and the map at index if nothing is left to do: the searcher has its tables, and it has no
 * functions that matter. False: otherwise. Runs no script. */
bool lwend_costs_settled(lua_State *L, lwend_request *request, int costs, int map);
/* Pushes the values that calls of edge rules need. They stay on the stack while the search runs. */
void lwend_costs_push(lua_State *L, lwend_request *request);
/* The price of a step by its tags, before edge rules. weight: of the edge or step. */
double lwend_costs_price(const lwend_request *request, const wend_step *step, double weight);
/* Pushes the description of a step, as path:explain returns it, and sets step->cost. weight: of the edge or step. added: what
 * layers add to its price. */
void lwend_costs_explain(lua_State *L, lwend_request *request, wend_step *step, double weight, double added);
/* Pops the list of the rules of a step, and pushes its description: with step->cost. weight: NaN if there is none. */
void lwend_costs_push_step(lua_State *L, const lwend_request *request, const wend_step *step, double weight);
/* Pushes a list of what closes a step, in the order in which it is asked: { name, cost } each, as path:explain lists rules. Each
 * item closes the step even if all others let it through. by_tag, by_rule: whether the tag and whether edge rules close it.
 * step->cost: the price if the tag is open. weight: of the step. */
void lwend_costs_push_closers(lua_State *L, lwend_request *request, const wend_step *step, double weight, bool by_tag,
                              bool by_rule);
/* After an error: pushes the name of the callee for messages; and its rule, or nil. Returns the number of the rule; 0: it is not
 * a rule. map, compiled: stack indices in the caller's frame. */
uint64_t lwend_costs_push_callee(lua_State *L, const lwend_request *request, int map, int compiled);

#endif
