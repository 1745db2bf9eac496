-- SPDX-License-Identifier: MIT
-- Whether one place can be reached from another, and what it costs to know.
local core = require "wend.core"
local helper = require "spec.support.helper"
local wend = require "wend"

local fails, raises = helper.fails, helper.raises

-- Two rooms of 40 x 40 cells, with a wall between them. A path from A to B does not exist.
local function two_rooms(opts)
  local grid = wend.grid(81, 40, opts)
  return grid:fill(41, 1, 41, 40, false)
end
local A, B = { x = 3, y = 3 }, { x = 80, y = 38 }

-- Asks until the answer is known without a search. Returns the number of calls that searched.
local function warm(map, from, to, opts)
  local stats = {}
  for calls = 1, 100 do
    local list = { stats = stats }
    for key, value in pairs(opts or {}) do list[key] = value end
    assert.equal(nil, (map:path(from, to, list)))
    if stats.known then return calls - 1 end
  end
  error("no answer was known")
end

-- Whether a path was refused without a search.
local function is_known(map, from, to, opts)
  local list = { stats = {} }
  for key, value in pairs(opts or {}) do list[key] = value end
  local path = map:path(from, to, list)
  if list.stats.known then
    assert.equal(nil, path)
    assert.equal(0, list.stats.expanded)
    assert.equal(0, list.stats.callbacks)
  end
  return list.stats.known == true
end

describe("map:can_reach", function()
  it("tells whether there is a path", function()
    local grid = two_rooms()
    assert.equal(false, grid:can_reach(3, 3, 80, 38))
    assert.equal(true, grid:can_reach(3, 3, 40, 40))
    grid:open(41, 7)
    assert.equal(true, grid:can_reach(3, 3, 80, 38))
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0, 2, 0, 3, 0 }
    g:add_edge(1, 2)
    g:add_edge(2, 3, { directed = true })
    assert.equal(true, g:can_reach(1, 3))
    assert.equal(false, g:can_reach(3, 1))
    assert.equal(false, g:can_reach(1, 4))
  end)

  it("takes cells and nodes in all forms that path takes, and lists of goals", function()
    local grid = two_rooms()
    assert.equal(false, grid:can_reach(A, B))
    assert.equal(true, grid:can_reach(A, { 80, 38, 5, 5 }))
    assert.equal(false, grid:can_reach(3, 3, { 80, 38, 60, 5 }))
    local g = wend.graph()
    g:add_node(0, 0, { name = "home" })
    g:add_node(1, 0, { name = "mill" })
    g:add_node(2, 0)
    g:add_edge("home", "mill")
    assert.equal(true, g:can_reach("home", "mill"))
    assert.equal(true, g:can_reach(1, { 3, 2 }))
    assert.equal(false, g:can_reach(1, { 3 }))
  end)

  it("lets a path begin on a closed cell or node, but not end there, unless it is the start", function()
    local grid = two_rooms():close(3, 3)
    for _ = 1, 100 do
      assert.equal(true, grid:can_reach(3, 3, 10, 10))
      assert.equal(false, grid:can_reach(3, 3, 80, 38))
      assert.equal(false, grid:can_reach(10, 10, 3, 3))
      assert.equal(true, grid:can_reach(3, 3, 3, 3))
    end
    local g = wend.graph()
    g:add_nodes { 0, 0, 1, 0, 2, 0 }
    g:add_edges { 1, 2, 2, 3 }
    g:close(2)
    for _ = 1, 100 do
      assert.equal(true, g:can_reach(2, 3))
      assert.equal(false, g:can_reach(1, 2))
      assert.equal(false, g:can_reach(1, 3))
      assert.equal(true, g:can_reach(2, 2))
    end
  end)

  it("asks for the agent: its profile, its function, an overlay", function()
    local grid = wend.grid(81, 40):fill(41, 1, 41, 40, "door")
    local key = wend.costs { door = function(agent) return agent.key and 1 or false end }
    for _ = 1, 100 do
      assert.equal(true, grid:can_reach(A, B))
      assert.equal(false, grid:can_reach(A, B, { costs = key, agent = {} }))
      assert.equal(true, grid:can_reach(A, B, { costs = key, agent = { key = true } }))
    end
    local overlay = grid:overlay():close(41, 1, 41, 40)
    for _ = 1, 100 do
      assert.equal(false, overlay:can_reach(A, B))
      assert.equal(true, grid:can_reach(A, B))
    end
    overlay:open(41, 40)
    assert.equal(true, overlay:can_reach(A, B))
    local function shut(_, cost, _, x) return x < 41 and cost or false end
    assert.equal(false, grid:can_reach(A, B, { cost = shut }))
    assert.equal(false, grid:can_reach(A, B, { cost = shut, at_least = 1 }))
  end)

  it("is right where costs are too large for a path", function()
    local grid = wend.grid(30, 30):fill(15, 1, 15, 30, 1e308):fill(16, 1, 16, 30, 1e308)
    for _ = 1, 50 do
      assert.equal(nil, (grid:path(1, 1, 30, 30)))
      assert.equal(false, grid:can_reach(1, 1, 30, 30))
      assert.equal(true, grid:can_reach(1, 1, 14, 30))
    end
  end)
end)

describe("an unreachable goal", function()
  it("is known without a search, after searches that have cost as much as finding out", function()
    local grid = two_rooms { diagonals = "always" }
    assert.equal(1, warm(grid, A, B))
    assert.equal(true, is_known(grid, B, A))
    assert.equal(true, is_known(grid, A, { 80, 38, 60, 3 }))
    assert.equal(false, is_known(grid, A, { 80, 38, 5, 5 }))
    assert.equal(true, is_known(grid, A, B, { variation = 0.5, seed = 1 }))
    assert.equal(false, is_known(grid, A, B, { max_expanded = 3 }))
    assert.equal(false, is_known(grid, A, B, { max_cost = 7 }))
    fails("no path from (3,3) to (80,38)", "no_path", grid.path, grid, A, B)
  end)

  it("is known to searches in slices and to routes", function()
    local grid = two_rooms { diagonals = "always" }
    warm(grid, A, B)
    local stats = {}
    local search = grid:search(A, B, { stats = stats })
    assert.equal("failed", (search:step(1)))
    assert.equal(true, stats.known)
    assert.equal(nil, (grid:route(A, B, { stats = stats })))
    assert.equal(true, stats.known)
  end)

  it("is that of the map as it was for a search in slices that an edit overtakes", function()
    local grid = two_rooms { diagonals = "always" }
    warm(grid, A, B)
    local search = grid:search(A, B)
    grid:open(41, 5)
    assert.equal("failed", (search:step(1e6)))
    assert.equal("no_path", (select(3, search:result())))
    search = grid:search(A, B)
    grid:close(41, 5)
    assert.equal("found", (search:step(1e6)))
  end)

  it("is not disturbed if an overlay has named new tags, which the costs do not have", function()
    local grid = two_rooms()
    grid:set(5, 5, { weight = 2, tag = "mud" })
    local search = grid:search(3, 3, 80, 38, { costs = wend.costs { mud = 3 } })
    local overlay = grid:overlay()
    assert.equal("running", (search:step(5)))
    for i = 1, 40 do overlay:set(9, 9, { weight = 2, tag = "new" .. i }) end
    local state
    repeat state = search:step(5) until state ~= "running"
    assert.equal("no_path", (select(3, search:result())))
  end)

  it("stays known to a search in slices after edits", function()
    local grid = two_rooms()
    warm(grid, A, B)
    local search = grid:search(A, B)
    grid:close(20, 20)
    assert.equal("failed", (search:step(1)))
    assert.equal("no_path", (select(3, search:result())))
    local list = grid:search(A, { 80, 38, 70, 3 })
    grid:close(21, 20):open(41, 5):close(41, 5)
    assert.equal("failed", (list:step(1)))
    assert.equal("no_path", (select(3, list:result())))
    local g = wend.graph()
    for i = 1, 300 do g:add_node() if i > 1 and i ~= 200 then g:add_edge(i - 1, i, { weight = 1 }) end end
    warm(g, 1, 300)
    local lost = g:search(1, 300)
    g:remove_node(300)
    lost:step(1000)
    helper.fails("no path from 1 to 300", "no_path", lost.result, lost)
  end)

  it("is not known to nine agents in turn, but to eight: labels that are used are not thrown away", function()
    local grid, agents = two_rooms(), {}
    for i = 1, 9 do
      grid:set(i, 40, { tag = "t" .. i })
      agents[i] = wend.costs { ["t" .. i] = false }
    end
    local known, expanded = 0, 0
    for round = 1, 30 do
      for i = 1, 9 do
        local stats = {}
        assert.equal(nil, (grid:path(A, B, { costs = agents[i], stats = stats })))
        if round > 10 then
          known = known + (stats.known and 1 or 0)
          expanded = expanded + stats.expanded
        end
      end
    end
    assert.is_true(known >= 20 * 8, known)
    assert.is_true(expanded <= 20 * 1600, expanded)
    -- The ninth agent gets labels when the others are gone.
    for _ = 1, 40 do grid:path(A, B, { costs = agents[9] }) end
    assert.equal(true, is_known(grid, A, B, { costs = agents[9] }))
  end)

  it("is known to the option can_reach of nearest and random, which then make no field", function()
    local function fields_of(map, fn)
      local methods, count = debug.getmetatable(map).__index, 0
      local field = methods.field
      methods.field = function(self, ...)
        count = count + (rawequal(self, map) and 1 or 0) -- finalizers may make fields of other maps
        return field(self, ...)
      end
      local results = { pcall(fn) }
      methods.field = field
      assert(results[1], results[2])
      return count, results[2], results[3]
    end
    local grid, costs = two_rooms(), wend.costs { mud = 2 }
    grid:set(5, 5, { tag = "mud" })
    local function near() return grid:nearest(41.5, 3.5, { can_reach = B, costs = costs }) end
    local function cell() return grid:random(7, { can_reach = { 80, 38 } }) end
    local made, x, y = fields_of(grid, near)
    assert.same({ 1, 42, 4 }, { made, x, y })
    local some = { fields_of(grid, cell) }
    warm(grid, A, B)
    assert.same({ 0, 42, 4 }, { fields_of(grid, near) })
    assert.same({ 0, some[2], some[3] }, { fields_of(grid, cell) })
    assert.same({ 1, 42, 4 }, { fields_of(grid, function()
      return grid:nearest(41.5, 3.5, { can_reach = B, cost = function(_, cost) return cost end })
    end) })
    local g = wend.graph()
    for i = 1, 300 do g:add_node(i, 0) if i > 1 and i ~= 200 then g:add_edge(i - 1, i) end end
    local function node() return g:nearest(205, 0, { can_reach = 4 }) end
    local function edge() return g:nearest_edge(205, 0, { can_reach = { 4, 5 } }) end
    assert.same({ 1, 199, 6 }, { fields_of(g, node) })
    assert.same({ 1, 198 }, { fields_of(g, edge), (g:nearest_edge(205, 0, { can_reach = 4 })) })
    warm(g, 1, 300)
    assert.same({ 0, 199, 6 }, { fields_of(g, node) })
    assert.same({ 0, 198, 199 }, { fields_of(g, edge) })
  end)

  it("is found out in time where one cell has many links", function()
    local grid = wend.grid(150, 150)
    grid:fill(140, 1, 150, 150, false):set(75, 75, 2)
    for i = 1, 6000 do
      local x, y = (i - 1) % 139 + 1, math.floor((i - 1) / 139) + 1
      if x ~= 75 or y ~= 75 then grid:link(x, y, 75, 75, { weight = 500, directed = i % 2 == 0 }) end
    end
    warm(grid, { x = 3, y = 3 }, { x = 145, y = 9 })
    grid:prepare { landmarks = 1 }
    for i = 1, 1000 do
      local x, y = (i - 1) % 139 + 1, math.floor((i - 1) / 139) + 1
      grid:link(x, y, 75, 75, { weight = 600 })
      if i % 100 == 0 then assert.equal(true, grid:can_reach(3, 3, 139, 149)) end
    end
    assert.equal(false, grid:can_reach(3, 3, 145, 9))
  end)

  it("stays known after edits that connect nothing", function()
    local grid = two_rooms { diagonals = "always" }
    warm(grid, A, B)
    for x = 5, 30 do grid:close(x, 9) end
    grid:open(20, 9):set(50, 9, 7):wall(60, 6, 60, 7):link(1, 1, 9, 9, { directed = true })
    assert.equal(true, is_known(grid, A, B))
    grid:open(41, 20)
    assert.equal(false, is_known(grid, A, B))
    grid:close(41, 20)
    assert.equal(nil, (grid:path(A, B)))
    assert.equal(false, grid:can_reach(A, B))
  end)

  it("is known on graphs with one-way edges, and after edits", function()
    local g = wend.graph()
    for i = 1, 600 do g:add_node(i, 0) end
    for i = 1, 599 do g:add_edge(i, i + 1, { directed = true }) end
    g:add_edge(300, 200)
    assert.truthy(warm(g, 300, 100) <= 3)
    assert.equal(true, is_known(g, 300, 100))
    assert.equal(false, is_known(g, 250, 600))
    g:set_weight(5, 9)
    g:close_edge(450)
    assert.equal(true, is_known(g, 300, 100))
    g:add_edge(600, 1)
    g:open_edge(450)
    assert.equal(false, is_known(g, 300, 100))
    assert.equal(true, g:can_reach(300, 100))
    g:remove_node(500)
    assert.equal(false, g:can_reach(300, 100))
  end)

  it("can be left out of a search in slices, whose work then is the same every time", function()
    local grid = two_rooms()
    local function work(labels)
      local stats = {}
      local search, used, state = grid:search(3, 3, 80, 38, { labels = labels, stats = stats }), 0
      repeat
        local n
        state, n = search:step(50)
        used = used + n
      until state ~= "running"
      assert.equal("no_path", select(3, search:result()))
      return used, stats.known
    end
    local first = work(false)
    for _ = 1, 20 do grid:path(3, 3, 80, 38) end
    local known = select(2, work(true))
    assert.equal(true, known)
    local again, unknown = work(false)
    assert.equal(first, again)
    assert.equal(nil, unknown)
  end)

  it("in a pocket is found out before the cells are read, also for a start that is closed or in the pocket", function()
    local function room(start_x, start_y, leak)
      local grid = wend.grid(500, 500)
      grid:fill(200, 200, 206, 206, false):fill(201, 201, 205, 205, 1)
      if leak then leak(grid) end
      local stats = {}
      local path = grid:path(start_x, start_y, 205, 205, { stats = stats })
      return path ~= nil, stats.expanded
    end
    assert.same({ false, 0 }, { room(1, 1) })
    assert.same({ false, 0 }, { room(1, 1, function(grid) grid:link(205, 205, 9, 9, { directed = true }) end) })
    assert.is_true((room(1, 1, function(grid) grid:link(9, 9, 201, 201, { directed = true }) end)))
    assert.is_true((room(1, 1, function(grid) grid:open(206, 203) end)))
    local function wall_off(grid) grid:fill(203, 201, 203, 204, false) end -- no direct walk
    assert.is_true((room(201, 201, wall_off)))
    assert.is_true((room(202, 200, wall_off))) -- closed: it can be left
    assert.same({ false, 0 }, { room(200, 200, wall_off) })
  end)

  -- Two halves of rough ground. The searches of both are long, so they pay for labels.
  local function rough_halves()
    local rng = helper.rng("rough halves")
    return wend.grid(160, 160):map(function(x)
      if x == 80 or rng:chance(0.2) then return false end
      return rng(1, 3)
    end):fill(1, 1, 3, 160, 1):fill(158, 1, 160, 160, 1)
  end

  it("is found out by one of several searches that wait, for all of them", function()
    local grid, searches, work = rough_halves(), {}, 0
    local function start(y) return core.start("path", grid, 1, y, 160, y) end
    for y = 1, 8 do searches[y] = start(y) end
    while #searches > 0 do
      for i = #searches, 1, -1 do
        local state, used = core.run(searches[i], 50)
        work = work + used
        if state ~= "running" then
          assert.equal("no_path", select(3, searches[i]:result()))
          table.remove(searches, i)
        end
      end
    end
    local labels = 160 * 160 / 64
    assert.is_true(work > 8 * labels and work < 12 * labels, work) -- each has its patience, but labels are made once
  end)

  it("ends a search that has begun before another one has found out", function()
    local grid, stats = rough_halves(), {}
    local search = grid:search(1, 5, 160, 5, { stats = stats })
    search:step(100)
    for _ = 1, 20 do grid:path(1, 9, 160, 9) end
    assert.equal("failed", (search:step(1)))
    assert.equal("no_path", select(3, search:result()))
    assert.equal(100, stats.expanded)
  end)

  it("is right after many edits at one node with many edges", function()
    local g, edges = wend.graph(), {}
    local hub, lone = g:add_node(0, 0), g:add_node(0, -9)
    for i = 1, 40000 do edges[i] = g:add_edge(hub, g:add_node(i, 1), { weight = 1, directed = true }) end
    warm(g, hub, lone)
    for i = 1, 900 do g:set_weight(edges[i], 2) end
    assert.equal(nil, (g:path(hub, lone)))
    assert.is_false(g:can_reach(hub, lone))
    assert.is_true(g:can_reach(hub, 3))
  end)

  it("is not taken for one that only a body reaches, over a wall that it covers where it begins", function()
    local grid = wend.grid(7, 2, { diagonals = "never" }):close(1, 2):close(6, 1):close(6, 2)
    grid:wall(1, 1, 2, 1)
    local body = { size = 2, influence = { wend.influence(grid), 1 } }
    for _ = 1, 20 do
      assert.is_false(grid:can_reach(2, 1, 7, 1))
      assert.is_false(grid:can_reach(2, 1, 7, 1, body))
    end
    assert.equal(2, assert(grid:path(1, 1, 3, 1, body)).cost)
  end)

  it("calls no function", function()
    local grid = two_rooms { diagonals = "always" }
    local calls = 0
    local function ask(_, cost)
      calls = calls + 1
      return cost
    end
    warm(grid, A, B, { cost = ask, at_least = 1 })
    calls = 0
    assert.equal(true, is_known(grid, A, B, { cost = ask, at_least = 1 }))
    assert.equal(0, calls)
  end)

  it("is searched for by partial paths and heuristics of the script", function()
    local grid = two_rooms { diagonals = "always" }
    warm(grid, A, B)
    local stats = {}
    local path = grid:path(A, B, { partial = true, stats = stats })
    assert.equal(true, path.partial)
    assert.equal(nil, stats.known)
    assert.equal(false, is_known(grid, A, B, { heuristic = function() return 0 end }))
    assert.truthy(stats.expanded > 100)
  end)

  it("leaves the field known out of the statistics of other searches", function()
    local grid = two_rooms { diagonals = "always" }
    local stats = { known = "old" }
    assert.truthy(grid:path(A, { x = 9, y = 9 }, { stats = stats }))
    assert.equal(nil, stats.known)
  end)
end)

describe("map:can_reach", function()
  it("raises for wrong arguments", function()
    local grid, g = wend.grid(5, 5), wend.graph()
    g:add_node(1, 1)
    raises("x1 must be a whole number in 1 .. 5, got 9", grid.can_reach, grid, 9, 1, 2, 2)
    raises("unknown option 'partial' (expected one of: costs, agent, cost, at_least, size, influence, closed_goal)",
      grid.can_reach, grid, 1, 1, 2, 2, { partial = true })
    raises("to: there is no node 7", g.can_reach, g, 1, 7)
    raises("to must be a list of nodes, got the key 'gate'", g.can_reach, g, 1, { gate = true })
    raises("at_least is the promise of the option 'cost', which is not given", g.can_reach, g, 1, 1, { at_least = 1 })
  end)
end)
