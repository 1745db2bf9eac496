-- SPDX-License-Identifier: MIT
-- Cost profiles (wend.costs): what each tag costs an agent, and the rules that mods add.
--
-- A profile is a userdata. Its state is a table that no script can reach: costs/layers.lua describes it. A read-only
-- view of the profile is a userdata with the same state. Before a search, a profile is compiled: costs/compile.lua.
--
--   costs/kinds.lua   values and rules as scripts give them, and the methods that profiles and mods have in common
--   costs/mods.lua    what costs:mod returns

local core = require "wend.core"
local check = require "wend.check"
local compile = require "wend.costs.compile"
local kinds = require "wend.costs.kinds"
local layers = require "wend.costs.layers"
local mods = require "wend.costs.mods"
local sorted = require "wend.sorted"
local spelling = require "wend.spelling"

local costs = {} -- the methods
local new_profile, state_of

local check_tag, must = kinds.check_tag, check.must

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

kinds.add_edits(costs, function(self) return check_editable(self).game end)

--- costs:get(tag): the value of a tag as the game has set it, here or in a base profile. Values of mods do not count. A
--- read-only view returns copies of tables, and "function" for functions.
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
      return type(value.given) == "table" and
          { times = value.times, plus = value.plus, ends_turn = value.ends_turn } or value.given
    end
    state = state.parent
  end
  return nil
end

--- costs:rules(): all rules, including those of mods and inherited ones, in the order in which they apply.
--- They are copies. A read-only view leaves fn out.
function costs:rules()
  local state, viewed = check_self(self)
  local list = {}
  for i, rule in ipairs(layers.rules(layers.all_in_order(state))) do
    list[i] = {
      name = rule.name, mod = rule.mod or nil, tag = rule.tag, tags = rule.tags and sorted(pairs(rule.tags)),
      priority = rule.priority, at_least = rule.at_least, asleep = rule.asleep, calls = rule.calls,
      seconds = rule.seconds, fn = not viewed and rule.fn or nil,
    }
  end
  return list
end

--- costs:mod(name[, { priority }]): everything that one mod does to this profile. The mod is added if it is new.
-- @param options { priority }, or nil. A priority that is given moves a mod that is there already
function costs:mod(name, options)
  return mods.get(check_editable(self), name, options)
end

--- costs:mods(): all mods, including inherited ones, in the order in which their values apply.
function costs:mods()
  return mods.list((check_self(self)))
end

--- costs:remove_mod(name): removes a mod with all its values and rules. Does nothing if there is none of this name.
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
function costs:readonly()
  return view_of((check_self(self)))
end

--- Adds the tags that a profile and its base profiles name to a set.
local function add_named(state, named)
  for _, layer in ipairs(layers.all_in_order(state)) do
    for _, record in ipairs(layers.records_of(layer)) do
      if record.tag then
        named[record.tag] = true
      end
      for tag in pairs(record.tags or {}) do
        named[tag] = true
      end
    end
  end
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
    local kind = core.type(maps[i])
    if kind == "graph" or kind == "grid" then
      found = true
      for tag in pairs((maps[i]:tags())) do
        tags[tag] = true
      end
    end
  end
  must(found or type(map) == "table" and type(map.names) == "table", "map", "a graph, a grid or a level", map)
end

--- costs:unknown(map): the tags that this profile names and that nothing in a map has: values and rules, here and in
--- the base profiles.
-- @param map a graph, a grid or a level
-- @return a list of { tag =, nearest = a tag of the map, or nil }, sorted by tag
function costs:unknown(map)
  local state = check_self(self)
  local named, tags, unknown = {}, {}, {}
  add_tags(map, tags)
  add_named(state, named)
  local index = spelling.index(sorted(pairs(tags)))
  for _, tag in ipairs(sorted(pairs(named))) do
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

--- A setting that is a whole number from 1 to `most`.
local function count(most)
  return { wanted = "a whole number >= 1 or nil", accepts = function(value) return check.is_whole(value, 1, most) end }
end

local SETTINGS = {
  on_error = { wanted = "a function or nil", accepts = check.is_callable },
  max_errors = count(math.huge), max_instructions = count(2 ^ 53),
  timing = { wanted = "true, false or nil", accepts = function(value) return type(value) == "boolean" end },
}

--- Reads a setting, costs.base, or a method.
local function index(self, key)
  local method = costs[key]
  if method then
    return method
  end
  local state, viewed = state_of(self)
  if key == "base" and viewed then
    return state.parent and view_of(state.parent) or nil
  elseif key == "base" or SETTINGS[key] and not (key == "on_error" and viewed) then
    return state[key]
  end
  return nil
end

--- Sets a setting. Raises for other fields.
local function newindex(self, key, value)
  local state, viewed = state_of(self)
  local setting = SETTINGS[key]
  if viewed then
    check.fail("a read-only view of a cost profile cannot be changed")
  elseif not setting then
    check.fail("a cost profile has no field %s: use costs:set(tag, value)", check.describe(key))
  end
  must(value == nil or setting.accepts(value), key, setting.wanted, value)
  local starts = key == "timing" and value and not layers.setting(state, "timing")
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
  local others = #core.values(state.mods)
  return ("wend.Costs (%d tags, %d rules%s%s)"):format(#layers.values_of(state.game), #layers.rules_of(state.game),
    others > 0 and (", %d mods"):format(others) or "", viewed and ", read-only" or "")
end

local class = { __index = index, __newindex = newindex, __tostring = text }
local new_mod, layer_of
new_profile, state_of, new_mod, layer_of, layers.clock = core.costs_class(compile, failed, class, mods.class)
mods.ready(new_mod, layer_of)

--- wend.costs([rules[, { default, base }]]): makes a cost profile.
-- @param values by tag, or nil
-- @param options default: the value of other tags; base: a profile to inherit from
local function new(values, options)
  if state_of(values) then
    check.fail("rules must be a plain table, got a cost profile: to inherit from it, give it as the option 'base'")
  end
  must(values == nil or type(values) == "table", "rules", "a table", values)
  check.options(options, { "default", "base" })
  local base, default = options and options.base, options and options.default
  local parent, viewed
  if base ~= nil then
    parent, viewed = state_of(base)
    must(parent, "base", "a cost profile", base)
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
