-- SPDX-License-Identifier: MIT
-- Crowds as bytes. The core writes walkers, walls and time (src/core/crowd/save.c). This file adds what is kept in Lua,
-- as one plain table of data (src/lua/level.c describes such data):
--
--   version, steps, max_steps, budget   as in the crowd. budget: absent if the script has a queue of its own
--   kind, map     "grid" or "graph"; the text by which saved games know the map (src/lua/saved.c)
--   left, top, unit   where cell (1, 1) of the grid begins, and its width. `map` tells the rest of its frame
--   groups        names of groups, in the order of their bits
--   walls         the encoded walls, with a graph: its plans need them
--   walkers       a table for each walker
--   later         walkers that wait for a new plan: id, step, id, step, ...
--   events        what is not told yet: id, kind, id, kind, ...
--   edited        ids of walkers whose paths an edit has touched since the last step
--   jam           ids of walkers that wait for a way around a jam, in order; absent: none
--
-- A walker: id, reason, code, planned, plan_x, plan_y, tries, aim (see plan.lua; a field becomes the place to which
-- it leads), asked (a plan was under way), path (a state, as path:state makes it, without the map), order (of the
-- paths), data (if it is a string, a number or a boolean).
--
-- Not saved: costs, agents, other data, the functions of the crowd, and the contents of the queue. A plan that was
-- under way begins again after the next step. Fields that the crowd's own queue keeps are dropped when a crowd is
-- encoded: the crowd would go on to read plans from them, and the loaded one would search for ways that cost the same
-- but are others.

local core = require "wend.core"
local check = require "wend.check"
local level = require "wend.level"
local places = require "wend.crowd.places"
local jam = require "wend.crowd.jam"
local plan = require "wend.crowd.plan"
local walker = require "wend.crowd.walker"
local plain = require "wend.state.plain"
local saved = require "wend.state.saved"
local state = require "wend.state"

local raw = places.raw
local HANDLE, ID, REASON, CODE, AIM, REQUEST = places.HANDLE, places.ID, places.REASON, places.CODE, places.AIM,
  places.REQUEST
local PLANNED, PLAN_X, PLAN_Y, TRIES, PATH, ORDER = places.PLANNED, places.PLAN_X, places.PLAN_Y, places.TRIES,
  places.PATH, places.ORDER
local STEPS_MOST, GROUPS_MOST = places.STEPS_MOST, places.GROUPS_MOST
local huge = math.huge

local VERSION = 1
local NUMBER_MAX = 1.7976931348623157e308
local WHOLE_MAX = 2 ^ 53
local OPTIONS = { "map", "costs" }

local save = {}

-- Writing ----------------------------------------------------------------------------------------------------------

--- A number of a state; nil: it is not finite.
local function finite(number)
  return math.abs(number) < huge and plain.put(number) or nil
end

local function pack_aim(one)
  local aim = one[AIM]
  if not aim then return nil end
  local x, y = aim.x, aim.y
  if aim.field then x, y = one.goal_x, one.goal_y end
  return { x = x and finite(x), y = y and finite(y), goal_x = aim.goal_x and finite(aim.goal_x),
    goal_y = aim.goal_y and finite(aim.goal_y), given = aim.given, unplanned = aim.unplanned,
    detours = aim.detours }
end

local function pack_path(path)
  if not path then return nil end
  local made = path:state()
  made.map = nil
  return made
end

local function pack_walker(one)
  local data = one.data
  local kind = type(data)
  local whole = kind == "number" and math.abs(data) < huge and data + 0.0 == data
  if not (kind == "string" or kind == "boolean" or whole) then data = nil end
  return { id = one[ID], reason = one[REASON] or nil, code = one[CODE] or nil, planned = finite(one[PLANNED]),
    plan_x = finite(one[PLAN_X]), plan_y = finite(one[PLAN_Y]), tries = one[TRIES], aim = pack_aim(one),
    asked = one[REQUEST] and true or nil, path = pack_path(one[PATH]), order = one[PATH] and one[ORDER] or nil,
    data = data }
end

--- A list of id, value, ... of walkers that are still there.
local function pack_pairs(list, first, last)
  local pairs_of = {}
  for i = first, last, 2 do
    local one = list[i]
    if raw.has(one[HANDLE], one[ID]) then
      pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = one[ID], list[i + 1]
    end
  end
  return pairs_of
end

--- The data of a crowd that is kept in Lua.
local function data_of(crowd)
  local handle, kind, budget, later = crowd[HANDLE], crowd[places.KIND], crowd[places.BUDGET], crowd[places.LATER]
  local made = { version = VERSION, steps = crowd[places.STEPS], max_steps = crowd[places.MAX_STEPS],
    budget = budget and (budget == huge and 0 or budget) or nil, kind = kind or nil, groups = {}, walkers = {},
    later = pack_pairs(later, later.first, later.last),
    events = pack_pairs(crowd[places.EVENTS], 1, crowd[places.COUNT]), edited = {} }
  if kind then made.map = saved.text(crowd[places.MAP]) end
  local left, top, unit = raw.places(handle)
  made.left, made.top, made.unit = plain.put(left), plain.put(top), unit
  for name, number in next, crowd[places.GROUPS] do
    if name ~= 0 then made.groups[number + 1] = name end
  end
  local walls = crowd[places.WALLS]
  if kind == "graph" and walls then made.walls = walls:encode() end
  local one, id = raw.next(handle)
  local on_paths = {}
  while one do
    local packed = pack_walker(one)
    made.walkers[#made.walkers + 1] = packed
    if packed.order then on_paths[#on_paths + 1] = packed end
    one, id = raw.next(handle, id)
  end
  table.sort(on_paths, function(a, b) return a.order < b.order end)
  for i, packed in ipairs(on_paths) do packed.order = i end
  local slow = jam.waiting(crowd)
  if #slow > 0 then made.jam = slow end
  plan.note_edits(crowd)
  local seen = {}
  for _, path in ipairs(crowd[places.EDITED]) do
    local owner = crowd[places.OWNERS][path]
    if owner and not seen[path] then made.edited[#made.edited + 1], seen[path] = owner[ID], true end
  end
  return made
end

--- Encodes a crowd.
-- @return a string
function save.encode(crowd)
  local data = level.pack_data(data_of(crowd), "the crowd")
  local q = crowd[places.BUDGET] and crowd[places.QUEUE]
  if q and q:pending() == 0 then q:clear() end
  return check.call(raw.encode, crowd[HANDLE], data)
end

-- Reading ----------------------------------------------------------------------------------------------------------

local KEYS = { version = true, steps = true, max_steps = true, budget = true, kind = true, map = true, left = true,
  top = true, unit = true, groups = true, walls = true, walkers = true, later = true, events = true, edited = true,
  jam = true }
local WALKER_KEYS = { id = true, reason = true, code = true, planned = true, plan_x = true, plan_y = true, tries = true,
  aim = true, asked = true, path = true, order = true, data = true }
local AIM_KEYS = { x = true, y = true, goal_x = true, goal_y = true, given = true, unplanned = true, detours = true }

--- The field `key`, or nil.
local function optional(read, value, key, ...)
  if rawget(value, key) == nil then return nil end
  return read(value, key, ...)
end

local function read_aim(given, crowd)
  plain.check_keys(given, "aim", AIM_KEYS)
  local aim = { x = optional(plain.number, given, "x", NUMBER_MAX), y = optional(plain.number, given, "y", NUMBER_MAX),
    goal_x = optional(plain.number, given, "goal_x", NUMBER_MAX),
    goal_y = optional(plain.number, given, "goal_y", NUMBER_MAX), costs = crowd[places.CROWD_COSTS],
    given = plain.flag(given, "given") or nil, unplanned = plain.flag(given, "unplanned") or nil,
    detours = optional(plain.whole, given, "detours", 1, WHOLE_MAX) }
  if (aim.x == nil) ~= (aim.y == nil) or (aim.goal_x == nil) ~= (aim.goal_y == nil) or not (aim.x or aim.goal_x) then
    plain.damaged "aim"
  elseif crowd[places.KIND] == "graph"           -- a goal so far away is outside a grid
    and not pcall(raw.takes, crowd[HANDLE], aim.goal_x or aim.x, aim.goal_y or aim.y) then
    plain.damaged "aim"
  end
  return aim
end

--- The path of a walker, on the map of the crowd.
local function read_path(given, crowd)
  if type(given) ~= "table" or rawget(given, "map") ~= nil or rawget(given, "kind") ~= "path" then
    plain.damaged "path"
  end
  local map = crowd[places.MAP]
  given.map = saved.text(map)
  local path = state.restore(given, { map = map, costs = crowd[places.CROWD_COSTS] })
  return path or plain.damaged "path"
end

--- Reads a walker, and adds it to the walkers of the crowd.
-- @return the walker, whether its plan was under way, and { path, order } or nil
local function read_walker(given, crowd)
  plain.check_keys(given, "walkers", WALKER_KEYS)
  local id = plain.whole(given, "id", 1, WHOLE_MAX)
  local walkers, handle = crowd[places.WALKERS], crowd[HANDLE]
  if walkers[id] or not raw.has(handle, id) then plain.damaged "id" end
  local one = walker.bare(crowd)
  one[ID] = id
  one[REASON], one[CODE] = plain.text(given, "reason") or false, plain.text(given, "code") or false
  one[PLANNED] = optional(plain.whole, given, "planned", 0, crowd[places.STEPS]) or -huge
  one[PLAN_X] = optional(plain.number, given, "plan_x", NUMBER_MAX) or huge
  one[PLAN_Y] = optional(plain.number, given, "plan_y", NUMBER_MAX) or huge
  one[TRIES] = plain.whole(given, "tries", 0, WHOLE_MAX)
  local aim = rawget(given, "aim")
  if aim ~= nil then one[AIM] = read_aim(aim, crowd) end
  local data = rawget(given, "data")
  if type(data) == "table" then plain.damaged "data" end
  one.data = data
  walkers[id] = setmetatable(one, walker.metatable)
  local path = rawget(given, "path")
  if path ~= nil then
    if not crowd[places.KIND] then plain.damaged "path" end
    path = { read_path(path, crowd), plain.whole(given, "order", 1, WHOLE_MAX), one }
  end
  return one, plain.flag(given, "asked"), path
end

--- Adds walker, value, ... to a list, of a list of id, value, ...
-- @return the number of items in the list
local function read_pairs(data, key, crowd, list, n, most)
  local numbers = plain.wholes(data, key, 0, WHOLE_MAX) or plain.damaged(key)
  if #numbers % 2 ~= 0 then plain.damaged(key) end
  for i = 1, #numbers, 2 do
    local one = crowd[places.WALKERS][numbers[i]]
    if not one or numbers[i + 1] > most then plain.damaged(key) end
    list[n + 1], list[n + 2] = one, numbers[i + 1]
    n = n + 2
  end
  return n
end

local function read_groups(data, crowd)
  local groups, names = crowd[places.GROUPS], plain.names(data, "groups")
  if #names > GROUPS_MOST then plain.damaged "groups" end
  for i, name in ipairs(names) do
    if type(name) ~= "string" or groups[name] then plain.damaged "groups" end
    groups[name] = i - 1
  end
  groups[0] = #names
end

--- Fills a crowd that has no walkers in Lua yet.
local function fill(crowd, data)
  read_groups(data, crowd)
  crowd[places.STEPS] = plain.whole(data, "steps", 0, WHOLE_MAX)
  local list, asked, paths = rawget(data, "walkers"), {}, {}
  if type(list) ~= "table" or check.length(list) ~= raw.count(crowd[HANDLE]) then plain.damaged "walkers" end
  for i = 1, check.length(list) do
    local one, was_asked, path = read_walker(rawget(list, i), crowd)
    if was_asked and one[AIM] then asked[#asked + 1] = one end
    if path then paths[#paths + 1] = path end
  end
  table.sort(paths, function(a, b) return a[2] < b[2] end)
  for _, path in ipairs(paths) do plan.keep(path[3], path[1]) end
  -- Plans that were under way come first: they begin again after the next step.
  local later, n = crowd[places.LATER], 0
  for _, one in ipairs(asked) do
    one[AIM].unplanned = true
    later[n + 1], later[n + 2] = one, crowd[places.STEPS]
    n = n + 2
  end
  later.last = read_pairs(data, "later", crowd, later, n, crowd[places.STEPS] + plan.WAIT)
  for i = 1, later.last, 2 do later[i][places.LISTED] = true end
  crowd[places.COUNT] = read_pairs(data, "events", crowd, crowd[places.EVENTS], 0, places.LOST)
  local edited = crowd[places.EDITED]
  for _, id in ipairs(plain.wholes(data, "edited", 1, WHOLE_MAX) or plain.damaged "edited") do
    local path = crowd[places.WALKERS][id] and crowd[places.WALKERS][id][PATH]
    if not path or edited[path] then plain.damaged "edited" end
    edited[#edited + 1], edited[path] = path, true
  end
  for _, id in ipairs(plain.wholes(data, "jam", 1, WHOLE_MAX) or {}) do
    local one = crowd[places.WALKERS][id]
    if not one or one[places.ASKS] or crowd[places.KIND] ~= "grid" then plain.damaged "jam" end
    jam.wait(one)
  end
  return crowd
end

--- Makes the crowd of its data. Returns the crowd; or false: it belongs to another map.
local function read(data, assemble, default_budget, handle, walkers, options)
  plain.check_keys(data, "data", KEYS)
  if plain.whole(data, "version", 0, WHOLE_MAX) ~= VERSION then plain.damaged "version" end
  local map, kind = options.map, plain.text(data, "kind")
  if kind and map == nil then return nil end
  if (map and core.type(map) or nil) ~= kind or kind and saved.text(map) ~= plain.text(data, "map") then
    return false
  end
  local left, top, unit = raw.places(handle)
  if plain.number(data, "left", NUMBER_MAX) ~= left or plain.number(data, "top", NUMBER_MAX) ~= top
    or plain.number(data, "unit", NUMBER_MAX) ~= unit then
    return false
  end
  local budget = optional(plain.whole, data, "budget", 0, WHOLE_MAX) or default_budget
  local walls = plain.text(data, "walls")
  if walls then
    walls = core.decode(walls)
    if core.type(walls) ~= "walls" then plain.damaged "walls" end
  end
  return fill(assemble(handle, walkers, map, nil, budget == 0 and huge or budget,
    plain.whole(data, "max_steps", 1, STEPS_MOST), walls, options.costs), data)
end

--- Reads a crowd.
-- @param assemble makes the table of a crowd: see init.lua
-- @param bytes a string
-- @param options a table or nil:
--   map    the map of the crowd, or one of equal content. Required if it has one
--   costs  the profile of its plans
-- @return the crowd; or nil, a message, and "format" or "stale"
function save.decode(assemble, default_budget, bytes, options)
  check.options(options, OPTIONS)
  options = options or {}
  local map = options.map
  walker.check_costs(options.costs)
  if map ~= nil and core.type(map) ~= "grid" and core.type(map) ~= "graph" then
    check.fail("map must be a graph or a grid, got %s", check.describe(map))
  end
  local handle, walkers, data = check.call(raw.decode, bytes, map)
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
