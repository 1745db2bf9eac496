-- SPDX-License-Identifier: MIT
-- map:alternatives: several paths for one trip. A failure of random maps prints WEND_SEED and WEND_ROUND.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local wend = require "wend"

local with = grid_reference.with
local unpack = table.unpack or unpack -- luacheck: ignore 143

-- Three lakes: there are several ways round.
local function coast()
  return wend.grid(60, 40):fill(20, 6, 24, 17, false):fill(20, 22, 24, 35, false):fill(38, 10, 42, 30, false)
end

-- The steps of a path without corners, as a list of keys and lengths.
local function steps_of_cells(path)
  local steps = {}
  for i = 3, #path, 2 do
    local a, b = path[i - 2] .. "," .. path[i - 1], path[i] .. "," .. path[i + 1]
    local length = math.sqrt((path[i] - path[i - 2]) ^ 2 + (path[i + 1] - path[i - 1]) ^ 2)
    steps[#steps + 1] = { a < b and a .. " " .. b or b .. " " .. a, length }
  end
  return steps
end

local function steps_of_edges(map, path)
  local steps = {}
  for i, edge in ipairs(path:edges()) do steps[i] = { edge, map:edge(edge).length or 1 } end
  return steps
end

-- Asserts that each path shares as little as it must.
local function check_shares(list, overlap, steps_of)
  local known = {}
  for i, path in ipairs(list) do
    local all, shared, own = 0, 0, false
    for _, step in ipairs(steps_of(path)) do
      all = all + step[2]
      if known[step[1]] then shared = shared + step[2] else own = true end
    end
    assert.truthy(shared <= overlap * all * (1 + 1e-9), ("path %d shares %g of %g"):format(i, shared, all))
    assert.truthy(own or i == 1)
    for _, step in ipairs(steps_of(path)) do known[step[1]] = true end
  end
end

local function check_costs(list, cheapest, worse)
  assert.equal(cheapest, list[1].cost)
  for _, path in ipairs(list) do assert.truthy(path.cost <= cheapest * (1 + worse) * (1 + 1e-9)) end
end

describe("alternatives", function()
  it("are the cheapest path, and others that share little with it", function()
    for seed = 0, 9 do
      for _, overlap in ipairs { 0.1, 0.3, 0.5 } do
        local map = coast()
        local list = map:alternatives(4, 20, 57, 20, { count = 4, overlap = overlap, seed = seed })
        assert.equal(grid_reference.show(map:path(4, 20, 57, 20)), grid_reference.show(list[1]))
        assert.truthy(#list >= 2 and #list <= 4, #list)
        check_costs(list, map:path(4, 20, 57, 20).cost, 0.3)
        check_shares(list, overlap, steps_of_cells)
      end
    end
  end)

  it("are three, of at most 1.3 times the cost and half shared, unless options say otherwise", function()
    local map = coast()
    local plain = map:alternatives(4, 20, 57, 20)
    local same = map:alternatives(4, 20, 57, 20, { count = 3, worse = 0.3, overlap = 0.5, seed = 0 })
    assert.equal(3, #plain)
    for i, path in ipairs(plain) do assert.equal(grid_reference.show(path), grid_reference.show(same[i])) end
    assert.equal(1, #map:alternatives(4, 20, 57, 20, { count = 1 }))
  end)

  it("depend on the seed", function()
    local shown = {}
    for seed = 1, 20 do shown[grid_reference.show(coast():alternatives(4, 20, 57, 20, { seed = seed })[2])] = true end
    local count = 0
    for _ in pairs(shown) do count = count + 1 end
    assert.truthy(count > 5, count)
    for _, seed in ipairs { -1, 0.5, 1e300, -1e300, 2 ^ 53 } do
      assert.truthy(#coast():alternatives(4, 20, 57, 20, { seed = seed }) >= 1)
    end
  end)

  it("are one path where there is no other", function()
    local row = wend.grid(30, 1)
    assert.equal(1, #row:alternatives(1, 1, 30, 1, { overlap = 1 }))
    assert.equal(1, #row:alternatives(3, 1, 3, 1, { overlap = 1 }))
    assert.equal(2, #row:alternatives(3, 1, 3, 1)[1])
  end)

  it("take cells, lists of goals and options as path does", function()
    local map = coast()
    local expected = grid_reference.show(map:alternatives(4, 20, 57, 20, { seed = 5 })[2])
    local from, to, opts = { x = 4, y = 20 }, { x = 57, y = 20 }, { seed = 5 }
    for _, args in ipairs { { from, to, opts }, { from, 57, 20, opts }, { 4, 20, to, opts },
      { 4, 20, { 57, 20 }, opts }, { from, { 57, 20 }, opts } } do
      assert.equal(expected, grid_reference.show(map:alternatives(unpack(args))[2]))
    end
    assert.equal(1, #map:alternatives(from, to, { count = 1 }))
    assert.equal(2, map:alternatives(4, 20, { 1, 1, 4, 22 })[1].goal)
    local boats = wend.costs { boat = 1 }
    assert.equal(boats, map:alternatives(from, to, { costs = boats })[2].costs)
    local near = map:alternatives(from, to, { within = 3 })
    for _, path in ipairs(near) do assert.truthy((path[#path - 1] - 57) ^ 2 + (path[#path] - 20) ^ 2 <= 9) end
    local limit = map:path(from, to).cost
    for _, path in ipairs(map:alternatives(from, to, { max_cost = limit })) do reference.near(limit, path.cost) end
    assert.equal(3, #map:alternatives(from, to, { heuristic = function() return 0 end }))
  end)

  it("list corners as the paths without them", function()
    for seed = 1, 10 do
      local whole = coast():alternatives(4, 20, 57, 20, { seed = seed })
      local corners = coast():alternatives(4, 20, 57, 20, { seed = seed, corners = true })
      assert.equal(#whole, #corners)
      for i, path in ipairs(corners) do
        assert.equal(whole[i].cost, path.cost)
        assert.truthy(#path < #whole[i])
      end
    end
  end)

  it("fail as path does", function()
    local map = coast():close(57, 20)
    helper.fails("no path from (4,20) to (57,20): the goal is closed", "no_path", map.alternatives, map, 4, 20, 57, 20)
    assert.equal("budget", select(3, map:alternatives(4, 20, 50, 20, { max_cost = 3 })))
    assert.equal("budget", select(3, map:alternatives(4, 20, 50, 20, { max_expanded = 3 })))
  end)

  it("go over edges, parallel ones and such without lengths", function()
    local g = wend.graph()
    for _ = 1, 4 do g:add_node() end
    g:add_edges({ 1, 2, 2, 4, 1, 3, 3, 4, 1, 4, 1, 4 }, { weights = { 1, 1, 1, 1, 2.5, 1.9 } })
    local taken = {}
    for seed = 1, 9 do
      local list = g:alternatives(1, 4, { count = 9, worse = 0.5, overlap = 0.1, seed = seed })
      assert.equal("6", table.concat(list[1]:edges(), " "))
      for _, path in ipairs(list) do taken[table.concat(path:edges(), " ")] = true end
    end
    assert.same({ ["1 2"] = true, ["3 4"] = true, ["6"] = true }, taken)
  end)

  local map, g = coast(), wend.graph()
  g:add_nodes { 0, 0, 5, 0 }
  local function ask(opts) return function() map:alternatives(4, 20, 57, 20, opts) end end
  helper.all_raise(it, {
    "overlap must be a number > 0 and <= 1, got 0", ask { overlap = 0 },
    "overlap must be a number > 0 and <= 1, got 1.5", ask { overlap = 1.5 },
    "overlap must be a number > 0 and <= 1, got nan", ask { overlap = 0 / 0 },
    "worse must be a finite number > 0, got 0", ask { worse = 0 },
    "worse must be a finite number > 0, got inf", ask { worse = math.huge },
    "count must be a whole number in 1 .. 64, got 0", ask { count = 0 },
    "count must be a whole number in 1 .. 64, got 65", ask { count = 65 },
    "count must be a whole number in 1 .. 64, got '3'", ask { count = "3" },
    "seed must be a finite number, got inf", ask { seed = math.huge },
    "options must be a table, got 5", ask(5),
    "size must be a whole number in 1 .. 32, got 0", ask { size = 0 },
    "unknown option 'variation' (expected one of: count, worse, ...", ask { variation = 1, seed = 2 },
    "unknown option 'partial' (expected one of: count, worse, ...", ask { partial = true },
    "unknown option 'per_turn' (expected one of: count, worse, ...", ask { per_turn = 5 },
    "x1 must be a whole number in 1 .. 60, got nil", function() map:alternatives() end,
    "x2 must be a whole number in 1 .. 60, got nil", function() map:alternatives(4, 20) end,
    "to must be a node (its id or name), got nil", function() g:alternatives(1) end,
    "to: there is no node 9", function() g:alternatives(1, 9) end,
    "corners is an option of grids: ...", function() g:alternatives(1, 2, { corners = true }) end,
    "self must be a grid (call it with a colon: grid:method()), got a wend.Graph",
    function() map.alternatives(g, 1, 2) end,
  })

  it("raise what a function raises, at once", function()
    local calls = 0
    local ok, message = pcall(map.alternatives, map, 4, 20, 57, 20, { cost = function(_, cost)
      calls = calls + 1
      if calls == 9000 then error "no luck" end
      return cost
    end })
    assert.equal(false, ok)
    assert.truthy(message:find("no luck", 1, true))
    helper.cannot_yield(map.alternatives, map, 4, 20, 57, 20, { cost = function() coroutine.yield() end })
  end)
end)

describe("alternatives over random maps", function()
  it("cost and share what they may on grids", function()
    local more = 0
    helper.rounds("alternatives grids", 60, function(rng)
      local model = grid_reference.random(rng, { width = rng(2, 60), height = rng(2, 40),
        closed = rng:pick { 0, 0.1, 0.25 } })
      local costs, view = grid_reference.random_costs(rng)
      local x, y, x2, y2 = rng(model.width), rng(model.height), rng(model.width), rng(model.height)
      local arcs = model:arcs(view)
      local options = with(costs, { count = rng(1, 5), worse = rng:pick { 0.1, 0.5, 2 },
        overlap = rng:pick { 0.05, 0.5, 1 }, seed = rng(99) })
      local list = model.grid:alternatives(x, y, x2, y2, options)
      local cheapest = model.grid:path(x, y, x2, y2, costs)
      assert.equal(cheapest == nil, list == nil)
      if not list then return end
      assert.truthy(#list <= options.count)
      check_costs(list, cheapest.cost, options.worse)
      check_shares(list, options.overlap, steps_of_cells)
      for _, path in ipairs(list) do
        grid_reference.walk(model, arcs, path, model:cell(x, y), { model:cell(x2, y2) })
      end
      more = more + #list - 1
    end)
    assert.truthy(not helper.all_rounds() or more > 0, more)
  end)

  it("cost and share what they may on graphs", function()
    local more = 0
    helper.rounds("alternatives graphs", 200, function(rng)
      local g, model = helper.random_graph(rng, { nodes = rng(2, 40), edges = rng(40, 200) })
      local costs = reference.random_costs(rng)
      local from, to = rng:pick(model.nodes), rng:pick(model.nodes)
      local options = with(costs, { count = rng(1, 5), worse = rng:pick { 0.1, 0.5, 2 },
        overlap = rng:pick { 0.05, 0.5, 1 }, seed = rng(99) })
      local list = g:alternatives(from, to, options)
      local cheapest = g:path(from, to, costs)
      assert.equal(cheapest == nil, list == nil)
      if not list then return end
      assert.truthy(#list <= options.count)
      check_costs(list, cheapest.cost, options.worse)
      check_shares(list, options.overlap, function(path) return steps_of_edges(g, path) end)
      for _, path in ipairs(list) do reference.walk(g, path, from, to) end
      more = more + #list - 1
    end)
    assert.truthy(not helper.all_rounds() or more > 0, more)
  end)
end)
