-- SPDX-License-Identifier: MIT
local helper = require "spec.support.helper"
local wend = require "wend"
local curve = require "wend.move.curve".curve
local follow = require "wend.move.follow".follow

local KINDS = { "linear", "hermite", "catmull_rom" }
local pi = math.pi
local unpack = table.unpack or unpack -- luacheck: ignore 143
local atan2 = math.atan2 or math.atan -- luacheck: ignore 143

---The difference of two angles, 0 to pi.
local function turned(a, b) return math.abs((a - b + pi) % (2 * pi) - pi) end

---Where one is after a way along a list, found the slow way.
local function along(points, dimensions, way)
  local i = 1
  while i + dimensions <= #points do
    local from, to = {}, {}
    for axis = 0, dimensions - 1 do
      from[axis + 1], to[axis + 1] = points[i + axis], points[i + dimensions + axis]
    end
    local length = helper.length(from, to)
    if way < length then
      for axis = 1, dimensions do from[axis] = from[axis] + (to[axis] - from[axis]) * way / length end
      return from
    end
    way = way - length
    i = i + dimensions
  end
  local last = {}
  for axis = 1, dimensions do last[axis] = points[#points - dimensions + axis] end
  return last
end

local function length_of(points, dimensions)
  local sum = 0
  for i = 1, #points - dimensions, dimensions do
    local squares = 0
    for axis = 0, dimensions - 1 do
      squares = squares + (points[i + dimensions + axis] - points[i + axis]) ^ 2
    end
    sum = sum + math.sqrt(squares)
  end
  return sum
end

---A row of nodes, 10 from one to the next, and the tags of its edges.
local function street(...)
  local g = wend.graph()
  g:add_node(0, 0)
  for i, tag in ipairs { ... } do g:add_edge(i, g:add_node(10 * i, 0), { tag = tag }) end
  return g
end

describe("wend.follow", function()
  it("walks along the points and stops at the end", function()
    local f = follow({ 0, 0, 10, 0, 10, 10 }, { speed = 5 })
    assert.same({ 0, 0, 0, 1, false }, { f.x, f.y, f.heading, f.leg, f.done })
    assert.equal(20, f:remaining())
    assert.same({ 5, 0 }, { f:update(1) })
    assert.same({ 5, 0, 0, 1, false }, { f.x, f.y, f.heading, f.leg, f.done })
    assert.same({ 10, 5 }, { f:update(2) })
    assert.near(pi / 2, f.heading, 1e-15)
    assert.same({ 2, false, 5 }, { f.leg, f.done, f:remaining() })
    assert.same({ 10, 10 }, { f:update(1) })
    assert.same({ 2, true, 0 }, { f.leg, f.done, f:remaining() })
    assert.near(pi / 2, f.heading, 1e-15)
    assert.same({ 10, 10 }, { f:update(100) })
    assert.equal(2, select("#", f:update(1)))
  end)

  it("walks a unit a second where nothing is said", function()
    local f = follow { 0, 0, 10, 0 }
    assert.equal(1, f.speed)
    assert.equal(2.5, (f:update(2.5)))
  end)

  it("does not care how time is cut", function()
    helper.rounds("steps", 80, function(rng)
      local dimensions, kind, loop = rng(2, 3), rng:pick(KINDS), rng:chance(0.3)
      local points = helper.random_points(rng, rng(1, 10), dimensions)
      local opts = { curve = kind, loop = loop, dimensions = dimensions, speed = rng() * 30 }
      local a, b = follow(points, opts), follow(points, opts)
      local total = 0
      for _ = 1, rng(1, 30) do
        local dt, count = rng() * rng:pick { 0.01, 0.3, 5 }, rng(1, 100)
        a:update(dt)
        for _ = 1, count do b:update(dt / count) end
        total = total + dt
        if rng:chance(0.1) then
          a.speed = rng() * 30
          b.speed = a.speed
        end
        local d = math.abs(a.x - b.x) + math.abs(a.y - b.y) + math.abs((a.z or 0) - (b.z or 0))
        assert.is_true(d < 1e-8, ("%s, %g"):format(kind, d))
        assert.equal(a.done, b.done)
        assert.near(a:remaining() < math.huge and a:remaining() or 0, b:remaining() < math.huge and b:remaining() or 0,
          1e-8)
      end
    end)
  end)

  it("arrives after as many small steps as the way takes", function()
    for _, case in ipairs { { 10, 1, 0.1, 100 }, { 7, 0.7, 1, 10 }, { 1, 0.1, 0.1, 100 }, { 100, 0.1, 0.01, 100000 },
      { 3, 1, 1 / 60, 180 }, { 1e6, 1e5, 0.001, 10000 }, { 0.3, 0.1, 1, 3 } } do
      local f = follow({ 0, 0, case[1] / 3, 0, case[1], 0 }, { speed = case[2] })
      for _ = 1, case[4] - 1 do f:update(case[3]) end
      assert.is_false(f.done)
      f:update(case[3])
      assert.same({ true, case[1], 0 }, { f.done, f.x, f:remaining() })
    end
  end)

  it("is where a slow reckoning says", function()
    helper.rounds("reckoning", 60, function(rng)
      local dimensions, kind = rng(2, 3), rng:pick(KINDS)
      local points = helper.random_points(rng, rng(2, 9), dimensions)
      if rng:chance(0.5) then      -- points that are there twice
        for axis = 1, dimensions do points[#points + 1] = points[#points - dimensions + 1] or axis end
      end
      local f = follow(points, { curve = kind, dimensions = dimensions, speed = 7 })
      local line = kind == "linear" and points or curve(points, { curve = kind, dimensions = dimensions })
      assert.equal(table.concat(points, " "), table.concat(f.points, " "))
      assert.equal(table.concat(line, " "), table.concat(f:line(), " "))
      assert.near(length_of(line, dimensions), f:remaining(), 1e-9)
      local way, whole, worst = 0, f:remaining(), 0
      while not f.done do
        local dt = rng() * rng:pick { 0.1, 1, 4 }
        f:update(dt)
        way = way + 7 * dt
        local off = helper.length(along(line, dimensions, way), { f.x, f.y, f.z })
        worst = math.max(worst, off, math.abs(f:remaining() - math.max(0, whole - way)))
      end
      assert.is_true(worst < 1e-8)
      assert.is_true(way >= whole - 1e-9)
      assert.equal(points[#points], f.z or f.y)
    end)
  end)

  it("tells the leg, over several in one step and over those without length", function()
    local f = follow { 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 1 }
    assert.equal(2, f.leg)
    f:update(0.5)
    assert.equal(2, f.leg)
    f:update(0.5)
    assert.equal(4, f.leg)
    assert.near(pi / 2, f.heading, 1e-12)
    f:update(1.5)
    assert.equal(5, f.leg)
    f:update(1)
    assert.same({ 6, true, 0 }, { f.leg, f.done, f.heading })
    for _, kind in ipairs(KINDS) do
      local far = follow({ 0, 0, 10, 0, 10, 10, 20, 10 }, { curve = kind })
      far:update(far:remaining() * 0.99)
      assert.equal(3, far.leg)
    end
  end)

  it("heads where it walks", function()
    local f = follow { 0, 0, -1, 0, -1, -1, 0, -1 }
    assert.near(pi, f.heading, 1e-15)
    f:update(1.5)
    assert.near(-pi / 2, f.heading, 1e-15)
    helper.rounds("heading", 30, function(rng)
      local points, way = {}, rng() * 6       -- without sharp turns
      for i = 1, 5 do
        points[2 * i - 1] = (points[2 * i - 3] or 0) + math.cos(way) * (5 + rng() * 10)
        points[2 * i] = (points[2 * i - 2] or 0) + math.sin(way) * (5 + rng() * 10)
        way = way + rng() * 1.4 - 0.7
      end
      local walker = follow(points, { curve = rng:pick { "hermite", "catmull_rom" }, speed = 10 })
      local most, widest = 0, 0
      while true do
        local x, y = walker.x, walker.y
        walker:update(0.005)
        if walker.done then break end
        most = math.max(most, turned(atan2(walker.y - y, walker.x - x), walker.heading))
        widest = math.max(widest, math.abs(walker.heading))
      end
      assert.is_true(most < 0.2 and widest <= pi)
    end)
  end)

  it("turns evenly on a curve", function()
    local f = follow({ 0, 0, 10, 0, 10, 10, 0, 10 }, { curve = "catmull_rom", loop = true })
    local before, most = f.heading, 0
    for _ = 1, 6000 do
      f:update(0.01)
      most = math.max(most, turned(before, f.heading))
      before = f.heading
    end
    assert.is_true(most < 0.005)
  end)

  it("keeps its heading straight up and down", function()
    local f = follow { 0, 0, 0, 0, 5, 0, 0, 5, 9, 3, 5, 9, dimensions = 3 }
    assert.same({ 0, 0, 0 }, { f:update(0) })
    f:update(6)
    f:update(5)
    assert.same({ 0, 5, 6 }, { f.x, f.y, f.z })
    assert.near(pi / 2, f.heading, 1e-15)
    f:update(4)
    assert.same({ 1, 5, 9, 0, 3 }, { f.x, f.y, f.z, f.heading, f.leg })
    assert.equal(3, select("#", f:update(1)))
    local up = follow({ 0, 0, 0, 0, 0, 5, -5, 0, 5 }, { dimensions = 3, curve = "hermite" })
    assert.is_true(up.heading == up.heading)
  end)

  it("is done at once where all points are the same", function()
    for _, loop in ipairs { false, true } do
      for _, kind in ipairs(KINDS) do
        for count = 1, 3 do
          local points = {}
          for i = 1, count do points[2 * i - 1], points[2 * i] = 3, 4 end
          local f = follow(points, { loop = loop, curve = kind })
          assert.same({ true, 3, 4, 0, 0 }, { f.done, f.x, f.y, f.heading, f:remaining() })
          assert.equal(loop and count > 1 and count or count - 1, f.leg)
          assert.same({ 3, 4 }, { f:update(1e300) })
        end
      end
    end
  end)

  it("goes round", function()
    local f = follow({ 0, 0, 10, 0, 10, 10, 0, 10 }, { loop = true, speed = 2 })
    assert.equal(math.huge, f:remaining())
    f:update(17.5)
    assert.same({ 0, 5, 4, false }, { f.x, f.y, f.leg, f.done })
    f:update(2.5)
    assert.same({ 0, 0, 1 }, { f.x, f.y, f.leg })
    f:update(1001)
    assert.same({ 2, 0, 1 }, { f.x, f.y, f.leg })
    for _, kind in ipairs(KINDS) do
      local huge = follow({ 0, 0, 10, 0, 10, 10, 0, 10 }, { loop = true, speed = 1e300, curve = kind })
      for _, dt in ipairs { 1, 1e-300, 1e300, 0, 1e8, 1e-299 } do
        huge:update(dt)
        assert.is_true(huge.x >= -2 and huge.x <= 12 and huge.y >= -2 and huge.y <= 12 and not huge.done)
      end
    end
    -- A loop that the script has closed itself.
    local closed = follow({ 0, 0, 10, 0, 0, 0 }, { loop = true })
    closed:update(25)
    assert.same({ 5, 0, 1, 0 }, { closed.x, closed.y, closed.leg, closed.heading })
  end)

  it("walks many laps as one", function()
    helper.rounds("laps", 30, function(rng)
      local points = helper.random_points(rng, rng(2, 6), 2)
      local f = follow(points, { loop = true, curve = rng:pick(KINDS) })
      local line = f:line()
      local lap = length_of(line, 2)
      local way = 0
      for _ = 1, 50 do
        local dt = rng() * lap * rng:pick { 0.1, 1, 5 }
        f:update(dt)
        way = way + dt
        local at = along(line, 2, way % lap)
        assert.near(0, helper.length(at, { f.x, f.y }), 1e-7)
      end
    end)
  end)

  it("walks as fast as it is told, also on the way", function()
    local f = follow({ 0, 0, 100, 0 }, { speed = 0 })
    assert.equal(0, (f:update(5)))
    f.speed = 2
    assert.equal(10, (f:update(5)))
    f.speed = 0
    assert.equal(10, (f:update(1e300)))
    f.speed = 1e300
    assert.equal(100, (f:update(1e300)))
    assert.is_true(f.done)
    for text, speed in pairs { ["-1"] = -1, nan = 0 / 0, [tostring(math.huge)] = math.huge, ["'fast'"] = "fast",
      ["true"] = true, ["false"] = false } do
      f = follow { 0, 0, 100, 0 }
      f.speed = speed
      helper.raises("speed must be a finite number >= 0, got " .. text, f.update, f, 1)
      helper.raises("speed must be a finite number >= 0, got " .. text, f.update, f, 1)
      assert.equal(0, f.x)
      f.speed = 3
      assert.equal(3, (f:update(1)))
      f.speed = nil
      helper.raises("speed must be a finite number >= 0, got nil", f.update, f, 1)
    end
  end)

  it("goes along a path, and a route", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 0, 0, 0, 10, 0, 0, 10, 10, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local f = follow(g:path(1, 3), { speed = 15 })
    assert.same({ 10, 5, 0 }, { f:update(1) })
    f = follow(wend.grid(3, 1):path(1, 1, 3, 1))
    assert.same({ 1.5, 0.5 }, { f:update(1) })
    f = follow { 0, 0, 0, 0, 0, 9, dimensions = 3, cost = 9 }
    assert.same({ 0, 0, 1 }, { f:update(1) })
  end)

  it("stays straight where the curve is not clear", function()
    local wall = wend.walls()
    wall:add_segment(10.3, -50, 10.3, 50)
    local f = follow({ 0, 0, 10, 0, 10, 10 }, { curve = "hermite", clear = wall })
    local free = follow({ 0, 0, 10, 0, 10, 10 }, { curve = "hermite" })
    assert.is_true(free:remaining() > f:remaining())
    while not f.done do
      f:update(0.01)
      assert.is_true(f.x < 10.3)
    end
    local ok, problem = pcall(follow, { 0, 0, 1, 1 }, { curve = "hermite", clear = function() error("mist", 0) end })
    assert.same({ false, "mist" }, { ok, problem })
    assert.is_table(follow({ 0, 0, 1, 1 }, { clear = function() error "never asked about straight legs" end }))
  end)

  it("says what is wrong", function()
    local f = follow { 0, 0, 1, 0 }
    local nan = 0 / 0
    assert.same({ 0, 0, false }, { f.x, f.y, f.done })
    helper.raises("points must be a list of numbers, a path or a route, got an empty list", follow, {})
    helper.raises("points must hold 2 numbers per item, got 3 numbers", follow, { 1, 2, 3 })
    helper.raises("points[4] must be a finite number (up to 1e150), got nan", follow, { 1, 2, 3, nan })
    helper.raises("unknown option 'sped' (expected one of: speed, curve, clear, clearance, loop, dimensions, spacing, "
      .. "stops, speeds, links, on_point)", follow, { 1, 2 }, { sped = 1 })
  end)
end)

describe("follower:go", function()
  it("goes on from where it is", function()
    local f = follow({ 0, 0, 10, 0 }, { speed = 5 })
    f:update(1)
    assert.equal(f, f:go { 5, 5, 10, 5 })
    assert.same({ 5, 0, 0, false, 5 }, { f.x, f.y, f.leg, f.done, f.speed })
    assert.near(pi / 2, f.heading, 1e-15)
    assert.equal(10, f:remaining())
    assert.same({ 5, 5 }, { f:update(1) })
    assert.same({ 1, 0 }, { f.leg, f.heading })
    f:update(1)
    assert.same({ true, 1, 10, 5 }, { f.done, f.leg, f.x, f.y })
    f:go { 0, 5 }
    assert.same({ false, 0, 10, 5 }, { f.done, f.leg, f.x, f.y })
    f:update(2)
    assert.same({ true, 0, 0, 5 }, { f.done, f.leg, f.x, f.y })
    f:go { 0, 5 }
    assert.same({ true, 0, 0, 5 }, { f.done, f.leg, f.x, f.y })
  end)

  it("never jumps, nor turns at once on a curve", function()
    helper.rounds("go", 100, function(rng)
      local dimensions, kind, loop = rng(2, 3), rng:pick(KINDS), rng:chance(0.4)
      local f = follow(helper.random_points(rng, rng(2, 6), dimensions),
        { curve = kind, loop = loop, dimensions = dimensions, speed = 10 })
      for _ = 1, 10 do
        f:update(rng() * rng:pick { 0.1, 5, 20 })
        local x, y, z, heading = f.x, f.y, f.z, f.heading
        local points = helper.random_points(rng, rng(loop and 2 or 1, 6), dimensions)
        local here = not loop and rng:chance(0.2)     -- to where it stands, and on
        if here then
          for axis = dimensions, 1, -1 do table.insert(points, 1, ({ x, y, z })[axis]) end
        end
        f:go(points)
        assert.same({ x, y, z }, { f.x, f.y, f.z })
        assert.equal(here and 1 or 0, f.leg)
        if kind ~= "linear" then
          assert.near(0, turned(heading, f.heading), 1e-9)
          f:update(1e-9)
          assert.near(0, turned(heading, f.heading), 1e-4)
        end
        assert.near(0, helper.length({ x, y, z }, { f.x, f.y, f.z }), 1e-7)
        local line = f.points
        for axis = 1, dimensions do
          assert.equal(points[(loop and 0 or #points - dimensions) + axis], line[#line - dimensions + axis])
        end
      end
    end)
  end)

  it("does not turn toward a point that it stands on but for rounding", function()
    for _, kind in ipairs(KINDS) do
      local f = follow({ 0, 0, 100, 0 }, { curve = kind, speed = 0.1 })
      f:update(333)
      f:go { f.x - 1e-14, f.y, 100, 0 }
      assert.same({ 1, 0 }, { f.leg == 0 and 1 or f.leg, f.heading })
      f:update(1)
      assert.near(0, f.heading, 1e-9)
    end
  end)

  it("turns round within about the leg that it leaves", function()
    local f = follow({ 0, 0, 10, 0 }, { curve = "catmull_rom", speed = 1 })
    f:update(5)
    f:go { -1000, 0.1 }
    local most = 0
    while not f.done do
      f:update(0.5)
      most = math.max(most, f.x)
    end
    assert.is_true(most < 15)
  end)

  it("closes a loop over the new points alone", function()
    local f = follow({ 0, 0, 10, 0, 10, 10 }, { loop = true, speed = 1 })
    f:update(5)
    f:go { 5, 10, 15, 10, 15, 20, 5, 20 }
    assert.equal(math.huge, f:remaining())
    f:update(10)
    assert.same({ 5, 10, 1 }, { f.x, f.y, f.leg })
    f:update(35)
    assert.same({ 5, 15, 4 }, { f.x, f.y, f.leg })
    f:update(5 + 40 * 1000 + 5)
    assert.same({ 10, 10, 1, 0 }, { f.x, f.y, f.leg, f.heading })
    f:go { 10, 20, 10, 20 }         -- a loop without length is an end
    assert.equal(10, f:remaining())
    f:update(11)
    assert.same({ 10, 20, 2, true }, { f.x, f.y, f.leg, f.done })
    local g = follow({ 0, 0, 10, 0, 10, 10 }, { loop = true, curve = "catmull_rom", speed = 3 })
    g:update(4)
    g:go { 20, 20, 30, 20, 30, 30 }
    local before = g.heading
    local most = 0
    for _ = 1, 3000 do
      g:update(0.01)
      most = math.max(most, turned(before, g.heading))
      before = g.heading
    end
    assert.is_true(most < 0.1)
    assert.is_true(g.x > 15 and g.y > 15)
  end)

  it("keeps its head, wherever it is sent", function()
    helper.rounds("degenerate", 150, function(rng)
      local dimensions, loop, scale = rng(2, 3), rng:chance(0.4), rng:pick { 1e-140, 1e-9, 1, 1e9, 3e149 }
      -- Many points twice, many in line, there and back.
      local function points()
        local list = {}
        for i = 1, rng(1, 7) * dimensions do list[i] = rng:pick { 0, 0, 1, 2, -1, 1 + 1e-15, 1e-12 } * scale end
        return list
      end
      local f = follow(points(), { curve = rng:pick(KINDS), loop = loop, dimensions = dimensions, speed = scale })
      for _ = 1, 60 do
        local x, y, z = f.x, f.y, f.z
        if rng:chance(0.15) then
          f:go(points())
          assert.same({ x, y, z }, { f.x, f.y, f.z })
        else
          local before, dt = f:remaining(), rng:pick { 0, 1e-9, 0.01, 0.3, 1, 7, 1e9, 1e300 }
          f:update(dt)
          for axis, was in ipairs { x, y, z } do
            local is = ({ f.x, f.y, f.z })[axis]
            assert.is_true(math.abs(is) <= 5 * scale)
            if loop == false then assert.is_true(math.abs(is - was) <= (dt * 1.01 + 1e-9) * scale + 1e-300) end
          end
          assert.is_true(f:remaining() <= before and f:remaining() >= 0)
        end
        assert.is_true(f.heading >= -pi and f.heading <= pi)
        assert.is_true(f.leg >= 0 and f.leg <= 7)
        if f.done then assert.equal(0, f:remaining()) end
      end
    end)
  end)

  it("leaves the follower as it is where it fails", function()
    local raise = false
    local f = follow({ 0, 0, 10, 0, 10, 10 }, { curve = "hermite", clear = function()
      if raise then error("mist", 0) end
      return true
    end })
    f:update(3)
    local x, y, left, heading = f.x, f.y, f:remaining(), f.heading
    helper.raises("points must hold 2 numbers per item, got 1 numbers", f.go, f, { 1 })
    helper.raises("points must have 2 dimensions, got 3", f.go, f, { 1, 2, 3, dimensions = 3 })
    raise = true
    helper.raises("mist", f.go, f, { 5, 5, 6, 6 })
    assert.same({ x, y, left, heading, 1, false }, { f.x, f.y, f:remaining(), f.heading, f.leg, f.done })
    raise = false
    f:update(left)
    assert.is_true(f.done)
  end)

  it("does not look at the list again", function()
    local points = { 0, 0, 10, 0 }
    local f = follow(points)
    points[3] = "gone"
    f:update(20)
    assert.same({ 10, 0 }, { f.x, f.y })
  end)
end)

describe("a follower's leg", function()
  local function town()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0, 20, 10 }
    g:add_edge(1, 2, { tag = "street" })
    g:add_edge(2, 3, { tag = "ladder" })
    g:add_edge(3, 4)
    return g
  end

  it("has the edge, the tag and the node of a path over a graph", function()
    local g = town()
    local f = wend.follow(g:path(1, 4), { speed = 1 })
    assert.same({ 1, "street", 1 }, { f.edge, f.tag, f.node })
    f:update(15)
    assert.same({ 2, "ladder", 2 }, { f.edge, f.tag, f.node })
    f:update(10)
    assert.same({ 3, nil, 3 }, { f.edge, f.tag, f.node })
    f:update(10)
    assert.same({ true, 3, nil, 4 }, { f.done, f.edge, f.tag, f.node })
  end)

  it("has those of a route: nodes where the route passes them, and no edge off the edges", function()
    local g = town()
    local route = { -5, 0, 0, 0, 10, 0, 20, 0, 21, 1, map = g, edges = { false, 1, 2, false }, nodes = { 1, 2, 3 } }
    local f = wend.follow(route, { speed = 1, curve = "catmull_rom" })
    assert.same({ nil, nil, nil }, { f.edge, f.tag, f.node })
    f:update(6)
    assert.same({ 1, "street", 1 }, { f.edge, f.tag, f.node })
    f:update(12)
    assert.same({ 2, "ladder", 2 }, { f.edge, f.tag, f.node })
    f:update(100)
    assert.same({ nil, nil, 3 }, { f.edge, f.tag, f.node })
  end)

  it("is unknown on a list of points", function()
    local f = wend.follow { 0, 0, 9, 0 }
    assert.same({ nil, nil, nil, nil, false }, { f.edge, f.tag, f.node, f.waiting, f.paused })
  end)

  it("does not look at the path, and outlives its edges and its map", function()
    local g = town()
    local path = g:path(1, 4)
    local f = wend.follow(path, { speed = 1, stops = { "ladder" }, speeds = { street = 0.5 } })
    for i = #path, 1, -1 do path[i] = nil end
    path.map, path.trail = nil, nil
    f:update(2)
    assert.same({ 1, 1, "street", 1 }, { f.x, f.edge, f.tag, f.node })
    g:remove_edge(1)
    g:remove_edge(2)
    assert.same({ 1, nil, 1 }, { f.edge, f.tag, f.node })
    f:update(2)
    assert.equal(3, f.x)
    debug.getmetatable(g).__gc(g)
    assert.is_nil(f.tag)
    f:update(100)
    assert.same({ true, 20, 10 }, { f.done, f.x, f.y })
    local grid = wend.grid(4, 1):set(2, 1, "swamp")
    f = wend.follow(grid:path(1, 1, 4, 1), { speeds = { swamp = 0.5 } })
    debug.getmetatable(grid).__gc(grid)
    assert.is_nil(f.tag)
    f:update(1.5)
    assert.equal(2, f.x)
  end)

  it("has the tag of the cell under it on a grid, also on a straightened path", function()
    local grid = wend.parse_grid({ "..~~.", "....." }, { ["~"] = { weight = 1, tag = "swamp" } }, { cell = 10 })
    local path = grid:straighten(grid:path(1, 1, 5, 1))
    assert.equal(2, #path / 2)
    local f = wend.follow(path, { speed = 10 })
    local seen = {}
    repeat
      seen[#seen + 1] = f.tag or "."
      f:update(1)
    until f.done
    assert.same({ ".", ".", "swamp", "swamp" }, seen)
    assert.same({ nil, nil }, { f.edge, f.node })
    f:go { 1000, 1000 }
    f:update(1000)
    assert.is_nil(f.tag)
  end)
end)

describe("a link of a grid", function()
  local function cave()
    local grid = wend.parse_grid { "..#..", "..#.." }
    return grid:link(2, 1, 4, 1, { weight = 1, tag = "teleporter" })
  end

  it("is a jump", function()
    local grid = cave()
    for _, kind in ipairs(KINDS) do
      local path = grid:path(1, 1, 5, 1)
      local f = wend.follow(path, { speed = 1, curve = kind })
      assert.equal(2, f:remaining())
      f:update(0.75)
      assert.same({ 1.25, 0.5, 1 }, { f.x, f.y, f.leg })
      f:update(0.5)
      assert.same({ 3.75, 0.5, 3 }, { f.x, f.y, f.leg })
      assert.equal(0.75, f:remaining())
      f:update(10)
      assert.same({ 4.5, 0.5, true }, { f.x, f.y, f.done })
    end
  end)

  it("breaks the curve", function()
    local grid = wend.parse_grid { ".#...", ".#...", "..#.." }
    grid:link(2, 3, 4, 3, { weight = 0.1 })
    local path = grid:path(1, 1, 5, 1)
    local line = wend.curve(path)
    local f = wend.follow(path, { curve = "catmull_rom" })
    assert.equal(table.concat(line, " "), table.concat(f:line(), " "))
    local jumps, x = 0, f.x
    while not f.done do
      f:update(0.01)
      if math.abs(f.x - x) > 1 then jumps = jumps + 1 end
      x = f.x
    end
    assert.equal(1, jumps)
  end)

  it("is one between neighbours too where it is cheaper than the step, or a wall is between them", function()
    for _, case in ipairs { { 0.5, false, 1 }, { 2, false, 2 }, { 2, true, 1 } } do
      local grid = wend.grid(3, 1, { diagonals = "never" })
      grid:link(1, 1, 2, 1, { weight = case[1] })
      if case[2] then grid:wall(1, 1, 2, 1) end
      assert.equal(case[3], wend.follow(grid:path(1, 1, 3, 1)):remaining())
    end
  end)

  it("is one on a straightened path, unless walking is as cheap", function()
    local grid = wend.parse_grid { "......", "######", "......" }
    grid:link(6, 1, 1, 3, { weight = 1 })
    local path = grid:straighten(grid:path(1, 1, 6, 3))
    assert.equal(4, #path / 2)
    assert.equal(10, wend.follow(path):remaining())
    local open = wend.grid(6, 1)
    path = open:straighten(open:path(1, 1, 6, 1))
    open:link(1, 1, 6, 1, { weight = 9 })
    assert.equal(5, wend.follow(path):remaining())
  end)

  it("is forgotten with the points that it belongs to", function()
    local f = wend.follow({ 0, 0, 10, 0, 20, 0, 30, 0, links = { [2] = true } }, { curve = "catmull_rom" })
    for _ = 1, 3 do f:go { 0, 0, 10, 0 } end        -- each second call reuses the memory of the first track
    f:go { 0, 0, 10, 0, 20, 0, 20, 10, links = { true } }
    assert.is_true(#f:line() > 30)                        -- leg 2 is curved: no link is beside it
  end)

  it("can be told by the field links of a list", function()
    local f = wend.follow { 0, 0, 10, 0, 50, 0, 60, 0, links = { [2] = true } }
    assert.equal(20, f:remaining())
    assert.same({ 55, 0 }, { f:update(15) })
  end)

  it("has its tag while the follower waits there", function()
    local grid = cave()
    local f = wend.follow(grid:path(1, 1, 5, 1), { stops = { "teleporter" } })
    f:update(5)
    assert.same({ 1.5, 0.5, 2, "teleporter", "teleporter" }, { f.x, f.y, f.leg, f.waiting, f.tag })
    f:resume():update(0.25)
    assert.same({ 3.75, 0.5, 3 }, { f.x, f.y, f.leg })
  end)

  --- Cells of width 10, and a link over 3 of them with the weight 6.
  local function loft()
    local grid = wend.parse_grid({ "..#..", "..#.." }, nil, { cell = 10, origin = { 100, 0 } })
    return grid:link(2, 1, 4, 1, { weight = 6, tag = "stairs" })
  end

  it("takes the time that it costs, that of the straight way, or none", function()
    for _, kind in ipairs(KINDS) do
      for links, length in pairs { cost = 60, walk = 20, jump = 0 } do
        local f = wend.follow(loft():path(1, 1, 5, 1), { speed = 5, curve = kind, links = links })
        assert.equal(20 + length, f:remaining())
        f:update(2)
        assert.equal(length > 0 and 115 or 135, f.x)
        f:update(length / 10)
        if length > 0 then assert.same({ 125, 5, 2, "stairs" }, { f.x, f.y, f.leg, f.tag }) end
        f:update(length / 10 + 1)
        assert.same({ 140, 5, 3, 5 }, { f.x, f.y, f.leg, f:remaining() })
        f:update(1)
        assert.same({ 145, true }, { f.x, f.done })
      end
    end
  end)

  it("takes as long for a follower as for a walker with the same costs", function()
    local grid = loft()
    local costs = wend.costs { stairs = function(agent) return agent.slow end }
    local agent = { slow = 1.5 }
    local path = grid:path(1, 1, 5, 1, { costs = costs, agent = agent })
    local f = wend.follow({ 105, 5 }, { links = "cost" }):go(path)
    assert.equal(20 + 90, f:remaining())
    agent.slow = 2
    assert.equal(20 + 90, f:remaining())                  -- it is read when the points are given
    assert.equal(20 + 120, f:go(path, { join = true }):remaining())
    costs = wend.costs { stairs = function() error("no stairs", 0) end }
    path = grid:path(1, 1, 2, 1)
    rawset(path, "costs", costs)
    assert.is_false((pcall(f.go, f, path)))
    assert.equal(20 + 120, f:remaining())
  end)

  it("is walked over where the map has no such link, or the points have no map", function()
    local grid = loft()
    local path = grid:path(1, 1, 5, 1)
    grid:unlink(2, 1, 4, 1)
    assert.equal(40, wend.follow(path, { links = "walk" }):remaining())
    local list = { 105, 5, 115, 5, 135, 5, links = { false, true } }
    assert.equal(30, wend.follow(list, { links = "cost" }):remaining())
    list.map = loft()
    assert.equal(70, wend.follow(list, { links = "cost" }):remaining())
    assert.equal(10, wend.follow(list):remaining())
  end)

  it("has no ground that slows, and may stop a follower", function()
    local grid = loft():fill(1, 1, 5, 2, 1, "mud"):close(3, 1, 3, 2)
    local options = { speed = 5, links = "cost", speeds = { mud = 0.5 }, stops = { "stairs" } }
    local f = wend.follow(grid:path(1, 1, 5, 1), options)
    f:update(100)
    assert.same({ 115, "stairs" }, { f.x, f.waiting })
    f:resume():update(6)
    assert.same({ 125, "stairs", nil }, { f.x, f.tag, f.waiting })
    f:update(6 + 2)
    assert.same({ 140, "mud" }, { f.x, f.tag })
    f = wend.follow(grid:path(1, 1, 5, 1), options)
    f:update(100)
    assert.same({ 10, 135 }, { f:resume(135, 5):remaining(), f.x })
  end)

  it("is crossed on by a follower that was saved there", function()
    for _, kind in ipairs(KINDS) do
      for _, links in ipairs { "cost", "walk" } do
        local grid = loft()
        local f = wend.follow(grid:path(1, 1, 5, 1), { speed = 5, curve = kind, links = links })
        f:update(3.3)
        local h = assert(wend.decode(f:encode(), { map = grid }))
        for _ = 1, 40 do
          assert.same({ f:update(0.37) }, { h:update(0.37) })
          assert.equal(f:encode(), h:encode())
        end
        h:go(grid:path(1, 1, 5, 1))
        assert.equal(links == "cost" and 120 or 80, h:remaining())       -- the way back to the beginning is 40
      end
    end
  end)

  it("is crossed in one of three ways", function()
    for links, got in pairs { fly = "'fly'", [1] = "1", [false] = "false" } do
      helper.raises("links must be 'cost', 'jump' or 'walk', got " .. got, wend.follow, { 0, 0 }, { links = links })
    end
  end)
end)

describe("the option stops", function()
  local function ladder(options)
    options.stops = { "ladder" }
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 10, 50, 20, 50 }
    g:add_edge(1, 2)
    g:add_edge(2, 3, { tag = "ladder" })
    g:add_edge(3, 4)
    return wend.follow(g:path(1, 4), options), g
  end

  it("waits where such a leg begins, until f:resume", function()
    for _, kind in ipairs(KINDS) do
      local f = ladder { curve = kind, speed = 1 }
      for _ = 1, 300 do f:update(0.1) end
      assert.same({ 10, 0, 2, "ladder", false }, { f.x, f.y, f.leg, f.waiting, f.done })
      assert.equal(f, f:resume())
      assert.is_nil(f.waiting)
      f:update(1)
      assert.is_true(f.y > 0)
      f:update(1000)
      assert.same({ 20, 50, true }, { f.x, f.y, f.done })
    end
  end)

  it("goes on from a position: the script has moved it over the leg", function()
    for _, kind in ipairs(KINDS) do
      for _, position in ipairs { { 12, 50 }, { { 12, 50 } }, { { x = 12, y = 50 } } } do
        local passed = {}
        local f = ladder { curve = kind, speed = 1, on_point = function(_, i) passed[#passed + 1] = i end }
        f:update(100)
        f:resume(unpack(position))
        assert.same({ 12, 50, nil }, { f.x, f.y, f.waiting })
        f:update(3)
        assert.same({ 3, 2, 3 }, { f.leg, #passed, passed[2] })
        assert.near(15, f.x, kind == "linear" and 1e-9 or 1)
        assert.near(5, f:remaining(), kind == "linear" and 1e-9 or 1)
        f:update(100)
        assert.same({ 20, 50, true }, { f.x, f.y, f.done })
      end
    end
  end)

  it("ends on a position where the leg is the last", function()
    local g = street "ladder"
    for _, kind in ipairs(KINDS) do
      local f = wend.follow(g:path(1, 2), { stops = { "ladder" }, curve = kind })
      f:update(0)
      assert.equal("ladder", f.waiting)
      f:resume(11, 2)
      f:update(0)
      assert.same({ 11, 2, true, 0 }, { f.x, f.y, f.done, f:remaining() })
    end
  end)

  it("waits again in each lap", function()
    local g = street "ladder"
    for _, kind in ipairs(KINDS) do
      local f = wend.follow(g:path(1, 2), { stops = { "ladder" }, loop = true, curve = kind })
      for _ = 1, 3 do
        f:update(100)
        assert.same({ 0, 0, "ladder" }, { f.x, f.y, f.waiting })
        f:resume(10, 0)
        f:update(4)
        assert.near(6, f.x, 1e-9)
      end
    end
  end)

  it("is left by go", function()
    local f = ladder {}
    f:update(100)
    f:go { 10, 5 }
    assert.is_nil(f.waiting)
    assert.same({ 10, 5 }, { f:update(100) })
  end)
end)

describe("follower:pause", function()
  it("stops anywhere, until f:resume", function()
    for _, kind in ipairs(KINDS) do
      local f = wend.follow({ 0, 0, 10, 0, 10, 10 }, { curve = kind })
      f:update(3)
      local x, y = f.x, f.y
      assert.equal(f, f:pause())
      assert.is_true(f.paused)
      assert.same({ x, y }, { f:update(3) })
      f:resume()
      assert.is_false(f.paused)
      f:update(0.5)
      assert.near(0.5, helper.length({ x, y }, { f.x, f.y }), 1e-3)
    end
  end)

  it("is another thing than a stop: resume ends the pause first", function()
    local g = street "ladder"
    local f = wend.follow(g:path(1, 2), { stops = { "ladder" } })
    f:update(1)
    f:pause():resume()
    assert.same({ "ladder", false }, { f.waiting, f.paused })
    f:pause():resume(10, 0)
    assert.same({ nil, true }, { f.waiting, f.paused })
    f:update(1)
    assert.is_false(f.done)
    f:resume():update(1)
    assert.is_true(f.done)
  end)
end)

describe("the option on_point", function()
  it("runs at each point, once, with the follower on it", function()
    helper.rounds("on_point", 60, function(rng)
      local dimensions, kind = rng(2, 3), rng:pick(KINDS)
      local points = helper.random_points(rng, rng(2, 9), dimensions)
      if rng:chance(0.3) then
        for axis = 1, dimensions do points[#points + 1] = points[#points - dimensions + 1] or axis end
      end
      local passed = {}
      local f = wend.follow(points, { curve = kind, dimensions = dimensions, speed = 7, on_point = function(f, i)
        passed[#passed + 1] = i
        for axis = 1, dimensions do
          assert.equal(points[(i - 1) * dimensions + axis], ({ f.x, f.y, f.z })[axis])
        end
      end })
      local steps = rng:pick { 0.01, 1, 1000 }
      while not f.done do f:update(rng() * steps) end
      for i = 1, #points / dimensions - 1 do assert.equal(i + 1, passed[i]) end
      assert.equal(#points / dimensions - 1, #passed)
    end)
  end)

  it("may be assigned and taken away at any time", function()
    helper.rounds("assigned", 60, function(rng)
      local kind, loop = rng:pick(KINDS), rng:chance(0.3)
      local points, all, some = helper.random_points(rng, rng(2, 9), 2), {}, {}
      local a = wend.follow(points, { curve = kind, loop = loop, speed = 9,
        on_point = function(_, i) all[#all + 1] = i end })
      local b = wend.follow(points, { curve = kind, loop = loop, speed = 9 })
      for _ = 1, 60 do
        local dt = rng() * rng:pick { 0.1, 1, 5 }
        if rng:chance(0.5) then
          b.on_point = not b.on_point and function(_, i) some[#some + 1] = i end or nil
        end
        if rng:chance(0.1) then
          local turning = { a.x + rng(), a.y, a.x, a.y + 3 }
          a:go(turning)
          b:go(turning)
        end
        all, some = {}, {}
        a:update(dt)
        b:update(dt)
        assert.near(0, helper.length({ a.x, a.y }, { b.x, b.y }), 1e-7)
        assert.same({ a.leg, a.done }, { b.leg, b.done })
        assert.same(b.on_point and all or {}, some)
        local copy = wend.decode(b:encode(), { on_point = b.on_point })
        assert.same({ b.x, b.y, b.on_point }, { copy.x, copy.y, copy.on_point })
        -- They turn back on the spot, and rounding decides which way round. After the next `go` their curves would
        -- differ.
        if turned(a.heading, b.heading) > 1e-6 then return end
      end
    end)
  end)

  it("may take itself away, and put another one in its place", function()
    local passed = {}
    local f = wend.follow({ 0, 0, 1, 0, 2, 0, 3, 0, 4, 0 }, { speed = 10 })
    f.on_point = function(it, i)
      passed[#passed + 1] = i
      it.on_point = function(_, k)
        passed[#passed + 1] = 10 * k
        it.on_point = nil
      end
    end
    f:update(9)
    assert.same({ 2, 30 }, passed)
    assert.same({ true, 4 }, { f.done, f.x })
  end)

  it("gives point 1 in each lap of a loop; whole laps after the first in one call are left out", function()
    for _, kind in ipairs(KINDS) do
      local passed = {}
      local f = wend.follow({ 0, 0, 10, 0, 10, 10 }, { loop = true, speed = 10, curve = kind,
        on_point = function(_, i) passed[#passed + 1] = i end })
      while #passed < 6 do f:update(0.1) end
      assert.same({ 2, 3, 1, 2, 3, 1 }, passed)
      local plain = wend.follow({ 0, 0, 10, 0, 10, 10 }, { loop = true, speed = 10, curve = kind })
      f = wend.follow({ 0, 0, 10, 0, 10, 10 }, { loop = true, speed = 10, curve = kind, on_point = function() end })
      plain:update(12345.678)
      f:update(12345.678)
      assert.near(0, helper.length({ plain.x, plain.y }, { f.x, f.y }), 1e-6)
      f.speed = 1e300
      f:update(1e300)
      assert.is_true(f.x >= -3 and f.x <= 13)
    end
  end)

  it("may raise: update raises its error, and the point is not announced again", function()
    local thing, passed = {}, {}
    local f = wend.follow({ 0, 0, 10, 0, 20, 0 }, { on_point = function(_, i)
      passed[#passed + 1] = i
      if i == 2 then error(thing) end
    end })
    local ok, problem = pcall(f.update, f, 15)
    assert.is_false(ok)
    assert.equal(thing, problem)
    assert.same({ 10, 0, 2 }, { f.x, f.y, f.leg })
    assert.same({ 15, 0 }, { f:update(5) })
    f:update(5)
    assert.same({ 2, 3 }, passed)
  end)

  it("may go elsewhere, pause, change the speed, edit or free the map; the rest of the time is walked on", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local function walker(act)
      return wend.follow(g:path(1, 3), { speed = 1, on_point = function(f, i) if i == 2 then act(f) end end })
    end
    local f = walker(function(it) it:go { 10, 100 } end)
    assert.same({ 10, 5 }, { f:update(15) })
    f = walker(function(it) it:pause() end)
    assert.same({ 10, 0 }, { f:update(15) })
    f:resume()
    assert.same({ 15, 0 }, { f:update(5) })
    f = walker(function(it) it.speed = 2 end)
    assert.same({ 16, 0 }, { f:update(13) })
    f = walker(function(it) it.speed = -1 end)
    helper.raises("speed must be a finite number >= 0, got -1", f.update, f, 15)
    f.speed = 1
    assert.same({ 15, 0 }, { f:update(5) })
    f = walker(function() g:remove_node(3) end)
    assert.same({ 15, 0 }, { f:update(15) })
    f = wend.follow({ 0, 0, 10, 0 }, { on_point = function(it) it:go { 0, 0, 10, 0 } end })
    for _ = 1, 10 do
      f:update(15)
      assert.is_false(f.done)
    end
    g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    f = walker(function() debug.getmetatable(g).__gc(g) end)
    assert.same({ 15, 0 }, { f:update(15) })
  end)

  it("cannot call update of its follower", function()
    local problem
    local f = wend.follow({ 0, 0, 10, 0, 20, 0 }, { on_point = function(f)
      problem = select(2, pcall(f.update, f, 1))
    end })
    assert.same({ 15, 0 }, { f:update(15) })
    assert.truthy(problem:find("on_point cannot call update of its follower", 1, true))
  end)

  it("may yield where Lua can yield across pcall", function()
    local f = wend.follow({ 0, 0, 10, 0, 20, 0 }, { on_point = function() coroutine.yield "there" end })
    local walk = coroutine.create(function() return f:update(15) end)
    local ok, what = coroutine.resume(walk)
    if not ok or what ~= "there" then
      assert.truthy(tostring(what):find "yield")
      assert.same({ 15, 0 }, { f:update(5) })
    else
      helper.raises("on_point cannot call update of its follower", f.update, f, 1)
      assert.same({ true, 15, 0 }, { coroutine.resume(walk) })
    end
  end)
end)

describe("the option speeds", function()
  it("is a factor by the tag of the edge", function()
    local g = street("swamp", "road")
    for _, kind in ipairs(KINDS) do
      local f = wend.follow(g:path(1, 3), { speeds = { swamp = 0.5, road = 2 }, curve = kind })
      f:update(10)
      assert.near(5, f.x, 1e-9)
      f:update(12)
      assert.near(14, f.x, 1e-9)
    end
  end)

  it("of 0 lets it stand until the tag changes", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edge(1, 2)
    local edge = g:add_edge(2, 3, { tag = "ice" })
    local f = wend.follow(g:path(1, 3), { speeds = { ice = 0 } })
    f:update(1e300)
    assert.same({ 10, 0, false }, { f.x, f.y, f.done })
    g:set_tag(edge, nil)
    assert.same({ 15, 0 }, { f:update(5) })
    local grid = wend.parse_grid({ "..~.." }, { ["~"] = "swamp" })
    f = wend.follow(grid:path(1, 1, 5, 1), { speeds = { swamp = 0 } })
    f:update(100)
    assert.same({ 2, 0.5 }, { f.x, f.y })
    grid:set(3, 1, 1)
    assert.same({ 3, 0.5 }, { f:update(1) })
  end)

  it("changes exactly at the borders of cells: like a walker in tiny steps, however time is cut", function()
    helper.rounds("speeds", 25, function(rng)
      local width, height, cell = rng(3, 12), rng(3, 12), rng:pick { 1, 0.5, 32 }
      local grid = wend.grid(width, height, { cell = cell, origin = { rng(-50, 50), rng(-50, 50) } })
      for y = 1, height do
        for x = 1, width do
          if rng:chance(0.4) then grid:set(x, y, rng:pick { "swamp", "road" }) end
        end
      end
      local path = assert(grid:path(rng(width), rng(height), rng(width), rng(height)))
      local straight, kind = rng:chance(0.5), rng:pick(KINDS)
      if straight then path = grid:straighten(path) end
      local speeds = { swamp = 0.25 + rng(), road = 1 + rng() }
      local one = wend.follow(path, { speed = cell, speeds = speeds, curve = kind })
      local many = wend.follow(path, { speed = cell, speeds = speeds, curve = kind })
      local tiny = wend.follow(path, { speed = cell, curve = kind })
      local time, step = rng() * 8, 2e-4
      one:update(time)
      local count = rng(2, 200)
      for _ = 1, count do many:update(time / count) end
      for _ = 1, math.floor(time / step) do
        local factor = speeds[tiny.tag] or 1
        tiny.speed = cell * factor
        tiny:update(step)
      end
      assert.near(0, helper.length({ one.x, one.y }, { many.x, many.y }), 1e-7 * cell)
      assert.near(0, helper.length({ one.x, one.y }, { tiny.x, tiny.y }), 0.02 * cell)
    end)
  end)

  it("makes no garbage", function()
    local grid = wend.grid(30, 30)
    grid:map(function(x, y) return (x + y) % 3 == 0 and "swamp" or 1 end)
    for _, kind in ipairs(KINDS) do
      local f = wend.follow(grid:path(1, 1, 30, 17), { loop = true, speeds = { swamp = 0.5 }, speed = 3, curve = kind,
        on_point = function() end, stops = { "door" } })
      f:update(100)
      local function run(times)
        for i = 1, 1000 * times do f:update(i % 7 * 0.01) end
      end
      assert.equal(0, helper.garbage(1, 1, run), kind)
    end
  end)
end)

describe("a path that was not found", function()
  it("is named by wend.follow, f:go and w:go, with its message", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0 }
    local message = "points must be a list of numbers, a path or a route, got nil: "
      .. "no path from 1 to 2: no open edge leads to the goal"
    helper.raises(message, function() wend.follow(g:path(1, 2)) end)
    local f = wend.follow { 0, 0, 9, 0 }
    helper.raises(message, function() f:go(g:path(1, 2)) end)
    f:update(9)
    assert.same({ true, 9 }, { f.done, f.x })
    local w = wend.crowd():add { x = 0, y = 0 }
    helper.raises(message, function() w:go(g:path(1, 2)) end)
    assert.equal("waiting", w.state)
  end)
end)

describe("follower:stop", function()
  it("forgets the rest of the points, on all kinds of ways", function()
    for _, options in ipairs { {}, { curve = "catmull_rom" }, { loop = true }, { dimensions = 3 } } do
      local f = wend.follow(options.dimensions and { 0, 0, 1, 10, 0, 2, 10, 10, 5 } or { 0, 0, 10, 0, 10, 10 }, options)
      f:update(3)
      local x, y, z, heading = f.x, f.y, f.z, f.heading
      assert.equal(f, f:stop())
      assert.same({ true, 0 }, { f.done, f:remaining() })
      f:update(5)
      assert.same({ true, x, y, heading, z }, { f.done, f.x, f.y, f.heading, f.z })
      f:stop():go(f.z and { 0, 0, 0 } or { 0, 0 })
      assert.is_false(f.done)
    end
  end)

  it("leaves a pause, and ends the wait at a stop", function()
    local f = wend.follow({ 0, 0, 10, 0 }):pause():stop()
    assert.same({ true, true }, { f.done, f.paused })
    local g = street "ladder"
    f = wend.follow(g:path(1, 2), { stops = { "ladder" } })
    f:update(1)
    assert.equal("ladder", f.waiting)
    assert.same({ true, 0 }, { f:stop().done, f.x })
    assert.equal(nil, f.waiting)
  end)

  it("may be called by on_point", function()
    local f = wend.follow({ 0, 0, 2, 0, 9, 0 }, { on_point = function(it, i) if i == 2 then it:stop() end end })
    f:update(5)
    assert.same({ true, 2 }, { f.done, f.x })
  end)
end)

describe("follower:go with join", function()
  it("leaves out the points that it has passed", function()
    local f = wend.follow({ 0, 0, 10, 0 })
    f:update(5)
    f:go({ 4, 0, 8, 0, 8, 8 }, { join = true })
    assert.same({ 5, 0, 0, 1 }, { f.x, f.y, f.heading, f.leg })
    assert.equal(11, f:remaining())
    assert.same({ 5, 0, 8, 0, 8, 8 }, f.points)
    f:update(3)
    assert.same({ 8, 0, 2 }, { f.x, f.y, f.leg })
    f:update(100)
    assert.is_true(f.done)
    f:go({ 8, 9, 8, 20 }, { join = true })       -- nothing is passed
    assert.same({ 0, 12 }, { f.leg, f:remaining() })
  end)

  it("leads straight on only where clear says so", function()
    local free = true
    local f = wend.follow({ 0, 0, 10, 0 }, { clear = function() return free end })
    f:update(5)
    f:go({ 4, 1, 8, 1, 8, 8 }, { join = true })
    assert.equal(1, f.leg)
    free = false
    f:go({ 4, 1, 8, 1, 8, 8 }, { join = true })
    assert.equal(0, f.leg)
  end)

  it("goes to a nearer point of the leg if it cannot see its end", function()
    local function clear(_, y1, x2) return y1 == 0 or x2 < 9 end
    local f = wend.follow({ 0, 1, 10, 1 }, { clear = clear })
    f:update(2)
    f:go({ 0, 0, 10, 0, 10, 9 }, { join = true })
    assert.same({ 2, 1, 6, 0, 10, 0, 10, 9 }, f.points)
    assert.equal(0, f.leg)
    assert.near(4 + 9 + math.sqrt(17), f:remaining(), 1e-12)
    f:update(math.sqrt(17) + 1)
    assert.same({ 1, 0, "7.000000" }, { f.leg, f.y, ("%.6f"):format(f.x) })
  end)

  it("leaves a curve as it was if clear raises", function()
    local raising = false
    local function clear() return not raising or error "no" end
    local points = { 0, 0, 10, 0, 10, 10, 20, 10, 20, 30, 40, 30 }
    local f = wend.follow(points, { clear = clear, curve = "catmull_rom" })
    local other = wend.follow(points, { clear = clear, curve = "catmull_rom" })
    while not other.done do
      raising = true
      assert.is_false((pcall(f.go, f, { 5, 5, 50, 50, 0, 90 }, { join = true })))
      raising = false
      f:update(0.5)
      other:update(0.5)
      assert.same({ other.x, other.y, other.heading, other.leg }, { f.x, f.y, f.heading, f.leg })
    end
    f:go { 0, 0, 50, 0 }
    f:update(1e3)
    assert.same({ 50, 0, true }, { f.x, f.y, f.done })
  end)

  it("gives its line after clear has raised", function()
    local raising = false
    local function clear() return not raising or error "no" end
    local f = wend.follow({ 0, 0, 10, 0, 10, 10, 20, 10 }, { clear = clear, curve = "catmull_rom" })
    local other = wend.follow({ 0, 0, 10, 0, 10, 10, 20, 10 }, { curve = "catmull_rom" })
    raising = true
    for _ = 1, 100 do
      assert.is_false((pcall(f.line, f)))
    end
    raising = false
    assert.same(other:line(), f:line())
  end)

  it("makes no garbage while it walks, from the first leg on", function()
    local rng = helper.rng("legs", 1)
    local f = wend.follow({ 0, 0 }, { curve = "catmull_rom" })
    for _ = 1, 20 do
      local points = {}
      for i = 1, 2 * rng(12) do points[i] = rng(1, 100) end
      f:go(points, { join = true })
      local garbage = 0
      collectgarbage "stop"
      for _ = 1, 100 do
        local before = collectgarbage "count"
        f:update(0.7)
        garbage = garbage + collectgarbage "count" - before
      end
      collectgarbage "restart"
      if not rawget(_G, "jit") then assert.equal(0, garbage) end     -- the compiler of LuaJIT allocates too
    end
  end)

  it("does so in 3 dimensions, and on curves", function()
    local function clear(_, y1, _, x2) return y1 == 0 or x2 < 9 end
    for _, kind in ipairs { "linear", "catmull_rom" } do
      local f = wend.follow({ 0, 1, 2, 10, 1, 2 }, { clear = clear, dimensions = 3, curve = kind })
      f:update(2)
      f:go({ 0, 0, 2, 10, 0, 2, 10, 9, 2 }, { join = true })
      assert.same({ 2, 1, 2, 6, 0, 2, 10, 0, 2, 10, 9, 2 }, f.points)
      local before = f.x
      while not f.done do
        f:update(0.25)
        assert.is_true(f.x >= before - 0.5)
        before = f.x
      end
      assert.same({ 10, 9, 2 }, { f.x, f.y, f.z })
    end
  end)

  it("joins neither a link nor a leg with a stop", function()
    local f = wend.follow({ 0, 0, 10, 0 })
    f:update(5)
    f:go({ 4, 0, 20, 0, 30, 0, links = { true } }, { join = true })
    assert.equal(0, f.leg)
    local g = wend.graph()
    g:add_nodes { 4, 0, 10, 0 }
    g:add_edge(1, 2, { tag = "ladder" })
    f = wend.follow({ 0, 0, 10, 0 }, { stops = { "ladder" } })
    f:update(5)
    f:go(g:path(1, 2), { join = true })
    assert.equal(0, f.leg)
    f:update(1)
    assert.same({ 4, "ladder" }, { f.x, f.waiting })
  end)

  it("knows the edges of the legs that are left", function()
    local g = street("street", "road")
    local f = wend.follow { 0, 0, 9, 0 }
    f:update(4)
    f:go(g:path(1, 3), { join = true })
    assert.same({ 1, 1, "street", 1 }, { f.leg, f.edge, f.tag, f.node })
    f:update(10)
    assert.same({ 2, 2, "road", 2 }, { f.leg, f.edge, f.tag, f.node })
  end)

  it("stays on the roads of a graph where it plans anew before a bend", function()
    for _, bend in ipairs { { 40, 30 }, { 10, 5 }, { 20, -30 }, { 70, 10 } } do
      local g = wend.graph()
      g:add_nodes { 0, 0, 40, 0, bend[1], bend[2], 20, 10 }
      g:add_edges { 1, 2, 2, 3, 1, 4 }
      for _, kind in ipairs { "linear", "catmull_rom" } do
        local f = wend.follow(g:path(1, 2), { speed = 1, curve = kind })
        f:update(38)
        f:go(g:path(f, 3), { join = true }):update(2)
        assert.near(0, helper.length({ 40, 0 }, { f.x, f.y }), kind == "linear" and 0 or 0.5)
        -- It turns round on an edge, for another one that leads the same way.
        f = wend.follow(g:path(1, 2), { speed = 1, curve = kind })
        f:update(5)
        f:go(g:path(1, 4), { join = true }):update(5)
        assert.near(0, helper.length({ 0, 0 }, { f.x, f.y }), kind == "linear" and 0 or 0.5)
      end
    end
    -- A node behind it is left out, if the path leads along its edge.
    local g = street("street", "road")
    local f = wend.follow(g:path(1, 2))
    f:update(4)
    assert.equal(1, f:go(g:path(1, 3), { join = true }).leg)
  end)

  -- A chase: it replans in each frame, from the middle of its cell. The turns over 150 degrees that its path does not
  -- have itself, and how far it comes.
  local function chase(rng, join, kind)
    local size = 30
    local grid = wend.grid(size, size, { cell = 32 })
    for _ = 1, 180 do grid:set(rng(size), rng(size), false) end
    local function open()
      while true do
        local x, y = rng(size), rng(size)
        if grid:get(x, y) then return x, y end
      end
    end
    local x, y = open()
    local gx, gy = open()
    local f = wend.follow({ (x - 0.5) * 32, (y - 0.5) * 32 }, { speed = 90, curve = kind, clear = grid })
    local turns, moved = 0, 0
    for frame = 1, 600 do
      if frame % 150 == 0 then gx, gy = open() end
      local cx, cy = grid:cell_at(f.x, f.y)
      local path = grid:path(cx, cy, gx, gy)
      local was = f.heading
      if path and #path > 2 then
        local points = path:points()
        f:go(path, join and { join = true } or nil)
        local own = frame % 150 == 0 -- the new goal may lie behind it
        for i = 1, math.min(#points - 2, 3), 2 do
          own = own or turned(was, atan2(points[i + 3] - points[i + 1], points[i + 2] - points[i])) > math.rad(134)
        end
        if frame > 1 and not own and turned(was, f.heading) > math.rad(150) then turns = turns + 1 end
        local fx, fy = f.x, f.y
        was = f.heading
        f:update(1 / 60)
        moved = moved + helper.length({ fx, fy }, { f.x, f.y })
        if frame > 1 and not own and turned(was, f.heading) > math.rad(150) then turns = turns + 1 end
      end
    end
    return turns, moved
  end

  it("does not turn back in a chase that replans in each frame", function()
    local without = 0
    helper.rounds("chase", 6, function(_, round)
      without = without + chase(helper.rng("map", round), false)
      for _, kind in ipairs { "linear", "catmull_rom" } do
        assert.equal(0, (chase(helper.rng("map", round), true, kind)))
      end
    end)
    -- Some goals cannot be reached: one round alone may have no turns.
    assert.is_true(without > 0 or not helper.all_rounds(), "the test finds no turns")
  end)

  it("makes no garbage", function()
    local grid = wend.grid(40, 40)
    local path = grid:path(1, 1, 40, 23)
    local options = { join = true }
    for _, kind in ipairs(KINDS) do
      local f = wend.follow(path, { speed = 3, curve = kind })
      local function run(times)
        for _ = 1, 100 * times do
          f:go(path, options)
          f:update(0.01)
        end
      end
      run(5) -- the tables of rows grow to the largest leg
      assert.equal(0, helper.garbage(1, 1, run), kind)
    end
  end)
end)

describe("a curve of a follower", function()
  it("is made leg by leg: clear is asked about the legs that it has come to", function()
    local legs = {}
    local f = wend.follow({ 0, 0, 10, 0, 10, 10, 20, 10 }, { curve = "hermite", speed = 1, clear = function(x)
      legs[math.floor(x)] = true
      return true
    end })
    assert.is_nil(legs[15])
    f:update(25)
    assert.is_true(legs[15])
  end)

  it("may raise in clear: the follower stays, and tries again", function()
    local raise = false
    local f = wend.follow({ 0, 0, 10, 0, 10, 10, 20, 10 }, { curve = "hermite", speed = 1, clear = function()
      if raise then error("mist", 0) end
      return true
    end })
    f:update(5)
    raise = true
    local x, y = f.x, f.y
    helper.raises("mist", f.update, f, 8)
    helper.raises("mist", f.update, f, 8)
    helper.raises("mist", f.remaining, f)
    helper.raises("mist", f.line, f)
    assert.same({ x, y, 1 }, { f.x, f.y, f.leg })
    f:update(1)
    raise = false
    f:update(8)
    assert.equal(2, f.leg)
    f:update(100)
    assert.is_true(f.done)
  end)

  it("cannot be used by its own clear", function()
    local f, messages = nil, {}
    f = wend.follow({ 0, 0, 10, 0, 10, 10 }, { curve = "hermite", clear = function()
      if f then
        for _, call in ipairs { "remaining", "line", "pause", "resume", "go", "stop" } do
          messages[call] = select(2, pcall(f[call], f, { 1, 1 }))
        end
      end
      return true
    end })
    f:update(12)
    for _, call in ipairs { "line", "pause", "resume", "go", "stop" } do
      assert.truthy(tostring(messages[call]):find("clear cannot use the follower that asks it", 1, true), call)
    end
    assert.equal(2, f.leg)
  end)

  it("is the same line as that of wend.curve", function()
    helper.rounds("line", 60, function(rng)
      local dimensions, kind, loop = rng(2, 3), rng:pick { "hermite", "catmull_rom" }, rng:chance(0.4)
      local points = helper.random_points(rng, rng(2, 9), dimensions)
      local options = { curve = kind, loop = loop, dimensions = dimensions, spacing = rng:pick { 1, 7 } }
      local f, line = follow(points, options), curve(points, options)
      assert.same(line, f:line())
    end)
  end)
end)

describe("a follower", function()
  it("refuses invalid options and positions", function()
    local nan, huge = 0 / 0, math.huge
    for text, value in pairs { ["-1"] = -1, nan = nan, [tostring(huge)] = huge, ["'x'"] = "x", ["true"] = true } do
      helper.raises("speeds.swamp must be a finite number >= 0, got " .. text, follow, { 1, 2 },
        { speeds = { swamp = value } })
    end
    helper.raises("speeds must be a table of factors by tag, got 2", follow, { 1, 2 }, { speeds = 2 })
    helper.raises("speeds must be a table of factors by tag, got the key 1", follow, { 1, 2 }, { speeds = { 2 } })
    helper.raises("stops must be a list of tags, got 'door'", follow, { 1, 2 }, { stops = "door" })
    helper.raises("stops[2] must be a tag, got 7", follow, { 1, 2 }, { stops = { "door", 7 } })
    local f = wend.follow { 0, 0, 9, 0 }
    helper.raises("on_point must be a function, got 5", function() f.on_point = 5 end)
    helper.raises("stops must be a list of tags, got the key 'door'", follow, { 1, 2 }, { stops = { door = true } })
    helper.raises("points must be a list of numbers, a path or a route, got 3", f.go, f, 3, 4)
    for _, name in ipairs { "points", "edge", "tag", "node", "waiting", "paused", "go", "stop" } do
      helper.raises(("'%s' cannot be assigned"):format(name), function() f[name] = true end)
    end
    f.mine = 5
    assert.equal(5, f.mine)
    assert.equal(f, f:resume())                        -- as a walker: it does nothing
    helper.raises("the follower does not wait at a stop", f.resume, f, 1, 2)
    helper.raises("the follower does not wait at a stop", f:pause().resume, f, 1, 2)
    assert.same({ true, false }, { f.paused, f:resume().paused })
    for text, value in pairs { nan = nan, [tostring(huge)] = huge, ["1e+300"] = 1e300, ["'x'"] = "x" } do
      if value ~= "x" then
        helper.raises("x must be a finite number (up to 1e150), got " .. text, f.resume, f, value, 2)
      end
      helper.raises("y must be a finite number (up to 1e150), got " .. text, f.resume, f, 1, value)
      helper.raises("position.x must be a finite number (up to 1e150), got " .. text, f.resume, f, { x = value, y = 1 })
    end
    helper.raises("y must be a finite number (up to 1e150), got nil", f.resume, f, 1)
    helper.raises("a position of this follower has 2 numbers, got more", f.resume, f, 1, 2, 3)
    helper.raises("a position of this follower has 2 numbers, got more", f.resume, f, { 1, 2, 3 })
    helper.raises("position must be a position: { x, y }, or something with fields x and y, got 'x'", f.resume, f, "x")
    local deep = wend.follow({ 0, 0, 0 }, { dimensions = 3 })
    helper.raises("z must be a finite number (up to 1e150), got nil", deep.resume, deep, 1, 2)
    helper.raises("unknown option 'joined' (expected one of: join)", f.go, f, { 1, 2 }, { joined = true })
    assert.same({ 0, 0, 9 }, { f.x, f.y, f:remaining() })
  end)
end)

describe("a follower that a script has damaged", function()
  it("refuses all methods if its handle is another value", function()
    for _, value in ipairs { 1, "x", {}, print, wend.walls(), wend.grid(1, 1), io.stdout } do
      local f = wend.follow({ 0, 0, 9, 9 }, { curve = "hermite" })
      f.handle = value
      for _, name in ipairs { "update", "remaining", "line", "go", "pause", "resume", "encode" } do
        helper.raises("self must be a follower (call it with a colon: follower:method()), got a wend.Follower",
          f[name], f, 1)
      end
      assert.is_nil(f.edge)
      assert.is_nil(f.points)
    end
  end)

  it("walks with the handle of another one", function()
    local f, other = wend.follow { 0, 0, 9, 0 }, wend.follow({ 5, 5, 0, 8, 9, 3 }, { dimensions = 3 })
    f.handle = other.handle
    assert.same({ 8, 9, 3 }, { f:update(30) })
  end)

  it("refuses an invalid position or heading", function()
    for _, name in ipairs { "x", "y", "heading" } do
      for _, value in ipairs { 0 / 0, math.huge, 1e300, "x", false } do
        local f = wend.follow({ 0, 0, 9, 9 }, { curve = "hermite" })
        f[name] = value
        local what = value ~= value and "nan" or type(value) == "string" and "'x'" or tostring(value)
        local expected = ("%s of the follower must be a finite number (up to 1e150), got %s"):format(name, what)
        local _, message = helper.ends(f.go, f, { 1, 2, 3, 4 })
        assert.equal(expected, message:sub(-#expected))
      end
    end
  end)
end)

describe("a path from a follower", function()
  local function cliffs()
    local g = wend.graph()
    g:add_nodes { 0, 0, 20, 0, 60, 0, -40, 0 }
    g:add_edge(1, 2, { directed = true, tag = "jump" })
    g:add_edge(2, 3)
    g:add_edge(1, 4)
    g:add_edge(3, 4, { directed = true, weight = 300 })
    return g
  end
  local function nodes(path) return table.concat(path, " ") end

  it("begins at the node ahead on a one-way edge, and joins without going back", function()
    local g = cliffs()
    local f = wend.follow(g:path(1, 3), { speed = 10 })
    assert.equal("1 4", nodes(g:path(f, 4))) -- it has not left
    f:update(1)
    local path = g:path(f, 4)
    assert.same({ "2 3 4", 340 }, { nodes(path), path.cost })
    f:go(path, { join = true }):update(0.5)
    assert.equal(15, f.x)
    f:update(0.5)
    assert.equal("2", nodes(g:path(f, 2)))
    assert.is_true(g:can_reach(f, 4))
    assert.is_nil((g:why_not(f, 4)))
    local search = g:search(f, 4)
    while search:step(1) == "running" do end
    assert.equal("2 3 4", nodes(search:result()))
    local q = wend.queue()
    local request = q:path(g, f, 4)
    q:step(100)
    assert.equal("2 3 4", nodes(request.result))
  end)

  it("begins at the better end of an edge that leads both ways, by the agent's costs", function()
    local g = cliffs()
    local f = wend.follow(g:path(2, 3), { speed = 10 })
    f:update(1)
    local path = g:path(f, 2)
    assert.same({ "2", 0 }, { nodes(path), path.cost })
    assert.same({ "3", 0 }, { nodes(g:path(f, 3)), g:path(f, 3).cost })
    assert.same({ "3 4", 300 }, { nodes(g:path(f, 4)), g:path(f, 4).cost })
    local function dear(_, cost, _, from) return from == 3 and cost * 9 or cost end
    assert.equal("3", nodes(g:path(f, { 2, 3 }, { cost = dear })))
    g:close(2)
    assert.equal("no_path", (select(3, g:path(f, 2))))
    assert.equal("3 2", nodes(g:path(f, 2, { closed_goal = true })))
    g:open(2):close_edge(2)
    assert.equal("3 4", nodes(g:path(f, 4)))
  end)

  it("takes it at the end, paused, and with overlays", function()
    local g = cliffs()
    local f = wend.follow(g:path(1, 3), { speed = 10 })
    f:update(1)
    f:pause()
    local o = g:overlay()
    assert.equal("2 3", nodes(o:path(f, 3)))
    f:resume():update(100)
    assert.equal("3 2", nodes(g:path(f, 2)))
    assert.same({ 2, "2 3" }, { g:path(wend.follow(g:path(1, 3)), 3, { per_turn = 50 }).turns_used,
      nodes(g:path(f:go(g:path(2, 3)), 3)) })
  end)

  it("raises where it has no node of the graph", function()
    local g, grid = cliffs(), wend.grid(3, 3)
    local of_points = wend.follow { 0, 0, 9, 0 }
    local message = "from: the follower must go along a path or a route over this graph"
    helper.raises(message, g.path, g, of_points, 2)
    helper.raises(message, g.path, g, wend.follow(grid:path(1, 1, 3, 3)), 2)
    helper.raises(message, g.path, g, wend.follow(cliffs():path(1, 3)), 2)
    local f = wend.follow(g:path(1, 3))
    helper.raises(message, g.path, g, wend.follow(g:path(1, 3)):stop(), 2)
    f:update(1)
    g:remove_node(2)
    helper.raises("from: the node ahead of the follower was removed", g.path, g, f, 3)
    helper.raises("from must be a node (its id or name), got a table", g.path, g, { handle = 3 }, 3)
  end)

  it("costs what the better one of both ends costs", function()
    helper.rounds("path from a follower", 40, function(rng)
      local g = wend.graph()
      for _ = 1, 12 do g:add_node(rng(0, 99), rng(0, 99)) end
      for _ = 1, 24 do
        g:add_edge(rng(12), rng(12), { directed = rng:chance(0.4), weight = rng(1, 50), tag = rng:pick { "a", "b" } })
      end
      local opts = { costs = wend.costs { a = rng:pick { 3, 0.5 }, b = rng:pick { 1, 2 } } }
      local way = g:path(rng(12), rng(12))
      if not way or #way < 2 then return end
      local f = wend.follow(way, { speed = rng(1, 30) })
      f:update(rng() * 3)
      local goal = rng(12)
      local path = g:path(f, goal, opts)
      local edge = f.edge and not f.done and g:edge(f.edge)
      local ends = { { f.node, 0 } }
      if edge and f.x and f.leg >= 1 then
        local a, b = way[f.leg], way[f.leg + 1]
        local ax, ay = g:position(a)
        local bx, by = g:position(b)
        local from, to = math.sqrt((f.x - ax) ^ 2 + (f.y - ay) ^ 2), math.sqrt((f.x - bx) ^ 2 + (f.y - by) ^ 2)
        if from > 0 and to > 0 then
          local cost = edge.weight * opts.costs:get(edge.tag)
          ends = { { b, cost * to / (from + to) } }
          if not edge.directed then ends[2] = { a, cost * from / (from + to) } end
        end
      end
      local least
      for _, one in ipairs(ends) do
        local other = g:path(one[1], goal, opts)
        if other and (not least or other.cost + one[2] < least - 1e-9) then least = other.cost + one[2] end
      end
      assert.equal(least ~= nil, path ~= nil)
      if not path then return end
      local rest
      for _, one in ipairs(ends) do if one[1] == path[1] then rest = one[2] end end
      assert.is_true(math.abs(path.cost + rest - least) < 1e-6)
      local same = g:path(path[1], goal, opts)
      assert.is_true(math.abs(same.cost - path.cost) < 1e-9)
    end)
  end)
end)
