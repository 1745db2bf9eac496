-- Finds the cheapest path over tiles, and compares the work of several techniques. It follows the program of
-- C. Palmer's article "Dijkstra's Algorithm" (1998), which has the options -a and -h.
--
--   04_tiles.lua [-a] [-h] [--swamp N] [--from X,Y] [--to X,Y] [FILE.map]
--
--   -a         stops at the destination. Without it, the search finds the path from every cell
--   -h         with -a: uses a heuristic
--   --swamp N  a step onto swamp costs N times its length; default 3
--
-- Without --from and --to, it uses the longest of the problems in FILE.map.scen.
local wend = require "wend"

local SCREEN = 96 -- columns
local LETTERS = { ground = ".", swamp = "~", water = "=" }

local function give_up(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

-- Arguments -------------------------------------------------------------------------------------------------------

local folder = arg[0]:match "^.*[/\\]" or ""
local foreign = dofile(folder .. "foreign_maps.lua")
local asked = { file = folder .. "keep.map", ["--swamp"] = "3" }
local i = 1
while arg[i] do
  local word = arg[i]
  if word == "-a" or word == "-h" then
    asked[word] = true
  elseif word == "--swamp" or word == "--from" or word == "--to" then
    i = i + 1
    asked[word] = arg[i] or ""
  elseif word:find "^%-" then
    give_up("unknown option " .. word)
  else
    asked.file = word
  end
  i = i + 1
end

local grid, problem = foreign.grid(asked.file)
if not grid then
  give_up(problem)
end
local longest = { length = -1 }
for _, one in ipairs(foreign.problems(asked.file .. ".scen") or {}) do
  longest = one.length > longest.length and one or longest
end

local function cell(option, x, y)
  if asked[option] then
    x, y = asked[option]:match "^(%d+),(%d+)$"
  end
  if not x then
    give_up("say " .. option .. " X,Y")
  end
  return tonumber(x), tonumber(y)
end
local x1, y1 = cell("--from", longest[1], longest[2])
local x2, y2 = cell("--to", longest[3], longest[4])

local swamp = tonumber(asked["--swamp"]) or give_up "say --swamp N"
local function walker(factor)
  return wend.costs { swamp = factor, water = false }
end

-- The techniques: all find paths of the same cost. -----------------------------------------------------------------

local function settle_all(options)
  return grid:field(x2, y2, options):path(x1, y1)
end

local function search(algorithm, heuristic)
  return function(options)
    options.algorithm, options.heuristic = algorithm, heuristic
    return grid:path(x1, y1, x2, y2, options)
  end
end

local all, stop, guided = settle_all, search "dijkstra", search "astar"
local techniques = {
  { "settle everything: a field", all },
  { "stop at the destination (-a)", stop },
  { "  led by max(dx, dy), as in the article", search("astar", "chebyshev") },
  { "  led by the length with diagonals", search("astar", "octile") },
  { "  as wend chooses (-a -h)", guided },
}

-- The path, on the map ---------------------------------------------------------------------------------------------

local function draw(path)
  local across = math.ceil(grid:width() / SCREEN) -- cells per character; characters are twice as high as wide
  local down = across == 1 and 1 or across * 2
  local marks = {}
  local function mark(x, y, letter)
    local row = math.ceil(y / down)
    marks[row] = marks[row] or {}
    marks[row][math.ceil(x / across)] = letter
  end
  for _, x, y in path:each() do
    mark(x, y, "*")
  end
  mark(x1, y1, "A")
  mark(x2, y2, "B")
  for row = 1, math.ceil(grid:height() / down) do
    local line = {}
    for column = 1, math.ceil(grid:width() / across) do
      local weight, tag = grid:get((column - 1) * across + 1, (row - 1) * down + 1)
      line[column] = (marks[row] or {})[column] or weight and LETTERS[tag] or "#"
    end
    print("  " .. table.concat(line))
  end
end

local path, message = (asked["-a"] and (asked["-h"] and guided or stop) or all) { costs = walker(swamp) }
if not path then
  give_up(message)
end
print(("%s, from A (%d,%d) to B (%d,%d)"):format(asked.file:match "[^/\\]+$", x1, y1, x2, y2))
print(("# closed   ~ swamp: %g times the length   = water: closed   * the path: cost %.3f\n"):format(swamp, path.cost))
draw(path)

-- The comparison ---------------------------------------------------------------------------------------------------

local function row(what, numbers)
  print(("%-42s"):format(what) .. table.concat(numbers))
end

local factors = swamp == 1 and { 1 } or { swamp, 1 } -- if all open cells cost the same, wend uses jump points
local head, costs = {}, {}
for k, factor in ipairs(factors) do
  head[k] = ("%12s"):format("swamp x " .. factor)
end
print()
row("cells expanded", head)
for _, technique in ipairs(techniques) do
  local counts = {}
  for k, factor in ipairs(factors) do
    local stats = {}
    local found = technique[2] { costs = walker(factor), stats = stats }
    assert(math.abs(found.cost - (costs[k] or found.cost)) < 1e-9 * found.cost, "all find the cheapest")
    costs[k] = found.cost
    counts[k] = ("%12d"):format(stats.expanded)
  end
  row(technique[1], counts)
end
for k, cost in ipairs(costs) do
  costs[k] = ("%12.3f"):format(cost)
end
row("cost", costs)

--[[ prints
keep.map, from A (2,13) to B (56,16)
# closed   ~ swamp: 3 times the length   = water: closed   * the path: cost 70.698

  ########################################################################
  ############......########...........###########......############.....#
  #########...............................####..............#####........#
  ##.####...##...........**********.................====..====...........#
  #........#####........*~~~.......*..............======..=======........#
  #........#######...***~~~~~~......*...........=====.......=======......#
  #.......#######..**~~~~~~~~~~~~....*........=###..............###=.....#
  #........###....*~~~~~~~~~~~~~~~....*......==########..##########==....#
  #..............*.~~~====~~~~~~~~~~...*....===.#......#......#..#..===..#
  ..............*..~~~======~~~~~~~~~~..*...==..#..##..#...........#.==..#
  .............*..~~~~=====~~~~~~~~~~~~..*.===..#..##....#....#..#..===..#
  ............*...~~~~~~~~~~~~~~~~~~~~~~..****..#......#......#..#..===..#
  .A**********...~~~~~~~~~~~~~~~~~~~~~~~...~~~*.#.#############..#..===..#
  ...............~~~~~~~~~~~~======~~~~~...===.*****..#.....#....#..===..#
  ##.............~~~~~~~~~~~=======~~~~....===..#...*.#.###.#.#..#..===..#
  ##.....####....~~~~~~~~~~~~~====~~~.......==..#..#.***#B#...#..#..==...#
  ##...##########.~~~~~~~~~~~~~~~~~.........==..#.....#***..#.#..#.===...#
  #....#########......~~~~~...~~~............==.####..#############==....#
  #......#######...................##....#...==.................###==....#
  #......###......................#########...=====...........======.....#
  #..............................##########.....=================........#
  #....................#####.......###############...=========...........#
  ##................##############...################................#####
  ########################################################################

cells expanded                               swamp x 3   swamp x 1
settle everything: a field                         966         966
stop at the destination (-a)                       907         855
  led by max(dx, dy), as in the article            795         530
  led by the length with diagonals                 765         304
  as wend chooses (-a -h)                          765          16
cost                                            70.698      57.243
]]
