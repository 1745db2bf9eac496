-- SPDX-License-Identifier: MIT
-- Compiles a cost profile into what src/lua/base/costs.c and tariff.c read:
--
--   entries     for each tag: a multiplier, or { multiplier, price, then each function: a rule or a value }, with the
--               field ends_turn = true if it does
--   default     the entry of all other tags
--   edges       the rules about edges, in order
--   owners      by tag: the name of the mod whose value is the multiplier and the price of the entry
--   max_instructions   the limit, or nil
--   timed       with costs.timing: by number, each rule and value that is a function; otherwise nil
--   number      of the profile
--   time        of the last edit before it was compiled: no later edit is certain to be in it
--   tariffs     by map: what the profile says of the tags of the map. src/lua/base/tariff.c makes them
--   changed     by tag: the time when its costs were last found changed; changed_all: the same for all tags and for
--               what has no tag
--
-- `changed` comes from a comparison with what was compiled before. So nobody else needs to know which edit changes the
-- costs of which tags. A result keeps the time of its costs, and is out of date if a tag that it uses has a later one.
--
-- What was compiled never changes, except `tariffs` and `changed`. A search keeps that with which it began.

local layers = require "wend.costs.layers"

local jit = rawget(_G, "jit")
local WEAK = { __mode = "k" }
local SPARE = 1000 -- so many times of tags that the profile does not name are kept at least

--- An entry with one more function at its end.
-- @param entry a multiplier, a list, which is changed, or nil: 1
local function add_function(entry, record)
  if type(entry) ~= "table" then
    entry = { entry or 1, 0 }
  end
  entry[#entry + 1] = record
  return entry
end

--- The entry of a tag with this value. A function receives the inherited factor; a number replaces it.
local function entry_over(inherited, value)
  if value.fn and value.asleep then
    return inherited
  elseif value.fn then
    return add_function(inherited, value)
  end
  if value.plus ~= 0 or value.ends_turn then
    return { value.times, value.plus, ends_turn = value.ends_turn }
  end
  return value.times
end

--- Fills in the entries, the default and the owners.
-- @param all the layers, in order
local function add_entries(lists, all)
  local entries, owners, edges = lists.entries, lists.owners, lists.edges
  for _, layer in ipairs(all) do
    local default = not layer.mod and layer.state.default
    if default then
      lists.default = entry_over(nil, default) or lists.default
    end
    for _, value in ipairs(layers.values_of(layer)) do
      entries[value.tag] = entry_over(entries[value.tag], value)
      if not value.fn then
        owners[value.tag] = layer.mod or nil
      end
    end
  end
  for _, rule in ipairs(layers.rules(all)) do
    if rule.on_edges then
      edges[#edges + 1] = not rule.asleep and rule or nil
    elseif not rule.asleep then
      local entry, default = entries[rule.tag], lists.default
      if entry == nil then
        entry = default
        if type(default) == "table" then
          entry = { default[1], default[2], default[3], ends_turn = default.ends_turn }
        end
      end
      entries[rule.tag] = add_function(entry, rule)
    end
  end
end

-- What has changed -------------------------------------------------------------------------------------------------

--- What a tag costs by a compiled profile: the multiplier, the price, whether it ends a turn, and the functions. A
--- function that fell asleep is left out: a search in which it fails goes on without it in any case.
-- @param tag false: what no entry and no rule names
local function costs_of(lists, tag)
  local entry = tag and (lists.entries[tag] or lists.default) or 1
  if type(entry) ~= "table" then
    entry = { entry, 0 }
  end
  local list = { entry[1], entry[2], entry.ends_turn or false }
  for i = 3, #entry do
    if not entry[i].asleep then
      list[#list + 1] = entry[i]
    end
  end
  for _, rule in ipairs(lists.edges) do
    if not rule.asleep and (not rule.tags or rule.tags[tag]) then
      list[#list + 1] = rule
    end
  end
  return list
end

local function is_same(a, b)
  return a == b or type(a) == "table" and type(b) == "table" and rawequal(a.fn, b.fn) and a.at_least == b.at_least
end

--- Whether all items of two lists are the same.
local function are_same(a, b)
  for i = 1, math.max(#a, #b) do
    if not is_same(a[i], b[i]) then
      return false
    end
  end
  return true
end

--- Notes the time of all tags whose costs are not as they were.
-- @param old what was compiled before
local function compare(old, new)
  local changed, named = old.changed, {}
  new.changed, new.changed_all = changed, old.changed_all
  for _, lists in ipairs { old, new } do
    for tag in pairs(lists.entries) do
      named[tag] = true
    end
    for _, rule in ipairs(lists.edges) do
      for tag in pairs(rule.tags or {}) do
        named[tag] = true
      end
    end
  end
  local are_edges_same = #old.edges == #new.edges
  for i, rule in ipairs(new.edges) do
    are_edges_same = are_edges_same and old.edges[i] == rule
  end
  local spare = SPARE
  for tag in pairs(named) do
    spare = spare + 2
    local is_plain = are_edges_same and old.entries[tag] == new.entries[tag] -- a shortcut for most tags
    if not is_plain and not are_same(costs_of(old, tag), costs_of(new, tag)) then
      changed[tag] = new.time
    end
  end
  if not are_edges_same and not are_same(costs_of(old, false), costs_of(new, false)) then
    new.changed_all = new.time
  end
  for _ in pairs(changed) do
    spare = spare - 1
  end
  if spare < 0 then -- forget them: results may be out of date too early, but never too late
    new.changed, new.changed_all = {}, new.time
  end
end

-- Compiling --------------------------------------------------------------------------------------------------------

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

--- Fills in what the core needs to know about how functions are called.
local function add_settings(lists, state)
  lists.max_instructions = layers.setting(state, "max_instructions")
  if layers.setting(state, "timing") then
    lists.timed = {}
    for _, record in ipairs(layers.functions(state)) do
      record.calls, record.seconds = record.calls or 0, record.seconds or 0
      lists.timed[record.number] = record
    end
  end
  if lists.max_instructions and jit then
    for _, record in ipairs(layers.functions(state)) do
      interpret(record)
    end
  end
end

--- Whether a profile, or one of its base profiles, was edited after a time.
local function is_edited(state, time)
  while state do
    if state.edited > time then
      return true
    end
    state = state.parent
  end
  return false
end

--- What the core reads. The core calls this where some profile was edited since it looked at this one.
local function compile(state)
  local now, old = layers.clock(), state.compiled
  if old and not is_edited(state, old.time) then
    return old
  end
  local lists = {
    entries = {}, default = 1, edges = {}, owners = {}, changed = false, changed_all = 0, number = state.number,
    time = now, tariffs = setmetatable({}, WEAK),
  }
  add_entries(lists, layers.all_in_order(state))
  add_settings(lists, state)
  if old then
    compare(old, lists)
  else
    lists.changed = {}
  end
  if state.compiled == old then -- otherwise a finalizer has compiled it meanwhile: what is there is newer
    state.compiled = lists
  end
  return state.compiled
end

return compile
