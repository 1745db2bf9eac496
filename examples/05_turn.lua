-- A turn of a roguelike: how far can the hero go, which way do the orcs come, where does the thief run? Three fields.
local wend = require "wend"

local level = {
  "################################################",
  "#........#..............#...........~~~~.......#",
  "#........#..~~~.........#..........~~~~~~~.....#",
  "#........'.~~~~~@...t...'..........~~~~~~......#",
  "#........#..~~~~........#...........~~~~.......#",
  "#..o.....#...~~.........#......................#",
  "######'#########'########......................#",
  "#..............................................#",
  "#.............................######'#######...#",
  "#....##...##...##...##........#............#...#",
  "#....##...##...##...##........#......o.....#...#",
  "#.o...........................#............#...#",
  "################################################",
}

-- Where everybody is; the grid has floor there.
local people = {}
for y, row in ipairs(level) do
  for x, letter in row:gmatch "()([@ot])" do
    people[#people + 1] = { letter = letter, x = x, y = y }
  end
end
local function everybody(letter)
  local list = {}
  for _, one in ipairs(people) do
    if one.letter == letter then
      list[#list + 1] = one
    end
  end
  return list
end
local hero, thief, orcs = everybody("@")[1], everybody("t")[1], everybody "o"

local grid = wend.parse_grid(level, { ["~"] = "water", ["'"] = "door", ["@"] = 1, t = 1, o = 1 })
local costs = wend.costs { water = 2, door = { plus = 1 } } -- wading is slow, opening a door takes a turn

-- Draws the level, over it the marks (by cell), and over them everybody.
local function cell(x, y)
  return y * grid:width() + x
end
local function draw(marks)
  for y, row in ipairs(level) do
    local letters = {}
    for x, letter in row:gmatch "()(.)" do
      letters[x] = marks[cell(x, y)] or letter:find "[@ot]" and "." or letter
    end
    for _, one in ipairs(people) do
      if one.y == y then
        letters[one.x] = one.letter
      end
    end
    print("  " .. table.concat(letters))
  end
end

print "The hero has six points to spend: what the cells in reach cost, rounded up"
local range = grid:field(hero.x, hero.y, { costs = costs, max_cost = 6, outward = true })
local marks = {}
for x, y, cost in range:each() do
  marks[cell(x, y)] = tostring(math.ceil(cost))
end
draw(marks)

print "\nThe orcs come: each digit is where one was before that turn. All of them walk down one field"
local scent = grid:field(hero.x, hero.y, { costs = costs })
marks = {}
for turn = 1, 9 do
  for _, orc in ipairs(orcs) do
    local x, y = scent:next(orc.x, orc.y)
    if x ~= hero.x or y ~= hero.y then -- else: it strikes
      marks[cell(orc.x, orc.y)] = tostring(turn)
      orc.x, orc.y = x, y
    end
  end
end
draw(marks)

-- Runs down a field, at most nine steps; returns where that led and the marks.
local function run(field, x, y)
  local trail, steps = {}, 0
  while x and steps < 9 do
    steps = steps + 1
    trail[cell(x, y)] = tostring(steps)
    x, y = field:next(x, y)
  end
  return trail
end

print "\nA thief who only wants to be farther from the hero with every step ends up in a corner"
local fear = grid:field(hero.x, hero.y, { costs = costs }):scale(-1.2)
draw(run(fear, thief.x, thief.y))

print "\nOne who thinks ahead (relax) takes the door, and is gone"
draw(run(fear:relax(), thief.x, thief.y))

--[[ prints
The hero has six points to spend: what the cells in reach cost, rounded up
  ################################################
  #........#.65433233456..#...........~~~~.......#
  #........#..~642123456..#..........~~~~~~~.....#
  #........'.~~642@123t56.'..........~~~~~~......#
  #........#..~~53123456..#...........~~~~.......#
  #..o.....#...~53233456..#......................#
  ######'#########4########......................#
  #..............656.............................#
  #...............6.............######'#######...#
  #....##...##...##...##........#............#...#
  #....##...##...##...##........#......o.....#...#
  #.o...........................#............#...#
  ################################################

The orcs come: each digit is where one was before that turn. All of them walk down one field
  ################################################
  #........#..o...........#...........~~~~.......#
  #........#.9~~~.........#..........~~~~~~~.....#
  #....345678~~~~~@...t...'.....o98..~~~~~~......#
  #...2....#..~~~~........#........7..~~~~.......#
  #..1.....#...~~.........#.........6............#
  ######'#########'########..........5...........#
  #....56789o.........................4..........#
  #...4.........................######3#######...#
  #...3##...##...##...##........#.....2......#...#
  #..2.##...##...##...##........#......1.....#...#
  #.1...........................#............#...#
  ################################################

A thief who only wants to be farther from the hero with every step ends up in a corner
  ################################################
  #........#..o.........34#...........~~~~.......#
  #........#..~~~......2..#..........~~~~~~~.....#
  #........'.~~~~~@...t...'.....o....~~~~~~......#
  #........#..~~~~........#...........~~~~.......#
  #........#...~~.........#......................#
  ######'#########'########......................#
  #.........o....................................#
  #.............................######'#######...#
  #....##...##...##...##........#............#...#
  #....##...##...##...##........#............#...#
  #.............................#............#...#
  ################################################

One who thinks ahead (relax) takes the door, and is gone
  ################################################
  #........#..o...........#...........~~~~.......#
  #........#..~~~.........#..........~~~~~~~.....#
  #........'.~~~~~@...t23456....o....~~~~~~......#
  #........#..~~~~........#.7.........~~~~.......#
  #........#...~~.........#..8...................#
  ######'#########'########...9..................#
  #.........o....................................#
  #.............................######'#######...#
  #....##...##...##...##........#............#...#
  #....##...##...##...##........#............#...#
  #.............................#............#...#
  ################################################
]]
