-- SPDX-License-Identifier: MIT
-- Searches a slice at a time.
local grid_reference = require "spec.grid_reference"
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local show, draw, row = reference.show, reference.draw, reference.row

-- Steps until it is over; returns what the last step said, and how many there were.
local function finish(search, n)
  local steps = 0
  repeat
    local state = search:step(type(n) == "function" and n() or n or 1)
    steps = steps + 1
  until state ~= "running"
  return search:step(1), steps
end

describe("search:step", function()
  it("expands at most n nodes and says whether it is over", function()
    local search, stats = row(10):search(1, 10, { stats = {} }), {}
    assert.equal("running", search:step(3))
    assert.equal("running", search:step(3))
    assert.equal("found", search:step(100))
    assert.equal(9, search:path().cost)
    search = row(10):search(1, 10, { stats = stats })
    search:step(3)
    assert.equal(3, stats.expanded)
    search:step(4)
    assert.equal(7, stats.expanded)
  end)

  it("repeats 'found' or 'failed' once it is over", function()
    local g = row(3)
    local search = g:search(1, 3)
    assert.same({ "found", "found", "found" }, { (search:step(9)), (search:step(1)), (search:step(1)) })
    search = g:close(3):search(1, 3)
    assert.same({ "failed", "failed" }, { (search:step(9)), (search:step(9)) })
  end)

  it("needs a step also where start and goal are the same", function()
    local search = row(3):search(2, 2)
    assert.equal("found", search:step(1))
    assert.equal("0: 2 by ", show(search:path()))
  end)

  it("keeps the budgets over all slices", function()
    local g = row(100)
    local search = g:search(1, 100, { max_expanded = 10 })
    local state, steps = finish(search, 3)
    assert.same({ "failed", 4 }, { state, steps })
    helper.fails("no path from 1 to 100 within the budget", "budget", search.path, search)
    search = g:search(1, 100, { max_cost = 10 })
    finish(search, 3)
    helper.fails("no path from 1 to 100 within the budget", "budget", search.path, search)
  end)

  it("finds a partial path", function()
    local search = row(100):search(1, 100, { partial = true, max_expanded = 10 })
    assert.equal("found", (finish(search, 3)))
    local path = assert(search:path())
    assert.same({ true, 10 }, { path.partial, path.cost })
  end)
end)

describe("search:path", function()
  it("answers as graph:path does", function()
    local g = row(9)
    local search = g:search(2, { 7, 8 })
    finish(search)
    assert.equal(show(g:path(2, { 7, 8 })), show(search:path()))
    search = g:close(5):search(1, 9)
    finish(search)
    helper.fails("no path from 1 to 9", "no_path", search.path, search)
  end)

  it("answers again, each time with a new table", function()
    local search = row(9):search(2, 7)
    finish(search)
    local one, other = search:path(), search:path()
    assert.not_equal(one, other)
    assert.equal(show(one), show(other))
  end)

  it("raises while the search is under way", function()
    local search = row(9):search(2, 7)
    local message = 'the search is not over: call step until it returns "found" or "failed"'
    helper.raises(message, search.path, search)
    search:step(1)
    helper.raises(message, search.path, search)
  end)

  it("fills the table of the option into", function()
    local into = {}
    local search = row(9):search(2, 7, { into = into })
    finish(search)
    assert.equal(into, search:path())
    assert.equal(5, into.cost)
  end)

  it("empties the table of the option into on failure", function()
    local g, into = row(9), {}
    g:path(1, 5, { into = into })
    local search = g:close(7):search(2, 7, { into = into })
    finish(search)
    assert.equal(nil, (search:path()))
    assert.equal(nil, next(into))
  end)

  it("gives paths that know whether the map has changed since the search began", function()
    local g = row(9)
    local search = g:search(2, 7)
    finish(search)
    g:set_weight(3, 7)
    assert.equal(false, search:path():valid())
  end)
end)

describe("a search in slices", function()
  it("finds the same path as a whole search, whatever the size of its slices", function()
    helper.rounds("slices", 60, function(rng)
      local g, model = helper.random_graph(rng)
      local costs = wend.costs { road = 0.3, toll = { plus = 2 }, swamp = function() return 1.5 end }
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      for _, opts in ipairs {
        {}, { algorithm = "dijkstra" }, { costs = costs }, { heuristic = "octile" }, { max_expanded = rng(30) },
        { cost = function(_, cost, _, a, b) return cost * (1 + (a + b) % 3) end, at_least = rng:pick { 0, 0.5, 1 } },
        { max_cost = rng(100) },
      } do
        opts.stats = {}
        local whole = show(g:path(from, to, opts))
        local stats = opts.stats
        for _, slice in ipairs { 1, 2, 7, function() return rng(5) end } do
          opts.stats = {}
          local search = g:search(from, to, opts)
          finish(search, slice)
          assert.equal(whole, show(search:path()))
          assert.same(stats, opts.stats)
        end
      end
    end)
  end)

  it("is not disturbed by others on the same graph, whole or in slices", function()
    local g = reference.geometric(helper.rng "others", 300)
    local expected, searches = {}, {}
    for i = 1, 20 do
      expected[i] = show(g:path(i, 300 - i))
      searches[i] = g:search(i, 300 - i)
    end
    local over
    repeat
      over = true
      for i = 1, 20 do
        over = searches[i]:step(i) ~= "running" and over
        g:path(i, 150)
      end
    until over
    for i = 1, 20 do assert.equal(expected[i], show(searches[i]:path())) end
  end)

  it("may be stepped by one coroutine after another", function()
    local g = row(50)
    local search = g:search(1, 50, { cost = function(_, cost) return cost * 2 end })
    local state
    repeat
      local stepper = coroutine.create(function() return search:step(5) end)
      local _, result = coroutine.resume(stepper)
      state = result
      collectgarbage()
    until state ~= "running"
    assert.equal("found", state)
    assert.equal(98, search:path().cost)
  end)

  it("keeps its graph, profile, agent and tables alive", function()
    local stats = {}
    local search = row(50):search(1, 50, { costs = wend.costs():edge_rule("double", function(agent, cost)
      return cost * agent.factor
    end), agent = { factor = 2 }, stats = stats, into = {} })
    collectgarbage()
    collectgarbage()
    while search:step(7) == "running" do collectgarbage() end
    assert.equal(98, search:path().cost)
    assert.truthy(stats.expanded >= 49)
  end)

  it("may be dropped before its end", function()
    local g = row(2000)
    local function resident() collectgarbage() collectgarbage() return collectgarbage "count" end
    local before = resident()
    for i = 1, 300 do
      local search = g:search(1, 2000, { cost = function() end, agent = {} })
      search:step(i)
    end
    assert.truthy(resident() - before < 64)
    assert.equal(1999, g:path(1, 2000).cost)
  end)
end)

describe("a map that changes between slices, with restart = false,", function()
  local function begun(opts)
    opts = opts or {}
    opts.restart = false
    local g, e = draw({ "A B C D E", "A-B", "B-C", "C-D", "D-E", "A-E 100 road" },
      { A = { 0, 0 }, B = { 1, 0 }, C = { 2, 0 }, D = { 3, 0 }, E = { 4, 0 } })
    local search = g:search("A", "E", opts)
    assert.equal("running", search:step(1))
    return g, search, e
  end

  for what, edit in pairs {
    ["a new node"] = function(g) g:add_node(9, 9) end,
    ["a new edge"] = function(g) g:add_edge("A", "E") end,
    ["a removed node"] = function(g) g:remove_node "D" end,
    ["a removed goal"] = function(g) g:remove_node "E" end,
    ["a removed start"] = function(g) g:remove_node "A" end,
    ["a removed edge"] = function(g, e) g:remove_edge(e[4]) end,
    ["a closed node"] = function(g) g:close "D" end,
    ["a closed edge"] = function(g, e) g:close_edge(e[4]) end,
    ["a weight"] = function(g, e) g:set_weight(e[4], 3) end,
    ["a tag"] = function(g, e) g:set_tag(e[4], "mud") end,
    ["a moved node"] = function(g) g:move("C", 2, 1) end,
  } do
    it("makes the search stale: " .. what, function()
      local g, search, e = begun()
      edit(g, e)
      assert.equal("failed", search:step(1))
      assert.equal("failed", search:step(1))
      helper.fails("the graph or the costs have changed since the search began", "stale", search.path, search)
    end)
  end

  it("makes the search stale also before its first step", function()
    local g = row(5)
    local search = g:search(1, 5, { restart = false })
    g:close(3)
    assert.equal("failed", search:step(100))
    assert.equal("stale", select(3, search:path()))
  end)

  it("does not matter where the edit affects no search", function()
    local g, search, e = begun()
    g:set_name("C", "ford"):set_radius("D", 3):open "D":open_edge(e[1])
    assert.equal("found", search:step(100))
    assert.equal(4, search:path().cost)
  end)

  it("does not matter on another graph", function()
    local _, search = begun()
    row(5):close(3)
    assert.equal("found", search:step(100))
  end)

  it("does not affect a path that was found before", function()
    local g, search = begun()
    assert.equal("found", search:step(100))
    g:remove_node "C"
    assert.equal("found", search:step(1))
    local path = assert(search:path())
    assert.same({ 5, 4, false }, { #path, path.cost, path:valid() })
  end)

  it("empties the table of the option into", function()
    local into = {}
    local g, search = begun { into = into }
    g:close "D"
    search:step(1)
    assert.equal(nil, (search:path()))
    assert.equal(nil, next(into))
  end)
end)

describe("a profile that changes between slices, with restart = false,", function()
  local base = wend.costs { road = 2 }
  for what, edit in pairs {
    ["a tag"] = function(costs) costs:set("road", 3) end,
    ["a rule"] = function(costs) costs:rule("rain", "road", function() end) end,
    ["an edge rule"] = function(costs) costs:edge_rule("rain", function() end) end,
    ["a rule that is gone"] = function(costs) costs:remove "wind" end,
    ["what it inherits from"] = function() base:set("mud", 3) end,
  } do
    it("makes the search stale: " .. what, function()
      local costs = wend.costs({}, { base = base }):rule("wind", "road", function() end)
      local search = row(5):set_tag(1, "road"):set_tag(2, "mud"):search(1, 5, { costs = costs, restart = false })
      assert.equal("running", search:step(1))
      edit(costs)
      assert.equal("failed", search:step(1))
      helper.fails("the graph or the costs have changed since the search began", "stale", search.path, search)
    end)
  end

  it("does not matter to searches with another profile, nor on_error", function()
    local costs = wend.costs()
    local search = row(5):search(1, 5, { costs = costs })
    search:step(1)
    wend.costs():set("road", 3)
    base:set("road", 3)
    costs.on_error = function() end
    assert.equal("found", search:step(9))
  end)
end)

describe("a callback of a search in slices", function()
  it("cannot use the search that it is called by", function()
    local search
    local messages = {}
    search = row(5):search(1, 5, { cost = function()
      for _, method in ipairs { "step", "path" } do
        local _, message = pcall(search[method], search, 1)
        messages[message] = true
      end
    end })
    assert.equal("found", (finish(search)))
    assert.same({ ["the search is running: its own callbacks cannot use it"] = true }, messages)
    assert.equal(4, search:path().cost)
  end)

  it("may step others", function()
    local g = row(9)
    local inner = g:search(1, 9)
    local outer = g:search(1, 9, { cost = function(_, cost)
      inner:step(1)
      return cost
    end })
    finish(outer)
    finish(inner)
    assert.equal(show(outer:path()), show(inner:path()))
  end)

  it("is called between step and its return, and at no other time", function()
    local calls = 0
    local search = row(9):search(1, 9, { cost = function() calls = calls + 1 end })
    search:step(2)
    local before = calls
    row(5):path(1, 5)
    collectgarbage()
    assert.equal(before, calls)
    finish(search)
    local after = calls
    search:path()
    assert.equal(after, calls)
  end)

  it("that raises ends the step; the next one begins anew", function()
    local broken = true
    local search = row(9):search(1, 9, { cost = function(_, _, _, from)
      if broken and from == 4 then error("bridge out", 0) end
    end })
    helper.raises("option 'cost': bridge out", search.step, search, 100)
    broken = false
    assert.equal("found", (finish(search)))
    assert.equal(8, search:path().cost)
  end)
end)

describe("many searches", function()
  it("in slices take no memory once they are gone #slow", function()
    local resident = reference.resident
    if not resident() then return pending "no /proc here" end
    local g = row(20000)
    local function many(count)
      for _ = 1, count do g:search(1, 20000):step(10) end
    end
    many(200)
    local before = resident()
    many(2000) -- each holds about 480 kB
    assert.truthy(resident() - before < 60000, ("%d kB more"):format(resident() - before))
  end)
end)

describe("grid:search", function()
  it("is the same search, a slice at a time", function()
    local grid = wend.grid(30, 30):fill(15, 1, 15, 25, false):fill(4, 4, 9, 9, 3)
    for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "octile" }, { max_cost = 10 } } do
      local whole = grid_reference.show(grid:path(3, 3, 27, 4, opts))
      for _, slice in ipairs { 1, 2, 7, 1000 } do
        local search = grid:search(3, 3, 27, 4, opts)
        finish(search, slice)
        assert.equal(whole, grid_reference.show(search:path()))
      end
    end
  end)

  it("is the same by jumps, too", function()
    local grid = wend.grid(100, 100):fill(50, 1, 50, 70, false):fill(20, 30, 22, 100, false)
    local stats = {}
    local whole = grid_reference.show(grid:path(5, 5, 95, 60, { stats = stats }))
    local search = grid:search(5, 5, 95, 60)
    local steps = 1
    while search:step(1) == "running" do steps = steps + 1 end
    assert.equal(whole, grid_reference.show(search:path()))
    assert.truthy(steps > 1 and steps <= stats.expanded + 2, steps)
  end)

  it("takes a list of goals", function()
    local search = wend.grid(9, 1):search(5, 1, { 1, 1, 7, 1 })
    assert.equal("found", (finish(search, 1)))
    assert.equal("5,1 6,1 7,1", grid_reference.text(search:path()))
  end)

  it("says 'failed', and why", function()
    local search = wend.parse_grid(".#."):search(1, 1, 3, 1)
    assert.equal("failed", (finish(search, 1)))
    helper.fails("no path from (1,1) to (3,1)", "no_path", search.path, search)
  end)

  for what, edit in pairs {
    ["a cell"] = function(grid) grid:set(20, 1, false) end,
    ["a cell far away"] = function(grid) grid:set(1, 3, 2) end,
    ["a wall"] = function(grid) grid:wall(20, 1, 21, 1) end,
    ["a link"] = function(grid) grid:link(1, 1, 30, 1) end,
    ["a link that is gone"] = function(grid) grid:unlink(1, 3, 5, 3) end,
    ["a rectangle"] = function(grid) grid:fill(1, 2, 30, 3, "mud") end,
    ["a cell that is closed"] = function(grid) grid:close(20, 1) end,
    ["cells that are closed"] = function(grid) grid:close(1, 2, 30, 3) end,
    ["a map"] = function(grid) grid:map(function(x) return x end) end,
  } do
    it("with restart = false is stale once the grid has changed: " .. what, function()
      local grid = wend.grid(30, 3):link(1, 3, 5, 3)
      local search = grid:search(1, 1, 30, 1, { restart = false })
      assert.equal("running", search:step(1))
      edit(grid)
      assert.equal("failed", search:step(1))
      helper.fails("the grid or the costs have changed since the search began", "stale", search.path, search)
    end)
  end

  it("is not stale where an edit has changed nothing", function()
    local grid = wend.grid(30, 1)
    local search = grid:search(1, 1, 30, 1, { heuristic = "octile" })
    search:step(1)
    grid:set(7, 1, 1):fill(1, 1, 30, 1, 1):wall(1, 1, 2, 1, false):unlink(1, 1, 5, 1)
    assert.equal("found", (finish(search, 5)))
  end)

  it("with restart = false is stale once the profile has changed", function()
    local costs = wend.costs { swamp = 2 }
    local grid = wend.grid(30, 1):set(9, 1, "swamp")
    local search = grid:search(1, 1, 30, 1, { costs = costs, heuristic = "octile", restart = false })
    assert.equal("running", search:step(1))
    costs:set("road", 3)
    assert.equal("running", search:step(1))
    costs:set("swamp", 3)
    assert.equal("failed", search:step(1))
    helper.fails("the grid or the costs have changed since the search began", "stale", search.path, search)
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local NAN = 0 / 0

local search

local function fixture()
  local g = wend.graph()
  g:add_nodes { 0, 0, 3, 4 }
  g:add_edge(1, 2)
  search = g:search(1, 2)
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

describe("search:step and search:path", function()
  before_each(fixture)

  all {
    "n must be a whole number >= 1, got nil", function() search:step() end,
    "n must be a whole number >= 1, got 0", function() search:step(0) end,
    "n must be a whole number >= 1, got -3", function() search:step(-3) end,
    "n must be a whole number >= 1, got 1.5", function() search:step(1.5) end,
    "n must be a whole number >= 1, got nan", function() search:step(NAN) end,
    "n must be a whole number >= 1, got '5'", function() search:step "5" end,
    'the search is not over: call step until it returns "found" or "failed"', function() search:path() end,
  }

  it("raise nothing where a wrong step is followed by a right one", function()
    assert.error(function() search:step(-1) end)
    assert.equal("found", search:step(9))
  end)
end)
