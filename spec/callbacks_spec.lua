-- SPDX-License-Identifier: MIT
-- Functions of the script inside a search, however they behave.
local collector = require "spec.support.collector"
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local show, draw = reference.show, reference.draw

local function level() return draw { "A B C D", "A-B 1 road", "B-C 2 road", "C-D 3 mud", "A-D 50" } end

-- A graph whose next question inserts an edge, and thereby wastes so many arcs that the graph is packed: 15 nodes
-- were removed, each with room for 4 arcs, and node 16 has no room for its fifth edge. Waste of 64 arcs is the limit.
-- The nodes in use are 16 .. 23.
local function worn()
  local g = wend.graph()
  for i = 1, 15 do g:add_node(i, 50) end
  for i = 1, 15 do g:add_edge(i, i % 15 + 1) end
  g:add_node(90, 10)
  for i = 1, 7 do g:add_node(i * 37 % 80, 10 * i) end
  for i = 1, 3 do g:add_edge(16, 16 + i, { weight = i * i }) end
  for i = 16, 21 do g:add_edge(i + 1, i + 2, { weight = 3 }) end
  g:add_edge(16, 17, { weight = 3 })
  for i = 1, 15 do g:remove_node(i) end
  g:add_edge(16, 18, { weight = 50 })
  return g
end

-- A heuristic that must answer a number: nothing counts as 0.
local function number_of(fn)
  return function(...)
    local answer = fn(...)
    if answer == nil then return 0 end
    return answer
  end
end

-- Every way in which a script's function comes into a search: how messages call it, and a call with it that gives
-- something to compare.
local function by_path(options)
  return function(g, fn) return show(g:path("A", "D", options(fn))) end
end
local GRAPH_WAYS = {
  ["a tag's function"] = { "tag 'road'", by_path(function(fn) return { costs = wend.costs { road = fn } } end) },
  ["the default of a profile"] = { "default",
    by_path(function(fn) return { costs = wend.costs({}, { default = fn }) } end) },
  ["a tag rule"] = { "rule 'mod'", by_path(function(fn) return { costs = wend.costs():rule("mod", "mud", fn) } end) },
  ["an edge rule"] = { "rule 'mod'", by_path(function(fn) return { costs = wend.costs():edge_rule("mod", fn) } end) },
  ["the option cost"] = { "option 'cost'", by_path(function(fn) return { cost = fn } end) },
  ["the option heuristic"] = { "option 'heuristic'", by_path(function(fn) return { heuristic = number_of(fn) } end) },
  ["a function of a search in slices"] = { "option 'cost'", function(g, fn)
    local search = g:search("A", "D", { cost = fn })
    while search:step(1) == "running" do end
    return show(search:result())
  end },
  ["a function of path:explain"] = { "option 'cost'", function(g, fn)
    local path = assert(g:path("A", "D"))
    path:explain { cost = fn }
    return show(path)
  end },
  ["a function of graph:explain"] = { "option 'cost'", function(g, fn)
    return g:explain({ "A", "B" }, { cost = fn }).cost
  end },
  ["a function of graph:check"] = { "option 'cost'", function(g, fn) return #g:check({ cost = fn }).components end },
  ["a function of graph:chokepoints"] = { "option 'cost'", function(g, fn) return #g:chokepoints { cost = fn } end },
  ["a function of graph:routes"] = { "option 'cost'", function(g, fn)
    return g:routes({ cost = fn }):cost("A", "D")
  end },
  ["a function of graph:why_not"] = { "option 'cost'", function(g, fn)
    return tostring(g:why_not("A", "D", { cost = fn }))
  end },
}

-- Frees a map, as only a script with the debug library can.
local function free(map) debug.getmetatable(map).__gc(map) end

local function grid_level()
  return wend.parse_grid({ "..~.", ".#~.", "...." }, { ["~"] = "swamp" }):link(1, 1, 1, 3, { weight = 90 })
end

local GRID_WAYS = {
  ["a tag's function"] = { "tag 'swamp'", function(map, fn)
    return grid_reference.show(map:path(1, 1, 4, 3, { costs = wend.costs { swamp = fn } }))
  end },
  ["a tag rule"] = { "rule 'mod'", function(map, fn)
    return grid_reference.show(map:path(1, 1, 4, 3, { costs = wend.costs():rule("mod", "swamp", fn) }))
  end },
  ["an edge rule"] = { "rule 'mod'", function(map, fn)
    return grid_reference.show(map:path(1, 1, 4, 3, { costs = wend.costs():edge_rule("mod", fn) }))
  end },
  ["the option cost"] = { "option 'cost'", function(map, fn)
    return grid_reference.show(map:path(1, 1, 4, 3, { cost = fn }))
  end },
  ["the option heuristic"] = { "option 'heuristic'", function(map, fn)
    return grid_reference.show(map:path(1, 1, 4, 3, { heuristic = number_of(fn) }))
  end },
  ["a function of a search in slices"] = { "option 'cost'", function(map, fn)
    return grid_reference.show(grid_reference.sliced(map, 1, 1, 1, 4, 3, { cost = fn }))
  end },
  ["a function of a field"] = { "option 'cost'", function(map, fn)
    return map:field(1, 1, { cost = fn }):cost(4, 3)
  end },
  ["a tag's function of a field"] = { "tag 'swamp'", function(map, fn)
    return map:field(1, 1, { costs = wend.costs { swamp = fn } }):cost(4, 3)
  end },
  ["a function of field:relax"] = { "option 'cost'", function(map, fn)
    local asked = false
    local far = map:field(1, 1, { cost = function(...) if asked then return fn(...) end end })
    asked = true
    return far:scale(-1):relax():cost(1, 1)
  end },
  ["a function of path:explain"] = { "option 'cost'", function(map, fn)
    return #map:path(1, 1, 4, 3):explain { cost = fn }
  end },
  ["a function of grid:check"] = { "option 'cost'", function(map, fn)
    return #map:check({ cost = fn }).components
  end },
  ["a tag's function of grid:nearest"] = { "tag 'swamp'", function(map, fn)
    return map:nearest(0.2, 0.4, { costs = wend.costs { swamp = fn } })
  end },
  ["a tag's function of grid:random"] = { "tag 'swamp'", function(map, fn)
    return map:random(1, { costs = wend.costs { swamp = fn } })
  end },
  ["a function of grid:clear"] = { "option 'cost'", function(map, fn)
    return map:clear(1, 1, 4, 1, { cost = fn })
  end },
  ["a function of grid:clear_points"] = { "option 'cost'", function(map, fn)
    return map:clear_points(0.5, 0.5, 3.5, 0.5, { cost = fn })
  end },
  ["a function of grid:straighten"] = { "option 'cost'", function(map, fn)
    return grid_reference.show(map:straighten(map:path(1, 1, 4, 3), { cost = fn }))
  end },
}

-- Each kind of map: how it is made, its ways, a question that needs no function, inner questions, and edits.
local MAPS = {
  graph = {
    make = level, ways = GRAPH_WAYS,
    ask = function(g) return show(g:path("A", "D")) end,
    inner = function(g, other)
      local there = "5: 4-3-2 by 3-2"
      assert.equal(there, show(g:path("D", "B")))
      assert.equal(there, show(other:path("D", "B", { cost = function(_, cost)
        assert.equal(there, show(g:path("D", "B")))
        return cost
      end })))
      local seen = 0
      for n in g:nodes() do
        for e in g:edges(n) do seen = seen + g:edge(e).weight end
      end
      assert.equal(112, seen)
    end,
    edit = function(g) g:close "B" end,
    edits = {
      add_node = function(g) g:add_node() end,
      add_nodes = function(g) g:add_nodes { 0, 0 } end,
      add_edge = function(g) g:add_edge("A", "B", { weight = 0 }) end,
      add_edges = function(g) g:add_edges({ 1, 2 }, { weights = { 0 } }) end,
      remove_node = function(g) g:remove_node "B" end,
      remove_edge = function(g) g:remove_edge(1) end,
      close = function(g) g:close "B" end,
      open = function(g) g:open "B" end,
      close_edge = function(g) g:close_edge(1) end,
      open_edge = function(g) g:open_edge(1) end,
      move = function(g) g:move("B", 0, 0) end,
      set_weight = function(g) g:set_weight(1, 70) end,
      set_tag = function(g) g:set_tag(1, "mud") end,
      set_width = function(g) g:set_width(1, 2) end,
      set_node_tag = function(g) g:set_node_tag("B", "mud") end,
      set_name = function(g) g:set_name("B", "Z") end,
      set_radius = function(g) g:set_radius("B", 1) end,
      link = function(g) g:link() end,
      free = free,
    },
  },
  grid = {
    make = grid_level, ways = GRID_WAYS,
    ask = function(map) return grid_reference.show(map:path(1, 1, 4, 3)) end,
    inner = function(map, other)
      local there, away = grid_reference.show(other:path(4, 1, 1, 3)), other:field(4, 1):cost(1, 3)
      assert.equal(there, grid_reference.show(map:path(4, 1, 1, 3)))
      assert.equal(away, map:field(4, 1, { cost = function(_, cost)
        assert.equal(there, grid_reference.show(map:path(4, 1, 1, 3)))
        return cost
      end }):cost(1, 3))
      assert.equal(true, map:clear(1, 1, 4, 1))
      assert.same({ 4, "swamp", other:text() }, { map:width(), (select(2, map:get(3, 1))), map:text() })
    end,
    edit = function(map) map:set(2, 1, false) end,
    edits = {
      set = function(map) map:set(2, 1, false) end,
      fill = function(map) map:fill(7) end,
      rectangle = function(map) map:fill(1, 1, 2, 1, 7) end,
      map = function(map) map:map(function() return 7 end) end,
      assign = function(map) map:assign("\7", { [7] = 7 }, { area = { 2, 1, 2, 1 } }) end,
      wall = function(map) map:wall(1, 1, 2, 1) end,
      link = function(map) map:link(1, 1, 4, 3) end,
      unlink = function(map) map:unlink(1, 1, 1, 3) end,
      close = function(map) map:close(2, 1) end,
      open = function(map) map:open(1, 1, 4, 3) end,
      free = free,
    },
  },
}

local function specify(kind, map_kind, called, go)
  local make = map_kind.make
  local function nothing() end

  it("that raises is named, and the map is as it was", function()
    local map = make()
    local bytes, expected = map:encode(), map_kind.ask(map)
    helper.raises(called .. ": no mana", go, map, function() error("no mana", 0) end)
    assert.equal(expected, map_kind.ask(map))
    assert.equal(bytes, map:encode())
    map_kind.edit(map)
    assert.not_equal(bytes, map:encode())
  end)

  it("that raises keeps its line in the message", function()
    local ok, message = pcall(go, make(), function() error "no mana" end)
    assert.equal(false, ok)
    assert.truthy(message:find(called .. ": ", 1, true), message)
    assert.truthy(message:find "callbacks_spec%.lua:%d+: no mana$", message)
  end)

  it("may raise any value, which is passed on unchanged", function()
    local value = setmetatable({}, { __tostring = function() return "mine" end })
    local ok, problem = pcall(go, make(), function() error(value) end)
    assert.equal(false, ok)
    assert.equal(value, problem)
    ok, problem = pcall(go, make(), function() error(nil) end)
    if _VERSION >= "Lua 5.5" then -- it raises a string instead
      assert.truthy(problem:find "<no error object>$", problem)
    else
      assert.truthy(problem == nil or problem == "nil", problem)
    end
    assert.equal(false, ok)
    ok, problem = pcall(go, make(), function() error(7, 0) end)
    assert.same({ false, 7 }, { ok, problem })
  end)

  it("may not answer nonsense", function()
    local wanted = called == "option 'heuristic'" and "wanted a number >= 0" or "wanted a number >= 0, false or nil"
    for answer, text in pairs {
      [-1] = "-1", [-math.huge] = "-inf", ["7"] = "'7'", [true] = "true", [print] = "a function", [{}] = "a table",
    } do
      helper.raises(("%s: %s, got %s"):format(called, wanted, text), go, make(), function() return answer end)
    end
    for _, nan in ipairs { 0 / 0, -(0 / 0), math.huge - math.huge } do
      helper.raises(("%s: %s, got nan"):format(called, wanted), go, make(), function() return nan end)
    end
  end)

  it("may not yield", function()
    local message = helper.cannot_yield(go, make(), function() coroutine.yield(1) end)
    assert.truthy(message:find(called .. ": ", 1, true), message)
  end)

  it("may run in a coroutine", function()
    local map = make()
    local expected = go(map, nothing)
    assert.equal(expected, coroutine.wrap(function()
      return go(map, function() return coroutine.wrap(function() return nil end)() end)
    end)())
  end)

  it("may read and search the same map and others, and edit others", function()
    local map, other = make(), make()
    local expected = go(map, nothing)
    assert.equal(expected, go(map, function() map_kind.inner(map, other) end))
    local before = other:encode()
    assert.equal(expected, go(map, function() map_kind.edit(other) end))
    assert.not_equal(before, other:encode())
  end)

  it("may not change the map that is searched", function()
    local map = make()
    local before, expected = map:encode(), go(map, nothing)
    for name, edit in pairs(map_kind.edits) do
      local refused = 0
      assert.equal(expected, go(map, function()
        helper.raises(("the %s is being searched: change it when the search is over"):format(kind), edit, map)
        refused = refused + 1
      end), name)
      assert.truthy(refused > 0, name)
      assert.equal(before, map:encode(), name)
    end
  end)

  it("leaves the map open to changes after it raised", function()
    local map = make()
    local before = map:encode()
    pcall(go, map, function() error "no" end)
    pcall(go, map, function() map_kind.edit(map) end)
    assert.equal(before, map:encode())
    map_kind.edit(map)
    assert.not_equal(before, map:encode())
  end)

  it("may collect garbage", function()
    local map = make()
    assert.equal(go(map, nothing), go(map, function() collectgarbage() end))
  end)
end

for kind, map_kind in pairs(MAPS) do
  for what, way in pairs(map_kind.ways) do
    describe(("%s, of a %s,"):format(what, kind), function() specify(kind, map_kind, way[1], way[2]) end)
  end
end

describe("a profile that is changed by one of its own rules", function()
  it("has its effect from the next search on", function()
    local g = draw { "A B C", "A-B 10 mud", "B-C 10 mud" }
    local costs = wend.costs()
    costs:edge_rule("sink", function(_, cost)
      costs:set("mud", 3):edge_rule("more", function(_, c) return c + 1 end):remove "gone"
      return cost
    end)
    assert.equal(20, g:path("A", "C", { costs = costs }).cost)
    assert.equal(62, g:path("A", "C", { costs = costs }).cost)
  end)

  it("may lose the rule that is being asked", function()
    local g = draw { "A B C", "A-B 10 mud", "B-C 10 mud" }
    local costs = wend.costs()
    costs:edge_rule("once", function(_, cost)
      costs:remove "once"
      collectgarbage()
      return cost * 2
    end)
    costs:rule("once", "mud", function(_, factor)
      costs:remove "once"
      collectgarbage()
      return factor * 3
    end)
    local path = assert(g:path("A", "C", { costs = costs }))
    assert.equal(120, path.cost)
    assert.equal(20, g:path("A", "C", { costs = costs }).cost)
  end)

  it("does not disturb its own search in slices", function()
    local g = draw { "A B C D", "A-B 10", "B-C 10", "C-D 10 mud" }
    local costs, factor = wend.costs(), 2
    costs:edge_rule("sink", function() factor = factor + 1 costs:set("mud", factor) end)
    local search = g:search("A", "D", { costs = costs })
    while search:step(1) == "running" do end
    assert.same({ 30, false }, { search:result().cost, search:result():valid() })
  end)
end)

describe("a search inside of a search", function()
  it("may go deep", function()
    local g = level()
    local expected = show(g:path("A", "D"))
    local function dive(depth)
      local asked
      return g:path("A", "D", { cost = function(_, cost)
        if depth > 0 and not asked then
          asked = true
          assert.equal(expected, show(dive(depth - 1)))
        end
        return cost
      end })
    end
    assert.equal(expected, show(dive(20)))
    assert.equal(expected, show(dive(20)))
  end)

  it("without end raises", function()
    local g = level()
    local function dive() return g:path("A", "D", { cost = dive }) end
    local ok, message = pcall(dive)
    assert.equal(false, ok)
    assert.equal("string", type(message))
    assert.equal(6, g:path("A", "D").cost)
    g:close "B"
  end)

  it("may use the same options, the same table and the same profile", function()
    local g = draw { "A B C D", "A-B 1", "B-C 1", "C-D 1" }
    local costs, into, inner = wend.costs(), {}, {}
    local depth = 0
    costs:edge_rule("look ahead", function(_, cost, _, _, to)
      if depth == 0 then
        depth = 1
        inner[to] = assert(g:path(to, "D", { costs = costs, into = into })).cost
        depth = 0
      end
      return cost
    end)
    local path = assert(g:path("A", "D", { costs = costs, into = into }))
    assert.equal(into, path)
    assert.equal("3: 1-2-3-4 by 1-2-3", show(path))
    assert.equal(2, inner[2])
  end)

  it("that raises, raises out of both, with the names of both", function()
    local g = level()
    local costs = wend.costs():edge_rule("inner", function() error("no mana", 0) end)
    local ok, message = pcall(g.path, g, "A", "D", { cost = function() g:path("A", "D", { costs = costs }) end })
    assert.equal(false, ok)
    assert.truthy(message:find "^option 'cost': [^ ]*callbacks_spec%.lua:%d+: rule 'inner': no mana$", message)
  end)

  it("that is caught leaves the outer one alone", function()
    local g = level()
    local path = assert(g:path("A", "D", { cost = function(_, cost)
      assert.equal(false, (pcall(g.path, g, "A", "D", { cost = function() error "no" end })))
      return cost
    end }))
    assert.equal(6, path.cost)
  end)

  it("of a graph keeps it closed to changes until the outer one is over", function()
    local g = level()
    g:path("A", "D", { cost = function()
      g:path("A", "B")
      assert.equal(false, (pcall(g.close, g, "B")))
    end })
    assert.equal(false, g:is_closed "B")
  end)

  it("leaves nodes where the outer one has found them, whatever was edited before", function()
    local expected = show(worn():path(16, 23))
    assert.equal("19: 16-18-19-20-21-22-23 by 17-20-21-22-23-24", expected)
    local function searching(g, inner)
      return function(_, cost)
        inner(g)
        return cost
      end
    end
    for what, inner in pairs {
      path = function(g) assert.equal(6, g:path(19, 21).cost) end,
      edge = function(g) assert.equal(3, g:edge(20).weight) end,
      field = function(g) assert.equal(6, g:field(19):cost(21)) end,
      copy = function(g) assert.equal(11, g:copy():edge_count()) end,
    } do
      local g = worn()
      assert.equal(expected, show(g:path(16, 23, { cost = searching(g, inner) })), what)
      g = worn()
      assert.equal(19, g:field(23, { cost = searching(g, inner) }):cost(16), what)
      g = worn()
      local search = wend.core.start("path", g, 16, 23, { cost = searching(g, inner) })
      while search:step(1) == "running" do inner(g) end
      assert.equal(expected, show(search:result()), what)
    end
  end)
end)

describe("a finalizer", function()
  it("may search while others are searching", function()
    local g = reference.geometric(helper.rng "finalizer", 200, { tags = { "road", "mud" } })
    local costs = wend.costs { road = 0.5 }:edge_rule("same", function(_, cost) return cost end)
    local expected, there = {}, show(g:path(5, 150, { costs = costs }))
    for goal = 1, 200, 4 do expected[goal] = show(g:path(7, goal, { costs = costs })) end
    local finalized, wrong = 0, nil
    local function check()
      finalized = finalized + 1
      local found = show(g:path(5, 150, { costs = costs, into = {}, cost = function() end }))
      if found ~= there then wrong = found end
    end
    for goal = 1, 200, 4 do
      assert.equal(expected[goal], show(g:path(7, goal, { costs = costs, cost = function(_, cost)
        collector.finalized(check)
        local _ = { {}, {}, {} }
        if goal % 20 == 0 then collectgarbage "step" end
        return cost
      end })))
    end
    collectgarbage()
    assert.truthy(finalized > 0)
    assert.equal(nil, wrong)
  end)

  it("may edit between searches, and is refused during one", function()
    local g = level()
    local refused, done = 0, 0
    local function edit()
      if pcall(g.set_weight, g, 1, 1) then done = done + 1 else refused = refused + 1 end
    end
    for _ = 1, 20 do
      assert(g:path("A", "D", { cost = function()
        collector.finalized(edit)
        collectgarbage()
      end }))
    end
    collector.finalized(edit)
    collectgarbage()
    collectgarbage()
    assert.truthy(refused > 0)
    assert.truthy(done > 0)
  end)
end)

describe("a broken promise on a grid", function()
  it("raises, and names the function: in a path, a field, its arithmetic, a line", function()
    local map, honest = wend.grid(3, 1):fill(10), true
    local opts = { at_least = 0.5, cost = function(_, cost) return honest and cost or 4 end }
    local over, far = map:path(1, 1, 3, 1, opts), map:field(1, 1, opts)
    local message = ("option 'cost': returned %s, below its promise of at_least 0.5 times %s"):format(4 / 1, 10 / 1)
    far:scale(-2)
    honest = false
    helper.raises(message, map.path, map, 1, 1, 3, 1, opts)
    helper.raises(message, map.field, map, 1, 1, opts)
    helper.raises(message, far.relax, far)
    helper.raises(message, far.next, far, 1, 1)
    helper.raises(message, over.explain, over, opts)
    helper.raises(message, map.clear, map, 1, 1, 3, 1, opts)
    helper.raises(message, map.straighten, map, over, opts)
    assert.equal(-40, far:cost(3, 1))
  end)
end)
