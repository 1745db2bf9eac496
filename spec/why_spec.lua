-- SPDX-License-Identifier: MIT
-- x:why_not, and the causes in messages. spec/random/why_spec.lua compares it with all sets of obstacles.
local helper = require "spec.support.helper"
local wend = require "wend"

local fails, raises = helper.fails, helper.raises

-- A graph of named nodes in a row, one unit apart: "a b c" and edges { from, to, options }.
local function graph_of(names, edges)
  local g, x = wend.graph(), 0
  for name in names:gmatch "%S+" do
    g:add_node(x, 0, { name = name })
    x = x + 1
  end
  for _, edge in ipairs(edges) do g:add_edge(edge[1], edge[2], edge[3]) end
  return g
end

-- The obstacles of a report, without their further fields where `keys` is given.
local function causes(report)
  local list = {}
  for i, obstacle in ipairs(report.obstacles) do list[i] = obstacle.cause end
  return list
end

describe("graph:why_not", function()
  it("is nil where there is a path", function()
    local g = graph_of("a b c", { { "a", "b" }, { "b", "c" } })
    assert.is_nil(g:why_not("a", "c"))
    assert.is_nil(g:why_not("a", "a"))
    assert.is_nil(g:why_not("a", { "c", "b" }))
    assert.equal(1, select("#", g:why_not("a", "c")))
  end)

  it("names a closed goal", function()
    local g = graph_of("gate keep", { { "gate", "keep" } })
    g:close "keep"
    local report = g:why_not("gate", "keep")
    assert.same({ { cause = "closed", node = 2 } }, report.obstacles)
    assert.same({ 1, 2, 1, 1, 1 }, { report.from, report.to, report.reached, report.reaching, report.cost })
    assert.equal("No path from 'gate' (1) to 'keep' (2). The goal is closed. The start reaches 1 node, and the "
      .. "goal can be reached from 1 node.", tostring(report))
    assert.equal(report.text, tostring(report))
    assert.equal("why", wend.type(report))
  end)

  it("names closed edges, in the order of travel", function()
    local g = graph_of("a b c d", { { "a", "b" }, { "c", "b" }, { "c", "d" } })
    g:close_edge(1):close_edge(2)
    local report = g:why_not("a", "d")
    assert.same({ { cause = "closed", edge = 1, from = 1, to = 2 }, { cause = "closed", edge = 2, from = 2, to = 3 } },
      report.obstacles)
    assert.same({ 1, 2, 3 }, { report.reached, report.reaching, report.cost })
    assert.equal("No path from 'a' (1) to 'd' (4). 2 obstacles are in the way: Edge 1 from 'a' (1) to 'b' (2) is "
      .. "closed. Edge 2 from 'b' (2) to 'c' (3) is closed. The start reaches 1 node, and the goal can be "
      .. "reached from 2 nodes.", tostring(report))
  end)

  it("prefers few obstacles to cheap ones, and the cheapest path of equal sets", function()
    local g = graph_of("a b c", { { "a", "b", { weight = 1 } }, { "b", "c", { weight = 1 } }, { "a", "c",
      { weight = 90 } },
      { "a", "c", { weight = 50 } }, { "a", "c", { weight = 70 } } })
    for edge = 1, 5 do g:close_edge(edge) end
    local report = g:why_not("a", "c")
    assert.same({ { cause = "closed", edge = 4, from = 1, to = 3 } }, report.obstacles)
    assert.equal(50, report.cost)
    g:open_edge(2)
    assert.same({ { cause = "closed", edge = 1, from = 1, to = 2 } }, g:why_not("a", "c").obstacles)
  end)

  it("prefers what a player can change: a locked gate to a wall that is as thin", function()
    local grid = wend.parse_grid([[
      ..#..
      ..g..
      ..#..
    ]], { g = { weight = 9, tag = "gate" } })
    local costs = wend.costs { gate = false }
    local function cause(opts)
      opts.costs = costs
      local one = grid:why_not(1, 1, 5, 1, opts).obstacles[1]
      return one.cause .. " " .. one.x .. " " .. one.y
    end
    assert.equal("tag 3 2", cause {})
    assert.equal("closed 3 1", cause { obstacles = { solid = 1 } })
    assert.equal("closed 3 1", cause { obstacles = { tag = 3 } })
    grid:close(3, 2) -- barred as well
    assert.equal("closed 3 2", cause {})
    assert.equal("closed 3 1", cause { obstacles = { closed = 5 } })
    helper.raises("obstacles.tag must be a whole number in 1 .. 100, got 0", cause, { obstacles = { tag = 0 } })
    helper.raises("unknown option 'door' (expected one of: closed, solid, wall, tag, one_way, rule)", cause,
      { obstacles = { door = 1 } })
    helper.raises("obstacles must be a table, got 3", cause, { obstacles = 3 })
  end)

  it("names one-way edges", function()
    local g = graph_of("a b", { { "b", "a", { directed = true } } })
    local report = g:why_not("a", "b")
    assert.same({ { cause = "one_way", edge = 1, from = 1, to = 2 } }, report.obstacles)
    assert.truthy(tostring(report):find("Edge 1 from 'a' (1) to 'b' (2) is one-way, in the other direction.", 1, true))
  end)

  it("names the tags of the agent's profile", function()
    local g = graph_of("a b", { { "a", "b", { tag = "lava" } } })
    assert.is_nil(g:why_not("a", "b"))
    local report = g:why_not("a", "b", { costs = wend.costs { lava = false } })
    assert.same({ { cause = "tag", tag = "lava", edge = 1, from = 1, to = 2 } }, report.obstacles)
    assert.truthy(tostring(report):find("is closed for this agent: tag 'lava' costs false.", 1, true))
    local costs = wend.costs { lava = function(agent) return agent.wings and 1 or false end }
    assert.same({ { cause = "tag", tag = "lava", edge = 1, from = 1, to = 2 } },
      g:why_not("a", "b", { costs = costs }).obstacles)
    assert.is_nil(g:why_not("a", "b", { costs = costs, agent = { wings = true } }))
    assert.same({ "tag" }, causes(g:why_not("a", "b", { costs = wend.costs({}, { default = false }) })))
  end)

  it("names the rule that closes a tag: the last one that turned an open tag into a closed one", function()
    local g = graph_of("a b", { { "a", "b", { tag = "mud" } } })
    local costs = wend.costs { mud = 2 }
    costs:rule("rain", "mud", function() return false end, { priority = 1 })
    local report = g:why_not("a", "b", { costs = costs })
    assert.same({ { cause = "tag", tag = "mud", rule = "rule 'rain'", edge = 1, from = 1, to = 2 } }, report.obstacles)
    assert.truthy(tostring(report):find("is closed for this agent: rule 'rain' closes tag 'mud'.", 1, true))
    costs:rule("boots", "mud", function() return 3 end, { priority = 2 })
    assert.is_nil(g:why_not("a", "b", { costs = costs }))
    costs:rule("flood", "mud", function() return false end, { priority = 3 })
    assert.equal("rule 'flood'", g:why_not("a", "b", { costs = costs }).obstacles[1].rule)
    costs:set("mud", false):rule("also", "mud", function(_, factor) return factor end, { priority = 4 })
    assert.equal("rule 'flood'", g:why_not("a", "b", { costs = costs }).obstacles[1].rule)
    local shut = wend.costs { mud = false }
    shut:rule("rain", "mud", function() end) -- changes nothing: the value closes the tag
    assert.same({ { cause = "tag", tag = "mud", edge = 1, from = 1, to = 2 } },
      g:why_not("a", "b", { costs = shut }).obstacles)
  end)

  it("names rules about edges, and the option cost", function()
    local g = graph_of("a b", { { "a", "b", { tag = "road" } } })
    local costs = wend.costs {}
    costs:edge_rule("night", function() return false end)
    local report = g:why_not("a", "b", { costs = costs })
    assert.same({ { cause = "rule", tag = "road", rule = "rule 'night'", edge = 1, from = 1, to = 2 } },
      report.obstacles)
    assert.truthy(tostring(report):find("is closed for this agent by rule 'night'.", 1, true))
    report = g:why_not("a", "b", { cost = function() return false end })
    assert.same({ { cause = "rule", tag = "road", rule = "option 'cost'", edge = 1, from = 1, to = 2 } },
      report.obstacles)
  end)

  it("names every cause of an obstacle, which counts once", function()
    local g = graph_of("a b", { { "b", "a", { tag = "lava", directed = true } } })
    g:close_edge(1)
    local costs = wend.costs { lava = false }
    costs:edge_rule("one", function() return false end):edge_rule("two", function() return false end)
    local report = g:why_not("a", "b", { costs = costs })
    assert.same({ { cause = "closed", edge = 1, from = 1, to = 2, also = {
      { cause = "tag", tag = "lava" }, { cause = "one_way" }, { cause = "rule", tag = "lava", rule = "rule 'one'" },
      { cause = "rule", tag = "lava", rule = "rule 'two'" } } } }, report.obstacles)
    assert.truthy(tostring(report):find("Edge 1 from 'a' (1) to 'b' (2) is closed, and it is closed for this agent: "
      .. "tag 'lava' costs false, and it is one-way, in the other direction, and it is closed for this agent by "
      .. "rule 'one', and it is closed for this agent by rule 'two'.", 1, true))
  end)

  it("says that nothing connects the two, and where they come nearest", function()
    local g = graph_of("a b c d", { { "a", "b" }, { "d", "c", { directed = true } } })
    local report = g:why_not("a", "d")
    assert.same({ { cause = "no_edge", from = 2, to = 3 } }, report.obstacles)
    assert.same({ 2, 1 }, { report.reached, report.reaching })
    assert.is_nil(report.cost)
    assert.truthy(tostring(report):find("These come nearest at 'b' (2) and 'c' (3).", 1, true))
    local plain = wend.graph()
    plain:add_node()
    plain:add_node()
    assert.same({ { cause = "no_edge" } }, plain:why_not(1, 2).obstacles)
    assert.truthy(tostring(plain:why_not(1, 2)):find("to 2. Nothing joins their parts of the map. The start", 1, true))
  end)

  it("takes several goals", function()
    local g = graph_of("a b c d", { { "a", "b" }, { "b", "c" }, { "b", "d" } })
    g:close "c":close "d":close_edge(1)
    local report = g:why_not("a", { "c", "d" })
    assert.same({ "closed", "closed" }, causes(report))
    assert.equal(3, report.to)
    assert.equal(2, report.reaching)
    g:set_weight(2, 10)
    assert.equal(4, g:why_not("a", { "c", "d", "c" }).to)
    assert.equal(2, g:why_not("a", { "c", "d", "c" }).reaching)
  end)

  it("says which limit is in the way", function()
    local g = graph_of("a b c", { { "a", "b", { weight = 3 } }, { "b", "c", { weight = 4 } } })
    local report = g:why_not("a", "c", { max_cost = 6 })
    assert.same({ {}, "max_cost", 7 }, { report.obstacles, report.limit, report.cost })
    assert.equal("No path from 'a' (1) to 'c' (3) within the limits. There is one that costs 7, more than max_cost.",
      tostring(report))
    report = g:why_not("a", "c", { max_expanded = 1 })
    assert.same({ {}, "max_expanded", 7 }, { report.obstacles, report.limit, report.cost })
    assert.is_nil(g:why_not("a", "c", { max_cost = 7 }))
    g:close_edge(2)
    assert.same({ "closed" }, causes(g:why_not("a", "c", { max_cost = 6, max_expanded = 1 })))
  end)

  it("says that a sum is too great", function()
    local g = graph_of("a b c", { { "a", "b", { weight = 1e308 } }, { "b", "c", { weight = 1e308 } } })
    local report = g:why_not("a", "c")
    assert.same({ {}, math.huge }, { report.obstacles, report.cost })
    assert.truthy(tostring(report):find("The way is open, but its cost is greater than any number.", 1, true))
  end)

  it("makes at most three searches, and counts them", function()
    local g = graph_of("a b c", { { "a", "b" }, { "b", "c" } })
    local stats = {}
    g:why_not("a", "c", { stats = stats })
    assert.equal(1, stats.searches)
    g:close_edge(2)
    g:why_not("a", "c", { stats = stats })
    assert.equal(2, stats.searches)
    g:why_not("a", "c", { stats = stats, max_cost = 100 })
    assert.equal(3, stats.searches)
    assert.is_true(stats.expanded >= 3 and stats.expanded <= 9)
    assert.is_true(stats.callbacks == 0)
  end)

  it("takes each place few times, however different the costs are", function()
    helper.rounds("why, sizes of costs", 5, function(rng)
      local side, stats = 60, {}
      local grid = wend.grid(side, side)
      for y = 1, side do
        for x = 1, side do grid:set(x, y, { weight = 2 ^ rng(-300, 300), closed = rng:chance(0.5) }) end
      end
      grid:fill(side / 2, 1, side / 2, side, false)
      assert.is_not_nil(grid:why_not(1, 1, side, side, { stats = stats }))
      assert.is_true(stats.expanded < 4 * side * side + 2048, ("%d"):format(stats.expanded))
    end)
  end)

  it("asks functions about edges at most as often as three searches do", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0, 2, 0, 3, 0, 4, 0 }
    g:add_edges { 1, 2, 2, 3, 3, 4, 4, 5 }
    local calls = 0
    local function closed(_, cost, _, from, to)
      calls = calls + 1
      if from == 3 and to == 4 then return false end
      return cost
    end
    local report = g:why_not(1, 5, { cost = closed })
    assert.same({ "rule" }, causes(report))
    assert.is_true(calls <= 3 * 8)
  end)

  it("has the names of when it was made", function()
    local g = graph_of("a b", {})
    local report = g:why_not("a", "b")
    g:remove_node "b"
    assert.truthy(tostring(report):find("No path from 'a' (1) to 'b' (2).", 1, true))
  end)

  it("ignores the options partial, into, variation and heuristic", function()
    local g = graph_of("a b c", { { "a", "b" }, { "b", "c" } })
    g:close "c"
    local into = { 7 }
    local opts = { partial = true, into = into, variation = 0.5, seed = 1, heuristic = "zero" }
    assert.same({ "closed" }, causes(g:why_not("a", "c", opts)))
    assert.same({ 7 }, into)
  end)

  it("describes the first eight obstacles in words", function()
    local g = wend.graph()
    for i = 1, 11 do g:add_node(i, 0) end
    for i = 1, 10 do g:close_edge(g:add_edge(i, i + 1)) end
    local text = tostring(g:why_not(1, 11))
    assert.truthy(text:find("10 obstacles are in the way: ", 1, true))
    assert.truthy(text:find("Edge 8 from 8 to 9 is closed. And 2 more. The start", 1, true))
  end)
end)

describe("grid:why_not", function()
  -- A grid of rows; # is closed, other characters are tags.
  local function grid_of(rows, opts) return (wend.parse_grid(rows, { ["~"] = "lava" }, opts)) end

  it("names a closed goal and closed cells", function()
    local grid = grid_of { "..#.." }
    assert.is_nil(grid:why_not(1, 1, 2, 1))
    local report = grid:why_not(1, 1, 3, 1)
    assert.same({ { cause = "closed", x = 3, y = 1 } }, report.obstacles)
    assert.same({ { x = 1, y = 1 }, { x = 3, y = 1 } }, { report.from, report.to })
    assert.equal("No path from (1,1) to (3,1). The goal is closed. The start reaches 2 cells, and the goal can be "
      .. "reached from 1 cell.", tostring(report))
    report = grid:why_not(1, 1, 5, 1)
    assert.equal("No path from (1,1) to (5,1). Cell (3,1) is closed. The start reaches 2 cells, and the goal can "
      .. "be reached from 2 cells.", tostring(report))
    assert.equal(4, report.cost)
  end)

  it("names tags", function()
    local grid = grid_of { ".~." }
    local report = grid:why_not(1, 1, 3, 1, { costs = wend.costs { lava = false } })
    assert.same({ { cause = "tag", tag = "lava", x = 2, y = 1 } }, report.obstacles)
    assert.truthy(tostring(report):find("Cell (2,1) is closed for this agent: tag 'lava' costs false.", 1, true))
    grid:close(2, 1)
    report = grid:why_not(1, 1, 3, 1, { costs = wend.costs { lava = false } })
    assert.same({ { cause = "closed", x = 2, y = 1, also = { { cause = "tag", tag = "lava" } } } }, report.obstacles)
  end)

  it("names walls, also those between diagonal neighbours", function()
    local grid = wend.grid(2, 1):wall(1, 1, 2, 1)
    local report = grid:why_not(1, 1, 2, 1)
    assert.same({ { cause = "wall", x = 1, y = 1, to_x = 2, to_y = 1 } }, report.obstacles)
    assert.truthy(tostring(report):find("The step from (1,1) to (2,1) is blocked by a wall.", 1, true))
    grid = wend.grid(2, 2, { diagonals = "always" }):set(2, 1, false):set(1, 2, false):wall(1, 1, 2, 2)
    report = grid:why_not(1, 1, 2, 2)
    assert.same({ { cause = "wall", x = 1, y = 1, to_x = 2, to_y = 2 } }, report.obstacles)
    grid:wall(1, 1, 2, 2, false):wall(1, 1, 2, 1):wall(1, 1, 1, 2):wall(1, 2, 2, 2)
    report = grid:why_not(1, 1, 2, 2)
    assert.same({ { cause = "wall", x = 1, y = 1, to_x = 2, to_y = 1 } }, report.obstacles)
  end)

  it("names the steps that rules close", function()
    local grid = wend.grid(3, 1)
    local report = grid:why_not(1, 1, 3, 1, { cost = function(_, cost, _, x1, _, x2)
      if x1 == 2 and x2 == 3 then return false end
      return cost
    end })
    assert.same({ { cause = "rule", rule = "option 'cost'", x = 2, y = 1, to_x = 3, to_y = 1 } }, report.obstacles)
    assert.truthy(tostring(report):find("The step from (2,1) to (3,1) is closed for this agent by option 'cost'.", 1,
      true))
  end)

  it("counts a closed cell once, and does not cut corners", function()
    for _, diagonals in ipairs { "both_open", "never" } do
      local grid = grid_of({ ".#", "#." }, { diagonals = diagonals })
      local report = grid:why_not(1, 1, 2, 2)
      assert.equal(1, #report.obstacles, diagonals)
      assert.equal("closed", report.obstacles[1].cause)
    end
    assert.is_nil(grid_of({ ".#", "#." }, { diagonals = "always" }):why_not(1, 1, 2, 2))
  end)

  it("asks functions with a promise about the steps beside a diagonal onto a closed tag", function()
    for _, diagonals in ipairs { "both_open", "one_open" } do
      local grid = grid_of({ "..", ".." }, { diagonals = diagonals }):set(2, 2, { tag = "lava" })
      local report = grid:why_not(1, 1, 2, 2, { costs = wend.costs { lava = false }, at_least = 1,
        cost = function(_, cost, _, x1, y1, x2, y2)
          if x2 == 2 and y2 == 2 and (x1 == 2 or y1 == 2) then return false end
          return cost
        end })
      assert.equal(1, #report.obstacles)
      assert.equal("tag", report.obstacles[1].cause)
      assert.same({ { cause = "rule", rule = "option 'cost'", tag = "lava" } }, report.obstacles[1].also, diagonals)
    end
  end)

  it("names links", function()
    local grid = grid_of { ".#.", "###", ".#." }
    grid:link(3, 3, 1, 1, { directed = true, tag = "lava" })
    local report = grid:why_not(1, 1, 3, 3)
    assert.same({ { cause = "one_way", x = 1, y = 1, to_x = 3, to_y = 3, link = true } }, report.obstacles)
    assert.truthy(tostring(report):find("The link from (1,1) to (3,3) is one-way, in the other direction.", 1, true))
    report = grid:why_not(3, 3, 1, 1, { costs = wend.costs { lava = false } })
    assert.same({ { cause = "tag", tag = "lava", x = 3, y = 3, to_x = 1, to_y = 1, link = true } }, report.obstacles)
    grid:set(1, 1, { tag = "lava" }):unlink(1, 1, 3, 3):link(3, 3, 1, 1)
    report = grid:why_not(3, 3, 1, 1, { costs = wend.costs { lava = false } })
    assert.same({ { cause = "tag", tag = "lava", x = 1, y = 1 } }, report.obstacles)
  end)

  it("takes a list of goals, and cells as values", function()
    local grid = grid_of { "..#.#" }
    local report = grid:why_not(1, 1, { 5, 1, 4, 1 })
    assert.same({ { cause = "closed", x = 3, y = 1 } }, report.obstacles)
    assert.same({ x = 4, y = 1 }, report.to)
    assert.same(report.obstacles, grid:why_not({ x = 1, y = 1 }, { x = 4, y = 1 }).obstacles)
  end)

  it("leaves the map as it was", function()
    local grid = grid_of { "..#.." }
    local path = grid:path(1, 1, 2, 1)
    grid:why_not(1, 1, 5, 1)
    assert.is_true(path:valid())
    assert.is_true(grid:is_closed(3, 1))
  end)
end)

describe("the message of a search without a path", function()
  local function closed_row(rows, opts) return (wend.parse_grid(rows, { ["~"] = "lava" }, opts)) end

  it("says that the goal is closed", function()
    local g = graph_of("gate keep", { { "gate", "keep" } })
    g:close "keep"
    fails("no path from 'gate' (1) to 'keep' (2): the goal is closed", "no_path", g.path, g, "gate", "keep")
    fails("no path from 'gate' (1) to any of the goals: all goals are closed", "no_path", g.path, g, "gate", { 2, 2 })
    local grid = closed_row { ".~#" }
    local opts = { costs = wend.costs { lava = false } }
    fails("no path from (1,1) to (3,1): the goal is closed", "no_path", grid.path, grid, 1, 1, 3, 1)
    fails("no path from (1,1) to (2,1): the goal is closed for this agent (tag 'lava')", "no_path", grid.path, grid, 1,
      1, 2, 1,
      opts)
    fails("no path from (1,1) to any of the goals: all goals are closed for this agent", "no_path", grid.path, grid, 1,
      1,
      { 3, 1, 2, 1 }, opts)
  end)

  it("says that the goal has no way in, or the start no way out", function()
    local g = graph_of("a b c", { { "a", "b" }, { "c", "b", { directed = true, tag = "lava" } } })
    fails("no path from 'a' (1) to 'c' (3): no open edge leads to the goal", "no_path", g.path, g, "a", "c")
    fails("no path from 'c' (3) to 'a' (1): no open edge leads out of the start", "no_path", g.path, g, "c", "a",
      { costs = wend.costs { lava = false } })
    fails("no path from 'c' (3) to 'a' (1)", "no_path", g.path, g, "c", "a",
      { costs = wend.costs { lava = false }, cost = function() end })
    local grid = closed_row { ".#..", "##.." }
    fails("no path from (1,1) to (4,1): no open step leads out of the start", "no_path", grid.path, grid, 1, 1, 4, 1)
    fails("no path from (4,1) to (1,1): no open step leads to the goal", "no_path", grid.path, grid, 4, 1, 1, 1)
    grid:link(1, 1, 1, 2)
    grid:open(1, 2)
    fails("no path from (4,1) to (1,1)", "no_path", grid.path, grid, 4, 1, 1, 1)
  end)

  it("says so in slices, in queues and for fields", function()
    local grid = closed_row { "..#" }
    local search = grid:search(1, 1, 3, 1)
    while search:step(1) == "running" do end
    fails("no path from (1,1) to (3,1): the goal is closed", "no_path", search.result, search)
    local queue = wend.queue()
    local request = queue:path(grid, 1, 1, 3, 1)
    queue:run(1)
    assert.equal("no path from (1,1) to (3,1): the goal is closed", request.message)
    local field = grid:field(3, 1)
    fails("no path from (1,1) to (3,1): the goal is closed", "no_path", field.path, field, 1, 1)
  end)

  it("says nothing about a map that has changed since", function()
    local grid = closed_row { "..#.." }
    local search = grid:search(1, 1, 5, 1)
    while search:step(1) == "running" do end
    grid:close(5, 1)
    fails("no path from (1,1) to (5,1)", "no_path", search.result, search)
  end)
end)

describe("why_not, misused,", function()
  local g = graph_of("a b", { { "a", "b" } })
  local grid = wend.grid(3, 1):close(3, 1)

  helper.all_raise(it, {
    ["a node that is not there"] = { "there is no node 7", g.why_not, g, 1, 7 },
    ["a set of goals"] = { "to must be a list of nodes, got the key 'b'", g.why_not, g, 1, { b = true } },
    ["a cell outside"] = { "x2 must be a whole number in 1 .. 3, got 4", grid.why_not, grid, 1, 1, 4, 1 },
    ["NaN"] = { "max_cost must be a number in 0 .. inf, got nan", g.why_not, g, 1, 2, { max_cost = 0 / 0 } },
    ["an unknown option"] = { "unknown option 'bogus' " .. helper.WAY_OPTIONS, g.why_not, g, 1, 2, { bogus = 1 } },
  })

  it("raises what a function raises, with the name of the rule", function()
    local costs = wend.costs {}
    costs:edge_rule("bad", function() error("oh", 0) end)
    raises("rule 'bad': oh", g.why_not, g, 1, 2, { costs = costs })
    local handled
    costs.on_error = function(name, message) handled = { name, message } end
    assert.is_nil(g:why_not(1, 2, { costs = costs }))
    assert.same({ "bad", "oh" }, handled)
  end)

  it("fails if on_error edits the map, and forbids edits in functions", function()
    local map = graph_of("a b", { { "a", "b" } })
    local costs = wend.costs {}
    costs:edge_rule("bad", function() error("oh", 0) end)
    costs.on_error = function() map:close "b" end
    fails("the graph or the costs have changed since the search began", "stale", map.why_not, map, 1, 2,
      { costs = costs })
    local ok, message = pcall(map.why_not, map, 1, 2, { cost = function() map:open "b" end })
    assert.is_false(ok)
    assert.truthy(message:find("option 'cost': .*the graph is being searched"), message)
  end)

  it("fails if a function contradicts itself", function()
    local times = 0
    local function fickle(_, cost)
      times = times + 1
      return times > 2 and cost or false
    end
    local map = graph_of("a b c", { { "a", "b" }, { "b", "c" } })
    local report, _, code = map:why_not("a", "c", { cost = fickle })
    assert.is_true(report == nil and (code == nil or code == "stale") or #report.obstacles >= 0)
  end)

  it("may be called in a function of itself", function()
    local map = graph_of("a b", { { "a", "b" } })
    local inner
    local report = map:why_not("a", "b", { cost = function()
      inner = inner or map:why_not("b", "a", { cost = function() return false end })
      return false
    end })
    assert.same({ "rule" }, causes(report))
    assert.same({ "rule" }, causes(inner))
  end)

  it("leaves reports that scripts may change, and tostring of them does not raise", function()
    local map = graph_of("a b", {})
    local report = map:why_not("a", "b")
    report.text = nil
    assert.equal("wend.Why", tostring(report))
    report.text = { 1 }
    assert.equal("wend.Why", tostring(report))
    assert.equal("why", getmetatable(report))
  end)
end)
