-- SPDX-License-Identifier: MIT
-- What is near, walls, routes, variation and jitter while memory runs out: what failed has changed nothing, and gives
-- the answer that it should when it is called again.
local core = require "wend.core" -- not all of wend: it is loaded again for every request
local costs = require "wend.costs"

local unpack = table.unpack or unpack -- luacheck: ignore 143

local function list_of(...)
  local list = {}
  for i = 1, 3 do
    local value = select(i, ...)
    list[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
  end
  return table.concat(list, " ")
end

local function numbers(list)
  local texts = {}
  for i, number in ipairs(list) do texts[i] = ("%.17g"):format(number) end
  return table.concat(texts, " ")
end

-- Asks f(map) while memory may run out, in a thread of its own, whose small stack has to grow as well; then again. Both
-- must answer what another map answers that is made alike. Answers are compared as show makes texts of them.
local function insist(what, make, f, show)
  if is_over() then return end
  local map, tried = make(), nil
  show = show or list_of
  collectgarbage() -- Lua drops a finalizer for which it has no memory
  local thread = coroutine.create(function(...) tried = { f(...) } end)
  local ok = attempt(function()
    local fine, message = coroutine.resume(thread, map)
    if not fine then error(message, 0) end
  end)
  local expected, result = show(f(make())), ok and show(unpack(tried, 1, 3)) or show(f(map))
  if result ~= expected then error(("%s: expected %s, got %s"):format(what, expected, result), 0) end
end

-- Edits of a thing and of a twin. Of the first they may fail: then nothing has changed. show(thing) tells all of
-- it, and builds what the next edit has to keep up to date.
local function follow(make, show, edits)
  local thing, twin = make(), make()
  local before = show(thing)
  for _, edit in ipairs(edits) do
    if is_over() then return end
    local what, change = edit[1], edit[2]
    if not attempt(change, thing) then
      if show(thing) ~= before then error(what .. " failed, and yet something has changed", 0) end
      change(thing)
    end
    change(twin)
    local expected, got = show(twin), show(thing)
    if got ~= expected then error(("%s: expected %s\ngot %s"):format(what, expected, got), 0) end
    before = got
  end
end

-- 1. What is near ---------------------------------------------------------------------------------------------------

-- Points as a flat list, from a generator that every Lua has.
local function scattered(count, seed)
  local list = {}
  for i = 1, 2 * count do
    seed = seed * 16807 % 2147483647
    list[i] = seed % 1000 / 10
  end
  return list
end

local function ends_of(first, last)
  local list = {}
  for i = first, last - 1 do
    list[#list + 1] = i
    list[#list + 1] = i % 5 == 0 and first or i + 1
  end
  return list
end

local function level(count)
  local g = core.graph()
  g:add_nodes(scattered(count or 40, 17))
  g:add_edges(ends_of(1, count or 40))
  g:add_edge(3, 3, { weight = 2 })
  g:add_edge(4, 4, { weight = 2, directed = true, tag = "loop" })
  g:set_tag(7, "mud")
  g:close(9)
  return g
end

local function near(g)
  local lines = {}
  for _, at in ipairs { { 50, 50 }, { 97, 3 } } do
    local nodes, distances = g:nearest(at[1], at[2], { limit = 14 })
    lines[#lines + 1] = numbers(nodes) .. ": " .. numbers(distances)
    lines[#lines + 1] = list_of(g:nearest(at[1], at[2])) .. " / " .. list_of(g:nearest_edge(at[1], at[2]))
  end
  return table.concat(lines, "\n")
end

follow(level, near, {
  { "add_node", function(g) g:add_node(51, 52, { name = "here" }) end },
  { "a few nodes", function(g) g:add_nodes(scattered(9, 5)) end },
  { "one without a position", function(g) g:add_node { name = "nowhere" } end },
  { "its first position", function(g) g:move("nowhere", 98, 4) end },
  { "a short step", function(g) g:move(3, 50, 50) end },
  { "far away", function(g) g:move(4, 5000, 5000) end },
  { "add_edge", function(g) g:add_edge("here", 20, { tag = "new" }) end },
  { "a few edges", function(g) g:add_edges(ends_of(38, 46)) end },
  { "remove_edge", function(g) g:remove_edge(11) end },
  { "remove_node", function(g) g:remove_node(3) end },
  { "a node in its place", function(g) g:add_node(49, 49) end },
  { "far more nodes", function(g) g:add_nodes(scattered(60, 99)) end },
  { "far more edges", function(g) g:add_edges(ends_of(52, 110)) end },
  { "close", function(g) g:close(20) end },
})

-- So many into one corner that nodes of the tree are divided, up to its root.
local function crowd(g)
  for i = 1, 40, 3 do g:move(i, 70 + i / 100, 70 - i % 7 / 50) end
end
if not is_over() then
  local g, twin = level(), level()
  near(g)
  if not attempt(crowd, g) then
    crowd(g)
  end
  crowd(twin)
  if near(g) ~= near(twin) then error("moving many of them left another graph than without failures", 0) end
end

local hero = { boots = true }
local function profile()
  local made = costs.new { mud = function(agent) return agent.boots and 3 or 9 end, loop = false }
  return made:edge_rule("slope", function(_, cost, _, from, to) return from < to and cost * 1.25 or nil end,
    { at_least = 1 })
end
local walker = profile()

local function thicket()
  local walls = core.walls()
  walls:add_circle(20, 20, 4)
  walls:add_polygon { 60, 40, 70, 45, 80, 40, 70, 70 }
  for i = 1, 12 do walls:add_segment(8 * i, 3 * i, 8 * i + 2, 3 * i + 9) end
  return walls
end
local walls = thicket()
local function odd(x1, y1, x2, y2) return math.floor(x1 + y1 * 3 + x2 * 5 + y2 * 7) % 2 == 1 end

insist("the first question", level, function(g) return g:nearest(30, 40) end)
insist("the first question about edges", level, function(g) return g:nearest_edge(30, 40) end)
insist("the first five", level, function(g) return g:nearest(30, 40, { limit = 5, max_distance = 30 }) end, numbers)
insist("what can reach a node", level, function(g)
  return g:nearest(30, 40, { can_reach = 12, costs = walker, agent = hero })
end)
insist("what can be reached, and is in sight", level, function(g)
  return g:nearest(30, 40, { reachable_from = { 12, 30 }, clear = odd })
end)
insist("in sight of walls that were never asked", function() return { level(), thicket() } end, function(made)
  return made[1]:nearest(30, 40, { limit = 9, clear = made[2] })
end, numbers)
insist("an edge that leads there", level, function(g)
  local sight = { clear = function(_, ...) return odd(...) end }
  return g:nearest_edge(30, 40, { can_reach = 12, reachable_from = 12, clear = sight })
end)

-- 2. Walls ----------------------------------------------------------------------------------------------------------

local round_corner = {}
for i = 1, 30 do
  round_corner[2 * i - 1] = 40 + i
  round_corner[2 * i] = 60 + i * i / 30
end

local function show_walls(made)
  local lines = { tostring(made:count()) }
  for kind, list in made:each() do lines[#lines + 1] = kind .. " " .. numbers(list) end
  for i = 0, 90, 10 do lines[#lines + 1] = list_of(made:clear(i, 0, 100 - i, 100), made:clear(0, i, 90, i / 2, 2)) end
  return table.concat(lines, "\n")
end

follow(core.walls, show_walls, {
  { "add_segment", function(made) made:add_segment(1, 2, 30, 40) end },
  { "add_circle", function(made) made:add_circle(50, 50, 10) end },
  { "add_polygon", function(made) made:add_polygon { 60, 60, 90, 65, 70, 90 } end },
  { "a polygon of many sides", function(made) made:add_polygon(round_corner) end },
  { "one more", function(made) made:add_segment(5, 90, 30, 80) end },
  { "remove", function(made) made:remove(4) end },
  { "add_circle again", function(made) made:add_circle(30, 30, 4) end },
})
insist("walls", function() return true end, thicket, show_walls)
insist("the first line", thicket, function(made) return made:clear(1, 1, 90, 95) end)
insist("the list of them", thicket, function(made)
  local kinds = {}
  for kind, list in made:each() do kinds[#kinds + 1] = kind .. #list end
  return table.concat(kinds, " ")
end)

-- 3. Routes ---------------------------------------------------------------------------------------------------------

local function show_route(route, message)
  if not route then return message end
  local fields = list_of(route.cost, route.partial, route.dimensions)
  return fields .. ": " .. numbers(route) .. " by " .. numbers(route.nodes)
end
local function ask(what, make, from, to, opts)
  insist("a route " .. what, make, function(g) return g:route(from, to, opts) end, show_route)
end

-- Two levels side by side: what is nearest to one end leads nowhere.
local function islands()
  local g = level(20)
  local last = g:add_nodes(scattered(12, 3)) + 11
  g:add_edges(ends_of(21, last))
  g:remove_edge(3)
  return g
end
local here, there = { 5, 60 }, { 95, 35 }

ask("by nodes", level, here, there)
ask("by edges", level, here, there, { enter = "edge", costs = walker, agent = hero })
ask("round walls", level, here, there, { clear = walls, stats = {} })
ask("as a script sees it", level, here, there, { enter = "edge", clear = odd })
ask("straight on", level, here, { 5, 61 }, { clear = function() return true end })
ask("where ends are not joined", islands, here, there)
ask("where edges are not joined", islands, here, there, { enter = "edge", clear = odd })
ask("to nowhere", islands, here, there, { max_distance = 1 })
ask("in part", islands, here, 21, { max_expanded = 3, partial = true })
ask("that differs, and is jittered", level, here, there, { variation = 0.5, seed = 3, jitter = 2, clear = walls })
insist("a route into another", level, function(g)
  local into = g:route({ 1, 1 }, { 99, 99 })
  if g:route(here, there, { into = into }) ~= into then error "another table" end
  return into
end, show_route)
if not is_over() then -- one that could not be made is empty, or as it was
  local g = level()
  local into = g:route({ 1, 1 }, { 99, 99 })
  g:move(1, 3, 3) -- so that there is something to build
  local expected = show_route(level():move(1, 3, 3):route(here, there, { enter = "edge" }))
  attempt(function() g:route(here, there, { enter = "edge", into = into }) end)
  g:route(here, there, { enter = "edge", into = into })
  if show_route(into) ~= expected then error("a route into one that had failed: " .. show_route(into), 0) end
end

-- 4. Variation ------------------------------------------------------------------------------------------------------

local function lattice()
  local g = core.graph()
  for y = 1, 7 do
    for x = 1, 7 do g:add_node(x * 10, y * 10) end
  end
  for n = 1, 49 do
    if n % 7 > 0 then g:add_edge(n, n + 1, { tag = n % 4 == 0 and "mud" or nil }) end
    if n <= 42 then g:add_edge(n, n + 7) end
  end
  return g
end
local function plain() return core.grid(16, 9):fill(6, 1, 6, 6, false):fill(11, 4, 11, 9, false) end
local function muddy() return plain():fill(8, 2, 10, 8, { weight = 1.5, tag = "mud" }) end
local function walled() return muddy():wall(3, 3, 4, 3):wall(7, 7, 8, 8):link(2, 9, 14, 2, { weight = 4 }) end

local gentle = costs.new { mud = 1.25 }

local function show_path(path, message)
  return path and list_of(path.cost) .. ": " .. numbers(path) or message
end
local function go(map, opts)
  if map.nodes then return map:path(1, 49, opts) end
  return map:path(2, 2, 15, 8, opts)
end
local function sliced(map, opts)
  local search, state = map.nodes and map:search(1, 49, opts) or map:search(2, 2, 15, 8, opts), "running"
  while state == "running" do state = search:step(7) end
  return search:result()
end

for _, make in ipairs { lattice, plain, muddy, walled } do
  insist("a path that differs", make, function(map) return go(map, { variation = 0.4, seed = 2 }) end, show_path)
  insist("another, with costs", make, function(map)
    return go(map, { variation = 0.4, seed = 8, costs = gentle, max_cost = 150, stats = {} })
  end, show_path)
  insist("in slices", make, function(map) return sliced(map, { variation = 0.4, seed = 2 }) end, show_path)
end
insist("what a rule has to say of it", lattice, function(map)
  return go(map, { variation = 0.4, seed = 2, costs = walker, agent = hero, partial = true })
end, show_path)

-- 5. Points ---------------------------------------------------------------------------------------------------------

insist("jitter", lattice, function(map) return map:path(1, 49):points { jitter = 3, seed = 7 } end, numbers)
for _, clear in ipairs { odd, walls, plain() } do
  insist("jitter within what is clear", lattice, function(map)
    return map:path(1, 49):points { jitter = 3, seed = 7, clear = clear }
  end, numbers)
end
insist("jitter in cells", walled, function(map)
  return map:path(2, 2, 15, 8):points { jitter = 0.75, seed = 7, clear = map }
end, numbers)
insist("clear_points", walled, function(map)
  return map:clear_points(0.5, 0.5, 4.25, 7.5), map:clear_points(7.5, 0.5, 9.5, 7.25, { costs = walker, agent = hero }),
    map:clear_points(7.5, 0.5, 9.5, 7.25, { cost = function(_, cost, tag) return tag and cost * 2 or cost end })
end)
