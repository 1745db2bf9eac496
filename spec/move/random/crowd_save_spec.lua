-- SPDX-License-Identifier: MIT
-- Crowds that are saved in the middle of random scenes: the loaded crowd takes the same steps, bit by bit.
local crowd_reference = require "spec.move.support.crowd_reference"
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local play, random_map, random_order = crowd_reference.play, crowd_reference.random_map, crowd_reference.random_order

--- The walkers of a loaded crowd, in the order of another list.
local function walkers_of(crowd, walkers)
  local list, by_data = {}, {}
  for w in crowd:each() do by_data[w.data] = w end
  for i in ipairs(walkers) do list[i] = by_data[i] or { state = "removed" } end
  return list
end

local function copy_of(map) return map and wend.decode(map:encode()) or nil end

local lies = { "\0", "\1", "\255", "\127", ("\0"):rep(8), ("\255"):rep(8), "\255\255\255\255", "\0\0\0\0\0\0\248\127",
  "\0\0\0\0\0\0\240\127", "\0\0\0\0\0\0\240\255", "\0\0\0\0\0\0\240\63", "\0\0\0\0\101\205\205\65" }

--- Equal crowds with a small budget, in the middle of a random scene.
local function random_crowds(rng, count)
  local map, budget, all = random_map(rng), rng:pick { 5, 20, 100, 4096 }, {}
  for i = 1, count do
    local own = i == 1 and map or copy_of(map)
    all[i] = { wend.crowd { map = own, budget = budget }, own, {} }
  end
  for _ = 1, rng(2, 12) do
    local order = random_order(rng, map, 0)
    for _, one in ipairs(all) do order(one[1], one[2], one[3]) end
  end
  return all
end

--- Lists the events of a crowd as text.
local function listen(one, list)
  for _, name in ipairs { "on_arrive", "on_stuck", "on_lost" } do
    one[1][name] = function(w, other, code)
      if type(other) == "table" then other = other.data end
      list[#list + 1] = table.concat({ name, tostring(w.data), tostring(other), tostring(code) }, " ")
    end
  end
  return list
end

describe("crowd:encode", function()
  it("does not change the crowd, whenever it is called, however often", function()
    local waited = 0
    helper.rounds("crowd encode", 25, function(rng)
      local all = random_crowds(rng, 2)
      local saved, twin = all[1], all[2]
      local events, others = listen(saved, {}), listen(twin, {})
      play(rng, all, 200, function()
        if rng:chance(0.2) then
          local q = saved[1]._queue
          waited = waited + (q and q:pending() or 0)
          saved[1]:encode()
        end
        assert.equal(saved[1]:hash(), twin[1]:hash())
      end)
      assert.same(others, events)
    end)
    assert.truthy(waited > 0 or not helper.all_rounds())
  end)
end)

describe("a saved crowd", function()
  it("goes on like the crowd that was saved, with plans that wait", function()
    local waited = 0
    helper.rounds("crowd waits", 25, function(rng)
      local saved = random_crowds(rng, 1)[1]
      local map = saved[2]
      play(rng, { saved }, rng(0, 120), nil, false, true)
      local q = saved[1]._queue
      for _ = 1, 200 do
        if not q or q:pending() > 0 then break end
        play(rng, { saved }, 1, nil, false, true)
      end
      waited = waited + (q and q:pending() or 0)
      local copy = copy_of(map)
      local loaded = assert(wend.decode(saved[1]:encode(), { map = copy }))
      local twin = { loaded, copy, walkers_of(loaded, saved[3]) }
      local events, others = listen(saved, {}), listen(twin, {})
      play(rng, { saved, twin }, 200, function() assert.equal(saved[1]:hash(), loaded:hash()) end)
      assert.same(events, others)
    end)
    assert.truthy(waited > 0 or not helper.all_rounds())
  end)

  it("goes on with groups, shared searches, chases and wide walkers in a narrow map", function()
    local shared = 0
    helper.rounds("crowd shares", 4, function(rng)
      local grid = wend.grid(60, 40):fill(30, 1, 30, 40, false):open(30, 10, 30, 11):open(30, 30)
      for _ = 1, 25 do
        local x, y = rng(50), rng(38)
        grid:fill(x, y, x + rng(0, 8), y + rng(0, 1), false)
      end
      local crowd, walkers = wend.crowd { map = grid, budget = rng:pick { 30, 200, 1000 } }, {}
      for i = 1, 100 do
        walkers[i] = crowd:add { x = rng() * 60, y = rng() * 40, radius = rng:pick { 0.2, 0.3, 0.45, 0.7 }, data = i,
          patience = 6 }
      end
      local all = { { crowd, grid, walkers } }
      local function run(steps, check)
        for _ = 1, steps do
          local x, y, who, kind = rng() * 60, rng() * 40, rng(60), rng(40)
          for _, one in ipairs(all) do
            local list = {}
            for i = who, who + 40 do list[#list + 1] = one[3][i] end
            if kind == 1 then one[1]:go(list, x, y)
            elseif kind == 2 then for i = 1, 9 do list[i]:chase(list[20]) end
            elseif kind == 3 then for i = 1, 30 do list[i]:go(x, y, { partial = true }) end
            elseif kind < 20 then list[1]:go(x, y) end
            one[1]:update(1 / 30)
          end
          if check then assert.equal(all[1][1]:hash(), all[2][1]:hash()) end
        end
      end
      run(rng(60, 120))
      for _ = 1, 100 do                          -- until walkers share a search
        if next(crowd._queue.groups.by_goal) then
          shared = shared + 1
          break
        end
        run(1)
      end
      local copy = grid:copy()
      local loaded = assert(wend.decode(crowd:encode(), { map = copy }))
      all[2] = { loaded, copy, walkers_of(loaded, walkers) }
      run(150, true)
    end)
    assert.truthy(shared > 0 or not helper.all_rounds())
  end)

  it("goes on bit by bit like the crowd that was saved", function()
    helper.rounds("crowd save", 25, function(rng)
      local map = random_map(rng)
      local walls = rng:chance(0.5) and wend.walls() or nil
      if walls then
        walls:add_segment(3, 3, 9, 8)
        walls:add_circle(12, 6, 1.5)
      end
      local crowd = wend.crowd { map = map, walls = walls, budget = rng:pick { 100, 4096 } }
      local walkers = {}
      for _ = 1, rng(0, 12) do random_order(rng, map, 0, true)(crowd, map, walkers) end
      play(rng, { { crowd, map, walkers } }, rng(0, 120), nil, true)
      local q = crowd._queue
      for _ = 1, 1000 do                        -- no plan is under way
        if not q or q:pending() == 0 then break end
        crowd:update(1 / 30)
      end
      local bytes = crowd:encode()
      local copy = copy_of(map)
      local loaded = assert(wend.decode(bytes, { map = copy }))
      assert.equal(bytes, loaded:encode())
      local twin = { loaded, copy, walkers_of(loaded, walkers) }
      play(rng, { { crowd, map, walkers }, twin }, 300, function(i)
        assert.equal((crowd:hash()), (loaded:hash()))
        if i % 60 == 0 and (not q or q:pending() == 0) then
          assert.equal(crowd:encode(), loaded:encode())
        end
      end)
    end)
  end)

  it("is refused where it is damaged, or is a crowd that can move", function()
    helper.rounds("crowd lies", 60, function(rng)
      local map = random_map(rng)
      local crowd = wend.crowd { map = map }
      local walkers = {}
      for _ = 1, rng(1, 6) do random_order(rng, map, 0, true)(crowd, map, walkers) end
      play(rng, { { crowd, map, walkers } }, rng(0, 60))
      local bytes = crowd:encode()
      for _ = 1, rng(3) do
        local lie = rng:pick(lies)
        local at = rng(17, #bytes)
        if rng:chance(0.5) then at = math.max(#bytes - rng(3000), 17) end
        bytes = file_reference.patch(bytes, math.min(at, #bytes - #lie + 1), lie)
      end
      bytes = file_reference.mend(bytes)
      local loaded, message, code = wend.decode(bytes, { map = map })
      if loaded then
        for _ = 1, 20 do loaded:update(1 / 30) end
        for w in loaded:each() do w:go(5, 5) end
        loaded:update(0.2)
        assert.equal("string", type(loaded:encode()))
      else
        assert.equal("string", type(message))
        assert.truthy(code == "format" or code == "stale")
      end
    end)
  end)
end)
