-- SPDX-License-Identifier: MIT
-- Every misuse and its exact message.
local helper = require "spec.helper"
local wend = require "wend"

local raises = helper.raises
local NAN, HUGE = 0 / 0, math.huge
local LONG = ("x"):rep(50)

local g, flat, costs, path, search

before_each(function()
  g = wend.graph()
  g:add_node(0, 0, { name = "gate" })
  g:add_node(3, 4, { name = "keep" })
  g:add_node() -- 3: nowhere
  g:add_edge(1, 2)
  g:add_edge(1, 3, { weight = 2 })
  flat = wend.graph { dimensions = 3 }
  flat:add_node(0, 0, 0)
  costs = wend.costs { road = 0.5 }
  path = assert(g:path(1, 2))
  search = g:search(1, 2)
end)

-- Each line: what is raised, and the call.
local function all(cases)
  for i = 1, #cases, 2 do
    it(("raises: %s (%d)"):format(cases[i], i), function() raises(cases[i], cases[i + 1]) end)
  end
end

local NODE = "must be a node (its id or name)"
local EDGE = "must be an edge (its id)"
local COORDINATE = "must be a finite number (up to 1e150)"
local FINITE = "must be a finite number >= 0"
local STRING = "must be a string that is not empty"
local PATH_OPTIONS = helper.PATH_OPTIONS

describe("wend.graph", function()
  all {
    "options must be a table, got 3", function() wend.graph(3) end,
    "options must be a table, got 'x'", function() wend.graph "x" end,
    "options must be a table, got a wend.Graph", function() wend.graph(g) end,
    "unknown option 'dimension' (expected one of: dimensions)", function() wend.graph { dimension = 3 } end,
    "unknown option 1 (expected one of: dimensions)", function() wend.graph { 3 } end,
    "unknown option true (expected one of: dimensions)", function() wend.graph { [true] = 3 } end,
    "dimensions must be 2 or 3, got 4", function() wend.graph { dimensions = 4 } end,
    "dimensions must be 2 or 3, got 1", function() wend.graph { dimensions = 1 } end,
    "dimensions must be 2 or 3, got 2.5", function() wend.graph { dimensions = 2.5 } end,
    "dimensions must be 2 or 3, got '2'", function() wend.graph { dimensions = "2" } end,
    "dimensions must be 2 or 3, got nan", function() wend.graph { dimensions = NAN } end,
    "dimensions must be 2 or 3, got false", function() wend.graph { dimensions = false } end,
  }
end)

describe("a method that is not called on its own kind", function()
  local others = function()
    return { { nil, "nil" }, { 7, "7" }, { "gate", "'gate'" }, { {}, "a table" }, { print, "a function" },
      { io.stdout, "a FILE*" }, { coroutine.create(function() end), "a thread" } }
  end

  it("raises: graphs", function()
    local count = 0
    for name, method in pairs(helper.methods(g)) do
      count = count + 1
      local list = others()
      list[#list + 1] = { path, "a wend.Path" }
      list[#list + 1] = { search, "a wend.Search" }
      list[#list + 1] = { costs, "a wend.Costs" }
      for _, other in pairs(list) do
        if other[2] ~= "a FILE*" or _VERSION >= "Lua 5.3" then -- before, files have no name
          raises("self must be a graph (call it with a colon: graph:method()), got " .. other[2], method, other[1])
        end
      end
      raises("self must be a graph (call it with a colon: graph:method()), got nil", method)
      assert.equal("string", type(name))
    end
    assert.truthy(count >= 32)
  end)

  it("raises: searches", function()
    for _, method in pairs { search.step, search.path } do
      for _, other in pairs { { nil, "nil" }, { {}, "a table" }, { g, "a wend.Graph" }, { path, "a wend.Path" } } do
        raises("self must be a search (call it with a colon: search:method()), got " .. other[2], method, other[1], 1)
      end
    end
  end)

  it("raises: cost profiles", function()
    for _, name in ipairs { "set", "get", "rule", "edge_rule", "remove", "rules" } do
      for _, other in pairs {
        { nil, "nil" }, { {}, "a table" }, { "x", "'x'" }, { g, "a wend.Graph" }, { path, "a wend.Path" },
      } do
        raises("self must be a cost profile (call it with a colon: costs:method()), got " .. other[2],
          costs[name], other[1], "road", 1)
      end
    end
  end)

  it("raises: paths", function()
    for _, name in ipairs { "each", "edges", "explain", "points", "valid" } do
      for _, other in pairs { { nil, "nil" }, { 7, "7" }, { g, "a wend.Graph" }, { costs, "a wend.Costs" } } do
        raises("self must be a path (call it with a colon: path:method()), got " .. other[2], path[name], other[1])
      end
    end
    for _, name in ipairs { "edges", "explain", "points", "valid" } do
      for _, other in pairs {
        {}, { 1, 2, map = g }, { 1, 2, map = g, trail = io.stdout }, { trail = path.trail },
      } do
        raises("self must be a path, got a table that is empty or was never filled", path[name], other)
      end
    end
  end)

  it("raises: a path that was emptied", function()
    local into = g:path(1, 2, { into = {} })
    g:close(2)
    g:path(1, 2, { into = into })
    for _, name in ipairs { "edges", "explain", "points", "valid" } do
      raises("self must be a path, got a table that is empty or was never filled", path[name], into)
    end
  end)
end)

describe("graph:add_node", function()
  all {
    "x must be a finite number (up to 1e150), got 'a'", function() g:add_node("a", 1) end,
    "x " .. COORDINATE .. ", got '1'", function() g:add_node("1", 1) end,
    "x " .. COORDINATE .. ", got true", function() g:add_node(true, 1) end,
    "y " .. COORDINATE .. ", got nil", function() g:add_node(1) end,
    "y " .. COORDINATE .. ", got a table", function() g:add_node(1, { name = "a" }) end,
    "y " .. COORDINATE .. ", got nan", function() g:add_node(1, NAN) end,
    "x " .. COORDINATE .. ", got inf", function() g:add_node(HUGE, 1) end,
    "y " .. COORDINATE .. ", got -inf", function() g:add_node(1, -HUGE) end,
    "y " .. COORDINATE .. ", got 1e+151", function() g:add_node(1, 1e151) end,
    "z " .. COORDINATE .. ", got nil", function() flat:add_node(1, 2) end,
    "z " .. COORDINATE .. ", got a table", function() flat:add_node(1, 2, {}) end,
    "options must be a table, got 3", function() g:add_node(1, 2, 3) end,
    "options must be a table, got 4", function() flat:add_node(1, 2, 3, 4) end,
    "unknown option 'nme' (expected one of: name, radius)", function() g:add_node(1, 2, { nme = "a" }) end,
    "unknown option 'x' (expected one of: name, radius)", function() g:add_node { x = 1 } end,
    "unknown option 1 (expected one of: name, radius)", function() g:add_node { 1, 2 } end,
    "name " .. STRING .. ", got 7", function() g:add_node(1, 2, { name = 7 }) end,
    "name " .. STRING .. ", got ''", function() g:add_node(1, 2, { name = "" }) end,
    "name " .. STRING .. ", got false", function() g:add_node(1, 2, { name = false }) end,
    "name: 'gate' is the name of node 1 already", function() g:add_node(1, 2, { name = "gate" }) end,
    "radius " .. FINITE .. ", got -1", function() g:add_node(1, 2, { radius = -1 }) end,
    "radius " .. FINITE .. ", got '5'", function() g:add_node(1, 2, { radius = "5" }) end,
    "radius " .. FINITE .. ", got nan", function() g:add_node(1, 2, { radius = NAN }) end,
    "radius " .. FINITE .. ", got inf", function() g:add_node(1, 2, { radius = HUGE }) end,
  }
end)

describe("graph:add_nodes", function()
  all {
    "points must be a list, got nil", function() g:add_nodes() end,
    "points must be a list, got 5", function() g:add_nodes(5, 5) end,
    "points must be a list, got a wend.Graph", function() g:add_nodes(g) end,
    "points must hold 2 numbers per item, got 3 numbers", function() g:add_nodes { 1, 2, 3 } end,
    "points must hold 3 numbers per item, got 4 numbers", function() flat:add_nodes { 1, 2, 3, 4 } end,
    "points[2] " .. COORDINATE .. ", got 'a'", function() g:add_nodes { 1, "a" } end,
    "points[1] " .. COORDINATE .. ", got a table", function() g:add_nodes { { 1, 2 }, { 3, 4 } } end,
    "points[3] " .. COORDINATE .. ", got nan", function() g:add_nodes { 1, 2, NAN, 4 } end,
    "points[4] " .. COORDINATE .. ", got inf", function() g:add_nodes { 1, 2, 3, HUGE } end,
  }
end)

describe("graph:add_edge", function()
  all {
    "from " .. NODE .. ", got nil", function() g:add_edge() end,
    "to " .. NODE .. ", got nil", function() g:add_edge(1) end,
    "from " .. NODE .. ", got a table", function() g:add_edge({ 1 }, 2) end,
    "from " .. NODE .. ", got true", function() g:add_edge(true, 2) end,
    "to " .. NODE .. ", got 1.5", function() g:add_edge(1, 1.5) end,
    "to " .. NODE .. ", got -1", function() g:add_edge(1, -1) end,
    "to " .. NODE .. ", got nan", function() g:add_edge(1, NAN) end,
    "to " .. NODE .. ", got inf", function() g:add_edge(1, HUGE) end,
    "to: there is no node 0", function() g:add_edge(1, 0) end,
    "to: there is no node 9", function() g:add_edge(1, 9) end,
    "from: there is no node named 'moat'", function() g:add_edge("moat", 2) end,
    "from: there is no node named '1'", function() g:add_edge("1", 2) end,
    "to: there is no node named ''", function() g:add_edge(1, "") end,
    ("to: there is no node named '%s...'"):format(LONG:sub(1, 40)), function() g:add_edge(1, LONG) end,
    "options must be a table, got 7", function() g:add_edge(1, 2, 7) end,
    "unknown option 'cost' (expected one of: weight, tag, directed)", function() g:add_edge(1, 2, { cost = 7 }) end,
    "weight " .. FINITE .. ", got -1", function() g:add_edge(1, 2, { weight = -1 }) end,
    "weight " .. FINITE .. ", got nan", function() g:add_edge(1, 2, { weight = NAN }) end,
    "weight " .. FINITE .. ", got inf", function() g:add_edge(1, 2, { weight = HUGE }) end,
    "weight " .. FINITE .. ", got '7'", function() g:add_edge(1, 2, { weight = "7" }) end,
    "weight " .. FINITE .. ", got false", function() g:add_edge(1, 2, { weight = false }) end,
    "tag " .. STRING .. ", got 7", function() g:add_edge(1, 2, { tag = 7 }) end,
    "tag " .. STRING .. ", got ''", function() g:add_edge(1, 2, { tag = "" }) end,
    "tag " .. STRING .. ", got false", function() g:add_edge(1, 2, { tag = false }) end,
    "directed must be true or false, got 1", function() g:add_edge(1, 2, { directed = 1 }) end,
    "directed must be true or false, got 'no'", function() g:add_edge(1, 2, { directed = "no" }) end,
    "weight must be given: node 3 has no position", function() g:add_edge(1, 3) end,
    "weight must be given: node 3 has no position", function() g:add_edge(3, 1, { tag = "mud" }) end,
    "weight must be given: node 'moat' (3) has no position", function() g:set_name(3, "moat"):add_edge(3, 3) end,
  }
end)

describe("graph:add_edges", function()
  all {
    "pairs must be a list, got nil", function() g:add_edges() end,
    "pairs must be a list, got 1", function() g:add_edges(1, 2) end,
    "pairs must hold 2 nodes per item, got 3 nodes", function() g:add_edges { 1, 2, 1 } end,
    "pairs[1] " .. NODE .. ", got a table", function() g:add_edges { { 1, 2 }, { 2, 1 } } end,
    "pairs[2] " .. NODE .. ", got 1.5", function() g:add_edges { 1, 1.5 } end,
    "pairs[4]: there is no node 9", function() g:add_edges { 1, 2, 1, 9 } end,
    "pairs[3]: there is no node named 'moat'", function() g:add_edges { 1, 2, "moat", 2 } end,
    "weight must be given: node 3 has no position", function() g:add_edges { 1, 2, 1, 3 } end,
    "options must be a table, got 'road'", function() g:add_edges({ 1, 2 }, "road") end,
    "unknown option 'weight' (expected one of: weights, tag, directed)",
      function() g:add_edges({ 1, 2 }, { weight = 1 }) end,
    "weights must be a list, got 3", function() g:add_edges({ 1, 2 }, { weights = 3 }) end,
    "weights must hold a number for each of the 1 edges, got 2",
      function() g:add_edges({ 1, 2 }, { weights = { 1, 2 } }) end,
    "weights must hold a number for each of the 2 edges, got 1",
      function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1 } }) end,
    "weights[2] " .. FINITE .. ", got -1", function() g:add_edges({ 1, 2, 2, 1 }, { weights = { 1, -1 } }) end,
    "weights[1] " .. FINITE .. ", got nan", function() g:add_edges({ 1, 2 }, { weights = { NAN } }) end,
    "weights[1] " .. FINITE .. ", got inf", function() g:add_edges({ 1, 2 }, { weights = { HUGE } }) end,
    "weights[1] " .. FINITE .. ", got '1'", function() g:add_edges({ 1, 2 }, { weights = { "1" } }) end,
    "tag " .. STRING .. ", got a table", function() g:add_edges({ 1, 2 }, { tag = {} }) end,
    "directed must be true or false, got 0", function() g:add_edges({ 1, 2 }, { directed = 0 }) end,
  }
end)

describe("what takes one node", function()
  for _, name in ipairs { "remove_node", "is_closed", "close", "open", "name", "set_name", "radius", "set_radius",
    "position", "move", "edges" } do
    it("raises: graph:" .. name, function()
      local method = g[name]
      raises("node " .. NODE .. ", got nil", method, g)
      raises("node " .. NODE .. ", got a table", method, g, {}, 1, 1)
      raises("node " .. NODE .. ", got 1.5", method, g, 1.5, 1, 1)
      raises("node " .. NODE .. ", got nan", method, g, NAN, 1, 1)
      raises("node: there is no node 0", method, g, 0, 1, 1)
      raises("node: there is no node 4", method, g, 4, 1, 1)
      raises("node: there is no node 4294967297", method, g, 4294967297, 1, 1) -- a later tenant of slot 1
      raises("node: there is no node named 'moat'", method, g, "moat", 1, 1)
      g:remove_node(2)
      raises("node: there is no node 2", method, g, 2, 1, 1)
      raises("node: there is no node named 'keep'", method, g, "keep", 1, 1)
    end)
  end

  it("raises: graph:has", function()
    raises("node " .. NODE .. ", got nil", g.has, g)
    raises("node " .. NODE .. ", got a table", g.has, g, {})
  end)

  it("raises: graph:node", function()
    raises("name must be a string, got nil", g.node, g)
    raises("name must be a string, got 1", g.node, g, 1)
  end)
end)

describe("what takes two nodes", function()
  for name, args in pairs {
    edge_between = { "a", "b" }, path = { "from", "to" }, search = { "from", "to" }, add_edge = { "from", "to" },
  } do
    it("raises: graph:" .. name, function()
      local method, from, to = g[name], args[1], args[2]
      raises(from .. " " .. NODE .. ", got nil", method, g)
      raises(to .. " " .. NODE .. ", got nil", method, g, 1)
      raises(from .. " " .. NODE .. ", got a function", method, g, print, 1)
      raises(from .. ": there is no node 9", method, g, 9, 1)
      raises(to .. ": there is no node 9", method, g, 1, 9)
      raises(from .. ": there is no node named 'moat'", method, g, "moat", 1)
      raises(to .. ": there is no node named 'moat'", method, g, 1, "moat")
      g:remove_node(2)
      raises(from .. ": there is no node 2", method, g, 2, 1)
      raises(to .. ": there is no node 2", method, g, 1, 2)
    end)
  end
end)

describe("what takes an edge", function()
  for _, name in ipairs { "remove_edge", "close_edge", "open_edge", "edge", "set_weight", "set_tag" } do
    it("raises: graph:" .. name, function()
      local method, last = g[name], name == "set_tag" and "mud" or name == "set_weight" and 1 or nil
      raises("edge " .. EDGE .. ", got nil", method, g)
      raises("edge " .. EDGE .. ", got 'gate'", method, g, "gate", last)
      raises("edge " .. EDGE .. ", got a table", method, g, {}, last)
      raises("edge " .. EDGE .. ", got 1.5", method, g, 1.5, last)
      raises("edge " .. EDGE .. ", got -1", method, g, -1, last)
      raises("edge: there is no edge 0", method, g, 0, last)
      raises("edge: there is no edge 3", method, g, 3, last)
      g:remove_edge(1)
      raises("edge: there is no edge 1", method, g, 1, last)
      g:remove_node(3)
      raises("edge: there is no edge 2", method, g, 2, last)
    end)
  end

  it("raises: graph:has_edge", function()
    raises("edge " .. EDGE .. ", got nil", g.has_edge, g)
    raises("edge " .. EDGE .. ", got 'gate'", g.has_edge, g, "gate")
  end)
end)

describe("other methods of graphs", function()
  all {
    "name " .. STRING .. ", got 7", function() g:set_name(1, 7) end,
    "name " .. STRING .. ", got ''", function() g:set_name(1, "") end,
    "name: 'keep' is the name of node 2 already", function() g:set_name(1, "keep") end,
    "radius " .. FINITE .. ", got '5'", function() g:set_radius(1, "5") end,
    "radius " .. FINITE .. ", got -0.5", function() g:set_radius(1, -0.5) end,
    "radius " .. FINITE .. ", got nan", function() g:set_radius(1, NAN) end,
    "x " .. COORDINATE .. ", got nil", function() g:move(1) end,
    "y " .. COORDINATE .. ", got nil", function() g:move(1, 2) end,
    "y " .. COORDINATE .. ", got nan", function() g:move(1, 2, NAN) end,
    "x " .. COORDINATE .. ", got a table", function() g:move(1, { 2, 3 }) end,
    "z " .. COORDINATE .. ", got nil", function() flat:move(1, 2, 3) end,
    "weight " .. FINITE .. ", got -1", function() g:set_weight(1, -1) end,
    "weight " .. FINITE .. ", got nan", function() g:set_weight(1, NAN) end,
    "weight " .. FINITE .. ", got inf", function() g:set_weight(1, HUGE) end,
    "weight " .. FINITE .. ", got 'much'", function() g:set_weight(1, "much") end,
    "weight must be given: node 3 has no position", function() g:set_weight(2, nil) end,
    "tag " .. STRING .. ", got 7", function() g:set_tag(1, 7) end,
    "tag " .. STRING .. ", got ''", function() g:set_tag(1, "") end,
    "tag " .. STRING .. ", got false", function() g:set_tag(1, false) end,
  }
end)

for _, name in ipairs { "path", "search" } do
  describe("graph:" .. name, function()
    local function go(opts, to)
      return function()
        local goal = type(to) == "function" and to() or to or 2
        return g[name](g, 1, goal, type(opts) == "function" and opts() or opts)
      end
    end
    all {
      "to must be a node or a list of nodes, got an empty list", go({}, {}),
      "to[1] " .. NODE .. ", got a table", go({}, { { 2 } }),
      "to[2]: there is no node 9", go({}, { 2, 9 }),
      "to[1]: there is no node named 'moat'", go({}, { "moat" }),
      "options must be a table, got 5", go(5),
      "options must be a table, got 'dijkstra'", go "dijkstra",
      "unknown option 'algoritm' " .. PATH_OPTIONS, go { algoritm = "dijkstra" },
      "unknown option 1 " .. PATH_OPTIONS, go { "dijkstra" },
      "unknown option a table " .. PATH_OPTIONS, go { [{}] = 1 },
      "costs must be a profile made by wend.costs, got a table", go { costs = { road = 1 } },
      "costs must be a profile made by wend.costs, got a function", go { costs = print },
      "costs must be a profile made by wend.costs, got a wend.Graph", go(function() return { costs = g } end),
      "costs must be a profile made by wend.costs, got 'hero'", go { costs = "hero" },
      "costs must be a profile made by wend.costs, got 7", go { costs = 7 },
      "cost must be a function, got 3", go { cost = 3 },
      "cost must be a function, got a table", go { cost = {} },
      "at_least is the promise of the option 'cost', which is not given", go { at_least = 1 },
      "at_least must be a number in 0 .. 1, got 2", go { cost = print, at_least = 2 },
      "at_least must be a number in 0 .. 1, got -0.5", go { cost = print, at_least = -0.5 },
      "at_least must be a number in 0 .. 1, got nan", go { cost = print, at_least = NAN },
      "at_least must be a number in 0 .. 1, got '1'", go { cost = print, at_least = "1" },
      "algorithm must be one of: astar, dijkstra, got 'a*'", go { algorithm = "a*" },
      "algorithm must be one of: astar, dijkstra, got false", go { algorithm = false },
      "heuristic must be one of: auto, zero, euclidean, manhattan, chebyshev, octile, or a function, got 'taxi'",
        go { heuristic = "taxi" },
      "heuristic must be one of: auto, zero, euclidean, manhattan, chebyshev, octile, or a function, got 7",
        go { heuristic = 7 },
      "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
        go { algorithm = "dijkstra", heuristic = "octile" },
      "algorithm 'dijkstra' has no heuristic: leave one of the two options out",
        go { algorithm = "dijkstra", heuristic = print },
      "max_expanded must be a whole number >= 0, got -1", go { max_expanded = -1 },
      "max_expanded must be a whole number >= 0, got 2.5", go { max_expanded = 2.5 },
      "max_expanded must be a whole number >= 0, got nan", go { max_expanded = NAN },
      "max_expanded must be a whole number >= 0, got '9'", go { max_expanded = "9" },
      "max_cost must be a number >= 0, got -1", go { max_cost = -1 },
      "max_cost must be a number >= 0, got nan", go { max_cost = NAN },
      "max_cost must be a number >= 0, got '9'", go { max_cost = "9" },
      "partial must be true or false, got 1", go { partial = 1 },
      "partial needs to know how far the goal is: node 3 has no position", go({ partial = true }, 3),
      "partial needs to know how far the goal is: node 3 has no position", go({ partial = true }, { 2, 3 }),
      "into must be a table, got true", go { into = true },
      "into must be a table, got a wend.Graph", go(function() return { into = g } end),
      "stats must be a table, got 'all'", go { stats = "all" },
    }
  end)
end

describe("methods of searches", function()
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

describe("methods of paths", function()
  all {
    "options must be a table, got 3", function() path:points(3) end,
    "options must be a table, got 3", function() path:explain(3) end,
    "unknown option 'cots' (expected one of: costs, agent, cost, at_least)", function() path:explain { cots = 1 } end,
    "costs must be a profile made by wend.costs, got a table", function() path:explain { costs = {} } end,
    "cost must be a function, got 1", function() path:explain { cost = 1 } end,
    "at_least is the promise of the option 'cost', which is not given", function() path:explain { at_least = 1 } end,
    "at_least must be a number in 0 .. 1, got 7", function() path:explain { cost = print, at_least = 7 } end,
    "node 3 has no position", function() g:path(1, 3):points() end,
    "node 'moat' (3) has no position", function() g:set_name(3, "moat"):path(1, 3):points() end,
    "path[2]: there is no node 2", function() g:remove_node(2) path:points() end,
    "an edge of the path was removed", function() g:remove_edge(1) path:explain() end,
  }
end)

describe("wend.costs", function()
  local VALUE = "must be a number >= 0, false, { times =, plus = } or a function"
  all {
    "rules must be a table, got 7", function() wend.costs(7) end,
    "rules must be a table, got a wend.Graph", function() wend.costs(g) end,
    "rules must be a plain table, got a cost profile: to inherit from it, give it as the option 'base'",
      function() wend.costs(costs) end,
    "each key of rules " .. STRING .. ", got 1", function() wend.costs { 0.5 } end,
    "each key of rules " .. STRING .. ", got ''", function() wend.costs { [""] = 1 } end,
    "the cost of tag 'mud' " .. VALUE .. ", got -1", function() wend.costs { mud = -1 } end,
    "the cost of tag 'mud' " .. VALUE .. ", got nan", function() wend.costs { mud = NAN } end,
    "the cost of tag 'mud' " .. VALUE .. ", got true", function() wend.costs { mud = true } end,
    "the cost of tag 'mud' " .. VALUE .. ", got '2'", function() wend.costs { mud = "2" } end,
    "the cost of tag 'mud' " .. VALUE .. ", got a wend.Graph", function() wend.costs { mud = g } end,
    "the cost of tag 'mud': times must be a number >= 0, got -1", function() wend.costs { mud = { times = -1 } } end,
    "the cost of tag 'mud': times must be a number >= 0, got false",
    function() wend.costs { mud = { times = false } } end,
    "the cost of tag 'mud': plus must be a number >= 0, got nan", function() wend.costs { mud = { plus = NAN } } end,
    "the cost of tag 'mud': plus must be a number >= 0, got '3'", function() wend.costs { mud = { plus = "3" } } end,
    "unknown option 'price' (expected one of: times, plus)", function() wend.costs { mud = { price = 3 } } end,
    "unknown option 1 (expected one of: times, plus)", function() wend.costs { mud = { 2, 3 } } end,
    "options must be a table, got 3", function() wend.costs({}, 3) end,
    "unknown option 'defualt' (expected one of: default, base)", function() wend.costs({}, { defualt = 1 }) end,
    "default " .. VALUE .. ", got -1", function() wend.costs({}, { default = -1 }) end,
    "default: plus must be a number >= 0, got -1", function() wend.costs({}, { default = { plus = -1 } }) end,
    "base must be a cost profile, got a table", function() wend.costs({}, { base = {} }) end,
    "base must be a cost profile, got 1", function() wend.costs({}, { base = 1 }) end,
    "base must be a cost profile, got false", function() wend.costs({}, { base = false }) end,

    "tag " .. STRING .. ", got nil", function() costs:set() end,
    "tag " .. STRING .. ", got 7", function() costs:set(7, 1) end,
    "tag " .. STRING .. ", got ''", function() costs:set("", 1) end,
    "the cost of tag 'mud' " .. VALUE .. ", got -1", function() costs:set("mud", -1) end,
    "the cost of tag 'mud' " .. VALUE .. ", got nan", function() costs:set("mud", NAN) end,
    "tag " .. STRING .. ", got nil", function() costs:get() end,
    "tag " .. STRING .. ", got true", function() costs:get(true) end,

    "name " .. STRING .. ", got nil", function() costs:rule(nil, "mud", print) end,
    "name " .. STRING .. ", got ''", function() costs:rule("", "mud", print) end,
    "tag " .. STRING .. ", got nil", function() costs:rule("rain", nil, print) end,
    "tag " .. STRING .. ", got a function", function() costs:rule("rain", print) end,
    "fn must be a function, got nil", function() costs:rule("rain", "mud") end,
    "fn must be a function, got 2", function() costs:rule("rain", "mud", 2) end,
    "options must be a table, got 5", function() costs:rule("rain", "mud", print, 5) end,
    "unknown option 'tags' (expected one of: priority)", function() costs:rule("rain", "mud", print, { tags = {} }) end,
    "priority must be a number, got 'high'", function() costs:rule("rain", "mud", print, { priority = "high" }) end,
    "priority must be a number, got nan", function() costs:rule("rain", "mud", print, { priority = NAN }) end,

    "name " .. STRING .. ", got a function", function() costs:edge_rule(print) end,
    "fn must be a function, got a table", function() costs:edge_rule("rain", {}) end,
    "unknown option 'tag' (expected one of: priority, tags, at_least)",
      function() costs:edge_rule("rain", print, { tag = "mud" }) end,
    "tags must be a list of tags, got 'mud'", function() costs:edge_rule("rain", print, { tags = "mud" }) end,
    "tags[2] " .. STRING .. ", got 7", function() costs:edge_rule("rain", print, { tags = { "mud", 7 } }) end,
    "at_least must be a number in 0 .. 1, got 1.5", function() costs:edge_rule("rain", print, { at_least = 1.5 }) end,
    "at_least must be a number in 0 .. 1, got nan", function() costs:edge_rule("rain", print, { at_least = NAN }) end,
    "at_least must be a number in 0 .. 1, got false",
    function() costs:edge_rule("rain", print, { at_least = false }) end,
    "priority must be a number, got false", function() costs:edge_rule("rain", print, { priority = false }) end,

    "name " .. STRING .. ", got nil", function() costs:remove() end,
    "on_error must be a function or nil, got 7", function() costs.on_error = 7 end,
    "on_error must be a function or nil, got a table", function() costs.on_error = {} end,
    "a cost profile has no field 'swamp': use costs:set(tag, value)", function() costs.swamp = 2 end,
    "a cost profile has no field 1: use costs:set(tag, value)", function() costs[1] = 2 end,
  }

  it("changes nothing where it raises", function()
    costs:rule("rain", "mud", function() return 2 end)
    for _, call in ipairs {
      function() costs:set("road", -1) end,
      function() costs:rule("rain", "mud", print, { priority = NAN }) end,
      function() costs:edge_rule("wind", print, { at_least = 7 }) end,
      function() costs.on_error = 7 end,
    } do
      assert.error(call)
    end
    assert.same({ 0.5, 1, nil }, { costs:get "road", #costs:rules(), costs.on_error })
  end)
end)

describe("an error", function()
  local function line_of(fn)
    local _, message = pcall(fn)
    return message:match "^(%S*errors_spec%.lua):%d+: " ~= nil, message
  end

  for what, fn in pairs {
    ["wend.graph"] = function() wend.graph { dimension = 3 } end,
    ["a graph's method"] = function() g:add_node("x", 1) end,
    ["graph:path"] = function() local _, _ = g:path(1, 99), 1 end,
    ["search:step"] = function() search:step(0) end,
    ["a path's method"] = function() path:explain { cots = 1 } end,
    ["wend.costs"] = function() local _, _ = wend.costs { mud = -1 }, 1 end,
    ["a profile's method"] = function() costs:rule("rain", "mud", 1) end,
    ["an assignment to a profile"] = function() costs.swamp = 1 end,
  } do
    it("blames the caller's line: " .. what, function()
      local blamed, message = line_of(fn)
      assert.truthy(blamed, message)
    end)
  end

  it("quotes long strings in part", function()
    raises(("algorithm must be one of: astar, dijkstra, got '%s...'"):format(LONG:sub(1, 40)), g.path, g, 1, 2,
      { algorithm = LONG })
    raises(("fn must be a function, got '%s...'"):format(LONG:sub(1, 40)), costs.rule, costs, "a", "b", LONG)
  end)

  it("leaves into and stats as they were", function()
    local into, stats = { 7, colour = "red" }, { a = 1 }
    assert.error(function() g:path(1, 99, { into = into, stats = stats }) end)
    assert.error(function() g:path(1, 2, { into = into, stats = stats, max_cost = -1 }) end)
    assert.same({ { 7, colour = "red" }, { a = 1 } }, { into, stats })
  end)
end)
