-- SPDX-License-Identifier: MIT
-- Walkers that stand: those that have arrived keep their heading and stay near their goals, and idle ones come back.
local helper = require "spec.support.helper"
local wend = require "wend"

local wait = helper.wait

local function distance(w, x, y) return math.sqrt((w.x - x) ^ 2 + (w.y - y) ^ 2) end

--- Plays so many seconds. Returns the degrees that walkers turned in a second in which they had arrived: the most, and
-- the mean.
local function watch_turns(crowd, walkers, seconds)
  local before, most, sum, count = {}, 0, 0, 0
  for _ = 1, seconds do
    wait(crowd, 1)
    for i, w in ipairs(walkers) do
      local heading = w.state == "arrived" and math.deg(w.heading)
      if heading and before[i] then
        local turned = math.abs((heading - before[i] + 180) % 360 - 180)
        most, sum, count = math.max(most, turned), sum + turned, count + 1
      end
      before[i] = heading
    end
  end
  return most, sum / count
end

describe("a walker that stands", function()
  it("turns by less than 10 degrees a second, in a group that fills its place", function()
    local crowd, walkers = wend.crowd { map = wend.grid(50, 30) }, {}
    for i = 1, 100 do
      walkers[i] = crowd:add { x = 2 + (i - 1) % 20 * 1.1, y = 2 + math.floor((i - 1) / 20) * 1.1, radius = 0.4 }
    end
    crowd:go(walkers, 38, 18)
    assert.is_true(watch_turns(crowd, walkers, 50) < 10)
    for _, w in ipairs(walkers) do assert.equal("arrived", w.state) end
  end)

  it("makes way for those that pass it to their places, and does not turn to and fro", function()
    local map = wend.grid(50, 30):fill(25, 1, 26, 30, false):open(25, 14, 26, 17)
    local crowd, walkers = wend.crowd { map = map }, {}
    for i = 0, 63 do
      walkers[i + 1] = crowd:add { x = 3 + i % 8 * 1.2, y = 10 + math.floor(i / 8) * 1.2, radius = 0.4, speed = 2 }
      walkers[i + 1]:go(36 + i % 8 * 1.2, 10 + math.floor(i / 8) * 1.2)
    end
    local _, mean = watch_turns(crowd, walkers, 45)
    assert.is_true(mean < 1)
    for _, w in ipairs(walkers) do
      assert.equal("arrived", w.state)
      assert.is_true(distance(w, w.goal_x, w.goal_y) < w.radius)
    end
  end)

  it("turns where it goes when it is far from its place", function()
    local crowd = wend.crowd()
    local w = crowd:add { x = 0, y = 0, radius = 0.5, speed = 3 }:go(9, 0)
    wait(crowd, 5)
    assert.equal("arrived", w.state)
    w:push(-12, 0)
    wait(crowd, 1)
    assert.is_true(math.abs(w.heading) > 2)
    wait(crowd, 5)
    assert.is_true(distance(w, 9, 0) < 0.5)
  end)

  it("comes back to its place if it is idle", function()
    local crowd, idle = wend.crowd { map = wend.grid(30, 20) }, {}
    for i = 0, 99 do idle[i] = crowd:add { x = 9 + i % 10 * 1.2, y = 4 + math.floor(i / 10) * 1.2, radius = 0.4 } end
    for i = 1, 16 do crowd:add { x = 2, y = i * 1.1, radius = 0.4, speed = 2 }:go(28, 18 - i) end
    local moved = 0
    for second = 1, 60 do
      wait(crowd, 1)
      for i = 0, 99 do
        local far = distance(idle[i], 9 + i % 10 * 1.2, 4 + math.floor(i / 10) * 1.2)
        moved = math.max(moved, far)
        assert.is_true(second < 60 or far < 0.4)
      end
    end
    assert.is_true(moved > 0.6)
  end)

  it("is on its way again when it was pushed out of sight of its goal", function()
    local map = wend.grid(12, 12):fill(5, 1, 5, 8, false)
    local crowd, events = wend.crowd { map = map }, {}
    local w = crowd:add { x = 8.5, y = 10.5, radius = 0.3, speed = 2, patience = 3 }:go(6.5, 1.5)
    function crowd.on_arrive() events[#events + 1] = "arrive" end
    function crowd.on_stuck() events[#events + 1] = "stuck" end
    wait(crowd, 10)
    assert.equal("arrived", w.state)
    w:push(0, 36)
    wait(crowd, 1)
    w:push(-22, 0)
    wait(crowd, 1)
    w:push(0, -28)
    wait(crowd, 2)
    assert.is_true(w.x < 4 and w.y < 8)
    wait(crowd, 20)
    assert.equal("arrived", w.state)
    assert.is_true(distance(w, 6.5, 1.5) < 0.3)
    assert.same({ "arrive", "arrive" }, events)
  end)

  it("is near its goal in the end, if it has arrived", function()
    helper.rounds("rest", 4, function(rng)
      local map, open = wend.grid(24, 24), {}
      for _ = 1, 40 do -- all ways are wide enough for two
        local x, y = 2 * rng(12), 2 * rng(12)
        map:fill(x - 1, y - 1, math.min(24, x + 2 * rng(0, 1)), y, false)
      end
      local x, y
      repeat x, y = rng(24), rng(24) until not map:is_closed(x, y)
      for cy = 1, 24 do
        for cx = 1, 24 do
          if not map:is_closed(cx, cy) and map:can_reach(cx, cy, x, y) then open[#open + 1] = { cx - 0.5, cy - 0.5 } end
        end
      end
      rng:shuffle(open)
      local crowd, walkers = wend.crowd { map = map }, {}
      for i = 1, math.min(90, math.floor(#open / 2)) do
        local from, to = open[2 * i - 1], open[2 * i]
        walkers[i] = crowd:add { x = from[1], y = from[2], radius = 0.3, speed = 2 }:go(to[1], to[2])
      end
      wait(crowd, 120)
      for i, w in ipairs(walkers) do
        local far = distance(w, open[2 * i][1], open[2 * i][2])
        assert.is_true(w.state ~= "arrived" or far < 0.3, ("%d %s %.2f"):format(i, w.state, far))
      end
    end)
  end)
end)
