-- SPDX-License-Identifier: MIT
-- What bad input to walls, nearest, routes, variation and jitter gets, and functions that behave badly.
local helper = require "spec.helper"
local reference = require "spec.reference"
local wend = require "wend"

local raises, draw = helper.raises, reference.draw
local NAN, HUGE = 0 / 0, math.huge

local g, high, grid, walls, path

before_each(function()
  g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } }) -- D is nowhere
  high = wend.graph { dimensions = 3 }
  high:add_nodes { 0, 0, 0, 10, 0, 0 }
  high:add_edge(1, 2)
  grid = wend.grid(7, 3)
  walls = wend.walls():add_segment(5, -5, 5, 5)
  path = assert(g:path("A", "C"))
end)

-- Each line: what is raised, and the call. A message that ends with "..." is only the beginning of what is raised.
local function all(cases)
  for i = 1, #cases, 2 do
    it(("raises: %s (%d)"):format(cases[i], i), function()
      local start = cases[i]:match "^(.*)%.%.%.$"
      if not start then return raises(cases[i], cases[i + 1]) end
      local ok, message = pcall(cases[i + 1])
      assert.equal(false, ok)
      message = tostring(message):gsub("^[^\n:]*%.lua:%d+: ", "")
      assert.equal(start, message:sub(1, #start))
    end)
  end
end

local COORDINATE = "must be a finite number (up to 1e150)"
local NUMBER = "must be a finite number"
local FINITE = "must be a finite number >= 0"
local PLACE = "must be a position: { x, y }, or something with fields x and y"
local CLEAR = "clear must be a function, walls or a grid"

describe("walls:add_segment", function()
  all {
    "x1 " .. COORDINATE .. ", got nil", function() walls:add_segment() end,
    "y1 " .. COORDINATE .. ", got nan", function() walls:add_segment(1, NAN, 3, 4) end,
    "x2 " .. COORDINATE .. ", got inf", function() walls:add_segment(1, 2, HUGE, 4) end,
    "y2 " .. COORDINATE .. ", got '4'", function() walls:add_segment(1, 2, 3, "4") end,
    "y2 " .. COORDINATE .. ", got 1e+151", function() walls:add_segment(1, 2, 3, 1e151) end,
    "x1 " .. COORDINATE .. ", got a table", function() walls:add_segment { 1, 2, 3, 4 } end,
  }
end)

describe("walls:add_polygon", function()
  all {
    "points must be a list, got nil", function() walls:add_polygon() end,
    "points must be a list, got 5", function() walls:add_polygon(5, 5, 6, 6) end,
    "points must be a list, got a wend.Walls", function() walls:add_polygon(walls) end,
    "points must hold 2 numbers per item, got 7 numbers", function() walls:add_polygon { 1, 2, 3, 4, 5, 6, 7 } end,
    "points must hold at least 3 corners, got 0", function() walls:add_polygon {} end,
    "points must hold at least 3 corners, got 2", function() walls:add_polygon { 1, 2, 3, 4 } end,
    "points[3] " .. COORDINATE .. ", got nan", function() walls:add_polygon { 1, 2, NAN, 4, 5, 6 } end,
    "points[6] " .. COORDINATE .. ", got '6'", function() walls:add_polygon { 1, 2, 3, 4, 5, "6" } end,
    "points[1] " .. COORDINATE .. ", got a table", function() walls:add_polygon { {}, {}, {}, {}, {}, {} } end,
    "points[4] " .. COORDINATE .. ", got -inf", function() walls:add_polygon { 1, 2, 3, -HUGE, 5, 6 } end,
  }

  it("adds nothing where it raises", function()
    pcall(walls.add_polygon, walls, { -9, -9, 9, -9, 9, "9" })
    pcall(walls.add_circle, walls, 0, 0, -1)
    pcall(walls.add_segment, walls, 0, 0, 1)
    assert.equal(1, walls:count())
    assert.equal(true, walls:clear(0, -9, 0, 9))
  end)
end)

describe("walls:add_circle", function()
  all {
    "x " .. COORDINATE .. ", got nil", function() walls:add_circle() end,
    "y " .. COORDINATE .. ", got nan", function() walls:add_circle(1, NAN, 3) end,
    "r must be...", function() walls:add_circle(1, 2) end,
    "r must be...", function() walls:add_circle(1, 2, -1) end,
    "r must be...", function() walls:add_circle(1, 2, NAN) end,
    "r must be...", function() walls:add_circle(1, 2, HUGE) end,
    "r must be...", function() walls:add_circle(1, 2, "3") end,
  }
end)

describe("walls:clear", function()
  all {
    "x1 " .. COORDINATE .. ", got nil", function() walls:clear() end,
    "y2 " .. COORDINATE .. ", got nil", function() walls:clear(1, 2, 3) end,
    "x2 " .. COORDINATE .. ", got nan", function() walls:clear(1, 2, NAN, 4) end,
    "y1 " .. COORDINATE .. ", got inf", function() walls:clear(1, HUGE, 3, 4) end,
    "x1 " .. COORDINATE .. ", got a table", function() walls:clear({ 1, 2 }, { 3, 4 }) end,
    "radius must be...", function() walls:clear(1, 2, 3, 4, -1) end,
    "radius must be...", function() walls:clear(1, 2, 3, 4, NAN) end,
    "radius must be...", function() walls:clear(1, 2, 3, 4, HUGE) end,
    "radius must be...", function() walls:clear(1, 2, 3, 4, "1") end,
    "radius must be...", function() walls:clear(1, 2, 3, 4, true) end,
  }
end)

describe("a method of walls that is called on something else", function()
  it("raises", function()
    local count = 0
    for _, method in pairs(helper.methods(walls)) do
      count = count + 1
      for _, other in ipairs { { 7, "7" }, { {}, "a table" }, { g, "a wend.Graph" }, { grid, "a wend.Grid" } } do
        raises("self must be walls (call it with a colon: walls:method()), got " .. other[2], method, other[1], 1, 1)
      end
      raises("self must be walls (call it with a colon: walls:method()), got nil", method)
    end
    assert.truthy(count >= 6)
    raises("self must be a grid (call it with a colon: grid:method()), got a wend.Walls", grid.clear, walls, 1, 1, 2, 2)
    raises("self must be a graph (call it with a colon: graph:method()), got a wend.Walls", g.nearest, walls, 1, 1)
  end)
end)

describe("grid:clear_points", function()
  all {
    "x1 " .. NUMBER .. ", got nil", function() grid:clear_points() end,
    "y1 " .. NUMBER .. ", got nan", function() grid:clear_points(1, NAN, 1, 1) end,
    "x2 " .. NUMBER .. ", got '1'", function() grid:clear_points(1, 1, "1", 1) end,
    "y2 " .. NUMBER .. ", got inf", function() grid:clear_points(1, 1, 1, HUGE) end,
    "x1 " .. NUMBER .. ", got a table", function() grid:clear_points({ 1, 1 }, { 2, 2 }) end,
    "options must be a table, got 5", function() grid:clear_points(1, 1, 2, 2, 5) end,
    "unknown option 'clear' (expected one of: costs, agent, cost, at_least)",
      function() grid:clear_points(1, 1, 2, 2, { clear = walls }) end,
    "costs must be a profile made by wend.costs, got a table",
      function() grid:clear_points(1, 1, 2, 2, { costs = {} }) end,
    "at_least must be a number in 0 .. 1, got 2",
      function() grid:clear_points(1, 1, 2, 2, { cost = print, at_least = 2 }) end,
  }

  it("lets what a function raises come out, with its name", function()
    raises("option 'cost': no mana", grid.clear_points, grid, 0.5, 0.5, 2.5, 0.5, { cost = function()
      error("no mana", 0)
    end })
    raises("option 'cost': wanted a number >= 0, false or nil, got -1", grid.clear_points, grid, 0.5, 0.5, 2.5, 0.5,
      { cost = function() return -1 end })
    assert.equal(true, grid:clear_points(0.5, 0.5, 2.5, 0.5))
    grid:set(1, 1, false)
  end)

  it("refuses a change of the grid by its own function", function()
    local refused = 0
    grid:clear_points(0.5, 0.5, 2.5, 0.5, { cost = function()
      if not pcall(grid.set, grid, 2, 1, false) then refused = refused + 1 end
    end })
    assert.truthy(refused > 0)
    assert.equal(1, (grid:get(2, 1)))
  end)
end)

describe("graph:nearest and graph:nearest_edge", function()
  for _, name in ipairs { "nearest", "nearest_edge" } do
    local function ask(...) return g[name](g, ...) end
    local function ask_high(...) return high[name](high, ...) end
    all {
      "position " .. PLACE .. ", got 'a'", function() ask("a", 1) end,
      "x " .. COORDINATE .. ", got nil", function() ask() end,
      "position " .. PLACE .. ", got true", function() ask(true) end,
      "position must be a position...", function() ask_high("1", 2, 3) end,
      "y " .. COORDINATE .. ", got nil", function() ask(1) end,
      "y " .. COORDINATE .. ", got nan", function() ask(1, NAN) end,
      "x " .. COORDINATE .. ", got inf", function() ask(HUGE, 1) end,
      "y " .. COORDINATE .. ", got -1e+151", function() ask(1, -1e151) end,
      "y " .. COORDINATE .. ", got a table", function() ask(1, {}) end,
      "z " .. COORDINATE .. ", got nil", function() ask_high(1, 2) end,
      "z " .. COORDINATE .. ", got a table", function() ask_high(1, 2, { max_distance = 1 }) end,
      "z " .. COORDINATE .. ", got nan", function() ask_high(1, 2, NAN) end,
      "position.x " .. COORDINATE .. ", got nil", function() ask {} end,
      "position.x " .. COORDINATE .. ", got nil", function() ask { y = 1 } end,
      "position[2] " .. COORDINATE .. ", got nil", function() ask { 1 } end,
      "position.y " .. COORDINATE .. ", got nan", function() ask { x = 1, y = NAN } end,
      "position.x " .. COORDINATE .. ", got '1'", function() ask { x = "1", y = 1 } end,
      "position[3] " .. COORDINATE .. ", got nil", function() ask_high { 1, 2 } end,
      "position.z " .. COORDINATE .. ", got inf", function() ask_high { x = 1, y = 2, z = HUGE } end,
      "options must be a table, got 5", function() ask(1, 2, 5) end,
      "options must be a table, got 5", function() ask({ 1, 2 }, 5) end,
      "options must be a table, got a wend.Walls", function() ask(1, 2, walls) end,
      "unknown option 'radius' (expected one of: ...", function() ask(1, 2, { radius = 5 }) end,
      "unknown option 1 (expected one of: ...", function() ask(1, 2, { 5 }) end,
      "max_distance must be a number >= 0, got -1", function() ask(1, 2, { max_distance = -1 }) end,
      "max_distance must be a number >= 0, got nan", function() ask(1, 2, { max_distance = NAN }) end,
      "max_distance must be a number >= 0, got '1'", function() ask(1, 2, { max_distance = "1" }) end,
      "max_distance must be a number >= 0, got false", function() ask(1, 2, { max_distance = false }) end,
      "can_reach: there is no node 9", function() ask(1, 2, { can_reach = 9 }) end,
      "can_reach: there is no node named 'moat'", function() ask(1, 2, { can_reach = "moat" }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = true }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = {} }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = g }) end,
      "can_reach...", function() ask(1, 2, { can_reach = { 1, 99 } }) end,
      "can_reach...", function() ask(1, 2, { can_reach = { 1, "moat" } }) end,
      "can_reach...", function() ask(1, 2, { can_reach = { 1, {} } }) end,
      "reachable_from: there is no node 0", function() ask(1, 2, { reachable_from = 0 }) end,
      "reachable_from must be...", function() ask(1, 2, { reachable_from = {} }) end,
      "reachable_from must be...", function() ask(1, 2, { reachable_from = print }) end,
      "reachable_from...", function() ask(1, 2, { reachable_from = { "moat" } }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = g:field(1, { outward = true }) }) end,
      "reachable_from must be...", function() ask(1, 2, { reachable_from = g:field(1) }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = grid:field(1, 1) }) end,
      "can_reach must be...", function() ask(1, 2, { can_reach = high:field(1) }) end,
      CLEAR .. ", got 5", function() ask(1, 2, { clear = 5 }) end,
      CLEAR .. ", got true", function() ask(1, 2, { clear = true }) end,
      CLEAR .. ", got false", function() ask(1, 2, { clear = false }) end,
      CLEAR .. ", got a table", function() ask(1, 2, { clear = {} }) end,
      CLEAR .. ", got a table", function() ask(1, 2, { clear = { clear = true } }) end,
      CLEAR .. ", got a wend.Graph", function() ask(1, 2, { clear = g }) end,
      CLEAR .. ", got 'walls'", function() ask(1, 2, { clear = "walls" }) end,
      "costs must be a profile made by wend.costs, got a table",
        function() ask(1, 2, { can_reach = 1, costs = {} }) end,
      "cost must be a function, got 1", function() ask(1, 2, { can_reach = 1, cost = 1 }) end,
      "at_least must be a number in 0 .. 1, got 7",
        function() ask(1, 2, { can_reach = 1, cost = print, at_least = 7 }) end,
    }
  end

  all {
    "k must be a whole number >= 1, got 0", function() g:nearest(1, 2, { k = 0 }) end,
    "k must be a whole number >= 1, got -1", function() g:nearest(1, 2, { k = -1 }) end,
    "k must be a whole number >= 1, got 1.5", function() g:nearest(1, 2, { k = 1.5 }) end,
    "k must be a whole number >= 1, got nan", function() g:nearest(1, 2, { k = NAN }) end,
    "k must be a whole number >= 1, got inf", function() g:nearest(1, 2, { k = HUGE }) end,
    "k must be a whole number >= 1, got '2'", function() g:nearest(1, 2, { k = "2" }) end,
    "k must be a whole number >= 1, got true", function() g:nearest(1, 2, { k = true }) end,
    "unknown option 'k' (expected one of: ...", function() g:nearest_edge(1, 2, { k = 2 }) end,
  }

  it("list the options there are", function()
    local _, message = pcall(g.nearest, g, 1, 2, { near = 1 })
    for _, name in ipairs { "max_distance", "k", "can_reach", "reachable_from", "clear", "costs", "agent", "cost",
      "at_least" } do
      assert.truthy(message:find("[ (]" .. name .. "[,)]"), name)
    end
  end)

  it("take a k that is larger than all there is", function()
    for _, k in ipairs { 4, 1e6, 2 ^ 31, 2 ^ 32 + 1, 2 ^ 53 } do
      assert.same({ { 1, 2, 3 }, { 0, 10, 20 } }, { g:nearest(0, 0, { k = k }) })
      assert.same({ { 1, 2, 3 }, { 0, 10, 20 } },
        { g:nearest(0, 0, { k = k, clear = function() return true end }) })
    end
  end)

  it("take a field that the graph has changed under", function()
    local field = g:field "A"
    local new = g:add_node(15, 0)
    g:add_edge(new, "B")
    assert.equal(true, field:stale())
    assert.same({ 2, 5 }, { g:nearest(15, 0, { can_reach = field }) })
    g:remove_node "C"
    local near = g:nearest(15, 0, { can_reach = field })
    assert.truthy(near == 2)
    assert.truthy(pcall(g.nearest_edge, g, 15, 0, { can_reach = field }))
    field:scale(-1.2)
    assert.truthy(pcall(g.nearest, g, 15, 0, { can_reach = field }))
  end)

  it("let what a rule raises come out, with its name", function()
    raises("option 'cost': no mana", g.nearest, g, 1, 1, { can_reach = "C", cost = function() error("no mana", 0) end })
    local costs = wend.costs():edge_rule("mod", function() error("no mana", 0) end)
    raises("rule 'mod': no mana", g.nearest_edge, g, 1, 1, { reachable_from = "C", costs = costs })
    g:close "A"
  end)
end)

-- The calls that a function `clear` may be in: by name, the call, the positions being the same all the time; and
-- whether the graph may be changed meanwhile.
local WAYS = {
  ["graph:nearest"] = function(fn) return g:nearest(1, 1, { clear = fn }) end,
  ["graph:nearest with k"] = function(fn) return g:nearest(1, 1, { clear = fn, k = 3, can_reach = "A" }) end,
  ["graph:nearest_edge"] = function(fn) return g:nearest_edge(1, 1, { clear = fn }) end,
  ["graph:route"] = function(fn) return g:route({ 1, 1 }, { 19, 1 }, { clear = fn }) end,
  ["graph:route by edges"] = function(fn) return g:route({ 1, 1 }, { 19, 1 }, { clear = fn, enter = "edge" }) end,
  ["path:points"] = function(fn) return path:points { jitter = 1, seed = 1, clear = fn } end,
}

for name, go in pairs(WAYS) do
  describe("a function clear in " .. name, function()
    it("may raise, and that comes out", function()
      local ok, message = pcall(go, function() error("no mana", 0) end)
      assert.equal(false, ok)
      assert.truthy(tostring(message):find "no mana$", message)
      local value = setmetatable({}, { __tostring = function() return "mine" end })
      ok, message = pcall(go, function() error(value) end)
      assert.same({ false, true }, { ok, message == value })
      g:add_edge("A", "C", { weight = 50 }) -- and all is as before
      assert.truthy(go(function() return true end))
    end)

    it("may raise in a method, too", function()
      local ok, message = pcall(go, { clear = function() error("no mana", 0) end })
      assert.equal(false, ok)
      assert.truthy(tostring(message):find "no mana$", message)
      ok = pcall(go, setmetatable({}, { __index = function() error("strict", 0) end }))
      assert.equal(false, ok)
    end)

    it("may answer anything: all but nil and false is free", function()
      local free, blocked = go(function() return true end), go(function() return false end)
      for _, answer in ipairs { 1, 0, "", "no", {}, print, NAN } do
        assert.same(free, (go(function() return answer end)))
      end
      assert.same(blocked, (go(function() end)))
      assert.same(blocked, (go(function() return nil end)))
    end)

    it("may not yield", function()
      local message
      local thread = coroutine.create(function()
        local ok
        ok, message = pcall(go, function() coroutine.yield(1) end)
        assert(not ok, "it did not raise")
      end)
      assert(coroutine.resume(thread))
      assert.equal("dead", coroutine.status(thread))
      assert.truthy(tostring(message):find("yield", 1, true), message)
    end)

    it("may ask and search the same graph itself", function()
      local plain = go(function() return true end)
      local depth = 0
      assert.same(plain, (go(function()
        if depth < 3 then
          depth = depth + 1
          assert.same({ 1, 0 }, { g:nearest(0, 0) })
          assert.same({ 1, 0 }, { g:nearest(0, 0, { can_reach = "C", clear = function() return true end }) })
          assert.equal(1, (g:nearest_edge(3, 3)))
          assert.equal(20, g:path("A", "C").cost)
          assert.truthy(g:route({ 1, 1 }, { 19, 1 }, { enter = "edge" }))
          assert.same(plain, (go(function() return true end)))
          g:field "B"
          path:points { jitter = 1, seed = 1 }
          depth = depth - 1
        end
        return true
      end)))
    end)

    it("may go deep into itself, and raises without end", function()
      local depth = 0
      local function dive()
        depth = depth + 1
        if depth < 15 then go(dive) end
        return true
      end
      assert.truthy(go(dive))
      local function forever() return go(forever) end
      local ok, message = pcall(forever)
      assert.equal(false, ok)
      assert.equal("string", type(message))
      assert.equal(20, g:path("A", "C").cost)
      g:close "B"
    end)

    it("may collect garbage, and throw away what it belongs to", function()
      local plain = go(function() return true end)
      assert.same(plain, (go(function() collectgarbage() return true end)))
      local mine = { clear = function(self)
        self.clear = nil
        collectgarbage()
        return true
      end }
      pcall(go, mine)
    end)

    it("sees the graph as it was, whatever it does to it, or is refused", function()
      for what, edit in pairs {
        add_node = function() g:add_node(1, 1) end,
        add_nodes = function()
          local list = {}
          for i = 1, 200 do list[i] = i % 7 end
          g:add_nodes(list)
        end,
        add_edge = function() g:add_edge("A", "C", { weight = 1 }) end,
        remove_node = function() if g:has "B" then g:remove_node "B" end end,
        remove_all = function()
          for n in g:nodes() do g:remove_node(n) end
        end,
        remove_edge = function() if g:has_edge(1) then g:remove_edge(1) end end,
        close = function() g:close "A" end,
        move = function() g:move("C", 1, 1) end,
        move_back = function() g:move("C", 500, 500) end,
      } do
        g = draw({ "A B C D", "A-B", "B-C swamp", "C-D 1" }, { A = { 0, 0 }, B = { 10, 0 }, C = { 20, 0 } })
        path = assert(g:path("A", "C"))
        local refused, asked = 0, 0
        local ok, message = pcall(go, function()
          asked = asked + 1
          local done, problem = pcall(edit)
          if not done then
            refused = refused + 1
            assert.truthy(problem:find("the graph is being searched: change it when the search is over", 1, true)
              or problem:find("no node", 1, true), problem)
          end
          return asked > 2
        end)
        -- it may not find any more what it looked for, but it may not break
        assert.truthy(ok or type(message) == "string", what)
        if name:find "route" then assert.equal(asked, refused, what) end
        local id = g:add_node(1000, 1000) -- the graph is well, and open to changes
        assert.same({ id, 0 }, { g:nearest(1000, 1000) })
        g:add_edge(id, id, { weight = 1 })
        assert.equal(0, select(4, g:nearest_edge(1000, 1000)))
      end
    end)

    it("may change another graph, and walls", function()
      local other = wend.graph()
      assert.truthy(go(function()
        other:add_node(1, 1)
        other:nearest(0, 0)
        walls:add_segment(100, 100, 200, 200)
        return walls:clear(0, 0, 1, 1)
      end))
    end)
  end)
end

describe("a clear that removes nodes", function()
  it("raises in nearest, nearest_edge, link and path:points", function()
    g = wend.graph()
    for i = 1, 40 do g:add_node(i * 10, 0) end
    for i = 1, 39 do g:add_edge(i, i + 1) end
    local way = g:path(1, 40)
    local function clear(_, _, x)
      g:remove_node(math.min(40, math.max(1, math.floor(x / 10 + 0.5))))
      return true
    end
    local message = "the graph is being searched: change it when the search is over"
    for _, k in ipairs { false, 1, 3, 20 } do
      raises(message, g.nearest, g, 1, 0, { k = k or nil, clear = clear })
      raises(message, g.nearest_edge, g, 1, 0, { clear = clear })
    end
    raises(message, g.link, g, { clear = clear })
    raises(message, way.points, way, { jitter = 3, seed = 1, clear = clear })
    assert.same({ 40, 39 }, { g:node_count(), g:edge_count() })
    g:remove_node(40)
    assert.equal(39, g:node_count())
  end)
end)

describe("a finalizer that adds walls", function()
  local function bury(fn)
    if _VERSION == "Lua 5.1" then
      local proxy = newproxy(true) -- luacheck: globals newproxy
      getmetatable(proxy).__gc = fn
    else
      setmetatable({}, { __gc = fn })
    end
  end

  it("does no harm to walls:each, walls:clear and graph:nearest", function()
    local many = wend.walls()
    for i = 1, 50 do many:add_polygon { i, 0, i + 1, 0, i, 1 } end
    local added = 0
    local function add()
      local points = {}
      for i = 1, 200 do points[i] = 500 + i * i % 97 end
      many:add_polygon(points)
      added = added + 1
    end
    local at = 0
    for kind, numbers in many:each() do
      at = at + 1
      if at <= 50 then assert.same({ "polygon", { at, 0, at + 1, 0, at, 1 } }, { kind, numbers }) end
      if at == 60 then break end
      bury(add)
      collectgarbage "step"
    end
    for i = 1, 30 do
      bury(add)
      assert.equal(false, many:clear(i, -1, i, 5))
      collectgarbage "step"
      assert.same({ 1, 1 }, { g:nearest(0, -1, { clear = many }) })
      assert.same({ {}, {} }, { g:nearest(3.1, 0.1, { clear = many, k = 3 }) })
    end
    collectgarbage()
    collectgarbage()
    assert.truthy(added > 0)
  end)
end)

describe("a field that clear fills anew", function()
  it("does not break graph:nearest", function()
    local flat = {}
    for i = 1, 400 do flat[i] = i end
    g:add_nodes(flat)
    local field = g:field "A"
    local small = draw { "A B", "A-B 1" }
    pcall(g.nearest, g, 1, 1, { can_reach = field, k = 100, clear = function()
      small:field(1, { into = field })
      collectgarbage()
      return true
    end })
    pcall(g.nearest_edge, g, 1, 1, { can_reach = g:field "A", clear = function()
      grid:field(1, 1, { into = field })
      collectgarbage()
    end })
    assert.same({ 1, 0 }, { g:nearest(0, 0) })
  end)
end)

describe("graph:route", function()
  all {
    "from must be...", function() g:route() end,
    "to must be...", function() g:route("A") end,
    "from must be...", function() g:route(true, "A") end,
    "from: there is no node 9", function() g:route(9, "A") end,
    "to: there is no node named 'moat'", function() g:route("A", "moat") end,
    "from...", function() g:route({}, "A") end,
    "from...", function() g:route({ y = 1 }, "A") end,
    "from...", function() g:route({ NAN, 1 }, "A") end,
    "to...", function() g:route("A", { 1 }) end,
    "to...", function() g:route("A", { x = 1, y = HUGE }) end,
    "to...", function() g:route("A", { x = "1", y = 1 }) end,
    "to...", function() high:route(1, { 1, 2 }) end,
    "from...", function() high:route({ 1, 2, NAN }, 1) end,
    "from...", function() g:route(g, "A") end,
    "from...", function() g:route("D", "A") end, -- it is nowhere
    "to...", function() g:route("A", "D") end,
    "options must be a table, got 5", function() g:route("A", "B", 5) end,
    "unknown option 'k' (expected one of: ...", function() g:route("A", "B", { k = 1 }) end,
    "unknown option 1 (expected one of: ...", function() g:route("A", "B", { 1 }) end,
    "max_distance must be a number >= 0, got -1", function() g:route("A", "B", { max_distance = -1 }) end,
    "max_distance must be a number >= 0, got nan", function() g:route("A", "B", { max_distance = NAN }) end,
    "enter must be one of: node, edge, got 'door'", function() g:route("A", "B", { enter = "door" }) end,
    "enter must be one of: node, edge, got true", function() g:route("A", "B", { enter = true }) end,
    CLEAR .. ", got 5", function() g:route("A", "B", { clear = 5 }) end,
    CLEAR .. ", got a table", function() g:route("A", "B", { clear = {} }) end,
    "jitter must be a number in 0 .. 1e+150, got -1", function() g:route("A", "B", { jitter = -1, seed = 1 }) end,
    "jitter needs a seed: the points depend on it", function() g:route("A", "B", { jitter = 1 }) end,
    "variation needs a seed: the path depends on it", function() g:route("A", "B", { variation = 1 }) end,
    "variation " .. FINITE .. ", got nan",
      function() g:route("A", "B", { variation = NAN, seed = 1 }) end,
    "seed must be a finite number, got '1'", function() g:route("A", "B", { variation = 1, seed = "1" }) end,
    "costs must be a profile made by wend.costs, got a table", function() g:route("A", "B", { costs = {} }) end,
    "cost must be a function, got 1", function() g:route("A", "B", { cost = 1 }) end,
    "max_cost " .. "must be...", function() g:route("A", "B", { max_cost = -1 }) end,
    "max_expanded must be...", function() g:route("A", "B", { max_expanded = -1 }) end,
    "partial must be true or false, got 1", function() g:route("A", "B", { partial = 1 }) end,
    "into must be a table, got 1", function() g:route("A", "B", { into = 1 }) end,
    "stats must be a table, got 1", function() g:route("A", "B", { stats = 1 }) end,
  }

  it("leaves into and stats as they were where it raises", function()
    local into, stats = { 7, colour = "red" }, { a = 1 }
    assert.error(function() g:route("A", 99, { into = into, stats = stats }) end)
    assert.error(function() g:route("A", "C", { into = into, stats = stats, max_distance = -1 }) end)
    assert.same({ { 7, colour = "red" }, { a = 1 } }, { into, stats })
  end)

  it("lets what a rule raises come out, with its name", function()
    raises("option 'cost': no mana", g.route, g, "A", "C", { cost = function() error("no mana", 0) end })
    raises("option 'cost': wanted a number >= 0, false or nil, got -1", g.route, g, "A", "C",
      { cost = function() return -1 end, enter = "edge" })
    g:close "A"
  end)

  it("says in the message from where to where", function()
    local route, message, code = g:route({ 1, 1 }, { 2, 2 }, { max_distance = 0.5 })
    assert.same({ "nil", "string", "no_path" }, { type(route), type(message), code })
    assert.truthy(message:find "%(1[^%d]" and message:find "2", message)
  end)
end)

describe("variation", function()
  local function ask(opts) return g:path("A", "C", opts) end
  all {
    "variation needs a seed: the path depends on it", function() ask { variation = 0.2 } end,
    "variation needs a seed: the path depends on it", function() ask { variation = 0 } end,
    "variation " .. FINITE .. ", got -0.1", function() ask { variation = -0.1, seed = 1 } end,
    "variation " .. FINITE .. ", got nan", function() ask { variation = NAN, seed = 1 } end,
    "variation " .. FINITE .. ", got inf", function() ask { variation = HUGE, seed = 1 } end,
    "variation " .. FINITE .. ", got '0.2'", function() ask { variation = "0.2", seed = 1 } end,
    "variation " .. FINITE .. ", got true", function() ask { variation = true, seed = 1 } end,
    "seed must be a finite number, got nan", function() ask { variation = 0.2, seed = NAN } end,
    "seed must be a finite number, got inf", function() ask { variation = 0.2, seed = HUGE } end,
    "seed must be a finite number, got 'a'", function() ask { variation = 0.2, seed = "a" } end,
    "seed must be a finite number, got true", function() ask { variation = 0.2, seed = true } end,
    "variation needs a seed: the path depends on it", function() g:search("A", "C", { variation = 0.2 }) end,
    "variation " .. FINITE .. ", got -1",
      function() g:search("A", "C", { variation = -1, seed = 1 }) end,
    "variation needs a seed: the path depends on it", function() grid:path(1, 1, 7, 3, { variation = 0.2 }) end,
    "variation " .. FINITE .. ", got nan",
      function() grid:path(1, 1, 7, 3, { variation = NAN, seed = 1 }) end,
    "seed must be a finite number, got nan", function() grid:search(1, 1, 7, 3, { variation = 1, seed = NAN }) end,
    "unknown option 'variation' (expected one of: ...", function() g:field("A", { variation = 1 }) end,
  }

  it("lets a seed alone be", function()
    assert.equal(20, ask({ seed = 5 }).cost)
    assert.equal(nil, (select(2, pcall(ask, { seed = 5 }))).partial)
  end)
end)

describe("path:points", function()
  all {
    "options must be a table, got 3", function() path:points(3) end,
    "unknown option 'jiter' (expected one of: jitter, seed, clear)", function() path:points { jiter = 1 } end,
    "jitter needs a seed: the points depend on it", function() path:points { jitter = 1 } end,
    "jitter needs a seed: the points depend on it", function() path:points { jitter = 0 } end,
    "jitter must be a number in 0 .. 1e+150, got -1", function() path:points { jitter = -1, seed = 1 } end,
    "jitter must be a number in 0 .. 1e+150, got nan", function() path:points { jitter = NAN, seed = 1 } end,
    "jitter must be a number in 0 .. 1e+150, got inf", function() path:points { jitter = HUGE, seed = 1 } end,
    "jitter must be a number in 0 .. 1e+150, got '1'", function() path:points { jitter = "1", seed = 1 } end,
    "jitter must be a number in 0 .. 1e+150, got true", function() path:points { jitter = true, seed = 1 } end,
    "seed must be a finite number, got nan", function() path:points { jitter = 1, seed = NAN } end,
    "seed must be a finite number, got inf", function() path:points { jitter = 1, seed = HUGE } end,
    "seed must be a finite number, got 'a'", function() path:points { jitter = 1, seed = "a" } end,
    CLEAR .. ", got 5", function() path:points { jitter = 1, seed = 1, clear = 5 } end,
    CLEAR .. ", got a table", function() path:points { jitter = 1, seed = 1, clear = {} } end,
    CLEAR .. ", got a wend.Graph", function() path:points { jitter = 1, seed = 1, clear = g } end,
    "node 4 has no position...", function() g:set_name("D", nil):path("A", 4):points { jitter = 1, seed = 1 } end,
    "path[2]: there is no node 2", function() g:remove_node(2) path:points { jitter = 1, seed = 1 } end,
    CLEAR .. ", got 5", function() grid:path(1, 1, 2, 2):points { jitter = 1, seed = 1, clear = 5 } end,
    "jitter needs a seed: the points depend on it", function() grid:path(1, 1, 2, 2):points { jitter = 1 } end,
  }

  it("survives a path that clear takes apart", function()
    for _, wreck in ipairs {
      function() path[2] = nil end,
      function() path[2] = 99 end,
      function() path[3] = "moat" end,
      function() for i = 1, 50 do path[i] = 1 end end,
      function() for i = #path, 1, -1 do path[i] = nil end end,
      function() path.map = grid end,
      function() path.map, path.trail = nil, nil end,
      function() g:path("A", "A", { into = path }) end,
      function() g:path("A", "C", { into = path, max_cost = 0 }) end,
      function() grid:path(1, 1, 7, 3, { into = path }) end,
    } do
      path = assert(g:path("A", "C"))
      pcall(path.points, path, { jitter = 1, seed = 1, clear = function()
        wreck()
        collectgarbage()
        return true
      end })
    end
    assert.equal(20, g:path("A", "C").cost)
  end)
end)
