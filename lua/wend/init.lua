-- SPDX-License-Identifier: MIT
-- The module wend: navigation for games scripted in Lua. It joins the C core, wend.core, and the helpers in Lua.
-- Loading a helper for the first time also registers its types with the core, which allows that once.

local core = require "wend.core"
local compare = require "wend.compare"
local costs = require "wend.costs"
local crowd = require "wend.crowd"
local curve = require "wend.curve"
local file = require "wend.file"
local follow = require "wend.follow"
local level = require "wend.level"
local many = require "wend.paths"
local projection = require "wend.import.projection"
local queue = require "wend.queue"
local read = require "wend.import.read"
local state = require "wend.state"
local svg = require "wend.svg"
local text = require "wend.text"
local tiled = require "wend.import.tiled"
local trace = require "wend.trace"
require "wend.why"

local graphs, grids, fields, routes, walls, paths = core.methods()
for _, methods in ipairs { graphs, grids, fields, routes, walls, level.methods, crowd.methods } do
  methods.save = file.saver(methods.encode)
end
grids.text = text.text
compare.install(paths, graphs, grids)
many.install(graphs, grids, fields)

return {
  _VERSION = "wend " .. core.version,
  core = core,
  type = core.type,
  graph = core.graph,
  grid = core.grid,
  parse_grid = core.parse_grid,
  walls = core.walls,
  level = level.new,
  costs = costs.new,
  trace = trace.new,
  watch = core.path_watch,
  follow = follow.follow,
  crowd = crowd.new,
  curve = curve.curve,
  lerp = curve.lerp,
  hermite = curve.hermite,
  queue = queue.new,
  svg = svg.draw,
  load = file.load,
  decode = core.decode,
  restore = state.restore,
  read_map = read.read_map,
  read_scen = read.read_scen,
  read_tiled = tiled.read_tiled,
  tile_of_cell = projection.tile_of_cell,
  cell_of_tile = projection.cell_of_tile,
}
