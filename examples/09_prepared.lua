-- A level that is prepared when it is built, not when it is played. The first half would be a tool of the level
-- designer: it makes the level, prepares its maps and saves one file. The second half would be the game: it loads the
-- file, whose tables are verified meanwhile, and finds paths with a fraction of the work. doc/prepared.md says more.
local wend = require "wend"

local WIDE, HIGH, TRIPS = 160, 96, 200

-- Numbers that look random and are the same on every machine.
local function generator(seed)
  return function(most)
    seed = seed * 16807 % 2147483647
    return seed % most + 1
  end
end

--- Hills that cost 1 to 5, in patches, with rivers that have one bridge each.
local function build()
  local rng, patches = generator(7), {}
  local grid = wend.grid(WIDE, HIGH)
  grid:map(function(x, y)
    local patch = math.floor(x / 8) * 100 + math.floor(y / 8)
    patches[patch] = patches[patch] or rng(5)
    return patches[patch]
  end)
  for x = 16, WIDE - 16, 16 do
    local bridge = rng(HIGH)
    grid:fill(x, 1, x + 1, HIGH, false):fill(x, bridge, x + 1, bridge, "bridge")
  end
  return wend.level { grid = grid, names = { camp = { x = 4, y = 4 } } }
end

--- Random trips. Returns the number of expansions, and the costs as text.
local function travel(grid)
  local rng, stats, expanded, costs = generator(99), {}, 0, {}
  for i = 1, TRIPS do
    local path = grid:path(rng(WIDE), rng(HIGH), rng(WIDE), rng(HIGH), { stats = stats })
    expanded, costs[i] = expanded + stats.expanded, path and ("%.6g"):format(path.cost) or "none"
  end
  return expanded, table.concat(costs, " ")
end

-- The tool: it prepares in slices, so that it can show how far it is.
local level = build()
local before, costs_before = travel(level.grid)
local preparation, shown = level.grid:prepare { sliced = true }, 0
while not preparation:step(5000) do
  if preparation:progress() > shown then shown = shown + 0.25 end
end
local report = preparation:report()
local file = os.tmpname()
assert(level:save(file))
local size, plain = #level:encode(), #level:encode { prepared = false }

-- The game.
local loaded = assert(wend.load(file))
os.remove(file)
local after, costs_after = travel(loaded.grid)
local info = loaded.grid:prepared()
local each = math.floor((size - plain) / (WIDE * HIGH))
print(("%d landmarks, in the file %d bytes for each cell"):format(report.landmarks, each))
print(("used: %s, at scale %.2f"):format(tostring(info.used), info.scale))
print(("the same costs: %s"):format(tostring(costs_before == costs_after)))
print(("less than half of the expansions: %s"):format(tostring(after < before / 2)))

-- In the game a bridge breaks, and rain makes a plain dearer: the tables stay as good as they were. Then somebody
-- builds a road of half the cost: estimates become lower by what it saves, and paths are still the cheapest ones.
local grid = loaded.grid
grid:close(32, 1, 33, HIGH):fill(100, 30, 110, 60, 9)
print(("after the rain: slack %.0f"):format(grid:prepared().slack))
for x = 50, 60 do grid:set(x, 48, grid:weight(x, 48) / 2, "road") end
print(("with a road, slack: %s"):format(tostring(grid:prepared().slack > 0)))
local _, with_tables = travel(grid)
local _, without = travel(grid:unprepare())
print(("the same costs: %s"):format(tostring(with_tables == without)))

--[[ prints
8 landmarks, in the file 2 bytes for each cell
used: true, at scale 1.00
the same costs: true
less than half of the expansions: true
after the rain: slack 0
with a road, slack: true
the same costs: true
]]
