-- SPDX-License-Identifier: MIT
-- Settings of a cost profile that say how its functions are called: timing and max_instructions. src/lua/base/meter.c
-- measures the functions.
--
-- settings.of makes compiled[7], which the C core reads: false, or
--
--   [1]  with timing: by number of the rule or value, what it has used: { calls, seconds, name, mod }; otherwise false
--   [2]  max_instructions, or 0
--   [3]  whether the costs are resolved (costs/resolved.lua), and [4] their agent

local check = require "wend.check"
local layers = require "wend.costs.layers"

local settings = {}

local jit = rawget(_G, "jit")
local BASE, RESOLVED = 4, 11 -- as in layers.lua

--- Calls visit(record, name) for each value and rule that is a function, here and in the base profiles.
local function each_function(state, visit)
  while state do
    if state.default and state.default.fn then
      visit(state.default, "default")
    end
    for _, layer in ipairs(layers.copy_of(state.layers)) do
      for _, value in ipairs(layers.copy_of(layer.values)) do
        if value.fn then
          visit(value, ("tag '%s'"):format(value.tag))
        end
      end
      for _, rule in ipairs(layers.copy_of(layer.own)) do
        visit(rule, rule.name)
      end
    end
    state = state[BASE]
  end
end

--- The setting of a profile, or of the nearest base profile that has it.
local function inherited(state, key)
  while state do
    if state[key] ~= nil then
      return state[key]
    end
    state = state[BASE]
  end
  return nil
end

--- Compiled code of LuaJIT does not count instructions. So the function, and those that are defined in it, are
--- interpreted from now on.
local function interpret(record)
  local fn = record.fn
  if type(fn) ~= "function" then
    local meta = getmetatable(fn)
    fn = type(meta) == "table" and rawget(meta, "__call")
  end
  pcall(jit.off, fn, true) -- raises if it is a function in C
end

--- What the core needs to know about the settings of a profile.
function settings.of(state)
  local timing, most = inherited(state, "timing"), inherited(state, "max_instructions")
  if not (timing or most or state[RESOLVED]) then
    return false
  end
  local sums = timing and {} or false
  if sums then
    each_function(state, function(record, name)
      record.spent = record.spent or { 0, 0, name, record.layer.mod }
      sums[record.number] = record.spent
    end)
  end
  if most and jit then
    each_function(state, interpret)
  end
  return { sums, most or 0, state[RESOLVED] or false, state.agent }
end

--- Sets costs.timing or costs.max_instructions. Raises, with the line of the script, if the value is not valid.
function settings.set(state, key, value)
  if key == "timing" and value ~= nil and type(value) ~= "boolean" then
    check.fail("timing must be true, false or nil, got %s", check.describe(value))
  elseif key == "max_instructions" and value ~= nil
      and not (type(value) == "number" and value >= 1 and value <= 2 ^ 53 and value % 1 == 0) then
    check.fail("max_instructions must be a whole number >= 1 or nil, got %s", check.describe(value))
  end
  local starts = key == "timing" and value and not inherited(state, "timing")
  state[key] = value
  layers.changed_setting(state)
  if starts then -- the sums begin at 0
    each_function(state, function(record)
      if record.spent then
        record.spent[1], record.spent[2] = 0, 0
      end
    end)
  end
end

return settings
