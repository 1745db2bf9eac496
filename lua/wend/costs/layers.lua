-- SPDX-License-Identifier: MIT
-- What a cost profile holds: the values and rules of the game and of each mod, in layers.
--
-- Only the files of this folder, ../costs.lua and src/lua/base can reach it. So a script cannot put a wrong
-- value into it. A profile is a state:
--
--   parent      the state of the base profile, or nil; base: the base profile as it was given; viewed: it is a
--               read-only view
--   game        the layer of the game; mods: by name, the layers of the mods
--   default     a value as in a layer, or nil
--   edited      the time of the last edit; number: identifies the profile
--   compiled    what compile.lua has made of it, or nil
--   on_error, max_errors, timing, max_instructions   settings, or nil: those of the base profile
--   view        the read-only view of the profile, if there is one
--
-- and a layer:
--
--   state       of its profile
--   mod         the name of the mod; false: the game
--   priority    of the mod; number: a later mod has a larger one
--   values      by tag, as kinds.value makes them
--   rules       by name and then by tag, or false: rules about edges, as kinds.rule and kinds.edge_rule make them
--   draft       while the mod is reloaded: { values, rules }, which edits of the mod go into; otherwise nil
--   removed     whether the mod was removed; handle: what costs:mod has returned for it
--
-- An edit puts one thing into one table, and then notes the time: the number of the edit, counted over all profiles. So
-- it is whole, or changes nothing. What has changed for searches is found when the profile is compiled.
--
-- Values and rules also have the fields `layer` and `mod`; `number`; `errors`, how many times the function has failed;
-- `asleep`: the function is left out, because it has failed too often; and with costs.timing `calls` and `seconds`.

local core = require "wend.core"

local layers = {}

local number = 0 -- the newest number of a rule, a function, a layer or a profile

-- layers.clock([edited]): the number of edits of all profiles, from 1; `edited`: with one more. ../costs.lua sets it.

function layers.next_number()
  number = number + 1
  return number
end

--- Notes an edit. What was compiled of this profile, and of those that inherit from it, is then out of date.
local function edited(state)
  state.edited = layers.clock(true)
end
layers.edited = edited

--- No values and no rules.
function layers.lists()
  return { values = {}, rules = {} }
end

local function new_layer(state, mod, priority)
  return { state = state, mod = mod, priority = priority, number = layers.next_number(), values = {}, rules = {} }
end

--- A new state, with the layer of the game.
-- @param parent the state of the base profile, or nil
-- @param viewed whether the base profile is a read-only view
function layers.new_state(parent, viewed)
  local state = { parent = parent, viewed = viewed, mods = {}, number = layers.next_number(), edited = 0 }
  state.game = new_layer(state, false, 0)
  edited(state)
  return state
end

--- A setting of a profile, or of the nearest base profile that has it.
function layers.setting(state, key)
  while state do
    if state[key] ~= nil then
      return state[key]
    end
    state = state.parent
  end
  return nil
end

-- Edits ------------------------------------------------------------------------------------------------------------

--- Whether two values are the same for a search. A function that sleeps differs from the same function awake.
local function is_same_value(a, b)
  return a.times == b.times and a.plus == b.plus and a.ends_turn == b.ends_turn and rawequal(a.fn, b.fn)
    and not a.asleep
end

--- Sets or removes the value of a tag.
-- @param value a value as kinds.value makes it, or nil
function layers.set(layer, tag, value)
  local values = (layer.draft or layer).values
  local old = values[tag]
  if value and old and is_same_value(old, value) then
    old.given, old.errors = value.given, nil
    return
  elseif value then
    value.layer, value.mod = layer, layer.mod
  end
  values[tag] = value
  if old ~= value and not layer.draft then
    edited(layer.state)
  end
end

--- The value of a tag in one layer, or nil.
function layers.get(layer, tag)
  return (layer.draft or layer).values[tag]
end

--- Adds a rule to a layer. It replaces a rule of the same name and tag.
function layers.add_rule(layer, rule)
  local rules = (layer.draft or layer).rules
  local of_name = rules[rule.name] or {}
  rule.layer, rule.mod = layer, layer.mod
  of_name[rule.tag or false] = rule
  rules[rule.name] = of_name
  if not layer.draft then
    edited(layer.state)
  end
end

--- Removes all rules of a name from a layer.
function layers.remove_rules(layer, name)
  local rules = (layer.draft or layer).rules
  if rules[name] then
    rules[name] = nil
    if not layer.draft then
      edited(layer.state)
    end
  end
end

--- Replaces all values and rules of a layer.
-- @param lists as layers.lists makes them
function layers.replace(layer, lists)
  layer.values, layer.rules = lists.values, lists.rules
  edited(layer.state)
end

--- The layer of a mod, which is added if there is none.
-- @param new_handle makes what costs:mod returns, from the layer
function layers.add_mod(state, name, priority, new_handle)
  local layer = state.mods[name]
  if not layer then
    layer = new_layer(state, name, priority)
    layer.handle = new_handle(layer)
    layer = state.mods[name] or layer -- a finalizer may have added another one
    state.mods[name] = layer
  end
  return layer
end

--- Removes the layer of a mod, with all that it has set.
function layers.drop(layer)
  layer.state.mods[layer.mod], layer.removed = nil, true
  edited(layer.state)
end

--- Changes the priority of a mod, and with it the place of what it has set.
function layers.move(layer, priority)
  layer.priority = priority
  edited(layer.state)
end

-- Reading ----------------------------------------------------------------------------------------------------------

-- A finalizer may edit a profile at any time. So these lists are made by core.values.

--- A list of the values of a layer, in no order.
function layers.values_of(layer)
  return core.values(layer.values)
end

--- A list of the rules of a layer, in no order.
function layers.rules_of(layer)
  local list = {}
  for _, of_name in ipairs(core.values(layer.rules)) do
    for _, rule in ipairs(core.values(of_name)) do
      list[#list + 1] = rule
    end
  end
  return list
end

--- A list of the values of a layer and then of its rules, and the number of values.
function layers.records_of(layer)
  local list = layers.values_of(layer)
  local values = #list
  for _, rule in ipairs(layers.rules_of(layer)) do
    list[#list + 1] = rule
  end
  return list, values
end

--- Whether the layer of a mod applies before another one.
local function is_before(a, b)
  if a.priority ~= b.priority then
    return a.priority < b.priority
  end
  return a.number < b.number
end

--- The layers of a profile in the order in which their values apply: the game, then the mods.
local function in_order(state)
  local list = core.values(state.mods)
  table.sort(list, is_before)
  table.insert(list, 1, state.game)
  return list
end

--- The layers of a profile and of all that it inherits from, in the order in which their values apply.
function layers.all_in_order(state)
  local chain, list = {}, {}
  while state do
    chain[#chain + 1] = state
    state = state.parent
  end
  for i = #chain, 1, -1 do
    for _, layer in ipairs(in_order(chain[i])) do
      list[#list + 1] = layer
    end
  end
  return list
end

--- All values and rules that are functions, here and in the base profiles.
function layers.functions(state)
  local list = {}
  for _, layer in ipairs(layers.all_in_order(state)) do
    local records = layers.records_of(layer)
    records[#records + 1] = not layer.mod and layer.state.default or nil
    for _, record in ipairs(records) do
      if record.fn then
        list[#list + 1] = record
      end
    end
  end
  return list
end

--- All rules that apply, including inherited ones, in the order in which they apply: rules about tags first. A rule
--- hides an inherited rule of the same mod, name and tag.
-- @param all layers.all_in_order of the profile
function layers.rules(all)
  local list, seen, rank = {}, {}, {}
  for i = #all, 1, -1 do
    local layer = all[i]
    local mod = layer.mod and #layer.mod .. ":" .. layer.mod or ""
    for _, rule in ipairs(layers.rules_of(layer)) do
      local key = mod .. "\0" .. #rule.name .. ":" .. rule.name .. (rule.tag or "")
      if not seen[key] then
        seen[key] = true
        list[#list + 1] = rule
      end
    end
    rank[layer] = layer.mod and i or 0 -- what the game has set comes first, whatever it inherits
  end
  table.sort(list, function(a, b)
    if (a.on_edges or false) ~= (b.on_edges or false) then
      return not a.on_edges
    elseif a.priority ~= b.priority then
      return a.priority < b.priority
    elseif rank[a.layer] ~= rank[b.layer] then
      return rank[a.layer] < rank[b.layer]
    end
    return a.number < b.number
  end)
  return list
end

return layers
