-- SPDX-License-Identifier: MIT
-- Walkers on random levels where some cells are blocked by walkers that are held. A walker that can walk around them
-- arrives; the others report that they are stuck. A search on a copy of the level, where these cells are closed, tells
-- who can.
local helper = require "spec.support.helper"
local wend = require "wend"

local WIDTH, HEIGHT = 17, 11

--- A level of rooms and corridors: a random maze of corridors 1 wide, with some walls taken away.
local function random_maze(rng)
  local grid = wend.grid(WIDTH, HEIGHT, { cell = rng:pick { 1, 16 } }):fill(false)
  local stack = { { 1, 1 } }
  grid:open(1, 1)
  while #stack > 0 do
    local x, y = stack[#stack][1], stack[#stack][2]
    local ways = {}
    for _, way in ipairs { { 2, 0 }, { -2, 0 }, { 0, 2 }, { 0, -2 } } do
      local nx, ny = x + way[1], y + way[2]
      if grid:has(nx, ny) and grid:is_closed(nx, ny) then ways[#ways + 1] = way end
    end
    if #ways == 0 then
      stack[#stack] = nil
    else
      local way = rng:pick(ways)
      grid:open(x + way[1] / 2, y + way[2] / 2):open(x + way[1], y + way[2])
      stack[#stack + 1] = { x + way[1], y + way[2] }
    end
  end
  for _ = 1, rng(10, 50) do grid:open(rng(WIDTH), rng(HEIGHT)) end
  return grid
end

--- Draws open cells that are all different.
local function draw_cells(rng, grid)
  local cells = {}
  for y = 1, HEIGHT do
    for x = 1, WIDTH do
      if not grid:is_closed(x, y) then cells[#cells + 1] = { x, y } end
    end
  end
  rng:shuffle(cells)
  local n = 0
  return function()
    n = n + 1
    return cells[n][1], cells[n][2]
  end
end

--- Makes the crowd of a level.
-- @return the crowd, { walker, whether it can arrive } for each walker that moves, and what was said of each
local function populate(grid, statues, trips)
  local crowd, copy, list, said = wend.crowd { map = grid }, grid:copy(), {}, {}
  local cell = grid:cell_size()
  for _, at in ipairs(statues) do
    local x, y = grid:position(at[1], at[2])
    crowd:add({ x = x, y = y, radius = 0.4 * cell }):pause()
    copy:close(at[1], at[2])
  end
  for i, trip in ipairs(trips) do
    local x, y = grid:position(trip[1], trip[2])
    local w = crowd:add { x = x, y = y, radius = 0.3 * cell, data = i }
    list[i] = { w, copy:path(trip[1], trip[2], trip[3], trip[4]) ~= nil }
    w:go(grid:position(trip[3], trip[4]))
  end
  crowd.on_arrive = function(w) said[w.data] = "arrived" end
  crowd.on_stuck = function(w) said[w.data] = said[w.data] or "stuck" end
  crowd.on_lost = function(w) said[w.data] = said[w.data] or "lost" end
  return crowd, list, said
end

local function random_scene(rng, most)
  local grid, trips = random_maze(rng), {}
  local draw, held, taken = draw_cells(rng, grid), {}, {}
  local function take(x, y) taken[y * WIDTH + x] = true end
  for i = 1, rng(1, most) do
    local x, y = draw()
    local goal_x, goal_y = draw()
    trips[i] = { x, y, goal_x, goal_y }
    take(x, y)
    take(goal_x, goal_y)
  end
  for _, trip in ipairs(trips) do                -- one in the middle of each way
    local path = grid:path(trip[1], trip[2], trip[3], trip[4])
    local at = path and #path > 4 and 2 * rng(2, #path / 2 - 1) - 1
    if at and not taken[path[at + 1] * WIDTH + path[at]] then
      held[#held + 1] = { path[at], path[at + 1] }
      take(path[at], path[at + 1])
    end
  end
  for _ = 1, rng(0, 3) do
    local x, y = draw()
    if not taken[y * WIDTH + x] then
      held[#held + 1] = { x, y }
      take(x, y)
    end
  end
  return grid, held, trips
end

describe("a walker behind one that is held", function()
  it("arrives if there is another way, and otherwise says what becomes of it", function()
    helper.rounds("crowd jam", 30, function(rng)
      local grid, held, trips, around
      local wanted = rng:chance(0.7)
      repeat
        grid, held, trips = random_scene(rng, 1)
        local closed, trip = grid:copy(), trips[1]
        for _, at in ipairs(held) do closed:close(at[1], at[2]) end
        local path, way = grid:path(trip[1], trip[2], trip[3], trip[4]), closed:path(trip[1], trip[2], trip[3], trip[4])
        around = path and way and way.cost > path.cost + 3
      until around or not wanted
      local crowd, list, said = populate(grid, held, trips)
      local one, can = list[1][1], list[1][2]
      for _ = 1, 30 * 240 do
        crowd:update(1 / 30)
        if said[1] then break end
      end
      if can then assert.equal("arrived", said[1]) end
      assert.truthy(said[1])                            -- it may get past where the judge sees no room
      assert.equal(said[1], one.state)
      if not can and one.blocked_by then assert.is_true(one.blocked_by.paused) end
    end)
  end)

  it("is not alone, and each of them says what becomes of it", function()
    helper.rounds("crowd jams", 12, function(rng)
      local grid, statues, trips = random_scene(rng, 6)
      local crowd, list, said = populate(grid, statues, trips)
      local twin = populate(grid, statues, trips)
      local half, rate = rng(60, 600), rng:pick { 10, 15, 60 }
      local steps = 0                            -- that the crowd has taken more than its twin
      for i = 1, 30 * 120 do
        steps = steps + crowd:update(1 / 30)
        if i == half and crowd._queue:pending() == 0 then         -- no plan is under way
          local loaded = assert(wend.decode(crowd:encode(), { map = grid }))
          assert.equal(crowd:encode(), loaded:encode())
          for _ = 1, 600 do
            steps = steps + crowd:update(1 / 30)
            loaded:update(1 / 30)
            assert.equal((crowd:hash()), (loaded:hash()))
          end
        end
      end
      for _ = 1, 120 * rate do steps = steps - twin:update(1 / rate) end
      if steps > 0 then
        for _ = 1, 20 * rate do twin:update(1 / rate) end
      end
      assert.equal((crowd:hash()), (twin:hash()))
      for i in ipairs(list) do assert.truthy(said[i]) end
    end)
  end)
end)
