-- SPDX-License-Identifier: MIT
-- Paths with variation over random graphs and grids, compared with Dijkstra's algorithm at the costs times the factors
-- of the seed. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local variation_reference = require "spec.support.variation_reference"
local wend = require "wend"

local HUGE = math.huge
local with = grid_reference.with

local function random_options(rng, costs)
  local options = with(costs or {}, { variation = rng:pick { 0.01, 0.1, 0.3, 1, 5 }, seed = rng(1e6) })
  options.algorithm = rng:pick { "astar", "astar", "dijkstra" }
  return options
end

-- Whether a path is the cheapest one with these factors.
local function is_cheapest(least, cost) return math.abs(cost - least) <= 1e-9 * math.max(1, least) end

local function distance_between(a, b)
  local sum = 0
  for d = 1, #a do sum = sum + (a[d] - b[d]) ^ 2 end
  return math.sqrt(sum)
end

describe("variation over random graphs", function()
  it("finds the cheapest path with the factors of the seed", function()
    local found = 0
    helper.rounds("variation graphs exact", 150, function(rng)
      local g, model = helper.random_graph(rng, { dimensions = rng:pick { 0, 2, 3 } })
      local costs, cost = reference.random_costs(rng)
      for _ = 1, 4 do
        local from, goals, distance = rng:pick(model.nodes), {}, HUGE
        for i = 1, rng:pick { 1, 1, 3 } do
          goals[i] = rng:pick(model.nodes)
          distance = math.min(distance, distance_between(model.position[from], model.position[goals[i]]))
        end
        local options = random_options(rng, costs)
        local factor = variation_reference.factors { variation = options.variation, seed = options.seed,
          distance = model.dimensions > 0 and distance or nil }
        local function varied(edge, a, b) return cost(edge, a, b) * factor(model.position[b], edge.id) end
        local least = helper.least(helper.solve(model, from, varied), goals)
        local path = g:path(from, goals, options)
        assert.equal(least == nil, path == nil)
        if path then
          local sum, by_id = 0, {}
          for _, edge in ipairs(model.edges) do by_id[edge.id] = edge end
          for i, id in ipairs(path:edges()) do sum = sum + varied(by_id[id], path[i], path[i + 1]) end
          assert.truthy(is_cheapest(least, sum), ("%.17g instead of %.17g"):format(sum, least))
          reference.walk(g, path, from, goals)
          found = found + 1
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or found > 100, found)
  end)
end)

-- The cells of a path, and its cost at the costs of the arcs times the factors.
local function cost_of(model, arcs, path)
  local sum, before = 0, nil
  for _, x, y in path:each() do
    local cell, cost = model:cell(x, y), HUGE
    for k = 1, before and #arcs[before] or 0, 2 do
      if arcs[before][k] == cell then cost = math.min(cost, arcs[before][k + 1]) end
    end
    sum, before = sum + (before and cost or 0), cell
  end
  return sum
end

-- The arcs of a grid in the world of a seed.
local function varied_arcs(model, arcs, factor)
  local varied = {}
  for from, steps in ipairs(arcs) do
    varied[from] = {}
    for k = 1, #steps, 2 do
      local x, y = model:at(steps[k])
      varied[from][k], varied[from][k + 1] = steps[k], steps[k + 1] * factor { x - 1, y - 1 }
    end
  end
  return varied
end

-- Asks for some paths, and compares them. same: whether all cells cost the same; nil: perhaps.
local function compare(rng, model, costs, view, same)
  local arcs, found = model:arcs(view), 0
  for _ = 1, 4 do
    local x, y = rng(model.width), rng(model.height)
    local list, places, distance, stats = {}, {}, HUGE, {}
    for i = 1, rng:pick { 1, 1, 3 } do
      local x2, y2 = rng(model.width), rng(model.height)
      list[2 * i - 1], list[2 * i], places[i] = x2, y2, model:cell(x2, y2)
      distance = math.min(distance, distance_between({ x, y }, { x2, y2 }))
    end
    local options = with(random_options(rng, costs), { stats = stats })
    local path = model.grid:path(x, y, list, options)
    local answers = {}
    for _, equal in ipairs(same == nil and { true, false } or { same }) do
      local factor = variation_reference.factors { variation = options.variation, seed = options.seed, grid = true,
        same = equal, distance = distance }
      local varied = varied_arcs(model, arcs, factor)
      local least = helper.least(grid_reference.spread(varied, { [model:cell(x, y)] = 0 }), places)
      assert.equal(least == nil, path == nil)
      answers[#answers + 1] = path and is_cheapest(least, cost_of(model, varied, path))
    end
    if path then
      assert.truthy(answers[1] or answers[2], "the path is not the cheapest one in the world of the seed")
      grid_reference.walk(model, arcs, path, model:cell(x, y), places)
      local sliced = grid_reference.sliced(model.grid, rng(1, 9), x, y, list, options)
      assert.equal(grid_reference.show(path), grid_reference.show(sliced))
      found = found + (stats.loop == "jumps" and 1 or 0)
    end
  end
  return found
end

describe("variation over random grids", function()
  it("finds the cheapest path with the factors of the seed", function()
    helper.rounds("variation grids exact", 150, function(rng)
      local model = grid_reference.random(rng)
      local costs, view = grid_reference.random_costs(rng)
      compare(rng, model, costs, view)
    end)
  end)

  it("also where all cells cost the same, by jump points", function()
    local jumps = 0
    helper.rounds("variation same", 80, function(rng)
      local long = rng:chance(0.15)
      local model = grid_reference.random(rng, {
        width = long and rng(150, 300) or rng(2, 60), height = rng(2, long and 8 or 30),
        tagged = 0, walls = 0, links = 0,
        closed = rng:pick { 0, 0.02, 0.2 }, weights = { rng:pick { 1, 2.5 } }, palette = true,
      })
      jumps = jumps + compare(rng, model, nil, nil, true)
    end)
    assert.truthy(not helper.all_rounds() or jumps > 20, jumps)
  end)

  it("takes the cheapest path where that of the seed costs more than max_cost", function()
    helper.rounds("variation max_cost", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(5, 40), height = rng(5, 30), closed = rng:pick { 0, 0.1 },
        weights = rng:pick { { 1 }, { 1, 2, 3 } } })
      for _ = 1, 6 do
        local x, y, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
        local cheapest = model.grid:path(x, y, x2, y2)
        local options = { variation = rng:pick { 0.1, 1, 5 }, seed = rng(1e6) }
        if cheapest then
          local free = model.grid:path(x, y, x2, y2, options)
          local most = cheapest.cost * rng:pick { 1 + 1e-9, 1.02, 1.2 }
          local path = model.grid:path(x, y, x2, y2, with(options, { max_cost = most }))
          assert.truthy(path.cost <= most)
          reference.near(free.cost <= most and free.cost or cheapest.cost, path.cost)
          local less, _, code = model.grid:path(x, y, x2, y2, with(options, { max_cost = cheapest.cost * 0.99 }))
          assert.equal(cheapest.cost == 0, less ~= nil)
          assert.equal(not less and "budget" or nil, code)
          local sliced = grid_reference.sliced(model.grid, rng(1, 9), x, y, x2, y2, with(options, { max_cost = most }))
          assert.equal(grid_reference.show(path), grid_reference.show(sliced))
        end
      end
    end)
  end)
end)

-- The distance of a trip whose large blocks are as wide as those of fields.
local OF_FIELDS = 12 * 16

describe("fields with variation", function()
  it("have the costs in the world of the seed on grids, and paths with true costs", function()
    local found = 0
    helper.rounds("variation fields", 120, function(rng)
      local model = grid_reference.random(rng)
      local costs, view = grid_reference.random_costs(rng)
      local arcs, list, start = model:arcs(view), {}, {}
      for i = 1, rng:pick { 1, 2, 5 } do
        list[2 * i - 1], list[2 * i] = rng(model.width), rng(model.height)
        start[model:cell(list[2 * i - 1], list[2 * i])] = 0
      end
      local options = with(costs or {}, { variation = rng:pick { 0.01, 0.3, 1, 5 }, seed = rng(1e6),
        outward = rng:chance(0.5) })
      local most = rng:chance(0.3) and rng() * 20 or nil
      local field = model.grid:field(list, with(options, { max_cost = most }))
      local answers = {}
      for _, same in ipairs { true, false } do
        local factor = variation_reference.factors { variation = options.variation, seed = options.seed, grid = true,
          same = same, distance = OF_FIELDS }
        local varied, equal = varied_arcs(model, arcs, factor), true
        local values = grid_reference.spread(options.outward and varied or grid_reference.reversed(varied), start)
        grid_reference.cells(model, function(x, y, cell)
          local cost, value = field:cost(x, y), values[cell]
          if most and value and value > most then value = nil end
          equal = equal and (cost == nil) == (value == nil) and (cost == nil or is_cheapest(value, cost))
        end)
        answers[#answers + 1] = equal
      end
      assert.truthy(answers[1] or answers[2], "the costs are not those in the world of the seed")
      local again = wend.decode(field:encode(), { map = model.grid })
      for _ = 1, 5 do
        local x, y = rng(model.width), rng(model.height)
        local path = field:path(x, y)
        if path then
          local x2, y2 = field:goal(x, y)
          local from, to = model:cell(x, y), model:cell(x2, y2)
          if options.outward then from, to = to, from end
          grid_reference.walk(model, arcs, path, from, { to }, true)
          assert.equal(path.cost, again:path(x, y).cost)
          found = found + 1
        end
      end
      assert.equal(field:encode(), model.grid:field(list, with(options, { max_cost = most })):encode())
    end)
    assert.truthy(not helper.all_rounds() or found > 100, found)
  end)

  it("have the costs in the world of the seed on graphs, and paths with true costs", function()
    helper.rounds("variation fields of graphs", 120, function(rng)
      local g, model = helper.random_graph(rng, { dimensions = rng:pick { 0, 2, 3 } })
      local costs, cost = reference.random_costs(rng)
      local options = with(costs or {}, { variation = rng:pick { 0.01, 0.3, 1, 5 }, seed = rng(1e6), outward = true })
      local from, sum, count = rng:pick(model.nodes), 0, 0
      for _, edge in ipairs(model.edges) do
        local ways = (edge.directed or edge.from == edge.to) and 1 or 2
        sum = sum + ways * distance_between(model.position[edge.from], model.position[edge.to])
        count = count + ways
      end
      local factor = variation_reference.factors { variation = options.variation, seed = options.seed,
        distance = model.dimensions > 0 and count > 0 and sum / count * OF_FIELDS or nil }
      local function varied(edge, a, b) return cost(edge, a, b) * factor(model.position[b], edge.id) end
      local field, least, by_id = g:field(from, options), helper.solve(model, from, varied), {}
      local again = wend.decode(field:encode(), { map = g })
      for _, edge in ipairs(model.edges) do by_id[edge.id] = edge end
      for _, node in ipairs(model.nodes) do
        local value = field:cost(node)
        assert.equal(least[node] == nil, value == nil)
        if value then
          assert.truthy(is_cheapest(least[node], value), ("%.17g instead of %.17g"):format(value, least[node]))
          local path, true_cost = field:path(node), 0
          for i, id in ipairs(path:edges()) do true_cost = true_cost + cost(by_id[id], path[i], path[i + 1]) end
          reference.near(true_cost, path.cost)
          assert.equal(path.cost, again:path(node).cost)
        end
      end
    end)
  end)
end)
