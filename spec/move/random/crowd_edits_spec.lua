-- SPDX-License-Identifier: MIT
-- Crowds on maps that are edited in each step, with targets that go wild: update never raises, and keeps all walkers.
local helper = require "spec.support.helper"
local wend = require "wend"

local WIDTH, HEIGHT = 60, 40
local WILD = { 0 / 0, math.huge, -math.huge, 1e10, -1e10, 1e150, 1e308, 1e9, "9", false, {}, function() end }

--- A wall with a near door and a far one.
local function random_map(rng)
  local map = wend.grid(WIDTH, HEIGHT, { diagonals = rng:pick { "both_open", "both_open", "one_open", "always" } })
  map:fill(30, 1, 30, HEIGHT, false)
  for _, y in ipairs { 20, HEIGHT - 2 } do map:fill(30, y, 30, y + 1, rng:pick { 1, 1, "door" }) end
  return map
end

--- Closes a cell before the doors, or opens all.
local function edit(rng, map, costs)
  local x, y = rng(24, 29), rng(14, 27)
  if rng:chance(0.25) then map:close(x, y)
  elseif rng:chance(0.3) then map:fill(24, 14, 29, 27, 1)
  elseif rng:chance(0.1) then map:set(x, y, rng:pick { 1, 3, 0, 1e300 }, rng:chance(0.5) and "door" or nil)
  end
  if rng:chance(0.01) then costs:set("door", rng:pick { 1, 2, false }) end
end

describe("a crowd on a map that is edited in each step", function()
  it("goes on, at every budget", function()
    helper.rounds("crowd edits", 3, function(rng)
      local map, costs = random_map(rng), wend.costs { door = 1 }
      local crowd = wend.crowd { map = map, costs = costs, budget = rng:chance(0.5) and 300 or 2 ^ rng(0, 12) }
      function crowd.on_lost(_, message, code)
        assert.equal(message == "the target is gone" and "gone" or "no_path", code, message)
      end
      local list, target = {}, { x = 45, y = 12 }
      for i = 0, rng(40, 60) do
        list[i + 1] = crowd:add { x = 10 + i % 8 * 2.2, y = 3 + math.floor(i / 8) * 2.4,
          patience = rng:pick { 6, 10, 10 }, radius = rng:pick { 0.4, 0.6, 0.8, 0.95 } }
        list[i + 1]:go(rng:chance(0.9) and 50 or rng(WIDTH), 20, { partial = rng:chance(0.1) })
      end
      for step = 1, 30 * 40 do
        edit(rng, map, costs)
        if step % 30 == 0 then
          local one = rng:pick(list)
          if rng:chance(0.5) then one:chase({ x = rng(WIDTH), y = rng(HEIGHT) })
          elseif rng:chance(0.5) then one:go(rng(WIDTH), rng(HEIGHT))
          else
            target.x, target.y, target.radius = 45, 12, 0.5
            crowd:surround({ one, one ~= list[1] and list[1] or list[2] }, target)
          end
        end
        if step % 40 == 0 then target[rng:pick { "x", "y", "radius", "heading" }] = rng:pick(WILD) end
        crowd:update(1 / 30)
        assert.equal(#list, crowd:count())
      end
    end)
  end)
end)

describe("a long path", function()
  --- A winding corridor, and its middle as a list of cells.
  local function winding(width)
    local map, cells = wend.grid(60, 8 * width + 16), {}
    for turn = 1, 8 do
      local y, even = turn * (width + 1), turn % 2 == 0
      map:fill(1, y, 60, y, false)
      if turn < 8 then map:fill(even and 1 or 61 - width, y, even and width or 60, y, 1) end
      for x = width + 1, 60 - width do
        cells[#cells + 1] = { even and 61 - x or x, y - math.floor((width + 1) / 2) }
      end
    end
    return map, cells
  end

  it("notices an edit in any of its cells at once, among others anywhere", function()
    helper.rounds("crowd long path", 40, function(rng)
      local width = rng:pick { 1, 3 }
      local map, cells = winding(width)
      local crowd = wend.crowd { map = map }
      local from, to = cells[rng(30)], cells[#cells]
      local radius = width == 1 and 0.3 or rng:pick { 0.6, 1.2 }
      local w = crowd:add { x = from[1] - 0.5, y = from[2] - 0.5, radius = radius }
      w:go(to[1] - 0.5, to[2] - 0.5)
      for _ = 1, 30 do crowd:update(1 / 30) end
      for _ = 1, rng:pick { 0, 5, 14, 20 } do map:set(rng(60), map:height() - rng(0, 3), rng(2, 9)) end
      local at = cells[rng(70, #cells - 1)]
      map:fill(at[1], at[2] - math.floor(width / 2), at[1], at[2] + math.floor(width / 2), false)
      for _ = 1, 3 do crowd:update(1 / 30) end
      assert.same({ "lost", "no_path" }, { w.state, w.code })
    end)
  end)
end)
