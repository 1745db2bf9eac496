-- SPDX-License-Identifier: MIT
-- The module wend: navigation for games scripted in Lua. It joins the C core, wend.core, and the helpers in Lua, which
-- are loaded when they are first used.

local core = require "wend.core"
local costs = require "wend.costs"
local lazy = require "wend.lazy"
local once = require "wend.once"

local require = require

local types, later, wait = once.types, lazy.later, lazy.wait

-- The modules that are loaded when they are first used. Tools that bundle files look for each `require` of a name. It
-- is a local: a host may take it away from its scripts.
local get = lazy.modules
get.alternatives = function() return require "wend.alternatives" end
get.compare = function() return require "wend.compare" end
get.file = function() return require "wend.file" end
get.first_cut = function() return require "wend.grid.first_cut" end
get.level = function() return require "wend.level" end
get.paths = function() return require "wend.paths" end
get.queue = function() return require "wend.queue" end
get.text = function() return require "wend.text" end
get.why = function() return require "wend.why" end

wait(once.level, get.level, { "__index", "__tostring" })
wait(once.why, get.why, { "finish", "__tostring" })

local save = later(get.file, "save")

for _, methods in pairs(types) do
  local encode = methods.encode
  methods.save = function(self, name, options) return save(encode, self, name, options) end
end
types.grid.first_cut = later(get.first_cut, "first_cut")
types.grid.text = later(get.text, "text")
types.path.compare = later(get.compare, "paths")
types.graph.alternatives = later(get.alternatives, "of_graph")
types.grid.alternatives = later(get.alternatives, "of_grid")
types.graph.paths, types.grid.paths = later(get.paths, "of_graph"), later(get.paths, "of_grid")

local wend = {
  _VERSION = "wend " .. core.version,
  core = core,
  type = core.type,
  graph = core.graph,
  grid = core.grid,
  parse_grid = core.parse_grid,
  walls = core.walls,
  influence = core.influence,
  surface = core.surface,
  level = later(get.level, "new"),
  costs = costs.new,
  watch = core.path_watch,
  queue = later(get.queue, "new"),
  load = later(get.file, "load"),
  decode = core.decode,
}

-- The libraries on top of navigation: each adds its names to the module. A tree may be without them: make alone.
for _, library in ipairs {
  { name = "wend.move", load = function() return require "wend.move" end },
  { name = "wend.tools", load = function() return require "wend.tools" end },
} do
  local ok, add = pcall(library.load)
  if ok then
    add(wend)
  elseif type(add) ~= "string" or not add:find(("module '%s' not found"):format(library.name), 1, true) then
    error(add, 0)
  end
end

return wend
