-- SPDX-License-Identifier: MIT
-- The scenes of spec/move/scenes_spec.lua: each as a function that makes it anew.

local wend = require "wend"
local helper = require "spec.support.helper"
local once = require "wend.once"

-- An open hall of w x h cells, with closed blocks { x1, y1, x2, y2 }.
local function hall(w, h, blocks)
  local grid = wend.grid(w, h)
  for _, b in ipairs(blocks or {}) do grid:fill(b[1], b[2], b[3], b[4], false) end
  return grid
end

-- Adds count units in rows of `row`, the first one at x, y.
local function add(game, count, x, y, row, opts)
  local list = {}
  for i = 0, count - 1 do
    local one = { x = x + i % row, y = y + math.floor(i / row) }
    for key, value in pairs(opts or {}) do one[key] = value end
    local w = game.crowd:add(one)
    list[#list + 1], game.units[#game.units + 1] = w, w
  end
  return list
end

-- The same numbers in every Lua.
local function generator(state)
  return function(least, most)
    state = state * 16807 % 2147483647
    return least + state % 65536 / 65536 * (most - least)
  end
end

return {
  -- Eighty units of two sizes, each to a place in another room. They meet in the corridors, which are one cell wide.
  traffic = function()
    local grid, random = wend.grid(37, 37):fill(1, 1, 37, 37, false), generator(11)
    for row = 0, 3 do
      for column = 0, 3 do
        local x, y = 2 + 9 * column, 2 + 9 * row
        grid:open(x, y, x + 6, y + 6)
        if column < 3 then grid:open(x + 7, y + 3, x + 8, y + 3) end
        if row < 3 then grid:open(x + 3, y + 7, x + 3, y + 8) end
      end
    end
    return { grid = grid, seconds = 150,
      start = function(game)
        for i = 0, 79 do
          local at, to = i % 16, (i % 16 + 5 + math.floor(i / 16)) % 16
          local x, y = 9 * (at % 4) + 2 + i % 5 * 1.2, 9 * math.floor(at / 4) + 2.5 + math.floor(i / 16) * 1.2
          local list = add(game, 1, x, y, 1, { radius = i % 2 == 0 and 0.3 or 0.45, speed = random(1.5, 3) })
          list[1]:go(9 * (to % 4) + 2 + i % 5 * 1.2, 9 * math.floor(to / 4) + 2.5 + math.floor(i / 16) * 1.2)
        end
      end }
  end,

  -- Forty units are ordered in every frame through a door.
  herd = function()
    return { grid = hall(30, 16, { { 15, 1, 15, 7 }, { 15, 10, 15, 16 } }), seconds = 90,
      start = function(game) add(game, 40, 2.5, 4.5, 5, { radius = 0.35 }) end,
      frame = function(game, frame) if frame % 4 == 1 then game.crowd:go(game.units, 24.5, 8.5) end end }
  end,

  -- 500 units cross a real map, each to a place of its own.
  game_map = function()
    local file = helper.data "movingai/dao/lak303d.map"
    if not file then return nil end
    local grid, random = assert(dofile("examples/foreign_maps.lua").grid(file)), generator(7)
    local open = {}
    for y = 1, grid:height() do
      for x = 1, grid:width() do
        if not grid:is_closed(x, y) and grid:can_reach(x, y, 87, 98) then open[#open + 1] = { x - 0.5, y - 0.5 } end
      end
    end
    for i = #open, 2, -1 do
      local j = math.floor(random(1, i + 1))
      open[i], open[j] = open[j], open[i]
    end
    -- In its narrow places some walkers would pass through others, by default.
    return { grid = grid, seconds = 240, looks = 90, crowd = { squeeze = false },
      start = function(game)
        for i = 1, 500 do
          local from, to = open[i], open[i + 500]
          game.units[i] = game.crowd:add({ x = from[1], y = from[2], radius = 0.4, speed = 2 }):go(to[1], to[2])
        end
      end }
  end,

  -- Forty units that are too wide for some gaps of a real map cross it, each on a trip that its disc can make.
  ogres = function()
    local file = helper.data "movingai/dao/lak303d.map"
    if not file then return nil end
    local grid, random, trips = assert(dofile("examples/foreign_maps.lua").grid(file)), generator(11), {}
    for _, radius in ipairs { 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4 } do
      local view, fitting = grid:overlay(), {}
      once.crowds.fit(wend.crowd()._handle, nil, view, radius)
      local field, around = view:field(87, 98), math.ceil(radius)
      for y = 1 + around, grid:height() - around do
        for x = 1 + around, grid:width() - around do
          local free = field:cost(x, y) ~= nil
          for cy = y - around, y + around do
            for cx = x - around, x + around do free = free and not grid:is_closed(cx, cy) end
          end
          if free then fitting[#fitting + 1] = { x - 0.5, y - 0.5 } end
        end
      end
      for _ = 1, 5 do
        local from, to
        repeat                                          -- they stand apart
          from, to = fitting[math.floor(random(1, #fitting + 1))], fitting[math.floor(random(1, #fitting + 1))]
          local apart = true
          for _, other in ipairs(trips) do
            for i = 1, 2 do
              local a, b = i == 1 and from or to, other[i]
              apart = apart and (a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 > 16
            end
          end
        until apart
        trips[#trips + 1] = { from, to, radius }
      end
    end
    return { grid = grid, seconds = 240, looks = 90,
      start = function(game)
        for i, trip in ipairs(trips) do
          game.units[i] = game.crowd:add({ x = trip[1][1], y = trip[1][2], radius = trip[3], speed = 2 })
          game.units[i]:go(trip[2][1], trip[2][2])
        end
      end }
  end,

  -- Two sides run into each other, each unit to the other's side.
  melee = function()
    return { grid = hall(30, 20), seconds = 60,
      start = function(game)
        for _, side in ipairs { { 3.5, 26.5 }, { 24.5, 3.5 } } do
          for _, w in ipairs(add(game, 20, side[1], 7.5, 4, { radius = 0.35 })) do w:go(30 - w.x, w.y) end
        end
      end }
  end,

  -- Eight guards go along with a leader, who is ordered once; they are ordered every frame to places beside it.
  escort = function()
    return { grid = hall(40, 20, { { 12, 1, 12, 12 }, { 26, 8, 26, 20 } }), seconds = 70,
      start = function(game)
        local leader = add(game, 1, 5, 10, 1, { priority = 5, speed = 1.2 })[1]
        add(game, 8, 3, 7, 2, { radius = 0.4, speed = 1.8 })
        leader:go(36, 10)
      end,
      frame = function(game)
        local leader = game.units[1]
        for i = 2, 9 do
          local angle = (i - 2) * math.pi / 4
          game.units[i]:go(leader.x + 1.5 * math.cos(angle), leader.y + 1.5 * math.sin(angle))
        end
      end }
  end,

  -- Two streams meet at a T-junction and go on together.
  junction = function()
    return { grid = hall(31, 20, { { 1, 4, 14, 20 }, { 18, 4, 31, 20 } }), seconds = 90,
      start = function(game)
        for _, x in ipairs { 2.5, 24.5 } do add(game, 15, x, 0.5, 5, { radius = 0.35 }) end
        game.crowd:go(game.units, 15.5, 16.5)
      end }
  end,

  -- Four streams cross.
  crossing = function()
    return { grid = hall(30, 30), seconds = 60,
      start = function(game)
        for _, s in ipairs { { 3.5, 13.5 }, { 23.5, 13.5 }, { 13.5, 3.5 }, { 13.5, 23.5 } } do
          for _, w in ipairs(add(game, 12, s[1], s[2], 3, { radius = 0.35 })) do
            local along = s[2] == 13.5
            w:go(along and 30 - w.x or w.x, along and w.y or 30 - w.y)
          end
        end
      end }
  end,

  -- Two doors in a row, each of one and a half cells' width for units of 0.35.
  doors = function()
    return { grid = hall(36, 16, { { 12, 1, 12, 7 }, { 12, 9, 12, 16 }, { 22, 1, 22, 10 }, { 22, 12, 22, 16 } }),
      seconds = 120,
      start = function(game)
        add(game, 30, 2.5, 4.5, 5, { radius = 0.35 })
        game.crowd:go(game.units, 30.5, 8.5)
      end }
  end,

  -- Doors open and close in front of them.
  gates = function()
    return { grid = hall(30, 16, { { 15, 1, 15, 4 }, { 15, 7, 15, 10 }, { 15, 13, 15, 16 } }), seconds = 90,
      start = function(game)
        add(game, 20, 2.5, 5.5, 5, { radius = 0.35 })
        game.crowd:go(game.units, 25.5, 8.5)
      end,
      frame = function(game, frame)
        if frame % 150 ~= 0 then return end
        for _, y in ipairs { 5, 11 } do -- a door closes where nobody stands in it
          local open = (y == 5) == (frame % 300 == 0)
          if open or #game.crowd:near(14.5, y, 1.8) == 0 then game.grid:fill(15, y, 15, y + 1, open and 1 or false) end
        end
      end }
  end,

  -- Units go around a building, to the other side of it.
  building = function()
    return { grid = hall(30, 24, { { 11, 6, 20, 18 } }), seconds = 60,
      start = function(game)
        add(game, 24, 4.5, 8.5, 3, { radius = 0.4 })
        game.crowd:go(game.units, 25, 12)
      end }
  end,

  -- Idle units stand in a corridor that one has to go through.
  corridor = function()
    return { grid = hall(30, 5, { { 8, 1, 24, 1 }, { 8, 4, 24, 5 } }), seconds = 60,
      start = function(game)
        add(game, 1, 3, 2.5, 1, { radius = 0.4 })[1]:go(27, 2.5)
        for i = 1, 4 do add(game, 1, 9.5 + 3 * i, 2.2, 1, { radius = 0.4 }) end
      end }
  end,

  -- Units of several sizes at a door that all of them pass.
  sizes = function()
    return { grid = hall(30, 16, { { 15, 1, 15, 6 }, { 15, 10, 15, 16 } }), seconds = 90,
      start = function(game)
        for i, radius in ipairs { 0.2, 0.45, 0.7 } do add(game, 7, 1.5 + 2 * i, 1.5, 1, { radius = radius }) end
        for i, w in ipairs(game.units) do w:place(2 + 2 * math.floor((i - 1) / 7), 1.5 + 2 * ((i - 1) % 7)) end
        game.crowd:go(game.units, 23, 8)
      end }
  end,

  -- Thirty hunters chase a player, who runs around blocks and stops in the end. Then a guard is surrounded by twelve.
  chase = function()
    local corners = { 36.5, 3.5, 36.5, 36.5, 3.5, 36.5, 3.5, 3.5 }
    return { grid = hall(40, 40, { { 9, 9, 16, 16 }, { 25, 9, 32, 16 }, { 9, 25, 16, 32 }, { 25, 25, 32, 32 } }),
      seconds = 75,
      start = function(game)
        local player = add(game, 1, 20, 20, 1, { radius = 0.4, speed = 3, priority = 5 })[1]
        game.at, game.victim = 1, game.crowd:add { x = 36, y = 20, radius = 0.5, data = "guard" }
        game.victim:pause()
        for _, w in ipairs(add(game, 30, 3.5, 3.5, 6, { radius = 0.35, speed = 3 })) do w:chase(player) end
        game.crowd:surround(add(game, 12, 18.5, 1.5, 6, { radius = 0.35 }), game.victim)
      end,
      frame = function(game, frame)
        local player = game.units[1]
        if player.state == "moving" or frame > 1500 then return end
        player:go(corners[game.at], corners[game.at + 1])
        game.at = game.at % 8 + 2 > 8 and 1 or game.at + 2
      end }
  end,

  -- A group goes into a room that it nearly fills, through a door on the far side.
  room = function()
    return { grid = hall(40, 26, { { 14, 6, 28, 7 }, { 14, 18, 28, 19 }, { 14, 8, 15, 17 }, { 27, 8, 28, 11 },
      { 27, 15, 28, 17 } }), seconds = 64,
      start = function(game)
        add(game, 70, 2.5, 8, 8, { radius = 0.35 })
        game.crowd:go(game.units, 24, 13)
      end }
  end,

  -- Each unit is sent to a random place every second.
  orders = function()
    local draw = generator(11)
    return { grid = hall(24, 24, { { 6, 6, 9, 9 }, { 15, 6, 18, 9 }, { 6, 15, 9, 18 }, { 15, 15, 18, 18 } }),
      seconds = 60,
      start = function(game) add(game, 30, 2.5, 2.5, 20, { radius = 0.35 }) end,
      frame = function(game, frame)
        if frame % 30 ~= 1 then return end
        for _, w in ipairs(game.units) do w:go(draw(1, 23), draw(1, 23)) end
      end }
  end,

  -- Sixty units, half of them in boots, are sent over a moor every second. The ground slows them. Their profile asks
  -- the agent, and the game gives profiles and agents again when it loads.
  moor = function()
    local profile = wend.costs { swamp = function(agent) return agent.boots and 1 or 4 end }
    local boots, none = { boots = true }, { boots = false }
    local draw = generator(5)
    return { grid = hall(40, 24, { { 20, 9, 21, 16 } }):fill(12, 5, 28, 8, "swamp"):fill(8, 17, 33, 20, "swamp"),
      seconds = 40, crowd = { costs = profile, speeds = { swamp = 0.5 } },
      start = function(game)
        for i, w in ipairs(add(game, 60, 2.5, 1.5, 10, { radius = 0.3 })) do w.agent = i % 2 == 0 and boots or none end
      end,
      frame = function(game, frame)
        if frame % 30 ~= 1 then return end
        local x, y = draw(30, 38), draw(2, 22)
        for i = frame % 60 == 1 and 1 or 2, 60, 2 do game.units[i]:go(x, y + i / 100) end
      end,
      options = { costs = profile }, again = function(w) return { agent = w.data % 2 == 0 and boots or none } end }
  end,

  -- A unit gets a new route from where it is, every half second, around corners that it cannot cut.
  routes = function()
    return { grid = hall(40, 20, { { 12, 1, 12, 14 }, { 26, 8, 26, 20 } }), seconds = 60,
      start = function(game) add(game, 6, 2, 2, 2, { radius = 0.4, speed = 2 }) end,
      frame = function(game, frame)
        if frame % 15 ~= 1 then return end
        for i, w in ipairs(game.units) do w:go(game.grid:route(w, { x = 36 - i % 2 * 2, y = 16 - i })) end
      end }
  end,

  -- All at once: six are ordered in every frame, over a swamp and through doors that close; four chase the first of
  -- them, and two surround another. Profile and agents are given again when the game is loaded.
  raid = function()
    local profile = wend.costs { swamp = function(agent) return agent.boots and 1 or 3 end }
    local boots, shoes = { boots = true }, { boots = false }
    local function equip(w) return { agent = w.data % 2 == 0 and boots or shoes } end
    local grid = hall(24, 6, { { 17, 1, 17, 2 }, { 17, 4, 17, 5 } }):fill(5, 2, 10, 4, "swamp")
    return { grid = grid, seconds = 50, crowd = { costs = profile, speeds = "costs" },
      start = function(game)
        for i, w in ipairs(add(game, 12, 1.2, 0.8, 3, { radius = 0.25, speed = 3 })) do
          w.data = i
          w.agent = equip(w).agent
        end
        game.units[11]:go(22, 1)
      end,
      frame = function(game, frame)
        local units, y = game.units, frame % 400 == 0 and 3 or 6
        if frame % 200 == 0 and (game.grid:is_closed(17, y) or #game.crowd:near(16.5, y - 0.5, 1) == 0) then
          game.grid:fill(17, y, 17, y, game.grid:is_closed(17, y) and 1 or false)
        end
        if frame < 1100 then
          local six = { units[1], units[2], units[3], units[4], units[5], units[6] }
          game.crowd:go(six, frame < 600 and 20.5 or 2.5, 2.5, { partial = true })
        end
        for i = 7, 10 do units[i]:chase(units[1]) end
        if frame == 700 then game.crowd:surround({ units[11], units[12] }, units[2]) end
      end,
      options = { costs = profile }, again = equip }
  end,
}
