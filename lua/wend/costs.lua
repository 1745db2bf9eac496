-- SPDX-License-Identifier: MIT
-- Cost profiles (wend.costs): what each tag costs an agent, and the rules that mods add.
--
-- A profile is a userdata. Its state is a table that only this file and src/lua/base/costs.c can reach. So a script
-- cannot put a wrong value into it, and the core need not check it again. The state is a list, which C reads, and named
-- fields:
--
--   [COMPILED]     the compiled lists, or false
--   [COMPILED_AT]  the time of the last edit before they were made
--   [CHANGED_AT]   the time of the last edit of this profile
--   [BASE]         the state of the base profile, or false
--   [ON_ERROR]     a function, or false
--   [NUMBER]       identifies the profile: the time when it was made
--   [VALUED]       by tag: the time when its value was last changed; negative if the value that the base profile gives
--                  still counts: there is no value, or it is a function. Each value has a time
--   [VALUED_REST]  the same for tags without a time
--   [RULED]        by tag: the time when a rule that applies to it was last added or removed
--   [RULED_ALL]    the same for rules that apply to all tags and to what has no tag
--   values         a list of values as new_value makes them; at: by tag, the index in this list
--   own            the rules of this profile, sorted by priority, then by the order in which they were added
--   default        a value as in `values`, or nil
--   base           the base profile, or nil
--   times          how many times VALUED and RULED hold; see note_time
--
-- A time is the number of an edit: one clock counts the edits of all profiles. A result keeps the time at which its
-- costs were compiled. It is out of date if a tag that it uses has a later time, here or in a base profile. C compares
-- the times: lwend_costs_changed_tags.
--
-- A finalizer may edit a profile even while it is compiled. So values and rules are never changed once they are in
-- these lists, and a loop that allocates iterates over a copy of its list. A finalizer cannot run in the middle of an
-- edit or of copying: Lua's collector runs where an object is made, not where a table grows.
--
-- Before a search, a profile is compiled into plain lists, which the C core reads. They are valid until the profile, or
-- one of its base profiles, is edited:
--
--   compiled[1]  for each tag: a multiplier, or { multiplier, price, then for each function: name, fn, number, label, mod }
--   compiled[2]  the same for tags without a value
--   compiled[3]  edge rules: { name, fn, at_least, set of tags or false, number, label, mod, ... }
--   compiled[4]  the time of the last edit before they were made: no later edit is certain to be in them
--   compiled[5]  the number of the profile
--   compiled[6]  by tag: the name of the mod whose value is the multiplier and the price in compiled[1]
--
-- mod: the name of the mod that has added the rule or value, or false: the game itself.
--
-- A search keeps the lists with which it began.

local core = require "wend.core"
local check = require "wend.check"
local spelling = require "wend.spelling"

-- As in src/lua/base/costs.c.
local COMPILED, COMPILED_AT, CHANGED_AT, BASE, ON_ERROR, NUMBER, VALUED, VALUED_REST, RULED, RULED_ALL =
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10

local costs = {} -- the methods
local new_profile, state_of

local rule_number = 0 -- the number of the newest rule or function; among equal priorities, smaller numbers run first
local clock = { 0 }   -- the number of edits of all profiles; C reads it

--- Notes an edit. The compiled lists of this profile, and of those that inherit from it, are then out of date.
-- @return the time of the edit
local function changed(state)
  local now = clock[1] + 1
  clock[1] = now
  state[COMPILED], state[CHANGED_AT] = false, now
  return now
end

local SPARE = 1000 -- so many times of tags without a value are kept at least

--- Forgets the times of tags that have no value any more. The latest of them then counts for all tags without a time:
--- results may count as out of date too early, but never too late.
local function forget_times(state)
  local valued, ruled, kept = state[VALUED], state[RULED], 0
  for tag, time in pairs(valued) do
    if state.at[tag] then
      kept = kept + 1
    else
      state[VALUED_REST] = math.min(state[VALUED_REST], time)
      valued[tag] = nil
    end
  end
  for tag, time in pairs(ruled) do
    state[RULED_ALL] = math.max(state[RULED_ALL], time)
    ruled[tag] = nil
  end
  state.times = kept
end

--- Notes a time for a tag.
-- @param list VALUED or RULED
local function note_time(state, list, tag, time)
  local times = state[list]
  if times[tag] == nil then
    state.times = state.times + 1
    if state.times > 2 * #state.values + SPARE then
      forget_times(state)
      state.times = state.times + 1
    end
  end
  times[tag] = time
end

--- Notes a time for all tags that a rule applies to.
local function note_tags(state, rule, time)
  if rule.tag then
    note_time(state, RULED, rule.tag, time)
  elseif rule.tags then
    for tag in pairs(rule.tags) do
      note_time(state, RULED, tag, time)
    end
  else
    state[RULED_ALL] = time
  end
end

--- Notes the time of an added or removed rule. An edge rule hides inherited edge rules of the same name, which may
--- apply to other tags: these change as well.
local function note_rule(state, rule, time)
  local base = rule.on_edges and state[BASE]
  note_tags(state, rule, time)
  while base do
    for i = 1, #base.own do
      local hidden = base.own[i]
      if hidden.on_edges and hidden.name == rule.name then
        note_tags(state, hidden, time)
      end
    end
    base = base[BASE]
  end
end

local function copy_of(list)
  local copy = {}
  for i = 1, #list do
    copy[i] = list[i]
  end
  return copy
end

local function next_number()
  rule_number = rule_number + 1
  return rule_number
end

--- The state of the profile on which a method was called. Raises if it is not a profile.
local function check_self(self)
  local state = state_of(self)
  if not state then
    check.wrong_self(self, "a cost profile", "costs")
  end
  return state
end

local is_callable = check.is_callable

local function check_tag(tag, what)
  if type(tag) ~= "string" or tag == "" then
    check.fail("%s must be a string that is not empty, got %s", what, check.describe(tag))
  end
end

--- The name of a value in messages.
-- @param tag nil: it is the option default
local function value_text(tag)
  return tag and ("the cost of tag '%s'"):format(tag) or "default"
end

--- Checks a multiplier or a price, and returns it.
local function check_share(tag, key, value)
  if type(value) ~= "number" or not (value >= 0) then
    check.fail("%s: %s must be a number >= 0, got %s", value_text(tag), key, check.describe(value))
  end
  return value
end

--- Checks the value of a tag.
-- @param tag the tag; nil for the option default
-- @param value a number, false, { times, plus } or a function, as scripts give it
-- @return { tag =, given = the value, times =, plus =, fn = or nil, number = of the function }
local function new_value(tag, value)
  local kept = { tag = tag, given = value, times = 1, plus = 0 }
  if value == false then
    kept.times = math.huge
  elseif is_callable(value) then
    kept.fn, kept.number = value, next_number() -- the number tells a search which function has failed
  elseif type(value) == "table" then
    check.options(value, { "times", "plus" }, value_text(tag))
    local times, plus = value.times, value.plus
    kept.times = times == nil and 1 or check_share(tag, "times", times)
    kept.plus = plus == nil and 0 or check_share(tag, "plus", plus)
  elseif type(value) == "number" and value >= 0 then
    kept.times = value
  else
    check.fail("%s must be a number >= 0, false, { times =, plus = } or a function, got %s", value_text(tag),
      check.describe(value))
  end
  return kept
end

--- Whether two values are the same for a search.
local function is_same(a, b)
  return a.times == b.times and a.plus == b.plus and rawequal(a.fn, b.fn)
end

--- Puts a value into a state, or with nil removes the value of a tag. The last value of the list moves to its index.
-- @return the old value, or nil
local function put(state, tag, value)
  local values, at = state.values, state.at[tag]
  local old = at and values[at]
  if value then
    at = at or #values + 1
    values[at], state.at[tag] = value, at
  elseif at then
    local last = values[#values]
    values[at], state.at[last.tag] = last, at
    values[#values], state.at[tag] = nil, nil
  end
  return old
end

--- costs:set(tag, value): sets the value of a tag.
--- @param tag string
--- @param value wend.TagCost|nil nil removes it: the base profile or the default then decides. The value that the tag
--- has already is no change
--- @return wend.Costs self
function costs:set(tag, value)
  local state = check_self(self)
  check_tag(tag, "tag")
  local new = value ~= nil and new_value(tag, value) or nil
  local old = put(state, tag, new)
  if old and new and not is_same(old, new) or (old == nil) ~= (new == nil) then
    local now = changed(state)
    note_time(state, VALUED, tag, new and not new.fn and now or -now)
  end
  return self
end

--- costs:get(tag): the value of a tag as it was set, here or in a base profile.
--- @param tag string
--- @return wend.TagCost|nil value nil: it has no value
function costs:get(tag)
  local state = check_self(self)
  check_tag(tag, "tag")
  while state do
    local at = state.at[tag]
    if at then
      return state.values[at].given
    end
    state = state[BASE]
  end
  return nil
end

--- Checks the arguments that all rules have. Returns the priority.
local function check_rule(name, fn, options, allowed)
  if type(name) ~= "string" or name == "" then
    check.fail("name must be a string that is not empty, got %s", check.describe(name))
  elseif not is_callable(fn) then
    check.fail("fn must be a function, got %s", check.describe(fn))
  end
  check.options(options, allowed)
  local priority = options and options.priority
  if priority == nil then
    priority = 0
  end
  if type(priority) ~= "number" or priority ~= priority then
    check.fail("priority must be a number, got %s", check.describe(priority))
  end
  return priority
end

--- Adds a rule to the sorted list. It replaces a rule of the same name and tag.
local function add_rule(state, rule)
  local rules, at, now = state.own, 1, changed(state)
  rule.number = next_number()
  for i = #rules, 1, -1 do
    if rules[i].name == rule.name and rules[i].tag == rule.tag then
      local old = table.remove(rules, i)
      if old.on_edges then -- otherwise both are about the same tag
        note_rule(state, old, now)
      end
    end
  end
  while rules[at] and rules[at].priority <= rule.priority do
    at = at + 1
  end
  table.insert(rules, at, rule)
  note_rule(state, rule, now)
end

--- costs:rule(name, tag, fn[, { priority }]): adds a rule about a tag. It runs once per search.
--- @param name string
--- @param tag string
--- @param fn wend.TagFunction (agent, factor, tag) -> factor, and optionally a price; false: closed; nil: no change
--- @param options wend.RuleOptions?
--- @return wend.Costs self
function costs:rule(name, tag, fn, options)
  local state = check_self(self)
  check_tag(tag, "tag")
  local priority = check_rule(name, fn, options, { "priority" })
  add_rule(state, { name = name, tag = tag, fn = fn, priority = priority })
  return self
end

--- costs:edge_rule(name, fn[, { priority, tags, at_least }]): adds a rule about edges. It runs for each edge that the
--- search examines, except those that a promise excludes.
--- @param name string
--- @param fn wend.EdgeFunction (agent, cost, tag, from, to, edge) -> cost; false: closed; nil: no change
--- @param options wend.EdgeRuleOptions?
--- @return wend.Costs self
function costs:edge_rule(name, fn, options)
  local state = check_self(self)
  local priority = check_rule(name, fn, options, { "priority", "tags", "at_least" })
  local tags, at_least = options and options.tags, options and options.at_least
  local set = false
  if tags ~= nil then
    if type(tags) ~= "table" then
      check.fail("tags must be a list of tags, got %s", check.describe(tags))
    end
    set = {}
    for i = 1, check.length(tags) do
      local tag = tags[i]
      check_tag(tag, ("tags[%d]"):format(i))
      set[tag] = true
    end
  end
  if at_least == nil then
    at_least = 0
  end
  if type(at_least) ~= "number" or not (at_least >= 0 and at_least <= 1) then
    check.fail("at_least must be a number in 0 .. 1, got %s", check.describe(at_least))
  end
  add_rule(state, { name = name, fn = fn, priority = priority, tags = set, at_least = at_least, on_edges = true })
  return self
end

--- costs:remove(name): removes all rules of this name from this profile. Inherited rules stay.
--- @param name string
--- @return wend.Costs self
function costs:remove(name)
  local state = check_self(self)
  check_tag(name, "name")
  for i = #state.own, 1, -1 do
    if state.own[i].name == name then
      note_rule(state, table.remove(state.own, i), changed(state))
    end
  end
  return self
end

--- A list of all rules that apply, including inherited ones, in the order in which they apply: rules about tags first.
--- A rule hides an inherited rule of the same name and tag.
local function all_rules(state)
  local list, hidden = {}, {}
  while state do
    for _, rule in ipairs(copy_of(state.own)) do
      local key = rule.name .. "\0" .. (rule.tag or "\0")
      if hidden[key] == nil or hidden[key] == state then
        hidden[key] = state
        list[#list + 1] = rule
      end
    end
    state = state[BASE]
  end
  table.sort(list, function(a, b)
    if (a.on_edges or false) ~= (b.on_edges or false) then
      return not a.on_edges
    elseif a.priority ~= b.priority then
      return a.priority < b.priority
    end
    return a.number < b.number
  end)
  return list
end

--- costs:rules(): all rules, including inherited ones, in the order in which they apply.
--- @return wend.Rule[] rules copies: { name, mod, tag, tags, priority, at_least, fn }
function costs:rules()
  local state = check_self(self)
  local list = {}
  for i, rule in ipairs(all_rules(state)) do
    local tags
    if rule.tags then
      tags = {}
      for tag in pairs(rule.tags) do
        tags[#tags + 1] = tag
      end
      table.sort(tags)
    end
    list[i] = {
      name = rule.name,
      mod = rule.mod,
      tag = rule.tag,
      tags = tags,
      priority = rule.priority,
      at_least = rule.at_least,
      fn = rule.fn,
    }
  end
  return list
end

--- Adds the tags that a profile and its base profiles name to a set.
local function add_named(state, named)
  while state do
    for _, value in ipairs(copy_of(state.values)) do
      named[value.tag] = true
    end
    for _, rule in ipairs(copy_of(state.own)) do
      if rule.tag then
        named[rule.tag] = true
      end
      for tag in pairs(rule.tags or {}) do
        named[tag] = true
      end
    end
    state = state[BASE]
  end
end

local function is_map(value)
  local kind = core.type(value)
  return kind == "graph" or kind == "grid"
end

--- Adds the tags of a map, or of all maps of a level, to a set. Raises if the value is neither.
local function add_tags(map, tags)
  local found, maps = false, { map }
  if type(map) == "table" then
    maps = { map.graph or false, map.grid or false }
    local grids = map.grids
    for i = 1, type(grids) == "table" and check.length(grids) or 0 do
      maps[#maps + 1] = rawget(grids, i)
    end
  end
  for i = 1, #maps do
    if is_map(maps[i]) then
      found = true
      for tag in pairs((maps[i]:tags())) do
        tags[tag] = true
      end
    end
  end
  if not found and not (type(map) == "table" and type(map.names) == "table") then
    check.fail("map must be a graph, a grid or a level, got %s", check.describe(map))
  end
end

local function sorted(set)
  local list = {}
  for item in pairs(set) do
    list[#list + 1] = item
  end
  table.sort(list)
  return list
end

--- costs:unknown(map): the tags that this profile names and that nothing in a map has: values and rules, here and in
--- the base profiles.
--- @param map wend.Map|wend.Level a graph, a grid or a level
--- @return { tag: string, nearest: string|nil }[] unknown sorted by tag; nearest: a tag of the map
function costs:unknown(map)
  local state = check_self(self)
  local named, tags, unknown = {}, {}, {}
  add_tags(map, tags)
  add_named(state, named)
  local known = sorted(tags)
  for _, tag in ipairs(sorted(named)) do
    if not tags[tag] then
      unknown[#unknown + 1] = { tag = tag, nearest = spelling.nearest(tag, known) }
    end
  end
  return unknown
end

--- A copy of an entry of a compiled list, with one more function at its end.
-- @param inherited the entry: a table, a multiplier, or nil
local function entry_with(inherited, name, fn, number, label, mod)
  local entry = { 1, 0 }
  if type(inherited) == "table" then
    for i, item in ipairs(inherited) do
      entry[i] = item
    end
  elseif inherited then
    entry[1] = inherited
  end
  local last = #entry
  entry[last + 1], entry[last + 2], entry[last + 3], entry[last + 4], entry[last + 5] = name, fn, number, label, mod
  return entry
end

--- The entry of a tag with this value. A function receives the inherited factor; a number replaces it.
local function entry_over(inherited, value)
  if value.fn then
    local name = value.tag and ("tag '%s'"):format(value.tag) or "default"
    return entry_with(inherited, name, value.fn, value.number, name, value.mod or false)
  elseif value.plus ~= 0 then
    return { value.times, value.plus }
  end
  return value.times
end

--- The entries of all tags with values, and the entry of other tags: from the values of a profile and its base
--- profiles, without rules.
local function base_entries(state)
  local chain, entries, default = {}, {}, 1
  while state do
    chain[#chain + 1] = state
    state = state[BASE]
  end
  for i = #chain, 1, -1 do
    local values, own_default = chain[i].values, chain[i].default
    if own_default then
      default = entry_over(nil, own_default)
    end
    for _, value in ipairs(copy_of(values)) do
      entries[value.tag] = entry_over(entries[value.tag], value)
    end
  end
  return entries, default
end

--- Makes the lists that the core reads. The core calls this before a search if the lists are out of date.
-- @return the lists, which are also in the state
local function compile(state)
  local at = clock[1]
  local entries, default = base_entries(state)
  local edge_rules = {}
  for _, rule in ipairs(all_rules(state)) do
    local label = ("rule '%s'"):format(rule.name)
    if rule.on_edges then
      local last = #edge_rules
      for i, item in ipairs { rule.name, rule.fn, rule.at_least, rule.tags, rule.number, label, rule.mod or false } do
        edge_rules[last + i] = item
      end
    else
      entries[rule.tag] = entry_with(entries[rule.tag] or default, rule.name, rule.fn, rule.number, label, rule.mod or false)
    end
  end
  local lists = { entries, default, edge_rules, at, state[NUMBER], {} }
  state[COMPILED], state[COMPILED_AT] = lists, at
  return lists
end

--- Reads costs.on_error, costs.base, or a method.
local function index(self, key)
  if key == "on_error" then
    return state_of(self)[ON_ERROR] or nil
  elseif key == "base" then
    return state_of(self).base
  end
  return costs[key]
end

--- Sets costs.on_error. Raises for other fields.
local function newindex(self, key, value)
  if key ~= "on_error" then
    error(("a cost profile has no field %s: use costs:set(tag, value)"):format(check.describe(key)), 2)
  elseif value ~= nil and not is_callable(value) then
    error(("on_error must be a function or nil, got %s"):format(check.describe(value)), 2)
  end
  state_of(self)[ON_ERROR] = value or false
end

local function text(self)
  local state = state_of(self)
  return ("wend.Costs (%d tags, %d rules)"):format(#state.values, #state.own)
end

new_profile, state_of = core.costs_class(compile, index, newindex, text, clock)

--- wend.costs([rules[, { default, base }]]): makes a cost profile.
--- @param values table<string, wend.TagCost>? by tag
--- @param options wend.CostsOptions? default: the value of other tags; base: a profile to inherit from
--- @return wend.Costs
local function new(values, options)
  if state_of(values) then
    check.fail("rules must be a plain table, got a cost profile: to inherit from it, give it as the option 'base'")
  elseif values ~= nil and type(values) ~= "table" then
    check.fail("rules must be a table, got %s", check.describe(values))
  end
  check.options(options, { "default", "base" })
  local base, default = options and options.base, options and options.default
  local inherited = false
  if base ~= nil then
    inherited = state_of(base) or check.fail("base must be a cost profile, got %s", check.describe(base))
  end
  local state = {
    false, 0, 0, inherited, false, 0, {}, -1, {}, 0,
    values = {}, at = {}, own = {}, base = base, times = 0,
    default = default ~= nil and new_value(nil, default) or nil,
  }
  for tag, value in pairs(values or {}) do
    check_tag(tag, "each key of rules")
    local kept = new_value(tag, value)
    put(state, tag, kept)
    note_time(state, VALUED, tag, kept.fn and -1 or 1)
  end
  state[NUMBER] = changed(state)
  return new_profile(state)
end

return { new = new }
