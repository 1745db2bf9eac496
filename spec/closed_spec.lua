-- SPDX-License-Identifier: MIT
-- What a tag closes, where a function is asked about costs: a promise (at_least > 0) keeps it closed, everywhere.
-- luacheck: std max+busted

local wend = require "wend"

local HUGE = math.huge
local lava = wend.costs { lava = false }

-- A function that opens everything, and what it was handed.
local function opener(at_least)
  local asked = {}
  return {
    costs = lava, at_least = at_least,
    cost = function(_, cost, tag)
      if tag == "lava" then asked[#asked + 1] = cost end
      return cost < HUGE and cost or 5
    end,
  }, asked
end

local function with(opts, more)
  local both = {}
  for key, value in pairs(opts) do both[key] = value end
  for key, value in pairs(more) do both[key] = value end
  return both
end

-- A promise that is kept exactly, and one that is next to none.
local PROMISES = { 1, 0.5, 1e-300 }

describe("a tag that is closed, with a function that would open it", function()
  local function road()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edge(1, 2)
    return g, g:add_edge(2, 3, { tag = "lava" })
  end

  local function each(check)
    for _, promise in ipairs(PROMISES) do
      local opts, asked = opener(promise)
      check(opts, false)
      assert.same({}, asked)
    end
    local opts, asked = opener(nil)
    check(opts, true)
    assert.truthy(#asked > 0)
    for _, cost in ipairs(asked) do assert.equal(HUGE, cost) end
  end

  it("is closed to paths with a promise, and opened without one", function()
    each(function(opts, open)
      local g, edge = road()
      for _, more in ipairs { {}, { algorithm = "dijkstra" }, { heuristic = "zero" }, { variation = 0.1, seed = 3 },
        { partial = true } } do
        local path = g:path(1, 3, with(opts, more))
        if open then
          assert.same({ 15, edge }, { path.cost, path:edges()[2] })
        elseif more.partial then
          assert.same({ 2, true }, { path[#path], path.partial })
        else
          assert.equal(nil, path)
        end
      end
      local search = g:search(1, 3, opts)
      while search:step(1) == "running" do assert.truthy(true) end
      assert.equal(open, search:path() ~= nil)
    end)
  end)

  it("is closed to fields", function()
    each(function(opts, open)
      local g = road()
      assert.equal(open and 15 or nil, g:field(3, opts):cost(1))
      assert.equal(open and 15 or nil, g:field(1, with(opts, { outward = true })):cost(3))
      local field = g:field({ 1, 2, 3 }, opts):add(g:field(3), -1) -- 0 at the end, and less the farther it is
      assert.equal(open and 2 or nil, field:next(3))
      assert.equal(open and 1 or nil, field:relax():goal(3) == 1 and 1 or nil)
    end)
  end)

  it("is closed to route tables", function()
    each(function(opts, open) assert.equal(open and 15 or nil, road():routes(opts):cost(1, 3)) end)
  end)

  it("is closed to checks", function()
    each(function(opts, open) assert.equal(open and 1 or 2, #road():check(opts).components) end)
  end)

  it("is closed to routes, by node and by edge", function()
    each(function(opts, open)
      local g = road()
      for _, enter in ipairs { "node", "edge" } do
        local route = g:route({ 0, 1 }, { 20, 1 }, with(opts, { enter = enter }))
        if open then
          assert.same({ 17, 20 }, { route.cost, route[#route - 3] })
        elseif enter == "edge" then
          assert.same({ 10, 0 }, { route[#route - 3], route[#route - 2] }) -- off at the end of the road
        else
          assert.same({ 20, 0 }, { route[3], route[4] }) -- the node nearest to the end is not reached from the others
        end
      end
    end)
  end)

  it("is closed to what asks for the nearest", function()
    each(function(opts, open)
      local g = road()
      assert.equal(open and 1 or nil, (g:nearest(0, 1, with(opts, { can_reach = 3, max_distance = 2 }))))
      assert.equal(open and 1 or nil, (g:nearest_edge(0, 1, with(opts, { can_reach = 3, max_distance = 2 }))))
      assert.equal(open and 2 or 1, (g:nearest_edge(20, 1, with(opts, { reachable_from = 1 }))))
    end)
  end)

  it("is closed on grids: paths, fields, checks, straight lines", function()
    local function yard()
      return wend.parse_grid("..~..", { ["~"] = "lava" })
    end
    each(function(opts, open)
      local grid = yard()
      local path = grid:path(1, 1, 5, 1, opts)
      assert.equal(open and 8 or nil, path and path.cost)
      assert.equal(open and 8 or nil, grid:field(5, 1, opts):cost(1, 1))
      assert.equal(open and 8 or nil, grid:field(1, 1, with(opts, { outward = true })):cost(5, 1))
      assert.equal(open and 1 or 2, #grid:check(opts).components)
      assert.equal(open, grid:clear(1, 1, 5, 1, opts))
      if open then assert.equal(8, grid:straighten(path, opts).cost) end
    end)
  end)

  it("keeps a straightened path out of it", function()
    local grid = wend.parse_grid([[
      ..~..
      .....
    ]], { ["~"] = "lava" })
    each(function(opts, open)
      local path = grid:path(1, 1, 5, 1, opts)
      local straight = grid:straighten(path, opts)
      assert.truthy(straight.cost <= path.cost)
      assert.equal(open, grid:clear(1, 1, 5, 1, opts))
      for i = 1, #path, 2 do
        if not open then assert.equal(false, path[i] == 3 and path[i + 1] == 1) end
      end
    end)
  end)
end)
