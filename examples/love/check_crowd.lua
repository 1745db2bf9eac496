-- SPDX-License-Identifier: MIT
-- Plays two minutes of the crowd as fast as possible, and checks every step: no two walkers overlap by more than 1 % of
-- their radii, nobody is in a wall or in a closed cell, and everybody who was sent arrives, or reports that it is stuck
-- behind another walker or has no way. Distances are computed without wend. Writes a picture and an animation.
-- luacheck: globals love
local level = require "level"
local geometry = require "geometry"
local gif = require "gif"
local many = require "crowd"
local paint = require "paint"
local new_screen = require "screen"

local STEP, SECONDS = 1 / 30, 120
local OVERLAP = 0.01      -- of two radii together
local GET_OUT = 3         -- seconds for walkers in a gate that closes; the wall beside it may press on them
local REPORT = 20         -- seconds in which a walker arrives or reports something, from the last order or report
local ARRIVED = 380       -- at least so many arrive
local SILENT = 2          -- so many may be on their way all the time: doc/crowds.md#limits
local CELL = 16           -- pixels: twice the largest radius and more
local FROM, UNTIL, EVERY, DELAY = 2, 29, 15, 12 -- of the animation: seconds, steps, hundredths of a second
local MOST_BYTES = 1000000

-- Colours of walkers, also blended with grass: few pixels have them, and the animation shall show them.
local COLOURS = { "#2b2f3a", "#1f4e79", "#f3cfa4", "#b0704e", "#a08d55", "#8a86a0", "#6d7a4f", "#55633f" }
for _, colour in ipairs(paint.COMPANIES) do COLOURS[#COLOURS + 1] = colour end

-- The time in seconds, and an event: keys, clicks, a picture, and a right click on a walker and what the note must say.
local SCRIPT = {
  { 1, "key", "1" }, { 1, "click", 770, 160 }, { 1, "key", "2" }, { 1, "click", 764, 320 }, { 1, "key", "3" },
  { 1, "click", 130, 275 }, { 1, "key", "4" }, { 1, "click", 350, 445 }, { 1, "key", "0" },
  { 2, "why", 1, "^This walker has no boots%.\nIt is on its way%.\n" }, { 3, "click", 820, 350 }, { 3, "orders" },
  { 4, "key", "o" }, { 9, "key", "o" }, { 13.5, "why", "lost", "It is lost: no path from " },
  { 13.6, "picture", "crowd" }, { 14, "key", "o" }, { 115, "why", "arrived", "It has arrived%.$" },
}

--- The largest overlap of two walkers, as a share of their radii together; and the two.
local function deepest(positions, walkers)
  local cells, worst, one, other = {}, 0, nil, nil
  for i, a in ipairs(walkers) do
    local x, y = positions[2 * i - 1], positions[2 * i]
    local column, row = math.floor(x / CELL), math.floor(y / CELL)
    for near_x = column - 1, column + 1 do
      for near_y = row - 1, row + 1 do
        for _, j in ipairs(cells[near_x * 1000 + near_y] or {}) do
          local dx, dy = positions[2 * j - 1] - x, positions[2 * j] - y
          local overlap = 1 - math.sqrt(dx * dx + dy * dy) / (a.radius + walkers[j].radius)
          if overlap > worst then worst, one, other = overlap, i, j end
        end
      end
    end
    local key = column * 1000 + row
    cells[key] = cells[key] or {}
    table.insert(cells[key], i)
  end
  return worst, one, other
end

--- How deep a disc is in closed cells, in pixels. The grid's cells are squares; all outside of it is closed.
local function depth_in_cells(x, y, r)
  local size, deep = level.cell, 0
  for column = math.floor((x - r) / size) + 1, math.floor((x + r) / size) + 1 do
    for row = math.floor((y - r) / size) + 1, math.floor((y + r) / size) + 1 do
      if column < 1 or row < 1 or column > level.grid:width() or row > level.grid:height()
        or not level.grid:get(column, row) then
        local dx = math.max((column - 1) * size - x, 0, x - column * size)
        local dy = math.max((row - 1) * size - y, 0, y - row * size)
        deep = math.max(deep, r - math.sqrt(dx * dx + dy * dy))
      end
    end
  end
  return deep
end

return function(game, folder)
  local time, worst, longest, answers, screen = 0, 0, 0, 0, new_screen(game, folder)
  local positions, caught, told, spoke = {}, {}, { stuck = 0, lost = 0, arrived = 0 }, {}
  local ordered, swamp = math.huge, { [true] = 0, [false] = 0 }
  local animation
  local half = love.graphics.newCanvas(level.width / 2, level.height / 2, { msaa = 4 })

  local rooms = {} -- by walker: the distance to the nearest wall, and where that was measured

  --- Whether a walker is in a wall. Measures again only when it has come far enough.
  local function in_wall(i, x, y, least)
    local room = rooms[i]
    if not room or room[1] - math.sqrt((x - room[2]) ^ 2 + (y - room[3]) ^ 2) < least then
      room = { geometry.room(x, y), x, y }
      rooms[i] = room
    end
    return room[1] < least
  end

  --- The picture of the level at half its size, without the line of help.
  local function small_picture()
    love.graphics.setCanvas(half)
    love.graphics.push()
    love.graphics.origin()
    love.graphics.clear()
    love.graphics.scale(0.5)
    game.draw()
    love.graphics.pop()
    love.graphics.setCanvas()
    return half:newImageData()
  end

  --- Watches what walkers report.
  local function listen()
    many.crowd.on_arrive = function(w) told.arrived, spoke[w.number] = told.arrived + 1, time end
    many.crowd.on_stuck = function(w) told.stuck, spoke[w.number] = told.stuck + 1, time end
    many.crowd.on_lost = function(w, message)
      assert(message == w.message and #message > 0, "a walker that is lost must say why")
      told.lost, spoke[w.number] = told.lost + 1, time
    end
  end

  local function ask(which, text)
    local walker = many.walkers[which]
    for _, w in ipairs(many.walkers) do
      walker = walker or w.state == which and w or nil
    end
    assert(walker, which)
    love.mousepressed(walker.x, walker.y, 2)
    assert(game.note.walker == walker, "the note is about another walker")
    local lines = table.concat(game.note.lines, "\n")
    if not lines:find(text) then error(("a note must say %q, and says:\n%s"):format(text, lines)) end
    answers = answers + 1
    screen.draw()
    love.mousepressed(820, 350, 1)
    assert(not game.note, "a click leaves the note")
  end

  local function check_walkers()
    many.crowd:positions(positions)
    local overlap, one, other = deepest(positions, many.walkers)
    worst = math.max(worst, overlap)
    if overlap > OVERLAP then
      error(("%.2f s: walkers %d and %d overlap by %.1f %%"):format(time, one, other, overlap * 100))
    end
    for i, w in ipairs(many.walkers) do
      local x, y = positions[2 * i - 1], positions[2 * i]
      local function fail(what)
        error(("%.2f s: walker %d (%s) %s at %.2f, %.2f"):format(time, i, w.state, what, x, y))
      end
      if not (x >= 0 and y >= 0 and x <= level.width and y <= level.height) then fail "has left the level" end
      local where = in_wall(i, x, y, w.radius * (1 - OVERLAP)) and "is in a wall"
        or depth_in_cells(x, y, w.radius) > w.radius * OVERLAP and "is in a closed cell"
      if not where then
        caught[i] = nil
      elseif not caught[i] or time - caught[i] > GET_OUT then
        fail(where)
      else
        longest = math.max(longest, time - caught[i])
      end
      if geometry.inside(level.swamp, x, y) then swamp[w.boots] = swamp[w.boots] + STEP end
      local state = w.state
      if state == "moving" and time - math.max(ordered, spoke[i] or 0) > SECONDS then fail "is on its way for ever" end
      if (state == "waiting" and time > ordered) or (state == "lost" and not spoke[i]) then fail "reports nothing" end
    end
  end

  game.many = false
  love.keypressed "m"
  assert(#many.walkers == 400, "400 walkers")
  listen()
  local next_event = 1
  for frame = 1, SECONDS / STEP do
    time = frame * STEP
    while SCRIPT[next_event] and SCRIPT[next_event][1] <= time do
      local _, what, a, b = unpack(SCRIPT[next_event])
      next_event = next_event + 1
      if what == "click" then
        love.mousepressed(a, b, 1)
      elseif what == "key" then
        love.keypressed(a)
        if a == "o" then -- those who are clear of the gate are not caught: see check_walkers
          for i = 1, #many.walkers do caught[i] = time end
        end
      elseif what == "why" then
        ask(a, b)
      elseif what == "orders" then
        for i, company in ipairs(many.companies) do
          assert(company.goal and company.goal[2] ~= 350, "a click into a wall must send nobody: " .. i)
        end
        ordered = time
      else
        screen.draw(a)
      end
    end
    game.update(STEP)
    check_walkers()
    if time >= FROM and time <= UNTIL and frame % EVERY == 0 then
      local image = small_picture()
      animation = animation or gif(image, DELAY, COLOURS)
      animation:add(image)
    elseif frame % 150 == 0 then
      screen.draw()
    end
  end

  local arrived, silent = many.counts.arrived, 0
  for i, w in ipairs(many.walkers) do
    if w.state ~= "arrived" and not (spoke[i] and spoke[i] > time - SECONDS + REPORT) then
      silent = silent + 1
      if silent > SILENT then
        error(("walker %d neither arrives nor reports why: %s at %.1f, %.1f"):format(i, w.state, w.x, w.y))
      end
    end
  end
  assert(arrived >= ARRIVED, ("only %d walkers have arrived"):format(arrived))
  assert(told.arrived >= arrived and told.lost > 20, "events are missing")
  assert(screen.pictures == 1 and answers == 3, "pictures or answers are missing")
  local bytes = animation:finish()
  assert(#bytes <= MOST_BYTES, ("the animation has %d bytes"):format(#bytes))
  local file = assert(io.open(folder .. "/crowd.gif", "wb"))
  file:write(bytes)
  file:close()
  love.keypressed "m"
  assert(not game.many and #many.walkers == 0, "the crowd ends")
  for _, door in ipairs(many.doors) do assert(not door.closed, "the gates are open again") end
  print(("ok: a crowd of 400, %d arrived, %d times stuck, %d times lost; the deepest overlap is %.1f %%; %.1f s "
    .. "to leave a closed gate; in the swamp %.0f s with boots, %.0f s without; the animation has %d bytes"):format(
    arrived, told.stuck, told.lost, worst * 100, longest, swamp[true], swamp[false], #bytes))
end
