-- SPDX-License-Identifier: MIT
--- wend convert: a map in another format.

local export = require "wend.export"
local maps = require "wend.command.maps"
local output = require "wend.command.output"
local svg = require "wend.svg"

local function run(context)
  local arguments = context.arguments
  local suffix = arguments.output:lower():match "%.(%w+)$"
  if suffix ~= "wend" and suffix ~= "txt" and suffix ~= "svg" then
    output.fail("cannot tell what to make of %s: its name must end in .wend, .txt or .svg", arguments.output)
  end
  local map, loaded = maps.read_map(context)
  if suffix == "wend" then
    output.save(map, arguments.output)
  elseif suffix == "txt" then
    output.write_file(arguments.output, export.export(map))
  else
    output.write_file(arguments.output, svg.draw(map, { walls = loaded.level and loaded.level.walls }))
  end
  return output.FINE
end

return {
  name = "convert", run = run,
  summary = "Write a map in another format.",
  about = "Writes a map in another format, told by the end of OUT: .wend for games, .txt for people and for "
    .. "diffs, .svg for a picture.",
  examples = [[
Examples:
   wend convert level.lua level.wend               from Tiled to a file for the game
   wend convert level.lua level.wend --layer ground
   wend convert level.wend level.txt               to see in version control what has changed]],
  define = function(add)
    add.file()
    add.argument("output", "A file to write.", "OUT")
    add.layer()
  end,
}
