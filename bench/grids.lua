-- SPDX-License-Identifier: MIT
-- The grids that sections search, and the trips on them.
--
-- An input: name, width, height, weights (row by row, math.huge: closed). Its methods make the map of
-- each contestant. Trips are flat lists: x1, y1, x2, y2, x1, ….

local common, graphs = require "common", require "graphs"
local wend = require "wend"
local reference = require "wend_bench_reference_grid"
local has_libtcod, libtcod = pcall(require, "wend_bench_libtcod")

local grids = {}

local input = {}
input.__index = input

local function new(fields)
  local least = math.huge
  for i = 1, fields.width * fields.height do least = math.min(least, fields.weights[i]) end
  fields.least = least
  return setmetatable(fields, input)
end

function input:reference()
  self.reference_map = self.reference_map or reference.map(self.width, self.height, self.weights)
  return self.reference_map
end

-- The map of libtcod; nil if its module was not built.
function input:libtcod() return has_libtcod and libtcod.map(self.width, self.height, self.weights) or nil end

function input:wend()
  return wend.grid(self.width, self.height):map(function(x, y)
    return self.weights[(y - 1) * self.width + x]
  end)
end

-- The same grid with tags instead of weights, and the profile that gives their costs.
function input:wend_by_tag()
  local names, factors = {}, {}
  for i = 1, self.width * self.height do
    local weight = self.weights[i]
    if weight < math.huge and not names[weight] then
      names[weight] = "terrain" .. weight
      factors[names[weight]] = weight
    end
  end
  local grid = wend.grid(self.width, self.height):map(function(x, y)
    return names[self.weights[(y - 1) * self.width + x]] or false
  end)
  return grid, wend.costs(factors)
end

-- Drops the list of weights, as release does in graphs.lua.
function input:release()
  self.weights = nil
  collectgarbage()
end

-- A function of x and y, from 0 to 1, that changes slowly: random values at every `step`-th place, interpolated
-- linearly between them.
local function noise(step)
  local seed, values = math.random(1 << 30), {}
  local function value(i, j)
    local at = i << 16 | j
    if not values[at] then
      local mixed = (at + seed) * 0x9E3779B97F4A7C15
      mixed = (mixed ~ mixed >> 29) * 0xBF58476D1CE4E5B9
      values[at] = (mixed >> 40) / 0x1p24
    end
    return values[at]
  end
  return function(x, y)
    local i, j = x // step, y // step
    local u, v = x / step - i, y / step - j
    local upper = value(i, j) * (1 - u) + value(i + 1, j) * u
    local lower = value(i, j + 1) * (1 - u) + value(i + 1, j + 1) * u
    return upper * (1 - v) + lower * v
  end
end

-- Fills a list row by row.
local function each_cell(width, height, weight)
  local weights = {}
  for y = 1, height do
    for x = 1, width do weights[(y - 1) * width + x] = weight(x, y) end
  end
  return weights
end

-- Islands and bays: a third is closed.
function grids.made(side)
  math.randomseed(graphs.seed)
  local coarse, fine = noise(32), noise(6)
  return new {
    name = "made" .. side, width = side, height = side,
    weights = each_cell(side, side, function(x, y)
      return 0.6 * coarse(x, y) + 0.4 * fine(x, y) < 0.56 and 1 or math.huge
    end),
  }
end

-- Cells that are closed by chance: this share of them.
function grids.speckled(side, share)
  math.randomseed(graphs.seed)
  return new {
    name = "speckled" .. side, width = side, height = side,
    weights = each_cell(side, side, function() return math.random() < share and math.huge or 1 end),
  }
end

-- The same map with other weights. factor(x, y): of the weight of a cell.
function input:weighted(name, factor)
  return new {
    name = self.name .. " " .. name, width = self.width, height = self.height, file = self.file,
    weights = each_cell(self.width, self.height, function(x, y)
      return self.weights[(y - 1) * self.width + x] * factor(x, y)
    end),
  }
end

-- The same map with weights of 1 to 5 in patches of about 16 cells.
function input:terrain()
  math.randomseed(graphs.seed)
  local height_at = noise(16)
  return self:weighted("terrain", function(x, y)
    return math.min(5, 1 + math.floor(5 * height_at(x, y)))
  end)
end

-- The same map with a random weight of 1 to 5 for each cell.
function input:scattered()
  math.randomseed(graphs.seed)
  return self:weighted("scattered", function() return math.random(5) end)
end

-- A map of the data folder, whose open cells weigh 1; nil without the data.
function grids.from_file(name)
  local file = ("%s/movingai/%s.map"):format(graphs.data, name)
  local handle = io.open(file, "rb")
  if not handle then return nil end
  handle:close()
  local grid = assert(dofile("examples/foreign_maps.lua").grid(file))
  local width, height = grid:width(), grid:height()
  return new {
    name = name:match "[^/]+$", width = width, height = height, file = file,
    weights = each_cell(width, height, function(x, y) return grid:get(x, y) or math.huge end),
  }
end

-- The maps of a list of names that the data folder has, and a random map.
function grids.all(names, side)
  local list = {}
  for _, name in ipairs(names) do list[#list + 1] = grids.from_file(name) end
  list[#list + 1] = grids.made(side)
  return list
end

function input:is_open(x, y) return self.weights[(y - 1) * self.width + x] < math.huge end

-- A random open cell.
function input:open_cell()
  while true do
    local x, y = math.random(self.width), math.random(self.height)
    if self:is_open(x, y) then return x, y end
  end
end

-- The open cell, of 20 random ones, that can be reached from most cells.
function input:goal()
  math.randomseed(graphs.query_seed)
  local best_x, best_y, most = nil, nil, -1
  for _ = 1, 20 do
    local x, y = self:open_cell()
    local reached = self:reference():field(x, y)
    if reached > most then best_x, best_y, most = x, y, reached end
  end
  return best_x, best_y
end

-- `count` of the trips published with a map, at equal distances in the list, which is sorted by length. A few trips
-- have closed ends and are left out.
function input:published_trips(count)
  local good, trips = {}, {}
  for _, p in ipairs(assert(dofile("examples/foreign_maps.lua").problems(self.file .. ".scen"))) do
    if self:is_open(p[1], p[2]) and self:is_open(p[3], p[4]) then good[#good + 1] = p end
  end
  for i = 1, count do
    table.move(good[math.ceil((i - 0.5) / count * #good)], 1, 4, #trips + 1, trips)
  end
  return trips
end

-- Trips of all lengths: published ones, if there are any, else random ones.
function input:trips(count)
  if self.file then return self:published_trips(count) end
  local trips = {}
  math.randomseed(graphs.query_seed)
  for _ = 1, 1000 * count do
    if #trips == 4 * count then return trips end
    local x1, y1 = self:open_cell()
    local x2, y2 = self:open_cell()
    local trip = { x1, y1, x2, y2 }
    if self:reference():costs(trip)[1] < math.huge then table.move(trip, 1, 4, #trips + 1, trips) end
  end
  error(self.name .. ": hardly any two cells are joined")
end

-- Random trips whose ends are `far` columns or rows apart.
function input:near(count, far)
  local trips = {}
  math.randomseed(graphs.query_seed)
  while #trips < 4 * count do
    local x1, y1 = self:open_cell()
    local x2, y2 = x1 + math.random(-far, far), y1 + math.random(-far, far)
    if math.max(math.abs(x1 - x2), math.abs(y1 - y2)) == far and x2 >= 1 and x2 <= self.width and y2 >= 1 and
      y2 <= self.height and self:is_open(x2, y2) and self:reference():costs({ x1, y1, x2, y2 })[1] < math.huge then
      table.move({ x1, y1, x2, y2 }, 1, 4, #trips + 1, trips)
    end
  end
  return trips
end

-- A grid whose cells are closed by chance, one in ten; weighted: every second row weighs 2. Then `count` trips over it
-- that have a path, and the generator that has drawn them.
function grids.sprinkled(size, weighted, count)
  local rng, grid = common.generator(7), wend.grid(size, size)
  if weighted then
    for y = 1, size, 2 do grid:fill(1, y, size, y, 2) end
  end
  for _ = 1, size * size / 10 do grid:close(rng(size), rng(size)) end
  local trips = {}
  while #trips < 4 * count do
    local trip = { rng(size), rng(size), rng(size), rng(size) }
    if grid:path(trip[1], trip[2], trip[3], trip[4]) then table.move(trip, 1, 4, #trips + 1, trips) end
  end
  return grid, trips, rng
end

-- A grid of blocks of 4 x 4 cells, and `count` trips. A fifth of the blocks is closed. The others have one of the tags
-- and a weight of 1 to `heaviest`.
function grids.blocks(side, tags, heaviest, count)
  math.randomseed(graphs.seed)
  local grid, trips = wend.grid(side, side), {}
  for y = 1, side, 4 do
    for x = 1, side, 4 do
      local value = math.random(5) > 1 and { weight = math.random(heaviest), tag = tags[math.random(#tags)] }
      grid:fill(x, y, math.min(side, x + 3), math.min(side, y + 3), value)
    end
  end
  math.randomseed(graphs.query_seed)
  while #trips < 4 * count do
    local x1, y1, x2, y2 = math.random(side), math.random(side), math.random(side), math.random(side)
    if grid:get(x1, y1) and grid:path(x1, y1, x2, y2) then table.move({ x1, y1, x2, y2 }, 1, 4, #trips + 1, trips) end
  end
  return grid, trips
end

-- Prints a table with a row for each map, and for one that is made: measure(input, trips). --quick: only that one.
function grids.print_rows(maps, measure, heading)
  local rows = {}
  for _, map in ipairs(grids.all(common.quick and {} or maps, 512)) do
    rows[#rows + 1] = measure(map, common.quick and 20 or 200)
  end
  common.print_table(heading, rows)
end

-- Rows of text, a tenth closed. Large maps are made from them much faster than cell by cell.
function grids.rows(side)
  math.randomseed(graphs.seed)
  local kinds, rows = {}, {}
  for i = 1, 64 do
    local letters = {}
    for x = 1, side do letters[x] = math.random(10) == 1 and "#" or math.random(10) == 1 and "~" or "." end
    kinds[i] = table.concat(letters)
  end
  for y = 1, side do rows[y] = kinds[math.random(#kinds)] end
  return rows
end

return grids
