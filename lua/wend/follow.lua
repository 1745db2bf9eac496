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

local atan2 = math.atan2 or math.atan       -- luacheck: ignore 143 (5.3 has the one, 5.1 the other)
local abs, cos, floor, fmod, huge, max, min, pi, sin, sqrt =
  math.abs, math.cos, math.floor, math.fmod, math.huge, math.max, math.min, math.pi, math.sin, math.sqrt

local OPTIONS = { "speed", "curve", "clear", "loop", "dimensions", "spacing", "stops", "speeds", "on_point" }
local RETARGET_OPTIONS = { "join" }
local ROUNDING = 2^-50         -- the share of the length before the end that counts as the end: rounding of the steps
local STEP_MAX = 1e308         -- the largest distance for fmod, which gives NaN for infinity
local CHANGED = "the list part of the follower was changed: it is internal"
local SHARES = { 1 / 2, 3 / 4, 1 } -- of the rest of a leg: where a follower may join it if it cannot see its end
local ROW_CHORDS = 26          -- what new_row makes room for, in 2 dimensions
local CHORDS_MAX = 1000        -- rows are made for so many chords at most before they are needed
local LONGER = 1.25            -- curves are hardly ever longer than this times their legs
local NEAREST = 2^-46          -- of the coordinates: a follower so near to a point stands on it
local COORDINATE_MAX = tracks.COORDINATE_MAX

-- The items of a follower. Those that every update needs come first.
local WALKED, UPTO, LOST = 1, 2, 3       -- the distance walked; where the chord ends; the rounding error of the sum
local FROM, X, X_UNIT, Y, Y_UNIT = 4, 5, 6, 7, 8     -- where the chord begins: distance, x, y; x and y per unit of it
local KNOWN_SPEED = 9                    -- the last speed that was checked; false: update takes the way by events
local TURN, Z = 10, 11                   -- the change of heading per unit; z where the chord begins, or false in 2D
local Z_UNIT, HEADING = 12, 13           -- z per unit; the heading where the chord begins
local ROW, CHORD = 14, 15                -- the row, and the index of the chord in it
local FINISH = 16                        -- the distance to the end of the row
local LENGTH = 17                        -- the length of the way; math.huge: a loop; false: not known yet
local TRACK, HOW = 18, 19                -- the track, and the result of curve.style
local EVENTS = 20                        -- the state of stops, speeds, on_point and pauses, or false
local SPARE = 21                         -- the track that the next retarget fills, or false

-- The fields of a track that belong to its follower:
--   first, last   the first and the last slot of the way
--   start         2 on a loop: the slot at which a lap begins; otherwise nil
--   heading       before the first leg that has a direction
--   dx, dy, dz, reach   the direction in which a curve begins, of length 1, and the length of its tangent; or nil
--   straight      whether the track itself is the row
-- On curves also:
--   slot          of the current leg; `row`, `headings`: its row; `points`: the number of chords in it
--   spare, spare_headings   the row that is made next
--   spacing       the largest length of a chord
--   chords        about how many chords the longest leg has

local methods = {}
local metatable = core.class "follower"

local function check_self(self)
  check.self(self, "follower", "a follower", "follower")
end

local function check_speed(speed)
  if type(speed) ~= "number" or not (speed >= 0 and speed < huge) then
    check.fail("speed must be a finite number >= 0, got %s", check.describe(speed))
  end
end

local function is_coordinate(value)
  return type(value) == "number" and value >= -COORDINATE_MAX and value <= COORDINATE_MAX
end

--- Raises if a script has set the position or the heading to a value from which the follower cannot continue.
local function check_place(self)
  for i = 1, 4 do
    local name = i == 1 and "x" or i == 2 and "y" or i == 3 and "z" or "heading"
    local value = rawget(self, name)
    if not (i == 3 and value == nil) and not is_coordinate(value) then
      check.fail("%s of the follower must be a finite number (up to 1e150), got %s", name, check.describe(value))
    end
  end
end

--- Raises while the follower asks `clear`: it is between two states.
local function check_idle(self)
  local how = self[HOW]
  if type(how) ~= "table" or how.asking then
    check.fail(type(how) == "table" and "clear cannot use the follower that asks it" or CHANGED)
  end
end

--- An angle in -pi .. pi, from one in -3 pi .. 3 pi.
local function wrapped(angle)
  if angle > pi then
    return angle - 2 * pi
  elseif angle < -pi then
    return angle + 2 * pi
  end
  return angle
end

-- Rows -------------------------------------------------------------------------------------------------------------

--- Two lists for a row of up to 26 chords in 2 dimensions. Such lists do not grow while they are filled: a mean leg has
--- about 16 chords.
local function new_row()
  return {
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0,
  }, {
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
  }
end

--- Extends a list with zeros.
local function extend(list, count)
  for i = #list + 1, count do list[i] = 0.0 end
end

--- Makes the spare row of a track large enough for the curve of its longest leg, so that it hardly ever grows while the
--- follower walks. It is one of two: `enter_leg` exchanges them.
-- @param row, headings tables to use for it, or nil
local function reserve(track, row, headings)
  if not row then
    row, headings = new_row()
  end
  if track.chords > ROW_CHORDS then
    extend(row, (track.chords + 1) * (track.dimensions + 1))
    extend(headings, track.chords + 1)
  end
  track.spare, track.spare_headings = row, headings
end

--- About how many chords the longest leg of a track has.
-- @param c, last the indices of its first and its last point
local function most_chords(track, c, last)
  local stride, longest = track.dimensions + 1, 0
  for i = c, last - stride, stride do
    local length = track[i + stride] - track[i]
    if length > longest then
      longest = length
    end
  end
  return floor(min(CHORDS_MAX, LONGER * longest / track.spacing)) + 1
end

--- Makes the row of a leg of a curve in the spare tables of a track.
-- @param slot of the leg
-- @param base the distance to its beginning
-- @param heading before it
-- @return the number of chords, and the distance to its end. Raises if `clear` raises; nothing has changed then.
local function make_row(track, how, slot, base, heading)
  local dimensions = how.dimensions
  local row, headings = track.spare, track.spare_headings
  if not row then
    row, headings = new_row()
    track.spare, track.spare_headings = row, headings
  end
  local count = tracks.row(row, headings, track, track.first, slot, track.last, dimensions, how.kind, track.spacing,
    base, heading, track.start, track.jumps, track.dx, track.dy, track.dz, track.reach) or check.fail(CHANGED)
  local upto = row[count * (dimensions + 1) + 1]
  local straight = not (upto > base)
  if how.clear and not straight then
    how.asking = true
    local ok, free = pcall(tracks.is_row_free, row, count, how.clear, dimensions)
    how.asking = false
    if not ok then
      error(free, 0)
    end
    straight = not free
  end
  if straight then
    count = tracks.row(row, headings, track, track.first, slot, track.last, dimensions, 0, 1, base, heading)
    upto = row[count * (dimensions + 1) + 1]
  end
  return count, upto
end

--- The slot of the next leg of length > 0 after a slot; nil: there is none up to the end of the track.
local function next_slot(track, slot)
  local stride = track.dimensions + 1
  for i = slot + 1, track.last - 1 do
    local c = (i - 1) * stride + 1
    if track[c] < track[c + stride] then
      return i
    end
  end
end

--- The heading of the last leg before index c of a track that has one; otherwise that of the first leg after it.
local function heading_before(track, c)
  local stride = track.dimensions + 1
  local first, last = (track.first - 1) * stride + 1, (track.last - 1) * stride + 1
  for i = c - stride, first, -stride do
    local dx, dy = track[i + stride + 1] - track[i + 1], track[i + stride + 2] - track[i + 2]
    if track[i] < track[i + stride] and (dx ~= 0 or dy ~= 0) then
      return atan2(dy, dx)
    end
  end
  if track.heading then
    return track.heading
  end
  for i = c, last - stride, stride do
    local dx, dy = track[i + stride + 1] - track[i + 1], track[i + stride + 2] - track[i + 2]
    if track[i] < track[i + stride] and (dx ~= 0 or dy ~= 0) then
      return atan2(dy, dx)
    end
  end
  return 0.0
end

--- Finds the chord at the distance `walked`: the last one that begins there or earlier, from the chord at index c on,
--- before the index `last`. It doubles the stride until it is too far, and then bisects the last stride. The next chord
--- takes few steps, a distant one logarithmically many.
local function chord_at(row, step, walked, c, last)
  local reach = 1         -- the stride, in chords
  while c + reach * step < last and row[c + reach * step] <= walked do
    c = c + reach * step
    reach = 2 * reach
  end
  local first, beyond = 0, reach
  while beyond - first > 1 do
    local middle = floor((first + beyond) / 2)
    if c + middle * step < last and row[c + middle * step] <= walked then
      first = middle
    else
      beyond = middle
    end
  end
  return c + first * step
end

--- Puts the follower on the chord at index c: fills in its items.
local function enter(self, row, c)
  local z = self[Z]
  local n = z and c + 4 or c + 3
  local from, x, y, finish = row[c], row[c + 1], row[c + 2], self[FINISH]
  local upto, dx, dy = row[n], row[n + 1] - x, row[n + 2] - y
  local length, track = upto - from, self[TRACK]
  if not (length > 0) then
    length = huge           -- it stands on the beginning
  end
  self[FROM], self[UPTO], self[CHORD] = from, upto < finish and upto or finish, c
  self[X], self[X_UNIT], self[Y], self[Y_UNIT] = x, dx / length, y, dy / length
  if z then
    z = row[c + 3]
    self[Z], self[Z_UNIT] = z, (row[n + 3] - z) / length
  end
  local heading
  if track.straight then
    heading = (dx ~= 0 or dy ~= 0) and length < huge and atan2(dy, dx) or heading_before(track, c)
    self.leg = floor(c / (n - c))
  else
    local headings, k = track.headings, floor(c / (n - c)) + 1
    heading = headings[k]
    local turn = wrapped(headings[k + 1] - heading)
    self[TURN] = turn ~= 0 and turn / length or 0.0
  end
  self[HEADING], self.heading = heading, heading
end

--- Puts the follower on a leg of a curve. Raises if `clear` raises; nothing has changed then.
-- @param base the distance to the beginning of the leg
local function enter_leg(self, track, slot, base, heading)
  local how = self[HOW]
  local stride = how.dimensions + 1
  local count, upto = make_row(track, how, slot, base, heading)
  track.row, track.spare = track.spare, track.row
  track.headings, track.spare_headings = track.spare_headings, track.headings
  track.slot, track.points = slot, count
  local row = track.row
  local last = not track.start and not next_slot(track, slot)
  self[ROW], self[FINISH] = row, last and upto - (upto - track.base) * ROUNDING or upto
  self[WALKED] = base
  if how.clear and self[LENGTH] ~= huge then
    self[LENGTH] = false    -- `clear` may have changed its mind since the length was measured
  end
  self.leg = slot - 1
  enter(self, row, chord_at(row, stride, base, 1, count * stride + 1))
end

--- Puts the follower at the end.
local function arrive(self, track)
  local stride = track.dimensions + 1
  local c = (track.last - 1) * stride + 1
  local heading
  if track.straight or not track.row_made then
    heading = heading_before(track, c)
  else
    heading = track.headings[track.points + 1]
  end
  if not track.straight then
    self[LENGTH] = self[WALKED] > 0 and self[FINISH] or 0.0
    if track.row_made then self[LENGTH] = track.row[track.points * stride + 1] end
  end
  self.x, self.y, self.leg, self.heading = track[c + 1], track[c + 2], track.last - 2, heading
  if stride == 4 then
    self.z = track[c + 3]
  end
  self.done = true
  self[WALKED] = self[LENGTH] or 0.0
  if track.start then self[WALKED] = 0.0 end
end

--- Handles the end of a row: continues in the next leg, or the next lap of a loop; otherwise the follower arrives.
-- @param walked the distance, which is past the end
-- @return the distance on the new leg, or within the lap; nil: it has arrived. Raises if `clear` raises: the follower
-- is then on the beginning of a leg.
local function turn_round(self, walked)
  local track = self[TRACK]
  if track.straight then
    if not track.start then
      return arrive(self, track)
    end
    local stride = track.dimensions + 1
    local lap, length = track[stride + 1], track.length
    walked = lap + fmod(min(walked, STEP_MAX) - lap, length - lap)
    if walked >= length then
      walked = lap
    end
    self[LOST] = 0.0
    enter(self, track, chord_at(track, stride, walked, stride + 1, (track.last - 1) * stride + 1))
    return walked
  end
  local laps, stride = 0, track.dimensions + 1
  for _ = 1, 4 * track.last do
    local upto = track.row[track.points * stride + 1]
    local heading, base = track.headings[track.points + 1], upto
    local slot = next_slot(track, track.slot)
    if not slot then
      if not track.start then
        return arrive(self, track)
      end
      walked, base, slot = min(walked, STEP_MAX) - upto, 0.0, next_slot(track, 1)
      if laps > 0 then
        walked = fmod(walked, upto)    -- the last lap began here, at 0: upto is its length
      end
      laps = laps + 1
      walked = max(walked, 0.0)
    end
    enter_leg(self, track, slot, base, heading)
    self.x, self.y = self[X], self[Y]
    if self[Z] then self.z = self[Z] end
    if walked < self[UPTO] then
      return walked
    elseif walked < self[FINISH] then
      enter(self, track.row, chord_at(track.row, stride, walked, 1, track.points * stride + 1))
      return walked
    end
  end
  return self[WALKED]
end

-- Tags on the way --------------------------------------------------------------------------------------------------

--- The tag of the leg at a slot: of its edge, or of its link. nil: it has none.
local function tag_of_leg(track, slot)
  local map, leg = track.map, slot - 1
  if not map then
    return nil
  elseif track.jumps and track.jumps[leg] then
    local c = (slot - 1) * (track.dimensions + 1) + 1
    local n = c + track.dimensions + 1
    return (tracks.tag(map, track[c + 1], track[c + 2], track[n + 1], track[n + 2]))
  end
  local edge = track.edges and track.edges[leg]
  return edge and (tracks.tag(map, edge)) or nil
end

--- The slot of the leg that the follower is on.
local function slot_of(self, track)
  return track.straight and floor(self[CHORD] / (track.dimensions + 1)) + 1 or track.slot
end

--- Whether the track belongs to a grid.
local function is_on_grid(track)
  return track.map ~= nil and core.type(track.map) == "grid"
end

-- The fields that are calculated when a script reads them.
local readers = {}

function readers:edge()
  local edges = self[TRACK].edges
  return edges and edges[self.leg] or nil
end

function readers:node()
  local track = self[TRACK]
  local nodes = track.nodes
  if nodes then
    for i = self.done and track.count or min(self.leg, track.count), 1, -1 do
      if nodes[i] then
        return nodes[i]
      end
    end
  end
  return nil
end

function readers:tag()
  local track = self[TRACK]
  if not is_on_grid(track) then
    return tag_of_leg(track, self.leg + 1)
  end
  local events = self[EVENTS]
  return events and events.waiting or (tracks.tag(track.map, self.x, self.y))
end

function readers:waiting()
  local events = self[EVENTS]
  return events and events.waiting or nil
end

function readers:paused()
  local events = self[EVENTS]
  return events and events.paused or false
end

function readers:points()
  local track = self[TRACK]
  local points, dimensions = track.list, track.dimensions
  if not points then
    points = {}
    for slot = track.first, track.last do
      for axis = 1, dimensions do points[#points + 1] = track[(slot - 1) * (dimensions + 1) + 1 + axis] end
    end
    track.list = points
  end
  return points
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

-- Walking from event to event --------------------------------------------------------------------------------------

--- Puts the follower on its current chord, at the distance walked.
local function place(self)
  local along, z, turn = self[WALKED] - self[FROM], self[Z], self[TURN]
  self.x, self.y = self[X] + self[X_UNIT] * along, self[Y] + self[Y_UNIT] * along
  if z then
    self.z = z + self[Z_UNIT] * along
  end
  if turn ~= 0 then
    self.heading = wrapped(self[HEADING] + turn * along)
  end
end

--- Puts a follower with events on the leg at a slot, also if its length is 0.
local function enter_slot(self, track, slot, base, heading)
  local stride = track.dimensions + 1
  local c = (slot - 1) * stride + 1
  if track.straight then
    self[WALKED] = track[c]
    enter(self, track, c)
  elseif track[c] < track[c + stride] then
    enter_leg(self, track, slot, base, heading)
  else
    track.slot = slot
    self[WALKED], self[FROM], self[UPTO], self[FINISH] = base, base, base, base
    self[X], self[X_UNIT], self[Y], self[Y_UNIT] = track[c + 1], 0.0, track[c + 2], 0.0
    if stride == 4 then
      self[Z], self[Z_UNIT] = track[c + 3], 0.0
    end
    self[HEADING], self[TURN], self.leg = heading, 0.0, slot - 1
  end
  place(self)
end

--- Calls on_point. An error of the script passes through; the follower can be used afterwards.
local function announce(self, events, point)
  local on_point = events.on_point
  if not on_point then
    return
  end
  events.calling = true
  local ok, problem = pcall(on_point, self, point)
  events.calling = false
  if not ok then
    error(problem, 0)
  end
end

--- The follower passes the end of its leg: it comes to the next one, or arrives.
-- @return whether a lap begins
local function pass(self, events)
  local track = self[TRACK]
  local slot = events.slot + 1
  local point, lap, heading = slot - 1, false, self.heading
  if slot >= track.last and not track.start then
    self[WALKED] = self[UPTO]
    arrive(self, track)
  else
    local base = self[UPTO]
    if not track.straight and track.points and track.slot == events.slot and self[FINISH] > self[FROM] then
      base = track.row[track.points * (track.dimensions + 1) + 1]
    end
    if slot >= track.last then
      slot, point, lap, base = 2, 1, true, 0.0
    end
    enter_slot(self, track, slot, base, heading)
    events.slot, self[LOST] = slot, 0.0
  end
  events.begun = false
  announce(self, events, point)
  return lap
end

--- Walks for some time, from event to event: points, borders of cells, stops.
local function walk(self, events, time)
  local mark               -- the time that was left when this lap began
  local passed = 0         -- the number of points that it has passed without walking
  while not (self.done or events.waiting or events.paused) do
    local track = self[TRACK]
    if not events.begun then
      events.begun = true
      local tag = events.stops and tag_of_leg(track, events.slot)
      if tag and events.stops[tag] then
        events.waiting = tag
        return
      end
    end
    local walked, upto = self[WALKED], self[UPTO]
    if walked >= upto then
      if not track.straight and upto < self[FINISH] then
        local row, stride = self[ROW], track.dimensions + 1
        enter(self, row, chord_at(row, stride, walked, self[CHORD], track.points * stride + 1))
      elseif passed > track.count + 1000 then
        check.fail "on_point sends the follower on without end"
      elseif pass(self, events) then
        -- Whole laps are left out after the first one in a call: otherwise a long time would take long.
        if mark then
          time = mark > time and fmod(time, mark - time) or 0
        end
        mark = time
      end
      passed = passed + 1
    else
      if not (time > 0) then
        break
      end
      local speed, speeds = self.speed, events.speeds
      check_speed(speed)
      if speeds and track.map then
        local tag
        if events.grid then
          local way
          local along = walked - self[FROM]
          way, tag = tracks.piece(track.map, self[X] + self[X_UNIT] * along, self[Y] + self[Y_UNIT] * along,
            self[X_UNIT], self[Y_UNIT], upto - walked)
          if way and walked + way < upto then
            upto = min(upto, walked + max(way, abs(walked) * ROUNDING))
          end
        else
          tag = tag_of_leg(track, events.slot)
        end
        speed = speed * (tag and speeds[tag] or 1)
      end
      if not (speed > 0) then
        break
      end
      local step = speed * time
      local left = upto - walked + self[LOST]
      if step < left then
        time = 0
        step = step - self[LOST]
        local sum = walked + step
        self[LOST] = sum - walked - step
        self[WALKED] = sum < upto and sum or upto
      else
        time = max(0, time - left / speed)
        self[WALKED], self[LOST] = upto, 0.0
      end
      passed = 0
      place(self)
    end
  end
end

--- Prepares the events of a track that begins.
local function begin_events(self, track)
  local events = self[EVENTS]
  local slot, stride = track.first, track.dimensions + 1
  if slot == 1 and track[1] == track[1 + stride] and track.count > 1 then
    slot = 2                -- it stands on the first point
  end
  events.slot, events.begun, events.waiting = slot, false, nil
  events.grid = is_on_grid(track)
end

--- The state of events; made when it is needed first.
local function events_of(self)
  local events = self[EVENTS]
  if not events then
    events = { active = false, paused = false, waiting = nil, slot = slot_of(self, self[TRACK]), begun = true }
    self[EVENTS] = events
  end
  return events
end

--- Reads the options stops, speeds and on_point.
-- @return the state of events, or false if there are none of these options
local function read_events(options)
  local stops, speeds, on_point = options.stops, options.speeds, options.on_point
  if stops == nil and speeds == nil and on_point == nil then
    return false
  end
  local events = { active = true, paused = false, waiting = nil, on_point = on_point, slot = 2, begun = false }
  if stops ~= nil then
    if type(stops) ~= "table" then
      check.fail("stops must be a list of tags, got %s", check.describe(stops))
    end
    events.stops = {}
    for i = 1, check.length(stops) do
      local tag = stops[i]
      if type(tag) ~= "string" then
        check.fail("stops[%d] must be a tag, got %s", i, check.describe(tag))
      end
      events.stops[tag] = true
    end
  end
  if speeds ~= nil then
    if type(speeds) ~= "table" then
      check.fail("speeds must be a table of factors by tag, got %s", check.describe(speeds))
    end
    events.speeds = {}
    for tag, factor in pairs(speeds) do
      if type(tag) ~= "string" then
        check.fail("speeds must be a table of factors by tag, got the key %s", check.describe(tag))
      elseif type(factor) ~= "number" or not (factor >= 0 and factor < huge) then
        check.fail("speeds.%s must be a finite number >= 0, got %s", tag, check.describe(factor))
      end
      events.speeds[tag] = factor
    end
  end
  if on_point ~= nil and not check.is_callable(on_point) then
    check.fail("on_point must be a function, got %s", check.describe(on_point))
  end
  return events
end

-- Beginning --------------------------------------------------------------------------------------------------------

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

-- Sending it elsewhere ---------------------------------------------------------------------------------------------

--- The direction in which the follower walks, as a vector of length 1, and the length of the current leg. nil: it never
--- had a direction.
local function direction(self)
  local track = self[TRACK]
  local stride = track.dimensions + 1
  if not (self[FINISH] > 0 or self[FINISH] > track[(track.first - 1) * stride + 1]) then
    return track.dx, track.dy, track.dz, track.reach
  end
  local reach
  if track.straight then
    local c = self[CHORD]
    reach = (rawget(track, c + stride) or check.fail(CHANGED)) - (rawget(track, c) or check.fail(CHANGED))
  else
    reach = track.row[track.points * stride + 1] - track.row[1]
  end
  local dz = self[Z] and self[Z_UNIT] or 0
  if not (abs(dz) >= 0 and reach >= 0) then
    check.fail(CHANGED)
  end
  local flat = sqrt(1 - min(1, dz * dz)) -- a chord as short as the rounding of sums may be steeper than 1
  return cos(self.heading) * flat, sin(self.heading) * flat, dz, reach
end

--- Whether the option clear says that a line is free. Raises if it raises.
local function is_free(how, x, y, z, to_x, to_y, to_z)
  if not how.clear then
    return true
  end
  how.asking = true
  local ok, free
  if how.dimensions == 3 then
    ok, free = pcall(how.clear, x, y, z, to_x, to_y, to_z)
  else
    ok, free = pcall(how.clear, x, y, to_x, to_y)
  end
  how.asking = false
  if not ok then
    error(free, 0)
  end
  return free
end

--- Finds the leg that a follower joins.
-- @param track the new track
-- @param x, y, z where the follower is; dx, dy, dz: its direction, or nil
-- @return the slot of the leg: it goes from its position to the end of this leg. 1: to the first point
-- @return nil, or the part of the next leg, from its end, that is left: it goes to the beginning of this part
local function find_join(self, track, x, y, z, dx, dy, dz)
  local dimensions, how, events = track.dimensions, self[HOW], self[EVENTS]
  local stride = dimensions + 1
  local joined, start = 1, nil
  local blocked, ahead         -- the last leg that it has come to, if the line to its end is not free; its part ahead
  for slot = 2, track.count do
    local c = (slot - 1) * stride + 1
    local n = c + stride
    local ax, ay, az = track[c + 1] - x, track[c + 2] - y, dimensions == 3 and track[c + 3] - z or 0
    local lx, ly = track[n + 1] - track[c + 1], track[n + 2] - track[c + 2]
    local lz = dimensions == 3 and track[n + 3] - track[c + 3] or 0
    local distance = sqrt(ax * ax + ay * ay + az * az)
    start = start or distance
    -- It cannot have passed a point that is farther along the track than the follower is from the first point.
    if track[c] > start or track.jumps and track.jumps[slot - 1] then
      break
    end
    if events and events.stops then
      local tag = tag_of_leg(track, slot)
      if tag and events.stops[tag] then
        break
      end
    end
    local length = sqrt(lx * lx + ly * ly + lz * lz)
    local part = 1
    if length > 0 then
      local along = -(ax * lx + ay * ly + az * lz) / length
      local passed = along >= 0
      if not passed and dx then
        -- The point lies behind, and the leg leads less far back than the way to the point.
        local back, on = ax * dx + ay * dy + az * dz, lx * dx + ly * dy + lz * dz
        passed = back < 0 and on / length > back / distance
      end
      if not passed then
        break
      end
      part = 1 - min(1, max(0, along / length))
    end
    if is_free(how, x, y, z, track[n + 1], track[n + 2], dimensions == 3 and track[n + 3]) then
      joined, blocked = slot, nil
    elseif length > 0 then
      blocked, ahead = slot, part
    end
  end
  if blocked then
    -- The end of the leg cannot be seen from here. It goes to a nearer point of the leg that lies ahead.
    local n = blocked * stride + 1
    local c = n - stride
    for _, share in ipairs(SHARES) do
      local left = ahead * share
      local to_x, to_y = track[n + 1] + (track[c + 1] - track[n + 1]) * left,
        track[n + 2] + (track[c + 2] - track[n + 2]) * left
      local to_z = dimensions == 3 and track[n + 3] + (track[c + 3] - track[n + 3]) * left
      if left < 1 and is_free(how, x, y, z, to_x, to_y, to_z) then
        return blocked - 1, left
      end
    end
  end
  return joined
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

return { follow = follow }
