-- SPDX-License-Identifier: MIT
-- Scenes of small real-time games: what a crowd does in them is looked at in every step.
--
-- A scene is a table: grid, walls (a list of segments), seconds; crowd: options of wend.crowd; start(game) adds walkers
-- to game.crowd and keeps them in game.units; frame(game, frame) gives orders, before each step; options, again:
-- what wend.decode gets, as its options and as the option `walker`; looks: in one of so many steps (1) overlaps and
-- walls are looked at.
local wend = require "wend"

local scenes = { STEP = 1 / 30 }

local OVERLAP = 0.05        -- of the sum of the radii
local EDGE = 0.01           -- of the radius: so deep in a wall
local STANDS = 0.02         -- of its speed: slower, a walker stands

-- The distance of a point from a segment, squared.
local function to_segment(x, y, x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local length = dx * dx + dy * dy
  local t = length > 0 and math.max(0, math.min(1, ((x - x1) * dx + (y - y1) * dy) / length)) or 0
  return (x - x1 - t * dx) ^ 2 + (y - y1 - t * dy) ^ 2
end

---Raises if a walker is in a closed cell, outside of the grid, or on a segment. Returns how many pairs overlap.
---@param crowd wend.Crowd
---@param grid wend.Grid|nil with square cells
---@param segments number[][]|nil
---@return integer
function scenes.look(crowd, grid, segments)
  local all, deep = {}, 0
  for w in crowd:each() do all[#all + 1] = w end
  local cell, left, top = 1, 0, 0
  if grid then
    cell = grid:cell_size()
    left, top = grid:origin()
  end
  for i, w in ipairs(all) do
    local x, y, r = (w.x - left) / cell, (w.y - top) / cell, w.radius / cell
    for j = i + 1, #all do
      local other = all[j]
      local least = (1 - OVERLAP) * (w.radius + other.radius) - 1e-9 * cell
      local dx, dy = other.x - w.x, other.y - w.y
      if dx * dx + dy * dy < least * least then deep = deep + 1 end
    end
    local least = (1 - EDGE) * r - 1e-9
    for cy = math.floor(y - r), math.floor(y + r) do
      for cx = math.floor(x - r), math.floor(x + r) do
        if grid and (not grid:has(cx + 1, cy + 1) or grid:is_closed(cx + 1, cy + 1)) then
          local dx, dy = math.max(cx - x, 0, x - cx - 1), math.max(cy - y, 0, y - cy - 1)
          if dx * dx + dy * dy < least * least then
            error(("a walker in a wall at %.2f,%.2f: %.4f radii"):format(w.x, w.y, math.sqrt(dx * dx + dy * dy) / r))
          end
        end
      end
    end
    for _, s in ipairs(segments or {}) do
      local squared = to_segment(w.x, w.y, s[1], s[2], s[3], s[4])
      if squared < ((1 - EDGE) * w.radius - 1e-9) ^ 2 then
        error(("a walker on a wall at %.2f,%.2f"):format(w.x, w.y))
      end
    end
  end
  return deep
end

-- The angle between two directions, 0 to pi.
local function turn(a, b)
  local angle = math.abs(a - b) % (2 * math.pi)
  return math.min(angle, 2 * math.pi - angle)
end

-- The seconds that a walker needs for the way from its start to where it is, alone.
local function free_time(grid, figure, w)
  local length = math.sqrt((w.x - figure.from_x) ^ 2 + (w.y - figure.from_y) ^ 2)
  local route = grid and grid:route({ x = figure.from_x, y = figure.from_y }, w)
  return math.max(route and route.cost or length, w.radius) / w.speed
end

local function load_options(scene, grid)
  local options = { map = grid, walker = scene.again }
  for key, value in pairs(scene.options or {}) do options[key] = value end
  return options
end

---Plays a scene. saves: encodes the crowd so often on the way (0), and with `loads` goes on with the decoded
---one. Returns the game: units with the fields
---`time` (seconds until it first arrived, nil: never), `part` (that as a part of the free way there from its start),
---`turned` (degrees in all), `whirled` (degrees while it stood); `deep` (how many pairs of 100 walkers overlap, on the
---mean); and hash.
---@param scene table
---@param opts table|nil saves, loads, unwatched: without a look at overlaps and walls
function scenes.play(scene, opts)
  opts = opts or {}
  local grid, walls = scene.grid and scene.grid:copy(), nil
  for _, s in ipairs(scene.walls or {}) do
    walls = walls or wend.walls()
    walls:add_segment(s[1], s[2], s[3], s[4])
  end
  local settings = { map = grid, walls = walls }
  for key, value in pairs(scene.crowd or {}) do settings[key] = value end
  local game = { grid = grid, crowd = wend.crowd(settings), units = {}, events = {}, figures = {}, deep = 0 }
  scene.start(game)
  for i, w in ipairs(game.units) do
    w.data = i
    game.figures[i] = { turned = 0, whirled = 0, length = 0, heading = w.heading, x = w.x, y = w.y,
      from_x = w.x, from_y = w.y }
  end
  local function listen()
    for _, event in ipairs { "arrive", "stuck", "lost" } do
      game.crowd["on_" .. event] = function(w)
        local count = game.events[w.data] or { arrive = 0, stuck = 0, lost = 0 }
        game.events[w.data], count[event] = count, count[event] + 1
      end
    end
  end
  listen()

  local frames = math.floor(scene.seconds / scenes.STEP)
  for frame = 1, frames do
    if scene.frame then scene.frame(game, frame) end
    game.crowd:update(scenes.STEP)
    if not opts.unwatched and frame % (scene.looks or 1) == 0 then
      game.deep = game.deep + scenes.look(game.crowd, grid, scene.walls)
    end
    for i, figure in ipairs(game.figures) do
      local w = game.units[i]
      if w.state ~= "removed" then
        local turned = turn(figure.heading, w.heading) * 180 / math.pi
        local moved = math.sqrt((w.x - figure.x) ^ 2 + (w.y - figure.y) ^ 2)
        figure.turned, figure.length = figure.turned + turned, figure.length + moved
        if moved < STANDS * w.speed * scenes.STEP then figure.whirled = figure.whirled + turned end
        figure.x, figure.y, figure.heading = w.x, w.y, w.heading
        if w.state == "arrived" and not figure.time then
          figure.time = frame * scenes.STEP
          figure.part = figure.time / free_time(grid, figure, w)
        end
      end
    end
    if opts.saves and frame % math.ceil(frames / (opts.saves + 1)) == 0 then
      local bytes = game.crowd:encode()
      if opts.loads then
        game.crowd = assert(wend.decode(bytes, load_options(scene, grid)))
        for w in game.crowd:each() do game.units[w.data] = w end
        listen()
      end
    end
  end
  game.deep = game.deep * 100 / #game.units / (frames / (scene.looks or 1))
  game.hash = game.crowd:hash()
  return game
end

---The figures of a game: how many arrived; the seconds of the last one; the greatest part of the free way; the degrees
---that one turned while it stood.
---@param game table
function scenes.figures(game)
  local arrived, slowest, part, whirled = 0, 0, 0, 0
  for _, figure in ipairs(game.figures) do
    if figure.time then
      arrived, slowest, part = arrived + 1, math.max(slowest, figure.time), math.max(part, figure.part)
    end
    whirled = math.max(whirled, figure.whirled)
  end
  return arrived, slowest, part, whirled
end

---The limits that a game misses, as texts.
---@param game table
---@param limits table of spec/move/support/scene_limits.lua
---@return string[]
function scenes.missed(game, limits)
  local missed = {}
  local function check(good, text, value)
    if not good then missed[#missed + 1] = text:format(value) end
  end
  local arrived, slowest, part, whirled = scenes.figures(game)
  check(arrived >= limits[1], "%d arrived", arrived)
  check(slowest <= limits[2], "the last one took %.1f s", slowest)
  check(part <= (limits[3] or math.huge), "the last one took %.2f times the free way", part)
  check(whirled <= limits[4], "one turned %.0f degrees while it stood", whirled)
  check(game.deep <= (limits[5] or 0), "%.3f pairs of 100 walkers overlap", game.deep)
  return missed
end

return scenes
