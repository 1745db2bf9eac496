-- SPDX-License-Identifier: MIT
-- The parts of requests in a queue, on one large map: how long q:run takes beyond its limit. sections/limits.lua runs
-- each case in a process of its own, so that each is the first search of its map, and prints the results.
--
--   limits.lua SIDE CASE        a case of `cases` below; prints lines "name value"; times in seconds
--
-- Times are of the processor, so other programs disturb them less. Memory is what the search adds to the process.

local wend = require "wend"

local LIMIT = 0.002

local side, case = tonumber(arg[1]), arg[2]

local function put(name, value) print(("%s %.17g"):format(name, value)) end

--- Draws rectangles at random. share: of the cells, about.
local function scatter(grid, share, values)
  math.randomseed(5)
  local size = 24
  for _ = 1, math.floor(side * side * share / (size * size / 4)) do
    local x, y = math.random(side), math.random(side)
    local x2, y2 = math.min(side, x + math.random(size)), math.min(side, y + math.random(size))
    grid:fill(x, y, x2, y2, values[math.random(#values)])
  end
  return grid:fill(1, 1, 4, 4, 1):fill(side - 4, side - 4, side, side, 1)
end

local function open() return scatter(wend.grid(side, side), 0.2, { false }) end
local function terrain() return scatter(open(), 0.4, { 2, 3, "mud", "road" }) end
local function walled()
  local grid = terrain()
  for _ = 1, side do
    local x, y = math.random(side - 1), math.random(side - 1)
    grid:wall(x, y, x + 1, y)
  end
  return grid
end

--- A map whose far corner is walled off.
local function shut(map)
  return function()
    local grid = map()
    return grid:close(side - 40, side - 40, side, side - 40):close(side - 40, side - 40, side - 40, side)
  end
end

--- A graph of a lattice.
local function lattice()
  local n = math.floor(side / 4)
  local g, points, ends = wend.graph(), {}, {}
  for i = 0, n * n - 1 do points[2 * i + 1], points[2 * i + 2] = i % n + i % 7 / 20, i // n + i % 11 / 20 end
  g:add_nodes(points)
  for i = 0, n * n - 1 do
    if i % n < n - 1 then ends[#ends + 1], ends[#ends + 2] = i + 1, i + 2 end
    if i < n * n - n then ends[#ends + 1], ends[#ends + 2] = i + 1, i + n + 1 end
  end
  g:add_edges(ends)
  return g
end

local far, near = side - 1, math.floor(side / 8)
local mud = wend.costs { mud = 3, road = 0.5 }
local slow = wend.costs { mud = function() return 3 end, road = 0.5 }

local cases = {
  ["jump points"] = { open, function(q, map) q:path(map, 1, 1, far, far) end },
  ["jump points, 1 %"] = { open, function(q, map) q:path(map, 1, 1, near, near) end },
  ["jump points, no path"] = { shut(open), function(q, map) q:path(map, 1, 1, far, far) end },
  ["weights"] = { terrain, function(q, map) q:path(map, 1, 1, far, far) end },
  ["weights, 1 %"] = { terrain, function(q, map) q:path(map, 1, 1, near, near) end },
  ["tags"] = { terrain, function(q, map) q:path(map, 1, 1, far, far, { costs = mud }) end },
  ["functions"] = { terrain, function(q, map) q:path(map, 1, 1, far, far, { costs = slow }) end },
  ["Dijkstra"] = { terrain, function(q, map) q:path(map, 1, 1, far, far, { algorithm = "dijkstra" }) end },
  ["no path"] = { shut(terrain), function(q, map) q:path(map, 1, 1, far, far) end },
  ["no path, labels off"] = { shut(terrain), function(q, map) q:path(map, 1, 1, far, far, { labels = false }) end },
  ["partial"] = { shut(terrain), function(q, map)
    q:path(map, 1, 1, far, far, { partial = true, max_expanded = 3e6 })
  end },
  ["varied"] = { terrain, function(q, map) q:path(map, 1, 1, far, far, { variation = 0.1, seed = 1 }) end },
  ["walls"] = { walled, function(q, map) q:path(map, 1, 1, far, far) end },
  ["walls, 1 %"] = { walled, function(q, map) q:path(map, 1, 1, near, near) end },
  ["field"] = { terrain, function(q, map) q:field(map, 1, 1) end },
  ["field, tags"] = { terrain, function(q, map) q:field(map, 1, 1, { costs = mud }) end },
  ["shared"] = { terrain, function(q, map)
    for i = 1, 50 do q:path(map, i * near // 50 + 1, 5, far, far, { share = true }) end
  end },
  ["field, walls"] = { walled, function(q, map) q:field(map, 1, 1) end },
  ["route"] = { terrain, function(q, map) q:route(map, { 2, 2 }, { far, far }) end },
  ["200 paths"] = { terrain, function(q, map)
    for i = 1, 200 do
      local x, y = math.random(side - near), math.random(side - near)
      q:path(map, x, y, x + i % near, y + near)
    end
  end },
  ["can_reach"] = { terrain, function(q, map) q:can_reach(map, 1, 1, far, far) end },
  ["can_reach, no path"] = { shut(terrain), function(q, map) q:can_reach(map, 1, 1, far, far) end },
  ["paths"] = { terrain, function(q, map)
    local trips = {}
    for i = 1, 50 do
      for _, number in ipairs { i * near // 50 + 1, 5, far, far } do trips[#trips + 1] = number end
    end
    q:paths(map, trips)
  end },
  ["paths, 1 %"] = { terrain, function(q, map)
    local trips = {}
    for i = 1, 200 do
      local x, y = math.random(side - near), math.random(side - near)
      for _, number in ipairs { x, y, x + i % near, y + near } do trips[#trips + 1] = number end
    end
    q:paths(map, trips)
  end },
  ["graph, can_reach"] = { lattice, function(q, map) q:can_reach(map, 1, map:node_count()) end },
  ["graph, no path"] = { lattice, function(q, map)
    map:close(map:node_count())
    q:can_reach(map, 1, map:node_count())
  end },
  ["graph"] = { lattice, function(q, map) q:path(map, 1, map:node_count()) end },
  ["graph, 1 %"] = { lattice, function(q, map) q:path(map, 1, map:node_count() // 100) end },
  ["graph, field"] = { lattice, function(q, map) q:field(map, 1) end },
}

local order = {}
for name in pairs(cases) do order[#order + 1] = name end
table.sort(order)
if not case then
  for _, name in ipairs(order) do print(name) end
  return
end

local function resident(what)
  local file = io.open "/proc/self/status"
  local text = file and file:read "a" or ""
  if file then file:close() end
  return (tonumber(text:match(what .. ":%s*(%d+)")) or 0) * 1024
end

collectgarbage()
local map = cases[case][1]()
collectgarbage()
local q, before, over = wend.queue(), resident "VmRSS", {}
local began = os.clock()
cases[case][2](q, map)
put("queued", os.clock() - began)
while q:pending() > 0 do
  local started = os.clock()
  q:run(LIMIT)
  over[#over + 1] = os.clock() - started - LIMIT
  if os.getenv "WEND_LIMITS" and over[#over] > 0.0005 then
    io.stderr:write(("part %d: %.2f ms over\n"):format(#over, over[#over] * 1000))
  end
end
put("seconds", os.clock() - began)
put("memory", resident "VmHWM" - before)
put("parts", #over)
table.sort(over)
put("most", over[#over])
put("p999", over[math.ceil(#over * 0.999)])
put("p99", over[math.ceil(#over * 0.99)])
put("found", q.stats.done)
