-- A world of blocks, seen from the side: a door in a wall, a hill, a pond and a ladder. The surface finds where a
-- walker of two blocks can stand, and what steps lead from there. When a block changes, it mends what is near.
local wend = require "wend"

local rows = { -- the highest first
  "...................",
  "...................",
  "...#...............",
  "...#..........H####",
  "...D..#.......H####",
  "...D.###......H####",
  "#########~~~#######",
  "#########~~~#######",
  "###################",
}
local ids = { ["."] = 0, ["#"] = 1, ["~"] = 2, H = 3, D = 4 }
local surface = wend.surface {
  height = 2, step = 1, drop = 3, swim = true, climb = true,
  classes = { [0] = "air", "solid", "water", "ladder", "door" },
}
local graph = surface.graph

-- The blocks as a flat list: x first, then y from below, then z. The world is one block deep.
local blocks = {}
for y = #rows, 1, -1 do
  for letter in rows[y]:gmatch "." do blocks[#blocks + 1] = ids[letter] end
end
surface:load(0, 0, 0, #rows[1], #rows, 1, blocks)
print(surface)

local function draw(path)
  local feet = {}
  for _, node in ipairs(path) do
    local x, y = graph:position(node)
    feet[("%d,%d"):format(math.floor(x), y)] = true
  end
  for i, row in ipairs(rows) do
    local y = #rows - i
    print((row:gsub("()(.)", function(x, letter) return feet[("%d,%d"):format(x - 1, y)] and "o" or letter end)))
  end
end

-- Positions are those of the world. `at` finds the place in a block, or the one below.
local start, goal = surface:at(0.5, 3, 0.5), surface:at(18.5, 8, 0.5)
local path = assert(graph:path(start, goal, { costs = wend.costs { water = 2 } }))
draw(path)

-- A closed door is a cost of its tag.
print(graph:path(start, goal, { costs = wend.costs { door = false } }))

-- A bridge of three blocks: the path through the water is not the way any more.
for x = 9, 11 do surface:changed(x, 2, 0, ids["#"]) end
rows[7] = ("#"):rep(#rows[7])
print(path:valid())
draw(assert(graph:path(start, goal, { costs = wend.costs { water = 2 } })))

--[[ prints
wend.Surface (26 places)
...................
...................
...#...........oooo
...#..o.......o####
...D.o#o......o####
ooooo###o...ooo####
#########ooo#######
#########~~~#######
###################
nil	no path from 1 to 26	no_path
false
...................
...................
...#...........oooo
...#..o.......o####
...D.o#o......o####
ooooo###ooooooo####
###################
#########~~~#######
###################
]]
