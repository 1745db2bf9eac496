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
local text = make(function() return tostring(parsed) end)
if text ~= table.concat(rows, "\n") then error("a grid was made of another text: \n" .. text, 0) end
if text ~= tostring(listed) then error("a list of rows made another grid than a text", 0) end

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
      local line = { x, y, tostring(weight), tostring(tag) }
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

local grid = make(function() return wend.grid(WIDTH, HEIGHT) end)
local twin = wend.grid(WIDTH, HEIGHT)
for _, edit in ipairs(edits) do
  local what, change, several = edit[1], edit[2], edit[3]
  local before = snapshot(grid)
  if not attempt(change, grid) then
    local changed = difference(before, snapshot(grid))
    -- Of several edits some may be done.
    if changed and not several then error(("%s failed, and yet changed the grid: %s"):format(what, changed), 0) end
    change(grid)
  end
  change(twin)
  local fresh = snapshot(twin)
  local wrong = difference(fresh, snapshot(grid))
  if wrong then error(("%s made another grid than without failures: %s"):format(what, wrong), 0) end
end

-- 3. Searching ------------------------------------------------------------------------------------------------------

-- Calls f while memory may run out, then again: the first call has to build what later ones find. Both must answer
-- the same, namely `expected` where it is given.
local function insist(what, f, expected)
  local ok, tried = attempt(f)
  local result = f()
  if expected == nil then expected = result end
  if result ~= expected or ok and tried ~= expected then
    error(("%s: expected %s, got %s and %s"):format(what, expected, tostring(tried), tostring(result)), 0)
  end
  return result
end

-- A new grid for each: what one search has built is there for the next.
local function yard()
  local made = wend.grid(24, 12)
  made:fill(6, 1, 6, 9, false):fill(14, 4, 14, 12, false):fill(17, 1, 17, 3, false)
  return made
end

local function far(map, opts) return show(map:path(2, 2, 23, 11, opts)) end

local open = yard()
local jumped = insist("jump points", function() return far(open) end)
if not jumped:find "^%d" then error("no way across the yard: " .. jumped, 0) end
insist("jump points in slices", function()
  local search, state = open:search(2, 2, 23, 11), "running"
  while state == "running" do state = search:step(2) end
  return show(search:path())
end, jumped)
for i, costs in ipairs(walkers) do
  insist("jump points, agent " .. i, function() return far(open, { costs = costs }) end, jumped)
end

local plain = yard():fill(8, 2, 12, 11, { weight = 1.5, tag = "mud" })
local slow = insist("plain cells", function() return far(plain) end)
insist("plain cells, several goals", function()
  return show(plain:path(2, 2, { 23, 11, 14, 2, 24, 1 }))
end)
insist("plain cells, a heuristic", function() return far(plain, { heuristic = "octile" }) end)
insist("plain cells, none", function() return far(plain, { algorithm = "dijkstra" }) end)
insist("plain cells, a budget", function() return far(plain, { max_expanded = 20 }) end)
insist("plain cells, no more than", function() return far(plain, { max_cost = 12 }) end)
insist("partial", function() return far(plain, { max_expanded = 20, partial = true }) end)
insist("into", function() return far(plain, { into = plain:path(1, 1, 2, 2), stats = {} }) end, slow)
insist("no way", function() return show(plain:path(2, 2, 14, 8)) end)

local full = yard():map(function(x, y) return (x + y) % 7 == 0 and "mud" or x == 10 and 2 or nil end)
full:wall(3, 3, 4, 3):wall(7, 7, 8, 8):link(2, 10, 20, 2, { tag = "stairs", weight = 4 })
full:link(5, 1, 24, 12, { weight = 40, directed = true })
local around = insist("walls and links", function() return far(full) end)
insist("walls and links, in slices", function()
  local search, state = full:search(2, 2, 23, 11), "running"
  while state == "running" do state = search:step(7) end
  return show(search:path())
end, around)
insist("walls and links, several goals", function() return show(full:path(2, 2, { 23, 11, 20, 12 })) end)
insist("walls and links, partial", function() return show(full:path(2, 2, 14, 8, { partial = true })) end)
local walker = make(function()
  local made = wend.costs { mud = { times = 2, plus = 0.5 }, stairs = function(agent) return agent.tired and 3 or 1 end }
  made:edge_rule("wind", function(_, cost, _, x1, _, x2) return x2 < x1 and cost * 1.5 or nil end, { at_least = 1 })
  return made
end)
local hero = { tired = true }
local windy = insist("a profile with a rule", function() return far(full, { costs = walker, agent = hero }) end)
insist("a callback", function()
  return far(full, { cost = function(_, cost, tag) return #(tostring(tag) .. cost) > 0 and cost or cost end })
end)
insist("a callback that searches", function()
  return far(full, { costs = walker, agent = hero, at_least = 1, cost = function(_, cost, _, x, y)
    if x == y then open:path(x, y, 2, 2) end
    return cost
  end })
end, windy)
insist("a heuristic of the script", function()
  return far(full, { heuristic = function(_, y, _, to_y) return math.abs(y - to_y) / 4 end })
end)

-- 4. Lines, and what a path can tell --------------------------------------------------------------------------------

insist("clear", function() return tostring(full:clear(2, 2, 23, 11)) end)
insist("clear for an agent", function()
  return tostring(full:clear(7, 2, 13, 10, { costs = walker, agent = hero }))
end)
local path = full:path(2, 2, 23, 11, { costs = walker, agent = hero })
local straight = insist("straighten", function()
  return show(full:straighten(path, { costs = walker, agent = hero }))
end)
insist("straighten into", function()
  return show(full:straighten(path, { costs = walker, agent = hero, into = full:path(1, 1, 3, 3) }))
end, straight)
insist("points", function() return table.concat(path:points(), " ") end)
insist("explain", function()
  local sum, list = 0, path:explain { costs = walker, agent = hero }
  for _, item in ipairs(list) do sum = sum + item.cost end
  return ("%d %.17g"):format(#list, sum)
end)
if not path:valid() then error("nobody touched the path", 0) end
insist("the end", function() return far(full, { costs = walker, agent = hero }) end, windy)
