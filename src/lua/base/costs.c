/* SPDX-License-Identifier: MIT */
/* wend.Costs. Turns a compiled profile into costs for the core, and calls the script's rules when the core needs them.
 *
 * A profile is a userdata. Its anchor, which no script can reach, is a table of lua/wend/costs/layers.lua. Its only byte tells
 * whether it is a read-only view. lua/wend/costs/compile.lua compiles it into a table, and describes that. For example,
 *   wend.costs { road = 0.8, swamp = f }  with  costs:edge_rule("night", g, { at_least = 1 })
 * is compiled into
 *   { entries = { road = 0.8, swamp = { 1, 0, RULE } }, default = 1, edges = { RULE }, ... }
 * where a RULE has its function at [1], and the fields number, at_least, tags; name, for on_error; label, for messages; and mod,
 * the name of the mod that has added it, or false.
 *
 * A query works in three steps:
 *   1. lwend_costs_resolve, once: runs the functions of each tag. It fills in the multiplier, the price and the common
 *      promise of each tag (searcher->tags), and which edge rules apply to it (searcher->applies).
 *   2. lwend_costs_push: puts the functions of edge rules and the names of tags on the stack.
 *   3. ask_rules, called by the core for each step of a tag that edge rules apply to: runs these rules. The option `cost` is the
 *      last of them.
 * If a rule fails and on_error handles it, the rule is added to the set LWEND_FAILED, and the query begins again at 1. */
#include <string.h>

#include "lua/base/costs.h"
#include "lua/base/meter.h"

/* The first function of an entry. */
#define FIRST_FUNCTION 3

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

/* A field of the table at stack index `table`, as a number. */
static double number_in(lua_State *L, int table, const char *name) {
  double number;
  lua_getfield(L, table, name);
  number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

/* ---- Profiles ---------------------------------------------------------------------------------------------- */

static bool is_costs(lua_State *L, const lwend_state *state, int index) {
  return lwend_toobject(L, index, &state->types.costs) != NULL;
}

uint64_t lwend_costs_time(lua_State *L, const lwend_state *state) {
  double now;
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->clock_ref);
  now = number_at(L, lua_gettop(L), 1);
  lua_pop(L, 1);
  return (uint64_t)now;
}

/* Pushes what the profile at index was compiled into. Returns whether that is up to date. Allocates nothing. */
static bool push_known(lua_State *L, const lwend_state *state, int index) {
  lwend_pushanchor(L, index);
  lua_getfield(L, -1, "compiled");
  lua_remove(L, -2);
  return lua_istable(L, -1) && (uint64_t)number_in(L, lua_gettop(L), "seen") == lwend_costs_time(L, state);
}

void lwend_costs_push_compiled(lua_State *L, const lwend_state *state, int index) {
  lwend_check_stack(L, LUA_MINSTACK);
  if (lua_isnil(L, index)) {
    lua_pushnil(L);
    return;
  }
  if (!is_costs(L, state, index)) lwend_type_error(L, index, "costs", "a profile made by wend.costs");
  if (push_known(L, state, index)) return;
  lua_pop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->compile_ref);
  lwend_pushanchor(L, index);
  lua_call(L, 1, 1);
}

void lwend_costs_read_settings(lua_State *L, lwend_request *request) {
  const int compiled = request->frame + LWEND_COMPILED;
  const lwend_costs_age none = {0, 0, 0, false};
  request->age = none;
  request->timed = request->metered = false;
  request->limit.most = 0;
  if (lua_isnil(L, compiled)) return;
  request->age.made = request->age.seen = (uint64_t)number_in(L, compiled, "time");
  request->age.number = (uint64_t)number_in(L, compiled, "number");
  lua_getfield(L, compiled, "timed");
  request->timed = lua_istable(L, -1);
  lua_pop(L, 1);
  request->limit.most = (uint64_t)number_in(L, compiled, "max_instructions");
  request->metered = request->timed || request->limit.most > 0;
}

void lwend_check_costs(lua_State *L, lwend_request *request) {
  const int frame = request->frame, cost = frame + LWEND_COST, at_least = frame + LWEND_AT_LEAST;
  request->at_least = 0;
  if (!lua_isnil(L, cost)) {
    lwend_check_callable(L, cost, "cost");
    if (!lua_isnil(L, at_least)) request->at_least = lwend_check_number(L, at_least, "at_least", 0, 1);
  } else if (!lua_isnil(L, at_least)) {
    luaL_error(L, "at_least is the promise of the option 'cost', which is not given");
  }
  if (!lua_isnil(L, frame + LWEND_COSTS)) {
    lwend_costs_push_compiled(L, request->state, frame + LWEND_COSTS);
    lua_replace(L, frame + LWEND_COMPILED);
  }
  lwend_costs_read_settings(L, request);
}

/* ---- What has changed in a profile -------------------------------------------------------------------------- */

bool lwend_costs_may_have_changed(lua_State *L, const lwend_state *state, const lwend_costs_age *age) {
  return age->made > 0 && lwend_costs_time(L, state) != age->seen;
}

void lwend_costs_note_seen(lua_State *L, const lwend_state *state, lwend_costs_age *age) {
  age->seen = lwend_costs_time(L, state);
}

void lwend_costs_look(lua_State *L, const lwend_state *state, const lwend_costs_age *age, int costs) {
  if (!lwend_costs_may_have_changed(L, state, age) || !is_costs(L, state, costs)) return;
  lwend_costs_push_compiled(L, state, costs);
  lua_pop(L, 1);
}

/* Whether the costs of the tag whose name, or nil, is at the top of the stack have changed after a time. times: stack index of
 * the times of changes, by tag. */
static bool is_tag_changed(lua_State *L, int times, uint64_t made) {
  bool changed = false;
  if (lua_isnil(L, -1)) return false;
  lua_pushvalue(L, -1);
  lua_rawget(L, times);
  changed = (uint64_t)lua_tonumber(L, -1) > made;
  lua_pop(L, 1);
  return changed;
}

const uint8_t *lwend_costs_changed_tags(lua_State *L, lwend_state *state, lwend_costs_age *age, int costs, int tags,
                                        uint32_t count) {
  lwend_searcher *searcher = &state->searchers[state->depth];
  const int top = lua_gettop(L), compiled = top + 1, times = top + 2;
  bool any = false;
  LWEND_GROW(L, state, searcher->applies, searcher->applies_capacity, (uint64_t)count + 1);
  memset(searcher->applies, 1, (size_t)count + 1);
  if (!is_costs(L, state, costs)) return searcher->applies;
  if (!push_known(L, state, costs) || (uint64_t)number_in(L, compiled, "number") != age->number ||
      (uint64_t)number_in(L, compiled, "changed_all") > age->made) {
    lua_settop(L, top);
    return searcher->applies;
  }
  lua_getfield(L, compiled, "changed");
  for (uint32_t tag = 0; tag <= count; tag++) {
    if (tag == WEND_UNTAGGED) lua_pushnil(L);
    else lua_rawgeti(L, tags, (int)tag);
    searcher->applies[tag] = is_tag_changed(L, times, age->made);
    any = any || searcher->applies[tag];
    lua_settop(L, times);
  }
  lua_settop(L, top);
  if (any) return searcher->applies;
  lwend_costs_note_seen(L, state, age);
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
  lwend_costs_look(L, state, age, top + 2);
  lua_rawgeti(L, top + 1, 1);
  map = lwend_check_alive(L, lua_touserdata(L, -1));
  lwend_pushanchor(L, -1);
  changed = lwend_costs_changed_tags(L, state, age, top + 2, lua_gettop(L), wend_map_tag_count(map->map));
  if (changed != NULL) age->changed = wend_map_uses(map->map, changed);
  if (changed != NULL && !age->changed) lwend_costs_note_seen(L, state, age);
  lua_settop(L, top);
  return age->changed;
}

/* ---- The class ---------------------------------------------------------------------------------------------- */

/* Makes an object of a table, at 1, which no script can reach. viewed: its only byte. */
static int new_object(lua_State *L, const lwend_class *type, int viewed) {
  char *object;
  luaL_checktype(L, 1, LUA_TTABLE);
  object = lwend_new(L, 1, type);
  *object = (char)viewed;
  lua_pushvalue(L, 1);
  lwend_setanchor(L, -2);
  return 1;
}

/* Pushes the table of the object at 1, and whether its byte is set; or nil: it is not of this type. */
static int push_table_of(lua_State *L, const lwend_class *type) {
  const char *object = lwend_toobject(L, 1, type);
  if (object == NULL) return lwend_nil(L);
  lwend_pushanchor(L, 1);
  lua_pushboolean(L, *object);
  return 2;
}

/* new(state, viewed) -> profile, or a read-only view of it. For lua/wend/costs.lua, as the next three functions. */
static int costs_new(lua_State *L) { return new_object(L, &lwend_state_of(L)->types.costs, lua_toboolean(L, 2)); }
/* state_of(value) -> state of the profile, whether the value is a read-only view of it; or nil: not a profile. */
static int costs_state_of(lua_State *L) { return push_table_of(L, &lwend_state_of(L)->types.costs); }
/* new(layer) -> mod. layer: a table, which no script can reach. */
static int mod_new(lua_State *L) { return new_object(L, &lwend_state_of(L)->types.mod, 0); }
/* layer_of(value) -> layer of the mod, false; or nil: not a mod. */
static int mod_layer_of(lua_State *L) { return push_table_of(L, &lwend_state_of(L)->types.mod); }

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

/* core.costs_class(compile, failed, clock, costs, mods) -> new, state_of, new_mod, layer_of. Works
 * once: only lua/wend/costs.lua may call it. clock: a list of one item, the number of edits of all profiles. costs, mods: tables with
 * the metamethods of the two types. */
int lwend_core_costs_class(lua_State *L) {
  static const lua_CFunction functions[] = {costs_new, costs_state_of, mod_new, mod_layer_of};
  enum { FUNCTIONS = sizeof functions / sizeof *functions };
  lwend_state *state = lwend_state_of(L);
  for (int i = 1; i <= 5; i++) luaL_checktype(L, i, i <= 2 ? LUA_TFUNCTION : LUA_TTABLE);
  if (state->compile_ref != LUA_NOREF) luaL_error(L, "the class of costs is taken: load wend.core anew as well");
  lua_settop(L, 5);
  set_metamethods(L, 4, state->types.costs.ref);
  set_metamethods(L, 5, state->types.mod.ref);
  lua_settop(L, 3);
  state->clock_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  state->failed_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  note_folder(L, state, 1);
  state->compile_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = 0; i < FUNCTIONS; i++) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, functions[i], 1);
  }
  return FUNCTIONS;
}

/* ---- Requests ---------------------------------------------------------------------------------------------- */

/* Whether the rule at index has failed in this request. */
static bool has_failed(lua_State *L, int rule) {
  bool failed;
  if (lua_isnil(L, LWEND_FAILED)) return false;
  lua_pushvalue(L, rule);
  lua_rawget(L, LWEND_FAILED);
  failed = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return failed;
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

/* Pushes the entry of a tag, whose name is at the top of the stack. entries: stack index of the table of entries of the compiled
 * profile at index. Returns the type of the entry. */
static int push_entry(lua_State *L, int compiled, int entries) {
  lua_pushvalue(L, -1);
  lua_rawget(L, entries);
  if (!lua_isnil(L, -1)) return lua_type(L, -1);
  lua_pop(L, 1);
  lua_getfield(L, compiled, "default");
  return lua_type(L, -1);
}

/* Appends { name, cost, mod } to the list at stack index `record`: a rule and the cost after it. At the top of the stack are
 * the label of the rule, and its mod, or nil or false. Pops both. */
static void note_cost(lua_State *L, int record, double cost) {
  const int label = lua_gettop(L) - 1;
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, label);
  lua_setfield(L, -2, "name");
  lwend_set_number(L, "cost", cost);
  if (lua_toboolean(L, label + 1)) {
    lua_pushvalue(L, label + 1);
    lua_setfield(L, -2, "mod");
  }
  lua_rawseti(L, record, (int)lua_rawlen(L, record) + 1);
  lua_settop(L, label - 1);
}

/* The same for the rule at the top of the stack, or for nil: the option `cost`. Pops it. */
static void note_rule(lua_State *L, int record, double cost) {
  const int rule = lua_gettop(L);
  if (lua_isnil(L, rule)) {
    lua_pushliteral(L, "option 'cost'");
    lua_pushnil(L);
  } else {
    lua_getfield(L, rule, "label");
    lua_getfield(L, rule, "mod");
  }
  note_cost(L, record, cost);
  lua_pop(L, 1);
}

/* If no agent is given, functions receive an empty table. It is made before the first function is called. */
static inline void need_agent(lua_State *L) {
  if (!lua_isnil(L, LWEND_AGENT)) return;
  lua_newtable(L);
  lua_replace(L, LWEND_AGENT);
}

/* Calls the function of a rule, which is on the stack below its arguments. All rules are called here. */
static inline void call_rule(lua_State *L, lwend_request *request, uint64_t number, int arguments, int results) {
  if (request->metered) lwend_ask_metered(L, request, number, arguments, results);
  else lwend_ask(L, request->g, arguments, results);
}

/* What a tag makes of a weight, or of a price. */
static double priced(double weight, double times, double plus) {
  return weight == INFINITY || times == INFINITY ? INFINITY : weight * times + plus;
}

/* Fills in the multiplier and the price of a tag, whose name and entry are at the top of the stack: runs its functions, which may
 * note their costs for a step of this weight (request->record). Pops the entry. */
static void resolve_tag(lua_State *L, lwend_request *request, uint32_t tag, wend_tag_cost *cost, double weight) {
  const int entry = lua_gettop(L), text = entry - 1, type = lua_type(L, entry);
  double times = type == LUA_TNUMBER ? lua_tonumber(L, entry) : number_at(L, entry, 1);
  double plus = type == LUA_TNUMBER ? 0 : number_at(L, entry, 2);
  const int last = type == LUA_TNUMBER ? 0 : (int)lua_rawlen(L, entry);
  if (type == LUA_TTABLE) {
    lua_getfield(L, entry, "ends_turn");
    cost->ends_turn = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
  }
  request->callee = CALLEE_TAG;
  request->callee_tag = tag;
  for (int at = FIRST_FUNCTION; at <= last; at++) {
    const int rule = entry + 1, factor = entry + 2, price = entry + 3;
    uint64_t number = 0; /* only if somebody asks for it */
    lua_rawgeti(L, entry, at);
    if (has_failed(L, rule)) {
      lua_pop(L, 1);
      continue;
    }
    if (request->metered) number = (uint64_t)number_in(L, rule, "number");
    request->callee_at = at;
    need_agent(L);
    lua_rawgeti(L, rule, 1);
    lua_pushvalue(L, LWEND_AGENT);
    lua_pushnumber(L, times);
    lua_pushvalue(L, text);
    call_rule(L, request, number, 3, 2);
    times = answer_at(L, factor, times);
    if (!lua_isnil(L, price)) {
      plus = lua_type(L, price) == LUA_TNUMBER ? lua_tonumber(L, price) : -1;
      if (!(plus >= 0)) luaL_error(L, "wanted a price >= 0, got %s", lwend_describe(L, price));
    }
    lua_settop(L, rule);
    if (request->record != 0) note_rule(L, request->record, priced(weight, times, plus));
    lua_settop(L, entry);
  }
  request->callee = CALLEE_NONE;
  lua_settop(L, text);
  if (times == INFINITY || plus == INFINITY) times = 0, plus = INFINITY;
  cost->times = times;
  cost->plus = plus;
}

/* Reads the numbers and promises of the edge rules, whose list or nil is at the top of the stack, and of the option `cost`,
 * which is the last one. Returns how many rules there are, without the option. */
static int read_edge_rules(lua_State *L, lwend_request *request) {
  lwend_searcher *searcher = request->searcher;
  const int list = lua_gettop(L), count = lua_isnil(L, list) ? 0 : (int)lua_rawlen(L, list);
  LWEND_GROW(L, request->state, searcher->rules, searcher->rules_capacity, (uint64_t)count + 1);
  for (int r = 0; r < count; r++) {
    lua_rawgeti(L, list, r + 1);
    searcher->rules[r].number = (uint64_t)number_in(L, list + 1, "number");
    searcher->rules[r].at_least = number_in(L, list + 1, "at_least");
    lua_pop(L, 1);
  }
  searcher->rules[count].number = 0;
  searcher->rules[count].at_least = request->at_least;
  return count;
}

/* Whether an edge rule of the list at stack index `rules` applies to the tag whose name, or nil, is at the top of the stack. */
static bool applies_to(lua_State *L, int rules, int r) {
  const int text = lua_gettop(L);
  bool applies;
  lua_rawgeti(L, rules, r + 1);
  applies = !has_failed(L, text + 1);
  lua_getfield(L, -1, "tags");
  if (applies && lua_istable(L, -1)) {
    applies = !lua_isnil(L, text);
    if (applies) {
      lua_pushvalue(L, text);
      lua_rawget(L, -2);
      applies = lua_toboolean(L, -1) != 0;
    }
  }
  lua_settop(L, text);
  return applies;
}

/* Fills in, for a tag, which edge rules apply to it, and the product of their promises. The name of the tag, or nil, is
 * at the top of the stack. The list of edge rules is at stack index `rules`. applies[rule_count]: the option `cost`. */
static void resolve_edge_rules(lua_State *L, lwend_request *request, int rules, uint8_t *applies, wend_tag_cost *cost) {
  const int count = request->rule_count;
  for (int r = 0; r <= count; r++) {
    applies[r] = r < count ? applies_to(L, rules, r) : !lua_isnil(L, LWEND_COST);
    if (!applies[r]) continue;
    cost->asks = true;
    cost->at_least *= request->searcher->rules[r].at_least;
  }
}

/* Marks the tags of the option pass_only. names: stack index of the list of the names of tags. */
static void mark_passed(lua_State *L, wend_tag_cost *tags, int names, uint32_t count) {
  const int passed = lua_gettop(L) + 1;
  if (lua_isnil(L, LWEND_PASS_ONLY)) return;
  lua_newtable(L);
  for (int i = 1, length = (int)lua_rawlen(L, LWEND_PASS_ONLY); i <= length; i++) {
    lua_rawgeti(L, LWEND_PASS_ONLY, i);
    if (lua_type(L, -1) != LUA_TSTRING) { /* a script has changed the list */
      lua_pop(L, 1);
      continue;
    }
    lua_pushboolean(L, 1);
    lua_rawset(L, passed);
  }
  for (uint32_t tag = WEND_UNTAGGED + 1; tag < count; tag++) {
    lua_rawgeti(L, names, (int)tag);
    lua_rawget(L, passed);
    tags[tag].pass_only = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
  }
}

static double ask_rules(void *ud, const wend_step *step);

void lwend_costs_resolve(lua_State *L, lwend_request *request) {
  lwend_searcher *searcher = request->searcher;
  const bool profile = !lua_isnil(L, LWEND_COMPILED);
  const uint32_t tags = wend_map_tag_count(request->g->map) + 1;
  const int top = lua_gettop(L);
  uint32_t width;
  bool asks = false;
  memset(&request->search.costs, 0, sizeof request->search.costs);
  request->search.costs.size = lua_tonumber(L, LWEND_SIZE);
  request->rule_count = request->record = 0;
  if (!profile && lua_isnil(L, LWEND_COST) && lua_isnil(L, LWEND_PASS_ONLY)) return;
  lwend_note_tags(L, LWEND_MAP, request->g);
  lwend_pushanchor(L, LWEND_MAP);
  if (profile) lua_getfield(L, LWEND_COMPILED, "edges");
  else lua_pushnil(L);
  request->rule_count = read_edge_rules(L, request);
  if (profile) lua_getfield(L, LWEND_COMPILED, "entries");
  else lua_pushnil(L);
  width = (uint32_t)request->rule_count + 1;
  LWEND_GROW(L, request->state, searcher->tags, searcher->tags_capacity, tags);
  LWEND_GROW(L, request->state, searcher->applies, searcher->applies_capacity, (uint64_t)tags * width);
  for (uint32_t tag = 0; tag < tags; tag++) {
    wend_tag_cost cost = {1, 0, 1, false, false, false};
    if (tag == WEND_UNTAGGED) lua_pushnil(L);
    else lua_rawgeti(L, top + 1, (int)tag);
    if (profile && tag != WEND_UNTAGGED) {
      (void)push_entry(L, LWEND_COMPILED, top + 3);
      resolve_tag(L, request, tag, &cost, 0);
    }
    resolve_edge_rules(L, request, top + 2, searcher->applies + (size_t)tag * width, &cost);
    asks = asks || cost.asks;
    searcher->tags[tag] = cost;
    lua_settop(L, top + 3);
  }
  mark_passed(L, searcher->tags, top + 1, tags);
  lua_settop(L, top);
  request->search.costs.tags = searcher->tags;
  request->search.costs.edge = asks ? ask_rules : NULL;
  request->search.costs.ud = request;
}

void lwend_costs_push(lua_State *L, lwend_request *request) {
  const int count = request->rule_count;
  lwend_take_layers(L, request);
  if (request->search.costs.edge == NULL) return;
  lwend_check_stack(L, count + TAGS_ON_STACK + LUA_MINSTACK);
  need_agent(L);
  lwend_pushanchor(L, LWEND_MAP);
  request->tag_names = lua_gettop(L);
  request->tags_on_stack = (int)lua_rawlen(L, request->tag_names);
  if (request->tags_on_stack > TAGS_ON_STACK) request->tags_on_stack = TAGS_ON_STACK;
  for (int tag = 1; tag <= request->tags_on_stack; tag++) lua_rawgeti(L, request->tag_names, tag);
  if (count > 0) lua_getfield(L, LWEND_COMPILED, "edges");
  else lua_pushnil(L);
  request->rules = lua_gettop(L);
  request->functions = request->rules + 1;
  for (int r = 0; r < count; r++) {
    lua_rawgeti(L, request->rules, r + 1);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
  }
  lua_pushvalue(L, LWEND_COST);
}

/* Whether an edge rule, or the option `cost`, applies to a step: to one of its tags. */
static inline bool applies_to_step(const lwend_request *request, int r, const wend_step *step) {
  const uint8_t *applies = request->searcher->applies + r;
  const size_t width = (size_t)request->rule_count + 1;
  return applies[step->tag * width] || (step->node_tag != WEND_UNTAGGED && applies[step->node_tag * width]);
}

/* Pushes the name of a tag, or nil. */
static inline void push_name(lua_State *L, const lwend_request *request, uint32_t tag) {
  if (tag == WEND_UNTAGGED) lua_pushnil(L);
  else if (tag <= (uint32_t)request->tags_on_stack) lua_pushvalue(L, request->tag_names + (int)tag);
  else lua_rawgeti(L, request->tag_names, (int)tag);
}

/* Runs an edge rule, or the option `cost`, and returns the new cost of the step. cost: the cost so far. */
static double ask_rule(lua_State *L, lwend_request *request, int r, const wend_step *step, double cost) {
  int arguments = 6;
  double answer;
  request->callee = CALLEE_STEP;
  request->callee_at = r;
  lua_pushvalue(L, request->functions + r);
  lua_pushvalue(L, LWEND_AGENT);
  lua_pushnumber(L, cost);
  push_name(L, request, step->tag);
  if (request->g->grid == NULL) {
    lwend_pushwhole(L, step->from);
    lwend_pushwhole(L, step->to);
    lwend_pushwhole(L, step->edge);
    if (step->node_tag != WEND_UNTAGGED) push_name(L, request, step->node_tag), arguments = 7;
  } else {
    (void)lwend_push_id(L, request->g, step->from);
    (void)lwend_push_id(L, request->g, step->to);
    arguments = 7;
  }
  call_rule(L, request, request->searcher->rules[r].number, arguments, 1);
  answer = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(answer >= 0)) answer = answer_at(L, -1, cost);
  lua_pop(L, 1);
  return answer;
}

/* Pushes an edge rule; nil: it is the option `cost`. */
static void push_rule(lua_State *L, const lwend_request *request, int r) {
  if (r < request->rule_count) lua_rawgeti(L, request->rules, r + 1);
  else lua_pushnil(L);
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

/* wend_costs.edge: the cost of a step after all rules that apply to its tag, and the option `cost`. ud: the request. */
static double ask_rules(void *ud, const wend_step *step) {
  lwend_request *request = ud;
  lua_State *L = request->L;
  const int count = request->rule_count;
  double cost = step->cost;
  for (int r = 0; r <= count; r++) {
    const double at_least = request->searcher->rules[r].at_least;
    double answer;
    if (!applies_to_step(request, r, step)) continue;
    if (cost == INFINITY && at_least > 0) continue; /* closed: a rule with a promise cannot open it */
    answer = ask_rule(L, request, r, step, cost);
    if (at_least > 0) check_promise(L, answer, cost, at_least);
    cost = answer;
    if (request->record == 0) continue;
    push_rule(L, request, r);
    note_rule(L, request->record, cost);
  }
  request->callee = CALLEE_NONE;
  return cost;
}

/* Appends the value of the tag whose name is at stack index `text` to the list at `record`, with the cost of a step. always:
 * also if it is not that of a mod. */
static void note_value(lua_State *L, int text, int record, double cost, bool always) {
  lua_pushfstring(L, "tag '%s'", lua_tostring(L, text));
  lua_getfield(L, LWEND_COMPILED, "owners");
  lua_pushvalue(L, text);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  if (always || !lua_isnil(L, -1)) note_cost(L, record, cost);
  else lua_pop(L, 2);
}

double lwend_costs_price(const lwend_request *request, const wend_step *step, double weight) {
  const wend_tag_cost *tags = request->search.costs.tags;
  if (tags == NULL) return weight;
  weight = priced(weight, tags[step->tag].times, tags[step->tag].plus);
  return step->node_tag == WEND_UNTAGGED ? weight : priced(weight, tags[step->node_tag].times, tags[step->node_tag].plus);
}

/* Appends what makes the price of a tag to the list at stack index `record`, and returns the price. weight: before the tag. */
static double explain_tag(lua_State *L, lwend_request *request, uint32_t tag, double weight, int record) {
  const int entries = lua_gettop(L) + 1, text = entries + 1, entry = text + 1;
  wend_tag_cost cost;
  double times, plus;
  int type;
  if (lua_isnil(L, LWEND_COMPILED) || tag == WEND_UNTAGGED) return weight;
  lua_getfield(L, LWEND_COMPILED, "entries");
  lwend_push_tag(L, LWEND_MAP, tag);
  type = push_entry(L, LWEND_COMPILED, entries);
  times = type == LUA_TNUMBER ? lua_tonumber(L, entry) : number_at(L, entry, 1);
  plus = type == LUA_TNUMBER ? 0 : number_at(L, entry, 2);
  /* The value of the tag, before any function. */
  note_value(L, text, record, priced(weight, times, plus), times != 1 || plus != 0);
  lua_settop(L, entry);
  resolve_tag(L, request, tag, &cost, weight);
  lua_settop(L, entries - 1);
  return priced(weight, cost.times, cost.plus);
}

void lwend_costs_explain(lua_State *L, lwend_request *request, wend_step *step, double weight, double added) {
  const int record = lua_gettop(L) + 1;
  lua_newtable(L);
  request->record = record;
  step->cost = explain_tag(L, request, step->tag, weight, record);
  step->cost = explain_tag(L, request, step->node_tag, step->cost, record);
  if (added > 0) {
    step->cost += added;
    lua_pushliteral(L, "influence");
    lua_pushnil(L);
    note_cost(L, record, step->cost);
  }
  if (request->search.costs.edge != NULL) step->cost = ask_rules(request, step);
  request->record = 0;
  lua_settop(L, record);
  lwend_costs_push_step(L, request, step, weight);
}

void lwend_costs_push_step(lua_State *L, const lwend_request *request, const wend_step *step, double weight) {
  lua_createtable(L, 0, 8);
  if (request->g->graph != NULL && step->edge != WEND_NO_ID) lwend_set_whole(L, "edge", step->edge);
  lwend_set_id(L, request->g, step->from, "from", "from_x", "from_y");
  lwend_set_id(L, request->g, step->to, "to", "to_x", "to_y");
  if (weight == weight) lwend_set_number(L, "weight", weight);
  lwend_set_number(L, "cost", step->cost);
  lwend_push_tag(L, LWEND_MAP, step->tag), lua_setfield(L, -2, "tag");
  lwend_push_tag(L, LWEND_MAP, step->node_tag), lua_setfield(L, -2, "node_tag");
  lua_insert(L, -2);
  lua_setfield(L, -2, "rules");
}

/* Appends what closes the tag of a step, whose name is at the top of the stack, to the list at stack index `list`: the last
 * function that turned an open cost into a closed one, or the value of the tag. */
static void push_closing_tag(lua_State *L, lwend_request *request, const wend_step *step, double weight, int list) {
  const int text = lua_gettop(L), entry = text + 3, record = text + 4;
  wend_tag_cost cost;
  double before = INFINITY;
  int closer = 0;
  lua_getfield(L, LWEND_COMPILED, "entries");
  lua_pushvalue(L, text);
  if (push_entry(L, LWEND_COMPILED, text + 1) == LUA_TNUMBER
          ? lua_tonumber(L, entry) < INFINITY
          : number_at(L, entry, 1) < INFINITY && number_at(L, entry, 2) < INFINITY)
    before = weight;
  lua_newtable(L);
  lua_pushvalue(L, text);
  lua_pushvalue(L, entry);
  request->record = record;
  resolve_tag(L, request, step->tag, &cost, weight);
  request->record = 0;
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
    note_value(L, text, list, INFINITY, true);
  }
  lua_settop(L, text);
}

void lwend_costs_push_closers(lua_State *L, lwend_request *request, const wend_step *step, double weight, bool by_tag,
                              bool by_rule) {
  const int list = lua_gettop(L) + 1;
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
    if (!applies_to_step(request, r, step)) continue;
    answer = ask_rule(L, request, r, &asked, asked.cost);
    request->callee = CALLEE_NONE;
    if (answer < INFINITY) {
      asked.cost = answer;
      continue;
    }
    push_rule(L, request, r);
    note_rule(L, list, INFINITY);
  }
}

uint64_t lwend_costs_push_callee(lua_State *L, const lwend_request *request, int map, int compiled) {
  const int label = lua_gettop(L) + 1, rule = label + 1;
  lua_pushnil(L);
  if (request->callee == CALLEE_TAG) {
    lua_getfield(L, compiled, "entries");
    lwend_push_tag(L, map, request->callee_tag);
    (void)push_entry(L, compiled, label + 1);
    lua_rawgeti(L, -1, request->callee_at);
  } else if (request->callee == CALLEE_STEP && request->callee_at < request->rule_count) {
    lua_getfield(L, compiled, "edges");
    lua_rawgeti(L, -1, request->callee_at + 1);
  } else {
    if (request->callee == CALLEE_STEP) lua_pushliteral(L, "option 'cost'");
    else lua_pushliteral(L, "option 'heuristic'");
    lua_replace(L, label);
    lua_pushnil(L);
    return 0;
  }
  lua_replace(L, rule);
  lua_settop(L, rule);
  lua_getfield(L, rule, "label");
  lua_getfield(L, rule, "mod");
  if (lua_toboolean(L, -1)) lua_pushfstring(L, "%s of mod '%s'", lua_tostring(L, -2), lua_tostring(L, -1));
  else lua_pop(L, 1);
  lua_replace(L, label);
  lua_settop(L, rule);
  return (uint64_t)number_in(L, rule, "number");
}

/* ---- The option influence ----------------------------------------------------------------------------------- */

/* { layer, factor, layer, factor, ... }. A request keeps it as a userdata that no script can change, and paths have it in their field
 * of that name. Its anchor is the list of the layers.
 *
 * A layer can go while a search in slices uses it: it was freed, or the Lua state is being closed. So each slice takes the layers
 * anew, and one that is gone adds nothing. */
struct lwend_layers {
  uint32_t count;
  struct {
    lwend_influence *of;
    double factor;
  } at[1];
};

/* Whether a layer is of a map or of a base of it. */
static bool is_of(const lwend_influence *layer, const lwend_map *g) {
  while (g != NULL && g != layer->map) g = g->base;
  return g != NULL;
}

/* Checks item i of the list at index. g: NULL: the map is not known. */
static void check_layer_item(lua_State *L, int index, const lwend_map *g, int i, struct lwend_layers *made) {
  const int top = lua_gettop(L);
  lwend_influence *layer;
  lua_rawgeti(L, index, 2 * i - 1);
  lua_rawgeti(L, index, 2 * i);
  lua_pushfstring(L, "influence[%d]", 2 * i - 1);
  lua_pushfstring(L, "influence[%d]", 2 * i);
  layer = lwend_toobject(L, top + 1, &lwend_state_of(L)->types.influence);
  if (layer == NULL) lwend_type_error(L, top + 1, lua_tostring(L, top + 3), "an influence layer");
  else if (layer->layer == NULL) luaL_error(L, "%s: the layer is gone", lua_tostring(L, top + 3));
  else if (g != NULL && !is_of(layer, g)) luaL_error(L, "%s: the layer belongs to another map", lua_tostring(L, top + 3));
  made->at[i - 1].factor = lwend_check_number(L, top + 2, lua_tostring(L, top + 4), 0, WEND_INFLUENCE_MAX);
  made->at[i - 1].of = layer;
  lua_settop(L, top + 1);
}

void lwend_check_layers(lua_State *L, const lwend_map *g, int index) {
  const lwend_state *state = lwend_state_of(L);
  struct lwend_layers *made = lwend_toobject(L, index, &state->types.layers);
  uint32_t count;
  if (made != NULL) { /* of a path */
    for (uint32_t i = 0; i < made->count; i++)
      if (g != NULL && !is_of(made->at[i].of, g))
        luaL_error(L, "influence[%d]: the layer belongs to another map", (int)(2 * i + 1));
    lua_pushvalue(L, index);
    return;
  }
  count = lwend_check_list(L, index, "influence", 2, "values");
  made = lwend_new(L, sizeof *made + count * sizeof *made->at, &state->types.layers);
  lua_createtable(L, (int)count, 0);
  for (uint32_t i = 1; i <= count; i++) {
    check_layer_item(L, index, g, (int)i, made);
    lua_rawseti(L, -2, (int)i);
  }
  made->count = count;
  lwend_setanchor(L, -2);
}

void lwend_leave_layers(lwend_request *request) {
  struct lwend_layers *layers = request->layers;
  for (uint32_t i = 0; layers != NULL && i < layers->count; i++) layers->at[i].of->readers--;
  request->layers = NULL;
}

void lwend_take_layers(lua_State *L, lwend_request *request) {
  struct lwend_layers *layers = lwend_toobject(L, LWEND_INFLUENCE, &request->state->types.layers);
  lwend_searcher *searcher = request->searcher;
  lwend_leave_layers(request);
  if (layers == NULL || request->search.reach_only) return; /* layers close nothing */
  LWEND_GROW(L, request->state, searcher->influences, searcher->influences_capacity, layers->count);
  for (uint32_t i = 0; i < layers->count; i++) {
    searcher->influences[i].layer = layers->at[i].of->layer;
    searcher->influences[i].factor = layers->at[i].factor;
    layers->at[i].of->readers++;
  }
  request->layers = layers;
  request->search.costs.influences = searcher->influences;
  request->search.costs.influence_count = layers->count;
}

/* ---- Opening ----------------------------------------------------------------------------------------------- */

/* lua/wend/costs.lua adds the methods and the other metamethods, by lwend_core_costs_class. */
void lwend_open_costs(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {{NULL, NULL}};
  lwend_type(L, "wend.Costs", "a cost profile", state, methods, NULL, NULL, &state->types.costs);
  lwend_type(L, "wend.Mod", "a mod", state, methods, NULL, NULL, &state->types.mod);
  state->compile_ref = LUA_NOREF;
}
