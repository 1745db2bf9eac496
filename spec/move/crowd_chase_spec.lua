-- SPDX-License-Identifier: MIT
-- Walkers that follow what moves: w:chase and crowd:surround.
local helper = require "spec.support.helper"
local wend = require "wend"

local raises = helper.raises
local STEP = 1 / 30

local function pass(crowd, seconds)
  for _ = 1, seconds * 30 do crowd:update(STEP) end
end

local function apart(a, b) return math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) end

describe("w:chase", function()
  it("keeps a hundred near a player who runs around a map", function()
    local grid = wend.grid(60, 60):fill(20, 20, 40, 22, false):fill(20, 35, 40, 37, false)
    local crowd, list = wend.crowd { map = grid }, {}
    local player = crowd:add { x = 55, y = 5, speed = 3, priority = 5 }
    for i = 1, 100 do
      list[i] = crowd:add({ x = 5 + i % 10 * 1.5, y = 5 + math.floor(i / 10) * 1.5, speed = 3 }):chase(player)
    end
    local corners, at, sum, count = { 55, 55, 5, 55, 5, 5, 55, 5 }, 1, 0, 0
    for step = 1, 60 * 30 do
      if player.state ~= "moving" then
        player:go(corners[at], corners[at + 1])
        at = at % 8 + 2 > 8 and 1 or at + 2
      end
      crowd:update(STEP)
      if step > 30 * 30 then
        for _, w in ipairs(list) do sum, count = sum + apart(w, player), count + 1 end
      end
    end
    assert.is_true(sum / count < 9, sum / count)
  end)

  it("is in reach, and follows when the target gets away", function()
    for _, options in ipairs { {}, { map = wend.grid(40, 10) } } do
      local crowd, told = wend.crowd(options), 0
      local prey = { x = 20, y = 5 }
      local w = crowd:add { x = 3, y = 5, speed = 4 }
      function crowd.on_arrive(one)
        assert.equal("arrived", one.state)
        told = told + 1
      end
      for _ = 1, 300 do
        w:chase(prey, { distance = 3 })
        crowd:update(STEP)
      end
      assert.same({ "arrived", 1 }, { w.state, told })
      assert.is_true(math.abs(apart(w, prey) - 3) < 0.6)
      prey.x = 35
      crowd:update(STEP)
      assert.equal("moving", w.state)
      pass(crowd, 10)
      assert.same({ "arrived", 2 }, { w.state, told })
      w:go(3, 5)
      pass(crowd, 15)
      assert.is_true(w.x < 3.5)
      assert.equal(3, told)
    end
  end)

  it("ends around a target that stays: all arrive, each once, though they push each other", function()
    for _, place in ipairs { false, true } do
      local crowd, count, arrived = wend.crowd { map = wend.grid(30, 20) }, 0, {}
      local target = place and { x = 15, y = 10 } or crowd:add({ x = 15, y = 10, radius = 0.3 }):pause()
      for i = 1, 6 do crowd:add({ x = 1.5, y = i - 0.5, radius = 0.3, speed = 3, data = i }):chase(target) end
      function crowd.on_arrive(w) arrived[w.data] = (arrived[w.data] or 0) + 1 end
      for _ = 1, 30 * 30 do crowd:update(1 / 30) end
      for w in crowd:each() do count = count + (w.data and w.state == "arrived" and 1 or 0) end
      assert.same({ 6, { 1, 1, 1, 1, 1, 1 } }, { count, arrived })
    end
  end)

  it("and surround do not push away one who stands", function()
    for _, way in ipairs { "chase", "surround" } do
      local crowd, list, events = wend.crowd { map = wend.grid(30, 20) }, {}, 0
      local target = crowd:add { x = 15, y = 10, radius = 0.4 }
      for i = 1, 6 do list[i] = crowd:add { x = 1.5, y = 3 + i * 1.2, radius = 0.4, speed = 2 } end
      function crowd.on_arrive() events = events + 1 end
      if way == "chase" then
        for _, one in ipairs(list) do one:chase(target) end
      else
        crowd:surround(list, target)
      end
      for _ = 1, 30 * 30 do crowd:update(1 / 30) end
      assert.same({ 15, 10, 6 }, { target.x, target.y, events })
      for _, one in ipairs(list) do assert.equal("arrived", one.state) end
      target:go(27, 10)                                             -- it gets out of the ring
      for _ = 1, 12 * 30 do crowd:update(1 / 30) end
      assert.equal("arrived", target.state)
    end
  end)

  it("keeps to a place beside a follower", function()
    local crowd = wend.crowd()
    local lead = wend.follow({ 0, 0, 60, 0 }, { speed = 2 })
    local w = crowd:add({ x = 0, y = -6, speed = 4 }):chase(lead, { distance = 3, angle = math.pi / 2 })
    for _ = 1, 20 * 30 do
      lead:update(STEP)
      crowd:update(STEP)
    end
    assert.is_true(math.abs(w.x - lead.x) < 1 and math.abs(w.y - 3) < 0.7, w.x - lead.x .. " " .. w.y)
  end)

  it("is lost without a way, and goes on when there is one", function()
    local grid, lost = wend.grid(20, 5):fill(10, 1, 10, 5, false), 0
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 2, y = 2 }):chase { x = 18, y = 2 }
    function crowd.on_lost() lost = lost + 1 end
    pass(crowd, 5)
    assert.same({ "lost", 1, 18.0, 2.0 }, { w.state, lost, w.goal_x, w.goal_y })
    grid:open(10, 3)
    pass(crowd, 20)
    assert.same({ "arrived", 1 }, { w.state, lost })
  end)

  it("reads a target once in a step, however many walkers chase it", function()
    local reads, crowd = 0, wend.crowd { map = wend.grid(60, 60) }
    local prey = setmetatable({ y = 50 }, { __index = function(_, key)
      if key ~= "x" then return nil end
      reads = reads + 1
      return 50
    end })
    for i = 1, 20 do crowd:add({ x = i, y = 5 }):chase(prey) end
    reads = 0
    for _ = 1, 10 do crowd:update(STEP) end
    assert.equal(10, reads)
  end)

  it("ends when the target is gone", function()
    local crowd, said = wend.crowd(), {}
    function crowd.on_lost(_, message) said[#said + 1] = message end
    local prey, things = crowd:add { x = 9, y = 0 }, { { x = 9, y = 1 }, { x = 9, y = 2 }, { x = 9, y = 3 } }
    local list = { crowd:add({ x = 0, y = 0 }):chase(prey) }
    for i, thing in ipairs(things) do list[i + 1] = crowd:add({ x = 0, y = 2 * i }):chase(thing) end
    crowd:update(STEP)
    prey:remove()
    things[1].x = 0 / 0
    things[2].x = "nine"
    things[3].x = nil
    setmetatable(things[3], { __index = function() error "gone" end })
    crowd:update(STEP)
    assert.same({ "the target is gone", "the target is gone", "the target is gone", "the target is gone" }, said)
    for _, w in ipairs(list) do assert.equal("lost", w.state) end
    pass(crowd, 1)
    assert.equal(4, #said)
  end)

  it("can be followed by an order to where the target was last", function()
    local crowd = wend.crowd { map = wend.grid(30, 10) }
    local prey = crowd:add { x = 20, y = 5 }
    local w = crowd:add({ x = 5, y = 5 }):chase(prey)
    pass(crowd, 1)
    prey:remove()
    crowd:update(STEP)
    assert.equal("the target is gone", w:why_not().text)
    w:go(w.goal_x, w.goal_y)
    assert.equal("moving", w.state)
    pass(crowd, 12)
    assert.equal("arrived", w.state)
  end)

  it("goes on identically after it was saved", function()
    local grid = wend.grid(40, 40):fill(10, 15, 30, 16, false)
    local crowd, prey = wend.crowd { map = grid }, { x = 5, y = 30 }
    local first = crowd:add { x = 35, y = 5, data = 0, speed = 2 }
    first:go(5, 35)
    local list = {}
    for i = 1, 12 do
      list[i] = crowd:add { x = 3 + i, y = 5, data = i }
      if i <= 6 then list[i]:chase(i % 2 == 0 and first or prey, { distance = i % 3 == 0 and 2 or nil }) end
    end
    crowd:surround({ list[7], list[8], list[9] }, first)
    list[10]:chase(first, { distance = 3, angle = 1 })
    for _ = 1, 20 do
      pass(crowd, 0.5)
      local loaded = assert(wend.decode(crowd:encode(), { map = grid, walker = function()
        return { target = prey }               -- those that chase a walker of the crowd go on after it
      end }))
      for _ = 1, 25 do
        crowd:update(STEP)
        loaded:update(STEP)
        assert.equal(crowd:hash(), loaded:hash())
      end
    end
    raises("walker 2 had a target: the option walker must return it", wend.decode, crowd:encode(), { map = grid })
  end)

  it("tells once that a target is gone, however often, and takes the next order", function()
    local crowd, list, lost = wend.crowd { map = wend.grid(40, 40):fill(20, 1, 20, 30, false) }, {}, {}
    function crowd.on_lost(w, _, code) lost[#lost + 1] = w.data .. code end
    local prey = crowd:add { x = 30, y = 20, speed = 1.2 }
    for i = 1, 12 do list[i] = crowd:add { x = 2 + i % 4 * 1.2, y = 2 + math.floor(i / 4) * 1.2, data = i } end
    crowd:surround({ list[1], list[2], list[3], list[4] }, prey)
    for i = 5, 12 do list[i]:chase(prey, { angle = i % 2 == 0 and i or nil }) end
    prey:go(38, 2)
    pass(crowd, 2)
    prey:remove()
    pass(crowd, 3)
    table.sort(lost)
    assert.same({ "10gone", "11gone", "12gone", "1gone", "2gone", "3gone", "4gone", "5gone", "6gone", "7gone", "8gone",
      "9gone" }, lost)
    for i, w in ipairs(list) do
      raises("the target was removed", w.chase, w, prey)
      w:go(3 + i, 38)
    end
    pass(crowd, 45)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
    assert.equal(12, #lost)
  end)

  it("goes on when its target is put elsewhere, pauses, and chases back", function()
    for _, map in ipairs { wend.grid(40, 40), false } do
      local crowd = wend.crowd { map = map or nil }
      local a, b = crowd:add { x = 5, y = 5 }, crowd:add { x = 30, y = 30, speed = 1 }
      a:chase(b)
      b:chase(a)
      pass(crowd, 18)
      assert.is_true(apart(a, b) < 2, apart(a, b))
      b:stop()
      b:place(35, 3)
      pass(crowd, 30)
      assert.is_true(apart(a, b) < 1.2, apart(a, b))
      b:place(5, 35)
      b:pause()
      a:pause()
      pass(crowd, 5)
      assert.is_true(apart(a, b) > 30)
      a:resume()
      pass(crowd, 40)
      assert.is_true(apart(a, b) < 1.2, apart(a, b))
    end
  end)

  it("is stuck once when it gets no nearer, also while its target moves", function()
    local crowd, stuck, target = wend.crowd {}, 0, { x = 30, y = 0 }
    local w = crowd:add { x = 0, y = 0, patience = 4 }
    for i = 1, 12 do
      local angle = 2 * math.pi * i / 12
      crowd:add({ x = 1.95 * math.cos(angle), y = 1.95 * math.sin(angle) }):pause()      -- a ring that holds it
    end
    function crowd.on_stuck() stuck = stuck + 1 end
    w:chase(target)
    for step = 1, 40 * 30 do
      target.y = 12 * (step % 120 < 60 and 1 or -1)
      crowd:update(STEP)
    end
    assert.same({ "stuck", true }, { w.state, apart(w, { x = 0, y = 0 }) < 1.5 })
    assert.is_true(stuck >= 1 and stuck <= 3, stuck)
  end)

  it("raises for what cannot be chased", function()
    local crowd = wend.crowd()
    local w = crowd:add { x = 0, y = 0 }
    raises("a walker cannot chase itself", w.chase, w, w)
    raises("target must be a walker, a follower or a table with x and y, got 5", w.chase, w, 5)
    raises("target must have a position: its x and y must be finite numbers", w.chase, w, { x = 1 })
    raises("distance must be a finite number >= 0, got -1", w.chase, w, { x = 1, y = 1 }, { distance = -1 })
    raises("angle must be a finite number, got 'left'", w.chase, w, { x = 1, y = 1 }, { angle = "left" })
    raises("unknown option 'far' (expected one of: distance, angle)", w.chase, w, { x = 1, y = 1 }, { far = 1 })
  end)
end)

describe("crowd:surround", function()
  it("lets six touch a victim that is held, and thirty fill rings", function()
    for _, count in ipairs { 6, 30, 60 } do
      local crowd, list, told = wend.crowd { map = wend.grid(40, 40) }, {}, 0
      function crowd.on_arrive() told = told + 1 end
      local victim = crowd:add { x = 20, y = 20 }
      victim:pause()
      for i = 1, count do list[i] = crowd:add { x = 3 + i % 6 * 1.2, y = 5 + math.floor(i / 6) * 1.2 } end
      crowd:surround(list, victim)
      pass(crowd, 60)
      local touch, arrived, farthest = 0, 0, 0
      for _, w in ipairs(list) do
        if apart(w, victim) < 1.06 then touch = touch + 1 end
        if w.state == "arrived" then arrived = arrived + 1 end
        farthest = math.max(farthest, apart(w, victim))
      end
      assert.same({ 6, count, count }, { touch, arrived, told })
      assert.is_true(farthest < (count == 60 and 4.7 or 3.6), farthest)
    end
  end)

  it("is an order at once, also for those that have arrived, or that were sent elsewhere before", function()
    for _, sent in ipairs { false, true } do
      local crowd, list = wend.crowd { map = wend.grid(40, 20) }, {}
      for i = 1, 4 do list[i] = crowd:add({ x = 5, y = 3 + 2 * i }):go(5, 3 + 2 * i) end
      pass(crowd, 1)
      assert.equal("arrived", list[4].state)
      for _, w in ipairs(list) do
        if sent then w:go(35, w.y) end
      end
      crowd:surround(list, { x = 20, y = 10 })
      for _, w in ipairs(list) do
        assert.equal("moving", w.state)
        w.costs = wend.costs { swamp = 2 }
      end
      pass(crowd, 20)
      for _, w in ipairs(list) do assert.equal("arrived", w.state) end
    end
  end)

  it("follows its target, and stands at a distance", function()
    local crowd, list, victim = wend.crowd(), {}, { x = 10, y = 10 }
    for i = 1, 8 do list[i] = crowd:add { x = i * 2, y = 0, speed = 3 } end
    crowd:surround(list, victim, { distance = 4 })
    pass(crowd, 15)
    victim.x = 30
    pass(crowd, 20)
    for _, w in ipairs(list) do
      assert.is_true(math.abs(apart(w, victim) - 4) < 0.8, apart(w, victim))
      for _, other in ipairs(list) do assert.is_true(w == other or apart(w, other) > 0.98) end
    end
    local told = 0
    function crowd.on_arrive() told = told + 1 end
    for _ = 1, 300 do                          -- the same again in every frame changes nothing
      crowd:surround(list, victim, { distance = 4 })
      crowd:update(STEP)
    end
    assert.equal(0, told)
    for _, w in ipairs(list) do assert.equal("arrived", w.state) end
    crowd:remove(list[1])
    assert.equal(7, crowd:count())
    assert.equal(crowd, crowd:surround({}, victim))
  end)

  it("of eight times as many walkers takes less than twice as many steps", function()
    local steps = {}
    for k, count in ipairs { 25, 100, 200 } do
      local crowd, list, left = wend.crowd { map = wend.grid(80, 80) }, {}, count
      local target = crowd:add({ x = 60, y = 40, radius = 0.3 }):pause()
      for i = 1, count do
        list[i] = crowd:add { x = 4 + i % 20, y = 20 + math.floor(i / 20), radius = 0.3, speed = 3 }
      end
      function crowd.on_arrive() left = left - 1 end
      crowd:surround(list, target)
      local n = 0
      while left > 0 and n < 6000 do
        crowd:update(STEP)
        n = n + 1
      end
      steps[k] = n
    end
    assert.is_true(steps[1] < 700 and steps[2] < 800 and steps[3] < 900, table.concat(steps, " "))
  end)

  it("raises for lists and targets that are invalid", function()
    local crowd = wend.crowd()
    local a, b = crowd:add { x = 0, y = 0 }, crowd:add { x = 3, y = 0 }
    raises("walkers[2] is the target", crowd.surround, crowd, { a, b }, b)
    raises("walkers[2] is in the list twice", crowd.surround, crowd, { a, a }, b)
    raises("walkers must be a list of walkers, got nil", crowd.surround, crowd)
    raises("distance must be a finite number >= 0, got -1", crowd.surround, crowd, { a }, b, { distance = -1 })
    raises("walker must be a walker of this crowd, got 5", crowd.remove, crowd, 5)
    crowd:remove(a)
    raises("walker was removed", crowd.remove, crowd, a)
  end)
end)

describe("what a script changes after an order", function()
  local HUGE, NAN = math.huge, 0 / 0

  --- A crowd in which one chases a target, and one stands.
  local function hunt(options, chasing, target)
    local crowd = wend.crowd(options)
    local one, lost = crowd:add { x = 3, y = 3, radius = 0.4 }, {}
    crowd:add { x = 15, y = 15 }
    function crowd.on_lost(_, message, code) lost[#lost + 1] = message .. ", " .. code end
    target = target or { x = 9, y = 9, radius = 0.5 }
    one:chase(target, chasing)
    pass(crowd, 0.5)
    return crowd, one, target, lost
  end

  local function every(fn)
    local g = wend.graph()
    g:add_edge(g:add_node(0, 0), g:add_node(9, 9))
    for _, options in ipairs { {}, { map = wend.grid(20, 20) }, { map = g } } do
      for _, chasing in ipairs { {}, { angle = 1 }, { distance = 2, angle = 1 }, { distance = 4 } } do
        fn(options, chasing)
      end
    end
  end

  it("ends a chase if the target is too far away, and nothing else", function()
    every(function(options, chasing)
      for _, place in ipairs { { 1e10, 9 }, { 9, -1e10 }, { 1e308, 1e308 }, { 1e200, 9 } } do
        local crowd, one, target, lost = hunt(options, chasing)
        target.x, target.y = place[1], place[2]
        pass(crowd, 2)
        assert.same({ "the target is too far away, no_path" }, lost)
        assert.same({ "lost", 2 }, { one.state, crowd:count() })
        target.x, target.y = 9, 9
        assert.equal("moving", one:chase(target, chasing).state)
      end
    end)
  end)

  it("ends a chase if a spot beside the target is", function()
    local crowd, _, target, lost = hunt({}, { angle = 1 })
    target.radius = 2e9
    pass(crowd, 1)
    assert.same({ { "the target is too far away, no_path" }, 2 }, { lost, crowd:count() })
    for _, x in ipairs { 1e9, -1e9 } do
      local list = {}
      for i = 1, 6 do list[i] = crowd:add { x = x, y = i } end
      crowd:surround(list, { x = x, y = 3 }, { distance = 50 })
      pass(crowd, 2)
      local states = { lost = 0 }
      for _, w in ipairs(list) do states[w.state] = (states[w.state] or 0) + 1 end
      assert.same({ 3, 3 }, { states.lost, states.moving })
    end
  end)

  it("is ignored in other fields of a target", function()
    every(function(options, chasing)
      local crowd, one, target = hunt(options, chasing)
      for _, value in ipairs { NAN, HUGE, -1, 1e308, "far", {}, false } do
        target.radius, target.heading = type(value) == "number" and value < 1e308 and value or "wide", value
        pass(crowd, 0.2)
        assert.truthy(one.state == "moving" or one.state == "arrived", one.state)
      end
    end)
  end)

  it("may be anything in a target: its chaser is lost", function()
    every(function(options, chasing)
      for _, value in ipairs { NAN, HUGE, -HUGE, "9", {}, false } do
        local crowd, one, target, lost = hunt(options, chasing)
        target.y = value
        pass(crowd, 1)
        assert.same({ { "the target is gone, gone" }, "lost", 2 }, { lost, one.state, crowd:count() })
      end
    end)
  end)

  it("may be done by the fields of a target", function()
    local crowd, act, list
    local target = setmetatable({}, { __index = function(_, key)
      if act then act() end
      return key == "x" and 9 or key == "y" and 9 or nil
    end })
    local acts = {
      function() error "no" end,
      function() for _, w in ipairs(list) do if w.state ~= "removed" then w:remove() end end end,
      function() for _, w in ipairs(list) do if w.state ~= "removed" then w:go(1, 1) end end end,
      function() for w in crowd:each() do w:stop() end end,
      function() pcall(crowd.update, crowd, STEP) end,
      function() for _, w in ipairs(list) do pcall(w.chase, w, { x = 1, y = 1 }) end end,
      function() if crowd:count() < 9 then crowd:add { x = 5, y = 5 } end end,
    }
    for i, one in ipairs(acts) do
      for way = 1, 4 do
        crowd, act, list = wend.crowd { map = way % 2 == 0 and wend.grid(20, 20) or nil }, nil, {}
        local other = crowd:add { x = 15, y = 15 }
        for k = 1, 3 do list[k] = crowd:add { x = k, y = 3 } end
        if way > 2 then act = one end
        pcall(crowd.surround, crowd, list, target)
        act = nil
        if way > 2 then pcall(list[1].chase, list[1], target) end
        act = one
        for _ = 1, 60 do crowd:update(STEP) end
        assert.equal(i == 2, list[1].state == "removed")
        assert.truthy(other.state ~= "removed")
      end
    end
    act = function() act = list[1]:remove() end
    list = { crowd:add { x = 1, y = 1 }, crowd:add { x = 2, y = 1 } }
    raises("walkers[1] was removed", crowd.surround, crowd, { list[1], list[2] }, target)
  end)

  it("ends the order of the walker that follows a field", function()
    local other = wend.grid(20, 20)
    local changes = {
      ["the field was changed by arithmetic: call relax first"] = function(field) field:scale(2) end,
      ["field must be a field of this grid made without `outward`, got another one"] = function(field, map)
        map:field(9, 9, { into = field, outward = true })
      end,
      ["field must be a field of this grid made without `outward`, got another one "] = function(field)
        other:field(9, 9, { into = field })
      end,
    }
    for message, change in pairs(changes) do
      local map = wend.grid(20, 20)
      local crowd = wend.crowd { map = map }
      local field = map:field(18, 10)
      local one, two = crowd:add({ x = 2, y = 10 }):go(field), crowd:add({ x = 2, y = 5 }):go(18, 5)
      pass(crowd, 1)
      change(field, map)
      map:close(9, 10)
      pass(crowd, 1)
      assert.same({ "lost", "error", (message:gsub(" $", "")) }, { one.state, one.code, one.message })
      assert.equal("moving", two.state)
      assert.is_string(crowd:encode())
      local third = crowd:add { x = 2, y = 15 }
      raises((message:gsub(" $", "")), third.go, third, field)
      pass(crowd, 1)
      assert.equal(3, crowd:count())
    end
  end)

  it("ends the order of the walker whose way leads over a node that is too far away", function()
    local g = wend.graph()
    local a, b, c = g:add_node(0, 0), g:add_node(5, 1e10), g:add_node(9, 0)
    g:add_edge(a, b)
    g:add_edge(b, c)
    local crowd = wend.crowd { map = g }
    local one, two = crowd:add({ x = 0, y = 0 }):go(9, 0), crowd:add { x = 3, y = 3 }
    pass(crowd, 1)
    assert.same({ "lost", "error", "waiting" }, { one.state, one.code, two.state })
    assert.truthy(one.message:find("must be a number in -1000000000 .. 1000000000", 1, true))
  end)

  it("may be saved at once, with a distance of any size", function()
    for _, distance in ipairs { 1e308, 1.7e308 } do
      local crowd = wend.crowd()
      local target, w, ring = crowd:add { x = 2, y = 2 }, crowd:add { x = 5, y = 3 }, crowd:add { x = 8, y = 3 }
      w:chase(target, { distance = distance, angle = 1 })
      crowd:surround({ ring }, target, { distance = distance })
      assert.equal(crowd:hash(), assert(wend.decode(crowd:encode())):hash())
    end
  end)

  it("may be a distance or an angle of any size", function()
    for _, distance in ipairs { 1e9, 1e154, 1e200, 1e308, 1.7e308 } do
      local crowd, list = wend.crowd(), {}
      for i = 1, 5 do list[i] = crowd:add { x = i, y = 5 } end
      crowd:surround(list, { x = 9, y = 9 }, { distance = distance })
      pass(crowd, 1)
      for i, w in ipairs(list) do assert.truthy(w.state == "lost" or distance == 1e9, i) end
      assert.equal("arrived", (function()
        list[1]:chase({ x = 9, y = 9 }, { distance = distance })
        pass(crowd, 1)
        return list[1].state
      end)())
      list[1]:chase({ x = 9, y = 9 }, { distance = 2, angle = distance })
      pass(crowd, 20)
      assert.is_true(math.abs(apart(list[1], { x = 9, y = 9 }) - 2) < 0.6)
    end
  end)
end)

describe("w:why_not", function()
  it("tells of walkers that are paused, on their way or in the way", function()
    local crowd = wend.crowd { map = wend.grid(20, 5):fill(10, 1, 10, 5, false):open(10, 3), squeeze = false }
    local first = crowd:add({ x = 6, y = 2.5 }):go(18, 2.5)
    local second = crowd:add({ x = 2, y = 2.5 }):go(18, 2.5)
    for _ = 1, 10 do crowd:update(0.1) end
    assert.is_nil(first:why_not())
    first:place(9.5, 2.5):pause()
    for _ = 1, 300 do crowd:update(0.1) end
    assert.same({ "moving", "It is paused: w:resume() ends that." }, { first.state, tostring(first:why_not()) })
    assert.same({ "stuck", "Another walker is in the way, which is paused." },
      { second.state, tostring(second:why_not()) })
    assert.equal(first, second:why_not().blocked_by)
    second:pause()
    local report = second:why_not()
    assert.same({ "It is paused: w:resume() ends that." }, { tostring(report), report.blocked_by })
    second:resume()
    first:resume()
    for _ = 1, 300 do crowd:update(0.1) end
    assert.same({ "arrived", "arrived" }, { first.state, second.state, first:why_not(), second:why_not() })
  end)

  for name, opts in pairs { cells = { cell = 16 }, origin = { origin = { 5, -5 } },
    isometric = { cell = { 32, 16 }, projection = "isometric" } } do
    it("reports on grids of each frame: " .. name, function()
      local map = wend.grid(9, 3, opts):close(5, 1, 5, 3)
      local x, y = map:position(2, 2)
      local goal_x, goal_y = map:position(8, 2)
      local w = wend.crowd { map = map }:add { x = x, y = y }
      assert.equal("closed", w:go(goal_x, goal_y):why_not().obstacles[1].cause)
      map:open(5, 1, 5, 3)
      assert.is_nil(w:why_not())
    end)
  end

  it("names the obstacles of the map, and follows costs and agents", function()
    local grid = wend.grid(20, 5):fill(10, 1, 10, 5, 1, "gate")
    local costs = wend.costs { gate = function(agent) return agent == "key" and 1 or false end }
    local crowd = wend.crowd { map = grid, costs = costs }
    local w = crowd:add { x = 2, y = 2 }
    assert.is_nil(w:why_not())
    w:go(18, 2)
    pass(crowd, 1)
    assert.equal("lost", w.state)
    local report = w:why_not()
    assert.same({ "tag", "gate", 10 }, { report.obstacles[1].cause, report.obstacles[1].tag, report.obstacles[1].x })
    w.agent = "key"
    assert.is_nil(w:why_not { obstacles = { tag = 3 } })
    w:go(18, 2)
    pass(crowd, 30)
    assert.same({ "arrived" }, { w.state, w:why_not() })
  end)

  it("names what is before the goals of a field, which may be out of date", function()
    local grid = wend.grid(20, 5):fill(10, 1, 10, 5, false)
    local field = grid:field { 18, 2, 18, 4 }
    local crowd = wend.crowd { map = grid }
    local w = crowd:add({ x = 2, y = 2 }):go(field)
    pass(crowd, 1)
    assert.same({ "lost", 10, "closed" }, { w.state, w:why_not().obstacles[1].x, w:why_not().obstacles[1].cause })
    grid:open(10, 3):close(14, 1, 14, 5)
    assert.same({ 1, 14, 2 }, { #w:why_not().obstacles, w:why_not().obstacles[1].x, w:why_not().obstacles[1].y })
    grid:open(14, 5)
    assert.same({}, (w:why_not() or { obstacles = {} }).obstacles)
    grid:close(10, 3)
    field:scale(2):add(field)
    assert.same({}, w:why_not().obstacles)                            -- after arithmetic it has no goals
    w:go(grid:field(18, 2, { within = 3 }))
    pass(crowd, 1)
    assert.equal(10, w:why_not().obstacles[1].x)
  end)

  it("names who is in the way", function()
    local crowd = wend.crowd { map = wend.grid(20, 1) }
    local w, other = crowd:add { x = 2, y = 0.5, patience = 2 }, crowd:add { x = 6, y = 0.5 }
    other:pause()
    w:go(15, 0.5)
    pass(crowd, 15)
    assert.equal("stuck", w.state)
    local report = w:why_not()
    assert.same({ 0, "Another walker is in the way, which is paused." }, { #report.obstacles, tostring(report) })
    assert.equal(other, report.blocked_by)
  end)

  it("tells other reasons, and raises for what is invalid", function()
    local crowd = wend.crowd { map = wend.grid(9, 9) }
    local w = crowd:add { x = 2, y = 2 }
    w:go(50, 2)
    pass(crowd, 1)
    assert.equal("the goal is outside the grid", w:why_not().text)
    raises("unknown option 'costs' (expected one of: obstacles)", w.why_not, w, { costs = 1 })
    raises("obstacles must be a table, got 2", w.why_not, w, { obstacles = 2 })
    w:remove()
    raises("the walker was removed", w.why_not, w)
  end)
end)
