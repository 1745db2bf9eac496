-- SPDX-License-Identifier: MIT
-- wend.follow: objects that walk along points at a given speed, equally fast at every frame rate.
--
-- A follower walks along the straight chords of a row: the track itself, whose chords are its legs; or, on a curve, the
-- row of the current leg (wend.track describes both). The row of a leg is made when the follower comes to that leg. Its
-- position depends on one number, the distance walked:
--
--   at of chord i                          the distance to the beginning of chord i
--   at of i <= walked < at of i + 1        the follower is on chord i. It is not on a chord of length 0, except for the
--                                          time of a stop
--
-- For example, chords of length 3, 0 and 5 have at = 0, 3, 3, and the end is at 8. After walking 4, the follower is on
-- the third chord, 1 behind its beginning.
--
-- `walked` is the sum of all steps. The rounding error of the sum is kept and subtracted from the next step (W. Kahan,
-- "Further remarks on reducing truncation errors", Communications of the ACM 8, 1965). So ten small steps and one large
-- step lead to the same place.
--
-- Ten thousand followers do not fit into a processor's cache: `update` spends its time waiting for memory. So the data
-- that it needs lies close together: the data of the current chord are items of the follower. A follower with one of
-- the options stops, speeds and on_point takes another way through `update`: from event to event (`walk`).

local core = require "wend.core"
local check = require "wend.check"
local curve = require "wend.curve"
local tracks = require "wend.track"
local state = require "wend.follow.state"
local rows = require "wend.follow.rows"
local leg_of = require "wend.follow.legs"
local walking = require "wend.follow.events"
local join = require "wend.follow.join"
local save = require "wend.follow.save"

local abs, huge, max, pi, sqrt = math.abs, math.huge, math.max, math.pi, math.sqrt
local check_self, check_speed, is_coordinate, check_place, check_idle =
  state.check_self, state.check_speed, state.is_coordinate, state.check_place, state.check_idle
local wrapped, ROUNDING, CHANGED = state.wrapped, state.ROUNDING, state.CHANGED
local WALKED, UPTO, LOST, FROM, X = state.WALKED, state.UPTO, state.LOST, state.FROM, state.X
local X_UNIT, Y, Y_UNIT, KNOWN_SPEED, TURN = state.X_UNIT, state.Y, state.Y_UNIT, state.KNOWN_SPEED, state.TURN
local Z, Z_UNIT, HEADING, ROW, CHORD = state.Z, state.Z_UNIT, state.HEADING, state.ROW, state.CHORD
local FINISH, LENGTH, TRACK, HOW, EVENTS = state.FINISH, state.LENGTH, state.TRACK, state.HOW, state.EVENTS
local SPARE = state.SPARE
local reserve, most_chords, make_row, next_slot, heading_before =
  rows.reserve, rows.most_chords, rows.make_row, rows.next_slot, rows.heading_before
local chord_at, enter, arrive, turn_round = rows.chord_at, rows.enter, rows.arrive, rows.turn_round
local readers = leg_of.readers
local walk, begin_events, events_of, read_events, enter_slot =
  walking.walk, walking.begin_events, walking.events_of, walking.read_events, walking.enter_slot
local direction, find_join = join.direction, join.find_join

local OPTIONS = { "speed", "curve", "clear", "loop", "dimensions", "spacing", "stops", "speeds", "on_point" }
local RETARGET_OPTIONS = { "join" }
local NEAREST = 2^-46          -- of the coordinates: a follower so near to a point stands on it

local methods = {}
local metatable = core.class "follower"

--- Puts the follower at the beginning of a track whose fields first, last, heading and dx are set. Raises if `clear`
--- raises; nothing that the follower uses has changed then.
local function begin(self, track)
  local how, stride = self[HOW], track.dimensions + 1
  local c, last = (track.first - 1) * stride + 1, (track.last - 1) * stride + 1
  local at, length = track[c], track[last]
  local straight = how.kind == 0
  track.straight, track.list = straight, nil
  track.start = how.loop and length > track[stride + 1] and 2 or nil
  track.row_made = false
  local slot, count, upto, heading
  if not straight then
    slot = next_slot(track, track.first - 1)
    if slot then
      track.spacing = tracks.spacing(how.spacing, length - at, track.moving)
      track.chords = most_chords(track, c, last)
      reserve(track, track.spare, track.spare_headings)
      heading = track.heading or heading_before(track, c)
      count, upto = make_row(track, how, slot, 0.0, heading)
    end
  end
  -- Nothing raises from here on.
  self[TRACK] = track
  self[LOST], self[TURN] = 0.0, 0.0
  self.x, self.y, self.done = track[c + 1], track[c + 2], false
  if stride == 4 then
    self.z = track[c + 3]
    self[Z] = self.z
  end
  self[LENGTH] = track.start and huge or straight and length or false
  if self[EVENTS] then
    begin_events(self, track)
  end
  if not (length > at) then
    self[WALKED], self[LENGTH] = 0.0, 0.0
    track.base = 0.0
    self[FINISH] = 0.0
    arrive(self, track)
    if not track.jumps then
      self.x, self.y = track[c + 1], track[c + 2]     -- it does not jump, not even by a rounding error
      if stride == 4 then self.z = track[c + 3] end
    end
  elseif straight then
    self[ROW], self[WALKED] = track, at
    self[FINISH] = track.start and length or length - (length - at) * ROUNDING
    local events = self[EVENTS]
    enter(self, track, events and events.active and (events.slot - 1) * stride + 1
      or chord_at(track, stride, at, c, last))
  else
    track.row, track.spare = track.spare, track.row
    track.headings, track.spare_headings = track.spare_headings, track.headings
    track.slot, track.points, track.row_made, track.base = slot, count, true, 0.0
    self[ROW], self[WALKED] = track.row, 0.0
    self[FINISH] = upto
    if not track.start and not next_slot(track, slot) then
      self[FINISH] = upto - upto * ROUNDING
    end
    self.leg = slot - 1
    enter(self, track.row, chord_at(track.row, stride, 0.0, 1, count * stride + 1))
    local events = self[EVENTS]
    if events and events.active and slot > events.slot then
      enter_slot(self, track, events.slot, 0.0, self.heading)
    end
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
--   points      the points of its legs, flat; do not change them
--   edge, tag, node, waiting, paused   see wend.Follower in meta.lua
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
--   stops       a list of tags: it waits where a leg with such a tag begins
--   speeds      factors of the speed by tag, finite, >= 0
--   on_point    a function (follower, i): runs when the follower passes point i
-- @return a follower
-- Raises if an argument is invalid, and if `clear` raises.
local function follow(points, options)
  check.options(options, OPTIONS)
  local loop = options and options.loop == true
  local track = tracks.read(points, options and options.dimensions, loop)
  local how = curve.style(options, "linear", track.dimensions)
  local speed = options and options.speed
  if speed == nil then
    speed = 1
  end
  check_speed(speed)
  local events = options and read_events(options) or false
  local self = {
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, not events and speed, 0.0, false, 0.0, 0.0, false, 1, 0.0, 0.0, false, how,
    events, false,
    x = 0.0, y = 0.0, heading = 0.0, leg = 0, done = false, speed = speed, update = methods.update, z = nil,
  }
  track.first, track.last = 2, track.count + 1
  begin(self, track)
  if track.row_made then
    reserve(track)
  end
  return setmetatable(self, metatable)
end

--- f:update(dt): walks for dt seconds. Makes no garbage.
-- @param dt seconds, finite, >= 0. One step or many small ones lead to the same place.
-- @return x, y[, z]: the new position
-- Raises if dt, or the speed that was set, is invalid, and if `clear` or on_point raises.
function methods:update(dt)
  if type(dt) ~= "number" or not (dt >= 0 and dt < huge) then
    check_self(self)
    check.fail("dt must be a finite number >= 0, got %s", check.describe(dt))
  end
  local speed = type(self) == "table" and self.speed
  if not speed or speed ~= self[KNOWN_SPEED] then
    check_self(self)
    check_speed(speed)
    local events = self[EVENTS]
    if events and (events.active or events.paused) then
      if events.calling then
        check.fail "on_point cannot call update of its follower"
      end
      check_idle(self)
      walk(self, events, dt)
      if self[Z] then
        return self.x, self.y, self.z
      end
      return self.x, self.y
    end
    self[KNOWN_SPEED] = speed
  end
  local step = (speed + 0.0) * dt
  if step > 0 and not self.done then
    local before = self[WALKED]
    step = step - self[LOST]
    local walked = before + step
    local lost = walked - before - step
    if walked >= self[UPTO] then
      if walked < self[FINISH] then
        local row, stride = self[ROW], self[Z] and 4 or 3
        local c = self[CHORD] + stride
        if not (walked < row[c + stride]) then
          local track = self[TRACK]
          c = chord_at(row, stride, walked, c, (track.straight and track.last - 1 or track.points) * stride + 1)
        end
        enter(self, row, c)
      else
        check_idle(self)
        walked = turn_round(self, walked)
        lost = 0.0
      end
    end
    if walked then
      local along, turn, z = walked - self[FROM], self[TURN], self[Z]
      self[WALKED], self[LOST] = walked, lost
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

--- f:remaining(): the distance to the end along its way. On a curve the first call measures the legs ahead.
-- @return a number >= 0; math.huge on a loop
-- Raises if `clear` raises.
function methods:remaining()
  check_self(self)
  local length = self[LENGTH]
  if not length then
    check_idle(self)
    local track, how = self[TRACK], self[HOW]
    local stride = track.dimensions + 1
    length = 0.0
    if track.row_made then
      length = track.row[track.points * stride + 1]
    end
    local slot, heading = next_slot(track, track.slot), 0.0
    while slot do
      local _, upto = make_row(track, how, slot, length, heading)
      length, slot = upto, next_slot(track, slot)
    end
    self[LENGTH] = length
  end
  return max(0, length - self[WALKED])
end

--- f:line(): the points along its way, flat: those of the legs, and on a curve those between them. `legs` holds for
-- each point but the last the number of its leg; `dimensions` is 2 or 3.
-- Raises if `clear` raises.
function methods:line()
  check_self(self)
  check_idle(self)
  local track, how = self[TRACK], self[HOW]
  local dimensions = track.dimensions
  local stride = dimensions + 1
  local line, legs = { dimensions = dimensions }, {}
  for slot = track.first, track.last - 1 do
    local row, c, count = track, (slot - 1) * stride + 1, 1
    if how.kind ~= 0 and track[c] < track[c + stride] then
      count = make_row(track, how, slot, 0.0, 0.0)
      row, c = track.spare, 1
    end
    for k = 0, count - 1 do
      for axis = 1, dimensions do line[#line + 1] = row[c + k * stride + axis] end
      legs[#legs + 1] = slot - 1
    end
  end
  for axis = 1, dimensions do line[#line + 1] = track[(track.last - 1) * stride + 1 + axis] end
  line.legs = legs
  return line
end

--- f:retarget(points[, opts]): sends the follower along other points from its current position. Leg 0 leads from there
-- to the first of them. On a curve it continues in its heading, and turns within about the length of the leg that it
-- leaves; unless `clear` keeps the new leg straight, or a loop begins where it stands. Speed and options stay. A loop
-- closes over the new points only. A follower that waits goes on; a paused one stays paused.
-- @param points as for wend.follow, with as many dimensions as before
-- @param options a table or nil:
--   join        true: the points that the follower has passed already are left out. It goes straight to the first that
--               lies ahead, if `clear` says that this line is free. The current leg is then the one that it joins.
--               Otherwise it goes to a nearer point of that leg, if that line is free
-- @return the follower
-- Raises if the points are invalid, and if `clear` raises. The follower then continues as before.
function methods:retarget(points, options)
  check_self(self)
  check_idle(self)
  local joins = false
  if options ~= nil then
    check.options(options, RETARGET_OPTIONS)
    joins = options.join
    if joins ~= nil and type(joins) ~= "boolean" then
      check.fail("join must be true or false, got %s", check.describe(joins))
    end
  end
  local how = self[HOW]
  local track = tracks.read(points, how.dimensions, how.loop, self[SPARE] or nil)
  if track == self[TRACK] then
    check.fail(CHANGED)
  end
  check_place(self)
  local dx, dy, dz, reach = direction(self)
  local x, y, z = self.x, self.y, self[Z] and self.z or 0
  local dimensions = track.dimensions
  local stride = dimensions + 1
  track.dx, track.dy, track.dz, track.reach = dx, dy, dz, reach
  track.heading = dx and self.heading or nil
  local slot, left = 1, nil
  if joins and not how.loop then
    slot, left = find_join(self, track, x, y, z, dx, dy, dz)
  end
  local c = (slot - 1) * stride + 1
  local n = c + stride
  track.first, track.last = slot, track.count + 1
  for i = stride + 1, c - stride, stride do
    if track[i] < track[i + stride] then
      track.moving = track.moving - 1     -- this leg is left out
    end
  end
  local was_moving = slot > 1 and track[c] < track[n]
  if left then
    local upto = n + stride
    for axis = 1, dimensions do
      track[n + axis] = track[upto + axis] + (track[n + axis] - track[upto + axis]) * left
    end
    track[n] = track[upto] - (track[upto] - track[n]) * left
  end
  track[c + 1], track[c + 2] = x, y
  local ex, ey, ez = track[n + 1] - x, track[n + 2] - y, 0
  if dimensions == 3 then
    track[c + 3], ez = z, track[n + 3] - z
  end
  local length = sqrt(ex * ex + ey * ey + ez * ez)
  if not (length > NEAREST * max(abs(x), abs(y), abs(z))) then
    length = 0              -- one that stands on the point, except for rounding errors, does not turn toward it
  elseif not was_moving then
    track.moving = track.moving + 1
  end
  track[c] = track[n] - length
  -- The new track takes over the rows of the old one. If `begin` raises, the old one keeps them.
  local old = self[TRACK]
  track.row, track.headings, track.spare, track.spare_headings = nil, nil, old.spare, old.spare_headings
  self[SPARE] = track
  begin(self, track)
  if track.row_made then
    reserve(track, old.row, old.headings)
  else
    track.row, track.headings = old.row, old.headings
  end
  old.row, old.headings, old.spare, old.spare_headings = nil, nil, nil, nil
  self[SPARE] = old
  return self
end

-- Stops ------------------------------------------------------------------------------------------------------------

--- f:pause(): the follower stays where it is until f:resume().
-- @return the follower
function methods:pause()
  check_self(self)
  check_idle(self)
  events_of(self).paused = true
  self[KNOWN_SPEED] = false
  return self
end

--- Reads the position of f:resume: numbers, or one value.
local function read_position(dimensions, x, y, z, ...)
  if type(x) ~= "number" and x ~= nil then
    if y ~= nil then
      check.fail("a position must be one value or %d numbers, got more", dimensions)
    end
    local given = x
    if type(given) ~= "table" and type(given) ~= "userdata" and type(given) ~= "cdata" then
      check.fail("position must be a position: { x, y%s }, or something with fields x%s, got %s",
        dimensions == 3 and ", z" or "", dimensions == 3 and ", y and z" or " and y", check.describe(given))
    end
    if type(given) == "table" and rawget(given, "x") == nil and rawget(given, 1) ~= nil then
      x, y, z = rawget(given, 1), rawget(given, 2), rawget(given, 3)
    else
      x, y, z = given.x, given.y, dimensions == 3 and given.z or nil
    end
  end
  for axis = 1, dimensions do
    local value = axis == 1 and x or axis == 2 and y or axis == 3 and z
    if axis == 2 then value = y elseif axis == 3 then value = z elseif axis == 1 then value = x end
    if not is_coordinate(value) then
      check.fail("%s must be a finite number (up to 1e150), got %s", ("xyz"):sub(axis, axis), check.describe(value))
    end
  end
  if dimensions == 2 and z ~= nil or select("#", ...) > 0 then
    check.fail("a position of this follower has %d numbers, got more", dimensions)
  end
  return x + 0.0, y + 0.0, dimensions == 3 and z + 0.0 or nil
end

--- f:resume([x, y[, z]]): ends a pause; without a pause, ends the wait at a stop. With a position it ends the wait in
-- any case: the script has moved the follower over the leg. The position takes the place of the end of that leg.
-- @return the follower
-- Raises if the follower does not wait, and if the position is invalid.
function methods:resume(...)
  check_self(self)
  check_idle(self)
  local events, track = self[EVENTS], self[TRACK]
  if select("#", ...) == 0 or (...) == nil and select("#", ...) == 1 then
    if events and events.paused then
      events.paused = false
    elseif events and events.waiting then
      events.waiting = nil
    else
      check.fail "the follower does not wait"
    end
    return self
  end
  local dimensions = track.dimensions
  local x, y, z = read_position(dimensions, ...)
  if not (events and events.waiting) then
    check.fail "the follower does not wait at a stop"
  end
  local stride, slot = dimensions + 1, events.slot
  local n = slot * stride + 1
  local changed = slot
  local function put(c)
    track[c + 1], track[c + 2] = x, y
    if dimensions == 3 then track[c + 3] = z end
  end
  put(n)
  if slot + 1 == track.last and track.start then
    put(stride + 1)        -- a loop has its first point twice
    changed = track.first
  end
  for i = changed, track.last - 1 do
    local c = (i - 1) * stride + 1
    local dx, dy = track[c + stride + 1] - track[c + 1], track[c + stride + 2] - track[c + 2]
    local dz = dimensions == 3 and track[c + stride + 3] - track[c + 3] or 0
    local jump = track.jumps and track.jumps[i - 1]
    track[c + stride] = track[c] + (jump and 0 or sqrt(dx * dx + dy * dy + dz * dz))
  end
  local length = track[(track.last - 1) * stride + 1]
  track.length, track.list = length, nil
  events.waiting = nil
  if track.straight then
    if not track.start then self[LENGTH] = length end
    self[FINISH] = length
    enter(self, track, (slot - 1) * stride + 1)
    self[WALKED] = self[UPTO]
  else
    if self[LENGTH] ~= huge then self[LENGTH] = false end
    self[WALKED], self[UPTO], self[FINISH] = self[FINISH], self[FINISH], self[FINISH]
  end
  self[LOST] = 0.0
  self.x, self.y = x, y
  if z then self.z = z end
  return self
end

-- States -----------------------------------------------------------------------------------------------------------

methods.state = save.state

--- Makes a follower from a state: see save.restore. Raises what that raises.
local function restore(saved, map, given)
  return save.restore(saved, map, given, { update = methods.update, metatable = metatable })
end

function metatable.__index(self, key)
  local method = methods[key]
  if method ~= nil then
    return method
  end
  local reader = readers[key]
  if reader and core.type(self) == "follower" and type(rawget(self, TRACK)) == "table" then
    return reader(self)
  end
end

return { follow = follow, restore = restore }
