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

describe("a saved crowd", function()
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
