-- SPDX-License-Identifier: MIT
-- Grids made, edited and searched while memory runs out: an edit does all of it or nothing, and what failed can be
-- asked again, with the answer that it would have given.
local wend = require "wend"

-- 1. Making ---------------------------------------------------------------------------------------------------------

-- Calls f while memory may run out, and once more where it did.
local function make(f)
  local ok, made = attempt(f)
  return ok and made or f()
end

local TEXT = [[
  ..~..3..#
  .##~.3...
  ..#~~.^..
  .....#^#.
  #..~.....
]]
local legend = { ["~"] = "water", ["3"] = 3,
  ["^"] = { weight = 2, tag = "a tag too long to be one of Lua's short strings" } }
local rows = {}
for row in TEXT:gmatch "(%S+)" do rows[#rows + 1] = row end

local parsed = make(function() return wend.parse_grid(TEXT, legend, { origin = { 5, 6 } }) end)
local listed = make(function() return wend.parse_grid(rows, legend) end)
local text = make(function() return parsed:text() end)
if text ~= table.concat(rows, "\n") then error("a grid was made of another text: \n" .. text, 0) end
if text ~= listed:text() then error("a list of rows made another grid than a text", 0) end

-- 2. Editing --------------------------------------------------------------------------------------------------------

local WIDTH, HEIGHT = 11, 7

local function show(path, message)
  if not path then return message end
  return ("%.17g: "):format(path.cost) .. table.concat(path, " ")
end

-- Agents that see every step at the same cost, or none at all: more of them than a grid keeps outlooks.
local walkers = {}
for i, closed in ipairs { "tag 1", "tag 2", "tag 9", "tag 17", "tag 22" } do
  walkers[i] = wend.costs { [closed] = false }
end

local function snapshot(grid)
  local lines = {}
  for y = 1, HEIGHT do
    for x = 1, WIDTH do
      local weight, tag = grid:get(x, y)
      local line = { x, y, tostring(weight), tostring(tag), tostring(grid:weight(x, y)) }
      for _, step in ipairs { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } } do -- shows walls
        local to_x, to_y = x + step[1], y + step[2]
        local inside = to_x >= 1 and to_x <= WIDTH and to_y <= HEIGHT
        line[#line + 1] = inside and tostring(grid:clear(x, y, to_x, to_y)) or "-"
      end
      lines[#lines + 1] = table.concat(line, " ")
    end
  end
  for _, outward in ipairs { false, true } do
    for x, y, cost in grid:field(2, 2, { outward = outward }):each() do -- shows links
      lines[#lines + 1] = ("%d %d %.17g"):format(x, y, cost)
    end
  end
  lines[#lines + 1] = show(grid:path(1, 1, WIDTH, HEIGHT))
  for _, costs in ipairs(walkers) do
    lines[#lines + 1] = show(grid:path(1, HEIGHT, WIDTH, 2, { costs = costs }))
    lines[#lines + 1] = show(grid:path(WIDTH, HEIGHT, { 1, 1, 1, 4 }, { costs = costs }))
  end
  return table.concat(lines, "\n")
end

-- The first line in which two snapshots differ.
local function difference(expected, got)
  local rest = got:gmatch "[^\n]+"
  for line in expected:gmatch "[^\n]+" do
    local other = rest()
    if line ~= other then return ("expected '%s', got '%s'"):format(line, tostring(other)) end
  end
  local other = rest()
  return other and ("expected no more, got '%s'"):format(other)
end

local edits = {
  { "the first edit", function(grid) grid:set(3, 3, false) end },
  { "set that changes nothing", function(grid) grid:set(3, 3, false) end },
  { "set to a tag", function(grid) grid:set(4, 3, "tag 1") end },
  { "map to tags", function(grid) -- still of one cost: outlooks, and what they have drawn, follow every edit
    grid:map(function(x, y) return (x + 3 * y) % 5 == 0 and "tag " .. (x + y) or nil end)
  end },
  { "set to new tags", function(grid)
    for i = 15, 24 do grid:set(i - 13, i % HEIGHT + 1, "tag " .. i) end
  end, true },
  { "fill with a new tag", function(grid) grid:fill(9, 2, 7, 4, "tag 9") end },
  { "fill with false", function(grid) grid:fill(5, 5, 5, 2, false) end },
  { "set to weights", function(grid)
    for i = 1, 12 do grid:set(i % WIDTH + 1, 6, 1 + i / 8) end
  end, true },
  { "map to weights", function(grid) grid:map(function(x, y) return y == 4 and 1 + x / 16 or nil end) end },
  { "map to tables", function(grid)
    grid:map(function(x, y)
      if x == y then return { weight = 1 + x, tag = "slope " .. x } end
      return x == 7 and { weight = false, tag = "door" } or nil
    end)
  end },
  { "a cell closed", function(grid) grid:close(5, 5) end },
  { "a cell opened", function(grid) grid:open(5, 5) end },
  { "a rectangle closed", function(grid) grid:close(2, 1, 9, 6) end },
  { "a rectangle opened", function(grid) grid:open(WIDTH, HEIGHT, 3, 2) end },
  { "a closed cell that keeps a weight", function(grid)
    grid:set(1, 2, { weight = 77, tag = "gate", closed = true })
  end },
  { "the first wall", function(grid) grid:wall(2, 2, 3, 2) end },
  { "walls", function(grid) grid:wall(8, 3, 9, 4):wall(1, 1, 2, 2) end },
  { "a wall taken away", function(grid) grid:wall(3, 2, 2, 2, false) end },
  { "the first link", function(grid) grid:link(1, 1, 7, 7, { weight = 2, tag = "stairs" }) end },
  { "links", function(grid)
    for i = 1, 10 do grid:link(i, 1, 11 - i, 7, { weight = i, directed = i % 2 == 0 }) end
  end, true },
  { "a link in place of another", function(grid) grid:link(2, 1, 9, 7, { weight = 0.25, tag = "slide" }) end },
  { "unlink", function(grid) grid:unlink(1, 1, 7, 7) end },
  { "unlink of what was a single link", function(grid) grid:unlink(10, 7, 1, 1) end },
  { "set after all that", function(grid) grid:set(2, 2, { weight = 0.5, tag = "pit" }) end },
  { "fill of all cells", function(grid) grid:fill(0.75) end },
}

-- What an agent sees is there already when the next edit is made, and has to follow it.
local function look(grid)
  for i = 1, 3 do grid:path(1, HEIGHT, WIDTH, 2, { costs = walkers[i] }) end
end

local grid = make(function() return wend.grid(WIDTH, HEIGHT) end)
local twin = wend.grid(WIDTH, HEIGHT)

local function compare(message)
  local wrong = difference(snapshot(twin), snapshot(grid))
  if wrong then error(message .. ": " .. wrong, 0) end
end

for _, edit in ipairs(edits) do
  local what, change, several = edit[1], edit[2], edit[3]
  look(grid)
  local ok = attempt(change, grid)
  if not ok then
    if not several then compare(what .. " failed, and yet changed the grid") end -- of several, some may be done
    change(grid)
  end
  change(twin)
  if not ok then compare(what .. " made another grid than without failures") end
end
compare "the edits made another grid than without failures"

-- 3. Searching ------------------------------------------------------------------------------------------------------

-- Calls f(map) while memory may run out, then again: the first call has to build what later ones find. Both must answer
-- what another map answers that is made alike, or `expected` where it is given.
local function insist(what, make_map, f, expected)
  local map = make_map()
  local ok, tried = attempt(f, map)
  local result = f(map)
  if expected == nil then expected = ok and result or f(make_map()) end
  if result ~= expected or ok and tried ~= expected then
    error(("%s: expected %s, got %s and %s"):format(what, expected, tostring(tried), tostring(result)), 0)
  end
  return result
end

local function plain() return wend.grid(16, 9):fill(6, 1, 6, 6, false):fill(11, 4, 11, 9, false) end
local function muddy() return plain():fill(8, 2, 10, 8, { weight = 1.5, tag = "mud" }) end
local function full()
  local map = plain():map(function(x, y) return (x + y) % 7 == 0 and "mud" or x == 10 and 2 or nil end)
  map:wall(3, 3, 4, 3):wall(7, 7, 8, 8):link(2, 9, 14, 2, { tag = "stairs", weight = 4 })
  return map:link(5, 1, 16, 9, { weight = 40, directed = true })
end
local shared -- one in which there is already what the steps before have built
local function same()
  shared = shared or plain()
  return shared
end

local function far(opts)
  return function(map) return show(map:path(2, 2, 15, 8, opts)) end
end
local function slices(n, opts)
  return function(map)
    local search, state = map:search(2, 2, 15, 8, opts), "running"
    while state == "running" do state = search:step(n) end
    return show(search:path())
  end
end

local jumped = insist("jump points", plain, far())
if not jumped:find "^%d" then error("no way across: " .. jumped, 0) end
insist("jump points in slices", same, slices(2), jumped)
for i, costs in ipairs(walkers) do insist("agent " .. i, same, far { costs = costs }, jumped) end

local slow = insist("plain cells", muddy, far())
insist("several goals", muddy, function(map) return show(map:path(2, 2, { 15, 8, 12, 2, 16, 1 })) end)
insist("a heuristic", muddy, far { heuristic = "octile" })
insist("no heuristic", muddy, far { algorithm = "dijkstra" })
insist("a budget", muddy, far { max_expanded = 20 })
insist("no more than", muddy, far { max_cost = 12 })
insist("partial", muddy, far { max_expanded = 20, partial = true })
insist("into", muddy, function(map) return far { into = map:path(1, 1, 2, 2), stats = {} }(map) end, slow)
insist("no way", muddy, function(map) return show(map:path(2, 2, 11, 8)) end)

local around = insist("walls and links", full, far())
insist("walls and links in slices", full, slices(7), around)
insist("walls and links, several goals", full, function(map) return show(map:path(2, 2, { 15, 8, 16, 9 })) end)
insist("walls and links, partial", full, function(map) return show(map:path(2, 2, 11, 8, { partial = true })) end)

local walker = make(function()
  local made = wend.costs { mud = { times = 2, plus = 0.5 },
    stairs = function(agent) return agent.tired and 3 or 1 end }
  made:edge_rule("wind", function(_, cost, _, x1, _, x2) return x2 < x1 and cost * 1.5 or nil end, { at_least = 1 })
  return made
end)
local hero = { tired = true }
local windy = insist("a profile with a rule", full, far { costs = walker, agent = hero })
insist("a callback", full, far {
  cost = function(_, cost, tag) return #(tostring(tag) .. cost) > 0 and cost or cost end,
})
local yard = plain()
local function nested(_, cost, _, x, y)
  if x == y then yard:path(x, y, 2, 2) end
  return cost
end
insist("a callback that searches", full, far { costs = walker, agent = hero, cost = nested, at_least = 1 }, windy)
insist("a heuristic of the script", full, far { heuristic = function(_, y, _, to_y) return math.abs(y - to_y) / 4 end })

-- 4. Lines, and what a path can tell --------------------------------------------------------------------------------

local asked = { costs = walker, agent = hero }
insist("clear", full, function(map) return tostring(map:clear(2, 2, 15, 8)) end)
insist("clear for an agent", full, function(map) return tostring(map:clear(7, 2, 10, 8, asked)) end)
local ways = full()
local path = ways:path(2, 2, 15, 8, asked)
local function it() return ways end
local straight = insist("straighten", it, function() return show(ways:straighten(path, asked)) end)
insist("straighten into", it, function()
  return show(ways:straighten(path, { costs = walker, agent = hero, into = ways:path(1, 1, 3, 3) }))
end, straight)
insist("points", it, function() return table.concat(path:points(), " ") end)
insist("explain", it, function()
  local sum, list = 0, path:explain(asked)
  for _, item in ipairs(list) do sum = sum + item.cost end
  return ("%d %.17g"):format(#list, sum)
end, ("%d %.17g"):format(#path / 2 - 1, path.cost))
if not path:valid() then error("nobody touched the path", 0) end
insist("the end", it, far(asked), windy)
