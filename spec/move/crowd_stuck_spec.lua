-- SPDX-License-Identifier: MIT
-- Scenes in which walkers once stood or circled for good.
local wend = require "wend"

local STEP = 1 / 30

--- Lets a crowd go until all of a list have arrived. Returns how many have, and when the last one did.
local function run(crowd, list, seconds)
  local count, done = 0, {}
  for i = 1, seconds * 30 do
    crowd:update(STEP)
    for _, w in ipairs(list) do
      if not done[w] and w.state == "arrived" then done[w], count = true, count + 1 end
    end
    if count == #list then return count, i * STEP end
  end
  return count, math.huge
end

describe("walkers get on", function()
  it("along a wall, where a point of their way is out of sight from the one before", function()
    local walls, list = wend.walls(), {}
    walls:add_segment(20, -50, 20, -0.75)
    walls:add_segment(20, 0.75, 20, 50)
    local crowd = wend.crowd { walls = walls }
    for i = 1, 40 do
      local column, row = math.floor(i / 5), i % 5
      list[i] = crowd:add { x = 10 - column * 1.2, y = 4.2 + row * 1.2 }
      list[i]:go { 18.8, 4.2, 20.5, 0, 40 - column * 1.6, 6 + row * 1.6 }
    end
    local count, time = run(crowd, list, 90)
    assert.is_true(count == 40, ("%d of 40 arrive, %g s"):format(count, time))
  end)

  for count = 1, 9, 2 do
    it(("around a row of %d that are held or stand higher, also without a map"):format(count), function()
      for _, map in ipairs { wend.grid(60, 40), false } do
        for _, off in ipairs { 0, 0.3, -0.2 } do
          for priority = 0, 1 do
            local crowd = wend.crowd { map = map or nil }
            for i = 1, count do
              local one = crowd:add { x = 30 + off, y = 20 + (i - (count + 1) / 2) * 1.05 + off, priority = priority }
              if priority == 0 then one:pause() end
            end
            local _, time = run(crowd, { crowd:add({ x = 10.5, y = 20 }):go(50, 20) }, 40)
            assert.is_true(time < 30, ("priority %d: %g s"):format(priority, time))
          end
        end
      end
    end)
  end

  --- How long a walker of radius 1 and speed 1 takes from (0, y) to (20, y), past walls around (10, 0), and its y where
  -- it was farthest to the side.
  local function pass(y, seed, build)
    local walls, side = wend.walls(), 0
    build(walls)
    local crowd = wend.crowd { walls = walls, seed = seed }
    local w = crowd:add({ x = 0, y = y, radius = 1, speed = 1 }):go(20, y)
    for i = 1, 60 * 30 do
      crowd:update(STEP)
      if w.state == "arrived" then return i * STEP, side end
      if math.abs(w.y) > math.abs(side) then side = w.y end
    end
    return math.huge, side
  end

  for name, build in pairs {
    ["pillar"] = function(walls) walls:add_circle(10, 0, 3) end,
    ["block"] = function(walls) walls:add_polygon { 7, -3, 13, -3, 13, 3, 7, 3 } end,
    ["block with its corner ahead"] = function(walls) walls:add_polygon { 7, 0, 10, -3, 13, 0, 10, 3 } end,
  } do
    it(("around a %s, straight ahead or a little to the side"):format(name), function()
      for _, y in ipairs { 0, 1e-6, 0.3, -0.3 } do
        local time, side = pass(y, nil, build)
        assert.is_true(time < 26, ("offset %g: %g s"):format(y, time))
        assert.is_true(name ~= "pillar" or math.abs(y) < 0.1 or side * y > 0)
      end
    end)
  end

  it("on either side of a pillar that is straight ahead, as the seed says", function()
    local sides = {}
    for seed = 1, 8 do
      local _, side = pass(0, seed, function(walls) walls:add_circle(10, 0, 3) end)
      sides[side > 0] = (sides[side > 0] or 0) + 1
    end
    assert.is_true((sides[true] or 0) > 0 and (sides[false] or 0) > 0)
  end)

  it("around a block, from its diagonal", function()
    local walls = wend.walls()
    walls:add_polygon { 10, 10, 40, 10, 40, 40, 10, 40 }
    local crowd = wend.crowd { walls = walls }
    local w = crowd:add({ x = 55, y = 55, radius = 2, speed = 1 }):go(-75, -75)
    assert.is_true(run(crowd, { w }, 250) == 1, w.state)
  end)

  it("and stand before a wall that they cannot get around, once they are stuck", function()
    local walls = wend.walls()
    walls:add_segment(10, -30, 10, 30)
    local crowd = wend.crowd { walls = walls }
    local w = crowd:add({ x = 0, y = 0 }):go(20, 0)
    for _ = 1, 120 * 30 do crowd:update(STEP) end
    local x, y = w.x, w.y
    for _ = 1, 10 * 30 do crowd:update(STEP) end
    assert.equal("stuck", w.state)
    assert.is_true(math.abs(w.x - x) + math.abs(w.y - y) < 0.02)
  end)

  for _, case in ipairs { { 0.3, 3, 20 }, { 0.4, 3, 10 }, { 0.4, 3, 15 }, { 0.4, 4, 15 } } do
    local radius, priorities, count = case[1], case[2], case[3]
    it(("through a door, %d of radius %g with %d priorities"):format(2 * count, radius, priorities), function()
      local crowd, list = wend.crowd { map = wend.grid(40, 20):fill(20, 1, 20, 20, false):open(20, 10) }, {}
      for i = 0, count - 1 do
        local x, y, options = i % 5 * 1.5, 6 + math.floor(i / 5) * 2, { radius = radius, priority = i % priorities }
        options.x, options.y = 10 + x, y
        list[#list + 1] = crowd:add(options):go(30 + x, y)
        options.x = 30 + x
        list[#list + 1] = crowd:add(options):go(10 + x, y)
      end
      local arrived, time = run(crowd, list, 180)
      assert.is_true(arrived == 2 * count, ("%d of %d arrive, %g s"):format(arrived, 2 * count, time))
    end)
  end

  it("to the end of those who have arrived before them, around corners", function()
    local map = wend.grid(40, 30):fill(16, 1, 40, 30, false)
    map:fill(16, 5, 30, 7, 1):fill(28, 5, 30, 15, 1)
    local crowd, list, field = wend.crowd { map = map }, {}, map:field(30, 15)
    for i = 0, 119 do
      list[i + 1] = crowd:add({ x = 2 + i % 11 * 1.15, y = 2 + math.floor(i / 11) * 1.15, radius = 0.45 }):go(field)
    end
    assert.is_true(run(crowd, list, 150) >= 118)
  end)

  it("to rest, where their places lie past each other in a narrow corridor", function()
    local crowd = wend.crowd { map = wend.grid(30, 1) }
    local a, b = crowd:add { x = 10, y = 0.5, radius = 0.45 }, crowd:add { x = 12, y = 0.5, radius = 0.45 }
    a:go(10.5, 0.5)
    b:go(12, 0.5)
    run(crowd, { a, b }, 10)
    a:place(14, 0.5)
    for _ = 1, 40 * 30 do crowd:update(STEP) end
    local ax, bx = a.x, b.x
    for _ = 1, 60 * 30 do crowd:update(STEP) end
    local moved = math.abs(a.x - ax) + math.abs(b.x - bx)
    assert.is_true(moved < 0.01, ("%g %g %g %g"):format(ax, bx, a.x, b.x))
    assert.is_true(math.abs(a.vx) + math.abs(b.vx) < 1e-9)
  end)

  --- The cell with a number, counted from the upper left corner, on the outermost cells of a square of 12 x 12.
  local function on_ring(i)
    i = i % 44
    if i < 11 then return i + 0.5, 0.5 end
    if i < 22 then return 11.5, i - 10.5 end
    if i < 33 then return 32.5 - i + 0.5, 11.5 end
    return 0.5, 43.5 - i + 0.5
  end

  --- Updates a crowd until all have arrived, at most 90 seconds. Saves it every ten seconds; loaded: goes on with
  -- what was saved. Returns its hash; nil: some have not arrived.
  local function run_saved(map, crowd, loaded)
    for i = 1, 90 * 30 do
      local resting = true
      crowd:update(STEP)
      local bytes = i % 300 == 0 and crowd:encode()
      if bytes and loaded then crowd = assert(wend.decode(bytes, { map = map })) end
      for w in crowd:each() do resting = resting and w.state == "arrived" end
      if resting then return crowd:hash() end
    end
  end

  for seed = 1, 6 do
    it("around a ring one wide, three against three, seed " .. seed, function()
      local function set_up()
        local map = wend.grid(12, 12):fill(2, 2, 11, 11, false)
        local crowd = wend.crowd { map = map, seed = seed }
        for k = 0, 5 do
          local from, to = 5 * seed + 2 * k, 5 * seed + 2 * k + 17
          if k > 2 then from, to = to - 6, from - 6 end
          local x, y = on_ring(from)
          crowd:add({ x = x, y = y, radius = 0.45 }):go(on_ring(to))
        end
        return map, crowd
      end
      local map, crowd = set_up()
      local hash = assert.truthy(run_saved(map, crowd, false))
      map, crowd = set_up()
      assert.equal(hash, run_saved(map, crowd, true))
    end)
  end

  for bay = 8, 13 do
    it("past each other in a corridor with a bay at " .. bay, function()
      for seed = 1, 4 do
        local crowd = wend.crowd { map = wend.grid(20, 2):fill(1, 2, 20, 2, false):open(bay, 2), seed = seed }
        local a, b = crowd:add { x = 2.5, y = 0.5, radius = 0.45 }, crowd:add { x = 17.5, y = 0.5, radius = 0.45 }
        a:go(17.5, 0.5)
        b:go(2.5, 0.5)
        local count, time = run(crowd, { a, b }, 60)
        assert.is_true(count == 2 and time < 40, ("%d, %g s"):format(count, time))
        assert.is_true(math.abs(a.x - 17.5) < 0.3 and math.abs(b.x - 2.5) < 0.3)
      end
    end)
  end

  it("past a big one that comes towards them slowly", function()
    for _, width in ipairs { 3, 4 } do
      local crowd = wend.crowd { map = wend.grid(80, width) }
      local big = crowd:add { x = 10, y = width / 2, radius = width / 2 - 0.5, speed = 0.3 }
      local small = crowd:add { x = 30, y = width / 2, radius = 0.48, speed = 1.5 }
      big:go(70, width / 2)
      local _, time = run(crowd, { small:go(5, width / 2) }, 60)
      assert.is_true(time < 40, ("%g s"):format(time))
    end
  end)
end)

describe("a walker that stays within a cell", function()
  it("is stuck after one and a half times its patience, also in a queue that gets on", function()
    local crowd, told = wend.crowd { map = wend.grid(40, 1) }, {}
    function crowd.on_stuck(w, by) told[#told + 1] = { w, by } end
    local first = crowd:add({ x = 5.5, y = 0.5, radius = 0.4, speed = 0.05 }):go(35.5, 0.5)
    local second = crowd:add({ x = 4.5, y = 0.5, radius = 0.4, speed = 2, patience = 2 }):go(35.5, 0.5)
    for _ = 1, 2.9 * 30 do crowd:update(STEP) end
    assert.same({}, told)
    for _ = 1, 30 do crowd:update(STEP) end
    assert.same({ { second, first } }, told)
    assert.equal("stuck", second.state)
    for _ = 1, 120 do crowd:update(STEP) end
    assert.equal(1, #told)                                            -- once, until it is a cell farther on
    assert.equal("moving", first.state)
  end)

  it("is not stuck if it is slow, or has little patience, and gets on", function()
    local crowd, told = wend.crowd { map = wend.grid(40, 2) }, 0
    function crowd.on_stuck() told = told + 1 end
    local slow = crowd:add({ x = 2.5, y = 0.5, speed = 0.02 }):go(35.5, 0.5)
    local hasty = crowd:add({ x = 2.5, y = 1.5, patience = 0.3, acceleration = 1 }):go(35.5, 1.5)
    for _ = 1, 900 do crowd:update(STEP) end
    assert.same({ 0, "moving", "arrived" }, { told, slow.state, hasty.state })
  end)
end)

describe("a walker that is pushed back", function()
  it("is stuck if it is pushed for ever", function()
    local crowd, told = wend.crowd { map = wend.grid(80, 1) }, {}
    local w = crowd:add({ x = 30.5, y = 0.5, radius = 0.4, speed = 2, patience = 2 }):go(70.5, 0.5)
    function crowd.on_stuck() told[#told + 1] = math.floor(crowd.time + 0.5) end
    for i = 1, 12 * 30 do
      crowd.time = i * STEP
      if i % 30 == 0 then w:push(-24, 0) end
      crowd:update(STEP)
    end
    assert.same({ 1, "stuck" }, { #told, w.state })
    assert.is_true(told[1] <= 7, ("%d s"):format(told[1]))
  end)
end)
