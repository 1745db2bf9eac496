-- SPDX-License-Identifier: MIT
-- Jump points where cells cost different prices, against a plain model: terrain in patches, swamps, one heavier cell,
-- walls, links, tags, edits between searches and during them. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local near, any, with = reference.near, grid_reference.any, grid_reference.with

local PRICES = {
  { 1, 3 }, { 1, 2, 3, 4, 5 }, { 1, 1, 1, 0.5 }, { 1, "swamp", "road" }, { 2, 1.5, "toll" }, { "lava", 1, "swamp" },
  { 1, 1 + 2 ^ -40, 2 }, { 7, 1 }, { 0, 1, 2 }, { 1 },
}
-- A grid of patches, with some swamps and rocks.
local function terrain(rng, diagonals)
  local model = grid_reference.model(rng(1, 40), rng(1, 30), diagonals
    or rng:pick { "both_open", "both_open", "one_open", "always", "never" }, rng:pick(grid_reference.LENGTHS))
  local values, size, patch = rng:pick(PRICES), rng:pick { 2, 4, 7, 12, 30 }, {}
  if rng:chance(0.8) then
    model:map(function(x, y)
      local key = math.floor(x / size) * 1000 + math.floor(y / size)
      patch[key] = patch[key] or rng:pick(values)
      return patch[key]
    end)
  end
  local function some(most, side, change)
    for _ = 1, rng(0, most) do
      local x, y = any(rng, model)
      change(x, y, math.min(model.width, x + rng(0, side)), math.min(model.height, y + rng(0, side)))
    end
  end
  some(8, 4, function(x1, y1, x2, y2) model:fill(x1, y1, x2, y2, rng:pick(values)) end)
  some(rng:pick { 0, 10, 30 }, rng:pick { 0, 3 }, function(...) model:close(...) end)
  for _ = 1, rng:pick { 0, 0, 3, 20 } do grid_reference.random_wall(rng, model) end
  for _ = 1, rng:pick { 0, 0, 1, 5 } do
    local x1, y1 = any(rng, model)
    local x2, y2 = any(rng, model)
    if x1 ~= x2 or y1 ~= y2 then
      model:link(x1, y1, x2, y2, { weight = rng:pick { 0.5, 1, 4 }, directed = rng:chance(0.5) })
    end
  end
  model.values = values
  return model
end

local function edit(rng, model)
  local what, x, y = rng(8), any(rng, model)
  if what <= 3 then
    model:set(x, y, rng:pick(model.values))
  elseif what <= 5 then
    if model.weight[model:cell(x, y)] then model:close(x, y) else model:open(x, y) end
  elseif what == 6 then
    model:fill(x, y, math.min(model.width, x + 3), math.min(model.height, y + 3), rng:pick(model.values))
  elseif what == 7 then
    grid_reference.random_wall(rng, model)
  else
    local x2, y2 = any(rng, model)
    if x ~= x2 or y ~= y2 then model:link(x, y, x2, y2, { weight = rng:pick { 0.5, 2 } }) end
  end
end

-- How many searches used jump points over cells of different prices.
local jumped = 0

-- Whether a path ends at the cheapest of the cells nearest to a place, of those that cost at most so much.
local function ends_nearest(model, value, path, x, y, most)
  local best, least
  grid_reference.cells(model, function(cx, cy, cell)
    local away = (x - cx) ^ 2 + (y - cy) ^ 2
    if not value[cell] or value[cell] > most or (best and away > least) then return end
    if not best or away < least or value[cell] < value[best] then best, least = cell, away end
  end)
  assert.equal(true, path.partial)
  assert.equal(least, (x - path[#path - 1]) ^ 2 + (y - path[#path]) ^ 2)
  near(value[best], path.cost)
end

-- The heuristic that searches cell by cell.
local function by_cell(model) return model.diagonals == "never" and "manhattan" or "octile" end

local function compare(rng, model, opts, view)
  local arcs = model:arcs(view)
  local x1, y1, from = any(rng, model)
  local value = grid_reference.spread(arcs, { [from] = 0 })
  for _ = 1, 3 do
    local to, goals, stats, best = {}, {}, {}, nil
    for i = 1, rng:pick { 1, 1, 1, 2, 6 } do
      to[2 * i - 1], to[2 * i], goals[i] = any(rng, model)
      local cost = value[goals[i]]
      if cost and not (best and best <= cost) then best = cost end
    end
    local asked = with(opts, { stats = stats })
    if rng:chance(0.2) and best then asked.max_cost = best * rng:pick { 0.5, 0.99, 1.01, 2 } end
    if rng:chance(0.2) then asked.max_expanded = 1e6 end
    if rng:chance(0.3) and #goals == 1 then
      asked.partial = true
      if asked.max_cost then asked.max_cost = asked.max_cost + 0.0137 end -- which no cost is, but for its last bits
    end
    if #goals == 1 then to[3], to[4] = asked, nil end
    local path, _, code
    if rng:chance(0.3) then
      if #goals == 1 then
        path, _, code = grid_reference.sliced(model.grid, rng(9), x1, y1, to[1], to[2], asked)
      else
        path, _, code = grid_reference.sliced(model.grid, rng(9), x1, y1, to, asked)
      end
    elseif #goals == 1 then
      path, _, code = model.grid:path(x1, y1, to[1], to[2], asked)
    else
      path, _, code = model.grid:path(x1, y1, to, asked)
    end
    if best and best <= (asked.max_cost or HUGE) then
      assert.truthy(path, code)
      near(best, path.cost)
      grid_reference.walk(model, arcs, path, from, goals)
    elseif asked.partial then
      ends_nearest(model, value, path, to[1], to[2], asked.max_cost or HUGE)
      grid_reference.walk(model, arcs, path, from, { model:cell(path[#path - 1], path[#path]) })
    else
      assert.equal(nil, path)
      if best then assert.equal("budget", code) end
    end
    local by_cells = { stats = {}, heuristic = by_cell(model), costs = opts.costs }
    if #goals == 1 then
      model.grid:path(x1, y1, to[1], to[2], by_cells)
    else
      model.grid:path(x1, y1, to, by_cells)
    end
    if by_cells.stats.expanded ~= stats.expanded and not asked.max_cost then jumped = jumped + 1 end
  end
end

describe("random terrain", function()
  it("has paths that cost the same as the plain model's, between edits", function()
    helper.rounds("terrain", 150, function(rng)
      local model, opts, view = terrain(rng), reference.random_agent(rng, { plain = true })
      for _ = 1, 3 do
        compare(rng, model, opts, view)
        for _ = 1, rng:pick { 0, 1, 5, 80 } do edit(rng, model) end
      end
    end)
    if helper.all_rounds() then assert.truthy(jumped > 100, jumped) end
  end)

  it("is searched by jump points without diagonals, too, where few cells differ", function()
    helper.rounds("terrain crosswise", 40, function(rng)
      local model = grid_reference.model(rng(20, 70), rng(20, 60), "never")
      local values = rng:pick { { 1 }, { 3, 1 }, { 0.5 } }
      for _ = 1, rng(0, 6) do
        local x, y = any(rng, model)
        local x2 = math.min(model.width, x + rng:pick { 0, 3, 30 })
        local y2 = math.min(model.height, y + (x2 > x + 3 and 0 or rng:pick { 2, 25 }))
        if rng:chance(0.7) then model:close(x, y, x2, y2) else model:fill(x, y, x2, y2, rng:pick(values)) end
      end
      model.values = values
      for _ = 1, 2 do
        compare(rng, model, {})
        for _ = 1, rng(0, 3) do edit(rng, model) end
      end
    end)
  end)

  it("is searched by jump points where functions decide about cells of some tags, and others cost nothing", function()
    local jumps, calls, calls_by_cells = 0, 0, 0
    helper.rounds("terrain asked", 150, function(rng)
      local model = grid_reference.model(rng(30, 70), rng(20, 60), rng:pick(grid_reference.POLICIES))
      local function some(most, side, value)
        for _ = 1, rng(0, most) do
          local x, y = any(rng, model)
          model:fill(x, y, math.min(model.width, x + rng(0, side)), math.min(model.height, y + rng(0, side)), value)
        end
      end
      model.values = { 1, 3 }
      some(1, 8, 3)
      some(3, 1, rng:pick { 0, 2 })
      some(3, 2, "gate")
      for _ = 1, rng(0, 5) do
        local x, y = any(rng, model)
        model:close(x, y, math.min(model.width, x + rng:pick { 1, 20 }), y)
      end
      local factor, opens = rng:pick { 0, 0.5, 1, 3, HUGE }, rng:chance(0.5)
      local opts = { costs = wend.costs { gate = not opens and 1 or false }:edge_rule("gate", function(_, price)
        return price == HUGE and 2 or factor == HUGE and (price > 1 and 4 or false) or price * factor
      end, { tags = { "gate" } }) }
      for _ = 1, 4 do
        local x1, y1 = any(rng, model)
        local x2, y2 = any(rng, model)
        local asked = with(opts, { stats = {}, partial = rng:chance(0.2) })
        if rng:chance(0.2) then asked.max_cost = rng(60) end
        local by_cells = with(asked, { stats = {}, heuristic = by_cell(model) })
        local path
        if rng:chance(0.3) then path = grid_reference.sliced(model.grid, rng(9), x1, y1, x2, y2, asked)
        else path = model.grid:path(x1, y1, x2, y2, asked) end
        local plain = model.grid:path(x1, y1, x2, y2, by_cells)
        assert.equal(plain == nil, path == nil)
        if path then
          near(plain.cost, path.cost)
          assert.equal(plain.partial, path.partial)
          assert.equal((x2 - plain[#plain - 1]) ^ 2 + (y2 - plain[#plain]) ^ 2,
            (x2 - path[#path - 1]) ^ 2 + (y2 - path[#path]) ^ 2)
          assert.equal(true, path:valid())
          if asked.stats.expanded ~= by_cells.stats.expanded then
            jumps = jumps + 1
            calls, calls_by_cells = calls + asked.stats.callbacks, calls_by_cells + by_cells.stats.callbacks
          end
        end
        if rng:chance(0.3) then edit(rng, model) end
      end
    end)
    if helper.all_rounds() then assert.truthy(jumps > 50, jumps) end
    assert.truthy(calls <= calls_by_cells * 1.05 + 50, calls .. " of " .. calls_by_cells)
  end)
end)
