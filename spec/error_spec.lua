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

-- Each kind: what self must be, its methods, or the names of some, and how many there are at least.
local KINDS = {
  graph = { "a graph (call it with a colon: graph:method())", least = 32 },
  grid = { "a grid (call it with a colon: grid:method())", least = 16 },
  field = { "a field (call it with a colon: field:method())", least = 9 },
  walls = { "walls (call it with a colon: walls:method())", least = 6 },
  search = { "a search (call it with a colon: search:method())", { "step", "result", "bytes" } },
  costs = { "a cost profile (call it with a colon: costs:method())",
    { "set", "get", "rule", "edge_rule", "remove", "rules", "unknown", "mod" } },
  path = { "a path (call it with a colon: path:method())",
    { "each", "edges", "explain", "points", "valid", "compare", "encode" } },
  routes = { "routes (call it with a colon: routes:method())", least = 6 },
  watch = { "a watch (call it with a colon: watch:method())", { "add", "remove", "affected", "count" } },
  preparation = { "a preparation (call it with a colon: preparation:method())", { "step", "progress" } },
  queue = { "a queue (call it with a colon: queue:method())",
    { "path", "route", "field", "step", "run", "pending", "clear", "cancel" } },
  request = { "a request (call it with a colon: request:method())", { "cancel" } },
  mod = { "a mod (call it with a colon: mine:method())", { "set", "reload" } },
  level = { "a level (call it with a colon: level:method())", { "encode" } },
  follower = { "a follower (call it with a colon: follower:method())",
    { "update", "remaining", "line", "go", "pause", "resume", "encode" } },
  crowd = { "a crowd (call it with a colon: crowd:method())", { "add", "go", "update", "near", "positions", "each" } },
  walker = { "a walker (call it with a colon: walker:method())",
    { "go", "stop", "pause", "resume", "push", "place", "remove" } },
}

if not wend.crowd then KINDS.follower, KINDS.crowd, KINDS.walker = nil, nil, nil end

describe("a method that is not called on its own kind", function()
  for kind, row in pairs(KINDS) do
    it("raises: " .. kind, function()
      local queue, crowd = wend.queue(), wend.crowd and wend.crowd()
      local objects = { graph = g, grid = grid, field = field, walls = walls, search = search, costs = costs,
        path = path, routes = g:routes(), watch = wend.watch(g), preparation = grid:prepare { sliced = true },
        queue = queue, request = queue:path(g, 1, 2), mod = costs:mod "bog", level = wend.level(),
        follower = crowd and wend.follow { 0, 0 }, crowd = crowd, walker = crowd and crowd:add { x = 1, y = 1 } }
      local methods, count = {}, 0
      if row[2] then
        for _, name in ipairs(row[2]) do methods[name] = objects[kind][name] end
      else
        methods = helper.methods(objects[kind])
      end
      for name, method in pairs(methods) do
        count = count + 1
        local function refuses(got, ...)
          raises(("self must be %s, got %s"):format(row[1], got), method, ...)
        end
        assert.equal("string", type(name))
        refuses "nil"
        refuses("nil", nil, 1, 1)
        refuses("7", 7, 1, 1)
        refuses("'gate'", "gate", 1, 1)
        refuses("a function", print, 1, 1)
        refuses("a thread", coroutine.create(function() end), 1, 1)
        if kind ~= "path" then refuses("a table", {}, 1, 1) end       -- see below
        if _VERSION >= "Lua 5.3" then refuses("a FILE*", io.stdout, 1, 1) end -- before, files have no name
        for other, object in pairs(objects) do
          if other ~= kind and (kind ~= "path" or type(object) == "userdata") then
            refuses("a wend." .. other:gsub("^%l", string.upper), object, 1, 1)
          end
        end
      end
      assert.truthy(count >= (row.least or #row[2]))
    end)
  end

  it("raises: a table that is no path", function()
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
    helper.raises("other must be a field of the same grid, its base or another overlay",
      function() field:add(nodes) end)
    helper.raises("y2 must be a whole number in 1 .. 3, got 4", function() grid:fill(1, 1, 7, 4, false) end)
    assert.same({ { 7, colour = "red" }, { a = 1 }, 6 }, { into, stats, field:cost(7, 1) })
    assert.equal(".......\n.......\n.......", grid:text())
  end)
end)
