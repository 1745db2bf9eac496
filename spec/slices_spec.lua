-- SPDX-License-Identifier: MIT
-- Routes and fields a slice at a time: core.start, on which wend.queue is built. search_spec.lua has paths in slices,
-- random/slices_spec.lua random maps.
local core = require "wend.core"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local row = reference.row
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

--- The search alone: core.start returns more.
local function start(...) return (core.start(...)) end

-- Steps until it is over. Returns the result, and the sum of what the steps used.
local function finish(search, n)
  local sum = 0
  repeat
    local state, used = search:step(n or 3)
    sum = sum + used
  until state ~= "running"
  local result, message, code = search:result()
  return result or message, result and sum or code
end

-- A row of nodes at 1,0 2,0 ... with a way on and off above them.
local function placed(n)
  local g = wend.graph()
  for x = 1, n do g:add_node(x, 0) end
  for x = 1, n - 1 do g:add_edge(x, x + 1) end
  return g
end

-- An open grid with a door in a wall.
local function rooms()
  local grid = wend.grid(30, 20)
  for y = 1, 20 do
    if y ~= 10 then grid:close(15, y) end
  end
  return grid
end

describe("core.start", function()
  it("begins a path like map:search", function()
    local g = row(9)
    local search = start("path", g, 1, 9)
    assert.equal("wend.Search (running)", tostring(search))
    local path, used = finish(search, 2)
    assert.same({ 8, 9 }, { path.cost, #path })
    assert.truthy(used >= 7)
    assert.equal(4, finish(start("path", rooms(), 1, 1, { 5, 1, 9, 9 })).cost)
  end)

  it("pauses between tests of sight, which count as work", function()
    local grid, walls, goals = wend.grid(20, 20):fill(11, 1, 11, 20, false), wend.walls(), {}
    walls:add_segment(11, -1, 11, 21)
    for i = 1, 100 do goals[2 * i - 1], goals[2 * i] = 15, i % 20 + 1 end
    -- Of each of 200 cells 100 goals are tested; the field asks all cells.
    for kind, from in pairs { path = { 1, 1 }, field = {} } do
      from[#from + 1], from[#from + 2] = goals, { sight = walls }
      local search, steps, most = start(kind, grid, unpack(from)), 0, 0
      repeat
        local state, used = search:step(10)
        steps, most = steps + 1, math.max(most, used)
      until state ~= "running"
      assert.is_true(steps >= 2000, kind .. " took so few slices: " .. steps)
      assert.is_true(most <= 12, kind .. " did so much in a slice: " .. most)
    end
  end)

  it("counts the memory that it holds, before the first step too", function()
    local grid = wend.grid(100, 100)
    for _, search in ipairs {
      start("path", grid, 1, 1, 9, 9),
      start("route", grid, { 1, 1 }, { 9, 9 }),
      start("field", grid, 1, 1),
      start("path", row(9), 1, 9),
      start("route", placed(9), 1, 9),
    } do
      assert.equal(0, search:bytes())
      search:step(1)
      assert.truthy(search:bytes() > 0)
    end
    local lists = start("field", grid, { 1, 1, 9, 9 }, { values = { 0, 2 } })
    assert.truthy(lists:bytes() >= 32, lists:bytes()) -- two ids and two numbers
    local field = start("field", grid, 1, 1)
    field:step(1)
    assert.truthy(field:bytes() > 100 * 100 * 8, field:bytes()) -- a cost for each cell
  end)

  it("keeps a copy of the goals of a field and of their values", function()
    local grid = rooms()
    local goals, values = { 1, 1, 20, 9 }, { 2, 0 }
    local expected = grid:field(goals, { values = values }):encode()
    local search = start("field", grid, goals, { values = values })
    search:step(1)
    goals[1], goals[3], values[1], values[2] = 7, nil, 50, nil
    assert.equal(expected, finish(search):encode())
  end)

  it("fills the table of statistics at the end", function()
    local grid, stats, whole = rooms(), {}, {}
    local search = start("field", grid, 1, 1, { stats = stats })
    search:step(5)
    assert.same({}, stats)
    finish(search)
    grid:field(1, 1, { stats = whole })
    assert.same(whole, stats)
  end)

  it("fails as the whole call does", function()
    local grid, g = rooms():close(15, 10), placed(3)
    g:close_edge(2)
    local message = "no route from (%s, %s) to (%s, %s)" -- Lua 5.1 and LuaJIT print 1.0 as 1
    assert.same({ message:format(1.0, 1.0, 29.0, 9.0), "no_path" },
      { finish(start("route", grid, { 1, 1 }, { 29, 9 })) })
    assert.same({ (message .. " (with max_distance %s)"):format(1.0, 0.0, 9.0, 0.0, 1.0), "no_path" },
      { finish(start("route", g, { 1, 0 }, { 9, 0 }, { max_distance = 1 })) })
    assert.same({ "the field is not done within the budget", "budget" },
      { finish(start("field", grid, 1, 1, { max_expanded = 5 })) })
  end)

  it("shows a route and a field only when they are done", function()
    local grid = rooms()
    for _, search in ipairs { start("route", grid, { 1, 1 }, { 29, 19 }), start("field", grid, 1, 1) } do
      assert.equal("running", search:step(1))
      helper.raises('the search is not over: call step until it returns "found" or "failed"', search.result, search)
    end
  end)
end)

describe("the option into of slices", function()
  it("of a field: it keeps what it held until search:result", function()
    local grid = rooms()
    local field = grid:field(30, 20)
    local old = field:encode()
    local search = start("field", grid, 1, 1, { into = field })
    search:step(5)
    assert.equal(old, field:encode())
    search:step(10000)
    assert.equal(old, field:encode())
    assert.equal(field, search:result())
    assert.equal(grid:field(1, 1):encode(), field:encode())
    assert.equal(field, search:result())
    field:scale(2):relax()
    assert.equal(0, field:cost(1, 1))
  end)

  it("of a field that fails, or is never asked for: it stays as it was", function()
    local grid = rooms()
    local field = grid:field(30, 20)
    local old = field:encode()
    local search = start("field", grid, 1, 1, { into = field, max_expanded = 9 })
    assert.same({ "the field is not done within the budget", "budget" }, { finish(search) })
    start("field", grid, 1, 1, { into = field }):step(99999)
    collectgarbage()
    collectgarbage()
    assert.equal(old, field:encode())
  end)

  it("of a field that is in use when it is done: the result can be had later", function()
    local g = row(5)
    local field = g:field(1)
    local search = start("field", g, 5, { into = field })
    search:step(99)
    local message
    field:scale(1)
    g:nearest(0, 0, { can_reach = field:relax(), cost = function(_, cost)
      message = message or select(2, pcall(search.result, search))
      return cost
    end })
    assert.truthy(message == nil or message:find "the field is in use")
    assert.equal(4, search:result():cost(1))
  end)

  it("of a route: it is filled by each search:result", function()
    local grid, into = rooms(), { 1, 2, 3, 4, 5, 6, cost = 3 }
    local search = start("route", grid, { 1, 1 }, { 5, 5 }, { into = into })
    local route = finish(search)
    assert.equal(into, route)
    assert.same(grid:route({ 1, 1 }, { 5, 5 }), into)
    into[1] = false
    assert.same(grid:route({ 1, 1 }, { 5, 5 }), (search:result()))
  end)

  it("of a route that is asked for after an edit: it is that of its end", function()
    local g = placed(6)
    local expected = g:route({ 1, 2 }, { 6, 2 })
    local search = start("route", g, { 1, 2 }, { 6, 2 })
    search:step(99)
    for node = 1, 6 do g:remove_node(node) end
    local route = search:result()
    expected.map, route.map = nil, nil
    assert.same(expected, route)
  end)
end)

describe("a callback of a route or a field in slices", function()
  -- The two kinds with a callback `cost`, which gets the search from `of`.
  local function both(cost)
    local g, of = placed(20), {}
    local function call(_, price, _, from)
      return cost(of[1], from, price, g)
    end
    return { function() of[1] = start("field", g, { 1 }, { cost = call }) return of[1] end,
      function() of[1] = start("route", g, { 1, 1 }, { 20, 1 }, { cost = call }) return of[1] end }
  end

  it("cannot use or free the search, nor edit the map", function()
    local calls = 0
    for _, begin in ipairs(both(function(search, _, cost, g)
      if not search then return cost end
      calls = calls + 1
      helper.raises("the search is running: its own callbacks cannot use it", search.step, search, 1)
      helper.raises("the search is running: its own callbacks cannot use it", search.result, search)
      helper.raises("the graph is being searched: change it when the search is over", function() g:close(1) end)
      return cost
    end)) do
      assert.truthy(finish(begin()))
      assert.truthy(calls > 5)
    end
  end)

  it("that raises ends the step; the next one begins anew", function()
    local broken = true
    for i, begin in ipairs(both(function(search, from, cost)
      if search and broken and from == 9 then error("bridge out", 0) end
      return cost
    end)) do
      broken = true
      local search = begin()
      assert.equal("running", search:step(3))
      helper.raises("option 'cost': bridge out", search.step, search, 100)
      broken = false
      local result = finish(search)
      if i == 1 then assert.equal(19, result:cost(20)) else assert.equal(21, result.cost) end
    end
  end)

  it("may run others", function()
    local g = placed(9)
    local inner = start("field", g, { 9 })
    local outer = start("field", g, { 1 }, { cost = function(_, cost)
      inner:step(1)
      return cost
    end })
    assert.same({ 8, 8 }, { finish(outer):cost(9), finish(inner):cost(1) })
  end)

  it("clear is asked in the steps, and not by search:result", function()
    local g, calls = placed(9), 0
    local search = start("route", g, { 1, 1 }, { 9, 1 },
      { clear = function() calls = calls + 1 return calls > 1 end,
      jitter = 0.1, seed = 3 })
    finish(search)
    local before = calls
    search:result()
    assert.truthy(before > 2)
    assert.equal(before, calls)
  end)

  it("and on_error leaves out a rule that raises, also in the middle", function()
    local costs, told = wend.costs(), nil
    costs:edge_rule("bad", function(_, cost, _, from)
      if from == 9 then error("no", 0) end
      return cost + 1
    end)
    function costs.on_error(name) told = name end
    local field = finish(start("field", placed(20), { 1 }, { costs = costs }))
    assert.same({ 19, "bad" }, { field:cost(20), told })
  end)
end)

describe("a route or a field in slices whose map is collected or freed", function()
  it("keeps its map", function()
    local search = start("field", rooms(), 1, 1)
    collectgarbage()
    collectgarbage()
    assert.equal(3, (finish(search):cost(4, 1)))
  end)

  it("takes no memory once it is gone #slow", function()
    local resident = reference.resident
    if not resident() then return pending "no /proc here" end
    local grid = wend.grid(200, 200)
    local function many(count)
      for i = 1, count do start("field", grid, 1, 1):step(i % 2 == 0 and 100 or 1e6) end
    end
    many(100)
    local before = resident()
    many(500) -- each holds about 700 kB
    assert.truthy(resident() - before < 60000, ("%d kB more"):format(resident() - before))
  end)
end)

-- Errors -----------------------------------------------------------------------------------------------------------

describe("core.start", function()
  local grid, g = rooms(), placed(3)

  helper.all_raise(it, {
    "kind must be one of: path, route, field, can_reach, update, got 'walk'", function() start("walk", grid, 1, 1) end,
    "kind must be one of: path, route, field, can_reach, update, got nil", function() start() end,
    "map must be a graph or a grid, got 3", function() start("path", 3) end,
    "map must be a graph or a grid, got nil", function() core.start "field" end,
    "from must be a position: { x, y }, or something with fields x and y, got nil",
    function() start("route", grid) end,
    "goals: there is no node 9", function() start("field", g, 9) end,
    "goals must be a list of cells, got the key 'y'", function() start("field", grid, { y = 1 }) end,
    "values must hold a number for each of the 1 goals, got 2",
    function() start("field", grid, 1, 1, { values = { 1, 2 } }) end,
    "into must be a field, got a table", function() start("field", grid, 1, 1, { into = {} }) end,
    "straighten needs clear: it tells where shortcuts can be walked",
    function() start("route", g, 1, 3, { straighten = true }) end,
    "window is an option of grids: a graph has no columns and rows",
    function() start("field", g, 1, { window = 3 }) end,
    "unknown option 'restart' (expected one of: costs, agent, cost, at_least, size, influence, pass_only, per_turn, "
      .. "rest, last_step, max_cost, window, variation, seed, stats, closed_goal, within, beside, sight, "
      .. "max_expanded, outward, values, into)",
    function() g:field(1, { restart = true }) end,
    "n must be a whole number >= 1, got 0", function() start("field", grid, 1, 1):step(0) end,
  })
end)
