-- SPDX-License-Identifier: MIT
-- What doc/rules.md says about what slows a search. spec/validity_spec.lua has its rules about results that are out of
-- date.
local wend = require "wend"

local function nothing() end

-- A row of five nodes joined by swamps, and a long road from the first to the last.
local function causeway()
  local g = wend.graph()
  g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0, 40, 0 }
  g:add_edges({ 1, 2, 2, 3, 3, 4, 4, 5 }, { tag = "swamp" })
  g:add_edge(1, 5, { weight = 200, tag = "road" })
  return g
end

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

-- A search in slices, with an edit after two expansions. Returns its end, restarts, and the path.
local function slice(g, options, edit)
  options.algorithm = "dijkstra"
  local search = g:search(1, 5, options)
  search:step(2)
  edit()
  local state = search:step(1000)
  return { state, search:restarts() }, state == "found" and search:result()
end

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
    assert.is_false(jumps(grid, { costs = wend.costs():edge_rule("all", nothing, { at_least = 1 }) }))
    assert.is_false(jumps(grid, { cost = nothing, at_least = 1 }))
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

  it("include those on searches in slices", function()
    local g, costs = causeway(), wend.costs { swamp = 2 }
    local overlay = g:overlay()
    local function edit_costs() costs:set("swamp", costs:get "swamp" == 2 and 3 or 2) end
    for _, case in ipairs {
      { 1, {}, function() g:close_edge(1) end },
      { 1, {}, function() g:close_edge(4) end },
      { 0, { costs = costs }, function() costs:set("lava", 2) end },
      { 1, { costs = costs }, edit_costs },
      { 1, { on = overlay }, function() overlay:close_edge(1) end },
      { 1, { on = overlay }, function() overlay:close_edge(4) end },
      { 1, { on = overlay }, function() g:close_edge(1) end },
      { 1, { on = overlay }, function() g:close_edge(4) end },
    } do
      g:open_edge(1)
      g:open_edge(4)
      overlay:reset()
      costs:set("swamp", 2)
      local on = case[2].on or g
      case[2].on = nil
      assert.same({ "found", case[1] }, (slice(on, case[2], case[3])))
    end
    overlay:reset()
    assert.same({ "failed", 0 }, (slice(overlay, { restart = false }, function() overlay:close(4) end)))
  end)

  it("include the copy on which a search in slices ends", function()
    for _, layered in ipairs { true, false } do
      local g = wend.graph()
      for i = 0, 40 do g:add_node(i * 10, 0) end
      for i = 1, 40 do g:add_edge(i, i + 1) end
      local edited = layered and g:overlay() or g
      local search = edited:search(1, 41, { algorithm = "dijkstra" })
      for i = 1, 12 do
        search:step(3)
        edited:set_weight(1, 10 + i)
      end
      assert.equal("found", (search:step(1000)))
      assert.same({ 4, true, false }, { search:restarts(), search:result().stale, search:result():valid() })
    end
  end)
end)
