-- SPDX-License-Identifier: MIT
-- What all errors have in common: a method knows its own kind, a message blames the caller's line, and a call that
-- raises changes nothing. What each method refuses is in the file of its object, under Errors.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises
local LONG = ("x"):rep(50)

local g, costs, path, search, nodes, grid, field, walls

before_each(function()
  g = wend.graph()
  g:add_node(0, 0, { name = "gate" })
  g:add_node(3, 4, { name = "keep" })
  g:add_edge(1, 2)
  costs = wend.costs { road = 0.5 }
  path = assert(g:path(1, 2))
  search = g:search(1, 2)
  nodes = g:field(1)
  grid = wend.grid(7, 3)
  field = grid:field(1, 1)
  walls = wend.walls()
  walls:add_segment(5, -5, 5, 5)
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
    for _, method in pairs { search.step, search.result } do
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

  local function grid_others()
    return { { nil, "nil" }, { 7, "7" }, { {}, "a table" }, { g, "a wend.Graph" }, { search, "a wend.Search" } }
  end

  it("raises: grids", function()
    local count = 0
    for _, method in pairs(helper.methods(grid)) do
      count = count + 1
      local list = grid_others()
      list[#list + 1] = { field, "a wend.Field" }
      for _, other in pairs(list) do
        raises("self must be a grid (call it with a colon: grid:method()), got " .. other[2], method, other[1], 1, 1)
      end
      raises("self must be a grid (call it with a colon: grid:method()), got nil", method)
    end
    assert.truthy(count >= 16)
  end)

  it("raises: fields", function()
    local count = 0
    for _, method in pairs(helper.methods(field)) do
      count = count + 1
      local list = grid_others()
      list[#list + 1] = { grid, "a wend.Grid" }
      for _, other in pairs(list) do
        raises("self must be a field (call it with a colon: field:method()), got " .. other[2], method, other[1], 1, 1)
      end
    end
    assert.truthy(count >= 9)
  end)

  it("raises: a graph's method on a grid", function()
    raises("self must be a graph (call it with a colon: graph:method()), got a wend.Grid", g.path, grid, 1, 2)
    raises("self must be a graph (call it with a colon: graph:method()), got a wend.Field", g.close, field, 1)
  end)
end)

describe("a method of walls that is not called on walls", function()
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

describe("an error", function()
  for what, fn in pairs {
    ["wend.graph"] = function() wend.graph { dimension = 3 } end,
    ["a graph's method"] = function() g:add_node("x", 1) end,
    ["graph:path"] = function() local _, _ = g:path(1, 99), 1 end,
    ["search:step"] = function() search:step(0) end,
    ["a path's method"] = function() path:explain { cots = 1 } end,
    ["wend.costs"] = function() local _, _ = wend.costs { mud = -1 }, 1 end,
    ["a profile's method"] = function() costs:rule("rain", "mud", 1) end,
    ["an assignment to a profile"] = function() costs.swamp = 1 end,
    ["wend.grid"] = function() wend.grid(7, 3, { diagonal = 1 }) end,
    ["wend.parse_grid"] = function() local _, _ = wend.parse_grid "?", 1 end,
    ["a grid's method"] = function() grid:set(8, 1, 1) end,
    ["grid:map"] = function() grid:map(function() return -1 end) end,
    ["grid:path"] = function() local _, _ = grid:path(1, 1, 8, 1), 1 end,
    ["grid:field"] = function() local _, _ = grid:field(8, 1), 1 end,
    ["grid:straighten"] = function() local _, _ = grid:straighten(7), 1 end,
    ["a field's method"] = function() field:scale "a" end,
  } do
    it("blames the caller's line: " .. what, function()
      local _, message = pcall(fn)
      assert.truthy(message:match "^%S*error_spec%.lua:%d+: ", message)
    end)
  end

  it("quotes long strings in part", function()
    raises(("algorithm must be one of: astar, dijkstra, got '%s...'"):format(LONG:sub(1, 40)), g.path, g, 1, 2,
      { algorithm = LONG })
    raises(("fn must be a function, got '%s...'"):format(LONG:sub(1, 40)), costs.rule, costs, "a", "b", LONG)
  end)

  it("leaves into and stats as they were", function()
    local into, stats = { 7, colour = "red" }, { a = 1 }
    helper.raises("to: there is no node 99", function() g:path(1, 99, { into = into, stats = stats }) end)
    helper.raises("max_cost must be a number >= 0, got -1",
      function() g:path(1, 2, { into = into, stats = stats, max_cost = -1 }) end)
    assert.same({ { 7, colour = "red" }, { a = 1 } }, { into, stats })
  end)

  it("leaves grid, field, into and stats as they were", function()
    local into, stats = { 7, colour = "red" }, { a = 1 }
    helper.raises("x2 must be a whole number in 1 .. 7, got 8",
      function() grid:path(1, 1, 8, 1, { into = into, stats = stats }) end)
    helper.raises("max_cost must be a number >= 0, got -1",
      function() grid:path(1, 1, 7, 1, { into = into, stats = stats, max_cost = -1 }) end)
    helper.raises("window must be a whole number >= 1, got 0",
      function() grid:field(1, 1, { into = field, stats = stats, window = 0 }) end)
    helper.raises("other must be a field of the same grid", function() field:add(nodes) end)
    helper.raises("y2 must be a whole number in 1 .. 3, got 4", function() grid:fill(1, 1, 7, 4, false) end)
    assert.same({ { 7, colour = "red" }, { a = 1 }, 6 }, { into, stats, field:cost(7, 1) })
    assert.equal(".......\n.......\n.......", grid:text())
  end)
end)
