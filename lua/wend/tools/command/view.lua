-- SPDX-License-Identifier: MIT
--- wend view: draws a map in the terminal, or as SVG.

local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local picture = require "wend.tools.command.picture"
local svg = require "wend.tools.svg"

local function run(context)
  local arguments = context.arguments
  local whole, loaded = maps.read_whole(context)
  if arguments.svg then
    output.write_file(arguments.svg, svg.draw(whole, { walls = loaded.level and loaded.level.walls }))
  else
    picture.show(context, maps.chosen(loaded), nil, arguments.area)
  end
  return output.FINE
end

return {
  name = "view", run = run,
  summary = "Draw a map in the terminal.",
  about = "Draws a map as text: a grid cell by cell, with the characters that grid:text chooses; a graph as nodes o "
    .. "and edges. Of a level it draws the grid with all layers, or the graph if there is no grid. "
    .. "In a terminal there are colours, unless the environment has NO_COLOR.",
  examples = [[
Examples:
   wend view level.wend
   wend view level.wend --layer graph
   wend view level.wend --area 100 40 180 70    a part of a grid
   wend view level.wend --svg level.svg         a picture for a browser, of all parts of a level]],
  define = function(add)
    add.file()
    add.layer()
    add.option("--area", "The part of a grid between two corners."):args(4):argname { "X1", "Y1", "X2", "Y2" }
      :convert(tonumber)
    add.option("--svg", "Write a picture to this file instead.", "OUT")
  end,
}
