-- SPDX-License-Identifier: MIT
-- The rows of a follower: how it comes to the next chord, the next leg, the next lap, and the end.

local check = require "wend.check"
local tracks = require "wend.track"
local state = require "wend.follow.state"

local atan2 = math.atan2 or math.atan       -- luacheck: ignore 143 (5.3 has the one, 5.1 the other)
local floor, fmod, huge, max, min = math.floor, math.fmod, math.huge, math.max, math.min
local flagged, wrapped, ROUNDING, CHANGED = state.flagged, state.wrapped, state.ROUNDING, state.CHANGED
local WALKED, UPTO, LOST, FROM, X = state.WALKED, state.UPTO, state.LOST, state.FROM, state.X
local X_UNIT, Y, Y_UNIT, TURN, Z = state.X_UNIT, state.Y, state.Y_UNIT, state.TURN, state.Z
local Z_UNIT, HEADING, ROW, CHORD, FINISH = state.Z_UNIT, state.HEADING, state.ROW, state.CHORD, state.FINISH
local LENGTH, TRACK, HOW = state.LENGTH, state.TRACK, state.HOW

local STEP_MAX = 1e308         -- the largest distance for fmod, which gives NaN for infinity
local ROW_CHORDS = 26          -- what new_row makes room for, in 2 dimensions
local CHORDS_MAX = 1000        -- rows are made for so many chords at most before they are needed
local LONGER = 1.25            -- curves are hardly ever longer than this times their legs

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
    straight = not flagged(how, "asking", tracks.is_row_free, row, count, how.clear, dimensions)
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

return {
  reserve = reserve, most_chords = most_chords, make_row = make_row, next_slot = next_slot,
  heading_before = heading_before, chord_at = chord_at, enter = enter, enter_leg = enter_leg, arrive = arrive,
  turn_round = turn_round,
}
