-- SPDX-License-Identifier: MIT
-- Searches a slice at a time.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
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

-- Makes four edits beside the start, with steps between them: more than a search restarts for.
local function edit_four_times(g, search)
  for i = 1, 4 do
    search:step(3)
    g:set_weight(1, 1 + i)
  end
end

describe("search:step", function()
  it("expands at most n nodes and says whether it is over", function()
    local search, stats = row(10):search(1, 10, { stats = {} }), {}
    assert.equal("running", search:step(3))
    assert.equal("running", search:step(3))
    assert.equal("found", search:step(100))
    assert.equal(9, search:result().cost)
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
    assert.equal("0: 2 by ", show(search:result()))
  end)

  it("tells how many nodes it has expanded", function()
    local stats, sum = {}, 0
    local search = row(10):search(1, 10, { stats = stats })
    assert.same({ "running", 3 }, { search:step(3) })
    repeat
      local state, used = search:step(4)
      sum = sum + used
      assert.truthy(used <= 4)
    until state ~= "running"
    assert.equal(stats.expanded, sum + 3)
    assert.same({ "found", 0 }, { search:step(1) })
  end)

  it("keeps the budgets over all slices", function()
    local g = row(100)
    local search = g:search(1, 100, { max_expanded = 10 })
    local state, steps = finish(search, 3)
    assert.same({ "failed", 4 }, { state, steps })
    helper.fails("no path from 1 to 100 within the budget", "budget", search.result, search)
    search = g:search(1, 100, { max_cost = 10 })
    finish(search, 3)
    helper.fails("no path from 1 to 100 within the budget", "budget", search.result, search)
  end)

  it("finds a partial path", function()
    local search = row(100):search(1, 100, { partial = true, max_expanded = 10 })
    assert.equal("found", (finish(search, 3)))
    local path = assert(search:result())
    assert.same({ true, 10 }, { path.partial, path.cost })
  end)
end)

describe("search:path", function()
  it("answers as graph:path does", function()
    local g = row(9)
    local search = g:search(2, { 7, 8 })
    finish(search)
    assert.equal(show(g:path(2, { 7, 8 })), show(search:result()))
    search = g:close(5):search(1, 9)
    finish(search)
    helper.fails("no path from 1 to 9", "no_path", search.result, search)
  end)

  it("answers again, each time with a new table", function()
    local search = row(9):search(2, 7)
    finish(search)
    local one, other = search:result(), search:result()
    assert.not_equal(one, other)
    assert.equal(show(one), show(other))
  end)

  it("raises while the search is under way", function()
    local search = row(9):search(2, 7)
    local message = 'the search is not over: call step until it returns "found" or "failed"'
    helper.raises(message, search.result, search)
    search:step(1)
    helper.raises(message, search.result, search)
  end)

  it("fills the table of the option into", function()
    local into = {}
    local search = row(9):search(2, 7, { into = into })
    finish(search)
    assert.equal(into, search:result())
    assert.equal(5, into.cost)
  end)

  it("empties the table of the option into on failure", function()
    local g, into = row(9), {}
    g:path(1, 5, { into = into })
    local search = g:close(7):search(2, 7, { into = into })
    finish(search)
    assert.equal(nil, (search:result()))
    assert.equal(nil, next(into))
  end)

  it("gives paths that know whether the map has changed since the search began", function()
    local g = row(9)
    local search = g:search(2, 7)
    finish(search)
    g:set_weight(3, 7)
    assert.equal(false, search:result():valid())
  end)
end)

describe("search:bytes", function()
  local LIMIT = 262144
  local random = helper.rng "memory"

  -- The maps of the specs, made once.
  local made = {}
  local function map(name, make)
    made[name] = made[name] or make()
    return made[name]
  end
  local function grid_of(name, side, cell)
    return map(name, function()
      local grid = wend.grid(side, side)
      if cell then grid:map(cell) end
      return grid:set(1, 1, 1):set(side, side, 1)
    end)
  end
  local function graph()
    return map("graph", function()
      local g, points = wend.graph(), {}
      for i = 1, 200000 do points[i] = random() * 1000 end
      g:add_nodes(points)
      g:link { limit = 3 }
      return g
    end)
  end
  local function uniform() return grid_of("uniform", 1000) end
  local function terrain() return grid_of("terrain", 1000, function() return random(1, 5) end) end
  local function after_100(search)
    for _ = 1, 100 do search:step(1) end
    return search:bytes()
  end

  local CASES = {
    { "1000 x 1000 cells", function() return uniform():search(1, 1, 1000, 999) end },
    { "1000 x 1000 cells, 1 of 10 closed #slow", function()
      return grid_of("rubble", 1000, function() return not random:chance(0.1) and 1 end):close(1000, 999, 1000, 999)
        :search(500, 500, 1000, 998)
    end },
    { "1000 x 1000 cells of terrain", function() return terrain():search(1, 1, 1000, 1000) end },
    { "terrain, with partial #slow", function() return terrain():search(1, 1, 1000, 1000, { partial = true }) end },
    { "terrain, without estimates #slow", function()
      return terrain():search(1, 1, 1000, 1000, { algorithm = "dijkstra" })
    end },
    { "terrain, with variation #slow", function()
      return terrain():search(1, 1, 1000, 1000, { variation = 0.2, seed = 1 })
    end },
    { "terrain, with a cost function", function()
      return terrain():search(1, 1, 1000, 1000, { cost = function(_, cost) return cost end, at_least = 1 })
    end },
    { "walls and links #slow", function()
      local grid = uniform():copy():wall(2, 2, 3, 2)
      for i = 1, 900 do grid:link(i, 1, i, 900, { weight = 900 }) end
      return grid:search(1, 1, 1000, 1000)
    end, 327680 }, -- the ends of the links are jump points
    { "4000 x 4000 cells, by jump points #slow", function()
      return wend.grid(4000, 4000):set(9, 9, 2):search(1, 1, 4000, 4000)
    end, 819200 }, -- jump points lie far apart
    { "a graph of 100000 nodes #slow", function()
      return graph():search(1, 100000)
    end },
    { "a graph, with variation #slow", function()
      return graph():search(1, 100000, { variation = 0.2, seed = 1 })
    end },
  }
  for _, case in ipairs(CASES) do
    local name, search, limit = case[1], case[2], case[3] or LIMIT
    it(("is at most %d after 100 expansions: %s #memory"):format(limit, name), function()
      local started = search()
      assert.truthy(started:bytes() <= LIMIT, started:bytes())
      local bytes = after_100(started)
      assert.truthy(bytes <= limit and bytes > 8192, bytes)
    end)
  end

  it("grows with what the search reaches, to 16 bytes for each cell", function()
    local grid = grid_of("small terrain", 200, function() return random(1, 5) end)
    local search = grid:search(1, 1, 200, 200, { algorithm = "dijkstra" })
    local last, most = search:bytes(), 201 * 202 * 16
    for _ = 1, 20 do
      search:step(50)
      assert.truthy(search:bytes() >= last)
      last = search:bytes()
    end
    assert.truthy(last < most / 4, last)
    while search:step(1000) == "running" do end
    assert.truthy(search:bytes() > most and search:bytes() < most * 1.3, search:bytes())
    assert.equal(grid:path(1, 1, 200, 200, { algorithm = "dijkstra" }).cost, search:result().cost)
  end)

  it("answers before the first step and after the end", function()
    local search = row(9):search(1, 9)
    assert.truthy(search:bytes() > 0)
    search:step(99)
    assert.truthy(search:bytes() > 0)
  end)

  it("does not grow where searches for other agents run", function()
    local search = uniform():search(1, 1, 1000, 999)
    search:step(1)
    local before = search:bytes()
    for i = 1, 5 do terrain():path(1, 1, 9, 9, { costs = wend.costs { mud = i } }) end
    assert.equal(before, search:bytes())
  end)

  it("is true: 300 started searches together hold no more", function()
    local resident = reference.resident
    if not resident() then return pending "no /proc here" end
    if (os.getenv "WEND_BUILD" or ""):find "asan" then return pending "the sanitizers keep memory that was freed" end
    local grid, searches = terrain(), {}
    grid:search(1, 1, 1000, 1000):step(100)
    collectgarbage()
    local before = resident()
    for i = 1, 300 do
      searches[i] = grid:search(i, 1, 1000, 1000)
      searches[i]:step(100)
    end
    assert.truthy(resident() - before < 300 * 160, ("%d kB more"):format(resident() - before))
    assert.equal(300, #searches)
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
          assert.equal(whole, show(search:result()))
          if not opts.stats.known then assert.same(stats, opts.stats) end
        end
      end
    end)
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
    assert.equal(98, search:result().cost)
  end)

  it("keeps its graph, profile, agent and tables alive", function()
    local stats = {}
    local search = row(50):search(1, 50, { costs = wend.costs():edge_rule("double", function(agent, cost)
      return cost * agent.factor
    end), agent = { factor = 2 }, stats = stats, into = {} })
    collectgarbage()
    collectgarbage()
    while search:step(7) == "running" do collectgarbage() end
    assert.equal(98, search:result().cost)
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

  for what, edited in pairs {
    ["a removed goal"] = { function(g) g:remove_node "E" end, "the goal was removed" },
    ["a removed start"] = { function(g) g:remove_node "A" end, "the start was removed" },
    ["a moved node"] = { function(g) g:move("C", 2, 1) end, "the graph or the costs have changed" },
  } do
    it("makes the search stale: " .. what, function()
      local g, search = begun()
      edited[1](g)
      assert.equal("failed", search:step(1))
      assert.equal("failed", search:step(1))
      helper.fails(edited[2] .. " since the search began", "stale", search.result, search)
    end)
  end

  it("makes the search stale also before its first step", function()
    local g = row(5)
    local search = g:search(1, 5, { restart = false })
    g:close(3)
    assert.equal("failed", search:step(100))
    assert.equal("stale", select(3, search:result()))
  end)

  it("does not matter where the edit affects no search", function()
    local g, search, e = begun()
    g:set_name("C", "ford"):set_radius("D", 3):open "D":open_edge(e[1])
    assert.equal("found", search:step(100))
    assert.equal(4, search:result().cost)
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
    local path = assert(search:result())
    assert.same({ 5, 4, false }, { #path, path.cost, path:valid() })
  end)

  it("empties the table of the option into", function()
    local into = {}
    local g, search = begun { into = into }
    g:close "D"
    search:step(1)
    assert.equal(nil, (search:result()))
    assert.equal(nil, next(into))
  end)
end)

describe("a search whose map changes between slices", function()
  local function toggle(grid, x, y)
    if grid:is_closed(x, y) then grid:open(x, y) else grid:close(x, y) end
  end
  local terrain = wend.costs { mud = 1.5 }

  it("begins again if an edit matters", function()
    local grid = wend.grid(30, 3)
    local search = grid:search(1, 2, 30, 2, { algorithm = "dijkstra" })
    search:step(20)
    grid:close(5, 2)
    search:step(1)
    assert.equal(1, search:restarts())
    finish(search)
    assert.equal(1, search:restarts())
    local whole = grid:path(1, 2, 30, 2, { algorithm = "dijkstra" })
    assert.equal(grid_reference.show(whole), grid_reference.show(search:result()))
  end)

  -- A row of cells with a way round in the row above; and the same as a graph.
  local function two_rows() return wend.grid(60, 2) end
  local far = wend.costs { mud = 50 }
  for what, case in pairs {
    ["the first wall"] = { {}, function(grid) grid:wall(50, 2, 51, 2):wall(50, 2, 51, 1):wall(50, 1, 51, 2) end },
    ["the first link"] = { {}, function(grid) grid:link(50, 2, 60, 2, { weight = 9.5 }) end },
    ["other weights, by jump points"] = { {}, function(grid) grid:fill(50, 2, 52, 2, 9) end },
    ["a tag for an edge rule that no cell had"] = { { costs = wend.costs():edge_rule("flood", function(_, cost)
      return cost * 9
    end, { tags = { "flood" } }) }, function(grid) grid:fill(50, 2, 52, 2, "flood") end, "flood" },
    ["a map of all cells"] = { {}, function(grid) grid:map(function(w, _, x) return x == 50 and 9 or w end) end },
    ["more cells than there is room to note"] = { { algorithm = "dijkstra" }, function(grid)
      for _ = 1, 100 do toggle(grid, 60, 1) end
    end },
  } do
    it("begins again after an edit far away that concerns the whole grid: " .. what, function()
      local grid = two_rows()
      if case[3] then grid:set(1, 1, case[3]):set(1, 1, 1) end
      local search = grid:search(1, 2, 60, 2, case[1])
      search:step(1)
      case[2](grid)
      search:step(1)
      assert.equal(1, search:restarts())
      finish(search, 3)
      assert.equal(grid_reference.show(grid:path(1, 2, 60, 2, case[1])), grid_reference.show(search:result()))
    end)
  end

  for what, edit in pairs {
    ["a new node"] = function(g) g:add_edge(50, g:add_node(55, 1)) end,
    ["many new nodes, which are searched"] = function(g)
      local first, last = g:add_nodes((function()
        local points = {}
        for i = 1, 5000 do points[2 * i - 1], points[2 * i] = 50, i / 1000 end
        return points
      end)())
      for node = first, last do g:add_edge(50, node) end
    end,
    ["many new edges"] = function(g)
      local ends = {}
      for i = 1, 100 do ends[2 * i - 1], ends[2 * i] = 50 + i % 5, 56 + i % 5 end
      g:add_edges(ends)
    end,
    ["edges that pack the graph"] = function(g)
      for i = 1, 200 do g:remove_edge(g:add_edge(50 + i % 5, 56 + i % 5)) end
      for i = 1, 100 do g:add_edge(50 + i % 5, 56 + i % 5) end
    end,
    ["a tag that no edge had"] = function(g) g:set_tag(55, "mud") end,
    ["a position that is missing"] = function(g) g:add_node() end,
  } do
    it("begins again after an edit far away that concerns the whole graph: " .. what, function()
      local g = wend.graph()
      for i = 1, 60 do g:add_node(i, i % 7) end
      for i = 1, 59 do g:add_edge(i, i + 1) end
      local search = g:search(1, 60, { costs = far })
      search:step(3)
      edit(g)
      search:step(1)
      assert.equal(1, search:restarts())
      finish(search, 3)
      assert.equal(show(g:path(1, 60, { costs = far })), show(search:result()))
    end)
  end

  it("begins again if the cell changes to which a link of an examined cell leads", function()
    for _, case in ipairs { { 8, { heuristic = "octile" } }, { 2, {} } } do -- cell by cell, and by jump points
      local grid = wend.grid(60, 2):link(2, 2, 40, 2, { weight = 1 }):close(40, 2)
      local search = grid:search(1, 2, 60, 2, case[2])
      search:step(case[1])
      grid:open(40, 2)
      search:step(1)
      assert.equal(1, search:restarts())
      finish(search)
      assert.equal(22, search:result().cost)
    end
  end)

  it("begins again if a closed node opens beside one that it has examined", function()
    local g = row(9):close(4)
    local search = g:search(5, 9)
    search:step(1)
    g:open(4)
    finish(search)
    assert.same({ 1, 4 }, { search:restarts(), search:result().cost })
  end)

  it("begins again if a step elsewhere gets cheaper than the estimates allow", function()
    local g = row(60)
    local search = g:search(1, 40)
    search:step(5)
    g:set_weight(50, 0.5)
    search:step(1)
    assert.equal(1, search:restarts())
  end)

  it("begins again before its first step, too", function()
    local g = row(5)
    local search = g:search(1, 5)
    g:close(1)
    g:set_weight(1, 7)
    assert.equal("found", (search:step(100)))
    assert.equal(10, search:result().cost)
  end)

  it("begins again with a new tag, and with the functions of tags", function()
    local g, calls = row(60), 0
    local costs = wend.costs { road = function() calls = calls + 1 return 1 end, mud = 4 }
    g:set_tag(1, "road")
    local search = g:search(1, 60, { costs = costs })
    search:step(5)
    local before = calls
    g:set_tag(58, "mud") -- the first edge with this tag
    finish(search)
    assert.same({ 1, 59 + 3 }, { search:restarts(), search:result().cost })
    assert.truthy(calls > before)
  end)

  it("takes the goals that its list had when the search was made", function()
    local g = row(9)
    local goals = { 7, 8 }
    local search = g:search(2, goals)
    search:step(1)
    g:set_weight(1, 5)
    goals[1], goals[2] = {}, nil
    finish(search)
    assert.same({ 5, 1 }, { search:result().cost, search:result().goal })
  end)

  it("counts what it has used up before", function()
    local g, stats = row(100), {}
    local search = g:search(1, 100, { max_expanded = 20, stats = stats })
    search:step(15)
    g:set_weight(1, 2)
    assert.same({ "failed", 5 }, { search:step(100) })
    assert.equal(20, stats.expanded)
    helper.fails("no path from 1 to 100 within the budget", "budget", search.result, search)
  end)

  it("ends on a snapshot after three restarts, and marks the path", function()
    local g = row(50)
    local search = g:search(1, 50)
    for i = 1, 4 do
      search:step(3)
      assert.equal(i - 1, search:restarts())
      g:set_weight(1, 1 + i)
    end
    search:step(1)
    assert.equal(4, search:restarts())
    g:set_weight(1, 100)
    g:remove_node(20)
    finish(search, 3)
    local path = assert(search:result())
    assert.same({ 4, true, 53, false }, { search:restarts(), path.stale, path.cost, path:valid() })
  end)

  it("gives a path from a snapshot that is valid if nothing on it has changed since", function()
    local g = row(50)
    local search = g:search(1, 50)
    edit_four_times(g, search)
    finish(search, 3)
    local path = assert(search:result())
    assert.same({ true, true }, { path.stale, path:valid() })
    g:set_weight(9, 4)
    assert.equal(false, path:valid())
  end)

  it("says no_path on a snapshot, too", function()
    local g = row(50)
    local search = g:search(1, 50)
    edit_four_times(g, search)
    g:close(30)
    search:step(1)
    g:open(30)
    finish(search, 3)
    helper.fails("no path from 1 to 50", "no_path", search.result, search)
    assert.equal(true, search:stale())
  end)

  it("says whether it is on a snapshot", function()
    local g = row(50)
    local search = g:search(1, 50)
    assert.equal(false, search:stale())
    for i = 1, 4 do
      search:step(3)
      assert.equal(false, search:stale())
      g:set_weight(1, 1 + i)
    end
    search:step(3)
    assert.equal(true, search:stale())
    finish(search)
    assert.equal(true, search:stale())
    g:close(30)
    search = g:search(1, 50)
    finish(search)
    assert.same({ "no_path", false }, { select(3, search:result()), search:stale() })
    search = g:search(1, 20, { restart = false })
    search:step(1)
    g:close(10)
    finish(search)
    assert.same({ "stale", false }, { select(3, search:result()), search:stale() })
  end)

  it("removes the mark from a table that gets another path", function()
    local g, into = row(50), {}
    local search = g:search(1, 50, { into = into })
    edit_four_times(g, search)
    finish(search)
    search:result()
    assert.equal(true, into.stale)
    g:path(1, 3, { into = into })
    assert.equal(nil, into.stale)
  end)

  it("ends with no_path if its goal is closed, and stale if it is removed", function()
    local g = row(50)
    local search = g:search(1, 50)
    search:step(3)
    g:close(50)
    finish(search, 7)
    helper.fails("no path from 1 to 50: the goal is closed", "no_path", search.result, search)
    g:open(50)
    search = g:search(1, { 40, 50 })
    search:step(3)
    g:remove_node(50)
    assert.equal("failed", (finish(search, 7)))
    helper.fails("the graph or the costs have changed since the search began", "stale", search.result, search)
    search = g:search(1, 30)
    search:step(3)
    g:remove_node(1)
    assert.equal("failed", (finish(search, 7)))
    helper.fails("the start was removed since the search began", "stale", search.result, search)
  end)

  it("finds the cell of a closed goal when that opens", function()
    local grid = wend.grid(30, 3):close(30, 2)
    local search = grid:search(1, 2, 30, 2)
    grid:open(30, 2)
    assert.equal("found", (finish(search, 7)))
    search = grid:search(1, 2, 30, 2)
    grid:close(30, 2)
    assert.equal("failed", (finish(search, 7)))
    helper.fails("no path from (1,2) to (30,2): the goal is closed", "no_path", search.result, search)
  end)

  it("ends also if a door beside it opens and closes each frame", function()
    for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { costs = terrain }, { variation = 0.2, seed = 5 } } do
      local grid = wend.grid(60, 60):fill(20, 1, 20, 50, false):fill(2, 2, 9, 9, "mud")
      local searches, frames, over = {}, 0
      for i = 1, 30 do searches[i] = grid:search(1, i, 60, 61 - i, opts) end
      repeat
        frames = frames + 1
        toggle(grid, 2, 1)
        over = 0
        for _, search in ipairs(searches) do
          if search:step(5) ~= "running" then over = over + 1 end
        end
      until over == #searches or frames == 3000
      assert.equal(#searches, over)
      for _, search in ipairs(searches) do assert(search:result()) end
    end
  end)

  it("shares its snapshot with others, and frees it with the last of them", function()
    local resident = reference.resident
    if not resident() then return pending "no /proc here" end
    if (os.getenv "WEND_BUILD" or ""):find "asan" then return pending "the sanitizers keep memory that was freed" end
    local grid = wend.grid(1000, 1000) -- 2 MB, and 2 MB more for each snapshot
    local function disturb()
      local searches = {}
      for i = 1, 5 do searches[i] = grid:search(1, i, 9, i, { heuristic = "octile" }) end
      for _ = 1, 5 do
        for _, search in ipairs(searches) do search:step(1) end
        for i = 1, 5 do toggle(grid, 2, i) end
      end
      for _, search in ipairs(searches) do
        search:step(1)
        assert.equal(4, search:restarts())
      end
    end
    local function rest()
      collectgarbage()
      collectgarbage()
      return resident()
    end
    for _ = 1, 5 do disturb() end
    local before = rest()
    for _ = 1, 20 do disturb() end
    assert.truthy(rest() - before < 20000, ("%d kB more"):format(rest() - before))
  end)
end)

describe("a search whose profile changes between slices", function()
  it("begins again with the profile as it is now", function()
    local costs = wend.costs { road = 2 }
    local g = row(50):set_tag(1, "road"):set_tag(40, "road")
    local search = g:search(1, 50, { costs = costs })
    search:step(3)
    costs:set("mud", 3)
    search:step(1)
    assert.equal(0, search:restarts())
    costs:set("road", 5)
    finish(search, 3)
    assert.same({ 1, 57, true }, { search:restarts(), search:result().cost, search:result():valid() })
  end)

  it("ends on a snapshot after three restarts, with the profile of then", function()
    local costs = wend.costs { road = 2 }
    local g = row(50):set_tag(1, "road")
    local search = g:search(1, 50, { costs = costs })
    for i = 1, 6 do
      search:step(3)
      costs:set("road", 2 + i)
    end
    finish(search)
    local path = assert(search:result())
    assert.same({ 4, true, 48 + 6, false }, { search:restarts(), path.stale, path.cost, path:valid() })
  end)

  it("begins again if a tag whose costs have changed appears on the map", function()
    local costs = wend.costs { lava = 2 }
    local g = row(50):set_tag(1, "lava"):set_tag(1) -- a tag that no edge has
    local search = g:search(1, 50, { costs = costs })
    search:step(3)
    costs:set("lava", 5)
    search:step(3)
    assert.equal(0, search:restarts())
    g:set_tag(45, "lava")
    finish(search, 3)
    assert.same({ 1, 53, true }, { search:restarts(), search:result().cost, search:result():valid() })
  end)

  it("takes an edge rule that was added", function()
    local costs = wend.costs()
    local search = row(50):search(1, 50, { costs = costs })
    search:step(3)
    costs:edge_rule("rain", function(_, cost) return cost + 1 end)
    finish(search, 3)
    assert.same({ 1, 98 }, { search:restarts(), search:result().cost })
  end)
end)

describe("a profile that changes between slices, with restart = false,", function()
  it("does not matter to searches with another profile, nor on_error", function()
    local costs = wend.costs()
    local search = row(5):search(1, 5, { costs = costs })
    search:step(1)
    wend.costs():set("road", 3)
    costs.on_error = function() end
    assert.equal("found", search:step(9))
  end)
end)

describe("a callback of a search in slices", function()
  it("cannot use the search that it is called by", function()
    local search
    local messages = {}
    search = row(5):search(1, 5, { cost = function()
      for _, method in ipairs { "step", "result" } do
        local _, message = pcall(search[method], search, 1)
        messages[message] = true
      end
    end })
    assert.equal("found", (finish(search)))
    assert.same({ ["the search is running: its own callbacks cannot use it"] = true }, messages)
    assert.equal(4, search:result().cost)
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
    assert.equal(show(outer:result()), show(inner:result()))
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
    search:result()
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
    assert.equal(8, search:result().cost)
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
  it("takes a list of goals", function()
    local search = wend.grid(9, 1):search(5, 1, { 1, 1, 7, 1 })
    assert.equal("found", (finish(search, 1)))
    assert.equal("5,1 6,1 7,1", grid_reference.text(search:result()))
  end)

  it("says 'failed', and why", function()
    local search = wend.parse_grid(".#."):search(1, 1, 3, 1)
    assert.equal("failed", (finish(search, 1)))
    helper.fails("no path from (1,1) to (3,1): no open step leads to the goal", "no_path", search.result, search)
  end)

  for what, edit in pairs {
    ["a cell, although it jumps"] = function(grid) grid:set(20, 1, false) end,
    ["a link that is gone"] = function(grid) grid:unlink(1, 3, 5, 3) end,
  } do
    it("with restart = false is stale once the grid has changed: " .. what, function()
      local grid = wend.grid(30, 3):link(1, 3, 5, 3)
      local search = grid:search(1, 1, 30, 1, { restart = false })
      assert.equal("running", search:step(1))
      edit(grid)
      assert.equal("failed", search:step(1))
      helper.fails("the grid or the costs have changed since the search began", "stale", search.result, search)
    end)
  end

  it("is not stale where an edit has changed nothing", function()
    local grid = wend.grid(30, 1)
    local search = grid:search(1, 1, 30, 1, { heuristic = "octile" })
    search:step(1)
    grid:set(7, 1, 1):fill(1, 1, 30, 1, 1):wall(1, 1, 2, 1, false):unlink(1, 1, 5, 1)
    assert.equal("found", (finish(search, 5)))
  end)
end)

describe("search:bytes", function()
  it("raises inside the callbacks of the search", function()
    local own, raised
    own = row(3):search(1, 3, { cost = function(_, cost)
      raised = raised or select(2, pcall(own.bytes, own))
      return cost
    end })
    own:step(9)
    assert.equal("the search is running: its own callbacks cannot use it", (tostring(raised):gsub("^.-:%d+: ", "")))
  end)
end)
