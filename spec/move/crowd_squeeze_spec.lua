-- SPDX-License-Identifier: MIT
-- Walkers that make no progress pass through others: the option squeeze.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises

--- A corridor of width 1 with a gap, through which a small walker goes. A large one stands before the gap. It does not
-- fit through, and the two do not fit side by side.
local function corridor(options, other)
  local walls = wend.walls()
  walls:add_segment(-5, 0, 20, 0)
  walls:add_segment(-5, 1, 20, 1)
  walls:add_segment(8.5, 0, 8.5, 0.1)
  walls:add_segment(8.5, 0.9, 8.5, 1)
  local crowd = wend.crowd { walls = walls, squeeze = options.squeeze }
  options.x, options.y, options.radius = 2, 0.5, 0.3
  other.x, other.y, other.radius = 8, 0.5, 0.45
  return crowd, crowd:add(options):go(14, 0.5), crowd:add(other)
end

--- Lets a crowd go until one walker is nearer to another one than this. Raises if that takes too long.
local function approach(crowd, a, b, distance)
  for _ = 1, 20 * 30 do
    crowd:update(1 / 30)
    if math.abs(b.x - a.x) < distance then return end
  end
  error(("they stay %g apart"):format(math.abs(b.x - a.x)))
end

--- Lets a crowd go. Returns the deepest overlap of two walkers, as a part of the sum of their radii.
local function run(crowd, a, b, seconds)
  local deepest = 0
  for _ = 1, seconds * 30 do
    crowd:update(1 / 30)
    deepest = math.max(deepest, 1 - math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) / (a.radius + b.radius))
  end
  return deepest
end

describe("a walker without progress", function()
  it("passes through one that is in its way, unless squeeze is false", function()
    local crowd, a, b = corridor({}, {})
    assert.is_true(run(crowd, a, b, 30) > 0.2)
    assert.equal("arrived", a.state)
    crowd, a, b = corridor({ squeeze = false }, {})
    assert.is_true(run(crowd, a, b, 30) < 0.01)
    assert.equal("stuck", a.state)
  end)

  it("does so after `squeeze` seconds", function()
    local times = {}
    for i, seconds in ipairs { 1, 5, 20 } do
      local crowd, a = corridor({ squeeze = seconds, patience = math.huge }, {})
      local step = 0
      repeat
        crowd:update(1 / 30)
        step = step + 1
      until a.state == "arrived" or step == 60 * 30
      times[i] = step / 30
    end
    assert.is_true(math.abs(times[2] - times[1] - 4) < 1, times[2] - times[1])
    assert.is_true(math.abs(times[3] - times[1] - 19) < 1, times[3] - times[1])
  end)

  it("does not pass through paused ones, and standing ones of higher priority", function()
    for _, firm in ipairs { "paused", "higher" } do
      local crowd, a, b = corridor({ squeeze = 1 }, { priority = firm == "higher" and 1 or nil })
      if firm == "paused" then b:pause() end
      assert.is_true(run(crowd, a, b, 20) < 0.01)
      assert.equal("stuck", a.state)
      b:resume()
      b.priority = 0
      assert.is_true(run(crowd, a, b, 20) > 0.8)
      assert.equal("arrived", a.state)
    end
  end)

  it("is firm itself while it is paused", function()
    local crowd, a, b = corridor({ squeeze = 1 }, {})
    approach(crowd, a, b, 0.6)
    a:pause()
    local c = crowd:add({ x = 2, y = 0.5, radius = 0.3, squeeze = 1 }):go(14, 0.5)
    assert.is_true(run(crowd, a, c, 20) < 0.01)
    assert.equal("stuck", c.state)
    a:resume()
    run(crowd, a, c, 20)
    assert.same({ "arrived", "arrived" }, { a.state, c.state })
  end)

  it("does not pass through walls", function()
    local walls = wend.walls()
    walls:add_segment(10, -30, 10, 31)
    local crowd = wend.crowd { walls = walls, squeeze = 0.5 }
    local w = crowd:add({ x = 2, y = 0.5 }):go(14, 0.5)
    local beside = crowd:add({ x = 4, y = 0.5 }):go(14, 0.5)
    for _ = 1, 20 * 30 do
      crowd:update(1 / 30)
      assert.is_true(w.x < 9.51 and beside.x < 9.51)
    end
  end)

  it("passes one that comes towards it, also around a bend, and those behind it follow at once", function()
    local map = wend.parse_grid([[
      ########
      #......#
      ######.#
      ######.#
      ######.#
      ######.#
      ########
    ]])
    for _, each in ipairs { 1, 3 } do
      local crowd, list = wend.crowd { map = map }, {}
      for i = 1, each do
        list[#list + 1] = crowd:add({ x = 0.5 + i, y = 1.5, radius = 0.4 }):go(6.5, i + 2.5)
        list[#list + 1] = crowd:add({ x = 6.5, y = i + 2.5, radius = 0.4 }):go(0.5 + i, 1.5)
      end
      local time = 0
      repeat
        crowd:update(1 / 30)
        time = time + 1 / 30
        local arrived = 0
        for _, w in ipairs(list) do arrived = arrived + (w.state == "arrived" and 1 or 0) end
      until arrived == #list or time > 60
      assert.is_true(time < 18, ("%d each: %g s"):format(each, time)) -- alone 6 s
    end
  end)

  it("waits for others at a door that they want to go through the same way, from whichever side they come", function()
    local map = wend.grid(24, 16):fill(12, 1, 12, 16, false):open(12, 8)
    local crowd, list, deepest = wend.crowd { map = map, seed = 3 }, {}, 0
    for i = 1, 16 do
      -- They wait along the wall, above and below the door, and go on to opposite sides behind it.
      local y = i % 2 == 0 and 1 + i / 2 * 0.8 or 15 - i / 2 * 0.8
      list[i] = crowd:add({ x = 10.2, y = y, radius = 0.35 }):go(14 + i / 3, i % 2 == 0 and 14 or 2)
    end
    for step = 1, 90 * 30 do
      crowd:update(1 / 30)
      for i = 1, step % 5 == 0 and #list or 0 do
        for k = 1, i - 1 do
          local a, b = list[i], list[k]
          deepest = math.max(deepest, 1 - math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) / (a.radius + b.radius))
        end
      end
    end
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
    assert.is_true(deepest < 0.05, deepest)
  end)

  it("comes apart from one that goes its way", function()
    local crowd, a, b = corridor({ squeeze = 1 }, { squeeze = false })
    approach(crowd, a, b, 0.6)
    b.radius = 0.3
    b:go(14, 0.5)
    for _ = 1, 3 * 30 do crowd:update(1 / 30) end
    assert.is_true(math.abs(a.x - b.x) >= 0.59, math.abs(a.x - b.x))
  end)

  it("does so only in a jam: queues at doors wait", function()
    local grid = wend.grid(40, 20):fill(20, 1, 20, 20, false):open(20, 10, 20, 11)
    local crowd, list = wend.crowd { map = grid }, {}
    for i = 0, 39 do list[i + 1] = crowd:add { x = 6 + i % 8, y = 5 + math.floor(i / 8) * 1.5, radius = 0.4 } end
    crowd:go(list, 32, 10)
    for _ = 1, 60 do
      for _ = 1, 30 do crowd:update(1 / 30) end
      local at = crowd:positions()
      for i = 1, #at, 2 do
        for j = i + 2, #at, 2 do
          assert.is_true((at[i] - at[j]) ^ 2 + (at[i + 1] - at[j + 1]) ^ 2 >= (0.8 * 0.98) ^ 2)
        end
      end
    end
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
  end)
end)

describe("the field squeeze", function()
  it("of a crowd is for walkers without one of their own", function()
    local crowd = wend.crowd { squeeze = 3 }
    local shared, own = crowd:add { x = 0, y = 0 }, crowd:add { x = 5, y = 0, squeeze = false }
    assert.same({ 3, false }, { crowd.squeeze, own.squeeze })
    assert.is_nil(shared.squeeze)
    crowd.squeeze, own.squeeze, shared.squeeze = nil, nil, math.huge
    assert.is_nil(crowd.squeeze)
    assert.is_nil(own.squeeze)
    assert.equal(math.huge, shared.squeeze)
  end)

  it("counts from when it is assigned", function()
    for _, who in ipairs { "crowd", "walker" } do
      local crowd, a, b = corridor({ squeeze = false }, {})
      crowd.squeeze = false
      a.patience = math.huge
      run(crowd, a, b, 8)
      assert.equal("moving", a.state)
      if who == "crowd" then a.squeeze, crowd.squeeze = nil, 2 else a.squeeze = 2 end
      run(crowd, a, b, 8)
      assert.equal("arrived", a.state)
    end
  end)

  it("must be a number > 0 or false", function()
    local crowd = wend.crowd()
    local w = crowd:add { x = 0, y = 0 }
    local function set(object, value) object.squeeze = value end
    for _, bad in ipairs { { 0, "0" }, { -1, "-1" }, { 0 / 0, "nan" }, { "soon", "'soon'" }, { true, "true" } } do
      local message = "squeeze must be a number > 0 or false, got " .. bad[2]
      raises(message, wend.crowd, { squeeze = bad[1] })
      raises(message, crowd.add, crowd, { x = 0, y = 0, squeeze = bad[1] })
      raises(message, set, crowd, bad[1])
      raises(message, set, w, bad[1])
    end
    assert.is_nil(w.squeeze)
    assert.equal(1, crowd:count())
  end)

  it("is saved, also while a walker passes through another one", function()
    local crowd, a, b = corridor({ squeeze = 1 }, { squeeze = false })
    a.squeeze, a.data, b.data = nil, "a", "b"
    approach(crowd, a, b, 0.6)
    local loaded = wend.decode(crowd:encode())
    assert.equal(1.0, loaded.squeeze)
    for w in loaded:each() do
      if w.data == "a" then assert.is_nil(w.squeeze) else assert.is_false(w.squeeze) end
    end
    for _ = 1, 300 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      assert.equal(crowd:hash(), loaded:hash())
    end
    assert.equal("arrived", a.state)
  end)
end)
