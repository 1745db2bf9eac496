-- SPDX-License-Identifier: MIT
-- Plays a scripted minute of the game as fast as possible, and checks it: love examples/love --check FOLDER
-- No walker may leave the level, walk through a wall or up the cliff, or wade without boots if the road is cheaper. A
-- right click must explain the way of a walker. Then check_crowd.lua plays the crowd, and check_heavy.lua the cart and
-- the ogre.
-- The checks compute geometry from the level's data, without wend. Pictures are written to the folder. A failure gives
-- exit status 1.
-- luacheck: globals love
local wend = require "wend"
local level = require "level"
local why = require "why"
local geometry = require "geometry"
local new_screen = require "screen"
local play_crowd = require "check_crowd"
local play_heavy = require "check_heavy"

local side, cross, each_side, inside, distance = geometry.side, geometry.cross, geometry.each_side, geometry.inside,
  geometry.distance

local STEP, SECONDS = 1 / 60, 60
local SHALLOW = 3 -- pixels from the shore that do not count as swamp

-- The time in seconds, and an event: a click at x, y; a key; a position of the mouse; a picture; a right click on a
-- walker, and what the note must say.
local SCRIPT = {
  { 0.5, "click", 775, 398 }, { 6, "key", "p" }, { 6.5, "picture", "routes" }, { 6.6, "key", "p" },
  { 19, "why", 4, "boots" }, { 20, "mouse", 640, 340 }, { 20, "key", "space" }, { 21, "mouse", 770, 395 },
  { 24, "mouse", 840, 400 }, { 25, "mouse", 700, 330 }, { 25.5, "why", 3, "shortest way: 0 steps" },
  { 26, "key", "space" }, { 26, "click", 150, 300 },
  { 27, "why", 1, "%d+ steps of swamp instead of 0: %d+ more, by tag 'swamp'%.$" }, { 28, "picture", "why" },
  { 28, "why", 2, "^This walker has boots%.\nIt takes the shortest way: %d+ steps, cost %d+%.$" },
  { 31, "key", "b" }, { 34.5, "picture", "boots" },
  { 38, "key", "b" }, { 38.5, "key", "v" }, { 41, "key", "c" }, { 44, "key", "v" }, { 44, "key", "g" },
  { 45, "click", 838, 150 }, { 48, "picture", "graph" }, { 48.1, "key", "g" }, { 48.2, "key", "c" },
  { 52, "click", 5, 5 }, { 52, "click", 800, 330 }, { 53.5, "why", 5, "no boots" }, { 54, "key", "r" },
  { 54.1, "mouse", 176, 290 }, { 54.2, "key", "space" }, { 54.5, "key", "f" }, { 55.25, "picture", "flee" },
  { 55.5, "mouse", 120, 290 }, { 56.5, "key", "f" }, { 57, "key", "space" }, { 57, "click", 590, 250 },
}

-- Geometry ---------------------------------------------------------------------------------------------------------

local function deep(x, y)
  return inside(level.swamp, x, y) and not each_side(level.swamp, true, function(ax, ay, bx, by)
    return distance(ax, ay, bx, by, x, y) <= SHALLOW
  end)
end

--- The cost of a line of points without boots, from the ground that it leads over.
local function effort(points)
  local sum, stride = 0, 2
  for i = 1, #points - 3, 2 do
    local x1, y1, x2, y2 = points[i], points[i + 1], points[i + 2], points[i + 3]
    local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
    local count = math.ceil(length / stride)
    for k = 1, count do
      local x, y = x1 + (x2 - x1) * (k - 0.5) / count, y1 + (y2 - y1) * (k - 0.5) / count
      local on_road = each_side(level.road, false, function(ax, ay, bx, by)
        return distance(ax, ay, bx, by, x, y) < 9
      end)
      sum = sum + length / count * (deep(x, y) and 4 or on_road and 0.6 or 1)
    end
  end
  return sum
end

local polygons, circles = geometry.polygons, geometry.circles

--- The wall through which a step leads; nil: none.
local function wall_between(x1, y1, x2, y2)
  local function crosses(ax, ay, bx, by) return cross(x1, y1, x2, y2, ax, ay, bx, by) end
  for _, polygon in ipairs(polygons) do
    if each_side(polygon, true, crosses) or inside(polygon, x2, y2) then return "a house or the keep" end
  end
  for _, circle in ipairs(circles) do
    if distance(x1, y1, x2, y2, circle[1], circle[2]) < circle[3] then return "a tower, a tree or a boulder" end
  end
  for _, fence in ipairs(level.fences) do
    if crosses(fence[1], fence[2], fence[3], fence[4]) then return "a fence" end
  end
  if each_side(level.cliff, false, function(ax, ay, bx, by)
    return crosses(ax, ay, bx, by) and side(ax, ay, bx, by, x1, y1) > 0
  end) then
    return "the cliff, upward"
  end
end

-- The minute -------------------------------------------------------------------------------------------------------

local function play(game, folder)
  local mouse_x, mouse_y, screen = 480, 250, new_screen(game, folder)
  game.mouse = function() return mouse_x, mouse_y end
  local dry_costs = wend.costs({ swamp = false }, { base = level.costs })
  local counts = { routes = 0, waded = 0, booted = 0, arrived = 0, dropped = 0, answers = 0 }
  local function says(note, text)
    local lines = table.concat(note.lines, "\n")
    if not lines:find(text) then error(("a note must say %q, and says:\n%s"):format(text, lines)) end
  end

  local before, known, may_wade = {}, {}, {}

  --- Checks the cost of a walker's new route, and notes whether it may lead through the swamp.
  local function judge(walker, time)
    local route = walker.route
    known[walker.number], may_wade[walker.number] = route, true
    counts.routes = counts.routes + 1
    local x, y = route[#route - 1], route[#route]
    local more = game.vary and 1 + game.variation or 1
    local function costs_more(cost, than, what)
      if cost > than * (1 + 1e-9) then
        error(("%.2f s: walker %d has a way that costs %.1f, and %s costs %.1f"):format(time, walker.number, route.cost,
          what, than))
      end
    end
    costs_more(route.cost, game.route(walker, x, y, nil, 0).cost * more, "with what is allowed on top the cheapest")
    if walker.boots or inside(level.swamp, walker.x, walker.y) or inside(level.swamp, x, y) then return end
    local dry = game.route(walker, x, y, dry_costs, 0)
    if dry then
      costs_more(route.cost, dry.cost * more, "with what is allowed on top the dry one")
      may_wade[walker.number] = effort(route) <= dry.cost * more * 1.03 -- the points of a route are not quite its nodes
    end
  end

  --- Right-clicks on a walker. The note must contain the text.
  local function ask(number, text)
    local walker = game.walkers[number]
    love.mousepressed(walker.x, walker.y, 2)
    assert(game.note.walker == walker, "the note is about another walker")
    says(game.note, text)
    counts.answers = counts.answers + 1
  end

  -- A walker that must not enter the swamp: to the middle of it, and to the other side.
  local dry_walker = { x = level.camp[1], y = level.camp[2], boots = false }
  local lost = why(dry_walker, 440, 300, dry_costs)
  says(lost, "There is no way for it.\nIn the way: %d+ steps closed by tag 'swamp'%.$")
  assert(not lost.taken and not lost.other, "there is no way, and one is drawn")
  says(why(dry_walker, 700, 300, dry_costs),
    "dashed, is %d+ shorter and closed.*%d+ steps of swamp, closed by tag 'swamp'%.")

  local next_event = 1
  for frame = 1, SECONDS / STEP do
    local time = frame * STEP
    while SCRIPT[next_event] and SCRIPT[next_event][1] <= time do
      local _, what, a, b = unpack(SCRIPT[next_event])
      next_event = next_event + 1
      if what == "click" then
        love.mousepressed(a, b, 1)
        assert(not game.note, "a click leaves the note")
      elseif what == "mouse" then
        mouse_x, mouse_y = a, b
      elseif what == "why" then
        ask(a, b)
      elseif what == "key" then
        love.keypressed(a)
        if a == "r" then before = {} end
        assert(a ~= "r" and a ~= "b" and a ~= "space" or not game.note, "this key must remove the note: " .. a)
      else
        screen.draw(a)
      end
      for _, walker in ipairs(game.walkers) do
        if game.flag and not walker.route then
          error(("%.2f s: walker %d finds no way"):format(time, walker.number))
        elseif game.flag and walker.route ~= known[walker.number] then
          judge(walker, time)
        end
      end
    end
    game.update(STEP)
    if frame % 30 == 0 then screen.draw() end

    for i, walker in ipairs(game.walkers) do
      local x, y, old = walker.x, walker.y, before[i]
      local function fail(what)
        error(("%.2f s: walker %d %s at %.2f, %.2f"):format(time, i, what, x, y))
      end
      if not (x >= 0 and y >= 0 and x <= level.width and y <= level.height) then fail "has left the level" end
      if old and (old[1] ~= x or old[2] ~= y) then
        local wall = wall_between(old[1], old[2], x, y)
        if wall then fail("walks through " .. wall) end
        if math.sqrt((x - old[1]) ^ 2 + (y - old[2]) ^ 2) > 1.7 then fail "jumps" end
        if each_side(level.cliff, false, function(...) return cross(old[1], old[2], x, y, ...) end) then
          counts.dropped = counts.dropped + 1
        end
        if deep(x, y) then
          if walker.boots then
            counts.booted = counts.booted + STEP
          else
            counts.waded = counts.waded + STEP
            if not game.flee and not may_wade[i] then fail "wades without boots, and the road is cheaper" end
          end
        end
        if walker.follower and walker.follower.done and game.flag then counts.arrived = counts.arrived + 1 end
      end
      before[i] = { x, y }
    end
  end
  assert(counts.booted > 10, "nobody with boots has gone through the swamp")
  assert(counts.dropped > 0, "nobody has jumped off the cliff")
  assert(counts.arrived > 40, "hardly anybody has arrived")
  assert(counts.answers == 5, "right clicks are missing")
  assert(screen.pictures == 5, "pictures are missing")
  print(("ok: a minute, %d walkers, %d routes, %d arrivals, %d jumps; in the swamp %.0f s with boots, %.0f s without")
    :format(#game.walkers, counts.routes, counts.arrived, counts.dropped, counts.booted, counts.waded))
end

-- Before the first key ---------------------------------------------------------------------------------------------

local function play_tour(game, folder)
  local screen, moving = new_screen(game, folder), 0
  game.touring = true
  for _ = 1, 5 / STEP do game.update(STEP) end
  for _, walker in ipairs(game.walkers) do moving = moving + (walker.moving and 1 or 0) end
  assert(moving > 20 and game.note, "nothing moves by itself")
  screen.draw "tour"
  love.keypressed "r"
  assert(not game.touring and not game.flag and not game.note, "the first key must end the tour")
end

return function(game, folder)
  local ok, problem = xpcall(function()
    play_tour(game, folder)
    play(game, folder)
    play_crowd(game, folder)
    play_heavy(game, folder)
  end, debug.traceback)
  if not ok then io.stderr:write("failed: ", problem, "\n") end
  io.stdout:flush()
  os.exit(ok and 0 or 1)
end
