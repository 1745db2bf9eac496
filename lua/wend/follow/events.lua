-- SPDX-License-Identifier: MIT
-- Walking from event to event: points, borders of cells, stops. For followers with stops, speeds or on_point.

local check = require "wend.check"
local tracks = require "wend.track"
local state = require "wend.follow.state"
local rows = require "wend.follow.rows"
local legs = require "wend.follow.legs"

local abs, fmod, huge, max, min = math.abs, math.fmod, math.huge, math.max, math.min
local check_speed, wrapped, ROUNDING = state.check_speed, state.wrapped, state.ROUNDING
local WALKED, UPTO, LOST, FROM, X = state.WALKED, state.UPTO, state.LOST, state.FROM, state.X
local X_UNIT, Y, Y_UNIT, TURN, Z = state.X_UNIT, state.Y, state.Y_UNIT, state.TURN, state.Z
local Z_UNIT, HEADING, ROW, CHORD, FINISH = state.Z_UNIT, state.HEADING, state.ROW, state.CHORD, state.FINISH
local TRACK, EVENTS = state.TRACK, state.EVENTS
local chord_at, enter, enter_leg, arrive = rows.chord_at, rows.enter, rows.enter_leg, rows.arrive
local tag_of_leg, slot_of, is_on_grid = legs.tag_of_leg, legs.slot_of, legs.is_on_grid

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
  if events.on_point then
    state.flagged(events, "calling", events.on_point, self, point)
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
        speed = (speed + 0.0) * (tag and speeds[tag] or 1)
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

return {
  walk = walk, begin_events = begin_events, events_of = events_of, read_events = read_events,
  enter_slot = enter_slot,
}
