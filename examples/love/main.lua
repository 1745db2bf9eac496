-- SPDX-License-Identifier: MIT
-- Forty walkers, or four hundred, a fen and a keep: a small game for LÖVE 11 that shows the features of wend.
--
--   make love
--
-- It plays by itself until a key is pressed.
--
-- level.lua makes the level (walls, graph, grid, costs) and paint.lua draws it. This file moves the walkers. They use
-- three things: a route to the flag, a follower that walks along it, and a field to flee by. wend.love draws all of
-- these on request. why.lua says why a walker takes its way. crowd.lua has 400 walkers that keep apart, and heavy.lua
-- a cart and an ogre that are larger than a cell.
-- luacheck: globals love

-- Where wend is: beside this file, as in your own game (copy lua/wend and build/jit/wend into one folder, wend); or in
-- the checkout that contains this folder.
local here = love.filesystem.getSource()
local root = here .. "/../../"
local build = os.getenv "WEND_BUILD" or "build/jit"
package.path = table.concat({ here .. "/?.lua", here .. "/?/init.lua", root .. "lua/?.lua", root .. "lua/?/init.lua",
  package.path }, ";")
package.cpath = table.concat({ here .. "/?.so", here .. "/?.dll", root .. build .. "/?.so", root .. build .. "/?.dll",
  package.cpath }, ";")

if arg[2] == "--check" then -- an automatic check: write errors to the terminal, not to the screen
  function love.errorhandler(message)
    io.stderr:write(debug.traceback(message), "\n")
    os.exit(1)
  end
end

local wend = require "wend"
local draw = require "wend.love"
local level = require "level"
local paint = require "paint"
local why = require "why"
local many = require "crowd"
local heavy = require "heavy"

local WALK, WADE, RUN = 62, 0.35, 1.35 -- speed in pixels per second; factors for walking in the swamp and for fleeing
local AFRAID = 190 -- the distance at which walkers flee, in pixels
local VARIATION, JITTER = 0.15, 7

-- Where the walkers go while nobody plays, and for how many seconds.
local TOUR = { { 775, 398 }, { 150, 300 }, { 838, 150 }, { 800, 330 }, { 590, 250 } }
local TOUR_SECONDS = 11

-- For wend.love: the colours of edges by tag, and the looks of routes.
local GRAPH = { road = "#fff2c4", swamp = "#16343a", drop = "#e8452c", [""] = "#d5e3b5" }
local BOOTED = { colour = { 0.11, 0.37, 0.61, 0.6 }, width = 1.3 }
local BAREFOOT = { colour = { 0.71, 0.2, 0.11, 0.6 }, width = 1.3 }
local TAKEN = { colour = "#fff6d8", width = 4 }
local BODIES = { { colour = "#fff2c4" }, { colour = "#2f3d12" } } -- of the paths of the cart and of the ogre

local game = { walkers = {}, order = {}, time = 0, sent = 0, touring = false, vary = true, curves = true,
  variation = VARIATION }

-- Walking ----------------------------------------------------------------------------------------------------------

--- The test of straight lines for a walker: not through walls, not off the cliff, and not through the swamp without
--- boots.
local function free_for(walker)
  return walker.boots and level.free or level.dry
end

--- The same for a walker that starts or ends in the swamp: short lines through it are allowed.
local function short_of_breath(x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  return dx * dx + dy * dy < 46 * 46 and level.free(x1, y1, x2, y2)
end

--- The route from the walker to a place: to the graph, along it, and off it; or a straight line if that is free.
function game.route(walker, x, y, costs, variation)
  local clear = free_for(walker)
  if not walker.boots and (level.in_swamp(walker.x, walker.y) or level.in_swamp(x, y)) then
    clear = short_of_breath
  end
  return level.graph:route({ walker.x, walker.y }, { x, y }, {
    costs = costs or level.costs, agent = walker, clear = clear, max_distance = 90,
    variation = variation, jitter = game.vary and JITTER or 0, seed = walker.number + 100 * game.sent,
  })
end

--- Lets a walker follow new points. A follower that is walking turns smoothly to them.
local function follow(walker, points, curve)
  if walker.follower and walker.curve == curve then
    walker.follower:go(points)
  else
    local function clear(...) return free_for(walker)(...) end -- a walker can get boots later
    walker.follower = wend.follow(points, { speed = WALK, curve = curve, clear = clear })
  end
  walker.points, walker.curve, walker.moving = points, curve, not walker.follower.done
end

--- Place number i around the flag. The places are arranged like the seeds of a sunflower.
local function place_around(x, y, i)
  for share = 1, 0, -0.25 do
    local angle, r = i * 2.39996, 7.5 * math.sqrt(i - 1) * share
    local px, py = x + r * math.cos(angle), y + r * math.sin(angle)
    if level.inside(px, py) and level.free(x, y, px, py) and level.in_swamp(x, y) == level.in_swamp(px, py) then
      return px, py
    end
  end
  return x, y
end

local function send(walker)
  local x, y = place_around(game.flag[1], game.flag[2], walker.number)
  walker.route = game.route(walker, x, y, nil, game.vary and VARIATION or 0)
  if walker.route then
    follow(walker, walker.route, game.curves and "catmull_rom" or "linear")
  else
    walker.moving = false
  end
end

--- Sends all walkers to a place, unless it is in a wall.
function game.send(x, y)
  if level.inside(x, y) and level.walls:clear(x, y, x, y, level.body) then
    game.flag, game.flee = { x, y }, false
    game.sent = game.sent + 1
    for _, walker in ipairs(game.walkers) do send(walker) end
  end
end

local function send_again()
  if game.flag and not game.flee then game.send(game.flag[1], game.flag[2]) end
end

-- Fleeing ----------------------------------------------------------------------------------------------------------

local fields = {} -- by kind of walker: the option into uses them again

--- A field of the grid: the cost from every cell to a place.
local function field_to(x, y, boots)
  local column, row = level.grid:cell_at(x, y)
  local name = boots and "boots" or "none"
  if column and level.grid:get(column, row) then
    local options = { costs = level.costs, agent = { boots = boots }, into = fields[name] }
    fields[name] = level.grid:field(column, row, options)
    return fields[name]
  end
end

--- A field to flee by: its steps lead away from a place, or past it to a safer one.
local function fear_of(x, y, boots)
  local field = field_to(x, y, boots)
  return field and field:scale(-1.2):relax()
end

--- The next cell for a fleeing walker: the next step of the field; from a closed cell, an open cell beside it.
local function next_cell(walker)
  local column, row = level.grid:cell_at(walker.x, walker.y)
  if level.grid:get(column, row) then
    return game.fear[walker.boots]:next(column, row)
  end
  for y = math.max(1, row - 1), math.min(level.grid:height(), row + 1) do
    for x = math.max(1, column - 1), math.min(level.grid:width(), column + 1) do
      local px, py = level.middle(x, y)
      if level.grid:get(x, y) and level.can_step(walker.x, walker.y, px, py) then return x, y end
    end
  end
end

local function flee()
  local x, y = game.mouse()
  local column, row = level.grid:cell_at(x, y)
  if column and (column ~= game.fear_x or row ~= game.fear_y) and level.grid:get(column, row) then
    game.fear_x, game.fear_y = column, row
    game.fear = { [true] = fear_of(x, y, true), [false] = fear_of(x, y, false) }
  end
  if not game.fear then return end
  for _, walker in ipairs(game.walkers) do
    local dx, dy = walker.x - x, walker.y - y
    if (not walker.follower or walker.follower.done) and dx * dx + dy * dy < AFRAID * AFRAID then
      local nx, ny = next_cell(walker)
      if nx then
        -- To a place of its own in the next cell; otherwise to the centre of that cell; otherwise to the centre of the
        -- walker's cell, to get around a corner.
        local mx, my = level.middle(nx, ny)
        local cx, cy = level.middle(level.grid:cell_at(walker.x, walker.y))
        local off_x, off_y = math.cos(walker.number) * 6, math.sin(walker.number) * 6
        for _, to in ipairs { { mx + off_x, my + off_y }, { mx, my }, { cx, cy } } do
          if level.can_step(walker.x, walker.y, to[1], to[2]) then
            follow(walker, { walker.x, walker.y, to[1], to[2] }, "linear")
            break
          end
        end
      end
    end
  end
end

-- The game ---------------------------------------------------------------------------------------------------------

--- Asks why the walker nearest to the mouse takes its way to the flag; without a flag, to the mouse.
function game.ask(x, y)
  local nearest, least
  for _, walker in ipairs(game.many and many.walkers or game.walkers) do
    local distance = (walker.x - x) ^ 2 + (walker.y - y) ^ 2
    if not least or distance < least then nearest, least = walker, distance end
  end
  if game.many then
    game.note = many.note(nearest)
  else
    local goal = game.flag or { x, y }
    game.note = why(nearest, goal[1], goal[2])
  end
end

local function give_boots(which)
  game.boots, game.note = which, nil
  for i, walker in ipairs(game.walkers) do
    walker.boots = which == "all" or which == "half" and i % 2 == 0
  end
end

function game.reset()
  game.flag, game.flee, game.show_field, game.show_routes, game.sent = nil, false, false, false, 0
  game.vary, game.curves = true, true
  for i = 1, 40 do
    local x, y = place_around(level.camp[1], level.camp[2], i)
    game.walkers[i] = { number = i, x = x, y = y, heading = i, pace = 0.88 + i % 7 * 0.04, moving = false }
    game.order[i] = game.walkers[i]
  end
  give_boots "half"
end

--- Turns the crowd on or off.
local function set_many(on)
  game.many, game.note = on, nil
  if on then many.reset() else many.leave() end
end

local function note_of_way(note)
  if note.taken then draw.route(note.taken, TAKEN) end
  if note.other then paint.dashes(note.other) end
  paint.ring(note.walker.x, note.walker.y)
end

--- Draws the crowd, its flags and the gates.
local function draw_many()
  for _, door in ipairs(many.doors) do paint.door(door) end
  if game.note then note_of_way(game.note) end
  local order = {}
  for i, walker in ipairs(many.walkers) do order[i] = { walker.y, walker } end
  table.sort(order, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2].number < b[2].number end)
  for _, pair in ipairs(order) do paint.member(pair[2], level.in_swamp(pair[2].x, pair[2].y)) end
  for i, company in ipairs(many.companies) do
    if company.goal then paint.flag(company.goal[1], company.goal[2], game.time, paint.COMPANIES[i]) end
  end
  paint.above(game.time)
  if game.note then paint.note(game.note.lines) end
  local c, chosen, gates = many.counts, many.chosen, many.GATES[many.gates][1]
  paint.help {
    { "click", "walk there" }, { "right click", "why?", game.note },
    { "0-4", chosen == 0 and "companies: all" or ("company: %d"):format(chosen), chosen > 0 },
    { "O", "gates: " .. gates, gates ~= "open" }, { "M", "crowd", true }, { "R", "reset" },
    { #many.walkers, ("%d arrived, %d moving, %d stuck, %d lost"):format(c.arrived or 0, c.moving or 0, c.stuck or 0,
      c.lost or 0) },
  }
end

--- The keys while the crowd is on.
local function many_key(key)
  local number = tonumber(key)
  if number and number <= #many.companies then
    many.chosen = number
  elseif key == "o" then
    many.set_gates(many.gates % #many.GATES + 1)
  elseif key == "m" then
    set_many(false)
  elseif key == "r" then
    set_many(true)
  elseif key == "escape" then
    love.event.quit()
  end
end

-- The cart and the ogre ----------------------------------------------------------------------------------------------

--- Turns them on or off.
local function set_heavy(on)
  game.heavy, game.note = on, nil
  if on then heavy.reset() end
end

local function draw_heavy()
  paint.danger(heavy.danger, heavy.grid, level.cell)
  for _, wall in ipairs(heavy.palisade) do paint.palisade(wall, heavy.grid, level.cell) end
  if game.show_routes then
    for i, unit in ipairs(heavy.units) do
      if unit.path then draw.path(unit.path, BODIES[i]) end
    end
    draw.walkers(heavy.units, { map = heavy.grid, colour = "#26301f" })
  end
  if heavy.flag then paint.flag(heavy.flag[1], heavy.flag[2], game.time) end
  for _, unit in ipairs(heavy.units) do paint.heavy(unit, level.cell, game.time) end
  paint.above(game.time)
  local gates, cart, ogre = #heavy.gates - heavy.closed, heavy.units[1], heavy.units[2]
  paint.help {
    { "click", "go there" }, { "right click", "fire" }, { "P", "paths", game.show_routes },
    { "O", ("gates: %d open"):format(gates), heavy.closed > 0 }, { "H", "cart and ogre", true }, { "R", "reset" },
    { "cart", cart.lost and "no way" or cart.moving and "on its way" or "stands", cart.lost },
    { "ogre", ogre.lost and "no way" or ogre.moving and "on its way" or "stands", ogre.lost },
  }
end

--- The keys while they are on.
local function heavy_key(key)
  if key == "o" then
    heavy.close_gates((heavy.closed + 1) % (#heavy.gates + 1))
  elseif key == "p" then
    game.show_routes = not game.show_routes
  elseif key == "h" then
    set_heavy(false)
  elseif key == "r" then
    set_heavy(true)
  elseif key == "escape" then
    love.event.quit()
  end
end

--- Sends the walkers to the next place of the tour when it is time, and asks one of them why it goes there.
local function tour()
  local turn = math.floor(game.time / TOUR_SECONDS)
  local place, into = TOUR[turn % #TOUR + 1], game.time % TOUR_SECONDS
  if turn ~= game.turn then
    game.turn, game.note = turn, nil
    game.send(place[1], place[2])
  elseif into > 3 and not game.note then
    local asked = game.walkers[turn % 4 + 1]
    game.ask(asked.x, asked.y)
  end
  game.show_routes = into < 3
end

--- Ends the tour: somebody plays.
local function take_over()
  if game.touring then game.touring, game.turn, game.show_routes, game.note = false, nil, false, nil end
end

function game.update(dt)
  game.time = game.time + dt
  if game.touring then tour() end
  if game.heavy then return heavy.update(dt) end
  if game.many then return many.update(dt) end
  if game.flee then flee() end
  for _, walker in ipairs(game.walkers) do
    local follower = walker.follower
    if follower and not follower.done then
      walker.wet = level.in_swamp(walker.x, walker.y)
      follower.speed = WALK * walker.pace * (walker.wet and not walker.boots and WADE or 1) * (game.flee and RUN or 1)
      walker.x, walker.y = follower:update(dt)
      walker.heading, walker.moving = follower.heading, not follower.done
    end
  end
end

function game.draw()
  love.graphics.setColor(1, 1, 1)
  paint.ground()
  if game.many then return draw_many() end
  if game.heavy then return draw_heavy() end
  if game.show_field then
    local field = game.flee and game.fear and game.fear[false]
    local flag = game.flag or level.camp
    field = field or field_to(flag[1], flag[2], false)
    if field then draw.field(level.grid, field, { alpha = 0.68 }) end
  elseif game.show_graph then
    draw.map(level.graph, { colours = GRAPH })
  end
  if game.show_routes then
    for _, walker in ipairs(game.walkers) do
      if walker.moving then draw.route(walker.follower:line(), walker.boots and BOOTED or BAREFOOT) end
    end
  end
  local note = game.note
  if note then note_of_way(note) end
  if game.flag then paint.flag(game.flag[1], game.flag[2], game.time) end
  table.sort(game.order, function(a, b) return a.y < b.y or a.y == b.y and a.number < b.number end)
  for _, walker in ipairs(game.order) do paint.walker(walker, walker.wet, game.time) end
  if not game.show_field then paint.above(game.time) end
  if game.flee then
    local x, y = game.mouse()
    paint.wisp(x, y, game.time)
  end
  if note then paint.note(note.lines) end
  if game.touring then paint.hint "press a key to play" end
  paint.help {
    { "click", "walk" }, { "right click", "why?", note },
    { "B", "boots: " .. game.boots, game.boots ~= "none" }, { "Space", "flee", game.flee },
    { "V", "vary", game.vary }, { "C", "curves", game.curves }, { "P", "paths", game.show_routes },
    { "F", "field", game.show_field }, { "G", "graph", game.show_graph },
    { "M", "crowd" }, { "H", "cart and ogre" }, { "R", "reset" },
  }
end

function game.key(key)
  take_over()
  if game.many then
    many_key(key)
  elseif game.heavy then
    heavy_key(key)
  elseif key == "m" then
    set_many(true)
  elseif key == "h" then
    set_heavy(true)
  elseif key == "b" then
    give_boots(({ half = "all", all = "none", none = "half" })[game.boots])
    send_again()
  elseif key == "v" or key == "c" then
    local what = key == "v" and "vary" or "curves"
    game[what] = not game[what]
    send_again()
  elseif key == "space" then
    game.flee, game.fear, game.fear_x, game.flag, game.note = not game.flee, nil, nil, nil, nil
    for _, walker in ipairs(game.walkers) do walker.follower, walker.moving = nil, false end
  elseif key == "p" then
    game.show_routes = not game.show_routes
  elseif key == "f" then
    game.show_field = not game.show_field
  elseif key == "g" then
    game.show_graph = not game.show_graph
  elseif key == "r" then
    game.reset()
  elseif key == "escape" then
    love.event.quit()
  end
end

--- The window may have any size: the scale of the picture, and where its upper left corner is.
local function fit()
  local wide, high = love.graphics.getDimensions()
  local scale = math.min(wide / level.width, high / (level.height + paint.BAR))
  return scale, (wide - scale * level.width) / 2, (high - scale * (level.height + paint.BAR)) / 2
end

--- A position in the window as one of the level.
local function to_level(x, y)
  local scale, left, top = fit()
  return (x - left) / scale, (y - top) / scale
end

function game.mouse()
  return to_level(love.mouse.getPosition())
end

-- LÖVE calls these -------------------------------------------------------------------------------------------------

function love.load(arguments)
  paint.load()
  game.reset()
  if arguments[1] == "--check" then
    require "check" (game, arguments[2] or ".")
  end
  game.touring = true
end

function love.update(dt) game.update(math.min(dt, 0.1)) end

function love.draw()
  local scale, left, top = fit()
  love.graphics.translate(left, top)
  love.graphics.scale(scale)
  game.draw()
end

function love.keypressed(key) game.key(key) end

function love.mousepressed(x, y, button)
  take_over()
  x, y = to_level(x, y)
  if game.heavy then
    if button == 1 then heavy.send(x, y) else heavy.burn(x, y) end
  elseif button == 1 then
    game.note = nil
    if game.many then many.send(many.chosen, x, y) else game.send(x, y) end
  elseif button == 2 then
    game.ask(x, y)
  end
end
