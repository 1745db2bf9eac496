-- SPDX-License-Identifier: MIT
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local text, draw, row = reference.text, reference.draw, reference.row

-- The example of the article: ten vertices.
local function ten()
  return draw { "1 2 3 4 5 6 7 8 9 10", "1-2 2", "1-8 3", "1-9 3", "2-3 3", "2-9 1", "3-4 4", "4-5 1", "4-10 1",
    "6-7 1", "7-8 5", "7-10 1", "9-10 4", "5-6 5" }
end

-- That of the other article: seven vertices, with the lengths that its steps need.
local function seven()
  return draw { "A B C D E F G", "A-B 7", "A-C 5", "B-D 6", "B-F 9", "C-D 2", "D-E 3", "D-F 4", "E-G 6", "F-G 3" }
end

local ALGORITHMS = { "astar", "dijkstra" }
local HEURISTICS = { "auto", "zero", "euclidean", "manhattan", "chebyshev", "octile" }

describe("graph:path", function()
  it("finds the way of the article with ten vertices: 9, by 1-9-10-4-5", function()
    local path = assert(ten():path(1, 5))
    assert.same({ "1-9-10-4-5", 9 }, { text(path), path.cost })
  end)

  it("takes the one with fewer nodes of the article's two routes", function()
    local path = assert(ten():path(1, 5, { algorithm = "dijkstra" }))
    assert.equal("1-9-10-4-5", text(path))
    path = assert(ten():path(5, 1, { algorithm = "dijkstra" }))
    assert.equal("5-4-10-9-1", text(path))
  end)

  it("finds the way of the article with seven vertices: A-C-D-F-G", function()
    local g = seven()
    for _, algorithm in ipairs(ALGORITHMS) do
      local path = assert(g:path("A", "G", { algorithm = algorithm }))
      local names = {}
      for i, n in path:each() do names[i] = g:name(n) end
      assert.same({ "A-C-D-F-G", 14 }, { table.concat(names, "-"), path.cost })
    end
  end)

  it("gives an array of node ids with the fields cost and map", function()
    local g = row(3)
    local path = assert(g:path(1, 3))
    assert.same({ 3, 1, 2, 3, 2, nil }, { #path, path[1], path[2], path[3], path.cost, path.partial })
    assert.equal(g, path.map)
  end)

  it("is one node that costs nothing where start and goal are the same", function()
    local g = row(3)
    for _, algorithm in ipairs(ALGORITHMS) do
      local path = assert(g:path(2, 2, { algorithm = algorithm }))
      assert.same({ 1, 2, 0 }, { #path, path[1], path.cost })
      assert.same({}, path:edges())
      assert.same({}, path:explain())
      assert.same({ 2, 0 }, path:points())
    end
  end)

  it("follows the direction of one-way edges", function()
    local g = draw { "A B C", "A>B 1", "B>C 1", "C>A 5" }
    assert.equal(2, g:path("A", "C").cost)
    assert.equal(5, g:path("C", "A").cost)
    assert.equal(6, g:path("B", "A").cost)
  end)

  it("finds its way without positions", function()
    local g = draw { "A B C D", "A-B 1", "B-C 1", "C-D 1", "A-D 4" }
    local path = assert(g:path("A", "D"))
    assert.same({ "1-2-3-4", 3 }, { text(path), path.cost })
  end)

  it("finds its way in 3D", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 0, 0, 0, 0, 0, 10, 10, 0, 0, 10, 0, 10 }
    g:add_edges { 1, 2, 2, 4, 1, 3, 3, 4 }
    g:move(3, 10, 5, 0)
    assert.equal("1-2-4", text(assert(g:path(1, 4))))
  end)

  it("finds its way where only some nodes have a position", function()
    local g = draw({ "A B C", "A-B 1", "B-C 1", "A-C 3" }, { A = { 0, 0 }, C = { 100, 0 } })
    assert.equal(2, g:path("A", "C").cost)
  end)

  it("passes over loops", function()
    local g = draw { "A B", "A-A 0", "A>A 0", "A-B 1", "B-B 1" }
    local path = assert(g:path("A", "B"))
    assert.same({ "1-2", 1 }, { text(path), path.cost })
    assert.same({ "1", 0 }, { text(g:path("A", "A")), g:path("A", "A").cost })
  end)

  it("takes the cheapest of parallel edges, and says which", function()
    local g, e = draw { "A B", "A-B 5", "A-B 3", "B>A 1" }
    assert.same({ e[2] }, g:path("A", "B"):edges())
    assert.same({ e[3] }, g:path("B", "A"):edges())
  end)

  it("takes the one that was made first of parallel edges that cost the same", function()
    local g, e = draw { "A B", "A-B 5", "A-B 3", "A>B 3", "A-B 3" }
    for _, algorithm in ipairs(ALGORITHMS) do
      assert.same({ e[2] }, g:path("A", "B", { algorithm = algorithm }):edges())
    end
  end)

  it("goes by way of the neighbour with the smallest id where all else is equal", function()
    local g = draw { "A B C D E", "A-D 1", "A-C 1", "A-B 1", "D-E 1", "B-E 1", "C-E 1" }
    assert.equal("1-2-5", text(g:path("A", "E", { algorithm = "dijkstra" })))
  end)

  it("is whole numbers of edges shorter where costs are equal, even over zero weights", function()
    local g = draw { "A B C D E", "A-B 0", "B-C 0", "C-D 0", "D-E 4", "A-E 4" }
    local path = assert(g:path("A", "E", { algorithm = "dijkstra" }))
    assert.same({ "1-5", 4 }, { text(path), path.cost })
  end)

  it("knows nodes by name and by id", function()
    local g = draw { "gate keep", "gate-keep 7" }
    assert.same({ 7, 7, 7 }, { g:path("gate", "keep").cost, g:path(1, "keep").cost, g:path("gate", { "keep" }).cost })
  end)

  it("leaves a closed start", function()
    local g = row(3):close(1)
    assert.equal(2, g:path(1, 3).cost)
  end)

  it("does not enter a closed goal", function()
    local g = row(3):close(3)
    helper.fails("no path from 1 to 3: the goal is closed", "no_path", g.path, g, 1, 3)
  end)

  it("stays where it is when start and goal are the same closed node", function()
    assert.equal(0, row(3):close(2):path(2, 2).cost)
  end)

  it("does not come back through a closed start", function()
    local g = draw { "A B C D", "A>B 1", "B>A 1", "A>C 9", "C>D 1" }:close "A"
    assert.equal(10, g:path("A", "D").cost)
    assert.equal(nil, (g:path("B", "D")))
  end)

  it("answers nil, a message and a code where there is no path", function()
    local g = draw { "gate keep" }
    g:add_node()
    helper.fails("no path from 'gate' (1) to 'keep' (2): no open edge leads to the goal", "no_path", g.path, g, "gate",
      "keep")
    helper.fails("no path from 3 to 'keep' (2): no open edge leads to the goal", "no_path", g.path, g, 3, 2)
    helper.fails("no path from 3 to any of the goals: no open edge leads out of the start", "no_path", g.path, g, 3,
      { 1, 2 })
  end)

  it("sees every edit at once", function()
    local g = row(4)
    local short = g:add_edge(1, 4, { weight = 1 })
    assert.equal(1, g:path(1, 4).cost)
    g:set_weight(short, 10)
    assert.equal(3, g:path(1, 4).cost)
    g:set_weight(short, 0.5)
    assert.equal(0.5, g:path(1, 4).cost)
    g:close_edge(short)
    assert.equal(3, g:path(1, 4).cost)
    g:open_edge(short)
    g:remove_edge(short)
    assert.equal(3, g:path(1, 4).cost)
    g:move(3, 3, 100)
    assert.truthy(g:path(1, 4).cost > 200)
    g:remove_node(3)
    assert.equal(nil, (g:path(1, 4)))
  end)

  -- A long row, one jump near its start and one in its middle; the first leads to the goal at a lower cost.
  for _, size in ipairs { 10, 100, 200, 300, 400, 1000, 3000 } do
    it(("finds the way that begins with a jump of %d edges"):format(size), function()
      local g = wend.graph()
      local start, far, goal = g:add_node(), g:add_node(), g:add_node()
      g:add_edge(start, far, { weight = size })
      g:add_edge(far, goal, { weight = 2 })
      local last, half = start, math.max(math.floor(size / 2), size - 150)
      for i = 1, size + 100 do
        local n = g:add_node()
        g:add_edge(last, n, { weight = 1 })
        if i == half then g:add_edge(n, goal, { weight = size - half + 10 }) end
        last = n
      end
      for _, algorithm in ipairs(ALGORITHMS) do
        assert.equal(size + 2, g:path(start, goal, { algorithm = algorithm }).cost)
      end
    end)
  end

  it("adds the costs up in the order of travel", function()
    local g = draw { "A B C D", "A>B 0.1", "B>C 0.2", "C>D 0.3" }
    assert.equal(0.1 + 0.2 + 0.3, g:path("A", "D").cost)
  end)
end)

describe("a list of goals", function()
  it("is reached where that is cheapest", function()
    local g = row(9)
    assert.equal("5-6-7", text(g:path(5, { 1, 7, 9 })))
    assert.equal("5-4", text(g:path(5, { 9, 4 }, { algorithm = "dijkstra" })))
  end)

  it("may name goals twice, and hold the start", function()
    local g = row(5)
    assert.equal("2-3", text(g:path(2, { 5, 3, 3 })))
    assert.equal("2", text(g:path(2, { 1, 2, 3 })))
  end)

  it("leaves out goals that cannot be reached", function()
    local g = row(5):close(3)
    g:add_node(2, 1)
    assert.equal("2-1", text(g:path(2, { 3, 5, 6, 1 })))
  end)

  it("goes through one goal to none other", function()
    local g = draw { "A B C", "A-B 5", "B-C 0" }
    assert.equal("1-2", text(g:path("A", { "C", "B" })))
  end)

  it("gives the goal with the fewest edges, then the smallest id, where costs are equal", function()
    local g = draw { "A B C D E", "A-B 0", "B-C 2", "A-E 2", "A-D 2" }
    assert.equal("1-4", text(g:path("A", { "C", "E", "D" }, { algorithm = "dijkstra" })))
  end)

  it("may be long", function()
    local g = row(50)
    local goals = {}
    for i = 1, 20 do goals[i] = 50 - i end
    for _, heuristic in ipairs(HEURISTICS) do
      assert.equal("27-28-29-30", text(g:path(27, goals, { heuristic = heuristic })))
      assert.equal(29, g:path(1, goals, { heuristic = heuristic }).cost)
    end
  end)

  it("is left as it was", function()
    local g, goals = row(5), { 4, 5 }
    g:path(1, goals)
    assert.same({ 4, 5 }, goals)
  end)
end)

describe("path.goal", function()
  it("is the index of the goal that the path reaches", function()
    local g = row(9)
    assert.equal(2, g:path(5, { 1, 7, 9 }).goal)
    assert.equal(1, g:path(5, { 4, 9 }).goal)
    assert.equal(1, g:path(5, { 5 }).goal)
    g:set_name(7, "inn")
    assert.equal(3, g:path(6, { 1, 2, "inn" }).goal)
  end)

  it("is the first of equal goals", function()
    assert.equal(2, row(5):path(2, { 5, 3, 3 }).goal)
  end)

  it("is nil where there was no list", function()
    local g = row(5)
    assert.equal(nil, g:path(1, 5).goal)
    assert.equal(nil, g:field({ 1, 5 }):path(4).goal)
    assert.equal(nil, g:routes():path(1, 5).goal)
  end)

  it("is nil where the path is partial", function()
    local g = row(5):close(4)
    local path = g:path(1, { 5, 4 }, { partial = true })
    assert.equal(true, path.partial)
    assert.equal(nil, path.goal)
    assert.equal(2, g:path(1, { 5, 2 }, { partial = true }).goal)
  end)

  it("is set anew in a table that is reused", function()
    local g, into = row(5), {}
    g:path(2, { 5, 3 }, { into = into })
    assert.equal(2, into.goal)
    g:path(2, 5, { into = into })
    assert.equal(nil, into.goal)
    g:path(2, { 1, 3 }, { into = into })
    assert.equal(1, into.goal)
    g:close(3):path(2, { 4, 5 }, { into = into })
    assert.equal(nil, into.goal)
  end)

  it("belongs to the list as it was when the search began", function()
    local goals = { 5, 3 }
    local search = row(5):search(2, goals)
    goals[1], goals[2] = 3, 5
    while search:step(1) == "running" do goals[1] = 1 end
    assert.equal(2, search:result().goal)
  end)

  it("is right on random graphs, with variation too", function()
    helper.rounds("path.goal", 100, function(rng)
      local g, model = helper.random_graph(rng)
      local from, goals = rng:pick(model.nodes), {}
      for i = 1, rng(1, 6) do goals[i] = rng:pick(model.nodes) end
      local path = g:path(from, goals, { variation = rng:chance(0.5) and 0.3 or 0, seed = 5 })
      if not path then return end
      local first
      for i = #goals, 1, -1 do
        if goals[i] == path[#path] then first = i end
      end
      assert.equal(first, path.goal)
    end)
  end)
end)

describe("every heuristic", function()
  local function compare(g, from, to, opts)
    local expected = assert(g:path(from, to, { costs = opts and opts.costs, algorithm = "dijkstra" })).cost
    for _, heuristic in ipairs(HEURISTICS) do
      local path = assert(g:path(from, to, { costs = opts and opts.costs, heuristic = heuristic }))
      reference.near(expected, path.cost, heuristic)
    end
    return expected
  end

  it("gives the cheapest where tags cost less than their length", function()
    local g = draw({ "A B C D", "A-B", "A-C road", "C-D road", "D-B road" },
      { A = { 0, 0 }, B = { 10, 0 }, C = { 0, 4 }, D = { 10, 4 } })
    assert.equal(10, compare(g, "A", "B"))
    assert.equal(9, compare(g, "A", "B", { costs = wend.costs { road = 0.5 } }))
    assert.equal(0, compare(g, "A", "B", { costs = wend.costs { road = 0 } }))
  end)

  it("may be a function that is wrong by any number", function()
    local grid = wend.grid(20, 20):map(function(x, y) return { weight = 1 + (x * 7 + y * 3) % 5 } end)
    local g = draw({ "A B C", "A-B", "B-C" }, { A = { 0, 0 }, B = { 1, 0 }, C = { 2, 0 } })
    for _, wrong in ipairs { 1e30, 1e300 } do
      local calls = 0
      local function heuristic()
        calls = calls + 1
        return calls == 1 and wrong or 0
      end
      reference.near(grid:path(1, 1, 20, 20).cost, grid:path(1, 1, 20, 20, { heuristic = heuristic }).cost)
      calls = 0
      assert.equal(2, g:path("A", "C", { heuristic = heuristic }).cost)
    end
  end)

  it("gives the cheapest where weights are below the distance", function()
    local g = draw({ "A B C", "A-B", "A-C 1", "C-B 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 5, 50 } })
    assert.equal(2, compare(g, "A", "B"))
  end)

  it("gives the cheapest through a teleporter that costs nothing", function()
    local g = row(30)
    g:add_edge(2, 29, { weight = 0, directed = true })
    assert.equal(2, compare(g, 1, 30))
    assert.equal(29, compare(g, 30, 1))
  end)

  it("gives the cheapest through a teleporter with a price", function()
    local g = row(30)
    g:add_edge(2, 29, { weight = 0.5, tag = "portal" })
    assert.equal(2.5, compare(g, 1, 30))
    assert.equal(7.5, compare(g, 1, 30, { costs = wend.costs { portal = { plus = 5 } } }))
    assert.equal(29, compare(g, 1, 30, { costs = wend.costs { portal = false } }))
  end)

  it("gives the cheapest among nodes in the same place and edges of length zero", function()
    local g = wend.graph()
    for i = 1, 20 do g:add_node(math.floor(i / 4), 0) end
    for i = 2, 20 do g:add_edge(i - 1, i) end
    g:add_edge(1, 20, { weight = 5.5 })
    assert.equal(5, compare(g, 1, 20))
  end)

  it("gives the cheapest where the edges that cost little were removed again", function()
    local g = row(10)
    local cheap = g:add_edge(1, 5, { weight = 0.125 })
    assert.equal(5.125, compare(g, 1, 10))
    g:remove_edge(cheap)
    assert.equal(9, compare(g, 1, 10))
    g:add_edge(1, 5, { weight = 0.25 })
    assert.equal(5.25, compare(g, 1, 10))
  end)

  it("gives the cheapest where a node was moved away from its edges' weights", function()
    local g = draw({ "A B C", "A-B 4", "B-C 4", "A-C" }, { A = { 0, 0 }, B = { 2, 0 }, C = { 4, 0 } })
    assert.equal(4, compare(g, "A", "C"))
    g:move("C", 400, 0)
    assert.equal(8, compare(g, "A", "C"))
  end)
end)

describe("option heuristic", function()
  it("helps: fewer nodes are expanded than without", function()
    local g = reference.geometric(helper.rng "helps", 2000, { near = 6 })
    local expanded = {}
    for _, heuristic in ipairs(HEURISTICS) do
      expanded[heuristic] = 0
      for goal = 100, 2000, 100 do                        -- where a goal cannot be reached, no heuristic helps
        local stats = {}
        assert(g:path(1, goal, { heuristic = heuristic, stats = stats, partial = true }))
        expanded[heuristic] = expanded[heuristic] + stats.expanded
      end
    end
    for _, heuristic in ipairs { "euclidean", "manhattan", "chebyshev", "octile" } do
      assert.truthy(expanded[heuristic] < expanded.zero, heuristic)
    end
    assert.equal(expanded.euclidean, expanded.auto)
  end)

  it("'zero' is Dijkstra's algorithm", function()
    local g = reference.geometric(helper.rng "zero", 300)
    for goal = 2, 300, 17 do
      assert.equal(reference.show(g:path(1, goal, { algorithm = "dijkstra" })),
        reference.show(g:path(1, goal, { heuristic = "zero" })))
    end
  end)

  it("takes a function of a node and the goal", function()
    local g = row(30)
    local asked, stats = {}, {}
    local path = assert(g:path(10, 20, { stats = stats, heuristic = function(n, goal)
      asked[n] = goal
      return math.abs(n - goal)
    end }))
    assert.equal(10, path.cost)
    assert.equal(20, asked[11])
    assert.truthy(stats.expanded <= 11)
  end)

  it("takes a function that says less than it could, even unevenly", function()
    helper.rounds("heuristic", 30, function(rng)
      local g, model = helper.random_graph(rng, { nodes = 25, edges = 80 })
      local back = { dimensions = model.dimensions, nodes = model.nodes, closed = {}, edges = {} }
      for i, edge in ipairs(model.edges) do
        back.edges[i] = { from = edge.to, to = edge.from, weight = edge.weight, directed = edge.directed }
      end
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local left = helper.solve(back, to)
      local share = {}
      for _, n in ipairs(model.nodes) do share[n] = rng:pick { 0, 0.5, 0.999, 1 } * (1 - 1e-12) end
      local path = g:path(from, to, { heuristic = function(n) return (left[n] or 1e9) * share[n] end })
      local expected = helper.solve(model, from)[to]
      if expected then reference.near(expected, assert(path).cost) else assert.equal(nil, path) end
    end)
  end)

  it("asks the function for each goal of a list", function()
    local g, asked = row(9), {}
    local path = assert(g:path(4, { 1, 9 }, { heuristic = function(n, goal)
      asked[goal] = true
      return math.abs(n - goal)
    end }))
    assert.equal("4-3-2-1", text(path))
    assert.same({ [1] = true, [9] = true }, asked)
  end)

  it("takes math.huge of the function for: no way from here", function()
    local g = draw { "A B C D", "A-B 1", "B-D 1", "A-C 5", "C-D 5" }
    local path = assert(g:path("A", "D", { heuristic = function(n) return n == 2 and math.huge or 0 end }))
    assert.equal("1-3-4", text(path))
  end)
end)

describe("option max_expanded", function()
  it("answers nil, a sentence and the code 'budget' when it is spent", function()
    local g = row(100)
    helper.fails("no path from 1 to 100 within the budget", "budget", g.path, g, 1, 100, { max_expanded = 5 })
  end)

  it("is enough when it equals what the search needed, and not below", function()
    local g = reference.geometric(helper.rng "budget", 300)
    for goal = 2, 300, 11 do
      for _, algorithm in ipairs(ALGORITHMS) do
        local stats = {}
        local path = g:path(1, goal, { algorithm = algorithm, stats = stats })
        if path and stats.expanded > 0 then
          local opts = { algorithm = algorithm, max_expanded = stats.expanded, into = {} }
          assert.equal(reference.show(path), reference.show(g:path(1, goal, opts)))
          opts.max_expanded = stats.expanded - 1
          local result, _, code = g:path(1, goal, opts)
          assert.same({ "nil", "budget" }, { type(result), code })
        end
      end
    end
  end)

  it("of 0 lets one stay, and no more", function()
    local g = row(3)
    assert.equal(0, g:path(2, 2, { max_expanded = 0 }).cost)
    assert.equal("budget", select(3, g:path(1, 2, { max_expanded = 0 })))
    assert.equal("1", text(g:path(1, 2, { max_expanded = 0, partial = true })))
  end)

  it("does not keep a search from saying that there is no path", function()
    local g = draw { "A B C", "A-B 1" }
    local _, _, code = g:path("A", "C", { max_expanded = 100 })
    assert.equal("no_path", code)
  end)
end)

describe("option max_cost", function()
  it("answers 'budget' where the cheapest path costs more", function()
    local g = row(10)
    helper.fails("no path from 1 to 10 within the budget", "budget", g.path, g, 1, 10, { max_cost = 8.999 })
  end)

  it("is enough when it is exactly the cost", function()
    local g = row(10)
    for _, heuristic in ipairs(HEURISTICS) do
      assert.equal(9, g:path(1, 10, { max_cost = 9, heuristic = heuristic }).cost)
    end
  end)

  it("is enough when it is exactly the cost, also where sums are rounded", function()
    helper.rounds("exact budget", 200, function(rng)
      local g = wend.graph { dimensions = 3 }
      local x, y, z = rng(), rng(), rng()
      local last, at = nil, 0
      for _ = 1, 20 do
        local n = g:add_node(at * x, at * y, at * z)
        if last then g:add_edge(last, n, rng:chance(0.5) and { tag = "road" } or nil) end
        last, at = n, at + rng()
      end
      local costs = wend.costs { road = 0.3 }
      for _, opts in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "manhattan" }, { costs = costs } } do
        local path = assert(g:path(1, last, opts))
        opts.max_cost = path.cost
        assert.equal(path.cost, assert(g:path(1, last, opts)).cost)
      end
    end)
  end)

  it("of zero lets one stay, and go where that costs nothing", function()
    local g = draw { "A B C", "A-B 0", "B-C 1" }
    assert.equal(0, g:path("A", "A", { max_cost = 0 }).cost)
    assert.equal(0, g:path("A", "B", { max_cost = 0 }).cost)
    local _, _, code = g:path("A", "C", { max_cost = 0 })
    assert.equal("budget", code)
  end)

  it("says 'no_path' where no budget would help", function()
    local g = draw { "A B C", "A-B 1" }
    local _, _, code = g:path("A", "C", { max_cost = 10 })
    assert.equal("no_path", code)
  end)

  it("may be math.huge: no limit", function()
    assert.equal(9, row(10):path(1, 10, { max_cost = math.huge, max_expanded = math.huge }).cost)
  end)
end)

describe("option partial", function()
  it("leads to the node reached that is nearest to a goal that cannot be reached", function()
    local g = draw({ "A B C D", "A-B", "A-C" },
      { A = { 0, 0 }, B = { 6, 0 }, C = { 5, 5 }, D = { 10, 0 } })
    local path = assert(g:path("A", "D", { partial = true }))
    assert.same({ "1-2", 6, true }, { text(path), path.cost, path.partial })
  end)

  it("leads to the goal where it can, and then is not partial", function()
    local path = assert(row(5):path(1, 5, { partial = true }))
    assert.same({ 4, nil }, { path.cost, path.partial })
  end)

  it("stays at the start where that is nearest", function()
    local g = draw({ "A B C", "A-B" }, { A = { 1, 0 }, B = { 9, 9 }, C = { 0, 0 } })
    local path = assert(g:path("A", "C", { partial = true }))
    assert.same({ "1", 0, true }, { text(path), path.cost, path.partial })
  end)

  it("goes to the cheaper of two that are as near, then to the smaller id", function()
    local g = draw({ "A E D C B", "A-B 1", "A-C 2", "A-D 1" },
      { A = { 0, 0 }, B = { 10, 4 }, C = { 10, -4 }, D = { 10, 4 }, E = { 10, 0 } })
    assert.equal("1-3", text(g:path("A", "E", { partial = true })))
    g:set_weight(1, 0.5)
    assert.equal("1-5", text(g:path("A", "E", { partial = true })))
  end)

  it("goes as near as a budget of expansions allows", function()
    local g = row(100)
    local path = assert(g:path(1, 100, { partial = true, max_expanded = 10 }))
    assert.same({ 11, 10, true }, { path[#path], path.cost, path.partial })
  end)

  it("goes as near as a budget of cost allows", function()
    local g = row(100)
    local path = assert(g:path(1, 100, { partial = true, max_cost = 20 }))
    assert.same({ 21, 20, true }, { path[#path], path.cost, path.partial })
  end)

  it("is the nearest to any goal of a list, however long that is", function()
    for _, count in ipairs { 2, 8, 9, 30 } do
      local g = wend.graph()
      local goals = {}
      for i = 1, count do goals[i] = g:add_node(i % 2 * 100, i * 10) end
      local start, middle, near = g:add_node(50, -50), g:add_node(50, 10), g:add_node(99, -30)
      g:add_edge(start, middle)
      g:add_edge(start, near)
      local path = assert(g:path(start, goals, { partial = true }))
      assert.equal(near, path[#path], count .. " goals")
    end
  end)

  it("does what a plain search of all nodes does #slow", function()
    helper.rounds("partial", 300, function(rng)
      local g, model = helper.random_graph(rng, { dimensions = rng(2, 3), nodes = rng(1, 30), whole = rng:chance(0.5) })
      local from, goals = rng:pick(model.nodes), {}
      for i = 1, rng:pick { 1, 1, 2, 3, 12 } do goals[i] = rng:pick(model.nodes) end
      local distance = helper.solve(model, from)
      local best, best_reached
      local limit = rng:chance(0.5) and rng(0, 120) or math.huge
      for _, goal in ipairs(goals) do
        if distance[goal] and distance[goal] <= limit then
          best_reached = math.min(best_reached or 1e9, distance[goal])
        end
      end
      local function away(n)
        local least = math.huge
        for _, goal in ipairs(goals) do
          least = math.min(least, helper.length(model.position[n], model.position[goal]))
        end
        return least
      end
      for _, n in ipairs(model.nodes) do
        if distance[n] and distance[n] <= limit then
          if not best or away(n) < away(best) or away(n) == away(best)
            and (distance[n] < distance[best] - 1e-9 or distance[n] < distance[best] + 1e-9 and n < best) then
            best = n
          end
        end
      end
      for _, algorithm in ipairs(ALGORITHMS) do
        local path = assert(g:path(from, goals, { partial = true, algorithm = algorithm, max_cost = limit }))
        if best_reached then
          assert.equal(nil, path.partial)
          reference.near(best_reached, path.cost)
        else
          assert.equal(true, path.partial)
          local last = path[#path]
          reference.walk(g, path, from, last)
          assert.equal(away(best), away(last))
          reference.near(distance[best], path.cost)
          if distance[last] == distance[best] then assert.equal(best, last) end
        end
      end
    end)
  end)
end)

describe("option into", function()
  it("fills a table and gives it back", function()
    local g, into = row(5), {}
    local path = assert(g:path(1, 3, { into = into }))
    assert.equal(into, path)
    assert.same({ "1-2-3", 2 }, { text(into), into.cost })
    assert.same({ 1, 2 }, into:edges())
  end)

  it("cuts the table to length", function()
    local g, into = row(5), {}
    g:path(1, 5, { into = into })
    assert.equal("2-1", text(assert(g:path(2, 1, { into = into }))))
    assert.same({ 2, 1, { 1 } }, { #into, into.cost, into:edges() })
  end)

  it("empties the table on failure", function()
    local g, into = row(5), {}
    g:path(1, 5, { into = into, costs = wend.costs {}, agent = {}, cost = function() end, at_least = 1 })
    g:close(5)
    helper.fails("no path from 1 to 5: the goal is closed", "no_path", g.path, g, 1, 5, { into = into })
    assert.same({ 0, nil }, { #into, next(into) })
  end)

  it("removes what an earlier search left in it", function()
    local g, into = row(5), {}
    g:add_node(9, 0)
    g:path(1, 6, { into = into, partial = true, agent = {}, costs = wend.costs {}, cost = function() end })
    assert.equal(true, into.partial)
    g:path(1, 2, { into = into })
    assert.same({ n = 4 }, { n = 4, into.partial, into.agent, into.costs, into.callback })
    assert.equal(1, into:explain()[1].cost)
  end)

  -- `change` is called between the call with all options and the call without.
  local function fills_again(change)
    local grid, into, agent = wend.grid(9, 3), {}, {}
    local options = { costs = wend.costs {}, agent = agent, cost = function() end }
    options.influence = { wend.influence(grid), 1 }
    options.into, options.size, options.partial, options.per_turn = into, 2, true, 3
    grid:fill(6, 1, 6, 3, false)
    assert(grid:path(1, 1, { 7, 2, 9, 1 }, options))
    assert.same({ true, agent, 2, 2 }, { into.partial, into.agent, into.size, into.turns_used })
    options.partial = nil
    assert(grid:path(1, 1, { 2, 2 }, options))
    assert.same({ n = 2, nil, 1 }, { n = 2, into.partial, into.goal })
    change(into, grid)
    assert(grid:path(1, 1, 3, 1, { into = into }))
    local fields = {}
    for key in pairs(into) do
      if type(key) == "string" then fields[#fields + 1] = key end
    end
    table.sort(fields)
    assert.same({ "cost", "map", "trail" }, fields)
    assert.same({ 1, 1, 2, 1, 3, 1 }, { unpack(into) })
    assert.equal(1, into:explain()[1].cost)
  end

  it("keeps nothing of a call before", function() fills_again(function() end) end)

  it("keeps nothing of it if the path was looked through, which gives it another trail", function()
    fills_again(function(path, grid)
      for i = 1, 9 do
        grid:set(9, 3, i)
        path:valid()
      end
    end)
  end)

  it("keeps nothing of it if a script has damaged the path", function()
    for _, field in ipairs { "trail", "map", "cost" } do
      fills_again(function(path) path[field] = nil end)
      fills_again(function(path) path[field] = 7 end)
    end
    fills_again(function(path) debug.setmetatable(path, nil) end)
  end)

  it("leaves fields of the caller alone", function()
    local into = { colour = "red" }
    row(5):path(1, 5, { into = into })
    assert.equal("red", into.colour)
  end)

  it("works for one graph after another", function()
    local into = {}
    row(5):path(1, 5, { into = into })
    local g = draw { "A B", "A-B 3" }
    assert(g:path("A", "B", { into = into }))
    assert.same({ g, 3 }, { into.map, into.cost })
    assert.equal(true, into:valid())
  end)

  describe("over 10,000 trips #memory", function()
    local function garbage(opts)
      local g = row(60)
      g:add_edge(1, 60, { weight = 100, tag = "road" })
      local rng, trips = helper.rng "garbage", {}
      for i = 1, 200 do trips[i] = rng(60) end
      opts.into = {}
      local function travel(times)
        for _ = 1, times do
          for i = 1, 199 do g:path(trips[i], trips[i + 1], opts) end
        end
      end
      return helper.garbage(2, 51, travel)
    end

    local function same(_, cost) return cost end
    for what, opts in pairs {
      ["by A*"] = {}, ["by Dijkstra's algorithm"] = { algorithm = "dijkstra" },
      ["with a profile and an agent"] = { costs = wend.costs { road = 0.5, mud = { plus = 3 } }, agent = {} },
      ["with a function of a tag"] = { costs = wend.costs { road = function() return 0.5 end }, agent = {} },
      ["with a profile without functions"] = { costs = wend.costs { road = 0.5 } },
      ["with a callback that makes none"] = { cost = same, at_least = 1, agent = {} },
      ["with an edge rule that makes none"] = { costs = wend.costs():edge_rule("same", same), agent = {} },
      ["with statistics"] = { stats = {} },
    } do
      it("makes no garbage " .. what, function() assert.equal(0, garbage(opts)) end)
    end
  end)
end)

describe("option stats", function()
  it("holds the counts of the search", function()
    local g, stats = row(5), {}
    g:path(1, 5, { stats = stats, algorithm = "dijkstra" })
    assert.same({ expanded = 4, pushed = 5, callbacks = 0, bound = 0, loop = "graph" }, stats)
  end)

  it("tells the least cost per length that the heuristic relied on", function()
    local g, stats = row(5), {}
    g:path(1, 5, { stats = stats })
    assert.equal(1, stats.bound)
    g:set_weight(1, 0.8)
    g:path(1, 5, { stats = stats })
    assert.equal(0.8, stats.bound)
    g:set_weight(1, 0) -- a shortcut
    g:path(1, 5, { stats = stats })
    assert.equal(1, stats.bound)
    for edge = 2, 4 do g:set_weight(edge, 0) end
    g:path(1, 5, { stats = stats })
    assert.equal(0, stats.bound)
  end)

  it("is filled on failure too", function()
    local g, stats = row(5):close(5), {}
    g:path(1, 5, { stats = stats })
    assert.equal(4, stats.expanded)
    g:path(1, 4, { stats = stats, max_expanded = 2 })
    assert.equal(2, stats.expanded)
  end)

  it("counts callbacks", function()
    local g, stats, calls = row(5), {}, 0
    g:path(1, 5, { stats = stats, cost = function()
      calls = calls + 1
    end })
    assert.truthy(calls >= 4)
    assert.equal(calls, stats.callbacks)
  end)
end)

describe("path:each", function()
  it("iterates over the places and nodes", function()
    local list = {}
    for i, n in row(5):path(2, 4):each() do list[i] = n end
    assert.same({ 2, 3, 4 }, list)
  end)

  it("has nothing to say of a path that was emptied", function()
    local g, into = row(5), {}
    local path = g:path(1, 2, { into = into })
    g:close(2):path(1, 2, { into = into })
    local seen = 0
    for _ in path:each() do seen = seen + 1 end
    assert.equal(0, seen)
  end)
end)

describe("path:points", function()
  it("is the flat list of coordinates", function()
    local g = wend.graph()
    g:add_nodes { 0, 1, 2.5, 3, 4, 5 }
    g:add_edges { 1, 2, 2, 3 }
    assert.same({ 0, 1, 2.5, 3, 4, 5 }, g:path(1, 3):points())
  end)

  it("has three numbers a node in 3D", function()
    local g = wend.graph { dimensions = 3 }
    g:add_nodes { 0, 1, 2, 2, 3, 4 }
    g:add_edge(1, 2)
    assert.same({ 2, 3, 4, 0, 1, 2 }, g:path(2, 1):points())
  end)

  it("is where the nodes are now", function()
    local g = row(3)
    local path = g:path(1, 3)
    g:move(2, 2, 7)
    assert.same({ 1, 0, 2, 7, 3, 0 }, path:points())
  end)
end)

describe("option into of path:points and path:edges", function()
  it("fills a table instead of a new one, and removes what is left of its list", function()
    local g, list = row(5), {}
    assert.equal(list, g:path(1, 3):points { into = list })
    assert.same({ 1, 0, 2, 0, 3, 0 }, list)
    assert.equal(list, g:path(5, 4):points { into = list })
    assert.same({ 5, 0, 4, 0 }, list)
    assert.equal(list, g:path(1, 4):edges { into = list })
    assert.same({ 1, 2, 3 }, list)
    assert.same({}, g:path(2, 2):edges { into = list })
  end)

  it("leaves other fields of the table alone, and runs no metamethods", function()
    local function refuse() error "a metamethod ran" end
    local list = setmetatable({ name = "walk" }, { __index = refuse, __newindex = refuse, __len = refuse })
    local path = row(3):path(1, 3)
    assert.equal(list, path:points { into = list })
    assert.same({ 1, 0, 2, 0, 3, 0 }, { unpack(list, 1, 6) })
    assert.equal("walk", rawget(list, "name"))
    path:edges { into = list }
    assert.same({ 1, 2 }, { rawget(list, 1), rawget(list, 2) })
    assert.equal(nil, rawget(list, 3))
  end)

  it("may be the path itself", function()
    local path = row(3):path(1, 3)
    assert.same({ 1, 0, 2, 0, 3, 0 }, { unpack(path:points { into = path }) })
  end)

  it("works with names in the path, and with jitter", function()
    local g, list = row(3), {}
    g:set_name(2, "well")
    local path = g:path(1, 3)
    path[2] = "well"
    assert.same({ 1, 0, 2, 0, 3, 0 }, path:points { into = list })
    local moved = path:points { jitter = 0.3, seed = 5 }
    assert.equal(list, path:points { jitter = 0.3, seed = 5, into = list })
    assert.same(moved, list)
  end)

  it("makes no garbage", function()
    local g, grid, walls = row(100), wend.grid(50, 50), wend.walls()
    walls:add_segment(20, -0.1, 20, 2)
    local path, walk, into = g:path(1, 100), grid:path(1, 1, 50, 30), {}
    local plain, edges = { into = into }, { into = {} }
    local jitter = { into = into, jitter = 0.3, seed = 7, clear = walls }
    local ask = { into = into, jitter = 0.3, seed = 7, clear = function(x1, _, x2) return x1 <= x2 end }
    assert.equal(0, helper.garbage(3, 100, function(times)
      for _ = 1, times do
        path:points(plain)
        path:points(jitter)
        path:points(ask)
        path:edges(edges)
        walk:points(plain)
        walk:points(jitter)
      end
    end))
  end)

  it("gives the right points where clear calls path:points too", function()
    local g = row(30)
    local path, other = g:path(1, 30), g:path(25, 2)
    local expected = path:points { jitter = 0.4, seed = 3 }
    local inner = other:points { jitter = 0.4, seed = 9 }
    local depth, calls = 0, 0
    local function nested()
      calls = calls + 1
      if depth < 3 and calls % 17 == 1 then
        depth = depth + 1
        assert.same(inner, other:points { jitter = 0.4, seed = 9, clear = nested })
        depth = depth - 1
      end
      return true
    end
    assert.same(expected, path:points { jitter = 0.4, seed = 3, clear = nested, into = {} })
  end)

  it("gives the right points where finalizers call path:points", function()
    local g = row(40)
    local path, other = g:path(1, 40), g:path(40, 1)
    local expected, reversed = path:points(), other:points()
    for _ = 1, 300 do
      collector.finalized(function() other:points() end)
      assert.same(expected, path:points())
      assert.same(reversed, other:points { into = {} })
    end
  end)
end)

describe("path:edges", function()
  it("is the list of the edges taken, one less than nodes", function()
    local g, e = draw { "A B C", "B-A 1", "C>B 1", "B>C 2" }
    assert.same({ e[1], e[3] }, g:path("A", "C"):edges())
    assert.same({ e[2], e[1] }, g:path("C", "A"):edges())
  end)
end)

-- spec/validity_spec.lua goes through all edits; these count for a path whose weights are lengths.
describe("path:valid", function()
  it("is false after an edit of one of its edges or ends, and stays so whatever comes next", function()
    for _, asked in ipairs { false, true } do
      for what, edit in pairs {
        ["a new weight"] = function(g, e) g:set_weight(e[1], 7) end,
        ["moving a node"] = function(g) g:move("B", 1, 1) end,
        ["moving its start"] = function(g) g:move("A", 1, 1) end,
        ["a goal that was removed and made again"] = function(g)
          g:remove_node "C"
          g:add_edge("B", g:add_node(2, 0, { name = "C" }))
        end,
      } do
        local g, e = draw({ "A B C D", "A-B", "B-C", "A-D", "D-B 9" },
          { A = { 0, 0 }, B = { 1, 0 }, C = { 2, 0 }, D = { 1, 9 } })
        local path = assert(g:path("A", "C"))
        assert.equal("1-2-3", text(path))
        g:add_node(70, 70)
        if asked then assert.equal(true, path:valid()) end
        g:add_node(71, 70)
        if asked then assert.equal(true, path:valid()) end
        edit(g, e)
        assert.equal(false, path:valid(), what)
        g:add_node(72, 70)
        assert.equal(false, path:valid(), what)
        assert.equal(true, g:path("A", "C"):valid())
      end
    end
  end)
end)

describe("path:explain", function()
  it("holds the cost of each edge", function()
    local g, e = draw { "A B C", "A-B 2", "C-B 3 mud" }
    assert.same({
      { edge = e[1], from = 1, to = 2, weight = 2, cost = 2, rules = {} },
      { edge = e[2], from = 2, to = 3, weight = 3, cost = 3, tag = "mud", rules = {} },
    }, g:path("A", "C"):explain())
  end)

  it("names the rules that made the cost, each with its result", function()
    local g, e = draw { "A B", "A-B 3 mud" }
    local costs = wend.costs { mud = { times = 2, plus = 1 } }
    costs:rule("rain", "mud", function(_, factor) return factor * 2 end)
    costs:edge_rule("wind", function(_, cost) return cost + 0.5 end)
    local path = assert(g:path("A", "B", { costs = costs, cost = function(_, cost) return cost * 10 end }))
    assert.same({ {
      edge = e[1], from = 1, to = 2, weight = 3, cost = 135, tag = "mud", rules = {
        { name = "tag 'mud'", cost = 7 }, { name = "rule 'rain'", cost = 13 }, { name = "rule 'wind'", cost = 13.5 },
        { name = "option 'cost'", cost = 135 },
      },
    } }, path:explain())
    assert.equal(135, path.cost)
  end)

  it("names a tag's function, and the profile's default", function()
    local g = draw { "A B C", "A-B 3 mud", "B-C 1 sand" }
    local costs = wend.costs({ mud = function() return 2 end }, { default = function() return 5 end })
    local list = g:path("A", "C", { costs = costs }):explain()
    assert.same({ { name = "tag 'mud'", cost = 6 } }, list[1].rules)
    assert.same({ { name = "default", cost = 5 } }, list[2].rules)
  end)

  it("adds up to the cost of the path, to the last bit", function()
    helper.rounds("explain", 50, function(rng)
      local g, model = helper.random_graph(rng)
      local costs = wend.costs { road = 0.3, toll = { times = 1.1, plus = 0.7 }, lava = false,
        swamp = function(agent) return agent.boots and 1 or 1.9 end }
      costs:rule("rain", "road", function(_, factor) return factor * 1.3 end)
      costs:edge_rule("hill", function(_, cost, _, from, to) return from < to and cost * 1.7 or nil end)
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local path = g:path(from, to, { costs = costs, agent = { boots = rng:chance(0.5) },
        cost = function(_, cost, tag) return tag == "rope" and cost + 0.1 or nil end })
      if path then reference.walk(g, path, from, to) end
    end)
  end)

  it("asks for another agent and with other costs where these are given", function()
    local g = draw { "A B", "A-B 3 mud" }
    local costs = wend.costs { mud = function(agent) return agent.boots and 1 or 2 end }
    local path = assert(g:path("A", "B", { costs = costs }))
    assert.equal(6, path:explain()[1].cost)
    assert.equal(3, path:explain { agent = { boots = true } }[1].cost)
    assert.equal(30, path:explain { costs = wend.costs { mud = 10 } }[1].cost)
    assert.equal(1, path:explain { cost = function() return 1 end }[1].cost)
  end)

  it("is the present cost after an edit", function()
    local g, e = draw { "A B", "A-B 3" }
    local path = assert(g:path("A", "B"))
    g:set_weight(e[1], 4)
    assert.equal(4, path:explain()[1].cost)
    assert.equal(3, path.cost)
  end)

  it("raises where an edge of the path was removed", function()
    local g, e = draw { "A B", "A-B 3" }
    local path = assert(g:path("A", "B"))
    g:remove_edge(e[1])
    helper.raises("an edge of the path was removed", path.explain, path)
  end)
end)

describe("a path", function()
  it("keeps its graph alive", function()
    local path = row(5):path(1, 5)
    collectgarbage()
    collectgarbage()
    assert.equal(10, #path:points())
    assert.equal(true, path:valid())
  end)

  it("of 200,000 nodes is found and taken apart #slow", function()
    local g, pairs, weights = wend.graph(), {}, {}
    local points = {}
    for i = 1, 400000 do points[i] = 0 end
    g:add_nodes(points)
    for i = 1, 199999 do pairs[2 * i - 1], pairs[2 * i], weights[i] = i, i + 1, i % 3 end
    g:add_edges(pairs, { weights = weights })
    local path = assert(g:path(1, 200000))
    assert.same({ 200000, 199999, 199999 }, { #path, path.cost, #path:edges() })
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

local NODE = "must be a node (its id or name)"

local g, path

local function fixture()
  g = wend.graph()
  g:add_node(0, 0, { name = "gate" })
  g:add_node(3, 4, { name = "keep" })
  g:add_node() -- 3: nowhere
  g:add_edge(1, 2)
  g:add_edge(1, 3, { weight = 2 })
  path = assert(g:path(1, 2))
end

-- Each line: what is raised, and the call.
local function all(cases) helper.all_raise(it, cases) end

for _, name in ipairs { "path", "search" } do
  describe("graph:" .. name, function()
    local OPTIONS = name == "search" and helper.SEARCH_OPTIONS or helper.PATH_OPTIONS
    before_each(fixture)

    local function go(opts, to)
      return function()
        local goal = type(to) == "function" and to() or to or 2
        return g[name](g, 1, goal, type(opts) == "function" and opts() or opts)
      end
    end
    all {
      "to must be a list of nodes, got the key 'gate'", go({}, { gate = true }),
      "to must be a flat list, such as { 1, 2 } for two nodes, got { { 2 } }", go({}, { { 2 } }),
      "to[1] " .. NODE .. ", got 1.5", go({}, { 1.5 }),
      "to[2]: there is no node 9", go({}, { 2, 9 }),
      "to[1]: there is no node named 'moat'", go({}, { "moat" }),
      "unknown option 'algoritm' " .. OPTIONS, go { algoritm = "dijkstra" },
      "unknown option 1 " .. OPTIONS, go { "dijkstra" },
      "unknown option a table " .. OPTIONS, go { [{}] = 1 },
      "at_least is the promise of the option 'cost', which is not given", go { at_least = 1 },
      "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
        go { algorithm = "dijkstra", heuristic = "octile" },
      "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
        go { algorithm = "dijkstra", heuristic = print },
      "partial needs to know how far the goal is: node 3 has no position", go({ partial = true }, 3),
      "corners is an option of grids: a path over a graph lists all its nodes", go { corners = true },
      "partial needs to know how far the goal is: node 3 has no position", go({ partial = true }, { 2, 3 }),
    }
  end)
end

describe("path:points and path:explain", function()
  before_each(fixture)

  all {
    "unknown option 'cots' (expected one of: costs, agent, cost, at_least, size, influence)",
    function() path:explain { cots = 1 } end,
    "at_least is the promise of the option 'cost', which is not given", function() path:explain { at_least = 1 } end,
    "unknown option 'seed' (expected one of: into)", function() path:edges { seed = 1 } end,
    "node 3 has no position", function() g:path(1, 3):points() end,
    "node 'moat' (3) has no position", function() g:set_name(3, "moat"):path(1, 3):points() end,
    "path[2]: there is no node 2", function() g:remove_node(2) path:points() end,
    "an edge of the path was removed", function() g:remove_edge(1) path:explain() end,
  }
end)
