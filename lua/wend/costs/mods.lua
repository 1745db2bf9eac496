-- SPDX-License-Identifier: MIT
-- Mods of a cost profile: what costs:mod returns.
--
-- A mod is a userdata. Only this file can reach its layer: so a mod does not lead to the profile. A mod that
-- was removed stays removed: costs:mod makes another one of the same name.

local core = require "wend.core"
local check = require "wend.check"
local kinds = require "wend.costs.kinds"
local layers = require "wend.costs.layers"

local mods, methods = {}, {}
local new_handle, layer_of

--- The layer of the mod on which a method was called. Raises if it is not a mod, or was removed.
local function check_self(self)
  local layer = layer_of(self)
  if not layer then
    check.wrong_self(self, "a mod", "mine")
  elseif layer.removed then
    check.fail("mod '%s' was removed", layer.mod)
  end
  return layer
end

kinds.add_edits(methods, check_self)

--- mine:get(tag): the value of a tag as this mod has set it.
function methods:get(tag)
  local layer = check_self(self)
  kinds.check_tag(tag, "tag")
  local value = layers.get(layer, tag)
  return value and value.given
end

--- mine:reset(): removes all values and rules of the mod. It keeps its place in the order.
function methods:reset()
  local layer = check_self(self)
  local lists = layers.lists()
  if layer.draft then
    layer.draft = lists
  else
    layers.replace(layer, lists)
  end
  return self
end

--- mine:reload(fn): runs fn(mine), which sets the values and rules of the mod anew. What it does not repeat is gone. If
--- it raises, nothing changes.
function methods:reload(fn)
  local layer = check_self(self)
  check.must(check.is_callable(fn), "fn", "a function", fn)
  if layer.draft then
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
  layers.replace(layer, draft)
  return self
end

local function index(self, key)
  if key == "name" then
    return layer_of(self).mod
  elseif key == "priority" then
    return layer_of(self).priority
  end
  return methods[key]
end

local function newindex(_, key)
  error(("a mod has no field %s that can be set: use mine:set(tag, value)"):format(check.describe(key)), 2)
end

local function text(self)
  local layer = layer_of(self)
  if layer.removed then
    return ("wend.Mod ('%s', removed)"):format(layer.mod)
  end
  return ("wend.Mod ('%s', %d tags, %d rules)"):format(layer.mod, #layers.values_of(layer), #layers.rules_of(layer))
end

mods.class = { __index = index, __newindex = newindex, __tostring = text }

--- Called once: with the functions that make a mod of a layer, and return the layer of a mod or nil.
function mods.ready(new, layer)
  new_handle, layer_of = new, layer
end

--- The mod of this name; it is added if it is new.
-- @param options { priority }, or nil. A priority that is given moves the mod
function mods.get(state, name, options)
  kinds.check_tag(name, "name")
  check.options(options, { "priority" })
  local priority, moves = kinds.priority(options), options and options.priority ~= nil
  local layer = layers.add_mod(state, name, priority, new_handle)
  if moves and layer.priority ~= priority then
    layers.move(layer, priority)
  end
  return layer.handle
end

--- Adds what the function of a value or a rule has done to the entry of its mod.
local function add_function(entry, record)
  entry.errors = entry.errors + (record.errors or 0)
  if record.asleep then
    entry.asleep[#entry.asleep + 1] = record.name
  end
  if record.calls then
    entry.calls = (entry.calls or 0) + record.calls
    entry.seconds = (entry.seconds or 0) + record.seconds
  end
end

--- A list of all mods, including inherited ones, in the order in which their values apply.
function mods.list(state)
  local list = {}
  for _, layer in ipairs(layers.all_in_order(state)) do
    if layer.mod then
      local records, values = layers.records_of(layer)
      local entry = {
        name = layer.mod, priority = layer.priority, values = values, rules = #records - values, errors = 0,
        asleep = {}, inherited = layer.state ~= state or nil,
      }
      for _, record in ipairs(records) do
        add_function(entry, record)
      end
      table.sort(entry.asleep)
      list[#list + 1] = entry
    end
  end
  return list
end

return mods
