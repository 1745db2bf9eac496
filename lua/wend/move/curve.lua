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
-- makes the curve (src/move/follow).

local check = require "wend.check"
local native = require "wend.once".followers

--- The number of each kind of curve in the core.
local NUMBERS = { catmull_rom = 0, hermite = 1, linear = 2 }

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

--- Raises for the first value that is not a number.
local function check_numbers(names, ...)
  for i, name in ipairs(names) do
    local value = select(i, ...)
    check.must(type(value) == "number", name, "a number", value)
  end
end

local formulas = {}

--- wend.lerp(a, b, v)
function formulas.lerp(a, b, v)
  if type(a) ~= "number" or type(b) ~= "number" or type(v) ~= "number" then
    check_numbers({ "a", "b", "v" }, a, b, v)
  end
  return lerp(a, b, v)
end

--- wend.hermite(p0, m0, p1, m1, v)
function formulas.hermite(p0, m0, p1, m1, v)
  if type(p0) ~= "number" or type(m0) ~= "number" or type(p1) ~= "number" or type(m1) ~= "number"
    or type(v) ~= "number" then
    check_numbers({ "p0", "m0", "p1", "m1", "v" }, p0, m0, p1, m1, v)
  end
  return hermite(p0, m0, p1, m1, v)
end

-- The curve -----------------------------------------------------------------------------------------------------------

--- The kinds of the options that describe a curve. The core checks `clear`.
local KINDS = {
  curve = { be = "one of: linear, hermite, catmull_rom", holds = function(value) return NUMBERS[value] ~= nil end },
  clearance = check.FACTOR, spacing = check.LENGTH, loop = check.SWITCH, dimensions = check.DIMENSIONS,
  into = check.TABLE,
}
local OPTIONS = { "curve", "clear", "clearance", "spacing", "loop", "dimensions", "into", kinds = KINDS }

--- The options of wend.curve and wend.follow that describe the curve, as the core takes them.
-- @param default the kind of curve if the options have none
-- @return dimensions (2, 3 or nil), the number of the kind, spacing, loop, clear
local function style(options, default)
  local clear = options.clear
  if options.clearance ~= nil then clear = check.call(native.clearance, clear, options.clearance) end
  return options.dimensions, NUMBERS[options.curve or default], options.spacing, options.loop or false, clear
end

local NONE = {}

--- wend.curve(points[, opts]): makes a smooth line through all points, as a denser list of points: see
--- doc/api/curve.md. If it raises, the table `into` holds a part of the line.
local function curve(points, options)
  check.options(options, OPTIONS)
  options = options or NONE
  local dimensions, kind, spacing, loop, clear = style(options, "catmull_rom")
  local made, problem = check.call(native.curve, points, dimensions, kind, spacing, loop, clear, options.into or {})
  if not made then
    error(problem, 0)     -- of `clear`
  end
  return made
end

return {
  curve = curve, lerp = formulas.lerp, hermite = formulas.hermite,
  style = style, KINDS = KINDS, -- for wend.follow
}
