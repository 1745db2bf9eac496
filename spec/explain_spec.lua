-- SPDX-License-Identifier: MIT
-- map:explain and path:compare: what a path costs that no search has found, and what makes it dearer than another.
-- path_spec.lua and grid_path_spec.lua have path:explain.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local HUGE = math.huge
local draw, raises = reference.draw, helper.raises
local legend = { ["~"] = "swamp", ["="] = "road", ["^"] = { weight = 3, tag = "hill" } }

---The causes of the steps in one string; "-" for a step that can be taken.
local function causes(steps)
  local list = {}
  for i, step in ipairs(steps) do
    list[i] = step.cause or "-"
    assert.equal(step.cause ~= nil, step.cost == HUGE)
  end
  return table.concat(list, " ")
end

describe("graph:explain", function()
  it("tells what each edge of a list of nodes costs, and the sum", function()
    local g = draw { "A B C", "A-B 7 road", "B-C 3 swamp" }
    local steps = g:explain({ "A", 2, "C" }, { costs = wend.costs { swamp = { times = 2, plus = 1 } } })
    assert.same({
      { edge = 1, from = 1, to = 2, weight = 7, tag = "road", cost = 7, rules = {} },
      { edge = 2, from = 2, to = 3, weight = 3, tag = "swamp", cost = 7,
        rules = { { name = "tag 'swamp'", cost = 7 } } },
      cost = 14,
    }, steps)
  end)

  it("is equal to path:explain for a path", function()
    local g = draw { "A B C", "A-B 7 road", "B>C 3 swamp", "A-C 99" }
    local costs = wend.costs { swamp = 2 }
    local path = g:path(1, 3, { costs = costs })
    local steps = g:explain(path, { costs = costs })
    assert.equal(path.cost, steps.cost)
    steps.cost = nil
    assert.same(path:explain(), steps)
  end)

  it("takes the cheapest of parallel edges for the agent; of equal ones, that with the smallest id", function()
    local g = draw { "A B", "A-B 7 swamp", "A-B 9", "A>B 9", "B>A 1" }
    assert.equal(1, g:explain({ 1, 2 })[1].edge)
    assert.equal(2, g:explain({ 1, 2 }, { costs = wend.costs { swamp = 2 } })[1].edge)
    assert.equal(4, g:explain({ 2, 1 })[1].edge)
    local new = g:remove_edge(1):add_edge(1, 2, { weight = 5 }) -- in the place of the one that is gone
    assert.equal(new, g:explain({ 1, 2 })[1].edge)
    assert.truthy(new > 2 ^ 32)
  end)

  it("names the cause of a step that cannot be taken", function()
    local g = draw { "A B C D", "A-B 1", "B>C 1", "C-D 1 lava" }
    local costs = wend.costs { lava = false }
    assert.equal("- - tag", causes(g:explain({ 1, 2, 3, 4 }, { costs = costs })))
    assert.equal("one_way no_edge", causes(g:explain { 3, 2, 4 }))
    g:close_edge(1)
    assert.equal("closed -", causes(g:explain { 1, 2, 3 }))
    g:open_edge(1):close(2)
    assert.equal("closed -", causes(g:explain { 1, 2, 3 })) -- who stands on a closed node may leave it
    assert.equal("rule", causes(g:explain({ 2, 3 }, { cost = function() return false end })))
    assert.same({ from = 1, to = 4, cost = HUGE, cause = "no_edge", rules = {} }, g:explain({ 1, 4 })[1])
    assert.equal("closed", causes(g:explain { 3, 2 })) -- closed comes before one_way
    g:open(2)
    assert.same({ edge = 2, from = 3, to = 2, weight = 1, cost = HUGE, cause = "one_way", rules = {} },
      g:explain({ 3, 2 })[1])
  end)

  it("lets an edge function open what a tag has closed", function()
    local g = draw { "A B", "A-B 4 lava" }
    local costs = wend.costs { lava = false }
    local function bridge(_, cost) return cost == HUGE and 9 or nil end
    local step = g:explain({ 1, 2 }, { costs = costs, cost = bridge })[1]
    assert.same({ 9, nil }, { step.cost, step.cause })
    assert.equal("tag", g:explain({ 1, 2 }, { costs = costs, cost = function() end })[1].cause)
  end)

  it("asks the functions for the agent", function()
    local g = draw { "A B", "A-B 4 swamp" }
    local costs = wend.costs { swamp = function(agent) return agent.boots and 1 or 5 end }
    assert.equal(20, g:explain({ 1, 2 }, { costs = costs }).cost)
    assert.equal(4, g:explain({ 1, 2 }, { costs = costs, agent = { boots = true } }).cost)
  end)

  it("has no steps for one node, and for none", function()
    local g = draw { "A" }
    assert.same({ cost = 0 }, g:explain {})
    assert.same({ cost = 0 }, g:explain { "A" })
    assert.equal("no_edge", causes(g:explain { 1, 1 }))
    assert.equal("-", causes(g:add_edge(1, 1, { weight = 3 }) and g:explain { 1, 1 }))
  end)
end)

describe("grid:explain", function()
  it("tells what each step of a list of cells costs", function()
    local grid = wend.parse_grid(".~^", legend)
    local steps = grid:explain({ 1, 1, 2, 1, 3, 1 }, { costs = wend.costs { swamp = 2 } })
    assert.same({
      { from_x = 1, from_y = 1, to_x = 2, to_y = 1, weight = 1, tag = "swamp", cost = 2,
        rules = { { name = "tag 'swamp'", cost = 2 } } },
      { from_x = 2, from_y = 1, to_x = 3, to_y = 1, weight = 3, tag = "hill", cost = 3, rules = {} },
      cost = 5,
    }, steps)
  end)

  it("names the cause of a step that cannot be taken", function()
    local grid = wend.parse_grid([[
      ..#
      ...
      .~.
    ]], legend)
    local costs = { costs = wend.costs { swamp = false } }
    assert.equal("- closed - corner", causes(grid:explain { 1, 1, 2, 1, 3, 1, 2, 1, 3, 2 }))
    assert.equal("tag - no_edge", causes(grid:explain({ 2, 2, 2, 3, 3, 2, 1, 2 }, costs)))
    assert.equal("corner", causes(grid:explain({ 1, 3, 2, 2 }, costs)))
    grid:wall(1, 1, 1, 2)
    assert.equal("wall wall", causes(grid:explain { 1, 1, 1, 2, 2, 1 }))
    assert.equal("rule", causes(grid:explain({ 1, 2, 2, 2 }, { cost = function() return false end })))
    local strict = wend.grid(2, 2, { diagonals = "never" })
    assert.equal("no_edge", causes(strict:explain { 1, 1, 2, 2 }))
    local free = wend.grid(2, 2, { diagonals = "always" }):close(2, 1):close(1, 2)
    assert.equal("-", causes(free:explain { 1, 1, 2, 2 }))
    assert.equal("wall", causes(free:wall(1, 1, 2, 1):wall(1, 1, 1, 2):explain { 1, 1, 2, 2 }))
  end)

  it("knows links, and which way they lead", function()
    local grid = wend.parse_grid("..#.~", legend):link(2, 1, 4, 1, { weight = 5, tag = "stairs", directed = true })
    grid:link(1, 1, 5, 1, { weight = 1 })
    local steps = grid:explain { 1, 1, 2, 1, 4, 1, 2, 1, 1, 1, 5, 1 }
    assert.equal("- - one_way - -", causes(steps))
    assert.same({ 5, "stairs", 5 }, { steps[2].weight, steps[2].tag, steps[2].cost })
    assert.equal("tag", causes(grid:explain({ 1, 1, 5, 1 }, { costs = wend.costs { swamp = false } })))
    assert.equal("tag", causes(grid:explain({ 2, 1, 4, 1 }, { costs = wend.costs { stairs = false } })))
    grid:close(4, 1)
    assert.equal("closed", causes(grid:explain { 2, 1, 4, 1 }))
  end)

  it("explains the legs of a path that was straightened", function()
    local grid = wend.parse_grid([[
      ......
      ..~~..
      ......
    ]], legend)
    local path = grid:straighten(grid:path(1, 1, 6, 3))
    assert.truthy(#path < 12)
    local steps = grid:explain(path)
    reference.near(path.cost, steps.cost)
    steps.cost = nil
    assert.same(path:explain(), steps)
    grid:close(3, 2, 4, 2)
    assert.equal(HUGE, grid:explain(path).cost)
  end)
end)

describe("path:compare", function()
  it("says where two paths part and meet, and which tags and rules make the difference", function()
    local grid = wend.parse_grid([[
      .........
      ..~~~~~..
      ..~~~~~..
      .........
      .........
    ]], legend)
    local costs = wend.costs { swamp = 5 }
    local path = grid:path(1, 2, 9, 2, { costs = costs })
    local cells = {}
    for x = 1, 9 do cells[2 * x - 1], cells[2 * x] = x, 2 end
    local comparison = path:compare(cells)
    assert.equal("comparison", wend.type(comparison))
    assert.equal(1, #comparison)
    local stretch = comparison[1]
    assert.equal(28, comparison.other_cost)
    reference.near(path.cost, comparison.cost)
    reference.near(28 - path.cost, comparison.difference)
    local swamp = stretch.tags[1]
    assert.same({ "swamp", 0, 5, 0, 25 }, { swamp.tag, swamp.steps, swamp.other_steps, swamp.cost, swamp.other_cost })
    assert.same({ "tag 'swamp'", 20 }, { stretch.rules[1].name, stretch.rules[1].difference })
    local sum = 0
    for _, rule in ipairs(stretch.rules) do sum = sum + rule.difference end
    reference.near(stretch.difference, sum)
    assert.equal("They part at 1,2 and meet at 9,2. This one costs 8.8284 there (8 steps), the other 28 (8 steps). "
      .. "5 steps of tag 'swamp', instead of 0, cost 25 more. 3 steps without a tag, instead of 8, cost 5.8284 less. "
      .. "By tag 'swamp': 20 more; weights and lengths: 0.8284 less.", tostring(comparison))
  end)

  it("compares paths of a graph, with the costs of the first", function()
    local g = draw { "A B C D", "A-B 1 swamp", "B-D 1", "A-C 2 road", "C-D 2" }
    local dry, wet = wend.costs { swamp = 9 }, wend.costs { swamp = 1 }
    dry:edge_rule("night", function(_, cost) return cost + 1 end, { tags = { "road" }, at_least = 1 })
    local path, other = g:path("A", "D", { costs = dry }), g:path("A", "D", { costs = wet })
    assert.same({ 5, 2 }, { path.cost, other.cost })
    local comparison = path:compare(other)
    assert.same({ 5, 10, 5 }, { comparison.cost, comparison.other_cost, comparison.difference })
    local stretch = comparison[1]
    assert.same({ 1, 4, "A", "D", 2, 2 }, { stretch.from, stretch.to, stretch.from_name, stretch.to_name, stretch.steps,
      stretch.other_steps })
    assert.same({ { name = "tag 'swamp'", cost = 0, other_cost = 8, difference = 8 },
      { name = "weight", cost = 4, other_cost = 2, difference = -2 },
      { name = "rule 'night'", cost = 1, other_cost = 0, difference = -1 } }, stretch.rules)
    assert.truthy(tostring(comparison):find("They part at 'A' and meet at 'D'.", 1, true))
    assert.equal(-5, other:compare(path, { costs = dry }).difference)
    assert.same(comparison, path:compare { "A", "B", "D" })
  end)

  it("finds several stretches, and ends that differ", function()
    local g = draw { "A B C D E F", "A-B 1", "A-C 2", "B-D 1", "C-D 2", "D-E 1", "D-F 3" }
    local comparison = g:path("A", "E"):compare { "A", "C", "D", "F" }
    assert.equal(2, #comparison)
    assert.same({ 1, 4, 4, nil }, { comparison[1].from, comparison[1].to, comparison[2].from, comparison[2].to })
    assert.equal("They part at 'A' and meet at 'D'. This one costs 2 there (2 steps), the other 4 (2 steps). "
      .. "2 steps without a tag, instead of 2, cost 2 more. By weights and lengths: 2 more.\n"
      .. "They part at 'D' and do not meet again. This one costs 1 there (1 step), the other 3 (1 step). "
      .. "1 step without a tag, instead of 1, cost 2 more. By weights and lengths: 2 more.\n"
      .. "In all, this one costs 3, the other 7.", tostring(comparison))
    comparison = g:path("A", "E"):compare { "F", "D", "E" }
    assert.same({ nil, 4 }, { comparison[1].from, comparison[1].to })
    assert.truthy(tostring(comparison):find("They begin at different places and meet at 'D'.", 1, true))
    comparison = g:path("A", "B"):compare { "F", "D" }
    assert.truthy(tostring(comparison):find("They have no place in common.", 1, true))
    comparison = g:path("A", "E"):compare { "A" }
    assert.same({ 1, 3, 0 }, { #comparison, comparison[1].steps, comparison[1].other_steps })
    comparison = g:path("A", "A"):compare { "A", "B" }
    assert.same({ 1, 0, 1 }, { #comparison, comparison[1].steps, comparison[1].other_steps })
  end)

  it("says that two paths are the same", function()
    local g = draw { "A B", "A-B 4" }
    local path = g:path("A", "B")
    local comparison = path:compare { 1, 2 }
    assert.same({ 0, 4, 4, 0 }, { #comparison, comparison.cost, comparison.other_cost, comparison.difference })
    assert.equal("Both take the same steps. They cost 4.", tostring(comparison))
  end)

  it("names a step of the other that cannot be taken", function()
    local g = draw { "A B C", "A-B 1 lava", "B-C 1", "A-C 9" }
    local comparison = g:path("A", "C", { costs = wend.costs { lava = false } }):compare { "A", "B", "C" }
    assert.equal(HUGE, comparison.difference)
    assert.equal("tag", comparison[1].other_closed.cause)
    assert.same({ "tag 'lava'", HUGE }, { comparison[1].rules[1].name, comparison[1].rules[1].difference })
    assert.equal("They part at 'A' and meet at 'C'. This one costs 9 there (1 step), the other inf (2 steps). "
      .. "The other cannot go from 'A' to 'B': tag 'lava' closes it for this agent.", tostring(comparison))
  end)

  it("says what closes a step: the tag of a node, a rule of a mod, a cell that the agent covers", function()
    local g = draw { "A B C", "A-B 1 road", "B-C 1", "A-C 9" }
    g:set_node_tag("B", "guarded")
    local costs = wend.costs { guarded = false, road = 2 }
    assert.equal("cannot go from 'A' to 'B': tag 'guarded' closes it for this agent.",
      tostring(g:path("A", "C", { costs = costs }):compare { "A", "B", "C" }):match "The other (.*)")
    costs:set("guarded", 1):mod("war"):edge_rule("siege", function() return false end, { tags = { "guarded" } })
    assert.equal("cannot go from 'A' to 'B': rule 'siege' of mod 'war' closes it for this agent.",
      tostring(g:path("A", "C", { costs = costs }):compare { "A", "B", "C" }):match "The other (.*)")

    local grid = wend.grid(5, 4):close(3, 2)
    assert.equal("cannot go from 1,1 to 2,1: it is closed, at 3,2.",
      tostring(grid:path(1, 3, 4, 3, { size = 2 }):compare { 1, 1, 2, 1, 3, 1 }):match "The other (.*)")
  end)

  it("takes parallel edges as different steps", function()
    local g = draw { "A B C", "A-B 1 swamp", "A-B 3", "B-C 1" }
    local path = g:path("A", "C")
    local dry = g:path("A", "C", { costs = wend.costs { swamp = 9 } })
    local comparison = dry:compare(path, { costs = wend.costs {} })
    assert.same({ 1, 1, 2 }, { #comparison, comparison[1].from, comparison[1].to })
    comparison = dry:compare(path)
    assert.same({ 1, 4, 10 }, { #comparison, comparison.cost, comparison.other_cost })
  end)

  it("adds up: the shares of tags and of rules are the difference, on random maps", function()
    helper.rounds("compare", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(3, 9), height = rng(3, 9), closed = 0.1, links = 2 })
      local opts = grid_reference.random_costs(rng)
      local grid = model.grid
      local function some() return rng(model.width), rng(model.height) end
      local x1, y1 = some()
      local x2, y2 = some()
      local path = grid:path(x1, y1, x2, y2, opts)
      local other = grid:path(x1, y1, x2, y2)
      if not path or not other then return end
      local explained = grid:explain(path, opts)
      reference.near(path.cost, explained.cost)
      local comparison = path:compare(other, { at_least = opts.at_least })
      assert.truthy(comparison.other_cost >= path.cost * (1 - 1e-9))
      local total, steps = 0, 0
      for _, stretch in ipairs(comparison) do
        steps = steps + stretch.steps
        total = total + stretch.difference
        if stretch.other_cost < HUGE then
          local by_tag, by_rule = 0, 0
          for _, share in ipairs(stretch.tags) do by_tag = by_tag + share.difference end
          for _, share in ipairs(stretch.rules) do by_rule = by_rule + share.difference end
          assert.truthy(math.abs(by_tag - stretch.difference) < 1e-6, "tags")
          assert.truthy(math.abs(by_rule - stretch.difference) < 1e-6, "rules")
        end
      end
      assert.truthy(steps <= #explained)
      if comparison.difference < HUGE then assert.truthy(math.abs(total - comparison.difference) < 1e-6) end
      tostring(comparison)
    end)
  end)
end)

describe("path:compare between overlays", function()
  it("explains both on the map of the path itself", function()
    local grid = wend.grid(9, 3)
    local walled = grid:overlay():close(5, 2)
    for _, corners in ipairs { true, false } do
      local free, around = grid:path(1, 2, 9, 2, { corners = corners }), walled:path(1, 2, 9, 2, { corners = corners })
      local comparison = around:compare(free)
      assert.equal("closed", comparison[1].other_closed.cause)
      local closed = comparison[1].other_closed
      assert.same({ 5, 2, HUGE }, { closed.to_x, closed.to_y, comparison.other_cost })
      comparison = free:compare(around)
      assert.same({ 8, nil }, { comparison.cost, comparison[1].closed })
      assert.is_true(comparison.difference > 0 and comparison.other_cost == around.cost)
      local other = grid:overlay():overlay():close(5, 1):close(5, 2)
      assert.equal(around.cost, other:path(1, 2, 9, 2):compare(around).cost)
      assert.equal(HUGE, around:compare(wend.decode(free:encode(), { map = grid })).other_cost)
    end
  end)

  it("knows the edges of paths over graphs", function()
    local g = draw { "A B C", "A-B 1", "A-B 3", "B-C 1" }
    local shut = g:overlay():close_edge(1)
    local old, new = g:path("A", "C"), shut:path("A", "C")
    assert.same({ 2, 4, 2 }, { old.cost, new.cost, old:compare(new).difference })
    assert.equal("closed", new:compare(old)[1].other_closed.cause)
    g:remove_node "C"
    assert.has_error(function() old:compare(new) end)
  end)

  it("refuses paths of other maps and of copies", function()
    local grid = wend.grid(3, 3)
    local path = grid:path(1, 1, 3, 3)
    for _, other in ipairs { grid:copy(), wend.grid(3, 3), wend.grid(3, 3):overlay() } do
      raises("other must be a path of the same map, its base or another overlay", path.compare, path,
        other:path(1, 1, 3, 3))
    end
    local false_path = grid:path(1, 1, 3, 3)
    false_path.map = 5
    assert.has_error(function() path:compare(false_path) end)
  end)
end)

describe("explain and compare", function()
  it("read a list again that a function has changed", function()
    local g, list = draw { "A B C", "A-B 1", "B-C 1" }, { 1, 2, 3 }
    raises("nodes[3]: there is no node 99", function()
      g:explain(list, { cost = function() list[3] = 99 end })
    end)
  end)

  it("end where a script has damaged a comparison", function()
    local endless = setmetatable({}, { __index = function() return 1 end })
    local g = draw { "A B C", "A-B 1 swamp", "B-C 1", "A-C 9" }
    for _, key in ipairs { "tags", "rules", "from", "to", "from_x", "cost", "other_cost", "steps", "closed",
      "from_name" } do
      local comparison = g:path("A", "C"):compare { "A", "C" }
      comparison[1][key] = endless
      helper.ends(tostring, comparison)
    end
    local comparison = g:path("A", "C"):compare { "A", "C" }
    comparison[1], comparison.cost = comparison, endless
    helper.ends(tostring, comparison)
  end)
end)

describe("Errors", function()
  local g, grid = draw { "A B", "A-B 1" }, wend.grid(2, 2)
  local path = g:path(1, 2)
  local function explain(...) return g:explain(...) end
  helper.all_raise(it, {
    "nodes[2]: there is no node 3", function() explain { 1, 3 } end,
    "nodes[1]: there is no node named 'C'", function() explain { "C" } end,
    "nodes[2] must be a node (its id or name), got nan", function() explain { 1, 0 / 0 } end,
    "cells must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 1, 2 }",
      function() grid:explain { 1, 1, 2 } end,
    "cells[3] must be a whole number in 1 .. 2, got 3", function() grid:explain { 1, 1, 3, 1 } end,
    "cells[1] must be a whole number in 1 .. 2, got 'a'", function() grid:explain { "a", 1 } end,
    "unknown option 'into' (expected one of: costs, agent, cost, at_least, size, influence, closed_goal)", function()
      explain({ 1 }, { into = {} })
    end,
    "other must be a path or a list of nodes, got nil", function() path:compare() end,
    "other must be a path of the same map, its base or another overlay",
    function() path:compare(draw({ "A B", "A-B 1" }):path(1, 2)) end,
    "nodes[1]: there is no node 7", function() path:compare { 7 } end,
    "nodes must be a flat list, such as { 1, 2 } for two nodes, got { a table }", function() path:compare { {} } end,
    "unknown option 'into' (expected one of: costs, agent, cost, at_least, size, influence)", function()
      path:compare({ 1 }, { into = {} })
    end,
  })

  it("name the line of the script", function()
    local _, problem = pcall(function() path:compare { 99 } end)
    assert.truthy(problem:find("explain_spec.lua:%d+: nodes%[1%]: there is no node 99"), problem)
  end)

  it("refuse a graph that was freed", function()
    local gone = draw { "A B", "A-B 1" }
    local way = gone:path(1, 2)
    debug.getmetatable(gone).__gc(gone)
    raises("the graph is gone", gone.explain, gone, { 1, 2 })
    raises("the graph is gone", way.compare, way, { 1, 2 })
  end)
end)
