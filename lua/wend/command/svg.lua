-- SPDX-License-Identifier: MIT
--- wend svg: a picture of a map.

local maps = require "wend.command.maps"
local numbers = require "wend.command.numbers"
local output = require "wend.command.output"
local svg = require "wend.svg"
local text = require "wend.command.text"

local function run(context)
  local arguments = context.arguments
  local map, loaded = maps.read_map(context)
  local view = maps.read_view(context)
  local paths = {}
  for i, ends in ipairs(arguments.path) do
    local found, message = maps.find_path(map, loaded, ends[1], ends[2], view)
    if not found then
      context.stderr:write("wend: ", text.printable(message), "\n")
      return output.FINDINGS
    end
    paths[i] = found
  end
  local document = svg.draw(map, maps.with(view, {
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
  about = "Draws a picture, to be opened with a browser.",
  examples = [[
Examples:
   wend svg level.wend -o level.svg
   wend svg level.wend --path gate keep --path mill keep -o level.svg
   wend svg level.wend --costs walker.lua -o level.svg     what is closed for the walker is drawn so]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("-o --output", "Where to write it; else standard output.", "OUT")
    add.option("--path", "Draw the cheapest path between two places; can be given again."):args(2)
      :argname { "FROM", "TO" }:count "*"
    add.option("--title", "A line above it.", "TEXT")
    add.option("--width", "In pixels; default 800.", "N"):convert(numbers.positive)
  end,
}
