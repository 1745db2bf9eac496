-- SPDX-License-Identifier: MIT
-- The same level with 400 walkers that keep apart: a crowd of wend. They belong to four companies; the last one is of
-- ogres, which are large, and which the others make way for. Walkers differ in size and speed, and half of them have
-- boots. The keep has two gates that can be closed. main.lua calls these functions while its crowd is on.
local wend = require "wend"
local level = require "level"
local why = require "why"

local RADIUS, OGRE = 3.2, 5.8 -- in pixels; an ogre, too, fits through a gap of one cell between walls
local SPEED = 55              -- pixels per second
local PATIENCE = 6            -- seconds without progress after which a walker is stuck

local many = { walkers = {}, companies = {}, chosen = 0, gates = 1, counts = {} }

-- Where the companies camp, and how many they are. Large ones are a company of their own: the spots of a group are as
-- far apart as its largest walker needs.
local COMPANIES = {
  { x = 130, y = 275, count = 160 }, { x = 560, y = 455, count = 80 }, { x = 770, y = 160, count = 150 },
  { x = 640, y = 45, count = 10, ogres = true },
}

--- The gates of the keep: where they are drawn, and their cells.
many.doors = {
  { x1 = 798, y1 = 424, x2 = 840, y2 = 424, cells = { 55, 29, 56, 29 } },
  { x1 = 736, y1 = 330, x2 = 736, y2 = 374, cells = { 50, 23, 50, 25 } },
}
-- What a key changes them to, in turn: the name, and the number of doors that are closed.
many.GATES = { { "open", 0 }, { "one", 1 }, { "shut", 2 } }

-- A crowd does not jump: the links down the cliff are closed for its plans.
local costs = wend.costs({ drop = false }, { base = level.costs })

--- Places for a company: free cells around its camp, and in each of them four places, or one for an ogre.
local function places_of(camp)
  local places, size, grid = {}, level.cell, level.grid
  local column, row = grid:cell_at(camp.x, camp.y)
  local offsets, radius = { -0.25, 0.25 }, RADIUS
  if camp.ogres then offsets, radius = { 0 }, OGRE end
  for ring = 0, 20 do
    for dy = -ring, ring do
      for dx = -ring, ring, (dy == -ring or dy == ring) and 1 or math.max(2 * ring, 1) do
        local x, y = column + dx, row + dy
        local is_open = x >= 1 and y >= 1 and x <= grid:width() and y <= grid:height() and grid:get(x, y)
        for i = 1, is_open and #offsets * #offsets or 0 do
          local px = (x - 0.5 + offsets[1 + i % #offsets]) * size
          local py = (y - 0.5 + offsets[math.ceil(i / #offsets)]) * size
          if #places < 2 * camp.count and level.walls:clear(px, py, px, py, radius)
            and level.free(camp.x, camp.y, px, py) then
            places[#places + 1], places[#places + 2] = px, py
          end
        end
      end
    end
  end
  return places
end

--- Opens or closes the gates: 1, 2 or 3, as in many.GATES. Walkers that found no way try again.
function many.set_gates(which)
  many.gates = which
  for i, door in ipairs(many.doors) do
    local c = door.cells
    door.closed = i <= many.GATES[which][2]
    level.grid:fill(c[1], c[2], c[3], c[4], not door.closed and 1 or false)
  end
  for _, company in ipairs(many.companies) do
    local lost = {}
    for _, w in ipairs(company) do
      if w.state == "lost" then lost[#lost + 1] = w end
    end
    if company.goal and #lost > 0 then many.crowd:go(lost, company.goal[1], company.goal[2]) end
  end
end

--- All walkers stand in their camps, and the gates are open.
function many.reset()
  many.walkers, many.companies, many.chosen, many.counts = {}, {}, 0, {}
  many.set_gates(1)
  -- squeeze = false: nobody passes through others, as check_crowd.lua checks in each step.
  many.crowd = wend.crowd { map = level.grid, walls = level.walls, costs = costs, squeeze = false }
  for number, camp in ipairs(COMPANIES) do
    local company, places = {}, places_of(camp)
    many.companies[number] = company
    for i = 1, #places, 2 do
      local n = #many.walkers + 1
      local agent = { boots = n % 2 == 0 }
      local w = many.crowd:add { x = places[i], y = places[i + 1], radius = camp.ogres and OGRE or RADIUS - n % 3 * 0.2,
        speed = SPEED * (camp.ogres and 0.8 or 0.92 + n % 7 * 0.03), priority = camp.ogres and 1 or 0,
        patience = PATIENCE, agent = agent }
      w.number, w.company, w.boots, w.ogre = n, number, agent.boots, camp.ogres
      many.walkers[n], company[#company + 1] = w, w
    end
  end
end

--- Ends the crowd: the gates are open again.
function many.leave()
  many.set_gates(1)
  many.crowd, many.walkers, many.companies = nil, {}, {}
end

--- Sends a company to a place; 0: all of them. Each walker of a company gets a spot of its own.
function many.send(number, x, y)
  local column, row = level.grid:cell_at(x, y)
  if not column or not level.grid:get(column, row) then return end
  for i, company in ipairs(many.companies) do
    if number == 0 or number == i then
      company.goal = { x, y }
      many.crowd:go(company, x, y)
    end
  end
end

--- Lets time pass, and counts the walkers by state.
function many.update(dt)
  many.crowd:update(dt)
  local counts = { moving = 0, waiting = 0, arrived = 0, stuck = 0, lost = 0 }
  for _, w in ipairs(many.walkers) do
    counts[w.state] = counts[w.state] + 1
    w.moving = w.state == "moving" or w.state == "stuck"
  end
  many.counts = counts
end

--- What a walker of the crowd says about itself: a note like those of why.lua.
function many.note(w)
  local goal = many.companies[w.company].goal
  local note = goal and w.state ~= "lost" and w.state ~= "arrived" and why(w, goal[1], goal[2], costs)
    or { walker = w, lines = { w.boots and "This walker has boots." or "This walker has no boots." } }
  local behind = w.blocked_by
  table.insert(note.lines, 2, ({
    waiting = "It stands in its camp.", moving = "It is on its way.", arrived = "It has arrived.",
    stuck = behind and ("It is stuck behind walker %d."):format(behind.number) or "It is stuck.",
    lost = ("It is lost: %s."):format(w.message or ""),
  })[w.state])
  return note
end

return many
