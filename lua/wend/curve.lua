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
-- makes the curve (src/core/follow).

local check = require "wend.check"
local raw = require "wend.once".followers

--- The number of each kind of curve in the core.
local NUMBERS = { catmull_rom = 0, hermite = 1, linear = 2 }
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
-- @param options a table; the caller checks its keys
-- @param default the kind of curve if the options have none
-- @return dimensions (2, 3 or nil), the number of the kind, spacing, loop, clear
-- Raises if a value is invalid. The core checks `clear`.
local function style(options, default)
  local kind, spacing, loop, dimensions = options.curve, options.spacing, options.loop, options.dimensions
  if kind ~= nil and NUMBERS[kind] == nil then
    check.fail("curve must be one of: %s, got %s", KINDS, check.describe(kind))
  elseif spacing ~= nil and (type(spacing) ~= "number" or not (spacing > 0 and spacing < math.huge)) then
    check.fail("spacing must be a finite number > 0, got %s", check.describe(spacing))
  elseif loop ~= nil and type(loop) ~= "boolean" then
    check.fail("loop must be true or false, got %s", check.describe(loop))
  elseif dimensions ~= nil and dimensions ~= 2 and dimensions ~= 3 then
    check.fail("dimensions must be 2 or 3, got %s", check.describe(dimensions))
  end
  return dimensions, NUMBERS[kind or default], spacing, loop or false, options.clear
end

local OPTIONS = { "curve", "clear", "spacing", "loop", "dimensions", "into" }

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
local NONE = {}

local function curve(points, options)
  check.options(options, OPTIONS)
  options = options or NONE
  local into = options.into
  if into ~= nil and type(into) ~= "table" then
    check.fail("into must be a table, got %s", check.describe(into))
  end
  local dimensions, kind, spacing, loop, clear = style(options, "catmull_rom")
  local made, problem = check.call(raw.curve, points, dimensions, kind, spacing, loop, clear, into or {})
  if not made then
    error(problem, 0)     -- of `clear`
  end
  return made
end

return {
  curve = curve, lerp = formulas.lerp, hermite = formulas.hermite,
  style = style, -- for wend.follow
}
