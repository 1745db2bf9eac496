-- SPDX-License-Identifier: MIT
-- A cart that covers 2 x 2 cells and an ogre that covers 3 x 3. A palisade has a gate for each; each finds the one that
-- it fits through. Fires are stamped into a danger map: the two go around a fire while it is worth the detour, and the
-- danger fades. main.lua calls these functions while its key H is on.
local wend = require "wend"
local level = require "level"

local THINK = 0.25              -- seconds between two plans
local HEAT, REACH = 12, 7       -- of a fire: how dangerous it is, and how far around, in cells
local FADE = 0.94               -- what is left of a danger after each THINK

local grid, cell = level.grid:overlay(), level.cell -- the palisade is not in the level itself
local costs = wend.costs({
  drop = false, -- the links down the cliff
  swamp = function(unit) return unit.name == "ogre" and 2 or false end, -- the cart has wheels
}, { base = level.costs })

local heavy = {
  grid = grid, units = {},
  palisade = { { 35, 1, 35, 13 }, { 36, 13, 41, 13 } }, -- rectangles of cells: from the north to the cliff
  gates = { { 35, 9, 35, 11 }, { 35, 6, 35, 7 } },      -- for the ogre, and for the cart
}

--- Opens all gates but the first `closed`. The next plans go by what is open.
function heavy.close_gates(closed)
  heavy.closed = closed
  for _, wall in ipairs(heavy.palisade) do grid:close(wall[1], wall[2], wall[3], wall[4]) end
  for i, gate in ipairs(heavy.gates) do
    if i > closed then grid:open(gate[1], gate[2], gate[3], gate[4]) end
  end
end

--- From the centre of a body to the centre of its own cell: for an even size that is the upper left one of the middle
--- four.
local function own(unit, x, y)
  local off = unit.size % 2 == 0 and cell / 2 or 0
  return x - off, y - off
end

--- Plans the way of a unit from the cell where it stands; if there is none, as near as it can get.
local function plan(unit)
  local x, y = grid:cell_at(own(unit, unit.follower.x, unit.follower.y))
  unit.path = assert(grid:path(x, y, unit.goal_x, unit.goal_y, { costs = costs, agent = unit, size = unit.size,
    influence = { heavy.danger, 1 }, partial = true }))
  unit.lost, unit.thinks = unit.path.partial, false
  unit.follower:go(unit.path)
end

--- Lets a unit plan anew: at the next cell of its way, so that its body is never between two cells then.
local function think(unit)
  unit.thinks = true
  if unit.follower.done then plan(unit) end
end

--- Sends the cart and the ogre to a place, side by side: each to the nearest cell where it fits.
function heavy.send(x, y)
  heavy.flag = { x, y }
  for _, unit in ipairs(heavy.units) do
    local at_x, at_y = own(unit, x + unit.beside * cell, y)
    unit.goal_x, unit.goal_y = grid:nearest(at_x, at_y, { costs = costs, agent = unit, size = unit.size })
    think(unit)
  end
end

--- A fire breaks out.
function heavy.burn(x, y)
  local column, row = grid:cell_at(x, y)
  if column then heavy.danger:stamp(column, row, REACH, HEAT) end
end

function heavy.reset()
  heavy.danger, heavy.flag, heavy.clock = wend.influence(grid), nil, 0
  heavy.close_gates(0)
  for i, unit in ipairs {
    { name = "cart", size = 2, x = 150, y = 285, beside = -1.5 },
    { name = "ogre", size = 3, x = 202.5, y = 277.5, beside = 1.5 },
  } do
    unit.follower = wend.follow({ unit.x, unit.y }, { speed = 60, speeds = { swamp = 0.5, road = 1.3 },
      on_point = function() if unit.thinks then plan(unit) end end })
    heavy.units[i] = unit
  end
end

function heavy.update(dt)
  heavy.clock = heavy.clock + dt
  local again = heavy.clock >= THINK
  if again then
    heavy.clock = heavy.clock - THINK
    heavy.danger:decay(FADE)
  end
  for _, unit in ipairs(heavy.units) do
    if again and (unit.moving or unit.lost) then think(unit) end
    unit.x, unit.y = unit.follower:update(dt)
    unit.heading, unit.moving = unit.follower.heading, not unit.follower.done
  end
end

return heavy
