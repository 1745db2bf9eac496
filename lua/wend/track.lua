-- SPDX-License-Identifier: MIT
-- Tracks: points in the form in which wend.curve and wend.follow walk along them. src/lua/track.c makes them.
--
-- A track is a flat list of slots. A slot holds `at`, the distance from point 1, and then the coordinates of a point:
--
--   slot 1       free: a follower that comes from somewhere else puts its own position there
--   slot 2       point 1, at 0
--   slot i + 1   point i
--   slot i + 1 to slot i + 2 is leg i. A slot begins at index (slot - 1) * (dimensions + 1) + 1.
--
-- For example, the points (0, 0), (3, 4), (3, 9) are _, _, _, 0, 0, 0, 5, 3, 4, 10, 3, 9. Its fields:
--
--   count        the number of points; a loop has its first point twice
--   moving       the number of legs of length > 0
--   length       of all legs
--   dimensions   2 or 3
--   map          the graph or grid of the path or route; nil: unknown
--   edges        by leg, the id of the edge, or false; nil: unknown
--   nodes        by point, the id of the node, or false; nil: unknown
--   jumps        by leg, true if it is a link of a grid. It has length 0: a walker is moved over it. nil: there is none
--
-- A row is one leg of a track, straight or curved: a list of points in the form of slots, and a list of headings, one
-- for each point. `at` of its first point is given.

local core = require "wend.core"
local check = require "wend.check"
local format = require "wend.format"

local read_track, row, tag, piece = core.tracks()

local COORDINATE_MAX = 1e150                -- as in the core: squares of distances stay finite
local POINTS_MAX = 1e7                      -- points of one curve: more would be a mistake, and fill the memory
local PIECES = 16                           -- pieces of a mean leg by default

local track = { row = row, tag = tag, piece = piece, COORDINATE_MAX = COORDINATE_MAX }

--- The list of points of an argument: a path's points(), or the argument itself; and its number of dimensions, nil if
--- it does not tell.
local function points_and_dimensions(given)
  if type(given) ~= "table" then
    check.fail("points must be a list of numbers, a path or a route, got %s", check.describe(given))
  end
  local method = given.points
  if type(method) ~= "function" then
    return given, given.dimensions
  end
  local ok, points = pcall(method, given)
  if not ok then
    if type(points) ~= "string" then
      error(points, 0)
    end
    check.fail("%s", points)       -- the core's message, with the line of the script
  end
  if type(points) ~= "table" then
    check.fail("points: its method points must return a list of numbers, got %s", check.describe(points))
  end
  local map = given.map
  local said = points.dimensions or given.dimensions
  return points, said or core.type(map) == "graph" and map:dimensions() or map and 2 or nil
end

local function check_dimensions(value)
  if value ~= nil and value ~= 2 and value ~= 3 then
    check.fail("dimensions must be 2 or 3, got %s", check.describe(value))
  end
end

--- Copies a list of points, a path or a route into a flat list of floats.
-- @param given the argument `points`
-- @param dimensions 2, 3, or nil: as the points tell, otherwise 2
-- @return the list, and its number of dimensions
-- Raises if it is something else, or empty; if its length does not match the dimensions; if a number is not finite and
-- within 1e150.
local function read_list(given, dimensions)
  local points, said = points_and_dimensions(given)
  check_dimensions(dimensions)
  check_dimensions(said)
  if dimensions and said and dimensions ~= said then
    check.fail("points must have %d dimensions, got %d", dimensions, said)
  end
  dimensions = (dimensions or said) == 3 and 3 or 2
  local count = check.length(points)
  if count == 0 then
    check.fail("points must be a list of numbers, a path or a route, got an empty list")
  elseif count % dimensions ~= 0 then
    check.fail("points must hold %d numbers per item, got %d numbers", dimensions, count)
  end
  local list = {}
  for i = 1, count do
    local value = points[i]
    if type(value) ~= "number" or not (value >= -COORDINATE_MAX and value <= COORDINATE_MAX) then
      check.fail("points[%d] must be a finite number (up to 1e150), got %s", i, check.describe(value))
    end
    list[i] = value + 0.0
  end
  return list, dimensions
end

--- Makes a track of a list of points, a path or a route.
-- @param given the argument `points`
-- @param dimensions 2, 3, or nil: as the points tell, otherwise 2
-- @param loop true: the track ends with its first point
-- @param into a track to fill, or nil: a new one
-- @return the track. Raises as read_list does; `into` is then of no use.
function track.read(given, dimensions, loop, into)
  local made = (dimensions == nil or dimensions == 2 or dimensions == 3) and read_track(given, dimensions, loop, into)
  if made then
    return made
  end
  local list
  list, dimensions = read_list(given, dimensions)
  return read_track(list, dimensions, loop, into)
end

--- The largest distance between points of a curve along a track.
-- @param made the track
-- @param spacing the option, or nil: a 16th of the mean leg
-- @param length of all legs, and their number
-- Raises if it would make more than ten million points.
function track.spacing(spacing, length, count)
  if not spacing then
    return length / math.max(1, count) / PIECES
  elseif not (length / spacing <= POINTS_MAX) then
    check.fail("spacing must be at least %s for these points, got %s", format.number(length / POINTS_MAX, 3),
      check.describe(spacing))
  end
  return spacing
end

--- Whether the option clear says that each chord of a row is free.
-- @param list the points of the row
-- @param count the number of its chords
function track.is_row_free(list, count, clear, dimensions)
  local stride = dimensions + 1
  for i = 1, count * stride, stride do
    if dimensions == 2 then
      if not clear(list[i + 1], list[i + 2], list[i + 4], list[i + 5]) then return false end
    elseif not clear(list[i + 1], list[i + 2], list[i + 3], list[i + 5], list[i + 6], list[i + 7]) then
      return false
    end
  end
  return true
end

return track
