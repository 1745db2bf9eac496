-- SPDX-License-Identifier: MIT
-- Edges made and maps checked while memory runs out: what failed has made nothing, and what is asked again is answered
-- as it should be.
local core = require "wend.core" -- not all of wend: it is loaded again for every request
local costs = require "wend.costs"

-- All of a table in text, sorted by key.
local function show(value)
  if type(value) ~= "table" then return tostring(value) end
  local list = {}
  for key, inner in pairs(value) do list[#list + 1] = tostring(key) .. " = " .. show(inner) end
  table.sort(list)
  return "{ " .. table.concat(list, ", ") .. " }"
end

local function edges(g)
  local list = {}
  for id = 1, g:edge_count() do
    local edge = g:edge(id)
    list[id] = ("%d-%d %s %s"):format(edge.from, edge.to, tostring(edge.tag), tostring(edge.directed))
  end
  return table.concat(list, ", ")
end

-- In a thread of its own, whose small stack has to grow as well.
local function in_thread(f, ...)
  local result
  local thread = coroutine.create(function(...) result = f(...) end)
  local fine, message = coroutine.resume(thread, ...)
  if not fine then error(message, 0) end
  return result
end

-- Points as a flat list, from a generator that every Lua has.
local function scattered(count, seed)
  local list = {}
  for i = 1, 2 * count do
    seed = seed * 16807 % 2147483647
    list[i] = seed % 1000 / 10
  end
  return list
end

-- 1. Edges ----------------------------------------------------------------------------------------------------------

local function plain()
  local g = core.graph()
  g:add_nodes(scattered(20, 77))
  return g
end

local function level()
  local g = plain()
  g:add_edges({ 1, 2, 2, 3, 7, 9, 11, 20 }, { tag = "road" })
  g:add_node()
  g:remove_node(5)
  g:link { k = 1, tag = "path" }
  return g
end

local function heap()
  local g = core.graph { dimensions = 3 }
  for i = 1, 24 do g:add_node(0, 0, i % 2) end
  return g
end

local walls = core.walls()
walls:add_segment(50, 0, 50, 80)
walls:add_circle(20, 20, 5)

local function link(what, make, opts)
  if is_over() then return end
  collectgarbage() -- Lua drops a finalizer for which it has no memory
  local g, twin = make(), make()
  local before = g:edge_count()
  local ok, made = attempt(in_thread, g.link, g, opts)
  if not ok then
    if g:edge_count() ~= before then error(what .. " failed, and yet there are new edges", 0) end
    made = g:link(opts)
  end
  local wanted = twin:link(opts)
  if made ~= wanted then error(("%s: %d edges instead of %d"):format(what, made, wanted), 0) end
  local expected, got = edges(twin), edges(g)
  if got ~= expected then error(("%s: expected %s, got %s"):format(what, expected, got), 0) end
end

link("edges", plain)
link("one-way edges", plain, { k = 2, directed = true, tag = "new" })
link("more edges", level, { k = 3, max_distance = 30 })
link("edges between walls", level, { walls = walls, tag = "road" })
link("edges that a function allows", plain, { clear = function(x1, y1, x2) return #(x1 .. y1 .. x2) > 8 end })
link("edges of a heap", heap, { k = 2 })

-- Inside of a function that the other asks.
if not is_over() then
  local g, other, wanted = plain(), plain(), plain():link()
  local made
  local ok = attempt(function()
    g:link { k = 1, clear = function()
      made = made or other:link()
      return true
    end }
  end)
  if not ok then
    if g:edge_count() > 0 then error("linking failed, and yet there are edges", 0) end
    if not made and other:edge_count() > 0 then error("linking inside of it failed, and yet there are edges", 0) end
  end
  if other:edge_count() ~= wanted and other:link() ~= wanted then error("linking inside of it went wrong", 0) end
end

-- 2. Checks ---------------------------------------------------------------------------------------------------------

local function islands()
  local g = core.graph()
  g:add_nodes(scattered(30, 5))
  g:set_name(21, "isle")
  for i = 1, 18 do g:add_edge(i, i + 1, { tag = i % 3 == 0 and "mud" or nil }) end
  for i = 21, 24 do g:add_edge(i, i + 1) end
  g:add_edge(26, 27)
  g:add_edges({ 3, 22, 9, 24, 10, 26, 11, 27, 12, 28, 29, 4 }, { directed = true, tag = "drop" })
  g:close(15)
  g:remove_node(20)
  return g
end

local function terrain()
  local grid = core.grid(12, 8):fill(6, 1, 6, 8, false):fill(9, 3, 10, 6, { weight = 2, tag = "mud" })
  grid:set(2, 2, "lava"):wall(1, 7, 1, 8)
  grid:link(3, 3, 8, 3, { directed = true, tag = "drop" }):link(1, 1, 7, 8, { directed = true })
  return grid
end

local walker = costs.new({ mud = function(agent) return agent.boots and 2 or false end, lava = false })
local climber = costs.new({}, { base = walker })
climber:edge_rule("ledge", function(_, _, _, from, to)
  if (from + to) % 5 == 0 then return false end
end, { at_least = 1 })

local broken = costs.new()
broken:edge_rule("broken", function() error("boo", 0) end)
broken.on_error = function() end

local function check(what, make, opts)
  if is_over() then return end
  local map = make()
  collectgarbage()
  local ok, found = attempt(in_thread, map.check, map, opts)
  if not ok then
    found = map:check(opts)
  end
  local wanted, got = show(make():check(opts)), show(found)
  if got ~= wanted then error(("%s: expected %s, got %s"):format(what, wanted, got), 0) end
end

check("an empty graph", core.graph)
check("a graph", islands)
check("a graph, one-way edges meant", islands, { allow = { "drop", "nobody" } })
check("a graph as an agent sees it", islands, { costs = walker, agent = {} })
check("a graph by a rule", islands, { costs = climber, agent = { boots = true } })
check("a graph by a function", islands, { cost = function(_, cost, _, from) return #(from .. "x") + cost end })
check("a graph by a rule that fails", islands, { costs = broken })
check("a grid", terrain)
check("a grid, one-way links meant", terrain, { allow = { "drop" } })
check("a grid as an agent sees it", terrain, { costs = climber, agent = {} })
