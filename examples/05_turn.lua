-- A turn of a roguelike with three fields: how far the hero can go, which way the orcs come, and where the thief runs.
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

-- The positions of all people. The grid has floor there.
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
local costs = wend.costs { water = 2, door = { plus = 1 } } -- wading is slow; opening a door costs 1 more

-- Draws the level, the marks (by cell) on it, and all people.
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

print "The hero has six points to spend. The digits are the costs of the cells in reach, rounded up"
local range = grid:field(hero.x, hero.y, { costs = costs, max_cost = 6, outward = true })
local marks = {}
for x, y, cost in range:each() do
  marks[cell(x, y)] = tostring(math.ceil(cost))
end
draw(marks)

print "\nThe orcs come. Each digit is the position of an orc before that turn. All orcs follow one field"
local scent = grid:field(hero.x, hero.y, { costs = costs })
marks = {}
for turn = 1, 9 do
  for _, orc in ipairs(orcs) do
    local x, y = scent:next(orc.x, orc.y)
    if x ~= hero.x or y ~= hero.y then -- otherwise it strikes
      marks[cell(orc.x, orc.y)] = tostring(turn)
      orc.x, orc.y = x, y
    end
  end
end
draw(marks)

-- Follows a field for at most nine steps. Returns the marks of the cells on the way.
local function run(field, x, y)
  local trail, steps = {}, 0
  while x and steps < 9 do
    steps = steps + 1
    trail[cell(x, y)] = tostring(steps)
    x, y = field:next(x, y)
  end
  return trail
end

print "\nA thief who steps away from the hero each time ends in a corner"
local fear = grid:field(hero.x, hero.y, { costs = costs }):scale(-1.2)
draw(run(fear, thief.x, thief.y))

print "\nA thief who plans ahead (relax) escapes through the door"
draw(run(fear:relax(), thief.x, thief.y))

--[[ prints
The hero has six points to spend. The digits are the costs of the cells in reach, rounded up
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

The orcs come. Each digit is the position of an orc before that turn. All orcs follow one field
  ################################################
  #........#..o...........#...........~~~~.......#
  #........#.9~~~.........#..........~~~~~~~.....#
  #.......678~~~~~@...t...'..........~~~~~~......#
  #......5.#..~~~~........#...........~~~~.......#
  #..1234..#...~~.........#......................#
  ######'#########'########......................#
  #.............................o987654..........#
  #...456789o...................######3#######...#
  #..3.##...##...##...##........#.....2......#...#
  #.2..##...##...##...##........#......1.....#...#
  #.1...........................#............#...#
  ################################################

A thief who steps away from the hero each time ends in a corner
  ################################################
  #........#..o.........34#...........~~~~.......#
  #........#..~~~......2..#..........~~~~~~~.....#
  #........'.~~~~~@...t...'..........~~~~~~......#
  #........#..~~~~........#...........~~~~.......#
  #........#...~~.........#......................#
  ######'#########'########......................#
  #.............................o................#
  #.........o...................######'#######...#
  #....##...##...##...##........#............#...#
  #....##...##...##...##........#............#...#
  #.............................#............#...#
  ################################################

A thief who plans ahead (relax) escapes through the door
  ################################################
  #........#..o...........#...........~~~~.......#
  #........#..~~~.........#..........~~~~~~~.....#
  #........'.~~~~~@...t23456789......~~~~~~......#
  #........#..~~~~........#...........~~~~.......#
  #........#...~~.........#......................#
  ######'#########'########......................#
  #.............................o................#
  #.........o...................######'#######...#
  #....##...##...##...##........#............#...#
  #....##...##...##...##........#............#...#
  #.............................#............#...#
  ################################################
]]
