-- A small game without graphics: 300 units in a castle of 100 rooms, on a grid of 200 x 200 cells. 280 units walk to
-- random places. 20 guards chase the nearest of them and plan again all the time. A door opens or closes in each
-- frame. All plans are requests in a queue, which plans a little in each frame.
--
-- A frame consists of phases: castle.phases. The example 08_everyday.lua runs them; the benchmark also measures them.

local SIDE, CELL, ROOM = 200, 16, 20 -- cells along a side; the size of a cell; cells from one wall to the next
local UNITS, CHASES = 300, 20
local BUDGET = 12000 -- expansions in one frame
local DT = 1 / 60
local SAFE = 300 -- frames for which a unit that was caught, or cannot be reached, is not chased

local castle = { units = UNITS, chases = CHASES, phases = { "doors", "check", "ask", "plan", "steer", "walk" } }
local game = {}
game.__index = game

--- Random whole numbers that are the same on every Lua: the generator of S. K. Park and K. W. Miller (1988).
local function new_dice(seed)
  return function(sides)
    seed = seed * 16807 % 2147483647
    return seed % sides + 1
  end
end

-- The map ------------------------------------------------------------------------------------------------------------

--- Fills a room with walls on its right and lower side, and with a terrain in its middle.
local function build_room(grid, dice, left, top)
  grid:fill(left + ROOM - 1, top, left + ROOM - 1, top + ROOM - 1, false)
  grid:fill(left, top + ROOM - 1, left + ROOM - 1, top + ROOM - 1, false)
  local terrain = ({ "mud", "rubble", "carpet", false, 1, 1 })[dice(6)]
  local width, height = 3 + dice(10), 3 + dice(10)
  local x, y = left + dice(16 - width), top + dice(16 - height)
  grid:fill(x, y, x + width, y + height, terrain)
end

--- Makes the grid and the list of its doors, { x1, y1, x2, y2 }. Two of three openings between rooms have a door.
local function build(wend, dice)
  local grid, doors = wend.grid(SIDE, SIDE, { cell = CELL }), {}
  for top = 1, SIDE, ROOM do
    for left = 1, SIDE, ROOM do build_room(grid, dice, left, top) end
  end
  local function opening(x1, y1, x2, y2)
    local is_door = dice(3) > 1
    grid:fill(x1, y1, x2, y2, is_door and "door" or 1)
    if is_door then doors[#doors + 1] = { x1, y1, x2, y2 } end
  end
  for top = 1, SIDE, ROOM do
    for left = 1, SIDE, ROOM do
      local right, low, at = left + ROOM - 1, top + ROOM - 1, 1 + dice(15)
      if right < SIDE then opening(right, top + at, right, top + at + 1) end
      if low < SIDE then opening(left + at, low, left + at + 1, low) end
    end
  end
  return grid, doors
end

-- The units ----------------------------------------------------------------------------------------------------------

--- The three types of units, with their own costs.
local function build_types(wend)
  return {
    { name = "servant", speed = 60, costs = wend.costs { mud = 3, rubble = 2, carpet = 0.9 } },
    { name = "cart", speed = 45, costs = wend.costs { mud = 5, rubble = false, door = 1.5 } },
    { name = "rat", speed = 90, costs = wend.costs { mud = 0.8, carpet = 2 } },
  }
end

--- A random place that the unit can enter: the centre of a cell.
function game:place(unit)
  local x, y = self.grid:random(self.dice(1000000), { costs = unit.type.costs })
  return { x, y, self.grid:position(x, y) }
end

--- The goal of a walk: the nearest of five random places.
function game:goal(unit)
  local best, least
  for _ = 1, 5 do
    local place = self:place(unit)
    local distance = (place[3] - unit.walker.x)^2 + (place[4] - unit.walker.y)^2
    if not least or distance < least then best, least = place, distance end
  end
  return best
end

function game:add_unit(type, is_guard)
  local unit = { type = type, is_guard = is_guard, path = {}, safe_until = 0 }
  local place = self:place(unit)
  unit.walker = self.wend.follow({ place[3], place[4] }, {
    speed = is_guard and 75 or type.speed, curve = "catmull_rom", clear = self.grid,
  })
  unit.request = { -- the options of all requests of this unit
    costs = type.costs, owner = unit, priority = is_guard and 1 or 0,
    on_done = function(found) self:answer(unit, found) end,
  }
  unit.options = { costs = type.costs, into = unit.path } -- of straighten, and of naive guards
  self.all[#self.all + 1] = unit
  self[is_guard and "guards" or "walkers"][#self[is_guard and "guards" or "walkers"] + 1] = unit
end

--- Makes a game. Options:
--   seconds   of CPU time for planning in each frame; default: a number of expansions, the same on every machine
--   naive     guards walk along grid:path from the middle of their cell, without `join`
function castle.new(wend, options)
  local dice = new_dice(1)
  local self = setmetatable({
    wend = wend, dice = dice, naive = options and options.naive, seconds = options and options.seconds, frame = 0,
    queue = wend.queue(), all = {}, guards = {}, walkers = {}, planned = {},
    toggled = 0, arrived = 0, caught = 0, replanned = 0, asked = 0, answered = 0, failed = 0, outdated = 0, longest = 0,
    turns = 0, needless = 0,
  }, game)
  self.grid, self.doors_of_map = build(wend, dice)
  self.types = build_types(wend)
  for i = 1, UNITS do self:add_unit(self.types[i % 3 + 1], i <= CHASES) end
  return self
end

-- The phases of a frame ----------------------------------------------------------------------------------------------

--- In each frame a door closes or opens. Closed doors are chosen more often, so most doors are open.
function game:doors()
  self.frame = self.frame + 1
  local grid = self.grid
  while true do
    local door = self.doors_of_map[self.dice(#self.doors_of_map)]
    if grid:is_closed(door[1], door[2]) then
      grid:open(door[1], door[2], door[3], door[4])
      break
    elseif self.dice(4) == 1 then
      grid:close(door[1], door[2], door[3], door[4])
      break
    end
  end
  self.toggled = self.toggled + 1
end

function game:check_walk(unit)
  if unit.walker.done then
    if unit.goal then self.arrived = self.arrived + 1 end
    unit.goal, unit.needs_plan = nil, true
  elseif not (unit.needs_plan or unit.path:valid()) then
    self.replanned = self.replanned + 1
    unit.needs_plan = true
  end
end

--- Decides who needs a new plan: units that have arrived, and units whose path has changed. Those that wait for an
--- answer do not.
function game:check()
  for _, unit in ipairs(self.walkers) do
    if not unit.asked then self:check_walk(unit) end
  end
  for _, guard in ipairs(self.guards) do
    local prey = guard.prey
    if prey and (prey.walker.x - guard.walker.x)^2 + (prey.walker.y - guard.walker.y)^2 < CELL^2 then
      self.caught = self.caught + 1
      prey.safe_until, guard.prey = self.frame + SAFE, nil
    end
    guard.prey = guard.prey or self:nearest(guard)
  end
end

--- The nearest unit that is not a guard and was not caught lately.
function game:nearest(guard)
  local best, least = nil, math.huge
  for _, unit in ipairs(self.walkers) do
    local distance = (unit.walker.x - guard.walker.x)^2 + (unit.walker.y - guard.walker.y)^2
    if unit.safe_until <= self.frame and distance < least then best, least = unit, distance end
  end
  return best
end

--- Puts requests into the queue. Walkers ask for paths, because a path knows whether it is still valid. Guards ask for
--- routes from where they are, again and again: they ask when they have the answer.
function game:ask()
  for _, unit in ipairs(self.walkers) do
    if unit.needs_plan and not unit.asked then
      unit.goal = unit.goal or self:goal(unit)
      self:note(unit)
      local x, y = self.grid:cell_at(unit.walker)
      self.queue:path(self.grid, x, y, unit.goal[1], unit.goal[2], unit.request)
    end
  end
  for _, guard in ipairs(self.guards) do
    if self.naive and guard.prey then
      self:plan_naively(guard)
    elseif guard.prey and not guard.asked then
      self:note(guard)
      self.queue:route(self.grid, guard.walker, guard.prey.walker, guard.request)
    end
  end
end

function game:note(unit)
  unit.asked, self.asked = self.frame, self.asked + 1
end

--- What the queue calls with the answer to a request. found: nil if there is no way.
function game:answer(unit, found)
  local wait = self.frame - unit.asked
  self.answered, self.longest, unit.is_late = self.answered + 1, math.max(self.longest, wait), wait > 0
  unit.asked, unit.needs_plan = nil, not found
  if found and not unit.is_guard then
    found = self.grid:straighten(found, unit.options)
    if not found then -- a door on the way has closed since the search began
      self.outdated, unit.needs_plan = self.outdated + 1, true
      return
    end
  end
  if found then
    unit.path = found
    self.planned[#self.planned + 1] = unit
    return
  end
  self.failed = self.failed + 1 -- the goal is behind closed doors: another one next time
  if not unit.is_waiting then unit.walker:pause() end
  unit.is_waiting, unit.goal = true, nil
  if unit.prey then unit.prey.safe_until, unit.prey = self.frame + SAFE, nil end
end

--- Plans: the routes that are asked for, until the budget of this frame is spent.
function game:plan()
  if self.seconds then
    self.queue:run(self.seconds)
  else
    self.queue:step(BUDGET)
  end
end

function game:plan_naively(guard)
  local x1, y1 = self.grid:cell_at(guard.walker)
  local x2, y2 = self.grid:cell_at(guard.prey.walker)
  if self.grid:path(x1, y1, x2, y2, guard.options) then self.planned[#self.planned + 1] = guard end
end

local JOIN = { join = true }

--- Sends the units along their new paths.
function game:steer()
  for i, unit in ipairs(self.planned) do
    unit.from_x, unit.from_y = unit.walker.x, unit.walker.y
    unit.walker:go(unit.path, not self.naive and JOIN or nil)
    if unit.is_waiting then unit.walker:resume() end
    unit.is_waiting, self.planned[i] = false, nil
  end
end

--- Walks. This is all that happens in most frames for most units.
function game:walk()
  for _, unit in ipairs(self.all) do unit.walker:update(DT) end
end

-- U-turns ------------------------------------------------------------------------------------------------------------

local SHARP = math.cos(math.rad(150))

--- Counts the units that have turned by more than 150 degrees in this frame; run it after each frame. `turns` counts
--- all of them. `needless` counts those whose path does not lead back.
function game:count_turns()
  for _, unit in ipairs(self.all) do
    local x, y = unit.walker.x, unit.walker.y
    local dx, dy = x - (unit.x or x), y - (unit.y or y)
    local length = math.sqrt(dx * dx + dy * dy)
    if length > 1e-9 then
      dx, dy = dx / length, dy / length
      if unit.dx and dx * unit.dx + dy * unit.dy < SHARP then
        self.turns = self.turns + 1
        if not self:leads_back(unit) then self.needless = self.needless + 1 end
      end
      unit.dx, unit.dy = dx, dy
    end
    unit.x, unit.y = x, y
  end
end

--- Whether the path of a unit leads back, seen from where the unit got it: its point three cells from the beginning
--- lies behind the unit. Or the unit has walked on while it waited for the path, and the path begins behind it.
function game:leads_back(unit)
  local points = unit.path
  if #points == 0 then return true end
  if self.wend.type(points) == "path" then points = points:points() end
  local x, y, left = points[1], points[2], 3 * CELL
  if unit.is_late and (x - unit.from_x) * unit.dx + (y - unit.from_y) * unit.dy < 0 then return true end
  for i = 3, #points, 2 do
    local dx, dy = points[i] - x, points[i + 1] - y
    local part = math.min(1, left / math.max(1e-9, math.sqrt(dx * dx + dy * dy)))
    x, y, left = x + part * dx, y + part * dy, left - part * math.sqrt(dx * dx + dy * dy)
    if part < 1 then break end
  end
  return (x - unit.from_x) * unit.dx + (y - unit.from_y) * unit.dy < 0
end

return castle
