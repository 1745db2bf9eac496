-- SPDX-License-Identifier: MIT
-- Compiles a cost profile into plain lists, which the C core reads. They are valid until the profile, or one of its
-- base profiles, is edited:
--
--   compiled[1]  for each tag: a multiplier, or
--                { multiplier, price, then for each function: name, fn, number, label, mod }
--   compiled[2]  the same for tags without a value
--   compiled[3]  edge rules, one after another: name, fn, at_least, set of tags or false, number, label, mod
--   compiled[4]  the time of the last edit before they were made: no later edit is certain to be in them
--   compiled[5]  the number of the profile
--   compiled[6]  by tag: the name of the mod whose value is the multiplier and the price in compiled[1]
--
--   compiled[7]  settings: costs/settings.lua
--
-- mod: the name of the mod that has added the rule or value, or false: the game itself.
--
-- A search keeps the lists with which it began.

local layers = require "wend.costs.layers"
local settings = require "wend.costs.settings"

-- As in src/lua/base/costs.c.
local COMPILED, COMPILED_AT, BASE, NUMBER, RESOLVED = 1, 2, 4, 6, 11

--- An entry of a compiled list with one more function at its end.
-- @param entry it is changed if it is a table; or a multiplier, or nil: 1
-- @param record the rule, or the value that is a function
local function add_function(entry, name, label, record)
  if type(entry) ~= "table" then
    entry = { entry or 1, 0 }
  end
  local last = #entry
  entry[last + 1], entry[last + 2], entry[last + 3] = name, record.fn, record.number
  entry[last + 4], entry[last + 5] = label, record.layer.mod
  return entry
end

--- The entry of a tag with this value. A function receives the inherited factor; a number replaces it.
local function entry_over(inherited, value)
  if value.fn and value.asleep then
    return inherited
  elseif value.fn then
    local name = value.tag and ("tag '%s'"):format(value.tag) or "default"
    return add_function(inherited, name, name, value)
  elseif value.plus ~= 0 then
    return { value.times, value.plus }
  end
  return value.times
end

--- The entries of all tags with values, and the entry of other tags: from the values of a profile and its base
--- profiles, without rules.
-- @return entries, by tag; the default; owners, by tag
local function base_entries(state)
  local chain, entries, default, owners = {}, {}, 1, {}
  while state do
    chain[#chain + 1] = state
    state = state[BASE]
  end
  for i = #chain, 1, -1 do
    local own_default = chain[i].default
    if own_default then
      default = entry_over(nil, own_default) or default
    end
    for _, layer in ipairs(layers.in_order(chain[i])) do
      for _, value in ipairs(layers.copy_of(layer.values)) do
        local tag = value.tag
        entries[tag] = entry_over(entries[tag], value)
        if not value.fn then
          owners[tag] = layer.mod or nil
        end
      end
    end
  end
  return entries, default, owners
end

--- Makes the lists that the core reads. The core calls this before a search if the lists are out of date.
-- @return the lists, which are also in the state
local function compile(state)
  local at = layers.clock[1]
  if state[RESOLVED] then -- it keeps what it was; only its settings are new
    local kept = layers.copy_of(state.kept)
    kept[7] = settings.of(state)
    state[COMPILED], state[COMPILED_AT] = kept, at
    return kept
  end
  local entries, default, owners = base_entries(state)
  local edge_rules = {}
  for _, rule in ipairs(layers.rules(state)) do
    local label = ("rule '%s'"):format(rule.name)
    if rule.asleep then -- luacheck: ignore 542
      -- it is left out
    elseif rule.on_edges then
      local last, mod = #edge_rules, rule.layer.mod
      for i, item in ipairs { rule.name, rule.fn, rule.at_least, rule.tags, rule.number, label, mod } do
        edge_rules[last + i] = item
      end
    else
      local entry = entries[rule.tag]
      if entry == nil then
        entry = type(default) == "table" and layers.copy_of(default) or default
      end
      entries[rule.tag] = add_function(entry, rule.name, label, rule)
    end
  end
  local lists = { entries, default, edge_rules, at, state[NUMBER], owners, settings.of(state) }
  state[COMPILED], state[COMPILED_AT] = lists, at
  return lists
end

return compile
