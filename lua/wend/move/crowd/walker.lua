-- SPDX-License-Identifier: MIT
-- wend.Walker: one member of a crowd. The core knows where it is and how it moves; its fields are read there.

local core = require "wend.core"
local check = require "wend.check"
local parts = require "wend.once"
local chase = require "wend.move.crowd.chase"
local formation = require "wend.move.crowd.formation"
local heights = require "wend.move.crowd.heights"
local other_goals = require "wend.move.crowd.other_goals"
local plan = require "wend.move.crowd.plan"
local search = require "wend.move.crowd.search"
local settings = require "wend.move.crowd.settings"

local native = plan.native

local GO_OPTIONS = { "partial", "closed_goal", "within", "beside", "sight", "pass_only", "variation", "seed", "stop",
  "height", kinds = { partial = check.SWITCH, closed_goal = check.SWITCH, stop = check.SWITCH, within = check.FACTOR,
    beside = check.SWITCH, sight = check.SWITCH, variation = check.FACTOR, seed = check.FINITE,
    height = check.FINITE } }
local ORDER_OPTIONS = { "goals", kinds = GO_OPTIONS.kinds }
for i, name in ipairs(GO_OPTIONS) do ORDER_OPTIONS[i + 1] = name end
local GROUP_OPTIONS = { "formation", "turn", "together", kinds = setmetatable({ formation = formation.KIND,
  turn = check.SWITCH, together = check.SWITCH }, { __index = GO_OPTIONS.kinds }) }
for _, name in ipairs(GO_OPTIONS) do GROUP_OPTIONS[#GROUP_OPTIONS + 1] = name end
local CHASE_OPTIONS = { "distance", "angle", kinds = { distance = check.FACTOR, angle = check.FINITE } }
local WHY_OPTIONS = { "obstacles", kinds = { obstacles = check.TABLE } }

local methods = {}
local metatable = parts.walker

local function check_walker(self)
  check.self(self, "walker", "a walker", "walker")
  if not native.has(self._handle, self._id) then
    check.fail "the walker was removed"
  end
end

--- Two numbers, or one value with fields x and y.
-- @return x, y, and the argument after them
local function position(x, y, after)
  x, y, after = check.position(x, y, after)
  check.kind(x, check.FINITE, "x")
  check.kind(y, check.FINITE, "y")
  return x, y, after
end

--- Whether a value is a table of the options of an order, and no position.
local function is_order(value)
  if type(value) ~= "table" or core.type(value) ~= nil then return false end
  for _, name in ipairs(ORDER_OPTIONS) do        -- a unit may have such a field, too
    if rawget(value, name) ~= nil then return rawget(value, 1) == nil and value.x == nil end
  end
  return false
end

--- A list of positions as a flat list.
local function read_goals(list)
  local goals = {}
  check.list(list, "goals", "a list of positions")
  for i = 1, check.length(list) do
    local item = list[i]
    local is_list = type(item) == "table" and rawget(item, 1) ~= nil and rawget(item, "x") == nil
    local x, y = item
    if not is_list then x, y = check.position(item) end
    check.must(not rawequal(x, item), ("goals[%d]"):format(i), "a position { x = , y = }", item)
    check.kind(x, check.FINITE, ("goals[%d].x"):format(i))
    check.kind(y, check.FINITE, ("goals[%d].y"):format(i))
    goals[2 * i - 1], goals[2 * i] = x * 1.0, y * 1.0
  end
  return goals
end

--- A copy of a list of tags; nil: it is empty.
local function read_tags(list)
  if list == nil then return nil end
  local tags = {}
  check.list(list, "pass_only", "a list of tags")
  for i = 1, check.length(list) do
    local tag = list[i]
    check.must(type(tag) == "string", ("pass_only[%d]"):format(i), "a tag", tag)
    tags[i] = tag
  end
  return tags[1] and tags or nil
end

--- The order of a walker that is sent to a position, or to the best one of some; see plan.lua.
-- @param x, y, options the arguments of `go`: they are checked here
-- @param of_group whether it is one of a group
-- @return the order, and its options
local function order_of(crowd, x, y, options, of_group)
  local goals
  if is_order(x) then
    if y ~= nil then check.fail("the order has its options in its table, got %s too", check.describe(y)) end
    options = x
    check.options(options, ORDER_OPTIONS, "order")
    goals = read_goals(options.goals)
  else
    x, y, options = position(x, y, options)
    check.options(options, of_group and GROUP_OPTIONS or GO_OPTIONS)
    goals = { x, y }
  end
  options = options or {}
  local order = { partial = options.partial or nil, closed_goal = options.closed_goal or nil,
    rush = options.stop == false or nil }
  if options.variation and not options.seed then check.fail "variation needs a seed: the path depends on it" end
  if options.variation and options.variation > 0 then
    order.variation, order.seed = options.variation * 1.0, options.seed * 1.0
  end
  local ends = { goals = goals, within = options.within, beside = options.beside or nil, sight = options.sight or nil,
    pass_only = read_tags(options.pass_only) }
  if #goals == 2 and not (ends.within or ends.beside or ends.sight or ends.pass_only) then
    order.x, order.y = goals[1], goals[2]
    if crowd._high then
      order.height = check.kind(options.height, check.FINITE, "height")
      order.node = heights.node(crowd._map, crowd._up, order.x, order.y, order.height)
    elseif options.height ~= nil then
      check.fail "height: the crowd needs the options up and map"
    end
  elseif crowd._kind == "grid" then
    order.ends = ends
  else
    check.fail "goals, within, beside, sight and pass_only: the map of the crowd must be a grid"
  end
  return order, options
end

--- Gives a walker its order, unless that is the one which it has.
local function send(self, order)
  local handle, id = self._handle, self._id
  if plan.repeats(self, order) or other_goals.takes_over(self, order) then return end
  if order.ends then check.call(native.send, handle, id, native.at(handle, id)) end    -- it forgets the last goal
  check.call(native.send, handle, id, order.x, order.y)
  plan.order(self, order)
  search.ask_soon(self)
end

--- The flat list of a path, a route or a list.
-- @return points along the ground; their heights, or nil
local function points_of(crowd, given)
  local is_path = core.type(given) == "path"
  local points = is_path and check.call(given.points, given) or given
  if (is_path and #points / #given or given.dimensions) ~= 3 then return points end
  if not crowd._up then check.fail "points must have 2 dimensions, got 3" end
  return heights.split(crowd._up, points)
end

--- Whether a flat list has only points to which a walker can be sent.
local function are_points(handle, points)
  for i = 1, #points, 2 do
    if not native.reaches(handle, points[i], points[i + 1]) then return false end
  end
  return #points > 0
end

--- The order of a walker that is given a path or a route of its map: to the end of it, which may be closed.
local function order_to_end(self, x, y, height)
  local map, up = self._crowd._map, self._crowd._up
  if height then return { x = x, y = y, height = height, node = heights.node(map, up, x, y, height) } end
  local cell_x, cell_y
  if core.type(map) == "grid" then cell_x, cell_y = map:cell_at(x, y) end
  return { x = x, y = y, closed_goal = cell_x and map:is_closed(cell_x, cell_y) or nil }
end

--- w:go(x, y[, opts]), w:go(order), w:go(points), w:go(field): sends the walker somewhere.
-- @param x, y a position. On a map the way is planned by the queue of the crowd; until then it goes on as before
-- @param opts a table or nil:
--   partial      true: if there is no path, to the place nearest to the goal
--   closed_goal  true: the goal may be closed
--   stop         false: it does not slow down before the goal
--   variation, seed   as for the path of a map
--   within, beside, sight, pass_only   where the plan ends, as for the path of a grid. within: in units of the world
-- @param order a table with these options and goals, a list of positions: it goes to the cheapest
-- @param points a flat list, a path or a route: it goes along them, and to the last of them. A path or a route of the
-- map of the crowd, or of an overlay of it, is followed like a plan
-- @param field a field of the grid of the crowd: it goes to the nearest goal
-- @return the walker
function methods:go(x, y, options)
  check_walker(self)
  check.found(x, y)
  local kind, handle, id = core.type(x), self._handle, self._id
  local listed = kind == "path" or type(x) == "table" and kind == nil and rawget(x, "x") == nil and rawget(x, 1) ~= nil
  if y ~= nil and (listed or kind == "field") then
    check.fail("options are for positions: %s has none", check.describe(x))
  end
  for _, name in ipairs(kind == nil and listed and ORDER_OPTIONS or {}) do
    if rawget(x, name) ~= nil then check.fail("%s is for positions: a list of points has none", name) end
  end
  local order, points, levels
  if kind == "field" then
    check.call(native.takes, handle, x)
    order = { field = x }
  elseif listed then
    order = {}
    points, levels = points_of(self._crowd, x)
    if search.owns(self, x) and are_points(handle, points) then
      order = order_to_end(self, points[#points - 1], points[#points], levels and levels[#levels])
      if search.follow(self, x, points, order, levels) then return self end
      points = nil                               -- it looks for another way there
    end
  else
    order = order_of(self._crowd, x, y, options)
    points = not self._crowd._map and { order.x, order.y }
  end
  if points then
    check.call(native.go, handle, id, points)
    if levels then check.call(native.rise, handle, id, nil, levels) end
    plan.order(self, order)
  else
    send(self, order)
  end
  return self
end

--- w:chase(target[, opts]): follows what moves, and stays in reach of it.
-- @param target a walker, a follower, or any table with x and y
-- @param options a table or nil:
--   distance   how near it goes, between the centres; default: they touch
--   angle      it keeps to the place at this angle from the heading of the target, at this distance
-- @return the walker
function methods:chase(target, options)
  check_walker(self)
  local x, y, radius, heading = chase.check(target)
  check_walker(self)                             -- again: reading the target may have removed it
  check.options(options, CHASE_OPTIONS)
  if rawequal(target, self) then check.fail "a walker cannot chase itself" end
  chase.begin(self, { target = target, distance = options and options.distance, angle = options and options.angle },
    x, y, radius, heading)
  return self
end

--- The cell or the node that a plan of the walker would begin or end at, as a list; nil: none.
local function place_on(map, x, y, crowd, height)
  if not x then return nil end
  if crowd and crowd._high then return heights.node(map, crowd._up, x, y, height) end
  if core.type(map) == "grid" then
    local cell_x, cell_y = map:cell_at(x, y)
    return cell_x and { x = cell_x, y = cell_y }
  end
  return (map:nearest(x, y))
end

--- Calls a query of a map from one place to another: see place_on. Cells are given as numbers, since tables with x and
-- y are cells on some grids only.
local function between(query, map, from, to, options)
  if core.type(map) == "grid" then return check.call(query, map, from.x, from.y, to.x, to.y, options) end
  return check.call(query, map, from, to, options)
end

--- The report of a walker that is too wide for a cell.
local function report_narrow(self, from, to, cell)
  return setmetatable({ from = from, to = to, obstacles = {}, narrow = cell,
    text = ("The way is too narrow for the radius %g at (%d,%d)."):format(self.radius, cell.x, cell.y) }, parts.why)
end

--- The first cell of a path where the disc of a walker does not fit; nil: there is none.
local function find_narrow(view, path, options)
  for _, step in ipairs(path and check.call(view.map.explain, view.map, plan.cells_of(path), options) or {}) do
    if step.cost == math.huge then return { x = step.to_x, y = step.to_y } end
  end
end

--- The report for a wide walker that has no way, although there is one for a point: where that is too narrow first.
-- @return nil: it has a way
local function report_gap(self, from, to, order)
  local map, view = plan.map_of(self), search.view(self)
  local x, y = search.goal_cell(self, view, to.x, to.y, order)
  local goal = { x = x or to.x, y = y or to.y }
  local options = { costs = plan.costs_of(self), agent = self.agent, closed_goal = order.closed_goal }
  if not view.radius or x and between(view.map.path, view.map, from, goal, options) then return nil end
  local path = between(map.path, map, from, goal, options)
  return report_narrow(self, from, to, find_narrow(view, path, options) or goal)
end

--- The cells of the goals of an order with `ends`, or with a field, as a flat list.
local function goals_of(self, order)
  local map, ends, goals = plan.map_of(self), order.ends, {}
  if order.field then
    if order.field == plan.STALE_FIELD or order.aimless then return goals end
    local ok, found = core.call(native.ends, self._handle, order.field)    -- it may have become one of another map
    return ok and found or goals
  end
  for i = 1, #ends.goals, 2 do
    local goal = place_on(map, ends.goals[i], ends.goals[i + 1])
    if goal then goals[#goals + 1], goals[#goals + 2] = goal.x, goal.y end
  end
  return goals
end

--- The report of such an order: about the way to its goals, as if it had to come up to them; or where the way is too
-- narrow. nil: it has a way
local function report_ends(self, from, order, obstacles)
  local map, goals, ends = plan.map_of(self), goals_of(self, order), order.ends or {}
  if not from or #goals == 0 then return nil end
  local options = { costs = plan.costs_of(self), agent = self.agent, closed_goal = order.closed_goal }
  local _, _, unit = native.places(self._handle)
  for _, name in ipairs(search.ENDS) do options[name] = ends[name] end
  options.within = ends.within and ends.within / unit
  local path = check.call(map.path, map, from.x, from.y, goals, options)    -- of a point
  if not path then
    return check.call(map.why_not, map, from.x, from.y, goals, { costs = options.costs, agent = options.agent,
      closed_goal = order.closed_goal or (ends.within or ends.beside or ends.sight) and true, obstacles = obstacles })
  end
  local view = self.code == "no_path" and search.view(self)
  if not view or not view.radius then return nil end
  local to = { x = path[#path - 1], y = path[#path] }
  local gap = find_narrow(view, path, { costs = options.costs, agent = options.agent })
  return report_narrow(self, from, to, gap or to)
end

--- w:why_not([opts]): what keeps it from its goal.
-- @param options a table or nil: obstacles, as for the why_not of the map
-- @return a report; nil: it has none, or is on its way
function methods:why_not(options)
  check_walker(self)
  check.options(options, WHY_OPTIONS)
  local obstacles = options and options.obstacles
  local map, order, state, other = plan.map_of(self), self._order, self.state, self.blocked_by
  if state == "arrived" then return nil end
  local at_x, at_y = plan.at(self)
  local is_paused = self.paused and (state == "moving" or state == "stuck")
  if map and order and order.x and not is_paused then
    local from = place_on(map, at_x, at_y, self._crowd, self.height)
    local to = place_on(map, order.x, order.y, self._crowd, order.height or self.height)
    local report = from and to and between(map.why_not, map, from, to, { costs = plan.costs_of(self),
      agent = self.agent, closed_goal = order.closed_goal, obstacles = obstacles })
    if not report and from and to and core.type(map) == "grid" then
      report = report_gap(self, from, to, order)
    end
    if report or from and to and self.code == "no_path" then return report end       -- there is a way by now
  end
  if map and order and (order.ends or order.field) and not is_paused then
    local report = report_ends(self, place_on(map, at_x, at_y), order, obstacles)
    if report then return report end
  end
  local text, narrow = self.message, nil
  if is_paused then
    text, other = "It is paused: w:resume() ends that.", nil
  elseif state == "stuck" then
    text = other and ("Another walker is in the way, which is %s."):format(other.paused and "paused" or other.state)
      or "It makes no progress, and no other walker is in its way."
    if not other and select(6, native.at(self._handle, self._id)) then
      text = ("The radius %g does not fit where it stands."):format(self.radius)
      narrow = core.type(map) == "grid" and place_on(map, at_x, at_y) or nil
    end
  end
  if not text then return nil end
  return setmetatable({ from = { x = at_x, y = at_y }, to = { x = self.goal_x, y = self.goal_y }, obstacles = {},
    blocked_by = other, narrow = narrow, text = text }, parts.why)
end

--- w:stop(): forgets its goal and stands. It makes way for others, and comes back.
function methods:stop()
  check_walker(self)
  check.call(native.stop, self._handle, self._id)
  plan.order(self)
  return self
end

--- A method that only tells the core something.
-- @param read the arguments for the core, after those of the script were checked
local function teller(tell, read)
  return function(self, ...)
    check_walker(self)
    check.call(tell, self._handle, self._id, read(...))
    return self
  end
end

--- w:pause(): it does not move, and makes way for nobody. w:resume(): ends that.
methods.pause = teller(native.pause, function() return true end)
methods.resume = teller(native.pause, function() return false end)

--- w:push(vx, vy): adds a velocity that fades within about a second.
methods.push = teller(native.push, function(vx, vy) return vx, vy end)

--- w:place(x, y): puts it somewhere else, at rest. It goes on from there to its goal.
methods.place = teller(native.place, position)

--- w:remove(): takes it out of the crowd. Its state is then "removed".
function methods:remove()
  check_walker(self)
  local id, walkers = self._id, self._crowd._walkers
  check.call(native.remove, self._handle, id)
  walkers[id] = nil
  plan.order(self)
end

--- The table of a walker, which has no id and no metatable yet. Its settings follow: see settings.lua.
local function bare(crowd)
  return {
    _handle = crowd._handle, _crowd = crowd,
    _message = false, _code = false,       -- why it is lost, a message
    _order = false,                       -- see plan.lua; false: none
    _request = false,                     -- the request of a plan; false: none is under way
    _number = false,                      -- the number of the plan that the core waits for; false: none was asked for
    _knows_closed = false,                -- the core knows which cells its costs close
    _path = false,                        -- the path of a graph that it follows; false: none
    _own_points = false,                  -- it goes along points of the script: see plan.lua
    _seen = false,                        -- its plan on a map of its own: see fog.lua
  }
end

local fields
metatable.__index, fields = native.reader(methods)

--- Settings can be assigned; all else that is read in the core cannot.
function metatable.__newindex(self, key, value)
  local assign = settings.assign[key]
  if assign then
    check_walker(self)
    assign(self, value)
    return
  elseif methods[key] or fields[key] then
    check.fail("%s cannot be assigned", check.describe(key))
  end
  rawset(self, key, value)
end

function metatable.__tostring(self)
  check.self(self, "walker", "a walker", "walker")
  return ("wend.Walker (%s)"):format(self.state)
end

return { metatable = metatable, position = position, order_of = order_of, send = send, bare = bare,
  STEPS_MOST = 1e6 }
