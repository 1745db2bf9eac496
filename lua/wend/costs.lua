-- SPDX-License-Identifier: MIT
-- Cost profiles (wend.costs): what each tag costs an agent, and the rules that mods add.
--
-- A profile is a userdata. Its state is a table that no script can reach: costs/layers.lua describes it. A read-only
-- view of the profile is a userdata with the same state. Before a search, a profile is compiled: costs/compile.lua.
--
--   costs/kinds.lua   values and rules as scripts give them
--   costs/mods.lua    what costs:mod returns

local core = require "wend.core"
local check = require "wend.check"
local compile = require "wend.costs.compile"
local kinds = require "wend.costs.kinds"
local layers = require "wend.costs.layers"
local mods = require "wend.costs.mods"
local spelling = require "wend.spelling"

local costs = {} -- the methods
local new_profile, state_of

local is_callable, check_tag = check.is_callable, kinds.check_tag

--- The state of the profile on which a method was called, and whether it is a read-only view. Raises if it is not a
--- profile.
local function check_self(self)
  local state, viewed = state_of(self)
  if not state then
    check.wrong_self(self, "a cost profile", "costs")
  end
  return state, viewed
end

--- The same for methods that edit the profile: raises also if it is a read-only view.
local function check_editable(self)
  local state, viewed = check_self(self)
  if viewed then
    check.fail("a read-only view of a cost profile cannot be changed")
  end
  return state
end

--- costs:set(tag, value): sets the value of a tag.
--- @param tag string
--- @param value wend.TagCost|nil nil removes it: the base profile or the default then decides. The value that the tag
--- has already is no change
--- @return wend.Costs self
function costs:set(tag, value)
  local state = check_editable(self)
  check_tag(tag, "tag")
  layers.set(state.game, tag, value ~= nil and kinds.value(tag, value) or nil)
  return self
end

--- costs:get(tag): the value of a tag as the game has set it, here or in a base profile. Values of mods do not count.
--- @param tag string
--- @return wend.TagCost|nil value nil: it has no value. A read-only view returns copies of tables, and "function" for
--- functions
function costs:get(tag)
  local state, viewed = check_self(self)
  check_tag(tag, "tag")
  while state do
    local value = layers.get(state.game, tag)
    if value then
      if not viewed then
        return value.given
      elseif value.fn then
        return "function"
      end
      return type(value.given) == "table" and { times = value.times, plus = value.plus } or value.given
    end
    state = state.parent
  end
  return nil
end

--- costs:rule(name, tag, fn[, { priority }]): adds a rule about a tag. It runs once per search.
--- @param name string
--- @param tag string
--- @param fn wend.TagFunction (agent, factor, tag) -> factor, and optionally a price; false: closed; nil: no change
--- @param options wend.RuleOptions?
--- @return wend.Costs self
function costs:rule(name, tag, fn, options)
  local state = check_editable(self)
  layers.add_rule(state.game, kinds.rule(name, tag, fn, options))
  return self
end

--- costs:edge_rule(name, fn[, { priority, tags, at_least }]): adds a rule about edges. It runs for each edge that the
--- search examines, except those that a promise excludes.
--- @param name string
--- @param fn wend.EdgeFunction (agent, cost, tag, from, to, edge) -> cost; false: closed; nil: no change
--- @param options wend.EdgeRuleOptions?
--- @return wend.Costs self
function costs:edge_rule(name, fn, options)
  local state = check_editable(self)
  layers.add_rule(state.game, kinds.edge_rule(name, fn, options))
  return self
end

--- costs:remove(name): removes all rules of the game with this name from this profile. Inherited rules and rules of
--- mods stay.
--- @param name string
--- @return wend.Costs self
function costs:remove(name)
  local state = check_editable(self)
  check_tag(name, "name")
  layers.remove_rules(state.game, name)
  return self
end

--- costs:rules(): all rules, including those of mods and inherited ones, in the order in which they apply.
--- @return wend.Rule[] rules copies: { name, mod, tag, tags, priority, at_least, asleep, calls, seconds, fn }. A
--- read-only view leaves fn out
function costs:rules()
  local state, viewed = check_self(self)
  local list = {}
  for i, rule in ipairs(layers.rules(layers.all_in_order(state))) do
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
      mod = rule.mod or nil,
      tag = rule.tag,
      tags = tags,
      priority = rule.priority,
      at_least = rule.at_least,
      asleep = rule.asleep,
      calls = rule.calls,
      seconds = rule.seconds,
      fn = not viewed and rule.fn or nil,
    }
  end
  return list
end

--- costs:mod(name[, { priority }]): everything that one mod does to this profile. The mod is added if it is new.
--- @param name string
--- @param options wend.RuleOptions? priority: of its values over those of other mods; default 0. A priority that is
--- given moves a mod that is there already
--- @return wend.Mod
function costs:mod(name, options)
  return mods.get(check_editable(self), name, options)
end

--- costs:mods(): all mods, including inherited ones, in the order in which their values apply.
--- @return wend.ModState[] mods copies: { name, priority, values, rules, errors, asleep, inherited }
function costs:mods()
  return mods.list((check_self(self)))
end

--- costs:remove_mod(name): removes a mod with all its values and rules. Does nothing if there is none of this name.
--- @param name string
--- @return wend.Costs self
function costs:remove_mod(name)
  local state = check_editable(self)
  check_tag(name, "name")
  if state.mods[name] then
    layers.drop(state.mods[name])
  end
  return self
end

--- The read-only view of the profile with this state.
local function view_of(state)
  if not state.view then
    local view = new_profile(state, true)
    state.view = state.view or view -- a finalizer may have made it
  end
  return state.view
end

--- costs:readonly(): a view that a mod can search with and read, but not change.
--- @return wend.Costs
function costs:readonly()
  return view_of((check_self(self)))
end

--- Adds the tags that a profile and its base profiles name to a set.
local function add_named(state, named)
  for _, layer in ipairs(layers.all_in_order(state)) do
    for _, value in ipairs(layers.values_of(layer)) do
      named[value.tag] = true
    end
    for _, rule in ipairs(layers.rules_of(layer)) do
      if rule.tag then
        named[rule.tag] = true
      end
      for tag in pairs(rule.tags or {}) do
        named[tag] = true
      end
    end
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
  local index = spelling.index(sorted(tags))
  for _, tag in ipairs(sorted(named)) do
    if not tags[tag] then
      unknown[#unknown + 1] = { tag = tag, nearest = spelling.nearest(tag, index) }
    end
  end
  return unknown
end

--- Counts a failure of a function. If it has failed max_errors times, it sleeps: those of the profile that has the
--- function, or of the nearest profile that it inherits from. What is inherited through a read-only view is not
--- counted: its owner decides.
local function count_failure(state, record)
  local owner = record.layer.state
  while state ~= owner do
    if state.viewed then
      return
    end
    state = state.parent
  end
  local most = layers.setting(owner, "max_errors")
  record.errors = (record.errors or 0) + 1
  if most and record.errors >= most and not record.asleep then
    record.asleep = true
    layers.edited(owner)
  end
end

--- Called when a function of the profile has failed.
-- @param self the profile of the call: not necessarily the one that has the function
-- @param record the rule or value that has the function
-- @return whether on_error handles it
local function failed(self, record, message)
  local state, viewed = state_of(self)
  local on_error = layers.setting(state, "on_error")
  if not on_error then
    return false
  elseif not viewed then -- a mod could make functions of others fail, by a strange agent
    count_failure(state, record)
  end
  if record.mod then
    on_error(record.name, message, record.mod)
  else
    on_error(record.name, message)
  end
  return true
end

--- Reads costs.on_error, costs.max_errors, costs.timing, costs.max_instructions, costs.base, or a method.
local function index(self, key)
  local method = costs[key]
  local state, viewed = state_of(self)
  if method then
    return method
  end
  if key == "on_error" then
    return not viewed and state.on_error or nil
  elseif key == "max_errors" or key == "timing" or key == "max_instructions" then
    return state[key]
  elseif key == "base" and viewed then
    return state.parent and view_of(state.parent) or nil
  elseif key == "base" then
    return state.base
  end
  return nil
end

--- Raises, with the line of the script, unless a setting may have a value.
local function check_setting(key, value, good, wanted)
  if value ~= nil and not good then
    check.fail("%s must be %s or nil, got %s", key, wanted, check.describe(value))
  end
end

local function is_count(value, most)
  return type(value) == "number" and value >= 1 and value <= most and value % 1 == 0
end

--- Sets costs.on_error, costs.max_errors, costs.timing or costs.max_instructions. Raises for other fields.
local function newindex(self, key, value)
  local state, viewed = state_of(self)
  local starts
  if viewed then
    check.fail("a read-only view of a cost profile cannot be changed")
  elseif key == "on_error" then
    check_setting(key, value, is_callable(value), "a function")
  elseif key == "max_errors" then
    check_setting(key, value, is_count(value, math.huge), "a whole number >= 1")
  elseif key == "max_instructions" then
    check_setting(key, value, is_count(value, 2 ^ 53), "a whole number >= 1")
  elseif key == "timing" then
    check_setting(key, value, type(value) == "boolean", "true, false")
    starts = value and not layers.setting(state, "timing")
  else
    check.fail("a cost profile has no field %s: use costs:set(tag, value)", check.describe(key))
  end
  state[key] = value
  layers.edited(state)
  if starts then -- the sums begin at 0
    for _, record in ipairs(layers.functions(state)) do
      record.calls, record.seconds = 0, 0
    end
  end
end

local function text(self)
  local state, viewed = state_of(self)
  local others = 0
  for _ in pairs(state.mods) do
    others = others + 1
  end
  return ("wend.Costs (%d tags, %d rules%s%s)"):format(#layers.values_of(state.game), #layers.rules_of(state.game),
    others > 0 and (", %d mods"):format(others) or "", viewed and ", read-only" or "")
end

local class = { __index = index, __newindex = newindex, __tostring = text }
local new_mod, layer_of
new_profile, state_of, new_mod, layer_of = core.costs_class(compile, failed, layers.clock, class, mods.class)
mods.ready(new_mod, layer_of)

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
  local parent, viewed
  if base ~= nil then
    parent, viewed = state_of(base)
    if not parent then
      check.fail("base must be a cost profile, got %s", check.describe(base))
    end
  end
  local state = layers.new_state(parent, viewed)
  state.base = base
  if default ~= nil then
    state.default = kinds.value(nil, default)
    state.default.layer = state.game
  end
  for tag, value in pairs(values or {}) do
    check_tag(tag, "each key of rules")
    layers.set(state.game, tag, kinds.value(tag, value))
  end
  return new_profile(state)
end

return { new = new }
