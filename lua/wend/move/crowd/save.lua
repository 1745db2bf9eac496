-- SPDX-License-Identifier: MIT
-- Crowds as bytes. The core writes walkers, their plans, walls and time (src/move/crowd/save.c). This file adds what
-- the core does not know, as one plain table of data (src/lua/level.c describes such data):
--
--   version, max_steps, budget   as in the crowd. budget: absent if the script has a queue of its own; 0: no limit
--   kind, map     "grid" or "graph"; the text by which saved games know the map (src/lua/saved.c)
--   left, top, unit   where cell (1, 1) of the grid begins, and its width. `map` tells the rest of its frame
--   groups        names of groups, in the order of their bits
--   walls         the encoded walls, with a graph: its plans need them
--   costs, influence, speeds   true: it has a profile; true: it has layers; its factors by tag, or "costs"
--   up            "y" or "z", with heights
--   squeeze       seconds, or false
--   links         "cost", "jump" or "walk"
--   walkers       a table for each walker: see pack_walker
--   lost          ids of walkers that are lost, and of which on_lost was not told yet
--   fields        the encoded fields that lead walkers
--   requests, searches, served, spent, asked   the plans that its own queue works on: see waiting.lua
--
-- Not saved: other data, the functions of the crowd, and the contents of a queue of the script. Profiles, agents,
-- layers, maps of walkers and targets of the script come from the option `walker`.

local core = require "wend.core"
local check = require "wend.check"
local level = require "wend.level"
local chase = require "wend.move.crowd.chase"
local fog = require "wend.move.crowd.fog"
local plan = require "wend.move.crowd.plan"
local settings = require "wend.move.crowd.settings"
local waiting = require "wend.move.crowd.waiting"
local walker = require "wend.move.crowd.walker"
local parts = require "wend.once"

local native = plan.native
local STEPS_MOST, GROUPS_MOST = walker.STEPS_MOST, settings.GROUPS_MOST
local huge = math.huge
local WHOLE_MAX = 2 ^ 53
local DAMAGED = {}          -- the error of data that are wrong

local VERSION = 3
local OPTIONS = { "map", "walls", "costs", "influence", "walker",
  kinds = { map = check.MAP, walls = settings.WALLS, costs = check.COSTS, walker = check.FUNCTION } }
-- What the option `walker` may return.
local GIVEN = { "agent", "costs", "influence", "speeds", "field", "map", "target" }

-- Kinds of data -----------------------------------------------------------------------------------------------------
-- Data may be damaged or forged. A kind is a function: it tells whether a value is of that kind. The core made the
-- values of bytes (src/lua/level.c): finite numbers, and tables without metatables, whose keys are strings or 1, 2, 3
-- and so on.

--- Raises unless `holds` is true: save.decode turns that into a result.
local function must(holds)
  if not holds then error(DAMAGED, 0) end
end

local function of(name)
  return function(value) return type(value) == name end
end

--- A whole number from least to most; default of most: 2^53.
local function whole(least, most)
  return function(value) return check.is_whole(value, least, most or WHOLE_MAX) end
end

--- A list of values of another kind.
local function list(kind)
  return function(value)
    if type(value) ~= "table" or next(value) ~= nil and value[1] == nil then return false end
    for _, item in ipairs(value) do
      if not kind(item) then return false end
    end
    return true
  end
end

--- A table by name.
-- @param kinds by name
-- @param needed the names that it must have
local function record(kinds, needed)
  return function(value)
    if type(value) ~= "table" then return false end
    for name, item in next, value do
      if not kinds[name] or not kinds[name](item) then return false end
    end
    for _, name in ipairs(needed) do
      if value[name] == nil then return false end
    end
    return true
  end
end

local text, flag, float, natural, positive = of "string", of "boolean", of "number", whole(0), whole(1)
local integer = whole(-WHOLE_MAX)

--- The factors of a speed by tag, or "costs".
local function speeds(value)
  if value == "costs" then return true elseif type(value) ~= "table" then return false end
  for tag, factor in next, value do
    if not (text(tag) and float(factor) and factor >= 0) then return false end
  end
  return true
end

--- Seconds, or false.
local function squeeze(value) return value == false or float(value) and value > 0 end

-- The fields of an order that are saved as they are.
local KEPT = { x = float, y = float, height = float, node = float, partial = flag, closed_goal = flag, rush = flag,
  formation = text, distance = float, angle = float, ring = flag, variation = float, seed = float }
local ENDS = record({ goals = list(float), within = float, beside = flag, sight = flag, pass_only = list(text) },
  { "goals" })
local ORDER_KINDS = { failed = natural, short = flag, edited = flag, other = flag, field = natural, own = flag,
  target = natural, aimless = flag, ends = ENDS }
for name, kind in next, KEPT do ORDER_KINDS[name] = kind end
ORDER_KINDS.again, ORDER_KINDS.goal = flag, list(float)
for _, name in ipairs { "aside_x", "aside_y", "wait", "tries", "skip" } do ORDER_KINDS[name] = float end  -- older files
ORDER_KINDS.reached, ORDER_KINDS.told = flag, flag
local ORDER = record(ORDER_KINDS, {})
local WALKER = record({ id = positive, reason = text, code = text, path = text, speeds = speeds, squeeze = squeeze,
  links = check.LINKS.holds, fog = record({ seen = text, noted = flag, bumped = list(natural) }, {}), agent = flag,
  costs = flag, influence = flag, order = ORDER, number = positive,
  unread = flag, data = function(value) return type(value) ~= "table" end }, { "id" })
local REQUEST_FIELDS = record({ left = integer, worked = natural, spent = natural, group = positive, former = positive,
  has_worked = flag, beyond = flag, number = positive, walker = positive, plan = positive, partial = flag,
  closed_goal = flag, x = float, y = float, to_x = float, to_y = float, most = float, round = positive, mine = flag,
  ends = ENDS, variation = float, seed = float, slices = list(positive) },
  { "left", "worked", "spent", "walker", "plan", "x", "y" })
local function REQUEST(value) return REQUEST_FIELDS(value) and (value.ends or value.to_x and value.to_y) end
local SEARCH = record({ x = float, y = float, closed_goal = flag, alone = float, each = float, farthest = float,
  dearest = float, variation = float, seed = float, whole = flag, rebuilt = flag, max_cost = float,
  ready = flag, age = natural, worked = natural, count = natural,
  asked = natural, answered = natural, begun = natural, like = positive },
  { "x", "alone", "each", "farthest", "dearest", "age", "count", "asked", "answered", "begun" })
local function axis(value) return value == "y" or value == "z" end
local CROWD = record({ version = whole(VERSION, VERSION), up = axis, max_steps = whole(1, STEPS_MOST), budget = natural,
  kind = text, map = text, left = float, top = float, unit = float, groups = list(text), walls = text,
  walkers = list(WALKER), lost = list(positive), fields = list(text), costs = flag, influence = flag,
  speeds = speeds, squeeze = squeeze, links = check.LINKS.holds, requests = list(REQUEST),
  searches = list(SEARCH), served = positive, spent = float, asked = positive },
  { "version", "max_steps", "left", "top", "unit", "groups", "walkers", "lost", "fields" })

local save = {}

-- Writing ----------------------------------------------------------------------------------------------------------

--- The goal of a walker that follows a field which is out of date. nil: it is not known
local function pack_goal(member, field)
  local x, y = member._crowd._map:cell_at(plan.at(member))
  local ok, goal_x, goal_y = core.call(function() return field:goal(x, y) end)
  return ok and goal_x and { goal_x, goal_y } or nil
end

--- The costs of the field that a walker follows. nil: it was not read yet, and cannot be
local function costs_of_field(member, order)
  if order.made then return order.made end
  local x, y = member._crowd._map:cell_at(plan.at(member))
  local ok, path = core.call(function() return order.field:path(x, y) end)
  return ok and path or nil
end

--- The order of a walker as data: its goal, its options, and
--   failed     steps until it may be tried again; edited: the map or its costs have changed since. Older files say
--              `other` for costs. again: it is tried again already
--   short      its plan ends short of the goal; edited as before
--   field      the index of the field, if it still needs it; 0: it does not. own: the field has costs of its own.
--              aimless: its values were changed by arithmetic
--   ends       see plan.lua
--   goal       x and y of the cell to which the field leads it, if the field is out of date
--   target     the id of the walker that it chases; 0: something else
local function pack_order(member, fields)
  local order, crowd = member._order, member._crowd
  if not order then return nil end
  local made = {}
  for name in next, KEPT do made[name] = order[name] end
  made.ends = waiting.copy(order.ends)
  if order.failed then
    made.failed = math.max(order.failed - crowd._steps, 0)
    made.again = order.version == true or nil
    made.edited = not made.again and order.version ~= native.version(crowd._handle) or nil
  elseif order.short ~= nil then
    made.short, made.edited = true, order.short ~= native.version(crowd._handle) or nil
  end
  if order.target then
    local target = order.target
    local in_crowd = core.type(target) == "walker" and target._crowd == crowd
    made.target = in_crowd and target._id or 0
  elseif order.field then
    made.field = 0
    if member.state ~= "arrived" and not order.failed then
      local costs = costs_of_field(member, order)
      made.own = costs and not plan.has_costs(member, costs) or nil
      made.aimless = order.aimless or nil
      if not fields[order.field] then
        local bytes = order.field ~= plan.STALE_FIELD and check.call(order.field.valid, order.field)
          and check.call(order.field.encode, order.field)        -- which does not look at its costs
        fields.n = fields.n + 1
        fields[order.field], fields.list[fields.n] = fields.n, bytes or ""      -- "": it is out of date
      end
      made.field = fields[order.field]
      if fields.list[made.field] == "" then made.goal = pack_goal(member, order.field) end
    end
  end
  return made
end

--- Infinity is no number of such data: it is the same as false.
local function pack_squeeze(seconds) return seconds ~= huge and seconds end

--- A walker as data: id; reason and code, if it is lost; data, if it is a string, a number or a boolean; on a graph the
-- path that it follows, encoded; speeds; squeeze; links; agent, costs, influence: true if it has its own; fog: see
-- fog.pack; its order.
local function pack_walker(member, kind, fields)
  local given, crowd = member.data, member._crowd
  local exact = type(given) == "number" and math.abs(given) < huge and given + 0.0 == given
  if not (type(given) == "string" or type(given) == "boolean" or exact) then given = nil end
  local path = kind == "graph" and member._path and member._path:encode() or nil
  return { id = member._id, reason = member._message or nil, code = member._code or nil, path = path, data = given,
    speeds = member._speeds, squeeze = pack_squeeze(member._squeeze), links = member._links,
    fog = fog.pack(member), agent = member._agent ~= nil or nil,
    costs = member._costs ~= nil or nil, influence = member._influence ~= nil or nil,
    number = member._request and member._number or nil,
    unread = crowd._closes and not member._knows_closed or nil, order = pack_order(member, fields) }
end

--- Encodes a crowd.
-- @return a string
function save.encode(crowd)
  local handle, kind, budget = crowd._handle, crowd._kind, crowd._budget
  plan.note_edits(crowd)
  check.call(native.note_edits, handle)
  if budget == huge then budget = 0 end
  local fields = { n = 0, list = {} }
  local made = { version = VERSION, max_steps = crowd._max_steps, budget = budget or nil, kind = kind or nil,
    groups = {}, walkers = {}, lost = {}, fields = fields.list, costs = crowd._costs ~= nil or nil,
    influence = crowd._influence ~= nil or nil, speeds = crowd._speeds,
    squeeze = pack_squeeze(crowd._squeeze), links = crowd._links, up = crowd._up or nil }
  if kind then made.map = parts.map_text(crowd._map) end
  made.left, made.top, made.unit = native.places(handle)
  for name, number in next, crowd._groups do
    if name ~= 0 then made.groups[number + 1] = name end
  end
  if kind == "graph" and crowd._walls then made.walls = crowd._walls:encode() end
  for member in crowd:each() do made.walkers[#made.walkers + 1] = pack_walker(member, kind, fields) end
  for i = 1, crowd._count, 2 do
    local member = crowd._events[i]
    if member._message and native.has(handle, member._id) then made.lost[#made.lost + 1] = member._id end
  end
  if budget and kind then waiting.pack(crowd, made) end
  return (check.call(native.encode, handle, level.pack_data(made, "the crowd")))
end

-- Reading ----------------------------------------------------------------------------------------------------------

--- What bytes hold, for the plans of a walker.
-- @param kind what it must be
local function decode_for(member, bytes, kind)
  local found = core.decode(bytes, plan.with_costs(member, { map = member._crowd._map }))
  must(core.type(found) == kind)
  return found
end

--- Speeds of a crowd or a walker, which need a grid.
local function check_speeds(given, kind)
  must(given == nil or kind == "grid")
  return given
end

--- Reads a walker, and adds it to the walkers of the crowd.
local function read_walker(given, crowd)
  local walkers = crowd._walkers
  must(not walkers[given.id] and native.has(crowd._handle, given.id))
  local member = walker.bare(crowd)
  member._knows_closed = not given.unread     -- as the file has it
  crowd._unread = crowd._unread or given.unread or false
  member._id, member.data, member._speeds = given.id, given.data, check_speeds(given.speeds, crowd._kind)
  member._squeeze, member._links = given.squeeze, given.links
  member._message, member._code = given.reason or false, given.code or false
  walkers[given.id] = setmetatable(member, walker.metatable)
  settings.name_groups(member)
end

--- Reads where plans may end: see ends_of in search.lua.
local function read_ends(ends, kind)
  if not ends then return nil end
  must(kind == "grid" and #ends.goals % 2 == 0 and (not ends.within or ends.within >= 0))
  for i, number in ipairs(ends.goals) do ends.goals[i] = number * 1.0 end       -- a float, also if it is whole
  ends.within = ends.within and ends.within * 1.0
  return ends
end

--- Reads the order of a walker. Its field and its target follow.
local function read_order(member, given)
  if not given then return false end
  local crowd, order = member._crowd, {}
  for name, kind in next, KEPT do
    local value = given[name] or nil
    order[name] = kind == float and value and value * 1.0 or value      -- a float, also if it is whole
  end
  must((order.x == nil) == (order.y == nil))
  must((order.variation == nil) == (order.seed == nil) and (order.variation or 0) >= 0)
  order.ends = read_ends(given.ends, crowd._kind)
  must(not order.x or not order.ends and native.reaches(crowd._handle, order.x, order.y))
  if given.failed then
    order.failed = crowd._steps + given.failed
    order.version = given.again or not (given.edited or given.other) and native.version(crowd._handle)
  elseif given.short then
    order.short = not (given.edited or given.other) and native.version(crowd._handle)
  end
  return order
end

--- A field in place of one that was out of date: it leads to the same goal of this walker, by what the map and the
-- costs are now.
local function make_anew(member, order)
  local goal, map = order.goal, member._crowd._map
  if order.own or order.aimless or not goal then return plan.STALE_FIELD end
  local ok, field = core.call(map.field, map, goal[1], goal[2], plan.with_costs(member))
  if not ok then return plan.STALE_FIELD end
  native.touch(member._handle, member._id)
  return field
end

--- The field that leads a walker. given: what the script says.
local function read_field(member, order, bytes, given)
  local crowd, index = member._crowd, order.field
  if given ~= nil then
    check.call(native.takes, crowd._handle, given)
    return given
  elseif index == 0 then
    return plan.STALE_FIELD
  elseif bytes[index] == "" then
    return make_anew(member, order)
  end
  return decode_for(member, bytes[index], "field")
end

--- Notes the costs of a field of its own.
local function note_costs(member, field)
  local x, y = member._crowd._map:cell_at(plan.at(member))
  local path = x and check.call(field.path, field, x, y)
  if path then plan.note_field(member._order, path) end
end

--- Gives a walker the layers of its way, which the core does not save.
local function give_layers(member)
  local order = member._order
  local layers = order and (order.made or plan.with_costs(member)).influence
  if layers then check.call(native.costs, member._handle, member._id, { influence = layers }) end
end

--- Asks the script for what a walker had, and gives it to the walker.
-- @param fn the option `walker`, or nil
-- @return whether the walker has the order of the file
local function ask_script(member, given, bytes, fields, fn, number)
  local answer = fn and fn(member)
  if answer ~= nil then
    if type(answer) ~= "table" then
      check.fail("walker must return a table or nil, got %s", check.describe(answer))
    end
    check.options(answer, GIVEN)
  end
  answer = answer or {}
  local order = given.order
  local function need(what)
    check.fail("walker %d had %s: the option walker must return it", number, what)
  end
  if given.agent and answer.agent == nil then need "an agent" end
  if given.costs and answer.costs == nil then need "costs of its own" end
  if given.influence and answer.influence == nil then need "layers of its own" end
  if given.fog and answer.map == nil then need "a map of its own" end
  local saved_speeds, saved_squeeze, saved_links = member._speeds, member._squeeze, member._links
  settings.take(member, member._crowd, answer)
  member._agent, member._map = answer.agent, fog.read(member._crowd, answer.map)
  if answer.speeds == nil then member._speeds = saved_speeds end
  member._squeeze, member._links = saved_squeeze, saved_links
  if member._order or not native.has(member._handle, member._id) then     -- it gave an order, or removed it
    return false
  end
  member._order, member._number = read_order(member, order), given.number or false
  if order and order.field then
    member._order.aimless = order.aimless
    if order.own and answer.field == nil then need "a field with other costs or layers" end
    local index = order.field
    local known = answer.field == nil and fields[index]
    member._order.field = known or read_field(member, order, bytes, answer.field)
    if answer.field == nil and bytes[index] ~= "" then fields[index] = member._order.field end
    if not order.own then
      member._order.made = plan.with_costs(member)
    else
      note_costs(member, answer.field)
    end
  end
  if order and order.target then
    local target, target_id = answer.target, order.target > 0 and order.target or nil
    if target_id then target = member._crowd._walkers[target_id] or {} end      -- {}: it was removed
    if target == nil then need "a target" end
    chase.resume(member, target, target_id)
  end
  plan.note_points(member)
  plan.note_rush(member, nil, member._order)
  member._path = given.path and decode_for(member, given.path, "path") or false
  if member._map and given.fog then fog.restore(member, given.fog) end
  if answer.speeds ~= nil then plan.pace(member) end
  return true
end

--- Raises unless the data are right. They are checked before the script is asked: it may note the walkers.
local function check_walkers(crowd, given, fn)
  local grid, options = crowd._kind == "grid", { map = crowd._map }
  for _, item in ipairs(given.walkers) do
    local index = item.order and item.order.field
    must(not index or grid and index <= #given.fields)
    must(not item.path or crowd._kind == "graph" and (not fn or core.type(core.decode(item.path, options)) == "path"))
  end
  for _, bytes in ipairs(given.fields) do
    must(bytes == "" or not fn or core.type(core.decode(bytes, options)) == "field")
  end
  for _, id in ipairs(given.lost) do must(crowd._walkers[id]) end
end

--- Fills a crowd that has no walkers in Lua yet.
local function fill(crowd, given, fn)
  local groups, walkers = crowd._groups, given.walkers
  must(#given.groups <= GROUPS_MOST and #walkers == native.count(crowd._handle))
  for i, name in ipairs(given.groups) do
    must(not groups[name])
    groups[name] = i - 1
  end
  groups[0] = #given.groups
  for _, item in ipairs(walkers) do read_walker(item, crowd) end
  check_walkers(crowd, given, fn)
  local read, keeps = {}, {}
  for i, item in ipairs(walkers) do
    local member = crowd._walkers[item.id]                 -- nil: a function has removed it
    if member then
      crowd._paced = crowd._paced or plan.speeds_of(member) ~= nil
      keeps[item.id] = ask_script(member, item, given.fields, read, fn, i)
      give_layers(member)
      -- The tags of this map may have other numbers.
      if type(plan.speeds_of(member)) == "table" and native.has(crowd._handle, member._id) then plan.pace(member) end
    end
  end
  for _, lost in ipairs(given.lost) do
    local member = crowd._walkers[lost]
    if member then plan.note(crowd, member, plan.LOST) end
  end
  crowd._time = false                                   -- the profiles as they are now count
  plan.note_edits(crowd)
  waiting.restore(crowd, given, keeps)
  return crowd
end

--- The blocks of a surface may have been loaded again, or have changed: its places have other numbers. All paths and
-- searches are forgotten.
local function forget_plans(given)
  given.requests = nil
  for _, item in ipairs(given.walkers) do
    item.path = nil
    if item.order then item.order.edited = true end
  end
end

--- Then walkers on their way plan again.
local function plan_again(crowd)
  for member in crowd:each() do
    local state = not member._own_points and member.state
    if state == "moving" or state == "stuck" then native.touch(crowd._handle, member._id) end
  end
end

--- Makes the crowd of its data. Returns the crowd; nil: it needs a map; or false: it belongs to another one.
local function read(given, assemble, default_budget, handle, walkers, options)
  must(CROWD(given))
  local map, kind, walls = options.map, given.kind, nil
  if kind and map == nil then return nil end
  if (map and core.type(map) or nil) ~= kind then return false end
  if kind == "graph" and map:dimensions() ~= (given.up and 3 or 2) then return false end
  must(not given.up or kind ~= "grid")
  given.elsewhere = kind and parts.map_text(map) ~= given.map or nil
  if given.elsewhere and not given.up then return false end
  local left, top, unit = native.places(handle)
  if given.left ~= left or given.top ~= top or given.unit ~= unit then return false end
  if given.walls then
    walls = core.decode(given.walls)
    must(core.type(walls) == "walls")
  end
  if given.costs and options.costs == nil then
    check.fail "costs must be given: the crowd had a profile"
  end
  if given.influence and options.influence == nil then
    check.fail "influence must be given: the crowd had layers"
  end
  local budget = given.budget or default_budget
  local crowd = assemble(handle, walkers, map, nil, budget == 0 and huge or budget, given.max_steps,
    options.walls or walls, given.up)
  settings.take(crowd, crowd, options)
  crowd._speeds, crowd._squeeze, crowd._links = check_speeds(given.speeds, kind), given.squeeze, given.links
  if given.elsewhere then forget_plans(given) end
  fill(crowd, given, options.walker)
  if given.elsewhere then plan_again(crowd) end
  return crowd
end

--- Reads a crowd.
-- @param assemble makes the table of a crowd: see init.lua
-- @param bytes a string
-- @param options a table or nil:
--   map    the map of the crowd, or one of equal content. Required if it has one
--   walls  the walls of the crowd, which may change; default: a copy of those that it had
--   costs  the profile of its plans. Required if it had one
--   influence  the layers of its plans. Required if it had some
--   walker a function: called with each walker, it returns what the file does not have of it
-- @return the crowd; or nil, a message, and "format" or "stale"
function save.decode(assemble, default_budget, bytes, options)
  check.options(options, OPTIONS)
  options = options or {}
  local map, walls = options.map, options.walls
  local handle, walkers, given = check.call(native.decode, bytes, map, walls)
  local ok, result, why
  if handle then
    ok, result = pcall(read, given, assemble, default_budget, handle, walkers, options)
    if not ok and not rawequal(result, DAMAGED) then error(result, 0) end
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
