-- Agents of several sizes on one map: a scout (1 x 1 cell), a cart (2 x 2) and an ogre (3 x 3) go from the camp to the
-- keep. Each finds the gates that it fits through. Then the ogre breaks a wall, and the cart has a shorter way, too.
local wend = require "wend"

local map = [[
  ............#...............
  ............#...............
  ............................
  ............#...............
  ............#.......#.......
  ............#.......#.......
  ....................#.......
  ....................#.......
  ............#.......#.......
  ............#...............
  ............#...............
  ............................
  ............................
  ............................
]]
local town = wend.parse_grid(map)
local costs = wend.costs { mud = 4 }
town:fill(22, 9, 27, 11, "mud")

--- The map with the cells that an agent covers on its way.
local function draw(path)
  local rows, size = {}, path.size or 1
  local before = math.floor((size - 1) / 2)
  for row in town:text():gmatch "[^\n]+" do
    rows[#rows + 1] = row
  end
  for _, x, y in path:each() do
    for i = y - before, y - before + size - 1 do
      local row = rows[i]
      rows[i] = row:sub(1, x - before - 1) .. ("o"):rep(size) .. row:sub(x - before + size)
    end
  end
  return table.concat(rows, "\n")
end

local function travel()
  for _, agent in ipairs { { "scout", 1 }, { "cart", 2 }, { "ogre", 3 } } do
    local name, size = agent[1], agent[2]
    local path, message = town:path(4, 4, 25, 6, { costs = costs, size = size })
    print(name, path and ("%.2f"):format(path.cost) or message)
    if name == "ogre" and path then print(draw(path)) end
  end
end

travel()

-- The ogre tears down two cells of the wall.
print "a hole in the wall"
town:open(13, 4, 13, 5)
travel()

-- A follower walks along the centre of the cart, and asks whether its path is still good.
local path = town:path(4, 4, 25, 6, { costs = costs, size = 2 })
local cart = wend.follow(path, { speed = 3 })
print(("the cart is at %.2g, %.2g"):format(cart:update(1)))
town:close(path[9] + 1, path[10]) -- a cell that the cart would cover, beside its own way
print("still valid", path:valid())

--[[ prints
scout	22.66
cart	25.14
ogre	35.38
............#...............
............#....ooooooo....
..ooo............oooooooo...
..oooo......#....ooooooooo..
..ooooo.....#....ooo#.oooo..
...ooooo....#....ooo#..ooo..
....ooooo........ooo#..ooo..
.....ooooo.......ooo#.......
......ooooo.#...oooo#mmmmmm.
.......ooooo#..ooooo.mmmmmm.
........oooo#.ooooo..mmmmmm.
.........ooooooooo..........
.........oooooooo...........
.........ooooooo............
a hole in the wall
scout	21.83
cart	22.66
ogre	23.24
............#...............
............#.oooooooooo....
..ooooooooooooooooooooooo...
..oooooooooooooooooooooooo..
..oooooooooooooo....#.oooo..
............#.......#..ooo..
....................#..ooo..
....................#.......
............#.......#mmmmmm.
............#........mmmmmm.
............#........mmmmmm.
............................
............................
............................
the cart is at 6.6, 3
still valid	false
]]
