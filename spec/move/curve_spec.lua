-- SPDX-License-Identifier: MIT
local helper = require "spec.support.helper"
local wend = require "wend"
local curves = require "wend.move.curve"

local curve, lerp, hermite = curves.curve, curves.lerp, curves.hermite
local KINDS = { "catmull_rom", "hermite", "linear" }

---The distance between points i and j of a list.
local function distance(points, i, j)
  local n, sum = points.dimensions, 0
  for axis = 1, n do
    local d = points[(j - 1) * n + axis] - points[(i - 1) * n + axis]
    sum = sum + d * d
  end
  return math.sqrt(sum)
end

---For each leg the lengths of its chords.
local function chords(points)
  local legs = {}
  for i, leg in ipairs(points.legs) do
    legs[leg] = legs[leg] or {}
    table.insert(legs[leg], distance(points, i, i + 1))
  end
  return legs
end

---The points at which legs begin, and the last one: those that were given.
local function given(points)
  local list, n = {}, points.dimensions
  for i = 1, #points / n do
    if i == 1 or i == #points / n or points.legs[i] ~= points.legs[i - 1] then
      for axis = 1, n do list[#list + 1] = points[(i - 1) * n + axis] end
    end
  end
  return list
end

---Whether two segments have a point in common; exact but for rounding.
local function crosses(ax, ay, bx, by, cx, cy, dx, dy)
  local function side(px, py, qx, qy, rx, ry) return (qx - px) * (ry - py) - (qy - py) * (rx - px) end
  local a, b = side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)
  local c, d = side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)
  return a * b <= 0 and c * d <= 0
end

describe("the formulas", function()
  it("lerp leads from a to b", function()
    assert.equal(3, lerp(3, 5, 0))
    assert.equal(5, lerp(3, 5, 1))
    assert.equal(4, lerp(3, 5, 0.5))
    assert.equal(3.5, lerp(3, 5, 0.25))
    assert.equal(7, lerp(3, 5, 2))
    assert.equal(1, lerp(3, 5, -1))
  end)

  it("are exact at the ends, whatever the numbers, and where nothing changes", function()
    helper.rounds("ends", 300, function(rng)
      local a, b, v = (rng() - 0.5) * 10 ^ rng(-9, 9), (rng() - 0.5) * 10 ^ rng(-9, 9), rng()
      assert.equal(a, lerp(a, b, 0))
      assert.equal(b, lerp(a, b, 1))
      assert.equal(a, lerp(a, a, v))
      assert.equal(a, hermite(a, b, b, -a, 0))
      assert.equal(b, hermite(a, b, b, -a, 1))
      assert.equal(a, hermite(a, 0, a, 0, v))
    end)
  end)

  it("hermite is the cubic with the values and the slopes that were given", function()
    helper.rounds("cubic", 100, function(rng)
      local p0, m0, p1, m1, v = rng() * 9, rng() * 9 - 4, rng() * 9, rng() * 9 - 4, rng()
      local by_basis = (2 * v ^ 3 - 3 * v ^ 2 + 1) * p0 + (v ^ 3 - 2 * v ^ 2 + v) * m0 + (3 * v ^ 2 - 2 * v ^ 3) * p1
        + (v ^ 3 - v ^ 2) * m1
      assert.near(by_basis, hermite(p0, m0, p1, m1, v), 1e-12)
      assert.near(m0, (hermite(p0, m0, p1, m1, 1e-6) - p0) / 1e-6, 1e-3)
      assert.near(m1, (p1 - hermite(p0, m0, p1, m1, 1 - 1e-6)) / 1e-6, 1e-3)
    end)
    assert.equal(0.5, hermite(0, 0, 1, 0, 0.5))
  end)

  it("take numbers only", function()
    helper.raises("a must be a number, got nil", lerp)
    helper.raises("b must be a number, got '2'", lerp, 1, "2", 0)
    helper.raises("v must be a number, got a table", lerp, 1, 2, {})
    helper.raises("p0 must be a number, got nil", hermite)
    helper.raises("m0 must be a number, got true", hermite, 1, true, 2, 3, 0)
    helper.raises("p1 must be a number, got '2'", hermite, 1, 1, "2", 3, 0)
    helper.raises("m1 must be a number, got nil", hermite, 1, 1, 2, nil, 0)
    helper.raises("v must be a number, got nil", hermite, 1, 1, 2, 3)
  end)
end)

describe("wend.curve", function()
  it("keeps all given points, in order", function()
    helper.rounds("kept", 60, function(rng)
      local dimensions = rng(2, 3)
      local points = helper.random_points(rng, rng(1, 12), dimensions)
      for _, kind in ipairs(KINDS) do
        local made = curve(points, { curve = kind, dimensions = dimensions })
        assert.same(points, given(made))
        assert.equal(dimensions, made.dimensions)
        assert.equal(#made / dimensions - 1, #made.legs)
        assert.equal(#points / dimensions - 1, made.legs[#made.legs] or 0)
      end
    end)
  end)

  it("puts the points evenly along each leg, no farther apart than spacing", function()
    helper.rounds("even", 40, function(rng)
      local dimensions = rng(2, 3)
      -- A walk without sharp turns: there the chords are as even as the curve.
      local points, heading = {}, rng() * 6
      local x, y, z = 0, 0, 0
      for _ = 1, rng(2, 8) do
        for _, value in ipairs { x, y, dimensions == 3 and z or nil } do points[#points + 1] = value end
        heading = heading + rng() * 1.6 - 0.8
        local step = 5 + rng() * 20
        x, y, z = x + math.cos(heading) * step, y + math.sin(heading) * step, z + rng() * 10
      end
      local spacing = 0.05 + rng() * 0.5
      for _, kind in ipairs(KINDS) do
        for _, leg in ipairs(chords(curve(points, { curve = kind, dimensions = dimensions, spacing = spacing }))) do
          local least, most = math.huge, 0
          for _, length in ipairs(leg) do least, most = math.min(least, length), math.max(most, length) end
          assert.is_true(most <= spacing * 1.001, ("%s: %g of %g"):format(kind, most, spacing))
          assert.is_true(most <= least * 1.02, ("%s: %g and %g"):format(kind, least, most))
          assert.is_true(most > spacing * 0.4 or #leg == 1)
        end
      end
    end)
  end)

  it("makes 16 points of the mean leg", function()
    assert.equal(2 * 17, #curve { 0, 0, 100, 0 })
    assert.equal(2 * 33, #curve { 0, 0, 100, 0, 200, 0 })
    assert.equal(2 * (24 + 8 + 1), #curve { 0, 0, 150, 0, 200, 0 })
    assert.same({ 0, 0, 2.5, 0, 5, 0, 7.5, 0, 10, 0, dimensions = 2, legs = { 1, 1, 1, 1 } },
      curve({ 0, 0, 10, 0 }, { curve = "linear", spacing = 2.5 }))
    assert.equal(11, #curve({ 0, 0, 10, 0 }, { curve = "linear", spacing = 1 }) / 2)
    assert.equal(2, #curve({ 0, 0, 10, 0 }, { spacing = 1e9 }) / 2)
  end)

  --- A follower has the same direction just before and behind the point where a leg begins.
  local function turns(points, options, leg)
    local function at(time)
      local f = wend.follow(points, options)
      f:update(time)
      return f
    end
    local legs = #points / 2 - (options.loop and 0 or 1)
    local before, upto, f = leg == 1 and legs or leg - 1, 0, wend.follow(points, options)
    while f.leg ~= before do
      if f.done or upto > 5000 then return end       -- the leg is shorter than a step
      f:update(0.25)
      upto = upto + 0.25
    end
    local from = upto
    while f.leg == before do
      f:update(0.25)
      upto = upto + 0.25
    end
    for _ = 1, 50 do
      local middle = (from + upto) / 2
      if at(middle).leg == before then from = middle else upto = middle end
    end
    assert.near(0, math.sin((at(upto + 1e-9).heading - at(from - 1e-9).heading) / 2), 1e-5)
  end

  it("has one direction where two legs meet", function()
    helper.rounds("smooth", 30, function(rng)
      local points = helper.random_points(rng, rng(3, 8), 2)
      local loop = rng:chance(0.5)
      local list = { (table.unpack or unpack)(points) } -- luacheck: ignore 143
      for _, kind in ipairs { "catmull_rom", "hermite" } do
        local made = curve(points, { curve = kind, loop = loop })
        for leg = 2, #points / 2 - (loop and 0 or 1) do
          turns(points, { curve = kind, loop = loop }, leg)
        end
        if loop then
          turns(points, { curve = kind, loop = loop }, 1)
          list[#points + 1], list[#points + 2] = points[1], points[2]
        end
        assert.same(list, given(made))
      end
    end)
  end)

  it("catmull_rom is the centripetal one: A. Barry and R. Goldman's pyramid gives the same curve", function()
    helper.rounds("pyramid", 10, function(rng)
      local p = helper.random_points(rng, 4, 2)
      local t = { 0 }
      for i = 1, 3 do
        t[i + 1] = t[i] + math.sqrt(helper.length({ p[2 * i - 1], p[2 * i] }, { p[2 * i + 1], p[2 * i + 2] }))
      end
      local function at(axis, u)
        local function mix(a, b, from, to) return (to - u) / (to - from) * a + (u - from) / (to - from) * b end
        local a1 = mix(p[axis], p[axis + 2], t[1], t[2])
        local a2 = mix(p[axis + 2], p[axis + 4], t[2], t[3])
        local a3 = mix(p[axis + 4], p[axis + 6], t[3], t[4])
        return mix(mix(a1, a2, t[1], t[3]), mix(a2, a3, t[2], t[4]), t[2], t[3])
      end
      local dense = { dimensions = 2 }
      for k = 0, 1500 do
        local u = t[2] + (t[3] - t[2]) * k / 1500
        dense[2 * k + 1], dense[2 * k + 2] = at(1, u), at(2, u)
      end
      local made = curve(p)
      for i, leg in ipairs(made.legs) do
        if leg == 2 then
          local nearest = math.huge
          for k = 1, #dense, 2 do
            nearest = math.min(nearest, helper.length({ made[2 * i - 1], made[2 * i] }, { dense[k], dense[k + 1] }))
          end
          assert.is_true(nearest < 0.1)   -- the points of the one lie less than 0.2 apart
        end
      end
    end)
  end)

  it("skips repeated points", function()
    for _, kind in ipairs(KINDS) do
      local plain = curve({ 0, 0, 10, 0, 10, 10 }, { curve = kind })
      local double = curve({ 0, 0, 0, 0, 10, 0, 10, 0, 10, 0, 10, 10, 10, 10 }, { curve = kind })
      local list, last = {}, {}
      for i = 1, #double, 2 do
        if double[i] ~= last[1] or double[i + 1] ~= last[2] then
          last = { double[i], double[i + 1] }
          list[#list + 1], list[#list + 2] = last[1], last[2]
        end
      end
      assert.equal(table.concat(plain, " "), table.concat(list, " "))
      local legs = double.legs
      assert.same({ 1, 2, 5, 6 }, { legs[1], legs[2], legs[#legs - 1], legs[#legs] })
    end
  end)

  it("takes one point, points without any length, and there and back", function()
    assert.same({ 1, 2, dimensions = 2, legs = {} }, curve { 1, 2 })
    assert.same({ 1, 2, dimensions = 2, legs = {} }, curve({ 1, 2 }, { loop = true }))
    assert.same({ 1, 2, 3, dimensions = 3, legs = {} }, curve { 1, 2, 3, dimensions = 3 })
    assert.same({ 1, 2, 1, 2, dimensions = 2, legs = { 1 } }, curve { 1, 2, 1, 2 })
    assert.same({ 1, 2, 1, 2, 1, 2, dimensions = 2, legs = { 1, 2 } }, curve({ 1, 2, 1, 2 }, { loop = true }))
    for _, kind in ipairs(KINDS) do
      local made = curve({ 0, 0, 10, 0, 0, 0 }, { curve = kind })
      assert.same({ 0, 0, 10, 0, 0, 0 }, given(made))
      for i = 1, #made, 2 do
        assert.is_true(made[i] >= 0 and made[i] <= 10 and made[i + 1] == 0)
      end
    end
  end)

  it("closes a loop with the first point", function()
    local made = curve({ 0, 0, 10, 0, 10, 10, 0, 10 }, { loop = true })
    assert.same({ 0, 0, 10, 0, 10, 10, 0, 10, 0, 0 }, given(made))
    assert.equal(4, made.legs[#made.legs])
    -- A square: each side bulges alike.
    local side = #made.legs / 4
    for i = 1, side do
      local x, y = made[2 * i - 1], made[2 * i]
      assert.near(10 - y, made[2 * (i + side) - 1], 1e-9)
      assert.near(x, made[2 * (i + side)], 1e-9)
    end
  end)

  it("takes paths and routes", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 0, 0, 0, 10, 0, 5, 10, 10, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local path = g:path(1, 3)
    assert.equal(3, curve(path).dimensions)
    assert.same(path:points(), given(curve(path)))
    helper.raises("points must have 2 dimensions, got 3", curve, path, { dimensions = 2 })
    local walk = wend.grid(3, 3):path(1, 1, 3, 1)
    assert.same({ 0.5, 0.5, 1.5, 0.5, 2.5, 0.5 }, given(curve(walk)))
    helper.raises("points must have 3 dimensions, got 2", curve, walk, { dimensions = 3 })
    assert.equal(3, curve({ 0, 0, 0, 1, 1, 1, dimensions = 3, cost = 3, nodes = { 1, 2 } }).dimensions)
    assert.equal(3, curve({ 0, 0, 0, 1, 1, 1 }, { dimensions = 3 }).dimensions)

    local nowhere = wend.graph()
    nowhere:add_node()
    helper.raises("node 1 has no position", curve, nowhere:path(1, 1))
  end)

  it("stays straight where the curve would leave what is clear", function()
    helper.rounds("clear", 60, function(rng)
      local walls = {}
      for i = 1, rng(1, 25) do
        local x, y = rng() * 100, rng() * 100
        walls[i] = { x, y, x + rng() * 30 - 15, y + rng() * 30 - 15 }
      end
      local function clear(x1, y1, x2, y2)
        for _, wall in ipairs(walls) do
          if crosses(x1, y1, x2, y2, wall[1], wall[2], wall[3], wall[4]) then return false end
        end
        return true
      end
      local points = helper.random_points(rng, rng(2, 8), 2)
      local kind, loop = rng:pick { "catmull_rom", "hermite" }, rng:chance(0.5)
      local free = curve(points, { curve = kind, loop = loop })
      local made = curve(points, { curve = kind, loop = loop, clear = clear })
      local plain = curve(points, { curve = "linear", loop = loop })
      assert.same(given(free), given(made))
      local function of_leg(list, leg)
        local out = {}
        for i, number in ipairs(list.legs) do
          if number == leg then out[#out + 1] = { list[2 * i - 1], list[2 * i], list[2 * i + 1], list[2 * i + 2] } end
        end
        return out
      end
      local function all_clear(rows)
        for _, row in ipairs(rows) do
          if not clear(row[1], row[2], row[3], row[4]) then return false end
        end
        return true
      end
      for leg = 1, free.legs[#free.legs] do
        local curved, got, straight = of_leg(free, leg), of_leg(made, leg), of_leg(plain, leg)
        if all_clear(curved) then
          assert.same(curved, got)
        elseif all_clear(straight) then
          assert.same(straight, got)
          assert.is_true(all_clear(got))
        else
          local first, last = straight[1], straight[#straight]
          assert.same({ { first[1], first[2], last[3], last[4] } }, got)
        end
      end
    end)
  end)

  it("asks walls, grids, objects and functions, with what they want", function()
    local asked
    local function note(...) asked = select("#", ...) return true end
    curve({ 0, 0, 1, 1 }, { clear = note })
    assert.equal(4, asked)
    curve({ 0, 0, 0, 1, 1, 1 }, { clear = note, dimensions = 3 })
    assert.equal(6, asked)
    local object = { clear = function(self, ...) assert.is_table(self) return note(...) end }
    curve({ 0, 0, 1, 1 }, { clear = object })
    assert.equal(4, asked)
    curve({ 0, 0, 0, 1, 1, 1 }, { clear = object, dimensions = 3 })
    assert.equal(6, asked)
    local named = setmetatable({}, { __index = object, __name = "wend.Walls" }) -- a name does not make walls of it
    curve({ 0, 0, 0, 1, 1, 1 }, { clear = named, dimensions = 3 })
    assert.equal(6, asked)
    local points, walls = { 0, 0, 9, 2, 3, 9, 4, 0, 9 }, wend.walls { 6, -1, 6, 9 } -- flat: asked about x and y alone
    local free = curve(points, { dimensions = 3 })
    free.straight = {}
    assert.same(free, curve(points, { dimensions = 3, clear = walls }))
    curve({ 0, 0, 1, 1 }, { clear = setmetatable({}, { __call = object.clear }) })
    assert.equal(4, asked)
    asked = nil
    curve({ 0, 0, 1, 1 }, { clear = note, curve = "linear" })
    assert.is_nil(asked)
    for _, answer in ipairs { false, "nil" } do
      local made = curve({ 0, 0, 10, 0, 10, 10 }, { clear = function() return answer ~= "nil" and answer or nil end })
      assert.same({ 0, 0, 10, 0, 10, 10, dimensions = 2, legs = { 1, 2 }, straight = { 1, 2 } }, made)
    end
  end)

  it("keeps to open cells, and out of walls", function()
    local grid = wend.parse_grid { ".......", ".###.#.", ".#...#.", ".#.###.", "......." }
    local path = grid:path(3, 3, 7, 1)
    local made = curve(path, { clear = grid })
    for i = 1, #made - 2, 2 do
      assert.is_true(grid:clear_points(made[i], made[i + 1], made[i + 2], made[i + 3]))
    end
    assert.is_true(#made > 2 * #path)
    assert.same(path:points(), given(made))
    local walls = wend.walls()
    walls:add_circle(12, 4, 2)
    local points = { 0, 0, 7, 10, 0, 0, 10, 10, 7 }
    local tall = { dimensions = 3, curve = "hermite" }
    assert.is_true(#curve(points, tall) > 3 * 20)
    tall.clear = walls
    assert.same({ 0, 0, 7, 10, 0, 0, 10, 10, 7 }, given(curve(points, tall)))
    walls:add_segment(5, -1, 5, 1)
    walls:add_segment(9, 5, 11, 5)
    assert.same({ 0, 0, 7, 10, 0, 0, 10, 10, 7, dimensions = 3, legs = { 1, 2 }, straight = { 1, 2 } },
      curve(points, tall))
    assert.same({ 0, 0, 10, 0, dimensions = 2, legs = { 1 }, straight = { 1 } },
      curve({ 0, 0, 10, 0 }, { clear = walls }))
  end)

  it("lists the legs that it had to keep straight", function()
    local walls = wend.walls()
    walls:add_circle(10.3, 1.2, 0.4) -- outside of the corner, where the curve swings wide
    local points = { 0, 0, 10, 0, 10, 10, 20, 10, 20, 10, 30, 10 }
    assert.is_nil(curve(points).straight)
    assert.same({}, curve(points, { clear = wend.walls() }).straight)
    assert.same({}, curve(points, { clear = walls, curve = "linear" }).straight)
    for _, dimensions in ipairs { 2, 3 } do
      local list = {}
      for i = 1, #points, 2 do
        list[#list + 1], list[#list + 2] = points[i], points[i + 1]
        if dimensions == 3 then list[#list + 1] = i end
      end
      local asked = { dimensions = dimensions, clear = walls }
      local made = curve(list, asked)
      assert.same({ 2 }, made.straight)
      local free = curve(list, { dimensions = dimensions })
      local pieces, free_pieces = {}, {}
      for i, leg in ipairs(made.legs) do pieces[leg] = (pieces[leg] or "") .. made[(i - 1) * dimensions + 1] end
      for i, leg in ipairs(free.legs) do
        free_pieces[leg] = (free_pieces[leg] or "") .. free[(i - 1) * dimensions + 1]
      end
      for leg = 1, 5 do assert.equal(leg ~= 2, pieces[leg] == free_pieces[leg]) end
      asked.into = made
      assert.equal(made, curve({ 0, 0, 0, 9, 9, 9 }, asked))
      assert.same({}, made.straight)
      asked.clear = nil
      assert.is_nil(curve({ 0, 0, 0, 9, 9, 9 }, asked).straight)
    end
  end)

  it("lists the straight legs of a loop, also the one that closes it", function()
    local function above(_, y1, _, y2) return y1 >= 0 and y2 >= 0 end
    local made = curve({ 0, 0, 10, 0, 10, 10 }, { loop = true, clear = above })
    assert.same({ 1 }, made.straight)
    made = curve({ 0, 0, 10, 0, 10, 10 }, { loop = true, clear = function() return false end })
    assert.same({ 1, 2, 3 }, made.straight)
  end)

  it("passes on the error of clear", function()
    local thing = {}
    local ok, problem = pcall(curve, { 0, 0, 1, 1 }, { clear = function() error(thing) end })
    assert.is_false(ok)
    assert.equal(thing, problem)
    helper.raises("mist", curve, { 0, 0, 1, 1 }, { clear = { clear = function() error("mist", 0) end } })
  end)

  it("stays finite for the largest and the smallest coordinates", function()
    for _, size in ipairs { 1e150, 1e-150, 1e-170, 5e-324 } do
      for _, kind in ipairs(KINDS) do
        local made = curve({ 0, 0, size, size, -size, size, size, -size, 0, 0 }, { curve = kind, loop = true })
        for _, value in ipairs(made) do assert.is_true(math.abs(value) <= 4 * size) end
      end
    end
  end)

  it("does not change the path that it is given", function()
    local points = { 0, 0, 10, 0, 10, 10 }
    curve(points, { loop = true })
    assert.same({ 0, 0, 10, 0, 10, 10 }, points)
  end)

  it("says what is wrong", function()
    local nan, huge = 0 / 0, math.huge
    helper.raises("points must be a list of numbers, a path or a route, got an empty list", curve, {})
    helper.raises("points must hold 2 numbers per item, got 3 numbers", curve, { 1, 2, 3 })
    helper.raises("points must hold 3 numbers per item, got 4 numbers", curve, { 1, 2, 3, 4 }, { dimensions = 3 })
    helper.raises("points[3] must be a finite number (up to 1e150), got nan", curve, { 1, 2, nan, 4 })
    helper.raises("points[1] must be a finite number (up to 1e150), got " .. huge, curve, { huge, 2 })
    helper.raises("points[2] must be a finite number (up to 1e150), got '2'", curve, { 1, "2" })
    helper.raises("points[1] must be a finite number (up to 1e150), got a table", curve, { { 1, 2 }, { 3, 4 } })
    helper.raises("dimensions must be 2 or 3, got 'two'", curve, { 1, 2, dimensions = "two" })
    helper.raises("points must have 2 dimensions, got 3", curve, { 1, 2, 3, dimensions = 3 }, { dimensions = 2 })
    helper.raises("unknown option 'speed' (expected one of: curve, clear, clearance, spacing, loop, dimensions, into)",
      curve, { 1, 2 }, { speed = 1 })
    helper.raises("spacing must be at least 1e-06 for these points, got 1e-08", curve, { 0, 0, 10, 0 },
      { spacing = 1e-8 })
  end)

  it("blames the line of the script", function()
    local ok, message = pcall(function() curve { 1 } end)
    assert.is_false(ok)
    assert.truthy(message:find "^[^:]*curve_spec%.lua:%d+: points must hold")
  end)
end)

describe("wend.curve with into", function()
  local long, short = { 0, 0, 30, 40, 60, 0, 60, 90 }, { 5, 5, 9, 9 }
  local corner = { 0, 0, 0, 10, 0, 10, 10, 5, 2, dimensions = 3 }

  it("fills the table with what it would return", function()
    local into = {}
    for _, options in ipairs { {}, { curve = "hermite", spacing = 3 }, { curve = "linear" }, { loop = true } } do
      for _, points in ipairs { long, short, corner, { 7, 8 }, long } do
        local expected = curve(points, options)
        options.into = into
        assert.equal(into, curve(points, options))
        options.into = nil
        assert.same(expected, into)
      end
    end
  end)

  it("may be the list of the points itself", function()
    local points = { 0, 0, 30, 40, 60, 0 }
    local expected = curve(points)
    assert.same(expected, curve(points, { into = points }))
  end)

  it("works inside of clear, and after clear has raised", function()
    local inner, into = {}, {}
    local function clear(...)
      assert.same(curve(short), curve(short, { into = inner }))
      return select("#", ...) == 4
    end
    local expected = curve(long)
    expected.straight = {}
    assert.same(expected, curve(long, { into = into, clear = clear }))
    for _ = 1, 3 do
      helper.raises("no", curve, long, { into = into, clear = function() error("no", 0) end })
      assert.same(curve(long), curve(long, { into = into }))
    end
  end)

  it("keeps no map alive", function()
    local map = wend.grid(9, 9)
    local seen = setmetatable({ map }, { __mode = "v" })
    curve(map:path(1, 1, 9, 5), { into = {}, clear = map })
    map = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    assert.is_nil(seen[1])
  end)

  it("makes no garbage", function()
    local path = wend.grid(20, 20):path(1, 1, 20, 7)
    for _, points in ipairs { long, path } do
      for _, options in ipairs { {}, { clear = function() return true end }, { curve = "linear", spacing = 2 } } do
        options.into = {}
        assert.equal(0, helper.garbage(30, 100, function(times)
          for _ = 1, times do curve(points, options) end
        end))
      end
    end
  end)
end)
