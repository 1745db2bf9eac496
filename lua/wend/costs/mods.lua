-- SPDX-License-Identifier: MIT
-- Mods of a cost profile: what costs:mod returns.
--
-- A mod is a userdata. What it holds, { state, layer }, only this file can reach: so a mod does not lead to the
-- profile. A mod that was removed stays removed: costs:mod makes another one of the same name.

local core = require "wend.core"
local check = require "wend.check"
local kinds = require "wend.costs.kinds"
local layers = require "wend.costs.layers"

local mods, methods = {}, {}
local new_handle, content_of

local BASE = 4 -- as in layers.lua

--- The state and the layer of the mod on which a method was called. Raises if it is not a mod, or was removed.
local function check_self(self)
  local content = content_of(self)
  if not content then
    check.wrong_self(self, "a mod", "mine")
  elseif content.layer.removed then
    check.fail("mod '%s' was removed", content.layer.mod)
  end
  return content.state, content.layer
end

--- mine:set(tag, value): sets the value of a tag, over the values of the game and of mods before this one.
--- @param tag string
--- @param value wend.TagCost|nil nil removes it: what the mod had hidden then counts again
--- @return wend.Mod self
function methods:set(tag, value)
  local state, layer = check_self(self)
  kinds.check_tag(tag, "tag")
  layers.set(state, layer, tag, value ~= nil and kinds.value(tag, value) or nil)
  return self
end

--- mine:get(tag): the value of a tag as this mod has set it.
--- @param tag string
--- @return wend.TagCost|nil value nil: the mod has set none
function methods:get(tag)
  local _, layer = check_self(self)
  kinds.check_tag(tag, "tag")
  local value = layers.get(layer, tag)
  if value then
    return value.given
  end
  return nil
end

--- mine:rule(name, tag, fn[, { priority }]): as costs:rule. The name is private to the mod.
--- @param name string
--- @param tag string
--- @param fn wend.TagFunction
--- @param options wend.RuleOptions?
--- @return wend.Mod self
function methods:rule(name, tag, fn, options)
  local state, layer = check_self(self)
  layers.add_rule(state, layer, kinds.rule(name, tag, fn, options))
  return self
end

--- mine:edge_rule(name, fn[, { priority, tags, at_least }]): as costs:edge_rule. The name is private to the mod.
--- @param name string
--- @param fn wend.EdgeFunction
--- @param options wend.EdgeRuleOptions?
--- @return wend.Mod self
function methods:edge_rule(name, fn, options)
  local state, layer = check_self(self)
  layers.add_rule(state, layer, kinds.edge_rule(name, fn, options))
  return self
end

--- mine:remove(name): removes all rules of this name from this mod.
--- @param name string
--- @return wend.Mod self
function methods:remove(name)
  local state, layer = check_self(self)
  kinds.check_tag(name, "name")
  layers.remove_rules(state, layer, name)
  return self
end

--- mine:reset(): removes all values and rules of the mod. It keeps its place in the order.
--- @return wend.Mod self
function methods:reset()
  local state, layer = check_self(self)
  local lists = layers.lists()
  if layer.draft then
    layer.draft = lists
  else
    layers.replace(state, layer, lists)
  end
  return self
end

--- mine:reload(fn): runs fn(mine), which sets the values and rules of the mod anew. What it does not repeat is gone. If
--- it raises, nothing changes.
--- @param fn fun(mine: wend.Mod)
--- @return wend.Mod self
function methods:reload(fn)
  local state, layer = check_self(self)
  if not check.is_callable(fn) then
    check.fail("fn must be a function, got %s", check.describe(fn))
  elseif layer.draft then
    check.fail("mod '%s' is being reloaded already", layer.mod)
  end
  layer.draft = layers.lists()
  local ok, problem = core.call(fn, self)
  local draft = layer.draft
  layer.draft = false
  if not ok then
    local named = type(problem) == "string" and problem ~= check.NO_MEMORY
    error(named and "mod '" .. layer.mod .. "': " .. problem or problem, 0)
  elseif layer.removed then
    check.fail("mod '%s' was removed while it was reloaded", layer.mod)
  end
  layers.replace(state, layer, draft)
  return self
end

local function index(self, key)
  if key == "name" then
    return content_of(self).layer.mod
  elseif key == "priority" then
    return content_of(self).layer.priority
  end
  return methods[key]
end

local function newindex(_, key)
  error(("a mod has no field %s that can be set: use mine:set(tag, value)"):format(check.describe(key)), 2)
end

local function text(self)
  local layer = content_of(self).layer
  if layer.removed then
    return ("wend.Mod ('%s', removed)"):format(layer.mod)
  end
  return ("wend.Mod ('%s', %d tags, %d rules)"):format(layer.mod, #layer.values, #layer.own)
end

mods.class = { __index = index, __newindex = newindex, __tostring = text }

--- Called once: with the functions that make a mod, and return what it holds or nil.
function mods.ready(new, content)
  new_handle, content_of = new, content
end

--- The mod of this name; it is added if it is new.
-- @param options { priority }, or nil. A priority that is given moves the mod
function mods.get(state, name, options)
  kinds.check_tag(name, "name")
  check.options(options, { "priority" })
  local priority, moves = kinds.priority(options), options and options.priority ~= nil
  local layer = layers.of_mod(state, name)
  if not layer then
    local new = layers.new(name, priority)
    new.handle = new_handle { state = state, layer = new }
    layer = layers.add(state, new) -- a finalizer may have added another one
  end
  if moves and layer.priority ~= priority then
    layers.move(state, layer, priority)
  end
  return layer.handle
end

--- Removes a mod. Does nothing if there is none of this name.
function mods.remove(state, name)
  local lists = layers.lists()
  local layer = layers.of_mod(state, name)
  if layer then
    layers.drop(state, layer, lists)
  end
end

--- Adds what the functions of a mod have used to its entry, with costs.timing.
local function add_spent(entry, records)
  for _, record in ipairs(records) do
    if record.spent then
      entry.calls = (entry.calls or 0) + record.spent[1]
      entry.seconds = (entry.seconds or 0) + record.spent[2]
    end
  end
end

--- A list of all mods, including inherited ones, in the order in which their values apply.
function mods.list(own)
  local chain, list, state = {}, {}, own
  while state do
    chain[#chain + 1] = state
    state = state[BASE]
  end
  for i = #chain, 1, -1 do
    for _, layer in ipairs(layers.in_order(chain[i])) do
      if layer.mod then
        local values, rules = layers.copy_of(layer.values), layers.copy_of(layer.own)
        local entry = {
          name = layer.mod, priority = layer.priority, values = #values, rules = #rules, errors = 0, asleep = {},
          inherited = chain[i] ~= own or nil,
        }
        for _, value in ipairs(values) do
          entry.errors = entry.errors + (value.errors or 0)
          if value.asleep then
            entry.asleep[#entry.asleep + 1] = ("tag '%s'"):format(value.tag)
          end
        end
        for _, rule in ipairs(rules) do
          entry.errors = entry.errors + (rule.errors or 0)
          if rule.asleep then
            entry.asleep[#entry.asleep + 1] = rule.name
          end
        end
        table.sort(entry.asleep)
        add_spent(entry, values)
        add_spent(entry, rules)
        list[#list + 1] = entry
      end
    end
  end
  return list
end

return mods
