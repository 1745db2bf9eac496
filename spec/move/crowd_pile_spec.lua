-- SPDX-License-Identifier: MIT
-- Dense places: walkers that are added into each other come apart, and those that are sent to one place all get there.
local wend = require "wend"

local STEP = 1 / 30

--- Puts walkers at random places in a square around 0,0; `more` changes the options of one.
local function pile(crowd, count, side, seed, more)
  math.randomseed(seed)
  local list = {}
  for i = 1, count do
    local options = { x = (math.random() - 0.5) * side, y = (math.random() - 0.5) * side }
    if more then more(options, i) end
    list[i] = crowd:add(options)
  end
  return list
end

--- The deepest overlap, as a part of the two radii together.
local function deepest(list)
  local x, y, radius, worst = {}, {}, {}, 0
  for i, w in ipairs(list) do x[i], y[i], radius[i] = w.x, w.y, w.radius end
  for i = 1, #list do
    for j = i + 1, #list do
      local sum = radius[i] + radius[j]
      local square = (x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2
      if square < sum * sum then worst = math.max(worst, 1 - math.sqrt(square) / sum) end
    end
  end
  return worst
end

--- Lets seconds pass. Nobody goes faster than twice its speed. `look` is called after each step.
local function pass(crowd, list, seconds, look)
  for _ = 1, math.ceil(seconds / STEP) do
    crowd:update(STEP)
    local fast = false
    for _, w in ipairs(list) do fast = fast or w.vx ^ 2 + w.vy ^ 2 > (2 * w.speed) ^ 2 * (1 + 1e-9) end
    assert.is_false(fast)
    if look then look() end
  end
end

--- Checks that nobody overlaps after a time, and that this lasts.
local function part(crowd, list, seconds, seed, look)
  pass(crowd, list, seconds, look)
  for _ = 1, 30 do
    pass(crowd, list, STEP, look)
    local worst = deepest(list)
    assert.is_true(worst <= 0.01, ("seed %d: %.1f %%"):format(seed, worst * 100))
  end
end

--- The time in which walkers with radius 0.5 and speed 1.5 from one point reach the edge of a disc that holds them all,
-- at twice their speed.
local function least_time(count) return 0.5 * math.sqrt(count / 0.82) / 3 end

describe("walkers added into each other", function()
  it("come apart", function()
    for seed = 1, 5 do
      local crowd = wend.crowd()
      part(crowd, pile(crowd, 60, 3.3, seed), 2 * least_time(60), seed)
    end
  end)

  it("come apart from one point, and make no more pairs than a crowd that stands close", function()
    for _, count in ipairs { 2, 3, 250 } do
      local crowd, wide = wend.crowd(), wend.crowd()
      local list = pile(crowd, count, 0, 1)
      for i = 1, count do wide:add { x = i % 16 * 1.05, y = math.floor(i / 16) * 1.05 } end
      part(crowd, list, 2 * least_time(count) + 0.5, 1)
      wide:update(STEP)
      assert.is_true(crowd:bytes() <= 2 * wide:bytes(), crowd:bytes() .. " " .. wide:bytes())
    end
  end)

  it("arrive where they were sent to", function()
    for seed = 1, 2 do
      local crowd = wend.crowd()
      local list = pile(crowd, 80, 3.3, seed)
      for i, w in ipairs(list) do w:go(20 * math.cos(i * math.pi / 40), 20 * math.sin(i * math.pi / 40)) end
      pass(crowd, list, 40)
      for _, w in ipairs(list) do assert.equal("arrived", w.state) end
      assert.is_true(deepest(list) <= 0.01)
    end
  end)

  it("come apart with different radii, speeds and priorities", function()
    for seed = 1, 3 do
      local crowd = wend.crowd()
      local list = pile(crowd, 100, 4, seed, function(options, i)
        options.radius, options.speed, options.priority = 0.2 + 0.8 * math.random() ^ 2, 1 + 3 * math.random(), i % 3
      end)
      part(crowd, list, 10, seed)
    end
  end)

  it("are pushed into no walls and no closed cells", function()
    for seed = 1, 3 do
      local grid = wend.grid(40, 40):fill(1, 1, 40, 10, false):fill(1, 1, 10, 40, false)
      local crowd = wend.crowd { map = grid }
      local list = pile(crowd, 60, 2, seed, function(options) options.x, options.y = options.x + 12, options.y + 12 end)
      part(crowd, list, 4, seed, function()
        for _, w in ipairs(list) do assert.is_true(w.x > 10.5 - 1e-5 and w.y > 10.5 - 1e-5) end
      end)
    end
  end)

  it("leave those who are held where they are", function()
    for seed = 1, 3 do
      local crowd = wend.crowd()
      local list = pile(crowd, 40, 3, seed)
      local guards = { crowd:add { x = 0, y = 0 }, crowd:add { x = 3, y = 0 }, crowd:add { x = 0, y = -3 } }
      for _, guard in ipairs(guards) do list[#list + 1] = guard:pause() end
      part(crowd, list, 4, seed)
      assert.same({ 0, 0, 3, 0, 0, -3 }, { guards[1].x, guards[1].y, guards[2].x, guards[2].y,
        guards[3].x, guards[3].y })
    end
  end)

  it("go on as before when they are loaded", function()
    local crowd = wend.crowd()
    local list = pile(crowd, 60, 0.5, 1)
    pass(crowd, list, 0.5)
    local other = wend.decode(crowd:encode())
    pass(crowd, list, 2)
    for _ = 1, 60 do other:update(STEP) end
    assert.equal(crowd:hash(), other:hash())
  end)
end)

describe("walkers that are sent to one place, one by one", function()
  local map, x, y

  before_each(function() map, x, y = wend.grid(40, 24), 20.5, 12.5 end)

  --- Sends walkers of these radii there. Returns when the last one arrived, how many did, how far from the place the
  --- farthest was then, as a part of the circle of a group, and the crowd.
  local function send(radii, count, leave, seconds)
    local crowd, squares, last, arrived, far = wend.crowd { map = map }, 0, 0, 0, 0
    local row, apart = 12, 1.1
    if #radii > 1 then row, apart = 8, 2.9 end
    function crowd.on_arrive(w)
      last, arrived = crowd.time, arrived + 1
      far = math.max(far, math.sqrt((w.x - x) ^ 2 + (w.y - y) ^ 2))
      if leave then w:remove() end
    end
    for i = 0, count - 1 do
      local radius = radii[i % #radii + 1]
      squares = squares + radius * radius
      local options = { x = 1.5 + i % row * apart, y = 1.5 + math.floor(i / row) * apart, radius = radius, speed = 1.5 }
      crowd:add(options):go(x, y)
    end
    for step = 1, seconds / STEP do
      crowd:update(STEP)
      crowd.time = step * STEP
    end
    return last, arrived, far / math.sqrt(1.86 * squares), crowd
  end

  local MIXED = { 0.3, 0.45, 0.7, 1.4 }

  it("and leave there, get on as fast as a group", function()
    x = 39.5
    local last, arrived = send({ 0.45 }, 200, true, 40)
    assert.equal(200, arrived)
    assert.is_true(last <= 35, last)
  end)

  it("and leave there, do not circle around it: in the open, in a corner, in a door", function()
    local places = {
      open = { 20.5, 12.5, 20 }, corner = { 38.5, 22.5, 40 }, door = { 37.5, 12, 35 }, wall = { 38.5, 12, 35 },
    }
    for name, place in pairs(places) do
      map, x, y = wend.grid(40, 24), place[1], place[2]
      if name == "door" then map:fill(38, 1, 38, 24, false):open(38, 10, 38, 14) end
      local last, arrived, far = send(MIXED, 56, true, 60)
      assert.equal(56, arrived, name)
      assert.is_true(last <= place[3], name .. last)
      assert.is_true(far <= 1, name .. far)
    end
  end)

  it("and stay there, fill a circle", function()
    for _, radii in ipairs { MIXED, { 0.4 } } do
      local _, arrived, far, crowd = send(radii, 56, false, 60)
      assert.equal(56, arrived)
      assert.is_true(far <= 1.1, far)
      local nearest = math.huge
      for w in crowd:each() do nearest = math.min(nearest, (w.x - x) ^ 2 + (w.y - y) ^ 2 - w.radius ^ 2) end
      assert.is_true(nearest < 0) -- one of them covers the place
    end
  end)

  it("and stay there, turn by less than 10 degrees a second", function()
    local _, arrived, _, crowd = send({ 0.4 }, 200, false, 60)
    assert.equal(200, arrived)
    local heading, turned = {}, {}
    for step = 0, 10 / STEP do
      if step > 0 then crowd:update(STEP) end
      for w in crowd:each() do
        local turn = math.abs(w.heading - (heading[w] or w.heading))
        heading[w], turned[w] = w.heading, (turned[w] or 0) + math.min(turn, 2 * math.pi - turn)
      end
    end
    for _, turn in pairs(turned) do assert.is_true(math.deg(turn) / 10 < 10, math.deg(turn) / 10) end
  end)

  it("arrive at the place itself if nobody is before them", function()
    local crowd, far = wend.crowd { map = map }, {}
    function crowd.on_arrive(w) far[#far + 1] = math.abs(w.x - x) / w.radius; w:remove() end
    for i = 1, 5 do crowd:add({ x = i * 3, y = y, radius = 0.4, speed = 1.5 }):go(x, y) end
    for _ = 1, 15 / STEP do crowd:update(STEP) end
    assert.equal(5, #far)
    for _, d in ipairs(far) do assert.is_true(d < 0.5, d) end
  end)
end)
