-- SPDX-License-Identifier: MIT
-- The state of a cost profile: the values and rules of the game and of each mod, in layers; and when they were edited.
--
-- The state is a table that only the files of this folder, ../costs.lua and src/lua/base/costs.c can reach. So a
-- script cannot put a wrong value into it, and the core need not check it again. It is a list, which C reads, and named
-- fields:
--
--   [COMPILED]     the compiled lists, or false
--   [COMPILED_AT]  the time of the last edit before they were made
--   [CHANGED_AT]   the time of the last edit of this profile
--   [BASE]         the state of the base profile, or false
--   [ON_ERROR]     a function, or false
--   [NUMBER]       identifies the profile: the time when it was made
--   [VALUED]       by tag: the time when its value was last changed; negative if the value that the base profile gives
--                  still counts: there is no value, or only functions. Each value has a time
--   [VALUED_REST]  the same for tags without a time
--   [RULED]        by tag: the time when a rule that applies to it was last added or removed
--   [RULED_ALL]    the same for rules that apply to all tags and to what has no tag
--   [RESOLVED]     true: these are resolved costs (resolved.lua), and [BASE] is the profile that was resolved
--   game           the layer of the game
--   layers         game, then the layers of the mods in their order: by priority, then by when they were loaded
--   default        a value as in a layer, or nil
--   base           the base profile, or nil; viewed: it is a read-only view
--   max_errors     a number, or nil
--   timing, max_instructions   the settings of this profile, or nil: those of the base profile (settings.lua)
--   edited         the time of the last edit of this profile, without changes of its settings
--   view           the read-only view of the profile, if there is one
--   times          how many times VALUED and RULED hold; see note_time
--
-- A layer holds what the game, or one mod, has set:
--
--   mod       the name of the mod; false: the game
--   priority  of the mod
--   number    of the mod: a later mod has a larger number
--   values    a list of values as new_value (../costs.lua) makes them; at: by tag, the index in this list
--   own       the rules, sorted by priority, then by the order in which they were added
--   draft     while the mod is reloaded: { values, at, own }, which edits of the mod go into; otherwise false
--   removed   whether the mod was removed
--   handle    what costs:mod has returned for it
--
-- Values and rules have the fields `layer` and `number`; `errors`, how many times the function has failed; and
-- `asleep`: the function is left out, because it has failed too often. With costs.timing, `spent` is what it has used.
--
-- A time is the number of an edit: one clock counts the edits of all profiles. A result keeps the time at which its
-- costs were compiled. It is out of date if a tag that it uses has a later time, here or in a base profile. C compares
-- the times: lwend_costs_changed_tags.
--
-- A finalizer may edit a profile even while it is compiled. So values and rules are never changed once they are in
-- these lists (except `errors`, `asleep` and `spent`), and a loop that allocates iterates over a copy of its list. A
-- finalizer cannot run in the middle of an edit or of copying: Lua's collector runs where an object is made, not where
-- a table grows. In compiled code of LuaJIT it also runs where a trace ends, so these functions are not compiled there.
local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end

-- As in src/lua/base/costs.c.
local COMPILED, CHANGED_AT, BASE, VALUED, VALUED_REST, RULED, RULED_ALL = 1, 3, 4, 7, 8, 9, 10

local SPARE = 1000 -- so many times of tags without a value are kept at least

local layers = {}

local number = 0    -- the newest number of a rule, a function or a layer
local clock = { 0 } -- the number of edits of all profiles; C reads it
layers.clock = clock

function layers.next_number()
  number = number + 1
  return number
end

function layers.copy_of(list)
  local copy = {}
  for i = 1, #list do
    copy[i] = list[i]
  end
  return copy
end

--- A new layer.
-- @param mod the name of a mod; false: the game
function layers.new(mod, priority)
  return {
    mod = mod, priority = priority, number = layers.next_number(), values = {}, at = {}, own = {}, draft = false,
    removed = false, handle = false,
  }
end

-- Times ------------------------------------------------------------------------------------------------------------

--- Notes an edit. The compiled lists of this profile, and of those that inherit from it, are then out of date.
-- @return the time of the edit
function layers.changed(state)
  local now = clock[1] + 1
  clock[1] = now
  state[COMPILED], state[CHANGED_AT], state.edited = false, now, now
  return now
end
local changed = layers.changed

--- Notes a change of a setting. The compiled lists are out of date, but no cost has changed.
function layers.changed_setting(state)
  local now = clock[1] + 1
  clock[1] = now
  state[COMPILED], state[CHANGED_AT] = false, now
end

local function has_value(state, tag)
  for i = 1, #state.layers do
    if state.layers[i].at[tag] then
      return true
    end
  end
  return false
end

--- Forgets the times of tags that have no value any more. The latest of them then counts for all tags without a time:
--- results may count as out of date too early, but never too late.
local function forget_times(state)
  local valued, ruled, kept = state[VALUED], state[RULED], 0
  for tag, time in pairs(valued) do
    if has_value(state, tag) then
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
    local values = 0
    for i = 1, #state.layers do
      values = values + #state.layers[i].values
    end
    state.times = state.times + 1
    if state.times > 2 * values + SPARE then
      forget_times(state)
      state.times = state.times + 1
    end
  end
  times[tag] = time
end

--- Notes a new value of a tag, unless a later layer hides it: one with a value that is not a function.
-- @param layer the layer of the value; nil: not known, so nothing hides it
local function note_value(state, layer, tag, time)
  if not state.layers[2] then -- there are no mods
    local at = state.game.at[tag]
    return note_time(state, VALUED, tag, at and not state.game.values[at].fn and time or -time)
  end
  local past, plain, hidden = false, false, false
  for i = 1, #state.layers do
    local one = state.layers[i]
    local at = one.at[tag]
    if at and not one.values[at].fn then
      plain, hidden = true, hidden or past
    end
    past = past or one == layer
  end
  if not hidden then
    note_time(state, VALUED, tag, plain and time or -time)
  end
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

--- Notes the time of an added or removed rule. An edge rule hides inherited edge rules of the same mod and name, which
--- may apply to other tags: these change as well.
local function note_rule(state, rule, time)
  local base = rule.on_edges and state[BASE]
  note_tags(state, rule, time)
  while base do
    for i = 1, #base.layers do
      local own = base.layers[i].mod == rule.layer.mod and base.layers[i].own
      for k = 1, own and #own or 0 do
        if own[k].on_edges and own[k].name == rule.name then
          note_tags(state, own[k], time)
        end
      end
    end
    base = base[BASE]
  end
end

-- Values -----------------------------------------------------------------------------------------------------------

--- Puts a value into the lists of a layer, or with nil removes the value of a tag. The last value of the list moves to
--- its index.
-- @return the old value, or nil
local function put(lists, tag, value)
  local values, at = lists.values, lists.at[tag]
  local old = at and values[at] or nil
  if value then
    at = at or #values + 1
    values[at], lists.at[tag] = value, at
  elseif at then
    local last = values[#values]
    values[at], lists.at[last.tag] = last, at
    values[#values], lists.at[tag] = nil, nil
  end
  return old
end

--- Whether two values, or nil, differ for a search. A function that sleeps differs from the same function awake.
local function differ(old, new)
  if old and new then
    return old.times ~= new.times or old.plus ~= new.plus or not rawequal(old.fn, new.fn) or old.asleep
  end
  return old ~= new
end

--- Sets or removes the value of a tag.
-- @param value a value as new_value makes it, or nil
function layers.set(state, layer, tag, value)
  local lists = layer.draft or layer
  if value then
    value.layer = layer
  end
  local old = put(lists, tag, value)
  if lists ~= layer then
    return
  elseif differ(old, value) then
    note_value(state, layer, tag, changed(state))
  elseif value then
    value.number, value.spent = old.number, old.spent -- the compiled lists know the function by this number
  end
end

--- Sets the value of a tag in a profile that is being made.
function layers.begin_with(state, tag, value)
  value.layer = state.game
  put(state.game, tag, value)
  note_time(state, VALUED, tag, value.fn and -1 or 1)
end

--- The value of a tag in one layer; nil: there is none.
function layers.get(layer, tag)
  local lists = layer.draft or layer
  local at = lists.at[tag]
  return at and lists.values[at] or nil
end

-- Rules ------------------------------------------------------------------------------------------------------------

--- Adds a rule to the sorted list of a layer. It replaces a rule of the same name and tag.
function layers.add_rule(state, layer, rule)
  local lists = layer.draft or layer
  local rules, at, now = lists.own, 1, lists == layer and changed(state)
  rule.layer, rule.number = layer, layers.next_number()
  for i = #rules, 1, -1 do
    if rules[i].name == rule.name and rules[i].tag == rule.tag then
      local old = table.remove(rules, i)
      if now and old.on_edges then -- otherwise both are about the same tag
        note_rule(state, old, now)
      end
    end
  end
  while rules[at] and rules[at].priority <= rule.priority do
    at = at + 1
  end
  table.insert(rules, at, rule)
  if now then
    note_rule(state, rule, now)
  end
end

--- Removes all rules of a name from a layer.
function layers.remove_rules(state, layer, name)
  local lists = layer.draft or layer
  local rules = lists.own
  for i = #rules, 1, -1 do
    if rules[i].name == name then
      local old = table.remove(rules, i)
      if lists == layer then
        note_rule(state, old, changed(state))
      end
    end
  end
end

local function same_tags(a, b)
  if not (a and b) then
    return a == b
  end
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

local function is_same_rule(a, b)
  return a.name == b.name and a.tag == b.tag and rawequal(a.fn, b.fn) and a.priority == b.priority
    and a.at_least == b.at_least and same_tags(a.tags, b.tags) and not a.asleep
end

--- All rules that apply, including inherited ones, in the order in which they apply: rules about tags first. A rule
--- hides an inherited rule of the same mod, name and tag.
function layers.rules(state)
  if not (state[BASE] or state.layers[2] or state.game.own[1]) then
    return {} -- the short way for a profile without rules
  end
  local list, hidden, chain, rank, ranks = {}, {}, {}, {}, 0
  while state do
    chain[#chain + 1] = layers.copy_of(state.layers)
    for _, layer in ipairs(chain[#chain]) do
      local mod = layer.mod and #layer.mod .. ":" .. layer.mod or ""
      for _, rule in ipairs(layers.copy_of(layer.own)) do
        local key = mod .. "\0" .. #rule.name .. ":" .. rule.name .. (rule.tag or "")
        if hidden[key] == nil or hidden[key] == state then
          hidden[key] = state
          list[#list + 1] = rule
        end
      end
    end
    state = state[BASE]
  end
  for i = #chain, 1, -1 do
    for k, layer in ipairs(chain[i]) do
      ranks = ranks + 1
      rank[layer] = k == 1 and 0 or ranks -- what the game has set comes first, whatever it inherits
    end
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

-- Layers -----------------------------------------------------------------------------------------------------------

--- The layer of a mod, or nil.
function layers.of_mod(state, name)
  for i = 2, #state.layers do
    if state.layers[i].mod == name then
      return state.layers[i]
    end
  end
  return nil
end

--- Where a mod of this priority and number belongs.
local function place_of(list, layer)
  local at = 2
  while list[at] and (list[at].priority < layer.priority
      or list[at].priority == layer.priority and list[at].number < layer.number) do
    at = at + 1
  end
  return at
end

local function put_in(state, layer)
  table.insert(state.layers, place_of(state.layers, layer), layer)
end

--- Adds the layer of a mod, unless there is one of this name.
-- @return the layer of this name
function layers.add(state, layer)
  local found = layers.of_mod(state, layer.mod)
  if not found then
    put_in(state, layer)
  end
  return found or layer
end

local function take_out(state, layer)
  for i = #state.layers, 2, -1 do
    if state.layers[i] == layer then
      table.remove(state.layers, i)
    end
  end
end

--- Changes the priority of a mod, and with it the place of what it has set.
function layers.move(state, layer, priority)
  local now = changed(state)
  take_out(state, layer)
  layer.priority = priority
  put_in(state, layer)
  for i = 1, #layer.values do
    note_value(state, nil, layer.values[i].tag, now)
  end
  for i = 1, #layer.own do
    note_rule(state, layer.own[i], now)
  end
end

--- Replaces all values and rules of a layer. Only tags whose values or rules differ change.
-- @param lists { values, at, own }
function layers.replace(state, layer, lists)
  local old_values, old_at, old_own = layer.values, layer.at, layer.own
  local values, at, own = lists.values, lists.at, lists.own
  local now, first = changed(state), 1
  layer.values, layer.at, layer.own = values, at, own
  for i = 1, #old_values do
    local tag = old_values[i].tag
    if differ(old_values[i], at[tag] and values[at[tag]]) then
      note_value(state, layer, tag, now)
    end
  end
  for i = 1, #values do
    if not old_at[values[i].tag] then
      note_value(state, layer, values[i].tag, now)
    end
  end
  while own[first] and old_own[first] and is_same_rule(old_own[first], own[first]) do
    first = first + 1
  end
  for i = first, #old_own do
    note_rule(state, old_own[i], now)
  end
  for i = first, #own do
    note_rule(state, own[i], now)
  end
end

--- Removes the layer of a mod, with all that it has set.
-- @param empty { values, at, own }, all empty
function layers.drop(state, layer, empty)
  layers.replace(state, layer, empty)
  take_out(state, layer)
  layer.removed = true
end

-- Failures ---------------------------------------------------------------------------------------------------------

--- The rule, or the value that is a function, with this number; nil: it is gone.
local function find(state, wanted)
  local default = state.default
  for i = 1, #state.layers do
    local values, own = state.layers[i].values, state.layers[i].own
    for k = 1, #values do
      if values[k].number == wanted then
        return values[k]
      end
    end
    for k = 1, #own do
      if own[k].number == wanted then
        return own[k]
      end
    end
  end
  return default and default.number == wanted and default or nil
end

--- Counts a failure of a function. If it has failed max_errors times, it sleeps. Sleeping changes the costs of no
--- result: a search whose function fails goes on without it in any case. max_errors: of the profile that has the rule,
--- or of the nearest profile that it inherits from. What is inherited through a read-only view is not counted: its
--- owner decides.
function layers.count_failure(state, wanted)
  local found
  while state do
    found = find(state, wanted)
    if found or state.viewed then break end
    state = state[BASE]
  end
  if not found then
    return
  end
  local owner, most = state, state.max_errors
  while not most and state[BASE] do
    state = state[BASE]
    most = state.max_errors
  end
  found.errors = (found.errors or 0) + 1
  if most and found.errors >= most and not found.asleep then
    found.asleep = true
    changed(owner)
  end
end

return layers
