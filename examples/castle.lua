-- A small game without graphics: 300 units in a castle of 100 rooms, on a grid of 200 x 200 cells. 280 units walk to
-- random places. 20 guards chase the nearest of them and plan again in every frame. Doors open and close every second.
--
-- A frame consists of phases: castle.phases. The example 08_everyday.lua runs them; the benchmark also measures them.

local SIDE, CELL, ROOM = 200, 16, 20 -- cells along a side; the size of a cell; cells from one wall to the next
local UNITS, CHASES = 300, 20
local PLANS = 8 -- units that plan in one frame, besides the guards
local DT = 1 / 60
local SAFE = 300 -- frames for which a unit that was caught, or cannot be reached, is not chased

local castle = { units = UNITS, chases = CHASES, phases = { "doors", "check", "plan", "steer", "walk" } }
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

function game:add_unit(type, is_guard)
  local unit = { type = type, is_guard = is_guard, path = {}, options = { costs = type.costs }, safe_until = 0 }
  unit.options.into = unit.path
  local place = self:place(unit)
  unit.walker = self.wend.follow({ place[3], place[4] }, {
    speed = is_guard and 75 or type.speed, curve = "catmull_rom", clear = self.grid,
  })
  self.all[#self.all + 1] = unit
  self[is_guard and "guards" or "walkers"][#self[is_guard and "guards" or "walkers"] + 1] = unit
end

--- Makes a game. `naive`: guards walk along grid:path from the middle of their cell, without `join`.
function castle.new(wend, options)
  local dice = new_dice(1)
  local self = setmetatable({
    wend = wend, dice = dice, naive = options and options.naive, frame = 0,
    all = {}, guards = {}, walkers = {}, planned = {}, turn = 0,
    toggled = 0, arrived = 0, caught = 0, replanned = 0, waits = 0, turns = 0, needless = 0,
  }, game)
  self.grid, self.doors_of_map = build(wend, dice)
  self.types, self.search = build_types(wend), {}
  for _, type in ipairs(self.types) do self.search[type] = { costs = type.costs, into = {} } end
  for i = 1, UNITS do self:add_unit(self.types[i % 3 + 1], i <= CHASES) end
  return self
end

-- The phases of a frame ----------------------------------------------------------------------------------------------

--- Each second, one open door of eight closes, and one closed door of two opens.
function game:doors()
  self.frame = self.frame + 1
  if self.frame % 60 ~= 1 then return end
  local grid = self.grid
  for _, door in ipairs(self.doors_of_map) do
    local x1, y1, x2, y2 = door[1], door[2], door[3], door[4]
    local is_closed, number = grid:is_closed(x1, y1), self.dice(8)
    if is_closed and number <= 4 then
      grid:open(x1, y1, x2, y2)
      self.toggled = self.toggled + 1
    elseif not is_closed and number == 1 then
      grid:close(x1, y1, x2, y2)
      self.toggled = self.toggled + 1
    end
  end
end

--- Decides who needs a new plan: units that have arrived, and units whose path has changed.
function game:check()
  for _, unit in ipairs(self.walkers) do
    if unit.walker.done then
      if unit.goal then self.arrived = self.arrived + 1 end
      unit.goal, unit.needs_plan = nil, true
    elseif not (unit.needs_plan or unit.path:valid()) then
      self.replanned = self.replanned + 1
      unit.needs_plan = true
    end
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

--- Finds the paths.
function game:plan()
  local walkers, planned, plans = self.walkers, self.planned, 0
  for i = #planned, 1, -1 do planned[i] = nil end
  for _ = 1, #walkers do
    if plans == PLANS then break end
    self.turn = self.turn % #walkers + 1 -- the next frame continues where this one ends
    local unit = walkers[self.turn]
    if unit.needs_plan then
      plans = plans + 1
      self:plan_walk(unit)
    end
  end
  for _, guard in ipairs(self.guards) do
    if self:plan_chase(guard) then
      planned[#planned + 1] = guard
    else -- the prey is behind closed doors
      self:wait(guard)
      guard.prey.safe_until, guard.prey = self.frame + SAFE, nil
    end
  end
end

function game:plan_walk(unit)
  local grid = self.grid
  unit.goal = unit.goal or self:place(unit)
  unit.from_x, unit.from_y = unit.walker.x, unit.walker.y
  local x, y = grid:cell_at(unit.walker)
  local cells = grid:path(x, y, unit.goal[1], unit.goal[2], self.search[unit.type])
  if cells then
    grid:straighten(cells, unit.options)
    self.planned[#self.planned + 1], unit.needs_plan = unit, false
  else -- the goal is behind closed doors: another one next time
    self:wait(unit)
    unit.goal = nil
  end
end

--- Stops a unit until it has a path.
function game:wait(unit)
  self.waits = self.waits + 1
  if not unit.is_waiting then unit.walker:pause() end
  unit.is_waiting = true
end

function game:plan_chase(guard)
  local from, to = guard.walker, guard.prey.walker
  guard.from_x, guard.from_y = from.x, from.y
  if not self.naive then return self.grid:route(from, to, guard.options) end
  local x1, y1 = self.grid:cell_at(from)
  local x2, y2 = self.grid:cell_at(to)
  return self.grid:path(x1, y1, x2, y2, guard.options)
end

local JOIN = { join = true }

--- Sends the units along their new paths.
function game:steer()
  for _, unit in ipairs(self.planned) do
    unit.walker:retarget(unit.path, not self.naive and JOIN or nil)
    if unit.is_waiting then unit.walker:resume() end
    unit.is_waiting = false
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

--- Whether the path of a unit leads back, seen from where it was planned: its point three cells from the beginning lies
--- behind the unit.
function game:leads_back(unit)
  local points = unit.path
  if #points == 0 then return true end
  if self.wend.type(points) == "path" then points = points:points() end
  local x, y, left = points[1], points[2], 3 * CELL
  for i = 3, #points, 2 do
    local dx, dy = points[i] - x, points[i + 1] - y
    local part = math.min(1, left / math.max(1e-9, math.sqrt(dx * dx + dy * dy)))
    x, y, left = x + part * dx, y + part * dy, left - part * math.sqrt(dx * dx + dy * dy)
    if part < 1 then break end
  end
  return (x - unit.from_x) * unit.dx + (y - unit.from_y) * unit.dy < 0
end

return castle
