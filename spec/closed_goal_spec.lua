-- SPDX-License-Identifier: MIT
-- The option closed_goal: the last step may enter a goal that is closed. spec/random/closed_goal_spec.lua compares it
-- with a plain solver.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local unpack = table.unpack or unpack
local CLOSED = { closed_goal = true }

-- A unit at 1,1 and one at 5,1 have closed their cells in an overlay.
local function duel()
  local grid = wend.parse_grid [[
    .....
    .###.
    .....
  ]]
  return grid, grid:overlay():close(1, 1):close(5, 1)
end

describe("closed_goal", function()
  it("lets paths and watches of graphs notice other changes of the goal", function()
    local costs = wend.costs { mud = 5, lava = false }
    local changes = {
      function(g) g:set_node_tag(3, "mud") end, function(g) g:set_node_tag(3, "lava") end,
      function(g) g:move(3, 2, 1) end, function(g) g:close_edge(2) end, function(g) g:remove_node(3) end,
    }
    for _, change in ipairs(changes) do
      local g = wend.graph()
      g:add_nodes { 0, 0, 1, 0, 2, 0 }
      g:add_edges({ 1, 2, 2, 3 }, { weights = { 1, 1 } })
      local options = { costs = costs, closed_goal = true }
      local field = g:field(3, options)
      local path, kept = g:path(1, 3, options), field:path(1)
      local watch = wend.watch(g):add(path):add(kept)
      g:close(3)
      assert.same({ true, true, 0 }, { path:valid(), kept:valid(), #watch:affected() })
      g:open(3)
      assert.equal(true, path:valid())
      change(g)
      assert.same({ false, false, 2 }, { path:valid(), kept:valid(), #watch:affected() })
      if g:node_count() == 3 then assert.equal(false, field:path(1):valid()) end
    end
  end)

  it("is reached by an agent of size 3 only from beside it", function()
    local grid, options = wend.grid(8, 7), { size = 3, closed_goal = true }
    local path, near = grid:path(2, 4, 5, 4, options), grid:path(4, 4, 5, 4, options)
    local watch = wend.watch(grid):add(path):add(near)
    grid:close(5, 4)
    assert.same({ false, true }, { path:valid(), near:valid() })
    assert.same({ path }, watch:affected())
    assert.equal("no_path", select(3, grid:path(2, 4, 5, 4, options)))
    assert.equal(1, grid:path(4, 4, 5, 4, options).cost)
    assert.equal(1, grid:path(2, 4, 5, 4, { size = 3, within = 2 }).cost)
    local two = { size = 2, closed_goal = true } -- it does not cover the goal from the right and from below
    assert.same({ 2, 2 }, { grid:path(7, 4, 5, 4, two).cost, grid:path(5, 6, 5, 4, two).cost })
    assert.truthy(grid:path(1, 4, 5, 4, two).cost > 4)
  end)

  it("lets the last step enter the goal, in all calls with goals", function()
    local _, units = duel()
    assert.equal("no_path", select(3, units:path(1, 1, 5, 1)))
    assert.equal("1,1 2,1 3,1 4,1 5,1", grid_reference.text(units:path(1, 1, 5, 1, CLOSED)))
    assert.equal(4, grid_reference.sliced(units, 1, 1, 1, 5, 1, CLOSED).cost)
    assert.equal(4, units:paths({ 1, 1, 5, 1 }, CLOSED)[1].cost)
    assert.same({ false, true }, { units:can_reach(1, 1, 5, 1), (units:can_reach(1, 1, 5, 1, CLOSED)) })
    assert.equal(4, units:field(5, 1, CLOSED):cost(1, 1))
    assert.is_nil(units:field(5, 1):cost(1, 1))
    assert.is_nil(units:why_not(1, 1, 5, 1, CLOSED))
    assert.truthy(units:why_not(1, 1, 5, 1))
    assert.equal(math.huge, units:explain({ 4, 1, 5, 1 }).cost)
    assert.equal(1, units:explain({ 4, 1, 5, 1 }, CLOSED).cost)
    local to = { can_reach = { 5, 1 }, closed_goal = true }
    assert.same({ 4, 1, 0.5 }, { units:nearest(4, 0.5, to) })
  end)

  it("leads many trips to their goals", function()
    local grid = wend.grid(9, 9)
    local units, trips = grid:overlay():close(5, 5), {}
    for i = 1, 9 do
      for _, number in ipairs { i, 1, 5, 5, 1, 5, i, i } do trips[#trips + 1] = number end
    end
    local stats = {}
    units:close(7, 7)
    for i, path in ipairs(units:paths(trips, { closed_goal = true, stats = stats })) do
      local x1, y1, x2, y2 = trips[4 * i - 3], trips[4 * i - 2], trips[4 * i - 1], trips[4 * i]
      assert.near(units:path(x1, y1, x2, y2, CLOSED).cost, path.cost, 1e-9)
    end
  end)

  it("lets a route over a grid end in a closed cell", function()
    local grid, units = duel()
    assert.equal("no_path", select(3, units:route(0.5, 0.5, 4.7, 0.4)))
    local route = units:route(0.5, 0.5, 4.5, 0.5, CLOSED)
    assert.same({ 0.5, 0.5, 4.5, 0.5 }, { unpack(route) })
    assert.equal(4, route.cost)
    route = units:route(0.5, 0.5, 4.7, 0.4, CLOSED)
    assert.same({ 0.5, 0.5, 4.7, 0.4 }, { unpack(route) })
    assert.near(grid:route(0.5, 0.5, 4.7, 0.4).cost, route.cost, 1e-12)
    local q, found = wend.queue(), nil
    q:route(units, 0.5, 0.5, 4.7, 0.4, { closed_goal = true, on_done = function(one) found = one end })
    while q:pending() > 0 do q:step(10) end
    assert.near(route.cost, found.cost, 1e-12)
  end)

  it("lets a route leave a graph at a closed node", function()
    for _, enter in ipairs { "node", "edge" } do
      local g = wend.graph()
      g:add_nodes { 0, 0, 10, 0, 20, 0, 30, 0 }
      g:add_edges { 1, 2, 2, 3 }
      g:close(3)
      assert.near(19, g:route(1, { 19, 0 }, { enter = enter }).cost, 1e-9)
      local route = g:route(1, { 20, 1 }, { enter = enter, closed_goal = true })
      assert.same({ 1, 2, 3 }, route.nodes)
      assert.near(21, route.cost, 1e-9)
      g:add_edge(3, 4)
      local options = { enter = enter, closed_goal = true, max_distance = 15 }
      route = g:route(1, { 30, 0 }, options) -- nothing passes through node 3: it is the end
      assert.same({ 1, 2, 3 }, route and route.nodes)
      assert.near(30, route.cost, 1e-9)
      assert.is_nil((g:route(1, { 30, 0 }, { enter = enter, max_distance = 9, closed_goal = true })))
    end
  end)

  it("serves requests of queues, also those that share a field", function()
    local _, units = duel()
    local q, found = wend.queue(), {}
    for i = 1, 4 do
      local share = i > 1 or nil
      q:path(units, i > 2 and 2 or 1, 1, 5, 1,
        { closed_goal = true, share = share, on_done = function(path) found[i] = path end })
    end
    q:path(units, 1, 1, 5, 1, { share = true, on_done = function(_, _, code) found[5] = code end })
    while q:pending() > 0 do q:step(1000) end
    assert.same({ 4, 4, 3, 3 }, { found[1].cost, found[2].cost, found[3].cost, found[4].cost })
    assert.equal("no_path", found[5])
  end)

  it("counts the goal's weight and tag; a tag that the agent closes stays closed", function()
    local grid, units = duel()
    grid:set(4, 3, { weight = 5, tag = "lair", closed = true })
    local function cost(value)
      local path = units:path(5, 3, 4, 3, { costs = wend.costs { lair = value }, closed_goal = true })
      return path and path.cost
    end
    assert.same({ 5, 10 }, { cost(1), cost(2) })
    assert.is_nil(cost(false))
    assert.equal(nil, (units:path(5, 3, 4, 3)))
  end)

  it("lets nothing pass through the goal", function()
    local corridor = wend.grid(5, 1):close(3, 1)
    assert.same({ 1, 1, 2, 1, 3, 1 }, { unpack(corridor:path(1, 1, { 5, 1, 3, 1 }, CLOSED)) })
    assert.is_nil((corridor:path(1, 1, 5, 1, CLOSED)))
    assert.is_nil(corridor:field({ 3, 1, 5, 1 }, CLOSED):path(1, 1)[7])
    local yard = wend.grid(2, 2):close(2, 1)
    assert.equal(2, yard:path(1, 1, { 2, 2 }, CLOSED).cost) -- not past the corner
    assert.equal(2, yard:path(1, 1, { 2, 2, 2, 1 }, { closed_goal = true, costs = wend.costs() }).goal)
  end)

  it("costs nothing where the start is the goal", function()
    local _, units = duel()
    assert.equal(0, units:path(1, 1, 1, 1, CLOSED).cost)
    local g = wend.graph()
    g:add_node(0, 0)
    g:add_edge(1, 1)
    g:close(1)
    assert.equal(0, g:path(1, 1, CLOSED).cost)
    assert.equal(1, #g:path(1, { 1 }, CLOSED))
  end)

  it("is kept by the path: explain, compare, straighten, encode", function()
    local _, units = duel()
    local path = units:path(1, 1, 5, 1, CLOSED)
    assert.equal(1, path:explain()[4].cost)
    assert.equal(4, units:explain(path).cost)
    local straight = units:straighten(path)
    assert.same({ 1, 1, 5, 1 }, { unpack(straight) })
    assert.equal(4, straight.cost)
    assert.equal(4, units:explain(straight).cost)
    local loaded = wend.decode(path:encode(), { map = units })
    for _, one in ipairs { path, straight, loaded, units:field(5, 1, CLOSED):path(1, 1) } do
      assert.equal(true, one:valid())
      units:open(5, 1):close(5, 1):open(1, 1):close(1, 1)
      assert.equal(true, one:valid())
    end
    units:close(3, 1)
    for _, one in ipairs { path, straight, loaded } do assert.equal(false, one:valid()) end
  end)

  it("without it, a path is not valid when its goal closes, but when its start does", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 5, 0, 9, 0 }
    g:add_edges { 1, 2, 2, 3 }
    local plain, attack = g:path(1, 3), g:path(1, 3, CLOSED)
    local watch = wend.watch(g):add(plain):add(attack)
    g:close(1)
    assert.same({ true, true, 0 }, { plain:valid(), attack:valid(), #watch:affected() })
    g:close(3)
    assert.same({ false, true }, { plain:valid(), attack:valid() })
    assert.equal(plain, watch:affected()[1])
    g:close(2)
    assert.equal(false, attack:valid())
  end)

  it("is refused with values, and where there is no goal", function()
    local grid, units = duel()
    helper.raises("closed_goal and values do not go together: leave one of the two options out", grid.field, grid, 1, 1,
      { closed_goal = true, values = { 1 } })
    helper.raises("closed_goal must be true or false, got 1", units.path, units, 1, 1, 2, 1, { closed_goal = 1 })
    local ok, message = pcall(grid.prepare, grid, CLOSED)
    assert.equal(false, ok)
    assert.truthy(message:find("unknown option 'closed_goal'", 1, true))
  end)
end)
