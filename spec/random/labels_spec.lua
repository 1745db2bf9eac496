-- SPDX-License-Identifier: MIT
-- Labels of grids, of widths around those of words of bits, against a flood over the cells: with walls, tags that are
-- closed for the agent, edits, and labels made in slices. A failure prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local wend = require "wend"

local WIDTHS = { 1, 2, 30, 61, 62, 63, 64, 65, 66, 126, 127, 128, 129, 190, 191, 192 }

-- A random grid. open[y][x]: for the agent. walls["x y east"], walls["x y south"].
local function random_world(rng)
  local width, height = rng:pick(WIDTHS), rng(1, 40)
  local world = { width = width, height = height, open = {}, walls = {}, always = rng:chance(0.4) }
  local diagonals = world.always and "always" or rng:pick { "never", "both_open", "one_open" }
  local grid = wend.grid(width, height, { diagonals = diagonals })
  local share, doors, weights = rng:pick { 0, 0.1, 0.4, 0.6 }, rng:pick { 0, 0.1, 0.4 }, rng:pick { 1, 3, 9 }
  local walled = rng:pick { 0, 0, 0.02, 0.4 }
  for y = 1, height do
    world.open[y] = {}
    for x = 1, width do
      local door = rng:chance(doors)
      grid:set(x, y, { weight = rng(weights), tag = door and "door" or nil })
      world.open[y][x] = not door
      if rng:chance(share) then
        grid:close(x, y)
        world.open[y][x] = false
      end
      if x < width and rng:chance(walled) then
        grid:wall(x, y, x + 1, y)
        world.walls[x .. " " .. y .. " east"] = true
      end
      if y < height and rng:chance(walled) then
        grid:wall(x, y, x, y + 1)
        world.walls[x .. " " .. y .. " south"] = true
      end
    end
  end
  return world, grid
end

-- Whether there is a straight step, as far as walls tell.
local function passes(world, x, y, dx, dy)
  if dx ~= 0 then return not world.walls[math.min(x, x + dx) .. " " .. y .. " east"] end
  return not world.walls[x .. " " .. math.min(y, y + dy) .. " south"]
end

local function steps(world, x, y, dx, dy)
  local row = world.open[y + dy]
  if not (row and row[x + dx]) then return false end
  if dx == 0 or dy == 0 then return passes(world, x, y, dx, dy) end
  return world.always and ((passes(world, x, y, dx, 0) and passes(world, x + dx, y, 0, dy))
    or (passes(world, x, y, 0, dy) and passes(world, x, y + dy, dx, 0)))
end

-- The component of each open cell.
local function flood(world)
  local component, count = {}, 0
  for y = 1, world.height do
    for x = 1, world.width do
      local stack = {}
      if world.open[y][x] and not component[y * 1000 + x] then
        count = count + 1
        component[y * 1000 + x] = count
        stack[1] = { x, y }
      end
      while #stack > 0 do
        local at = table.remove(stack)
        for dy = -1, 1 do
          for dx = -1, 1 do
            local key = (at[2] + dy) * 1000 + at[1] + dx
            if steps(world, at[1], at[2], dx, dy) and not component[key] then
              component[key] = count
              stack[#stack + 1] = { at[1] + dx, at[2] + dy }
            end
          end
        end
      end
    end
  end
  return component
end

-- Draws an open cell. Nil: it found none.
local function open_cell(rng, world)
  for _ = 1, 20 do
    local x, y = rng(world.width), rng(world.height)
    if world.open[y][x] then return x, y end
  end
end

-- Opens and closes some cells.
local function edit(rng, world, grid)
  for _ = 1, rng(12) do
    local x, y = rng(world.width), rng(world.height)
    world.open[y][x] = rng:chance(0.5)
    if world.open[y][x] then grid:set(x, y, 1) else grid:close(x, y) end
  end
end

describe("labels of random grids", function()
  local known = 0

  it("tell apart what a flood does", function()
    helper.rounds("labels", 120, function(rng)
      local world, grid = random_world(rng)
      local component = flood(world)
      local costs = wend.costs { door = false }
      for i = 1, 200 do
        if i % 100 == 0 then
          edit(rng, world, grid)
          component = flood(world)
        end
        local x, y = open_cell(rng, world)
        local to_x, to_y = open_cell(rng, world)
        if not (x and to_x) then return end
        local expected, stats = component[y * 1000 + x] == component[to_y * 1000 + to_x], {}
        local found
        if i % 10 == 0 then
          local search = grid:search(x, y, to_x, to_y, { costs = costs, stats = stats })
          repeat local state = wend.core.run(search, 3) until state ~= "running"
          found = search:result() ~= nil
        elseif i % 3 == 0 then
          found = grid:path(x, y, to_x, to_y, { costs = costs, stats = stats }) ~= nil
        else
          found = grid:can_reach(x, y, to_x, to_y, { costs = costs })
        end
        assert.equal(expected, found)
        if stats.known then known = known + 1 end
      end
    end)
    if helper.all_rounds() then assert.is_true(known > 100, known) end
  end)
end)
