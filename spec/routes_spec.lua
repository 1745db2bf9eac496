-- SPDX-License-Identifier: MIT
-- Route tables: every pair against a search, what makes them stale, and what they take.

local foreign = dofile "examples/foreign_maps.lua"
local wend = require "wend"

local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"

local draw, near, nodes_of = reference.draw, reference.near, reference.nodes

---Asserts that what routes say of a pair is what a search says, and that it fits together.
local function pair(g, routes, a, b, opts, explained)
  local found, message, code = routes:path(a, b)
  local wanted = g:path(a, b, opts)
  local cost, next_node, next_edge = routes:cost(a, b), routes:next(a, b)
  if not wanted then
    assert.same({ nil, "string", "no_path" }, { found, type(message), code })
    assert.is_nil(cost)
    assert.is_nil(next_node)
    return
  end
  assert(found, message)
  near(wanted.cost, found.cost, ("cost from %s to %s"):format(a, b))
  near(found.cost, cost)
  reference.walk(g, found, a, b, explained)
  assert.is_true(found:valid())
  assert.equal(next_node, found[2])
  assert.equal(next_edge, found:edges()[1])
  assert.is_falsy(found.partial)
end

---Whether going on by `next` alone leads from a to b, by the very edges of the path.
local function follow(g, routes, a, b)
  local path = routes:path(a, b)
  if not path then return end
  local at, edges = a, path:edges()
  for i = 2, #path do
    local node, edge = routes:next(at, b)
    assert.equal(path[i], node)
    assert.equal(edges[i - 1], edge)
    local left = routes:cost(at, b)
    local rest = routes:path(at, b)
    near(rest.cost, left)
    assert.is_true(g:has_edge(edge))
    at = node
  end
  assert.equal(b, at)
  assert.is_nil((routes:next(at, b)))
  assert.equal(0, routes:cost(at, b))
end

local function stale(routes, a, b)
  for _, name in ipairs { "path", "cost", "next" } do
    local result, message, code = routes[name](routes, a, b)
    assert.same({ nil, "string", "stale" }, { result, type(message), code })
  end
end

describe("routes", function()
  it("of a drawing", function()
    local g = draw { "A B C D", "A-B 1", "B>C 2 swamp", "A-C 5", "C>D 1" }
    local routes = g:routes()
    local path = routes:path("A", "D")
    assert.equal("1-2-3-4", reference.text(path))
    assert.equal(4, path.cost)
    assert.same({ 1, 2, 4 }, path:edges())
    assert.equal(4, routes:cost("A", "D"))
    assert.same({ 2, 1 }, { routes:next("A", "D") })
    assert.same({ nil, "no_path" }, { routes:path("D", "A"), (select(3, routes:path("D", "A"))) })
    assert.is_nil(routes:cost("D", "A"))
    assert.is_nil((routes:next("D", "A")))
    assert.equal(0, routes:cost("B", "B"))
    assert.is_nil((routes:next("B", "B")))
    path = routes:path("B", "B")
    assert.same({ 2 }, { unpack and unpack(path) or table.unpack(path) }) -- luacheck: ignore 113
    assert.equal(0, path.cost)
    assert.same({}, path:edges())
  end)

  it("of graphs of none and of one", function()
    local g = wend.graph()
    local routes = g:routes()
    assert.truthy(routes:bytes() > 0)
    helper.raises("from: there is no node 1", routes.path, routes, 1, 1)
    local n = g:add_node(0, 0)
    stale(routes, n, n)
    g:add_edge(n, n)
    routes = g:routes()
    assert.equal(0, routes:path(n, n).cost)
    assert.equal(0, routes:cost(n, n))
    assert.is_nil((routes:next(n, n)))
    g:close(n)
    routes = g:routes()
    pair(g, routes, n, n)
    g:remove_node(n)
    assert(g:routes())
  end)

  it("of a hub with a thousand neighbours", function()
    local g = wend.graph()
    local hub = g:add_node(0, 0)
    for i = 1, 1000 do g:add_edge(hub, g:add_node(i % 37, i % 91 + 1), { directed = i > 990 }) end
    local routes = g:routes()
    for i = 2, 1001, 9 do
      assert.equal(i, (routes:next(hub, i)))
      pair(g, routes, i, 1003 - i)
    end
    pair(g, routes, 1001, 2)
    pair(g, routes, 2, 1001)
    follow(g, routes, 17, 801)
  end)

  it("are near enough where nothing costs anything #many", function()
    local g = wend.graph()
    for i = 1, 30 do g:add_node(i % 6, i % 5) end
    local rng = helper.rng "zero"
    for _ = 1, 70 do g:add_edge(rng(30), rng(30), { weight = 0, directed = rng:chance(0.3) }) end
    local routes = g:routes()
    for a = 1, 30 do
      for b = 1, 30 do pair(g, routes, a, b) end
      follow(g, routes, a, 31 - a)
    end
  end)

  it("give paths as g:path gives them", function()
    local g = draw { "A B C D", "A-B 1 road", "B>C 2 swamp", "A-C 9", "C-D 0" }
    local costs = wend.costs { swamp = { times = 2, plus = 1 } }
    local agent = {}
    local opts = { costs = costs, agent = agent }
    local routes = g:routes(opts)
    local wanted, got = g:path("A", "D", opts), routes:path("A", "D")
    assert.equal(reference.show(wanted), reference.show(got))
    assert.same(wanted:explain(), got:explain())
    assert.equal(wend.type(wanted), wend.type(got))
    assert.equal(g, got.graph or got.map or g)
    local seen = {}
    for key in pairs(wanted) do seen[key] = true end
    for key in pairs(got) do assert.is_true(seen[key] or type(key) == "number", tostring(key)) end
    assert.is_true(got:valid())
    g:close_edge(1)
    assert.is_false(got:valid())
  end)

  it("fill the table that they are given", function()
    local g = reference.row(6)
    local routes = g:routes()
    local into = { "old", "things", 3, 4, 5, 6, 7, 8, 9 }
    local path = routes:path(2, 5, { into = into })
    assert.equal(into, path)
    assert.equal("2-3-4-5", reference.text(path))
    assert.equal(3, path.cost)
    assert.equal(into, routes:path(6, 5, { into = into }))
    assert.equal("6-5", reference.text(into))
    g:add_node()
    routes = g:routes()
    local found, _, code = routes:path(1, 7, { into = into })
    assert.same({ nil, "no_path", 0 }, { found, code, #into })
    assert.is_nil(into.cost)
    routes:path(1, 3, { into = into })
    g:close(4)
    found, _, code = routes:path(1, 3, { into = into })
    assert.same({ nil, "stale", 0 }, { found, code, #into })
  end)

  it("keep their graph alive", function()
    local routes
    do
      local g = reference.row(40)
      g:set_tag(3, "mud")
      local agent = setmetatable({}, { __mode = "v" })
      routes = g:routes { costs = wend.costs { mud = function(a) return a == agent and 2 or 9 end }, agent = agent }
    end
    collectgarbage()
    collectgarbage()
    assert.equal(40, routes:cost(1, 40))
    assert.equal(40, #routes:path(1, 40))
  end)

  it("know only nodes that exist", function()
    local g = reference.row(12)
    g:remove_node(4):remove_node(9)
    local new = g:add_node(4, 0)
    g:add_edge(3, new)
    g:add_edge(new, 5)
    local routes = g:routes()
    for a in g:nodes() do
      for b in g:nodes() do pair(g, routes, a, b) end
    end
    helper.raises("to: there is no node 4", routes.path, routes, 1, 4)
    helper.raises("from: there is no node 9", routes.cost, routes, 9, 1)
    helper.raises("to: there is no node 99", routes.next, routes, 1, 99)
    helper.raises("to: there is no node named 'home'", routes.next, routes, 1, "home")
    g:remove_node(2)
    stale(routes, 1, 3)
  end)

  it("are made without a rule that raises, where the profile says so", function()
    local g = reference.row(100)
    local costs, told, broken = wend.costs(), 0, true
    costs.on_error = function() told = told + 1 end
    costs:edge_rule("broken", function(_, cost, _, _, _, edge)
      if broken and edge == 50 then error("boom", 0) end
      return cost * 2
    end)
    local routes = g:routes { costs = costs }
    assert.equal(1, told)
    pair(g, routes, 1, 100, nil, { costs = wend.costs() })
    for i = 2, 100, 7 do assert.equal(i - 1, routes:cost(1, i)) end
    broken = false
    assert.equal(198, g:routes({ costs = costs }):cost(1, 100))
    assert.equal(99, routes:cost(1, 100))
    broken = true
    costs.on_error = function() error("no", 0) end
    assert.is_false((pcall(g.routes, g, { costs = costs })))
    costs.on_error = function() g:close(3) end
    assert.same({ nil, "the graph or the costs have changed since the search began", "stale" },
      { g:routes { costs = costs } })
    g:open(3)
    assert.equal(99, g:routes():cost(1, 100))
  end)

  it("tell how far they are", function()
    local g = reference.row(200)
    local last, calls = 0, 0
    g:routes { on_progress = function(done, all)
      assert.equal(200, all)
      assert.truthy(done > last and done <= all)
      last, calls = done, calls + 1
    end }
    assert.equal(200, last)
    assert.truthy(calls > 1)
    calls = 0
    local callable = setmetatable({}, { __call = function() calls = calls + 1 end })
    g:routes { on_progress = callable }
    assert.truthy(calls > 1)
    wend.graph():routes { on_progress = function() error "of nothing" end }
  end)

  it("may be given up from on_progress, and the graph cannot be changed there", function()
    local g = reference.row(150)
    local ok, message = pcall(g.routes, g, { on_progress = function() error("enough", 0) end })
    assert.same({ false, "enough" }, { ok, message })
    assert.equal(149, g:path(1, 150).cost)
    for _, edit in ipairs {
      function() g:add_node(1, 1) end, function() g:remove_node(70) end, function() g:close(3) end,
      function() g:add_edge(1, 100) end, function() g:set_weight(1, 5) end,
    } do
      helper.raises("the graph is being searched: change it when the search is over",
        function() g:routes { on_progress = edit } end)
      assert.equal(149, g:path(1, 150).cost)
      assert.equal(149, g:routes():cost(1, 150))
    end
  end)

  it("may be asked for while others are made", function()
    local g, other = reference.row(150), reference.row(90)
    local sum, inner = 0, nil
    local routes = g:routes { on_progress = function()
      sum = sum + g:path(1, 150).cost + other:routes():cost(1, 90)
      inner = inner or g:routes()
    end }
    assert.truthy(sum >= 2 * (149 + 89))
    assert.equal(149, routes:cost(1, 150))
    assert.equal(149, inner:cost(150, 1))
    assert.equal(149, routes:path(150, 1).cost)
  end)

  it("of a profile that changes while they are made are stale", function()
    local g = reference.row(100)
    g:set_tag(1, "mud")
    local costs = wend.costs { mud = 3 }
    local routes = g:routes { costs = costs, on_progress = function() costs:set("mud", 4) end }
    stale(routes, 1, 3)
  end)

  it("want options that they know", function()
    local g = reference.row(2)
    helper.raises("unknown option 'max_cost' (expected one of: costs, agent, cost, at_least, size, influence, "
      .. "on_progress)",
      g.routes, g,
      { max_cost = 3 })
    helper.raises("on_progress must be a function, got 3", g.routes, g, { on_progress = 3 })
    local routes = g:routes()
    helper.raises("unknown option 'foo' (expected one of: into)", routes.path, routes, 1, 2, { foo = 1 })
  end)

  it("make no garbage when costs and next are asked", function()
    local g = reference.row(50)
    local routes = g:routes()
    local function ask(times)
      for i = 1, 200 * times do
        routes:cost(1, i % 50 + 1)
        routes:next(50, i % 50 + 1)
      end
    end
    assert.equal(0, helper.garbage(1, 5, ask))
  end)

  for _, map in ipairs { "mist", "erosion", "deathtrap" } do
    it("of a level for bots take a byte a pair at most: " .. map .. " #slow", function()
      local file = helper.data("waypoints/redeclipse/" .. map .. ".wpt")
      if not file then return pending "the folder of real maps is not here" end
      local g = foreign.waypoints(file)
      local routes = g:routes()
      local count = g:node_count()
      assert.truthy(routes:bytes() <= count * count, ("%d bytes, %d nodes"):format(routes:bytes(), count))
      local rng = helper.rng(map)
      local list = nodes_of(g)
      for _ = 1, 100 do pair(g, routes, rng:pick(list), rng:pick(list)) end
      local copy = assert(wend.decode(routes:encode(), { map = g }))
      assert.truthy(copy:bytes() <= count * count)
      for _ = 1, 100 do pair(g, copy, rng:pick(list), rng:pick(list)) end
    end)
  end
end)
