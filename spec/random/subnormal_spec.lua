-- SPDX-License-Identifier: MIT
-- Weights near the smallest numbers there are: products of them are rounded to multiples of 5e-324.
-- luacheck: std max+busted

local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local UNITS = { 5e-324, 5e-324, 1e-323, 1e-310, 1e-300, 1e-200, 1 }

-- The same path by A* and by Dijkstra's algorithm, which estimates nothing.
local function same(map, from, to, opts)
  local both = { algorithm = "dijkstra" }
  for key, value in pairs(opts) do both[key] = value end
  local found, expected = map:path(from, to, opts), map:path(from, to, both)
  assert.equal(expected and ("%.17g"):format(expected.cost), found and ("%.17g"):format(found.cost))
end

describe("weights that are subnormal", function()
  it("make A* and Dijkstra's algorithm find paths of the same cost on graphs", function()
    helper.rounds("subnormal graphs", 150, function(rng)
      local g, side, unit, mixed = wend.graph(), rng(2, 7), rng:pick(UNITS), rng:chance(0.3)
      local apart = rng:pick { 1, 3, 3, 7 }
      for y = 1, side do
        for x = 1, side do g:add_node(x * apart, y * apart) end
      end
      for _ = 1, side * side * 3 do
        local from = rng(side * side)
        local to = math.min(side * side, from + rng:pick { 1, side, side + 1 })
        local x, y = g:position(from)
        local x2, y2 = g:position(to)
        local length = math.sqrt((x - x2) ^ 2 + (y - y2) ^ 2)
        local weight = math.floor(length * 0.7 + rng(0, 2)) * (mixed and rng:pick(UNITS) or unit)
        g:add_edge(from, to, { weight = weight, tag = rng:chance(0.3) and "mud" or nil })
      end
      local tiny = rng:pick { 0.7, 1e-310, 1e-200 }
      for _, opts in ipairs { {}, { costs = wend.costs { mud = 0.7 } }, { costs = wend.costs { mud = tiny } },
        { cost = function(_, cost) return cost * 0.9 end, at_least = 0.5 } } do
        for _ = 1, 5 do same(g, rng(side * side), rng(side * side), opts) end
      end
    end)
  end)

  it("make them find paths of the same cost on grids", function()
    helper.rounds("subnormal grids", 150, function(rng)
      local unit, mixed = rng:pick(UNITS), rng:chance(0.4)
      local grid = wend.grid(rng(1, 12), rng(1, 12), { diagonals = rng:pick { "both_open", "one_open", "never" },
        diagonal_length = rng:pick(grid_reference.LENGTHS) })
      local kinds = rng(3)
      grid:map(function()
        if rng:chance(0.15) then return false end
        return rng(kinds) * (mixed and rng:pick(UNITS) or unit)
      end)
      if rng:chance(0.3) then grid:link(1, 1, grid:width(), grid:height(), { weight = 2 * unit }) end
      local cost = rng:chance(0.3) and function(_, given) return given end or nil
      for _ = 1, 8 do
        local from = { rng(grid:width()), rng(grid:height()) }
        local to = { rng(grid:width()), rng(grid:height()) }
        local both = { cost = cost, at_least = cost and 1 }
        local found = grid:path(from[1], from[2], to[1], to[2], both)
        both.algorithm = "dijkstra"
        local expected = grid:path(from[1], from[2], to[1], to[2], both)
        if unit > 1e-290 and not mixed and expected then -- sums that differ by rounding count as equal on grids
          assert.truthy(math.abs(found.cost - expected.cost) <= 1e-9 * expected.cost)
        else
          assert.equal(expected and ("%.17g"):format(expected.cost), found and ("%.17g"):format(found.cost))
        end
      end
    end)
  end)
end)
