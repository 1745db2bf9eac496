-- SPDX-License-Identifier: MIT
-- The golden files: small files of every kind, kept in spec/golden. spec/golden/README.md describes them.
--
--   make golden                    writes spec/golden/v2 anew, into which this version writes
--   make freeze                    copies spec/golden/v2 to the folder of the release, spec/golden/0.9.0
--   lua spec/golden.lua FOLDER     writes into another folder

package.path = "./?.lua;" .. package.path

local wend = require "wend"
local file_reference = require "spec.support.file_reference"

local golden = {}

-- A 3D graph from which nothing was removed, with a node of every kind.
local function solid_graph()
  local g = wend.graph { dimensions = 3 }
  g:add_node(0, 0, 0, { name = "cellar" })
  g:add_node(3, 4, 12, { radius = 2 })
  g:add_node()
  g:add_edge(1, 2, { tag = "stairs" })
  g:add_edge(2, 3, { weight = 1.5, directed = true })
  return g:close(3)
end

-- A graph without positions, whose node and edge slots were used again.
local function reused_graph()
  local g = wend.graph()
  for _ = 1, 6 do g:add_node() end
  for i = 1, 5 do g:add_edge(i, i + 1, { weight = i }) end
  g:remove_node(2)
  g:remove_node(5)
  g:add_edge(g:add_node(), 1, { weight = 7, tag = "new" })
  return g
end

-- A graph with tags of nodes, and edges with widths.
local function tagged_graph()
  local g = wend.graph()
  g:add_node(0, 0)
  g:add_node(4, 0, { tag = "mud" })
  g:add_node(4, 3, { tag = "market" })
  g:add_edge(1, 2, { width = 2.5 })
  g:add_edge(2, 3, { tag = "road" })
  g:add_edge(3, 1, { width = 0.75, tag = "mud" })
  return g
end

local function linked_grid()
  return wend.parse_grid("...#..\n.m.#..\n...#.m", { m = "mud" }):link(3, 2, 5, 2, { tag = "bridge", weight = 2 })
end

local function some_walls()
  local walls = wend.walls()
  walls:add_polygon { 0, 0, 4, 0, 4, 4, 1, 2 }
  walls:add_segment(1, 2, 3, 4.5)
  walls:add_circle(-3, 2, 0.25)
  return walls:remove(2)
end

local function whole_level()
  local ground, bridge = linked_grid(), wend.grid(6, 3, { cell = 2 })
  return wend.level {
    grid = ground:copy():set(4, 1, "bridge"), grids = { ground, bridge, ground = ground, bridge = bridge },
    graph = reused_graph(), walls = some_walls(), names = { mill = { x = 1.5, y = 2 }, keep = { x = 0, y = 1, z = 3 } },
    data = { day = 3, done = false, events = { "rain", 0.5 } },
  }
end

local function walker() return wend.costs { mud = { times = 3, plus = 0.5 }, road = 0.5, lava = false } end

-- A grid of diamonds, with a legend.
local function isometric_grid()
  return wend.parse_grid("..~\n#.~", { ["~"] = "swamp" }, { projection = "isometric", cell = { 64, 32 },
    origin = { 96, -0.5 } })
end

-- Hexes, with a wall between two of them.
local function hex_grid()
  local options = { shape = "hex", shift = "even", flat = true }
  return wend.parse_grid("..m#\n.#..\n....", { m = "mud" }, options):wall(1, 2, 2, 1)
end

-- Hills between walls, prepared for an agent.
local function prepared_grid()
  local grid = wend.grid(12, 7, { diagonals = "one_open" })
  grid:map(function(x, y) return { weight = 1 + x * y % 4, tag = (x + y) % 5 == 0 and "mud" or nil } end)
  grid:close(4, 1, 4, 5):close(8, 3, 8, 7):wall(2, 2, 2, 3):link(1, 1, 12, 7, { weight = 9, directed = true })
  grid:prepare { landmarks = 3, costs = walker() }
  return grid
end

-- A ring with spokes and one-way edges, prepared for the weights.
local function prepared_graph()
  local g = wend.graph()
  for i = 1, 14 do g:add_node(i % 4 * 3, i) end
  for i = 1, 13 do g:add_edge(i, i + 1, { weight = 1 + i % 3, directed = i == 5 }) end
  g:add_edge(14, 1, { weight = 4 })
  g:add_edge(3, 9, { weight = 2.5, tag = "ferry" })
  g:prepare { landmarks = 2 }
  return g
end

-- Walkers that go, stand and have arrived, in the middle of their ways.
local function small_crowd(map)
  local crowd, walkers = wend.crowd { map = map, max_steps = 4 }, {}
  for i = 1, 5 do
    walkers[i] = crowd:add { x = 0.5 + i % 2 * 0.8, y = 0.5 * i, radius = 0.25, data = i,
      group = i % 2 == 0 and "red" or nil }
  end
  crowd:go({ walkers[1], walkers[2] }, 5.5, 2.5)
  walkers[3]:go { 1.5, 1.5, 2.5, 0.5 }
  walkers[4]:pause()
  for _ = 1, 20 do crowd:update(1 / 32) end
  return crowd
end

-- By name: what makes the object, and for what belongs to a map the name of that. `costs`: of which agent. The folders
-- of releases have files of these names: an entry that is in one of them stays as it is. What is new gets its own name.
golden.list = {
  { name = "graph", make = file_reference.small_graph },
  { name = "graph_empty", make = function() return wend.graph() end },
  { name = "graph_solid", make = solid_graph },
  { name = "graph_reused", make = reused_graph },
  { name = "graph_tagged", make = tagged_graph },
  { name = "grid", make = file_reference.small_grid },
  { name = "grid_cells", make = function() return assert(wend.decode(file_reference.plain_cells())) end },
  { name = "grid_linked", make = linked_grid },
  { name = "grid_isometric", make = isometric_grid },
  { name = "grid_diagonal", make = function() return wend.parse_grid("..#\n...", nil, { diagonal_length = 1 }) end },
  { name = "grid_hexes", make = hex_grid },
  { name = "field_graph", map = "graph", costs = walker,
    make = function(map) return map:field(1, { costs = walker() }) end },
  { name = "field_grid", map = "grid_linked", costs = walker,
    make = function(map) return map:field(6, 3, { costs = walker() }) end },
  { name = "field_window", map = "grid_linked",
    make = function(map) return map:field({ 1, 1, 2, 3 }, { window = 1, outward = true }) end },
  { name = "field_worked", map = "graph_reused", make = function(map) return map:field(3):scale(-1.2) end },
  { name = "field_wide", map = "graph_tagged", costs = walker,
    make = function(map) return map:field(3, { costs = walker(), size = 2 }) end },
  { name = "field_body", map = "grid_isometric", make = function(map) return map:field(2, 1, { size = 2 }) end },
  { name = "routes", map = "graph", costs = walker, make = function(map) return map:routes { costs = walker() } end },
  { name = "routes_empty", map = "graph_empty", make = function(map) return map:routes() end },
  { name = "walls", make = some_walls },
  { name = "level", make = whole_level },
  { name = "grid_prepared", make = prepared_grid },
  { name = "graph_prepared", make = prepared_graph },
  { name = "path_graph", map = "graph", make = function(map) return map:path(1, { 3, 2 }) end },
  { name = "path_grid", map = "grid_linked",
    make = function(map) return map:straighten(map:path(1, 1, 6, 3, { costs = walker() })) end },
  { name = "path_body", map = "grid_isometric", make = function(map) return map:path(1, 1, 2, 1, { size = 2 }) end },
  { name = "path_turns", map = "grid_linked",
    make = function(map) return map:path(1, 1, 6, 3, { per_turn = 3, rest = 0 }) end },
  { name = "field_turns", map = "grid_linked", make = function(map)
    return map:field(6, 3, { per_turn = 9, rest = 8, outward = true, max_cost = 1, pass_only = { "mud" },
      costs = wend.costs { bridge = { ends_turn = true } } })
  end },
  { name = "follower", make = function()
    local points = { 0, 0, 0, 3, 4, 0, 3, 9, 1 }
    local f = wend.follow(points, { dimensions = 3, curve = "hermite", spacing = 1, loop = true })
    f:update(2.5)
    return f:pause()
  end },
  { name = "follower_path", map = "grid_linked", make = function(map)
    local f = wend.follow(map:path(1, 1, 6, 3), { speed = 2, stops = { "bridge" }, speeds = { mud = 0.5 } })
    f:update(60)
    return f
  end },
  { name = "crowd", map = "grid_linked", make = small_crowd },
  { name = "overlay_graph", map = "graph", make = function(map)
    local o = map:overlay()
    local first, last
    for edge in map:edges() do first, last = first or edge, edge end
    return o:close(1):open(3):close_edge(first):set_weight(last, 2.5):set_tag(last, "ice")
  end },
  { name = "overlay_tagged", map = "graph_tagged",
    make = function(map) return map:overlay():set_node_tag(1, "mud"):set_width(2, 1.5) end },
  { name = "overlay_grid", map = "grid_linked", make = function(map)
    return map:overlay():close(1, 2, 2, 3):set(5, 1, { weight = 3, tag = "fire", closed = true }):set(1, 1, "mud")
      :wall(5, 1, 5, 2):wall(6, 1, 5, 2, false)
  end },
  { name = "influence_grid", map = "grid_linked",
    make = function(map) return wend.influence(map):stamp(2, 2, 2.5, 3):set(6, 3, 0.1) end },
  { name = "influence_graph", map = "graph_reused", make = function(map) return wend.influence(map):set(1, 4) end },
  { name = "overlay_fog", map = "grid_linked", make = function(map)
    return map:overlay { unknown = 2.5 }:reveal(1, 1, 3, map:height()):close(6, 1):wall(5, 2, 6, 2)
  end },
}

-- Files of movement are left out where it is absent.
local of_movement = { follower = true, follower_path = true, crowd = true }
for i = #golden.list, 1, -1 do
  if not wend.crowd and of_movement[golden.list[i].name] then table.remove(golden.list, i) end
end

--- All objects by name: { object =, map =, costs = }.
function golden.make()
  local made = {}
  for _, entry in ipairs(golden.list) do
    local map = entry.map and made[entry.map].object
    made[entry.name] = { object = entry.make(map), map = map, costs = entry.costs and entry.costs() or nil }
  end
  return made
end

---The costs of a field over a grid, as a text.
local function costs_of(field)
  local list = {}
  for x, y, cost in field:each() do list[#list + 1] = ("%d,%d=%.17g"):format(x, y, cost) end
  return table.concat(list, " ")
end

-- 0.9.0 decided ties between steps in another way. So of these files less is the same: what the function returns.
local TIED = { field_grid = costs_of, crowd = function(crowd) return crowd:count() end }

---Reads files of a release. They must give what the list makes today: what is written of both now is compared.
---@param files table<string, string> bytes by name
---@return string|nil problem
function golden.compare(files)
  local made, maps = golden.make(), {}
  for name in pairs(files) do
    if not (made[name] or of_movement[name]) then return name .. " is not in the list of spec/golden.lua" end
  end
  for _, entry in ipairs(golden.list) do -- what belongs to a map comes after it
    local name = entry.name
    if files[name] then
      local object, message = wend.decode(files[name], { map = maps[entry.map], costs = made[name].costs })
      if not object then return name .. ": " .. message end
      local same = object:encode() == made[name].object:encode()
      local what = TIED[name]
      if not same and what then same = what(object) == what(made[name].object) end
      if not same then return name .. " gives another object than before" end
      maps[name] = object
    end
  end
end

--- The name of the file of an object, in the folder of a version of the format.
function golden.file(version, name) return ("spec/golden/v%d/%s.wend"):format(version, name) end

if arg and arg[0] and arg[0]:find "golden%.lua$" then
  local folder = arg[1] or "spec/golden/v2"
  local made = golden.make()
  for _, entry in ipairs(golden.list) do
    assert(made[entry.name].object:save(("%s/%s.wend"):format(folder, entry.name)))
  end
end

return golden
