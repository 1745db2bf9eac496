-- SPDX-License-Identifier: MIT
--- wend.curve: makes a smooth line through a list of points. wend.lerp and wend.hermite are the formulas that it uses.
--
-- A leg is the line from one given point to the next. Each leg becomes a cubic Hermite curve, so the line passes
-- through all points and has one direction where two legs meet. The kind of curve determines the tangent there. e and f
-- are the legs before and after, as vectors; t_e and t_f are the lengths of their parameter intervals; the tangent is
-- per unit of the parameter:
--
--   catmull_rom  t = square root of the length; tangent = (t_f e / t_e + t_e f / t_f) / (t_e + t_f)
--                the centripetal Catmull-Rom curve: the only one of this family without cusps and loops within a leg,
--                and close to the legs (C. Yuksel, S. Schaefer, J. Keyser, "Parameterization and applications of
--                Catmull-Rom curves", Computer-Aided Design 43, 2011)
--   hermite      t = length; tangent = (e / t_e + f / t_f) / 2
--                tangents by finite differences: rounder, and wider in corners
--   linear       the legs themselves
--
-- At an open end, and beside a link of a grid, the tangent is the leg itself. Legs of length 0 are skipped. The core
-- computes the legs (src/core/query/curve.c).

local check = require "wend.check"
local clear = require "wend.clear"
local track = require "wend.track"

local ceil, huge, min = math.ceil, math.huge, math.min

local POINTS_MAX = 1e7                      -- points of one curve: more would be a mistake, and fill the memory
local SLACK = 1e-9                          -- of a piece: a leg of ten spacings has ten pieces in spite of rounding

--- The number of each kind of curve in src/lua/track.c. 0: the legs stay straight.
local NUMBERS = { linear = 0, catmull_rom = 1, hermite = 2 }
local KINDS = "linear, hermite, catmull_rom"

-- Formulas ---------------------------------------------------------------------------------------------------------

-- Linear interpolation. Exact at v = 0 and v = 1, and everywhere if a equals b.
local function lerp(a, b, v)
  if v < 0.5 then
    return a + (b - a) * v
  end
  return b - (b - a) * (1 - v)
end

-- The usual polynomial, (2v³ - 3v² + 1) p0 + (v³ - 2v² + v) m0 + (3v² - 2v³) p1 + (v³ - v²) m1, in a form that is exact
-- at both ends.
local function hermite(p0, m0, p1, m1, v)
  return lerp(p0, p1, v * v * (3 - 2 * v)) + v * (1 - v) * ((1 - v) * m0 - v * m1)
end

local function check_number(value, what)
  if type(value) ~= "number" then
    check.fail("%s must be a number, got %s", what, check.describe(value))
  end
end

local formulas = {}

--- wend.lerp(a, b, v): linear interpolation, a + (b - a) v. It is exactly a at v = 0 and exactly b at v = 1. Other
--- values of v extrapolate.
-- @param a, b numbers
-- @param v a number, usually 0 to 1
-- @return a number
-- Raises if an argument is not a number.
function formulas.lerp(a, b, v)
  if type(a) ~= "number" or type(b) ~= "number" or type(v) ~= "number" then
    check_number(a, "a")
    check_number(b, "b")
    check_number(v, "v")
  end
  return lerp(a, b, v)
end

--- wend.hermite(p0, m0, p1, m1, v): the cubic from p0 at v = 0 to p1 at v = 1 with the slopes m0 and m1 there. For
--- points, call it for each coordinate.
-- @param p0, p1 numbers: the values at v = 0 and v = 1, which are exact
-- @param m0, m1 numbers: the slopes there, per unit of v
-- @param v a number, usually 0 to 1
-- @return a number
-- Raises if an argument is not a number.
function formulas.hermite(p0, m0, p1, m1, v)
  if type(p0) ~= "number" or type(m0) ~= "number" or type(p1) ~= "number" or type(m1) ~= "number"
    or type(v) ~= "number" then
    check_number(p0, "p0")
    check_number(m0, "m0")
    check_number(p1, "p1")
    check_number(m1, "m1")
    check_number(v, "v")
  end
  return hermite(p0, m0, p1, m1, v)
end

-- The curve -----------------------------------------------------------------------------------------------------------

--- Reads the options of wend.curve and wend.follow that describe the curve.
-- @param options a table or nil; the caller checks its keys
-- @param default the kind of curve if the options have none
-- @param dimensions 2 or 3
-- @param into a table to fill, or nil: a new one
-- @return { dimensions =, kind = number, clear = function or nil, spacing = number or nil, loop = boolean }
-- Raises if a value is invalid.
local function style(options, default, dimensions, into)
  local kind, spacing, loop, given
  if options then
    kind, spacing, loop, given = options.curve, options.spacing, options.loop, options.clear
  end
  if kind == nil then
    kind = default
  elseif NUMBERS[kind] == nil then
    check.fail("curve must be one of: %s, got %s", KINDS, check.describe(kind))
  end
  if spacing ~= nil and (type(spacing) ~= "number" or not (spacing > 0 and spacing < huge)) then
    check.fail("spacing must be a finite number > 0, got %s", check.describe(spacing))
  end
  if loop ~= nil and type(loop) ~= "boolean" then
    check.fail("loop must be true or false, got %s", check.describe(loop))
  end
  local how = into or {}
  how.dimensions, how.kind, how.clear = dimensions, NUMBERS[kind], clear.of(given, dimensions)
  how.spacing, how.loop = spacing, loop or false
  return how
end

--- The number of pieces of at most `spacing` that a length needs; 1 if one of the two is NaN.
local function pieces_of(length, spacing)
  local pieces = ceil(length / spacing - SLACK)
  return pieces >= 1 and min(pieces, POINTS_MAX) or 1
end

--- Makes a straight row of points: see wend.track.
-- @param way the track; slot: of the leg; count: of pieces
-- @param row the list to fill
local function straight(way, slot, count, row)
  local dimensions = way.dimensions
  local stride = dimensions + 1
  local c = (slot - 1) * stride + 1
  for k = 0, count do
    for axis = 1, dimensions do
      local from, to = way[c + axis], way[c + stride + axis]
      row[k * stride + 1 + axis] = k < count and from + (to - from) * k / count or to
    end
  end
end

--- Whether a row of a curve avoids what the option clear says.
local function is_free(how, row, count)
  return not (how.kind > 0 and how.clear) or track.is_row_free(row, count, how.clear, how.dimensions)
end

--- Fills a row with the points of a leg. Returns the number of pieces, and whether the curve was not free.
local function fill(row, headings, way, slot, how, spacing)
  local dimensions, last = way.dimensions, way.count + 1
  local c = (slot - 1) * (dimensions + 1) + 1
  local length = way[c + dimensions + 1] - way[c]
  if not (length > 0) then
    straight(way, slot, 1, row)
    return 1, false
  end
  if how.kind > 0 then
    local count = track.row(row, headings, way, 2, slot, last, dimensions, how.kind, spacing, 0, 0, how.loop, way.jumps)
    if is_free(how, row, count) then
      return count, false
    end
  end
  -- It stays straight. Because of rounding, a point on it may lie behind a corner that the leg itself just passes.
  local count = pieces_of(length, spacing)
  straight(way, slot, count, row)
  if not is_free(how, row, count) then
    count = 1
    straight(way, slot, count, row)
  end
  return count, how.kind > 0
end

--- Removes the items of a list after the first `count`.
local function shorten(list, count)
  for i = #list, count + 1, -1 do list[i] = nil end
end

local OPTIONS = { "curve", "clear", "spacing", "loop", "dimensions", "into" }

--- Tables for one call: the track, a row and its headings, the style.
local function new_tables() return { {}, {}, {}, {} } end

-- The tables of the last call, so that a call with `into` makes no garbage. nil: a call uses them, or has raised.
local lent = new_tables()

--- The list in a field of a table that is reused, or a new one.
local function list_of(points, field)
  local list = rawget(points, field)
  return type(list) == "table" and list or {}
end

--- Makes the curve of a track: a flat list with the fields `dimensions`, `legs` and, with the option clear, `straight`.
-- @param row, headings lists for the points of a leg
-- @param how the result of `style`
-- @param points the list to fill
local function make(way, row, headings, how, points)
  local dimensions, last = way.dimensions, way.count + 1
  local spacing = track.spacing(how.spacing, way.length, way.moving)
  local numbers, count, chords = list_of(points, "legs"), 0, 0
  local kept, kept_count = how.clear and list_of(points, "straight") or nil, 0
  for slot = 2, last - 1 do
    local pieces, is_kept = fill(row, headings, way, slot, how, spacing)
    if is_kept then
      kept_count = kept_count + 1
      rawset(kept, kept_count, slot - 1)
    end
    for k = 0, pieces - 1 do
      for axis = 1, dimensions do rawset(points, count + axis, row[k * (dimensions + 1) + 1 + axis]) end
      count, chords = count + dimensions, chords + 1
      rawset(numbers, chords, slot - 1)
    end
  end
  for axis = 1, dimensions do rawset(points, count + axis, way[(last - 1) * (dimensions + 1) + 1 + axis]) end
  shorten(points, count + dimensions)
  shorten(numbers, chords)
  if kept then
    shorten(kept, kept_count)
  end
  rawset(points, "dimensions", dimensions)
  rawset(points, "legs", numbers)
  rawset(points, "straight", kept)
  return points
end

--- wend.curve(points[, opts]): makes a smooth line through all points, as a denser list of points. Within a leg the
--- points are equally far apart along the curve, and at most `spacing` apart.
-- @param points a flat list of coordinates, a path (its points) or a route; finite, within 1e150
-- @param options a table or nil:
--   curve       "catmull_rom" (default), "hermite", or "linear": points along the straight legs
--   clear       walls, a grid, or a function (x1, y1, x2, y2), in 3 dimensions (x1, y1, z1, x2, y2, z2), that tells
--               whether a straight line is free. A leg stays straight if one of the chords of its curve is not free.
--               It has no points between its ends if one of its straight pieces is not free either
--   spacing     the largest distance between points, finite, > 0; default: a 16th of the mean leg
--   loop        true: the line also leads from the last point to the first
--   dimensions  2 or 3; default: points.dimensions, or the dimensions of the path's map, or 2
--   into        a table to fill, with its lists `legs` and `straight`: with it, the call makes no garbage of its own.
--               If the call raises, the table holds a part of the line. Walls and grids as `clear` cost one small
--               function
-- @return a flat list with the fields `dimensions` and `legs`. `legs` holds for each point but the last the number of
-- its leg, from 1. With the option clear also `straight`: the numbers of the legs that stay straight because of it. All
-- given points are in the list, exactly. The list of a loop ends with the first point.
-- Raises if an argument is invalid, if the spacing would make more than ten million points, and if `clear` raises.
local function curve(given, options)
  check.options(options, OPTIONS)
  local dimensions, loop, into
  if options then
    dimensions, loop, into = options.dimensions, options.loop == true, options.into
  end
  if into ~= nil and type(into) ~= "table" then
    check.fail("into must be a table, got %s", check.describe(into))
  end
  local tables = lent or new_tables()
  lent = nil
  local way = track.read(given, dimensions, loop, tables[1])
  local how = style(options, "catmull_rom", way.dimensions, tables[4])
  local made = make(way, tables[2], tables[3], how, into or {})
  way.map, how.clear = nil, nil             -- they can be collected
  lent = tables
  return made
end

return {
  curve = curve, lerp = formulas.lerp, hermite = formulas.hermite,
  style = style, -- for wend.follow
}
