-- SPDX-License-Identifier: MIT
-- Walkers that are slow, and their ways around jams.
local wend = require "wend"

--- Two rooms, with a short corridor between them in the north and a longer way in the south. held: a walker stands in
-- the short one, and does not make way.
local function ring(held)
  local grid = wend.grid(24, 12):fill(3, 2, 20, 10, false)
  local crowd = wend.crowd { map = grid }
  local statue = crowd:add { x = 11.5, y = 0.5, radius = 0.45 }
  if held then statue:pause() end
  return crowd, grid, statue
end

local function run(crowd, seconds, stop)
  for i = 1, seconds * 30 do
    crowd:update(1 / 30)
    if stop and stop() then return i / 30 end
  end
  return seconds
end

--- A hall with a wall at x = 20 and doors in it, and walkers that go through it. Returns when the last one arrives.
local function through(doors, count)
  local grid = wend.grid(40, 40):fill(20, 1, 20, 40, false)
  for _, y in ipairs(doors) do grid:open(20, y) end
  local crowd, list, left = wend.crowd { map = grid }, {}, count
  for i = 0, count - 1 do
    list[i + 1] = crowd:add { x = 17.5 - math.floor(i / 8) * 1.2, y = 8 + i % 8 * 1.2, radius = 0.45 }
  end
  crowd:go(list, 32, 20)
  crowd.on_arrive = function() left = left - 1 end
  return run(crowd, 240, function() return left == 0 end), left, crowd
end

describe("a walker that is slow", function()
  it("goes round a corridor in which somebody is held", function()
    local crowd = ring(true)
    local w = crowd:add { x = 0.5, y = 0.5, radius = 0.45 }
    local stuck = false
    crowd.on_stuck = function() stuck = true end
    w:go(23.5, 0.5)
    run(crowd, 60)
    assert.same({ "arrived", false }, { w.state, stuck })
  end)

  it("goes round a diagonal row of walkers that are held", function()
    local crowd = wend.crowd { map = wend.grid(30, 30) }
    for x = 4, 25 do crowd:add({ x = x + 0.5, y = 30.5 - x, radius = 0.45 }):pause() end
    local w = crowd:add({ x = 7.5, y = 8.2, radius = 0.3 }):go(24.8, 23.5)
    run(crowd, 60, function() return w.state == "arrived" end)
    assert.equal("arrived", w.state)
  end)

  it("goes round two that are held, if its goal is beside both of them", function()
    local crowd = wend.crowd { map = wend.grid(3, 25):fill(2, 3, 2, 24, false) }
    crowd:add({ x = 2.5, y = 0.5, radius = 0.4 }):pause()
    crowd:add({ x = 1.5, y = 1.5, radius = 0.4 }):pause()
    local w = crowd:add({ x = 0.5, y = 0.5, radius = 0.3 }):go(2.5, 1.5)
    run(crowd, 60, function() return w.state == "arrived" end)
    assert.equal("arrived", w.state)
  end)

  it("goes to another door if one with a higher priority stands in the near one", function()
    for _, far in ipairs { 3, 20 } do
      local grid, list = wend.grid(40, 30):fill(21, 1, 21, 30, false):open(21, 5):open(21, 5 + far), {}
      local crowd = wend.crowd { map = grid }
      crowd:add { x = 20.5, y = 4.5, radius = 0.4, priority = 1 }
      for i = 0, 9 do
        local x, y = i % 4, 3 + math.floor(i / 4) * 1.2
        list[i + 1] = crowd:add({ x = 10 + x, y = y, radius = 0.4 }):go(30 + x, y)
      end
      run(crowd, 60)
      for _, w in ipairs(list) do assert.equal("arrived", w.state) end
    end
  end)

  it("takes those behind it with it", function()
    local crowd = ring(true)
    local list = {}
    for i = 1, 5 do list[i] = crowd:add { x = 0.5, y = i, radius = 0.4 } end
    crowd:go(list, 22, 6)
    run(crowd, 60)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
  end)

  it("waits if there is no other way, and is stuck in the end", function()
    local crowd, grid, statue = ring(true)
    grid:close(12, 11, 12, 12)
    local w, by = crowd:add { x = 0.5, y = 0.5, radius = 0.45 }, nil
    crowd.on_stuck = function(_, blocked_by) by = blocked_by end
    w:go(23.5, 0.5)
    local time = run(crowd, 60, function() return by end)
    assert.equal(statue, by)
    assert.is_true(time < 20)
    assert.equal("stuck", w.state)
    statue:remove()
    run(crowd, 30)
    assert.equal("arrived", w.state)
  end)

  it("goes on along its way where the jam ends before it has gone round", function()
    local crowd, _, statue = ring(true)
    local w = crowd:add { x = 0.5, y = 0.5, radius = 0.45 }
    w:go(23.5, 0.5)
    run(crowd, 9)
    statue:remove()
    local time = run(crowd, 60, function() return w.state == "arrived" end)
    assert.is_true(time < 13)
  end)

  it("goes to another door if the queue at the near one takes longer", function()
    local one, left_one = through({ 12 }, 60)
    local two, left_two = through({ 12, 24 }, 60)
    assert.same({ 0, 0 }, { left_one, left_two })
    assert.is_true(two < 0.8 * one, ("one door: %.1f s, two: %.1f s"):format(one, two))
  end)

  it("stays in a queue that is faster than the way around", function()
    local grid = wend.grid(120, 8):fill(2, 2, 119, 7, false)
    local crowd = wend.crowd { map = grid }
    local slow = crowd:add { x = 3.5, y = 0.5, radius = 0.45, speed = 0.5 }
    local w = crowd:add { x = 1.5, y = 0.5, radius = 0.45 }
    slow:go(119.5, 0.5)
    w:go(60.5, 0.5)
    local lowest = 0
    run(crowd, 120, function() lowest = math.max(lowest, w.y) end)
    assert.is_true(lowest < 2)
  end)

  it("goes on identically after it was saved, at any time", function()
    for seconds = 3, 11 do
      local crowd, grid = ring(true)
      for i = 1, 5 do crowd:add({ x = 0.5, y = i, radius = 0.4 }):go(23.5, 0.5) end
      run(crowd, seconds)
      local bytes = crowd:encode()
      local loaded = assert(wend.decode(bytes, { map = grid }))
      assert.equal(bytes, loaded:encode())
      for _ = 1, 900 do
        crowd:update(1 / 30)
        loaded:update(1 / 30)
        assert.equal((crowd:hash()), (loaded:hash()))
      end
    end
  end)

  it("goes round the same way at any frame rate", function()
    local hashes = {}
    for _, rate in ipairs { 10, 30, 60 } do
      local crowd = ring(true)
      for i = 1, 5 do crowd:add({ x = 0.5, y = i, radius = 0.4 }):go(23.5, 0.5) end
      for _ = 1, 40 * rate do crowd:update(1 / rate) end
      hashes[#hashes + 1] = (crowd:hash())
    end
    assert.same({ hashes[1], hashes[1] }, { hashes[2], hashes[3] })
  end)
end)
