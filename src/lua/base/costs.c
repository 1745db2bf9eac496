/* SPDX-License-Identifier: MIT */
/* wend.Costs. Turns a compiled profile into costs for the core, and calls the script's rules when the core needs them.
 *
 * A profile is a userdata. Its anchor, which no script can reach, is its state: a table of lua/wend/costs/layers.lua. The
 * first items of the state are read here (STATE_...). Reading them runs no script and allocates nothing. A read-only view of
 * a profile is a userdata of the same type, with the same state. The only byte of the userdata tells whether it is a view.
 *
 * lua/wend/costs/compile.lua compiles a profile into a list, which never changes afterwards:
 *   1  values: for each tag, an entry
 *   2  the entry of all other tags
 *   3  edge rules, one after another: name, function, at_least, set of tags or false, number, label, mod
 *   4  the time when it was compiled, and 5 the number of the profile: see lwend_costs_age
 *   6  owners: by tag, the name of the mod whose value is the multiplier and the price of the entry
 *   7  settings, or false: there is nothing special about the profile
 * An entry is a multiplier, or a list:
 *   multiplier, price, then for each rule: name, function, number, label, mod
 * A number identifies a rule or function; a label is its name in messages; a mod is the name of the mod that has added it,
 * or false: the game itself. For example,
 *   wend.costs { road = 0.8, swamp = f }  with  costs:edge_rule("night", g, { at_least = 1 })
 * is compiled into
 *   { { road = 0.8, swamp = { 1, 0, "tag 'swamp'", f, 1, "tag 'swamp'", false } }, 1,
 *     { "night", g, 1, false, 2, "rule 'night'", false }, 7, 3, {} }
 *
 * Settings are a list:
 *   1  costs.timing: the sums of the rules, by number: { calls, seconds, name, mod }; or false
 *   2  costs.max_instructions, or 0
 *   3  whether the profile is resolved (costs:resolve), and 4 its agent
 * A resolved profile has no functions of tags, except that the entry of all other tags may be one. Its results are kept: tags
 * that a query meets for the first time are added to the values.
 *
 * A query works in three steps:
 *   1. lwend_costs_resolve, once: runs the functions of each tag. It fills in the multiplier, the price and the common
 *      promise of each tag (searcher->tags), and which edge rules apply to it (searcher->applies).
 *   2. lwend_costs_push: puts the functions of edge rules and the names of tags on the stack.
 *   3. ask_step, called by the core for each step of a tag that edge rules apply to: runs these rules.
 * If a rule fails and on_error handles it, its number is added to request->failed, and the query begins again at 1. */
#include <string.h>

#include "lua/lwend.h"

/* Items of a state: lua/wend/costs/layers.lua describes them. A time is the number of an edit of any profile. */
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
  STATE_RULED_ALL,
  STATE_RESOLVED
};
enum {
  COMPILED_VALUES = 1,
  COMPILED_DEFAULT,
  COMPILED_EDGE_RULES,
  COMPILED_TIME,
  COMPILED_NUMBER,
  COMPILED_OWNERS,
  COMPILED_SETTINGS
};
enum { SETTING_SUMS = 1, SETTING_MAX_INSTRUCTIONS, SETTING_RESOLVED, SETTING_AGENT };
enum { TAG_RULE_NAME, TAG_RULE_FUNCTION, TAG_RULE_NUMBER, TAG_RULE_LABEL, TAG_RULE_MOD, TAG_RULE_WIDTH };
enum {
  EDGE_RULE_NAME,
  EDGE_RULE_FUNCTION,
  EDGE_RULE_AT_LEAST,
  EDGE_RULE_TAGS,
  EDGE_RULE_NUMBER,
  EDGE_RULE_LABEL,
  EDGE_RULE_MOD,
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
  lwend_check_stack(L, LUA_MINSTACK);
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

/* Pushes a setting of the compiled profile at index; nil: it has no settings. */
static void push_setting(lua_State *L, int compiled, int setting) {
  if (!lua_istable(L, compiled)) {
    lua_pushnil(L);
  } else if (LWEND_RAWGETI(L, compiled, COMPILED_SETTINGS) == LUA_TTABLE) {
    lua_rawgeti(L, -1, setting);
    lua_remove(L, -2);
  } else {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
}

void lwend_costs_read_settings(lua_State *L, lwend_request *request) {
  const int compiled = request->frame + LWEND_COMPILED, agent = request->frame + LWEND_AGENT, top = lua_gettop(L);
  request->metered = request->timed = request->resolved = false;
  request->limit.most = 0;
  if (lua_isnil(L, compiled)) return;
  if (LWEND_RAWGETI(L, compiled, COMPILED_SETTINGS) == LUA_TTABLE) {
    lua_rawgeti(L, top + 1, SETTING_SUMS);
    request->timed = lua_istable(L, -1);
    lua_rawgeti(L, top + 1, SETTING_MAX_INSTRUCTIONS);
    request->limit.most = (uint64_t)lua_tonumber(L, -1);
    lua_rawgeti(L, top + 1, SETTING_RESOLVED);
    request->resolved = lua_toboolean(L, -1) != 0;
    request->metered = request->timed || request->limit.most > 0;
    lua_rawgeti(L, top + 1, SETTING_AGENT);
    if (request->resolved && lua_isnil(L, agent)) {
      lua_pushvalue(L, -1);
      lua_replace(L, agent);
    }
    if (request->resolved && !lua_rawequal(L, -1, agent))
      luaL_error(L, "agent must be the agent for which the costs were resolved: resolve the profile once for each agent");
  }
  lua_settop(L, top);
}

bool lwend_costs_is_resolved(lua_State *L, const lwend_state *state, int index) {
  bool resolved;
  if (!is_costs(L, state, index)) return false;
  lwend_pushanchor(L, index);
  lua_rawgeti(L, -1, STATE_RESOLVED);
  resolved = lua_toboolean(L, -1) != 0;
  lua_pop(L, 2);
  return resolved;
}

void lwend_costs_sum_spent(lua_State *L, lwend_request *request, int compiled) {
  const int top = lua_gettop(L);
  push_setting(L, compiled, SETTING_SUMS);
  if (lua_istable(L, top + 1)) lwend_spent_sum(L, request, top + 1);
  lua_settop(L, top);
}

void lwend_costs_set_rule_stats(lua_State *L, const lwend_request *request) {
  const int top = lua_gettop(L);
  if (lua_isnil(L, LWEND_STATS)) return;
  lua_pushliteral(L, "rules");
  if (request->timed) {
    push_setting(L, LWEND_COMPILED, SETTING_SUMS);
    lwend_spent_push(L, request, top + 2);
    lua_remove(L, top + 2);
    lua_rawset(L, LWEND_STATS);
    return;
  }
  lua_rawget(L, LWEND_STATS); /* a table that another call has filled */
  if (!lua_isnil(L, -1)) {
    lua_pushliteral(L, "rules");
    lua_pushnil(L);
    lua_rawset(L, LWEND_STATS);
  }
  lua_settop(L, top);
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
 * a number hides the values of the base profiles, but not their rules. A resolved profile is its own: edits of its base do not
 * count. */
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
    if (LWEND_RAWGETI(L, state, STATE_RESOLVED) != LUA_TNIL && lua_toboolean(L, -1)) break; /* it keeps what it was */
    lua_pop(L, 1);
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
  if (changed != NULL) age->changed = wend_map_uses(map->map, changed);
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

/* new(state, viewed) -> profile, or a read-only view of it. For lua/wend/costs.lua, as the next three functions. */
static int costs_new(lua_State *L) {
  char *viewed;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  viewed = lwend_new(L, 1, lwend_state_of(L)->costs_ref);
  *viewed = (char)lua_toboolean(L, 2);
  lua_pushvalue(L, 1);
  lwend_setanchor(L, 3);
  return 1;
}

/* state_of(value) -> state of the profile, whether the value is a read-only view of it; or nil: not a profile. */
static int costs_state_of(lua_State *L) {
  const char *viewed;
  lua_settop(L, 1);
  viewed = lwend_toobject(L, 1, lwend_state_of(L)->costs_mt);
  if (viewed == NULL) {
    lua_pushnil(L);
    return 1;
  }
  lwend_pushanchor(L, 1);
  lua_pushboolean(L, *viewed);
  return 2;
}

/* new(content) -> mod. content: a table, which no script can reach. */
static int mod_new(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  (void)lwend_new(L, 1, lwend_state_of(L)->mod_ref);
  lua_pushvalue(L, 1);
  lwend_setanchor(L, 2);
  return 1;
}

/* content_of(value) -> content of the mod, or nil: not a mod. */
static int mod_content_of(lua_State *L) {
  lua_settop(L, 1);
  if (lwend_toobject(L, 1, lwend_state_of(L)->mod_mt) != NULL) lwend_pushanchor(L, 1);
  else lua_pushnil(L);
  return 1;
}

/* compiled(profile) -> its compiled lists. */
static int costs_compiled(lua_State *L) {
  lua_settop(L, 1);
  lwend_costs_push_compiled(L, lwend_state_of(L), 1);
  return 1;
}

/* Notes how debug information names the folder of wend's Lua files, from a function of one of them. */
static void note_folder(lua_State *L, lwend_state *state, int function) {
  lua_Debug info;
  const char *end;
  lua_pushvalue(L, function);
  if (!lua_getinfo(L, ">S", &info) || (info.source[0] != '@' && info.source[0] != '=')) return;
  end = strrchr(info.source, '/');
  for (const char *at = strstr(info.source, "wend/"); at != NULL; at = strstr(at + 1, "wend/")) end = at + 4;
  if (end == NULL) return;
  lua_pushlstring(L, info.source, (size_t)(end - info.source) + 1);
  state->folder = lua_tostring(L, -1);
  (void)luaL_ref(L, LUA_REGISTRYINDEX); /* never collected */
}

/* Copies the metamethods in the table at index into the metatable with a reference. */
static void set_metamethods(lua_State *L, int index, int metatable_ref) {
  static const char *const metamethods[] = {"__index", "__newindex", "__tostring"};
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable_ref);
  for (int i = 0; i < 3; i++) {
    lua_getfield(L, index, metamethods[i]);
    lua_setfield(L, -2, metamethods[i]);
  }
  lua_pop(L, 1);
}

/* core.costs_class(compile, failed, clock, costs, mods) -> new, state_of, new_mod, content_of, compiled, run (query/resolve.c). Works
 * once: only lua/wend/costs.lua may call it. clock: a list of one item, the number of edits of all profiles. costs, mods: tables with
 * the metamethods of the two types. */
int lwend_core_costs_class(lua_State *L) {
  static const lua_CFunction functions[] = {costs_new, costs_state_of, mod_new, mod_content_of, costs_compiled};
  enum { COUNT = sizeof functions / sizeof *functions };
  lwend_state *state = lwend_state_of(L);
  for (int i = 1; i <= 5; i++) luaL_checktype(L, i, i <= 2 ? LUA_TFUNCTION : LUA_TTABLE);
  if (state->compile_ref != LUA_NOREF) luaL_error(L, "the class of costs is taken: load wend.core anew as well");
  lua_settop(L, 5);
  set_metamethods(L, 4, state->costs_ref);
  set_metamethods(L, 5, state->mod_ref);
  lua_settop(L, 3);
  state->clock_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  state->failed_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  note_folder(L, state, 1);
  state->compile_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = 0; i < COUNT; i++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, state);
    lua_pushcclosure(L, functions[i], 1);
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->run_ref);
  return COUNT + 1;
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

/* Appends { name, cost, mod } to the list at stack index `record`: a rule and the cost after it. At the top of the stack are
 * the label of the rule, and its mod, or nil or false. Pops both. */
static void note_rule(lua_State *L, int record, double cost) {
  const int label = lua_gettop(L) - 1;
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, label);
  lua_setfield(L, -2, "name");
  lua_pushnumber(L, cost);
  lua_setfield(L, -2, "cost");
  if (lua_toboolean(L, label + 1)) {
    lua_pushvalue(L, label + 1);
    lua_setfield(L, -2, "mod");
  }
  lua_rawseti(L, record, (int)lua_rawlen(L, record) + 1);
  lua_settop(L, label - 1);
}

/* If no agent is given, functions receive an empty table. It is made before the first function is called. */
static void need_agent(lua_State *L) {
  if (!lua_isnil(L, LWEND_AGENT)) return;
  lua_newtable(L);
  lua_replace(L, LWEND_AGENT);
}

/* Fills in the multiplier and the price of a tag, whose name is at the top of the stack: runs its functions. record: see
 * note_rule. weight: for the costs in the record. Returns whether the tag has functions. */
static bool resolve_tag(lua_State *L, lwend_request *request, uint32_t tag, wend_tag_cost *cost, int record, double weight) {
  int text = lua_gettop(L), entry = text + 1, type = push_entry(L);
  double times = 1, plus = 0;
  bool asked = false;
  if (type == LUA_TNUMBER) {
    times = lua_tonumber(L, entry);
  } else {
    const lwend_map *g = request->g;
    const uint64_t version = g != NULL ? wend_map_version(g->map) : 0;
    int last = (int)lua_rawlen(L, entry);
    times = number_at(L, entry, 1);
    plus = number_at(L, entry, 2);
    asked = last >= FIRST_TAG_RULE;
    if (asked) need_agent(L);
    request->callee = CALLEE_TAG;
    request->callee_tag = tag;
    for (int at = FIRST_TAG_RULE; at + TAG_RULE_MOD <= last; at += TAG_RULE_WIDTH) {
      double answer;
      int second;
      if (request->failed_count > 0 && has_failed(request, number_at(L, entry, at + TAG_RULE_NUMBER))) continue;
      request->callee_at = at;
      lua_rawgeti(L, entry, at + TAG_RULE_FUNCTION);
      lua_pushvalue(L, LWEND_AGENT);
      lua_pushnumber(L, times);
      lua_pushvalue(L, text);
      if (request->metered) lwend_ask_metered(L, request, (uint64_t)number_at(L, entry, at + TAG_RULE_NUMBER), 3, 2);
      else lua_call(L, 3, 2);
      answer = lua_type(L, entry + 1) == LUA_TNUMBER ? lua_tonumber(L, entry + 1) : -1;
      times = answer >= 0 ? answer : answer_at(L, entry + 1, times);
      second = lua_type(L, entry + 2);
      if (second != LUA_TNIL) {
        plus = second == LUA_TNUMBER ? lua_tonumber(L, entry + 2) : -1;
        if (!(plus >= 0)) luaL_error(L, "wanted a price >= 0, got %s", lwend_describe(L, entry + 2));
      }
      lua_pop(L, 2);
      if (record == 0) continue;
      lua_rawgeti(L, entry, at + TAG_RULE_LABEL);
      lua_rawgeti(L, entry, at + TAG_RULE_MOD);
      note_rule(L, record, times == INFINITY ? INFINITY : weight * times + plus);
    }
    /* As lwend_ask does, but once for all functions of the tag: none of this reads the map. */
    if (g != NULL && (g->map == NULL || wend_map_version(g->map) != version))
      luaL_error(L, "the %s was changed by a callback", g->noun);
    request->callee = CALLEE_NONE;
  }
  lua_settop(L, entry - 1);
  if (times == INFINITY || plus == INFINITY) times = 0, plus = INFINITY;
  cost->times = times;
  cost->plus = plus;
  cost->at_least = 1;
  cost->asks = false;
  return asked;
}

/* Pushes the entry of a tag with this cost: a multiplier, or { multiplier, price }. */
static void push_plain_entry(lua_State *L, const wend_tag_cost *cost) {
  if (cost->plus == 0) {
    lua_pushnumber(L, cost->times);
    return;
  }
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, cost->times);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, cost->plus);
  lua_rawseti(L, -2, 2);
}

/* Adds the cost of the tag whose name is at the top of the stack to the values of a resolved profile. */
static void keep_tag(lua_State *L, const wend_tag_cost *cost) {
  const int text = lua_gettop(L);
  lua_rawgeti(L, LWEND_COMPILED, COMPILED_VALUES);
  lua_pushvalue(L, text);
  push_plain_entry(L, cost);
  lua_rawset(L, text + 1);
  lua_settop(L, text);
}

int lwend_costs_resolve_names(lua_State *L, lwend_request *request) {
  int names, list, count;
  request->L = L;
  lwend_pushanchor(L, LWEND_MAP);
  names = lua_gettop(L), list = names + 1;
  count = (int)lua_rawlen(L, names);
  lua_createtable(L, count, 0);
  for (int i = 1; i <= count; i++) {
    wend_tag_cost cost = {1, 0, 1, false};
    lua_rawgeti(L, names, i);
    (void)resolve_tag(L, request, (uint32_t)i, &cost, 0, 0);
    push_plain_entry(L, &cost);
    lua_rawseti(L, list, i);
    lua_settop(L, list);
  }
  return 1;
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
static double ask_step_metered(void *ud, const wend_step *step);

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
    if (profile && tag != WEND_UNTAGGED && resolve_tag(L, request, tag, &cost, 0, 0) && request->resolved) keep_tag(L, &cost);
    resolve_edge_rules(L, request, top + 2, count, searcher->applies + (size_t)tag * (size_t)(count + 1), &cost);
    asks = asks || cost.asks;
    searcher->tags[tag] = cost;
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
  request->search.costs.tags = searcher->tags;
  request->search.costs.edge = !asks ? NULL : request->metered ? ask_step_metered : ask_step;
  request->search.costs.ud = request;
}

void lwend_costs_push(lua_State *L, lwend_request *request) {
  const int count = request->rule_count;
  if (request->search.costs.edge == NULL) return;
  lwend_check_stack(L, count + TAGS_ON_STACK + LUA_MINSTACK);
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
 * far. metered: as the request says; number: of the rule, then. */
static inline double ask_rule(lua_State *L, lwend_request *request, int function, const wend_step *step, double cost,
                              const bool metered, uint64_t number) {
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
    if (metered) lwend_ask_metered(L, request, number, 6, 1);
    else lwend_ask(L, request->g, 6, 1);
  } else {
    (void)lwend_push_id(L, request->g, step->from);
    (void)lwend_push_id(L, request->g, step->to);
    if (metered) lwend_ask_metered(L, request, number, 7, 1);
    else lwend_ask(L, request->g, 7, 1);
  }
  answer = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(answer >= 0)) answer = answer_at(L, -1, cost);
  lua_pop(L, 1);
  return answer;
}

/* The same for a request that is metered. Not inline: so the compiler inlines the other form. */
static double ask_rule_metered(lua_State *L, lwend_request *request, int function, const wend_step *step, double cost,
                               uint64_t number) {
  return ask_rule(L, request, function, step, cost, true, number);
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
static inline double ask_rules_as(lua_State *L, lwend_request *request, const wend_step *step, int record, const bool metered) {
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
    answer = metered ? ask_rule_metered(L, request, request->functions + r, step, cost,
                                        (uint64_t)number_at(L, request->rules, at + EDGE_RULE_NUMBER))
                     : ask_rule(L, request, request->functions + r, step, cost, false, 0);
    if (at_least > 0) check_promise(L, answer, cost, at_least);
    cost = answer;
    if (record == 0) continue;
    lua_rawgeti(L, request->rules, at + EDGE_RULE_LABEL);
    lua_rawgeti(L, request->rules, at + EDGE_RULE_MOD);
    note_rule(L, record, cost);
  }
  if (applies[request->rule_count] && !(cost == INFINITY && request->at_least > 0)) {
    request->callee = CALLEE_COST;
    answer = metered ? ask_rule_metered(L, request, request->functions + request->rule_count, step, cost, 0)
                     : ask_rule(L, request, request->functions + request->rule_count, step, cost, false, 0);
    if (request->at_least > 0) check_promise(L, answer, cost, request->at_least);
    cost = answer;
    if (record != 0) {
      lua_pushliteral(L, "option 'cost'");
      lua_pushnil(L);
      note_rule(L, record, cost);
    }
  }
  request->callee = CALLEE_NONE;
  return cost;
}

/* Two functions, so that the second costs nothing where it is not needed. */
static double ask_rules(lua_State *L, lwend_request *request, const wend_step *step, int record) {
  return ask_rules_as(L, request, step, record, false);
}

static double ask_rules_metered(lua_State *L, lwend_request *request, const wend_step *step, int record) {
  return ask_rules_as(L, request, step, record, true);
}

/* wend_costs.edge: the cost of a step after all rules that apply to its tag. ud: the request. */
static double ask_step(void *ud, const wend_step *step) {
  lwend_request *request = ud;
  double answer;
  if (request->rule_count > 0) return ask_rules(request->L, request, step, 0);
  /* The short way: there are no rules, only the option `cost`. */
  if (step->cost == INFINITY && request->at_least > 0) return INFINITY; /* closed: a promise forbids to open it */
  request->callee = CALLEE_COST;
  answer = ask_rule(request->L, request, request->functions, step, step->cost, false, 0);
  if (request->at_least > 0) check_promise(request->L, answer, step->cost, request->at_least);
  request->callee = CALLEE_NONE;
  return answer;
}

/* The same for a profile with timing or max_instructions. */
static double ask_step_metered(void *ud, const wend_step *step) {
  lwend_request *request = ud;
  return ask_rules_metered(request->L, request, step, 0);
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
    lua_pushfstring(L, "tag '%s'", lua_tostring(L, text));
    lua_rawgeti(L, LWEND_COMPILED, COMPILED_OWNERS);
    lua_pushvalue(L, text);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (times != 1 || plus != 0 || !lua_isnil(L, -1)) { /* the value of the tag, before any function */
      note_rule(L, record, times == INFINITY ? INFINITY : weight * times + plus);
    }
    lua_settop(L, text);
    (void)resolve_tag(L, request, step->tag, &cost, record, weight);
  }
  step->cost = weight * cost.times + cost.plus;
  if (request->search.costs.edge != NULL)
    step->cost = request->metered ? ask_rules_metered(L, request, step, record) : ask_rules(L, request, step, record);
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

/* Appends what closes the tag of a step, whose name is at the top of the stack, to the list at stack index `list`: the last
 * function that turned an open cost into a closed one, or the value of the tag. */
static void push_closing_tag(lua_State *L, lwend_request *request, const wend_step *step, double weight, int list) {
  const int text = lua_gettop(L), record = text + 1;
  wend_tag_cost cost;
  double before = INFINITY;
  int closer = 0;
  lua_newtable(L);
  if (push_entry(L) == LUA_TNUMBER ? lua_tonumber(L, -1) < INFINITY
                                   : number_at(L, record + 1, 1) < INFINITY && number_at(L, record + 1, 2) < INFINITY)
    before = weight;
  lua_settop(L, record);
  lua_pushvalue(L, text);
  resolve_tag(L, request, step->tag, &cost, record, weight);
  lua_settop(L, record);
  for (int i = 1, count = (int)lua_rawlen(L, record); i <= count; i++) {
    double after;
    lua_rawgeti(L, record, i);
    lua_getfield(L, -1, "cost");
    after = lua_tonumber(L, -1);
    if (after == INFINITY && before < INFINITY) closer = i;
    before = after;
    lua_settop(L, record);
  }
  if (closer > 0) {
    lua_rawgeti(L, record, closer);
    lua_rawseti(L, list, (int)lua_rawlen(L, list) + 1);
  } else {
    lua_pushfstring(L, "tag '%s'", lua_tostring(L, text));
    lua_rawgeti(L, LWEND_COMPILED, COMPILED_OWNERS);
    lua_pushvalue(L, text);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    note_rule(L, list, INFINITY);
  }
  lua_settop(L, text);
}

void lwend_costs_push_closers(lua_State *L, lwend_request *request, const wend_step *step, double weight, bool by_tag,
                              bool by_rule) {
  const int list = lua_gettop(L) + 1;
  const uint8_t *applies = request->searcher->applies + (size_t)step->tag * (size_t)(request->rule_count + 1);
  wend_step asked = *step;
  lua_newtable(L);
  if (by_tag && !lua_isnil(L, LWEND_COMPILED)) {
    lwend_push_tag(L, LWEND_MAP, step->tag);
    push_closing_tag(L, request, step, weight, list);
  }
  lua_settop(L, list);
  if (!by_rule) return;
  for (int r = 0; r <= request->rule_count; r++) {
    double answer;
    if (!applies[r]) continue;
    request->callee = r < request->rule_count ? CALLEE_EDGE : CALLEE_COST;
    request->callee_at = r * EDGE_RULE_WIDTH + 1;
    answer =
        ask_rule(L, request, request->functions + r, &asked, asked.cost, request->metered,
                 r < request->rule_count ? (uint64_t)number_at(L, request->rules, request->callee_at + EDGE_RULE_NUMBER) : 0);
    request->callee = CALLEE_NONE;
    if (answer < INFINITY) {
      asked.cost = answer;
      continue;
    }
    if (r < request->rule_count) {
      lua_rawgeti(L, request->rules, r * EDGE_RULE_WIDTH + 1 + EDGE_RULE_LABEL);
      lua_rawgeti(L, request->rules, r * EDGE_RULE_WIDTH + 1 + EDGE_RULE_MOD);
    } else {
      lua_pushliteral(L, "option 'cost'");
      lua_pushnil(L);
    }
    note_rule(L, list, INFINITY);
    lua_settop(L, list);
  }
}

uint64_t lwend_costs_callee(lua_State *L, const lwend_request *request, int map_index, int compiled) {
  int top = lua_gettop(L), at = request->callee_at, name = 0, label = 0, number = 0, mod = 0;
  uint64_t serial;
  switch (request->callee) {
    case CALLEE_COST: lua_pushliteral(L, "option 'cost'"), lua_pushnil(L), lua_pushnil(L); return 0;
    case CALLEE_HEURISTIC: lua_pushliteral(L, "option 'heuristic'"), lua_pushnil(L), lua_pushnil(L); return 0;
    case CALLEE_TAG: {
      lua_rawgeti(L, compiled, COMPILED_VALUES);
      lwend_push_tag(L, map_index, request->callee_tag);
      lua_rawget(L, -2);
      /* The default has failed; or a search inside of it has kept the cost of the tag meanwhile. */
      if (!lua_istable(L, -1) || (int)lua_rawlen(L, -1) < at) lua_rawgeti(L, compiled, COMPILED_DEFAULT);
      name = at + TAG_RULE_NAME, label = at + TAG_RULE_LABEL, number = at + TAG_RULE_NUMBER, mod = at + TAG_RULE_MOD;
      break;
    }
    case CALLEE_EDGE:
      lua_rawgeti(L, compiled, COMPILED_EDGE_RULES);
      name = at + EDGE_RULE_NAME, label = at + EDGE_RULE_LABEL, number = at + EDGE_RULE_NUMBER, mod = at + EDGE_RULE_MOD;
      break;
    case CALLEE_NONE: lua_pushnil(L), lua_pushnil(L), lua_pushnil(L); return 0;
  }
  serial = (uint64_t)number_at(L, lua_gettop(L), number);
  lua_rawgeti(L, -1, label);
  lua_insert(L, top + 1);
  lua_rawgeti(L, -1, name);
  lua_insert(L, top + 2);
  lua_rawgeti(L, -1, mod);
  lua_insert(L, top + 3);
  lua_settop(L, top + 3);
  if (lua_toboolean(L, top + 3)) {
    lua_pushfstring(L, "%s of mod '%s'", lua_tostring(L, top + 1), lua_tostring(L, top + 3));
    lua_replace(L, top + 1);
  } else {
    lua_pushnil(L);
    lua_replace(L, top + 3);
  }
  return serial;
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

/* lua/wend/costs.lua adds the methods and the other metamethods, by lwend_core_costs_class. */
void lwend_open_costs(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{NULL, NULL}};
  state->costs_ref = lwend_type(L, "wend.Costs", state, methods, NULL, NULL, &state->costs_mt);
  state->mod_ref = lwend_type(L, "wend.Mod", state, methods, NULL, NULL, &state->mod_mt);
  state->compile_ref = LUA_NOREF;
}
