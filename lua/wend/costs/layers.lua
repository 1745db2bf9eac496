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
--   layers         game, then the layers of the mods in no order: layers.in_order sorts them
--   by_mod         by name: the layer of a mod
--   plain          by tag: the layers whose value is not a function, in their order; and some without such a value:
--                  layers that were removed, and where memory ran out
--   default        a value as in a layer, or nil
--   base           the base profile, or nil; viewed: it is a read-only view
--   max_errors     a number, or nil
--   timing, max_instructions   the settings of this profile, or nil: those of the base profile (settings.lua)
--   edited         the time of the last edit of this profile, without changes of its settings
--   view           the read-only view of the profile, if there is one
--   times, times_most   how many times VALUED and RULED hold, and how many they may: see begin
--
-- A layer holds what the game, or one mod, has set:
--
--   mod       the name of the mod; false: the game
--   priority  of the mod
--   number    of the mod: a later mod has a larger number
--   place     its index in `layers`
--   values    a list of values as kinds.value makes them; at: by tag, the index in this list
--   own       the rules, in no order; own_at: by name and then by tag, or false, the index in this list
--   draft     while the mod is reloaded: { values, at, own, own_at }, which edits of the mod go into; otherwise false
--   removed   whether the mod was removed
--   handle    what costs:mod has returned for it
--
-- The order of the layers of mods is by priority, then by when they were loaded. That of the rules of a layer is by
-- priority, then by when they were added. Whoever needs the order sorts a copy. So an edit takes the same time however
-- many there are.
--
-- Memory may run out in the middle of an edit. So an edit first makes room: it stores `false`, or a time that changes
-- nothing, under each new key. Once something has changed, it only replaces what is there.
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

--- Empty lists of values and rules.
function layers.lists()
  return { values = {}, at = {}, own = {}, own_at = {} }
end

--- A new layer.
-- @param mod the name of a mod; false: the game
function layers.new(mod, priority)
  return {
    mod = mod, priority = priority, number = layers.next_number(), place = 1, draft = false, removed = false,
    handle = false, values = {}, at = {}, own = {}, own_at = {},
  }
end

--- A new state, with the layer of the game.
-- @param base the state of the base profile, or false
-- @param viewed whether the base profile is a read-only view
function layers.new_state(base, viewed)
  local game = layers.new(false, 0)
  return {
    false, 0, 0, base, false, 0, {}, -1, {}, 0, false,
    game = game, layers = { game }, by_mod = {}, plain = {}, viewed = viewed, times = 0, times_most = SPARE,
  }
end

--- Whether a layer applies before another one.
local function is_before(a, b)
  if not (a.mod and b.mod) then
    return not a.mod and b.mod
  elseif a.priority ~= b.priority then
    return a.priority < b.priority
  end
  return a.number < b.number
end

--- A copy of the list of layers, in order.
function layers.in_order(state)
  local list = layers.copy_of(state.layers)
  if list[3] then -- the first one is the game
    table.sort(list, is_before)
  end
  return list
end

local function comes_before(a, b)
  if a.priority ~= b.priority then
    return a.priority < b.priority
  end
  return a.number < b.number
end

--- A copy of a list of rules of one layer, in order.
local function rules_in_order(own)
  local list = layers.copy_of(own)
  table.sort(list, comes_before)
  return list
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

--- Begins an edit. If there are many times, those of tags that have no value any more are forgotten. The latest of them
--- then counts for all tags without a time: results may count as out of date too early, but never too late. Finalizers
--- may run here.
local function begin(state)
  if state.times <= state.times_most then
    return
  end
  local kept, values = {}, 0
  for i = 1, #state.layers do
    for k = 1, #state.layers[i].values do
      kept[state.layers[i].values[k].tag] = true
      values = values + 1
    end
  end
  if state.times > 2 * values + SPARE then
    local valued, ruled, times = state[VALUED], state[RULED], 0
    for tag, time in pairs(valued) do
      if kept[tag] then
        times = times + 1
      else
        state[VALUED_REST] = math.min(state[VALUED_REST], time)
        valued[tag] = nil
      end
    end
    for tag, time in pairs(ruled) do
      state[RULED_ALL] = math.max(state[RULED_ALL], time)
      ruled[tag] = nil
    end
    state.times = times
  end
  -- Counting all values again is worth it after as many edits.
  state.times_most = 2 * math.max(values, state.times) + SPARE
end

--- Notes a time for a tag.
-- @param list VALUED or RULED
-- @param time nil: only makes room
local function note_time(state, list, tag, time)
  local times = state[list]
  if times[tag] == nil then
    times[tag] = list == VALUED and state[VALUED_REST] or 0
    state.times = state.times + 1
  end
  if time then
    times[tag] = time
  end
end

--- The index in a sorted list of layers where a layer is, or where it belongs.
local function index_of(list, layer)
  local first, last = 1, #list
  while first <= last do
    local middle = math.floor((first + last) / 2)
    if is_before(list[middle], layer) then
      first = middle + 1
    else
      last = middle - 1
    end
  end
  return first
end

local function has_plain(layer, tag)
  local at = layer.at[tag]
  return at and not layer.values[at].fn
end

--- The last layer with a value of a tag that is not a function, or nil.
local function last_plain(state, tag)
  local list = state.plain[tag]
  while list and #list > 0 and not has_plain(list[#list], tag) do
    list[#list] = nil
  end
  return list and list[#list]
end

--- Takes the layers out of a list that have no value of a tag that is not a function.
local function drop_removed(list, tag)
  local kept = 0
  for i = 1, #list do
    if has_plain(list[i], tag) then
      kept = kept + 1
      list[kept] = list[i]
    end
  end
  for i = #list, kept + 1, -1 do
    list[i] = nil
  end
end

--- Makes room for noting a value.
-- @param list an empty table, in which the layers of this tag are kept if it is the first; nil: there is no new value
local function make_room(state, layer, value, tag, list)
  note_time(state, VALUED, tag, nil)
  if value and not value.fn then
    local plain = state.plain[tag] or list
    state.plain[tag] = plain
    if #plain > 2 * #state.layers then
      drop_removed(plain, tag)
    end
    local at = index_of(plain, layer)
    if plain[at] ~= layer then
      table.insert(plain, at, layer)
    end
  end
end

--- Notes the end of a value that is not a function.
-- @param stays whether the layer stays: it may move, so it is taken out at once
local function forget_plain(state, layer, tag, stays)
  local list = state.plain[tag]
  local at = stays and list and index_of(list, layer)
  if at and list[at] == layer then
    table.remove(list, at)
  end
  if not last_plain(state, tag) then
    state.plain[tag] = nil
  end
end

--- Notes that the value of a tag has changed in a layer, unless a later layer hides it: one with a value that is not a
--- function.
local function note_value(state, layer, tag, time)
  local last = last_plain(state, tag)
  if not (last and is_before(layer, last)) then
    note_time(state, VALUED, tag, last and time or -time)
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
  elseif time then
    state[RULED_ALL] = time
  end
end

--- The index of a rule of this name and tag in the lists of a layer, or nil.
-- @param tag nil: a rule about edges
local function find_rule(lists, name, tag)
  local of_name = lists.own_at[name]
  return of_name and of_name[tag or false] or nil
end

--- Notes the time of an added or removed rule. An edge rule hides inherited edge rules of the same mod and name, which
--- may apply to other tags: these change as well.
-- @param time nil: only makes room
local function note_rule(state, rule, time)
  local base = rule.on_edges and state[BASE]
  note_tags(state, rule, time)
  while base do
    local layer = not rule.layer.mod and base.game or base.by_mod[rule.layer.mod]
    local at = layer and find_rule(layer, rule.name, nil)
    if at then
      note_tags(state, layer.own[at], time)
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
  if value and at then
    values[at] = value
  elseif value then
    lists.at[tag] = false
    values[#values + 1] = value
    lists.at[tag] = #values
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
-- @param value a value as kinds.value makes it, or nil
function layers.set(state, layer, tag, value)
  local list = {}
  begin(state)
  local lists = layer.draft or layer
  if value then
    value.layer = layer
  end
  if lists ~= layer then
    put(lists, tag, value)
    return
  end
  local at = layer.at[tag]
  local old = at and layer.values[at] or nil
  if differ(old, value) then
    make_room(state, layer, value, tag, list)
    put(layer, tag, value)
    if old and not old.fn and not has_plain(layer, tag) then
      forget_plain(state, layer, tag, true)
    end
    note_value(state, layer, tag, changed(state))
  elseif value then
    value.number, value.spent = old.number, old.spent -- the compiled lists know the function by this number
    put(layer, tag, value)
  end
end

--- Sets the value of a tag in a profile that is being made.
function layers.begin_with(state, tag, value)
  value.layer = state.game
  make_room(state, state.game, value, tag, {})
  put(state.game, tag, value)
  note_value(state, state.game, tag, 1)
end

--- The value of a tag in one layer; nil: there is none.
function layers.get(layer, tag)
  local lists = layer.draft or layer
  local at = lists.at[tag]
  return at and lists.values[at] or nil
end

-- Rules ------------------------------------------------------------------------------------------------------------

--- Adds a rule to a layer. It replaces a rule of the same name and tag.
function layers.add_rule(state, layer, rule)
  local of_name = {}
  begin(state)
  rule.layer, rule.number = layer, layers.next_number()
  local lists = layer.draft or layer
  local own, tag = lists.own, rule.tag or false
  of_name = lists.own_at[rule.name] or of_name
  lists.own_at[rule.name] = of_name
  local at = of_name[tag]
  local old = at and own[at] or nil
  if lists == layer then
    note_rule(state, rule, nil)
    if old then
      note_rule(state, old, nil)
    end
  end
  if old then
    own[at] = rule
  else
    of_name[tag] = false
    own[#own + 1] = rule
    of_name[tag] = #own
  end
  if lists == layer then
    local now = changed(state)
    if old then
      note_rule(state, old, now) -- of rules about edges, it may be about other tags
    end
    note_rule(state, rule, now)
  end
end

--- Removes all rules of a name from a layer.
function layers.remove_rules(state, layer, name)
  begin(state)
  local lists = layer.draft or layer
  local own, of_name = lists.own, lists.own_at[name]
  if not of_name then
    return
  end
  for _, at in pairs(of_name) do
    if at and lists == layer then
      note_rule(state, own[at], nil)
    end
  end
  local now = lists == layer and changed(state)
  for tag in pairs(of_name) do
    local at = of_name[tag] -- the rules before have moved others
    if at then
      local old, last = own[at], own[#own]
      own[at], lists.own_at[last.name][last.tag or false] = last, at
      own[#own], of_name[tag] = nil, false
      if now then
        note_rule(state, old, now)
      end
    end
  end
  lists.own_at[name] = nil
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
    chain[#chain + 1] = layers.in_order(state)
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
  return state.by_mod[name] or nil
end

--- Adds the layer of a mod, unless there is one of this name.
-- @return the layer of this name
function layers.add(state, layer)
  local found = layers.of_mod(state, layer.mod)
  if not found then
    local list = state.layers
    state.by_mod[layer.mod] = false
    list[#list + 1] = layer
    layer.place, state.by_mod[layer.mod] = #list, layer
  end
  return found or layer
end

local function take_out(state, layer)
  local list = state.layers
  local last = list[#list]
  list[layer.place], last.place = last, layer.place
  list[#list], state.by_mod[layer.mod] = nil, nil
end

--- Changes the priority of a mod, and with it the place of what it has set.
function layers.move(state, layer, priority)
  begin(state)
  for i = 1, #layer.values do
    note_time(state, VALUED, layer.values[i].tag, nil)
  end
  for i = 1, #layer.own do
    note_rule(state, layer.own[i], nil)
  end
  local now, old = changed(state), layer.priority
  for i = 1, #layer.values do
    local tag = layer.values[i].tag
    local list = has_plain(layer, tag) and state.plain[tag]
    if list then
      table.remove(list, index_of(list, layer))
      layer.priority = priority
      table.insert(list, index_of(list, layer), layer)
      layer.priority = old
    end
    note_time(state, VALUED, tag, last_plain(state, tag) and now or -now)
  end
  layer.priority = priority
  for i = 1, #layer.own do
    note_rule(state, layer.own[i], now)
  end
end

--- Replaces all values and rules of a layer. Only tags whose values or rules differ change.
-- @param lists as layers.lists makes them
-- @param stays whether the layer stays
local function replace(state, layer, lists, stays)
  -- 1. Rules that begin both lists alike, in order, do not change. A finalizer may run here, and edit the layer.
  local same, plain, values, own = {}, {}, lists.values, lists.own
  local before, after = rules_in_order(layer.own), rules_in_order(own)
  for i = 1, math.min(#before, #after) do
    if not is_same_rule(before[i], after[i]) then
      break
    end
    same[before[i]], same[after[i]] = true, true
  end
  for i = 1, #values do
    plain[i] = {}
  end
  begin(state)
  -- 2. Room for all that is noted.
  local old_values, old_at, old_own = layer.values, layer.at, layer.own
  for i = 1, #old_values do
    note_time(state, VALUED, old_values[i].tag, nil)
  end
  for i = 1, #values do
    make_room(state, layer, values[i], values[i].tag, plain[i])
  end
  for i = 1, #old_own do
    note_rule(state, old_own[i], nil)
  end
  for i = 1, #own do
    note_rule(state, own[i], nil)
  end
  -- 3. The change.
  local now, at = changed(state), lists.at
  layer.values, layer.at, layer.own, layer.own_at = values, at, own, lists.own_at
  for i = 1, #old_values do
    local old, tag = old_values[i], old_values[i].tag
    if not old.fn and not has_plain(layer, tag) then
      forget_plain(state, layer, tag, stays)
    end
    if differ(old, at[tag] and values[at[tag]]) then
      note_value(state, layer, tag, now)
    end
  end
  for i = 1, #values do
    if not old_at[values[i].tag] then
      note_value(state, layer, values[i].tag, now)
    end
  end
  for i = 1, #old_own do
    if not same[old_own[i]] then
      note_rule(state, old_own[i], now)
    end
  end
  for i = 1, #own do
    if not same[own[i]] then
      note_rule(state, own[i], now)
    end
  end
end

function layers.replace(state, layer, lists)
  replace(state, layer, lists, true)
end

--- Removes the layer of a mod, with all that it has set.
-- @param empty as layers.lists makes them
function layers.drop(state, layer, empty)
  replace(state, layer, empty, false)
  if not layer.removed then -- a finalizer may have done so
    take_out(state, layer)
    layer.removed = true
  end
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
