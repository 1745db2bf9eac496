-- SPDX-License-Identifier: MIT
-- How a follower joins new points: its direction, and the leg to which it goes.

local check = require "wend.check"
local state = require "wend.follow.state"
local legs = require "wend.follow.legs"

local abs, cos, max, min, sin, sqrt = math.abs, math.cos, math.max, math.min, math.sin, math.sqrt
local CHANGED = state.CHANGED
local Z, Z_UNIT, CHORD, FINISH, TRACK = state.Z, state.Z_UNIT, state.CHORD, state.FINISH, state.TRACK
local HOW, EVENTS = state.HOW, state.EVENTS
local tag_of_leg = legs.tag_of_leg

local SHARES = { 1 / 2, 3 / 4, 1 } -- of the rest of a leg: where a follower may join it if it cannot see its end

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
  if how.dimensions == 3 then
    return state.flagged(how, "asking", how.clear, x, y, z, to_x, to_y, to_z)
  end
  return state.flagged(how, "asking", how.clear, x, y, to_x, to_y)
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

return {
  direction = direction, find_join = find_join,
}
