-- SPDX-License-Identifier: MIT
-- wend.crowd: walkers that keep apart, get through, and arrive.
--
--   places.lua   what crowds and walkers hold
--   plan.lua     where walkers are sent, and the plans of their routes
--   jam.lua      ways around jams
--   walker.lua   walkers
--   save.lua     crowds as bytes
--
-- The core moves the walkers (src/core/crowd). crowd:update lets it take one step at a time. After each step come the
-- plans: so they do not depend on the frame rate either. The functions of the script follow when all steps are taken.

local core = require "wend.core"
local check = require "wend.check"
local queue = require "wend.queue"
local places = require "wend.crowd.places"
local jam = require "wend.crowd.jam"
local plan = require "wend.crowd.plan"
local save = require "wend.crowd.save"
local walker = require "wend.crowd.walker"

local raw, call, huge = places.raw, core.call, math.huge
local HANDLE, ID, CROWD, WALKERS, MAP = places.HANDLE, places.ID, places.CROWD, places.WALKERS, places.MAP
local BUSY, EVENTS, COUNT, STEPS, MAX_STEPS, GROUPS = places.BUSY, places.EVENTS, places.COUNT, places.STEPS,
  places.MAX_STEPS, places.GROUPS
local ARRIVED, STUCK, NEEDS_ROUTE, SLOW = places.ARRIVED, places.STUCK, places.NEEDS_ROUTE, places.SLOW

local STEPS_MOST, GROUPS_MOST = places.STEPS_MOST, places.GROUPS_MOST

local STEP = 1 / 30            -- seconds: as in the core
local BUDGET = 4096            -- expansions a step
local MAX = 8                  -- steps an update
local OPTIONS = { "map", "walls", "costs", "seed", "queue", "budget", "max_steps" }
local WALKER_OPTIONS = { "x", "y", "radius", "speed", "acceleration", "patience", "priority", "group", "avoids",
  "agent", "costs", "data" }
local GO_OPTIONS = { "costs", "agent" }

local methods = {}
local metatable = core.class "crowd"
metatable.__index = methods

local function check_crowd(self)
  check.self(self, "crowd", "a crowd", "crowd")
end

-- Walkers ----------------------------------------------------------------------------------------------------------

--- The bit of a group, by its name.
local function bit_of(self, name, what)
  if type(name) ~= "string" then
    check.fail("%s must be a string, got %s", what, check.describe(name))
  end
  local groups = self[GROUPS]
  local number = groups[name]
  if not number then
    number = groups[0]
    if number == GROUPS_MOST then
      check.fail("%s: a crowd has at most %d groups", what, GROUPS_MOST)
    end
    groups[name] = number                        -- there may be no memory for it: then the count stays
    groups[0] = number + 1
  end
  return 2 ^ number
end

--- The bits of a list of groups.
local function bits_of(self, list)
  if type(list) ~= "table" then
    check.fail("avoids must be a list of groups, got %s", check.describe(list))
  end
  local bits, seen = 0, {}
  for i = 1, check.length(list) do
    local bit = bit_of(self, list[i], ("avoids[%d]"):format(i))
    if not seen[bit] then bits, seen[bit] = bits + bit, true end
  end
  return bits
end

--- crowd:add(opts): adds a walker, which stands.
-- @param options a table:
--   x, y       where it stands
--   radius     default 0.5: on a grid, in cells. Lengths are measured along the ground: src/lua/crowd.c says how
--   speed      units per second; default 1.5: on a grid, in cells
--   acceleration  how much its velocity changes at most in a second, in units per second, > 0. Pushes, walls and others
--              change it more. Default math.huge: no limit
--   patience   seconds without progress after which it is stuck, > 0; math.huge: never. Default 10
--   priority   a whole number: of two walkers, the one with less makes way. Default 0
--   group      the name of its group; default "default"
--   avoids     the groups for which it makes way; it passes through all others. Default: all
--   agent, costs   for its plans; default: the costs of the crowd
--   data       anything: its field `data`
-- @return a walker
function methods:add(options)
  check_crowd(self)
  if options == nil then check.fail "options must be a table, got nil" end
  check.options(options, WALKER_OPTIONS)
  local x, y = options.x, options.y
  walker.check_number(x, "x")
  walker.check_number(y, "y")
  local priority = options.priority
  if priority ~= nil
    and (type(priority) ~= "number" or priority % 1 ~= 0 or not (priority > -huge and priority < huge)) then
    check.fail("priority must be a whole number, got %s", check.describe(priority))
  end
  local costs = options.costs
  walker.check_costs(costs)
  local group = bit_of(self, options.group == nil and "default" or options.group, "group")
  local avoids = options.avoids ~= nil and bits_of(self, options.avoids) or nil
  local made = walker.bare(self, options.agent, costs)
  made.data = options.data
  local id = check.call(raw.add, self[HANDLE], x, y, options.radius, options.speed, options.patience,
    priority, group, avoids, options.acceleration)
  made[ID] = id
  local ok, problem = pcall(rawset, self[WALKERS], id, made)
  if not ok then
    raw.remove(self[HANDLE], id)
    error(problem, 0)
  end
  return setmetatable(made, walker.metatable)
end

--- crowd:go(list, x, y[, opts]): sends walkers to one place. Each gets a spot of its own around it.
-- @param list walkers of this crowd
-- @param options a table or nil: costs, agent: instead of those of the walkers
-- @return the crowd
function methods:go(list, x, y, options)
  check_crowd(self)
  if type(list) ~= "table" or core.type(list) ~= nil then
    check.fail("walkers must be a list of walkers, got %s", check.describe(list))
  end
  x, y, options = walker.position(x, y, options)
  check.options(options, GO_OPTIONS)
  local walkers = {}
  for i = 1, check.length(list) do
    local one = list[i]
    if core.type(one) ~= "walker" or one[CROWD] ~= self then
      check.fail("walkers[%d] must be a walker of this crowd, got %s", i, check.describe(one))
    elseif not raw.has(one[HANDLE], one[ID]) then
      check.fail("walkers[%d] was removed", i)
    end
    walkers[i] = one
  end
  check.call(raw.go_group, self[HANDLE], walkers, x, y)
  for _, one in ipairs(walkers) do
    local aim = walker.aim_of(one, nil, nil, options)
    aim.goal_x, aim.goal_y = x, y
    if self[MAP] then
      plan.go(one, aim)                        -- until it has a plan, it goes straight
    else
      plan.forget(one)
      one[places.AIM] = aim
    end
  end
  return self
end

--- crowd:near(x, y, r): a list of the walkers whose centre is within r of a point, along the ground.
function methods:near(x, y, r)
  check_crowd(self)
  local after
  x, y, after = walker.position(x, y, r)
  r = after
  if type(r) ~= "number" or not (r >= 0 and r < huge) then
    check.fail("r must be a finite number >= 0, got %s", check.describe(r))
  end
  return check.call(raw.near, self[HANDLE], x, y, r)
end

--- crowd:each(): an iterator over the walkers. Walkers may be added and removed meanwhile.
function methods:each()
  check_crowd(self)
  local handle, id, one = self[HANDLE], nil, nil
  return function()
    one, id = raw.next(handle, id)
    return one
  end
end

--- crowd:count(): the number of walkers.
function methods:count()
  check_crowd(self)
  return check.call(raw.count, self[HANDLE])
end

--- crowd:positions([into]): x and y of all walkers, flat, in the order of each().
-- @param into a table to fill, or nil
function methods:positions(into)
  check_crowd(self)
  if into ~= nil and type(into) ~= "table" then
    check.fail("into must be a table, got %s", check.describe(into))
  end
  return check.call(raw.positions, self[HANDLE], into or {})
end

--- crowd:hash(): a string that depends on all positions and states.
function methods:hash()
  check_crowd(self)
  return check.call(raw.hash, self[HANDLE])
end

--- crowd:bytes(): the number of bytes that the core uses for the crowd.
function methods:bytes()
  check_crowd(self)
  return check.call(raw.bytes, self[HANDLE])
end

--- crowd:encode(): the crowd as bytes, the same on every machine. save.lua says what is not in them.
function methods:encode()
  check_crowd(self)
  if self[BUSY] then check.fail "the crowd is updating: its functions cannot call encode" end
  return save.encode(self)
end

-- Time -------------------------------------------------------------------------------------------------------------

--- Takes the events of the core's last step.
local function take_events(self)
  local list = self[places.SCRATCH]
  local n = check.call(raw.events, self[HANDLE], list, 0)
  for i = 1, n, 2 do
    local one, kind = list[i], list[i + 1]
    if kind == SLOW then
      jam.add(one)
    elseif kind ~= NEEDS_ROUTE and not plan.is_early(one, kind == ARRIVED) then
      plan.note(self, one, kind)
      if kind == ARRIVED then plan.finish(one) end
    end
  end
  for i = 1, n, 2 do
    if list[i + 1] == NEEDS_ROUTE then plan.needed(list[i]) end
    list[i] = false
  end
end

--- Lets the core take at most `most` steps, and plans if it has taken any.
-- @return the number of steps, and the seconds that were dropped
local function advance_by(self, dt, most)
  local steps, dropped, events = check.call(raw.update, self[HANDLE], dt, most)
  if steps > 0 then
    self[STEPS] = self[STEPS] + steps
    if events > 0 then take_events(self) end
    jam.work(self)
    plan.work(self)
  end
  return steps, dropped
end

local function advance(self, dt)
  local most, left, lost = self[MAX_STEPS], dt, 0
  local total = 0
  while left >= STEP and total < most do
    local steps, dropped = advance_by(self, STEP, math.min(2, most - total)) -- 2 only by a rounding error
    total, lost, left = total + steps, lost + dropped, left - STEP
  end
  local steps, dropped = advance_by(self, left, math.min(1, most - total))
  return { total + steps, lost + dropped }
end

local HANDLERS = { [ARRIVED] = "on_arrive", [STUCK] = "on_stuck", [places.LOST] = "on_lost" }
local EVENT_NAMES = { on_arrive = true, on_stuck = true, on_lost = true }

--- Scripts may add fields to a crowd. A name like that of an event is more likely to be a mistake.
function metatable.__newindex(self, name, value)
  if type(name) == "string" and name:sub(1, 3) == "on_" and not EVENT_NAMES[name] then
    check.fail("unknown event '%s' (expected one of: on_arrive, on_stuck, on_lost)", name)
  end
  rawset(self, name, value)
end

--- Calls the functions of the script. Returns whether one has raised, and the first error.
local function tell(self)
  local list, n = self[EVENTS], self[COUNT]
  self[EVENTS], self[COUNT] = {}, 0
  local failed, first = false, nil
  for i = 1, n, 2 do
    local one, kind = list[i], list[i + 1]
    local name = HANDLERS[kind]
    local fn = name and rawget(self, name)
    if fn ~= nil and raw.has(one[HANDLE], one[ID]) then
      local a, b
      if kind == STUCK then
        a = one.blocked_by
      elseif kind == places.LOST then
        a, b = one.reason, one.code
      end
      local ok, problem
      if check.is_callable(fn) then
        ok, problem = call(fn, one, a, b)
      else
        ok, problem = false, ("%s must be a function, got %s"):format(name, check.describe(fn))
      end
      if not ok and not failed then failed, first = true, problem end
    end
  end
  return failed, first
end

--- Moves the walkers, and calls the functions of the script also if that raises.
-- @return the steps and seconds of `advance`; or nil
-- @return whether something has raised, and the first error
local function work(self, dt)
  self[BUSY] = true                             -- not before: there may be no memory for the call
  local ok, done = call(advance, self, dt)
  local told, failed, problem = call(tell, self)
  if not ok then
    return nil, true, done
  elseif not told then
    return nil, true, failed
  end
  return done, failed, problem
end

--- crowd:update(dt): lets dt seconds pass, in steps of 1/30 second. Then calls on_arrive, on_stuck and on_lost.
-- @param dt seconds, finite, >= 0
-- @return the number of steps, and the seconds that were dropped because there were more than max_steps
-- Raises the first error of these functions, after all of them have run.
function methods:update(dt)
  check_crowd(self)
  if type(dt) ~= "number" or not (dt >= 0 and dt < huge) then
    check.fail("dt must be a finite number >= 0, got %s", check.describe(dt))
  elseif self[BUSY] then
    check.fail "the crowd is updating: its functions cannot call update"
  end
  local ok, done, failed, problem = call(work, self, dt)
  self[BUSY] = false
  if not ok then
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
local function assemble(handle, walkers, map, q, budget, max_steps, walls, costs)
  local kind = map and core.type(map) or false
  return setmetatable({
    handle, walkers, map or false, kind, q or map and queue.new() or false,
    budget, max_steps, false, {}, 0,
    { first = 1, last = 0 }, 0, walls or nil, costs or nil, { [0] = 0 }, {},
    kind and core.path_watch(map), {}, { into = {} }, {},
    0, jam.new(),
  }, metatable)
end

--- wend.crowd([opts]): makes a crowd without walkers.
-- @param options a table or nil:
--   map        a grid: its closed cells, its walls and all outside are solid. Or a graph of 2 dimensions
--   walls      wend.Walls, which are solid too. They are copied
--   costs      the profile of plans; walkers may have their own
--   seed       a finite number, which decides ties between walkers; default: those added first count as first
--   queue      the queue for plans, which the script works off; default: one of its own
--   budget     the expansions of its own queue in each step, a whole number >= 1; default 4096
--   max_steps  how many steps an update takes at most, a whole number in 1 .. 1e6; default 8
local function new(options)
  check.options(options, OPTIONS)
  options = options or {}
  local map, walls, costs, q = options.map, options.walls, options.costs, options.queue
  local budget, max_steps = options.budget, options.max_steps
  local kind = core.type(map)
  if map ~= nil and kind ~= "grid" and kind ~= "graph" then
    check.fail("map must be a graph or a grid, got %s", check.describe(map))
  elseif walls ~= nil and core.type(walls) ~= "walls" then
    check.fail("walls must be walls, got %s", check.describe(walls))
  elseif q ~= nil and core.type(q) ~= "queue" then
    check.fail("queue must be a queue, got %s", check.describe(q))
  elseif q ~= nil and budget ~= nil then
    check.fail "budget is for the crowd's own queue: it cannot be combined with the option queue"
  end
  walker.check_costs(costs)
  if budget ~= nil and (type(budget) ~= "number" or not (budget >= 1) or budget % 1 ~= 0 and budget ~= huge) then
    check.fail("budget must be a whole number >= 1, got %s", check.describe(budget))
  elseif max_steps ~= nil
    and (type(max_steps) ~= "number" or not (max_steps >= 1 and max_steps <= STEPS_MOST) or max_steps % 1 ~= 0) then
    check.fail("max_steps must be a whole number in 1 .. %d, got %s", STEPS_MOST, check.describe(max_steps))
  end
  local ok, handle, walkers = pcall(raw.make, map, walls, options.seed)
  if not ok then
    if type(handle) ~= "string" then error(handle, 0) end
    check.fail("%s", handle)
  end
  return assemble(handle, walkers, map, q, not q and (budget or BUDGET), max_steps or MAX, walls, costs)
end

raw.reads(function(bytes, options) return save.decode(assemble, BUDGET, bytes, options) end)

return { new = new, methods = methods }
