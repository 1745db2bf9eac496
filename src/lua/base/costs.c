/* SPDX-License-Identifier: MIT */
/* wend.Costs. Turns a compiled profile into costs for the core, and calls the script's rules when the core needs them.
 *
 * A profile is a userdata. Its anchor, which no script can reach, is its state: a table of lua/wend/costs.lua. The first
 * items of the state are read here (STATE_...). Reading them runs no script and allocates nothing.
 *
 * lua/wend/costs.lua compiles a profile into a list, which never changes afterwards:
 *   1  values: for each tag, an entry
 *   2  the entry of all other tags
 *   3  edge rules, one after another: name, function, at_least, set of tags or false, number, label
 *   4  the time when it was compiled, and 5 the number of the profile: see lwend_costs_age
 * An entry is a multiplier, or a list:
 *   multiplier, price, then for each rule: name, function, number, label
 * A number identifies a rule or function; a label is its name in messages. For example,
 *   wend.costs { road = 0.8, swamp = f }  with  costs:edge_rule("night", g, { at_least = 1 })
 * is compiled into
 *   { { road = 0.8, swamp = { 1, 0, "tag 'swamp'", f, 1, "tag 'swamp'" } }, 1, { "night", g, 1, false, 2, "rule 'night'" } }
 *
 * A query works in three steps:
 *   1. lwend_costs_resolve, once: runs the functions of each tag. It fills in the multiplier, the price and the common
 *      promise of each tag (searcher->tags), and which edge rules apply to it (searcher->applies).
 *   2. lwend_costs_push: puts the functions of edge rules and the names of tags on the stack.
 *   3. ask_step, called by the core for each step of a tag that edge rules apply to: runs these rules.
 * If a rule fails and on_error handles it, its number is added to request->failed, and the query begins again at 1. */
#include <string.h>

#include "lua/lwend.h"

/* Items of a state: lua/wend/costs.lua describes them. A time is the number of an edit of any profile. */
enum {
  STATE_COMPILED = 1,
  STATE_COMPILED_AT,
  STATE_CHANGED_AT,
  STATE_BASE,
  STATE_ON_ERROR,
  STATE_NUMBER,
  STATE_VALUED,
  STATE_VALUED_REST,
  STATE_RULED,
  STATE_RULED_ALL
};
enum { COMPILED_VALUES = 1, COMPILED_DEFAULT, COMPILED_EDGE_RULES, COMPILED_TIME, COMPILED_NUMBER };
enum { TAG_RULE_NAME, TAG_RULE_FUNCTION, TAG_RULE_NUMBER, TAG_RULE_LABEL, TAG_RULE_WIDTH };
enum {
  EDGE_RULE_NAME,
  EDGE_RULE_FUNCTION,
  EDGE_RULE_AT_LEAST,
  EDGE_RULE_TAGS,
  EDGE_RULE_NUMBER,
  EDGE_RULE_LABEL,
  EDGE_RULE_WIDTH
};
#define FIRST_TAG_RULE 3

/* While a search runs, the names of the first 32 tags lie on the stack: copying them from there is fastest. The limit
 * keeps the stack small. */
#define TAGS_ON_STACK 32

/* A result may be below the promise by this factor: rounding is no broken promise. */
#define PROMISE_SLACK (1 - 1e-12)

/* Item i of the list at stack index `list`, as a number. */
static double number_at(lua_State *L, int list, int i) {
  double number;
  lua_rawgeti(L, list, i);
  number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

/* ---- Profiles ---------------------------------------------------------------------------------------------- */

static bool is_costs(lua_State *L, const lwend_state *state, int index) {
  return lwend_toobject(L, index, state->costs_mt) != NULL;
}

/* Whether the profile whose state is at the top of the stack, or one of its base profiles, was edited after a time. */
static bool is_edited(lua_State *L, double time) {
  const int state = lua_gettop(L);
  bool edited = false;
  lua_pushvalue(L, state);
  while (!edited && lua_istable(L, -1)) {
    edited = number_at(L, lua_gettop(L), STATE_CHANGED_AT) > time;
    lua_rawgeti(L, -1, STATE_BASE);
    lua_remove(L, -2);
  }
  lua_settop(L, state);
  return edited;
}

/* Whether the compiled list in the state at the top of the stack is up to date. */
static bool is_compiled(lua_State *L) {
  const int state = lua_gettop(L);
  const bool compiled = LWEND_RAWGETI(L, state, STATE_COMPILED) == LUA_TTABLE;
  lua_pop(L, 1);
  return compiled && !is_edited(L, number_at(L, state, STATE_COMPILED_AT));
}

void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index) {
  luaL_checkstack(L, LUA_MINSTACK, "no room for a cost profile");
  if (lua_isnil(L, index)) {
    lua_pushnil(L);
    return;
  }
  if (!is_costs(L, state, index)) lwend_type_error(L, index, "costs", "a profile made by wend.costs");
  lwend_pushanchor(L, index);
  if (is_compiled(L)) {
    lua_rawgeti(L, -1, STATE_COMPILED);
    lua_remove(L, -2);
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->compile_ref);
  lua_insert(L, -2);
  lua_call(L, 1, 1);
}

/* ---- What has changed in a profile -------------------------------------------------------------------------- */

/* Reading times allocates nothing, so no script runs from the first look at a profile to the answer. */

/* The time now: the number of edits of all profiles. */
static uint64_t time_now(lua_State *L, const lwend_state *state) {
  double now;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->clock_ref);
  lua_rawgeti(L, -1, 1);
  now = lua_tonumber(L, -1);
  lua_pop(L, 2);
  return (uint64_t)now;
}

lwend_costs_age lwend_costs_compiled_age(lua_State *L, int compiled) {
  lwend_costs_age age = {0, 0, 0, false};
  if (lua_isnil(L, compiled)) return age;
  age.made = age.seen = (uint64_t)number_at(L, compiled, COMPILED_TIME);
  age.number = (uint64_t)number_at(L, compiled, COMPILED_NUMBER);
  return age;
}

bool lwend_costs_may_have_changed(lua_State *L, const lwend_state *state, const lwend_costs_age *age) {
  return age->made > 0 && time_now(L, state) != age->seen;
}

void lwend_costs_note_seen(lua_State *L, const lwend_state *state, lwend_costs_age *age) { age->seen = time_now(L, state); }

/* The time of the tag whose name is at stack index `name`, from the list that is item `list` of the state at index. */
static double time_of_tag(lua_State *L, int index, int list, int name, double otherwise) {
  double time;
  lua_rawgeti(L, index, list);
  lua_pushvalue(L, name);
  lua_rawget(L, -2);
  time = lua_isnil(L, -1) ? otherwise : lua_tonumber(L, -1);
  lua_pop(L, 2);
  return time;
}

/* Whether the value of a tag, or a rule about it, has changed after a time, in the profile whose state is at stack index
 * `profile` or in its base profiles. The name of the tag is at the top of the stack; nil: what has no tag. A value that is
 * a number hides the values of the base profiles, but not their rules. */
static bool is_tag_changed(lua_State *L, int profile, double made) {
  const int name = lua_gettop(L), state = name + 1;
  const bool tagged = !lua_isnil(L, name);
  bool hidden = !tagged, changed = false;
  lua_pushvalue(L, profile);
  while (!changed && lua_istable(L, state)) {
    changed = number_at(L, state, STATE_RULED_ALL) > made;
    if (!changed && tagged) changed = time_of_tag(L, state, STATE_RULED, name, 0) > made;
    if (!changed && !hidden) {
      const double time = time_of_tag(L, state, STATE_VALUED, name, number_at(L, state, STATE_VALUED_REST));
      changed = fabs(time) > made;
      hidden = time > 0;
    }
    lua_rawgeti(L, state, STATE_BASE);
    lua_remove(L, state);
  }
  lua_settop(L, name);
  return changed;
}

const uint8_t *lwend_costs_changed_tags(lua_State *L, lwend_state *state, lwend_costs_age *age, int costs, int tags,
                                        uint32_t count) {
  lwend_searcher *searcher = &state->searchers[state->depth];
  const uint64_t now = time_now(L, state);
  const int top = lua_gettop(L), profile = top + 1;
  bool any = false;
  LWEND_GROW(L, state, searcher->applies, searcher->applies_capacity, (uint64_t)count + 1);
  memset(searcher->applies, 1, (size_t)count + 1);
  if (!is_costs(L, state, costs)) return searcher->applies;
  lwend_pushanchor(L, costs);
  if (number_at(L, profile, STATE_NUMBER) != (double)age->number) {
    lua_settop(L, top);
    return searcher->applies;
  }
  if (is_edited(L, (double)age->seen)) {
    for (uint32_t tag = 0; tag <= count; tag++) {
      if (tag == WEND_UNTAGGED) lua_pushnil(L);
      else lua_rawgeti(L, tags, (int)tag);
      searcher->applies[tag] = (tag == WEND_UNTAGGED || !lua_isnil(L, -1)) && is_tag_changed(L, profile, (double)age->made);
      any = any || searcher->applies[tag];
      lua_settop(L, profile);
    }
  }
  lua_settop(L, top);
  if (any) return searcher->applies;
  age->seen = now;
  return NULL;
}

bool lwend_costs_are_stale(lua_State *L, lwend_state *state, int object, lwend_costs_age *age) {
  const int top = lua_gettop(L);
  const uint8_t *changed;
  const lwend_map *map;
  if (age->changed) return true;
  if (!lwend_costs_may_have_changed(L, state, age)) return false;
  lwend_pushanchor(L, object);
  lua_rawgeti(L, top + 1, LWEND_COSTS - LWEND_MAP + 1);
  lua_rawgeti(L, top + 1, 1);
  map = lua_touserdata(L, -1);
  lwend_pushanchor(L, -1);
  changed = lwend_costs_changed_tags(L, state, age, top + 2, lua_gettop(L), wend_map_tag_count(map->map));
  if (changed != NULL) age->changed = wend_map_uses(map->map, changed) || lwend_overlay_uses(L, state, top + 1, changed);
  if (changed != NULL && !age->changed) lwend_costs_note_seen(L, state, age);
  lua_settop(L, top);
  return age->changed;
}

/* ---- The class ---------------------------------------------------------------------------------------------- */

void lwend_costs_push_on_error(lua_State *L, int index) {
  if (lua_isnil(L, index)) {
    lua_pushnil(L);
    return;
  }
  lwend_pushanchor(L, index);
  while (lua_istable(L, -1)) {
    lua_rawgeti(L, -1, STATE_ON_ERROR);
    if (lua_toboolean(L, -1)) {
      lua_remove(L, -2);
      return;
    }
    lua_pop(L, 1);
    lua_rawgeti(L, -1, STATE_BASE);
    lua_remove(L, -2);
  }
  lua_pop(L, 1);
  lua_pushnil(L);
}

/* new(state) -> profile. For lua/wend/costs.lua. */
static int costs_new(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  (void)lwend_new(L, 1, lwend_state_of(L)->costs_ref);
  lua_pushvalue(L, 1);
  lwend_setanchor(L, 2);
  return 1;
}

/* state_of(value) -> state of the profile, or nil: not a profile. For lua/wend/costs.lua. */
static int costs_state_of(lua_State *L) {
  lua_settop(L, 1);
  if (is_costs(L, lwend_state_of(L), 1)) lwend_pushanchor(L, 1);
  else lua_pushnil(L);
  return 1;
}

/* core.costs_class(compile, index, newindex, tostring, clock) -> new, state_of. Works once: only lua/wend/costs.lua may
 * call it. clock: a list of one item, the number of edits of all profiles. */
int lwend_core_costs_class(lua_State *L) {
  static const char *const metamethods[] = {"__index", "__newindex", "__tostring"};
  lwend_state *state = lwend_state_of(L);
  for (int i = 1; i <= 4; i++) luaL_checktype(L, i, LUA_TFUNCTION);
  luaL_checktype(L, 5, LUA_TTABLE);
  if (state->compile_ref != LUA_NOREF) luaL_error(L, "the class of costs is taken: load wend.core anew as well");
  lua_settop(L, 5);
  state->clock_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->costs_ref);
  for (int i = 0; i < 3; i++) {
    lua_pushvalue(L, i + 2);
    lua_setfield(L, -2, metamethods[i]);
  }
  lua_pushvalue(L, 1);
  state->compile_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushcclosure(L, costs_new, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, state);
  lua_pushcclosure(L, costs_state_of, 1);
  return 2;
}

/* ---- Requests ---------------------------------------------------------------------------------------------- */

/* Whether the rule with this number has failed in this request. */
static bool has_failed(const lwend_request *request, double number) {
  for (int i = 0; i < request->failed_count; i++)
    if ((double)request->failed[i] == number) return true;
  return false;
}

/* Raises: a function returned an invalid value. The caller of the protected call adds the name of the rule. */
static int bad_answer(lua_State *L, int index) {
  return luaL_error(L, "wanted a number >= 0, false or nil, got %s", lwend_describe(L, index));
}

/* The result of a function at index: a number >= 0, false for closed, nil for no change. Closed is INFINITY. */
static double answer_at(lua_State *L, int index, double as_it_was) {
  double number;
  switch (lua_type(L, index)) {
    case LUA_TNIL: return as_it_was;
    case LUA_TNUMBER:
      number = lua_tonumber(L, index);
      if (number >= 0) return number;
      break;
    case LUA_TBOOLEAN:
      if (!lua_toboolean(L, index)) return INFINITY;
      break;
    default: break;
  }
  bad_answer(L, index);
  return 0;
}

/* Pushes the entry of a tag, whose name is at the top of the stack. Returns the type of the entry. */
static int push_entry(lua_State *L) {
  int type;
  lua_rawgeti(L, LWEND_COMPILED, COMPILED_VALUES);
  lua_pushvalue(L, -2);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  type = lua_type(L, -1);
  if (type != LUA_TNIL) return type;
  lua_pop(L, 1);
  return LWEND_RAWGETI(L, LWEND_COMPILED, COMPILED_DEFAULT);
}

/* Appends { name, cost } to the list at stack index `record`: a rule and the cost after it. record 0: does nothing. */
static void note_rule(lua_State *L, int record, int label, double cost) {
  if (record == 0) return;
  label = lua_absindex(L, label);
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, label);
  lua_setfield(L, -2, "name");
  lua_pushnumber(L, cost);
  lua_setfield(L, -2, "cost");
  lua_rawseti(L, record, (int)lua_rawlen(L, record) + 1);
}

/* If no agent is given, functions receive an empty table. It is made before the first function is called. */
static void need_agent(lua_State *L) {
  if (!lua_isnil(L, LWEND_AGENT)) return;
  lua_newtable(L);
  lua_replace(L, LWEND_AGENT);
}

/* Fills in the multiplier and the price of a tag, whose name is at the top of the stack: runs its functions. record: see
 * note_rule. weight: for the costs in the record. */
static void resolve_tag(lua_State *L, lwend_request *request, uint32_t tag, wend_tag_cost *cost, int record, double weight) {
  int text = lua_gettop(L), entry = text + 1, type = push_entry(L);
  double times = 1, plus = 0;
  if (type == LUA_TNUMBER) {
    times = lua_tonumber(L, entry);
  } else {
    int last = (int)lua_rawlen(L, entry);
    times = number_at(L, entry, 1);
    plus = number_at(L, entry, 2);
    if (last >= FIRST_TAG_RULE) need_agent(L);
    request->callee = CALLEE_TAG;
    request->callee_tag = tag;
    for (int at = FIRST_TAG_RULE; at + TAG_RULE_LABEL <= last; at += TAG_RULE_WIDTH) {
      if (request->failed_count > 0 && has_failed(request, number_at(L, entry, at + TAG_RULE_NUMBER))) continue;
      request->callee_at = at;
      lua_rawgeti(L, entry, at + TAG_RULE_FUNCTION);
      lua_pushvalue(L, LWEND_AGENT);
      lua_pushnumber(L, times);
      lua_pushvalue(L, text);
      lwend_ask(L, request->g, 3, 2);
      times = answer_at(L, -2, times);
      if (!lua_isnil(L, -1)) {
        plus = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
        if (!(plus >= 0)) luaL_error(L, "wanted a price >= 0, got %s", lwend_describe(L, -1));
      }
      lua_settop(L, entry);
      if (record == 0) continue;
      lua_rawgeti(L, entry, at + TAG_RULE_LABEL);
      note_rule(L, record, -1, times == INFINITY ? INFINITY : weight * times + plus);
      lua_settop(L, entry);
    }
    request->callee = CALLEE_NONE;
  }
  lua_settop(L, entry - 1);
  if (times == INFINITY || plus == INFINITY) times = 0, plus = INFINITY;
  cost->times = times;
  cost->plus = plus;
  cost->at_least = 1;
  cost->asks = false;
}

/* The number of edge rules of the compiled profile. */
static int rule_count(lua_State *L) {
  int rules = 0;
  if (!lua_isnil(L, LWEND_COMPILED)) {
    lua_rawgeti(L, LWEND_COMPILED, COMPILED_EDGE_RULES);
    rules = (int)(lua_rawlen(L, -1) / EDGE_RULE_WIDTH);
    lua_pop(L, 1);
  }
  return rules;
}

/* Fills in, for a tag, which edge rules apply to it, and the product of their promises. The name of the tag, or nil, is
 * at the top of the stack. The list of edge rules is at stack index `rules`. applies[count]: the option `cost`. */
static void resolve_edge_rules(lua_State *L, lwend_request *request, int rules, int count, uint8_t *applies,
                               wend_tag_cost *cost) {
  int text = lua_gettop(L);
  for (int r = 0; r < count; r++) {
    int at = r * EDGE_RULE_WIDTH + 1;
    bool applied = request->failed_count == 0 || !has_failed(request, number_at(L, rules, at + EDGE_RULE_NUMBER));
    if (applied && LWEND_RAWGETI(L, rules, at + EDGE_RULE_TAGS) == LUA_TTABLE) {
      applied = !lua_isnil(L, text);
      if (applied) {
        lua_pushvalue(L, text);
        lua_rawget(L, -2);
        applied = lua_toboolean(L, -1);
      }
    }
    lua_settop(L, text);
    applies[r] = applied;
    if (!applied) continue;
    cost->asks = true;
    cost->at_least *= number_at(L, rules, at + EDGE_RULE_AT_LEAST);
  }
  applies[count] = !lua_isnil(L, LWEND_COST);
  if (applies[count]) {
    cost->asks = true;
    cost->at_least *= request->at_least;
  }
}

static double ask_step(void *ud, const wend_step *step);

void lwend_costs_resolve(lua_State *L, lwend_request *request) {
  lwend_searcher *searcher = request->searcher;
  bool profile = !lua_isnil(L, LWEND_COMPILED), asks = false;
  uint32_t tags = wend_map_tag_count(request->g->map) + 1;
  int top = lua_gettop(L), count = rule_count(L);
  memset(&request->search.costs, 0, sizeof request->search.costs);
  request->rule_count = count;
  if (!profile && lua_isnil(L, LWEND_COST)) return;
  LWEND_GROW(L, request->state, searcher->tags, searcher->tags_capacity, tags);
  LWEND_GROW(L, request->state, searcher->applies, searcher->applies_capacity, (uint64_t)tags * (uint64_t)(count + 1));
  lwend_note_tags(L, LWEND_MAP, request->g);
  lwend_pushanchor(L, LWEND_MAP);
  if (profile) lua_rawgeti(L, LWEND_COMPILED, COMPILED_EDGE_RULES);
  else lua_pushnil(L);
  for (uint32_t tag = 0; tag < tags; tag++) {
    const wend_tag_cost as_it_is = {1, 0, 1, false};
    wend_tag_cost cost = as_it_is;
    if (tag == WEND_UNTAGGED) lua_pushnil(L);
    else lua_rawgeti(L, top + 1, (int)tag);
    if (profile && tag != WEND_UNTAGGED) resolve_tag(L, request, tag, &cost, 0, 0);
    resolve_edge_rules(L, request, top + 2, count, searcher->applies + (size_t)tag * (size_t)(count + 1), &cost);
    asks = asks || cost.asks;
    searcher->tags[tag] = cost;
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
  request->search.costs.tags = searcher->tags;
  request->search.costs.edge = asks ? ask_step : NULL;
  request->search.costs.ud = request;
}

void lwend_costs_push(lua_State *L, lwend_request *request) {
  const int count = request->rule_count;
  if (request->search.costs.edge == NULL) return;
  luaL_checkstack(L, count + TAGS_ON_STACK + LUA_MINSTACK, "too many edge rules");
  need_agent(L);
  lwend_pushanchor(L, LWEND_MAP);
  request->tag_names = lua_gettop(L);
  request->tags_on_stack = (int)lua_rawlen(L, request->tag_names);
  if (request->tags_on_stack > TAGS_ON_STACK) request->tags_on_stack = TAGS_ON_STACK;
  for (int tag = 1; tag <= request->tags_on_stack; tag++) lua_rawgeti(L, request->tag_names, tag);
  if (count > 0) lua_rawgeti(L, LWEND_COMPILED, COMPILED_EDGE_RULES);
  else lua_pushnil(L);
  request->rules = lua_gettop(L);
  request->functions = request->rules + 1;
  for (int r = 0; r < count; r++) lua_rawgeti(L, request->rules, r * EDGE_RULE_WIDTH + 1 + EDGE_RULE_FUNCTION);
  lua_pushvalue(L, LWEND_COST);
}

/* Runs one rule, whose function is at stack index `function`, and returns the new cost of the step. `cost`: the cost so
 * far. */
static inline double ask_rule(lua_State *L, const lwend_request *request, int function, const wend_step *step, double cost) {
  double answer;
  lua_pushvalue(L, function);
  lua_pushvalue(L, LWEND_AGENT);
  lua_pushnumber(L, cost);
  if (step->tag == WEND_UNTAGGED) lua_pushnil(L);
  else if (step->tag <= (uint32_t)request->tags_on_stack) lua_pushvalue(L, request->tag_names + (int)step->tag);
  else lua_rawgeti(L, request->tag_names, (int)step->tag);
  if (request->g->grid == NULL) {
    lwend_pushwhole(L, step->from);
    lwend_pushwhole(L, step->to);
    lwend_pushwhole(L, step->edge);
    lwend_ask(L, request->g, 6, 1);
  } else {
    (void)lwend_push_id(L, request->g, step->from);
    (void)lwend_push_id(L, request->g, step->to);
    lwend_ask(L, request->g, 7, 1);
  }
  answer = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(answer >= 0)) answer = answer_at(L, -1, cost);
  lua_pop(L, 1);
  return answer;
}

/* Raises if a result is below its promise. */
static void check_promise(lua_State *L, double answer, double cost, double at_least) {
  if (answer >= cost * at_least * PROMISE_SLACK) return;
  lua_pushnumber(L, answer);
  lua_pushnumber(L, at_least);
  lua_pushnumber(L, cost);
  luaL_error(L, "returned %s, below its promise of at_least %s times %s", lua_tostring(L, -3), lua_tostring(L, -2),
             lua_tostring(L, -1));
}

/* Runs all rules that apply to the tag of a step, and the option `cost`. Returns the cost. record: see note_rule. */
static double ask_rules(lua_State *L, lwend_request *request, const wend_step *step, int record) {
  const uint8_t *applies = request->searcher->applies + (size_t)step->tag * (size_t)(request->rule_count + 1);
  double cost = step->cost, answer;
  request->callee = CALLEE_EDGE;
  for (int r = 0; r < request->rule_count; r++) {
    int at = r * EDGE_RULE_WIDTH + 1;
    double at_least;
    if (!applies[r]) continue;
    at_least = number_at(L, request->rules, at + EDGE_RULE_AT_LEAST);
    if (cost == INFINITY && at_least > 0) continue; /* closed: a rule with a promise cannot open it */
    request->callee_at = at;
    answer = ask_rule(L, request, request->functions + r, step, cost);
    if (at_least > 0) check_promise(L, answer, cost, at_least);
    cost = answer;
    if (record == 0) continue;
    lua_rawgeti(L, request->rules, at + EDGE_RULE_LABEL);
    note_rule(L, record, lua_gettop(L), cost);
    lua_pop(L, 1);
  }
  if (applies[request->rule_count] && !(cost == INFINITY && request->at_least > 0)) {
    request->callee = CALLEE_COST;
    answer = ask_rule(L, request, request->functions + request->rule_count, step, cost);
    if (request->at_least > 0) check_promise(L, answer, cost, request->at_least);
    cost = answer;
    if (record != 0) {
      lua_pushliteral(L, "option 'cost'");
      note_rule(L, record, lua_gettop(L), cost);
      lua_pop(L, 1);
    }
  }
  request->callee = CALLEE_NONE;
  return cost;
}

/* wend_costs.edge: the cost of a step after all rules that apply to its tag. ud: the request. */
static double ask_step(void *ud, const wend_step *step) {
  lwend_request *request = ud;
  double answer;
  if (request->rule_count > 0) return ask_rules(request->L, request, step, 0);
  /* The short way: there are no rules, only the option `cost`. */
  if (step->cost == INFINITY && request->at_least > 0) return INFINITY; /* closed: a promise forbids to open it */
  request->callee = CALLEE_COST;
  answer = ask_rule(request->L, request, request->functions, step, step->cost);
  if (request->at_least > 0) check_promise(request->L, answer, step->cost, request->at_least);
  request->callee = CALLEE_NONE;
  return answer;
}

void lwend_costs_explain(lua_State *L, lwend_request *request, wend_step *step, double weight) {
  int item = lua_gettop(L) + 1, record = item + 1, text = item + 2;
  wend_tag_cost cost = {1, 0, 1, false};
  lua_createtable(L, 0, 8);
  lua_newtable(L);
  lwend_push_tag(L, LWEND_MAP, step->tag);
  if (!lua_isnil(L, LWEND_COMPILED) && step->tag != WEND_UNTAGGED) {
    int type = push_entry(L);
    double times = type == LUA_TNUMBER ? lua_tonumber(L, -1) : number_at(L, text + 1, 1);
    double plus = type == LUA_TNUMBER ? 0 : number_at(L, text + 1, 2);
    if (times != 1 || plus != 0) { /* the value of the tag, before any function */
      lua_pushfstring(L, "tag '%s'", lua_tostring(L, text));
      note_rule(L, record, lua_gettop(L), times == INFINITY ? INFINITY : weight * times + plus);
    }
    lua_settop(L, text);
    resolve_tag(L, request, step->tag, &cost, record, weight);
  }
  step->cost = weight * cost.times + cost.plus;
  if (request->search.costs.edge != NULL) step->cost = ask_rules(L, request, step, record);
  if (request->g->graph != NULL) {
    lwend_pushwhole(L, step->edge), lua_setfield(L, item, "edge");
    lwend_pushwhole(L, step->from), lua_setfield(L, item, "from");
    lwend_pushwhole(L, step->to), lua_setfield(L, item, "to");
  } else {
    (void)lwend_push_id(L, request->g, step->from), lua_setfield(L, item, "from_y"), lua_setfield(L, item, "from_x");
    (void)lwend_push_id(L, request->g, step->to), lua_setfield(L, item, "to_y"), lua_setfield(L, item, "to_x");
  }
  lua_pushnumber(L, weight), lua_setfield(L, item, "weight");
  lua_pushnumber(L, step->cost), lua_setfield(L, item, "cost");
  lua_pushvalue(L, text), lua_setfield(L, item, "tag");
  lua_pushvalue(L, record), lua_setfield(L, item, "rules");
  lua_settop(L, item);
}

uint64_t lwend_costs_callee(lua_State *L, const lwend_request *request, int map_index, int compiled) {
  int top = lua_gettop(L), at = request->callee_at, name = 0, label = 0, number = 0;
  uint64_t serial;
  switch (request->callee) {
    case CALLEE_COST: lua_pushliteral(L, "option 'cost'"), lua_pushnil(L); return 0;
    case CALLEE_HEURISTIC: lua_pushliteral(L, "option 'heuristic'"), lua_pushnil(L); return 0;
    case CALLEE_TAG: {
      lua_rawgeti(L, compiled, COMPILED_VALUES);
      lwend_push_tag(L, map_index, request->callee_tag);
      lua_rawget(L, -2);
      if (lua_isnil(L, -1)) lua_rawgeti(L, compiled, COMPILED_DEFAULT);
      name = at + TAG_RULE_NAME, label = at + TAG_RULE_LABEL, number = at + TAG_RULE_NUMBER;
      break;
    }
    case CALLEE_EDGE:
      lua_rawgeti(L, compiled, COMPILED_EDGE_RULES);
      name = at + EDGE_RULE_NAME, label = at + EDGE_RULE_LABEL, number = at + EDGE_RULE_NUMBER;
      break;
    case CALLEE_NONE: lua_pushnil(L), lua_pushnil(L); return 0;
  }
  serial = (uint64_t)number_at(L, lua_gettop(L), number);
  lua_rawgeti(L, -1, label);
  lua_insert(L, top + 1);
  lua_rawgeti(L, -1, name);
  lua_insert(L, top + 2);
  lua_settop(L, top + 2);
  return serial;
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

/* lua/wend/costs.lua adds the methods and the other metamethods, by lwend_core_costs_class. */
void lwend_open_costs(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{NULL, NULL}};
  state->costs_ref = lwend_type(L, "wend.Costs", state, methods, NULL, NULL, &state->costs_mt);
  state->compile_ref = LUA_NOREF;
}
