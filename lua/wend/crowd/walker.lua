-- SPDX-License-Identifier: MIT
-- wend.Walker: one member of a crowd. The core knows where it is and how it moves; its fields are read there.

local core = require "wend.core"
local check = require "wend.check"
local places = require "wend.crowd.places"
local plan = require "wend.crowd.plan"

local raw = places.raw
local HANDLE, ID, CROWD, AGENT, COSTS = places.HANDLE, places.ID, places.CROWD, places.AGENT, places.COSTS
local CROWD_COSTS = places.CROWD_COSTS
local huge = math.huge

local GO_OPTIONS = { "costs", "agent" }

local methods = {}
local metatable = core.class "walker"

local function check_walker(self)
  check.self(self, "walker", "a walker", "walker")
  if not raw.has(self[HANDLE], self[ID]) then
    check.fail "the walker was removed"
  end
end

--- A finite number of a call.
local function check_number(value, what)
  if type(value) ~= "number" or not (value > -huge and value < huge) then
    check.fail("%s must be a finite number, got %s", what, check.describe(value))
  end
end

local function check_costs(costs)
  if costs ~= nil and core.type(costs) ~= "costs" then
    check.fail("costs must be a profile made by wend.costs, got %s", check.describe(costs))
  end
end

--- Two numbers, or one value with fields x and y.
-- @return x, y, and the argument after them
local function position(x, y, after)
  if type(x) ~= "number" and (type(x) == "table" or type(x) == "userdata" or type(x) == "cdata") then
    x, y, after = x.x, x.y, y
  end
  check_number(x, "x")
  check_number(y, "y")
  return x, y, after
end

--- The aim of a walker that is sent to a place.
local function aim_of(self, x, y, options)
  local costs, agent
  if options then costs, agent = options.costs, options.agent end
  if costs == nil then costs = self[COSTS] else check_costs(costs) end
  if costs == nil then costs = self[CROWD][CROWD_COSTS] end
  if agent == nil then agent = self[AGENT] end
  return { x = x, y = y, costs = costs, agent = agent }
end

--- The flat list of a path, a route or a list.
local function points_of(given)
  local points = core.type(given) == "path" and check.call(given.points, given) or given
  if (points.dimensions or given.dimensions) == 3 then
    check.fail "points must have 2 dimensions, got 3"
  end
  return points
end

--- w:go(x, y[, opts]), w:go(points), w:go(field): sends the walker somewhere.
-- @param x, y a position. On a map the way is planned by the queue of the crowd; until then it goes on as before
-- @param opts a table or nil: costs, agent: instead of those of the walker
-- @param points a flat list, a path or a route: it goes along them, and to the last of them
-- @param field a field of the grid of the crowd: it goes to the nearest goal
-- @return the walker
function methods:go(x, y, options)
  check_walker(self)
  local kind = core.type(x)
  if kind == "field" then
    check.call(raw.takes, self[HANDLE], x)
    plan.go(self, { field = x })
  elseif kind == "path" or type(x) == "table" and kind == nil and rawget(x, "x") == nil and rawget(x, 1) ~= nil then
    local points = points_of(x)
    local count = check.length(points)
    local aim = aim_of(self, points[count - 1], points[count])
    aim.given = true
    plan.go(self, aim, points)
  else
    x, y, options = position(x, y, options)
    check.options(options, GO_OPTIONS)
    local kind_of_map = self[CROWD][places.KIND]
    if kind_of_map == "graph" then check.call(raw.takes, self[HANDLE], x, y) end
    plan.go(self, aim_of(self, x, y, options), not kind_of_map and { x, y } or nil)
  end
  return self
end

--- w:stop(): forgets its goal and stands. It makes way for others, and comes back.
function methods:stop()
  check_walker(self)
  check.call(raw.stop, self[HANDLE], self[ID])
  plan.forget(self)
  return self
end

--- w:hold([held]): it does not move, and makes way for nobody. false: it goes on.
function methods:hold(held)
  check_walker(self)
  if held ~= nil and type(held) ~= "boolean" then
    check.fail("held must be true or false, got %s", check.describe(held))
  end
  check.call(raw.hold, self[HANDLE], self[ID], held ~= false)
  return self
end

--- w:push(vx, vy): adds a velocity that fades within about a second.
function methods:push(vx, vy)
  check_walker(self)
  check_number(vx, "vx")
  check_number(vy, "vy")
  check.call(raw.push, self[HANDLE], self[ID], vx, vy)
  return self
end

--- w:place(x, y): puts it somewhere else, at rest. It goes on from there to its goal.
function methods:place(x, y)
  check_walker(self)
  x, y = position(x, y)
  check.call(raw.place, self[HANDLE], self[ID], x, y)
  return self
end

--- w:remove(): takes it out of the crowd. Its state is then "removed".
function methods:remove()
  check_walker(self)
  local id, walkers = self[ID], self[CROWD][places.WALKERS]
  check.call(raw.remove, self[HANDLE], id)
  walkers[id] = nil
  plan.forget(self)
end

--- The table of a walker, which has no id and no metatable yet.
local function bare(crowd, agent, costs)
  return { crowd[HANDLE], false, crowd, false, false, false, false, -huge, huge, huge, 0, agent, costs, false, 0, false,
    false, false }
end

local fields
metatable.__index, fields = raw.reader(methods)

--- What is read in the core cannot be assigned.
function metatable.__newindex(self, key, value)
  if methods[key] or fields[key] then
    check.fail("%s cannot be assigned", check.describe(key))
  end
  rawset(self, key, value)
end

function metatable.__tostring(self)
  check.self(self, "walker", "a walker", "walker")
  return ("wend.Walker (%s)"):format(self.state)
end

return { metatable = metatable, check_number = check_number, check_costs = check_costs, position = position,
  aim_of = aim_of, bare = bare }
