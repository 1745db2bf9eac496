-- SPDX-License-Identifier: MIT
-- Cells that the costs of a walker close are walls for its body.
local wend = require "wend"

local STEP = 1 / 30
local NO_LAVA = wend.costs { lava = false }

local function pass(crowd, seconds, look)
  for _ = 1, math.floor(seconds * 30 + 0.5) do
    crowd:update(STEP)
    if look then look() end
  end
end

--- How far a walker is from the nearest cell of a tag, in radii; at most 9.
local function distance_to(map, tag, w)
  local least = 9 * w.radius
  for y = 1, map:height() do
    for x = 1, map:width() do
      if select(2, map:get(x, y)) == tag then
        local dx, dy = math.max(x - 1 - w.x, w.x - x, 0), math.max(y - 1 - w.y, w.y - y, 0)
        least = math.min(least, math.sqrt(dx * dx + dy * dy))
      end
    end
  end
  return least / w.radius
end

--- Fails if one of these walkers touches a cell of a tag.
local function keeps_off(map, tag, walkers)
  return function()
    for _, w in ipairs(walkers) do
      local distance = distance_to(map, tag, w)
      assert(distance > 1 - 1e-3, ("a walker is %.3f radii from %s"):format(distance, tag))
    end
  end
end

describe("cells that are closed for a walker", function()
  it("have no spots of a group, no places around a target, and are never entered #many", function()
    for _, how in ipairs { "group", "single", "surround" } do
      local map = wend.parse_grid({
        "..........",
        "..........",
        ".....~~~~~",
        ".....~~~~~",
        ".....~~~~~",
      }, { ["~"] = "lava" })
      local crowd, list = wend.crowd { map = map, costs = NO_LAVA }, {}
      for i = 0, 11 do list[i + 1] = crowd:add { x = 0.5 + i % 4, y = 0.5 + math.floor(i / 4) * 0.8, radius = 0.3 } end
      if how == "group" then crowd:go(list, 6, 1.6)
      elseif how == "surround" then crowd:surround(list, { x = 7.5, y = 1.6 })
      else for _, w in ipairs(list) do w:go(6, 1.6) end end
      pass(crowd, 30, keeps_off(map, "lava", list))
      if how == "group" then
        for _, w in ipairs(list) do assert.equal("arrived", w.state) end
      end
    end
  end)

  it("are open for others: nobody without a key is pushed into the door", function()
    local map = wend.parse_grid({ "....+.....", "....#.....", "....#....." }, { ["+"] = "door" })
    local costs = wend.costs { door = function(agent) return agent.key and 1 or false end }
    local crowd, guests, keepers = wend.crowd { map = map, costs = costs }, {}, {}
    for i = 1, 5 do guests[i] = crowd:add { x = 0.5 + i % 4 * 0.9, y = 0.4 + i % 3, radius = 0.3, agent = {} } end
    for i = 1, 2 do
      keepers[i] = crowd:add { x = 0.3, y = 0.3 + i * 0.4, radius = 0.3, agent = { key = true }, priority = 5 }
      keepers[i]:go(9.5, 0.5)
    end
    pass(crowd, 30, keeps_off(map, "door", guests))
    for _, w in ipairs(keepers) do assert.is_true(w.x > 5) end
  end)

  it("stop pushes", function()
    local map = wend.parse_grid({ "...~~~...", "...~~~...", "...~~~..." }, { ["~"] = "lava" })
    local crowd = wend.crowd { map = map, costs = NO_LAVA }
    local w = crowd:add { x = 1.5, y = 1.5, radius = 0.4 }
    local bold = crowd:add { x = 1.5, y = 0.5, radius = 0.4, costs = wend.costs {} }
    pass(crowd, 4, function()
      w:push(5, 0)
      bold:push(5, 0)
      keeps_off(map, "lava", { w })()
    end)
    assert.is_true(bold.x > 6)
  end)

  it("are closed for the disc of a wide walker, which plans around them", function()
    local map = wend.parse_grid({
      "............",
      "............",
      ".....~~.....",
      ".....~~.....",
      "............",
      ".....~~.....",
      ".....~~.....",
    }, { ["~"] = "lava" })
    for _, radius in ipairs { 0.4, 0.7, 0.9 } do
      local crowd = wend.crowd { map = map, costs = NO_LAVA }
      local w = crowd:add({ x = 1.5, y = 4.5, radius = radius, speed = 3 }):go(10.5, 4.5)
      local highest = w.y
      pass(crowd, 15, function()
        keeps_off(map, "lava", { w })()
        highest = math.min(highest, w.y)
      end)
      assert.same({ "arrived", radius < 0.5 }, { w.state, highest > 3 })
    end
  end)

  it("are left, if a script puts a walker there: then it goes on", function()
    local map = wend.grid(30, 20):fill(10, 5, 14, 9, "lava")
    local crowd = wend.crowd { map = map, costs = NO_LAVA }
    local w = crowd:add { x = 11.5, y = 5.5, radius = 0.3 }
    assert.same({ 11.5, 5.5 }, { w.x, w.y })
    pass(crowd, 3)
    assert.equal("waiting", w.state)
    assert.same({ true, true }, { math.abs(w.x - 11.5) < 0.01, math.abs(w.y - 3.7) < 0.02 })
    w:go(20, 15)
    pass(crowd, 20)
    assert.equal("arrived", w.state)
    w:place(12, 7)
    pass(crowd, STEP)
    assert.equal("moving", w.state)
    pass(crowd, 20)
    assert.equal("arrived", w.state)
    assert.is_true(math.abs(w.x - 20) < 0.1)
  end)

  it("are left when they close under a walker: it goes on to its goal, or is lost if that is closed", function()
    for _, value in ipairs { "lava", false } do
      local map = wend.grid(30, 20)
      local crowd, lost = wend.crowd { map = map, costs = NO_LAVA }, {}
      function crowd.on_lost(w, _, code) lost[w] = code end
      local goes = crowd:add({ x = 5.5, y = 10.5, radius = 0.3 }):go(25.5, 10.5)
      local stands = crowd:add { x = 7.5, y = 12.5, radius = 0.3 }
      local arrived = crowd:add({ x = 6.5, y = 8.5, radius = 0.3 }):go(6.6, 8.5)
      pass(crowd, 0.5)
      assert.same({ "moving", "waiting", "arrived" }, { goes.state, stands.state, arrived.state })
      map:fill(4, 7, 9, 14, value)
      pass(crowd, 30)
      assert.same({ "arrived", "waiting", "lost" }, { goes.state, stands.state, arrived.state })
      assert.equal("no_path", lost[arrived])
      for _, w in ipairs { goes, stands, arrived } do
        local x, y = map:cell_at(w)
        assert.is_true(x < 4 or x > 9 or y < 7 or y > 14)
      end
    end
  end)

  it("may be all: the walker is lost", function()
    local map = wend.grid(12, 9)
    local crowd = wend.crowd { map = map, costs = NO_LAVA }
    local w = crowd:add({ x = 2, y = 2, radius = 0.3 }):go(10, 7)
    pass(crowd, 0.5)
    map:fill(1, 1, 12, 9, "lava")
    pass(crowd, 1)
    assert.same({ "lost", "no_path" }, { w.state, w.code })
  end)

  it("are read again with each plan, and when costs, agents or profiles change", function()
    local map = wend.parse_grid({ "....~....", "....~...." }, { ["~"] = "lava" })
    local costs = wend.costs { lava = function(agent) return not agent.cold and 1 end }
    local crowd, agent = wend.crowd { map = map, costs = costs }, {}
    local w = crowd:add { x = 1.5, y = 1, radius = 0.3, agent = agent, speed = 4 }
    local function crosses(x)
      local farthest = 0
      w:place(2, 1):push(20, 0)
      if x then w:go(x, 1) end
      pass(crowd, 2, function() farthest = math.max(farthest, w.x) end)
      return farthest > 4
    end
    assert.is_true(crosses())
    agent.cold = true
    assert.is_true(crosses())             -- nothing has told the crowd
    assert.is_false(crosses(8))           -- a plan has
    w:stop()
    w.agent = {}
    assert.is_true(crosses())
    w.costs = NO_LAVA
    assert.is_false(crosses())
    NO_LAVA:set("lava", 2)
    assert.is_true(crosses())
    NO_LAVA:set("lava", false)
    assert.is_false(crosses())
    w.costs = wend.costs {}
    assert.is_true(crosses())
  end)

  it("may have a tag that is new for the map", function()
    local map = wend.grid(9, 3)
    local crowd = wend.crowd { map = map, costs = NO_LAVA }
    local w = crowd:add { x = 2, y = 1.5, radius = 0.3 }
    pass(crowd, 1)
    map:fill(5, 1, 5, 3, "lava")
    local farthest = w.x
    w:push(30, 0)
    pass(crowd, 2, function()
      keeps_off(map, "lava", { w })()
      farthest = math.max(farthest, w.x)
    end)
    assert.is_true(farthest > 3.4)
  end)

  it("are not those that only functions about edges close", function()
    local map = wend.parse_grid({ "....~....", "....~...." }, { ["~"] = "ford" })
    local costs = wend.costs { ford = false }:edge_rule("tide", function() return 1 end)
    local crowd = wend.crowd { map = map, costs = costs }
    local w = crowd:add({ x = 2, y = 1, radius = 0.3, speed = 3 }):go(8, 1)
    pass(crowd, 5)
    assert.equal("arrived", w.state)
  end)

  it("tell of a function that raises", function()
    local map = wend.grid(9, 3):fill(5, 1, 5, 3, "lava")
    local crowd, why = wend.crowd { map = map, costs = wend.costs { lava = function() error("no idea", 0) end } }, nil
    function crowd.on_lost(_, message, code) why = code .. ": " .. message end
    local w = crowd:add { x = 2, y = 1.5 }
    pass(crowd, 1)
    assert.equal("lost", w.state)
    assert.equal("error: tag 'lava': no idea", why)
  end)

  it("are saved", function()
    local function play(load)
      local map = wend.parse_grid({ "......~.", "......~.", "........" }, { ["~"] = "lava" })
      local crowd = wend.crowd { map = map, costs = NO_LAVA }
      local list = {}
      for i = 1, 6 do
        list[i] = crowd:add { x = 0.5 + i * 0.7, y = 1, radius = 0.3, data = i % 3 == 0 }
        if list[i].data then list[i].costs = wend.costs {} end
      end
      crowd:go(list, 5.2, 1)
      pass(crowd, 1)
      local bytes = crowd:encode()
      if load then
        crowd = assert(wend.decode(bytes, { map = map, costs = NO_LAVA,
          walker = function(w) return { costs = w.data and wend.costs {} or nil } end }))
      end
      for w in crowd:each() do w:push(4, 0) end
      pass(crowd, 5)
      return crowd:hash()
    end
    assert.equal(play(false), play(true))
  end)

  it("are shared by walkers for which the same tags are closed", function()
    local map = wend.grid(64, 64):fill(30, 30, 33, 33, "lava"):fill(40, 40, 41, 41, "ice")
    local function bytes(agents)
      local costs = wend.costs { lava = function(agent) return agent.warm and 1 end, ice = false }
      local crowd = wend.crowd { map = map, costs = costs }
      for i = 1, 100 do crowd:add { x = i % 10 * 2, y = math.floor(i / 10) * 2, agent = agents(i) } end
      pass(crowd, 0.1)
      return crowd:bytes()
    end
    local plain = bytes(function() return { warm = true } end)
    local mixed = bytes(function(i) return { warm = i % 2 == 0, number = i } end)
    assert.is_true(mixed - plain < 500)
  end)
end)
