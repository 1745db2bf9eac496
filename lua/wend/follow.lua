-- SPDX-License-Identifier: MIT
--- wend.follow: objects that walk along points at a given speed, equally fast at every frame rate.
--
-- A follower walks along straight chords: the legs themselves, or the chords of their curve (wend.curve). Its position
-- depends on one number, the distance walked since the first point:
--
--   at of chord i                          the distance from the first point to the beginning of chord i
--   at of i <= walked < at of i + 1        the follower is on chord i. It is never on a chord of length 0
--
-- For example, chords of length 3, 0 and 5 have at = 0, 3, 3, and the end is at 8. After walking 4, the follower is on
-- the third chord, 1 behind its beginning.
--
-- `walked` is the sum of all steps. The rounding error of the sum is kept and subtracted from the next step (W. Kahan,
-- "Further remarks on reducing truncation errors", Communications of the ACM 8, 1965). So ten small steps and one large
-- step lead to the same place.
--
-- Ten thousand followers do not fit into a processor's cache: `update` spends its time waiting for memory. So the data
-- that it needs lies close together. The data of the current chord are items of the follower. The data of all chords
-- lie one after another in one list.

local core = require "wend.core"
local check = require "wend.check"
local curve = require "wend.curve"

local abs, cos, floor, fmod, huge, min, pi, sin, sqrt =
  math.abs, math.cos, math.floor, math.fmod, math.huge, math.min, math.pi, math.sin, math.sqrt

local OPTIONS = { "speed", "curve", "clear", "loop", "dimensions", "spacing" }
local ARRIVED = 1 - 2^-50      -- the share of the length at which it has arrived: the rest is rounding of the steps
local STEP_MAX = 1e308         -- the largest distance for fmod, which gives NaN for infinity
local CHANGED = "the list part of the follower was changed: it is internal"
local REACH_MAX = 2^46         -- longer than any list

-- The items of a follower. Those that every update needs come first.
local WALKED, UPTO, LOST = 1, 2, 3       -- the distance walked; where the chord ends; the rounding error of the sum
local FROM, X, X_UNIT, Y, Y_UNIT = 4, 5, 6, 7, 8     -- where the chord begins: distance, x, y; x and y per unit of it
local KNOWN_SPEED = 9                    -- the last speed that was checked
local TURN, Z = 10, 11                   -- the change of heading per unit; z where the chord begins, or false in 2D
local Z_UNIT, HEADING = 12, 13           -- z per unit; the heading where the chord begins
local CHORDS, CHORD = 14, 15             -- the list of all chords, and the index of this one in it
local FINISH = 16                        -- the distance to the end, or to the end of a lap
local LENGTH = 17                        -- the length of all chords; math.huge for a loop
local TRACK, HOW = 18, 19                -- the results of new_track and curve.style

-- The items of a chord. Item 0 is `at`, the distance to its beginning. The last chord is the end: it has no length.
local AT_X, AT_Y, AT_HEADING, AT_TURN, AT_LEG, AT_Z = 1, 2, 3, 4, 5, 6
local STRIDE = { [2] = 6, [3] = 7 }

local methods = {}
local metatable = core.class "follower"
metatable.__index = methods

local function check_self(self)
  check.self(self, "follower", "a follower", "follower")
end

local function check_speed(speed)
  if type(speed) ~= "number" or not (speed >= 0 and speed < huge) then
    check.fail("speed must be a finite number >= 0, got %s", check.describe(speed))
  end
end

--- Raises if a script has set the position or the heading to a value from which the follower cannot continue.
local function check_place(self)
  for _, name in ipairs { "x", "y", "z", "heading" } do
    local value = self[name]
    if not (name == "z" and value == nil) and (type(value) ~= "number" or not (value >= -1e150 and value <= 1e150)) then
      check.fail("%s of the follower must be a finite number (up to 1e150), got %s", name, check.describe(value))
    end
  end
end

-- Tracks -----------------------------------------------------------------------------------------------------------

--- An angle in -pi .. pi, from one in -3 pi .. 3 pi.
local function wrapped(angle)
  if angle > pi then
    return angle - 2 * pi
  elseif angle < -pi then
    return angle + 2 * pi
  end
  return angle
end

--- Makes a track: everything that a follower needs to walk along points.
-- @param list points as curve.read returns them
-- @param how the result of curve.style
-- @param heading the heading before the first chord with a direction; nil: the direction of that chord
-- @param lead nil, or where the follower comes from, as for curve.make
-- @return { points, dimensions, stride = items per chord, chords, length, last = index of the last chord, finish, lead,
-- start = index of the first chord of a lap (nil: it is not a loop), lap = the distance to that chord }
local function new_track(list, how, heading, lead)
  local points, headings = curve.make(list, how, lead)
  local dimensions, legs = how.dimensions, points.legs
  local count, stride = #points / dimensions, STRIDE[how.dimensions]
  local chords, at, start, lap = {}, 0.0, nil, nil
  for i = 1, #headings do
    heading = heading or headings[i] or nil
  end
  heading = heading or 0.0
  for i = 1, count do
    local c, p = (i - 1) * stride + 1, (i - 1) * dimensions + 1
    local x, y, z = points[p], points[p + 1], dimensions == 3 and points[p + 2] or nil
    local from, to = headings[2 * i - 1] or heading, headings[2 * i]
    chords[c], chords[c + AT_X], chords[c + AT_Y] = at, x, y
    chords[c + AT_HEADING] = from
    chords[c + AT_TURN] = to and wrapped(to - from) or 0.0
    chords[c + AT_LEG] = legs[i] or legs[i - 1] or 0
    if z then
      chords[c + AT_Z] = z
    end
    heading = to or heading
    if i < count then
      if how.loop and not start and legs[i] > 0 then
        start, lap = c, at
      end
      local dx, dy, dz = points[p + dimensions] - x, points[p + dimensions + 1] - y, z and points[p + 5] - z or 0
      at = at + sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  if lap == at then
    start = nil             -- a loop of length 0 is treated as an end
  end
  points.legs = nil         -- the chords hold the numbers of the legs
  return {
    points = points, dimensions = dimensions, stride = stride, chords = chords, last = (count - 1) * stride + 1,
    length = at, finish = start and at or at * ARRIVED, start = start, lap = lap, lead = lead,
  }
end

--- Finds the chord at the distance `walked`: the last one that begins there or earlier, from the chord at index c on.
--- It doubles the stride until it is too far, and then bisects the last stride. The next chord takes few steps, a
--- distant one logarithmically many. The search ends even if a script has changed the items.
local function chord_at(chords, step, walked, c)
  local reach = 1         -- the stride, in chords
  while reach < REACH_MAX and (chords[c + reach * step] or huge) <= walked do
    c = c + reach * step
    reach = 2 * reach
  end
  local first, beyond = 0, reach
  while beyond - first > 1 do
    local middle = floor((first + beyond) / 2)
    if (chords[c + middle * step] or huge) <= walked then
      first = middle
    else
      beyond = middle
    end
  end
  return c + first * step
end

--- Puts the follower on the chord at index c: fills in its items.
local function enter(self, chords, c)
  local z = self[Z]
  local beyond = z and c + 7 or c + 6
  local from, x, y, finish = chords[c], chords[c + AT_X], chords[c + AT_Y], self[FINISH]
  local upto, heading, turn = chords[beyond], chords[c + AT_HEADING], chords[c + AT_TURN]
  local length = upto - from
  self[FROM], self[UPTO], self[CHORD] = from, upto < finish and upto or finish, c
  self[X], self[X_UNIT] = x, (chords[beyond + AT_X] - x) / length
  self[Y], self[Y_UNIT] = y, (chords[beyond + AT_Y] - y) / length
  self[HEADING], self[TURN] = heading, turn ~= 0 and turn / length or turn
  self.leg, self.heading = chords[c + AT_LEG], heading
  if z then
    z = chords[c + AT_Z]
    self[Z], self[Z_UNIT] = z, (chords[beyond + AT_Z] - z) / length
  end
end

--- Puts the follower at the end.
local function arrive(self, track)
  local chords, last = track.chords, track.last
  self.x, self.y, self.leg, self.heading =
    chords[last + AT_X], chords[last + AT_Y], chords[last + AT_LEG], chords[last + AT_HEADING]
  if track.dimensions == 3 then
    self.z = chords[last + AT_Z]
  end
  self.done = true
  self[WALKED] = track.length
end

--- Handles the end of the track: continues in the next lap of a loop; otherwise the follower arrives.
-- @param walked the distance, which is past the end
-- @return the distance within the lap; nil: it has arrived
local function turn_round(self, walked)
  local track = self[TRACK]
  if not track.start then
    return arrive(self, track)
  end
  local lap = track.lap
  walked = lap + fmod(min(walked, STEP_MAX) - lap, track.length - lap)
  if walked >= track.length then
    walked = lap
  end
  self[LOST] = 0.0
  enter(self, track.chords, chord_at(track.chords, track.stride, walked, track.start))
  return walked
end

--- Puts the follower at the beginning of a track.
local function begin(self, track)
  local chords = track.chords
  self.points = track.points
  self[TRACK], self[CHORDS], self[FINISH] = track, chords, track.finish
  self[LENGTH] = track.start and huge or track.length
  self[WALKED], self[LOST] = 0.0, 0.0
  self.x, self.y = chords[1 + AT_X], chords[1 + AT_Y]
  if track.dimensions == 3 then
    self.z = chords[1 + AT_Z]
    self[Z] = self.z
  end
  if track.length > 0 then
    self.done = false
    enter(self, chords, chord_at(chords, track.stride, 0, 1))
  else
    arrive(self, track)
  end
end

-- The interface ----------------------------------------------------------------------------------------------------

--- wend.follow(points[, opts]): makes a follower. It starts on the first point.
--
-- Its fields:
--   x, y[, z]   its position
--   heading     its direction in radians from +x toward +y, -pi to pi. On a curve it turns evenly. It keeps its last
--               value at the end, on legs of length 0, and on legs straight up or down
--   leg         the number of the current leg, from 1; at the end, the last. It is 0 on the way to the first point
--               after `retarget`, and if there is only one point
--   done        whether it is at the end
--   speed       units per second; may be set at any time
--   points      the points that it walks along, flat; do not change them
-- Its list part is internal.
--
-- @param points a flat list of coordinates, a path (its points) or a route; finite, within 1e150. They are copied.
-- @param options a table or nil:
--   speed       units per second, finite, >= 0; default 1
--   curve       "linear" (default), "hermite" or "catmull_rom"
--   clear       walls, a grid, or a function: what the curve must avoid, as for wend.curve
--   spacing     the largest distance between points of the curve, finite, > 0; default: a 16th of the mean leg
--   loop        true: from the last point to the first and on, without end
--   dimensions  2 or 3; default: as for wend.curve
-- @return a follower
-- Raises if an argument is invalid, and if `clear` raises.
local function follow(points, options)
  check.options(options, OPTIONS)
  local list, dimensions = curve.read(points, options and options.dimensions)
  local how = curve.style(options, "linear", dimensions)
  if not how.knot then
    how.spacing = huge      -- straight legs need no points between their ends
  end
  local speed = options and options.speed
  if speed == nil then
    speed = 1
  end
  check_speed(speed)
  local self = {
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, speed, 0.0, false, 0.0, 0.0, false, 1, 0.0, 0.0, false, how,
    x = 0.0, y = 0.0, heading = 0.0, leg = 0, done = false, speed = speed, points = false, z = nil,
  }
  begin(self, new_track(list, how))
  return setmetatable(self, metatable)
end

--- f:update(dt): walks for dt seconds. Makes no garbage.
-- @param dt seconds, finite, >= 0. One step or many small ones lead to the same place.
-- @return x, y[, z]: the new position
-- Raises if dt, or the speed that was set, is invalid.
function methods:update(dt)
  if type(dt) ~= "number" or not (dt >= 0 and dt < huge) then
    check_self(self)
    check.fail("dt must be a finite number >= 0, got %s", check.describe(dt))
  end
  local speed = type(self) == "table" and self.speed
  if not speed or speed ~= self[KNOWN_SPEED] then
    check_self(self)
    check_speed(speed)
    self[KNOWN_SPEED] = speed
  end
  local step = (speed + 0.0) * dt
  if step > 0 and not self.done then
    local before = self[WALKED]
    step = step - self[LOST]
    local walked = before + step
    self[LOST] = walked - before - step
    if walked >= self[UPTO] then
      if walked < self[FINISH] then
        local chords, stride = self[CHORDS], self[Z] and 7 or 6
        local c = self[CHORD] + stride
        enter(self, chords, walked < chords[c + stride] and c or chord_at(chords, stride, walked, c))
      else
        walked = turn_round(self, walked)
      end
    end
    if walked then
      local along, turn, z = walked - self[FROM], self[TURN], self[Z]
      self[WALKED] = walked
      if turn ~= 0 then
        local heading = self[HEADING] + turn * along
        if heading > pi or heading < -pi then
          heading = wrapped(heading)
        end
        self.heading = heading
      end
      local x, y = self[X] + self[X_UNIT] * along, self[Y] + self[Y_UNIT] * along
      self.x, self.y = x, y
      if z then
        z = z + self[Z_UNIT] * along
        self.z = z
        return x, y, z
      end
      return x, y
    end
  end
  if self[Z] then
    return self.x, self.y, self.z
  end
  return self.x, self.y
end

--- f:remaining(): the distance to the end along its points.
-- @return a number >= 0; math.huge on a loop
function methods:remaining()
  check_self(self)
  return self[LENGTH] - self[WALKED]
end

--- The direction in which the follower walks: { dx, dy, dz, reach }. The direction has length 1; `reach` is the length
--- of the current leg. nil: it never had a direction.
local function direction(self)
  local track = self[TRACK]
  if not (track.length > 0) then
    return track.lead
  end
  local chords, stride = track.chords, self[Z] and 7 or 6
  local first, last = self[CHORD], self[CHORD] + stride
  local leg = chords[first + AT_LEG] or check.fail(CHANGED)
  while first > 1 and rawget(chords, first - stride + AT_LEG) == leg do first = first - stride end
  while last < track.last and rawget(chords, last + AT_LEG) == leg do last = last + stride end
  local dz, reach = self[Z] and self[Z_UNIT] or 0, chords[last] - chords[first]
  if not (abs(dz) >= 0 and reach >= 0) then -- a chord as short as the rounding of sums may be steeper than 1
    check.fail(CHANGED)
  end
  local flat = sqrt(1 - min(1, dz * dz))
  return { dx = cos(self.heading) * flat, dy = sin(self.heading) * flat, dz = dz, reach = reach }
end

--- f:retarget(points): sends the follower along other points from its current position. Leg 0 leads from there to the
-- first of them. On a curve it continues in its heading, and turns within about the length of the leg that it leaves;
-- unless `clear` keeps the new leg straight, or a loop begins where it stands. Speed and options stay. A loop closes
-- over the new points only.
-- @param points as for wend.follow, with as many dimensions as before
-- @return the follower
-- Raises if the points are invalid, and if `clear` raises. The follower then continues as before.
function methods:retarget(points)
  check_self(self)
  local list = curve.read(points, self[HOW].dimensions)
  check_place(self)
  local way = direction(self) or {}
  local lead = { x = self.x, y = self.y, z = self.z or 0, dx = way.dx, dy = way.dy, dz = way.dz, reach = way.reach }
  begin(self, new_track(list, self[HOW], (way.dx or nil) and self.heading, lead))
  return self
end

return { follow = follow }
