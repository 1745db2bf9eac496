-- SPDX-License-Identifier: MIT
-- What scripts change of walkers while they walk: settings, ground that slows, goals that cannot be reached, and what a
-- loaded crowd needs from the script.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises
local STEP = 1 / 30

local function pass(crowd, seconds)
  for _ = 1, seconds * 30 do crowd:update(STEP) end
end

--- Assigns a field, for raises.
local function set(w, name, value) w[name] = value end

--- The seconds until a walker arrives; nil: it does not within 100.
local function time_of(crowd, w)
  for step = 1, 3000 do
    crowd:update(STEP)
    if w.state == "arrived" then return step * STEP end
  end
end

local function near(expected, value, most)
  assert.is_true(math.abs(expected - value) <= most, ("%s is not near %s"):format(value, expected))
end

describe("settings of a walker", function()
  it("can be assigned at any time", function()
    local crowd = wend.crowd { map = wend.grid(60, 6) }
    local w = crowd:add { x = 2, y = 3, speed = 1 }
    assert.same({ 10.0, 0, "default" }, { w.patience, w.priority, w.group })
    assert.is_nil(w.avoids)
    w:go(58, 3)
    pass(crowd, 2)
    w.speed = 4
    pass(crowd, 1)
    near(4, w.vx, 0.1)
    w.acceleration, w.radius, w.priority, w.patience = 2, 0.25, 3, 5
    w.group, w.avoids, w.data = "cavalry", { "cavalry", "wall" }, "mine"
    assert.same({ 4.0, 2.0, 0.25, 3, 5.0, "cavalry", { "cavalry", "wall" }, "mine" },
      { w.speed, w.acceleration, w.radius, w.priority, w.patience, w.group, w.avoids, w.data })
    w.avoids, w.group = nil, nil
    assert.equal("default", w.group)
    assert.is_nil(w.avoids)
    w.anything = 5
    assert.equal(5, w.anything)
    pass(crowd, 20)
    assert.equal("arrived", w.state)
  end)

  it("make others pass through it, or make way", function()
    for _, ghost in ipairs { true, false } do
      local crowd = wend.crowd()
      local a, b = crowd:add { x = 0, y = 0 }, crowd:add { x = 8, y = 0 }
      a:go(8, 0)
      b:go(0, 0)
      if ghost then a.avoids, b.avoids = {}, {} end
      local most = 0
      for _ = 1, 300 do
        crowd:update(STEP)
        most = math.max(most, math.abs(a.y))
      end
      assert.equal(ghost, most < 0.01)
    end
  end)

  it("push a walker out of a wall, or leave it stuck", function()
    local crowd = wend.crowd { map = wend.grid(20, 9):fill(1, 1, 20, 4, false):fill(1, 6, 12, 9, false) }
    local w = crowd:add { x = 2, y = 4.5, radius = 0.3, patience = 2 }
    w:go(18, 6)
    pass(crowd, 1)
    w.radius = 0.8
    pass(crowd, 20)
    assert.equal("stuck", w.state)
    w.radius = 0.3
    pass(crowd, 20)
    assert.equal("arrived", w.state)
    w.radius = 1.5
    w:go(18, 6.5)
    pass(crowd, 20)
    assert.is_true(w.y >= 5.5 - 0.01 and w.y <= 7.5 + 0.01)
  end)

  it("of its plan make it plan again", function()
    local grid = wend.grid(20, 5):fill(8, 1, 12, 4, "mud")
    local costs = wend.costs { mud = function(agent) return agent == "boots" and 1 or 50 end }
    local crowd = wend.crowd { map = grid, costs = costs }
    local w, most = crowd:add { x = 2, y = 1.5 }, 0
    w:go(18, 1.5)
    pass(crowd, 1)
    w.agent = "boots"
    for _ = 1, 600 do
      crowd:update(STEP)
      most = math.max(most, w.y)
    end
    assert.same({ "arrived", "boots" }, { w.state, w.agent })
    assert.is_true(most < 3)
    crowd.costs = nil
    assert.is_nil(crowd.costs)
  end)

  it("of its plan change nothing for one that has arrived", function()
    local crowd, arrived = wend.crowd { map = wend.grid(20, 9) }, 0
    function crowd.on_arrive() arrived = arrived + 1 end
    local w = crowd:add({ x = 2, y = 4.5 }):go(6.5, 4.5)
    pass(crowd, 10)
    w.agent = {}
    pass(crowd, 10)
    assert.same({ "arrived", 1 }, { w.state, arrived })
  end)

  it("raise when they are invalid, and for what can only be read", function()
    local crowd = wend.crowd { map = wend.grid(5, 5) }
    local w = crowd:add { x = 2, y = 2 }
    for _, name in ipairs { "x", "y", "vx", "vy", "heading", "state", "goal_x", "goal_y", "paused", "crossing",
      "blocked_by", "message", "code", "go" } do
      raises(("'%s' cannot be assigned"):format(name), set, w, name, 1)
    end
    raises("speed must be a number in 0 .. 1000000, got -1", set, w, "speed", -1)
    raises("radius must be a number, got 'big'", set, w, "radius", "big")
    raises("acceleration must be a number > 0, got 0", set, w, "acceleration", 0)
    raises("patience must be a number > 0, got nan", set, w, "patience", 0 / 0)
    raises("priority must be a whole number, got 0.5", set, w, "priority", 0.5)
    raises("group must be a string, got 5", set, w, "group", 5)
    raises("avoids[1] must be a string, got 5", set, w, "avoids", { 5 })
    raises("costs must be a profile made by wend.costs, got 5", set, w, "costs", 5)
    raises("speeds must be a table of factors by tag or 'costs', got 5", set, w, "speeds", 5)
    raises("speeds.mud must be a finite number >= 0, got -1", set, w, "speeds", { mud = -1 })
    raises("speeds must be a table of factors by tag or 'costs', got the key 1", set, crowd, "speeds", { 1 })
    raises("costs must be a profile made by wend.costs, got 5", set, crowd, "costs", 5)
    raises("avoids must be a list of groups, got the key 'birds'", set, w, "avoids", { birds = true })
    for _, name in ipairs { "map", "walls", "queue", "budget", "max_steps", "seed", "add", "go", "update" } do
      raises(("'%s' cannot be assigned"):format(name), set, crowd, name, 1)
    end
    for _, name in ipairs { "on_arrive", "on_stuck", "on_lost" } do
      raises(name .. " must be a function, got 5", set, crowd, name, 5)
      crowd[name] = print
      assert.equal(print, crowd[name])
      crowd[name] = nil
      assert.is_nil(crowd[name])
    end
    w.target, w.reason, crowd.score = "enemy", "tired", 7          -- fields of the game
    assert.same({ "enemy", "tired", 7 }, { w.target, w.reason, crowd.score })
    local list, path, field = { 1, 1, 2, 2 }, crowd.map, wend.grid(5, 5):field(1, 1)
    raises("options are for positions: a table has none", w.go, w, list, { partial = true })
    raises("options are for positions: a wend.Path has none", w.go, w, wend.grid(5, 5):path(1, 1, 2, 2), {})
    raises("options are for positions: a wend.Field has none", w.go, w, field, { partial = true })
    assert.same({ "waiting" }, { w.state, path })
    local plain = wend.crowd()
    raises("speeds: the map of the crowd must be a grid", wend.crowd, { speeds = {} })
    raises("speeds: the map of the crowd must be a grid", set, plain, "speeds", {})
    w:remove()
    raises("the walker was removed", set, w, "speed", 1)
    assert.is_nil(w.speed)
  end)
end)

describe("walls", function()
  it("may be added and removed at any time, also in a crowd that is loaded", function()
    local walls, hall = wend.walls(), wend.grid(30, 10)
    local crowd = wend.crowd { map = hall, walls = walls }
    local w = crowd:add({ x = 3, y = 5 }):go(25, 5)
    pass(crowd, 2)
    local wall = walls:add_segment(10, 0, 10, 10)
    pass(crowd, 10)
    assert.is_true(w.x <= 9.5)
    local bytes = crowd:encode()
    local fixed = wend.decode(bytes, { map = hall })             -- it has a copy
    local loaded = wend.decode(bytes, { map = hall, walls = walls })
    pass(crowd, 5)
    pass(loaded, 5)
    assert.equal(crowd:hash(), loaded:hash())
    walls:remove(wall)
    for _, one in ipairs { crowd, loaded, fixed } do pass(one, 20) end
    assert.equal("arrived", w.state)
    assert.equal(crowd:hash(), loaded:hash())
    for one in fixed:each() do assert.is_true(one.x <= 9.5) end
  end)

  it("on a grid, which plans do not know, are gone around after a while", function()
    for turn = 1, 12 do
      for _, late in ipairs { false, true } do
        local walls, angle = wend.walls(), turn * math.pi / 6 + 0.1
        local along, across = math.cos(angle), math.sin(angle)
        local crowd = wend.crowd { map = wend.grid(50, 40), walls = walls }
        local w = crowd:add { x = 25 - 12 * along, y = 20 - 12 * across, radius = 0.3, speed = 2 }
        w:go(25 + 12 * along, 20 + 12 * across)
        if late then pass(crowd, 5.7) end                  -- it may fall on the walker
        walls:add_segment(24, 19.5, 26, 20.5)
        walls:add_segment(20, 19.5, 20, 22)
        walls:add_polygon { 29, 19, 31, 19, 31, 22, 29, 22 }
        pass(crowd, 30)
        assert.equal("arrived", w.state, ("turn %d, late %s"):format(turn, tostring(late)))
      end
    end
  end)

  it("that are too far away or freed make update raise, and nothing else changes", function()
    local walls = wend.walls()
    local crowd = wend.crowd { walls = walls }
    local w = crowd:add({ x = 0, y = 0 }):go(9, 0)
    local far = walls:add_circle(0, 0, 2e9)
    raises("walls must lie within 1e9 of the origin", crowd.update, crowd, STEP)
    walls:remove(far)
    pass(crowd, 10)
    assert.equal("arrived", w.state)
    raises("walls must be walls, got 5", wend.decode, crowd:encode(), { walls = 5 })
    debug.getmetatable(walls).__gc(walls)
    raises("the walls are gone", crowd.update, crowd, STEP)
    assert.equal(1, crowd:count())
  end)
end)

describe("a walker that cannot get on", function()
  it("reports that it is stuck while its plan is not ready", function()
    local map, q, stuck = wend.grid(30, 3), wend.queue(), 0
    local crowd = wend.crowd { map = map, queue = q, on_stuck = function() stuck = stuck + 1 end }
    for y = 1, 3 do crowd:add({ x = 20.5, y = y - 0.5, radius = 0.5 }):pause() end
    local w = crowd:add({ x = 2, y = 1.5, patience = 3 }):go(28, 1.5)
    q:step(1e6)
    pass(crowd, 14)
    map:set(25, 2, 2)                       -- its path is touched, and nobody works the queue off
    pass(crowd, 10)
    assert.same({ "stuck", 1 }, { w.state, stuck })
    q:step(1e6)
    pass(crowd, 1)
    assert.same({ "stuck", 1 }, { w.state, stuck })
  end)

  it("reports that it is stuck though it plans again all the time", function()
    for turn = 1, 8 do
      local walls, stuck, arrived = wend.walls(), 0, 0
      walls:add_segment(24, 19.5, 26, 20.5)
      local crowd = wend.crowd { map = wend.grid(50, 40), walls = walls }
      function crowd.on_stuck() stuck = stuck + 1 end
      function crowd.on_arrive() arrived = arrived + 1 end
      local w = crowd:add { x = 24.2 + turn * 0.2, y = 19 + turn * 0.1, radius = 0.3, speed = 2, patience = 5 }
      w:go(25 + 5 * math.cos(turn), 20 + 9 * math.abs(math.sin(turn)))
      for step = 1, 60 * 30 do
        if step % 20 == 0 then w.agent = {} end
        crowd:update(STEP)
      end
      assert.is_true(w.state == "stuck" and stuck > 0 or w.state == "arrived" and arrived == 1, w.state)
    end
  end)
end)

describe("a door", function()
  it("lets those who come to it from its sides through as fast as others", function()
    local map = wend.grid(40, 24):fill(19, 1, 19, 24, false):open(19, 13)
    local crowd, gone = wend.crowd { map = map }, 0
    function crowd.on_arrive(w)
      gone = gone + 1
      w:remove()
    end
    for step = 0, 60 * 30 - 1 do
      local i = step / 10
      if step % 10 == 0 then
        local y, radius, speed = 8 + i * 7 % 41 / 5, 0.25 + i % 3 / 10, 1.5 + i % 4 / 4
        crowd:add({ x = 0.5 + i % 5 / 5, y = y, radius = radius, speed = speed }):go(39.5, 12.5)
      end
      crowd:update(1 / 30)
    end
    assert.is_true(gone >= 62, gone)  -- 58, when they kept to their side there
  end)
end)

describe("ground", function()
  local function swamp() return wend.grid(40, 6):fill(11, 1, 20, 6, 1, "swamp"):fill(25, 1, 26, 6, 4) end

  it("slows by factors of tags", function()
    local crowd = wend.crowd { map = swamp(), speeds = { swamp = 0.5 } }
    local w = crowd:add({ x = 2, y = 3, speed = 2 }):go(38, 3)
    near(36 / 2 + 10 / 2, time_of(crowd, w), 0.7)
    w.speeds = { swamp = 2 }
    assert.equal(2, w.speeds.swamp)
    w:go(2, 3)
    near(36 / 2 - 10 / 4, time_of(crowd, w), 0.7)
    w.speeds = {}
    w:go(38, 3)
    near(18, time_of(crowd, w), 0.7)
    w.speeds, crowd.speeds = nil, nil
    w:go(2, 3)
    near(18, time_of(crowd, w), 0.7)
  end)

  it("slows as plans count it", function()
    local asked = 0
    local costs = wend.costs { swamp = function(agent)
      asked = asked + 1
      return agent == "boots" and 1 or 3
    end }
    local crowd = wend.crowd { map = swamp(), costs = costs, speeds = "costs" }
    local w = crowd:add({ x = 2, y = 3, speed = 2 }):go(38, 3)
    crowd:update(0.1)
    local before = asked
    near(18 + 10 + 2 / 2 * 3, time_of(crowd, w), 1)
    assert.equal(before, asked)                      -- no function runs in a step
    w.agent = "boots"
    w:go(2, 3)
    near(18 + 2 / 2 * 3, time_of(crowd, w), 1)
  end)

  it("of a new tag counts, and a factor of 0 leaves a walker stuck", function()
    local grid = wend.grid(20, 3)
    local crowd = wend.crowd { map = grid, speeds = { mire = 0 } }
    local w = crowd:add({ x = 2, y = 1.5, patience = 2 }):go(18, 1.5)
    pass(crowd, 1)
    grid:fill(10, 1, 11, 3, 1, "mire")
    pass(crowd, 12)
    assert.equal("stuck", w.state)
    near(9, w.x, 0.2)
    crowd.speeds = nil
    pass(crowd, 10)
    assert.equal("arrived", w.state)
  end)

  it("raises what a function of a tag raises, and changes nothing", function()
    local crowd = wend.crowd { map = swamp() }
    local bad = wend.costs { swamp = function() error "no idea" end }
    local w = crowd:add { x = 2, y = 3, speeds = "costs" }
    assert.is_false((pcall(set, w, "costs", bad)))
    assert.is_nil(w.costs)
    assert.is_false((pcall(crowd.add, crowd, { x = 1, y = 1, costs = bad, speeds = "costs" })))
    assert.equal(1, crowd:count())
    assert.is_false((pcall(set, crowd, "costs", bad)))
  end)
end)

describe("a goal that cannot be reached", function()
  local function island() return wend.grid(30, 12):fill(14, 3, 20, 9, false):fill(16, 5, 18, 7, 1) end

  it("is left at the nearest place with partial, also outside of the map", function()
    local crowd = wend.crowd { map = island() }
    for _, goal in ipairs { { 14.5, 5.5 }, { 16.5, 6.5 }, { 50, 6 } } do
      local w = crowd:add { x = 3, y = 6 }
      w:go(goal[1], goal[2], { partial = true })
      assert.same({ goal[1], goal[2] }, { w.goal_x, w.goal_y })
      pass(crowd, 40)
      assert.same({ "arrived", goal[1], goal[2] }, { w.state, w.goal_x, w.goal_y })
      assert.is_true(w.x > 11)
      w:remove()
    end
  end)

  it("is left at the nearest place when it is ordered in every step", function()
    local crowd, arrived = wend.crowd { map = island() }, 0
    local w = crowd:add { x = 3, y = 6 }
    function crowd.on_arrive() arrived = arrived + 1 end
    for _ = 1, 1200 do
      w:go(14.5, 5.5, { partial = true })
      crowd:update(STEP)
    end
    assert.same({ "arrived", 1 }, { w.state, arrived })
  end)

  it("takes a group as near as it gets", function()
    for _, goal in ipairs { { 14.5, 5.5 }, { 17, 6 } } do
      local crowd, list = wend.crowd { map = island() }, {}
      for i = 1, 8 do list[i] = crowd:add { x = 2 + i % 2, y = 1 + i } end
      crowd:go(list, goal[1], goal[2], { partial = true })
      pass(crowd, 60)
      for _, w in ipairs(list) do
        assert.equal("arrived", w.state)
        assert.is_true(w.x > 8)
      end
    end
  end)

  it("is the goal in on_lost", function()
    local crowd, goals = wend.crowd { map = island() }, {}
    function crowd.on_lost(w) goals[#goals + 1] = w.goal_x .. " " .. w.goal_y end
    crowd:add({ x = 3, y = 6 }):go(14.25, 5.5)
    crowd:go({ crowd:add { x = 3, y = 4 } }, 17.25, 6.5)
    crowd:add({ x = 3, y = 8 }):go(50.5, 6.5)
    pass(crowd, 1)
    table.sort(goals)
    assert.same({ "14.25 5.5", "17.25 6.5", "50.5 6.5" }, goals)
  end)

  it("may be closed by close", function()
    local graph = wend.graph()
    for i = 1, 4 do graph:add_node(5 * i, 5) end
    for i = 1, 3 do graph:add_edge(i, i + 1) end
    local grid = wend.grid(12, 5)
    grid:close(10, 3)
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 2, y = 2.5, patience = 2 })
    w:go(9.5, 2.5, { closed_goal = true })
    pass(crowd, 15)
    assert.is_true(w.x > 8 and w.state ~= "lost")
  end)
end)

describe("a crowd of many walkers", function()
  it("takes at most 1 kB of Lua memory for a walker that has a plan or waits for one", function()
    if _VERSION ~= "Lua 5.4" then return end            -- tables are larger in others
    local function used()
      collectgarbage()
      collectgarbage()
      return collectgarbage "count"
    end
    local count, before = 3000, used()
    local crowd = wend.crowd { map = wend.grid(300, 300), budget = 2000 }
    for i = 1, count do
      crowd:add({ x = 1 + i * 7 % 298, y = 1 + i * 13 % 298, radius = 0.3 }):go(298 - i * 11 % 297, 1 + i * 5 % 298)
    end
    for _ = 1, 5 do
      for _ = 1, 20 do crowd:update(STEP) end
      local each = (used() - before) / count
      assert.is_true(each <= 1, ("%.2f kB"):format(each))
    end
  end)

  it("plans for all in turn, however few plans may wait", function()
    local crowd, left = wend.crowd { map = wend.grid(60, 60), budget = 100 }, 0
    for i = 1, 400 do
      crowd:add({ x = 1 + i % 58, y = 1 + i % 57, radius = 0.1, speed = 3 }):go(58 - i % 57, 1 + i * 7 % 58)
    end
    pass(crowd, 100)
    for w in crowd:each() do if w.state == "moving" then left = left + 1 end end
    assert.equal(0, left)
  end)

  it("knows a wall that is built or taken away beside a walker at once", function()
    local grid = wend.grid(60, 9)
    local crowd = wend.crowd { map = grid }
    local w, stopped = crowd:add { x = 2, y = 4.5 }, 0
    for _ = 1, 20 do
      w:go { 58, 4.5 }
      pass(crowd, 1)
      local column = math.floor(w.x + 0.6) + 2             -- its left side is 0.6 to 1.6 ahead
      if column > 57 then break end
      grid:fill(column, 1, column, 9, false)
      for _ = 1, 60 do
        crowd:update(STEP)
        assert.is_true(w.x + 0.49 <= column - 1)
      end
      grid:fill(column, 1, column, 9, 1)
      stopped = stopped + 1
    end
    assert.is_true(stopped > 15 and w.x > 20)
  end)
end)
