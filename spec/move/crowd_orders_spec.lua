-- SPDX-License-Identifier: MIT
-- Orders that come again and again, as games give them: every frame, with the same goal or one that moves a little.
local wend = require "wend"

local STEP = 1 / 30

--- The smaller angle between two headings, in degrees.
local function turn(a, b)
  local d = math.abs(a - b) % (2 * math.pi)
  return math.deg(math.min(d, 2 * math.pi - d))
end

--- Lets a walker go until it has arrived, or for 40 seconds. every: it is ordered in each so many-th step; nil: once.
-- @return seconds until it arrived, degrees that it turned, events
local function walk(crowd, w, order, every)
  local events, turned, heading, time = {}, 0, nil, nil
  function crowd.on_arrive() events[#events + 1] = "arrive" end
  function crowd.on_stuck() events[#events + 1] = "stuck" end
  function crowd.on_lost() events[#events + 1] = "lost" end
  order(0)
  for step = 1, 40 * 30 do
    crowd:update(STEP)
    if every and step % every == 0 then order(step) end
    if w.vx ^ 2 + w.vy ^ 2 > 0.2 ^ 2 and w.state == "moving" then
      local now = w.heading
      if heading then turned = turned + turn(heading, now) end
      heading = now
    end
    if not time and w.state == "arrived" then time = step * STEP end
  end
  return time or math.huge, turned, table.concat(events, " ")
end

local function open_map() return wend.grid(40, 40) end
local function door_map() return wend.grid(40, 40):fill(20, 1, 20, 40, false):open(20, 24, 20, 25) end

--- The ways to give an order. Each makes the function that gives it.
local ORDERS = {
  ["w:go(x, y)"] = function(_, _, w) return function() w:go(36.3, 31.8) end end,
  ["w:go(points)"] = function(_, map, w)
    return function() w:go(map:path(math.floor(w.x) + 1, math.floor(w.y) + 1, 37, 32)) end
  end,
  ["w:go(field)"] = function(_, map, w)
    local field = map:field(37, 32)
    return function() w:go(field) end
  end,
  ["w:go(new field)"] = function(_, map, w) return function() w:go(map:field(37, 32)) end end,
  ["crowd:go"] = function(crowd, _, w) return function() crowd:go({ w }, 36.3, 31.8) end end,
  ["a goal that moves"] = function(_, _, w)
    return function(step) w:go(36.3 - math.min(step, 600) * 0.01, 31.8) end
  end,
}

describe("orders that come again", function()
  for name, make in pairs(ORDERS) do
    for place, map in pairs { ["in the open"] = open_map, ["through a door"] = door_map } do
      it(("%s %s make the same way"):format(name, place), function()
        local free
        for _, every in ipairs { 0, 1, 4, 8, 15, 60 } do
          local grid = map()
          local crowd = wend.crowd { map = grid }
          local w = crowd:add { x = 5.6, y = 20.6 }
          local time, turned, events = walk(crowd, w, make(crowd, grid, w), every > 0 and every or nil)
          free = free or time
          local about = ("every %d: %.2f s of %.2f, %.0f degrees, %s"):format(every, time, free, turned, events)
          if name == "a goal that moves" then
            assert.is_true(time < 1.1 * free and turned / time < 30, about)
          else
            assert.is_true(time <= free / 0.95 and turned / time < 30, about)
            assert.equal("arrive", events, about)
          end
        end
      end)
    end
  end

  it("lead several units around a corner, though each plan takes many steps", function()
    local map = door_map()
    local crowd = wend.crowd { map = map, budget = 40 }
    local list, arrived = {}, 0
    for i = 1, 4 do list[i] = crowd:add { x = 17, y = 2 + 2 * i } end
    function crowd.on_arrive() arrived = arrived + 1 end
    for _ = 1, 40 * 30 do
      crowd:go(list, 30, 8)
      crowd:update(STEP)
    end
    assert.equal(4, arrived)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
  end)

  it("lead after a goal that moves fast, though each plan takes many steps", function()
    local crowd = wend.crowd { map = door_map(), budget = 60 }
    local w = crowd:add { x = 5.6, y = 20.6 }
    for step = 1, 20 * 30 do
      w:go(36, 6 + step % 30 * 0.8)
      crowd:update(STEP)
    end
    assert.is_true(w.x > 22, w.x)
  end)

  it("end the patience of one that is stuck", function()
    local crowd = wend.crowd { map = wend.grid(20, 1) }
    local w, told = crowd:add { x = 2, y = 0.5, radius = 0.45, patience = 5 }, 0
    crowd:add({ x = 10, y = 0.5, radius = 0.45 }):pause()
    function crowd.on_stuck() told = told + 1 end
    for step = 1, 30 * 30 do
      w:go(18, 0.5 + step % 2 * 0.01)
      crowd:update(STEP)
    end
    assert.same({ "stuck", 1 }, { w.state, told })
    local walls = wend.walls()
    walls:add_segment(5, -5, 5, 5)
    crowd = wend.crowd { walls = walls }
    w, told = crowd:add { x = 2, y = 0, patience = 5 }, 0
    function crowd.on_stuck() told = told + 1 end
    for _ = 1, 30 * 30 do
      w:go { 4.8, 0, 9, 0 }
      crowd:update(STEP)
    end
    assert.same({ "stuck", 1 }, { w.state, told })
  end)

  it("tell once that there is no way, and find one within a second", function()
    local map = door_map():close(20, 24, 20, 25)
    local crowd = wend.crowd { map = map }
    local w, told = crowd:add { x = 5, y = 20 }, {}
    local field = map:field(37, 32)
    local other, all = crowd:add { x = 5, y = 10 }, { crowd:add { x = 5, y = 5 }, crowd:add { x = 5, y = 8 } }
    all[3] = crowd:add { x = 30, y = 5 }
    function crowd.on_lost(lost) told[#told + 1] = lost end
    local function run(steps)
      for _ = 1, steps do
        w:go(36, 32)
        other:go(field)
        crowd:go(all, 36, 10)
        crowd:update(STEP)
      end
    end
    run(100)
    assert.same({ 4, "lost", "lost", "lost", "lost", "moving" },
      { #told, w.state, other.state, all[1].state, all[2].state, all[3].state })
    map:open(20, 24, 20, 25)
    field = map:field(37, 32)
    run(40)
    assert.same({ 4, "moving", "moving" }, { #told, w.state, all[1].state })
    run(50 * 30)
    assert.same({ 4, "arrived", "arrived", "arrived", "arrived", "arrived" },
      { #told, w.state, other.state, all[1].state, all[2].state, all[3].state })
    w:go(100, 100):go(100, 100)
    crowd:update(STEP)
    assert.equal(5, #told)
  end)

  it("move the goal of one that has arrived, by up to its radius", function()
    local crowd = wend.crowd { map = open_map() }
    local w, told = crowd:add { x = 5, y = 5 }, 0
    function crowd.on_arrive() told = told + 1 end
    w:go(8, 5)
    for _ = 1, 120 do crowd:update(STEP) end
    w:go(8.45, 5)
    for _ = 1, 120 do crowd:update(STEP) end
    assert.same({ 1, "arrived", 8.45 }, { told, w.state, w.goal_x })
    assert.is_true(math.abs(w.x - 8.45) < 0.2)
    w:go(8.6, 5)
    for _ = 1, 120 do crowd:update(STEP) end
    assert.equal(2, told)
    w:place(20, 20)
    w:go(8.6, 5)
    assert.is_true(w.x > 19)
    for _ = 1, 30 * 30 do crowd:update(STEP) end
    assert.equal(3, told)
    w:stop()
    w:go(8.6, 5)
    for _ = 1, 30 do crowd:update(STEP) end
    assert.equal(4, told)
  end)

  it("keep to the points of a round, also without walls", function()
    for _, options in ipairs { {}, { map = wend.grid(30, 30):fill(8, 8, 13, 13, false) } } do
      local crowd = wend.crowd(options)
      local w, farthest = crowd:add { x = 5.01, y = 5.02 }, 0
      for _ = 1, 40 * 30 do
        w:go { 5, 5, 15, 5, 15, 15, 5, 15, 5, 5 }
        crowd:update(STEP)
        farthest = math.max(farthest, w.x + w.y)
      end
      assert.same({ "arrived", true }, { w.state, farthest > 27 })
    end
  end)

  it("change what they ask for: costs, agent, or a place for one instead of a group", function()
    local map = wend.grid(20, 5):fill(8, 1, 12, 4, "mud")
    local crowd = wend.crowd { map = map }
    local w, most = crowd:add { x = 2, y = 1.5 }, 0
    w:go(18, 1.5)
    crowd:update(STEP)
    w.costs = wend.costs { mud = 20 }
    w:go(18, 1.5)
    for _ = 1, 20 * 30 do
      crowd:update(STEP)
      most = math.max(most, w.y)
    end
    assert.same({ "arrived", true }, { w.state, most > 4 })
    crowd:go({ w, crowd:add { x = 17, y = 3 } }, 10, 2.5)
    for _ = 1, 10 * 30 do crowd:update(STEP) end
    w:go(10, 2.5)
    for _ = 1, 10 * 30 do crowd:update(STEP) end
    assert.same({ 10, 2.5 }, { w.goal_x, w.goal_y })
  end)
end)

describe("an order to a group that comes in every frame, with partial", function()
  for _, shut in ipairs { true, false } do
    it("ends in front of the wall for " .. (shut and "all" or "those who are shut out"), function()
      local crowd, list = wend.crowd { map = wend.grid(40, 20):fill(25, 1, 25, 20, false) }, {}
      for i = 1, 12 do
        local x = (shut or i > 4) and 2 or 30
        list[i] = crowd:add { x = x + i % 4, y = 4 + math.floor(i / 4) * 2, radius = 0.3, patience = 4 }
      end
      local arrived = 0
      function crowd.on_arrive() arrived = arrived + 1 end
      for _ = 1, 40 * 30 do
        crowd:go(list, 35, 10, { partial = true })
        crowd:update(STEP)
      end
      assert.equal(12, arrived)
      for i, w in ipairs(list) do
        assert.equal("arrived", w.state)
        assert.equal(shut or i > 4, w.x < 24)
      end
    end)
  end
end)

describe("an order with partial that is repeated", function()
  local DOOR = { ["+"] = { tag = "door", closed = true } }
  local HALL = "........#....\n........+....\n........#...."

  --- Plays seconds, with an order to all walkers of a list in each frame.
  local function play(crowd, list, seconds, order, each)
    for frame = 1, seconds * 30 do
      if each then each(frame) end
      order(crowd, list)
      crowd:update(STEP)
    end
  end

  local orders = {
    ["w:go"] = function(_, list) for _, w in ipairs(list) do w:go(11.5, 1.5, { partial = true }) end end,
    ["crowd:go"] = function(crowd, list) crowd:go(list, 11.5, 1.5, { partial = true }) end,
    ["w:go with goals"] = function(_, list)
      for _, w in ipairs(list) do w:go { goals = { { x = 11.5, y = 1.5 }, { x = 12.5, y = 2.5 } }, partial = true } end
    end,
  }
  for how, order in pairs(orders) do
    it("leads on when a door opens, and is silent before: " .. how, function()
      local hall, list = wend.parse_grid(HALL, DOOR), {}
      local crowd, arrived, states = wend.crowd { map = hall }, 0, {}
      function crowd.on_arrive() arrived = arrived + 1 end
      for i = 1, 3 do list[i] = crowd:add { x = 1, y = i - 0.5, radius = 0.3 } end
      play(crowd, list, 15, order)
      assert.equal(3, arrived)
      play(crowd, list, 5, order, function(frame)
        hall:set(1, 1, frame % 2 + 1)               -- edits that change nothing for them
        for _, w in ipairs(list) do states[w.state] = true end
      end)
      assert.same({ arrived = true }, states)
      assert.equal(3, arrived)

      local map, again = wend.decode(hall:encode()), {}
      local loaded = assert(wend.decode(crowd:encode(), { map = map }))
      for w in loaded:each() do again[#again + 1] = w end
      hall:open(9, 2)
      map:open(9, 2)
      play(crowd, list, 15, order)
      play(loaded, again, 15, order)
      for _, w in ipairs(list) do
        assert.equal("arrived", w.state)
        assert.is_true(w.x > 9, w.x)
      end
      assert.equal(crowd:hash(), loaded:hash())
    end)
  end

  it("leads on when a walker has got a key", function()
    local hall = wend.parse_grid(HALL, { ["+"] = "vault" })
    local costs = wend.costs { vault = function(agent) return agent.key and 1 or false end }
    local crowd = wend.crowd { map = hall, costs = costs }
    local list = { crowd:add { x = 1, y = 1.5, radius = 0.3, agent = {} } }
    play(crowd, list, 15, orders["w:go"])
    assert.is_true(list[1].x < 8)
    list[1].agent = { key = true }
    orders["w:go"](crowd, list)                     -- once
    play(crowd, list, 15, function() end)
    assert.is_true(list[1].x > 11)
  end)
end)

describe("orders in every frame, where plans take several steps", function()
  --- Ten walkers at a wall with one door. Plays frames, with an order in each.
  local function scene(how, edits)
    local map = wend.grid(60, 40):fill(30, 1, 30, 40, false)
    local crowd, list, lost = wend.crowd { map = map, budget = 300 }, {}, {}
    for i = 1, 10 do list[i] = crowd:add { x = 3 + i, y = 5, radius = 0.3, speed = 3 } end
    function crowd.on_lost(w) lost[#lost + 1] = w end
    local target = { x = 50, y = 20 }
    local function run(seconds)
      for frame = 1, seconds * 30 do
        if how == "crowd:go" then crowd:go(list, 50, 20) end
        for _, w in ipairs(list) do
          if how == "w:go" then w:go(50, 20) elseif how == "w:chase" then w:chase(target) end
        end
        if edits then map[frame % 2 == 0 and "close" or "open"](map, 60, 1) end
        crowd:update(STEP)
      end
    end
    return map, list, lost, run
  end

  for _, how in ipairs { "w:go", "crowd:go", "w:chase" } do
    for _, edits in ipairs { false, true } do
      local about = how .. (edits and ", while the map changes in each" or "")
      it("tell that there is no path, and lead through a door that opens: " .. about, function()
        local map, list, lost, run = scene(how, edits)
        run(10)
        assert.equal(10, #lost)
        for _, w in ipairs(list) do assert.equal("lost", w.state) end
        map:open(30, 20, 30, 22)
        run(35)
        assert.equal(10, #lost)
        for _, w in ipairs(list) do assert.equal("arrived", w.state) end
      end)
    end
  end

  it("find ways again also if each search takes longer than a step", function()
    local map = wend.grid(90, 60):map(function(x, y) return { weight = 1 + (7 * x + 3 * y) % 5 } end)
    map:fill(45, 1, 45, 60, false)
    local crowd, list = wend.crowd { map = map, budget = 100 }, {}
    for i = 1, 10 do list[i] = crowd:add { x = 3 + i, y = 5, radius = 0.3, speed = 6 } end
    local function run(seconds)
      for _ = 1, seconds * 30 do
        for i, w in ipairs(list) do w:go(70 + i, 40) end
        crowd:update(STEP)
      end
    end
    run(20)
    for _, w in ipairs(list) do assert.equal("lost", w.state) end
    map:open(45, 20, 45, 22)
    run(60)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
  end)
end)

describe("the state of a walker", function()
  it("is that of its order at once, so a script that asks each frame leaves out no place", function()
    local places = { { 5, 5 }, { 15, 5 }, { 15, 15 }, { 5, 15 } }
    for _, fps in ipairs { 30, 60, 144 } do
      local crowd, visits = wend.crowd { map = wend.grid(20, 20), budget = 64 }, 0
      local w = crowd:add { x = 5, y = 15, speed = 4 }
      for i = 2, 12 do crowd:add({ x = 19, y = i }):go(1, i) end -- others who want plans
      for _ = 1, 30 * fps do
        if w.state == "arrived" or w.state == "waiting" then
          local x, y = places[(visits + 3) % 4 + 1][1], places[(visits + 3) % 4 + 1][2]
          assert.is_true(math.abs(w.x - x) + math.abs(w.y - y) < 1.5)
          visits = visits + 1
          x, y = places[(visits + 3) % 4 + 1][1], places[(visits + 3) % 4 + 1][2]
          w:go(x, y)
          assert.same({ "moving", x, y }, { w.state, w.goal_x, w.goal_y })
        end
        crowd:update(1 / fps)
      end
      assert.is_true(visits > 8)
    end
  end)

  it("is that of a new order also after it was lost or stuck", function()
    local crowd = wend.crowd { map = wend.grid(9, 3):close(5, 1, 5, 3) }
    local w = crowd:add({ x = 1.5, y = 1.5 }):go(8.5, 1.5)
    for _ = 1, 30 do crowd:update(1 / 30) end
    assert.equal("lost", w.state)
    w:go(3.5, 1.5)
    assert.same({ "moving", nil }, { w.state, w.message })
    w.patience, w.speed = 0.5, 0
    for _ = 1, 60 do crowd:update(1 / 30) end
    assert.equal("stuck", w.state)
    w:go(2.5, 2.5)
    assert.same({ "moving", nil }, { w.state, w.blocked_by })
    w:stop()
    assert.equal("waiting", w.state)
  end)
end)

describe("on_lost", function()
  it("is not called for a walker that was sent elsewhere meanwhile", function()
    local grid = wend.grid(9, 3):close(5, 1, 5, 3)
    local crowd, lost = wend.crowd { map = grid }, {}
    function crowd.on_lost(w, message, code) lost[#lost + 1] = { w.data, message, code } end
    local w, other = crowd:add { x = 1.5, y = 1.5 }, crowd:add { x = 1.5, y = 2.5, data = "other" }
    w:go(grid:field(9, 2))
    assert.same({ "lost", "no_path" }, { w.state, w.code })
    w:go(3.5, 1.5)
    other:go(grid:field(9, 2))
    for _ = 1, 90 do crowd:update(1 / 30) end
    assert.equal("arrived", w.state)
    assert.equal(1, #lost)
    assert.same({ "other", "lost", "no_path" }, { lost[1][1], other.state, lost[1][3] })
    assert.truthy(lost[1][2])
  end)

  it("is called once, also if the costs change; the next order then looks for a way at once", function()
    local grid = wend.grid(9, 3):set(5, 1, 1, "gate"):set(5, 2, 1, "gate"):set(5, 3, 1, "gate")
    local crowd, told = wend.crowd { map = grid, costs = wend.costs { gate = false } }, 0
    crowd.on_lost = function() told = told + 1 end
    local w = crowd:add { x = 1.5, y = 1.5 }
    local function order()
      w:go(7.5, 1.5)
      crowd:update(1 / 30)
      return w.state
    end
    for _ = 1, 5 do order() end
    assert.same({ "lost", 1 }, { w.state, told })
    w.costs = wend.costs { gate = false }
    for _ = 1, 5 do order() end
    assert.same({ "lost", 1 }, { w.state, told })
    w.costs = wend.costs { gate = 2 }
    assert.equal("moving", order())
    assert.equal(1, told)
  end)
end)

describe("an edit of a profile", function()
  local MOOR = [[
    ..........
    ..~~~~~~~~
    ..~~~~~~~~
    ..........
  ]]

  --- Lets a walker go to its goal. Returns whether it went round the swamp, and its state.
  local function passes(crowd, w)
    local least = w.x
    for _ = 1, 12 * 30 do
      crowd:update(STEP)
      least = math.min(least, w.x)
    end
    return least < 2, w.state
  end

  it("sends those on their way round, if their path has one of its tags", function()
    local edits = {
      function(costs) costs:set("swamp", 50) end,
      function(costs) costs:edge_rule("rain", function(_, cost) return cost * 50 end, { tags = { "swamp" } }) end,
      function(costs)
        costs:mod("rain"):reload(function(mine) mine:rule("wet", "swamp", function() return false end) end)
      end,
    }
    for _, edit in ipairs(edits) do
      local costs, map = wend.costs { swamp = 2 }, wend.parse_grid(MOOR, { ["~"] = "swamp" })
      local crowd = wend.crowd { map = map, costs = wend.costs({}, { base = costs }) }
      crowd:add { x = 4.5, y = 0.5 }:go(4.5, 3.5)
      crowd:update(STEP)
      local costs_2 = wend.costs { swamp = 2 }
      local loaded = wend.decode(crowd:encode(), { map = map, costs = costs_2 })
      edit(costs)
      edit(costs_2)
      for _, one in ipairs { crowd, loaded } do
        assert.same({ true, "arrived" }, { passes(one, one:each()()) })
      end
    end
  end)

  it("leaves those alone whose path has none of its tags, and whose profile is another one", function()
    local plans = 0
    local costs = wend.costs { swamp = function() plans = plans + 1 end }
    local map = wend.parse_grid(MOOR, { ["~"] = "swamp" })
    local crowd = wend.crowd { map = map, costs = costs }
    crowd:add { x = 4.5, y = 0.5 }:go(9.5, 0.5)
    crowd:add({ x = 1.5, y = 1.5, costs = wend.costs { swamp = 3 } }):go(9.5, 2.5)
    crowd:update(STEP)
    assert.is_true(plans > 0)
    plans = 0
    costs:set("lava", 2):set("swamp", function() plans = plans + 1 return 3 end)
    for _ = 1, 30 do crowd:update(STEP) end
    assert.equal(1, plans) -- for which cells are closed for its body
  end)

  it("counts on graphs, too", function()
    local g, costs = wend.graph(), wend.costs { ford = 1 }
    g:add_nodes { 0, 0, 10, 0, 5, 5 }
    g:add_edge(1, 2, { tag = "ford" })
    g:add_edges { 1, 3, 3, 2 }
    local crowd = wend.crowd { map = g, costs = costs }
    local w = crowd:add { x = 0, y = 0 }:go(10, 0)
    for _ = 1, 15 do crowd:update(STEP) end
    costs:set("ford", 9)
    local top = 0
    for _ = 1, 12 * 30 do
      crowd:update(STEP)
      top = math.max(top, w.y)
    end
    assert.is_true(top > 4)
    assert.equal("arrived", w.state)
  end)

  it("makes those plan that follow a field with its tags, and those that were lost look for a way", function()
    local map, costs = wend.parse_grid(MOOR, { ["~"] = "swamp" }), wend.costs { swamp = 2 }
    local crowd = wend.crowd { map = map, costs = costs }
    local w = crowd:add { x = 4.5, y = 0.5 }:go(map:field(5, 4, { costs = costs }))
    crowd:update(STEP)
    costs:set("swamp", 3)
    crowd:update(STEP)
    assert.equal("moving", w.state)
    for _ = 1, 30 * 30 do crowd:update(STEP) end
    assert.equal("arrived", w.state)

    local gate = wend.grid(9, 1):set(5, 1, 1, "gate")
    costs = wend.costs { gate = false }
    crowd = wend.crowd { map = gate, costs = costs }
    w = crowd:add { x = 1.5, y = 0.5 }
    local function order()
      w:go(7.5, 0.5)
      crowd:update(STEP)
      return w.state
    end
    for _ = 1, 5 do order() end
    assert.equal("lost", w.state)
    costs:set("gate", 1)
    assert.equal("moving", order())
  end)
end)

describe("orders of many at once", function()
  it("begin their plans in turn, also in a crowd that is loaded meanwhile", function()
    local grid = wend.grid(40, 40)
    local field = grid:field(35, 35)
    local crowd = wend.crowd { map = grid, budget = 256 }
    local list = {}
    for i = 1, 100 do list[i] = crowd:add { x = 1.5 + i % 10, y = 1.5 + math.floor(i / 10), radius = 0.3 } end
    for _, w in ipairs(list) do w:go(field) end
    local starts = crowd:positions()
    local function moved()
      local n, now = 0, crowd:positions()
      for i = 1, #now, 2 do n = n + ((now[i] ~= starts[i] or now[i + 1] ~= starts[i + 1]) and 1 or 0) end
      return n
    end
    for _ = 1, 2 do crowd:update(1 / 30) end
    local before = moved()
    assert.is_true(before > 0 and before < 30)
    for _ = 1, 8 do crowd:update(1 / 30) end
    assert.is_true(moved() > before and moved() < 100)
    for _ = 1, 90 do  -- one that is sent again and again does not keep the others waiting
      list[1]:go(grid:field(35, 34))
      crowd:update(1 / 30)
    end
    assert.equal(100, moved())

    for _, w in ipairs(list) do w:go(5, 35) end
    local loaded = wend.decode(crowd:encode(), { map = grid })
    for _ = 1, 120 do
      crowd:update(1 / 30)
      loaded:update(1 / 30)
      assert.equal(crowd:hash(), loaded:hash())
    end
  end)
end)

describe("a goal beside a wall, nearer than the radius", function()
  --- Sends a walker to a point at the end of a corridor.
  -- @param how "once", "anew" in every step, or as a "group"
  local function send(radius, x, y, how)
    local grid = wend.parse_grid [[
      #####
      ....#
      #####
    ]]
    local crowd = wend.crowd { map = grid }
    local w = crowd:add { x = 0.5, y = 1.5, radius = radius, speed = 4 }
    if how == "group" then crowd:go({ w }, x, y) else w:go(x, y) end
    for _ = 1, 300 do
      if how == "anew" then w:go(x, y) end
      crowd:update(1 / 30)
    end
    return w
  end

  it("is reached as near as the walker fits", function()
    for _, radius in ipairs { 0.2, 0.35, 0.45, 0.5 } do
      for _, point in ipairs { { 3.99, 1.5 }, { 3.5, 1.01 }, { 3.99, 1.99 }, { 3.9, 1.1 }, { 3, 1 }, { 3.6, 1 } } do
        local x, y = point[1], point[2]
        for _, how in ipairs { "once", "anew", "group" } do
          local w = send(radius, x, y, how)
          assert.equal("arrived", w.state, ("radius %g to %g,%g, %s"):format(radius, x, y, how))
          assert.is_true(w.x <= 4 - radius + 1e-3 and math.abs(w.y - 1.5) <= 0.5 - radius + 1e-3)
          assert.is_true(math.abs(w.x - x) < 1.5 * radius + 0.3, ("radius %g to %g,%g"):format(radius, x, y))
        end
      end
    end
  end)
end)

describe("orders on a large map", function()
  --- Walls with gaps at alternate ends.
  local function winding(size)
    local map = wend.grid(size, size)
    for x = 20, size - 20, 20 do
      map:fill(x, 1, x, size, false)
      local y = x % 40 == 0 and 3 or size - 6
      map:open(x, y, x, y + 3)
    end
    return map
  end

  it("let two walkers with one goal nearby set out at once", function()
    for _, size in ipairs { 128, 512, 1024 } do
      local crowd, list = wend.crowd { map = wend.grid(size, size):fill(10, 1, 10, 12, false) }, {}
      for i = 1, 2 do list[i] = crowd:add { x = 5.5, y = 2.5 * i, radius = 0.4 } end
      for _, w in ipairs(list) do w:go(20.5, 3.5) end
      for _ = 1, 6 do crowd:update(STEP) end
      for _, w in ipairs(list) do assert.truthy(w.x ~= 5.5, size) end
    end
  end)

  it("let walkers get on that are sent on in every frame, whatever the budget #many", function()
    for _, budget in ipairs { 4096, 500 } do
      for _, single in ipairs { true, false } do
        local map = winding(128)
        local crowd, list = wend.crowd { map = map, budget = budget }, {}
        for i = 1, 12 do list[i] = crowd:add { x = 3 + i % 4, y = 3 + math.floor(i / 4), radius = 0.4, speed = 5 } end
        for step = 0, 30 * 30 - 1 do
          local x, y = 120.5 + step % 7, 60.5 + 3 * (step % 5)
          if not single then crowd:go(list, x, y) end
          for _, w in ipairs(single and list or {}) do w:go(x, y) end
          crowd:update(STEP)
        end
        for _, w in ipairs(list) do
          local path = assert(map:path(4, 4, map:cell_at(w.x, w.y)))
          assert.truthy(path.cost > 90, ("%d: %.0f cells in 30 seconds"):format(budget, path.cost))
        end
      end
    end
  end)

  it("go on to the last goal after the answer to an earlier one, also in a crowd that was saved meanwhile", function()
    local map = winding(64)
    local crowd = wend.crowd { map = map, budget = 200 }
    local w = crowd:add { x = 3, y = 3, radius = 0.4, speed = 5 }
    w:go(30.5, 30.5)
    crowd:update(STEP)
    w:go(10.5, 10.5)
    crowd:update(STEP)
    w:go(5.5, 50.5)
    local copy = wend.decode(crowd:encode(), { map = map })
    local other = copy:each()()
    for _ = 1, 30 * 30 do
      crowd:update(STEP)
      copy:update(STEP)
    end
    for _, one in ipairs { w, other } do
      assert.same({ "arrived", 5.5, 50.5 }, { one.state, one.goal_x, one.goal_y })
      assert.truthy(math.abs(one.x - 5.5) + math.abs(one.y - 50.5) < 0.5)
    end
    assert.same({ w.x, w.y }, { other.x, other.y })
  end)
end)
