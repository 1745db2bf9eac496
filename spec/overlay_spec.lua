-- SPDX-License-Identifier: MIT
-- Overlays: changes of a map that only queries with the option overlay see.
local helper = require "spec.helper"
local wend = require "wend"

local raises, all_raise = helper.raises, helper.all_raise

-- Two ways from gate to keep: the bridge (edge 1, 10 long), and the ford (edges 2 and 3, together 20).
local function bridge()
  local g = wend.graph()
  g:add_node(0, 0, { name = "gate" })
  g:add_node(10, 0, { name = "keep" })
  g:add_node(5, 5, { name = "ford" })
  g:add_edge("gate", "keep", { tag = "bridge" })
  g:add_edges({ 1, 3, 3, 2 }, { weights = { 10, 10 } })
  return g
end

local function nodes(path) return path and table.concat(path, " ") end

describe("map:overlay", function()
  it("makes an overlay that changes nothing", function()
    local g = bridge()
    local o = g:overlay()
    assert.equal("overlay", wend.type(o))
    assert.equal("wend.Overlay (0 changes)", tostring(o))
    assert.equal(10, g:path("gate", "keep", { overlay = o }).cost)
  end)

  it("keeps its map alive", function()
    local o = wend.grid(3, 3):overlay()
    collectgarbage()
    collectgarbage()
    assert.equal("wend.Overlay (1 change)", tostring(o:close(2, 2)))
  end)

  it("can be made any number of times: each is seen only by those who ask for it", function()
    local grid = wend.grid(9, 1)
    local overlays = {}
    for x = 2, 8 do overlays[x] = grid:overlay():close(x, 1) end
    for _ = 1, 2 do
      for x = 2, 8 do
        assert.equal(x - 1, #grid:path(1, 1, 9, 1, { overlay = overlays[x], partial = true }) / 2)
      end
    end
    assert.equal(8, grid:path(1, 1, 9, 1).cost)
  end)
end)

describe("an overlay of a graph", function()
  it("closes and opens nodes and edges", function()
    local g = bridge()
    local o = g:overlay()
    assert.equal("1 2", nodes(g:path(1, 2, { overlay = o })))
    assert.equal(o, o:close_edge(1))
    assert.equal("1 3 2", nodes(g:path(1, 2, { overlay = o })))
    o:close "ford"
    helper.fails("no path from 'gate' (1) to 'keep' (2)", "no_path", g.path, g, 1, 2, { overlay = o })
    g:close_edge(1)
    assert.equal("1 3 2", nodes(g:path(1, 2)))
    o:open_edge(1)
    assert.equal("1 2", nodes(g:path(1, 2, { overlay = o })))
    g:close "keep"
    o:open "keep"
    assert.equal("1 2", nodes(g:path(1, 2, { overlay = o })))
    assert.equal(true, g:is_closed "keep")
    assert.equal(true, g:edge(1).closed)
  end)

  it("sets weights; nil is the length", function()
    local g = bridge()
    local o = g:overlay():set_weight(1, 50)
    assert.equal(20, g:path(1, 2, { overlay = o }).cost)
    o:set_weight(2, nil):set_weight(3)
    assert.near(2 * 50 ^ 0.5, g:path(1, 2, { overlay = o }).cost, 1e-9)
    g:move("ford", 5, 0)
    assert.equal(10, g:path(1, 2, { overlay = o }).cost)
    assert.equal(10, g:edge(2).weight)
  end)

  it("sees what is added to its map later", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    assert.equal(20, g:path(1, 2, { overlay = o }).cost)
    local tunnel = g:add_edge(1, 2, { weight = 11 })
    assert.equal(11, g:path(1, 2, { overlay = o }).cost)
    assert.equal(tunnel, g:path(1, 2, { overlay = o }):edges()[1])
    g:remove_edge(tunnel)
    assert.equal(20, g:path(1, 2, { overlay = o }).cost)
    local raft = g:add_edge(1, 2, { weight = 12 })
    assert.equal(raft, g:path(1, 2, { overlay = o }):edges()[1])
    local far = g:add_node(0, 50, { name = "far" })
    g:add_edge(1, far)
    assert.equal(50, g:path("gate", "far", { overlay = o }).cost)
  end)

  it("does not matter where nodes and edges were removed", function()
    local g = bridge()
    local o = g:overlay():close "ford":close_edge(2)
    g:remove_node "ford"
    assert.equal("1 2", nodes(g:path(1, 2, { overlay = o })))
    local again = g:add_node(5, 5)
    g:add_edges { 1, again, again, 2 }
    o:close_edge(1)
    assert.equal(3, #g:path(1, 2, { overlay = o }))
  end)

  it("leaves out excepted nodes", function()
    local g = bridge()
    local o = g:overlay():close "keep":close "ford"
    assert.equal(nil, (g:path(1, 2, { overlay = o })))
    assert.equal(10, g:path(1, 2, { overlay = o, except = "keep" }).cost)
    o:close_edge(1)
    assert.equal(nil, (g:path(1, 2, { overlay = o, except = 2 })))
    assert.equal(20, g:path(1, 2, { overlay = o, except = { 2, "ford" } }).cost)
    assert.equal(nil, (g:path(1, 2, { overlay = o })))
  end)

  it("resets a node, an edge, or everything", function()
    local g = bridge()
    local o = g:overlay():close_edge(1):close "ford"
    assert.equal(nil, (g:path(1, 2, { overlay = o })))
    assert.equal("1 3 2", nodes(g:path(1, 2, { overlay = o:reset "ford" })))
    assert.equal("1 2", nodes(g:path(1, 2, { overlay = o:reset_edge(1) })))
    o:close_edge(1):set_weight(2, 7)
    assert.equal("wend.Overlay (2 changes)", tostring(o))
    assert.equal("1 2", nodes(g:path(1, 2, { overlay = o:reset() })))
    assert.equal("wend.Overlay (0 changes)", tostring(o))
  end)

  it("serves names, routes, nearest edges and checks", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    assert.equal(20, g:path("gate", { "keep" }, { overlay = o }).cost)
    local route = g:route({ 0, 0 }, { 10, 0 }, { overlay = o, enter = "edge" })
    assert.equal(20, route.cost)
    assert.equal(1, (g:nearest_edge(5, 0, { can_reach = "keep" })))
    assert.equal(2, (g:nearest_edge(5, 1, { can_reach = "keep", overlay = o })))
    o:close_edge(2):close_edge(3)
    assert.equal(1, (g:nearest(1, 1, { can_reach = "keep" })))
    assert.equal(2, (g:nearest(1, 1, { can_reach = "keep", overlay = o })))
    assert.equal(true, g:check().connected)
    assert.equal(3, #g:check({ overlay = o }).components)
  end)

  it("does not change the heuristic for others: results do not depend on which overlays were used before", function()
    local function stats_after(used)
      local g = bridge()
      local light, dark = g:overlay():set_weight(1, 2), g:overlay():close_edge(3)
      if used then
        for _ = 1, 3 do
          g:path(1, 2, { overlay = light })
          for _ = 1, 6 do g:path(1, 2, { overlay = g:overlay():set_weight(2, 0.5) }) end
        end
      end
      local stats = {}
      g:path(1, 2, { overlay = dark, stats = stats })
      return stats.bound
    end
    assert.equal(stats_after(false), stats_after(true))
  end)
end)

describe("an overlay of a grid", function()
  local function grid_and_overlay()
    local grid = wend.parse_grid [[
      .....
      .###.
      .....
    ]]
    return grid, grid:overlay()
  end

  it("closes and opens cells and rectangles", function()
    local grid, o = grid_and_overlay()
    o:close(3, 1)
    assert.equal(true, o:is_closed(3, 1))
    assert.equal(false, grid:is_closed(3, 1))
    assert.truthy(grid:path(1, 1, 5, 1, { overlay = o }).cost > 4)
    o:close(3, 1, 3, 3)
    assert.equal(nil, (grid:path(1, 1, 5, 1, { overlay = o })))
    o:open(2, 2, 4, 2)
    assert.equal(false, o:is_closed { x = 3, y = 2 })
    assert.equal(true, grid:is_closed(3, 2))
    assert.truthy(grid:path(1, 1, 5, 1, { overlay = o }))
    o:close({ x = 1, y = 1 }, { x = 5, y = 3 })
    assert.equal("wend.Overlay (15 changes)", tostring(o))
  end)

  it("sets values: weights, tags, false", function()
    local grid, o = grid_and_overlay()
    o:set(3, 1, 7):set(3, 3, "mud")
    local path = grid:path(1, 1, 5, 1, { overlay = o })
    assert.truthy(path.cost > 4 and path.cost < 10)
    o:fill(1, 3, 5, 3, 9)
    assert.equal(10, grid:path(1, 1, 5, 1, { overlay = o }).cost)
    o:set({ x = 3, y = 1 }, 2, "mud")
    assert.equal(5 + 2, grid:path(1, 1, 5, 1, { overlay = o, costs = wend.costs { mud = 2 } }).cost)
    o:set(3, 1, false)
    assert.equal(true, o:is_closed(3, 1))
    o:open(3, 1)
    assert.equal(4, grid:path(1, 1, 5, 1, { overlay = o }).cost)
    o:reset():fill(2)
    assert.equal("wend.Overlay (15 changes)", tostring(o))
    assert.equal(8, grid:path(1, 1, 5, 1, { overlay = o }).cost)
    assert.equal(1, grid:get(1, 1))
    assert.same({}, (grid:tags()))
  end)

  it("keeps what it closes: a closed cell has the weight and the tag of the map", function()
    local grid = wend.grid(3, 1):set(2, 1, 4, "mud")
    local o = grid:overlay():close(2, 1)
    assert.equal(nil, (grid:path(1, 1, 3, 1, { overlay = o })))
    assert.equal(5, grid:path(1, 1, 3, 1, { overlay = o:open(2, 1) }).cost)
    grid:set(2, 1, 7)
    assert.equal(8, grid:path(1, 1, 3, 1, { overlay = o }).cost)
  end)

  it("does not change the file of its map, also with tags that the map does not have", function()
    local grid = wend.grid(5, 1):set(2, 1, "mud")
    local before, state = grid:encode(), grid:path(1, 1, 2, 1):state()
    local costs = wend.costs { lava = 3 }
    local o = grid:overlay():set(3, 1, "lava"):set(4, 1, { weight = 2, tag = "oil" })
    assert.equal(7, grid:path(1, 1, 5, 1, { overlay = o, costs = costs }).cost)
    assert.equal(before, grid:encode())
    assert.truthy(wend.restore(state, { map = wend.decode(before) }))
    assert.truthy(wend.restore(grid:path(1, 1, 2, 1):state(), { map = wend.decode(before) }))
    local field = grid:field(1, 1, { costs = costs })
    assert.equal(4, wend.decode(field:encode(), { map = grid, costs = costs }):path(5, 1).cost)
    assert.equal(4, wend.decode(field:encode(), { map = wend.decode(before), costs = costs }):path(5, 1).cost)
    grid:set(5, 1, "oil")
    assert.same({ mud = 1, oil = 1 }, (wend.decode(grid:encode()):tags()))
    assert.equal("oil", select(2, wend.decode(grid:encode()):get(5, 1)))
    o:set(3, 1, "brine")
    grid:map(function(x) if x == 1 then return "brine" end end)
    assert.same({ mud = 1, oil = 1, brine = 1 }, (wend.decode(grid:encode()):tags()))
    assert.equal(9, grid:path(1, 1, 5, 1, { overlay = o, costs = wend.costs { brine = 5 } }).cost)
  end)

  it("adds and removes walls", function()
    local grid = wend.grid(2, 2, { diagonals = "never" })
    local o = grid:overlay():wall(1, 1, 2, 1)
    assert.equal(3, grid:path(1, 1, 2, 1, { overlay = o }).cost)
    grid:wall(1, 1, 1, 2)
    assert.equal(nil, (grid:path(1, 1, 2, 1, { overlay = o })))
    o:wall({ x = 1, y = 2 }, { x = 1, y = 1 }, false)
    assert.equal(3, grid:path(1, 1, 2, 1, { overlay = o }).cost)
    assert.equal("wend.Overlay (2 changes)", tostring(o))
    o:reset(1, 1)
    assert.equal("wend.Overlay (0 changes)", tostring(o))
    assert.equal(1, grid:path(1, 1, 2, 1, { overlay = o }).cost)
  end)

  it("leaves out excepted cells", function()
    local grid = wend.grid(5, 1)
    local o = grid:overlay():close(1, 1):close(3, 1):close(5, 1)
    assert.equal(nil, (grid:path(1, 1, 5, 1, { overlay = o })))
    assert.equal(nil, (grid:path(1, 1, 5, 1, { overlay = o, except = { 3, 1 } })))
    assert.equal(4, grid:path(1, 1, 5, 1, { overlay = o, except = { 3, 1, 5, 1 } }).cost)
    assert.equal(2, grid:path(1, 1, 3, 1, { overlay = o, except = { x = 3, y = 1 } }).cost)
    assert.equal(nil, (grid:path(1, 1, 5, 1, { overlay = o, except = {} })))
    assert.equal(3, #grid:check({ overlay = o, except = { 3, 1 } }).components[1] / 2)
  end)

  it("resets rectangles; what is reset and done again costs nothing", function()
    local grid = wend.grid(9, 9)
    local o = grid:overlay():close(2, 2, 8, 8)
    assert.equal("wend.Overlay (49 changes)", tostring(o))
    o:reset(2, 2, 8, 4)
    assert.equal("wend.Overlay (28 changes)", tostring(o))
    local path = grid:path(1, 9, 9, 9, { overlay = o })
    o:reset():close(2, 5, 8, 8)
    assert.equal(true, path:valid())
    local field = grid:field(1, 1, { overlay = o })
    o:reset():close(2, 5, 8, 8)
    assert.equal(false, field:stale())
  end)

  it("serves all queries", function()
    local grid = wend.grid(7, 7)
    local o = grid:overlay():close(4, 1, 4, 6)
    assert.equal(false, grid:clear(1, 1, 7, 1, { overlay = o }))
    assert.equal(true, grid:clear(1, 1, 7, 1))
    assert.equal(false, grid:clear_points(1, 1, 6.5, 1, { overlay = o }))
    local x, y = grid:nearest(3.5, 2.5, { overlay = o })
    assert.same({ 3, 3 }, { x, y })
    assert.equal(nil, (grid:random(1, { overlay = grid:overlay():close(1, 1, 7, 7) })))
    assert.equal(2, #grid:check({ overlay = o:close(4, 7) }).components)
    assert.equal(nil, (grid:route({ 0.5, 0.5 }, { 6.5, 0.5 }, { overlay = o })))
    assert.equal(nil, (grid:nearest(0.5, 0.5, { overlay = o, can_reach = { 7, 7 }, max_distance = 2 })))
  end)

  it("works where a grid has more different cells than a palette", function()
    local grid = wend.grid(300, 300):map(function(x, y) return x * 1000 + y end)
    local o = grid:overlay():close(2, 1):set(1, 2, 0.5)
    local copy = grid:copy():close(2, 1):set(1, 2, 0.5)
    for _ = 1, 2 do
      assert.equal(copy:path(1, 1, 30, 30).cost, grid:path(1, 1, 30, 30, { overlay = o }).cost)
      grid:set(3, 3, 7)
      copy:set(3, 3, 7)
    end
  end)
end)

describe("a path with an overlay", function()
  local function corridor()
    local grid = wend.grid(6, 3)
    local o = grid:overlay():close(3, 1):close(3, 2)
    return grid, o, grid:path(1, 1, 6, 1, { overlay = o, except = { 1, 1 } })
  end

  it("remembers it", function()
    local grid, o, path = corridor()
    assert.equal(o, path.overlay)
    assert.same({ 1, 1 }, path.except)
    assert.equal(grid, path.map)
    assert.equal(nil, grid:path(1, 1, 2, 1).overlay)
    local into = {}
    grid:path(1, 1, 2, 1, { overlay = o, into = into })
    assert.equal(o, into.overlay)
    grid:path(1, 1, 2, 1, { into = into })
    assert.equal(nil, into.overlay)
    grid:path(1, 1, 2, 1, { overlay = o:close(2, 1), into = into })
    assert.equal(nil, into.overlay)
  end)

  it("is valid until the overlay closes one of its cells, or changes its costs", function()
    local _, o, path = corridor()
    assert.equal(true, path:valid())
    o:close(6, 3)
    assert.equal(true, path:valid())
    o:close(3, 3)
    assert.equal(false, path:valid())
    o:reset(3, 3)
    assert.equal(true, path:valid())
    o:set(3, 3, 1)
    assert.equal(false, path:valid())
    o:reset(3, 3)
    assert.equal(false, path:valid())
  end)

  it("is valid if a closed cell of the overlay is free again, or the start is closed", function()
    local _, o, path = corridor()
    o:open(3, 1)
    assert.equal(true, path:valid())
    o:close(1, 1)
    assert.equal(true, path:valid())
  end)

  it("is valid for a unit that marks its cell on the way", function()
    local _, o, path = corridor()
    local before_x, before_y = 1, 1
    for _, x, y in path:each() do
      o:reset(before_x, before_y):close(x, y)
      path.except = { x, y }
      assert.equal(true, path:valid())
      before_x, before_y = x, y
    end
    path.except = nil
    assert.equal(true, path:valid()) -- the last answer counts: since then nothing has changed
  end)

  it("is not valid after an edit of the map at its cells, or of a wall beside them", function()
    local grid, o, path = corridor()
    grid:close(6, 3)
    assert.equal(true, path:valid())
    o:wall(5, 1, 6, 1)
    o:wall(6, 2, 6, 1)
    o:wall(5, 2, 6, 1)
    assert.equal(false, path:valid())
    path = grid:path(1, 1, 6, 1, { overlay = o:reset() })
    assert.equal(true, path:valid())
    grid:close(6, 1)
    assert.equal(false, path:valid())
  end)

  it("is not valid without its overlay", function()
    local grid, _, path = corridor()
    path.overlay = grid:overlay()
    assert.equal(false, path:valid())
    path.overlay = nil
    assert.equal(false, path:valid())
    path.overlay = 7
    assert.equal(false, path:valid())
  end)

  it("is valid or not on graphs too", function()
    local g = bridge()
    local o = g:overlay():close_edge(1)
    local path = g:path(1, 2, { overlay = o })
    assert.equal(true, path:valid())
    o:close "gate"
    assert.equal(true, path:valid()) -- the start
    o:open_edge(1)
    assert.equal(true, path:valid())
    o:close "ford"
    assert.equal(false, path:valid())
    path.except = "ford"
    assert.equal(true, path:valid())
    o:set_weight(3, 1)
    assert.equal(false, path:valid())
    local node = g:add_node(1, 1)
    path.except = node
    g:remove_node(node)
    assert.equal(false, path:valid())
  end)

  it("explains its costs with it", function()
    local g = bridge()
    local o = g:overlay():set_weight(1, 3)
    local path = g:path(1, 2, { overlay = o })
    assert.equal(3, path:explain()[1].cost)
    assert.equal(3, g:path(1, 2):explain({ overlay = o })[1].cost)
    local grid = wend.grid(3, 1)
    local mud = grid:overlay():set(2, 1, 5, "mud")
    local steps = grid:path(1, 1, 3, 1, { overlay = mud }):explain()
    assert.same({ 5, "mud" }, { steps[1].cost, steps[1].tag })
    steps = grid:path(1, 1, 3, 1, { overlay = mud, except = { 2, 1 } }):explain()
    assert.same({ 1 }, { steps[1].cost, steps[1].tag })
  end)

  it("can be straightened with it", function()
    local grid = wend.grid(9, 9)
    local o = grid:overlay():close(5, 2, 5, 8)
    local path = grid:path(1, 5, 9, 5, { overlay = o })
    local line = grid:straighten(path)
    assert.equal(o, line.overlay)
    assert.truthy(#line > 4)
    o:close(line[3], line[4])
    assert.equal(false, line:valid())
  end)

  it("is outdated when the profile changes a tag of the overlay", function()
    local grid = wend.grid(5, 1)
    local o, costs = grid:overlay():set(3, 1, "mud"), wend.costs { mud = 2 }
    local path = grid:path(1, 1, 5, 1, { overlay = o, costs = costs })
    local field = grid:field(1, 1, { overlay = o, costs = costs })
    assert.same({ true, false }, { path:valid(), field:stale() })
    costs:set("dirt", 5)
    assert.same({ true, false }, { path:valid(), field:stale() })
    costs:set("mud", 3)
    assert.same({ false, true }, { path:valid(), field:stale() })
  end)

  it("is saved without it", function()
    local grid, _, path = corridor()
    local again = wend.restore(path:state(), { map = grid })
    assert.equal(nil, again.overlay)
    assert.equal(true, again:valid())
  end)
end)

describe("a field with an overlay", function()
  it("has its costs, and is stale once the overlay or the map has changed", function()
    local grid = wend.grid(5, 1)
    local o = grid:overlay():set(3, 1, 5)
    local field = grid:field(1, 1, { overlay = o })
    assert.equal(8, field:cost(5, 1))
    assert.equal(4, grid:field(1, 1):cost(5, 1))
    assert.equal(false, field:stale())
    local path = field:path(5, 1)
    assert.equal(o, path.overlay)
    assert.equal(true, path:valid())
    o:set(3, 1, 6)
    assert.equal(true, field:stale())
    assert.equal(false, path:valid())
    assert.equal(8, field:path(5, 1).cost)
    assert.equal(false, field:path(5, 1):valid())
    helper.fails("the grid has changed since the field was made", "stale", field.relax, field)
    grid:field(1, 1, { overlay = o, into = field })
    assert.equal(9, field:cost(5, 1))
    grid:field(1, 1, { into = field })
    assert.equal(4, field:cost(5, 1))
    o:reset()
    assert.equal(false, field:stale())
    grid:close(2, 1)
    assert.equal(true, field:stale())
  end)

  it("relaxes with it", function()
    local grid = wend.grid(3, 3)
    local o = grid:overlay():close(2, 1, 2, 2)
    local field = grid:field(1, 1, { overlay = o }):scale(-1.2):relax()
    assert.equal(false, field:stale())
    local copy = grid:copy():close(2, 1, 2, 2)
    local expected = copy:field(1, 1):scale(-1.2):relax()
    for y = 1, 3 do
      for x = 1, 3 do
        assert.equal(expected:cost(x, y), field:cost(x, y))
        assert.same({ expected:next(x, y) }, { field:next(x, y) })
      end
    end
  end)

  it("is made in slices by queues; equal requests share it", function()
    local grid = wend.grid(20, 20)
    local o, queue = grid:overlay():close(10, 1, 10, 19), wend.queue()
    local costs = {}
    local function done(path) costs[#costs + 1] = path.cost end
    for y = 1, 5 do queue:path(grid, 1, y, 20, 1, { overlay = o, share = true, done = done }) end
    for y = 1, 5 do queue:path(grid, 1, y, 20, 1, { share = true, done = done }) end
    queue:path(grid, 1, 1, 20, 1, { overlay = o, except = { 10, 1 }, done = done })
    while queue:pending() > 0 do queue:step(50) end
    table.sort(costs)
    assert.equal(11, #costs)
    assert.equal(19, costs[1])
    assert.truthy(costs[7] > 25)
    assert.equal(grid:path(1, 1, 20, 1, { overlay = o }).cost, costs[11])
  end)
end)

describe("a search in slices with an overlay", function()
  local function run(search, between)
    local rounds = 0
    while search:step(20) == "running" do
      rounds = rounds + 1
      if between then between(rounds) end
    end
    return search:result()
  end

  it("survives changes far away, and begins again after near ones", function()
    local grid = wend.grid(60, 60)
    for y = 1, 60 do grid:fill(1, y, 60, y, 1 + y % 3) end
    local o = grid:overlay()
    local search = grid:search(1, 1, 40, 5, { overlay = o })
    local path = run(search, function(rounds) if rounds == 2 then o:close(60, 60) end end)
    assert.equal(0, search:restarts())
    assert.equal(true, path:valid())
    search = grid:search(1, 1, 40, 5, { overlay = o })
    path = run(search, function(rounds) if rounds == 2 then o:close(2, 1, 2, 10) end end)
    assert.equal(1, search:restarts())
    assert.equal(grid:path(1, 1, 40, 5, { overlay = o }).cost, path.cost)
    assert.equal(true, path:valid())
  end)

  it("ends on a shadow of its own when it is disturbed too often", function()
    local grid = wend.grid(60, 60)
    for y = 1, 60 do grid:fill(1, y, 60, y, 1 + y % 3) end
    local o = grid:overlay()
    local search = grid:search(1, 1, 60, 60, { overlay = o })
    local path = run(search, function(rounds) o:set(1, 2, 1 + rounds % 2) end)
    assert.equal(4, search:restarts())
    assert.equal(true, path.stale)
    assert.equal(true, path.cost > 59)
  end)

  it("is stale if it may not begin again", function()
    local grid = wend.grid(30, 30)
    local o = grid:overlay()
    local search = grid:search(1, 1, 30, 30, { overlay = o, restart = false })
    search:step(1)
    o:close(2, 2)
    assert.equal("failed", search:step(1000))
    assert.equal("stale", (select(3, search:result())))
  end)

  it("does not see other overlays, nor other exceptions", function()
    local grid = wend.grid(40, 40):fill(1, 1, 40, 20, 2)
    local o, others = grid:overlay():close(20, 1, 20, 39), {}
    for i = 1, 6 do others[i] = grid:overlay():close(i, i) end
    local expected = grid:path(1, 1, 40, 1, { overlay = o }).cost
    local searches = {}
    for i = 1, 6 do
      searches[i] = grid:search(1, 1, 40, 1, { overlay = o, except = i > 3 and { 20, i } or nil })
    end
    local running
    repeat
      running = false
      for i, search in ipairs(searches) do
        running = search:step(30) == "running" or running
        grid:path(1, 1, 40, 40, { overlay = others[i] })
        grid:path(1, 1, 40, 40, { overlay = o, except = { 20, 30 + i % 4 } })
      end
    until not running
    for i, search in ipairs(searches) do
      assert.equal(0, search:restarts())
      local cost = search:result().cost
      if i <= 3 then assert.equal(expected, cost) else assert.truthy(cost < expected) end
    end
  end)

  it("takes its shadow in the first slice, and gives it back at the end", function()
    local grid = wend.grid(100, 100)
    local o = grid:overlay():close(50, 1, 50, 99)
    local waiting = {}
    collectgarbage()
    local before = collectgarbage "count"
    for i = 1, 100 do
      waiting[i] = wend.core.start("path", grid, 1, 1, 100, 100, { overlay = o, except = { i, 100 } })
    end
    assert.truthy(collectgarbage "count" - before < 1000)
    for i = 1, 100 do
      while waiting[i]:step(1000) == "running" do end
      assert.truthy(waiting[i]:result())
    end
  end)
end)

describe("an overlay in callbacks", function()
  it("cannot be changed, but used", function()
    local grid = wend.grid(5, 5)
    local o, other = grid:overlay(), grid:overlay():close(3, 1, 3, 4)
    local changed, used = {}, nil
    local function ask(_, cost)
      changed[1] = select(2, pcall(o.close, o, 1, 1))
      changed[2] = select(2, pcall(other.reset, other))
      used = grid:path(1, 1, 5, 1, { overlay = other }).cost
      return cost
    end
    local path = grid:path(1, 1, 5, 1, { overlay = o, cost = ask })
    assert.equal(4, path.cost)
    for i = 1, 2 do
      assert.equal("the grid is being searched: change it when the search is over", (changed[i]:gsub("^.-:%d+: ", "")))
    end
    assert.equal(other:is_closed(3, 1), true)
    assert.truthy(used > 6)
    o:close(1, 1)
  end)

  it("that nobody holds is freed while its map is searched", function()
    local g, errors = bridge(), {}
    g:path(1, 2, { overlay = g:overlay(), cost = function(_, cost)
      for _ = 1, 3 do g:overlay():bytes() end
      for _ = 1, 2 do -- the collector of Lua 5.1 to 5.3 raises what a finalizer raises
        local ok, problem = pcall(collectgarbage)
        if not ok then errors[#errors + 1] = problem end
      end
      return cost
    end })
    assert.same({}, errors)
  end)

  it("sees the ids of the map", function()
    local g = bridge()
    local o, seen = g:overlay():close_edge(1), {}
    g:path(1, 2, { overlay = o, cost = function(_, cost, tag, from, to, edge)
      seen[#seen + 1] = ("%s %d %d %d %s"):format(tostring(tag), from, to, edge, g:name(to))
      return cost
    end })
    table.sort(seen)
    assert.equal("nil 1 3 2 ford", seen[1])
  end)

  it("changed by on_error makes the query stale", function()
    local grid = wend.grid(5, 5)
    local o, costs = grid:overlay(), wend.costs()
    costs:edge_rule("broken", function() error "no" end)
    costs.on_error = function() o:close(3, 3) end
    helper.fails("the grid or the costs have changed since the search began", "stale", grid.path, grid, 1, 1, 5, 5,
      { overlay = o, costs = costs })
    costs.on_error = function() end
    assert.truthy(grid:path(1, 1, 5, 5, { overlay = o, costs = costs }))
  end)

  it("can be used by searches in each other, with other exceptions", function()
    local grid = wend.grid(6, 1)
    local o, depth = grid:overlay():close(3, 1):close(5, 1), 0
    local function ask(_, cost, _, x)
      if depth < 12 then
        depth = depth + 1
        local options = { overlay = o, except = { 3, 1, 5, 1, 1 + depth % 6, 1 }, cost = ask }
        assert.equal(5, grid:path(1, 1, 6, 1, options).cost)
        assert.equal(nil, (grid:path(1, 1, 6, 1, { overlay = o, except = { 3, 1 } })))
      end
      assert.truthy(x)
      return cost
    end
    assert.equal(5, grid:path(1, 1, 6, 1, { overlay = o, except = { 3, 1, 5, 1 }, cost = ask }).cost)
    assert.equal(12, depth)
    assert.equal(nil, (grid:path(1, 1, 6, 1, { overlay = o })))
  end)
end)

describe("the memory of overlays", function()
  it("does not grow with units that move", function()
    local grid = wend.grid(50, 50)
    local o = grid:overlay()
    for round = 1, 400 do
      for i = 0, 9 do o:reset((round + 5 * i - 1) % 50 + 1, i + 1):close((round + 5 * i) % 50 + 1, i + 1) end
      grid:path(1, 50, 50, 50, { overlay = o })
    end
    assert.equal("wend.Overlay (10 changes)", tostring(o))
    assert.truthy(o:bytes() < 100000, tostring(o:bytes()))
  end)

  it("makes no garbage where maps make none", function()
    local grid = wend.grid(30, 30)
    local o, into, except = grid:overlay():close(15, 1, 15, 28), {}, { 1, 1 }
    local options = { overlay = o, except = except, into = into }
    local made = helper.garbage(50, 100, function(times)
      for i = 1, times do
        except[1] = i % 9 + 1
        o:close(20 + i % 3, 5):reset(20 + (i + 1) % 3, 5)
        grid:path(1, 1, 30, 1, options)
      end
    end)
    assert.truthy(made <= 0, made)
  end)
end)

describe("Errors of overlays", function()
  local g, grid = bridge(), wend.grid(4, 3)
  local o, p = g:overlay(), grid:overlay()
  local other, bare = wend.grid(4, 3):overlay(), wend.graph()
  bare:add_nodes {}
  bare:add_node()
  bare:add_node()
  bare:add_edge(1, 2, { weight = 1 })
  local bare_overlay = bare:overlay()

  all_raise(it, {
    "overlay must be an overlay of this graph, got 7", function() g:path(1, 2, { overlay = 7 }) end,
    "overlay must be an overlay of this grid, got a wend.Graph", function() grid:path(1, 1, 2, 2, { overlay = g }) end,
    "overlay must be an overlay of this graph, got one of another map", function() g:path(1, 2, { overlay = p }) end,
    "overlay must be an overlay of this grid, got one of another map",
    function() grid:path(1, 1, 2, 2, { overlay = other }) end,
    "overlay must be an overlay of this graph, got one of another map", function() g:nearest(1, 2, { overlay = p }) end,
    "overlay must be an overlay of this grid, got one of another map",
    function() grid:nearest(1, 2, { overlay = other }) end,
    "overlay must be an overlay of this grid, got one of another map",
    function() grid:random(1, { overlay = other }) end,
    "overlay must be an overlay (map:overlay()), got true", function() g:nearest(1, 2, { overlay = true }) end,
    "a route table cannot have an overlay: change a copy of the graph, and make the table of that",
    function() g:routes { overlay = o } end,
    "unknown option 'overlay' (expected one of: into)", function() g:field(1):path(2, { overlay = o }) end,
    "a field with an overlay cannot be saved: overlays are not part of files",
    function() g:field(1, { overlay = o }):encode() end,
    "except must be nodes, or cells, got true", function() g:path(1, 2, { overlay = o, except = true }) end,
    "except: there is no node 99", function() g:path(1, 2, { overlay = o, except = 99 }) end,
    "except[2]: there is no node named 'moat'", function() g:path(1, 2, { overlay = o, except = { 1, "moat" } }) end,
    "except must be a node or a list of nodes, got a position",
    function() g:path(1, 2, { overlay = o, except = { x = 1, y = 2 } }) end,
    "except must be a cell or a list of cells, got 7",
    function() grid:path(1, 1, 2, 2, { overlay = p, except = 7 }) end,
    "except must hold 2 numbers per item, got 3 numbers",
    function() grid:path(1, 1, 2, 2, { overlay = p, except = { 1, 1, 2 } }) end,
    "except[3] must be a whole number in 1 .. 4, got 5",
    function() grid:path(1, 1, 2, 2, { overlay = p, except = { 1, 1, 5, 1 } }) end,
    "except.y must be a whole number in 1 .. 3, got nil",
    function() grid:path(1, 1, 2, 2, { overlay = p, except = { x = 1 } }) end,
    "self must be an overlay (call it with a colon: overlay:method()), got nil", function() o.close() end,
    "self must be an overlay (call it with a colon: overlay:method()), got a wend.Graph", function() o.reset(g) end,
    "node: there is no node 9", function() o:close(9) end,
    "node must be a node (its id or name), got nil", function() o:open() end,
    "node: there is no node named 'moat'", function() o:is_closed "moat" end,
    "node must be a node (its id or name), got nil", function() o:reset(nil) end,
    "edge: there is no edge 9", function() o:close_edge(9) end,
    "edge must be an edge (its id), got 'x'", function() o:open_edge "x" end,
    "edge: there is no edge 9", function() o:reset_edge(9) end,
    "weight must be a finite number >= 0, got -1", function() o:set_weight(1, -1) end,
    "weight must be a finite number >= 0, got nan", function() o:set_weight(1, 0 / 0) end,
    "weight must be a finite number >= 0, got inf", function() o:set_weight(1, math.huge) end,
    "weight must be given: node 1 has no position", function() bare_overlay:set_weight(1) end,
    "self must be an overlay of a grid, got one of a graph", function() o:set(1, 1, 2) end,
    "self must be an overlay of a grid, got one of a graph", function() o:fill(1) end,
    "self must be an overlay of a grid, got one of a graph", function() o:wall(1, 1, 1, 2) end,
    "self must be an overlay of a graph, got one of a grid", function() p:close_edge(1) end,
    "self must be an overlay of a graph, got one of a grid", function() p:set_weight(1, 1) end,
    "self must be an overlay of a graph, got one of a grid", function() p:reset_edge(1) end,
    "x must be a whole number in 1 .. 4, got 5", function() p:close(5, 1) end,
    "y2 must be a whole number in 1 .. 3, got 4", function() p:close(1, 1, 2, 4) end,
    "x must be a whole number in 1 .. 4, got nil", function() p:reset(nil) end,
    "y must be a whole number in 1 .. 3, got nan", function() p:open(1, 0 / 0) end,
    "the argument after y2 must be nil, got 1", function() p:close(1, 1, 2, 2, 1) end,
    "value must be a number >= 0, false, a tag or { weight =, tag = }, got nil", function() p:set(1, 1) end,
    "value must be a number >= 0, false, a tag or { weight =, tag = }, got nan", function() p:set(1, 1, 0 / 0) end,
    "the argument after tag must be nil, got 3", function() p:set(1, 1, 1, "mud", 3) end,
    "tag must be nil after a tag or a table, got 'mud'", function() p:fill(1, 1, 2, 2, "mud", "mud") end,
    "a wall must be between two neighbouring cells, got (1,1) and (3,1)", function() p:wall(1, 1, 3, 1) end,
    "closed must be true or false, got 1", function() p:wall(1, 1, 2, 1, 1) end,
    "overlay must be an overlay of this graph, got 7", function()
      local path = g:path(1, 2)
      path.overlay = 7
      path:explain()
    end,
  })

  it("of maps that were freed", function()
    local small = wend.grid(2, 2)
    local overlay = small:overlay()
    local path = small:path(1, 1, 2, 2, { overlay = overlay })
    local search = small:search(1, 1, 2, 2, { overlay = overlay })
    search:step(1)
    debug.getmetatable(small).__gc(small)
    raises("the grid is gone", overlay.close, overlay, 1, 1)
    raises("the grid is gone", tostring, overlay)
    raises("the grid is gone", path.valid, path)
    raises("the grid is gone", search.step, search, 1)
  end)

  it("that were freed", function()
    local small = wend.grid(2, 2)
    local overlay = small:overlay()
    local path = small:path(1, 1, 2, 2, { overlay = overlay })
    local field = small:field(1, 1, { overlay = overlay })
    local search = small:search(1, 1, 2, 2, { overlay = overlay })
    debug.getmetatable(overlay).__gc(overlay)
    raises("the overlay is gone", overlay.close, overlay, 1, 1)
    raises("the overlay is gone", small.path, small, 1, 1, 2, 2, { overlay = overlay })
    raises("the overlay is gone", search.step, search, 1)
    raises("the overlay is gone", path.explain, path)
    assert.equal(false, path:valid())
    assert.equal(true, field:stale())
    assert.truthy(field:path(2, 2))
    assert.equal(2, #small:path(1, 1, 1, 1))
  end)
end)
