-- SPDX-License-Identifier: MIT
-- Questions that games ask of a map, compared with what a script would write instead: what a unit sees, where the known
-- ends, whether a building cuts a way off, and other ways.

local common, wend = require "common", require "wend"

-- A level of blocks of 3 x 3 cells, a fifth of which is closed.
local function blocks(width, height, seed)
  local grid, random = wend.grid(width, height), common.generator(seed)
  for y = 1, height - 2, 3 do
    for x = 1, width - 2, 3 do
      if random(5) == 1 then grid:fill(x, y, x + 2, y + 2, false) end
    end
  end
  return grid
end

-- A maze of walls across, with a gap at alternate ends.
local function maze(width, height)
  local grid = wend.grid(width, height)
  for x = 4, width - 3, 4 do
    local down = x % 8 == 0
    grid:fill(x, down and 1 or 3, x, down and height - 2 or height, false)
  end
  return grid
end

local function row(what, run, instead, count)
  local seconds = common.race {
    { "wend", function(repeats) for _ = 1, repeats do run() end end },
    { "instead", function(repeats) for _ = 1, repeats do instead() end end },
  }
  return { what, common.round(seconds.wend / count * 1e6, 1), common.round(seconds.instead / count * 1e6, 1),
    common.round(seconds.instead / seconds.wend, 1) }
end

local function visible(rows)
  local grid, into = blocks(128, 128, 5):open(64, 64), {}
  for _, radius in ipairs { 5, 10, 20 } do
    rows[#rows + 1] = row(("visible, radius %d; sees for each cell"):format(radius),
      function() grid:visible(64, 64, radius, { into = into }) end,
      function()
        local count = 0
        for y = 64 - radius, 64 + radius do
          for x = 64 - radius, 64 + radius do
            if (x - 64) ^ 2 + (y - 64) ^ 2 <= radius ^ 2 and grid:sees(64, 64, x, y) then
              into[count + 1], into[count + 2], count = x, y, count + 2
            end
          end
        end
      end, 1)
  end
end

local function frontier(rows)
  local fog, into = blocks(512, 512, 6):overlay { unknown = 1 }, {}
  fog:reveal(100, 100, 400, 300)
  rows[#rows + 1] = row("frontier, 512 x 512; is_known for each cell",
    function() fog:frontier { into = into } end,
    function()
      local count = 0
      for y = 1, 512 do
        for x = 1, 512 do
          if fog:is_known(x, y) and not fog:is_closed(x, y) then
            for i = 1, 4 do
              local nx, ny = x + (i == 1 and 1 or i == 2 and -1 or 0), y + (i == 3 and 1 or i == 4 and -1 or 0)
              if fog:has(nx, ny) and not fog:is_known(nx, ny) then
                into[count + 1], into[count + 2], count = x, y, count + 2
                break
              end
            end
          end
        end
      end
    end, 1)
end

-- 100 places of 2 x 2 cells, 1 x 1 in the maze: an overlay with the building, and can_reach.
local function buildings(rows, what, grid, size, from, to)
  local random, places = common.generator(7), {}
  while #places < 100 do
    local x, y = random(grid:width() - size), random(grid:height() - size)
    if not grid:is_closed(x, y) then places[#places + 1] = { x, y, x + size - 1, y + size - 1 } end
  end
  rows[#rows + 1] = row(what,
    function()
      for _, place in ipairs(places) do grid:first_cut(place, from, to) end
    end,
    function()
      for _, place in ipairs(places) do
        local built = grid:overlay():close(place[1], place[2], place[3], place[4])
        for i = 1, #from, 2 do built:can_reach(from[i], from[i + 1], to) end
      end
    end, #places)
end

return {
  name = "questions",
  title = "Questions about a map; beside each what a script would do instead",
  run = function()
    local rows = {}
    visible(rows)
    frontier(rows)
    buildings(rows, "first_cut in the open, 512 x 512; overlay and can_reach", wend.grid(512, 512), 2,
      { 3, 3 }, { 510, 510 })
    buildings(rows, "first_cut among blocks, 512 x 512; the same",
      blocks(512, 512, 8):open(3, 3):open(510, 510), 2, { 3, 3 }, { 510, 510 })
    buildings(rows, "first_cut in a maze, 40 x 30; the same", maze(40, 30), 1, { 1, 1, 1, 30 }, { 40, 15 })
    local coast = blocks(60, 40, 9):open(4, 20):open(57, 20)
    rows[#rows + 1] = row("alternatives, count = 4, 60 x 40; one path",
      function() coast:alternatives(4, 20, 57, 20, { count = 4 }) end,
      function() coast:path(4, 20, 57, 20) end, 1)
    common.print_table({ "question; instead", "us", "instead us", "instead / wend" }, rows)
  end,
}
