-- SPDX-License-Identifier: MIT
-- Crowds and walkers as scripts see them. How they move is checked in crowd.c and random/crowd_spec.lua.
local frame = require "wend.frame"
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises

--- Lets seconds pass in steps of 1/30 second.
local function pass(crowd, seconds)
  for _ = 1, seconds * 30 do crowd:update(1 / 30) end
end

local function near(expected, value, tolerance)
  assert.is_true(math.abs(expected - value) <= (tolerance or 1e-9), ("%g is not %g"):format(value, expected))
end

--- A hall with a wall across it, and a door of 2 cells.
local function hall() return wend.grid(20, 10):fill(10, 1, 10, 10, false):open(10, 5, 10, 6) end

--- Walls of a flat list of segments.
local function walls_of(list)
  local walls = wend.walls()
  for i = 1, #list, 4 do walls:add_segment(list[i], list[i + 1], list[i + 2], list[i + 3]) end
  return walls
end

describe("wend.crowd", function()
  it("makes a crowd without walkers", function()
    local crowd = wend.crowd()
    assert.same({ "crowd", 0, {}, "wend.Crowd (0 walkers)", "crowd" },
      { wend.type(crowd), crowd:count(), crowd:positions(), tostring(crowd), getmetatable(crowd) })
    assert.same({ 0, 0.0 }, { crowd:update(0) })
    assert.is_nil(crowd:each()())
    assert.is_true(crowd:bytes() > 0)
  end)

  it("raises for invalid options", function()
    raises("unknown option 'maps' (expected one of: map, walls, costs, influence, seed, queue, budget, max_steps, "
      .. "speeds, squeeze, links, up, tall, on_arrive, on_stuck, on_lost, on_link, on_bump)",
      wend.crowd, { maps = 1 })
    raises("budget is for the crowd's own queue: it cannot be combined with the option queue", wend.crowd,
      { queue = wend.queue(), budget = 5 })
    raises("map must be a graph of 2 dimensions", wend.crowd, { map = wend.graph { dimensions = 3 } })
    local walls = wend.walls()
    walls:add_segment(0, 0, 1e10, 0)
    raises("walls must lie within 1e9 of the origin", wend.crowd, { walls = walls })
  end)

  it("keeps its map alive", function()
    local crowd = wend.crowd { map = hall() }
    local w = crowd:add({ x = 2, y = 5 }):go(18, 5)
    for _ = 1, 3 do collectgarbage() end
    pass(crowd, 20)
    assert.equal("arrived", w.state)
  end)
end)

describe("crowd:add", function()
  it("adds a walker that stands", function()
    local crowd, data = wend.crowd(), {}
    local w = crowd:add { x = 3, y = -4, radius = 0.25, speed = 2, data = data }
    crowd:update(1)
    assert.same({ "walker", 3.0, -4.0, 0.0, 0.0, "waiting", 0.25, 2.0, false, 3.0, -4.0 },
      { wend.type(w), w.x, w.y, w.vx, w.vy, w.state, w.radius, w.speed, w.paused, w.goal_x, w.goal_y })
    assert.same({ "wend.Walker (waiting)", true, 1, "wend.Crowd (1 walker)" },
      { tostring(w), w.data == data, crowd:count(), tostring(crowd) })
    assert.is_nil(w.blocked_by)
    assert.is_nil(w.message)
    assert.is_nil(w.code)
    local plain = crowd:add { x = 9, y = 9 }
    assert.same({ 0.5, 1.5 }, { plain.radius, plain.speed })
  end)

  it("counts in the units of the world", function()
    local crowd = wend.crowd { map = wend.grid(10, 10, { cell = 32, origin = { -160, -160 } }) }
    local w = crowd:add { x = -100, y = 20 }
    near(16, w.radius)
    near(48, w.speed)
    near(-100, w.x)
    w:go(20, 20)
    pass(crowd, 2)
    near(48, w.vx, 0.5)
    pass(crowd, 3)
    near(20, w.x, 16)
    near(20, w.goal_x)
    near(0, w.heading, 0.2)
    assert.equal("arrived", w.state)
  end)

  it("raises for invalid options", function()
    local crowd = wend.crowd()
    raises("options must be a table, got nil", crowd.add, crowd)
    raises("x must be a number in -1000000000 .. 1000000000, got 2000000001", crowd.add, crowd,
      { x = 2000000001, y = 0 })
    raises("priority must be a whole number, got 0.5", crowd.add, crowd, { x = 1, y = 1, priority = 0.5 })
    raises("priority must be a number in -1000000000 .. 1000000000, got 2000000001", crowd.add, crowd,
      { x = 1, y = 1, priority = 2000000001 })
    raises("avoids[1] must be a string, got true", crowd.add, crowd, { x = 1, y = 1, avoids = { true } })
    raises("unknown option 'size' (expected one of: x, y, radius, speed, acceleration, patience, priority, group, "
      .. "avoids, agent, costs, influence, speeds, squeeze, links, map, height, data)", crowd.add, crowd,
      { x = 1, y = 1, size = 2 })
    assert.equal(0, crowd:count())
  end)

  it("knows 32 groups", function()
    local crowd = wend.crowd()
    for i = 1, 31 do crowd:add { x = i, y = 0, group = "g" .. i, avoids = { "g1", "g1", "g" .. i } } end
    crowd:add { x = 0, y = 0 }
    raises("group: a crowd has at most 32 groups", crowd.add, crowd, { x = 0, y = 5, group = "one more" })
    raises("avoids[2]: a crowd has at most 32 groups", crowd.add, crowd,
      { x = 0, y = 5, avoids = { "g1", "one more" } })
    assert.equal(32, crowd:count())
  end)
end)

describe("w:go", function()
  it("goes straight without a map", function()
    local crowd, arrived = wend.crowd(), {}
    local a, b = crowd:add { x = 0, y = 0 }, crowd:add { x = 0, y = 5 }
    function crowd.on_arrive(w) arrived[#arrived + 1] = w end
    assert.equal(a, a:go(6, 0))
    b:go { x = 3, y = 5 }
    assert.equal("moving", a.state)
    pass(crowd, 8)
    assert.same({ "arrived", "arrived", 2, true, true },
      { a.state, b.state, #arrived, arrived[1] == b, arrived[2] == a })
    near(6, a.x, 0.3)
  end)

  it("plans on a grid", function()
    local crowd = wend.crowd { map = hall() }
    local w = crowd:add({ x = 3, y = 2.2 }):go(17.25, 2.5)
    assert.equal("moving", w.state)
    pass(crowd, 20)
    assert.equal("arrived", w.state)
    near(17.25, w.goal_x)
    near(2.5, w.y, 0.4)
  end)

  it("keeps to the ground of the plan", function()
    local costs = wend.costs { mud = function(agent) return agent.boots and 1 or 5 end }
    local yard = wend.grid(20, 12):fill(8, 1, 12, 8, "mud"):fill(8, 5, 8, 5, "reeds")
    --- Walks from (3, 3) to (17, 3). Returns the state, the seconds, and the steps in mud.
    local function walk(send, options)
      local crowd = wend.crowd { map = yard, costs = costs }
      options.x, options.y = 3, 3
      local w = crowd:add(options)
      send(w)
      local steps, muddy = 0, 0
      while w.state ~= "arrived" and steps < 1500 do
        crowd:update(1 / 30)
        steps = steps + 1
        local _, tag = yard:get(yard:cell_at(w.x, w.y))
        if tag == "mud" then muddy = muddy + 1 end
      end
      return w.state, steps / 30, muddy
    end
    local function go(w) w:go(17, 3) end
    for _, radius in ipairs { 0.2, 0.5, 0.9 } do
      local state, seconds, muddy = walk(go, { radius = radius, agent = { boots = false } })
      assert.same({ "arrived", 0 }, { state, muddy })
      assert.is_true(seconds < 14)                                      -- round the swamp: 18.6 cells
      state, seconds, muddy = walk(go, { radius = radius, agent = { boots = true } })
      assert.same({ "arrived", true, true }, { state, muddy > 80, seconds < 10 })
    end
    local state, _, muddy = walk(function(w)
      w:go(yard:field(17, 3, { costs = costs, agent = { boots = false } }))
    end, { agent = { boots = true } })
    assert.same({ "arrived", 0 }, { state, muddy })                     -- the field knows what is dear
    -- The points of a script are orders.
    state, _, muddy = walk(function(w) w:go { 3, 3, 3, 11, 17, 11, 17, 3 } end, { agent = { boots = false } })
    assert.same({ "arrived", true }, { state, muddy > 80 })
  end)

  it("leads one that was pushed onto dear ground back to its plan", function()
    local costs = wend.costs { mud = 10 }
    local road = wend.grid(40, 12):fill(1, 1, 40, 12, "mud"):fill(1, 3, 40, 3, 1)
    local crowd = wend.crowd { map = road, costs = costs }
    local w = crowd:add({ x = 1.5, y = 2.5 }):go(38.5, 2.5)
    pass(crowd, 4)
    near(2.5, w.y, 1e-6)
    w:push(0, 12)
    pass(crowd, 1)
    local deep = w.y
    assert.is_true(deep > 4)
    local back = w.x
    for _ = 1, 90 do
      crowd:update(1 / 30)
      if w.y < 3 then break end
      back = w.x
    end
    assert.is_true(back < 12)                                           -- straight to the goal would be 30 cells of mud
    pass(crowd, 25)
    assert.equal("arrived", w.state)
  end)

  it("never crosses what is closed for its agent", function()
    local costs = wend.costs { lava = false }
    local cave = wend.grid(15, 15):fill(4, 4, 12, 12, "lava")
    local crowd = wend.crowd { map = cave, costs = costs }
    local list = {}
    for i = 1, 8 do list[i] = crowd:add { x = 1 + i % 3, y = 6 + i / 2, radius = 0.3 } end
    for _, w in ipairs(list) do w:go(14, 8) end
    local burnt = 0
    for _ = 1, 30 * 30 do
      crowd:update(1 / 30)
      for _, w in ipairs(list) do
        local x, y = (w.x - 3) % 15, (w.y - 3) % 15
        if x > 0.6 and x < 8.4 and y > 0.6 and y < 8.4 then burnt = burnt + 1 end -- others may push it a little
      end
    end
    assert.equal(0, burnt)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
  end)

  it("takes links of a grid", function()
    local wall = wend.grid(20, 6, { cell = 2, origin = { 10, 0 } }):fill(8, 1, 12, 6, false)
    wall:link(7, 3, 13, 3, { weight = 1, directed = true })
    wall:link(14, 1, 7, 6, { weight = 1, directed = true })
    local crowd = wend.crowd { map = wall, links = "walk" }
    for i = 1, 5 do
      crowd:add({ x = 12, y = 2 * i, radius = 0.9 }):go(46, 2 * i)
      crowd:add({ x = 46, y = 2 * i, radius = 0.6 }):go(12, 2 * i)
    end
    assert.is_false(crowd:each()().crossing)
    local crossed, most = {}, 0
    for step = 1, 60 * 30 do
      crowd:update(1 / 30)
      for w in crowd:each() do
        if w.crossing then crossed[w] = true end
        if not w.crossing and wall:is_closed(wall:cell_at(w.x, w.y)) then error "in the wall" end
        for other in crowd:each() do
          local dx, dy, sum = w.x - other.x, w.y - other.y, w.radius + other.radius
          if w ~= other and step > 40 * 30 then most = math.max(most, 1 - math.sqrt(dx * dx + dy * dy) / sum) end
        end
      end
    end
    assert.is_true(most <= 0.01)                    -- at the end of a link, some have met others
    for w in crowd:each() do assert.same({ "arrived", true, false }, { w.state, crossed[w], w.crossing }) end
  end)

  it("ends a link before it follows another order", function()
    local function halfway()
      local wall = wend.grid(30, 6):fill(8, 1, 22, 6, false)
      wall:link(7, 3, 23, 3, { weight = 1 })
      local crowd = wend.crowd { map = wall, links = "walk" }
      local w = crowd:add({ x = 3, y = 2.5 }):go(27, 2.5)
      pass(crowd, 7)
      assert.is_true(w.crossing and w.x > 9 and w.x < 15)
      return crowd, w, wall
    end
    local crowd, w = halfway()
    w:stop()
    pass(crowd, 1)
    assert.same({ 6.5, 2.5, 22.5, 2.5, "waiting" },
      { w.crossing.x, w.crossing.y, w.crossing.to_x, w.crossing.to_y, w.state })
    pass(crowd, 12)
    assert.same({ false, "waiting" }, { w.crossing, w.state })
    near(22.5, w.x, 0.3)
    crowd, w = halfway()
    w:go(3, 4)                                                          -- over the link, and back again
    local x = 0
    for _ = 1, 40 * 30 do
      crowd:update(1 / 30)
      x = math.max(x, w.x)
    end
    near(22.5, x, 0.3)
    assert.equal("arrived", w.state)
    near(3, w.x, 0.3)
    crowd, w = halfway()
    crowd:go({ w }, 25.5, 4.5)
    pass(crowd, 20)
    assert.equal("arrived", w.state)
    near(25.5, w.x, 0.4)
    local wall
    crowd, w, wall = halfway()
    wall:unlink(7, 3, 23, 3)
    pass(crowd, 20)
    assert.equal("arrived", w.state)
    local _, placed = halfway()
    placed:place(3, 3)
    assert.is_false(placed.crossing)
    crowd, w, wall = halfway()
    local loaded = wend.decode(crowd:encode(), { map = wend.decode(wall:encode()) })
    assert.same(crowd:each()().crossing, loaded:each()().crossing)
    pass(crowd, 20)
    pass(loaded, 20)
    assert.equal(crowd:hash(), loaded:hash())
    assert.equal("arrived", w.state)
  end)

  it("plans again when an edit of a graph touches the way", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0, 10, 10 }
    g:add_edges { 1, 2, 2, 3, 1, 4, 4, 3 }
    local crowd = wend.crowd { map = g }
    local w, other = crowd:add { x = 0, y = 1, data = 1 }, crowd:add { x = 0, y = -1, data = 2 }
    w:go(20, 1)
    other:go(10, 10)
    pass(crowd, 2)
    g:close_edge(2)
    local y = 0
    for _ = 1, 30 * 30 do
      crowd:update(1 / 30)
      y = math.max(y, w.y)
    end
    assert.same({ "arrived", "arrived" }, { w.state, other.state })
    assert.is_true(y > 9)
    w:go(0, 1)
    pass(crowd, 2)
    local copy = wend.decode(g:encode())
    local loaded = wend.decode(crowd:encode(), { map = copy })
    assert.equal(crowd:encode(), loaded:encode())
    g:open_edge(2):close_edge(3)
    copy:open_edge(2):close_edge(3)
    y = 0
    for _ = 1, 20 * 30 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      y = math.max(y, w.y)
    end
    assert.same({ "arrived", true, crowd:hash() }, { w.state, y < 9, loaded:hash() })
  end)

  it("plans on a graph", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 0, 10, 10, 10 }
    g:add_edges { 1, 2, 2, 3 }
    local walls = wend.walls()
    walls:add_polygon { 1, 1, 9, 1, 9, 9, 1.2, 9 }
    local crowd = wend.crowd { map = g, walls = walls }
    local w = crowd:add({ x = 0, y = -1, radius = 0.4 }):go(11, 10)
    pass(crowd, 25)
    assert.equal("arrived", w.state)
    near(11, w.x, 0.3)
  end)

  it("uses the costs and the agent of the walker or of the crowd, at any time", function()
    local grid, asked = wend.grid(12, 5):fill(6, 1, 6, 4, "gate"), {}
    local function profile(name)
      return wend.costs { gate = function(agent)
        asked[#asked + 1] = name .. " " .. tostring(agent)
        return 1
      end }
    end
    local crowd = wend.crowd { map = grid, costs = profile "crowd" }
    crowd:add({ x = 1.5, y = 1.5, agent = "a" }):go(10.5, 1.5)
    crowd:update(1 / 30)
    local own = crowd:add { x = 1.5, y = 3.5, agent = "b", costs = profile "walker" }
    own:go(10.5, 3.5)
    crowd:update(1 / 30)
    own.costs = profile "new"
    own.agent = "c"
    crowd:update(1 / 30)
    -- For its plan, for the ground of the plan, and for which cells are closed for its body.
    assert.same({ "crowd a", "crowd a", "crowd a", "walker b", "walker b", "walker b", "new c", "new c", "new c" },
      asked)
  end)

  it("goes along points, a path or a route", function()
    local grid = wend.grid(10, 10)
    local crowd = wend.crowd { map = grid }
    local points = crowd:add({ x = 1, y = 1 }):go { 5, 1, 5, 3 }
    local path = crowd:add({ x = 1.5, y = 5.5 }):go(grid:path(2, 6, 7, 6))
    local route = crowd:add({ x = 1, y = 8.5 }):go(grid:route({ 1, 8.5 }, { 8.2, 8.5 }))
    assert.same({ "moving", "moving", "moving" }, { points.state, path.state, route.state })
    assert.same({ 5.0, 3.0, 6.5, 5.5, 8.2, 8.5 },
      { points.goal_x, points.goal_y, path.goal_x, path.goal_y, route.goal_x, route.goal_y })
    pass(crowd, 10)
    assert.same({ "arrived", "arrived", "arrived" }, { points.state, path.state, route.state })
    local other = crowd:add({ x = 1, y = 1 }):go(wend.grid(3, 3):path(1, 1, 3, 1)) -- points of another map
    assert.equal(2.5, other.goal_x)
  end)

  it("goes to the nearest goal of a field", function()
    local grid = hall()
    local crowd = wend.crowd { map = grid }
    local field = grid:field { 18, 5, 3, 9 }
    local west, east = crowd:add({ x = 2, y = 2 }):go(field), crowd:add({ x = 15, y = 2 }):go(field)
    pass(crowd, 12)
    assert.same({ "arrived", "arrived" }, { west.state, east.state })
    near(2.5, west.x, 0.5)
    near(17.5, east.x, 0.5)
    raises("field: the map of the crowd must be a grid", west.go, wend.crowd():add { x = 0, y = 0 }, field)
    local wrong = "field must be a field of this grid made without `outward`, got another one"
    west:go(5, 2)
    for _, other in ipairs { wend.grid(30, 30):field(18, 5), grid:field(18, 5, { outward = true }) } do
      raises(wrong, west.go, west, other)
    end
    pass(crowd, 12)
    assert.equal("arrived", west.state)
    near(5, west.x, 0.5)
  end)

  it("is lost where there is no path", function()
    local grid = wend.grid(9, 3):fill(5, 1, 5, 3, false)
    local crowd, lost = wend.crowd { map = grid }, {}
    function crowd.on_lost(w, message, code) lost[#lost + 1] = { w, message, code } end
    local w, out, into = crowd:add { x = 2, y = 1 }, crowd:add { x = 2, y = 2 }, crowd:add { x = 1, y = 1 }
    w:go(8, 1)
    out:go(20, 1)
    into:go(4.5, 0.5) -- a closed cell
    assert.equal("lost", out.state)
    assert.equal(0, #lost)
    pass(crowd, 1)
    assert.same({ "lost", "lost", "lost", 3 }, { w.state, out.state, into.state, #lost })
    assert.same({ out, "the goal is outside the grid", "no_path" }, lost[1])
    assert.same({ w.message, w.code }, { "no path from (3,2) to (9,2)", "no_path" })
    w:stop()
    assert.same({ "waiting", "nil" }, { w.state, tostring(w.message) })
    out:go(1, 2)
    pass(crowd, 5)
    assert.same({ "arrived", 3 }, { out.state, #lost })
    local stale = grid:field(3, 3)
    grid:set(1, 1, 2)
    w:go(stale)
    pass(crowd, 4)
    assert.equal("arrived", w.state)
  end)

  it("tells of a cost function that raises", function()
    local costs = wend.costs { mud = function() error("no idea", 0) end }
    local crowd = wend.crowd { map = wend.grid(9, 3):fill(5, 1, 5, 3, "mud"), costs = costs }
    local w = crowd:add({ x = 2, y = 1 }):go(8, 1)
    pass(crowd, 1)
    assert.same({ "lost", "error" }, { w.state, w.code })
    assert.truthy(w.message:find("no idea", 1, true))
  end)

  it("forgets a plan when it is sent elsewhere, stopped or removed", function()
    local crowd, arrived = wend.crowd { map = hall(), budget = 1 }, {}
    local w, stopped, removed = crowd:add { x = 2, y = 2 }, crowd:add { x = 2, y = 5 }, crowd:add { x = 2, y = 8 }
    function crowd.on_arrive(one) arrived[#arrived + 1] = one end
    w:go(18, 2)
    stopped:go(18, 5)
    removed:go(18, 8)
    crowd:update(1 / 30)
    w:go(4, 2)
    stopped:stop()
    removed:remove()
    pass(crowd, 20)
    assert.same({ "arrived", "waiting", "removed" }, { w.state, stopped.state, removed.state })
    near(4, w.x, 0.4)
    assert.same({ w }, arrived)
  end)

  it("raises for invalid arguments", function()
    local crowd = wend.crowd()
    local w = crowd:add { x = 0, y = 0 }
    raises("x must be a finite number, got nil", w.go, w)
    raises("y must be a finite number, got nil", w.go, w, 5)
    raises("x must be a finite number, got a table", w.go, w, {})
    raises("x must be a finite number, got inf", w.go, w, { x = 1 / 0, y = 1 })
    raises("points[1] must be a number in -1000000000 .. 1000000000, got 2000000001", w.go, w, 2000000001, 0)
    local on_graph = wend.crowd({ map = wend.graph() }):add { x = 0, y = 0 }
    raises("y must be a number in -1000000000 .. 1000000000, got 2000000001", on_graph.go, on_graph, 0, 2000000001)
    raises("points must hold 2 numbers per item, such as { 1, 2, 3, 4 } for two, got 3 numbers: { 1, 2, 3 }",
      w.go, w, { 1, 2, 3 })
    raises("points[2] must be a number in -1000000000 .. 1000000000, got 'y'", w.go, w, { 1, "y" })
    raises("points must have 2 dimensions, got 3", w.go, w, { 1, 2, 3, dimensions = 3 })
    raises("unknown option 'cost' (expected one of: partial, closed_goal, within, beside, sight, pass_only, variation, "
      .. "seed, stop, height)",
      w.go, w, 1, 2, { cost = 1 })
    assert.equal("waiting", w.state)
    raises("partial must be true or false, got 5", w.go, w, 1, 2, { partial = 5 })
  end)
end)

describe("crowd:go", function()
  it("gives each walker a spot of its own", function()
    local crowd, list = wend.crowd { map = hall() }, {}
    for i = 1, 12 do list[i] = crowd:add { x = 1 + i % 3, y = 1 + math.floor(i / 3) * 2, radius = 0.4 } end
    assert.equal(crowd, crowd:go(list, 15.5, 5.5))
    assert.equal("moving", list[1].state)
    pass(crowd, 40)
    local spots = {}
    for i, w in ipairs(list) do
      assert.equal("arrived", w.state, "walker " .. i)
      assert.is_true(w.x > 10 and (w.x - 15.5) ^ 2 + (w.y - 5.5) ^ 2 < 16)
      spots[w.goal_x .. " " .. w.goal_y] = true
    end
    local count = 0
    for _ in pairs(spots) do count = count + 1 end
    assert.equal(12, count)
  end)

  it("works without a map, and with a position as one value", function()
    local crowd = wend.crowd()
    local list = { crowd:add { x = 0, y = 0 }, crowd:add { x = 0, y = 2 } }
    crowd:go(list, { x = 8, y = 1 }, { partial = true }):go({}, 1, 1)
    assert.same({ "moving", "moving" }, { list[1].state, list[2].state })
    pass(crowd, 10)
    assert.same({ "arrived", "arrived" }, { list[1].state, list[2].state })
  end)

  it("gives spots within the largest coordinates only", function()
    local crowd, list = wend.crowd(), {}
    for i = 1, 20 do list[i] = crowd:add { x = 1e9 - 30 * i, y = 0, radius = 2 } end
    crowd:go(list, 1e9, -1e9)
    for _, w in ipairs(list) do assert.same({ "moving", true }, { w.state, w.goal_x <= 1e9 and w.goal_y >= -1e9 }) end
  end)

  it("raises for what is not a list of its walkers", function()
    local crowd, other = wend.crowd(), wend.crowd()
    local w, gone = crowd:add { x = 0, y = 0 }, crowd:add { x = 5, y = 0 }
    gone:remove()
    raises("walkers must be a list of walkers, got 5", crowd.go, crowd, 5, 1, 1)
    raises("walkers must be a list of walkers, got a wend.Walker", crowd.go, crowd, w, 1, 1)
    raises("walkers[2] must be a walker of this crowd, got 7", crowd.go, crowd, { w, 7 }, 1, 1)
    raises("walkers[1] must be a walker of this crowd, got a wend.Walker", crowd.go, crowd,
      { other:add { x = 0, y = 0 } }, 1, 1)
    raises("walkers[2] was removed", crowd.go, crowd, { w, gone }, 1, 1)
    raises("y must be a finite number, got nil", crowd.go, crowd, { w }, 1)
    assert.equal("waiting", w.state)
  end)
end)

describe("a walker", function()
  it("stops, and is held, pushed, placed and removed", function()
    local crowd = wend.crowd()
    local w = crowd:add { x = 0, y = 0 }
    w:go(20, 0)
    pass(crowd, 2)
    local x = w.x
    assert.is_true(x > 2)
    assert.equal(w, w:stop())
    pass(crowd, 2)
    assert.equal("waiting", w.state)
    near(x, w.x, 0.3)
    assert.equal(w, w:pause())
    assert.is_true(w.paused)
    w:go(-5, 0)
    pass(crowd, 1)
    near(x, w.x, 0.3)
    assert.is_false(w:resume().paused)
    pass(crowd, 9)
    assert.equal("arrived", w.state)
    assert.equal(w, w:push(0, 3))
    pass(crowd, 0.2)
    assert.is_true(w.y > 0.1)
    assert.equal(w, w:place(7, 8))
    assert.same({ 7.0, 8.0 }, { w.x, w.y })
    w:place { x = 1, y = 2 }
    assert.same({ 1.0, 2.0 }, { w.x, w.y })
    assert.is_nil(w:remove())
    assert.same({ "removed", 0, "wend.Walker (removed)" }, { w.state, crowd:count(), tostring(w) })
    assert.is_nil(w.x)
    raises("the walker was removed", w.remove, w)
    raises("the walker was removed", w.go, w, 1, 1)
    raises("the walker was removed", w.stop, w)
  end)

  it("changes its velocity by at most its acceleration", function()
    for _, size in ipairs { 1, 32 } do -- units of the world for a cell
      local crowd = wend.crowd { map = wend.grid(40, 20, { cell = size }) }
      local cart = crowd:add { x = 3 * size, y = 5 * size, speed = 3 * size, acceleration = 1.5 * size }
      near(1.5 * size, cart.acceleration)
      local most, vx, vy = 1.5 * size / 30 * (1 + 1e-9), 0, 0
      local function drive(seconds)
        for _ = 1, seconds * 30 do
          crowd:update(1 / 30)
          local dx, dy = cart.vx - vx, cart.vy - vy
          assert.is_true(math.sqrt(dx * dx + dy * dy) <= most)
          vx, vy = cart.vx, cart.vy
        end
      end
      cart:go(30 * size, 5 * size)
      drive(1)
      near(1.5 * size, vx, 0.25 * size)
      drive(3)
      near(3 * size, vx, 0.1 * size)
      cart:go(20 * size, 15 * size) -- it turns
      drive(20)
      assert.equal("arrived", cart.state)
      near(20 * size, cart.x, 0.5 * size)
      near(15 * size, cart.y, 0.5 * size)
    end
    local other = wend.crowd():add { x = 0, y = 0, acceleration = math.huge }
    assert.equal(math.huge, other.acceleration)
  end)

  it("keeps apart and out of walls with any acceleration", function()
    local grid = hall()
    local crowd, list = wend.crowd { map = grid, squeeze = false }, {}
    for i = 1, 16 do
      list[i] = crowd:add { x = 1 + i % 4 * 1.1, y = 2 + math.floor(i / 4) * 1.1, radius = 0.4, speed = 2,
        acceleration = i % 2 == 0 and 0.5 or 4 }
    end
    crowd:go(list, 15.5, 5.5)
    for i = 1, 4 do crowd:add({ x = 12 + i, y = 2, radius = 0.4, acceleration = 0.8 }):go(2.5, 1.5 + 2 * i) end
    for _ = 1, 60 * 30 do
      crowd:update(1 / 30)
      local at, outside, nearest = crowd:positions(), false, math.huge
      for i = 1, #at, 2 do
        local x, y = at[i], at[i + 1]
        local inside = x > 0.39 and y > 0.39 and x < 19.61 and y < 9.61
        outside = outside or not (inside and (y > 4 and y < 6 or x < 9 or x > 10))
        for j = i + 2, #at, 2 do nearest = math.min(nearest, (x - at[j]) ^ 2 + (y - at[j + 1]) ^ 2) end
      end
      assert.is_false(outside)
      assert.is_true(nearest >= (0.8 * 0.985) ^ 2)
    end
    for w in crowd:each() do assert.equal("arrived", w.state) end
  end)

  it("makes no way for groups that it does not avoid", function()
    local crowd = wend.crowd()
    local ghost = crowd:add { x = 0, y = 0, group = "ghosts", avoids = {} }
    local man = crowd:add { x = 5, y = 0, avoids = { "default" } }
    ghost:go(10, 0)
    local least = math.huge
    for _ = 1, 300 do
      crowd:update(1 / 30)
      least = math.min(least, (ghost.x - man.x) ^ 2 + (ghost.y - man.y) ^ 2)
    end
    assert.equal("arrived", ghost.state)
    assert.is_true(least < 0.1)
    assert.same({ 5.0, 0.0 }, { man.x, man.y })
  end)

  it("keeps out of many closed cells, however wide it is", function()
    local grid, cells = wend.grid(160, 120), {}
    for i = 1, 60 do
      local x, y = 1 + i * 37 % 160, i % 2 == 0 and 1 + i * 11 % 30 or 120 - i * 13 % 30
      grid:fill(x, y, x, y, false)
      cells[i] = { x - 1, y - 1 }
    end
    local crowd = wend.crowd { map = grid }
    local w = crowd:add { x = 30, y = 60, radius = 22, speed = 20 }
    w:go { 60, 46, 100, 74, 130, 60 }
    for step = 1, 15 * 30 do
      if step % 40 == 0 then w:push(0, step % 80 == 0 and 60 or -60) end
      crowd:update(1 / 30)
      for _, cell in ipairs(cells) do
        local dx = w.x - math.max(cell[1], math.min(w.x, cell[1] + 1))
        local dy = w.y - math.max(cell[2], math.min(w.y, cell[2] + 1))
        assert.is_true(math.sqrt(dx ^ 2 + dy ^ 2) >= 22 * (1 - 1e-5))
      end
    end
    assert.is_true(w.x > 60)
  end)

  it("gets out of a wall, also if it is exactly on it", function()
    local grid = wend.grid(20, 10, { cell = 16, origin = { 0, 0 } }):fill(5, 1, 5, 10, false) -- x = 64 .. 80
    local crowd = wend.crowd { map = grid, walls = walls_of { 200, 0, 200, 160, 240, 40, 240, 40 } }
    local list = {}
    for _, at in ipairs { { 80, 50 }, { 64, 90 }, { 64, 48 }, { 80, 0 }, { 200, 80 }, { 240, 40 } } do
      list[#list + 1] = crowd:add { x = at[1], y = at[2], radius = 4 }
    end
    pass(crowd, 3)
    for i, w in ipairs(list) do
      assert.is_true(w.x < 60.001 or w.x > 83.999 and w.x < 196.001 or w.x > 203.999, ("walker %d: %g"):format(i, w.x))
      assert.is_true(w.y > 3.999)
    end
    assert.is_true((list[6].x - 240) ^ 2 + (list[6].y - 40) ^ 2 > 15.99)
  end)

  it("does not overlap others while it is pushed out of a wall", function()
    for _, speed in ipairs { 0.5, 1.5, 6 } do
      local crowd = wend.crowd { map = wend.grid(9, 9), walls = walls_of { 3, 0, 3, 9 } }
      local a, b = crowd:add { x = 3.1, y = 4.5, speed = speed }, crowd:add { x = 4.2, y = 4.5, speed = speed }
      local c = crowd:add { x = 5.2, y = 4.5, speed = speed }
      for _ = 1, 300 do
        crowd:update(1 / 30)
        assert.is_true(b.x - a.x > 0.99 and c.x - b.x > 0.99)
      end
      assert.is_true(a.x > 3.499, tostring(a.x))
    end
  end)

  it("does not go through walls or others, however fast it is", function()
    for _, speed in ipairs { 10, 100, 1e3, 1e6 } do
      local grid = wend.grid(100, 9):fill(1, 4, 100, 4, false):fill(1, 6, 100, 6, false):fill(50, 1, 50, 3, false)
      local crowd = wend.crowd { map = grid, walls = walls_of { 50, 6, 50, 9 }, squeeze = false }
      local cell = crowd:add({ x = 3, y = 1.5, radius = 0.1, speed = speed }):go { 97, 1.5 }
      local wall = crowd:add({ x = 3, y = 7.5, radius = 0.1, speed = speed }):go { 97, 7.5 }
      local left = crowd:add({ x = 3, y = 4.5, radius = 0.4, speed = speed }):go { 97, 4.5 }
      local right = crowd:add({ x = 97, y = 4.5, radius = 0.4, speed = speed }):go { 3, 4.5 }
      for _ = 1, 150 do
        crowd:update(1 / 30)
        assert.is_true(cell.x < 49 and wall.x < 50 and left.x < right.x)
      end
    end
  end)

  it("goes along its points, however fast it is", function()
    local crowd = wend.crowd { map = wend.grid(200, 9) }
    for _, speed in ipairs { 5, 20, 100 } do
      local w = crowd:add({ x = 3, y = 3, radius = 0.2, speed = speed }):go(197, 6)
      local steps = 0
      repeat
        crowd:update(1 / 30)
        steps = steps + 1
      until w.state == "arrived" or steps == 3000
      assert.is_true(steps < 30 * (194 / speed + 4), ("%d steps"):format(steps))
      w:remove()
    end
    local open = wend.crowd()
    local w = open:add({ x = 0, y = 0, radius = 0.1, speed = 100 }):go { 10, 1, 10, 10, 3, 3, 50, 50 }
    pass(open, 10)
    assert.equal("arrived", w.state)
  end)

  it("cannot be assigned what is read in the crowd", function()
    local w = wend.crowd():add { x = 0, y = 0 }
    for _, key in ipairs { "x", "vy", "state", "heading", "blocked_by", "go", "remove" } do
      raises(("'%s' cannot be assigned"):format(key), function() w[key] = 1 end)
    end
    w.hp, w.data = 7, "mine"
    assert.same({ 7, "mine" }, { w.hp, w.data })
  end)

  it("tells the events that were options of the crowd", function()
    local told = {}
    local crowd = wend.crowd { map = wend.grid(9, 1):close(7, 1), on_arrive = function(w) told[#told + 1] = w.data end,
      on_lost = function(w, _, code) told[#told + 1] = w.data .. code end }
    crowd:add({ x = 1.5, y = 0.5, data = "lost " }):go(8.5, 0.5)
    crowd:add({ x = 3.5, y = 0.5, data = "arrived" }):go(5.5, 0.5)
    for _ = 1, 90 do crowd:update(1 / 30) end
    assert.same({ "lost no_path", "arrived" }, told)
    assert.equal(nil, crowd.on_stuck)
  end)

  it("raises for invalid arguments", function()
    local w = wend.crowd():add { x = 0, y = 0 }
    raises("vx must be a finite number, got nan", w.push, w, 0 / 0, 1)
    raises("vx and vy must be a velocity up to 1e6", w.push, w, 1e6, 1)
    raises("y must be a finite number, got nil", w.place, w, 1)
    raises("x must be a number in -1000000000 .. 1000000000, got 2000000001", w.place, w, 2000000001, 1)
  end)

  it("is stuck where it cannot get on, and tells who is in the way", function()
    local crowd, stuck = wend.crowd { map = wend.grid(12, 1) }, {}
    local w = crowd:add { x = 1, y = 0.5, radius = 0.5, patience = 2 }
    local post = crowd:add { x = 6, y = 0.5, radius = 0.5 }
    function crowd.on_stuck(one, blocked_by) stuck[#stuck + 1] = { one, blocked_by } end
    post:pause()
    w:go(10, 0.5)
    pass(crowd, 15)
    assert.equal("stuck", w.state)
    assert.equal(post, w.blocked_by)
    assert.same({ w, post }, stuck[1])
    post:remove()
    pass(crowd, 15)
    assert.equal("arrived", w.state)
  end)
end)

describe("a walker in a queue", function()
  --- A walker in a corridor behind another one, which was sent the same way.
  local function corridor(x)
    local crowd = wend.crowd { map = wend.grid(30, 1) }
    local first = crowd:add({ x = 10, y = 0.5, radius = 0.4, patience = math.huge }):go { x, 0.5 }
    local second = crowd:add({ x = 5, y = 0.5, radius = 0.4, patience = 3 }):go(28, 0.5)
    return crowd, first, second
  end

  it("keeps its radius from the corners of its way", function()
    local grid = wend.grid(40, 12):fill(20, 1, 20, 12, false):open(20, 3):set(20, 3, 1, "narrow"):open(20, 9, 20, 11)
    for _, radius in ipairs { 0.6, 0.9, 1, 1.2, 1.45 } do
      local crowd, least = wend.crowd { map = grid }, math.huge
      local w = crowd:add { x = 4, y = 3, radius = radius, costs = wend.costs { narrow = false } }
      w:go(36, 3)
      for _ = 1, 40 * 30 do
        crowd:update(1 / 30)
        if w.x > 19 and w.x < 20 then least = math.min(least, w.y - 8, 11 - w.y) end
      end
      assert.equal("arrived", w.state, radius)
      assert.is_true(least >= radius * 0.99, least)
    end
  end)

  it("stops beside one that makes no way and takes its place", function()
    for _, radius in ipairs { 0.2, 0.5 } do
      for _, kind in ipairs { "held", "first", "wide" } do
        for _, aside in ipairs { 0, 0.3, 0.6 } do
          local crowd = wend.crowd()
          local other = crowd:add { x = 10, y = 5, radius = kind == "wide" and 0.9 or nil, priority = 1 }
          if kind == "held" then other:pause() else other:go(10.1, 5) end
          local w = crowd:add { x = 0, y = 5.3, radius = radius }
          w:go(10, 5 + aside)
          pass(crowd, 15)
          local gap = math.sqrt((w.x - other.x) ^ 2 + (w.y - other.y) ^ 2) / (w.radius + other.radius)
          assert.equal("arrived", w.state, kind .. " " .. radius .. " " .. aside)
          assert.is_true(gap > 0.99 and gap < 1.1, gap)
        end
      end
    end
  end)

  it("is stuck behind one that comes back to where it waits", function()
    local crowd, first, second = corridor(12)
    pass(crowd, 3)
    first:stop()
    crowd:add({ x = 17, y = 0.5, radius = 0.4, priority = 1 }):go { first.x + 0.7, 0.5 }
    pass(crowd, 40)
    assert.equal("stuck", second.state)
  end)
end)

describe("crowd:update", function()
  it("takes steps of 1/30 second", function()
    local crowd = wend.crowd { max_steps = 5 }
    assert.same({ 0, 0.0 }, { crowd:update(0.02) })
    assert.same({ 1, 0.0 }, { crowd:update(0.02) })
    assert.same({ 2, 0.0 }, { crowd:update(0.06) })
    local steps, dropped = crowd:update(1)
    assert.equal(5, steps)
    near(25 / 30, dropped, 1e-6)
    steps, dropped = crowd:update(1e300)
    assert.equal(5, steps)
    assert.is_true(dropped > 1e299)
    assert.equal(1e308, (select(2, crowd:update(1e308))))
    steps, dropped = crowd:update(1 / 30)
    assert.same({ 1, 0.0 }, { steps, dropped })
  end)

  it("keeps walkers within the largest coordinates", function()
    local crowd = wend.crowd()
    local list = { crowd:add { x = 1e9, y = 0, radius = 1000 }, crowd:add { x = 1e9 - 100, y = -1e9, radius = 1000 } }
    for _ = 1, 10 do
      for _, w in ipairs(list) do w:push(1e5, -1e5) end
      pass(crowd, 0.1)
    end
    assert.same({ 1e9, 1e9, -1e9 }, { list[1].x, list[2].x, list[2].y })
    assert.equal(crowd:encode(), wend.decode(crowd:encode()):encode())
  end)

  it("moves walkers at any speed to numbers", function()
    for _, speed in ipairs { 0, 5e-324, 1e-200, 1e-160, 1e6 } do
      local crowd, list = wend.crowd(), {}
      for i = 1, 20 do
        list[i] = crowd:add { x = 1.1 * i, y = i * 0.75 % 3, speed = i % 2 == 0 and speed or nil }
      end
      for i, w in ipairs(list) do w:go(list[21 - i].x, list[21 - i].y) end
      pass(crowd, 3)
      for _, number in ipairs(crowd:positions()) do assert.is_true(math.abs(number) < 1e9) end
    end
  end)

  it("gives the same results at every frame rate", function()
    local function run(dt, updates)
      local grid = hall()
      local crowd, list = wend.crowd { map = grid, budget = 50 }, {}
      for i = 1, 10 do list[i] = crowd:add { x = 1 + i % 5, y = 2 + i % 3 * 2, radius = 0.3 } end
      crowd:go(list, 16, 5)
      for i = 1, 4 do crowd:add({ x = 12 + i, y = 2, radius = 0.3 }):go(2, 2 * i) end
      for _ = 1, updates do crowd:update(dt) end
      return crowd:hash()
    end
    local hash = run(1 / 30, 300)
    assert.truthy(hash:find "^%x+$" and #hash == 16)
    assert.equal(hash, run(1 / 60, 600))
    assert.equal(hash, run(0.1, 100))
    assert.equal(hash, run(1 / 7, 70))
  end)

  it("draws walkers at most a little nearer to walls than their radius", function()
    local cut = 0
    for _, speed in ipairs { 1.5, 3, 30 } do
      local crowd = wend.crowd { walls = walls_of { 0, 0, 50, 0 } }
      local w = crowd:add { x = -0.4, y = 3, speed = speed }
      w:go(-0.4, -3)
      for _ = 1, 10 * 60 do
        crowd:update(1 / 60)
        local way = math.sqrt(w.vx ^ 2 + w.vy ^ 2) / 30
        local x = math.max(-w.x, 0)
        local distance = math.sqrt(x ^ 2 + w.y ^ 2)
        assert.is_true(distance >= math.sqrt(0.25 - math.min(way, 1) ^ 2 / 4) - 1e-6)
        cut = math.max(cut, 1 - distance / 0.5)
      end
      assert.equal("arrived", w.state)
    end
    assert.is_true(cut > 1e-3) -- they do cut the corner
  end)

  it("has a seed, which decides ties", function()
    local function run(seed, save)
      local crowd = wend.crowd { seed = seed }
      for _ = 1, 6 do crowd:add { x = 1, y = 1 } end
      pass(crowd, 0.2)
      if save then crowd = wend.decode(crowd:encode()) end
      pass(crowd, 0.5)
      return crowd:hash()
    end
    assert.equal(run(), run(0))
    assert.equal(run(1), run(1))
    assert.equal(run(1), run(1, true))
    assert.not_equal(run(1), run(0))
    assert.not_equal(run(1), run(2))
  end)

  it("plans through a queue that the script works off", function()
    local q = wend.queue { limit = 1 }
    local crowd = wend.crowd { map = hall(), queue = q }
    local a, b = crowd:add { x = 2, y = 3 }, crowd:add { x = 2, y = 7 }
    a:go(18, 3)
    b:go(18, 7) -- the queue is full: later
    pass(crowd, 1)
    assert.same({ 1, "moving", "moving", 0, 0 }, { q:pending(), a.state, b.state, a.vx, b.vx }) -- they wait for plans
    q:step(1e5)
    pass(crowd, 2)
    assert.same({ 1, true, 0 }, { q:pending(), a.vx > 0, b.vx })
    q:step(1e5)
    pass(crowd, 1)
    assert.is_true(b.vx > 0)
    a:go(2, 2)
    q:clear()
    q:step(1)
    assert.same({ "lost", "cancelled" }, { a.state, a.code })
  end)

  it("plans a walker once, however often it was sent while the queue was full", function()
    local grid, q = hall(), wend.queue { limit = 1 }
    local crowd = wend.crowd { map = grid, queue = q }
    local w = crowd:add { x = 2, y = 3 }
    q:path(grid, 1, 1, 20, 10)
    for _ = 1, 100 do
      w:go(18, 3)
      crowd:update(1 / 30)
    end
    q:step(1e5)
    pass(crowd, 2)
    assert.equal(1, q:pending())
    q:step(1e5)
    assert.equal("moving", w.state)
    pass(crowd, 2)
    assert.equal(0, q:pending())
  end)

  it("plans anew when the map changes", function()
    local grid = wend.grid(20, 10):fill(10, 1, 10, 10, false):open(10, 2):open(10, 9)
    local crowd, lost = wend.crowd { map = grid }, 0
    function crowd.on_lost() lost = lost + 1 end
    local a, b = crowd:add({ x = 6, y = 1.5, radius = 0.4 }), crowd:add({ x = 6, y = 3.5, radius = 0.4 })
    a:go(17.5, 1.5)
    b:go(17.5, 1.5)
    pass(crowd, 1)
    grid:close(10, 2)
    pass(crowd, 30)
    assert.same({ "arrived", "arrived", 0 }, { a.state, b.state, lost })
    a:go(2, 1.5)
    b:go(grid:field(3, 8))
    pass(crowd, 1)
    grid:close(10, 9)
    pass(crowd, 30)
    assert.same({ "lost", "no_path", "lost", "no_path", 2 }, { a.state, a.code, b.state, b.code, lost })
    grid:open(10, 9)
    a:go(2, 1.5)
    b:go(grid:field(3, 8))
    pass(crowd, 30)
    assert.same({ "arrived", "arrived", 2 }, { a.state, b.state, lost })
  end)

  it("lets the functions of events do what they like", function()
    local grid = wend.grid(12, 6)
    local crowd, said = wend.crowd { map = grid }, {}
    local a, b = crowd:add { x = 1, y = 1 }, crowd:add { x = 1, y = 4 }
    function crowd.on_arrive(w)
      said[#said + 1] = w == a and "a" or "b"
      said[#said + 1] = select(2, pcall(crowd.update, crowd, 1)):match "the crowd is updating.*"
      grid:close(12, 1)
      if w == a then
        b:remove()
        crowd:add({ x = 6, y = 3 }):go(8, 3)
        crowd.on_arrive = nil
      end
    end
    a:go(3, 1)
    b:go(3, 4)
    pass(crowd, 5)
    local refusal = "the crowd is updating: its functions cannot call update"
    if said[1] == "b" then
      assert.same({ "b", refusal, "a", refusal }, said)
    else
      assert.same({ "a", refusal }, said)
    end
    assert.same({ "removed", 2, true }, { b.state, crowd:count(), grid:is_closed(12, 1) })
  end)

  it("calls all functions of events, and then raises the first error", function()
    local crowd, called = wend.crowd(), 0
    for i = 1, 3 do crowd:add({ x = 0, y = 3 * i }):go(0.1, 3 * i) end
    function crowd.on_arrive()
      called = called + 1
      error("problem " .. called, 0)
    end
    local problems = {}
    for _ = 1, 30 do
      local ok, problem = pcall(crowd.update, crowd, 1 / 30)
      if not ok then problems[#problems + 1] = problem end
    end
    assert.equal(3, called)
    assert.equal("problem 1", problems[1])
    assert.same({ 1, 0.0 }, { crowd:update(1 / 30) }) -- and it goes on
  end)

  it("raises for events that it does not know", function()
    local crowd = wend.crowd()
    raises("unknown event 'on_arrived' (expected one of: on_arrive, on_stuck, on_lost, on_link, on_bump)", function()
      crowd.on_arrived = print
    end)
    crowd.name, crowd.on_lost = "guests", print
    assert.same({ "guests", print }, { crowd.name, crowd.on_lost })
  end)

  it("cannot run inside its own cost functions", function()
    local crowd, problem
    local costs = wend.costs { mud = function()
      problem = problem or select(2, pcall(crowd.update, crowd, 1))
      return 1
    end }
    crowd = wend.crowd { map = wend.grid(9, 3):fill(5, 1, 5, 3, "mud"), costs = costs }
    local w = crowd:add({ x = 2, y = 1 }):go(8, 1)
    pass(crowd, 8)
    assert.truthy(problem:find("its functions cannot call update", 1, true))
    assert.equal("arrived", w.state)
  end)
end)

describe("the walkers of a crowd", function()
  it("are found by crowd:near wherever they are, between all calls that move them", function()
    helper.rounds("near", 40, function(rng)
      local crowd, wide = wend.crowd(), rng:pick { 3, 40, 1e6 }
      local function place() return (rng() - 0.5) * wide, (rng() - 0.5) * wide end
      local walkers = {}
      for _ = 1, rng(1, 60) do
        local x, y = place()
        walkers[#walkers + 1] = crowd:add { x = x, y = y, radius = rng:pick { 0.1, 0.5, 9 }, speed = rng() * 9 }
      end
      for _ = 1, 12 do
        local w = walkers[rng(#walkers)]
        if rng:chance(0.2) and #walkers > 1 then
          w:remove()
          for i = #walkers, 1, -1 do if walkers[i] == w then table.remove(walkers, i) end end
        elseif rng:chance(0.3) then
          w:place(place())
        elseif rng:chance(0.3) then
          w:go(place())
          crowd:update(1 / 30 + (1 / 30 - 5e-8))                   -- positions are read just before the next step
          crowd:update(0)
        end
        local x, y = place()
        local r = rng() * wide * rng:pick { 0.01, 0.3, 3 }
        local all, first, limit = {}, {}, rng(1, 9)
        local at, i = crowd:positions(), 0
        for one in crowd:each() do
          i = i + 1
          local far = (at[2 * i - 1] - x) ^ 2 + (at[2 * i] - y) ^ 2
          if far <= r * r then
            all[#all + 1] = one
            first[#first + 1] = { one = one, far = far, i = i }
          end
        end
        assert.same(#all, #crowd:near(x, y, r))
        for k, one in ipairs(crowd:near(x, y, r)) do assert.equal(all[k], one) end
        table.sort(first, function(a, b) return a.far < b.far or a.far == b.far and a.i < b.i end)
        local few = crowd:near(x, y, r, { limit = limit })
        assert.equal(math.min(limit, #all), #few)
        for k, one in ipairs(few) do assert.equal(first[k].one, one) end
      end
      assert.equal(#walkers, #crowd:near(0, 0, 1e150))
    end)
  end)

  it("are found by crowd:near, crowd:each and crowd:positions", function()
    local crowd, list = wend.crowd(), {}
    for i = 1, 5 do list[i] = crowd:add { x = 10 * i, y = 0 } end
    local function found(walkers)
      local names = {}
      for i, w in ipairs(walkers) do names[i] = w.x / 10 end
      return names
    end
    assert.same({ 2.0, 3.0 }, found(crowd:near(25, 0, 5)))
    assert.same({ 4.0 }, found(crowd:near({ x = 41, y = 1 }, 2)))
    assert.same({}, crowd:near(0, 5, 0))
    local into = { 1, 2, 3, 4, 5, 6 }
    assert.equal(into, crowd:near(31, 0, 25, { limit = 3, into = into }))
    assert.same({ 3.0, 4.0, 2.0 }, found(into))
    assert.same({ 3.0 }, found(crowd:near({ x = 31, y = 0 }, 25, { limit = 1 })))
    raises("unknown option 'max' (expected one of: limit, into)", crowd.near, crowd, 0, 0, 1, { max = 1 })
    local reads = 0
    local changing = setmetatable({}, { __index = function(_, name)
      reads = reads + 1
      if name == "into" then return reads > 2 and "a string" or {} end
    end })
    raises("into must be a table, got 'a string'", crowd.near, crowd, 0, 0, 1, changing)
    list[2]:remove()
    into = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }
    assert.equal(into, crowd:positions(into))
    assert.same({ 10.0, 0.0, 30.0, 0.0, 40.0, 0.0, 50.0, 0.0 }, into)
    local seen = {}
    for w in crowd:each() do
      seen[#seen + 1] = w
      if w == list[3] then w:remove() end
    end
    assert.same(3, crowd:count())
    assert.same({ list[1], list[3], list[4], list[5] }, seen)
  end)

  it("go on when their table is damaged by a script", function()
    local crowd = wend.crowd { map = hall() }
    local w = crowd:add { x = 1, y = 1 }
    rawset(w, "_id", "no id")
    assert.equal("removed", w.state)
    rawset(w, "_handle", nil)
    assert.is_false((pcall(function() return w.x end)))
    rawset(crowd, "_handle", nil)
    assert.is_false((pcall(crowd.update, crowd, 1)))
  end)
end)

-- Frames: how the cells of a grid lie in the world. Conversions between cells and these are exact, so that crowds are
-- equal bit by bit.
local FRAMES = {
  { projection = "isometric", cell = { 64, 32 }, origin = { -96, 8 } },
  { projection = "isometric", cell = 1 },
  { cell = { 16, 8 } },
  { cell = { 0.5, 4 }, origin = { 3, -7 } },
}

--- A crowd on a hall whose cells lie in a frame. Its positions and vectors are given in cells, and its lengths in sides
-- of cells.
local function framed(options)
  local grid = hall():wall(5, 5, 6, 5)
  local moved = wend.grid(20, 10, options)
  for y = 1, 10 do
    for x = 1, 20 do
      if grid:is_closed(x, y) then moved:close(x, y) end
    end
  end
  moved:fill(12, 1, 15, 4, 3, "mud"):wall(5, 5, 6, 5):link(3, 9, 7, 9)
  local one = { grid = moved, frame = frame.of(moved), walkers = {} }
  one.side = one.frame.wide
  function one.at(x, y) return frame.to_world(one.frame, x, y) end
  function one.vector(x, y)
    local px, py = one.at(x, y)
    return px - one.frame.left, py - one.frame.top
  end
  function one.cells(x, y) return frame.to_cells(one.frame, x, y) end
  function one.cell_vector(x, y) return one.cells(x + one.frame.left, y + one.frame.top) end
  local walls = wend.walls()
  local ax, ay = one.at(15, 6)
  local bx, by = one.at(17, 8)
  walls:add_segment(ax, ay, bx, by)
  one.crowd = wend.crowd { map = moved, walls = walls }
  return one
end

--- Adds walkers to it, and sends them in all ways there are.
local function people(one)
  local crowd, walkers, side = one.crowd, one.walkers, one.side
  for i = 1, 12 do
    local x, y = one.at(1.25 + (i - 1) % 4 * 1.5, 1.5 + math.floor((i - 1) / 4) * 2)
    walkers[i] = crowd:add { x = x, y = y, radius = 0.375 * side, speed = i == 3 and 2.5 * side or nil,
      acceleration = i == 4 and 1.5 * side or nil, data = i }
  end
  crowd:go({ walkers[1], walkers[2], walkers[3], walkers[4] }, one.at(17, 3))
  walkers[5]:go(one.at(13.5, 8.5))
  local ax, ay = one.at(9, 5)
  local bx, by = one.at(16.5, 5.5)
  walkers[6]:go { ax, ay, bx, by }
  walkers[7]:go(one.grid:field(19, 9))
  walkers[8]:push(one.vector(2.5, -1.25))
  walkers[9]:pause()
  walkers[10]:go(one.at(7.5, 8.5)) -- over the link
  walkers[11]:go(one.at(8.5, 0.5)):place(one.at(2.5, 8.5))
  return one
end

--- Compares what scripts read of a crowd on squares of size 1 and of an equal one.
-- @return whether somebody is on a link
local function compare(square, one)
  local crossed, positions, others = false, square.crowd:positions(), one.crowd:positions()
  for i = 1, #positions, 2 do
    local x, y = one.cells(others[i], others[i + 1])
    near(positions[i], x)
    near(positions[i + 1], y)
  end
  for i, a in ipairs(square.walkers) do
    local b = one.walkers[i]
    assert.equal(a.state, b.state)
    local x, y = one.cells(b.x, b.y)
    near(a.x, x)
    near(a.y, y)
    x, y = one.cell_vector(b.vx, b.vy)
    near(a.vx, x)
    near(a.vy, y)
    x, y = one.cells(b.goal_x, b.goal_y)
    near(a.goal_x, x)
    near(a.goal_y, y)
    near(a.radius, b.radius / one.side)
    near(a.speed, b.speed / one.side)
    local dx, dy = one.vector(math.cos(a.heading), math.sin(a.heading))
    if a.vx ~= 0 or a.vy ~= 0 then -- before it moves, each heading is 0
      near(0, (math.sin(b.heading) * dx - math.cos(b.heading) * dy) / one.side, 1e-6)
      assert.is_true(math.cos(b.heading) * dx + math.sin(b.heading) * dy > 0)
    end
    crossed = crossed or b.crossing
  end
  return crossed
end

describe("a crowd on cells that are not squares", function()
  it("moves as one on squares, through the frame #many", function()
    for _, options in ipairs(FRAMES) do
      local square, one = people(framed()), people(framed(options))
      local crossed = false
      for step = 1, 660 do
        square.crowd:update(1 / 30)
        one.crowd:update(1 / 30)
        assert.equal((square.crowd:hash()), (one.crowd:hash()))
        if step % 7 == 0 then crossed = compare(square, one) or crossed end
      end
      assert.truthy(crossed)
      for i, w in ipairs(one.walkers) do
        assert.equal((i == 9 or i == 8 or i == 12) and "waiting" or "arrived", w.state)
      end
    end
  end)

  it("moves so too where conversions are rounded", function()
    local function walk(options)
      local grid = wend.grid(12, 9, options)
      local f = frame.of(grid)
      local crowd, places = wend.crowd { map = grid }, {}
      local x, y = frame.to_world(f, 1.3, 2.7)
      local ax, ay = frame.to_world(f, 7.1, 2.9)
      local bx, by = frame.to_world(f, 9.7, 7.3)
      local w = crowd:add({ x = x, y = y, acceleration = 2.3 * f.wide }):go { ax, ay, bx, by }
      for _ = 1, 300 do
        crowd:update(1 / 30)
        places[#places + 1], places[#places + 2] = frame.to_cells(f, w.x, w.y)
      end
      assert.equal("arrived", w.state)
      return places
    end
    local expected = walk()
    for _, options in ipairs { { projection = "isometric", cell = { 58, 31 }, origin = { -3.7, 1e4 / 3 } },
      { cell = { 3.3, 0.7 }, origin = { 0.1, 0.2 } }, { projection = "isometric", cell = { 0.1, 77 } } } do
      for i, value in ipairs(walk(options)) do near(expected[i], value) end
    end
  end)

  it("finds walkers by the distance along the ground", function()
    for _, options in ipairs(FRAMES) do
      local square, one = people(framed()), people(framed(options))
      pass(square.crowd, 3)
      pass(one.crowd, 3)
      for _, r in ipairs { 0, 1, 2.5, 6, 30 } do
        local x, y = one.at(6, 4)
        local list, others = square.crowd:near(6, 4, r), one.crowd:near(x, y, r * one.side)
        assert.equal(#list, #others)
        for i, w in ipairs(list) do assert.equal(w.data, others[i].data) end
      end
    end
  end)

  it("measures radius, speed and acceleration in widths of a cell along the ground", function()
    local crowd = wend.crowd { map = wend.grid(20, 20, { projection = "isometric", cell = { 64, 32 } }) }
    local w = crowd:add { x = 0, y = 5.5 * 32 } -- the centre of a cell
    assert.same({ 32.0, 96.0, math.huge }, { w.radius, w.speed, w.acceleration })
    local slow = crowd:add { x = 0, y = 15 * 32, acceleration = 128, radius = 16 }
    assert.same({ 16.0, 128.0 }, { slow.radius, slow.acceleration })
    w:go(5 * 32, 5.5 * 32 + 5 * 16) -- five cells along x, to the lower right
    pass(crowd, 2)
    near(1.5 * 32, w.vx, 0.5)
    near(1.5 * 16, w.vy, 0.5)
    near(math.atan(0.5), w.heading, 0.01)
    w:go(0, 5.5 * 32) -- and back
    pass(crowd, 1)
    near(-1.5 * 32, w.vx, 0.5)
    near(math.atan(0.5) - math.pi, w.heading, 0.01)
    w:place(0, 5.5 * 32):go(0, 0.5 * 32) -- straight up the screen
    pass(crowd, 2)
    near(0, w.vx, 3)
    near(-1.5 * math.sqrt(0.5) * 32, w.vy, 1)
    near(-math.pi / 2, w.heading, 0.1)
  end)

  it("keeps a circle of the walls a circle on the screen", function()
    local walls = wend.walls()
    walls:add_circle(0, 320, 64)
    local crowd = wend.crowd { map = wend.grid(20, 20, { projection = "isometric", cell = { 64, 32 } }), walls = walls }
    local small = { 0.02 * 64, 0.02 * 64 * math.sqrt(0.5) } -- its radius, and half its width on the screen
    local a = crowd:add { x = -150, y = 320, radius = small[1] }
    local b = crowd:add { x = 0, y = 420, radius = small[1] }
    for _ = 1, 150 do
      a:push(60, 0)
      b:push(0, -60)
      crowd:update(1 / 30)
    end
    near(-64 - small[2], a.x, 2) -- its polygon is up to 2 % larger
    near(320 + 64 + small[2] / 2, b.y, 2)
  end)

  it("goes on as before when it is loaded", function()
    for _, options in ipairs(FRAMES) do
      local one = people(framed(options))
      one.walkers[7]:stop() -- fields are not saved
      pass(one.crowd, 4)
      local bytes = one.crowd:encode()
      local loaded = assert(wend.decode(bytes, { map = wend.decode(one.grid:encode()) }))
      assert.equal(bytes, loaded:encode())
      for _ = 1, 400 do
        one.crowd:update(1 / 30)
        loaded:update(1 / 30)
        assert.equal((one.crowd:hash()), (loaded:hash()))
      end
      assert.same(one.crowd:positions(), loaded:positions())
    end
  end)

  it("is not loaded with cells that lie elsewhere", function()
    local bytes = people(framed(FRAMES[1])).crowd:encode()
    for _, options in ipairs { {}, FRAMES[3], { projection = "isometric", cell = { 64, 31 }, origin = { -96, 8 } },
      { cell = { 64, 32 }, origin = { -96, 8 } }, { projection = "isometric", cell = { 64, 32 } } } do
      local crowd, message, code = wend.decode(bytes, { map = framed(options).grid })
      assert.same({ "a crowd: it belongs to another map, or this one has changed since", "stale" }, { message, code })
      assert.is_nil(crowd)
    end
  end)

  it("ends as far from the origin as one on squares", function()
    local crowd = wend.crowd { map = wend.grid(5, 5, { projection = "isometric", cell = { 64, 32 } }) }
    local w = crowd:add { x = 32e9, y = -16e9 }
    assert.same({ 32e9, -16e9 }, { w.x, w.y })
    raises("x must be a number in -32000000000 .. 32000000000, got 33000000000", crowd.add, crowd,
      { x = 33000000000, y = 0 })
    raises("y must be a number in -16000000000 .. 16000000000, got -17000000000", w.place, w, 0,
      -17000000000)
    raises("points[4] must be a number in -16000000000 .. 16000000000, got 1e+300", w.go, w, { 5, 5, 0, 1e300 })
    raises("points[3] must be a number in -32000000000 .. 32000000000, got 'x'", w.go, w, { 5, 5, "x", 2 })
    raises("x must be a finite number, got nan", w.place, w, 0 / 0, 2)
    raises("vx and vy must be a velocity up to 1e6", w.push, w, 1e300, -1e300)
    raises("vx and vy must be a velocity up to 1e6", w.push, w, 1e300, 1e300)
    raises("radius must be a number in 0.064 .. 64000000, got 0.001", crowd.add, crowd,
      { x = 1, y = 1, radius = 0.001 })
    local rows = wend.crowd { map = wend.grid(5, 5, { cell = { 2, 4 } }) }
    raises("y must be a number in -4000000000 .. 4000000000, got 5000000000", rows.add, rows,
      { x = 1, y = 5000000000 })
    local walls = wend.walls()
    walls:add_segment(0, 0, 1e11, 1e11)
    raises("walls must lie within 1e9 of the origin", wend.crowd, { map = wend.grid(5, 5, { projection = "isometric",
      cell = { 64, 32 } }), walls = walls })
  end)
end)
