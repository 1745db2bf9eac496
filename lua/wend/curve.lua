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
-- At an open end the tangent is the leg itself. Legs of length 0 are skipped.

local core = require "wend.core"
local check = require "wend.check"
local clear = require "wend.clear"

local atan2 = math.atan2 or math.atan       -- luacheck: ignore 143 (5.3 has the one, 5.1 the other)
local ceil, huge, max, min, sqrt = math.ceil, math.huge, math.max, math.min, math.sqrt

local COORDINATE_MAX = 1e150                -- as in the core: squares of distances stay finite
local POINTS_MAX = 1e7                      -- points of one curve: more would be a mistake, and fill the memory
local PIECES = 16                           -- pieces of a mean leg by default; each leg is measured in at least as many
local SLACK = 1e-9                          -- of a piece: a leg of ten spacings has ten pieces in spite of rounding

--- The parameter interval t of a leg, from its length; false: the legs stay straight.
local KNOTS = {
  catmull_rom = sqrt,
  hermite = function(length) return length end,
  linear = false,
}
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

-- Arguments --------------------------------------------------------------------------------------------------------

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
local function read(given, dimensions)
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

--- Reads the options of wend.curve and wend.follow that describe the curve.
-- @param options a table or nil; the caller checks its keys
-- @param default the kind of curve if the options have none
-- @param dimensions 2 or 3
-- @return { dimensions =, knot = function or false, clear = function or nil, spacing = number or nil, loop = boolean }
-- Raises if a value is invalid.
local function style(options, default, dimensions)
  options = options or {}
  local kind, spacing, loop = options.curve, options.spacing, options.loop
  if kind == nil then
    kind = default
  elseif KNOTS[kind] == nil then
    check.fail("curve must be one of: %s, got %s", KINDS, check.describe(kind))
  end
  if spacing ~= nil and (type(spacing) ~= "number" or not (spacing > 0 and spacing < huge)) then
    check.fail("spacing must be a finite number > 0, got %s", check.describe(spacing))
  end
  if loop ~= nil and type(loop) ~= "boolean" then
    check.fail("loop must be true or false, got %s", check.describe(loop))
  end
  return {
    dimensions = dimensions, knot = KNOTS[kind], clear = clear.of(options.clear, dimensions), spacing = spacing,
    loop = loop or false,
  }
end

-- Legs -------------------------------------------------------------------------------------------------------------

--- The legs between points: { number, x, y, z, to_x, to_y, to_z, dx, dy, dz, length } each. In 2 dimensions z is 0.
-- @param first the number of the first leg
local function legs_of(list, dimensions, first)
  local legs = {}
  for i = 1, #list - dimensions, dimensions do
    local j = i + dimensions
    local x, y, z = list[i], list[i + 1], dimensions == 3 and list[i + 2] or 0
    local to_x, to_y, to_z = list[j], list[j + 1], dimensions == 3 and list[j + 2] or 0
    local dx, dy, dz = to_x - x, to_y - y, to_z - z
    legs[#legs + 1] = {
      number = first + #legs, x = x, y = y, z = z, to_x = to_x, to_y = to_y, to_z = to_z, dx = dx, dy = dy, dz = dz,
      length = sqrt(dx * dx + dy * dy + dz * dz),
    }
  end
  return legs
end

--- The tangent between two legs, per unit of the parameter.
local function join(e, f, centripetal)
  local share = centripetal and f.knot / (e.knot + f.knot) or 0.5
  local function axis(d) return lerp(f[d] / f.knot, e[d] / e.knot, share) end
  return { dx = axis "dx", dy = axis "dy", dz = axis "dz" }
end

local function scaled(vector, factor)
  return { dx = vector.dx * factor, dy = vector.dy * factor, dz = vector.dz * factor }
end

--- Sets the tangents `leave` and `arrive` of legs.
-- @param legs the legs of length > 0, in order
-- @param knot a function of KNOTS
-- @param loop whether the last leg continues in the first leg with a number above 0
-- @param lead nil, or the direction in which the first leg begins: { dx, dy, dz, reach }. The direction has length 1;
-- `reach` is the largest length of the tangent
local function set_tangents(legs, knot, loop, lead)
  local count, first = #legs, nil
  for i, leg in ipairs(legs) do
    leg.knot = knot(leg.length)
    if loop and not first and leg.number > 0 then
      first = i
    end
  end
  local centripetal = knot == KNOTS.catmull_rom
  local joins = {}
  for i, leg in ipairs(legs) do
    local before = legs[i == first and count or i - 1]
    joins[i] = before and join(before, leg, centripetal)
  end
  joins[count + 1] = joins[first]
  for i, leg in ipairs(legs) do
    leg.leave = joins[i] and scaled(joins[i], leg.knot) or leg
    leg.arrive = joins[i + 1] and scaled(joins[i + 1], leg.knot) or leg
  end
  if lead and count > 0 and first ~= 1 then
    legs[1].leave = scaled(lead, min(legs[1].length, lead.reach))
  end
end

-- Points on legs ---------------------------------------------------------------------------------------------------

--- The direction of a vector in radians; false: it has no length in the plane.
local function heading_of(dx, dy)
  return (dx ~= 0 or dy ~= 0) and atan2(dy, dx)
end

--- The number of pieces of at most `spacing` that a length needs; 1 if one of the two is NaN.
local function pieces_of(length, spacing)
  local pieces = ceil(length / spacing - SLACK)
  return pieces >= 1 and min(pieces, POINTS_MAX) or 1
end

--- The derivative of a leg's curve: on each axis d + v (e + v f).
-- @return slope(v), which returns its coordinates, and pace(v), which returns its length
local function slopes(leg)
  local leave, arrive = leg.leave, leg.arrive
  local function axis(name)
    local d, p, m = leave[name], leg[name], arrive[name]
    return d, 6 * p - 4 * d - 2 * m, 3 * (d + m) - 6 * p
  end
  local dx, ex, fx = axis "dx"
  local dy, ey, fy = axis "dy"
  local dz, ez, fz = axis "dz"
  local function slope(v)
    return dx + v * (ex + v * fx), dy + v * (ey + v * fy), dz + v * (ez + v * fz)
  end
  local function pace(v)
    local x, y, z = dx + v * (ex + v * fx), dy + v * (ey + v * fy), dz + v * (ez + v * fz)
    return sqrt(x * x + y * y + z * z)
  end
  return slope, pace
end

--- Divides a leg's curve into pieces of equal length.
-- The length is measured by Simpson's rule over small steps of v. Between two steps, v as a function of the length is
-- approximated by a Hermite cubic. Its slopes are bounded where the pace is near 0 (F. N. Fritsch, R. E. Carlson,
-- "Monotone piecewise cubic interpolation", 1980).
-- @return a list of v, from 0 at index 0 to 1; the number of pieces
local function divide(leg, pace, spacing)
  local steps = max(PIECES, pieces_of(leg.length, spacing))
  local paces, lengths = { [0] = pace(0) }, { [0] = 0 }
  for i = 1, steps do
    paces[i] = pace(i / steps)
    lengths[i] = lengths[i - 1] + (paces[i - 1] + 4 * pace((i - 0.5) / steps) + paces[i]) / (6 * steps)
  end
  local count = pieces_of(lengths[steps], spacing)
  local list, i = { [0] = 0 }, 1
  for k = 1, count - 1 do
    local at = lengths[steps] * k / count
    while i < steps and lengths[i] < at do
      i = i + 1
    end
    local length, most = lengths[i] - lengths[i - 1], 3 / steps
    list[k] = hermite((i - 1) / steps, min(length / paces[i - 1], most), i / steps, min(length / paces[i], most),
      (at - lengths[i - 1]) / length)
  end
  list[count] = 1
  return list, count
end

--- A row of points along a leg: { count =, x =, y =, z =, heading = }. The lists have indices 0 to count. The last
--- point is exactly the end of the leg.
local function new_row(leg, count)
  local row = { count = count, x = {}, y = {}, z = {}, heading = {} }
  row.x[count], row.y[count], row.z[count] = leg.to_x, leg.to_y, leg.to_z
  return row
end

local function curved(leg, spacing)
  local slope, pace = slopes(leg)
  local at, count = divide(leg, pace, spacing)
  local leave, arrive = leg.leave, leg.arrive
  local row = new_row(leg, count)
  for k = 0, count do
    local v = at[k]
    if k < count then
      row.x[k] = leg.x + hermite(0, leave.dx, leg.dx, arrive.dx, v)
      row.y[k] = leg.y + hermite(0, leave.dy, leg.dy, arrive.dy, v)
      row.z[k] = leg.z + hermite(0, leave.dz, leg.dz, arrive.dz, v)
    end
    local dx, dy = slope(v)
    row.heading[k] = heading_of(dx, dy) or heading_of(leg.dx, leg.dy)
  end
  return row
end

local function straight(leg, count)
  local row = new_row(leg, count)
  local heading = leg.long and heading_of(leg.dx, leg.dy)
  for k = 0, count do
    if k < count then
      row.x[k] = leg.x + leg.dx * k / count
      row.y[k] = leg.y + leg.dy * k / count
      row.z[k] = leg.z + leg.dz * k / count
    end
    row.heading[k] = heading
  end
  return row
end

--- Whether the option clear says that each chord of a row is free.
local function is_row_free(row, is_clear, dimensions)
  local x, y, z = row.x, row.y, row.z
  for k = 1, row.count do
    if dimensions == 2 then
      if not is_clear(x[k - 1], y[k - 1], x[k], y[k]) then return false end
    elseif not is_clear(x[k - 1], y[k - 1], z[k - 1], x[k], y[k], z[k]) then
      return false
    end
  end
  return true
end

--- The result of `make` for straight legs without points between: the short way, without tables of legs.
local function leave(list, dimensions, first, nearest)
  local numbers, headings = {}, {}
  for i = 1, #list - dimensions, dimensions do
    local j = i + dimensions
    local dx, dy, dz = list[j] - list[i], list[j + 1] - list[i + 1], dimensions == 3 and list[j + 2] - list[i + 2] or 0
    local number = first + #numbers
    local heading = sqrt(dx * dx + dy * dy + dz * dz) > (number == 0 and nearest or 0) and heading_of(dx, dy)
    numbers[#numbers + 1] = number
    headings[#headings + 1] = heading
    headings[#headings + 1] = heading
  end
  list.dimensions, list.legs = dimensions, numbers
  return list, headings
end

--- Makes the curve.
-- @param list points as `read` returns them; a loop or a lead changes this list
-- @param how the result of `style`
-- @param lead nil, or the position and direction of a follower: { x, y, z, dx, dy, dz, reach }. Leg 0 leads from x, y,
-- z to the first point. A curve begins in the direction dx, dy, dz, which has length 1; nil: in any direction
-- @return points, a flat list with the fields `dimensions` and `legs`; and a list of headings: items 2i - 1 and 2i are
-- the headings at the start and end of chord i, in radians, or false if it has no direction in the plane
local function make(list, how, lead)
  local dimensions, spacing = how.dimensions, how.spacing
  if how.loop and #list > dimensions then
    for axis = 1, dimensions do list[#list + 1] = list[axis] end
  end
  local nearest = 0        -- a leg 0 that is not longer than this is skipped
  if lead then
    -- A follower that stands on the first point, except for rounding errors, does not turn toward it.
    nearest = 2^-46 * max(math.abs(lead.x), math.abs(lead.y), math.abs(lead.z))
    table.insert(list, 1, lead.x)
    table.insert(list, 2, lead.y)
    if dimensions == 3 then table.insert(list, 3, lead.z) end
  end

  if not how.knot and spacing == huge then
    return leave(list, dimensions, lead and 0 or 1, nearest)
  end
  local legs = legs_of(list, dimensions, lead and 0 or 1)
  local long, total = {}, 0
  for _, leg in ipairs(legs) do
    leg.long = leg.length > (leg.number == 0 and nearest or 0)
    if leg.long then
      long[#long + 1] = leg
      total = total + leg.length
    end
  end
  if how.knot then
    set_tangents(long, how.knot, how.loop, lead and lead.dx and lead)
  end
  if not spacing then
    spacing = total / max(1, #long) / PIECES
  elseif not (total / spacing <= POINTS_MAX) then
    check.fail("spacing must be at least %.3g for these points, got %s", total / POINTS_MAX, check.describe(spacing))
  end

  local points, numbers, headings = { dimensions = dimensions }, {}, {}
  local function put(leg, row)
    for k = 0, row.count - 1 do
      points[#points + 1] = row.x[k]
      points[#points + 1] = row.y[k]
      points[#points + 1] = dimensions == 3 and row.z[k] or nil
      numbers[#numbers + 1] = leg.number
      headings[#headings + 1] = row.heading[k]
      headings[#headings + 1] = row.heading[k + 1]
    end
  end
  local function is_free(row)
    return not (how.knot and how.clear) or is_row_free(row, how.clear, dimensions)
  end
  for _, leg in ipairs(legs) do
    local row = leg.long and how.knot and curved(leg, spacing)
    if leg.long and not (row and is_free(row)) then
      -- It stays straight. Because of rounding, a point on it may lie behind a corner that the leg itself just passes.
      row = straight(leg, pieces_of(leg.length, spacing))
      row = is_free(row) and row
    end
    put(leg, row or straight(leg, 1))
  end
  for i = #list - dimensions + 1, #list do
    points[#points + 1] = list[i]
  end
  points.legs = numbers
  return points, headings
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
-- @return a flat list with the fields `dimensions` and `legs`. `legs` holds for each point but the last the number of
-- its leg, from 1. All given points are in the list, exactly. The list of a loop ends with the first point.
-- Raises if an argument is invalid, if the spacing would make more than ten million points, and if `clear` raises.
local function curve(given, options)
  check.options(options, { "curve", "clear", "spacing", "loop", "dimensions" })
  local list, dimensions = read(given, options and options.dimensions)
  return (make(list, style(options, "catmull_rom", dimensions)))
end

return {
  curve = curve, lerp = formulas.lerp, hermite = formulas.hermite,
  read = read, style = style, make = make, -- for wend.follow
}
