-- SPDX-License-Identifier: MIT
--- wend convert: writes a map or a whole level in another format.

local dump = require "wend.tools.command.dump"
local maps = require "wend.tools.command.maps"
local output = require "wend.tools.command.output"
local svg = require "wend.tools.svg"
local text = require "wend.tools.command.text"

local function run(context)
  local arguments = context.arguments
  local suffix = arguments.output:lower():match "%.(%w+)$"
  if suffix ~= "wend" and suffix ~= "txt" and suffix ~= "svg" then
    output.fail("the name of the output must end in .wend, .txt or .svg, got '%s'", text.printable(arguments.output))
  end
  local whole = maps.read_whole(context)
  if suffix == "wend" then
    output.must(whole:save(arguments.output))
  elseif suffix == "txt" then
    output.write_file(arguments.output, dump(whole))
  else
    output.write_file(arguments.output, svg.draw(whole))
  end
  return output.FINE
end

return {
  name = "convert", run = run,
  summary = "Write a map or a level in another format.",
  about = "Writes a map, or a level with all its parts, in another format. The end of the "
    .. "name OUT tells the format: .wend for games, .txt for people and for diffs, .svg for a "
    .. "picture. A .txt cannot be read again.",
  examples = [[
Examples:
   wend convert level.tmx level.wend                 from Tiled to a file for the game: all layers,
                                                     graph, walls and names
   wend convert level.tmx level.wend --layer ground  one of its layers
   wend convert level.wend level.txt                 text, to compare two versions of a level]],
  define = function(add)
    add.file()
    add.argument("output", "The file to write.", "OUT")
    add.layer()
  end,
}
