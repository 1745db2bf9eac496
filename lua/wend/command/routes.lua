-- SPDX-License-Identifier: MIT
--- wend routes: makes a route table of a graph.

local format = require "wend.format"
local maps = require "wend.command.maps"
local output = require "wend.command.output"

local function run(context)
  local arguments = context.arguments
  local map = maps.read_map(context, "graph")
  if maps.is_grid(map) then
    output.fail("%s must hold a graph, got a grid", arguments.file)
  elseif type(map.routes) ~= "function" then
    output.fail "this build of wend has no route tables"
  end
  local tell = output.progress(context, "routes")
  local made = output.must(map:routes(maps.with(maps.read_view(context), { progress = tell })))
  context.finish()
  output.save(made, arguments.output)
  local nodes = map:node_count()
  local bytes = made:bytes()
  output.say(context, "%s, %d bytes, %.3g bytes per pair", format.count(nodes, "node"), bytes,
    bytes / math.max(nodes * nodes, 1))
  return output.FINE
end

return {
  name = "routes", run = run, uses_costs = true,
  summary = "Calculate all paths of a graph in advance.",
  about = "Calculates the cheapest paths between all nodes of a graph, and writes them as a route table. A game loads "
    .. "it with wend.load and needs no searches.",
  examples = [[
Examples:
   wend routes level.wend -o level.routes.wend
   wend routes level.wend -o walker.routes.wend --costs walker.lua]],
  define = function(add)
    add.file()
    add.layer()
    add.view()
    add.option("-o --output", "The file to write.", "OUT"):count "1"
    add.quiet()
  end,
}
