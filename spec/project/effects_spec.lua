-- SPDX-License-Identifier: MIT
-- What doc/rules.md says about what slows a search. spec/validity_spec.lua has its rules about results that are out of
-- date.
local wend = require "wend"

local function nothing() end

local function bound_of(map, ...)
  local arguments, stats = { ... }, {}
  arguments[#arguments].stats = stats
  assert(map:path((table.unpack or unpack)(arguments))) -- luacheck: ignore 143
  return stats.bound
end

-- Whether a search over a grid jumps.
local function jumps(grid, options)
  local stats = {}
  options.stats = stats
  assert(grid:path(1, 1, 60, 1, options))
  return stats.expanded < 30
end

local function field_of_grass() return wend.grid(60, 60):fill(1, 1, 60, 60, 1, "grass"):fill(30, 1, 30, 50, false) end

describe("what slows a search, in doc/rules.md,", function()
  it("include those on the bound of graphs", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local fast = g:add_edge(1, 2, { weight = 9, tag = "fast" })
    g:set_weight(fast, 8)
    g:close_edge(fast)
    assert.equal(0.8, bound_of(g, 1, 3, {}))
    g:open_edge(fast)
    local slow = wend.costs { fast = { times = 20, plus = 5 } }
    for expected, options in pairs {
      [1] = { costs = slow },
      [0.5] = { costs = wend.costs { fast = 20 }:edge_rule("half", nothing, { at_least = 0.5 }) },
      [0] = { costs = wend.costs():edge_rule("any", nothing, { tags = { "fast" } }) },
      [0.9] = { costs = slow, cost = nothing, at_least = 0.9 },
    } do
      assert.equal(expected, bound_of(g, 1, 3, options))
    end
    assert.equal(0.8, bound_of(g:overlay():close_edge(fast), 1, 3, {}))
    assert.equal(1, bound_of(g, 1, 3, { costs = wend.costs { fast = false } }))
    assert.equal(0, bound_of(g, 1, 3, { costs = slow, cost = nothing }))
    assert.equal(1, bound_of(g:overlay():set_weight(fast, 50), 1, 3, {}))
  end)

  it("do not include those of a shortcut", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local fast = g:add_edge(1, 3, { weight = 1, tag = "fast" })
    for _, options in ipairs {
      {}, { costs = wend.costs { fast = 0.5 } },
      { costs = wend.costs():edge_rule("any", nothing, { tags = { "fast" } }) },
      { costs = wend.costs { fast = false } },
    } do
      assert.equal(1, bound_of(g, 1, 3, options))
    end
    assert.equal(1, bound_of(g:overlay():close_edge(fast), 1, 3, {}))
    assert.equal(1, bound_of(g:overlay():set_weight(fast, 0), 1, 3, {}))
    assert.equal(0.5, bound_of(g, 1, 3, { cost = nothing, at_least = 0.5 }))
    assert.equal(0, bound_of(g, 1, 3, { cost = nothing }))
  end)

  it("include those on the bound of grids", function()
    local grid = wend.grid(9, 3):set(5, 3, 0.5)
    assert.equal(0.5, bound_of(grid, 1, 1, 9, 1, {}))
    assert.equal(1, bound_of(grid:overlay():close(5, 3), 1, 1, 9, 1, {}))
    grid:close(5, 3)
    assert.equal(1, bound_of(grid, 1, 1, 9, 1, {}))
    grid:fill(1, 1, 9, 3, 1, "toll")
    assert.is_true(bound_of(grid, 1, 1, 9, 1, { costs = wend.costs { toll = { plus = 1 } } }) > 1.7)
  end)

  it("include those on jump points", function()
    local grid = field_of_grass()
    local twice = wend.costs { grass = function() return 2 end }
    assert.is_true(jumps(grid, {}))
    assert.is_true(jumps(grid, { costs = twice }))
    assert.is_true(jumps(grid, { costs = wend.costs():edge_rule("far", nothing, { tags = { "lava" } }) }))
    assert.is_false(jumps(grid, { costs = wend.costs():edge_rule("all", nothing) }))
    assert.is_true(jumps(grid, { costs = wend.costs():edge_rule("all", nothing, { at_least = 1 }) }))
    assert.is_true(jumps(grid, { cost = nothing, at_least = 1 }))
    assert.is_false(jumps(grid, { cost = nothing, at_least = 1, max_cost = 1e9 }))
    assert.is_true(jumps(grid, { costs = wend.costs { grass = { plus = 1 } } }))
    grid:set(5, 5, 1, "lava")
    assert.is_true(jumps(grid, { costs = wend.costs { lava = false } }))
    assert.is_true(jumps(grid, { costs = wend.costs { lava = 2 } }))
    local overlay = grid:overlay():close(10, 1, 10, 20)
    assert.is_true(jumps(overlay, {}))
    overlay:wall(1, 1, 1, 2)
    assert.is_true(jumps(overlay, {}))
    overlay:map(function(x, y) return (x + y) % 2 == 0 and "lava" or "grass" end)
    assert.is_true(jumps(overlay, {})) -- they cost the same
    assert.is_false(jumps(overlay, { costs = wend.costs { lava = 2 } }))
    overlay:reset()
    assert.is_true(jumps(overlay, {}))
    grid:wall(1, 1, 1, 2)
    assert.is_true(jumps(grid, {}))
  end)
end)
