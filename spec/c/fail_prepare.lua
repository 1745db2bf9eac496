-- SPDX-License-Identifier: MIT
-- Maps that are prepared, edited and searched while memory runs out: a map keeps the tables that it had, and paths cost
-- what they cost on an equal map that is not prepared.
local core = require "wend.core"
local costs = require "wend.costs"

local walker = costs.new { mud = { times = 2, plus = 0.25 } }

-- Calls a function while memory may run out, then again if it has.
local function insist(f, ...)
  local ok, result = attempt(f, ...)
  if ok then return result end
  return (f(...))
end

local function compare(what, map, twin, ...)
  local path, other = insist(map.path, map, ...), twin:path(...)
  local cost, expected = path and path.cost, other and other.cost
  if cost ~= expected and math.abs(cost - expected) > 1e-9 * expected then
    error(("%s: %s, not %s"):format(what, tostring(cost), tostring(expected)), 0)
  end
end

local graph, grid = core.graph(), core.grid(30, 7):fill(10, 1, 10, 6, false):fill(20, 2, 20, 7, false)
for i = 1, 60 do graph:add_node(i, i % 3) end
for i = 1, 59 do graph:add_edge(i, i + 1, { weight = 2 + i % 4 }) end
for i = 1, 50, 5 do graph:add_edge(i, i + 7, { weight = 20, directed = i % 2 == 0, tag = "mud" }) end
grid:fill(3, 3, 8, 5, { weight = 3, tag = "mud" })

for _, map in ipairs { graph, grid } do
  local twin = map:copy()
  local ends = map == graph and { 1, 60 } or { 1, 1, 30, 7 }
  local function both(edit)
    if not attempt(edit, map) then
      if map:path(table.unpack(ends)) == nil then error("no path", 0) end
      edit(map)
    end
    edit(twin)
  end
  insist(map.prepare, map, { landmarks = 4 })
  compare("prepared", map, twin, table.unpack(ends))
  insist(map.prepare, map, { costs = walker, landmarks = 16 })
  ends[#ends + 1] = { costs = walker }
  compare("prepared for a profile", map, twin, table.unpack(ends))
  if map == graph then
    local node = insist(map.add_node, map, 70, 1)
    while not twin:has(node) do twin:add_node(70, 1) end
    both(function(m) m:set_weight(3, 1) end)
    for _, from in ipairs { 60, 20 } do
      insist(map.add_edge, map, from, node, { weight = 0.5 })
      twin:add_edge(from, node, { weight = 0.5 })
    end
  else
    both(function(m) m:open(10, 1, 10, 3) end)
    both(function(m) m:wall(5, 1, 6, 1) end)
    both(function(m) m:link(1, 1, 15, 5, { weight = 1 }) end)
  end
  compare("edited", map, twin, table.unpack(ends))
  local preparation, done
  while not done do -- a preparation that has run out of memory is lost
    preparation = preparation or insist(map.prepare, map, { sliced = true, landmarks = 2 })
    local ok
    ok, done = attempt(preparation.step, preparation, 100)
    if not ok then preparation, done = nil, false end
  end
  compare("prepared again", map, twin, table.unpack(ends))
  map:unprepare()
  compare("not prepared", map, twin, table.unpack(ends))
end
