-- SPDX-License-Identifier: MIT
-- Tools on top of navigation and movement: pictures, maps of Tiled, traces. Returns a function that adds them to the
-- module wend. LÖVE's drawing (tools/love) and the command (tools/command) are loaded by their names.

local lazy = require "wend.lazy"

local require = require
local later, get = lazy.later, lazy.modules

get.marks = function() return require "wend.tools.text" end -- for grid:text
get.projection = function() return require "wend.tools.tiled.projection" end
get.svg = function() return require "wend.tools.svg" end
get.tiled = function() return require "wend.tools.tiled" end
get.trace = function() return require "wend.tools.trace" end

return function(wend)
  wend.trace = later(get.trace, "new")
  wend.svg = later(get.svg, "draw")
  wend.read_tiled = later(get.tiled, "read_tiled")
  wend.tile_at = later(get.tiled, "tile_at")
  wend.tile_of_cell = later(get.projection, "tile_of_cell")
  wend.cell_of_tile = later(get.projection, "cell_of_tile")
end
