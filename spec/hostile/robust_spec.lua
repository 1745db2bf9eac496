-- SPDX-License-Identifier: MIT
-- What a callback that raises, or yields, leaves behind: nothing. The next calls answer as if it had not been.
local wend = require "wend"

local SIDE = 20

local function lattice()
  local g = wend.graph()
  for y = 1, SIDE do
    for x = 1, SIDE do g:add_node(x * 10, y * 10) end
  end
  for n = 1, SIDE * SIDE do
    if n % SIDE > 0 then g:add_edge(n, n + 1, { tag = n % 3 == 0 and "mud" or nil }) end
    if n <= SIDE * (SIDE - 1) then g:add_edge(n, n + SIDE) end
  end
  return g
end

local function show(path)
  return ("%.17g: "):format(path.cost) .. table.concat(path, " ")
end

-- Three ways, with options; the first is long.
local function ways(map, opts)
  local function between(a, b)
    if map.nodes then return map:path(a, b, opts) end
    return map:path(a % SIDE + 1, math.floor(a / SIDE) + 1, b % SIDE + 1, math.floor(b / SIDE) + 1, opts)
  end
  return {
    function() return show(between(1, SIDE * SIDE - 1)) end,
    function() return show(between(SIDE * SIDE - 1, 2)) end,
    function() return show(between(SIDE * 10, SIDE * 9 + 3)) end,
  }
end

local function grid()
  return wend.grid(SIDE, SIDE):fill(5, 3, 5, 18, "mud"):wall(3, 3, 4, 3)
end

for what, make in pairs { ["a graph"] = lattice, ["a grid"] = grid } do
  for kind, variation in pairs { ["a path"] = 0, ["a path that differs"] = 0.5 } do
    it(("%s over %s: a cost function that raises in the middle of it"):format(kind, what), function()
      local map, asked, last = make(), 0, math.huge
      local all = ways(map, { variation = variation, seed = 1, cost = function(_, cost)
        asked = asked + 1
        if asked == last then error { "mine" } end
        return cost
      end })
      local expected = {}
      for i, way in ipairs(all) do expected[i] = way() end
      asked = 0
      all[1]()
      for at = 1, asked, 37 do
        asked, last = 0, at
        local ok, problem = pcall(all[1])
        assert.is_false(ok)
        assert.same({ "mine" }, problem)
        last = math.huge
        for i, way in ipairs(all) do assert.equal(expected[i], way()) end
      end
    end)

    it(("%s over %s: a rule that on_error takes out in the middle of it"):format(kind, what), function()
      local map, asked, told = make(), 0, 0
      local function profile(last)
        local costs = wend.costs { mud = 1.5 }
        costs:edge_rule("broken", function(_, cost)
          asked = asked + 1
          if asked == last then error "now" end
          return cost
        end, { at_least = 0 })
        costs.on_error = function() told = told + 1 end
        return costs
      end
      local function way(costs) return ways(map, { variation = variation, seed = 1, costs = costs })[1]() end
      way(profile(0))
      local expected = way(wend.costs { mud = 1.5 })
      local all = asked
      for at = 1, all, 211 do
        asked, told = 0, 0
        assert.equal(expected, way(profile(at)))
        assert.equal(1, told)
      end
    end)
  end
end

it("a field whose cost function raises leaves the searches after it as they are", function()
  local g = lattice()
  local way = ways(g, {})[2]
  local expected = way()
  for at = 1, 700, 61 do
    local asked = 0
    assert.is_false(pcall(g.field, g, 1, { cost = function(_, cost)
      asked = asked + 1
      return asked == at and error "now" or cost
    end }))
    assert.equal(expected, way())
  end
end)

it("a callback that yields raises, and nothing is broken afterwards #move", function()
  local g, map = lattice(), grid()
  local path, yield = g:path(1, SIDE), coroutine.yield
  local function wait(_, cost)
    yield()
    return cost
  end
  local broken = wend.costs():edge_rule("broken", function() error "x" end)
  broken.on_error = yield
  local here, there = { 12, 13 }, { 180, 190 }
  local expected = show(g:route(here, there))
  for i, call in ipairs {
    function() return g:nearest(1, 1, { clear = yield }) end,
    function() return g:nearest_edge(1, 1, { clear = { clear = yield }, can_reach = 3 }) end,
    function() return g:route(here, there, { clear = yield }) end,
    function() return g:route(here, there, { enter = "edge", cost = wait }) end,
    function() return g:path(1, SIDE * SIDE, { variation = 0.5, seed = 1, cost = wait }) end,
    function() return path:points { jitter = 1, seed = 1, clear = yield } end,
    function() return map:clear_points(1, 1, 9, 9, { cost = wait }) end,
    function() return g:link { clear = yield } end,
    function() return map:map(yield) end,
    function() return g:routes { on_progress = yield } end,
    function() return wend.curve({ 0, 0, 1, 1, 2, 0 }, { clear = yield }) end,
    function() return g:field(1, { costs = broken }) end,
  } do
    local thread = coroutine.create(call)
    local ok, problem = coroutine.resume(thread)
    assert.equal(false, ok, i)
    assert.matches("yield", problem)
    g:add_node(7, 7) -- not left as if a search were at work
    map:set(2, 2, 1)
  end
  for _, call in ipairs { -- these may suspend the thread, or raise
    function() return g:path(1, 9, setmetatable({}, { __index = yield })) end,
    function() return wend.costs(setmetatable({}, { __index = yield })) end,
  } do
    local thread = coroutine.create(call)
    for _ = 1, 50 do coroutine.resume(thread, 1) end
    g:add_node(7, 7)
  end
  g = lattice()
  assert.equal(expected, show(g:route(here, there)))
end)

it("calls inside of calls end with an error, not with a crash", function()
  local g, depth = lattice(), 0
  local path = g:path(1, SIDE)
  local function ask() -- each in the `clear` of the one before
    depth = depth + 1
    local way = depth % 3
    if way == 0 then return g:nearest(5, 5, { clear = ask }) ~= nil end
    if way == 1 then return g:route({ 1, 1 }, { 99, 99 }, { clear = ask }) ~= nil end
    return #path:points { jitter = 1, seed = 1, clear = ask } > 0
  end
  assert.is_false(pcall(ask))
  assert.truthy(depth > 20)
  g:remove_node(7)
  assert.equal(1, (g:nearest(1, 1, { clear = function() return true end })))
end)
