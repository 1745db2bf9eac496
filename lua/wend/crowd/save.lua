-- SPDX-License-Identifier: MIT
-- Crowds as bytes. The core writes walkers, their plans, walls and time (src/core/crowd/save.c). This file adds what
-- the core does not know, as one plain table of data (src/lua/level.c describes such data):
--
--   version, max_steps, budget   as in the crowd. budget: absent if the script has a queue of its own; 0: no limit
--   kind, map     "grid" or "graph"; the text by which saved games know the map (src/lua/saved.c)
--   left, top, unit   where cell (1, 1) of the grid begins, and its width. `map` tells the rest of its frame
--   groups        names of groups, in the order of their bits
--   walls         the encoded walls, with a graph: its plans need them
--   costs, speeds true: it has a profile; its factors by tag, or "costs"
--   walkers       a table for each walker: see pack_walker
--   lost          ids of walkers that are lost, and of which on_lost was not told yet
--   fields        the encoded fields that lead walkers
--
-- Not saved: other data, the functions of the crowd, and the contents of the queue. Profiles, agents and targets of the
-- script come from the option `walker`. Plans that are under way begin again in both crowds, after the next step. So a
-- crowd gets a new queue of its own when it is encoded: a field that the old one works on would go on to answer plans.

local core = require "wend.core"
local check = require "wend.check"
local level = require "wend.level"
local plan = require "wend.crowd.plan"
local queue = require "wend.queue"
local settings = require "wend.crowd.settings"
local walker = require "wend.crowd.walker"
local plain = require "wend.state.plain"
local once = require "wend.once"

local raw = plan.raw
local STEPS_MOST, GROUPS_MOST = walker.STEPS_MOST, settings.GROUPS_MOST
local huge = math.huge

local VERSION = 3
local NUMBER_MAX = 1.7976931348623157e308
local WHOLE_MAX = 2 ^ 53
local OPTIONS = { "map", "walls", "costs", "walker",
  kinds = { map = check.MAP, walls = settings.WALLS, costs = check.COSTS, walker = check.FUNCTION } }
local GIVEN = { "agent", "costs", "speeds", "field", "target" }   -- what the option `walker` may return
local KEYS = { version = true, max_steps = true, budget = true, kind = true, map = true, left = true, top = true,
  unit = true, groups = true, walls = true, walkers = true, lost = true, fields = true, costs = true, speeds = true }
local WALKER_KEYS = { id = true, reason = true, code = true, path = true, data = true, speeds = true, agent = true,
  costs = true, order = true }
local ORDER_KEYS = { x = true, y = true, partial = true, closed_goal = true, failed = true, edited = true, other = true,
  field = true, own = true, target = true, distance = true, angle = true,
  aside_x = true, aside_y = true, reached = true, told = true, wait = true, tries = true }

local save = {}

-- Writing ----------------------------------------------------------------------------------------------------------

--- The order of a walker as data: its options and
--   x, y       the goal
--   failed     steps until it may be tried again; edited: the map has changed since; other: its costs or agent have
--   field      the index of the field, if it still needs it; 0: it does not. own: the field has costs of its own
--   target     the id of the walker that it chases; 0: something else; and the rest that chase.lua has of it
local function pack_order(one, fields)
  local order, crowd = one._order, one._crowd
  if not order then return nil end
  local made = { partial = order.partial, closed_goal = order.closed_goal, distance = order.distance,
    angle = order.angle and plain.put(order.angle) }
  if order.x then made.x, made.y = plain.put(order.x), plain.put(order.y) end
  if order.failed then
    made.failed = math.max(order.failed - crowd._steps, 0)
    made.edited = order.version ~= raw.version(crowd._handle) or nil
  end
  if order.target then
    local target = order.target
    local member = core.type(target) == "walker" and target._crowd == crowd
    made.target = member and target._id or 0
    made.reached, made.told, made.wait, made.tries = order.reached, order.told, order.wait, order.tries
    if order.aside_x then made.aside_x, made.aside_y = plain.put(order.aside_x), plain.put(order.aside_y) end
  elseif order.field then
    made.field = 0
    local state = one.state
    if state == "moving" or state == "stuck" then
      made.own = (order.made_costs ~= plan.costs_of(one) or order.made_agent ~= one._agent) or nil
      if not fields[order.field] then
        local bytes = order.field ~= plan.STALE_FIELD and check.call(order.field.encode, order.field)
        fields.n = fields.n + 1
        fields[order.field], fields.list[fields.n] = fields.n, bytes or ""      -- "": it is out of date
      end
      made.field = fields[order.field]
    end
  elseif order.costs ~= plan.costs_of(one) or order.agent ~= one._agent then
    made.other = true
  end
  return made
end

--- A walker as data: id; reason and code, if it is lost; data, if it is a string, a number or a boolean; on a graph the
-- path that it follows, encoded; speeds; agent, costs: true if it has its own; its order.
local function pack_walker(one, kind, fields)
  local data = one.data
  local whole = type(data) == "number" and math.abs(data) < huge and data + 0.0 == data
  if not (type(data) == "string" or type(data) == "boolean" or whole) then data = nil end
  local path = kind == "graph" and one._path and one._path:encode() or nil
  return { id = one._id, reason = one._message or nil, code = one._code or nil, path = path, data = data,
    speeds = one._speeds, agent = one._agent ~= nil or nil, costs = one._costs ~= nil or nil,
    order = pack_order(one, fields) }
end

--- Those who wait for their turn read their fields now: the file has the fields of those who have read them.
local function read_fields(crowd)
  local one, id = raw.wants(crowd._handle)
  while one do
    if one._order and one._order.field then plan.ask(one) end
    one, id = raw.wants(crowd._handle, id)
  end
  crowd._spent, crowd._asked = 0, false
end

--- Plans of the crowd's own queue begin again.
local function begin_again(crowd)
  for one in crowd:each() do one._request = false end
  raw.replan(crowd._handle)
  crowd._queue = queue.new()
end

--- Encodes a crowd.
-- @return a string
function save.encode(crowd)
  local handle, kind, budget = crowd._handle, crowd._kind, crowd._budget
  plan.note_edits(crowd)
  check.call(raw.note_edits, handle)
  if kind then read_fields(crowd) end
  if budget == huge then budget = 0 end
  local fields = { n = 0, list = {} }
  local made = { version = VERSION, max_steps = crowd._max_steps, budget = budget or nil, kind = kind or nil,
    groups = {}, walkers = {}, lost = {}, fields = fields.list, costs = crowd._costs ~= nil or nil,
    speeds = crowd._speeds }
  if kind then made.map = once.map_text(crowd._map) end
  local left, top, unit = raw.places(handle)
  made.left, made.top, made.unit = plain.put(left), plain.put(top), unit
  for name, number in next, crowd._groups do
    if name ~= 0 then made.groups[number + 1] = name end
  end
  if kind == "graph" and crowd._walls then made.walls = crowd._walls:encode() end
  for one in crowd:each() do made.walkers[#made.walkers + 1] = pack_walker(one, kind, fields) end
  for i = 1, crowd._count, 2 do
    local one = crowd._events[i]
    if one._message and raw.has(handle, one._id) then made.lost[#made.lost + 1] = one._id end
  end
  if budget and kind then begin_again(crowd) end
  return (check.call(raw.encode, handle, level.pack_data(made, "the crowd")))
end

-- Reading ----------------------------------------------------------------------------------------------------------

--- The path of a graph that a walker follows; false: none.
local function read_path(one, given)
  local crowd = one._crowd
  if given == nil then return false end
  if type(given) ~= "string" or crowd._kind ~= "graph" then plain.damaged "path" end
  local path = core.decode(given, { map = crowd._map, costs = plan.costs_of(one), agent = one._agent })
  return core.type(path) == "path" and path or plain.damaged "path"
end

--- The factors of the speed by tag, or "costs"; nil: none.
local function read_speeds(given, kind)
  local speeds = rawget(given, "speeds")
  if speeds == nil or speeds == "costs" and kind == "grid" then return speeds end
  if type(speeds) ~= "table" or kind ~= "grid" then plain.damaged "speeds" end
  local factors = {}
  for tag in next, speeds do
    if type(tag) ~= "string" then plain.damaged "speeds" end
    factors[tag] = plain.number(speeds, tag, NUMBER_MAX)
    if factors[tag] < 0 then plain.damaged "speeds" end
  end
  return factors
end

--- Reads a walker, and adds it to the walkers of the crowd.
local function read_walker(given, crowd)
  plain.check_keys(given, "walkers", WALKER_KEYS)
  local id, data = plain.whole(given, "id", 1, WHOLE_MAX), rawget(given, "data")
  local walkers, handle = crowd._walkers, crowd._handle
  if walkers[id] or not raw.has(handle, id) then plain.damaged "id" end
  if type(data) == "table" then plain.damaged "data" end
  local one = walker.bare(crowd)
  one._id, one.data, one._speeds = id, data, read_speeds(given, crowd._kind)
  one._message, one._code = plain.text(given, "reason") or false, plain.text(given, "code") or false
  walkers[id] = setmetatable(one, walker.metatable)
  settings.name_groups(one)
end

--- Reads the order of a walker. Its field and its target follow.
local function read_order(one, given)
  if given == nil then return false end
  plain.check_keys(given, "order", ORDER_KEYS)
  local crowd = one._crowd
  local order = { costs = plan.costs_of(one), agent = one._agent, partial = plain.flag(given, "partial") or nil,
    closed_goal = plain.flag(given, "closed_goal") or nil }
  order.reached, order.told = plain.flag(given, "reached") or nil, plain.flag(given, "told") or nil
  for _, name in ipairs { "x", "y", "distance", "angle", "aside_x", "aside_y", "wait", "tries" } do
    if rawget(given, name) ~= nil then order[name] = plain.number(given, name, NUMBER_MAX) end
  end
  if rawget(given, "failed") ~= nil then
    order.failed = crowd._steps + plain.whole(given, "failed", 0, WHOLE_MAX)
    order.version = not plain.flag(given, "edited") and raw.version(crowd._handle)
  end
  if plain.flag(given, "other") then order.costs = false end
  return order
end

--- The field that leads a walker. given: what the script says.
local function read_field(one, order, bytes, given)
  local crowd, index = one._crowd, plain.whole(order, "field", 0, #bytes)
  if crowd._kind ~= "grid" then plain.damaged "field" end
  if given ~= nil then
    check.call(raw.takes, crowd._handle, given)
    return given
  elseif index == 0 or bytes[index] == "" then
    return plan.STALE_FIELD
  end
  local field = core.decode(bytes[index], { map = crowd._map, costs = plan.costs_of(one), agent = one._agent })
  return core.type(field) == "field" and field or plain.damaged "fields"
end

--- Asks the script for what a walker had, and gives it to the walker.
-- @param fn the option `walker`, or nil
local function ask_script(one, given, bytes, fields, fn, number)
  local answer = fn and fn(one)
  if answer ~= nil then
    if type(answer) ~= "table" then
      check.fail("walker must return a table or nil, got %s", check.describe(answer))
    end
    check.options(answer, GIVEN)
  end
  answer = answer or {}
  local order = rawget(given, "order")
  local function need(what)
    check.fail("walker %d had %s: the option walker must return it", number, what)
  end
  if plain.flag(given, "agent") and answer.agent == nil then need "an agent" end
  if plain.flag(given, "costs") and answer.costs == nil then need "costs of its own" end
  settings.check_costs(answer.costs)
  local own = settings.read_speeds(one._crowd._kind, answer.speeds)
  one._agent, one._costs = answer.agent, answer.costs
  if own ~= nil then one._speeds = own end
  if one._order or not raw.has(one._handle, one._id) then return end   -- the function gave an order, or removed it
  one._order = read_order(one, order)
  if order and rawget(order, "field") ~= nil then
    if plain.flag(order, "own") and answer.field == nil then need "a field with costs of its own" end
    local index = rawget(order, "field")
    local known = answer.field == nil and fields[index]
    one._order.field = known or read_field(one, order, bytes, answer.field)
    if answer.field == nil then fields[index] = one._order.field end
    if not plain.flag(order, "own") then
      one._order.made_costs, one._order.made_agent = plan.costs_of(one), one._agent
    end
  end
  if order and rawget(order, "target") ~= nil then
    local id = plain.whole(order, "target", 0, WHOLE_MAX)
    local target = answer.target
    if target == nil and id > 0 then target = one._crowd._walkers[id] or {} end    -- {}: it was removed
    if target == nil then need "a target" end
    one._order.target, one._crowd._chasing = target, true
    plan.note_target(one, target)
  end
  one._path = read_path(one, rawget(given, "path"))
  if own ~= nil then plan.pace(one) end
end

--- Fills a crowd that has no walkers in Lua yet.
local function fill(crowd, data, fn)
  local groups, names = crowd._groups, plain.names(data, "groups")
  if #names > GROUPS_MOST then plain.damaged "groups" end
  for i, name in ipairs(names) do
    if type(name) ~= "string" or groups[name] then plain.damaged "groups" end
    groups[name] = i - 1
  end
  groups[0] = #names
  local list, fields = rawget(data, "walkers"), rawget(data, "fields")
  if type(list) ~= "table" or check.length(list) ~= raw.count(crowd._handle) then plain.damaged "walkers" end
  if type(fields) ~= "table" then plain.damaged "fields" end
  local bytes = {}
  for i = 1, check.length(fields) do
    bytes[i] = type(fields[i]) == "string" and fields[i] or plain.damaged "fields"
  end
  for i = 1, check.length(list) do read_walker(rawget(list, i), crowd) end
  local read = {}
  for i = 1, check.length(list) do
    local one = crowd._walkers[list[i].id]              -- nil: a function has removed it
    if one then
      crowd._paced = crowd._paced or plan.speeds_of(one) ~= nil
      ask_script(one, list[i], bytes, read, fn, i)
      -- The tags of this map may have other numbers.
      if type(plan.speeds_of(one)) == "table" and raw.has(crowd._handle, one._id) then plan.pace(one) end
    end
  end
  for _, id in ipairs(plain.wholes(data, "lost", 1, WHOLE_MAX) or plain.damaged "lost") do
    plan.note(crowd, crowd._walkers[id] or plain.damaged "lost", plan.LOST)
  end
  return crowd
end

--- Makes the crowd of its data. Returns the crowd; or false: it belongs to another map.
local function read(data, assemble, default_budget, handle, walkers, options)
  plain.check_keys(data, "data", KEYS)
  if plain.whole(data, "version", 0, WHOLE_MAX) ~= VERSION then plain.damaged "version" end
  local map, kind = options.map, plain.text(data, "kind")
  if kind and map == nil then return nil end
  if (map and core.type(map) or nil) ~= kind or kind and once.map_text(map) ~= plain.text(data, "map") then
    return false
  end
  local left, top, unit = raw.places(handle)
  if plain.number(data, "left", NUMBER_MAX) ~= left or plain.number(data, "top", NUMBER_MAX) ~= top
    or plain.number(data, "unit", NUMBER_MAX) ~= unit then
    return false
  end
  local budget = rawget(data, "budget") ~= nil and plain.whole(data, "budget", 0, WHOLE_MAX) or default_budget
  local walls = plain.text(data, "walls")
  if walls then
    walls = core.decode(walls)
    if core.type(walls) ~= "walls" then plain.damaged "walls" end
  end
  walls = options.walls or walls
  if plain.flag(data, "costs") and options.costs == nil then
    check.fail "costs must be given: the crowd had a profile"
  end
  return fill(assemble(handle, walkers, map, nil, budget == 0 and huge or budget,
    plain.whole(data, "max_steps", 1, STEPS_MOST), walls, options.costs, read_speeds(data, kind)), data, options.walker)
end

--- Reads a crowd.
-- @param assemble makes the table of a crowd: see init.lua
-- @param bytes a string
-- @param options a table or nil:
--   map    the map of the crowd, or one of equal content. Required if it has one
--   walls  the walls of the crowd, which may change; default: a copy of those that it had
--   costs  the profile of its plans. Required if it had one
--   walker a function: called with each walker, it returns what the file does not have of it
-- @return the crowd; or nil, a message, and "format" or "stale"
function save.decode(assemble, default_budget, bytes, options)
  check.options(options, OPTIONS)
  options = options or {}
  local map, walls = options.map, options.walls
  local handle, walkers, data = check.call(raw.decode, bytes, map, walls)
  local ok, result, why
  if handle then
    ok, result = plain.try(read, data, assemble, default_budget, handle, walkers, options)
    why = not ok and "format" or result == false and "stale"
    if ok and result == nil then check.fail "map must be given: a crowd belongs to one" end
  else
    why = walkers
    if why == "stale" and map == nil then check.fail "map must be given: a crowd belongs to one" end
  end
  if why == "stale" then
    return nil, "a crowd: it belongs to another map, or this one has changed since", why
  elseif why then
    return nil, "a crowd: damaged, or of a version that is not known", why
  end
  return result
end

return save
