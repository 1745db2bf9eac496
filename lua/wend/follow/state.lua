-- SPDX-License-Identifier: MIT
-- The state of a follower, and checks of it. wend.follow describes how it walks.

local check = require "wend.check"
local tracks = require "wend.track"

local huge, pi = math.huge, math.pi

-- The items of a follower. Those that every update needs come first.
local state = {
  WALKED = 1, UPTO = 2, LOST = 3,     -- the distance walked; where the chord ends; the rounding error of the sum
  FROM = 4,                           -- where the chord begins: the distance
  X = 5, X_UNIT = 6,                  -- x there; x per unit of distance
  Y = 7, Y_UNIT = 8,
  KNOWN_SPEED = 9,                    -- the last speed that was checked; false: update takes the way by events
  TURN = 10,                          -- the change of heading per unit
  Z = 11, Z_UNIT = 12,                -- false in 2D
  HEADING = 13,                       -- where the chord begins
  ROW = 14, CHORD = 15,               -- the row, and the index of the chord in it
  FINISH = 16,                        -- the distance to the end of the row
  LENGTH = 17,                        -- the length of the way; math.huge: a loop; false: not known yet
  TRACK = 18, HOW = 19,               -- the track, and the result of curve.style
  EVENTS = 20,                        -- the state of stops, speeds, on_point and pauses, or false
  SPARE = 21,                         -- the track that the next retarget fills, or false

  ROUNDING = 2^-50,                   -- the share of the length before the end that counts as the end
  CHANGED = "the list part of the follower was changed: it is internal",
  COORDINATE_MAX = tracks.COORDINATE_MAX,
}

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

function state.check_self(self)
  check.self(self, "follower", "a follower", "follower")
end

function state.check_speed(speed)
  if type(speed) ~= "number" or not (speed >= 0 and speed < huge) then
    check.fail("speed must be a finite number >= 0, got %s", check.describe(speed))
  end
end

function state.is_coordinate(value)
  return type(value) == "number" and value >= -state.COORDINATE_MAX and value <= state.COORDINATE_MAX
end

--- Raises if a script has set the position or the heading to a value from which the follower cannot continue.
function state.check_place(self)
  for i = 1, 4 do
    local name = i == 1 and "x" or i == 2 and "y" or i == 3 and "z" or "heading"
    local value = rawget(self, name)
    if not (i == 3 and value == nil) and not state.is_coordinate(value) then
      check.fail("%s of the follower must be a finite number (up to 1e150), got %s", name, check.describe(value))
    end
  end
end

--- Raises while the follower asks `clear`: it is between two states.
function state.check_idle(self)
  local how = self[state.HOW]
  if type(how) ~= "table" or how.asking then
    check.fail(type(how) == "table" and "clear cannot use the follower that asks it" or state.CHANGED)
  end
end

local function set_and_call(holder, flag, fn, ...)
  holder[flag] = true
  return fn(...)
end

--- Calls a function while holder[flag] is true. It is set inside the protected call: there may be no memory for that.
-- @return its first result
function state.flagged(holder, flag, fn, ...)
  local ok, result = pcall(set_and_call, holder, flag, fn, ...)
  holder[flag] = false
  if not ok then
    error(result, 0)
  end
  return result
end

--- An angle in -pi .. pi, from one in -3 pi .. 3 pi.
function state.wrapped(angle)
  if angle > pi then
    return angle - 2 * pi
  elseif angle < -pi then
    return angle + 2 * pi
  end
  return angle
end

return state
