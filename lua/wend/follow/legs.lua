-- SPDX-License-Identifier: MIT
-- The leg that a follower is on: its tag, and the fields that are calculated when a script reads them.

local core = require "wend.core"
local tracks = require "wend.track"
local state = require "wend.follow.state"

local floor, min = math.floor, math.min
local CHORD, TRACK, EVENTS = state.CHORD, state.TRACK, state.EVENTS

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

return {
  tag_of_leg = tag_of_leg, slot_of = slot_of, is_on_grid = is_on_grid, readers = readers,
}
