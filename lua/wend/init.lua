-- SPDX-License-Identifier: MIT
-- The module wend: navigation for games scripted in Lua. It joins the C core, wend.core, and the helpers in Lua, which
-- are loaded when they are first used.

local core = require "wend.core"
local costs = require "wend.costs"
local once = require "wend.once"

local require = require

local types = once.types

-- The modules that are loaded when they are first used. all.lua loads them at once. Tools that bundle files look for
-- each `require` of a name. It is a local: a host may take it away from its scripts.
local get = {
  compare = function() return require "wend.compare" end,
  crowd = function() return require "wend.crowd" end,
  curve = function() return require "wend.curve" end,
  file = function() return require "wend.file" end,
  follow = function() return require "wend.follow" end,
  projection = function() return require "wend.import.projection" end,
  tiled = function() return require "wend.import.tiled" end,
  level = function() return require "wend.level" end,
  paths = function() return require "wend.paths" end,
  queue = function() return require "wend.queue" end,
  svg = function() return require "wend.svg" end,
  text = function() return require "wend.text" end,
  trace = function() return require "wend.trace" end,
  why = function() return require "wend.why" end,
}
once.modules = get

local modules = package.loaded

--- Loads such a module. If that fails, it can be tried again: Lua 5.1 leaves a mark in place of each module that was
--- not loaded; modules of wend are tables and functions.
local function load(getter)
  local ok, result = pcall(getter)
  if ok then return result end
  for name, value in pairs(modules) do
    local whole = type(value) == "table" or type(value) == "function"
    if not whole and type(name) == "string" and name:find "^wend%." then modules[name] = nil end
  end
  error(result, 0)
end

--- A function that calls a function of such a module.
local function later(getter, name)
  local fn
  return function(...)
    fn = fn or load(getter)[name]
    return fn(...)
  end
end

--- Lets the core make objects of a type before its module is loaded: the first use of a metamethod loads it.
local function wait(metatable, getter, names)
  for _, name in ipairs(names) do
    metatable[name] = function(self, key)
      load(getter)                          -- it sets the metamethod
      local loaded = metatable[name]
      if type(loaded) == "table" then return loaded[key] end
      return loaded(self, key)
    end
  end
end

wait(once.level, get.level, { "__index", "__tostring" })
wait(once.why, get.why, { "finish", "__tostring" })
once.crowds.reads(later(get.crowd, "decode"))
once.followers.makes(later(get.follow, "make"))

local save = later(get.file, "save")

for _, methods in pairs(types) do
  local encode = methods.encode
  methods.save = function(self, name, options) return save(encode, self, name, options) end
end
types.grid.text = later(get.text, "text")
types.path.compare = later(get.compare, "paths")
types.graph.paths, types.grid.paths = later(get.paths, "of_graph"), later(get.paths, "of_grid")

return {
  _VERSION = "wend " .. core.version,
  core = core,
  type = core.type,
  graph = core.graph,
  grid = core.grid,
  parse_grid = core.parse_grid,
  walls = core.walls,
  influence = core.influence,
  level = later(get.level, "new"),
  costs = costs.new,
  trace = later(get.trace, "new"),
  watch = core.path_watch,
  follow = later(get.follow, "follow"),
  crowd = later(get.crowd, "new"),
  curve = later(get.curve, "curve"),
  lerp = later(get.curve, "lerp"),
  hermite = later(get.curve, "hermite"),
  queue = later(get.queue, "new"),
  svg = later(get.svg, "draw"),
  load = later(get.file, "load"),
  decode = core.decode,
  read_tiled = later(get.tiled, "read_tiled"),
  tile_at = later(get.tiled, "tile_at"),
  tile_of_cell = later(get.projection, "tile_of_cell"),
  cell_of_tile = later(get.projection, "cell_of_tile"),
}
