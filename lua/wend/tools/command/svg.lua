-- SPDX-License-Identifier: MIT
--- wend svg: draws a picture of a map or a whole level.

local check = require "wend.check"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local svg = require "wend.tools.svg"
local text = require "wend.tools.command.text"

local function run(context)
  local arguments = context.arguments
  local whole, loaded = maps.read_whole(context)
  local map = #arguments.path > 0 and maps.chosen(loaded) or nil
  local view = maps.read_view(context)
  local paths = {}
  for i, ends in ipairs(arguments.path) do
    local found, message = maps.ask(map, "path", loaded, ends[1], ends[2], view)
    if not found then
      context.stderr:write("wend: ", text.printable(message), "\n")
      return output.FINDINGS
    end
    paths[i] = found
  end
  local document = svg.draw(whole, maps.with(view, {
    path = paths, walls = loaded.level and loaded.level.walls, title = arguments.title, width = arguments.width,
  }))
  if arguments.output then
    output.write_file(arguments.output, document)
  else
    output.say(context, "%s", (document:gsub("\n$", "")))
  end
  return output.FINE
end

return {
  name = "svg", run = run, uses_costs = true,
  summary = "Draw a picture.",
  about = "Draws a picture of a map as SVG, for a browser or a drawing program. The picture of a level shows its grid, "
    .. "graph, walls and names.",
  examples = [[
Examples:
   wend svg level.wend -o level.svg
   wend svg level.wend --path gate keep --path mill keep -o level.svg
   wend svg level.wend --costs walker.lua -o level.svg     shows what is closed for this agent]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("-o --output", "The file to write. Default: standard output.", "OUT")
    add.option("--path", "Also draw the cheapest path between two places. Can be given several times."):args(2)
      :argname { "FROM", "TO" }:count "*"
    add.option("--title", "A title above the picture.", "TEXT")
    add.number("--width", "The width in pixels, 100 to 100000. Default: 800.", "N", check.COUNT)
  end,
}
