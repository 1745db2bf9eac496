-- SPDX-License-Identifier: MIT
--- wend.follow: walking along points at a given speed, whatever the rate of frames.
--
-- What is walked along is a row of straight chords: the legs themselves, or those of their curve (wend.curve). Where
-- somebody is depends on one number, how far he has walked since the first point:
--
--   at[i]                          how far it is to point i
--   at[i] <= walked < at[i + 1]    he is on chord i; chords without length never are
--
-- `walked` is the sum of all steps, kept with what its rounding has lost (W. Kahan, "Further remarks on reducing
-- truncation errors", Communications of the ACM 8, 1965): ten small steps and a large one lead to the same place.

local check = require "wend.check"
local curve = require "wend.curve"

local cos, floor, fmod, huge, min, pi, sin, sqrt =
  math.cos, math.floor, math.fmod, math.huge, math.min, math.pi, math.sin, math.sqrt

local OPTIONS = { "speed", "curve", "clear", "loop", "dimensions", "spacing" }
local ARRIVED = 1 - 2^-50      -- of the length: what is left is the rounding of the steps themselves
local STEP_MAX = 1e308

local methods = {}
local metatable = { __index = methods, __name = "wend.Follower" }

local function check_self(self)
  check.self(self, metatable, "a follower", "follower")
end

local function check_speed(speed)
  if type(speed) ~= "number" or not (speed >= 0 and speed < huge) then
    check.fail("speed must be a finite number >= 0, got %s", check.describe(speed))
  end
end

-- Tracks -----------------------------------------------------------------------------------------------------------

--- An angle within half a turn.
local function wrapped(angle)
  if angle > pi then
    return angle - 2 * pi
  elseif angle < -pi then
    return angle + 2 * pi
  end
  return angle
end

--- What there is to walk along, and how far it has been walked: { points, dimensions, legs, count, at, length, finish,
--- heading and turn (by chord: at its start, and until its end), start (where the laps of a loop begin; nil: it ends),
--- chord, upto (what is walked where it ends), walked, lost, lead }.
-- @param list points as curve.read gives them
-- @param how what curve.style gives
-- @param heading what is kept until the first chord that has one; nil: its own
-- @param lead nil, or where somebody comes from, as curve.make wants it
local function new_track(list, how, heading, lead)
  local points, headings = curve.make(list, how, lead)
  local dimensions = how.dimensions
  local count = #points / dimensions
  local track = {
    points = points, dimensions = dimensions, legs = points.legs, count = count, at = { 0.0 }, heading = {}, turn = {},
    chord = 1, walked = 0.0, lost = 0.0, lead = lead,
  }
  local at = track.at
  for i = 1, count - 1 do
    local sum = 0
    for j = i * dimensions + 1, (i + 1) * dimensions do
      local d = points[j] - points[j - dimensions]
      sum = sum + d * d
    end
    at[i + 1] = at[i] + sqrt(sum)
    if how.loop and not track.start and points.legs[i] > 0 then
      track.start = i
    end
  end
  track.length = at[count]
  if track.start and at[track.start] == track.length then
    track.start = nil       -- a loop without length is an end
  end
  track.finish = track.start and track.length or track.length * ARRIVED

  for i = 1, #headings do
    heading = heading or headings[i] or nil
  end
  heading = heading or 0.0
  for i = 1, count - 1 do
    local from, to = headings[2 * i - 1] or heading, headings[2 * i]
    track.heading[i] = from
    track.turn[i] = to and wrapped(to - from) or 0.0
    heading = to or heading
  end
  track.heading[count] = heading
  return track
end

--- The chord on which `walked` lies, from chord i on: the last one that begins no later. Strides that double, then
--- halves of the last one: a few steps to the next chord, and not many more to one far away.
local function chord_at(track, walked, i)
  local at, last, stride = track.at, track.count, 1
  while i + stride < last and at[i + stride] <= walked do
    i = i + stride
    stride = 2 * stride
  end
  local beyond = i + stride < last and i + stride or last
  while beyond - i > 1 do
    local middle = floor((i + beyond) / 2)
    if at[middle] <= walked then
      i = middle
    else
      beyond = middle
    end
  end
  return i
end

--- Puts the follower on chord i.
local function enter(self, track, i)
  local upto, finish = track.at[i + 1], track.finish
  track.chord, track.upto = i, upto < finish and upto or finish
  self.leg = track.legs[i]
  self.heading = track.heading[i]
end

--- Puts the follower at the end.
local function arrive(self, track)
  local points, last = track.points, track.count * track.dimensions
  if track.dimensions == 2 then
    self.x, self.y = points[last - 1], points[last]
  else
    self.x, self.y, self.z = points[last - 2], points[last - 1], points[last]
  end
  self.leg = track.legs[track.count - 1] or 0
  self.heading = track.heading[track.count]
  self.done = true
  track.walked = track.length
end

--- Goes on to the chord on which `walked` lies: far away, in the next lap, or none, at the end.
-- @return the chord, and how far it is walked in this lap; nil at the end
local function go_on(self, track, walked)
  local i, start = track.chord, track.start
  if walked >= track.finish then
    if not start then
      return arrive(self, track)
    end
    local from = track.at[start]
    walked = from + fmod(min(walked, STEP_MAX) - from, track.length - from)
    if walked >= track.length then
      walked = from
    end
    track.lost = 0.0
    i = start
  end
  i = chord_at(track, walked, i)
  enter(self, track, i)
  return i, walked
end

--- Sets the follower on a track.
local function begin(self, track)
  self.track, self.points = track, track.points
  if track.length > 0 then
    self.done = false
    enter(self, track, chord_at(track, 0, 1))
    self.x, self.y = track.points[1], track.points[2]
    self.z = track.dimensions == 3 and track.points[3] or nil
  else
    arrive(self, track)
  end
end

-- The interface ----------------------------------------------------------------------------------------------------

--- wend.follow(points, a path or a route[, opts]): a follower, standing on the first point.
--
-- Its fields:
--   x, y[, z]   where it is
--   heading     where it looks: radians from +x towards +y, -pi to pi. On a curve it turns evenly; it is kept at the
--               end, on legs without length, and straight up and down
--   leg         the number of the leg that it is on, from 1; the last one at the end; 0 on the way to the first point
--               after `retarget`, and where there is only one point
--   done        whether it is at the end
--   speed       units a second; set it at any time
--   points      what it walks along, flat; not for changing
-- `track`, `how` and `known_speed` are not for use.
--
-- @param points a flat list of numbers, a path (its points) or a route; finite, within 1e150. They are copied.
-- @param options a table or nil:
--   speed       a finite number >= 0, units a second; default 1
--   curve       "linear" (default), "hermite" or "catmull_rom"
--   clear       walls, a grid, or a function: what the curve must not run into, as of wend.curve
--   spacing     a finite number > 0: how fine a curve is; default: a 16th of the mean leg
--   loop        true: from the last point to the first and on, for ever
--   dimensions  2 or 3; default: what the points say, or else 2
-- @return a follower
-- Raises where an argument is something else; and whatever `clear` raises.
local function follow(points, options)
  check.options(options, OPTIONS)
  local list, dimensions = curve.read(points, options and options.dimensions)
  local how = curve.style(options, "linear", dimensions)
  if not how.knot then
    how.spacing = huge      -- straight legs need no points between
  end
  local speed = options and options.speed
  if speed == nil then
    speed = 1
  end
  check_speed(speed)
  local self = { speed = speed, known_speed = speed, how = how }
  begin(self, new_track(list, how))
  return setmetatable(self, metatable)
end

--- Walks on for a time. Makes no garbage.
-- @param dt seconds: a finite number >= 0. One step or many small ones lead to the same place.
-- @return x, y[, z]: where it is then
-- Raises where dt, or the speed that was set, is something else.
function methods:update(dt)
  if type(dt) ~= "number" or not (dt >= 0 and dt < huge) then
    check_self(self)
    check.fail("dt must be a finite number >= 0, got %s", check.describe(dt))
  end
  local speed, z = self.speed, self.z
  if speed ~= self.known_speed or not speed then
    check_self(self)
    check_speed(speed)
    self.known_speed = speed
  end
  local step = (speed + 0.0) * dt
  if step > 0 and not self.done then
    local track = self.track
    local at, i, before = track.at, track.chord, track.walked
    step = step - track.lost
    local walked = before + step
    track.lost = walked - before - step
    if walked >= track.upto then
      i = i + 1
      if walked < track.finish and walked < at[i + 1] then
        enter(self, track, i)
      else
        i, walked = go_on(self, track, walked)
      end
    end
    if i then
      local from, points, turn = at[i], track.points, track.turn[i]
      local v = (walked - from) / (at[i + 1] - from)
      track.walked = walked
      if turn ~= 0 then
        local heading = track.heading[i] + turn * v
        if heading > pi or heading < -pi then
          heading = wrapped(heading)
        end
        self.heading = heading
      end
      if z then
        local j = 3 * i
        local x, y
        x, y, z = points[j - 2], points[j - 1], points[j]
        x, y, z = x + (points[j + 1] - x) * v, y + (points[j + 2] - y) * v, z + (points[j + 3] - z) * v
        self.x, self.y, self.z = x, y, z
        return x, y, z
      end
      local j = 2 * i
      local x, y = points[j - 1], points[j]
      x, y = x + (points[j + 1] - x) * v, y + (points[j + 2] - y) * v
      self.x, self.y = x, y
      return x, y
    end
  end
  if z then
    return self.x, self.y, self.z
  end
  return self.x, self.y
end

--- How far it is to the end: along the chords that it walks on; 0 at the end, math.huge on a loop.
-- @return a number >= 0
function methods:remaining()
  check_self(self)
  local track = self.track
  return track.start and huge or track.length - track.walked
end

--- The direction in which the follower walks, with length 1, and `reach`: the length of the leg that it is on. nil
--- where it never had anywhere to go.
local function direction(self)
  local track = self.track
  if not (track.length > 0) then
    return track.lead
  end
  local chord, at, legs, points = track.chord, track.at, track.legs, track.points
  local first, last, leg = chord, chord + 1, legs[chord]
  while legs[first - 1] == leg do first = first - 1 end
  while legs[last] == leg do last = last + 1 end
  local dz = track.dimensions == 3 and (points[3 * chord + 3] - points[3 * chord]) / (at[chord + 1] - at[chord]) or 0
  local flat = sqrt(1 - min(1, dz * dz))
  return {
    dx = cos(self.heading) * flat, dy = sin(self.heading) * flat, dz = dz, reach = at[last] - at[first],
  }
end

--- Sends the follower along other points. It goes on from where it is: leg 0 leads from there to the first of them.
-- With a curve it goes on in the direction of its heading, and turns within about the length of the leg that it leaves;
-- unless `clear` keeps the new leg straight, or a loop begins where it stands. Speed and options stay. A loop closes
-- over the new points alone.
-- @param points as of wend.follow, with as many dimensions as before
-- @return the follower
-- Raises where they are something else, and whatever `clear` raises; the follower then goes on as before.
function methods:retarget(points)
  check_self(self)
  local list = curve.read(points, self.how.dimensions)
  local way = direction(self) or {}
  local lead = { x = self.x, y = self.y, z = self.z or 0, dx = way.dx, dy = way.dy, dz = way.dz, reach = way.reach }
  begin(self, new_track(list, self.how, (way.dx or nil) and self.heading, lead))
  return self
end

return { follow = follow }
