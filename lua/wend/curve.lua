-- SPDX-License-Identifier: MIT
--- wend.curve: a list of points as a smooth line, and the two formulas that it is made with.
--
-- Each leg, from one given point to the next, is a cubic Hermite curve: the line passes through all points, and has one
-- direction where two legs meet. What the direction and the speed there are is the kind of curve; with e and f the legs
-- before and after, and the tangent by unit of a parameter t:
--
--   catmull_rom  t = root of the length; tangent = (t_f e / t_e + t_e f / t_f) / (t_e + t_f)
--                the centripetal Catmull-Rom curve: of this family the only one without cusps and loops within a leg,
--                and close to the legs (C. Yuksel, S. Schaefer, J. Keyser, "Parameterization and applications of
--                Catmull-Rom curves", Computer-Aided Design 43, 2011)
--   hermite      t = length; tangent = (e / t_e + f / t_f) / 2
--                tangents by finite differences: rounder, wider in corners
--   linear       the legs as they are
--
-- At an open end the tangent is the leg itself. Legs without length are passed over as if they were not there.

local core = require "wend.core"
local check = require "wend.check"
local clear = require "wend.clear"

local atan2 = math.atan2 or math.atan       -- luacheck: ignore 143 (5.3 has the one, 5.1 the other)
local ceil, huge, max, min, sqrt = math.ceil, math.huge, math.max, math.min, math.sqrt

local COORDINATE_MAX = 1e150                -- as in the core: squares of distances stay finite
local POINTS_MAX = 1e7                      -- that a spacing may make: more is a mistake, and fills the memory
local PIECES = 16                           -- a leg has so many by default, and is measured in no fewer
local SLACK = 1e-9                          -- of a piece: ten spacings are ten pieces, however they are rounded

--- What t is, for a leg of a length.
local KNOTS = {
  catmull_rom = sqrt,
  hermite = function(length) return length end,
  linear = false,
}
local KINDS = "linear, hermite, catmull_rom"

-- Formulas ---------------------------------------------------------------------------------------------------------

-- Exact at both ends, and everywhere where they are equal.
local function lerp(a, b, v)
  if v < 0.5 then
    return a + (b - a) * v
  end
  return b - (b - a) * (1 - v)
end

-- The usual polynomial, (2v³ - 3v² + 1) p0 + (v³ - 2v² + v) m0 + (3v² - 2v³) p1 + (v³ - v²) m1, in the order that is
-- exact at both ends.
local function hermite(p0, m0, p1, m1, v)
  return lerp(p0, p1, v * v * (3 - 2 * v)) + v * (1 - v) * ((1 - v) * m0 - v * m1)
end

local function check_number(value, what)
  if type(value) ~= "number" then
    check.fail("%s must be a number, got %s", what, check.describe(value))
  end
end

local formulas = {}

--- wend.lerp(a, b, v): from a to b. At v = 0 it is a and at v = 1 it is b, to the last bit; below 0 and above 1 it goes
--- on beyond them.
-- @param a, b numbers
-- @param v where between them, 0 to 1
-- @return a number
-- Raises where something is no number.
function formulas.lerp(a, b, v)
  if type(a) ~= "number" or type(b) ~= "number" or type(v) ~= "number" then
    check_number(a, "a")
    check_number(b, "b")
    check_number(v, "v")
  end
  return lerp(a, b, v)
end

--- wend.hermite(p0, m0, p1, m1, v): the cubic that leads from p0 to p1, with the slopes m0 and m1 there. For points,
--- once for each coordinate.
-- @param p0, p1 numbers: the value at v = 0 and at v = 1, exact to the last bit
-- @param m0, m1 numbers: the slope there, by unit of v
-- @param v where between them, 0 to 1
-- @return a number
-- Raises where something is no number.
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

-- What was given ---------------------------------------------------------------------------------------------------

--- The points of a path, or what was given; and of how many dimensions they say that they are.
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

--- A copy of a list of points, of a path or of a route, as floats.
-- @param given what was given as `points`
-- @param dimensions how many they must have; nil: what they say, or else 2
-- @return a flat list, dimensions
-- Raises where it is something else, empty, not whole points, or where a number is not a finite one within 1e150.
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

--- How a curve is to be made, of the options of wend.curve and wend.follow.
-- @param options a table or nil; its keys are checked by the caller
-- @param default the kind of curve where they say none
-- @param dimensions 2 or 3
-- @return { dimensions =, knot = function or false, clear = function or nil, spacing = number or nil, loop = boolean }
-- Raises where one of them is something else.
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

--- The legs between points, numbered from `first`: { number, x, y, z, to_x, to_y, to_z, dx, dy, dz, length }. Flat
--- ones lie at z = 0.
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

--- The tangent between two legs, by unit of t.
local function join(e, f, centripetal)
  local share = centripetal and f.knot / (e.knot + f.knot) or 0.5
  local function axis(d) return lerp(f[d] / f.knot, e[d] / e.knot, share) end
  return { dx = axis "dx", dy = axis "dy", dz = axis "dz" }
end

local function scaled(vector, factor)
  return { dx = vector.dx * factor, dy = vector.dy * factor, dz = vector.dz * factor }
end

--- Gives the legs that have a length their tangents, `leave` and `arrive`.
-- @param legs those legs, in order
-- @param knot what t is
-- @param loop whether the last leads to the first of those with a number above 0
-- @param lead the direction that the first one must begin with, or nil: { dx, dy, dz, reach }, of length 1; `reach` is
-- how far the tangent goes at most
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

local function heading_of(dx, dy)
  return (dx ~= 0 or dy ~= 0) and atan2(dy, dx)
end

--- Into how many pieces a length is divided; 1 where one of the two is NaN.
local function pieces_of(length, spacing)
  local pieces = ceil(length / spacing - SLACK)
  return pieces >= 1 and min(pieces, POINTS_MAX) or 1
end

--- How the curve of a leg goes on at v: its derivative, d + v (e + v f) on each axis.
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

--- Where on the curve of a leg the points lie that divide its length evenly: a list of v, from 0 to 1.
-- The length is measured by Simpson's rule over small steps of v. Between them, v as a function of the length is again
-- a Hermite cubic, its slopes bounded where the pace is near 0 (F. N. Fritsch, R. E. Carlson, "Monotone piecewise cubic
-- interpolation", 1980).
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

--- A row of points along a leg: { count =, x =, y =, z =, heading = }, lists from 0 to count. The last point is the end
--- of the leg, to the last bit.
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

--- Whether each chord of a row is free.
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

--- What `make` gives of straight legs with nothing between: without the tables that curves are made with.
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
-- @param list points as `read` gives them; changed where it is a loop or has a lead
-- @param how what `style` gives
-- @param lead nil, or where somebody comes from: { x, y, z, dx, dy, dz, reach }: leg 0 leads from x, y, z to the first
-- point; a curve begins in the direction dx, dy, dz (of length 1; nil: in any)
-- @return points, flat, with `dimensions` and `legs`; and the headings of chord i at its start and at its end, as items
-- 2i - 1 and 2i of a list: radians, or false where it leads nowhere in the plane
local function make(list, how, lead)
  local dimensions, spacing = how.dimensions, how.spacing
  if how.loop and #list > dimensions then
    for axis = 1, dimensions do list[#list + 1] = list[axis] end
  end
  local nearest = 0        -- no longer than this: a leg that is not there
  if lead then
    -- Who stands on the first point but for rounding does not turn toward it.
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
      -- It stays straight. Rounding may still put a point beyond a corner that the leg itself just passes.
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

--- wend.curve(points[, opts]): the points and more between them, along a smooth curve through all of them. Within a leg
--- they lie evenly: equally far apart along the curve, and no farther than `spacing`.
-- @param points a flat list of numbers, a path (its points) or a route; finite, within 1e150
-- @param options a table or nil:
--   curve       "catmull_rom" (default), "hermite", or "linear": points along the straight legs
--   clear       walls, a grid, or a function (x1, y1, x2, y2), in three dimensions (x1, y1, z1, x2, y2, z2), that says
--               whether a straight walk is free: a leg of which any chord is not stays straight (and without points
--               in between where a piece of that is not free either)
--   spacing     a finite number > 0; default: a 16th of the mean leg
--   loop        true: from the last point to the first as well
--   dimensions  2 or 3; default: what the points say (`points.dimensions`), or else 2
-- @return a flat list with `dimensions`, and `legs`: for each of its points but the last, the number of the leg, from
-- one given point to the next, that begins with it or that it lies on. All given points are in it, to the last bit. The
-- list of a loop ends with the first of them.
-- Raises where an argument is something else; and whatever `clear` raises.
local function curve(given, options)
  check.options(options, { "curve", "clear", "spacing", "loop", "dimensions" })
  local list, dimensions = read(given, options and options.dimensions)
  return (make(list, style(options, "catmull_rom", dimensions)))
end

return {
  curve = curve, lerp = formulas.lerp, hermite = formulas.hermite,
  read = read, style = style, make = make, -- for wend.follow
}
