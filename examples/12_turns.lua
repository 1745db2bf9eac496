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
local knight = { x = 4, y = 5 }
local rules = { costs = costs, per_turn = 5, rest = 3, pass_only = { "ally" } }

print "In this turn (1), the next (2), and the one after it (3):"
local reach = board:field(knight.x, knight.y, {
  costs = costs, per_turn = 5, rest = 3, pass_only = { "ally" }, outward = true, max_cost = 3,
})
draw(function(x, y, letter)
  local cost = reach:cost(x, y)
  if x == knight.x and y == knight.y then
    return "K"
  end
  return cost and ("%d"):format(math.max(1, math.ceil(cost))) or letter
end)

print "\nThe way to the east, and where its turns end:"
local path = assert(board:path(knight.x, knight.y, 16, 6, rules))
local marks = {}
for _, x, y in path:each() do
  marks[x .. "," .. y] = "o"
end
for turn, i in ipairs(path:turns()) do
  marks[path[2 * i - 1] .. "," .. path[2 * i]] = tostring(turn)
end
draw(function(x, y, letter) return marks[x .. "," .. y] or letter end)
print(("%d points, %d turns"):format(path.cost, path.turns_used))

print "\nIf the ogre had no zone:"
path = assert(valley:path(knight.x, knight.y, 16, 6, rules))
print(("%d points, %d turns"):format(path.cost, path.turns_used))
print(board:path(knight.x, knight.y, 7, 3, rules)) -- on the cell of an ally

--[[ prints
In this turn (1), the next (2), and the one after it (3):
222222##33333...
222122##2333~...
222112aa22333...
211111##233333..
111K11##2O3333..
211111222233333.
221112##2233333.

The way to the east, and where its turns end:
......##........
.~~...##...~~...
.~~...aa...~~...
......##........
...o..##.O......
...oo1ooo2oooo34
......##........
13 points, 4 turns

If the ogre had no zone:
13 points, 3 turns
nil	no path from (4,5) to (7,3): pass_only forbids the goal (tag 'ally')	no_path
]]
