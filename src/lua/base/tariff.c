/* SPDX-License-Identifier: MIT */
/* Costs for the core, made of a compiled profile; and the calls of the script's rules when the core needs them.
 *
 * Costs are made in three steps, and each result is kept until something that it depends on has changed:
 *   profile      lwend_profile    the compiled table and the settings (costs.c), until any profile is edited
 *   and map      lwend_tariff     all that no function of a tag decides, by tag, until the map has a new tag
 *   and agent    lwend_searcher   the tables of the core, until a request needs others
 *
 * A query works in three steps:
 *   1. lwend_costs_resolve, once: takes the tariff, and runs the functions of each tag. It fills in the multiplier, the price and
 *      the common promise of each tag (searcher->tags), and which edge rules apply to it (searcher->applies).
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

/* ---- Functions of tags --------------------------------------------------------------------------------------- */

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
 * profile at index. */
static void push_entry(lua_State *L, int compiled, int entries) {
  lua_pushvalue(L, -1);
  lua_rawget(L, entries);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_getfield(L, compiled, "default");
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
static inline void need_agent(lua_State *L, lwend_request *request) {
  if (!lua_isnil(L, LWEND_AGENT)) return;
  lua_newtable(L);
  request->slots |= 1u << LWEND_AGENT;
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

/* Reads the entry at index: the multiplier and the price before any function, and whether the tag ends a turn. Returns whether it
 * has no functions. */
static bool read_entry(lua_State *L, int index, wend_tag_cost *cost) {
  const bool plain = lua_type(L, index) == LUA_TNUMBER;
  cost->times = plain ? lua_tonumber(L, index) : number_at(L, index, 1);
  cost->plus = plain ? 0 : number_at(L, index, 2);
  cost->ends_turn = false;
  if (plain) return true;
  lua_getfield(L, index, "ends_turn");
  cost->ends_turn = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return lua_rawlen(L, index) < FIRST_FUNCTION;
}

/* Closed is a price, for the core: the multiplier is finite. */
static void close_tag(wend_tag_cost *cost) {
  if (cost->times == INFINITY || cost->plus == INFINITY) cost->times = 0, cost->plus = INFINITY;
}

/* Runs the functions of a tag, whose name and entry are at the top of the stack: they may change the multiplier and the price, and
 * note their costs for a step of this weight (request->record). Pops the entry. */
static void resolve_tag(lua_State *L, lwend_request *request, uint32_t tag, wend_tag_cost *cost, double weight) {
  const int entry = lua_gettop(L), text = entry - 1, type = lua_type(L, entry);
  const int last = type == LUA_TNUMBER ? 0 : (int)lua_rawlen(L, entry);
  read_entry(L, entry, cost);
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
    if (request->metered) number = (uint64_t)lwend_number_in(L, rule, "number");
    request->callee_at = at;
    need_agent(L, request);
    lua_rawgeti(L, rule, 1);
    lua_pushvalue(L, LWEND_AGENT);
    lua_pushnumber(L, cost->times);
    lua_pushvalue(L, text);
    call_rule(L, request, number, 3, 2);
    cost->times = answer_at(L, factor, cost->times);
    if (!lua_isnil(L, price)) {
      cost->plus = lua_type(L, price) == LUA_TNUMBER ? lua_tonumber(L, price) : -1;
      if (!(cost->plus >= 0)) luaL_error(L, "wanted a price >= 0, got %s", lwend_describe(L, price));
    }
    lua_settop(L, rule);
    if (request->record != 0) note_rule(L, request->record, priced(weight, cost->times, cost->plus));
    lua_settop(L, entry);
  }
  request->callee = CALLEE_NONE;
  lua_settop(L, text);
  close_tag(cost);
}

/* ---- Tariffs ----------------------------------------------------------------------------------------------- */

/* What a compiled profile says of the tags of a map, but for what functions of tags will answer. It lies in the field `tariffs` of
 * the compiled profile, by map, and never changes: if the map has a new tag, another one takes its place. Its tables lie behind
 * it. They are those of the searcher. */
typedef struct lwend_tariff {
  uint64_t serial;
  uint32_t tag_count; /* with the item for no tag */
  uint32_t rule_count;
  uint32_t asked_count; /* of the tags that have functions */
  bool asks;            /* functions about edges are asked about some tag */
  lwend_rule *rules;
  wend_tag_cost *tags;
  uint32_t *asked;
  uint8_t *applies;
} lwend_tariff;

/* Whether the edge rule at the top of the stack names the tag whose name, or nil, is at stack index `text`, or names none. Pops
 * it. */
static bool applies_to(lua_State *L, int text) {
  bool applies = true;
  lua_getfield(L, -1, "tags");
  if (lua_istable(L, -1)) {
    lua_pushvalue(L, text);
    lua_rawget(L, text + 2);
    applies = lua_toboolean(L, -1) != 0;
  }
  lua_settop(L, text);
  return applies;
}

/* Fills in, by tag, whether functions about edges are asked, and the product of their promises. Returns whether any is asked. */
static bool combine_rules(wend_tag_cost *tags, uint32_t tag_count, const lwend_rule *rules, uint32_t rule_count,
                          const uint8_t *applies) {
  bool any = false;
  for (uint32_t tag = 0; tag < tag_count; tag++) {
    tags[tag].asks = false;
    tags[tag].at_least = 1;
    for (uint32_t r = 0; r <= rule_count; r++, applies++) {
      if (!*applies) continue;
      any = tags[tag].asks = true;
      tags[tag].at_least *= rules[r].at_least;
    }
  }
  return any;
}

/* Fills in a tariff. tags: stack index of the list of the names of tags. */
static void fill_tariff(lua_State *L, lwend_tariff *tariff, int compiled, int tags) {
  const int entries = lua_gettop(L) + 1, edges = entries + 1, text = entries + 2;
  const wend_tag_cost plain = {1, 0, 1, false, false, false};
  uint8_t *applies = tariff->applies;
  lua_getfield(L, compiled, "entries");
  lua_getfield(L, compiled, "edges");
  for (uint32_t r = 0; r < tariff->rule_count; r++) {
    lua_rawgeti(L, edges, (int)r + 1);
    tariff->rules[r].number = (uint64_t)lwend_number_in(L, text, "number");
    tariff->rules[r].at_least = lwend_number_in(L, text, "at_least");
    lua_settop(L, edges);
  }
  for (uint32_t tag = 0; tag < tariff->tag_count; tag++) {
    wend_tag_cost *cost = &tariff->tags[tag];
    *cost = plain;
    if (tag == WEND_UNTAGGED) {
      lua_pushnil(L);
    } else {
      lua_rawgeti(L, tags, (int)tag);
      push_entry(L, compiled, entries);
      if (!read_entry(L, text + 1, cost)) tariff->asked[tariff->asked_count++] = tag;
      close_tag(cost);
      lua_settop(L, text);
    }
    for (uint32_t r = 0; r < tariff->rule_count; r++) {
      lua_rawgeti(L, edges, (int)r + 1);
      *applies++ = applies_to(L, text);
    }
    *applies++ = 0; /* the option `cost` */
    lua_settop(L, edges);
  }
  tariff->asks = combine_rules(tariff->tags, tariff->tag_count, tariff->rules, tariff->rule_count, tariff->applies);
  lua_settop(L, entries - 1);
}

/* Pushes the tariff of the request's profile and map. */
static const lwend_tariff *push_tariff(lua_State *L, const lwend_request *request) {
  const int tariffs = lua_gettop(L) + 1, names = tariffs + 1, made = tariffs + 2;
  lwend_tariff *tariff;
  size_t bytes;
  uint32_t tag_count, rule_count;
  lua_getfield(L, LWEND_COMPILED, "tariffs");
  lua_pushvalue(L, LWEND_MAP);
  lua_rawget(L, tariffs);
  tariff = lua_touserdata(L, -1);
  tag_count = wend_map_tag_count(request->g->map) + 1;
  if (tariff != NULL && tariff->tag_count == tag_count) return tariff;
  lwend_note_tags(L, LWEND_MAP, request->g);
  lwend_pushanchor(L, LWEND_MAP);
  lua_replace(L, names);
  lua_getfield(L, LWEND_COMPILED, "edges");
  rule_count = (uint32_t)lua_rawlen(L, made);
  lua_pop(L, 1);
  bytes = sizeof *tariff + tag_count * (sizeof *tariff->tags + sizeof *tariff->asked) +
          (rule_count + 1) * (sizeof *tariff->rules + (size_t)tag_count);
  tariff = lua_newuserdata(L, bytes);
  memset(tariff, 0, bytes);
  tariff->serial = ++request->state->serials;
  tariff->tag_count = tag_count;
  tariff->rule_count = rule_count;
  tariff->tags = (wend_tag_cost *)(void *)(tariff + 1);
  tariff->rules = (lwend_rule *)(void *)(tariff->tags + tag_count);
  tariff->asked = (uint32_t *)(void *)(tariff->rules + rule_count + 1);
  tariff->applies = (uint8_t *)(tariff->asked + tag_count);
  fill_tariff(L, tariff, LWEND_COMPILED, names);
  lua_pushvalue(L, LWEND_MAP);
  lua_pushvalue(L, made);
  lua_rawset(L, tariffs);
  return tariff;
}

/* Copies a tariff into the tables of the searcher. NULL: there is no profile. */
static void take_tariff(lua_State *L, lwend_request *request, const lwend_tariff *tariff, uint32_t tag_count) {
  lwend_searcher *searcher = request->searcher;
  const wend_tag_cost plain = {1, 0, 1, false, false, false};
  const uint32_t rules = tariff != NULL ? tariff->rule_count + 1 : 1;
  searcher->tariff = 0;
  LWEND_GROW(L, request->state, searcher->tags, searcher->tags_capacity, tag_count);
  LWEND_GROW(L, request->state, searcher->rules, searcher->rules_capacity, rules);
  LWEND_GROW(L, request->state, searcher->applies, searcher->applies_capacity, (uint64_t)tag_count * rules);
  memset(searcher->applies, 0, tag_count);
  memset(searcher->rules, 0, sizeof *searcher->rules);
  for (uint32_t tag = 0; tag < tag_count; tag++) searcher->tags[tag] = plain;
  if (tariff == NULL) return;
  memcpy(searcher->tags, tariff->tags, tag_count * sizeof *tariff->tags);
  memcpy(searcher->rules, tariff->rules, rules * sizeof *tariff->rules);
  memcpy(searcher->applies, tariff->applies, (size_t)tag_count * rules);
}

/* Asks the functions of all tags that have any. names: stack index of the list of the names of tags. */
static void ask_tags(lua_State *L, lwend_request *request, const lwend_tariff *tariff, int names) {
  if (tariff->asked_count == 0) return;
  lua_getfield(L, LWEND_COMPILED, "entries");
  for (uint32_t i = 0; i < tariff->asked_count; i++) {
    const uint32_t tag = tariff->asked[i];
    wend_tag_cost cost = request->searcher->tags[tag];
    lua_rawgeti(L, names, (int)tag);
    push_entry(L, LWEND_COMPILED, names + 1);
    resolve_tag(L, request, tag, &cost, 0);
    request->searcher->tags[tag] = cost;
    lua_settop(L, names + 1);
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

/* Changes the tables of the searcher by what only this request has: rules that have failed, and the options cost and pass_only.
 * Returns whether functions about edges are asked about any tag. */
static bool adapt_tables(lua_State *L, const lwend_request *request, int names, uint32_t tag_count) {
  const lwend_searcher *searcher = request->searcher;
  const uint32_t count = (uint32_t)request->rule_count;
  const int edges = lua_gettop(L) + 1;
  if (count > 0) lua_getfield(L, LWEND_COMPILED, "edges");
  for (uint32_t r = 0; r <= count; r++) {
    lua_settop(L, edges);
    if (r < count) lua_rawgeti(L, edges, (int)r + 1);
    if (r == count ? lua_isnil(L, LWEND_COST) : !has_failed(L, edges + 1)) continue;
    for (uint32_t tag = 0; tag < tag_count; tag++) searcher->applies[tag * ((size_t)count + 1) + r] = r == count;
  }
  mark_passed(L, searcher->tags, names, tag_count);
  return combine_rules(searcher->tags, tag_count, searcher->rules, count, searcher->applies);
}

static double ask_rules(void *ud, const wend_step *step);

void lwend_costs_resolve(lua_State *L, lwend_request *request) {
  lwend_searcher *searcher = request->searcher;
  const bool profile = lwend_has(L, request, LWEND_COMPILED);
  const bool own =
      lwend_has(L, request, LWEND_COST) || lwend_has(L, request, LWEND_PASS_ONLY) || lwend_has(L, request, LWEND_FAILED);
  const uint32_t tag_count = wend_map_tag_count(request->g->map) + 1;
  const int top = lua_gettop(L);
  const lwend_tariff *tariff = NULL;
  bool asks;
  memset(&request->search.costs, 0, sizeof request->search.costs);
  request->search.costs.size = lwend_has(L, request, LWEND_SIZE) ? lua_tonumber(L, LWEND_SIZE) : 0;
  request->rule_count = request->record = 0;
  if (!profile && !own) return;
  if (profile) tariff = push_tariff(L, request), request->rule_count = (int)tariff->rule_count;
  else lwend_note_tags(L, LWEND_MAP, request->g);
  if (tariff == NULL || own || searcher->tariff != tariff->serial) take_tariff(L, request, tariff, tag_count);
  searcher->rules[request->rule_count].at_least = request->at_least;
  lwend_pushanchor(L, LWEND_MAP);
  if (tariff != NULL) ask_tags(L, request, tariff, lua_gettop(L));
  asks = own ? adapt_tables(L, request, lua_gettop(L), tag_count) : tariff->asks;
  if (!own) searcher->tariff = tariff->serial;
  lua_settop(L, top);
  request->search.costs.tags = searcher->tags;
  request->search.costs.edge = asks ? ask_rules : NULL;
  request->search.costs.ud = request;
}

bool lwend_costs_settled(lua_State *L, lwend_request *request, int costs, int map) {
  const int top = lua_gettop(L);
  const lwend_tariff *tariff = NULL;
  lwend_costs_push_known(L, request, costs);
  if (!lua_isnil(L, -1)) {
    lua_getfield(L, -1, "tariffs");
    lua_pushvalue(L, map);
    lua_rawget(L, -2);
    tariff = lua_touserdata(L, -1);
  }
  lua_settop(L, top);
  if (tariff == NULL || tariff->serial != request->searcher->tariff || tariff->asked_count > 0 || tariff->asks ||
      tariff->tag_count != wend_map_tag_count(request->g->map) + 1)
    return false;
  request->search.costs.tags = request->searcher->tags;
  return true;
}

void lwend_costs_push(lua_State *L, lwend_request *request) {
  const int count = request->rule_count;
  if (lwend_has(L, request, LWEND_INFLUENCE)) lwend_take_layers(L, request);
  if (request->search.costs.edge == NULL) return;
  lwend_check_stack(L, count + TAGS_ON_STACK + LUA_MINSTACK);
  need_agent(L, request);
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
  if (lua_isnil(L, LWEND_COMPILED) || tag == WEND_UNTAGGED) return weight;
  lua_getfield(L, LWEND_COMPILED, "entries");
  lwend_push_tag(L, LWEND_MAP, tag);
  push_entry(L, LWEND_COMPILED, entries);
  (void)read_entry(L, entry, &cost);
  /* The value of the tag, before any function. */
  note_value(L, text, record, priced(weight, cost.times, cost.plus), cost.times != 1 || cost.plus != 0);
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
  push_entry(L, LWEND_COMPILED, text + 1);
  (void)read_entry(L, entry, &cost);
  if (cost.times < INFINITY && cost.plus < INFINITY) before = weight;
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
    push_entry(L, compiled, label + 1);
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
  return (uint64_t)lwend_number_in(L, rule, "number");
}
