-- SPDX-License-Identifier: MIT
-- Pictures of everything that wend.svg draws, to look at: lua5.4 spec/tools/pictures.lua FOLDER
local wend = require "wend"
local fen = dofile "examples/fen.lua"

local folder = arg[1] or "."

local function picture(name, x, options)
  local file = assert(io.open(folder .. "/" .. name .. ".svg", "wb"))
  assert(file:write(wend.svg(x, options)))
  file:close()
end

local walker = wend.costs {
  road = 0.8,
  toll = { plus = 12 },
  swamp = function(agent) return agent.boots and 1 or 2 end,
}
local graph = fen.build(wend)
picture("fen", graph, {
  title = "From the gate to the keep, without wading boots and with them",
  path = { graph:path("gate", "keep", { costs = walker }),
    graph:path("gate", "keep", { costs = walker, agent = { boots = true } }) },
})
graph:close "well"
graph:close_edge(graph:edge_between("door", "keep"))
picture("fen-field", graph, {
  title = "How far it is to the keep, for those who keep out of the swamp",
  field = graph:field("keep", { costs = wend.costs { swamp = false } }), costs = wend.costs { swamp = false },
})

local keep = dofile("examples/foreign_maps.lua").grid "examples/keep.map"
local hero = wend.costs { swamp = 3, water = false }
local way = keep:path(2, 13, 56, 16, { costs = hero })
picture("keep", keep, { path = { way, keep:straighten(way, { costs = hero }) }, costs = hero })
picture("keep-field", keep, { path = way, field = keep:field(56, 16, { costs = hero }), costs = hero })

local rooms = wend.parse_grid([[
  ...#....~~~.
  ...#...~~~~.
  ...#........
  ............
]], { ["~"] = { weight = 3, tag = "swamp" } }, { cell = 32, origin = { -100, 50 } })
rooms:wall(1, 2, 1, 3):wall(2, 2, 2, 3):wall(6, 1, 7, 1):wall(6, 2, 7, 2)
picture("rooms", rooms, { field = rooms:field(1, 1):scale(-1.2):relax() })

local tower = wend.graph { dimensions = 3 }
for i = 0, 40 do
  tower:add_node((10 + i) * math.cos(i * 0.6), (10 + i) * math.sin(i * 0.6), i * 3)
  if i > 0 then tower:add_edge(i, i + 1, { tag = "stairs" }) end
  if i > 10 then tower:add_edge(i + 1, i - 9, { tag = "jump", directed = true }) end
end
picture("tower", tower, { path = { tower:path(1, 41), tower:path(41, 1) } })

local lost = wend.graph()
for i = 1, 10 do lost:add_node { name = "room " .. i } end
lost:add_edges({ 1, 2, 1, 8, 1, 9, 2, 3, 2, 9, 3, 4, 4, 5, 4, 10, 5, 6, 6, 7, 7, 8, 7, 10, 9, 10 },
  { weights = { 2, 3, 3, 3, 1, 4, 1, 1, 2, 1, 5, 1, 4 } })
lost:add_edge(1, 2, { weight = 5, tag = "ladder" })
lost:add_edge(2, 1, { weight = 1, tag = "slide", directed = true })
picture("without-positions", lost, { path = lost:path(1, 5) })

local walls = wend.walls()
walls:add_segment(0, 0, 200, 40)
walls:add_polygon { 60, 60, 120, 60, 120, 120, 90, 80 }
walls:add_circle(170, 90, 18)
local line = { 10, 40, 50, 50, 120, 40, 160, 55, 205, 80, 190, 130 }
picture("walls", walls, { points = { line, wend.curve(line, { clear = walls }) }, width = 500 })

for name, flat in pairs { hexes = false, ["hexes-flat"] = true } do
  local board = wend.grid(12, 8, { shape = "hex", flat = flat })
  board:fill(3, 1, 3, 5, { weight = 3, tag = "hill" }):close(7, 2, 7, 5):set(9, 4, { tag = "water", closed = true })
  board:wall(5, 5, 6, 5):wall(5, 5, 5, 6):wall(2, 7, 2, 8, true, { directed = true })
  picture(name, board, { path = board:path(1, 3, 11, 3), field = board:field(1, 3), title = name })
end
picture("isle", assert(wend.read_tiled("examples/tiled/isle.tmx", { closed = { "fence" } })))
