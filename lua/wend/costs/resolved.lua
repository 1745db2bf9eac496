-- SPDX-License-Identifier: MIT
-- Resolved costs: what a profile costs one agent, without functions of tags. costs:resolve makes them.
--
-- Resolved costs are a userdata of the type of profiles, with a state as in layers.lua. Its own layer is empty. Its
-- base is the profile that was resolved; what follows on_error, timing and max_instructions up the base profiles finds
-- those of the profile. These fields are its own:
--
--   agent       what the functions received; never nil
--   kept        the compiled lists (compile.lua) without settings. kept[1] holds plain costs. kept[2], the default, may
--               have functions; what they return for a tag that a query meets for the first time is added to kept[1]
--   made        the time of the last edit of the profile that the costs know
--   refreshing  whether refresh is running
--
-- [VALUED] holds, by tag, the negative time when refresh last changed its cost. So what was found with these costs is
-- out of date only if refresh has changed a tag that it uses.

local core = require "wend.core"
local check = require "wend.check"
local kinds = require "wend.costs.kinds"
local layers = require "wend.costs.layers"

-- As in layers.lua.
local COMPILED, BASE, NUMBER, VALUED, VALUED_REST, RULED_ALL, RESOLVED = 1, 4, 6, 7, 8, 10, 11
-- Of a rule about edges in compiled[3]: name, fn, at_least, tags, number, label, mod.
local WIDTH = 7

local resolved, methods = {}, {}
local new_profile, state_of, compiled, run

--- Called once: with functions of the core.
function resolved.ready(new, state, lists, costs_run)
  new_profile, state_of, compiled, run = new, state, lists, costs_run
end

local function check_self(self)
  local state = state_of(self)
  if not (state and state[RESOLVED]) then
    check.wrong_self(self, "resolved costs", "resolved")
  end
  return state
end

--- Runs the functions of tags. Raises what they raise, unless on_error handles it.
-- @param lists compiled lists of the profile
-- @return a list of plain entries, one for each name
local function run_functions(lists, profile, agent, names)
  local ok, entries = core.call(run, lists, profile, agent, names)
  if ok then
    return entries
  elseif type(entries) == "string" then
    check.fail("%s", entries)
  end
  error(entries, 0)
end

--- The costs of all tags that a profile names, and of more.
-- @param more a table by tag, or nil
-- @return the compiled lists of the profile; plain entries, by tag
local function evaluate(profile, agent, more)
  local lists, names, known, entries = compiled(profile), {}, {}, {}
  for tag in pairs(lists[1]) do
    names[#names + 1], known[tag] = tag, true
  end
  for tag in pairs(more or {}) do
    if not known[tag] then
      names[#names + 1] = tag
    end
  end
  table.sort(names) -- so that the functions run in an order that does not depend on chance
  for i, entry in ipairs(run_functions(lists, profile, agent, names)) do
    entries[names[i]] = entry
  end
  return lists, entries
end

--- costs:resolve(agent): runs the tag functions for one agent and keeps the results.
-- @param profile the profile, or a read-only view of it, with this state
-- @param agent nil: an empty table
function resolved.new(profile, state, viewed, agent)
  if agent == nil then
    agent = {}
  end
  local lists, entries = evaluate(profile, agent)
  local own = layers.new_state(state, viewed)
  own[RESOLVED], own.base, own.agent, own.made, own.refreshing = true, profile, agent, lists[4], false
  local now = layers.changed(own)
  own[NUMBER] = now
  own.kept = { entries, lists[2], lists[3], now, now, {} }
  return new_profile(own)
end

--- Whether a value is resolved costs.
function resolved.is(value)
  local state = state_of(value)
  return state and state[RESOLVED] or false
end

--- A copy of resolved costs without their rules about edges. For pictures of what tags cost.
function resolved.without_edge_rules(self)
  local state = check_self(self)
  local copy = {}
  for key, value in pairs(state) do
    copy[key] = value
  end
  copy.kept = layers.copy_of(state.kept)
  copy.kept[3] = {}
  copy[COMPILED] = false
  return new_profile(copy)
end

-- Reading ----------------------------------------------------------------------------------------------------------

local function has_functions(entry)
  return type(entry) == "table" and entry[3] ~= nil
end

--- resolved:get(tag): what a tag costs this agent. For a tag that the profile does not name, a function given as
--- default runs, once.
--- @param tag string
--- @return wend.PlainCost value a number, false: closed, or { times, plus }
function methods:get(tag)
  local state = check_self(self)
  kinds.check_tag(tag, "tag")
  local kept = state.kept
  local entry = kept[1][tag]
  if entry == nil and has_functions(kept[2]) then
    entry = run_functions(compiled(self), self, state.agent, { tag })[1]
    kept[1][tag] = entry
  elseif entry == nil then
    entry = kept[2]
  end
  if type(entry) == "number" then
    return entry < math.huge and entry
  end
  return entry[1] < math.huge and entry[2] < math.huge and { times = entry[1], plus = entry[2] }
end

--- resolved:stale(): whether the profile, or one of its base profiles, was edited after the costs were resolved.
--- Changes of the agent do not count: the game knows them.
--- @return boolean
function methods:stale()
  local state = check_self(self)
  local made = state.made
  state = state[BASE]
  while state do
    if state.edited > made then
      return true
    end
    state = state[BASE]
  end
  return false
end

local function sorted_tags(set)
  local list = {}
  for tag in pairs(set) do
    list[#list + 1] = tag
  end
  table.sort(list)
  return list
end

--- resolved:rules(): the edge rules that still run.
--- @return wend.Rule[] rules copies: { name, mod, tags, at_least, fn }; those of a read-only view have no fn
function methods:rules()
  local state = check_self(self)
  local edges, list = state.kept[3], {}
  for at = 1, #edges, WIDTH do
    local tags = edges[at + 3]
    list[#list + 1] = {
      name = edges[at], mod = edges[at + 6] or nil, tags = tags and sorted_tags(tags) or nil, at_least = edges[at + 2],
      fn = not state.viewed and edges[at + 1] or nil,
    }
  end
  return list
end

-- Resolving again --------------------------------------------------------------------------------------------------

local function is_same_entry(a, b)
  if type(a) == "table" and type(b) == "table" then
    return a[1] == b[1] and a[2] == b[2]
  end
  return a == b
end

--- Whether two defaults are the same for tags that neither of them was asked about.
local function is_same_default(a, b)
  if has_functions(a) or has_functions(b) then
    return has_functions(a) and has_functions(b) -- what they return is kept by tag
  end
  return is_same_entry(a, b)
end

local function is_same_set(a, b)
  for tag in pairs(a) do
    if not b[tag] then
      return false
    end
  end
  for tag in pairs(b) do
    if not a[tag] then
      return false
    end
  end
  return true
end

local function are_same_edge_rules(a, b)
  if #a ~= #b then
    return false
  end
  for at = 1, #a, WIDTH do
    local x, y = a[at + 3], b[at + 3]
    if a[at] ~= b[at] or not rawequal(a[at + 1], b[at + 1]) or a[at + 2] ~= b[at + 2] or (x and true) ~= (y and true)
        or x and not is_same_set(x, y) then
      return false
    end
  end
  return true
end

--- The tags whose costs differ, and whether there are any.
local function differences(old, old_default, new)
  local list = {}
  for tag, entry in pairs(new) do
    local before = old[tag]
    if before == nil and not has_functions(old_default) then
      before = old_default
    end
    if before ~= nil and not is_same_entry(before, entry) then -- nil: nothing has used it
      list[#list + 1] = tag
    end
  end
  return list
end

--- resolved:refresh(): runs the tag functions again, with the profile as it is now and the same agent. Results that use
--- a tag whose cost has changed are then out of date. If a function raises, nothing changes.
--- @return wend.ResolvedCosts self
function methods:refresh()
  local state = check_self(self)
  if state.refreshing then
    check.fail("the costs are being refreshed already")
  end
  state.refreshing = true
  local ok, lists, entries = pcall(evaluate, state.base, state.agent, state.kept[1])
  state.refreshing = false
  if not ok then
    error(lists, 0)
  end
  local kept = state.kept
  local tags = differences(kept[1], kept[2], entries)
  local same_default, same_rules = is_same_default(kept[2], lists[2]), are_same_edge_rules(kept[3], lists[3])
  local now = kept[4]
  if #tags > 0 or not same_default or not same_rules then
    now = layers.changed(state)
    local valued = state[VALUED]
    for i = 1, #tags do
      valued[tags[i]] = -now
    end
    if not same_default then
      for tag in pairs(entries) do
        valued[tag] = valued[tag] or -1
      end
      state[VALUED_REST] = -now
    end
    if not same_rules then
      state[RULED_ALL] = now
    end
  end
  state.kept = { entries, lists[2], lists[3], now, kept[5], {} }
  state.made = lists[4]
  state[COMPILED] = false
  return self
end

-- The class --------------------------------------------------------------------------------------------------------

--- Reads a method, agent or base.
-- @param costs the methods of profiles
function resolved.index(state, key, costs)
  if methods[key] then
    return methods[key]
  elseif key == "agent" then
    return state.agent
  elseif key == "base" then
    return state.base
  elseif costs[key] then
    check.fail("resolved costs have no method %s: use that of the profile, resolved.base", check.describe(key))
  end
  return nil
end

function resolved.text(state)
  local tags = 0
  for _ in pairs(state.kept[1]) do
    tags = tags + 1
  end
  return ("wend.Costs (resolved, %d tags, %d rules)"):format(tags, #state.kept[3] / WIDTH)
end

return resolved
