-- SPDX-License-Identifier: MIT
-- Influence layers on random maps, against the plainest solver there is: walls, weights, tags, links, functions, sizes,
-- all rules for diagonals, prepared maps, overlays, fields and graphs. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local any, near, with = grid_reference.any, reference.near, grid_reference.with

-- Layers of a grid with random numbers, the option for them, and what they add onto a cell: of each layer the greatest
-- number under the agent counts.
local function random_layers(rng, grid, width, height, size)
  local option = {}
  for _ = 1, rng:pick { 1, 1, 2, 3 } do
    local layer = wend.influence(grid)
    local kind = rng(5)
    for _ = 1, kind <= 3 and rng(width * height) or 0 do
      layer:set(rng(width), rng(height), rng:pick { 0, 0.25, 1, rng() * 10, 1000 })
    end
    if kind == 3 or kind == 4 then
      for _ = 1, rng(4) do
        layer:stamp(rng(width), rng(height), rng(1, 6), rng() * 20, rng:pick { "linear", "smooth", "flat" })
      end
    end
    if kind == 5 then layer:obstacle_distance() end
    if rng:chance(0.2) then layer:invert(5) end
    option[#option + 1] = layer
    option[#option + 1] = rng:pick { 0, 0.5, 1, rng() * 3 }
  end
  return option, function(x, y)
    local sum, before, after = 0, math.floor(((size or 1) - 1) / 2), math.floor((size or 1) / 2)
    for i = 1, #option, 2 do
      local greatest = 0
      for y1 = math.max(1, y - before), math.min(height, y + after) do
        for x1 = math.max(1, x - before), math.min(width, x + after) do
          greatest = math.max(greatest, option[i]:get(x1, y1))
        end
      end
      sum = sum + greatest * option[i + 1]
    end
    return sum
  end
end

local function random_case(rng, opts)
  local model = grid_reference.random(rng, { width = rng(1, rng:pick { 12, 30 }), height = rng(1, 14),
    closed = rng:pick { 0, 0.05, 0.25 }, walls = rng:pick { 0, 0, 0.05 } })
  local options, view = grid_reference.random_costs(rng, { plain = rng:chance(0.5) })
  options.size = rng:pick { nil, 1, 2, 3, 4, [6] = nil }
  view.size = options.size
  options.influence, view.added = random_layers(rng, model.grid, model.width, model.height, view.size)
  if opts and opts.prepare and rng:chance(0.5) then
    model.grid:prepare { landmarks = rng(1, 4), costs = rng:chance(0.5) and options.costs or nil }
  end
  return model, options, view
end

local function goals_of(rng, model)
  local cells, list = {}, {}
  for i = 1, rng:pick { 1, 1, 3 } do
    cells[i] = select(3, any(rng, model))
    list[2 * i - 1], list[2 * i] = model:at(cells[i])
  end
  return cells, list
end

local function check_path(model, arcs, options, x1, y1, cells, list)
  local from, least = model:cell(x1, y1), HUGE
  local values = grid_reference.spread(arcs, { [from] = 0 })
  for _, goal in ipairs(cells) do least = math.min(least, values[goal] or HUGE) end
  local path, _, code = model.grid:path(x1, y1, list, options)
  if least == HUGE then return assert.equal("no_path", code) end
  assert.truthy(path, code)
  near(least, path.cost)
  grid_reference.walk(model, arcs, path, from, cells, true)
end

describe("influence layers on grids", function()
  it("lead to the cheapest paths", function()
    helper.rounds("influence", 50, function(rng)
      local model, options, view = random_case(rng, { prepare = true })
      local arcs = model:arcs(view)
      for _ = 1, 3 do
        local x, y = any(rng, model)
        local cells, list = goals_of(rng, model)
        check_path(model, arcs, options, x, y, cells, list)
        local reached = model.grid:can_reach(x, y, list, options)
        assert.equal(model.grid:path(x, y, list, options) ~= nil, reached)
      end
    end)
  end)

  it("lead to paths that vary within their limit", function()
    helper.rounds("influence and variation", 20, function(rng)
      local model, options, view = random_case(rng, { prepare = true })
      local arcs, variation = model:arcs(view), rng:pick { 0.1, 0.5 }
      local x, y, from = any(rng, model)
      local x2, y2, goal = any(rng, model)
      local least = grid_reference.spread(arcs, { [from] = 0 })[goal]
      local path = model.grid:path(x, y, x2, y2, with(options, { variation = variation, seed = rng(99) }))
      if not least then return assert.is_nil(path) end
      assert.is_true(path.cost <= least * (1 + variation) * (1 + 1e-9) and path.cost >= least * (1 - 1e-9))
      grid_reference.walk(model, arcs, path, from, { goal }, true)
    end)
  end)

  it("count in fields, both ways, and in windows", function()
    helper.rounds("influence in fields", 40, function(rng)
      local model, options, view = random_case(rng)
      grid_reference.check_field(rng, model, view, options)
    end)
  end)

  it("of a base count on its overlays", function()
    helper.rounds("influence and overlays", 15, function(rng)
      local model, options, view = random_case(rng)
      local arcs, overlay = model:arcs(view), model.grid:overlay()
      local x, y, from = any(rng, model)
      local x2, y2, goal = any(rng, model)
      local path = overlay:path(x, y, x2, y2, options)
      local least = grid_reference.spread(arcs, { [from] = 0 })[goal]
      if least then near(least, path.cost) else assert.is_nil(path) end
    end)
  end)

  it("are saved and loaded", function()
    helper.rounds("influence in files", 15, function(rng)
      local model = random_case(rng)
      local option = random_layers(rng, model.grid, model.width, model.height)
      local bytes = option[1]:encode()
      local loaded = assert(wend.decode(bytes, { map = model.grid }))
      assert.equal(bytes, loaded:encode())
      grid_reference.cells(model, function(x, y) assert.equal(option[1]:get(x, y), loaded:get(x, y)) end)
    end)
  end)

  it("know the distance to the nearest obstacle", function()
    helper.rounds("influence and obstacles", 20, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 20), height = rng(1, 12),
        closed = rng:pick { 0, 0.05, 0.3 }, walls = rng:pick { 0, 0.03 } })
      local layer = wend.influence(model.grid):obstacle_distance()
      local function distance(dx, dy)
        dx, dy = math.abs(dx), math.abs(dy)
        return math.max(dx, dy) + (math.sqrt(2) - 1) * math.min(dx, dy)
      end
      grid_reference.cells(model, function(x, y)
        local least = math.min(x, y, model.width + 1 - x, model.height + 1 - y)
        grid_reference.cells(model, function(x2, y2)
          local away = distance(x2 - x, y2 - y)
          if model.grid:is_closed(x2, y2) then least = math.min(least, away) end
        end)
        for walled, there in pairs(model.walls) do
          local a, b = walled:match "(%d+) (%d+)"
          local x1, y1 = model:at(tonumber(a))
          local x2, y2 = model:at(tonumber(b))
          local beside = math.min(distance(x1 - x, y1 - y), distance(x2 - x, y2 - y))
          if there then least = math.min(least, beside + distance(x2 - x1, y2 - y1)) end
        end
        assert.near(least, layer:get(x, y), 1e-4)
      end)
    end)
  end)
end)

describe("influence layers on graphs", function()
  it("lead to the cheapest paths, fields and tables", function()
    helper.rounds("influence on graphs", 40, function(rng)
      local graph, model = helper.random_graph(rng, { nodes = rng(2, 25) })
      local layer, factor = wend.influence(graph), rng:pick { 0, 0.5, 2 }
      for _, node in ipairs(model.nodes) do
        if rng:chance(0.6) then layer:set(node, rng:pick { 1, 50, rng() * 20 }) end
      end
      local half, least = rng:chance(0.3), rng:pick { 0, 0.5, 1 }
      local function pure(cost, from, to) return (from + to) % 3 == 0 and cost * math.max(least, 0.5) or cost end
      local options = { influence = { layer, factor } }
      if half then
        options.at_least = least <= 0.5 and least or nil
        options.cost = function(_, cost, _, from, to) return pure(cost, from, to) end
      end
      if rng:chance(0.3) then graph:prepare { landmarks = 2 } end
      local function solve(from)
        return helper.solve(model, from, function(edge, before, to)
          local cost = edge.weight + factor * layer:get(to)
          return half and pure(cost, before, to) or cost
        end)
      end
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local values = solve(from)
      local path, _, code = graph:path(from, to, options)
      if values[to] then near(values[to], path.cost) else assert.equal("no_path", code) end
      if path then
        local sum = 0
        for _, step in ipairs(path:explain()) do sum = sum + step.cost end
        near(path.cost, sum)
      end
      local outward = graph:field(from, with(options, { outward = true }))
      local inward = graph:field(to, options)
      local overlay = graph:overlay()
      local routes = graph:routes(options)
      for _, node in ipairs(model.nodes) do
        if values[node] then near(values[node], outward:cost(node)) else assert.is_nil(outward:cost(node)) end
        local there = solve(node)[to]
        if there then near(there, inward:cost(node)) else assert.is_nil(inward:cost(node)) end
        if there then near(there, routes:cost(node, to)) else assert.is_nil(routes:cost(node, to)) end
        if there then near(there, overlay:path(node, to, options).cost) end
      end
      local bytes = layer:encode()
      assert.equal(bytes, wend.decode(bytes, { map = graph }):encode())
    end)
  end)
end)
