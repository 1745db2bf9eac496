-- SPDX-License-Identifier: MIT
-- What scripts may do while wend calls them: the rules at the top of src/lua/lwend.h, for every function that runs
-- callbacks. spec/callbacks_spec.lua has what functions may do, and spec/hostile/scripts_spec.lua the scripts that once
-- crashed.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises
local BUSY = "is being searched: change it when the search is over"

local IN_USE = "the field is in use: change it when the call that reads it is over"

-- Whether a message is about too many calls inside each other: wend's own limit, or Lua's.
local function is_limit(message)
  return tostring(message):find("inside each other", 1, true) or tostring(message):find("overflow", 1, true)
end

local HUGE = math.huge

-- The finalizer of an object, as only a script with the debug library can reach it.
local function free(object) return debug.getmetatable(object).__gc(object) end

local function new_graph()
  local g = wend.graph()
  for i = 1, 10 do g:add_node(i, 0) end
  for i = 1, 9 do g:add_edge(i, i + 1, { tag = "road" }) end
  return g
end

local function new_grid()
  local grid = wend.grid(8, 8):fill("road")
  return grid:link(1, 1, 8, 8, { weight = 30, tag = "road" })
end

-- Every call that asks a profile or a callback about costs: calls[name] = { map, call(options) }.
local function calls_of_graph()
  local g = new_graph()
  local path, to, from = g:path(1, 10), g:field(1), g:field(1, { outward = true })
  local table_of_routes = g:routes()
  return g, {
    ["graph:path"] = function(o) return g:path(1, 10, o) end,
    ["graph:search"] = function(o)
      local search = g:search(1, 10, o)
      while search:step(3) == "running" do end
      return search:result()
    end,
    ["graph:field"] = function(o) return g:field(5, o) end,
    ["graph:field into"] = function(o)
      o.into = wend.graph():add_node(1, 1) and g:field(3)
      return g:field(5, o)
    end,
    ["graph:routes"] = function(o) return g:routes(o) end,
    ["graph:route"] = function(o) return g:route({ 1, 1 }, { 9, 1 }, o) end,
    ["graph:route by edge"] = function(o)
      o.enter = "edge"
      return g:route({ 1.5, 1 }, { 8.5, 1 }, o)
    end,
    ["graph:check"] = function(o) return g:check(o) end,
    ["graph:nearest can_reach"] = function(o)
      o.can_reach = 3
      return g:nearest(5, 1, o)
    end,
    ["graph:nearest_edge"] = function(o)
      o.can_reach, o.reachable_from = to, from
      return g:nearest_edge(5, 1, o)
    end,
    ["graph:nearest_edge reachable_from"] = function(o)
      o.reachable_from = { 1, 9 }
      return g:nearest_edge(5, 1, o)
    end,
    ["path:explain"] = function(o) return path:explain(o) end,
    ["graph:explain"] = function(o) return g:explain({ 1, 2, 3 }, o) end,
    ["path:compare"] = function(o) return path:compare({ 1, 2, 3 }, o) end,
    ["graph:chokepoints"] = function(o) return g:chokepoints(o) end,
    ["field:relax"] = function(o)
      local field = g:field(2, { costs = o.costs, cost = o.cost })
      return field and field:scale(0.5):relax()
    end,
    ["field:update"] = function(o)
      local field = g:field(2, { costs = o.costs, cost = o.cost })
      return field and field:update()
    end,
    ["field:next"] = function(o)
      local field = g:field(2, { costs = o.costs, cost = o.cost })
      return field and field:scale(-1.2):next(5)
    end,
  }, table_of_routes
end

local function calls_of_grid()
  local grid = new_grid()
  local path = grid:path(1, 1, 8, 5)
  return grid, {
    ["grid:path"] = function(o) return grid:path(1, 1, 8, 5, o) end,
    ["grid:search"] = function(o)
      local search = grid:search(1, 1, 8, 5, o)
      while search:step(3) == "running" do end
      return search:result()
    end,
    ["grid:field"] = function(o) return grid:field(3, 3, o) end,
    ["grid:check"] = function(o) return grid:check(o) end,
    ["grid:nearest reachable_from"] = function(o)
      o.reachable_from = { x = 1, y = 1 }
      return grid:nearest(5, 5, o)
    end,
    ["grid:random reachable_from"] = function(o)
      o.reachable_from = { x = 1, y = 1 }
      return grid:random(1, o)
    end,
    ["grid:clear"] = function(o) return grid:clear(1, 1, 8, 5, o) end,
    ["grid:clear_points"] = function(o) return grid:clear_points(0.5, 0.5, 7.5, 4.5, o) end,
    ["grid:straighten"] = function(o) return grid:straighten(path, o) end,
    ["path:explain of a grid"] = function(o) return path:explain(o) end,
    ["field:relax of a grid"] = function(o)
      local field = grid:field(3, 3, { costs = o.costs, cost = o.cost })
      return field and field:scale(0.5):relax()
    end,
  }
end

local function each_call(fn)
  for _, make in ipairs { calls_of_graph, calls_of_grid } do
    local _, list = make()
    local names = {}
    for name in pairs(list) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
      fn(name, function()
        local map, calls = make()
        return map, calls[name]
      end)
    end
  end
end

-- An edit of a map that none of the calls depends on, and one that breaks them.
local function edit(map)
  if wend.type(map) == "grid" then map:set(8, 8, false) else map:add_node(50, 50) end
end

local function remove(map)
  if wend.type(map) == "grid" then
    map:unlink(1, 1, 8, 8):fill(false)
  else
    for n in map:nodes() do map:remove_node(n) end
    for i = 1, 500 do map:add_node(i, i) end
  end
end

-- Asserts that a call whose callback calls it again raises, at wend's limit or Lua's. set: tells the callback the call.
local function ends(call, set)
  set(call)
  local ok, message = pcall(call)
  assert.equal(false, ok)
  assert.truthy(is_limit(message), message)
end

describe("a callback of", function()
  each_call(function(name, make)
    it(name .. " cannot edit or free the map", function()
      for _, change in ipairs { edit, remove, free } do
        local map, call = make()
        local asked, refused = 0, 0
        local function tamper()
          asked = asked + 1
          local ok, message = pcall(change, map)
          assert.equal(false, ok)
          assert.truthy(message:find(BUSY, 1, true), message)
          refused = refused + 1
        end
        call { cost = function(_, cost)
          tamper()
          return cost
        end }
        call { costs = wend.costs({ road = function()
          tamper()
          return 1
        end }):edge_rule("mod", function() tamper() end) }
        assert.truthy(asked > 1 and asked == refused, name)
        edit(map) -- the lock is gone
      end
    end)

    it(name .. " that raises leaves the map unlocked", function()
      local map, call = make()
      for _, options in ipairs {
        { cost = function() error("no", 0) end },
        { costs = wend.costs { road = function() error("no", 0) end } },
      } do
        local ok, message = pcall(call, options)
        assert.equal(false, ok)
        assert.truthy(tostring(message):find("no", 1, true), message)
        edit(map)
        remove(map)
        map, call = make()
      end
    end)

    it(name .. " that calls the same again comes to an end", function()
      local _, call = make()
      local again
      ends(function() return call { cost = function() return again() end } end, function(fn) again = fn end)
      ends(function() return call { costs = wend.costs { road = function() return again() end } } end,
        function(fn) again = fn end)
    end)
  end)
end)

describe("a function that is told of progress, one of grid:map, and a heuristic", function()
  it("that calls the same again comes to an end", function()
    local g, again = new_graph(), nil
    local function callback() return again() end
    for _, call in ipairs {
      function() return g:routes { on_progress = callback } end,
      function() return wend.grid(2, 2):map(callback) end,
      function() return g:path(1, 5, { heuristic = callback }) end,
    } do
      ends(call, function(fn) again = fn end)
    end
  end)
end)

describe("a function that is told of progress, and one of grid:map,", function()
  it("cannot edit or free the map", function()
    for _, change in ipairs { edit, remove, free } do
      local g, grid, told = new_graph(), new_grid(), 0
      local function tamper(map, busy)
        local ok, message = pcall(change, map)
        assert.equal(false, ok)
        assert.truthy(message:find(busy, 1, true), message)
        told = told + 1
      end
      g:routes { on_progress = function() tamper(g, BUSY) end }
      grid:map(function() tamper(grid, "the grid is being mapped") end)
      assert.truthy(told > 64)
      assert.same({ 10, 64 }, { g:node_count(), grid:width() * grid:height() })
    end
  end)
end)

describe("on_error", function()
  local function profile(on_error)
    local costs = wend.costs():edge_rule("broken", function() error("boom", 0) end)
    costs.on_error = on_error
    return costs
  end

  each_call(function(name, make)
    it("may edit the map: " .. name .. " is stale", function()
      for _, change in ipairs { edit, remove } do
        local map, call = make()
        local told = 0
        local costs = profile(function()
          told = told + 1
          change(map)
        end)
        local result, message, code
        result, message, code = call { costs = costs }
        if name:find ":search" then -- it begins anew, on the map as it is then
          assert.truthy(result or code, name)
          result = nil
        elseif not name:find "field:" then -- those make a field first
          assert.same({ "string", "stale" }, { type(message), code }, name)
        end
        assert.falsy(result, name)
        assert.equal(1, told)
        edit(map)
      end
    end)

    it("may free the map: " .. name .. " says so", function()
      local map, call = make()
      local ok, message = pcall(call, { costs = profile(function() free(map) end) })
      if ok then
        assert.truthy(name:find "field:", name)
      else
        assert.truthy(message:find("is gone", 1, true), message)
      end
      raises(("the %s is gone"):format(wend.type(map)), map.encode, map)
    end)

    it("may remove the rule that failed: " .. name .. " goes on", function()
      local _, call = make()
      local costs
      costs = profile(function(rule) costs:remove(rule) end)
      local slow = name:find "grid:search" and "octile" or nil -- more than one slice
      assert.truthy(call { costs = costs, heuristic = slow }, name)
      assert.same({}, costs:rules())
    end)

    it("that calls the same again comes to an end: " .. name, function()
      local _, call = make()
      local costs, depth, most = nil, 0, 0
      costs = profile(function()
        depth, most = depth + 1, math.max(most, depth + 1)
        call { costs = costs }
        depth = depth - 1
      end)
      local ok, message = pcall(call, { costs = costs })
      assert.equal(false, ok)
      assert.truthy(is_limit(message), message)
      assert.truthy(most > 10 and most < 200, most)
    end)
  end)

  it("that edits the map in the middle of relax or next makes them stale", function()
    for _, method in ipairs { "relax", "next" } do
      local g, broken = new_graph(), false
      local costs = wend.costs():edge_rule("mod", function() if broken then error("boom", 0) end end)
      costs.on_error = function()
        for i = 1, 1000 do g:add_edge(1 + i % 10, g:add_node(i, 1)) end
        g:remove_node(5)
      end
      local field = g:field(1, { costs = costs })
      field:scale(-0.5)
      broken = true
      local result, message, code = field[method](field, 5)
      assert.same({ "nil", "string", "stale" }, { type(result), type(message), code })
      assert.equal(false, field:valid())
    end
  end)
end)

describe("an edge rule", function()
  it("cannot refill the field that is being read", function()
    local grid = wend.grid(50, 50)
    local field, tried
    field = grid:field(1, 1, { cost = function(_, cost)
      if field then
        local small = wend.grid(1, 1)
        tried = true
        raises(IN_USE, field.scale, field, 2)
        raises(IN_USE, small.field, small, 1, 1, { into = field })
        raises(IN_USE, free, field)
      end
      return cost
    end })
    field:scale(-1.2)
    local x, y = field:next(20, 20)
    assert.truthy(tried and x >= 19 and x <= 21 and y >= 19 and y <= 21)
  end)

  it("whose on_error refills the field ends the call", function()
    local g, other, broken, field = new_graph(), wend.graph(), false, nil
    other:add_node(0, 0)
    local costs = wend.costs():edge_rule("mod", function() if broken then error("boom", 0) end end)
    costs.on_error = function() assert(other:field(1, { into = field })) end
    for _, call in ipairs {
      function() return field:scale(-1):next(5) end,
      function() return field:scale(0.5):relax() end,
      function() return g:field(1, { into = field, costs = costs }) end,
    } do
      broken = false
      field = g:field(1, { costs = costs })
      broken = true
      raises("the field was made anew meanwhile", call)
      assert.equal(0, field:cost(1))
      raises("node: there is no node 5", field.cost, field, 5)
    end
  end)
end)

describe("clear", function()
  it("cannot edit the graph, nor refill a field that is asked", function()
    local g, other = new_graph(), wend.graph()
    other:add_node(0, 0)
    local field, path = g:field(1), g:path(1, 10)
    for name, call in pairs {
      nearest = function(clear) return g:nearest(5, 1, { limit = 5, can_reach = field, clear = clear }) end,
      nearest_edge = function(clear) return g:nearest_edge(5, 1, { can_reach = field, clear = clear }) end,
      link = function(clear) return g:link { clear = clear } end,
      route = function(clear) return g:route({ 1, 1 }, { 9, 1 }, { clear = clear, jitter = 0.5, seed = 1 }) end,
      points = function(clear) return path:points { clear = clear, jitter = 0.5, seed = 1 } end,
    } do
      for _, tamper in ipairs {
        { function() remove(g) end, "the graph " .. BUSY },
        { function() free(g) end, "the graph " .. BUSY },
        name:find "nearest" and { function() other:field(1, { into = field }) end, IN_USE } or nil,
        name:find "nearest" and { function() free(field) end, IN_USE } or nil,
      } do
        local function clear()
          tamper[1]()
          return true
        end
        for _, one in ipairs { clear, { clear = clear }, setmetatable({}, { __call = clear }) } do
          raises(tamper[2], call, one)
        end
      end
      edit(g)
      field = g:field(1)
    end
  end)
end)

describe("reading arguments", function()
  -- A table that runs a function whenever a field of it is read that it does not have.
  local function trap(fn)
    return setmetatable({}, { __index = function(_, key)
      fn(key)
      return 5
    end })
  end

  it("may run a script that removes what was read before", function()
    local g = new_graph()
    local function empty() for n in g:nodes() do g:remove_node(n) end end
    local route, message, code = g:route(1, trap(empty))
    assert.same({ "nil", "no_path" }, { type(route), code }, message)
    g = new_graph()
    raises("to: there is no node 5", g.route, g, trap(empty), 5)
    g = new_graph()
    assert.equal(nil, (g:nearest(trap(empty))))
    g = new_graph()
    assert.equal(nil, (g:nearest_edge(trap(empty))))
    g = new_graph()
    raises("the graph is gone", g.nearest, g, trap(function() free(g) end))
    g = new_graph()
    raises("the graph is gone", g.route, g, { 1, 1 }, trap(function() free(g) end))
    g = new_graph()
    raises("the graph is gone", g.route, g, trap(function() free(g) end), { 1, 1 })
  end)

  it("may run a script that adds to a legend", function()
    local legend = { a = 2 }
    local grid = wend.parse_grid("ab", legend, { origin = trap(function()
      for c = 33, 255 do legend[string.char(c)] = c end
    end) })
    assert.same({ 2, 1, 97, 98 }, { grid:width(), grid:height(), grid:get(1, 1), grid:get(2, 1) })
  end)

  it("may run a script that asks the same again, to a limit", function()
    local g = new_graph()
    local position
    position = trap(function() g:route(1, position) end)
    local ok, message = pcall(g.route, g, 1, position)
    assert.equal(false, ok)
    assert.truthy(is_limit(message), message)
    assert.equal(9, g:path(1, 10).cost)
  end)
end)

describe("a heuristic that raises", function()
  it("leaks nothing, whatever the number of goals", function() -- the sanitizers look at the end
    local g = new_graph()
    for _, goals in ipairs { 10, { 10 }, { 8, 9, 10 } } do
      raises("option 'heuristic': no", g.path, g, 1, goals, { heuristic = function() error("no", 0) end })
    end
  end)
end)

describe("the fields of a path", function()
  it("are checked when they are read", function()
    local g, grid = new_graph(), new_grid()
    for _, path in ipairs { g:path(1, 10), grid:path(1, 1, 5, 5) } do
      local map, trail = path.map, path.trail
      local NO_PATH = "self must be a path, got a table that is empty or was never filled"
      for _, other in ipairs { wend.graph(), wend.grid(1, 1), io.stdout, 7 } do
        path.map = other
        for _, name in ipairs { "edges", "explain", "points", "valid" } do raises(NO_PATH, path[name], path) end
      end
      path.map, path.trail = map, io.stdout
      for _, name in ipairs { "edges", "explain", "points", "valid" } do raises(NO_PATH, path[name], path) end
      path.trail = trail
      assert.equal(true, path:valid())
      path[1] = 1e9
      for _, name in ipairs { "explain", "points" } do assert.equal(false, (pcall(path[name], path))) end
    end
  end)

  it("may change while the path is explained", function()
    local g, other = new_graph(), new_graph()
    other:remove_node(10)
    local path = g:path(1, 10)
    local explained = path:explain { cost = function(_, cost)
      other:path(9, 1, { into = path })
      path.trail = nil
      collectgarbage()
      return cost
    end }
    assert.equal(9, #explained)
    assert.equal(10, explained[9].to)
  end)

  it("keep the map alive as long as the path", function()
    local path = new_graph():path(1, 10)
    local map = path.map
    path.map = nil
    map = wend.type(map)
    collectgarbage()
    collectgarbage()
    assert.equal("graph", map)
    raises("self must be a path, got a table that is empty or was never filled", path.valid, path)
  end)
end)

describe("iterators", function()
  it("check their arguments", function()
    local g, grid = new_graph(), new_grid()
    local path, cells = g:path(1, 10), grid:path(1, 1, 5, 5)
    for _, one in ipairs { path, cells } do
      local each = one:each()
      raises("self must be a path (call it with a colon: path:method()), got nil", each, nil, 0)
      raises("i must be a whole number >= 0, got nil", each, one)
      raises("i must be a whole number >= 0, got -1", each, one, -1)
      for _, i in ipairs { 0.5, -2 ^ 31, -2 ^ 63, HUGE, -HUGE, 0 / 0, "x", {}, print, io.stdout } do
        assert.truthy(select(2, pcall(each, one, i)):find("i must be a whole number >= 0, got ", 1, true))
      end
      assert.equal(nil, (each({}, 0)))
      for _, other in ipairs { wend.graph(), "x", print } do
        assert.truthy(select(2, pcall(each, other, 0)):find("^self must be a path"))
      end
      for _, i in ipairs { 10, 1000, 2 ^ 30 + 4, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 32, 2 ^ 53 } do
        assert.equal(nil, (each(one, i)))
      end
    end
    local nodes = g:nodes()
    for _, i in ipairs { 10, 2 ^ 31, 2 ^ 32 - 1 } do assert.equal(nil, (nodes(g, i))) end
    assert.equal(1, (nodes(g, 2 ^ 53))) -- any id of slot 0
    raises("self must be a graph (call it with a colon: graph:method()), got nil", nodes)
  end)

  it("ignore their arguments where they keep their object", function()
    local grid, small, walls = new_grid():wall(3, 3, 4, 3), wend.grid(1, 1), wend.walls()
    walls:add_circle(1, 2, 3)
    assert.equal(3, (grid:walls()(small)))
    assert.equal(1, (grid:links()(small)))
    assert.equal("circle", (walls:each()(nil)))
  end)
end)

describe("a finalizer that a script calls", function()
  it("closes the object, once, and all methods refuse it", function()
    local g, grid = new_graph(), new_grid()
    local function objects()
      g, grid = new_graph(), new_grid()
      local walls, search = wend.walls(), g:search(1, 10)
      return { g, grid, g:field(1), grid:field(1, 1), g:routes(), walls, search }
    end
    for i = 1, #objects() do
      local object = objects()[i]
      free(object)
      free(object)
      for name, method in pairs(debug.getmetatable(object).__index) do
        local ok, message = pcall(method, object, 1, 1, 1, 1)
        assert.equal(false, ok, name)
        assert.truthy(tostring(message):find("gone", 1, true), name .. ": " .. tostring(message))
      end
      for _, event in ipairs { "__tostring" } do
        local method = debug.getmetatable(object)[event]
        if method then assert.equal(false, (pcall(method, object))) end
      end
      assert.equal("string", type(wend.type(object)))
    end
  end)

  it("closes a field that cannot be made again", function()
    local g = new_graph()
    local field, decoded = g:field(1), wend.decode(g:field(1):encode(), { map = g })
    for _, closed in ipairs { field, decoded } do
      free(closed)
      raises("into: the field is gone", g.field, g, 1, { into = closed })
    end
  end)

  it("refuses everything else", function()
    local g = new_graph()
    local thread = coroutine.create(function() end)
    local objects = { g, new_grid(), g:field(1), new_grid():field(1, 1), g:routes(), wend.walls(), g:search(1, 10) }
    for _, object in ipairs(objects) do
      local gc = debug.getmetatable(object).__gc
      for k, other in ipairs { io.stdout, {}, 7, "x", print, thread, g:path(1, 10) } do
        assert.equal(false, (pcall(gc, other)), k)
      end
      for _, other in ipairs(objects) do
        if wend.type(other) ~= wend.type(object) then assert.equal(false, (pcall(gc, other))) end
      end
      assert.equal(false, (pcall(gc)))
      assert.equal(false, (pcall(gc, nil)))
    end
    assert.same({ "file", 9 }, { io.type(io.stdout), g:path(1, 10).cost })
  end)

  it("refuses a search that is running", function()
    local g, search = new_graph(), nil
    search = g:search(1, 10, { cost = function(_, cost)
      raises("the search is running: its own callbacks cannot use it", free, search)
      return cost
    end })
    while search:step(1) == "running" do end
    assert.equal(9, search:result().cost)
    free(search)
    raises("the search is gone", search.step, search, 1)
  end)

  it("leaves what used the map closed too", function()
    local g = new_graph()
    local path, field, routes, search = g:path(1, 10), g:field(1), g:routes(), g:search(1, 10)
    free(g)
    for _, name in ipairs { "valid", "points", "explain" } do raises("the graph is gone", path[name], path) end
    raises("the routes are gone, or were never made", routes.cost, routes, 1, 2)
    raises("the graph is gone", search.step, search, 1)
    local grid = new_grid()
    local cells, far, other = grid:path(1, 1, 8, 8), grid:field(1, 1), grid:search(1, 1, 8, 8)
    other:step(2)
    free(grid)
    for _, name in ipairs { "valid", "points", "explain" } do raises("the grid is gone", cells[name], cells) end
    raises("the grid is gone", grid.straighten, grid, cells)
    raises("the grid is gone", other.step, other, 99)
    for _, made in ipairs { field, far } do
      for _, name in ipairs { "cost", "next", "path", "goal", "relax", "update", "encode" } do
        raises("the field is gone, or was never made", made[name], made, 1, 1)
      end
    end
    assert.equal(9, new_graph():path(1, 10).cost) -- searchers that once held the graph go on
  end)
end)
