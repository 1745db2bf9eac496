-- SPDX-License-Identifier: MIT
-- Sight over random grids of hexes, compared with lines that are cut where they come to the sides of hexes.
local helper = require "spec.support.helper"
local wend = require "wend"

--- The numbers of a hex along its three axes. Its sides lie 1 before and behind each.
local function axes_of(world, x, y)
  local line, along = world.flat and x or y, 2 * (world.flat and y or x)
  if (line % 2 == 1) == (world.shift == "odd") then along = along + 1 end
  return { (along - 3 * line) / 2, (along + 3 * line) / 2, -along }
end

local function random_world(rng)
  local world = { width = rng(9), height = rng(9), walls = {}, flat = rng:chance(0.5),
    shift = rng:pick { "odd", "even" } }
  world.grid = wend.grid(world.width, world.height, { shape = "hex", shift = world.shift, flat = world.flat })
  function world.at() return rng(world.width), rng(world.height) end
  local dense, walled = rng:pick { 0.05, 0.2, 0.4 }, rng:pick { 0, 0, 0.1, 0.3 }
  for y = 1, world.height do
    for x = 1, world.width do
      local tag = rng:pick { "window", "smoke", false, false } or nil
      world.grid:set(x, y, { tag = tag, closed = rng:chance(dense) })
    end
  end
  for y = 1, world.height do
    for x = 1, world.width do
      for dy = 0, 1 do
        for dx = -1, 1 do
          local x2, y2 = x + dx, y + dy
          if (dx ~= 0 or dy ~= 0) and world.grid:has(x2, y2) and rng:chance(walled) then
            pcall(world.grid.wall, world.grid, x, y, x2, y2, true, { directed = rng:chance(0.3) }) -- if neighbours
          end
        end
      end
    end
  end
  for x, y, x2, y2, directed in world.grid:walls() do
    world.walls[("%d,%d,%d,%d"):format(x, y, x2, y2)] = not directed
  end
  return world
end

--- Whether a cell blocks sight.
local function is_opaque(world, x, y, opts)
  local tag = select(2, world.grid:get(x, y))
  if opts.opaque and tag == opts.opaque[1] then return true end
  return world.grid:is_closed(x, y) and not (opts.transparent and tag == opts.transparent[1])
end

--- Whether a line passes from one hex to another: the same, or side by side without a wall.
local function passes(world, a, b)
  local from, to = axes_of(world, a[1], a[2]), axes_of(world, b[1], b[2])
  for i = 1, 3 do
    if math.abs(from[i] - to[i]) > 2 then return false end
  end
  local key = ("%d,%d,%d,%d"):format(a[1], a[2], b[1], b[2])
  local back = ("%d,%d,%d,%d"):format(b[1], b[2], a[1], a[2])
  return not world.walls[key] and not world.walls[back]
end

--- The hexes at a point of a line: one, or two if it runs between them.
local function hexes_at(world, point)
  local list = {}
  for y = 1, world.height do
    for x = 1, world.width do
      local axes, inside = axes_of(world, x, y), true
      for i = 1, 3 do inside = inside and math.abs(axes[i] - point[i]) <= 1 + 1e-9 end
      if inside then list[#list + 1] = { x, y } end
    end
  end
  return list
end

local function sees(world, x, y, x2, y2, opts)
  local from, to, cuts = axes_of(world, x, y), axes_of(world, x2, y2), { 0, 1 }
  for i = 1, 3 do
    local size = math.abs(to[i] - from[i])
    for n = 1, size - 1 do cuts[#cuts + 1] = n / size end
  end
  table.sort(cuts)
  local reached, between = { { x, y } }, 1
  for i = 2, #cuts do
    if cuts[i] > cuts[i - 1] then
      local middle, point, next_ones = (cuts[i] + cuts[i - 1]) / 2, {}, {}
      for k = 1, 3 do point[k] = from[k] + (to[k] - from[k]) * middle end
      local all = hexes_at(world, point)
      for _, hex in ipairs(#all == 2 and between == 2 and {} or all) do -- twice the same two: no change of sides
        local ends = (hex[1] == x2 and hex[2] == y2) or (hex[1] == x and hex[2] == y)
        for _, before in ipairs(reached) do
          if passes(world, before, hex) and (ends or not is_opaque(world, hex[1], hex[2], opts)) then
            next_ones[#next_ones + 1] = hex
            break
          end
        end
      end
      if #all ~= 2 or between ~= 2 then reached = next_ones end
      between = #all
    end
  end
  return #reached > 0
end

--- The number of steps between two hexes: the most along one axis, where a step is 2 long at most.
local function steps(world, x, y, x2, y2)
  local from, to, cube = axes_of(world, x, y), axes_of(world, x2, y2), 0
  for i = 1, 3 do cube = math.max(cube, math.abs((to[i] - from[i]) - (to[i % 3 + 1] - from[i % 3 + 1])) / 3) end
  return cube
end

describe("sight over random grids of hexes", function()
  it("is that of lines from centre to centre, both ways", function()
    helper.rounds("sight over hexes", 60, function(rng)
      local world = random_world(rng)
      local opts = rng:pick { {}, { opaque = { "smoke" } }, { transparent = { "window" } } }
      for _ = 1, 20 do
        local x, y = world.at()
        local x2, y2 = world.at()
        local expected = sees(world, x, y, x2, y2, opts)
        assert.equal(expected, world.grid:sees(x, y, x2, y2, opts))
        assert.equal(expected, world.grid:sees(x2, y2, x, y, opts))
      end
    end)
  end)

  it("reaches so many steps", function()
    helper.rounds("visible hexes", 20, function(rng)
      local world = random_world(rng)
      local x, y = world.at()
      local radius, expected = rng(0, 5), {}
      for y2 = 1, world.height do
        for x2 = 1, world.width do
          if steps(world, x, y, x2, y2) <= radius and sees(world, x, y, x2, y2, {}) then
            expected[#expected + 1], expected[#expected + 2] = x2, y2
          end
        end
      end
      assert.same(expected, world.grid:visible(x, y, radius))
      local layer = wend.influence(world.grid):visible_from({ x, y, x, y }, radius)
      for i = 1, #expected, 2 do assert.equal(2, layer:get(expected[i], expected[i + 1])) end
    end)
  end)

  it("is where a path ends that is to see its goal", function()
    helper.rounds("paths that see over hexes", 40, function(rng)
      local world = random_world(rng)
      for _ = 1, 4 do
        local x, y = world.at()
        local gx, gy = world.at()
        local within = rng:pick { 2, 4, false } or nil
        local reach, best = world.grid:field(x, y, { outward = true }), nil
        for y2 = 1, world.height do
          for x2 = 1, world.width do
            local cost = reach:cost(x2, y2) or (x2 == x and y2 == y and 0 or nil)
            if cost and (not within or steps(world, x2, y2, gx, gy) <= within) and (not best or cost < best) and
              sees(world, x2, y2, gx, gy, {}) then
              best = cost
            end
          end
        end
        local path = world.grid:path(x, y, gx, gy, { sight = true, within = within })
        assert.equal(best, path and path.cost)
        path = world.grid:path(x, y, { gx, gy }, { sight = { opaque = {} }, within = within })
        assert.equal(best, path and path.cost)
      end
    end)
  end)
end)
