-- SPDX-License-Identifier: MIT
-- Straight lines over random grids against a plain model of the rules. A failure prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"

local any, near = grid_reference.any, reference.near

local HUGE = math.huge

describe("straight lines on random grids", function()
  it("are clear where every step of the line is free, and as clear the other way round", function()
    helper.rounds("grid clear", 60, function(rng)
      local model = grid_reference.random(rng, { closed = rng:pick { 0, 0.05, 0.15 }, walls = rng:pick { 0, 0.05 } })
      local opts, view = grid_reference.random_costs(rng)
      local arcs_open = view.edge == nil and not next(model.shut) -- no function and no directed wall
      local shown = opts.costs and { costs = opts.costs, agent = opts.agent, cost = opts.cost,
        at_least = opts.at_least } or opts
      for _ = 1, 25 do
        local x1, y1, from = any(rng, model)
        local x2, y2 = any(rng, model)
        local clear = model.grid:clear(x1, y1, x2, y2, shown)
        assert.equal(model:leg(view, x1, y1, x2, y2) < HUGE, clear, ("%d,%d to %d,%d"):format(x1, y1, x2, y2))
        local times = model.tag[from] and view.tag and view.tag(model.tag[from]) or 1
        if arcs_open and clear and model.weight[from] and times < HUGE then
          assert.equal(true, model.grid:clear(x2, y2, x1, y1, shown))
        end
      end
    end)
  end)

  it("make paths straighter: never dearer, every leg clear, corners of the path", function()
    local shorter = 0
    helper.rounds("grid straighten", 120, function(rng)
      local model = grid_reference.random(rng, { width = rng(1, 25), height = rng(1, 25),
        closed = rng:pick { 0, 0.05, 0.2 }, walls = rng:pick { 0, 0.05 }, links = rng:pick { 0, 0, 2 } })
      local opts, view = grid_reference.random_costs(rng)
      for _ = 1, 4 do
        local x1, y1 = any(rng, model)
        local x2, y2 = any(rng, model)
        local path = model.grid:path(x1, y1, x2, y2, opts)
        if path then
          local straight = model.grid:straighten(path, opts)
          assert.truthy(straight.cost <= path.cost * (1 + 1e-12))
          if #straight < #path then shorter = shorter + 1 end
          -- its cells are cells of the path, in order, from its first to its last
          assert.same({ x1, y1, x2, y2 }, { straight[1], straight[2], straight[#straight - 1], straight[#straight] })
          local at = 1
          for i = 3, #straight, 2 do
            repeat
              at = at + 2
              assert.truthy(at <= #path, "a corner that the path does not have")
            until path[at] == straight[i] and path[at + 1] == straight[i + 1]
          end
          -- and it costs what its legs cost
          local total, legs = 0, {}
          for i = 3, #straight, 2 do
            local a, b, c, d = straight[i - 2], straight[i - 1], straight[i], straight[i + 1]
            local leg = model:leg(view, a, b, c, d)
            local arcs = model.links[model:cell(a, b)][model:cell(c, d)] and model:arcs(view)[model:cell(a, b)] or {}
            for k = 1, #arcs, 2 do
              if arcs[k] == model:cell(c, d) then leg = math.min(leg, arcs[k + 1]) end
            end
            assert.truthy(leg < HUGE, "a leg that is not clear")
            total, legs[i] = total + leg, leg
          end
          near(total, straight.cost)
          -- and no leg of equal cost skips one of its cells
          for first = 1, #straight, 2 do
            local sum = legs[first + 2] or 0
            for i = first + 4, #straight, 2 do
              sum = sum + legs[i]
              assert.truthy(model:leg(view, straight[first], straight[first + 1], straight[i], straight[i + 1])
                > sum * (1 + 1e-9), "a cell that a leg skips")
            end
          end
        end
      end
    end)
    assert.truthy(not helper.all_rounds() or shorter > 50)
  end)
end)
