-- SPDX-License-Identifier: MIT
-- Walls. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local moving = require "spec.support.moving_reference"
local wend = require "wend"

describe("wend.walls", function()
  it("are clear where there are none", function()
    local walls = wend.walls()
    assert.equal(true, walls:clear(0, 0, 10, 10))
    assert.equal(true, walls:clear(0, 0, 0, 0, 1e9))
    assert.equal(0, walls:count())
  end)

  it("are added one after the other", function()
    local walls = wend.walls()
    walls:add_segment(0, 0, 1, 0)
    walls:add_polygon({ 0, 0, 4, 0, 0, 3 })
    walls:add_circle(5, 5, 2)
    assert.equal(3, walls:count())
    walls:add_segment(0, 0, 1, 0)
    assert.equal(4, walls:count())
  end)

  it("are listed in order, as they were given", function()
    local walls = wend.walls()
    walls:add_circle(5, 5.5, 2)
    walls:add_segment(4, 3, 2, 1)
    walls:add_polygon({ 0, 0, 0, 3, 4, 0 })
    local list = {}
    for kind, numbers, id in walls:each() do list[#list + 1] = { kind, numbers, id } end
    assert.same({ { "circle", { 5, 5.5, 2 }, 1 }, { "segment", { 4, 3, 2, 1 }, 2 },
      { "polygon", { 0, 0, 0, 3, 4, 0 }, 3 } }, list)
    for _ in wend.walls():each() do assert.truthy(false) end
  end)

  it("do not look at the list of a polygon again", function()
    local points = { 0, 0, 4, 0, 0, 4 }
    local walls = wend.walls()
    walls:add_polygon(points)
    points[1], points[3] = 100, 104
    assert.equal(false, walls:clear(1, 1, 1, 1))
    assert.equal(true, walls:clear(101, 1, 101, 1))
    for _, numbers in walls:each() do numbers[1] = 100 end
    assert.equal(false, walls:clear(1, 1, 1, 1))
  end)

  it("count from when they are added, also after a question", function()
    local walls = wend.walls()
    assert.equal(true, walls:clear(0, 0, 10, 0))
    walls:add_segment(5, -1, 5, 1)
    assert.equal(false, walls:clear(0, 0, 10, 0))
    assert.equal(true, walls:clear(0, 20, 10, 20))
    walls:add_circle(5, 20, 1)
    assert.equal(false, walls:clear(0, 20, 10, 20))
    walls:add_polygon { 0, 40, 10, 40, 5, 45 }
    assert.equal(false, walls:clear(4, 42, 6, 42))
    assert.equal(true, walls:clear(0, 30, 10, 30))
  end)

  it("of one kind do not know those of another", function()
    local one, other = wend.walls(), wend.walls()
    one:add_segment(5, -1, 5, 1)
    assert.same({ false, true }, { one:clear(0, 0, 10, 0), other:clear(0, 0, 10, 0) })
  end)
end)

describe("walls:remove", function()
  it("removes one wall by its id", function()
    local walls = wend.walls()
    local fence = walls:add_segment(5, -1, 5, 1)
    local pond = walls:add_circle(5, 20, 1)
    local house = walls:add_polygon { 0, 40, 10, 40, 5, 45 }
    assert.same({ 1, 2, 3 }, { fence, pond, house })
    assert.equal(walls, walls:remove(pond))
    assert.equal(2, walls:count())
    assert.same({ true, false, true }, { walls:has(fence), walls:has(pond), walls:has(house) })
    assert.same({ false, true, false },
      { walls:clear(0, 0, 10, 0), walls:clear(0, 20, 10, 20), walls:clear(4, 42, 6, 42) })
    walls:remove(house):remove(fence)
    assert.equal(0, walls:count())
    assert.equal(true, walls:clear(0, 0, 10, 100))
  end)

  it("works before the first question and after it", function()
    for _, asked in ipairs { false, true } do
      local walls = wend.walls()
      local door = walls:add_polygon { 4, -1, 6, -1, 6, 1, 4, 1 }
      if asked then assert.equal(false, walls:clear(5, 0, 5, 0)) end
      walls:remove(door)
      assert.equal(true, walls:clear(5, 0, 5, 0))
      walls:add_segment(5, -1, 5, 1)
      assert.equal(false, walls:clear(0, 0, 10, 0))
    end
  end)

  it("never gives an id out again", function()
    local walls, given = wend.walls(), {}
    for i = 1, 500 do
      local id = walls:add_segment(i, 0, i, 1)
      assert.equal(nil, given[id])
      given[id] = true
      assert.equal(true, walls:has(id))
      walls:remove(id)
      assert.equal(false, walls:has(id))
      helper.raises("id: there is no wall " .. ("%d"):format(id), walls.remove, walls, id)
    end
  end)

  it("keeps the memory bounded where doors come and go", function()
    local walls = wend.walls()
    for i = 1, 100 do walls:add_segment(i, 0, i, 1) end
    local door, most = walls:add_polygon { 0, 0, 1, 0, 1, 1, 0, 1 }, nil
    for i = 1, 20000 do
      walls:remove(door)
      door = walls:add_polygon { 0, 0, 1, 0, 1, 1, 0, 1 }
      if i % 7 == 0 then assert.equal(false, walls:clear(0.5, 0.5, 0.5, 0.5)) end
      if i == 2000 then most = walls:bytes() end
    end
    assert.equal(most, walls:bytes())
    assert.equal(101, walls:count())
  end)

  it("may be called while walls are listed", function()
    local walls, left = wend.walls(), {}
    for i = 1, 20 do walls:add_circle(i, 0, 1) end
    for kind, numbers, id in walls:each() do
      assert.same({ "circle", id }, { kind, numbers[1] })
      if id % 2 == 1 then
        walls:remove(id)
        walls:remove(id + 1)
      end
    end
    for _, _, id in walls:each() do left[#left + 1] = id end
    assert.same({}, left)
  end)

  it("is right while walls come and go between the questions", function()
    helper.rounds("walls removed", 30, function(rng)
      local walls, list = wend.walls(), {} -- the list has { kind, numbers, id }
      local size = rng(10, 100)
      for _ = 1, 250 do
        if #list > 0 and rng:chance(0.45) then
          walls:remove(table.remove(list, rng(#list))[3])
        else
          local x, y, kind = rng(0, size), rng(0, size), rng(3)
          if kind == 1 then
            local n = { x, y, x + rng(-9, 9), y + rng(-9, 9) }
            list[#list + 1] = { "segment", n, walls:add_segment(n[1], n[2], n[3], n[4]) }
          elseif kind == 2 then
            local r = rng(0, 3)
            list[#list + 1] = { "circle", { x, y, r }, walls:add_circle(x, y, r) }
          else
            local points = moving.random_polygon(rng, x, y, 8, true)
            if points then list[#list + 1] = { "polygon", points, walls:add_polygon(points) } end
          end
        end
        if rng:chance(0.6) then
          local x1, y1 = rng(0, size), rng(0, size)
          local x2, y2 = x1 + rng(-12, 12), y1 + rng(-12, 12)
          assert.equal(not moving.blocked(list, x1, y1, x2, y2), walls:clear(x1, y1, x2, y2))
        end
        assert.equal(#list, walls:count())
      end
      local by_id = {}
      for kind, numbers, id in walls:each() do by_id[id] = { kind, numbers, id } end
      for _, wall in ipairs(list) do
        assert.same(wall, by_id[wall[3]])
        by_id[wall[3]] = nil
      end
      assert.equal(nil, (next(by_id)))
    end)
  end)
end)

describe("walls:clear", function()
  it("is false for lines that touch a wall: at ends, at corners, along it", function()
    local walls = wend.walls()
    walls:add_segment(5, 0, 5, 10)
    for _, line in ipairs {
      { 0, 5, 10, 5 }, { 0, 0, 10, 0 }, { 0, 10, 10, 10 }, { 0, 5, 5, 5 }, { 5, 5, 9, 5 }, { 5, -5, 5, 0 },
      { 5, -5, 5, 20 }, { 5, 3, 5, 4 }, { 5, 3, 5, 3 }, { 0, 5, 10, -5 }, { 5, 0, 5, 0 }, { 4, -1, 6, 1 },
    } do
      assert.equal(false, walls:clear(line[1], line[2], line[3], line[4]), table.concat(line, " "))
      assert.equal(false, walls:clear(line[3], line[4], line[1], line[2]), table.concat(line, " "))
    end
    for _, line in ipairs {
      { 0, -1, 10, -1 }, { 0, 11, 10, 11 }, { 0, 5, 4, 5 }, { 6, 0, 6, 10 }, { 5, -5, 5, -1 }, { 5, 11, 5, 30 },
      { 5, 11, 5, 11 }, { 0, 5, 9, -5 },
    } do
      assert.equal(true, walls:clear(line[1], line[2], line[3], line[4]), table.concat(line, " "))
    end
  end)

  it("blocks the corner of two segments", function()
    helper.rounds("walls corner", 400, function(rng)
      local x, y = rng(-50, 50), rng(-50, 50)
      local walls = wend.walls()
      -- two segments from the corner, the line through it: in whole numbers, so exactly
      local function way()
        local dx, dy
        repeat dx, dy = rng(-30, 30), rng(-30, 30) until dx ~= 0 or dy ~= 0
        return dx, dy
      end
      local ax, ay = way()
      local bx, by = way()
      walls:add_segment(x, y, x + ax, y + ay)
      walls:add_segment(x + bx, y + by, x, y)
      for _ = 1, 10 do
        local dx, dy = way()
        local far, back = rng(0, 4), rng(0, 4)
        assert.equal(false, walls:clear(x - dx * far, y - dy * far, x + dx * back, y + dy * back))
      end
    end)
  end)

  it("blocks a corner that rounding has missed", function()
    helper.rounds("walls corner rounded", 300, function(rng)
      local x, y, size = (rng() - 0.5) * 10 ^ rng(-3, 6), (rng() - 0.5) * 10 ^ rng(-3, 6), 10 ^ rng(-2, 4)
      local turn = rng() * 7
      local function at(angle, far) return x + far * math.cos(turn + angle), y + far * math.sin(turn + angle) end
      -- the line goes along the angle 0, the segments to either side of it
      local ax, ay = at(0.3 + rng() * 2.5, size * (0.5 + rng()))
      local bx, by = at(-0.3 - rng() * 2.5, size * (0.5 + rng()))
      local walls = wend.walls()
      if rng:chance(0.5) then
        walls:add_segment(ax, ay, x, y)
        walls:add_segment(x, y, bx, by)
      else
        walls:add_polygon { ax, ay, x, y, bx, by, at(math.pi, size * 9) }
      end
      for _ = 1, 8 do
        local px, py = at(math.pi + (rng() - 0.5) * 1e-3, size * (1 + rng()))
        local qx, qy = 2 * x - px, 2 * y - py
        assert.equal(false, walls:clear(px, py, qx, qy))
        assert.equal(false, walls:clear(qx, qy, px, py))
      end
    end)
  end)

  it("keeps a radius away", function()
    local walls = wend.walls()
    walls:add_segment(0, 0, 10, 0)
    assert.equal(true, walls:clear(0, 3, 10, 3))
    assert.equal(true, walls:clear(0, 3, 10, 3, 0))
    assert.equal(true, walls:clear(0, 3, 10, 3, 2.999))
    assert.equal(false, walls:clear(0, 3, 10, 3, 3))
    assert.equal(false, walls:clear(0, 3, 10, 3, 1e9))
    assert.equal(true, walls:clear(13, 4, 13, 20, 4.999))
    assert.equal(false, walls:clear(13, 4, 13, 20, 5)) -- 3, 4, 5 from the end
    assert.equal(true, walls:clear(-3, -4, -3, -4, 4.999))
    assert.equal(false, walls:clear(-3, -4, -3, -4, 5))
    assert.equal(false, walls:clear(5, -1, 5, 1, 0))
    assert.equal(false, walls:clear(5, 1, 5, 9, 1))
  end)

  it("is false inside a polygon or a circle", function()
    for _, points in ipairs { { 0, 0, 10, 0, 10, 10, 0, 10 }, { 0, 0, 0, 10, 10, 10, 10, 0 } } do
      local walls = wend.walls()
      walls:add_polygon(points)
      assert.equal(false, walls:clear(4, 4, 6, 5))
      assert.equal(false, walls:clear(4, 4, 4, 4))
      assert.equal(false, walls:clear(4, 4, 40, 40))
      assert.equal(false, walls:clear(40, 40, 4, 4))
      assert.equal(false, walls:clear(-5, 5, 15, 5))
      assert.equal(false, walls:clear(0, 0, 0, 0))
      assert.equal(false, walls:clear(-1, 1, 1, -1)) -- through the corner
      assert.equal(false, walls:clear(-5, 10, 15, 10)) -- along a side
      assert.equal(true, walls:clear(-5, 11, 15, 11))
      assert.equal(false, walls:clear(-5, 11, 15, 11, 1))
      assert.equal(true, walls:clear(-5, -5, -5, 20))
    end
    local circle = wend.walls()
    circle:add_circle(10, 10, 5)
    assert.equal(false, circle:clear(10, 10, 10, 10))
    assert.equal(false, circle:clear(9, 9, 11, 11))
    assert.equal(false, circle:clear(0, 15, 20, 15)) -- touches it at the top
    assert.equal(true, circle:clear(0, 15.001, 20, 15.001))
    assert.equal(false, circle:clear(0, 17, 20, 17, 2))
    assert.equal(true, circle:clear(0, 17, 20, 17, 1.999))
    assert.equal(false, circle:clear(13, 14, 20, 20)) -- 3, 4, 5: on the border
    assert.equal(true, circle:clear(14, 14, 20, 20))
  end)

  it("knows the notch of a polygon that is not convex", function()
    for _, points in ipairs { -- a U, open above (towards smaller y)
      { 0, 0, 3, 0, 3, 7, 7, 7, 7, 0, 10, 0, 10, 10, 0, 10 }, { 0, 10, 10, 10, 10, 0, 7, 0, 7, 7, 3, 7, 3, 0, 0, 0 },
    } do
      local walls = wend.walls()
      walls:add_polygon(points)
      assert.equal(true, walls:clear(5, -5, 5, 6))
      assert.equal(true, walls:clear(4, 1, 6, 6))
      assert.equal(false, walls:clear(5, -5, 5, 7))
      assert.equal(false, walls:clear(4, 3, 8, 3))
      assert.equal(false, walls:clear(8, 3, 9, 3))
      assert.equal(false, walls:clear(1, 9, 9, 9))
      assert.equal(true, walls:clear(5, 4, 5, 5, 1.999))
      assert.equal(false, walls:clear(5, 4, 5, 5, 2))
    end
  end)

  it("takes walls without a size", function()
    local walls = wend.walls()
    walls:add_circle(5, 5, 0)
    walls:add_segment(20, 20, 20, 20)
    assert.equal(false, walls:clear(0, 0, 10, 10))
    assert.equal(false, walls:clear(5, 5, 5, 5))
    assert.equal(true, walls:clear(0, 1, 10, 11))
    assert.equal(false, walls:clear(10, 20, 30, 20))
    assert.equal(true, walls:clear(10, 21, 30, 21))
    assert.equal(false, walls:clear(10, 21, 30, 21, 1))
    local flat = wend.walls()
    flat:add_polygon { 0, 0, 10, 0, 5, 0 }
    assert.equal(false, flat:clear(7, -1, 7, 1))
    assert.equal(true, flat:clear(11, -1, 11, 1))
  end)

  it("is the same whichever way the line goes, wherever the walls are, and however large all of it is", function()
    helper.rounds("walls moved", 60, function(rng)
      local _, list = moving.random_walls(rng, { count = rng(1, 12), whole = true })
      local scale, dx, dy = 2 ^ rng(-30, 30), rng(-100, 100), rng(-100, 100)
      local moved, plain = wend.walls(), wend.walls()
      for _, wall in ipairs(list) do
        local numbers = {}
        for i, number in ipairs(wall[2]) do
          numbers[i] = (number + (i % 2 == 1 and dx or dy)) * scale
        end
        if wall[1] == "segment" then
          moved:add_segment(numbers[1], numbers[2], numbers[3], numbers[4])
          plain:add_segment(wall[2][1], wall[2][2], wall[2][3], wall[2][4])
        elseif wall[1] == "circle" then
          moved:add_circle(numbers[1], numbers[2], wall[2][3] * scale)
          plain:add_circle(wall[2][1], wall[2][2], wall[2][3])
        else
          moved:add_polygon(numbers)
          plain:add_polygon(wall[2])
        end
      end
      for _ = 1, 60 do
        local x1, y1, x2, y2 = rng(0, 100), rng(0, 100), rng(0, 100), rng(0, 100)
        local expected = plain:clear(x1, y1, x2, y2)
        assert.equal(expected, plain:clear(x2, y2, x1, y1))
        assert.equal(expected, moved:clear((x1 + dx) * scale, (y1 + dy) * scale, (x2 + dx) * scale, (y2 + dy) * scale))
      end
    end)
  end)

  it("takes the largest coordinates", function()
    local walls = wend.walls()
    walls:add_segment(1e150, -1e150, 1e150, 1e150)
    walls:add_segment(-1e150, 0, -1e150, 0)
    assert.equal(false, walls:clear(-1e149, 0, 1e150, 0))
    assert.equal(true, walls:clear(-1e149, 0, 1e149, 0))
    assert.equal(true, walls:clear(0, 0, 1, 1))
  end)

  it("agrees with exact sums in whole numbers, with a radius #slow", function()
    helper.rounds("walls radius", 160, function(rng)
      local size = rng:pick { 20, 100, 500 }
      local walls, list = moving.random_walls(rng, { count = rng:pick { 1, 3, 10 }, whole = true, size = size })
      for _ = 1, 60 do
        local x1, y1, x2, y2 = rng(0, size), rng(0, size), rng(0, size), rng(0, size)
        if rng:chance(0.3) then x2 = x1 end
        if rng:chance(0.3) then y2 = y1 end
        local radius = rng:pick { rng(0, 5), rng(0, 20) }
        local expected = not moving.blocked(list, x1, y1, x2, y2, radius)
        if walls:clear(x1, y1, x2, y2, radius) ~= expected then
          -- a slanted line that is exactly so far away: rounding may decide
          local gap = moving.gap(list, x1, y1, x2, y2)
          local straight = x1 == x2 or y1 == y2
          assert.truthy(not straight and math.abs(gap - radius) < 1e-9,
            ("%g %g %g %g radius %g: %s instead of %s"):format(x1, y1, x2, y2, radius, tostring(not expected),
              tostring(expected)))
        end
      end
    end)
  end)

  it("agrees with the distances, in any numbers #slow", function()
    helper.rounds("walls any", 120, function(rng)
      local size = 10 ^ rng(-3, 6)
      local walls, list = moving.random_walls(rng, { count = rng:pick { 1, 5, 20, 60 }, size = size })
      for _ = 1, 60 do
        local long = rng:pick { 0, 0.01, 0.2, 1 }
        local x1, y1 = rng() * size, rng() * size
        local x2, y2 = x1 + (rng() - 0.5) * size * long, y1 + (rng() - 0.5) * size * long
        local radius = rng:pick { 0, 0, rng() * size / 20, rng() * size / 3 }
        local gap = moving.gap(list, x1, y1, x2, y2)
        local margin = math.abs(gap - radius)
        if margin > 1e-9 * size or gap == 0 then
          if walls:clear(x1, y1, x2, y2, radius) ~= (gap > radius) then
            assert.equal(gap > radius, walls:clear(x1, y1, x2, y2, radius),
              ("%.17g %.17g %.17g %.17g radius %.17g, gap %.17g"):format(x1, y1, x2, y2, radius, gap))
          end
        end
      end
    end)
  end)

  it("is right among many walls", function()
    local walls = wend.walls()
    for x = 1, 100 do
      for y = 1, 100 do walls:add_segment(x, y, x + 0.5, y) end -- a door in every stretch
    end
    assert.equal(10000, walls:count())
    for x = 1, 100 do
      assert.equal(false, walls:clear(x + 0.25, 0, x + 0.25, 200))
      assert.equal(true, walls:clear(x + 0.75, 0, x + 0.75, 200))
      assert.equal(true, walls:clear(x + 0.75, 0, x + 0.75, 200, 0.2))
      assert.equal(false, walls:clear(x + 0.75, 50, x + 0.75, 50, 0.25))
      assert.equal(true, walls:clear(0, x + 0.5, 200, x + 0.5))
      assert.equal(false, walls:clear(0, x, 1, x))
    end
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local NAN, HUGE = 0 / 0, math.huge
local COORDINATE = "must be a finite number (up to 1e150)"

local walls

local function fixture()
  walls = wend.walls()
  walls:add_segment(5, -5, 5, 5)
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("walls:add_polygon", function()
  before_each(fixture)

  all {
    "points must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 7 numbers: { 1, 2, 3, 4, ... }",
      function() walls:add_polygon { 1, 2, 3, 4, 5, 6, 7 } end,
    "points must hold at least 3 corners, got 0", function() walls:add_polygon {} end,
    "points must hold at least 3 corners, got 2", function() walls:add_polygon { 1, 2, 3, 4 } end,
    "points[3] " .. COORDINATE .. ", got nan", function() walls:add_polygon { 1, 2, NAN, 4, 5, 6 } end,
    "points[6] " .. COORDINATE .. ", got '6'", function() walls:add_polygon { 1, 2, 3, 4, 5, "6" } end,
    "points[1] " .. COORDINATE .. ", got a table", function() walls:add_polygon { {}, {}, {}, {}, {}, {} } end,
    "points[4] " .. COORDINATE .. ", got -inf", function() walls:add_polygon { 1, 2, 3, -HUGE, 5, 6 } end,
  }

  it("adds nothing where it raises", function()
    pcall(walls.add_polygon, walls, { -9, -9, 9, -9, 9, "9" })
    pcall(walls.add_circle, walls, 0, 0, -1)
    pcall(walls.add_segment, walls, 0, 0, 1)
    assert.equal(1, walls:count())
    assert.equal(true, walls:clear(0, -9, 0, 9))
  end)
end)

describe("walls:remove", function()
  before_each(fixture)

  all {
    "id: there is no wall 0", function() walls:remove(0) end,
    "id: there is no wall 2", function() walls:remove(2) end,
    "id: there is no wall 4294967297", function() walls:remove(4294967297) end,
  }

  it("removes nothing where it raises", function()
    pcall(walls.remove, walls, 2)
    assert.equal(1, walls:count())
    assert.equal(false, walls:clear(0, 0, 9, 0))
  end)
end)

describe("walls:has", function()
  before_each(fixture)

  all {
    "id must be a wall (its id), got nil", function() walls:has() end,
    "id must be a wall (its id), got '1'", function() walls:has("1") end,
  }

  it("is false for other numbers", function()
    for _, id in ipairs { 0, -1, 1.5, NAN, HUGE, 2 ^ 53, 2 ^ 32 + 1 } do assert.equal(false, walls:has(id)) end
  end)
end)
