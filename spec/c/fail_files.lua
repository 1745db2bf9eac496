-- SPDX-License-Identifier: MIT
-- Files written and read, and route tables made and asked, while memory runs out: what fails leaves nothing behind, and
-- what is asked again is answered as it should be.
local core = require "wend.core" -- not all of wend: it is loaded again for every request
local costs = require("wend.costs").new
local file = require "wend.file"
local level = require "wend.level"
-- As lua/wend/init.lua does:
for _, methods in pairs(require("wend.once").types) do methods.save = file.saver(methods.encode) end

local walker = costs { mud = 2, lava = false, stairs = function() return 1.5 end }

local function graph()
  local g = core.graph()
  for i = 1, 14 do g:add_node(i % 4 * 10, i * 3, { name = i % 5 == 0 and "node " .. i or nil }) end
  for i = 1, 10 do g:add_edge(i, i + 4, { tag = i % 3 == 0 and "mud" or nil, directed = i % 7 == 0 }) end
  for i = 1, 13, 2 do g:add_edge(i, i + 1, { weight = i }) end
  g:set_radius(3, 0.5):close(5):close_edge(2):remove_node(7):remove_edge(4)
  g:add_node()
  return g
end

local function pending_graph() -- edges that are not filed yet
  local g = graph()
  g:path(1, 2)
  for i = 1, 6 do g:add_edge(i, i + 8, { tag = "late" }) end
  return g
end

local function grid()
  local map = core.parse_grid("ab.#..\n.ab...\n....a.\n", { a = "mud", b = { weight = 2.5, tag = "lava" } },
    { diagonals = "one_open", cell = 4, origin = { 1, 2 } })
  return map:wall(1, 2, 1, 3):link(1, 1, 6, 3, { tag = "stairs" }):link(2, 3, 1, 3, { directed = true })
end

local function walls()
  local set = core.walls()
  for i = 1, 9 do set:add_circle(i, i % 3, i / 4) end
  set:add_polygon { 0, 0, 4, 0, 4, 4 }
  return set:remove(3)
end

local function whole_level()
  local map = grid()
  return level.new { grid = grid(), grids = { map, ground = map }, graph = graph(), walls = walls(),
    names = { mill = { x = 1, y = 2 }, keep = { x = 3, y = 4 } }, data = { list = { 1, "two", { false } } } }
end

-- In a thread of its own, whose small stack has to grow as well.
local function in_thread(f, ...)
  local result
  local thread = coroutine.create(function(...) result = f(...) end)
  local fine, message = coroutine.resume(thread, ...)
  if not fine then error(message, 0) end
  return result
end

-- Writes, and reads what was written.
local function round_trip(what, object, opts)
  if is_over() then return end
  collectgarbage()
  local wanted = object:encode()
  local fine, bytes = attempt(in_thread, object.encode, object)
  if not fine then
    bytes = object:encode()
  end
  if bytes ~= wanted then error(what .. ": other bytes", 0) end
  if is_over() then return end
  collectgarbage()
  local copy
  fine, copy = attempt(in_thread, core.decode, bytes, opts)
  if not fine then
    copy = core.decode(bytes, opts)
  end
  if not copy then error(what .. ": refused", 0) end
  if copy:encode() ~= wanted then error(what .. ": not what was written", 0) end
  if object.copy and not is_over() then -- copies have no prepared tables
    collectgarbage()
    local twin
    fine, twin = attempt(in_thread, object.copy, object)
    if not fine then
      twin = object:copy()
    end
    if twin:encode() ~= object:encode { prepared = false } then error(what .. ": not what was copied", 0) end
  end
  return copy
end

-- Bytes that are damaged in the end: all was read before that is found.
local function damaged(what, bytes, opts)
  if is_over() then return end
  collectgarbage()
  local fine, object = attempt(in_thread, core.decode, bytes, opts)
  if not fine then
    object = core.decode(bytes, opts)
  end
  if object ~= nil then error(what .. ": it should be refused", 0) end
end

round_trip("an empty graph", core.graph())
round_trip("a graph", graph())
round_trip("a graph with new edges", pending_graph())
round_trip("a small grid", core.grid(1, 1))
round_trip("a grid", grid())
local function prepared(map, opts)
  map:prepare(opts)
  return map
end
if not is_over() then
  round_trip("a prepared graph", prepared(graph(), { landmarks = 3 }))
  round_trip("a graph prepared for a profile", prepared(graph(), { costs = walker }))
  round_trip("a prepared grid", prepared(grid()))
end
round_trip("walls", walls())
round_trip("a level", whole_level())
damaged("a level", whole_level():encode():sub(1, -2))
damaged("a graph", graph():encode():sub(1, -2))
damaged("a grid", grid():encode():sub(1, -2))

if not is_over() then
  local g = graph()
  local map = grid()
  round_trip("a field of a graph", g:field(1, { costs = walker }), { map = g, costs = walker })
  round_trip("a field of a grid", map:field(1, 3, { costs = walker, window = 3 }), { map = map, costs = walker })
  damaged("another map", g:field(1):encode(), { map = core.graph() })
  round_trip("routes", g:routes { costs = walker }, { map = g, costs = walker })
  round_trip("routes of nothing", core.graph():routes(), { map = core.graph() })
end

-- Files -------------------------------------------------------------------------------------------------------------

local NAME = "build/fail_files.wend"

local function content(name)
  local handle = io.open(name, "rb")
  local bytes = handle and handle:read "*a"
  if handle then handle:close() end
  return bytes
end

if not is_over() then
  collectgarbage()
  local old, new = core.graph(), graph()
  assert(old:save(NAME))
  local before, after = old:encode(), new:encode()
  local fine = attempt(new.save, new, NAME)
  local there = content(NAME)
  if not (there == after or not fine and there == before) then error("neither the old file nor the new one", 0) end
  if content(NAME .. ".part") then error("a part is left", 0) end
  if not fine then
    assert(new:save(NAME))
  end
  local loaded
  fine, loaded = attempt(file.load, NAME)
  if not fine then
    loaded = file.load(NAME)
  end
  if loaded:encode() ~= after then error("not what was saved", 0) end
  os.remove(NAME)
end

-- Routes ------------------------------------------------------------------------------------------------------------

local function table_of(routes, g)
  local list = {}
  for a in g:nodes() do
    for b in g:nodes() do list[#list + 1] = tostring(routes:cost(a, b)) .. tostring(routes:next(a, b)) end
  end
  return table.concat(list, " ")
end

local function make(what, opts)
  if is_over() then return end
  collectgarbage()
  local g = graph()
  local wanted = table_of(graph():routes(opts), g)
  local fine, routes = attempt(in_thread, g.routes, g, opts)
  if not fine then
    routes = g:routes(opts)
  end
  if table_of(routes, g) ~= wanted then error(what .. ": other routes", 0) end
  if not g:path(1, 2) then error(what .. ": no path afterwards", 0) end
end

make "routes"
make("routes of an agent", { costs = walker, agent = {} })
make("routes by a function", { cost = function(_, cost, _, from) return #(from .. "x") + cost end })
local told
make("routes that tell", { on_progress = function(done, all) told = done .. "/" .. all end })
if not is_over() and told ~= "14/14" then error("told " .. tostring(told), 0) end

if not is_over() then
  local g = graph()
  local routes = g:routes()
  local into = {}
  local function ask(what, f)
    if is_over() then return end
    local wanted = f()
    local fine, got = attempt(in_thread, f)
    if fine and got ~= wanted then error(("%s: %s, then %s"):format(what, tostring(got), tostring(wanted)), 0) end
    if f() ~= wanted then error(what .. ": other than before", 0) end
  end
  local function show(path, message)
    if not path then return message end
    return ("%.17g: %s by %s"):format(path.cost, table.concat(path, " "), table.concat(path:edges(), " "))
  end
  ask("a path", function() return show(routes:path(1, 12)) end)
  ask("a path into a table", function() return show(routes:path(12, 1, { into = into })) end)
  ask("no path", function() return show(routes:path(2, 5)) end)
  ask("cost", function() return routes:cost(1, 12) end)
  ask("next", function() return (routes:next(1, 12)) end)
  ask("bytes", function() return routes:bytes() end)
  g:close(1)
  ask("stale", function() return (select(3, routes:path(1, 12))) end)
  ask("stale bytes", function() return (select(3, routes:encode())) end)
end
