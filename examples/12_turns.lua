-- A tactics game on square cells: a knight with 5 points in a turn goes through a valley. Allies (a) let it pass, but
-- it may not stop on their cells. The cells beside the ogre (O) are its zone of control: who enters one stops there.
local wend = require "wend"

local map = [[
  ......##........
  .~~...##...~~...
  .~~...aa...~~...
  ......##........
  ......##.O......
  ................
  ......##........
]]
local valley = wend.parse_grid(map, {
  ["~"] = "wood", a = "ally", O = { tag = "ogre", closed = true },
}, { diagonals = "never" })
local costs = wend.costs { wood = 2, zone = { ends_turn = true } }

-- The zone moves with the ogre, so it lies on an overlay.
local board = valley:overlay()
for _, d in ipairs { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } } do
  board:set(10 + d[1], 5 + d[2], 1, "zone")
end

--- The map with some cells drawn over.
local function draw(cell)
  local y = 0
  for row in valley:text():gmatch "[^\n]+" do
    y = y + 1
    print((row:gsub("()(.)", function(x, letter) return cell(x, y, letter) end)))
  end
end

-- The knight has moved already, and has 3 points left of this turn.
local knight = { x = 5, y = 3 }
local rules = { costs = costs, per_turn = 5, rest = 3 }

print "In this turn (1), over allies, but not onto them:"
local reach = board:field(knight.x, knight.y, {
  costs = costs, per_turn = 5, rest = 3, pass_only = { "ally" }, outward = true, max_cost = 1,
})
draw(function(x, y, letter)
  if x == knight.x and y == knight.y then
    return "K"
  end
  return reach:cost(x, y) and "1" or letter
end)

-- Over several turns allies move, too: the path takes no notice of them.
print "\nThe way to the east, and where its turns end:"
local path = assert(board:path(knight.x, knight.y, 16, 1, rules))
local marks = {}
for _, x, y in path:each() do
  marks[x .. "," .. y] = "o"
end
for turn, i in ipairs(path:turns()) do
  marks[path[2 * i - 1] .. "," .. path[2 * i]] = tostring(turn)
end
draw(function(x, y, letter) return marks[x .. "," .. y] or letter end)
print(("%d points, %d turns"):format(path.cost, path.turns_used))

-- In this turn the knight goes to the last cell of the way where it may stand.
local last = path:turns()[1]
while not reach:cost(path[2 * last - 1], path[2 * last]) do
  last = last - 1
end
print(("It stops at (%d,%d)"):format(path[2 * last - 1], path[2 * last]))

print "\nPast the ogre, with its zone and without:"
for _, ground in ipairs { board, valley } do
  path = assert(ground:path(4, 5, 16, 6, rules))
  print(("%d points, %d turns"):format(path.cost, path.turns_used))
end

--[[ prints
In this turn (1), over allies, but not onto them:
...111##........
.~~111##...~~...
.~11K1aa...~~...
..1111##........
...111##.O......
....1...........
......##........

The way to the east, and where its turns end:
......##..2oooo3
.~~...##..o~~...
.~~.ooo1ooo~~...
......##........
......##.O......
................
......##........
13 points, 3 turns
It stops at (6,3)

Past the ogre, with its zone and without:
13 points, 4 turns
13 points, 3 turns
]]
