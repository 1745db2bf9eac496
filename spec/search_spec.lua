-- SPDX-License-Identifier: MIT
-- Searches a slice at a time.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local show, row = reference.show, reference.row

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
    end, 344064 }, -- the ends of the links are jump points; a search looks for a pocket, too
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

describe("a search with a list of goals", function()
  it("takes the goals that the list had when the search was made", function()
    local g = row(9)
    local goals = { 7, 8 }
    local search = g:search(2, goals)
    search:step(1)
    goals[1], goals[2] = {}, nil
    finish(search)
    assert.same({ 5, 1 }, { search:result().cost, search:result().goal })
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

describe("search:each", function()
  local function asked(_, cost) return cost end

  -- What the search has looked at, as lines of text.
  local function visits(search)
    local list = {}
    for a, b, c, d in search:each() do
      list[#list + 1] = d and ("%d: %d,%d at %.6g"):format(d, a, b, c) or ("%d: %d at %.6g"):format(c, a, b)
    end
    return list
  end

  it("lists cells and nodes with their costs, in the order of the steps", function()
    local search = wend.grid(4, 1):search(1, 1, 4, 1, { visited = true, cost = asked })
    assert.same({}, visits(search))
    search:step(2)
    assert.same({ "1: 1,1 at 0", "2: 2,1 at 1" }, visits(search))
    search:step(9)
    assert.same({ "1: 1,1 at 0", "2: 2,1 at 1", "3: 3,1 at 2" }, visits(search))
    search = row(3):search(1, 3, { visited = true })
    search:step(9)
    assert.same({ "1: 1 at 0", "2: 2 at 3" }, { visits(search)[1], (visits(search)[2]:gsub("at .*", "at 3")) })
  end)

  it("lists what each step has looked at, on maps of all kinds", function()
    helper.rounds("visited cells", 60, function(rng, n)
      local wide, high = rng(4, 30), rng(4, 30)
      local grid = wend.grid(wide, high)
      for _ = 1, wide * high / 4 do
        grid:set(rng(wide), rng(high), rng:pick { false, false, { weight = rng:pick { 1, 2 }, tag = "mud" } })
      end
      local opts = { visited = true, labels = false, cost = n % 3 == 0 and asked or nil,
        variation = n % 4 == 0 and 1 or nil, seed = n, size = n % 5 == 0 and 2 or nil }
      local search, sum = grid:search(1, 1, wide, high, opts), 0
      repeat
        local state, used = search:step(1)
        sum = sum + used
        assert.equal(sum, #visits(search))
      until state ~= "running"
      local other = grid:search(1, 1, wide, high, opts)
      while other:step(7) == "running" do end
      assert.same(visits(search), visits(other))
      for x, y, cost in search:each() do
        assert.truthy(x >= 1 and x <= wide and y >= 1 and y <= high and cost >= 0)
      end
    end)
  end)

  it("keeps its list after edits and after the end", function()
    local g = row(4)
    local search = g:search(1, 4, { visited = true })
    search:step(2)
    g:remove_node(2)
    assert.equal("2: 2", visits(search)[2]:match "^%d: %d")
    search:step(9)
    local list = visits(search)
    collectgarbage()
    assert.same(list, visits(search))
    local x = search:each()
    assert.equal(1, (x()))
  end)

  it("continues with what steps add, and begins anew after an error", function()
    local search, count = wend.grid(5, 1):search(1, 1, 5, 1, { visited = true, cost = asked }), 0
    search:step(1)
    for _ in search:each() do
      count = count + 1
      search:step(1)
    end
    assert.equal(4, count)
    local fail = false
    search = wend.grid(5, 1):search(1, 1, 5, 1, { visited = true, cost = function(_, cost)
      if fail then error "no" end
      return cost
    end })
    search:step(2)
    fail = true
    assert.error(function() search:step(1) end)
    assert.same({}, visits(search))
    fail = false
    search:step(1)
    assert.same({ "1: 1,1 at 0" }, visits(search))
  end)

  it("lists nothing where nothing is expanded", function()
    local grid = wend.grid(9, 9)
    local search = grid:search(1, 1, 9, 9, { visited = true })
    assert.equal("found", (search:step(9)))
    assert.same({}, visits(search))
  end)

  it("raises without the option, and where the search cannot be used", function()
    local grid = wend.grid(5, 1)
    helper.raises("the search has not kept what it visits: give it the option visited = true",
      grid.search(grid, 1, 1, 5, 1).each, grid:search(1, 1, 5, 1))
    helper.raises("visited must be true or false, got 1", grid.search, grid, 1, 1, 5, 1, { visited = 1 })
    local search, message
    search = grid:search(1, 1, 5, 1, { visited = true, cost = function(_, cost)
      message = message or select(2, pcall(search.each, search))
      return cost
    end })
    search:step(1)
    assert.equal("the search is running: its own callbacks cannot use it", message)
    local each = search:each()
    debug.getmetatable(search).__gc(search)
    helper.raises("the search is gone", each)
  end)
end)
