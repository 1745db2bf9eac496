-- SPDX-License-Identifier: MIT
-- Crowds that are saved in the middle of random scenes: the loaded crowd takes the same steps, bit by bit.
local file_reference = require "spec.file_reference"
local helper = require "spec.helper"
local wend = require "wend"
local places = require "wend.crowd.places"

--- A map, of no kind, a grid or a graph, and a function that makes an equal one.
local function random_map(rng)
  local kind = rng(4)
  if kind == 1 then
    return nil
  elseif kind == 2 then
    local graph = wend.graph()
    for _ = 1, 12 do graph:add_node(rng() * 20, rng() * 20) end
    for _ = 1, 30 do graph:add_edge(rng(12), rng(12)) end
    return graph
  end
  local width, height = rng(8, 24), rng(6, 16)
  local grid = wend.grid(width, height, { cell = rng:pick { 1, 1, 16 }, origin = rng:pick { { 0, 0 }, { -50, 7 } } })
  for _ = 1, rng(0, math.floor(width * height / 12)) do grid:set(rng(width), rng(height), false) end
  for _ = 1, rng(0, 4) do
    local x, y = rng(width - 1), rng(height)
    grid:wall(x, y, x + 1, y)
  end
  return grid
end

--- Draws an order: a function that carries it out for a crowd, its map and its walkers. plain: without fields, which
--- are not saved.
local function random_order(rng, map, n, plain)
  local grid = wend.type(map) == "grid" and map
  local cell, left, top, width, height = 1, 0, 0, 20, 20
  if grid then
    cell = grid:cell_size()
    left, top = grid:origin()
    width, height = grid:width(), grid:height()
  end
  local function point() return left + rng() * width * cell, top + rng() * height * cell end
  local x, y = point()
  local x2, y2 = point()
  local what, index, last = rng(14), rng(math.max(n, 1)), rng(math.max(n, 1))
  local vx, vy, held = rng(-9, 9) * cell, rng(-9, 9) * cell, rng:chance(0.5)
  local radius, speed = rng(1, 6) * 0.1 * cell, rng(1, 9) * 0.5 * cell
  local group, avoids, priority = rng:pick { "a", "b", "count" }, rng:chance(0.3) and { "a" } or nil, rng(0, 2)
  local cx, cy, closed = rng(width), rng(height), rng:chance(0.5)
  return function(crowd, its_map, walkers)
    local w = walkers[index]
    if what <= 3 or not w then
      walkers[#walkers + 1] = crowd:add { x = x, y = y, radius = radius, speed = speed, group = group, avoids = avoids,
        priority = priority, patience = 3, acceleration = group == "b" and 2 * cell or nil, data = #walkers + 1 }
      return
    end
    local list = {}
    for i = math.min(index, last), math.max(index, last) do
      if walkers[i].state ~= "removed" then list[#list + 1] = walkers[i] end
    end
    if what == 4 and grid then
      its_map:set(cx, cy, not closed and 1)
    elseif what == 5 then
      crowd:go(list, x, y)
    elseif w.state == "removed" then
      crowd:go(list, x2, y2)
    elseif what == 6 then w:push(vx, vy)
    elseif what == 7 then w:hold(held)
    elseif what == 8 then w:stop()
    elseif what == 9 then w:remove()
    elseif what == 10 then w:place(x2, y2)
    elseif what == 11 then w:go { x, y, x2, y2 }
    elseif what == 12 and grid and not plain and not its_map:is_closed(cx, cy) then
      w:go(its_map:field(cx, cy))
    else
      w:go(x, y)
    end
  end
end

--- Lets a random number of orders and updates happen to each of some crowds. Each is { crowd, map, walkers }.
-- after(i) is called after each update.
local function play(rng, all, count, after, plain)
  for i = 1, count do
    if rng:chance(0.3) then
      local order = random_order(rng, all[1][2], #all[1][3], plain)
      for _, one in ipairs(all) do order(one[1], one[2], one[3]) end
    end
    local dt = rng:pick { 1 / 30, 1 / 60, 0.1 }
    for _, one in ipairs(all) do one[1]:update(dt) end
    if after then after(i) end
  end
end

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
      for _ = 1, rng(0, 12) do random_order(rng, map, 0)(crowd, map, walkers) end
      play(rng, { { crowd, map, walkers } }, rng(0, 120), nil, true)
      local q = crowd[places.QUEUE]
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
      for _ = 1, rng(1, 6) do random_order(rng, map, 0)(crowd, map, walkers) end
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
