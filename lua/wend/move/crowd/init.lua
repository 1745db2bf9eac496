-- SPDX-License-Identifier: MIT
-- wend.crowd: walkers that keep apart, get through, and arrive.
--
--   plan.lua     orders, and which plans are due
--   search.lua   searches for the plans that walkers want
--   chase.lua    walkers that follow what moves
--   fog.lua      walkers with a map of their own
--   settings.lua what scripts set of walkers
--   walker.lua   walkers
--   save.lua     crowds as bytes
--
-- The core moves the walkers (src/move/crowd). crowd:update lets it take one step at a time. After each step come the
-- plans: so they do not depend on the frame rate either. The functions of the script follow when all steps are taken.
--
-- Fields of crowds and walkers whose names begin with an underscore are internal. If a step fails, because there is no
-- memory or a finalizer of the script raises, the crowd is cleared.

local core = require "wend.core"
local check = require "wend.check"
local file = require "wend.file"
local parts = require "wend.once"
local queue = require "wend.queue"
local chase = require "wend.move.crowd.chase"
local fog = require "wend.move.crowd.fog"
local formation = require "wend.move.crowd.formation"
local plan = require "wend.move.crowd.plan"
local settings = require "wend.move.crowd.settings"
local save = require "wend.move.crowd.save"
local search = require "wend.move.crowd.search"
local walker = require "wend.move.crowd.walker"

local native, call = plan.native, core.call
local STEPS_MOST = walker.STEPS_MOST

local STEP = 1 / 30            -- seconds: as in the core
local MAX = 8                  -- steps an update
local TALL = 2                 -- the height of a walker
local SEEDS = 8                -- of a group that varies: its walkers take so many ways at most
local OPTIONS = { "map", "walls", "costs", "influence", "seed", "queue", "budget", "max_steps", "speeds", "squeeze",
  "links", "up", "tall", "on_arrive", "on_stuck", "on_lost", "on_link", "on_bump", kinds = {
    map = check.MAP, walls = settings.WALLS, costs = check.COSTS, queue = check.of("queue", "a queue"),
    budget = check.COUNT, max_steps = { be = ("a whole number in 1 .. %d"):format(STEPS_MOST),
      holds = function(value) return check.is_whole(value, 1, STEPS_MOST) end },
    tall = check.FACTOR, up = { be = "'y' or 'z'", holds = function(value) return value == "y" or value == "z" end },
    on_arrive = check.FUNCTION, on_stuck = check.FUNCTION, on_lost = check.FUNCTION,
    on_link = check.FUNCTION, on_bump = check.FUNCTION,
  } }
local WALKER_OPTIONS = { "x", "y", "radius", "speed", "acceleration", "patience", "priority", "group", "avoids",
  "agent", "costs", "influence", "speeds", "squeeze", "links", "map", "height", "data" }

local SURROUND_OPTIONS = { "distance", kinds = { distance = check.FACTOR } }
local NEAR_OPTIONS = { "limit", "into", kinds = { limit = check.COUNT, into = check.TABLE } }

local methods = {}
local metatable = parts.crowd

--- Empties a crowd after a step has failed: without its walkers there is nothing that could be half done. If memory
--- runs out here as well, the next call empties it.
local function clear(self)
  local walkers = self._walkers
  for id, member in pairs(walkers) do
    pcall(plan.order, member)
    native.remove(self._handle, id)
    walkers[id] = nil
  end
  self._events, self._count = {}, 0
  self._damaged, self._failed = false, false
end

--- Takes out the walker whose adding has failed. If memory runs out here as well, the next call takes it out.
local function drop_failed(self)
  local id = self._failed
  self._walkers[id] = nil
  native.remove(self._handle, id)
  self._failed = false
end

local function check_crowd(self)
  check.self(self, "crowd", "a crowd", "crowd")
  if self._damaged then clear(self) end
  if self._failed then drop_failed(self) end
end

-- Walkers ----------------------------------------------------------------------------------------------------------

--- crowd:add(opts): adds a walker, which stands.
-- @param options a table:
--   x, y       where it stands
--   radius     default 0.5: on a grid, in cells. Lengths are measured along the ground: src/lua/move/crowd.c says how
--   speed      units per second; default 1.5: on a grid, in cells
--   acceleration  how much its velocity changes at most in a second, in units per second, > 0. Pushes, walls and others
--              change it more. Default math.huge: no limit
--   patience   seconds without progress after which it is stuck, > 0; math.huge: never. Default 10
--   priority   a whole number: of two walkers, the one with less makes way. Default 0
--   group      the name of its group; default "default"
--   avoids     the groups for which it makes way; it passes through all others. Default: all
--   agent, costs, influence   for its plans; default: the costs and layers of the crowd
--   speeds     how the ground slows it; default: as the crowd
--   squeeze    seconds without progress after which it passes through others, or false; default: as the crowd
--   links      "cost", "jump" or "walk": how it crosses links; default: as the crowd
--   map        an overlay of the map of the crowd, for its plans; default: the map of the crowd
--   height     where it stands, in a crowd with the option up; default 0
--   data       anything: its field `data`
-- @return a walker
function methods:add(options)
  check_crowd(self)
  if options == nil then check.fail "options must be a table, got nil" end
  check.options(options, WALKER_OPTIONS)
  local x, y = options.x, options.y
  check.kind(x, check.FINITE, "x")
  check.kind(y, check.FINITE, "y")
  if options.height ~= nil then settings.read_height(self, options.height) end
  local made = walker.bare(self)
  settings.take(made, self, options)
  local group, group_bit = settings.read_group(self, options.group)
  local avoids, avoid_bits = settings.read_avoids(self, options.avoids)
  made._map = fog.read(self, options.map)
  made._agent, made._group, made._avoids, made.data = options.agent, group, avoids, options.data
  local id = check.call(native.add, self._handle, x, y, options.radius, options.speed, options.acceleration,
    options.patience, options.priority, group_bit, avoid_bits, plan.squeeze_of(made),
    plan.links_of(made))
  self._failed = id
  made._id = id
  self._unread = true
  local ok, problem = pcall(rawset, self._walkers, id, made)
  self._failed = not ok and id
  if ok and options.height then ok, problem = pcall(native.rise, self._handle, id, options.height) end
  if ok then ok, problem = pcall(plan.pace, made) end
  if not ok then                               -- no memory, or a function of a tag has raised
    self._failed = id
    drop_failed(self)
    error(problem, 0)
  end
  return setmetatable(made, walker.metatable)
end

--- Raises unless a value is a walker of the crowd.
local function check_member(self, member, what)
  if core.type(member) ~= "walker" or member._crowd ~= self then
    check.fail("%s must be a walker of this crowd, got %s", what, check.describe(member))
  elseif not native.has(member._handle, member._id) then
    check.fail("%s was removed", what)
  end
end

--- A copy of a list of walkers of the crowd.
local function check_list(self, list)
  if type(list) ~= "table" or core.type(list) ~= nil then
    check.fail("walkers must be a list of walkers, got %s", check.describe(list))
  end
  local walkers = {}
  for i = 1, check.length(list) do walkers[i] = list[i] or false end    -- a metamethod may do anything
  for i, member in ipairs(walkers) do check_member(self, member or nil, ("walkers[%d]"):format(i)) end
  return walkers
end

--- crowd:remove(w): takes a walker out, as w:remove.
function methods:remove(member)
  check_crowd(self)
  check_member(self, member, "walker")
  member:remove()
  return self
end

--- crowd:surround(list, target[, opts]): each walker gets a place of its own around a target, and keeps to it.
-- @param options a table or nil: distance: of the inner ring from the target; default: they touch it
-- @return the crowd
function methods:surround(list, target, options)
  check_crowd(self)
  check_list(self, list)
  local x, y, radius, heading = chase.check(target)
  local walkers = check_list(self, list)         -- again: reading the target may have removed one
  check.options(options, SURROUND_OPTIONS)
  local distance = options and options.distance
  local seen = {}
  for i, member in ipairs(walkers) do
    if rawequal(member, target) then check.fail("walkers[%d] is the target", i) end
    if seen[member] then check.fail("walkers[%d] is in the list twice", i) end
    seen[member] = true
  end
  chase.surround(self, walkers, target, distance, x, y, radius, heading)
  return self
end

--- crowd:go(list, x, y[, opts]), crowd:go(list, order), crowd:go(list, field): sends walkers to one place. Each gets a
-- spot of its own around it; with a field, several goals, or options about the end of a plan, each goes by itself.
-- @param list walkers of this crowd
-- @param options, order as for w:go; options also:
--   formation  "keep": the spots are as the walkers stand; or a flat list of offsets from the goal, two for each walker
--   turn       false: these offsets are not turned along the last leg
--   together   true: they go at the speed of the slowest, and keep the formation on open ground
-- @return the crowd
function methods:go(list, x, y, options)
  check_crowd(self)
  if core.type(x) == "field" then
    for _, member in ipairs(check_list(self, list)) do
      if native.has(member._handle, member._id) then member:go(x, y, options) end      -- a function may have removed it
    end
    return self
  end
  local group, orders, differs, high = {}, {}, false, self._high
  local given, asked = walker.order_of(self, x, y, options, true)
  x, y = given.x, given.y
  for _, member in ipairs(check_list(self, list)) do plan.read_closed(member) end    -- functions may do anything
  local walkers, offsets = check_list(self, list), {}
  local made = formation.read(asked, #walkers)
  local places = made.offsets
  if given.ends and (places or made.together) then check.fail "formation and together are for orders to a position" end
  if high and (places or made.together) then check.fail "formation and together: the map must have 2 dimensions" end
  for i, member in ipairs(walkers) do
    local order = {}
    for name, value in next, given do order[name] = value end
    order.formation = formation.text(made, i)
    order.seed = order.seed and order.seed + member._id % SEEDS
    if order.ends or high or plan.failed(member, order) then
      if native.has(member._handle, member._id) then
        walker.send(member, order)                  -- it searches by itself: the others go on as before
      end
    else
      group[#group + 1], orders[#orders + 1] = member, order
      if type(places) == "table" then
        offsets[2 * #group - 1], offsets[2 * #group] = places[2 * i - 1], places[2 * i]
      end
      differs = differs or plan.differs(member, order)
    end
  end
  if given.ends or high then return self end
  if type(places) == "table" then places = offsets end
  if not check.call(native.go_group, self._handle, group, x, y, differs, places, made.turn, made.together) then
    for _, member in ipairs(group) do plan.look_again(member) end
    return self
  end
  for i, member in ipairs(group) do
    plan.order(member, orders[i])                   -- until it has a plan, one that stood goes straight
  end
  return self
end

--- crowd:near(x, y, r[, opts]): a list of the walkers whose centre is within r of a point, along the ground.
-- @param options a table or nil:
--   limit  so many at most, a whole number >= 1: the nearest ones, the nearest first
--   into   a table to fill
function methods:near(x, y, r, options)
  check_crowd(self)
  if type(x) ~= "number" and check.has_fields(x) then
    x, y, r, options = x, nil, y, r
  end
  x, y = walker.position(x, y)
  check.kind(r, check.FACTOR, "r")
  check.options(options, NEAR_OPTIONS)
  local limit, into = options and options.limit, options and options.into
  if into ~= nil then check.kind(into, check.TABLE, "into") end -- a metatable may answer otherwise than before
  return (check.call(native.near, self._handle, x, y, r, limit, into or {}))
end

--- crowd:each(): an iterator over the walkers. Walkers may be added and removed meanwhile.
function methods:each()
  check_crowd(self)
  local handle, id, member = self._handle, nil, nil
  return function()
    member, id = native.next(handle, id)
    return member
  end
end

--- crowd:positions([into]): x and y of all walkers, flat, in the order of each().
-- @param into a table to fill, or nil
function methods:positions(into)
  check_crowd(self)
  if into ~= nil then check.kind(into, check.TABLE, "into") end
  return (check.call(native.positions, self._handle, into or {}))
end

--- crowd:count(): the number of walkers; crowd:hash(): a string that depends on all positions and states;
-- crowd:bytes(): the number of bytes that the core uses for the crowd.
for _, name in ipairs { "count", "hash", "bytes" } do
  methods[name] = function(self)
    check_crowd(self)
    return (check.call(native[name], self._handle))
  end
end

--- crowd:encode(): the crowd as bytes, the same on every machine. save.lua says what is not in them.
function methods:encode()
  check_crowd(self)
  if self._busy then check.fail "the crowd is updating: its functions cannot call encode" end
  return save.encode(self)
end

-- Time -------------------------------------------------------------------------------------------------------------

--- Takes the events of the core's last step.
local function take_events(self)
  local list = self._scratch
  for i = 1, check.call(native.events, self._handle, list), 2 do
    local member, kind = list[i], list[i + 1]
    if kind == plan.ARRIVED then chase.end_plan(member) end
    if kind == plan.ARRIVED or kind == plan.STUCK then
      plan.note(self, member, kind)
    elseif kind == plan.GONE or kind == plan.TOO_FAR then
      chase.give_up(member, kind)
    elseif kind == plan.CROSSES and rawget(self, "_on_link") ~= nil then
      plan.note(self, member, native.link(self._handle, member._id))
    end
    list[i] = false
  end
end

--- Lets the core take at most `most` steps, and plans if it has taken any.
-- @return the number of steps, and the seconds that were dropped
local function advance_by(self, dt, most)
  plan.read_all_closed(self)
  if self._targets.n > 0 and dt > 0 then chase.look(self) end
  local steps, dropped, events = check.call(native.update, self._handle, dt, most)
  self._steps = self._steps + steps
  if events > 0 then take_events(self) end
  if steps > 0 and self._map then
    fog.note(self)
    search.work(self)
  end
  return steps, dropped
end

local function advance(self, dt)
  local most, left, lost = self._max_steps, dt, 0
  local total = 0
  while left >= STEP and total < most do
    local steps, dropped = advance_by(self, STEP, math.min(2, most - total)) -- 2 only by a rounding error
    total, lost, left = total + steps, lost + dropped, left - STEP
  end
  local steps, dropped = advance_by(self, left, math.min(1, most - total))
  return { total + steps, lost + dropped }
end

local HANDLERS = { [plan.ARRIVED] = "_on_arrive", [plan.STUCK] = "_on_stuck", [plan.LOST] = "_on_lost" }
local EVENT_NAMES = { on_arrive = "_on_arrive", on_stuck = "_on_stuck", on_lost = "_on_lost",
  on_link = "_on_link", on_bump = "_on_bump" }
local FIXED = { map = true, walls = true, seed = true, queue = true, budget = true, max_steps = true, up = true,
  tall = true }

function metatable.__index(self, key)
  local method = methods[key]
  if method then return method end
  local field = settings.PROFILE[key] and "_" .. key or EVENT_NAMES[key]
  return field and rawget(self, field)
end

--- Scripts may add fields to a crowd. A name like that of an event is more likely to be a mistake, and so is one of an
--- option, or of a method.
function metatable.__newindex(self, name, value)
  local event = EVENT_NAMES[name]
  if event then
    if value ~= nil then check.kind(value, check.FUNCTION, name) end
    return rawset(self, event, value)
  elseif type(name) == "string" and name:sub(1, 3) == "on_" then
    check.fail("unknown event '%s' (expected one of: on_arrive, on_stuck, on_lost, on_link, on_bump)", name)
  elseif FIXED[name] or methods[name] then
    check.fail("%s cannot be assigned", check.describe(name))
  end
  if not settings.PROFILE[name] then return rawset(self, name, value) end
  check_crowd(self)
  rawset(self, "_" .. name, settings.read(self, name, value))
  self._closes = self._closes or self._costs ~= nil
  for member in self:each() do                      -- those that have none of their own
    if rawget(member, "_" .. name) == nil then plan.changed(member, name) end
  end
end

--- Calls the functions of the script. Returns whether one has raised, and the first error.
local function tell(self)
  local list, n = self._events, self._count
  self._events, self._count = {}, 0
  local failed, first = false, nil
  for i = 1, n, 2 do
    local member, kind = list[i], list[i + 1]
    local link = type(kind) == "table" and kind       -- or a bump
    local fn = rawget(self, link and (link.bump and "_on_bump" or "_on_link") or HANDLERS[kind])
    if fn ~= nil and native.has(member._handle, member._id) then
      local a, b, c, d, e
      if link and link.bump then
        a, b = link.x, link.y
      elseif link then
        a, b, c, d, e = link.tag, link.x, link.y, link.to_x, link.to_y
      elseif kind == plan.STUCK then
        a = member.blocked_by
      elseif kind == plan.LOST then
        a, b = member.message, member.code
      end
      if kind ~= plan.LOST or a then            -- one that was sent elsewhere meanwhile is not lost
        local ok, problem = call(fn, member, a, b, c, d, e)
        if not ok and not failed then failed, first = true, problem end
      end
    end
  end
  return failed, first
end

--- Moves the walkers, and calls the functions of the script.
-- @return the steps and seconds of `advance`, and whether such a function has raised, and the first error
local function work(self, dt)
  self._busy = true
  return advance(self, dt), tell(self)
end

--- crowd:update(dt): lets dt seconds pass, in steps of 1/30 second. Then calls on_arrive and so on.
-- @param dt seconds, finite, >= 0
-- @return the number of steps, and the seconds that were dropped because there were more than max_steps
-- Raises the first error of these functions, after all of them have run.
function methods:update(dt)
  check_crowd(self)
  check.kind(dt, check.FACTOR, "dt")
  if self._busy then check.fail "the crowd is updating: its functions cannot call update" end
  check.call(native.follow_walls, self._handle)
  local ok, done, failed, problem = call(work, self, dt)
  self._damaged, self._busy = not ok, false
  if not ok then
    clear(self)
    error(done, 0)
  elseif failed then
    error(problem, 0)
  end
  return done[1], done[2]
end

function metatable.__tostring(self)
  check_crowd(self)
  local count = self:count()
  return ("wend.Crowd (%d walker%s)"):format(count, count == 1 and "" or "s")
end

--- The table of a crowd.
-- @param budget false: the queue is one of the script
local function assemble(handle, walkers, map, q, budget, max_steps, walls, up)
  local kind = map and core.type(map) or false
  return setmetatable({
    _handle = handle, _walkers = walkers,       -- walkers by id
    _map = map or false, _kind = kind, _walls = walls or nil,
    _targets = { n = 0 },                       -- what walkers chase: see chase.lua
    _paced = false, _tags = false,              -- some walker has had speeds; the number of tags of the map then
    _closes = false, _unread = true,            -- some walker has had costs; which cells these close is to be read
    _closed_tags = native.tags(handle),         -- the number of tags of the map when edits were noted
    _queue = q or map and queue.new() or false,
    _budget = budget,                           -- expansions in a step; false: the script works off the queue
    _spent = 0, _asked = false,                 -- see search.work: of the budget; the id of the last walker asked
    _up = up or false, _high = up and map and true or false, -- the axis of heights; it plans with them
    _steps = 0,                                 -- since it was made or loaded
    _max_steps = max_steps, _busy = false,
    _damaged = false, _failed = false,          -- a step has failed; the id of a walker whose adding has failed
    _events = {}, _count = 0,                   -- walker, kind, ...: those that are not told yet, and how many items
    _scratch = {},                              -- a list for events of the core
    _groups = { [0] = 0 },                      -- numbers of groups by name, and their count
    _edits = false, _time = select(2, native.version(handle)), -- the edits of the map and of profiles that are noted
    _views = { n = 0 },                         -- of the map, by radius: see search.view
    _fogged = false,                            -- some walker has had a map of its own
    _areas = setmetatable({}, { __mode = "k" }), -- the goals of fields: see note_area in search.lua
    _map_numbers = setmetatable({ n = 0 }, { __mode = "k" }), -- of such maps, for the keys of views
  }, metatable)
end

--- wend.crowd([opts]): makes a crowd without walkers.
-- @param options a table or nil:
--   map        a grid: its closed cells, its walls and all outside are solid. Or a graph of 2 dimensions; with up, of 3
--   walls      wend.Walls, which are solid too. They may change
--   costs      the profile of plans; walkers may have their own
--   influence  layers and factors, for plans and for what walkers cut; walkers may have their own
--   seed       a finite number, which decides ties between walkers; default: those added first count as first
--   speeds     how the ground slows walkers: factors of the speed by tag; or "costs": 1 / (weight x times)
--   squeeze    seconds without progress after which walkers pass through others, > 0, or false: never. Default 3
--   links      how walkers cross links: "cost", "jump" or "walk"; default "cost"
--   queue      the queue for plans, which the script works off; default: one of its own
--   budget     the expansions of its own queue in each step, a whole number >= 1; default 4096
--   up         "y" or "z": walkers have heights along this axis, and go along paths of 3 dimensions
--   tall       walkers whose heights differ by so much do not meet. Default 2
--   max_steps  how many steps an update takes at most, a whole number in 1 .. 1e6; default 8
--   on_arrive, on_stuck, on_lost, on_link, on_bump   functions, which become the fields of these names
local function new(options)
  check.options(options, OPTIONS)
  options = options or {}
  local map, walls, q, budget = options.map, options.walls, options.queue, options.budget
  if q ~= nil and budget ~= nil then
    check.fail "budget is for the crowd's own queue: it cannot be combined with the option queue"
  end
  if options.up == nil and options.tall ~= nil then check.fail "tall needs the option up" end
  local ok, handle, walkers = pcall(native.make, map, walls, options.seed, options.up and (options.tall or TALL))
  if not ok then
    if type(handle) ~= "string" then error(handle, 0) end
    check.fail("%s", handle)
  end
  budget = not q and (budget or search.BUDGET)
  local self = assemble(handle, walkers, map, q, budget, options.max_steps or MAX, walls, options.up)
  settings.take(self, self, options)
  for name, field in pairs(EVENT_NAMES) do rawset(self, field, options[name]) end
  return self
end

methods.save = file.saver(methods.encode)

--- Reads a crowd: for wend.decode.
local function decode(bytes, options)
  return save.decode(assemble, search.BUDGET, bytes, options)
end

return { new = new, decode = decode }
